//! Servers that are passed to code that cannot be followed: what that code registers is unknown.

use super::environment::Ctx;
use super::expression::Evaluator;
use super::value::Value;
use super::{Found, ServerKey};
use crate::framework::Kind;
use crate::lower::{Arg, Assigned, Bound, Call, Expr, Key, Prop, sounds_like_a_server};
use crate::text::Span;

impl<'a> Evaluator<'a> {
    /// Records each server that a call passes, itself or as one of its registering methods, to code that cannot be
    /// followed and that may register tools.
    #[inline(never)]
    pub(super) fn escapes(&self, call: &'a Call, ctx: &Ctx<'a>, found: &mut Found) {
        // `server.registerTool.bind(server)`
        if let Expr::Member { object, .. } = &call.callee {
            self.method_escapes(object, ctx, call.span, found);
        }
        for arg in &call.args {
            self.method_escapes(&arg.value, ctx, call.span, found);
        }
        let mut keys = Vec::new();
        for arg in &call.args {
            self.servers_within(&arg.value, ctx, 0, &mut keys);
        }
        // An argument from a caller may be a server. Not all arguments of all calls can be followed, only those that
        // are named like a server.
        let telling = |arg: &&'a Arg| arg.value.last_name().is_some_and(|name| sounds_like_a_server(name));
        if keys.is_empty() {
            for arg in call.args.iter().filter(telling) {
                for at in self.reached(&[&arg.value], ctx.clone(), 0) {
                    self.servers_within(&arg.value, &at, 0, &mut keys);
                }
            }
            keys.sort();
            keys.dedup();
        }
        // A class that is passed as a value is not a server yet, but `this` is.
        let hands_on_itself = call.args.iter().any(|arg| arg.value.is_receiver());
        keys.retain(|key| hands_on_itself || matches!(key, ServerKey::Object { .. }));
        if keys.is_empty() || self.is_followed(call, ctx, 0) {
            return;
        }
        let name = call.callee.last_name().cloned().unwrap_or_default();
        found.escapes.extend(keys.into_iter().map(|key| (key, ctx.place(call.span), name.clone())));
    }

