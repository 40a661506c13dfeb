//! The meaning of a condition for a tool's name: whether it tests the name, and whether it distinguishes two names.

use crate::client::glob_matches;
use crate::name::Name;
use crate::regex::Regex;
use crate::site::{Place, Predicate, Test};

/// The name of a tool before and after the rename.
pub(super) struct Change {
    pub(super) old: String,
    pub(super) new: String,
    /// The names are composed by a client. Nothing else has such a name, so it does not matter what the condition
    /// tests.
    pub(super) is_composed: bool,
}

/// Whether a text may contain a condition that distinguishes the two names: a word that only one of them has, a regular
/// expression, or a comparison with a value known only at run time.
pub(super) fn may_tell_apart(text: &str, change: &Change) -> bool {
    const ANY: [&str; 14] = [
        ".test(",
        ".exec(",
        ".match(",
        "re.",
        "Regex",
        "RegExp",
        ".search(",
        "fnmatch",
        "startsWith",
        "startswith",
        "starts_with",
        "endsWith",
        "endswith",
        "ends_with",
    ];
    if change.is_composed {
        return text.contains(&change.old) || text.contains("mcp__");
    }
    let (old, new) = (Name::new(&change.old), Name::new(&change.new));
    let own = |name: &Name<'_>, other: &Name<'_>| {
        let others: Vec<&str> = other.words().collect();
        name.words().filter(|word| !others.contains(word)).any(|word| text.contains(word))
    };
    own(&old, &new) || own(&new, &old) || ANY.iter().any(|word| text.contains(word))
}

/// Whether an expression has a name that suggests a tool or its name: `toolName`, `tool.name`, `n`.
pub(super) fn is_name(called: &str) -> bool {
    const WORDS: [&str; 7] = ["name", "names", "tool", "tools", "function", "fn", "func"];
    let words = Name::new(called).lower_words();
    words.iter().any(|word| WORDS.contains(&word.as_str())) || called.chars().count() == 1
}

pub(super) fn speaks_of_tools(text: &str) -> bool {
    ["tool", "Tool", "TOOL", "mcp", "MCP"].iter().any(|word| text.contains(word))
}

pub(super) fn says_tool(called: &str) -> bool {
    called.to_lowercase().contains("tool")
}

/// Returns the regular expression of a predicate; `None` if it has none, or one that is not supported.
pub(super) fn expression(predicate: &Predicate) -> Option<Regex> {
    let Test::Matches { expression, flags, is_whole } = &predicate.test else { return None };
    let expression = if *is_whole { format!("^(?:{expression})") } else { expression.clone() };
    Regex::new(&expression, flags)
}

/// Whether a predicate is true for a string; `None` if unknown.
pub(super) fn holds(predicate: &Predicate, string: &str) -> Option<bool> {
    holds_by(predicate, expression(predicate).as_ref(), string)
}

/// Like [`holds`], but takes the predicate's regular expression, so that it is compiled only once.
pub(super) fn holds_by(predicate: &Predicate, expression: Option<&Regex>, string: &str) -> Option<bool> {
    let any = |texts: &[String], fits: &dyn Fn(&str) -> bool| Some(texts.iter().any(|text| fits(text)));
    match &predicate.test {
        Test::Unknown => None,
        Test::Begins(texts) => any(texts, &|text| string.starts_with(text)),
        Test::Ends(texts) => any(texts, &|text| string.ends_with(text)),
        Test::Contains(texts) => any(texts, &|text| string.contains(text)),
        Test::Part(texts) => any(texts, &|text| is_part(string, text)),
        Test::Matches { .. } => expression?.is_match(string),
        // A computed text may list several names.
        Test::Computed(texts) => {
            let is_between = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '|');
            any(texts, &|text| text.split(is_between).any(|one| one == string))
        }
        Test::Is(texts, _) => {
            let is_it = |text: &str| text == string || text.contains('*') && glob_matches(text, string);
            Some(texts.iter().any(|said| is_it(&said.text)))
        }
    }
}

/// Whether splitting or slicing a string may return `text`.
pub(super) fn is_part(string: &str, text: &str) -> bool {
    let continues = |rest: &str| rest.starts_with(char::is_alphanumeric) && text.ends_with(char::is_alphanumeric);
    let mut places = string.match_indices(text);
    !text.is_empty()
        && places
            .any(|(at, _)| !string[..at].ends_with(char::is_alphanumeric) && !continues(&string[at + text.len()..]))
}

