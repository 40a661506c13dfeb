//! Finds the configs that apply to a file: the nearest one upward, those that it extends, and the settings of the
//! command line.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use semver::Version;
use smol_str::SmolStr;

use super::own::{MAX_CLIENTS, MAX_QUERIES, OwnClient};
use super::{AliasSetting, Config, RuleSetting, ServerSource, is_file, no_client};
use crate::client::Clients;
use crate::convention::{Convention, Files};
use crate::diagnostic::Severity;
use crate::document::{Fault, Node};
use crate::framework::{Framework, WrittenQuery};
use crate::path::folders_above;
use crate::text::Span;

/// The maximum length of a chain of configs that extend one another.
pub(crate) const MAX_CHAIN: usize = 64;

/// The maximum number of unknown clients that are reported for one config.
const MAX_UNKNOWN: usize = 50;

/// All configs of a workspace, and the settings of the command line, which take precedence.
#[derive(Debug, Clone)]
pub struct Configs {
    files: Vec<Arc<Config>>,
    /// The indices in `files` of the first config with each path, and, in `by_folder`, of the first config that applies
    /// to each folder itself.
    by_path: FxHashMap<String, usize>,
    by_folder: FxHashMap<String, usize>,
    overrides: Config,
    pub frameworks: Vec<Framework>,
    clients: Arc<Clients>,
    /// The documents and data files that any convention reads, even if another convention applies to them.
    documents: Vec<Files>,
    /// Words that conventions search for even in source that does not use a framework.
    pub words: Vec<SmolStr>,
    /// Whether some convention checks the types of parameters.
    pub reads_types: bool,
    /// Whether some tool was renamed, so that documents may contain its old name.
    pub has_former_names: bool,
}

/// The settings that apply to a file.
#[derive(Debug, Clone)]
pub struct Policy {
    pub convention: Arc<Convention>,
    /// The ids of the clients whose limits apply; `None` for those with files in the workspace.
    pub clients: Option<Vec<String>>,
    /// The versions of clients by id, if they are not the newest.
    pub versions: BTreeMap<String, Version>,
    /// Whether the tools of public servers are known from the catalogue.
    pub catalogue: bool,
    /// Whether the workspace's configs contain every server.
    pub closed: bool,
    /// The alias that a renamed tool gets.
    pub alias: AliasSetting,
    /// The source of each server, by server key.
    pub servers: BTreeMap<String, ServerSource>,
    rules: BTreeMap<String, RuleSetting>,
}

impl Default for Configs {
    fn default() -> Configs {
        Configs::new(Vec::new(), Config::default())
    }
}

impl Configs {
    /// Makes the configs of a workspace; `overrides` are the settings of the command line.
    pub fn new(mut files: Vec<Arc<Config>>, overrides: Config) -> Configs {
        // Nearest first: deeper directories, then the root, then the directories above it.
        files.sort_by_key(|config| (std::cmp::Reverse(config.directory.len()), config.above.len()));
        let mut frameworks: Vec<Framework> =
            files.iter().map(Arc::as_ref).chain([&overrides]).flat_map(|config| config.frameworks.clone()).collect();
        frameworks.iter_mut().fold(MAX_QUERIES, |left, framework| framework.keep_queries(left));
        let mut documents = Vec::new();
        let mut reads_types = false;
        let mut words: Vec<SmolStr> = Vec::new();
        for config in files.iter().map(Arc::as_ref).chain([&overrides]) {
            config.each_convention(&mut |convention| {
                reads_types |= convention.schemas;
                words.extend(convention.words().map(SmolStr::new));
                documents.extend(convention.files_read().filter(|files| !files.is_empty()).cloned());
            });
        }
        let (mut by_path, mut by_folder) = (FxHashMap::default(), FxHashMap::default());
        for (index, config) in files.iter().enumerate() {
            by_path.entry(config.path.clone()).or_insert(index);
            if !config.base_only {
                by_folder.entry(config.directory.clone()).or_insert(index);
            }
        }
        // If two clients have the same id, the one in the outer config counts; the other is a fault.
        let mut ids = FxHashSet::default();
        let own = files.iter().rev().map(Arc::as_ref).chain([&overrides]).flat_map(|config| &config.own_clients);
        let own = own.map(|own| &own.client).filter(|client| ids.insert(client.id.clone()));
        let clients = Clients::with(own.take(MAX_CLIENTS).cloned());
        Configs {
            files,
            by_path,
            by_folder,
            overrides,
            frameworks,
            clients,
            documents,
            words,
            reads_types,
            has_former_names: false,
        }
    }

