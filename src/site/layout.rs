//! The layout of black and `ruff format` for calls in Python: one line if it fits; otherwise the contents of the
//! brackets on their own line, or each element on its own line, with a trailing comma.

use tree_sitter::Node;

use crate::syntax::{Language, parse};

/// The default line length of black and ruff, in columns.
pub(crate) const LINE_WIDTH: usize = 88;

const STEP: &str = "    ";

/// Formats a statement or decorator; `indent` is put before every line but the first. Text that is not a call, or that
/// contains a comment, is returned unchanged.
pub(crate) fn laid_out(text: &str, indent: &str, width: usize, line_break: &str) -> String {
    let (sign, expression) = text.strip_prefix('@').map_or(("", text), |rest| ("@", rest));
    let layout = || {
        let tree = parse(Language::Python, expression, None)?;
        let statement = tree.root_node().named_child(0).filter(|_| tree.root_node().named_child_count() == 1)?;
        let node = statement.named_child(0).filter(|_| statement.kind() == "expression_statement")?;
        let is_laid_out = node.kind() == "call" && !tree.root_node().has_error() && !has_comment(node);
        is_laid_out.then(|| Layout { text: expression, width, line_break }.of(node, indent, sign.len()))
    };
    layout().map_or_else(|| text.to_string(), |laid_out| format!("{sign}{laid_out}"))
}

fn has_comment(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    node.kind() == "comment" || node.children(&mut cursor).any(has_comment)
}

struct Layout<'a> {
    text: &'a str,
    width: usize,
    line_break: &'a str,
}

impl Layout<'_> {
    /// Formats an expression. `taken` columns of its first line are used by other text before and after it, in addition
    /// to the indentation.
    fn of(&self, node: Node<'_>, indent: &str, taken: usize) -> String {
        let Some(brackets) = Brackets::of(node, self.text) else { return self.text[node.byte_range()].to_string() };
        let Brackets { before, open, close, ref elements, asks, .. } = brackets;
        let fits = |line: &str, taken: usize| taken + line.chars().count() <= self.width;
        let (inner, line_break) = (format!("{indent}{STEP}"), self.line_break);
        let flat = elements.iter().map(|element| self.flat(*element)).collect::<Option<Vec<String>>>();
        if let Some(flat) = flat.map(|flat| flat.join(", ")).filter(|_| !asks) {
            let one_line = format!("{before}{open}{flat}{close}");
            if elements.is_empty() || fits(&one_line, indent.len() + taken) {
                return one_line;
            }
            // Arguments may share one indented line; elements of a literal may not.
            if (elements.len() == 1 || brackets.is_call) && fits(&flat, inner.len()) {
                return format!("{before}{open}{line_break}{inner}{flat}{line_break}{indent}{close}");
            }
        }
        // A single element gets no trailing comma, unless it has one already.
        let comma = if elements.len() == 1 && !asks { "" } else { "," };
        let lines =
            elements.iter().map(|element| format!("{inner}{}{comma}{line_break}", self.element(*element, &inner)));
        format!("{before}{open}{line_break}{}{indent}{close}", lines.collect::<String>())
    }

    /// Formats an element, with its keyword or key, on its own line.
    fn element(&self, node: Node<'_>, indent: &str) -> String {
        let value = value_of(node);
        let before = &self.text[node.start_byte()..value.start_byte()];
        format!("{before}{}", self.of(value, indent, before.chars().count() + 1))
    }

    /// An element on one line; `None` if some part of it needs several.
    fn flat(&self, node: Node<'_>) -> Option<String> {
        let value = value_of(node);
        let key = &self.text[node.start_byte()..value.start_byte()];
        let Some(Brackets { before, open, close, elements, asks, .. }) = Brackets::of(value, self.text) else {
            let written = &self.text[node.byte_range()];
            return (!written.contains('\n')).then(|| written.to_string());
        };
        let flat = elements.into_iter().map(|element| self.flat(element)).collect::<Option<Vec<String>>>()?;
        (!asks).then(|| format!("{key}{before}{open}{}{close}", flat.join(", ")))
    }
}

