//! Judges names: each fault is reported once, the most specific first. A pure function of the name and the convention.

use super::pattern::{Begun, Fit, Pattern, Reading};
use super::{Breach, Convention, protocol, verbs};
use crate::diagnostic::{RuleId, Severity};
use crate::name::{Case, Name, Style};

/// The slot of the verb.
pub(super) const VERB: &str = "verb";

/// The words as a message lists them: all of them, or the first of many and the number of the others.
fn listed(words: &[String]) -> String {
    /// The maximum number of words to list, which no profile reaches.
    const SHOWN: usize = 100;
    let shown = words[..words.len().min(SHOWN)].join(", ");
    match words.len().checked_sub(SHOWN) {
        None | Some(0) => shown,
        Some(more) => format!("{shown} and {more} more"),
    }
}

impl Convention {
    /// The faults of a name, the most specific first.
    pub fn judge(&self, name: &str) -> Vec<Breach> {
        let Some(pattern) = self.pattern.as_ref().filter(|_| !self.is_whole(name)) else {
            return self.judge_words(name);
        };
        let definition = self.definition_of(name);
        if definition.len() < name.len() {
            let prefix = &name[..name.len() - definition.len()];
            let message = format!("remove `{prefix}`: the gateway puts it in front of every definition");
            return vec![breach("name-prefix", message, 0..prefix.len())];
        }
        // A character between words is a separator, and the convention determines which are allowed.
        let joins = |c: char| !c.is_alphanumeric() && !c.is_control();
        let own = |c: char| pattern.special().any(|special| special == c);
        let mut breaches = protocol::judge(name, &|c| own(c) || joins(c) && !name.starts_with(c) && !name.ends_with(c));
        if !breaches.is_empty() {
            return breaches;
        }
        let reading = self.read(pattern, name);
        if reading.words.is_empty() {
            return vec![breach("name-words", "the name contains no words".into(), 0..name.len())];
        }
        breaches.extend(self.judge_case(pattern, &reading));
        self.judge_separators(pattern, &reading, &mut breaches);
        self.judge_prefix(pattern, &reading, &mut breaches);
        self.judge_slots(pattern, &reading, &mut breaches);
        self.judge_count(pattern, &reading, &mut breaches);
        self.judge_own(pattern, &reading, &mut breaches);
        self.advise(pattern, &reading, &mut breaches);
        breaches
    }

    /// The faults of a name to which no pattern applies: those in its length and characters, by the protocol's rules,
    /// and in its number of words, by the convention's.
    fn judge_words(&self, name: &str) -> Vec<Breach> {
        let special = |c: char| self.pattern.as_ref().is_some_and(|pattern| pattern.special().any(|own| own == c));
        let mut breaches = protocol::judge(name, &special);
        if !breaches.is_empty() || self.is_whole(name) {
            return breaches;
        }
        let parts = Name::new(name);
        let count = parts.words().len();
        let (least, most) = (self.words.0.unwrap_or(0), self.words.1.unwrap_or(usize::MAX));
        if breaches.is_empty() && !(least..=most).contains(&count) {
            breaches.push(wrong_count(name, count, least, most));
        }
        breaches
    }

    /// Whether a name is accepted regardless of the pattern.
    pub fn is_whole(&self, name: &str) -> bool {
        self.whole.iter().any(|whole| whole == name)
    }

    fn judge_case(&self, pattern: &Pattern, reading: &Reading<'_>) -> Option<Breach> {
        let text = reading.name.text();
        if !matches!(self.case, Some(Case::Camel | Case::Pascal)) {
            return self.wrong_case(&reading.name).then(|| self.case_breach(text));
        }
        // If a separator divides the parts, each part has its own case: `acme.getUser`. The prefix keeps its own case.
        let mut start = match reading.prefix {
            Begun::Right if self.is_prefix_divided(pattern) => reading.prefix_words,
            _ => 0,
        };
        let mut parts = Vec::new();
        for (slot, filled) in pattern.slots.iter().zip(&reading.slots) {
            if !slot.after.is_empty() && filled.words.end > start {
                parts.push(start..filled.words.end);
                start = filled.words.end;
            }
        }
        parts.push(start..reading.words.len());
        let is_wrong = |part: &std::ops::Range<usize>| {
            !part.is_empty() && self.wrong_case(&Name::new(&text[reading.bytes(part.clone())]))
        };
        parts.iter().any(is_wrong).then(|| self.case_breach(text))
    }

