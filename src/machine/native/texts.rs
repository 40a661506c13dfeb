//! Texts and numbers.

use super::{Function, arg, int};
use crate::found::Traced;
use crate::machine::value::{Body, Slot, Value};
use crate::machine::{Machine, Run, text};
use crate::syntax::Family;

/// Functions whose result depends only on the values of their arguments.
pub(super) const PURE: &[(&str, Function)] = &[
    ("upper", |_, args, _| of_text(args, |text| text::respelled(text, |part| part.to_uppercase()))),
    ("lower", |_, args, _| of_text(args, |text| text::respelled(text, |part| part.to_lowercase()))),
    ("title", |_, args, _| of_text(args, |text| text::respelled_whole(text, title))),
    ("capitalize", |_, args, _| of_text(args, |text| text::respelled_whole(text, capitalize))),
    ("swap_case", |_, args, _| of_text(args, |text| text::respelled(text, swap_case))),
    ("trim", trim),
    ("slice_text", slice_text),
    ("char_at", |machine, args, _| {
        let Value::Text(text) = arg(args, 0) else { return unknown(machine, args) };
        Ok(int(args, 1).map_or(Value::Undefined, |index| machine.character(&text, index)))
    }),
    ("length_of_text", |machine, args, _| match arg(args, 0).as_text() {
        Some(text) => Ok(Value::Number(machine.length_of_text(&text) as f64)),
        None => unknown(machine, args),
    }),
    ("index_of", |machine, args, _| index_of(machine, args, false)),
    ("last_index_of", |machine, args, _| index_of(machine, args, true)),
    ("starts_with", |machine, args, _| compare(machine, args, |whole, part| whole.starts_with(part))),
    ("ends_with", |machine, args, _| compare(machine, args, |whole, part| whole.ends_with(part))),
    ("includes", |machine, args, _| compare(machine, args, |whole, part| whole.contains(part))),
    ("count", |machine, args, _| match (arg(args, 0).as_text(), arg(args, 1).as_text()) {
        (Some(whole), Some(part)) if !part.is_empty() => Ok(Value::Number(whole.matches(&part).count() as f64)),
        _ => unknown(machine, args),
    }),
    ("repeat", |machine, args, _| match (arg(args, 0), int(args, 1)) {
        (text @ Value::Text(_), Some(count)) if count <= 1000 => {
            Ok(machine.concatenated(&vec![text; count.max(0) as usize]))
        }
        _ => unknown(machine, args),
    }),
    ("pad", pad),
    ("char_code", |machine, args, _| {
        let Some(text) = arg(args, 0).as_text() else { return unknown(machine, args) };
        let units: Vec<u16> = text.encode_utf16().collect();
        let unit = usize::try_from(int(args, 1).unwrap_or(0)).ok().and_then(|index| units.get(index).copied());
        Ok(Value::Number(unit.map_or(f64::NAN, f64::from)))
    }),
    ("code_point", |machine, args, _| {
        let Some(text) = arg(args, 0).as_text() else { return unknown(machine, args) };
        let index = usize::try_from(int(args, 1).unwrap_or(0)).unwrap_or(0);
        Ok(text.chars().nth(index).map_or(Value::Undefined, |it| Value::Number(f64::from(u32::from(it)))))
    }),
    ("from_code", |machine, args, _| {
        let characters: Option<String> =
            args.iter().map(|value| value.as_number().and_then(|code| char::from_u32(code as u32))).collect();
        match characters {
            Some(text) => Ok(Value::made(&text)),
            None => unknown(machine, args),
        }
    }),
    ("number", |machine, args, _| Ok(number(machine, &arg(args, 0)))),
    ("parse_int", |machine, args, _| {
        let value = arg(args, 0);
        let Some(text) = machine.text_of(&value, Family::TypeScript)?.as_text() else { return unknown(machine, args) };
        let radix = int(args, 1).filter(|radix| (2..=36).contains(radix)).unwrap_or(10) as u32;
        let text = text.trim();
        let (sign, digits) = match text.strip_prefix('-') {
            Some(rest) => (-1.0, rest),
            None => (1.0, text),
        };
        let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
        let number = i64::from_str_radix(&digits[..end], radix).map_or(f64::NAN, |number| sign * number as f64);
        Ok(Value::Number(number))
    }),
    ("parse_float", |machine, args, _| {
        let value = arg(args, 0);
        let Some(text) = machine.text_of(&value, Family::TypeScript)?.as_text() else { return unknown(machine, args) };
        let text = text.trim();
        let end = text.find(|c: char| !(c.is_ascii_digit() || ".-+e".contains(c))).unwrap_or(text.len());
        Ok(Value::Number(text[..end].parse().unwrap_or(f64::NAN)))
    }),
    ("number_text", |machine, args, _| match arg(args, 0).as_number() {
        Some(number) => Ok(Value::made(&text::radix_text(number, int(args, 1).unwrap_or(10) as u32))),
        None => unknown(machine, args),
    }),
    ("fixed", |machine, args, _| match arg(args, 0).as_number() {
        Some(number) => Ok(Value::made(&format!("{number:.*}", int(args, 1).unwrap_or(0).clamp(0, 20) as usize))),
        None => unknown(machine, args),
    }),
    ("math", math),
    ("is_text_of", is_text_of),
];

