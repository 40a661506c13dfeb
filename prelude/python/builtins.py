# The built-in classes and functions of Python.


class object:
    def __init__(self, *args, **kwargs):
        pass

    def __init_subclass__(cls, **kwargs):
        pass


class type:
    def __call_class__(cls, value, *rest):
        if rest:
            return intrinsic.make_class(value, rest[0], rest[1])
        return intrinsic.class_of(value)


class function:
    def __get__(self, instance, owner=None):
        return intrinsic.bound(self, instance)

    def __call__(self, *args, **kwargs):
        return self(*args, **kwargs)


class property:
    def __init__(self, fget=None, fset=None, fdel=None, doc=None):
        self.fget = fget
        self.fset = fset

    def __get__(self, instance, owner):
        if instance is None:
            return self
        return self.fget(instance)

    def __set__(self, instance, value):
        if self.fset is None:
            raise AttributeError("a property that cannot be set")
        self.fset(instance, value)

    def setter(self, fset):
        return property(self.fget, fset)

    def getter(self, fget):
        return property(fget, self.fset)

    def deleter(self, fdel):
        return self


class classmethod:
    def __init__(self, function):
        self.__func__ = function

    def __get__(self, instance, owner):
        return intrinsic.bound(self.__func__, owner)


class staticmethod:
    def __init__(self, function):
        self.__func__ = function

    def __get__(self, instance, owner):
        return self.__func__

    def __call__(self, *args, **kwargs):
        return self.__func__(*args, **kwargs)


class _super:
    pass


class BaseException:
    def __init__(self, *args, **kwargs):
        self.args = args

    def __str__(self):
        return str(self.args[0]) if len(self.args) == 1 else ""

    def with_traceback(self, traceback):
        return self

    def add_note(self, note):
        pass


class Exception(BaseException):
    pass


class SystemExit(BaseException):
    pass


class KeyboardInterrupt(BaseException):
    pass


class GeneratorExit(BaseException):
    pass


class ArithmeticError(Exception):
    pass


class ZeroDivisionError(ArithmeticError):
    pass


class OverflowError(ArithmeticError):
    pass


class AssertionError(Exception):
    pass


class AttributeError(Exception):
    pass


class ImportError(Exception):
    pass


class ModuleNotFoundError(ImportError):
    pass


class LookupError(Exception):
    pass


class IndexError(LookupError):
    pass


class KeyError(LookupError):
    pass


class NameError(Exception):
    pass


class UnboundLocalError(NameError):
    pass


class OSError(Exception):
    pass


IOError = OSError
EnvironmentError = OSError


class FileNotFoundError(OSError):
    pass


class FileExistsError(OSError):
    pass


class PermissionError(OSError):
    pass


class ConnectionError(OSError):
    pass


class TimeoutError(OSError):
    pass


class RuntimeError(Exception):
    pass


class NotImplementedError(RuntimeError):
    pass


class RecursionError(RuntimeError):
    pass


class StopIteration(Exception):
    def __init__(self, *args):
        self.args = args
        self.value = args[0] if args else None


class StopAsyncIteration(Exception):
    pass


class SyntaxError(Exception):
    pass


class TypeError(Exception):
    pass


class ValueError(Exception):
    pass


class UnicodeError(ValueError):
    pass


class UnicodeDecodeError(UnicodeError):
    pass


class UnicodeEncodeError(UnicodeError):
    pass


class Warning(Exception):
    pass


class UserWarning(Warning):
    pass


class DeprecationWarning(Warning):
    pass


class ExceptionGroup(Exception):
    pass


class int:
    def __call_class__(cls, value=0, base=10):
        if cls is not int:
            return intrinsic.blank_with(cls, value)
        if base != 10:
            return intrinsic.parse_int(value, base)
        number = intrinsic.number(value)
        if number != number:
            raise ValueError("this is no number")
        return intrinsic.math("trunc", number)

    def bit_length(self):
        return len(bin(self)) - 2

    def __str__(self):
        return intrinsic.text(self)


class float:
    def __call_class__(cls, value=0):
        number = intrinsic.number(value)
        if number != number:
            raise ValueError("this is no number")
        return number

    def is_integer(self):
        return self == intrinsic.math("floor", self)


