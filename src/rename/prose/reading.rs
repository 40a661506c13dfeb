//! The meaning of a name at a place, by the kind of its file: source, document or data.

mod listed;
mod signs;

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::forms::{Form, Kind};
use crate::document::{self, Markdown};
use crate::name::Name;
use crate::places::Places;
use crate::rename::home::Home;
use crate::rename::{Group, Left, stands_alone};
use crate::site::{self, Siblings, Stretch};
use crate::syntax::{self, Language, Tree};
use crate::text::{Edit, Span};
use crate::workspace::Snapshot;

/// The number of bytes of a line that are read on either side of a name. Longer lines are generated.
const MOST_OF_LINE: usize = 16 * 1024;

/// Documents for people, by the ends of their file names.
const DOCUMENTS: [&str; 11] =
    [".md", ".mdx", ".mdc", ".markdown", ".rst", ".txt", ".adoc", ".asciidoc", ".org", ".html", ".prompt"];
/// Data files, by the ends of their names.
const DATA: [&str; 7] = [".json", ".jsonc", ".json5", ".yaml", ".yml", ".toml", ".snap"];

/// Languages of fenced blocks whose text is typed, read or sent literally. In other blocks a name may belong to the
/// code, such as a column or a function.
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

/// Words that show that a text is about tools: either of them in the server's own package, only `mcp` elsewhere.
static OF_TOOLS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let words = AhoCorasick::builder().ascii_case_insensitive(true).build(["mcp", "tool"]);
    words.expect("two words make an automaton")
});

/// The remaining uses of the old name after a rename.
#[derive(Clone, Copy)]
pub(in crate::rename) struct Old {
    /// Whether source still uses the old name for the tool, so that only the names that clients compose change.
    pub(in crate::rename) stays: bool,
    /// Whether the old name can still be called, so that text that may guard it stays.
    pub(in crate::rename) keeps_old: bool,
    /// Whether the server still lists the old name.
    pub(in crate::rename) is_listed: bool,
    /// Whether the function that the tool was named after keeps the old name.
    pub(in crate::rename) names_function: bool,
    /// Whether the part of the name that source contains stays, since the part that several names share changes.
    pub(in crate::rename) keeps_part: bool,
    /// Whether functions of the old name are not renamed: the tool's name is a literal, or written next to its
    /// function.
    pub(in crate::rename) keeps_functions: bool,
}

impl Old {
    /// No use of the old name remains.
    pub(in crate::rename) const GONE: Old = Old {
        stays: false,
        keeps_old: false,
        is_listed: false,
        names_function: false,
        keeps_part: false,
        keeps_functions: false,
    };
    /// The old name can still be called, and source uses the new one.
    pub(in crate::rename) const ANSWERED: Old = Old {
        stays: false,
        keeps_old: true,
        is_listed: false,
        names_function: false,
        keeps_part: false,
        keeps_functions: false,
    };
    /// The shared part of the name has changed, and nothing has the old name any more.
    pub(in crate::rename) const OTHER_PART: Old = Old { keeps_part: true, ..Old::GONE };
}

/// A file, read according to its kind.
pub(in crate::rename) enum Reading {
    /// Source, as a syntax tree with its strings and comments.
    Source(Tree),
    /// A document for people. The parsed Markdown is empty if the document has another format.
    Document(Markdown),
    /// Data, in which a name is a whole value or part of a sentence.
    Data,
    Foreign,
}

impl Reading {
    pub(in crate::rename) fn of(path: &str, text: &str) -> Reading {
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
        let language = Language::of_path(path).filter(|language| language.family().is_some());
        match language.and_then(|language| syntax::parse(language, text, None)) {
            Some(tree) => Reading::Source(tree),
            None if Language::of_path(path) == Some(Language::Markdown) => {
                Reading::Document(document::parse_markdown(text))
            }
            None if ends(&DOCUMENTS) || name == "readme" => Reading::Document(Markdown::default()),
            None if ends(&DATA) => Reading::Data,
            None => Reading::Foreign,
        }
    }
}

