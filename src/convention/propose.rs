//! Repairs wrong names as a person would: a pure function of the name, the convention and the context of the tool.
//! Every proposal is judged as well, and has at most hints.

use super::judge::VERB;
use super::pattern::{Begun, Fit, Pattern, Reading};
use super::{Breach, Context, Convention, protocol, verbs};
use crate::diagnostic::Severity;
use crate::name::{Case, Name, Style};

/// The maximum number of words that are proposed for an empty slot; more are too many to choose from.
const MAX_CHOICES: usize = 50;

impl Convention {
    /// Names that repair `name`, best first: several if they are equally good, none if no repair is clear. A repaired
    /// name has at most hints, and has none if `name` has only hints.
    pub fn propose(&self, name: &str, context: Context<'_>) -> Vec<String> {
        let breaches = self.judge(name);
        if breaches.is_empty() {
            return Vec::new();
        }
        let is_bad = breaches.iter().any(is_telling);
        let definition = self.definition_of(name);
        let candidates = match &self.pattern {
            Some(_) if definition.len() < name.len() && self.judge(definition).is_empty() => {
                vec![definition.to_string()]
            }
            Some(pattern) if definition.len() < name.len() => self.rewritten(pattern, definition, context),
            Some(pattern) => self.rewritten(pattern, name, context),
            None => vec![protocol::repaired(name)],
        };
        let fits = |candidate: &String| {
            let left = self.judge(candidate);
            // A name with only hints is replaced only by a name without any.
            candidate != name
                && candidate.len() <= context.limit
                && !(context.taken)(candidate)
                && !left.iter().any(is_telling)
                && (is_bad || left.is_empty())
        };
        let mut proposals: Vec<String> = Vec::new();
        for candidate in candidates {
            if fits(&candidate) && !proposals.contains(&candidate) {
                proposals.push(candidate);
            }
        }
        proposals
    }

    /// The name rewritten in the convention's form, once for each word that an empty slot may have.
    fn rewritten(&self, pattern: &Pattern, name: &str, context: Context<'_>) -> Vec<String> {
        let reading = self.read(pattern, name);
        if reading.words.is_empty() || name.chars().any(|c| c.is_alphanumeric() && !c.is_ascii()) {
            return Vec::new();
        }
        if let Some(fronted) = self.fronted(pattern, &reading, context) {
            return match self.is_whole(&fronted) {
                true => vec![fronted],
                false => self.rewritten(pattern, &fronted, context),
            };
        }
        let separator = self.joiner.clone().unwrap_or_else(|| "_".into());
        let style = Style { case: self.case.unwrap_or(Case::Lower), separator };
        let prefix = pattern.prefix(&self.prefix);
        // The word for the first slot, if there is only one choice: it is not repeated in the rest of the name.
        let front = match pattern.slots.len() {
            1 => None,
            _ => match self.fillings(pattern, 0, &reading, context).as_slice() {
                [only] => Some(only.clone()),
                _ => None,
            },
        };
        let mut written = vec![prefix];
        let last = pattern.slots.len() - 1;
        for (index, (slot, filled)) in pattern.slots.iter().zip(&reading.slots).enumerate() {
            let words = &reading.words[filled.words.clone()];
            let options: Vec<String> = if index == last {
                vec![self.ending(pattern, &reading, &style, front.as_deref())]
            } else if slot.name == VERB {
                // The verb is written together with the words after it, in the right order.
                continue;
            } else {
                self.fillings(pattern, index, &reading, context)
            };
            let options = match (options.is_empty(), self.is_optional(&slot.name)) {
                (true, true) if words.is_empty() => vec![String::new()],
                (true, _) => return Vec::new(),
                _ => options,
            };
            let joined = |before: &String, option: &String| match option.as_str() {
                "" => before.clone(),
                option => format!("{before}{option}{}", slot.after),
            };
            written = written.iter().flat_map(|before| options.iter().map(|option| joined(before, option))).collect();
        }
        written
    }

