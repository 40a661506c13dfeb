//! The passes that complete a rename: each edits one kind of reference to the tool, or refuses the rename.

use super::expected::ToolNames;
use super::plan::{Group, Plan};
use super::refusal::{NoAlias, Why};
use super::target::Target;
use super::to::{Alias, Kept, To};
use super::trial::{names_of_shapes, trial};
use super::{
    Sources, agreeing, alias, decisions, dispatch, expected, guards, hooks, lock, obstacles, permissions, prose,
    served, state, tied,
};
use crate::diagnostic::Edits;
use crate::found::Origin;
use crate::framework::AliasMode;
use crate::text::Edit;
use crate::workspace::{Server, Snapshot, Tool};

/// The rename that the passes complete.
#[derive(Clone, Copy)]
struct Case<'a> {
    snapshot: &'a Snapshot,
    /// The workspace after the accepted edit of the name.
    after: &'a Snapshot,
    /// The accepted edit of the name.
    accepted: &'a Edits,
    target: Target<'a>,
    to: To<'a>,
    /// The alias that is written; `None` if the old name is not kept.
    alias: Option<&'a Alias>,
    /// The function that the tool was named after, if it keeps its name.
    function: Option<&'a str>,
    sources: Sources<'a>,
    /// Whether the code passes edited nothing but the name itself. Set before the text passes; `false` until then.
    is_alone: bool,
}

type Pass = fn(&Case<'_>, &mut Plan) -> Result<(), Why>;

/// The passes over code and settings that depend on the name. Permissions come first, since their edits must not be
/// lost.
const CODE: [Pass; 6] =
    [permissions, switched_tools, cases, shapes_of_definitions, aliases_of_the_old_name, conditions];

/// The passes over mentions of the name and over possible obstacles. Each sees the edits of the passes before it.
const TEXTS: [Pass; 10] = [
    mentions,
    agreeing_literals,
    obstacles,
    messages_of_tests,
    names_given_to_the_server,
    searched,
    expectations_of_tests,
    guarding_places,
    wildcards_and_hooks,
    lock_file,
];

impl Case<'_> {
    fn new_name(&self) -> &str {
        self.to.name
    }

    /// Whether the old name can still be called.
    fn keeps_old(&self, plan: &Plan) -> bool {
        plan.alias.is_some()
    }

    fn kept(&self, plan: &Plan) -> Kept<'_> {
        let keeps_old = self.keeps_old(plan);
        Kept { new: self.to.name, keeps_old, function: self.function, force: self.to.force, returns: self.to.returns }
    }

    fn change(&self) -> permissions::Change<'_> {
        permissions::Change { new: self.to.name, keeps_old: self.alias.is_some(), repairs: self.to.repairs }
    }
}

fn permissions(case: &Case<'_>, plan: &mut Plan) -> Result<(), Why> {
    permissions::follow(case.snapshot, case.target, case.change(), case.sources.around, plan)
}

/// The files that switch the tools of a gateway on and off.
fn switched_tools(case: &Case<'_>, plan: &mut Plan) -> Result<(), Why> {
    let to = (case.new_name(), case.alias.is_some());
    state::follow(case.snapshot, case.target, to, case.sources.texts, plan);
    Ok(())
}

/// The cases and keys by which the server finds the handler.
fn cases(case: &Case<'_>, plan: &mut Plan) -> Result<(), Why> {
    dispatch::follow(case.snapshot, case.target, (case.new_name(), case.to.force), case.sources.texts, plan)
}

/// Definitions that are found by their shape.
fn shapes_of_definitions(case: &Case<'_>, plan: &mut Plan) -> Result<(), Why> {
    for (file, span) in names_of_shapes(case.target, case.after, case.accepted) {
        let text = (case.sources.texts)(file);
        if text.is_some_and(|text| text.get(span.range()) == Some(case.target.tool.name.as_str())) {
            plan.push(Group::Source, file, Edit::new(span, case.new_name()));
        }
    }
    Ok(())
}

/// Comments of earlier aliases that name the tool.
fn aliases_of_the_old_name(case: &Case<'_>, plan: &mut Plan) -> Result<(), Why> {
    alias::follow(case.snapshot, case.target, case.new_name(), case.sources.texts, plan);
    Ok(())
}

/// Conditions on the tool's name in the workspace's source.
fn conditions(case: &Case<'_>, plan: &mut Plan) -> Result<(), Why> {
    decisions::follow(case.snapshot, case.target, &case.kept(plan), case.sources, plan)
}

