from enum import Enum
NAME = "five"
PREFIX: str = "p_" + NAME.upper().lower()
class Kind(str, Enum):
    READ = "read"
TABLE = {"one": 1, **{"two": 2}}
def make(name: str, *rest, sep="_", **more) -> str:
    return f"{PREFIX}{sep}{name!s:>10}" if rest else "%s_%s" % (PREFIX, name)
NAMES = [make(n) for n in TABLE if n != "two"]
