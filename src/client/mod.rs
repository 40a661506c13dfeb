//! Clients as data: which of their files name servers and tools, where the strings sit, in what grammar, and how
//! long a name may become. One TOML file a client beside this one.

mod code;
mod entry;
mod facts;
mod flags;
mod grammar;
mod launch;
mod read;
mod secrets;
mod set;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use semver::Version;
use serde::Deserialize;
use smol_str::SmolStr;

pub use self::code::{may_grant, read_code};
pub use self::entry::Entry;
pub use self::facts::{ClientFacts, Hook, List, Mistaken, ServerEntry};
pub use self::grammar::{
    Fault, Grammar, Keeps, Own, Place, Rule, Spelt, Wildcards, begins_as_mcp, glob_matches, kept_by_all,
};
pub use self::launch::{Launch, is_outside, launch, pinned_version};
pub use self::read::{read, read_script};
pub use self::secrets::{Secrets, secrets_in, shown_command};
pub use self::set::Clients;

/// A program that starts servers and hands their tools to a model.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Client {
    /// As configs and reports name it: `claude-code`.
    pub id: SmolStr,
    /// As people call it.
    pub name: SmolStr,
    /// How its files name tools where a list has no grammar of its own, and how it names them to the model.
    pub names: Arc<Grammar>,
    /// Another way in which its files may name them, which is never proposed.
    pub also: Option<Arc<Grammar>>,
    /// How it names tools to the model, where its files name them otherwise.
    pub wire: Option<Arc<Grammar>>,
    /// How many characters of a server's key it keeps in that.
    pub server_at_most: Option<usize>,
    /// The longest name that works everywhere the client does, in characters; `None` where nobody knows of one.
    pub limit: Option<usize>,
    /// What happens to a longer one.
    #[serde(default)]
    pub over_limit: SmolStr,
    /// Servers that the client brings itself or gets from an account or plugin, as patterns over the names they
    /// have in permission strings: no config of a workspace starts them.
    #[serde(default)]
    pub own_servers: Vec<SmolStr>,
    /// Patterns over its own tools, as its files name them, where they could be taken for a server's: `web_fetch` is no
    /// `fetch` of a server `web`.
    #[serde(default)]
    pub own_tools: Vec<SmolStr>,
    /// Server keys that the client keeps for itself.
    #[serde(default)]
    pub reserved_keys: Vec<SmolStr>,
    /// Texts that a server's key must not contain.
    #[serde(default)]
    pub ends_server: Vec<EndOfServer>,
    /// Tool names for which it takes none of a server's tools.
    #[serde(default)]
    pub refuses: Vec<Refused>,
    /// Entries about its own tools that it asks about nothing, though people write them.
    #[serde(default)]
    pub unasked: Vec<Unasked>,
    /// Of which characters beside letters and digits the matchers of hooks are made that are whole names, newest first.
    #[serde(default)]
    pub exact_matchers: Vec<ExactMatchers>,
    /// Its files, by kinds.
    #[serde(rename = "file")]
    pub files: Vec<ClientFile>,
    /// Options of its command line that take such strings, wherever scripts write them.
    #[serde(rename = "flag", default)]
    pub flags: Vec<Flag>,
    /// The packages of its SDK, as imports name them.
    #[serde(default)]
    pub packages: Vec<SmolStr>,
    /// Under which names code gives it servers.
    #[serde(default)]
    pub code_servers: Vec<SmolStr>,
    /// What gives it servers in a script, by which others than those of its configs may come in.
    #[serde(default)]
    pub script_servers: Vec<SmolStr>,
    /// Where code gives it such strings.
    #[serde(default)]
    pub code: Vec<CodeList>,
    /// Its place among the [`Clients`].
    #[serde(skip)]
    pub index: usize,
}

impl PartialEq for Client {
    fn eq(&self, other: &Client) -> bool {
        self.id == other.id
    }
}

/// Characters at which names are divided into server and tool.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EndOfServer {
    /// The characters.
    pub text: SmolStr,
    /// What happens to a key that holds them.
    pub why: SmolStr,
    /// What may stand there.
    pub right: SmolStr,
}

/// Tools' names that a client cannot take.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    /// How they begin.
    pub begin: SmolStr,
    /// What the client does.
    pub why: SmolStr,
}

/// Strings in code: under a key of an object, or a keyword of a call.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CodeList {
    /// The keys or keywords.
    pub names: Vec<SmolStr>,
    /// What is called with that keyword, where it means this only there.
    #[serde(default)]
    pub of: Vec<SmolStr>,
    /// Which argument without a name it is, too.
    pub argument: Option<usize>,
    /// Keys next to it, without which it does not mean this.
    #[serde(default)]
    pub beside: Vec<SmolStr>,
    pub list: ListKind,
    #[serde(default)]
    pub strings: Strings,
    /// Its strings are regular expressions.
    #[serde(default)]
    pub regex: bool,
    pub split: Option<Split>,
    pub wildcards: Wildcards,
    pub grammar: Option<Arc<Grammar>>,
}

