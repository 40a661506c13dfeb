//! Schemas that frameworks make from types: from the parameters of a Python function, or the fields of a Rust struct.

use std::rc::Rc;

use smol_str::SmolStr;

use super::schema::{
    Constraint, Form, Known, ObjectSchema, Property, Schemas, TypeId, Typed, Types, Value, plain_value,
};
use crate::found::{Lookup, Place};
use crate::lower::{Bound, Definition, Doc, Expr, Field, FileFacts, Function, Imported, ItemFacts, Key, ScopeKind};
use crate::syntax::Family;
use crate::text::{FileId, Span};
use crate::workspace::Files;

/// The maximum depth to which types are followed from one to the next.
const MAX_DEPTH: usize = 8;
/// Types of parameters that the framework fills in itself.
const FILLED_IN: [&str; 4] = ["Context", "Depends", "CurrentContext", "Request"];
/// The type that wraps the arguments of a tool in Rust.
const ARGUMENTS: &str = "Parameters";

/// Returns the schema of a tool's function, made from the types in its signature.
pub(crate) fn of_function(schemas: &Schemas<'_>, place: Place) -> Option<ObjectSchema> {
    let files = schemas.files;
    let facts = files.facts(place.file)?;
    let item = facts.items.get(place.item as usize)?;
    let (_, function) = item.facts.function_at(place.span)?;
    let types = &schemas.types;
    let reader = Reader { files, types, file: place.file, facts, item: &item.facts, start: item.start, depth: 0 };
    match files.family(place.file)? {
        Family::Python => Some(reader.parameters(function)),
        Family::Rust => reader.arguments(function),
        Family::TypeScript => None,
    }
}

/// A reader of the types in an item.
#[derive(Clone, Copy)]
struct Reader<'f> {
    files: &'f Files,
    types: &'f Types,
    file: FileId,
    facts: &'f FileFacts,
    item: &'f ItemFacts,
    start: u32,
    depth: usize,
}

impl<'f> Reader<'f> {
    fn at(&self, span: Span) -> Span {
        span.shifted(self.start)
    }

    fn object(&self, span: Span, properties: Vec<Property>, required: Vec<(SmolStr, Span)>) -> ObjectSchema {
        let typed = Typed { name: span, whole: span, annotation: None, base: None, constraint: None };
        ObjectSchema {
            kind: Some(Known::Text("object".into())),
            properties: Some(properties.into()),
            required: Some(required.into()),
            ..ObjectSchema::new(self.file, Form::Parameter(typed), span)
        }
    }

    /// Reads the parameters of a Python function.
    fn parameters(&self, function: &Function) -> ObjectSchema {
        let own = function.params.iter().skip(usize::from(function.receiver));
        let mut properties = Vec::new();
        let mut required = Vec::new();
        for param in own.filter(|param| !param.rest && !param.keywords && !self.is_filled_in(param)) {
            let annotation = param.annotation.as_deref();
            let value = self.value(annotation, param.default.as_ref(), &[], None, (param.span, param.span));
            if param.default.is_none() {
                required.push((param.name.clone(), self.at(param.span)));
            }
            properties.push(Property {
                name: param.name.clone(),
                file: self.file,
                key: self.at(param.span),
                schema: Some(Rc::new(value)),
            });
        }
        self.object(self.at(function.span), properties, required)
    }

    fn is_filled_in(&self, param: &crate::lower::Param) -> bool {
        let named = |expr: &Expr| {
            let mut found = false;
            expr.visit(&mut |part| {
                let name = match part {
                    Expr::Call(id) => self.item.call(*id).callee.last_name(),
                    part => part.last_name(),
                };
                found |= name.is_some_and(|name| FILLED_IN.contains(&name.as_str()));
            });
            found
        };
        param.annotation.as_deref().is_some_and(named) || param.default.as_ref().is_some_and(named)
    }

