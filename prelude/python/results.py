# Methods of other packages whose results their arguments show; `None` if they do not.


class shownResults:
    # A copy of a model with other values.
    def model_copy(value, update=None, deep=False):
        return intrinsic.with_arguments(value, update or {})
