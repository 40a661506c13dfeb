# `logging`: nothing is logged.

DEBUG = 10
INFO = 20
WARNING = 30
ERROR = 40
CRITICAL = 50


class Logger:
    def __init__(self, name=None):
        self.name = name
        self.handlers = []

    def debug(self, *args, **kwargs):
        pass

    info = debug
    warning = debug
    warn = debug
    error = debug
    critical = debug
    exception = debug
    log = debug
    setLevel = debug
    addHandler = debug
    removeHandler = debug
    addFilter = debug

    def isEnabledFor(self, level):
        return intrinsic.unknown("the log level")

    def getChild(self, name):
        return self


root = Logger()


def getLogger(name=None):
    return Logger(name)


def basicConfig(**kwargs):
    pass


def debug(*args, **kwargs):
    pass


info = debug
warning = debug
error = debug
exception = debug
critical = debug


def getLevelName(level):
    return intrinsic.unknown("the log level")


class Handler:
    def __init__(self, *args, **kwargs):
        pass

    def setFormatter(self, *args):
        pass

    def setLevel(self, *args):
        pass


StreamHandler = Handler
FileHandler = Handler
NullHandler = Handler


class Formatter:
    def __init__(self, *args, **kwargs):
        pass


class Filter:
    pass
