//! Clients as data: which of their files name servers and tools, where the strings are, in what grammar, and how long a
//! name may be. Each client is described in a TOML file in `rows`, either its own or one shared with similar clients.

mod call;
mod code;
mod edits;
mod entry;
mod facts;
mod flags;
mod grammar;
mod launch;
mod read;
mod secrets;
mod set;
mod valid;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use semver::Version;
use serde::Deserialize;
use smol_str::SmolStr;

pub(crate) use self::call::CallId;
pub(crate) use self::call::{AgentCall, AgentList};
pub(crate) use self::code::{Literals, literal_lists, may_grant, read_code};
pub(crate) use self::entry::Entry;
pub(crate) use self::facts::{ClientFacts, Hook, List, ServerEntry, Switch, Whole};
pub(crate) use self::grammar::{Fault, Grammar, Keeps, Own, Rule, begins_as_mcp, kept_by_all};
pub use self::grammar::{Place, Spelt, Wildcards, glob_matches};
pub(crate) use self::launch::{Asked, Launch, Published, identity, is_outside, launch, pin, published};
pub(crate) use self::read::read;
pub(crate) use self::secrets::{Secrets, secrets_in, shown_command};
pub use self::set::Clients;

/// A client: a program that starts servers and offers their tools to a model.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Client {
    /// Unique name of the client in configs and reports: `claude-code`.
    pub id: SmolStr,
    /// Name of the client in messages: `Claude Code`.
    pub name: SmolStr,
    /// Where the row comes from; absent in a row of your own.
    pub evidence: Option<Evidence>,
    /// What is not known about the client, or not checked, for its line in the list of clients.
    #[serde(default)]
    pub unknown: Vec<SmolStr>,
    /// Grammar of the strings that name tools in the client's files, for lists without a `grammar` of their own: `{
    /// tool = "mcp__{server}__{tool}", server = "mcp__{server}" }`. Without `wire`, it is also the grammar of the names
    /// that the model sees.
    pub names: Arc<Grammar>,
    /// Second grammar of the strings that name tools in the client's files, for lists without a `grammar` of their own:
    /// strings with its prefix are accepted, but not proposed.
    pub also: Option<Arc<Grammar>>,
    /// Grammar of the names that the model sees, if it differs from `names`: `{ tool = "mcp_{server}_{tool}", keeps =
    /// "slug" }`.
    pub wire: Option<Arc<Grammar>>,
    /// Maximum number of characters of a server's key in the tool names that the model sees: `13`. The client cuts
    /// longer keys.
    pub server_at_most: Option<usize>,
    /// Maximum length, in characters, of a name that the model sees: `64`. If it depends on how the client is used,
    /// this is the smallest. Absent if no limit is known.
    pub limit: Option<usize>,
    /// What happens to a name longer than `limit`, as messages show it in parentheses: `the model refuses the request`.
    #[serde(default)]
    pub over_limit: SmolStr,
    /// Servers that the client provides itself or gets from an account or plugin, as patterns for their names in
    /// permission strings: `["ide", "plugin_*"]`. They need no entry in a config of the workspace.
    #[serde(default)]
    pub own_servers: Vec<SmolStr>,
    /// Patterns for names of the client's own tools that look like names of a server's tools in the client's files:
    /// with `["web_fetch"]`, `web_fetch` is not taken for the tool `fetch` of a server `web`.
    #[serde(default)]
    pub own_tools: Vec<SmolStr>,
    /// Server keys that the client reserves for itself: `["workspace"]`. It skips servers with such a key.
    #[serde(default)]
    pub reserved_keys: Vec<SmolStr>,
    /// Characters, besides letters and digits, that a server's key may contain: `_-.`. The client does not start servers
    /// with other keys. Absent if it accepts all keys.
    pub key_characters: Option<SmolStr>,
    /// Parts that a server's key must not contain, since the client splits names into server and tool at them: `[{ text
    /// = "__", why = "what follows it is taken for the tool", right = "_" }]`.
    #[serde(default)]
    pub ends_server: Vec<EndOfServer>,
    /// Prefixes of tool names that the client does not accept: `[{ begin = "_", why = "skips all tools of the server"
    /// }]`.
    #[serde(default)]
    pub refuses: Vec<Refused>,
    /// Permission entries for the client's own tools that the client never consults, although people write them:
    /// `[{ begin = "Write(", right = "Edit(", why = "every tool that changes a file" }]`.
    #[serde(default)]
    pub ignored_entries: Vec<IgnoredEntry>,
    /// Characters that a hook's matcher may contain, besides letters and digits, and still be read as whole names, not
    /// as a regular expression; the newest version first: `[{ since = "2.1.195", characters = "_- ,|" }, { characters =
    /// "_|" }]`.
    #[serde(default)]
    pub exact_matchers: Vec<ExactMatchers>,
    /// What the client does with a call that no entry is about: `allow`, `ask` or `deny`. Absent if it depends on how
    /// the client is used.
    pub unlisted: Option<ListKind>,
    /// Settings that also decide about calls but are not in the files of a workspace, for messages:
    /// `["~/.claude/settings.json", "the command line"]`.
    #[serde(default)]
    pub elsewhere: Vec<SmolStr>,
    /// Kinds of files that the client reads, each a `[[client.file]]`.
    #[serde(rename = "file", default)]
    pub files: Vec<ClientFile>,
    /// Command-line options in scripts that take strings about tools, each a `[[client.flag]]`.
    #[serde(rename = "flag", default)]
    pub flags: Vec<Flag>,
    /// Packages of the client's SDK, as imports name them: `["@anthropic-ai/claude-agent-sdk", "claude_agent_sdk"]`.
    #[serde(default)]
    pub packages: Vec<SmolStr>,
    /// Keys or keyword arguments in code whose values are servers for the client: `["mcpServers", "mcp_servers"]`.
    #[serde(default)]
    pub code_servers: Vec<SmolStr>,
    /// Texts in a script that show that it may pass the client servers which are in none of its configs:
    /// `["--mcp-config"]`.
    #[serde(default)]
    pub script_servers: Vec<SmolStr>,
    /// Places in code that contain strings about tools, each a `[[client.code]]`.
    #[serde(default)]
    pub code: Vec<CodeList>,
    /// Whether names of tools are compared without regard to case and separators.
    #[serde(default)]
    pub loose: bool,
    /// Whether the client does not show the model tools that are only for a server's apps.
    #[serde(default)]
    pub hides_app_tools: bool,
    /// Whether the client offers the prompts of servers as tools, too, so that its lists may name them.
    #[serde(default)]
    pub prompts: bool,
    /// Calls in code that name the tools of servers for an agent, each a `[[client.call]]`.
    #[serde(rename = "call", default)]
    pub(crate) calls: Vec<AgentCall>,
    /// The index of the client in [`Clients`].
    #[serde(skip)]
    pub index: usize,
}

