//! The small language: what a file, an item and an expression are once they are lowered.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use thin_vec::ThinVec;

use super::captures::Captured;
use super::index::Index;
use crate::directive::OF_ALIAS;
use crate::text::Span;

/// What one file says.
#[derive(Debug, Clone, Default)]
pub struct FileFacts {
    /// The text is not all as its language has it.
    pub has_errors: bool,
    pub items: Vec<Item>,
    /// Every name bound at the top of the file: the item and the index of the binding in its first scope.
    pub top_level: FxHashMap<SmolStr, Vec<(u32, u32)>>,
    /// Every call by the last part of what it calls: `registerTool` for `this.server.registerTool(…)`. Calls of what
    /// a loop hands in, `for (const register of all) register(server)`, and of classes that are handed in by a loop
    /// or caller, stand under [`HANDED_IN`] too.
    pub calls: FxHashMap<SmolStr, Vec<(u32, CallId)>>,
    /// What may add to a list or table, by the name of the variable or field that holds it.
    pub grown: FxHashMap<SmolStr, Vec<(u32, Growth)>>,
    /// What takes something out of a list or table, by the name of the variable that holds it.
    pub taken_from: FxHashMap<SmolStr, Vec<(u32, CallId)>>,
    /// Every variable that is handed to a call as it is, and to which.
    pub given: FxHashMap<SmolStr, Vec<(u32, CallId)>>,
    /// Variables that stand as elements of arrays or entries of objects: what they stand for can be called under
    /// another name.
    pub handed: FxHashSet<SmolStr>,
    /// The same of fields: `client.connect` in an array.
    pub handed_fields: FxHashSet<SmolStr>,
    /// Variables whose value is exported as it is, returned, assigned to an entry or held by another variable, wherever that is.
    pub kept: FxHashSet<SmolStr>,
    /// Variables that are exported by some name.
    pub exported_locals: FxHashSet<SmolStr>,
    /// Every function, method and class: the item and the index of its definition.
    pub defined: FxHashMap<SmolStr, Vec<(u32, u32)>>,
    /// The last export of each name, which counts: the item and the index among its exports.
    pub exported: FxHashMap<SmolStr, (u32, u32)>,
    /// The modules of which everything is exported, each once, in the order of the text.
    pub passed_on: Vec<SmolStr>,
    /// What `exports.name = value` exports, by the variable or the function that is the value.
    pub exported_names: FxHashMap<SmolStr, Vec<SmolStr>>,
    pub exported_functions: FxHashMap<(u32, ScopeId), Vec<SmolStr>>,
    /// Every module that some import names, at whatever depth.
    pub modules: FxHashSet<SmolStr>,
    /// Imports and exports under another name: the name there, the name here.
    pub aliases: Vec<(SmolStr, SmolStr)>,
    /// It contains the comment of an alias.
    pub has_notes: bool,
}

/// One top-level statement or declaration.
#[derive(Debug, Clone)]
pub struct Item {
    /// Byte offset of the item in its file; every span in its facts counts from here.
    pub start: u32,
    pub len: u32,
    pub facts: Arc<ItemFacts>,
    pub(super) hash: u64,
}

