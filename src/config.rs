//! The config, `toolnames.toml`: its content, and which one applies to which file.
//!
//! A config is read leniently: a value that is not accepted is a fault with a span in that file, and the rest applies.
//! The nearest config upward from a file applies to it; it inherits only from the config that `extends` names.

mod edit;
mod own;
mod policy;

use std::collections::BTreeMap;

use globset::{Glob, GlobSet, GlobSetBuilder};
use semver::Version;

pub use self::edit::allowing;
pub use self::policy::{Configs, MAX_CHAIN, Policy};
use crate::convention::Convention;
use crate::diagnostic::Severity;
use crate::document::{self, Fault, Node, Value};
use crate::framework::{AliasMode, Framework};
use crate::name::nearest;
use crate::path::{MAX_GLOB, MAX_GLOBS};
use crate::text::Span;

/// The settings of a config for the old names of renamed tools.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AliasSetting {
    /// The mode of the alias; `Some(None)` if none is written.
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
    closed: Option<bool>,
    servers: BTreeMap<String, ServerSource>,
    extends: Option<(String, Span)>,
    root: bool,
    frameworks: Vec<Framework>,
    /// The clients that the config describes.
    own_clients: Vec<own::OwnClient>,
    /// A client that it describes has a fault, so nobody knows what the client allows and denies.
    unread_clients: bool,
    /// The clients that it names. Which there are is known when all configs are read.
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

/// The keys of a config.
pub(crate) const TOP_KEYS: [&str; 13] = [
    "profile",
    "exclude",
    "convention",
    "paths",
    "rules",
    "clients",
    "servers",
    "alias",
    "frameworks",
    "client",
    "extends",
    "root",
    "lock",
];

