//! A tool's input schema as the rules see it, read from where it is written out: a JSON Schema in TypeScript, a dict in
//! Python, `json!` in Rust, or a shape of zod. Parts that are not written out count as open, and nothing is reported
//! about them.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::lookup::Lookup;
use super::{functions, values};
use crate::entry::Syntax;
use crate::found::Place;
use crate::lower::{Arg, Definition, Expr, ItemFacts, Key, Prop};
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
    /// The span of this text inside its quotes, if it is a literal.
    pub(crate) kind_at: Option<Span>,
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

/// One parameter of a schema. Clones share the schema.
#[derive(Debug, Clone)]
pub(crate) struct Property {
    pub(crate) name: SmolStr,
    /// The file in which the parameter is written: a constant that several schemas share may be elsewhere.
    pub(crate) file: FileId,
    /// The span of the name, without quotes, or of the constant that is the parameter's schema.
    pub(crate) key: Span,
    /// The schema of the value; `None` if it is computed elsewhere.
    pub(crate) schema: Option<Rc<Value>>,
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
    /// The span of the default value, inside any quotes.
    pub(crate) default_at: Option<Span>,
    /// The values of `enum`, if all of them are literals.
    pub(crate) options: Option<Vec<serde_json::Value>>,
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
        let (files, file, facts) = (self.files, place.file, &item.facts);
        let reader = Reader { files, file, item: place.item, syntax, start: item.start, facts, depth: 0 };
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
            kind_at: None,
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

/// Whether an expression is the module of zod.
fn is_zod_module(expr: &Expr) -> bool {
    matches!(expr, Expr::Name { name, .. } if name == "z" || name == "zod")
}

/// Keeps the last of several elements with one name: a later parameter replaces the one of a spread.
fn keep_last<T>(all: &mut Vec<T>, name: impl Fn(&T) -> &SmolStr) {
    let mut seen: FxHashSet<SmolStr> = FxHashSet::default();
    all.reverse();
    all.retain(|one| seen.insert(name(one).clone()));
    all.reverse();
}

/// Returns a text that is written out, whether or not it has escapes.
fn whole_text(expr: &Expr) -> Option<SmolStr> {
    match expr {
        Expr::Text { text, .. } => Some(text.clone()),
        Expr::Concat { parts, .. } => {
            let parts: Option<Vec<SmolStr>> = parts.iter().map(whole_text).collect();
            Some(parts?.concat().into())
        }
        _ => None,
    }
}

/// Returns the values of a list of literals; `None` if one of them is not a literal.
fn options_of(list: &Expr) -> Option<Vec<serde_json::Value>> {
    let Expr::Array { elements, .. } = list else { return None };
    let is_literal = |element: &&Expr| matches!(element, Expr::Text { .. } | Expr::Scalar { .. });
    elements.iter().map(|element| Some(element).filter(is_literal).map(plain_value)).collect()
}

/// Whether a schema of zod accepts every value.
fn is_anything(made: &Made<'_>) -> bool {
    matches!(made.kind.as_str(), "any" | "unknown")
}

/// Functions of zod that make the schema of an object with a shape.
const OBJECTS: [&str; 3] = ["object", "strictObject", "looseObject"];

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
    files: &'f Files,
    file: FileId,
    item: u32,
    syntax: Syntax,
    start: u32,
    facts: &'f ItemFacts,
    /// The number of constants that were followed to get here.
    depth: usize,
}

/// The maximum number of constants that are followed, one inside the other.
const MOST_CONSTANTS: usize = 4;

impl<'f> Reader<'f> {
    /// Returns the value of an expression and a reader for its item, if the expression is the name of a constant.
    fn constant(&self, expr: &Expr) -> Option<(Reader<'f>, &'f Expr)> {
        let Expr::Name { name, .. } = expr else { return None };
        if self.depth == MOST_CONSTANTS {
            return None;
        }
        let values::Found { file, item, start, facts, expr } = values::named(self.files, self.file, self.item, name)?;
        let syntax = self.files.family(file)?.objects();
        Some((Reader { files: self.files, file, item, syntax, start, facts, depth: self.depth + 1 }, expr))
    }

