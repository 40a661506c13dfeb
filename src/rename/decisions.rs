//! Conditions in code that depend on a tool's name: tests of its prefix, regular expressions, lists of names.
//!
//! A condition must hold for the new name if and only if it held for the old one: otherwise a tool that was hidden or
//! forbidden could be called. If an additional list element or comparison achieves that, it is added. Because of any
//! other condition, the rename is refused, unless the caller forces it.

mod doubled;
mod file;
mod meaning;

use std::cell::OnceCell;

use smol_str::SmolStr;

pub(super) use self::doubled::doubled;
use self::file::File;
use self::meaning::{Change, is_name, is_whole, may_tell_apart, says_tool, speaks_of_tools, tells_apart};
use super::home::{Home, root_of};
use super::prose::{Kind, Names};
use super::refusal::Why;
use super::to::Kept;
use super::work::Work;
use super::{Plan, Sources, Target};
use crate::found::{Lookup, Origin};
use crate::lower::{Bound, Imported};
use crate::path::{is_installed, is_test};
use crate::site::{self, Constant, Test};
use crate::syntax::{self, Family, Language};
use crate::text::{FileId, Span};
use crate::workspace::Snapshot;

/// The maximum number of renamings of a constant, from file to file, that are followed one after the other.
const MOST_NAMES_IN_TURN: usize = 4;
/// The maximum number of names of a constant that are collected.
const MOST_CONSTANTS: usize = 64;

/// Adds the edits after which the conditions in the workspace's source hold for the new name as for the old one.
///
/// # Errors
/// Returns the first condition for which there is no such edit, unless `to.force` is set; or [`Why::TooMuch`].
pub(super) fn follow(
    snapshot: &Snapshot,
    target: Target<'_>,
    to: &Kept<'_>,
    sources: Sources<'_>,
    plan: &mut Plan,
) -> Result<(), Why> {
    let home = Home::of(snapshot, target);
    let own = changes(target, to.new);
    let constants = constants(snapshot, target, sources);
    let mut composed = Names::composed(snapshot, target, to.new);
    composed.retain(|form| form.kind == Kind::Composed);
    let composed = composed.into_iter().map(|form| Change { old: form.old, new: form.new, is_composed: true });
    let composed: Vec<Change> = composed.collect();
    for (path, text, (language, family)) in with_conditions(sources) {
        let is_at_home = root_of(snapshot, &path) == home.root && !home.is_disputed(snapshot, &path);
        let changes: Vec<&Change> = own.iter().filter(|_| is_at_home).chain(&composed).collect();
        let own_constants = if is_at_home { constants_in(snapshot, target, &path, &constants) } else { Vec::new() };
        let has_constant = own_constants.iter().filter_map(|one| one.path.last()).any(|name| text.contains(name));
        let compared = compared(snapshot, target, &path);
        if !has_constant && compared.is_empty() && !changes.iter().any(|change| may_tell_apart(&text, change)) {
            continue;
        }
        let Some(tree) = syntax::parse(language, &text, None) else { continue };
        let registers = home.registers_in(&path);
        let quote = OnceCell::new();
        let file = File {
            quote: &quote,
            snapshot,
            path: &path,
            text: &text,
            tree: &tree,
            family,
            home: &home,
            registers,
            speaks_of_tools: speaks_of_tools(&text),
            compared: &compared,
            is_own: is_at_home,
            constants: &own_constants,
        };
        file.follow(&changes, to, plan)?;
        if let Some(function) = to.function.filter(|_| is_at_home && family == Family::Python) {
            file.reads_name(function, to, plan)?;
        }
    }
    Ok(())
}

/// Returns the path, text and language of each source file that may contain conditions. Installed packages and tests
/// are left out.
fn with_conditions(sources: Sources<'_>) -> impl Iterator<Item = (String, String, (Language, Family))> {
    let files = sources.around.mentioning(&site::predicate_words()).into_iter();
    files.filter_map(move |(path, text)| {
        let language = Language::of_path(&path)?;
        let is_own = !is_installed(&path) && !is_test(&path) && sources.around.holds(&path);
        Some((path, text, (language, language.family()?))).filter(|_| is_own)
    })
}

