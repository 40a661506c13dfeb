//! What an engine says of a program, and how it compares with what a real run of the program reported.

use std::collections::BTreeMap;

use super::core::Program;

/// What an engine under test finds in a program.
#[derive(Debug, Clone, Default)]
pub(super) struct Outcome {
    /// In the order in which a run registers them.
    pub(super) tools: Vec<Tool>,
    /// Whether the engine is sure that there are no more.
    pub(super) complete: bool,
}

/// One registration.
#[derive(Debug, Clone)]
pub(super) struct Tool {
    /// The name of its server, if the engine knows it.
    pub(super) server: Option<String>,
    pub(super) name: String,
    /// Whether the name is not known; `name` is then what is known of it.
    pub(super) dynamic: bool,
    pub(super) origins: Vec<Origin>,
}

/// Where a part of a name is written.
#[derive(Debug, Clone)]
pub(super) struct Origin {
    pub(super) path: String,
    /// Byte offsets in the file.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The part of the name.
    pub(super) text: String,
}

/// The names of a server and a tool.
pub(super) type Registration = (String, String);

/// What a program registers when it runs.
#[derive(Debug, Default)]
pub(super) struct Registrations {
    pub(super) tools: Vec<Registration>,
    /// The same of a run in another environment, for a program that looks at it.
    pub(super) otherwise: Option<Vec<Registration>>,
}

impl Registrations {
    /// Whether a tool is registered in every environment that was tried.
    fn is_certain(&self, server: &str, name: &str) -> bool {
        let Some(otherwise) = &self.otherwise else { return true };
        otherwise.iter().any(|(of, tool)| tool == name && (server.is_empty() || of == server))
    }
}

/// A way in which an outcome differs from a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    /// Tools are missing, and the engine says that it knows all.
    FalseComplete,
    /// A name that the program does not register.
    Wrong,
    /// An origin with another text than the file has there.
    Origin,
    /// Tools are missing, and the engine says that there may be more.
    Missing,
    /// The right name at another server.
    Server,
    /// The right names in the wrong order.
    Order,
}

/// The comparison of one program.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    pub(super) faults: BTreeMap<Fault, Vec<String>>,
    pub(super) expected: usize,
    pub(super) found: usize,
    pub(super) wrong: usize,
    pub(super) dynamic: usize,
}

impl Verdict {
    pub(super) fn has(&self, fault: Fault) -> bool {
        self.faults.contains_key(&fault)
    }

    fn add(&mut self, fault: Fault, what: String) {
        self.faults.entry(fault).or_default().push(what);
    }
}

/// The names by server.
fn by_server<'a>(tools: impl Iterator<Item = (&'a str, &'a str)>) -> BTreeMap<&'a str, Vec<&'a str>> {
    let mut servers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (server, name) in tools {
        servers.entry(server).or_default().push(name);
    }
    servers
}

/// Compares an outcome with a run.
pub(super) fn compare(program: &Program, expected: &Registrations, got: &Outcome) -> Verdict {
    let known = || got.tools.iter().filter(|tool| !tool.dynamic);
    // An engine that knows no name of a server is not judged by it.
    let named = known().all(|tool| tool.server.is_some());
    let server_of = |name: &'static str| if named { None } else { Some(name) };
    let registered = expected;
    let expected =
        by_server(registered.tools.iter().map(|(server, name)| (server_of("").unwrap_or(server), name.as_str())));
    let found = by_server(known().map(|tool| (tool.server.as_deref().unwrap_or(""), tool.name.as_str())));
    let mut verdict = Verdict { dynamic: got.tools.len() - known().count(), ..Verdict::default() };
    let servers: std::collections::BTreeSet<&str> = expected.keys().chain(found.keys()).copied().collect();
    let (mut missing, mut extra) = (Vec::new(), Vec::new());
    for server in servers {
        let (expected, found) = (expected.get(server), found.get(server));
        let (expected, found) = (expected.map_or(&[][..], |e| e), found.map_or(&[][..], |f| f));
        let mut left = found.to_vec();
        for name in expected {
            match left.iter().position(|found| found == name) {
                Some(at) => {
                    left.remove(at);
                    verdict.found += 1;
                }
                None => missing.push((server, *name)),
            }
        }
        verdict.expected += expected.len();
        extra.extend(left.iter().map(|name| (server, *name)));
        if left.is_empty() && found.len() == expected.len() && found != expected {
            verdict.add(Fault::Order, format!("{server}: {found:?} instead of {expected:?}"));
        }
    }
    // A tool at another server is found, but misplaced.
    missing.retain(|(server, name)| match extra.iter().position(|(_, extra)| extra == name) {
        Some(at) => {
            let (other, _) = extra.remove(at);
            verdict.found += 1;
            verdict.add(Fault::Server, format!("{name} at {other} instead of {server}"));
            false
        }
        None => true,
    });
    verdict.wrong = extra.len();
    if !program.is_open {
        extra.into_iter().for_each(|(server, name)| verdict.add(Fault::Wrong, format!("{server}: {name}")));
    }
    let fault = if got.complete { Fault::FalseComplete } else { Fault::Missing };
    // What depends on the environment may be left open, but not denied.
    if !got.complete || verdict.dynamic > 0 {
        missing.retain(|(server, name)| registered.is_certain(server, name));
    }
    missing.into_iter().for_each(|(server, name)| verdict.add(fault, format!("{server}: {name}")));
    for tool in known() {
        if let Some(what) = tool.origins.iter().find_map(|origin| misplaced(program, origin)) {
            verdict.add(Fault::Origin, format!("{}: {what}", tool.name));
        }
    }
    verdict
}

/// The words for what is wrong with an origin. A literal with escapes may differ from its value.
fn misplaced(program: &Program, origin: &Origin) -> Option<String> {
    let Some((_, text)) = program.files.iter().find(|(path, _)| *path == origin.path) else {
        return Some(format!("there is no file {}", origin.path));
    };
    let Some(written) = text.get(origin.start..origin.end) else {
        return Some(format!("{}..{} is not in {}", origin.start, origin.end, origin.path));
    };
    // Methods may change the case of letters; the literal stays their origin.
    if written.eq_ignore_ascii_case(&origin.text) || written.contains('\\') {
        return None;
    }
    Some(format!("{:?} stands at {}:{}, not {:?}", written, origin.path, origin.start, origin.text))
}
