//! Rules about the title and hints of a tool, its registration, its deprecation, and the expiry of its aliases.

pub(super) mod annotations;
pub(super) mod bypass;
pub(super) mod deprecation;
pub(super) mod expired;
mod keyword;
pub(super) mod title;

use std::cell::OnceCell;

use rustc_hash::FxHashMap;
use serde_json::Value;
use smol_str::SmolStr;

use self::keyword::Keywords;
use super::Cx;
use crate::diagnostic::{Action, Diagnostic, Edits, Fix};
use crate::entry::{Entry, EntryPlace, Insertion, Syntax};
use crate::found::Place;
use crate::lower::{CallKind, Expr, ItemFacts, Prop};
use crate::text::{FileId, Span};
use crate::workspace::{Server, Tool};

/// Checks every tool whose own part of the name is in this file.
pub(super) fn check(cx: &Cx<'_>, diagnostics: &mut Vec<Diagnostic>) {
    expired::check(cx, diagnostics);
    title::dropped(cx, diagnostics);
    let titles = title::Titles::new();
    let hints = annotations::Hints::new(cx);
    let mut held: Option<Siblings<'_>> = None;
    for (server, tool) in cx.tools() {
        let known = held.take().filter(|known| std::ptr::eq(known.server, server));
        let siblings = held.insert(known.unwrap_or_else(|| Siblings::new(cx, server)));
        title::check(cx, &titles, (server, tool), diagnostics);
        annotations::check(cx, &hints, siblings, tool, diagnostics);
        bypass::check(cx, siblings, tool, diagnostics);
        deprecation::check(cx, siblings, tool, diagnostics);
    }
}

/// Facts about all tools of a server, computed once, that the rules need to check each of these tools.
struct Siblings<'a> {
    server: &'a Server,
    /// A tool that is registered through the project's helper; `None` if there is none.
    helped: Option<&'a Tool>,
    /// For each name, the tool with the next version of the name: `x_v2` for `x`. If there are several such tools, the
    /// first.
    successors: FxHashMap<String, &'a Tool>,
    /// The number of tools that each handler runs for.
    handlers: FxHashMap<Place, usize>,
    /// Why calls of its read-only tools run without confirmation, once a rule has asked for it.
    unasked: OnceCell<Option<String>>,
}

impl<'a> Siblings<'a> {
    fn new(cx: &Cx<'_>, server: &'a Server) -> Siblings<'a> {
        let mut successors = FxHashMap::default();
        let mut handlers = FxHashMap::default();
        for tool in &server.tools {
            for name in deprecation::predecessors(&tool.name) {
                successors.entry(name).or_insert(tool);
            }
            if let Some(handler) = tool.registration.handler {
                *handlers.entry(handler).or_default() += 1;
            }
        }
        Siblings { server, helped: bypass::helped(cx, server), successors, handlers, unasked: OnceCell::new() }
    }
}

/// Returns the fix that adds an entry to a tool's definition: in the object next to the tool's name or around it, or as
/// a keyword of the call. `None` if the definition already has the key or cannot be edited.
fn written(cx: &Cx<'_>, tool: &Tool, key: &str, value: Value, title: String) -> Option<Fix> {
    let action = match &tool.registration.naming {
        Some(_) => Keywords::of(cx, tool)?.write(key, &value)?,
        None => {
            let (file, object, syntax) = definition(cx, tool)?;
            if has_key(cx, file, object, key) {
                return None;
            }
            let key = Some(SmolStr::new(key));
            let entry = Entry { file, object, place: EntryPlace::First, key, value, syntax };
            Action::Write(vec![Insertion::Entry(entry)], Edits::new())
        }
    };
    Some(Fix { title, safe: true, preferred: true, action })
}

/// Returns the file, span and syntax of the object that defines a tool: the object next to the tool's name or around
/// it.
pub(super) fn definition(cx: &Cx<'_>, tool: &Tool) -> Option<(FileId, Span, Syntax)> {
    let place = tool.local_place();
    let item = cx.snapshot.files.facts(place.file)?.items.get(place.item as usize)?;
    let syntax = cx.snapshot.files.family(place.file)?.objects();
    let object = beside(&item.facts, place.span)?;
    Some((place.file, object.shifted(item.start), syntax))
}

/// Whether the object at a place already has a key.
fn has_key(cx: &Cx<'_>, file: FileId, object: Span, key: &str) -> bool {
    let items = cx.snapshot.files.facts(file).into_iter().flat_map(|facts| &facts.items);
    let mut within = items.filter(|item| item.start <= object.start);
    within.any(|item| {
        object_at(&item.facts, object.relative_to(item.start)).is_some_and(|props| entry(props, key).is_some())
    })
}

/// Returns the value of a key in an object.
fn entry<'f>(props: &'f [Prop], wanted: &str) -> Option<&'f Expr> {
    props.iter().find_map(|prop| match prop {
        Prop::Pair { key: Expr::Text { text, .. }, value } if text == wanted => Some(value),
        _ => None,
    })
}

/// Returns the entries of the object at a span of an item.
fn object_at(facts: &ItemFacts, at: Span) -> Option<&[Prop]> {
    let mut found = None;
    facts.each_expression(&mut |expr| match expr {
        Expr::Object { props, span } if *span == at => found = Some(props.as_slice()),
        _ => {}
    });
    found
}

/// Returns the span of the object that follows a literal among the arguments of a call, or of an object in which the
/// literal is a value.
fn beside(facts: &ItemFacts, literal: Span) -> Option<Span> {
    let is_it = |expr: &Expr| matches!(expr, Expr::Text { span, .. } if *span == literal);
    // A struct literal cannot have more than the fields of the struct.
    let calls = facts.calls.iter().filter(|call| call.kind != CallKind::Struct);
    let mut following = calls.filter_map(|call| {
        let at = call.args.iter().position(|arg| is_it(&arg.value))?;
        call.args[at + 1..].iter().find_map(|arg| match &arg.value {
            Expr::Object { span, .. } => Some(*span),
            _ => None,
        })
    });
    following.next().or_else(|| {
        let mut found = None;
        facts.each_expression(&mut |expr| {
            if let Expr::Object { props, span } = expr
                && props.iter().any(|prop| matches!(prop, Prop::Pair { value, .. } if is_it(value)))
            {
                found = Some(*span);
            }
        });
        found
    })
}