    /// Reads a JSON Schema, a shape of zod, `z.object(shape)`, or what a function makes of one of these.
    fn schema(&self, expr: &'f Expr) -> Option<ObjectSchema> {
        match expr {
            Expr::Object { props, span } if self.is_shape(props) => Some(self.shape(props, *span, *span)),
            // An object without any key of a JSON Schema is a shape whose parts come from elsewhere.
            Expr::Object { props, .. } => props.iter().any(says_schema).then(|| self.object(expr)).flatten(),
            Expr::Name { .. } => {
                let (reader, value) = self.constant(expr)?;
                reader.schema(value)
            }
            // The shape of a schema: `Note.shape`.
            Expr::Member { object, key: Key::Field(key), .. } if key == "shape" => self.schema(object),
            // `Arc::new(object(json!({…})))`
            Expr::Call(id) if self.syntax == Syntax::Json => match self.facts.call(*id).args.as_slice() {
                [Arg { value: inner @ (Expr::Object { .. } | Expr::Call(_) | Expr::Name { .. }), .. }] => {
                    self.schema(inner)
                }
                _ => None,
            },
            Expr::Call(id) => match self.made(expr) {
                Some(made) if OBJECTS.contains(&made.kind.as_str()) => self.of_object(&made, expr),
                // `zodToJsonSchema(Note)`, `z.toJSONSchema(Note)`
                _ => {
                    let call = self.facts.call(*id);
                    let (first, others) = call.args.split_first()?;
                    let mut schema = self.spread(&first.value)?;
                    // A function of the project, or one that gets several schemas, may add parameters.
                    let converts = match &call.callee {
                        Expr::Name { name, .. } => functions::named(self.files, self.file, self.item, name).is_none(),
                        Expr::Member { object, .. } => is_zod_module(object),
                        _ => false,
                    };
                    schema.is_open |= !converts || others.iter().any(|other| self.spread(&other.value).is_some());
                    Some(schema)
                }
            },
            _ => None,
        }
    }

    /// Reads `z.object(shape)` with the methods that add to it.
    fn of_object(&self, made: &Made<'f>, expr: &'f Expr) -> Option<ObjectSchema> {
        let span = expr.span(self.facts);
        let first = &made.args.first()?.value;
        let mut schema = match first {
            Expr::Object { props, .. } => self.shape(props, span, made.span),
            other => self.schema(other)?,
        };
        for (method, args) in &made.methods {
            match (method.as_str(), *args) {
                ("extend" | "safeExtend", [Arg { value: Expr::Object { props, .. }, .. }]) => {
                    let more = self.shape(props, span, made.span);
                    schema.is_open |= more.is_open;
                    schema.properties = Some(schema.properties().iter().chain(more.properties()).cloned().collect());
                    let required = |one: &ObjectSchema| one.required.as_deref().unwrap_or_default().to_vec();
                    schema.required = Some([required(&schema), required(&more)].concat().into());
                    schema.needs = Rc::default();
                }
                ("strict" | "strip" | "passthrough" | "loose" | "catchall", _) => {}
                (method, _) if SAYING_NO_MORE.contains(&method) => {}
                // Other methods leave out parameters, or make them optional.
                _ => schema.is_open = true,
            }
        }
        Some(schema)
    }

    /// Whether all values of an object are schemas of zod, directly or as constants, and all that is spread into it
    /// are shapes.
    fn is_shape(&self, props: &'f [Prop]) -> bool {
        !props.is_empty()
            && props.iter().all(|prop| match prop {
                Prop::Pair { value, .. } => self.is_zod(value),
                Prop::Spread(value) => self.is_spread_shape(value),
            })
    }

    /// Whether an expression is a shape, without reading its parameters.
    fn is_spread_shape(&self, expr: &'f Expr) -> bool {
        match expr {
            Expr::Object { props, .. } => self.is_shape(props),
            Expr::Member { key: Key::Field(key), .. } => key == "shape",
            _ => self.constant(expr).is_some_and(|(reader, value)| reader.is_spread_shape(value)),
        }
    }