    /// Reads the struct in which a Rust tool receives its arguments.
    fn arguments(&self, function: &Function) -> Option<ObjectSchema> {
        let mut annotations = function.params.iter().filter_map(|param| param.annotation.as_deref());
        let inner = annotations.find_map(|annotation| match annotation {
            Expr::At { object, index, .. } if object.last_name().is_some_and(|name| name == ARGUMENTS) => {
                first_of(index)
            }
            _ => None,
        })?;
        self.named(inner)
    }

    /// Reads the object that the class or struct with some name describes.
    fn named(&self, name: &Expr) -> Option<ObjectSchema> {
        let (reader, definition) = self.definition(name.last_name()?)?;
        Some(reader.described(definition))
    }

    /// Reads the object that a class or struct describes. The result depends on the depth at which the type is read.
    fn described(&self, definition: &'f Definition) -> ObjectSchema {
        let key = (std::ptr::from_ref(definition), self.depth);
        if let Some(made) = self.types.made.borrow().get(&key) {
            return made.clone();
        }
        let mut made = self.fields(definition);
        let mut all = self.types.made.borrow_mut();
        made.made_from = Some(TypeId(all.len()));
        all.insert(key, made.clone());
        made
    }

    /// Returns the definition that a name in this file refers to, its own or an imported one, with a reader for it.
    fn definition(&self, name: &SmolStr) -> Option<(Reader<'f>, &'f Definition)> {
        if self.depth > MAX_DEPTH {
            return None;
        }
        let &(index, binding) = self.facts.top_level.get(name)?.first()?;
        let item = self.facts.items.get(index as usize)?;
        let own = item.facts.definitions.iter().find(|definition| definition.name == *name);
        if let Some(definition) = own {
            let reader = Reader { item: &item.facts, start: item.start, depth: self.depth + 1, ..*self };
            return Some((reader, definition));
        }
        let Bound::Import { module, name: Imported::Named(there) } =
            &item.facts.scopes[0].bindings.get(binding as usize)?.value
        else {
            return None;
        };
        let Lookup::Found(file) = self.files.resolve(self.file, module) else { return None };
        let facts = self.files.facts(file).filter(|_| file != self.file)?;
        let item = facts.items.first()?;
        let there_reader = Reader { file, facts, item: &item.facts, start: item.start, depth: self.depth + 1, ..*self };
        there_reader.definition(there)
    }

    /// Returns the type that a name in this file is an alias of, with the byte offset at which its item starts and the
    /// facts of the item.
    fn alias(&self, name: &SmolStr) -> Option<(u32, &'f ItemFacts, &'f Expr)> {
        let &(item, index) = self.facts.top_level.get(name)?.first()?;
        let item = self.facts.items.get(item as usize)?;
        match &item.facts.scopes[0].bindings.get(index as usize)?.value {
            Bound::Value(value @ (Expr::At { .. } | Expr::Name { .. } | Expr::Choice(_))) => {
                Some((item.start, &item.facts, value))
            }
            _ => None,
        }
    }

    fn fields(&self, definition: &'f Definition) -> ObjectSchema {
        let attributes = definition.decorators.iter();
        let all_default = attributes.clone().any(|attribute| self.is_serde_default(attribute));
        let mut properties = Vec::new();
        let mut required = Vec::new();
        for field in definition.fields.iter().filter(|field| field.annotation.is_some() && !is_left_out(field)) {
            let name = name_of(field);
            let annotation = field.annotation.as_ref();
            let mut value = self.value(
                annotation,
                field.default.as_ref(),
                &field.attributes,
                field.doc.as_ref(),
                (field.span, field.whole),
            );
            if all_default {
                value.keys.push("default".into());
            }
            let is_optional = value.keys.iter().any(|key| key == "default")
                || annotation.is_some_and(|annotation| is_generic(annotation, "Option"));
            if !is_optional {
                required.push((name.clone(), self.at(field.span)));
            }
            properties.push(Property { name, file: self.file, key: self.at(field.span), schema: Some(Rc::new(value)) });
        }
        self.object(self.at(definition.name_span), properties, required)
    }

