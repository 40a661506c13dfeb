# `typing`: types have no effect when a program runs.


class _Type:
    def __getitem__(self, item):
        return self

    def __or__(self, other):
        return self

    def __call__(self, *args, **kwargs):
        return self


Any = _Type()
Optional = _Type()
Union = _Type()
Callable = _Type()
List = list
Dict = dict
Set = set
Tuple = tuple
Type = type
Iterable = _Type()
Iterator = _Type()
Sequence = _Type()
Mapping = _Type()
Awaitable = _Type()
Coroutine = _Type()
AsyncIterator = _Type()
AsyncGenerator = _Type()
Generator = _Type()
ClassVar = _Type()
Final = _Type()
Annotated = _Type()
Self = _Type()
Required = _Type()
NotRequired = _Type()
Concatenate = _Type()
TypeAlias = _Type()
Never = _Type()
NoReturn = _Type()
LiteralString = _Type()
Text = str
TYPE_CHECKING = False


class _Literal:
    def __getitem__(self, item):
        made = _LiteralOf()
        made.__args__ = item if intrinsic.kind(item) == "tuple" else (item,)
        return made


class _LiteralOf:
    pass


Literal = _Literal()


def get_args(tp):
    return intrinsic.member(tp, "__args__") if isinstance(tp, _LiteralOf) else intrinsic.unknown("the arguments of a type")


def get_type_hints(*args, **kwargs):
    return intrinsic.unknown("the types of a function")


def get_origin(tp):
    return intrinsic.unknown("the origin of a type")


class Generic:
    pass


class Protocol:
    pass


class TypedDict(dict):
    pass


class NamedTuple:
    def __init__(self, *args, **kwargs):
        names = list(intrinsic.class_of(self).__annotations__.keys())
        for index, name in enumerate(names):
            if index < len(args):
                setattr(self, name, args[index])
            elif name in kwargs:
                setattr(self, name, kwargs[name])

    def __iter__(self):
        return iter([getattr(self, name) for name in intrinsic.class_of(self).__annotations__])

    def __getitem__(self, index):
        return list(self)[index]

    def _asdict(self):
        return {name: getattr(self, name) for name in intrinsic.class_of(self).__annotations__}


def TypeVar(*args, **kwargs):
    return Any


ParamSpec = TypeVar
TypeVarTuple = TypeVar


def NewType(name, tp):
    return lambda value: value


def cast(tp, value):
    return value


def overload(function):
    return function


def final(value):
    return value


def override(value):
    return value


def no_type_check(value):
    return value


def runtime_checkable(cls):
    return cls