    /// The name with the right word in its first slot, if the slot holds another word: an extra word before the right
    /// one, `adobe_photoshop_edit_text`, or the beginning of the tool's own part, `smart_object_replace`. `None` if a
    /// verb follows: the word was meant for the slot, but it is not clear which of the known words it stands for.
    fn fronted(&self, pattern: &Pattern, reading: &Reading<'_>, context: Context<'_>) -> Option<String> {
        let (slot, filled) = (pattern.slots.first()?, reading.slots.first()?);
        let known = self.known(&slot.name);
        if filled.fit != Fit::Other || self.expected.contains_key(&slot.name) {
            return None;
        }
        let (text, next) = (reading.name.text(), filled.words.end);
        let following = reading.words.get(next)?;
        if known.contains(following) {
            return Some(text[reading.bytes(next..next + 1).start..].to_string());
        }
        let front = context.front.filter(|front| known.contains(front))?;
        (!self.is_verb(following))
            .then(|| format!("{front}{}{}", slot.after, &text[reading.bytes(filled.words.clone()).start..]))
    }

    /// The choices for a slot other than the last: its word, the word that was meant, the expected one, or all known
    /// words if nothing determines the word.
    fn fillings(&self, pattern: &Pattern, index: usize, reading: &Reading<'_>, context: Context<'_>) -> Vec<String> {
        let (slot, filled) = (&pattern.slots[index], &reading.slots[index]);
        let known = self.known(&slot.name);
        if let Some(expected) = self.expected.get(&slot.name) {
            return vec![expected.clone()];
        }
        match &filled.fit {
            Fit::Right => {
                let words = &reading.words[filled.words.clone()];
                let known = known.of_letters(&words.concat());
                let inside = if self.joined.contains(&slot.name) { "" } else { "_" };
                vec![known.cloned().unwrap_or_else(|| words.join(inside))]
            }
            Fit::Misspelt(meant) => vec![meant.clone()],
            Fit::Missing => {
                // The word may be elsewhere in the name.
                let mut elsewhere: Vec<&String> = reading.words.iter().filter(|word| known.contains(word)).collect();
                elsewhere.sort();
                elsewhere.dedup();
                match (elsewhere.as_slice(), context.front) {
                    ([only], _) => vec![(*only).clone()],
                    (_, Some(front)) if known.contains(front) => vec![front.to_string()],
                    // Too many to choose from.
                    _ if known.words().len() > MAX_CHOICES => Vec::new(),
                    _ => known.words().to_vec(),
                }
            }
            // Another word, whose meaning is not known.
            Fit::Other => Vec::new(),
        }
    }

    /// The verb, if the pattern has one, and everything after it.
    fn ending(&self, pattern: &Pattern, reading: &Reading<'_>, style: &Style, front: Option<&str>) -> String {
        let verb = reading.slot(pattern, VERB);
        let start = verb.or(reading.slots.last()).map_or(0, |filled| filled.words.start);
        let mut words: Vec<String> = reading.words[start..].to_vec();
        if let Some(front) = front {
            let is_elsewhere =
                reading.slots[0].fit == Fit::Missing && self.known(&pattern.slots[0].name).contains(front);
            match words.iter().position(|word| word == front) {
                Some(at) if words.len() > 1 && (is_elsewhere || at == 0 && self.is_doubled(pattern, reading)) => {
                    words.remove(at);
                }
                _ => {}
            }
        }
        // `browserclick`: the prefix without its separator.
        let glued = Name::new(&pattern.prefix(&self.prefix)).lower_words().concat();
        if reading.prefix == Begun::Missing && !glued.is_empty() {
            let rest = (1..=words.len()).find_map(|count| {
                let joined = words[..count].concat();
                joined.strip_prefix(&glued).filter(|rest| rest.len() > 2).map(|rest| (count, rest.to_string()))
            });
            if let Some((count, rest)) = rest {
                words.splice(..count, [rest]);
            }
        }
        let verbs = self.known(VERB);
        if verb.is_some()
            && let Some(first) = words.first_mut().filter(|first| !verbs.contains(first))
        {
            if let Some(own) = self.synonyms.get(first) {
                first.clone_from(own);
            } else if verbs::is_verb(first) || self.is_only_joined_wrong(reading.name.text()) {
                // Keep a verb that is not one of the convention's own, and the order of the words where that is not
                // the fault.
            } else {
                let later = words.iter().position(|word| verbs.contains(word));
                // A short word is near many others: with a verb in another place, it is a noun.
                let near = verbs.nearest(&words[0]).filter(|_| later.is_none() || words[0].len() > verbs::SHORT);
                match (near, later) {
                    (Some(near), _) => words[0] = near.to_string(),
                    (None, Some(at)) => words[..=at].rotate_right(1),
                    (None, None) => {}
                }
            }
        }
        style.write(words.iter().map(String::as_str))
    }

