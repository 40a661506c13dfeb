//! Modules: what files export and import.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use smol_str::SmolStr;

use super::realm::{is_prelude, prelude_module};
use super::value::{Body, GLOBAL, Site, Slot, Table, Value};
use super::{Abrupt, At, Flow, Frame, Machine, ObjectId, Resolved, Run, ScopeId};
use crate::code::{self, Declared, Export, Import, Imported, Stmt, StmtKind, Target};
use crate::path::joined;
use crate::syntax::Family;
use crate::text::FileId;

/// A module that runs or has run.
#[derive(Debug)]
pub(super) struct ModuleState {
    scope: ScopeId,
    object: ObjectId,
    exports: IndexMap<SmolStr, Exported, FxBuildHasher>,
    /// The modules all of whose exports it passes on.
    passed_on: Vec<Value>,
    /// Whether it has a statement that exports or imports, as a module of ECMAScript.
    is_script: bool,
}

#[derive(Debug, Clone)]
enum Exported {
    /// The variable of this name.
    Local(SmolStr),
    Value(Value),
    /// An export of another module.
    Of(Value, SmolStr),
}

/// The reason why a program runs a module; in Python, it determines the module's name.
#[derive(Debug, Clone)]
pub(super) enum Runs {
    /// It is the script that was started.
    AsMain,
    /// An import from the root of the packages contains its name.
    ByName(SmolStr),
    /// It is known by its file alone.
    ByPath,
}

/// The maximum number of files of a program.
const MOST_FILES: usize = 4_000;

