//! The keys of a `[convention]` table: for each its meaning, the form of its value, and how it is stored.

use globset::Glob;

use super::documents::{COLUMNS, Files};
use super::gateway::{Routes, State};
use super::pattern::Pattern;
use super::spelling::{CASES, stands_in_names};
use super::{Convention, Parameter, Routing, Stage, uri};
use crate::document::table::{Key, Row, Shape, words};
use crate::document::{Fault, Node, Text};
use crate::path::{MAX_GLOB, MAX_GLOBS};

/// The types of JSON Schema.
const TYPES: Shape = Shape::OneOf(&["string", "number", "integer", "boolean", "array", "object"]);

const COLUMN: Shape = Shape::Choice(&words(&COLUMNS), None);

const PAIRS: Shape = Shape::map(&Shape::Text("a string"), "{ create = \"generate\" }");

/// Names that are accepted, each with a reason.
pub(crate) const NAMES: Shape = Shape::List(
    &Shape::table(
        &[
            Key { name: "name", doc: "The name or string, exactly as written.", shape: Shape::Filled("a name") },
            Key { name: "why", doc: "The reason, for readers of the config.", shape: Shape::Filled("a reason") },
        ],
        &["name", "why"],
        "{ name = …, why = … }",
    ),
    "a list of { name = …, why = … }",
);

const PARAMETER: Shape = Shape::table(
    &[
        Key { name: "type", doc: "The type in JSON Schema.", shape: TYPES },
        Key {
            name: "format",
            doc: "The format in JSON Schema, such as `uri`.",
            shape: Shape::Text("a format such as \"uri\""),
        },
        Key {
            name: "minimum",
            doc: "The `minimum` that the parameter must have; a missing one is reported, and the fix adds this value.",
            shape: Shape::Count,
        },
        Key {
            name: "enum",
            doc: "Whether the schema must list the values of the parameter.",
            shape: Shape::Flag(false),
        },
        Key { name: "required_by", doc: "The verbs of tools that must require the parameter.", shape: Shape::Words },
    ],
    &[],
    "{ type = \"string\", format = \"uri\" }",
);

/// The keys that every slot of the pattern adds, shown for two slots: the plural and the singular of its name.
pub(crate) const OF_SLOTS: [Key; 2] = [
    Key {
        name: "products",
        doc: "The words for the slot `{product}` of the pattern. Every slot has such a key: the plural of its name.",
        shape: Shape::Words,
    },
    Key {
        name: "namespace",
        doc: "The one word for the slot `{namespace}` of the pattern; `*` allows any word. Every slot has such a key, named after the slot.",
        shape: Shape::Text("the word for the slot, a string"),
    },
];

