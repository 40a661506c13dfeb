# `operator`


def itemgetter(*keys):
    if len(keys) == 1:
        return lambda value: value[keys[0]]
    return lambda value: tuple([value[key] for key in keys])


def _followed(value, path):
    for name in path.split("."):
        value = getattr(value, name)
    return value


def attrgetter(*names):
    if len(names) == 1:
        return lambda value: _followed(value, names[0])
    return lambda value: tuple([_followed(value, name) for name in names])


def methodcaller(name, *args, **kwargs):
    return lambda value: getattr(value, name)(*args, **kwargs)


def add(a, b):
    return a + b


def concat(a, b):
    return a + b


def mul(a, b):
    return a * b


def eq(a, b):
    return a == b


def ne(a, b):
    return a != b


def lt(a, b):
    return a < b


def or_(a, b):
    return a | b


def contains(a, b):
    return b in a


def getitem(value, key):
    return value[key]


def setitem(value, key, new):
    value[key] = new
