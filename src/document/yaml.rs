//! YAML, as far as settings need it: mappings, sequences and scalars, each with its span; and the front matter of
//! Markdown documents.

use std::cell::Cell;

use super::{Node, Text, Value};
use crate::syntax::{self, Language};
use crate::text::Span;

/// The maximum nesting depth of a document; deeper values are left out.
const MAX_DEPTH: u32 = 64;
/// The maximum number of aliases that are followed in a document.
const MOST_ALIASES: u32 = 64;

/// Returns the YAML between the lines of dashes at the beginning of a document, and its byte offset; `None` if the
/// document does not begin with front matter.
fn front_matter(text: &str) -> Option<(&str, usize)> {
    let bare = text.strip_prefix('\u{feff}').unwrap_or(text);
    let start = text.len() - bare.len();
    let rest = bare.strip_prefix("---")?.trim_start_matches([' ', '\t']);
    let rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n'))?;
    let from = start + (bare.len() - rest.len());
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Some((&rest[..at], from));
        }
        at += line.len();
    }
    None
}

/// Reads a YAML document; `None` if nothing of it can be read.
pub fn parse_yaml(text: &str) -> Option<Node> {
    read(text, 0)
}

/// Reads the front matter of a Markdown document; `None` if there is none, or nothing of it can be read.
pub fn parse_front_matter(text: &str) -> Option<Node> {
    let (yaml, from) = front_matter(text)?;
    read(yaml, from)
}

/// Reads YAML that begins at the byte offset `from` of its file.
fn read(yaml: &str, from: usize) -> Option<Node> {
    let tree = syntax::parse(Language::Yaml, yaml, None)?;
    let reader = Reader { text: yaml, from, aliases: Cell::new(MOST_ALIASES) };
    if !tree.root_node().has_error() {
        return reader.first(tree.root_node(), 0);
    }
    // The document has an error. Descriptions often contain a colon without being quoted, and clients still read the
    // other entries. Also, while one entry is being typed, the others must not disappear.
    let mut entries = Vec::new();
    for (start, end) in chunks(yaml) {
        let chunk = &yaml[start..end];
        let Some(tree) = syntax::parse(Language::Yaml, chunk, None).filter(|tree| !tree.root_node().has_error()) else {
            continue;
        };
        let reader = Reader { text: chunk, from: from + start, aliases: Cell::new(MOST_ALIASES) };
        if let Some(Node { value: Value::Object(more), .. }) = reader.first(tree.root_node(), 0) {
            entries.extend(more);
        }
    }
    Some(Node { value: Value::Object(entries), span: Span::new(from, from + yaml.len()) })
}

/// Returns the byte ranges of the entries of a mapping, each of which begins with a key at the start of a line.
fn chunks(yaml: &str) -> Vec<(usize, usize)> {
    let mut starts = Vec::new();
    let mut at = 0;
    for line in yaml.split_inclusive('\n') {
        let key = line.split(':').next().filter(|key| key.len() < line.trim_end().len());
        let is_key = |key: &str| !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
        if key.is_some_and(is_key) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([yaml.len()]);
    starts.iter().copied().zip(ends).collect()
}

struct Reader<'t> {
    text: &'t str,
    /// The byte offset in the file at which the YAML begins.
    from: usize,
    /// The number of aliases that may still be followed.
    aliases: Cell<u32>,
}

