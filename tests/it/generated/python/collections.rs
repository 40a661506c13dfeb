//! Lists by way of the standard library and of other collections.

use super::lists::{elements, list};
use super::{Form, Py, Value, class, def, operand};

pub(super) const FORMS: &[Form] = &[
    ("itertools.chain", Py::by_chain_list),
    ("chain.from_iterable", Py::by_chain_from),
    ("zip of columns", Py::by_zip_columns),
    ("dict values", Py::by_dict_values),
    ("dict items to dicts", Py::by_items_to_dicts),
    ("dict keys", Py::by_dict_keys),
    ("functools.reduce", Py::by_reduce_list),
    ("itertools.product", Py::by_product_list),
    ("itertools.islice", Py::by_islice_list),
    ("itertools.compress", Py::by_compress),
    ("itertools.takewhile", Py::by_takewhile),
    ("itertools.starmap", Py::by_starmap),
    ("itertools.accumulate", Py::by_accumulate),
    ("itertools.groupby", Py::by_groupby),
    ("setdefault groups", Py::by_setdefault_groups),
    ("defaultdict groups", Py::by_defaultdict_groups),
    ("deque", Py::by_deque),
    ("dict.fromkeys", Py::by_fromkeys),
    ("Enum members", Py::by_enum_members),
    ("dataclass to dict", Py::by_dataclasses),
    ("namedtuples to dicts", Py::by_namedtuples),
    ("sorted set", Py::by_sorted_set),
    ("asyncio.gather list", Py::by_gather_list),
    ("class with __iter__", Py::by_iterable_class),
    ("subclass registry", Py::by_subclasses),
    ("while pop", Py::by_while_pop),
    ("iterator with next", Py::by_next_loop),
    ("copy and deepcopy", Py::by_copy_list),
    ("walrus loop", Py::by_walrus_loop),
    ("tuple concatenation", Py::by_tuples),
];

/// Forms where `await` may be used.
pub(super) const AWAITING: &[Form] = &[("asyncio.gather list", Py::by_gather_list)];

impl Py {
    fn by_chain_list(&mut self, value: &Value, depth: u32) -> Option<String> {
        let ((left, right), chain) = (self.parts(value, depth), self.std("itertools", "chain"));
        Some(format!("list({chain}({left}, {right}))"))
    }

    fn by_chain_from(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (source, chain) = (self.nested(value, depth), self.std("itertools", "chain"));
        Some(match self.below(2) {
            0 => format!("list({chain}.from_iterable({source}))"),
            _ => format!("[*{chain}(*{source})]"),
        })
    }

    pub(super) fn by_zip_columns(&mut self, value: &Value, depth: u32) -> Option<String> {
        let Value::Record(first) = elements(value).first()? else { return None };
        let keys: Vec<String> = first.iter().map(|(key, _)| key.clone()).collect();
        if keys.len() != 2 {
            return None;
        }
        let mut columns = [Vec::new(), Vec::new()];
        for element in elements(value) {
            let Value::Record(fields) = element else { return None };
            if fields.len() != 2 || fields[0].0 != keys[0] || fields[1].0 != keys[1] {
                return None;
            }
            columns[0].push(fields[0].1.clone());
            columns[1].push(fields[1].1.clone());
        }
        let [first, second] = columns;
        let (first, second) = (self.source(&Value::List(first), depth), self.source(&Value::List(second), depth));
        Some(format!("[{{\"{}\": a, \"{}\": b}} for a, b in zip({first}, {second})]", keys[0], keys[1]))
    }

    fn by_dict_values(&mut self, value: &Value, depth: u32) -> Option<String> {
        let fields = elements(value).iter().enumerate().map(|(at, element)| (format!("k{at}"), element.clone()));
        let table = self.source(&Value::Record(fields.collect()), depth);
        Some(match self.below(3) {
            0 => format!("list({table}.values())"),
            1 => format!("[it for _, it in {table}.items()]"),
            _ => {
                let table = operand(&self.steady(&["table", "by_key"], &table));
                format!("[{table}[key] for key in {table}]")
            }
        })
    }

