//! The edits of a rename, by purpose, and the places that it leaves unchanged.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::refusal::{At, Left, NoAlias};
use super::{Texts, obstacles, read_file};
use crate::diagnostic::Edits;
use crate::document;
use crate::framework::AliasMode;
use crate::path::is_test;
use crate::places::Places;
use crate::syntax;
use crate::text::{Edit, FileId, Span};
use crate::workspace::{File, Snapshot, Surroundings};

/// The edits of a rename, and the places that it leaves unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// The mode of the alias that keeps the old name; `None` if there is no alias.
    pub alias: Option<AliasMode>,
    /// Why the old name is not kept as an alias, although an alias was requested.
    pub lost: Option<NoAlias>,
    /// Why the alias does not have the requested mode; `None` if it has, or if the framework supports no other mode.
    pub fallback: Option<NoAlias>,
    pub changes: BTreeMap<Group, Edits>,
    /// The edits and skipped places in files that are not in the snapshot, by path.
    pub documents: BTreeMap<String, Document>,
    /// Places that name the tool and stay as they are, with the reason.
    pub skipped: Vec<Skipped>,
    /// Lists that code searches for a name, each with its file: the edit that replaces the old name, and the
    /// alternative edit that keeps the old name and adds the new one.
    pub(super) searched: Vec<(Whose, Edit, Edit)>,
}

/// The file that an edit belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Whose {
    File(FileId),
    /// The path of a file that is not in the snapshot.
    Document(String),
}

/// The purpose of an edit. Users review the edits of some groups before they apply them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// The name at its registration, and the cases and keys by which the server finds the handler.
    Source,
    /// The code that keeps the old name callable.
    Alias,
    /// Entries and patterns that permit, forbid or hook the tool.
    Permissions,
    /// Mentions in documents, descriptions and comments.
    Docs,
}

impl Group {
    pub const ALL: [Group; 4] = [Group::Source, Group::Alias, Group::Permissions, Group::Docs];

    /// Returns the group's identifier in protocols.
    pub fn id(self) -> &'static str {
        match self {
            Group::Source => "source",
            Group::Alias => "alias",
            Group::Permissions => "permissions",
            Group::Docs => "docs",
        }
    }
}

/// A file of the workspace that is not part of the snapshot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// The text of the file as it was read.
    pub text: String,
    pub edits: Vec<Edit>,
    pub skipped: Vec<(Span, Left)>,
}

/// Adds edits to others, sorted and without duplicates.
pub(super) fn join(edits: &mut Edits, more: Edits) {
    for (file, more) in more {
        let own = edits.entry(file).or_default();
        own.extend(more);
        own.sort();
        own.dedup();
    }
}

impl Plan {
    /// Creates a plan that only edits source files of the snapshot.
    pub fn of(edits: Edits) -> Plan {
        Plan { changes: BTreeMap::from([(Group::Source, edits)]), ..Plan::default() }
    }

    /// Returns every edit of files in the snapshot, sorted and without duplicates.
    pub fn edits(&self) -> Edits {
        let mut all = Edits::new();
        self.changes.values().for_each(|edits| join(&mut all, edits.clone()));
        all
    }

    pub(super) fn push(&mut self, group: Group, file: FileId, edit: Edit) {
        self.changes.entry(group).or_default().entry(file).or_default().push(edit);
    }

    /// Drops the edits of files outside the workspace and reports them as skipped.
    pub(super) fn stay_inside(&mut self, snapshot: &Snapshot, around: &dyn Surroundings) {
        let is_outside = |path: &str| !around.holds(path);
        let mut left = Vec::new();
        for edits in self.changes.values_mut() {
            let (outside, inside) =
                std::mem::take(edits).into_iter().partition(|(file, _)| is_outside(snapshot.files.path(*file)));
            *edits = inside;
            left.extend::<Edits>(outside);
        }
        for (file, edits) in left {
            let first = edits.iter().map(|edit| edit.span).min().unwrap_or(Span::at(0));
            self.skip(file, first, Left::Outside);
        }
        for (_, document) in self.documents.iter_mut().filter(|(path, _)| is_outside(path)) {
            let left = document.edits.drain(..).map(|edit| (edit.span, Left::Outside));
            document.skipped.extend(left);
        }
    }

    /// Adds the edits that keep the columns of Markdown tables aligned.
    pub(super) fn lay_out(&mut self, snapshot: &Snapshot, texts: Texts<'_>) {
        for (file, edits) in self.edits() {
            let path = snapshot.files.path(file);
            let Some(text) = syntax::is_markdown(path).then(|| texts(file)).flatten() else { continue };
            document::padding(&text, &edits).into_iter().for_each(|edit| self.push(Group::Docs, file, edit));
        }
        for (_, document) in self.documents.iter_mut().filter(|(path, _)| syntax::is_markdown(path)) {
            let more = document::padding(&document.text, &document.edits);
            document.edits.extend(more);
        }
    }

