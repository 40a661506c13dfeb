//! The verdicts of clients' settings: whether a call of a tool runs, asks for confirmation or is denied, and which entry
//! decides.

mod decision;
mod permits;

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use self::decision::{Decision, Match, deciding};
pub(crate) use self::permits::{Permit, Permits, deciding_in};

use crate::client::{Client, ClientFacts, List, ListKind, Order, Switch, Whole};
use crate::text::{FileId, Span};
use crate::workspace::Snapshot;

/// What a client does with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Fate {
    Runs,
    Asks,
    Denied,
    /// The model is not offered the tool.
    NotOffered,
    /// No setting in the workspace decides, and the client does one or the other depending on how it is used.
    Open,
}

impl Fate {
    /// The word for JSON: `runs`, `not-offered`.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Fate::Runs => "runs",
            Fate::Asks => "asks",
            Fate::Denied => "denied",
            Fate::NotOffered => "not-offered",
            Fate::Open => "open",
        }
    }

    fn of(kind: ListKind) -> Fate {
        match kind {
            ListKind::Allow => Fate::Runs,
            ListKind::Ask => Fate::Asks,
            ListKind::Deny => Fate::Denied,
            ListKind::Hook | ListKind::Watch | ListKind::Offer | ListKind::Mention => Fate::Open,
        }
    }
}

