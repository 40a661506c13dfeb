//! Options of command lines: `--allowedTools "mcp__notes__*,Bash(git *)"` in shell scripts, in the steps of workflows
//! and in the arguments that an action passes on. Options are found inside and outside quotes.

use std::cell::LazyCell;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, MatchKind};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::entry::{Entry, Layout, Parting};
use super::facts::List;
use super::read::{divided, read_part};
use super::{Client, Flag, Grammar, Own, Split};
use crate::document::{self, Node, Text};
use crate::text::Span;

/// The command-line options of some clients.
#[derive(Debug)]
pub(super) struct Flags {
    names: AhoCorasick,
    /// For each name, its client and the index of the option among the client's options.
    rows: Vec<(Arc<Client>, usize)>,
}

impl Flags {
    pub(super) fn of(clients: &[Arc<Client>]) -> Flags {
        let all = clients.iter().flat_map(|client| client.flags.iter().enumerate().map(move |flag| (client, flag)));
        let named = all.flat_map(|(client, (index, flag))| {
            flag.names.iter().map(move |name| (name.as_str(), (Arc::clone(client), index)))
        });
        let (names, rows): (Vec<&str>, Vec<(Arc<Client>, usize)>) = named.unzip();
        let names = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(names);
        Flags { names: names.expect("names make an automaton"), rows }
    }

    /// The lists of strings in the values of the options in a text.
    pub(super) fn lists(&self, text: &str) -> Vec<List> {
        let mut lists = Vec::new();
        let source: LazyCell<Arc<str>, _> = LazyCell::new(|| Arc::from(text));
        let mut lines = Lines::default();
        for found in self.names.find_iter(text) {
            let (client, flag) = &self.rows[found.pattern().as_usize()];
            let flag = &client.flags[*flag];
            let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
            let is_whole = !text[..found.start()].ends_with(is_part) && !text[found.end()..].starts_with(is_part);
            lines.go_on(text, found.start());
            if !is_whole
                || lines.is_commented(text)
                || flag.not_of.iter().any(|other| lines.has(text, other, found.start()))
            {
                continue;
            }
            let scope = lines.command as u32;
            if let Some(name) = &flag.holds {
                let held = held(client, name, text, found.end(), &|| Arc::clone(&source)).into_iter();
                lists.extend(held.map(|list| List { scope, is_apart: true, ..list }));
                continue;
            }
            let grammar = flag.grammar.as_ref().unwrap_or(&client.names);
            for value in values(flag, text, found.end()) {
                let value = Text { text: text[value.range()].to_string(), span: value, verbatim: true };
                let nodes = divided(&value, flag.split);
                if is_prose(&client.names, &nodes, &text[..value.span.start as usize]) {
                    continue;
                }
                let parting = Parting::Always(between(flag, &nodes, text));
                let entries = nodes.iter().enumerate().filter_map(|(index, node)| {
                    // A shell variable may have any value.
                    node.as_str().filter(|named| !named.contains(['$', '`', '{']))?;
                    Some(Entry { element: Some(index as u32), ..Entry::new(node)? })
                });
                let list = List::elsewhere(client, flag.list, flag.wildcards, grammar, scope, value.span);
                let layout = Layout::of(Arc::clone(&source), &nodes, Some(parting));
                lists.push(List { layout, entries: entries.collect(), ..list });
            }
        }
        lists
    }
}

/// The lists in the value of the option whose name ends at `from`. The value is JSON, in the form of the client's file
/// whose name ends in `name`.
fn held(client: &Arc<Client>, name: &str, text: &str, from: usize, source: &dyn Fn() -> Arc<str>) -> Vec<List> {
    let Some((span, _)) = value(text, from).filter(|(span, _)| text[span.range()].trim_start().starts_with('{')) else {
        return Vec::new();
    };
    let file = client.files.iter().find(|file| file.files.iter().any(|glob| glob.ends_with(name)));
    // Shift the spans from the JSON to the surrounding text.
    let root = document::parse_json(&text[span.range()]).root.map(|root| root.shifted(span.start));
    root.zip(file).map_or(Vec::new(), |(root, file)| read_part(client, file, &root, text, source).lists)
}

/// Whether the words after an option belong to a sentence about the option: there are several, without a quote or line
/// break before them, and the first is in lower case, unlike any tool of the client.
fn is_prose(names: &Grammar, words: &[Node], before: &str) -> bool {
    let is_word = |text: &str| text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_lowercase());
    let first = words.first().and_then(Node::as_str);
    matches!(names.own, Own::Capitalised | Own::CapitalisedOrAll)
        && !before.ends_with(['"', '\'', '\n'])
        && words.len() > 1
        && first.is_some_and(is_word)
}

/// The spans of the values of the option whose name ends at `from`.
fn values(flag: &Flag, text: &str, mut from: usize) -> Vec<Span> {
    let is_key = text[..from].ends_with(':');
    let mut values = Vec::new();
    while let Some((value, end)) = value(text, from) {
        // A quote that ends the surrounding string does not begin a value.
        if !values.is_empty() && text[value.range()].contains('\n') {
            break;
        }
        values.push(value);
        from = end;
        if !flag.many || is_key || text[from..].trim_start().starts_with('-') {
            break;
        }
    }
    values
}

