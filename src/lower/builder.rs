//! The parts of lowering that all three languages share.

use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use thin_vec::ThinVec;
use tree_sitter::Node;

use super::captures::Watched;
use super::{
    Arg, Assigned, Binding, Bound, Call, CallId, CallKind, Comparison, Condition, Definition, DefinitionKind,
    Directive, Expr, ItemFacts, Key, Lookup, NamedObject, Prop, Returned, Scope, ScopeId, ScopeKind, UNSET,
};
use crate::directive::{self, MARK, OF_ALIAS};
use crate::syntax;
use crate::text::Span;

/// The nesting depth of expressions beyond which the rest becomes opaque: far more than people write, far less than the
/// stack can hold.
pub(super) const MAX_DEPTH: u32 = 160;

/// The facts of one item while they are gathered.
pub(super) struct Builder<'t> {
    pub(super) source: &'t str,
    base: u32,
    pub(super) facts: ItemFacts,
    /// The names that scopes bind. `unset` has those of them that are fields declared without a value.
    bound: FxHashSet<(ScopeId, SmolStr)>,
    unset: FxHashSet<(ScopeId, SmolStr)>,
    depth: u32,
    /// The nodes that queries captured; `None` if there are none.
    pub(super) watched: Option<Box<Watched>>,
}

pub(super) const MODULE: ScopeId = ScopeId(0);

impl<'t> Builder<'t> {
    pub(super) fn new(source: &'t str, base: usize, watched: Option<Box<Watched>>) -> Builder<'t> {
        let module = Scope::new(None, ScopeKind::Module);
        let facts = ItemFacts { scopes: vec![module], ..ItemFacts::default() };
        let (bound, unset) = (FxHashSet::default(), FxHashSet::default());
        Builder { source, base: base as u32, facts, bound, unset, depth: 0, watched }
    }

    pub(super) fn finish(self) -> ItemFacts {
        self.facts.indexed()
    }

    /// The text of the whole file.
    pub(super) fn source(&self) -> &'t str {
        self.source
    }