class bool:
    def __call_class__(cls, value=False):
        return not not value


class complex:
    pass


class bytes:
    def __call_class__(cls, value=b"", encoding="utf-8"):
        return value

    def decode(self, encoding="utf-8"):
        return self


class str:
    def __call_class__(cls, value="", encoding=None, errors=None):
        return intrinsic.text(value)

    def upper(self):
        return intrinsic.upper(self)

    def lower(self):
        return intrinsic.lower(self)

    def casefold(self):
        return intrinsic.lower(self)

    def title(self):
        return intrinsic.title(self)

    def capitalize(self):
        return intrinsic.capitalize(self)

    def swapcase(self):
        return intrinsic.swap_case(self)

    def strip(self, characters=None):
        return intrinsic.trim(self, characters, "both")

    def lstrip(self, characters=None):
        return intrinsic.trim(self, characters, "start")

    def rstrip(self, characters=None):
        return intrinsic.trim(self, characters, "end")

    def split(self, sep=None, maxsplit=-1):
        return intrinsic.split(self, sep, maxsplit + 1) if maxsplit >= 0 else intrinsic.split(self, sep)

    def rsplit(self, sep=None, maxsplit=-1):
        pieces = intrinsic.split(self, sep)
        if maxsplit < 0 or len(pieces) <= maxsplit + 1:
            return pieces
        first = len(pieces) - maxsplit
        return [intrinsic.join(pieces[:first], sep or " ")] + pieces[first:]

    def splitlines(self, keepends=False):
        lines = intrinsic.split(self, "\n")
        return lines[:-1] if lines and lines[-1] == "" else lines

    def partition(self, separator):
        at = intrinsic.index_of(self, separator)
        if at < 0:
            return (self, "", "")
        return (self[:at], separator, self[at + len(separator) :])

    def rpartition(self, separator):
        at = intrinsic.last_index_of(self, separator)
        if at < 0:
            return ("", "", self)
        return (self[:at], separator, self[at + len(separator) :])

    def join(self, values):
        return intrinsic.join(values, self)

    def replace(self, old, new, count=-1):
        if count < 0:
            return intrinsic.replace(self, old, new, True)
        text = self
        pieces = intrinsic.split(self, old, count + 1)
        return intrinsic.join(pieces, new)

    def startswith(self, prefix, start=0):
        return intrinsic.starts_with(self[start:] if start else self, prefix)

    def endswith(self, suffix):
        return intrinsic.ends_with(self, suffix)

    def removeprefix(self, prefix):
        return self[len(prefix) :] if prefix and intrinsic.starts_with(self, prefix) else self

    def removesuffix(self, suffix):
        return self[: len(self) - len(suffix)] if suffix and intrinsic.ends_with(self, suffix) else self

    def find(self, part, start=0):
        return intrinsic.index_of(self, part, start)

    def rfind(self, part):
        return intrinsic.last_index_of(self, part)

    def rindex(self, part):
        at = intrinsic.last_index_of(self, part)
        if at < 0:
            raise ValueError("no such part")
        return at

    def decode(self, encoding="utf-8", errors=None):
        return self

    def index(self, part, start=0):
        at = intrinsic.index_of(self, part, start)
        if at < 0:
            raise ValueError("no such part")
        return at

    def count(self, part):
        return intrinsic.count(self, part)

    def zfill(self, width):
        return intrinsic.pad(self, width, "0", True)

    def ljust(self, width, fillchar=" "):
        return intrinsic.pad(self, width, fillchar, False)

    def rjust(self, width, fillchar=" "):
        return intrinsic.pad(self, width, fillchar, True)

    def center(self, width, fillchar=" "):
        return intrinsic.with_format(self, fillchar + "^" + intrinsic.text(width))

    def format(self, *args, **kwargs):
        return _formatted(self, args, kwargs)

    def format_map(self, mapping):
        return _formatted(self, (), mapping)

    def encode(self, encoding="utf-8", errors=None):
        return self

    def expandtabs(self, size=8):
        return intrinsic.replace(self, "\t", " " * size, True)

    def isdigit(self):
        return intrinsic.is_text_of(self, "digit")

    def isnumeric(self):
        return intrinsic.is_text_of(self, "digit")

    def isdecimal(self):
        return intrinsic.is_text_of(self, "digit")

    def isalpha(self):
        return intrinsic.is_text_of(self, "alpha")

    def isalnum(self):
        return intrinsic.is_text_of(self, "alnum")

    def isspace(self):
        return intrinsic.is_text_of(self, "space")

    def isupper(self):
        return intrinsic.is_text_of(self, "upper")

    def islower(self):
        return intrinsic.is_text_of(self, "lower")

    def isidentifier(self):
        return intrinsic.is_text_of(self, "identifier")

    def translate(self, table):
        text = ""
        for letter in self:
            code = ord(letter)
            if code in table:
                new = table[code]
                if new is not None:
                    text += chr(new) if intrinsic.kind(new) == "number" else new
            else:
                text += letter
        return text

    @staticmethod
    def maketrans(first, second=None, third=None):
        table = {}
        if second is None:
            for key, value in first.items():
                table[ord(key) if intrinsic.kind(key) == "text" else key] = value
            return table
        for index in range(len(first)):
            table[ord(first[index])] = ord(second[index])
        if third is not None:
            for letter in third:
                table[ord(letter)] = None
        return table


