//! The supported languages, their grammars, and (incremental) parsing.

mod again;
mod beneath;
mod bounded;
mod guard;
mod kept;
mod queries;
pub(crate) mod rust;

use std::cell::RefCell;

pub(crate) use tree_sitter::Tree;
use tree_sitter::{InputEdit, Node, Parser, Point, Range};

pub(crate) use self::beneath::{Finder, below, does_nothing_else};
pub(crate) use self::guard::unreadable;
pub(crate) use self::kept::Keeping;
pub use self::queries::CodeQuery;
use crate::entry::Syntax;
use crate::text::Edit;

/// A language whose files can contain names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    /// TypeScript without JSX; only this grammar accepts `<Type>value`.
    TypeScript,
    /// TypeScript with JSX; also used for every JavaScript file, for which this grammar works best.
    Tsx,
    Python,
    Rust,
    /// JSON, with or without comments and trailing commas.
    Json,
    Toml,
    Yaml,
    Markdown,
}

/// The language of a framework. Both TypeScript grammars are one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    TypeScript,
    Python,
    Rust,
}

impl Family {
    pub const ALL: [Family; 3] = [Family::TypeScript, Family::Python, Family::Rust];

    /// The syntax of object literals in this family; in Rust, of those in `json!`.
    pub fn objects(self) -> Syntax {
        match self {
            Family::TypeScript => Syntax::Script,
            Family::Python => Syntax::Python,
            Family::Rust => Syntax::Json,
        }
    }
}

/// Whether a file is Markdown, by its extension.
pub(crate) fn is_markdown(path: &str) -> bool {
    Language::of_path(path) == Some(Language::Markdown)
}

impl Language {
    /// The languages of source code.
    const ALL_CODE: [Language; 4] = [Language::TypeScript, Language::Tsx, Language::Python, Language::Rust];

    /// The language of a file, by its extension; `None` if it is not supported.
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

    /// The language of a fenced block, by the first word of its info string, which must be lower-case; `None` if it is
    /// not supported.
    pub fn of_fence(word: &str) -> Option<Language> {
        match word {
            "typescript" => Some(Language::TypeScript),
            "javascript" => Some(Language::Tsx),
            "python" | "python3" => Some(Language::Python),
            "rust" => Some(Language::Rust),
            extension => Language::of_path(&format!("fence.{extension}")),
        }
    }

    /// The marker that begins a line comment in source code.
    pub fn line_comment(self) -> &'static str {
        if self.family() == Some(Family::Python) { "#" } else { "//" }
    }

    /// The family of a language in which tools can be registered; `None` for the others.
    pub fn family(self) -> Option<Family> {
        match self {
            Language::TypeScript | Language::Tsx => Some(Family::TypeScript),
            Language::Python => Some(Family::Python),
            Language::Rust => Some(Family::Rust),
            Language::Json | Language::Toml | Language::Yaml | Language::Markdown => None,
        }
    }

    /// The language of source code whose grammar a tree was parsed with; `None` for other trees.
    pub(crate) fn of_tree(tree: &Tree) -> Option<Language> {
        Language::ALL_CODE.into_iter().find(|language| language.grammar().is_some_and(|it| it == *tree.language()))
    }

    fn grammar(self) -> Option<tree_sitter::Language> {
        Some(match self {
            Language::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            Language::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
            Language::Python => tree_sitter_python::LANGUAGE.into(),
            Language::Rust => tree_sitter_rust::LANGUAGE.into(),
            Language::Json => tree_sitter_json::LANGUAGE.into(),
            Language::Yaml => tree_sitter_yaml::LANGUAGE.into(),
            // The readers of these languages have their own parsers.
            Language::Toml | Language::Markdown => return None,
        })
    }
}

thread_local! {
    /// One parser per thread and language; setting up a parser costs more than parsing a small file.
    static PARSERS: RefCell<Vec<(Language, Parser)>> = const { RefCell::new(Vec::new()) };
}

/// The reason why [`parse`] returns `None` for a text that [`unreadable`] accepts, in a language that has a grammar.
pub(crate) const TOO_MUCH_WORK: &str = bounded::TOO_MUCH_WORK;

