//! `suppression-unused`, and suppression itself: a comment `toolnames: allow(rule-id) why` on the line of a finding or
//! on the line above.

use rustc_hash::FxHashMap;

use super::{Cx, Rule, Scope};
use crate::client::{Clients, ServerEntry};
use crate::diagnostic::{Diagnostic, Edits, Severity};
use crate::syntax::{self, Language};
use crate::text::{Edit, Span, line_break};
use crate::workspace::{Content, Snapshot};

pub(crate) const RULE: Rule = Rule {
    id: "suppression-unused",
    default: Severity::Info,
    scope: Scope::Workspace,
    docs: include_str!("suppression.md"),
};

/// A suppression comment.
struct Allowance {
    line: u32,
    span: Span,
    rules: Vec<String>,
    used: bool,
}

/// Drops findings that a comment allows, and reports comments that allow nothing.
pub(super) fn apply(cx: &Cx<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let lines = &cx.file.lines;
    let mut allowances: Vec<Allowance> = cx
        .snapshot
        .files
        .directives(cx.file.id)
        .into_iter()
        .filter_map(|(span, text)| {
            let (rules, _why) = text.strip_prefix("allow(")?.split_once(')')?;
            let rules = rules.split(',').map(|rule| rule.trim().to_string()).collect();
            Some(Allowance { line: lines.line_of(span.start), span, rules, used: false })
        })
        .collect();
    if allowances.is_empty() {
        return;
    }
    let mut by_line: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (index, allowance) in allowances.iter().enumerate() {
        by_line.entry(allowance.line).or_default().push(index);
    }
    let calls = Calls::of(&cx.file.content);
    diagnostics.retain(|diagnostic| {
        let line = lines.line_of(diagnostic.span.start);
        // For a finding inside a call that spans several lines, a comment above the call counts, too.
        let call_line = calls.around(diagnostic.span).map(|call| lines.line_of(call.start));
        let above = |line: u32| line.checked_sub(1);
        let mut near: Vec<u32> = [Some(line), above(line), call_line.and_then(above)].into_iter().flatten().collect();
        near.dedup();
        let mut allowed = false;
        for &index in near.iter().filter_map(|line| by_line.get(line)).flatten() {
            if allowances[index].rules.iter().any(|rule| rule == diagnostic.rule) {
                allowances[index].used = true;
                allowed = true;
            }
        }
        !allowed
    });
    let Some(severity) = cx.policy.severity(RULE.id, RULE.default) else {
        return;
    };
    for allowance in allowances.iter().filter(|allowance| !allowance.used) {
        let message = match allowance.rules.iter().find(|rule| super::find(rule).is_none()) {
            Some(unknown) => format!("unknown rule `{unknown}`"),
            None => format!("no finding of `{}` to suppress", allowance.rules.join("`, `")),
        };
        let mut diagnostic = cx.diagnostic(&RULE, allowance.span, message);
        diagnostic.severity = severity;
        diagnostics.push(diagnostic);
    }
}

/// The calls of a source file, sorted by start, each with the index of the smallest other call around it.
struct Calls(Vec<(Span, Option<usize>)>);

impl Calls {
    fn of(content: &Content) -> Calls {
        let Content::Source(facts) = content else { return Calls(Vec::new()) };
        let calls =
            facts.items.iter().flat_map(|item| item.facts.calls.iter().map(|call| call.span.shifted(item.start)));
        let mut calls: Vec<Span> = calls.collect();
        calls.sort_by_key(|call| (call.start, std::cmp::Reverse(call.end)));
        let mut open: Vec<usize> = Vec::new();
        let mut nested = Vec::with_capacity(calls.len());
        for (index, call) in calls.iter().enumerate() {
            while open.last().is_some_and(|&outer| !calls[outer].contains(*call)) {
                open.pop();
            }
            nested.push((*call, open.last().copied()));
            open.push(index);
        }
        Calls(nested)
    }

    /// Returns the smallest call around a finding.
    fn around(&self, span: Span) -> Option<Span> {
        let mut at = self.0.partition_point(|(call, _)| call.start <= span.start).checked_sub(1);
        while let Some((call, outer)) = at.map(|at| self.0[at]) {
            if call.contains(span) {
                return Some(call);
            }
            at = outer;
        }
        None
    }
}