def _formatted(template, args, kwargs):
    pieces = []
    rest = template
    number = 0
    while True:
        start = intrinsic.index_of(rest, "{")
        stop = intrinsic.index_of(rest, "}")
        if start < 0 and stop < 0:
            break
        if stop >= 0 and (start < 0 or stop < start):
            pieces.append(rest[: stop + 1])
            rest = rest[stop + 2 :]
            continue
        if rest[start + 1 : start + 2] == "{":
            pieces.append(rest[: start + 1])
            rest = rest[start + 2 :]
            continue
        pieces.append(rest[:start])
        end = intrinsic.index_of(rest, "}", start)
        field = rest[start + 1 : end]
        rest = rest[end + 1 :]
        name, colon, format = field.partition(":")
        name, mark, conversion = name.partition("!")
        head = name
        for stop in (".", "["):
            at = intrinsic.index_of(head, stop)
            if at >= 0:
                head = head[:at]
        if head == "":
            value = args[number]
            number += 1
        elif head.isdigit():
            value = args[int(head)]
        else:
            value = kwargs[head]
        path = name[len(head) :]
        while path:
            if path[0] == ".":
                path = path[1:]
                at = len(path)
                for stop in (".", "["):
                    found = intrinsic.index_of(path, stop)
                    if found >= 0 and found < at:
                        at = found
                value = getattr(value, path[:at])
                path = path[at:]
            else:
                at = intrinsic.index_of(path, "]")
                key = path[1:at]
                value = value[int(key)] if key.isdigit() else value[key]
                path = path[at + 1 :]
        if conversion == "r":
            value = repr(value)
        pieces.append(intrinsic.with_format(value, format) if format else intrinsic.text(value))
    pieces.append(rest)
    return intrinsic.concat(*pieces)


class list:
    def __call_class__(cls, values=()):
        made = intrinsic.list(values)
        return made if cls is list else intrinsic.blank_with(cls, made)

    def append(self, value):
        intrinsic.push(self, value)

    def extend(self, values):
        for value in values:
            intrinsic.push(self, value)

    def insert(self, index, value):
        intrinsic.insert(self, index, value)

    def pop(self, index=-1):
        if len(self) == 0:
            raise IndexError("pop from an empty list")
        return intrinsic.remove_at(self, index)

    def remove(self, value):
        for index, other in enumerate(self):
            if other == value:
                intrinsic.remove_at(self, index)
                return
        raise ValueError("no such element")

    def clear(self):
        intrinsic.clear(self)

    def copy(self):
        return intrinsic.list(self)

    def index(self, value):
        for index, other in enumerate(self):
            if other == value:
                return index
        raise ValueError("no such element")

    def count(self, value):
        count = 0
        for other in self:
            if other == value:
                count += 1
        return count

    def reverse(self):
        intrinsic.replace_all(self, intrinsic.reversed(self))

    def sort(self, key=None, reverse=False):
        intrinsic.replace_all(self, sorted(self, key=key, reverse=reverse))


