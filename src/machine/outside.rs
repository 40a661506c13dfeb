//! Calls into other packages, and the known parts of their results.

use std::rc::Rc;

use smol_str::SmolStr;

use super::express::Args;
use super::value::{Body, Outside, OutsideCall, Passed, Value};
use super::{Abrupt, Handled, Machine, ObjectId, Run};
use crate::found::Place;

impl Machine<'_> {
    /// Shows the effects a call of a method that is the program's own, or of something that is not known, if they watch
    /// methods of this name.
    pub(super) fn watched_call(
        &mut self,
        callee: &Value,
        this: &Value,
        key: &SmolStr,
        args: &Args,
        written: &crate::code::Call,
        place: Place,
    ) -> Handled {
        if !self.effects.as_ref().is_some_and(|effects| effects.watches(key)) {
            return Handled::Run;
        }
        let of = match (self.body_of(callee), this) {
            (Some(Body::Function(closure)), Value::Object(id)) if !super::realm::is_prelude(closure.site.file) => *id,
            (None, Value::Unknown(_) | Value::Object(_)) if matches!(callee, Value::Unknown(_) | Value::Undefined) => {
                match self.given(key.clone()) {
                    Value::Object(id) => id,
                    _ => return Handled::Run,
                }
            }
            _ => return Handled::Run,
        };
        let member = Outside::Member { of, key: key.clone() };
        let callee = self.allocate(None, Body::Outside(Rc::new(member)));
        let mut call = self.outside_call(callee, args, place, false);
        call.written = written.args.iter().map(|arg| arg.value.identifier().cloned()).collect();
        let made = self.allocate(None, Body::Outside(Rc::new(Outside::Result(Rc::new(call.clone())))));
        match self.effects.take() {
            Some(effects) => {
                let handled = effects.called(self, &Rc::new(call), made);
                self.effects = Some(effects);
                handled
            }
            None => Handled::Run,
        }
    }

    fn outside_call(&mut self, callee: ObjectId, args: &Args, place: Place, new: bool) -> OutsideCall {
        self.called.insert((place.file, place.start()));
        let stack = std::iter::once(place).chain(self.stack.iter().rev().copied());
        OutsideCall {
            callee,
            args: args.list.clone(),
            written: Vec::new(),
            open: args.more.is_some(),
            new,
            decorates: std::mem::take(&mut self.decorates),
            stack: stack.filter(|place| !super::realm::is_prelude(place.file)).collect(),
            perhaps: self.is_doubtful(),
            looped: self.turns > 0,
        }
    }

    /// The result of a method of another package, if its arguments show it: `schema.parse(value)`. The model of the
    /// method gets what another package made as its receiver; in Python, as its first argument.
    fn shown_result(&mut self, callee: ObjectId, mut args: Args, place: Place) -> Run<Option<Value>> {
        let Body::Outside(outside) = &self.heap.get(callee).body else { return Ok(None) };
        let (key, of) = match &**outside {
            Outside::Member { of, key } => (key.clone(), Some(*of)),
            Outside::Export { path, .. } if path.len() > 1 => (path[path.len() - 1].clone(), None),
            _ => return Ok(None),
        };
        let is_made = |of: &ObjectId| match &self.heap.get(*of).body {
            Body::Outside(outside) => matches!(**outside, Outside::Result(_)),
            _ => false,
        };
        let receiver = of.filter(is_made).map_or(Value::Undefined, Value::Object);
        let realm = self.realm();
        let shown = realm.class(self, "shownResults");
        let Some(model) = shown.and_then(|shown| self.heap.get(shown).props.get(&key)) else { return Ok(None) };
        let model = model.value.clone();
        if self.is_python() {
            args.list.insert(0, Passed { name: None, value: receiver.clone(), place });
        }
        Ok(Some(self.call(&model, receiver, args, place)?).filter(|value| !value.is_nothing()))
    }

    /// A member of what another package made, if what it was made of shows it: `FunctionTool.from_function(f).fn`. Of a
    /// decorated function, too.
    pub(super) fn shown_member(&mut self, of: &Value, key: &str, place: Place) -> Run<Option<Value>> {
        let realm = self.realm();
        let shown = realm.class(self, "shownMembers");
        let Some(model) = shown.and_then(|shown| self.heap.get(shown).props.get(key)) else { return Ok(None) };
        let model = model.value.clone();
        let list = vec![Passed { name: None, value: of.clone(), place }];
        let value = self.call(&model, Value::Undefined, Args { list, more: None }, place)?;
        Ok(Some(value).filter(|value| !value.is_nothing()))
    }

    /// An argument of the call that made something of another package, by its name or index.
    pub(super) fn argument_of(&self, made: &Value, name: &str, index: usize) -> Option<Value> {
        let Some(Body::Outside(outside)) = self.body_of(made) else { return None };
        let Outside::Result(call) = &**outside else { return None };
        let named = call.args.iter().find(|arg| arg.name.as_deref() == Some(name));
        let found = named.or_else(|| call.args.iter().filter(|arg| arg.name.is_none()).nth(index));
        found.map(|arg| arg.value.clone())
    }

    /// A member of what a class of another package made, or one of its methods, if the call passes a keyword argument of
    /// this name: `Tool(name="read_note").name`.
    pub(super) fn passed_member(&self, made: ObjectId, key: &str) -> Option<Value> {
        let Body::Outside(outside) = &self.heap.get(made).body else { return None };
        let Outside::Result(call) = &**outside else { return None };
        let is_class = |name: &str| name.starts_with(|c: char| c.is_ascii_uppercase());
        let Body::Outside(callee) = &self.heap.get(call.callee).body else { return None };
        let is_made = match &**callee {
            Outside::Export { path, .. } => path.iter().rev().take(2).any(|name| is_class(name)),
            Outside::Member { key, .. } => is_class(key),
            _ => false,
        };
        let passed =
            call.args.iter().find(|arg| arg.name.as_deref() == Some(key)).filter(|_| is_made && !call.decorates);
        passed.map(|arg| arg.value.clone())
    }

    /// A value that another package created, with other values for some of its arguments. Of a decorated function, only
    /// these are
    /// its arguments then.
    pub(super) fn with_arguments(&mut self, made: &Value, changes: &Value, place: Place) -> Run<Option<Value>> {
        let Some(Body::Outside(outside)) = self.body_of(made) else { return Ok(None) };
        let Outside::Result(call) = &**outside else { return Ok(None) };
        let mut call = (**call).clone();
        if std::mem::take(&mut call.decorates) {
            call.args.clear();
        }
        let (pairs, more) = self.pairs_of(changes)?;
        for (key, slot) in pairs {
            let Some(name) = key.as_text().map(SmolStr::from) else { continue };
            let own =
                call.args.iter().position(|arg| arg.name.as_ref() == Some(&name)).map(|at| call.args.remove(at).value);
            // A change that may not be made leaves the argument as it may be.
            let kept = slot.perhaps.then(|| own.unwrap_or(Value::Undefined));
            let value = Value::one_of(kept.into_iter().chain([slot.value]));
            call.args.push(Passed { name: Some(name), value, place });
        }
        call.open |= more.is_some();
        call.stack = std::iter::once(place).chain(self.stack.iter().rev().copied()).collect();
        call.stack.retain(|place| !super::realm::is_prelude(place.file));
        Ok(Some(Value::Object(self.allocate(None, Body::Outside(Rc::new(Outside::Result(Rc::new(call))))))))
    }

    /// Calls a function of the program with unknown arguments. Exceptions are discarded.
    fn run_now(&mut self, function: &Value, place: Place) -> Run<()> {
        if self.program_closure(function).is_none() {
            return Ok(());
        }
        let called = self.call_unknown(function, place).and_then(|made| self.begun(made));
        match called {
            Err(Abrupt::Stop) if self.fuel == 0 => Err(Abrupt::Stop),
            _ => Ok(()),
        }
    }

    /// Calls something of another package. `result` is the instance for whose class it is a base.
    pub(super) fn call_outside(
        &mut self,
        callee: ObjectId,
        _this: &Value,
        args: Args,
        place: Place,
        new: bool,
        result: Option<ObjectId>,
    ) -> Run<Value> {
        self.unknown_calls += 1;
        let call = Rc::new(self.outside_call(callee, &args, place, new));
        let made = match result {
            Some(result) => result,
            None => self.allocate(None, Body::Outside(Rc::new(Outside::Result(Rc::clone(&call))))),
        };
        let mut handled = Handled::Run;
        if let Some(effects) = self.effects.take() {
            handled = effects.called(self, &call, made);
            self.effects = Some(effects);
        }
        for arg in &args.list {
            match handled {
                Handled::Kept => {}
                Handled::Run => self.queue(&arg.value, place),
                Handled::Now => self.run_now(&arg.value, place)?,
            }
        }
        // A decorator that registers a function gives it back.
        let decorated = args.list.first().map(|arg| &arg.value).filter(|_| call.decorates);
        if let (Handled::Kept, Some(function @ Value::Object(_))) = (handled, decorated) {
            return Ok(function.clone());
        }
        if let (Handled::Run | Handled::Now, false) = (handled, new)
            && let Some(value) = self.shown_result(callee, args, place)?
        {
            return Ok(value);
        }
        Ok(Value::Object(made))
    }
}
