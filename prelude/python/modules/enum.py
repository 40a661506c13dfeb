# `enum`


class auto:
    pass


class Enum:
    def __init_subclass__(cls, **kwargs):
        members = []
        number = 0
        is_text = issubclass(cls, str) or issubclass(cls, StrEnum)
        if issubclass(cls, Enum) and cls is not StrEnum and cls is not IntEnum and cls is not Flag:
            for name in intrinsic.all_names(cls):
                value = intrinsic.own(cls, name)
                if name.startswith("_") or intrinsic.kind(value) == "function":
                    continue
                if intrinsic.special(value, "__get__") is not ...:
                    continue
                if isinstance(value, auto):
                    number += 1
                    value = name.lower() if is_text else number
                elif intrinsic.kind(value) == "number":
                    number = value
                found = None
                for other in members:
                    if other._value_ == value:
                        found = other
                if found is None:
                    found = intrinsic.blank(cls)
                    found.name = name
                    found._name_ = name
                    found.value = value
                    found._value_ = value
                    init = _initialiser_of(cls)
                    if init is not None:
                        if intrinsic.kind(value) == "tuple":
                            init(found, *value)
                        else:
                            init(found, value)
                    if is_text:
                        intrinsic.define(found, "@@str", found._value_, True)
                    members.append(found)
                intrinsic.define(cls, name, found)
        intrinsic.define(cls, "__member_list__", members, True)
        intrinsic.define(cls, "__members__", {one.name: one for one in members}, True)

    def __str__(self):
        text = intrinsic.own(self, "@@str")
        if text is not ... and issubclass(intrinsic.class_of(self), StrEnum):
            return text
        return intrinsic.name(intrinsic.class_of(self)) + "." + self.name

    def __repr__(self):
        return "<" + self.__str__() + ">"


def _initialiser_of(cls):
    for base in intrinsic.order(cls):
        if base is Enum or base is str or base is int:
            return None
        found = intrinsic.own(base, "__init__")
        if found is not ...:
            return found
    return None


class StrEnum(Enum):
    pass


class IntEnum(Enum):
    pass


class Flag(Enum):
    pass


class IntFlag(Enum):
    pass


class EnumMeta:
    pass


EnumType = EnumMeta


def unique(cls):
    return cls
