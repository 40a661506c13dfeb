//! Files: imports and exports of every kind, and data files.

use super::{Form, Js, Value, braced, member};

pub(super) const FORMS: &[Form] = &[
    ("named import", Js::by_named_import),
    ("renamed import", Js::by_renamed_import),
    ("namespace import", Js::by_namespace_import),
    ("default import", Js::by_default_import),
    ("exported function", Js::by_exported_function),
    ("exported class", Js::by_exported_class),
    ("live binding", Js::by_live_binding),
    ("barrel with export *", Js::by_star_barrel),
    ("barrel with names", Js::by_named_barrel),
    ("export * as", Js::by_namespace_barrel),
    ("dynamic import", Js::by_dynamic_import),
    ("circular import", Js::by_circle),
    ("registry filled by modules", Js::by_module_registry),
    ("JSON file", Js::by_json_file),
];

impl Js {
    /// Whether so many more files may be added.
    pub(super) fn has_room(&self, count: usize) -> bool {
        self.core.modules.len() + count <= self.max_modules
    }

    pub(super) fn new_module(&mut self, stem: &str) -> usize {
        let folder = self.pick(&["", "", "lib/", "tools/", "src/core/"]);
        let mut path = format!("{folder}{stem}.{}", self.extension);
        let mut number = 2;
        while self.core.modules.iter().any(|module| module.path == path) {
            path = format!("{folder}{stem}{number}.{}", self.extension);
            number += 1;
        }
        self.core.add_module(path)
    }

    /// A module that the present one may import without a circle.
    fn importable(&mut self) -> Option<usize> {
        let here = self.core.module();
        let later = here + 1..self.core.modules.len();
        let later: Vec<usize> = later.filter(|module| !self.core.modules[*module].is_closed).collect();
        if self.has_room(1) && (later.is_empty() || self.chance(40)) {
            let stem = self.pick(&["names", "constants", "util", "helpers", "shared", "config", "registry", "types"]);
            return Some(self.new_module(stem));
        }
        if later.is_empty() { None } else { Some(*self.core.random.pick(&later)) }
    }

    /// Writes at the end of another module.
    pub(super) fn inside<R>(&mut self, module: usize, write: impl FnOnce(&mut Js) -> R) -> R {
        self.core.enter(module, self.is_esm);
        let result = write(self);
        self.core.leave();
        result
    }

    /// The module's specifier as seen from the present one.
    pub(super) fn specifier(&self, path: &str) -> String {
        let here = &self.core.modules[self.core.module()].path;
        let mut from: Vec<&str> = here.split('/').collect();
        from.pop();
        let mut to: Vec<&str> = path.split('/').collect();
        while !from.is_empty() && to.len() > 1 && from[0] == to[0] {
            from.remove(0);
            to.remove(0);
        }
        if from.is_empty() { format!("./{}", to.join("/")) } else { "../".repeat(from.len()) + &to.join("/") }
    }

    pub(super) fn specifier_of(&mut self, module: usize) -> String {
        let path = self.core.modules[module].path.clone();
        let specifier = self.specifier(&path);
        // `require` finds the extension itself.
        if !self.is_esm && self.extension == "js" && self.chance(60) {
            return specifier.trim_end_matches(".js").to_string();
        }
        specifier
    }

    fn head(&mut self, line: String) {
        let here = self.core.module();
        if !self.core.modules[here].head.contains(&line) {
            self.core.modules[here].head.push(line);
        }
    }

    /// A name that no module exports yet.
    pub(super) fn exported_name(&mut self, bases: &[&str]) -> String {
        loop {
            let name = self.fresh(bases);
            if !self.core.modules.iter().any(|module| module.exported.iter().any(|(_, taken)| *taken == name)) {
                return name;
            }
        }
    }

    /// Exports a variable of the present module under its own or another name, and returns that name.
    pub(super) fn export(&mut self, local: &str, exported: &str) {
        let here = self.core.module();
        self.core.modules[here].exported.push((local.to_string(), exported.to_string()));
    }

    /// Writes a module-level constant and exports it; returns the exported name.
    fn export_value(&mut self, value: &Value, depth: u32) -> String {
        let text = self.value(value, depth);
        let name = self.exported_name(&["names", "PREFIX", "tools", "defaults", "shared", "value", "base"]);
        if self.is_esm && self.chance(60) {
            self.emit(format!("export const {name} = {text};"));
            self.core.exported_inline(&name);
            return name;
        }
        if self.is_esm && self.chance(40) {
            let exported = self.exported_name(&["renamed", "alias", "publicName"]);
            self.emit(format!("const {name} = {text};"));
            self.export(&name, &exported);
            return exported;
        }
        self.emit(format!("const {name} = {text};"));
        self.export(&name, &name);
        name
    }

