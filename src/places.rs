//! Spans of one text, as a set.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use crate::text::Span;

/// A set of spans of one text. Overlapping spans are merged; spans that only touch stay separate.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// The start of each span with its end.
    spans: BTreeMap<u32, u32>,
    /// The offsets of the empty spans.
    points: BTreeSet<u32>,
}

impl Places {
    pub(crate) fn add(&mut self, span: Span) {
        if span.start == span.end {
            self.points.insert(span.start);
            return;
        }
        let Span { mut start, mut end } = span;
        while let Some((&from, &to)) = self.spans.range(..end).next_back().filter(|(_, to)| **to > start) {
            self.spans.remove(&from);
            (start, end) = (start.min(from), end.max(to));
        }
        self.spans.insert(start, end);
    }

    /// Whether one of the spans overlaps a span, as defined by [`Span::overlaps`].
    pub(crate) fn overlap(&self, span: Span) -> bool {
        let last = self.spans.range(..span.end).next_back();
        let inside = (Bound::Excluded(span.start), Bound::Excluded(span.end));
        last.is_some_and(|(_, end)| *end > span.start)
            || span.start < span.end && self.points.range(inside).next().is_some()
    }

    /// Whether one of the spans contains the whole of a span.
    pub(crate) fn hold(&self, span: Span) -> bool {
        self.spans.range(..=span.start).next_back().is_some_and(|(_, end)| *end >= span.end)
    }
}

impl FromIterator<Span> for Places {
    fn from_iter<T: IntoIterator<Item = Span>>(spans: T) -> Places {
        let mut places = Places::default();
        spans.into_iter().for_each(|span| places.add(span));
        places
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_set_says_what_its_spans_say(
            spans in prop::collection::vec((0u32..30, 0u32..6), 0..8),
            (start, length) in (0u32..30, 0u32..6),
        ) {
            let span = |(start, length): (u32, u32)| Span { start, end: start + length };
            let spans: Vec<Span> = spans.into_iter().map(span).collect();
            let places: Places = spans.iter().copied().collect();
            let asked = span((start, length));
            prop_assert_eq!(places.overlap(asked), spans.iter().any(|span| span.overlaps(asked)));
            if spans.iter().any(|span| span.start < span.end && span.contains(asked)) {
                prop_assert!(places.hold(asked));
            }
        }
    }
}
