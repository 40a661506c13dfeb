//! The tools of public servers by version, from the files in `catalogue/`: what is known of servers whose source is not
//! in the workspace. A file is parsed when a config or a string names its server.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;
use smol_str::SmolStr;

/// The texts of the files, each with its name, its ids and its usual keys.
const FILES: &[Written] = include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));

/// A file, as the build script lists it: its keys are those under which configs usually start the server, which several
/// servers may share.
struct Written {
    name: &'static str,
    ids: &'static [&'static str],
    keys: &'static [&'static str],
    text: &'static str,
}

/// A public server and its tools.
#[derive(Debug, Deserialize)]
pub(crate) struct PublicServer {
    /// What configs start: `npm:@scope/name`, `pypi:name`, `cargo:name`, `url:host/path` or `image:name`.
    pub(crate) id: Vec<SmolStr>,
    /// The day on which the newest version was looked at.
    pub(crate) checked: toml::value::Datetime,
    /// The versions that were looked at, the oldest first.
    pub(crate) versions: Vec<SmolStr>,
    /// How much of the newest version is known.
    pub(crate) bound: Bound,
    tools: BTreeMap<SmolStr, Spans>,
}

/// How much a list contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Bound {
    /// Every name that any configuration can list.
    All,
    /// What the server lists when it is started without options.
    Default,
}

/// The times at which a tool existed, the earliest first.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Spans {
    One(PublicTool),
    Several(Vec<PublicTool>),
}

/// A tool during one span of versions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PublicTool {
    /// The first version that has it; the first one looked at if absent.
    pub(crate) since: Option<SmolStr>,
    /// The last version looked at that has it, and the first that has it no longer.
    pub(crate) last: Option<SmolStr>,
    pub(crate) gone: Option<SmolStr>,
    /// What the server says about it.
    pub(crate) hints: Option<Hint>,
    /// Whether it is listed only with an option of the server.
    #[serde(default)]
    pub(crate) flag: bool,
    /// The tools that do its work since it is gone, from the server's own notes.
    #[serde(default)]
    pub(crate) became: Vec<SmolStr>,
    /// Whether these can do more than it did.
    #[serde(default)]
    pub(crate) wider: bool,
}

/// What a server says about a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Hint {
    /// It only reads.
    Read,
    /// It changes things, but destroys nothing.
    Writes,
    /// It may destroy something.
    Destroys,
}

impl Hint {
    /// The hint as a clause about the tool.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Hint::Read => "only reads",
            Hint::Writes => "writes, but destroys nothing",
            Hint::Destroys => "may destroy something",
        }
    }
}

