//! String operations: `name.replace("-", "_")`, `[a, b].join("_")`, `"{}_{}".format(a, b)`, slices and case.
//!
//! The parts of a string keep their origins. A part that a method changes can still be reported at its origin, but is
//! not edited.

use std::ops::Range;
use std::rc::Rc;

use smol_str::SmolStr;

use super::environment::{Activation, Ctx};
use super::expression::Evaluator;
use super::fuel::Growing;
use super::value::{Value, one_of};
use super::{Origin, Part, Place, Traced, Unknown};
use crate::lower::{Binding, Call, Expr, Key, Pattern, ScopeKind};
use crate::regex::{Match, Regex};
use crate::syntax::Family;
use crate::text::Span;

/// What a method does to the string it is called on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    Same,
    Lower,
    Upper,
    Trim,
    /// Replaces the first occurrence or, depending on the language, every one.
    Replace,
    ReplaceAll,
    Slice,
    CharAt,
    Split,
    Join,
    Append,
    WithoutPrefix,
    WithoutSuffix,
    Format,
    Percent,
    StartsWith,
    EndsWith,
    Includes,
}

/// String methods in all supported languages. No name has different meanings in two of them.
const METHODS: &[(&str, Method)] = &[
    ("toString", Method::Same),
    ("normalize", Method::Same),
    ("toLowerCase", Method::Lower),
    ("toLocaleLowerCase", Method::Lower),
    ("lower", Method::Lower),
    ("casefold", Method::Lower),
    ("to_lowercase", Method::Lower),
    ("to_ascii_lowercase", Method::Lower),
    ("toUpperCase", Method::Upper),
    ("toLocaleUpperCase", Method::Upper),
    ("upper", Method::Upper),
    ("to_uppercase", Method::Upper),
    ("to_ascii_uppercase", Method::Upper),
    ("trim", Method::Trim),
    ("strip", Method::Trim),
    ("replace", Method::Replace),
    ("replaceAll", Method::ReplaceAll),
    ("slice", Method::Slice),
    ("substring", Method::Slice),
    ("charAt", Method::CharAt),
    ("split", Method::Split),
    ("join", Method::Join),
    ("concat", Method::Append),
    ("removeprefix", Method::WithoutPrefix),
    ("removesuffix", Method::WithoutSuffix),
    ("format", Method::Format),
    ("%", Method::Percent),
    ("startsWith", Method::StartsWith),
    ("startswith", Method::StartsWith),
    ("starts_with", Method::StartsWith),
    ("endsWith", Method::EndsWith),
    ("endswith", Method::EndsWith),
    ("ends_with", Method::EndsWith),
    ("includes", Method::Includes),
    ("contains", Method::Includes),
];

/// Functions that return the string they are called with, or an object that represents it.
const SAME_TEXT: [&str; 6] = ["String", "str", "AnyUrl", "AnyHttpUrl", "FileUrl", "URL"];

/// How many steps compiling and running a regular expression costs.
const STEPS_OF_A_PATTERN: usize = 200;
/// How many compiled regular expressions are cached. Each may take a megabyte.
const MOST_PATTERNS: usize = 8;

