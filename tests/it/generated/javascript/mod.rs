//! Random servers in JavaScript.
//!
//! Every construct is a function from a known value to an expression that has it; it may first write statements into
//! the present block, the top level of the module, or another module. The parts of a construct are expressions for the
//! values of the parts, so that constructs nest in each other.

mod bindings;
mod classes;
mod collections;
mod control;
mod functions;
mod lists;
mod loops;
mod modules;
mod objects;
mod open;
mod program;
mod register;
mod scalars;
mod servers;
mod texts;
mod turns;
mod wrap;

use super::core::{Core, Program, atom, indent, is_atom};
use super::random::Random;
use super::value::{Value, word};

/// A way to express a value, and its name for the statistics.
type Form = (&'static str, fn(&mut Js, &Value, u32) -> Option<String>);

/// The tables of forms for values of any type.
const GENERAL: &[&[Form]] =
    &[bindings::FORMS, functions::FORMS, objects::FORMS, classes::FORMS, control::FORMS, modules::FORMS];

/// The kinds of constructs that a program can use.
pub(super) fn kinds() -> Vec<&'static str> {
    let values = [
        bindings::FORMS,
        functions::FORMS,
        objects::FORMS,
        classes::FORMS,
        control::FORMS,
        modules::FORMS,
        texts::FORMS,
        scalars::NUMBERS,
        scalars::FLAGS,
        lists::FORMS,
        collections::FORMS,
        objects::RECORDS,
    ];
    let mut kinds: Vec<&'static str> = values.iter().flat_map(|forms| forms.iter().map(|(kind, _)| *kind)).collect();
    kinds.extend(register::FORMS.iter().map(|(kind, _)| *kind));
    kinds.extend(loops::FORMS.iter().map(|(kind, _)| *kind));
    kinds.extend(wrap::FORMS.iter().map(|(kind, _)| *kind));
    kinds.extend(servers::FORMS.iter().map(|(kind, _)| *kind));
    kinds.extend(open::FORMS.iter().map(|(kind, _)| *kind));
    kinds
}

/// The program that follows from random choices.
pub(super) fn generate(random: Random) -> (Program, Vec<u32>) {
    program::generate(random)
}

/// A generator of one program.
pub(super) struct Js {
    core: Core,
    /// Whether modules are ECMAScript modules; otherwise they are CommonJS.
    is_esm: bool,
    /// The extension of modules.
    extension: &'static str,
    quote: char,
    /// How many files of code there may be.
    max_modules: usize,
    settles: bool,
}

impl Js {
    fn chance(&mut self, percent: usize) -> bool {
        self.core.random.chance(percent)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.core.random.below(limit)
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn emit(&mut self, text: impl AsRef<str>) {
        self.core.emit(text.as_ref());
    }

    fn fresh(&mut self, bases: &[&str]) -> String {
        let base = self.pick(bases);
        self.core.fresh(base)
    }

    /// An expression that has the value.
    fn value(&mut self, value: &Value, depth: u32) -> String {
        if depth == 0 || !self.chance(78) || !self.core.spend() {
            return self.plain(value, depth);
        }
        for _ in 0..6 {
            let (kind, form) = match (self.favourite(value), self.narrow(value)) {
                (Some(form), _) if self.chance(40) => form,
                (_, Some(forms)) if self.chance(12) => *self.core.random.pick(forms),
                _ => {
                    let forms = self.forms(value);
                    self.core.choose(forms)
                }
            };
            if let Some(text) = form(self, value, depth - 1) {
                self.core.mark(kind);
                return text;
            }
        }
        self.plain(value, depth)
    }

    /// A form for a value that this program prefers.
    fn favourite(&mut self, value: &Value) -> Option<Form> {
        let own: &[&[Form]] = match value {
            Value::Text(_) => &[texts::FORMS],
            Value::Number(_) => &[scalars::NUMBERS],
            Value::Flag(_) => &[scalars::FLAGS],
            Value::List(_) => &[lists::FORMS, collections::FORMS],
            Value::Record(_) => &[objects::RECORDS],
            Value::Handler => &[],
        };
        let favourites = GENERAL.iter().chain(own).flat_map(|forms| forms.iter());
        let favourites: Vec<Form> = favourites.filter(|(kind, _)| self.core.prefers(kind)).copied().collect();
        if favourites.is_empty() { None } else { Some(*self.core.random.pick(&favourites)) }
    }

    /// A table of forms that suit few values, perhaps this one.
    fn narrow(&self, value: &Value) -> Option<&'static [Form]> {
        match value {
            Value::Text(text) if text.ends_with(|last: char| last.is_ascii_digit()) => Some(texts::NARROW),
            Value::List(_) => Some(lists::NARROW),
            _ => None,
        }
    }

