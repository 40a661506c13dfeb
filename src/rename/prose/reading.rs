//! The meaning of a name at a place, by the kind of its file: source, a document, values.

mod listed;

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::forms::{Form, Kind};
use crate::client;
use crate::document::{self, Code};
use crate::name::Name;
use crate::path::is_test;
use crate::places::Places;
use crate::rename::home::{self, Home};
use crate::rename::{Group, Left, stands_alone};
use crate::syntax::{self, Branch, Language, Siblings, Stretch, Tree};
use crate::text::{Edit, Span, indent, line_break};
use crate::workspace::Snapshot;

/// How many bytes of a line are looked at on either side of a name. Longer lines are written by programs.
const MOST_OF_LINE: usize = 16 * 1024;

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

/// What the old name comes to.
#[derive(Clone, Copy)]
pub(in crate::rename) struct Old {
    /// Source still calls the tool so: then only what clients compose changes.
    pub(in crate::rename) stays: bool,
    /// It can still be called: what may guard it stays.
    pub(in crate::rename) goes_on: bool,
    /// And it is listed.
    pub(in crate::rename) is_listed: bool,
    /// The function that the tool was named after is still called so.
    pub(in crate::rename) names_function: bool,
    /// Functions of that name are not renamed: the tool's name is a literal, or written next to its function.
    pub(in crate::rename) keeps_functions: bool,
}

impl Old {
    /// Nothing is called so any more.
    pub(in crate::rename) const GONE: Old =
        Old { stays: false, goes_on: false, is_listed: false, names_function: false, keeps_functions: false };
    /// It can still be called, and its source calls it otherwise.
    pub(in crate::rename) const ANSWERED: Old =
        Old { stays: false, goes_on: true, is_listed: false, names_function: false, keeps_functions: false };
}

/// How a file is read.
pub(in crate::rename) enum Reading {
    /// By its tree: strings and comments.
    Source(Tree),
    /// With its code, where it has a way to say what is code.
    Document(Vec<Code>),
    /// Values: whole ones, and those that are sentences.
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

/// The meaning of a name at a place.
pub(in crate::rename) enum Meaning {
    Nothing,
    Tool(Group),
    /// What a test expects, and what it means where nothing else in the package keeps the name.
    Expected(Box<Meaning>),
    /// It is one of the names of a list that has to have both: what is written before it, behind the new name.
    Beside(Span, String),
    /// It is one of a list in which code searches, or a key by which it looks something up, and the old name does not go on:
    /// the edit that replaces it, and the one after which both are there.
    Searched(Edit, Edit),
    /// The edit that adds the new name, and what to delete of the old one.
    Edited(Edit, Option<Span>),
    /// It may be the tool's; the reason why it is left alone.
    Perhaps(Left),
    /// It may be there to forbid what can still be called by it, as long as the old name goes on.
    Guard,
    /// It may be, where names are hard to tell from what is none, for this reason: told once for a text, and how often it is so.
    Passing(Left),
}

/// One text.
pub(in crate::rename) struct Reader<'a> {
    home: &'a Home,
    path: &'a str,
    text: &'a str,
    old: Old,
    reading: &'a Reading,
    /// Whether the text is about tools at all; computed on demand.
    is_of_tools: OnceCell<bool>,
    /// Whether it asks a Python function for its name.
    asks_names: OnceCell<bool>,
    /// Whether it finds Python functions by their names.
    finds_members: OnceCell<bool>,
    /// The package around it.
    root: OnceCell<String>,
    is_disputed: OnceCell<bool>,
    /// The tests in a file of source.
    tests: OnceCell<Places>,
    /// The list that was looked at last, and whether it is one of the server's tools.
    listed: RefCell<Option<(Siblings, bool)>>,
    /// The line that was looked at last.
    line: Cell<Span>,
    /// The last name that was searched for among the identifiers of the file, and whether it was found.
    code: RefCell<Option<(String, bool)>>,
    /// The block of a document that was read last: where it begins, and its tree.
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

