//! Registrations without a call: classes of a framework, files that it loads from a folder, what the queries of a
//! row match, and definitions that only their shape tells.

use std::rc::Rc;

use smol_str::SmolStr;

use super::{Details, Matched, Offer, Registry, select};
use crate::found::{Place, Traced};
use crate::framework::{CalleePattern, Form, FormId, Kind, On, Selector};
use crate::machine::{Body, Machine, ObjectId, Outside, OutsideCall, Passed, Slot, Value};
use crate::text::Span;

/// A match of a row's query.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Capture {
    pub(crate) form: FormId,
    pub(crate) place: Place,
    pub(crate) args: Vec<CapturedArg>,
}

/// A captured node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CapturedArg {
    pub(crate) name: SmolStr,
    pub(crate) place: Place,
    pub(crate) content: Content,
}

/// The role of a captured node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Content {
    Text(Traced),
    /// An expression or definition, whose value the program shows.
    Code,
    /// Something without a value, for this reason.
    Unread(&'static str),
}

impl Registry<'_> {
    /// Registers what the plan names.
    pub(super) fn gather(&mut self, machine: &mut Machine<'_>) {
        self.gather_files(machine);
        self.gather_classes(machine);
        self.gather_methods(machine);
        self.gather_captures(machine);
        self.gather_shapes(machine);
        self.finish(machine);
        self.answers_messages(machine);
    }

    /// Registers the files of a program that a framework loads from its folders.
    fn gather_files(&mut self, machine: &mut Machine<'_>) {
        let mut files = machine.files();
        files.sort();
        for file in files {
            for id in (self.plan.loads)(file) {
                let place = Place { file, item: 0, span: Span::default() };
                let call = self.no_call(machine, Vec::new(), place, false);
                let of = Matched { file: Some(file), ..Matched::new(id, call) };
                self.register(machine, of);
            }
        }
    }

    /// Registers the classes of a program that derive from a class of a framework.
    fn gather_classes(&mut self, machine: &mut Machine<'_>) {
        let forms = self.frameworks.derivable(self.family).to_vec();
        if forms.is_empty() {
            return;
        }
        let classes = machine.classes();
        for id in forms {
            let Some(CalleePattern::Imported(path)) = self.frameworks.form(id).path.clone() else { continue };
            for &class in &classes {
                let base = machine.outside_base_of(class);
                if !base.is_some_and(|base| self.is_export(machine, base, id.framework, &path)) {
                    continue;
                }
                let Some(place) = machine.place_of(&Value::Object(class)) else { continue };
                let Some(instance) = machine.instance_of(class) else { continue };
                let call = self.no_call(machine, Vec::new(), place, false);
                let of = Matched { applied: Some(instance), ..Matched::new(id, call) };
                let named = self.frameworks.form(id).name.clone();
                // A class without a name is a base of others.
                if select::first(machine, &named, &of.from(None)).is_some() {
                    self.register(machine, of);
                }
            }
        }
    }

    /// Registers the methods that a framework calls by their names, of the classes that implement a trait of the
    /// framework.
    fn gather_methods(&mut self, machine: &mut Machine<'_>) {
        let forms = self.frameworks.methods(self.family).to_vec();
        if forms.is_empty() {
            return;
        }
        let classes = machine.classes();
        for id in forms {
            let Some(CalleePattern::Imported(path)) = self.frameworks.form(id).path.clone() else { continue };
            let [base @ .., name] = path.as_slice() else { continue };
            for &class in &classes {
                let bases = machine.outside_bases(class);
                if !bases.iter().any(|found| self.is_export(machine, *found, id.framework, base)) {
                    continue;
                }
                let Some(method) = machine.method_of(class, name) else { continue };
                let Some(place) = machine.place_of(&method) else { continue };
                let call = self.no_call(machine, Vec::new(), place, false);
                self.register(machine, Matched { applied: Some(method), ..Matched::new(id, call) });
            }
        }
    }

    /// Registers the matches of queries. A captured expression has the values that it had when the program ran.
    fn gather_captures(&mut self, machine: &mut Machine<'_>) {
        for capture in std::mem::take(&mut self.plan.captures) {
            let values: Vec<Vec<(Value, bool)>> = capture.args.iter().map(|arg| self.values_of(machine, arg)).collect();
            let name = capture.args.iter().position(|arg| arg.name == "name");
            let times = name.map_or(1, |name| values[name].len());
            for index in 0..times {
                let mut perhaps = false;
                let mut args = Vec::new();
                for (arg, values) in capture.args.iter().zip(&values) {
                    let found = if values.len() == times { values.get(index) } else { values.last() };
                    let Some((value, doubtful)) = found else { continue };
                    perhaps |= doubtful;
                    args.push(Passed { name: Some(arg.name.clone()), value: value.clone(), place: arg.place });
                }
                let call = self.no_call(machine, args, capture.place, perhaps);
                self.register(machine, Matched::new(capture.form, call));
            }
        }
    }

    fn values_of(&self, machine: &mut Machine<'_>, arg: &CapturedArg) -> Vec<(Value, bool)> {
        if let Content::Text(text) = &arg.content {
            return vec![(Value::Text(Rc::new(text.clone())), false)];
        }
        let seen = machine.probed(arg.place);
        if !seen.is_empty() {
            return seen;
        }
        let value = machine.definition_at(arg.place).unwrap_or_else(|| match &arg.content {
            Content::Unread(reason) => Value::unknown(*reason),
            _ => Value::unknown("code that is never run"),
        });
        vec![(value, false)]
    }

    /// Notes the objects and classes of a program that have the shape of a definition.
    fn gather_shapes(&mut self, machine: &mut Machine<'_>) {
        for id in self.frameworks.shapes(self.family).to_vec() {
            let form = self.frameworks.form(id).clone();
            // What answers messages is looked for where they are told apart.
            let answers = |form: &Form| form.on == On::Compared;
            if form.each.is_some()
                && self.frameworks.framework(id).forms.iter().any(answers)
                && !self.plan.answers_by_hand
            {
                continue;
            }
            let objects = match form.on {
                On::ClassShape if !self.plan.has_class_shapes => continue,
                On::ClassShape => machine.classes(),
                _ => machine.literals(),
            };
            for object in objects {
                match &form.each {
                    Some(each) => self.shaped_list(machine, id, &form, each, object),
                    None => self.shape(machine, id, &form, object),
                }
            }
        }
    }

    /// Registers the elements of a list in an object, if all of them have a schema.
    fn shaped_list(&mut self, machine: &mut Machine<'_>, id: FormId, form: &Form, each: &Selector, object: ObjectId) {
        let keys = machine.keys_of(object);
        if !form.has.iter().all(|any| any.iter().any(|wanted| keys.contains(wanted))) {
            return;
        }
        let value = Value::Object(object);
        let Some(place) = machine.place_of(&value) else { return };
        let call = self.no_call(machine, Vec::new(), place, false);
        let of = Matched::new(id, call);
        let Some(list) = select::value(machine, each, &of.from(Some(&value))) else { return };
        let (slots, more) = machine.elements(&list);
        let mut is_definition = |slot: &Slot| {
            let at = of.from(Some(&slot.value));
            let name = select::first(machine, &form.name, &at);
            let schema = select::first(machine, &form.schema, &at);
            name.is_some_and(|name| name.as_traced().is_some())
                && schema.is_some_and(|schema| !machine.is_function(&schema))
        };
        if slots.is_empty() || !slots.iter().all(&mut is_definition) {
            return;
        }
        for slot in &slots {
            let place = machine.place_of(&slot.value).unwrap_or(place);
            let of = Matched::new(id, self.no_call(machine, Vec::new(), place, false));
            self.register_slots(machine, &of, form, None, std::slice::from_ref(slot), None);
        }
        self.register_slots(machine, &of, form, None, &[], more);
    }

    fn shape(&mut self, machine: &mut Machine<'_>, id: FormId, form: &Form, object: ObjectId) {
        let is_class = form.on == On::ClassShape;
        let keys = machine.keys_of(object);
        let has = |wanted: &SmolStr| keys.contains(wanted);
        if !form.has.iter().all(|any| any.iter().any(has)) {
            return;
        }
        let Some(value) = (if is_class { machine.instance_of(object) } else { Some(Value::Object(object)) }) else {
            return;
        };
        let mut is = |unwanted: &SmolStr| match unwanted.split_once('=') {
            None => has(unwanted),
            Some((key, wanted)) => {
                has(&key.into())
                    && machine.field(&value, key).and_then(|value| value.as_text()).is_some_and(|text| text == wanted)
            }
        };
        if form.lacks.iter().any(&mut is) {
            return;
        }
        let Some(place) = machine.place_of(&Value::Object(object)) else { return };
        let call = self.no_call(machine, Vec::new(), place, false);
        let applied = is_class.then(|| value.clone());
        let of = Matched { applied, ..Matched::new(id, call) };
        let at = of.from((!is_class).then_some(&value));
        let name = select::first(machine, &form.name, &at).and_then(|name| name.as_traced().cloned());
        // A text with whitespace is a title.
        let is_name = |name: &Traced| {
            let text = name.text();
            name.unknown().is_none() && !text.is_empty() && !text.contains(char::is_whitespace)
        };
        let Some(name) = name.filter(is_name) else { return };
        let details = Details { naming: None, title_place: None, ..Details::of(machine, form, &at) };
        self.shaped.push(Offer {
            kind: Kind::Tool,
            framework: id.framework,
            name,
            keys: Vec::new(),
            compared: Vec::new(),
            found_by: Vec::new(),
            agreeing: Vec::new(),
            server: None,
            stack: vec![place],
            conditional: true,
            looped: false,
            listed: true,
            filtered: false,
            is_class,
            details,
        });
    }

    /// A call that stands for something that is no call.
    fn no_call(&self, machine: &mut Machine<'_>, args: Vec<Passed>, place: Place, perhaps: bool) -> Rc<OutsideCall> {
        let callee = match machine.list_of(Vec::new()) {
            Value::Object(id) => id,
            _ => unreachable!("a list is an object"),
        };
        Rc::new(OutsideCall {
            callee,
            args,
            written: Vec::new(),
            open: false,
            new: false,
            decorates: false,
            stack: vec![place],
            looped: false,
            perhaps,
        })
    }
}

impl Matched {
    fn new(id: FormId, call: Rc<OutsideCall>) -> Matched {
        Matched { id, result: call.callee, call, applied: None, is_bare: false, is_given_back: false, file: None }
    }
}

impl Registry<'_> {
    /// The methods of a class; of another value, none.
    pub(super) fn members_of(machine: &mut Machine<'_>, class: &Value) -> Vec<Value> {
        let Some(id) = class.as_object() else { return Vec::new() };
        if !matches!(machine.object(id).body, Body::Class(_)) {
            return Vec::new();
        }
        let members: Vec<Value> = machine.object(id).props.values().map(|slot| slot.value.clone()).collect();
        members.into_iter().filter(|member| machine.is_function(member)).collect()
    }

    /// Whether a value is an export of a framework's package under a path.
    fn is_export(&self, machine: &Machine<'_>, id: ObjectId, framework: usize, path: &[SmolStr]) -> bool {
        match &machine.object(id).body {
            Body::Outside(outside) => match &**outside {
                Outside::Export { module, path: found } => {
                    self.frameworks.rows[framework].owns_module(module) && found.ends_with(path)
                }
                _ => false,
            },
            _ => false,
        }
    }
}
