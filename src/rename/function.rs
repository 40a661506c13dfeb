//! Renaming the Python function that a tool is named after, in its own file and in the files that import it.

use rustc_hash::FxHashMap;

use super::refusal::{Left, Why};
use super::{Group, Plan, Sources, Target, read_file};
use crate::found::Origin;
use crate::path::{folders_above, is_installed, joined};
use crate::places::Places;
use crate::site::{self, Stretch, function_uses, imported_uses};
use crate::syntax::{self, Language};
use crate::text::{Edit, Span};
use crate::workspace::Snapshot;

/// Functions that take the path of an object as a string, by the last part of their names:
/// `mock.patch("notes.tools.read_note")`.
const BY_PATH: [&str; 6] = ["patch", "setattr", "delattr", "import_string", "locate", "resolve_name"];
/// Suffixes of files that refer to functions by module path: `read = "notes.tools:read_note"`.
const MANIFESTS: [&str; 5] = [".toml", ".cfg", ".sh", "Dockerfile", "Makefile"];

/// Returns the index of the part of a tool's name that is the name of a Python function; `None` if there is none.
pub(crate) fn named_after(snapshot: &Snapshot, target: Target<'_>) -> Option<usize> {
    let parts = &target.tool.registration.name.parts;
    parts.iter().position(|part| match &part.origin {
        Origin::Identifier(place) => snapshot.files.path(place.file).ends_with(".py"),
        _ => false,
    })
}

/// Returns the edits that rename the function so that its tool is called `new`, and the function's new name.
///
/// # Errors
/// Returns the reason if the function cannot have that name, or if its uses cannot be found.
pub(super) fn renamed(
    snapshot: &Snapshot,
    target: Target<'_>,
    new: &str,
    sources: Sources<'_>,
) -> Result<(Plan, String), Why> {
    let parts = &target.tool.registration.name.parts;
    let index = named_after(snapshot, target).ok_or(Why::NotFunction)?;
    let before: String = parts[..index].iter().map(|part| part.text.as_str()).collect();
    let after: String = parts[index + 1..].iter().map(|part| part.text.as_str()).collect();
    let place = parts[index].place().ok_or(Why::NotFunction)?;
    let old = parts[index].text.as_str();
    let new = new.strip_prefix(&before).and_then(|rest| rest.strip_suffix(&after));
    let new = new.ok_or_else(|| Why::BeyondFunction(old.to_string()))?;
    if !is_identifier(new) {
        return Err(Why::BadFunction(new.to_string()));
    }
    let home = snapshot.files.path(place.file);
    let text = (sources.texts)(place.file).ok_or(Why::Unreadable)?;
    let tree = syntax::parse(Language::Python, &text, None).ok_or(Why::Unreadable)?;
    let definition = snapshot.files.span(place);
    if text.get(definition.range()) != Some(old) {
        return Err(Why::NotFunction);
    }
    let uses = function_uses(&tree, &text, definition, new).map_err(Why::Uses)?;
    let mut plan = Plan::default();
    let edits = |places: &[Span]| places.iter().map(|place| Edit::new(*place, new)).collect::<Vec<Edit>>();
    for edit in edits(&uses.places) {
        plan.push(Group::Source, place.file, edit);
    }
    if uses.is_local {
        return Ok((plan, new.to_string()));
    }
    // A file that imports the function may re-export it under its name.
    let mentioning = sources.around.mentioning(&[old.to_string()]).into_iter().filter(|(path, _)| !is_installed(path));
    let (python, data): (Vec<_>, Vec<_>) = mentioning.partition(|(path, _)| path.ends_with(".py"));
    let exists = |path: &str| snapshot.files.by_path(path).is_some() || python.iter().any(|(other, _)| other == path);
    let mut change = |path: &str, text: &str, places: &[Span]| {
        let edits = edits(places);
        match read_file(snapshot, path, text) {
            Some(file) => edits.into_iter().for_each(|edit| plan.push(Group::Source, file.id, edit)),
            None if edits.is_empty() => {}
            None => {
                plan.document(path, text).edits.extend(edits);
            }
        }
    };
    let mut homes = vec![home.to_string()];
    let mut next = 0;
    while next < homes.len() {
        let module = homes[next].clone();
        next += 1;
        let is_other = |(path, _): &&(String, String)| path != home;
        for (path, text) in python.iter().filter(is_other) {
            let Some(tree) = syntax::parse(Language::Python, text, None) else { continue };
            let is_module = |written: &str| is_module(written, path, &module, &exists);
            let (places, gives_on) = imported_uses(&tree, text, (old, new), &is_module)
                .map_err(|why| Why::ImportedUses { function: old.to_string(), path: path.clone(), why })?;
            if gives_on && !homes.contains(path) {
                homes.push(path.clone());
            }
            change(path, text, &places);
        }
    }
    let mut told: Vec<(&String, &String, Span, Left)> = Vec::new();
    for (path, text) in &python {
        let Some(tree) = syntax::parse(Language::Python, text, None) else { continue };
        let is_home = |written: &str| homes.iter().any(|module| is_module(written, path, module, &exists));
        let of_strings = paths_to(text, old, &is_home).into_iter();
        let of_strings = of_strings.filter_map(|place| match site::stretch(&tree, place) {
            Stretch::String(whole) => Some((place, whole)),
            _ => None,
        });
        let is_followed = |(_, whole): &(Span, Span)| BY_PATH.contains(&called_before(text, *whole));
        let (followed, left): (Vec<_>, Vec<_>) = of_strings.partition(is_followed);
        change(path, text, &followed.into_iter().map(|(place, _)| place).collect::<Vec<Span>>());
        told.extend(left.into_iter().map(|(place, _)| (path, text, place, Left::PathToFunction)));
        told.extend(
            members(text, old)
                .into_iter()
                .filter(|place| matches!(site::stretch(&tree, *place), Stretch::Code))
                .map(|place| (path, text, place, Left::FunctionMember)),
        );
    }
    for (path, text) in &data {
        let is_home = |written: &str| homes.iter().any(|module| is_module(written, path, module, &exists));
        let is_manifest = MANIFESTS.iter().any(|end| path.ends_with(end));
        let is_entry = |place: &Span| is_manifest && text[..place.start as usize].ends_with(':');
        let (followed, left): (Vec<Span>, Vec<Span>) = paths_to(text, old, &is_home).into_iter().partition(is_entry);
        change(path, text, &followed);
        told.extend(left.into_iter().map(|place| (path, text, place, Left::PathToFunction)));
    }
    let mut edited: FxHashMap<&str, Places> = FxHashMap::default();
    for (path, text, place, reason) in told {
        let file = read_file(snapshot, path, text);
        if edited.entry(path).or_insert_with(|| plan.edited_in(file, path)).overlap(place) {
            continue;
        }
        match file {
            Some(file) => plan.skip(file.id, place, reason),
            None => plan.document(path, text).skipped.push((place, reason)),
        }
    }
    let in_files = plan.changes.values_mut().flat_map(|edits| edits.values_mut());
    for edits in in_files.chain(plan.documents.values_mut().map(|document| &mut document.edits)) {
        edits.sort();
        edits.dedup();
    }
    Ok((plan, new.to_string()))
}