/// The meaning of a name at a place.
pub(in crate::rename) enum Meaning {
    Nothing,
    Tool(Group),
    /// A name that a test expects; the inner meaning applies if nothing else in the package keeps the name.
    Expected(Box<Meaning>),
    /// An element of a list that must contain both names: the span before which the new name is written, and the
    /// separator to write after it.
    Beside(Span, String),
    /// An element of a list that code searches, or the key of a lookup, if the old name can no longer be called: the
    /// edit that replaces the old name, and the edit that keeps both names.
    Searched(Edit, Edit),
    /// The edit that adds the new name, and the span of the old name to delete, if any.
    Edited(Edit, Option<Span>),
    /// A name that may be the tool's, and is left alone for the given reason.
    Perhaps(Left),
    /// A name that may serve to forbid the tool, which can still be called by the old name.
    Guard,
    /// A name that may be the tool's, in a text where names are hard to tell from other words. The reason is reported
    /// once for each text, with the number of places.
    Passing(Left),
}

/// The reader of one text.
pub(in crate::rename) struct Reader<'a> {
    home: &'a Home,
    path: &'a str,
    text: &'a str,
    old: Old,
    reading: &'a Reading,
    /// Whether the text is about tools at all; computed on demand.
    is_of_tools: OnceCell<bool>,
    /// Whether the text reads the `__name__` of a Python function.
    asks_names: OnceCell<bool>,
    /// Whether the code looks up Python functions by name.
    finds_members: OnceCell<bool>,
    /// The root of the package that contains the text.
    root: OnceCell<String>,
    is_disputed: OnceCell<bool>,
    /// The tests in a source file.
    tests: OnceCell<Places>,
    /// The last list that was read, and whether it lists the server's tools.
    listed: RefCell<Option<(Siblings, bool)>>,
    /// The last line that was read.
    line: Cell<Span>,
    /// The last name that was searched for among the identifiers of the file, and whether it was found.
    code: RefCell<Option<(String, bool)>>,
    /// The last block of a document that was read: its byte offset, and its tree.
    block: RefCell<Option<(u32, Option<Tree>)>>,
}

impl<'a> Reader<'a> {
    pub(in crate::rename) fn new(
        home: &'a Home,
        (path, text): (&'a str, &'a str),
        reading: &'a Reading,
        old: Old,
    ) -> Reader<'a> {
        Reader {
            home,
            path,
            text,
            old,
            reading,
            is_of_tools: OnceCell::new(),
            asks_names: OnceCell::new(),
            finds_members: OnceCell::new(),
            root: OnceCell::new(),
            is_disputed: OnceCell::new(),
            tests: OnceCell::new(),
            listed: RefCell::default(),
            line: Cell::default(),
            code: RefCell::default(),
            block: RefCell::default(),
        }
    }
}

