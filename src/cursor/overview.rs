//! An overview of a workspace: its servers, their tools, and the entries of client files about each tool.

use smol_str::SmolStr;

use crate::rename::Target;
use crate::text::{FileId, Span};
use crate::verdict::{Permit, Permits, deciding_in};
use crate::workspace::{Server, Snapshot, Tool};

/// A server with its tools, sorted by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServerOverview {
    pub name: String,
    /// The folder of the server's package, relative to the root of the workspace.
    pub root: String,
    /// The keys under which client files start the server, with the places of the entries that do so.
    pub keys: Vec<(String, Vec<(FileId, Span)>)>,
    /// The reasons why the server may have more tools than were found.
    pub incomplete_because: Vec<String>,
    pub tools: Vec<ToolOverview>,
    /// The number of further tools, which are not shown because nobody can look through that many.
    pub more_tools: usize,
}

/// A tool with the entries of client files about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ToolOverview {
    pub name: String,
    pub title: Option<String>,
    /// The file and span of the tool's own part of its name.
    pub place: (FileId, Span),
    /// The name of the tool of which this one is an alias.
    pub alias_of: Option<String>,
    pub is_destructive: bool,
    pub said: Vec<Said>,
}

/// A string of a client file that names a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    /// `allow`, `ask` or `deny`.
    pub kind: &'static str,
    /// The display name of the client.
    pub client: SmolStr,
    pub text: String,
    pub place: (FileId, Span),
    /// Whether this string decides about the tool, among all strings about the tool that the client reads.
    pub decides: bool,
}

/// The maximum number of tools of a workspace that are shown.
const MOST_TOOLS: usize = 2_000;
/// The maximum number of entries about one tool that are shown, not counting an entry that decides.
const MOST_SAID: usize = 100;

/// Returns every server of the workspace that registers tools.
pub(crate) fn overview(snapshot: &Snapshot) -> Vec<ServerOverview> {
    let analysis = snapshot.analysis();
    let permits = Permits::new(snapshot);
    let mut servers: Vec<&Server> = analysis.servers.iter().filter(|server| !server.tools.is_empty()).collect();
    servers.sort_by(|a, b| (&a.name, &a.root).cmp(&(&b.name, &b.root)));
    let mut left = MOST_TOOLS;
    servers
        .into_iter()
        .map(|server| {
            let entries = |key: &String| analysis.keys.get(key).map(|known| known.entries.clone()).unwrap_or_default();
            let mut tools: Vec<&Tool> = server.tools.iter().collect();
            tools.sort_by(|a, b| a.name.cmp(&b.name));
            let more_tools = tools.len().saturating_sub(left);
            tools.truncate(left);
            left -= tools.len();
            ServerOverview {
                name: server.name.clone(),
                root: server.root.clone(),
                keys: server.keys.iter().map(|key| (key.clone(), entries(key))).collect(),
                incomplete_because: server.incomplete_because.iter().map(ToString::to_string).collect(),
                tools: tools.iter().map(|tool| of_tool(snapshot, &permits, Target { server, tool })).collect(),
                more_tools,
            }
        })
        .collect()
}

fn of_tool(snapshot: &Snapshot, permits: &Permits<'_>, target: Target<'_>) -> ToolOverview {
    let tool: &Tool = target.tool;
    let place = tool.local_place();
    let own = permits.of(target.server.known_as(), &target.tool.name);
    let decisive: Vec<Option<&Permit<'_>>> =
        snapshot.files.known_clients().iter().map(|client| deciding_in(&own, client)).collect();
    let decides = |permit: &Permit<'_>| decisive[permit.list.client.index].is_some_and(|one| std::ptr::eq(one, permit));
    let mut left = MOST_SAID;
    let is_shown = |permit: &&Permit<'_>| {
        let is_shown = left > 0 || decides(permit);
        left = left.saturating_sub(1);
        is_shown
    };
    let said = own.iter().filter(is_shown).map(|permit| Said {
        kind: permit.list.kind.as_str(),
        client: permit.list.client.name.clone(),
        text: permit.entry.text.text.clone(),
        place: (permit.file, permit.entry.text.span),
        decides: decides(permit),
    });
    ToolOverview {
        name: tool.name.clone(),
        title: tool.title().map(|title| title.to_string()),
        place: (place.file, snapshot.files.span(place)),
        alias_of: snapshot.files.alias_of(tool),
        is_destructive: tool.is_destructive(),
        said: said.collect(),
    }
}
