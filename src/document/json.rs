//! JSON, with or without comments and trailing commas.
//!
//! A valid document is read by a fast parser that gives up at the first error: settings grow to thousands of entries,
//! and every keystroke reads them again. A document with errors is read from its syntax tree, as far as possible.

use jsonc_parser::ast;
use jsonc_parser::common::Range;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use tree_sitter::Tree;

use super::{Fault, Node, Text, Value};
use crate::syntax::{self, Language};
use crate::text::{Edit, Span};

/// The maximum nesting depth of a document; deeper values are left out.
const MAX_DEPTH: u32 = 128;

/// The contents of a JSON document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Json {
    /// The value, as far as it can be read.
    pub root: Option<Node>,
    /// The first place that is not valid JSON.
    pub fault: Option<Fault>,
    /// The directives in comments: the text after `toolnames:`, and its span.
    pub directives: Vec<(Span, String)>,
}

/// The maximum number of comments, counted by `//`, in a document that has errors or contains directives.
const MAX_COMMENTS: usize = 2_000;
/// The maximum size in bytes of a document that has errors or contains directives; a larger one is not read, since
/// recovery takes a second for each MiB.
const MAX_RECOVERED: usize = 1 << 20;

/// Reads a JSON document.
pub fn parse_json(text: &str) -> Json {
    let speaks = text.contains("toolnames:");
    if !speaks && let Some(root) = right(text) {
        return Json { root: Some(root), ..Json::default() };
    }
    if text.len() > MAX_RECOVERED {
        let message =
            format!("not valid JSON: a file with errors is not read if it is larger than {} MiB", MAX_RECOVERED >> 20);
        return Json { fault: Some(Fault { span: Span::at(0), message }), ..Json::default() };
    }
    // At each error, the grammar goes through all comments before it.
    let has_few_comments = text.matches("//").take(MAX_COMMENTS + 1).count() <= MAX_COMMENTS;
    let tree = has_few_comments.then(|| syntax::parse(Language::Json, text, None)).flatten();
    let Some(tree) = tree else {
        let message = format!("not valid JSON, and {} because of its errors", syntax::TOO_MUCH_WORK);
        return Json { fault: Some(Fault { span: Span::at(0), message }), ..Json::default() };
    };
    let (root, fault) = visible(&tree, text);
    let directives = if speaks { directives(&tree, text) } else { Vec::new() };
    Json { root, fault, directives }
}

/// Returns the edit that closes the string around a byte offset if it is still open at the end of the line; `None` if
/// there is no such string. The quote replaces the line break, so that nothing after it moves.
pub(crate) fn closing_quote(text: &str, offset: u32) -> Option<Edit> {
    let start = text.get(..offset as usize)?.rfind('\n').map_or(0, |newline| newline + 1);
    let line = text[start..].split_inclusive('\n').next().unwrap_or_default();
    let body = line.trim_end_matches(['\r', '\n']);
    let (mut opened, mut escaped) = (None, false);
    for (at, c) in body.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if opened.is_some() => escaped = true,
            '"' => opened = if opened.is_some() { None } else { Some(at) },
            _ => {}
        }
    }
    let end = start + body.len();
    let is_inside = opened.is_some_and(|opened| start + opened < offset as usize);
    is_inside.then(|| Edit::new(Span::new(end, end + usize::from(line.len() > body.len())), "\""))
}

/// Reads a document that has no errors; `None` if it has any.
fn right(text: &str) -> Option<Node> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    from_ast(&parse_to_ast(text, &CollectOptions::default(), &options).ok()?.value?, text, 0)
}

