//! Lookups and comparisons of names: the tables that a program searches, and the strings that it compares a name with.
//!
//! A server that answers calls of tools itself tells them apart by the name of the called one. [`Machine::tell_apart`]
//! runs such a handler with an unknown name, and records everything that the name is compared with.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::express::Args;
use super::realm::is_prelude;
use super::value::{Body, Closure, Passed, Slot, Value};
use super::{At, Machine, ObjectId, Run};
use crate::code::{Binary, Expr, ExprKind, Logic, Mention, Stmt, StmtKind, Target};
use crate::found::{Origin, Part, Place, Traced, Unknown};
use crate::text::{FileId, Span};

/// The reason for which the name of the called tool is unknown, by which it is recognised.
const CALLED: &str = "the name of the called tool";
/// The maximum number of lookups of known names that are recorded.
const MOST_LOOKUPS: usize = 50_000;
/// The maximum number of steps of a handler.
const OF_HANDLER: u64 = 300_000;

/// The strings with which a handler compares the name of the called tool.
#[derive(Debug, Default)]
pub(crate) struct Cases {
    /// The texts with their places, and whether each decides what runs: an element of a list, in which the name is
    /// only searched, does not.
    pub(crate) texts: BTreeSet<(Place, SmolStr, bool)>,
    /// Whether definitions are searched for it: one comparison with the names of several.
    pub(crate) searched: bool,
    /// The places of the keys that are not written in the literal of a table, but set later.
    pub(crate) set_later: BTreeSet<Place>,
    /// Whether it is the name of a member of something that is not a table.
    pub(crate) reflected: bool,
    /// The function that gets the name first.
    pub(crate) receiver: Option<Receiver>,
    /// The first declaration of a variable with the name, and that variable.
    pub(crate) variable: Option<(Place, SmolStr)>,
    /// Whether a function gets the name, alone or among the parameters of a message.
    pub(super) is_passed: bool,
    /// The functions that get the name or what contains it, by their addresses.
    pub(super) reached: FxHashSet<usize>,
    /// Whether the program reads the request itself, as JSON.
    pub(crate) is_message: bool,
}

impl Cases {
    /// Whether any use of the name is known.
    pub(super) fn is_known(&self) -> bool {
        !self.texts.is_empty() || self.searched || self.reflected || self.variable.is_some() || self.is_passed
    }
}

/// A function, the index of the parameter that gets a request or the name in it, and the keys that lead to the name from
/// there.
pub(crate) type Receiver = (Rc<Closure>, usize, Vec<SmolStr>);

/// A handler that is being run, with what is noted about it.
#[derive(Debug, Default)]
pub(super) struct Asking {
    cases: Cases,
    /// The objects of the request, each with the keys that lead to the name from there.
    pub(super) request: Vec<(ObjectId, Vec<SmolStr>)>,
    /// The message that the program reads, if it reads messages itself.
    pub(super) message: Option<Value>,
    /// The functions that get other messages, too, and so are no receivers, by their addresses.
    pub(super) others: FxHashSet<usize>,
    /// The functions that got one of these objects or the name, each with how many calls were running.
    receivers: Vec<(Receiver, usize)>,
    /// The comparisons that ran, each with the first text it was made with.
    compared: Vec<(Place, SmolStr)>,
    /// The number of the first object that was made since it began.
    since: usize,
}

impl Asking {
    /// Nothing, at a time when there are so many objects.
    pub(super) fn since(objects: usize) -> Asking {
        Asking { since: objects, ..Asking::default() }
    }
}

