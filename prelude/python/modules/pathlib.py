# `pathlib`: paths of the workspace.


class Path:
    def __init__(self, *parts):
        self.text = intrinsic.join_paths(*[str(part) for part in parts]) if parts else "."

    def __str__(self):
        return self.text

    def __fspath__(self):
        return self.text

    def __truediv__(self, other):
        return Path(self.text, str(other))

    def __lt__(self, other):
        return self.text < other.text

    def joinpath(self, *others):
        return Path(self.text, *others)

    def resolve(self, strict=False):
        return self

    def absolute(self):
        return self

    def expanduser(self):
        return self

    def as_posix(self):
        return self.text

    def with_suffix(self, suffix):
        return Path(self.text[: len(self.text) - len(self.suffix)] + suffix)

    def with_name(self, name):
        return Path(self.parent.text, name)

    @property
    def parent(self):
        at = self.text.rfind("/")
        return Path(self.text[:at] if at > 0 else "/" if at == 0 else ".")

    @property
    def parents(self):
        made = []
        at = self
        while at.text not in ("/", "."):
            at = at.parent
            made.append(at)
        return Parents(made)

    @property
    def name(self):
        return self.text[self.text.rfind("/") + 1 :]

    @property
    def stem(self):
        name = self.name
        at = name.rfind(".")
        return name[:at] if at > 0 else name

    @property
    def suffix(self):
        name = self.name
        at = name.rfind(".")
        return name[at:] if at > 0 else ""

    @property
    def parts(self):
        return tuple(self.text.split("/"))

    def read_text(self, encoding=None, errors=None):
        return intrinsic.read_file(self.text)

    def read_bytes(self):
        return intrinsic.read_file(self.text)

    def open(self, *args, **kwargs):
        return open(self.text)

    def exists(self):
        kind = intrinsic.path_kind(self.text)
        return True if intrinsic.kind(kind) == "text" else kind

    def is_file(self):
        return intrinsic.path_kind(self.text) == "file"

    def is_dir(self):
        return intrinsic.path_kind(self.text) == "folder"

    def iterdir(self):
        return [Path(self.text, name) for name in intrinsic.read_folder(self.text)]

    def glob(self, pattern):
        if pattern.startswith("**/"):
            return self.rglob(pattern[3:])
        return [path for path in self.iterdir() if _matches(path.name, pattern)]

    def rglob(self, pattern):
        found = []
        for path in self.iterdir():
            if path.is_dir():
                found.extend(path.rglob(pattern))
            elif _matches(path.name, pattern):
                found.append(path)
        return found

    def relative_to(self, other):
        prefix = str(other) + "/"
        return Path(self.text.removeprefix(prefix))

    def mkdir(self, *args, **kwargs):
        pass

    def write_text(self, *args, **kwargs):
        pass

    def unlink(self, *args, **kwargs):
        pass

    @classmethod
    def cwd(cls):
        return intrinsic.unknown("the working directory")

    @classmethod
    def home(cls):
        return intrinsic.unknown("the home directory")


def _matches(name, pattern):
    if pattern == "*":
        return True
    if pattern.startswith("*"):
        return name.endswith(pattern[1:])
    if "*" in pattern:
        start, _, end = pattern.partition("*")
        return name.startswith(start) and name.endswith(end)
    return name == pattern


PurePath = Path
PosixPath = Path
PurePosixPath = Path


# Above the root of the workspace are further folders.
class Parents:
    def __init__(self, known):
        self.known = known

    def __getitem__(self, index):
        if index >= len(self.known):
            return intrinsic.unknown("a folder above the workspace")
        return self.known[index]

    def __iter__(self):
        return iter(self.known)

    def __len__(self):
        return len(self.known)
