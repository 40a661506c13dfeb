//! The items of Rust: modules, types with their implementations, constants.
//!
//! Items have no order. Before the statements of a module or block run, its names are bound: functions and types at
//! once, what `use` names and the values of constants when they are first read. Then implementations add their members,
//! and attributes are applied, as decorators, in the order in which they are written.

use std::rc::Rc;
use std::sync::Arc;

use smol_str::SmolStr;

use super::express::Args;
use super::module::Runs;
use super::value::{Body, ClassInfo, Closure, Outside, Passed, Slot, Value};
use super::{Abrupt, At, Frame, Machine, ObjectId, Resolved, Run, ScopeId};
use crate::code::{
    CHANGED, Class, ClassBody, Expr, ExprKind, Extension, Function, Import, Imported, Member, MemberKind, Stmt,
    StmtKind, Target,
};
use crate::found::Traced;
use crate::text::FileId;

/// The names under which code finds the modules around it.
pub(super) const HERE: &str = "self::";
const ABOVE: &str = "super";
const CRATE: &str = "crate";
/// The type whose members an implementation adds.
const SELF: &str = "Self";
/// The class of the prelude whose methods every value has.
pub(super) const ANY: &str = "Any";

/// A name that `use` binds to a path, looked up when it is read.
#[derive(Debug, Clone)]
pub(crate) struct PathTo {
    /// Where the path starts.
    pub(super) file: FileId,
    pub(super) scope: ScopeId,
    pub(super) path: Rc<[SmolStr]>,
}

