//! Limits on evaluation: bytes of a string, elements of a list, and the steps that creating them costs.
//!
//! A few lines can double a string or a list again and again. A value beyond its limit is unknown, and records the
//! place where it exceeded the limit. A registration that depends on the value is dynamic at that place. Creating
//! something in one operation costs steps in proportion to its size, so that the steps of a file bound its time and its
//! memory. All limits depend on the code alone.

use super::expression::Evaluator;
use super::value::{Elements, Pairs, Value};
use super::{Part, Place, Traced, Unknown};

/// How many steps one file may take at most: a second's worth.
const MOST_STEPS: u32 = 1_000_000;
/// How many steps the files that need more than [`FIRST`] may take together.
const STEPS_TOGETHER: u32 = 4_000_000;

/// How many steps every file of a workspace may take: nearly all hand-written files need fewer.
pub(crate) const FIRST: u32 = 20_000;

/// How many steps each file may take for which [`FIRST`] is not enough, if there are `files` of them. The result
/// depends on their number alone, so that the same code gets the same steps on every machine and after every edit.
pub(crate) fn share(files: usize) -> u32 {
    let files = u32::try_from(files.max(1)).unwrap_or(u32::MAX);
    (STEPS_TOGETHER / files).clamp(FIRST, MOST_STEPS)
}

/// How many bytes a string may have. The longest hand-written descriptions have about ten thousand.
const MAX_TEXT: usize = 64 * 1024;
/// How many bytes a name may have: far more than any client accepts.
pub(super) const MAX_NAME: usize = 4 * 1024;
/// How many elements a list, and how many entries an object may have.
pub(super) const MAX_ELEMENTS: usize = 16 * 1024;

/// How many bytes, parts and elements are created in one step. An entry with its key costs one step.
const BYTES_A_STEP: usize = 64;
const PARTS_A_STEP: usize = 4;
const ELEMENTS_A_STEP: usize = 2;

/// A string under construction, which stops growing beyond [`MAX_TEXT`].
#[derive(Default)]
pub(super) struct Growing {
    text: Traced,
    length: usize,
}

impl Growing {
    pub(super) fn add(&mut self, parts: impl IntoIterator<Item = Part>) {
        for part in parts {
            if self.is_too_long() {
                return;
            }
            self.length += part.text.len();
            if !part.text.is_empty() {
                self.text.parts.push(part);
            }
        }
    }

    pub(super) fn is_too_long(&self) -> bool {
        self.length > MAX_TEXT
    }
}

impl Traced {
    /// Whether it is longer than a name may be.
    pub(super) fn is_too_long(&self) -> bool {
        self.parts.iter().map(|part| part.text.len()).sum::<usize>() > MAX_NAME
    }
}

impl Unknown {
    /// A value that exceeds a limit at a place, for the reason `what`.
    pub(super) fn outgrown(what: &'static str, at: Place) -> Unknown {
        Unknown { at: Some(at), ..Unknown::because(what) }
    }
}

/// The reason for a value that was not computed because no steps were left.
pub(super) const TOO_MANY_STEPS: &str = "it takes too many steps to compute";

const LONG_TEXT: &str = "the string grows past 64 KiB here";
pub(super) const LONG_LIST: &str = "the list grows past 16,384 elements here";
pub(super) const LARGE_OBJECT: &str = "the object grows past 16,384 entries here";

impl<'a> Evaluator<'a> {
    /// The string that is created at a place; unknown if it is too long, or if no steps are left.
    pub(super) fn text_of(&self, made: Growing, at: Place) -> Value<'a> {
        self.spend(made.length / BYTES_A_STEP + made.text.parts.len() / PARTS_A_STEP);
        match made.is_too_long() {
            true => Value::Unknown(Unknown::outgrown(LONG_TEXT, at)),
            false if self.is_exhausted() => Value::unknown(TOO_MANY_STEPS),
            false => Value::Text(made.text),
        }
    }

    /// A string literal in the source, with the same limit.
    pub(super) fn literal(&self, text: Traced, at: Place) -> Value<'a> {
        let length: usize = text.parts.iter().map(|part| part.text.len()).sum();
        self.spend(length / BYTES_A_STEP);
        match length > MAX_TEXT {
            true => Value::Unknown(Unknown::outgrown("the string is longer than 64 KiB", at)),
            false => Value::Text(text),
        }
    }

    /// Spends the steps for storing another copy of a string.
    pub(super) fn keep(&self, text: &Traced) {
        self.spend(text.parts.len() / PARTS_A_STEP);
    }

    /// Spends the steps for reading a whole string.
    pub(super) fn read(&self, text: &Traced) {
        let length: usize = text.parts.iter().map(|part| part.text.len()).sum();
        self.spend(length / BYTES_A_STEP + text.parts.len() / PARTS_A_STEP);
    }

    /// The list that is created at a place, truncated if it is too long.
    pub(super) fn list_of(&self, mut made: Elements<'a>, at: Option<Place>) -> Elements<'a> {
        self.spend((made.known.len() + made.left_out.len()) / ELEMENTS_A_STEP);
        if made.known.len() > MAX_ELEMENTS || made.left_out.len() > MAX_ELEMENTS {
            made.known.truncate(MAX_ELEMENTS);
            made.left_out.truncate(MAX_ELEMENTS);
            made.doubtful.retain(|&index| index < MAX_ELEMENTS);
            made.rest = Some(Unknown { at, ..Unknown::because(LONG_LIST) });
        }
        made
    }

    /// The object that is created at a place, truncated if it is too large.
    pub(super) fn pairs_of(&self, mut made: Pairs<'a>, at: Option<Place>) -> Pairs<'a> {
        self.spend(made.known.len());
        if made.known.len() > MAX_ELEMENTS {
            made.known.truncate(MAX_ELEMENTS);
            made.rest = Some(Unknown { at, ..Unknown::because(LARGE_OBJECT) });
        }
        made
    }

    /// Spends the steps for elements that are created or copied.
    pub(super) fn spend_elements(&self, count: usize) {
        self.spend(count / ELEMENTS_A_STEP);
    }
}