/// An option of a command line, in a script.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flag {
    /// As it is written: `--allowedTools`.
    pub names: Vec<SmolStr>,
    pub list: ListKind,
    pub wildcards: Wildcards,
    /// What divides the strings of one value.
    pub split: Split,
    /// It takes values as long as no other option comes.
    #[serde(default)]
    pub many: bool,
    pub grammar: Option<Arc<Grammar>>,
    /// Programs that have an option of this name too, and mean something else.
    #[serde(default)]
    pub not_of: Vec<SmolStr>,
    /// Its value is the text of a file, by the end of that one's name.
    pub holds: Option<SmolStr>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClientFile {
    /// Globs on the path from the workspace's root.
    pub files: Vec<String>,
    /// Globs on other clients' files, in which this one has the same keys.
    #[serde(default)]
    pub guest_in: Vec<String>,
    /// The same files where they lie in another kind of tree.
    pub inside: Option<Inside>,
    /// What servers are known as beside a file that gives them its name.
    pub named_by: Option<NamedBy>,
    /// Where server entries sit: the key of an object whose keys are server keys, or of a list.
    pub servers: Option<Path>,
    /// Where more of them sit.
    pub more_servers: Option<Path>,
    /// Where a file says which servers it works with: by the keys that configs start, or by telling how to start others.
    pub own_servers: Option<Path>,
    /// Where the key of a server is in an element of a list.
    pub key_at: Option<Path>,
    /// What a server is known as, where that is not its key: `{name}` is the name at the document's root.
    pub known_as: Option<SmolStr>,
    /// Lists of server keys, as configs write them.
    #[serde(rename = "keys", default)]
    pub keys: Vec<KeyList>,
    /// It is a script of command lines.
    #[serde(default)]
    pub script: bool,
    #[serde(default)]
    pub order: Order,
    /// Those of one folder hold together.
    #[serde(default)]
    pub together: bool,
    /// The names of those among them that one person keeps to themselves.
    #[serde(default)]
    pub personal: Vec<SmolStr>,
    /// Its lists of strings that permit, forbid or ask.
    #[serde(rename = "list", default)]
    pub lists: Vec<Arc<PermissionList>>,
    /// The hooks that run before a call and may forbid or allow it.
    pub before_calls: Option<BeforeCalls>,
    /// The mark before the names of tools in the text of a document.
    pub mark: Option<SmolStr>,
    /// Keys that people write and the client does not read, each with the one that it does.
    #[serde(default)]
    pub mistaken: Vec<MistakenKey>,
}

/// Hooks that run before a call.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BeforeCalls {
    /// Where they are, each an object with its matcher and its commands.
    pub at: Vec<Path>,
    /// Where commands and their arguments are in such an object.
    pub commands: Vec<Path>,
}

/// Files of a folder tree that is known by a file in it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inside {
    /// The path of that file, from the tree's root.
    pub root: SmolStr,
    /// Globs on the path from the workspace's root.
    pub files: Vec<String>,
}

/// A file that gives its name to the servers of another one.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedBy {
    /// Its path from the folder of the other one.
    pub file: SmolStr,
    /// What a server is known as: `{name}` is the name that file says at its root.
    pub form: SmolStr,
}

/// Server keys that are switched on or off.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyList {
    pub at: Path,
    /// Where the key is in an element that is an object.
    pub text_at: Option<Path>,
}

/// An entry about one of a client's own tools, with something in parentheses, that the client asks about nothing.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Unasked {
    /// How it begins: `Write(`.
    pub begin: SmolStr,
    /// The beginning that is asked in its place.
    pub right: SmolStr,
    /// Which calls that one is asked about.
    pub why: SmolStr,
    /// The first version for which this holds; all versions if absent.
    pub since: Option<Version>,
    /// Options of the command line take it without a word.
    #[serde(default)]
    pub in_files_alone: bool,
}

/// A key that a client does not read.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MistakenKey {
    pub at: Path,
    /// The key beside it that is read, or the way to one elsewhere.
    pub right: SmolStr,
}

