# `dataclasses`


class _Missing:
    pass


MISSING = _Missing()
KW_ONLY = _Missing()


class Field:
    def __init__(self, default, default_factory, metadata=None):
        self.default = default
        self.default_factory = default_factory
        self.metadata = metadata or {}


def field(default=MISSING, default_factory=MISSING, init=True, repr=True, metadata=None, **kwargs):
    made = Field(default, default_factory, metadata)
    made.init = init
    return made


def dataclass(cls=None, **options):
    if cls is None:
        return lambda found: _made(found)
    return _made(cls)


def _made(cls):
    defaults = {}
    hidden = []
    for base in reversed(intrinsic.order(cls)):
        known = intrinsic.own(base, "__dataclass_defaults__")
        if known is not ... and base is not cls:
            defaults.update(known)
        if base is cls:
            annotations = intrinsic.own(cls, "__annotations__")
            for name in annotations.keys():
                default = intrinsic.own(cls, name)
                if default is ...:
                    default = MISSING
                if isinstance(default, Field) and default.init is False:
                    hidden.append(name)
                defaults[name] = default
    intrinsic.define(cls, "__dataclass_defaults__", defaults, True)
    fields = {}
    for name, default in defaults.items():
        one = default if isinstance(default, Field) else Field(default, MISSING)
        one.name = name
        fields[name] = one
    intrinsic.define(cls, "__dataclass_fields__", fields, True)
    intrinsic.define(cls, "__match_args__", tuple(defaults.keys()), True)
    for name, default in defaults.items():
        if isinstance(default, Field):
            if default.default is not MISSING:
                intrinsic.define(cls, name, default.default)
            else:
                intrinsic.delete_member(cls, name)

    def __init__(self, *args, **kwargs):
        index = 0
        for name, default in defaults.items():
            if name in hidden:
                setattr(self, name, _default_of(default))
            elif index < len(args):
                setattr(self, name, args[index])
                index += 1
            elif name in kwargs:
                setattr(self, name, kwargs[name])
            else:
                value = _default_of(default)
                if value is not MISSING:
                    setattr(self, name, value)
        after = intrinsic.special(self, "__post_init__")
        if after is not ...:
            after()

    if intrinsic.own(cls, "__init__") is ...:
        intrinsic.define(cls, "__init__", __init__, True)
    return cls


def _default_of(default):
    if not isinstance(default, Field):
        return default
    if default.default is not MISSING:
        return default.default
    if default.default_factory is not MISSING:
        return default.default_factory()
    return MISSING


def fields(value):
    return tuple(value.__dataclass_fields__.values())


def is_dataclass(value):
    return hasattr(value, "__dataclass_fields__")


def asdict(value):
    return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}


def _plain(value):
    kind = intrinsic.kind(value)
    if kind == "list":
        return [_plain(one) for one in value]
    if kind == "object" and is_dataclass(value):
        return asdict(value)
    return value


def astuple(value):
    return tuple([getattr(value, name) for name in value.__dataclass_fields__])


def replace(value, **changes):
    copy = intrinsic.with_arguments(value, changes)
    if intrinsic.kind(copy) != "undefined":
        return copy
    made = intrinsic.class_of(value)(**{**asdict(value), **changes})
    return made