/// Finds the occurrences of a function's name that follow the path of its module: `notes.tools:read_note`,
/// `notes.tools.read_note`.
fn paths_to(text: &str, function: &str, is_home: &dyn Fn(&str) -> bool) -> Vec<Span> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let named = text.match_indices(function).filter(|(at, _)| {
        let Some(before) = text[..*at].strip_suffix([':', '.']) else { return false };
        let start = before
            .rfind(|c| !is_word(c) && c != '.')
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let ends = !text[at + function.len()..].starts_with(is_word);
        ends && !before[..start].ends_with(['/', '\\', '-'])
            && !before[start..].starts_with('.')
            && is_home(&before[start..])
    });
    named.map(|(at, _)| Span::new(at, at + function.len())).collect()
}

/// Returns the last part of the name of the callee that has `string` as its first argument; empty if there is none.
fn called_before(text: &str, string: Span) -> &str {
    let before = text[..string.start as usize].trim_end();
    let Some(callee) = before.strip_suffix('(') else { return "" };
    callee.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("")
}

/// Returns the spans in a text where `name` is a member: `tools.read_note`.
fn members(text: &str, name: &str) -> Vec<Span> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let named = text
        .match_indices(name)
        .filter(|(at, _)| text[..*at].ends_with('.') && !text[at + name.len()..].starts_with(is_word));
    named.map(|(at, _)| Span::new(at, at + name.len())).collect()
}

/// Whether a module path that is written in the file `from` refers to `file`. The root of absolute imports is not
/// known: it is taken to be the nearest folder above `from` from which the path leads to a file that `exists`, or else
/// any folder.
fn is_module(written: &str, from: &str, file: &str, exists: &dyn Fn(&str) -> bool) -> bool {
    let path = file.strip_suffix(".py").unwrap_or(file);
    let path = path.strip_suffix("/__init__").unwrap_or(path);
    let pieces: Vec<&str> = path.split('/').collect();
    let rest = written.trim_start_matches('.');
    let named: Vec<&str> = rest.split('.').filter(|piece| !piece.is_empty()).collect();
    match written.len() - rest.len() {
        0 => {
            let nearest = folders_above(from).find_map(|folder| {
                let module = joined(folder, &named.join("/"))?;
                let files = [format!("{module}.py"), format!("{module}/__init__.py")];
                files.into_iter().find(|file| exists(file))
            });
            !named.is_empty() && nearest.map_or_else(|| pieces.ends_with(&named), |nearest| nearest == file)
        }
        up => {
            let folder: Vec<&str> = from.split('/').collect();
            // The first dot is the importing file's own folder.
            let Some(folder) = folder.len().checked_sub(up).map(|depth| &folder[..depth]) else { return false };
            pieces == [folder, &named].concat()
        }
    }
}

fn is_identifier(name: &str) -> bool {
    /// The keywords of Python 3, from its reference, without the soft ones, which are valid names.
    const KEYWORDS: [&str; 35] = [
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
        "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
        "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
    ];
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_word && !name.starts_with(|c: char| c.is_ascii_digit()) && !name.is_empty() && !KEYWORDS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_is_that_of_a_file_by_its_path() {
        assert!(is_module("notes.tools", "main.py", "src/notes/tools.py", &|_| false));
        assert!(is_module("tools", "src/notes/main.py", "src/notes/tools.py", &|_| false));
        assert!(is_module("notes", "main.py", "src/notes/__init__.py", &|_| false));
        assert!(is_module(".tools", "src/notes/main.py", "src/notes/tools.py", &|_| false));
        assert!(is_module("..tools", "src/notes/sub/main.py", "src/notes/tools.py", &|_| false));
        assert!(is_module(".", "src/notes/main.py", "src/notes/__init__.py", &|_| false));
        assert!(!is_module(".tools", "src/main.py", "src/notes/tools.py", &|_| false));
        assert!(!is_module("other.tools", "main.py", "src/notes/tools.py", &|_| false));
        // A module next to the importing file takes precedence over one elsewhere.
        assert!(!is_module("tools", "b/main.py", "a/tools.py", &|path| path.ends_with("tools.py")));
        assert!(!is_module("...tools", "main.py", "tools.py", &|_| false));
    }
}