    /// Whether the prefix ends in a character that is neither a letter nor a digit.
    fn is_prefix_divided(&self, pattern: &Pattern) -> bool {
        pattern.prefix(&self.prefix).ends_with(|c: char| !c.is_alphanumeric())
    }

    fn wrong_case(&self, name: &Name<'_>) -> bool {
        match self.case {
            None => false,
            Some(Case::Lower) => name.text().chars().any(char::is_uppercase),
            Some(case) => {
                let style = Style { case, separator: String::new() };
                style.write(name.words()) != name.words().collect::<String>()
            }
        }
    }

    fn case_breach(&self, name: &str) -> Breach {
        let message = match self.case {
            Some(Case::Camel) => "not in camelCase, which this convention requires",
            Some(Case::Pascal) => "not in PascalCase, which this convention requires",
            Some(Case::Lower) | None => "not in lower case, which this convention requires",
        };
        let capital = |c: char| c.is_uppercase();
        let range = match (self.case, name.find(capital), name.rfind(capital)) {
            (Some(Case::Lower), Some(first), Some(last)) => {
                first..last + name[last..].chars().next().map_or(1, char::len_utf8)
            }
            _ => 0..name.len(),
        };
        breach("name-case", message.to_string(), range)
    }

    /// Compares the separators with the expected ones.
    fn judge_separators(&self, pattern: &Pattern, reading: &Reading<'_>, breaches: &mut Vec<Breach>) {
        let text = reading.name.text();
        // If a part is missing, its separator is left at the start or end of the name.
        let divides = |found: &str| {
            let is_own = found.chars().all(|c| pattern.special().any(|special| special == c));
            is_own && reading.slots.iter().any(|filled| filled.fit == Fit::Missing)
        };
        if !reading.name.leading().is_empty() && !divides(reading.name.leading()) {
            let leading = reading.name.leading();
            breaches.push(breach("name-separator", format!("`{leading}` at the start"), 0..leading.len()));
        }
        let before = breaches.len();
        for (index, (range, found)) in reading.name.separators().enumerate() {
            let Some(belongs) = self.belongs_after(pattern, reading, index) else { continue };
            // A capital letter separates words if any case is allowed; otherwise it is a fault of case.
            if found.is_empty() && text[range.end..].starts_with(char::is_uppercase) {
                continue;
            }
            if found == belongs.text {
                continue;
            }
            let message = match (belongs.after, belongs.text.as_str()) {
                (_, "") if self.joiner.as_deref() == Some("") => {
                    format!("`{found}` between words: this convention joins words with capitals")
                }
                (_, "") => format!("`{found}` inside the {}, which must be one word", belongs.part),
                (_, right) if self.joiner.as_deref() == Some(right) => {
                    format!("`{found}` between words: this convention joins words with `{right}`")
                }
                (true, "__") if found == "_" => format!("expected two `_` after the {}, found one", belongs.part),
                (_, right) => format!("`{found}` after the {}: expected `{right}`", belongs.part),
            };
            // A repeated fault is part of the same finding.
            match breaches[before..].iter_mut().find(|earlier| earlier.message == message) {
                Some(earlier) => earlier.range.end = range.end,
                None => breaches.push(breach("name-separator", message, range)),
            }
        }
        let trailing = reading.name.trailing();
        if !trailing.is_empty() && !divides(trailing) {
            let at = text.len() - trailing.len();
            breaches.push(breach("name-separator", format!("`{trailing}` at the end"), at..text.len()));
        }
    }

