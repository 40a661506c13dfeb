//! `hook-matcher`: a hook's matcher that matches no tool.
//!
//! A matcher that consists only of name characters is one or more whole names; any other character makes it a regular
//! expression. A server's name by itself matches none of the server's tools here, whereas in a permission list it
//! matches all of them.

use rustc_hash::FxHashMap;

use super::closeness::{closeness, known_by_plugin};
use super::fuel::Fuel;
use super::servers::{Meant, ServerNames, Servers};
use super::spelling::{folded, is_slip_of_word, squashed};
use crate::client::{ClientFacts, Fault, List, ListKind, Own, Rule as Permission, begins_as_mcp};
use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::regex::{MAX_COMPILED, Regex};
use crate::rules::{Cx, Rule, Scope};
use crate::text::Span;

pub(crate) const RULE: Rule =
    Rule { id: "hook-matcher", default: Severity::Warning, scope: Scope::File, docs: include_str!("matcher.md") };

pub(super) fn check(cx: &Cx<'_>, facts: &ClientFacts, diagnostics: &mut Vec<Diagnostic>) {
    if facts.has_other_servers {
        return;
    }
    let mut unsure: Option<Span> = None;
    let client = &facts.client;
    let version = cx.policy.versions.get(client.id.as_str());
    // Lists of bare names are not checked: a bare name may be a tool of any server.
    for list in facts.lists.iter().filter(|list| list.kind == ListKind::Hook && !list.is_bare()) {
        let servers = Servers::new(cx, list);
        let count = list.entries.len();
        for entry in list.entries.iter().filter(|entry| entry.text.verbatim) {
            if !list.is_exact(&entry.text.text, version) {
                let text = entry.text.text.as_str();
                if cx.policy.allows(RULE.id, text) {
                    continue;
                }
                if is_rule(text) {
                    let message =
                        "matchers cannot contain arguments, so this never matches: restrict calls with the hook's `if`";
                    diagnostics.push(cx.diagnostic(&RULE, entry.text.span, message));
                    continue;
                }
                let fuel = Fuel::of_one_in(count);
                let may_fit = may_fit(list, &servers, text, &fuel);
                if fuel.is_out() {
                    unsure.get_or_insert(entry.text.span);
                }
                if may_fit {
                    continue;
                }
                let dead = fits_nothing(list, &servers, text).map(|key| {
                    let message = format!("no tool of `{key}` matches this, so the hook never runs");
                    cx.diagnostic(&RULE, entry.text.span, message)
                });
                let span = entry.text.span;
                let found = globbed(cx, (list, &servers), text, span, &fuel).or(dead);
                let found = found.or_else(|| misspelt(cx, (list, &servers), text, span, &fuel));
                diagnostics.extend(found.or_else(|| resembled(cx, &servers, text, span, &fuel)));
                continue;
            }
            let mut at = 0;
            let count = count.max(entry.text.text.matches(['|', ',']).count() + 1);
            for piece in entry.text.text.split_inclusive(['|', ',']) {
                let name = piece.trim_end_matches(['|', ',']).trim();
                let start = at + (piece.len() - piece.trim_start().len());
                at += piece.len();
                if name.is_empty() || cx.policy.allows(RULE.id, name) {
                    continue;
                }
                let span = entry.text.span.slice(start, start + name.len());
                let fuel = Fuel::of_one_in(count);
                let found = match list.parse(name, &servers.spelt) {
                    _ if list.grammar.tool.prefix.starts_with(name) && begins_as_mcp(name) => {
                        let message = format!(
                            "{} compares `{name}` with whole tool names, and no tool has that name",
                            client.name
                        );
                        let all = format!("{}.*", list.grammar.tool.prefix);
                        let fix = Fix::replace(format!("match every MCP tool: `{all}`"), cx.file.id, span, all);
                        Some(cx.diagnostic(&RULE, span, message).with_fixes([fix.marked_unsafe()]))
                    }
                    rule if let Some(right) = in_another_form(list, &servers, name, &rule) => {
                        let message = format!(
                            "`{name}` is not the name of a tool, so this never matches; did you mean `{right}`?"
                        );
                        let fix = Fix::replace(format!("replace with `{right}`"), cx.file.id, span, right);
                        Some(cx.diagnostic(&RULE, span, message).with_fixes([fix.marked_unsafe()]))
                    }
                    Permission::Server { server }
                        if servers.of(server).is_none() && servers.spelt_otherwise(server).is_some() =>
                    {
                        misspelt(cx, (list, &servers), name, span, &fuel)
                    }
                    Permission::Server { server } => {
                        Some(whole_server(cx, client.name.as_str(), list, &servers, (name, server), (span, &fuel)))
                    }
                    Permission::Tool { server, .. } if servers.of(server).is_none() => {
                        misspelt(cx, (list, &servers), name, span, &fuel)
                    }
                    Permission::Malformed(Fault::NoTool) => {
                        let name = name.trim_end_matches('_');
                        let server = name.strip_prefix(list.grammar.tool.prefix.as_str()).unwrap_or(name);
                        Some(whole_server(cx, client.name.as_str(), list, &servers, (name, server), (span, &fuel)))
                    }
                    Permission::Tool { server, tool } => servers
                        .of(server)
                        .filter(|server| servers.knows(server) && !server.names.contains(name))
                        .map(|server| unknown(cx, &server.key, tool, servers.nearest(server, tool, &fuel), span)),
                    Permission::BuiltIn if let Some(right) = without_prefix(list, &servers, name) => {
                        let message = format!(
                            "{} compares `{name}` with whole tool names, which begin with `{}`: write `{right}`",
                            client.name, list.grammar.tool.prefix
                        );
                        let fix = Fix::replace(format!("replace with `{right}`"), cx.file.id, span, right);
                        Some(cx.diagnostic(&RULE, span, message).with_fixes([fix.marked_unsafe().into_choice()]))
                    }
                    Permission::Malformed(_) | Permission::BuiltIn if name.contains(list.grammar.separator()) => {
                        resembled(cx, &servers, name, span, &fuel)
                    }
                    _ => None,
                };
                diagnostics.extend(found);
            }
        }
    }
    diagnostics.extend(unsure.map(|span| super::unsure(cx, &RULE, span)));
}

