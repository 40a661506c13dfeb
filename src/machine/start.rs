//! The start of a program, and the exceptions that reach its end.

use smol_str::SmolStr;

use super::express::Args;
use super::module::Runs;
use super::value::{Body, Value};
use super::{Abrupt, Machine};
use crate::found::{Place, Traced};
use crate::text::{FileId, Span};

/// The entry point of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) file: FileId,
    /// The function of the file that is called after the file ran.
    pub(crate) function: Option<SmolStr>,
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
        let runs = if entry.is_main { Runs::AsMain } else { Runs::ByPath };
        let mut ended = self.module(entry.file, &runs);
        if let (Ok(()), Some(name)) = (&ended, &entry.function) {
            let place = Place { file: entry.file, item: 0, span: Span::default() };
            let function = self.exported(entry.file, name);
            ended = function
                .and_then(|function| self.call(&function, Value::Undefined, Args::default(), place))
                .and_then(|value| self.awaited(value))
                .map(drop);
        }
        if let Err(Abrupt::Throw(thrown)) = ended {
            self.uncaught(&thrown, Place { file: entry.file, item: 0, span: Span::default() });
        }
        self.finish();
    }

    /// Notes that an exception reached the end of the program.
    pub(super) fn uncaught(&mut self, thrown: &Value, place: Place) {
        let thrown = thrown.options().first().unwrap_or(thrown);
        let message = self.field(thrown, "message").or_else(|| {
            let args = self.field(thrown, "args")?;
            self.elements(&args).0.first().map(|slot| slot.value.clone())
        });
        let message = message.or_else(|| Some(thrown.clone()));
        let realm = self.realm();
        let ends = realm.class(self, "SystemExit");
        if ends.is_some() && thrown.as_object().and_then(|id| self.class_of(id)) == ends {
            return;
        }
        let text = message.and_then(|message| message.as_traced().map(Traced::text));
        let reason = match text.filter(|text| text.len() < 200) {
            Some(text) => format!("the program throws an exception: {text}"),
            None => {
                let class = thrown.as_object().and_then(|id| self.class_of(id));
                match class.map(|class| &self.heap.get(class).body) {
                    Some(Body::Class(info)) => match &info.class.name {
                        Some(name) => format!("the program throws a `{name}`"),
                        None => "the program throws an exception".to_string(),
                    },
                    _ => match thrown {
                        Value::Unknown(unknown) => format!("the program throws an exception: {}", unknown.reason),
                        _ => "the program throws an exception".to_string(),
                    },
                }
            }
        };
        self.cut.push((Some(place), reason.into()));
    }
}
