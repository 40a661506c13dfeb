//! Strings: the methods that change one, and the ways to take one out of something else.

use super::{Form, Py, Value, atom, operand};

pub(super) const FORMS: &[Form] = &[
    ("replace", Py::by_replace),
    ("replace of separators", Py::by_replace_separators),
    ("re.sub", Py::by_re_sub),
    ("re.sub with function", Py::by_re_sub_function),
    ("re.sub with groups", Py::by_re_sub_groups),
    ("re.match group", Py::by_re_group),
    ("re.findall", Py::by_re_findall),
    ("re.split", Py::by_re_split),
    ("split and join", Py::by_split_join),
    ("split element", Py::by_split_element),
    ("partition", Py::by_partition),
    ("string slice", Py::by_slice),
    ("string slice with step", Py::by_step),
    ("slice from index", Py::by_index_slice),
    ("strip", Py::by_strip),
    ("strip of characters", Py::by_strip_characters),
    ("lower", Py::by_lower),
    ("upper", Py::by_upper),
    ("title and capitalize", Py::by_title),
    ("removeprefix and removesuffix", Py::by_remove_prefix),
    ("zfill", Py::by_zfill),
    ("ljust and rjust", Py::by_justify),
    ("repetition", Py::by_repetition),
    ("reversed string", Py::by_reversed),
    ("string index", Py::by_string_index),
    ("str()", Py::by_str_call),
    ("translate", Py::by_translate),
    ("dict key", Py::by_dict_key),
    ("function name", Py::by_function_name),
    ("class name", Py::by_class_name),
    ("chr", Py::by_chr),
    ("splitlines", Py::by_splitlines),
    ("Path parts", Py::by_path),
    ("encode and decode", Py::by_encode),
    ("number suffix", Py::by_number_suffix),
    ("isinstance choice", Py::by_isinstance_choice),
];

/// Whether a text could be the name of a function.
fn is_name(text: &str) -> bool {
    super::is_identifier(text)
        && !["def", "class", "import", "for", "in", "is", "if", "or", "and", "not"].contains(&text)
}

fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

impl Py {
    fn by_replace(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.halves(value.as_text()?)?;
        let word = right.split('_').next().filter(|word| !word.is_empty())?.to_string();
        let rest = &right[word.len()..];
        let mark = self.pick(&["NAME", "XX", "#", "<it>"]);
        let (pattern, word) = (self.text(&format!("{left}{mark}{rest}"), depth), self.text(&word, depth));
        let (mark, count) = (self.literal(mark), self.pick(&["", ", 1"]));
        Some(format!("{}.replace({mark}, {word}{count})", atom(&pattern)))
    }

    fn by_replace_separators(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if !text.contains('_') || text.contains(['-', '.', ' ']) {
            return None;
        }
        let mark = self.pick(&["-", ".", " "]);
        let source = self.text(&text.replace('_', mark), depth);
        Some(format!("{}.replace(\"{mark}\", \"_\")", atom(&source)))
    }

    fn by_re_sub(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if !text.contains('_') || text.contains(['-', ' ', '.']) {
            return None;
        }
        let (mark, regex) =
            *self.core.random.pick(&[("-", "-"), (" ", "\\s+"), (".", "\\."), ("--", "-+"), ("- ", "[^a-z0-9_]+")]);
        if regex.starts_with('[') && !is_plain(text) {
            return None;
        }
        let source = self.text(&text.replace('_', mark), depth);
        Some(match self.below(2) {
            0 => format!("{}(r\"{regex}\", \"_\", {source})", self.std("re", "sub")),
            _ => format!("{}(r\"{regex}\").sub(\"_\", {source})", self.std("re", "compile")),
        })
    }

    /// The words of a text run together, each but the first with a capital.
    fn camel(text: &str) -> Option<String> {
        let words: Vec<&str> = text.split('_').collect();
        if words.len() < 2 || words.iter().any(|word| !word.starts_with(|c: char| c.is_ascii_lowercase())) {
            return None;
        }
        let rest: String = words[1..].iter().map(|word| word[..1].to_uppercase() + &word[1..]).collect();
        Some(format!("{}{rest}", words[0]))
    }

    fn by_re_sub_function(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (camel, sub) = (Py::camel(value.as_text()?)?, self.std("re", "sub"));
        let source = self.text(&camel, depth);
        Some(format!("{sub}(r\"[A-Z]\", lambda found: \"_\" + found.group(0).lower(), {source})"))
    }

