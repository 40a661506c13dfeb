//! Objects, functions, classes and what a program reads from its files.

use std::rc::Rc;

use smol_str::SmolStr;

use super::{Function, arg};
use crate::machine::module::name_from_root;
use crate::machine::value::{Body, Passed, Slot, Value};
use crate::machine::{Abrupt, Machine, Run, express::Args};
use crate::path::joined;

pub(super) const ALL: &[(&str, Function)] = &[
    ("kind", |machine, args, _| Ok(Value::made(kind(machine, &arg(args, 0))))),
    ("keys", |machine, args, _| {
        let (pairs, more) = machine.pairs_of(&arg(args, 0))?;
        let slots = pairs.into_iter().map(|(key, slot)| Slot { perhaps: slot.perhaps, ..Slot::new(key) }).collect();
        let id = machine.allocate(None, Body::List(slots));
        machine.heap.change(id).more = more;
        Ok(Value::Object(id))
    }),
    ("all_names", |machine, args, _| {
        let Some(id) = arg(args, 0).as_object() else { return Ok(machine.list(Vec::new())) };
        let names: Vec<(SmolStr, Slot)> =
            machine.object(id).props.iter().map(|(name, slot)| (name.clone(), slot.clone())).collect();
        let names = names.into_iter().filter(|(name, _)| !name.starts_with("@@") && !name.starts_with('#'));
        let slots = names.map(|(name, slot)| Slot::new(slot.key.map_or_else(|| Value::made(&name), Value::Text)));
        let slots = slots.collect();
        Ok(machine.list(slots))
    }),
    ("has_own", |machine, args, _| {
        let (object, key) = (arg(args, 0), arg(args, 1));
        let (Some(id), Some(name)) = (object.as_object(), machine.key_of(&key)) else {
            return Ok(Value::Unknown(machine.reason_of(&key)));
        };
        let found = machine.object(id);
        if let (Body::List(slots), Ok(index)) = (&found.body, name.parse::<usize>()) {
            return Ok(Value::Bool(index < slots.len()));
        }
        Ok(match (found.props.get(&name), &found.more) {
            (Some(slot), _) if !slot.perhaps => Value::Bool(true),
            (None, None) if !matches!(found.body, Body::Outside(_)) => Value::Bool(false),
            _ => Value::Unknown(machine.reason_of(&key)),
        })
    }),
    ("member", |machine, args, place| {
        let (object, key) = (arg(args, 0), arg(args, 1));
        machine.looked_up(&object, &key);
        let found = machine.element_or_member(&object, &key, place)?;
        machine.note_named(&object, &key, &found);
        Ok(found)
    }),
    ("with_arguments", |machine, args, place| {
        let made = machine.with_arguments(&arg(args, 0), &arg(args, 1), place)?;
        Ok(made.unwrap_or(Value::Undefined))
    }),
    ("argument_of", |machine, args, _| {
        // argument_of(made, name, index)
        let name = arg(args, 1).as_text().unwrap_or_default();
        let index = arg(args, 2).as_number().unwrap_or_default() as usize;
        Ok(machine.argument_of(&arg(args, 0), &name, index).unwrap_or(Value::Undefined))
    }),
    ("set_member", |machine, args, place| {
        let (object, key, value) = (arg(args, 0), arg(args, 1), arg(args, 2));
        machine.set_named(&object, &key, value, place)?;
        Ok(object)
    }),
    ("own", |machine, args, _| {
        let (Some(id), Some(name)) = (arg(args, 0).as_object(), machine.key_of(&arg(args, 1))) else {
            return Ok(Value::Undefined);
        };
        Ok(machine.object(id).props.get(&name).map_or(Value::Undefined, |slot| slot.value.clone()))
    }),
    ("delete_member", |machine, args, _| {
        if let Some(name) = machine.key_of(&arg(args, 1)) {
            machine.delete_member(&arg(args, 0), &name);
        }
        Ok(Value::Undefined)
    }),
    ("define", |machine, args, _| {
        // define(object, key, value, hidden)
        if let Some(id) = arg(args, 0).as_object() {
            machine.define(id, &arg(args, 1), arg(args, 2));
            let hidden = matches!(arg(args, 3), Value::Bool(true));
            if let Some(slot) =
                machine.key_of(&arg(args, 1)).and_then(|key| machine.heap.change(id).props.get_mut(&key))
            {
                slot.hidden = hidden;
            }
        }
        Ok(Value::Undefined)
    }),
    ("define_getter", |machine, args, _| {
        if let Some(id) = arg(args, 0).as_object() {
            machine.define_accessor(id, &arg(args, 1), arg(args, 2), true);
        }
        Ok(Value::Undefined)
    }),
    ("define_setter", |machine, args, _| {
        if let Some(id) = arg(args, 0).as_object() {
            machine.define_accessor(id, &arg(args, 1), arg(args, 2), false);
        }
        Ok(Value::Undefined)
    }),
    ("spread", |machine, args, _| {
        if let Some(id) = arg(args, 0).as_object() {
            for value in &args[1..] {
                machine.spread_into(id, value)?;
            }
        }
        Ok(arg(args, 0))
    }),
    ("assign", |machine, args, place| {
        let target = arg(args, 0);
        for value in args.iter().skip(1) {
            let (pairs, more) = machine.pairs_of(value)?;
            for (key, slot) in pairs {
                let old = match slot.perhaps {
                    true => vec![machine.element(&target, &key, place)?],
                    false => Vec::new(),
                };
                let value = Value::one_of(old.into_iter().chain([slot.value]));
                machine.set_element(&target, &key, value, place)?;
            }
            if let (Some(more), Some(id)) = (more, target.as_object()) {
                machine.heap.change(id).more.get_or_insert(more);
            }
        }
        Ok(target)
    }),
    ("hide", |machine, args, _| {
        if let Some(id) = arg(args, 0).as_object()
            && let Some(slot) =
                machine.key_of(&arg(args, 1)).and_then(|key| machine.heap.change(id).props.get_mut(&key))
        {
            slot.hidden = true;
        }
        Ok(Value::Undefined)
    }),
    ("later", |machine, args, place| {
        // A function that runs after everything that runs now.
        let function = arg(args, 0);
        machine.later.push((function, place));
        Ok(Value::unknown("a timer"))
    }),
    ("freeze", |machine, args, _| {
        if let Some(id) = arg(args, 0).as_object() {
            machine.heap.change(id).frozen = true;
        }
        Ok(arg(args, 0))
    }),
    ("is_frozen", |machine, args, _| {
        Ok(Value::Bool(arg(args, 0).as_object().is_none_or(|id| machine.object(id).frozen)))
    }),
    ("parent", |machine, args, _| {
        let Some(id) = arg(args, 0).as_object() else { return Ok(Value::Null) };
        let parent = machine.object(id).parent.or_else(|| machine.prototype_of_builtin(id).filter(|it| *it != id));
        Ok(parent.map_or(Value::Null, Value::Object))
    }),
    ("set_parent", |machine, args, _| {
        if let Some(id) = arg(args, 0).as_object() {
            machine.heap.change(id).parent = arg(args, 1).as_object();
        }
        Ok(arg(args, 0))
    }),
    ("object", |machine, _, _| Ok(Value::Object(machine.allocate(None, Body::Plain)))),
    ("apply", |machine, args, place| {
        // apply(function, this, list)
        let source = machine.elements_of(&arg(args, 2), false, place)?;
        let list = source.known.into_iter().map(|slot| Passed { name: None, value: slot.value, place }).collect();
        let more = source.more.map(Value::Unknown);
        machine.call(&arg(args, 0), arg(args, 1), Args { list, more }, place)
    }),
    ("apply_named", |machine, args, place| {
        // apply_named(function, list, table)
        let source = machine.elements_of(&arg(args, 1), false, place)?;
        let mut list: Vec<Passed> =
            source.known.into_iter().map(|slot| Passed { name: None, value: slot.value, place }).collect();
        let (pairs, more) = machine.pairs_of(&arg(args, 2))?;
        for (key, slot) in pairs {
            let name = key.as_text().map(SmolStr::from);
            list.push(Passed { name, value: slot.value, place });
        }
        let more = source.more.or(more).map(Value::Unknown);
        machine.call(&arg(args, 0), Value::Undefined, Args { list, more }, place)
    }),
    ("construct", |machine, args, place| {
        let source = machine.elements_of(&arg(args, 1), false, place)?;
        let list = source.known.into_iter().map(|slot| Passed { name: None, value: slot.value, place }).collect();
        machine.construct(&arg(args, 0), Args { list, more: source.more.map(Value::Unknown) }, place)
    }),
    ("bound", |machine, args, _| {
        let Some(function) = arg(args, 0).as_object() else { return Ok(arg(args, 0)) };
        Ok(Value::Object(machine.allocate(None, Body::Bound { function, this: arg(args, 1) })))
    }),
    ("name", |machine, args, _| match arg(args, 0).as_object() {
        Some(id) => Ok(machine.name_of_function(id)),
        None => Ok(Value::Undefined),
    }),
    ("promise", |machine, args, _| {
        let value = arg(args, 0);
        if let Some(Body::Promise(_)) = machine.body_of(&value) {
            return Ok(value);
        }
        Ok(Value::Object(machine.allocate(None, Body::Promise(Ok(value)))))
    }),
    ("rejected", |machine, args, _| Ok(Value::Object(machine.allocate(None, Body::Promise(Err(arg(args, 0))))))),
    ("instance_of", |machine, args, _| {
        let (value, class) = (arg(args, 0), arg(args, 1));
        Ok(match machine.is_instance(&value, &class)? {
            Some(holds) => Value::Bool(holds),
            None => Value::unknown("the class of a value"),
        })
    }),
    ("class_of", |machine, args, _| {
        let value = arg(args, 0);
        Ok(match machine.classes_of(&value).first() {
            Some(class) => Value::Object(*class),
            None => Value::Undefined,
        })
    }),
    ("order", |machine, args, _| {
        let order = match arg(args, 0).as_object().map(|id| &machine.object(id).body) {
            Some(Body::Class(info)) => info.order.clone(),
            _ => Vec::new(),
        };
        let slots = order.into_iter().map(|class| Slot::new(Value::Object(class))).collect();
        Ok(machine.list(slots))
    }),
    ("blank", |machine, args, _| match arg(args, 0).as_object() {
        Some(class) => Ok(Value::Object(machine.blank_instance(class))),
        None => Ok(Value::Undefined),
    }),
    ("initialise", |machine, args, place| {
        let list = args[1..].iter().map(|value| Passed { name: None, value: value.clone(), place }).collect();
        machine.construct(&arg(args, 0), Args { list, more: None }, place)
    }),
    ("make_class", |machine, args, place| {
        // make_class(name, bases, members)
        let name = arg(args, 0).as_text().unwrap_or_default();
        let bases = machine.elements_of(&arg(args, 1), false, place)?;
        let bases = bases.known.into_iter().map(|slot| slot.value).collect();
        let (members, _) = machine.pairs_of(&arg(args, 2))?;
        machine.class_at_run_time(&name, bases, members, place)
    }),
    ("dict_of", |machine, args, _| match arg(args, 0).as_object() {
        Some(id) => Ok(machine.dict_of(id)),
        None => Ok(Value::Undefined),
    }),
    ("special", |machine, args, _| {
        // special(value, name): a method of the value's class, bound to it.
        let name = arg(args, 1).as_text().unwrap_or_default();
        let found = arg(args, 0).as_object().and_then(|id| machine.class_member(id, &name));
        Ok(found.unwrap_or(Value::Undefined))
    }),
    ("names_of", |machine, args, _| {
        let value = arg(args, 0);
        let names = value.as_object().map(|id| machine.names_of(id)).unwrap_or_default();
        let slots = names.iter().map(|name| Slot::new(Value::made(name))).collect();
        let list = machine.list(slots);
        // What another package gives its objects is not known.
        let is_open = match value.as_object() {
            Some(id) => {
                matches!(machine.heap.get(id).body, Body::Outside(_))
                    || matches!(machine.heap.get(id).body, Body::Module(_)) && machine.heap.get(id).more.is_some()
                    || machine.outside_base_of(id).is_some()
            }
            None => matches!(value, Value::Unknown(_)),
        };
        if let (true, Some(id)) = (is_open, list.as_object()) {
            let reason = machine.reason_of(&value);
            machine.heap.change(id).more = Some(reason);
        }
        Ok(list)
    }),
    ("blank_with", |machine, args, place| {
        // blank_with(class, value): an instance of a class that derives from a built-in one.
        let Some(class) = arg(args, 0).as_object() else { return Ok(Value::Undefined) };
        let id = machine.blank_instance(class);
        let source = machine.elements_of(&arg(args, 1), false, place)?;
        match &mut machine.heap.change(id).body {
            Body::List(slots) => *slots = source.known,
            _ => {
                let slot = Slot { hidden: true, ..Slot::new(arg(args, 1)) };
                machine.heap.change(id).props.insert(AS_TEXT.into(), slot);
            }
        }
        Ok(Value::Object(id))
    }),
    ("modules", |machine, _, _| {
        let id = machine.allocate(None, Body::Table(Default::default()));
        machine.spoil(&Value::Object(id), "the modules of the process");
        Ok(Value::Object(id))
    }),
    ("parameters", |machine, args, _| {
        let mut names = Vec::new();
        if let Some(Body::Function(closure)) = machine.body_of(&arg(args, 0)) {
            for param in &closure.function.params {
                if let crate::code::Target::Name { name, .. } = &param.target {
                    names.push(name.clone());
                }
            }
        }
        let slots = names.iter().map(|name| Slot::new(Value::made(name))).collect();
        Ok(machine.list(slots))
    }),
    ("stop", |_, _, _| Err(Abrupt::Stop)),
    ("awaited", |machine, args, _| machine.awaited(arg(args, 0))),
    ("settled", |machine, args, _| {
        // A list of whether it is fulfilled and its value.
        let value = arg(args, 0);
        let (fulfilled, value) = match machine.body_of(&value) {
            Some(Body::Promise(Ok(value))) => (true, value.clone()),
            Some(Body::Promise(Err(value))) => (false, value.clone()),
            _ => (true, value),
        };
        Ok(machine.list(vec![Slot::new(Value::Bool(fulfilled)), Slot::new(value)]))
    }),
    ("read_file", |machine, args, _| match arg(args, 0).as_text() {
        Some(path) => {
            let path = workspace_path(&path);
            Ok(match machine.world.text(&path) {
                Some(text) => machine.text_of_file(&path, &text),
                None => Value::unknown(format!("the file `{path}`")),
            })
        }
        None => Ok(Value::Unknown(machine.reason_of(&arg(args, 0)))),
    }),
    ("is_async", |machine, args, _| {
        Ok(match machine.closure_of(&arg(args, 0)) {
            Some(closure) => Value::Bool(closure.function.is_async),
            None => Value::unknown("whether a function is async"),
        })
    }),
    ("text_beside", |machine, args, place| {
        let Some(path) = arg(args, 0).as_text() else { return Ok(Value::Unknown(machine.reason_of(&arg(args, 0)))) };
        let own = machine.stack.iter().rev().find(|place| !crate::machine::realm::is_prelude(place.file));
        let own = machine.world.path(own.unwrap_or(&place).file);
        let folder = own.rsplit_once('/').map_or("", |(folder, _)| folder);
        let path = joined(folder, &path).unwrap_or(path);
        Ok(match machine.world.text(&path) {
            Some(text) => machine.text_of_file(&path, &text),
            None => Value::unknown(format!("the file `{path}`")),
        })
    }),
    ("read_folder", |machine, args, _| match arg(args, 0).as_text() {
        Some(path) => {
            let path = workspace_path(&path);
            Ok(match machine.world.folder(&path) {
                Some(names) => {
                    let slots = names.iter().map(|name| Slot::new(Value::made(name))).collect();
                    machine.list(slots)
                }
                None => Value::unknown(format!("the folder `{path}`")),
            })
        }
        None => Ok(Value::Unknown(machine.reason_of(&arg(args, 0)))),
    }),
    ("path_kind", |machine, args, _| match arg(args, 0).as_text() {
        Some(path) => {
            let path = workspace_path(&path);
            Ok(match (machine.world.folder(&path), machine.world.text(&path)) {
                (Some(_), _) => Value::made("folder"),
                (_, Some(_)) => Value::made("file"),
                _ => Value::unknown(format!("the file `{path}`")),
            })
        }
        None => Ok(Value::Unknown(machine.reason_of(&arg(args, 0)))),
    }),
    ("join_paths", |machine, args, _| {
        let mut path = String::new();
        for part in args {
            match part.as_text() {
                Some(part) if part.starts_with('/') => path = part,
                Some(part) => path = format!("{path}/{part}"),
                None => return Ok(Value::Unknown(machine.reason_of(part))),
            }
        }
        let normal = joined("", path.trim_start_matches('/')).unwrap_or_default();
        Ok(Value::made(&if path.starts_with('/') { format!("/{normal}") } else { normal }))
    }),
    ("import_path", |machine, args, _| match arg(args, 0).as_text() {
        Some(path) => match machine.world.file(&workspace_path(&path)) {
            Some(file) => machine.module_object(file),
            None => Ok(Value::unknown(format!("the module `{path}`"))),
        },
        None => Ok(Value::Unknown(machine.reason_of(&arg(args, 0)))),
    }),
    ("import_name", |machine, args, _| {
        // import_name(name, package): a module of Python by its name.
        let from = machine.entry.file;
        match arg(args, 0).as_text() {
            Some(name) => {
                let package = arg(args, 1).as_text().unwrap_or_default();
                let name = name_from_root(&package, &name);
                machine.imported_module(from, &name)
            }
            None => Ok(Value::Unknown(machine.reason_of(&arg(args, 0)))),
        }
    }),
    ("require", |_, _, _| Ok(Value::Undefined)),
    ("super", |_, _, _| Ok(Value::Undefined)),
    ("globals", |_, _, _| Ok(Value::Undefined)),
    ("locals", |_, _, _| Ok(Value::Undefined)),
    ("symbol", |machine, args, _| {
        machine.symbols += 1;
        let name = arg(args, 0).as_text().unwrap_or_default();
        Ok(Value::made(&format!("@@{name}#{}", machine.symbols)))
    }),
];

