# `inspect`


def getmembers(value, predicate=None):
    pairs = []
    for name in dir(value):
        member = getattr(value, name, None)
        if predicate is None or predicate(member):
            pairs.append((name, member))
    return pairs


def getmembers_static(value, predicate=None):
    return getmembers(value, predicate)


def isclass(value):
    return intrinsic.kind(value) == "class"


def isfunction(value):
    return intrinsic.kind(value) == "function"


def ismethod(value):
    return intrinsic.kind(value) == "function"


def isroutine(value):
    return intrinsic.kind(value) == "function"


def ismodule(value):
    return intrinsic.kind(value) == "module"


def isabstract(value):
    return False


def iscoroutinefunction(value):
    return intrinsic.is_async(value)


def isawaitable(value):
    return intrinsic.unknown("whether a value can be awaited")


isasyncgenfunction = isawaitable


def getdoc(value):
    return value.__doc__


def cleandoc(text):
    return text.strip()


class Parameter:
    empty = intrinsic.unknown("no default")
    POSITIONAL_OR_KEYWORD = 1
    KEYWORD_ONLY = 3
    VAR_POSITIONAL = 2
    VAR_KEYWORD = 4

    def __init__(self, name):
        self.name = name
        self.default = intrinsic.unknown("a default")
        self.annotation = intrinsic.unknown("a type")
        self.kind = intrinsic.unknown("the kind of a parameter")


class Signature:
    def __init__(self, parameters=(), return_annotation=None):
        self.parameters = {parameter.name: parameter for parameter in parameters}
        self.return_annotation = intrinsic.unknown("a type")

    def replace(self, parameters=None, return_annotation=None):
        return Signature(list(self.parameters.values()) if parameters is None else parameters)


def unwrap(function):
    while hasattr(function, "__wrapped__") and not hasattr(function, "__signature__"):
        function = function.__wrapped__
    return function


def signature(function):
    # A wrapper shows what it wraps.
    function = unwrap(function)
    if hasattr(function, "__signature__"):
        return function.__signature__
    return Signature([Parameter(name) for name in intrinsic.parameters(function)])


def getsource(value):
    return intrinsic.unknown("the source of a function")


def getfile(value):
    return intrinsic.unknown("the file of a function")
