//! Checks a client that a config describes for faults that the types of its keys do not exclude: values that could
//! never match or would match too much, and sizes that would make reading files expensive.

use globset::{GlobBuilder, GlobSetBuilder};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::{Client, Clients};
use crate::document::{Fault, Node};
use crate::framework::CalleePattern;
use crate::syntax::Language;
use crate::text::Span;

/// The maximum number of `[[client.file]]` tables of a client.
const MAX_FILES: usize = 20;
/// The maximum number of lists in one such table.
const MAX_LISTS: usize = 50;
/// The maximum number of `[[client.call]]` tables of a client.
const MAX_CALLS: usize = 20;
/// The maximum number of options, keywords and packages of a client.
const MAX_WORDS: usize = 50;
/// The maximum length, in bytes, of a word that texts are searched for.
const MAX_WORD: usize = 100;
/// The maximum length of a glob, in bytes.
const MAX_GLOB: usize = 200;

impl Client {
    /// Returns the faults of a client that was read from a row of a config.
    ///
    /// `others` are the clients that the config describes before this one.
    pub(crate) fn faults(&self, row: &Node, others: &[&Client]) -> Vec<Fault> {
        let mut check = Check { row, faults: Vec::new() };
        check.header(self);
        check.grammars();
        check.files(self);
        check.calls(self);
        check.words(self, others);
        check.faults
    }
}

struct Check<'a> {
    row: &'a Node,
    faults: Vec<Fault>,
}

/// The elements of a list in a table; none if there is no such list.
fn elements<'n>(node: &'n Node, key: &str) -> &'n [Node] {
    node.get(key).map_or(&[], Node::elements)
}

