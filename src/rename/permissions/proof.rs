//! Checks a rename by reading the edited client files again, as their clients will.

use rustc_hash::FxHashSet;

use super::{About, Change, Entries, Home, Renamed, When};
use crate::client::ListKind;
use crate::diagnostic::Edits;
use crate::rename::Target;
use crate::rename::refusal::{Loosens, Looser, Why};
use crate::text::Moves;
use crate::verdict::Decision;
use crate::workspace::{Snapshot, Tool};

/// Checks that edited files give every name that will be callable the verdict of the old name, or a stricter one.
///
/// # Errors
/// A file that guards one of these names less, or a hook that would run for another tool or no longer run for it.
pub(super) fn one_name(
    (snapshot, after): (&Snapshot, &Snapshot),
    (target, home): (Target<'_>, &Home),
    change: Change<'_>,
    edits: &Edits,
) -> Result<(), Why> {
    let Change { new, keeps_old, .. } = change;
    let old = target.tool.name.as_str();
    let named = |name: &str| Tool { name: name.to_string(), ..target.tool.clone() };
    let callable: Vec<Tool> = std::iter::once(new).chain(keeps_old.then_some(old)).map(named).collect();
    let others = target.servers(snapshot).into_iter().flat_map(|server| &server.tools);
    let others = others.filter(|tool| tool.name != old && tool.name != new);
    // A name that no tool has after the edits is not compared.
    let stay: FxHashSet<&str> = after.analysis().tools().map(|(_, tool)| tool.name.as_str()).collect();
    let others: Vec<&Tool> = others.filter(|tool| stay.contains(tool.name.as_str())).collect();
    let keys = target.known_as(snapshot);
    for (file, own) in edits {
        let (Some(before), Some(edited)) = (snapshot.files.get(*file), after.files.get(*file)) else { continue };
        let moves = Moves::of(own);
        let refused = |name: &str| {
            let how = Looser::Unproved { name: name.to_string(), old: old.to_string(), new: new.to_string() };
            Why::Loosens(Loosens { path: before.path.to_string(), entry: String::new(), how })
        };
        let as_it_was: Vec<_> = snapshot.client_facts(*file).collect();
        let as_it_is: Vec<_> = after.client_facts(*file).collect();
        // Refuse if the edited file can no longer be read as the settings of one of its clients.
        if as_it_is.len() < as_it_was.len() {
            return Err(refused(new));
        }
        for (facts, now) in as_it_was.into_iter().zip(as_it_is) {
            let (entries, entries_now) = (Entries::of(facts), Entries::of(now));
            // Each version of the file is read together with the snapshot that it belongs to, and asked only about the
            // name of `target`.
            let asked = |file, facts, target, snapshot| About {
                file,
                facts,
                target,
                snapshot,
                home,
                change: Change::to(old, false),
                stays: true,
            };
            for key in &keys {
                if home.work.is_out() {
                    return Err(Why::TooMuch);
                }
                let was = Renamed::new(asked(before, facts, target, snapshot), key, &entries);
                for tool in &callable {
                    let is = asked(edited, now, Target { tool, ..target }, after);
                    let is = Renamed::new(is, key, &entries_now);
                    let is_guarded_less = was.parts().into_iter().any(|part| {
                        let (before, _) = was.decision(part, When::Before, &[]);
                        let part = part.map(|scope| moves.moved(scope));
                        let (after, deciding) = is.decision(part, When::Before, &[]);
                        // An entry that allows the same words in another spelling was meant for this tool.
                        let is_meant = deciding.is_some_and(|placed| {
                            let about = About { change, ..is.about };
                            placed.list.kind == ListKind::Allow && about.is_meant(old, &tool.name)
                        });
                        after < before && !(after == Decision::Allowed && is_meant)
                    });
                    if is_guarded_less || is.hooked() < was.hooked() {
                        return Err(refused(&tool.name));
                    }
                }
                for tool in others.iter().filter(|_| now.lists.iter().any(|list| list.kind == ListKind::Hook)) {
                    let target = Target { tool, ..target };
                    let was = Renamed::new(asked(before, facts, target, snapshot), key, &entries);
                    let is = Renamed::new(asked(edited, now, target, after), key, &entries_now);
                    if is.hooked() != was.hooked() {
                        let how = Looser::Reaches { new: new.to_string(), other: tool.name.clone() };
                        let path = before.path.to_string();
                        return Err(Why::Loosens(Loosens { path, entry: String::new(), how }));
                    }
                }
            }
        }
    }
    Ok(())
}

impl Renamed<'_> {
    /// The number of hooks that run for the tool.
    fn hooked(&self) -> usize {
        let hooks = self.entries().filter(|placed| matches!(placed.list.kind, ListKind::Hook | ListKind::Watch));
        hooks.filter(|placed| self.fits(*placed, When::Before)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Change, hold};
    use crate::config::Configs;
    use crate::diagnostic::Edits;
    use crate::rename::targets;
    use crate::text::{Edit, Span};
    use crate::workspace::Workspace;

    const SERVER: &str = "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
        const server = new McpServer({ name: \"notes\", version: \"1.0.0\" });\n\
        server.registerTool(\"drop_note\", {}, run);\n";

    /// The result of `hold` for a rename of `drop_note` to `delete_note` with an alias, when `written` replaces `old`
    /// in the settings.
    fn held(path: &str, settings: &str, (old, written): (&str, &str)) -> Result<(), String> {
        let mut workspace = Workspace::new(Configs::default());
        let start = r#"{ "mcpServers": { "notes": { "command": "node", "args": ["server.ts"] } } }"#;
        for (path, text) in [("server.ts", SERVER), (".mcp.json", start), (path, settings)] {
            workspace.open(path, text.into(), &[]);
        }
        let snapshot = workspace.snapshot();
        let file = snapshot.files.by_path(path).expect("it was opened").id;
        let at = settings.find(old).expect("it stands there");
        let edits = Edits::from([(file, vec![Edit::new(Span::new(at, at + old.len()), written)])]);
        let after = snapshot.with_edits(&edits, &|_| Some(settings.to_string())).expect("it fits");
        let target = targets(&snapshot, "drop_note", None)[0];
        hold((&snapshot, &after), target, Change::to("delete_note", true), &edits).map_err(|why| why.to_string())
    }

    #[test]
    fn what_is_written_counts_as_its_client_reads_it() {
        let claude = r#"{ "permissions": { "deny": ["mcp__notes__drop_note"] } }"#;
        let old = r#""mcp__notes__drop_note""#;
        let both = r#""mcp__notes__drop_note", "mcp__notes__delete_note""#;
        assert_eq!(held(".claude/settings.json", claude, (old, both)), Ok(()));
        let less = |name: &str, path: &str| {
            Err(format!(
                "{path} would restrict `{name}` less than it restricts `drop_note`; add `delete_note` to it first"
            ))
        };
        let misspelt = r#""mcp__notes__drop_note", "mcp__note__delete_note""#;
        let settings = ".claude/settings.json";
        assert_eq!(held(settings, claude, (old, misspelt)), less("delete_note", settings));
        // The old name can still be called.
        assert_eq!(held(settings, claude, (old, r#""mcp__notes__delete_note""#)), less("drop_note", settings));
    }

    #[test]
    fn what_stands_in_a_comment_guards_nothing() {
        let opencode = "{ \"permission\": { \"notes_drop_note\": \"deny\" // never\n } }";
        let commented = "\"deny\" // never, \"notes_delete_note\": \"deny\"\n";
        assert!(held("opencode.jsonc", opencode, ("\"deny\" // never\n", commented)).is_err());
        let written = "\"deny\", // never\n \"notes_delete_note\": \"deny\"\n";
        assert_eq!(held("opencode.jsonc", opencode, ("\"deny\" // never\n", written)), Ok(()));
    }

    #[test]
    fn hooks_run_for_both_names() {
        let settings = r#"{ "hooks": { "PreToolUse": [{ "matcher": "mcp__notes__drop_note", "hooks": [] }] } }"#;
        let matcher = "mcp__notes__drop_note";
        let both = "mcp__notes__drop_note|mcp__notes__delete_note";
        assert_eq!(held(".claude/settings.json", settings, (matcher, both)), Ok(()));
        assert!(held(".claude/settings.json", settings, (matcher, matcher)).is_err());
    }

    #[test]
    fn where_the_last_word_counts_it_is_read_where_it_stands() {
        let settings = r#"{ "permission": { "notes_*": "allow", "notes_drop_note": "deny" } }"#;
        let first = r#""notes_delete_note": "deny", "notes_*": "allow""#;
        assert!(held("opencode.json", settings, (r#""notes_*": "allow""#, first)).is_err());
        let last = r#""notes_drop_note": "deny", "notes_delete_note": "deny""#;
        assert_eq!(held("opencode.json", settings, (r#""notes_drop_note": "deny""#, last)), Ok(()));
    }
}
