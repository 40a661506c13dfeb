# `re`

IGNORECASE = "i"
I = "i"
MULTILINE = "m"
M = "m"
DOTALL = "s"
S = "s"
VERBOSE = "x"
X = "x"
UNICODE = ""
U = ""
ASCII = ""
A = ""


class _Compiled:
    def __init__(self, pattern, flags):
        self.pattern = pattern
        self.flags = flags

    def sub(self, replacement, text, count=0):
        return sub(self, replacement, text, count)

    def match(self, text):
        return match(self, text)

    def fullmatch(self, text):
        return fullmatch(self, text)

    def search(self, text):
        return search(self, text)

    def findall(self, text):
        return findall(self, text)

    def finditer(self, text):
        return finditer(self, text)

    def split(self, text, maxsplit=0):
        return split(self, text, maxsplit)


def compile(pattern, flags=""):
    return pattern if isinstance(pattern, _Compiled) else _Compiled(pattern, flags)


def _of(pattern, flags, start="", end=""):
    if isinstance(pattern, _Compiled):
        flags = pattern.flags
        pattern = pattern.pattern
    return intrinsic.pattern(start + pattern + end if start or end else pattern, flags if flags else "")


def sub(pattern, replacement, text, count=0, flags=""):
    return intrinsic.replace(text, _of(pattern, flags), replacement, count != 1)


def subn(pattern, replacement, text, count=0, flags=""):
    return (sub(pattern, replacement, text, count, flags), len(intrinsic.matches(text, _of(pattern, flags))))


def _first(text, pattern):
    found = intrinsic.matches(text, pattern)
    return found[0] if len(found) > 0 else None


def match(pattern, text, flags=""):
    return _first(text, _of(pattern, flags, "\\A(?:", ")"))


def fullmatch(pattern, text, flags=""):
    return _first(text, _of(pattern, flags, "\\A(?:", ")\\z"))


def search(pattern, text, flags=""):
    return _first(text, _of(pattern, flags))


def findall(pattern, text, flags=""):
    made = []
    for found in intrinsic.matches(text, _of(pattern, flags)):
        groups = found.groups()
        made.append(found.group(0) if len(groups) == 0 else groups[0] if len(groups) == 1 else groups)
    return made


def finditer(pattern, text, flags=""):
    return intrinsic.generator(intrinsic.matches(text, _of(pattern, flags)))


def split(pattern, text, maxsplit=0, flags=""):
    return intrinsic.split(text, _of(pattern, flags))


def escape(text):
    return intrinsic.replace(text, intrinsic.pattern("[^A-Za-z0-9_]", ""), "\\\\\\g<0>", True)


Pattern = _Compiled