/// Where the description of a client comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Evidence {
    /// The client itself was run on generated settings.
    Run,
    /// The client's own code or documentation.
    Documented,
    /// Others who describe the client.
    Reported,
}

impl PartialEq for Client {
    fn eq(&self, other: &Client) -> bool {
        self.id == other.id
    }
}

/// A separator at which a client splits names into server and tool.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EndOfServer {
    /// Text that a server's key must not contain: `__`.
    pub text: SmolStr,
    /// What happens to a key that contains the text, as a clause: `what follows it is taken for the tool`.
    pub why: SmolStr,
    /// Text to write instead: `_`.
    pub right: SmolStr,
}

/// Tool names that a client does not accept.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    /// Prefix of the tool names that the client does not accept: `_`.
    pub begin: SmolStr,
    /// What the client does about such a name, as a sentence without its subject, the client:
    /// `skips all tools of the server`.
    pub why: SmolStr,
}

/// Strings about tools in code, under a key of an object or a keyword of a call.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CodeList {
    /// Keys or keywords that contain the strings: `["allowedTools", "allowed_tools"]`.
    pub names: Vec<SmolStr>,
    /// Functions or classes whose calls the keys or keywords must belong to: `["AgentDefinition"]`. If the list is
    /// empty, the keys or keywords count in every object and call.
    #[serde(default)]
    pub of: Vec<SmolStr>,
    /// Index of a positional argument that also contains the strings, in calls of the functions or classes in `of`: `0`
    /// for the first.
    pub argument: Option<usize>,
    /// Other keys that the same object or call must have: `["description", "prompt"]`.
    #[serde(default)]
    pub beside: Vec<SmolStr>,
    /// Effect of the strings.
    pub list: ListKind,
    /// Texts to read as the strings: the elements of a list or the values of an object.
    #[serde(default)]
    pub strings: Strings,
    /// Whether the strings are regular expressions.
    #[serde(default)]
    pub regex: bool,
    /// Separator of several strings in one text.
    pub split: Option<Split>,
    /// Places where the strings may contain `*`.
    pub wildcards: Wildcards,
    /// Grammar of the strings, if it differs from the client's `names`.
    pub grammar: Option<Arc<Grammar>>,
}

