//! Objects, maps and sets that hold a value, and the ways to build a record.

use super::{Form, Js, Value, atom, member, object_of, quoted};

pub(super) const FORMS: &[Form] = &[
    ("object member", Js::by_member),
    ("nested object", Js::by_nested_member),
    ("computed key", Js::by_computed_key),
    ("optional chaining", Js::by_optional),
    ("getter in object", Js::by_getter),
    ("setter in object", Js::by_setter),
    ("Object.defineProperty", Js::by_define_property),
    ("frozen enum", Js::by_enum),
    ("Object.assign", Js::by_assign),
    ("object spread", Js::by_object_spread),
    ("Object.fromEntries", Js::by_from_entries),
    ("Object.values", Js::by_object_values),
    ("Object.entries", Js::by_object_entries),
    ("Map.get", Js::by_map),
    ("Map of Map", Js::by_map_of_map),
    ("Set iterator", Js::by_set),
    ("method with this", Js::by_method),
    ("array element", Js::by_element),
    ("array at", Js::by_at),
    ("find", Js::by_find),
    ("findLast and findIndex", Js::by_find_index),
    ("pop and shift", Js::by_pop),
    ("JSON.parse", Js::by_json_parse),
    ("structuredClone", Js::by_clone),
    ("symbol key", Js::by_symbol_key),
    ("dictionary assignment", Js::by_dictionary),
    ("delete", Js::by_delete),
    ("prototype", Js::by_prototype),
    ("Reflect", Js::by_reflect),
];

pub(super) const RECORDS: &[Form] = &[
    ("record by assignment", Js::record_by_assignment),
    ("record by spread", Js::record_by_spread),
    ("record by Object.assign", Js::record_by_assign),
    ("record by factory", Js::record_by_factory),
    ("record by entries", Js::record_by_entries),
    ("record with shorthand", Js::record_by_shorthand),
    ("record by class", Js::record_by_class),
    ("record by builder", Js::record_by_builder),
    ("record by computed keys", Js::record_by_computed),
    ("record by filtered entries", Js::record_by_filter),
    ("record by reduce", Js::record_by_reduce),
    ("record without a field", Js::record_without_field),
];

const OBJECTS: &[&str] = &["settings", "names", "constants", "registry", "holder", "table", "config"];

impl Js {
    fn by_member(&mut self, value: &Value, depth: u32) -> Option<String> {
        let decoy = self.decoy(value);
        let object = Value::Record(vec![("first".into(), decoy), ("second".into(), value.clone())]);
        let text = self.value(&object, depth);
        self.somewhere_named(OBJECTS, &text, ".second")
    }

    /// The member of a new variable, or of the expression itself.
    fn somewhere_named(&mut self, bases: &[&str], text: &str, access: &str) -> Option<String> {
        if self.chance(60) {
            let name = self.fresh(bases);
            self.emit(format!("const {name} = {text};"));
            return Some(format!("{name}{access}"));
        }
        Some(format!("{}{access}", atom(text)))
    }

    fn by_nested_member(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = self.value(value, depth);
        let object = object_of(vec![("api".into(), format!("{{ names: {{ inner: {text} }} }}"))]);
        let access = self.pick(&[".api.names.inner", ".api[\"names\"].inner", "[\"api\"].names[\"inner\"]"]);
        self.somewhere_named(OBJECTS, &object, access)
    }

    fn by_computed_key(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(OBJECTS);
        let (key, again) = (self.text("the_key", depth), self.text("the_key", depth));
        let text = self.value(value, depth);
        self.emit(format!("const {name} = {{ [{key}]: {text} }};"));
        Some(format!("{name}[{again}]"))
    }

