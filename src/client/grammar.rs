//! The names of tools in a client's files: the form of a string, its meaning, and the string for a tool.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::LazyLock;

use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::Deserialize;
use smol_str::SmolStr;

/// A grammar: the way in which one kind of string names tools.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Grammar {
    /// Form of the string for one tool: `mcp__{server}__{tool}`, `Mcp({server}:{tool})`; only `{tool}` in a list that
    /// belongs to one server.
    pub tool: Form,
    /// Form of the string for all tools of a server: `mcp__{server}`. The form of one tool with `*` in place of the
    /// tool means the same.
    #[serde(default)]
    pub server: Option<Form>,
    /// Characters that names keep; every other character is replaced by `_`.
    #[serde(default)]
    pub keeps: Keeps,
    /// Character that replaces the others in names of tools, if it is not `_`: `-`.
    pub fill: Option<char>,
    /// Characters that the names of tools keep, if they differ from those that the keys of servers keep.
    pub tool_keeps: Option<Keeps>,
    /// Whether parentheses after the name of a tool may restrict an entry to some calls: `mcp__notes__read_note(…)`.
    #[serde(default)]
    pub arguments: bool,
    /// Whether such parentheses are accepted, but restrict nothing.
    #[serde(default)]
    pub ignores_arguments: bool,
    /// Whether the prefix of the form is left out before a server's key that begins with it.
    #[serde(default)]
    pub prefix_once: bool,
    /// Whether a string for all tools of a server has its key as configs write it, so that no such string exists for a
    /// key that contains other characters than names, or begins with the prefix.
    #[serde(default)]
    pub plain_servers: bool,
    /// Whether `?` matches exactly one character in patterns, as in `get_?`, in addition to `*` for any number of
    /// characters.
    #[serde(default)]
    pub any_one: bool,
    /// Whether strings and names are compared without regard to case.
    #[serde(default)]
    pub any_case: bool,
    /// Strings of another form that are about the client's own tools.
    #[serde(default)]
    pub own: Own,
    /// Whether the client splits names at the first separator, even if that lies in the key of the server: a key that
    /// contains the separator, or ends as it begins, cannot be written alone in an allow list, and an entry that denies
    /// or asks also applies to servers whose keys continue after a separator.
    #[serde(default)]
    pub first_separator: bool,
    /// Whether a pattern that contains no `_` and does not begin with `*` is only about the client's own tools.
    #[serde(default)]
    pub own_patterns: bool,
    /// Another form for one tool that the client accepts but that is never proposed: `{server}_{tool}`.
    #[serde(default)]
    pub also: Option<Form>,
}

/// A form of strings with places for a server and a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    pub prefix: SmolStr,
    /// The text between server and tool; `None` if the form does not name a server.
    pub separator: Option<SmolStr>,
    pub suffix: SmolStr,
    /// Whether the tool precedes the server: `{tool}_mcp_{server}`. Models see such names; no file contains them.
    pub tool_first: bool,
}

/// The characters that composed names keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Keeps {
    /// Letters, digits, `_` and `-`.
    #[default]
    Names,
    /// Letters, digits and `_`.
    Words,
    /// Letters, digits, `_`, `-`, `.` and `:`.
    Dotted,
    /// Letters, digits, `_`, `-` and `.`.
    DottedNames,
    /// All but `.`.
    Undotted,
    /// Lower-case letters and digits; everything between them becomes one `_`.
    Slug,
    /// All characters: names are not changed.
    All,
}

/// The strings that are not about MCP tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Own {
    /// Strings that do not begin with `mcp` and a separator, in upper or lower case.
    NotMcp,
    /// Strings that begin with an upper-case letter: `Bash(npm run build)`, `WebFetch`.
    Capitalised,
    /// Strings that begin with an upper-case letter, and `*`, which means all tools.
    CapitalisedOrAll,
    /// All strings that lack the prefix of the form.
    Others,
    /// All strings that do not begin with a known server, if nothing else distinguishes the client's own tools.
    UnknownServer,
    /// None: the list contains MCP tools only.
    #[default]
    None,
}

