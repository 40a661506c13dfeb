//! Obstacles to a rename whose edits succeed on their own: other places that contain the old name, and that the
//! analysis cannot connect with the tool.

use smol_str::SmolStr;

use super::refusal::{At, Obstacle};
use super::{Target, Texts};
use crate::diagnostic::Edits;
use crate::lower::{Bound, Expr, Prop, ScopeKind};
use crate::text::{Edit, Encoding, FileId, Span};
use crate::workspace::Snapshot;

/// Returns the first obstacle. `is_listed` is set if the tool is an element of a list and only its name changes.
pub(super) fn in_the_way(
    snapshot: &Snapshot,
    target: Target<'_>,
    edits: &Edits,
    is_listed: bool,
    texts: Texts<'_>,
) -> Option<(At, Obstacle)> {
    reader_of_key(snapshot, target, edits, texts)
        .or_else(|| twin_of_table(snapshot, target, edits))
        .or_else(|| is_listed.then(|| constant_besides(snapshot, target, edits)).flatten())
}

/// Returns a place that reads a renamed key as a member of its table: `handlers.name` or `handlers["name"]`.
fn reader_of_key(snapshot: &Snapshot, target: Target<'_>, edits: &Edits, texts: Texts<'_>) -> Option<(At, Obstacle)> {
    let home = snapshot.files.package_root(target.tool.local_place().file);
    let changed = edits.iter().flat_map(|(file, edits)| edits.iter().map(move |edit| (*file, edit)));
    let keys = changed.filter_map(|(file, edit)| {
        let (table, key) = table_around(snapshot, file, edit.span)?;
        Some((table, texts(file)?.get(key.range())?.to_string()))
    });
    let keys: Vec<(SmolStr, String)> = keys.collect();
    for &file in snapshot.files.loaded_files().iter().filter(|&&file| snapshot.files.package_root(file) == home) {
        let Some(source) = texts(file).filter(|_| !keys.is_empty()) else { continue };
        for (table, key) in &keys {
            for (at, _) in source.match_indices(key.as_str()) {
                let after = &source[at + key.len()..];
                let is_whole = !after.starts_with(|c: char| c.is_alphanumeric() || c == '_');
                let before = source[..at].trim_end_matches(['"', '\'']);
                let object = match before.len() < at {
                    true => before.strip_suffix('['),
                    false => before.strip_suffix('.').map(|before| before.trim_end_matches('?')),
                };
                let is_table = |object: &str| {
                    let rest = object.strip_suffix(table.as_str());
                    rest.is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
                };
                let is_left =
                    || !edits.get(&file).is_some_and(|own| own.iter().any(|edit| edit.span.touches(at as u32)));
                if is_whole && object.is_some_and(is_table) && is_left() {
                    let line = source[..at].matches('\n').count() + 1;
                    let at = At { path: snapshot.files.path(file).to_string(), line: line as u32 };
                    return Some((at, Obstacle::Member(key.clone())));
                }
            }
        }
    }
    None
}

/// Returns the place of a key that stays unchanged in another object of the package, if all keys of that object are
/// also keys of the object in which the rename changes a key. Code probably reads both objects with the same key.
fn twin_of_table(snapshot: &Snapshot, target: Target<'_>, edits: &Edits) -> Option<(At, Obstacle)> {
    let home = snapshot.files.package_root(target.tool.local_place().file);
    // A copied entry is inserted before the quote of the old key, so the edit may begin one byte before the key.
    let is_at = |edit: &Edit, span: Span| {
        !edit.new_text.is_empty() && edit.span.start <= span.start && span.start <= edit.span.start + 1
    };
    let changes =
        |file: FileId, span: Span| edits.get(&file).is_some_and(|edits| edits.iter().any(|edit| is_at(edit, span)));
    let mut tables: Vec<Vec<(FileId, Span, &SmolStr)>> = Vec::new();
    for &file in snapshot.files.loaded_files().iter().filter(|&&file| snapshot.files.package_root(file) == home) {
        for item in snapshot.files.facts(file).into_iter().flat_map(|facts| &facts.items) {
            item.facts.each_expression(&mut |expr| {
                let Expr::Object { props, .. } = expr else { return };
                let keys = props.iter().filter_map(|prop| match prop {
                    Prop::Pair { key: Expr::Text { text, span }, .. } => Some((file, span.shifted(item.start), text)),
                    _ => None,
                });
                tables.push(keys.collect());
            });
        }
    }
    let changed =
        tables.iter().find(|table| table.len() > 1 && table.iter().any(|(file, span, _)| changes(*file, *span)))?;
    let own = changed.iter().find(|(file, span, _)| changes(*file, *span)).map(|(_, _, key)| *key)?;
    // What another server finds its own tools in is not read with the names of this one.
    let of_target = target.servers(snapshot);
    let others = snapshot.analysis().servers.iter().filter(|one| !of_target.iter().any(|own| std::ptr::eq(*own, *one)));
    let cases: Vec<(FileId, Span)> =
        others.flat_map(|one| one.cases()).map(|case| (case.place.file, snapshot.files.span(case.place))).collect();
    let twin = tables.iter().find_map(|table| {
        let is_twin = |file: FileId, span: Span| !changes(file, span) && !cases.contains(&(file, span));
        let at = table.iter().find(|(file, span, key)| *key == own && is_twin(*file, *span))?;
        let same = table.len() > 1 && table.iter().all(|(_, _, key)| changed.iter().any(|(_, _, own)| own == key));
        same.then_some(at)
    });
    twin.map(|(file, span, key)| (at(snapshot, *file, *span), Obstacle::Twin(key.to_string())))
}