impl Machine<'_> {
    /// Runs a function with a call of a tool whose name is not known, and returns what it compares the name with. The
    /// name is in the parameter at `index`, not counting a receiver, under the keys of `path`.
    pub(crate) fn tell_apart(&mut self, function: &Value, index: usize, path: &[SmolStr]) -> Option<Cases> {
        let closure = self.closure_of(function)?;
        let is_bound = matches!(self.body_of(function), Some(Body::Bound { .. }));
        let mut asking = Asking::since(self.heap.len());
        let place = self.here();
        let mut value = called_name();
        for (depth, key) in path.iter().enumerate().rev() {
            let object = self.allocate(None, Body::Plain);
            let slot = Slot::new(value);
            self.heap.change(object).props.insert(key.clone(), slot);
            self.heap.change(object).more = Some(Rc::new(Unknown::because("a request")));
            asking.request.push((object, path[depth..].to_vec()));
            value = Value::Object(object);
        }
        let mut list: Vec<Passed> = (0..index)
            .map(|_| Passed { name: None, value: Value::unknown("an argument of a request handler"), place })
            .collect();
        list.push(Passed { name: None, value, place });
        let this = Value::unknown("`this` of a callback");
        if self.is_python() && !is_bound && closure.home.is_some() {
            list.insert(0, Passed { name: None, value: this.clone(), place });
        }
        let args = Args { list, more: Some(Value::unknown("an argument that only a caller has")) };
        self.heap.begin();
        let cases = self.ask(OF_HANDLER, asking, |machine| {
            let answer = machine.call(function, this, args, place)?;
            machine.awaited(answer)
        });
        let changes = self.heap.undo();
        self.heap.discard(changes);
        cases
    }

    /// Runs a handler with at most `steps` and returns what it compares the name with.
    pub(super) fn ask(
        &mut self,
        steps: u64,
        asking: Asking,
        run: impl FnOnce(&mut Self) -> Run<Value>,
    ) -> Option<Cases> {
        let outer = self.asking.replace(asking);
        self.doubt += 1;
        // What a handler did not come to may be cases, but no tools.
        let (waiting, cuts) = (self.waiting.len(), self.cut.len());
        let _ = self.within_share(steps, run);
        // Callbacks that something unknown gets may compare the name, too.
        for (callback, place) in self.waiting.split_off(waiting.min(self.waiting.len())) {
            let _ = self.within_share(super::SMALL_SHARE, |machine| machine.call_unknown(&callback, place));
        }
        self.doubt -= 1;
        self.cut.truncate(cuts);
        let asking = std::mem::replace(&mut self.asking, outer)?;
        let mut cases = Cases { is_message: asking.message.is_some(), ..asking.cases };
        let is_whole = |receiver: &Receiver| receiver.0.has_statements();
        cases.receiver = match asking.receivers.as_slice() {
            [(first, _), ..] if is_whole(first) => Some(first.clone()),
            // The function that is all there is of the first one; it calls the others.
            [_, (second, depth), rest @ ..] if is_whole(second) && rest.iter().all(|(_, inner)| inner > depth) => {
                Some(second.clone())
            }
            _ => None,
        };
        Some(cases)
    }

    /// Whether a condition compares the name of the called tool with texts: where it holds, the name is known.
    pub(super) fn knows_called(&mut self, test: &Expr, at: At<'_>) -> bool {
        match &test.kind {
            _ if self.asking.is_none() => false,
            ExprKind::Logic(Logic::Or, a, b) => self.knows_called(a, at) && self.knows_called(b, at),
            ExprKind::Binary(Binary::Equal | Binary::Like | Binary::Is, a, b) => {
                let is_text = |expr: &Expr| matches!(expr.kind, ExprKind::Text(_));
                let other = if is_text(a) { b } else { a };
                (is_text(a) || is_text(b)) && self.pure_value(other, at).is_some_and(|value| is_called(&value))
            }
            _ => false,
        }
    }

    /// The value of a variable, or of a member of a request.
    fn pure_value(&self, expr: &Expr, at: At<'_>) -> Option<Value> {
        match &expr.kind {
            ExprKind::Name(name) => {
                let scope = self.heap.scope_of(at.scope, name)?;
                self.heap.own_name(scope, name).cloned()
            }
            ExprKind::Member { object, key, .. } => {
                let object = self.pure_value(object, at)?.as_object()?;
                self.asking.as_ref()?.request.iter().find(|(request, _)| *request == object)?;
                self.heap.get(object).props.get(key).map(|slot| slot.value.clone())
            }
            _ => None,
        }
    }

    /// Whether code that runs for a name that it knows tells no others apart: it uses neither the name nor what leads
    /// to it.
    pub(super) fn is_answer(&self, value: Option<&Value>, body: &[Stmt], at: At<'_>) -> bool {
        let (Some(asking), [first, ..]) = (&self.asking, body) else { return false };
        if value.is_some_and(|value| !is_called(value)) || is_prelude(at.frame.site.file) {
            return false;
        }
        let span = body.iter().fold(first.span, |span, stmt| Span { end: span.end.max(stmt.span.end), ..span });
        let Some(code) = self.code_of(at.frame.site.file) else { return false };
        let mentions = &code.items[at.frame.site.item as usize].outline.mentions;
        let first = mentions.partition_point(|mention| mention.offset < span.start);
        let inside: Vec<&Mention> = mentions[first..].iter().take_while(|mention| mention.offset < span.end).collect();
        let leads = |mention: &&Mention| {
            let scope = self.heap.scope_of(at.scope, &mention.name)?;
            match self.heap.own_name(scope, &mention.name)? {
                Value::Object(id) => {
                    let Some((_, path)) = asking.request.iter().find(|(request, _)| request == id) else {
                        return Some(id.0 as usize >= asking.since);
                    };
                    // `request.params.arguments` does not lead to `request.params.name`.
                    let chain = inside.iter().filter(|other| other.offset == mention.offset && other.is_member);
                    Some(chain.rev().zip(path).all(|(member, key)| member.name == *key))
                }
                value => Some(is_called(value)),
            }
        };
        !inside.iter().any(|mention| !mention.is_member && leads(mention).unwrap_or(false))
    }

    /// Notes which of a function's arguments lead to the name of the called tool.
    pub(super) fn note_receiver(&mut self, closure: &Rc<Closure>, args: &Args) {
        let Some(asking) = &mut self.asking else { return };
        if is_prelude(closure.site.file) {
            return;
        }
        let found = args.list.iter().enumerate().find_map(|(index, arg)| match &arg.value {
            Value::Object(id) => {
                let (_, path) = asking.request.iter().find(|(object, _)| object == id)?;
                Some((index, path.clone()))
            }
            value => is_called(value).then(|| (index, Vec::new())),
        });
        if let Some((index, path)) = found {
            let address = Arc::as_ptr(&closure.function) as usize;
            asking.cases.reached.insert(address);
            if asking.others.contains(&address) {
                return;
            }
            asking.cases.is_passed |= path.len() <= 1;
            // What gets the whole request reads the name again.
            if !path.is_empty() {
                asking.cases.variable = None;
            }
            asking.receivers.push(((Rc::clone(closure), index, path), self.stack.len()));
        }
    }

    /// Notes a variable that is declared with the name of the called tool.
    pub(super) fn note_variable(&mut self, target: &Target, statement: &Stmt, at: At<'_>) {
        let Target::Name { name, .. } = target else { return };
        let place = at.frame.site.place(statement.span);
        let scope = self.heap.scope_of(at.scope, name);
        let value = scope.and_then(|scope| self.heap.own_name(scope, name));
        let is_it = value.is_some_and(is_called) && !is_prelude(place.file);
        if let Some(asking) = self.asking.as_mut().filter(|asking| is_it && asking.cases.variable.is_none()) {
            asking.cases.variable = Some((place, name.clone()));
        }
    }

    /// The message that the program reads, if it runs with one.
    pub(super) fn message_read(&self) -> Option<Value> {
        self.asking.as_ref()?.message.clone()
    }

    /// Notes a comparison of two values, at the place of the expression or case that makes it.
    pub(super) fn note_comparison(&mut self, a: &Value, b: &Value, place: Option<Place>) {
        if let (Value::Text(a), Value::Text(b)) = (a, b) {
            self.note_equal(a, b);
        }
        if let Some(place) = place.filter(|place| !is_prelude(place.file))
            && let Some(effects) = self.effects.take()
        {
            effects.compared(self, a, b, place);
            self.effects = Some(effects);
        }
        let Some(asking) = &mut self.asking else { return };
        let texts = match (is_called(a), is_called(b)) {
            (true, false) => b.options(),
            (false, true) => a.options(),
            _ => return,
        };
        let is_hidden = place.is_none_or(|place| is_prelude(place.file));
        // The standard library calls the comparison for each element, or nothing is known of what it is compared with.
        let is_search = self.stack.last().is_some_and(|call| is_prelude(call.file))
            || texts.iter().any(|value| matches!(value, Value::Unknown(_) | Value::Object(_)));
        asking.cases.searched |= is_search && !is_hidden;
        for text in texts {
            let (Some(at), Some(text)) = (literal_place(text), text.as_text()) else { continue };
            let text = SmolStr::from(text);
            let before = asking.compared.iter().find(|(known, _)| Some(*known) == place);
            match before {
                Some((_, first)) if *first != text => asking.cases.searched = true,
                _ if is_hidden => {}
                None => asking.compared.extend(place.map(|place| (place, text.clone()))),
                Some(_) => {}
            }
            asking.cases.texts.insert((at, text, !is_hidden));
        }
    }

    /// Notes that two literals, or a literal and the name of a function, were compared and are equal.
    fn note_equal(&mut self, a: &Traced, b: &Traced) {
        for (name, literal) in [(a, b), (b, a)] {
            if let ([Part { text, origin: Origin::Identifier(place) }], Some(at)) =
                (name.parts.as_slice(), literal.written_at())
                && self.named.len() < MOST_LOOKUPS
                && !is_prelude(at.file)
                && *text == literal.text()
            {
                self.named.push((at, *place));
            }
        }
        let (Some(one), Some(other)) = (a.written_at(), b.written_at()) else { return };
        let is_new =
            one != other && self.equals.len() < MOST_LOOKUPS && !is_prelude(one.file) && !is_prelude(other.file);
        let text = SmolStr::from(a.text());
        if is_new && text == b.text() {
            self.equals.extend([((one, other), text.clone()), ((other, one), text)]);
        }
    }

    /// The other literals with which the program compared a name and which were equal to it.
    pub(crate) fn compared_with(&self, name: &Traced) -> Vec<Place> {
        let Some(place) = name.written_at().filter(|_| !self.equals.is_empty()) else { return Vec::new() };
        let first = Place { span: Span::default(), item: 0, file: FileId(0) };
        self.equals
            .range((place, first)..)
            .take_while(|((one, _), _)| *one == place)
            .map(|((_, other), _)| *other)
            .collect()
    }

    /// Notes that a function or class of a module is looked up by its name.
    pub(super) fn note_named(&mut self, module: &Value, key: &Value, found: &Value) {
        let is_module = module.as_object().is_some_and(|id| matches!(self.heap.get(id).body, Body::Module(_)));
        let (Value::Text(key), Some(id)) = (key, found.as_object().filter(|_| is_module)) else { return };
        let Some(at) = key.written_at().filter(|_| self.named.len() < MOST_LOOKUPS) else { return };
        let Value::Text(name) = self.name_of_function(id) else { return };
        if let [Part { text, origin: Origin::Identifier(place) }] = name.parts.as_slice()
            && *text == key.text()
        {
            self.named.push((at, *place));
        }
    }

    /// The literals that the program found equal to the name of the function or class that a name is taken from, or by
    /// which it found that function in its module.
    pub(crate) fn found_by(&self, name: &Traced) -> Vec<Place> {
        let [Part { origin: Origin::Identifier(named), .. }] = name.parts.as_slice() else { return Vec::new() };
        let mut found: Vec<Place> =
            self.named.iter().filter(|(_, name)| name == named).map(|(literal, _)| *literal).collect();
        found.sort();
        found.dedup();
        found
    }

    /// The literals that the program found equal to the name of a function or class, or by which it found one in its
    /// module, each with the place of that name in its definition.
    pub(crate) fn named(&self) -> &[(Place, Place)] {
        &self.named
    }

    /// The pairs of literals that the program compared or looked up and found equal, by their text.
    pub(crate) fn agreeing(&self) -> FxHashMap<SmolStr, Vec<(Place, Place)>> {
        let looked_up = self.lookups.iter().filter_map(|(key, at)| Some((key.written_at()?, *at, key.text().into())));
        let compared = self.equals.iter().map(|((one, other), text)| (*one, *other, text.clone()));
        let mut found: FxHashMap<SmolStr, Vec<(Place, Place)>> = FxHashMap::default();
        for (one, other, text) in looked_up.chain(compared).filter(|(one, other, _)| one != other) {
            found.entry(text).or_default().push((one, other));
        }
        for pairs in found.values_mut() {
            pairs.sort_unstable();
            pairs.dedup();
        }
        found
    }

    /// Notes that a table or list is looked into under a key.
    pub(super) fn looked_up(&mut self, table: &Value, key: &Value) {
        let Value::Text(name) = key else { return };
        for option in table.options() {
            let Some(id) = option.as_object() else { continue };
            if is_called(key) {
                self.looked_up_by_called(id);
            } else if self.lookups.len() < MOST_LOOKUPS && name.unknown().is_none() {
                let text = name.text();
                let key = || super::value::Key::Text(text.as_str().into());
                let slot = match &self.heap.get(id).body {
                    Body::Table(table) => table.get(&key()),
                    Body::Plain => self.heap.get(id).props.get(text.as_str()),
                    Body::Set(table) => {
                        let element = table.get(&key()).map(|slot| slot.value.clone());
                        self.note_element(name, element.as_ref());
                        continue;
                    }
                    Body::List(slots) | Body::Tuple(slots) => {
                        let is_it = |slot: &&Slot| slot.value.as_text().is_some_and(|own| *own == *text);
                        let element = slots.iter().find(is_it).map(|slot| slot.value.clone());
                        self.note_element(name, element.as_ref());
                        continue;
                    }
                    _ => None,
                };
                let written = slot.and_then(|slot| slot.key.clone());
                if let Some(at) = written.and_then(|written| written.written_at()) {
                    self.lookups.push((Rc::clone(name), at));
                }
            }
        }
    }

    /// Notes that a list or set contains a literal that is equal to a name.
    fn note_element(&mut self, name: &Traced, element: Option<&Value>) {
        if let Some(Value::Text(element)) = element {
            let element = Rc::clone(element);
            self.note_equal(name, &element);
        }
    }

    fn looked_up_by_called(&mut self, id: ObjectId) {
        let object = self.heap.get(id);
        let keys = |slots: &mut dyn Iterator<Item = &Slot>| -> Vec<(Place, SmolStr)> {
            let texts = slots.filter(|slot| !slot.hidden).filter_map(|slot| slot.key.as_ref());
            texts.filter_map(|key| Some((key.written_at()?, SmolStr::from(key.text())))).collect()
        };
        let (found, decides) = match &object.body {
            Body::Table(table) => (keys(&mut table.values()), true),
            // The members of an instance are no cases.
            Body::Plain if object.literal.is_none() && object.parent.is_some() => (Vec::new(), true),
            Body::Plain => (keys(&mut object.props.values()), true),
            Body::Set(table) => (elements(table.values()), false),
            Body::List(slots) | Body::Tuple(slots) => (elements(slots.iter()), false),
            _ => (Vec::new(), true),
        };
        let literal = object.literal;
        let is_later = |place: &Place| match literal {
            Some(literal) => {
                let is_inside = (literal.place.file, literal.place.item) == (place.file, place.item)
                    && literal.place.span.contains(place.span);
                !literal.is_open && !is_inside
            }
            None => true,
        };
        let set_later = found.iter().map(|(place, _)| *place).filter(|place| decides && is_later(place));
        let set_later: Vec<Place> = set_later.collect();
        let Some(asking) = &mut self.asking else { return };
        asking.cases.set_later.extend(set_later);
        asking.cases.reflected |= found.is_empty() && decides;
        asking.cases.texts.extend(found.into_iter().map(|(place, text)| (place, text, decides)));
    }

    /// The keys in tables that were looked into under a name, as far as they are written in the program.
    pub(crate) fn keys_looked_up(&self, name: &Traced) -> Vec<Place> {
        let mut found: Vec<Place> =
            self.lookups.iter().filter(|(key, _)| **key == *name).map(|(_, place)| *place).collect();
        found.sort();
        found.dedup();
        found
    }
}

