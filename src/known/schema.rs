//! A tool's input schema as the rules see it, read from where it is written out: a JSON Schema in TypeScript, a dict in
//! Python, `json!` in Rust, or a shape of zod. Parts that are not written out count as open, and nothing is reported
//! about them.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::lookup::Lookup;
use crate::entry::Syntax;
use crate::found::Place;
use crate::lower::{Arg, Bound, Definition, Expr, ItemFacts, Key, Prop};
use crate::text::{FileId, Span};
use crate::workspace::Files;

/// The schema of an object. Spans are in bytes from the start of the file. Clones share the contents.
#[derive(Debug, Clone)]
pub(crate) struct ObjectSchema {
    pub(crate) file: FileId,
    /// The named type that the schema is made from, if any; several tools may use it.
    pub(crate) made_from: Option<TypeId>,
    pub(crate) form: Form,
    /// The span of the literal with its braces, or of the call.
    pub(crate) span: Span,
    /// Whether some entries come from elsewhere, so that an entry that is not listed may still exist.
    pub(crate) is_open: bool,
    /// The text of `type`; `None` if there is none.
    pub(crate) kind: Option<Known>,
    pub(crate) properties: Option<Rc<[Property]>>,
    /// The names in `required`; `None` if there is no such entry.
    pub(crate) required: Option<Rc<[(SmolStr, Span)]>>,
    /// The span of the list of these names with its brackets, if it is written out.
    pub(crate) required_list: Option<Span>,
    /// The span of a flag that `required` has instead of a list.
    pub(crate) required_flag: Option<Span>,
    pub(crate) needs: Rc<OnceCell<Needs>>,
}

/// The names in `required`, and, for each that is not a parameter, the parameter that was probably meant.
#[derive(Debug)]
pub(crate) struct Needs {
    required: FxHashSet<SmolStr>,
    /// For each name that is not a parameter, the parameter that was probably meant.
    meant: FxHashMap<SmolStr, SmolStr>,
    meanings: FxHashSet<SmolStr>,
}

/// The form in which a schema is written, which determines how something is added to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// An object literal, whose entries are the keys.
    Literal(Syntax),
    /// Calls of zod. `made` is the span of the first call, on whose result the other methods are called.
    Zod {
        made: Span,
        /// The span of the first method's name, `string`, if no other call restricts the text.
        kind: Option<Span>,
    },
    /// The type of a function's parameter.
    Parameter(Typed),
    /// The type of a field of a struct.
    Field(Typed),
}

/// The spans of a type, and of the parameter or field that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Typed {
    /// The name of the parameter or field.
    pub(crate) name: Span,
    /// The whole parameter or field, with its attributes.
    pub(crate) whole: Span,
    /// The type; `None` if there is none.
    pub(crate) annotation: Option<Span>,
    /// The name in the type that makes it a string type: `str`.
    pub(crate) base: Option<Span>,
    /// The call that restricts the type, `Field(ge=0)`.
    pub(crate) constraint: Option<Constraint>,
}

/// A call that restricts a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Constraint {
    /// The byte offset at which another keyword is inserted.
    pub(crate) end: u32,
    /// Whether the call already has an argument.
    pub(crate) has_arguments: bool,
    /// Whether the call already has a `json_schema_extra`.
    pub(crate) has_extra: bool,
}

/// One parameter of a schema.
#[derive(Debug)]
pub(crate) struct Property {
    pub(crate) name: SmolStr,
    /// The span of the name, without quotes.
    pub(crate) key: Span,
    /// The schema of the value; `None` if it is computed elsewhere.
    pub(crate) schema: Option<Value>,
}

/// The schema of a parameter's value.
#[derive(Debug)]
pub(crate) struct Value {
    pub(crate) object: ObjectSchema,
    pub(crate) description: Option<SmolStr>,
    /// The schema of a list's elements, if they are objects.
    pub(crate) items: Option<Box<ObjectSchema>>,
    /// The keys that the schema has, including `default` and `enum`.
    pub(crate) keys: Vec<SmolStr>,
    pub(crate) format: Option<SmolStr>,
    /// The default value: JSON null if it is not a literal, `None` if there is none.
    pub(crate) default: Option<serde_json::Value>,
}

/// A text that is either known or computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Known {
    Text(SmolStr),
    Computed,
}

/// The object literals and calls of an item, by their spans.
type Written<'f> = FxHashMap<Span, &'f Expr>;

