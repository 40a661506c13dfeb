//! Tools that are defined by keywords of a decorator, of an attribute, or of the call of a helper that passes them on.

use serde_json::Value;

use crate::diagnostic::{Action, Edits};
use crate::entry::{Entry, EntryPlace, Insertion, Syntax};
use crate::known::functions;
use crate::lower::{Arg, Call, CallKind, Expr, ItemFacts, Prop};
use crate::rules::Cx;
use crate::syntax::Family;
use crate::text::{Edit, FileId, Span};
use crate::workspace::Tool;

/// The call whose keywords define one tool.
pub(super) struct Keywords<'c> {
    file: FileId,
    facts: &'c ItemFacts,
    /// The byte offset of the item in its file; spans of `facts` count from there.
    start: u32,
    family: Family,
    /// `None` for a decorator without arguments.
    call: Option<&'c Call>,
    /// The place where another keyword can be inserted, with the text to write before and after the keyword; `None` if
    /// there is no such place.
    free: Option<(Span, &'static str, &'static str)>,
    /// The only keywords that a helper accepts and can pass on; `None` if there is no such limit.
    taken: Option<Vec<&'c str>>,
}

impl<'c> Keywords<'c> {
    /// Finds the call or bare decorator that defines a tool; `None` if the tool is not defined by keywords of its own.
    pub(super) fn of(cx: &'c Cx<'_>, tool: &Tool) -> Option<Keywords<'c>> {
        let naming = tool.registration.naming.as_ref().filter(|naming| naming.attribute.is_none())?;
        let place = tool.local_place();
        let family = cx.snapshot.files.family(place.file)?;
        let item = cx.snapshot.files.facts(place.file)?.items.get(place.item as usize)?;
        let is_name = |arg: &Arg| matches!(&arg.value, Expr::Text { span, .. } if *span == place.span);
        let named = item.facts.calls.iter().find(|call| call.args.iter().any(is_name));
        let is_here = (naming.at.file, naming.at.item) == (place.file, place.item);
        let within = |call: &&Call| call.kind != CallKind::Applied && call.span.contains(naming.at.span);
        let registers = item.facts.calls.iter().filter(within).min_by_key(|call| call.span.len()).filter(|_| is_here);
        let found = |call, free, taken| Keywords {
            file: place.file,
            facts: &item.facts,
            start: item.start,
            family,
            call,
            free,
            taken,
        };
        match (named, registers) {
            (Some(named), registers) if !registers.is_some_and(|call| std::ptr::eq(call, named)) => {
                let helper = functions::named(&cx.snapshot.files, place.file, place.item, named.callee.last_name()?)?;
                let params = &helper.function(&cx.snapshot.files)?.params;
                let taken = params.iter().map(|param| param.name.as_str()).collect();
                let taken = (!params.iter().any(|param| param.keywords)).then_some(taken);
                let end = named.args.last()?.span.end;
                Some(found(Some(named), Some((Span { start: end, end }, ", ", "")), taken))
            }
            (_, Some(call)) => Some(found(Some(call), Some((naming.at.span, naming.before, naming.after)), None)),
            // The tool's function has a decorator without arguments.
            (None, None) if is_here => Some(found(None, Some((naming.at.span, naming.before, naming.after)), None)),
            _ => None,
        }
    }

    /// Returns the value of a keyword; `None` if the call does not have it.
    fn given(&self, key: &str) -> Option<&'c Expr> {
        argument(self.call?, key)
    }

    /// Returns the action that adds a keyword; `None` if it is already there, or cannot be added.
    pub(super) fn write(&self, key: &str, value: &Value) -> Option<Action> {
        let is_taken = self.taken.as_ref().is_none_or(|taken| taken.contains(&key));
        if self.given(key).is_some() || !is_taken || self.has_spread() {
            return None;
        }
        let (at, before, after) = self.free?;
        let (equals, text) = match (self.family, value) {
            (Family::Rust, Value::String(text)) => (" = ", format!("{text:?}")),
            // A Rust attribute can only be given a string here.
            (Family::Rust, _) => return None,
            (_, value) => ("=", python(value)),
        };
        Some(self.edit(at, format!("{before}{key}{equals}{text}{after}")))
    }

    /// Returns the action that sets a hint in the annotations to `word`. `hints` are two names of the hint; if the
    /// annotations contain neither, the first one is added. `None` if the annotations cannot be edited.
    pub(super) fn hint(&self, hints: [&str; 2], word: bool) -> Option<Action> {
        let text = match (self.family, word) {
            (Family::Python, true) => "True",
            (Family::Python, false) => "False",
            (_, true) => "true",
            (_, false) => "false",
        };
        let Some(annotations) = self.given("annotations") else {
            return self.write("annotations", &serde_json::json!({ hints[0]: word }));
        };
        match annotations {
            Expr::Object { props, span } => {
                let given = props.iter().find_map(|prop| match prop {
                    Prop::Pair { key: Expr::Text { text, .. }, value } if hints.contains(&text.as_str()) => Some(value),
                    _ => None,
                });
                match given {
                    Some(value @ Expr::Scalar { .. }) => Some(self.edit(value.span(self.facts), text.to_string())),
                    None if self.family == Family::Python => {
                        let entry = Entry {
                            file: self.file,
                            object: span.shifted(self.start),
                            place: EntryPlace::Last,
                            key: Some(hints[0].into()),
                            value: Value::Bool(word),
                            syntax: Syntax::Python,
                        };
                        Some(Action::Write(vec![Insertion::Entry(entry)], Edits::new()))
                    }
                    _ => None,
                }
            }
            // `ToolAnnotations(readOnlyHint=True)`
            Expr::Call(id) if self.family == Family::Python => {
                let call = self.facts.call(*id);
                match hints.iter().find_map(|hint| argument(call, hint)) {
                    Some(value @ Expr::Scalar { .. }) => Some(self.edit(value.span(self.facts), text.to_string())),
                    Some(_) => None,
                    None => {
                        let end = call.args.last()?.span.end;
                        Some(self.edit(Span { start: end, end }, format!(", {}={text}", hints[0])))
                    }
                }
            }
            // The annotations are written elsewhere, and other tools may share them.
            _ => None,
        }
    }

    /// Whether a table of keywords, which may contain any keyword, is passed to the call, as in `**options`.
    fn has_spread(&self) -> bool {
        let spread = |arg: &Arg| matches!(arg.value, Expr::Spread { .. });
        self.call.is_some_and(|call| call.args.iter().any(spread))
    }

    fn edit(&self, span: Span, text: String) -> Action {
        Action::Edit(Edits::from([(self.file, vec![Edit::new(span.shifted(self.start), text)])]))
    }
}

fn argument<'f>(call: &'f Call, key: &str) -> Option<&'f Expr> {
    call.args.iter().find(|arg| arg.name.as_deref() == Some(key)).map(|arg| &arg.value)
}

/// Returns a value as a Python literal.
fn python(value: &Value) -> String {
    match value {
        Value::Bool(true) => "True".to_string(),
        Value::Bool(false) => "False".to_string(),
        Value::Null => "None".to_string(),
        Value::Object(entries) => {
            let entries: Vec<String> =
                entries.iter().map(|(key, value)| format!("{key:?}: {}", python(value))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        other => other.to_string(),
    }
}