/// Strings that permit, forbid or ask.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PermissionList {
    /// Where it is: `{server}` among the keys is the server that the list is of, `*` any other key or element.
    pub at: Path,
    /// Where the server that a string is about stands in an element that is an object; elements without it are not of
    /// this list.
    pub server_at: Option<Path>,
    /// The value there that means any server.
    pub any_server: Option<SmolStr>,
    /// Elements that have this are not of this list.
    pub unless: Option<Path>,
    /// Its strings are regular expressions, even those of name characters alone.
    #[serde(default)]
    pub regex: bool,
    /// What each of its strings does, where all do the same.
    pub list: Option<ListKind>,
    /// The kind of a string by the word next to it: `deny`, `false`. Other words mean nothing here.
    #[serde(default)]
    pub kinds: BTreeMap<String, ListKind>,
    /// Where that word is in the value of a string; absent if it is the whole value.
    pub kind_at: Option<Path>,
    /// Where it stands in an object that may be said in place of the word alone: what holds for whatever input.
    pub kind_within: Option<Path>,
    /// Which texts are the strings.
    #[serde(default)]
    pub strings: Strings,
    /// Where the string is in an element that is an object.
    pub text_at: Option<Path>,
    /// What divides the strings of a list that is written as one text.
    pub split: Option<Split>,
    pub wildcards: Wildcards,
    /// What older versions took instead, the newest of them first.
    #[serde(default)]
    pub before: Vec<Before>,
    /// Its strings count whatever those of other lists say, and wherever they stand.
    #[serde(default)]
    pub always: bool,
    /// What a string begins with that is a regular expression, of all of a name: `re:`.
    pub regex_mark: Option<String>,
    /// Its strings are beginnings: each matches all names that go on from it.
    #[serde(default)]
    pub begins: bool,
    /// How its strings name tools, where that differs from the names that the model sees.
    pub grammar: Option<Arc<Grammar>>,
    /// Another way in which they may, which is never proposed: known by what it puts before a server.
    pub also: Option<Arc<Grammar>>,
    /// Before, they named tools without their servers.
    #[serde(default)]
    pub once_bare: bool,
}

/// Which matchers of hooks a client takes for whole names.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExactMatchers {
    /// Since when; always, where nothing is said.
    pub since: Option<Version>,
    /// The characters beside letters and digits.
    pub characters: SmolStr,
}

/// What a list took before a version.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Before {
    /// The first version that does not.
    pub version: Version,
    pub wildcards: Wildcards,
}

/// Reads a version, the end of which may be left out: `2.1`.
pub fn version(text: &str) -> Option<Version> {
    let zeros = 2usize.saturating_sub(text.split(['-', '+']).next()?.matches('.').count());
    let (number, rest) = text.split_at(text.find(['-', '+']).unwrap_or(text.len()));
    Version::parse(&format!("{number}{}{rest}", ".0".repeat(zeros))).ok()
}

/// What divides strings in one text; never inside of parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Split {
    Commas,
    CommasOrSpaces,
}

/// Which texts of a list are its strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Strings {
    #[default]
    Elements,
    Keys,
    Values,
}

/// Which of several entries about one tool counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// One that denies, then one that asks, then one that allows.
    #[default]
    Deny,
    /// The first that matches.
    First,
    /// The last that matches.
    Last,
    /// The one of the highest priority, which stands beside it.
    Priority,
}

/// Keys to follow from the document's root: `permissions.allow`; a list of them where a key has a dot in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path(Vec<SmolStr>);

/// What an entry of a list does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ListKind {
    Allow,
    Deny,
    Ask,
    /// Its strings say which calls something runs at: several names in each, or a regular expression.
    Hook,
    /// The same, and each is one name or pattern, as in a permission list.
    Watch,
    /// Its strings say which tools there are.
    Offer,
    /// Its strings name tools of which something is said that is none of these.
    Mention,
}

impl ListKind {
    pub const ALL: [ListKind; 7] = [
        ListKind::Allow,
        ListKind::Deny,
        ListKind::Ask,
        ListKind::Hook,
        ListKind::Watch,
        ListKind::Offer,
        ListKind::Mention,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            ListKind::Allow => "allow",
            ListKind::Deny => "deny",
            ListKind::Ask => "ask",
            ListKind::Hook | ListKind::Watch => "hook",
            ListKind::Offer => "tools",
            ListKind::Mention => "mention",
        }
    }
}

impl Path {
    /// The way to what it leads into.
    pub(crate) fn above(&self) -> Path {
        Path(self.0[..self.0.len().saturating_sub(1)].to_vec())
    }

    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(SmolStr::as_str)
    }
}

impl JsonSchema for Path {
    fn schema_name() -> Cow<'static, str> {
        "Path".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Keys to follow from the root of the document: `permissions.allow`, or a list of them where a key has a dot in it. `*` stands for any key or element.",
            "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }],
        })
    }
}