    /// Whether nothing but the case of a name and the separators between its words is at fault.
    fn is_only_joined_wrong(&self, name: &str) -> bool {
        let mut breaches = self.judge(name).into_iter().filter(is_telling).peekable();
        breaches.peek().is_some() && breaches.all(|breach| matches!(breach.rule, "name-case" | "name-separator"))
    }

    /// Judges a short name to which a helper adds the prefix. Returns the faults, with their ranges in the short name,
    /// and the repaired short names.
    pub fn judge_short(&self, short: &str) -> (Vec<Breach>, Vec<String>) {
        let prefix = self.pattern.as_ref().map_or(String::new(), |pattern| pattern.prefix(&self.prefix));
        let wire = format!("{prefix}{short}");
        let back = |mut breach: Breach| {
            let shifted = |at: usize| at.saturating_sub(prefix.len()).min(short.len());
            breach.range = shifted(breach.range.start)..shifted(breach.range.end);
            breach
        };
        let breaches = self.judge(&wire).into_iter().map(back).collect();
        let fixes = self.propose(&wire, Context::default());
        let fixes = fixes.iter().filter_map(|fix| fix.strip_prefix(&prefix)).map(str::to_string).collect();
        (breaches, fixes)
    }

    /// The name without the convention's prefix, if the name begins with that prefix.
    pub fn without_prefix<'n>(&self, name: &'n str) -> &'n str {
        let prefix = self.pattern.as_ref().map_or(String::new(), |pattern| pattern.prefix(&self.prefix));
        name.strip_prefix(&prefix).unwrap_or(name)
    }

    /// The tool's own part of a name: without the prefix, and without a first part that is separated by a special
    /// character, as in `namespace:tool`.
    pub fn own_part<'n>(&self, name: &'n str) -> &'n str {
        let first = self.pattern.as_ref().and_then(|pattern| pattern.slots.first().filter(|_| pattern.slots.len() > 1));
        let divided = first.filter(|slot| slot.after.chars().any(|c| !c.is_alphanumeric() && c != '_'));
        match divided.and_then(|slot| name.split_once(&slot.after)) {
            Some((_, own)) => own,
            None => self.without_prefix(name),
        }
    }

    /// The repair of a wrong name, if there is only one.
    pub fn right(&self, name: &str) -> Option<String> {
        let is_wrong = self.judge(name).iter().any(|breach| breach.severity >= Severity::Warning);
        match self.propose(name, Context::default()).as_slice() {
            [only] if is_wrong => Some(only.clone()),
            _ => None,
        }
    }

    /// Whether a name begins with exactly the convention's prefix.
    pub fn has_prefix(&self, name: &str) -> bool {
        let prefix = self.pattern.as_ref().map_or(String::new(), |pattern| pattern.prefix(&self.prefix));
        !prefix.is_empty() && name.starts_with(&prefix)
    }
}

fn is_telling(breach: &Breach) -> bool {
    breach.severity >= Severity::Warning
}
