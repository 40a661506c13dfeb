//! Strings: composing a known one from its parts, and formatting.

use super::{Form, Py, Value, atom, operand};

pub(super) const FORMS: &[Form] = &[
    ("string sum", Py::by_concatenation),
    ("f-string", Py::by_f_string),
    ("f-string with format", Py::by_f_format),
    ("f-string with conversion", Py::by_f_conversion),
    ("f-string with number", Py::by_f_number),
    ("adjacent literals", Py::by_adjacent),
    ("+=", Py::by_append),
    ("% with tuple", Py::by_percent),
    ("% with dict", Py::by_percent_dict),
    ("format", Py::by_format),
    ("format with names", Py::by_format_names),
    ("format_map", Py::by_format_map),
    ("join", Py::by_join),
    ("join of generator", Py::by_join_generator),
    ("join of map", Py::by_join_map),
    ("filtered join", Py::by_join_filter),
    ("functools.reduce of strings", Py::by_reduce),
    ("string.Template", Py::by_template),
    ("string loop", Py::by_loop),
    ("startswith guard", Py::by_guard_text),
    ("dict of words", Py::by_words_table),
    ("percent number", Py::by_percent_number),
    ("parenthesized literal", Py::by_parenthesized),
    ("io.StringIO", Py::by_string_io),
];

/// Forms for texts that end with a digit.
pub(super) const NARROW: &[Form] = &[
    ("f-string with number", Py::by_f_number),
    ("percent number", Py::by_percent_number),
    ("number suffix", Py::by_number_suffix),
];

impl Py {
    /// Splits a text in two; each part has at least one character.
    pub(super) fn halves(&mut self, text: &str) -> Option<(String, String)> {
        if text.len() < 2 || !text.is_ascii() {
            return None;
        }
        let known = self.core.known_starts(text);
        if !known.is_empty() && self.chance(70) {
            let at = *self.core.random.pick(&known);
            return Some((text[..at].to_string(), text[at..].to_string()));
        }
        let breaks: Vec<usize> = text.match_indices('_').map(|(at, _)| at + 1).filter(|at| *at < text.len()).collect();
        let at = if breaks.is_empty() || self.chance(20) {
            1 + self.below(text.len() - 1)
        } else {
            *self.core.random.pick(&breaks)
        };
        Some((text[..at].to_string(), text[at..].to_string()))
    }

    /// The words of a text as an expression for a list.
    pub(super) fn words(&mut self, text: &str, depth: u32) -> Option<String> {
        if !text.contains('_') {
            return None;
        }
        let words = text.split('_').map(Value::text).collect();
        Some(self.value(&Value::List(words), depth))
    }

    fn by_concatenation(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        Some(format!("{} + {}", operand(&self.text(&left, depth)), operand(&self.text(&right, depth))))
    }

    /// Text that may stand in an f-string as it is.
    fn is_raw(text: &str) -> bool {
        !text.contains(['{', '}', '"', '\\'])
    }

    fn by_f_string(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        if !Py::is_raw(&left) || !Py::is_raw(&right) {
            return None;
        }
        Some(match self.below(3) {
            0 => {
                let right = self.text(&right, depth);
                format!("f\"{left}{}\"", self.hole(&right))
            }
            1 => {
                let left = self.text(&left, depth);
                format!("f\"{}{right}\"", self.hole(&left))
            }
            _ => {
                let (left, right) = (self.text(&left, depth), self.text(&right, depth));
                let (left, right) = (self.hole(&left), self.hole(&right));
                format!("f\"{left}{right}\"")
            }
        })
    }

    fn by_f_format(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if !text.is_ascii() || text.len() < 2 {
            return None;
        }
        let (kind, width) = (self.below(4), text.len());
        let (source, format) = match kind {
            0 => (text[1..].to_string(), format!("{}>{width}", &text[..1])),
            1 => (text[..width - 1].to_string(), format!("{}<{width}", &text[width - 1..])),
            2 => (format!("{text}_more"), format!(".{width}")),
            _ => (text.to_string(), format!("<{}", width.min(3))),
        };
        if format.contains(['{', '}', '"', '\'', '\\']) {
            return None;
        }
        let source = self.text(&source, depth);
        let hole = self.hole(&source);
        Some(format!("f\"{}:{format}}}\"", hole.trim_end_matches('}')))
    }