    /// Imports a name from a module and returns the local expression.
    pub(super) fn import(&mut self, module: usize, exported: &str, how: usize) -> String {
        let specifier = self.specifier_of(module);
        let here = self.core.module();
        let path = self.core.modules[module].path.clone();
        let mut known = self.core.modules[here].imported.iter();
        if let Some((_, _, local)) = known.find(|(from, name, _)| *from == path && name == exported) {
            return local.clone();
        }
        let local = match (self.is_esm, how % 4) {
            (true, 0) => {
                let local = self.core.fresh(exported);
                let clause = if local == exported { local.clone() } else { format!("{exported} as {local}") };
                self.head(format!("import {{ {clause} }} from \"{specifier}\";"));
                local
            }
            (true, 1) => {
                let local = self.fresh(&["imported", "theirs", "other"]);
                self.head(format!("import {{ {exported} as {local} }} from \"{specifier}\";"));
                local
            }
            (true, _) => {
                let space = self.fresh(&["ns", "all", "mod"]);
                self.head(format!("import * as {space} from \"{specifier}\";"));
                format!("{space}.{exported}")
            }
            (false, 0) => {
                let local = self.core.fresh(exported);
                let clause = if local == exported { local.clone() } else { format!("{exported}: {local}") };
                self.head(format!("const {{ {clause} }} = require(\"{specifier}\");"));
                local
            }
            (false, 1) => {
                let local = self.fresh(&["imported", "theirs", "other"]);
                self.head(format!("const {local} = require(\"{specifier}\").{exported};"));
                local
            }
            (false, 2) => {
                let space = self.fresh(&["ns", "all", "mod"]);
                self.head(format!("const {space} = require(\"{specifier}\");"));
                format!("{space}.{exported}")
            }
            (false, _) => format!("require(\"{specifier}\").{exported}"),
        };
        self.core.modules[here].imported.push((path, exported.to_string(), local.clone()));
        local
    }

    fn by_named_import(&mut self, value: &Value, depth: u32) -> Option<String> {
        let module = self.importable()?;
        let name = self.inside(module, |js| js.export_value(value, depth));
        Some(self.import(module, &name, 0))
    }

    fn by_renamed_import(&mut self, value: &Value, depth: u32) -> Option<String> {
        let module = self.importable()?;
        let name = self.inside(module, |js| js.export_value(value, depth));
        Some(self.import(module, &name, 1))
    }

    fn by_namespace_import(&mut self, value: &Value, depth: u32) -> Option<String> {
        let module = self.importable()?;
        let name = self.inside(module, |js| js.export_value(value, depth));
        let how = 2 + self.below(2);
        Some(self.import(module, &name, how))
    }

    fn by_default_import(&mut self, value: &Value, depth: u32) -> Option<String> {
        if !self.has_room(1) {
            return None;
        }
        let stem = self.pick(&["default", "settings", "main-tools", "catalog"]);
        let module = self.new_module(stem);
        self.inside(module, |js| {
            let text = js.value(value, depth);
            match (js.is_esm, js.below(3)) {
                (true, 0) => js.emit(format!("export default {text};")),
                (true, 1) => {
                    let name = js.named(&["exported", "main"], &text);
                    js.emit(format!("export default {name};"));
                }
                (true, _) => {
                    let name = js.named(&["exported", "main"], &text);
                    js.emit(format!("export {{ {name} as default }};"));
                }
                (false, _) => js.emit(format!("module.exports = {text};")),
            }
        });
        let (specifier, local) = (self.specifier_of(module), self.name_for(value));
        // Later names of this module would replace what it exports, so it gets none.
        self.core.modules[module].is_closed = true;
        match (self.is_esm, self.below(3)) {
            (true, 0) => self.head(format!("import {{ default as {local} }} from \"{specifier}\";")),
            (true, _) => self.head(format!("import {local} from \"{specifier}\";")),
            (false, _) => self.head(format!("const {local} = require(\"{specifier}\");")),
        }
        Some(local)
    }

