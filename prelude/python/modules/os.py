# `os`
import os.path as path

environ = intrinsic.unknown("the environment")
name = "posix"
sep = "/"
linesep = "\n"


def getenv(key, default=None):
    return intrinsic.supposed(default, "the environment")


def getcwd():
    return intrinsic.supposed("/", "the working directory")


def listdir(folder="."):
    return intrinsic.read_folder(str(folder))


def scandir(folder="."):
    return [_Entry(folder, name) for name in intrinsic.read_folder(str(folder))]


class _Entry:
    def __init__(self, folder, name):
        self.name = name
        self.path = intrinsic.join_paths(str(folder), name)

    def is_file(self):
        return intrinsic.path_kind(self.path) == "file"

    def is_dir(self):
        return intrinsic.path_kind(self.path) == "folder"


def walk(folder):
    folders = []
    files = []
    for name in intrinsic.read_folder(str(folder)):
        if intrinsic.path_kind(intrinsic.join_paths(str(folder), name)) == "folder":
            folders.append(name)
        else:
            files.append(name)
    found = [(str(folder), folders, files)]
    for name in folders:
        found.extend(walk(intrinsic.join_paths(str(folder), name)))
    return found


def makedirs(*args, **kwargs):
    pass


def mkdir(*args, **kwargs):
    pass


def remove(*args):
    pass


def chdir(*args):
    pass


def getpid():
    return intrinsic.unknown("the number of the process")


def fspath(value):
    return str(value)


def _exit(code):
    raise SystemExit()
