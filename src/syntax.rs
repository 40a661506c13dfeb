//! The languages that are read, their grammars, and (incremental) parsing.

use std::cell::RefCell;

pub use tree_sitter::Tree;
use tree_sitter::{InputEdit, Node, Parser, Point};

use crate::entry::Syntax;
use crate::text::{Edit, Span};

/// A language whose files can hold names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    /// TypeScript without JSX; it alone may hold `<Type>value`.
    TypeScript,
    /// TypeScript with JSX; also every JavaScript file, which this grammar reads best.
    Tsx,
    Python,
    Rust,
    /// JSON, with or without comments and trailing commas.
    Json,
    Toml,
    Yaml,
    Markdown,
}

/// The languages of which frameworks speak; both TypeScript grammars are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    TypeScript,
    Python,
    Rust,
}

impl Family {
    pub const ALL: [Family; 3] = [Family::TypeScript, Family::Python, Family::Rust];

    /// How object literals are written in it; in Rust those of `json!`.
    pub fn objects(self) -> Syntax {
        match self {
            Family::TypeScript => Syntax::Script,
            Family::Python => Syntax::Python,
            Family::Rust => Syntax::Json,
        }
    }
}

impl Language {
    /// The language of a file, by the end of its name.
    pub fn of_path(path: &str) -> Option<Language> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let extension = name.rsplit_once('.')?.1;
        Some(match extension {
            "ts" | "mts" | "cts" => Language::TypeScript,
            "tsx" | "js" | "mjs" | "cjs" | "jsx" => Language::Tsx,
            "py" => Language::Python,
            "rs" => Language::Rust,
            "json" | "jsonc" => Language::Json,
            "toml" => Language::Toml,
            "yaml" | "yml" => Language::Yaml,
            "md" | "mdx" | "markdown" => Language::Markdown,
            _ => return None,
        })
    }

    /// The family, for languages in which tools are registered.
    pub fn family(self) -> Option<Family> {
        match self {
            Language::TypeScript | Language::Tsx => Some(Family::TypeScript),
            Language::Python => Some(Family::Python),
            Language::Rust => Some(Family::Rust),
            Language::Json | Language::Toml | Language::Yaml | Language::Markdown => None,
        }
    }

    fn grammar(self) -> Option<tree_sitter::Language> {
        Some(match self {
            Language::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            Language::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
            Language::Python => tree_sitter_python::LANGUAGE.into(),
            Language::Rust => tree_sitter_rust::LANGUAGE.into(),
            Language::Json => tree_sitter_json::LANGUAGE.into(),
            Language::Yaml => tree_sitter_yaml::LANGUAGE.into(),
            // Their readers have parsers of their own.
            Language::Toml | Language::Markdown => return None,
        })
    }
}

thread_local! {
    /// One parser a thread and language; setting a parser up costs more than parsing a small file.
    static PARSERS: RefCell<Vec<(Language, Parser)>> = const { RefCell::new(Vec::new()) };
}

/// Parses a text. `previous` is the tree of the text before the edits that were told to it by [`edited`]:
/// with it, only what changed is parsed again. `None` for a language that no grammar here reads.
///
/// A text that is edited at an error is parsed whole: how the parser recovers depends on what it reuses, and an
/// editor must see what a fresh start would see.
pub fn parse(language: Language, text: &str, previous: Option<&Tree>) -> Option<Tree> {
    if language.family() == Some(Family::Python) && is_indented_beyond_reason(text) {
        return None;
    }
    PARSERS.with_borrow_mut(|parsers| {
        let index = match parsers.iter().position(|(known, _)| *known == language) {
            Some(index) => index,
            None => {
                let mut parser = Parser::new();
                parser.set_language(&language.grammar()?).ok()?;
                parsers.push((language, parser));
                parsers.len() - 1
            }
        };
        let parser = &mut parsers[index].1;
        match (parser.parse(text, previous), previous) {
            (Some(tree), Some(previous)) if recovery_may_differ(previous, &tree) => parser.parse(text, None),
            (tree, _) => tree,
        }
    })
}

/// What stands at a place in source code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stretch {
    Code,
    /// Characters of a string literal; the whole of it, with its quotes.
    String(Span),
    Comment,
}

