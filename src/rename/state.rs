//! Files that switch the tools of a gateway on and off, by their full names.

use super::{Group, Plan, Target, Texts};
use crate::known::gateway::state_entries;
use crate::text::Edit;
use crate::workspace::{Content, Snapshot};

/// Replaces the old name in these files or, if it can still be called, adds the new name after it: a tool that is
/// switched off is switched off under both names.
pub(super) fn follow(
    snapshot: &Snapshot,
    target: Target<'_>,
    (new, keeps_old): (&str, bool),
    texts: Texts<'_>,
    plan: &mut Plan,
) {
    let files = &snapshot.files;
    let convention = files.configs().policy(files.path(target.tool.local_place().file)).convention;
    let Some(gateway) = &convention.gateway else { return };
    let prefix = gateway.prefix();
    let full = |name: &str| if name.starts_with(&prefix) { name.to_string() } else { format!("{prefix}{name}") };
    let (old, new) = (full(&target.tool.name), full(new));
    for file in files.all().filter(|file| gateway.state.files.contain(&file.path)) {
        let Content::Data(data) = &file.content else { continue };
        let Some(text) = texts(file.id) else { continue };
        for (_, node, _) in state_entries(gateway, data).iter().filter(|(_, _, entry)| entry.text == old) {
            let own = &text[node.span.range()];
            let renamed = own.replacen(&old, &new, 1);
            let text = match keeps_old {
                true => {
                    let before = &text[..node.span.start as usize];
                    let space = &before[before.trim_end().len()..];
                    let space = if space.contains('\n') { space } else { " " };
                    format!("{own},{space}{renamed}")
                }
                false => renamed,
            };
            let edit = Edit::new(node.span, text);
            plan.push(Group::Permissions, file.id, edit);
        }
    }
}