/// Returns the name that a matcher has with the prefix of the client, for a matcher that begins with the key of a server
/// and a separator; `None` for all others.
fn without_prefix(list: &List, servers: &Servers, name: &str) -> Option<String> {
    let prefix = list.grammar.tool.prefix.as_str();
    let right = Some(format!("{prefix}{name}")).filter(|_| !prefix.is_empty())?;
    match list.parse(&right, &servers.spelt) {
        Permission::Tool { server, .. } if servers.of(server).is_some() => Some(right),
        _ => None,
    }
}

/// The cost of comparing a text with a server's key, in steps of [`Fuel`].
const A_SERVER: usize = 20;
/// The maximum number of characters at the start of a matcher that are compared with the prefixes of servers.
const MAX_HEAD: usize = 512;

/// Whether a matcher is a permission rule about some calls of a tool, such as `Bash(git push:*)`. As a regular
/// expression, such a rule requires a space, a colon or a slash, which no tool name contains.
fn is_rule(text: &str) -> bool {
    text.split_once('(').is_some_and(|(tool, calls)| {
        let is_own =
            tool.starts_with(|c: char| c.is_ascii_uppercase()) && tool.chars().all(|c| c.is_ascii_alphanumeric());
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let is_tool = is_own || begins_as_mcp(tool) && tool.chars().all(is_name);
        let calls = calls.strip_suffix(')').filter(|calls| !calls.contains(['|', '(']));
        is_tool && calls.is_some_and(|calls| calls.contains([' ', ':', '/']) && !calls.starts_with('?'))
    })
}

/// Returns the key of the server with whose prefix an expression begins, for an expression that matches no known name.
/// `None` if not all tools of the server are known, or if the expression has alternatives.
fn fits_nothing<'s>(list: &List, servers: &'s Servers, text: &str) -> Option<&'s str> {
    let body = text.strip_prefix('^').unwrap_or(text);
    // Another alternative may be about another server.
    if body.contains('|') {
        return None;
    }
    let of = |key: &str| body.starts_with(&list.grammar.server_prefix(key));
    let server = servers.all.iter().find(|server| servers.knows(server) && of(&server.key))?;
    Some(server.key.as_str())
}

/// Whether a regular expression matches a tool that exists or may exist, since not all tools of every server are known.
/// `true` if the expression cannot be tried.
fn may_fit(list: &List, servers: &Servers, text: &str, fuel: &Fuel) -> bool {
    /// The cost of compiling an expression, however short, in steps of [`Fuel`]: tables are built for it.
    const AN_EXPRESSION: usize = 10_000;
    /// The cost of trying an expression on one name.
    const A_NAME: usize = 20;
    /// The number of bytes of a compiled expression that cost one step.
    const BYTES_A_STEP: usize = 3;
    if !fuel.take(AN_EXPRESSION) {
        return true;
    }
    let affordable = fuel.left() * BYTES_A_STEP;
    let Some(pattern) = Regex::within(text, "", affordable) else {
        // The expression may be valid in JavaScript only, or there are too many matchers to compile all of them.
        if affordable < MAX_COMPILED {
            fuel.run_out();
        }
        return true;
    };
    let fits = |name: &str| !fuel.take(A_NAME) || pattern.is_match(name) != Some(false);
    servers.all.iter().any(|server| {
        let any = || format!("{}tool", list.grammar.server_prefix(&server.key));
        server.names.iter().any(|name| fits(name)) || !servers.knows(server) && fits(&any())
    })
}

