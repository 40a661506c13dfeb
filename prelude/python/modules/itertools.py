# `itertools`


class chain:
    def __call_class__(cls, *lists):
        values = []
        for one in lists:
            for value in one:
                intrinsic.push(values, value)
        return intrinsic.generator(values)

    @staticmethod
    def from_iterable(lists):
        values = []
        for one in lists:
            for value in one:
                intrinsic.push(values, value)
        return intrinsic.generator(values)


def product(*lists, repeat=1):
    columns = [list(one) for one in lists] * repeat
    rows = [()]
    for column in columns:
        rows = [row + (value,) for row in rows for value in column]
    return intrinsic.generator(rows)


def count(start=0, step=1):
    return intrinsic.generator([start + step * index for index in range(1000)])


def repeat(value, times=1000):
    return intrinsic.generator([value for _ in range(times)])


def cycle(values):
    values = list(values)
    return intrinsic.generator([values[index % len(values)] for index in range(1000)])


def islice(values, *bounds):
    if len(bounds) == 1:
        return intrinsic.generator(list(values)[: bounds[0]])
    if len(bounds) == 2:
        return intrinsic.generator(list(values)[bounds[0] : bounds[1]])
    return intrinsic.generator(list(values)[bounds[0] : bounds[1] : bounds[2]])


def accumulate(values, step=None, initial=None):
    made = []
    total = initial
    if initial is not None:
        made.append(initial)
    for value in values:
        total = value if total is None else (total + value if step is None else step(total, value))
        made.append(total)
    return intrinsic.generator(made)


def starmap(change, rows):
    return intrinsic.generator([change(*row) for row in rows])


def takewhile(holds, values):
    made = []
    for value in values:
        if not holds(value):
            break
        made.append(value)
    return intrinsic.generator(made)


def dropwhile(holds, values):
    made = []
    dropping = True
    for value in values:
        if dropping and holds(value):
            continue
        dropping = False
        made.append(value)
    return intrinsic.generator(made)


def filterfalse(holds, values):
    return intrinsic.generator([value for value in values if not holds(value)])


def compress(values, selectors):
    return intrinsic.generator([value for value, selected in zip(values, selectors) if selected])


def pairwise(values):
    values = list(values)
    return intrinsic.generator([(values[index], values[index + 1]) for index in range(len(values) - 1)])


def batched(values, size):
    values = list(values)
    return intrinsic.generator([tuple(values[index : index + size]) for index in range(0, len(values), size)])


def zip_longest(*lists, fillvalue=None):
    columns = [list(one) for one in lists]
    count = max([len(column) for column in columns]) if columns else 0
    rows = []
    for index in range(count):
        rows.append(tuple([column[index] if index < len(column) else fillvalue for column in columns]))
    return intrinsic.generator(rows)


def groupby(values, key=None):
    groups = []
    for value in values:
        rank = value if key is None else key(value)
        if groups and groups[len(groups) - 1][0] == rank:
            groups[len(groups) - 1][1].append(value)
        else:
            groups.append((rank, [value]))
    return intrinsic.generator(groups)


def combinations(values, size):
    values = list(values)
    if size == 0:
        return intrinsic.generator([()])
    made = []
    for index in range(len(values)):
        for rest in combinations(values[index + 1 :], size - 1):
            made.append((values[index],) + rest)
    return intrinsic.generator(made)


def permutations(values, size=None):
    values = list(values)
    size = len(values) if size is None else size
    if size == 0:
        return intrinsic.generator([()])
    made = []
    for index in range(len(values)):
        for rest in permutations(values[:index] + values[index + 1 :], size - 1):
            made.append((values[index],) + rest)
    return intrinsic.generator(made)


def tee(values, count=2):
    values = list(values)
    return tuple([intrinsic.generator(values) for _ in range(count)])