fn from_ast(value: &ast::Value<'_>, text: &str, depth: u32) -> Option<Node> {
    if depth > MAX_DEPTH {
        return None;
    }
    let (value, range) = match value {
        ast::Value::StringLit(literal) => (Value::String(string_at(literal.range, text)), literal.range),
        ast::Value::NumberLit(literal) => (Value::Number(literal.value.to_string()), literal.range),
        ast::Value::BooleanLit(literal) => (Value::Boolean(literal.value), literal.range),
        ast::Value::NullKeyword(keyword) => (Value::Other, keyword.range),
        ast::Value::Array(array) => {
            let elements = array.elements.iter().filter_map(|element| from_ast(element, text, depth + 1));
            (Value::Array(elements.collect()), array.range)
        }
        ast::Value::Object(object) => {
            let entry = |property: &ast::ObjectProp<'_>| {
                let ast::ObjectPropName::String(key) = &property.name else { return None };
                Some((string_at(key.range, text), from_ast(&property.value, text, depth + 1)?))
            };
            (Value::Object(object.properties.iter().filter_map(entry).collect()), object.range)
        }
    };
    Some(Node { value, span: Span::new(range.start, range.end) })
}

/// Reads the value and the first fault of a document from its syntax tree.
fn visible(tree: &Tree, text: &str) -> (Option<Node>, Option<Fault>) {
    let root = tree.root_node();
    if root.is_error() {
        return (inside_error(root, text), first_error(root));
    }
    let mut cursor = root.walk();
    let value = root
        .named_children(&mut cursor)
        .filter(|child| child.kind() != "comment")
        .find_map(|child| if child.is_error() { inside_error(child, text) } else { node(child, text, 0) });
    (value, first_error(root))
}

fn node(node: tree_sitter::Node<'_>, text: &str, depth: u32) -> Option<Node> {
    // The node that the grammar inserts after a trailing comma is not a value.
    if depth > MAX_DEPTH || node.is_missing() {
        return None;
    }
    let value = match node.kind() {
        "string" => Value::String(string(node, text)),
        "array" => {
            let mut cursor = node.walk();
            let children = node.named_children(&mut cursor);
            Value::Array(children.filter_map(|child| self::node(child, text, depth + 1)).collect())
        }
        "object" => Value::Object(entries(node, text, depth)),
        "true" => Value::Boolean(true),
        "false" => Value::Boolean(false),
        "number" => Value::Number(text.get(node.byte_range()).unwrap_or("").to_string()),
        "null" => Value::Other,
        _ => return None,
    };
    Some(Node { value, span: Span::new(node.start_byte(), node.end_byte()) })
}

fn entries(object: tree_sitter::Node<'_>, text: &str, depth: u32) -> Vec<(Text, Node)> {
    let mut cursor = object.walk();
    let mut entries = Vec::new();
    for pair in object.named_children(&mut cursor).filter(|child| child.kind() == "pair") {
        let key = pair.child_by_field_name("key").filter(|key| key.kind() == "string");
        let value = pair.child_by_field_name("value").and_then(|value| node(value, text, depth + 1));
        if let (Some(key), Some(value)) = (key, value) {
            entries.push((string(key, text), value));
        }
    }
    entries
}

/// An object or array that is not closed: its key, and its contents.
type Unclosed<T> = (Option<Text>, Vec<T>);

