//! `docs-count`: a document states a wrong number of tools.

use rustc_hash::FxHashSet;

use super::subject::Subject;
use crate::client::{Client, Clients};
use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::document::{Markdown, Prose};
use crate::rules::{Cx, Rule, Scope};
use crate::text::Span;

pub(crate) const RULE: Rule =
    Rule { id: "docs-count", default: Severity::Info, scope: Scope::Workspace, docs: include_str!("count.md") };

/// Words that, before a number, show that the number counts all tools. After other words, the number may count only
/// some tools, or something else.
const ALL: [&str; 20] = [
    "all", "are", "brings", "bundles", "contains", "exposes", "gives", "has", "have", "includes", "its", "lists",
    "offers", "our", "provides", "serves", "ships", "the", "total", "with",
];
/// Words that show that a sentence is about a limit, some of the tools, or the past.
const ELSE: [&str; 21] = [
    "accept", "accepts", "above", "below", "least", "limit", "limits", "max", "maximum", "most", "more", "than",
    "under", "until", "up", "used", "v0", "v1", "v2", "was", "were",
];

/// Ambiguous words of [`ALL`]: they count only in a sentence about this server.
const WEAK: [&str; 4] = ["has", "have", "the", "with"];
/// First words of sentences about this server, in addition to its name.
const SUBJECTS: [&str; 8] = ["all", "it", "our", "the", "these", "this", "use", "we"];

/// Words allowed between a number and `tools`.
const BETWEEN: [&str; 3] = ["MCP", "available", "different"];

pub(super) fn check(cx: &Cx<'_>, subjects: &[Subject<'_>], markdown: &Markdown, diagnostics: &mut Vec<Diagnostic>) {
    let convention = &cx.policy.convention;
    let gateway = convention.gateway.as_ref().map_or("", |gateway| gateway.name.as_str());
    if !subjects.iter().all(Subject::is_known) {
        return;
    }
    let count: usize = subjects.iter().map(|subject| subject.server.tools.len()).sum();
    let definitions = subjects.iter().flat_map(|subject| &subject.server.tools);
    let own = definitions.filter_map(|tool| convention.front_of(tool.judged(convention).0));
    let groups: FxHashSet<String> =
        convention.vocabulary("server").iter().cloned().chain(own).map(|group| group.to_ascii_lowercase()).collect();
    // Text under a heading that names a server is about that server.
    let mut of_group: Option<u8> = None;
    for prose in &markdown.prose {
        let names_group = |text: &str| words(text).any(|word| groups.contains(&word.to_ascii_lowercase()));
        match prose.heading {
            Some(level) if names_group(&prose.text) => of_group = Some(level),
            Some(level) if of_group.is_some_and(|above| level <= above) => of_group = None,
            _ => {}
        }
        if of_group.is_some() {
            continue;
        }
        for (stated, span) in stated(prose, gateway) {
            let at = (span.start - prose.span.start) as usize;
            if stated == count
                || names_group(&sentence(&prose.text, at))
                || is_of_something_else(&sentence(&prose.text, at))
                || cx.policy.allows(RULE.id, &stated.to_string())
            {
                continue;
            }
            let message = match count {
                1 => "wrong number of tools: there is 1".to_string(),
                count => format!("wrong number of tools: there are {count}"),
            };
            let fix = Fix::replace(format!("change to {count}"), cx.file.id, span, count.to_string()).marked_unsafe();
            diagnostics.push(cx.diagnostic(&RULE, span, message).with_fixes([fix]));
        }
    }
}

/// Returns the sentence around a byte offset, without the code in it.
fn sentence(text: &str, at: usize) -> String {
    // A paragraph may be long, so search outwards from the offset for the nearest ends of sentences.
    let ends = [". ", ".\n", ": ", "; ", "\n"];
    let begins = |from: usize| ends.iter().find(|end| text[from..].starts_with(**end));
    let before = text[..at].char_indices().rev().map(|(from, _)| from);
    let start = before.filter_map(|from| Some(from + begins(from)?.len())).find(|start| *start <= at).unwrap_or(0);
    let mut behind = text[at..].char_indices().map(|(from, _)| at + from);
    let end = behind.find(|from| begins(*from).is_some()).unwrap_or(text.len());
    text[start..end].split('`').step_by(2).collect()
}

