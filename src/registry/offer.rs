//! Converts a call that matches a form to registrations.

use std::rc::Rc;

use smol_str::SmolStr;

use super::matching::{Root, root};
use super::select::{self, From};
use super::{Answering, Details, Escape, Made, Matched, Mounted, Offer, Owner, Registry, Unnamed, made};
use crate::found::{Traced, Unknown};
use crate::framework::{Form, Kind, Selector, Start, Step};
use crate::machine::{Body, Cases, Machine, ObjectId, Outside, OutsideCall, Slot, Value};

/// The maximum length of a name, in bytes.
const MOST_BYTES: usize = 4 << 10;
/// The reason for a name that is longer.
const LONG_NAME: &str = "a name of more than 4 KiB";
/// The maximum depth in objects and lists to which a passed server is searched for.
const MOST_LEVELS: u32 = 3;

/// An element of a list that a form registers.
struct Element<'e> {
    slot: &'e Slot,
    server: Option<&'e Owner>,
}

impl Registry<'_> {
    /// Registers what a form finds in a call.
    pub(super) fn register(&mut self, machine: &mut Machine<'_>, of: Matched) {
        let form = self.frameworks.form(of.id).clone();
        let at = of.from(None);
        let stack = of.call.stack.clone();
        match form.kind {
            Kind::Server => {
                let name = select::first(machine, &form.name, &at);
                self.servers.insert(of.result, Made { framework: of.id.framework, name, stack });
            }
            Kind::Tool | Kind::Prompt | Kind::Resource => match &form.each {
                Some(each) if each.steps.contains(&Step::Return) => self.waiting.push(of),
                Some(_) => self.register_each(machine, &of),
                None => self.offer(machine, &of, None),
            },
            Kind::Dynamic => {
                let applies = form.each.as_ref().is_none_or(|each| select::value(machine, each, &at).is_some());
                if applies {
                    let server = self.server_of(machine, &form, &at);
                    let reason = form.reason.as_ref().map_or_else(String::new, ToString::to_string);
                    let unnamed = Unnamed { kind: Kind::Dynamic, reason, partial: None, is_said: true, server, stack };
                    self.unnamed.push(unnamed);
                }
            }
            Kind::Mount => self.mount(machine, &form, &of),
            Kind::Dispatch => self.waiting.push(of),
        }
    }

    fn mount(&mut self, machine: &mut Machine<'_>, form: &Form, of: &Matched) {
        let at = of.from(None);
        let Some(parent) = self.server_of(machine, form, &at) else { return };
        let child = form.each.as_ref().and_then(|each| select::value(machine, each, &at));
        let child = child.and_then(|value| value.options().iter().find_map(Value::as_object));
        let child = child.and_then(|child| match self.servers.contains_key(&child) {
            true => Some(Owner::Object(child)),
            // An instance of a class whose methods are registered together.
            false => {
                machine.outside_base_of(child)?;
                machine.class_of_instance(child).map(|(file, name)| Owner::Class { file, name })
            }
        });
        let mut known = child.map(|child| (child, None));
        if let (Some((_, prefix)), Some(given)) = (&mut known, select::first(machine, &form.name, &at)) {
            let separator = match select::first(machine, &form.separator_given, &at) {
                Some(given) => given.as_traced().cloned(),
                None => Some(made(&form.separator)),
            };
            let is_known = |text: &Traced| text.unknown().is_none() && text.text().len() <= MOST_BYTES;
            match (given.as_traced().filter(|text| is_known(text)), separator.filter(is_known)) {
                (Some(text), Some(separator)) if !text.text().is_empty() => {
                    let mut whole = text.clone();
                    whole.parts.extend(separator.parts);
                    *prefix = Some(whole);
                }
                (Some(_), Some(_)) => {}
                _ => known = None,
            }
        }
        let stack = of.call.stack.clone();
        match known {
            Some((child, prefix)) => self.mounts.push(Mounted { parent, child, prefix, stack }),
            None => {
                let reason = "the tools of another server, under a prefix".to_string();
                let server = Some(parent);
                let unnamed = Unnamed { kind: Kind::Dynamic, reason, partial: None, is_said: true, server, stack };
                self.unnamed.push(unnamed);
            }
        }
    }

    /// Registers each element of the list that a form selects.
    fn register_each(&mut self, machine: &mut Machine<'_>, of: &Matched) {
        let form = self.frameworks.form(of.id).clone();
        let at = of.from(None);
        let server = self.owner(machine, &form, of);
        let mut selectors = form.each.iter().chain(&form.or_each);
        let Some(list) = selectors.find_map(|selector| select::value(machine, selector, &at)) else {
            // An argument of a call may be missing, but the answer of a handler contains a list somewhere.
            let handler = form.each.as_ref().filter(|each| each.steps.contains(&Step::Return));
            let is_there = handler.is_some_and(|each| {
                let start = Selector { start: each.start.clone(), steps: Vec::new() };
                select::value(machine, &start, &at).is_some()
            });
            if is_there {
                self.unname(machine, of, &form, server, "a response whose list of tools cannot be determined", None);
            }
            return;
        };
        if Self::is_result_of(machine, &list, &form.registered) {
            return;
        }
        let (slots, more) = machine.elements(&list);
        self.register_slots(machine, of, &form, server, &slots, more);
    }

    /// Whether a value is the result of one of these methods of another package.
    fn is_result_of(machine: &Machine<'_>, value: &Value, methods: &[SmolStr]) -> bool {
        let Some(Body::Outside(outside)) = value.as_object().map(|id| &machine.object(id).body) else { return false };
        let Outside::Result(call) = &**outside else { return false };
        Self::last(machine, call.callee).is_some_and(|last| methods.contains(&last))
    }

    /// Registers the elements of a list, and that there may be more.
    pub(super) fn register_slots(
        &mut self,
        machine: &mut Machine<'_>,
        of: &Matched,
        form: &Form,
        server: Option<Owner>,
        slots: &[Slot],
        more: Option<Rc<Unknown>>,
    ) {
        for slot in slots {
            self.offer(machine, of, Some(Element { slot, server: server.as_ref() }));
        }
        if let Some(more) = more {
            self.unname(machine, of, form, server, &more.reason, None);
        }
    }

    fn unname(
        &mut self,
        machine: &Machine<'_>,
        of: &Matched,
        form: &Form,
        server: Option<Owner>,
        reason: &str,
        partial: Option<String>,
    ) {
        let (reason, mut stack) = (reason.to_string(), of.call.stack.clone());
        if let (Some(first), Some(definition)) =
            (stack.first_mut(), of.applied.as_ref().and_then(|applied| machine.place_of(applied)))
        {
            *first = definition;
        }
        // A form that only tells definitions by their shape misses nothing.
        if !form.fallback {
            self.unnamed.push(Unnamed { kind: form.kind, reason, partial, is_said: false, server, stack });
        }
    }

    /// The server of a whole list, or of a handler: without selectors, the call itself makes it.
    fn owner(&self, machine: &mut Machine<'_>, form: &Form, of: &Matched) -> Option<Owner> {
        match form.server.is_empty() {
            true => Some(Owner::Object(of.result)),
            false => self.server_of(machine, form, &of.from(None)),
        }
    }

    fn server_of(&self, machine: &mut Machine<'_>, form: &Form, at: &From<'_>) -> Option<Owner> {
        let value = form.server.iter().find_map(|selector| match selector.start {
            Start::Receiver => Self::receiver(machine, at.callee).map(Value::Object),
            _ => select::value(machine, selector, at),
        });
        let Some(value) = value else {
            let is_class = form.server.iter().any(|selector| selector.start == Start::Class);
            let applied = at.applied.filter(|_| is_class)?;
            if let Some((file, name)) = machine.class_of_method(applied) {
                return Some(Owner::Class { file, name });
            }
            let definition = machine.place_of(applied)?;
            return machine.class_around(definition).map(|(file, name)| Owner::Class { file, name });
        };
        let mut id = value.options().iter().find_map(Value::as_object)?;
        // A member that stands for the same server.
        while let Body::Outside(outside) = &machine.object(id).body
            && let Outside::Member { of, key } = &**outside
            && self.frameworks.rows.iter().any(|row| row.language == self.family && row.same_server.contains(key))
        {
            id = *of;
        }
        Some(Owner::Object(id))
    }

    fn offer(&mut self, machine: &mut Machine<'_>, of: &Matched, element: Option<Element<'_>>) {
        let form = self.frameworks.form(of.id).clone();
        let each = element.as_ref().map(|element| &element.slot.value);
        let at = of.from(each);
        let server = match element.as_ref().and_then(|element| element.server) {
            Some(server) => Some(server.clone()),
            None => self.server_of(machine, &form, &at),
        };
        let found = named(machine, &form.name, &at);
        let Some(found) = found else {
            let reason = match element {
                Some(_) => "an element whose name cannot be determined",
                None => "no name was found",
            };
            return self.unname(machine, of, &form, server, reason, None);
        };
        let options: Vec<Value> = found.options().iter().filter(|option| !is_nothing(option)).cloned().collect();
        let texts: Vec<Value> = options.iter().map(|option| machine.plain_text(option.clone())).collect();
        let known = |value: &Value| match value {
            Value::Text(text) => text.unknown().is_none() && text.text().len() <= MOST_BYTES,
            _ => false,
        };
        let all_known = texts.iter().all(known);
        let some_known = texts.iter().any(known);
        let perhaps = element.as_ref().is_some_and(|element| element.slot.perhaps);
        let is_nested = element.is_some() || of.call.stack.len() > 1;
        for text in texts.iter().filter(|text| known(text)) {
            let Some(text) = text.as_traced() else { continue };
            if text.text().is_empty() && is_nested {
                self.unname(machine, of, &form, server.clone(), "the name is empty here and assigned elsewhere", None);
                continue;
            }
            let details = Details::of(machine, &form, &at);
            let offer = Offer {
                kind: form.kind,
                framework: of.id.framework,
                keys: machine.keys_looked_up(text),
                compared: Vec::new(),
                found_by: Vec::new(),
                agreeing: Vec::new(),
                name: super::prefixed(&form.prefix, text),
                server: server.clone(),
                stack: of.call.stack.clone(),
                conditional: of.call.perhaps || perhaps || texts.len() > 1 || details.is_variant,
                filtered: perhaps,
                looped: of.call.looped,
                is_class: false,
                listed: element.is_some(),
                details,
            };
            match form.fallback {
                true => self.shaped.push(offer),
                false => self.offers.push(offer),
            }
        }
        if all_known {
            return;
        }
        // An unrelated `.tool({ … })`: there is an object, a function or an array where the name would be.
        let is_unrelated = |value: &Value| {
            value.as_object().is_some_and(|id| {
                let body = &machine.object(id).body;
                matches!(body, Body::Plain | Body::List(_) | Body::Table(_) | Body::Function(_))
            })
        };
        if element.is_none() && texts.iter().all(is_unrelated) {
            return;
        }
        if some_known {
            let unknown = texts.iter().filter(|text| !known(text)).filter_map(Value::as_traced);
            let in_part = |text: &&Traced| text.parts.iter().any(|part| part.place().is_some());
            let names = unknown.filter(in_part).map(Traced::text).next().filter(|name| name.len() <= MOST_BYTES);
            return self.unname(machine, of, &form, server, "one of several names, chosen at run time", names);
        }
        let (mut reason, mut partial) = (machine.reason_of(&found).reason.to_string(), None);
        if let [Value::Text(text)] = texts.as_slice() {
            match text.text().len() <= MOST_BYTES {
                true if text.parts.iter().any(|part| part.place().is_some()) => partial = Some(text.text()),
                true => {}
                false => reason = LONG_NAME.to_string(),
            }
        }
        self.unname(machine, of, &form, server, &reason, partial);
    }

    /// Runs the handlers whose answers are lists of tools, prompts or resources, and those that tell called tools
    /// apart.
    pub(super) fn finish(&mut self, machine: &mut Machine<'_>) {
        for of in std::mem::take(&mut self.waiting) {
            match self.frameworks.form(of.id).kind {
                Kind::Dispatch => self.answers(machine, &of),
                _ => self.register_each(machine, &of),
            }
        }
    }

    /// Follows the name of a called tool from the messages that the program answers itself.
    pub(super) fn answers_messages(&mut self, machine: &mut Machine<'_>) {
        // A framework answers the messages to the servers that it makes.
        let is_framed = |offer: &Offer| !self.frameworks.rows[offer.framework].packages.is_empty();
        if !self.servers.is_empty() || self.offers.iter().any(is_framed) {
            return;
        }
        /// The total number of steps of the functions that distinguish messages.
        const STEPS: u64 = 400_000;
        let (mut answering, mut steps): (Vec<Option<Cases>>, u64) = (Vec::new(), STEPS);
        for file in machine.files() {
            for (at, method) in (self.plan.answering)(file) {
                answering.push(machine.answer_call((file, at), &method, &mut steps));
            }
        }
        // An alias would be written into only some of the functions.
        let is_whole = answering.iter().all(Option::is_some);
        for mut cases in answering.into_iter().flatten() {
            if !is_whole {
                (cases.receiver, cases.variable) = (None, None);
            }
            self.answering.push(Answering { server: None, cases });
        }
    }

    fn answers(&mut self, machine: &mut Machine<'_>, of: &Matched) {
        let form = self.frameworks.form(of.id).clone();
        let at = of.from(None);
        let server = self.owner(machine, &form, of);
        for selector in &form.name {
            let Some(index) = selector.steps.iter().position(|step| matches!(step, Step::Param(_))) else { continue };
            let Step::Param(parameter) = selector.steps[index] else { continue };
            let fields = selector.steps[index + 1..].iter().filter_map(|step| match step {
                Step::Field(field) => Some(field.clone()),
                _ => None,
            });
            let path: Vec<SmolStr> = fields.collect();
            let handler = Selector { start: selector.start.clone(), steps: selector.steps[..index].to_vec() };
            let Some(handlers) = select::value(machine, &handler, &at) else { continue };
            for handler in handlers.options() {
                if let Some(cases) = machine.tell_apart(handler, parameter, &path) {
                    self.answering.push(Answering { server: server.clone(), cases });
                }
            }
        }
    }

    /// Notes the servers that a call hands to code that cannot be followed.
    pub(super) fn note_escapes(&mut self, machine: &Machine<'_>, call: &OutsideCall) {
        let is_followed = match root(machine, call.callee) {
            Root::Package(module) => self.frameworks.owner_of_module(self.family, &module).is_some(),
            Root::Global => true,
            Root::Given | Root::Nothing => false,
        };
        let Some(place) = call.stack.first().filter(|_| !is_followed) else { return };
        let name = Self::last(machine, call.callee).unwrap_or_default();
        let values: Vec<&Value> = call.args.iter().map(|arg| &arg.value).collect();
        for server in self.servers_in(machine, &values) {
            self.escapes.push(Escape { server, place: *place, name: name.clone() });
        }
    }

    /// The servers that values are, or contain in objects and lists.
    pub(super) fn servers_in(&self, machine: &Machine<'_>, values: &[&Value]) -> Vec<ObjectId> {
        let mut found = Vec::new();
        let mut open: Vec<(Value, u32)> = values.iter().map(|value| ((*value).clone(), 0)).collect();
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some((value, depth)) = open.pop() {
            for id in value.options().iter().filter_map(Value::as_object) {
                if self.servers.contains_key(&id) {
                    found.push(id);
                    continue;
                }
                if depth >= MOST_LEVELS || !seen.insert(id) {
                    continue;
                }
                let object = machine.object(id);
                let inner: Vec<Value> = match &object.body {
                    Body::List(slots) | Body::Tuple(slots) => slots.iter().map(|slot| slot.value.clone()).collect(),
                    Body::Table(table) => table.values().map(|slot| slot.value.clone()).collect(),
                    Body::Plain => object.props.values().map(|slot| slot.value.clone()).collect(),
                    // `server.registerTool.bind(server)`, `tool = mcp.tool`
                    Body::Outside(outside) => match &**outside {
                        Outside::Member { of, key } if !self.frameworks.candidates(self.family, key).is_empty() => {
                            vec![Value::Object(*of)]
                        }
                        _ => Vec::new(),
                    },
                    _ => Vec::new(),
                };
                open.extend(inner.into_iter().map(|value| (value, depth + 1)));
            }
        }
        found.sort();
        found.dedup();
        found
    }
}

