//! The edits that replace, copy and remove a string of a permission list.

use std::collections::BTreeSet;

use super::entry::{Entry, Layout, Parting};
use super::facts::List;
use crate::document;
use crate::text::{Edit, Span, line_break};

/// The position at which to insert a similar element after an element of a list.
struct Beside {
    /// The whole element: an object around the string, a key with its value, or a table of TOML with its heading.
    element: Span,
    at: u32,
    /// The text to write before the new element.
    before: String,
}

impl List {
    /// The text of the file that contains the list.
    pub fn source(&self) -> &str {
        &self.layout.text
    }

    /// The edit that replaces an entry with other strings, in the same quotes; `None` if they cannot be written in its
    /// place.
    pub fn replaced(&self, entry: &Entry, names: &[String]) -> Option<Edit> {
        let Layout { text, parting, is_keyed, .. } = &self.layout;
        let is_quoted = entry.whole != entry.text.span;
        let first = text.get(entry.whole.range())?.chars().next();
        let quote = first.filter(|c| matches!(c, '"' | '\'' | '`') && !is_keyed);
        if is_quoted && quote.is_none() || !entry.text.verbatim || names.len() > 1 && parting.is_none() {
            return None;
        }
        let quote = quote.map(String::from).unwrap_or_default();
        let between = match parting {
            Some(Parting::Comma) => between(entry.whole, text),
            Some(Parting::Always(between)) => between.to_string(),
            None => String::new(),
        };
        Some(Edit::new(entry.text.span, names.join(&format!("{quote}{between}{quote}"))))
    }

    /// The edit that inserts a copy of an entry, with another name, after the entry; `None` if there is no place for
    /// the copy.
    pub fn copied(&self, entry: &Entry, name: &str) -> Option<Edit> {
        let text = &*self.layout.text;
        let Some(beside) = self.beside(entry).filter(|_| entry.text.verbatim) else {
            return self.replaced(entry, &[entry.text.text.clone(), name.to_string()]);
        };
        let before = text.get(beside.element.start as usize..entry.text.span.start as usize)?;
        let behind = text.get(entry.text.span.end as usize..beside.element.end as usize)?;
        let name = self.spelt(entry, name);
        Some(Edit::new(Span::at(beside.at as usize), format!("{}{before}{name}{behind}", beside.before)))
    }

    /// The spans to delete to remove an entry, including its comma and the surrounding white space; comments stay.
    /// Empty if the spans are not known.
    pub fn removal(&self, entry: &Entry) -> Vec<Span> {
        let Layout { text, elements, .. } = &self.layout;
        entry.element.map_or(Vec::new(), |index| document::removal(elements, index as usize, text))
    }

    /// The spans to delete to remove an entry and everything that belongs to it; the reverse of [`List::copied`]. Empty
    /// if the spans are not known.
    pub fn taken_out(&self, entry: &Entry) -> Vec<Span> {
        let removal = self.removal(entry);
        if removal.is_empty() { self.apart(entry) } else { removal }
    }

    /// The spans of [`List::taken_out`] for each of several entries, in the order of the entries. Entries at the start
    /// of the list are each removed with the comma after them.
    pub fn all_taken_out(&self, entries: &[&Entry]) -> Vec<Vec<Span>> {
        let Layout { text, elements, .. } = &self.layout;
        let gone: BTreeSet<u32> = entries.iter().filter_map(|entry| entry.element).collect();
        let first = gone.iter().zip(0..).take_while(|(index, at)| **index == *at).count();
        let removal = |entry: &&Entry| match entry.element.map(|index| index as usize) {
            Some(index) if index < first => match document::removal(&elements[index..], 0, text) {
                removal if removal.is_empty() => self.apart(entry),
                removal => removal,
            },
            _ => self.taken_out(entry),
        };
        entries.iter().map(removal).collect()
    }

