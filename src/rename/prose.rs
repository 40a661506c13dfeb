//! What speaks of a tool: documents, descriptions and prompts, comments, tests, recorded answers.
//!
//! Where a name stands by itself it is the tool's: composed as a client composes it, or of several words. A name of one word
//! may be a word, so it is told and left alone.

use std::sync::{Arc, LazyLock};

use aho_corasick::{AhoCorasick, MatchKind};

use super::home::{self, Home, OF_ANOTHER};
use super::{Document, Group, Plan, Sources, Target, read_file};
use crate::client;
use crate::document::{self, Code};
use crate::name::Name;
use crate::path::{is_history, is_installed, is_test};
use crate::syntax::{self, Language, Stretch, Tree};
use crate::text::{Edit, Span};
use crate::workspace::{File, LOCK_FILE, Recorded, Snapshot};

/// Files that people read as they stand, by the end of their names.
const DOCUMENTS: [&str; 11] =
    [".md", ".mdx", ".mdc", ".markdown", ".rst", ".txt", ".adoc", ".asciidoc", ".org", ".html", ".prompt"];
/// Files of values, by the end of their names.
const DATA: [&str; 7] = [".json", ".jsonc", ".json5", ".yaml", ".yml", ".toml", ".snap"];

/// Fenced blocks whose words are what they say: what somebody types, reads or sends. In all others a name may be one of the
/// language's own, a column or a function.
const PLAIN_FENCES: [&str; 25] = [
    "",
    "text",
    "txt",
    "plain",
    "plaintext",
    "console",
    "terminal",
    "shell",
    "sh",
    "bash",
    "zsh",
    "powershell",
    "json",
    "jsonc",
    "json5",
    "yaml",
    "yml",
    "toml",
    "xml",
    "md",
    "markdown",
    "mermaid",
    "http",
    "prompt",
    "diff",
];

/// The words of texts that speak of tools; elsewhere than in the server's own package, they speak of MCP.
static OF_TOOLS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let words = AhoCorasick::builder().ascii_case_insensitive(true).build(["mcp", "tool"]);
    words.expect("two words make an automaton")
});

/// Why the name of a member is left alone.
const MEMBER: &str = "a member of the same name, which may be meant by it";

/// Why a string in source is left alone.
const OTHER_STRING: &str = "a string of the same text, which may mean something else";
/// The same, in the code that a document shows.
const OTHER_CODE: &str = "a name in code, which may be a function or a column";

/// Why what a client composes stays as it is while the old name is an alias.
const GUARD: &str = "the old name can still be called: where this forbids it, write the new name beside it";

/// What the old name comes to.
#[derive(Clone, Copy)]
pub(super) struct Old {
    /// Source still calls the tool so: then only what clients compose changes.
    pub(super) stays: bool,
    /// It can still be called: what may guard it stays.
    pub(super) goes_on: bool,
    /// And it is listed.
    pub(super) is_listed: bool,
}