    pub(super) fn text(&self, node: Node<'_>) -> &'t str {
        self.source.get(node.byte_range()).unwrap_or("")
    }

    pub(super) fn smol(&self, node: Node<'_>) -> SmolStr {
        SmolStr::new(self.text(node))
    }

    /// The span of a node, in bytes from the start of the item.
    pub(super) fn span(&self, node: Node<'_>) -> Span {
        Span::new(node.start_byte(), node.end_byte()).relative_to(self.base)
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.source.get(start..end).unwrap_or("")
    }

    pub(super) fn span_of(&self, start: usize, end: usize) -> Span {
        Span::new(start, end).relative_to(self.base)
    }

    /// Lowers an expression one level deeper. It becomes opaque if that is deeper than [`MAX_DEPTH`].
    pub(super) fn expression(
        &mut self,
        node: Node<'_>,
        scope: ScopeId,
        lower: impl FnOnce(&mut Self, Node<'_>, ScopeId) -> Expr,
    ) -> Expr {
        self.enters(node, scope);
        let value = self.deeper(|b| lower(b, node, scope));
        let value = value.unwrap_or_else(|| self.opaque("an expression nested too deeply", node));
        if let Some(watched) = &mut self.watched {
            watched.lowered(node, &value);
        }
        value
    }

    /// Notes the scope of a node that is about to be lowered, for queries.
    pub(super) fn enters(&mut self, node: Node<'_>, scope: ScopeId) {
        if let Some(watched) = &mut self.watched {
            watched.enters(node, scope);
        }
    }

    /// Runs `lower` one level deeper; `None` if that is deeper than [`MAX_DEPTH`].
    pub(super) fn deeper<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let result = lower(self);
        self.depth -= 1;
        Some(result)
    }

    pub(super) fn open(&mut self, parent: ScopeId, kind: ScopeKind) -> ScopeId {
        self.facts.scopes.push(Scope::new(Some(parent), kind));
        ScopeId(self.facts.scopes.len() as u32 - 1)
    }

    pub(super) fn scope_mut(&mut self, scope: ScopeId) -> &mut Scope {
        &mut self.facts.scopes[scope.0 as usize]
    }

    pub(super) fn bind(&mut self, scope: ScopeId, name: SmolStr, span: Span, value: Bound) {
        self.keep(scope, Binding { name, span, value, default: None, scope });
    }

    fn keep(&mut self, owner: ScopeId, binding: Binding) {
        let key = (owner, binding.name.clone());
        if matches!(&binding.value, Bound::Value(Expr::Opaque { what: UNSET, .. })) {
            self.unset.insert(key.clone());
        }
        self.bound.insert(key);
        self.scope_mut(owner).bindings.push(binding);
    }

    /// Binds a field of a class to a value; the first one replaces a declaration without a value.
    pub(super) fn set_field(&mut self, class: ScopeId, scope: ScopeId, name: SmolStr, span: Span, value: Expr) {
        if self.unset.remove(&(class, name.clone())) {
            self.scope_mut(class).bindings.retain(|binding| {
                binding.name != name || !matches!(&binding.value, Bound::Value(Expr::Opaque { what: UNSET, .. }))
            });
        }
        self.bind_from(class, scope, name, span, value);
    }

    /// Binds a name in `owner` to an expression that is evaluated in `scope`.
    pub(super) fn bind_from(&mut self, owner: ScopeId, scope: ScopeId, name: SmolStr, span: Span, value: Expr) {
        self.keep(owner, Binding { name, span, value: Bound::Value(value), default: None, scope });
    }

    /// Binds a function or class under its name and keeps it as a definition.
    pub(super) fn define(
        &mut self,
        kind: DefinitionKind,
        name: (SmolStr, Span),
        node: Node<'_>,
        scope: ScopeId,
        body: ScopeId,
        decorators: Vec<Expr>,
    ) {
        let span = self.span(node);
        let value = match kind {
            DefinitionKind::Function => Expr::Function { scope: body, span },
            DefinitionKind::Class => Expr::Class { scope: body, span },
        };
        self.bind(scope, name.0.clone(), name.1, Bound::Value(value));
        self.keep_definition(kind, name, node, scope, body, decorators);
    }

    /// Records a function or class as a definition without binding its name, which the surrounding code does.
    pub(super) fn keep_definition(
        &mut self,
        kind: DefinitionKind,
        (name, name_span): (SmolStr, Span),
        node: Node<'_>,
        scope: ScopeId,
        body: ScopeId,
        decorators: Vec<Expr>,
    ) {
        let span = self.span(node);
        let (doc, fields) = (None, ThinVec::new());
        self.facts.definitions.push(Definition { kind, name, name_span, scope, body, decorators, doc, fields, span });
    }

    /// The most recent definition. There must be one.
    pub(super) fn defined(&mut self) -> &mut Definition {
        self.facts.definitions.last_mut().expect("something was just defined")
    }

    /// The text and the span of a node that is a name.
    pub(super) fn name(&self, node: Node<'_>) -> (SmolStr, Span) {
        (self.smol(node), self.span(node))
    }

    /// Adds an assigned value to the values of a name, in the nearest enclosing scope that already binds it or, if none
    /// does, in the module.
    pub(super) fn assign(&mut self, scope: ScopeId, name: SmolStr, span: Span, value: Expr) {
        let mut owner = scope;
        loop {
            if self.bound.contains(&(owner, name.clone())) {
                break;
            }
            match self.facts.scope(owner).parent {
                Some(parent) => owner = parent,
                None => break,
            }
        }
        self.bind_from(owner, scope, name, span, value);
    }

    /// Adds an assigned value to the values of a name where assignments are declarations: the name belongs to the
    /// enclosing function, class or module.
    pub(super) fn assign_here(&mut self, scope: ScopeId, name: SmolStr, span: Span, value: Expr) {
        self.bind_from(self.home(scope), scope, name, span, value);
    }

    /// The nearest function, class or module that is a scope or encloses it: where names are bound in a language
    /// without block scope.
    pub(super) fn home(&self, scope: ScopeId) -> ScopeId {
        let mut home = scope;
        while matches!(self.facts.scope(home).kind, ScopeKind::Loop { .. } | ScopeKind::Block | ScopeKind::Branch) {
            match self.facts.scope(home).parent {
                Some(parent) => home = parent,
                None => break,
            }
        }
        home
    }

    /// Binds the last name of `scope` in the enclosing function, class or module, too.
    pub(super) fn define_at_home(&mut self, scope: ScopeId) {
        let home = self.home(scope);
        if let Some(defined) = self.facts.scope(scope).bindings.last().filter(|_| home != scope).cloned() {
            self.keep(home, defined);
        }
    }

    pub(super) fn call(
        &mut self,
        kind: CallKind,
        callee: Expr,
        args: Vec<Arg>,
        scope: ScopeId,
        node: Node<'_>,
    ) -> CallId {
        let span = self.span(node);
        self.facts.calls.push(Call { kind, callee, args, scope, span });
        let id = CallId(self.facts.calls.len() as u32 - 1);
        self.facts.call_expressions.push(Expr::Call(id));
        id
    }

    /// Adds a returned value to the function around `scope`; does nothing outside a function.
    pub(super) fn returned(&mut self, scope: ScopeId, value: Expr) {
        let mut at = scope;
        while !matches!(self.facts.scope(at).kind, ScopeKind::Function(_)) {
            match self.facts.scope(at).parent {
                Some(parent) => at = parent,
                None => return,
            }
        }
        self.scope_mut(at).returns.push(Returned { value, scope });
    }

    /// Adds a `continue` to the loop around `scope`, as an opaque return value.
    pub(super) fn continued(&mut self, scope: ScopeId, node: Node<'_>) {
        let value = self.opaque("nothing", node);
        let mut at = scope;
        loop {
            match (&self.facts.scope(at).kind, self.facts.scope(at).parent) {
                (ScopeKind::Loop { .. }, _) => break,
                (ScopeKind::Function(_), _) | (_, None) => return,
                (_, Some(parent)) => at = parent,
            }
        }
        self.scope_mut(at).returns.push(Returned { value, scope });
    }

    /// Records a literal that `subject` is compared with, unless it is empty or contains escapes.
    pub(super) fn compared(&mut self, value: &Expr, subject: Option<&Expr>, scope: ScopeId) {
        if let Expr::Text { text, span } = value
            && text.len() == span.len()
            && !text.is_empty()
        {
            let subject = subject.cloned();
            self.facts.comparisons.push(Comparison { text: text.clone(), span: *span, subject, scope });
        }
    }

    /// Records a comparison if one of its two operands is a literal.
    pub(super) fn compared_sides(&mut self, sides: &[Expr], scope: ScopeId) {
        if let [left, right] = sides {
            self.compared(left, Some(right), scope);
            self.compared(right, Some(left), scope);
        }
    }

    /// An object literal. One with a `name` and at least two other entries is recorded as a possible definition.
    pub(super) fn object(&mut self, props: Vec<Prop>, scope: ScopeId, span: Span) -> Expr {
        let is_name = |prop: &Prop| matches!(prop, Prop::Pair { key: Expr::Text { text, .. }, .. } if text == "name");
        let is_named = props.len() >= 3 && props.iter().any(is_name);
        for prop in &props {
            if let Prop::Pair { value, .. } = prop {
                self.handed(value);
            }
        }
        let object = Expr::Object { props, span };
        if is_named {
            self.facts.named_objects.push(NamedObject { object: object.clone(), scope });
        }
        object
    }

    /// A record. One with a `name` and at least two other fields is recorded as a possible definition.
    pub(super) fn record(&mut self, callee: Expr, args: Vec<Arg>, scope: ScopeId, node: Node<'_>) -> Expr {
        let is_named = args.len() >= 3 && args.iter().any(|arg| arg.name.as_ref().is_some_and(|name| name == "name"));
        let record = Expr::Call(self.call(CallKind::Struct, callee, args, scope, node));
        if is_named {
            self.facts.named_objects.push(NamedObject { object: record.clone(), scope });
        }
        record
    }

    /// Lowers something that is lowered elsewhere, too, and drops the comparisons and lookups in it, which are recorded
    /// there.
    pub(super) fn again<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let (comparisons, lookups) = (self.facts.comparisons.len(), self.facts.lookups.len());
        let value = read(self);
        self.facts.comparisons.truncate(comparisons);
        self.facts.lookups.truncate(lookups);
        value
    }

