//! Renaming a tool, by trial.
//!
//! Expressions that compute names are not inverted. Instead, an edit is proposed: first one that changes the most local
//! literal, then one that writes a name next to an identifier. It is applied to a copy of the snapshot, which is
//! evaluated again. The edit is accepted only if the tools changed by exactly old → new. Then everything else that
//! names the tool is edited.

mod agreeing;
mod alias;
mod back;
mod candidates;
mod counts;
mod decisions;
mod dispatch;
mod expected;
mod function;
mod guards;
mod hoist;
mod home;
mod hooks;
mod lock;
mod method;
mod obstacles;
mod passes;
mod permissions;
mod plan;
mod prose;
mod refusal;
mod remarks;
pub mod removal;
mod served;
mod shared;
mod state;
mod target;
mod tied;
mod to;
mod together;
mod trial;
mod unnamed;
mod work;

use std::sync::Arc;

pub use self::back::back;
use self::candidates::{at_all_places, is_shorthand};
pub(crate) use self::function::named_after;
use self::passes::complete;
pub use self::plan::Plan;
pub(crate) use self::plan::{Document, Group, Skipped};
use self::plan::{Whose, join};
pub(crate) use self::prose::spoken_of;
use self::refusal::Why;
pub use self::refusal::{Left, Refusal};
pub(crate) use self::refusal::{NoAlias, Outdated, Undone};
pub(crate) use self::remarks::{Remark, remarks};
pub use self::removal::alias_of;
pub(crate) use self::shared::shared;
use self::target::short_name_in;
pub use self::target::targets;
pub(crate) use self::target::{Target, only, target};
pub(crate) use self::to::wire_name;
pub use self::to::{Alias, To, is_done};
use self::to::{Kept, check_name};
pub(crate) use self::together::together;
use self::trial::trial;
use crate::diagnostic::Edits;
pub use crate::framework::AliasMode;
use crate::path::is_installed;
use crate::syntax;
use crate::text::{FileId, stands_alone};
use crate::workspace::{Content, File, Snapshot, Surroundings, Tool, text_hash};

/// Longer statements of tests, in bytes, are not read as assertions.
const MOST_OF_ASSERTION: usize = 1024;

/// A function that returns the current text of a file, or `None` if it cannot be read.
pub(crate) type Texts<'a> = &'a dyn Fn(FileId) -> Option<String>;

/// Returns the snapshot's file at a path if it was parsed and its text is still `text`. No positions are known in files
/// that were not parsed.
fn read_file<'s>(snapshot: &'s Snapshot, path: &str, text: &str) -> Option<&'s Arc<File>> {
    let is_read = |file: &&Arc<File>| !matches!(file.content, Content::Unparsed | Content::Reserve);
    snapshot.files.by_path(path).filter(is_read).filter(|file| file.hash == text_hash(text))
}

/// The texts in which a rename looks for references to a tool.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    pub texts: Texts<'a>,
    pub around: &'a dyn Surroundings,
}

/// Renames a tool everywhere. If an alias is requested, the old name stays callable.
///
/// # Errors
/// The reason, if the new name is not available, no edit changes the tool's name and nothing else, or the old name
/// cannot be kept.
pub fn rename(snapshot: &Snapshot, target: Target<'_>, to: To<'_>, sources: Sources<'_>) -> Result<Plan, Refusal> {
    renamed(snapshot, target, to, sources).map(|(plan, _)| plan)
}

/// Renames a tool like [`rename`], and also returns the workspace after the edits.
///
/// # Errors
/// See [`rename`].
pub fn renamed(
    snapshot: &Snapshot,
    target: Target<'_>,
    to: To<'_>,
    sources: Sources<'_>,
) -> Result<(Plan, Snapshot), Refusal> {
    judged(snapshot, target, to, sources).map_err(|why| why.refuses(&target.tool.name, to.name))
}

fn judged(snapshot: &Snapshot, target: Target<'_>, to: To<'_>, sources: Sources<'_>) -> Result<(Plan, Snapshot), Why> {
    let _keeping = syntax::Keeping::begin();
    check_name(snapshot, target, to.name)?;
    let done = proposed(snapshot, target, to, sources).or_else(|why| {
        // Another registration of the tool may have a form that an alias can be written for.
        let lacks_alias = matches!(why, Why::Alias(..) | Why::AliasUnproved);
        let others = lacks_alias.then(|| target.registered_otherwise(snapshot)).into_iter().flatten();
        others.into_iter().find_map(|other| proposed(snapshot, other, to, sources).ok()).ok_or(why)
    })?;
    // This check comes last: which files cannot be read is known only after they were searched for the name.
    match unread(snapshot, sources) {
        None => Ok(done),
        Some((path, reason)) => Err(Why::Unread { path, reason }),
    }
}

