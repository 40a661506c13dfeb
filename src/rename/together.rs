//! Many renames at once, of tools whose names occur nowhere else.
//!
//! A rename is tried: the edited file is evaluated again. If a tool's name is written in one literal and nowhere else
//! in the workspace, the rename edits only that literal, and any number of such renames can be tried together: the
//! tools must change by exactly these names. All other renames, and those that fail, are made one by one.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::trial::{Listed, broken, hints, id_of, names};
use super::work::Work;
use super::{Plan, Sources, Target, decisions, is_shorthand, permissions};
use crate::client::{Client, Clients, Rule, Spelt};
use crate::config::Policy;
use crate::convention::{MAX_LENGTH, is_protocol_char};
use crate::diagnostic::{Edits, RenameRequest};
use crate::found::{Origin, Place};
use crate::path::is_installed;
use crate::syntax::Keeping;
use crate::text::{Edit, FileId, Span};
use crate::workspace::{Content, Server, Snapshot, Tool};

/// The maximum number of groups that are tried. Renames that were in no successful group are made one by one.
const MAX_TRIALS: usize = 24;
/// The maximum number of a server's keys, each of which is another way to name a tool. With more, renames are made one
/// by one.
const MAX_KEYS: usize = 8;
/// The cost of checking whether a server has a tool of the same name, in steps.
const OF_SERVER: usize = 8;
/// The prefix of a tool's name as most clients compose it.
const BEGINNING: &str = "mcp__";

/// Applies several requested renames at once, as far as they succeed and edit only the tool's literal. Returns the
/// edits of each (`None` for the other requests), and the workspace with all of them applied (`None` if no rename was
/// applied).
pub(crate) fn together(
    snapshot: &Snapshot,
    requests: &[&RenameRequest],
    sources: Sources<'_>,
) -> (Vec<Option<Edits>>, Option<Snapshot>) {
    let _keeping = Keeping::begin();
    let mut edits: Vec<Option<Edits>> = vec![None; requests.len()];
    let plain = Plain::of(snapshot, requests, sources);
    if plain.len() < 2 {
        return (edits, None);
    }
    let mut trials = MAX_TRIALS;
    let accepted = accepted(snapshot, plain, sources, &mut trials);
    // Two halves that succeed separately must also be tried as a whole.
    let after = match (&accepted.after, accepted.renames.len()) {
        (_, 0) => None,
        (Some(after), _) => Some(after.clone()),
        (None, _) => attempt(snapshot, &accepted.renames, sources).ok(),
    };
    if after.is_some() {
        for rename in accepted.renames {
            edits[rename.index] = Some(Edits::from([(rename.place.file, vec![rename.edit])]));
        }
    }
    (edits, after)
}

/// A rename that edits one literal.
#[derive(Clone)]
struct Plain<'a> {
    /// The index of the request.
    index: usize,
    server: &'a Server,
    tool: &'a Tool,
    new: &'a str,
    place: Place,
    edit: Edit,
}

/// A file that may be edited, with the policy and the clients that apply to the names in it.
struct Writable<'a> {
    text: String,
    policy: Policy,
    clients: Vec<&'a Client>,
}

struct Accepted<'a> {
    renames: Vec<Plain<'a>>,
    /// The workspace after the renames, if they were tried as a whole.
    after: Option<Snapshot>,
}

/// Tries renames together. If the group fails, tries it again without the renames at fault or, if none is known to be,
/// tries each half of the group.
fn accepted<'a>(
    snapshot: &Snapshot,
    renames: Vec<Plain<'a>>,
    sources: Sources<'_>,
    trials: &mut usize,
) -> Accepted<'a> {
    let Some(left) = trials.checked_sub(1).filter(|_| !renames.is_empty()) else {
        return Accepted { renames: Vec::new(), after: None };
    };
    *trials = left;
    match attempt(snapshot, &renames, sources) {
        Ok(after) => Accepted { renames, after: Some(after) },
        Err(_) if renames.len() == 1 => Accepted { renames: Vec::new(), after: None },
        Err(refused) => {
            // Drop the renames that are known not to work. If none is known, try each half of the group.
            let count = renames.len();
            let kept: Vec<Plain<'_>> = renames.into_iter().filter(|one| !refused.contains(&one.index)).collect();
            if kept.len() < count {
                return accepted(snapshot, kept, sources, trials);
            }
            let (first, second) = kept.split_at(count / 2);
            let mut all = accepted(snapshot, first.to_vec(), sources, trials).renames;
            all.extend(accepted(snapshot, second.to_vec(), sources, trials).renames);
            Accepted { renames: all, after: None }
        }
    }
}

