//! String operations. The parts of a string keep their origins, even if an operation changes their case.

use std::ops::Range;
use std::rc::Rc;

use smol_str::SmolStr;

use super::operate::number_text;
use super::value::{Body, Passed, Slot, Value};
use super::{Machine, Run};
use crate::found::{Origin, Part, Traced};
use crate::regex::{Match, Regex};
use crate::syntax::Family;

/// The maximum number of matches of a pattern that are used.
const MOST_MATCHES: usize = 2_000;

impl Machine<'_> {
    /// The byte offset of an index into a text, as the language counts: UTF-16 units in JavaScript, characters in
    /// Python. A negative index counts from the end; one outside the text is moved to its nearer end.
    pub(super) fn offset(&self, text: &str, index: i64) -> usize {
        let unit = |character: char| match self.family {
            Family::TypeScript => character.len_utf16() as i64,
            _ => 1,
        };
        if text.is_ascii() {
            let length = text.len() as i64;
            let index = if index < 0 { index + length } else { index };
            return index.clamp(0, length) as usize;
        }
        let length: i64 = text.chars().map(unit).sum();
        let index = if index < 0 { index + length } else { index };
        let mut at = 0;
        for (byte, character) in text.char_indices() {
            if at >= index {
                return byte;
            }
            at += unit(character);
        }
        text.len()
    }

    /// The length of a string, as the language counts it.
    pub(super) fn length_of_text(&self, text: &str) -> usize {
        match self.family {
            Family::TypeScript => text.encode_utf16().count(),
            _ => text.chars().count(),
        }
    }

    /// The character at an index; undefined outside the text.
    pub(super) fn character(&self, text: &Rc<Traced>, index: i64) -> Value {
        if let Some(unknown) = text.unknown() {
            return Value::Unknown(Rc::new(unknown.clone()));
        }
        let whole = text.text();
        let length = self.length_of_text(&whole) as i64;
        let index = if index < 0 && self.family == Family::Python { index + length } else { index };
        if !(0..length).contains(&index) {
            return Value::Undefined;
        }
        let (from, to) = (self.offset(&whole, index), self.offset(&whole, index + 1));
        Value::text(text.cut(from..to.max(from)))
    }

    /// `value[from:to:step]`
    pub(super) fn sliced(
        &mut self,
        object: &Value,
        from: Option<Value>,
        to: Option<Value>,
        step: Option<Value>,
    ) -> Value {
        let bound = |value: &Option<Value>| match value {
            None | Some(Value::Null | Value::Undefined) => Some(None),
            Some(value) => value.as_number().map(|number| Some(number as i64)),
        };
        let (Some(from), Some(to), Some(step)) = (bound(&from), bound(&to), bound(&step)) else {
            return Value::unknown("a slice with unknown bounds");
        };
        let step = step.unwrap_or(1);
        match object {
            Value::Text(text) => {
                if let Some(unknown) = text.unknown() {
                    return Value::Unknown(Rc::new(unknown.clone()));
                }
                let whole = text.text();
                let indices = slice_indices(self.length_of_text(&whole) as i64, from, to, step);
                if step == 1 {
                    let (Some(first), Some(last)) = (indices.first(), indices.last()) else { return Value::made("") };
                    return Value::text(text.cut(self.offset(&whole, *first)..self.offset(&whole, last + 1)));
                }
                let pieces: Vec<Value> = indices.into_iter().map(|index| self.character(text, index)).collect();
                self.concatenated(&pieces)
            }
            Value::Object(_) => {
                let Some(slots) = self.plain_list(object) else {
                    return match self.body_of(object) {
                        // Any of its elements, in this order.
                        Some(Body::List(slots)) => {
                            let slots = slots.iter().map(|slot| Slot { perhaps: true, ..slot.clone() }).collect();
                            let more = object.as_object().and_then(|id| self.heap.get(id).more.clone());
                            let id = self.allocate(None, Body::List(slots));
                            self.heap.change(id).more = more;
                            Value::Object(id)
                        }
                        _ => Value::Unknown(self.reason_of(object)),
                    };
                };
                let is_tuple = matches!(self.body_of(object), Some(Body::Tuple(_)));
                let indices = slice_indices(slots.len() as i64, from, to, step);
                let chosen: Vec<Slot> = indices.into_iter().map(|index| slots[index as usize].clone()).collect();
                let body = if is_tuple { Body::Tuple(chosen) } else { Body::List(chosen) };
                Value::Object(self.allocate(None, body))
            }
            _ => Value::Unknown(self.reason_of(object)),
        }
    }

    /// The matches of a pattern or text in a text; `None` if they cannot be known.
    pub(super) fn matches_of(&self, what: &Value, text: &str) -> Option<Vec<Match>> {
        match self.body_of(what) {
            Some(Body::Pattern { source, flags }) => self.pattern(source, flags)?.matches(text),
            _ => {
                let what = what.as_text()?;
                if what.is_empty() {
                    let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
                    return Some(ends.map(|at| Match { range: at..at, groups: Vec::new() }).collect());
                }
                let found = text.match_indices(what.as_str());
                Some(found.map(|(at, found)| Match { range: at..at + found.len(), groups: Vec::new() }).collect())
            }
        }
    }

    /// A regular expression, compiled once; `None` if it is not valid.
    fn pattern(&self, source: &SmolStr, flags: &SmolStr) -> Option<Rc<Regex>> {
        let mut known = self.patterns.borrow_mut();
        let compiled = known.entry((source.clone(), flags.clone())).or_insert_with(|| {
            let source = match self.family {
                Family::TypeScript => crate::regex::from_javascript(source),
                _ => source.to_string(),
            };
            Regex::new(&source, flags).map(Rc::new)
        });
        compiled.clone()
    }

    /// A string with its matches replaced; `with` is a string or a function of the match.
    pub(super) fn replaced(&mut self, text: &Rc<Traced>, what: &Value, with: &Value, all: bool) -> Run<Value> {
        if let Some(unknown) = text.unknown() {
            return Ok(Value::Unknown(Rc::new(unknown.clone())));
        }
        let whole = text.text();
        let Some(matches) = self.matches_of(what, &whole) else {
            return Ok(Value::Unknown(self.reason_of(what)));
        };
        let count = if all { MOST_MATCHES } else { 1 };
        let mut pieces = Vec::new();
        let mut at = 0;
        for found in matches.into_iter().take(count) {
            pieces.push(Value::text(text.cut(at..found.range.start)));
            let new = match with {
                Value::Text(template) => self.expanded(template, text, &found, what),
                _ => {
                    let value = self.replacement(text, &whole, &found, what, with)?;
                    self.text_of(&value, self.family)?
                }
            };
            pieces.push(new);
            at = found.range.end;
        }
        pieces.push(Value::text(text.cut(at..whole.len())));
        Ok(self.concatenated(&pieces))
    }

    /// The replacement that a function returns for a match.
    fn replacement(&mut self, text: &Rc<Traced>, whole: &str, found: &Match, what: &Value, with: &Value) -> Run<Value> {
        let place = self.here();
        let mut list = Vec::new();
        let mut pass = |value: Value| list.push(Passed { name: None, value, place });
        match self.family {
            Family::Python => {
                let made = self.match_object(text, found, what);
                pass(made);
            }
            _ => {
                pass(Value::text(text.cut(found.range.clone())));
                for group in found.groups.iter() {
                    pass(group.clone().map_or(Value::Undefined, |range| Value::text(text.cut(range))));
                }
                pass(Value::Number(self.length_of_text(&whole[..found.range.start]) as f64));
                pass(Value::Text(Rc::clone(text)));
            }
        }
        self.call(with, Value::Undefined, super::express::Args { list, more: None }, place)
    }

    /// A replacement with its references to groups: `$1`, `\1`, `\g<1>`, `$&`.
    fn expanded(&mut self, template: &Rc<Traced>, text: &Rc<Traced>, found: &Match, what: &Value) -> Value {
        let names = self.group_names(what);
        let is_pattern = names.is_some();
        let names = names.unwrap_or_default();
        let mark = if self.family == Family::Python { '\\' } else { '$' };
        let whole = template.text();
        if !whole.contains(mark) || (!is_pattern && self.family == Family::Python) {
            return Value::Text(Rc::clone(template));
        }
        let group = |index: usize| -> Value {
            match index {
                0 => Value::text(text.cut(found.range.clone())),
                _ => match found.groups.get(index - 1) {
                    Some(Some(range)) => Value::text(text.cut(range.clone())),
                    _ => Value::made(""),
                },
            }
        };
        let mut pieces = Vec::new();
        let mut at = 0;
        while let Some(next) = whole[at..].find(mark).map(|next| at + next) {
            pieces.push(Value::text(template.cut(at..next)));
            let rest = &whole[next + 1..];
            let digits = rest.bytes().take(2).take_while(u8::is_ascii_digit).count();
            let (piece, length) = match rest.chars().next() {
                Some('$') if mark == '$' => (Value::made("$"), 1),
                Some('&') if mark == '$' => (group(0), 1),
                Some('\\') => (Value::made("\\"), 1),
                Some('g' | '<') if rest.starts_with("g<") || mark == '$' => match (rest.find('<'), rest.find('>')) {
                    (Some(start), Some(end)) if start < end => {
                        let name = &rest[start + 1..end];
                        let named = names.iter().position(|known| known == name).map(|index| index + 1);
                        (named.or(name.parse().ok()).map_or(Value::made(""), group), end + 1)
                    }
                    _ => (Value::made(&format!("{mark}{}", &rest[..1])), 1),
                },
                _ if digits > 0 => (group(rest[..digits].parse().unwrap_or(0)), digits),
                _ => (Value::made(&mark.to_string()), 0),
            };
            pieces.push(piece);
            at = next + 1 + length;
        }
        pieces.push(Value::text(template.cut(at..whole.len())));
        self.concatenated(&pieces)
    }

    /// The names of the groups of a pattern, in order; a group without one has an empty name. `None` for a text.
    fn group_names(&self, what: &Value) -> Option<Vec<String>> {
        let Some(Body::Pattern { source, .. }) = self.body_of(what) else { return None };
        let mut names = Vec::new();
        let mut escaped = false;
        for (at, character) in source.char_indices() {
            if !escaped && character == '(' {
                let rest = source[at + 1..].trim_start_matches("?P").trim_start_matches('?');
                let is_named = source[at + 1..].starts_with('?') && rest.starts_with('<');
                match is_named && !rest.starts_with("<=") && !rest.starts_with("<!") {
                    true => names.push(rest[1..].split('>').next().unwrap_or_default().to_string()),
                    false if !source[at + 1..].starts_with('?') => names.push(String::new()),
                    false => {}
                }
            }
            escaped = character == '\\' && !escaped;
        }
        Some(names)
    }

    /// A match as an object: a list of the whole and its groups in JavaScript, an instance of `Match` in Python.
    pub(super) fn match_object(&mut self, text: &Rc<Traced>, found: &Match, what: &Value) -> Value {
        let mut slots = vec![Slot::new(Value::text(text.cut(found.range.clone())))];
        for group in &found.groups {
            let missing = if self.family == Family::Python { Value::Null } else { Value::Undefined };
            let value = group.clone().map_or(missing, |range| Value::text(text.cut(range)));
            slots.push(Slot::new(value));
        }
        let whole = text.text();
        let start = self.length_of_text(&whole[..found.range.start]) as f64;
        let end = self.length_of_text(&whole[..found.range.end]) as f64;
        let names = self.group_names(what).unwrap_or_default();
        let named = self.allocate(None, Body::Plain);
        for (index, name) in names.into_iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            if let Some(slot) = slots.get(index + 1) {
                self.heap.change(named).props.insert(name.into(), slot.clone());
            }
        }
        let groups = self.list(slots);
        if self.family == Family::Python {
            let realm = self.realm();
            let class = realm.class(self, "Match");
            let id = self.allocate(class, Body::Plain);
            for (key, value) in [
                ("_groups", groups),
                ("_named", Value::Object(named)),
                ("_start", Value::Number(start)),
                ("_end", Value::Number(end)),
            ] {
                self.heap.change(id).props.insert(key.into(), Slot::new(value));
            }
            return Value::Object(id);
        }
        if let Some(id) = groups.as_object() {
            let slot = Slot { hidden: true, ..Slot::new(Value::Number(start)) };
            self.heap.change(id).props.insert("index".into(), slot);
            let slot = Slot { hidden: true, ..Slot::new(Value::Object(named)) };
            self.heap.change(id).props.insert("groups".into(), slot);
        }
        groups
    }

    /// `"%s_%d" % values`
    pub(super) fn percent(&mut self, template: &Value, values: &Value) -> Run<Value> {
        let Value::Text(text) = template else { return Ok(Value::Unknown(self.reason_of(template))) };
        if text.unknown().is_some() {
            return Ok(template.clone());
        }
        let whole = text.text();
        let list = match self.body_of(values) {
            Some(Body::Tuple(_)) => self.plain_list(values).unwrap_or_default(),
            _ => vec![Slot::new(values.clone())],
        };
        let mut pieces = Vec::new();
        let (mut at, mut next) = (0, 0);
        while let Some(mark) = whole[at..].find('%').map(|mark| at + mark) {
            pieces.push(Value::text(text.cut(at..mark)));
            let rest = &whole[mark + 1..];
            if rest.starts_with('%') {
                pieces.push(Value::made("%"));
                at = mark + 2;
                continue;
            }
            let (name, after) = match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
                Some((name, _)) => (Some(name.to_string()), name.len() + 2),
                None => (None, 0),
            };
            let flags = rest[after..].bytes().take_while(|byte| !byte.is_ascii_alphabetic()).count();
            let kind = rest[after + flags..].chars().next().unwrap_or('s');
            let value = match name {
                Some(name) => self.table_entry(values, &Value::made(&name)).flatten(),
                None => {
                    next += 1;
                    list.get(next - 1).map(|slot| slot.value.clone())
                }
            };
            let value = value.unwrap_or_else(|| Value::unknown("a value of a format"));
            let format = &rest[after..after + flags];
            pieces.push(match kind {
                'r' => self.represented(&value)?,
                'd' | 'i' if !format.is_empty() => self.with_format(&value, &format!("{format}d"))?,
                _ => self.text_of(&value, Family::Python)?,
            });
            at = mark + 1 + after + flags + kind.len_utf8();
        }
        pieces.push(Value::text(text.cut(at..whole.len())));
        Ok(self.concatenated(&pieces))
    }

    /// `repr(value)`
    pub(super) fn represented(&mut self, value: &Value) -> Run<Value> {
        Ok(match value {
            Value::Text(text) => {
                let quote = if text.text().contains('\'') { "\"" } else { "'" };
                let pieces = [Value::made(quote), value.clone(), Value::made(quote)];
                self.concatenated(&pieces)
            }
            Value::Object(id) => {
                if let Some(method) = self.class_member(*id, "__repr__") {
                    let place = self.here();
                    return self.call(&method, Value::Undefined, Default::default(), place);
                }
                let (open, close) = match self.body_of(value) {
                    Some(Body::List(_)) => ("[", "]"),
                    Some(Body::Tuple(_)) => ("(", ")"),
                    _ => return Ok(Value::Unknown(self.reason_of(value))),
                };
                let Some(slots) = self.plain_list(value) else { return Ok(Value::Unknown(self.reason_of(value))) };
                let mut pieces = vec![Value::made(open)];
                for (index, slot) in slots.iter().enumerate() {
                    if index > 0 {
                        pieces.push(Value::made(", "));
                    }
                    pieces.push(self.represented(&slot.value)?);
                }
                if slots.len() == 1 && open == "(" {
                    pieces.push(Value::made(","));
                }
                pieces.push(Value::made(close));
                self.concatenated(&pieces)
            }
            _ => self.text_of(value, Family::Python)?,
        })
    }

    /// `format(value, format)`: alignment, width, zeros and precision.
    pub(super) fn with_format(&mut self, value: &Value, format: &str) -> Run<Value> {
        let text = match (value, format.chars().last()) {
            (Value::Number(number), Some('f')) => {
                let digits = format.rsplit_once('.').and_then(|(_, digits)| digits.trim_end_matches('f').parse().ok());
                Value::made(&format!("{number:.*}", digits.unwrap_or(6)))
            }
            (Value::Number(number), Some('x')) => Value::made(&format!("{:x}", *number as i64)),
            (Value::Number(number), Some('X')) => Value::made(&format!("{:X}", *number as i64)),
            (Value::Number(number), Some('b')) => Value::made(&format!("{:b}", *number as i64)),
            (Value::Number(number), Some('o')) => Value::made(&format!("{:o}", *number as i64)),
            _ => self.text_of(value, Family::Python)?,
        };
        let Value::Text(traced) = &text else { return Ok(text) };
        if traced.unknown().is_some() {
            return Ok(text);
        }
        let cut = format.trim_end_matches('s').rsplit_once('.').and_then(|(_, digits)| digits.parse::<i64>().ok());
        let text = match (value, cut) {
            (Value::Number(_), _) | (_, None) => text,
            (_, Some(length)) => {
                let whole = traced.text();
                Value::text(traced.cut(0..self.offset(&whole, length)))
            }
        };
        let Value::Text(traced) = &text else { return Ok(text) };
        let body = format.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
        let body = body.split('.').next().unwrap_or(body);
        let marks: Vec<char> = body.chars().collect();
        let (fill, align, rest) = match marks.as_slice() {
            [fill, align @ ('<' | '>' | '^'), rest @ ..] => (*fill, *align, rest),
            [align @ ('<' | '>' | '^'), rest @ ..] => (' ', *align, rest),
            ['0', rest @ ..] => ('0', '>', rest),
            rest => (' ', if matches!(value, Value::Number(_)) { '>' } else { '<' }, rest),
        };
        let (fill, rest) = match rest {
            ['0', more @ ..] if !more.is_empty() && fill == ' ' => ('0', more),
            rest => (fill, rest),
        };
        let width: usize = rest.iter().collect::<String>().parse().unwrap_or(0);
        let missing = width.min(1000).saturating_sub(traced.text().chars().count());
        let (before, after) = match align {
            '<' => (0, missing),
            '>' => (missing, 0),
            _ => (missing / 2, missing - missing / 2),
        };
        let pad = |count: usize| Value::made(&fill.to_string().repeat(count));
        Ok(self.concatenated(&[pad(before), text.clone(), pad(after)]))
    }

    /// The pieces of a string between separators.
    pub(super) fn split(&mut self, text: &Rc<Traced>, separator: &Value, limit: usize) -> Value {
        if let Some(unknown) = text.unknown() {
            return Value::Unknown(Rc::new(unknown.clone()));
        }
        let whole = text.text();
        let mut ranges: Vec<Range<usize>> = Vec::new();
        match separator {
            Value::Undefined => ranges.push(0..whole.len()),
            // Runs of white space.
            Value::Null => {
                let mut at = 0;
                while ranges.len() < limit
                    && let Some(start) = whole[at..].find(|c: char| !c.is_whitespace()).map(|start| at + start)
                {
                    let end = whole[start..].find(char::is_whitespace).map_or(whole.len(), |end| start + end);
                    ranges.push(start..end);
                    at = end;
                }
            }
            _ => {
                let Some(matches) = self.matches_of(separator, &whole) else {
                    return Value::Unknown(self.reason_of(separator));
                };
                let mut at = 0;
                for found in matches {
                    // An empty separator splits between characters, not before the first and after the last.
                    let is_edge = found.range.is_empty() && (found.range.end == 0 || found.range.end == whole.len());
                    if is_edge || found.range.start < at || ranges.len() + 1 >= limit {
                        continue;
                    }
                    ranges.push(at..found.range.start);
                    at = found.range.end;
                }
                if !(whole.is_empty() && separator.as_text().is_some_and(|it| it.is_empty())) {
                    ranges.push(at..whole.len());
                }
            }
        }
        let slots = ranges.into_iter().map(|range| Slot::new(Value::text(text.cut(range)))).collect();
        self.list(slots)
    }

    /// The elements of a list as one text.
    pub(super) fn join(&mut self, list: &Value, separator: &Value) -> Run<Value> {
        let source = self.elements_of(list, false, self.here())?;
        if source.known.len() > 5_000 {
            return Ok(Value::unknown("a string that is too long"));
        }
        let doubtful = source.known.iter().any(|slot| slot.perhaps);
        if doubtful || source.more.is_some() {
            let reason = match source.more {
                Some(more) => Value::Unknown(more),
                None => Value::unknown("a list that depends on something unknown"),
            };
            return Ok(reason);
        }
        let mut pieces = Vec::new();
        for (index, slot) in source.known.iter().enumerate() {
            if index > 0 {
                pieces.push(separator.clone());
            }
            if !(self.family == Family::TypeScript && slot.value.is_nothing()) {
                pieces.push(self.text_of(&slot.value, self.family)?);
            }
        }
        Ok(self.concatenated(&pieces))
    }
}

