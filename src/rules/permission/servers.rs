//! What can be called: every server key of the workspace with its tools, as one client composes their names.

use std::ops::Deref;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use super::repair::folded;
use super::unknown_server::is_another_version;
use crate::client::{Grammar, List, glob_matches};
use crate::evaluate::Confidence;
use crate::name::{Name, nearest};
use crate::rules::Cx;
use crate::rules::gateway::Layers;
use crate::workspace::{Analysis, Files, Known, Tool};

/// The servers of a workspace as the strings of one list name them.
pub(crate) struct Servers {
    names: Arc<Names>,
    /// The servers behind a gateway, besides those that the convention lists.
    pub(super) routed: Vec<String>,
    /// The full names of a gateway's tools, where all of them are known.
    pub(super) gateway: Option<Vec<String>>,
}

/// What every list of one grammar has in common.
pub(crate) struct Names {
    pub(super) all: Vec<ServerNames>,
    /// How strings spell the servers.
    pub(super) spelt: Vec<String>,
    grammar: &'static Grammar,
    by_words: OnceLock<FxHashMap<String, Vec<Meant>>>,
    /// The composed names that tool parts of a server were probably meant to be.
    near: Mutex<FxHashMap<(String, String), Option<String>>>,
    /// The indices of the servers that server parts were probably meant to be.
    near_servers: Mutex<FxHashMap<String, Option<usize>>>,
}

/// One server key.
pub(crate) struct ServerNames {
    pub(super) key: String,
    /// The key as it stands in composed names.
    pub(super) spelt: String,
    /// Every tool is known; another name is unknown.
    pub(super) known: bool,
    /// Composed names of the tools.
    pub(super) names: FxHashSet<String>,
    /// What is known of names that cannot be computed: `delete_*`.
    partial: Vec<String>,
    /// The destructive ones among them.
    pub(super) destructive: Vec<String>,
    prefix: String,
    /// For each tool, what its composed name adds to the prefix.
    short: Vec<String>,
    /// The part that each tool's name has of its own in source, where that is not all of it, and its composed name.
    own: Vec<(String, String)>,
}

/// A composed name that some words may mean.
#[derive(Clone)]
pub(super) struct Meant {
    pub(super) name: String,
    /// The words are the tool's alone: the server was left out.
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
        let name = format!("{:p} {of_server} {project}", list.grammar);
        let is_read = |path: &str| is_around(project_of(path), project);
        let names = cx.analysis.memo.get(name, || {
            let is_here = |known: &Known| {
                let mut files = known.entries.iter().map(|(file, _)| cx.snapshot.files.path(*file));
                known.entries.is_empty() || files.any(is_read)
            };
            Names::new(cx.analysis, list, &is_here)
        });
        let layers = Layers::of(cx.snapshot, &cx.policy.convention);
        let routed = layers.as_ref().map_or(Vec::new(), |layers| layers.routed().to_vec());
        let gateway = layers.filter(|layers| layers.is_known).map(|layers| layers.full_names().to_vec());
        Servers { names, routed, gateway }
    }
}