/// The other functions of texts.
pub(super) const ALL: &[(&str, Function)] = &[
    ("text", |machine, args, _| {
        let value = arg(args, 0);
        machine.text_of(&value, machine.family)
    }),
    ("represented", |machine, args, _| machine.represented(&arg(args, 0))),
    ("with_format", |machine, args, _| match arg(args, 1).as_text() {
        Some(format) => machine.with_format(&arg(args, 0), &format),
        None => unknown(machine, args),
    }),
    ("concat", |machine, args, _| {
        let mut pieces = Vec::new();
        for value in args {
            pieces.push(machine.text_of(value, machine.family)?);
        }
        Ok(machine.concatenated(&pieces))
    }),
    ("join", |machine, args, _| machine.join(&arg(args, 0), &arg(args, 1))),
    ("split", |machine, args, _| {
        let limit = int(args, 2).and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
        match arg(args, 0) {
            Value::Text(text) => Ok(machine.split(&text, &arg(args, 1), limit)),
            _ => unknown(machine, args),
        }
    }),
    ("replace", |machine, args, _| {
        let all = matches!(arg(args, 3), Value::Bool(true));
        match arg(args, 0) {
            Value::Text(text) => machine.replaced(&text, &arg(args, 1), &arg(args, 2), all),
            _ => unknown(machine, args),
        }
    }),
    ("matches", |machine, args, _| {
        let Value::Text(text) = arg(args, 0) else { return unknown(machine, args) };
        if text.unknown().is_some() {
            return unknown(machine, args);
        }
        match machine.matches_of(&arg(args, 1), &text.text()) {
            Some(found) => {
                let objects =
                    found.iter().map(|found| Slot::new(machine.match_object(&text, found, &arg(args, 1)))).collect();
                Ok(machine.list(objects))
            }
            None => unknown(machine, args),
        }
    }),
    ("percent", |machine, args, _| machine.percent(&arg(args, 0), &arg(args, 1))),
    ("pattern", |machine, args, _| {
        let (source, flags) = (arg(args, 0), arg(args, 1));
        if let Some(Body::Pattern { .. }) = machine.body_of(&source) {
            return Ok(source);
        }
        match source.as_text() {
            Some(source) => {
                let flags = flags.as_text().unwrap_or_default();
                let body = Body::Pattern { source: source.into(), flags: flags.into() };
                Ok(Value::Object(machine.allocate(None, body)))
            }
            None => unknown(machine, args),
        }
    }),
    ("json", |machine, args, _| match arg(args, 0).as_traced().filter(|text| text.unknown().is_none()) {
        Some(text) => Ok(match serde_json::from_str::<serde::de::IgnoredAny>(&text.text()) {
            Ok(_) => machine.json_value(text),
            Err(_) => Value::Undefined,
        }),
        None => machine.message_read().map_or_else(|| unknown(machine, args), Ok),
    }),
    // A default that a caller which is not seen may have overridden, with the reason why.
    ("supposed", |machine, args, _| match arg(args, 0) {
        default if machine.supposes && !default.is_nothing() => Ok(default),
        _ => Ok(Value::unknown(arg(args, 1).as_text().unwrap_or_default())),
    }),
    ("unknown", |_, args, _| {
        let reason = arg(args, 0).as_text().unwrap_or_else(|| "a value that toolnames does not model".to_string());
        Ok(Value::unknown(reason))
    }),
];