pub(crate) static KEYS: &[Row<Convention>] = &[
    Row::new(
        "source",
        Shape::Text("a string"),
        "The document with the convention, for readers of the config.",
        |_, _, _| {},
    ),
    Row::new(
        "judge",
        Shape::Choice(
            &[
                ("wire", "The name that `tools/list` reports."),
                ("definition", "The name in the source, before a gateway or a mount adds a prefix."),
            ],
            Some("wire"),
        ),
        "The names that must follow the convention.",
        |convention, value, _| {
            let is_definition = value.as_str() == Some("definition");
            convention.stage = if is_definition { Stage::Definition } else { Stage::Wire };
        },
    ),
    Row::new(
        "pattern",
        Shape::Text("a pattern such as \"{server}_{tool}\""),
        "The parts of a name: slots in braces, and the text between them, such as `{server}_{tool}`, \
         `{product}_{verb}_{noun}` or `{prefix}{action}`. The plural of a slot lists its words (`products = […]`), the \
         singular sets the one word for it (`namespace = \"shop\"`).",
        |convention, value, faults| match Pattern::parse(value.as_str().unwrap_or_default()) {
            Ok(pattern) => convention.pattern = Some(pattern),
            Err(wrong) => faults.push(Fault { span: value.span, message: wrong.to_string() }),
        },
    ),
    Row::new(
        "prefix",
        Shape::Text("the prefix of every name, a string"),
        "The prefix of every name: `browser_`.",
        |convention, value, faults| {
            let prefix = value.as_str().unwrap_or_default();
            match stands_in_names(prefix) {
                None => convention.prefix = prefix.to_string(),
                Some(message) => faults.push(Fault { span: value.span, message }),
            }
        },
    ),
    Row::new(
        "case",
        Shape::Choice(&words(&CASES), None),
        "The case of words and the separator between them.",
        |convention, value, _| {
            let known = CASES.iter().find(|(name, ..)| value.as_str() == Some(name));
            if let Some((_, _, (case, joiner))) = known {
                convention.case = *case;
                convention.joiner = joiner.map(str::to_string);
            }
        },
    ),
    Row::new(
        "words",
        Shape::table(
            &[
                Key { name: "min", doc: "The minimum number of words.", shape: Shape::Count },
                Key { name: "max", doc: "The maximum number of words.", shape: Shape::Count },
                Key {
                    name: "usual",
                    doc: "The usual number of words. A longer name is reported as a hint, unless the additional words distinguish it from another tool.",
                    shape: Shape::Count,
                },
            ],
            &[],
            "{ min = 3, max = 4 }",
        ),
        "The number of words in a name.",
        |convention, value, faults| {
            let count = |key: &str| value.get(key).and_then(Node::as_usize);
            convention.words = (count("min").or(convention.words.0), count("max").or(convention.words.1));
            convention.usual = count("usual").or(convention.usual);
            if matches!(convention.words, (Some(least), Some(most)) if least > most) {
                let message = "the minimum number of words exceeds the maximum".to_string();
                faults.push(Fault { span: value.span, message });
            }
        },
    ),
    Row::new(
        "length",
        Shape::map(&Shape::Bounds, "{ namespace = [3, 20] }"),
        "The minimum and maximum number of characters in a slot: `{ namespace = [3, 20] }`.",
        |convention, value, _| {
            let bounds = |value: &Node| match value.elements() {
                [least, most] => Some((least.as_usize()?, most.as_usize()?)),
                _ => None,
            };
            convention
                .length
                .extend(value.entries().filter_map(|(slot, value)| Some((slot.text.clone(), bounds(value)?))));
        },
    ),
    Row::new(
        "open",
        Shape::Words,
        "The slots whose words are only a recommendation: another word in them is a hint.",
        |convention, value, faults| convention.open = slots_named(convention, value, faults),
    ),
    Row::new("joined", Shape::Words, "The slots that are written as one word.", |convention, value, faults| {
        convention.joined = slots_named(convention, value, faults)
    }),
    Row::new(
        "whole",
        NAMES,
        "Names that are accepted although they do not match the pattern.",
        |convention, value, _| {
            convention.whole = reasoned(value).map(|(name, _)| name.to_string()).collect();
        },
    ),
    Row::new(
        "vague",
        Shape::Words,
        "Verbs that are too vague as a whole name: `get` does not say what it gets.",
        |convention, value, _| convention.vague = strings(value),
    ),
    Row::new(
        "synonyms",
        PAIRS,
        "Words to avoid, each with its replacement: `{ create = \"generate\" }`.",
        |convention, value, _| convention.synonyms = pairs(value).collect(),
    ),
    Row::new("reserved", PAIRS, "Reserved words, each with the owner that may use it.", |convention, value, _| {
        convention.reserved = pairs(value).collect()
    }),
    Row::new("versions", Shape::Flag(true), "Whether a name may contain a version (`_v2`).", |convention, value, _| {
        convention.unversioned = value.as_bool() == Some(false)
    }),
    Row::new(
        "mode",
        Shape::Choice(
            &[
                ("ecosystem", "The first slot of the pattern is required."),
                ("standalone", "The first slot of the pattern may be missing."),
            ],
            Some("ecosystem"),
        ),
        "Whether names must have the prefix.",
        |convention, value, _| convention.standalone = value.as_str() == Some("standalone"),
    ),
    Row::new(
        "package",
        Shape::Text("a form such as \"@adobe/{product}-apis\""),
        "The dependency that determines the prefix: `@adobe/{product}-apis`.",
        |convention, value, _| convention.package = value.as_str().map(str::to_string),
    ),
    Row::new(
        "constant",
        Shape::Text("the name of a constant"),
        "The constant in the source that contains the prefix.",
        |convention, value, _| convention.constant = value.as_str().map(str::to_string),
    ),
    Row::new(
        "helper",
        Shape::Flag(false),
        "Whether a helper adds the prefix, so that no tool may be registered without it.",
        |convention, value, _| convention.helper = value.as_bool() == Some(true),
    ),
    Row::new("titles", Shape::Flag(false), "Whether every tool must have a title.", |convention, value, _| {
        convention.titles = value.as_bool() == Some(true)
    }),
    Row::new(
        "mutating",
        Shape::Words,
        "The verbs of tools that change something: such a tool must not have `readOnlyHint`.",
        |convention, value, _| convention.mutating = strings(value),
    ),
    Row::new(
        "dispatch",
        Shape::Flag(false),
        "Whether the tool names in code that dispatches calls (`if name == \"…\"`) must follow the convention, too.",
        |convention, value, _| convention.dispatch = value.as_bool() == Some(true),
    ),
    Row::new(
        "routing",
        Shape::table(
            &[
                Key {
                    name: "entry",
                    doc: "The class or function that creates an entry: `BackendConfig`.",
                    shape: Shape::Text("the name of a class or function"),
                },
                Key {
                    name: "key",
                    doc: "The argument that must be equal to the key of the entry: `namespace`.",
                    shape: Shape::Text("the name of an argument"),
                },
            ],
            &["entry", "key"],
            "{ entry = \"BackendConfig\", key = \"namespace\" }",
        ),
        "The entries of the table that routes calls to their servers.",
        |convention, value, _| {
            let routing = text(value, "entry").zip(text(value, "key"));
            convention.routing = routing.map(|(entry, key)| Routing { entry, key });
        },
    ),
    Row::new(
        "schemas",
        Shape::Flag(false),
        "Whether input schemas must be complete: objects with a list of required parameters and a default for each other \
         parameter.",
        |convention, value, _| convention.schemas = value.as_bool() == Some(true),
    ),
    Row::new(
        "parameters",
        Shape::map(&PARAMETER, "{ url = { type = \"string\", format = \"uri\" } }"),
        "The requirements for parameters, by name, in all tools: `url = { type = \"string\", format = \"uri\" }`.",
        |convention, value, _| {
            for (name, wanted) in value.entries() {
                let parameter = Parameter {
                    kind: text(wanted, "type"),
                    format: text(wanted, "format"),
                    minimum: wanted.get("minimum").and_then(Node::as_usize),
                    enumerated: wanted.get("enum").and_then(Node::as_bool) == Some(true),
                    required_by: wanted.get("required_by").map(strings).unwrap_or_default(),
                };
                convention.parameters.insert(name.text.clone(), parameter);
            }
        },
    ),
    Row::new(
        "validators",
        PAIRS,
        "The functions that handlers must call on required parameters before they use them, by the name or type of the \
         parameter.",
        |convention, value, _| convention.validators.extend(pairs(value)),
    ),
    Row::new(
        "uri",
        Shape::Text("a form such as \"{namespace}://{type}/{id}\""),
        "The form of resource URIs: `{namespace}://{type}/{id}`.",
        |convention, value, faults| match uri::Form::parse(value.as_str().unwrap_or_default()) {
            Some(form) => convention.uri = Some(form),
            None => {
                let message = "expected a form such as \"{namespace}://{type}/{id}\"".to_string();
                faults.push(Fault { span: value.span, message });
            }
        },
    ),
    Row::new(
        "gateway",
        Shape::Text("the server key of the gateway, a string"),
        "The server key of the gateway, in the configs of clients. A gateway is one server in front of others.",
        |convention, value, _| {
            convention.gateway.get_or_insert_default().name = value.as_str().unwrap_or_default().to_string();
        },
    ),
    Row::new(
        "pool",
        Shape::Text("a form such as \"syn-{server}\""),
        "The gateway's own key for a server: `syn-{server}`.",
        |convention, value, _| {
            convention.gateway.get_or_insert_default().pool = value.as_str().unwrap_or_default().to_string();
        },
    ),
    Row::new(
        "normalise",
        Shape::map(
            &Shape::Choice(&[("kebab", "`kebab-case`"), ("snake", "`snake_case`")], None),
            "{ git = \"kebab\" }",
        ),
        "The style in which each server behind the gateway writes its tool names, if it differs from the gateway's own.",
        |convention, value, _| convention.gateway.get_or_insert_default().set_forwarding(value),
    ),
    Row::new(
        "routes",
        Shape::table(
            &[
                Key {
                    name: "constant",
                    doc: "The constant that contains the table.",
                    shape: Shape::Text("the name of a constant"),
                },
                Key {
                    name: "value",
                    doc: "The form of the values, with `*` for the server: `mcp__*__`.",
                    shape: Shape::Text("a form such as \"mcp__*__\""),
                },
                Key {
                    name: "names",
                    doc: "The servers' own names, if they differ from those in the names of their tools.",
                    shape: PAIRS,
                },
            ],
            &["constant", "value"],
            "{ constant = \"SERVER_ROUTES\", value = \"mcp__*__\" }",
        ),
        "The table in the source that maps the keys of `pool` to the servers behind the gateway.",
        |convention, value, faults| {
            let names = value.get("names").map(|names| pairs(names).collect()).unwrap_or_default();
            let form = text(value, "value").unwrap_or_default();
            match Routes::of(text(value, "constant").unwrap_or_default(), &form, names) {
                Some(routes) => convention.gateway.get_or_insert_default().routes = Some(routes),
                None => {
                    let span = value.get("value").map_or(value.span, |value| value.span);
                    let message = "`*` is missing, which stands for the server: \"mcp__*__\"".to_string();
                    faults.push(Fault { span, message });
                }
            }
        },
    ),
    Row::new(
        "state",
        Shape::table(
            &[
                Key { name: "files", doc: "The files, as globs.", shape: Shape::Words },
                Key {
                    name: "lists",
                    doc: "The keys of the lists in `files`. A tool may be in only one of the lists.",
                    shape: Shape::Words,
                },
            ],
            &["files"],
            "{ files = […], lists = […] }",
        ),
        "The files that enable and disable tools.",
        |convention, value, faults| {
            let mut state =
                State { files: Files::default(), lists: value.get("lists").map(strings).unwrap_or_default() };
            value.get("files").into_iter().for_each(|files| store_files(&mut state.files, files, faults));
            convention.gateway.get_or_insert_default().state = state;
        },
    ),
    Row::new(
        "listing",
        Shape::Choice(
            &[
                ("prefixed", "The gateway lists its tools with its prefix."),
                ("plain", "The gateway lists its tools without a prefix."),
            ],
            Some("plain"),
        ),
        "The form in which the gateway lists its tools.",
        |convention, value, _| {
            convention.gateway.get_or_insert_default().prefixed = value.as_str() == Some("prefixed");
        },
    ),
    Row::new(
        "pools",
        Shape::Words,
        "The files with the servers that the gateway starts, as globs.",
        |convention, value, faults| store_files(&mut convention.gateway.get_or_insert_default().pools, value, faults),
    ),
    Row::new(
        "index",
        Shape::Words,
        "The documents with a row for every tool, as globs.",
        |convention, value, faults| store_files(&mut convention.gateway.get_or_insert_default().index, value, faults),
    ),
    Row::new(
        "documents",
        Shape::Words,
        "The documents, as globs, in which tools must have the names that their users know, and counts of tools must be \
         right.",
        |convention, value, faults| store_files(&mut convention.documents.named, value, faults),
    ),
    Row::new(
        "tables",
        Shape::Words,
        "The documents, as globs, whose tables of tools must agree with the code.",
        |convention, value, faults| store_files(&mut convention.documents.tables, value, faults),
    ),
    Row::new(
        "registry",
        Shape::Words,
        "The documents, as globs, that must have a row for every tool and resource.",
        |convention, value, faults| store_files(&mut convention.documents.registry, value, faults),
    ),
    Row::new(
        "columns",
        Shape::map(&COLUMN, "{ \"Full name\" = \"name\" }"),
        "What each column of a table of tools contains, by the heading of the column: `\"Full name\" = \"name\"`.",
        |convention, value, _| {
            let column = |value: &Node| COLUMNS.iter().find(|(name, ..)| value.as_str() == Some(name));
            let columns = value.entries().filter_map(|(heading, value)| Some((heading.text.clone(), column(value)?.2)));
            convention.documents.add_columns(columns);
        },
    ),
];

