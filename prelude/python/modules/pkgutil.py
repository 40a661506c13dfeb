# `pkgutil`: the modules of a folder.


class ModuleInfo:
    def __init__(self, name, ispkg):
        self.module_finder = None
        self.name = name
        self.ispkg = ispkg

    def __iter__(self):
        return iter([self.module_finder, self.name, self.ispkg])

    def __getitem__(self, index):
        return [self.module_finder, self.name, self.ispkg][index]


def iter_modules(path=None, prefix=""):
    found = []
    for folder in [path] if intrinsic.kind(path) == "text" else path:
        for name in sorted(intrinsic.read_folder(str(folder))):
            if name.endswith(".py") and name != "__init__.py":
                found.append(ModuleInfo(prefix + name[:-3], False))
            elif intrinsic.path_kind(intrinsic.join_paths(str(folder), name, "__init__.py")) == "file":
                found.append(ModuleInfo(prefix + name, True))
    return found


def walk_packages(path=None, prefix="", onerror=None):
    found = []
    for info in iter_modules(path, prefix):
        found.append(info)
        if info.ispkg:
            for folder in [path] if intrinsic.kind(path) == "text" else path:
                inner = intrinsic.join_paths(str(folder), info.name.removeprefix(prefix))
                found.extend(walk_packages([inner], info.name + "."))
    return found
