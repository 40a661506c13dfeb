//! Where a tool is at home, and who else has one of its name.

use rustc_hash::FxHashSet;

use super::Target;
use crate::name::Name;
use crate::workspace::{Files, Server, Snapshot};

/// The servers of a tool, and those that have another one of its name.
pub(super) struct Home {
    /// The tool's name.
    pub(super) name: String,
    /// The root of its server's package.
    pub(super) root: String,
    /// The keys under which clients start it.
    pub(super) keys: Vec<String>,
    /// The keys of other servers.
    pub(super) strangers: Vec<String>,
    /// The names of its server's tools.
    tools: FxHashSet<String>,
    /// The files in which its own server registers tools.
    files: FxHashSet<String>,
    rivals: Vec<Rival>,
}

/// A server with another tool of the same name.
struct Rival {
    root: String,
    /// The keys that clients may know it under.
    keys: Vec<String>,
    /// The files in which it registers tools.
    files: FxHashSet<String>,
}

impl Home {
    pub(super) fn of(snapshot: &Snapshot, target: Target<'_>) -> Home {
        let analysis = snapshot.analysis();
        let (own, keys) = (target.servers(snapshot), target.keys(snapshot));
        let files = |server: &Server| -> FxHashSet<String> {
            let places = server.tools.iter().flat_map(|tool| [tool.local_place(), tool.registration.place]);
            places.map(|place| snapshot.files.path(place.file).to_string()).collect()
        };
        let rivals = analysis.tools().filter(|(server, tool)| {
            tool.name == target.tool.name && !own.iter().any(|own| std::ptr::eq(*own, *server))
        });
        let rivals = rivals.map(|(server, tool)| Rival {
            root: server.root.clone(),
            keys: Target { server, tool }.known_as(snapshot).into_iter().cloned().collect(),
            files: files(server),
        });
        Home {
            name: target.tool.name.clone(),
            root: target.server.root.clone(),
            rivals: rivals.collect(),
            strangers: analysis.keys.keys().filter(|key| !keys.contains(key)).cloned().collect(),
            keys: keys.into_iter().cloned().collect(),
            tools: own.iter().flat_map(|server| &server.tools).map(|tool| tool.name.clone()).collect(),
            files: own.iter().flat_map(|server| files(server)).collect(),
        }
    }

    /// Whether texts that stand beside each other are the names of its tools: two of them at least, and most of what stands there.
    /// Single words may be others.
    pub(super) fn lists_tools(&self, texts: &[&str], has_others: bool) -> bool {
        let (tools, others): (Vec<&str>, Vec<&str>) = texts.iter().partition(|text| self.tools.contains(**text));
        let is_of_words = |text: &&str| Name::new(text).lower_words().len() > 1;
        let words = tools.iter().filter(|text| is_of_words(text)).count();
        !has_others && tools.len() >= 2 * others.len() && (words >= 2 || tools.len() >= 4 && others.is_empty())
    }

    /// Whether its server registers tools in a file.
    pub(super) fn registers_in(&self, path: &str) -> bool {
        self.files.contains(path)
    }

    /// The keys of other servers that have a tool of this name.
    pub(super) fn rival_keys(&self) -> impl Iterator<Item = &String> {
        self.rivals.iter().flat_map(|rival| &rival.keys)
    }

    /// Whether a file lies in the package of another server that has a tool of this name, and not in this one's.
    pub(super) fn is_a_rivals(&self, snapshot: &Snapshot, path: &str) -> bool {
        let root = root_of(snapshot, path);
        root != self.root && self.rivals.iter().any(|rival| rival.root == root)
    }

    /// Whether the name may as well be that of another server's tool where a file says it.
    pub(super) fn is_disputed(&self, snapshot: &Snapshot, path: &str) -> bool {
        if self.rivals.is_empty() {
            return false;
        }
        let root = root_of(snapshot, path);
        let is_home = root == self.root && self.rivals.iter().all(|rival| rival.root != root);
        self.rivals.iter().any(|rival| rival.files.contains(path)) || !is_home && !self.files.contains(path)
    }
}

/// The root of the package around a file.
pub(super) fn root_of(snapshot: &Snapshot, path: &str) -> String {
    let mut directory = Files::directory(path);
    while !directory.is_empty() && snapshot.files.manifest_in(directory).is_none() {
        directory = Files::directory(directory);
    }
    if directory.is_empty() { ".".to_string() } else { directory.to_string() }
}