/// Returns the workspace after some renames if the tools changed by exactly those names. Otherwise returns the indices
/// of the requests that are certain to fail, which may be none of them.
fn attempt(snapshot: &Snapshot, renames: &[Plain<'_>], sources: Sources<'_>) -> Result<Snapshot, FxHashSet<usize>> {
    let mut edits = Edits::new();
    for rename in renames {
        edits.entry(rename.place.file).or_default().push(rename.edit.clone());
    }
    let after = snapshot.with_edits(&edits, sources.texts).ok_or_else(FxHashSet::default)?;
    if broken(snapshot, &after, &edits, sources.texts).is_some() {
        return Err(FxHashSet::default());
    }
    let mut expected = names(snapshot);
    for Plain { server, tool, new, .. } in renames {
        let id = id_of(server);
        let key = |name: &str| (Rc::clone(&id), Listed::Tool(name.to_string()));
        if let Some(count) = expected.get_mut(&key(&tool.name)) {
            *count -= 1;
        }
        *expected.entry(key(new)).or_default() += 1;
    }
    expected.retain(|_, count| *count > 0);
    if names(&after) != expected {
        return Err(FxHashSet::default());
    }
    // Hints that are inferred from the name must stay the same.
    let mut now: FxHashMap<(&str, &str, &str), &Tool> = FxHashMap::default();
    for (server, tool) in after.analysis().tools() {
        now.entry((&server.root, &server.name, &tool.name)).or_insert(tool);
    }
    let is_other = |one: &&Plain<'_>| {
        let renamed = now.get(&(one.server.root.as_str(), one.server.name.as_str(), one.new));
        renamed.is_none_or(|renamed| hints(renamed) != hints(one.tool))
    };
    let refused: FxHashSet<usize> = renames.iter().filter(is_other).map(|one| one.index).collect();
    if refused.is_empty() { Ok(after) } else { Err(refused) }
}

impl<'a> Plain<'a> {
    /// Returns the requests that need an edit of only one literal. Returns none if a text was not read or has a pattern
    /// that may guard tools, since names alone do not show whether the pattern still matches.
    fn of(snapshot: &'a Snapshot, requests: &[&'a RenameRequest], sources: Sources<'_>) -> Vec<Plain<'a>> {
        let candidates = Plain::candidates(snapshot, requests, sources);
        if candidates.len() < 2 {
            return Vec::new();
        }
        let texts = texts(snapshot, &candidates, sources);
        // A file that may deny a tool and was not read makes each single rename fail.
        if super::unread(snapshot, sources).is_some() {
            return Vec::new();
        }
        if texts.iter().any(|(is_read, text)| !is_read && has_pattern_in(text)) {
            return Vec::new();
        }
        let mentions = Mentions::of(snapshot, &candidates, &texts);
        // Several servers may each have a tool of this name, so count the literals that contain it.
        let mut literals: FxHashMap<&str, usize> = FxHashMap::default();
        candidates.iter().for_each(|one| *literals.entry(&one.tool.name).or_default() += 1);
        let mut taken: FxHashMap<*const Server, Names<'_>> = FxHashMap::default();
        let mut is_plain = |one: &Plain<'a>| {
            let names = taken
                .entry(std::ptr::from_ref(one.server))
                .or_insert_with(|| Names::of(one.server, snapshot.files.known_clients()));
            let is_said_elsewhere = mentions.of_name(&one.tool.name) > literals[one.tool.name.as_str()];
            !is_said_elsewhere && mentions.of_name(one.new) == 0 && names.take(one.tool, one.new)
        };
        let has_patterns = has_patterns(snapshot);
        let work = Work::default();
        let servers = snapshot.analysis().servers.len();
        let is_left_alone =
            |one: &Plain<'a>| !has_patterns || work.take(servers * OF_SERVER) && one.leaves_lists(snapshot, sources);
        let plain: Vec<Plain<'a>> = candidates.into_iter().filter(|one| is_plain(one) && is_left_alone(one)).collect();
        let renames: Vec<(Target<'_>, &str)> = plain.iter().map(|one| (one.target(), one.new)).collect();
        let alone = decisions::leave_alone(&renames, sources);
        plain.into_iter().zip(alone).filter(|(_, alone)| *alone).map(|(one, _)| one).collect()
    }

