//! What the generators of both languages share: files that grow, the scopes of the code being written, and names.

use std::collections::{BTreeMap, BTreeSet};

use super::random::Random;
use super::value::Value;

/// A generated program.
#[derive(Debug, Clone)]
pub(super) struct Program {
    pub(super) files: Vec<(String, String)>,
    pub(super) entry: String,
    /// Whether it looks at the environment, so that a machine may leave a name open.
    pub(super) is_open: bool,
    /// Whether registrations may happen after the entry has been loaded.
    pub(super) settles: bool,
    /// How often each kind of statement and expression was used.
    pub(super) kinds: BTreeMap<&'static str, u64>,
}

/// A file of code that grows.
#[derive(Debug, Default)]
pub(super) struct Module {
    pub(super) path: String,
    /// Imports.
    pub(super) head: Vec<String>,
    pub(super) lines: Vec<String>,
    /// The local and the exported name of what is exported; the local one is empty if a statement exports it already.
    pub(super) exported: Vec<(String, String)>,
    /// Whether nothing may be added.
    pub(super) is_closed: bool,
    names: BTreeSet<String>,
    known: Vec<(String, Value)>,
    /// What has been imported: module, exported name, local expression.
    pub(super) imported: Vec<(String, String, String)>,
}

/// A block that is being written.
#[derive(Debug)]
struct Frame {
    module: usize,
    is_top: bool,
    /// Whether `await` may be used.
    awaits: bool,
    lines: Vec<String>,
    known: Vec<(String, Value)>,
}

/// The state of a generator.
pub(super) struct Core {
    pub(super) random: Random,
    pub(super) kinds: BTreeMap<&'static str, u64>,
    /// The constructs that this program uses more than others.
    favourites: Vec<&'static str>,
    /// How many more constructs may be used.
    pub(super) fuel: u32,
    pub(super) modules: Vec<Module>,
    /// Files that are not code.
    pub(super) data: Vec<(String, String)>,
    frames: Vec<Frame>,
}

impl Core {
    pub(super) fn new(random: Random, fuel: u32) -> Core {
        Core {
            random,
            kinds: BTreeMap::new(),
            favourites: Vec::new(),
            fuel,
            modules: Vec::new(),
            data: Vec::new(),
            frames: Vec::new(),
        }
    }

    pub(super) fn mark(&mut self, kind: &'static str) {
        *self.kinds.entry(kind).or_default() += 1;
    }

    /// Makes the program use a construct more often.
    pub(super) fn prefer(&mut self, kind: &'static str) {
        self.favourites.push(kind);
    }

    pub(super) fn prefers(&self, kind: &str) -> bool {
        self.favourites.contains(&kind)
    }

