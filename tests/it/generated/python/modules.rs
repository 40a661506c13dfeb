//! Files: imports of every kind, packages, and data files.

use super::{Form, Py, Value, class, def};

pub(super) const FORMS: &[Form] = &[
    ("from import", Py::by_from_import),
    ("from import as", Py::by_import_as),
    ("module import", Py::by_module_import),
    ("star import", Py::by_star_import),
    ("imported function", Py::by_imported_function),
    ("imported class", Py::by_imported_class),
    ("package re-export", Py::by_package),
    ("importlib.import_module", Py::by_import_module),
    ("import in function", Py::by_late_import),
    ("import fallback", Py::by_import_fallback),
    ("module attribute", Py::by_module_attribute),
    ("circular import", Py::by_circle),
    ("registry filled by modules", Py::by_module_registry),
    ("JSON file", Py::by_json_file),
    ("text file", Py::by_text_file),
];

impl Py {
    /// Whether so many more files may be added.
    pub(super) fn has_room(&self, count: usize) -> bool {
        self.core.modules.len() + count <= self.max_modules
    }

    pub(super) fn new_module(&mut self, stem: &str) -> usize {
        let folder = self.pick(&["", "", "", "lib/", "features/"]);
        self.new_module_in(folder, stem)
    }

    /// A new module in a folder, which becomes a package.
    pub(super) fn new_module_in(&mut self, folder: &str, stem: &str) -> usize {
        let root = self.package.map(|package| format!("{package}/")).unwrap_or_default();
        let mut path = format!("{root}{folder}{stem}.py");
        let mut number = 2;
        while self.core.modules.iter().any(|module| module.path == path) {
            path = format!("{root}{folder}{stem}{number}.py");
            number += 1;
        }
        if !folder.is_empty() {
            self.add_package(&format!("{root}{folder}__init__.py"));
        }
        self.core.add_module(path)
    }

    /// Adds an empty `__init__.py` unless there is one.
    fn add_package(&mut self, path: &str) {
        let is_there = self.core.data.iter().any(|(data, _)| data == path)
            || self.core.modules.iter().any(|module| module.path == path);
        if !is_there {
            self.core.data.push((path.to_string(), String::new()));
        }
    }

    /// A module that the present one may import without a circle.
    fn importable(&mut self) -> Option<usize> {
        let here = self.core.module();
        let later = here + 1..self.core.modules.len();
        let later: Vec<usize> = later.filter(|module| !self.core.modules[*module].is_closed).collect();
        if self.has_room(1) && (later.is_empty() || self.chance(40)) {
            let stem = self.pick(&["names", "constants", "util", "helpers", "shared", "settings_mod", "catalog"]);
            return Some(self.new_module(stem));
        }
        if later.is_empty() { None } else { Some(*self.core.random.pick(&later)) }
    }

    /// Writes at the end of another module.
    pub(super) fn inside<R>(&mut self, module: usize, write: impl FnOnce(&mut Py) -> R) -> R {
        self.core.enter(module, false);
        let result = write(self);
        self.core.leave();
        result
    }

    /// The full name of a module.
    pub(super) fn dotted(&self, module: usize) -> String {
        let path = &self.core.modules[module].path;
        path.trim_end_matches(".py").trim_end_matches("/__init__").replace('/', ".")
    }

    /// The name of a module as an import statement of the present one may give it.
    pub(super) fn origin(&mut self, module: usize) -> String {
        let full = self.dotted(module);
        if self.package.is_none() || self.chance(25) {
            return full;
        }
        let here = self.core.modules[self.core.module()].path.clone();
        let mut from: Vec<&str> = here.split('/').collect();
        from.pop();
        let mut to: Vec<&str> = full.split('.').collect();
        while !from.is_empty() && to.len() > 1 && from[0] == to[0] {
            from.remove(0);
            to.remove(0);
        }
        format!("{}{}", ".".repeat(from.len() + 1), to.join("."))
    }

