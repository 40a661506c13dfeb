//! Forced execution: functions that nothing in the program calls are called with unknown arguments.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::express::Args;
use super::value::{Body, Passed, Value};
use super::{Machine, ObjectId, Run};
use crate::code::Offset;
use crate::found::Place;
use crate::syntax::Family;
use crate::text::FileId;

/// The sorted offsets in a file.
type Offsets<'f, 'a> = &'f dyn Fn(FileId) -> &'a [Offset];

/// Whether a place contains one of the sorted offsets in its file.
pub(crate) fn contains_one(place: Place, offsets: &[Offset]) -> bool {
    let first = offsets.partition_point(|offset| *offset < place.start());
    offsets.get(first).is_some_and(|offset| is_within(&place, *offset))
}

pub(super) fn is_within(place: &Place, offset: Offset) -> bool {
    place.item == offset.item && place.span.start <= offset.bytes && offset.bytes < place.span.end
}

/// Whether the first parameter of a function of Rust is its receiver.
pub(super) fn takes_receiver(function: &crate::code::Function) -> bool {
    let first = function.params.first().map(|param| &param.target);
    matches!(first, Some(crate::code::Target::Name { name, .. }) if name == "self")
}

impl Machine<'_> {
    /// Calls each function that has not run and that contains one of the wanted places; `wanted` returns those in a
    /// file, sorted. A method is called on an instance of its class. The functions that files export come
    /// first, with those that contain one of the places `leading` there: they pass to the others what these need.
    pub(crate) fn force<'a>(&mut self, wanted: Offsets<'_, 'a>, leading: Offsets<'_, 'a>) {
        let is_in = |place: Place, offsets: Offsets<'_, 'a>| contains_one(place, offsets(place.file));
        self.force_where(&|place| is_in(place, wanted), &|place| is_in(place, leading));
    }

    /// Calls each function of a file that has not run, like [`Machine::force`].
    pub(crate) fn force_file(&mut self, file: FileId) {
        self.force_where(&|place| place.file == file, &|_| false);
    }

    /// Calls the functions that a framework calls with the rows of a table; their other arguments are unknown.
    pub(crate) fn run_tables(&mut self) {
        let tabled = self.effects.as_mut().map(|effects| effects.tabled()).unwrap_or_default();
        for (function, rows) in tabled {
            for args in rows {
                let place = args.first().map_or(self.entry, |arg| arg.place);
                let args = Args { list: args, more: Some(Value::unknown(super::call::GIVEN)) };
                let this = Value::unknown("`this` of a callback");
                let _ = self.within_share(super::SHARE, |machine| machine.call(&function, this, args, place));
            }
        }
    }

    fn force_where(&mut self, is_wanted: &dyn Fn(Place) -> bool, is_leading: &dyn Fn(Place) -> bool) {
        /// The maximum number of rounds, each of which calls the functions that the previous one created.
        const MOST_ROUNDS: usize = 16;
        /// The maximum number of functions that are called.
        const MOST: usize = 400;
        let mut tried: FxHashSet<usize> = FxHashSet::default();
        let mut instances: FxHashMap<ObjectId, Value> = FxHashMap::default();
        let exported = self.exported_functions();
        for round in 0..MOST_ROUNDS {
            let found = match round {
                0 => {
                    let mut found = self.unreached(is_leading, &tried);
                    found.retain(|(id, _)| exported.contains(id));
                    found
                }
                _ => self.unreached(is_wanted, &tried),
            };
            if found.is_empty() && round == 0 {
                continue;
            }
            if found.is_empty() {
                break;
            }
            for (id, place) in found {
                let Body::Function(closure) = &self.heap.get(id).body else { continue };
                let (key, home) = (std::sync::Arc::as_ptr(&closure.function) as usize, closure.home);
                if !tried.insert(key) || self.ran.contains_key(&key) || tried.len() > MOST {
                    continue;
                }
                let _ = self
                    .within_share(super::SHARE, |machine| machine.call_method_unknown(id, home, &mut instances, place));
            }
            self.ended();
        }
    }

    /// The functions that the files of the program export, also as members of an object.
    fn exported_functions(&mut self) -> FxHashSet<ObjectId> {
        let mut found = FxHashSet::default();
        for file in self.files() {
            for (_, slot) in self.exports_of(file).unwrap_or_default() {
                for exported in slot.value.options().to_vec() {
                    if matches!(self.body_of(&exported), Some(Body::Plain)) {
                        let (members, _) = self.pairs_of(&exported).unwrap_or_default();
                        found.extend(members.iter().filter_map(|(_, slot)| slot.value.as_object()));
                    }
                    found.extend(exported.as_object());
                }
            }
        }
        found
    }

    /// The wanted functions that have not run, in order of creation.
    fn unreached(&self, is_wanted: &dyn Fn(Place) -> bool, tried: &FxHashSet<usize>) -> Vec<(ObjectId, Place)> {
        let mut found = Vec::new();
        for id in self.heap.ids() {
            let Body::Function(closure) = &self.heap.get(id).body else { continue };
            let key = std::sync::Arc::as_ptr(&closure.function) as usize;
            if super::realm::is_prelude(closure.site.file) || self.ran.contains_key(&key) || tried.contains(&key) {
                continue;
            }
            let place = closure.site.place(closure.function.span);
            if is_wanted(place) {
                found.push((id, place));
            }
        }
        found
    }

    /// The class with a method, by what the method is defined in.
    fn class_of_member(&self, home: ObjectId) -> Option<ObjectId> {
        match &self.heap.get(home).body {
            Body::Class(_) if self.family != Family::TypeScript => Some(home),
            Body::Class(_) => None,
            _ => self.heap.get(home).props.get("constructor").and_then(|slot| slot.value.as_object()),
        }
    }

    /// An instance of the class that a function is defined in, for its `this`. `instances` are those made before.
    pub(super) fn instance_around(
        &mut self,
        home: Option<ObjectId>,
        instances: &mut FxHashMap<ObjectId, Value>,
        place: Place,
    ) -> Value {
        let Some(class) = home.and_then(|home| self.class_of_member(home)) else {
            return home.map_or(Value::unknown("`this` of a function that nothing calls"), Value::Object);
        };
        if let Some(known) = instances.get(&class) {
            return known.clone();
        }
        let args = Args { list: Vec::new(), more: Some(Value::unknown(super::call::GIVEN)) };
        let known = self.made_instance(class).filter(|_| self.family == Family::Rust);
        let made = match known {
            Some(known) => Value::Object(known),
            None if self.family == Family::Rust => self.instance_of(class).unwrap_or(Value::Undefined),
            None => self.construct(&Value::Object(class), args, place).unwrap_or(Value::Undefined),
        };
        instances.insert(class, made.clone());
        made
    }

    fn call_method_unknown(
        &mut self,
        id: ObjectId,
        home: Option<ObjectId>,
        instances: &mut FxHashMap<ObjectId, Value>,
        place: Place,
    ) -> Run<()> {
        let more = Some(Value::unknown(super::call::GIVEN));
        let this = self.instance_around(home, instances, place);
        let Body::Function(closure) = &self.heap.get(id).body else { return Ok(()) };
        if self.ran.contains_key(&(std::sync::Arc::as_ptr(&closure.function) as usize)) {
            return Ok(());
        }
        let is_method = match &self.heap.get(id).body {
            Body::Function(closure) => takes_receiver(&closure.function),
            _ => false,
        };
        let binds = self.family == Family::Python || self.family == Family::Rust && is_method;
        let own = (home.is_some_and(|home| self.class_of_member(home).is_some()) && binds).then(|| Passed {
            name: None,
            value: this.clone(),
            place,
        });
        let args = Args { list: own.into_iter().collect(), more };
        self.call(&Value::Object(id), this, args, place).map(drop)
    }

    /// The wanted calls that have not run although the function or module around them has: what should have led to them
    /// was not found. `wanted` returns those of a file, sorted, each with whether it is outside of all functions.
    pub(crate) fn missed<'a>(&self, wanted: &dyn Fn(FileId) -> &'a [(Place, bool)]) -> BTreeSet<Place> {
        let mut missed: BTreeSet<Place> = BTreeSet::new();
        for place in self.ran.values() {
            let calls = wanted(place.file);
            let first = calls.partition_point(|(call, _)| call.start() < place.start());
            let inside = calls[first..].iter().take_while(|(call, _)| is_within(place, call.start()));
            missed.extend(inside.map(|(call, _)| *call));
        }
        for file in self.files() {
            missed.extend(wanted(file).iter().filter(|(_, is_top)| *is_top).map(|(call, _)| *call));
        }
        let is_passed_over = |call: &Place| self.passed.iter().any(|passed| is_within(passed, call.start()));
        let is_missed = |call: &Place| {
            let calls = wanted(call.file).iter().map(|(call, _)| *call);
            let inner: Vec<Place> = calls.filter(|inner| inner != call && is_within(call, inner.start())).collect();
            !self.has_called(call, &inner) && !is_passed_over(call)
        };
        missed.retain(is_missed);
        missed
    }

    /// Whether a call has run in a place, outside of the inner places.
    fn has_called(&self, place: &Place, inner: &[Place]) -> bool {
        let end = Offset { bytes: place.span.end.max(place.span.start + 1), ..place.start() };
        let mut called = self.called.range((place.file, place.start())..(place.file, end));
        called.any(|(_, at)| !inner.iter().any(|inner| is_within(inner, *at)))
    }

    /// The calls that ran of functions of the program and of other packages, as file and offset.
    pub(crate) fn called(&self) -> &BTreeSet<(FileId, Offset)> {
        &self.called
    }

    /// The files that have run.
    pub(crate) fn files(&self) -> Vec<FileId> {
        self.modules.keys().copied().filter(|file| !super::realm::is_prelude(*file)).collect()
    }
}