    /// Records a condition of a branch: that `test` is truthy or, if `holds` is false, that it is not.
    pub(super) fn condition(&mut self, branch: ScopeId, test: Expr, holds: bool) {
        self.any_condition(branch, vec![test], holds);
    }

    /// Records a condition of a branch: that at least one of several values is truthy or, if `holds` is false, that
    /// none is.
    pub(super) fn any_condition(&mut self, branch: ScopeId, any: Vec<Expr>, holds: bool) {
        let can_tell = |test: &Expr| {
            matches!(
                test,
                Expr::Name { .. }
                    | Expr::Member { .. }
                    | Expr::At { .. }
                    | Expr::Scalar { .. }
                    | Expr::Text { .. }
                    | Expr::Equal { .. }
            )
        };
        match any.iter().all(can_tell) {
            true => self.facts.conditions.push(Condition { branch, any, holds }),
            false => self.some_condition(branch),
        }
    }

    /// Records that a branch has a condition that cannot be evaluated.
    pub(super) fn some_condition(&mut self, branch: ScopeId) {
        let unclear = Expr::Opaque { what: "a condition", span: Span::default() };
        self.facts.conditions.push(Condition { branch, any: vec![unclear], holds: true });
    }

    pub(super) fn array(&mut self, elements: Vec<Expr>, node: Node<'_>) -> Expr {
        elements.iter().for_each(|element| self.handed(element));
        Expr::Array { elements, span: self.span(node) }
    }