    /// Keeps one reason for each skipped place, the most important one, and none for a place that is edited after all.
    pub(super) fn say_once(&mut self) {
        let edited = self.edits();
        let is_replaced = |left: &Skipped| {
            if !left.reason.is_of_a_text() {
                return false;
            }
            let edits = edited.get(&left.file).map_or(&[][..], Vec::as_slice);
            edits.iter().any(|edit| edit.span.overlaps(left.span))
        };
        self.skipped.retain(|left| !is_replaced(left));
        self.skipped.sort_by(|a, b| (a.file, a.span.start, &a.reason).cmp(&(b.file, b.span.start, &b.reason)));
        self.skipped.dedup_by_key(|left| (left.file, left.span.start));
        for document in self.documents.values_mut() {
            document.skipped.sort_by(|(a, why), (b, other)| (a.start, why).cmp(&(b.start, other)));
            document.skipped.dedup_by_key(|(span, _)| span.start);
        }
    }

    /// Returns the entry of a file that is not in the snapshot; creates it with `text` if there is none.
    pub(super) fn document(&mut self, path: &str, text: &str) -> &mut Document {
        let empty = || Document { text: text.to_string(), ..Document::default() };
        self.documents.entry(path.to_string()).or_insert_with(empty)
    }

    pub(super) fn skip(&mut self, file: FileId, span: Span, reason: Left) {
        self.skipped.push(Skipped { file, span, reason });
    }

    /// Returns the places of the assertions in tests that no longer hold.
    pub(super) fn broken_tests(&self, snapshot: &Snapshot) -> Vec<At> {
        self.left(snapshot, |left| matches!(left, Left::Comparison(_)))
    }

    /// Returns the first skipped place outside tests that may forbid the tool.
    pub(super) fn guard(&self, snapshot: &Snapshot) -> Option<At> {
        self.left(snapshot, Left::may_guard).into_iter().find(|at| !is_test(&at.path))
    }

    /// Returns the skipped places whose reason `is_it` accepts, sorted.
    fn left(&self, snapshot: &Snapshot, is_it: impl Fn(&Left) -> bool) -> Vec<At> {
        let own = self.skipped.iter().filter(|left| is_it(&left.reason));
        let own = own.map(|left| obstacles::at(snapshot, left.file, left.span));
        let documents = self.documents.iter().flat_map(|(path, document)| {
            document.skipped.iter().filter(|(_, left)| is_it(left)).map(|(span, _)| {
                let line = document.text[..span.start as usize].matches('\n').count() as u32 + 1;
                At { path: path.clone(), line }
            })
        });
        let mut all: Vec<At> = own.chain(documents).collect();
        all.sort();
        all
    }

    /// Adds and drops edits of a file. A place that is edited now is no longer skipped.
    pub(super) fn revise(&mut self, snapshot: &Snapshot, file: (&str, &str), added: Vec<Edit>, dropped: &[Edit]) {
        self.revise_in(Group::Alias, snapshot, file, added, dropped);
    }

    /// Like [`revise`](Plan::revise), but adds the edits to a group.
    pub(super) fn revise_in(
        &mut self,
        group: Group,
        snapshot: &Snapshot,
        (path, text): (&str, &str),
        added: Vec<Edit>,
        dropped: &[Edit],
    ) {
        let is_edited = |span: Span| added.iter().any(|edit| edit.span.touches(span.start));
        match read_file(snapshot, path, text).map(|file| file.id) {
            Some(file) => {
                for edits in self.changes.values_mut().filter_map(|edits| edits.get_mut(&file)) {
                    edits.retain(|edit| !dropped.contains(edit));
                }
                self.skipped.retain(|left| left.file != file || !is_edited(left.span));
                added.into_iter().for_each(|edit| self.push(group, file, edit));
            }
            None => {
                let document = self.document(path, text);
                document.edits.retain(|edit| !dropped.contains(edit));
                document.skipped.retain(|(span, _)| !is_edited(*span));
                document.edits.extend(added);
            }
        }
    }

    /// Reports a place of a file that stays as it is.
    pub(super) fn leave(&mut self, snapshot: &Snapshot, (path, text): (&str, &str), span: Span, reason: Left) {
        match read_file(snapshot, path, text) {
            Some(file) => self.skip(file.id, span, reason),
            None => self.document(path, text).skipped.push((span, reason)),
        }
    }

    /// Returns the places that the plan edits in a file.
    pub(super) fn edited(&self, file: FileId) -> Places {
        let edits = self.changes.values().filter_map(|edits| edits.get(&file)).flatten();
        edits.map(|edit| edit.span).collect()
    }

    /// Returns the places that the plan edits in `file`, or in the document at `path` if `file` is `None`.
    pub(super) fn edited_in(&self, file: Option<&Arc<File>>, path: &str) -> Places {
        match file {
            Some(file) => self.edited(file.id),
            None => {
                let edits = self.documents.get(path).into_iter().flat_map(|known| &known.edits);
                edits.map(|edit| edit.span).collect()
            }
        }
    }

    /// Returns the places that the plan skips in a file; none if `file` is `None`.
    pub(super) fn skipped_in(&self, file: Option<&Arc<File>>) -> Places {
        let told = self.skipped.iter().filter(|left| file.is_some_and(|file| file.id == left.file));
        told.map(|left| left.span).collect()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    pub file: FileId,
    pub span: Span,
    pub reason: Left,
}