    fn by_exported_function(&mut self, value: &Value, depth: u32) -> Option<String> {
        let module = self.importable()?;
        let name = self.inside(module, |js| {
            let name = js.exported_name(&["getName", "buildTools", "makeValue", "load"]);
            let body = js.returning(false, |js| js.value(value, depth));
            if js.is_esm && js.chance(60) {
                js.emit(format!("export function {name}() {body}"));
                js.core.exported_inline(&name);
            } else {
                js.emit(format!("function {name}() {body}"));
                js.export(&name, &name);
            }
            name
        });
        let how = self.below(4);
        Some(format!("{}()", self.import(module, &name, how)))
    }

    fn by_exported_class(&mut self, value: &Value, depth: u32) -> Option<String> {
        let module = self.importable()?;
        let name = self.inside(module, |js| {
            let name = js.exported_name(&["Names", "Provider", "BaseTool", "Catalog"]);
            let text = js.still(value, depth);
            let members =
                [format!("static current = {text};"), "read() {\n  return this.constructor.current;\n}".into()];
            if js.is_esm && js.chance(60) {
                js.emit(format!("export class {name} {}", braced(&members)));
                js.core.exported_inline(&name);
            } else {
                js.emit(format!("class {name} {}", braced(&members)));
                js.export(&name, &name);
            }
            name
        });
        let base = self.import(module, &name, 0);
        Some(match self.below(3) {
            0 => format!("{base}.current"),
            1 => format!("new {base}().read()"),
            _ => {
                let own = self.fresh(&["Own", "Derived", "Local"]);
                self.emit(format!("class {own} extends {base} {{}}"));
                format!("new {own}().read()")
            }
        })
    }

    fn by_live_binding(&mut self, value: &Value, depth: u32) -> Option<String> {
        let module = self.importable()?;
        let (name, set) = self.inside(module, |js| {
            let (name, set) = (js.exported_name(&["current", "active"]), js.exported_name(&["setCurrent", "activate"]));
            if js.is_esm {
                js.emit(format!("export let {name} = null;\nexport function {set}(value) {{\n  {name} = value;\n}}"));
                js.core.exported_inline(&name);
                js.core.exported_inline(&set);
            } else {
                js.emit(format!(
                    "const {name} = {{ value: null }};\nfunction {set}(value) {{\n  {name}.value = value;\n}}"
                ));
                js.export(&name, &name);
                js.export(&set, &set);
            }
            (name, set)
        });
        let (current, set) = (self.import(module, &name, 0), self.import(module, &set, 0));
        let text = self.value(value, depth);
        self.emit(format!("{set}({text});"));
        Some(if self.is_esm { current } else { member(&current, "value") })
    }

    /// A module that only passes on what another one exports, and the other one.
    fn barrel(&mut self) -> Option<(usize, usize)> {
        if !self.has_room(2) {
            return None;
        }
        let stem = self.pick(&["index", "barrel", "all", "public"]);
        let barrel = self.new_module(stem);
        let leaf = self.new_module("leaf");
        Some((barrel, leaf))
    }

    fn by_star_barrel(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (barrel, leaf) = self.barrel()?;
        let name = self.inside(leaf, |js| js.export_value(value, depth));
        self.inside(barrel, |js| {
            let specifier = js.specifier_of(leaf);
            if js.is_esm {
                js.emit(format!("export * from \"{specifier}\";"));
            } else {
                let line = js.pick(&["Object.assign(exports, SOURCE);", "module.exports = { ...SOURCE };"]);
                js.emit(line.replace("SOURCE", &format!("require(\"{specifier}\")")));
            }
        });
        self.core.modules[barrel].is_closed = true;
        let how = self.below(3);
        Some(self.import(barrel, &name, how))
    }

    fn by_named_barrel(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (barrel, leaf) = self.barrel()?;
        let name = self.inside(leaf, |js| js.export_value(value, depth));
        let renamed = self.inside(barrel, |js| {
            let renamed = js.exported_name(&["again", "outer", "publicTools"]);
            let specifier = js.specifier_of(leaf);
            match (js.is_esm, js.below(2)) {
                (true, 0) => js.emit(format!("export {{ {name} as {renamed} }} from \"{specifier}\";")),
                (true, _) => js.emit(format!(
                    "import {{ {name} as inner }} from \"{specifier}\";\nexport {{ inner as {renamed} }};"
                )),
                (false, 0) => js.emit(format!("exports.{renamed} = require(\"{specifier}\").{name};")),
                (false, _) => js.emit(format!(
                    "Object.defineProperty(exports, \"{renamed}\", {{ enumerable: true, get: () => require(\"{specifier}\").{name} }});"
                )),
            }
            renamed
        });
        self.core.modules[barrel].is_closed = true;
        let how = self.below(3);
        Some(self.import(barrel, &renamed, how))
    }

