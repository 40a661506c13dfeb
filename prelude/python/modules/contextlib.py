# `contextlib`


def contextmanager(function):
    return function


asynccontextmanager = contextmanager


class suppress:
    def __init__(self, *exceptions):
        self.exceptions = exceptions

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        return error is not None and isinstance(error, self.exceptions)


class nullcontext:
    def __init__(self, value=None):
        self.value = value

    def __enter__(self):
        return self.value

    def __exit__(self, *args):
        pass


class closing:
    def __init__(self, value):
        self.value = value

    def __enter__(self):
        return self.value

    def __exit__(self, *args):
        pass


class ExitStack:
    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass

    def enter_context(self, manager):
        return manager.__enter__()

    def callback(self, function, *args):
        return function


class AsyncExitStack(ExitStack):
    pass


class redirect_stdout(nullcontext):
    pass


class redirect_stderr(nullcontext):
    pass