/// What decides about a call.
#[derive(Clone, Copy)]
pub(crate) enum Because<'a> {
    /// An entry of a list.
    Entry(Permit<'a>),
    /// A value or list about all tools of the server: the words for it, and its place.
    Whole(&'a str, FileId, Span),
    /// A list of servers that are switched off.
    Off(FileId, Span),
    /// A value because of which the client does not start.
    Refused(&'a str, FileId, Span),
    /// The lists of the tools that are offered have no entry for this one. The span is that of the first such list.
    NoOffer(FileId, Span),
    /// The server's key, which the client does not accept.
    Key,
    /// No setting in the workspace: the client itself decides.
    Client,
}

/// The verdict of a client's settings in one folder on a call of a tool.
pub(crate) struct Verdict<'a> {
    pub(crate) client: &'a Client,
    /// The folder with the settings; empty for the root of the workspace.
    pub(crate) folder: &'a str,
    /// The key under which the client starts the tool's server.
    pub(crate) key: String,
    /// The name of the tool that the model sees.
    pub(crate) name: String,
    pub(crate) fate: Fate,
    pub(crate) because: Because<'a>,
    /// The other entries that match, in the order in which they would decide if the entries before them were absent.
    pub(crate) overruled: Vec<Permit<'a>>,
    /// The entries that apply to some calls or to one part only, such as an agent, each with the part.
    pub(crate) within: Vec<(Option<&'a str>, Permit<'a>)>,
    /// The hooks that run before the call and may allow or deny it.
    pub(crate) hooks: Vec<(FileId, Span)>,
    /// The files of the client in this folder that it does not read in a workspace, each with the reason.
    pub(crate) unread: Vec<(FileId, &'a str)>,
}

/// The files of one client in one folder.
#[derive(Default)]
struct Group<'a> {
    /// The files, those whose entries count later behind the others.
    files: Vec<(FileId, &'a ClientFacts)>,
    /// The names of the servers that the files start.
    started: FxHashSet<String>,
}

/// The settings of a workspace, by client and folder.
pub(crate) struct Settings<'a> {
    permits: Permits<'a>,
    groups: BTreeMap<(usize, &'a str), Group<'a>>,
    /// The facts that each list is a part of, by the list's address.
    facts: FxHashMap<*const List, &'a ClientFacts>,
}

impl<'a> Settings<'a> {
    pub(crate) fn new(snapshot: &'a Snapshot) -> Settings<'a> {
        let clients = snapshot.files.known_clients();
        let mut groups: BTreeMap<(usize, &str), Group<'_>> = BTreeMap::new();
        for file in snapshot.files.all() {
            let folder = clients.folder_of(&file.path);
            for facts in snapshot.client_facts(file.id).filter(|facts| !facts.is_empty()) {
                let group = groups.entry((facts.client.index, folder)).or_default();
                group.files.push((file.id, facts));
                group.started.extend(facts.servers.iter().flat_map(|it| snapshot.files.names_of(&file.path, it)));
            }
        }
        // Scripts, agents and code name tools in any folder, but have no settings.
        groups.retain(|_, group| group.files.iter().any(|(_, facts)| is_settings(facts)));
        let rank = |(file, facts): &(FileId, &ClientFacts)| clients.rank_of(&facts.client, snapshot.files.path(*file));
        groups.values_mut().for_each(|group| group.files.sort_by_key(rank));
        let all = snapshot.files.all().flat_map(|file| snapshot.client_facts(file.id));
        let facts = all.flat_map(|facts| facts.lists.iter().map(move |list| (std::ptr::from_ref(list), facts)));
        Settings { permits: Permits::all(snapshot), groups, facts: facts.collect() }
    }

    /// Returns the verdicts on a tool, by client, folder and key. `keys` are the keys of the tool's server.
    pub(crate) fn verdicts(&self, keys: &[String], wire: &str) -> Vec<Verdict<'a>> {
        self.of(keys, wire, true)
    }

    /// Like [`Self::verdicts`], but without hooks and overruled entries, which take most of the time.
    pub(crate) fn fates(&self, keys: &[String], wire: &str) -> Vec<Verdict<'a>> {
        self.of(keys, wire, false)
    }

    fn of(&self, keys: &[String], wire: &str, is_detailed: bool) -> Vec<Verdict<'a>> {
        let mut found = Vec::new();
        for ((_, folder), group) in &self.groups {
            let own: Vec<&String> = keys.iter().filter(|key| group.started.contains(*key)).collect();
            // A client without a config of its own here may start the server from the user's.
            let known = if own.is_empty() { keys.iter().collect() } else { own };
            found.extend(known.into_iter().map(|key| self.verdict((*folder, &group.files), key, wire, is_detailed)));
        }
        found
    }

    fn verdict(
        &self,
        (folder, files): (&'a str, &[(FileId, &'a ClientFacts)]),
        key: &String,
        wire: &str,
        is_detailed: bool,
    ) -> Verdict<'a> {
        let client: &'a Client = &files[0].1.client;
        let rank = |file: FileId| files.iter().position(|(id, _)| *id == file);
        let facts_of = |permit: &Permit<'a>| self.facts.get(&std::ptr::from_ref(permit.list)).copied();
        let mut own = self.permits.of([key], wire);
        own.retain(|permit| *permit.list.client == *client);
        own.retain(|permit| {
            let is_here = |facts: &ClientFacts| rank(permit.file).is_some() || facts.is_script;
            facts_of(permit).is_some_and(|facts| is_here(facts) && facts.unread.is_none())
        });
        let is_apart = |permit: &Permit<'a>| {
            permit.list.is_apart
                || permit.has_conditions()
                || facts_of(permit).is_some_and(|facts| facts.part.is_some())
        };
        let (within, own): (Vec<_>, Vec<_>) = own.into_iter().partition(is_apart);
        let part = |permit: Permit<'a>| (facts_of(&permit).and_then(|facts| facts.part.as_deref()), permit);
        let decides = |permit: &Permit<'_>| Decision::of(permit.list.kind).is_some();
        let is_said = |permit: &Permit<'_>| decides(permit) || permit.list.kind == ListKind::Offer;
        let within = within.into_iter().filter(is_said).map(part).collect();
        let read: Vec<(FileId, &ClientFacts)> =
            files.iter().copied().filter(|(_, facts)| facts.unread.is_none()).collect();
        let order = read.iter().map(|(_, facts)| facts.order).find(|order| *order != Order::Deny).unwrap_or_default();
        let mut ordered: Vec<Permit<'a>> = Vec::new();
        let mut left: Vec<Permit<'a>> = own.iter().copied().filter(decides).collect();
        while let Some(next) = first(order, &left, &rank) {
            ordered.push(left.remove(next));
            if !is_detailed {
                break;
            }
        }
        let mut ordered = ordered.into_iter();
        let winner = ordered.next();
        let hooked = if is_detailed { read.as_slice() } else { &[] };
        let hooks = hooked.iter().flat_map(|(file, facts)| hooks(facts, key, wire).map(move |span| (*file, span)));
        let hooks = hooks.collect();
        let (fate, because) = Self::outcome(client, &read, key, &own, winner);
        let is_winner =
            |permit: &Permit<'_>| matches!(because, Because::Entry(it) if std::ptr::eq(it.entry, permit.entry));
        Verdict {
            client,
            folder,
            key: key.clone(),
            name: client.wire_name(key, wire),
            fate,
            because,
            overruled: winner.into_iter().filter(|it| !is_winner(it)).chain(ordered).collect(),
            within,
            hooks,
            unread: files.iter().filter_map(|(file, facts)| Some((*file, facts.unread.as_deref()?))).collect(),
        }
    }

    /// Returns what happens to a call, and why. `files` are those that the client reads, `own` the entries that match,
    /// and `winner` the one of these that decides. A server that is switched off comes before the lists of offered
    /// tools, these before the permissions, and a default of the server before the client's own.
    fn outcome(
        client: &Client,
        files: &[(FileId, &'a ClientFacts)],
        key: &str,
        own: &[Permit<'a>],
        winner: Option<Permit<'a>>,
    ) -> (Fate, Because<'a>) {
        if let Some((file, refused)) = each(files, |facts| &facts.refused).next() {
            return (Fate::NotOffered, Because::Refused(&refused.value, file, refused.span));
        }
        if client.refused_character(key).is_some() || client.reserved_keys.iter().any(|reserved| reserved == key) {
            return (Fate::NotOffered, Because::Key);
        }
        let is_plain = client.names.names_server(key) && client.normalise(key) == key;
        let wholes: Vec<(FileId, &Whole)> = each(files, |facts| &facts.wholes)
            .filter(|(_, whole)| whole.server == key && (is_plain || !whole.plain_servers))
            .collect();
        if let Some((file, whole)) = wholes.iter().find(|(_, whole)| whole.kind == ListKind::Deny) {
            return (Fate::Denied, Because::Whole(&whole.setting, *file, whole.span));
        }
        let switches = |kind| each(files, |facts| &facts.keys).filter(move |(_, switch)| switch.list == Some(kind));
        let is_it = |(_, switch): &(FileId, &Switch)| switch.is_any || switch.key.text == key;
        if let Some((file, switch)) = switches(ListKind::Deny).find(is_it) {
            return (Fate::Denied, Because::Off(file, switch.key.span));
        }
        if let Some((file, switch)) = switches(ListKind::Offer).next()
            && !switches(ListKind::Offer).any(|it| is_it(&it))
        {
            return (Fate::NotOffered, Because::NoOffer(file, switch.key.span));
        }
        let mut offers = each(files, |facts| if facts.part.is_none() { &facts.lists } else { &[] });
        let offers = offers.find(|(_, list)| list.kind == ListKind::Offer && !list.is_apart && list.is_about(key));
        let is_offered = own.iter().any(|permit| permit.list.kind == ListKind::Offer);
        if let Some((file, list)) = offers.filter(|_| !is_offered) {
            return (Fate::NotOffered, Because::NoOffer(file, list.span));
        }
        if let Some(permit) = winner {
            return (Fate::of(permit.list.kind), Because::Entry(permit));
        }
        if let Some((file, whole)) = wholes.first() {
            return (Fate::of(whole.kind), Because::Whole(&whole.setting, *file, whole.span));
        }
        let allowing = |it: &(FileId, &Switch)| it.1.allows && is_it(it) && is_plain;
        if let Some((file, switch)) = each(files, |facts| &facts.keys).find(allowing) {
            return (Fate::Runs, Because::Whole(&switch.key.text, file, switch.key.span));
        }
        (client.unlisted.map_or(Fate::Open, Fate::of), Because::Client)
    }
}

/// Returns the parts of some files' facts, each with its file.
fn each<'f, 'a: 'f, T: 'a>(
    files: &'f [(FileId, &'a ClientFacts)],
    parts: impl Fn(&'a ClientFacts) -> &'a [T] + 'f,
) -> impl Iterator<Item = (FileId, &'a T)> + 'f {
    files.iter().flat_map(move |(file, facts)| parts(facts).iter().map(move |part| (*file, part)))
}

/// Returns the matchers of the hooks that a file runs before calls of a tool; the start of a hook without a matcher.
fn hooks<'f>(facts: &'f ClientFacts, key: &'f String, wire: &'f str) -> impl Iterator<Item = Span> + 'f {
    let lists = facts.lists.iter().filter(|list| list.kind == ListKind::Hook && facts.part.is_none());
    let matchers: Vec<(Span, bool)> = lists
        .flat_map(|list| {
            let spelt = list.grammar.spell_all(std::iter::once(key));
            let name = list.grammar.composed(key, wire);
            let runs = move |text: &str| matches!(text, "" | "*") || list.matches(text, &name, &spelt);
            list.entries.iter().map(move |entry| (entry.text.span, runs(&entry.text.text)))
        })
        .collect();
    facts.hooks.iter().filter_map(move |hook| {
        let own = matchers.iter().find(|(span, _)| hook.span.contains(*span));
        own.map_or(Some(hook.span), |(span, runs)| runs.then_some(*span))
    })
}

/// Whether the file has settings for all calls in its folder, or starts servers.
fn is_settings(facts: &ClientFacts) -> bool {
    if facts.unread.is_some() {
        return false;
    }
    let is_apart = facts.part.is_some() || facts.lists.iter().all(|list| list.is_apart);
    !facts.servers.is_empty()
        || !facts.keys.is_empty()
        || !facts.wholes.is_empty()
        || !facts.lists.is_empty() && !is_apart
}

/// Returns the index of the entry that decides among some entries.
fn first(order: Order, permits: &[Permit<'_>], rank: &dyn Fn(FileId) -> Option<usize>) -> Option<usize> {
    let matches: Vec<Match<'_>> =
        permits.iter().filter_map(|permit| permit.as_match(rank(permit.file).unwrap_or_default())).collect();
    let entry = deciding(order, &matches)?.entry;
    permits.iter().position(|permit| std::ptr::eq(permit.entry, entry))
}
