//! Rules about permission strings.
//!
//! Each string is examined once, first its form and then its meaning, and only the first finding is reported. The
//! strings without a finding are then compared with one another.

mod closeness;
pub(super) mod conflict;
mod covering;
pub(super) mod dead;
pub(super) mod duplicate;
pub(super) mod form;
mod fuel;
pub(super) mod idle;
pub(super) mod malformed;
pub(super) mod matcher;
mod others;
pub(crate) mod redundant;
pub(super) mod removed;
mod repair;
pub(super) mod server_key;
pub(super) mod stale;
pub(super) mod too_wide;
pub(super) mod unknown_server;
pub(super) mod unknown_tool;
pub(super) mod wrong_key;

mod servers;
mod spelling;

use std::borrow::Cow;
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use self::fuel::Fuel;
use self::others::Others;
use self::servers::Servers;
use self::spelling::is_slip_of_word;
use super::{Cx, Rule};
use crate::client::{Client, ClientFacts, Entry, Grammar, List, ListKind, Order, Rule as Permission, Strings};
use crate::diagnostic::{Diagnostic, Edits, Fix, Severity};
use crate::name::Name;
use crate::text::{Edit, Span};

/// One permission string, parsed, with what the rules need to check it.
pub(crate) struct Examined<'a> {
    pub(crate) client: &'a Client,
    pub(crate) servers: &'a Servers,
    pub(crate) list: &'a List,
    pub(crate) entry: &'a Entry,
    pub(crate) rule: Permission<'a>,
    /// How the client chooses between several entries that match.
    pub(crate) order: Order,
    /// The texts of all strings, with the addresses of their lists.
    texts: &'a FxHashSet<(usize, &'a str)>,
    /// The keys that the list already contains.
    taken: &'a Taken<'a>,
    /// The steps that the rules may still spend on this string.
    fuel: Fuel,
}

/// The keys that a list already contains, if its strings are keys.
#[derive(Default)]
pub(crate) struct Taken<'a> {
    keys: FxHashSet<&'a str>,
    /// The number of keys that consist of the same words, by those words.
    of_words: FxHashMap<String, usize>,
}