/// What a stretch of source code is.
pub fn stretch(tree: &Tree, span: Span) -> Stretch {
    let (start, end) = (span.start as usize, span.end as usize);
    let mut at = tree.root_node().descendant_for_byte_range(start, end);
    while let Some(node) = at {
        match node.kind() {
            "string" | "template_string" | "string_literal" | "raw_string_literal" | "jsx_text" => {
                return Stretch::String(Span::new(node.start_byte(), node.end_byte()));
            }
            "comment" | "line_comment" | "block_comment" => return Stretch::Comment,
            // Code inside a string.
            "template_substitution" | "interpolation" => return Stretch::Code,
            _ => at = node.parent(),
        }
    }
    Stretch::Code
}

/// What stands around a name in source code, as far as somebody who writes something beside it has to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surroundings {
    /// The whole statement or definition, with its decorators or attributes.
    pub whole: Span,
    /// What is called or decorates, without its arguments: `server.registerTool`, `mcp.tool`, `tool`.
    pub callee: String,
    pub around: Around,
}

/// What the name stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Around {
    /// A call that is a statement; the variable that holds what it gives, where one does.
    Statement { variable: Option<String> },
    /// A decorator or attribute of a function; of a class's or an `impl`'s, it is a method.
    Function(Signature),
}

/// How a function is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    pub name: String,
    pub is_method: bool,
    pub is_async: bool,
    /// Its parameters, the receiver first: what each is bound to, and its type. `None` where something cannot be handed on.
    pub parameters: Option<Vec<(String, String)>>,
    /// With its arrow; empty where nothing is said.
    pub result: String,
}

/// What stands around a name, where it is registered by a call of one of some methods, or a decorator.
///
/// # Errors
/// The reason why nothing can be written beside it.
pub fn surroundings(
    language: Language,
    tree: &Tree,
    text: &str,
    name: Span,
    of: &[&str],
) -> Result<Surroundings, &'static str> {
    let read = |node: Node<'_>| text.get(node.byte_range()).unwrap_or("").to_string();
    let is_wanted = |callee: &str| of.contains(&callee.rsplit(['.', ':']).next().unwrap_or(callee));
    let mut at = tree.root_node().descendant_for_byte_range(name.start as usize, name.end as usize);
    while let Some(node) = at {
        match (language.family(), node.kind()) {
            (Some(Family::TypeScript), "call_expression") => {
                let callee = node.child_by_field_name("function").map(&read).unwrap_or_default();
                if is_wanted(&callee) {
                    return statement(node, callee, &read);
                }
            }
            (Some(Family::Python), "decorated_definition") => {
                let mut cursor = node.walk();
                let decorators = node.children(&mut cursor).filter(|child| child.kind() == "decorator");
                let callees = decorators.filter_map(|decorator| {
                    let inner = decorator.named_child(0)?;
                    Some(read(inner.child_by_field_name("function").unwrap_or(inner)))
                });
                let callee = callees.filter(|callee| is_wanted(callee)).last();
                let function = node.child_by_field_name("definition").filter(|it| it.kind() == "function_definition");
                if let (Some(callee), Some(function)) = (callee, function) {
                    let is_method = node
                        .parent()
                        .and_then(|block| block.parent())
                        .is_some_and(|it| it.kind() == "class_definition");
                    let signature = Signature {
                        name: function.child_by_field_name("name").map(&read).unwrap_or_default(),
                        is_method,
                        is_async: read(function).starts_with("async"),
                        parameters: None,
                        result: String::new(),
                    };
                    let whole = Span::new(node.start_byte(), node.end_byte());
                    return Ok(Surroundings { whole, callee, around: Around::Function(signature) });
                }
            }
            (Some(Family::Rust), "attribute_item" | "function_item") => return method(node, &read, &is_wanted),
            _ => {}
        }
        at = node.parent();
    }
    Err("its registration is in a form that nothing can be written beside")
}

/// Where source decides by a name what to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Branch {
    /// A case of a `switch`, that runs on into the next: where it begins.
    Case(u32),
    /// A pattern of a `match`, one of several: where the name ends, and where its arm begins.
    Pattern { end: u32, arm: u32 },
    /// A comparison: the whole of it, what is compared, how, and where its statement begins; `alone` where it is all of a
    /// condition.
    Comparison { whole: Span, left: String, operator: String, statement: u32, alone: bool },
}

