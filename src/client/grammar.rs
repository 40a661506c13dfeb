//! How a client's files name tools: the form of a string, what it means, and what a tool is called in it.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::LazyLock;

use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::Deserialize;
use smol_str::SmolStr;

/// How one kind of string names tools.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Grammar {
    /// One tool: `mcp__{server}__{tool}`, `Mcp({server}:{tool})`; `{tool}` alone in a list that is one server's.
    pub tool: Form,
    /// Every tool of a server: `mcp__{server}`. Besides it, the form of one tool with `*` for the tool says so too.
    #[serde(default)]
    pub server: Option<Form>,
    /// Which characters names keep; each other one is replaced by `_`.
    #[serde(default)]
    pub keeps: Keeps,
    /// The same for the tool alone, where that differs.
    pub tool_keeps: Option<Keeps>,
    /// Behind a tool's name parentheses may restrict it to some calls.
    #[serde(default)]
    pub arguments: bool,
    /// In patterns `?` stands for one character, as `*` does for any.
    #[serde(default)]
    pub any_one: bool,
    /// Strings and names are compared without regard to case.
    #[serde(default)]
    pub any_case: bool,
    /// Which strings of another form are about the client's own tools.
    #[serde(default)]
    pub own: Own,
    /// Another form that the client takes for the same tool; it is never proposed.
    #[serde(default)]
    pub also: Option<Form>,
}

/// A string around a server and a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    pub prefix: SmolStr,
    /// Between server and tool; `None` where no server is named.
    pub separator: Option<SmolStr>,
    pub suffix: SmolStr,
    /// The tool precedes the server: `{tool}_mcp_{server}`. Models see such names; the strings of no file are of
    /// this form.
    pub tool_first: bool,
}

/// The characters of composed names.
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
    /// Small letters and digits; everything between them becomes one `_`.
    Slug,
    /// All of them: names are not changed.
    All,
}

/// Strings that are not about MCP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Own {
    /// Those that do not begin as if they were about MCP, however that is spelt.
    NotMcp,
    /// Those that begin with a capital letter: `Bash(npm run build)`, `WebFetch`.
    Capitalised,
    /// The same, and `*`, which is all there are.
    CapitalisedOrAll,
    /// All that are of another form.
    Others,
    /// All that begin with no server that there is: nothing else tells them apart.
    UnknownServer,
    /// None: the list is about MCP alone.
    #[default]
    None,
}

/// Where `*` may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Wildcards {
    /// Nowhere.
    None,
    /// For the tool as a whole, after a literal server: `mcp__s__*`.
    Whole,
    /// For the tool as a whole, after a literal server, or for every tool of every server: `mcp__*`.
    WholeOrAll,
    /// In the tool's part, after a literal server.
    Tool,
    /// In any part of a string.
    Anywhere,
    /// Anywhere in a name of its form; `*` by itself is about the client's own tools.
    AnywhereInNames,
}

/// What a permission string is, in its grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule<'t> {
    /// About one of the client's own tools.
    BuiltIn,
    /// Every tool of a server.
    Server { server: &'t str },
    /// One tool.
    Tool { server: &'t str, tool: &'t str },
    /// A pattern with `*` over the tools of one server.
    ToolPattern { server: &'t str, tool: &'t str },
    /// A pattern with `*` over whole composed names.
    Pattern,
    /// Not of this grammar.
    Malformed(Fault),
}

impl<'t> Rule<'t> {
    /// The server of which it speaks, as strings spell it.
    pub fn server(&self) -> Option<&'t str> {
        match *self {
            Rule::Server { server } | Rule::Tool { server, .. } | Rule::ToolPattern { server, .. } => Some(server),
            Rule::BuiltIn | Rule::Pattern | Rule::Malformed(_) => None,
        }
    }
}

/// What is wrong with the form of a permission string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    Empty,
    /// White space at an end.
    Blank,
    /// Not the client's prefix.
    Prefix,
    /// `(…)` behind the name of an MCP tool.
    Parentheses,
    /// Nothing where the server should be.
    NoServer,
    /// Nothing where the tool should be.
    NoTool,
    /// A character that no composed name holds.
    Character(char),
    /// `*` where the list allows none.
    Wildcard,
}

/// What is known about the place of a string.
#[derive(Debug, Clone, Copy)]
pub struct Place<'s> {
    pub wildcards: Wildcards,
    /// The server that the list is of, where it is one's.
    pub server: Option<&'s str>,
    /// The servers that there are, as strings spell them: where `_` separates server and tool, they alone tell
    /// where one ends.
    pub servers: &'s Spelt,
}

/// Server keys as strings spell them.
#[derive(Debug, Clone, Default)]
pub struct Spelt {
    all: Vec<String>,
    known: FxHashSet<String>,
}

impl Spelt {
    pub fn new(all: Vec<String>) -> Spelt {
        Spelt { known: all.iter().cloned().collect(), all }
    }

