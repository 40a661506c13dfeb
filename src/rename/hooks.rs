//! Hooks that decide about a call by a part of the tool's name, such as `grep -q __delete_`. A client runs them before
//! a call, and they may forbid it. Hooks are not evaluated: if a text in a hook occurs in only one of the two names,
//! the rename is refused, unless the strings of the same file have both names or get both.

use std::collections::BTreeSet;

use super::prose::Names;
use super::refusal::{Left, Loosens, Looser, Why};
use super::work::Work;
use super::{Plan, Target, guards, read_file, short_name_in};
use crate::client::{ClientFacts, Hook, ListKind};
use crate::diagnostic::Edits;
use crate::path::{DEEPEST, folders_above, joined};
use crate::site::{self};
use crate::syntax::{self, Family, Language};
use crate::text::{Span, apply_edits};
use crate::workspace::{Snapshot, Surroundings};

/// The cost of looking for a file, in steps.
const OF_PATH: usize = 50;

/// The cost of matching a regular expression, in steps.
const OF_EXPRESSION: usize = 200;

/// The shortest text that is taken for a part of a name, in characters.
const SHORTEST: usize = 3;

/// Refuses a rename after which a hook may decide differently.
///
/// # Errors
/// Returns the first text of a hook that distinguishes the two names, unless `force` is set; or [`Why::TooMuch`].
pub(super) fn hold(
    snapshot: &Snapshot,
    target: Target<'_>,
    (new, force): (&str, bool),
    around: &dyn Surroundings,
    plan: &mut Plan,
) -> Result<(), Why> {
    let (old_part, new_part) = (target.tool.short_name(), short_name_in(target.tool, new).unwrap_or(new));
    let mut names: Vec<(String, String)> =
        Names::composed(snapshot, target, new).into_iter().map(|form| (form.old, form.new)).collect();
    names.push((format!("__{}", target.tool.name), format!("__{new}")));
    let lower: Vec<(String, String)> =
        names.iter().map(|(old, new)| (old.to_lowercase(), new.to_lowercase())).collect();
    let (work, edits) = (Work::default(), plan.edits());
    let apart = |text: &str| {
        let text = text.to_lowercase();
        let is_whole = lower.iter().any(|(old, _)| *old == text);
        let differs = |(old, new): &(String, String)| old.contains(&text) != new.contains(&text);
        text.len() >= SHORTEST && work.take(1 + lower.len()) && !is_whole && lower.iter().any(differs)
    };
    for file in snapshot.files.all() {
        for facts in snapshot.client_facts(file.id) {
            let mut commands = Commands { around, work: &work, seen: BTreeSet::new() };
            for hook in facts.hooks.iter().filter(|hook| runs_at(facts, hook, (&names, &work))) {
                for Source { path, text, at, reading } in commands.of(&file.path, hook) {
                    let all = parts(&text, reading);
                    let apart: Vec<Span> = all.iter().copied().filter(|span| apart(&text[span.range()])).collect();
                    let Some(&span) = apart.first() else { continue };
                    // Whoever wrote the new name beside a part of the old one has seen to both. An edit of the rename does
                    // so only in code: not in a sentence about the hook.
                    let is_of_old = |span: &Span| {
                        let part = text[span.range()].to_lowercase();
                        lower.iter().any(|(old, _)| old.contains(&part))
                    };
                    let says = |part: &str, names: [&str; 2]| names.iter().any(|name| guards::is_said(part, name));
                    let in_code = |text: &str, names| {
                        parts(text, reading).into_iter().any(|span| says(&text[span.range()], names))
                    };
                    let (old_names, new_names) = ([target.tool.name.as_str(), old_part], [new, new_part]);
                    let gets_both = || {
                        let edited = edited(snapshot, (plan, &edits), &path, &text);
                        in_code(&text, old_names) && in_code(&edited, new_names)
                    };
                    let is_updated = || apart.iter().any(is_of_old) && (says(&text, new_names) || gets_both());
                    if new_part != old_part && is_updated() {
                        continue;
                    }
                    let part = text[span.range()].to_string();
                    if force {
                        let span = span.shifted(at.unwrap_or(0));
                        match snapshot.files.by_path(&path) {
                            Some(file) => plan.skip(file.id, span, Left::Condition(part)),
                            None => plan.document(&path, &text).skipped.push((span, Left::Condition(part))),
                        }
                        continue;
                    }
                    let before = match at {
                        Some(at) => around.text(&path).map_or(0, |all| lines_before(&all, at)),
                        None => lines_before(&text, span.start),
                    };
                    let lacking = if is_of_old(&span) { new } else { target.tool.name.as_str() };
                    let how = Looser::HookReads { line: before + 1, new: lacking.to_string() };
                    return Err(Why::Loosens(Loosens { path, entry: part, how }));
                }
            }
        }
    }
    if work.is_out() { Err(Why::TooMuch) } else { Ok(()) }
}