/// The schemas of a workspace, each read once.
pub(crate) struct Schemas<'f> {
    pub(crate) files: &'f Files,
    written: RefCell<FxHashMap<(FileId, u32), Written<'f>>>,
    read: RefCell<FxHashMap<Place, Option<ObjectSchema>>>,
    pub(crate) types: Types,
}

impl<'f> Schemas<'f> {
    pub(crate) fn new(files: &'f Files) -> Schemas<'f> {
        Schemas { files, written: RefCell::default(), read: RefCell::default(), types: Types::default() }
    }

    /// Returns the schema at the place that a registration names, if it is written out there.
    pub(crate) fn at(&self, place: Place) -> Option<ObjectSchema> {
        if let Some(known) = self.read.borrow().get(&place) {
            return known.clone();
        }
        let schema = self.read_at(place);
        self.read.borrow_mut().insert(place, schema.clone());
        schema
    }

    fn read_at(&self, place: Place) -> Option<ObjectSchema> {
        let item = self.files.facts(place.file)?.items.get(place.item as usize)?;
        let syntax = self.files.family(place.file)?.objects();
        let reader = Reader { file: place.file, syntax, start: item.start, facts: &item.facts };
        let mut written = self.written.borrow_mut();
        let written = written.entry((place.file, place.item)).or_insert_with(|| written_in(&item.facts));
        reader.schema(written.get(&place.span).copied()?)
    }
}

impl ObjectSchema {
    /// A schema without any entry.
    pub(super) fn new(file: FileId, form: Form, span: Span) -> ObjectSchema {
        ObjectSchema {
            file,
            made_from: None,
            form,
            span,
            is_open: false,
            kind: None,
            properties: None,
            required: None,
            required_list: None,
            required_flag: None,
            needs: Rc::default(),
        }
    }

    /// Returns the parameters that are written out.
    pub(crate) fn properties(&self) -> &[Property] {
        self.properties.as_deref().unwrap_or_default()
    }

    pub(crate) fn is_required(&self, name: &str) -> bool {
        self.needs().required.contains(name)
    }

    /// Returns the parameter that a name in `required` was meant to be, if the name is not a parameter.
    pub(crate) fn meant(&self, name: &str) -> Option<&str> {
        self.needs().meant.get(name).map(SmolStr::as_str)
    }

    /// Whether some wrong name in `required` was meant to be this parameter.
    pub(crate) fn is_meant(&self, parameter: &str) -> bool {
        self.needs().meanings.contains(parameter)
    }

    /// Returns the names in `required`, resolved once for all parameters.
    fn needs(&self) -> &Needs {
        self.needs.get_or_init(|| {
            let names = Lookup::of(self.properties().iter().map(|property| property.name.as_str()));
            let required: FxHashSet<SmolStr> =
                self.required.as_deref().unwrap_or_default().iter().map(|(name, _)| name.clone()).collect();
            let unknown = required.iter().filter(|name| !names.has(name));
            let meant: FxHashMap<SmolStr, SmolStr> =
                unknown.filter_map(|name| Some((name.clone(), names.nearest(name)?.into()))).collect();
            let meanings = meant.values().cloned().collect();
            Needs { required, meant, meanings }
        })
    }

    /// Returns the place at which a missing entry is reported: the opening brace.
    pub(crate) fn brace(&self) -> Span {
        Span { start: self.span.start, end: self.span.start + 1 }
    }
}

impl Value {
    pub(crate) fn has(&self, key: &str) -> bool {
        self.object.is_open || self.keys.iter().any(|known| known == key)
    }

    /// Whether the value is of a type; `None` if its type is not written out.
    pub(crate) fn is(&self, kind: &str) -> Option<bool> {
        match &self.object.kind {
            // An integer is a number.
            Some(Known::Text(text)) => Some(text == kind || kind == "number" && text == "integer"),
            Some(Known::Computed) => None,
            // Enumerations, references and alternatives specify the type in other ways.
            None => {
                (!self.object.is_open && self.keys.iter().all(|key| PLAIN.contains(&key.as_str()))).then_some(false)
            }
        }
    }