/// The places where a string may contain `*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Wildcards {
    /// Nowhere.
    None,
    /// In place of the tool, after a literal server: `mcp__s__*`.
    Whole,
    /// In place of the tool, after a literal server, or in place of server and tool: `mcp__*`.
    WholeOrAll,
    /// In the name of the tool, after a literal server: `mcp__s__get_*`.
    Tool,
    /// Anywhere in a string.
    Anywhere,
    /// Once, at the end of a string, but not alone.
    End,
    /// Anywhere in strings of the grammar's form; `*` alone means the client's own tools.
    AnywhereInNames,
}

/// The meaning of a permission string in its grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule<'t> {
    /// A string about the client's own tools.
    BuiltIn,
    /// Every tool of a server.
    Server { server: &'t str },
    /// One tool.
    Tool { server: &'t str, tool: &'t str },
    /// A pattern with `*` over the tools of one server.
    ToolPattern { server: &'t str, tool: &'t str },
    /// A pattern with `*` over whole composed names.
    Pattern,
    /// A string that does not follow the grammar.
    Malformed(Fault),
}

impl<'t> Rule<'t> {
    /// The server that the string names, spelled as in strings; `None` if it does not name one.
    pub fn server(&self) -> Option<&'t str> {
        match *self {
            Rule::Server { server } | Rule::Tool { server, .. } | Rule::ToolPattern { server, .. } => Some(server),
            Rule::BuiltIn | Rule::Pattern | Rule::Malformed(_) => None,
        }
    }
}

/// A fault in the form of a permission string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    Empty,
    /// White space at the start or end.
    Blank,
    /// The client's prefix or suffix is missing.
    Prefix,
    /// `(…)` after the name of an MCP tool.
    Parentheses,
    /// An empty server part: there is nothing between the prefix and the separator.
    NoServer,
    /// The tool is missing or empty.
    NoTool,
    /// A character that no composed name contains.
    Character(char),
    /// `*` where the list does not accept it.
    Wildcard,
    /// A pattern without `_` that does not begin with `*`: the client compares it only with its own tools.
    OwnTools,
    /// All tools of a server whose key changes in names: the client has no string for them.
    OddServer,
    /// The server alone, although its key contains the separator or ends as it begins: the client splits the string
    /// elsewhere.
    Split,
}

/// The known facts about the list that contains a string.
#[derive(Debug, Clone, Copy)]
pub struct Place<'s> {
    pub wildcards: Wildcards,
    /// The server, if the list belongs to one server.
    pub server: Option<&'s str>,
    /// The known server keys, spelled as in the strings of the list. If server and tool are separated by `_`, only these
    /// show where the server ends.
    pub servers: &'s Spelt,
}

/// Server keys, spelled as in strings.
#[derive(Debug, Clone, Default)]
pub struct Spelt {
    all: Vec<String>,
    known: FxHashSet<String>,
    /// The servers for all of whose tools there is no string.
    odd: FxHashSet<String>,
}

impl Spelt {
    pub fn new(all: Vec<String>) -> Spelt {
        Spelt { known: all.iter().cloned().collect(), all, odd: FxHashSet::default() }
    }

    /// The empty set of servers.
    pub fn none() -> &'static Spelt {
        static NONE: LazyLock<Spelt> = LazyLock::new(Spelt::default);
        &NONE
    }

    /// Whether a text is the name of a known server.
    fn knows(&self, text: &str) -> bool {
        self.known.contains(text)
    }

    /// The longest known server name with which a text begins and which the separator follows.
    fn in_front<'t>(&self, text: &'t str, separator: &str) -> Option<&'t str> {
        let places = text.char_indices().map(|(at, _)| at).chain(std::iter::once(text.len()));
        let mut fronts = places.filter(|at| text[*at..].starts_with(separator)).map(|at| &text[..at]);
        if self.known.is_empty() { None } else { fronts.rfind(|front| self.known.contains(*front)) }
    }
}

impl Deref for Spelt {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.all
    }
}

impl Keeps {
    fn normalise(self, text: &str) -> String {
        if self != Keeps::Slug {
            return text.chars().map(|c| if self.keeps(c) { c } else { '_' }).collect();
        }
        let lower = text.to_lowercase();
        let words = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        words.collect::<Vec<&str>>().join("_")
    }

    /// Whether a character is kept, not replaced.
    fn keeps(self, c: char) -> bool {
        match self {
            Keeps::Names => is_name_char(c),
            Keeps::Words => c.is_ascii_alphanumeric() || c == '_',
            Keeps::Dotted => is_name_char(c) || matches!(c, '.' | ':'),
            Keeps::DottedNames => is_name_char(c) || c == '.',
            Keeps::Undotted => c != '.',
            Keeps::Slug => c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_',
            Keeps::All => true,
        }
    }
}