class tuple:
    def __call_class__(cls, values=()):
        return intrinsic.tuple(values)

    def index(self, value):
        for index, other in enumerate(self):
            if other == value:
                return index
        raise ValueError("no such element")

    def count(self, value):
        count = 0
        for other in self:
            if other == value:
                count += 1
        return count


class dict:
    def __call_class__(cls, *args, **kwargs):
        if cls is dict:
            made = intrinsic.table(args[0]) if args else intrinsic.table({})
        else:
            made = intrinsic.blank(cls)
            if args:
                intrinsic.update(made, args[0])
            found = _initialiser(cls)
            if found is not None:
                intrinsic.clear(made)
                found(made, *args, **kwargs)
                return made
        intrinsic.update(made, kwargs)
        return made

    def __init__(self, *args, **kwargs):
        if args:
            intrinsic.update(self, args[0])
        intrinsic.update(self, kwargs)

    def get(self, key, default=None):
        if intrinsic.has(self, key):
            return intrinsic.get(self, key)
        return default

    def keys(self):
        return [pair[0] for pair in intrinsic.entries(self)]

    def values(self):
        return [pair[1] for pair in intrinsic.entries(self)]

    def items(self):
        return intrinsic.entries(self)

    def pop(self, key, *default):
        if intrinsic.has(self, key):
            value = intrinsic.get(self, key)
            intrinsic.remove(self, key)
            return value
        if default:
            return default[0]
        raise KeyError(key)

    def popitem(self):
        pairs = intrinsic.entries(self)
        pair = pairs[len(pairs) - 1]
        intrinsic.remove(self, pair[0])
        return pair

    def setdefault(self, key, default=None):
        if not intrinsic.has(self, key):
            intrinsic.put(self, key, default)
        return intrinsic.get(self, key)

    def update(self, *others, **kwargs):
        for other in others:
            intrinsic.update(self, other)
        intrinsic.update(self, kwargs)

    def clear(self):
        intrinsic.clear(self)

    def copy(self):
        return intrinsic.table(self)

    @staticmethod
    def fromkeys(keys, value=None):
        table = {}
        for key in keys:
            table[key] = value
        return table


def _initialiser(cls):
    for base in intrinsic.order(cls):
        if base is dict or base is list:
            return None
        found = intrinsic.own(base, "__init__")
        if found is not ...:
            return found
    return None


class set:
    def __call_class__(cls, values=()):
        return intrinsic.set(values)

    def add(self, value):
        intrinsic.add(self, value)

    def discard(self, value):
        intrinsic.remove(self, value)

    def remove(self, value):
        intrinsic.remove(self, value)

    def update(self, *others):
        for other in others:
            for value in other:
                intrinsic.add(self, value)

    def union(self, *others):
        made = intrinsic.set(self)
        for other in others:
            for value in other:
                intrinsic.add(made, value)
        return made

    def intersection(self, *others):
        made = intrinsic.set(self)
        for other in others:
            made = made & intrinsic.set(other)
        return made

    def difference(self, *others):
        made = intrinsic.set(self)
        for other in others:
            made = made - intrinsic.set(other)
        return made

    def symmetric_difference(self, other):
        return self ^ intrinsic.set(other)

    def issubset(self, other):
        return all(value in other for value in self)

    def issuperset(self, other):
        return all(value in self for value in other)

    def isdisjoint(self, other):
        return not any(value in other for value in self)

    def clear(self):
        intrinsic.clear(self)

    def copy(self):
        return intrinsic.set(self)

    def pop(self):
        for value in self:
            intrinsic.remove(self, value)
            return value


class frozenset:
    def __call_class__(cls, values=()):
        return intrinsic.set(values)


class generator:
    def __next__(self):
        return next(self)

    def __anext__(self):
        return next(self)

    def send(self, value):
        return next(self)

    def close(self):
        pass


class Pattern:
    pass


class slice:
    def __init__(self, *bounds):
        self.bounds = bounds


class memoryview:
    pass