    pub(super) fn by_items_to_dicts(&mut self, value: &Value, depth: u32) -> Option<String> {
        let first = match elements(value).first()? {
            Value::Record(fields) => fields.first()?.0.clone(),
            _ => return None,
        };
        let mut fields: Vec<(String, Value)> = Vec::new();
        for element in elements(value) {
            let Value::Record(own) = element else { return None };
            let key = element.field(&first)?.as_text()?.to_string();
            if fields.iter().any(|(taken, _)| *taken == key) {
                return None;
            }
            fields.push((key, Value::Record(own.iter().filter(|(name, _)| *name != first).cloned().collect())));
        }
        let table = self.source(&Value::Record(fields), depth);
        Some(match self.below(2) {
            0 => format!("[{{\"{first}\": key, **rest}} for key, rest in {table}.items()]"),
            _ => format!("[dict(rest, {first}=key) for key, rest in {table}.items()]"),
        })
    }

    pub(super) fn by_dict_keys(&mut self, value: &Value, depth: u32) -> Option<String> {
        let mut fields: Vec<(String, Value)> = Vec::new();
        for element in elements(value) {
            let key = element.as_text()?;
            if fields.iter().any(|(taken, _)| taken == key) {
                return None;
            }
            fields.push((key.to_string(), Value::Handler));
        }
        let table = self.source(&Value::Record(fields), depth);
        Some(match self.below(4) {
            0 => format!("list({table})"),
            1 => format!("list({table}.keys())"),
            2 => format!("[*{table}]"),
            _ => format!("[key for key in {table}]"),
        })
    }

    fn by_reduce_list(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (source, reduce) = (self.value(value, depth), self.std("functools", "reduce"));
        Some(match self.below(2) {
            0 => format!("{reduce}(lambda made, it: made + [it], {source}, [])"),
            _ => format!("{reduce}(lambda made, it: [*made, it], {source}, [])"),
        })
    }

    fn by_product_list(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (source, product) = (self.source(value, depth), self.std("itertools", "product"));
        Some(format!("[it for it, _ in {product}({source}, [0])]"))
    }

    fn by_islice_list(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (source, islice) = (self.value(value, depth), self.std("itertools", "islice"));
        let count = self.number(elements(value).len(), depth);
        Some(format!("list({islice}([*{}, None, None], {count}))", operand(&source)))
    }

    fn by_compress(&mut self, value: &Value, depth: u32) -> Option<String> {
        let ((mixed, is_kept), compress) = (self.with_junk(value), self.std("itertools", "compress"));
        let source = self.value(&Value::List(mixed), depth);
        let flags: Vec<&str> = is_kept.iter().map(|kept| if *kept { "1" } else { "0" }).collect();
        Some(format!("list({compress}({source}, [{}]))", flags.join(", ")))
    }

    fn by_takewhile(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (source, take) = (self.value(value, depth), self.std("itertools", "takewhile"));
        Some(format!("list({take}(lambda it: it != \"stop\", [*{}, \"stop\", 1]))", operand(&source)))
    }

    fn by_starmap(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (source, starmap) = (self.source(value, depth), self.std("itertools", "starmap"));
        Some(format!("list({starmap}(lambda at, it: it, enumerate({source})))"))
    }

    fn by_accumulate(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (source, accumulate) = (self.value(value, depth), self.std("itertools", "accumulate"));
        Some(format!("list({accumulate}({source}, lambda before, it: it))"))
    }

    fn by_groupby(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (source, groupby) = (self.source(value, depth), self.std("itertools", "groupby"));
        Some(format!("[it for _, group in {groupby}({source}, key=lambda it: 0) for it in group]"))
    }

    fn by_setdefault_groups(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(&["groups", "sections"]);
        self.emit(format!("{name} = {{}}"));
        let (left, right) = self.split(value);
        for (key, part) in [("a", left), ("b", right)] {
            for element in self.each(&part, depth) {
                self.emit(format!("{name}.setdefault(\"{key}\", []).append({element})"));
            }
        }
        Some(match self.below(2) {
            0 => format!("[it for group in {name}.values() for it in group]"),
            _ => format!("{name}.get(\"a\", []) + {name}.get(\"b\", [])"),
        })
    }