/// A string with the case of its known parts changed.
pub(super) fn respelled(text: &Traced, spell: impl Fn(&str) -> String) -> Value {
    let parts = text.parts.iter().map(|part| match part.origin {
        Origin::Unknown(_) => part.clone(),
        _ => Part { text: spell(&part.text).into(), origin: part.origin.clone() },
    });
    Value::text(Traced { parts: parts.collect() })
}

/// A text in which a function of all its characters decides the new ones: as many parts, each of its old length or
/// changed as a whole.
pub(super) fn respelled_whole(text: &Traced, spell: impl Fn(&str) -> String) -> Value {
    if text.unknown().is_some() {
        let reason = text.unknown().map(|unknown| unknown.reason.clone()).unwrap_or_default();
        return Value::unknown(reason);
    }
    let whole = text.text();
    let spelled = spell(&whole);
    if spelled.len() != whole.len() {
        let origin = text.parts.first().map_or(Origin::Framework, |part| part.origin.clone());
        return Value::text(Traced { parts: [Part { text: spelled.into(), origin }].into_iter().collect() });
    }
    let mut at = 0;
    let parts = text.parts.iter().map(|part| {
        let range = at..at + part.text.len();
        at = range.end;
        Part { text: spelled.get(range).unwrap_or(&part.text).into(), origin: part.origin.clone() }
    });
    Value::text(Traced { parts: parts.collect() })
}