    /// No servers at all.
    pub fn none() -> &'static Spelt {
        static NONE: LazyLock<Spelt> = LazyLock::new(Spelt::default);
        &NONE
    }

    /// The longest of them that a text begins with, with a separator behind.
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

    /// Whether strings keep a character.
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
        Spelt::new(keys.map(|key| self.normalise(key)).collect())
    }

    /// A tool's name as it appears in strings.
    pub fn normalise_tool(&self, text: &str) -> String {
        self.tool_keeps.unwrap_or(self.keeps).normalise(text)
    }

    /// The string that names a tool. A wire name that already begins with what the client would put before it is taken
    /// as it is: a gateway composes its names itself.
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
        let doubled = self.tool.separator.is_some() && wire.starts_with(&prefix);
        if doubled { wire } else { format!("{prefix}{wire}{}", self.tool.suffix) }
    }

    /// The other string that names a tool, where there is one.
    pub fn also_composed(&self, key: &str, wire: &str) -> Option<String> {
        let Form { prefix, separator, suffix, .. } = self.also.as_ref()?;
        let separator = separator.as_deref().unwrap_or_default();
        Some(format!("{prefix}{}{separator}{}{suffix}", self.normalise(key), self.normalise_tool(wire)))
    }

    /// The text before the tool in every string about a server.
    pub fn server_prefix(&self, key: &str) -> String {
        match &self.tool.separator {
            Some(separator) => format!("{}{}{separator}", self.tool.prefix, self.normalise(key)),
            None => self.tool.prefix.to_string(),
        }
    }

    /// The string that matches every tool of a server.
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

    /// The form of one tool's string, for people.
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
                // A name written in capitals throughout is a tool's, shouted.
                let first = text.split(['(', ' ', ':']).next().unwrap_or(text);
                let goes_on = || first[3..].starts_with(|c: char| c.is_ascii_alphanumeric());
                (!begins_as_mcp(first) || goes_on()) && first.chars().all(|c| c.is_ascii_alphanumeric())
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

    /// Reads a string.
    pub fn parse<'t>(&self, text: &'t str, place: Place<'t>) -> Rule<'t> {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return Rule::Malformed(Fault::Empty);
        }
        // Everything, MCP or not.
        if text == "*" && self.tool.separator.is_some() {
            match place.wildcards {
                Wildcards::Anywhere => return Rule::Pattern,
                Wildcards::AnywhereInNames => return Rule::BuiltIn,
                _ => {}
            }
        }
        let in_names = place.wildcards == Wildcards::AnywhereInNames;
        let place = if in_names { Place { wildcards: Wildcards::Anywhere, ..place } } else { place };
        if self.is_own(trimmed, place.servers) {
            return Rule::BuiltIn;
        }
        if trimmed.len() != text.len() {
            return Rule::Malformed(Fault::Blank);
        }
        if place.wildcards == Wildcards::Anywhere && self.is_pattern(text) {
            return match self.parse(text, Place { wildcards: Wildcards::Tool, ..place }) {
                Rule::Malformed(Fault::Parentheses) => Rule::Malformed(Fault::Parentheses),
                Rule::Malformed(_) => match self.stranger(text) {
                    Some(character) => Rule::Malformed(Fault::Character(character)),
                    None => Rule::Pattern,
                },
                rule => rule,
            };
        }
        if place.wildcards == Wildcards::WholeOrAll && text.strip_prefix(self.tool.prefix.as_str()) == Some("*") {
            return Rule::Pattern;
        }
        let Some(rest) = text.strip_prefix(self.tool.prefix.as_str()) else {
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
        if let Some(character) = [Some(server), tool].into_iter().flatten().find_map(|part| self.stranger(part)) {
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
            (server, Some("*")) => Rule::Server { server },
            (_, Some(_)) if is_pattern && matches!(place.wildcards, Wildcards::Whole | Wildcards::WholeOrAll) => {
                Rule::Malformed(Fault::Wildcard)
            }
            (server, Some(tool)) if is_pattern => Rule::ToolPattern { server, tool },
            (server, Some(tool)) => Rule::Tool { server, tool },
        }
    }

    /// A string of a list that is one server's.
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

    /// Where a server ends and its tool begins.
    fn divided<'t>(&self, text: &'t str, separator: &str, servers: &Spelt) -> Option<(&'t str, &'t str)> {
        if separator != "_" {
            // A search that prepares itself costs more than these few characters.
            let at = text.as_bytes().windows(separator.len()).position(|part| part == separator.as_bytes())?;
            return Some((&text[..at], &text[at + separator.len()..]));
        }
        match servers.in_front(text, separator) {
            Some(server) => Some((&text[..server.len()], &text[server.len() + 1..])),
            None => text.split_once(separator),
        }
    }

    /// A character that no name contains.
    fn stranger(&self, text: &str) -> Option<char> {
        // Most are made of these alone, which nearly all clients keep.
        if self.keeps == Keeps::Names && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')) {
            return None;
        }
        text.chars().find(|&c| !self.keeps(c) && c != '*' && !(c == '?' && self.any_one))
    }

    /// Whether a part stands for several names.
    fn is_pattern(&self, part: &str) -> bool {
        part.contains('*') || self.any_one && part.contains('?')
    }

    fn keeps(&self, c: char) -> bool {
        self.keeps.keeps(c) || self.tool_keeps.is_some_and(|keeps| keeps.keeps(c))
    }

    /// Whether a server by itself, with no wildcard behind it, is every tool of it.
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
            "description": "A string around a server and a tool: `mcp__{server}__{tool}`, `Mcp({server}:{tool})`, `{tool}`.",
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
                    .map(|(separator, suffix)| form(before_tool, Some(separator), suffix, true)),
            },
            (None, Some((prefix, suffix))) | (Some((prefix, suffix)), None) => Some(form(prefix, None, suffix, false)),
            (None, None) => None,
        };
        form.ok_or_else(|| serde::de::Error::custom("a form is written `…{server}…{tool}…`, or with one of them"))
    }
}

/// What every client keeps of a name: names of which that differs are nowhere spelt alike.
pub fn kept_by_all(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Whether a text begins as if it were about MCP, in whichever case.
pub fn begins_as_mcp(text: &str) -> bool {
    text.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("mcp"))
}

fn is_name_char(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

/// Whether a pattern matches a whole name: `*` stands for any characters, `?` for one.
pub fn glob_matches(pattern: &str, name: &str) -> bool {
    let (mut pattern, mut name) = (pattern.chars(), name.chars());
    // Where to go on when what follows the last `*` does not fit: one character further.
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
