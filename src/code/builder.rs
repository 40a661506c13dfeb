//! The parts of lowering that the languages share.

use smol_str::{SmolStr, SmolStrBuilder};
use tree_sitter::Node;

use super::{Arg, Binary, Call, Expr, ExprKind, Stmt, StmtKind};
use crate::text::Span;

/// The nesting depth beyond which code becomes opaque: far more than people write, far less than the stack can hold.
const MAX_DEPTH: u32 = 160;

/// The number of links of chains (`a + b + c`, `a.b().c()`, `else if`) around a piece of code beyond which it becomes
/// opaque. Such chains are walked in a loop, but what they become nests, and is dropped by recursion.
const MAX_LINKS: usize = 1000;

/// How long a string literal may be, in bytes, that is lowered in pieces, one for each escape.
pub(super) const LONGEST_IN_PIECES: usize = 256;

/// The text of a file and the item that is lowered.
pub(super) struct Builder<'t> {
    text: &'t str,
    /// Byte offset of the item.
    base: u32,
    depth: u32,
    links: usize,
    /// Whether the function that is lowered mentions JavaScript's `arguments`.
    pub(super) has_arguments: bool,
    /// The depth of nested macros that are being lowered (Rust).
    pub(super) nested_macros: u32,
}

impl<'t> Builder<'t> {
    pub(super) fn new(text: &'t str, base: usize) -> Builder<'t> {
        Builder { text, base: base as u32, depth: 0, links: 0, has_arguments: false, nested_macros: 0 }
    }

    /// The text of the whole file.
    pub(super) fn source(&self) -> &'t str {
        self.text
    }

    pub(super) fn text(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    pub(super) fn smol(&self, node: Node<'_>) -> SmolStr {
        SmolStr::new(self.text(node))
    }

    /// The text between two byte offsets of the file.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or("")
    }

    /// The span of a node, in bytes from the start of the item.
    pub(super) fn span(&self, node: Node<'_>) -> Span {
        self.span_of(node.start_byte(), node.end_byte())
    }

    pub(super) fn span_of(&self, start: usize, end: usize) -> Span {
        Span::new(start, end).relative_to(self.base)
    }

    pub(super) fn expr(&self, kind: ExprKind, node: Node<'_>) -> Expr {
        Expr { kind, span: self.span(node) }
    }

    pub(super) fn stmt(&self, kind: StmtKind, node: Node<'_>) -> Stmt {
        Stmt { kind, span: self.span(node) }
    }

    /// A call that is neither `new` nor optional.
    pub(super) fn call(&self, callee: Expr, args: Vec<Arg>, node: Node<'_>) -> Expr {
        self.expr(ExprKind::Call(Box::new(Call { callee, args, new: false, optional: false })), node)
    }

    pub(super) fn opaque(&self, what: &'static str, node: Node<'_>) -> Expr {
        self.expr(ExprKind::Opaque(what), node)
    }

    /// Runs `lower` one level deeper; `None` beyond the depth limit.
    pub(super) fn deeper<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let lowered = lower(self);
        self.depth -= 1;
        Some(lowered)
    }

    /// Runs `lower` for a part of a chain with `links` links around it; `None` beyond the limit.
    pub(super) fn along<T>(&mut self, links: usize, lower: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.links + links > MAX_LINKS {
            return None;
        }
        self.links += links;
        let lowered = lower(self);
        self.links -= links;
        Some(lowered)
    }
}

/// The links of a chain from the last to the first, and what the first one applies to: for `a.b(c)[d]`, its element,
/// call and member, and `a`. `before` returns what a link applies to.
pub(super) fn links<'n>(node: Node<'n>, before: fn(Node<'n>) -> Option<Node<'n>>) -> (Vec<Node<'n>>, Node<'n>) {
    let mut links = Vec::new();
    let mut first = node;
    while let Some(next) = before(first) {
        links.push(first);
        first = next;
    }
    (links, first)
}

/// The text that a program sees for the source of a string. `escaped` adds what the escape sequence at the start of a
/// text is replaced by, and returns what follows it.
pub(super) fn decoded(source: &str, escaped: for<'s> fn(&'s str, &mut SmolStrBuilder) -> &'s str) -> SmolStr {
    if !source.contains('\\') {
        return SmolStr::new(source);
    }
    let mut text = SmolStrBuilder::new();
    let mut rest = source;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        rest = escaped(after, &mut text);
    }
    text.push_str(rest);
    text.finish()
}

/// The operators that have the same meaning wherever they exist.
pub(super) fn common_operator(text: &str) -> Option<Binary> {
    Some(match text {
        "+" => Binary::Add,
        "-" => Binary::Subtract,
        "*" => Binary::Multiply,
        "/" => Binary::Divide,
        "%" => Binary::Remainder,
        "**" => Binary::Power,
        "&" => Binary::And,
        "|" => Binary::Or,
        "^" => Binary::Xor,
        "<<" => Binary::ShiftLeft,
        ">>" => Binary::ShiftRight,
        "<" => Binary::Less,
        "<=" => Binary::LessOrEqual,
        ">" => Binary::Greater,
        ">=" => Binary::GreaterOrEqual,
        "in" => Binary::In,
        _ => return None,
    })
}

/// The named children of a node, without comments.
pub(super) fn named(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !child.is_extra()).collect()
}

/// Whether a node has a child that is this keyword or mark: `static`, `async`, `*`.
pub(super) fn has_token(node: Node<'_>, token: &str) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|child| child.kind() == token)
}