    /// The built-in clients and those of configs.
    pub fn clients(&self) -> &Arc<Clients> {
        &self.clients
    }

    /// Whether a path is that of a config, or of a file that a config extends or uses as a profile. The file need not
    /// exist.
    pub fn depends_on(&self, path: &str) -> bool {
        let names = |config: &Config| {
            config.path == path
                || config.base().is_some_and(|base| base == path)
                || config.profile_files().any(|profile| profile == path)
        };
        self.files.iter().any(|config| names(config))
    }

    /// Whether a document or data file has to be read: it is a client's, a convention checks it, or it may contain a
    /// tool's old name.
    pub fn reads(&self, path: &str) -> bool {
        if self.has_former_names && path.ends_with(".md") {
            return true;
        }
        self.clients.of_path(path).is_some()
            || self.documents.iter().any(|files| files.contain(path)) && self.policy(path).convention.reads(path)
    }

    /// Whether files are read in the same way under both sets of configs: with the same frameworks, clients and words,
    /// and both with or both without the types of parameters.
    pub fn reads_alike(&self, other: &Configs) -> bool {
        let rows = |configs: &Configs| format!("{:?} {:?}", configs.frameworks, configs.clients.own());
        self.reads_types == other.reads_types && self.words == other.words && rows(self) == rows(other)
    }

    /// The configs that apply to a path, nearest first; at most [`MAX_CHAIN`] of them.
    fn chain(&self, path: &str) -> Vec<&Config> {
        let folders = folders_above(path).map(|folder| self.by_folder.get(folder));
        self.chain_from(folders.flatten().next().map(|&index| &self.files[index]))
    }

    /// A config and those that it extends, in order.
    fn chain_from<'c>(&'c self, first: Option<&'c Arc<Config>>) -> Vec<&'c Config> {
        let mut chain: Vec<&Config> = Vec::new();
        let mut next = first;
        while let Some(config) = next.filter(|_| chain.len() < MAX_CHAIN) {
            if chain.iter().any(|seen| std::ptr::eq(*seen, config.as_ref())) {
                break;
            }
            chain.push(config);
            next = config.base().filter(|_| !config.root).and_then(|base| self.by_path(&base));
        }
        chain
    }

    /// The span of a config's `extends` if it leads through more than [`MAX_CHAIN`] configs.
    pub fn too_long(&self, config: &Config) -> Option<Span> {
        let (_, span) = config.extends.as_ref()?;
        let chain = self.chain_from(self.by_path(&config.path));
        let is_more = chain.last().is_some_and(|last| last.extends.is_some() && !last.root);
        (chain.len() == MAX_CHAIN && is_more).then_some(*span)
    }

    /// The path of the nearest config of a file; `None` if there is no config or it is above the workspace's root.
    pub fn nearest(&self, path: &str) -> Option<&str> {
        self.chain(path).first().filter(|config| config.above.is_empty()).map(|config| config.path.as_str())
    }

    fn by_path(&self, path: &str) -> Option<&Arc<Config>> {
        self.by_path.get(path).map(|&index| &self.files[index])
    }

    /// The convention of a profile: of a built-in one, or of one in a file.
    fn profile(&self, profile: &str) -> Convention {
        if let Some(convention) = Convention::profile(profile) {
            return convention;
        }
        let mut convention = Convention::default();
        convention.profile = profile.to_string();
        if let Some(table) = self.by_path(profile).and_then(|config| config.convention.as_ref()) {
            convention.apply(table, &mut Vec::new());
        }
        convention
    }

