//! Arrays: the ways to build a known one.

use super::{Form, Js, Value, atom};

pub(super) const FORMS: &[Form] = &[
    ("array spread", Js::by_array_spread),
    ("concat", Js::by_array_concat),
    ("push", Js::by_push),
    ("push of spread", Js::by_push_spread),
    ("unshift", Js::by_unshift),
    ("index assignment", Js::by_index_assignment),
    ("push in a loop", Js::by_push_loop),
    ("filter", Js::by_filter),
    ("filter by field", Js::by_field_filter),
    ("slice", Js::by_array_slice),
    ("splice", Js::by_splice),
    ("reverse", Js::by_reverse),
    ("sort", Js::by_sort),
    ("flat", Js::by_flat),
    ("flatMap", Js::by_flat_map),
    ("map over indexes", Js::by_map_index),
    ("map over wrapped", Js::by_map_wrapped),
    ("reduce", Js::by_reduce_list),
    ("reduceRight", Js::by_reduce_right),
    ("Array.from", Js::by_array_from),
    ("Array.from with length", Js::by_array_from_length),
    ("Array.of", Js::by_array_of),
    ("fill", Js::by_fill),
];

/// Forms for lists with something in common.
pub(super) const NARROW: &[Form] = &[
    ("names to records", Js::by_records_of_names),
    ("entries of an object", Js::by_entries),
    ("keys of an object", Js::by_keys),
    ("filter by field", Js::by_field_filter),
    ("sort", Js::by_sort),
    ("registry filled by modules", Js::by_module_registry),
];

pub(super) fn elements(value: &Value) -> &[Value] {
    match value {
        Value::List(elements) => elements,
        _ => &[],
    }
}

fn list(elements: &[Value]) -> Value {
    Value::List(elements.to_vec())
}

impl Js {
    /// Two parts of a list, either of which may be empty, as expressions.
    pub(super) fn parts(&mut self, value: &Value, depth: u32) -> (String, String) {
        let (left, right) = self.split(value);
        (self.value(&left, depth), self.value(&right, depth))
    }

    pub(super) fn split(&mut self, value: &Value) -> (Value, Value) {
        let elements = elements(value);
        let (left, right) = elements.split_at(self.below(elements.len() + 1));
        (list(left), list(right))
    }

    pub(super) fn each(&mut self, value: &Value, depth: u32) -> Vec<String> {
        elements(value).iter().map(|element| self.value(element, depth)).collect()
    }

    fn by_array_spread(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.parts(value, depth);
        Some(format!("[...{}, ...{}]", atom(&left), atom(&right)))
    }

    fn by_array_concat(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.parts(value, depth);
        Some(match self.below(2) {
            0 => format!("{}.concat({right})", atom(&left)),
            _ => format!("[].concat({left}, {right})"),
        })
    }

    fn by_push(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        self.emit(format!("const {name} = [];"));
        let together = self.chance(30);
        let elements = self.each(value, depth);
        if together && !elements.is_empty() {
            self.emit(format!("{name}.push({});", elements.join(", ")));
        } else {
            for element in elements {
                self.emit(format!("{name}.push({element});"));
            }
        }
        Some(name)
    }

    fn by_push_spread(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        let (left, right) = self.parts(value, depth);
        self.emit(format!("const {name} = [...{}];\n{name}.push(...{});", atom(&left), atom(&right)));
        Some(name)
    }

    fn by_unshift(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        let (left, right) = self.parts(value, depth);
        self.emit(format!("const {name} = [...{}];\n{name}.unshift(...{});", atom(&right), atom(&left)));
        Some(name)
    }

    fn by_index_assignment(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        self.emit(format!("const {name} = [];"));
        for (at, element) in self.each(value, depth).into_iter().enumerate() {
            let index = if self.chance(40) { format!("{name}.length") } else { at.to_string() };
            self.emit(format!("{name}[{index}] = {element};"));
        }
        Some(name)
    }