    /// The separator that belongs between the word at `index` and the next one; `None` if the convention does not
    /// determine it.
    fn belongs_after(&self, pattern: &Pattern, reading: &Reading<'_>, index: usize) -> Option<Belongs> {
        let belongs = |part: &str, text: &str, after: bool| Belongs { part: part.into(), text: text.into(), after };
        let prefix = pattern.prefix(&self.prefix);
        // A part that is rewritten or removed is wrong as a whole; its separators are not judged.
        let wrong = match reading.prefix {
            Begun::Misspelt => 0..reading.prefix_words,
            Begun::Repeated(times) => reading.prefix_words..reading.prefix_words * times,
            Begun::Right | Begun::Missing => 0..0,
        };
        if wrong.contains(&index) {
            return None;
        }
        if reading.prefix != Begun::Missing && index < reading.prefix_words {
            if index + 1 == reading.prefix_words {
                return Some(belongs("prefix", trailing_of(&prefix), true));
            }
            let name = Name::new(&prefix);
            let found = name.separators().nth(index).map(|(_, text)| text);
            return found.map(|found| belongs("prefix", found, false));
        }
        for (slot, filled) in pattern.slots.iter().zip(&reading.slots) {
            if filled.words.end == index + 1 && !slot.after.is_empty() && !filled.words.is_empty() {
                return Some(belongs(&slot.name, &slot.after, true));
            }
            if filled.words.contains(&index) {
                return match self.joined.contains(&slot.name) {
                    true => Some(belongs(&slot.name, "", false)),
                    false => self.joiner.as_ref().map(|joiner| belongs(&slot.name, joiner, false)),
                };
            }
        }
        None
    }

    fn judge_prefix(&self, pattern: &Pattern, reading: &Reading<'_>, breaches: &mut Vec<Breach>) {
        let prefix = pattern.prefix(&self.prefix);
        let words = reading.prefix_words;
        let (message, range) = match reading.prefix {
            Begun::Right => return,
            Begun::Repeated(times) => {
                (format!("the prefix `{prefix}` occurs more than once"), reading.bytes(words..words * times))
            }
            Begun::Misspelt => (format!("misspelt prefix: expected `{prefix}`"), reading.bytes(0..words)),
            Begun::Missing => (format!("the prefix `{prefix}` is missing"), 0..reading.name.text().len()),
        };
        breaches.push(breach("name-prefix", message, range));
    }

    fn judge_slots(&self, pattern: &Pattern, reading: &Reading<'_>, breaches: &mut Vec<Breach>) {
        let text = reading.name.text();
        let last = pattern.slots.len() - 1;
        for (index, (slot, filled)) in pattern.slots[..last].iter().zip(&reading.slots).enumerate() {
            if self.open.contains(&slot.name) {
                continue;
            }
            let name = &slot.name;
            let word = reading.words[filled.words.clone()].concat();
            let known = listed(self.vocabulary(name));
            let (message, range) = match &filled.fit {
                Fit::Right if index == 0 && self.is_doubled(pattern, reading) => {
                    let again = filled.words.end..filled.words.end + filled.words.len();
                    (format!("the {name} `{word}` occurs more than once"), reading.bytes(again))
                }
                Fit::Right => {
                    self.judge_value(name, &word, reading.bytes(filled.words.clone()), breaches);
                    continue;
                }
                Fit::Missing if self.is_optional(name) => continue,
                // The slot has a word, but not one that it accepts.
                Fit::Missing if index > 0 && !known.is_empty() && filled.words.start < reading.words.len() => {
                    let at = filled.words.start..filled.words.start + 1;
                    let rule = if name == VERB { "name-verb" } else { "name-prefix" };
                    let message = format!("`{}` is not one of {known}", reading.words[at.start]);
                    breaches.push(breach(rule, message, reading.bytes(at)));
                    continue;
                }
                // The number of words is judged elsewhere.
                Fit::Missing if index > 0 => continue,
                Fit::Missing => {
                    let message = match (self.expected.get(name), known.as_str()) {
                        (Some(expected), _) => format!("the {name} `{expected}{}` is missing", slot.after),
                        (None, "") => format!("the {name} is missing: expected `{pattern}`"),
                        (None, known) => format!("the {name} is missing: expected `{pattern}` with one of {known}"),
                    };
                    (message, 0..text.len())
                }
                Fit::Misspelt(meant) => {
                    (format!("unknown {name} `{word}`; did you mean `{meant}`?"), reading.bytes(filled.words.clone()))
                }
                Fit::Other => {
                    let range = reading.bytes(filled.words.clone());
                    match self.expected.get(name) {
                        Some(expected) => {
                            if let Some(owner) = self.reserved.get(&word) {
                                let message = format!("`{word}` is reserved for {owner}; expected `{expected}`");
                                breaches.push(breach("name-reserved", message, range));
                                continue;
                            }
                            let short = self.too_short(name, &word).map(|fault| format!("{fault}; "));
                            (
                                format!("{}wrong {name} `{word}`: expected `{expected}`", short.unwrap_or_default()),
                                range,
                            )
                        }
                        None => (format!("the {name} is missing: `{word}` is not one of {known}"), range),
                    }
                }
            };
            breaches.push(breach("name-prefix", message, range));
        }
    }

