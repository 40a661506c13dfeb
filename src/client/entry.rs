//! One string of a permission list as it is written: how it is replaced, copied and taken out.

use smol_str::{SmolStr, SmolStrBuilder};

use crate::document::{Node, Text};
use crate::text::{Edit, Span, line_break};

/// One string of a permission list.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub text: Text,
    /// With its quotes.
    pub whole: Span,
    /// The quote that it begins and ends with.
    pub quote: Option<char>,
    /// What goes when the entry goes: its comma, the space around it, and no comment. Nothing where that cannot be told,
    /// or where the entry is a part of something larger.
    pub removal: Vec<Span>,
    /// What parts it from another that is written beside it, in the way of its list; `None` where none can be.
    pub between: Option<SmolStr>,
    /// How one like it is written behind it, where all that belongs to it stands in one piece.
    pub beside: Option<Beside>,
    /// More stands beside it in its object than its list asks for: it may be about some calls only.
    pub has_conditions: bool,
}

/// A place behind an element of a list, for another that is like it.
#[derive(Debug, Clone, PartialEq)]
pub struct Beside {
    /// The whole element: an object around the string, a key with its value, or a table of TOML with its heading.
    pub element: Span,
    pub at: u32,
    /// What is written before it.
    pub before: SmolStr,
}

impl Entry {
    /// An entry of a text; `between` as in [`Entry::between`].
    pub(super) fn new(named: &Node, removal: Vec<Span>, between: Option<SmolStr>, text: &str) -> Option<Entry> {
        let quote = text.get(named.span.range())?.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
        let (text, beside, has_conditions) = (named.as_text()?.clone(), None, false);
        Some(Entry { text, whole: named.span, quote, removal, between, beside, has_conditions })
    }

    /// An entry that is a key with its value.
    pub(super) fn keyed(key: &Text, value: &Node, removal: Vec<Span>, text: &str) -> Entry {
        let is_quoted = text[..key.span.start as usize].ends_with(['"', '\'']);
        let element = Span { start: key.span.start - u32::from(is_quoted), end: value.span.end };
        Entry {
            text: key.clone(),
            whole: Span { start: key.span.start.saturating_sub(1), end: key.span.end + 1 },
            quote: None,
            removal,
            between: None,
            beside: Beside::of(element, false, text),
            has_conditions: false,
        }
    }

    /// The edit that writes other strings in its place, quoted as it is.
    pub fn replaced_by(&self, names: &[String]) -> Option<Edit> {
        let is_quoted = self.whole != self.text.span;
        let quote = self.quote.map(String::from).unwrap_or_default();
        if is_quoted && self.quote.is_none() || !self.text.verbatim || names.len() > 1 && self.between.is_none() {
            return None;
        }
        let between = self.between.as_deref().unwrap_or_default();
        Some(Edit::new(self.text.span, names.join(&format!("{quote}{between}{quote}"))))
    }

    /// The edit that writes the same about another name, behind this entry. `text` is that of its file.
    pub fn copied_for(&self, name: &str, text: &str) -> Option<Edit> {
        let Some(beside) = self.beside.as_ref().filter(|_| self.text.verbatim) else {
            return self.replaced_by(&[self.text.text.clone(), name.to_string()]);
        };
        let before = text.get(beside.element.start as usize..self.text.span.start as usize)?;
        let behind = text.get(self.text.span.end as usize..beside.element.end as usize)?;
        let name = self.spelt(name, text);
        Some(Edit::new(Span::at(beside.at as usize), format!("{}{before}{name}{behind}", beside.before)))
    }

