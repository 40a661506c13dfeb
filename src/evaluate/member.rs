//! Stepping into values: properties of objects, members of classes, fields of records and instances.

use super::{ScopeKey, Unknown};
use super::expression::{Activation, Ctx, Evaluator, Value, one_of};
use crate::lower::{Bound, Call, Expr, Key, Prop, ScopeId, ScopeKind};

/// What languages call the function that makes an instance.
pub(super) const CONSTRUCTORS: [&str; 2] = ["constructor", "__init__"];

impl<'a> Evaluator<'a> {
    #[inline(never)]
    pub(super) fn member(&self, object: &Value<'a>, key: &Key) -> Value<'a> {
        match (object, key) {
            (Value::Expr(expr, ctx), key) => self.deeper(|| self.member_of_expr(object, expr, ctx, key)),
            (Value::List(elements), Key::Index(index)) => {
                elements.known.get(*index as usize).cloned().unwrap_or(Value::Absent)
            }
            (Value::External { module, path }, Key::Field(field)) => {
                let mut path = path.clone();
                path.push(field.clone());
                Value::External { module: module.clone(), path }
            }
            (Value::Module(file), Key::Field(field)) => self.export(*file, field),
            (Value::Server { key: server, framework }, Key::Field(field)) => {
                let row = &self.world.frameworks().rows[*framework];
                if row.same_server.contains(field) {
                    Value::Server { key: server.clone(), framework: *framework }
                } else {
                    Value::unknown("a member of a server object")
                }
            }
            // The value of an enum member is the member itself, for an enum of strings.
            (Value::Text(_), Key::Field(field)) if field == "value" => object.clone(),
            (Value::Choice(options), key) => {
                let found: Vec<Value<'a>> = options
                    .iter()
                    .map(|option| self.member(option, key))
                    .filter(|value| !matches!(value, Value::Absent | Value::Unknown(Unknown { blocked: None, .. })))
                    .collect();
                if found.is_empty() { Value::unknown("a member of one of several values") } else { one_of(found) }
            }
            (Value::Unknown(unknown), _) => Value::Unknown(unknown.clone()),
            (Value::Absent, _) => Value::Absent,
            _ => Value::unknown("a member of a value that has none"),
        }
    }

    #[inline(never)]
    fn member_of_expr(&self, object: &Value<'a>, expr: &'a Expr, ctx: &Ctx<'a>, key: &Key) -> Value<'a> {
        match (expr, key) {
            (Expr::Object { props, .. }, Key::Field(field)) => self.property(props, ctx, field),
            (Expr::Array { .. }, Key::Index(index)) => {
                let elements = self.elements(object);
                match elements.known.get(*index as usize) {
                    Some(value) => value.clone(),
                    None => elements.rest.map_or(Value::Absent, Value::Unknown),
                }
            }
            (Expr::Class { scope, .. }, Key::Field(field)) => self.class_member(*scope, ctx, field),
            (Expr::Call(id), Key::Field(field)) => {
                let call = self.item(ctx.file, ctx.item).call(*id);
                self.record_member(call, ctx, field)
            }
            _ => Value::Absent,
        }
    }

    /// A property of an object literal: the last one of that name wins, as at run time.
    #[inline(never)]
    fn property(&self, props: &'a [Prop], ctx: &Ctx<'a>, field: &str) -> Value<'a> {
        for prop in props.iter().rev() {
            match prop {
                Prop::Pair { key: Expr::Text { text, .. }, value } if text == field => return self.eval(value, ctx),
                Prop::Pair { key: Expr::Text { .. }, .. } => {}
                Prop::Pair { key, value } => {
                    if let Value::Text(text) = self.eval(key, ctx)
                        && text.unknown().is_none()
                        && text.text() == field
                    {
                        return self.eval(value, ctx);
                    }
                }
                Prop::Spread(inner) => {
                    let inner = self.eval(inner, ctx);
                    match self.member(&inner, &Key::Field(field.into())) {
                        Value::Absent => {}
                        found => return found,
                    }
                }
            }
        }
        Value::Absent
    }

    #[inline(never)]
    fn class_member(&self, class: ScopeId, ctx: &Ctx<'a>, field: &str) -> Value<'a> {
        let scope = self.item(ctx.file, ctx.item).scope(class);
        let found: Vec<Value<'a>> = scope
            .bindings
            .iter()
            .filter(|binding| binding.name == field)
            .map(|binding| self.bound(binding, class, ctx))
            .collect();
        if !found.is_empty() {
            return one_of(found);
        }
        if let ScopeKind::Class { bases } = &scope.kind {
            let outside = ctx.in_scope(scope.parent.unwrap_or(ScopeId(0)));
            for base in bases {
                let base = self.eval(base, &outside);
                let value = self.member(&base, &Key::Field(field.into()));
                if !matches!(value, Value::Absent | Value::Unknown(_) | Value::External { .. }) {
                    return value;
                }
            }
        }
        Value::Absent
    }

    /// The function that runs when a class is called.
    pub(super) fn constructor(&self, class: ScopeId, ctx: &Ctx<'a>) -> Option<ScopeId> {
        let scope = self.item(ctx.file, ctx.item).scope(class);
        scope.bindings.iter().find_map(|binding| match &binding.value {
            Bound::Value(Expr::Function { scope, .. }) if CONSTRUCTORS.contains(&binding.name.as_str()) => Some(*scope),
            _ => None,
        })
    }

    /// Whether a function is some class's constructor.
    pub(super) fn is_constructor(&self, key: ScopeKey) -> bool {
        let facts = self.item(key.file, key.item);
        let class = facts.scope(key.scope).parent.filter(|&parent| {
            matches!(facts.scope(parent).kind, ScopeKind::Class { .. })
        });
        class.is_some_and(|class| {
            self.constructor(class, &Ctx::new(key.file, key.item, class)) == Some(key.scope)
        })
    }

    /// A member of what a call made: a keyword argument of a record, or a member of an instance of a class.
    #[inline(never)]
    fn record_member(&self, call: &'a Call, ctx: &Ctx<'a>, field: &str) -> Value<'a> {
        let callee = self.eval(&call.callee, &ctx.in_scope(call.scope));
        if let Value::Expr(Expr::Class { scope, .. }, class_ctx) = &callee {
            let facts = self.item(class_ctx.file, class_ctx.item);
            let inside = match self.constructor(*scope, class_ctx) {
                Some(constructor) => {
                    let at = ctx.in_scope(call.scope);
                    let receiver = matches!(&facts.scope(constructor).kind, ScopeKind::Function(f) if f.receiver);
                    class_ctx.with(
                        class_ctx.key(constructor),
                        Activation::Args { args: &call.args, at, receiver, open: false },
                    )
                }
                None => class_ctx.clone(),
            };
            let member = self.class_member(*scope, &inside, field);
            if !matches!(member, Value::Absent) {
                return member;
            }
        }
        for arg in call.args.iter().rev() {
            match (&arg.name, &arg.value) {
                (Some(name), value) if name == field => {
                    return self.eval(value, &ctx.in_scope(call.scope));
                }
                (None, Expr::Spread(inner)) => {
                    let inner = self.eval(inner, &ctx.in_scope(call.scope));
                    match self.member(&inner, &Key::Field(field.into())) {
                        Value::Absent => {}
                        found => return found,
                    }
                }
                _ => {}
            }
        }
        Value::Absent
    }
}