/// Returns the place of a constant or an enum member whose value is the name of the listed tool. It is unknown how the
/// server handles a call by that name: the server may compare the name with the constant.
fn constant_besides(snapshot: &Snapshot, target: Target<'_>, edits: &Edits) -> Option<(At, Obstacle)> {
    let home = snapshot.files.package_root(target.tool.local_place().file);
    let name = target.tool.name.as_str();
    let own = |value: &Expr| match value {
        Expr::Text { text, span } if text == name => Some(*span),
        // An enumeration: an object whose values are all strings.
        Expr::Object { props, .. } => {
            let values = props.iter().map(|prop| match prop {
                Prop::Pair { value: Expr::Text { text, span }, .. } => Some((text, *span)),
                _ => None,
            });
            let values: Option<Vec<(&SmolStr, Span)>> = values.collect();
            values?.into_iter().find(|(text, _)| *text == name).map(|(_, span)| span)
        }
        _ => None,
    };
    for &file in snapshot.files.loaded_files().iter().filter(|&&file| snapshot.files.package_root(file) == home) {
        for item in snapshot.files.facts(file).into_iter().flat_map(|facts| &facts.items) {
            // Only bindings at the top of a file or in a class, which may be an enumeration.
            let scopes = item.facts.scopes.iter().enumerate();
            let scopes = scopes.filter(|(index, scope)| *index == 0 || matches!(scope.kind, ScopeKind::Class { .. }));
            let bindings = scopes.flat_map(|(_, scope)| &scope.bindings);
            let constants = bindings.filter_map(|binding| match &binding.value {
                Bound::Value(value) => own(value),
                _ => None,
            });
            let mut spans = constants.map(|span| span.shifted(item.start));
            let edited =
                |span: Span| edits.get(&file).is_some_and(|edits| edits.iter().any(|edit| edit.span.overlaps(span)));
            if let Some(span) = spans.find(|span| !edited(*span)) {
                return Some((at(snapshot, file, span), Obstacle::Constant(name.to_string())));
            }
        }
    }
    None
}

pub(super) fn at(snapshot: &Snapshot, file: FileId, span: Span) -> At {
    let line = snapshot.position(file, span.start, Encoding::Utf8).line + 1;
    At { path: snapshot.files.path(file).to_string(), line }
}

/// Returns the variable that holds the object in which `span` is a key or part of a key, and the span of that key.
fn table_around(snapshot: &Snapshot, file: FileId, span: Span) -> Option<(SmolStr, Span)> {
    let facts = snapshot.files.facts(file)?;
    let item = facts.items.iter().find(|item| item.start <= span.start && span.end <= item.start + item.len)?;
    let key_of = |value: &Expr| match value {
        Expr::Object { props, .. } => props.iter().find_map(|prop| match prop {
            Prop::Pair { key: Expr::Text { span: key, .. }, .. } => {
                Some(key.shifted(item.start)).filter(|key| key.contains(span))
            }
            _ => None,
        }),
        _ => None,
    };
    let mut bindings = item.facts.scopes.iter().flat_map(|scope| &scope.bindings);
    bindings.find_map(|binding| match &binding.value {
        Bound::Value(value) => Some((binding.name.clone(), key_of(value)?)),
        _ => None,
    })
}