/// The property that holds the text that an instance of a class derived from `str` is.
pub(in crate::machine) const AS_TEXT: &str = "@@str";

/// A path of the program as the path of a file of the workspace.
fn workspace_path(path: &str) -> String {
    let path = path.trim_start_matches("file://").trim_start_matches('/').trim_end_matches('/');
    joined("", path).unwrap_or_else(|| path.to_string())
}

/// The word for what a value is.
fn kind(machine: &Machine<'_>, value: &Value) -> &'static str {
    match value {
        Value::Undefined => "undefined",
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::Text(_) => "text",
        Value::OneOf(_) => "choice",
        Value::Unknown(_) => "unknown",
        Value::Object(id) => match &machine.object(*id).body {
            Body::Plain => "object",
            Body::List(_) => "list",
            Body::Tuple(_) => "tuple",
            Body::Table(_) => "table",
            Body::Set(_) => "set",
            Body::Function(_) | Body::Bound { .. } | Body::Native(_) => "function",
            Body::Class(_) => "class",
            Body::Accessor { .. } => "accessor",
            Body::Pattern { .. } => "pattern",
            Body::Promise(_) => "promise",
            Body::Generator { .. } => "generator",
            Body::Module(_) => "module",
            Body::Inline(_) => "module",
            Body::Live { .. } | Body::Later { .. } | Body::Path(_) => "binding",
            Body::Outside(_) => "outside",
        },
    }
}

impl Machine<'_> {
    /// A value, or the text that an instance of a class derived from `str` is.
    pub(crate) fn plain_text(&self, value: Value) -> Value {
        match &value {
            Value::Object(id) => match self.object(*id).props.get(AS_TEXT) {
                Some(slot) => slot.value.clone(),
                None => value,
            },
            _ => value,
        }
    }

    /// The names of the members of an object, its class and the bases, or of a module.
    fn names_of(&self, id: crate::machine::ObjectId) -> Vec<SmolStr> {
        let mut names: Vec<SmolStr> = Vec::new();
        match &self.object(id).body {
            Body::Module(file) => {
                if let Some(scope) = self.module_scope(*file) {
                    names.extend(self.heap.names(scope).map(|(name, _)| name.clone()));
                }
            }
            Body::Class(info) => {
                for class in &info.order {
                    names.extend(self.object(*class).props.keys().cloned());
                }
            }
            _ => {
                names.extend(self.object(id).props.keys().cloned());
                if let Some(class) = self.object(id).parent {
                    names.extend(self.names_of(class));
                }
            }
        }
        names.retain(|name| !name.starts_with("@@"));
        names.sort();
        names.dedup();
        names
    }

    /// A member by a computed name: `getattr(object, key)`, `object[key]` of JavaScript.
    fn element_or_member(&mut self, object: &Value, key: &Value, place: crate::found::Place) -> Run<Value> {
        let mut all = Vec::new();
        for option in key.options().to_vec() {
            match self.key_of(&option) {
                Some(key) => all.push(self.member(object, &key, place)?),
                None => all.push(self.any_element(object, &option)),
            }
        }
        Ok(Value::one_of(all))
    }

    fn set_named(&mut self, object: &Value, key: &Value, value: Value, place: crate::found::Place) -> Run<()> {
        match (key, self.key_of(key)) {
            (Value::Text(traced), Some(_)) => {
                for option in object.options().to_vec() {
                    if let Some(id) = option.as_object() {
                        self.set_property(id, &option, &Rc::clone(traced), value.clone(), place)?;
                    }
                }
            }
            (_, Some(key)) => self.set_member(object, &key, value, place)?,
            _ => self.spoil(object, "a member assigned under an unknown name"),
        }
        Ok(())
    }
}
