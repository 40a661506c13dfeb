//! Methods that are bound to another name, replaced by one of the project, or never run.

use smol_str::SmolStr;

use super::ServerKey;
use super::environment::Ctx;
use super::expression::Evaluator;
use super::member::{CONSTRUCTORS, is_super};
use super::names::MAX_BINDINGS;
use super::value::Value;
use crate::lower::{Bound, Expr, Key, ScopeKind};
use crate::text::FileId;

impl<'a> Evaluator<'a> {
    /// Resolves a callee that is another name for a method, such as `add` after `add = mcp.add_tool`, to that method.
    /// Any other callee is returned unchanged.
    pub(super) fn unaliased(&self, callee: &'a Expr, ctx: &Ctx<'a>) -> &'a Expr {
        let Expr::Name { name, .. } = callee else { return callee };
        let Some(family) = self.world.family(ctx.file) else { return callee };
        let bound = self.bindings_of(name, ctx);
        /// Whether an expression means the same in every item of its file.
        fn is_path(expr: &Expr) -> bool {
            match expr {
                Expr::Name { .. } => true,
                Expr::Member { object, .. } => is_path(object),
                _ => false,
            }
        }
        // `const add = server.registerTool.bind(server)`
        let unbound = |item: u32, value: &'a Expr| match value {
            Expr::Call(id) => match &self.item(ctx.file, item).call(*id).callee {
                Expr::Member { object, key: Key::Field(bind), .. } if bind == "bind" => &**object,
                _ => value,
            },
            value => value,
        };
        let value = match bound.as_slice() {
            [(item, Bound::Value(value))] => unbound(*item, value),
            _ => return callee,
        };
        match value {
            method @ Expr::Member { object, key: Key::Field(last), .. }
                if is_path(object)
                    && !self.is_replaced(last, ctx.file)
                    && !self.world.frameworks().candidates(family, last).is_empty() =>
            {
                method
            }
            _ => callee,
        }
    }

    /// Whether an expression is the result of a call of one of these methods, or a variable bound to one.
    pub(super) fn is_given_by(&self, expr: &'a Expr, methods: &[SmolStr], ctx: &Ctx<'a>) -> bool {
        let is_call = |item: u32, value: &Expr| match value {
            Expr::Call(id) => {
                let callee = &self.item(ctx.file, item).call(*id).callee;
                matches!(callee, Expr::Member { key: Key::Field(method), .. } if methods.contains(method))
            }
            _ => false,
        };
        let Expr::Name { name, .. } = expr else { return is_call(ctx.item, expr) };
        self.bindings_of(name, ctx)
            .iter()
            .any(|(item, bound)| matches!(bound, Bound::Value(value) if is_call(*item, value)))
    }

    /// The values bound to a variable in the nearest enclosing scope that binds it, each with the item of the binding.
    pub(super) fn bindings_of(&self, name: &SmolStr, ctx: &Ctx<'a>) -> Vec<(u32, &'a Bound)> {
        let facts = self.item(ctx.file, ctx.item);
        let around = std::iter::successors(Some(ctx.scope), |scope| facts.scope(*scope).parent);
        for scope in around.take_while(|scope| scope.0 != 0) {
            let own = facts.bindings_of(scope, name).into_iter();
            let bound: Vec<(u32, &'a Bound)> = own.map(|one| (ctx.item, &one.value)).collect();
            if !bound.is_empty() {
                return bound;
            }
        }
        let top = self.world.facts(ctx.file).and_then(|facts| facts.top_level.get(name));
        // A variable that is bound in more places than that is unknown.
        let top = top.filter(|places| places.len() <= MAX_BINDINGS).into_iter().flatten();
        top.map(|&(item, index)| (item, &self.item(ctx.file, item).scopes[0].bindings[index as usize].value)).collect()
    }

    /// Whether a file replaces a method with its own function. If the file keeps the original method, the new function
    /// calls it.
    pub(super) fn is_replaced(&self, method: &SmolStr, file: FileId) -> bool {
        let Some(facts) = self.world.facts(file) else { return false };
        let is_it = |key: &Expr| matches!(key, Expr::Text { text, .. } if text == method);
        facts.items.iter().flat_map(|item| &item.facts.assigned).any(|assigned| is_it(&assigned.key))
    }

    /// The key of a server class of the project, if a place is in a method of that class that overrides the framework's
    /// method. What that method passes on is registered by its callers.
    pub(super) fn overrides(&self, method: &SmolStr, ctx: &Ctx<'a>) -> Option<ServerKey> {
        let facts = self.item(ctx.file, ctx.item);
        let around = std::iter::successors(Some(ctx.scope), |scope| facts.scope(*scope).parent);
        let mut around = around.filter_map(|scope| facts.definition_of(scope));
        let method = around.find(|definition| {
            definition.name == *method
                && matches!(facts.scope(definition.scope).kind, ScopeKind::Class { .. })
                && self.server_class(definition.scope, ctx, 0).is_some()
        })?;
        self.class_key(method.scope, ctx)
    }

    /// Whether a place is in a method that never runs: every class that derives from the method's class overrides it
    /// without calling it, and the class itself has no instances.
    pub(super) fn is_overridden(&self, ctx: &Ctx<'a>) -> bool {
        let facts = self.item(ctx.file, ctx.item);
        let mut around = std::iter::successors(Some(ctx.scope), |scope| facts.scope(*scope).parent);
        let method = around.find(|scope| {
            let parent = facts.scope(*scope).parent;
            parent.is_some_and(|parent| matches!(facts.scope(parent).kind, ScopeKind::Class { .. }))
        });
        let Some((method, class)) = method.and_then(|method| Some((method, facts.scope(method).parent?))) else {
            return false;
        };
        let Some(name) = facts.binding_of_body(class, method).map(|binding| &binding.name) else { return false };
        let Some(definition) = self.class_definition(class, ctx) else { return false };
        if CONSTRUCTORS.contains(&name.as_str()) {
            return false;
        }
        // This comes first, because a derived class may be in a file that is not loaded yet.
        let derived = self.derived_classes(class, &ctx.in_scope(class));
        if derived.is_empty() {
            return false;
        }
        let is_made = self.world.files_calling(&definition.name).iter().any(|&file| {
            let calls = self.world.facts(file).and_then(|facts| facts.calls.get(&definition.name));
            calls.is_some_and(|calls| !calls.is_empty())
        });
        !is_made
            && derived.iter().all(|derived| {
                let Value::Expr(Expr::Class { scope, .. }, at) = derived else { return false };
                let item = self.item(at.file, at.item);
                let replaces = item.binds(*scope, name);
                let hands_on = item.calls.iter().any(|call| {
                    call.callee.last_name() == Some(name)
                        && matches!(&call.callee, Expr::Member { object, .. } if is_super(object, item))
                });
                replaces && !hands_on
            })
    }
}