impl PublicServer {
    /// The server with an id.
    pub(crate) fn with_id(id: &str) -> Option<&'static PublicServer> {
        FILES.iter().position(|file| file.ids.contains(&id)).map(read)
    }

    /// The servers that configs usually start under some key.
    pub(crate) fn usually_called(is_key: impl Fn(&str) -> bool) -> Vec<&'static PublicServer> {
        let is_it = |file: &Written| file.keys.iter().any(|key| is_key(key));
        let found = FILES.iter().enumerate().filter(|(_, file)| is_it(file)).map(|(index, _)| index);
        found.map(read).collect()
    }

    /// The name of the package, or the address, without its kind.
    pub(crate) fn name(&self) -> &str {
        self.id.first().map_or("", |id| id.split_once(':').map_or(id.as_str(), |(_, name)| name))
    }

    pub(crate) fn newest(&self) -> &str {
        self.versions.last().map_or("", SmolStr::as_str)
    }

    /// The tools that the newest version has, by name.
    pub(crate) fn tools(&self) -> impl Iterator<Item = (&str, &PublicTool)> {
        self.all().filter(|(_, tool)| tool.gone.is_none())
    }

    /// The tools that some version has, by name, each as it was last.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &PublicTool)> {
        self.tools.iter().filter_map(|(name, spans)| Some((name.as_str(), spans.last()?)))
    }

    /// A description of a tool, as a sentence: the server and the versions that have it, and what the server says about it.
    pub(crate) fn describe(&self, tool: &PublicTool) -> String {
        let first = tool.since.as_ref().or(self.versions.first()).map_or("", SmolStr::as_str);
        let versions = match &tool.last {
            Some(last) if last == first => format!("in {last}"),
            Some(last) => format!("from {first} to {last}"),
            None if first == self.newest() => format!("in {first}"),
            None => format!("from {first} to {}, the newest version known", self.newest()),
        };
        let flag = if tool.flag { ", not by default" } else { "" };
        let hint = tool.hints.map_or(String::new(), |hint| format!("; by the server's own word, it {}", hint.as_str()));
        format!("tool of {} {versions}{flag}{hint}", self.name())
    }

    /// The number of tools in the newest version, and what the server says about them.
    pub(crate) fn summary(&self) -> String {
        let count = self.tools().count();
        let of = |hint| self.tools().filter(|(_, tool)| tool.hints == Some(hint)).count();
        let tools = if count == 1 { "1 tool".to_string() } else { format!("{count} tools") };
        let said = match (of(Hint::Read), of(Hint::Destroys)) {
            (0, 0) => String::new(),
            (reading, destroying) => {
                format!(": by the server's own word, {reading} only read and {destroying} may destroy something")
            }
        };
        format!("{} {} has {tools}{said}", self.name(), self.newest())
    }

    /// The tool that strings of a grammar spell like this, as it was last.
    pub(crate) fn tool(&self, is_it: impl Fn(&str) -> bool) -> Option<(&str, &PublicTool)> {
        self.all().find(|(name, _)| is_it(name))
    }
}

impl Spans {
    fn last(&self) -> Option<&PublicTool> {
        match self {
            Spans::One(tool) => Some(tool),
            Spans::Several(all) => all.last(),
        }
    }
}

/// The server of a file.
fn read(index: usize) -> &'static PublicServer {
    static SERVERS: [OnceLock<PublicServer>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];
    SERVERS[index].get_or_init(|| match toml::from_str(FILES[index].text) {
        Ok(server) => server,
        Err(error) => panic!("catalogue/{}.toml: {error}", FILES[index].name),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_sound() {
        for (index, file) in FILES.iter().enumerate() {
            let (server, name) = (read(index), file.name);
            assert_eq!(server.id, file.ids, "{name}");
            let table: toml::Table = toml::from_str(file.text).unwrap();
            let keys: Vec<&str> = table.keys().map(String::as_str).collect();
            assert_eq!(keys, ["bound", "checked", "id", "keys", "tools", "versions"], "{name}");
            let keys = table["keys"].as_array().unwrap().iter().filter_map(|key| key.as_str());
            assert!(keys.eq(file.keys.iter().copied()), "{name}");
            assert!(server.id.iter().all(|id| id.contains(':')), "{name}");
            let at = |version: &SmolStr| {
                let found = server.versions.iter().position(|known| known == version);
                found.unwrap_or_else(|| panic!("{name}: {version} was not looked at"))
            };
            for (tool, spans) in &server.tools {
                let spans: Vec<&PublicTool> = match spans {
                    Spans::One(span) => vec![span],
                    Spans::Several(spans) => spans.iter().collect(),
                };
                let mut before = None;
                for (index, span) in spans.iter().enumerate() {
                    let since = span.since.as_ref().map_or(0, at);
                    assert!(before.is_none_or(|before| before <= since), "{name}: {tool}");
                    assert_eq!(span.last.is_some(), span.gone.is_some(), "{name}: {tool}");
                    assert!(index + 1 == spans.len() || span.gone.is_some(), "{name}: {tool}");
                    if let (Some(last), Some(gone)) = (&span.last, &span.gone) {
                        assert!(since <= at(last) && at(last) < at(gone), "{name}: {tool}");
                        before = Some(at(gone));
                    }
                    let exists = |became: &SmolStr| server.tools().any(|(name, _)| name == became);
                    assert!(span.became.iter().all(exists), "{name}: {tool}");
                }
            }
        }
    }

    #[test]
    fn an_id_belongs_to_one_file() {
        let mut ids: Vec<&str> = FILES.iter().flat_map(|file| file.ids).copied().collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }
}
