//! Reads a convention from its table.

use super::Convention;
use super::keys::{KEYS, OF_SLOTS, keys};
use super::pattern::Pattern;
use super::protocol;
use super::vocabulary::MAX_WORDS;
use crate::document::table::Shape;
use crate::document::{self, Fault, Node};
use crate::name::{Case, nearest};

/// A case, and the separator between words; `None` for any.
type Spelling = (Option<Case>, Option<&'static str>);

/// The spellings of names: the word for each, and its meaning.
pub(super) const CASES: [(&str, &str, Spelling); 6] = [
    ("snake", "`snake_case`", (Some(Case::Lower), Some("_"))),
    ("lower", "Lower case, with any separator.", (Some(Case::Lower), None)),
    ("kebab", "`kebab-case`", (Some(Case::Lower), Some("-"))),
    ("camel", "`camelCase`", (Some(Case::Camel), Some(""))),
    ("pascal", "`PascalCase`", (Some(Case::Pascal), Some(""))),
    ("any", "Any case and separator.", (None, None)),
];

/// The least and the greatest number of characters.
pub(super) type Bounds = (usize, usize);

impl Convention {
    /// Applies the parameters of a `[convention]` table; each key that is not accepted is a fault.
    pub fn apply(&mut self, table: &Node, faults: &mut Vec<Fault>) {
        // The pattern determines the slots, wherever it is in the table.
        let is_pattern = |(key, _): &(&document::Text, &Node)| key.text == "pattern";
        let entries = table.entries().filter(is_pattern).chain(table.entries().filter(|entry| !is_pattern(entry)));
        for (key, value) in entries {
            let name = key.text.as_str();
            if let Some(row) = KEYS.iter().find(|row| row.key.name == name) {
                if row.key.shape.check(value, faults) {
                    (row.store)(self, value, faults);
                }
            } else if let Some(slot) = name.strip_suffix('s').filter(|slot| self.is_slot(slot)) {
                self.set_vocabulary(slot, value, faults);
            } else if self.is_slot(name) {
                self.set_expected(name, value, faults);
            } else {
                let known = keys().chain(&OF_SLOTS).map(|key| key.name);
                let hint = nearest(name, known).map(|near| format!("; did you mean `{near}`?"));
                let message = format!("unknown key `{name}`{}", hint.unwrap_or_default());
                faults.push(Fault { span: key.span, message });
            }
        }
        // A prefix or a case alone is a convention for names of any other form.
        if self.pattern.is_none() && (!self.prefix.is_empty() || self.case.is_some()) {
            self.pattern = Pattern::parse("{prefix}{tool}").ok();
        }
    }

    /// Sets the words of a slot; its key is the plural of the slot's name: `servers` for `{server}`.
    fn set_vocabulary(&mut self, slot: &str, value: &Node, faults: &mut Vec<Fault>) {
        if !Shape::Words.check(value, faults) {
            return;
        }
        if value.elements().len() > MAX_WORDS {
            let message = format!("more than {MAX_WORDS} words for one slot: list those that names use");
            faults.push(Fault { span: value.span, message });
            return;
        }
        let (mut words, mut wrong) = (Vec::new(), Vec::new());
        for word in value.words() {
            match word_of_names(&word.text) {
                None => words.push(word.text.clone()),
                Some(message) => wrong.push(Fault { span: word.span, message }),
            }
        }
        faults.append(&mut wrong);
        self.vocabulary.insert(slot.to_string(), words.into());
    }

    /// Sets the word that a slot must have; its key is the slot's name: `namespace = "myproject"`. `*` allows any word.
    fn set_expected(&mut self, slot: &str, value: &Node, faults: &mut Vec<Fault>) {
        let message = match value.as_str() {
            Some("*") => {
                self.expected.remove(slot);
                return;
            }
            Some(word) => word_of_names(word),
            None => Some(format!("expected the {slot}, a string")),
        };
        match (message, value.as_str()) {
            (None, Some(word)) => drop(self.expected.insert(slot.to_string(), word.to_string())),
            (message, _) => {
                faults.extend(message.map(|message| Fault { span: value.span, message }));
            }
        }
    }

    /// Sets one parameter to a string.
    ///
    /// # Errors
    /// A message about the value or key.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let (node, _) = document::parse_toml(&format!("{key} = {}", toml::Value::from(value)));
        let mut faults = Vec::new();
        self.apply(&node, &mut faults);
        faults.pop().map_or(Ok(()), |fault| Err(fault.message))
    }
}

/// Returns the words of a value that are slots of the convention; each other word is a fault.
pub(super) fn slots_named(convention: &Convention, value: &Node, faults: &mut Vec<Fault>) -> Vec<String> {
    let (slots, others): (Vec<_>, Vec<_>) = value.words().partition(|word| convention.is_slot(&word.text));
    faults.extend(
        others
            .into_iter()
            .map(|word| Fault { span: word.span, message: format!("the pattern has no slot `{}`", word.text) }),
    );
    slots.into_iter().map(|word| word.text.clone()).collect()
}

/// Returns what keeps a text from being a part of a name.
pub(super) fn stands_in_names(text: &str) -> Option<String> {
    let is_of_names = |c: char| protocol::is_protocol_char(c) || c.is_ascii_punctuation();
    text.chars().find(|c| !is_of_names(*c)).map(|character| format!("`{character}` cannot be part of a name"))
}

/// Returns what keeps a text from being a word of a name.
fn word_of_names(word: &str) -> Option<String> {
    if word.is_empty() { Some("expected a word; this one is empty".to_string()) } else { stands_in_names(word) }
}