    fn by_push_loop(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (source, name) = (self.value(value, depth), self.name_for(value));
        self.emit(format!("const {name} = [];"));
        match self.below(4) {
            0 => self.emit(format!("for (const element of {source}) {name}.push(element);")),
            1 => {
                let source = self.named(&["source", "given"], &source);
                self.emit(format!("for (let i = 0; i < {source}.length; i++) {{\n  {name}.push({source}[i]);\n}}"));
            }
            2 => self.emit(format!("for (const [, element] of {}.entries()) {name}.push(element);", atom(&source))),
            _ => {
                let source = self.named(&["source", "given"], &source);
                self.emit(format!("for (const at in {source}) {{\n  {name}.push({source}[at]);\n}}"));
            }
        }
        Some(name)
    }

    /// Elements with others between them, and the list of the others.
    fn with_junk(&mut self, value: &Value) -> (Vec<Value>, Vec<bool>) {
        let (mut mixed, mut is_kept) = (Vec::new(), Vec::new());
        for element in elements(value) {
            if self.chance(40) {
                mixed.push(self.decoy(element));
                is_kept.push(false);
            }
            mixed.push(element.clone());
            is_kept.push(true);
        }
        (mixed, is_kept)
    }

    fn by_filter(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (mixed, is_kept) = self.with_junk(value);
        let source = self.value(&Value::List(mixed.clone()), depth);
        let source = atom(&source);
        let is_word = |element: &Value| element.as_text().is_some_and(|word| !word.starts_with("no_"));
        let is_text = elements(value).iter().all(is_word);
        if is_text && self.chance(50) {
            let test = self.pick(&["!word.startsWith(\"no_\")", "!/^no_/.test(word)", "word.indexOf(\"no_\") !== 0"]);
            return Some(format!("{source}.filter((word) => {test})"));
        }
        let kept: Vec<String> =
            is_kept.iter().enumerate().filter(|(_, kept)| **kept).map(|(at, _)| at.to_string()).collect();
        Some(match self.below(2) {
            0 => format!("{source}.filter((_, at) => [{}].includes(at))", kept.join(", ")),
            _ => {
                let flags: Vec<String> = is_kept.iter().map(bool::to_string).collect();
                let name = self.fresh(&["flags", "mask"]);
                self.emit(format!("const {name} = [{}];", flags.join(", ")));
                format!("{source}.filter((_, at) => {name}[at])")
            }
        })
    }

    fn by_field_filter(&mut self, value: &Value, depth: u32) -> Option<String> {
        if !elements(value).iter().all(|element| matches!(element, Value::Record(_))) {
            return None;
        }
        let (mixed, is_kept) = self.with_junk(value);
        let key = *self.core.random.pick(&["hidden", "disabled", "legacy"]);
        if elements(value).iter().any(|element| element.field(key).is_some()) {
            return None;
        }
        let mixed: Vec<Value> = mixed
            .into_iter()
            .zip(is_kept)
            .map(|(element, kept)| match element {
                Value::Record(mut fields) if !kept || fields.len() % 2 == 0 => {
                    fields.push((key.to_string(), Value::Flag(!kept)));
                    Value::Record(fields)
                }
                other => other,
            })
            .collect();
        let source = self.value(&Value::List(mixed), depth);
        let source = atom(&source);
        Some(match self.below(4) {
            0 => format!("{source}.filter((entry) => !entry.{key})"),
            1 => format!("{source}.filter(({{ {key} = false }}) => {key} === false)"),
            2 => format!("{source}.filter((entry) => entry.{key} !== true)"),
            _ => format!("{source}.filter(function (entry) {{\n  if (entry.{key}) return false;\n  return true;\n}})"),
        })
    }

