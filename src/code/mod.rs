//! Source → programs in one small language, with their statements in order.
//!
//! The language is what TypeScript, Python and Rust have in common: functions, classes, objects, loops, exceptions. It
//! knows nothing of MCP and nothing of how it is run. Where two languages differ in meaning (`a.b` of a dict, the truth
//! of `[]`), the same node is used, and what runs it asks for the language. A construct without a node becomes
//! [`ExprKind::Opaque`] with the words for it; lowering never fails.
//!
//! Code is kept per top-level statement with spans relative to it, like the facts of [`crate::lower`].

mod builder;
mod outline;
#[cfg(test)]
mod printed;
mod python;
mod rust;
mod typescript;

use std::hash::Hasher as _;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHasher};
use smol_str::SmolStr;
use tree_sitter::{Node, Tree};

pub(crate) use self::outline::{Mention, Of, Outline, Reach};
pub(crate) use self::rust::{CHANGED, TYPE_ARGUMENTS};

use crate::syntax::{Family, Language};
use crate::text::Span;

/// The program of one file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Code {
    pub items: Vec<Item>,
    /// The documentation of the module.
    pub doc: Option<Doc>,
}

/// One top-level statement.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    /// Byte offset in the file. All spans in the item are relative to it.
    pub start: u32,
    /// The hash of its text.
    hash: u64,
    pub body: Arc<Block>,
    pub outline: Arc<Outline>,
}

impl Item {
    fn new(start: u32, hash: u64, body: Block) -> Item {
        let outline = Outline::of(&body);
        Item { start, hash, body: Arc::new(body), outline: Arc::new(outline) }
    }

    /// Whether two items have the same code, wherever they are.
    pub(crate) fn is_same(&self, other: &Item) -> bool {
        Arc::ptr_eq(&self.body, &other.body)
    }
}

/// A byte offset in a file, relative to the item that contains it: it stays valid when the item moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Offset {
    pub item: u32,
    pub bytes: u32,
}

impl Code {
    /// A byte offset in the file, relative to the item that contains it or comes before it.
    pub(crate) fn offset(&self, at: u32) -> Option<Offset> {
        let item = self.items.partition_point(|item| item.start <= at).checked_sub(1)?;
        Some(Offset { item: item as u32, bytes: at - self.items[item].start })
    }
}

/// The items of an earlier version of a file. An item whose text is the same keeps its code, by identity.
struct Earlier<'c> {
    items: FxHashMap<u64, Vec<&'c Item>>,
}

