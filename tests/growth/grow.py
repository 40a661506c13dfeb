"""How a generator of growing workspaces is written: a function of `n` that returns the files, and a decorator."""

GENERATORS = []


def grows(command="check", n=100, short=True):
    """Registers a function of `n` that returns the files of a workspace: their paths, and their texts.

    `command` is what toolnames runs on it; `n` is the least of the three sizes at which its work is counted. One that is much
    like another is no part of the short run.
    """

    def register(function):
        assert function.__doc__, f"{function.__name__} has no docstring"
        GENERATORS.append((function, command, n, short))
        return function

    return register
