//! The small language: what a file, an item and an expression are once they are lowered.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use thin_vec::ThinVec;

use super::captures::Captured;
use super::index::Index;
use crate::directive::OF_ALIAS;
use crate::text::Span;

/// The facts of one file.
#[derive(Debug, Clone, Default)]
pub struct FileFacts {
    /// Whether the syntax tree contains errors.
    pub has_errors: bool,
    pub items: Vec<Item>,
    /// Every name bound at the top of the file: the item and the index of the binding in its first scope.
    pub top_level: FxHashMap<SmolStr, Vec<(u32, u32)>>,
    /// Calls by the last part of their callee: `registerTool` for `this.server.registerTool(…)`.
    pub calls: FxHashMap<SmolStr, Vec<(u32, CallId)>>,
    /// Calls that receive a variable itself as an argument, by the name of the variable.
    pub given: FxHashMap<SmolStr, Vec<(u32, CallId)>>,
    /// Variables that are elements of arrays or entries of objects: the functions they hold can be called under other
    /// names.
    pub handed: FxHashSet<SmolStr>,
    /// The last export of each name, which is the one in effect: the item and the index among its exports.
    pub exported: FxHashMap<SmolStr, (u32, u32)>,
    /// The modules of `export * from …`, without duplicates, in source order.
    pub passed_on: Vec<SmolStr>,
    /// Every module that an import names, at any depth.
    pub modules: FxHashSet<SmolStr>,
    /// Whether the file contains an alias comment with code below it.
    pub has_notes: bool,
}

/// One top-level statement or declaration.
#[derive(Debug, Clone)]
pub struct Item {
    /// Byte offset of the item in its file. All spans in its facts are relative to it.
    pub start: u32,
    pub len: u32,
    pub facts: Arc<ItemFacts>,
    pub(super) hash: u64,
}

/// The facts of one item. Collections that are empty in most items take one word each.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ItemFacts {
    /// The first scope is the item's share of the module's scope.
    pub scopes: Vec<Scope>,
    /// Every call, struct literal and decorator call, in source order.
    pub calls: Vec<Call>,
    /// The same calls as expressions, by index, for code that needs a reference to an `Expr::Call`.
    pub call_expressions: Vec<Expr>,
    /// Functions, methods and classes.
    pub definitions: Vec<Definition>,
    pub exports: ThinVec<Export>,
    /// String literals that something is compared with: `case "x"`, `== "x"`, match arms.
    pub comparisons: ThinVec<Comparison>,
    /// Elements chosen at run time: `handlers[name]`, `name in handlers`.
    pub lookups: ThinVec<Lookup>,
    /// Objects and records with a `name` and at least two other entries: possible definitions, wherever they occur.
    pub named_objects: ThinVec<NamedObject>,
    /// The conditions under which branches run, sorted by branch.
    pub conditions: ThinVec<Condition>,
    /// Variables that are elements of arrays or entries of objects.
    pub handed: ThinVec<SmolStr>,
    /// Entries that are added to an object after its creation: `handlers["x"] = handler`.
    pub assigned: ThinVec<Assigned>,
    pub directives: ThinVec<Directive>,
    /// The matches of the frameworks' queries.
    pub captured: ThinVec<Captured>,
    /// An index, if the item is too large for a linear search.
    pub index: Option<Box<Index>>,
}

/// A string literal without escapes that something is compared with; the span covers it inside its quotes.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    pub text: SmolStr,
    pub span: Span,
    /// The other operand: `request.params.name`.
    pub subject: Option<Expr>,
    /// The scope in which both are evaluated.
    pub scope: ScopeId,
}

/// An object literal with a `name` and at least two other entries.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedObject {
    pub object: Expr,
    pub scope: ScopeId,
}

/// A condition of a branch: at least one value of `any` is truthy or, if `holds` is false, none is. A branch with
/// several conditions runs only if all of them are met.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    pub branch: ScopeId,
    pub any: Vec<Expr>,
    pub holds: bool,
}

/// An element of a table that is chosen at run time.
#[derive(Debug, Clone, PartialEq)]
pub struct Lookup {
    pub table: Expr,
    pub key: Expr,
    pub scope: ScopeId,
}

/// An entry that is added to an object after its creation.
#[derive(Debug, Clone, PartialEq)]
pub struct Assigned {
    pub table: Expr,
    pub key: Expr,
    pub value: Expr,
    pub scope: ScopeId,
}