/// Parses a text. `previous` is the tree of the text before the edits, which must have been applied to it with
/// [`edited`]; with it, only the changed parts are parsed again. Returns `None` if the language has no grammar, if
/// [`unreadable`] refuses the text, or if parsing takes too much work.
///
/// The result must be the tree that a full parse would give. So a text is parsed in full if there is an error near the
/// edit, or if its tree is so large that a full parse might take too much work.
pub fn parse(language: Language, text: &str, previous: Option<&Tree>) -> Option<Tree> {
    match previous {
        Some(_) => parse_anew(language, text, previous),
        None => kept::tree(language, text, |previous| parse_anew(language, text, previous)),
    }
}

fn parse_anew(language: Language, text: &str, previous: Option<&Tree>) -> Option<Tree> {
    if unreadable(language, text).is_some() {
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
        match (guard::parse(parser, language, text, previous), previous) {
            (Some(tree), Some(previous))
                if !again::is_as_whole(previous, &tree) || !bounded::is_within(&tree, text) =>
            {
                guard::parse(parser, language, text, None)
            }
            (None, Some(_)) => guard::parse(parser, language, text, None),
            (tree, _) => tree,
        }
    })
}

/// Parses the part of a text from one node to another as if it were in braces: the tokens of a macro. Positions are
/// those of the whole text. `None` for a part that is longer than people write.
pub(crate) fn parse_part(language: Language, text: &str, first: Node<'_>, last: Node<'_>) -> Option<Tree> {
    const LONGEST: usize = 32 * 1024;
    thread_local! {
        static PARSER: RefCell<Parser> = RefCell::default();
    }
    let (start, end) = (first.start_byte(), last.end_byte());
    let part = text.get(start..end).filter(|part| part.len() <= LONGEST)?;
    let open = start.checked_sub(1)?;
    let point = |point: Point, by: usize| Point::new(point.row, point.column + by);
    let before = Point::new(first.start_position().row, first.start_position().column.saturating_sub(1));
    let range =
        Range { start_byte: open, end_byte: end + 1, start_point: before, end_point: point(last.end_position(), 1) };
    let mut read = |offset: usize, _: Point| -> &[u8] {
        match offset {
            _ if offset == open => b"{",
            _ if offset == end => b"}",
            _ if offset > open && offset < end => &part.as_bytes()[offset - start..],
            _ => b"",
        }
    };
    PARSER.with_borrow_mut(|parser| {
        parser.set_language(&language.grammar()?).ok()?;
        parser.set_included_ranges(&[range]).ok()?;
        parser.parse_with_options(&mut read, None, None)
    })
}

/// Whether a text parses without a syntax error.
pub(crate) fn is_right(language: Language, text: &str) -> bool {
    parse(language, text, None).is_some_and(|tree| !tree.root_node().has_error())
}

/// Parses the blocks of a Markdown document.
pub(crate) fn parse_markdown(text: &str) -> Option<Tree> {
    thread_local! {
        static PARSER: RefCell<Parser> = RefCell::default();
    }
    PARSER.with_borrow_mut(|parser| {
        parser.set_language(&tree_sitter_md::LANGUAGE.into()).ok()?;
        parser.parse(text, None)
    })
}

/// Parses the inline content of a Markdown block: a paragraph, a heading, a table cell. The parsing time grows with the
/// square of the number of characters that may open or close emphasis. So this returns `None` for texts that are longer
/// than people write, or that contain a longer run of one punctuation character.
pub(crate) fn parse_markdown_inline(text: &str) -> Option<Tree> {
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

/// Applies an edit of the text to its tree, so that the tree can be passed to [`parse`]. Only byte offsets are ever
/// read from trees here, so all points are put on row 0.
pub(crate) fn edited(tree: &mut Tree, edit: &Edit) {
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

/// Whether the byte offset `at` lies inside a string, JSX text or YAML scalar that begins before it. Code that is
/// interpolated into a string does not count.
pub(crate) fn is_inside_text(tree: &Tree, at: usize) -> bool {
    let mut inner = tree.root_node().descendant_for_byte_range(at, at);
    while let Some(node) = inner {
        match node.kind() {
            "string"
            | "template_string"
            | "string_literal"
            | "raw_string_literal"
            | "jsx_text"
            | "block_scalar"
            | "double_quote_scalar"
            | "single_quote_scalar"
            | "plain_scalar"
                if node.start_byte() < at =>
            {
                return true;
            }
            "template_substitution" | "interpolation" => return false,
            _ => inner = node.parent(),
        }
    }
    false
}