impl<'c> Earlier<'c> {
    fn of(code: Option<&'c Code>) -> Earlier<'c> {
        let mut items: FxHashMap<u64, Vec<&Item>> = FxHashMap::default();
        // In reverse, so that items with the same text are taken in order.
        for item in code.iter().flat_map(|code| code.items.iter().rev()) {
            items.entry(item.hash).or_default().push(item);
        }
        Earlier { items }
    }

    /// The item that a node is, whose text begins at a byte offset of the file. `lower` returns its code.
    fn item(&mut self, text: &str, start: usize, node: Node<'_>, lower: impl FnOnce() -> Block) -> Item {
        let mut hasher = FxHasher::default();
        hasher.write_u16(node.kind_id());
        hasher.write(&text.as_bytes()[start..node.end_byte()]);
        let hash = hasher.finish();
        let start = start as u32;
        let known = self.items.get_mut(&hash).and_then(Vec::pop);
        match known {
            // How code with an error is parsed depends on its surroundings.
            Some(item) if !node.has_error() => Item { start, ..item.clone() },
            Some(item) => match lower() {
                body if body == *item.body => Item { start, ..item.clone() },
                body => Item::new(start, hash, body),
            },
            None => Item::new(start, hash, lower()),
        }
    }
}

/// Statements that run one after the other.
pub(crate) type Block = Vec<Stmt>;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum StmtKind {
    /// An expression for its effect.
    Run(Expr),
    /// `const x = 1`, `let { a, b = 2 } = o`, `x: int = 1`. In Python every assignment to a target is one.
    Let {
        scope: Declared,
        target: Target,
        /// The type as written.
        annotation: Option<Box<Expr>>,
        /// `None` for a declaration without a value.
        value: Option<Expr>,
    },
    /// `global x`, `nonlocal x`
    Outer {
        names: Vec<SmolStr>,
        /// Whether the names are the module's.
        global: bool,
    },
    /// A declared function, which JavaScript binds before the block runs.
    Function(Arc<Function>),
    Class(Arc<Class>),
    /// `impl Trait for Type { … }`: members of a class that are defined elsewhere.
    Extend(Arc<Extension>),
    Return(Option<Expr>),
    /// The end of the innermost [`ExprKind::Body`] around it, with its value.
    Give(Option<Expr>),
    /// `throw`, `raise`; without a value, the exception that is handled is thrown again.
    Throw(Option<Expr>),
    Break(Option<SmolStr>),
    Continue(Option<SmolStr>),
    If {
        test: Expr,
        then: Block,
        otherwise: Block,
    },
    /// `switch`, `match`
    Switch {
        subject: Expr,
        cases: Vec<Case>,
    },
    /// A loop over the elements of a value: `for (const x of list)`, `for x in list`.
    Each {
        scope: Declared,
        target: Target,
        iterable: Expr,
        /// Whether the loop is over the keys: `for (const key in object)`.
        keys: bool,
        body: Block,
        /// What runs if the loop ends without `break` (Python).
        otherwise: Block,
    },
    /// A loop with a condition. `first` runs before it and its variables are the loop's, `after` at the end of each
    /// turn, also of one that `continue` ends.
    While {
        first: Block,
        /// `None` for `for (;;)` and `loop`.
        test: Option<Expr>,
        after: Option<Box<Expr>>,
        body: Block,
        /// Whether the condition is tested after the body: `do … while`.
        test_last: bool,
        otherwise: Block,
    },
    Try {
        body: Block,
        handlers: Vec<Handler>,
        otherwise: Block,
        finally: Block,
    },
    /// `with a as b:`, `using x = a`
    With {
        items: Vec<(Expr, Option<Target>)>,
        body: Block,
    },
    Block(Block),
    Label {
        name: SmolStr,
        body: Box<Stmt>,
    },
    Delete(Expr),
    /// `namespace x { … }`, `mod x { … }`: a block whose declarations are members of `name`.
    Namespace {
        name: SmolStr,
        body: Block,
    },
    Import(Import),
    Export(Export),
    /// A statement without a node; `what` describes it.
    Opaque(&'static str),
}

/// The scope of a declared name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Declared {
    /// The innermost block: `let`, `const`, Rust's `let`.
    Block,
    /// The function or module: `var`, and every assignment in Python.
    Function,
    /// A name that is declared elsewhere: `for (x of list)`.
    Elsewhere,
}

/// One `case`. A case without tests is the default.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Case {
    /// The values or patterns, of which one must match.
    pub patterns: Vec<Match>,
    pub guard: Option<Expr>,
    pub body: Block,
    /// Whether the next case runs after this one, unless a `break` ends it.
    pub falls: bool,
}

/// A pattern that a value is compared with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Match {
    /// Everything, without a name: `_`.
    Any,
    /// A value, compared for equality.
    Value(Expr),
    /// Everything, under a name; with `of`, only what that pattern matches.
    Bind {
        name: SmolStr,
        span: Span,
        of: Option<Box<Match>>,
    },
    Or(Vec<Match>),
    /// The elements of a list or tuple; `rest` is the index of the one that takes all that is left.
    List {
        elements: Vec<Match>,
        rest: Option<usize>,
    },
    /// The entries of an object or mapping.
    Table {
        entries: Vec<(Expr, Match)>,
        rest: Option<SmolStr>,
    },
    /// An instance of a class or a variant, with its positional and named fields.
    Instance {
        class: Expr,
        positional: Vec<Match>,
        named: Vec<(SmolStr, Match)>,
    },
    Opaque(&'static str),
}