    fn by_f_conversion(&mut self, value: &Value, depth: u32) -> Option<String> {
        let source = self.text(value.as_text()?, depth);
        let hole = self.hole(&source);
        Some(format!("f\"{}!s}}\"", hole.trim_end_matches('}')))
    }

    fn by_f_number(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        let last = text.chars().last()?.to_digit(10)?;
        let start = &text[..text.len() - 1];
        if !Py::is_raw(start) {
            return None;
        }
        let number = self.number(last as usize, depth);
        let hole = self.hole(&number);
        let format = self.pick(&["", ":d", ":01d", ":>1"]);
        Some(format!("f\"{start}{}{format}}}\"", hole.trim_end_matches('}')))
    }

    fn by_adjacent(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        let (first, second) = (super::quoted(&left, self.quote), super::quoted(&right, self.quote));
        if self.chance(40) && Py::is_raw(&left) {
            let right = self.text(&right, depth);
            let hole = self.hole(&right);
            return Some(format!("(\"{left}\" f\"{hole}\")"));
        }
        Some(format!("({first} {second})"))
    }

    fn by_append(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        let (name, left) = (self.name_for(value), self.text(&left, depth));
        self.emit(format!("{name} = {left}"));
        let right = self.text(&right, depth);
        self.emit(format!("{name} += {right}"));
        Some(name)
    }

    fn by_percent(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        if left.contains('%') {
            return None;
        }
        if self.chance(50) {
            let (left, right) = (self.text(&left, depth), self.text(&right, depth));
            return Some(format!("\"%s%s\" % ({}, {})", operand(&left), operand(&right)));
        }
        let (pattern, right) = (self.literal(&format!("{left}%s")), self.text(&right, depth));
        Some(format!("{pattern} % {}", operand(&right)))
    }

    fn by_percent_dict(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        let (left, right) = (self.text(&left, depth), self.text(&right, depth));
        Some(format!("\"%(a)s%(b)s\" % {{\"a\": {left}, \"b\": {right}}}"))
    }

    fn by_format(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        if !Py::is_raw(&left) || !Py::is_raw(&right) {
            return None;
        }
        Some(match self.below(4) {
            0 => {
                let (pattern, right) = (self.text(&format!("{left}{{}}"), depth), self.text(&right, depth));
                format!("{}.format({right})", atom(&pattern))
            }
            1 => format!("\"{{}}{{}}\".format({}, {})", self.text(&left, depth), self.text(&right, depth)),
            2 => format!("\"{{1}}{{0}}\".format({}, {})", self.text(&right, depth), self.text(&left, depth)),
            _ => format!("\"{{0}}{right}\".format({})", self.text(&left, depth)),
        })
    }

    fn by_format_names(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        if !Py::is_raw(&left) || !Py::is_raw(&right) {
            return None;
        }
        Some(match self.below(3) {
            0 => format!(
                "\"{{start}}{{end}}\".format(end={}, start={})",
                self.text(&right, depth),
                self.text(&left, depth)
            ),
            1 => {
                let table = Value::Record(vec![("end".into(), Value::text(right))]);
                let table = operand(&self.value(&table, depth));
                format!("\"{left}{{end}}\".format(**{table})")
            }
            _ => format!("\"{left}{{0[it]}}\".format({{\"it\": {}}})", self.text(&right, depth)),
        })
    }

    fn by_format_map(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        let table = Value::Record(vec![("a".into(), Value::text(left)), ("b".into(), Value::text(right))]);
        let table = self.value(&table, depth);
        Some(format!("\"{{a}}{{b}}\".format_map({table})"))
    }

    fn by_join(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (list, separator) = (self.words(value.as_text()?, depth)?, self.text("_", depth));
        Some(format!("{}.join({list})", atom(&separator)))
    }

    fn by_join_generator(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if text.chars().any(|c| c.is_ascii_uppercase()) || !text.is_ascii() {
            return None;
        }
        let list = self.words(&text.to_ascii_uppercase(), depth)?;
        let list = operand(&self.unbound(&list));
        Some(match self.below(3) {
            0 => format!("\"_\".join(word.lower() for word in {list})"),
            1 => format!("\"_\".join([word.lower() for word in {list}])"),
            _ => format!("\"_\".join(word.lower() for word in {list} if word != \"NONE\")"),
        })
    }