    pub(crate) fn format(&self) -> Option<&str> {
        self.format.as_deref()
    }
}

/// Whether an entry identifies an object as a JSON Schema. Its key alone is not enough, because a parameter may be
/// called `type`, too.
fn says_schema(prop: &Prop) -> bool {
    let Prop::Pair { key: Expr::Text { text: key, .. }, value } = prop else { return false };
    match key.as_str() {
        "type" | "$schema" | "$ref" => matches!(value, Expr::Text { .. }),
        "required" => matches!(value, Expr::Array { .. }),
        "properties" => matches!(value, Expr::Object { .. } | Expr::Name { .. } | Expr::Member { .. }),
        "additionalProperties" => matches!(value, Expr::Scalar { .. } | Expr::Object { .. }),
        "allOf" | "anyOf" | "oneOf" => matches!(value, Expr::Array { .. }),
        _ => false,
    }
}

/// Keys of JSON Schema that do not specify the type of a value: in a schema with only these, the type is missing.
const PLAIN: [&str; 9] =
    ["description", "title", "default", "format", "minimum", "maximum", "minLength", "maxLength", "examples"];

fn written_in(facts: &ItemFacts) -> Written<'_> {
    let mut written = FxHashMap::default();
    facts.each_expression(&mut |expr| {
        if matches!(expr, Expr::Object { .. } | Expr::Call(_)) {
            written.insert(expr.span(facts), expr);
        }
    });
    written
}

/// The calls that make a zod schema: the first one, `z.string()`, and the methods called on it, with their arguments.
struct Made<'f> {
    kind: &'f SmolStr,
    args: &'f [Arg],
    span: Span,
    /// The span of the first method's name, if this name alone says what the call makes.
    name: Option<Span>,
    methods: Vec<(&'f SmolStr, &'f [Arg])>,
}

/// Returns the value of a literal text, number or Boolean; null for any other expression.
pub(crate) fn plain_value(expr: &Expr) -> serde_json::Value {
    match expr {
        Expr::Text { text, .. } => text.as_str().into(),
        Expr::Scalar { text, .. } => match text.as_str() {
            "True" => true.into(),
            "False" => false.into(),
            other => serde_json::from_str(other).unwrap_or_default(),
        },
        _ => serde_json::Value::Null,
    }
}

/// Methods of zod that do not restrict a text.
const SAYING_NO_MORE: [&str; 6] = ["describe", "meta", "optional", "nullable", "nullish", "default"];

/// Methods of zod, with the keys of JSON Schema that correspond to them.
const METHODS: [(&str, &str); 9] = [
    ("default", "default"),
    ("url", "format"),
    ("regex", "pattern"),
    ("min", "minimum"),
    ("gte", "minimum"),
    ("gt", "minimum"),
    ("nonnegative", "minimum"),
    ("positive", "minimum"),
    ("catchall", "additionalProperties"),
];
/// Functions of zod that wrap a schema and make it accept missing or null values.
const WRAPPING: [&str; 3] = ["optional", "nullable", "nullish"];
/// Methods after which a parameter may be left out.
const OPTIONAL: [&str; 3] = ["optional", "nullish", "default"];

struct Reader<'f> {
    file: FileId,
    syntax: Syntax,
    start: u32,
    facts: &'f ItemFacts,
}

impl<'f> Reader<'f> {
    /// Reads a JSON Schema, a shape of zod or `z.object(shape)`.
    fn schema(&self, expr: &'f Expr) -> Option<ObjectSchema> {
        match expr {
            Expr::Object { props, span } if self.is_shape(props) => Some(self.shape(props, *span, *span)),
            // An object without any key of a JSON Schema is a shape whose parts come from elsewhere.
            Expr::Object { props, .. } => props.iter().any(says_schema).then(|| self.object(expr)).flatten(),
            // `Arc::new(object(json!({…})))`
            Expr::Call(id) if self.syntax == Syntax::Json => match self.facts.call(*id).args.as_slice() {
                [Arg { value: inner @ (Expr::Object { .. } | Expr::Call(_)), .. }] => self.schema(inner),
                // A variable of the item may hold the schema.
                [Arg { value: Expr::Name { name, .. }, .. }] => {
                    let mut bound = self.facts.scopes.iter().flat_map(|scope| &scope.bindings);
                    match bound.find(|binding| binding.name == *name).map(|binding| &binding.value) {
                        Some(Bound::Value(value @ Expr::Object { .. })) => self.schema(value),
                        _ => None,
                    }
                }
                _ => None,
            },
            _ => {
                let made = self.made(expr)?;
                match (made.kind.as_str(), made.args) {
                    ("object" | "strictObject" | "looseObject", [Arg { value: Expr::Object { props, .. }, .. }]) => {
                        Some(self.shape(props, expr.span(self.facts), made.span))
                    }
                    _ => None,
                }
            }
        }
    }