    fn is_zod(&self, expr: &'f Expr) -> bool {
        match self.constant(expr) {
            Some((reader, value)) => reader.is_zod(value),
            None => self.made(expr).is_some(),
        }
    }

    /// Returns the schema whose parameters an object has, too: `...common`, `...Note.shape`.
    fn spread(&self, expr: &'f Expr) -> Option<ObjectSchema> {
        self.schema(expr).filter(|schema| matches!(schema.form, Form::Zod { .. }))
    }

    fn made(&self, expr: &'f Expr) -> Option<Made<'f>> {
        let Expr::Call(id) = expr else { return None };
        let call = self.facts.call(*id);
        let Expr::Member { object, key: Key::Field(method), span } = &call.callee else { return None };
        let is_zod = is_zod_module;
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
        let (mut properties, mut needed, mut is_open) = (Vec::new(), Vec::new(), false);
        for prop in props {
            match prop {
                Prop::Pair { key: Expr::Text { text, span }, value } => {
                    let key = span.shifted(self.start);
                    let (reader, value, shown) = match self.constant(value) {
                        Some((reader, value)) => {
                            let shown = value.span(reader.facts).shifted(reader.start);
                            (Some(reader), value, shown)
                        }
                        None => (None, value, key),
                    };
                    let reader = reader.as_ref().unwrap_or(self);
                    let is_optional = reader
                        .made(value)
                        .is_none_or(|made| made.methods.iter().any(|(method, _)| OPTIONAL.contains(&method.as_str())));
                    needed.push((text.clone(), (!is_optional).then_some(key)));
                    let (name, schema) = (text.clone(), reader.zod(value).map(Rc::new));
                    properties.push(Property { name, file: reader.file, key: shown, schema });
                }
                Prop::Spread(value) => match self.spread(value) {
                    Some(more) => {
                        is_open |= more.is_open;
                        properties.extend(more.properties().iter().cloned());
                        let is_needed = |name: &SmolStr| more.is_required(name);
                        let own = more
                            .properties()
                            .iter()
                            .map(|one| (one.name.clone(), is_needed(&one.name).then_some(one.key)));
                        needed.extend(own);
                    }
                    None => is_open = true,
                },
                Prop::Pair { .. } => is_open = true,
            }
        }
        keep_last(&mut properties, |property| &property.name);
        keep_last(&mut needed, |(name, _)| name);
        let needed: Vec<(SmolStr, Span)> = needed.into_iter().filter_map(|(name, key)| Some((name, key?))).collect();
        let form = Form::Zod { made: made.shifted(self.start), kind: None };
        ObjectSchema {
            is_open,
            kind: Some(Known::Text("object".into())),
            required: Some(needed.into()),
            properties: Some(properties.into()),
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
            (kind, _) if OBJECTS.contains(&kind) => {
                keys.push("properties".into());
                self.of_object(&made, expr)
            }
            // Any value for any key: nothing is declared.
            ("record", [.., Arg { value, .. }]) if self.made(value).is_some_and(|made| is_anything(&made)) => {
                Some(ObjectSchema { kind: Some(Known::Text("object".into())), ..self.of_call(&made, expr, None) })
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
        let object = shape.unwrap_or_else(|| ObjectSchema { kind, ..self.of_call(&made, expr, plain) });
        let items = match (made.kind.as_str(), made.args) {
            ("array", [Arg { value, .. }]) => self.schema(value).map(Box::new),
            _ => None,
        };
        let format = (has("url") || matches!(made.kind.as_str(), "url" | "httpUrl")).then(|| "uri".into());
        Some(Value { object, description, items, keys, format, default, default_at: None, options: None })
    }

    /// A schema that calls of zod make, without any entry.
    fn of_call(&self, made: &Made<'f>, expr: &'f Expr, kind: Option<Span>) -> ObjectSchema {
        let form = Form::Zod { made: made.span.shifted(self.start), kind };
        ObjectSchema::new(self.file, form, expr.span(self.facts).shifted(self.start))
    }

    fn object(&self, expr: &'f Expr) -> Option<ObjectSchema> {
        let Expr::Object { props, span } = expr else { return None };
        let mut schema = ObjectSchema::new(self.file, Form::Literal(self.syntax), span.shifted(self.start));
        for prop in props {
            let Prop::Pair { key: Expr::Text { text: key, .. }, value } = prop else {
                schema.is_open = true;
                continue;
            };
            match (key.as_str(), value) {
                ("type", Expr::Text { text, span }) => {
                    schema.kind = Some(Known::Text(text.clone()));
                    schema.kind_at = Some(span.shifted(self.start));
                }
                ("type", _) => schema.kind = Some(Known::Computed),
                ("properties", Expr::Object { props, .. }) => {
                    let (properties, is_whole) = self.properties(props);
                    schema.properties = Some(properties);
                    schema.is_open |= !is_whole;
                }
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
                ("required", Expr::Scalar { span, .. } | Expr::Text { span, .. }) => {
                    schema.required_flag = Some(span.shifted(self.start))
                }
                ("properties" | "required" | "$ref" | "allOf" | "anyOf" | "oneOf", _) => schema.is_open = true,
                _ => {}
            }
        }
        Some(schema)
    }

    /// Reads the parameters, and returns whether these are all.
    fn properties(&self, props: &'f [Prop]) -> (Rc<[Property]>, bool) {
        let (mut properties, mut is_whole) = (Vec::new(), true);
        for prop in props {
            match prop {
                Prop::Pair { key: Expr::Text { text, span }, value } => {
                    let key = span.shifted(self.start);
                    let property = match self.constant(value) {
                        Some((reader, value)) => {
                            let key = value.span(reader.facts).shifted(reader.start);
                            Property {
                                name: text.clone(),
                                file: reader.file,
                                key,
                                schema: reader.value(value).map(Rc::new),
                            }
                        }
                        None => Property {
                            name: text.clone(),
                            file: self.file,
                            key,
                            schema: self.value(value).map(Rc::new),
                        },
                    };
                    properties.push(property);
                }
                Prop::Spread(value) => match self.constant(value) {
                    Some((reader, Expr::Object { props, .. })) => {
                        let (more, are_all) = reader.properties(props);
                        is_whole &= are_all;
                        properties.extend(more.iter().cloned());
                    }
                    _ => is_whole = false,
                },
                Prop::Pair { .. } => is_whole = false,
            }
        }
        keep_last(&mut properties, |property| &property.name);
        (properties.into(), is_whole)
    }

    fn value(&self, expr: &'f Expr) -> Option<Value> {
        let object = self.object(expr)?;
        let Expr::Object { props, .. } = expr else { return None };
        let pairs = props.iter().filter_map(|prop| match prop {
            Prop::Pair { key: Expr::Text { text, .. }, value } => Some((text, value)),
            _ => None,
        });
        let text = |wanted: &str| {
            let mut pairs = pairs.clone();
            pairs.find_map(|(key, value)| match value {
                value if key == wanted => whole_text(value),
                _ => None,
            })
        };
        let items = pairs.clone().find(|(key, _)| *key == "items").map(|(_, items)| items);
        let is_object = |items: &&Expr| {
            matches!(items, Expr::Object { props, .. } if props.iter().any(|prop| matches!(prop,
                Prop::Pair { key: Expr::Text { text: key, .. }, value: Expr::Text { text, .. } } if key == "type" && text == "object")))
        };
        let default = pairs.clone().find(|(key, _)| *key == "default").map(|(_, value)| value);
        Some(Value {
            object,
            items: items.filter(is_object).and_then(|items| self.object(items)).map(Box::new),
            description: text("description"),
            format: text("format"),
            default: default.map(plain_value),
            default_at: default.map(|value| value.span(self.facts).shifted(self.start)),
            options: pairs.clone().find(|(key, _)| *key == "enum").and_then(|(_, options)| options_of(options)),
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
