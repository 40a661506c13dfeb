//! The outline of an item: its named parts and the names that they mention.

use std::hash::{Hash as _, Hasher as _};

use rustc_hash::FxHasher;
use smol_str::SmolStr;

use super::{
    Arg, ArgKind, Block, Case, Class, ClassBody, Clause, Export, Expr, ExprKind, Function, Match, Member, MemberKind,
    Prop, Stmt, StmtKind, Target,
};
use crate::text::Span;

/// The named parts of an item and the names that its code mentions. All spans and offsets are in bytes from the start
/// of the item.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Outline {
    /// Functions, methods, classes and variables of the module, each with the span of its definition.
    pub(crate) named: Vec<(SmolStr, Span)>,
    /// Those of them that are functions and classes of the module, which other files may import.
    pub(crate) importable: Vec<(SmolStr, Span)>,
    /// Variables and members that are read or written, sorted by offset.
    pub(crate) mentions: Vec<Mention>,
    /// The hash of the names, in their order and nesting: equal for two outlines that differ only in offsets.
    pub(crate) shape: u64,
}

/// An expression that is a variable, or a member of something.
#[derive(Debug, PartialEq)]
pub(crate) struct Mention {
    pub(crate) offset: u32,
    pub(crate) name: SmolStr,
    pub(crate) is_member: bool,
}

impl Outline {
    pub(super) fn of(body: &Block) -> Outline {
        let mut walk = Walk { outline: Outline::default() };
        for stmt in body {
            walk.of_module(stmt);
            walk.stmt(stmt);
        }
        let mut outline = walk.outline;
        outline.mentions.sort_by_key(|mention| mention.offset);
        outline.shape = outline.shape();
        outline
    }

    /// How many mentions begin before an offset.
    pub(crate) fn mentions_before(&self, offset: u32) -> usize {
        self.mentions.partition_point(|mention| mention.offset < offset)
    }

    fn shape(&self) -> u64 {
        let mut hasher = FxHasher::default();
        for (name, span) in self.named.iter().chain(&self.importable) {
            name.hash(&mut hasher);
            hasher.write_usize(self.mentions_before(span.start));
            hasher.write_usize(self.mentions_before(span.end));
        }
        for mention in &self.mentions {
            mention.name.hash(&mut hasher);
            hasher.write_u8(mention.is_member.into());
        }
        hasher.finish()
    }
}

struct Walk {
    outline: Outline,
}

impl Walk {
    fn name(&mut self, name: &SmolStr, span: Span) {
        self.outline.named.push((name.clone(), span));
    }

    fn importable(&mut self, name: &SmolStr, span: Span) {
        self.outline.importable.push((name.clone(), span));
    }

    fn mention(&mut self, name: &SmolStr, is_member: bool, span: Span) {
        self.outline.mentions.push(Mention { offset: span.start, name: name.clone(), is_member });
    }