    /// The spans to delete to remove an entry that is not itself an element.
    fn apart(&self, entry: &Entry) -> Vec<Span> {
        let Layout { text, elements, .. } = &self.layout;
        if let Some(span) = one_of_several(entry.whole, text) {
            return vec![span];
        }
        let Some(beside) = self.beside(entry) else { return Vec::new() };
        if let Some(index) = elements.iter().position(|element| *element == beside.element) {
            let removal = document::removal(elements, index, text);
            if !removal.is_empty() {
                return removal;
            }
        }
        let (start, end) = (beside.element.start as usize, beside.element.end as usize);
        let before = &text[..start];
        let is_table = text[start..end].starts_with('[');
        let kept = before.strip_suffix(beside.before.as_str()).or(is_table.then(|| before.trim_end()));
        let behind = text[end..].len() - text[end..].trim_start().len();
        match kept {
            // The first table of a file: the blank lines before the next table are removed with it.
            Some("") if is_table => vec![Span::new(start, end + behind)],
            Some(kept) => vec![Span::new(kept.len(), end)],
            None => Vec::new(),
        }
    }

    /// A name as it must be written in place of an entry's name: in quotes if the entry has none and the name needs
    /// them.
    pub fn spelt(&self, entry: &Entry, name: &str) -> String {
        let before = &self.layout.text[..entry.text.span.start as usize];
        let is_bare = !before.ends_with(['"', '\'', '`']);
        let is_simple = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
        if is_bare && is_simple(&entry.text.text) && !is_simple(name) {
            format!("\"{name}\"")
        } else {
            name.to_string()
        }
    }

    fn beside(&self, entry: &Entry) -> Option<Beside> {
        Beside::of(entry.pattern?, self.layout.in_objects, &self.layout.text)
    }
}

impl Beside {
    /// Returns where a new element can be inserted after `element`, and the separator to write before it: a comma
    /// inside brackets or braces, a line break in other lists and tables, and a new table header after a TOML table.
    fn of(element: Span, is_object: bool, text: &str) -> Option<Beside> {
        let (start, end) = (element.start as usize, element.end as usize);
        let next = text[end..].trim_start().chars().next();
        // A comment may precede the comma or bracket that ends an element.
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
                let before = format!("{}{lead}", line_break(text));
                is_free.then(|| Beside { element, at: (end + rest.len()) as u32, before })
            }
            _ => Beside::table(element, text),
        }
    }

    /// The position after the TOML table around a place. The table extends from its heading to the last line that is
    /// not blank. `None` if there is no table, or if the place is one of several keys in it.
    fn table(place: Span, text: &str) -> Option<Beside> {
        let is_heading = |at: &usize| text[*at..].starts_with('[');
        let after_break = |(at, _): (usize, &str)| at + 1;
        let above = text[..place.start as usize].match_indices('\n').map(after_break);
        let start = std::iter::once(0).chain(above).rfind(is_heading)?;
        // `tools.read_note.approval_mode = "prompt"` is one of several keys of its table.
        let key = text
            .get(place.start as usize..)?
            .split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-'))
            .next()?;
        let is_of_place = (start..start + text[start..].find(']')?).contains(&(place.start as usize));
        let is_alone = text[start..].lines().next()?.contains(key) || text[start..].starts_with("[[");
        if !is_of_place && !is_alone {
            return None;
        }
        // The syntax node of a table may end before the last comment in it.
        let below = text[place.start as usize..].match_indices('\n').map(after_break);
        let end = below.map(|at| place.start as usize + at).find(is_heading).unwrap_or(text.len());
        let element = Span::new(start, start + text[start..end].trim_end().len());
        Some(Beside { element, at: element.end, before: line_break(text).repeat(2) })
    }
}

/// The span to delete to remove a string from brackets; `None` if the brackets contain no other string.
fn one_of_several(whole: Span, text: &str) -> Option<Span> {
    let (before, behind) = (&text[..whole.start as usize], &text[whole.end as usize..]);
    let (kept, rest) = (before.trim_end(), behind.trim_start());
    let ends = rest.starts_with([',', ']']);
    if let Some(kept) = kept.strip_suffix(',').filter(|_| ends) {
        return Some(Span::new(kept.len(), whole.end as usize));
    }
    let next = rest.strip_prefix(',').filter(|_| kept.ends_with('['))?.trim_start();
    (!next.starts_with(']')).then(|| Span::new(whole.start as usize, text.len() - next.len()))
}

/// The separator between an element of a list and a new element after it: `, `, or, if the element begins its line, a
/// comma, a line break and the same indentation.
fn between(element: Span, text: &str) -> String {
    let before = &text[..element.start as usize];
    let above = before.trim_end_matches([' ', '\t']);
    if !above.ends_with('\n') {
        return ", ".to_string();
    }
    format!(",{}{}", line_break(text), &before[above.len()..])
}
