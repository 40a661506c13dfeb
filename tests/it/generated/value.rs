//! The values that generated expressions have, and the words that they are made of.

use super::random::Random;

/// A value that an expression is generated for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Text(String),
    Number(i64),
    Flag(bool),
    List(Vec<Value>),
    Record(Vec<(String, Value)>),
    /// A function that a tool could run.
    Handler,
}

impl Value {
    pub(super) fn text(text: impl Into<String>) -> Value {
        Value::Text(text.into())
    }

    /// Whether JSON can express the value.
    pub(super) fn is_data(&self) -> bool {
        match self {
            Value::Handler => false,
            Value::List(elements) => elements.iter().all(Value::is_data),
            Value::Record(fields) => fields.iter().all(|(_, value)| value.is_data()),
            _ => true,
        }
    }

    pub(super) fn json(&self) -> serde_json::Value {
        match self {
            Value::Text(text) => text.as_str().into(),
            Value::Number(number) => (*number).into(),
            Value::Flag(flag) => (*flag).into(),
            Value::List(elements) => elements.iter().map(Value::json).collect(),
            Value::Record(fields) => {
                let fields = fields.iter().map(|(key, value)| (key.clone(), value.json()));
                serde_json::Value::Object(fields.collect())
            }
            Value::Handler => serde_json::Value::Null,
        }
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn field(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Record(fields) => fields.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }
}

const VERBS: [&str; 24] = [
    "get", "list", "create", "update", "delete", "search", "read", "write", "send", "run", "find", "count", "open",
    "close", "fetch", "add", "remove", "copy", "move", "sync", "query", "start", "stop", "export",
];

const NOUNS: [&str; 24] = [
    "user", "issue", "file", "page", "note", "task", "event", "order", "invoice", "table", "record", "message",
    "channel", "branch", "commit", "project", "report", "image", "ticket", "comment", "job", "team", "label", "folder",
];

const PREFIXES: [&str; 10] = ["acme_", "db_", "gh_", "fs_", "crm_", "admin_", "x_", "beta_", "v2_", "mail_"];

const SENTENCES: [&str; 8] = [
    "Does what it says",
    "Reads one",
    "Writes one, slowly",
    "Größe und Höhe",
    "Lists all of them",
    "Use with care",
    "It's safe",
    "naïve → better",
];

/// The name of a tool: two or three words.
pub(super) fn tool_name(random: &mut Random) -> String {
    let (verb, noun) = (*random.pick(&VERBS), *random.pick(&NOUNS));
    match random.below(9) {
        8 => format!("{verb}_{noun}{}", 1 + random.below(9)),
        5 => format!("{verb}_{noun}s"),
        6 => format!("{verb}_{}_{noun}", random.pick(&NOUNS)),
        7 => format!("{verb}_{noun}_{}", 1 + random.below(9)),
        _ => format!("{verb}_{noun}"),
    }
}

/// Different names of tools, some of which may begin alike.
pub(super) fn tool_names(random: &mut Random, count: usize, taken: &mut Vec<String>) -> Vec<String> {
    let prefix = if random.chance(40) { *random.pick(&PREFIXES) } else { "" };
    let mut names = Vec::new();
    for _ in 0..count {
        let mut name = format!("{prefix}{}", tool_name(random));
        while taken.contains(&name) {
            name.push_str("_x");
        }
        taken.push(name.clone());
        names.push(name);
    }
    if random.chance(25) {
        names.sort();
    }
    names
}

/// A word that is no name of a tool.
pub(super) fn word(random: &mut Random) -> String {
    random.pick(&NOUNS).to_string()
}

pub(super) fn sentence(random: &mut Random) -> String {
    random.pick(&SENTENCES).to_string()
}

/// The longest beginning that all names share and that ends with `_`; the rest of each name is not empty.
pub(super) fn common_prefix(names: &[String]) -> String {
    let Some(first) = names.first() else { return String::new() };
    let mut best = "";
    for (at, _) in first.match_indices('_') {
        let start = &first[..=at];
        if names.iter().all(|name| name.starts_with(start) && name.len() > start.len()) {
            best = start;
        }
    }
    best.to_string()
}