    fn by_optional(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(OBJECTS);
        let text = self.value(value, depth);
        Some(match self.below(5) {
            0 => {
                self.emit(format!("const {name} = {{ inner: {{ it: {text} }} }};"));
                format!("{name}?.inner?.it")
            }
            1 => {
                let text = paren_object(&self.name_it(&text));
                self.emit(format!("const {name} = {{ get: () => {text} }};"));
                format!("{name}.get?.()")
            }
            2 => {
                self.emit(format!("const {name} = {{ list: [{text}] }};"));
                format!("{name}?.list?.[0]")
            }
            3 => {
                self.emit(format!("const {name} = {{}};"));
                format!("{name}.missing?.deep.er ?? {}", super::operand(&text))
            }
            _ => {
                self.emit(format!("const {name} = {{ other: 1 }};"));
                format!("{name}.absent?.() ?? {}", super::operand(&text))
            }
        })
    }

    fn by_getter(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(OBJECTS);
        let body = self.returning(false, |js| js.value(value, depth)).replace('\n', "\n  ");
        self.emit(format!("const {name} = {{\n  get current() {body},\n}};"));
        Some(format!("{name}.current"))
    }

    fn by_setter(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(OBJECTS);
        let text = self.value(value, depth);
        self.emit(format!(
            "const {name} = {{\n  kept: null,\n  set current(value) {{\n    this.kept = value;\n  }},\n}};\n{name}.current = {text};"
        ));
        Some(format!("{name}.kept"))
    }

    fn by_define_property(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(OBJECTS);
        if self.chance(50) {
            let text = self.value(value, depth);
            let more = self.pick(&["", ", enumerable: true", ", writable: false"]);
            self.emit(format!(
                "const {name} = {{}};\nObject.defineProperty({name}, \"hidden\", {{ value: {text}{more} }});"
            ));
        } else {
            let arrow = self.arrow("", |js| js.value(value, depth));
            self.emit(format!("const {name} = {{}};\nObject.defineProperty({name}, \"hidden\", {{ get: {arrow} }});"));
        }
        Some(format!("{name}.hidden"))
    }

    fn by_enum(&mut self, value: &Value, depth: u32) -> Option<String> {
        self.at_top(|js| {
            let name = js.fresh(&["Tools", "Names", "Kind", "Action", "Keys"]);
            let decoy = js.decoy(value);
            let object = Value::Record(vec![("FIRST".into(), decoy), ("SECOND".into(), value.clone())]);
            let text = js.value(&object, depth);
            js.emit(format!("const {name} = Object.freeze({text});"));
            Some(format!("{name}.SECOND"))
        })
    }

    fn by_assign(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (text, decoy) = (self.value(value, depth), self.decoy(value));
        let other = self.value(&decoy, depth);
        let call = format!("Object.assign({{}}, {{ a: 1, it: {other} }}, {{ it: {text} }})");
        self.somewhere_named(OBJECTS, &call, ".it")
    }

    fn by_object_spread(&mut self, value: &Value, depth: u32) -> Option<String> {
        let base = self.fresh(&["base", "defaults", "common"]);
        let (text, decoy) = (self.value(value, depth), self.decoy(value));
        let other = self.value(&decoy, depth);
        if self.chance(50) {
            self.emit(format!("const {base} = {{ it: {other}, a: 1 }};"));
            return self.somewhere_named(OBJECTS, &format!("{{ ...{base}, it: {text} }}"), ".it");
        }
        self.emit(format!("const {base} = {{ it: {text}, a: 1 }};"));
        self.somewhere_named(OBJECTS, &format!("{{ it: {other}, ...{base}, ...null }}"), ".it")
    }

    fn by_from_entries(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = self.value(value, depth);
        let entries = match self.below(3) {
            0 => format!("[[\"a\", 0], [\"it\", {text}]]"),
            1 => format!("new Map([[\"it\", {text}]])"),
            _ => format!("[\"it\"].map((key) => [key, {}])", self.name_it(&text)),
        };
        self.somewhere_named(OBJECTS, &format!("Object.fromEntries({entries})"), ".it")
    }

    /// An expression without `await`, for the body of an arrow function; it may be a variable.
    fn name_it(&mut self, text: &str) -> String {
        if !text.contains("await") {
            return text.to_string();
        }
        self.named(&["ready", "done", "loaded"], text)
    }

