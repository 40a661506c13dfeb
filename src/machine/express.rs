//! Expressions.

use std::rc::Rc;

use smol_str::SmolStr;

use super::realm::is_prelude;
use super::value::{Body, Key, Literal, Passed, Slot, Table, Value};
use super::{Abrupt, At, Flow, Handled, Machine, Run};
use crate::code::{
    ArgKind, Binary, Call, Clause, Comprehension, ComprehensionKind, Expr, ExprKind, Logic, Prop, Target, Unary,
};
use crate::found::{Origin, Part, Traced};
use crate::syntax::Family;

/// The arguments of a call, and the reason if there may be more.
#[derive(Debug, Clone, Default)]
pub(super) struct Args {
    pub(super) list: Vec<Passed>,
    pub(super) more: Option<Value>,
}

impl Machine<'_> {
    pub(super) fn eval(&mut self, expr: &Expr, at: At<'_>) -> Run<Value> {
        let value = self.evaluated(expr, at)?;
        if !self.probes.is_empty() {
            let is_doubtful = self.is_doubtful();
            if let Some(seen) = self.probes.get_mut(&at.frame.site.place(expr.span)) {
                seen.push((value.clone(), is_doubtful));
            }
        }
        Ok(value)
    }

    fn evaluated(&mut self, expr: &Expr, at: At<'_>) -> Run<Value> {
        self.step()?;
        let place = at.frame.site.place(expr.span);
        Ok(match &expr.kind {
            // What the prelude writes is no literal of the program.
            ExprKind::Text(text) | ExprKind::Bytes(text) if is_prelude(place.file) => Value::made(text),
            ExprKind::Text(text) | ExprKind::Bytes(text) => Value::text(Traced::literal(text.clone(), place)),
            ExprKind::Number(number) => Value::Number(*number),
            ExprKind::Bool(holds) => Value::Bool(*holds),
            ExprKind::Null => Value::Null,
            ExprKind::Undefined | ExprKind::Ellipsis => Value::Undefined,
            ExprKind::Pattern { source, flags } => {
                let body = Body::Pattern { source: source.clone(), flags: flags.clone() };
                Value::Object(self.allocate(None, body))
            }
            ExprKind::Name(name) => self.name(name, at)?,
            ExprKind::This => at.frame.this.clone(),
            ExprKind::Super => Value::unknown("`super` alone"),
            ExprKind::Member { object, key, optional, .. } => {
                if matches!(object.kind, ExprKind::Super) {
                    return self.super_member(key, at, place);
                }
                if matches!(&object.kind, ExprKind::Name(name) if name == "import") && key == "meta" {
                    return Ok(self.import_meta(at));
                }
                let Some(object) = self.head(object, *optional, at)? else { return Ok(Value::Undefined) };
                let value = self.member(&object, key, place)?;
                self.is_short = false;
                value
            }
            ExprKind::At { object, index, optional } => {
                let Some(object) = self.head(object, *optional, at)? else { return Ok(Value::Undefined) };
                let index = self.eval(index, at)?;
                let value = self.element(&object, &index, place)?;
                self.is_short = false;
                value
            }
            ExprKind::Slice { object, from, to, step } => {
                let object = self.eval(object, at)?;
                let mut bound = |part: &Option<Box<Expr>>| part.as_ref().map(|part| self.eval(part, at)).transpose();
                let (from, to, step) = (bound(from)?, bound(to)?, bound(step)?);
                self.sliced(&object, from, to, step)
            }
            ExprKind::Join(parts) => self.joined_text(parts, at)?,
            ExprKind::Formatted { value, conversion, format } => {
                let value = self.eval(value, at)?;
                let format = format.as_ref().map(|format| self.eval(format, at)).transpose()?;
                self.formatted(&value, conversion.as_deref(), format.as_ref(), at)?
            }
            ExprKind::Call(call) => self.call_expression(call, expr, at)?,
            ExprKind::Object(props) => {
                let value = self.object_literal(props, at)?;
                let is_written = |prop: &Prop| match prop {
                    Prop::Pair { key, .. } | Prop::Getter { key, .. } | Prop::Setter { key, .. } => {
                        matches!(key.kind, ExprKind::Text(_) | ExprKind::Number(_))
                    }
                    Prop::Spread(_) => false,
                };
                self.made_by_literal(value, Literal { place, is_open: !props.iter().all(is_written) })
            }
            ExprKind::List(elements) => {
                let (slots, more) = self.elements_literal(elements, at)?;
                let id = self.allocate(None, Body::List(slots));
                self.heap.change(id).more = more;
                self.made_by_literal(Value::Object(id), Literal { place, is_open: false })
            }
            ExprKind::Tuple(elements) => {
                let (slots, more) = self.elements_literal(elements, at)?;
                let id = self.allocate(None, Body::Tuple(slots));
                self.heap.change(id).more = more;
                Value::Object(id)
            }
            ExprKind::Set(elements) => {
                let (slots, more) = self.elements_literal(elements, at)?;
                let id = self.allocate(None, Body::Set(Table::default()));
                for slot in slots {
                    self.set_add(id, slot);
                }
                self.heap.change(id).more = more;
                Value::Object(id)
            }
            ExprKind::Spread(inner) => self.eval(inner, at)?,
            ExprKind::Function(function) => match at.frame.family {
                Family::Python => self.defined_function(function, at)?,
                _ => self.closure(function, None, at),
            },
            ExprKind::Class(class) => self.class(class, None, at)?,
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension, at)?,
            ExprKind::Unary(Unary::TypeOf, inner) => {
                let value = match &inner.kind {
                    ExprKind::Name(name) if !self.is_known_name(name, at) => Value::Undefined,
                    _ => self.eval(inner, at)?,
                };
                self.type_of(&value)
            }
            ExprKind::Unary(Unary::Delete, inner) => {
                self.delete(inner, at)?;
                Value::Bool(true)
            }
            ExprKind::Unary(unary, inner) => {
                let value = self.eval(inner, at)?;
                self.unary(*unary, &value)?
            }
            ExprKind::Binary(..) => self.chain(expr, at)?,
            ExprKind::Logic(logic, left, right) => self.logic(*logic, left, right, at)?,
            ExprKind::Conditional { test, then, otherwise } => {
                let value = self.eval(test, at)?;
                match self.truth(&value)? {
                    Some(true) => self.eval(then, at)?,
                    Some(false) => self.eval(otherwise, at)?,
                    None => Value::one_of(self.fork(vec![
                        Box::new(|machine: &mut Self| {
                            machine.narrow(test, true, at);
                            machine.eval(then, at)
                        }),
                        Box::new(|machine: &mut Self| {
                            machine.narrow(test, false, at);
                            machine.eval(otherwise, at)
                        }),
                    ])?),
                }
            }
            ExprKind::Assign { target, operator, value } => self.assign(target, *operator, value, at)?,
            ExprKind::AssignLogic { target, operator, value } => self.assign_logic(target, *operator, value, at)?,
            ExprKind::Step { target, up, prefix } => {
                let old = self.read(target, at)?;
                let by = Value::Number(1.0);
                let operator = if *up { Binary::Add } else { Binary::Subtract };
                let old = match old.as_number() {
                    Some(number) => Value::Number(number),
                    None => old,
                };
                let new = self.binary(operator, &old, &by, at.frame.family)?;
                self.bind(target, new.clone(), None, at)?;
                if *prefix { new } else { old }
            }
            ExprKind::Await(inner) => {
                let value = self.eval(inner, at)?;
                self.awaited(value)?
            }
            ExprKind::Yield { value, all } => self.yields(value.as_deref(), *all, at)?,
            ExprKind::Sequence(values) => {
                let mut last = Value::Undefined;
                for value in values {
                    last = self.eval(value, at)?;
                }
                last
            }
            ExprKind::Import(module) => {
                let module = self.eval(module, at)?;
                self.import_dynamic(&module, at)?
            }
            ExprKind::Body(body) => {
                let doubt = self.doubt;
                match self.block(body, at)? {
                    Flow::Give(value) => {
                        self.doubt = doubt + u32::from(self.may_have_returned());
                        value
                    }
                    Flow::Next => Value::Undefined,
                    flow => return Err(Abrupt::Leave(Box::new(flow))),
                }
            }
            ExprKind::Matches { value, pattern } => {
                let value = self.eval(value, at)?;
                match self.matches(pattern, &value, at)? {
                    Some(fits) => Value::Bool(fits),
                    None => Value::Unknown(self.reason_of(&value)),
                }
            }
            ExprKind::Try(inner) => {
                let value = self.eval(inner, at)?;
                self.unwrapped_or_left(value)?
            }
            ExprKind::Lent(inner) => self.eval(inner, at)?,
            ExprKind::Later(function) => self.later(function, at),
            ExprKind::Opaque(what) => Value::unknown(*what),
        })
    }

    /// Records the literal that created an object.
    fn made_by_literal(&mut self, value: Value, literal: Literal) -> Value {
        if let Some(id) = value.as_object()
            && !is_prelude(literal.place.file)
        {
            self.heap.change(id).literal = Some(literal);
        }
        value
    }

    /// The value of an expression that is bound to a name, which a function or class without a name takes.
    pub(super) fn eval_named(&mut self, expr: &Expr, name: &SmolStr, at: At<'_>) -> Run<Value> {
        match &expr.kind {
            ExprKind::Function(function) if function.name.is_none() && at.frame.family == Family::TypeScript => {
                Ok(self.closure(function, Some(name), at))
            }
            ExprKind::Class(class) if class.name.is_none() => self.class(class, Some(name), at),
            _ => self.eval(expr, at),
        }
    }

    /// A chain of operators that leans to the left is as deep as it is long, so it is walked in a loop.
    fn chain(&mut self, expr: &Expr, at: At<'_>) -> Run<Value> {
        let mut rights = Vec::new();
        let mut first = expr;
        while let ExprKind::Binary(operator, left, right) = &first.kind {
            rights.push((*operator, right));
            first = left;
        }
        let mut value = self.eval(first, at)?;
        for (operator, right) in rights.into_iter().rev() {
            let right = self.eval(right, at)?;
            self.comparing = Some(at.frame.site.place(expr.span));
            value = self.binary(operator, &value, &right, at.frame.family)?;
        }
        Ok(value)
    }

    fn logic(&mut self, logic: Logic, left: &Expr, right: &Expr, at: At<'_>) -> Run<Value> {
        // A chain of these leans to the left as well.
        let mut rights = vec![(logic, right)];
        let mut first = left;
        while let ExprKind::Logic(logic, left, right) = &first.kind {
            rights.push((*logic, right));
            first = left;
        }
        let mut value = self.eval(first, at)?;
        // The operands that decided whether the next one is evaluated.
        let mut tests = vec![first];
        let mut last = None;
        for (logic, right) in rights.into_iter().rev() {
            if last.is_some_and(|last| last != logic) {
                tests.clear();
            }
            last = Some(logic);
            value = self.logic_value(logic, (value, &tests), right, at)?;
            tests.push(right);
        }
        Ok(value)
    }

    /// The value of `left && right`, where `left` is evaluated already.
    fn logic_value(&mut self, logic: Logic, (left, tests): (Value, &[&Expr]), right: &Expr, at: At<'_>) -> Run<Value> {
        let goes_on = match logic {
            Logic::And => self.truth(&left)?,
            Logic::Or => self.truth(&left)?.map(|holds| !holds),
            Logic::Otherwise => self.is_nothing(&left),
        };
        Ok(match goes_on {
            Some(true) => self.eval(right, at)?,
            Some(false) => left,
            None => {
                let rights = self.fork(vec![
                    Box::new(|machine: &mut Self| {
                        if logic != Logic::Otherwise {
                            tests.iter().for_each(|test| machine.narrow(test, logic == Logic::And, at));
                        }
                        machine.eval(right, at).map(Some)
                    }),
                    Box::new(|_: &mut Self| Ok(None)),
                ])?;
                let kept = self.kept_by(logic, &left);
                Value::one_of(kept.into_iter().chain(rights.into_iter().flatten()))
            }
        })
    }

    /// Returns the options of a value for which the right operand is not evaluated.
    fn kept_by(&mut self, logic: Logic, left: &Value) -> Vec<Value> {
        let mut kept = Vec::new();
        for option in left.options() {
            let goes_on = match logic {
                Logic::And => self.truth(option).ok().flatten(),
                Logic::Or => self.truth(option).ok().flatten().map(|holds| !holds),
                Logic::Otherwise => self.is_nothing(option),
            };
            if goes_on != Some(true) {
                kept.push(option.clone());
            }
        }
        kept
    }

    fn joined_text(&mut self, parts: &[Expr], at: At<'_>) -> Run<Value> {
        let mut pieces = Vec::with_capacity(parts.len());
        for part in parts {
            let value = self.eval(part, at)?;
            pieces.push(self.text_of(&value, at.frame.family)?);
        }
        Ok(self.concatenated(&pieces))
    }

    fn elements_literal(
        &mut self,
        elements: &[Expr],
        at: At<'_>,
    ) -> Run<(Vec<Slot>, Option<Rc<crate::found::Unknown>>)> {
        let mut slots = Vec::with_capacity(elements.len());
        let mut more = None;
        for element in elements {
            match &element.kind {
                ExprKind::Spread(inner) => {
                    let value = self.eval(inner, at)?;
                    let source = self.elements_of(&value, false, at.frame.site.place(inner.span))?;
                    slots.extend(source.known.into_iter().map(|slot| Slot { key: None, hidden: false, ..slot }));
                    more = more.or(source.more);
                }
                _ => slots.push(Slot::new(self.eval(element, at)?)),
            }
        }
        Ok((slots, more))
    }

    fn object_literal(&mut self, props: &[Prop], at: At<'_>) -> Run<Value> {
        if at.frame.family != Family::TypeScript {
            return self.dict_literal(props, at);
        }
        let id = self.allocate(None, Body::Plain);
        for prop in props {
            match prop {
                Prop::Pair { key, value } => {
                    let key = self.eval(key, at)?;
                    let value = match &value.kind {
                        ExprKind::Function(function) if function.name.is_none() || !function.is_arrow => {
                            let name = self.key_of(&key);
                            self.method(function, name.as_ref(), id, at)
                        }
                        _ => match self.key_of(&key) {
                            Some(name) => self.eval_named(value, &name, at)?,
                            None => self.eval(value, at)?,
                        },
                    };
                    self.define(id, &key, value);
                }
                Prop::Getter { key, function } | Prop::Setter { key, function } => {
                    let key = self.eval(key, at)?;
                    let value = self.method(function, None, id, at);
                    self.define_accessor(id, &key, value, matches!(prop, Prop::Getter { .. }));
                }
                Prop::Spread(value) => {
                    let value = self.eval(value, at)?;
                    self.spread_into(id, &value)?;
                }
            }
        }
        Ok(Value::Object(id))
    }

    fn dict_literal(&mut self, props: &[Prop], at: At<'_>) -> Run<Value> {
        let id = self.allocate(None, Body::Table(Table::default()));
        for prop in props {
            match prop {
                Prop::Pair { key, value } => {
                    let key = self.eval(key, at)?;
                    let value = self.eval(value, at)?;
                    self.table_set(id, &key, value);
                }
                Prop::Spread(value) => {
                    let value = self.eval(value, at)?;
                    self.table_update(id, &value)?;
                }
                Prop::Getter { .. } | Prop::Setter { .. } => {}
            }
        }
        Ok(Value::Object(id))
    }

    fn comprehension(&mut self, of: &Comprehension, at: At<'_>) -> Run<Value> {
        let scope = self.heap.open(Some(at.scope));
        let body = match of.kind {
            ComprehensionKind::Table => Body::Table(Table::default()),
            ComprehensionKind::Set => Body::Set(Table::default()),
            ComprehensionKind::List | ComprehensionKind::Generator => Body::List(Vec::new()),
        };
        let id = self.allocate(None, body);
        self.clauses(of, 0, id, at.within(scope))?;
        if of.kind == ComprehensionKind::Generator
            && let Body::List(slots) = self.heap.get(id).body.clone()
        {
            let state = super::value::Steps::Done(slots);
            self.heap.change(id).body = Body::Generator { state, next: 0 };
        }
        Ok(Value::Object(id))
    }

    /// Runs the clauses of a comprehension from an index on, and adds the element for each turn of the last one.
    fn clauses(&mut self, of: &Comprehension, index: usize, into: super::ObjectId, at: At<'_>) -> Run<()> {
        match of.clauses.get(index) {
            None => {
                let value = self.eval(&of.element, at)?;
                match &of.key {
                    Some(key) => {
                        let key = self.eval(key, at)?;
                        self.table_set(into, &key, value);
                    }
                    None if of.kind == ComprehensionKind::Set => self.set_add(into, Slot::new(value)),
                    None => self.push(into, Slot::new(value)),
                }
                Ok(())
            }
            Some(Clause::If(test)) => {
                let value = self.eval(test, at)?;
                match self.truth(&value)? {
                    Some(true) => self.clauses(of, index + 1, into, at),
                    Some(false) => Ok(()),
                    None => self.perhaps(|machine| machine.clauses(of, index + 1, into, at)),
                }
            }
            Some(Clause::Each { target, iterable }) => {
                let value = self.eval(iterable, at)?;
                let source = self.elements_of(&value, false, at.frame.site.place(iterable.span))?;
                for slot in source.known {
                    self.step()?;
                    let inner = at.within(self.heap.open(Some(at.scope)));
                    self.bind(target, slot.value, Some(crate::code::Declared::Block), inner)?;
                    match slot.perhaps {
                        false => self.turned(|machine| machine.clauses(of, index + 1, into, inner))?,
                        true => self.perhaps(|machine| machine.clauses(of, index + 1, into, inner))?,
                    }
                }
                if let Some(more) = source.more {
                    let inner = at.within(self.heap.open(Some(at.scope)));
                    self.bind(target, Value::Unknown(Rc::clone(&more)), Some(crate::code::Declared::Block), inner)?;
                    // What is made of elements that are not known is as unknown as they are.
                    let ran = self.perhaps(|machine| machine.clauses(of, index + 1, into, inner));
                    self.heap.change(into).more.get_or_insert(more);
                    ran?;
                }
                Ok(())
            }
        }
    }

    /// Runs something that may not run.
    pub(super) fn perhaps(&mut self, run: impl FnOnce(&mut Self) -> Run<()>) -> Run<()> {
        self.fork(vec![Box::new(run), Box::new(|_: &mut Self| Ok(()))]).map(drop)
    }

    fn assign(&mut self, target: &Target, operator: Option<Binary>, value: &Expr, at: At<'_>) -> Run<Value> {
        let value = match (operator, target) {
            (Some(operator), _) => {
                let old = self.read(target, at)?;
                let value = self.eval(value, at)?;
                if let Some(changed) = self.changed_in_place(operator, &old, &value, at)? {
                    return Ok(changed);
                }
                self.binary(operator, &old, &value, at.frame.family)?
            }
            (None, Target::Name { name, .. }) => self.eval_named(value, name, at)?,
            (None, _) => self.eval(value, at)?,
        };
        self.bind(target, value.clone(), None, at)?;
        Ok(value)
    }

    /// The list, set or dict that `+=` or `|=` changed in place (Python); `None` for other values.
    fn changed_in_place(&mut self, operator: Binary, old: &Value, by: &Value, at: At<'_>) -> Run<Option<Value>> {
        let Some(id) = old.as_object().filter(|_| at.frame.family == Family::Python) else { return Ok(None) };
        let place = self.stack.last().copied().unwrap_or(at.frame.site.place(Default::default()));
        match (operator, &self.heap.get(id).body) {
            (Binary::Add, Body::List(_)) => {
                let source = self.elements_of(by, false, place)?;
                for slot in source.known {
                    self.push(id, Slot { key: None, hidden: false, ..slot });
                }
                if let Some(more) = source.more {
                    self.heap.change(id).more.get_or_insert(more);
                }
            }
            (Binary::Or, Body::Table(_)) => self.table_update(id, by)?,
            (Binary::Or, Body::Set(_)) => {
                for slot in self.elements_of(by, false, place)?.known {
                    self.set_add(id, slot);
                }
            }
            _ => return Ok(None),
        }
        Ok(Some(old.clone()))
    }

    fn assign_logic(&mut self, target: &Target, operator: Logic, value: &Expr, at: At<'_>) -> Run<Value> {
        let old = self.read(target, at)?;
        let new = self.logic_value(operator, (old, &[]), value, at)?;
        self.bind(target, new.clone(), None, at)?;
        Ok(new)
    }

    fn call_expression(&mut self, call: &Call, expr: &Expr, at: At<'_>) -> Run<Value> {
        let place = at.frame.site.place(expr.span);
        if matches!(call.callee.kind, ExprKind::Super) {
            let args = self.args(call, at)?;
            return self.super_call(args, place, at);
        }
        let (callee, this) = match &call.callee.kind {
            ExprKind::Member { object, key, optional, .. } => {
                let at_place = at.frame.site.place(call.callee.span);
                if matches!(object.kind, ExprKind::Super) {
                    (self.super_member(key, at, at_place)?, at.frame.this.clone())
                } else if matches!(&object.kind, ExprKind::Call(inner) if is_super_of_python(inner, at)) {
                    let this = self.eval(object, at)?;
                    (self.member(&this, key, at_place)?, Value::Undefined)
                } else {
                    let Some(object) = self.head(object, *optional, at)? else { return Ok(Value::Undefined) };
                    (self.member(&object, key, at_place)?, object)
                }
            }
            ExprKind::At { object, index, optional } => {
                let Some(object) = self.head(object, *optional, at)? else { return Ok(Value::Undefined) };
                let index = self.eval(index, at)?;
                (self.element(&object, &index, at.frame.site.place(call.callee.span))?, object)
            }
            _ => (self.eval(&call.callee, at)?, Value::Undefined),
        };
        if call.optional && callee.is_nothing() {
            self.is_short = true;
            return Ok(Value::Undefined);
        }
        self.is_short = false;
        if let Some(value) = self.scoped_builtin(&callee, call, at)? {
            return Ok(value);
        }
        let args = self.args(call, at)?;
        self.calling = call.callee.identifier().cloned();
        if let ExprKind::Member { key, .. } = &call.callee.kind
            && !call.new
            && self.watched_call(&callee, &this, key, &args, call, place) == Handled::Kept
        {
            return Ok(Value::unknown("the result of a registration"));
        }
        let value = match call.new {
            true => self.construct(&callee, args, place),
            false => self.call(&callee, this.clone(), args, place),
        };
        self.is_short = false;
        for arg in &call.args {
            if let ExprKind::Lent(place) = &arg.value.kind {
                self.lent(place, at)?;
            }
        }
        if let (Value::Text(_) | Value::Number(_), ExprKind::Member { object, .. }, Ok(changed)) =
            (&this, &call.callee.kind, &value)
            && self.changes_receiver(&callee)
        {
            self.assign_to(object, changed.clone(), at)?;
            return Ok(Value::Undefined);
        }
        value
    }

    /// The object at the head of a member, element or call; `None` if the chain ends there, since `?.` found nothing in
    /// it.
    fn head(&mut self, object: &Expr, optional: bool, at: At<'_>) -> Run<Option<Value>> {
        let is_chain = matches!(object.kind, ExprKind::Member { .. } | ExprKind::At { .. } | ExprKind::Call(_));
        self.is_short = false;
        let value = self.eval(object, at)?;
        let ended = is_chain && self.is_short || optional && value.is_nothing();
        self.is_short = ended;
        Ok((!ended).then_some(value))
    }

    pub(super) fn args(&mut self, call: &Call, at: At<'_>) -> Run<Args> {
        let mut args = Args::default();
        for arg in &call.args {
            let place = at.frame.site.place(arg.span);
            let value = self.eval(&arg.value, at)?;
            match &arg.kind {
                ArgKind::Positional => args.list.push(Passed { name: None, value, place }),
                ArgKind::Named(name) => args.list.push(Passed { name: Some(name.clone()), value, place }),
                ArgKind::Spread => {
                    let source = self.elements_of(&value, false, place)?;
                    self.heap.copied += source.known.len() as u64;
                    let known = source.known.into_iter();
                    args.list.extend(known.map(|slot| Passed { name: None, value: slot.value, place }));
                    if let Some(more) = source.more {
                        args.more.get_or_insert(Value::Unknown(more));
                    }
                }
                ArgKind::Keywords => {
                    let (pairs, more) = self.pairs_of(&value)?;
                    for (key, slot) in pairs {
                        if let Some(name) = key.as_text() {
                            args.list.push(Passed { name: Some(name.into()), value: slot.value, place });
                        }
                    }
                    if let Some(more) = more {
                        args.more.get_or_insert(Value::Unknown(more));
                    }
                }
            }
        }
        Ok(args)
    }

    fn yields(&mut self, value: Option<&Expr>, all: bool, at: At<'_>) -> Run<Value> {
        /// The maximum number of elements taken from a generator.
        const MOST: usize = 5_000;
        let value = match value {
            Some(value) => self.eval(value, at)?,
            None => self.nothing(at),
        };
        let mut slots = Vec::new();
        let mut returned = Value::Undefined;
        if all {
            let source = self.elements_of(&value, false, at.frame.site.place(Default::default()))?;
            slots.extend(source.known);
            if let Some(more) = source.more {
                slots.push(Slot { perhaps: true, ..Slot::new(Value::Unknown(more)) });
            }
            let found = value.as_object().and_then(|id| self.heap.get(id).props.get(super::iterate::RETURNED));
            returned = found.map_or(Value::Undefined, |slot| slot.value.clone());
        } else {
            slots.push(Slot::new(value));
        }
        let perhaps = self.is_doubtful();
        let Some(yielded) = self.yielded.last_mut() else { return Ok(Value::unknown("a `yield` outside a generator")) };
        yielded.extend(slots.into_iter().map(|slot| Slot { perhaps: slot.perhaps || perhaps, ..slot }));
        if yielded.len() > MOST {
            return Err(Abrupt::Throw(Value::made(END_OF_GENERATOR)));
        }
        // What `next(value)` sends is not known here.
        Ok(if all { returned } else { Value::unknown("a value sent to a generator") })
    }

    /// Concatenates strings; unknown pieces stay unknown pieces of the result.
    pub(super) fn concatenated(&mut self, pieces: &[Value]) -> Value {
        /// The maximum length of a string, in bytes.
        const MOST: usize = 100_000;
        /// The maximum number of parts of a string. Each keeps its origin, which takes far more memory.
        const MOST_PARTS: usize = 1_000;
        /// The maximum number of strings that a combination of pieces may produce.
        const MOST_CHOICES: usize = 16;
        let choices = pieces.iter().fold(1_usize, |all, piece| all.saturating_mul(piece.options().len().max(1)));
        if choices > 1 {
            if choices > MOST_CHOICES {
                return Value::unknown("a string with too many possible values");
            }
            let Some(at) = pieces.iter().position(|piece| matches!(piece, Value::OneOf(_))) else {
                return Value::unknown("a text");
            };
            let mut all = Vec::new();
            for option in pieces[at].options() {
                let mut chosen = pieces.to_vec();
                chosen[at] = option.clone();
                all.push(self.concatenated(&chosen));
            }
            return Value::one_of(all);
        }
        let mut whole = Traced::default();
        let mut length = 0;
        for piece in pieces {
            match piece {
                Value::Text(text) => {
                    length += text.parts.iter().map(|part| part.text.len()).sum::<usize>();
                    if length > MOST || whole.parts.len() + text.parts.len() > MOST_PARTS {
                        return Value::unknown("a string that is too long");
                    }
                    whole.parts.extend(text.parts.iter().filter(|part| !part.text.is_empty()).cloned());
                }
                Value::Unknown(unknown) => {
                    let origin = Origin::Unknown(Box::new((**unknown).clone()));
                    whole.parts.push(Part { text: "*".into(), origin });
                }
                _ => {}
            }
        }
        Value::text(whole)
    }

    /// The key under which a value is found in a table; `None` if it is unknown.
    pub(super) fn table_key(&self, value: &Value) -> Option<Key> {
        Some(match value {
            Value::Undefined => Key::Undefined,
            Value::Null => Key::Null,
            Value::Bool(holds) => Key::Bool(*holds),
            Value::Number(number) => Key::Number(if *number == 0.0 { 0 } else { number.to_bits() }),
            Value::Text(_) => Key::Text(value.as_text()?.into()),
            Value::Object(id) => match &self.heap.get(*id).body {
                Body::Tuple(slots) => {
                    let keys = slots.iter().map(|slot| self.table_key(&slot.value));
                    Key::Tuple(keys.collect::<Option<_>>()?)
                }
                _ => Key::Object(*id),
            },
            Value::OneOf(_) | Value::Unknown(_) => return None,
        })
    }
}

/// The signal that ends a generator with too many elements.
pub(super) const END_OF_GENERATOR: &str = "too many elements of a generator";

/// Whether a call is Python's `super()`, whose members are bound already.
fn is_super_of_python(call: &Call, at: At<'_>) -> bool {
    at.frame.family == Family::Python && matches!(&call.callee.kind, ExprKind::Name(name) if name == "super")
}