impl<'de> Deserialize<'de> for Path {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected keys with dots between them, or a list of keys")]
        enum Written {
            Dotted(String),
            Keys(Vec<SmolStr>),
        }
        Ok(match Written::deserialize(deserializer)? {
            Written::Dotted(path) => Path(path.split('.').map(SmolStr::new).collect()),
            Written::Keys(keys) => Path(keys),
        })
    }
}

impl Client {
    /// Whether a file of it is one that a person keeps to themselves.
    pub fn is_personal(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.files.iter().any(|file| file.personal.iter().any(|personal| personal == name))
    }

    /// Whether a server of this name is none that a workspace's configs start.
    pub fn is_own_server(&self, spelt: &str) -> bool {
        self.own_servers.iter().any(|pattern| glob_matches(pattern, spelt))
    }

    /// Whether a string is the name of a tool that the client brings itself.
    pub fn is_own_tool(&self, text: &str) -> bool {
        self.own_tools.iter().any(|pattern| glob_matches(pattern, text))
    }

    /// A server key or tool name as it appears in composed names.
    pub fn normalise(&self, text: &str) -> String {
        self.names.normalise(text)
    }

    /// The name under which the model knows a tool.
    pub fn wire_name(&self, key: &str, tool: &str) -> String {
        let names = self.wire.as_ref().unwrap_or(&self.names);
        match self.server_at_most {
            Some(most) => names.composed(&names.normalise(key).chars().take(most).collect::<String>(), tool),
            None => names.composed(key, tool),
        }
    }

    /// The string that names a tool in files.
    pub fn composed(&self, key: &str, wire: &str) -> String {
        self.names.composed(key, wire)
    }

    /// What every tool of a server begins with.
    pub fn server_prefix(&self, key: &str) -> String {
        self.names.server_prefix(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claude() -> &'static Client {
        Clients::built_in().iter().find(|client| client.id == "claude-code").unwrap()
    }

    fn parse(text: &str, wildcards: Wildcards) -> Rule<'_> {
        claude().names.parse(text, Place { wildcards, server: None, servers: Spelt::none() })
    }

    #[test]
    fn allow_lists_take_wildcards_in_the_tool_only() {
        let parse = |text| parse(text, Wildcards::Tool);
        assert_eq!(parse("mcp__s__t"), Rule::Tool { server: "s", tool: "t" });
        assert_eq!(parse("mcp__s"), Rule::Server { server: "s" });
        assert_eq!(parse("mcp__s__*"), Rule::Server { server: "s" });
        assert_eq!(parse("mcp__s__get_*"), Rule::ToolPattern { server: "s", tool: "get_*" });
        assert_eq!(parse("mcp__*"), Rule::Malformed(Fault::Wildcard));
        assert_eq!(parse("*"), Rule::Malformed(Fault::Wildcard));
        assert_eq!(parse("mcp__s__t(*)"), Rule::Malformed(Fault::Parentheses));
        assert_eq!(parse("mcp__s__:*"), Rule::Malformed(Fault::Character(':')));
        assert_eq!(parse("mcp____t"), Rule::Malformed(Fault::NoServer));
        assert_eq!(parse("mcp__s__"), Rule::Malformed(Fault::NoTool));
        assert_eq!(parse("mcp__s__t "), Rule::Malformed(Fault::Blank));
        assert_eq!(parse("read_file"), Rule::Malformed(Fault::Prefix));
        assert_eq!(parse("MCP__s__t"), Rule::Malformed(Fault::Prefix));
        assert_eq!(parse("Bash(npm run *)"), Rule::BuiltIn);
        assert_eq!(parse("WebFetch"), Rule::BuiltIn);
    }

    #[test]
    fn deny_lists_take_wildcards_anywhere() {
        let parse = |text| parse(text, Wildcards::Anywhere);
        assert_eq!(parse("*"), Rule::Pattern);
        assert_eq!(parse("mcp__*__delete_*"), Rule::Pattern);
        assert_eq!(parse("mcp__s__get_*"), Rule::ToolPattern { server: "s", tool: "get_*" });
    }

    #[test]
    fn globs_match_whole_names() {
        assert!(glob_matches("mcp__*__delete_*", "mcp__memory__delete_entities"));
        assert!(!glob_matches("mcp__*__delete_*", "mcp__memory__undelete"));
        assert!(glob_matches("get_*", "get_"));
        assert!(glob_matches("*", ""));
        assert!(!glob_matches("a*a", "a"));
    }

    #[test]
    fn a_prefix_that_the_server_already_wrote_counts_once() {
        assert_eq!(claude().composed("gw", "mcp__gw__a_b"), "mcp__gw__a_b");
        assert_eq!(claude().composed("my.server", "a.b"), "mcp__my_server__a_b");
    }
}