    /// A table of forms for a value.
    fn forms(&mut self, value: &Value) -> &'static [Form] {
        let own = match value {
            Value::Text(_) => Some(texts::FORMS),
            Value::Number(_) => Some(scalars::NUMBERS),
            Value::Flag(_) => Some(scalars::FLAGS),
            Value::List(_) => Some(if self.chance(45) { collections::FORMS } else { lists::FORMS }),
            Value::Record(_) => Some(objects::RECORDS),
            Value::Handler => None,
        };
        let is_scalar = matches!(value, Value::Number(_) | Value::Flag(_));
        match (self.below(11), own) {
            (4..=8, Some(own)) if is_scalar => own,
            (0..=3, Some(own)) => own,
            (0..=3, None) | (4, _) => bindings::FORMS,
            (5 | 6, _) => functions::FORMS,
            (7, _) => objects::FORMS,
            (8, _) => classes::FORMS,
            (9, _) => control::FORMS,
            _ => modules::FORMS,
        }
    }

    /// A literal, or a variable that has the value already.
    fn plain(&mut self, value: &Value, depth: u32) -> String {
        if matches!(value, Value::Text(_))
            && self.chance(60)
            && let Some(name) = self.core.recall(value)
        {
            self.core.mark("reuse");
            return name;
        }
        match value {
            Value::Text(text) => self.literal(text),
            Value::Number(number) => number.to_string(),
            Value::Flag(flag) => flag.to_string(),
            Value::List(elements) => {
                let elements = elements.iter().map(|element| self.value(element, depth.saturating_sub(1))).collect();
                list_of(elements)
            }
            Value::Record(fields) => {
                let depth = depth.saturating_sub(1);
                let fields = fields.iter().map(|(key, value)| (self.key(key), self.value(value, depth))).collect();
                object_of(fields)
            }
            Value::Handler => self.handler(),
        }
    }

    fn text(&mut self, text: &str, depth: u32) -> String {
        self.value(&Value::text(text), depth)
    }

    fn flag(&mut self, flag: bool, depth: u32) -> String {
        self.value(&Value::Flag(flag), depth.max(1))
    }

    fn number(&mut self, number: usize, depth: u32) -> String {
        self.value(&Value::Number(number as i64), depth.max(1))
    }

    /// A string literal.
    fn literal(&mut self, text: &str) -> String {
        if self.chance(6) && !text.contains(['`', '$', '\\']) {
            return format!("`{text}`");
        }
        if self.chance(2) && text.contains('_') {
            return quoted(text, '"').replacen('_', "\\u005f", 1);
        }
        quoted(text, self.quote)
    }

    /// A key of an object literal.
    fn key(&mut self, key: &str) -> String {
        if !is_identifier(key) || self.chance(8) { self.literal_key(key) } else { key.to_string() }
    }

    fn literal_key(&self, key: &str) -> String {
        quoted(key, self.quote)
    }

    /// Another value of the same type, which must not be used for a name.
    fn decoy(&mut self, value: &Value) -> Value {
        match value {
            Value::Text(_) => Value::text(format!("no_{}", word(&mut self.core.random))),
            Value::Number(number) => Value::Number(number + 1),
            Value::Flag(flag) => Value::Flag(!flag),
            Value::List(_) => Value::List(Vec::new()),
            Value::Record(fields) => {
                let fields = fields.clone();
                Value::Record(fields.into_iter().map(|(key, value)| (key, self.decoy(&value))).collect())
            }
            Value::Handler => Value::Handler,
        }
    }

    /// The function that a tool runs.
    fn handler(&mut self) -> String {
        match self.below(5) {
            0 => "async () => ({ content: [] })".to_string(),
            1 => "() => ({ content: [] })".to_string(),
            2 => "async (args) => ({ content: [{ type: \"text\", text: String(args) }] })".to_string(),
            3 => "async function () {\n  return { content: [] };\n}".to_string(),
            _ => {
                let name = self.fresh(&["run", "handle", "handler"]);
                self.at_top(|js| js.emit(format!("async function {name}() {{\n  return {{ content: [] }};\n}}")));
                name
            }
        }
    }

    /// Writes into a new block and returns its lines.
    fn block<R>(&mut self, awaits: bool, write: impl FnOnce(&mut Js) -> R) -> (Vec<String>, R) {
        self.core.open(awaits);
        let result = write(self);
        (self.core.close(), result)
    }

    /// A block of statements in braces, in which `await` may be used if it may here.
    fn braces(&mut self, write: impl FnOnce(&mut Js)) -> String {
        let awaits = self.core.awaits();
        let (lines, ()) = self.block(awaits, write);
        braced(&lines)
    }

    /// Writes at the top level of the present module, before the statement that is being written.
    fn at_top<R>(&mut self, write: impl FnOnce(&mut Js) -> R) -> R {
        let outside = self.core.outside();
        let result = write(self);
        self.core.back_inside(outside);
        result
    }

    /// Writes at the top level or here.
    fn somewhere<R>(&mut self, write: impl FnOnce(&mut Js) -> R) -> R {
        if self.chance(50) { self.at_top(write) } else { write(self) }
    }

    /// An arrow function whose value is what `write` returns.
    fn arrow(&mut self, params: &str, write: impl FnOnce(&mut Js) -> String) -> String {
        let (lines, value) = self.block(false, write);
        arrow_of("", params, lines, &value)
    }

    fn async_arrow(&mut self, params: &str, write: impl FnOnce(&mut Js) -> String) -> String {
        let (lines, value) = self.block(true, write);
        arrow_of("async ", params, lines, &value)
    }

    /// The body of a function that returns what `write` returns.
    fn returning(&mut self, awaits: bool, write: impl FnOnce(&mut Js) -> String) -> String {
        let (mut lines, value) = self.block(awaits, write);
        lines.push(format!("return {value};"));
        braced(&lines)
    }

    /// An expression that may be evaluated again and again.
    fn steady(&mut self, bases: &[&str], expression: &str) -> String {
        if expression.contains('(') { self.named(bases, expression) } else { expression.to_string() }
    }

    /// A variable that holds the value of an expression, or the expression if it is a name already.
    fn named(&mut self, bases: &[&str], expression: &str) -> String {
        if is_identifier(expression) && !["true", "false", "null", "undefined"].contains(&expression) {
            return expression.to_string();
        }
        let name = self.fresh(bases);
        self.emit(format!("const {name} = {expression};"));
        name
    }
}