/// Mentions of the name in documents, descriptions, comments and strings.
fn mentions(case: &Case<'_>, plan: &mut Plan) -> Result<(), Why> {
    let (snapshot, tool) = (case.snapshot, case.target.tool);
    let convention = snapshot.files.configs().policy(snapshot.files.path(tool.local_place().file)).convention;
    // If source code still contains the old name for the tool, texts may keep it too.
    let is_short = |(_, other): (&Server, &Tool)| other.name == case.to.name && other.short_name() == tool.name;
    let stays = case.after.analysis().tools().any(is_short)
        || convention.helper && convention.own_part(case.new_name()) == tool.name;
    let is_named_after = tool.registration.name.parts.iter().any(|part| matches!(part.origin, Origin::Identifier(_)));
    let old = prose::Old {
        stays,
        keeps_old: case.keeps_old(plan),
        is_listed: plan.alias == Some(AliasMode::Listed),
        names_function: case.function.is_some(),
        keeps_part: false,
        keeps_functions: case.function.is_some() || !is_named_after,
    };
    prose::follow(snapshot, case.target, (case.new_name(), old), case.sources, plan);
    Ok(())
}

/// Literals that a running program found equal to one that is renamed.
fn agreeing_literals(case: &Case<'_>, plan: &mut Plan) -> Result<(), Why> {
    let (snapshot, texts) = (case.snapshot, case.sources.texts);
    for (file, edits) in agreeing::literals(snapshot, case.target, case.new_name(), &plan.edits(), texts) {
        if let Some(text) = texts(file) {
            plan.revise_in(Group::Source, snapshot, (snapshot.files.path(file), &text), edits, &[]);
        }
    }
    Ok(())
}

/// Places that depend on the name in a way that no edit can follow.
fn obstacles(case: &Case<'_>, plan: &mut Plan) -> Result<(), Why> {
    let is_only_listed = case.target.tool.registration.listed && case.is_alone;
    let found = obstacles::in_the_way(case.snapshot, case.target, &plan.edits(), is_only_listed, case.sources.texts);
    found.map_or(Ok(()), |(at, kind)| Err(Why::Obstacle { at, kind }))
}

/// Messages that tests expect for names that they pass in.
fn messages_of_tests(case: &Case<'_>, plan: &mut Plan) -> Result<(), Why> {
    tied::follow(case.snapshot, case.target, case.sources, plan);
    Ok(())
}

/// Comparisons in tests with the names or the number of the server's tools.
fn expectations_of_tests(case: &Case<'_>, plan: &mut Plan) -> Result<(), Why> {
    let keeps_old = plan.alias == Some(AliasMode::Listed);
    let servers = ToolNames::renamed(case.snapshot, case.target, case.new_name(), keeps_old);
    expected::follow(case.snapshot, case.target, (case.new_name(), &servers), case.sources, plan);
    Ok(())
}

fn names_given_to_the_server(case: &Case<'_>, plan: &mut Plan) -> Result<(), Why> {
    served::follow(case.snapshot, case.target, case.kept(plan), case.sources.texts, plan)
}

/// Lists that code searches for a name.
fn searched(case: &Case<'_>, plan: &mut Plan) -> Result<(), Why> {
    prose::settle(case.snapshot, case.target, case.sources, plan);
    Ok(())
}

/// Places that may forbid the tool and that no pass edited.
fn guarding_places(case: &Case<'_>, plan: &mut Plan) -> Result<(), Why> {
    match plan.guard(case.snapshot).filter(|_| !case.to.force) {
        Some(at) => Err(Why::Guards(at)),
        None => Ok(()),
    }
}

fn wildcards_and_hooks(case: &Case<'_>, plan: &mut Plan) -> Result<(), Why> {
    let around = case.sources.around;
    guards::held_by_wildcards(case.snapshot, case.target, case.new_name(), around, plan)?;
    hooks::hold(case.snapshot, case.target, (case.new_name(), case.to.force), around, plan)
}

fn lock_file(case: &Case<'_>, plan: &mut Plan) -> Result<(), Why> {
    lock::follow(case.snapshot, case.target, (case.new_name(), case.alias), case.sources.texts, plan);
    Ok(())
}