    /// One of a table of constructs, rather one that the program prefers.
    pub(super) fn choose<T: Copy>(&mut self, forms: &[(&'static str, T)]) -> (&'static str, T) {
        let preferred: Vec<(&'static str, T)> =
            forms.iter().filter(|(kind, _)| self.favourites.contains(kind)).copied().collect();
        if !preferred.is_empty() && self.random.chance(50) {
            return *self.random.pick(&preferred);
        }
        *self.random.pick(forms)
    }

    /// Takes one unit of what the program may still use.
    pub(super) fn spend(&mut self) -> bool {
        let left = self.fuel > 0;
        self.fuel = self.fuel.saturating_sub(1);
        left
    }

    pub(super) fn add_module(&mut self, path: String) -> usize {
        self.modules.push(Module { path, ..Module::default() });
        self.modules.len() - 1
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("code is written in a module")
    }

    /// The module that is being written.
    pub(super) fn module(&self) -> usize {
        self.frames.last().expect("code is written in a module").module
    }

    pub(super) fn awaits(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.awaits)
    }

    /// Says whether `await` may be used from now on in the present block, and returns whether it could be.
    pub(super) fn set_awaits(&mut self, awaits: bool) -> bool {
        std::mem::replace(&mut self.frame().awaits, awaits)
    }

    /// Whether code is written at the top level of its module.
    pub(super) fn is_top(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.is_top)
    }

    /// Begins to write at the end of a module.
    pub(super) fn enter(&mut self, module: usize, awaits: bool) {
        let known = std::mem::take(&mut self.modules[module].known);
        self.frames.push(Frame { module, is_top: true, awaits, lines: Vec::new(), known });
    }

    /// Ends what `enter` began.
    pub(super) fn leave(&mut self) {
        let frame = self.frames.pop().expect("leave follows enter");
        let module = &mut self.modules[frame.module];
        module.lines.extend(frame.lines);
        module.known = frame.known;
    }

    /// Begins a block in the present one.
    pub(super) fn open(&mut self, awaits: bool) {
        let module = self.module();
        self.frames.push(Frame { module, is_top: false, awaits, lines: Vec::new(), known: Vec::new() });
    }

    /// Ends a block and returns its lines.
    pub(super) fn close(&mut self) -> Vec<String> {
        self.frames.pop().expect("close follows open").lines
    }

    /// Leaves all blocks of the module for a while; `back_inside` returns to them.
    pub(super) fn outside(&mut self) -> Outside {
        let top = self.frames.iter().rposition(|frame| frame.is_top).expect("a module has a top level");
        Outside(self.frames.split_off(top + 1))
    }

    pub(super) fn back_inside(&mut self, outside: Outside) {
        self.frames.extend(outside.0);
    }

    pub(super) fn emit(&mut self, text: &str) {
        self.frame().lines.extend(text.split('\n').map(String::from));
    }

    /// A name that its module does not use yet.
    pub(super) fn fresh(&mut self, base: &str) -> String {
        let module = self.module();
        let names = &mut self.modules[module].names;
        let mut name = base.to_string();
        let mut number = 2;
        while !names.insert(name.clone()) {
            name = format!("{base}{number}");
            number += 1;
        }
        name
    }

    /// Remembers that a statement of the present module exports a name.
    pub(super) fn exported_inline(&mut self, name: &str) {
        let module = self.module();
        self.modules[module].exported.push((String::new(), name.to_string()));
    }

    /// Remembers that a variable of the present block has a value which never changes.
    pub(super) fn know(&mut self, name: &str, value: &Value) {
        self.frame().known.push((name.to_string(), value.clone()));
    }

    /// The visible variables whose value is known.
    fn visible(&self) -> impl Iterator<Item = &(String, Value)> {
        let module = self.module();
        let of_module = self.frames.iter().rev().take_while(move |frame| frame.module == module);
        of_module.flat_map(|frame| &frame.known)
    }

    /// A visible variable with this value.
    pub(super) fn recall(&mut self, value: &Value) -> Option<String> {
        let found: Vec<String> =
            self.visible().filter(|(_, known)| known == value).map(|(name, _)| name.clone()).collect();
        if found.is_empty() { None } else { Some(self.random.pick(&found).clone()) }
    }

    /// The lengths of the beginnings of a text that visible variables have as their values.
    pub(super) fn known_starts(&self, text: &str) -> Vec<usize> {
        let texts = self.visible().filter_map(|(_, known)| known.as_text());
        let starts = texts.filter(|start| text.starts_with(start) && start.len() > 1 && start.len() < text.len());
        starts.map(str::len).collect()
    }
}

/// The blocks that are left for a while.
pub(super) struct Outside(Vec<Frame>);

/// Text with every line but empty ones moved to the right.
pub(super) fn indent(lines: &[String], by: usize) -> String {
    let pad = " ".repeat(by);
    let lines = lines.iter().flat_map(|line| line.split('\n'));
    let lines = lines.map(|line| if line.is_empty() { String::new() } else { format!("{pad}{line}") });
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether an expression needs no parentheses before `.x`: it has no operators outside of brackets and quotes.
pub(super) fn is_atom(text: &str) -> bool {
    if text.starts_with(|first: char| first.is_ascii_digit() || "{-!+`/~*".contains(first)) {
        return text.starts_with('`') && text.len() > 1 && text[1..].find('`') == Some(text.len() - 2);
    }
    let mut depth = 0;
    let mut quote = None;
    let mut before = ' ';
    for character in text.chars() {
        match quote {
            Some(open) if character == open && before != '\\' => quote = None,
            Some(_) => {}
            None => match character {
                '"' | '\'' | '`' => quote = Some(character),
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                ' ' | '+' | '-' | '*' | '/' | '%' | '<' | '>' | '=' | '&' | '|' | ':' | ',' | '\n' if depth == 0 => {
                    return false;
                }
                _ => {}
            },
        }
        before = character;
    }
    depth == 0 && quote.is_none()
}

/// An expression that may stand before `.x`.
pub(super) fn atom(text: &str) -> String {
    if is_atom(text) { text.to_string() } else { format!("({text})") }
}