/// Whether a predicate tests a tool's name: either the name of the tested expression suggests that, in a file about
/// tools (`speaks_of_tools`), or the test is so specific that it can hardly be about anything else.
pub(super) fn is_of(predicate: &Predicate, change: &Change, speaks_of_tools: bool) -> bool {
    let is_long = |texts: &[String]| texts.iter().any(|text| text.len() > 2 && text.contains(['_', '-', '.']));
    let subject = predicate.subject.as_str();
    let called = subject.rsplit(['(', ')']).find(|part| !part.is_empty()).unwrap_or(subject);
    let tells_much = || match &predicate.test {
        Test::Begins(texts) | Test::Ends(texts) | Test::Contains(texts) => is_long(texts),
        Test::Part(_) | Test::Is(_, Place::Removal(_)) => true,
        Test::Is(..) | Test::Computed(_) | Test::Unknown => false,
        Test::Matches { expression, .. } => {
            let expression = expression.to_lowercase();
            let begins = |name: &str| {
                let signs = ['_', '-', '.'];
                let first = name.split_inclusive(signs).next().filter(|first| first.ends_with(signs));
                first.is_some_and(|first| expression.contains(&first.to_lowercase()))
            };
            begins(&change.old) || begins(&change.new)
        }
    };
    // A name of one word may be the name of anything: `user.name`.
    let is_word = matches!(predicate.test, Test::Is(_, Place::List | Place::Comparison { .. } | Place::Case))
        && Name::new(&change.old).words().len() < 2
        && called.contains('.')
        && !says_tool(called);
    // A variable of one letter may be anything, and so may a text of one or two characters.
    let is_short = called.chars().count() == 1
        && match &predicate.test {
            Test::Begins(texts) | Test::Ends(texts) | Test::Contains(texts) | Test::Part(texts) => {
                texts.iter().all(|text| text.chars().count() < 3)
            }
            _ => false,
        };
    let is_named = (speaks_of_tools || says_tool(called)) && !is_short;
    change.is_composed || !is_word && is_named && is_name(called) || tells_much()
}

/// Whether a condition compares something with the whole old name, and that name has several words.
pub(super) fn is_whole(predicate: &Predicate, change: &Change) -> bool {
    let Test::Is(texts, Place::List | Place::Comparison { .. } | Place::Case) = &predicate.test else { return false };
    Name::new(&change.old).words().len() > 1 && texts.iter().any(|said| said.text == change.old)
}

/// Whether a condition gives different results for the two names. Patterns of composed names are searched for in every
/// text by [`guards`](crate::rename::guards), not here.
pub(super) fn tells_apart(predicate: &Predicate, change: &Change, speaks_of_tools: bool) -> bool {
    may_be_of(predicate, change, speaks_of_tools) && differs(predicate, change)
}

/// Whether a condition that is about the tool's name gives different results for the two names.
pub(super) fn differs(predicate: &Predicate, change: &Change) -> bool {
    let expression = expression(predicate);
    let holds = |name: &str| holds_by(predicate, expression.as_ref(), name);
    let (Some(old), Some(new)) = (holds(&change.old), holds(&change.new)) else { return false };
    // Code that compares something with the new name was written for that name.
    let is_meant = new && matches!(predicate.test, Test::Is(_, Place::Comparison { .. } | Place::Case));
    old != new && !is_meant
}

