//! The names that can be called: for every server key of the workspace, the names that one client composes for the
//! tools.

use std::collections::BTreeSet;
use std::ops::{Bound, Deref};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use smallvec::SmallVec;

use super::fuel::Fuel;
use super::spelling::{folded, is_obvious_slip, is_slip_of_word, squashed, unversioned};
use crate::client::{Grammar, List, Spelt, glob_matches};
use crate::found::Confidence;
use crate::known::gateway::Layers;
use crate::name::Candidates;
use crate::rules::Cx;
use crate::text::FileId;
use crate::workspace::{Analysis, Known, Tool};

/// The servers of a workspace as the strings of one list name them.
pub(crate) struct Servers {
    names: Arc<Names>,
    /// The folder of the project that the list belongs to.
    project: String,
    /// The servers behind a gateway, in addition to those that the convention lists.
    pub(super) routed: Vec<String>,
    /// The full names of a gateway's tools; `None` if not all of them are known.
    pub(super) gateway: Option<FxHashSet<String>>,
    /// Whether some file that names servers cannot be parsed completely, for example while it is being edited.
    pub(super) is_any_config_broken: OnceLock<bool>,
}

/// The data that all lists of one grammar share.
pub(crate) struct Names {
    pub(super) all: Vec<ServerNames>,
    /// The servers as strings spell them.
    pub(super) spelt: Spelt,
    /// The number of servers and composed names.
    pub(super) size: usize,
    grammar: Arc<Grammar>,
    by_spelt: FxHashMap<String, usize>,
    by_key: FxHashMap<String, usize>,
    /// The length of the longest key, in bytes.
    longest_key: usize,
    /// Every composed name and one made-up name for each server, sorted, for matching patterns.
    sorted: OnceLock<Vec<String>>,
    by_words: OnceLock<FxHashMap<String, Vec<Meant>>>,
    /// The servers whose keys have the same letters and digits, ignoring case and separators.
    by_letters: OnceLock<FxHashMap<String, Vec<usize>>>,
    /// The composed names of all destructive tools.
    destructive: OnceLock<FxHashSet<String>>,
    /// The keys as strings spell them, as candidates for the nearest key, and two maps from the words of a key to its
    /// index: one for keys without a version, one for keys with a version.
    candidates: OnceLock<(Candidates, [FxHashMap<String, usize>; 2])>,
    /// The servers known by a name other than their key, by the key as strings spell it, each with the file that starts
    /// the server.
    renamed: OnceLock<FxHashMap<String, Vec<(usize, FileId)>>>,
    /// The cached results of [`Servers::nearest`], by server key, tool part and whether all tools are known.
    near: Mutex<FxHashMap<(String, String, bool), Option<String>>>,
    /// The cached results of [`Names::near_server`], as indices.
    near_servers: Mutex<FxHashMap<String, Option<usize>>>,
}

/// A server key, with the names of the tools of its servers.
pub(crate) struct ServerNames {
    pub(super) key: String,
    /// The key as it appears in composed names.
    pub(super) spelt: String,
    /// Whether every tool of the servers that the workspace starts under the key is known.
    is_complete: bool,
    /// Whether the names of its tools are left out because there would be too many.
    pub(super) is_left_out: bool,
    /// The projects whose configs start a server under the key; empty if there are none.
    projects: BTreeSet<String>,
    /// Composed names of the tools.
    pub(super) names: BTreeSet<String>,
    /// Patterns for the tool names that cannot be computed, such as `delete_*`.
    partial: Vec<String>,
    /// The composed names of the destructive tools, sorted.
    pub(super) destructive: Vec<String>,
    prefix: String,
    /// The composed name of each tool without the prefix, sorted.
    short: Vec<String>,
    /// Other names of tools, each with its composed name: the tool's own part of its name in source, if that is not the
    /// whole name, and, in a list of one server, the name that the model sees.
    own: Vec<(String, String)>,
    candidates: OnceLock<Candidates>,
    /// The indices into `short`, by words.
    by_words: OnceLock<FxHashMap<String, Vec<usize>>>,
}

/// A composed name that a sequence of words may mean.
#[derive(Clone)]
pub(super) struct Meant {
    pub(super) name: String,
    /// Whether the words are the tool's alone, without the server.
    pub(super) tool_only: bool,
}