    /// What to delete so that it goes, and all that belongs to it: the reverse of how one like it would be written behind
    /// another. Nothing where that cannot be told.
    pub fn taken_out(&self, text: &str) -> Vec<Span> {
        let Some(beside) = self.beside.as_ref().filter(|_| self.removal.is_empty()) else {
            return self.removal.clone();
        };
        let before = &text[..beside.element.start as usize];
        let is_table = text[beside.element.range()].starts_with('[');
        let kept = before.strip_suffix(beside.before.as_str()).or(is_table.then(|| before.trim_end()));
        kept.map(|kept| Span::new(kept.len(), beside.element.end as usize)).into_iter().collect()
    }

    /// A name as it is written in the place of this one: in quotes, where it has none and the name needs them.
    pub fn spelt(&self, name: &str, text: &str) -> String {
        let is_bare = !text[..self.text.span.start as usize].ends_with(['"', '\'', '`']);
        let is_simple = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
        let was_simple = self.text.text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
        if is_bare && was_simple && !is_simple { format!("\"{name}\"") } else { name.to_string() }
    }
}

impl Beside {
    /// Behind an element: in brackets and braces with a comma between, in other lists and tables on a line of its own, and as
    /// a table behind a table.
    pub(super) fn of(element: Span, is_object: bool, text: &str) -> Option<Beside> {
        let (start, end) = (element.start as usize, element.end as usize);
        let next = text[end..].trim_start().chars().next();
        // A comment may stand before the comma or bracket that ends an element.
        let is_bracketed = matches!(next, Some(',' | ']' | '}'))
            || matches!(next, Some('/')) && text[..start].trim_end().ends_with(['[', '{', ',', '/']);
        if is_bracketed {
            return Some(Beside { element, at: element.end, before: between(element, text) });
        }
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let lead = &text[line..start];
        let is_alone = lead.trim_start().trim_start_matches("- ").is_empty();
        let rest = text[end..].split('\n').next()?.trim_end_matches('\r');
        match is_alone {
            true if lead.contains('-') || !is_object && text[start..end].lines().count() == 1 => {
                let is_free = rest.trim_start().is_empty() || rest.trim_start().starts_with('#');
                let before = format!("{}{lead}", line_break(text)).into();
                is_free.then(|| Beside { element, at: (end + rest.len()) as u32, before })
            }
            _ => Beside::table(element, text),
        }
    }

    /// Behind the table of TOML in which a place stands: from its heading on, without the blank lines behind it.
    fn table(place: Span, text: &str) -> Option<Beside> {
        let is_heading = |at: &usize| text[*at..].starts_with('[');
        let after_break = |(at, _): (usize, &str)| at + 1;
        let above = text[..place.start as usize].match_indices('\n').map(after_break);
        let start = std::iter::once(0).chain(above).rfind(is_heading)?;
        // `tools.read_note.approval_mode = "prompt"` is one of several things that its table says.
        let key = text
            .get(place.start as usize..)?
            .split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-'))
            .next()?;
        let is_of_place = (start..start + text[start..].find(']')?).contains(&(place.start as usize));
        let is_alone = text[start..].lines().next()?.contains(key) || text[start..].starts_with("[[");
        if !is_of_place && !is_alone {
            return None;
        }
        // What the grammar calls a table may end before its last comment.
        let below = text[place.start as usize..].match_indices('\n').map(after_break);
        let end = below.map(|at| place.start as usize + at).find(is_heading).unwrap_or(text.len());
        let element = Span::new(start, start + text[start..end].trim_end().len());
        Some(Beside { element, at: element.end, before: line_break(text).repeat(2).into() })
    }
}

/// What parts an element of a list from one that is written behind it: one that stands on a line of its own keeps company
/// on the next.
pub(super) fn between(element: Span, text: &str) -> SmolStr {
    let before = &text[..element.start as usize];
    let indent = before.bytes().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let (above, indent) = before.split_at(before.len() - indent);
    if !above.ends_with('\n') {
        return SmolStr::new_static(", ");
    }
    let mut between = SmolStrBuilder::new();
    between.push_str(",");
    between.push_str(line_break(text));
    between.push_str(indent);
    between.finish()
}