    /// A name that no module exports yet.
    pub(super) fn exported_name(&mut self, bases: &[&str]) -> String {
        loop {
            let name = self.fresh(bases);
            if !self.core.modules.iter().any(|module| module.exported.iter().any(|(_, taken)| *taken == name)) {
                self.core.exported_inline(&name);
                return name;
            }
        }
    }

    fn export_value(&mut self, value: &Value, depth: u32) -> String {
        let text = self.value(value, depth);
        let name = self.exported_name(&["NAMES", "PREFIX", "TOOLS", "DEFAULTS", "shared_value", "BASE"]);
        self.emit(format!("{name} = {text}"));
        name
    }

    /// Imports a name from a module and returns the local expression.
    pub(super) fn import(&mut self, module: usize, exported: &str, how: usize) -> String {
        let here = self.core.module();
        let path = self.core.modules[module].path.clone();
        let mut known = self.core.modules[here].imported.iter();
        if let Some((_, _, local)) = known.find(|(from, name, _)| *from == path && name == exported) {
            return local.clone();
        }
        let origin = self.origin(module);
        let local = match how % 4 {
            0 => {
                let local = self.core.fresh(exported);
                let clause = if local == exported { local.clone() } else { format!("{exported} as {local}") };
                self.import_line(format!("from {origin} import {clause}"));
                local
            }
            1 => {
                let local = self.fresh(&["imported", "theirs", "other_value"]);
                self.import_line(format!("from {origin} import {exported} as {local}"));
                local
            }
            _ => format!("{}.{exported}", self.import_module(module)),
        };
        self.core.modules[here].imported.push((path, exported.to_string(), local.clone()));
        local
    }

    /// Imports a module and returns the expression for it.
    fn import_module(&mut self, module: usize) -> String {
        let (full, origin) = (self.dotted(module), self.origin(module));
        let stem = full.rsplit('.').next().unwrap_or(&full).to_string();
        let local = self.core.fresh(&stem);
        if origin.starts_with('.') || full.contains('.') && self.chance(60) {
            let parent = origin.strip_suffix(&stem).unwrap_or(".").to_string();
            let parent =
                if parent.trim_matches('.').is_empty() { parent } else { parent.trim_end_matches('.').to_string() };
            let clause = if local == stem { stem } else { format!("{stem} as {local}") };
            self.import_line(format!("from {parent} import {clause}"));
            return local;
        }
        if full.contains('.') || local != stem || self.chance(40) {
            let local = if local == stem { self.fresh(&["mod", "ns", "source_mod"]) } else { local };
            self.import_line(format!("import {full} as {local}"));
            return local;
        }
        self.import_line(format!("import {full}"));
        local
    }

    /// A statement that imports a module for what happens in it.
    pub(super) fn import_for_effect(&mut self, module: usize) -> String {
        let (origin, local) = (self.origin(module), self.core.fresh("_loaded"));
        match origin.rsplit_once('.') {
            Some((parent, stem)) if origin.starts_with('.') => {
                let dots = if parent.trim_matches('.').is_empty() { "." } else { "" };
                format!("from {parent}{dots} import {stem} as {local}  # noqa: F401")
            }
            _ => format!("import {origin} as {local}"),
        }
    }

    fn by_from_import(&mut self, value: &Value, depth: u32) -> Option<String> {
        let module = self.importable()?;
        let name = self.inside(module, |py| py.export_value(value, depth));
        Some(self.import(module, &name, 0))
    }

    fn by_import_as(&mut self, value: &Value, depth: u32) -> Option<String> {
        let module = self.importable()?;
        let name = self.inside(module, |py| py.export_value(value, depth));
        Some(self.import(module, &name, 1))
    }

    fn by_module_import(&mut self, value: &Value, depth: u32) -> Option<String> {
        let module = self.importable()?;
        let name = self.inside(module, |py| py.export_value(value, depth));
        Some(self.import(module, &name, 2))
    }