/// The facts of one item. What most items have none of takes a word each.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ItemFacts {
    /// The first scope is the item's share of the module's scope.
    pub scopes: Vec<Scope>,
    /// Every call, struct literal and decorator call, in source order.
    pub calls: Vec<Call>,
    /// Each of them as an expression, for who has nothing but its index.
    pub call_expressions: Vec<Expr>,
    /// Functions, methods and classes.
    pub definitions: Vec<Definition>,
    pub exports: ThinVec<Export>,
    /// String literals that something is compared with: `case "x"`, `== "x"`, match arms.
    pub comparisons: ThinVec<Comparison>,
    /// Elements chosen at run time: `handlers[name]`, `name in handlers`.
    pub lookups: ThinVec<Lookup>,
    /// Objects that name something and say more of it: perhaps definitions, wherever they stand.
    pub named_objects: ThinVec<NamedObject>,
    /// Under which condition a branch runs.
    pub conditions: ThinVec<Condition>,
    /// Variables that are elements of arrays or entries of objects.
    pub handed: ThinVec<SmolStr>,
    /// The same of fields: `client.connect` in an array.
    pub handed_fields: ThinVec<SmolStr>,
    /// Entries added to an object after it was made: `handlers["x"] = handler`.
    pub assigned: ThinVec<Assigned>,
    pub directives: ThinVec<Directive>,
    /// The matches of the frameworks' queries.
    pub captured: ThinVec<Captured>,
    /// Of items that are too large to look through.
    pub index: Option<Box<Index>>,
}

/// A string literal without escapes that something is compared with; the span covers it inside its quotes.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    pub text: SmolStr,
    pub span: Span,
    /// What it is compared with: `request.params.name`.
    pub subject: Option<Expr>,
    /// The scope of both.
    pub scope: ScopeId,
}

/// An object literal with a `name` and at least two other entries.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedObject {
    pub object: Expr,
    pub scope: ScopeId,
}

/// A branch runs if any of some values is as good as true, or, where `holds` is false, none is; of several conditions,
/// all must be met.
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

/// An entry that an object gets after it was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Assigned {
    pub table: Expr,
    pub key: Expr,
    pub value: Expr,
    pub scope: ScopeId,
}

/// What may add to a list or table: an entry of [`ItemFacts::assigned`], or a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growth {
    Assigned(u32),
    Call(CallId),
}

/// Methods that add entries to the table they are called on, or that it is handed to.
const TABLE_METHODS: [&str; 4] = ["set", "insert", "update", "assign"];

/// Methods that add their arguments to the list they are called on, in any of the languages.
pub(crate) const GROWING_METHODS: [&str; 6] = ["push", "append", "unshift", "extend", "add", "insert"];

/// Methods that take something out of the list or table that they are called on, in any of the languages.
const SHRINKING_METHODS: [&str; 7] = ["delete", "shift", "pop", "splice", "clear", "remove", "discard"];

/// What the name of a called tool goes by where it is compared with literals.
pub(crate) const SUBJECTS: [&str; 4] = ["name", "toolName", "tool_name", "tool"];

/// The name of what a module exports by default: no variable is called so.
pub(crate) const DEFAULT_EXPORT: &str = "default";

/// Stands for the name of a function that is called by the name of a loop's variable, and of a class of which
/// an instance is made by such a name or a parameter's.
pub(crate) const HANDED_IN: &str = "()";

/// How a path of Rust begins: `crate::x`, and `self::x` and `super::x`, which are no values that `self` could be.
pub(crate) const CRATE: &str = "crate";
pub(crate) const THIS_MODULE: &str = "self::";
pub(crate) const PARENT_MODULE: &str = "super::";

/// The reason for a field that is declared and gets its value elsewhere.
pub(crate) const UNSET: &str = "a field without a value";

/// The same of a variable.
pub(crate) const UNASSIGNED: &str = "a variable without a value";

/// A value's recipe.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// Characters of a string literal, as the program sees them. The span covers them inside the quotes; it is
    /// as long as the text unless an escape stands for a character.
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
    /// A function or lambda standing as a value.
    Function {
        scope: ScopeId,
        span: Span,
    },
    /// A class standing as a value.
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
    /// `left == right`, or that they differ.
    Equal {
        left: Box<Expr>,
        right: Box<Expr>,
        holds: bool,
        span: Span,
    },
    /// The first that is as good as true, or the last: `a || b`, `a ?? b`, `a or b`.
    Or(Vec<Expr>),
    /// The second, where the first is as good as true: `a && b`.
    And(Box<(Expr, Expr)>),
    /// `!value`
    Not(Box<Expr>),
    /// Something that no name is computed through.
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
    /// What a decorator does to the function under it: `f(function)` for `@f`.
    Applied,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Arg {
    /// The keyword it is passed under.
    pub name: Option<SmolStr>,
    pub value: Expr,
    /// With its keyword.
    pub span: Span,
}

