//! Forced execution: functions that nothing in the program calls are called with arguments that nobody knows.

use rustc_hash::{FxHashMap, FxHashSet};

use super::express::Args;
use super::value::{Body, Passed, Value};
use super::{Machine, ObjectId, Run};
use crate::evaluate::Place;
use crate::syntax::Family;
use crate::text::{FileId, Span};

impl Machine<'_> {
    /// Calls each function that has not run and that contains one of the wanted places; `wanted` returns the byte
    /// offsets of those in a file. A method is called on an instance of its class.
    pub(crate) fn force<'a>(&mut self, wanted: &dyn Fn(FileId) -> &'a [u32]) {
        /// How many times functions are looked for that the forced ones have made.
        const MOST_ROUNDS: usize = 16;
        /// How many functions are called.
        const MOST: usize = 400;
        let mut tried: FxHashSet<usize> = FxHashSet::default();
        let mut instances: FxHashMap<ObjectId, Value> = FxHashMap::default();
        for _ in 0..MOST_ROUNDS {
            let found = self.unreached(wanted, &tried);
            if found.is_empty() {
                break;
            }
            for (id, place) in found {
                let Body::Function(closure) = &self.heap.get(id).body else { continue };
                let (key, home) = (std::sync::Arc::as_ptr(&closure.function) as usize, closure.home);
                if !tried.insert(key) || self.ran.contains(&key) || tried.len() > MOST {
                    continue;
                }
                self.forced = true;
                let _ = self
                    .within_share(super::SHARE, |machine| machine.call_method_unknown(id, home, &mut instances, place));
                self.forced = false;
            }
            self.ended();
        }
    }

    /// The functions that have not run and that contain one of the wanted places, in the order in which they were made.
    fn unreached<'a>(&self, wanted: &dyn Fn(FileId) -> &'a [u32], tried: &FxHashSet<usize>) -> Vec<(ObjectId, Place)> {
        let mut found = Vec::new();
        for id in self.heap.ids() {
            let Body::Function(closure) = &self.heap.get(id).body else { continue };
            let key = std::sync::Arc::as_ptr(&closure.function) as usize;
            if super::realm::is_prelude(closure.site.file) || self.ran.contains(&key) || tried.contains(&key) {
                continue;
            }
            let Some(code) = self.code_of(closure.site.file) else { continue };
            let span = closure.function.span.shifted(code.items[closure.site.item as usize].start);
            let offsets = wanted(closure.site.file);
            let first = offsets.partition_point(|offset| *offset < span.start);
            if offsets.get(first).is_some_and(|offset| *offset < span.end) {
                found.push((id, closure.site.place(closure.function.span)));
            }
        }
        found
    }

    fn call_method_unknown(
        &mut self,
        id: ObjectId,
        home: Option<ObjectId>,
        instances: &mut FxHashMap<ObjectId, Value>,
        place: Place,
    ) -> Run<()> {
        let class = home.and_then(|home| match &self.heap.get(home).body {
            Body::Class(_) if self.family == Family::Python => Some(home),
            Body::Class(_) => None,
            _ => self.heap.get(home).props.get("constructor").and_then(|slot| slot.value.as_object()),
        });
        let more = Some(Value::unknown(super::call::GIVEN));
        let this = match class {
            Some(class) => match instances.get(&class) {
                Some(known) => known.clone(),
                None => {
                    let args = Args { list: Vec::new(), more: more.clone() };
                    let made = self.construct(&Value::Object(class), args, place).unwrap_or(Value::Undefined);
                    instances.insert(class, made.clone());
                    made
                }
            },
            None => home.map_or(Value::unknown("`this` of a function that nothing calls"), Value::Object),
        };
        let Body::Function(closure) = &self.heap.get(id).body else { return Ok(()) };
        if self.ran.contains(&(std::sync::Arc::as_ptr(&closure.function) as usize)) {
            return Ok(());
        }
        let own = (class.is_some() && self.family == Family::Python).then(|| Passed {
            name: None,
            value: this.clone(),
            place,
        });
        let args = Args { list: own.into_iter().collect(), more };
        self.call(&Value::Object(id), this, args, place).map(drop)
    }

    /// The files that have run.
    pub(crate) fn files(&self) -> Vec<FileId> {
        self.modules.keys().copied().filter(|file| !super::realm::is_prelude(*file)).collect()
    }
}

/// Where a program begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) file: FileId,
    /// The function of the file that is called after the file ran.
    pub(crate) function: Option<smol_str::SmolStr>,
    /// Whether the file runs as a script, and not as a module that is imported.
    pub(crate) is_main: bool,
}

impl Entry {
    /// A file that runs as a script.
    pub(crate) fn of_file(file: FileId) -> Entry {
        Entry { file, function: None, is_main: true }
    }
}

impl Machine<'_> {
    /// Runs a program and, afterwards, the functions that it passed to other packages.
    pub(crate) fn start(&mut self, entry: &Entry) {
        self.realm();
        let mut ended = self.module(entry.file, entry.is_main);
        if let (Ok(()), Some(name)) = (&ended, &entry.function) {
            let place = Place { file: entry.file, item: 0, span: Span::default() };
            let function = self.exported(entry.file, name);
            ended = function
                .and_then(|function| self.call(&function, Value::Undefined, Args::default(), place))
                .and_then(|value| self.awaited(value))
                .map(drop);
        }
        if let Err(super::Abrupt::Throw(thrown)) = ended {
            self.uncaught(&thrown, Place { file: entry.file, item: 0, span: Span::default() });
        }
        self.finish();
    }
}