    /// The reason why a client that a config describes is ignored, as a message; `None` if it is used.
    fn why_unread(&self, config: &Config, own: &OwnClient) -> Option<String> {
        let id = &own.client.id;
        let has = |other: &&Arc<Config>| other.own_clients.iter().any(|known| known.client.id == *id);
        if let Some(first) = self.files.iter().rev().find(has).filter(|first| first.path != config.path) {
            return Some(format!("{} already describes a client `{id}`: choose another id", first.path));
        }
        let is_known = self.clients.iter().any(|client| client.id == *id);
        (!is_known).then(|| format!("more than {MAX_CLIENTS} clients are described here: this one is ignored"))
    }

    /// The first config that describes a client which cannot be read, so that what the client allows and denies is not
    /// known.
    pub fn unread_client(&self) -> Option<&str> {
        let is_unread = |config: &&Arc<Config>| {
            config.unread_clients || config.own_clients.iter().any(|own| self.why_unread(config, own).is_some())
        };
        self.files.iter().find(is_unread).map(|config| config.path.as_str())
    }

    /// The faults of the command line's settings that depend on other files, as in [`Configs::faults_beside`].
    pub fn faults_of_overrides(&self) -> Vec<Fault> {
        self.faults_beside(&self.overrides)
    }

    /// The faults of a config that depend on other files: faults of the configs that it extends, faults in the files of
    /// its profiles and in its changes to these profiles, unknown, duplicate or surplus clients, and faults of its queries, whose number is limited for
    /// all configs together.
    pub fn faults_beside(&self, config: &Config) -> Vec<Fault> {
        let mut faults = self.faults_around(config);
        // A config that is only extended is not checked by itself.
        if let Some((_, span)) = &config.extends {
            for base in self.chain_from(self.by_path(&config.path)).into_iter().skip(1).filter(|base| base.base_only) {
                let all = base.faults.iter().cloned().chain(self.faults_around(base));
                faults.extend(
                    all.map(|fault| Fault { span: *span, message: format!("{}: {}", base.path, fault.message) }),
                );
            }
        }
        faults
    }

    /// The configs that are not files of the workspace: one given on the command line, one above the workspace.
    pub fn outside(&self, is_file: &dyn Fn(&str) -> bool) -> impl Iterator<Item = &Config> {
        self.files.iter().map(Arc::as_ref).filter(move |config| !config.base_only && !is_file(&config.path))
    }

    /// The faults as in [`Configs::faults_beside`], without those of extended configs.
    fn faults_around(&self, config: &Config) -> Vec<Fault> {
        let mut faults = Vec::new();
        let known: Vec<&str> = self.clients.iter().map(|client| client.id.as_str()).collect();
        let set: FxHashSet<&str> = known.iter().copied().collect();
        let unknown = config.clients_named.iter().filter(|id| !set.contains(id.text.as_str()));
        for id in unknown.take(MAX_UNKNOWN) {
            faults.push(Fault { span: id.span, message: no_client(&id.text, &known) });
        }
        for own in &config.own_clients {
            faults.extend(self.why_unread(config, own).map(|message| Fault { span: own.id, message }));
        }
        let before = self.files.iter().take_while(|other| other.path != config.path);
        let left = MAX_QUERIES.saturating_sub(before.map(|other| other.queries.len()).sum());
        let (read, unread) = config.queries.split_at(left.min(config.queries.len()));
        faults.extend(read.iter().flat_map(WrittenQuery::faults));
        faults.extend(unread.iter().take(1).map(|query| Fault {
            span: query.span(),
            message: format!("more than {MAX_QUERIES} queries are described here: this one and the rest are ignored"),
        }));
        for (path, span) in &config.profile_files {
            match self.by_path(path).filter(|profile| profile.path != config.path) {
                None => faults.push(Fault { span: *span, message: format!("there is no file `{path}`") }),
                Some(profile) => faults.extend(
                    profile
                        .faults
                        .iter()
                        .map(|fault| Fault { span: *span, message: format!("{path}: {}", fault.message) }),
                ),
            }
        }
        let own = std::iter::once((config.profile.as_ref(), config.convention.as_ref()));
        let of_paths = config
            .paths
            .iter()
            .map(|rule| (rule.profile.as_ref().or(config.profile.as_ref()), rule.convention.as_ref()));
        for (profile, table) in own.chain(of_paths) {
            if let (Some(profile), Some(table)) = (profile.filter(|profile| is_file(profile)), table) {
                self.profile(profile).apply(table, &mut faults);
            }
        }
        faults
    }

