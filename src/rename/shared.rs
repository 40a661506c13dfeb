//! Changing a part that the names of several tools share. Each tool is renamed with the checks of a single rename.

use rustc_hash::FxHashMap;

use super::refusal::{Outdated, Refusal, Why};
use super::to::Kept;
use super::trial::{broken, names};
use super::{Plan, Sources, Target, decisions, guards, lock, permissions, prose, state};
use crate::diagnostic::Edits;
use crate::syntax::Keeping;
use crate::text::{FileId, Moves};
use crate::workspace::{Snapshot, Tool};

/// Edits source so that several tools get other names, and updates the conditions, permissions and lock entries that
/// depend on the names. No old name is kept.
///
/// # Errors
/// The reason why one of the tools cannot have its new name.
pub(crate) fn shared(snapshot: &Snapshot, edits: &Edits, sources: Sources<'_>) -> Result<(Plan, Snapshot), Refusal> {
    let _keeping = Keeping::begin();
    let outdated = || Refusal::Outdated(Outdated::Object);
    let after = snapshot.with_edits(edits, sources.texts).ok_or_else(outdated)?;
    let renamed = renamed(snapshot, &after, edits);
    let (first, first_new) = renamed.first().ok_or_else(outdated)?;
    let refused = |why: Why| why.refuses(&first.tool.name, first_new);
    if let Some(file) = broken(snapshot, &after, edits, sources.texts) {
        return Err(refused(Why::WouldNotParse(file.to_string())));
    }
    let mut plan = Plan::of(edits.clone());
    for (target, new) in &renamed {
        let follow = |plan: &mut Plan| {
            super::check_name(snapshot, *target, new)?;
            let change = permissions::Change { new, keeps_old: false, repairs: true };
            permissions::follow(snapshot, *target, change, sources.around, plan)?;
            state::follow(snapshot, *target, (new, false), sources.texts, plan);
            let followed = Kept { new, keeps_old: false, function: None, force: false, returns: false };
            decisions::follow(snapshot, *target, &followed, sources, plan)?;
            guards::held_by_wildcards(snapshot, *target, new, sources.around, plan)?;
            lock::follow(snapshot, *target, (new, None), sources.texts, plan);
            prose::follow(snapshot, *target, (new, prose::Old::OTHER_PART), sources, plan);
            Ok(())
        };
        follow(&mut plan).map_err(|why: Why| why.refuses(&target.tool.name, new))?;
    }
    plan.stay_inside(snapshot, sources.around);
    plan.say_once();
    let all = plan.edits();
    let proved = snapshot.with_edits(&all, sources.texts).filter(|proved| names(proved) == names(&after));
    let proved = proved.ok_or_else(|| refused(Why::NoEdit))?;
    for (target, new) in &renamed {
        let held = permissions::hold(
            (snapshot, &proved),
            *target,
            permissions::Change { new, keeps_old: false, repairs: true },
            &all,
        );
        held.map_err(|why| why.refuses(&target.tool.name, new))?;
    }
    match super::unread(snapshot, sources) {
        None => Ok((plan, proved)),
        Some((path, reason)) => Err(refused(Why::Unread { path, reason })),
    }
}

/// Returns the tools whose names differ after some edits, with their new names. Tools are matched by the place of their
/// registration.
fn renamed<'a>(snapshot: &'a Snapshot, after: &Snapshot, edits: &Edits) -> Vec<(Target<'a>, String)> {
    let moves: FxHashMap<FileId, Moves> = edits.iter().map(|(file, edits)| (*file, Moves::of(edits))).collect();
    let registered = |tool: &Tool, snapshot: &Snapshot| {
        let place = tool.registration.place;
        (place.file, snapshot.files.span(place).start)
    };
    let mut now: FxHashMap<(&str, &str, FileId, u32), Vec<&str>> = FxHashMap::default();
    for (server, tool) in after.analysis().tools() {
        let (file, start) = registered(tool, after);
        now.entry((&server.root, &server.name, file, start)).or_default().push(&tool.name);
    }
    let mut found = Vec::new();
    for (server, tool) in snapshot.analysis().tools() {
        let (file, start) = registered(tool, snapshot);
        let start = moves.get(&file).map_or(start, |moves| moves.moved(start));
        // A place that registers several tools yields them in the same order before and after the edits.
        let Some(names) = now.get_mut(&(server.root.as_str(), server.name.as_str(), file, start)) else { continue };
        let new = if names.is_empty() { continue } else { names.remove(0) };
        if new != tool.name {
            found.push((Target { server, tool }, new.to_string()));
        }
    }
    found
}