impl Reader<'_> {
    fn asks_names(&self) -> bool {
        *self.asks_names.get_or_init(|| self.text.contains(".__name__"))
    }

    /// Whether a name is an element of a list in a Python file that looks up functions by name: `getattr(module,
    /// name)`, a walk over `FunctionDef`.
    fn may_be_a_member(&self, span: Span) -> bool {
        let Reading::Source(tree) = self.reading else { return false };
        let finds = || {
            let mut calls = self.text.match_indices("getattr(").map(|(at, called)| &self.text[at + called.len()..]);
            let is_computed = |arguments: &str| {
                let name = arguments.split_once(',').map(|(_, rest)| rest.trim_start());
                name.is_some_and(|name| !name.starts_with(['"', '\'']))
            };
            self.text.contains("FunctionDef") || calls.any(is_computed)
        };
        let is_one = *self.finds_members.get_or_init(finds) && site::siblings(tree, span).is_some();
        is_one && !self.is_declared_for_tools(tree, span)
    }

    /// Whether the name or type of a list says that its elements are tools.
    fn is_declared_for_tools(&self, tree: &Tree, span: Span) -> bool {
        let called = site::declared_for(tree, self.text, span).unwrap_or_default();
        Name::new(called).lower_words().iter().any(|word| word == "tool" || word == "tools")
    }

    /// Whether a name is that of a folder or file in a drawn tree: `├── read_note`.
    fn is_drawn_folder(&self, snapshot: &Snapshot, span: Span) -> bool {
        let is_drawn = self.text[..span.start as usize].trim_end_matches([' ', '`']).ends_with(['─', '━']);
        let name = &self.text[span.range()];
        let is_of =
            |path: &str| path.split('/').any(|part| part.split_once('.').map_or(part, |(stem, _)| stem) == name);
        is_drawn && snapshot.files.all().any(|file| is_of(&file.path))
    }

    fn is_attribute(&self, span: Span) -> bool {
        matches!(self.reading, Reading::Source(tree) if site::is_attribute(tree, self.text, span))
    }

    pub(in crate::rename) fn meaning(&self, snapshot: &Snapshot, name: &Form, span: Span) -> Meaning {
        let is_composed = name.kind == Kind::Composed;
        // In another server's file, the short name means a tool of that server.
        let is_ours = || {
            let root = self.root(snapshot);
            (root == self.home.root || root == ".") && !self.is_disputed(snapshot)
        };
        let may_be = matches!(name.kind, Kind::Composed | Kind::Loose) || is_ours();
        let of_values =
            may_be && matches!(self.reading, Reading::Data | Reading::Foreign) && stands_alone(self.text, span);
        if let Some((own, sign)) = of_values.then(|| self.sign_behind(name, span)).flatten() {
            return if self.old.keeps_old { Meaning::Beside(own, sign) } else { Meaning::Tool(Group::Source) };
        }
        if matches!(name.kind, Kind::Words | Kind::Word)
            && let Some((server, entry)) = self.of_unknown_server(span)
        {
            return Meaning::Perhaps(Left::UnknownServer { server: server.to_string(), entry: entry.to_string() });
        }
        if !self.stands_alone(span, name.kind) {
            return Meaning::Nothing;
        }
        // The function keeps its name, and so does a literal by which it is found.
        let finds = || self.home.finders.contains(&(self.path.to_string(), span));
        if self.is_drawn_folder(snapshot, span) || self.old.names_function && finds() {
            return Meaning::Nothing;
        }
        // While the old name is listed, a test that expects this name still passes. A test that expects the old name to
        // be absent would no longer check this if it contained only the new name.
        if self.is_test(span) && self.old.keeps_old && self.old.is_listed && self.says_absent(span) {
            let both = self.absent_too(name, span).filter(|_| self.is_of_tools(snapshot));
            return both.unwrap_or(Meaning::Perhaps(Left::TestString));
        }
        // A test that stores functions by their `__name__` finds this tool's function under its old name.
        if self.is_test(span) && self.old.is_listed && self.old.names_function && self.asks_names() {
            return Meaning::Perhaps(Left::TestString);
        }
        if self.is_test(span) && self.old.names_function && self.may_be_a_member(span) {
            return Meaning::Perhaps(Left::TestString);
        }
        if self.is_test(span) && (self.old.keeps_old || self.old.keeps_functions) && self.is_attribute(span) {
            return Meaning::Perhaps(Left::TestString);
        }
        let stretch = match self.reading {
            Reading::Source(tree) => Some(site::stretch(tree, span)),
            // The table row around the name already contains the new name.
            Reading::Document(document) if document::is_in_row(document, span, &name.new) => return Meaning::Nothing,
            Reading::Document(document) if document::is_shown_as_wrong(document, span) => {
                return Meaning::Passing(Left::WrongExample);
            }
            Reading::Document(document) => {
                let code = &document.code;
                let first = code.partition_point(|code| code.span.end < span.end);
                let block = code.get(first).filter(|code| code.span.contains(span));
                let block = block.and_then(|code| Some((code, code.block.as_deref()?)));
                let is_plain = || name.kind == Kind::Words && self.home.is_of_server;
                if !is_composed
                    && !is_plain()
                    && block.is_some_and(|(code, language)| self.is_code(code, language, span))
                {
                    return if name.kind == Kind::Words { Meaning::Perhaps(Left::OtherCode) } else { Meaning::Nothing };
                }
                None
            }
            Reading::Data => Some(Stretch::String(self.value_around(span))),
            Reading::Foreign if is_composed && self.old.keeps_old && self.may_guard(span) => return Meaning::Guard,
            Reading::Foreign if is_composed => return Meaning::Tool(Group::Source),
            Reading::Foreign if name.kind == Kind::Words => return Meaning::Passing(Left::Foreign),
            Reading::Foreign => return Meaning::Nothing,
        };
        let whole = match stretch {
            Some(Stretch::Pattern(_)) if is_composed => false,
            Some(Stretch::Code | Stretch::Pattern(_)) => return Meaning::Nothing,
            Some(Stretch::Member) => {
                let may_be = name.kind == Kind::Words && self.root(snapshot) == self.home.root;
                if let Some(keyed) = self.keyed(name, span).filter(|_| may_be && !self.is_disputed(snapshot)) {
                    return keyed;
                }
                return if may_be { Meaning::Perhaps(Left::Member) } else { Meaning::Nothing };
            }
            Some(Stretch::String(_)) if self.old.keeps_functions && self.is_in_doctest(span) => {
                return Meaning::Perhaps(Left::OtherCode);
            }
            Some(Stretch::String(whole)) => {
                let inside = self.inside(whole);
                // Text without white space is not prose, and neither is a command.
                let is_sentence = self.is_sentence(inside, span);
                if inside != name.old && !is_sentence && !is_composed {
                    if let Some(joined) = self.joined(inside, name, span).filter(|_| is_ours()) {
                        return joined;
                    }
                    let is_source = matches!(self.reading, Reading::Source(_));
                    return match name.kind == Kind::Words {
                        true if inside.contains(char::is_whitespace) && self.home.is_of_server && is_ours() => {
                            Meaning::Tool(Group::Docs)
                        }
                        true if inside.contains(char::is_whitespace) => Meaning::Perhaps(Left::OtherString),
                        true if is_source && is_between_signs(self.text, span) => Meaning::Passing(Left::OtherString),
                        _ => Meaning::Nothing,
                    };
                }
                inside == name.old
            }
            Some(Stretch::Comment) | None => false,
        };
        let is_code_span = self.text[..span.start as usize].ends_with(['`', '"', '\''])
            && self.text[span.end as usize..].starts_with(['`', '"', '\'', '(']);
        if is_composed {
            // A string that is compared, or that starts a program, may be there to forbid the tool.
            let may_guard = self.may_guard(span);
            if let Some(listed) = self.listed(name, span).filter(|_| may_guard && whole && self.old.keeps_old) {
                return listed;
            }
            return match (may_guard && self.old.keeps_old, whole) {
                (true, _) => Meaning::Guard,
                (false, true) => Meaning::Tool(Group::Source),
                (false, false) => Meaning::Tool(Group::Docs),
            };
        }
        if name.kind == Kind::Loose {
            let is_of_words = name.is_of_words;
            return match (stretch, whole) {
                (None, _) if is_of_words => Meaning::Tool(Group::Docs),
                (None, _) => Meaning::Perhaps(Left::Word),
                (Some(Stretch::String(_)), true) if is_of_words => Meaning::Perhaps(Left::OtherString),
                _ => Meaning::Nothing,
            };
        }
        // The file contains recorded answers of the server itself.
        if self.home.recorded.contains(self.path) {
            return Meaning::Tool(Group::Source);
        }
        if self.is_disputed(snapshot) {
            // In the source of another server that has a tool of this name, the name means that tool.
            let may_be = is_code_span && stretch.is_none()
                || name.kind == Kind::Words && !self.home.is_a_rivals(snapshot, self.path);
            return if may_be { Meaning::Perhaps(Left::OtherServer) } else { Meaning::Nothing };
        }
        // A name in `__all__` is renamed with the function, if at all.
        if let Reading::Source(tree) = self.reading
            && site::is_exported(tree, self.text, span)
        {
            return Meaning::Nothing;
        }
        let listed = || if self.lists_its_own(span) { None } else { self.listed(name, span) };
        if let Some(listed) = listed().or_else(|| self.keyed(name, span)).or_else(|| self.recorded(name, span)) {
            return listed;
        }
        match (name.kind, whole) {
            (Kind::Words | Kind::Word, true) if !self.is_test(span) && self.is_asked_for(span) => {
                Meaning::Tool(Group::Source)
            }
            // As long as the old name can be called, it may be what a call was made by.
            (Kind::Words, true)
                if !self.old.keeps_old
                    && self.is_labelled(span)
                    && !self.is_test(span)
                    && self.root(snapshot) == self.home.root
                    && !self.is_disputed(snapshot) =>
            {
                Meaning::Tool(Group::Source)
            }
            (Kind::Word, false) => self.word(snapshot, stretch, span),
            // A test double of the server must answer both names, as the server does.
            (Kind::Words, true) if self.is_test(span) && self.old.is_listed && self.case(span).is_some() => {
                let (own, sign) = self.case(span).unwrap_or_default();
                Meaning::Beside(own, sign)
            }
            // What a test passes in and the message it expects belong together: if one is left, so is the other.
            (Kind::Words, true) if self.is_test(span) && self.old.is_listed && self.is_said_of_function(name) => {
                Meaning::Perhaps(Left::TestString)
            }
            (Kind::Words, true) if self.is_test(span) && self.is_of_tools(snapshot) => {
                // The name that the test expects may be that of the alias, if the alias is listed.
                let meaning = Meaning::Tool(Group::Source);
                let may_be_other = self.old.is_listed && !self.is_called(span);
                if may_be_other { Meaning::Expected(Box::new(meaning)) } else { meaning }
            }
            // The list that the test expects changes, and so must a name that the test looks up in that list.
            (Kind::Word, true) if self.is_test(span) && !self.old.is_listed && self.is_among_tools(span) => {
                Meaning::Tool(Group::Source)
            }
            (_, true) if self.is_test(span) => Meaning::Perhaps(Left::TestString),
            // Manifests and fixtures name tools; in source, a string is just as often something else.
            (Kind::Words, true) if matches!(self.reading, Reading::Data) && self.is_named(span) => {
                Meaning::Tool(Group::Docs)
            }
            // Strings of the server's own package are renamed with the tool. As long as the old name can be called, a
            // string that may forbid it stays.
            (Kind::Words, true)
                if self.home.is_of_server && is_ours() && (!self.old.keeps_old || self.is_named(span)) =>
            {
                Meaning::Tool(Group::Source)
            }
            (Kind::Words, true) if is_ours() && (self.is_defined(span) || self.is_handed_on(snapshot, span)) => {
                Meaning::Tool(Group::Source)
            }
            (Kind::Words, true) => Meaning::Perhaps(Left::OtherString),
            (Kind::Word, true) if matches!(self.reading, Reading::Data) && self.is_named(span) => {
                Meaning::Perhaps(Left::OtherString)
            }
            (_, true) => Meaning::Nothing,
            (_, false) if self.may_be_a_function(name, stretch) => Meaning::Perhaps(Left::OtherCode),
            (_, false) => Meaning::Tool(Group::Docs),
        }
    }
}