    /// Records a server that is assigned to a property of something unknown.
    pub(super) fn assigned_escapes(&self, assigned: &'a Assigned, ctx: &Ctx<'a>, found: &mut Found) {
        let mut keys = Vec::new();
        self.servers_within(&assigned.value, ctx, 0, &mut keys);
        keys.retain(|key| matches!(key, ServerKey::Object { .. }));
        let is_seen = |value: &Value<'a>| match value {
            Value::Expr(Expr::Call(id), at) => {
                let callee = &self.item(at.file, at.item).call(*id).callee;
                matches!(self.eval(callee, at), Value::Expr(..))
            }
            Value::Expr(..) | Value::Pairs(_) | Value::Server { .. } | Value::Module(_) => true,
            _ => false,
        };
        if keys.is_empty() || is_seen(&self.eval(&assigned.table, ctx)) {
            return;
        }
        let span = assigned.value.span(self.item(ctx.file, ctx.item));
        let name = assigned.table.last_name().cloned().unwrap_or_default();
        found.escapes.extend(keys.into_iter().map(|key| (key, ctx.place(span), name.clone())));
    }

    /// Adds the servers that an argument is, or contains in an object or list, to `keys`.
    fn servers_within(&self, value: &'a Expr, ctx: &Ctx<'a>, depth: u32, keys: &mut Vec<ServerKey>) {
        match value {
            Expr::Name { .. } | Expr::Member { .. } => match self.eval(value, ctx) {
                Value::Expr(object @ Expr::Object { .. }, at) if depth < 3 => {
                    self.servers_within(object, &at, depth + 1, keys);
                }
                // `register(this)` also passes on the servers in the fields of `this`.
                Value::Expr(Expr::Class { scope, .. }, at) if depth < 3 && value.is_receiver() => {
                    self.server_keys(&Value::Expr(value, ctx.clone()), keys);
                    keys.extend(self.class_key(*scope, &at));
                    for field in &self.item(at.file, at.item).scope(*scope).bindings {
                        if let Bound::Value(held) = &field.value
                            && !matches!(held, Expr::Function { .. })
                        {
                            self.server_keys(&self.eval(held, &at.in_scope(field.scope)), keys);
                        }
                    }
                }
                value => self.server_keys(&value, keys),
            },
            Expr::Call(_) => self.server_keys(&self.eval(value, ctx), keys),
            Expr::Object { props, .. } if depth < 3 => {
                for prop in props {
                    match prop {
                        Prop::Pair { value, .. } | Prop::Spread(value) => {
                            self.servers_within(value, ctx, depth + 1, keys)
                        }
                    }
                }
            }
            Expr::Array { elements, .. } if depth < 3 => {
                elements.iter().for_each(|element| self.servers_within(element, ctx, depth + 1, keys));
            }
            _ => {}
        }
    }

    /// Whether a callee that receives a server can be followed, or need not be: a function or class of the workspace,
    /// something of a framework, or a method that only stores or logs its arguments.
    #[inline(never)]
    fn is_followed(&self, call: &'a Call, ctx: &Ctx<'a>, depth: u32) -> bool {
        /// Methods of maps, sets, lists and loggers, and `connect`.
        const KEEPING: [&str; 8] = ["set", "push", "append", "add", "log", "info", "debug", "connect"];
        if let Expr::Member { key: Key::Field(method), .. } = &call.callee
            && KEEPING.contains(&method.as_str())
        {
            return true;
        }
        // A framework's own method for mounting one server in another.
        let family = self.world.family(ctx.file);
        let frameworks = self.world.frameworks();
        let mut forms = call.callee.last_name().zip(family).into_iter();
        let mounts = forms.any(|(last, family)| {
            let mut candidates = frameworks.candidates(family, last).iter();
            candidates
                .any(|&id| frameworks.form(id).kind == Kind::Mount && self.world.project_uses(ctx.file, id.framework))
        });
        if mounts {
            return true;
        }
        match self.eval(&call.callee, ctx) {
            Value::Expr(Expr::Function { .. } | Expr::Class { .. }, _) | Value::Server { .. } => true,
            Value::External { module, .. } => {
                let family = self.world.family(ctx.file);
                family.is_some_and(|family| self.world.frameworks().owner_of_module(family, &module).is_some())
            }
            value => match value.blocked() {
                // `for (const plugin of plugins) plugin.register(server)`: every one of them.
                Some(key) if depth < 3 => match self.activations(key, ctx) {
                    Ok(each) => !each.is_empty() && each.iter().all(|ctx| self.is_followed(call, ctx, depth + 1)),
                    Err(_) => {
                        let callers = self.callers(key, ctx);
                        !callers.is_empty() && callers.iter().all(|ctx| self.is_followed(call, ctx, depth + 1))
                    }
                },
                // A method of a server that registers nothing. Of any other callee, nothing is known.
                _ => {
                    matches!(&call.callee, Expr::Member { object, .. } if matches!(self.eval(object, ctx), Value::Server { .. }))
                }
            },
        }
    }

    /// Records a method that registers tools and is read from its server without being called: `tool = mcp.tool`.
    pub(super) fn method_escapes(&self, value: &'a Expr, ctx: &Ctx<'a>, span: Span, found: &mut Found) {
        let Expr::Member { object, key: Key::Field(method), .. } = value else { return };
        let Some(family) = self.world.family(ctx.file) else { return };
        if self.world.frameworks().candidates(family, method).is_empty() {
            return;
        }
        if let Value::Server { key, .. } = self.eval(object, ctx) {
            found.escapes.push((key, ctx.place(span), method.clone()));
        }
    }
}
