//! Random servers in Python, made like those in JavaScript: each construct is a function from a known value to an
//! expression that has it, after statements that it may write first.

mod bindings;
mod classes;
mod collections;
mod containers;
mod control;
mod functions;
mod lists;
mod loops;
mod modules;
mod open;
mod program;
mod register;
mod registries;
mod scalars;
mod servers;
mod shaping;
mod texts;
mod turns;
mod wrap;

use super::core::{Core, Program, atom, indent, is_atom};
use super::random::Random;
use super::value::{Value, word};

/// A way to express a value, and its name for the statistics.
type Form = (&'static str, fn(&mut Py, &Value, u32) -> Option<String>);

/// The tables of forms for values of any type.
const GENERAL: &[&[Form]] =
    &[bindings::FORMS, functions::FORMS, containers::FORMS, classes::FORMS, control::FORMS, modules::FORMS];

/// The kinds of constructs that a program can use.
pub(super) fn kinds() -> Vec<&'static str> {
    let values = [
        bindings::FORMS,
        functions::FORMS,
        containers::FORMS,
        containers::RECORDS,
        classes::FORMS,
        control::FORMS,
        modules::FORMS,
        texts::FORMS,
        shaping::FORMS,
        scalars::NUMBERS,
        scalars::FLAGS,
        lists::FORMS,
        collections::FORMS,
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
pub(super) struct Py {
    core: Core,
    quote: char,
    /// The package that the files are in, if the entry is not at the root.
    package: Option<&'static str>,
    /// How many files of code there may be.
    max_modules: usize,
}

impl Py {
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
                (_, Some(forms)) if self.chance(15) => *self.core.random.pick(forms),
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
            Value::Text(_) => &[texts::FORMS, shaping::FORMS],
            Value::Number(_) => &[scalars::NUMBERS],
            Value::Flag(_) => &[scalars::FLAGS],
            Value::List(_) => &[lists::FORMS, collections::FORMS],
            Value::Record(_) => &[containers::RECORDS],
            Value::Handler => &[],
        };
        let favourites = GENERAL.iter().chain(own).flat_map(|forms| forms.iter());
        let favourites: Vec<Form> = favourites.filter(|(kind, _)| self.core.prefers(kind)).copied().collect();
        if favourites.is_empty() { None } else { Some(*self.core.random.pick(&favourites)) }
    }

    /// A table of forms that suit few values or places, perhaps this one.
    fn narrow(&mut self, value: &Value) -> Option<&'static [Form]> {
        if self.core.awaits() && self.chance(50) {
            return Some(if matches!(value, Value::List(_)) { collections::AWAITING } else { functions::AWAITING });
        }
        match value {
            Value::Text(text) if text.ends_with(|last: char| last.is_ascii_digit()) => Some(texts::NARROW),
            Value::List(all) => match all.first() {
                Some(Value::Record(_)) if self.chance(60) => Some(lists::NARROW_DICTS),
                _ => Some(lists::NARROW),
            },
            _ => None,
        }
    }

    /// A table of forms for a value.
    fn forms(&mut self, value: &Value) -> &'static [Form] {
        let is_first = self.chance(55);
        let own = match value {
            Value::Text(_) => Some(if is_first { texts::FORMS } else { shaping::FORMS }),
            Value::Number(_) => Some(scalars::NUMBERS),
            Value::Flag(_) => Some(scalars::FLAGS),
            Value::List(_) => Some(if is_first { lists::FORMS } else { collections::FORMS }),
            Value::Record(_) => Some(containers::RECORDS),
            Value::Handler => None,
        };
        let is_scalar = matches!(value, Value::Number(_) | Value::Flag(_));
        match (self.below(12), own) {
            (5..=8, Some(own)) if is_scalar => own,
            (0..=4, Some(own)) => own,
            (0..=4, None) | (5, _) => bindings::FORMS,
            (6, _) => functions::FORMS,
            (7 | 8, _) => containers::FORMS,
            (9, _) => classes::FORMS,
            (10, _) => control::FORMS,
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
            Value::Flag(true) => "True".to_string(),
            Value::Flag(false) => "False".to_string(),
            Value::List(elements) => {
                let elements = elements.iter().map(|element| self.value(element, depth.saturating_sub(1))).collect();
                list_of(elements)
            }
            Value::Record(fields) => {
                let depth = depth.saturating_sub(1);
                let mut entries = Vec::new();
                for (key, value) in fields {
                    let key = self.literal_key(key);
                    entries.push((key, self.value(value, depth)));
                }
                dict_of(entries)
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
        if self.chance(3) && !text.contains(['"', '\\']) {
            return format!("\"\"\"{text}\"\"\"");
        }
        if self.chance(3) && !text.contains(['"', '\\', '\'']) {
            return format!("r\"{text}\"");
        }
        if self.chance(2) && text.contains('_') {
            return quoted(text, '"').replacen('_', "\\x5f", 1);
        }
        quoted(text, self.quote)
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
        if self.chance(25) {
            return "lambda: \"done\"".to_string();
        }
        let name = self.fresh(&["run", "handle", "handler", "execute"]);
        let start = self.pick(&["", "async "]);
        let doc = self.pick(&["    return \"done\"", "    \"\"\"Does it.\"\"\"\n    return \"done\"", "    ..."]);
        self.at_top(|py| py.emit(format!("{start}def {name}() -> str:\n{doc}")));
        name
    }

    /// Writes into a new block and returns its lines.
    fn block<R>(&mut self, awaits: bool, write: impl FnOnce(&mut Py) -> R) -> (Vec<String>, R) {
        self.core.open(awaits);
        let result = write(self);
        (self.core.close(), result)
    }

    /// The lines of a suite in which `await` may be used if it may here.
    fn suite(&mut self, write: impl FnOnce(&mut Py)) -> String {
        let awaits = self.core.awaits();
        let (lines, ()) = self.block(awaits, write);
        suite_of(&lines)
    }

    /// Writes at the top level of the present module, before the statement that is being written.
    fn at_top<R>(&mut self, write: impl FnOnce(&mut Py) -> R) -> R {
        let outside = self.core.outside();
        let result = write(self);
        self.core.back_inside(outside);
        result
    }

    /// Writes at the top level or here.
    fn somewhere<R>(&mut self, write: impl FnOnce(&mut Py) -> R) -> R {
        if self.chance(50) { self.at_top(write) } else { write(self) }
    }

    /// The value in a place where `await` and `:=` cannot stand.
    fn still(&mut self, value: &Value, depth: u32) -> String {
        let awaits = self.core.set_awaits(false);
        let text = self.value(value, depth);
        self.core.set_awaits(awaits);
        self.unbound(&text)
    }

    /// An expression without `:=`.
    fn unbound(&mut self, text: &str) -> String {
        if text.contains(":=") { self.named(&["bound", "ready"], text) } else { text.to_string() }
    }

    /// An expression that can be evaluated inside of a lambda or comprehension, and more than once.
    fn steady(&mut self, bases: &[&str], text: &str) -> String {
        if text.contains(['(', ':']) || text.contains("await") { self.named(bases, text) } else { text.to_string() }
    }

    /// The suite of a function that returns what `write` returns.
    fn returning(&mut self, awaits: bool, write: impl FnOnce(&mut Py) -> String) -> String {
        let (mut lines, value) = self.block(awaits, write);
        lines.push(format!("return {value}"));
        suite_of(&lines)
    }

    /// A variable that holds the value of an expression, or the expression if it is a name already.
    fn named(&mut self, bases: &[&str], expression: &str) -> String {
        if is_identifier(expression) && !["True", "False", "None"].contains(&expression) {
            return expression.to_string();
        }
        let name = self.fresh(bases);
        self.emit(format!("{name} = {expression}"));
        name
    }

    /// A piece of an f-string that stands for an expression.
    fn hole(&mut self, expression: &str) -> String {
        let is_hard =
            expression.contains(['"', '\\', '\n', ':', '!', '{', '}', '#', '=']) || expression.contains("lambda");
        if is_hard {
            format!("{{{}}}", self.named(&["part", "piece", "inner"], expression))
        } else {
            format!("{{{expression}}}")
        }
    }

    /// Imports a name of the standard library and returns the expression for it.
    fn std(&mut self, module: &str, name: &str) -> String {
        let here = self.core.module();
        let known = self.core.modules[here].imported.iter().find(|(from, what, _)| from == module && what == name);
        if let Some((_, _, local)) = known {
            return local.clone();
        }
        let root = module.split('.').next().unwrap_or(module).to_string();
        let has_root = module == root
            && (self.core.modules[here].head.contains(&format!("import {module}")) || self.core.fresh(&root) == root);
        let (line, local) = match self.below(4) {
            0 if has_root => (format!("import {module}"), format!("{root}.{name}")),
            1 if !module.contains('.') => {
                let short = self.fresh(&["_lib", "lib"]);
                (format!("import {module} as {short}"), format!("{short}.{name}"))
            }
            2 => {
                let local = self.core.fresh(&format!("_{name}"));
                (format!("from {module} import {name} as {local}"), local)
            }
            _ => {
                let local = self.core.fresh(name);
                let clause = if local == name { local.clone() } else { format!("{name} as {local}") };
                (format!("from {module} import {clause}"), local)
            }
        };
        self.import_line(line);
        self.core.modules[here].imported.push((module.to_string(), name.to_string(), local.clone()));
        local
    }

    fn import_line(&mut self, line: String) {
        let here = self.core.module();
        if !self.core.modules[here].head.contains(&line) {
            self.core.modules[here].head.push(line);
        }
    }
}

