# `asyncio`: coroutines run when they are made.


def run(coroutine, **kwargs):
    return intrinsic.awaited(coroutine)


async def gather(*coroutines, return_exceptions=False):
    return [await coroutine for coroutine in coroutines]


async def sleep(seconds, result=None):
    return result


def create_task(coroutine, **kwargs):
    return coroutine


ensure_future = create_task


async def wait_for(coroutine, timeout=None):
    return await coroutine


async def to_thread(function, *args, **kwargs):
    return function(*args, **kwargs)


def iscoroutinefunction(function):
    return intrinsic.is_async(function)


def iscoroutine(value):
    return intrinsic.kind(value) == "promise"


class _Loop:
    def run_until_complete(self, coroutine):
        return intrinsic.awaited(coroutine)

    def create_task(self, coroutine):
        return coroutine

    def run_forever(self):
        pass

    def close(self):
        pass


def get_event_loop():
    return _Loop()


new_event_loop = get_event_loop
get_running_loop = get_event_loop


def set_event_loop(loop):
    pass


class Lock:
    async def __aenter__(self):
        return self

    async def __aexit__(self, *args):
        pass


class Semaphore(Lock):
    def __init__(self, *args):
        pass


class Event:
    def set(self):
        pass

    async def wait(self):
        pass


class CancelledError(BaseException):
    pass
