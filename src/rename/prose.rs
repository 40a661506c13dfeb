//! What speaks of a tool: documents, descriptions and prompts, comments, tests, recorded answers.
//!
//! Where a name stands by itself it is the tool's: composed as a client composes it, or of several words. A name of one word
//! may be a word, so it is told and left alone.

use std::sync::Arc;

use aho_corasick::{AhoCorasick, MatchKind};

use super::{Document, Group, Plan, Sources, Target};
use crate::client;
use crate::name::Name;
use crate::path::{is_installed, is_test};
use crate::syntax::{self, Language, Stretch, Tree};
use crate::text::{Edit, Span};
use crate::workspace::{Content, File, Files, LOCK_FILE, Recorded, Snapshot, text_hash};

/// What is history, or written by a program: it says what was so, and stays.
const KEPT: [&str; 6] = ["changelog", "changes", "history", "news", "releases", "release-notes"];

/// Adds the edits that make every text follow which speaks of the tool. `stays` where the old name is still what source
/// calls it: then only what clients compose changes.
pub(super) fn follow(
    snapshot: &Snapshot,
    target: Target<'_>,
    (new, stays): (&str, bool),
    sources: Sources<'_>,
    plan: &mut Plan,
) {
    let mut names = Names::of(target, new);
    names.all.retain(|name| !stays || name.kind == Kind::Composed);
    let words: Vec<String> = names.all.iter().map(|name| name.old.clone()).collect();
    let Ok(wanted) = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&words) else { return };
    let home = Home::of(snapshot, target);
    for (path, text) in (sources.mentioning)(&words) {
        if is_installed(&path) || is_kept(&path) {
            continue;
        }
        // Of what nobody parsed, no place is known.
        let is_read = |file: &&Arc<File>| !matches!(file.content, Content::Unparsed | Content::Reserve);
        let file = snapshot.files.by_path(&path).filter(is_read).filter(|file| file.hash == text_hash(&text));
        let reader = Reader { home: &home, path: &path, text: &text, tree: parsed(&path, &text) };
        // Lists and hooks follow by themselves.
        let is_listed = |span: Span| {
            let facts = file.and_then(|file| snapshot.files.client_facts(file.id));
            let mut entries = facts.into_iter().flat_map(|facts| &facts.lists).flat_map(|list| &list.entries);
            entries.any(|entry| entry.whole.contains(span))
        };
        let mut document = Document { text: String::new(), edits: Vec::new(), skipped: Vec::new() };
        for found in wanted.find_iter(&text) {
            let span = Span::new(found.start(), found.end());
            let name = &names.all[found.pattern().as_usize()];
            if file.is_some_and(|file| plan.touches(file.id, span)) || is_listed(span) {
                continue;
            }
            match (reader.meaning(snapshot, name, span), file) {
                (Meaning::Nothing, _) => {}
                (Meaning::Tool(group), Some(file)) => {
                    plan.push(group, file.id, Edit::new(span, name.new.as_str()));
                }
                (Meaning::Tool(_), None) => document.edits.push(Edit::new(span, name.new.as_str())),
                (Meaning::Perhaps(reason), Some(file)) => plan.skip(file.id, span, reason),
                (Meaning::Perhaps(reason), None) => document.skipped.push((span, reason.to_string())),
            }
        }
        if !document.edits.is_empty() || !document.skipped.is_empty() {
            plan.documents.insert(path, Document { text, ..document });
        }
    }
}

/// The tree of a source file; documents and data are read as they stand.
fn parsed(path: &str, text: &str) -> Option<Tree> {
    let language = Language::of_path(path).filter(|language| language.family().is_some())?;
    syntax::parse(language, text, None)
}

fn is_kept(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let stem = name.split('.').next().unwrap_or(&name);
    name == LOCK_FILE || name.ends_with("-lock.json") || name.ends_with(".lock") || KEPT.contains(&stem)
}