class range:
    def __call_class__(cls, *bounds):
        start, stop, step = 0, 0, 1
        if len(bounds) == 1:
            stop = bounds[0]
        elif len(bounds) == 2:
            start, stop = bounds
        else:
            start, stop, step = bounds
        values = []
        while start < stop if step > 0 else start > stop:
            intrinsic.push(values, start)
            start += step
        return values


def len(value):
    method = intrinsic.special(value, "__len__")
    return method() if method is not ... else intrinsic.length(value)


def repr(value):
    return intrinsic.represented(value)


def ascii(value):
    return intrinsic.represented(value)


def format(value, spec=""):
    return intrinsic.with_format(value, spec) if spec else intrinsic.text(value)


def enumerate(iterable, start=0):
    pairs = []
    for value in iterable:
        intrinsic.push(pairs, (start, value))
        start += 1
    return intrinsic.generator(pairs)


def zip(*lists, strict=False):
    columns = [intrinsic.list(values) for values in lists]
    rows = []
    if not columns:
        return intrinsic.generator(rows)
    count = min([len(column) for column in columns])
    for index in range(count):
        intrinsic.push(rows, tuple([column[index] for column in columns]))
    return intrinsic.generator(rows)


def map(change, *lists):
    made = []
    if len(lists) == 1:
        for value in lists[0]:
            intrinsic.push(made, change(value))
    else:
        for row in zip(*lists):
            intrinsic.push(made, change(*row))
    return intrinsic.generator(made)


def filter(keeps, values):
    made = []
    for value in values:
        if value if keeps is None else keeps(value):
            intrinsic.push(made, value)
    return intrinsic.generator(made)


def reversed(values):
    return intrinsic.generator(intrinsic.reversed(values))


def sorted(values, key=None, reverse=False):
    pairs = []
    for value in values:
        intrinsic.push(pairs, (value if key is None else key(value), value))
    if reverse:
        pairs = intrinsic.reversed(pairs)
    pairs = intrinsic.sorted(pairs, _compare)
    if reverse:
        pairs = intrinsic.reversed(pairs)
    return [pair[1] for pair in pairs]


def _compare(a, b):
    if a[0] < b[0]:
        return -1
    if b[0] < a[0]:
        return 1
    return 0


def any(values):
    for value in values:
        if value:
            return True
    return False


def all(values):
    for value in values:
        if not value:
            return False
    return True


def sum(iterable, start=0):
    total = start
    for value in iterable:
        total = total + value
    return total


def _extreme(values, key, default, better):
    if len(values) == 1:
        values = values[0]
    found = False
    best = default
    for value in values:
        rank = value if key is None else key(value)
        if not found or better(rank, best_rank):
            best = value
            best_rank = rank
            found = True
    return best


def min(*values, key=None, default=None):
    return _extreme(values, key, default, lambda a, b: a < b)


def max(*values, key=None, default=None):
    return _extreme(values, key, default, lambda a, b: a > b)


def abs(value):
    return intrinsic.math("abs", value)


def round(value, digits=None):
    if digits is None:
        return intrinsic.math("round_even", value)
    scale = 10**digits
    return intrinsic.math("round_even", value * scale) / scale