/// Whether a condition may be about the tool's name at all.
pub(super) fn may_be_of(predicate: &Predicate, change: &Change, speaks_of_tools: bool) -> bool {
    let is_pattern = change.is_composed && !matches!(predicate.test, Test::Is(..));
    !is_pattern && is_of(predicate, change, speaks_of_tools)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{self};
    use crate::syntax::{self, Language};

    /// Returns the source of each condition that distinguishes `drop_note` from `erase_note`.
    fn tells_apart(language: Language, text: &str) -> Vec<String> {
        let change = Change { old: "drop_note".to_string(), new: "erase_note".to_string(), is_composed: false };
        let tree = syntax::parse(language, text, None).unwrap();
        let mut all = site::predicates(&tree, text, language.family().unwrap(), &is_name, &[]);
        all.retain(|predicate| super::tells_apart(predicate, &change, true));
        all.into_iter().map(|predicate| text[predicate.span.range()].to_string()).collect()
    }

    #[track_caller]
    fn check(language: Language, text: &str, expected: &[&str]) {
        assert_eq!(tells_apart(language, text), expected, "{text}");
    }

    #[test]
    fn beginnings_ends_and_expressions_are_read_in_typescript() {
        let typescript = |text: &str, expected: &[&str]| check(Language::TypeScript, text, expected);
        typescript("ok(!name.startsWith('drop_'))", &["name.startsWith('drop_')"]);
        typescript("ok(tool.name.endsWith('drop_note'))", &["tool.name.endsWith('drop_note')"]);
        typescript("/^drop/.test(tool.name)", &["/^drop/"]);
        typescript("const DROPS = /^drop_/i;", &["/^drop_/i"]);
        typescript("const DROPS = /^(drop|purge)/; DROPS.test(tool.name)", &["DROPS.test(tool.name)"]);
        typescript("new RegExp('^drop_').test(x)", &["new RegExp('^drop_')"]);
        typescript("name.replace(/^drop_/, '')", &[]);
        typescript("name.startsWith('read_')", &[]);
        typescript("path.startsWith('drop')", &[]);
    }

    #[test]
    fn constants_and_lists_lead_to_their_literals() {
        let typescript = |text: &str, expected: &[&str]| check(Language::TypeScript, text, expected);
        typescript("const P = 'drop_'; name.startsWith(P)", &["name.startsWith(P)"]);
        typescript("const P = ['drop_', 'x_']; P.some((p) => name.startsWith(p))", &["name.startsWith(p)"]);
        typescript("for (const p of ['drop_']) if (toolName.startsWith(p)) no();", &["toolName.startsWith(p)"]);
        typescript("const B = new Set(['drop_note'] as const); B.has(name)", &["B.has(name)"]);
        typescript("B.has(name)", &[]);
        check(Language::Python, "P = ('drop_', 'x_')\nany(name.startswith(p) for p in P)\n", &["name.startswith(p)"]);
        check(
            Language::Rust,
            "fn f() { P.iter().any(|p| name.starts_with(p)) } const P: &[&str] = &[\"drop_\"];",
            &["name.starts_with(p)"],
        );
    }

    #[test]
    fn parts_of_a_name_are_followed_to_where_they_are_compared() {
        let typescript = |text: &str, expected: &[&str]| check(Language::TypeScript, text, expected);
        typescript("name.split('_')[0] !== 'drop'", &["name.split('_')[0] !== 'drop'"]);
        typescript("const [verb] = name.split('_'); if (verb === 'drop') no();", &["verb === 'drop'"]);
        typescript("['drop'].includes(toolName.split('_')[0])", &["['drop'].includes(toolName.split('_')[0])"]);
        typescript("switch (name.split('_')[0]) { case 'drop': no(); }", &["case 'drop': no();"]);
        typescript("verb === 'drop'", &[]);
        // Splitting a list of names gives whole names.
        typescript("const [tool] = tools.split(', '); if (tool === 'drop_note') no();", &["tool === 'drop_note'"]);
        typescript("const [tool] = tools.split(','); if (tool === 'drop') no();", &[]);
        check(Language::Python, "name[:5] == 'drop_'\n", &["name[:5] == 'drop_'"]);
        check(Language::Python, "verb = name.split('_')[0]\nverb in {'drop', 'x'}\n", &["verb in {'drop', 'x'}"]);
        check(
            Language::Rust,
            "fn f() { name.split('_').next() == Some(\"drop\") }",
            &["name.split('_').next() == Some(\"drop\")"],
        );
    }

    #[test]
    fn whole_names_are_read_with_the_places_of_their_literals() {
        check(Language::TypeScript, "name === 'drop_note'", &["name === 'drop_note'"]);
        check(Language::Python, "D = {'drop_note'}\nname not in D\n", &["name not in D"]);
        check(Language::Python, "import re\nre.match(r'drop_.*', name)\n", &["re.match(r'drop_.*', name)"]);
        check(Language::Rust, "fn f() { name == \"drop_note\" }", &["name == \"drop_note\""]);
    }
}