    /// Notes that a value is an element of an array or an entry of an object.
    fn handed(&mut self, value: &Expr) {
        if let Expr::Name { name, .. } = value {
            self.facts.handed.push(name.clone());
        }
    }

    /// A comparison of two operands: that they are equal or, if `holds` is false, that they differ. Opaque if there are
    /// not exactly two.
    pub(super) fn equal(&self, sides: Vec<Expr>, holds: bool, node: Node<'_>) -> Expr {
        match <[Expr; 2]>::try_from(sides) {
            Ok([left, right]) => {
                Expr::Equal { left: Box::new(left), right: Box::new(right), holds, span: self.span(node) }
            }
            Err(_) => self.opaque("a comparison", node),
        }
    }

    /// `table[key]` with a computed key, which is recorded as a lookup.
    pub(super) fn element(&mut self, table: Expr, key: Expr, scope: ScopeId, span: Span) -> Expr {
        self.looked_up(table.clone(), key.clone(), scope);
        Expr::At { object: Box::new(table), index: Box::new(key), span }
    }

    /// Records that an element of a table is chosen at run time.
    pub(super) fn looked_up(&mut self, table: Expr, key: Expr, scope: ScopeId) {
        self.facts.lookups.push(Lookup { table, key, scope });
    }

    /// Records an entry that is added to an object after the object was created.
    pub(super) fn entry(&mut self, table: Expr, key: Expr, value: Expr, scope: ScopeId) {
        self.facts.assigned.push(Assigned { table, key, value, scope });
    }

    /// The class whose body or method contains `scope`.
    pub(super) fn class_around(&self, scope: ScopeId) -> Option<ScopeId> {
        let mut at = Some(scope);
        while let Some(scope) = at {
            let candidate = self.facts.scope(scope);
            if matches!(candidate.kind, ScopeKind::Class { .. }) {
                return Some(scope);
            }
            at = candidate.parent;
        }
        None
    }