/// A command-line option in scripts.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flag {
    /// Spellings of the option: `["--allowedTools", "--allowed-tools"]`. A YAML key is written with its colon:
    /// `allowed_tools:`.
    pub names: Vec<SmolStr>,
    /// Effect of the strings.
    pub list: ListKind,
    /// Places where the strings may contain `*`.
    pub wildcards: Wildcards,
    /// Separator of the strings in one value.
    pub split: Split,
    /// Whether the option takes all values up to the next option.
    #[serde(default)]
    pub many: bool,
    /// Grammar of the strings, if it differs from the client's `names`.
    pub grammar: Option<Arc<Grammar>>,
    /// Programs that have an option of this name with another meaning: `["gemini"]`. In their commands, the option is
    /// ignored.
    #[serde(default)]
    pub not_of: Vec<SmolStr>,
    /// End of the name of one of the client's JSON files, if the option's value is the content of such a file:
    /// `settings.json`.
    pub holds: Option<SmolStr>,
}

/// A kind of file that a client reads.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClientFile {
    /// Globs for the paths of the files from the workspace's root: `["**/.claude/settings.json"]`.
    pub files: Vec<String>,
    /// Globs for files of other clients in which this client reads the same keys as in `files`:
    /// `["**/.vscode/settings.json"]`.
    #[serde(default)]
    pub guest_in: Vec<String>,
    /// More files of this kind, in a folder tree that is identified by a file in it, such as a plugin:
    /// `{ root = ".claude-plugin/plugin.json", files = ["agents/**/*.md"] }`.
    pub inside: Option<Inside>,
    /// A file whose `name` is part of the names of this file's servers, such as the manifest of a plugin:
    /// `{ file = ".claude-plugin/plugin.json", form = "plugin_{name}_{key}" }`.
    pub named_by: Option<NamedBy>,
    /// Path of the server entries: an object with server keys as its keys, or a list of entries with the key at
    /// `key_at`. For example `mcpServers`.
    pub servers: Option<Path>,
    /// Path of more server entries: `projects.*.mcpServers`.
    pub more_servers: Option<Path>,
    /// Path of the servers that the file itself uses: `mcpServers`. Each is either the key of a server in a config or
    /// an entry for another server.
    pub own_servers: Option<Path>,
    /// Path of the server's key within an entry, if the entries are a list: `name`.
    pub key_at: Option<Path>,
    /// Name of a server if it differs from its key: `plugin_{name}_{key}`, where `{name}` is the `name` at the
    /// document's root and `{key}` the server's key.
    pub known_as: Option<SmolStr>,
    /// Lists of server keys, as configs write them, each a `[[client.file.keys]]`.
    #[serde(rename = "keys", default)]
    pub keys: Vec<KeyList>,
    /// Whether the file is a script, in which only command lines are read.
    #[serde(default)]
    pub script: bool,
    /// Entry that takes effect when several entries match a tool.
    #[serde(default)]
    pub order: Order,
    /// Whether the files of this kind in one folder apply together, so that a tool which one of them denies is denied.
    #[serde(default)]
    pub together: bool,
    /// Names of the files of this kind that are personal, not shared with others: `["settings.local.json"]`.
    #[serde(default)]
    pub personal: Vec<SmolStr>,
    /// What the file describes, if its lists apply to nothing else: `agent`, `skill`. The lists of other files apply to
    /// the whole folder.
    pub part: Option<SmolStr>,
    /// Why the client does not read the file where a workspace has it, as a sentence without its subject, the client:
    /// `reads policies only from ~/.gemini/policies`.
    pub unread: Option<SmolStr>,
    /// Values that decide about all tools of a server, each a `[[client.file.whole]]`.
    #[serde(rename = "whole", default)]
    pub wholes: Vec<WholeServer>,
    /// Settings by which the client runs tools without asking because of a hint of their servers, each a
    /// `[[client.file.trusted]]`.
    #[serde(rename = "trusted", default)]
    pub trusted: Vec<TrustedHint>,
    /// Lists of strings about tools, each a `[[client.file.list]]`.
    #[serde(rename = "list", default)]
    pub lists: Vec<Arc<PermissionList>>,
    /// Hooks that run before a call and may allow or deny it:
    /// `{ at = ["hooks.PreToolUse.*"], commands = ["hooks.*.command"] }`.
    pub before_calls: Option<BeforeCalls>,
    /// Marker before the name of a tool in the text of a document: `#tool:`.
    pub mark: Option<SmolStr>,
    /// Keys that people write but the client does not read, each with the right one:
    /// `[{ at = "permissions.allowed", right = "allow" }]`.
    #[serde(default)]
    pub mistaken: Vec<MistakenKey>,
}