/// Returns the entries of a list in the form of [`NAMES`]: each name with its reason. Entries of another form are left
/// out.
pub(crate) fn reasoned(list: &Node) -> impl Iterator<Item = (&str, &str)> {
    list.elements().iter().filter_map(|entry| Some((entry.get("name")?.as_str()?, entry.get("why")?.as_str()?)))
}

/// The keys of a convention, besides those that its slots add.
pub(crate) fn keys() -> impl Iterator<Item = &'static Key> {
    KEYS.iter().map(|row| &row.key)
}

/// Stores the globs of a value as a set of files, unless there are too many.
fn store_files(files: &mut Files, value: &Node, faults: &mut Vec<Fault>) {
    if value.elements().len() > MAX_GLOBS {
        let message = format!("more than {MAX_GLOBS} globs: list folders instead of single files");
        return faults.push(Fault { span: value.span, message });
    }
    *files = Files::new(value.words().filter_map(|glob| glob_of(glob, faults)));
}

/// Parses a string as a glob; an invalid or too long glob is a fault.
pub(crate) fn glob_of(text: &Text, faults: &mut Vec<Fault>) -> Option<Glob> {
    let message = match Glob::new(&text.text) {
        _ if text.text.len() > MAX_GLOB => format!("this glob has more than {MAX_GLOB} bytes: shorten it"),
        Ok(glob) => return Some(glob),
        Err(error) => error.kind().to_string(),
    };
    faults.push(Fault { span: text.span, message });
    None
}

fn text(table: &Node, key: &str) -> Option<String> {
    table.get(key).and_then(Node::as_str).map(str::to_string)
}

fn strings(value: &Node) -> Vec<String> {
    value.words().map(|text| text.text.clone()).collect()
}

fn pairs(table: &Node) -> impl Iterator<Item = (String, String)> {
    table.entries().filter_map(|(key, value)| Some((key.text.clone(), value.as_str()?.to_string())))
}

/// Returns the words of a value that name slots of the convention. Any other word is a fault.
fn slots_named(convention: &Convention, value: &Node, faults: &mut Vec<Fault>) -> Vec<String> {
    let (slots, others): (Vec<_>, Vec<_>) = value.words().partition(|word| convention.is_slot(&word.text));
    faults.extend(
        others
            .into_iter()
            .map(|word| Fault { span: word.span, message: format!("the pattern has no slot `{}`", word.text) }),
    );
    slots.into_iter().map(|word| word.text.clone()).collect()
}