/// Adds the edits that make every text follow which speaks of the tool.
pub(super) fn follow(
    snapshot: &Snapshot,
    target: Target<'_>,
    (new, old): (&str, Old),
    sources: Sources<'_>,
    plan: &mut Plan,
) {
    let mut names = Names::of(snapshot, target, new);
    names.all.retain(|name| !old.stays || matches!(name.kind, Kind::Composed | Kind::Loose));
    let words: Vec<String> = names.all.iter().map(|name| name.old.clone()).collect();
    let Ok(wanted) = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&words) else { return };
    let home = Home::of(snapshot, target);
    for (path, text) in sources.around.mentioning(&words) {
        if is_installed(&path) || is_kept(&path) {
            continue;
        }
        let file = read_file(snapshot, &path, &text);
        let reading = Reading::of(&path, &text);
        let reader = Reader { home: &home, path: &path, text: &text, old, reading: &reading };
        let mut document = Document::default();
        let mut is_told = false;
        for found in wanted.find_iter(&text) {
            let span = Span::new(found.start(), found.end());
            let name = &names.all[found.pattern().as_usize()];
            let is_changed = match file {
                Some(file) => plan.touches(file.id, span),
                None => plan
                    .documents
                    .get(&path)
                    .is_some_and(|known| known.edits.iter().any(|edit| edit.span.overlaps(span))),
            };
            if is_changed || is_entry(snapshot, file, span) {
                continue;
            }
            match (reader.meaning(snapshot, name, span), file) {
                (Meaning::Nothing, _) => {}
                (Meaning::Foreign, _) if is_told => {}
                (Meaning::Foreign, file) => {
                    is_told = true;
                    let reason = "it stands in a file of a language that is not read here";
                    match file {
                        Some(file) => plan.skip(file.id, span, reason),
                        None => document.skipped.push((span, reason.to_string())),
                    }
                }
                (Meaning::Tool(group), Some(file)) => {
                    plan.push(group, file.id, Edit::new(span, name.new.as_str()));
                }
                (Meaning::Beside(own, sign), file) => {
                    let quoted = text[own.range()].replace(&name.old, &name.new);
                    let edit = Edit::new(Span::at(own.start as usize), format!("{quoted}{sign}"));
                    match file {
                        Some(file) => plan.push(Group::Source, file.id, edit),
                        None => document.edits.push(edit),
                    }
                }
                (Meaning::Tool(_), None) => document.edits.push(Edit::new(span, name.new.as_str())),
                (Meaning::Guard, Some(file)) => plan.skip(file.id, span, GUARD),
                (Meaning::Guard, None) => document.skipped.push((span, GUARD.to_string())),
                (Meaning::Perhaps(reason), Some(file)) => plan.skip(file.id, span, reason),
                (Meaning::Perhaps(reason), None) => document.skipped.push((span, reason.to_string())),
            }
        }
        if !document.edits.is_empty() || !document.skipped.is_empty() {
            let known = plan.document(&path, &text);
            known.edits.append(&mut document.edits);
            known.skipped.append(&mut document.skipped);
        }
    }
}

/// Adds the edits that make what may guard a tool follow once its old name has gone: what a rename had left for the sake of the
/// alias. Who wrote the new name beside it has seen to it already.
pub(super) fn guards_follow(snapshot: &Snapshot, target: Target<'_>, new: &str, sources: Sources<'_>, plan: &mut Plan) {
    let mut forms = Names::composed(snapshot, target, new);
    forms.retain(|form| form.kind == Kind::Composed);
    forms.sort_by(|one, other| one.old.cmp(&other.old));
    forms.dedup_by(|one, other| one.old == other.old);
    let home = Home::of(snapshot, target);
    let words: Vec<String> = forms.iter().map(|form| form.old.clone()).collect();
    for (path, text) in sources.around.mentioning(&words) {
        if is_installed(&path) || is_kept(&path) {
            continue;
        }
        let file = read_file(snapshot, &path, &text);
        let reading = Reading::of(&path, &text);
        let old = Old { stays: false, goes_on: true, is_listed: false };
        let reader = Reader { home: &home, path: &path, text: &text, old, reading: &reading };
        for form in &forms {
            let guards = |word: &str| -> Vec<Span> {
                let places = text.match_indices(word).map(|(at, _)| Span::new(at, at + word.len()));
                let is_guard = |span: &Span| matches!(reader.meaning(snapshot, form, *span), Meaning::Guard);
                places.filter(is_guard).filter(|span| !is_entry(snapshot, file, *span)).collect()
            };
            if !guards(&form.new).is_empty() {
                continue;
            }
            for span in guards(&form.old) {
                let edit = Edit::new(span, form.new.as_str());
                match file {
                    Some(file) if plan.touches(file.id, span) => {}
                    Some(file) => plan.push(Group::Source, file.id, edit),
                    None => plan.document(&path, &text).edits.push(edit),
                }
            }
        }
    }
}

/// Whether a place belongs to an entry of a list or a hook: those follow by themselves.
fn is_entry(snapshot: &Snapshot, file: Option<&Arc<File>>, span: Span) -> bool {
    let facts = file.into_iter().flat_map(|file| snapshot.files.client_facts(file.id));
    let mut entries = facts.flat_map(|facts| &facts.lists).flat_map(|list| &list.entries);
    entries.any(|entry| entry.whole.contains(span))
}