/// Hooks that run before a call.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BeforeCalls {
    /// Paths of the hooks, each an object with a matcher and commands: `["hooks.PreToolUse.*"]`.
    pub at: Vec<Path>,
    /// Paths of the commands and their arguments within a hook: `["hooks.*.command", "hooks.*.args.*"]`.
    pub commands: Vec<Path>,
}

/// Files in a folder tree that is identified by a file in it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inside {
    /// Path of the file that identifies the tree, from the tree's root: `.claude-plugin/plugin.json`.
    pub root: SmolStr,
    /// Globs for the paths of the files from the tree's root, each with a folder in front: `["agents/**/*.md"]`.
    pub files: Vec<String>,
}

impl Inside {
    /// Whether a file is one of these; `path` is its path from the tree's root, and one of the globs matches the end of
    /// the path.
    pub fn has(&self, path: &str) -> bool {
        let folder = path.split('/').next();
        self.files.iter().any(|glob| glob.split('/').next() == folder)
    }
}

/// A file whose `name` is part of the names of another file's servers.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedBy {
    /// Path of the file that gives the name, from the folder of the file with the servers:
    /// `.claude-plugin/plugin.json`.
    pub file: SmolStr,
    /// Name of a server: `plugin_{name}_{key}`, where `{name}` is the `name` at the root of that file and `{key}` the
    /// server's key.
    pub form: SmolStr,
}

/// A value that decides about all tools of a server.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WholeServer {
    /// Path of the value: `mcpServers.{server}.disabled`.
    pub at: Path,
    /// Effect of the server's tools by the value: `{ true = "deny" }`. `deny` holds whatever the lists say; `allow` and
    /// `ask` hold for the tools that no entry is about.
    pub kinds: BTreeMap<String, ListKind>,
    /// Whether the client refuses the whole file because of any other value.
    #[serde(default)]
    pub closed: bool,
    /// Whether the value has no effect for servers whose keys change in the names of tools.
    #[serde(default)]
    pub plain_servers: bool,
}

/// A setting by which a client runs tools without asking because of a hint of their server.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrustedHint {
    /// Path of the setting: `mcp_servers.{server}.default_tools_approval_mode`. If the client always trusts the hint, the
    /// path of the server's entry: `servers.{server}`.
    pub at: Path,
    /// Values of the setting by which the client trusts the hint: `["writes"]`. Absent if it trusts the hint whatever is
    /// at the path.
    #[serde(default)]
    pub values: Vec<SmolStr>,
    /// The hint: `readOnlyHint`.
    pub hint: SmolStr,
}

/// A list of server keys that are enabled or disabled.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyList {
    /// Effect on the servers' tools: `deny` for servers that are not started, `offer` if no other servers are. Absent if
    /// the list only approves servers in advance.
    pub list: Option<ListKind>,
    /// Whether the tools of the servers run without confirmation if no entry is about them, unless the server's key
    /// changes in the names of tools.
    #[serde(default)]
    pub allows: bool,
    /// String that stands for all servers: `*`.
    pub any_server: Option<SmolStr>,
    /// Whether only whole keys count, so that `*` names no server.
    #[serde(default)]
    pub exact: bool,
    /// Path of the list: `enabledMcpjsonServers`.
    pub at: Path,
    /// Path of the key within an element that is an object: `serverName`.
    pub text_at: Option<Path>,
}