    fn by_object_values(&mut self, value: &Value, depth: u32) -> Option<String> {
        let decoy = self.decoy(value);
        let object = Value::Record(vec![("a".into(), decoy), ("b".into(), value.clone())]);
        let text = self.value(&object, depth);
        Some(format!("Object.values({text})[1]"))
    }

    fn by_object_entries(&mut self, value: &Value, depth: u32) -> Option<String> {
        let decoy = self.decoy(value);
        let object = Value::Record(vec![("a".into(), value.clone()), ("b".into(), decoy)]);
        let text = self.value(&object, depth);
        Some(match self.below(2) {
            0 => format!("Object.entries({text})[0][1]"),
            _ => format!("Object.entries({text}).find(([key]) => key === \"a\")[1]"),
        })
    }

    fn by_map(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(&["map", "byKey", "lookup", "cache"]);
        let (text, decoy) = (self.value(value, depth), self.decoy(value));
        let other = self.value(&decoy, depth);
        match self.below(3) {
            0 => self.emit(format!("const {name} = new Map([[\"a\", {other}], [\"it\", {text}]]);")),
            1 => self.emit(format!("const {name} = new Map();\n{name}.set(\"a\", {other}).set(\"it\", {text});")),
            _ => self.emit(format!(
                "const {name} = new Map([[\"it\", {other}]]);\n{name}.delete(\"it\");\n{name}.set(\"it\", {text});"
            )),
        }
        Some(format!("{name}.get(\"it\")"))
    }

    fn by_map_of_map(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = self.value(value, depth);
        let name = self.fresh(&["groups", "index", "tree"]);
        self.emit(format!("const {name} = new Map([[\"outer\", new Map([[\"inner\", {text}]])]]);"));
        Some(format!("{name}.get(\"outer\").get(\"inner\")"))
    }

    fn by_set(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = self.value(value, depth);
        let name = self.fresh(&["set", "unique", "seen"]);
        self.emit(format!("const {name} = new Set([{text}]);"));
        Some(match self.below(3) {
            0 => format!("[...{name}][0]"),
            1 => format!("{name}.values().next().value"),
            _ => format!("Array.from({name})[0]"),
        })
    }

    fn by_method(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(&["service", "client", "helper"]);
        let text = self.value(value, depth);
        self.emit(format!(
            "const {name} = {{\n  it: {},\n  read() {{\n    return this.it;\n  }},\n}};",
            indented(&text)
        ));
        Some(format!("{name}.read()"))
    }

    fn by_element(&mut self, value: &Value, depth: u32) -> Option<String> {
        let decoy = self.decoy(value);
        let at = self.below(3);
        let elements = (0..3).map(|index| if index == at { value.clone() } else { decoy.clone() }).collect();
        let (list, index) = (self.value(&Value::List(elements), depth), self.number(at, depth));
        Some(format!("{}[{index}]", atom(&list)))
    }

    fn by_at(&mut self, value: &Value, depth: u32) -> Option<String> {
        let decoy = self.decoy(value);
        let list = self.value(&Value::List(vec![decoy, value.clone()]), depth);
        let index = self.pick(&["-1", "1"]);
        Some(format!("{}.at({index})", atom(&list)))
    }

    fn by_find(&mut self, value: &Value, depth: u32) -> Option<String> {
        let decoy = self.decoy(value);
        let entry =
            |key: &str, value: Value| Value::Record(vec![("key".into(), Value::text(key)), ("it".into(), value)]);
        let list = Value::List(vec![entry("no", decoy), entry("yes", value.clone())]);
        let (list, key) = (self.value(&list, depth), self.text("yes", depth));
        let (key, param) = (self.steady(&["wanted", "target"], &key), self.fresh(&["entry", "candidate", "it"]));
        let (list, key) = (atom(&list), super::operand(&key));
        Some(match self.below(2) {
            0 => format!("{list}.find(({param}) => {param}.key === {key}).it"),
            _ => format!("{list}.find(({{ key: {param} }}) => {param} === {key}).it"),
        })
    }

