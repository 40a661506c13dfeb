//! Files that switch the tools of a gateway on and off, by their full names.

use super::{Group, Plan, Target, Texts};
use crate::known::gateway::state_entries;
use crate::text::Edit;
use crate::workspace::{Content, Snapshot};

/// Replaces the old name in these files, if it can no longer be called. If it can, the new name is added next to it, as
/// in any other list of strings.
pub(super) fn follow(snapshot: &Snapshot, target: Target<'_>, new: &str, texts: Texts<'_>, plan: &mut Plan) {
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
            let renamed = text[node.span.range()].replacen(&old, &new, 1);
            plan.push(Group::Permissions, file.id, Edit::new(node.span, renamed));
        }
    }
}