/// A `catch` or `except`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Handler {
    /// The classes of the exceptions that it handles; `None` for all.
    pub class: Option<Expr>,
    pub target: Option<Target>,
    pub body: Block,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Import {
    /// The module as written: `./tools.js`, `..pkg.module`.
    pub module: SmolStr,
    pub span: Span,
    pub names: Vec<ImportedName>,
    /// Whether only types are imported: nothing runs.
    pub types_only: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ImportedName {
    pub imported: Imported,
    pub local: SmolStr,
    pub span: Span,
}

/// The part of a module that an import binds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Imported {
    Default,
    /// The module itself: `import * as x`, `import a.b as x`.
    Module,
    /// The first package of a dotted path, after the whole path is imported: `import a.b` binds `a`.
    Root,
    /// Everything it exports: `from x import *`.
    All,
    Named(SmolStr),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Export {
    /// `export const x = 1`: the statement, which also runs.
    Declared(Box<Stmt>),
    /// `export { a, b as c }`, pairs of the local and the exported name.
    Names(Vec<(SmolStr, SmolStr)>),
    /// `export { a as b } from "m"`, `export * as x from "m"`
    From {
        module: SmolStr,
        names: Vec<(Imported, SmolStr)>,
    },
    /// `export * from "m"`
    All(SmolStr),
    Default(Expr),
    /// `export = value`
    Whole(Expr),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Expr {
    pub kind: ExprKind,
    /// For a string literal without escapes, the characters inside its quotes; for the others the whole expression.
    pub span: Span,
}

impl Expr {
    /// The name of a variable, or the last name of a member: `ListToolsRequestSchema` for
    /// `types.ListToolsRequestSchema`.
    pub(crate) fn identifier(&self) -> Option<&SmolStr> {
        match &self.kind {
            ExprKind::Name(name) | ExprKind::Member { key: name, .. } => Some(name),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ExprKind {
    /// A string literal, or a piece of one, as the program sees it.
    Text(SmolStr),
    /// Bytes, of which only the text is known.
    Bytes(SmolStr),
    Number(f64),
    Bool(bool),
    /// `null`, `None`
    Null,
    Undefined,
    /// `...` of Python.
    Ellipsis,
    Pattern {
        source: SmolStr,
        flags: SmolStr,
    },
    Name(SmolStr),
    This,
    Super,
    /// `object.key`, also `Type::key`; the span of the key is `at`.
    Member {
        object: Box<Expr>,
        key: SmolStr,
        at: Span,
        /// `?.`: undefined if the object is null or undefined.
        optional: bool,
    },
    /// `object[index]`
    At {
        object: Box<Expr>,
        index: Box<Expr>,
        optional: bool,
    },
    /// `list[from:to:step]`
    Slice {
        object: Box<Expr>,
        from: Option<Box<Expr>>,
        to: Option<Box<Expr>>,
        step: Option<Box<Expr>>,
    },
    /// Pieces joined to one string: template literals, f-strings, adjacent literals.
    Join(Vec<Expr>),
    /// A value in an f-string with a conversion or format: `{x!r:>10}`.
    Formatted {
        value: Box<Expr>,
        conversion: Option<SmolStr>,
        format: Option<Box<Expr>>,
    },
    Call(Box<Call>),
    /// An object literal or dict display.
    Object(Vec<Prop>),
    List(Vec<Expr>),
    Tuple(Vec<Expr>),
    Set(Vec<Expr>),
    /// `...value`, `*value` in a list, call or target.
    Spread(Box<Expr>),
    Function(Arc<Function>),
    Class(Arc<Class>),
    Comprehension(Box<Comprehension>),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `a && b`, `a || b`, `a ?? b`
    Logic(Logic, Box<Expr>, Box<Expr>),
    Conditional {
        test: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    /// An assignment as an expression; with `operator`, `target op= value`.
    Assign {
        target: Box<Target>,
        operator: Option<Binary>,
        value: Box<Expr>,
    },
    /// `a ||= b`, `a &&= b`, `a ??= b`
    AssignLogic {
        target: Box<Target>,
        operator: Logic,
        value: Box<Expr>,
    },
    /// `x++`, `--x`; the value is the new number if `prefix`.
    Step {
        target: Box<Target>,
        up: bool,
        prefix: bool,
    },
    Await(Box<Expr>),
    Yield {
        value: Option<Box<Expr>>,
        /// `yield*`, `yield from`
        all: bool,
    },
    /// `a, b`: the last value.
    Sequence(Vec<Expr>),
    /// Statements that give a value: `match x { … }` as an expression.
    Body(Block),
    /// Whether a value fits a pattern, whose names are bound if it does: `let Some(x) = y` as a condition.
    Matches {
        value: Box<Expr>,
        pattern: Box<Match>,
    },
    /// `value?`: what is in it, or the end of the function with the error that it is.
    Try(Box<Expr>),
    /// A place that whoever gets it may change: `&mut x`.
    Lent(Box<Expr>),
    /// A value that is computed when it is first read: that of a `const`.
    Later(Arc<Function>),
    /// `import(module)`
    Import(Box<Expr>),
    /// An expression without a node; the words describe it.
    Opaque(&'static str),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub callee: Expr,
    pub args: Vec<Arg>,
    pub new: bool,
    /// `f?.(x)`
    pub optional: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Arg {
    pub kind: ArgKind,
    pub value: Expr,
    /// The argument with its keyword or stars.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ArgKind {
    Positional,
    Named(SmolStr),
    /// `...list`, `*list`
    Spread,
    /// `**dict`
    Keywords,
}

/// An entry of an object literal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Prop {
    /// `key: value`, `[key]: value`, `name`. A key that is written as an identifier is a text with its span.
    Pair {
        key: Expr,
        value: Expr,
    },
    Getter {
        key: Expr,
        function: Arc<Function>,
    },
    Setter {
        key: Expr,
        function: Arc<Function>,
    },
    Spread(Expr),
}

/// The target of a binding or an assignment.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Target {
    Name {
        name: SmolStr,
        span: Span,
    },
    /// A member or element: `a.b`, `a[i]`.
    Place(Box<Expr>),
    /// `{ a, b: c = 1, ...rest }`
    Object {
        entries: Vec<Entry>,
        rest: Option<Box<Target>>,
    },
    /// `[a, , b = 1, ...rest]`, `a, *b, c`; `rest` is the index of the element that takes all that is left.
    List {
        elements: Vec<Option<(Target, Option<Expr>)>>,
        rest: Option<usize>,
    },
    Opaque(&'static str),
}

/// An entry of a pattern for objects.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub key: Expr,
    pub target: Target,
    /// The value if the entry is undefined.
    pub default: Option<Expr>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Function {
    /// `None` if it has no name of its own; a binding may still give it one.
    pub name: Option<SmolStr>,
    /// The span of the name, if there is one.
    pub name_span: Span,
    pub params: Vec<Param>,
    /// The body; of an arrow function or lambda with an expression, one `return`.
    pub body: Block,
    pub is_async: bool,
    pub is_generator: bool,
    /// Whether `this` is that of the surrounding code.
    pub is_arrow: bool,
    /// Whether it uses the list of all its arguments under the name `arguments` (JavaScript).
    pub has_arguments: bool,
    /// Outermost first.
    pub decorators: Vec<Expr>,
    pub doc: Option<Doc>,
    /// The names that the function assigns, and so declares, anywhere in its body (Python); `global` and `nonlocal`
    /// ones are left out.
    pub locals: Vec<SmolStr>,
    /// The return type as written.
    pub returns: Option<Expr>,
    /// The names of its type parameters (Rust).
    pub types: Vec<SmolStr>,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Param {
    pub target: Target,
    pub default: Option<Expr>,
    pub kind: ParamKind,
    /// The type as written.
    pub annotation: Option<Expr>,
    /// For a parameter property of TypeScript, `constructor(private name: string)`: it is also a field.
    pub is_field: bool,
    pub decorators: Vec<Expr>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ParamKind {
    Plain,
    /// Only by position (before `/`).
    Positional,
    /// Only by keyword (after `*`).
    Keyword,
    /// Takes all remaining positional arguments.
    Rest,
    /// Takes all remaining keyword arguments.
    Keywords,
}

/// The documentation of a definition: a docstring, or the first line of a doc comment.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Doc {
    pub text: SmolStr,
    /// The span inside the quotes, or after the comment marker.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Class {
    pub name: Option<SmolStr>,
    pub name_span: Span,
    /// The base classes, and the keyword arguments of a Python class.
    pub bases: Vec<Arg>,
    pub decorators: Vec<Expr>,
    pub body: ClassBody,
    pub doc: Option<Doc>,
    pub span: Span,
}

/// Members that are added to a class.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Extension {
    /// The class.
    pub of: Expr,
    /// The trait that they implement.
    pub behaviour: Option<Expr>,
    /// The names of its type parameters.
    pub types: Vec<SmolStr>,
    pub members: Vec<Member>,
    pub decorators: Vec<Expr>,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ClassBody {
    /// Declared members.
    Members(Vec<Member>),
    /// A block that runs and whose names become members (Python).
    Block(Block),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member {
    /// The name; of `#name`, with the `#`.
    pub key: Expr,
    pub is_static: bool,
    pub kind: MemberKind,
    pub decorators: Vec<Expr>,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum MemberKind {
    Method(Arc<Function>),
    Getter(Arc<Function>),
    Setter(Arc<Function>),
    /// A field; without a value it is undefined.
    Field {
        value: Option<Expr>,
        annotation: Option<Expr>,
    },
    /// `static { … }`
    Block(Block),
    /// A member without a body, `abstract name(): string`: nothing at run time.
    Declared,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Comprehension {
    pub kind: ComprehensionKind,
    /// The key of a dict comprehension.
    pub key: Option<Expr>,
    pub element: Expr,
    pub clauses: Vec<Clause>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ComprehensionKind {
    List,
    Set,
    Table,
    Generator,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Clause {
    Each { target: Target, iterable: Expr },
    If(Expr),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unary {
    Not,
    Minus,
    Plus,
    /// `~`
    Invert,
    TypeOf,
    Void,
    Delete,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Remainder,
    Power,
    /// `&`, also the intersection of sets.
    And,
    /// `|`, also the union of sets and dicts.
    Or,
    /// `^`
    Xor,
    ShiftLeft,
    ShiftRight,
    ShiftRightUnsigned,
    /// `==` of JavaScript, which converts.
    Like,
    Unlike,
    /// `===`, and `==` of Python and Rust.
    Equal,
    NotEqual,
    /// `is`, `is not`
    Is,
    IsNot,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    /// `key in object` of JavaScript, `x in list` of Python.
    In,
    NotIn,
    InstanceOf,
    /// `@`
    MatrixMultiply,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Logic {
    And,
    Or,
    /// `??`
    Otherwise,
}

/// Lowers a file of source code; a file of another language has no code.
pub(crate) fn lower(language: Language, tree: &Tree, text: &str, previous: Option<&Code>) -> Code {
    let earlier = Earlier::of(previous);
    match language.family() {
        Some(Family::TypeScript) => typescript::file(tree, text, earlier),
        Some(Family::Python) => python::file(tree, text, earlier),
        Some(Family::Rust) => rust::file(tree, text, earlier),
        None => Code::default(),
    }
}