/// A form in which texts name the tool.
struct Form {
    old: String,
    new: String,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// As a client composes it: no other tool is called so.
    Composed,
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
    fn of(target: Target<'_>, new: &str) -> Names {
        let old = target.tool.name.as_str();
        let mut all: Vec<Form> = Vec::new();
        let mut add = |old: &str, new: &str, kind: Kind| {
            if old != new && !all.iter().any(|form| form.old == old) {
                all.push(Form { old: old.to_string(), new: new.to_string(), kind });
            }
        };
        let kind = |name: &str| if Name::new(name).lower_words().len() > 1 { Kind::Words } else { Kind::Word };
        add(old, new, kind(old));
        for client in client::built_in() {
            let lists = client.files.iter().flat_map(|file| &file.lists).filter_map(|list| list.grammar.as_ref());
            for grammar in lists.chain([&client.names]).chain(&client.wire) {
                for key in &target.server.keys {
                    add(&grammar.composed(key, old), &grammar.composed(key, new), Kind::Composed);
                }
            }
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
}

/// Where the tool is at home, and who else has one of its name.
struct Home {
    root: String,
    is_shared: bool,
    /// The keys of other servers.
    strangers: Vec<String>,
    keys: Vec<String>,
}

impl Home {
    fn of(snapshot: &Snapshot, target: Target<'_>) -> Home {
        let analysis = snapshot.analysis();
        let is_shared = analysis
            .tools()
            .any(|(server, tool)| !std::ptr::eq(server, target.server) && tool.name == target.tool.name);
        let strangers = analysis.keys.keys().filter(|key| !target.server.keys.contains(key)).cloned().collect();
        Home { root: target.server.root.clone(), is_shared, strangers, keys: target.server.keys.clone() }
    }
}

/// What a name means where it stands.
enum Meaning {
    Nothing,
    Tool(Group),
    /// It may be the tool's; the reason why it is left alone.
    Perhaps(&'static str),
}

/// One text.
struct Reader<'a> {
    home: &'a Home,
    path: &'a str,
    text: &'a str,
    tree: Option<Tree>,
}

impl Reader<'_> {
    fn meaning(&self, snapshot: &Snapshot, name: &Form, span: Span) -> Meaning {
        let is_composed = name.kind == Kind::Composed;
        if !self.stands_alone(span, is_composed) {
            return Meaning::Nothing;
        }
        let stretch = self.tree.as_ref().map(|tree| syntax::stretch(tree, span));
        let whole = match stretch {
            Some(Stretch::Code) => return Meaning::Nothing,
            Some(Stretch::String(whole)) => {
                let quoted = &self.text[whole.range()];
                let inside = quoted.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '#');
                let inside = inside.trim_matches(|c: char| matches!(c, '"' | '\'' | '`' | '#'));
                // What has no blank in it is nothing that people read.
                if inside != name.old && !inside.contains(char::is_whitespace) && !is_composed {
                    return Meaning::Nothing;
                }
                inside == name.old
            }
            Some(Stretch::Comment) | None => false,
        };
        let is_code_span = self.text[..span.start as usize].ends_with(['`', '"', '\''])
            && self.text[span.end as usize..].starts_with(['`', '"', '\'', '(']);
        if is_composed {
            return Meaning::Tool(if whole { Group::Source } else { Group::Docs });
        }
        if self.home.is_shared && self.root(snapshot) != self.home.root {
            // In source it is what the other one is called.
            return if is_code_span && stretch.is_none() {
                Meaning::Perhaps("another server has a tool of this name")
            } else {
                Meaning::Nothing
            };
        }
        let is_recorded = self.home.keys.iter().any(|key| Recorded::path_of(key) == self.path);
        match (name.kind, whole) {
            // The answer of the server itself.
            _ if is_recorded => Meaning::Tool(Group::Source),
            (Kind::Word, false) if is_code_span && stretch.is_none() => {
                Meaning::Perhaps("a word that may mean something else")
            }
            (Kind::Word, false) => Meaning::Nothing,
            (Kind::Words, true) if is_test(self.path) => Meaning::Tool(Group::Source),
            (_, true) if is_test(self.path) => Meaning::Perhaps("a test's word that may mean something else"),
            (Kind::Words, true) => Meaning::Perhaps("a string of the same text, which may mean something else"),
            (_, true) => Meaning::Nothing,
            (_, false) => Meaning::Tool(Group::Docs),
        }
    }

    /// Whether what is around a name leaves it a name: it is no part of a longer one, of a path or of a member.
    fn stands_alone(&self, span: Span, is_composed: bool) -> bool {
        let (before, after) = (&self.text[..span.start as usize], &self.text[span.end as usize..]);
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        if before.ends_with(is_part) || after.starts_with(is_part) {
            return false;
        }
        if is_composed {
            return true;
        }
        let next = after.chars().nth(1).unwrap_or(' ');
        let goes_on =
            after.starts_with(['.', '/', '\\']) && next.is_alphanumeric() || after.starts_with('=') && next != '=';
        if goes_on || before.ends_with('$') {
            return false;
        }
        // `server.name`, `path/name`, `server:name`: the server's own are fine, but for members.
        let Some(sign) = before.chars().next_back().filter(|c| matches!(c, '.' | '/' | ':' | '\\')) else {
            return true;
        };
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

    /// The root of the package around the text.
    fn root(&self, snapshot: &Snapshot) -> String {
        let mut directory = Files::directory(self.path);
        while !directory.is_empty() && snapshot.files.manifest_in(directory).is_none() {
            directory = Files::directory(directory);
        }
        if directory.is_empty() { ".".to_string() } else { directory.to_string() }
    }
}