impl Deref for Servers {
    type Target = Names;

    fn deref(&self) -> &Names {
        &self.names
    }
}

impl Servers {
    pub(super) fn new(cx: &Cx<'_>, list: &List) -> Servers {
        let of_server = list.server.as_ref().map_or("", |server| server.text.as_str());
        let project = project_of(&cx.file.path);
        let name = format!("{:p} {of_server}", list.grammar);
        let names = cx.analysis.memo.get(name, || Names::new(cx, list));
        let layers = Layers::of(cx.snapshot, &cx.policy.convention);
        let routed = layers.as_ref().map_or(Vec::new(), |layers| layers.routed().to_vec());
        let gateway =
            layers.filter(|layers| layers.is_known).map(|layers| layers.full_names().iter().cloned().collect());
        Servers { names, project: project.to_string(), routed, gateway, is_any_config_broken: OnceLock::new() }
    }

    /// Whether every tool of a server is known, so that another name does not exist. The configs that start the server
    /// must apply to the project of the list.
    pub(super) fn knows(&self, server: &ServerNames) -> bool {
        let project = self.project.as_str();
        let is_here = || {
            let all = &server.projects;
            // A folder that neither contains the list's project nor lies inside it is another project, which may start
            // another server under the same key. Files from outside the workspace apply to all of it.
            let is_outside = project.starts_with('/') || all.first().is_some_and(|first| first.starts_with('/'));
            let above = project.match_indices('/').map(|(at, _)| &project[..at]);
            let mut around = std::iter::once("").chain(above).chain(std::iter::once(project));
            let inside = if project.is_empty() { String::new() } else { format!("{project}/") };
            let first_inside = all.range::<str, _>((Bound::Included(inside.as_str()), Bound::Unbounded)).next();
            is_outside
                || around.any(|folder| all.contains(folder))
                || first_inside.is_some_and(|folder| folder.starts_with(&inside))
        };
        server.is_complete && (server.projects.is_empty() || is_here())
    }

    /// Returns the composed name that a tool part was probably meant to be. The result is cached, since a wrong tool
    /// part is checked again at every keystroke.
    pub(super) fn nearest(&self, server: &ServerNames, tool: &str, fuel: &Fuel) -> Option<String> {
        let is_known = self.knows(server);
        let asked = (server.key.clone(), tool.to_string(), is_known);
        let near = || self.near.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = near().get(&asked) {
            return known.clone();
        }
        let found = if is_known { server.nearest(tool, fuel) } else { server.slipped(tool, fuel) };
        // A search that ran out of fuel may have missed a name.
        if !fuel.is_out() {
            near().insert(asked, found.clone());
        }
        found
    }
}

/// The maximum number of names that are composed for one client, in total: as many as 200 servers with a thousand tools
/// have.
const MOST_NAMES: usize = 200_000;

/// Returns the keys for which no names are composed because there would be too many: many keys may start one server,
/// and every tool has another name under each key.
fn left_out(analysis: &Analysis) -> FxHashSet<String> {
    let mut left = MOST_NAMES;
    let mut is_left_out = |known: &Known| {
        let recorded = known.recorded.and_then(|recorded| analysis.recorded.get(recorded));
        let names = analysis.servers_of(known).chain(recorded).map(|server| server.tools.len()).sum();
        let rest = left.checked_sub(names);
        left = rest.unwrap_or(left);
        rest.is_none()
    };
    analysis.keys.iter().filter(|(_, known)| is_left_out(known)).map(|(key, _)| key.clone()).collect()
}