/// Extends an accepted edit by the edits of all other references. The result is tried with each way to keep the old
/// name in turn, until one succeeds. `function` is the new name of the tool's function, if that changes.
pub(super) fn complete(
    snapshot: &Snapshot,
    target: Target<'_>,
    (to, function): (To<'_>, Option<&str>),
    (plan, after): (Plan, Snapshot),
    sources: Sources<'_>,
) -> Result<(Plan, Snapshot), Why> {
    let mut ways = 0;
    // The first way that breaks the fewest tests, with their number.
    let mut best: Option<(usize, (Plan, Snapshot))> = None;
    loop {
        let done = completed(snapshot, target, (to, function), (plan.clone(), &after), sources, &mut ways);
        match done {
            Ok((mut found, after)) => {
                let broken = found.broken_tests(snapshot);
                if let Some(first) =
                    best.as_ref().and_then(|(_, (first, _))| first.broken_tests(snapshot).into_iter().next())
                    && found.alias != to.alias.map(|alias| alias.mode)
                {
                    found.fallback = Some(NoAlias::BreaksTest(first));
                }
                if broken.is_empty() || found.alias.is_none() {
                    return Ok((found, after));
                }
                if best.as_ref().is_none_or(|(fewest, _)| broken.len() < *fewest) {
                    best = Some((broken.len(), (found, after)));
                }
            }
            Err(Why::AliasUnproved) => {}
            // No further way can be written. Report why the first one failed, since it is the preferred one.
            Err(Why::Alias(..)) if ways > 0 => return best.map(|(_, best)| best).ok_or(Why::AliasUnproved),
            Err(why) => return best.map(|(_, best)| best).ok_or(why),
        }
    }
}

/// Completes a rename like [`complete`], but with a single way to keep the old name: the first that can be written, not
/// counting the first `ways` ones. Sets `ways` so that the next call continues after that way.
fn completed(
    snapshot: &Snapshot,
    target: Target<'_>,
    (to, function): (To<'_>, Option<&str>),
    (mut plan, after): (Plan, &Snapshot),
    sources: Sources<'_>,
    ways: &mut usize,
) -> Result<(Plan, Snapshot), Why> {
    let accepted = plan.edits();
    let alias = keep(snapshot, target, (to, function), sources, &mut plan, ways)?;
    let mut named_after =
        target.tool.registration.name.parts.iter().filter(|part| matches!(part.origin, Origin::Identifier(_)));
    let kept = named_after.next().map(|part| part.text.as_str()).filter(|_| function.is_none());
    let case =
        Case { snapshot, after, accepted: &accepted, target, to, alias, function: kept, sources, is_alone: false };
    CODE.iter().try_for_each(|pass| pass(&case, &mut plan))?;
    let case = Case { is_alone: plan.edits().values().map(Vec::len).sum::<usize>() == 1, ..case };
    TEXTS.iter().try_for_each(|pass| pass(&case, &mut plan))?;
    plan.stay_inside(snapshot, sources.around);
    plan.lay_out(snapshot, sources.texts);
    plan.say_once();
    proved(&case, plan)
}

/// Writes an alias for the old name if one is requested, and returns it; `None` if the old name is not kept.
fn keep<'a>(
    snapshot: &Snapshot,
    target: Target<'_>,
    (to, function): (To<'a>, Option<&str>),
    sources: Sources<'_>,
    plan: &mut Plan,
    ways: &mut usize,
) -> Result<Option<&'a Alias>, Why> {
    let texts = sources.texts;
    let Some(alias) = to.alias else { return Ok(None) };
    match alias::insert(snapshot, target, (to.name, function), alias, texts, *ways) {
        Ok(written) => {
            plan.changes.insert(Group::Alias, written.edits);
            plan.alias = Some(written.mode);
            plan.fallback = written.fallback;
            *ways = written.way + 1;
            Ok(Some(alias))
        }
        Err(reason) if alias.can_go => {
            plan.lost = Some(reason);
            Ok(None)
        }
        Err(reason) => {
            let place = target.tool.registration.place;
            let at = obstacles::at(snapshot, place.file, snapshot.files.span(place));
            let any = alias.is_exact.then(|| Alias { is_exact: false, ..alias.clone() });
            let other = any.and_then(|any| alias::insert(snapshot, target, (to.name, function), &any, texts, 0).ok());
            Err(Why::Alias(at, reason, other.map(|written| written.mode)))
        }
    }
}

/// Evaluates the workspace after all edits, and accepts them only if the tools and the verdicts of client files are as
/// intended.
fn proved(case: &Case<'_>, plan: Plan) -> Result<(Plan, Snapshot), Why> {
    let changed = plan.edits();
    if changed == *case.accepted {
        return Ok((plan, case.after.clone()));
    }
    let is_listed = plan.alias == Some(AliasMode::Listed);
    match trial(case.snapshot, case.target, (case.new_name(), is_listed), &changed, case.sources.texts) {
        Ok(after) => {
            permissions::hold((case.snapshot, &after), case.target, case.change(), &changed)?;
            Ok((plan, after))
        }
        Err(_) if case.alias.is_some() => Err(Why::AliasUnproved),
        Err(why) => Err(why),
    }
}