impl Grammar {
    /// A server key as it appears in strings.
    pub fn normalise(&self, text: &str) -> String {
        self.keeps.normalise(text)
    }

    /// Server keys as they appear in strings.
    pub fn spell_all<'k>(&self, keys: impl Iterator<Item = &'k String>) -> Spelt {
        let keys: Vec<&String> = keys.collect();
        let mut spelt = Spelt::new(keys.iter().map(|key| self.normalise(key)).collect());
        if self.plain_servers {
            let (plain, odd): (Vec<&String>, Vec<&String>) = keys.into_iter().partition(|key| self.names_server(key));
            spelt.odd = odd.into_iter().map(|key| self.normalise(key)).collect();
            plain.into_iter().for_each(|key| _ = spelt.odd.remove(&self.normalise(key)));
        }
        spelt
    }

    /// A tool's name as it appears in strings.
    pub fn normalise_tool(&self, text: &str) -> String {
        let keeps = self.tool_keeps.unwrap_or(self.keeps);
        match self.fill {
            Some(fill) => text.chars().map(|c| if keeps.keeps(c) { c } else { fill }).collect(),
            None => keeps.normalise(text),
        }
    }

    /// The string that names a tool. A wire name that already begins with the client's prefix, `mcp__notes__`, is kept:
    /// a gateway composes its names itself. If the form has no text before the server, the server's key is always
    /// added.
    pub fn composed(&self, key: &str, wire: &str) -> String {
        let prefix = self.server_prefix(key);
        let wire = self.normalise_tool(wire);
        if self.tool.tool_first {
            return format!(
                "{}{wire}{}{}{}",
                self.tool.prefix,
                self.separator(),
                self.normalise(key),
                self.tool.suffix
            );
        }
        let doubled = self.tool.separator.is_some() && !self.tool.prefix.is_empty() && wire.starts_with(&prefix);
        if doubled { wire } else { format!("{prefix}{wire}{}", self.tool.suffix) }
    }

    /// The string that names a tool in the form `also`; `None` if the grammar has no such form.
    pub fn also_composed(&self, key: &str, wire: &str) -> Option<String> {
        let Form { prefix, separator, suffix, .. } = self.also.as_ref()?;
        let Some(separator) = separator.as_deref() else {
            return Some(format!("{prefix}{}{suffix}", self.normalise_tool(wire)));
        };
        Some(format!("{prefix}{}{separator}{}{suffix}", self.normalise(key), self.normalise_tool(wire)))
    }

    /// The text before the tool in every string that names a tool of the server.
    pub fn server_prefix(&self, key: &str) -> String {
        match &self.tool.separator {
            Some(separator) => format!("{}{}{separator}", self.prefix_of(key), self.normalise(key)),
            None => self.tool.prefix.to_string(),
        }
    }

    /// The prefix of strings about the server.
    fn prefix_of(&self, key: &str) -> &str {
        let prefix = self.tool.prefix.as_str();
        if self.prefix_once && key.starts_with(prefix) { "" } else { prefix }
    }

    /// Whether a string for all tools of a server exists.
    pub fn names_server(&self, key: &str) -> bool {
        !self.plain_servers || self.normalise(key) == key && self.prefix_of(key) == self.tool.prefix
    }

    /// The string that matches all tools of a server.
    pub fn whole_server(&self, key: &str) -> String {
        match &self.server {
            Some(form) => format!("{}{}{}", form.prefix, self.normalise(key), form.suffix),
            None => format!("{}*{}", self.server_prefix(key), self.tool.suffix),
        }
    }

    /// The separator between server and tool.
    pub fn separator(&self) -> &str {
        self.tool.separator.as_deref().unwrap_or_default()
    }

    /// The form of one tool's string, as messages show it.
    pub fn shown(&self) -> String {
        let Form { prefix, separator, suffix, .. } = &self.tool;
        match separator {
            Some(separator) => format!("{prefix}<server>{separator}<tool>{suffix}"),
            None => format!("{prefix}<tool>{suffix}"),
        }
    }

    /// Whether a string may be about one of the client's own tools.
    fn is_own(&self, text: &str, servers: &Spelt) -> bool {
        match self.own {
            Own::CapitalisedOrAll if text == "*" => true,
            Own::Capitalised | Own::CapitalisedOrAll if !text.starts_with(|c: char| c.is_ascii_uppercase()) => false,
            Own::Capitalised | Own::CapitalisedOrAll => {
                // `MCP__notes__read` is an MCP tool's name with a wrong prefix, not one of the client's own tools.
                let first = text.split(['(', ' ', ':']).next().unwrap_or(text);
                let continues = || first[3..].starts_with(|c: char| c.is_ascii_alphanumeric());
                (!begins_as_mcp(first) || continues()) && first.chars().all(|c| c.is_ascii_alphanumeric())
            }
            Own::Others => !text.starts_with(self.tool.prefix.as_str()),
            Own::NotMcp => !(begins_as_mcp(text) && text[3..].starts_with(['_', '-', ':', '.'])),
            Own::UnknownServer => {
                let rest = text.strip_prefix(self.tool.prefix.as_str()).unwrap_or(text);
                servers.in_front(rest, self.separator()).is_none()
            }
            Own::None => false,
        }
    }

    /// Parses a string.
    pub fn parse<'t>(&self, text: &'t str, place: Place<'t>) -> Rule<'t> {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return Rule::Malformed(Fault::Empty);
        }
        // `*` means all tools, including those that are not MCP tools.
        if text == "*" && self.tool.separator.is_some() {
            match place.wildcards {
                Wildcards::WholeOrAll if self.own == Own::Others => return Rule::Pattern,
                Wildcards::Anywhere => return Rule::Pattern,
                Wildcards::AnywhereInNames => return Rule::BuiltIn,
                _ => {}
            }
        }
        if place.wildcards == Wildcards::End && self.is_pattern(text) {
            let is_at_end = text.strip_suffix('*').is_some_and(|stem| !stem.is_empty() && !self.is_pattern(stem));
            if !is_at_end && !self.is_own(trimmed, place.servers) {
                return Rule::Malformed(Fault::Wildcard);
            }
        }
        // A pattern may begin before the part that distinguishes the names of tools: `mcp*`, or `m*` of a server `my`.
        let head = &text[..text.find(['*', '?']).unwrap_or(text.len())];
        let is_broad = match self.own {
            Own::UnknownServer => {
                let begins =
                    |server: &String| server.starts_with(head) || format!("{server}{}", self.separator()) == head;
                place.servers.iter().any(begins)
            }
            Own::Others => self.tool.prefix.starts_with(head),
            _ => false,
        };
        if matches!(place.wildcards, Wildcards::Anywhere | Wildcards::End)
            && self.is_pattern(text)
            && is_broad
            && self.is_own(trimmed, place.servers)
        {
            return Rule::Pattern;
        }
        let in_names = matches!(place.wildcards, Wildcards::AnywhereInNames | Wildcards::End);
        let place = if in_names { Place { wildcards: Wildcards::Anywhere, ..place } } else { place };
        if self.is_own(trimmed, place.servers) {
            return Rule::BuiltIn;
        }
        if trimmed.len() != text.len() {
            return Rule::Malformed(Fault::Blank);
        }
        if place.wildcards == Wildcards::Anywhere && self.is_pattern(text) {
            if self.own_patterns && !text.starts_with('*') && !text.contains('_') {
                return Rule::Malformed(Fault::OwnTools);
            }
            return match self.parse(text, Place { wildcards: Wildcards::Tool, ..place }) {
                Rule::Malformed(Fault::Parentheses) => Rule::Malformed(Fault::Parentheses),
                Rule::Malformed(_) => match self.forbidden_character(text) {
                    Some(character) => Rule::Malformed(Fault::Character(character)),
                    None => Rule::Pattern,
                },
                rule => rule,
            };
        }
        if place.wildcards == Wildcards::WholeOrAll && text.strip_prefix(self.tool.prefix.as_str()) == Some("*") {
            return Rule::Pattern;
        }
        // A key that begins with the prefix gets no second one.
        let own = if self.prefix_once { place.servers.in_front(text, self.separator()) } else { None };
        let has_own = own.is_some_and(|server| server.starts_with(self.tool.prefix.as_str()));
        let Some(rest) = (if has_own { Some(text) } else { text.strip_prefix(self.tool.prefix.as_str()) }) else {
            return Rule::Malformed(if text.contains('*') { Fault::Wildcard } else { Fault::Prefix });
        };
        let rest = match rest.strip_suffix(self.tool.suffix.as_str()) {
            Some(rest) => rest,
            None => return Rule::Malformed(Fault::Prefix),
        };
        let rest = match rest.split_once('(') {
            Some((bare, restriction)) if self.arguments && restriction.ends_with(')') => bare,
            _ => rest,
        };
        if self.keeps != Keeps::All && rest.bytes().any(|byte| matches!(byte, b'(' | b')')) {
            return Rule::Malformed(Fault::Parentheses);
        }
        let Some(separator) = &self.tool.separator else { return self.of_one_server(rest, place) };
        let (server, tool) = match self.divided(rest, separator, place.servers) {
            Some((server, tool)) => (server, Some(tool)),
            None => (rest, None),
        };
        if let Some(character) =
            [Some(server), tool].into_iter().flatten().find_map(|part| self.forbidden_character(part))
        {
            return Rule::Malformed(Fault::Character(character));
        }
        if server.contains('*') {
            return Rule::Malformed(Fault::Wildcard);
        }
        let is_pattern = tool.is_some_and(|tool| self.is_pattern(tool));
        match (server, tool) {
            ("", _) => Rule::Malformed(Fault::NoServer),
            (_, Some("")) => Rule::Malformed(Fault::NoTool),
            // Not every client has a form for a whole server.
            (_, None) if !self.takes_bare_server() => Rule::Malformed(Fault::NoTool),
            (server, None) => Rule::Server { server },
            (_, Some(_)) if is_pattern && place.wildcards == Wildcards::None => Rule::Malformed(Fault::Wildcard),
            (server, Some("*")) if place.servers.odd.contains(server) => Rule::Malformed(Fault::OddServer),
            (server, Some("*")) => Rule::Server { server },
            (_, Some(_)) if is_pattern && matches!(place.wildcards, Wildcards::Whole | Wildcards::WholeOrAll) => {
                Rule::Malformed(Fault::Wildcard)
            }
            (server, Some(tool)) if is_pattern => Rule::ToolPattern { server, tool },
            (server, Some(tool)) => Rule::Tool { server, tool },
        }
    }

    /// Parses a string of a list that belongs to one server.
    fn of_one_server<'t>(&self, tool: &'t str, place: Place<'t>) -> Rule<'t> {
        let Some(server) = place.server else { return Rule::BuiltIn };
        let tool = match tool.split_once('(') {
            Some((bare, _)) if self.arguments => bare,
            _ => tool,
        };
        match tool {
            "*" if place.wildcards != Wildcards::None => Rule::Server { server },
            pattern if self.is_pattern(pattern) => match place.wildcards {
                Wildcards::None | Wildcards::Whole | Wildcards::WholeOrAll => Rule::Malformed(Fault::Wildcard),
                _ => Rule::ToolPattern { server, tool: pattern },
            },
            tool => Rule::Tool { server, tool },
        }
    }

    /// Splits a string into server and tool.
    fn divided<'t>(&self, text: &'t str, separator: &str, servers: &Spelt) -> Option<(&'t str, &'t str)> {
        // Setting up a substring searcher costs more than it saves on texts this short.
        let find = |text: &str| text.as_bytes().windows(separator.len()).position(|it| it == separator.as_bytes());
        let first = find(text)?;
        let behind = first + separator.len();
        // A key may contain the separator.
        let is_certain = !self.may_be_in_names(separator) && find(&text[first + 1..]).is_none();
        let known = if is_certain { None } else { servers.in_front(text, separator) };
        if known.is_none() && !self.may_be_in_names(separator) && servers.knows(text) {
            return None;
        }
        // The rest of a string for all tools of an unknown server is its key.
        let whole = text.strip_suffix('*').and_then(|stem| stem.strip_suffix(separator));
        let is_key = |server: &&str| !server.contains('*') && !server.starts_with(separator);
        if let Some(server) = whole.filter(is_key).filter(|_| self.plain_servers && known.is_none()) {
            return Some((server, "*"));
        }
        let (end, start) = known.map_or((first, behind), |known| (known.len(), known.len() + separator.len()));
        Some((&text[..end], &text[start..]))
    }

    /// Whether the client splits the string for a server alone elsewhere than after its key.
    pub(super) fn splits(&self, server: &str) -> bool {
        let first = self.separator().get(..1).unwrap_or_default();
        self.first_separator && (server.contains(self.separator()) || server.ends_with(first))
    }

    /// Whether a separator may also occur in names, so that only the known servers show where a server's name ends.
    pub fn may_be_in_names(&self, separator: &str) -> bool {
        separator.len() == 1 && separator.chars().all(|c| is_name_char(c) && self.keeps(c))
    }

    /// The first character that cannot occur in a name.
    fn forbidden_character(&self, text: &str) -> Option<char> {
        // Most texts consist of these characters, which nearly all clients keep.
        if self.keeps == Keeps::Names && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')) {
            return None;
        }
        text.chars().find(|&c| !self.keeps(c) && c != '*' && !(c == '?' && self.any_one))
    }

    /// Whether a part of a string contains wildcards.
    fn is_pattern(&self, part: &str) -> bool {
        part.contains('*') || self.any_one && part.contains('?')
    }

    fn keeps(&self, c: char) -> bool {
        self.keeps.keeps(c) || self.tool_keeps.is_some_and(|keeps| keeps.keeps(c))
    }

    /// Whether a server alone, without a wildcard, means all its tools.
    fn takes_bare_server(&self) -> bool {
        self.server.as_ref().is_some_and(|form| !form.suffix.contains('*'))
    }
}

