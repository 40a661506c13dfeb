//! Strings: the ways to compose a known one, and the ways to pass on one that only the program knows.

use super::{Form, Js, Value, atom, operand};

pub(super) const FORMS: &[Form] = &[
    ("string sum", Js::by_concatenation),
    ("template literal", Js::by_template),
    ("template with number", Js::by_template_number),
    ("+=", Js::by_append),
    ("concat of strings", Js::by_concat_method),
    ("replace", Js::by_replace),
    ("replaceAll", Js::by_replace_all),
    ("replace with regex", Js::by_regex_replace),
    ("replace with function", Js::by_function_replace),
    ("replace with groups", Js::by_group_replace),
    ("split and join", Js::by_split_join),
    ("join", Js::by_join),
    ("split element", Js::by_split_element),
    ("string slice", Js::by_slice),
    ("substring", Js::by_substring),
    ("slice from indexOf", Js::by_index_slice),
    ("trim", Js::by_trim),
    ("toLowerCase", Js::by_lower_case),
    ("toUpperCase", Js::by_upper_case),
    ("padStart", Js::by_pad_start),
    ("padEnd", Js::by_pad_end),
    ("padded number", Js::by_padded_number),
    ("repeat", Js::by_repeat),
    ("charAt and at", Js::by_char_at),
    ("String", Js::by_string),
    ("String.raw", Js::by_raw),
    ("tagged template", Js::by_tagged),
    ("Object.keys", Js::by_object_keys),
    ("reduce of strings", Js::by_reduce),
    ("startsWith guard", Js::by_prefix_guard),
    ("spread of a string", Js::by_characters),
    ("match", Js::by_match),
    ("matchAll", Js::by_match_all),
    ("string loop", Js::by_loop),
    ("map and join", Js::by_map_join),
    ("filter and join", Js::by_filter_join),
    ("number suffix", Js::by_number_suffix),
    ("dictionary of words", Js::by_dictionary_key),
    ("fromCharCode", Js::by_char_code),
];

/// Forms for texts that end with a digit.
pub(super) const NARROW: &[Form] = &[
    ("template with number", Js::by_template_number),
    ("padded number", Js::by_padded_number),
    ("number suffix", Js::by_number_suffix),
];

impl Js {
    /// Splits a text in two; each part has at least one character if it can.
    fn halves(&mut self, text: &str) -> Option<(String, String)> {
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

    fn by_concatenation(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        let (left, right) = (self.text(&left, depth), self.text(&right, depth));
        Some(format!("{} + {}", operand(&left), operand(&right)))
    }

    fn by_template(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        Some(match self.below(3) {
            0 => format!("`{left}${{{}}}`", self.text(&right, depth)),
            1 => format!("`${{{}}}{right}`", self.text(&left, depth)),
            _ => {
                let (left, right) = (self.text(&left, depth), self.text(&right, depth));
                format!("`${{{left}}}${{{right}}}`")
            }
        })
    }

    fn by_template_number(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        let last = text.chars().last()?.to_digit(10)?;
        let number = self.number(last as usize, depth);
        Some(format!("`{}${{{number}}}`", &text[..text.len() - 1]))
    }

    fn by_append(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        let name = self.name_for(value);
        let left = self.text(&left, depth);
        self.emit(format!("let {name} = {left};"));
        let right = self.text(&right, depth);
        self.emit(format!("{name} += {right};"));
        Some(name)
    }

    fn by_concat_method(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        let (left, right) = (self.text(&left, depth), self.text(&right, depth));
        Some(format!("{}.concat({right})", atom(&left)))
    }

    /// A word of the text and the rest before and after it.
    fn hole(&mut self, text: &str) -> Option<(String, String, String)> {
        let (left, right) = self.halves(text)?;
        let word = right.split('_').next().filter(|word| !word.is_empty())?.to_string();
        let rest = right[word.len()..].to_string();
        Some((left, word, rest))
    }

    fn by_replace(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, word, rest) = self.hole(value.as_text()?)?;
        let mark = self.pick(&["{name}", "%s", "XX", "#"]);
        let (pattern, word) = (self.text(&format!("{left}{mark}{rest}"), depth), self.text(&word, depth));
        let mark = self.literal(mark);
        Some(format!("{}.replace({mark}, {word})", atom(&pattern)))
    }

    fn by_replace_all(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if !text.contains('_') || text.contains(['-', '.', ' ']) {
            return None;
        }
        let mark = self.pick(&["-", ".", " "]);
        let pattern = self.text(&text.replace('_', mark), depth);
        Some(format!("{}.replaceAll(\"{mark}\", \"_\")", atom(&pattern)))
    }

