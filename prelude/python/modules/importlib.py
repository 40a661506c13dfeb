# `importlib`


def import_module(name, package=None):
    return intrinsic.import_name(name, package or "")


def reload(module):
    return module