    fn target(&self) -> Target<'a> {
        Target { server: self.server, tool: self.tool }
    }

    /// Whether every list of a client treats the new name like the old one, without an edit.
    fn leaves_lists(&self, snapshot: &Snapshot, sources: Sources<'_>) -> bool {
        let mut plan = Plan::default();
        let change = permissions::Change { new: self.new, keeps_old: false, repairs: true };
        permissions::follow(snapshot, self.target(), change, sources.around, &mut plan).is_ok()
            && plan == Plan::default()
    }

    /// Returns the requests whose tool takes its name from one literal that no other tool shares.
    fn candidates(snapshot: &'a Snapshot, requests: &[&'a RenameRequest], sources: Sources<'_>) -> Vec<Plain<'a>> {
        let analysis = snapshot.analysis();
        let mut tools: FxHashMap<(FileId, u32), (&Server, &Tool, usize)> = FxHashMap::default();
        for (server, tool) in analysis.tools() {
            let place = tool.local_place();
            let at = (place.file, snapshot.files.span(place).start);
            tools.entry(at).or_insert((server, tool, 0)).2 += 1;
        }
        let dynamic: FxHashSet<Place> =
            analysis.servers.iter().flat_map(|server| &server.dynamics).map(|dynamic| dynamic.place).collect();
        let mut files: FxHashMap<FileId, Option<Writable<'_>>> = FxHashMap::default();
        let mut seen: FxHashSet<(FileId, u32)> = FxHashSet::default();
        let mut found = Vec::new();
        for (index, request) in requests.iter().enumerate() {
            let at = (request.file, request.offset);
            let Some((server, tool, 1)) = tools.get(&at).copied() else { continue };
            let [part] = tool.registration.name.parts.as_slice() else { continue };
            let Origin::Literal(place) = part.origin else { continue };
            let is_own = tool.name == request.old && tool.shared_by == [1] && server.keys.len() <= MAX_KEYS;
            if !is_own || request.keeps_old || request.function_too || dynamic.contains(&tool.registration.place) {
                continue;
            }
            let of_file = files.entry(place.file).or_insert_with(|| {
                let path = snapshot.files.path(place.file);
                let is_writable = !is_installed(path) && sources.around.holds(path);
                let text = (sources.texts)(place.file).filter(|_| is_writable)?;
                let (policy, clients) = (snapshot.files.configs().policy(path), snapshot.files.clients(path));
                Some(Writable { text, policy, clients })
            });
            let Some(Writable { text, policy, clients }) = of_file else { continue };
            let span = snapshot.files.span(place);
            let is_verbatim = text.get(span.range()) == Some(&*part.text) && !is_shorthand(text, span);
            if is_verbatim && is_sound(&request.new, (server, tool), policy, clients) && seen.insert(at) {
                let edit = Edit::new(span, request.new.as_str());
                found.push(Plain { index, server, tool, new: &request.new, place, edit });
            }
        }
        found
    }
}