/// The separator to write before another string of an option: the one between the first two strings, if there are two.
/// Otherwise it is a comma, since a space would end an option's value, or a space after a YAML key whose strings may be
/// separated by spaces.
fn between(flag: &Flag, nodes: &[Node], text: &str) -> SmolStr {
    if let [first, second, ..] = nodes
        && let Some(written) = text.get(first.span.end as usize..second.span.start as usize)
    {
        return written.into();
    }
    let is_option = flag.names.iter().any(|name| name.starts_with('-'));
    SmolStr::new_static(if is_option || flag.split == Split::Commas { "," } else { " " })
}

/// Returns the span of the value of the option whose name ends at `from`, and the offset at which the value ends,
/// including its quotes. The value is inside quotes or consists of the words before the next option. `None` if there is
/// no value.
fn value(text: &str, from: usize) -> Option<(Span, usize)> {
    let rest = &text[from..];
    let mut value = rest.trim_start_matches([' ', '\t', '=']);
    // In a shell, a backslash at the end of a line continues the command on the next one.
    while let Some(next) = value.strip_prefix("\\\n").or_else(|| value.strip_prefix("\\\r\n")) {
        value = next.trim_start_matches([' ', '\t']);
    }
    if value.len() == rest.len() {
        return None;
    }
    let start = text.len() - value.len();
    let rest = value;
    if let Some(block) = block(text, from, start) {
        return Some((block, block.end as usize));
    }
    // In a string of JSON or YAML a quote is escaped.
    for quote in ["\\\"", "\"", "'"] {
        if let Some(inside) = rest.strip_prefix(quote) {
            let end = start + quote.len() + as_far_as_is_read(inside).find(quote)?;
            return Some((Span::new(start + quote.len(), end), end + quote.len()));
        }
    }
    let mut depth = 0usize;
    let mut end = 0;
    let mut previous = ' ';
    for (at, c) in rest.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => break,
            ')' => depth -= 1,
            '\n' | '\r' | '"' | '\'' | ';' | '|' | '&' | '>' | '<' | '\\' | '#' if depth == 0 => break,
            '-' if depth == 0 && previous.is_whitespace() => break,
            '\n' => break,
            _ => {}
        }
        previous = c;
        end = at + c.len_utf8();
    }
    let value = rest[..end].trim_end();
    (!value.is_empty()).then(|| (Span::new(start, start + value.len()), start + value.len()))
}

/// The span of the lines of a YAML block, `key: |`: those with more indentation than the key. The name of the key ends
/// at `key`, and the header of the block is at `start`. `None` if there is no such block.
fn block(text: &str, key: usize, start: usize) -> Option<Span> {
    if !text[..key].ends_with(':') {
        return None;
    }
    let (head, lines) = text[start..].split_once('\n')?;
    let head = head.trim_end();
    if !head.starts_with(['|', '>']) || !head.trim_start_matches(['|', '>', '-', '+']).is_empty() {
        return None;
    }
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let line = text[..key].rfind('\n').map_or(0, |newline| newline + 1);
    let own = indent(&text[line..]);
    let from = text.len() - lines.len();
    let mut end = from;
    for line in lines.split_inclusive('\n') {
        if !line.trim().is_empty() && indent(line) <= own {
            break;
        }
        end += line.len();
    }
    (end > from).then(|| Span::new(from, end))
}

/// The maximum number of bytes that are read of an option's value: the closing quote may be missing.
const MOST_OF_VALUE: usize = 64 * 1024;

fn as_far_as_is_read(text: &str) -> &str {
    let end = (0..=text.len().min(MOST_OF_VALUE)).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

/// The lines around a position that advances through a text; each line is examined once.
#[derive(Default)]
struct Lines {
    /// The start of the line that contains the position.
    line: usize,
    /// The start of the command that contains the position; a backslash at the end of a line continues the command.
    command: usize,
    /// The position up to which the text was searched for line breaks.
    read: usize,
    /// The words that the command was searched for, each with the position up to which it was searched and whether the
    /// word was found.
    words: FxHashMap<SmolStr, (usize, bool)>,
}

impl Lines {
    /// Advances to a position.
    fn go_on(&mut self, text: &str, at: usize) {
        while let Some(line_break) = text.get(self.read..at).and_then(|rest| rest.find('\n')) {
            let end = self.read + line_break;
            self.read = end + 1;
            self.line = end + 1;
            if !text[..end].trim_end_matches('\r').ends_with('\\') {
                self.command = end + 1;
                self.words.clear();
            }
        }
        self.read = self.read.max(at);
    }

    /// Whether the line is a comment.
    fn is_commented(&self, text: &str) -> bool {
        text[self.line..].trim_start_matches([' ', '\t']).starts_with('#')
    }

    /// Whether a word occurs in the command before the position.
    fn has(&mut self, text: &str, word: &SmolStr, at: usize) -> bool {
        let (read, is_there) = self.words.entry(word.clone()).or_insert((self.command, false));
        if !*is_there {
            *is_there = text[*read..at].contains(word.as_str());
            // A word may extend across the position.
            let before = at.saturating_sub(word.len()).max(*read);
            *read = (before..=at).find(|at| text.is_char_boundary(*at)).unwrap_or(at);
        }
        *is_there
    }
}