fn arrow_of(start: &str, params: &str, mut lines: Vec<String>, value: &str) -> String {
    if lines.is_empty() {
        let value = if value.starts_with('{') { format!("({value})") } else { value.to_string() };
        return format!("{start}({params}) => {value}");
    }
    lines.push(format!("return {value};"));
    format!("{start}({params}) => {}", braced(&lines))
}

fn braced(lines: &[String]) -> String {
    if lines.is_empty() { "{}".to_string() } else { format!("{{\n{}\n}}", indent(lines, 2)) }
}

fn quoted(text: &str, quote: char) -> String {
    let text = text.replace('\\', "\\\\").replace(quote, &format!("\\{quote}"));
    format!("{quote}{text}{quote}")
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|first: char| first.is_ascii_digit())
        && text.chars().all(|character| character.is_ascii_alphanumeric() || character == '_' || character == '$')
}

/// An array literal.
fn list_of(elements: Vec<String>) -> String {
    let length: usize = elements.iter().map(|element| element.len() + 2).sum();
    if length <= 90 && !elements.iter().any(|element| element.contains('\n')) {
        return format!("[{}]", elements.join(", "));
    }
    let elements: Vec<String> = elements.into_iter().map(|element| format!("{element},")).collect();
    format!("[\n{}\n]", indent(&elements, 2))
}

/// An object literal of keys and values as written.
fn object_of(fields: Vec<(String, String)>) -> String {
    let one = |(key, value): (String, String)| {
        if key == value && is_identifier(&key) { key } else { format!("{key}: {value}") }
    };
    let fields: Vec<String> = fields.into_iter().map(one).collect();
    let length: usize = fields.iter().map(|field| field.len() + 2).sum();
    if fields.is_empty() {
        return "{}".to_string();
    }
    if length <= 90 && !fields.iter().any(|field| field.contains('\n')) {
        return format!("{{ {} }}", fields.join(", "));
    }
    let fields: Vec<String> = fields.into_iter().map(|field| format!("{field},")).collect();
    format!("{{\n{}\n}}", indent(&fields, 2))
}

/// The access to a member of an object under a key.
fn member(object: &str, key: &str) -> String {
    let object = atom(object);
    if is_identifier(key) { format!("{object}.{key}") } else { format!("{object}[{}]", quoted(key, '"')) }
}

/// An expression as an operand of `+` and the like.
fn operand(text: &str) -> String {
    if is_atom(text) || text.chars().all(|character| character.is_ascii_digit()) {
        text.to_string()
    } else {
        format!("({text})")
    }
}