impl Check<'_> {
    fn fault(&mut self, span: Span, message: impl Into<String>) {
        self.faults.push(Fault { span, message: message.into() });
    }

    /// The span of a key's value, or of the whole table if the key is absent.
    fn at(&self, key: &str) -> Span {
        self.row.get(key).map_or(self.row.span, |value| value.span)
    }

    fn header(&mut self, client: &Client) {
        let is_id = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if client.id.is_empty() || !client.id.chars().all(is_id) {
            self.fault(self.at("id"), "an id is made of lower-case letters, digits and `-`");
        } else if Clients::built_in().iter().any(|known| known.id == client.id) {
            self.fault(self.at("id"), format!("there is already a client `{}`: choose another id", client.id));
        }
        if client.name.trim().is_empty() {
            self.fault(self.at("name"), "a client needs a name");
        }
        match client.limit {
            Some(0) => self.fault(self.at("limit"), "expected a number of characters, 1 or more"),
            Some(_) if client.over_limit.is_empty() => {
                self.fault(self.at("limit"), "set `over_limit` to a description of what happens to a longer name");
            }
            _ => {}
        }
        for (key, word) in [("ends_server", "text"), ("refuses", "begin"), ("ignored_entries", "begin")] {
            for row in elements(self.row, key) {
                if let Some(text) = row.get(word).filter(|text| text.as_str() == Some("")) {
                    self.fault(text.span, "expected at least one character");
                }
            }
        }
    }

    /// Checks that strings of each grammar can be read back as they are written.
    fn grammars(&mut self) {
        let row = self.row;
        let wire = row.get("wire").map(|wire| (wire, true));
        let own = ["names", "also"].into_iter().filter_map(|key| row.get(key));
        let lists = elements(row, "file").iter().flat_map(|file| elements(file, "list"));
        let calls = elements(row, "call").iter().flat_map(|call| elements(call, "list"));
        let rows = lists.chain(elements(row, "flag")).chain(elements(row, "code")).chain(calls);
        let of_rows = rows.flat_map(|row| ["grammar", "also"].into_iter().filter_map(|key| row.get(key)));
        for (grammar, is_wire) in own.chain(of_rows).map(|grammar| (grammar, false)).chain(wire) {
            self.form(grammar.get("tool"), is_wire);
            if let Some(also) = grammar.get("also") {
                self.form(Some(also), false);
            }
            if let Some(server) = grammar.get("server").and_then(Node::as_text)
                && (!server.text.contains("{server}") || server.text.contains("{tool}"))
            {
                self.fault(server.span, "`server` must contain `{server}` and must not contain `{tool}`");
            }
        }
        self.second(row.get("names"), row.get("also"));
        for list in elements(row, "file").iter().flat_map(|file| elements(file, "list")) {
            self.second(list.get("grammar").or(row.get("names")), list.get("also"));
        }
    }

    fn form(&mut self, form: Option<&Node>, is_wire: bool) {
        let Some(text) = form.and_then(Node::as_text) else { return };
        let at = |slot: &str| text.text.find(slot);
        match (at("{server}"), at("{tool}")) {
            (_, None) => self.fault(text.span, "`tool` must contain `{tool}`"),
            (Some(server), Some(tool)) if tool < server && !is_wire => {
                self.fault(text.span, "in files, the server must precede the tool: `{server}…{tool}`");
            }
            _ => {}
        }
    }

    /// Checks that the prefix of a second form distinguishes it from the first.
    fn second(&mut self, first: Option<&Node>, second: Option<&Node>) {
        let form =
            |grammar: Option<&Node>| grammar.and_then(|grammar| grammar.get("tool")).and_then(Node::as_text).cloned();
        let (Some(first), Some(second)) = (form(first), form(second)) else { return };
        let prefix = |text: &str| text.split('{').next().unwrap_or("").to_string();
        if prefix(&first.text).starts_with(&prefix(&second.text)) {
            let message = format!("this form needs a prefix that distinguishes it from `{}`", first.text);
            self.fault(second.span, message);
        }
    }

    fn files(&mut self, client: &Client) {
        let rows = elements(self.row, "file");
        if rows.len() > MAX_FILES {
            return self
                .fault(self.row.span, format!("a client can have at most {MAX_FILES} `[[client.file]]` tables"));
        }
        let mut all = GlobSetBuilder::new();
        for (row, file) in rows.iter().zip(&client.files) {
            let inside = row.get("inside").map_or(&[][..], |inside| elements(inside, "files"));
            let own = elements(row, "files").iter().chain(inside).map(|glob| (glob, false));
            let globs: Vec<(&Node, bool)> =
                own.chain(elements(row, "guest_in").iter().map(|glob| (glob, true))).collect();
            if globs.is_empty() {
                self.fault(row.span, "the table names no files: set `files` to their globs");
            }
            for (glob, is_guest) in globs {
                self.glob(glob, is_guest, &mut all);
            }
            if file.script {
                let message = "`script` is not needed, since scripts are read for every client: list this client's options in `[[client.flag]]`";
                self.fault(row.get("script").map_or(row.span, |script| script.span), message);
            }
            let ends_in_name = |mark: &SmolStr| mark.chars().next_back().is_none_or(char::is_alphanumeric);
            if file.mark.as_ref().is_some_and(ends_in_name) {
                let span = row.get("mark").map_or(row.span, |mark| mark.span);
                self.fault(span, "a mark must end in a character that no name contains, as `#tool:` does");
            }
            let lists = elements(row, "list");
            if lists.len() > MAX_LISTS {
                self.fault(row.span, format!("a file can have at most {MAX_LISTS} lists"));
            }
            for (row, list) in lists.iter().zip(&file.lists) {
                match (list.list.is_some(), list.kinds.is_empty()) {
                    (false, true) => {
                        self.fault(row.span, "set `list` to the kind of its strings, or `kinds` to the kind of each");
                    }
                    (true, false) => self.fault(row.span, "use `list` or `kinds`, not both"),
                    _ => {}
                }
                if list.at.keys().any(str::is_empty) {
                    let span = row.get("at").map_or(row.span, |at| at.span);
                    self.fault(span, "expected keys separated by dots");
                }
            }
        }
        if self.faults.is_empty() && all.build().is_err() {
            self.fault(self.row.span, "the client's globs are too large: use fewer or simpler ones");
        }
    }

    fn glob(&mut self, node: &Node, is_guest: bool, all: &mut GlobSetBuilder) {
        let Some(glob) = node.as_str() else { return };
        let name = glob.rsplit('/').next().unwrap_or(glob);
        let language = Language::of_path(glob);
        let is_read = match language {
            // A glob such as `*.{json,yaml}` has no single extension, but may match files that are read.
            None => name.contains('{') || name.contains('[') || name.ends_with('*') && name.contains('.'),
            Some(Language::Json) => true,
            Some(language) => language.family().is_none() && !is_guest,
        };
        let is_built_in = || {
            let of = |client: &Client| client.files.iter().any(|file| file.files.iter().any(|known| known == glob));
            Clients::built_in().iter().find(|client| of(client)).map(|client| client.name.clone())
        };
        let message = if glob.len() > MAX_GLOB {
            format!("this glob has more than {MAX_GLOB} bytes: shorten it")
        } else if glob.is_empty() || glob.starts_with(['/', '~']) || glob.starts_with("./") || glob.contains("../") {
            "write the glob relative to the workspace's root: `**/.hal/config.json`".to_string()
        } else if !is_read && is_guest {
            "only JSON files can be read for a second client (`guest_in`)".to_string()
        } else if !is_read {
            "only JSON, TOML, YAML and Markdown files are read for a client".to_string()
        } else if let Some(owner) = is_built_in().filter(|_| !is_guest) {
            format!("this is a file of {owner}: use `guest_in`")
        } else {
            match GlobBuilder::new(glob).literal_separator(true).build() {
                Ok(built) if GlobSetBuilder::new().add(built.clone()).build().is_ok() => {
                    all.add(built);
                    return;
                }
                Ok(_) => "this glob is too complex: simplify it".to_string(),
                Err(error) => error.kind().to_string(),
            }
        };
        self.fault(node.span, message);
    }

    fn calls(&mut self, client: &Client) {
        if client.calls.len() > MAX_CALLS {
            let message = format!("a client can have at most {MAX_CALLS} tables `[[client.call]]`");
            return self.fault(self.row.span, message);
        }
        for (call, row) in client.calls.iter().zip(elements(self.row, "call")) {
            let at = |key: &str| row.get(key).map_or(row.span, |value| value.span);
            let is_word = |word: &SmolStr| !word.is_empty() && word.len() <= MAX_WORD;
            if call.packages.is_empty() || !call.packages.iter().all(is_word) {
                self.fault(at("packages"), "expected names of packages");
            }
            if call.paths.is_empty() || call.paths.iter().any(|path| matches!(path, CalleePattern::Folder(_))) {
                self.fault(at("paths"), "expected functions, classes or methods: `Toolset`, `*.create`");
            }
            if call.lists.len() > MAX_LISTS {
                self.fault(row.span, format!("a call can have at most {MAX_LISTS} lists"));
            }
            for (list, row) in call.lists.iter().zip(elements(row, "list")) {
                if list.at.is_empty() {
                    self.fault(row.get("at").map_or(row.span, |at| at.span), "expected selectors: `kw:allowed_tools`");
                }
            }
        }
    }

    /// Checks the words that texts are searched for. No two clients may have the same word.
    fn words(&mut self, client: &Client, others: &[&Client]) {
        let count = client.flags.len() + client.code.len() + client.packages.len();
        if count > MAX_WORDS {
            return self
                .fault(self.row.span, format!("a client can have at most {MAX_WORDS} options, keywords and packages"));
        }
        let known = Clients::built_in().iter().map(|client| &**client).chain(others.iter().copied());
        let mut owners: FxHashMap<(&str, &str), &str> = FxHashMap::default();
        for client in known {
            let options = client.flags.iter().flat_map(|flag| &flag.names).map(|name| ("flag", name.as_str()));
            let keywords = client.code.iter().flat_map(|row| &row.names).map(|name| ("code", name.as_str()));
            owners.extend(options.chain(keywords).map(|word| (word, client.name.as_str())));
        }
        let mut seen: FxHashSet<(&str, &str)> = FxHashSet::default();
        for key in ["flag", "code"] {
            let rows = elements(self.row, key).iter();
            let names: Vec<&Node> = rows.flat_map(|row| elements(row, "names")).collect();
            for node in names {
                let Some(word) = node.as_str() else { continue };
                if word.is_empty() || word.len() > MAX_WORD {
                    self.fault(node.span, format!("expected 1 to {MAX_WORD} bytes"));
                } else if !seen.insert((key, word)) {
                    self.fault(node.span, format!("`{word}` is listed twice"));
                } else if let Some(owner) = owners.get(&(key, word)) {
                    let message = format!("`{word}` already belongs to {owner}: no other client can use it");
                    self.fault(node.span, message);
                }
            }
        }
        for node in elements(self.row, "packages") {
            if node.as_str().is_some_and(|word| word.is_empty() || word.len() > MAX_WORD) {
                self.fault(node.span, format!("expected 1 to {MAX_WORD} bytes"));
            }
        }
    }
}