/// The result for unknown arguments.
fn unknown(machine: &mut Machine<'_>, args: &[Value]) -> Run<Value> {
    let of = args.iter().find(|value| value.as_text().is_none() && value.as_number().is_none());
    Ok(Value::Unknown(machine.reason_of(&of.cloned().unwrap_or(Value::Undefined))))
}

fn of_text(args: &[Value], change: impl Fn(&Traced) -> Value) -> Run<Value> {
    Ok(match arg(args, 0) {
        Value::Text(text) => change(&text),
        _ => Value::unknown("a text"),
    })
}

/// `trim(text, characters, sides)`: sides are `both`, `start` or `end`.
fn trim(machine: &mut Machine<'_>, args: &[Value], _: crate::found::Place) -> Run<Value> {
    let Value::Text(text) = arg(args, 0) else { return unknown(machine, args) };
    if text.unknown().is_some() {
        return Ok(Value::Text(text));
    }
    let set = arg(args, 1).as_text();
    let is_trimmed = |c: char| set.as_ref().map_or(c.is_whitespace(), |set| set.contains(c));
    let sides = arg(args, 2).as_text().unwrap_or_default();
    let whole = text.text();
    let start = if sides == "end" { 0 } else { whole.len() - whole.trim_start_matches(is_trimmed).len() };
    let end = if sides == "start" { whole.len() } else { whole.trim_end_matches(is_trimmed).len() };
    Ok(Value::text(text.cut(start..end.max(start))))
}

/// `slice_text(text, from, to)`: a negative index counts from the end.
fn slice_text(machine: &mut Machine<'_>, args: &[Value], _: crate::found::Place) -> Run<Value> {
    let Value::Text(text) = arg(args, 0) else { return unknown(machine, args) };
    if text.unknown().is_some() {
        return unknown(machine, args);
    }
    let whole = text.text();
    let from = machine.offset(&whole, int(args, 1).unwrap_or(0));
    let to = match arg(args, 2) {
        Value::Undefined => whole.len(),
        value => machine.offset(&whole, value.as_number().unwrap_or(f64::MAX) as i64),
    };
    Ok(Value::text(text.cut(from..to.max(from))))
}

fn index_of(machine: &mut Machine<'_>, args: &[Value], last: bool) -> Run<Value> {
    let (Some(whole), Some(part)) = (arg(args, 0).as_text(), arg(args, 1).as_text()) else {
        return unknown(machine, args);
    };
    let from = machine.offset(&whole, int(args, 2).unwrap_or(0));
    let found = if last { whole.rfind(&part) } else { whole[from..].find(&part).map(|at| at + from) };
    Ok(Value::Number(found.map_or(-1.0, |at| machine.length_of_text(&whole[..at]) as f64)))
}

fn compare(machine: &mut Machine<'_>, args: &[Value], holds: impl Fn(&str, &str) -> bool) -> Run<Value> {
    let (whole, part) = (arg(args, 0), arg(args, 1));
    if let Some(Body::Tuple(parts)) = machine.body_of(&part) {
        let parts = parts.clone();
        let Some(whole) = whole.as_text() else { return unknown(machine, args) };
        let any = parts.iter().any(|part| part.value.as_text().is_some_and(|part| holds(&whole, &part)));
        return Ok(Value::Bool(any));
    }
    if let (Value::Text(text), Some(part)) = (&whole, part.as_text())
        && text.unknown().is_some()
    {
        // What is known at the beginning may be enough.
        let known: String =
            text.parts.iter().take_while(|part| part.place().is_some()).map(|part| part.text.as_str()).collect();
        if known.len() >= part.len() && holds(&known, &part) && known.starts_with(&part) {
            return Ok(Value::Bool(true));
        }
        return unknown(machine, args);
    }
    match (whole.as_text(), part.as_text()) {
        (Some(whole), Some(part)) => Ok(Value::Bool(holds(&whole, &part))),
        _ => unknown(machine, args),
    }
}