/// A permission entry for one of a client's own tools, with text in parentheses, that the client never consults.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IgnoredEntry {
    /// Prefix of the entry: `Write(`.
    pub begin: SmolStr,
    /// Prefix of the entry that the client consults instead: `Edit(`.
    pub right: SmolStr,
    /// Calls for which the client consults the entry with the prefix `right`: `every tool that changes a file`.
    pub why: SmolStr,
    /// First version that ignores the entry: `2.1.210`; all versions if absent.
    #[serde(default, deserialize_with = "optional_version")]
    pub since: Option<Version>,
    /// Whether the entry is ignored only in files: command-line options accept it without a message.
    #[serde(default)]
    pub only_in_files: bool,
}

/// A key that a client does not read.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MistakenKey {
    /// Path of the key: `permissions.allowed`.
    pub at: Path,
    /// Key that the client reads instead, in the same object (`allow`), or the path of one elsewhere
    /// (`permissions.allow`).
    pub right: SmolStr,
    /// File in which the client reads that key, if it is another one: `.mcp.json`.
    pub in_file: Option<SmolStr>,
}

/// A list of strings about tools in a client's file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PermissionList {
    /// Path of the list: `permissions.allow`. In `mcpServers.{server}.autoApprove`, `{server}` is the key of the server
    /// that the list belongs to; `*` matches any other key or element.
    pub at: Path,
    /// Path of the server's key within an element that is an object: `serverName`. Elements without it do not belong to
    /// this list.
    pub server_at: Option<Path>,
    /// Value at `server_at` that means any server: `*`.
    pub any_server: Option<SmolStr>,
    /// Path within an element: elements that have a value there do not belong to this list. For example `mcpName`.
    pub unless: Option<Path>,
    /// Whether the strings are regular expressions, even if they consist of name characters only.
    #[serde(default)]
    pub regex: bool,
    /// Effect of the strings, if it is the same for all; otherwise, `kinds` gives the effect of each.
    pub list: Option<ListKind>,
    /// Effect of a string by the word next to it: `{ allow = "allow", reject = "deny" }`, or
    /// `{ true = "allow", false = "ask" }`. Strings with other words are ignored.
    #[serde(default)]
    pub kinds: BTreeMap<String, ListKind>,
    /// Path of the word that `kinds` lists, within the value of a string that is a key, or within the element around a
    /// string: `action`. Absent if the word is the whole value.
    pub kind_at: Option<Path>,
    /// Whether the client refuses the whole file because of any word that `kinds` does not list.
    #[serde(default)]
    pub closed: bool,
    /// Path of the word that `kinds` lists, if an object with a word for each kind of input may be written in place of
    /// the word: `*`, if that is the object's key for all inputs.
    pub kind_within: Option<Path>,
    /// Texts to read as the strings: the elements of a list, or the keys or values of an object.
    #[serde(default)]
    pub strings: Strings,
    /// Path of the string within an element that is an object: `matcher`.
    pub text_at: Option<Path>,
    /// Separator of the strings if the list is written as one text.
    pub split: Option<Split>,
    /// Places where the strings may contain `*`.
    pub wildcards: Wildcards,
    /// Wildcards that older versions accepted, the newest version first:
    /// `[{ version = "2.0.70", wildcards = "none" }]`.
    #[serde(default)]
    pub before: Vec<Before>,
    /// Whether this list takes precedence over all other lists, regardless of its position.
    #[serde(default)]
    pub always: bool,
    /// Prefix of the strings that are regular expressions for whole names: `re:`.
    pub regex_mark: Option<String>,
    /// Whether each string is a prefix that matches all names which begin with it.
    #[serde(default)]
    pub begins: bool,
    /// Grammar of the strings, if it differs from the client's `names`.
    pub grammar: Option<Arc<Grammar>>,
    /// Second grammar for the list: strings with its prefix are accepted, but not proposed.
    pub also: Option<Arc<Grammar>>,
    /// Whether names of known tools without their servers are reported: older versions of the client accepted them, or
    /// people write them by mistake.
    #[serde(default)]
    pub once_bare: bool,
}

/// The hook matchers that a client takes for whole names.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExactMatchers {
    /// First version that takes matchers of these characters for whole names: `2.1.195`; all versions if absent.
    #[serde(default, deserialize_with = "optional_version")]
    pub since: Option<Version>,
    /// Characters that a matcher of whole names may contain in addition to letters and digits: `_- ,|`.
    pub characters: SmolStr,
}