/// Returns the smallest call around a finding in a source file.
fn call_around(content: &Content, span: Span) -> Option<Span> {
    Calls::of(content).around(span)
}

/// The placeholder for the reason, which the author of the comment must fill in.
pub(crate) const REASON: &str = "TODO: say why";

/// Returns the edit that suppresses a finding with a comment above it. `None` if a comment there would have no effect,
/// or if the file cannot contain one. `text` is the text of the file.
pub(crate) fn allowed(snapshot: &Snapshot, found: &Diagnostic, text: &str) -> Option<Edits> {
    let file = snapshot.files.get(found.file)?;
    let place = call_around(&file.content, found.span).unwrap_or(found.span);
    let line_of = |at: usize| text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let start = line_of(place.start as usize);
    // If there is already a comment above the line, the rule is added to it.
    let above = snapshot.files.directives(found.file).into_iter().find_map(|(span, said)| {
        let is_next = text[span.end as usize..start].matches('\n').count() == 1 && (span.end as usize) < start;
        let at = said.strip_prefix("allow(").filter(|_| is_next)?.find(')')?;
        Some(Edit::new(Span::at(span.start as usize + "allow(".len() + at), format!(", {}", found.rule)))
    });
    let edit = above.or_else(|| {
        let indent = &text[start..start + (text[start..].len() - text[start..].trim_start_matches([' ', '\t']).len())];
        let (open, close) = comment_signs(&file.path, text, start)?;
        let comment = format!("{indent}{open} toolnames: allow({}) {REASON}{close}{}", found.rule, line_break(text));
        Some(Edit::new(Span::at(start), comment))
    })?;
    let edits = Edits::from([(found.file, vec![edit])]);
    // Inside a multi-line string, the new line would not be a comment, so check that the finding disappears.
    let after = snapshot.with_edits(&edits, &|_| Some(text.to_string()))?;
    let is_it = |one: &&Diagnostic| one.rule == found.rule && one.message == found.message;
    let before = super::check(snapshot, found.file).iter().filter(is_it).count();
    let left = super::check(&after, found.file);
    let is_vain = left.iter().any(|one| one.rule == RULE.id && one.message.contains(found.rule));
    (left.iter().filter(is_it).count() < before && !is_vain).then_some(edits)
}

/// Returns the name or string that a config can allow so that a finding disappears: the entry that the finding is
/// about, the tool, or the text of the finding's span. `None` if allowing none of these has this effect.
pub(crate) fn allowable(snapshot: &Snapshot, found: &Diagnostic, text: &str) -> Option<String> {
    let file = snapshot.files.get(found.file)?;
    let lists = snapshot.client_facts(file.id).flat_map(|facts| &facts.lists);
    let entries = lists.flat_map(|list| &list.entries).filter(|entry| entry.text.span.contains(found.span));
    let entries = entries.map(|entry| entry.text.text.clone());
    let tools = snapshot.analysis().tools().filter(|(_, tool)| {
        let place = tool.local_place();
        place.file == file.id && snapshot.files.span(place).touches(found.span.start)
    });
    let tools = tools.map(|(_, tool)| tool.name.clone());
    // The tools that a finding at the key of a server names.
    let servers = snapshot.client_facts(file.id).flat_map(|facts| &facts.servers);
    let keys = servers.filter(|entry| entry.key.span.touches(found.span.start)).map(ServerEntry::name);
    let known = keys.filter_map(|key| snapshot.analysis().keys.get(key));
    let of_keys = known.flat_map(|known| snapshot.analysis().tools_of(known)).map(|tool| tool.name.clone());
    let of_keys = of_keys.filter(|name| found.message.contains(&format!("`{name}`")));
    let tools = tools.chain(of_keys);
    let characters = text.get(found.span.range()).map(str::to_string);
    let is_it = |one: &Diagnostic| (one.rule, one.span, &one.message) == (found.rule, found.span, &found.message);
    entries.chain(tools).chain(characters).find(|name| {
        let policy = snapshot.files.configs().policy(&file.path).allowing(found.rule, name);
        !super::check_under(snapshot, file, policy).iter().any(is_it)
    })
}