/// Reports a matcher that begins with a misspelt server name: in another case, with another separator, with a typo, or
/// with the plain key of a server that clients name after a plugin.
fn misspelt(
    cx: &Cx<'_>,
    (list, servers): (&List, &Servers),
    text: &str,
    span: Span,
    fuel: &Fuel,
) -> Option<Diagnostic> {
    let bare = text.strip_prefix('^').unwrap_or(text);
    if let Some(found) = of_plugin(cx, list, servers, bare, span) {
        return Some(found);
    }
    // Each beginning of the text, reduced to lower-case letters and digits, with the byte offset at which it ends.
    let ends = bare.char_indices().map(|(at, c)| at + c.len_utf8());
    let mut heads: FxHashMap<String, usize> = FxHashMap::default();
    for end in ends.take(MAX_HEAD) {
        heads.entry(squashed(&bare[..end])).or_insert(end);
    }
    let begins = |known: &&ServerNames| {
        let right = list.grammar.server_prefix(&known.key);
        let head = *heads.get(&squashed(&right)).filter(|_| fuel.take(A_SERVER))?;
        let head = &bare[..head + (bare[head..].len() - bare[head..].trim_start_matches('_').len())];
        // In `mcp__ahk_mcp__run`, the server is `ahk_mcp`, not `ahk`.
        let is_whole = !bare[head.len()..].contains(list.grammar.separator());
        (is_whole && head != right && right.trim_end_matches('_') != head && !head.contains(['|', '(']))
            .then_some((head.len(), right))
            .filter(|_| head.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ')))
    };
    let Some((head, right)) = servers.all.iter().find_map(|known| begins(&known)) else {
        return slipped(cx, (list, servers), bare, span, fuel);
    };
    // The matcher may be about another server that is spelt this way.
    let is_spelt_so = |spelt: &String| fuel.take(A_SERVER) && bare.starts_with(&list.grammar.server_prefix(spelt));
    if servers.spelt.iter().any(is_spelt_so) {
        return None;
    }
    let at = text.len() - bare.len();
    let message =
        format!("no tool name begins with `{}`, so this never matches; did you mean `{right}`?", &bare[..head]);
    let place = span.slice(at, at + head);
    let fix = Fix::replace(format!("write `{right}`"), cx.file.id, place, right).marked_unsafe();
    Some(cx.diagnostic(&RULE, span, message).with_fixes([fix]))
}

/// Reports a regular expression that matches a known tool, or any name of its own form, only if it is read as a pattern
/// in which `*` stands for any characters.
fn globbed(cx: &Cx<'_>, (list, servers): (&List, &Servers), text: &str, span: Span, fuel: &Fuel) -> Option<Diagnostic> {
    if !text.contains('*') || !text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '*' | '_' | '-')) {
        return None;
    }
    let is_known = servers.all.iter().any(|server| server.any_matches(text, fuel));
    // `mcp__*__read_note` does not even match `mcp__x__read_note`.
    let name = text.replace('*', "x");
    let is_name = || matches!(list.parse(&name, &servers.spelt), Permission::Tool { .. });
    let misses = || list.expression(text).is_some_and(|expression| expression.is_match(&name) == Some(false));
    let is_glob = is_known || begins_as_mcp(text) && is_name() && misses();
    if fuel.is_out() || !is_glob {
        return None;
    }
    let right = text.replace('*', ".*");
    let message = format!(
        "{} reads this as a regular expression, in which `*` repeats the character before it, so this never matches; \
         write `{right}`",
        list.client.name
    );
    let fix = Fix::replace(format!("replace with `{right}`"), cx.file.id, span, right).marked_unsafe();
    Some(cx.diagnostic(&RULE, span, message).with_fixes([fix]))
}

/// Reports a matcher with the letters of one known tool's name, with or without the client's prefix, but another
/// spelling: in another case, or with parentheses. `None` if several tools are possible.
fn resembled(cx: &Cx<'_>, servers: &Servers, text: &str, span: Span, fuel: &Fuel) -> Option<Diagnostic> {
    let letters = squashed(text);
    let is_meant = |name: &&String| {
        let own = squashed(name);
        fuel.take(A_SERVER) && (own == letters || own.strip_prefix("mcp") == Some(letters.as_str()))
    };
    let mut meant = servers.all.iter().flat_map(|server| &server.names).filter(is_meant);
    let (Some(right), None) = (meant.next(), meant.next()) else { return None };
    let message = format!("`{text}` is not the name of a tool, so this never matches; did you mean `{right}`?");
    let fix = Fix::replace(format!("replace with `{right}`"), cx.file.id, span, right.clone()).marked_unsafe();
    Some(cx.diagnostic(&RULE, span, message).with_fixes([fix]))
}

