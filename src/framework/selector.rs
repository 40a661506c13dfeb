//! The small languages of a row: patterns for callees and decorators, and selectors of values.

use std::borrow::Cow;
use std::fmt;

use schemars::JsonSchema;
use serde::Deserialize;
use smol_str::SmolStr;

use crate::name::nearest;

/// A pattern for callees and decorators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CalleePattern {
    /// A method of any object.
    Method(SmolStr),
    /// A path that begins with an import from one of the framework's packages.
    Imported(Vec<SmolStr>),
    /// A folder, for `on = "module"`; it contains a `/`.
    Folder(SmolStr),
}

/// A path from matched code to a value: a start and the steps that follow, `arg1.annotations.title`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector {
    pub start: Start,
    pub steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// A positional argument, counted from the first (`arg0`) or, if negative, from the last (`arg-1`).
    Arg(i32),
    /// A keyword argument: `kw:name`.
    Keyword(SmolStr),
    /// The decorated function or class: `def`.
    Definition,
    /// The object on which the method is called: `receiver`.
    Receiver,
    /// The surrounding class: `class`.
    Class,
    /// The element of the form's list: `each`.
    Each,
    /// The positional arguments from an index on, as a list: `rest1`.
    Rest(usize),
    /// Another decorator or attribute of the same definition: `decorator:mcp`.
    Decorator(SmolStr),
    /// An export of the file: `export:metadata`.
    Export(SmolStr),
    /// The file's name without its extension: `file`.
    File,
    /// The first argument that the form's result is called with: `applied`, as in `mcp.tool(name="x")(function)`.
    Applied,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Field(SmolStr),
    /// The return value of the function: `return`.
    Return,
    /// The identifier itself as text: `def.ident`.
    Ident,
    /// The docstring or leading comment of a function or class: `def.doc`.
    Doc,
    /// A parameter of the function, not counting the receiver: `param0`.
    Param(usize),
    /// A positional argument of the call: `arg0` after another step.
    Arg(usize),
    /// The pairs of an object, each a list of key and value: `entries`.
    Entries,
    /// An element of a list: `0`.
    Index(u32),
    /// A keyword argument of the call: `kw:name` after another step.
    Keyword(SmolStr),
    /// The text in lower-case words joined by `-`: `kebab`.
    Kebab,
    /// The text without the `r#` of a raw identifier: `bare`.
    Bare,
    /// The decorator of this name on a function or class: `decorator:tool`.
    Decorator(SmolStr),
}

pub(crate) type Selectors = Vec<Selector>;

impl CalleePattern {
    /// The last part of the path, by which forms are looked up.
    pub fn last(&self) -> &SmolStr {
        match self {
            CalleePattern::Method(name) => name,
            CalleePattern::Imported(path) => path.last().expect("a path has parts"),
            CalleePattern::Folder(path) => path,
        }
    }
}

impl<'de> Deserialize<'de> for CalleePattern {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let rest = text.strip_prefix("*.").unwrap_or(&text);
        if rest.contains('*') || rest.trim_matches(['.', '/']).is_empty() {
            return Err(serde::de::Error::custom("expected `*.method`, `Class` or `folder/of/files`"));
        }
        Ok(match text.strip_prefix("*.") {
            Some(method) => CalleePattern::Method(method.into()),
            None if text.contains('/') => CalleePattern::Folder(text.into()),
            None => CalleePattern::Imported(text.split('.').map(SmolStr::new).collect()),
        })
    }
}

/// Implements [`JsonSchema`] for types that are written as strings.
macro_rules! written_as_string {
    ($($kind:ident: $description:expr),* $(,)?) => {
        $(impl JsonSchema for $kind {
            fn schema_name() -> Cow<'static, str> {
                stringify!($kind).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "description": $description })
            }
        })*
    };
}

written_as_string! {
    CalleePattern: "`*.method` for a method of anything, `Class` or `module.function` for what one of the packages exports, `folder/of/files` for `on = \"module\"`.",
    Selector: "The path from the matched code to a value: a start (`arg0`, `arg-1`, `rest1`, `kw:name`, `def`, `receiver`, `class`, `each`, `applied`, `file`, `export:name`, `decorator:name`) followed by steps (`field`, `0`, `return`, `ident`, `doc`, `entries`, `kebab`, `bare`, `param0`, `arg0`, `kw:name`, `decorator:name`, `field:name`).",
}

/// What is wrong with a selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BadSelector {
    /// The first part is not a known start.
    Start(String),
    /// A step is probably a misspelling of a known word.
    NearWord(String, &'static str),
    /// The word before the colon of a step is probably a misspelling of a known one.
    NearPrefix(String, &'static str),
    /// A step cannot be the name of a field.
    Step(String),
    /// The name after a start or step such as `kw:` is missing.
    NoName(String),
}

/// The words with which a selector can begin.
const STARTS: [&str; 11] =
    ["arg0", "rest1", "kw", "def", "receiver", "class", "each", "applied", "file", "export", "decorator"];

impl fmt::Display for BadSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadSelector::Start(part) => match nearest(part.split(':').next().unwrap_or(part), STARTS) {
                Some(near) => write!(f, "a selector cannot begin with `{part}`; did you mean `{near}`?"),
                None => write!(
                    f,
                    "a selector cannot begin with `{part}`: use arg0, arg-1, rest1, kw:name, def, receiver, class, \
                     each, applied, file, export:name or decorator:name"
                ),
            },
            BadSelector::NoName(part) => write!(f, "`{part}` needs a name: write `{part}NAME`"),
            BadSelector::NearWord(part, near) => write!(
                f,
                "`{part}` is not a step; did you mean `{near}`? Write `field:{part}` for a field of this name"
            ),
            BadSelector::NearPrefix(part, near) => {
                write!(f, "`{part}` is not a step; did you mean `{near}:{}`?", part.split(':').nth(1).unwrap_or("NAME"))
            }
            BadSelector::Step(part) => write!(
                f,
                "`{part}` is not a step of a selector: use the name of a field, a number, {}, paramN, argN, kw:NAME or \
                 decorator:NAME",
                WORDS.map(|(word, _)| word).join(", ")
            ),
        }
    }
}