impl<'a> Taken<'a> {
    fn of(list: &'a List) -> Taken<'a> {
        let mut of_words = FxHashMap::default();
        for key in list.taken.iter() {
            *of_words.entry(spelling::folded(key)).or_default() += 1;
        }
        Taken { keys: list.taken.iter().map(String::as_str).collect(), of_words }
    }
}

/// Checks every permission string of a client's file.
pub(super) fn check(cx: &Cx<'_>, facts: &ClientFacts, diagnostics: &mut Vec<Diagnostic>) {
    wrong_key::check(cx, facts, diagnostics);
    server_key::check(cx, facts, diagnostics);
    malformed::refused(cx, facts, diagnostics);
    unknown_server::check_keys(cx, facts, diagnostics);
    matcher::check(cx, facts, diagnostics);
    // A list accepts only the wildcards that the configured version of its client accepts. Lists that name the same
    // servers in the same way share one `Servers`.
    let lists: Vec<Cow<'_, List>> = facts
        .permissions()
        .map(|list| match cx.policy.versions.get(list.client.id.as_str()) {
            Some(version) => Cow::Owned(list.as_of(version)),
            None => Cow::Borrowed(list),
        })
        .collect();
    let eyes = |list: &List| (address(&list.grammar), list.server.clone().map(|server| server.text));
    let mut kinds: FxHashMap<(usize, Option<String>), Servers> = FxHashMap::default();
    for list in lists.iter().map(Cow::as_ref) {
        kinds.entry(eyes(list)).or_insert_with(|| Servers::new(cx, list));
    }
    // Several lists may share their keys, and then share one `Taken`.
    let mut taken: FxHashMap<*const String, Taken<'_>> = FxHashMap::default();
    for list in lists.iter().map(Cow::as_ref) {
        taken.entry(list.taken.as_ptr()).or_insert_with(|| Taken::of(list));
    }
    let texts = lists.iter().map(Cow::as_ref).flat_map(|list| {
        list.entries.iter().map(move |entry| (std::ptr::from_ref(list) as usize, entry.text.text.as_str()))
    });
    let texts: FxHashSet<(usize, &str)> = texts.collect();
    let count = texts.len();
    let bare = lists.iter().filter(|list| list.is_bare()).map(|list| list.entries.len()).sum();
    let mut first_unsure: Option<Span> = None;
    let mut all: Vec<Examined<'_>> = Vec::new();
    for list in lists.iter().map(Cow::as_ref) {
        let Some(servers) = kinds.get(&eyes(list)) else { continue };
        let Some(taken) = taken.get(&list.taken.as_ptr()) else { continue };
        if list.is_bare() {
            let called = unknown_tool::Called::new(cx);
            for entry in &list.entries {
                let fuel = Fuel::of_one_in(bare);
                diagnostics.extend(called.check(cx, entry, &fuel));
                if fuel.is_out() {
                    first_unsure.get_or_insert(entry.text.span);
                }
            }
            continue;
        }
        all.par_extend(list.entries.par_iter().with_min_len(AT_ONCE).map(|entry| {
            let rule = list.parse(&entry.text.text, &servers.spelt);
            let (client, fuel) = (&list.client, Fuel::of_one_in(count));
            Examined { client, servers, list, entry, rule, order: facts.order, texts: &texts, taken, fuel }
        }));
    }
    let of_code = OfCode::of(cx, facts, &lists);
    let is_said =
        |examined: &Examined<'_>, found: &Diagnostic| !cx.policy.allows(found.rule, &examined.entry.text.text);
    let found = all.par_iter().with_min_len(AT_ONCE).enumerate();
    let found = found.filter_map(|(index, examined)| Some((index, by_itself(cx, facts, &of_code, examined)?)));
    let mut unsound = FxHashSet::default();
    for (index, diagnostic) in found.collect::<Vec<(usize, Diagnostic)>>() {
        unsound.insert(std::ptr::from_ref(all[index].entry));
        if is_said(&all[index], &diagnostic) && !all[index].client.is_own_tool(all[index].text()) {
            diagnostics.push(diagnostic);
        }
    }
    let unsure_of =
        |all: &[Examined<'_>]| all.iter().find(|examined| examined.fuel.is_out()).map(|it| it.entry.text.span);
    let is_left_out = |examined: &&Examined<'_>| {
        let server = examined.rule.server().and_then(|server| examined.servers.of(server));
        server.is_some_and(|server| server.is_left_out)
    };
    let left_out = all.iter().find(is_left_out).map(|examined| examined.entry.text.span);
    let first_unsure = first_unsure.into_iter().chain(unsure_of(&all)).chain(left_out).min();
    let mut sound = all;
    // Mentions and watches are not compared with one another: a mention decides nothing, however often it occurs, and
    // one call may run several hooks.
    let decides = |kind: ListKind| !matches!(kind, ListKind::Mention | ListKind::Watch);
    let is_sound = |it: &Examined<'_>| !unsound.contains(&std::ptr::from_ref(it.entry)) && decides(it.list.kind);
    sound.retain(is_sound);
    let others = Others::new(cx, &sound);
    let found = sound.par_iter().with_min_len(AT_ONCE);
    let found = found.filter_map(|it| among_others(cx, it, &others).filter(|found| is_said(it, found)));
    diagnostics.par_extend(found);
    if let Some(span) = first_unsure.into_iter().chain(unsure_of(&sound)).min() {
        diagnostics.push(unsure(cx, &unknown_tool::RULE, span));
    }
}

/// Reports, at the first string for which a comparison was skipped, that findings may be missing.
fn unsure(cx: &Cx<'_>, rule: &Rule, from: Span) -> Diagnostic {
    let message = "too many entries and tools to compare with each other: from this entry on, a wrong name may be \
                   missed; use fewer wildcards, or split the list";
    let mut diagnostic = cx.diagnostic(rule, from, message);
    diagnostic.severity = Severity::Info;
    diagnostic
}

/// The minimum number of strings that are handed to another thread together: handing over fewer takes longer than
/// checking them.
const AT_ONCE: usize = 1000;

/// Returns the first finding about a string, considered on its own.
fn by_itself(cx: &Cx<'_>, facts: &ClientFacts, of_code: &OfCode, examined: &Examined<'_>) -> Option<Diagnostic> {
    // A hook without a matcher runs at every call, and an empty matcher means the same.
    if examined.list.kind == ListKind::Watch && examined.text().is_empty() {
        return None;
    }
    let found = form::check(cx, examined).or_else(|| malformed::check(cx, examined));
    if found.is_some() || facts.has_other_servers || of_code.has(examined.list, &examined.rule) {
        return found;
    }
    unknown_server::check(cx, examined)
        .or_else(|| unknown_server::check_own(cx, examined))
        .or_else(|| stale::check(cx, examined))
        .or_else(|| unknown_tool::check(cx, examined))
        .or_else(|| dead::check(cx, examined))
        .or_else(|| removed::check(cx, examined))
        .or_else(|| idle::check(cx, examined))
}

/// Returns the first finding about a string that comes from comparing it with the other strings of its file.
fn among_others(cx: &Cx<'_>, examined: &Examined<'_>, others: &Others<'_, '_>) -> Option<Diagnostic> {
    // An entry that is an object may differ from an entry with the same string in its other members.
    let is_alone = !examined.entry.has_conditions;
    let mut found = if is_alone { duplicate::check(cx, examined, others) } else { None };
    // If the order of entries matters, an entry that another covers may be an exception to it.
    if is_alone {
        found = match examined.order {
            Order::Deny => found
                .or_else(|| conflict::check(cx, examined, others))
                .or_else(|| redundant::check(cx, examined, others)),
            Order::First | Order::Last => found.or_else(|| dead::overruled(cx, examined, others)),
            Order::Priority => found,
        };
    }
    found.or_else(|| too_wide::check(cx, examined, others))
}

/// Returns the address of a grammar, which identifies it: each grammar exists once, for as long as the program runs.
fn address(grammar: &Arc<Grammar>) -> usize {
    Arc::as_ptr(grammar) as usize
}

/// The servers that a source file itself defines and that the analysis does not know. Configs may start other servers
/// under the same keys. Maps the address of each grammar to the keys of these servers, as strings of that grammar spell
/// them.
struct OfCode(FxHashMap<usize, FxHashSet<String>>);

impl OfCode {
    fn of(cx: &Cx<'_>, facts: &ClientFacts, lists: &[Cow<'_, List>]) -> OfCode {
        let is_known = |key: &str| {
            let known = [&cx.analysis.keys, &cx.analysis.called].into_iter().filter_map(|keys| keys.get(key));
            known.flat_map(|known| &known.entries).any(|(file, _)| *file == cx.file.id)
        };
        let own = facts.servers.iter().map(|own| own.key.text.as_str());
        let own: Vec<&str> = own.filter(|key| !is_known(key)).collect();
        let mut all = FxHashMap::default();
        for list in lists.iter().filter(|list| list.row.is_none()) {
            let spelt = || own.iter().map(|key| list.grammar.normalise(key)).collect();
            all.entry(address(&list.grammar)).or_insert_with(spelt);
        }
        OfCode(all)
    }