impl Config {
    /// Reads the config file at `path`.
    pub fn read(path: &str, text: &str) -> Config {
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory).to_string();
        let (node, faults) = document::parse_toml(text);
        let mut config = Config { directory, path: path.to_string(), faults, ..Config::default() };
        for (key, value) in node.entries() {
            config.take(&key.text, key.span, value);
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
    /// A message about the first setting that is not accepted, for the user who typed it.
    pub fn from_settings(profile: Option<&str>, settings: &[String]) -> Result<Config, String> {
        let mut text = String::new();
        if let Some(profile) = profile {
            text.push_str(&format!("profile = {}\n", toml::Value::from(profile)));
        }
        for setting in settings {
            let Some((key, value)) = setting.split_once('=') else {
                return Err(format!("`--set {setting}`: expected KEY=VALUE"));
            };
            // A bare `servers` fills `{server}` of the pattern; `servers.closed` is the table.
            let top = key.split('.').next().unwrap_or(key);
            let is_top = TOP_KEYS.contains(&top) && (key.contains('.') || key != "servers");
            let key = if is_top { key.to_string() } else { format!("convention.{key}") };
            let plural = key.ends_with('s') && key != "convention.case";
            let value = match value {
                "true" | "false" => value.to_string(),
                _ if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => value.to_string(),
                _ if value.contains(',') || plural => {
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
                let setting = text.lines().nth(line).unwrap_or("");
                Err(format!("`{setting}`: {}", fault.message))
            }
            None => Ok(config),
        }
    }

    /// The path of the config that this one extends, from the workspace's root.
    pub fn base(&self) -> Option<String> {
        let (extends, _) = self.extends.as_ref()?;
        Some(self.beside(extends))
    }

    /// The path from the workspace's root of a path in this config.
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

    /// The path from this config's directory of a path in the workspace.
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

    fn take(&mut self, key: &str, key_span: Span, value: &Node) {
        let is_table = matches!(value.value, Value::Object(_));
        if ["convention", "rules", "clients", "servers", "alias"].contains(&key) && !is_table {
            let own = if key == "clients" { "; a client of your own is `[[client]]`" } else { "" };
            return self.fault(value.span, format!("expected a table, `[{key}]`{own}"));
        }
        match key {
            "profile" => self.profile = self.profile_of(value),
            "convention" => {
                let mut faults = Vec::new();
                self.profile_convention().apply(value, &mut faults);
                // The content of a profile file is not known before the file was read.
                if self.profile.as_deref().is_none_or(|profile| !is_file(profile)) {
                    self.faults.append(&mut faults);
                }
                self.convention = Some(value.clone());
            }
            "exclude" => self.exclude = glob_set(&self.globs(value)),
            "paths" => {
                for rule in value.elements() {
                    self.take_path_rule(rule);
                }
                if !matches!(value.value, Value::Array(_)) {
                    self.fault(key_span, "expected `[[paths]]`, a list of tables");
                }
            }
            "rules" => {
                for (rule, setting) in value.entries() {
                    self.take_rule(&rule.text, rule.span, setting);
                }
            }
            "clients" => {
                for (key, value) in value.entries() {
                    match key.text.as_str() {
                        "use" => self.take_clients(value),
                        "versions" => self.take_versions(value),
                        other => {
                            let near = nearest(other, ["use", "versions"]).unwrap_or("use");
                            self.fault(key.span, format!("unknown key `{other}`; did you mean `{near}`?"));
                        }
                    }
                }
            }
            "servers" => self.take_servers(value),
            "alias" => self.take_alias(value),
            "frameworks" => self.take_frameworks(value),
            "client" => self.take_own_clients(value),
            "extends" => match value.as_str() {
                Some(path) => self.extends = Some((path.to_string(), value.span)),
                None => self.fault(value.span, "expected the path of another config"),
            },
            "root" => match value.as_bool() {
                Some(root) => self.root = root,
                None => self.fault(value.span, "expected true or false"),
            },
            "lock" => {}
            other => {
                let near = nearest(other, TOP_KEYS).map(|near| format!("; did you mean `{near}`?"));
                self.fault(key_span, format!("unknown key `{other}`{}", near.unwrap_or_default()));
            }
        }
    }

    fn profile_of(&mut self, value: &Node) -> Option<String> {
        let Some(text) = value.as_text() else {
            self.fault(value.span, "expected the name of a profile");
            return None;
        };
        if Convention::profile(&text.text).is_some() {
            return Some(text.text.clone());
        }
        if is_file(&text.text) {
            let path = self.beside(&text.text);
            self.profile_files.push((path.clone(), text.span));
            return Some(path);
        }
        let known: Vec<&str> = Convention::profiles().collect();
        let near = nearest(&text.text, known.iter().copied()).map(|near| format!("did you mean `{near}`?"));
        let hint = near.unwrap_or_else(|| format!("there are {}, or the path of a file", known.join(", ")));
        self.fault(text.span, format!("no profile `{}`; {hint}", text.text));
        None
    }

    /// Calls `see` with every built-in profile that the config names, and with every table of parameters by itself.
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

    fn profile_convention(&self) -> Convention {
        Convention::profile(self.profile.as_deref().unwrap_or("mcp")).unwrap_or_default()
    }

    fn globs(&mut self, value: &Node) -> Vec<String> {
        if !matches!(value.value, Value::Array(_)) {
            self.fault(value.span, "expected a list of globs");
        }
        let mut globs = Vec::new();
        for element in value.elements() {
            self.globs += 1;
            if self.globs > MAX_GLOBS {
                if self.globs == MAX_GLOBS + 1 {
                    self.fault(element.span, format!("more than {MAX_GLOBS} globs: from here on they are not read"));
                }
                continue;
            }
            if element.as_str().is_some_and(|glob| glob.len() > MAX_GLOB) {
                self.fault(element.span, format!("a glob of more than {MAX_GLOB} bytes"));
                continue;
            }
            match element.as_text().map(|text| (text, Glob::new(&text.text))) {
                Some((text, Ok(_))) => globs.push(text.text.clone()),
                Some((text, Err(error))) => self.fault(text.span, error.kind().to_string()),
                None => self.fault(element.span, "expected a glob, a string"),
            }
        }
        globs
    }

    fn take_path_rule(&mut self, rule: &Node) {
        let mut path_rule = PathRule { matches: GlobSet::empty(), profile: None, convention: None };
        let mut has_match = false;
        for (key, value) in rule.entries() {
            match key.text.as_str() {
                "match" => {
                    has_match = true;
                    path_rule.matches = glob_set(&self.globs(value));
                }
                "profile" => path_rule.profile = self.profile_of(value),
                "convention" => path_rule.convention = Some(value.clone()),
                other => {
                    let near = nearest(other, ["match", "profile", "convention"]);
                    let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                    self.fault(key.span, format!("unknown key `{other}`{hint}"));
                }
            }
        }
        if !has_match {
            self.fault(rule.span, "`match` is missing: to which paths does this apply?");
        }
        if let Some(convention) = &path_rule.convention {
            let profile = path_rule.profile.as_deref().or(self.profile.as_deref()).unwrap_or("mcp");
            let mut faults = Vec::new();
            Convention::profile(profile).unwrap_or_default().apply(convention, &mut faults);
            if !is_file(profile) {
                self.faults.append(&mut faults);
            }
        }
        self.paths.push(path_rule);
    }

    fn take_rule(&mut self, rule: &str, span: Span, value: &Node) {
        let mut setting = RuleSetting { span, ..RuleSetting::default() };
        let level = |value: &Node| match value.as_str() {
            Some("off") => Some(None),
            Some(level) => level.parse().ok().map(Some),
            None => None,
        };
        const LEVELS: &str = "expected \"error\", \"warning\", \"info\", \"hint\" or \"off\"";
        match &value.value {
            Value::Object(_) => {
                for (key, inner) in value.entries() {
                    match key.text.as_str() {
                        "level" => match level(inner) {
                            Some(level) => setting.level = Some(level),
                            None => self.fault(inner.span, LEVELS),
                        },
                        "allow" if !matches!(inner.value, Value::Array(_)) => {
                            self.fault(inner.span, "expected a list of { name = …, why = … }");
                        }
                        "allow" => {
                            for entry in inner.elements() {
                                let name = entry.get("name").and_then(Node::as_str).or(entry.as_str());
                                let why = entry.get("why").and_then(Node::as_str);
                                match (name, why) {
                                    (Some(name), Some(why)) if !why.is_empty() => {
                                        std::sync::Arc::make_mut(&mut setting.allow)
                                            .insert(name.to_string(), why.to_string());
                                    }
                                    (Some(_), _) => self.fault(entry.span, "`why` is missing: { name = …, why = … }"),
                                    (None, _) => self.fault(entry.span, "expected { name = …, why = … }"),
                                }
                            }
                        }
                        other => self.fault(key.span, format!("unknown key `{other}`: there are `level` and `allow`")),
                    }
                }
            }
            _ => match level(value) {
                Some(level) => setting.level = Some(level),
                None => self.fault(value.span, LEVELS),
            },
        }
        self.rules.insert(rule.to_string(), setting);
    }

    fn take_clients(&mut self, value: &Node) {
        if !matches!(value.value, Value::Array(_)) {
            return self.fault(value.span, "expected a list of clients");
        }
        let mut ids = Vec::new();
        for element in value.elements() {
            let Some(text) = element.as_text() else {
                self.fault(element.span, "expected the id of a client");
                continue;
            };
            self.clients_named.push(text.clone());
            ids.push(text.text.clone());
        }
        self.clients = Some(ids);
    }

    fn take_versions(&mut self, value: &Node) {
        for (id, version) in value.entries() {
            self.clients_named.push(id.clone());
            match version.as_str().and_then(crate::client::version) {
                Some(version) => {
                    self.versions.insert(id.text.clone(), version);
                }
                None => self.fault(version.span, "expected a version, such as \"2.1.150\""),
            }
        }
    }

    fn take_servers(&mut self, value: &Node) {
        for (key, value) in value.entries() {
            if key.text == "closed" {
                match value.as_bool() {
                    Some(closed) => self.closed = Some(closed),
                    None => self.fault(value.span, "expected true or false"),
                }
            } else {
                match value.get("package").and_then(Node::as_str) {
                    Some(package) => {
                        let directory = self.directory.clone();
                        match crate::path::joined(&directory, package) {
                            Some(root) => {
                                drop(self.servers.insert(key.text.clone(), ServerSource { root, span: value.span }))
                            }
                            None => self.fault(value.span, "this lies outside the workspace"),
                        }
                    }
                    None if nearest(&key.text, ["closed"]).is_some() => {
                        self.fault(key.span, format!("unknown key `{}`; did you mean `closed`?", key.text));
                    }
                    None => self.fault(value.span, "expected { package = \"path/of/its/source\" }"),
                }
            }
        }
    }

    fn take_alias(&mut self, value: &Node) {
        for (key, value) in value.entries() {
            match (key.text.as_str(), value.as_str()) {
                ("mode", Some("listed")) => self.alias.mode = Some(Some(AliasMode::Listed)),
                ("mode", Some("hidden")) => self.alias.mode = Some(Some(AliasMode::Hidden)),
                ("mode", Some("none")) => self.alias.mode = Some(None),
                ("until", Some(until)) => self.alias.until = Some(until.to_string()),
                ("mode", _) => self.fault(value.span, "expected \"listed\", \"hidden\" or \"none\""),
                ("until", _) => self.fault(value.span, "expected a date"),
                (other, _) => self.fault(key.span, format!("unknown key `{other}`: there are `mode` and `until`")),
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

fn glob_set(globs: &[String]) -> GlobSet {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        if let Ok(glob) = Glob::new(glob) {
            set.add(glob);
        }
    }
    set.build().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

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
            assert!(message.ends_with("more than 1000 globs: name the folders that the files lie in"), "{message}");
        }
        let [(_, message)] = &faults(&format!("exclude = [{globs}]\n"))[..] else { panic!() };
        assert_eq!(message, "more than 1000 globs: from here on they are not read");
    }

    #[test]
    fn more_words_than_names_are_compared_with_are_a_fault() {
        let words: String = (0..2_001).map(|number| format!("'verb{number}',")).collect();
        let found = faults(&format!("profile = 'adobe'\n[convention]\nverbs = [{words}]\n"));
        let [(_, message)] = found.as_slice() else { panic!("{found:?}") };
        assert!(message.ends_with("more than 2000 words for one slot: list those that names use"), "{message}");
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
        assert!(Config::from_settings(Some("nope"), &[]).unwrap_err().contains("no profile"));
    }
}