impl Names {
    fn new(cx: &Cx<'_>, list: &List) -> Names {
        let (analysis, grammar) = (cx.analysis, &list.grammar);
        let left_out = analysis.memo.get("keys of which no names are composed".to_string(), || left_out(analysis));
        let nothing = Known::default();
        // If a list belongs to one server, only the key of that server is needed.
        let all = analysis.keys_of(list).map(|(key, known)| {
            let is_left_out = left_out.contains(key);
            let entry = if is_left_out { &nothing } else { known };
            let prefix = grammar.server_prefix(key);
            let composed = |tool: &Tool| grammar.composed(key, &tool.name);
            let mut names: BTreeSet<String> = analysis.tools_of(entry).map(composed).collect();
            let mut short: Vec<String> =
                names.iter().map(|name| name.strip_prefix(&prefix).unwrap_or(name).to_string()).collect();
            short.sort();
            names.extend(analysis.tools_of(entry).filter_map(|tool| grammar.also_composed(key, &tool.name)));
            // A tool in the source that the snapshot of the server lacks may exist if the server is started in another
            // way.
            let sure = |tool: &&Tool| tool.registration.confidence != Confidence::Heuristic;
            names.extend(analysis.source_tools(entry).filter(sure).map(composed));
            // A name to which the server responds can be called even if the server does not list it.
            let answered = analysis.servers_of(entry).flat_map(|server| &server.answered);
            names.extend(answered.map(|name| grammar.composed(key, &name.old)));
            let mut own: Vec<(String, String)> = analysis
                .tools_of(entry)
                .filter(|tool| tool.short_name() != tool.name)
                .map(|tool| (grammar.normalise(tool.short_name()), composed(tool)))
                .collect();
            if list.server.is_some() {
                // The names of the tools as the model sees them.
                own.extend(
                    analysis.tools_of(entry).map(|tool| (list.client.composed(key, &tool.name), composed(tool))),
                );
            }
            own.sort();
            own.dedup();
            let mut destructive: Vec<String> =
                analysis.tools_of(entry).filter(|tool| tool.is_destructive()).map(composed).collect();
            destructive.sort();
            destructive.dedup();
            let dynamics = analysis.servers_of(entry).flat_map(|server| &server.dynamics);
            let partial = dynamics.filter_map(|dynamic| dynamic.partial.clone()).collect();
            let (key, spelt) = (key.clone(), grammar.normalise(key));
            let is_complete = !is_left_out && analysis.is_known(entry);
            let files = known.entries.iter().map(|(file, _)| cx.snapshot.files.path(*file));
            let projects = files.map(|path| project_of(path).to_string()).collect();
            let (candidates, by_words) = (OnceLock::new(), OnceLock::new());
            ServerNames {
                key,
                spelt,
                is_complete,
                is_left_out,
                projects,
                names,
                partial,
                destructive,
                prefix,
                short,
                own,
                candidates,
                by_words,
            }
        });
        let all: Vec<ServerNames> = all.collect();
        let spelt = grammar.spell_all(all.iter().map(|server| &server.key));
        let mut by_spelt = FxHashMap::default();
        let mut by_key = FxHashMap::default();
        for (index, server) in all.iter().enumerate() {
            by_spelt.entry(server.spelt.clone()).or_insert(index);
            by_key.entry(server.key.clone()).or_insert(index);
        }
        Names {
            longest_key: all.iter().map(|server| server.key.len()).max().unwrap_or(0),
            sorted: OnceLock::new(),
            size: all.iter().map(|server| 1 + server.names.len()).sum(),
            all,
            spelt,
            grammar: Arc::clone(grammar),
            by_spelt,
            by_key,
            by_words: OnceLock::new(),
            by_letters: OnceLock::new(),
            destructive: OnceLock::new(),
            candidates: OnceLock::new(),
            renamed: OnceLock::new(),
            near: Mutex::default(),
            near_servers: Mutex::default(),
        }
    }

    /// Returns the server that the server part of a string names.
    pub(super) fn of(&self, spelt: &str) -> Option<&ServerNames> {
        self.by_spelt.get(spelt).map(|&index| &self.all[index])
    }

    /// Returns the server with this key, as configs write it.
    pub(super) fn of_key(&self, key: &str) -> Option<&ServerNames> {
        self.by_key.get(key).map(|&index| &self.all[index])
    }