    fn by_regex_replace(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if !text.contains('_') || text.contains(['-', ' ', '.']) {
            return None;
        }
        let (mark, regex) =
            *self.core.random.pick(&[("-", "/-/g"), (" ", "/\\s+/g"), (".", "/\\./g"), ("--", "/-+/g")]);
        let pattern = self.text(&text.replace('_', mark), depth);
        Some(format!("{}.replace({regex}, \"_\")", atom(&pattern)))
    }

    fn by_function_replace(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        let words: Vec<&str> = text.split('_').collect();
        if words.len() < 2 || words.iter().any(|word| !word.starts_with(|c: char| c.is_ascii_lowercase())) {
            return None;
        }
        let camel: String = words[1..].iter().map(|word| word[..1].to_uppercase() + &word[1..]).collect();
        let source = atom(&self.text(&format!("{}{camel}", words[0]), depth));
        Some(match self.below(3) {
            0 => format!("{source}.replace(/[A-Z]/g, (letter) => `_${{letter.toLowerCase()}}`)"),
            1 => format!("{source}.replace(/([A-Z])/g, \"_$1\").toLowerCase()"),
            _ => format!("{source}.replace(/([a-z])([A-Z])/g, (_, a, b) => a + \"_\" + b.toLowerCase())"),
        })
    }

    fn by_group_replace(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        let (verb, noun) = text.split_once('_')?;
        if noun.is_empty() || verb.is_empty() || noun.contains(':') || verb.contains(':') {
            return None;
        }
        let source = self.text(&format!("{noun}:{verb}"), depth);
        Some(match self.below(2) {
            0 => format!("{}.replace(/^(\\w+):(\\w+)$/, \"$2_$1\")", atom(&source)),
            _ => format!("{}.replace(/^(?<a>\\w+):(?<b>\\w+)$/, \"$<b>_$<a>\")", atom(&source)),
        })
    }

    fn by_split_join(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if !text.contains('_') || text.contains(['-', ' ', '/']) {
            return None;
        }
        let mark = self.pick(&["-", " ", "/"]);
        let source = self.text(&text.replace('_', mark), depth);
        Some(format!("{}.split(\"{mark}\").join(\"_\")", atom(&source)))
    }

    /// The words of a text as an expression for a list.
    fn words(&mut self, text: &str, depth: u32) -> Option<String> {
        if !text.contains('_') {
            return None;
        }
        let words = text.split('_').map(Value::text).collect();
        Some(self.value(&Value::List(words), depth))
    }

    fn by_join(&mut self, value: &Value, depth: u32) -> Option<String> {
        let list = self.words(value.as_text()?, depth)?;
        let separator = self.text("_", depth);
        Some(format!("{}.join({separator})", atom(&list)))
    }

    fn by_split_element(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if text.contains([':', ',']) {
            return None;
        }
        let source = self.text(&format!("tool:{text}"), depth);
        Some(match self.below(3) {
            0 => format!("{}.split(\":\")[1]", atom(&source)),
            1 => format!("{}.split(\":\").pop()", atom(&source)),
            _ => {
                let name = self.name_for(value);
                self.emit(format!("const [, {name}] = {}.split(\":\");", atom(&source)));
                name
            }
        })
    }

    fn by_slice(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        let junk = self.pick(&["on", "cmd_", "x", "tool:"]);
        if self.chance(50) {
            let (source, at) = (self.text(&format!("{junk}{text}"), depth), self.number(junk.len(), depth));
            return Some(format!("{}.slice({at})", atom(&source)));
        }
        let source = self.text(&format!("{text}{junk}"), depth);
        Some(match self.below(2) {
            0 => format!("{}.slice(0, -{})", atom(&source), junk.len()),
            _ => format!("{}.slice(0, {})", atom(&source), text.encode_utf16().count()),
        })
    }

    fn by_substring(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        let length = text.encode_utf16().count();
        let source = self.text(&format!("on{text}s"), depth);
        let (start, end) = (self.number(2, depth), self.number(2 + length, depth));
        Some(match self.below(2) {
            0 => format!("{}.substring({start}, {end})", atom(&source)),
            _ => format!("{}.substr({start}, {length})", atom(&source)),
        })
    }

    fn by_index_slice(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if text.contains(':') {
            return None;
        }
        let source = self.text(&format!("ns:{text}"), depth);
        let source = self.named(&["full", "qualified", "route"], &source);
        let method = self.pick(&["indexOf", "lastIndexOf"]);
        Some(format!("{source}.slice({source}.{method}(\":\") + 1)"))
    }

