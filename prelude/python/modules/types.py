# `types`


class SimpleNamespace:
    def __init__(self, *mappings, **kwargs):
        for mapping in mappings:
            for name, value in mapping.items():
                setattr(self, name, value)
        for name, value in kwargs.items():
            setattr(self, name, value)


def MappingProxyType(mapping):
    return mapping


def MethodType(function, instance):
    return intrinsic.bound(function, instance)


FunctionType = function
LambdaType = function
BuiltinFunctionType = function
NoneType = type(None)


class ModuleType:
    def __init__(self, name, doc=None):
        self.__name__ = name