    /// Whether the word of the first slot wrongly occurs a second time directly after the slot, with the slot's
    /// separator. If the separator is `_` and the pattern has no verb, it is not wrong: the tool's own part may begin
    /// with the name of its server, as in `git_git_status`.
    pub(super) fn is_doubled(&self, pattern: &Pattern, reading: &Reading<'_>) -> bool {
        let (Some(slot), Some(filled)) = (pattern.slots.first(), reading.slots.first()) else { return false };
        let (front, again) = (filled.words.clone(), filled.words.end..filled.words.end + filled.words.len());
        if front.is_empty()
            || reading.words.get(again.clone()).is_none_or(|words| *words != reading.words[front.clone()])
        {
            return false;
        }
        let behind = reading.name.text()[reading.bytes(again).end..].starts_with(slot.after.as_str());
        let is_special = slot.after.chars().any(|c| !c.is_alphanumeric() && c != '_');
        behind && (is_special || pattern.has_slot(VERB))
    }

    /// Judges the length and the beginning of a word that its slot accepts.
    fn judge_value(&self, slot: &str, word: &str, range: std::ops::Range<usize>, breaches: &mut Vec<Breach>) {
        if let Some(message) = self.too_short(slot, word) {
            breaches.push(breach("name-prefix", message, range));
        }
    }

    /// The fault of a word that is too short or too long for its slot or begins with a digit; `None` if it is right.
    pub(super) fn too_short(&self, slot: &str, word: &str) -> Option<String> {
        let &(least, most) = self.length.get(slot)?;
        let length = word.chars().count();
        if length < least {
            return Some(format!("the {slot} `{word}` is shorter than {least} characters"));
        }
        if length > most {
            return Some(format!("the {slot} `{word}` is longer than {most} characters"));
        }
        word.starts_with(|c: char| c.is_ascii_digit()).then(|| format!("the {slot} `{word}` begins with a digit"))
    }

    /// Judges the length and the beginning of the tool's own part, if the convention limits its length.
    fn judge_own(&self, pattern: &Pattern, reading: &Reading<'_>, breaches: &mut Vec<Breach>) {
        let (Some(slot), Some(filled)) = (pattern.slots.last(), reading.slots.last()) else { return };
        if filled.words.is_empty() || !self.length.contains_key(&slot.name) {
            return;
        }
        let range = reading.bytes(filled.words.clone());
        let own = &reading.name.text()[range.clone()];
        if let Some(message) = self.too_short(&slot.name, own) {
            breaches.push(breach("name-words", message, range));
        }
    }

