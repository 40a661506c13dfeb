//! The forms in which texts name a tool: the name its server lists, the part its source contains, the names that
//! clients compose.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::client;
use crate::name::Name;
use crate::rename::{Target, stands_alone};
use crate::text::Span;
use crate::workspace::Snapshot;

/// A form in which texts name the tool.
pub(in crate::rename) struct Form {
    pub(in crate::rename) old: String,
    pub(in crate::rename) new: String,
    pub(in crate::rename) kind: Kind,
    /// Whether the tool's own name has several words.
    pub(super) is_of_words: bool,
}

impl Form {
    /// Whether the old name at a span is a part of the new name: `read_note` in `notes:read_note`.
    pub(super) fn is_in_new(&self, text: &str, span: Span) -> bool {
        self.new.match_indices(&self.old).any(|(at, _)| {
            let start = (span.start as usize).checked_sub(at);
            let whole = start.and_then(|start| Some((start, text.get(start..start + self.new.len())?)));
            whole.is_some_and(|(start, whole)| {
                whole == self.new && stands_alone(text, Span::new(start, start + whole.len()))
            })
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::rename) enum Kind {
    /// A name that a client composes with a prefix that only tools have: `mcp__notes__read`.
    Composed,
    /// A name that a client composes from the server's key and the tool's name alone; a path, a table or a class may
    /// have the same form.
    Loose,
    /// A name of several words, as the server lists it or the source contains it.
    Words,
    /// A name of one word, as the server lists it or the source contains it.
    Word,
}

/// Every form in which texts name the tool.
pub(in crate::rename) struct Names {
    pub(super) all: Vec<Form>,
}

impl Names {
    pub(super) fn of(snapshot: &Snapshot, target: Target<'_>, new: &str) -> Names {
        let old = target.tool.name.as_str();
        let (mut all, mut known): (Vec<Form>, FxHashSet<String>) = Default::default();
        let is_of_several = is_of_words(&target.tool.name);
        let kind = |name: &str| if is_of_words(name) { Kind::Words } else { Kind::Word };
        let mut add = |old: &str, new: &str, kind: Kind| {
            if old != new && known.insert(old.to_string()) {
                all.push(Form { old: old.to_string(), new: new.to_string(), kind, is_of_words: is_of_several });
            }
        };
        add(old, new, kind(old));
        // What a client composes from the old name may be the new one: the server `notes` has the tool `notes:read`.
        for form in Names::composed(snapshot, target, new).into_iter().filter(|form| form.old != new) {
            add(&form.old, &form.new, form.kind);
        }
        // The part of the name that source contains.
        let parts = &target.tool.registration.name.parts;
        let before: usize = parts[..target.tool.local].iter().map(|part| part.text.len()).sum();
        let after: usize = parts[target.tool.local + 1..].iter().map(|part| part.text.len()).sum();
        let short = target.tool.short_name();
        let keeps =
            new.len() > before + after && new.starts_with(&old[..before]) && new.ends_with(&old[old.len() - after..]);
        if parts.len() > 1 && keeps {
            add(short, &new[before..new.len() - after], kind(short));
        }
        Names { all }
    }

    /// Returns the forms that clients compose; a form that several clients use is repeated.
    pub(in crate::rename) fn composed(snapshot: &Snapshot, target: Target<'_>, new: &str) -> Vec<Form> {
        let tools: FxHashSet<&str> = snapshot.analysis().tools().map(|(_, tool)| tool.name.as_str()).collect();
        // The server's other tools, by the characters of their names that every client keeps.
        let mut others: FxHashMap<String, Vec<&str>> = FxHashMap::default();
        for tool in target.server.tools.iter().filter(|tool| tool.name != target.tool.name) {
            others.entry(client::kept_by_all(&tool.name)).or_default().push(&tool.name);
        }
        let others = |name: &str| others.get(&client::kept_by_all(name)).map_or(&[][..], Vec::as_slice);
        let is_of_words = is_of_words(&target.tool.name);
        let mut forms = Vec::new();
        for client in snapshot.files.known_clients().iter() {
            let lists = client.files.iter().flat_map(|file| &file.lists).filter_map(|list| list.grammar.as_ref());
            for grammar in lists.chain([&client.names]).chain(&client.wire) {
                let own = grammar.normalise_tool(&target.tool.name);
                let is_alike = others(&own).iter().any(|name| grammar.normalise_tool(name) == own);
                for key in target.known_as(snapshot) {
                    let old = grammar.composed(key, &target.tool.name);
                    // A form that is also a name of another tool, plain or composed by this client, means that tool.
                    if tools.contains(old.as_str())
                        || is_alike
                        || others(&old).iter().any(|name| grammar.normalise_tool(name) == old)
                    {
                        continue;
                    }
                    let kind = if client::begins_as_mcp(&old) { Kind::Composed } else { Kind::Loose };
                    forms.push(Form { old, new: grammar.composed(key, new), kind, is_of_words });
                }
            }
        }
        forms
    }
}

fn is_of_words(name: &str) -> bool {
    Name::new(name).lower_words().len() > 1
}