fn lines_before(text: &str, at: u32) -> u32 {
    text.get(..at as usize).map_or(0, |before| before.matches('\n').count() as u32)
}

/// Returns a text with the edits of the plan applied.
fn edited(snapshot: &Snapshot, (plan, edits): (&Plan, &Edits), path: &str, text: &str) -> String {
    let own = match read_file(snapshot, path, text) {
        Some(file) => edits.get(&file.id),
        None => plan.documents.get(path).filter(|document| document.text == text).map(|document| &document.edits),
    };
    own.and_then(|own| apply_edits(text, own)).unwrap_or_else(|| text.to_string())
}

/// Whether a hook runs for calls of the tool, under either name. A matcher that cannot be read counts as matching.
fn runs_at(facts: &ClientFacts, hook: &Hook, (names, work): (&[(String, String)], &Work)) -> bool {
    let lists = || facts.lists.iter().filter(|list| list.kind == ListKind::Hook);
    if !work.take(1 + lists().map(|list| list.entries.len()).sum::<usize>() / 16) {
        return false;
    }
    let matchers = lists().flat_map(|list| list.entries.iter().map(move |entry| (list, entry)));
    let mut matchers = matchers.filter(|(_, entry)| hook.span.contains(entry.text.span)).peekable();
    if matchers.peek().is_none() {
        return true;
    }
    matchers.any(|(list, entry)| {
        let text = entry.text.text.as_str();
        if !work.take(OF_EXPRESSION * names.len()) {
            return false;
        }
        let expression = list.expression(text);
        let fits = |name: &str| match &expression {
            Some(expression) => expression.is_match(name) != Some(false),
            None => text == name || !list.is_exact(text, None),
        };
        matches!(text, "" | "*") || names.iter().any(|(old, new)| fits(old) || fits(new))
    })
}

/// The kind of a text. It determines which parts of the text may be compared with names.
#[derive(Clone, Copy)]
enum Reading {
    /// A program with a grammar: the contents of its strings.
    Code(Language),
    /// A shell script or command line.
    Shell,
    /// Anything else: words between quotes and punctuation.
    Words,
}

/// A command of a hook, or a file that it leads to.
struct Source {
    path: String,
    text: String,
    /// The offset of the command in the file, in bytes; `None` if the source is the whole file.
    at: Option<u32>,
    reading: Reading,
}

/// The commands of hooks and the files that they lead to, directly or through other files.
struct Commands<'a> {
    around: &'a dyn Surroundings,
    work: &'a Work,
    seen: BTreeSet<String>,
}

impl Commands<'_> {
    fn of(&mut self, path: &str, hook: &Hook) -> Vec<Source> {
        let mut found: Vec<Source> = Vec::new();
        for text in &hook.commands {
            let (path, at) = (path.to_string(), Some(text.span.start));
            found.push(Source { path, text: text.text.clone(), at, reading: Reading::Shell });
        }
        let mut next = 0;
        while let Some(source) = found.get(next) {
            next += 1;
            for path in self.files_named(source) {
                let Some(text) = self.around.text(&path) else { continue };
                let is_shell = text.starts_with("#!") || [".sh", ".bash", ".zsh"].iter().any(|end| path.ends_with(end));
                let reading = match Language::of_path(&path) {
                    Some(language) if language.family().is_some() => Reading::Code(language),
                    _ if is_shell => Reading::Shell,
                    _ => Reading::Words,
                };
                found.push(Source { path, text, at: None, reading });
            }
        }
        found
    }

    /// Returns the existing files that paths in a text lead to, relative to any folder above the text's own file. A
    /// path may begin with a variable or be absolute, so its tails are tried as well.
    fn files_named(&mut self, source: &Source) -> Vec<String> {
        let bases: Vec<&str> = folders_above(&source.path).collect();
        let mut found = Vec::new();
        for word in paths_in(source) {
            let starts: Vec<usize> = std::iter::once(0).chain(word.match_indices('/').map(|(at, _)| at + 1)).collect();
            let near = &starts[starts.len().saturating_sub(DEEPEST)..];
            let is_path = |way: &&str| way.contains('.') || way.contains('/') && way.len() == word.len();
            for way in near.iter().filter_map(|&at| word.get(at..)).filter(is_path) {
                for path in bases.iter().filter_map(|base| joined(base, way)) {
                    let may_be = path != source.path && !self.seen.contains(&path);
                    // Looking for a file reads the disk, so it counts as work.
                    if may_be && self.work.take(OF_PATH + way.len()) && self.around.text(&path).is_some() {
                        self.seen.insert(path.clone());
                        found.push(path);
                    }
                }
            }
        }
        found
    }
}