    /// Records the comments addressed to toolnames, wherever the grammar puts them, between the start of the item and
    /// `end`, a byte offset in the file. `around` has the nodes that may contain the comments and the code they refer
    /// to.
    pub(super) fn comments(&mut self, around: &[Node<'_>], end: usize) {
        let base = self.base as usize;
        let mut finder = syntax::Finder::default();
        for (at, _) in self.slice(base, end).match_indices(MARK) {
            let at = base + at;
            let mut paths = around.iter().map(|top| finder.path(*top, at));
            let innermost = paths.find_map(|mut path| path.pop());
            let Some(comment) = innermost.filter(|node| node.kind().ends_with("comment")) else { continue };
            let (text, start) = (self.text(comment), comment.start_byte());
            if let Some((from, to)) = directive::within(text).filter(|(from, _)| start + from >= at) {
                let span = self.span_of(start + from, start + to);
                let text = SmolStr::new(&text[from..to]);
                let is_alias = text.starts_with(OF_ALIAS);
                let below = is_alias.then(|| syntax::below(&mut finder, around, self.source, comment)).flatten();
                let below = below.map(|below| below.subject.relative_to(self.base));
                self.facts.directives.push(Directive { text, span, below });
            }
        }
    }

    pub(super) fn opaque(&self, what: &'static str, node: Node<'_>) -> Expr {
        Expr::Opaque { what, span: self.span(node) }
    }
}

/// The named children of a node, without the comments, which may occur anywhere.
pub(super) fn named(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    let is_code = |child: &Node<'_>| !matches!(child.kind(), "comment" | "line_comment" | "block_comment");
    node.named_children(&mut cursor).filter(is_code).collect()
}

/// Joins pieces into one string expression. No pieces make an empty text at `span`; a single literal is returned
/// unchanged.
pub(super) fn joined(mut parts: Vec<Expr>, span: Span) -> Expr {
    match parts.len() {
        0 => Expr::Text { text: SmolStr::default(), span },
        1 if matches!(parts[0], Expr::Text { .. }) => parts.remove(0),
        _ => Expr::Concat { parts, span },
    }
}

/// The operands of a chain of additions. The chain leans to the left, as deep as it is long, so it is walked in a
/// loop; `kind` is the grammar's name for one addition.
pub(super) fn summands<'n>(sum: Node<'n>, kind: &str) -> Vec<Node<'n>> {
    let mut operands = Vec::new();
    let mut at = sum;
    loop {
        operands.extend(at.child_by_field_name("right"));
        let Some(left) = at.child_by_field_name("left") else { break };
        if left.kind() != kind || !is_sum(left) {
            operands.push(left);
            break;
        }
        at = left;
    }
    operands.reverse();
    operands
}

/// Whether an operation is an addition.
pub(super) fn is_sum(node: Node<'_>) -> bool {
    node.child_by_field_name("operator").is_some_and(|operator| operator.kind() == "+")
}

/// The parts of a pattern that destructures a list, each with its position, counted from 0. Parts that bind nothing,
/// `[, x]` and `(_, x)`, count. Parts after a rest pattern are left out: their positions are unknown.
pub(super) fn positions<'n>(pattern: Node<'n>) -> Vec<(u32, Node<'n>)> {
    let mut cursor = pattern.walk();
    let mut place = 0;
    let mut parts = Vec::new();
    for child in pattern.children(&mut cursor) {
        match child.kind() {
            "," => place += 1,
            "rest_pattern" | "remaining_field_pattern" | "list_splat_pattern" => break,
            kind if child.is_named() && !kind.ends_with("comment") => parts.push((place, child)),
            _ => {}
        }
    }
    parts
}

/// The member of a value that a path leads to, one key after another.
pub(super) fn member_path(mut value: Expr, path: &[Key], span: Span) -> Expr {
    for key in path {
        value = Expr::Member { object: Box::new(value), key: key.clone(), span };
    }
    value
}

/// The character that an escape sequence (with its backslash) stands for; `None` for one that stands for no character,
/// such as an escaped line break, or that is malformed.
pub(super) fn unescape(sequence: &str) -> Option<char> {
    let mut rest = sequence.strip_prefix('\\')?.chars();
    let kind = rest.next()?;
    let digits = rest.as_str().trim_matches(['{', '}']);
    match kind {
        'n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        '0' if digits.is_empty() => Some('\0'),
        'u' | 'x' | 'U' => u32::from_str_radix(digits, 16).ok().and_then(char::from_u32),
        '\n' | '\r' => None,
        other => Some(other),
    }
}