/// Usual names of the variable or field that holds the name of the called tool, in comparisons with literals.
pub(crate) const SUBJECTS: [&str; 4] = ["name", "toolName", "tool_name", "tool"];

/// The name of a module's default export. No variable can have this name.
pub(crate) const DEFAULT_EXPORT: &str = "default";

/// The names of the first segment of a Rust path: `crate::x`, `self::x`, `super::x`. The last two are written with
/// `::`, so that they are not confused with the value `self`.
pub(crate) const CRATE: &str = "crate";
pub(crate) const THIS_MODULE: &str = "self::";
pub(crate) const PARENT_MODULE: &str = "super::";

/// The reason for an [`Expr::Opaque`] that is a field declared without a value.
pub(crate) const UNSET: &str = "a field without a value";

/// The same for a variable.
pub(crate) const UNASSIGNED: &str = "a variable without a value";

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// Characters of a string literal, as the program sees them. The span covers them inside the quotes; it has the
    /// same length in bytes as the text unless the literal contains escapes.
    Text {
        text: SmolStr,
        span: Span,
    },
    /// `true`, `false`, numbers, `null`: as written.
    Scalar {
        text: SmolStr,
        span: Span,
    },
    /// A variable, function, class or import.
    Name {
        name: SmolStr,
        span: Span,
    },
    /// `object.key`, `object["key"]`, `Type::Key`.
    Member {
        object: Box<Expr>,
        key: Key,
        span: Span,
    },
    /// `object[index]` where the index is computed.
    At {
        object: Box<Expr>,
        index: Box<Expr>,
        span: Span,
    },
    /// Pieces joined to one string: `a + b`, template literals, f-strings.
    Concat {
        parts: Vec<Expr>,
        span: Span,
    },
    Call(CallId),
    Object {
        props: Vec<Prop>,
        span: Span,
    },
    Array {
        elements: Vec<Expr>,
        span: Span,
    },
    /// `...value`, `*value`, `**value`
    Spread(Box<Expr>),
    /// A function or lambda used as a value.
    Function {
        scope: ScopeId,
        span: Span,
    },
    /// A class used as a value.
    Class {
        scope: ScopeId,
        span: Span,
    },
    /// A list comprehension: the element, evaluated in the loop's scope.
    Each {
        scope: ScopeId,
        element: Box<Expr>,
        span: Span,
    },
    Pattern {
        pattern: Box<Pattern>,
        span: Span,
    },
    /// One of several values, decided at run time.
    Choice(Vec<Expr>),
    /// `test ? then : otherwise`
    If {
        test: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    /// `left == right` or, if `holds` is false, `left != right`.
    Equal {
        left: Box<Expr>,
        right: Box<Expr>,
        holds: bool,
        span: Span,
    },
    /// The first truthy operand, or else the last one: `a || b`, `a ?? b`, `a or b`.
    Or(Vec<Expr>),
    /// The second operand if the first is truthy, or else the first: `a && b`.
    And(Box<(Expr, Expr)>),
    /// `!value`
    Not(Box<Expr>),
    /// An expression that is not evaluated; `what` describes it.
    Opaque {
        what: &'static str,
        span: Span,
    },
}

/// A regular expression: `/[^a-z]+/gi`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pattern {
    pub source: SmolStr,
    pub flags: SmolStr,
}

/// A step into a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Key {
    Field(SmolStr),
    Index(u32),
}

/// An entry of an object literal.
#[derive(Debug, Clone, PartialEq)]
pub enum Prop {
    /// `key: value`; the key is an expression, so that it keeps its span.
    Pair {
        key: Expr,
        value: Expr,
    },
    Spread(Expr),
}

/// Index into [`ItemFacts::calls`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallId(pub u32);

/// Index into [`ItemFacts::scopes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScopeId(pub u32);