impl Names {
    /// `is_here` tells whether the configs that start a key are read where the list is.
    fn new(analysis: &Analysis, list: &List, is_here: &dyn Fn(&Known) -> bool) -> Names {
        let grammar = list.grammar;
        let all = analysis.keys.iter().filter(|(key, _)| list.is_about(key)).map(|(key, entry)| {
            let prefix = grammar.server_prefix(key);
            let composed = |tool: &Tool| grammar.composed(key, &tool.name);
            let mut names: FxHashSet<String> = analysis.tools_of(entry).map(composed).collect();
            let mut short: Vec<String> =
                names.iter().map(|name| name.strip_prefix(&prefix).unwrap_or(name).to_string()).collect();
            short.sort();
            names.extend(analysis.tools_of(entry).filter_map(|tool| grammar.also_composed(key, &tool.name)));
            // What was not there when the server was asked, it may have when it is started in another way.
            let sure = |tool: &&Tool| tool.registration.confidence != Confidence::Heuristic;
            names.extend(analysis.source_tools(entry).filter(sure).map(composed));
            // What is answered and not listed can be called.
            let answered = analysis.servers_of(entry).flat_map(|server| &server.answered);
            names.extend(answered.map(|name| grammar.composed(key, &name.old)));
            let mut own: Vec<(String, String)> = analysis
                .tools_of(entry)
                .filter(|tool| tool.short_name() != tool.name)
                .map(|tool| (grammar.normalise(tool.short_name()), composed(tool)))
                .collect();
            if list.server.is_some() {
                // As the model knows them.
                own.extend(
                    analysis.tools_of(entry).map(|tool| (list.client().composed(key, &tool.name), composed(tool))),
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
            let known = analysis.is_known(entry) && is_here(entry);
            ServerNames { key, spelt, known, names, partial, destructive, prefix, short, own }
        });
        let all: Vec<ServerNames> = all.collect();
        let spelt = all.iter().map(|server| server.spelt.clone()).collect();
        Names { all, spelt, grammar, by_words: OnceLock::new(), near: Mutex::default(), near_servers: Mutex::default() }
    }

    /// The server that a string's server part means.
    pub(super) fn of(&self, spelt: &str) -> Option<&ServerNames> {
        self.all.iter().find(|server| server.spelt == spelt)
    }

    /// The server nearest to one that there is not; looked for once, too.
    pub(super) fn near_server(&self, spelt: &str) -> Option<&ServerNames> {
        let near = || self.near_servers.lock().unwrap_or_else(PoisonError::into_inner);
        let known = near().get(spelt).copied();
        let index = known.unwrap_or_else(|| {
            let in_letters = nearest(spelt, self.spelt.iter().map(String::as_str));
            let in_letters = in_letters.and_then(|near| self.spelt.iter().position(|one| one == near));
            let found = in_letters.or_else(|| self.spelt.iter().position(|one| is_another_version(spelt, one)));
            near().insert(spelt.to_string(), found);
            found
        });
        index.map(|index| &self.all[index])
    }

    /// The composed name that a tool part was probably meant to be; looked for once, since it stands there at every
    /// keystroke.
    pub(super) fn nearest(&self, server: &ServerNames, tool: &str) -> Option<String> {
        let asked = (server.key.clone(), tool.to_string());
        let near = || self.near.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = near().get(&asked) {
            return known.clone();
        }
        let found = if server.known { server.nearest(tool) } else { server.slipped(tool) };
        near().insert(asked, found.clone());
        found
    }

    /// What a string of these words may have meant, whatever stood between them.
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
                    // A tool that repeats its server's key is often written without the key.
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
    /// The composed name that a tool part was probably meant to be: the name as its registration writes it,
    /// without the prefix that the server adds, or the one nearest in letters.
    fn nearest(&self, tool: &str) -> Option<String> {
        let mut own = self.own.iter().filter(|(own, _)| own == tool);
        if let (Some((_, name)), None) = (own.next(), own.next()) {
            return Some(name.clone());
        }
        if let Some(name) = self.with_or_without_key(tool) {
            return Some(name);
        }
        nearest(tool, self.short.iter().map(String::as_str)).map(|near| format!("{}{near}", self.prefix))
    }

    /// The tool that begins with the server's own words where a tool part does not, or the other way round: of a name that
    /// is said twice (`mcp__notes__notes_read`) people and models leave one out, and keep one that is gone.
    fn with_or_without_key(&self, tool: &str) -> Option<String> {
        let (key, tool) = (folded(&self.key), folded(tool));
        // In the form of a client that composes names.
        let bare = tool.strip_prefix("mcp_").unwrap_or(&tool);
        let without = bare.strip_prefix(&key).and_then(|rest| rest.strip_prefix('_'));
        let mut meant = self.short.iter().filter(|short| {
            let short = folded(short);
            let rest = short.strip_prefix(&key).and_then(|rest| rest.strip_prefix('_'));
            rest == Some(&tool) || without == Some(&short)
        });
        let (only, None) = (meant.next()?, meant.next()) else { return None };
        Some(format!("{}{only}", self.prefix))
    }

    /// The pattern that a tool part was probably meant to be that matches nothing: its beginning in another case, with other
    /// separators, or with a letter wrong.
    pub(super) fn nearest_pattern(&self, tool: &str) -> Option<String> {
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
        let mut matching = patterns.filter(|pattern| self.any_matches(pattern));
        match (matching.next(), matching.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }

    /// The composed name of which a tool part is a slip of the keyboard: its words written otherwise, or a letter of a
    /// long one wrong.
    fn slipped(&self, tool: &str) -> Option<String> {
        let near = nearest(tool, self.short.iter().map(String::as_str))?;
        is_obvious_slip(tool, near).then(|| format!("{}{near}", self.prefix))
    }

    /// Whether a tool of this name may be among those that cannot be computed.
    pub(super) fn may_have(&self, tool: &str) -> bool {
        self.partial.iter().any(|partial| partial != "*" && glob_matches(partial, tool))
    }

    /// What its tools are called, one form each.
    pub(super) fn composed_names(&self) -> impl Iterator<Item = String> {
        self.short.iter().map(|short| match self.names.contains(short) {
            // A gateway composes its names itself.
            true => short.clone(),
            false => format!("{}{short}", self.prefix),
        })
    }

    /// Whether a pattern over composed names matches some tool.
    pub(super) fn any_matches(&self, pattern: &str) -> bool {
        self.names.iter().any(|name| glob_matches(pattern, name))
    }
}

/// Whether one name can only be meant to be the other: tools have neighbours of nearly the same name (`get_item` and
/// `get_items`, `step1` and `step2`), and these are no slips.
pub(super) fn is_obvious_slip(wrong: &str, right: &str) -> bool {
    let (wrong, right) = (Name::new(wrong).lower_words(), Name::new(right).lower_words());
    if wrong.concat() == right.concat() {
        return true;
    }
    let differing: Vec<(&String, &String)> = wrong.iter().zip(&right).filter(|(a, b)| a != b).collect();
    let [(a, b)] = differing.as_slice() else { return false };
    wrong.len() == right.len() && is_slip_of_word(a, b)
}

/// Whether one word of a name is another with a letter doubled, dropped, swapped or wrong: of short words, of another first
/// letter, of more or less at the end, there are too many that are words themselves.
pub(super) fn is_slip_of_word(a: &str, b: &str) -> bool {
    let is_neighbour = a.starts_with(b) || b.starts_with(a) || a.contains(|c: char| c.is_ascii_digit());
    // Two letters swapped seldom make another word.
    let is_swap = a.len() == b.len() && strsim::levenshtein(a, b) == 2;
    a.chars().count().max(b.chars().count()) >= if is_swap { 4 } else { 5 }
        && a.chars().next() == b.chars().next()
        && !is_neighbour
        && strsim::osa_distance(a, b) == 1
}

/// The folder of the project that a client's file is of: the one in which its hidden folder lies, or it itself.
fn project_of(path: &str) -> &str {
    let hidden = path.match_indices("/.").next().map(|(at, _)| at).or(path.starts_with('.').then_some(0));
    hidden.map_or_else(|| Files::directory(path), |at| &path[..at])
}

/// Whether one of two folders lies in the other: what neither of them holds is another project, which may start another
/// server under the same key. Files from outside the workspace are about all of it.
fn is_around(a: &str, b: &str) -> bool {
    let holds = |outer: &str, inner: &str| {
        outer.is_empty() || inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    a.starts_with('/') || b.starts_with('/') || holds(a, b) || holds(b, a)
}
