# `os.path`

sep = "/"


def join(*parts):
    return intrinsic.join_paths(*[str(part) for part in parts])


def dirname(path):
    path = str(path)
    at = path.rfind("/")
    return path[:at] if at > 0 else "/" if at == 0 else ""


def basename(path):
    path = str(path)
    return path[path.rfind("/") + 1 :]


def split(path):
    return (dirname(path), basename(path))


def splitext(path):
    path = str(path)
    at = path.rfind(".")
    if at <= path.rfind("/") + 1:
        return (path, "")
    return (path[:at], path[at:])


def abspath(path):
    return path


def realpath(path):
    return path


def normpath(path):
    return intrinsic.join_paths(str(path))


def expanduser(path):
    return path


def expandvars(path):
    return path


def exists(path):
    kind = intrinsic.path_kind(str(path))
    return True if intrinsic.kind(kind) == "text" else kind


def isfile(path):
    return intrinsic.path_kind(str(path)) == "file"


def isdir(path):
    return intrinsic.path_kind(str(path)) == "folder"


def isabs(path):
    return str(path).startswith("/")


def relpath(path, start=None):
    return str(path).removeprefix(str(start) + "/")