    fn by_join_map(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if text.chars().any(|c| c.is_ascii_uppercase()) || !text.is_ascii() {
            return None;
        }
        let is_upper = self.chance(50);
        let list = self.words(&if is_upper { text.to_ascii_uppercase() } else { text.to_string() }, depth)?;
        let function = if is_upper { self.pick(&["str.lower", "lambda word: word.lower()"]) } else { "str" };
        Some(format!("\"_\".join(map({function}, {list}))"))
    }

    fn by_join_filter(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if !text.contains('_') || text.contains("__") || text.starts_with('_') || text.ends_with('_') {
            return None;
        }
        let nothing = self.pick(&["\"\"", "None", "False"]);
        let words: Vec<String> = text.split('_').map(|word| self.text(word, depth.saturating_sub(1))).collect();
        let words = words.join(", ");
        if words.contains(":=") || self.chance(60) {
            return Some(format!("\"_\".join(filter(None, [{nothing}, {words}]))"));
        }
        Some(format!("\"_\".join(word for word in ({nothing}, {words}) if word)"))
    }

    fn by_reduce(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (list, reduce) = (self.words(value.as_text()?, depth)?, self.std("functools", "reduce"));
        Some(match self.below(2) {
            0 => format!("{reduce}(lambda left, right: left + \"_\" + right, {list})"),
            _ => format!("{reduce}(lambda left, right: f\"{{left}}_{{right}}\" if left else right, {list}, \"\")"),
        })
    }

    fn by_template(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        if left.contains('$') || right.contains('$') {
            return None;
        }
        let (template, right) = (self.std("string", "Template"), self.text(&right, depth));
        Some(match self.below(2) {
            0 => format!("{template}(\"{left}$end\").substitute(end={right})"),
            _ => format!("{template}(\"{left}${{end}}\").safe_substitute({{\"end\": {right}}})"),
        })
    }

    fn by_loop(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (text, name) = (value.as_text()?, self.name_for(value));
        if self.chance(40) {
            let source = self.text(text, depth);
            self.emit(format!("{name} = \"\"\nfor letter in {source}:\n    {name} += letter"));
            return Some(name);
        }
        let (list, word) = (self.words(text, depth)?, self.fresh(&["word", "piece"]));
        self.emit(format!(
            "{name} = \"\"\nfor {word} in {list}:\n    if {name}:\n        {name} += \"_\"\n    {name} += {word}"
        ));
        Some(name)
    }

    fn by_guard_text(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        if right.starts_with(&left) {
            return None;
        }
        let is_there = self.chance(50);
        let source = self.text(if is_there { value.as_text()? } else { &right }, depth);
        let source = self.named(&["raw", "given", "source"], &source);
        let (left, again) = (self.literal(&left), self.text(&left, depth));
        Some(format!("{source} if {source}.startswith({left}) else {} + {source}", operand(&again)))
    }

    fn by_words_table(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        let name = self.fresh(&["words", "labels", "WORDS"]);
        let table = Value::Record(vec![("start".into(), Value::text(left)), ("end".into(), Value::text(right))]);
        let table = self.value(&table, depth);
        self.emit(format!("{name} = {table}"));
        Some(match self.below(2) {
            0 => format!("f\"{{{name}['start']}}{{{name}['end']}}\""),
            _ => format!("{name}[\"start\"] + {name}.get(\"end\", \"\")"),
        })
    }

    fn by_percent_number(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        let last = text.chars().last()?.to_digit(10)?;
        let (start, number) = (&text[..text.len() - 1], self.number(last as usize, depth));
        if start.contains(['%', '"', '\\']) {
            return None;
        }
        let pattern = self.pick(&["%d", "%01d", "%s", "%i"]);
        Some(format!("\"{start}{pattern}\" % {}", operand(&number)))
    }

    fn by_parenthesized(&mut self, value: &Value, _: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        let (left, right) = (super::quoted(&left, self.quote), super::quoted(&right, self.quote));
        Some(format!("(\n    {left}\n    {right}\n)"))
    }

    fn by_string_io(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        let (kind, name) = (self.std("io", "StringIO"), self.fresh(&["buffer", "out"]));
        let (left, right) = (self.text(&left, depth), self.text(&right, depth));
        self.emit(format!("{name} = {kind}()\n{name}.write({left})\n{name}.write({right})"));
        Some(format!("{name}.getvalue()"))
    }
}
