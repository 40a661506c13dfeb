"""Kilo Code, made from opencode: what its project's files decide about a call, asked of the program itself."""

import opencode

ID = "kilo"


def act(program, case, folder, home):
    """The fate of the call of a case, and the tools' names that the model is offered."""
    return opencode.ask(ID, program, case, folder, home)


def cases(random):
    """Workspaces of all the places in which the client reads what a tool may do."""
    return opencode.cases(random, ID, "code")


def forms(random):
    """A permission of one entry where every call otherwise runs, with that entry and without."""
    return opencode.forms(random, ID)