impl<'a> Evaluator<'a> {
    /// The result of a call that is a known string operation; `None` for any other call.
    #[inline(never)]
    pub(super) fn text_operation(&self, call: &'a Call, ctx: &Ctx<'a>) -> Option<Value<'a>> {
        match &call.callee {
            Expr::Member { key: Key::Field(method), .. } if method == "sub" => self.substituted(call, ctx),
            Expr::Member { object, key: Key::Field(method), .. } => {
                let (_, method) = METHODS.iter().find(|(name, _)| name == method)?;
                self.method(*method, object, call, ctx)
            }
            Expr::Member { .. } => None,
            Expr::Name { name, .. } if SAME_TEXT.contains(&name.as_str()) && call.args.len() == 1 => {
                match self.eval(&call.args[0].value, ctx) {
                    text @ Value::Text(_) => Some(text),
                    value => value.blocked().map(|_| value),
                }
            }
            _ => None,
        }
    }

    fn method(&self, method: Method, object: &'a Expr, call: &'a Call, ctx: &Ctx<'a>) -> Option<Value<'a>> {
        let subject = self.eval(object, ctx);
        if method == Method::Join && !matches!(subject, Value::Text(_)) {
            let separator = self.eval(&call.args.first()?.value, ctx);
            return self.joined(&subject, &separator, ctx.place(call.span));
        }
        match &subject {
            Value::Text(text) => self.of_text(method, text, call, ctx),
            Value::Choice(options) if options.iter().any(|option| matches!(option, Value::Text(_))) => {
                let each = options.iter().map(|option| match option {
                    Value::Text(text) => self.of_text(method, text, call, ctx),
                    other => Some(other.clone()),
                });
                Some(one_of(each.collect::<Option<Vec<_>>>()?))
            }
            value if value.blocked().is_some() => Some(subject),
            Value::Unknown(Unknown { at: Some(_), .. }) => Some(subject),
            _ => None,
        }
    }

    fn of_text(&self, method: Method, text: &Traced, call: &'a Call, ctx: &Ctx<'a>) -> Option<Value<'a>> {
        let arg = |index: usize| call.args.get(index).map(|arg| self.eval(&arg.value, ctx));
        if let Some(waiting) = (0..call.args.len()).filter_map(arg).find(|value| value.blocked().is_some()) {
            return Some(waiting);
        }
        self.read(text);
        let number = |index: usize| match arg(index) {
            Some(Value::Scalar(number)) => number.parse::<i64>().ok(),
            _ => None,
        };
        if let Method::StartsWith | Method::EndsWith | Method::Includes = method {
            let Some(Value::Text(wanted)) = arg(0).filter(|_| call.args.len() == 1) else { return None };
            if wanted.unknown().is_some() || text.unknown().is_some() {
                return None;
            }
            let (whole, wanted) = (text.text(), wanted.text());
            let holds = match method {
                Method::StartsWith => whole.starts_with(&wanted),
                Method::EndsWith => whole.ends_with(&wanted),
                _ => whole.contains(&wanted),
            };
            return Some(Value::truth(holds));
        }
        Some(Value::Text(match (method, call.args.len()) {
            (Method::Same, _) => text.clone(),
            (Method::Lower, 0) => return Some(self.respelled(text, call, ctx, |part| part.to_lowercase())),
            (Method::Upper, 0) => return Some(self.respelled(text, call, ctx, |part| part.to_uppercase())),
            (Method::Trim, 0) => {
                let whole = text.text();
                let start = whole.len() - whole.trim_start().len();
                text.cut(start..whole.trim_end().len().max(start))
            }
            (Method::Replace | Method::ReplaceAll, 2..) => return self.replaced(method, text, call, ctx),
            (Method::Slice, 1 | 2) => {
                let end = if call.args.len() == 2 { number(1)? } else { i64::MAX };
                text.cut(characters(&text.text(), number(0)?, end))
            }
            (Method::CharAt, 1) => {
                let at = number(0)?;
                text.cut(characters(&text.text(), at, at + 1))
            }
            (Method::Split, 1) => return self.split(text, &arg(0)?),
            (Method::Join, 1) => return self.joined(&arg(0)?, &Value::Text(text.clone()), ctx.place(call.span)),
            (Method::Append, _) => {
                let mut whole = Growing::default();
                whole.add(text.parts.iter().cloned());
                for index in 0..call.args.len() {
                    match arg(index) {
                        Some(Value::Text(more)) => whole.add(more.parts),
                        Some(value @ Value::Unknown(Unknown { at: Some(_), .. })) => return Some(value),
                        _ => return None,
                    }
                }
                return Some(self.text_of(whole, ctx.place(call.span)));
            }
            (Method::WithoutPrefix | Method::WithoutSuffix, 1) => {
                let Some(Value::Text(affix)) = arg(0) else { return None };
                let (whole, affix) = (text.text(), affix.text());
                match method {
                    Method::WithoutPrefix if whole.starts_with(&affix) => text.cut(affix.len()..whole.len()),
                    Method::WithoutSuffix if whole.ends_with(&affix) => text.cut(0..whole.len() - affix.len()),
                    _ => text.clone(),
                }
            }
            (Method::Format, _) => return self.formatted(text, call, ctx),
            (Method::Percent, 1) => return self.percent(text, &arg(0)?, ctx.place(call.span)),
            _ => return None,
        }))
    }

    /// The text, with `spell` applied to its parts; a letter may become several.
    fn respelled(&self, text: &Traced, call: &Call, ctx: &Ctx<'a>, spell: impl Fn(&str) -> String) -> Value<'a> {
        let mut whole = Growing::default();
        whole.add(text.respelled(spell).parts);
        self.text_of(whole, ctx.place(call.span))
    }

    /// `text.replace(what, with)`; `what` may be a pattern, `with` a function of what it matched.
    fn replaced(&self, method: Method, text: &Traced, call: &'a Call, ctx: &Ctx<'a>) -> Option<Value<'a>> {
        let with = self.eval(&call.args[1].value, ctx);
        let (matches, every) = match self.eval(&call.args[0].value, ctx) {
            Value::Expr(Expr::Pattern { pattern, .. }, _) => {
                (self.matches(pattern, text)?, pattern.flags.contains('g'))
            }
            Value::Text(what) if what.unknown().is_none() && !what.parts.is_empty() => {
                let (whole, what) = (text.text(), what.text());
                let found = whole.match_indices(what.as_str());
                let found =
                    found.map(|(at, found)| Match { range: at..at + found.len(), groups: Vec::new() }).collect();
                (found, self.world.family(ctx.file) != Some(Family::TypeScript))
            }
            _ => return None,
        };
        let count = if every || method == Method::ReplaceAll { usize::MAX } else { 1 };
        self.with_replacements(text, matches.into_iter().take(count), &with, '$', ctx.place(call.span))
    }

    /// The result of `re.sub(pattern, replacement, name)`.
    fn substituted(&self, call: &'a Call, ctx: &Ctx<'a>) -> Option<Value<'a>> {
        let [pattern, with, text] = call.args.as_slice() else { return None };
        let Value::External { module, .. } = self.eval(&call.callee, ctx) else { return None };
        let text = match self.eval(&text.value, ctx) {
            Value::Text(text) => text,
            value => return value.blocked().map(|_| value),
        };
        let Value::Text(pattern) = self.eval(&pattern.value, ctx) else { return None };
        let matches = if module == "re" {
            self.matches(&Pattern { source: pattern.text().into(), flags: SmolStr::default() }, &text)?
        } else {
            return None;
        };
        let with = self.eval(&with.value, ctx);
        self.with_replacements(&text, matches.into_iter(), &with, '\\', ctx.place(call.span))
    }

    /// The matches of a pattern; `None` if it cannot be compiled or no steps are left.
    fn matches(&self, pattern: &Pattern, text: &Traced) -> Option<Vec<Match>> {
        self.spend(STEPS_OF_A_PATTERN + pattern.source.len());
        self.read(text);
        if self.is_exhausted() {
            return None;
        }
        self.expression(pattern)?.matches(&text.text())
    }

    /// The compiled pattern; `None` if it cannot be compiled.
    fn expression(&self, pattern: &Pattern) -> Option<Rc<Regex>> {
        let mut known = self.patterns.borrow_mut();
        if let Some(read) = known.get(pattern) {
            return read.clone();
        }
        if known.len() >= MOST_PATTERNS {
            known.clear();
        }
        let read = Regex::new(&pattern.source, &pattern.flags).map(Rc::new);
        known.insert(pattern.clone(), read.clone());
        read
    }

    /// Replaces each match in a text. `sigil` precedes the number of a group in a replacement.
    fn with_replacements(
        &self,
        text: &Traced,
        matches: impl Iterator<Item = Match>,
        with: &Value<'a>,
        sigil: char,
        at_call: Place,
    ) -> Option<Value<'a>> {
        if text.unknown().is_some() {
            return Some(Value::unknown("a replacement in a string that is only partly known"));
        }
        let mut result = Growing::default();
        let mut at = 0;
        for found in matches {
            if result.is_too_long() || self.is_exhausted() {
                break;
            }
            // Each cut goes through the parts from the first on.
            self.read(text);
            result.add(text.cut(at..found.range.start).parts);
            result.add(self.replacement(text, &found, with, sigil)?.parts);
            at = found.range.end;
        }
        result.add(text.cut(at..usize::MAX).parts);
        Some(self.text_of(result, at_call))
    }

    /// The replacement of a match.
    fn replacement(&self, text: &Traced, found: &Match, with: &Value<'a>, sigil: char) -> Option<Traced> {
        match with {
            Value::Text(with) if with.unknown().is_none() => {
                self.read(with);
                let template = with.text();
                let mut result = Traced::default();
                let mut at = 0;
                for (mark, _) in template.match_indices(sigil) {
                    self.read(with);
                    self.read(text);
                    // An incomplete result is discarded by `text_of`.
                    if self.is_exhausted() {
                        break;
                    }
                    let group = match template[mark + 1..].chars().next()? {
                        '&' => found.range.clone(),
                        digit => {
                            let index = usize::try_from(digit.to_digit(10)?).ok()?.checked_sub(1)?;
                            found.groups.get(index)?.clone().unwrap_or(0..0)
                        }
                    };
                    result.parts.extend(with.cut(at..mark).parts);
                    result.parts.extend(text.cut(group).parts);
                    at = mark + 2;
                }
                result.parts.extend(with.cut(at..usize::MAX).parts);
                Some(result)
            }
            // Only one parameter gets a value: the whole match or, if there are more parameters, the first group.
            Value::Expr(Expr::Function { scope, .. }, at) => {
                let ScopeKind::Function(function) = &self.item(at.file, at.item).scope(*scope).kind else {
                    return None;
                };
                let (index, range) = match (function.params.len(), found.groups.first()) {
                    (1, _) => (0, found.range.clone()),
                    (2.., Some(group)) => (1, group.clone().unwrap_or(0..0)),
                    _ => return None,
                };
                let given = Activation::Given { index, value: Value::Text(text.cut(range)) };
                match self.returned(*scope, &at.with(at.key(*scope), given)) {
                    Value::Text(text) if text.unknown().is_none() => Some(text),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn joined(&self, list: &Value<'a>, separator: &Value<'a>, at: Place) -> Option<Value<'a>> {
        if list.blocked().is_some() || matches!(list, Value::Unknown(Unknown { at: Some(_), .. })) {
            return Some(list.clone());
        }
        let (Value::List(_) | Value::Expr(Expr::Array { .. } | Expr::Each { .. }, _), Value::Text(separator)) =
            (list, separator)
        else {
            return None;
        };
        let elements = self.elements(list);
        if elements.rest.as_ref().is_some_and(|rest| rest.at.is_some()) {
            return elements.rest.map(Value::Unknown);
        }
        if elements.one_of_several || elements.rest.is_some() {
            return None;
        }
        let mut whole = Growing::default();
        for (index, element) in elements.known.into_iter().enumerate() {
            if whole.is_too_long() {
                break;
            }
            if index > 0 {
                whole.add(separator.parts.iter().cloned());
            }
            match element {
                Value::Text(text) => whole.add(text.parts),
                value @ Value::Unknown(_) => return Some(value),
                value => return value.blocked().map(|_| value),
            }
        }
        Some(self.text_of(whole, at))
    }

    fn split(&self, text: &Traced, at: &Value<'a>) -> Option<Value<'a>> {
        let Value::Text(separator) = at else { return None };
        let (whole, separator) = (text.text(), separator.text());
        if separator.is_empty() || text.unknown().is_some() {
            return None;
        }
        let mut known = Vec::new();
        let mut start = 0;
        for (end, _) in whole.match_indices(separator.as_str()) {
            self.read(text);
            if self.is_exhausted() {
                return None;
            }
            known.push(Value::Text(text.cut(start..end)));
            start = end + separator.len();
        }
        known.push(Value::Text(text.cut(start..whole.len())));
        Some(Value::list(known))
    }

    /// The result of `"{}_{name}".format(a, name=b)`.
    fn formatted(&self, text: &Traced, call: &'a Call, ctx: &Ctx<'a>) -> Option<Value<'a>> {
        let template = text.text();
        if template.contains("{{") || template.contains("}}") {
            return None;
        }
        let mut result = Growing::default();
        let mut at = 0;
        let mut next = 0;
        while let Some(open) = template[at..].find('{').map(|open| open + at) {
            let close = open + template[open..].find('}')?;
            let field = &template[open + 1..close];
            let positional = |index: usize| call.args.iter().filter(|arg| arg.name.is_none()).nth(index);
            let arg = match field.parse::<usize>() {
                Ok(index) => positional(index),
                Err(_) if field.is_empty() => {
                    next += 1;
                    positional(next - 1)
                }
                Err(_) => call.args.iter().find(|arg| arg.name.as_deref() == Some(field)),
            };
            self.read(text);
            if result.is_too_long() || self.is_exhausted() {
                break;
            }
            result.add(text.cut(at..open).parts);
            match self.eval(&arg?.value, ctx) {
                Value::Text(value) => result.add(value.parts),
                value @ Value::Unknown(Unknown { at: Some(_), .. }) => return Some(value),
                _ => return None,
            }
            at = close + 1;
        }
        result.add(text.cut(at..template.len()).parts);
        Some(self.text_of(result, ctx.place(call.span)))
    }

    /// The result of `"%s_%s" % (a, b)`.
    fn percent(&self, text: &Traced, with: &Value<'a>, place: Place) -> Option<Value<'a>> {
        let template = text.text();
        let values = match with {
            Value::Expr(Expr::Array { .. }, _) | Value::List(_) => self.elements(with).known,
            value => vec![value.clone()],
        };
        let mut values = values.into_iter();
        let mut result = Growing::default();
        let mut at = 0;
        while let Some(percent) = template[at..].find('%').map(|percent| percent + at) {
            let value = values.next().filter(|_| template[percent..].starts_with("%s"))?;
            self.read(text);
            if result.is_too_long() || self.is_exhausted() {
                break;
            }
            result.add(text.cut(at..percent).parts);
            match value {
                Value::Text(value) => result.add(value.parts),
                value if value.blocked().is_some() => return Some(value),
                value @ Value::Unknown(Unknown { at: Some(_), .. }) => return Some(value),
                _ => return None,
            }
            at = percent + 2;
        }
        result.add(text.cut(at..template.len()).parts);
        Some(self.text_of(result, place))
    }
}

impl<'a> Evaluator<'a> {
    /// The value of an enum member that is set to `auto()`: its own name in lower case, as in an enum of strings.
    /// `None` for any other value.
    pub(super) fn automatic_member(&self, value: &Value<'a>, binding: &Binding, ctx: &Ctx<'a>) -> Option<Value<'a>> {
        let Value::Expr(Expr::Call(id), at) = value else { return None };
        let callee = &self.item(at.file, at.item).call(*id).callee;
        let Value::External { module, path } = self.eval(callee, at) else { return None };
        let is_auto = module == "enum" && path.last().is_some_and(|name| name == "auto");
        is_auto.then(|| Value::Text(Traced::literal(binding.name.to_lowercase().into(), ctx.place(binding.span))))
    }
}

/// The byte range of a slice between two positions in characters; negative positions count from the end.
fn characters(text: &str, start: i64, end: i64) -> Range<usize> {
    let count = text.chars().count() as i64;
    let clamp = |at: i64| if at < 0 { (count + at).max(0) } else { at.min(count) };
    let byte = |at: i64| text.char_indices().nth(at as usize).map_or(text.len(), |(byte, _)| byte);
    let (start, end) = (byte(clamp(start)), byte(clamp(end)));
    start..end.max(start)
}

impl Traced {
    /// The part of the string in `range`, in bytes, with its origins.
    pub(crate) fn cut(&self, range: Range<usize>) -> Traced {
        let mut result = Traced::default();
        let mut at = 0;
        for part in &self.parts {
            let own = at..at + part.text.len();
            at = own.end;
            let (start, end) = (own.start.max(range.start), own.end.min(range.end));
            if start < end {
                result.parts.push(part.cut(start - own.start..end - own.start));
            }
        }
        result
    }

    /// The string, with `spell` applied to its known parts, which keep their origins.
    fn respelled(&self, spell: impl Fn(&str) -> String) -> Traced {
        let respelled = |part: &Part| match part.origin {
            Origin::Unknown(_) => part.clone(),
            _ => Part { text: spell(&part.text).into(), origin: part.origin.clone() },
        };
        Traced { parts: self.parts.iter().map(respelled).collect() }
    }
}

impl Part {
    fn cut(&self, range: Range<usize>) -> Part {
        let text = SmolStr::new(&self.text[range.clone()]);
        let origin = match &self.origin {
            // If the literal contains escapes, the place stays that of the whole literal.
            Origin::Literal(place) if place.span.len() == self.text.len() => {
                let start = place.span.start + range.start as u32;
                Origin::Literal(super::Place { span: Span { start, end: start + range.len() as u32 }, ..*place })
            }
            origin => origin.clone(),
        };
        Part { text, origin }
    }
}

impl<'a> Value<'a> {
    /// A list of these values.
    pub(super) fn list(known: Vec<Value<'a>>) -> Value<'a> {
        Value::List(std::rc::Rc::new(super::value::Elements { known, ..Default::default() }))
    }
}
