//! Members of values of Rust: fields, methods of types and traits, items of modules.

use smol_str::SmolStr;

use super::express::Args;
use super::items::ANY;
use super::iterate::Source;
use super::value::{Body, Outside, Slot, Value};
use super::{Machine, ObjectId, Run};
use crate::found::Place;

/// The crates of the standard library.
const STANDARD: [&str; 3] = ["std", "core", "alloc"];
/// The maximum length of a chain of `Deref` types.
const MOST_DEREFERENCED: usize = 8;

impl Machine<'_> {
    /// `object.key`, `Type::key`
    pub(super) fn associated(&mut self, id: ObjectId, key: &str, place: Place) -> Run<Value> {
        match &self.heap.get(id).body {
            Body::Outside(outside) => {
                // A type or function, and not what it makes.
                let (is_item, is_standard) = match &**outside {
                    Outside::Export { module, .. } => (true, STANDARD.contains(&module.as_str())),
                    _ => (false, false),
                };
                if let Some(slot) = self.heap.get(id).props.get(key) {
                    return Ok(slot.value.clone());
                }
                if is_standard
                    && let Some(value) = {
                        let scope = self.realm().scope;
                        self.heap.own_name(scope, key).cloned()
                    }
                {
                    return self.through(value);
                }
                let value = Value::Object(id);
                let found = if is_item { None } else { self.of_any(&value, key)? };
                return Ok(found.unwrap_or_else(|| self.outside_member(&value, id, key)));
            }
            Body::Module(file) => {
                let file = *file;
                let found = match self.module_scope(file) {
                    Some(scope) => self.item_of(scope, key)?,
                    None => None,
                };
                return Ok(found.unwrap_or_else(|| match super::realm::prelude_package(file) {
                    Some(package) => self.outside(&package, &[key]),
                    None => Value::unknown(format!("`{key}` is not defined in its module")),
                }));
            }
            Body::Inline(scope) => {
                let scope = *scope;
                let found = self.item_of(scope, key)?;
                return Ok(found.unwrap_or_else(|| Value::unknown(format!("`{key}` is not defined in its module"))));
            }
            Body::Later { .. } | Body::Path(_) | Body::Live { .. } => {
                let value = self.through(Value::Object(id))?;
                return match value.as_object() == Some(id) {
                    true => Ok(Value::Undefined),
                    false => self.member(&value, key, place),
                };
            }
            Body::Class(_) => return self.associated_of_class(id, key),
            Body::List(slots) | Body::Tuple(slots) => {
                if let Ok(index) = key.parse::<usize>() {
                    return Ok(slots.get(index).map_or(Value::Undefined, |slot| slot.value.clone()));
                }
            }
            _ => {}
        }
        self.member_or_method(id, key, place, 0)
    }

    fn member_or_method(&mut self, id: ObjectId, key: &str, place: Place, depth: usize) -> Run<Value> {
        if let Some(slot) = self.heap.get(id).props.get(key) {
            return self.through(slot.value.clone());
        }
        let value = Value::Object(id);
        let class = self.associated_class(id);
        if let Some(class) = class {
            if let Some(found) = self.found_in_class(class, key) {
                return self.bound_to(&found, &value, class);
            }
            if depth < MOST_DEREFERENCED
                && let Some(deref) = self.found_in_class(class, "deref")
            {
                let deref = self.bound_to(&deref, &value, class)?;
                let inner = self.call(&deref, Value::Undefined, Args::default(), place)?;
                if let Some(inner) = inner.as_object().filter(|inner| *inner != id) {
                    return match &self.heap.get(inner).body {
                        Body::Plain | Body::List(_) | Body::Tuple(_) | Body::Table(_) | Body::Set(_) => {
                            self.member_or_method(inner, key, place, depth + 1)
                        }
                        _ => self.associated(inner, key, place),
                    };
                }
                return self.member(&inner, key, place);
            }
        }
        if let Some(more) = self.heap.get(id).more.clone() {
            return Ok(Value::Unknown(more));
        }
        if let Some(found) = self.of_any(&value, key)? {
            return Ok(found);
        }
        if let Some(class) = class
            && let Some(base) = self.outside_base(class)
        {
            return Ok(self.outside_member(&value, base, key));
        }
        let name = class.and_then(|class| match &self.heap.get(class).body {
            Body::Class(info) => info.class.name.clone(),
            _ => None,
        });
        Ok(Value::unknown(match name {
            Some(name) => format!("`{key}` of `{name}`"),
            None => format!("`{key}` of a value"),
        }))
    }

    /// A method that every value has.
    fn of_any(&mut self, value: &Value, key: &str) -> Run<Option<Value>> {
        let Some(class) = self.realm().class(self, ANY) else { return Ok(None) };
        match self.found_in_class(class, key) {
            Some(found) => self.bound_to(&found, value, class).map(Some),
            None => Ok(None),
        }
    }

    /// A member of a primitive value.
    pub(super) fn associated_of_primitive(&mut self, class: &str, of: &Value, key: &str) -> Run<Value> {
        let class = self.realm().class(self, class);
        if let Some(class) = class
            && let Some(found) = self.found_in_class(class, key)
        {
            return self.bound_to(&found, of, class);
        }
        Ok(match self.of_any(of, key)? {
            Some(found) => found,
            None => Value::unknown(format!("`{key}` of a built-in type")),
        })
    }

    /// A member that was found in a class, for one of its instances.
    fn bound_to(&mut self, found: &Value, instance: &Value, class: ObjectId) -> Run<Value> {
        let found = self.through(found.clone())?;
        let found = self.of_self(&found, class);
        Ok(match found.as_object().map(|id| (id, &self.heap.get(id).body)) {
            Some((function, Body::Function(_) | Body::Native(_))) => {
                let bound = Body::Bound { function, this: instance.clone() };
                Value::Object(self.allocate(None, bound))
            }
            _ => found,
        })
    }

    /// Whether a value has a field or a method of its own type; what another package has is not known.
    pub(super) fn has_associated(&mut self, id: ObjectId, key: &str) -> bool {
        match &self.heap.get(id).body {
            Body::Plain | Body::Class(_) | Body::List(_) | Body::Tuple(_) | Body::Table(_) | Body::Set(_) => {}
            _ => return true,
        }
        let object = self.heap.get(id);
        if object.props.contains_key(key) || object.more.is_some() {
            return true;
        }
        let class = if matches!(object.body, Body::Class(_)) { Some(id) } else { self.associated_class(id) };
        class.is_some_and(|class| {
            self.found_in_class(class, key).is_some() || self.found_in_class(class, "deref").is_some()
        })
    }

    /// The class of an object.
    pub(super) fn associated_class(&mut self, id: ObjectId) -> Option<ObjectId> {
        let object = self.heap.get(id);
        let name = match &object.body {
            Body::Plain => return object.parent,
            Body::List(_) => "Vec",
            Body::Tuple(_) => "Tuple",
            Body::Table(_) => "HashMap",
            Body::Set(_) => "HashSet",
            Body::Function(_) | Body::Bound { .. } | Body::Native(_) => "Function",
            _ => return None,
        };
        if object.parent.is_some() {
            return object.parent;
        }
        self.realm().class(self, name)
    }

    /// The elements of an object that iterates: those of what its `into_iter` or `iter` returns, or of an option.
    pub(super) fn iterated_by_method(&mut self, id: ObjectId, place: Place) -> Run<Source> {
        let value = Value::Object(id);
        match self.variant_name(&value).map(SmolStr::as_str) {
            Some("Some" | "Ok") => {
                let inside = self.member(&value, "0", place)?;
                return Ok(Source { known: vec![Slot::new(inside)], more: None });
            }
            Some("None" | "Err") => return Ok(Source::default()),
            _ => {}
        }
        let class = self.associated_class(id);
        for name in ["into_iter", "iter", "deref"] {
            let Some(class) = class else { break };
            let Some(found) = self.found_in_class(class, name) else { continue };
            let method = self.bound_to(&found, &value, class)?;
            let inner = self.call(&method, Value::Undefined, Args::default(), place)?;
            if inner.as_object() != Some(id) {
                return self.elements_of(&inner, false, place);
            }
        }
        Ok(Source { known: Vec::new(), more: Some(self.reason_of(&value)) })
    }

    /// `object[index]`: an element, or a field of a pattern.
    pub(super) fn indexed(&mut self, object: &Value, index: &Value, place: Place) -> Run<Value> {
        let Some(id) = object.as_object() else {
            return match object {
                Value::Unknown(_) => Ok(object.clone()),
                _ => self.item(object, index, place),
            };
        };
        match (&self.heap.get(id).body, index.as_text()) {
            // Of JSON, an entry that is missing is null.
            (Body::Table(_), _) => match self.table_entry(object, index) {
                Some(Some(value)) => Ok(value),
                Some(None) => Ok(Value::Null),
                None => Ok(self.any_element(object, index)),
            },
            (Body::List(_) | Body::Tuple(_), None) => {
                self.item(object, index, place).or_else(|_| Ok(Value::unknown("an element past the end of a list")))
            }
            (_, Some(key)) => self.member(object, &key, place),
            (Body::Plain, None) => {
                let class = self.associated_class(id);
                let deref = class.and_then(|class| self.found_in_class(class, "deref"));
                match (deref, class) {
                    (Some(deref), Some(class)) => {
                        let deref = self.bound_to(&deref, object, class)?;
                        let inner = self.call(&deref, Value::Undefined, Args::default(), place)?;
                        match inner.as_object() == Some(id) {
                            true => Ok(Value::unknown("an element of itself")),
                            false => self.indexed(&inner, index, place),
                        }
                    }
                    _ => Ok(Value::unknown("an element of an object")),
                }
            }
            (Body::Outside(_), None) => Ok(self.outside_member(object, id, "index")),
            _ => Ok(Value::unknown("an element of an object")),
        }
    }

    fn associated_of_class(&mut self, id: ObjectId, key: &str) -> Run<Value> {
        if let Some(found) = self.found_in_class(id, key) {
            let found = self.through(found)?;
            return Ok(self.of_self(&found, id));
        }
        if key == "default" && self.derives(id, "Default") {
            let made = self.default_of(id)?;
            let native = super::native::constant();
            let function = self.allocate(None, Body::Native(native));
            return Ok(Value::Object(self.allocate(None, Body::Bound { function, this: made })));
        }
        if let Some(hook) = self.hook_of_derived(id, key)? {
            return Ok(hook);
        }
        if let Some(base) = self.outside_base(id) {
            return Ok(self.outside_member(&Value::Object(id), base, key));
        }
        // `String::from`, as a function.
        if let Some(any) = self.realm().class(self, ANY)
            && let Some(found) = self.found_in_class(any, key)
        {
            return Ok(self.of_self(&found, id));
        }
        let name = match &self.heap.get(id).body {
            Body::Class(info) => info.class.name.clone().unwrap_or_default(),
            _ => SmolStr::default(),
        };
        Ok(Value::unknown(format!("`{key}` of `{name}`")))
    }

    /// A function of a class that a derive macro makes: the prelude has it under the name of the macro.
    fn hook_of_derived(&mut self, id: ObjectId, key: &str) -> Run<Option<Value>> {
        let Body::Class(info) = &self.heap.get(id).body else { return Ok(None) };
        let traits = derived_by(&info.class);
        for name in traits {
            let scope = self.realm().scope;
            let Some(found) = self.heap.own_name(scope, &name).cloned() else { continue };
            let Some(of) = found.as_object() else { continue };
            if let Some(function) = self.found_in_class(of, key) {
                return Ok(Some(self.of_self(&function, id)));
            }
        }
        Ok(None)
    }

    fn derives(&self, id: ObjectId, wanted: &str) -> bool {
        match &self.heap.get(id).body {
            Body::Class(info) => derived_by(&info.class).iter().any(|name| name == wanted),
            _ => false,
        }
    }

    /// An instance whose fields have their default values.
    fn default_of(&mut self, id: ObjectId) -> Run<Value> {
        let Body::Class(info) = &self.heap.get(id).body else { return Ok(Value::Undefined) };
        let info = std::rc::Rc::clone(info);
        let made = self.allocate(Some(id), Body::Plain);
        let crate::code::ClassBody::Members(members) = &info.class.body else { return Ok(Value::Object(made)) };
        let frame =
            super::Frame { site: info.site, family: self.family, this: Value::Undefined, home: None, class: Some(id) };
        let at = super::At { frame: &frame, scope: info.scope };
        for member in members {
            let crate::code::ExprKind::Text(name) = &member.key.kind else { continue };
            let crate::code::MemberKind::Field { annotation: Some(annotation), .. } = &member.kind else { continue };
            let class = match &annotation.kind {
                crate::code::ExprKind::At { object, .. } => self.eval(object, at)?,
                _ => self.eval(annotation, at)?,
            };
            let value = match self.body_of(&class) {
                Some(Body::Class(_)) if class.as_object() != Some(id) => {
                    let place = self.here();
                    let default = self.member(&class, "default", place)?;
                    self.call(&default, Value::Undefined, Args::default(), place)?
                }
                _ => Value::unknown(format!("the default of `{name}`")),
            };
            self.heap.change(made).props.insert(name.clone(), Slot::new(value));
        }
        Ok(Value::Object(made))
    }
}

/// The traits that `#[derive(…)]` of a class names.
fn derived_by(class: &crate::code::Class) -> Vec<SmolStr> {
    use crate::code::ExprKind;
    let mut names = Vec::new();
    for decorator in &class.decorators {
        let ExprKind::Call(call) = &decorator.kind else { continue };
        if call.callee.identifier().is_some_and(|name| name == "derive") {
            names.extend(call.args.iter().filter_map(|arg| arg.value.identifier().cloned()));
        }
    }
    names
}