    fn is_serde_default(&self, attribute: &Expr) -> bool {
        let Expr::Call(id) = attribute else { return false };
        let call = self.item.call(*id);
        let says_default = call.args.iter().any(|arg| arg.value.last_name().is_some_and(|name| name == "default"));
        call.callee.last_name().is_some_and(|name| name == "serde") && says_default
    }

    /// Reads the schema of a parameter or field.
    fn value(
        &self,
        annotation: Option<&'f Expr>,
        default: Option<&'f Expr>,
        attributes: &'f [Expr],
        doc: Option<&Doc>,
        (name, whole): (Span, Span),
    ) -> Value {
        let typed = Typed {
            name: self.at(name),
            whole: self.at(whole),
            annotation: annotation.map(|annotation| self.at(whole_of(annotation, self.item))),
            base: None,
            constraint: None,
        };
        let is_field = !attributes.is_empty() || whole != name;
        let form = if is_field { Form::Field(typed) } else { Form::Parameter(typed) };
        let object = ObjectSchema::new(self.file, form, self.at(name));
        let mut value = Value {
            object,
            description: doc.map(|doc| doc.text.clone()),
            items: None,
            keys: Vec::new(),
            format: None,
            default: None,
            default_at: None,
            options: None,
        };
        match annotation {
            Some(annotation) => self.read(annotation, &mut value),
            None if default.is_some() => value.object.kind = Some(Known::Computed),
            None => {}
        }
        if let Some(default) = default {
            value.keys.push("default".into());
            if !matches!(default, Expr::Call(_)) {
                value.default = Some(plain_value(default));
            }
            self.constrain(default, &mut value);
        }
        self.attributed(attributes, &mut value);
        value
    }

    /// Adds to a value what its type specifies.
    fn read(&self, annotation: &'f Expr, value: &mut Value) {
        let text = |kind: &'static str| Some(Known::Text(SmolStr::new_static(kind)));
        match annotation {
            Expr::At { object, index, .. } => {
                let base = object.last_name().map_or("", SmolStr::as_str);
                match (base, first_of(index)) {
                    ("Optional" | "Option" | "Required" | "NotRequired" | "Box" | "Arc", Some(inner)) => {
                        self.read(inner, value);
                    }
                    ("Annotated", Some(inner)) => {
                        self.read(inner, value);
                        if let Expr::Array { elements, .. } = &**index {
                            elements.iter().skip(1).for_each(|more| self.constrain(more, value));
                        }
                    }
                    ("Literal", _) => {
                        value.object.kind = text("string");
                        value.keys.push("enum".into());
                    }
                    ("Cow", _) => value.object.kind = text("string"),
                    ("list" | "List" | "Sequence" | "set" | "tuple" | "Vec", inner) => {
                        value.object.kind = text("array");
                        value.items = inner.and_then(|inner| self.named(inner)).map(Box::new);
                    }
                    ("dict" | "Dict" | "Mapping" | "HashMap" | "BTreeMap", _) => {
                        value.object.kind = text("object");
                        value.keys.push("additionalProperties".into());
                    }
                    _ => {
                        value.object.kind = Some(Known::Computed);
                        value.object.is_open = true;
                    }
                }
            }
            // `str | None`
            Expr::Choice(options) => {
                let is_none = |option: &&Expr| matches!(option, Expr::Scalar { text, .. } if text == "None");
                match options.iter().filter(|option| !is_none(option)).collect::<Vec<_>>().as_slice() {
                    [only] => self.read(only, value),
                    _ => value.object.kind = Some(Known::Computed),
                }
            }
            Expr::Name { name, .. } | Expr::Member { key: Key::Field(name), .. } => match name.as_str() {
                "str" | "String" | "char" => {
                    value.object.kind = text("string");
                    if let (Form::Parameter(typed) | Form::Field(typed), 0) = (&mut value.object.form, self.depth) {
                        typed.base = Some(self.at(annotation.span(self.item)));
                    }
                }
                "int" => value.object.kind = text("integer"),
                "float" | "f32" | "f64" => value.object.kind = text("number"),
                "bool" => value.object.kind = text("boolean"),
                "list" | "set" | "tuple" => value.object.kind = text("array"),
                "dict" => value.object.kind = text("object"),
                "PositiveInt" | "NonNegativeInt" => {
                    value.object.kind = text("integer");
                    value.keys.push("minimum".into());
                }
                "PositiveFloat" | "NonNegativeFloat" => {
                    value.object.kind = text("number");
                    value.keys.push("minimum".into());
                }
                unsigned if unsigned.starts_with("NonZeroU") => {
                    value.object.kind = text("integer");
                    value.keys.push("minimum".into());
                }
                "AnyUrl" | "AnyHttpUrl" | "HttpUrl" | "FileUrl" | "Url" => {
                    value.object.kind = text("string");
                    value.format = Some("uri".into());
                    value.keys.push("format".into());
                }
                unsigned if unsigned.starts_with('u') && unsigned[1..].parse::<u8>().is_ok() || unsigned == "usize" => {
                    // The schema of an unsigned type has a minimum.
                    value.object.kind = text("integer");
                    value.keys.push("minimum".into());
                }
                signed if signed.starts_with('i') && signed[1..].parse::<u8>().is_ok() || signed == "isize" => {
                    value.object.kind = text("integer");
                }
                _ => self.read_named(annotation, name, value),
            },
            // `conint(ge=0)`, `"int"`: such types are not evaluated.
            _ => {
                value.object.kind = Some(Known::Computed);
                value.object.is_open = true;
            }
        }
    }