/// The indices of a slice, as Python chooses them.
fn slice_indices(length: i64, from: Option<i64>, to: Option<i64>, step: i64) -> Vec<i64> {
    if step == 0 {
        return Vec::new();
    }
    let within = |index: i64, low: i64, high: i64| {
        let index = if index < 0 { index + length } else { index };
        index.clamp(low, high)
    };
    let mut indices = Vec::new();
    if step > 0 {
        let (mut at, end) = (from.map_or(0, |at| within(at, 0, length)), to.map_or(length, |to| within(to, 0, length)));
        while at < end {
            indices.push(at);
            at += step;
        }
    } else {
        let mut at = from.map_or(length - 1, |at| within(at, -1, length - 1));
        let end = to.map_or(-1, |to| within(to, -1, length - 1));
        while at > end {
            indices.push(at);
            at += step;
        }
    }
    indices
}

/// The number that a string represents, if any: `Number("1")`, `int("1")`.
pub(super) fn parsed_number(text: &str) -> Option<f64> {
    let text = text.trim().replace('_', "");
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => i64::from_str_radix(hex, 16).ok().map(|number| number as f64),
        None => text.parse().ok(),
    }
}

/// A number in a radix.
pub(super) fn radix_text(number: f64, radix: u32) -> String {
    if radix == 10 || number.fract() != 0.0 || !(2..=36).contains(&radix) {
        return number_text(number, false);
    }
    let mut rest = number.abs() as u64;
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit((rest % u64::from(radix)) as u32, radix).unwrap_or('0'));
        rest /= u64::from(radix);
        if rest == 0 {
            break;
        }
    }
    if number < 0.0 {
        digits.push('-');
    }
    digits.into_iter().rev().collect()
}