    /// Notes the variables that a statement of the module declares.
    fn of_module(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { target: Target::Name { name, .. }, value: Some(value), .. } => {
                self.name(name, stmt.span);
                if matches!(value.kind, ExprKind::Function(_) | ExprKind::Class(_)) {
                    self.importable(name, stmt.span);
                }
            }
            StmtKind::Function(function) => {
                if let Some(name) = &function.name {
                    self.importable(name, stmt.span);
                }
            }
            StmtKind::Class(class) => {
                if let Some(name) = &class.name {
                    self.importable(name, stmt.span);
                }
            }
            StmtKind::Export(Export::Declared(inner)) => self.of_module(inner),
            StmtKind::Block(body) => body.iter().for_each(|stmt| self.of_module(stmt)),
            _ => {}
        }
    }

    fn block(&mut self, block: &Block) {
        block.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Run(value) | StmtKind::Delete(value) => self.expr(value),
            StmtKind::Let { target, value, .. } => {
                self.target(target);
                if let Some(value) = value {
                    self.bound(target, value);
                }
            }
            StmtKind::Function(function) => self.function(function),
            StmtKind::Class(class) => self.class(class),
            StmtKind::Return(value) | StmtKind::Throw(value) => self.optional(value.as_ref()),
            StmtKind::If { test, then, otherwise } => {
                self.expr(test);
                self.block(then);
                self.block(otherwise);
            }
            StmtKind::Switch { subject, cases } => {
                self.expr(subject);
                cases.iter().for_each(|case| self.case(case));
            }
            StmtKind::Each { target, iterable, body, otherwise, .. } => {
                self.target(target);
                self.expr(iterable);
                self.block(body);
                self.block(otherwise);
            }
            StmtKind::While { first, test, after, body, otherwise, .. } => {
                self.block(first);
                self.optional(test.as_ref());
                self.optional(after.as_ref());
                self.block(body);
                self.block(otherwise);
            }
            StmtKind::Try { body, handlers, otherwise, finally } => {
                self.block(body);
                for handler in handlers {
                    self.optional(handler.class.as_ref());
                    self.block(&handler.body);
                }
                self.block(otherwise);
                self.block(finally);
            }
            StmtKind::With { items, body } => {
                items.iter().for_each(|(value, _)| self.expr(value));
                self.block(body);
            }
            StmtKind::Block(body) | StmtKind::Namespace { body, .. } => self.block(body),
            StmtKind::Label { body, .. } => self.stmt(body),
            StmtKind::Export(export) => match export {
                Export::Declared(inner) => self.stmt(inner),
                Export::Default(value) | Export::Whole(value) => self.expr(value),
                Export::Names(_) | Export::From { .. } | Export::All(_) => {}
            },
            StmtKind::Import(_)
            | StmtKind::Outer { .. }
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Opaque(_) => {}
        }
    }

    fn case(&mut self, case: &Case) {
        case.patterns.iter().for_each(|pattern| self.pattern(pattern));
        self.optional(case.guard.as_ref());
        self.block(&case.body);
    }

    fn pattern(&mut self, pattern: &Match) {
        match pattern {
            Match::Value(value) => self.expr(value),
            Match::Bind { of, .. } => of.iter().for_each(|of| self.pattern(of)),
            Match::Or(all) | Match::List { elements: all, .. } => all.iter().for_each(|one| self.pattern(one)),
            Match::Table { entries, .. } => entries.iter().for_each(|(_, of)| self.pattern(of)),
            Match::Instance { class, positional, named } => {
                self.expr(class);
                positional.iter().chain(named.iter().map(|(_, of)| of)).for_each(|of| self.pattern(of));
            }
            Match::Any | Match::Opaque(_) => {}
        }
    }

    fn target(&mut self, target: &Target) {
        match target {
            Target::Place(place) => self.expr(place),
            Target::Object { entries, .. } => {
                for entry in entries {
                    self.target(&entry.target);
                    self.optional(entry.default.as_ref());
                }
            }
            Target::List { elements, .. } => {
                for (target, default) in elements.iter().flatten() {
                    self.target(target);
                    self.optional(default.as_ref());
                }
            }
            Target::Name { .. } | Target::Opaque(_) => {}
        }
    }

    /// A value that a name or member is bound to: a function gets its name from it.
    fn bound(&mut self, target: &Target, value: &Expr) {
        let name = match target {
            Target::Name { name, .. } => Some(name),
            Target::Place(place) => match &place.kind {
                ExprKind::Member { key, .. } => Some(key),
                _ => None,
            },
            _ => None,
        };
        self.keyed(name, value);
    }

    fn keyed(&mut self, name: Option<&SmolStr>, value: &Expr) {
        if let (Some(name), ExprKind::Function(_) | ExprKind::Class(_)) = (name, &value.kind) {
            self.name(name, value.span);
        }
        self.expr(value);
    }

    fn function(&mut self, function: &Function) {
        if let Some(name) = &function.name {
            self.name(name, function.span);
        }
        function.decorators.iter().for_each(|decorator| self.expr(decorator));
        for param in &function.params {
            self.optional(param.default.as_ref());
            param.decorators.iter().for_each(|decorator| self.expr(decorator));
        }
        self.block(&function.body);
    }

    fn class(&mut self, class: &Class) {
        if let Some(name) = &class.name {
            self.name(name, class.span);
        }
        class.decorators.iter().for_each(|decorator| self.expr(decorator));
        self.args(&class.bases);
        match &class.body {
            ClassBody::Members(members) => members.iter().for_each(|member| self.member(member)),
            ClassBody::Block(body) => self.block(body),
        }
    }

    fn member(&mut self, member: &Member) {
        member.decorators.iter().for_each(|decorator| self.expr(decorator));
        let key = text_of(&member.key);
        match &member.kind {
            MemberKind::Method(function) | MemberKind::Getter(function) | MemberKind::Setter(function) => {
                if let Some(key) = key.filter(|_| function.name.is_none()) {
                    self.name(key, function.span);
                }
                self.function(function);
            }
            MemberKind::Field { value, .. } => value.iter().for_each(|value| self.keyed(key, value)),
            MemberKind::Block(body) => self.block(body),
            MemberKind::Declared => {}
        }
    }

    fn args(&mut self, args: &[Arg]) {
        for arg in args {
            let name = match &arg.kind {
                ArgKind::Named(name) => Some(name),
                _ => None,
            };
            self.keyed(name, &arg.value);
        }
    }

    fn optional(&mut self, value: Option<&Expr>) {
        if let Some(value) = value {
            self.expr(value);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name(name) => self.mention(name, false, expr.span),
            ExprKind::Member { object, key, .. } => {
                self.mention(key, true, expr.span);
                self.expr(object);
            }
            ExprKind::At { object, index, .. } => {
                self.expr(object);
                self.expr(index);
            }
            ExprKind::Slice { object, from, to, step } => {
                self.expr(object);
                [from, to, step].into_iter().flatten().for_each(|part| self.expr(part));
            }
            ExprKind::Join(all)
            | ExprKind::List(all)
            | ExprKind::Tuple(all)
            | ExprKind::Set(all)
            | ExprKind::Sequence(all) => all.iter().for_each(|one| self.expr(one)),
            ExprKind::Formatted { value, format, .. } => {
                self.expr(value);
                self.optional(format.as_deref());
            }
            ExprKind::Call(call) => {
                self.expr(&call.callee);
                self.args(&call.args);
            }
            ExprKind::Object(props) => props.iter().for_each(|prop| match prop {
                Prop::Pair { key, value } => {
                    self.keyed(text_of(key), value);
                    self.expr(key);
                }
                Prop::Getter { function, .. } | Prop::Setter { function, .. } => self.function(function),
                Prop::Spread(value) => self.expr(value),
            }),
            ExprKind::Spread(value) | ExprKind::Unary(_, value) | ExprKind::Await(value) | ExprKind::Import(value) => {
                self.expr(value);
            }
            ExprKind::Function(function) => self.function(function),
            ExprKind::Class(class) => self.class(class),
            ExprKind::Comprehension(comprehension) => {
                self.optional(comprehension.key.as_ref());
                self.expr(&comprehension.element);
                for clause in &comprehension.clauses {
                    match clause {
                        Clause::Each { iterable, .. } => self.expr(iterable),
                        Clause::If(test) => self.expr(test),
                    }
                }
            }
            ExprKind::Binary(_, a, b) | ExprKind::Logic(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Conditional { test, then, otherwise } => {
                [test, then, otherwise].into_iter().for_each(|part| self.expr(part));
            }
            ExprKind::Assign { target, value, .. } | ExprKind::AssignLogic { target, value, .. } => {
                self.target(target);
                self.bound(target, value);
            }
            ExprKind::Step { target, .. } => self.target(target),
            ExprKind::Yield { value, .. } => self.optional(value.as_deref()),
            ExprKind::Text(_)
            | ExprKind::Bytes(_)
            | ExprKind::Number(_)
            | ExprKind::Bool(_)
            | ExprKind::Null
            | ExprKind::Undefined
            | ExprKind::Ellipsis
            | ExprKind::Pattern { .. }
            | ExprKind::This
            | ExprKind::Super
            | ExprKind::Opaque(_) => {}
        }
    }
}

/// The text of a key that is written out.
fn text_of(key: &Expr) -> Option<&SmolStr> {
    match &key.kind {
        ExprKind::Text(text) => Some(text),
        _ => None,
    }
}