/// Whether a new name is valid, without regard to other tools.
fn is_sound(new: &str, (server, tool): (&Server, &Tool), policy: &Policy, clients: &[&Client]) -> bool {
    let own = policy.convention.beyond_protocol();
    let fits = |client: &&&Client| {
        let limit = client.limit.unwrap_or(usize::MAX);
        server.keys.iter().all(|key| client.wire_name(key, new).chars().count() <= limit)
    };
    !new.is_empty()
        && new != tool.name
        && new.chars().all(|c| is_protocol_char(c) || own.contains(&c))
        && !new.starts_with(BEGINNING)
        && !tool.name.starts_with(BEGINNING)
        && new.chars().count() <= MAX_LENGTH
        && clients.iter().filter(fits).count() == clients.len()
}

/// The names that a server answers, in every client's spelling. Each is mapped to the name of the tool that it belongs
/// to, or to `None` if it cannot be given to any tool.
struct Names<'a> {
    known: FxHashMap<String, Option<&'a str>>,
    clients: &'a Clients,
}

impl<'a> Names<'a> {
    fn of(server: &'a Server, clients: &'a Clients) -> Names<'a> {
        let mut names: FxHashMap<String, Option<&str>> = FxHashMap::default();
        for tool in &server.tools {
            for spelling in clients.spellings(&tool.name) {
                let owner = names.entry(spelling).or_insert(Some(&tool.name));
                *owner = owner.filter(|owner| *owner == tool.name);
            }
        }
        // A name that the server answers but does not list belongs to no tool.
        let answered = server.answered.iter().flat_map(|name| clients.spellings(&name.old));
        names.extend(answered.map(|spelling| (spelling, None)));
        Names { known: names, clients }
    }

    /// Reserves a new name for a tool; returns `false` if a client would confuse it with another name of the server.
    fn take(&mut self, tool: &Tool, new: &str) -> bool {
        let own = self.clients.spellings(new);
        let is_free =
            own.iter().all(|spelling| self.known.get(spelling).is_none_or(|owner| *owner == Some(&*tool.name)));
        if is_free {
            self.known.extend(own.into_iter().map(|spelling| (spelling, None)));
        }
        is_free
    }
}

/// Whether a client's list has patterns or an expression, which may match one name and not another.
fn has_patterns(snapshot: &Snapshot) -> bool {
    let files = snapshot.files.all();
    let lists = files.flat_map(|file| snapshot.client_facts(file.id)).flat_map(|facts| &facts.lists);
    lists.into_iter().any(|list| {
        list.entries.iter().any(|entry| {
            let text = entry.text.text.as_str();
            let is_pattern = matches!(list.parse(text, Spelt::none()), Rule::ToolPattern { .. } | Rule::Pattern);
            is_pattern || list.expression(text).is_some()
        })
    })
}

