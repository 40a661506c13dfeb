//! Places in the output: lines and columns are 1-based, and columns count Unicode scalar values.

use serde_json::{Value, json};

use crate::disk::Skipped;
use crate::found::Place;
use crate::show::{self, Page};
use crate::text::{Encoding, FileId, Span};
use crate::workspace::{Snapshot, is_config};

/// A line and column, both 1-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Point {
    pub(super) line: u32,
    pub(super) column: u32,
}

pub(super) fn point(snapshot: &Snapshot, file: FileId, offset: u32) -> Point {
    let position = snapshot.position(file, offset, Encoding::Utf32);
    Point { line: position.line + 1, column: position.column + 1 }
}

pub(super) fn range(snapshot: &Snapshot, file: FileId, span: Span) -> Value {
    let json = |point: Point| json!({ "line": point.line, "column": point.column });
    json!({
        "start": json(point(snapshot, file, span.start)),
        "end": json(point(snapshot, file, span.end)),
    })
}

/// Returns the path, line and column of a place.
pub(super) fn at(snapshot: &Snapshot, place: Place) -> (String, Point) {
    let span = snapshot.files.span(place);
    (snapshot.files.path(place.file).to_string(), point(snapshot, place.file, span.start))
}

/// Names the files that were not read, each with the reason. Configs and client files are reported on standard error
/// instead.
pub(super) fn tell_skipped(out: &mut Page, skipped: &[Skipped], snapshot: &Snapshot) {
    let is_elsewhere =
        |skipped: &&Skipped| is_config(&skipped.path) || skipped.is_of_client(snapshot.files.known_clients());
    for skipped in skipped.iter().filter(|skipped| !is_elsewhere(skipped)) {
        out.line(format_args!("skipped {}: {}", show::value(&skipped.path), skipped.reason));
    }
}