    fn by_namespace_barrel(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (barrel, leaf) = self.barrel()?;
        let name = self.inside(leaf, |js| js.export_value(value, depth));
        let space = self.inside(barrel, |js| {
            let space = js.exported_name(&["group", "space", "parts"]);
            let specifier = js.specifier_of(leaf);
            if js.is_esm {
                js.emit(format!("export * as {space} from \"{specifier}\";"));
            } else {
                js.emit(format!("exports.{space} = require(\"{specifier}\");"));
            }
            space
        });
        self.core.modules[barrel].is_closed = true;
        Some(format!("{}.{name}", self.import(barrel, &space, 0)))
    }

    fn by_dynamic_import(&mut self, value: &Value, depth: u32) -> Option<String> {
        if !self.core.awaits() {
            return None;
        }
        let module = self.importable()?;
        let name = self.inside(module, |js| js.export_value(value, depth));
        let path = self.core.modules[module].path.clone();
        let specifier = self.specifier(&path);
        let specifier = self.text(&specifier, depth.min(1));
        Some(match self.below(3) {
            0 => format!("(await import({specifier})).{name}"),
            1 => format!("await import({specifier}).then((loaded) => loaded.{name})"),
            _ => {
                let local = self.name_for(value);
                self.emit(format!("const {{ {name}: {local} }} = await import({specifier});"));
                local
            }
        })
    }

    fn by_circle(&mut self, value: &Value, depth: u32) -> Option<String> {
        if !self.has_room(2) {
            return None;
        }
        let (first, second) = (self.new_module("alpha"), self.new_module("omega"));
        let (kept, read, helper) = (format!("kept{first}"), format!("read{first}"), format!("helper{second}"));
        let to_second = self.inside(first, |js| js.specifier_of(second));
        let to_first = self.inside(second, |js| js.specifier_of(first));
        self.core.modules[first].is_closed = true;
        self.core.modules[second].is_closed = true;
        let is_esm = self.is_esm;
        self.inside(first, |js| {
            for name in [&kept, &read, &helper, "second"] {
                js.reserve(name);
            }
            let text = js.value(value, depth);
            js.emit(if is_esm {
                format!(
                    "export const {kept} = {text};\nexport function {read}() {{\n  return {helper}();\n}}\nimport {{ {helper} }} from \"{to_second}\";"
                )
            } else {
                format!(
                    "const second = require(\"{to_second}\");\nexports.{kept} = {text};\nexports.{read} = () => second.{helper}();"
                )
            });
        });
        self.inside(second, |js| {
            js.emit(if is_esm {
                format!("import {{ {kept} }} from \"{to_first}\";\nexport function {helper}() {{\n  return {kept};\n}}")
            } else {
                format!("const first = require(\"{to_first}\");\nexports.{helper} = () => first.{kept};")
            });
        });
        Some(format!("{}()", self.import(first, &read, 0)))
    }

    pub(super) fn by_module_registry(&mut self, value: &Value, depth: u32) -> Option<String> {
        let Value::List(elements) = value else { return None };
        if !self.has_room(2) || elements.is_empty() {
            return None;
        }
        let user = self.new_module("features");
        let second = if self.has_room(2) && self.chance(40) { Some(self.new_module("extras")) } else { None };
        let registry = self.new_module("registry");
        let (list, add) = self.inside(registry, |js| {
            let (list, add) = (js.exported_name(&["registry", "collected"]), js.exported_name(&["register", "define"]));
            let holder = js.below(3);
            js.reserve("kept");
            js.emit(match holder {
                0 => format!("const {list} = [];\nfunction {add}(item) {{\n  {list}.push(item);\n}}"),
                1 => format!("const {list} = new Set();\nconst {add} = (item) => {list}.add(item);"),
                _ => format!(
                    "const kept = new Map();\nfunction {add}(item) {{\n  kept.set(kept.size, item);\n  return item;\n}}\nconst {list} = {{ [Symbol.iterator]: () => kept.values() }};"
                ),
            });
            js.export(&list, &list);
            js.export(&add, &add);
            (list, add)
        });
        let cut = if second.is_some() { self.below(elements.len() + 1) } else { elements.len() };
        for (module, part) in [(Some(user), &elements[..cut]), (second, &elements[cut..])] {
            let Some(module) = module else { continue };
            self.inside(module, |js| {
                let add = js.import(registry, &add, 0);
                for element in part {
                    let text = js.value(element, depth);
                    js.emit(format!("{add}({text});"));
                }
            });
            let specifier = self.specifier_of(module);
            self.head(if self.is_esm {
                format!("import \"{specifier}\";")
            } else {
                format!("require(\"{specifier}\");")
            });
        }
        Some(format!("[...{}]", self.import(registry, &list, 0)))
    }