/// The value of a keyword argument or pair; any other element itself.
fn value_of(node: Node<'_>) -> Node<'_> {
    let value = node.child_by_field_name("value").filter(|_| matches!(node.kind(), "keyword_argument" | "pair"));
    value.unwrap_or(node)
}

/// A call, a list, a dictionary, a set or a tuple.
struct Brackets<'a> {
    /// The callee, empty for a literal.
    before: &'a str,
    open: &'a str,
    close: &'a str,
    elements: Vec<Node<'a>>,
    /// Whether there is a trailing comma, which forces one line per element.
    asks: bool,
    is_call: bool,
}

impl<'a> Brackets<'a> {
    fn of(node: Node<'a>, text: &'a str) -> Option<Brackets<'a>> {
        let brackets = match node.kind() {
            "call" => node.child_by_field_name("arguments").filter(|list| list.kind() == "argument_list")?,
            "list" | "dictionary" | "set" => node,
            // The comma of a one-element tuple is what makes it a tuple.
            "tuple" if node.named_child_count() != 1 => node,
            _ => return None,
        };
        let (start, end) = (brackets.start_byte(), brackets.end_byte());
        let mut cursor = brackets.walk();
        let elements: Vec<Node<'a>> = brackets.named_children(&mut cursor).collect();
        let asks = text[start + 1..end - 1].trim_end().ends_with(',');
        Some(Brackets {
            before: &text[node.start_byte()..start],
            open: &text[start..=start],
            close: &text[end - 1..end],
            elements,
            asks,
            is_call: brackets != node,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{LINE_WIDTH, laid_out};

    fn check(text: &str, indent: &str, expected: &str) {
        let laid_out = laid_out(text, indent, LINE_WIDTH, "\n");
        assert_eq!(laid_out, expected);
        // Formatting again changes nothing.
        assert_eq!(super::laid_out(&laid_out, indent, LINE_WIDTH, "\n"), expected);
    }

    #[test]
    fn what_fits_is_on_one_line() {
        check("add(read, name=\"x\")", "", "add(read, name=\"x\")");
        check("@mcp.tool(name=\"x\", description=\"y\")", "    ", "@mcp.tool(name=\"x\", description=\"y\")");
        check("add(\n        read)", "", "add(read)");
    }

    #[test]
    fn what_fits_inside_the_brackets_is_on_a_line_of_its_own() {
        check(
            "mcp.add_tool(Tool.from_tool(read_note, name=\"get_note\", description=\"Deprecated: use read_note.\"))",
            "",
            "mcp.add_tool(\n    Tool.from_tool(read_note, name=\"get_note\", description=\"Deprecated: use read_note.\")\n)",
        );
    }

    #[test]
    fn otherwise_each_element_has_its_line() {
        check(
            "@self.app.tool(name=\"list_notes\", description=\"Deprecated: use find_notes.\", annotations=Hints(\n                read=True,\n            ))",
            "        ",
            "@self.app.tool(\n            name=\"list_notes\",\n            description=\"Deprecated: use find_notes.\",\n            annotations=Hints(\n                read=True,\n            ),\n        )",
        );
        check(
            "mcp.add_tool(read_note, name=\"get_note\", description=\"Deprecated: use read_note.\", tags={\"notes\", \"reading\"})",
            "",
            "mcp.add_tool(\n    read_note,\n    name=\"get_note\",\n    description=\"Deprecated: use read_note.\",\n    tags={\"notes\", \"reading\"},\n)",
        );
    }

    #[test]
    fn comments_and_texts_of_several_lines_stay() {
        let text = "add(read,  # why\n    name=\"x\")";
        assert_eq!(laid_out(text, "", LINE_WIDTH, "\n"), text);
        let text = "add(\"\"\"a\n  b\"\"\", 1)";
        assert!(laid_out(text, "", LINE_WIDTH, "\n").contains("\"\"\"a\n  b\"\"\""));
    }
}