    fn judge_count(&self, pattern: &Pattern, reading: &Reading<'_>, breaches: &mut Vec<Breach>) {
        let text = reading.name.text();
        let (last, filled) = (pattern.slots.last(), reading.slots.last());
        let (least, most) = (self.words.0.unwrap_or(0), self.words.1.unwrap_or(usize::MAX));
        let count = reading.words.len();
        // A required word that is missing counts towards the minimum number of words.
        let absent = reading.slots[..reading.slots.len() - 1].iter().filter(|slot| slot.fit == Fit::Missing).count();
        let lacks_last = filled.is_some_and(|filled| filled.fit == Fit::Missing);
        // A team that allows as few words allows names without the last one.
        let is_allowed = self.words.0.is_some_and(|least| count >= least);
        if lacks_last && absent == 0 && !is_allowed {
            let last = last.map_or("tool", |slot| slot.name.as_str());
            breaches.push(breach("name-words", format!("no {last}: expected `{pattern}`"), 0..text.len()));
        } else if !(least..=most).contains(&(count + usize::from(reading.is_without_front()))) {
            breaches.push(wrong_count(text, count, least, most));
        }
    }

    /// Adds hints about names that work but could be better.
    fn advise(&self, pattern: &Pattern, reading: &Reading<'_>, breaches: &mut Vec<Breach>) {
        let hint = |rule: RuleId, message: String, range| Breach { rule, severity: Severity::Hint, message, range };
        if self.open.iter().any(|slot| slot == VERB)
            && breaches.is_empty()
            && let Some(filled) = reading.slot(pattern, VERB)
            && let Some(verb) = reading.words.get(filled.words.start)
            && !self.known(VERB).contains(verb)
        {
            let range = reading.bytes(filled.words.clone());
            let later =
                (filled.words.end..reading.words.len()).find(|&index| self.known(VERB).contains(&reading.words[index]));
            let meant = self.known(VERB).nearest(verb).filter(|_| !verbs::is_verb(verb));
            let later = later.filter(|_| !verbs::is_verb(verb));
            let meant = meant.filter(|_| later.is_none() || verb.len() > verbs::SHORT);
            breaches.push(match (self.synonyms.get(verb), meant, later) {
                (Some(own), ..) => hint("name-verb", format!("this convention uses `{own}`, not `{verb}`"), range),
                (None, Some(near), _) => hint("name-verb", format!("no verb `{verb}`; did you mean `{near}`?"), range),
                (None, None, Some(later)) => hint(
                    "name-order",
                    format!("`{verb}` before the verb `{}`: expected `{pattern}`", reading.words[later]),
                    reading.bytes(filled.words.start..later + 1),
                ),
                (None, None, None) => {
                    hint("name-verb", format!("`{verb}` is not one of this convention's verbs"), range)
                }
            });
        }
        let Some(own) = reading.slots.last().map(|filled| filled.words.clone()) else { return };
        if own.len() == 1 && self.vague.contains(&reading.words[own.start]) {
            let word = &reading.words[own.start];
            let message = format!("`{word}` does not say what it acts on: a bare verb soon becomes ambiguous");
            breaches.push(hint("name-vague", message, reading.bytes(own.clone())));
        }
        let is_version = |word: &str| {
            word.strip_prefix('v').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
        };
        if self.unversioned && own.len() > 1 && is_version(&reading.words[own.end - 1]) {
            let message = "use a version in a name only for changes that break callers".to_string();
            breaches.push(hint("name-version", message, reading.bytes(own.end - 1..own.end)));
        }
    }
}

/// The separator that belongs between two words.
struct Belongs {
    /// The part of the name that contains the first word.
    part: String,
    text: String,
    /// Whether the part ends at the separator.
    after: bool,
}

fn trailing_of(text: &str) -> &str {
    &text[text.trim_end_matches(|c: char| !c.is_alphanumeric()).len()..]
}

pub(super) fn breach(rule: RuleId, message: String, range: std::ops::Range<usize>) -> Breach {
    Breach { rule, severity: Severity::Warning, message, range }
}

fn wrong_count(name: &str, count: usize, least: usize, most: usize) -> Breach {
    let (few, bound) = match count < least {
        true => ("few", format!("at least {least}")),
        false => ("many", format!("at most {most}")),
    };
    breach("name-words", format!("too {few} words: {count}; this convention expects {bound}"), 0..name.len())
}