    /// Returns the server whose key, as configs write it, is at the start of a text and has a separator after it, with
    /// the text after the separator. Only keys that strings spell differently are considered. Of several servers, the
    /// first is returned.
    pub(super) fn written_in_front<'t>(&self, text: &'t str) -> Option<(&ServerNames, &'t str)> {
        let separator = self.grammar.separator();
        let places = text.char_indices().map(|(at, _)| at).chain(std::iter::once(text.len()));
        let found = places.take_while(|at| *at <= self.longest_key).filter_map(|at| {
            let behind = text[at..].strip_prefix(separator)?;
            let index = *self.by_key.get(&text[..at])?;
            (self.all[index].key != self.all[index].spelt).then_some((index, behind))
        });
        found.min_by_key(|(index, _)| *index).map(|(index, behind)| (&self.all[index], behind))
    }

    /// Whether a pattern matches the composed name of some tool, or a made-up composed name of some server, which
    /// stands for an unknown tool. `true` if the fuel runs out.
    pub(super) fn any_matches(&self, pattern: &str, fuel: &Fuel) -> bool {
        let sorted = self.sorted.get_or_init(|| {
            let names = self.all.iter().flat_map(|server| &server.names).cloned();
            let others = self.all.iter().map(|server| format!("{}tool", server.prefix));
            let mut sorted: Vec<String> = names.chain(others).collect();
            sorted.sort_unstable();
            sorted
        });
        let head = &pattern[..pattern.find(['*', '?']).unwrap_or(pattern.len())];
        let from = sorted.partition_point(|name| name.as_str() < head);
        let mut alike = sorted[from..].iter().take_while(|name| name.starts_with(head));
        alike.any(|name| !fuel.take(TO_MATCH) || glob_matches(pattern, name))
    }

    /// Returns the first server whose key has the same letters and digits as a word, but is spelt differently.
    pub(super) fn spelt_otherwise(&self, word: &str) -> Option<&ServerNames> {
        let index = self.by_letters.get_or_init(|| {
            let mut index: FxHashMap<String, Vec<usize>> = FxHashMap::default();
            for (at, server) in self.all.iter().enumerate() {
                index.entry(squashed(&server.spelt)).or_default().push(at);
            }
            index
        });
        let known = index.get(&squashed(word)).into_iter().flatten().map(|&at| &self.all[at]);
        known.into_iter().find(|known| known.spelt != word)
    }

    /// Whether a composed name belongs to a destructive tool.
    pub(super) fn is_destructive(&self, name: &str) -> bool {
        let all = || self.all.iter().flat_map(|server| &server.destructive).cloned().collect();
        self.destructive.get_or_init(all).contains(name)
    }

    /// Returns the servers that have this key in their config, but are known by another name; each with the file that
    /// starts the server. `spelt` is the key as strings spell it.
    pub(super) fn renamed(&self, cx: &Cx<'_>, spelt: &str) -> impl Iterator<Item = (&ServerNames, FileId)> {
        let renamed = self.renamed.get_or_init(|| {
            let mut renamed: FxHashMap<String, Vec<(usize, FileId)>> = FxHashMap::default();
            let keys = &cx.analysis.keys;
            let places = keys.values().flat_map(|known| &known.entries).map(|(file, _)| *file);
            let files: BTreeSet<FileId> = places.collect();
            for file in files {
                let path = cx.snapshot.files.path(file);
                for entry in cx.snapshot.client_facts(file).flat_map(|facts| &facts.servers) {
                    for name in cx.snapshot.files.names_of(path, entry) {
                        let Some(&index) = self.by_key.get(&name).filter(|_| name != entry.key.text) else { continue };
                        let is_here = || keys.get(&name).is_some_and(|it| it.entries.iter().any(|(at, _)| *at == file));
                        if is_here() {
                            let spelt = self.grammar.normalise(&entry.key.text);
                            renamed.entry(spelt).or_default().push((index, file));
                        }
                    }
                }
            }
            renamed.values_mut().for_each(|found| found.sort());
            renamed
        });
        renamed.get(spelt).into_iter().flatten().map(|&(index, file)| (&self.all[index], file))
    }

    /// Returns the known server whose key is nearest to an unknown key. The result is cached.
    pub(super) fn near_server(&self, spelt: &str, fuel: &Fuel) -> Option<&ServerNames> {
        let near = || self.near_servers.lock().unwrap_or_else(PoisonError::into_inner);
        let known = near().get(spelt).copied();
        let index = known.unwrap_or_else(|| {
            let (candidates, [plain, versioned]) = self.candidates.get_or_init(|| {
                let mut by_words = [FxHashMap::default(), FxHashMap::default()];
                for (at, one) in self.spelt.iter().enumerate() {
                    let words = unversioned(one);
                    let (words, has_version) = words.map_or_else(|| (squashed(one), false), |words| (words, true));
                    by_words[usize::from(has_version)].entry(words).or_insert(at);
                }
                (Candidates::new(self.spelt.iter().map(String::as_str)), by_words)
            });
            let in_letters = candidates.nearest(spelt, &|steps| fuel.take(steps));
            let in_letters = in_letters.and_then(|near| self.by_spelt.get(near).copied());
            let other_version = || match unversioned(spelt) {
                Some(words) => plain.get(&words).copied(),
                None => versioned.get(&squashed(spelt)).copied(),
            };
            let found = in_letters.or_else(other_version);
            if !fuel.is_out() {
                near().insert(spelt.to_string(), found);
            }
            found
        });
        index.map(|index| &self.all[index])
    }

    /// Returns the names that a string with these words may have meant, whatever its separators are.
    pub(super) fn meant(&self, words: &str) -> &[Meant] {
        let index = self.by_words.get_or_init(|| {
            let mut index: FxHashMap<String, Vec<Meant>> = FxHashMap::default();
            let mut add = |words: String, name: &str, tool_only: bool| {
                index.entry(words).or_default().push(Meant { name: name.to_string(), tool_only });
            };
            let prefix = folded(&self.grammar.tool.prefix);
            for server in &self.all {
                let whole = self.grammar.whole_server(&server.key);
                add(folded(&whole), &whole, false);
                for short in &server.short {
                    let name = format!("{}{short}", server.prefix);
                    let words = folded(&name);
                    if let Some(rest) = words.strip_prefix(&format!("{prefix}_")) {
                        add(rest.to_string(), &name, false);
                    }
                    add(words, &name, false);
                    // If a tool's own name begins with the key of its server, the key is often written only once.
                    if folded(short).starts_with(&format!("{}_", folded(&server.key))) {
                        add(format!("{prefix}_{}", folded(short)), &name, false);
                    }
                    add(format!("{prefix}_{}", folded(short)), &name, true);
                    add(folded(short), &name, true);
                }
            }
            index
        });
        index.get(words).map_or(&[], Vec::as_slice)
    }
}