    /// Whether a name is one of several in a Python file that finds functions by what they are called: `getattr(module, name)`,
    /// a walk over `FunctionDef`.
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
        let is_one = *self.finds_members.get_or_init(finds) && syntax::siblings(tree, span).is_some();
        is_one && !self.is_declared_for_tools(tree, span)
    }

    /// Whether a list is called what its elements are: names of tools.
    fn is_declared_for_tools(&self, tree: &Tree, span: Span) -> bool {
        let called = syntax::declared_for(tree, self.text, span).unwrap_or_default();
        Name::new(called).lower_words().iter().any(|word| word == "tool" || word == "tools")
    }

    fn is_attribute(&self, span: Span) -> bool {
        matches!(self.reading, Reading::Source(tree) if syntax::is_attribute(tree, self.text, span))
    }

    pub(in crate::rename) fn meaning(&self, snapshot: &Snapshot, name: &Form, span: Span) -> Meaning {
        let is_composed = name.kind == Kind::Composed;
        // The short name in another server's file is another server's tool.
        let is_ours = || {
            let root = self.root(snapshot);
            (root == self.home.root || root == ".") && !self.is_disputed(snapshot)
        };
        let may_be = matches!(name.kind, Kind::Composed | Kind::Loose) || is_ours();
        let of_values =
            may_be && matches!(self.reading, Reading::Data | Reading::Foreign) && stands_alone(self.text, span);
        if let Some((own, sign)) = of_values.then(|| self.sign_behind(name, span)).flatten() {
            return if self.old.goes_on { Meaning::Beside(own, sign) } else { Meaning::Tool(Group::Source) };
        }
        if matches!(name.kind, Kind::Words | Kind::Word)
            && let Some((server, entry)) = self.of_unknown_server(span)
        {
            return Meaning::Perhaps(Left::UnknownServer { server: server.to_string(), entry: entry.to_string() });
        }
        if !self.stands_alone(span, name.kind) {
            return Meaning::Nothing;
        }
        // As long as the old name is listed, a test that expects it holds; one that expects it to be absent looks away with
        // the new name alone.
        if self.is_test(span) && self.old.goes_on && self.old.is_listed && self.says_absent(span) {
            return Meaning::Perhaps(Left::TestString);
        }
        // A test that keeps functions by what they are called finds this one by its old name.
        if self.is_test(span) && self.old.is_listed && self.old.names_function && self.asks_names() {
            return Meaning::Perhaps(Left::TestString);
        }
        if self.is_test(span) && self.old.names_function && self.may_be_a_member(span) {
            return Meaning::Perhaps(Left::TestString);
        }
        if self.is_test(span) && (self.old.goes_on || self.old.keeps_functions) && self.is_attribute(span) {
            return Meaning::Perhaps(Left::TestString);
        }
        let stretch = match self.reading {
            Reading::Source(tree) => Some(syntax::stretch(tree, span)),
            Reading::Document(code) => {
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
            Reading::Foreign if is_composed && self.old.goes_on && self.may_guard(span) => return Meaning::Guard,
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
            Some(Stretch::String(whole)) => {
                let inside = self.inside(whole);
                // What has no blank in it is nothing that people read, and neither is a command.
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
            // What is compared with it, or started with it, may be there to forbid it.
            let may_guard = self.may_guard(span);
            if let Some(listed) = self.listed(name, span).filter(|_| may_guard && whole && self.old.goes_on) {
                return listed;
            }
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
                (None, _) => Meaning::Perhaps(Left::Word),
                (Some(Stretch::String(_)), true) if is_of_words => Meaning::Perhaps(Left::OtherString),
                _ => Meaning::Nothing,
            };
        }
        // The answer of the server itself.
        if self.home.recorded.contains(self.path) {
            return Meaning::Tool(Group::Source);
        }
        if self.is_disputed(snapshot) {
            // In another one's source it is what that one is called.
            let may_be = is_code_span && stretch.is_none()
                || name.kind == Kind::Words && !self.home.is_a_rivals(snapshot, self.path);
            return if may_be { Meaning::Perhaps(Left::OtherServer) } else { Meaning::Nothing };
        }
        // It is renamed with the function, if that is.
        if let Reading::Source(tree) = self.reading
            && syntax::is_exported(tree, self.text, span)
        {
            return Meaning::Nothing;
        }
        let listed = || if self.lists_its_own(span) { None } else { self.listed(name, span) };
        if let Some(listed) = listed().or_else(|| self.keyed(name, span)) {
            return listed;
        }
        match (name.kind, whole) {
            (Kind::Words | Kind::Word, true) if !self.is_test(span) && self.is_asked_for(span) => {
                Meaning::Tool(Group::Source)
            }
            (Kind::Word, false) => self.word(snapshot, stretch, span),
            // What a test puts in the place of a server answers both names, as that does.
            (Kind::Words, true) if self.is_test(span) && self.old.is_listed && self.case(span).is_some() => {
                let (own, sign) = self.case(span).unwrap_or_default();
                Meaning::Beside(own, sign)
            }
            // What a test is given and what it expects to be said go together: where the one stays, so does the other.
            (Kind::Words, true) if self.is_test(span) && self.old.is_listed && self.is_said_of_function(name) => {
                Meaning::Perhaps(Left::TestString)
            }
            (Kind::Words, true) if self.is_test(span) && self.is_of_tools(snapshot) => {
                // An alias that is listed is all that was expected of the tool.
                let meaning = Meaning::Tool(Group::Source);
                let may_be_other = self.old.is_listed && !self.is_called(span);
                if may_be_other { Meaning::Expected(Box::new(meaning)) } else { meaning }
            }
            // A list that has to be another one now, and what is looked for in it.
            (Kind::Word, true) if self.is_test(span) && !self.old.is_listed && self.is_among_tools(span) => {
                Meaning::Tool(Group::Source)
            }
            (_, true) if self.is_test(span) => Meaning::Perhaps(Left::TestString),
            // Manifests and fixtures name tools; in source a string is as often something else.
            (Kind::Words, true) if matches!(self.reading, Reading::Data) && self.is_named(span) => {
                Meaning::Tool(Group::Docs)
            }
            // What the package says of the tool, it says of the new name; what may forbid the old one stays while that goes on.
            (Kind::Words, true)
                if self.home.is_of_server && is_ours() && (!self.old.goes_on || self.is_named(span)) =>
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

    /// Whether a comment, or a text in a test, may be about a function of that name: the file uses one, and it is not renamed.
    fn may_be_a_function(&self, name: &Form, stretch: Option<Stretch>) -> bool {
        let Reading::Source(tree) = self.reading else { return false };
        let may_be = matches!(stretch, Some(Stretch::Comment)) || is_test(self.path);
        if !may_be || !self.old.keeps_functions {
            return false;
        }
        let known = self.code.borrow().as_ref().filter(|(known, _)| *known == name.old).map(|(_, has)| *has);
        known.unwrap_or_else(|| {
            let places = self.text.match_indices(&name.old).map(|(at, word)| Span::new(at, at + word.len()));
            let is_code = |span: Span| matches!(syntax::stretch(tree, span), Stretch::Code | Stretch::Member);
            let has = places.filter(|span| stands_alone(self.text, *span)).any(is_code);
            *self.code.borrow_mut() = Some((name.old.clone(), has));
            has
        })
    }

    /// Whether sentences in the strings of a test say the name, which may be that of a function.
    fn is_said_of_function(&self, name: &Form) -> bool {
        let mut places = self.text.match_indices(&name.old).map(|(at, word)| Span::new(at, at + word.len()));
        places.any(|span| self.is_in_text(span)) && self.may_be_a_function(name, None)
    }

    /// What a name of one word means among others: nearly always it is that word, and whoever renames the tool wants to know where
    /// it may be more.
    fn word(&self, snapshot: &Snapshot, stretch: Option<Stretch>, span: Span) -> Meaning {
        let is_at_home = || self.root(snapshot) == self.home.root && !is_test(self.path);
        match stretch {
            None if self.is_marked(span) => Meaning::Perhaps(Left::Word),
            None if self.is_of_tools(snapshot) => Meaning::Passing(Left::Word),
            Some(Stretch::String(_)) if is_at_home() && self.is_marked(span) => Meaning::Perhaps(Left::Word),
            Some(Stretch::String(_)) if is_at_home() => Meaning::Passing(Left::Word),
            _ => Meaning::Nothing,
        }
    }

    /// Whether the text at a place is set apart from the words around it: quoted, emphasised, called, a heading, or what a
    /// row or an item of a list is about.
    fn is_marked(&self, span: Span) -> bool {
        let (before, after) = (&self.text[..span.start as usize], &self.text[span.end as usize..]);
        let (lead, rest, _) = self.line_around(span);
        let (lead, rest) = (lead.trim(), rest.trim());
        let is_between = |open: &[char], close: &[char]| before.ends_with(open) && after.starts_with(close);
        let is_item = matches!(lead, "-" | "*" | "+") || lead.strip_suffix(['.', ')']).is_some_and(is_number);
        after.starts_with('(')
            || is_between(&['`', '"', '\'', '*'], &['`', '"', '\'', '*'])
            || is_between(&['>'], &['<'])
            || lead.ends_with('|') && rest.starts_with('|')
            || !lead.is_empty() && lead.chars().all(|c| c == '#') && rest.is_empty()
            || is_item && (rest.is_empty() || rest.starts_with([':', '-', '–', '—']))
    }

    /// Whether a test says at a place that something is not there; in a file that is not read as source, it may.
    fn says_absent(&self, span: Span) -> bool {
        match self.reading {
            Reading::Source(_) => {
                let (before, after, _) = self.line_around(span);
                is_absence(before) || is_absence(after)
            }
            Reading::Data | Reading::Foreign => true,
            Reading::Document(_) => false,
        }
    }

    /// Whether a string is what a function is given that is about a tool, or that asks a server of it:
    /// `client.callTool({ name: "read_note" })`, `describe(server, "read_note")`.
    fn is_called(&self, span: Span) -> bool {
        let Reading::Source(tree) = self.reading else { return false };
        let has = |called: &str, wanted: &[&str]| {
            Name::new(called).lower_words().iter().any(|word| wanted.contains(&word.as_str()))
        };
        syntax::called_with(tree, self.text, span).is_some_and(|(called, given)| {
            has(called, &["tool", "tools"])
                || given.iter().any(|given| has(given, &["server", "client", "mcp", "session"]))
        })
    }

    /// The string at a place where it is what a case of a `switch` is for, with what parts it from another one for the same.
    fn case(&self, span: Span) -> Option<(Span, String)> {
        let Reading::Source(tree) = self.reading else { return None };
        let own = Span { start: span.start - 1, end: span.end + 1 };
        let Some(Branch::Case(start)) = syntax::branch(tree, self.text, own) else { return None };
        Some((own, format!(":{}{}case ", line_break(self.text), indent(self.text, start))))
    }

    /// Whether the string at a place is the name of a definition as servers list them: an object with a name, a description and a
    /// schema.
    fn is_defined(&self, span: Span) -> bool {
        let Reading::Source(tree) = self.reading else { return false };
        self.is_named(span) && {
            let keys = syntax::keys_beside(tree, self.text, span);
            let has = |wanted: &[&str]| keys.iter().any(|key| wanted.contains(key));
            has(&["description"]) && has(&["inputSchema", "input_schema", "parameters"])
        }
    }

    /// Whether the string at a place is handed to a function of the package that says it is about tools:
    /// `proxy_tool_call("read_note", …)`. A function of somebody else's may ask another server.
    fn is_handed_on(&self, snapshot: &Snapshot, span: Span) -> bool {
        let Reading::Source(tree) = self.reading else { return false };
        let called = syntax::called_with(tree, self.text, span).map(|(called, _)| called);
        called.is_some_and(|called| {
            let says_tool = Name::new(called).lower_words().iter().any(|word| word == "tool");
            says_tool && self.home.defines(snapshot, called)
        })
    }

    /// Whether an MCP App calls a tool of the server that it comes from by the string at a place:
    /// `app.callServerTool({ name: "read_note" })`. Other clients may have other servers.
    fn is_asked_for(&self, span: Span) -> bool {
        let Reading::Source(tree) = self.reading else { return false };
        let called = syntax::called_with(tree, self.text, span).map(|(called, _)| called);
        called == Some("callServerTool") && self.is_named(span)
    }

    /// Whether a place is in a test, of a file of its own or of the source that it tests.
    fn is_test(&self, span: Span) -> bool {
        let inside = || match self.reading {
            Reading::Source(tree) => syntax::tests_inside(tree, self.text).into_iter().collect(),
            _ => Places::default(),
        };
        is_test(self.path) || self.tests.get_or_init(inside).hold(span)
    }

    /// Whether a place is in a sentence of a string, and not all of it.
    pub(in crate::rename) fn is_in_text(&self, span: Span) -> bool {
        let Reading::Source(tree) = self.reading else { return false };
        matches!(syntax::stretch(tree, span), Stretch::String(whole) if self.inside(whole).len() > span.len())
    }

    /// Whether a test expects some text to contain what is at a place.
    pub(in crate::rename) fn is_expected_in_text(&self, span: Span) -> bool {
        const CONTAINS: [&str; 5] = ["assertIn(", "toContain(", "toMatch(", "includes(", "contains("];
        let quotes = ['"', '\'', '`'];
        let (before, after) = (&self.text[..span.start as usize], &self.text[span.end as usize..]);
        let before = before.trim_end_matches(quotes);
        after.trim_start_matches(quotes).starts_with(" in ") || CONTAINS.iter().any(|method| before.ends_with(method))
    }

    /// Whether the text at a place may be compared with a name: it is no comment, and nothing that people read.
    pub(in crate::rename) fn may_guard(&self, span: Span) -> bool {
        let whole = match self.reading {
            Reading::Source(tree) => match syntax::stretch(tree, span) {
                Stretch::String(whole) => whole,
                Stretch::Pattern(_) => return true,
                Stretch::Code | Stretch::Member | Stretch::Comment => return false,
            },
            Reading::Data => self.value_around(span),
            // A name on a line of its own is read by a program, where the text has no markup.
            Reading::Document(code) => {
                let (before, behind, is_whole) = self.line_around(span);
                let is_code = code.iter().any(|code| code.span.contains(span)) || syntax::is_markdown(self.path);
                return is_whole && !is_code && before.trim().is_empty() && behind.trim().is_empty();
            }
            Reading::Foreign => {
                let line = self.line_around(span).0.trim_start();
                return !["# ", "##", "//", ";", "REM "].iter().any(|sign| line.starts_with(sign));
            }
        };
        !self.is_sentence(self.inside(whole), span)
    }

    /// The contents of a string, without its quotes and prefix.
    fn inside(&self, whole: Span) -> &str {
        let quoted = &self.text[whole.range()];
        let inside = quoted.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '#');
        let inside = if matches!(self.reading, Reading::Data) { quoted } else { inside };
        inside.trim_matches(|c: char| matches!(c, '"' | '\'' | '`' | '#'))
    }

    fn root(&self, snapshot: &Snapshot) -> &str {
        self.root.get_or_init(|| home::root_of(snapshot, self.path))
    }

    fn is_disputed(&self, snapshot: &Snapshot) -> bool {
        *self.is_disputed.get_or_init(|| self.home.is_disputed(snapshot, self.path))
    }

    /// The text before and after a place on its line, up to a limit, and whether that is the whole line.
    fn line_around(&self, span: Span) -> (&str, &str, bool) {
        let (start, end) = (span.start as usize, span.end as usize);
        let last = self.line.get();
        let line = match last.contains(span) {
            true => last,
            false => {
                let is_break = |c: char| matches!(c, '\n' | '\r');
                let first = self.text[..start].rfind(is_break).map_or(0, |at| at + 1);
                let line = Span::new(first, self.text[end..].find(is_break).map_or(self.text.len(), |at| end + at));
                self.line.set(line);
                line
            }
        };
        let is_boundary = |at: &usize| self.text.is_char_boundary(*at);
        let from = (start.saturating_sub(MOST_OF_LINE)..start).find(is_boundary).unwrap_or(start);
        let to = (end..=(end + MOST_OF_LINE).min(self.text.len())).rev().find(is_boundary).unwrap_or(end);
        let (from, to) = (from.max(line.start as usize), to.min(line.end as usize));
        (&self.text[from..start], &self.text[end..to], (from, to) == (line.start as usize, line.end as usize))
    }

    /// Whether the text is about tools at all, so that a string in it may name one.
    fn is_of_tools(&self, snapshot: &Snapshot) -> bool {
        *self.is_of_tools.get_or_init(|| {
            let is_at_home = self.root(snapshot) == self.home.root;
            OF_TOOLS.find_iter(self.text).any(|found| is_at_home || found.pattern().as_usize() == 0)
        })
    }

    /// Whether a place in a block of a document is code, in which names are not those of tools.
    fn is_code(&self, block: &Code, language: &str, span: Span) -> bool {
        let Some(read) = Language::of_fence(language).filter(|language| language.family().is_some()) else {
            return !PLAIN_FENCES.contains(&language);
        };
        let (start, end) = (span.start - block.span.start, span.end - block.span.start);
        let mut last = self.block.borrow_mut();
        if last.as_ref().is_none_or(|(start, _)| *start != block.span.start) {
            let tree = self.text.get(block.span.range()).and_then(|text| syntax::parse(read, text, None));
            *last = Some((block.span.start, tree));
        }
        let tree = last.as_ref().and_then(|(_, tree)| tree.as_ref());
        let stretch = tree.map(|tree| syntax::stretch(tree, Span { start, end }));
        matches!(stretch, Some(Stretch::Code | Stretch::Pattern(_) | Stretch::Member))
    }

    /// The server, and all of the name, where the text composes it as clients do with a key that no file gives to a server.
    fn of_unknown_server(&self, span: Span) -> Option<(&str, &str)> {
        const SIGN: &str = "__";
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let head = self.text[..span.start as usize].strip_suffix(SIGN)?;
        let key = head.rsplit(|c| !is_part(c)).next()?;
        let server = key.strip_prefix("mcp").and_then(|key| key.strip_prefix(SIGN)).filter(|key| !key.is_empty())?;
        let is_known = self
            .home
            .keys
            .iter()
            .chain(&self.home.strangers)
            .any(|key| client::kept_by_all(key) == client::kept_by_all(server));
        let is_whole = !self.text[span.end as usize..].starts_with(is_part);
        let whole = Span { start: span.start - (key.len() + SIGN.len()) as u32, end: span.end };
        (is_whole && !is_known).then(|| (server, &self.text[whole.range()]))
    }

    /// Whether what is around a name leaves it a name: it is no part of a longer one, of a path or of a member.
    fn stands_alone(&self, span: Span, kind: Kind) -> bool {
        let (before, after) = (&self.text[..span.start as usize], &self.text[span.end as usize..]);
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        if !stands_alone(self.text, span) {
            return false;
        }
        if kind == Kind::Composed {
            return true;
        }
        let next = after.chars().nth(1).unwrap_or(' ');
        // A link to a heading changes with the heading; an `id` stays, and so do links to it. Any other name after `#` or `=` is part
        // of a URL.
        let has_id = || self.text.contains(&format!("id=\"{}\"", &self.text[span.range()]));
        let is_anchor = before.ends_with("](#") && after.starts_with(')') && !has_id();
        if before.ends_with(['#', '=', '?', '&', '%']) && !is_anchor || before.ends_with("id=\"") {
            return false;
        }
        let goes_on =
            after.starts_with(['.', '/', '\\']) && next.is_alphanumeric() || after.starts_with('=') && next != '=';
        // A folder.
        let goes_on = goes_on || after.starts_with('/') && !next.is_alphanumeric();
        if goes_on || before.ends_with('$') {
            return false;
        }
        // `server.name`, `path/name`, `server:name`: the server's own are fine, but for members.
        let Some(sign) = before.chars().next_back().filter(|c| matches!(c, '.' | '/' | ':' | '\\')) else {
            return true;
        };
        // A server's key already precedes it.
        if kind == Kind::Loose {
            return false;
        }
        let head = &before[..before.len() - sign.len_utf8()];
        let word = head.rsplit(|c: char| !is_part(c) && c != '.').next().unwrap_or("");
        match sign {
            _ if word.is_empty() => sign != '/' && sign != '\\' && sign != '.',
            '/' | ':' => self.home.keys.contains(word) || sign == ':' && !self.is_stranger(word),
            // `...TABLE.name`
            '.' => self.home.tables.contains(word.trim_start_matches('.')),
            _ => false,
        }
    }

    fn is_stranger(&self, word: &str) -> bool {
        self.home.strangers.contains(word)
    }

    /// Whether a string is something that people read, and neither a query nor a command.
    fn is_sentence(&self, inside: &str, span: Span) -> bool {
        let is_flag = |word: &str| word.len() > 2 && word.starts_with("--");
        if !inside.contains(char::is_whitespace) || inside.split_whitespace().any(is_flag) {
            return false;
        }
        // In quotes it is meant as a name.
        let is_quote = |c: char| matches!(c, '`' | '"' | '\'' | '\\' | '*');
        let (before, after) = (&self.text[..span.start as usize], &self.text[span.end as usize..]);
        if before.ends_with(is_quote) && after.starts_with(is_quote) {
            return true;
        }
        let first = inside.trim_start().split(char::is_whitespace).next().unwrap_or("");
        let is_query = first.len() > 2 && first.chars().all(|c| c.is_ascii_uppercase());
        !is_query && first.starts_with(|c: char| c.is_uppercase() || !c.is_alphanumeric())
    }

    /// Whether a whole value is a name: its key says so, and the file is about tools.
    fn is_named(&self, span: Span) -> bool {
        const KEYS: [&str; 4] = ["name", "tool", "toolName", "tool_name"];
        let file = self.path.rsplit('/').next().unwrap_or(self.path);
        let is_of_project = file == "package.json" || file.starts_with("tsconfig") || self.path.starts_with(".github/");
        let before = self.text[..span.start as usize].trim_end_matches(['"', '\'']).trim_end();
        let key = before.strip_suffix(':').map(|before| before.trim_end().trim_end_matches(['"', '\'']));
        let is_value = !self.text[span.end as usize..].trim_start_matches(['"', '\'']).trim_start().starts_with(':');
        !is_of_project && is_value && key.is_some_and(|key| KEYS.iter().any(|wanted| key.ends_with(wanted)))
    }

    /// The value around a place in a data file, with its quotes: a string, or the rest of the line.
    fn value_around(&self, span: Span) -> Span {
        let (start, end) = (span.start as usize, span.end as usize);
        let (before, behind, _) = self.line_around(span);
        let (line, line_end) = (start - before.len(), end + behind.len());
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

/// Whether a place in a string lies between signs of which none makes a longer name: `"read_note:100"`, `"read_note(id)"`.
fn is_between_signs(text: &str, span: Span) -> bool {
    let is_bound = |c: char| matches!(c, ',' | ';' | ':' | '|' | '=' | '"' | '\'' | '`');
    let (before, after) = (&text[..span.start as usize], &text[span.end as usize..]);
    before.ends_with(is_bound) && after.starts_with(|c| is_bound(c) || c == '(')
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether code of a test says that something is not there.
fn is_absence(code: &str) -> bool {
    const SIGNS: [&str; 9] =
        [".not.", "not in", "assertNotIn", "assert_not", "refute", "toBeUndefined", "toBeFalsy", "toBeNull", "is None"];
    SIGNS.iter().any(|sign| code.contains(sign))
}

/// Whether code puts lists in order.
pub(in crate::rename) fn is_sorting(text: &str) -> bool {
    [".sort(", "sorted(", ".toSorted("].iter().any(|sign| text.contains(sign))
}