impl Closure {
    /// Whether its body has statements, before the first of which others can be inserted.
    fn has_statements(&self) -> bool {
        self.first_statement().is_some()
    }

    /// The place of its first statement; `None` if its body is an expression.
    pub(crate) fn first_statement(&self) -> Option<Place> {
        let mut body = self.function.body.iter();
        let mut first = body.next()?;
        // Nothing can come before a docstring.
        if matches!(&first.kind, StmtKind::Run(value) if matches!(value.kind, ExprKind::Text(_)))
            && self.function.doc.is_some()
        {
            first = body.next().unwrap_or(first);
        }
        let is_expression =
            self.function.is_arrow && matches!(&first.kind, StmtKind::Return(Some(value)) if value.span == first.span);
        (!is_expression).then(|| self.site.place(first.span))
    }
}

/// The name of the called tool.
pub(super) fn called_name() -> Value {
    let unknown = Origin::Unknown(Box::new(Unknown::because(CALLED)));
    Value::text(Traced { parts: std::iter::once(Part { text: "*".into(), origin: unknown }).collect() })
}

/// Whether a value is the name of the called tool.
fn is_called(value: &Value) -> bool {
    match value {
        Value::Text(text) => match text.parts.as_slice() {
            [Part { origin: Origin::Unknown(unknown), .. }] => unknown.reason == CALLED,
            _ => false,
        },
        _ => false,
    }
}

fn elements<'s>(slots: impl Iterator<Item = &'s Slot>) -> Vec<(Place, SmolStr)> {
    slots.filter_map(|slot| Some((literal_place(&slot.value)?, SmolStr::from(slot.value.as_text()?)))).collect()
}

/// The place of the literal that a whole text is.
fn literal_place(value: &Value) -> Option<Place> {
    value.as_traced().and_then(Traced::written_at)
}