/// The wildcards that a list accepted before a version.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Before {
    /// First version that no longer accepts these wildcards: `2.0.70`.
    #[serde(deserialize_with = "written_version")]
    pub version: Version,
    /// Places where the strings could contain `*`.
    pub wildcards: Wildcards,
}

/// Parses a version whose last numbers may be missing: `2.1`.
pub(crate) fn version(text: &str) -> Option<Version> {
    // Python has `4.0.0b2` for `4.0.0-b2`.
    let follows_digit = |(at, _): &(usize, char)| text[..*at].ends_with(|c: char| c.is_ascii_digit());
    let letters = text.char_indices().find(|it| it.1.is_ascii_lowercase() && follows_digit(it)).map(|(at, _)| at);
    let end = text.find(['-', '+']).unwrap_or(text.len());
    let (number, rest) = match letters.filter(|at| *at < end) {
        Some(at) => (&text[..at], format!("-{}", &text[at..])),
        None => (&text[..end], text[end..].to_string()),
    };
    let zeros = 2usize.saturating_sub(number.matches('.').count());
    Version::parse(&format!("{number}{}{rest}", ".0".repeat(zeros))).ok()
}

/// Deserialises a version in a row.
fn written_version<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Version, D::Error> {
    let text = String::deserialize(deserializer)?;
    version(&text).ok_or_else(|| serde::de::Error::custom("expected a version, such as `2.1.150`"))
}

fn optional_version<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Version>, D::Error> {
    written_version(deserializer).map(Some)
}

/// The separator of strings in one text; inside parentheses, it is part of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Split {
    /// A comma.
    Commas,
    /// A comma or white space.
    CommasOrSpaces,
}

/// The texts of a list or object to read as its strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Strings {
    /// The elements of a list.
    #[default]
    Elements,
    /// The keys of an object.
    Keys,
    /// The values of an object.
    Values,
}

/// The entry that takes effect when several entries match a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// An entry that denies, or else one that asks, or else one that allows.
    #[default]
    Deny,
    /// The first that matches.
    First,
    /// The last that matches.
    Last,
    /// The one with the highest priority, a number written next to each entry.
    Priority,
}

/// Keys to follow from the document's root: `permissions.allow`, or a list of them if a key contains a dot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path(Vec<SmolStr>);

/// The effect of the strings of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ListKind {
    /// The tools run without confirmation.
    Allow,
    /// The tools do not run.
    Deny,
    /// The tools run after confirmation.
    Ask,
    /// A hook runs when the tools are called; a string consists of one or several names, or is a regular expression.
    Hook,
    /// A hook runs when the tools are called; a string is one name or pattern, as in a permission list.
    Watch,
    /// The tools are available.
    Offer,
    /// The tools are only named, with another effect or none.
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
    /// The path without its last key.
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
            "description": "Keys to follow from the root of the document: `permissions.allow`, or a list of keys if one of them contains a dot. `*` stands for any key or element.",
            "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }],
        })
    }
}

impl<'de> Deserialize<'de> for Path {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected a dotted path of keys, or a list of keys")]
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
    /// Whether calls in code name tools for the client.
    pub fn is_called(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Whether a path has the name of one of the client's personal files.
    pub fn is_personal(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.files.iter().any(|file| file.personal.iter().any(|personal| personal == name))
    }

    /// Whether the client provides a server of this name itself, so that it needs no entry in a config of the
    /// workspace.
    pub fn is_own_server(&self, spelt: &str) -> bool {
        self.own_servers.iter().any(|pattern| glob_matches(pattern, spelt))
    }

    /// Whether a string is the name of a tool that the client provides itself.
    pub fn is_own_tool(&self, text: &str) -> bool {
        self.own_tools.iter().any(|pattern| glob_matches(pattern, text))
    }

    /// The first character of a server's key because of which the client does not start the server.
    pub fn refused_character(&self, key: &str) -> Option<char> {
        let accepted = self.key_characters.as_ref()?;
        key.chars().find(|&c| !c.is_ascii_alphanumeric() && !accepted.contains(c))
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

    /// The prefix of the names of all tools of a server.
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