    /// Whether a string of a list in code is about one of these servers.
    fn has(&self, list: &List, rule: &Permission<'_>) -> bool {
        let servers = self.0.get(&address(&list.grammar)).filter(|_| list.row.is_none());
        servers.zip(rule.server()).is_some_and(|(servers, server)| servers.contains(server))
    }
}

impl<'a> Examined<'a> {
    fn text(&self) -> &'a str {
        &self.entry.text.text
    }

    /// Splits the string into the name and the restriction in parentheses that the grammar allows after a tool. The
    /// restriction is empty if there is none.
    fn name_and_arguments(&self) -> (&'a str, &'a str) {
        let text = self.text();
        let at = if self.grammar().arguments { text.find('(') } else { None };
        at.map_or((text, ""), |at| text.split_at(at))
    }

    fn grammar(&self) -> &'a Grammar {
        &self.list.grammar
    }

    /// Parses another text as a string of the same list.
    fn parse<'t>(&'t self, text: &'t str) -> Permission<'t> {
        self.list.parse(text, &self.servers.spelt)
    }

    /// Whether this string takes precedence over another one by its position, if both match. `true` if positions do not
    /// matter.
    fn counts_before(&self, other: &Examined<'_>) -> bool {
        match self.order {
            Order::First => (self.list.rank, self.entry.whole) < (other.list.rank, other.entry.whole),
            Order::Last => (other.list.rank, other.entry.whole) < (self.list.rank, self.entry.whole),
            Order::Deny | Order::Priority => true,
        }
    }

    fn is_mcp(&self) -> bool {
        !matches!(self.rule, Permission::BuiltIn)
    }

    /// Returns a finding about this string.
    fn diagnostic(&self, cx: &Cx<'_>, rule: &Rule, message: impl Into<String>) -> Diagnostic {
        cx.diagnostic(rule, self.entry.text.span, message)
    }

    /// Returns the fix that replaces the string with another one. It edits only the characters that differ.
    fn replacement(&self, cx: &Cx<'_>, new: &str) -> Fix {
        let title = format!("replace with `{new}`");
        let span = self.entry.text.span;
        if !self.entry.text.verbatim {
            return Fix::replace(title, cx.file.id, span, new);
        }
        let edit = Edit::between(self.text(), new);
        Fix::replace(title, cx.file.id, edit.span.shifted(span.start), edit.new_text)
    }

    /// Returns the fix that deletes the string with its comma; `None` if it is unknown what to delete.
    fn removal(&self, cx: &Cx<'_>) -> Option<Fix> {
        let removal = self.list.removal(self.entry);
        let edits: Vec<Edit> = removal.into_iter().map(|span| Edit::new(span, "")).collect();
        let edits = Some(edits).filter(|edits| !edits.is_empty())?;
        Some(Fix::edits("remove this entry", Edits::from([(cx.file.id, edits)])))
    }

    /// Like [`Self::removal`], but as an unsafe choice for a person: either the entry or what makes it ineffective may
    /// be wrong.
    fn left_out(&self, cx: &Cx<'_>) -> Option<Fix> {
        Some(self.removal(cx)?.marked_unsafe().into_choice())
    }

    /// Whether replacing this allow entry with `name` could allow something unintended: a whole server, a destructive
    /// tool, a tool without the restriction that the entry has in parentheses, or a different tool (`set_user` instead
    /// of `get_user`). The entry is assumed to match nothing as it stands.
    fn widens(&self, name: &str) -> bool {
        // Parentheses restrict nothing if they are part of the grammar's own form.
        let restricted = self.grammar().tool.suffix.is_empty()
            && self.text().split_once('(').is_some_and(|(_, rest)| !matches!(rest, "*)" | ")"));
        let one_tool = matches!(self.parse(name), Permission::Tool { .. });
        let is_destructive = self.servers.is_destructive(name);
        restricted || !one_tool || is_destructive || !is_slip(self.text(), name)
    }

    /// Whether replacing this entry with `name` could allow an unintended tool, or guard some tool less or more than
    /// before.
    fn may_open(&self, name: &str) -> bool {
        match self.list.kind {
            // A tool that is called by mistake has effects of its own.
            ListKind::Allow | ListKind::Offer | ListKind::Mention | ListKind::Watch => self.widens(name),
            // An ask entry may override a denial, unless denials always win.
            ListKind::Ask => {
                self.order != Order::Deny
                    || !is_slip(self.text(), name)
                    || self.list.row.as_ref().is_some_and(|row| !row.kinds.is_empty() || row.kind_at.is_some())
            }
            // Someone may need the other tool, which would then be denied.
            ListKind::Deny => spelling::folded(self.text()) != spelling::folded(name) && !is_slip(self.text(), name),
            ListKind::Hook => false,
        }
    }

    /// Returns the fixes that replace this string with one of `names`. A single fix is preferred; several are equal
    /// choices.
    fn repairs(&self, cx: &Cx<'_>, names: &[String]) -> Vec<Fix> {
        // A TOML key without quotes cannot contain any other characters.
        let is_bare =
            cx.file.path.ends_with(".toml") && self.list.row.as_ref().is_some_and(|row| row.strings == Strings::Keys);
        let may_stand =
            |name: &str| !is_bare || name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
        // Two wrong keys that were both meant to be the same key would become duplicates.
        let is_key = self.list.row.as_ref().is_some_and(|row| row.strings == Strings::Keys);
        let is_meant_twice =
            is_key && self.taken.of_words.get(&spelling::folded(self.text())).is_some_and(|count| *count > 1);
        let names: Vec<&String> = names
            .iter()
            .filter(|name| !is_meant_twice && !self.taken.keys.contains(name.as_str()) && may_stand(name))
            .collect();
        let only = names.len() == 1;
        names
            .into_iter()
            .map(|name| {
                let fix = self.replacement(cx, name);
                match (self.may_open(name), only) {
                    (true, _) => fix.marked_unsafe().into_choice(),
                    (false, true) => fix,
                    (false, false) => fix.into_choice(),
                }
            })
            .collect()
    }
}

