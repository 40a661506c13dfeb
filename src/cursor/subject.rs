//! The subject under a cursor: the text there that names tools.

use rustc_hash::FxHashSet;

use crate::client::{ClientFacts, Entry, List, ListKind, Rule, glob_matches};
use crate::document;
use crate::known::gateway::Layers;
use crate::lower::Expr;
use crate::rename::{self, Target};
use crate::text::{FileId, Span};
use crate::workspace::{Content, Snapshot, Tool};

/// A text that names tools.
pub enum Subject<'a> {
    /// A piece of a tool's name as its registration uses it.
    Tool { target: Target<'a>, span: Span },
    /// A mention of a tool elsewhere: a dispatch case of its server, or text such as a comment or a document.
    Named { target: Target<'a>, span: Span },
    /// A permission string.
    Permission { list: &'a List, entry: &'a Entry, targets: Vec<Target<'a>> },
    /// A server's key in a client file.
    Key { key: String, span: Span },
    /// A text that refers to tools of a gateway in another form: a pool key, the name that is forwarded to the server,
    /// or a name in a document.
    Layer { span: Span, tools: Vec<Target<'a>> },
}

/// Returns the subject at a byte offset of a file.
pub fn subject<'a>(snapshot: &'a Snapshot, file: FileId, offset: u32) -> Option<Subject<'a>> {
    let mut facts = snapshot.client_facts(file);
    if let Some(found) = facts.find_map(|facts| in_client_file(snapshot, file, facts, offset)) {
        return Some(found);
    }
    match &snapshot.files.get(file)?.content {
        Content::Source(_) => {
            for (server, tool) in snapshot.analysis().tools() {
                for part in &tool.registration.name.parts {
                    let Some(place) = part.place().filter(|place| place.file == file) else {
                        continue;
                    };
                    let span = snapshot.files.span(place);
                    if span.touches(offset) {
                        return Some(Subject::Tool { target: Target { server, tool }, span });
                    }
                }
            }
            in_case(snapshot, file, offset).or_else(|| in_layer(snapshot, file, offset))
        }
        Content::Data(_) | Content::Markdown(_) => in_layer(snapshot, file, offset),
        _ => None,
    }
}

/// Returns the subject at a byte offset of a file, including mentions of a tool in text. `text` is only called if
/// nothing else is found.
pub(crate) fn subject_or_spoken_of<'a>(
    snapshot: &'a Snapshot,
    file: FileId,
    offset: u32,
    text: impl FnOnce() -> Option<String>,
) -> Option<Subject<'a>> {
    subject(snapshot, file, offset).or_else(|| {
        let (span, target) = rename::spoken_of(snapshot, snapshot.files.path(file), &text()?, offset)?;
        Some(Subject::Named { target, span })
    })
}

/// Returns the tool that a server runs for the dispatch case, key or comparison at a byte offset.
fn in_case<'a>(snapshot: &'a Snapshot, file: FileId, offset: u32) -> Option<Subject<'a>> {
    for server in &snapshot.analysis().servers {
        for case in server.cases().filter(|case| case.place.file == file) {
            let span = snapshot.files.span(case.place);
            let is_it = |tool: &&Tool| case.text == *tool.name || case.text == *tool.short_name();
            if span.touches(offset)
                && let Some(tool) = server.tools.iter().find(is_it)
            {
                return Some(Subject::Named { target: Target { server, tool }, span });
            }
        }
    }
    None
}