/// The words of a text that may be paths, and those of the modules that a program imports.
fn paths_in(source: &Source) -> Vec<String> {
    let is_of_path = |c: char| c.is_alphanumeric() || "._-/".contains(c);
    let words = || source.text.split(|c| !is_of_path(c)).filter(|word| !word.is_empty());
    let mut found: Vec<String> = words().filter(|word| word.contains(['.', '/'])).map(str::to_string).collect();
    match source.reading {
        Reading::Code(language) if language.family() == Some(Family::Python) => {
            let modules = source.text.lines().filter_map(|line| {
                let line = line.trim_start();
                line.strip_prefix("from ").or_else(|| line.strip_prefix("import "))
            });
            let modules = modules.flat_map(|rest| rest.split(" import ").next().unwrap_or_default().split(','));
            let modules = modules.filter_map(|module| module.split_whitespace().next());
            found.extend(modules.map(module_path));
        }
        Reading::Code(_) => {
            let relative = words().filter(|word| word.starts_with("./") || word.starts_with("../"));
            found.extend(relative.flat_map(|word| SCRIPTS.map(|end| format!("{word}{end}"))));
        }
        Reading::Shell => {
            let after = |option: &'static str| words().skip_while(move |word| *word != option).nth(1);
            found.extend(after("-m").map(module_path));
            // A command in another folder: `cd .claude/hooks && python3 guard.py`.
            let inside = after("cd").map(|folder| folder.trim_end_matches('/'));
            let named: Vec<String> = inside
                .map(|folder| {
                    words().filter(|word| word.contains('.')).map(|word| format!("{folder}/{word}")).collect()
                })
                .unwrap_or_default();
            found.extend(named);
        }
        Reading::Words => {}
    }
    found
}

/// The ends that a module of JavaScript may have where an import leaves them out.
const SCRIPTS: [&str; 5] = [".js", ".mjs", ".cjs", ".ts", "/index.js"];

/// The path of a module of Python, relative to the file or to what Python is started in: `guards/deny.py`.
fn module_path(module: &str) -> String {
    format!("{}.py", module.trim_start_matches('.').replace('.', "/"))
}

/// The runs of name characters in a text that may be compared with a name.
fn parts(text: &str, reading: Reading) -> Vec<Span> {
    match reading {
        Reading::Code(language) => {
            let Some(tree) = syntax::parse(language, text, None) else { return parts(text, Reading::Words) };
            let literals = site::texts(&tree);
            literals.into_iter().flat_map(|literal| of_literal(text, literal)).collect()
        }
        Reading::Shell => of_shell(text),
        Reading::Words => {
            let mut found = Vec::new();
            let is_sign = |c: char| "\"'`,:;=[]{}()<>\n".contains(c);
            for span in pieces(text, Span::new(0, text.len()), is_sign) {
                let piece = &text[span.range()];
                let bare = piece.trim_start_matches(['-', '*', ' ', '\t', '#']).trim_end();
                if !bare.contains(char::is_whitespace) {
                    found.extend(runs(text, span));
                }
            }
            found
        }
    }
}

/// Splits a span of a text at the characters for which `parts` holds.
fn pieces(text: &str, within: Span, parts: impl Fn(char) -> bool) -> Vec<Span> {
    let mut at = within.start as usize;
    let pieces = text[within.range()].split(parts);
    let mut found = Vec::new();
    for piece in pieces {
        found.push(Span::new(at, at + piece.len()));
        at += piece.len();
        at += text[at..].chars().next().map_or(0, char::len_utf8);
    }
    found
}

/// Returns the runs of name characters in a span, without those that have no letter.
fn runs(text: &str, within: Span) -> Vec<Span> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let has_letter = |span: &Span| text[span.range()].contains(|c: char| c.is_ascii_alphabetic());
    // The letter after a backslash belongs to it: `\bread`.
    let without_escape = |span: Span| {
        let is_escaped = text[..span.start as usize].ends_with('\\') && text[span.range()].starts_with(['b', 'B']);
        if is_escaped { Span { start: span.start + 1, ..span } } else { span }
    };
    pieces(text, within, |c| !is_name(c)).into_iter().map(without_escape).filter(has_letter).collect()
}

