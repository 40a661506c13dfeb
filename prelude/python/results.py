# Methods of other packages whose results their arguments show; `None` if they do not.


class shownResults:
    # A copy of a model with other values.
    def model_copy(value, update=None, deep=False):
        return intrinsic.with_arguments(value, update or {})


# Members of what other packages make, and of functions that they decorate; `None` if nothing shows them.
class shownMembers:
    # The function of a tool.
    def fn(made):
        return made if intrinsic.kind(made) == "function" else intrinsic.argument_of(made, "fn", 0)