/// Reads the objects and arrays that are not closed in a document that is cut off. Each of them is the value of the
/// last key before it.
fn inside_error(error: tree_sitter::Node<'_>, text: &str) -> Option<Node> {
    let mut cursor = error.walk();
    let mut open: Vec<Unclosed<(Text, Node)>> = Vec::new();
    let mut arrays: Vec<Unclosed<Node>> = Vec::new();
    let mut pending: Option<Text> = None;
    let mut in_array = Vec::new();
    for child in error.children(&mut cursor) {
        if in_array.len() > MAX_DEPTH as usize {
            break;
        }
        match child.kind() {
            "{" => {
                open.push((pending.take(), Vec::new()));
                in_array.push(false);
            }
            "[" => {
                arrays.push((pending.take(), Vec::new()));
                in_array.push(true);
            }
            "pair" => {
                let key = child.child_by_field_name("key").filter(|key| key.kind() == "string");
                let value = child.child_by_field_name("value").and_then(|value| node(value, text, 1));
                if let (Some(key), Some(value), Some((_, entries))) = (key, value, open.last_mut()) {
                    entries.push((string(key, text), value));
                }
            }
            "string" if in_array.last() == Some(&true) => {
                if let (Some(value), Some((_, elements))) = (node(child, text, 1), arrays.last_mut()) {
                    elements.push(value);
                }
            }
            "string" => pending = Some(string(child, text)),
            _ => {}
        }
    }
    let span = Span::new(error.start_byte(), error.end_byte());
    let mut inner: Option<(Option<Text>, Node)> = None;
    for is_array in in_array.into_iter().rev() {
        if is_array {
            let (key, mut elements) = arrays.pop()?;
            elements.extend(inner.take().map(|(_, node)| node));
            inner = Some((key, Node { value: Value::Array(elements), span }));
        } else {
            let (key, mut entries) = open.pop()?;
            if let Some((Some(inner_key), value)) = inner.take() {
                entries.push((inner_key, value));
            }
            inner = Some((key, Node { value: Value::Object(entries), span }));
        }
    }
    inner.map(|(_, node)| node)
}

fn string(node: tree_sitter::Node<'_>, text: &str) -> Text {
    string_at(Range { start: node.start_byte(), end: node.end_byte() }, text)
}

/// Reads the string at a range that includes its quotes.
fn string_at(place: Range, text: &str) -> Text {
    let span = Span::new(place.start + 1, place.end.saturating_sub(1).max(place.start + 1));
    let raw = text.get(span.range()).unwrap_or("");
    if !raw.contains('\\') {
        return Text { text: raw.to_string(), span, verbatim: true };
    }
    let whole = text.get(place.start..place.end).unwrap_or("");
    let decoded = serde_json::from_str(whole).unwrap_or_else(|_| raw.to_string());
    Text { text: decoded, span, verbatim: false }
}

/// Returns the first place that the grammar could not parse. For a document that is cut off, this is its end.
fn first_error<'tree>(root: tree_sitter::Node<'tree>) -> Option<Fault> {
    // No recursion: a document can nest deeper than the stack allows.
    enum Step<'t> {
        /// A node, with the kinds of the nodes before and after it: asking a node for its siblings walks from the root.
        Enter(tree_sitter::Node<'t>, [&'t str; 2]),
        Leave(tree_sitter::Node<'t>),
    }
    if root.is_error() {
        let span = Span::at(root.end_byte());
        return Some(Fault { span, message: "the file ends in the middle of a value".into() });
    }
    let mut steps = vec![Step::Enter(root, ["", ""])];
    while let Some(step) = steps.pop() {
        match step {
            Step::Enter(node, around) if !node.has_error() || is_trailing_comma(node, around) => {}
            Step::Enter(node, _) if node.is_missing() => {
                return Some(Fault {
                    span: Span::at(node.start_byte()),
                    message: "a value or a delimiter is missing".into(),
                });
            }
            Step::Enter(node, _) => {
                steps.push(Step::Leave(node));
                let mut cursor = node.walk();
                let children: Vec<_> = node.children(&mut cursor).filter(|child| child.kind() != "comment").collect();
                let kinds: Vec<&'tree str> = children.iter().map(tree_sitter::Node::kind).collect();
                let kind = |index: Option<usize>| index.and_then(|index| kinds.get(index)).copied().unwrap_or("");
                let enter =
                    |index: usize| Step::Enter(children[index], [kind(index.checked_sub(1)), kind(Some(index + 1))]);
                steps.extend((0..children.len()).rev().map(enter));
            }
            Step::Leave(node) if node.is_error() => {
                let span = Span::new(node.start_byte(), node.end_byte());
                return Some(Fault { span, message: "syntax error".into() });
            }
            Step::Leave(_) => {}
        }
    }
    None
}