#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub kind: CallKind,
    pub callee: Expr,
    pub args: Vec<Arg>,
    /// The scope of the call.
    pub scope: ScopeId,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallKind {
    /// `f(x)`
    Plain,
    /// `new F(x)`
    New,
    /// `@f(x)`, `#[f(x)]`
    Decorator,
    /// `F { x: 1 }`
    Struct,
    /// The application of a decorator to the function below it: `f(function)` for `@f`.
    Applied,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Arg {
    /// The keyword it is passed under.
    pub name: Option<SmolStr>,
    pub value: Expr,
    /// The span of the argument, including its keyword.
    pub span: Span,
}

/// A function, method or class, possibly with decorators. Its name may become the name of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    pub kind: DefinitionKind,
    pub name: SmolStr,
    pub name_span: Span,
    /// The scope it is defined in.
    pub scope: ScopeId,
    /// Its own scope.
    pub body: ScopeId,
    /// Outermost first: names, members or calls.
    pub decorators: Vec<Expr>,
    /// The documentation in the source; recorded only for definitions with decorators or base classes.
    pub doc: Option<Doc>,
    /// The typed fields of a class or struct, and the variants of an enumeration.
    pub fields: ThinVec<Field>,
    pub span: Span,
}

impl Definition {
    /// The function or class as a value.
    pub(crate) fn value(&self) -> Expr {
        match self.kind {
            DefinitionKind::Function => Expr::Function { scope: self.body, span: self.span },
            DefinitionKind::Class => Expr::Class { scope: self.body, span: self.span },
        }
    }
}

/// The documentation of a definition: a whole docstring, or the first line of a doc comment.
#[derive(Debug, Clone, PartialEq)]
pub struct Doc {
    pub text: SmolStr,
    /// The span inside the quotes, or after the comment marker.
    pub span: Span,
}

/// A field that is declared with its type, or a variant of an enumeration.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub name: SmolStr,
    /// The span of its name.
    pub span: Span,
    /// The span of the whole declaration, including its attributes.
    pub whole: Span,
    /// The type as written; a generic type is [`Expr::At`] with a list of its arguments. `None` for a variant.
    pub annotation: Option<Expr>,
    pub default: Option<Expr>,
    /// The words and literals of its attributes, in order: `schemars`, `range`, `min`.
    pub attributes: Vec<Expr>,
    pub doc: Option<Doc>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefinitionKind {
    Function,
    Class,
}

/// A region in which names are bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Scope {
    pub parent: Option<ScopeId>,
    pub kind: ScopeKind,
    pub bindings: Vec<Binding>,
    /// The values that a function returns, one for each `return`. A loop has an opaque one for each `continue`.
    pub returns: ThinVec<Returned>,
}

