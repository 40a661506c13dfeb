//! Recorded answers of running servers: the known tools of a server whose source is elsewhere.

use std::sync::Arc;

use smol_str::SmolStr;

use super::server::{Server, Tool};
use crate::document::{Node, Text};
use crate::found::{Confidence, HINTS, Place, Registration, Traced};
use crate::framework::Kind;
use crate::lower::ScopeId;
use crate::text::{FileId, Span};

/// The folder of snapshots, relative to the root.
pub(crate) const SNAPSHOTS: &str = ".toolnames/snapshots";

/// The contents of a snapshot.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recorded {
    /// The key of the server that was recorded.
    pub key: String,
    /// The span of that key, if it is written in the file.
    pub key_span: Span,
    /// The name that the server reported.
    pub server: Option<String>,
    /// The version of the package that was started, or else the version that the server reported.
    pub version: Option<String>,
    pub tools: Vec<RecordedTool>,
    /// Whether the server said that its list may differ from user to user.
    pub is_private: bool,
    /// The place of a fault and the reason why the snapshot is not used.
    pub fault: Option<(Span, String)>,
}

/// A tool of a snapshot.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedTool {
    pub name: Text,
    /// The span of the whole entry.
    pub span: Span,
    pub title: Option<Text>,
    pub description: Option<Text>,
    pub annotations: Vec<(SmolStr, bool)>,
    /// Whether only the server's apps may use it, not the model.
    pub app_only: bool,
}

impl Recorded {
    /// Whether a path is that of a snapshot.
    pub fn is_path(path: &str) -> bool {
        path.ends_with(".json") && (path.starts_with(SNAPSHOTS) || path.contains("/.toolnames/snapshots/"))
    }

    /// The path of the snapshot for a key. Characters that a file name cannot contain are written as their code, in
    /// hexadecimal after `%`.
    pub fn path_of(key: &str) -> String {
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '@' | ' ');
        let mut name = String::new();
        for (index, c) in key.char_indices() {
            match is_plain(c) && !(index == 0 && c == '.') {
                true => name.push(c),
                false => name.push_str(&format!("%{:02X}", c as u32)),
            }
        }
        format!("{SNAPSHOTS}/{name}.json")
    }

    /// The result of reading a file that contains nothing.
    pub(super) fn empty() -> Recorded {
        Recorded { fault: Some((Span::default(), NOTHING.to_string())), ..Recorded::default() }
    }

    /// Reads a snapshot from its document.
    pub fn read(path: &str, root: &Node) -> Recorded {
        let stem = path.rsplit('/').next().and_then(|name| name.strip_suffix(".json")).unwrap_or_default();
        let text = |node: &Node, key: &str| node.get(key).and_then(Node::as_text).cloned();
        let key = text(root, "key");
        let info = root.get("serverInfo");
        let said = |node: Option<&Node>, key: &str| node.and_then(|node| node.get(key)?.as_str().map(str::to_string));
        let Some(tools) = root.get("tools").filter(|tools| matches!(tools.value, crate::document::Value::Array(_)))
        else {
            let fault = NOTHING.to_string();
            return Recorded {
                fault: Some((Span { end: root.span.start + 1, ..root.span }, fault)),
                ..Recorded::default()
            };
        };
        let tool = |node: &Node| {
            let annotations = node.get("annotations");
            let hints = HINTS
                .into_iter()
                .filter_map(|(hint, _)| Some((SmolStr::new_static(hint), annotations?.get(hint)?.as_bool()?)));
            Some(RecordedTool {
                name: text(node, "name")?,
                span: node.span,
                title: text(node, "title").or_else(|| text(annotations?, "title")),
                description: text(node, "description"),
                annotations: hints.collect(),
                app_only: node.at(["_meta", "ui", "visibility"]).is_some_and(is_app_only),
            })
        };
        Recorded {
            key_span: key.as_ref().map_or(Span::default(), |key| key.span),
            key: key.map_or_else(|| stem.to_string(), |key| key.text),
            server: said(info, "name"),
            version: said(root.get("package"), "version").or_else(|| said(info, "version")),
            tools: tools.elements().iter().filter_map(tool).collect(),
            is_private: said(Some(root), "cacheScope").is_some_and(|scope| scope == "private"),
            fault: tools.elements().iter().find(|node| node.get("name").and_then(Node::as_str).is_none()).map(|node| {
                (node.span, "a tool without a name; record it again with `toolnames snapshot`".to_string())
            }),
        }
    }

    /// The server that the snapshot describes.
    pub(super) fn server(&self, file: FileId) -> Server {
        let place = |span: Span| Place { file, item: 0, span };
        let literal = |text: &Text| Traced::literal(text.text.as_str().into(), place(text.span));
        let tools = self.tools.iter().map(|tool| {
            let registration = Registration {
                kind: Kind::Tool,
                framework: 0,
                name: literal(&tool.name),
                title: tool.title.as_ref().map(literal),
                untitled: tool.title.is_none(),
                title_place: None,
                description: tool.description.as_ref().map(literal),
                annotations: tool.annotations.clone(),
                app_only: tool.app_only,
                schema: None,
                handler: None,
                servers: Vec::new(),
                place: place(tool.span),
                callers: Vec::new(),
                naming: None,
                body: (file, 0, ScopeId(0)),
                conditional: false,
                filtered: false,
                listed: true,
                listing: None,
                mounted: 0,
                keys: Vec::new(),
                compared: Vec::new(),
                found_by: Vec::new(),
                agreeing: Vec::new(),
                confidence: Confidence::Exact,
            };
            Tool { name: tool.name.text.clone(), registration: Arc::new(registration), shared_by: vec![1], local: 0 }
        });
        let name = self.server.clone().unwrap_or_else(|| self.key.clone());
        let mut server = Server::recorded(name, SNAPSHOTS, self.key.clone(), tools.collect());
        if self.is_private {
            server.incomplete_because.push("its list of tools may differ from user to user".into());
        }
        server
    }
}

/// Whether a list names those who may use a tool, and the model is not among them.
fn is_app_only(visibility: &Node) -> bool {
    let elements = visibility.elements();
    !elements.is_empty() && elements.iter().all(|element| element.as_str().is_some_and(|who| who != "model"))
}

/// The fault of a snapshot that contains no tools.
const NOTHING: &str = "not a snapshot: it has no list of `tools`; record one with `toolnames snapshot`";
