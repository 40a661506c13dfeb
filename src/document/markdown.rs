//! Markdown: tables, code and prose, each with its span.
//!
//! The grammar, not a search through the text, decides what is a table, code or prose: a table in code is code, and
//! text that only looks like a table or a fence is neither.

use tree_sitter::Node;

use crate::syntax;
use crate::text::Span;

/// The contents of a Markdown document. Spans count bytes from the start of the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Markdown {
    pub tables: Vec<Table>,
    /// Code spans and fenced blocks, in order.
    pub code: Vec<Code>,
    /// Paragraphs and headings, in order.
    pub prose: Vec<Prose>,
    /// The directives in comments: the text after `toolnames:`, and its span.
    pub directives: Vec<(Span, String)>,
    /// The line break that the document uses.
    pub line_break: &'static str,
}

/// A table with its header.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    pub header: Vec<Cell>,
    pub rows: Vec<Row>,
    /// The line of dashes below the header.
    pub delimiter: Span,
    /// Whether the delimiter row does not begin with `|`: the lines of such a table have no `|` at their ends.
    pub is_open: bool,
    /// The width of each column in the delimiter row, in characters.
    pub widths: Vec<usize>,
    /// The text before the first `|` of a line: white space, or the marks of a block quote.
    pub indent: String,
}

/// A line of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub cells: Vec<Cell>,
    /// The range from the first `|` to the last, without the line break.
    pub span: Span,
}

/// The text between two `|`.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The text: of a code span without its backquotes, of a link without its address.
    pub text: String,
    pub span: Span,
    /// The quote around the text: a backquote, or empty.
    pub quote: &'static str,
}

/// A code span, or the content of a fenced or indented block.
#[derive(Debug, Clone, PartialEq)]
pub struct Code {
    pub span: Span,
    pub text: String,
    /// For a block, the first word after its fence, in lower case, or empty if there is none; `None` for a code span.
    pub block: Option<String>,
}

/// A paragraph or heading, as written.
#[derive(Debug, Clone, PartialEq)]
pub struct Prose {
    pub span: Span,
    pub text: String,
    /// The level of a heading, 1 for `#`; `None` for a paragraph.
    pub heading: Option<u8>,
}

impl Markdown {
    /// Returns the byte offset at which the last table, paragraph, heading or code ends.
    pub fn end(&self) -> u32 {
        let tables = self.tables.iter().map(|table| table.rows.last().map_or(table.delimiter.end, |row| row.span.end));
        let prose = self.prose.iter().map(|prose| prose.span.start + prose.text.trim_end().len() as u32);
        let code = self.code.iter().map(|code| code.span.end);
        tables.chain(prose).chain(code).max().unwrap_or(0)
    }
}

impl Table {
    /// Returns the index of the column with a heading, ignoring ASCII case.
    pub fn column(&self, heading: &str) -> Option<usize> {
        self.header.iter().position(|cell| cell.text.eq_ignore_ascii_case(heading))
    }
}

/// Reads a Markdown document; the result is empty if the document cannot be parsed.
pub fn parse_markdown(text: &str) -> Markdown {
    let line_break = crate::text::line_break(text);
    let mut markdown = Markdown { line_break, ..Markdown::default() };
    if let Some(tree) = syntax::parse_markdown(text) {
        Reader { text, markdown: &mut markdown }.blocks(tree.root_node());
    }
    markdown.code.sort_by_key(|code| code.span);
    markdown
}

struct Reader<'t> {
    text: &'t str,
    markdown: &'t mut Markdown,
}