/// The tool that a place of a text speaks of, and the characters that are its name there: those that a rename would change.
pub fn spoken_of<'a>(snapshot: &'a Snapshot, path: &str, text: &str, offset: u32) -> Option<(Span, Target<'a>)> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':');
    let (before, behind) = (text.get(..offset as usize)?, text.get(offset as usize..)?);
    let start = before.len() - before.chars().rev().take_while(|c| is_part(*c)).map(char::len_utf8).sum::<usize>();
    let end = before.len() + behind.chars().take_while(|c| is_part(*c)).map(char::len_utf8).sum::<usize>();
    let around = text.get(start..end).filter(|around| around.len() > 1)?;
    let reading = Reading::of(path, text);
    let old = Old { stays: false, goes_on: false, is_listed: false };
    let mut found: Option<(Span, Target<'a>)> = None;
    for (server, tool) in snapshot.analysis().tools().filter(|(_, tool)| around.contains(tool.name.as_str())) {
        let target = Target { server, tool };
        let home = Home::of(snapshot, target);
        let reader = Reader { home: &home, path, text, old, reading: &reading };
        // What it would be called does not matter for where it is named.
        let names = Names::of(snapshot, target, "\u{1}");
        for name in &names.all {
            for (at, _) in around.match_indices(name.old.as_str()) {
                let span = Span::new(start + at, start + at + name.old.len());
                let is_tool = span.touches(offset) && matches!(reader.meaning(snapshot, name, span), Meaning::Tool(_));
                let own = name.old.ends_with(&tool.name).then(|| span.slice(span.len() - tool.name.len(), span.len()));
                let Some(own) = own.filter(|own| is_tool && own.touches(offset)) else { continue };
                if found.is_some_and(|(_, other)| other.tool.name != tool.name || !std::ptr::eq(other.server, server)) {
                    return None;
                }
                found = Some((own, target));
            }
        }
    }
    found
}

/// A text of the workspace.
pub(super) struct Text<'a> {
    path: &'a str,
    text: &'a str,
    reading: Reading,
}

impl<'a> Text<'a> {
    pub(super) fn of(path: &'a str, text: &'a str) -> Text<'a> {
        Text { path, text, reading: Reading::of(path, text) }
    }

    /// Whether what stands at a place may be there to be compared with what clients compose, and is not only spoken of.
    pub(super) fn may_guard(&self, home: &Home, span: Span) -> bool {
        let Text { path, text, reading } = self;
        let old = Old { stays: false, goes_on: true, is_listed: false };
        Reader { home, path, text, old, reading }.may_guard(span)
    }
}

/// How a file is read.
enum Reading {
    /// By its tree: strings and comments.
    Source(Tree),
    /// With its code, where it has a way to say what is code.
    Document(Vec<Code>),
    /// Values: whole ones, and those that are sentences.
    Data,
    Foreign,
}

impl Reading {
    fn of(path: &str, text: &str) -> Reading {
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
        let language = Language::of_path(path).filter(|language| language.family().is_some());
        match language.and_then(|language| syntax::parse(language, text, None)) {
            Some(tree) => Reading::Source(tree),
            // What has no fences has no code in another language.
            None if Language::of_path(path) == Some(Language::Markdown)
                && (text.contains("```") || text.contains("~~~")) =>
            {
                Reading::Document(document::parse_markdown(text).code)
            }
            None if ends(&DOCUMENTS) || name == "readme" => Reading::Document(Vec::new()),
            None if ends(&DATA) => Reading::Data,
            None => Reading::Foreign,
        }
    }
}

/// What is history, or written by a program, stays.
fn is_kept(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let is_lock = ["-lock.json", "-lock.yaml", ".lock"].iter().any(|end| name.ends_with(end));
    name == LOCK_FILE || is_lock || is_history(path)
}

