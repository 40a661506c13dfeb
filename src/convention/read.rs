//! Reads a convention from its table.

use super::Convention;
use super::keys::{KEYS, OF_SLOTS, keys};
use super::pattern::Pattern;
use super::spelling::word_of_names;
use super::vocabulary::MAX_WORDS;
use crate::document::table::Shape;
use crate::document::{self, Fault, Node};
use crate::name::nearest;

/// The least and the greatest number of characters.
pub(super) type Bounds = (usize, usize);

impl Convention {
    /// Applies the parameters of a `[convention]` table; each key that is not accepted is a fault.
    pub fn apply(&mut self, table: &Node, faults: &mut Vec<Fault>) {
        // Apply the pattern first, wherever it is in the table: it determines the slots.
        let is_pattern = |(key, _): &(&document::Text, &Node)| key.text == "pattern";
        let entries = table.entries().filter(is_pattern).chain(table.entries().filter(|entry| !is_pattern(entry)));
        for (key, value) in entries {
            let name = key.text.as_str();
            if let Some(row) = KEYS.iter().find(|row| row.key.name == name) {
                row.read(self, value, faults);
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
        // A convention with only a prefix or a case leaves the rest of the name free.
        if self.pattern.is_none() && (!self.prefix.is_empty() || self.case.is_some()) {
            self.pattern = Pattern::parse("{prefix}{tool}").ok();
        }
    }

    /// Sets the words of a slot; its key is the plural of the slot's name: `servers` for `{server}`.
    fn set_vocabulary(&mut self, slot: &str, value: &Node, faults: &mut Vec<Fault>) {
        let Some(value) = Shape::Words.fit(value, faults) else { return };
        if value.elements().len() > MAX_WORDS {
            let message = format!("more than {MAX_WORDS} words for one slot: list only the words that tool names use");
            faults.push(Fault { span: value.span, message });
            return;
        }
        let mut words = Vec::new();
        for word in value.words() {
            match word_of_names(&word.text) {
                None => words.push(word.text.clone()),
                Some(message) => faults.push(Fault { span: word.span, message }),
            }
        }
        self.vocabulary.insert(slot.to_string(), words.into());
    }

    /// Sets the word that a slot must have; its key is the slot's name: `namespace = "myproject"`. `*` allows any word.
    fn set_expected(&mut self, slot: &str, value: &Node, faults: &mut Vec<Fault>) {
        let message = match value.as_str() {
            Some("*") => {
                self.expected.remove(slot);
                return;
            }
            Some(word) => match word_of_names(word) {
                None => {
                    self.expected.insert(slot.to_string(), word.to_string());
                    return;
                }
                Some(message) => message,
            },
            None => format!("expected the {slot}, a string"),
        };
        faults.push(Fault { span: value.span, message });
    }

    /// Sets one parameter to a string.
    ///
    /// # Errors
    /// The fault of the key or the value, with its span in a document that consists of this line only.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Fault> {
        let (node, _) = document::parse_toml(&format!("{key} = {}", toml::Value::from(value)));
        let mut faults = Vec::new();
        self.apply(&node, &mut faults);
        faults.pop().map_or(Ok(()), Err)
    }
}
