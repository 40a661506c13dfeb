# `functools`


def wraps(wrapped, assigned=None, updated=None):
    def apply(wrapper):
        return update_wrapper(wrapper, wrapped)

    return apply


def update_wrapper(wrapper, wrapped, assigned=None, updated=None):
    wrapper.__module__ = wrapped.__module__
    wrapper.__name__ = wrapped.__name__
    wrapper.__doc__ = wrapped.__doc__
    wrapper.__wrapped__ = wrapped
    for key, value in vars(wrapped).items():
        if not key.startswith("__"):
            setattr(wrapper, key, value)
    return wrapper


class partial:
    def __init__(self, func, *args, **keywords):
        self.func = func
        self.args = args
        self.keywords = keywords

    def __call__(self, *args, **keywords):
        return self.func(*self.args, *args, **{**self.keywords, **keywords})


class partialmethod:
    def __init__(self, func, *args, **keywords):
        self.func = func
        self.args = args
        self.keywords = keywords

    def __get__(self, instance, owner):
        return partial(self.func, instance, *self.args, **self.keywords)


def reduce(step, values, *first):
    started = bool(first)
    result = first[0] if first else None
    for value in values:
        if started:
            result = step(result, value)
        else:
            result = value
            started = True
    return result


def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return maxsize
    return lambda function: function


def cache(function):
    return function


class cached_property:
    def __init__(self, function):
        self.function = function

    def __get__(self, instance, owner):
        if instance is None:
            return self
        return self.function(instance)


def total_ordering(cls):
    return cls


def cmp_to_key(compare):
    class Key:
        def __init__(self, value):
            self.value = value

        def __lt__(self, other):
            return compare(self.value, other.value) < 0

    return Key


def singledispatch(function):
    table = {}

    def dispatch(value, *args, **kwargs):
        for cls, found in table.items():
            if isinstance(value, cls):
                return found(value, *args, **kwargs)
        return function(value, *args, **kwargs)

    def register(cls):
        def apply(found):
            table[cls] = found
            return found

        return apply

    dispatch.register = register
    return dispatch
