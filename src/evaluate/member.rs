//! Member access: properties of objects, members of classes, fields of records and instances.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::environment::{Activation, Ctx, This};
use super::expression::Evaluator;
use super::growth::Holder;
use super::value::{Pairs, Value, one_of};
use super::{ScopeKey, Unknown};
use crate::lower::{Binding, Bound, Call, CallId, Expr, Growth, ItemFacts, Key, Prop, ScopeId, ScopeKind};
use crate::syntax::Family;

/// The names of constructors in the languages.
pub(super) const CONSTRUCTORS: [&str; 2] = ["constructor", "__init__"];

/// The largest number of entries or elements that is searched one by one.
const FEW: usize = 16;

/// The positions of the entries of an object literal.
#[derive(Default)]
pub(super) struct Entries<'a> {
    /// The position of the last entry of each name.
    named: FxHashMap<&'a str, usize>,
    /// The positions, ascending, of the entries with names that have to be evaluated, including spreads.
    computed: Vec<usize>,
}

/// What a member of a zod schema returns: the first argument with which the schema was created, or a part of it.
enum SchemaPart {
    /// Its first argument.
    Whole,
    /// An object with each element of its first argument as both key and value.
    ByText,
}

/// Members of zod schemas: `z.object({ … }).shape`, `z.literal("x").value`, `z.enum(["a", "b"]).options` and `.enum.a`.
const SCHEMA_PARTS: [(&str, SchemaPart); 6] = [
    ("shape", SchemaPart::Whole),
    ("value", SchemaPart::Whole),
    ("options", SchemaPart::Whole),
    ("enum", SchemaPart::ByText),
    ("Enum", SchemaPart::ByText),
    ("Values", SchemaPart::ByText),
];