    /// Reads a type of the project: an enumeration of values, or an object.
    fn read_named(&self, annotation: &'f Expr, name: &SmolStr, value: &mut Value) {
        value.object.kind = Some(Known::Computed);
        let Some((reader, definition)) = self.definition(name) else {
            // `Timeout = Annotated[int, Field(ge=0)]`
            match self.alias(name).filter(|_| self.depth < MAX_DEPTH) {
                Some((start, item, alias)) => {
                    Reader { item, start, depth: self.depth + 1, ..*self }.read(alias, value);
                }
                None => value.object.is_open = true,
            }
            return;
        };
        let bases = match &reader.item.scope(definition.body).kind {
            ScopeKind::Class { bases } => bases.as_slice(),
            _ => &[],
        };
        let is_enumeration = |base: &Expr| base.last_name().is_some_and(|name| name.ends_with("Enum"));
        let is_variant = |field: &Field| field.annotation.is_none();
        if bases.iter().any(is_enumeration) || !definition.fields.is_empty() && definition.fields.iter().all(is_variant)
        {
            value.object.kind = Some(Known::Text("string".into()));
            value.keys.push("enum".into());
        } else if let Some(object) = self.named(annotation).filter(|_| !definition.fields.is_empty()) {
            value.keys.push("properties".into());
            value.object = object;
        }
    }