/// What a string literal decides about.
pub fn branch(tree: &Tree, text: &str, literal: Span) -> Option<Branch> {
    let mut at = tree.root_node().descendant_for_byte_range(literal.start as usize, literal.end as usize)?;
    while matches!(at.kind(), "string" | "string_fragment" | "string_content" | "string_literal" | "string_start") {
        let parent = at.parent()?;
        match parent.kind() {
            "switch_case" if parent.child_by_field_name("value") == Some(at) => {
                return Some(Branch::Case(parent.start_byte() as u32));
            }
            "case_pattern" | "match_pattern" => {
                let arm = parent.parent()?;
                return Some(Branch::Pattern { end: at.end_byte() as u32, arm: arm.start_byte() as u32 });
            }
            "binary_expression" | "comparison_operator" if parent.named_child_count() == 2 => {
                let (left, right) = (parent.named_child(0)?, parent.named_child(1)?);
                let operator = text.get(left.end_byte()..right.start_byte())?.trim().to_string();
                if right != at || !matches!(operator.as_str(), "===" | "==") {
                    return None;
                }
                let mut statement = parent;
                while !matches!(
                    statement.kind(),
                    "if_statement" | "expression_statement" | "return_statement" | "elif_clause"
                ) {
                    statement = statement.parent()?;
                }
                // What stands behind `else` has no line of its own.
                if statement.kind() == "elif_clause" || statement.parent().is_some_and(|it| it.kind() == "else_clause")
                {
                    return None;
                }
                return Some(Branch::Comparison {
                    whole: Span::new(parent.start_byte(), parent.end_byte()),
                    left: text.get(left.byte_range())?.to_string(),
                    operator,
                    statement: statement.start_byte() as u32,
                    alone: parent
                        .parent()
                        .is_some_and(|it| matches!(it.kind(), "parenthesized_expression" | "if_statement")),
                });
            }
            _ => at = parent,
        }
    }
    None
}

/// A call that stands by itself, or as the value of a variable.
fn statement(call: Node<'_>, callee: String, read: &dyn Fn(Node<'_>) -> String) -> Result<Surroundings, &'static str> {
    const LARGER: &str = "its registration is a part of a larger expression";
    let mut node = call.parent().ok_or(LARGER)?;
    let mut variable = None;
    if node.kind() == "variable_declarator" {
        let name = node.child_by_field_name("name").filter(|name| name.kind() == "identifier").ok_or(LARGER)?;
        variable = Some(read(name));
        node = node.parent().filter(|declaration| declaration.named_child_count() == 1).ok_or(LARGER)?;
    } else if node.kind() != "expression_statement" {
        return Err(LARGER);
    }
    if let Some(export) = node.parent().filter(|parent| parent.kind() == "export_statement") {
        node = export;
    }
    let holds_statements =
        |kind: &str| matches!(kind, "program" | "statement_block" | "switch_case" | "switch_default");
    if !node.parent().is_some_and(|parent| holds_statements(parent.kind())) {
        return Err("its registration stands where one statement stands");
    }
    let whole = Span::new(node.start_byte(), node.end_byte());
    Ok(Surroundings { whole, callee, around: Around::Statement { variable } })
}