/// Whether one name is a typo of the other: the same words except for separators and case, or one letter doubled,
/// dropped, swapped or wrong in one word.
fn is_slip(wrong: &str, right: &str) -> bool {
    let bare = if right.contains('(') { wrong } else { wrong.split('(').next().unwrap_or(wrong) };
    let (wrong, right) = (Name::new(bare).lower_words(), Name::new(right).lower_words());
    // The prefix or the server may be missing, so the remaining words are compared with the end of the name.
    let prefixed = wrong.len() < right.len() && wrong.first() == right.first();
    let wrong = &wrong[usize::from(prefixed)..];
    if wrong.is_empty() || wrong.len() > right.len() {
        return false;
    }
    let right = &right[right.len() - wrong.len()..];
    let differing: Vec<_> = wrong.iter().zip(right).filter(|(a, b)| a != b).collect();
    match differing.as_slice() {
        [] => true,
        [(a, b)] => is_slip_of_word(a, b),
        _ => false,
    }
}

/// Returns the words with which a message says that an entry has no effect.
fn effect(kind: ListKind) -> &'static str {
    match kind {
        ListKind::Allow => "allows nothing",
        ListKind::Deny => "guards nothing",
        ListKind::Ask => "never asks",
        ListKind::Hook | ListKind::Watch => "never runs",
        ListKind::Offer => "offers nothing",
        ListKind::Mention => "does nothing",
    }
}