/// `pad(text, length, fill, at_start)`
fn pad(machine: &mut Machine<'_>, args: &[Value], _: crate::found::Place) -> Run<Value> {
    let (text, Some(length)) = (arg(args, 0), int(args, 1)) else { return unknown(machine, args) };
    let Some(whole) = text.as_text() else { return unknown(machine, args) };
    let fill = arg(args, 2).as_text().unwrap_or_else(|| " ".to_string());
    let missing = (length.clamp(0, 1000) as usize).saturating_sub(machine.length_of_text(&whole));
    let padding: String = fill.chars().cycle().take(if fill.is_empty() { 0 } else { missing }).collect();
    let padding = Value::made(&padding);
    Ok(match arg(args, 3) {
        Value::Bool(true) => machine.concatenated(&[padding, text]),
        _ => machine.concatenated(&[text, padding]),
    })
}

fn number(machine: &mut Machine<'_>, value: &Value) -> Value {
    match value {
        Value::Text(_) => match value.as_text() {
            Some(text) if text.trim().is_empty() => Value::Number(0.0),
            Some(text) => Value::Number(text::parsed_number(&text).unwrap_or(f64::NAN)),
            None => Value::Unknown(machine.reason_of(value)),
        },
        Value::Null => Value::Number(0.0),
        Value::Undefined => Value::Number(f64::NAN),
        _ => match value.as_number() {
            Some(number) => Value::Number(number),
            None => Value::Unknown(machine.reason_of(value)),
        },
    }
}

/// `math(operation, numbers…)`
fn math(machine: &mut Machine<'_>, args: &[Value], _: crate::found::Place) -> Run<Value> {
    let Some(operation) = arg(args, 0).as_text() else { return unknown(machine, args) };
    let numbers: Option<Vec<f64>> = args[1..].iter().map(Value::as_number).collect();
    let Some(numbers) = numbers else { return unknown(machine, &args[1..]) };
    let first = numbers.first().copied().unwrap_or(f64::NAN);
    Ok(Value::Number(match operation.as_str() {
        "floor" => first.floor(),
        "ceil" => first.ceil(),
        "round" => (first + 0.5).floor(),
        "round_even" => first.round_ties_even(),
        "trunc" => first.trunc(),
        "abs" => first.abs(),
        "sqrt" => first.sqrt(),
        "sign" => first.signum(),
        "log2" => first.log2(),
        "log10" => first.log10(),
        "max" => numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        "min" => numbers.iter().copied().fold(f64::INFINITY, f64::min),
        "pow" => first.powf(numbers.get(1).copied().unwrap_or(1.0)),
        _ => return unknown(machine, args),
    }))
}

/// Whether all characters of a text, which is not empty, are of a kind.
fn is_text_of(machine: &mut Machine<'_>, args: &[Value], _: crate::found::Place) -> Run<Value> {
    let (Some(text), Some(kind)) = (arg(args, 0).as_text(), arg(args, 1).as_text()) else {
        return unknown(machine, args);
    };
    let is_of: fn(char) -> bool = match kind.as_str() {
        "digit" => |c| c.is_numeric(),
        "alpha" => char::is_alphabetic,
        "alnum" => char::is_alphanumeric,
        "space" => char::is_whitespace,
        "upper" => |c| !c.is_lowercase(),
        "lower" => |c| !c.is_uppercase(),
        "identifier" => |c| c.is_alphanumeric() || c == '_',
        _ => return unknown(machine, args),
    };
    let has_case = !matches!(kind.as_str(), "upper" | "lower") || text.chars().any(char::is_alphabetic);
    let starts = kind != "identifier" || !text.starts_with(|c: char| c.is_numeric());
    Ok(Value::Bool(!text.is_empty() && has_case && starts && text.chars().all(is_of)))
}

fn title(text: &str) -> String {
    let mut start = true;
    let mut spelled = String::with_capacity(text.len());
    for c in text.chars() {
        match start {
            true => spelled.extend(c.to_uppercase()),
            false => spelled.extend(c.to_lowercase()),
        }
        start = !c.is_alphabetic();
    }
    spelled
}

fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters.as_str().to_lowercase().chars()).collect(),
        None => String::new(),
    }
}

fn swap_case(text: &str) -> String {
    let swapped = |c: char| if c.is_uppercase() { c.to_lowercase().to_string() } else { c.to_uppercase().to_string() };
    text.chars().map(swapped).collect()
}
