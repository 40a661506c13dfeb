//! Classes.

use std::rc::Rc;
use std::sync::Arc;

use smol_str::SmolStr;

use super::express::Args;
use super::value::{Body, ClassInfo, Passed, Slot, Value};
use super::{At, Frame, Machine, ObjectId, Run};
use crate::code::{ArgKind, Class, ClassBody, ExprKind, Function, Member, MemberKind};
use crate::found::{Place, Traced};
use crate::syntax::Family;

impl Machine<'_> {
    /// Makes a class; `name` is what it is bound to.
    pub(super) fn class(&mut self, class: &Arc<Class>, name: Option<&SmolStr>, at: At<'_>) -> Run<Value> {
        let value = match &class.body {
            ClassBody::Members(members) => self.class_of_members(class, members, name, at)?,
            ClassBody::Block(body) => self.class_of_block(class, body, at)?,
        };
        self.class_decorators(class, value, at)
    }

    fn class_of_members(
        &mut self,
        class: &Arc<Class>,
        members: &[Member],
        name: Option<&SmolStr>,
        at: At<'_>,
    ) -> Run<Value> {
        let base = match class.bases.first() {
            Some(base) => Some(self.eval(&base.value, at)?),
            None => None,
        };
        let prototype = self.allocate(None, Body::Plain);
        let id = self.allocate(None, Body::Plain);
        if let Some(base) = &base {
            for option in base.options().to_vec() {
                let Some(base) = option.as_object() else { continue };
                let parent = match &self.heap.get(base).body {
                    Body::Class(info) => info.prototype,
                    Body::Function(_) => self.member(&option, "prototype", self.here())?.as_object(),
                    _ => Some(base),
                };
                self.heap.change(prototype).parent = parent;
                self.heap.change(id).parent = Some(base);
            }
            if let Value::Unknown(unknown) = base {
                self.heap.change(prototype).more = Some(Rc::clone(unknown));
                self.heap.change(id).more = Some(Rc::clone(unknown));
            }
        }
        let scope = self.heap.open(Some(at.scope));
        if let Some(name) = class.name.as_ref() {
            self.heap.set_name(scope, name.clone(), Value::Object(id));
        }
        if let (Some(name), None) = (name, &class.name) {
            let slot = Slot { hidden: true, ..Slot::new(Value::made(name)) };
            self.heap.change(id).props.insert(super::member::GIVEN_NAME.into(), slot);
        }
        let inner = Frame { home: Some(id), this: Value::Object(id), class: Some(id), ..at.frame.clone() };
        let at_class = At { frame: &inner, scope };
        let mut fields = Vec::new();
        let mut constructor = None;
        let mut statics = Vec::new();
        for (index, member) in members.iter().enumerate() {
            let target = if member.is_static { id } else { prototype };
            let key = match &member.kind {
                MemberKind::Block(_) => Value::Undefined,
                _ => self.eval(&member.key, at_class)?,
            };
            match &member.kind {
                MemberKind::Method(function) => {
                    let name = self.key_of(&key);
                    let value = self.method(function, name.as_ref(), target, at_class);
                    if name.as_deref() == Some("constructor") && !member.is_static {
                        constructor = Some(value);
                        continue;
                    }
                    self.decorate_member(member, &value, &key, at_class)?;
                    self.define_hidden(target, &key, value);
                }
                MemberKind::Getter(function) | MemberKind::Setter(function) => {
                    let is_getter = matches!(member.kind, MemberKind::Getter(_));
                    let value = self.method(function, None, target, at_class);
                    self.define_accessor(target, &key, value, is_getter);
                    if let Some(slot) = self.key_of(&key).and_then(|key| self.heap.change(target).props.get_mut(&key)) {
                        slot.hidden = true;
                    }
                }
                MemberKind::Field { .. } if member.is_static => statics.push((index, key)),
                MemberKind::Field { .. } => {
                    if let Some(key) = self.traced_key(&key, at_class, member) {
                        fields.push((key, index));
                    }
                }
                MemberKind::Block(_) => statics.push((index, Value::Undefined)),
                MemberKind::Declared => {}
            }
        }
        let info = ClassInfo {
            class: Arc::clone(class),
            scope,
            site: at.frame.site,
            bases: base.into_iter().collect(),
            constructor,
            fields,
            prototype: Some(prototype),
            order: Vec::new(),
        };
        self.heap.change(id).body = Body::Class(Rc::new(info));
        let hidden = |value| Slot { hidden: true, ..Slot::new(value) };
        self.heap.change(id).props.insert("prototype".into(), hidden(Value::Object(prototype)));
        self.heap.change(prototype).props.insert("constructor".into(), hidden(Value::Object(id)));
        for (index, key) in statics {
            match &members[index].kind {
                MemberKind::Field { value: Some(value), .. } => {
                    let name = self.key_of(&key).unwrap_or_default();
                    let value = self.eval_named(value, &name, at_class)?;
                    self.define(id, &key, value);
                }
                MemberKind::Field { value: None, .. } => self.define(id, &key, Value::Undefined),
                MemberKind::Block(body) => {
                    let scope = self.heap.open_function(Some(scope));
                    self.statements(body, at_class.within(scope))?;
                }
                _ => {}
            }
        }
        self.class_event(id, members, at_class)?;
        Ok(Value::Object(id))
    }

    fn traced_key(&self, key: &Value, at: At<'_>, member: &Member) -> Option<Rc<Traced>> {
        match key {
            Value::Text(text) if text.unknown().is_none() => Some(Rc::clone(text)),
            _ => {
                let name = self.key_of(key)?;
                Some(Rc::new(Traced::literal(name, at.frame.site.place(member.key.span))))
            }
        }
    }

    fn define_hidden(&mut self, id: ObjectId, key: &Value, value: Value) {
        self.define(id, key, value);
        if let Some(slot) = self.key_of(key).and_then(|key| self.heap.change(id).props.get_mut(&key)) {
            slot.hidden = true;
        }
    }

    /// Runs the decorators of a method: `@Tool({ … }) search() { … }`.
    fn decorate_member(&mut self, member: &Member, value: &Value, key: &Value, at: At<'_>) -> Run<()> {
        for decorator in member.decorators.iter().rev() {
            let place = at.frame.site.place(decorator.span);
            let function = self.eval(decorator, at)?;
            let passed = |value: Value| Passed { name: None, value, place };
            let list = vec![passed(value.clone()), passed(key.clone())];
            self.decorates = true;
            let applied = self.call(&function, Value::Undefined, Args { list, more: None }, place);
            self.decorates = false;
            applied?;
        }
        Ok(())
    }

    /// Tells the effects of a class that derives from one of another package.
    fn class_event(&mut self, _class: ObjectId, _members: &[Member], _at: At<'_>) -> Run<()> {
        Ok(())
    }

    fn class_of_block(&mut self, class: &Arc<Class>, body: &[crate::code::Stmt], at: At<'_>) -> Run<Value> {
        let mut bases = Vec::new();
        let mut keywords = Vec::new();
        for base in &class.bases {
            let value = self.eval(&base.value, at)?;
            match &base.kind {
                ArgKind::Named(name) => {
                    keywords.push(Passed { name: Some(name.clone()), value, place: at.frame.site.place(base.span) });
                }
                ArgKind::Positional => bases.push(value),
                ArgKind::Spread | ArgKind::Keywords => {
                    bases
                        .extend(self.elements_of(&value, false, self.here())?.known.into_iter().map(|slot| slot.value));
                }
            }
        }
        let own_meta = keywords.iter().position(|passed| passed.name.as_deref() == Some("metaclass"));
        let own_meta = own_meta.map(|at| keywords.remove(at).value);
        let inherited = bases.iter().filter_map(Value::as_object).find_map(|base| self.heap.get(base).parent);
        let meta = own_meta.and_then(|meta| meta.as_object()).or(inherited);
        let meta = meta.filter(|meta| matches!(self.heap.get(*meta).body, Body::Class(_)));
        let id = self.allocate(meta, Body::Plain);
        let order = self.resolution_order(id, &bases);
        let scope = self.heap.open(Some(at.scope));
        self.heap.scope_mut(scope).is_class = true;
        let info = ClassInfo {
            class: Arc::clone(class),
            scope,
            site: at.frame.site,
            bases: bases.clone(),
            constructor: None,
            fields: Vec::new(),
            prototype: None,
            order,
        };
        self.heap.change(id).body = Body::Class(Rc::new(info));
        let inner = Frame { class: Some(id), ..at.frame.clone() };
        let at_class = At { frame: &inner, scope };
        // In source order: the names in the order in which they are first assigned.
        self.statements(body, at_class)?;
        let mut names = Vec::new();
        assigned_names(body, &mut names);
        for name in names {
            let Some(value) = self.heap.own_name(scope, &name.0).cloned() else { continue };
            let key = Traced::literal(name.0.clone(), at.frame.site.place(name.1));
            let slot = Slot::keyed(Rc::new(key), value);
            self.heap.change(id).props.insert(name.0, slot);
        }
        let rest: Vec<(SmolStr, Value)> =
            self.heap.names(scope).map(|(name, value)| (name.clone(), value.clone())).collect();
        for (name, value) in rest {
            if !self.heap.get(id).props.contains_key(&name) {
                self.heap.change(id).props.insert(name, Slot::new(value));
            }
        }
        if let Some(doc) = &class.doc
            && !self.heap.get(id).props.contains_key("__doc__")
        {
            let text = Traced::literal(doc.text.clone(), at.frame.site.place(doc.span));
            let slot = Slot { hidden: true, ..Slot::new(Value::text(text)) };
            self.heap.change(id).props.insert("__doc__".into(), slot);
        }
        self.annotations(id, body, at_class)?;
        let place = at.frame.site.place(class.span);
        self.named_members(id, place)?;
        self.init_subclass(id, keywords, place)?;
        match meta {
            Some(meta) => self.made_by(meta, id, &bases, place),
            None => Ok(Value::Object(id)),
        }
    }

    /// Calls `__new__` and `__init__` of a metaclass for a class that is made already.
    fn made_by(&mut self, meta: ObjectId, id: ObjectId, bases: &[Value], place: Place) -> Run<Value> {
        let passed = |value: Value| Passed { name: None, value, place };
        let name = self.name_of_function(id);
        let slots = bases.iter().cloned().map(Slot::new).collect();
        let bases = Value::Object(self.allocate(None, Body::Tuple(slots)));
        let namespace = self.dict_of(id);
        let mut made = Value::Object(id);
        if let Some(maker) = self.found_in_class(meta, "__new__") {
            let all = [Value::Object(meta), name.clone(), bases.clone(), namespace.clone()];
            let outer = self.making.replace(id);
            let args = Args { list: all.into_iter().map(passed).collect(), more: None };
            let result = self.call_function(&maker, args, place);
            self.making = outer;
            made = result?;
        }
        if let Some(init) = self.found_in_class(meta, "__init__") {
            let all = [made.clone(), name, bases, namespace];
            let args = Args { list: all.into_iter().map(passed).collect(), more: None };
            self.call_function(&init, args, place)?;
        }
        Ok(made)
    }

    /// A class that `type(name, bases, members)` creates.
    pub(super) fn class_at_run_time(
        &mut self,
        name: &str,
        bases: Vec<Value>,
        members: Vec<(Value, Slot)>,
        place: Place,
    ) -> Run<Value> {
        let class = Class {
            name: Some(name.into()),
            name_span: Default::default(),
            bases: Vec::new(),
            decorators: Vec::new(),
            body: ClassBody::Block(Vec::new()),
            doc: None,
            span: Default::default(),
        };
        let id = self.allocate(None, Body::Plain);
        let order = self.resolution_order(id, &bases);
        let scope = self.heap.open(None);
        let info = ClassInfo {
            class: Arc::new(class),
            scope,
            site: super::Site { file: place.file, item: place.item },
            bases,
            constructor: None,
            fields: Vec::new(),
            prototype: None,
            order,
        };
        self.heap.change(id).body = Body::Class(Rc::new(info));
        let name = Slot { hidden: true, ..Slot::new(Value::made(name)) };
        self.heap.change(id).props.insert(super::member::GIVEN_NAME.into(), name);
        for (key, slot) in members {
            self.define(id, &key, slot.value);
        }
        self.named_members(id, place)?;
        self.init_subclass(id, Vec::new(), place)?;
        Ok(Value::Object(id))
    }

    /// Keeps the names of annotated fields in order, as `__annotations__` does: dataclasses read them.
    fn annotations(&mut self, id: ObjectId, body: &[crate::code::Stmt], at: At<'_>) -> Run<()> {
        let table = self.allocate(None, Body::Table(Default::default()));
        for stmt in body {
            if let crate::code::StmtKind::Let { target, annotation: Some(annotation), .. } = &stmt.kind
                && let crate::code::Target::Name { name, span } = target
            {
                let key = Value::text(Traced::literal(name.clone(), at.frame.site.place(*span)));
                // Types run in the scope of the class, but what is not defined is no fault here.
                let value = match &annotation.kind {
                    ExprKind::Name(_) | ExprKind::Member { .. } => self.eval(annotation, at)?,
                    _ => Value::unknown("a type"),
                };
                self.table_set(table, &key, value);
            }
        }
        let slot = Slot { hidden: true, ..Slot::new(Value::Object(table)) };
        self.heap.change(id).props.insert("__annotations__".into(), slot);
        Ok(())
    }

    /// Calls `__set_name__` of the members that have it.
    fn named_members(&mut self, id: ObjectId, place: Place) -> Run<()> {
        let members: Vec<(SmolStr, Slot)> =
            self.heap.get(id).props.iter().map(|(name, slot)| (name.clone(), slot.clone())).collect();
        for (name, slot) in members {
            let Some(member) = slot.value.as_object() else { continue };
            if let Some(method) = self.class_member(member, "__set_name__") {
                let key = slot.key.map_or_else(|| Value::made(&name), Value::Text);
                let passed = |value: Value| Passed { name: None, value, place };
                let list = vec![passed(slot.value.clone()), passed(Value::Object(id)), passed(key)];
                self.call_function(&method, Args { list, more: None }, place)?;
            }
        }
        Ok(())
    }

    /// Calls `__init_subclass__` of the bases.
    fn init_subclass(&mut self, id: ObjectId, keywords: Vec<Passed>, place: Place) -> Run<()> {
        let order = match &self.heap.get(id).body {
            Body::Class(info) => info.order.clone(),
            _ => return Ok(()),
        };
        for base in order.into_iter().skip(1) {
            let Some(hook) = self.heap.get(base).props.get("__init_subclass__").map(|slot| slot.value.clone()) else {
                continue;
            };
            let hook = self.unwrapped(&hook)?;
            let mut list = vec![Passed { name: None, value: Value::Object(id), place }];
            list.extend(keywords);
            self.call_function(&hook, Args { list, more: None }, place)?;
            return Ok(());
        }
        Ok(())
    }

    /// The function of a `classmethod` or `staticmethod`.
    fn unwrapped(&mut self, value: &Value) -> Run<Value> {
        match value.as_object().and_then(|id| self.heap.get(id).props.get("__func__").map(|slot| slot.value.clone())) {
            Some(function) => Ok(function),
            None => Ok(value.clone()),
        }
    }

    /// The class and its bases in the order in which Python looks members up.
    fn resolution_order(&self, id: ObjectId, bases: &[Value]) -> Vec<ObjectId> {
        let bases: Vec<ObjectId> = bases.iter().flat_map(|base| base.options()).filter_map(Value::as_object).collect();
        let mut lists: Vec<Vec<ObjectId>> = bases
            .iter()
            .map(|base| match &self.heap.get(*base).body {
                Body::Class(info) => info.order.clone(),
                _ => vec![*base],
            })
            .collect();
        lists.push(bases);
        let mut order = vec![id];
        loop {
            lists.retain(|list| !list.is_empty());
            if lists.is_empty() {
                return order;
            }
            let free = lists.iter().map(|list| list[0]).find(|head| !lists.iter().any(|list| list[1..].contains(head)));
            // An order that contradicts itself: Python refuses the class.
            let next = free.unwrap_or(lists[0][0]);
            order.push(next);
            lists.iter_mut().for_each(|list| list.retain(|class| *class != next));
        }
    }

    /// The classes of a value, most derived first.
    pub(super) fn classes_of(&mut self, value: &Value) -> Vec<ObjectId> {
        let mut classes = Vec::new();
        let builtin = match value {
            Value::Text(_) => Some(("String", "str")),
            Value::Number(_) => Some(("Number", "int")),
            Value::Bool(_) => Some(("Boolean", "bool")),
            _ => None,
        };
        let is_python = self.family == Family::Python;
        if let Some((script, python)) = builtin {
            let realm = self.realm();
            if is_python {
                classes.extend(realm.class(self, python));
            } else {
                let _ = script;
            }
            return classes;
        }
        let Some(id) = value.as_object() else { return classes };
        if is_python {
            let class = self.class_of(id);
            classes.extend(match class.map(|class| (class, &self.heap.get(class).body)) {
                Some((_, Body::Class(info))) => info.order.clone(),
                Some((class, _)) => vec![class],
                None => Vec::new(),
            });
            return classes;
        }
        if self.family == Family::Rust {
            let class = self.associated_class(id);
            if let Some(Body::Class(info)) = class.map(|class| &self.heap.get(class).body) {
                classes.extend(&info.order);
            }
            return classes;
        }
        let mut at = self.heap.get(id).parent.or_else(|| self.prototype_of_builtin(id));
        for _ in 0..64 {
            let Some(current) = at else { break };
            let object = self.heap.get(current);
            if matches!(object.body, Body::Outside(_)) {
                classes.push(current);
                break;
            }
            classes.extend(object.props.get("constructor").and_then(|slot| slot.value.as_object()));
            at = object.parent;
        }
        classes
    }

    /// Calls a function without binding a receiver.
    pub(super) fn call_function(&mut self, function: &Value, args: Args, place: Place) -> Run<Value> {
        self.call(function, Value::Undefined, args, place)
    }
}

/// The names that the statements of a class body assign, in order, with their spans.
fn assigned_names(body: &[crate::code::Stmt], names: &mut Vec<(SmolStr, crate::text::Span)>) {
    use crate::code::{StmtKind, Target};
    let mut add = |name: &SmolStr, span: crate::text::Span| {
        if !names.iter().any(|(known, _)| known == name) {
            names.push((name.clone(), span));
        }
    };
    fn targets(target: &Target, add: &mut dyn FnMut(&SmolStr, crate::text::Span)) {
        match target {
            Target::Name { name, span } => add(name, *span),
            Target::List { elements, .. } => {
                elements.iter().flatten().for_each(|(target, _)| targets(target, add));
            }
            _ => {}
        }
    }
    for stmt in body {
        match &stmt.kind {
            StmtKind::Let { target, value: Some(_), .. } => targets(target, &mut add),
            StmtKind::Function(function) => {
                let function: &Function = function;
                if let Some(name) = &function.name {
                    add(name, function.name_span);
                }
            }
            StmtKind::Class(class) => {
                if let Some(name) = &class.name {
                    add(name, class.name_span);
                }
            }
            _ => {}
        }
    }
}