    fn by_array_slice(&mut self, value: &Value, depth: u32) -> Option<String> {
        let mut mixed = elements(value).to_vec();
        let decoy = mixed.first().cloned().map(|element| self.decoy(&element))?;
        let count = self.number(mixed.len(), depth);
        Some(match self.below(4) {
            0 => {
                mixed.insert(0, decoy);
                format!("{}.slice(1)", atom(&self.value(&Value::List(mixed), depth)))
            }
            1 => {
                mixed.push(decoy);
                format!("{}.slice(0, -1)", atom(&self.value(&Value::List(mixed), depth)))
            }
            2 => {
                mixed.push(decoy);
                format!("{}.slice(0, {count})", atom(&self.value(&Value::List(mixed), depth)))
            }
            _ => format!("{}.slice()", atom(&self.value(&Value::List(mixed), depth))),
        })
    }

    fn by_splice(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        let mut mixed = elements(value).to_vec();
        let first = mixed.first().cloned()?;
        let decoy = self.decoy(&first);
        let at = self.below(mixed.len());
        match self.below(3) {
            0 => {
                mixed.insert(at, decoy);
                let source = self.value(&Value::List(mixed), depth);
                self.emit(format!("const {name} = [...{}];\n{name}.splice({at}, 1);", atom(&source)));
            }
            1 => {
                let element = mixed.remove(at);
                let (source, element) = (self.value(&Value::List(mixed), depth), self.value(&element, depth));
                self.emit(format!("const {name} = [...{}];\n{name}.splice({at}, 0, {element});", atom(&source)));
            }
            _ => {
                let count = mixed.len();
                mixed.extend([decoy.clone(), decoy]);
                let source = self.value(&Value::List(mixed), depth);
                return Some(format!("[...{}].splice(0, {count})", atom(&source)));
            }
        }
        Some(name)
    }

    fn by_reverse(&mut self, value: &Value, depth: u32) -> Option<String> {
        let mut turned = elements(value).to_vec();
        turned.reverse();
        let source = atom(&self.value(&Value::List(turned), depth));
        Some(match self.below(3) {
            0 => format!("[...{source}].reverse()"),
            1 => format!("{source}.slice().reverse()"),
            _ => format!("{source}.toReversed()"),
        })
    }

    fn by_sort(&mut self, value: &Value, depth: u32) -> Option<String> {
        let mut mixed: Vec<Value> = elements(value).to_vec();
        let texts: Vec<&str> = elements(value).iter().filter_map(Value::as_text).collect();
        if texts.len() == mixed.len() && texts.is_sorted() && !texts.is_empty() {
            self.core.random.shuffle(&mut mixed);
            let source = atom(&self.value(&Value::List(mixed), depth));
            let order = self.pick(&["", "(a, b) => a.localeCompare(b)", "(a, b) => (a < b ? -1 : a > b ? 1 : 0)"]);
            let method = self.pick(&["slice().sort", "toSorted"]);
            return Some(format!("{source}.{method}({order})"));
        }
        let with_order = |(at, element): (usize, &Value)| match element {
            Value::Record(fields) if element.field("order").is_none() => {
                let mut fields = fields.clone();
                fields.push(("order".into(), Value::Number(at as i64 + 1)));
                Some(Value::Record(fields))
            }
            _ => None,
        };
        let mut ordered: Vec<Value> = elements(value).iter().enumerate().map(with_order).collect::<Option<_>>()?;
        self.core.random.shuffle(&mut ordered);
        let source = atom(&self.value(&Value::List(ordered), depth));
        Some(match self.below(3) {
            0 => format!("[...{source}].sort((a, b) => a.order - b.order)"),
            1 => format!("[...{source}].sort((a, b) => b.order - a.order).reverse()"),
            _ => format!("{source}.slice().sort(({{ order: a }}, {{ order: b }}) => (a > b ? 1 : -1))"),
        })
    }

    /// A list of lists that has the elements in order.
    fn nested(&mut self, value: &Value, depth: u32) -> String {
        let (left, right) = self.split(value);
        let (middle, right) = self.split(&right);
        self.value(&Value::List(vec![left, middle, right]), depth)
    }

