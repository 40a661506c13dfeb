//! The config, `toolnames.toml`: its content, and which config applies to which file.
//!
//! A config is read leniently: a value that is not accepted is a fault with a span in that file, and the rest applies.
//! The nearest config upward from a file applies to it; it inherits only from the config that `extends` names.

mod edit;
mod keys;
mod own;
mod policy;

use std::collections::BTreeMap;

use globset::GlobSet;
use semver::Version;

pub(crate) use self::edit::allowing;
use self::keys::KEYS;
pub(crate) use self::keys::{RULE, keys};
pub use self::policy::Configs;
pub(crate) use self::policy::{MAX_CHAIN, Policy};
use crate::convention::Convention;
use crate::diagnostic::Severity;
use crate::document::{self, Fault, Node};
use crate::framework::{AliasMode, Framework, WrittenQuery};
use crate::name::nearest;
use crate::text::Span;

/// The settings of a config for the old names of renamed tools.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AliasSetting {
    /// The mode of the alias; `Some(None)` if no alias is to be written, `None` if the mode is not set.
    pub mode: Option<Option<AliasMode>>,
    /// The date or version after which an alias expires.
    pub until: Option<String>,
}

/// A config file, or the settings of the command line.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The directory of the file, from the workspace's root; globs are relative to it.
    pub directory: String,
    /// The path of the file, from the workspace's root; it begins with `..` if the file is above the root.
    pub path: String,
    /// Whether the config is only a base of others and does not apply to a directory itself.
    pub base_only: bool,
    /// For a config above the workspace's root: the path from its directory to the root.
    pub above: String,
    pub faults: Vec<Fault>,
    /// The id of a built-in profile, or the path of a file from the workspace's root.
    profile: Option<String>,
    /// The paths of the files that are used as profiles, each with the span of its name.
    profile_files: Vec<(String, Span)>,
    convention: Option<Node>,
    paths: Vec<PathRule>,
    rules: BTreeMap<String, RuleSetting>,
    exclude: GlobSet,
    /// The number of globs in the config.
    globs: usize,
    clients: Option<Vec<String>>,
    versions: BTreeMap<String, Version>,
    alias: AliasSetting,
    catalogue: Option<bool>,
    closed: Option<bool>,
    servers: BTreeMap<String, ServerSource>,
    extends: Option<(String, Span)>,
    root: bool,
    frameworks: Vec<Framework>,
    /// The queries in the forms of `frameworks`, in the same order.
    queries: Vec<WrittenQuery>,
    /// The clients that the config describes.
    own_clients: Vec<own::OwnClient>,
    /// Whether a client that the config describes has a fault, so that what the client allows and denies is not known.
    unread_clients: bool,
    /// The ids of clients that the config names. Which ids exist is known only after all configs have been read.
    clients_named: Vec<document::Text>,
}

/// Another convention for some paths.
#[derive(Debug, Clone)]
struct PathRule {
    matches: GlobSet,
    profile: Option<String>,
    convention: Option<Node>,
}

/// The settings of a config for one rule.
#[derive(Debug, Clone, Default)]
pub struct RuleSetting {
    /// `None` if the level is not set; `Some(None)` for `off`.
    pub level: Option<Option<Severity>>,
    /// Names or strings that the rule does not report, each with a reason.
    pub allow: std::sync::Arc<rustc_hash::FxHashMap<String, String>>,
    /// The span of the rule's name, for reports of rules that do not exist.
    pub span: Span,
}

/// The source of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSource {
    /// The directory of the server's package, from the workspace's root.
    pub root: String,
    /// The span of the setting.
    pub span: Span,
}

/// A setting of the command line that is not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadSetting {
    setting: String,
    message: String,
}