/// A function of Rust with its attributes.
fn method(
    node: Node<'_>,
    read: &dyn Fn(Node<'_>) -> String,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<Surroundings, &'static str> {
    let beyond = |node: Node<'_>| matches!(node.kind(), "attribute_item" | "line_comment" | "block_comment");
    let mut function = node;
    while beyond(function) {
        function = function.next_sibling().ok_or("its attribute belongs to nothing")?;
    }
    if function.kind() != "function_item" {
        return Err("its attribute belongs to no function");
    }
    let mut first = function;
    let mut callee = None;
    while let Some(before) = first.prev_sibling().filter(|before| beyond(*before)) {
        let text = read(before);
        let path = text.trim_start_matches("#[").split(['(', ']']).next().unwrap_or("").trim().to_string();
        if before.kind() == "attribute_item" && is_wanted(&path) {
            callee = Some(path);
        }
        first = before;
    }
    let callee = callee.ok_or("its attribute is not there")?;
    let is_method = function.parent().and_then(|list| list.parent()).is_some_and(|it| it.kind() == "impl_item");
    let mut cursor = function.walk();
    let modifiers = function.children(&mut cursor).find(|child| child.kind() == "function_modifiers").map(read);
    let list = function.child_by_field_name("parameters").ok_or("its function has no parameters")?;
    let mut cursor = list.walk();
    let parameters = list.named_children(&mut cursor).filter(|child| !child.kind().ends_with("comment")).enumerate();
    let parameters = parameters.map(|(index, parameter)| match parameter.kind() {
        "self_parameter" => Some((String::new(), read(parameter))),
        "parameter" => {
            let pattern = parameter.child_by_field_name("pattern")?;
            let binding = if pattern.kind() == "identifier" { read(pattern) } else { format!("p{index}") };
            Some((binding, read(parameter.child_by_field_name("type")?)))
        }
        _ => None,
    });
    let signature = Signature {
        name: function.child_by_field_name("name").map(read).unwrap_or_default(),
        is_method,
        is_async: modifiers.is_some_and(|words| words.contains("async")),
        parameters: parameters.collect(),
        result: function.child_by_field_name("return_type").map(|it| format!(" -> {}", read(it))).unwrap_or_default(),
    };
    let whole = Span::new(first.start_byte(), function.end_byte());
    Ok(Surroundings { whole, callee, around: Around::Function(signature) })
}

/// Parses the blocks of a Markdown document.
pub fn parse_markdown(text: &str) -> Option<Tree> {
    thread_local! {
        static PARSER: RefCell<Parser> = RefCell::default();
    }
    PARSER.with_borrow_mut(|parser| {
        parser.set_language(&tree_sitter_md::LANGUAGE.into()).ok()?;
        parser.parse(text, None)
    })
}

/// Parses what stands inside a block of Markdown: a paragraph, a heading, a cell. The grammar takes time that grows with
/// the square of what may open and close emphasis; what is longer or stranger than people write is left alone.
pub fn parse_markdown_inline(text: &str) -> Option<Tree> {
    const LONGEST: usize = 8 * 1024;
    const LONGEST_RUN: usize = 128;
    thread_local! {
        static PARSER: RefCell<Parser> = RefCell::default();
    }
    let is_run = |run: &[u8]| run.len() > LONGEST_RUN && run[0].is_ascii_punctuation();
    if text.len() > LONGEST || text.as_bytes().chunk_by(|a, b| a == b).any(is_run) {
        return None;
    }
    PARSER.with_borrow_mut(|parser| {
        parser.set_language(&tree_sitter_md::INLINE_LANGUAGE.into()).ok()?;
        parser.parse(text, None)
    })
}

/// Whether some line is indented deeper than the Python grammar's scanner can remember; it ends the process then, so
/// such a text is not parsed.
pub fn is_indented_beyond_reason(text: &str) -> bool {
    const DEEPEST: usize = 400;
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    text.len() > DEEPEST
        && text
            .as_bytes()
            .split(|&byte| byte == b'\n')
            .any(|line| line.iter().take(DEEPEST).filter(|byte| blank(byte)).count() == DEEPEST)
}

/// Whether an edit touched a top-level node with an error, or the neighbour of one.
fn recovery_may_differ(previous: &Tree, tree: &Tree) -> bool {
    if !tree.root_node().has_error() && !previous.root_node().has_error() {
        return false;
    }
    let touches_error = |tree: &Tree, is_touched: &dyn Fn(&Node<'_>) -> bool| {
        let root = tree.root_node();
        let mut cursor = root.walk();
        let children: Vec<Node<'_>> = root.children(&mut cursor).collect();
        let near_error = |index: usize| {
            let near = index.saturating_sub(1)..(index + 2).min(children.len());
            children[near].iter().any(|child| child.has_error() || child.is_missing())
        };
        root.is_error() || (0..children.len()).any(|index| is_touched(&children[index]) && near_error(index))
    };
    let changed: Vec<_> = previous.changed_ranges(tree).collect();
    touches_error(previous, &|node| node.has_changes())
        || touches_error(tree, &|node| {
            changed.iter().any(|range| range.start_byte <= node.end_byte() && node.start_byte() <= range.end_byte)
        })
}

/// Tells a tree about an edit of its text, so that it can be handed to [`parse`]. Byte offsets are all that is
/// ever read from trees here, so points are left at their origin.
pub fn edited(tree: &mut Tree, edit: &Edit) {
    let start = edit.span.start as usize;
    tree.edit(&InputEdit {
        start_byte: start,
        old_end_byte: edit.span.end as usize,
        new_end_byte: start + edit.new_text.len(),
        start_position: Point::new(0, start),
        old_end_position: Point::new(0, edit.span.end as usize),
        new_end_position: Point::new(0, start + edit.new_text.len()),
    });
}
