# `abc`


class ABC:
    pass


class ABCMeta:
    pass


def abstractmethod(function):
    return function


def abstractproperty(function):
    return property(function)


def abstractclassmethod(function):
    return classmethod(function)