/// A `return`: the value, and the scope inside the function in which it is evaluated.
#[derive(Debug, Clone, PartialEq)]
pub struct Returned {
    pub value: Expr,
    pub scope: ScopeId,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ScopeKind {
    /// The item's share of the module's scope.
    Module,
    Function(Function),
    /// The body of a loop; its variable is bound to elements of `iterable`, which is evaluated outside.
    Loop {
        iterable: Expr,
    },
    Block,
    /// A block that may not run: of an `if`, a `case`, a `catch`.
    Branch,
    /// `mod x { … }`, `namespace x { … }`: its names are visible inside it, and outside as members of `x`.
    Namespace,
    /// Its names are visible only as members.
    Class {
        bases: Vec<Expr>,
    },
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Function {
    pub params: Vec<Param>,
    /// The first parameter is the receiver (`self`) and takes no argument of a method call.
    pub receiver: bool,
    /// For a callback of `.map`, `.forEach` and the like, the value that is iterated over: the first parameter is each
    /// of its elements. It is evaluated outside the function.
    pub each: Option<Box<Expr>>,
    /// The span of the first statement of its body, after any docstring. If there is none, an empty span where one can
    /// be inserted; `None` if the body is an expression.
    pub first: Option<Span>,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Param {
    pub name: SmolStr,
    pub default: Option<Expr>,
    /// Takes all remaining arguments.
    pub rest: bool,
    /// Takes all remaining keyword arguments: `**kwargs`.
    pub keywords: bool,
    /// Its type as written; a generic type is [`Expr::At`] with a list of its arguments.
    pub annotation: Option<Box<Expr>>,
    /// The span of its name, if it has one.
    pub span: Span,
}

/// A name bound in a scope.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    pub name: SmolStr,
    pub span: Span,
    pub value: Bound,
    /// The default of a destructured name, used if the value is absent: `{ name = "x" }`.
    pub default: Option<Box<Expr>>,
    /// The scope in which the bound expression is evaluated. It differs from the scope that owns the binding for fields
    /// set in a constructor.
    pub scope: ScopeId,
}

impl Binding {
    /// The own scope of the function or class that is the bound value; `None` for any other value.
    pub(super) fn body(&self) -> Option<ScopeId> {
        match &self.value {
            Bound::Value(Expr::Function { scope, .. } | Expr::Class { scope, .. }) => Some(*scope),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Bound {
    Value(Expr),
    /// A parameter of the function that owns the scope, destructured by `path`.
    Param {
        index: u32,
        path: Vec<Key>,
    },
    /// The current element of the loop that owns the scope, destructured by `path`.
    Element {
        path: Vec<Key>,
    },
    Import {
        module: SmolStr,
        name: Imported,
    },
}

/// The part of a module that an import binds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Imported {
    Default,
    /// The module itself.
    Module,
    Named(SmolStr),
}

/// An export: a name, and what other files import by it.
#[derive(Debug, Clone, PartialEq)]
pub struct Export {
    /// `None` for `export * from …`: everything that the target's module exports.
    pub name: Option<SmolStr>,
    pub target: ExportTarget,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ExportTarget {
    Local(SmolStr),
    Value(Expr),
    From { module: SmolStr, name: Imported },
}

/// A comment addressed to toolnames: `toolnames: allow(rule-id) why`.
#[derive(Debug, Clone, PartialEq)]
pub struct Directive {
    /// The text after `toolnames:`, trimmed.
    pub text: SmolStr,
    pub span: Span,
    /// For an alias comment, the span of the code below it.
    pub below: Option<Span>,
}

impl Expr {
    /// The last part of a path: `c` of `a.b.c`. `None` for any other expression.
    pub fn last_name(&self) -> Option<&SmolStr> {
        match self {
            Expr::Name { name, .. } | Expr::Member { key: Key::Field(name), .. } => Some(name),
            _ => None,
        }
    }

    /// Passes the expression and all expressions nested in it to `see`, without entering calls, functions and classes.
    pub fn each_within<'e>(&'e self, see: &mut dyn FnMut(&'e Expr)) {
        see(self);
        match self {
            Expr::Member { object, .. } => object.each_within(see),
            Expr::At { object, index, .. } => [object, index].into_iter().for_each(|part| part.each_within(see)),
            Expr::Concat { parts, .. }
            | Expr::Choice(parts)
            | Expr::Or(parts)
            | Expr::Array { elements: parts, .. } => {
                parts.iter().for_each(|part| part.each_within(see));
            }
            Expr::Object { props, .. } => {
                for prop in props {
                    match prop {
                        Prop::Pair { key, value } => [key, value].into_iter().for_each(|part| part.each_within(see)),
                        Prop::Spread(inner) => inner.each_within(see),
                    }
                }
            }
            Expr::Spread(inner) | Expr::Not(inner) | Expr::Each { element: inner, .. } => inner.each_within(see),
            Expr::And(sides) => [&sides.0, &sides.1].into_iter().for_each(|part| part.each_within(see)),
            Expr::If { test, then, otherwise } => {
                [test, then, otherwise].into_iter().for_each(|part| part.each_within(see));
            }
            Expr::Equal { left, right, .. } => [left, right].into_iter().for_each(|part| part.each_within(see)),
            _ => {}
        }
    }

    /// Does the same as `each_within`.
    pub fn visit<'e>(&'e self, see: &mut dyn FnMut(&'e Expr)) {
        self.each_within(see);
    }

    /// Whether it is the name of a method's receiver: `this`, `self`, `cls`.
    pub fn is_receiver(&self) -> bool {
        matches!(self, Expr::Name { name, .. } if matches!(name.as_str(), "this" | "self" | "cls"))
    }

    /// The span of the expression, relative to its item. The item's facts are needed because calls keep their spans
    /// there.
    pub fn span(&self, item: &ItemFacts) -> Span {
        match self {
            Expr::Text { span, .. }
            | Expr::Scalar { span, .. }
            | Expr::Name { span, .. }
            | Expr::Member { span, .. }
            | Expr::At { span, .. }
            | Expr::Concat { span, .. }
            | Expr::Object { span, .. }
            | Expr::Array { span, .. }
            | Expr::Function { span, .. }
            | Expr::Class { span, .. }
            | Expr::Each { span, .. }
            | Expr::Equal { span, .. }
            | Expr::Pattern { span, .. }
            | Expr::Opaque { span, .. } => *span,
            Expr::Call(id) => item.call(*id).span,
            Expr::Spread(inner) | Expr::Not(inner) => inner.span(item),
            Expr::And(sides) => sides.1.span(item),
            Expr::If { then, .. } => then.span(item),
            Expr::Choice(options) | Expr::Or(options) => {
                options.first().map_or(Span::default(), |first| first.span(item))
            }
        }
    }
}

impl Scope {
    /// Creates a scope without bindings.
    pub(crate) fn new(parent: Option<ScopeId>, kind: ScopeKind) -> Scope {
        Scope { parent, kind, bindings: Vec::new(), returns: ThinVec::new() }
    }
}

impl ItemFacts {
    /// The conditions under which a branch runs.
    pub fn conditions_of(&self, branch: ScopeId) -> &[Condition] {
        let start = self.conditions.partition_point(|condition| condition.branch < branch);
        let count = self.conditions[start..].partition_point(|condition| condition.branch == branch);
        &self.conditions[start..start + count]
    }

    pub fn call(&self, id: CallId) -> &Call {
        &self.calls[id.0 as usize]
    }

    /// Passes every expression of the item to `see`, including nested ones.
    pub fn each_expression<'e>(&'e self, see: &mut dyn FnMut(&'e Expr)) {
        for call in &self.calls {
            call.callee.each_within(see);
            call.args.iter().for_each(|arg| arg.value.each_within(see));
        }
        for scope in &self.scopes {
            for binding in &scope.bindings {
                if let Bound::Value(value) = &binding.value {
                    value.each_within(see);
                }
            }
            scope.returns.iter().for_each(|returned| returned.value.each_within(see));
        }
        self.assigned.iter().for_each(|assigned| assigned.value.each_within(see));
        for export in &self.exports {
            if let ExportTarget::Value(value) = &export.target {
                value.each_within(see);
            }
        }
    }

    /// Pairs of a base's name and a class's name, one for each base that a class names.
    pub fn derived(&self) -> impl Iterator<Item = (&SmolStr, &SmolStr)> {
        self.definitions.iter().flat_map(|definition| {
            let bases = match &self.scope(definition.body).kind {
                ScopeKind::Class { bases } => bases.as_slice(),
                _ => &[],
            };
            bases.iter().filter_map(|base| Some((base.last_name()?, &definition.name)))
        })
    }

    pub fn scope(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.0 as usize]
    }
}

impl FileFacts {
    pub fn item(&self, index: u32) -> &Item {
        &self.items[index as usize]
    }

    /// Whether two versions of a file have the same items in the same order, possibly at different offsets. Facts are
    /// compared by address.
    pub fn same_items(&self, other: &FileFacts) -> bool {
        self.items.len() == other.items.len()
            && self.items.iter().zip(&other.items).all(|(a, b)| Arc::ptr_eq(&a.facts, &b.facts))
    }

    /// Whether any import in the file, at any depth, names a module that `wanted` accepts.
    pub fn imports_any(&self, wanted: &dyn Fn(&str) -> bool) -> bool {
        self.modules.iter().any(|module| wanted(module))
    }

    /// Whether an import at the top of the file binds a name.
    pub fn imports(&self, name: &str) -> bool {
        let bound = self.top_level.get(name).into_iter().flatten();
        bound
            .map(|&(item, place)| &self.item(item).facts.scopes[0].bindings[place as usize].value)
            .any(|value| matches!(value, Bound::Import { .. }))
    }

    /// Every directive with its spans in the file.
    pub fn directives(&self) -> impl Iterator<Item = Directive> {
        self.items.iter().flat_map(|item| {
            item.facts.directives.iter().map(|directive| Directive {
                span: directive.span.shifted(item.start),
                below: directive.below.map(|below| below.shifted(item.start)),
                ..directive.clone()
            })
        })
    }
}

impl ItemFacts {
    /// Whether the facts are independent of the text after the item, which is `len` bytes long.
    pub(super) fn is_self_contained(&self, len: u32) -> bool {
        let mut notes = self.directives.iter().filter(|directive| directive.text.starts_with(OF_ALIAS));
        notes.all(|note| note.below.is_some_and(|below| below.end <= len))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
            && self.definitions.is_empty()
            && self.exports.is_empty()
            && self.comparisons.is_empty()
            && self.named_objects.is_empty()
            && self.lookups.is_empty()
            && self.assigned.is_empty()
            && self.directives.is_empty()
            && self.captured.is_empty()
            && self.scopes.iter().all(|scope| scope.bindings.is_empty() && scope.returns.is_empty())
    }
}
