//! Calls of agents' packages → the names of tools that they grant, and the commands that start their servers.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::Registry;
use super::select::{self, From};
use crate::client::{AgentCall, AgentList, CallId, Clients, Strings};
use crate::found::{Place, Traced};
use crate::framework::{CalleePattern, Selectors};
use crate::machine::{Body, Effects, Handled, Machine, ObjectId, Outside, OutsideCall, Slot, Value};
use crate::syntax::{Family, Language};

/// The maximum number of strings of a call that are read.
const MOST_STRINGS: usize = 2_000;
/// The maximum number of calls that are recorded.
const MOST_CALLS: usize = 1_000;

/// A call, or an element of a list in it, that names the tools of a server for an agent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Granted {
    pub(crate) row: CallId,
    /// The call expression.
    pub(crate) place: Place,
    /// The key of the server, if the call names one.
    pub(crate) key: Option<Traced>,
    /// The program that starts the server and its arguments; `None` if they are absent or not known completely.
    pub(crate) command: Option<Vec<String>>,
    /// The call that makes the server, if the program does so itself.
    pub(crate) made: Option<Place>,
    /// The directory in which the program is started.
    pub(crate) cwd: Option<String>,
    /// Whether the strings may be about any server: the call starts several, or the row has no selector for one.
    pub(crate) of_any_server: bool,
    /// The known strings of the lists, each list with its index in the row.
    pub(crate) lists: Vec<(usize, Vec<Traced>)>,
}

/// Watches a program for calls of agents' packages.
pub(crate) struct Granting<'c> {
    clients: &'c Clients,
    family: Family,
    pub(crate) found: Vec<Granted>,
    /// The calls with strings that are not known.
    pub(crate) unknown: BTreeSet<Place>,
}

impl<'c> Granting<'c> {
    pub(crate) fn new(clients: &'c Clients, family: Family) -> Granting<'c> {
        Granting { clients, family, found: Vec::new(), unknown: BTreeSet::new() }
    }

    fn matches(machine: &Machine<'_>, row: &AgentCall, callee: ObjectId) -> bool {
        let is_path = |path: &CalleePattern| match path {
            CalleePattern::Imported(wanted) => match &machine.object(callee).body {
                Body::Outside(outside) => match &**outside {
                    Outside::Export { module, path } => row.owns_module(module) && path.ends_with(wanted),
                    _ => false,
                },
                _ => false,
            },
            CalleePattern::Method(name) => {
                Registry::last(machine, callee).is_some_and(|last| last == *name)
                    && Registry::receiver(machine, callee).is_some()
                    && super::matching::package_of(machine, callee).is_some_and(|module| row.owns_module(&module))
            }
            CalleePattern::Folder(_) => false,
        };
        row.paths.iter().any(is_path)
    }

    /// Takes a call, or an element of a list in it. `is_wanted` says which lists of the row.
    fn take(&mut self, machine: &mut Machine<'_>, id: CallId, at: &From<'_>, is_wanted: impl Fn(&AgentList) -> bool) {
        let (_, row) = self.clients.call(id);
        let Some(&place) = at.call.stack.first() else { return };
        let key = select::first(machine, &row.key, at);
        let key = key.and_then(|key| key.as_traced().filter(|key| key.unknown().is_none()).cloned());
        let command = command(machine, row, at);
        let made = select::first(machine, &row.server, at).and_then(|server| made_at(machine, &server));
        let cwd = select::first(machine, &row.cwd, at).and_then(|cwd| cwd.as_text());
        let is_exact = select::first(machine, &row.unless, at).is_none();
        let lists = row.lists.iter().enumerate().filter(|(_, list)| is_wanted(list));
        let mut known: Vec<(usize, Vec<Traced>)> = Vec::new();
        for (index, list) in lists {
            let (mut strings, is_whole) = strings(machine, &list.at, list.strings, at);
            strings.retain(|string| !list.except.iter().any(|word| *word == string.text()));
            known.extend((!strings.is_empty()).then_some((index, strings)));
            self.unknown.extend((!is_whole).then_some(place));
        }
        let lists = known;
        let has_no_server = row.key.is_empty() && row.command.is_empty();
        let of_any_server = !is_exact || has_no_server || row.each.is_some() && at.each.is_none();
        let granted = Granted { row: id, place, key, command, made, cwd, of_any_server, lists };
        if self.found.len() < MOST_CALLS && !self.found.contains(&granted) {
            self.found.push(granted);
        }
    }
}

impl Effects for Granting<'_> {
    fn called(&mut self, machine: &mut Machine<'_>, call: &Rc<OutsideCall>, _: ObjectId) -> Handled {
        if call.decorates {
            return Handled::Run;
        }
        let Some(last) = Registry::last(machine, call.callee) else { return Handled::Run };
        for id in self.clients.calls_named(self.family, &last).to_vec() {
            let (_, row) = self.clients.call(id);
            if !Self::matches(machine, row, call.callee) {
                continue;
            }
            let at = From {
                call,
                callee: call.callee,
                each: None,
                applied: None,
                is_bare: false,
                is_given_back: false,
                file: None,
            };
            match &row.each {
                None => self.take(machine, id, &at, |_| true),
                Some(each) => {
                    let elements = select::value(machine, each, &at).map(|list| machine.elements(&list));
                    let (slots, more) = elements.unwrap_or_default();
                    let is_only = slots.len() == 1 && more.is_none();
                    for slot in &slots {
                        self.take(machine, id, &From { each: Some(&slot.value), ..at }, |list| {
                            is_only || list.is_in_each()
                        });
                    }
                    if !is_only {
                        self.take(machine, id, &at, |list| !list.is_in_each());
                    }
                }
            }
        }
        Handled::Run
    }