    fn by_trim(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        let (before, after, method) =
            *self.core.random.pick(&[("  ", " ", "trim"), ("  ", "", "trimStart"), ("", "  ", "trimEnd")]);
        if text.starts_with(' ') || text.ends_with(' ') {
            return None;
        }
        let source = self.text(&format!("{before}{text}{after}"), depth);
        Some(format!("{}.{method}()", atom(&source)))
    }

    fn by_lower_case(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if !text.is_ascii() || text.contains(|c: char| c.is_ascii_uppercase()) {
            return None;
        }
        let changed = if self.chance(50) { text.to_ascii_uppercase() } else { capitalized(text) };
        let source = self.text(&changed, depth);
        Some(format!("{}.toLowerCase()", atom(&source)))
    }

    fn by_upper_case(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if text.is_empty() || text.contains(|c: char| c.is_ascii_lowercase()) || !text.is_ascii() {
            // Of a text in lower case, one letter can be made from the capital's neighbour.
            if !text.is_ascii() || text.len() < 2 {
                return None;
            }
            let source = self.text(&capitalized(text), depth);
            let source = self.named(&["title", "heading"], &source);
            return Some(format!("{source}.charAt(0).toUpperCase().toLowerCase() + {source}.slice(1)"));
        }
        let source = self.text(&text.to_ascii_lowercase(), depth);
        Some(format!("{}.toUpperCase()", atom(&source)))
    }

    fn by_pad_start(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if !text.is_ascii() || text.len() < 2 {
            return None;
        }
        let (source, length) = (self.text(&text[1..], depth), self.number(text.len(), depth));
        let pad = self.literal(&text[..1]);
        Some(format!("{}.padStart({length}, {pad})", atom(&source)))
    }

    fn by_pad_end(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if !text.is_ascii() || text.len() < 2 {
            return None;
        }
        let last = text.len() - 1;
        let (source, length) = (self.text(&text[..last], depth), self.number(text.len(), depth));
        let pad = self.literal(&text[last..]);
        Some(format!("{}.padEnd({length}, {pad})", atom(&source)))
    }

    fn by_padded_number(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        let last = text.chars().last()?.to_digit(10)?;
        if text.len() < 2 || !text.ends_with(&format!("_{last}")) {
            return None;
        }
        let (start, number) = (self.text(&text[..text.len() - 2], depth), self.number(last as usize, depth));
        Some(format!("{} + String({number}).padStart(2, \"_\")", operand(&start)))
    }

    fn by_repeat(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if text.len() < 2 {
            return None;
        }
        let times = self.number(1, depth);
        let none = self.number(0, depth);
        let source = self.text(text, depth);
        Some(match self.below(2) {
            0 => format!("{}.repeat({times})", atom(&source)),
            _ => format!("\"_\".repeat({none}) + {}", operand(&source)),
        })
    }

    fn by_char_at(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if !text.is_ascii() || text.len() < 2 {
            return None;
        }
        let (first, rest) = (&text[..1], &text[1..]);
        let (source, rest) = (self.text(&format!("q{first}z"), depth), self.text(rest, depth));
        let access = self.pick(&["charAt(1)", "at(1)", "at(-2)", "slice(1, 2)"]);
        Some(format!("{}.{access} + {}", atom(&source), operand(&rest)))
    }

    fn by_string(&mut self, value: &Value, depth: u32) -> Option<String> {
        let source = self.text(value.as_text()?, depth);
        Some(match self.below(3) {
            0 => format!("String({source})"),
            1 => format!("{}.toString()", atom(&source)),
            _ => format!("\"\" + {}", operand(&source)),
        })
    }

    fn by_raw(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        if left.contains(['`', '\\', '$']) {
            return None;
        }
        let right = self.text(&right, depth);
        Some(format!("String.raw`{left}${{{right}}}`"))
    }

    fn by_tagged(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        if left.contains(['`', '\\', '$']) {
            return None;
        }
        let tag = self.at_top(|js| {
            let tag = js.fresh(&["tag", "nameOf", "fmt"]);
            js.emit(format!(
                "function {tag}(strings, ...values) {{\n  return strings.reduce((made, part, at) => made + part + (values[at] ?? \"\"), \"\");\n}}"
            ));
            tag
        });
        let right = self.text(&right, depth);
        Some(format!("{tag}`{left}${{{right}}}`"))
    }

    fn by_object_keys(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        let object = Value::Record(vec![("other".into(), Value::Number(1)), (text.to_string(), Value::Number(2))]);
        if text == "other" || text.parse::<u32>().is_ok() || text.is_empty() {
            return None;
        }
        let object = self.value(&object, depth);
        Some(match self.below(2) {
            0 => format!("Object.keys({object})[1]"),
            _ => format!("Object.entries({object})[1][0]"),
        })
    }