impl<'t> Reader<'t> {
    /// Reads every block, in order. No recursion: a document can nest deeper than the stack allows.
    fn blocks(&mut self, root: Node<'_>) {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            match node.kind() {
                "pipe_table" => self.table(node),
                "fenced_code_block" => self.fence(node),
                "indented_code_block" => self.code(span(node), Some(String::new())),
                "html_block" => self.comment(span(node)),
                "atx_heading" | "setext_heading" => self.heading(node),
                "inline" => self.inline(node, None),
                _ => {
                    let mut cursor = node.walk();
                    let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
                    open.extend(children.into_iter().rev());
                }
            }
        }
    }

    fn slice(&self, span: Span) -> &'t str {
        self.text.get(span.range()).unwrap_or("")
    }

    fn heading(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        let marker = |kind: &str| {
            let level = kind.strip_prefix("atx_h").or_else(|| kind.strip_prefix("setext_h"))?;
            level.chars().next()?.to_digit(10).map(|level| level as u8)
        };
        let level = children.iter().find_map(|child| marker(child.kind())).unwrap_or(1);
        for child in children {
            match child.kind() {
                "inline" => self.inline(child, Some(level)),
                "paragraph" => {
                    let mut cursor = child.walk();
                    let inner: Vec<Node<'_>> = child.children(&mut cursor).collect();
                    inner.into_iter().filter(|node| node.kind() == "inline").for_each(|node| {
                        self.inline(node, Some(level));
                    });
                }
                _ => {}
            }
        }
    }

    /// Reads a paragraph or heading, and the code in it.
    fn inline(&mut self, node: Node<'_>, heading: Option<u8>) {
        let span = span(node);
        self.markdown.prose.push(Prose { span, text: self.slice(span).to_string(), heading });
        self.spans(span);
    }

    /// Reads the code spans and comments inside a block.
    fn spans(&mut self, block: Span) {
        let inside = self.slice(block);
        if !inside.contains(['`', '<']) {
            return;
        }
        let Some(tree) = syntax::parse_markdown_inline(inside) else { return };
        let mut open = vec![tree.root_node()];
        while let Some(node) = open.pop() {
            let at = span(node).shifted(block.start);
            match node.kind() {
                "code_span" => self.code(at, None),
                "html_tag" => self.comment(at),
                _ => {
                    let mut cursor = node.walk();
                    let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
                    open.extend(children.into_iter().rev());
                }
            }
        }
    }

    fn code(&mut self, at: Span, block: Option<String>) {
        let span = if block.is_none() { inside_quotes(self.text, at) } else { at };
        self.markdown.code.push(Code { span, text: self.slice(span).to_string(), block });
    }

    fn fence(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        let info = children.iter().find(|child| child.kind() == "info_string").map(|info| self.slice(span(*info)));
        let language = info.and_then(|info| info.split(|c: char| c.is_whitespace() || c == '{').next()).unwrap_or("");
        if let Some(content) = children.iter().find(|child| child.kind() == "code_fence_content") {
            self.code(span(*content), Some(language.to_lowercase()));
        }
    }

    fn comment(&mut self, at: Span) {
        let text = self.slice(at);
        let mut from = 0;
        while let Some(offset) = text[from..].find("<!--").map(|found| from + found) {
            let end = text[offset..].find("-->").map_or(text.len(), |end| offset + end + "-->".len());
            if let Some((from, to)) = crate::directive::within(&text[offset..end]) {
                let start = at.start as usize + offset;
                let found = (Span::new(start + from, start + to), text[offset + from..offset + to].to_string());
                self.markdown.directives.push(found);
            }
            from = end;
        }
    }

    fn table(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let mut table = Table {
            header: Vec::new(),
            rows: Vec::new(),
            delimiter: Span::default(),
            is_open: false,
            widths: Vec::new(),
            indent: String::new(),
        };
        for line in node.children(&mut cursor) {
            match line.kind() {
                "pipe_table_header" => table.header = self.cells(line),
                "pipe_table_delimiter_row" => {
                    let whole = span(line);
                    let first = self.slice(whole).lines().next().unwrap_or("").len();
                    table.delimiter = trimmed(self.text, whole.slice(0, first));
                    table.is_open = !self.slice(table.delimiter).starts_with('|');
                    let dashes = self.slice(table.delimiter).trim_matches('|');
                    table.widths = dashes.split('|').map(|column| column.chars().count()).collect();
                    let before = &self.text[..table.delimiter.start as usize];
                    table.indent = before[before.rfind('\n').map_or(0, |at| at + 1)..].to_string();
                }
                "pipe_table_row" => {
                    let cells = self.cells(line);
                    // In a block quote, the node of a row extends to the `>` of the next line.
                    let whole = span(line);
                    let first = self.slice(whole).lines().next().unwrap_or("").len();
                    table.rows.push(Row { cells, span: trimmed(self.text, whole.slice(0, first)) });
                }
                _ => {}
            }
        }
        self.markdown.tables.push(table);
    }

    fn cells(&mut self, line: Node<'_>) -> Vec<Cell> {
        let mut cursor = line.walk();
        let nodes: Vec<Node<'_>> = line.children(&mut cursor).filter(|node| node.kind() == "pipe_table_cell").collect();
        nodes.into_iter().map(|node| self.cell(node)).collect()
    }

    /// Reads a cell. If it consists of one code span or link, its text is that of the span or link.
    fn cell(&mut self, node: Node<'_>) -> Cell {
        self.spans(span(node));
        let whole = trimmed(self.text, span(node));
        let text = self.slice(whole);
        let is_code = text.len() > 1 && text.starts_with('`') && text.ends_with('`');
        let quoted = is_code.then(|| inside_quotes(self.text, whole)).filter(|span| !self.slice(*span).contains('`'));
        if let Some(span) = quoted {
            return Cell { text: self.slice(span).to_string(), span, quote: "`" };
        }
        let linked = text.strip_prefix('[').and_then(|rest| rest.split_once("](")).filter(|(_, to)| to.ends_with(')'));
        match linked {
            Some((shown, _)) => {
                let shown = Span { start: whole.start + 1, end: whole.start + 1 + shown.len() as u32 };
                let is_code = self.slice(shown).starts_with('`');
                let span = if is_code { inside_quotes(self.text, shown) } else { shown };
                Cell { text: self.slice(span).to_string(), span, quote: if is_code { "`" } else { "" } }
            }
            None => Cell { text: text.to_string(), span: whole, quote: "" },
        }
    }
}