/// Something with a body and perhaps with decorators: where function and class names become tool names.
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
    /// What documents it where it stands; kept for what has decorators or bases.
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

/// A text that documents a definition: all of a docstring, or the first line of a comment.
#[derive(Debug, Clone, PartialEq)]
pub struct Doc {
    pub text: SmolStr,
    /// Inside the quotes, or behind the marks of the comment.
    pub span: Span,
}

/// A field that is declared with its type.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub name: SmolStr,
    /// Of its name.
    pub span: Span,
    /// With all that belongs to it, attributes included.
    pub whole: Span,
    /// A generic type is [`Expr::At`] with a list of its arguments; `None` for a variant.
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
    /// What a function returns, one for each `return`; of a loop, one that gives nothing back for each `continue`.
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
    /// `mod x { … }`, `namespace x { … }`: its names are seen inside, and outside as members of `x`.
    Namespace,
    /// Its names are seen only as members.
    Class {
        bases: Vec<Expr>,
    },
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Function {
    pub params: Vec<Param>,
    /// The first parameter is the receiver (`self`) and takes no argument of a method call.
    pub receiver: bool,
    /// Passed to `.map`, `.forEach` and the like: the first parameter is each element of this value, which is
    /// evaluated outside the function.
    pub each: Option<Box<Expr>>,
    /// The first statement of its body, behind any documentation; empty at the place for one where there is none.
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
    /// Of its name, for a parameter that has one.
    pub span: Span,
}

/// A name and what it stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    pub name: SmolStr,
    pub span: Span,
    pub value: Bound,
    /// What it stands for where there is no such value: `{ name = "x" }`.
    pub default: Option<Box<Expr>>,
    /// Where the bound expression is evaluated; differs from the owner for fields set in a constructor.
    pub scope: ScopeId,
}

impl Binding {
    /// The scope of the function or class that is bound itself.
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
    /// A parameter of the function whose scope this is, taken apart by `path`.
    Param {
        index: u32,
        path: Vec<Key>,
    },
    /// The element of the loop whose scope this is, taken apart by `path`.
    Element {
        path: Vec<Key>,
    },
    Import {
        module: SmolStr,
        name: Imported,
    },
}

/// What an import takes from its module.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Imported {
    Default,
    /// The module itself.
    Module,
    Named(SmolStr),
}

/// What other files can import by which name.
#[derive(Debug, Clone, PartialEq)]
pub struct Export {
    /// `None`: everything that `source` exports.
    pub name: Option<SmolStr>,
    pub target: ExportTarget,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ExportTarget {
    Local(SmolStr),
    Value(Expr),
    From { module: SmolStr, name: Imported },
}

/// A comment that speaks to this program: `toolnames: allow(rule-id) why`.
#[derive(Debug, Clone, PartialEq)]
pub struct Directive {
    /// What follows `toolnames:`, trimmed.
    pub text: SmolStr,
    pub span: Span,
    /// What is below it, for the comment of an alias.
    pub below: Option<Span>,
}

impl Expr {
    /// The last part of a path: `c` of `a.b.c`.
    pub fn last_name(&self) -> Option<&SmolStr> {
        match self {
            Expr::Name { name, .. } | Expr::Member { key: Key::Field(name), .. } => Some(name),
            _ => None,
        }
    }

    /// Hands over the expression and all that stand in it; what stands in calls is theirs.
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

    /// Hands over the expression and all that stand in it; what stands in calls is theirs.
    pub fn visit<'e>(&'e self, see: &mut dyn FnMut(&'e Expr)) {
        self.each_within(see);
    }