/// Returns for each of `renames` whether no condition in the workspace's source distinguishes its two names, whatever
/// the tool's package. If so, [`follow`] has nothing to do for that rename. Every element is `false` if the limit on
/// work is reached.
pub(super) fn leave_alone(renames: &[(Target<'_>, &str)], sources: Sources<'_>) -> Vec<bool> {
    let changes: Vec<Vec<Change>> = renames.iter().map(|(target, new)| changes(*target, new)).collect();
    let mut alone: Vec<bool> = renames.iter().map(|(target, _)| target.tool.registration.compared.is_empty()).collect();
    let work = Work::default();
    for (_, text, (language, family)) in with_conditions(sources) {
        let Some(tree) = syntax::parse(language, &text, None) else { continue };
        let speaks_of_tools = speaks_of_tools(&text);
        for predicate in site::predicates(&tree, &text, family, &is_name, &[]) {
            let matters = |change: &Change| match predicate.test {
                Test::Unknown => says_tool(&predicate.subject),
                _ => tells_apart(&predicate, change, speaks_of_tools || is_whole(&predicate, change)),
            };
            if !work.take(renames.len()) {
                return vec![false; renames.len()];
            }
            for (alone, changes) in alone.iter_mut().zip(&changes).filter(|(alone, _)| **alone) {
                *alone = !changes.iter().any(matters);
            }
        }
    }
    alone
}

/// The spans in a file of the literals with which a program compared the tool's name.
fn compared(snapshot: &Snapshot, target: Target<'_>, path: &str) -> Vec<Span> {
    let files = &snapshot.files;
    let places = target.tool.registration.compared.iter().filter(|place| files.path(place.file) == path);
    places.map(|place| files.span(*place)).collect()
}

/// Returns the names that conditions in the tool's own package may test: the whole name, and the part of the name that
/// is in source.
fn changes(target: Target<'_>, new: &str) -> Vec<Change> {
    let change = |old: &str, new: &str| Change { old: old.to_string(), new: new.to_string(), is_composed: false };
    let mut all = vec![change(&target.tool.name, new)];
    let short = target.tool.short_name();
    if let Some(new) = super::short_name_in(target.tool, new).filter(|new| short != target.tool.name && short != *new) {
        all.push(change(short, new));
    }
    all
}

/// Returns the constants that hold a tool's name and that other code can refer to, with the names that other files of
/// the package give them.
pub(super) fn constants(snapshot: &Snapshot, target: Target<'_>, sources: Sources<'_>) -> Vec<Constant> {
    let [part] = target.tool.registration.name.parts.as_slice() else { return Vec::new() };
    let Origin::Literal(place) = part.origin else { return Vec::new() };
    let language = Language::of_path(snapshot.files.path(place.file));
    let Some((language, text)) = language.zip((sources.texts)(place.file)) else { return Vec::new() };
    let Some(tree) = syntax::parse(language, &text, None) else { return Vec::new() };
    let path = site::constant_around(&tree, &text, snapshot.files.span(place));
    let mut all: Vec<Constant> =
        path.map(|path| Constant { path, text: part.text.to_string(), hidden_in: Vec::new() }).into_iter().collect();
    let mut known = 0;
    for _ in 0..MOST_NAMES_IN_TURN {
        let names: Vec<String> = all[known..].iter().filter_map(|constant| constant.path.first().cloned()).collect();
        if names.is_empty() {
            break;
        }
        known = all.len();
        for (path, text) in sources.around.mentioning(&names) {
            let language = Language::of_path(&path).filter(|_| root_of(snapshot, &path) == target.server.root);
            let Some((language, family)) = language.and_then(|language| Some((language, language.family()?))) else {
                continue;
            };
            if is_installed(&path) || is_test(&path) {
                continue;
            }
            let Some(tree) = syntax::parse(language, &text, None) else { continue };
            let found = site::constants_offered(&tree, &text, family, &all);
            let found: Vec<Constant> = found.into_iter().take(MOST_CONSTANTS - all.len().min(MOST_CONSTANTS)).collect();
            all.extend(found);
        }
    }
    all
}

/// Returns the constants as a file refers to them. Of several modules that it imports as a whole, each may have a
/// constant of its own under the same name.
fn constants_in(snapshot: &Snapshot, target: Target<'_>, path: &str, constants: &[Constant]) -> Vec<Constant> {
    let files = &snapshot.files;
    let file = files.by_path(path).map(|file| file.id);
    let Some((file, facts)) = file.and_then(|file| Some((file, files.facts(file)?))) else { return constants.to_vec() };
    let home = target.tool.registration.name.parts.first().map(|part| &part.origin);
    let bindings = facts.items.iter().flat_map(|item| item.facts.scopes.first()).flat_map(|scope| &scope.bindings);
    let mut modules: Vec<(&SmolStr, FileId)> = Vec::new();
    for binding in bindings {
        if let Bound::Import { module, name: Imported::Module } = &binding.value
            && let Lookup::Found(other) = files.resolve(file, module)
            && !matches!(home, Some(Origin::Literal(place)) if place.file == other)
        {
            modules.push((&binding.name, other));
        }
    }
    let defines = |file: FileId, name: &str| files.facts(file).is_some_and(|facts| facts.top_level.contains_key(name));
    let hidden = |constant: &Constant| -> Vec<String> {
        let Some(first) = constant.path.first() else { return Vec::new() };
        modules.iter().filter(|(_, other)| defines(*other, first)).map(|(name, _)| name.to_string()).collect()
    };
    constants.iter().map(|constant| Constant { hidden_in: hidden(constant), ..constant.clone() }).collect()
}