/// A form in which texts name the tool.
struct Form {
    old: String,
    new: String,
    kind: Kind,
    /// The tool's own name is of several words.
    is_of_words: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// As a client composes it, with a mark that says so: `mcp__notes__read`. Nothing else is called so.
    Composed,
    /// As a client composes it, of the server's key and the name alone: a path, a table or a class may read so.
    Loose,
    /// As the server calls it, or its source does.
    Words,
    /// The same, of one word.
    Word,
}

/// Every form in which texts name the tool.
struct Names {
    all: Vec<Form>,
}

impl Names {
    fn of(snapshot: &Snapshot, target: Target<'_>, new: &str) -> Names {
        let old = target.tool.name.as_str();
        let mut all: Vec<Form> = Vec::new();
        let kind = |name: &str| if is_of_words(name) { Kind::Words } else { Kind::Word };
        let mut add = |old: &str, new: &str, kind: Kind| {
            if old != new && !all.iter().any(|form| form.old == old) {
                let is_of_words = is_of_words(&target.tool.name);
                all.push(Form { old: old.to_string(), new: new.to_string(), kind, is_of_words });
            }
        };
        add(old, new, kind(old));
        for form in Names::composed(snapshot, target, new) {
            add(&form.old, &form.new, form.kind);
        }
        // The part that source writes.
        let parts = &target.tool.registration.name.parts;
        let before: usize = parts[..target.tool.local].iter().map(|part| part.text.len()).sum();
        let after: usize = parts[target.tool.local + 1..].iter().map(|part| part.text.len()).sum();
        let short = target.tool.short_name();
        let keeps =
            new.len() > before + after && new.starts_with(&old[..before]) && new.ends_with(&old[old.len() - after..]);
        if parts.len() > 1 && keeps {
            add(short, &new[before..new.len() - after], kind(short));
        }
        Names { all }
    }

    /// The forms that clients compose, each as often as one of them does.
    fn composed(snapshot: &Snapshot, target: Target<'_>, new: &str) -> Vec<Form> {
        let is_a_tool = |name: &str| snapshot.analysis().tools().any(|(_, tool)| tool.name == name);
        let others = || target.server.tools.iter().filter(|tool| tool.name != target.tool.name);
        let mut forms = Vec::new();
        for client in client::built_in() {
            let lists = client.files.iter().flat_map(|file| &file.lists).filter_map(|list| list.grammar.as_ref());
            for grammar in lists.chain([&client.names]).chain(&client.wire) {
                for key in target.known_as(snapshot) {
                    let old = grammar.composed(key, &target.tool.name);
                    // What another tool is called is that tool's.
                    if is_a_tool(&old) || others().any(|tool| grammar.composed(key, &tool.name) == old) {
                        continue;
                    }
                    let kind = if client::begins_as_mcp(&old) { Kind::Composed } else { Kind::Loose };
                    let is_of_words = is_of_words(&target.tool.name);
                    forms.push(Form { old, new: grammar.composed(key, new), kind, is_of_words });
                }
            }
        }
        forms
    }
}

fn is_of_words(name: &str) -> bool {
    Name::new(name).lower_words().len() > 1
}

/// What a name means where it stands.
enum Meaning {
    Nothing,
    Tool(Group),
    /// It is one of the names of a list that has to have both: what is written before it, behind the new name.
    Beside(Span, String),
    /// It may be the tool's; the reason why it is left alone.
    Perhaps(&'static str),
    /// It may be there to forbid what can still be called by it, as long as the old name goes on.
    Guard,
    /// It may be, in a file of which nobody knows what is a name there.
    Foreign,
}

/// One text.
struct Reader<'a> {
    home: &'a Home,
    path: &'a str,
    text: &'a str,
    old: Old,
    reading: &'a Reading,
}

