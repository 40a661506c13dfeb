# `copy`


def copy(value):
    kind = intrinsic.kind(value)
    if kind == "list":
        return list(value)
    if kind == "table":
        return intrinsic.table(value)
    if kind == "set":
        return set(value)
    if kind == "object":
        made = intrinsic.blank(intrinsic.class_of(value))
        for name, one in vars(value).items():
            setattr(made, name, one)
        return made
    return value


def deepcopy(value, memo=None):
    kind = intrinsic.kind(value)
    if kind == "list":
        return [deepcopy(one) for one in value]
    if kind == "tuple":
        return tuple([deepcopy(one) for one in value])
    if kind == "table":
        return {key: deepcopy(one) for key, one in value.items()}
    if kind == "set":
        return set(value)
    if kind == "object":
        made = intrinsic.blank(intrinsic.class_of(value))
        for name, one in vars(value).items():
            setattr(made, name, deepcopy(one))
        return made
    return value


def replace(value, **changes):
    made = copy(value)
    for name, one in changes.items():
        setattr(made, name, one)
    return made