impl JsonSchema for Form {
    fn schema_name() -> Cow<'static, str> {
        "StringForm".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "A template with places for the server and the tool: `mcp__{server}__{tool}`, `Mcp({server}:{tool})`, `{tool}`.",
        })
    }
}

impl<'de> Deserialize<'de> for Form {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let form = |prefix: &str, separator: Option<&str>, suffix: &str, tool_first| Form {
            prefix: prefix.into(),
            separator: separator.map(SmolStr::new),
            suffix: suffix.into(),
            tool_first,
        };
        let form = match (text.split_once("{server}"), text.split_once("{tool}")) {
            (Some((before, behind)), Some((before_tool, behind_tool))) => match behind.split_once("{tool}") {
                Some((separator, suffix)) => {
                    (!separator.is_empty()).then(|| form(before, Some(separator), suffix, false))
                }
                None => behind_tool
                    .split_once("{server}")
                    .filter(|(separator, _)| !separator.is_empty())
                    .map(|(separator, suffix)| form(before_tool, Some(separator), suffix, true)),
            },
            (None, Some((prefix, suffix))) | (Some((prefix, suffix)), None) => Some(form(prefix, None, suffix, false)),
            (None, None) => None,
        };
        let is_whole = |form: &Form| {
            let parts = [Some(&form.prefix), form.separator.as_ref(), Some(&form.suffix)];
            !parts.into_iter().flatten().any(|part| part.contains(['{', '}']))
        };
        form.filter(is_whole).ok_or_else(|| {
            let expected = "expected `{server}` or `{tool}` once, or both once each with text between them";
            serde::de::Error::custom(expected)
        })
    }
}