    /// Whether all values of an object are schemas of zod.
    fn is_shape(&self, props: &'f [Prop]) -> bool {
        !props.is_empty()
            && props.iter().all(|prop| match prop {
                Prop::Pair { value, .. } => self.made(value).is_some(),
                Prop::Spread(_) => false,
            })
    }

    fn made(&self, expr: &'f Expr) -> Option<Made<'f>> {
        let Expr::Call(id) = expr else { return None };
        let call = self.facts.call(*id);
        let Expr::Member { object, key: Key::Field(method), span } = &call.callee else { return None };
        let is_zod = |expr: &Expr| matches!(expr, Expr::Name { name, .. } if name == "z" || name == "zod");
        // `z.coerce.number()`
        let coerced =
            matches!(&**object, Expr::Member { object, key: Key::Field(key), .. } if key == "coerce" && is_zod(object));
        if is_zod(object) || coerced {
            // `z.optional(z.string())` is the inner schema, and may be left out.
            if let (true, Some(inner)) = (WRAPPING.contains(&method.as_str()), call.args.first()) {
                let mut made = self.made(&inner.value)?;
                made.methods.push((method, &[]));
                return Some(made);
            }
            let name = Some(*span).filter(|_| !coerced);
            return Some(Made { kind: method, args: &call.args, span: call.span, name, methods: Vec::new() });
        }
        let mut made = self.made(object)?;
        made.methods.push((method, &call.args));
        Some(made)
    }

    fn shape(&self, props: &'f [Prop], span: Span, made: Span) -> ObjectSchema {
        let properties = props.iter().map(|prop| match prop {
            Prop::Pair { key: Expr::Text { text, span }, value } => {
                Some(Property { name: text.clone(), key: span.shifted(self.start), schema: self.zod(value) })
            }
            _ => None,
        });
        let properties: Option<Rc<[Property]>> = properties.collect();
        let needed = props.iter().filter_map(|prop| match prop {
            Prop::Pair { key: Expr::Text { text, span }, value } => {
                let optional = self
                    .made(value)
                    .is_none_or(|made| made.methods.iter().any(|(method, _)| OPTIONAL.contains(&method.as_str())));
                (!optional).then(|| (text.clone(), span.shifted(self.start)))
            }
            _ => None,
        });
        let form = Form::Zod { made: made.shifted(self.start), kind: None };
        ObjectSchema {
            is_open: properties.is_none(),
            kind: Some(Known::Text("object".into())),
            required: Some(needed.collect()),
            properties,
            ..ObjectSchema::new(self.file, form, span.shifted(self.start))
        }
    }

    /// Reads the zod schema of one parameter.
    fn zod(&self, expr: &'f Expr) -> Option<Value> {
        let made = self.made(expr)?;
        let has = |name: &str| made.methods.iter().any(|(method, _)| *method == name);
        let kind = match made.kind.as_str() {
            "string" | "number" | "boolean" | "object" => Some(Known::Text(made.kind.clone())),
            "int" | "int32" | "uint32" | "int64" | "uint64" | "float32" | "float64" => {
                Some(Known::Text("number".into()))
            }
            "url" | "httpUrl" => Some(Known::Text("string".into())),
            _ => Some(Known::Computed),
        };
        let mut keys: Vec<SmolStr> = Vec::new();
        for (method, key) in METHODS {
            if has(method) {
                keys.push(key.into());
            }
        }
        if matches!(made.kind.as_str(), "url" | "httpUrl") {
            keys.push("format".into());
        }
        if made.kind.starts_with("uint") {
            keys.push("minimum".into());
        }
        let shape = match (made.kind.as_str(), made.args) {
            ("object", [Arg { value: Expr::Object { props, .. }, .. }]) => {
                keys.push("properties".into());
                Some(self.shape(props, expr.span(self.facts), made.span))
            }
            ("object", _) => {
                keys.push("properties".into());
                None
            }
            _ => None,
        };
        let says_no_more = |(method, _): &(&SmolStr, &[Arg])| SAYING_NO_MORE.contains(&method.as_str());
        let is_plain = made.kind == "string" && made.args.is_empty() && made.methods.iter().all(says_no_more);
        let plain = made.name.filter(|_| is_plain).map(|name| name.shifted(self.start));
        let default = made.methods.iter().find(|(method, _)| *method == "default");
        let default =
            default.map(|(_, args)| args.first().map_or(serde_json::Value::Null, |arg| plain_value(&arg.value)));
        let described = made.methods.iter().find(|(method, _)| *method == "describe");
        let description = described.and_then(|(_, args)| match args {
            [Arg { value: Expr::Text { text, .. }, .. }] => Some(text.clone()),
            _ => None,
        });
        let form = Form::Zod { made: made.span.shifted(self.start), kind: plain };
        let span = expr.span(self.facts).shifted(self.start);
        let object = shape.unwrap_or(ObjectSchema { kind, ..ObjectSchema::new(self.file, form, span) });
        let items = match (made.kind.as_str(), made.args) {
            ("array", [Arg { value, .. }]) => self.schema(value).map(Box::new),
            _ => None,
        };
        let format = (has("url") || matches!(made.kind.as_str(), "url" | "httpUrl")).then(|| "uri".into());
        Some(Value { object, description, items, keys, format, default })
    }

    fn object(&self, expr: &Expr) -> Option<ObjectSchema> {
        let Expr::Object { props, span } = expr else { return None };
        let mut schema = ObjectSchema::new(self.file, Form::Literal(self.syntax), span.shifted(self.start));
        for prop in props {
            let Prop::Pair { key: Expr::Text { text: key, .. }, value } = prop else {
                schema.is_open = true;
                continue;
            };
            match (key.as_str(), value) {
                ("type", Expr::Text { text, .. }) => schema.kind = Some(Known::Text(text.clone())),
                ("type", _) => schema.kind = Some(Known::Computed),
                ("properties", Expr::Object { props, .. }) => schema.properties = self.properties(props),
                ("required", Expr::Array { elements, span }) => {
                    schema.required_list = Some(span.shifted(self.start));
                    let names = elements.iter().map(|element| match element {
                        Expr::Text { text, span } => Some((text.clone(), span.shifted(self.start))),
                        _ => None,
                    });
                    schema.required = names.collect();
                    schema.is_open |= schema.required.is_none();
                }
                // Draft 3 of JSON Schema had such a flag in each property.
                ("required", Expr::Scalar { span, .. }) => schema.required_flag = Some(span.shifted(self.start)),
                ("properties" | "required" | "$ref" | "allOf" | "anyOf" | "oneOf", _) => schema.is_open = true,
                _ => {}
            }
        }
        Some(schema)
    }

    /// Reads the parameters; `None` if some of them come from elsewhere.
    fn properties(&self, props: &[Prop]) -> Option<Rc<[Property]>> {
        let one = |prop: &Prop| match prop {
            Prop::Pair { key: Expr::Text { text, span }, value } => {
                Some(Property { name: text.clone(), key: span.shifted(self.start), schema: self.value(value) })
            }
            _ => None,
        };
        props.iter().map(one).collect()
    }

    fn value(&self, expr: &Expr) -> Option<Value> {
        let object = self.object(expr)?;
        let Expr::Object { props, .. } = expr else { return None };
        let pairs = props.iter().filter_map(|prop| match prop {
            Prop::Pair { key: Expr::Text { text, .. }, value } => Some((text, value)),
            _ => None,
        });
        let text = |wanted: &str| {
            let mut pairs = pairs.clone();
            pairs.find_map(|(key, value)| match value {
                Expr::Text { text, .. } if key == wanted => Some(text.clone()),
                _ => None,
            })
        };
        let items = pairs.clone().find(|(key, _)| *key == "items").map(|(_, items)| items);
        let is_object = |items: &&Expr| {
            matches!(items, Expr::Object { props, .. } if props.iter().any(|prop| matches!(prop,
                Prop::Pair { key: Expr::Text { text: key, .. }, value: Expr::Text { text, .. } } if key == "type" && text == "object")))
        };
        Some(Value {
            object,
            items: items.filter(is_object).and_then(|items| self.object(items)).map(Box::new),
            description: text("description"),
            format: text("format"),
            default: pairs.clone().find(|(key, _)| *key == "default").map(|(_, value)| plain_value(value)),
            keys: pairs.clone().map(|(key, _)| key.clone()).collect(),
        })
    }
}

/// The schemas that were made from the project's own types. Many tools may have parameters of the same type.
#[derive(Default)]
pub(crate) struct Types {
    pub(crate) made: RefCell<FxHashMap<(*const Definition, usize), ObjectSchema>>,
}

/// The number of a type of the project, in the order in which types are read; a type that is read at two depths has two
/// numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct TypeId(pub(crate) usize);