    fn by_re_sub_groups(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (text, sub) = (value.as_text()?, self.std("re", "sub"));
        if self.chance(50) {
            let source = self.text(&Py::camel(text)?, depth);
            return Some(format!("{sub}(r\"(?<!^)(?=[A-Z])\", \"_\", {source}).lower()"));
        }
        let (verb, noun) = text.split_once('_')?;
        if !is_plain(noun) || !is_plain(verb) {
            return None;
        }
        let source = self.text(&format!("{noun}:{verb}"), depth);
        let to = self.pick(&["r\"\\2_\\1\"", "r\"\\g<2>_\\g<1>\""]);
        Some(format!("{sub}(r\"^(\\w+):(\\w+)$\", {to}, {source})"))
    }

    fn by_re_group(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text().filter(|text| is_plain(text))?;
        let source = self.text(&format!("tool:{text};"), depth);
        Some(match self.below(4) {
            0 => format!("{}(r\"tool:(\\w+)\", {source}).group(1)", self.std("re", "match")),
            1 => format!("{}(r\":(?P<name>\\w+)\", {source})[\"name\"]", self.std("re", "search")),
            2 => format!("{}(r\"\\w+:(\\w+);\", {source}).groups()[0]", self.std("re", "fullmatch")),
            _ => format!("{}(r\":(\\w+)\").search({source}).group(1)", self.std("re", "compile")),
        })
    }

