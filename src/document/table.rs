//! TOML tables whose keys are described once, each with its meaning and the form of its values. The description is used
//! to check a table and to generate its JSON Schema.

use serde_json::{Map, Value as Json, json};

use super::typed::unknown;
use super::{Fault, Node, Value};
use crate::name::nearest;
use crate::text::Span;

/// A key of a table.
#[derive(Debug)]
pub(crate) struct Key {
    pub name: &'static str,
    /// The purpose of the key, as editors and the documentation show it.
    pub doc: &'static str,
    pub shape: Shape,
}

/// A key of a table, with the function that stores its value in a `T`. The function receives the part of the value that
/// fits the shape, and adds any further errors to the faults.
pub(crate) struct Row<T> {
    pub key: Key,
    pub store: fn(&mut T, &Node, &mut Vec<Fault>),
}

/// The form of a value.
#[derive(Debug)]
pub(crate) enum Shape {
    /// A string. The text completes a message: "expected …".
    Text(&'static str),
    /// A string that is not empty. The text completes a message: "expected …".
    Filled(&'static str),
    /// A Boolean, with the default if the key is missing.
    Flag(bool),
    /// A whole number, 0 or more.
    Count,
    /// A minimum and a maximum: `[3, 20]`.
    Bounds,
    /// One of several words, each with its meaning; the word that applies if the key is missing.
    Choice(&'static [(&'static str, &'static str)], Option<&'static str>),
    /// One of several words that need no explanation.
    OneOf(&'static [&'static str]),
    /// A list of strings, or a single string.
    Words,
    /// A list. The text completes a message: "expected …".
    List(&'static Shape, &'static str),
    Table(Fields),
    /// A word of the first shape, or a table of the second.
    WordOrTable(&'static Shape, &'static Shape),
    /// A table whose keys are checked by the function that stores it. The texts are the name of its definition in the
    /// schema, and an example for messages.
    TableOf(&'static str, &'static str),
    /// A value that is checked by the function that stores it. The text is the name of its definition in the schema.
    Defined(&'static str),
    /// A list of tables that are checked by the function that stores them. The text is the name of their definition in
    /// the schema.
    Rows(&'static str),
}

/// The keys of a table.
#[derive(Debug)]
pub(crate) struct Fields {
    pub keys: &'static [Key],
    pub required: &'static [&'static str],
    /// The shape of the values of all other keys; `None` if there are no others.
    pub others: Option<&'static Shape>,
    /// An example, for the message about a value that is not a table.
    pub example: &'static str,
}

impl<T> Row<T> {
    pub(crate) const fn new(
        name: &'static str,
        shape: Shape,
        doc: &'static str,
        store: fn(&mut T, &Node, &mut Vec<Fault>),
    ) -> Row<T> {
        Row { key: Key { name, doc, shape }, store }
    }

    /// Stores the parts of a value that fit.
    pub(crate) fn read(&self, into: &mut T, value: &Node, faults: &mut Vec<Fault>) {
        if let Some(value) = self.key.shape.fit(value, faults) {
            (self.store)(into, &value, faults);
        }
    }
}

impl Shape {
    /// Returns the shape of a table whose keys are names, all with values of one shape.
    pub(crate) const fn map(values: &'static Shape, example: &'static str) -> Shape {
        Shape::Table(Fields { keys: &[], required: &[], others: Some(values), example })
    }

    /// Returns the shape of a table with these keys and no others.
    pub(crate) const fn table(keys: &'static [Key], required: &'static [&'static str], example: &'static str) -> Shape {
        Shape::Table(Fields { keys, required, others: None, example })
    }

    /// Returns a value without the parts that do not fit; each of them is a fault at its span. `None` if the value
    /// itself does not fit, or lacks a required key.
    pub(crate) fn fit(&self, node: &Node, faults: &mut Vec<Fault>) -> Option<Node> {
        let expected = match self {
            Shape::Text(expected) => node.as_str().is_none().then(|| (*expected).to_string()),
            Shape::Filled(expected) => node.as_str().is_none_or(str::is_empty).then(|| (*expected).to_string()),
            Shape::Flag(_) => node.as_bool().is_none().then(|| "true or false".to_string()),
            Shape::Count => node.as_usize().is_none().then(|| "a whole number, 0 or more".to_string()),
            Shape::Bounds => match node.elements() {
                [least, most] if least.as_usize().is_some() && most.as_usize().is_some() => None,
                _ => Some("the minimum and the maximum: [3, 20]".to_string()),
            },
            Shape::Choice(words, _) => {
                let fits = node.as_str().is_some_and(|word| words.iter().any(|(known, _)| *known == word));
                (!fits).then(|| alternatives(words.iter().map(|(word, _)| *word)))
            }
            Shape::OneOf(words) => {
                let fits = node.as_str().is_some_and(|word| words.contains(&word));
                (!fits).then(|| alternatives(words.iter().copied()))
            }
            Shape::Words => match &node.value {
                Value::String(_) => None,
                Value::Array(elements) => return Some(fitting(&Shape::Text("a string"), elements, node.span, faults)),
                _ => Some("a list of strings".to_string()),
            },
            Shape::List(of, expected) => match &node.value {
                Value::Array(elements) => return Some(fitting(of, elements, node.span, faults)),
                _ => Some((*expected).to_string()),
            },
            Shape::Table(fields) => match node.value {
                Value::Object(_) => return fields.fit(node, faults),
                _ => Some(format!("a table: {}", fields.example)),
            },
            Shape::WordOrTable(word, table) => {
                return if matches!(node.value, Value::Object(_)) { table } else { word }.fit(node, faults);
            }
            Shape::TableOf(_, example) => {
                (!matches!(node.value, Value::Object(_))).then(|| format!("a table: {example}"))
            }
            Shape::Defined(_) | Shape::Rows(_) => None,
        };
        match expected {
            None => Some(node.clone()),
            Some(expected) => {
                faults.push(Fault { span: node.span, message: format!("expected {expected}") });
                None
            }
        }
    }

    /// Returns the JSON Schema of the shape.
    pub(crate) fn schema(&self) -> Json {
        let string = || json!({ "type": "string" });
        match self {
            Shape::Text(_) => string(),
            Shape::Filled(_) => json!({ "type": "string", "minLength": 1 }),
            Shape::Flag(default) => json!({ "type": "boolean", "default": default }),
            Shape::Count => json!({ "type": "integer", "minimum": 0 }),
            Shape::Bounds => {
                json!({ "type": "array", "items": Shape::Count.schema(), "minItems": 2, "maxItems": 2 })
            }
            Shape::Choice(words, default) => {
                let meanings = words.iter().map(|(word, meaning)| json!({ "const": word, "description": meaning }));
                let mut schema = json!({ "type": "string", "oneOf": meanings.collect::<Json>() });
                if let Some(default) = default {
                    schema["default"] = json!(default);
                }
                schema
            }
            Shape::OneOf(words) => json!({ "type": "string", "enum": words }),
            Shape::Words => json!({ "anyOf": [{ "type": "array", "items": string() }, string()] }),
            Shape::List(of, _) => json!({ "type": "array", "items": of.schema() }),
            Shape::Table(fields) => fields.schema(),
            Shape::WordOrTable(word, table) => json!({ "anyOf": [word.schema(), table.schema()] }),
            Shape::Defined(name) | Shape::TableOf(name, _) => json!({ "$ref": format!("#/definitions/{name}") }),
            Shape::Rows(name) => json!({ "type": "array", "items": { "$ref": format!("#/definitions/{name}") } }),
        }
    }
}

impl Fields {
    fn fit(&self, node: &Node, faults: &mut Vec<Fault>) -> Option<Node> {
        let names: Vec<&str> = self.keys.iter().map(|key| key.name).collect();
        let (mut kept, mut meant) = (Vec::new(), Vec::new());
        for (name, value) in node.entries() {
            let shape = self.keys.iter().find(|key| key.name == name.text).map(|key| &key.shape);
            let near = nearest(&name.text, names.iter().copied()).filter(|_| shape.is_none());
            let mut within = Vec::new();
            let fitting = shape.or(self.others).and_then(|shape| shape.fit(value, &mut within));
            // A key that looks misspelt counts as one of the other keys only if its value fits.
            if shape.is_none() && fitting.is_none() && (self.others.is_none() || near.is_some()) {
                meant.extend(near);
                faults.push(Fault { span: name.span, message: unknown("key", &name.text, &names) });
            } else {
                faults.append(&mut within);
                kept.extend(fitting.map(|value| (name.clone(), value)));
            }
        }
        for required in self.required.iter().filter(|required| node.get(required).is_none()) {
            if !meant.contains(required) {
                let message = format!("`{required}` is missing: {}", self.example);
                faults.push(Fault { span: node.span, message });
            }
        }
        let is_whole = self.required.iter().all(|required| kept.iter().any(|(name, _)| name.text == **required));
        is_whole.then_some(Node { value: Value::Object(kept), span: node.span })
    }

    fn schema(&self) -> Json {
        let others = self.others.map_or(json!(false), Shape::schema);
        let mut schema = json!({ "type": "object", "additionalProperties": others });
        if !self.keys.is_empty() {
            schema["properties"] = properties(self.keys);
        }
        if !self.required.is_empty() {
            schema["required"] = json!(self.required);
        }
        schema
    }
}

impl Key {
    /// Returns the JSON Schema of the key's value, with the purpose of the key.
    pub(crate) fn schema(&self) -> Json {
        // In this draft of JSON Schema, keywords next to a reference are ignored.
        let mut schema = match self.shape {
            Shape::Defined(_) | Shape::TableOf(..) => json!({ "allOf": [self.shape.schema()] }),
            _ => self.shape.schema(),
        };
        schema["description"] = json!(self.doc);
        schema
    }
}

/// Returns a list without the elements that do not fit.
fn fitting(of: &Shape, elements: &[Node], span: Span, faults: &mut Vec<Fault>) -> Node {
    let kept = elements.iter().filter_map(|element| of.fit(element, faults)).collect();
    Node { value: Value::Array(kept), span }
}

/// Returns the `properties` of the JSON Schema of a table.
pub(crate) fn properties<'k>(keys: impl IntoIterator<Item = &'k Key>) -> Json {
    let schemas = keys.into_iter().map(|key| (key.name.to_string(), key.schema()));
    Json::Object(schemas.collect::<Map<String, Json>>())
}

/// Returns the words of a table of choices, with their meanings.
pub(crate) const fn words<const N: usize, T>(
    choices: &'static [(&'static str, &'static str, T); N],
) -> [(&'static str, &'static str); N] {
    let mut words = [("", ""); N];
    let mut index = 0;
    while index < N {
        words[index] = (choices[index].0, choices[index].1);
        index += 1;
    }
    words
}

/// Returns words as a message lists them: `"listed", "hidden" or "none"`.
fn alternatives<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let quoted: Vec<String> = words.map(|word| format!("\"{word}\"")).collect();
    match quoted.as_slice() {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => quoted.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse_toml;

    const SIDES: Shape = Shape::Choice(&[("left", "Where the heart is."), ("right", "")], Some("left"));
    const ROW: Shape = Shape::table(
        &[
            Key { name: "title", doc: "The name.", shape: Shape::Text("a name") },
            Key { name: "side", doc: "The side.", shape: SIDES },
            Key { name: "size", doc: "The least and the greatest size.", shape: Shape::Bounds },
            Key { name: "words", doc: "Words.", shape: Shape::Words },
        ],
        &["title"],
        "{ title = \"a\" }",
    );
    const ROOT: Shape = Shape::Table(Fields {
        keys: &[Key { name: "closed", doc: "", shape: Shape::Flag(false) }],
        required: &[],
        others: Some(&ROW),
        example: "",
    });

    #[track_caller]
    fn faults(text: &str) -> Vec<(&str, String)> {
        let (node, syntax) = parse_toml(text);
        assert_eq!(syntax, []);
        let mut faults = Vec::new();
        ROOT.fit(&node, &mut faults);
        faults.into_iter().map(|fault| (&text[fault.span.range()], fault.message)).collect()
    }

    #[test]
    fn every_value_that_does_not_fit_is_a_fault_at_its_span() {
        let right = "closed = true\n[a]\ntitle = 'b'\nside = 'left'\nsize = [1, 2]\nwords = 'one'\n[c]\ntitle = 'd'\nwords = ['x', 'y']\n";
        assert_eq!(faults(right), []);
        let wrong = "closed = 1\n[a]\ntitle = 2\nside = 'lft'\nsize = [3]\nwords = ['x', 4]\n";
        let said = faults(wrong);
        let said: Vec<(&str, &str)> = said.iter().map(|(at, message)| (*at, message.as_str())).collect();
        assert_eq!(
            said,
            [
                ("1", "expected true or false"),
                ("2", "expected a name"),
                ("'lft'", "expected \"left\" or \"right\""),
                ("[3]", "expected the minimum and the maximum: [3, 20]"),
                ("4", "expected a string"),
            ]
        );
    }

    #[test]
    fn what_does_not_fit_is_not_stored_and_the_rest_is() {
        let text = "closed = 1\n[a]\ntitle = 'b'\nside = 'lft'\nwords = ['x', 4]\n[c]\nside = 'left'\n";
        let fitting = ROOT.fit(&parse_toml(text).0, &mut Vec::new()).unwrap();
        let keys = |node: &Node| node.entries().map(|(key, _)| key.text.clone()).collect::<Vec<_>>();
        assert_eq!(keys(&fitting), ["a"]);
        let a = fitting.get("a").unwrap();
        assert_eq!(keys(a), ["title", "words"]);
        assert_eq!(a.get("words").unwrap().elements().len(), 1);
    }

    #[test]
    fn a_misspelt_key_is_one_fault_and_not_a_missing_key_too() {
        assert_eq!(faults("[a]\ntitel = 'b'\n"), [("titel", "unknown key `titel`; did you mean `title`?".to_string())]);
        assert_eq!(faults("a = {}\n"), [("{}", "`title` is missing: { title = \"a\" }".to_string())]);
        assert_eq!(faults("closd = true\n"), [("closd", "unknown key `closd`; did you mean `closed`?".to_string())]);
        assert_eq!(faults("[closd]\ntitle = 'a'\n"), [], "the value shows that it is one of the others");
    }

    #[test]
    fn the_schema_has_each_key_with_its_purpose_and_its_values() {
        let schema = ROOT.schema();
        let at = |pointer: &str| schema.pointer(pointer).unwrap_or_else(|| panic!("{pointer} in {schema}")).clone();
        assert_eq!(at("/properties/closed"), json!({ "type": "boolean", "default": false, "description": "" }));
        assert_eq!(at("/additionalProperties/properties/side/description"), json!("The side."));
        assert_eq!(at("/additionalProperties/properties/side/oneOf/0/const"), json!("left"));
        assert_eq!(at("/additionalProperties/properties/side/default"), json!("left"));
        assert_eq!(at("/additionalProperties/required"), json!(["title"]));
        assert_eq!(at("/additionalProperties/additionalProperties"), json!(false));
    }
}