    fn by_defaultdict_groups(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (kind, name) = (self.std("collections", "defaultdict"), self.fresh(&["groups", "sections"]));
        self.emit(format!("{name} = {kind}(list)"));
        let (left, right) = self.split(value);
        for (key, part) in [("a", left), ("b", right)] {
            for element in self.each(&part, depth) {
                self.emit(format!("{name}[\"{key}\"].append({element})"));
            }
        }
        Some(format!("{name}[\"a\"] + {name}[\"b\"]"))
    }

    fn by_deque(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (kind, name, (left, right)) =
            (self.std("collections", "deque"), self.fresh(&["line", "buffer"]), self.split(value));
        let right = self.value(&right, depth);
        self.emit(format!("{name} = {kind}({right})"));
        for element in self.each(&left, depth).into_iter().rev() {
            self.emit(format!("{name}.appendleft({element})"));
        }
        Some(format!("list({name})"))
    }

    pub(super) fn by_fromkeys(&mut self, value: &Value, depth: u32) -> Option<String> {
        let texts: Vec<&str> = elements(value).iter().filter_map(Value::as_text).collect();
        if texts.len() != elements(value).len() || texts.is_empty() {
            return None;
        }
        if (1..texts.len()).any(|at| texts[..at].contains(&texts[at])) {
            return None;
        }
        // A repeated element comes once; the list has no repeated ones.
        let mut twice = elements(value).to_vec();
        twice.push(twice[0].clone());
        let source = self.value(&Value::List(twice), depth);
        Some(format!("list(dict.fromkeys({source}))"))
    }

    pub(super) fn by_enum_members(&mut self, value: &Value, depth: u32) -> Option<String> {
        let texts: Vec<&str> = elements(value).iter().filter_map(Value::as_text).collect();
        if texts.len() != elements(value).len() || texts.is_empty() {
            return None;
        }
        let (is_text, kind) = (self.chance(50), self.fresh(&["Names", "ToolName", "Kinds"]));
        let base = self.std("enum", if is_text { "StrEnum" } else { "Enum" });
        let values: Vec<String> = elements(value).iter().map(|element| self.still(element, depth)).collect();
        let members: Vec<String> = values.iter().enumerate().map(|(at, text)| format!("M{at} = {text}")).collect();
        self.emit(class(&kind, &base, &members));
        Some(match self.below(4) {
            0 => format!("[member.value for member in {kind}]"),
            1 => format!("list(map(lambda member: member.value, {kind}))"),
            2 => format!("[member.value for member in {kind}.__members__.values()]"),
            _ => format!("[{kind}[key].value for key in {kind}.__members__]"),
        })
    }

    fn by_dataclasses(&mut self, value: &Value, depth: u32) -> Option<String> {
        let decorator = self.std("dataclasses", "dataclass");
        let kind = self.at_top(|py| {
            let kind = py.fresh(&["Wrapped", "Box"]);
            py.emit(format!("@{decorator}\n{}", class(&kind, "", &["it: object".into(), "rank: int = 0".into()])));
            kind
        });
        let rows: Vec<String> = self.each(value, depth).into_iter().map(|text| format!("{kind}({text})")).collect();
        let rows = super::list_of(rows);
        let rows = self.unbound(&rows);
        Some(match self.below(2) {
            0 => format!("[row.it for row in {rows}]"),
            _ => format!("[vars(row)[\"it\"] for row in {rows}]"),
        })
    }

    fn by_namedtuples(&mut self, value: &Value, depth: u32) -> Option<String> {
        let make = self.std("collections", "namedtuple");
        let kind = self.at_top(|py| {
            let kind = py.fresh(&["Entry", "Line"]);
            py.emit(format!("{kind} = {make}(\"{kind}\", [\"it\", \"rank\"], defaults=[0])"));
            kind
        });
        let rows: Vec<String> = self.each(value, depth).into_iter().map(|text| format!("{kind}({text})")).collect();
        let rows = super::list_of(rows);
        let rows = self.unbound(&rows);
        Some(match self.below(3) {
            0 => format!("[row.it for row in {rows}]"),
            1 => format!("[it for it, rank in {rows}]"),
            _ => format!("[row[0] for row in {rows}]"),
        })
    }