    fn by_find_index(&mut self, value: &Value, depth: u32) -> Option<String> {
        let decoy = self.decoy(value);
        let entry =
            |key: &str, value: Value| Value::Record(vec![("key".into(), Value::text(key)), ("it".into(), value)]);
        let list = Value::List(vec![entry("no", decoy.clone()), entry("yes", value.clone()), entry("no", decoy)]);
        let list = self.value(&list, depth);
        let name = self.named(&["entries", "rows"], &list);
        Some(match self.below(3) {
            0 => format!("{name}[{name}.findIndex((entry) => entry.key === \"yes\")].it"),
            1 => format!("{name}.findLast((entry) => entry.key === \"yes\").it"),
            _ => format!("{name}.filter((entry) => entry.key === \"yes\")[0].it"),
        })
    }

    fn by_pop(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (text, decoy) = (self.value(value, depth), self.decoy(value));
        let other = self.value(&decoy, depth);
        let name = self.fresh(&["stack", "queue"]);
        match self.below(3) {
            0 => {
                self.emit(format!("const {name} = [{other}];\n{name}.push({text});"));
                Some(format!("{name}.pop()"))
            }
            1 => {
                self.emit(format!("const {name} = [{other}];\n{name}.unshift({text});"));
                Some(format!("{name}.shift()"))
            }
            _ => Some(format!("[{text}].pop()")),
        }
    }

    fn by_json_parse(&mut self, value: &Value, depth: u32) -> Option<String> {
        if !value.is_data() {
            return None;
        }
        let json = value.json().to_string();
        let text = if self.chance(30) { format!("`{json}`") } else { quoted(&json, '\'') };
        if json.contains('\\') || json.contains('\'') {
            return None;
        }
        let _ = depth;
        Some(match self.below(3) {
            0 => format!("JSON.parse('{{\"it\": {json}}}').it"),
            _ => format!("JSON.parse({text})"),
        })
    }

    fn by_clone(&mut self, value: &Value, depth: u32) -> Option<String> {
        if !value.is_data() {
            return None;
        }
        let text = self.value(value, depth);
        // A list or record may hold what has more than data only if its value says so.
        Some(match self.below(2) {
            0 => format!("JSON.parse(JSON.stringify({text}))"),
            _ => format!("structuredClone({{ it: {text} }}).it"),
        })
    }

    fn by_symbol_key(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (symbol, name) = (self.fresh(&["KEY", "meta", "tag"]), self.fresh(OBJECTS));
        let text = self.value(value, depth);
        let made = self.pick(&["Symbol(\"meta\")", "Symbol.for(\"meta\")"]);
        self.emit(format!("const {symbol} = {made};\nconst {name} = {{ [{symbol}]: {text} }};"));
        Some(format!("{name}[{symbol}]"))
    }

    fn by_dictionary(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(OBJECTS);
        let text = self.value(value, depth);
        let made = self.pick(&["{}", "{}", "Object.create(null)"]);
        let write = self.pick(&[".it", "[\"it\"]"]);
        self.emit(format!("const {name} = {made};\n{name}{write} = {text};"));
        Some(format!("{name}.it"))
    }

    fn by_delete(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(OBJECTS);
        let (text, decoy) = (self.value(value, depth), self.decoy(value));
        let other = self.value(&decoy, depth);
        self.emit(format!("const {name} = {{ extra: {other}, it: {text} }};\ndelete {name}.extra;"));
        Some(match self.below(2) {
            0 => format!("Object.values({name})[0]"),
            _ => format!("({name}.extra ?? {name}.it)"),
        })
    }