impl<'a> Evaluator<'a> {
    #[inline(never)]
    pub(super) fn member(&self, object: &Value<'a>, key: &Key) -> Value<'a> {
        match (object, key) {
            // `function.__name__`
            (Value::Expr(Expr::Function { .. } | Expr::Class { .. }, _), Key::Field(field)) if field == "__name__" => {
                self.identifier_of(object)
            }
            (Value::Expr(expr, ctx), key) => self.deeper(|| self.member_of_expr(object, expr, ctx, key)),
            (Value::List(elements), Key::Index(index)) => {
                elements.known.get(*index as usize).cloned().unwrap_or(Value::Absent)
            }
            (Value::Pairs(pairs), Key::Field(field)) => {
                self.spend(pairs.known.len());
                let is_it = |key: &Value<'a>| matches!(key, Value::Text(text) if text.is(field));
                match pairs.known.iter().rev().find(|(key, _)| is_it(key)) {
                    Some((_, value)) => value.clone(),
                    None => pairs.rest.clone().map_or(Value::Absent, Value::Unknown),
                }
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
                let members: Vec<Value<'a>> = options.iter().map(|option| self.member(option, key)).collect();
                if members.iter().all(|member| matches!(member, Value::Absent)) {
                    return Value::Absent;
                }
                let found: Vec<Value<'a>> = members
                    .into_iter()
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
            // Only a spread element in front of it would shift its index.
            (Expr::Array { elements, .. }, Key::Index(index)) if (*index as usize) < self.first_spread(elements) => {
                elements.get(*index as usize).map_or(Value::Absent, |element| self.eval(element, ctx))
            }
            (Expr::Array { .. }, Key::Index(index)) => {
                let elements = self.elements(object);
                match elements.known.get(*index as usize) {
                    Some(value) => value.clone(),
                    None => elements.rest.map_or(Value::Absent, Value::Unknown),
                }
            }
            // `this.constructor` is the class of the method's receiver.
            (Expr::Class { .. }, Key::Field(field)) if field == "constructor" && self.is_script(ctx) => object.clone(),
            (Expr::Call(id), Key::Field(field)) if field == "constructor" && self.is_script(ctx) => {
                let call = self.item(ctx.file, ctx.item).call(*id);
                self.eval(&call.callee, &ctx.in_scope(call.scope))
            }
            (Expr::Class { scope, .. }, Key::Field(field)) => match self.class_member(*scope, ctx, field, object) {
                Value::Absent => match self.set_on_class(*scope, ctx, field) {
                    Some(value) => value,
                    // `SearchTool.name`, of the class itself.
                    None if field == "name" && self.is_script(ctx) => self.identifier_of(object),
                    None => Value::Absent,
                },
                member => member,
            },
            (Expr::Call(id), Key::Field(field)) => {
                let call = self.item(ctx.file, ctx.item).call(*id);
                self.record_member(object, call, ctx, field)
            }
            (Expr::Array { .. } | Expr::Each { .. }, Key::Field(_)) => Value::unknown("a property of a list"),
            _ => Value::Absent,
        }
    }

    /// The value assigned to a member of a class after its body, as compilers write static fields: `SearchTool.toolName
    /// = "search"`.
    fn set_on_class(&self, class: ScopeId, ctx: &Ctx<'a>, field: &str) -> Option<Value<'a>> {
        let facts = self.world.facts(ctx.file)?;
        let name = &self.item(ctx.file, ctx.item).definition_of(class)?.name;
        facts.grown.get(name).into_iter().flatten().find_map(|&(index, growth)| {
            let Growth::Assigned(place) = growth else { return None };
            let assigned = &facts.item(index).facts.assigned[place as usize];
            let is_it = matches!(assigned.table, Expr::Name { .. })
                && matches!(&assigned.key, Expr::Text { text, .. } if text == field);
            let at = Ctx::new(ctx.file, index, assigned.scope);
            is_it.then(|| self.deeper(|| self.eval(&assigned.value, &at)))
        })
    }

    fn is_script(&self, ctx: &Ctx<'a>) -> bool {
        self.world.family(ctx.file) == Some(Family::TypeScript)
    }

    /// A property of an object literal: the last one of that name wins, as at run time.
    #[inline(never)]
    fn property(&self, props: &'a [Prop], ctx: &Ctx<'a>, field: &str) -> Value<'a> {
        if props.len() <= FEW {
            let found = props.iter().rev().find_map(|prop| self.property_in(prop, ctx, field));
            return found.unwrap_or(Value::Absent);
        }
        let index = self.index_of(props);
        let named = index.named.get(field).copied();
        let later = index.computed.iter().rev().take_while(|&&place| named.is_none_or(|named| place > named));
        let mut places = later.copied().chain(named);
        places.find_map(|place| self.property_in(&props[place], ctx, field)).unwrap_or(Value::Absent)
    }

    /// The value under this name in an entry, which has the name itself or spreads an object that has it. `None` for
    /// any other entry.
    fn property_in(&self, prop: &'a Prop, ctx: &Ctx<'a>, field: &str) -> Option<Value<'a>> {
        match prop {
            Prop::Pair { key: Expr::Text { text, .. }, value } => (text == field).then(|| self.eval(value, ctx)),
            Prop::Pair { key, value } => match self.eval(key, ctx) {
                Value::Text(text) if text.unknown().is_none() && text.is(field) => Some(self.eval(value, ctx)),
                _ => None,
            },
            Prop::Spread(inner) => {
                let inner = self.eval(inner, ctx);
                match self.member(&inner, &Key::Field(field.into())) {
                    Value::Absent => None,
                    found => Some(found),
                }
            }
        }
    }

    fn index_of(&self, props: &'a [Prop]) -> Rc<Entries<'a>> {
        let key = props.as_ptr();
        if let Some(known) = self.entries.borrow().get(&key) {
            return Rc::clone(known);
        }
        let mut index = Entries::default();
        for (place, prop) in props.iter().enumerate() {
            match prop {
                Prop::Pair { key: Expr::Text { text, .. }, .. } => drop(index.named.insert(text, place)),
                _ => index.computed.push(place),
            }
        }
        let index = Rc::new(index);
        self.entries.borrow_mut().insert(key, Rc::clone(&index));
        index
    }

    /// The index of the first spread element of an array literal; its length if there is none.
    fn first_spread(&self, elements: &'a [Expr]) -> usize {
        let find = || elements.iter().position(|element| matches!(element, Expr::Spread(_))).unwrap_or(elements.len());
        match elements.len() <= FEW {
            true => find(),
            false => *self.spreads.borrow_mut().entry(elements.as_ptr()).or_insert_with(find),
        }
    }

    #[inline(never)]
    fn class_member(&self, class: ScopeId, ctx: &Ctx<'a>, field: &str, this: &Value<'a>) -> Value<'a> {
        let scope = self.item(ctx.file, ctx.item).scope(class);
        let found: Vec<Value<'a>> = self
            .item(ctx.file, ctx.item)
            .bindings_of(class, field)
            .into_iter()
            .map(|binding| {
                let value = self.bound(binding, class, &self.as_getter(binding, class, ctx, this));
                self.automatic_member(&value, binding, ctx).unwrap_or(value)
            })
            .filter(|value| !matches!(value, Value::Absent))
            .collect();
        if !found.is_empty() {
            return self.grown(Holder::Field(&field.into(), class), one_of(found), ctx);
        }
        if let ScopeKind::Class { bases } = &scope.kind {
            let outside = ctx.in_scope(scope.parent.unwrap_or(ScopeId(0)));
            let mut waiting = Value::Absent;
            for base in bases {
                let mut base = self.eval(base, &outside);
                if let Value::Expr(Expr::Class { scope: base_scope, .. }, base_ctx) = &mut base {
                    *base_ctx = self.constructed_base(class, ctx, *base_scope, base_ctx);
                }
                let value = match &base {
                    Value::Expr(Expr::Class { scope, .. }, at) => {
                        self.deeper(|| self.class_member(*scope, at, field, this))
                    }
                    base => self.member(base, &Key::Field(field.into())),
                };
                match value {
                    // The constructor of the base may set the member to a value that is known once the constructor's
                    // caller is.
                    Value::Unknown(Unknown { blocked: Some(_), .. }) => waiting = value,
                    Value::Absent | Value::Unknown(_) | Value::External { .. } => {}
                    _ => return value,
                }
            }
            return waiting;
        }
        Value::Absent
    }

    /// The context in which a member is computed: inside its getter, with `this` as the receiver, if it has one.
    fn as_getter(&self, binding: &Binding, class: ScopeId, ctx: &Ctx<'a>, this: &Value<'a>) -> Ctx<'a> {
        let facts = self.item(ctx.file, ctx.item);
        let around = std::iter::successors(Some(binding.scope), |scope| facts.scope(*scope).parent);
        let mut around = around.take_while(|scope| *scope != class);
        let getter = around.find(|scope| facts.scope(*scope).parent == Some(class));
        match getter {
            Some(getter)
                if matches!(facts.scope(getter).kind, ScopeKind::Function(_))
                    && ctx.frame(ctx.key(getter)).is_none()
                    && !self.is_constructor(ctx.key(getter)) =>
            {
                let this = Some(This::Known(Rc::new(this.clone())));
                let at = ctx.clone();
                ctx.with(
                    ctx.key(getter),
                    Activation::Args { args: &[], at, receiver: true, open: true, this, call: None },
                )
            }
            _ => ctx.clone(),
        }
    }