impl Reader<'_> {
    fn meaning(&self, snapshot: &Snapshot, name: &Form, span: Span) -> Meaning {
        let is_composed = name.kind == Kind::Composed;
        if !self.stands_alone(span, name.kind) {
            return Meaning::Nothing;
        }
        let stretch = match self.reading {
            Reading::Source(tree) => Some(syntax::stretch(tree, span)),
            Reading::Document(code) => {
                let mut blocks = code.iter().filter(|code| code.span.contains(span));
                let block = blocks.find_map(|code| Some((code, code.block.as_deref()?)));
                if !is_composed && block.is_some_and(|(code, language)| self.is_code(code, language, span)) {
                    return if name.kind == Kind::Words { Meaning::Perhaps(OTHER_CODE) } else { Meaning::Nothing };
                }
                None
            }
            Reading::Data => Some(Stretch::String(self.value_around(span))),
            Reading::Foreign if is_composed && self.old.goes_on && self.may_guard(span) => return Meaning::Guard,
            Reading::Foreign if is_composed => return Meaning::Tool(Group::Source),
            Reading::Foreign if name.kind == Kind::Words => return Meaning::Foreign,
            Reading::Foreign => return Meaning::Nothing,
        };
        let whole = match stretch {
            Some(Stretch::Pattern(_)) if is_composed => false,
            Some(Stretch::Code | Stretch::Pattern(_)) => return Meaning::Nothing,
            Some(Stretch::Member) => {
                let may_be = name.kind == Kind::Words && home::root_of(snapshot, self.path) == self.home.root;
                return if may_be { Meaning::Perhaps(MEMBER) } else { Meaning::Nothing };
            }
            Some(Stretch::String(whole)) => {
                let inside = self.inside(whole);
                // What has no blank in it is nothing that people read, and neither is a command.
                let is_sentence = self.is_sentence(inside, span);
                if inside != name.old && !is_sentence && !is_composed {
                    let may_be = inside.contains(char::is_whitespace) && name.kind == Kind::Words;
                    return if may_be { Meaning::Perhaps(OTHER_STRING) } else { Meaning::Nothing };
                }
                inside == name.old
            }
            Some(Stretch::Comment) | None => false,
        };
        let is_code_span = self.text[..span.start as usize].ends_with(['`', '"', '\''])
            && self.text[span.end as usize..].starts_with(['`', '"', '\'', '(']);
        if is_composed {
            // What is compared with it, or started with it, may be there to forbid it.
            let may_guard = self.may_guard(span);
            return match (may_guard && self.old.goes_on, whole) {
                (true, _) => Meaning::Guard,
                (false, true) => Meaning::Tool(Group::Source),
                (false, false) => Meaning::Tool(Group::Docs),
            };
        }
        if name.kind == Kind::Loose {
            let is_of_words = name.is_of_words;
            return match (stretch, whole) {
                (None, _) if is_of_words => Meaning::Tool(Group::Docs),
                (None, _) if is_code_span => Meaning::Perhaps("a word that may mean something else"),
                (Some(Stretch::String(_)), true) if is_of_words => Meaning::Perhaps(OTHER_STRING),
                _ => Meaning::Nothing,
            };
        }
        let is_recorded = self.home.keys.iter().any(|key| Recorded::path_of(key) == self.path);
        // The answer of the server itself.
        if is_recorded {
            return Meaning::Tool(Group::Source);
        }
        if self.home.is_disputed(snapshot, self.path) {
            // In another one's source it is what that one is called.
            let may_be = is_code_span && stretch.is_none()
                || name.kind == Kind::Words && !self.home.is_a_rivals(snapshot, self.path);
            return if may_be { Meaning::Perhaps(OF_ANOTHER) } else { Meaning::Nothing };
        }
        if let Some(listed) = self.listed(name, span) {
            return listed;
        }
        match (name.kind, whole) {
            (Kind::Word, false) if is_code_span && stretch.is_none() => {
                Meaning::Perhaps("a word that may mean something else")
            }
            (Kind::Word, false) => Meaning::Nothing,
            (Kind::Words, true) if is_test(self.path) && self.is_of_tools(snapshot) => Meaning::Tool(Group::Source),
            (_, true) if is_test(self.path) => Meaning::Perhaps("a test's word that may mean something else"),
            // Manifests and fixtures name tools; in source a string is as often something else.
            (Kind::Words, true) if matches!(self.reading, Reading::Data) && self.is_named(span) => {
                Meaning::Tool(Group::Docs)
            }
            (Kind::Words, true) => Meaning::Perhaps(OTHER_STRING),
            (Kind::Word, true) if matches!(self.reading, Reading::Data) && self.is_named(span) => {
                Meaning::Perhaps(OTHER_STRING)
            }
            (_, true) => Meaning::Nothing,
            (_, false) => Meaning::Tool(Group::Docs),
        }
    }

    /// Whether what stands at a place may be there to be compared: it is no comment, and nothing that people read.
    fn may_guard(&self, span: Span) -> bool {
        let whole = match self.reading {
            Reading::Source(tree) => match syntax::stretch(tree, span) {
                Stretch::String(whole) => whole,
                Stretch::Pattern(_) => return true,
                Stretch::Code | Stretch::Member | Stretch::Comment => return false,
            },
            Reading::Data => self.value_around(span),
            Reading::Document(_) => return false,
            Reading::Foreign => {
                let line = self.text[..span.start as usize].rsplit('\n').next().unwrap_or("").trim_start();
                return !["# ", "##", "//", ";", "REM "].iter().any(|sign| line.starts_with(sign));
            }
        };
        !self.is_sentence(self.inside(whole), span)
    }

    /// What a string says, without its quotes and what stands before them.
    fn inside(&self, whole: Span) -> &str {
        let quoted = &self.text[whole.range()];
        let inside = quoted.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '#');
        let inside = if matches!(self.reading, Reading::Data) { quoted } else { inside };
        inside.trim_matches(|c: char| matches!(c, '"' | '\'' | '`' | '#'))
    }

    /// What the name means among others of its server's tools: `"read_note" | "write_note"`, a list, a set. As long as the old name
    /// is answered, it stays beside the new one.
    fn listed(&self, name: &Form, span: Span) -> Option<Meaning> {
        let Reading::Source(tree) = self.reading else { return None };
        let siblings = syntax::siblings(tree, span)?;
        let own = siblings.around(span).filter(|own| own.len() == span.len() + 2)?;
        let inside = |literal: &Span| self.text.get(literal.start as usize + 1..literal.end as usize - 1);
        let texts: Vec<&str> = siblings.literals.iter().filter_map(inside).collect();
        if name.old != self.home.name || !self.home.lists_tools(&texts, siblings.has_others) {
            return None;
        }
        // What a test expects to be listed is what is.
        let goes_on = if is_test(self.path) { self.old.is_listed } else { self.old.goes_on };
        Some(match goes_on {
            true => Meaning::Beside(own, siblings.between(own, self.text)),
            false => Meaning::Tool(Group::Source),
        })
    }

    /// Whether the text speaks of tools at all, so that a string in it may name one.
    fn is_of_tools(&self, snapshot: &Snapshot) -> bool {
        let is_at_home = home::root_of(snapshot, self.path) == self.home.root;
        OF_TOOLS.find_iter(self.text).any(|found| is_at_home || found.pattern().as_usize() == 0)
    }

    /// Whether a place in a block of a document is code, in which names are not those of tools.
    fn is_code(&self, block: &Code, language: &str, span: Span) -> bool {
        let Some(read) = Language::of_fence(language).filter(|language| language.family().is_some()) else {
            return !PLAIN_FENCES.contains(&language);
        };
        let (start, end) = (span.start - block.span.start, span.end - block.span.start);
        let tree = self.text.get(block.span.range()).and_then(|text| syntax::parse(read, text, None));
        let stretch = tree.map(|tree| syntax::stretch(&tree, Span { start, end }));
        matches!(stretch, Some(Stretch::Code | Stretch::Pattern(_) | Stretch::Member))
    }

    /// Whether what is around a name leaves it a name: it is no part of a longer one, of a path or of a member.
    fn stands_alone(&self, span: Span, kind: Kind) -> bool {
        let (before, after) = (&self.text[..span.start as usize], &self.text[span.end as usize..]);
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        if !super::stands_alone(self.text, span) {
            return false;
        }
        if kind == Kind::Composed {
            return true;
        }
        let next = after.chars().nth(1).unwrap_or(' ');
        // The anchor of a heading goes with the heading; what else has a `#` or `=` before it is a part of an address.
        let is_anchor = before.ends_with("](#") && after.starts_with(')');
        if before.ends_with(['#', '=', '?', '&', '%']) && !is_anchor || before.ends_with("id=\"") {
            return false;
        }
        let goes_on =
            after.starts_with(['.', '/', '\\']) && next.is_alphanumeric() || after.starts_with('=') && next != '=';
        if goes_on || before.ends_with('$') {
            return false;
        }
        // `server.name`, `path/name`, `server:name`: the server's own are fine, but for members.
        let Some(sign) = before.chars().next_back().filter(|c| matches!(c, '.' | '/' | ':' | '\\')) else {
            return true;
        };
        // A server's key stands in front of it already.
        if kind == Kind::Loose {
            return false;
        }
        let head = &before[..before.len() - sign.len_utf8()];
        let word = head.rsplit(|c: char| !is_part(c) && c != '.').next().unwrap_or("");
        match sign {
            _ if word.is_empty() => sign != '/' && sign != '\\' && sign != '.',
            '/' | ':' => self.home.keys.iter().any(|key| key == word) || sign == ':' && !self.is_stranger(word),
            _ => false,
        }
    }

    fn is_stranger(&self, word: &str) -> bool {
        self.home.strangers.iter().any(|key| key == word)
    }

    /// Whether a string is something that people read, and neither a query nor a command.
    fn is_sentence(&self, inside: &str, span: Span) -> bool {
        if !inside.contains(char::is_whitespace) || inside.contains("--") {
            return false;
        }
        // Whoever puts it in quotes speaks of it.
        let is_quote = |c: char| matches!(c, '`' | '"' | '\'' | '\\' | '*');
        let (before, after) = (&self.text[..span.start as usize], &self.text[span.end as usize..]);
        if before.ends_with(is_quote) && after.starts_with(is_quote) {
            return true;
        }
        let first = inside.trim_start().split(char::is_whitespace).next().unwrap_or("");
        let is_query = first.len() > 2 && first.chars().all(|c| c.is_ascii_uppercase());
        !is_query && first.starts_with(|c: char| c.is_uppercase() || !c.is_alphanumeric())
    }

    /// Whether a whole value of a file of data is a name: it stands under a key that says so, of a file that is about tools.
    fn is_named(&self, span: Span) -> bool {
        const KEYS: [&str; 4] = ["name", "tool", "toolName", "tool_name"];
        let file = self.path.rsplit('/').next().unwrap_or(self.path);
        let is_of_project = file == "package.json" || file.starts_with("tsconfig") || self.path.starts_with(".github/");
        let before = self.text[..span.start as usize].trim_end_matches(['"', '\'']).trim_end();
        let key = before.strip_suffix(':').map(|before| before.trim_end().trim_end_matches(['"', '\'']));
        let is_value = !self.text[span.end as usize..].trim_start_matches(['"', '\'']).trim_start().starts_with(':');
        !is_of_project && is_value && key.is_some_and(|key| KEYS.iter().any(|wanted| key.ends_with(wanted)))
    }

    /// The value of a file of data in which a place lies, with its quotes: a string, or what stands on the rest of the line.
    fn value_around(&self, span: Span) -> Span {
        let (start, end) = (span.start as usize, span.end as usize);
        let line = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = self.text[end..].find(['\n', '\r']).map_or(self.text.len(), |at| end + at);
        let is_quote = |c: char| matches!(c, '"' | '\'');
        // A quote that is written inside a string is none of its own.
        let mut opening = self.text[line..start].rmatch_indices(is_quote).map(|(at, _)| line + at);
        let opening = opening.find(|&at| !self.text[..at].ends_with('\\'));
        let mut closing = self.text[end..line_end].match_indices(is_quote).map(|(at, _)| end + at);
        let closing = closing.find(|&at| !self.text[..at].ends_with('\\'));
        match (opening, closing) {
            (Some(opening), Some(closing)) => Span::new(opening, closing + 1),
            _ => {
                let before = self.text[line..start].trim_start_matches([' ', '\t', '-']);
                let before = before.split_once(": ").map_or(before, |(_, value)| value);
                Span::new(start - before.len(), line_end)
            }
        }
    }
}