impl Machine<'_> {
    /// Runs a module, unless it has run.
    pub(super) fn module(&mut self, file: FileId, runs: &Runs) -> Run<()> {
        if self.modules.contains_key(&file) {
            return Ok(());
        }
        let Some(code) = self.code_of(file) else { return Ok(()) };
        if self.modules.len() >= MOST_FILES {
            self.cut.push((None, "the program has too many files".into()));
            return Ok(());
        }
        let realm = if is_prelude(file) { None } else { Some(self.realm().scope) };
        let realm = realm.or_else(|| self.realms.get(&self.family).map(|realm| realm.scope));
        let scope = self.heap.open_function(realm);
        let object = self.allocate(None, Body::Module(file));
        let state =
            ModuleState { scope, object, exports: IndexMap::default(), passed_on: Vec::new(), is_script: false };
        self.modules.insert(file, state);
        self.predefined(file, scope, runs);
        let (depth, written) = (self.stack.len(), self.heap.written());
        let result = self.run_items(file, scope, &code);
        self.stack.truncate(depth);
        self.heap.written_by_module(written);
        result
    }

    /// Runs the statements of a module in order; what it imports runs first.
    pub(super) fn run_items(&mut self, file: FileId, scope: ScopeId, code: &code::Code) -> Run<()> {
        let frame = |item: usize, family: Family| Frame {
            site: Site { file, item: item as u32 },
            family,
            this: Value::Undefined,
            home: None,
            class: None,
        };
        if self.family == Family::Rust {
            for (index, item) in code.items.iter().enumerate() {
                self.hoist_items(&item.body, At { frame: &frame(index, self.family), scope });
            }
        }
        if self.family == Family::TypeScript {
            for (index, item) in code.items.iter().enumerate() {
                let frame = frame(index, self.family);
                let at = At { frame: &frame, scope };
                for stmt in item.body.iter() {
                    match &stmt.kind {
                        StmtKind::Import(import) => self.import(import, at)?,
                        StmtKind::Export(Export::From { .. } | Export::All(_)) => {
                            if let StmtKind::Export(export) = &stmt.kind {
                                self.export(export, at)?;
                            }
                        }
                        StmtKind::Export(export) => self.announce(export, at),
                        _ => {}
                    }
                }
                self.hoist(&item.body, at);
            }
        }
        for (index, item) in code.items.iter().enumerate() {
            let frame = frame(index, self.family);
            let at = At { frame: &frame, scope };
            for stmt in item.body.iter() {
                let is_done =
                    matches!(stmt.kind, StmtKind::Import(_) | StmtKind::Export(Export::From { .. } | Export::All(_)));
                if is_done && self.family == Family::TypeScript {
                    continue;
                }
                match self.statement(stmt, at) {
                    Ok(Flow::Next) => {}
                    Ok(_) => return Ok(()),
                    // A program that people use does not end so: what is wrong is what is known of it.
                    Err(Abrupt::Throw(thrown)) if self.guards == 0 => {
                        self.uncaught(&thrown, frame.site.place(stmt.span));
                    }
                    Err(Abrupt::Stop) if self.fuel > 0 => {
                        self.cut.push((Some(frame.site.place(stmt.span)), "the program exits".into()));
                    }
                    Err(abrupt) => return Err(abrupt),
                }
            }
        }
        Ok(())
    }

    /// The variables that a module has from the beginning.
    fn predefined(&mut self, file: FileId, scope: ScopeId, runs: &Runs) {
        let path = if is_prelude(file) { String::new() } else { format!("/{}", self.world.path(file)) };
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_string();
        match self.family {
            Family::Python => {
                let name = match runs {
                    Runs::ByName(name) => name.clone(),
                    Runs::AsMain | Runs::ByPath => self.name_of_path(&path),
                };
                let is_package = path.ends_with("/__init__.py");
                let parent = || name.rsplit_once('.').map_or("", |(parent, _)| parent);
                let package = if is_package { name.as_str() } else { parent() };
                self.heap.set_name(scope, "__package__".into(), Value::made(package));
                let name = if matches!(runs, Runs::AsMain) { "__main__" } else { &name };
                self.heap.set_name(scope, "__name__".into(), Value::made(name));
                self.heap.set_name(scope, "__file__".into(), Value::made(&path));
                if is_package {
                    self.heap.set_name(scope, "__path__".into(), Value::made(&folder));
                }
                let doc = self.code_of(file).and_then(|code| code.doc.clone());
                let doc = doc.map_or(Value::Null, |doc| Value::made(&doc.text));
                self.heap.set_name(scope, "__doc__".into(), doc);
            }
            Family::Rust => {
                if let Some(object) = self.modules.get(&file).map(|state| state.object) {
                    self.predefined_modules(file, scope, object);
                }
            }
            Family::TypeScript => {
                let exports = Value::Object(self.allocate(None, Body::Plain));
                let module = self.allocate(None, Body::Plain);
                self.heap.change(module).props.insert("exports".into(), Slot::new(exports.clone()));
                self.heap.change(module).props.insert("filename".into(), Slot::new(Value::made(&path)));
                self.heap.set_name(scope, "module".into(), Value::Object(module));
                self.heap.set_name(scope, "exports".into(), exports);
                self.heap.set_name(scope, "__filename".into(), Value::made(&path));
                self.heap.set_name(scope, "__dirname".into(), Value::made(&folder));
                if let (Some(require), Runs::AsMain) = (self.heap.scope_of(scope, "require"), runs)
                    && let Some(id) = self.heap.own_name(require, "require").and_then(Value::as_object)
                {
                    let slot = Slot { hidden: true, ..Slot::new(Value::Object(module)) };
                    self.heap.change(id).props.insert("main".into(), slot);
                }
            }
        }
    }

    /// The scope of a module that runs or has run.
    pub(super) fn module_scope(&self, file: FileId) -> Option<ScopeId> {
        self.modules.get(&file).map(|module| module.scope)
    }

    /// The name of a module of Python whose file is at this absolute path: that of the package around it, and its own.
    fn name_of_path(&self, path: &str) -> SmolStr {
        let stem = path.trim_end_matches(".py").trim_end_matches("/__init__");
        let mut root = stem.rsplit_once('/').map_or("", |(folder, _)| folder);
        while let Some((above, _)) = root.rsplit_once('/')
            && self.world.file(&format!("{}/__init__.py", &root[1..])).is_some()
        {
            root = above;
        }
        stem[root.len()..].trim_start_matches('/').replace('/', ".").into()
    }

    /// Returns the way in which a module runs that is imported in a Python file.
    fn absolute_name(&self, from: FileId, module: &str) -> Runs {
        if !module.starts_with('.') {
            return Runs::ByName(module.into());
        }
        let scope = self.module_scope(from);
        let package = scope.and_then(|scope| self.heap.own_name(scope, "__package__")?.as_text());
        match package.filter(|package| !package.is_empty()) {
            Some(package) => Runs::ByName(name_from_root(&package, module).into()),
            None => Runs::ByPath,
        }
    }

    /// The name of the module that a function or class is defined in, for Python's `__module__`.
    pub(super) fn name_of_module(&self, file: FileId) -> Value {
        let name = self.module_scope(file).and_then(|scope| self.heap.own_name(scope, "__name__"));
        name.cloned().unwrap_or_else(|| Value::unknown("the name of a module"))
    }

    /// The object of a module, which runs first.
    pub(super) fn module_object(&mut self, file: FileId) -> Run<Value> {
        self.module_running(file, &Runs::ByPath)
    }

    fn module_running(&mut self, file: FileId, runs: &Runs) -> Run<Value> {
        self.module(file, runs)?;
        Ok(self.modules.get(&file).map_or(Value::Undefined, |module| Value::Object(module.object)))
    }

    /// The module that an import leads to, as a value.
    pub(super) fn imported_module(&mut self, from: FileId, module: &str) -> Run<Value> {
        if let Some(file) = prelude_module(self.family, module) {
            return self.module_running(file, &Runs::ByName(module.into()));
        }
        match self.world.resolve(from, module) {
            Resolved::Found(file) if self.world.family(file) == Some(self.family) => {
                if self.family == Family::Python {
                    self.packages_of(from, module)?;
                    return self.module_running(file, &self.absolute_name(from, module));
                }
                self.module_object(file)
            }
            Resolved::Outside => {
                // It may not be installed.
                self.unknown_calls += 1;
                Ok(self.outside(module, &[]))
            }
            _ => match self.data_of_import(from, module) {
                Some(value) => Ok(value),
                None => Ok(Value::unknown(format!("`{module}` is not in the workspace"))),
            },
        }
    }

    /// Runs the packages around a module of Python, outermost first.
    fn packages_of(&mut self, from: FileId, module: &str) -> Run<()> {
        let dots = module.len() - module.trim_start_matches('.').len();
        let parts: Vec<&str> = module[dots..].split('.').collect();
        for end in 1..parts.len() {
            let package = format!("{}{}", &module[..dots], parts[..end].join("."));
            if let Resolved::Found(file) = self.world.resolve(from, &package)
                && file != from
            {
                self.module(file, &self.absolute_name(from, &package))?;
            }
        }
        Ok(())
    }

    /// A data file that is imported: `import tools from "./tools.json"`.
    fn data_of_import(&mut self, from: FileId, module: &str) -> Option<Value> {
        if !module.ends_with(".json") {
            return None;
        }
        let folder = self.world.path(from).rsplit_once('/').map_or("", |(folder, _)| folder);
        let path = joined(folder, module)?;
        let text = self.world.text(&path)?;
        let text = self.text_of_file(&path, &text);
        Some(self.json_value(text.as_traced()?))
    }

    pub(super) fn import(&mut self, import: &Import, at: At<'_>) -> Run<()> {
        if import.types_only {
            return Ok(());
        }
        let file = at.frame.site.file;
        if self.family == Family::TypeScript
            && let Some(state) = self.modules.get_mut(&file)
        {
            state.is_script = true;
        }
        let module = self.imported_module(file, &import.module)?;
        for name in &import.names {
            let value = match &name.imported {
                Imported::Module => module.clone(),
                Imported::Root => {
                    let first = import.module.split('.').next().unwrap_or(&import.module);
                    match self.imported_module(file, first)? {
                        // The package is a folder without a module of its own.
                        Value::Unknown(_) => self.folder_of_modules(&import.module, &module),
                        root => root,
                    }
                }
                Imported::All => {
                    self.import_all(&module, at)?;
                    continue;
                }
                Imported::Default => self.import_name(&module, "default")?,
                Imported::Named(name) => self.import_name(&module, name)?,
            };
            let declared = if self.family == Family::Python { Declared::Function } else { Declared::Block };
            self.bind_name(declared, &name.local, value, at);
        }
        Ok(())
    }

    /// An object whose members lead to a module: `a.b` for `import a.b.c` if `a` and `b` are only folders.
    fn folder_of_modules(&mut self, path: &str, module: &Value) -> Value {
        let mut value = module.clone();
        for part in path.split('.').skip(1).collect::<Vec<_>>().into_iter().rev() {
            let id = self.allocate(None, Body::Plain);
            self.heap.change(id).props.insert(part.into(), Slot::new(value));
            value = Value::Object(id);
        }
        value
    }

    /// The value that an import of a name binds. It is looked up when it is read, since modules may import each other.
    fn import_name(&mut self, module: &Value, name: &str) -> Run<Value> {
        let Some(id) = module.as_object() else { return Ok(module.clone()) };
        match &self.heap.get(id).body {
            Body::Module(file) => {
                let file = *file;
                if self.family == Family::Python {
                    return self.module_attribute(id, file, name);
                }
                Ok(Value::Object(self.allocate(None, Body::Live { file, name: name.into() })))
            }
            Body::Outside(_) => Ok(self.outside_member(module, id, name)),
            // A data file.
            _ if name == "default" => Ok(module.clone()),
            _ => self.member(module, name, self.here()),
        }
    }

    fn import_all(&mut self, module: &Value, at: At<'_>) -> Run<()> {
        let Some(id) = module.as_object() else { return Ok(()) };
        let Body::Module(file) = self.heap.get(id).body else {
            // What a package of somebody else exports is not known by name.
            if let Some(own) = self.module_object(at.frame.site.file)?.as_object() {
                self.heap.change(own).more = Some(self.reason_of(module));
            }
            return Ok(());
        };
        let Some(scope) = self.module_scope(file) else { return Ok(()) };
        let listed = self.heap.own_name(scope, "__all__").cloned();
        let names: Option<Vec<SmolStr>> = listed.and_then(|listed| {
            let slots = self.plain_list(&listed)?;
            Some(slots.iter().filter_map(|slot| slot.value.as_text()).map(SmolStr::from).collect())
        });
        let names = names.unwrap_or_else(|| {
            let mut all: Vec<SmolStr> =
                self.heap.names(scope).map(|(name, _)| name.clone()).filter(|name| !name.starts_with('_')).collect();
            all.sort();
            all
        });
        for name in names {
            let value = self.module_attribute(id, file, &name)?;
            self.bind_name(Declared::Function, &name, value, at);
        }
        Ok(())
    }

    /// The value of a name that may be the variable of another module.
    pub(super) fn through(&mut self, value: Value) -> Run<Value> {
        match self.body_of(&value) {
            Some(Body::Live { file, name }) => {
                let (file, name) = (*file, name.clone());
                self.exported(file, &name)
            }
            Some(Body::Later { .. }) => value.as_object().map_or(Ok(Value::Undefined), |id| self.computed(id)),
            Some(Body::Path(_)) => value.as_object().map_or(Ok(Value::Undefined), |id| self.followed(id)),
            _ => Ok(value),
        }
    }

    /// Notes the names that a module exports, before its statements run.
    fn announce(&mut self, export: &Export, at: At<'_>) {
        let mut names = Vec::new();
        match export {
            Export::Declared(stmt) => declared_names(stmt, &mut |name| names.push((name.clone(), name.clone()))),
            Export::Names(pairs) => names.extend(pairs.iter().cloned()),
            _ => {}
        }
        let Some(state) = self.modules.get_mut(&at.frame.site.file) else { return };
        state.is_script = true;
        for (local, exported) in names {
            state.exports.insert(exported, Exported::Local(local));
        }
    }

    pub(super) fn export(&mut self, export: &Export, at: At<'_>) -> Run<()> {
        let file = at.frame.site.file;
        match export {
            Export::Declared(stmt) => drop(self.statement(stmt, at)?),
            // Announced before the module ran.
            Export::Names(_) => {}
            Export::From { module, names } => {
                let value = self.imported_module(file, module)?;
                for (imported, name) in names {
                    let target = match imported {
                        Imported::Module | Imported::All | Imported::Root => Exported::Value(value.clone()),
                        Imported::Default => Exported::Of(value.clone(), "default".into()),
                        Imported::Named(name) => Exported::Of(value.clone(), name.clone()),
                    };
                    self.add_export(file, name.clone(), target);
                }
            }
            Export::All(module) => {
                let value = self.imported_module(file, module)?;
                if let Some(state) = self.modules.get_mut(&file) {
                    state.is_script = true;
                    state.passed_on.push(value);
                }
            }
            Export::Default(value) => {
                let value = self.eval_named(value, &"default".into(), at)?;
                self.add_export(file, "default".into(), Exported::Value(value));
            }
            Export::Whole(value) => {
                let value = self.eval(value, at)?;
                if let Some(module) = self.own_module(file) {
                    self.heap.change(module).props.insert("exports".into(), Slot::new(value));
                }
            }
        }
        Ok(())
    }

    fn add_export(&mut self, file: FileId, name: SmolStr, target: Exported) {
        if let Some(state) = self.modules.get_mut(&file) {
            state.is_script = true;
            state.exports.insert(name, target);
        }
    }

    /// The object `module` of a CommonJS module.
    fn own_module(&self, file: FileId) -> Option<ObjectId> {
        let scope = self.module_scope(file)?;
        self.heap.own_name(scope, "module")?.as_object()
    }

    fn common_exports(&self, file: FileId) -> Value {
        let exports = self.own_module(file).and_then(|module| self.heap.get(module).props.get("exports"));
        exports.map_or(Value::Undefined, |slot| slot.value.clone())
    }

    /// Returns the value that a module exports under a name.
    pub(super) fn exported(&mut self, file: FileId, name: &str) -> Run<Value> {
        if self.family == Family::Rust {
            let found = match self.module_scope(file) {
                Some(scope) => self.item_of(scope, name)?,
                None => None,
            };
            return Ok(found.unwrap_or(Value::Undefined));
        }
        if self.family == Family::Python {
            return match self.modules.get(&file).map(|state| state.object) {
                Some(object) => self.module_attribute(object, file, name),
                None => Ok(Value::Undefined),
            };
        }
        // Modules that pass on each other's exports in a circle.
        if self.searched.iter().any(|(searched, of)| *searched == file && of == name) {
            return Ok(Value::Undefined);
        }
        self.searched.push((file, name.into()));
        let value = self.own_export(file, name);
        self.searched.pop();
        value
    }

    /// The same in JavaScript, once for each file and name at a time.
    fn own_export(&mut self, file: FileId, name: &str) -> Run<Value> {
        let place = self.here();
        let Some(state) = self.modules.get(&file) else { return Ok(Value::Undefined) };
        let (scope, is_script) = (state.scope, state.is_script);
        if let Some(exported) = state.exports.get(name).cloned() {
            return match exported {
                Exported::Value(value) => self.through(value),
                Exported::Local(local) => match self.heap.own_name(scope, &local).cloned() {
                    Some(value) => self.through(value),
                    None => Ok(Value::unknown(format!("`{local}` has no value yet"))),
                },
                Exported::Of(module, name) => self.imported_member(&module, &name),
            };
        }
        if name != "default" {
            for module in state.passed_on.clone() {
                let value = match self.body_of(&module) {
                    Some(Body::Module(other)) if *other != file => {
                        let other = *other;
                        self.exported(other, name)?
                    }
                    _ => continue,
                };
                if !matches!(value, Value::Undefined) {
                    return Ok(value);
                }
            }
        }
        let common = self.common_exports(file);
        if !is_script {
            if name == "default" {
                if let Some(id) = common.as_object()
                    && self.heap.get(id).props.contains_key("__esModule")
                    && self.heap.get(id).props.contains_key("default")
                {
                    return self.member(&common, "default", place);
                }
                return Ok(common);
            }
            return self.member(&common, name, place);
        }
        let passed_on = self.modules.get(&file).map(|state| state.passed_on.clone()).unwrap_or_default();
        for module in passed_on {
            if let Some(Body::Outside(_)) = self.body_of(&module)
                && let Some(id) = module.as_object()
                && name != "default"
            {
                return Ok(self.outside_member(&module, id, name));
            }
        }
        // A prelude need not have all of a package.
        if let Some(module) = super::realm::prelude_name(file) {
            return Ok(self.outside(&module, &[name]));
        }
        Ok(Value::Undefined)
    }

    fn imported_member(&mut self, module: &Value, name: &str) -> Run<Value> {
        let value = self.import_name(module, name)?;
        self.through(value)
    }

    /// All exports of a module.
    pub(super) fn exports_of(&mut self, file: FileId) -> Run<Vec<(Value, Slot)>> {
        if self.listed.contains(&file) {
            return Ok(Vec::new());
        }
        self.listed.push(file);
        let exports = self.all_exports(file);
        self.listed.pop();
        exports
    }

    /// The same, once for each file at a time.
    fn all_exports(&mut self, file: FileId) -> Run<Vec<(Value, Slot)>> {
        let Some(state) = self.modules.get(&file) else { return Ok(Vec::new()) };
        let mut names: Vec<SmolStr> = state.exports.keys().cloned().collect();
        let (passed_on, is_script) = (state.passed_on.clone(), state.is_script);
        if !is_script {
            let common = self.common_exports(file);
            let (pairs, _) = self.pairs_of(&common)?;
            return Ok(pairs);
        }
        for module in passed_on {
            if let Some(Body::Module(other)) = self.body_of(&module)
                && *other != file
            {
                let other = *other;
                for (key, _) in self.exports_of(other)? {
                    if let Some(name) = key.as_text()
                        && name != "default"
                        && !names.iter().any(|known| *known == name)
                    {
                        names.push(name.into());
                    }
                }
            }
        }
        // A namespace lists its exports in alphabetical order.
        names.sort();
        let mut pairs = Vec::new();
        for name in names {
            let value = self.exported(file, &name)?;
            pairs.push((Value::made(&name), Slot::new(value)));
        }
        Ok(pairs)
    }

    pub(super) fn set_export(&mut self, file: FileId, name: SmolStr, value: Value) {
        if let Some(scope) = self.module_scope(file) {
            self.heap.set_name(scope, name, value);
        }
    }

    /// An attribute of a module of Python: a variable, or a module in its package.
    pub(super) fn module_attribute(&mut self, _module: ObjectId, file: FileId, name: &str) -> Run<Value> {
        let Some(scope) = self.module_scope(file) else { return Ok(Value::Undefined) };
        if let Some(value) = self.heap.own_name(scope, name).cloned() {
            return Ok(value);
        }
        if name == "__dict__" {
            return Ok(self.scope_table_of(scope));
        }
        if let Some(package) = super::realm::prelude_package(file) {
            return Ok(self.outside(&package, &[name]));
        }
        if is_prelude(file) {
            // What the prelude does not model.
            return Ok(Value::unknown(format!("`{name}` of the standard library")));
        }
        let inner = format!(".{name}");
        match self.world.resolve(file, &inner) {
            Resolved::Found(inner) if inner != file => self.module_object(inner),
            _ => Ok(Value::unknown(format!("`{name}` is not defined in its module"))),
        }
    }

    /// The variables of a scope as a dict.
    pub(super) fn scope_table_of(&mut self, scope: ScopeId) -> Value {
        let names: Vec<(SmolStr, Value)> =
            self.heap.names(scope).map(|(name, value)| (name.clone(), value.clone())).collect();
        let table = self.allocate(None, Body::Table(Table::default()));
        for (name, value) in names {
            self.table_set(table, &Value::made(&name), value);
        }
        Value::Object(table)
    }

    /// `globals()`, `locals()`
    pub(super) fn scope_table(&mut self, at: At<'_>, is_global: bool) -> Value {
        let scope = match is_global {
            true => self.module_scope(at.frame.site.file).unwrap_or(at.scope),
            false => self.heap.function_around(at.scope),
        };
        self.scope_table_of(scope)
    }

    /// A variable that nothing declares: one of the language's own.
    pub(super) fn global(&mut self, name: &SmolStr, frame: &Frame) -> Value {
        let is_own = is_prelude(frame.site.file) && name == super::native::INTRINSICS;
        match is_own {
            true => self.intrinsics(),
            false => {
                // It may not exist.
                self.unknown_calls += 1;
                self.outside(GLOBAL, &[name])
            }
        }
    }

    /// `require(module)`
    pub(super) fn require(&mut self, module: &Value, at: At<'_>) -> Run<Value> {
        let Some(name) = module.as_text() else { return Ok(Value::Unknown(self.reason_of(module))) };
        let from = at.frame.site.file;
        let module = self.imported_module(from, &self.seen_from(from, &name))?;
        match self.body_of(&module) {
            Some(Body::Module(file)) => {
                let file = *file;
                let is_script = self.modules.get(&file).is_some_and(|state| state.is_script);
                Ok(if is_script { module } else { self.common_exports(file) })
            }
            _ => Ok(module),
        }
    }

    /// `import(module)`
    pub(super) fn import_dynamic(&mut self, module: &Value, at: At<'_>) -> Run<Value> {
        let mut all = Vec::new();
        for option in module.options().to_vec() {
            let name = match option.as_text() {
                Some(name) => name,
                None => match self.member(&option, "href", self.here())?.as_text() {
                    Some(href) => href,
                    None => {
                        all.push(Value::Unknown(self.reason_of(&option)));
                        continue;
                    }
                },
            };
            let from = at.frame.site.file;
            let module = self.imported_module(from, &self.seen_from(from, &name))?;
            all.push(Value::Object(self.allocate(None, Body::Promise(Ok(module)))));
        }
        Ok(Value::one_of(all))
    }

    /// A path from the root of the workspace as the file `from` would import it.
    fn seen_from(&self, from: FileId, name: &str) -> String {
        let Some(path) = name.strip_prefix("file:///").or_else(|| name.strip_prefix('/')) else {
            return name.to_string();
        };
        let depth = self.world.path(from).matches('/').count();
        format!("./{}{path}", "../".repeat(depth))
    }

    pub(super) fn import_meta(&mut self, at: At<'_>) -> Value {
        let path = format!("/{}", self.world.path(at.frame.site.file));
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_string();
        let id = self.allocate(None, Body::Plain);
        for (key, value) in [("url", format!("file://{path}")), ("filename", path), ("dirname", folder)] {
            self.heap.change(id).props.insert(key.into(), Slot::new(Value::made(&value)));
        }
        Value::Object(id)
    }

    /// `namespace x { … }`
    pub(super) fn namespace(&mut self, name: &SmolStr, body: &[Stmt], at: At<'_>) -> Run<()> {
        let known = self.heap.own_name(at.scope, name).and_then(Value::as_object);
        let id = known.unwrap_or_else(|| self.allocate(None, Body::Plain));
        self.heap.set_name(at.scope, name.clone(), Value::Object(id));
        let scope = self.heap.open_function(Some(at.scope));
        let at = at.within(scope);
        self.hoist(body, at);
        for stmt in body {
            match &stmt.kind {
                StmtKind::Export(Export::Declared(inner)) => {
                    self.statement(inner, at)?;
                    let mut names = Vec::new();
                    declared_names(inner, &mut |name| names.push(name.clone()));
                    for name in names {
                        if let Some(value) = self.heap.own_name(scope, &name).cloned() {
                            self.heap.change(id).props.insert(name, Slot::new(value));
                        }
                    }
                }
                _ => drop(self.statement(stmt, at)?),
            }
        }
        Ok(())
    }

    /// The code of a file of the workspace or of the prelude.
    pub(super) fn code_of(&self, file: FileId) -> Option<std::sync::Arc<code::Code>> {
        match is_prelude(file) {
            true => super::realm::prelude_code(file),
            false => self.world.code(file),
        }
    }
}