impl ServerNames {
    /// Returns the composed name that a tool part was probably meant to be. It is, in this order, the name whose
    /// registration contains exactly the tool part, without the prefix that the server adds; the name that differs by
    /// the words of the server's key in front; or the name with the most similar letters.
    fn nearest(&self, tool: &str, fuel: &Fuel) -> Option<String> {
        let at = self.own.partition_point(|(own, _)| own.as_str() < tool);
        let mut own = self.own[at..].iter().take_while(|(own, _)| own == tool);
        if let (Some((_, name)), None) = (own.next(), own.next()) {
            return Some(name.clone());
        }
        if let Some(name) = self.with_or_without_key(tool) {
            return Some(name);
        }
        self.nearest_in_letters(tool, fuel).map(|near| format!("{}{near}", self.prefix))
    }

    fn nearest_in_letters(&self, tool: &str, fuel: &Fuel) -> Option<&str> {
        let candidates = self.candidates.get_or_init(|| Candidates::new(self.short.iter().map(String::as_str)));
        candidates.nearest(tool, &|steps| fuel.take(steps))
    }

    /// Returns the composed name of the tool that differs from the tool part only by the words of the server's key in
    /// front. If a name repeats its server (`mcp__notes__notes_read`), people and models leave out one copy; if the
    /// copy was removed from the name, they still write it. `None` if several tools are possible.
    fn with_or_without_key(&self, tool: &str) -> Option<String> {
        let (key, tool) = (folded(&self.key), folded(tool));
        // The prefix `mcp_` was added by a client that composes names.
        let bare = tool.strip_prefix("mcp_").unwrap_or(&tool);
        let without = bare.strip_prefix(&key).and_then(|rest| rest.strip_prefix('_'));
        let by_words = self.by_words.get_or_init(|| {
            let mut index: FxHashMap<String, Vec<usize>> = FxHashMap::default();
            for (at, short) in self.short.iter().enumerate() {
                index.entry(folded(short)).or_default().push(at);
            }
            index
        });
        let whole = format!("{key}_{tool}");
        let meant = by_words.get(&whole).into_iter().chain(without.and_then(|without| by_words.get(without)));
        let mut meant: SmallVec<[usize; 4]> = meant.flatten().copied().take(3).collect();
        meant.sort_unstable();
        meant.dedup();
        let [only] = meant.as_slice() else { return None };
        Some(format!("{}{}", self.prefix, self.short[*only]))
    }

