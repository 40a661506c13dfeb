//! Attributes, items and special methods of Python.

use std::rc::Rc;

use smol_str::SmolStr;

use super::express::Args;
use super::value::{Body, Passed, Slot, Value};
use super::{At, Machine, ObjectId, Run};
use crate::found::{Place, Traced};
use crate::syntax::Family;

impl Machine<'_> {
    /// The class of an object.
    pub(super) fn class_of(&mut self, id: ObjectId) -> Option<ObjectId> {
        let object = self.heap.get(id);
        let name = match &object.body {
            Body::Plain => return object.parent,
            Body::List(_) => "list",
            Body::Tuple(_) => "tuple",
            Body::Table(_) => "dict",
            Body::Set(_) => "set",
            Body::Function(_) | Body::Bound { .. } | Body::Native(_) => "function",
            Body::Class(_) => "type",
            Body::Pattern { .. } => "Pattern",
            Body::Generator { .. } => "generator",
            _ => return None,
        };
        if object.parent.is_some() {
            return object.parent;
        }
        self.realm().class(self, name)
    }

    /// A member of the class of an object, not bound to the object; `None` if there is none.
    pub(super) fn class_member(&mut self, id: ObjectId, name: &str) -> Option<Value> {
        if self.family != Family::Python {
            return None;
        }
        let class = match &self.heap.get(id).body {
            Body::Plain | Body::List(_) | Body::Tuple(_) | Body::Table(_) | Body::Set(_) => self.heap.get(id).parent?,
            _ => return None,
        };
        let found = self.found_in_class(class, name)?;
        // The function is called with the object as its first argument.
        Some(Value::Object(self.allocate(None, Body::Bound { function: found.as_object()?, this: Value::Object(id) })))
    }

    /// A member of a class or of one of its bases.
    pub(super) fn found_in_class(&self, class: ObjectId, name: &str) -> Option<Value> {
        let own = |class: &ObjectId| self.heap.get(*class).props.get(name).map(|slot| slot.value.clone());
        let order = |class: ObjectId| match &self.heap.get(class).body {
            Body::Class(info) => info.order.as_slice(),
            _ => &[],
        };
        let found = order(class).iter().find_map(own);
        if found.is_some() || self.family != Family::Rust {
            return found;
        }
        // What an enum implements, its variants have.
        order(class).iter().find_map(|base| order(*base).iter().find_map(own))
    }

    /// The first base of a class that another package defines.
    pub(super) fn outside_base(&self, class: ObjectId) -> Option<ObjectId> {
        let Body::Class(info) = &self.heap.get(class).body else {
            return matches!(self.heap.get(class).body, Body::Outside(_)).then_some(class);
        };
        let is_outside = |class: &ObjectId| matches!(self.heap.get(*class).body, Body::Outside(_));
        if !info.order.is_empty() {
            return info.order.iter().copied().find(is_outside);
        }
        let chain = std::iter::successors(Some(class), |class| self.heap.get(*class).parent);
        chain.take(super::member::MAX_CHAIN).find(is_outside)
    }

    /// `object.key`
    pub(super) fn attribute(&mut self, id: ObjectId, key: &str, place: Place) -> Run<Value> {
        match &self.heap.get(id).body {
            Body::Outside(_) => {
                if let Some(slot) = self.heap.get(id).props.get(key) {
                    return Ok(slot.value.clone());
                }
                if let Some(shown) = self.shown_member(&Value::Object(id), key, place)? {
                    return Ok(shown);
                }
                if let Some(passed) = self.passed_member(id, key).filter(|_| self.family == Family::Python) {
                    return Ok(passed);
                }
                return Ok(self.outside_attribute(id, key));
            }
            Body::Module(file) => {
                let file = *file;
                return self.module_attribute(id, file, key);
            }
            Body::Live { .. } => {
                let value = self.through(Value::Object(id))?;
                return self.member(&value, key, place);
            }
            Body::Class(_) => return self.attribute_of_class(id, key, place),
            _ => {}
        }
        if let Some(found) = self.member_of_super(id, key, place) {
            return found;
        }
        let value = Value::Object(id);
        // A descriptor that can be set comes before the instance's own attributes.
        let class = self.class_of(id);
        let in_class = class.and_then(|class| self.found_in_class(class, key));
        if let Some(found) = &in_class
            && let Some(descriptor) = found.as_object()
            && self.class_member(descriptor, "__set__").is_some()
        {
            return self.described_attribute(found, &value, class, place);
        }
        if let Some(slot) = self.heap.get(id).props.get(key) {
            let (found, perhaps) = (slot.value.clone(), slot.perhaps);
            if perhaps && let Some(other) = in_class {
                let other = self.described_attribute(&other, &value, class, place)?;
                return Ok(Value::one_of([found, other]));
            }
            return Ok(found);
        }
        match key {
            "__class__" => return Ok(class.map_or(Value::Undefined, Value::Object)),
            "__dict__" => return Ok(self.dict_of(id)),
            "__name__" | "__qualname__" => {
                if matches!(self.heap.get(id).body, Body::Function(_)) {
                    return Ok(self.name_of_function(id));
                }
                if let Body::Bound { function, .. } = &self.heap.get(id).body {
                    let function = *function;
                    return self.attribute(function, key, place);
                }
            }
            "__doc__" => {
                if let Some(doc) = self.doc_of(id) {
                    return Ok(doc);
                }
            }
            "__func__" => {
                if let Body::Bound { function, .. } = &self.heap.get(id).body {
                    return Ok(Value::Object(*function));
                }
            }
            "__self__" => {
                if let Body::Bound { this, .. } = &self.heap.get(id).body {
                    return Ok(this.clone());
                }
            }
            "__module__" => match &self.heap.get(id).body {
                Body::Function(closure) => return Ok(self.name_of_module(closure.site.file)),
                Body::Bound { function, .. } => {
                    let function = *function;
                    return self.attribute(function, key, place);
                }
                _ => {
                    if let Some(class) = class {
                        return self.attribute_of_class(class, key, place);
                    }
                }
            },
            _ => {}
        }
        if let Some(found) = in_class {
            return self.described_attribute(&found, &value, class, place);
        }
        if let Body::Bound { function, .. } = &self.heap.get(id).body {
            let function = *function;
            return self.attribute(function, key, place);
        }
        if let Some(class) = class {
            if let Some(getter) = self.found_in_class(class, "__getattr__") {
                let passed = |value: Value| Passed { name: None, value, place };
                let list = vec![passed(value.clone()), passed(Value::made(key))];
                return self.call_function(&getter, Args { list, more: None }, place);
            }
            if self.outside_base(class).is_some() {
                return Ok(self.outside_attribute(id, key));
            }
        }
        if let Some(more) = self.heap.get(id).more.clone() {
            return Ok(Value::Unknown(more));
        }
        // The preludes need not have all of a class of the standard library.
        let class = self.class_of(id).unwrap_or(id);
        if let Body::Class(info) = &self.heap.get(class).body
            && super::realm::prelude_name(info.site.file).is_some()
        {
            let of = info.class.name.clone().unwrap_or_default();
            return Ok(Value::unknown(format!("`{key}` of `{of}`")));
        }
        if let Some(shown) = self.shown_member(&Value::Object(id), key, place)? {
            return Ok(shown);
        }
        self.missing(key)
    }

    /// An attribute that does not exist: `AttributeError`.
    fn missing(&mut self, key: &str) -> Run<Value> {
        self.raise("AttributeError", &format!("no attribute `{key}`"))
    }

    /// Throws an exception of a class of the prelude.
    pub(super) fn raise(&mut self, class: &str, message: &str) -> Run<Value> {
        let place = self.here();
        let realm = self.realm();
        let thrown = match realm.class(self, class) {
            Some(class) => {
                let args = Args { list: vec![Passed { name: None, value: Value::made(message), place }], more: None };
                self.construct(&Value::Object(class), args, place)?
            }
            None => Value::made(message),
        };
        Err(super::Abrupt::Throw(thrown))
    }

    fn outside_attribute(&mut self, id: ObjectId, key: &str) -> Value {
        self.outside_member(&Value::Object(id), id, key)
    }

    fn attribute_of_class(&mut self, id: ObjectId, key: &str, place: Place) -> Run<Value> {
        if let Some(found) = self.found_in_class(id, key) {
            if let Some(descriptor) = found.as_object()
                && let Some(method) = self.class_member(descriptor, "__get__")
            {
                let passed = |value: Value| Passed { name: None, value, place };
                let list = vec![passed(Value::Null), passed(Value::Object(id))];
                return self.call(&method, Value::Undefined, Args { list, more: None }, place);
            }
            return Ok(found);
        }
        let meta = self.heap.get(id).parent;
        if let Some(found) = meta.and_then(|meta| self.found_in_class(meta, key)) {
            return self.described_attribute(&found, &Value::Object(id), meta, place);
        }
        match key {
            "__name__" | "__qualname__" => return Ok(self.name_of_function(id)),
            "__dict__" => return Ok(self.dict_of(id)),
            "__class__" => {
                let realm = self.realm();
                return Ok(realm.class(self, "type").map_or(Value::Undefined, Value::Object));
            }
            "__mro__" | "__bases__" => {
                let Body::Class(info) = &self.heap.get(id).body else { return Ok(Value::Undefined) };
                let all: Vec<Value> = match key {
                    "__mro__" => info.order.iter().map(|class| Value::Object(*class)).collect(),
                    _ => info.bases.clone(),
                };
                let slots = all.into_iter().map(Slot::new).collect();
                return Ok(Value::Object(self.allocate(None, Body::Tuple(slots))));
            }
            "__doc__" => return Ok(Value::Null),
            "__module__" => {
                if let Body::Class(info) = &self.heap.get(id).body {
                    return Ok(self.name_of_module(info.site.file));
                }
            }
            "__subclasses__" => return Ok(self.subclasses_of(id)),
            "mro" => return self.attribute_of_class(id, "__mro__", place),
            _ => {}
        }
        if self.outside_base(id).is_some() {
            return Ok(self.outside_attribute(id, key));
        }
        self.missing(key)
    }

    /// A function that lists the classes that derive directly from a class.
    fn subclasses_of(&mut self, id: ObjectId) -> Value {
        let mut all = Vec::new();
        for index in 0..self.heap.len() {
            let other = ObjectId(index as u32);
            if let Body::Class(info) = &self.heap.get(other).body
                && info.bases.iter().any(|base| base.as_object() == Some(id))
            {
                all.push(Slot::new(Value::Object(other)));
            }
        }
        let list = self.list(all);
        let native = super::native::constant();
        let function = self.allocate(None, Body::Native(native));
        Value::Object(self.allocate(None, Body::Bound { function, this: list }))
    }

    /// A member of a class, read through an instance: functions are bound, descriptors asked.
    fn described_attribute(
        &mut self,
        found: &Value,
        instance: &Value,
        class: Option<ObjectId>,
        place: Place,
    ) -> Run<Value> {
        let Some(id) = found.as_object() else { return Ok(found.clone()) };
        match &self.heap.get(id).body {
            Body::Function(_) | Body::Native(_) => {
                let bound = Body::Bound { function: id, this: instance.clone() };
                Ok(Value::Object(self.allocate(None, bound)))
            }
            Body::Plain => match self.class_member(id, "__get__") {
                Some(method) => {
                    let passed = |value: Value| Passed { name: None, value, place };
                    let owner = class.map_or(Value::Null, Value::Object);
                    let list = vec![passed(instance.clone()), passed(owner)];
                    self.call(&method, Value::Undefined, Args { list, more: None }, place)
                }
                None => Ok(found.clone()),
            },
            _ => Ok(found.clone()),
        }
    }

    /// An attribute that a value has from a class of the prelude.
    pub(super) fn bound_attribute(&mut self, class: ObjectId, of: &Value, key: &str, place: Place) -> Run<Value> {
        match (self.found_in_class(class, key), key) {
            (Some(found), _) => self.described_attribute(&found, of, Some(class), place),
            (None, "__class__") => Ok(Value::Object(class)),
            (None, _) => {
                self.unknown_calls += 1;
                Ok(Value::unknown(format!("`{key}` of a built-in type")))
            }
        }
    }

    /// The documentation of a function.
    fn doc_of(&self, id: ObjectId) -> Option<Value> {
        match &self.heap.get(id).body {
            Body::Function(closure) => Some(match &closure.function.doc {
                Some(doc) => Value::text(Traced::literal(doc.text.clone(), closure.site.place(doc.span))),
                None => Value::Null,
            }),
            _ => None,
        }
    }

    /// The attributes of an object as a dict.
    pub(super) fn dict_of(&mut self, id: ObjectId) -> Value {
        if let Body::Module(file) = self.heap.get(id).body
            && let Some(scope) = self.module_scope(file)
        {
            return self.scope_table_of(scope);
        }
        let props: Vec<(SmolStr, Slot)> =
            self.heap.get(id).props.iter().map(|(name, slot)| (name.clone(), slot.clone())).collect();
        let more = self.heap.get(id).more.clone();
        let table = self.allocate(None, Body::Table(Default::default()));
        for (name, slot) in props {
            let key = slot.key.clone().map_or_else(|| Value::made(&name), Value::Text);
            self.table_set(table, &key, slot.value);
        }
        self.heap.change(table).more = more;
        Value::Object(table)
    }

    /// `object.key = value`
    pub(super) fn set_attribute(&mut self, id: ObjectId, key: &Rc<Traced>, value: Value, place: Place) -> Run<()> {
        let name = SmolStr::from(key.text());
        if let Body::Module(file) = &self.heap.get(id).body {
            let file = *file;
            self.set_export(file, name, value);
            return Ok(());
        }
        let class = if self.is_python() { self.class_of(id) } else { None };
        if let Some(found) = class.and_then(|class| self.found_in_class(class, &name))
            && let Some(descriptor) = found.as_object()
            && let Some(setter) = self.class_member(descriptor, "__set__")
        {
            let passed = |value: Value| Passed { name: None, value, place };
            let list = vec![passed(Value::Object(id)), passed(value)];
            self.call(&setter, Value::Undefined, Args { list, more: None }, place)?;
            return Ok(());
        }
        if name == "__name__" && matches!(self.heap.get(id).body, Body::Function(_)) {
            let slot = Slot { hidden: true, ..Slot::new(value) };
            self.heap.change(id).props.insert(super::member::GIVEN_NAME.into(), slot);
            return Ok(());
        }
        let slot = Slot::keyed(Rc::clone(key), value);
        let object = self.heap.change(id);
        match object.props.get_mut(&name) {
            Some(known) => {
                known.value = slot.value;
                known.perhaps = false;
            }
            None => drop(object.props.insert(name, slot)),
        }
        Ok(())
    }

    /// `object[index]`
    pub(super) fn item(&mut self, object: &Value, index: &Value, place: Place) -> Run<Value> {
        // An instance of `slice`.
        if let Some(bounds) = index.as_object().and_then(|id| self.heap.get(id).props.get("bounds")) {
            let bounds = self.plain_list(&bounds.value.clone()).unwrap_or_default();
            let mut bounds = bounds.into_iter().map(|slot| slot.value);
            let (first, second, step) = (bounds.next(), bounds.next(), bounds.next());
            let (from, to) = if second.is_none() { (None, first) } else { (first, second) };
            return Ok(self.sliced(object, from, to, step));
        }
        let id = match object {
            Value::Object(id) => *id,
            Value::Text(text) => {
                let text = Rc::clone(text);
                return Ok(match index.as_number() {
                    Some(at) => self.character(&text, at as i64),
                    None => Value::Unknown(self.reason_of(index)),
                });
            }
            Value::Unknown(_) => return Ok(object.clone()),
            _ => return Ok(Value::unknown("an element of a value")),
        };
        if let Value::Unknown(_) = index {
            return Ok(self.any_element(object, index));
        }
        match &self.heap.get(id).body {
            Body::Table(_) => match self.table_entry(object, index) {
                Some(Some(value)) => Ok(value),
                Some(None) => {
                    if let Some(method) = self.class_member(id, "__missing__") {
                        let args = Args { list: vec![Passed { name: None, value: index.clone(), place }], more: None };
                        return self.call(&method, Value::Undefined, args, place);
                    }
                    self.raise("KeyError", "no such key")
                }
                None => Ok(self.any_element(object, index)),
            },
            Body::List(slots) | Body::Tuple(slots) => {
                let Some(at) = index.as_number() else { return Ok(self.any_element(object, index)) };
                let at = if at < 0.0 { at + slots.len() as f64 } else { at };
                let sure = slots.iter().all(|slot| !slot.perhaps);
                match (slots.get(at as usize).filter(|_| at >= 0.0), &self.heap.get(id).more) {
                    (Some(slot), None) if sure => Ok(slot.value.clone()),
                    (None, None) if sure => self.raise("IndexError", "index out of range"),
                    _ => Ok(self.any_element(object, index)),
                }
            }
            Body::Class(_) if self.found_in_class(id, "__members__").is_some() => {
                let members = self.found_in_class(id, "__members__").unwrap_or(Value::Undefined);
                self.item(&members, index, place)
            }
            Body::Class(_) => {
                let hook =
                    if self.outside_base(id).is_some() { None } else { self.found_in_class(id, "__class_item__") };
                match hook {
                    Some(hook) => {
                        let passed = |value: Value| Passed { name: None, value, place };
                        let list = vec![passed(object.clone()), passed(index.clone())];
                        self.call_function(&hook, Args { list, more: None }, place)
                    }
                    // `Generic[T]`
                    None => Ok(object.clone()),
                }
            }
            Body::Outside(_) => Ok(object.clone()),
            _ => match self.class_member(id, "__getitem__") {
                Some(method) => {
                    let args = Args { list: vec![Passed { name: None, value: index.clone(), place }], more: None };
                    self.call(&method, Value::Undefined, args, place)
                }
                None => Ok(Value::unknown("an element of an object")),
            },
        }
    }

    /// `object[index] = value`
    pub(super) fn set_item(&mut self, id: ObjectId, index: &Value, value: Value, place: Place) -> Run<()> {
        if let Some(method) = self.class_member(id, "__setitem__") {
            let passed = |value: Value| Passed { name: None, value, place };
            let list = vec![passed(index.clone()), passed(value)];
            self.call(&method, Value::Undefined, Args { list, more: None }, place)?;
            return Ok(());
        }
        match &self.heap.get(id).body {
            Body::Table(_) => self.table_set(id, index, value),
            Body::List(slots) => {
                let length = slots.len() as f64;
                let at = index.as_number().map(|at| if at < 0.0 { at + length } else { at });
                match at.filter(|at| (0.0..length).contains(at)) {
                    Some(at) => {
                        if let Body::List(slots) = &mut self.heap.change(id).body {
                            slots[at as usize] = Slot::new(value);
                        }
                    }
                    None => self.spoil(&Value::Object(id), "an element assigned at an unknown index"),
                }
            }
            _ => self.spoil(&Value::Object(id), "an assigned element"),
        }
        Ok(())
    }

    /// `with manager as …`: what the manager gives.
    pub(super) fn enter(&mut self, manager: &Value, place: Place) -> Run<Value> {
        let Some(id) = manager.as_object() else { return Ok(manager.clone()) };
        for name in ["__enter__", "__aenter__"] {
            if let Some(method) = self.class_member(id, name) {
                let entered = self.call(&method, Value::Undefined, Args::default(), place)?;
                return self.awaited(entered);
            }
        }
        match &self.heap.get(id).body {
            // A function with `yield` under `@contextmanager`.
            Body::Generator { .. } => {
                let slot = self.advance(id)?;
                Ok(slot.map_or(Value::Null, |slot| slot.value))
            }
            Body::Outside(_) => Ok(self.outside_attribute(id, "__enter__")),
            _ => Ok(manager.clone()),
        }
    }

    /// Leaves a context, with the exception that ends it, if one does. Returns whether the manager takes the exception.
    pub(super) fn leave(&mut self, manager: &Value, thrown: Option<&Value>, place: Place) -> Run<bool> {
        let Some(id) = manager.as_object() else { return Ok(false) };
        for name in ["__exit__", "__aexit__"] {
            if let Some(method) = self.class_member(id, name) {
                let passed = |value: Value| Passed { name: None, value, place };
                let thrown = thrown.cloned().unwrap_or(Value::Null);
                let class = self.classes_of(&thrown).first().map_or(Value::Null, |class| Value::Object(*class));
                let list = vec![passed(class), passed(thrown), passed(Value::Null)];
                let taken = self.call(&method, Value::Undefined, Args { list, more: None }, place)?;
                let taken = self.awaited(taken)?;
                return Ok(self.truth(&taken)? == Some(true));
            }
        }
        if matches!(self.heap.get(id).body, Body::Generator { .. }) {
            self.advance(id)?;
        }
        Ok(false)
    }

    /// Makes an instance of a class.
    pub(super) fn instantiate(&mut self, class: ObjectId, args: Args, place: Place) -> Run<Value> {
        let passed = |value: Value| Passed { name: None, value, place };
        if let (Some(members), [value]) =
            (self.found_in_class(class, super::iterate::MEMBER_LIST), args.list.as_slice())
        {
            let wanted = value.value.clone();
            let mut possible = Vec::new();
            for slot in self.plain_list(&members).unwrap_or_default() {
                let own = self.member(&slot.value, "_value_", place)?;
                if slot.value.is_same(&wanted) {
                    return Ok(slot.value);
                }
                match self.equal(&own, &wanted, true) {
                    Some(true) => return Ok(slot.value),
                    None => possible.push(slot.value),
                    Some(false) => {}
                }
            }
            if !possible.is_empty() {
                return Ok(Value::one_of(possible));
            }
            return self.raise("ValueError", "no such member");
        }
        if let Some(hook) = self.found_in_class(class, "__call_class__") {
            let mut list = vec![passed(Value::Object(class))];
            list.extend(args.list);
            return self.call_function(&hook, Args { list, ..args }, place);
        }
        let this = match self.found_in_class(class, "__new__") {
            Some(maker) => {
                let maker = self.plain_function(&maker);
                let mut list = vec![passed(Value::Object(class))];
                list.extend(args.list.iter().cloned());
                let made = self.call_function(&maker, Args { list, more: args.more.clone() }, place)?;
                match made.as_object() {
                    Some(id) if self.class_of(id) == Some(class) => id,
                    _ => return Ok(made),
                }
            }
            None => self.blank_instance(class),
        };
        if let Some(init) = self.found_in_class(class, "__init__") {
            let mut list = vec![passed(Value::Object(this))];
            list.extend(args.list);
            self.call_function(&init, Args { list, ..args }, place)?;
        } else if let Some(base) = self.outside_base(class) {
            self.call_outside(base, &Value::Undefined, args, place, true, Some(this))?;
        }
        Ok(Value::Object(this))
    }

    fn plain_function(&self, value: &Value) -> Value {
        let wrapped = value.as_object().and_then(|id| self.heap.get(id).props.get("__func__"));
        wrapped.map_or_else(|| value.clone(), |slot| slot.value.clone())
    }

    /// An instance without attributes; one of a class that derives from `list` or `dict` is empty.
    pub(super) fn blank_instance(&mut self, class: ObjectId) -> ObjectId {
        let order = match &self.heap.get(class).body {
            Body::Class(info) => info.order.clone(),
            _ => Vec::new(),
        };
        let realm = self.realm();
        let mut body = Body::Plain;
        for (name, empty) in [
            ("list", Body::List(Vec::new())),
            ("dict", Body::Table(Default::default())),
            ("set", Body::Set(Default::default())),
        ] {
            if realm.class(self, name).is_some_and(|builtin| order.contains(&builtin)) {
                body = empty;
            }
        }
        self.allocate(Some(class), body)
    }

    /// `super()`, `super(C, self)`: a view of the instance whose members come from the classes after the current one.
    pub(super) fn python_super(&mut self, args: &Args, at: At<'_>) -> Run<Value> {
        let class = match args.list.first() {
            Some(passed) => passed.value.as_object(),
            None => at.frame.class,
        };
        let this = match args.list.get(1) {
            Some(passed) => passed.value.clone(),
            None => self.first_parameter(at),
        };
        let (Some(class), Some(id)) = (class, this.as_object()) else {
            return Ok(Value::unknown("`super` outside a class"));
        };
        let own = match &self.heap.get(id).body {
            Body::Class(_) => Some(id),
            _ => self.class_of(id),
        };
        let order = match own.map(|own| &self.heap.get(own).body) {
            Some(Body::Class(info)) => info.order.clone(),
            _ => Vec::new(),
        };
        let after = order.iter().position(|other| *other == class).map_or(0, |at| at + 1);
        let rest: Vec<Slot> = order[after..].iter().map(|class| Slot::new(Value::Object(*class))).collect();
        let realm = self.realm();
        let maker = realm.class(self, "_super");
        let view = self.allocate(maker, Body::Plain);
        let rest = self.list(rest);
        self.heap.change(view).props.insert("@@rest".into(), Slot::new(rest));
        self.heap.change(view).props.insert("@@this".into(), Slot::new(this));
        Ok(Value::Object(view))
    }

    /// A member of `super()`; `None` if the object is none.
    pub(super) fn member_of_super(&mut self, view: ObjectId, key: &str, place: Place) -> Option<Run<Value>> {
        let rest = self.heap.get(view).props.get("@@rest")?.value.clone();
        let this = self.heap.get(view).props.get("@@this")?.value.clone();
        let classes = self.plain_list(&rest)?;
        for slot in classes {
            let Some(class) = slot.value.as_object() else { continue };
            if let Body::Outside(_) = &self.heap.get(class).body {
                let id = this.as_object()?;
                return Some(Ok(match key {
                    "__init__" => {
                        let native = super::native::init_outside();
                        let function = self.allocate(None, Body::Native(native));
                        let pair = self.list(vec![Slot::new(Value::Object(class)), Slot::new(this.clone())]);
                        Value::Object(self.allocate(None, Body::Bound { function, this: pair }))
                    }
                    _ => self.outside_member(&Value::Object(id), class, key),
                }));
            }
            if let Some(found) = self.heap.get(class).props.get(key).map(|slot| slot.value.clone()) {
                let found = if key == "__init_subclass__" { self.plain_function(&found) } else { found };
                return Some(self.described_attribute(&found, &this, Some(class), place));
            }
        }
        // `object` has an `__init__` and an `__init_subclass__` that do nothing.
        let native = super::native::constant();
        let function = self.allocate(None, Body::Native(native));
        let made = match key {
            "__new__" => return Some(Ok(self.outside_new())),
            _ => Value::Null,
        };
        Some(Ok(Value::Object(self.allocate(None, Body::Bound { function, this: made }))))
    }

    fn outside_new(&mut self) -> Value {
        let native = super::native::new_instance();
        Value::Object(self.allocate(None, Body::Native(native)))
    }

    fn first_parameter(&self, at: At<'_>) -> Value {
        let own = self.heap.function_around(at.scope);
        let names = ["self", "cls", "mcs", "this", "klass"];
        names.iter().find_map(|name| self.heap.own_name(own, name).cloned()).unwrap_or(Value::Undefined)
    }
}