/// Whether a node is a comma before a closing bracket. This is not valid JSON, but every reader of settings accepts it.
fn is_trailing_comma(node: tree_sitter::Node<'_>, [before, behind]: [&str; 2]) -> bool {
    let mut cursor = node.walk();
    let mut parts = node.children(&mut cursor).filter(|child| child.kind() != "comment");
    let is_comma = node.is_error() && parts.next().is_some_and(|child| child.kind() == ",") && parts.next().is_none();
    let after_comma = node.is_missing() && before == ",";
    matches!(behind, "]" | "}") && (is_comma || after_comma)
}

/// The directives in the comments of a document: the text after `toolnames:`, and its span.
fn directives(tree: &Tree, text: &str) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.kind() == "comment" {
            let comment = text.get(node.byte_range()).unwrap_or("");
            if let Some((from, to)) = crate::directive::within(comment) {
                let span = Span::new(node.start_byte() + from, node.start_byte() + to);
                found.push((span, comment[from..to].to_string()));
            }
        }
        if cursor.goto_first_child() || cursor.goto_next_sibling() {
            continue;
        }
        while cursor.goto_parent() {
            if cursor.goto_next_sibling() {
                break;
            }
        }
        if cursor.node() == tree.root_node() {
            return found;
        }
    }
}

/// Returns the spans to delete in order to remove an element of a list with one comma and the white space around it,
/// but without any comments. Empty if this cannot be decided: in lists whose elements are separated by comments but not
/// by commas.
pub(crate) fn removal(elements: &[Span], index: usize, text: &str) -> Vec<Span> {
    let whole = elements[index];
    let before = index.checked_sub(1).map(|index| Span { start: elements[index].end, end: whole.start });
    let after = elements.get(index + 1).map(|next| Span { start: whole.end, end: next.start });
    // The gap between two elements contains white space, a comma, and perhaps comments.
    let plain = |gap: &Span| !text.get(gap.range()).unwrap_or("/").contains(['/', '#']);
    if let Some(gap) = before.filter(plain) {
        return vec![Span { start: gap.start, end: whole.end }];
    }
    if let Some(gap) = after.filter(plain) {
        return vec![Span { start: whole.start, end: gap.end }];
    }
    // After the last element, a comma belongs to the list only if it comes next.
    let rest = Span { start: whole.end, end: text.len() as u32 };
    let behind = comma_in(text, after.unwrap_or(rest), after.is_none());
    match (behind.or_else(|| comma_in(text, before?, false)), elements.len()) {
        (Some(comma), _) => vec![whole, comma],
        (None, 1) if !text[..whole.start as usize].trim_end().ends_with('-') => vec![whole],
        (None, _) => Vec::new(),
    }
}

