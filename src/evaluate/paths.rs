//! Rust paths: through crates of the workspace, modules in separate files, and inline modules.

use smol_str::SmolStr;

use super::environment::Ctx;
use super::expression::Evaluator;
use super::value::Value;
use super::{Lookup, Want};
use crate::lower::{Bound, CRATE, Expr, Imported, Key, PARENT_MODULE, ScopeId, ScopeKind, THIS_MODULE};
use crate::path::has_too_many_parts;
use crate::text::FileId;

impl<'a> Evaluator<'a> {
    /// The value of `use module::name` in a file.
    #[inline(never)]
    pub(super) fn used(&self, from: FileId, module: &SmolStr, name: &Imported) -> Value<'a> {
        if has_too_many_parts(module) {
            return Value::unknown("a path of too many parts");
        }
        let mut path: Vec<&str> = module.split("::").collect();
        if let Imported::Named(name) = name {
            path.push(name);
        }
        let inside = |value: Value<'a>, rest: &[&str]| {
            rest.iter().fold(value, |value, part| self.member(&value, &Key::Field(SmolStr::new(part))))
        };
        // Finds the longest prefix that is a module in a file, and resolves the rest of the path among the items of
        // that module.
        for end in (1..=path.len()).rev() {
            let module = SmolStr::new(path[..end].join("::"));
            match self.lookup(from, &module) {
                Lookup::Found(file) => return inside(Value::Module(file), &path[end..]),
                Lookup::NotLoaded => {
                    self.wants.borrow_mut().insert(Want::Import { from, module });
                    return Value::unknown("a module that is not loaded");
                }
                Lookup::External if end == path.len() && self.is_of_framework(from, &module) => break,
                Lookup::External | Lookup::Absent => {}
            }
        }
        // `use names::X`, with an inline module of the same file.
        let first = SmolStr::new(path[0]);
        let is_module = |&(item, index): &(u32, u32)| {
            let binding = &self.item(from, item).scopes[0].bindings[index as usize];
            match &binding.value {
                Bound::Value(Expr::Class { .. }) => true,
                Bound::Import { module, .. } => *module != first,
                _ => false,
            }
        };
        let top = self.world.facts(from).and_then(|facts| facts.top_level.get(&first));
        if path.len() > 1 && top.is_some_and(|places| places.iter().any(is_module)) {
            return self.deeper(|| inside(self.top_level(from, &first), &path[1..]));
        }
        match [CRATE, "self", "super"].contains(&path[0]) {
            true => Value::unknown(format!("`{}` is not in the workspace", path.join("::"))),
            false => {
                let path = match name {
                    Imported::Named(name) => vec![name.clone()],
                    Imported::Module | Imported::Default => Vec::new(),
                };
                Value::External { module: module.clone(), path }
            }
        }
    }

    /// The value of a `use` that may be in an inline module, where `self` and `super` mean that module and the one
    /// around it.
    pub(super) fn used_inside(&self, module: &SmolStr, name: &Imported, ctx: &Ctx<'a>) -> Value<'a> {
        let mut path = module.split("::").peekable();
        if !self.is_in_inline_module(ctx) || !matches!(path.peek(), Some(&("self" | "super"))) {
            return self.used(ctx.file, module, name);
        }
        let mut inside = self.module_around(ctx, path.next() == Some("super"));
        let named = match name {
            Imported::Named(name) => Some(name.as_str()),
            Imported::Module | Imported::Default => None,
        };
        for part in path.chain(named) {
            inside = match (part, &inside) {
                ("super", Value::Expr(_, at)) => self.module_around(at, true),
                ("super", Value::Module(file)) => self.used(*file, &SmolStr::new_static("super"), &Imported::Module),
                _ => self.member(&inside, &Key::Field(SmolStr::new(part))),
            };
        }
        inside
    }

    /// The module that the first segment of a path stands for; `None` unless it is `crate`, `self` or `super`.
    pub(super) fn path_root(&self, name: &str, ctx: &Ctx<'a>) -> Option<Value<'a>> {
        match name {
            CRATE => Some(self.used(ctx.file, &SmolStr::new_static(CRATE), &Imported::Module)),
            THIS_MODULE => Some(self.module_around(ctx, false)),
            PARENT_MODULE => Some(self.module_around(ctx, true)),
            _ => None,
        }
    }

    /// The module around a place or, with `parent`, the one around that module.
    fn module_around(&self, ctx: &Ctx<'a>, parent: bool) -> Value<'a> {
        let facts = self.item(ctx.file, ctx.item);
        let around = std::iter::successors(Some(ctx.scope), |scope| facts.scope(*scope).parent);
        let mut inner = around.filter(|scope| matches!(facts.scope(*scope).kind, ScopeKind::Namespace));
        let own = if parent { inner.next().and_then(|_| inner.next()) } else { inner.next() };
        let is_inline = self.is_in_inline_module(ctx);
        match own {
            Some(module) => self.inline_module(module, ctx),
            None if parent && !is_inline => self.used(ctx.file, &SmolStr::new_static("super"), &Imported::Module),
            None => Value::Module(ctx.file),
        }
    }

    fn is_in_inline_module(&self, ctx: &Ctx<'a>) -> bool {
        let facts = self.item(ctx.file, ctx.item);
        let mut around = std::iter::successors(Some(ctx.scope), |scope| facts.scope(*scope).parent);
        around.any(|scope| matches!(facts.scope(scope).kind, ScopeKind::Namespace))
    }

    /// An inline module, as the value of its name.
    fn inline_module(&self, module: ScopeId, ctx: &Ctx<'a>) -> Value<'a> {
        let facts = self.item(ctx.file, ctx.item);
        let bindings = facts.scope(module).parent.map_or(&[][..], |parent| &facts.scope(parent).bindings);
        let named = bindings.iter().find_map(|binding| match &binding.value {
            Bound::Value(value @ Expr::Class { scope, .. }) if *scope == module => Some(value),
            _ => None,
        });
        named.map_or(Value::Absent, |value| Value::Expr(value, ctx.in_scope(module)))
    }
}
