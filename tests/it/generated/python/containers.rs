//! Dicts, tuples, objects and other containers that hold a value, and the ways to build a dict.

use super::{Form, Py, Value, atom, class, def, dict_of, is_identifier, operand, quoted, suite_of};

pub(super) const FORMS: &[Form] = &[
    ("dict item", Py::by_item),
    ("nested dict", Py::by_nested_dict),
    ("dict.get", Py::by_get),
    ("dict.pop", Py::by_dict_pop),
    ("setdefault", Py::by_setdefault),
    ("dict comprehension", Py::by_dict_comprehension),
    ("dict()", Py::by_dict_call),
    ("dict merge", Py::by_dict_merge),
    ("dict.update", Py::by_update),
    ("dict(zip())", Py::by_dict_zip),
    ("dict.items", Py::by_dict_items),
    ("list element", Py::by_element),
    ("negative index", Py::by_negative),
    ("next(iter())", Py::by_next_iter),
    ("next(generator expression)", Py::by_next_generator),
    ("comprehension with condition", Py::by_filtered),
    ("tuple element", Py::by_tuple),
    ("namedtuple", Py::by_namedtuple),
    ("NamedTuple", Py::by_named_tuple_class),
    ("SimpleNamespace", Py::by_namespace),
    ("dataclass", Py::by_dataclass),
    ("dataclass default", Py::by_dataclass_default),
    ("default_factory", Py::by_default_factory),
    ("Enum", Py::by_enum),
    ("StrEnum", Py::by_str_enum),
    ("json.loads", Py::by_json),
    ("defaultdict", Py::by_defaultdict),
    ("getattr and setattr", Py::by_getattr),
    ("vars", Py::by_vars),
    ("type()", Py::by_type),
    ("max and min", Py::by_max),
    ("copy", Py::by_copy),
    ("ChainMap", Py::by_chain_map),
    ("list.pop", Py::by_list_pop),
    ("sorted element", Py::by_sorted_element),
];

pub(super) const RECORDS: &[Form] = &[
    ("dict by assignment", Py::record_by_assignment),
    ("dict by merge", Py::record_by_merge),
    ("dict by keywords", Py::record_by_keywords),
    ("dict by pairs", Py::record_by_pairs),
    ("dict by comprehension", Py::record_by_comprehension),
    ("dict by factory", Py::record_by_factory),
    ("dict by kwargs", Py::record_by_kwargs),
    ("dict by asdict", Py::record_by_asdict),
    ("dict by vars", Py::record_by_vars),
    ("dict by zip", Py::record_by_zip),
    ("dict without a key", Py::record_without_key),
    ("dict by loop", Py::record_by_loop),
];

const TABLES: &[&str] = &["settings", "names", "constants", "lookup", "table", "config", "SETTINGS"];

impl Py {
    fn holder(&mut self, text: &str, access: &str) -> Option<String> {
        if self.chance(60) {
            let name = self.fresh(TABLES);
            self.emit(format!("{name} = {text}"));
            return Some(format!("{name}{access}"));
        }
        Some(format!("{}{access}", operand(text)))
    }

    fn by_item(&mut self, value: &Value, depth: u32) -> Option<String> {
        let decoy = self.decoy(value);
        let table = Value::Record(vec![("first".into(), decoy), ("second".into(), value.clone())]);
        let (text, key) = (self.value(&table, depth), self.text("second", depth));
        self.holder(&text, &format!("[{key}]"))
    }

    fn by_nested_dict(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = self.value(value, depth);
        let access = self.pick(&["[\"api\"][\"inner\"]", "[\"api\"].get(\"inner\")", ".get(\"api\", {})[\"inner\"]"]);
        self.holder(&format!("{{\"api\": {{\"inner\": {text}}}}}"), access)
    }