/// Returns the path of a client's file that could not be read, or of a config whose description of a client could not
/// be read, and the reason; `None` if everything could be read.
fn unread(snapshot: &Snapshot, sources: Sources<'_>) -> Option<(String, String)> {
    let described = snapshot.files.configs().unread_client();
    let reason = "a client that it describes has a fault: run `toolnames check`";
    let described = described.map(|path| (path.to_string(), reason.to_string()));
    described.or_else(|| sources.around.unread().into_iter().next())
}

/// Returns the first plan that gives the tool its new name, and the workspace after the plan's edits.
fn proposed(
    snapshot: &Snapshot,
    target: Target<'_>,
    to: To<'_>,
    sources: Sources<'_>,
) -> Result<(Plan, Snapshot), Why> {
    let (new, texts) = (to.name, sources.texts);
    if to.function_too {
        let (mut plan, function) = function::renamed(snapshot, target, new, sources)?;
        for (file, edits) in agreeing::finders(snapshot, target, (new, &function), &plan.edits(), texts) {
            edits.into_iter().for_each(|edit| plan.push(Group::Source, file, edit));
        }
        let after = trial(snapshot, target, (new, false), &plan.edits(), texts)?;
        return complete(snapshot, target, (to, Some(&function)), (plan, after), sources);
    }
    if method::is_all_there_is(snapshot, target) {
        let plan = method::renamed(snapshot, target, new, sources)?;
        let after = trial(snapshot, target, (new, false), &plan.edits(), texts)?;
        return complete(snapshot, target, (to, Some(new)), (plan, after), sources);
    }
    let mut reasons = Vec::new();
    for edits in at_all_places(snapshot, target, new, texts) {
        if let Some(file) = edits.keys().find(|file| is_installed(snapshot.files.path(**file))) {
            reasons.push(Why::Installed(snapshot.files.path(*file).to_string()));
            continue;
        }
        let with_keys = || {
            let mut all = edits.clone();
            join(&mut all, dispatch::keys(snapshot, target, new, texts));
            all
        };
        let with_conditions = |edits: Edits| {
            let mut plan = Plan::of(edits);
            let kept = Kept { new, keeps_old: false, function: None, force: to.force, returns: to.returns };
            decisions::follow(snapshot, target, &kept, sources, &mut plan).map(|()| plan.edits())
        };
        let with_agreeing = || {
            let mut all = with_keys();
            let more = agreeing::literals(snapshot, target, new, &all, texts);
            join(&mut all, more);
            all
        };
        let tried = |edits: Edits| Ok((trial(snapshot, target, (new, false), &edits, texts)?, edits));
        // A lookup by the name, or a condition on it, may decide what is registered. If the candidate alone fails, try
        // it together with the keys of such lookups, with all literals that agree, and with such conditions.
        let done = tried(edits.clone())
            .or_else(|reason| tried(with_keys()).map_err(|_| reason))
            .or_else(|reason| tried(with_agreeing()).map_err(|_| reason))
            .or_else(|reason| with_conditions(edits.clone()).and_then(tried).map_err(|_| reason))
            .or_else(|reason| with_conditions(with_agreeing()).and_then(tried).map_err(|_| reason));
        match done {
            Ok((after, edits)) => return complete(snapshot, target, (to, None), (Plan::of(edits), after), sources),
            Err(reason) => reasons.push(reason),
        }
    }
    // A registration that several tools share names none of them, and some take no name at all. Such a tool is named
    // after its function, so rename that.
    let registration = &target.tool.registration;
    let is_same = |tool: &Tool| tool.registration.place == registration.place;
    let is_for_all = snapshot.analysis().tools().filter(|(_, tool)| is_same(tool)).count() > 1;
    if (is_for_all || registration.naming.is_none()) && function::named_after(snapshot, target).is_some() {
        return proposed(snapshot, target, To { function_too: true, ..to }, sources);
    }
    let is_shared = target.tool.shared_by.iter().any(|&count| count > 1);
    let unedited = if is_shared { Why::Shared } else { Why::NoLiteral };
    Err(reasons.into_iter().next().unwrap_or(unedited))
}