impl Machine<'_> {
    /// Binds the names of the items among statements.
    pub(super) fn hoist_items(&mut self, body: &[Stmt], at: At<'_>) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Function(function) => {
                    if let Some(name) = &function.name {
                        let value = self.closure(function, None, at);
                        self.heap.set_name(at.scope, plain(name), value);
                    }
                }
                StmtKind::Class(class) => {
                    if let Some(name) = &class.name {
                        let value = self.declared_class(class, at);
                        self.heap.set_name(at.scope, name.clone(), value);
                    }
                }
                StmtKind::Let { target: Target::Name { name, .. }, value: Some(value), .. } => {
                    if let ExprKind::Later(function) = &value.kind {
                        let value = self.later(function, at);
                        self.heap.set_name(at.scope, name.clone(), value);
                    }
                }
                StmtKind::Import(import) => self.hoist_import(import, at),
                StmtKind::Namespace { name, body } => {
                    let inner = self.inline_module(name, at);
                    self.hoist_items(body, at.within(inner));
                }
                _ => {}
            }
        }
    }

    /// A value that is computed when it is first read.
    pub(super) fn later(&mut self, function: &Arc<Function>, at: At<'_>) -> Value {
        let closure = self.closure_of_function(function, at);
        Value::Object(self.allocate(None, Body::Later { closure: Rc::new(closure), value: None, runs: false }))
    }

    fn closure_of_function(&self, function: &Arc<Function>, at: At<'_>) -> Closure {
        Closure {
            function: Arc::clone(function),
            scope: at.scope,
            site: at.frame.site,
            this: None,
            home: at.frame.class,
            defaults: Vec::new(),
        }
    }

    /// The value of something that is computed when it is first read.
    pub(super) fn computed(&mut self, id: ObjectId) -> Run<Value> {
        let Body::Later { closure, value, runs } = &self.heap.get(id).body else { return Ok(Value::Object(id)) };
        if let Some(value) = value {
            return Ok(value.clone());
        }
        if *runs {
            return Ok(Value::unknown("a value that depends on itself"));
        }
        let closure = Rc::clone(closure);
        if let Body::Later { runs, .. } = &mut self.heap.change(id).body {
            *runs = true;
        }
        let place = closure.site.place(closure.function.span);
        let made = self.call_closure(&closure, Value::Undefined, Args::default(), place, None);
        let made = match made {
            Err(Abrupt::Throw(_)) => Ok(Value::unknown("a value whose computation fails")),
            made => made,
        };
        if let Body::Later { runs, value, .. } = &mut self.heap.change(id).body {
            *runs = false;
            *value = made.as_ref().ok().cloned();
        }
        made
    }

    // ── Modules ──────────────────────────────────────────────────────────────────────────────────────────

    /// Binds the names under which a file finds the modules around it.
    pub(super) fn predefined_modules(&mut self, file: FileId, scope: ScopeId, object: ObjectId) {
        self.heap.set_name(scope, HERE.into(), Value::Object(object));
        for name in [CRATE, ABOVE] {
            let path: Rc<[SmolStr]> = [SmolStr::new(name)].into_iter().collect();
            let value = Value::Object(self.allocate(None, Body::Path(PathTo { file, scope, path })));
            self.heap.set_name(scope, name.into(), value);
        }
    }

    /// The scope of `mod name { … }`.
    fn inline_module(&mut self, name: &SmolStr, at: At<'_>) -> ScopeId {
        let known = self.heap.own_name(at.scope, name).and_then(Value::as_object);
        if let Some(Body::Inline(scope)) = known.map(|id| &self.heap.get(id).body) {
            return *scope;
        }
        // The names of the module around it are not seen inside, but those of the language are.
        let file = at.frame.site.file;
        let realm = self.realm().scope;
        let scope = self.heap.open_function(Some(realm));
        let object = self.allocate(None, Body::Inline(scope));
        self.heap.set_name(at.scope, name.clone(), Value::Object(object));
        self.heap.set_name(scope, HERE.into(), Value::Object(object));
        let around = self.heap.scope_of(at.scope, HERE).and_then(|scope| self.heap.own_name(scope, HERE).cloned());
        self.heap.set_name(scope, ABOVE.into(), around.unwrap_or(Value::Undefined));
        let path: Rc<[SmolStr]> = [SmolStr::new(CRATE)].into_iter().collect();
        let root = Value::Object(self.allocate(None, Body::Path(PathTo { file, scope, path })));
        self.heap.set_name(scope, CRATE.into(), root);
        scope
    }

    /// Runs the items of `mod name { … }`, whose names are bound.
    pub(super) fn run_inline_module(&mut self, name: &SmolStr, body: &[Stmt], at: At<'_>) -> Run<()> {
        let scope = self.inline_module(name, at);
        for stmt in body {
            self.statement(stmt, at.within(scope))?;
        }
        Ok(())
    }

    fn hoist_import(&mut self, import: &Import, at: At<'_>) {
        let segments = import.module.split("::").filter(|segment| !segment.is_empty()).map(|segment| match segment {
            "self" => SmolStr::new_static(HERE),
            segment => SmolStr::new(segment),
        });
        let segments: Vec<SmolStr> = segments.collect();
        let file = at.frame.site.file;
        for name in &import.names {
            let path = match &name.imported {
                // The file of `mod name;`.
                Imported::Root => std::iter::once(import.module.clone()).collect(),
                Imported::Named(last) => segments.iter().cloned().chain([last.clone()]).collect(),
                _ => segments.iter().cloned().collect(),
            };
            let value = Value::Object(self.allocate(None, Body::Path(PathTo { file, scope: at.scope, path })));
            match name.imported {
                Imported::All => self.add_glob(at.scope, value),
                _ => self.heap.set_name(at.scope, name.local.clone(), value),
            }
        }
    }

    /// Notes the module of a `use module::*`.
    fn add_glob(&mut self, scope: ScopeId, module: Value) {
        let known = self.heap.own_name(scope, GLOBS).and_then(Value::as_object);
        if let Some(Body::List(globs)) = known.map(|id| &mut self.heap.change(id).body) {
            return globs.push(Slot::new(module));
        }
        let globs = self.list(vec![Slot::new(module)]);
        self.heap.set_name(scope, GLOBS.into(), globs);
    }

    /// Runs the file of `mod name;`.
    pub(super) fn run_own_modules(&mut self, import: &Import, at: At<'_>) -> Run<()> {
        if import.names.iter().any(|name| name.imported == Imported::Root)
            && let Resolved::Found(file) = self.world.resolve(at.frame.site.file, &import.module)
        {
            self.module(file, &Runs::ByPath)?;
        }
        Ok(())
    }

    /// The target of a path.
    pub(super) fn followed(&mut self, id: ObjectId) -> Run<Value> {
        let Body::Path(to) = &self.heap.get(id).body else { return Ok(Value::Object(id)) };
        let to = to.clone();
        if self.followed_paths.contains(&id) {
            return Ok(Value::Undefined);
        }
        self.followed_paths.push(id);
        let value = self.path(&to, id);
        self.followed_paths.pop();
        value
    }

    fn path(&mut self, to: &PathTo, own: ObjectId) -> Run<Value> {
        let place = self.here();
        let mut segments = to.path.iter();
        let Some(first) = segments.next() else { return Ok(Value::Undefined) };
        let mut value = match self.heap.own_name(to.scope, first).cloned() {
            // `use x::x;`, or the name of a module that a file has from the beginning.
            Some(Value::Object(found)) if found == own => self.root(to.file, first)?,
            Some(value) => self.through(value)?,
            None => {
                match self.heap.scope_of(to.scope, first).and_then(|scope| self.heap.own_name(scope, first).cloned()) {
                    Some(value) => self.through(value)?,
                    None => self.root(to.file, first)?,
                }
            }
        };
        for segment in segments {
            // `use super::super::x`
            value = match (segment.as_str(), self.body_of(&value)) {
                (ABOVE, Some(Body::Module(file))) => {
                    let file = *file;
                    self.root(file, segment)?
                }
                _ => self.member(&value, segment, place)?,
            };
        }
        Ok(value)
    }

    /// The module or crate that a path begins with.
    fn root(&mut self, from: FileId, name: &str) -> Run<Value> {
        if let Some(file) = super::realm::prelude_module(self.family, name) {
            return self.module_object(file);
        }
        let name = if name == HERE { "self" } else { name };
        match self.world.resolve(from, name) {
            Resolved::Found(file) => self.module_object(file),
            Resolved::Outside => Ok(self.outside(name, &[])),
            Resolved::Absent => Ok(Value::unknown(format!("`{name}` is not in the workspace"))),
        }
    }

    /// An item of a module, by its scope; `None` if there is none of this name.
    pub(super) fn item_of(&mut self, scope: ScopeId, name: &str) -> Run<Option<Value>> {
        if let Some(value) = self.heap.own_name(scope, name).cloned() {
            let value = self.through(value)?;
            return Ok((!matches!(value, Value::Undefined)).then_some(value));
        }
        self.item_of_globs(scope, name)
    }

    /// An item that `use module::*` brings into a scope.
    fn item_of_globs(&mut self, scope: ScopeId, name: &str) -> Run<Option<Value>> {
        let Some(globs) = self.heap.own_name(scope, GLOBS).and_then(Value::as_object) else { return Ok(None) };
        // The first package that is known to define the name, and all others that may.
        let (mut known, mut outside) = (None, Vec::new());
        let module = |machine: &Self, index: usize| match &machine.heap.get(globs).body {
            Body::List(globs) => globs.get(index).map(|slot| slot.value.clone()),
            _ => None,
        };
        let mut index = 0;
        while let Some(module) = module(self, index) {
            index += 1;
            self.step()?;
            let module = self.through(module)?;
            let Some(id) = module.as_object() else { continue };
            let inner = match &self.heap.get(id).body {
                Body::Module(file) => self.module_scope(*file),
                Body::Inline(scope) => Some(*scope),
                Body::Class(_) => {
                    if let Some(found) = self.found_in_class(id, name) {
                        return self.through(found).map(Some);
                    }
                    None
                }
                Body::Outside(_) => {
                    if known.is_none() && self.effects.as_ref().is_some_and(|effects| effects.knows(self, id, name)) {
                        known = Some(id);
                    }
                    outside.push(id);
                    None
                }
                _ => None,
            };
            if let Some(inner) = inner.filter(|inner| !self.searched_scopes.contains(inner)) {
                self.searched_scopes.push(scope);
                let found = self.item_of(inner, name);
                self.searched_scopes.pop();
                if let Some(found) = found? {
                    return Ok(Some(found));
                }
            }
        }
        // A type that nothing else defines comes from the only package that it can come from. Other names are crates.
        let is_type = name.starts_with(|first: char| first.is_uppercase());
        let package = known.or(if outside.len() == 1 && is_type { outside.pop() } else { None });
        Ok(package.map(|package| self.outside_member(&Value::Object(package), package, name)))
    }

    /// The value of a name that no scope binds: an item that `use …::*` brings in, or the name of a crate.
    pub(super) fn item_or_crate(&mut self, name: &SmolStr, at: At<'_>) -> Run<Value> {
        let mut scope = Some(at.scope);
        while let Some(current) = scope {
            if self.heap.own_name(current, GLOBS).is_some()
                && let Some(found) = self.item_of_globs(current, name)?
            {
                return Ok(found);
            }
            scope = self.heap.scope(current).parent;
        }
        let is_own = super::realm::is_prelude(at.frame.site.file);
        if is_own {
            return Ok(self.global(name, at.frame));
        }
        if let Some(file) = super::realm::prelude_module(self.family, name) {
            return self.module_object(file);
        }
        match self.world.resolve(at.frame.site.file, name) {
            Resolved::Found(file) => self.module_object(file),
            _ => Ok(self.outside(name, &[])),
        }
    }

    // ── Types ────────────────────────────────────────────────────────────────────────────────────────────

    /// The class that a struct, enum or trait declares. Its attributes are applied later.
    pub(super) fn declared_class(&mut self, class: &Arc<Class>, at: At<'_>) -> Value {
        let id = self.allocate(None, Body::Plain);
        let scope = self.heap.open(Some(at.scope));
        self.heap.set_name(scope, SELF.into(), Value::Object(id));
        let mut bases = Vec::new();
        for base in &class.bases {
            bases.extend(self.eval(&base.value, at).ok());
        }
        self.define_class(id, class, bases, at.within(scope));
        let inner = Frame { class: Some(id), ..at.frame.clone() };
        if let ClassBody::Members(members) = &class.body {
            let at = At { frame: &inner, scope };
            for member in members {
                self.add_member(id, member, at);
            }
        }
        Value::Object(id)
    }

    /// A class and the traits that it implements, directly or by others.
    fn base_order(&self, id: ObjectId, bases: &[Value]) -> Vec<ObjectId> {
        let mut order = vec![id];
        for base in bases.iter().filter_map(Value::as_object) {
            let inherited = match &self.heap.get(base).body {
                Body::Class(info) => info.order.clone(),
                _ => vec![base],
            };
            order.extend(inherited);
        }
        let mut seen = rustc_hash::FxHashSet::default();
        order.retain(|class| seen.insert(*class));
        order
    }

    /// Adds a method, constant or variant to a class.
    fn add_member(&mut self, id: ObjectId, member: &Member, at: At<'_>) {
        let ExprKind::Text(name) = &member.key.kind else { return };
        let value = match &member.kind {
            MemberKind::Method(function) => self.method(function, None, id, at),
            MemberKind::Field { value: Some(value), .. } => match &value.kind {
                ExprKind::Later(function) => self.later(function, at),
                _ => self.variant(value, at),
            },
            _ => return,
        };
        let key = Traced::literal(name.clone(), at.frame.site.place(member.key.span));
        self.heap.change(id).props.insert(name.clone(), Slot::keyed(Rc::new(key), value));
    }

    /// A variant of an enum: its class, or the only instance of it.
    fn variant(&mut self, value: &Expr, at: At<'_>) -> Value {
        let (class, is_instance) = match &value.kind {
            ExprKind::Class(class) => (class, false),
            ExprKind::Call(call) => match &call.callee.kind {
                ExprKind::Class(class) => (class, true),
                _ => return Value::Undefined,
            },
            _ => return Value::Undefined,
        };
        let class = self.declared_variant(class, at);
        match is_instance {
            true => Value::Object(self.allocate(class.as_object(), Body::Plain)),
            false => class,
        }
    }

    fn declared_variant(&mut self, class: &Arc<Class>, at: At<'_>) -> Value {
        let id = self.allocate(None, Body::Plain);
        let base = at.frame.class.map(Value::Object);
        let bases: Vec<Value> = base.into_iter().collect();
        self.define_class(id, class, bases, at);
        Value::Object(id)
    }

    /// Makes an object a class with these bases.
    fn define_class(&mut self, id: ObjectId, class: &Arc<Class>, bases: Vec<Value>, at: At<'_>) {
        let info = ClassInfo {
            class: Arc::clone(class),
            scope: at.scope,
            site: at.frame.site,
            order: self.base_order(id, &bases),
            bases,
            constructor: None,
            fields: Vec::new(),
            prototype: None,
        };
        self.heap.change(id).body = Body::Class(Rc::new(info));
    }

    /// Adds the members of an implementation to its class, and applies the attributes.
    pub(super) fn extend(&mut self, extension: &Extension, at: At<'_>) -> Run<()> {
        let is_blanket =
            matches!(&extension.of.kind, ExprKind::Name(name) if extension.types.iter().any(|known| known == name));
        let of = match is_blanket {
            true => self.realm().class(self, ANY).map_or(Value::Undefined, Value::Object),
            false => self.eval(&extension.of, at)?,
        };
        let behaviour = extension.behaviour.as_ref().map(|base| self.eval(base, at)).transpose()?;
        let id = match of.as_object().filter(|id| matches!(self.heap.get(*id).body, Body::Class(_))) {
            Some(id) => id,
            // A type that a macro makes, or that another package has.
            None => match self.unseen_class(&extension.of, at) {
                Some(id) => id,
                None => return Ok(()),
            },
        };
        let of = Value::Object(id);
        let Body::Class(info) = &self.heap.get(id).body else { return Ok(()) };
        if let Some(behaviour) = behaviour.clone() {
            let mut bases = info.bases.clone();
            bases.push(behaviour);
            let order = self.base_order(id, &bases);
            let Body::Class(info) = &self.heap.get(id).body else { return Ok(()) };
            let info = ClassInfo { bases, order, ..(**info).clone() };
            self.heap.change(id).body = Body::Class(Rc::new(info));
        }
        let scope = self.heap.open(Some(at.scope));
        self.heap.set_name(scope, SELF.into(), of.clone());
        let inner = Frame { class: Some(id), ..at.frame.clone() };
        let at_class = At { frame: &inner, scope };
        for member in &extension.members {
            self.add_member(id, member, at_class);
        }
        // The macros of an implementation read the attributes of its members.
        let mut macros = behaviour.into_iter().collect::<Vec<_>>();
        for attribute in &extension.decorators {
            macros.push(self.eval(attribute, at_class)?);
        }
        for member in &extension.members {
            let ExprKind::Text(name) = &member.key.kind else { continue };
            if member.decorators.is_empty() {
                continue;
            }
            self.bind_attributes(&member.decorators, &macros, at_class);
            if let Some(value) = self.heap.get(id).props.get(name).map(|slot| slot.value.clone()) {
                self.apply_attributes(&member.decorators, &value, at_class)?;
            }
        }
        if !extension.decorators.is_empty() {
            let view = self.view_of(extension, id);
            self.apply_attributes(&extension.decorators, &view, at_class)?;
        }
        Ok(())
    }

    /// Binds the attributes that nothing else defines to what they are in the packages of the macros around them.
    fn bind_attributes(&mut self, attributes: &[Expr], macros: &[Value], at: At<'_>) {
        for attribute in attributes {
            let name = match &attribute.kind {
                ExprKind::Name(name) => name,
                ExprKind::Call(call) => match &call.callee.kind {
                    ExprKind::Name(name) => name,
                    _ => continue,
                },
                _ => continue,
            };
            let known = self.item_or_crate(name, at).ok().and_then(|value| value.as_object());
            let is_crate = known.is_some_and(|id| match &self.heap.get(id).body {
                Body::Outside(outside) => matches!(&**outside, Outside::Export { path, .. } if path.is_empty()),
                _ => false,
            });
            if !is_crate || self.heap.scope_of(at.scope, name).is_some() {
                continue;
            }
            let packages = macros.iter().filter_map(|value| self.package_of(value));
            let packages: Vec<SmolStr> = packages.collect();
            for package in packages {
                let root = self.outside(&package, &[]);
                let knows = |root| self.effects.as_ref().is_some_and(|effects| effects.knows(self, root, name));
                if root.as_object().is_some_and(knows) {
                    let value = self.outside(&package, &[name]);
                    self.heap.set_name(at.scope, name.clone(), value);
                    break;
                }
            }
        }
    }

    /// The package that something of another package, or what it makes, comes from.
    fn package_of(&self, value: &Value) -> Option<SmolStr> {
        let mut id = value.as_object()?;
        loop {
            let Body::Outside(outside) = &self.heap.get(id).body else { return None };
            match &**outside {
                Outside::Export { module, .. } => return Some(module.clone()),
                Outside::Result(call) => id = call.callee,
                Outside::Member { of, .. } => id = *of,
                Outside::Given { .. } => return None,
            }
        }
    }

    /// A class for a type whose declaration is not seen.
    fn unseen_class(&mut self, of: &Expr, at: At<'_>) -> Option<ObjectId> {
        let name = of.identifier()?.clone();
        let class = Class {
            name: Some(name.clone()),
            name_span: of.span,
            bases: Vec::new(),
            decorators: Vec::new(),
            body: ClassBody::Members(Vec::new()),
            doc: None,
            span: of.span,
        };
        let value = self.declared_class(&Arc::new(class), at);
        if matches!(of.kind, ExprKind::Name(_)) {
            self.heap.set_name(at.scope, name, value.clone());
        }
        value.as_object()
    }

    /// A class with the members of one implementation alone.
    fn view_of(&mut self, extension: &Extension, id: ObjectId) -> Value {
        let body = self.heap.get(id).body.clone();
        let view = self.allocate(None, body);
        for member in &extension.members {
            let ExprKind::Text(name) = &member.key.kind else { continue };
            if let Some(slot) = self.heap.get(id).props.get(name).cloned() {
                self.heap.change(view).props.insert(name.clone(), slot);
            }
        }
        Value::Object(view)
    }

    /// Applies attributes to a function or class, which they do not change.
    pub(super) fn apply_attributes(&mut self, attributes: &[Expr], to: &Value, at: At<'_>) -> Run<()> {
        for attribute in attributes {
            let place = at.frame.site.place(attribute.span);
            let function = self.eval(attribute, at)?;
            let args = Args { list: vec![Passed { name: None, value: to.clone(), place }], more: None };
            self.decorates = true;
            let applied = self.call(&function, Value::Undefined, args, place);
            self.decorates = false;
            let applied = applied?;
            if let (Some(id), Some(made)) =
                (to.as_object(), applied.as_object().filter(|made| Some(*made) != to.as_object()))
            {
                let known = self.heap.get(id).props.get(ATTRIBUTES).map(|slot| slot.value.clone());
                let mut all = known.and_then(|known| self.plain_list(&known)).unwrap_or_default();
                all.push(Slot::new(Value::Object(made)));
                let all = self.list(all);
                let slot = Slot { hidden: true, ..Slot::new(all) };
                self.heap.change(id).props.insert(ATTRIBUTES.into(), slot);
            }
        }
        Ok(())
    }

    /// The function or class of the statement, whose attributes are applied now.
    pub(super) fn attributed(&mut self, name: Option<&SmolStr>, attributes: &[Expr], at: At<'_>) -> Run<()> {
        if attributes.is_empty() {
            return Ok(());
        }
        let Some(value) = name.and_then(|name| self.heap.own_name(at.scope, name).cloned()) else { return Ok(()) };
        self.apply_attributes(attributes, &value, at)
    }

    /// Runs a statement that only declares something; `None` for the others.
    pub(super) fn declaration(&mut self, stmt: &Stmt, at: At<'_>) -> Option<Run<()>> {
        Some(match &stmt.kind {
            StmtKind::Function(function) => {
                let name = function.name.as_ref().map(plain);
                self.attributed(name.as_ref(), &function.decorators, at)
            }
            StmtKind::Class(class) => self.attributed(class.name.as_ref(), &class.decorators, at),
            StmtKind::Import(import) => self.run_own_modules(import, at),
            StmtKind::Namespace { name, body } => self.run_inline_module(name, body, at),
            StmtKind::Let { value: Some(value), .. } if matches!(value.kind, ExprKind::Later(_)) => Ok(()),
            _ => return None,
        })
    }

    // ── Values ───────────────────────────────────────────────────────────────────────────────────────────

    /// `Type { a, b: 1, ..base }`, `Type(a)`: an instance.
    pub(super) fn record(&mut self, class: Option<ObjectId>, args: Args, place: crate::found::Place) -> Run<Value> {
        let id = self.allocate(class, Body::Plain);
        if let Some(Value::Unknown(more)) = &args.more {
            self.heap.change(id).more = Some(Rc::clone(more));
        }
        let mut index = 0;
        for arg in args.list {
            let name = match &arg.name {
                Some(name) if name == crate::code::TYPE_ARGUMENTS => continue,
                Some(name) => name.clone(),
                None => {
                    index += 1;
                    SmolStr::new((index - 1).to_string())
                }
            };
            let start = arg.place.span.start;
            let span = crate::text::Span { start, end: start + name.len() as u32 };
            let key = Traced::literal(name.clone(), crate::found::Place { span, ..arg.place });
            self.heap.change(id).props.insert(name, Slot::keyed(Rc::new(key), arg.value));
        }
        if !super::realm::is_prelude(place.file) {
            self.heap.change(id).literal = Some(super::value::Literal { place, is_open: args.more.is_some() });
        }
        Ok(Value::Object(id))
    }

    /// The name of the variant that a value of an enum of the standard library is.
    pub(super) fn variant_name(&self, value: &Value) -> Option<&SmolStr> {
        let class = self.heap.get(value.as_object()?).parent?;
        match &self.heap.get(class).body {
            Body::Class(info) if super::realm::is_prelude(info.site.file) => info.class.name.as_ref(),
            _ => None,
        }
    }

    /// `value?`: what is inside, or the end of the function.
    pub(super) fn unwrapped_or_left(&mut self, value: Value) -> Run<Value> {
        let mut inside = Vec::new();
        let mut left = Vec::new();
        for option in value.options() {
            match self.variant_name(option).map(SmolStr::as_str) {
                Some("Some" | "Ok") => {
                    let found = option.as_object().and_then(|id| self.heap.get(id).props.get("0"));
                    inside.push(found.map_or(Value::Undefined, |slot| slot.value.clone()));
                }
                Some("None" | "Err") => left.push(option.clone()),
                _ => inside.push(option.clone()),
            }
        }
        match (inside.is_empty(), left.is_empty()) {
            (true, false) => Err(Abrupt::Throw(Value::one_of(left))),
            _ => Ok(Value::one_of(inside)),
        }
    }

    /// The return value of a function that ends with `?` or `bail!`.
    pub(super) fn returned_error(&self, result: Run<Value>) -> Run<Value> {
        match result {
            Err(Abrupt::Throw(thrown))
                if thrown
                    .options()
                    .iter()
                    .all(|one| matches!(self.variant_name(one).map(SmolStr::as_str), Some("None" | "Err"))) =>
            {
                Ok(thrown)
            }
            result => result,
        }
    }

    /// Whether a method returns what its receiver becomes, since that is a text or number: `text.push_str("x")`. Only
    /// the prelude has such methods.
    pub(super) fn changes_receiver(&self, callee: &Value) -> bool {
        let Some(Body::Bound { function, .. }) = self.body_of(callee) else { return false };
        let Body::Function(closure) = &self.heap.get(*function).body else { return false };
        let first = closure.function.params.first().and_then(|param| param.annotation.as_ref());
        let is_changed = |annotation: &Expr| matches!(&annotation.kind, ExprKind::Name(name) if name == CHANGED);
        super::realm::is_prelude(closure.site.file) && first.is_some_and(is_changed)
    }

    /// Forgets the text or number at a place that was lent to a function, which may have changed it.
    pub(super) fn lent(&mut self, place: &Expr, at: At<'_>) -> Run<()> {
        if !matches!(place.kind, ExprKind::Name(_) | ExprKind::Member { .. }) {
            return Ok(());
        }
        match self.eval(place, at)? {
            Value::Text(_) | Value::Number(_) | Value::Bool(_) => {
                self.assign_to(place, Value::unknown("a value that a function writes to its argument"), at)
            }
            _ => Ok(()),
        }
    }

    /// Assigns to an expression, if it is a place.
    pub(super) fn assign_to(&mut self, expr: &Expr, value: Value, at: At<'_>) -> Run<()> {
        let target = match &expr.kind {
            ExprKind::Name(name) => Target::Name { name: name.clone(), span: expr.span },
            ExprKind::Member { .. } | ExprKind::At { .. } => Target::Place(Box::new(expr.clone())),
            _ => return Ok(()),
        };
        self.bind(&target, value, None, at)
    }

    /// Binds the type parameters of a function: those that a call gives, and those that an argument shows.
    pub(super) fn bind_types(&mut self, closure: &Closure, scope: ScopeId, args: &Args) -> Run<()> {
        let types = &closure.function.types;
        if types.is_empty() {
            return Ok(());
        }
        let given = args.list.iter().find(|arg| arg.name.as_deref() == Some(crate::code::TYPE_ARGUMENTS));
        let given: Vec<Value> = match given.map(|arg| &arg.value) {
            Some(value) => match self.body_of(value) {
                Some(Body::Tuple(slots)) => slots.iter().map(|slot| slot.value.clone()).collect(),
                _ => vec![value.clone()],
            },
            None => Vec::new(),
        };
        for (index, name) in types.iter().enumerate() {
            let mut value = given.get(index).cloned();
            if value.is_none() {
                let mut positional = args.list.iter().filter(|arg| arg.name.is_none());
                for param in &closure.function.params {
                    let arg = positional.next();
                    let is_of = matches!(&param.annotation, Some(Expr { kind: ExprKind::Name(of), .. }) if of == name);
                    if let Some(arg) = arg.filter(|_| is_of) {
                        let class = arg.value.as_object().and_then(|id| self.associated_class(id));
                        value = class.map(Value::Object);
                    }
                }
            }
            let value = value.unwrap_or_else(|| Value::unknown(format!("the type `{name}`")));
            self.heap.set_name(scope, name.clone(), value);
        }
        Ok(())
    }

    /// A function of a trait, as the class has it that implements the trait: its `Self` is that class.
    pub(super) fn of_self(&mut self, found: &Value, class: ObjectId) -> Value {
        let Some(Body::Function(closure)) = self.body_of(found) else { return found.clone() };
        if closure.home == Some(class) || closure.home.is_none() {
            return found.clone();
        }
        let closure = Rc::clone(closure);
        let scope = self.heap.open(Some(closure.scope));
        self.heap.set_name(scope, SELF.into(), Value::Object(class));
        let closure = Closure {
            function: Arc::clone(&closure.function),
            scope,
            site: closure.site,
            this: closure.this.clone(),
            home: closure.home,
            defaults: Vec::new(),
        };
        Value::Object(self.allocate(None, Body::Function(Rc::new(closure))))
    }
}

/// A name without the `r#` before it.
fn plain(name: &SmolStr) -> SmolStr {
    name.strip_prefix("r#").map_or_else(|| name.clone(), SmolStr::new)
}

/// The name under which a scope keeps the modules of `use module::*`.
const GLOBS: &str = "use::*";

/// The property of a function or class that holds the results of its attributes.
pub(crate) const ATTRIBUTES: &str = "@@attributes";