    fn by_re_findall(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        let is_words = text.split('_').all(|word| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase()));
        if !is_words || !text.contains('_') {
            return None;
        }
        let source = self.text(&text.replace('_', " "), depth);
        Some(format!("\"_\".join({}(r\"[a-z]+\", {source}))", self.std("re", "findall")))
    }

    fn by_re_split(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if !text.contains('_') || text.contains(['-', ' ', '/']) {
            return None;
        }
        let source = self.text(&text.replace('_', "- "), depth);
        Some(format!("\"_\".join({}(r\"[-/ ]+\", {source}))", self.std("re", "split")))
    }

    fn by_split_join(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if !text.contains('_')
            || text.contains(['-', ' ', '/'])
            || text.starts_with('_')
            || text.ends_with('_')
            || text.contains("__")
        {
            return None;
        }
        let (mark, call) =
            *self.core.random.pick(&[("-", "(\"-\")"), (" ", "()"), ("/", "(\"/\")"), ("-", "(sep=\"-\")")]);
        let source = self.text(&text.replace('_', mark), depth);
        Some(format!("\"_\".join({}.split{call})", atom(&source)))
    }

    fn by_split_element(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text().filter(|text| !text.contains(':'))?;
        let source = self.text(&format!("tool:{text}"), depth);
        Some(match self.below(4) {
            0 => format!("{}.split(\":\")[1]", atom(&source)),
            1 => format!("{}.rsplit(\":\", 1)[-1]", atom(&source)),
            2 => format!("{}.split(\":\", maxsplit=1).pop()", atom(&source)),
            _ => {
                let (name, other) = (self.name_for(value), self.fresh(&["_", "kind"]));
                self.emit(format!("{other}, {name} = {}.split(\":\")", atom(&source)));
                name
            }
        })
    }

    fn by_partition(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text().filter(|text| !text.contains(':'))?;
        let source = self.text(&format!("tool:{text}"), depth);
        let method = self.pick(&["partition", "rpartition"]);
        Some(format!("{}.{method}(\":\")[2]", atom(&source)))
    }

    fn by_slice(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (text, junk) = (value.as_text()?, self.pick(&["on", "cmd_", "x", "tool:"]));
        let length = text.chars().count();
        if self.chance(50) {
            let (source, at) = (self.text(&format!("{junk}{text}"), depth), self.number(junk.len(), depth));
            return Some(format!("{}[{at}:]", atom(&source)));
        }
        let source = self.text(&format!("{text}{junk}"), depth);
        Some(match self.below(3) {
            0 => format!("{}[:-{}]", atom(&source), junk.len()),
            1 => format!("{}[:{length}]", atom(&source)),
            _ => format!("{}[0:{length}:1]", atom(&source)),
        })
    }

    fn by_step(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        let doubled: String = text.chars().flat_map(|c| [c, '.']).collect();
        let source = self.text(&doubled, depth);
        Some(format!("{}[::2]", atom(&source)))
    }

    fn by_index_slice(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text().filter(|text| !text.contains(':'))?;
        let source = self.text(&format!("ns:{text}"), depth);
        let source = self.named(&["full", "qualified", "route"], &source);
        let method = self.pick(&["index", "rindex", "find", "rfind"]);
        Some(format!("{source}[{source}.{method}(\":\") + 1:]"))
    }

    fn by_strip(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text().filter(|text| text.trim() == *text)?;
        let (before, after, method) =
            *self.core.random.pick(&[("  ", " ", "strip"), ("  ", "", "lstrip"), ("", "  ", "rstrip")]);
        let source = self.text(&format!("{before}{text}{after}"), depth);
        Some(format!("{}.{method}()", atom(&source)))
    }

    fn by_strip_characters(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text().filter(|text| !text.starts_with(['/', '*']) && !text.ends_with(['/', '*']))?;
        let source = self.text(&format!("/*{text}/"), depth);
        Some(format!("{}.strip(\"/*\")", atom(&source)))
    }

    fn by_lower(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if !text.is_ascii() || text.chars().any(|c| c.is_ascii_uppercase()) {
            return None;
        }
        let source = self.text(&text.to_ascii_uppercase(), depth);
        let method = self.pick(&["lower", "casefold", "swapcase"]);
        Some(format!("{}.{method}()", atom(&source)))
    }

    fn by_upper(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if !text.is_ascii() || text.is_empty() {
            return None;
        }
        if text.chars().any(|c| c.is_ascii_uppercase()) {
            return if text.chars().any(|c| c.is_ascii_lowercase()) {
                None
            } else {
                Some(format!("{}.upper()", atom(&self.text(&text.to_ascii_lowercase(), depth))))
            };
        }
        Some(format!("{}.upper().lower()", atom(&self.text(text, depth))))
    }

    fn by_title(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if !is_plain(text) || text.chars().any(|c| c.is_ascii_uppercase()) {
            return None;
        }
        let source = atom(&self.text(text, depth));
        Some(match self.below(3) {
            0 => format!("{source}.title().lower()"),
            1 => format!("{source}.capitalize().lower()"),
            _ => format!("{source}.replace(\"_\", \" \").title().replace(\" \", \"_\").lower()"),
        })
    }

    fn by_remove_prefix(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (text, junk) = (value.as_text()?, self.pick(&["on_", "cmd_", "tool:"]));
        let again = self.text(junk, depth);
        Some(match self.below(3) {
            0 => format!("{}.removeprefix({again})", atom(&self.text(&format!("{junk}{text}"), depth))),
            1 => format!("{}.removesuffix({again})", atom(&self.text(&format!("{text}{junk}"), depth))),
            _ if text.starts_with(junk) => return None,
            _ => format!("{}.removeprefix({again})", atom(&self.text(text, depth))),
        })
    }

    fn by_zfill(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if let Some(rest) = text.strip_prefix('0') {
            return Some(format!("{}.zfill({})", atom(&self.text(rest, depth)), text.len()));
        }
        let source = self.text(text, depth);
        Some(format!("{}.zfill(2)", atom(&source))).filter(|_| text.len() > 1)
    }

    fn by_justify(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text().filter(|text| text.is_ascii() && text.len() > 1)?;
        let (width, last) = (self.number(text.len(), depth), text.len() - 1);
        Some(match self.below(3) {
            0 => format!("{}.rjust({width}, {})", atom(&self.text(&text[1..], depth)), self.literal(&text[..1])),
            1 => format!("{}.ljust({width}, {})", atom(&self.text(&text[..last], depth)), self.literal(&text[last..])),
            _ => format!("{}.center(2)", atom(&self.text(text, depth))),
        })
    }

    fn by_repetition(&mut self, value: &Value, depth: u32) -> Option<String> {
        let source = operand(&self.text(value.as_text()?, depth));
        Some(match self.below(3) {
            0 => format!("{source} * {}", operand(&self.number(1, depth))),
            1 => format!("{source} + \"_\" * {}", operand(&self.number(0, depth))),
            _ => format!("{source} * {}", operand(&self.flag(true, depth))),
        })
    }

    fn by_reversed(&mut self, value: &Value, depth: u32) -> Option<String> {
        let source = self.text(&value.as_text()?.chars().rev().collect::<String>(), depth);
        Some(match self.below(2) {
            0 => format!("{}[::-1]", atom(&source)),
            _ => format!("\"\".join(reversed({source}))"),
        })
    }

    fn by_string_index(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text().filter(|text| text.is_ascii() && text.len() > 1)?;
        let (source, rest) = (self.text(&format!("q{}z", &text[..1]), depth), self.text(&text[1..], depth));
        let access = self.pick(&["[1]", "[-2]", "[1:2]"]);
        Some(format!("{}{access} + {}", atom(&source), operand(&rest)))
    }

    fn by_str_call(&mut self, value: &Value, depth: u32) -> Option<String> {
        let source = self.text(value.as_text()?, depth);
        Some(match self.below(3) {
            0 => format!("str({source})"),
            1 => format!("\"\" + {}", operand(&source)),
            _ => format!("\"\".join(list({source}))"),
        })
    }

    fn by_translate(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        if !text.contains('_') || text.contains(['-', ' ', '.']) {
            return None;
        }
        let source = self.text(&text.replacen('_', "-", 1), depth);
        let table =
            self.pick(&["str.maketrans(\"- \", \"__\")", "str.maketrans({\"-\": \"_\"})", "{ord(\"-\"): \"_\"}"]);
        Some(format!("{}.translate({table})", atom(&source)))
    }

    fn by_dict_key(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text().filter(|text| *text != "other")?;
        let table = Value::Record(vec![("other".into(), Value::Number(1)), (text.to_string(), Value::Number(2))]);
        let table = self.value(&table, depth);
        Some(match self.below(4) {
            0 => format!("list({table})[1]"),
            1 => format!("list({}.keys())[-1]", operand(&table)),
            2 => format!("[*{}][1]", operand(&table)),
            _ => {
                let table = self.steady(&["ranks", "scores"], &table);
                format!("max({table}, key={}.get)", operand(&table))
            }
        })
    }

    fn by_function_name(&mut self, value: &Value, _: u32) -> Option<String> {
        let text = value.as_text().filter(|text| is_name(text))?;
        if self.core.fresh(text) != text {
            return None;
        }
        self.emit(super::def(text, "", "    ..."));
        let name = self.pick(&["__name__", "__qualname__"]);
        // The qualified name of an inner function has more parts.
        let name = if self.core.is_top() { name } else { "__name__" };
        Some(format!("{text}.{name}"))
    }

    fn by_class_name(&mut self, value: &Value, _: u32) -> Option<String> {
        let text = value.as_text().filter(|text| is_name(text))?;
        if self.core.fresh(text) != text {
            return None;
        }
        self.emit(super::class(text, "", &[]));
        let access = self.pick(&["NAME.__name__", "type(NAME()).__name__", "NAME().__class__.__name__"]);
        Some(access.replace("NAME", text))
    }

    fn by_chr(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text().filter(|text| text.is_ascii() && text.len() > 1)?;
        let rest = self.text(&text[1..], depth);
        let first = text.as_bytes()[0];
        Some(match self.below(2) {
            0 => format!("chr({first}) + {}", operand(&rest)),
            _ => format!("chr(ord(\"{}\") + 1) + {}", char::from(first - 1), operand(&rest)),
        })
        .filter(|_| first.is_ascii_alphanumeric() && first != b'a' && first != b'0' && first != b'A')
    }

    fn by_splitlines(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text().filter(|text| is_plain(text))?;
        let _ = depth;
        Some(match self.below(2) {
            0 => format!("\"first\\n{text}\".splitlines()[1]"),
            _ => format!("\"\"\"\n{text}\n\"\"\".strip()"),
        })
    }

    fn by_path(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text().filter(|text| is_plain(text))?;
        let source = self.text(&format!("tools/{text}.py"), depth);
        Some(match self.below(4) {
            0 => format!("{}({source}).stem", self.std("pathlib", "Path")),
            1 => format!("{}({source}).name.split(\".\")[0]", self.std("pathlib", "PurePosixPath")),
            2 => format!("{}({source}).with_suffix(\"\").name", self.std("pathlib", "Path")),
            _ => format!("{}.splitext({}.basename({source}))[0]", self.std("os", "path"), self.std("os", "path")),
        })
    }

    fn by_encode(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text().filter(|text| is_plain(text))?;
        if self.chance(40) {
            return Some(format!("b\"{text}\".decode()"));
        }
        let source = self.text(text, depth);
        Some(format!("{}.encode(\"utf-8\").decode(\"utf-8\")", atom(&source)))
    }

    pub(super) fn by_number_suffix(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = value.as_text()?;
        let last = text.chars().last()?.to_digit(10)?;
        let (start, number) = (self.text(&text[..text.len() - 1], depth), self.number(last as usize, depth));
        Some(format!("{} + str({number})", operand(&start)))
    }

    fn by_isinstance_choice(&mut self, value: &Value, depth: u32) -> Option<String> {
        let source = self.text(value.as_text()?, depth);
        let source = self.named(&["raw", "given", "source"], &source);
        Some(format!("{source} if isinstance({source}, str) else str({source})"))
    }
}