    fn by_star_import(&mut self, value: &Value, depth: u32) -> Option<String> {
        if !self.has_room(1) {
            return None;
        }
        let module = self.new_module("starred");
        let name = self.inside(module, |py| {
            let text = py.value(value, depth);
            let name = py.exported_name(&["STAR_VALUE", "STARRED"]);
            py.emit(format!("{name} = {text}\n__all__ = [\"{name}\"]"));
            name
        });
        self.core.modules[module].is_closed = true;
        if self.core.fresh(&name) != name {
            return Some(self.import(module, &name, 0));
        }
        let origin = self.origin(module);
        self.import_line(format!("from {origin} import *"));
        Some(name)
    }

    fn by_imported_function(&mut self, value: &Value, depth: u32) -> Option<String> {
        let module = self.importable()?;
        let name = self.inside(module, |py| {
            let name = py.exported_name(&["get_name", "build_tools", "make_value", "load_all"]);
            let suite = py.returning(false, |py| py.value(value, depth));
            py.emit(def(&name, "", &suite));
            name
        });
        let how = self.below(4);
        Some(format!("{}()", self.import(module, &name, how)))
    }

    fn by_imported_class(&mut self, value: &Value, depth: u32) -> Option<String> {
        let module = self.importable()?;
        let name = self.inside(module, |py| {
            let text = py.still(value, depth);
            let name = py.exported_name(&["Names", "Provider", "BaseTool", "Catalog"]);
            let read = def("read", "self", "    return type(self).current");
            py.emit(class(&name, "", &[format!("current = {text}"), read]));
            name
        });
        let base = self.import(module, &name, 0);
        Some(match self.below(3) {
            0 => format!("{base}.current"),
            1 => format!("{base}().read()"),
            _ => {
                let own = self.fresh(&["Own", "Derived", "Local"]);
                self.emit(class(&own, &base, &[]));
                format!("{own}().read()")
            }
        })
    }

    fn by_package(&mut self, value: &Value, depth: u32) -> Option<String> {
        if !self.has_room(2) {
            return None;
        }
        let root = self.package.map(|package| format!("{package}/")).unwrap_or_default();
        let folder = self.pick(&["api", "public", "catalog_pkg"]);
        let path = format!("{root}{folder}/__init__.py");
        if self.core.modules.iter().any(|module| module.path == path)
            || self.core.data.iter().any(|(data, _)| *data == path)
        {
            return None;
        }
        let package = self.core.add_module(path);
        let leaf = self.core.add_module(format!("{root}{folder}/leaf.py"));
        self.core.modules[package].is_closed = true;
        self.core.modules[leaf].is_closed = true;
        let name = self.inside(leaf, |py| py.export_value(value, depth));
        let exported = self.inside(package, |py| match py.below(4) {
            0 => {
                py.emit(format!("from .leaf import {name}"));
                name.clone()
            }
            1 => {
                let renamed = py.exported_name(&["AGAIN", "public_value"]);
                py.emit(format!("from .leaf import {name} as {renamed}"));
                renamed
            }
            2 if !name.starts_with('_') => {
                py.emit("from .leaf import *");
                name.clone()
            }
            _ => {
                let renamed = py.exported_name(&["AGAIN", "public_value"]);
                py.emit(format!("from . import leaf\n\n{renamed} = leaf.{name}"));
                renamed
            }
        });
        let how = self.below(3);
        Some(self.import(package, &exported, how))
    }

    fn by_import_module(&mut self, value: &Value, depth: u32) -> Option<String> {
        let module = self.importable()?;
        let name = self.inside(module, |py| py.export_value(value, depth));
        let (function, full) = (self.std("importlib", "import_module"), self.dotted(module));
        let full = self.text(&full, depth.min(1));
        Some(match self.below(3) {
            0 => format!("{function}({full}).{name}"),
            1 => format!("getattr({function}({full}), \"{name}\")"),
            _ => {
                let local = self.fresh(&["loaded", "module"]);
                self.emit(format!("{local} = {function}({full})"));
                format!("{local}.{name}")
            }
        })
    }