    fn by_prototype(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(OBJECTS);
        let text = self.value(value, depth);
        match self.below(2) {
            0 => self.emit(format!("const {name} = Object.create({{ it: {text} }});")),
            _ => self.emit(format!("const {name} = {{ own: 1 }};\nObject.setPrototypeOf({name}, {{ it: {text} }});")),
        }
        Some(format!("{name}.it"))
    }

    fn by_reflect(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = self.value(value, depth);
        Some(match self.below(2) {
            0 => format!("Reflect.get({{ it: {text} }}, \"it\")"),
            _ => format!("Object.getOwnPropertyDescriptor({{ it: {text} }}, \"it\").value"),
        })
    }

    /// The fields of a record as written, with their values as expressions.
    fn fields(&mut self, value: &Value, depth: u32) -> Option<Vec<(String, String)>> {
        let Value::Record(fields) = value else { return None };
        if fields.is_empty() {
            return None;
        }
        Some(fields.iter().map(|(key, value)| (key.clone(), self.value(value, depth))).collect())
    }

    fn record_by_assignment(&mut self, value: &Value, depth: u32) -> Option<String> {
        let fields = self.fields(value, depth)?;
        let name = self.name_for(value);
        self.emit(format!("const {name} = {{}};"));
        for (key, text) in fields {
            self.emit(format!("{} = {text};", member(&name, &key)));
        }
        Some(name)
    }

    fn record_by_spread(&mut self, value: &Value, depth: u32) -> Option<String> {
        let Value::Record(fields) = value else { return None };
        if fields.is_empty() {
            return None;
        }
        let (start, end) = fields.split_at(self.below(fields.len()));
        let (start, end) = (Value::Record(start.to_vec()), Value::Record(end.to_vec()));
        let (start, end) = (self.value(&start, depth), self.value(&end, depth));
        Some(format!("{{ ...{}, ...{} }}", atom(&start), atom(&end)))
    }

    fn record_by_assign(&mut self, value: &Value, depth: u32) -> Option<String> {
        let Value::Record(fields) = value else { return None };
        if fields.is_empty() {
            return None;
        }
        let (start, end) = fields.split_at(self.below(fields.len()));
        let (start, end) = (Value::Record(start.to_vec()), Value::Record(end.to_vec()));
        let (start, end) = (self.value(&start, depth), self.value(&end, depth));
        Some(format!("Object.assign({{}}, {start}, {end})"))
    }

    fn record_by_factory(&mut self, value: &Value, depth: u32) -> Option<String> {
        let fields = self.fields(value, depth)?;
        if fields.len() > 4 || fields.iter().any(|(key, _)| !super::is_identifier(key)) {
            return None;
        }
        let keys: Vec<&str> = fields.iter().map(|(key, _)| key.as_str()).collect();
        let keys = keys.join(", ");
        let name = self.at_top(|js| {
            let name = js.fresh(&["defineTool", "makeTool", "toolOf", "describe"]);
            match js.below(3) {
                0 => js.emit(format!("function {name}({keys}) {{\n  return {{ {keys} }};\n}}")),
                1 => js.emit(format!("const {name} = ({keys}) => ({{ {keys} }});")),
                _ => {
                    js.emit(format!("const {name} = ({keys}) => {{\n  const made = {{ {keys} }};\n  return made;\n}};"))
                }
            }
            name
        });
        let values: Vec<String> = fields.into_iter().map(|(_, text)| text).collect();
        Some(format!("{name}({})", values.join(", ")))
    }

    fn record_by_entries(&mut self, value: &Value, depth: u32) -> Option<String> {
        let fields = self.fields(value, depth)?;
        let entries: Vec<String> = fields.iter().map(|(key, text)| format!("[\"{key}\", {text}]")).collect();
        Some(format!("Object.fromEntries({})", super::list_of(entries)))
    }

    fn record_by_shorthand(&mut self, value: &Value, depth: u32) -> Option<String> {
        let fields = self.fields(value, depth)?;
        let mut written = Vec::new();
        for (key, text) in fields {
            if super::is_identifier(&key) && self.core.fresh(&key) == key {
                self.emit(format!("const {key} = {text};"));
                written.push((key.clone(), key));
            } else {
                let key = if super::is_identifier(&key) { key } else { self.literal_key(&key) };
                written.push((key, text));
            }
        }
        Some(object_of(written))
    }