    fn by_reduce(&mut self, value: &Value, depth: u32) -> Option<String> {
        let list = self.words(value.as_text()?, depth)?;
        Some(match self.below(2) {
            0 => format!("{}.reduce((left, right) => left + \"_\" + right)", atom(&list)),
            _ => format!("{}.reduce((made, word, at) => (at ? `${{made}}_${{word}}` : word), \"\")", atom(&list)),
        })
    }

    fn by_prefix_guard(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        if right.starts_with(&left) {
            return None;
        }
        let is_there = self.chance(50);
        let source = self.text(if is_there { value.as_text()? } else { &right }, depth);
        let source = self.named(&["raw", "given", "input"], &source);
        let (left, again) = (self.literal(&left), self.text(&left, depth));
        Some(format!("{source}.startsWith({left}) ? {source} : {} + {source}", operand(&again)))
    }

    fn by_characters(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        let source = self.text(&text.chars().rev().collect::<String>(), depth);
        Some(match self.below(3) {
            0 => format!("[...{}].reverse().join(\"\")", atom(&source)),
            1 => format!("{}.split(\"\").reverse().join(\"\")", atom(&source)),
            _ => format!("Array.from({source}).reverse().join(\"\")"),
        })
    }

    fn by_match(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if text.is_empty() || !text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return None;
        }
        let source = self.text(&format!("tool:{text};"), depth);
        Some(match self.below(4) {
            0 => format!("{}.match(/tool:(\\w+)/)[1]", atom(&source)),
            1 => format!("/tool:(\\w+)/.exec({source})[1]"),
            2 => format!("{}.match(/:(?<name>\\w+)/).groups.name", atom(&source)),
            _ => format!("{}.match(/\\w+/g)[1]", atom(&source)),
        })
    }

    fn by_match_all(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if !text.contains('_') || text.chars().any(|c| !c.is_ascii_lowercase() && c != '_') || text.contains("__") {
            return None;
        }
        if text.starts_with('_') || text.ends_with('_') {
            return None;
        }
        let source = self.text(&text.replace('_', " "), depth);
        Some(format!("Array.from({}.matchAll(/[a-z]+/g), (found) => found[0]).join(\"_\")", atom(&source)))
    }

    fn by_loop(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        let (name, source) = (self.name_for(value), self.text(text, depth));
        let declared = self.pick(&["const", "let"]);
        if self.chance(40) {
            self.emit(format!("let {name} = \"\";\nfor ({declared} letter of {source}) {name} += letter;"));
            return Some(name);
        }
        let (list, word) = (self.words(text, depth)?, self.fresh(&["word", "piece"]));
        self.emit(format!(
            "let {name} = \"\";\nfor ({declared} {word} of {list}) {{\n  if ({name} !== \"\") {name} += \"_\";\n  {name} += {word};\n}}"
        ));
        Some(name)
    }

    fn by_map_join(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if text.chars().any(|c| c.is_ascii_uppercase()) || !text.is_ascii() {
            return None;
        }
        let list = self.words(&text.to_ascii_uppercase(), depth)?;
        Some(format!("{}.map((word) => word.toLowerCase()).join(\"_\")", atom(&list)))
    }

    fn by_filter_join(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if !text.contains('_') || text.contains("__") || text.starts_with('_') || text.ends_with('_') {
            return None;
        }
        let nothing = self.pick(&["\"\"", "null", "undefined", "false"]);
        let words: Vec<String> = text.split('_').map(|word| self.text(word, depth.saturating_sub(1))).collect();
        Some(format!("[{nothing}, {}].filter(Boolean).join(\"_\")", words.join(", ")))
    }

    fn by_number_suffix(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        let last = text.chars().last()?.to_digit(10)?;
        let (start, number) = (self.text(&text[..text.len() - 1], depth), self.number(last as usize, depth));
        Some(format!("{} + {}", operand(&start), operand(&number)))
    }

    fn by_dictionary_key(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        let name = self.fresh(&["words", "labels", "prefixes"]);
        let table = Value::Record(vec![("start".into(), Value::text(left)), ("end".into(), Value::text(right))]);
        let table = self.value(&table, depth);
        self.emit(format!("const {name} = {table};"));
        Some(format!("`${{{name}.start}}${{{name}[\"end\"]}}`"))
    }

    fn by_char_code(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if !text.is_ascii() || text.len() < 2 {
            return None;
        }
        let rest = self.text(&text[1..], depth);
        Some(format!("String.fromCharCode({}) + {}", text.as_bytes()[0], operand(&rest)))
    }
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map(|first| first.to_uppercase().collect::<String>() + characters.as_str()).unwrap_or_default()
}