impl Reader<'_> {
    /// Reads the value inside a node that only wraps another one.
    fn first(&self, node: tree_sitter::Node<'_>, depth: u32) -> Option<Node> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).find_map(|child| self.node(child, depth))
    }

    fn span(&self, node: tree_sitter::Node<'_>) -> Span {
        Span::new(self.from + node.start_byte(), self.from + node.end_byte())
    }

    fn node(&self, node: tree_sitter::Node<'_>, depth: u32) -> Option<Node> {
        if depth > MAX_DEPTH {
            return None;
        }
        let value = match node.kind() {
            "document" | "block_node" | "flow_node" => return self.first(node, depth + 1),
            "block_mapping" | "flow_mapping" => Value::Object(self.entries(node, depth)),
            "block_sequence" | "flow_sequence" => {
                let mut cursor = node.walk();
                let children = node.named_children(&mut cursor);
                let elements = children.filter_map(|child| match child.kind() {
                    "block_sequence_item" => self.first(child, depth + 1),
                    _ => self.node(child, depth + 1),
                });
                Value::Array(elements.collect())
            }
            "plain_scalar" => return self.plain(node),
            "block_scalar" => return self.block(node),
            "alias" => return self.repeated(node, depth),
            "double_quote_scalar" | "single_quote_scalar" => Value::String(self.quoted(node)),
            _ => return None,
        };
        Some(Node { value, span: self.span(node) })
    }

    fn entries(&self, mapping: tree_sitter::Node<'_>, depth: u32) -> Vec<(Text, Node)> {
        let mut cursor = mapping.walk();
        let mut entries = Vec::new();
        for pair in mapping.named_children(&mut cursor) {
            let key = pair.child_by_field_name("key").and_then(|key| self.node(key, depth + 1));
            let value = pair.child_by_field_name("value").and_then(|value| self.node(value, depth + 1));
            if let (Some(Node { value: Value::String(key), .. }), Some(value)) = (key, value) {
                entries.push((key, value));
            }
        }
        entries
    }

    /// Reads a scalar without quotes: a string, unless it is a boolean, a number or null.
    fn plain(&self, node: tree_sitter::Node<'_>) -> Option<Node> {
        let span = self.span(node);
        let written = self.text.get(node.byte_range())?;
        let kind = node.named_child(0).map_or("string_scalar", |inner| inner.kind());
        let value = match kind {
            "boolean_scalar" => Value::Boolean(written.eq_ignore_ascii_case("true")),
            "integer_scalar" | "float_scalar" => Value::Number(written.to_string()),
            "null_scalar" => Value::Other,
            // In a scalar of several lines, a line break with the spaces around it means a space.
            _ => Value::String(Text { text: written.to_string(), span, verbatim: true }),
        };
        Some(Node { value, span })
    }

    /// Reads the lines of a block, `|` or `>`, as they are written, without the white space around them.
    fn block(&self, node: tree_sitter::Node<'_>) -> Option<Node> {
        let written = self.text.get(node.byte_range())?;
        let (_, lines) = written.split_once('\n')?;
        let text = lines.trim();
        let start = node.end_byte() - lines.trim_start().len();
        let span = Span::new(self.from + start, self.from + start + text.len());
        Some(Node { value: Value::String(Text { text: text.to_string(), span, verbatim: true }), span })
    }

    /// Reads what `*name` repeats: the node with the anchor `&name` before it. What that repeats itself is left out.
    fn repeated(&self, alias: tree_sitter::Node<'_>, depth: u32) -> Option<Node> {
        /// The maximum depth to which an anchored node is read.
        const DEPTH: u32 = 4;
        let left = self.aliases.get().checked_sub(1).filter(|_| depth + DEPTH < MAX_DEPTH)?;
        self.aliases.set(left);
        let name = self.text.get(alias.byte_range())?.strip_prefix('*')?;
        let mut anchored: Option<tree_sitter::Node<'_>> = None;
        let mut open = vec![std::iter::successors(Some(alias), |node| node.parent()).last()?];
        while let Some(node) = open.pop() {
            let written = self.text.get(node.byte_range()).and_then(|written| written.strip_prefix('&'));
            let is_before = node.start_byte() < alias.start_byte();
            let is_later = anchored.is_none_or(|known| known.start_byte() < node.start_byte());
            if node.kind() == "anchor" && is_before && is_later && written == Some(name) {
                anchored = Some(node);
            }
            let mut cursor = node.walk();
            open.extend(node.named_children(&mut cursor));
        }
        let mut found = self.first(anchored?.parent()?, MAX_DEPTH - DEPTH)?;
        // What is written elsewhere cannot be changed here.
        let mut open = vec![&mut found];
        while let Some(node) = open.pop() {
            match &mut node.value {
                Value::String(text) => text.verbatim = false,
                Value::Array(elements) => open.extend(elements),
                _ => {}
            }
        }
        Some(found)
    }

    fn quoted(&self, node: tree_sitter::Node<'_>) -> Text {
        let whole = self.span(node);
        let span = Span { start: whole.start + 1, end: whole.end.saturating_sub(1).max(whole.start + 1) };
        let written = self.text.get(node.start_byte() + 1..node.end_byte().saturating_sub(1)).unwrap_or_default();
        let is_double = node.kind() == "double_quote_scalar";
        match is_double && written.contains('\\') {
            true => Text { text: unescaped(written), span, verbatim: false },
            false => {
                let verbatim =
                    is_double && !written.contains('\n') || !written.contains(['\\', '\n']) && !written.contains("''");
                Text { text: if is_double { written.to_string() } else { written.replace("''", "'") }, span, verbatim }
            }
        }
    }
}

/// Decodes a double-quoted scalar. `\x5f` and the escapes of JSON are supported; a scalar with any other escape is
/// returned as written.
fn unescaped(written: &str) -> String {
    let json = written.replace("\\x", "\\u00").replace('\n', " ");
    serde_json::from_str(&format!("\"{json}\"")).unwrap_or_else(|_| written.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_read_with_its_places() {
        let text = "---\nname: a\ntools: [Read, 'mcp__s__t']\nmore:\n  - x # why\n  - \"y\"\n---\n\n# Text\n---\n";
        let node = parse_front_matter(text).unwrap();
        let words = |key: &str| -> Vec<String> {
            let node = node.get(key).unwrap();
            node.elements().iter().filter_map(|node| node.as_str().map(str::to_string)).collect()
        };
        assert_eq!(node.get("name").unwrap().as_str(), Some("a"));
        assert_eq!(words("tools"), ["Read", "mcp__s__t"]);
        assert_eq!(words("more"), ["x", "y"]);
        let tool = node.get("tools").unwrap().elements()[1].as_text().unwrap();
        assert_eq!(&text[tool.span.range()], "mcp__s__t");
    }

    #[test]
    fn a_colon_in_a_description_does_not_hide_what_follows() {
        let text =
            "---\nname: a\ndescription: Use it. Examples: <example>Context: x</example>\ntools: Read, mcp__s__t\n---\n";
        let node = parse_front_matter(text).unwrap();
        let tools = node.get("tools").unwrap().as_text().unwrap();
        assert_eq!(&text[tools.span.range()], "Read, mcp__s__t");
    }

    #[test]
    fn what_does_not_begin_with_it_has_none() {
        assert_eq!(parse_front_matter("# Text\n---\na: b\n---\n"), None);
        assert_eq!(parse_front_matter("---\nnever: closed\n"), None);
        assert_eq!(parse_front_matter(""), None);
    }
}