    /// The constructor that runs when a class is called, its own or the nearest inherited one, with its context.
    pub(super) fn constructor(&self, class: ScopeId, ctx: &Ctx<'a>) -> Option<(ScopeId, Ctx<'a>)> {
        self.guarded(|| {
            if let Some(own) = self.own_constructor(class, ctx) {
                return Some((own, ctx.clone()));
            }
            let scope = self.item(ctx.file, ctx.item).scope(class);
            let ScopeKind::Class { bases } = &scope.kind else { return None };
            let outside = ctx.in_scope(scope.parent.unwrap_or(ScopeId(0)));
            bases.iter().find_map(|base| match self.eval(base, &outside) {
                Value::Expr(Expr::Class { scope, .. }, ctx) => self.constructor(*scope, &ctx),
                _ => None,
            })
        })
        .ok()
        .flatten()
    }

    fn own_constructor(&self, class: ScopeId, ctx: &Ctx<'a>) -> Option<ScopeId> {
        let facts = self.item(ctx.file, ctx.item);
        let mut bindings = CONSTRUCTORS.iter().flat_map(|name| facts.bindings_of(class, name));
        bindings.find_map(|binding| match &binding.value {
            Bound::Value(Expr::Function { scope, .. }) => Some(*scope),
            _ => None,
        })
    }

    /// Whether a function is the constructor of a class.
    pub(super) fn is_constructor(&self, key: ScopeKey) -> bool {
        let facts = self.item(key.file, key.item);
        let class =
            facts.scope(key.scope).parent.filter(|&parent| matches!(facts.scope(parent).kind, ScopeKind::Class { .. }));
        class.is_some_and(|class| self.own_constructor(class, &Ctx::new(key.file, key.item, class)) == Some(key.scope))
    }