impl Matched {
    /// The start of the form's selectors.
    pub(super) fn from<'m>(&'m self, each: Option<&'m Value>) -> From<'m> {
        let (call, applied) = (&*self.call, self.applied.as_ref());
        let (is_bare, is_given_back, file) = (self.is_bare, self.is_given_back, self.file);
        From { call, callee: call.callee, each, applied, is_bare, is_given_back, file }
    }
}

/// The name that the first of the selectors leads to. What is registered may be one of several values, each of which may
/// have its name elsewhere.
fn named(machine: &mut Machine<'_>, selectors: &[Selector], at: &From<'_>) -> Option<Value> {
    let choices = at.choices();
    if !choices.is_empty() {
        return one_of_names(choices.iter().map(|choice| named(machine, selectors, &choice.of(at))).collect());
    }
    // An empty name counts as none, unless there is no other; so does an object or function: the next selector leads
    // into it.
    let all: Vec<Value> = selectors.iter().filter_map(|selector| select::value(machine, selector, at)).collect();
    let is_empty = |value: &Value| value.as_text().is_some_and(|text| text.is_empty());
    let is_holder = |value: &Value| is_made(machine, value) || machine.is_definition(value);
    all.iter().find(|value| !is_empty(value) && !is_holder(value)).or(all.first()).cloned()
}

/// The name of one of several values; `None` if none of them has one.
fn one_of_names(names: Vec<Option<Value>>) -> Option<Value> {
    if names.iter().all(Option::is_none) {
        return None;
    }
    Some(Value::one_of(names.into_iter().map(|name| name.unwrap_or_else(|| Value::unknown("a value without a name")))))
}

fn is_nothing(value: &Value) -> bool {
    matches!(value, Value::Undefined | Value::Null)
}

/// Whether a value is an instance of a class of another package.
fn is_made(machine: &Machine<'_>, value: &Value) -> bool {
    value.as_object().is_some_and(|id| match &machine.object(id).body {
        Body::Outside(outside) => matches!(&**outside, Outside::Result(call) if call.new),
        _ => false,
    })
}