/// Returns the composed name that a string was meant to be, if the string is in another client's form or lacks the
/// server. `None` if several names are possible.
fn in_another_form(list: &List, servers: &Servers, name: &str, rule: &Permission<'_>) -> Option<String> {
    let is_one_of_ours = match rule {
        Permission::Server { server } => servers.of(server).is_some(),
        Permission::BuiltIn => false,
        _ => true,
    };
    if is_one_of_ours {
        return None;
    }
    // If the client's own tools begin with capitals, a name that begins with a lower-case letter is not one of them.
    let is_foreign = list.client.names.own == Own::Capitalised && name.starts_with(|c: char| c.is_ascii_lowercase());
    let words = folded(name);
    let is_meant = |meant: &&Meant| !meant.tool_only || is_foreign && words.contains('_');
    let tools = servers.meant(&words).iter().filter(is_meant);
    let mut names: Vec<&str> = tools.map(|meant| meant.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let [only] = names.as_slice() else { return None };
    let is_tool = matches!(list.parse(only, &servers.spelt), Permission::Tool { .. });
    (is_tool && *only != name).then(|| only.to_string())
}

/// Reports a matcher that names a server whose key is one typo away from a known key.
fn slipped(cx: &Cx<'_>, (list, servers): (&List, &Servers), bare: &str, span: Span, fuel: &Fuel) -> Option<Diagnostic> {
    let (prefix, separator) = (list.grammar.tool.prefix.as_str(), list.grammar.separator());
    let (server, tool) = bare.strip_prefix(prefix)?.split_once(separator)?;
    let is_word = server.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    if !is_word || servers.of(server).is_some() {
        return None;
    }
    let near = servers.near_server(server, fuel)?;
    closeness(prefix, servers, near, (server, &format!("{separator}{tool}")))?;
    let message = format!("no config in this workspace defines a server `{server}`; did you mean `{}`?", near.spelt);
    let at = span.len() - bare.len() + prefix.len();
    let place = span.slice(at, at + server.len());
    let fix = Fix::replace(format!("write `{}`", near.spelt), cx.file.id, place, near.spelt.clone()).marked_unsafe();
    Some(cx.diagnostic(&RULE, span, message).with_fixes([fix]))
}

/// Reports a matcher that names a server by its plain key although a plugin starts the server under another name.
fn of_plugin(cx: &Cx<'_>, list: &List, servers: &Servers, bare: &str, span: Span) -> Option<Diagnostic> {
    let prefix = list.grammar.tool.prefix.as_str();
    let rest = bare.strip_prefix(prefix)?;
    let server = rest.split(list.grammar.separator()).next().filter(|server| servers.of(server).is_none())?;
    let known = known_by_plugin(cx, servers, server)?;
    let message = format!("servers of plugins are named after their plugin: use `{prefix}{}`", known.spelt);
    let at = span.len() - bare.len() + prefix.len();
    let place = span.slice(at, at + server.len());
    let fix = Fix::replace(format!("write `{}`", known.spelt), cx.file.id, place, known.spelt.clone()).marked_unsafe();
    Some(cx.diagnostic(&RULE, span, message).with_fixes([fix]))
}

/// Reports a matcher that is only the name of a server, which matches no tool.
fn whole_server(
    cx: &Cx<'_>,
    client: &str,
    list: &List,
    servers: &Servers,
    (name, server): (&str, &str),
    (span, fuel): (Span, &Fuel),
) -> Diagnostic {
    let message = format!("{client} compares `{name}` with whole tool names, and no tool has that name");
    // If the server does not exist, correct its name, too: otherwise the hook would still never run.
    let is_meant =
        |known: &&ServerNames| fuel.take(A_SERVER) && known.spelt != server && is_slip_of_word(server, &known.spelt);
    let meant = if servers.of(server).is_none() { servers.all.iter().find(is_meant) } else { None };
    let meant = meant.map_or(server, |known| known.spelt.as_str());
    let pattern = format!("{}.*", list.grammar.server_prefix(meant));
    // With the fix, a hook that has never run would start to run.
    let fix =
        Fix::replace(format!("match every tool of the server: `{pattern}`"), cx.file.id, span, pattern).marked_unsafe();
    cx.diagnostic(&RULE, span, message).with_fixes([fix])
}

fn unknown(cx: &Cx<'_>, server: &str, tool: &str, near: Option<String>, span: Span) -> Diagnostic {
    let hint = near.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    let message = format!("`{server}` has no tool `{tool}`, so this never matches{hint}");
    let fix = near.map(|near| Fix::replace(format!("replace with `{near}`"), cx.file.id, span, near).marked_unsafe());
    cx.diagnostic(&RULE, span, message).with_fixes(fix)
}