    fn by_late_import(&mut self, value: &Value, depth: u32) -> Option<String> {
        let module = self.importable()?;
        let name = self.inside(module, |py| py.export_value(value, depth));
        let (function, origin) = (self.fresh(&["load_late", "on_demand"]), self.origin(module));
        self.emit(def(&function, "", &format!("    from {origin} import {name}\n\n    return {name}")));
        Some(format!("{function}()"))
    }

    fn by_import_fallback(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.name_for(value), self.value(value, depth));
        let caught = self.pick(&["ImportError", "ModuleNotFoundError"]);
        self.emit(format!("try:\n    from missing_package import {name}\nexcept {caught}:\n    {name} = {text}"));
        Some(name)
    }

    fn by_module_attribute(&mut self, value: &Value, depth: u32) -> Option<String> {
        let module = self.importable()?;
        let name = self.inside(module, |py| py.export_value(value, depth));
        let space = self.import_module(module);
        Some(match self.below(3) {
            0 => format!("getattr({space}, \"{name}\")"),
            1 => format!("vars({space})[\"{name}\"]"),
            _ => format!("{space}.__dict__.get(\"{name}\")"),
        })
    }

    fn by_circle(&mut self, value: &Value, depth: u32) -> Option<String> {
        if !self.has_room(2) {
            return None;
        }
        let (first, second) = (self.new_module_in("", "alpha"), self.new_module_in("", "omega"));
        self.core.modules[first].is_closed = true;
        self.core.modules[second].is_closed = true;
        let (kept, read, helper) = (format!("KEPT_{first}"), format!("read_{first}"), format!("helper_{second}"));
        let (to_second, to_first) = (self.dotted(second), self.dotted(first));
        let is_late = self.chance(50);
        self.inside(first, |py| {
            for name in [&kept, &read, &helper] {
                let _ = py.core.fresh(name);
            }
            let text = py.value(value, depth);
            py.emit(format!("{kept} = {text}\n\nfrom {to_second} import {helper}\n"));
            py.emit(def(&read, "", &format!("    return {helper}()")));
        });
        self.inside(second, |py| {
            if is_late {
                py.emit(def(&helper, "", &format!("    from {to_first} import {kept}\n\n    return {kept}")));
            } else {
                py.emit(format!(
                    "from {to_first} import {kept}\n\n{}",
                    def(&helper, "", &format!("    return {kept}"))
                ));
            }
        });
        Some(format!("{}()", self.import(first, &read, 0)))
    }

    pub(super) fn by_module_registry(&mut self, value: &Value, depth: u32) -> Option<String> {
        let Value::List(elements) = value else { return None };
        if !self.has_room(2) || elements.is_empty() {
            return None;
        }
        let (user, registry) = (self.new_module("extras"), self.new_module("registry"));
        let (list, add) = self.inside(registry, |py| {
            let (list, add) = (py.exported_name(&["registry", "collected"]), py.exported_name(&["register", "define"]));
            let is_list = py.chance(50);
            py.emit(match is_list {
                true => {
                    format!("{list} = []\n{}", def(&add, "item", &format!("    {list}.append(item)\n    return item")))
                }
                false => format!("{list} = {{}}\n{}", def(&add, "item", &format!("    {list}[len({list})] = item"))),
            });
            (list, add)
        });
        self.inside(user, |py| {
            let how = py.below(3);
            let add = py.import(registry, &add, how);
            for element in elements {
                let text = py.value(element, depth);
                py.emit(format!("{add}({text})"));
            }
        });
        let list = self.import(registry, &list, 0);
        let line = self.import_for_effect(user);
        self.import_line(line);
        let read = self.fresh(&["read_registry", "all_registered"]);
        self.emit(def(&read, "kept", "    return list(kept.values()) if isinstance(kept, dict) else list(kept)"));
        Some(format!("{read}({list})"))
    }

    /// An expression for the text of a file beside the present module.
    fn text_of_file(&mut self, name: &str) -> String {
        match self.below(6) {
            0 => format!("({}(__file__).parent / \"{name}\").read_text()", self.std("pathlib", "Path")),
            1 => format!(
                "{}(__file__).parent.joinpath(\"{name}\").read_text(encoding=\"utf-8\")",
                self.std("pathlib", "Path")
            ),
            2 => format!("{}(__file__).resolve().with_name(\"{name}\").read_text()", self.std("pathlib", "Path")),
            3 => format!("open({}(__file__).parent / \"{name}\").read()", self.std("pathlib", "Path")),
            4 => {
                let path = self.std("os", "path");
                format!("open({path}.join({path}.dirname(__file__), \"{name}\"), encoding=\"utf-8\").read()")
            }
            _ => {
                let (path, file) = (self.std("pathlib", "Path"), self.fresh(&["file", "stream"]));
                let text = self.fresh(&["content", "raw_text"]);
                self.emit(format!(
                    "with open({path}(__file__).parent / \"{name}\", encoding=\"utf-8\") as {file}:\n    {text} = {file}.read()"
                ));
                text
            }
        }
    }

    /// Puts a file beside the present module and returns its name.
    fn data_file(&mut self, stem: &str, extension: &str, content: String) -> String {
        let name = format!("{stem}{}.{extension}", self.core.data.len());
        let here = &self.core.modules[self.core.module()].path;
        let folder = here.rsplit_once('/').map(|(folder, _)| format!("{folder}/")).unwrap_or_default();
        self.core.data.push((format!("{folder}{name}"), content));
        name
    }

    fn by_json_file(&mut self, value: &Value, _: u32) -> Option<String> {
        if !value.is_data() {
            return None;
        }
        let (content, access) = match self.below(3) {
            0 => (value.json(), ""),
            1 => (serde_json::json!({ "version": 1, "it": value.json() }), "[\"it\"]"),
            _ => (serde_json::json!({ "list": [0, value.json()] }), "[\"list\"][1]"),
        };
        let content = if self.chance(60) {
            serde_json::to_string_pretty(&content).expect("values are JSON")
        } else {
            content.to_string()
        };
        let stem = self.pick(&["tools", "config", "data"]);
        let name = self.data_file(stem, "json", content + "\n");
        if self.chance(60) {
            let (load, path) = (self.std("json", "load"), self.std("pathlib", "Path"));
            return Some(format!("{load}(open({path}(__file__).parent / \"{name}\")){access}"));
        }
        let loads = self.std("json", "loads");
        Some(format!("{loads}({}){access}", self.text_of_file(&name)))
    }

    fn by_text_file(&mut self, value: &Value, _: u32) -> Option<String> {
        let is_line = |text: &str| !text.is_empty() && !text.contains('\n') && text.trim() == text;
        match value {
            Value::Text(text) if is_line(text) => {
                let name = self.data_file("name", "txt", format!("{text}\n"));
                Some(format!("{}.strip()", self.text_of_file(&name)))
            }
            Value::List(all) if !all.is_empty() && all.iter().all(|line| line.as_text().is_some_and(is_line)) => {
                let lines: Vec<&str> = all.iter().filter_map(Value::as_text).collect();
                let name = self.data_file("names", "txt", format!("{}\n", lines.join("\n")));
                let text = self.text_of_file(&name);
                Some(match self.below(2) {
                    0 => format!("{text}.splitlines()"),
                    _ => format!("[line for line in {text}.split(\"\\n\") if line]"),
                })
            }
            _ => None,
        }
    }
}