impl std::fmt::Display for BadSetting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`: {}", self.setting, self.message)
    }
}

impl std::error::Error for BadSetting {}

impl Config {
    /// Reads the config file at `path`.
    pub fn read(path: &str, text: &str) -> Config {
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory).to_string();
        let (node, faults) = document::parse_toml(text);
        let mut config = Config { directory, path: path.to_string(), faults, ..Config::default() };
        for (key, value) in node.entries() {
            config.take(key, value);
        }
        config
    }

    /// Reads a profile from a file, which contains the parameters of a convention as the built-in profiles do.
    pub fn read_profile(path: &str, text: &str) -> Config {
        let (node, mut faults) = document::parse_toml(text);
        Convention::default().apply(&node, &mut faults);
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory).to_string();
        let convention = Some(node);
        Config { directory, path: path.to_string(), faults, convention, base_only: true, ..Config::default() }
    }

    /// The paths of the files that are used as profiles, from the workspace's root.
    pub fn profile_files(&self) -> impl Iterator<Item = &str> {
        self.profile_files.iter().map(|(path, _)| path.as_str())
    }

    /// Makes a config from `--profile` and `--set KEY=VALUE`. A bare key is a parameter of the convention; commas make
    /// lists.
    ///
    /// # Errors
    /// The first setting that is not accepted.
    pub fn from_settings(profile: Option<&str>, settings: &[String]) -> Result<Config, BadSetting> {
        let mut text = String::new();
        if let Some(profile) = profile {
            text.push_str(&format!("profile = {}\n", toml::Value::from(profile)));
        }
        for setting in settings {
            let Some((key, value)) = setting.split_once('=') else {
                let (setting, message) = (format!("--set {setting}"), "expected KEY=VALUE".to_string());
                return Err(BadSetting { setting, message });
            };
            // `servers` alone lists the words for `{server}` in the pattern; `servers.closed` is a key of the
            // `[servers]` table.
            let top = key.split('.').next().unwrap_or(key);
            let is_top = keys().any(|key| key.name == top) && (key.contains('.') || key != "servers");
            let key = if is_top { key.to_string() } else { format!("convention.{key}") };
            let value = match value {
                "true" | "false" => value.to_string(),
                _ if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => value.to_string(),
                _ if value.contains(',') => {
                    let items: Vec<toml::Value> = value.split(',').map(|item| item.trim().into()).collect();
                    toml::Value::from(items).to_string()
                }
                _ => toml::Value::from(value).to_string(),
            };
            text.push_str(&format!("{key} = {value}\n"));
        }
        let config = Config::read("", &text);
        match config.faults.first() {
            Some(fault) => {
                let line = text.get(..fault.span.start as usize).unwrap_or("").matches('\n').count();
                let setting = text.lines().nth(line).unwrap_or("").to_string();
                Err(BadSetting { setting, message: fault.message.clone() })
            }
            None => Ok(config),
        }
    }

    /// The path of the config that this one extends, from the workspace's root.
    pub fn base(&self) -> Option<String> {
        let (extends, _) = self.extends.as_ref()?;
        Some(self.beside(extends))
    }

    /// Converts a path in this config to a path from the workspace's root.
    fn beside(&self, relative: &str) -> String {
        let directory = self.path.rsplit_once('/').map_or("", |(directory, _)| directory);
        let mut parts: Vec<&str> = directory.split('/').filter(|part| !part.is_empty()).collect();
        for part in relative.split('/').filter(|part| !part.is_empty() && *part != ".") {
            match parts.last() {
                Some(last) if part == ".." && *last != ".." => drop(parts.pop()),
                _ => parts.push(part),
            }
        }
        parts.join("/")
    }

    /// Converts a path from the workspace's root to a path from this config's directory.
    fn relative<'p>(&self, path: &'p str) -> std::borrow::Cow<'p, str> {
        if self.above.is_empty() {
            path.strip_prefix(self.directory.as_str()).unwrap_or(path).trim_start_matches('/').into()
        } else {
            format!("{}/{path}", self.above).into()
        }
    }

    fn fault(&mut self, span: Span, message: impl Into<String>) {
        self.faults.push(Fault { span, message: message.into() });
    }

    fn take(&mut self, key: &document::Text, value: &Node) {
        let Some(row) = KEYS.iter().find(|row| row.key.name == key.text) else {
            let near = nearest(&key.text, keys().map(|key| key.name)).map(|near| format!("; did you mean `{near}`?"));
            return self.fault(key.span, format!("unknown key `{}`{}", key.text, near.unwrap_or_default()));
        };
        let mut faults = Vec::new();
        row.read(self, value, &mut faults);
        self.faults.append(&mut faults);
    }

    /// Calls `see` with every built-in profile that the config names, and with the convention of every table of
    /// parameters, without the profile that the table changes.
    fn each_convention(&self, see: &mut dyn FnMut(&Convention)) {
        let of_paths = self.paths.iter().map(|rule| (rule.profile.as_deref(), rule.convention.as_ref()));
        let own = (self.profile.as_deref(), self.convention.as_ref());
        for (profile, table) in std::iter::once(own).chain(of_paths) {
            if let Some(convention) = profile.and_then(Convention::profile) {
                see(&convention);
            }
            if let Some(table) = table {
                let mut convention = Convention::default();
                convention.apply(table, &mut Vec::new());
                see(&convention);
            }
        }
    }

    /// The servers for which this config names the source.
    pub fn server_sources(&self) -> impl Iterator<Item = &ServerSource> {
        self.servers.values()
    }

    /// The settings of rules, each with the rule's id as it is written.
    pub fn rule_settings(&self) -> impl Iterator<Item = (&str, &RuleSetting)> {
        self.rules.iter().map(|(id, setting)| (id.as_str(), setting))
    }
}

/// The message about an unknown client id.
fn no_client(id: &str, known: &[&str]) -> String {
    match nearest(id, known.iter().copied()) {
        Some(near) => format!("no client `{id}`; did you mean `{near}`?"),
        None => format!("no client `{id}`; there are {}", known.join(", ")),
    }
}

/// Whether a profile is given as the path of a file.
fn is_file(profile: &str) -> bool {
    profile.contains(['/', '\\']) || profile.ends_with(".toml")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::path::MAX_GLOBS;

    fn faults(text: &str) -> Vec<(String, String)> {
        let config = Config::read("toolnames.toml", text);
        config.faults.iter().map(|fault| (text[fault.span.range()].to_string(), fault.message.clone())).collect()
    }

    #[test]
    fn more_globs_than_paths_can_be_held_against_are_a_fault() {
        let globs: String = (0..=MAX_GLOBS).map(|number| format!("'{number}',")).collect();
        for key in ["registry", "documents", "tables", "index", "pools"] {
            let found = faults(&format!("[convention]\n{key} = [{globs}]\n"));
            let [(_, message)] = found.as_slice() else { panic!("{key}: {found:?}") };
            assert!(message.ends_with("more than 1000 globs: list folders instead of single files"), "{message}");
        }
        let [(_, message)] = &faults(&format!("exclude = [{globs}]\n"))[..] else { panic!() };
        assert_eq!(message, "more than 1000 globs: the rest are ignored");
    }

    #[test]
    fn more_words_than_names_are_compared_with_are_a_fault() {
        let words: String = (0..2_001).map(|number| format!("'verb{number}',")).collect();
        let found = faults(&format!("profile = 'adobe'\n[convention]\nverbs = [{words}]\n"));
        let [(_, message)] = found.as_slice() else { panic!("{found:?}") };
        assert!(
            message.ends_with("more than 2000 words for one slot: list only the words that tool names use"),
            "{message}"
        );
    }

    #[test]
    fn a_broken_key_is_a_fault_at_its_span_and_the_rest_applies() {
        let text = "profil = \"mcp\"\nprofile = \"syntropi\"\n[rules]\nname-case = \"loud\"\nname-words = \"off\"\n";
        let found = faults(text);
        assert_eq!(found[0].0, "profil");
        assert!(found[0].1.contains("did you mean `profile`"));
        assert_eq!(found[1].0, "syntropi");
        assert_eq!(found[2].0, "\"loud\"");
        assert_eq!(found.len(), 3);
        let configs = Configs::new(vec![Arc::new(Config::read("toolnames.toml", text))], Config::default());
        let policy = configs.policy("a.ts");
        assert_eq!(policy.severity("name-words", Severity::Warning), None);
        assert_eq!(policy.severity("name-case", Severity::Warning), Some(Severity::Warning));
    }

    #[test]
    fn a_syntax_error_leaves_the_other_lines_standing() {
        let text = "profile = \"syntropy\"\n[rules\nname-case = \"off\"\n";
        let config = Config::read("toolnames.toml", text);
        assert!(!config.faults.is_empty());
        assert_eq!(config.profile.as_deref(), Some("syntropy"));
    }

    #[test]
    fn the_nearest_config_rules_and_inherits_only_by_extends() {
        let root = Config::read("toolnames.toml", "[servers]\nclosed = true\n");
        let alone = Config::read("a/toolnames.toml", "profile = \"syntropy\"\n");
        let heir = Config::read("b/toolnames.toml", "extends = \"../toolnames.toml\"\n");
        let configs = Configs::new([root, alone, heir].map(Arc::new).into(), Config::default());
        assert!(configs.policy("x.json").closed);
        assert!(!configs.policy("a/x.json").closed);
        assert_eq!(configs.policy("a/x.json").convention.profile, "syntropy");
        assert!(configs.policy("b/x.json").closed);
    }

    #[test]
    fn settings_of_the_command_line_read_as_config() {
        let settings = ["closed=true".to_string()];
        assert!(Config::from_settings(None, &settings).is_err(), "no such key in a convention");
        let settings = ["servers.closed=true".to_string(), "words.max=3".to_string()];
        assert_eq!(Config::from_settings(Some("mcp"), &settings).unwrap().closed, Some(true));
        assert!(Config::from_settings(Some("nope"), &[]).unwrap_err().to_string().contains("no profile"));
    }
}
