# `json`


class JSONDecodeError(ValueError):
    pass


def loads(text, **kwargs):
    value = intrinsic.json(text)
    if value is ...:
        raise JSONDecodeError("this is no JSON")
    return value


def load(file, **kwargs):
    return loads(file.read())


def _escaped(text):
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")


def dumps(value, **kwargs):
    kind = intrinsic.kind(value)
    if kind == "text":
        return '"' + _escaped(value) + '"'
    if kind == "number":
        return intrinsic.text(value)
    if kind == "bool":
        return "true" if value else "false"
    if kind == "null":
        return "null"
    if kind == "list" or kind == "tuple":
        return "[" + ", ".join([dumps(one) for one in value]) + "]"
    if kind == "table":
        return "{" + ", ".join([dumps(key) + ": " + dumps(one) for key, one in value.items()]) + "}"
    return intrinsic.unknown("a value as JSON")


def dump(value, file, **kwargs):
    pass