/// Whether a sentence is about a limit, some of the tools, the past, or a client.
fn is_of_something_else(sentence: &str) -> bool {
    let is_client = |client: &Client| {
        let first = sentence.find(client.name.as_str());
        first.is_some_and(|at| sentence[..at].split_whitespace().count() < 2)
    };
    ELSE.iter().any(|word| holds_word(sentence, word)) || Clients::built_in().iter().any(|client| is_client(client))
}

fn holds_word(text: &str, word: &str) -> bool {
    words(text).any(|part| part.eq_ignore_ascii_case(word))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Returns every number of tools that a text states, with the span of the number in the file.
fn stated(prose: &Prose, gateway: &str) -> Vec<(usize, Span)> {
    let words: Vec<(usize, &str)> = prose
        .text
        .split_whitespace()
        .map(|word| (word.as_ptr() as usize - prose.text.as_ptr() as usize, word))
        .collect();
    let mut found = Vec::new();
    for (index, (at, word)) in words.iter().enumerate() {
        let bare = word.trim_matches(['(', '*', '_', '[', '"', ')', ']', '.', ',']);
        let Some(number) = number(bare) else { continue };
        let behind =
            |steps: usize| words.get(index + steps).map(|(_, word)| word.trim_matches(|c: char| !c.is_alphanumeric()));
        let is_between = |word: &str| BETWEEN.contains(&word) || word.eq_ignore_ascii_case(gateway);
        let between = behind(1).is_some_and(is_between);
        let counts_tools = behind(if between { 2 } else { 1 }).is_some_and(|word| word.eq_ignore_ascii_case("tools"));
        let word_before = |steps: usize| {
            let word = index.checked_sub(steps).map(|before| words[before].1.to_lowercase()).unwrap_or_default();
            word.trim_matches(|c: char| !c.is_alphanumeric()).to_string()
        };
        let before = match word_before(1).as_str() {
            "of" => word_before(2),
            word => word.to_string(),
        };
        // `(28 tools)`, `28 tools` at the start of a line.
        let opens = *at == 0 || word.starts_with(['(', '[']) || prose.text[..*at].ends_with('\n');
        // `Tool count: 28`, `Total tools: 28`, `**Tools**: 28`.
        let has_colon = index > 0 && words[index - 1].1.trim_end_matches(['*', '_']).ends_with(':');
        let labelled = match (word_before(2).as_str(), word_before(1).as_str()) {
            ("tool" | "tools", "count") | ("total", "tools") => true,
            (_, "tools") => has_colon,
            _ => false,
        };
        let start = sentence(&prose.text, *at);
        let subject = start.split_whitespace().next().unwrap_or("").to_lowercase();
        let subject = subject.trim_matches(|c: char| !c.is_alphanumeric());
        // `One gateway with 28 tools.`
        let is_servers = ["gateway", "server"].contains(&word_before(2).as_str());
        let is_ours = SUBJECTS.contains(&subject) || subject == gateway || subject.is_empty() || is_servers;
        let is_said = ALL.contains(&before.as_str()) && (is_ours || !WEAK.contains(&before.as_str()));
        if !(counts_tools && (opens || is_said) || labelled) {
            continue;
        }
        let start = at + word.find(bare).unwrap_or(0);
        found.push((number, prose.span.slice(start, start + bare.len())));
    }
    found
}

/// Parses a number that is written in digits or, up to ninety-nine, in words; `None` for any other text.
fn number(text: &str) -> Option<usize> {
    const ONES: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().ok();
    }
    let lower = text.to_lowercase();
    let one = |word: &str| ONES.iter().position(|one| *one == word);
    let ten = |word: &str| TENS.iter().position(|ten| *ten == word).map(|at| 20 + 10 * at);
    match lower.split_once('-') {
        Some((tens, ones)) => Some(ten(tens)? + one(ones).filter(|ones| (1..10).contains(ones))?),
        None => one(&lower).or_else(|| ten(&lower)),
    }
}
