//! `server-key`: a server key that its client reserves, splits, spells differently or confuses with another key.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::client::{ClientFacts, Keeps, ListKind};
use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::rules::{Cx, Rule, Scope};

pub(crate) const RULE: Rule =
    Rule { id: "server-key", default: Severity::Warning, scope: Scope::Workspace, docs: include_str!("server_key.md") };

pub(super) fn check(cx: &Cx<'_>, facts: &ClientFacts, diagnostics: &mut Vec<Diagnostic>) {
    // In a file that does not parse, a key may be incomplete.
    if facts.fault.is_some() {
        return;
    }
    let client = &facts.client;
    // If no grammar of the client has a separator between server and tool, no string contains the key.
    let lists = client.files.iter().flat_map(|file| &file.lists).filter(|list| list.list != Some(ListKind::Hook));
    let is_written =
        lists.map(|list| list.grammar.as_ref().unwrap_or(&client.names)).any(|grammar| !grammar.separator().is_empty());
    // The first key of each spelling.
    let mut first: FxHashMap<String, &str> = FxHashMap::default();
    let keys: FxHashSet<&str> = facts.servers.iter().map(|entry| entry.key.text.as_str()).collect();
    for entry in &facts.servers {
        let key = entry.key.text.as_str();
        let spelt = client.normalise(key);
        let same = first.get(&spelt).copied();
        first.entry(spelt.clone()).or_insert(key);
        if cx.policy.allows(RULE.id, key) {
            continue;
        }
        let ends = client.ends_server.iter().find(|ends| key.contains(ends.text.as_str()));
        let (severity, message, fix) = if client.reserved_keys.iter().any(|reserved| reserved == key) {
            (Severity::Warning, format!("{} reserves `{key}` for itself and ignores this server", client.name), None)
        } else if let Some(character) = client.refused_character(key) {
            let shown = if character == ' ' { "spaces".to_string() } else { format!("`{character}`") };
            (Severity::Warning, format!("{} does not start a server whose key contains {shown}", client.name), None)
        } else if let Some(other) = same.filter(|other| *other != key) {
            let message = format!("`{other}` and `{key}` are both `{spelt}` to {}", client.name);
            (Severity::Warning, message, None)
        } else if let Some(ends) = ends {
            let right = key.replace(ends.text.as_str(), &ends.right);
            (Severity::Warning, format!("`{}` in a server's key: {}", ends.text, ends.why), Some(right))
        } else if is_written && spelt != key && !key.is_empty() && client.names.keeps != Keeps::Slug {
            // A server that a plugin starts has a longer name than its key.
            let whole = cx.snapshot.files.names_of(&cx.file.path, entry).into_iter().find(|name| name != key);
            let whole = whole.map(|name| format!(": the server is called `{}`", client.normalise(&name)));
            let message = format!(
                "{} rewrites this key to `{spelt}` in tool names and in entries that name them{}",
                client.name,
                whole.unwrap_or_default()
            );
            (Severity::Info, message, Some(spelt))
        } else {
            continue;
        };
        // The fix is unsafe because strings in other files may name the server, too.
        let fix = fix.filter(|right| !keys.contains(right.as_str())).map(|right| {
            Fix::replace(format!("rename to `{right}`"), cx.file.id, entry.key.span, right)
                .marked_unsafe()
                .into_choice()
        });
        let mut diagnostic = cx.diagnostic(&RULE, entry.key.span, message).with_fixes(fix);
        diagnostic.severity = severity;
        diagnostics.push(diagnostic);
    }
}