fn span(node: Node<'_>) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}

/// Returns a span without the white space at its ends.
fn trimmed(text: &str, span: Span) -> Span {
    let inner = text.get(span.range()).unwrap_or("");
    let front = inner.len() - inner.trim_start().len();
    let length = inner.trim().len();
    span.slice(front, front + length)
}

/// Returns the span between the backquotes of a code span, without the space that may pad it.
fn inside_quotes(text: &str, span: Span) -> Span {
    let whole = text.get(span.range()).unwrap_or("");
    let quotes = whole.len() - whole.trim_start_matches('`').len();
    let end = whole.trim_end_matches('`').len().max(quotes);
    trimmed(text, span.slice(quotes, end))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_document() -> impl Strategy<Value = String> {
        let pieces = [
            "|",
            "| a | b |\n",
            "|---|:-:|\n",
            "`",
            "```json\n",
            "~~~",
            "\n",
            "\n\n",
            "> ",
            "- ",
            "    ",
            "\t",
            "# ",
            "===\n",
            "<!-- toolnames: allow(x) -->",
            "<!--",
            "-->",
            "[a](b)",
            "**",
            "_",
            "\\",
            "é",
            "😀",
            "\r\n",
            "\r",
            "<div>",
            "a",
        ];
        prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..60).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn whatever_is_found_stands_in_the_text(text in any_document()) {
            let markdown = parse_markdown(&text);
            for code in &markdown.code {
                prop_assert_eq!(text.get(code.span.range()), Some(code.text.as_str()));
            }
            for cell in markdown.tables.iter().flat_map(|table| table.rows.iter().flat_map(|row| &row.cells).chain(&table.header)) {
                prop_assert_eq!(text.get(cell.span.range()), Some(cell.text.as_str()));
            }
            for (span, said) in &markdown.directives {
                prop_assert_eq!(text.get(span.range()), Some(said.as_str()));
            }
        }
    }

    #[test]
    fn what_nobody_writes_takes_no_time() {
        for strange in ["*", "[", "`a", "**a", "<!-- ", "_a "] {
            parse_markdown(&strange.repeat(50_000));
        }
    }

    #[test]
    fn tables_code_and_prose_are_told_apart() {
        let text = "# Tools (2 tools)\n\nCall `list_x`, not list_y.\n\n| Tool | Title |\n|------|-------|\n| `list_x` | List x |\n| [get_x](#get) |  |\n\n```json\n{\"allow\": [\"mcp__s__t\"]}\n```\n\n    indented\n\n> | a | b |\n> |---|---|\n> | `c` | d |\n\n<!-- toolnames: allow(docs-name) old -->\n`done`\n";
        let markdown = parse_markdown(text);
        let code: Vec<(&str, Option<&str>)> =
            markdown.code.iter().map(|code| (code.text.trim(), code.block.as_deref())).collect();
        assert_eq!(
            code,
            [
                ("list_x", None),
                ("list_x", None),
                ("{\"allow\": [\"mcp__s__t\"]}", Some("json")),
                ("indented", Some("")),
                ("c", None),
                ("done", None)
            ]
        );
        assert!(markdown.code.iter().all(|code| text[code.span.range()] == code.text));
        let table = &markdown.tables[0];
        assert_eq!(table.column("title"), Some(1));
        let cells: Vec<Vec<&str>> =
            table.rows.iter().map(|row| row.cells.iter().map(|cell| cell.text.as_str()).collect()).collect();
        assert_eq!(cells, [vec!["list_x", "List x"], vec!["get_x", ""]]);
        assert_eq!(&text[table.rows[0].span.range()], "| `list_x` | List x |");
        assert_eq!(&text[table.delimiter.range()], "|------|-------|");
        assert_eq!(markdown.tables[1].rows[0].cells[0].text, "c");
        assert_eq!(markdown.prose[0].heading, Some(1));
        assert_eq!(markdown.prose[1].text, "Call `list_x`, not list_y.");
        assert_eq!(markdown.directives[0].1, "allow(docs-name) old");
    }
}