/// Returns the edit that removes a suppression comment, with its line if nothing else is on the line. `said` is the
/// span of the comment's text, from `allow` on. `None` if no comment sign is found around it.
pub(crate) fn without_comment(text: &str, said: Span) -> Option<Edit> {
    let (start, end) = (said.start as usize, said.end as usize);
    let line = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = text[end..].find('\n').map_or(text.len(), |newline| end + newline + 1);
    let lead = text[line..start].trim_end().strip_suffix("toolnames:")?.trim_end();
    let (sign, close) =
        [("<!--", "-->"), ("/*", "*/"), ("//", ""), ("#", "")].into_iter().find(|(sign, _)| lead.ends_with(sign))?;
    let before = lead[..lead.len() - sign.len()].trim_end();
    let behind = &text[end..line_end];
    let comment_end = if close.is_empty() { behind.trim_end().len() } else { behind.find(close)? + close.len() };
    let rest = behind[comment_end..].trim();
    let span = match before.is_empty() && rest.is_empty() {
        true => Span::new(line, line_end),
        false => Span::new(line + before.len(), end + comment_end),
    };
    Some(Edit::new(span, ""))
}

/// Whether a comment can be inserted on a line of its own above a byte offset of a file.
pub(crate) fn takes_comments(path: &str, text: &str, at: usize) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    comment_signs(path, text, start).is_some()
}

/// Returns the signs with which a comment on a line of its own begins and ends; `None` if the file cannot contain a
/// comment there. `line` is the byte offset at which the comment would be inserted, the start of the next line.
fn comment_signs(path: &str, text: &str, line: usize) -> Option<(&'static str, &'static str)> {
    // Inside a string, a comment would be a part of the string.
    let is_free = |language: Language, text: &str, line: usize| {
        !syntax::parse(language, text, None).is_some_and(|tree| syntax::is_inside_text(&tree, line))
    };
    if let Some(language) = Language::of_path(path).filter(|language| language.family().is_some()) {
        return is_free(language, text, line).then_some((language.line_comment(), ""));
    }
    match path.rsplit('.').next()? {
        "toml" => Some(("#", "")),
        "yml" | "yaml" => is_free(Language::Yaml, text, line).then_some(("#", "")),
        // The front matter between the lines of dashes is YAML.
        "md" | "mdc" => match text.strip_prefix("---").and_then(|rest| rest.find("\n---")) {
            Some(end) if line <= end + 3 => {
                let front = &text[3..end + 3];
                is_free(Language::Yaml, front, line.checked_sub(3)?).then_some(("#", ""))
            }
            _ => Some(("<!--", " -->")),
        },
        "jsonc" => Some(("//", "")),
        // Not every program that reads JSON accepts comments; if the file already has one, its reader does.
        "json" => text.lines().any(|line| line.trim_start().starts_with("//")).then_some(("//", "")),
        // A command that continues over several lines cannot contain comments.
        _ if Clients::built_in().of_path(path).is_some_and(|(_, row)| row.script) => {
            (!text[..line].trim_end_matches(['\r', '\n']).ends_with('\\')).then_some(("#", ""))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::apply_edits;

    #[test]
    fn a_comment_goes_with_its_line_or_leaves_what_stands_before_it() {
        for (text, left) in [
            ("a\n  // toolnames: allow(x) why\nb\n", "a\nb\n"),
            ("a\r\n# toolnames: allow(x) why\r\nb\r\n", "a\r\nb\r\n"),
            ("<!-- toolnames: allow(x) why -->\nb\n", "b\n"),
            ("call(); // toolnames: allow(x) why\nb\n", "call();\nb\n"),
            ("# toolnames: allow(x)", ""),
        ] {
            let start = text.find("allow(").unwrap();
            let end = start + text[start..].find([')', '\n', '\r']).unwrap() + 1;
            let edit = without_comment(text, Span::new(start, end)).unwrap();
            assert_eq!(apply_edits(text, &[edit]).unwrap(), left, "{text:?}");
        }
    }
}
