//! Questions about values, for those who watch a program.

use std::rc::Rc;

use smol_str::SmolStr;

use super::value::{Body, Outside, Slot, Value};
use super::{Abrupt, Machine, ObjectId};
use crate::code::{Export, StmtKind};
use crate::evaluate::Unknown;
use crate::text::FileId;

impl Machine<'_> {
    /// The elements of a value, and the reason if there may be more.
    pub(crate) fn elements(&mut self, value: &Value) -> (Vec<Slot>, Option<Rc<Unknown>>) {
        let place = self.here();
        match self.elements_of(value, false, place) {
            Ok(source) => (source.known, source.more),
            Err(_) => (Vec::new(), Some(Rc::new(Unknown::because("an exception")))),
        }
    }

    /// A list of values.
    pub(crate) fn list_of(&mut self, values: Vec<Value>) -> Value {
        self.list(values.into_iter().map(Slot::new).collect())
    }

    /// The pairs of an object, each a list of key and value.
    pub(crate) fn entries(&mut self, value: &Value) -> Value {
        let (pairs, more) = self.pairs_of(value).unwrap_or_default();
        let mut slots = Vec::new();
        for (key, slot) in pairs {
            let pair = self.list(vec![Slot::new(key), Slot::new(slot.value)]);
            slots.push(Slot { perhaps: slot.perhaps, ..Slot::new(pair) });
        }
        let id = self.allocate(None, Body::List(slots));
        self.heap.change(id).more = more;
        Value::Object(id)
    }

    /// A member that a value has; `None` if it has none, or if only another package could tell.
    pub(crate) fn field(&mut self, value: &Value, name: &str) -> Option<Value> {
        let place = self.here();
        let found = self.member(value, name, place).ok()?;
        // An argument of the constructor of another package's class may be what the member shows.
        if let Value::Object(id) = &found
            && let Body::Outside(outside) = &self.heap.get(*id).body
            && let Outside::Member { of, .. } = &**outside
            && let Body::Outside(outside) = &self.heap.get(*of).body
            && let Outside::Result(call) = &**outside
        {
            let call = Rc::clone(call);
            return call.args.iter().find(|arg| arg.name.as_deref() == Some(name)).map(|arg| arg.value.clone());
        }
        (!matches!(found, Value::Undefined)).then_some(found)
    }

    /// What a function returns for arguments that are not known.
    pub(crate) fn answer(&mut self, value: &Value) -> Option<Value> {
        let place = self.here();
        let mut all = Vec::new();
        for option in value.options().to_vec() {
            let answer = self.within_share(super::SHARE, |machine| {
                let answer = machine.call_unknown(&option, place)?;
                machine.awaited(answer)
            });
            all.push(match answer {
                Ok(answer) => answer,
                Err(Abrupt::Stop) if self.fuel > 0 => Value::unknown("a function that ends the program"),
                Err(Abrupt::Stop) => Value::unknown("a function that takes too many steps"),
                Err(Abrupt::Throw(_)) => return None,
            });
        }
        Some(Value::one_of(all))
    }

    /// Whether a value is a function of the program.
    pub(crate) fn is_function(&self, value: &Value) -> bool {
        matches!(self.body_of(value), Some(Body::Function(_) | Body::Bound { .. }))
    }

    /// The name of a function or class as a text.
    pub(crate) fn identifier(&mut self, value: &Value) -> Option<Value> {
        match self.body_of(value)? {
            Body::Function(_) | Body::Class(_) => Some(self.name_of_function(value.as_object()?)),
            Body::Bound { function, .. } => {
                let function = *function;
                Some(self.name_of_function(function))
            }
            _ => None,
        }
    }

    /// The class of another package from which the class of an instance derives.
    pub(crate) fn outside_base_of(&self, id: ObjectId) -> Option<ObjectId> {
        let object = self.heap.get(id);
        match &object.body {
            Body::Class(_) => self.outside_base(id),
            Body::Plain => self.outside_base(object.parent?),
            _ => None,
        }
    }

    /// Whether a file of the program, or any of them, imports a module that `wanted` accepts.
    pub(crate) fn imports_any(&self, file: Option<FileId>, wanted: &dyn Fn(&str) -> bool) -> bool {
        let imports = |file: FileId| {
            let Some(code) = self.code_of(file) else { return false };
            code.items.iter().flat_map(|item| item.body.iter()).any(|stmt| match &stmt.kind {
                StmtKind::Import(import) => wanted(&import.module),
                StmtKind::Export(Export::From { module, .. } | Export::All(module)) => wanted(module),
                _ => false,
            })
        };
        match file {
            Some(file) => imports(file),
            None => self.modules.keys().any(|file| imports(*file)),
        }
    }

    /// A value of which nothing is known but its name.
    pub(super) fn given(&mut self, name: SmolStr) -> Value {
        let outside = Outside::Given { name };
        Value::Object(self.allocate(None, Body::Outside(Rc::new(outside))))
    }
}