    /// Returns the pattern that a tool part with a wildcard, which matches nothing, was probably meant to be: the text
    /// before the wildcard is in another case, has other separators, or has one wrong letter. `None` if several
    /// patterns are possible.
    pub(super) fn nearest_pattern(&self, tool: &str, fuel: &Fuel) -> Option<String> {
        /// The cost for each name, in steps of [`Fuel`]: three beginnings of the name are respelt, and perhaps
        /// compared.
        const A_NAME: usize = 60;
        if !fuel.take(self.short.len() * A_NAME) {
            return None;
        }
        let (stem, rest) = tool.split_at(tool.find('*')?);
        let alike = |text: &str| text.to_ascii_lowercase().replace('-', "_");
        let heads = |is_meant: &dyn Fn(&str) -> bool| {
            let ends = stem.len().saturating_sub(1)..=stem.len() + 1;
            let heads = self.short.iter().flat_map(|short| ends.clone().filter_map(|end| short.get(..end)));
            let mut heads: Vec<&str> = heads.filter(|head| is_meant(head)).collect();
            heads.sort_unstable();
            heads.dedup();
            heads
        };
        let words = |text: &str| text.trim_end_matches(['_', '-']).to_string();
        let ends_alike = |head: &str| head.ends_with(['_', '-']) == stem.ends_with(['_', '-']);
        let same = heads(&|head| alike(head) == alike(stem));
        let near = || heads(&|head| ends_alike(head) && is_slip_of_word(&words(stem), &words(head)));
        let heads = if same.is_empty() { near() } else { same };
        let patterns = heads.iter().map(|head| format!("{}{head}{rest}", self.prefix));
        let mut matching = patterns.filter(|pattern| self.any_matches(pattern, fuel));
        match (matching.next(), matching.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }

    /// Returns the composed name of which a tool part is a typo: the same words written differently, or a long word
    /// with one letter wrong.
    fn slipped(&self, tool: &str, fuel: &Fuel) -> Option<String> {
        let near = self.nearest_in_letters(tool, fuel)?;
        is_obvious_slip(tool, near).then(|| format!("{}{near}", self.prefix))
    }

    /// Whether a tool with this name may be among those whose names cannot be computed.
    pub(super) fn may_have(&self, tool: &str) -> bool {
        self.partial.iter().any(|partial| partial != "*" && glob_matches(partial, tool))
    }

    /// Returns the composed names of the tools, in one form each.
    pub(super) fn composed_names(&self) -> impl Iterator<Item = String> {
        self.short.iter().map(|short| match self.names.contains(short) {
            // A gateway composes its names itself.
            true => short.clone(),
            false => format!("{}{short}", self.prefix),
        })
    }

    /// Whether a pattern over composed names matches some tool. `true` if the fuel runs out.
    pub(super) fn any_matches(&self, pattern: &str, fuel: &Fuel) -> bool {
        let head = &pattern[..pattern.find(['*', '?']).unwrap_or(pattern.len())];
        let mut alike = self.names_with(head);
        alike.any(|name| !fuel.take(TO_MATCH) || glob_matches(pattern, name))
    }

    /// Returns the composed names of the destructive tools that begin with `head`.
    pub(super) fn destructive_with<'n>(&'n self, head: &'n str) -> impl Iterator<Item = &'n String> {
        let from = self.destructive.partition_point(|name| name.as_str() < head);
        self.destructive[from..].iter().take_while(move |name| name.starts_with(head))
    }

    /// Returns the composed names that begin with `head`.
    fn names_with<'n>(&'n self, head: &'n str) -> impl Iterator<Item = &'n String> {
        let from = (Bound::Included(head), Bound::Unbounded);
        self.names.range::<str, _>(from).take_while(move |name| name.starts_with(head))
    }
}

/// The cost of matching a pattern against a name, in steps of about ten nanoseconds.
pub(super) const TO_MATCH: usize = 5;

/// Returns the folder of the project to which a client's file belongs: the one that contains the hidden folder with the
/// file or, without a hidden folder, the file itself.
fn project_of(path: &str) -> &str {
    let hidden = path.match_indices("/.").next().map(|(at, _)| at).or(path.starts_with('.').then_some(0));
    hidden.map_or_else(|| crate::path::directory(path), |at| &path[..at])
}