    fn by_get(&mut self, value: &Value, depth: u32) -> Option<String> {
        let decoy = self.decoy(value);
        let (text, other) = (self.value(value, depth), self.value(&decoy, depth));
        if self.chance(50) {
            return self.holder(&format!("{{\"it\": {text}}}"), &format!(".get(\"it\", {other})"));
        }
        self.holder(&format!("{{\"other\": {other}}}"), &format!(".get(\"missing\", {text})"))
    }

    fn by_dict_pop(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.fresh(TABLES), self.value(value, depth));
        self.emit(format!("{name} = {{\"it\": {text}, \"other\": 1}}"));
        Some(match self.below(2) {
            0 => format!("{name}.pop(\"it\")"),
            _ => {
                self.emit(format!("{name}.pop(\"other\")"));
                format!("{name}.popitem()[1]")
            }
        })
    }

    fn by_setdefault(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text, decoy) = (self.fresh(TABLES), self.value(value, depth), self.decoy(value));
        let other = self.value(&decoy, depth);
        self.emit(format!("{name} = {{}}\n{name}.setdefault(\"it\", {text})"));
        Some(format!("{name}.setdefault(\"it\", {other})"))
    }

    fn by_dict_comprehension(&mut self, value: &Value, depth: u32) -> Option<String> {
        let decoy = self.decoy(value);
        let table = Value::Record(vec![("a".into(), decoy), ("b".into(), value.clone())]);
        let text = self.still(&table, depth);
        Some(match self.below(3) {
            0 => format!("{{key: it for key, it in {}.items() if key != \"a\"}}[\"b\"]", operand(&text)),
            1 => format!("{{key.upper(): it for key, it in {}.items()}}[\"B\"]", operand(&text)),
            _ => {
                let text = self.steady(&["source", "given"], &text);
                format!("{{key: {}[key] for key in (\"a\", \"b\")}}[\"b\"]", operand(&text))
            }
        })
    }

    fn by_dict_call(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = self.value(value, depth);
        let made = match self.below(3) {
            0 => format!("dict(it={text})"),
            1 => format!("dict([(\"it\", {text}), (\"other\", 1)])"),
            _ => format!("dict({{\"other\": 1}}, it={text})"),
        };
        self.holder(&made, "[\"it\"]")
    }

    fn by_dict_merge(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (base, text, decoy) = (self.fresh(&["base", "defaults"]), self.value(value, depth), self.decoy(value));
        let other = self.value(&decoy, depth);
        self.emit(format!("{base} = {{\"it\": {other}, \"a\": 1}}"));
        let made = match self.below(3) {
            0 => format!("{{**{base}, \"it\": {text}}}"),
            1 => format!("{base} | {{\"it\": {text}}}"),
            _ => format!("{{\"it\": 0, **{base}, **{{\"it\": {text}}}}}"),
        };
        self.holder(&made, "[\"it\"]")
    }

    fn by_update(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.fresh(TABLES), self.value(value, depth));
        let how = self.pick(&[".update({\"it\": TEXT})", ".update(it=TEXT)", " |= {\"it\": TEXT}", "[\"it\"] = TEXT"]);
        self.emit(format!("{name} = {{\"a\": 1}}\n{name}{}", how.replace("TEXT", &text)));
        Some(format!("{name}[\"it\"]"))
    }

    fn by_dict_zip(&mut self, value: &Value, depth: u32) -> Option<String> {
        let decoy = self.decoy(value);
        let list = self.value(&Value::List(vec![decoy, value.clone()]), depth);
        self.holder(&format!("dict(zip([\"a\", \"b\"], {list}))"), "[\"b\"]")
    }

    fn by_dict_items(&mut self, value: &Value, depth: u32) -> Option<String> {
        let decoy = self.decoy(value);
        let table = Value::Record(vec![("a".into(), decoy), ("b".into(), value.clone())]);
        let text = operand(&self.value(&table, depth));
        Some(match self.below(3) {
            0 => format!("list({text}.values())[1]"),
            1 => format!("list({text}.items())[-1][1]"),
            _ => format!("[*{text}.values()][1]"),
        })
    }

    fn by_element(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (decoy, at) = (self.decoy(value), self.below(3));
        let elements = (0..3).map(|index| if index == at { value.clone() } else { decoy.clone() }).collect();
        let (list, index) = (self.value(&Value::List(elements), depth), self.number(at, depth));
        Some(format!("{}[{index}]", atom(&list)))
    }

    fn by_negative(&mut self, value: &Value, depth: u32) -> Option<String> {
        let decoy = self.decoy(value);
        let list = self.value(&Value::List(vec![decoy, value.clone()]), depth);
        let access = self.pick(&["[-1]", "[1:][0]", "[::-1][0]", "[-1:][0]"]);
        Some(format!("{}{access}", atom(&list)))
    }

    fn by_next_iter(&mut self, value: &Value, depth: u32) -> Option<String> {
        let decoy = self.decoy(value);
        let list = self.value(&Value::List(vec![value.clone(), decoy]), depth);
        Some(match self.below(2) {
            0 => format!("next(iter({list}))"),
            _ => {
                let iterator = self.fresh(&["iterator", "cursor"]);
                self.emit(format!("{iterator} = iter({list})"));
                format!("next({iterator})")
            }
        })
    }

    /// A list of dicts of which one has the value under `it`, and `yes` under `key`.
    fn keyed(&mut self, value: &Value, depth: u32) -> String {
        let decoy = self.decoy(value);
        let entry =
            |key: &str, value: Value| Value::Record(vec![("key".into(), Value::text(key)), ("it".into(), value)]);
        self.still(&Value::List(vec![entry("no", decoy), entry("yes", value.clone())]), depth)
    }

    fn by_next_generator(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (list, wanted) = (self.keyed(value, depth), self.text("yes", depth));
        let wanted = self.steady(&["wanted", "target"], &wanted);
        let end = self.pick(&["", ", None"]);
        let entry = self.fresh(&["entry", "row"]);
        let body =
            format!("{entry}[\"it\"] for {entry} in {} if {entry}[\"key\"] == {}", operand(&list), operand(&wanted));
        Some(if end.is_empty() { format!("next({body})") } else { format!("next(({body}){end})") })
    }

    fn by_filtered(&mut self, value: &Value, depth: u32) -> Option<String> {
        let list = operand(&self.keyed(value, depth));
        Some(match self.below(3) {
            0 => format!("[row[\"it\"] for row in {list} if row[\"key\"] == \"yes\"][0]"),
            1 => format!("[row for row in {list} if row[\"key\"] != \"no\"][0][\"it\"]"),
            _ => format!("list(filter(lambda row: row[\"key\"] == \"yes\", {list}))[0][\"it\"]"),
        })
    }

    fn by_tuple(&mut self, value: &Value, depth: u32) -> Option<String> {
        let decoy = self.decoy(value);
        let (text, other) = (self.value(value, depth), self.value(&decoy, depth));
        Some(match self.below(3) {
            0 => format!("({}, {})[0]", operand(&text), operand(&other)),
            1 => format!("({},)[0]", operand(&text)),
            _ => format!("tuple([{other}, {text}])[1]"),
        })
    }

    fn by_namedtuple(&mut self, value: &Value, depth: u32) -> Option<String> {
        let make = self.std("collections", "namedtuple");
        let (kind, fields) = (self.fresh(&["Spec", "Row", "Pair"]), self.pick(&["[\"key\", \"it\"]", "\"key it\""]));
        let text = self.value(value, depth);
        self.emit(format!("{kind} = {make}(\"{kind}\", {fields})"));
        Some(match self.below(3) {
            0 => format!("{kind}(1, {text}).it"),
            1 => format!("{kind}(key=1, it={text})[1]"),
            _ => format!("{kind}(1, None)._replace(it={text}).it"),
        })
    }

    fn by_named_tuple_class(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (base, kind) = (self.std("typing", "NamedTuple"), self.fresh(&["Spec", "Row", "Pair"]));
        self.emit(class(&kind, &base, &["it: object".to_string(), "key: int = 0".to_string()]));
        let text = self.value(value, depth);
        Some(format!("{kind}({text}).it"))
    }

    fn by_namespace(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (space, text) = (self.std("types", "SimpleNamespace"), self.value(value, depth));
        self.holder(&format!("{space}(it={text}, other=1)"), ".it")
    }

    fn by_dataclass(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (decorator, kind) = (self.std("dataclasses", "dataclass"), self.fresh(&["Spec", "Record", "Options"]));
        let call = self.pick(&["", "()", "(frozen=True)", "(kw_only=True)"]);
        self.emit(format!("@{decorator}{call}\n{}", class(&kind, "", &["it: object".into(), "other: int = 0".into()])));
        let text = self.value(value, depth);
        Some(match (call, self.below(2)) {
            ("(kw_only=True)", _) | (_, 0) => format!("{kind}(it={text}).it"),
            _ => format!("{kind}({text}, 3).it"),
        })
    }

    fn by_dataclass_default(&mut self, value: &Value, depth: u32) -> Option<String> {
        if matches!(value, Value::List(_) | Value::Record(_)) {
            return None;
        }
        let (decorator, kind) = (self.std("dataclasses", "dataclass"), self.fresh(&["Spec", "Record", "Options"]));
        let text = self.still(value, depth);
        self.emit(format!(
            "@{decorator}\n{}",
            class(&kind, "", &["other: int = 0".into(), format!("it: object = {text}")])
        ));
        if matches!(value, Value::Handler) {
            return Some(format!("{kind}.__dict__[\"it\"]"));
        }
        Some(self.pick(&["KIND().it", "KIND(other=2).it", "KIND.it"]).replace("KIND", &kind))
    }

    fn by_default_factory(&mut self, value: &Value, depth: u32) -> Option<String> {
        let decorator = self.std("dataclasses", "dataclass");
        let (field, kind) = (self.std("dataclasses", "field"), self.fresh(&["Spec", "Record", "Options"]));
        let factory = self.fresh(&["default_it", "factory"]);
        let suite = self.returning(false, |py| py.value(value, depth));
        self.emit(def(&factory, "", &suite));
        let (factory, inside) = if self.chance(50) { (format!("lambda: {factory}()"), 0) } else { (factory, 1) };
        let _ = inside;
        self.emit(format!(
            "@{decorator}\n{}",
            class(&kind, "", &[format!("it: object = {field}(default_factory={factory})")])
        ));
        Some(format!("{kind}().it"))
    }

    fn by_enum(&mut self, value: &Value, depth: u32) -> Option<String> {
        if !matches!(value, Value::Text(_) | Value::Number(_)) {
            return None;
        }
        let base = self.std("enum", "Enum");
        let (kind, decoy) = (self.fresh(&["Tool", "Kind", "Names", "Action"]), self.decoy(value));
        let (text, other) = (self.still(value, depth), self.still(&decoy, depth));
        self.emit(class(&kind, &base, &[format!("FIRST = {other}"), format!("SECOND = {text}")]));
        Some(match self.below(5) {
            0 => format!("{kind}[\"SECOND\"].value"),
            1 => format!("list({kind})[1].value"),
            2 => format!("[member.value for member in {kind}][1]"),
            _ => format!("{kind}.SECOND.value"),
        })
    }

    fn by_str_enum(&mut self, value: &Value, depth: u32) -> Option<String> {
        value.as_text().filter(|text| !text.is_empty())?;
        let is_mixed = self.chance(40);
        let base = if is_mixed { self.std("enum", "Enum") } else { self.std("enum", "StrEnum") };
        let kind = self.fresh(&["Tool", "Kind", "Names", "Action"]);
        let text = self.still(value, depth);
        let bases = if is_mixed { format!("str, {base}") } else { base };
        self.emit(class(&kind, &bases, &["OTHER = \"no_other\"".into(), format!("SECOND = {text}")]));
        Some(match (is_mixed, self.below(3)) {
            (true, 0) | (false, 0) => format!("{kind}.SECOND.value"),
            (true, _) => format!("{kind}.SECOND.lower()").replace(".lower()", ".value"),
            (false, 1) => format!("str({kind}.SECOND)"),
            (false, _) => format!("f\"{{{kind}.SECOND}}\""),
        })
    }

    fn by_json(&mut self, value: &Value, _: u32) -> Option<String> {
        let json = value.json().to_string();
        if !value.is_data() || json.contains(['\\', '\'']) {
            return None;
        }
        let loads = self.std("json", "loads");
        Some(match self.below(3) {
            0 => format!("{loads}('{{\"it\": {json}}}')[\"it\"]"),
            1 => format!("{loads}('''{json}''')"),
            _ => format!("{loads}({})", quoted(&json, '\'')),
        })
    }

    fn by_defaultdict(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (kind, name) = (self.std("collections", "defaultdict"), self.fresh(&["groups", "buckets"]));
        let text = self.still(value, depth);
        Some(match self.below(2) {
            0 => {
                self.emit(format!("{name} = {kind}(list)\n{name}[\"a\"].append({text})"));
                format!("{name}[\"a\"][0]")
            }
            _ => {
                self.emit(format!("{name} = {kind}(lambda: {text})"));
                format!("{name}[\"anything\"]")
            }
        })
    }

    fn by_getattr(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (kind, text) = (self.fresh(&["Holder", "Box"]), self.value(value, depth));
        let key = self.text("it", depth);
        self.emit(class(&kind, "", &[]));
        Some(match self.below(3) {
            0 => {
                self.emit(format!("setattr({kind}, {key}, {text})"));
                format!("{kind}.it")
            }
            1 => {
                self.emit(format!("{kind}.it = {text}"));
                format!("getattr({kind}, {key})")
            }
            _ => format!("getattr({kind}, \"missing\", {text})"),
        })
    }

    fn by_vars(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (kind, text) = (self.fresh(&["Holder", "Box"]), self.value(value, depth));
        let init = def("__init__", "self, it", "    self.it = it");
        self.emit(class(&kind, "", &[init]));
        Some(match self.below(2) {
            0 => format!("vars({kind}({text}))[\"it\"]"),
            _ => format!("{kind}({text}).__dict__[\"it\"]"),
        })
    }

    fn by_type(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = self.value(value, depth);
        if matches!(value, Value::Handler) {
            return None;
        }
        Some(match self.below(2) {
            0 => format!("type(\"Made\", (), {{\"it\": {text}}}).it"),
            _ => format!("type(\"Made\", (object,), dict(it={text}))().it"),
        })
    }

    fn by_max(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (decoy, text) = (self.decoy(value), self.value(value, depth));
        let other = self.value(&decoy, depth);
        Some(match self.below(2) {
            0 => format!("max([(1, {}), (2, {})], key=lambda pair: pair[0])[1]", operand(&other), operand(&text)),
            _ => format!(
                "min([{{\"rank\": 0, \"it\": {text}}}, {{\"rank\": 3, \"it\": {other}}}], key=lambda row: row[\"rank\"])[\"it\"]"
            ),
        })
    }

    fn by_copy(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = self.value(value, depth);
        Some(match (self.below(3), value) {
            (0, Value::List(_) | Value::Record(_)) => format!("{}.copy()", atom(&text)),
            (1, _) => format!("{}({text})", self.std("copy", "deepcopy")),
            _ => format!("{}([{text}])[0]", self.std("copy", "copy")),
        })
    }

    fn by_chain_map(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (kind, text, decoy) = (self.std("collections", "ChainMap"), self.value(value, depth), self.decoy(value));
        let other = self.value(&decoy, depth);
        Some(format!("{kind}({{\"it\": {text}}}, {{\"it\": {other}}})[\"it\"]"))
    }

    fn by_list_pop(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy, text) = (self.fresh(&["stack", "queue"]), self.decoy(value), self.value(value, depth));
        let other = self.value(&decoy, depth);
        Some(match self.below(3) {
            0 => {
                self.emit(format!("{name} = [{other}]\n{name}.append({text})"));
                format!("{name}.pop()")
            }
            1 => {
                self.emit(format!("{name} = [{other}]\n{name}.insert(0, {text})"));
                format!("{name}.pop(0)")
            }
            _ => {
                let deque = self.std("collections", "deque");
                self.emit(format!("{name} = {deque}([{other}])\n{name}.appendleft({text})"));
                format!("{name}.popleft()")
            }
        })
    }

    fn by_sorted_element(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (decoy, text) = (self.decoy(value), self.value(value, depth));
        let other = self.value(&decoy, depth);
        let order = self.pick(&[
            "key=lambda pair: pair[0])[1]",
            "key=lambda pair: -pair[0])[0]",
            "key=lambda pair: pair[0], reverse=True)[0]",
        ]);
        Some(format!("sorted([(2, {}), (1, {})], {order}[1]", operand(&text), operand(&other)))
    }

    /// The keys of a record and its values as expressions.
    fn fields(&mut self, value: &Value, depth: u32) -> Option<Vec<(String, String)>> {
        let Value::Record(fields) = value else { return None };
        if fields.is_empty() {
            return None;
        }
        Some(fields.iter().map(|(key, value)| (key.clone(), self.value(value, depth))).collect())
    }

    /// Like `fields`, of a record whose keys can be names.
    fn named_fields(&mut self, value: &Value, depth: u32) -> Option<Vec<(String, String)>> {
        let Value::Record(fields) = value else { return None };
        let fits = |key: &String| is_identifier(key) && key != "self";
        if fields.iter().any(|(key, _)| !fits(key)) { None } else { self.fields(value, depth) }
    }

    fn record_by_assignment(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (fields, name) = (self.fields(value, depth)?, self.name_for(value));
        let empty = self.pick(&["{}", "dict()"]);
        self.emit(format!("{name} = {empty}"));
        for (key, text) in fields {
            self.emit(format!("{name}[\"{key}\"] = {text}"));
        }
        Some(name)
    }

    fn record_by_merge(&mut self, value: &Value, depth: u32) -> Option<String> {
        let Value::Record(fields) = value else { return None };
        if fields.is_empty() {
            return None;
        }
        let (start, end) = fields.split_at(self.below(fields.len()));
        let (start, end) = (Value::Record(start.to_vec()), Value::Record(end.to_vec()));
        let (start, end) = (operand(&self.value(&start, depth)), operand(&self.value(&end, depth)));
        Some(if self.chance(50) { format!("{{**{start}, **{end}}}") } else { format!("{start} | {end}") })
    }

    fn record_by_keywords(&mut self, value: &Value, depth: u32) -> Option<String> {
        let fields = self.named_fields(value, depth)?;
        let fields: Vec<String> = fields.into_iter().map(|(key, text)| format!("{key}={text}")).collect();
        Some(format!("dict({})", fields.join(", ")))
    }

    fn record_by_pairs(&mut self, value: &Value, depth: u32) -> Option<String> {
        let pairs =
            self.fields(value, depth)?.into_iter().map(|(key, text)| format!("(\"{key}\", {})", operand(&text)));
        let pairs: Vec<String> = pairs.collect();
        Some(format!("dict({})", super::list_of(pairs)))
    }

    fn record_by_comprehension(&mut self, value: &Value, depth: u32) -> Option<String> {
        let Value::Record(fields) = value else { return None };
        let mut fields = fields.clone();
        if value.field("secret").is_some() {
            return None;
        }
        fields.push(("secret".into(), Value::text("no_such")));
        let text = self.still(&Value::Record(fields), depth);
        let test = self.pick(&["key != \"secret\"", "not key.startswith(\"secr\")", "key not in {\"secret\"}"]);
        Some(format!("{{key: it for key, it in {}.items() if {test}}}", operand(&text)))
    }

    fn record_by_factory(&mut self, value: &Value, depth: u32) -> Option<String> {
        let fields = self.named_fields(value, depth)?;
        let keys: Vec<&str> = fields.iter().map(|(key, _)| key.as_str()).collect();
        let made = dict_of(keys.iter().map(|key| (format!("\"{key}\""), key.to_string())).collect());
        let params = keys.join(", ");
        let name = self.at_top(|py| {
            let name = py.fresh(&["define_tool", "make_tool", "tool_of", "describe"]);
            py.emit(def(&name, &params, &suite_of(&[format!("return {made}")])));
            name
        });
        let is_named = self.chance(50);
        let values: Vec<String> =
            fields.into_iter().map(|(key, text)| if is_named { format!("{key}={text}") } else { text }).collect();
        Some(format!("{name}({})", values.join(", ")))
    }

    fn record_by_kwargs(&mut self, value: &Value, depth: u32) -> Option<String> {
        let fields = self.named_fields(value, depth)?;
        let name = self.at_top(|py| {
            let name = py.fresh(&["spec", "options_of"]);
            py.emit(def(&name, "**kwargs", "    return kwargs"));
            name
        });
        let fields: Vec<String> = fields.into_iter().map(|(key, text)| format!("{key}={text}")).collect();
        Some(format!("{name}({})", fields.join(", ")))
    }

    fn record_by_asdict(&mut self, value: &Value, depth: u32) -> Option<String> {
        let fields = self.named_fields(value, depth)?;
        let (decorator, asdict) = (self.std("dataclasses", "dataclass"), self.std("dataclasses", "asdict"));
        let members: Vec<String> = fields.iter().map(|(key, _)| format!("{key}: object")).collect();
        let kind = self.at_top(|py| {
            let kind = py.fresh(&["ToolSpec", "Definition", "Command"]);
            py.emit(format!("@{decorator}\n{}", class(&kind, "", &members)));
            kind
        });
        let values: Vec<String> = fields.into_iter().map(|(key, text)| format!("{key}={text}")).collect();
        Some(format!("{asdict}({kind}({}))", values.join(", ")))
    }

    fn record_by_vars(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (fields, space) = (self.named_fields(value, depth)?, self.std("types", "SimpleNamespace"));
        let values: Vec<String> = fields.into_iter().map(|(key, text)| format!("{key}={text}")).collect();
        Some(format!("vars({space}({}))", values.join(", ")))
    }

    fn record_by_zip(&mut self, value: &Value, depth: u32) -> Option<String> {
        let Value::Record(fields) = value else { return None };
        let keys = fields.iter().map(|(key, _)| Value::text(key)).collect();
        let values = fields.iter().map(|(_, value)| value.clone()).collect();
        let (keys, values) = (self.value(&Value::List(keys), depth), self.value(&Value::List(values), depth));
        Some(format!("dict(zip({keys}, {values}))"))
    }

    fn record_without_key(&mut self, value: &Value, depth: u32) -> Option<String> {
        let Value::Record(fields) = value else { return None };
        let mut fields = fields.clone();
        if value.field("internal").is_some() {
            return None;
        }
        fields.push(("internal".into(), Value::Number(1)));
        let (text, name) = (self.value(&Value::Record(fields), depth), self.name_for(value));
        self.emit(format!("{name} = dict({text})"));
        let how = self.pick(&["del NAME[\"internal\"]", "NAME.pop(\"internal\")", "NAME.pop(\"internal\", None)"]);
        self.emit(how.replace("NAME", &name));
        Some(name)
    }

    fn record_by_loop(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (text, name) = (self.value(value, depth), self.name_for(value));
        self.emit(format!("{name} = {{}}\nfor key, it in {}.items():\n    {name}[key] = it", operand(&text)));
        Some(name)
    }
}