/// Returns the first comma of a range that is outside comments; with `only_next`, only if nothing but white space and
/// comments comes before it.
fn comma_in(text: &str, within: Span, only_next: bool) -> Option<Span> {
    let mut at = within.start as usize;
    let end = within.end as usize;
    while at < end {
        let rest = text.get(at..end)?;
        let c = rest.chars().next()?;
        at += match c {
            ',' => return Some(Span::new(at, at + 1)),
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            c if c.is_whitespace() || !only_next => c.len_utf8(),
            _ => return None,
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> (Option<Node>, Option<Fault>) {
        let Json { root, fault, .. } = parse_json(text);
        (root, fault)
    }

    /// Generates documents with comments and commas in every possible position, some of them with an error.
    fn document() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            r#""[a-z_*é \\"]{0,8}""#.prop_map(String::from),
            prop::sample::select(vec!["1", "-2.5e3", "true", "false", "null", r#""\u00e9""#, "{}", "[]"])
                .prop_map(String::from),
        ];
        let gap = || prop_oneof![4 => Just(""), 1 => Just(" // why\n"), 1 => Just("/* , ] */"), 1 => Just("\r\n\t")];
        leaf.prop_recursive(4, 40, 6, move |inner| {
            let elements = prop::collection::vec((gap(), inner.clone(), gap()), 0..6);
            let pairs = prop::collection::vec(("[a-c]{0,2}", gap(), inner, gap()), 0..6);
            let end = || prop_oneof![3 => Just(""), 1 => Just(","), 1 => Just(",,"), 1 => Just(" x")];
            prop_oneof![
                (elements, end()).prop_map(|(elements, end)| {
                    let elements: Vec<String> = elements.iter().map(|(a, it, b)| format!("{a}{it}{b}")).collect();
                    format!("[{}{end}]", elements.join(","))
                }),
                (pairs, end()).prop_map(|(pairs, end)| {
                    let pairs: Vec<String> =
                        pairs.iter().map(|(key, a, it, b)| format!("{a}\"{key}\":{it}{b}")).collect();
                    format!("{{{}{end}}}", pairs.join(","))
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_right_reads_the_same_in_both_ways(text in document()) {
            if let Some(root) = right(&text) {
                let tree = syntax::parse(Language::Json, &text, None).unwrap();
                prop_assert_eq!(visible(&tree, &text), (Some(root), None));
            }
        }
    }

    fn list(node: &Option<Node>, path: &[&str]) -> Vec<String> {
        let node = node.as_ref().unwrap().at(path.iter().copied()).unwrap();
        node.elements().iter().filter_map(|node| node.as_str().map(str::to_string)).collect()
    }

    #[test]
    fn comments_and_trailing_commas_are_read_as_editors_read_them() {
        let (node, fault) = read("{ // why\n \"a\": [\"x\", /* no */ \"y\",],\n}");
        assert_eq!(list(&node, &["a"]), ["x", "y"]);
        assert_eq!(fault, None);
    }

    #[test]
    fn a_document_cut_off_yields_what_stands_before_the_cut() {
        let (node, fault) = read(r#"{"permissions": {"deny": ["z"], "allow": ["x", "y""#);
        assert!(fault.is_some());
        assert_eq!(list(&node, &["permissions", "deny"]), ["z"]);
        assert_eq!(list(&node, &["permissions", "allow"]), ["x", "y"]);
    }

    #[test]
    fn an_element_goes_with_its_comma_and_without_comments() {
        let without = |text: &str, index: usize| {
            let (node, _) = read(text);
            let elements: Vec<Span> = node.unwrap().elements().iter().map(|node| node.span).collect();
            let spans = removal(&elements, index, text);
            let edits: Vec<crate::text::Edit> =
                spans.into_iter().map(|span| crate::text::Edit::new(span, "")).collect();
            crate::text::apply_edits(text, &edits).unwrap()
        };
        assert_eq!(without(r#"["a", "b", "c"]"#, 0), r#"["b", "c"]"#);
        assert_eq!(without(r#"["a", "b", "c"]"#, 1), r#"["a", "c"]"#);
        assert_eq!(without(r#"["a", "b", "c"]"#, 2), r#"["a", "b"]"#);
        assert_eq!(without("[\n  \"a\",\n  \"b\",\n]", 1), "[\n  \"a\",\n]");
        assert_eq!(without(r#"["a"]"#, 0), "[]");
        assert_eq!(without("[\"a\", // why\n \"b\", \"c\"]", 1), "[\"a\", // why\n \"c\"]");
        assert_eq!(without("[\"a\", /* , */ \"b\" /* , */, \"c\"]", 1), "[\"a\", /* , */  /* , */ \"c\"]");
        assert_eq!(without("[\"a\", // why\n \"b\" // too\n]", 1), "[\"a\" // why\n  // too\n]");
        assert_eq!(without("[\"a\" // why\n, \"b\" // too\n, \"c\"]", 1), "[\"a\" // why\n,  // too\n \"c\"]");
    }

    #[test]
    fn escapes_are_read_and_marked() {
        let (node, _) = read(r#"["a\u0062c", "d"]"#);
        let node = node.unwrap();
        let first = node.elements()[0].as_text().unwrap();
        assert_eq!((first.text.as_str(), first.verbatim), ("abc", false));
        assert!(node.elements()[1].as_text().unwrap().verbatim);
    }
}