    /// Whether it is what a method is called on: `this`, `self`, `cls`.
    pub fn is_receiver(&self) -> bool {
        matches!(self, Expr::Name { name, .. } if matches!(name.as_str(), "this" | "self" | "cls"))
    }

    /// Where the expression stands; calls keep their span in their item.
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
    /// A scope in which nothing is bound yet.
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

    /// Hands over every expression of the item, with those inside it.
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

    /// Each class with each base that it names.
    pub fn derived(&self) -> impl Iterator<Item = (&SmolStr, &SmolStr)> {
        self.definitions.iter().flat_map(|definition| {
            let bases = match &self.scope(definition.body).kind {
                ScopeKind::Class { bases } => bases.as_slice(),
                _ => &[],
            };
            bases.iter().filter_map(|base| Some((base.last_name()?, &definition.name)))
        })
    }

    /// The name of what holds the list or table that a call may add to.
    pub(crate) fn grown_by<'f>(&'f self, call: &'f Call) -> Option<&'f SmolStr> {
        let Expr::Member { object, key: Key::Field(method), .. } = &call.callee else { return None };
        match method.as_str() {
            "assign" => call.args.first()?.value.last_name(),
            method if GROWING_METHODS.contains(&method) || TABLE_METHODS.contains(&method) => {
                self.table_of_list(object).unwrap_or(object).last_name()
            }
            _ => None,
        }
    }

    /// The variable that holds the list or table out of which a call takes something.
    pub(crate) fn taken_from<'f>(&self, call: &'f Call) -> Option<&'f SmolStr> {
        match &call.callee {
            Expr::Member { object, key: Key::Field(method), .. } if SHRINKING_METHODS.contains(&method.as_str()) => {
                match &**object {
                    Expr::Name { name, .. } => Some(name),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The table in which a list is an entry: `table[key]`, `table.get(key)`.
    pub fn table_of_list<'f>(&'f self, list: &'f Expr) -> Option<&'f Expr> {
        match list {
            Expr::At { object, .. } => Some(object),
            Expr::Call(id) => match &self.call(*id).callee {
                Expr::Member { object, key: Key::Field(method), .. }
                    if matches!(method.as_str(), "get" | "setdefault") =>
                {
                    Some(object)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a call is of what a loop, or in `new C()` perhaps a caller, hands in.
    pub(crate) fn is_handed_in(&self, call: &Call) -> bool {
        let Expr::Name { name, .. } = &call.callee else { return false };
        let around = std::iter::successors(Some(call.scope), |scope| self.scope(*scope).parent);
        let mut binders =
            around.filter_map(|scope| self.bindings_of(scope, name).first().map(|binding| &binding.value));
        match binders.next() {
            Some(Bound::Element { .. }) => true,
            // Of all the callbacks there are, those that get a server.
            Some(Bound::Param { .. }) => {
                let tells = |arg: &Arg| arg.value.last_name().is_some_and(|name| sounds_like_a_server(name));
                call.kind == CallKind::New || call.args.iter().any(tells)
            }
            _ => false,
        }
    }

    pub fn scope(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.0 as usize]
    }
}

/// Whether a variable is called as those are that hold a server: what it holds, a parameter's type may say only.
pub(crate) fn sounds_like_a_server(name: &str) -> bool {
    let name = name.to_lowercase();
    name.contains("server") || name.contains("mcp")
}

impl FileFacts {
    pub fn item(&self, index: u32) -> &Item {
        &self.items[index as usize]
    }

    /// Whether two versions of a file say the same at every item, wherever the items stand.
    pub fn same_items(&self, other: &FileFacts) -> bool {
        self.items.len() == other.items.len()
            && self.items.iter().zip(&other.items).all(|(a, b)| Arc::ptr_eq(&a.facts, &b.facts))
    }

    /// Whether some import in the file, at whatever depth, names a module that `wanted` accepts.
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
    /// Whether nothing in it depends on the text after the item, which is `len` bytes long.
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