    fn watches(&self, key: &str) -> bool {
        !self.clients.calls_named(self.family, &key.into()).is_empty()
    }
}

/// The call of a package that made a value.
fn made_at(machine: &Machine<'_>, value: &Value) -> Option<Place> {
    let Body::Outside(outside) = &machine.object(value.as_object()?).body else { return None };
    match &**outside {
        Outside::Result(call) => call.stack.first().copied(),
        _ => None,
    }
}

/// The command line that starts the server of a call.
fn command(machine: &mut Machine<'_>, row: &AgentCall, at: &From<'_>) -> Option<Vec<String>> {
    let program = select::first(machine, &row.command, at)?;
    let args = select::first(machine, &row.args, at).and_then(|args| texts(machine, &args));
    // A command line as one list, or as one text.
    let mut words = match known_text(machine, program.clone()) {
        Some(program) => vec![program],
        None if machine.is_list(&program) => texts(machine, &program)?,
        // `sys.executable`, `process.execPath`: the program that runs a script of its own language.
        None => vec![interpreter(row.language, args.as_ref()?)?.to_string()],
    };
    match args {
        Some(args) => words.extend(args),
        None if select::first(machine, &row.args, at).is_some() => return None,
        None if words.len() == 1 && words[0].contains(' ') => words = shlex::split(&words[0])?,
        None => {}
    }
    Some(words)
}

/// The program that runs a script or module of a language with some arguments; `None` if it is something else.
fn interpreter(language: Family, args: &[String]) -> Option<&'static str> {
    let file = args.iter().find(|arg| !arg.starts_with('-'))?;
    let is_script = Language::of_path(file).and_then(Language::family) == Some(language);
    match language {
        Family::TypeScript if is_script => Some("node"),
        Family::Python if is_script || args.iter().any(|arg| arg == "-m") => Some("python"),
        _ => None,
    }
}

/// The elements of a list of texts; `None` if one of them is unknown, or there may be more.
fn texts(machine: &mut Machine<'_>, list: &Value) -> Option<Vec<String>> {
    let (slots, more) = machine.elements(list);
    if more.is_some() || slots.iter().any(|slot| slot.perhaps) {
        return None;
    }
    slots.into_iter().map(|slot| known_text(machine, slot.value)).collect()
}

/// A text, or the only known one of several: `os.environ.get("PYTHON") or "python"`.
fn known_text(machine: &mut Machine<'_>, value: Value) -> Option<String> {
    let texts = value.options().iter().map(|option| machine.plain_text(option.clone()));
    let mut known = texts.filter_map(|text| text.as_traced().filter(|text| text.unknown().is_none()).map(Traced::text));
    known.next().filter(|_| known.next().is_none())
}

/// The known strings of a list, and whether they are all.
fn strings(machine: &mut Machine<'_>, at: &Selectors, strings: Strings, from: &From<'_>) -> (Vec<Traced>, bool) {
    let Some(value) = select::first(machine, at, from) else { return (Vec::new(), true) };
    let (values, more) = match strings {
        Strings::Elements if value.as_traced().is_some() => {
            let list = machine.list_of(vec![value]);
            machine.elements(&list)
        }
        // An object in place of a list has another meaning.
        Strings::Elements if machine.is_table(&value) => (Vec::new(), None),
        Strings::Elements => machine.elements(&value),
        Strings::Keys | Strings::Values if !machine.is_table(&value) => (Vec::new(), None),
        Strings::Keys | Strings::Values => {
            let pairs = machine.entries(&value);
            let index = usize::from(strings == Strings::Values);
            let (pairs, more) = machine.elements(&pairs);
            let part = |pair: Slot| machine.elements(&pair.value).0.into_iter().nth(index);
            (pairs.into_iter().filter_map(part).collect(), more)
        }
    };
    let texts = values.iter().flat_map(|slot| slot.value.options()).take(MOST_STRINGS);
    let known = |text: &&Traced| text.unknown().is_none();
    let is_known = |value: &Value| !matches!(value, Value::Unknown(_)) && value.as_traced().as_ref().is_none_or(known);
    let is_whole = more.is_none() && texts.clone().all(is_known);
    (texts.filter_map(Value::as_traced).filter(known).cloned().collect(), is_whole)
}