/// The characters of a name that every client keeps, in lower case: names that differ in these characters are spelled
/// differently by every client.
pub(crate) fn kept_by_all(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Whether a string begins with `mcp`, in upper or lower case.
pub(crate) fn begins_as_mcp(text: &str) -> bool {
    text.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("mcp"))
}

fn is_name_char(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

/// Whether a pattern matches a whole name: `*` matches any characters, `?` exactly one.
pub fn glob_matches(pattern: &str, name: &str) -> bool {
    let (mut pattern, mut name) = (pattern.chars(), name.chars());
    // Where to continue, in pattern and name, if the text after the last `*` does not match: the `*` then matches one
    // more character.
    let mut retry: Option<(std::str::Chars<'_>, std::str::Chars<'_>)> = None;
    loop {
        let at = name.clone();
        match (pattern.next(), name.next()) {
            (None, None) => return true,
            (Some('*'), _) => {
                retry = Some((pattern.clone(), at.clone()));
                name = at;
            }
            (Some('?'), Some(_)) => {}
            (Some(wanted), Some(found)) if wanted == found => {}
            _ => {
                let Some((again, mut from)) = retry.take() else { return false };
                if from.next().is_none() {
                    return false;
                }
                (pattern, name) = (again.clone(), from.clone());
                retry = Some((again, from));
            }
        }
    }
}