    /// The context of a base class in which its constructor has the arguments that the constructor of the derived class
    /// passes: `super().__init__("name")`.
    fn constructed_base(&self, class: ScopeId, ctx: &Ctx<'a>, base: ScopeId, base_ctx: &Ctx<'a>) -> Ctx<'a> {
        let (Some(_), Some((above, home))) = (self.own_constructor(class, ctx), self.constructor(base, base_ctx))
        else {
            // An inherited constructor has the arguments of the call of the derived class.
            return ctx.on_top_of(base_ctx).at(base_ctx);
        };
        let call = self.base_call(class, ctx, base, base_ctx);
        let Some((_, call)) = call else { return base_ctx.clone() };
        let takes_receiver =
            matches!(&self.item(home.file, home.item).scope(above).kind, ScopeKind::Function(f) if f.receiver);
        let receiver = takes_receiver && !names_base(call, self.item(ctx.file, ctx.item));
        let this = Some(This::Same);
        let given = Activation::Args {
            args: &call.args,
            at: ctx.in_scope(call.scope),
            receiver,
            open: false,
            this,
            call: None,
        };
        ctx.on_top_of(base_ctx).at(base_ctx).with(home.key(above), given)
    }

    /// The call in a class's own constructor that calls the constructor of its base.
    pub(super) fn base_call(
        &self,
        class: ScopeId,
        ctx: &Ctx<'a>,
        base: ScopeId,
        base_ctx: &Ctx<'a>,
    ) -> Option<(CallId, &'a Call)> {
        let own = self.own_constructor(class, ctx)?;
        let facts = self.item(ctx.file, ctx.item);
        let inside_own = |scope: ScopeId| {
            std::iter::successors(Some(scope), |scope| facts.scope(*scope).parent).any(|scope| scope == own)
        };
        let base_name = self.class_definition(base, base_ctx).map(|definition| &definition.name);
        let calls = facts.calls.iter().enumerate().filter(|(_, call)| inside_own(call.scope));
        let mut calls = calls.map(|(id, call)| (CallId(id as u32), call));
        calls.find(|(_, call)| match &call.callee {
            // `Base.__init__(self)` names the base.
            Expr::Member { object, key: Key::Field(method), .. } => {
                method == "__init__" && (is_super(object, facts) || object.last_name() == base_name)
            }
            // In Python, `super()` itself calls no constructor.
            callee => is_super(callee, facts) && self.world.family(ctx.file) == Some(Family::TypeScript),
        })
    }

    /// A member of the result of a call: a keyword argument of a record, or a member of an instance of a class.
    #[inline(never)]
    fn record_member(&self, record: &Value<'a>, call: &'a Call, ctx: &Ctx<'a>, field: &str) -> Value<'a> {
        let callee = self.eval(&call.callee, &ctx.in_scope(call.scope));
        if let Value::Expr(Expr::Class { scope, .. }, class_ctx) = &callee {
            let inside = match self.constructor(*scope, class_ctx) {
                Some((constructor, home)) => {
                    let at = ctx.in_scope(call.scope);
                    let facts = self.item(home.file, home.item);
                    let receiver = matches!(&facts.scope(constructor).kind, ScopeKind::Function(f) if f.receiver);
                    let key = home.key(constructor);
                    let this = Some(This::Known(Rc::new(record.clone())));
                    let given = Activation::Args { args: &call.args, at, receiver, open: false, this, call: None };
                    class_ctx.with(key, given)
                }
                None => class_ctx.clone(),
            };
            let member = self.class_member(*scope, &inside, field, record);
            if !matches!(member, Value::Absent) {
                return member;
            }
        }
        let at = ctx.in_scope(call.scope);
        if matches!(callee, Value::External { .. }) {
            if let Some(part) = SCHEMA_PARTS.iter().find(|(member, _)| *member == field).map(|(_, part)| part)
                && let Some(first) = call.args.first()
            {
                let made_from = self.eval(&first.value, &at);
                return match part {
                    SchemaPart::Whole => made_from,
                    SchemaPart::ByText => {
                        let elements = self.elements(&made_from);
                        let known = elements.known.into_iter().map(|text| (text.clone(), text)).collect();
                        Value::Pairs(Rc::new(Pairs { known, rest: elements.rest }))
                    }
                };
            }
            // The result of a function of another package has the members of the definition that it receives:
            // `defineTool({ name })`, `ToolSchema.parse({ name })`, `withLogging(tool)`.
            let made = call.args.iter().filter(|arg| arg.name.is_none()).find_map(|arg| {
                match self.member(&self.eval(&arg.value, &at), &Key::Field(field.into())) {
                    Value::Absent | Value::External { .. } | Value::Unknown(Unknown { blocked: None, .. }) => None,
                    found => Some(found),
                }
            });
            if let Some(made) = made {
                return made;
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

/// Whether a call names the base, `Base.__init__(self, …)`, so that the receiver is an argument.
pub(super) fn names_base(call: &Call, facts: &ItemFacts) -> bool {
    matches!(&call.callee, Expr::Member { object, .. } if !is_super(object, facts))
}

/// Whether a call has the form of a call of a base's constructor: `super(…)`, `super().__init__(…)` or
/// `Base.__init__(self, …)`.
pub(super) fn is_base_call(call: &Call, facts: &ItemFacts) -> bool {
    match &call.callee {
        Expr::Member { key: Key::Field(method), .. } => method == "__init__",
        callee => is_super(callee, facts),
    }
}

pub(super) fn is_super(expr: &Expr, facts: &ItemFacts) -> bool {
    match expr {
        Expr::Name { name, .. } => name == "super",
        Expr::Call(id) => matches!(&facts.call(*id).callee, Expr::Name { name, .. } if name == "super"),
        _ => false,
    }
}