    pub(super) fn by_sorted_set(&mut self, value: &Value, depth: u32) -> Option<String> {
        let texts: Vec<&str> = elements(value).iter().filter_map(Value::as_text).collect();
        let is_strict = texts.windows(2).all(|pair| pair[0] < pair[1]);
        if texts.len() != elements(value).len() || texts.is_empty() || !is_strict {
            return None;
        }
        let source = self.source(value, depth);
        Some(match self.below(3) {
            0 => format!("sorted(set({source}))"),
            1 => format!("sorted({{it for it in {source}}})"),
            _ => format!("sorted({{*{source}}} | set())"),
        })
    }

    fn by_gather_list(&mut self, value: &Value, depth: u32) -> Option<String> {
        if !self.core.awaits() {
            return None;
        }
        let (gather, name, source) =
            (self.std("asyncio", "gather"), self.fresh(&["later", "delayed"]), self.source(value, depth));
        self.emit(format!("async {}", def(&name, "it", "    return it")));
        Some(match self.below(2) {
            0 => format!("await {gather}(*[{name}(it) for it in {source}])"),
            _ => format!("[await {name}(it) for it in {source}]"),
        })
    }

    fn by_iterable_class(&mut self, value: &Value, depth: u32) -> Option<String> {
        let kind = self.fresh(&["Iterable", "Sequence", "Feed"]);
        let members = [
            def("__init__", "self, items", "    self.items = items\n    self.at = 0"),
            def("__iter__", "self", "    return self"),
            def(
                "__next__",
                "self",
                "    if self.at >= len(self.items):\n        raise StopIteration\n    self.at += 1\n    return self.items[self.at - 1]",
            ),
        ];
        self.emit(class(&kind, "", &members));
        let source = self.value(value, depth);
        Some(format!("list({kind}({source}))"))
    }

    fn by_subclasses(&mut self, value: &Value, depth: u32) -> Option<String> {
        let base = self.fresh(&["Provider", "Part"]);
        let values: Vec<String> = elements(value).iter().map(|element| self.still(element, depth)).collect();
        self.emit(class(&base, "", &[]));
        for text in values {
            let kind = self.fresh(&["First", "Second", "Other"]);
            self.emit(class(&kind, &base, &[format!("it = {text}")]));
        }
        if elements(value).iter().any(|element| matches!(element, Value::Handler)) {
            return Some(format!("[kind.__dict__[\"it\"] for kind in {base}.__subclasses__()]"));
        }
        Some(format!("[kind.it for kind in {base}.__subclasses__()]"))
    }

    fn by_while_pop(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (source, name, stack) = (self.value(value, depth), self.name_for(value), self.fresh(&["stack", "left"]));
        self.emit(format!(
            "{stack} = list({source})\n{name} = []\nwhile {stack}:\n    {name}.insert(0, {stack}.pop())"
        ));
        Some(name)
    }

    fn by_next_loop(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (source, name, iterator) =
            (self.value(value, depth), self.name_for(value), self.fresh(&["iterator", "feed"]));
        self.emit(format!(
            "{iterator} = iter({source})\n{name} = []\nwhile True:\n    try:\n        {name}.append(next({iterator}))\n    except StopIteration:\n        break"
        ));
        Some(name)
    }

    fn by_copy_list(&mut self, value: &Value, depth: u32) -> Option<String> {
        let source = self.value(value, depth);
        Some(match self.below(3) {
            0 => format!("{}({source})", self.std("copy", "copy")),
            1 => format!("{}({source})", self.std("copy", "deepcopy")),
            _ => format!("{}.copy()", operand(&source)),
        })
    }

    fn by_walrus_loop(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (source, name) = (self.value(value, depth), self.name_for(value));
        let (queue, next) = (self.fresh(&["queue", "line"]), self.fresh(&["current", "got"]));
        self.emit(format!(
            "{queue} = [*{}, None]\n{name} = []\nwhile ({next} := {queue}.pop(0)) is not None:\n    {name}.append({next})",
            operand(&source)
        ));
        Some(name)
    }

    fn by_tuples(&mut self, value: &Value, depth: u32) -> Option<String> {
        let elements = elements(value);
        let (left, right) = elements.split_at(self.below(elements.len() + 1));
        let (left, right) = (self.value(&list(left), depth), self.value(&list(right), depth));
        Some(format!("list(tuple({left}) + (*{},))", operand(&right)))
    }
}
