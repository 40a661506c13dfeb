//! Patterns of `match`: whether a value fits, and the names that it is bound to.

use super::value::{Body, Site, Slot, Value};
use super::{At, Machine, Run};
use crate::code::{Declared, Match};
use crate::syntax::Family;

impl Machine<'_> {
    /// Runs a pattern; `None` if it is unknown whether it matches.
    pub(super) fn matches(&mut self, pattern: &Match, subject: &Value, at: At<'_>) -> Run<Option<bool>> {
        Ok(match pattern {
            Match::Any => Some(true),
            Match::Value(value) => {
                let place = at.frame.site.place(value.span);
                let value = self.eval(value, at)?;
                self.note_comparison(subject, &value, Some(place));
                self.equal(subject, &value, true)
            }
            Match::Bind { name, of, .. } => {
                let matched = match of {
                    Some(of) => self.matches(of, subject, at)?,
                    None => Some(true),
                };
                if matched != Some(false) {
                    let declared = if self.family == Family::Rust { Declared::Block } else { Declared::Function };
                    self.bind_name(declared, name, subject.clone(), at);
                }
                matched
            }
            Match::Or(options) => {
                let mut answer = Some(false);
                for option in options {
                    match self.matches(option, subject, at)? {
                        Some(true) => return Ok(Some(true)),
                        None => answer = None,
                        Some(false) => {}
                    }
                }
                answer
            }
            Match::List { elements, rest } => self.matches_list(elements, *rest, subject, at)?,
            Match::Table { entries, rest } => {
                let mut answer = Some(true);
                for (key, pattern) in entries {
                    let key = self.eval(key, at)?;
                    let found = self.table_entry(subject, &key);
                    let matched = match found {
                        Some(Some(value)) => self.matches(pattern, &value, at)?,
                        Some(None) => Some(false),
                        None => None,
                    };
                    answer = both(answer, matched);
                }
                if let Some(rest) = rest {
                    self.bind_name(Declared::Function, rest, Value::unknown("the rest of a mapping"), at);
                }
                answer
            }
            Match::Instance { class, positional, named } => {
                let class = self.eval(class, at)?;
                if let [inside] = positional.as_slice()
                    && self.is_unwrapped(subject, &class)
                {
                    return self.matches(inside, subject, at);
                }
                let mut answer = self.is_instance(subject, &class)?;
                if answer == Some(false) {
                    return Ok(answer);
                }
                // Only of those of several values that may fit.
                let mut fitting = Vec::new();
                for option in subject.options() {
                    if self.is_instance(option, &class)? != Some(false) {
                        fitting.push(option.clone());
                    }
                }
                let subject = &Value::one_of(fitting);
                let place = self.stack.last().copied().unwrap_or(Site { ..at.frame.site }.place(Default::default()));
                for (index, pattern) in positional.iter().enumerate() {
                    let value = match index {
                        _ if self.family == Family::Rust => self.member(subject, &index.to_string(), place)?,
                        0 if matches!(subject, Value::Text(_) | Value::Number(_) | Value::Bool(_)) => subject.clone(),
                        _ => {
                            let names = self.member(&class, "__match_args__", place)?;
                            let names = self.elements_of(&names, false, place)?;
                            match names.known.get(index).and_then(|slot| slot.value.as_text()) {
                                Some(name) => self.member(subject, &name, place)?,
                                None => Value::unknown("a positional pattern"),
                            }
                        }
                    };
                    answer = both(answer, self.matches(pattern, &value, at)?);
                }
                for (name, pattern) in named {
                    let value = self.member(subject, name, place)?;
                    answer = both(answer, self.matches(pattern, &value, at)?);
                }
                answer
            }
            Match::Opaque(_) => None,
        })
    }

    /// Whether a value of Rust, matched with `Some(…)` or `Ok(…)`, is already what these contain: some functions of the
    /// prelude return what may fail without an option or result around it.
    fn is_unwrapped(&self, subject: &Value, class: &Value) -> bool {
        let is_success = match self.body_of(class) {
            Some(Body::Class(info)) => matches!(info.class.name.as_deref(), Some("Some" | "Ok")),
            _ => false,
        };
        self.family == Family::Rust
            && is_success
            && match subject {
                Value::Text(_) | Value::Number(_) | Value::Bool(_) => true,
                _ => matches!(self.body_of(subject), Some(Body::Table(_) | Body::List(_))),
            }
    }

    fn matches_list(
        &mut self,
        patterns: &[Match],
        rest: Option<usize>,
        subject: &Value,
        at: At<'_>,
    ) -> Run<Option<bool>> {
        let Some(elements) = self.plain_list(subject) else {
            return Ok(if matches!(subject, Value::Unknown(_) | Value::OneOf(_)) { None } else { Some(false) });
        };
        let fits = match rest {
            Some(_) => elements.len() + 1 >= patterns.len(),
            None => elements.len() == patterns.len(),
        };
        if !fits {
            return Ok(Some(false));
        }
        let mut answer = Some(true);
        let after = rest.map_or(0, |rest| patterns.len() - rest - 1);
        for (index, pattern) in patterns.iter().enumerate() {
            let value = match rest {
                Some(rest) if index == rest => {
                    let taken: Vec<Slot> = elements[rest..elements.len() - after].to_vec();
                    self.list(taken)
                }
                Some(rest) if index > rest => elements[elements.len() - (patterns.len() - index)].value.clone(),
                _ => elements[index].value.clone(),
            };
            answer = both(answer, self.matches(pattern, &value, at)?);
        }
        Ok(answer)
    }
}

/// Whether both hold.
fn both(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}
