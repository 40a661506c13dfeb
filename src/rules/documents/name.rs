//! `docs-name`: code in a document does not name a tool as its users know it.

use super::context::Context;
use super::subject::Subject;
use crate::convention::Column;
use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::document::{Code, Markdown, is_rejected, is_shown_as_wrong};
use crate::known::gateway::Layers;
use crate::name::nearest;
use crate::rules::{Cx, Rule, Scope};
use crate::text::{Edit, Span};

pub(crate) const RULE: Rule =
    Rule { id: "docs-name", default: Severity::Warning, scope: Scope::Workspace, docs: include_str!("name.md") };

/// Languages of code blocks that show source code: there, tools are named as in their definitions.
const SOURCE: [&str; 14] =
    ["ts", "typescript", "tsx", "js", "javascript", "jsx", "mjs", "py", "python", "rust", "rs", "diff", "go", "java"];

pub(super) fn check(cx: &Cx<'_>, subjects: &[Subject<'_>], markdown: &Markdown, diagnostics: &mut Vec<Diagnostic>) {
    let convention = &cx.policy.convention;
    let Some(gateway) = &convention.gateway else { return };
    let names = Names::of(cx, subjects);
    for code in &markdown.code {
        let context = Context::of(markdown, code.span);
        if context.is_past() {
            continue;
        }
        for (range, word) in words(&code.text) {
            let span = code.span.slice(range.start, range.end);
            if let Some((message, right)) = names.examine(cx, &gateway.name, code, word)
                && !cx.policy.allows(RULE.id, word)
                && !is_shown_as_wrong(markdown, span)
                && !is_rejected(markdown, span, &right)
                && !(convention.judge(word).is_empty()
                    && context.in_line(line_of(&code.text, range.start)).is_of_layers())
            {
                diagnostics.push(finding(cx, span, word, message, right));
            }
        }
    }
    // A table of tools may contain their names without back quotes.
    let documents = &convention.documents;
    for table in &markdown.tables {
        let context = Context::of(markdown, table.delimiter);
        if context.is_past() {
            continue;
        }
        let is_tool = |heading: &str| documents.column(heading) == Some(Column::Tool);
        let Some(column) = table.header.iter().position(|cell| is_tool(&cell.text)) else { continue };
        for cell in table.rows.iter().filter_map(|row| row.cells.get(column)).filter(|cell| cell.quote.is_empty()) {
            let code = Code { span: cell.span, text: cell.text.clone(), block: None };
            if let Some((message, right)) = names.examine(cx, &gateway.name, &code, &cell.text)
                && !cx.policy.allows(RULE.id, &cell.text)
                && !is_shown_as_wrong(markdown, cell.span)
                && !is_rejected(markdown, cell.span, &right)
            {
                diagnostics.push(finding(cx, cell.span, &cell.text, message, right));
            }
        }
    }
}

fn line_of(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    text[start..].lines().next().unwrap_or("")
}

fn finding(cx: &Cx<'_>, span: Span, word: &str, message: String, right: Vec<String>) -> Diagnostic {
    let only = right.len() == 1;
    let fixes = right.into_iter().map(|right| {
        let edit = Edit::between(word, &right);
        let fix =
            Fix::replace(format!("change to `{right}`"), cx.file.id, edit.span.shifted(span.start), edit.new_text);
        if only { fix } else { fix.into_choice() }
    });
    cx.diagnostic(&RULE, span, format!("`{word}`: {message}")).with_fixes(fixes)
}

/// The names of a gateway's tools as its users know them.
struct Names {
    full: Vec<String>,
    /// Whether every tool is known.
    known: bool,
    /// The servers behind the gateway, in addition to those that the convention lists.
    routed: Vec<String>,
}

impl Names {
    fn of(cx: &Cx<'_>, subjects: &[Subject<'_>]) -> Names {
        let layers = Layers::of(cx.snapshot, &cx.policy.convention);
        Names {
            full: layers.as_ref().map_or(Vec::new(), |layers| layers.full_names().to_vec()),
            routed: layers.map_or(Vec::new(), |layers| layers.routed().to_vec()),
            known: subjects.iter().all(Subject::is_known),
        }
    }

    /// Returns what is wrong with a word that names a tool, and the corrections. `None` if nothing is wrong, or if the
    /// word may be something other than a tool.
    fn examine(&self, cx: &Cx<'_>, gateway: &str, code: &Code, word: &str) -> Option<(String, Vec<String>)> {
        let convention = &cx.policy.convention;
        if self.full.iter().any(|name| name == word) {
            return None;
        }
        let is_tool = |name: &String| self.full.contains(name);
        if let Some((breach, right)) = convention.judge_permission(word, &self.routed) {
            let right: Vec<String> = right.into_iter().filter(|right| is_tool(right) || !self.known).collect();
            // A word without a prefix may be any identifier. It counts as the name of a tool only if a correction is
            // one, the code is not source code, and the word contains `_` or is all of the code.
            let is_prefixed = word.starts_with("mcp_") || word.starts_with(&format!("{gateway}_"));
            let is_shown = !code.block.as_deref().is_some_and(|language| SOURCE.contains(&language));
            let is_named = right.iter().any(is_tool) && is_shown && (word.contains('_') || code.text.trim() == word);
            return (is_prefixed && !right.is_empty() || is_named).then_some((breach.message, right));
        }
        let own = word.strip_prefix(&convention.in_full("")?).filter(|own| !own.is_empty())?;
        if !self.known {
            return None;
        }
        let near = nearest(word, self.full.iter().map(String::as_str));
        let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        Some((format!("the gateway has no tool `{own}`{hint}"), near.map(str::to_string).into_iter().collect()))
    }
}

/// Returns the words of some code that may be names, with their byte ranges. Parts of a path, parts of a member
/// expression, and forms with a placeholder such as `mcp__<gateway>__<tool>` are left out.
pub(super) fn words(text: &str) -> impl Iterator<Item = (std::ops::Range<usize>, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text[at..].find(is_part)?;
            let end = text[start..].find(|c| !is_part(c)).map_or(text.len(), |length| start + length);
            at = end;
            let word = text[start..end].trim_matches('-');
            let before = text[..start].chars().next_back();
            let mut behind = text[end..].chars();
            let (next, after) = (behind.next(), behind.next());
            let is_longer = matches!(next, Some('<' | '*' | '{' | '[' | '…' | '/' | ':' | '\\' | '='))
                && !(next == Some(':') && after.is_none_or(char::is_whitespace));
            let is_member = next == Some('.') && after.is_some_and(char::is_alphanumeric);
            let is_inside = matches!(before, Some('/' | '.' | '@' | '$' | '>' | '}' | '*' | '\\'));
            if is_longer || is_member || is_inside || word.is_empty() {
                continue;
            }
            let from = start + (text[start..end].len() - text[start..end].trim_start_matches('-').len());
            return Some((from..from + word.len(), word));
        }
    })
}