    fn by_json_file(&mut self, value: &Value, _: u32) -> Option<String> {
        if !value.is_data() {
            return None;
        }
        let stem = self.pick(&["tools", "config", "data", "names"]);
        let folder = self.pick(&["", "", "data/"]);
        let path = format!("{folder}{stem}{}.json", self.core.data.len());
        let (content, access) = match self.below(3) {
            0 => (value.json(), ""),
            1 => (serde_json::json!({ "version": 1, "it": value.json() }), ".it"),
            _ => (serde_json::json!({ "list": [0, value.json()] }), ".list[1]"),
        };
        let content = if self.chance(60) {
            serde_json::to_string_pretty(&content).expect("values are JSON")
        } else {
            content.to_string()
        };
        self.core.data.push((path.clone(), content + "\n"));
        let specifier = self.specifier(&path);
        let loaded = if self.is_esm { self.json_in_esm(&specifier) } else { self.json_in_commonjs(&specifier) };
        Some(format!("{loaded}{access}"))
    }

    fn json_in_esm(&mut self, specifier: &str) -> String {
        match self.below(if self.core.awaits() { 6 } else { 5 }) {
            0 => {
                let local = self.fresh(&["data", "config", "json"]);
                self.head(format!("import {local} from \"{specifier}\" with {{ type: \"json\" }};"));
                local
            }
            1 => {
                self.head("import fs from \"node:fs\";".into());
                self.reserve("fs");
                format!("JSON.parse(fs.readFileSync(new URL(\"{specifier}\", import.meta.url), \"utf8\"))")
            }
            2 => {
                self.head("import { readFileSync } from \"fs\";".into());
                self.reserve("readFileSync");
                format!("JSON.parse(readFileSync(new URL(\"{specifier}\", import.meta.url)).toString())")
            }
            3 => {
                self.head("import { createRequire } from \"node:module\";".into());
                self.reserve("createRequire");
                format!("createRequire(import.meta.url)(\"{specifier}\")")
            }
            4 => {
                self.head("import { readFileSync } from \"fs\";".into());
                self.head("import path from \"node:path\";".into());
                self.head("import { fileURLToPath } from \"node:url\";".into());
                for name in ["readFileSync", "path", "fileURLToPath"] {
                    self.reserve(name);
                }
                let folder = "path.dirname(fileURLToPath(import.meta.url))";
                format!("JSON.parse(readFileSync(path.join({folder}, \"{specifier}\"), \"utf-8\"))")
            }
            _ => format!("(await import(\"{specifier}\", {{ with: {{ type: \"json\" }} }})).default"),
        }
    }

    fn json_in_commonjs(&mut self, specifier: &str) -> String {
        match self.below(3) {
            0 => format!("require(\"{specifier}\")"),
            1 => {
                self.head("const fs = require(\"fs\");".into());
                self.head("const path = require(\"node:path\");".into());
                self.reserve("fs");
                self.reserve("path");
                format!("JSON.parse(fs.readFileSync(path.join(__dirname, \"{specifier}\"), \"utf8\"))")
            }
            _ => {
                self.head("const { readFileSync } = require(\"node:fs\");".into());
                self.reserve("readFileSync");
                format!("JSON.parse(readFileSync(`${{__dirname}}/{specifier}`, \"utf8\"))")
            }
        }
    }

    /// Keeps a name from being used for something else in the module. The names of Node's modules are in no pool.
    pub(super) fn reserve(&mut self, name: &str) {
        let _ = self.core.fresh(name);
    }

    pub(super) fn import_line(&mut self, line: String) {
        self.head(line);
    }
}