    /// Adds to a value what `Field(…)` specifies.
    fn constrain(&self, expr: &'f Expr, value: &mut Value) {
        match expr {
            // `Annotated[str, "what it is"]`
            Expr::Text { text, .. } if value.description.is_none() && value.keys.is_empty() => {
                value.description = Some(text.clone());
            }
            Expr::Call(id) => {
                let call = self.item.call(*id);
                match call.callee.last_name().map_or("", SmolStr::as_str) {
                    "Field" => {}
                    // These are from `annotated_types`.
                    "Ge" | "Gt" | "Interval" => return value.keys.push("minimum".into()),
                    _ => return,
                }
                if let Form::Parameter(typed) | Form::Field(typed) = &mut value.object.form {
                    let last = call.args.last().map(|arg| arg.span.end);
                    typed.constraint = Some(Constraint {
                        end: last.unwrap_or(call.span.end - 1) + self.start,
                        has_arguments: last.is_some(),
                        has_extra: call.args.iter().any(|arg| arg.name.as_deref() == Some("json_schema_extra")),
                    });
                }
                // A first positional argument is the default: `Field("up")`.
                if let Some(first) = call.args.first().filter(|arg| arg.name.is_none() && !is_ellipsis(&arg.value)) {
                    value.default = Some(plain_value(&first.value));
                }
                for arg in &call.args {
                    match (arg.name.as_deref(), &arg.value) {
                        (Some("ge" | "gt"), _) => value.keys.push("minimum".into()),
                        (Some("pattern"), _) => value.keys.push("pattern".into()),
                        (Some("default"), given) => {
                            value.keys.push("default".into());
                            value.default = Some(plain_value(given));
                        }
                        (Some("default_factory"), _) => value.keys.push("default".into()),
                        (Some("description"), Expr::Text { text, .. }) => value.description = Some(text.clone()),
                        (Some("json_schema_extra"), extra) => self.extra(extra, value),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Adds the keys of `json_schema_extra`, if its value is an object literal.
    fn extra(&self, extra: &Expr, value: &mut Value) {
        let Expr::Object { props, .. } = extra else {
            value.object.is_open = true;
            return;
        };
        for prop in props {
            let crate::lower::Prop::Pair { key: Expr::Text { text: key, .. }, value: said } = prop else { continue };
            value.keys.push(key.clone());
            if let ("format", Expr::Text { text, .. }) = (key.as_str(), said) {
                value.format = Some(text.clone());
            }
        }
    }

    /// Adds to a value what the attributes of a field specify.
    fn attributed(&self, attributes: &[Expr], value: &mut Value) {
        for word in attributes.iter().filter_map(Expr::last_name) {
            match word.as_str() {
                "range" => value.keys.push("minimum".into()),
                "default" => value.keys.push("default".into()),
                "regex" | "pattern" => value.keys.push("pattern".into()),
                "url" => {
                    value.format = Some("uri".into());
                    value.keys.push("format".into());
                }
                // The attribute replaces the schema, or adds parts that are not read here.
                "with" | "schema_with" | "extend" | "transform" => value.object.is_open = true,
                _ => {}
            }
        }
    }
}

/// Whether an expression is an ellipsis, which makes the value required: `Field(...)`.
fn is_ellipsis(expr: &Expr) -> bool {
    matches!(expr, Expr::Scalar { text, .. } if text == "...") || matches!(expr, Expr::Opaque { .. })
}

/// Whether a field is skipped in deserialization.
fn is_left_out(field: &Field) -> bool {
    let mut words = field.attributes.iter().filter_map(Expr::last_name);
    words.any(|word| matches!(word.as_str(), "skip" | "skip_deserializing"))
}

/// Returns the name of a field in a schema: the one in `rename`, or its own without the prefix of a raw identifier.
fn name_of(field: &Field) -> SmolStr {
    let renamed = field.attributes.windows(2).find_map(|pair| match pair {
        [Expr::Name { name, .. }, Expr::Text { text, .. }] if name == "rename" => Some(text.clone()),
        _ => None,
    });
    renamed.unwrap_or_else(|| SmolStr::new(field.name.trim_start_matches("r#")))
}

/// Returns the span of a whole type; a member expression's own span covers only the member's name.
fn whole_of(annotation: &Expr, facts: &ItemFacts) -> Span {
    fn start(expr: &Expr, facts: &ItemFacts) -> u32 {
        match expr {
            Expr::Member { object, .. } => start(object, facts),
            Expr::Choice(options) => options.first().map_or(0, |first| start(first, facts)),
            expr => expr.span(facts).start,
        }
    }
    let end = match annotation {
        Expr::Choice(options) => options.last().map_or(annotation.span(facts), |last| last.span(facts)).end,
        annotation => annotation.span(facts).end,
    };
    Span { start: start(annotation, facts), end }
}

fn first_of(index: &Expr) -> Option<&Expr> {
    match index {
        Expr::Array { elements, .. } => elements.first(),
        _ => None,
    }
}

fn is_generic(annotation: &Expr, base: &str) -> bool {
    matches!(annotation, Expr::At { object, .. } if object.last_name().is_some_and(|name| name == base))
}