/// Whether a text outside client files refers to tools by a pattern: a wildcard, an expression or a prefix.
fn has_pattern_in(text: &str) -> bool {
    text.match_indices(BEGINNING).any(|(at, _)| {
        let rest = &text[at..];
        let is_of = |c: char| c.is_ascii_alphanumeric() || "_-.*?+()|[]^$\\".contains(c);
        let word = &rest[..rest.find(|c| !is_of(c)).unwrap_or(rest.len())];
        let bare = word.trim_end_matches(['.', '?']);
        bare.ends_with(['_', '-']) || bare.contains(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-')))
    })
}

/// Returns every text in which a tool may be named: source, client files, locks and all other files around. The flag is
/// set if the workspace reads the text as a client's file.
fn texts(snapshot: &Snapshot, candidates: &[Plain<'_>], sources: Sources<'_>) -> Vec<(bool, String)> {
    /// For more candidates than this, the texts are searched for the first characters of the names instead of the
    /// names.
    const MANY: usize = 2000;
    let names = || candidates.iter().flat_map(|one| [one.tool.name.as_str(), one.new]);
    let clients = snapshot.files.known_clients();
    let words = names().flat_map(|name| clients.spellings(name)).chain(std::iter::once(BEGINNING.to_string()));
    let mut words: Vec<String> = match candidates.len() > MANY {
        false => words.collect(),
        true => words.filter_map(|word| word.chars().next().map(String::from)).collect(),
    };
    words.sort_unstable();
    words.dedup();
    let mut read: FxHashSet<&str> = FxHashSet::default();
    let mut texts = Vec::new();
    // Installed files are not part of the workspace: they are never edited.
    for file in snapshot.files.all().filter(|file| !is_installed(&file.path)) {
        let is_client = matches!(file.content, Content::Client(_)) || file.granted.is_some();
        if is_client || matches!(file.content, Content::Source(_) | Content::Lock(_)) {
            read.insert(&file.path);
            texts.extend((sources.texts)(file.id).map(|text| (is_client, text)));
        }
    }
    let around = sources.around.mentioning(&words).into_iter().filter(|(path, _)| !read.contains(path.as_str()));
    texts.extend(around.map(|(_, text)| (false, text)));
    texts.extend(sources.around.above().into_iter().map(|above| (false, above.text)));
    texts
}

/// The number of occurrences of names in texts, in any spelling.
struct Mentions {
    counts: FxHashMap<String, usize>,
}

impl Mentions {
    fn of(snapshot: &Snapshot, candidates: &[Plain<'_>], texts: &[(bool, String)]) -> Mentions {
        let clients = snapshot.files.known_clients();
        let mut counts: FxHashMap<String, usize> = FxHashMap::default();
        // Maps each searched text to the names that it spells, each with a flag that is set if the text counts only
        // after the name of a server.
        let mut wanted: FxHashMap<String, Vec<(&str, bool)>> = FxHashMap::default();
        let mut lengths: FxHashSet<usize> = FxHashSet::default();
        for name in candidates.iter().flat_map(|one| [one.tool.name.as_str(), one.new]) {
            if counts.insert(name.to_string(), 0).is_some() {
                continue;
            }
            for spelling in clients.spellings(name) {
                let is_other = spelling != name;
                let runs = runs(&spelling);
                let (Some(first), Some(last)) = (runs.first(), runs.last()) else {
                    // A spelling without letters or digits is not found anywhere.
                    continue;
                };
                lengths.insert(runs.len());
                let bare = spelling[first.start as usize..last.end as usize].to_string();
                wanted.entry(bare).or_default().push((name, is_other));
            }
        }
        let keys = snapshot.analysis().servers.iter().flat_map(|server| server.keys.iter().chain([&server.name]));
        let servers: FxHashSet<String> = keys.flat_map(|key| clients.spellings(key)).collect();
        for (_, text) in texts {
            let runs = runs(text);
            for (at, first) in runs.iter().enumerate() {
                for length in &lengths {
                    let Some(last) = runs.get(at + length - 1) else { continue };
                    let Some(found) = text.get(first.start as usize..last.end as usize) else { continue };
                    for (name, is_other) in wanted.get(found).into_iter().flatten() {
                        if !is_other || is_behind_server(&text[..first.start as usize], &servers) {
                            *counts.entry((*name).to_string()).or_default() += 1;
                        }
                    }
                }
            }
        }
        Mentions { counts }
    }

    fn of_name(&self, name: &str) -> usize {
        self.counts.get(name).copied().unwrap_or(0)
    }
}

/// Whether a text ends with the name of a server and the separator that clients write between server and tool.
fn is_behind_server(before: &str, servers: &FxHashSet<String>) -> bool {
    let bare = before.trim_end_matches(['_', '-', ':', '.', '/']);
    // A key may itself consist of several words.
    let mut starts = bare.char_indices().rev().take(MAX_LENGTH).map(|(at, _)| at);
    bare.len() < before.len() && starts.any(|start| servers.contains(&bare[start..]))
}

/// The runs of letters and digits in a text.
fn runs(text: &str) -> Vec<Span> {
    let mut runs = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices() {
        match (c.is_alphanumeric(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                runs.push(Span::new(from, at));
                start = None;
            }
            _ => {}
        }
    }
    runs.extend(start.map(|from| Span::new(from, text.len())));
    runs
}
