# `sys`

argv = intrinsic.unknown("the arguments of the process")
platform = intrinsic.unknown("the platform")
version = intrinsic.unknown("the version of Python")
version_info = intrinsic.unknown("the version of Python")
executable = intrinsic.unknown("the interpreter")
path = []
modules = intrinsic.modules()
maxsize = 9223372036854775807


class _Stream:
    def write(self, text):
        pass

    def flush(self):
        pass

    def reconfigure(self, *args, **kwargs):
        pass

    def isatty(self):
        return intrinsic.unknown("the terminal")


stdout = _Stream()
stderr = _Stream()
stdin = _Stream()


def exit(code=0):
    raise SystemExit()


def exc_info():
    return (None, None, None)


def getrecursionlimit():
    return 1000


def setrecursionlimit(limit):
    pass