impl std::error::Error for BadSelector {}

impl std::str::FromStr for Selector {
    type Err = BadSelector;

    fn from_str(text: &str) -> Result<Selector, BadSelector> {
        let mut parts = text.split('.');
        let first = parts.next().unwrap_or("");
        if ["kw:", "export:", "decorator:"].contains(&first) {
            return Err(BadSelector::NoName(first.to_string()));
        }
        let start = match first {
            "def" => Start::Definition,
            "receiver" => Start::Receiver,
            "class" => Start::Class,
            "each" => Start::Each,
            "applied" => Start::Applied,
            "file" => Start::File,
            _ => {
                if let Some(name) = first.strip_prefix("decorator:") {
                    Start::Decorator(name.into())
                } else if let Some(name) = first.strip_prefix("export:") {
                    Start::Export(name.into())
                } else if let Some(name) = first.strip_prefix("kw:") {
                    Start::Keyword(name.into())
                } else if let Some(Ok(index)) = first.strip_prefix("rest").map(str::parse) {
                    Start::Rest(index)
                } else if let Some(Ok(index)) = first.strip_prefix("arg").map(str::parse) {
                    Start::Arg(index)
                } else {
                    return Err(BadSelector::Start(first.to_string()));
                }
            }
        };
        Ok(Selector { start, steps: parts.map(step).collect::<Result<_, _>>()? })
    }
}

/// The steps that are one word.
const WORDS: [(&str, Step); 6] = [
    ("return", Step::Return),
    ("ident", Step::Ident),
    ("doc", Step::Doc),
    ("entries", Step::Entries),
    ("kebab", Step::Kebab),
    ("bare", Step::Bare),
];

/// Reads one step of a selector: a word, a word with a number or a name, or the name of a field.
///
/// # Errors
/// The step is none of these. A field whose name resembles one of the words must be written `field:NAME`.
fn step(part: &str) -> Result<Step, BadSelector> {
    if let Some((_, step)) = WORDS.iter().find(|(word, _)| *word == part) {
        return Ok(step.clone());
    }
    if ["kw:", "field:", "decorator:"].contains(&part) {
        return Err(BadSelector::NoName(part.to_string()));
    }
    if let Some(numbered) = ["param0", "arg0"].into_iter().find(|word| word[..word.len() - 1] == *part) {
        return Err(BadSelector::NearWord(part.to_string(), numbered));
    }
    if let Some(field) = part.strip_prefix("field:") {
        return Ok(Step::Field(field.into()));
    }
    let step = step_with_argument(part);
    if !matches!(step, Step::Field(_)) {
        return Ok(step);
    }
    // In a short word, only two letters may have changed places.
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    let near = nearest(part, WORDS.map(|(word, _)| word));
    let near = near.or_else(|| WORDS.into_iter().map(|(word, _)| word).find(|word| sorted(word) == sorted(part)));
    if let Some(near) = near {
        return Err(BadSelector::NearWord(part.to_string(), near));
    }
    if let Some((word, _)) = part.split_once(':')
        && let Some(near) = nearest(word, ["decorator", "field"])
    {
        return Err(BadSelector::NearPrefix(part.to_string(), near));
    }
    match part.is_empty() || part.contains(|c: char| c.is_whitespace() || "()[]{}:,;\"'`".contains(c)) {
        true => Err(BadSelector::Step(part.to_string())),
        false => Ok(step),
    }
}

fn step_with_argument(part: &str) -> Step {
    if let Some(keyword) = part.strip_prefix("kw:") {
        return Step::Keyword(keyword.into());
    }
    if let Some(decorator) = part.strip_prefix("decorator:") {
        return Step::Decorator(decorator.into());
    }
    let numbered = |word: &str| part.strip_prefix(word).and_then(|number| number.parse().ok());
    if let Some(index) = numbered("param") {
        return Step::Param(index);
    }
    if let Some(index) = numbered("arg") {
        return Step::Arg(index);
    }
    match part.parse() {
        Ok(index) => Step::Index(index),
        Err(_) => Step::Field(part.into()),
    }
}

impl<'de> Deserialize<'de> for Selector {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn wrong(selector: &str, expected: &str) {
        let error = selector.parse::<Selector>().unwrap_err().to_string();
        assert!(error.contains(expected), "{selector}: {error}");
    }

    #[test]
    fn a_mistyped_step_is_no_field() {
        wrong("reciever", "cannot begin with `reciever`; did you mean `receiver`?");
        wrong("expotr:metadata", "did you mean `export`?");
        wrong("name", "use arg0, arg-1");
        wrong("kw:", "`kw:` needs a name");
        wrong("def.dco", "did you mean `doc`?");
        wrong("def.retrun", "did you mean `return`?");
        wrong("def.param", "did you mean `param0`?");
        wrong("def.decorater:tool", "did you mean `decorator:tool`?");
        wrong("def.decorator:", "`decorator:` needs a name");
        wrong("arg0.", "is not a step of a selector");
        assert_eq!("arg0.field:dco".parse::<Selector>().unwrap().steps, [Step::Field("dco".into())]);
        assert_eq!("arg0.code".parse::<Selector>().unwrap().steps, [Step::Field("code".into())]);
    }
}