def divmod(a, b):
    return (a // b, a % b)


def pow(a, b, mod=None):
    return a**b if mod is None else a**b % mod


def ord(letter):
    return intrinsic.code_point(letter, 0)


def chr(code):
    return intrinsic.from_code(code)


def bin(number):
    return "0b" + intrinsic.number_text(number, 2)


def hex(number):
    return "0x" + intrinsic.number_text(number, 16)


def oct(number):
    return "0o" + intrinsic.number_text(number, 8)


def iter(value, *sentinel):
    if intrinsic.kind(value) == "generator":
        return value
    return intrinsic.generator(value)


def next(iterator, *default):
    method = intrinsic.special(iterator, "__next__")
    if method is not ... and intrinsic.kind(iterator) != "generator":
        try:
            return method()
        except StopIteration:
            if default:
                return default[0]
            raise
    found = intrinsic.next(iterator)
    if found is not ...:
        return found[0]
    if default:
        return default[0]
    raise StopIteration()


aiter = iter
anext = next


def getattr(value, name, *default):
    if not default:
        return intrinsic.member(value, name)
    try:
        return intrinsic.member(value, name)
    except AttributeError:
        return default[0]


def setattr(value, name, new):
    intrinsic.set_member(value, name, new)


def delattr(value, name):
    intrinsic.delete_member(value, name)


def hasattr(value, name):
    kind = intrinsic.kind(value)
    if kind == "outside" or kind == "unknown":
        return intrinsic.unknown("whether something has an attribute")
    try:
        intrinsic.member(value, name)
        return True
    except AttributeError:
        return False


def isinstance(value, classes):
    return intrinsic.instance_of(value, classes)


def issubclass(cls, classes):
    if intrinsic.kind(classes) == "tuple":
        return any(issubclass(cls, one) for one in classes)
    if intrinsic.kind(cls) != "class":
        raise TypeError("this is no class")
    return any(base is classes for base in intrinsic.order(cls))


def callable(value):
    kind = intrinsic.kind(value)
    if kind == "function" or kind == "class":
        return True
    if kind == "outside" or kind == "unknown" or kind == "choice":
        return intrinsic.unknown("whether something can be called")
    return intrinsic.special(value, "__call__") is not ...


def vars(value):
    return intrinsic.dict_of(value)


def dir(value):
    return sorted(intrinsic.names_of(value))


def id(value):
    return intrinsic.unknown("the identity of an object")


def hash(value):
    return intrinsic.unknown("a hash")


def print(*values, **kwargs):
    pass


def input(prompt=""):
    return intrinsic.unknown("the input")


def open(file, mode="r", *args, **kwargs):
    return _File(file)


class _File:
    def __init__(self, path):
        self.name = path

    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass

    def read(self, size=-1):
        return intrinsic.read_file(intrinsic.text(self.name))

    def readlines(self):
        return self.read().splitlines()

    def __iter__(self):
        return iter(self.read().splitlines())

    def write(self, text):
        pass

    def close(self):
        pass


def __import__(name, *args, **kwargs):
    return intrinsic.import_name(name, "")


class _Globals:
    def __getitem__(self, name):
        if name not in self:
            raise KeyError(name)
        return intrinsic.member(self.module, name)

    def __setitem__(self, name, value):
        intrinsic.set_member(self.module, name, value)

    def __contains__(self, name):
        return name in intrinsic.names_of(self.module)

    def __iter__(self):
        return iter(intrinsic.names_of(self.module))

    def get(self, name, default=None):
        return intrinsic.member(self.module, name) if name in self else default

    def keys(self):
        return intrinsic.names_of(self.module)

    def values(self):
        return [intrinsic.member(self.module, name) for name in self.keys()]

    def items(self):
        return [(name, intrinsic.member(self.module, name)) for name in self.keys()]

    def copy(self):
        return dict(self.items())

    def update(self, values):
        for name, value in values.items():
            self[name] = value

    def setdefault(self, name, value=None):
        if name not in self:
            self[name] = value
        return self[name]


super = intrinsic.super
globals = intrinsic.globals
locals = intrinsic.locals


def compile(*args):
    return intrinsic.unknown("compiled code")


def eval(*args):
    return intrinsic.unknown("code in a text")


def exec(*args):
    return intrinsic.unknown("code in a text")


def exit(*args):
    raise SystemExit()


quit = exit
NotImplemented = intrinsic.unknown("`NotImplemented`")
__debug__ = True


class Match:
    def group(self, *which):
        if len(which) > 1:
            return tuple([self.group(one) for one in which])
        one = which[0] if which else 0
        if intrinsic.kind(one) == "text":
            return intrinsic.member(self._named, one)
        return self._groups[one]

    def groups(self, default=None):
        return tuple(self._groups[1:])

    def groupdict(self):
        return intrinsic.dict_of(self._named)

    def __getitem__(self, which):
        return self.group(which)

    def start(self, which=0):
        return self._start

    def end(self, which=0):
        return self._end

    def span(self, which=0):
        return (self._start, self._end)

    # Of alternatives, each in a group: the one that matched.
    @property
    def lastindex(self):
        found = [at for at in range(1, len(self._groups)) if self._groups[at] is not None]
        return found[-1] if found else None

    @property
    def lastgroup(self):
        found = [name for name, text in self.groupdict().items() if text is not None]
        return found[-1] if found else None
