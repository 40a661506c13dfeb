# `collections`


class OrderedDict(dict):
    def move_to_end(self, key, last=True):
        value = self.pop(key)
        if last:
            self[key] = value


class defaultdict(dict):
    def __init__(self, default_factory=None, *args, **kwargs):
        self.default_factory = default_factory
        for one in args:
            self.update(one)
        self.update(kwargs)

    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        value = self.default_factory()
        self[key] = value
        return value


class Counter(dict):
    def __init__(self, values=()):
        for value in values:
            self[value] = self.get(value, 0) + 1

    def __missing__(self, key):
        return 0

    def most_common(self, count=None):
        pairs = sorted(self.items(), key=lambda pair: -pair[1])
        return pairs if count is None else pairs[:count]

    def elements(self):
        return [key for key, count in self.items() for _ in range(count)]


class ChainMap(dict):
    def __init__(self, *maps):
        self.maps = list(maps)
        for one in reversed(list(maps)):
            self.update(one)


class deque(list):
    def __init__(self, values=(), maxlen=None):
        for value in values:
            self.append(value)

    def appendleft(self, value):
        self.insert(0, value)

    def popleft(self):
        return self.pop(0)

    def extendleft(self, values):
        for value in values:
            self.insert(0, value)

    def rotate(self, steps=1):
        for _ in range(steps):
            self.insert(0, self.pop())


class UserDict(dict):
    pass


class UserList(list):
    pass


def namedtuple(name, fields, defaults=(), rename=False, module=None):
    names = fields.replace(",", " ").split() if isinstance(fields, str) else list(fields)
    values = list(defaults)

    class Record:
        _fields = tuple(names)

        def __init__(self, *args, **kwargs):
            missing = len(names) - len(values)
            for index, field in enumerate(names):
                if index < len(args):
                    setattr(self, field, args[index])
                elif field in kwargs:
                    setattr(self, field, kwargs[field])
                elif index >= missing:
                    setattr(self, field, values[index - missing])

        def __iter__(self):
            return iter([getattr(self, field) for field in names])

        def __getitem__(self, index):
            return [getattr(self, field) for field in names][index]

        def __len__(self):
            return len(names)

        def _asdict(self):
            return {field: getattr(self, field) for field in names}

        def _replace(self, **kwargs):
            return Record(**{**self._asdict(), **kwargs})

        @classmethod
        def _make(cls, values):
            return cls(*values)

    return Record