/// The name from the root of the packages for one that may begin with dots: `a.c` for `..c` in the package `a.b`.
pub(in crate::machine) fn name_from_root(package: &str, name: &str) -> String {
    let rest = name.trim_start_matches('.');
    let dots = name.len() - rest.len();
    if dots == 0 {
        return name.to_string();
    }
    let mut parts: Vec<&str> = package.split('.').collect();
    parts.truncate(parts.len().saturating_sub(dots - 1));
    parts.extend(Some(rest).filter(|rest| !rest.is_empty()));
    parts.join(".")
}

/// The names that a statement declares.
fn declared_names(stmt: &Stmt, add: &mut dyn FnMut(&SmolStr)) {
    fn of_target(target: &Target, add: &mut dyn FnMut(&SmolStr)) {
        match target {
            Target::Name { name, .. } => add(name),
            Target::Object { entries, rest } => {
                entries.iter().for_each(|entry| of_target(&entry.target, add));
                if let Some(rest) = rest {
                    of_target(rest, add);
                }
            }
            Target::List { elements, .. } => {
                elements.iter().flatten().for_each(|(target, _)| of_target(target, add));
            }
            Target::Place(_) | Target::Opaque(_) => {}
        }
    }
    match &stmt.kind {
        StmtKind::Let { target, .. } => of_target(target, add),
        StmtKind::Function(function) => function.name.iter().for_each(add),
        StmtKind::Class(class) => class.name.iter().for_each(add),
        StmtKind::Namespace { name, .. } => add(name),
        StmtKind::Block(body) => body.iter().for_each(|stmt| declared_names(stmt, add)),
        _ => {}
    }
}