    fn by_flat(&mut self, value: &Value, depth: u32) -> Option<String> {
        if elements(value).iter().any(|element| matches!(element, Value::List(_))) {
            return None;
        }
        let source = atom(&self.nested(value, depth));
        let how = self.pick(&["", "1", "Infinity"]);
        Some(format!("{source}.flat({how})"))
    }

    fn by_flat_map(&mut self, value: &Value, depth: u32) -> Option<String> {
        if self.chance(50) {
            let source = atom(&self.nested(value, depth));
            return Some(format!("{source}.flatMap((group) => group)"));
        }
        let (left, right) = self.split(value);
        let group = |name: &str, tools: Value| {
            Value::Record(vec![("group".into(), Value::text(name)), ("members".into(), tools)])
        };
        let source = self.value(&Value::List(vec![group("a", left), group("b", right)]), depth);
        Some(format!("{}.flatMap(({{ members }}) => members)", atom(&source)))
    }

    fn by_map_index(&mut self, value: &Value, depth: u32) -> Option<String> {
        let mut turned = elements(value).to_vec();
        let indexes: Vec<String> = (0..turned.len()).rev().map(|at| at.to_string()).collect();
        turned.reverse();
        let source = self.value(&Value::List(turned), depth);
        let source = self.named(&["pool", "source"], &source);
        Some(format!("[{}].map((at) => {source}[at])", indexes.join(", ")))
    }

    fn by_map_wrapped(&mut self, value: &Value, depth: u32) -> Option<String> {
        let wrapped = elements(value).iter().map(|element| Value::Record(vec![("it".into(), element.clone())]));
        let source = atom(&self.value(&Value::List(wrapped.collect()), depth));
        Some(match self.below(3) {
            0 => format!("{source}.map((wrapped) => wrapped.it)"),
            1 => format!("{source}.map(({{ it }}) => it)"),
            _ => format!("{source}.map(function (wrapped) {{\n  const {{ it }} = wrapped;\n  return it;\n}})"),
        })
    }

    fn by_reduce_list(&mut self, value: &Value, depth: u32) -> Option<String> {
        let source = self.value(value, depth);
        let source = atom(&source);
        Some(match self.below(3) {
            0 => format!("{source}.reduce((made, element) => [...made, element], [])"),
            1 => format!("{source}.reduce((made, element) => made.concat([element]), [])"),
            _ => format!("{source}.reduce((made, element) => {{\n  made.push(element);\n  return made;\n}}, [])"),
        })
    }

    fn by_reduce_right(&mut self, value: &Value, depth: u32) -> Option<String> {
        let source = atom(&self.value(value, depth));
        Some(format!("{source}.reduceRight((made, element) => [element, ...made], [])"))
    }

    fn by_array_from(&mut self, value: &Value, depth: u32) -> Option<String> {
        let source = self.value(value, depth);
        Some(match self.below(3) {
            0 => format!("Array.from({source})"),
            1 => format!("Array.from({}.values())", atom(&source)),
            _ => format!("Array.from({source}, (element) => element)"),
        })
    }

    fn by_array_from_length(&mut self, value: &Value, depth: u32) -> Option<String> {
        let source = self.value(value, depth);
        let source = self.named(&["source", "given"], &source);
        let count = self.number(elements(value).len(), depth);
        Some(match self.below(2) {
            0 => format!("Array.from({{ length: {count} }}, (_, at) => {source}[at])"),
            _ => format!("[...Array({count}).keys()].map((at) => {source}[at])"),
        })
    }

    fn by_array_of(&mut self, value: &Value, depth: u32) -> Option<String> {
        Some(format!("Array.of({})", self.each(value, depth).join(", ")))
    }

    fn by_fill(&mut self, value: &Value, depth: u32) -> Option<String> {
        let source = self.value(value, depth);
        let source = self.named(&["source", "given"], &source);
        let count = elements(value).len();
        Some(match self.below(2) {
            0 => format!("new Array({count}).fill(null).map((_, at) => {source}[at])"),
            _ => format!("Array({count}).fill({source}).map((all, at) => all[at])"),
        })
    }
}
