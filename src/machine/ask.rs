//! Questions about values, for those who watch a program.

use std::rc::Rc;

use smol_str::SmolStr;

use super::express::Args;
use super::realm::is_prelude;
use super::value::{Body, Closure, Key, Literal, Outside, Slot, Value};
use super::{Abrupt, Machine, ObjectId};
use crate::code::{ClassBody, Export, Stmt, StmtKind};
use crate::found::{Place, Traced, Unknown};
use crate::syntax::Family;
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
        // A dict where others pass a model.
        if let Some(Body::Table(table)) = self.body_of(value)
            && self.family != Family::TypeScript
            && let Some(slot) = table.get(&Key::Text(name.into()))
        {
            return Some(slot.value.clone());
        }
        if let Some(id) = value.as_object().filter(|_| self.family == Family::Rust)
            && !self.has_associated(id, name)
        {
            return None;
        }
        let place = self.here();
        let found = self.member(value, name, place).ok()?;
        // An argument of the constructor of another package's class may be what the member shows.
        if let Value::Object(id) = &found
            && let Body::Outside(outside) = &self.heap.get(*id).body
            && let Outside::Member { of, key } = &**outside
            && Some(*of) == value.as_object()
            && *key == name
            && let Body::Outside(outside) = &self.heap.get(*of).body
            && let Outside::Result(call) = &**outside
        {
            let call = Rc::clone(call);
            return call.args.iter().find(|arg| arg.name.as_deref() == Some(name)).map(|arg| arg.value.clone());
        }
        (!matches!(found, Value::Undefined)).then_some(found)
    }

    /// The return value of a function for unknown arguments.
    pub(crate) fn answer(&mut self, value: &Value) -> Option<Value> {
        let place = self.here();
        let mut all = Vec::new();
        for option in value.options().to_vec() {
            let answer = self.within_share(super::SHARE, |machine| {
                let answer = machine.call_unknown(&option, place)?;
                machine.awaited(answer)
            });
            all.push(match answer {
                Ok(answer) if self.family == Family::Rust => match self.unwrapped_or_left(answer) {
                    Ok(answer) => answer,
                    Err(_) => continue,
                },
                Ok(answer) => answer,
                Err(Abrupt::Stop) if self.fuel > 0 => Value::unknown("the result of a function that exits the process"),
                Err(Abrupt::Stop) => Value::unknown("a function that takes too many steps"),
                Err(Abrupt::Throw(_) | Abrupt::Leave(_)) => return None,
            });
        }
        Some(Value::one_of(all))
    }

    /// The exports, members and parameters that an object of another package comes from, from the outermost to the
    /// innermost: `client`, `listTools`, `tools`.
    pub(crate) fn chain_of(&self, id: ObjectId) -> Vec<SmolStr> {
        /// The maximum number of members and calls that are followed.
        const MOST: usize = 16;
        let mut names = Vec::new();
        let mut next = Some(id);
        for _ in 0..MOST {
            let Some(Body::Outside(outside)) = next.map(|id| &self.heap.get(id).body) else { break };
            next = match &**outside {
                Outside::Export { path, .. } => {
                    names.extend(path.iter().rev().cloned());
                    None
                }
                Outside::Member { of, key } => {
                    names.push(key.clone());
                    Some(*of)
                }
                Outside::Result(call) => Some(call.callee),
                Outside::Given { name } => {
                    names.push(name.clone());
                    None
                }
            };
        }
        names.reverse();
        names
    }

    /// The same for an unknown value, or one that may have unknown elements.
    pub(crate) fn sources_of(&self, value: &Value) -> Vec<SmolStr> {
        let value = value.options().iter().find(|option| matches!(option, Value::Unknown(_) | Value::Object(_)));
        match value {
            Some(Value::Unknown(unknown)) => unknown.of.clone(),
            Some(Value::Object(id)) => match &self.heap.get(*id).more {
                Some(more) => more.of.clone(),
                None => self.chain_of(*id),
            },
            _ => Vec::new(),
        }
    }

    /// Whether a value is a function of the program, or one of several.
    pub(crate) fn is_function(&self, value: &Value) -> bool {
        let is_one = |value: &Value| matches!(self.body_of(value), Some(Body::Function(_) | Body::Bound { .. }));
        value.options().iter().all(is_one)
    }

    /// Whether a value is a list or tuple.
    pub(crate) fn is_list(&self, value: &Value) -> bool {
        matches!(self.body_of(value), Some(Body::List(_) | Body::Tuple(_)))
    }

    /// Whether a value is an object or table of named values.
    pub(crate) fn is_table(&self, value: &Value) -> bool {
        matches!(self.body_of(value), Some(Body::Plain | Body::Table(_)))
    }

    /// Whether a value is a function or class of the program.
    pub(crate) fn is_definition(&self, value: &Value) -> bool {
        matches!(self.body_of(value), Some(Body::Function(_) | Body::Bound { .. } | Body::Class(_)))
    }

    /// The name of a function or class as a text.
    pub(crate) fn identifier(&mut self, value: &Value) -> Option<Value> {
        if let Value::OneOf(options) = value {
            let options = Rc::clone(options);
            let names: Option<Vec<Value>> = options.iter().map(|option| self.identifier(option)).collect();
            return names.map(Value::one_of);
        }
        match self.body_of(value)? {
            // A decorator keeps the name of what it wraps.
            Body::Outside(outside) => match &**outside {
                Outside::Result(call) if call.decorates => {
                    let wrapped = call.args.first()?.value.clone();
                    self.identifier(&wrapped)
                }
                _ => None,
            },
            Body::Function(_) | Body::Class(_) => Some(self.name_of_function(value.as_object()?)),
            Body::Bound { function, .. } => {
                let function = *function;
                Some(self.name_of_function(function))
            }
            _ => None,
        }
    }

    /// The place that created a value: a literal, a definition, or a call of another package's function.
    pub(crate) fn place_of(&self, value: &Value) -> Option<Place> {
        let id = value.options().iter().find_map(Value::as_object)?;
        let object = self.heap.get(id);
        match &object.body {
            Body::Function(closure) => Some(closure.site.place(closure.function.span)),
            Body::Class(info) => Some(info.site.place(info.class.span)),
            Body::Bound { function, .. } => self.place_of(&Value::Object(*function)),
            Body::Outside(outside) => match &**outside {
                // What a decorator makes of a function is still that function.
                Outside::Result(call) if call.decorates => self.place_of(&call.args.first()?.value),
                Outside::Result(call) => call.stack.first().copied(),
                _ => None,
            },
            _ => object.literal.map(|literal| literal.place),
        }
        .filter(|place| !is_prelude(place.file))
    }

    /// A literal that another package's function wraps, `object(json!({ … }))`; any other value as it is.
    pub(crate) fn without_wrappers(&self, value: &Value) -> Value {
        /// The maximum number of functions that may wrap the value.
        const MOST: usize = 4;
        let mut value = value.clone();
        for _ in 0..MOST {
            let Some(Body::Outside(outside)) = self.body_of(&value) else { break };
            let Outside::Result(call) = &**outside else { break };
            let [only] = call.args.as_slice() else { break };
            let is_made = |id: ObjectId| match &self.heap.get(id).body {
                Body::Outside(outside) => matches!(**outside, Outside::Result(_)),
                _ => self.heap.get(id).literal.is_some(),
            };
            match only.value.as_object().filter(|_| self.family == Family::Rust) {
                Some(id) if is_made(id) => value = only.value.clone(),
                _ => break,
            }
        }
        match self.heap_value(&value) {
            Some(inner) => inner,
            None => value,
        }
    }

    /// The value inside an instance of the prelude's `Arc`.
    fn heap_value(&self, value: &Value) -> Option<Value> {
        let id = value.as_object().filter(|_| self.family == Family::Rust)?;
        let class = self.heap.get(id).parent?;
        match &self.heap.get(class).body {
            Body::Class(info) if is_prelude(info.site.file) => {
                self.heap.get(id).props.get("value").map(|slot| slot.value.clone())
            }
            _ => None,
        }
    }

    /// The class of the program that a value is an instance of, by its file and name.
    pub(crate) fn class_of_instance(&self, id: ObjectId) -> Option<(FileId, SmolStr)> {
        let parent = self.heap.get(id).parent?;
        let class = match &self.heap.get(parent).body {
            Body::Class(_) => parent,
            _ => self.heap.get(parent).props.get("constructor")?.value.as_object()?,
        };
        match &self.heap.get(class).body {
            Body::Class(info) => Some((info.site.file, info.class.name.clone()?)),
            _ => None,
        }
    }

    /// The innermost class around a place, by its file and name.
    pub(crate) fn class_around(&self, place: Place) -> Option<(FileId, SmolStr)> {
        let code = self.code_of(place.file)?;
        let mut block: &[Stmt] = &code.items.get(place.item as usize)?.body;
        let mut found = None;
        while let Some(stmt) = block.iter().find(|stmt| stmt.span.contains(place.span)) {
            let stmt = match &stmt.kind {
                StmtKind::Export(Export::Declared(declared)) => &**declared,
                _ => stmt,
            };
            let StmtKind::Class(class) = &stmt.kind else { break };
            found = class.name.clone();
            let ClassBody::Block(body) = &class.body else { break };
            block = body;
        }
        Some((place.file, found?))
    }

    /// The class of the program that a method of Rust belongs to, by its file and name.
    pub(crate) fn class_of_method(&self, method: &Value) -> Option<(FileId, SmolStr)> {
        if self.family != Family::Rust {
            return None;
        }
        let home = match self.body_of(method)? {
            Body::Function(closure) => closure.home?,
            Body::Bound { function, .. } => return self.class_of_method(&Value::Object(*function)),
            Body::Class(_) => method.as_object()?,
            _ => return None,
        };
        match &self.heap.get(home).body {
            Body::Class(info) => Some((info.site.file, info.class.name.clone()?)),
            _ => None,
        }
    }

    /// The classes of other packages that a class derives from, and the traits that it implements.
    pub(crate) fn outside_bases(&self, class: ObjectId) -> Vec<ObjectId> {
        let Body::Class(info) = &self.heap.get(class).body else { return Vec::new() };
        let is_outside = |base: &ObjectId| matches!(self.heap.get(*base).body, Body::Outside(_));
        info.order.iter().copied().filter(is_outside).collect()
    }

    /// A method of a class's own, bound to the instance that the program made last, or to one of which nothing is
    /// known.
    pub(crate) fn method_of(&mut self, class: ObjectId, name: &str) -> Option<Value> {
        self.heap.get(class).props.get(name)?;
        let instance = match self.made_instance(class) {
            Some(made) => Value::Object(made),
            None => self.instance_of(class)?,
        };
        let place = self.here();
        self.member(&instance, name, place).ok()
    }

    /// The instance of a class that the program created last.
    pub(super) fn made_instance(&self, class: ObjectId) -> Option<ObjectId> {
        let is_instance = |id: &ObjectId| {
            let object = self.heap.get(*id);
            object.parent == Some(class) && matches!(object.body, Body::Plain) && object.more.is_none()
        };
        self.heap.ids().filter(is_instance).last()
    }

    /// The results of the attributes of a function or class that do not change it.
    pub(crate) fn attributes_of(&self, id: ObjectId) -> Vec<Value> {
        let made = self.heap.get(id).props.get(super::items::ATTRIBUTES).map(|slot| &slot.value);
        let made = made.and_then(|made| self.plain_list(made)).unwrap_or_default();
        made.into_iter().map(|slot| slot.value).collect()
    }

    /// The classes that the program creates, in order of creation.
    pub(crate) fn classes(&self) -> Vec<ObjectId> {
        let is_own = |id: &ObjectId| match &self.heap.get(*id).body {
            Body::Class(info) => !is_prelude(info.site.file),
            _ => false,
        };
        self.heap.ids().filter(is_own).collect()
    }

    /// The objects that literals of the program created.
    pub(crate) fn literals(&self) -> Vec<ObjectId> {
        let is_literal = |id: &ObjectId| {
            let object = self.heap.get(*id);
            object.literal.is_some() && matches!(object.body, Body::Plain | Body::Table(_))
        };
        self.heap.ids().filter(is_literal).collect()
    }

    /// The keys of an object or, for a class, of its instances.
    pub(crate) fn keys_of(&self, id: ObjectId) -> Vec<SmolStr> {
        let object = self.heap.get(id);
        let mut keys: Vec<SmolStr> = object.props.keys().cloned().collect();
        if let Body::Table(table) = &object.body {
            keys.extend(table.keys().filter_map(|key| match key {
                Key::Text(text) => Some(text.clone()),
                _ => None,
            }));
        }
        if let Body::Class(info) = &object.body {
            keys.extend(info.fields.iter().map(|(name, _)| SmolStr::from(name.text())));
            keys.extend(info.prototype.iter().flat_map(|prototype| self.heap.get(*prototype).props.keys().cloned()));
        }
        keys
    }

    /// The instance that `Type::new` of a Rust type returns for unknown arguments; `None` if it returns something else.
    fn made_by_new(&mut self, class: ObjectId) -> Option<Value> {
        if self.family != Family::Rust {
            return None;
        }
        let new = self.heap.get(class).props.get("new")?.value.clone();
        let made = self.answer(&new)?;
        let id = made.options().iter().find_map(Value::as_object)?;
        (self.heap.get(id).parent == Some(class)).then_some(Value::Object(id))
    }

    /// An instance of a class, created with unknown arguments.
    pub(crate) fn instance_of(&mut self, class: ObjectId) -> Option<Value> {
        let place = self.here();
        if let Some(made) = self.made_by_new(class) {
            return Some(made);
        }
        let more = Some(Value::unknown("an argument that only a caller has"));
        let args = Args { list: Vec::new(), more };
        self.within_share(super::SMALL_SHARE, |machine| machine.construct(&Value::Object(class), args, place)).ok()
    }

    /// The value that a file of the program exports under a name.
    pub(crate) fn export_of(&mut self, file: FileId, name: &str) -> Option<Value> {
        self.modules.get(&file)?;
        self.exported(file, name).ok().filter(|value| !matches!(value, Value::Undefined))
    }

    /// Remembers the values of the expressions at these places.
    pub(crate) fn probe(&mut self, places: impl IntoIterator<Item = Place>) {
        self.probes.extend(places.into_iter().map(|place| (place, Vec::new())));
    }

    /// The values that the expression at a place had, each with whether it may not have run.
    pub(crate) fn probed(&self, place: Place) -> Vec<(Value, bool)> {
        self.probes.get(&place).cloned().unwrap_or_default()
    }

    /// The function or class with this span, or whose name has it.
    pub(crate) fn definition_at(&self, place: Place) -> Option<Value> {
        let is_there = |id: &ObjectId| match &self.heap.get(*id).body {
            Body::Function(closure) => {
                let function = &closure.function;
                [function.span, function.name_span].iter().any(|span| closure.site.place(*span) == place)
            }
            Body::Class(info) => {
                let class = &info.class;
                [class.span, class.name_span].iter().any(|span| info.site.place(*span) == place)
            }
            _ => false,
        };
        self.heap.ids().find(is_there).map(Value::Object)
    }

    /// The literal that created an object.
    pub(crate) fn literal_of(&self, value: &Value) -> Option<Literal> {
        self.heap.get(value.as_object()?).literal
    }

    /// The function that a value is, without what it is bound to.
    pub(crate) fn closure_of(&self, value: &Value) -> Option<Rc<Closure>> {
        match &self.heap.get(value.as_object()?).body {
            Body::Function(closure) => Some(Rc::clone(closure)),
            Body::Bound { function, .. } => self.closure_of(&Value::Object(*function)),
            Body::Outside(outside) => match &**outside {
                Outside::Result(call) if call.decorates => self.closure_of(&call.args.first()?.value),
                _ => None,
            },
            _ => None,
        }
    }

    /// The documentation of a function or class.
    pub(crate) fn documentation(&self, value: &Value) -> Option<Value> {
        let (doc, site) = match &self.heap.get(value.as_object()?).body {
            Body::Class(info) => (info.class.doc.clone(), info.site),
            _ => {
                let closure = self.closure_of(value)?;
                (closure.function.doc.clone(), closure.site)
            }
        };
        let doc = doc.filter(|_| !is_prelude(site.file))?;
        Some(Value::text(Traced::literal(doc.text, site.place(doc.span))))
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
