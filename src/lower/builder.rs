//! What lowering the three languages has in common.

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

/// How deep expressions may nest before the rest becomes opaque; far above what people write, far below what
/// the stack holds.
pub(super) const MAX_DEPTH: u32 = 160;

/// The facts of one item while they are gathered.
pub(super) struct Builder<'t> {
    pub(super) source: &'t str,
    base: u32,
    pub(super) facts: ItemFacts,
    /// The names that scopes bind, and those of them that are fields declared without a value.
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

    pub(super) fn text(&self, node: Node<'_>) -> &'t str {
        self.source.get(node.byte_range()).unwrap_or("")
    }

    pub(super) fn smol(&self, node: Node<'_>) -> SmolStr {
        SmolStr::new(self.text(node))
    }

    /// The span of a node, from the start of the item.
    pub(super) fn span(&self, node: Node<'_>) -> Span {
        Span::new(node.start_byte(), node.end_byte()).relative_to(self.base)
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.source.get(start..end).unwrap_or("")
    }

    pub(super) fn span_of(&self, start: usize, end: usize) -> Span {
        Span::new(start, end).relative_to(self.base)
    }

    /// Lowers an expression one level deeper, or gives up where that would be too deep.
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

    /// Runs `lower` one level deeper, or gives up where that would be too deep.
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

    /// Binds a name in `owner` to an expression of `scope`.
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

    /// Keeps a function or class as a definition; its name is bound by what is around it.
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

    /// What was defined last.
    pub(super) fn defined(&mut self) -> &mut Definition {
        self.facts.definitions.last_mut().expect("something was just defined")
    }

    /// The name that a node writes, and where.
    pub(super) fn name(&self, node: Node<'_>) -> (SmolStr, Span) {
        (self.smol(node), self.span(node))
    }

    /// An assignment to a name that some scope around already binds: one more value it may have.
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

    /// An assignment where it is itself the declaration: the name belongs to the function, class or module
    /// around, as one more value it may have.
    pub(super) fn assign_here(&mut self, scope: ScopeId, name: SmolStr, span: Span, value: Expr) {
        self.bind_from(self.home(scope), scope, name, span, value);
    }

    /// The function, class or module around a scope: what names belong to in a language whose blocks have none of their own.
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

    /// Binds what was defined last in the function, class or module around its scope, too.
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

    /// Files a returned value with the function around `scope`.
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

    /// Files a `continue` with the loop around `scope`, as one that gives nothing back.
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

    /// Keeps a literal that `subject` is compared with.
    pub(super) fn compared(&mut self, value: &Expr, subject: Option<&Expr>, scope: ScopeId) {
        if let Expr::Text { text, span } = value
            && text.len() == span.len()
            && !text.is_empty()
        {
            let subject = subject.cloned();
            self.facts.comparisons.push(Comparison { text: text.clone(), span: *span, subject, scope });
        }
    }

    /// Keeps the two sides of a comparison where one is a literal.
    pub(super) fn compared_sides(&mut self, sides: &[Expr], scope: ScopeId) {
        if let [left, right] = sides {
            self.compared(left, Some(right), scope);
            self.compared(right, Some(left), scope);
        }
    }

    /// An object literal; one that names something is kept for who looks for definitions.
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

    /// A record; one that names something is kept for who looks for definitions.
    pub(super) fn record(&mut self, callee: Expr, args: Vec<Arg>, scope: ScopeId, node: Node<'_>) -> Expr {
        let is_named = args.len() >= 3 && args.iter().any(|arg| arg.name.as_ref().is_some_and(|name| name == "name"));
        let record = Expr::Call(self.call(CallKind::Struct, callee, args, scope, node));
        if is_named {
            self.facts.named_objects.push(NamedObject { object: record.clone(), scope });
        }
        record
    }

    /// Reads again what is read elsewhere too: its comparisons and lookups are kept there.
    pub(super) fn again<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let (comparisons, lookups) = (self.facts.comparisons.len(), self.facts.lookups.len());
        let value = read(self);
        self.facts.comparisons.truncate(comparisons);
        self.facts.lookups.truncate(lookups);
        value
    }

    /// Keeps a condition under which a branch runs.
    pub(super) fn condition(&mut self, branch: ScopeId, test: Expr, holds: bool) {
        self.any_condition(branch, vec![test], holds);
    }

    /// Keeps that a branch runs where any of several values is true, or, where `holds` is false, none.
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

    /// Notes that a branch runs under a condition that nothing can tell.
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
        match value {
            Expr::Name { name, .. } => self.facts.handed.push(name.clone()),
            value => self.facts.handed_fields.extend(value.last_name().cloned()),
        }
    }

    /// Whether two sides are the same, or differ.
    pub(super) fn equal(&self, sides: Vec<Expr>, holds: bool, node: Node<'_>) -> Expr {
        match <[Expr; 2]>::try_from(sides) {
            Ok([left, right]) => {
                Expr::Equal { left: Box::new(left), right: Box::new(right), holds, span: self.span(node) }
            }
            Err(_) => self.opaque("a comparison", node),
        }
    }

    /// `table[key]` with a key that is computed.
    pub(super) fn element(&mut self, table: Expr, key: Expr, scope: ScopeId, span: Span) -> Expr {
        self.looked_up(table.clone(), key.clone(), scope);
        Expr::At { object: Box::new(table), index: Box::new(key), span }
    }

    /// Keeps that an element of a table is chosen at run time.
    pub(super) fn looked_up(&mut self, table: Expr, key: Expr, scope: ScopeId) {
        self.facts.lookups.push(Lookup { table, key, scope });
    }

    /// Keeps an entry that an object gets after it was made.
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

    /// Keeps the comments that speak to this program, wherever a grammar puts them, from the item's start up to `end`.
    /// `around` are the nodes in which they and what they are about may be.
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

/// The named children of a node; grammars put comments anywhere, and those are left out.
pub(super) fn named(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    let is_code = |child: &Node<'_>| !matches!(child.kind(), "comment" | "line_comment" | "block_comment");
    node.named_children(&mut cursor).filter(is_code).collect()
}

/// Joins pieces to one expression: none is the empty text at `span`, one is itself.
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

/// Steps into a value one after another.
/// The parts of a pattern that takes a list apart, each with its place in the list: parts that bind nothing, `[, x]`
/// and `(_, x)`, count. What stands behind a part of any length has no place that is known.
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

pub(super) fn member_path(mut value: Expr, path: &[Key], span: Span) -> Expr {
    for key in path {
        value = Expr::Member { object: Box::new(value), key: key.clone(), span };
    }
    value
}

/// The character that an escape sequence (with its backslash) stands for; `None` for one that stands for
/// nothing, such as an escaped line break.
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