/// Whether the characters on both sides of a place in a string cannot be part of a longer name: `"read_note:100"`,
/// `"read_note(id)"`.
fn is_between_signs(text: &str, span: Span) -> bool {
    let is_bound = |c: char| matches!(c, ',' | ';' | ':' | '|' | '=' | '"' | '\'' | '`');
    let (before, after) = (&text[..span.start as usize], &text[span.end as usize..]);
    before.ends_with(is_bound) && after.starts_with(|c| is_bound(c) || c == '(')
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether code of a test expects something to be absent.
fn is_absence(code: &str) -> bool {
    const SIGNS: [&str; 19] = [
        ".not.",
        "not in",
        "assertNotIn",
        "assert_not",
        "assert not ",
        "assertFalse",
        "refute",
        "toBeUndefined",
        "toBeFalsy",
        "toBeNull",
        "is None",
        "is False",
        "== False",
        "=== false",
        "(false)",
        ", false)",
        "(!",
        "isFalse",
        "isUndefined",
    ];
    SIGNS.iter().any(|sign| code.contains(sign))
}

/// Whether code sorts lists.
pub(in crate::rename) fn is_sorting(text: &str) -> bool {
    [".sort(", "sorted(", ".toSorted("].iter().any(|sign| text.contains(sign))
}