/// Lines as the body of a compound statement.
fn suite_of(lines: &[String]) -> String {
    if lines.is_empty() { "    pass".to_string() } else { indent(lines, 4) }
}

fn quoted(text: &str, quote: char) -> String {
    let text = text.replace('\\', "\\\\").replace(quote, &format!("\\{quote}"));
    format!("{quote}{text}{quote}")
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|first: char| first.is_ascii_digit())
        && text.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

fn in_brackets(open: char, parts: Vec<String>, close: char) -> String {
    let length: usize = parts.iter().map(|part| part.len() + 2).sum();
    if length <= 90 && !parts.iter().any(|part| part.contains('\n')) {
        return format!("{open}{}{close}", parts.join(", "));
    }
    let parts: Vec<String> = parts.into_iter().map(|part| format!("{part},")).collect();
    format!("{open}\n{}\n{close}", indent(&parts, 4))
}

/// A list display.
fn list_of(elements: Vec<String>) -> String {
    in_brackets('[', elements, ']')
}

/// A dict display.
fn dict_of(entries: Vec<(String, String)>) -> String {
    in_brackets('{', entries.into_iter().map(|(key, value)| format!("{key}: {value}")).collect(), '}')
}

/// An expression as an operand of `+` and the like.
fn operand(text: &str) -> String {
    if is_atom(text) || text.starts_with('{') && is_atom(&text.replacen('{', "[", 1).replace('}', "]")) {
        return text.to_string();
    }
    if text.chars().all(|character| character.is_ascii_digit()) { text.to_string() } else { format!("({text})") }
}

/// The definition of a class; without members, an empty one.
fn class(name: &str, bases: &str, members: &[String]) -> String {
    let bases = if bases.is_empty() { String::new() } else { format!("({bases})") };
    let mut lines: Vec<String> = Vec::new();
    for (at, member) in members.iter().enumerate() {
        let is_long = member.contains('\n');
        if at > 0 && is_long {
            lines.push(String::new());
        }
        lines.push(member.clone());
    }
    format!("class {name}{bases}:\n{}", suite_of(&lines))
}

/// The definition of a function.
fn def(name: &str, params: &str, suite: &str) -> String {
    format!("def {name}({params}):\n{suite}")
}
