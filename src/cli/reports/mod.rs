//! Findings in the formats of other programs: code scanning, merge requests and test reports.
//!
//! Their paths are relative to the repository, whichever of its folders is checked, since that is what these programs
//! compare them with.

mod github;
mod gitlab;
mod junit;
mod sarif;

use std::cell::RefCell;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

use super::report::{Point, point};
use crate::diagnostic::{Diagnostic, Edits, Fix, Severity};
use crate::disk::Disk;
use crate::rename::Texts;
use crate::show::Page;
use crate::text::{FileId, Span};
use crate::workspace::Snapshot;

/// The characters of a path that a URI keeps as they are: the unreserved ones, and the separator.
const IN_PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A format of another program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exchange {
    Sarif,
    Github,
    Gitlab,
    Junit,
}

/// The findings of a workspace.
pub(super) struct Findings<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) disk: &'a Disk,
    pub(super) diagnostics: &'a [Diagnostic],
    pub(super) texts: Texts<'a>,
    /// The least severity that makes the check fail.
    pub(super) fail_on: Severity,
    /// Returns the edits of a fix; `None` if it cannot be applied.
    pub(super) edits: &'a dyn Fn(&Fix) -> Option<Edits>,
}

/// A finding with its place in the repository.
struct Finding<'a> {
    diagnostic: &'a Diagnostic,
    path: String,
    start: Point,
    end: Point,
    fingerprint: String,
}

impl Findings<'_> {
    pub(super) fn render(&self, format: Exchange) -> Page {
        match format {
            Exchange::Sarif => Page::json(&sarif::log(self)),
            Exchange::Github => github::commands(self),
            Exchange::Gitlab => Page::json(&gitlab::issues(self)),
            Exchange::Junit => junit::report(self),
        }
    }

    /// Returns every finding, in the order of the check.
    fn all(&self) -> Vec<Finding<'_>> {
        let mut seen: FxHashMap<(&str, String, String), usize> = FxHashMap::default();
        let last: RefCell<Option<(FileId, String)>> = RefCell::default();
        let marked = |file: FileId, span: Span| {
            let mut last = last.borrow_mut();
            if last.as_ref().is_none_or(|(known, _)| *known != file) {
                *last = Some((file, (self.texts)(file).unwrap_or_default()));
            }
            let text = last.as_ref().map_or("", |(_, text)| text.as_str());
            text.get(span.start as usize..span.end as usize).unwrap_or_default().to_string()
        };
        let mut all = Vec::with_capacity(self.diagnostics.len());
        for diagnostic in self.diagnostics {
            let Diagnostic { file, span, rule, .. } = *diagnostic;
            let (path, marked) = (self.path(file), marked(file, span));
            let nth = seen.entry((rule, path.clone(), marked.clone())).or_default();
            let fingerprint = fingerprint(rule, &path, &marked, *nth);
            *nth += 1;
            let (start, end) = self.range(file, span);
            all.push(Finding { diagnostic, path, start, end, fingerprint });
        }
        all
    }

    /// Returns the path of a file relative to the repository.
    fn path(&self, file: FileId) -> String {
        self.disk.in_repository(self.snapshot.files.path(file))
    }

    fn range(&self, file: FileId, span: Span) -> (Point, Point) {
        (point(self.snapshot, file, span.start), point(self.snapshot, file, span.end))
    }
}

/// Returns a text that identifies a finding in later checks: it depends on the rule, the file and the marked text, and
/// on how many findings of the same kind are above it, but not on the line.
fn fingerprint(rule: &str, path: &str, marked: &str, nth: usize) -> String {
    let mut hash = Sha256::new();
    for part in [rule, path, marked, &nth.to_string()] {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// Returns a path as the path of a URI reference.
fn uri(path: &str) -> String {
    utf8_percent_encode(path, IN_PATH).to_string()
}