/// Returns the runs of name characters in a string literal, without the words of sentences and without members and
/// calls in embedded code.
fn of_literal(text: &str, literal: Span) -> Vec<Span> {
    let written = &text[literal.range()];
    let has_words = written.contains(char::is_whitespace);
    let stands_out = |span: &Span| {
        let before = text[literal.start as usize..span.start as usize].chars().next_back();
        let after = text[span.end as usize..literal.end as usize].chars().next();
        let is_gap = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || ".,;:!?".contains(c));
        let is_member = before == Some('.') && after.is_none_or(|c| c.is_whitespace() || "(),;]:".contains(c));
        let is_call = after == Some('(') && before.is_none_or(|c| c.is_whitespace() || ".(!=,;".contains(c));
        !(has_words && (is_gap(before) && is_gap(after) || is_member || is_call))
    };
    runs(text, literal).into_iter().filter(stands_out).collect()
}

/// Returns the runs of name characters in a shell command: in strings, patterns, and words that are neither commands
/// nor options.
fn of_shell(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut begins_command = true;
    let mut rest = 0;
    while let Some(c) = text[rest..].chars().next() {
        let at = rest;
        match c {
            '\'' | '"' => {
                let end = end_of_quoted(text, at, c);
                found.extend(of_literal(text, Span::new(at + 1, end)));
                rest = (end + 1).min(text.len());
                begins_command = false;
            }
            '#' if text[..at].chars().next_back().is_none_or(char::is_whitespace) => {
                rest = text[at..].find('\n').map_or(text.len(), |length| at + length);
            }
            '\n' | ';' | '&' | '(' | ')' | '{' => (rest, begins_command) = (at + 1, true),
            '|' if text[at + 1..].starts_with([' ', '|', '\n']) => (rest, begins_command) = (at + 1, true),
            c if c.is_whitespace() || c == '}' => rest = at + c.len_utf8(),
            _ => {
                let ends = |c: char| c.is_whitespace() || "'\";&(){}".contains(c);
                let length = text[at..].find(ends).unwrap_or(text.len() - at).max(c.len_utf8());
                rest = at + length;
                let word = &text[at..rest];
                let value = word.find('=').map_or(0, |at| at + 1);
                let is_pattern = word.contains(['*', '?', '[']) || text[rest..].trim_start().starts_with(')');
                let is_word = value > 0 || !begins_command && !word.starts_with(['-', '$']);
                if is_pattern || is_word {
                    found.extend(runs(text, Span::new(at + value, rest)));
                }
                const STARTS: [&str; 9] = ["if", "then", "else", "elif", "do", "while", "until", "!", "time"];
                begins_command = STARTS.contains(&word) || begins_command && value > 0;
            }
        }
    }
    found
}

/// Returns the byte offset of the closing quote of the string that opens at `at`, or the end of the text if there is
/// none.
fn end_of_quoted(text: &str, at: usize, quote: char) -> usize {
    let mut is_escaped = false;
    for (offset, c) in text[at + 1..].char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if quote == '"' => is_escaped = true,
            c if c == quote => return at + 1 + offset,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{Reading, parts};
    use crate::syntax::Language;

    fn check(reading: Reading, text: &str, expected: &[&str]) {
        let found: Vec<&str> = parts(text, reading).into_iter().map(|span| &text[span.range()]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn commands_have_strings_patterns_and_arguments() {
        let shell = |text: &str, expected: &[&str]| check(Reading::Shell, text, expected);
        shell("jq -r .tool_name | grep -q __delete_ && exit 2", &["tool_name", "__delete_"]);
        shell(
            "case $t in\n  mcp__*__delete*) exit 2 ;;\n  *drop*|kill) ;;\nesac",
            &["in", "mcp__", "__delete", "drop", "kill"],
        );
        shell("if [[ \"$t\" == *__delete* ]]; then echo \"never delete a note\"; fi", &["t", "__delete"]);
        shell("# never delete\nlist=delete_note", &["delete_note"]);
        shell("jq 'select(.tool_name | contains(\"delete\"))'", &["delete"]);
        shell("python3 -c \"d = json.load(f); sys.exit('delete' in d.get('t'))\"", &["f", "delete", "t"]);
    }

    #[test]
    fn programs_have_the_contents_of_their_strings() {
        let code = |text: &str, expected: &[&str]| check(Reading::Code(Language::Python), text, expected);
        code("del x\nif '__delete_' in name: deny('cannot delete notes')", &["__delete_"]);
        code("name.startswith('mcp__' + 'notes__' + 'delete')", &["mcp__", "notes__", "delete"]);
        code("re.match(r'mcp__.*__(delete|drop)_', name)", &["mcp__", "delete", "drop"]);
    }

    #[test]
    fn lists_have_words_between_quotes_and_signs() {
        let words = |text: &str, expected: &[&str]| check(Reading::Words, text, expected);
        words("{\"deny\": [\"delete_note\", \"a sentence to delete\"]}", &["deny", "delete_note"]);
        words("delete_note\n- drop_note\nNever delete it.\n", &["delete_note", "drop_note"]);
    }
}