/// Returns the tools of a gateway to which the text at a byte offset refers. The text is a literal in source, a string
/// or key in a data file, or a word in the code of a document.
fn in_layer<'a>(snapshot: &'a Snapshot, file: FileId, offset: u32) -> Option<Subject<'a>> {
    let file = snapshot.files.get(file)?;
    let convention = snapshot.files.configs().policy(&file.path).convention;
    convention.gateway.as_ref()?;
    let (text, span) = match &file.content {
        Content::Source(facts) => facts.items.iter().find_map(|item| {
            let mut found = None;
            item.facts.each_expression(&mut |expr| match expr {
                Expr::Text { text, span } if span.shifted(item.start).touches(offset) => {
                    found = Some((text.to_string(), span.shifted(item.start)));
                }
                _ => {}
            });
            found
        })?,
        Content::Data(data) => {
            let mut open: Vec<&document::Node> = data.root.iter().collect();
            let mut found = None;
            while let Some(node) = open.pop() {
                let texts = node.as_text().into_iter().chain(node.entries().map(|(key, _)| key));
                found = found.or_else(|| texts.into_iter().find(|text| text.span.touches(offset)));
                open.extend(node.elements().iter().chain(node.entries().map(|(_, value)| value)));
            }
            let text = found?;
            (text.text.clone(), text.span)
        }
        Content::Markdown(markdown) => {
            let code = markdown.code.iter().find(|code| code.span.touches(offset))?;
            let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
            let at = (offset - code.span.start) as usize;
            let start = code.text.get(..at)?.rfind(|c| !is_part(c)).map_or(0, |before| before + 1);
            let end = code.text.get(at..)?.find(|c| !is_part(c)).map_or(code.text.len(), |length| at + length);
            (code.text[start..end].to_string(), code.span.slice(start, end))
        }
        _ => return None,
    };
    let layers = Layers::of(snapshot, &convention)?;
    let meant: Vec<*const Tool> =
        layers.tools_meant(&text).iter().map(|definition| std::ptr::from_ref(definition.tool)).collect();
    let all = snapshot.analysis().tools().map(|(server, tool)| Target { server, tool });
    let tools: Vec<Target<'a>> = all.filter(|target| meant.contains(&std::ptr::from_ref(target.tool))).collect();
    (!tools.is_empty()).then_some(Subject::Layer { span, tools })
}

fn in_client_file<'a>(
    snapshot: &'a Snapshot,
    file: FileId,
    facts: &'a ClientFacts,
    offset: u32,
) -> Option<Subject<'a>> {
    for list in &facts.lists {
        if let Some(entry) = list.entries.iter().find(|entry| entry.text.span.touches(offset)) {
            return Some(Subject::Permission { list, entry, targets: matched(snapshot, list, entry) });
        }
    }
    if let Some(key) = facts.keys.iter().map(|switch| &switch.key).find(|key| key.span.touches(offset)) {
        return Some(Subject::Key { key: key.text.clone(), span: key.span });
    }
    let entry = facts.servers.iter().find(|entry| entry.key.span.touches(offset))?;
    let key = snapshot.files.names_of(snapshot.files.path(file), entry).into_iter().next()?;
    Some(Subject::Key { key, span: entry.key.span })
}

/// Returns the tools that a permission string matches.
pub(super) fn matched<'a>(snapshot: &'a Snapshot, list: &List, entry: &Entry) -> Vec<Target<'a>> {
    let text = entry.text.text.as_str();
    let grammar = &list.grammar;
    let analysis = snapshot.analysis();
    let spelt = grammar.spell_all(analysis.keys.keys());
    if list.is_bare() {
        let own = analysis.tools().filter(|(_, tool)| tool.name == text);
        return own.map(|(server, tool)| Target { server, tool }).collect();
    }
    let expression = list.expression(text);
    let pattern = match list.parse(text, &spelt) {
        _ if expression.is_some() => String::new(),
        // A hook's matcher is compared with whole names, so the name of a server matches no tool.
        Rule::Server { .. } if list.kind == ListKind::Hook => return Vec::new(),
        Rule::Tool { .. } | Rule::ToolPattern { .. } | Rule::Pattern => list.pattern(text).into_owned(),
        Rule::Server { server } => format!("{}*{}", grammar.server_prefix(server), grammar.tool.suffix),
        Rule::BuiltIn | Rule::Malformed(_) => return Vec::new(),
    };
    let mut targets = Vec::new();
    let mut seen: FxHashSet<String> = FxHashSet::default();
    for (key, known) in analysis.keys_of(list) {
        for server in analysis.servers_of(known) {
            for tool in &server.tools {
                let name = grammar.composed(key, &tool.name);
                let is_match = match &expression {
                    Some(expression) => expression.is_match(&name) == Some(true),
                    None => glob_matches(&pattern, &name),
                };
                if is_match && seen.insert(name) {
                    targets.push(Target { server, tool });
                }
            }
        }
    }
    targets
}

impl Subject<'_> {
    /// Returns the span of the subject's text.
    pub fn span(&self) -> Span {
        match self {
            Subject::Tool { span, .. }
            | Subject::Named { span, .. }
            | Subject::Key { span, .. }
            | Subject::Layer { span, .. } => *span,
            Subject::Permission { entry, .. } => entry.text.span,
        }
    }
}