    fn record_by_class(&mut self, value: &Value, depth: u32) -> Option<String> {
        let fields = self.fields(value, depth)?;
        if fields.iter().any(|(key, _)| !super::is_identifier(key)) {
            return None;
        }
        let keys: Vec<&str> = fields.iter().map(|(key, _)| key.as_str()).collect();
        let stores: Vec<String> = keys.iter().map(|key| format!("    this.{key} = {key};")).collect();
        let (keys, stores) = (keys.join(", "), stores.join("\n"));
        let name = self.at_top(|js| {
            let name = js.fresh(&["Tool", "Definition", "Command", "Spec"]);
            js.emit(format!("class {name} {{\n  constructor({keys}) {{\n{stores}\n  }}\n}}"));
            name
        });
        let values: Vec<String> = fields.into_iter().map(|(_, text)| text).collect();
        Some(format!("new {name}({})", values.join(", ")))
    }

    fn record_by_builder(&mut self, value: &Value, depth: u32) -> Option<String> {
        let fields = self.fields(value, depth)?;
        let name = self.at_top(|js| {
            let name = js.fresh(&["Builder", "ToolBuilder"]);
            js.emit(format!(
                "class {name} {{\n  #made = {{}};\n  with(key, value) {{\n    this.#made[key] = value;\n    return this;\n  }}\n  build() {{\n    return {{ ...this.#made }};\n  }}\n}}"
            ));
            name
        });
        let steps: Vec<String> = fields.iter().map(|(key, text)| format!(".with(\"{key}\", {text})")).collect();
        Some(format!("new {name}(){}.build()", steps.concat()))
    }

    fn record_by_computed(&mut self, value: &Value, depth: u32) -> Option<String> {
        let Value::Record(fields) = value else { return None };
        let mut written = Vec::new();
        for (key, value) in fields.clone() {
            let key = format!("[{}]", self.text(&key, depth));
            written.push((key, self.value(&value, depth)));
        }
        Some(object_of(written))
    }

    fn record_by_filter(&mut self, value: &Value, depth: u32) -> Option<String> {
        let Value::Record(fields) = value else { return None };
        let mut fields = fields.clone();
        if value.field("secret").is_some() {
            return None;
        }
        fields.insert(0, ("secret".into(), Value::text("no_such")));
        let text = self.value(&Value::Record(fields), depth);
        Some(format!("Object.fromEntries(Object.entries({text}).filter(([key]) => key !== \"secret\"))"))
    }

    fn record_by_reduce(&mut self, value: &Value, depth: u32) -> Option<String> {
        let fields = self.fields(value, depth)?;
        let entries: Vec<String> = fields.iter().map(|(key, text)| format!("[\"{key}\", {text}]")).collect();
        let entries = super::list_of(entries);
        Some(format!("{entries}.reduce((made, [key, value]) => ({{ ...made, [key]: value }}), {{}})"))
    }

    fn record_without_field(&mut self, value: &Value, depth: u32) -> Option<String> {
        let Value::Record(fields) = value else { return None };
        let mut fields = fields.clone();
        if value.field("internal").is_some() {
            return None;
        }
        fields.push(("internal".into(), Value::Number(1)));
        let text = self.value(&Value::Record(fields), depth);
        let (internal, rest) = (self.fresh(&["internal", "dropped"]), self.fresh(&["visible", "rest", "kept"]));
        self.emit(format!("const {{ internal: {internal}, ...{rest} }} = {text};"));
        Some(rest)
    }
}

/// An object as the body of an arrow function.
fn paren_object(text: &str) -> String {
    if text.starts_with('{') { format!("({text})") } else { text.to_string() }
}

fn indented(text: &str) -> String {
    text.replace('\n', "\n  ")
}