    /// The span of `extends` and the path, if a config extends a file that does not exist.
    pub fn missing_base(&self, config: &Config) -> Option<(Span, String)> {
        let base = config.base()?;
        let found = self.by_path(&base).is_some_and(|found| found.path != config.path);
        let (_, span) = config.extends.as_ref()?;
        (!found).then_some((*span, base))
    }

    /// The settings that apply to a file.
    pub fn policy(&self, path: &str) -> Policy {
        let chain = self.chain(path);
        let mut profile = chain.iter().rev().filter_map(|config| config.profile.as_deref()).next_back();
        let mut tables: Vec<&Node> = chain.iter().rev().filter_map(|config| config.convention.as_ref()).collect();
        for config in chain.iter().rev() {
            let relative = config.relative(path);
            let candidate = globset::Candidate::new(&*relative);
            for rule in config.paths.iter().filter(|rule| rule.matches.is_match_candidate(&candidate)) {
                if rule.profile.is_some() {
                    profile = rule.profile.as_deref();
                    tables.clear();
                }
                tables.extend(&rule.convention);
            }
        }
        if let Some(forced) = &self.overrides.profile {
            profile = Some(forced);
            tables.clear();
        }
        tables.extend(&self.overrides.convention);
        let profile = profile.unwrap_or("mcp");
        // Most files have a profile without changes.
        let shared = if tables.is_empty() { Convention::shared_profile(profile) } else { None };
        let convention = shared.unwrap_or_else(|| {
            let mut convention = self.profile(profile);
            for table in tables {
                convention.apply(table, &mut Vec::new());
            }
            Arc::new(convention)
        });
        let mut rules = BTreeMap::new();
        let mut servers = BTreeMap::new();
        let mut versions = BTreeMap::new();
        for config in chain.iter().rev().copied().chain([&self.overrides]) {
            versions.extend(config.versions.clone());
            rules.extend(config.rules.clone());
            servers.extend(config.servers.clone());
        }
        let every = || std::iter::once(&self.overrides).chain(chain.iter().copied());
        Policy {
            convention,
            clients: every().find_map(|config| config.clients.clone()),
            versions,
            catalogue: every().find_map(|config| config.catalogue).unwrap_or(true),
            closed: every().find_map(|config| config.closed).unwrap_or(false),
            alias: AliasSetting {
                mode: every().find_map(|config| config.alias.mode),
                until: every().find_map(|config| config.alias.until.clone()),
            },
            servers,
            rules,
        }
    }

    /// The servers for which some config names the source, by key.
    pub fn named_servers(&self) -> impl Iterator<Item = (&str, &ServerSource)> {
        self.files.iter().flat_map(|config| &config.servers).map(|(key, source)| (key.as_str(), source))
    }

    /// Whether a config excludes a path.
    pub fn excludes(&self, path: &str) -> bool {
        self.chain(path)
            .into_iter()
            .chain([&self.overrides])
            .any(|config| !config.exclude.is_empty() && config.exclude.is_match(&*config.relative(path)))
    }
}

impl Policy {
    /// The severity of a rule; `None` if it is off.
    pub fn severity(&self, rule: &str, default: Severity) -> Option<Severity> {
        match self.rules.get(rule).and_then(|setting| setting.level) {
            Some(level) => level,
            None => Some(default),
        }
    }

    /// Returns the policy with a string added to those that a rule allows.
    pub fn allowing(mut self, rule: &str, text: &str) -> Policy {
        let allowed = &mut self.rules.entry(rule.to_string()).or_default().allow;
        Arc::make_mut(allowed).insert(text.to_string(), String::new());
        self
    }

    /// Whether a rule allows a string.
    pub fn allows(&self, rule: &str, text: &str) -> bool {
        self.rules.get(rule).is_some_and(|setting| setting.allow.contains_key(text))
    }
}
