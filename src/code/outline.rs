//! The outline of an item: its named parts and the names that they mention.

#[cfg(test)]
mod tests;

use std::hash::{Hash as _, Hasher as _};

use rustc_hash::{FxHashMap, FxHasher};
use smol_str::SmolStr;

use super::{
    Arg, ArgKind, Block, Case, Class, ClassBody, Clause, Declared, Export, Expr, ExprKind, Function, Match, Member,
    MemberKind, Prop, Stmt, StmtKind, Target,
};
use crate::text::Span;

/// The named parts of an item and the names that its code mentions. All spans and offsets are in bytes from the start
/// of the item.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Outline {
    /// Functions, methods, classes and variables of the module.
    pub(crate) named: Vec<Named>,
    /// Those of them that are functions and classes of the module, which other files may import.
    pub(crate) importable: Vec<(SmolStr, Span)>,
    /// Variables and members that are read or written, sorted by offset.
    pub(crate) mentions: Vec<Mention>,
    /// The hash of the names, in their order and nesting: equal for two outlines that differ only in offsets.
    pub(crate) shape: u64,
}

/// A definition with a name.
#[derive(Debug, PartialEq)]
pub(crate) struct Named {
    pub(crate) name: SmolStr,
    pub(crate) span: Span,
    pub(crate) reach: Reach,
}

/// The scope in which the name of a definition refers to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Reach {
    /// Its module, and every file that imports the module.
    Module,
    /// The enclosing function.
    Function,
    /// After an object, as in `object.name`.
    Member,
}

/// An expression that is a variable, or a member of something.
#[derive(Debug, PartialEq)]
pub(crate) struct Mention {
    pub(crate) offset: u32,
    pub(crate) name: SmolStr,
    pub(crate) is_member: bool,
    pub(crate) of: Of,
}

/// The target of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Of {
    /// Something of the module, or of another one.
    Free,
    /// A definition inside a function, as an index into [`Outline::named`].
    Inner(u32),
    /// A parameter of a function, or a variable of one that holds no definition.
    Local,
}

impl Outline {
    pub(super) fn of(body: &Block) -> Outline {
        let mut walk = Walk::default();
        for stmt in body {
            walk.of_module(stmt);
            walk.stmt(stmt);
        }
        walk.resolve();
        let mut outline = walk.outline;
        outline.mentions.sort_by_key(|mention| mention.offset);
        outline.shape = outline.shape();
        outline
    }

    /// The definitions around an offset, each with its index.
    pub(crate) fn around(&self, offset: u32) -> impl Iterator<Item = (u32, &Named)> {
        let all = self.named.iter().enumerate().map(|(index, named)| (index as u32, named));
        all.filter(move |(_, named)| named.span.start <= offset && offset < named.span.end)
    }

    /// The number of mentions that begin before an offset.
    pub(crate) fn mentions_before(&self, offset: u32) -> usize {
        self.mentions.partition_point(|mention| mention.offset < offset)
    }

    fn shape(&self) -> u64 {
        let mut hasher = FxHasher::default();
        let named = self.named.iter().map(|named| (&named.name, named.span, Some(named.reach)));
        let importable = self.importable.iter().map(|(name, span)| (name, *span, None));
        for (name, span, reach) in named.chain(importable) {
            (name, reach).hash(&mut hasher);
            hasher.write_usize(self.mentions_before(span.start));
            hasher.write_usize(self.mentions_before(span.end));
        }
        for mention in &self.mentions {
            (&mention.name, mention.is_member, mention.of).hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// A function that is being walked: the function around it, and what its names stand for. Blocks have no names of their
/// own here.
#[derive(Default)]
struct Scope {
    around: Option<usize>,
    names: FxHashMap<SmolStr, Of>,
}

#[derive(Default)]
struct Walk {
    outline: Outline,
    functions: Vec<Scope>,
    /// The function that is being walked, as an index, and whether the walk is directly in the body of a class.
    current: Option<usize>,
    is_in_class: bool,
    /// For each mention, the function that it is in.
    places: Vec<Option<usize>>,
    /// Definitions that are assigned to variables, each with the function of the assignment.
    assigned: Vec<(SmolStr, Option<usize>, u32)>,
}

impl Walk {
    fn name(&mut self, name: &SmolStr, span: Span, reach: Reach) -> u32 {
        self.outline.named.push(Named { name: name.clone(), span, reach });
        self.outline.named.len() as u32 - 1
    }

    /// Notes a definition that is declared where the walk is.
    fn defined(&mut self, name: &SmolStr, span: Span) {
        let reach = match self.current {
            _ if self.is_in_class => Reach::Member,
            Some(_) => Reach::Function,
            None => Reach::Module,
        };
        let index = self.name(name, span, reach);
        if let Some(current) = self.current.filter(|_| reach == Reach::Function) {
            self.functions[current].names.insert(name.clone(), Of::Inner(index));
        }
    }

    /// Notes a variable or parameter of the function that is being walked.
    fn local(&mut self, name: &SmolStr) {
        if let Some(current) = self.current.filter(|_| !self.is_in_class) {
            self.functions[current].names.entry(name.clone()).or_insert(Of::Local);
        }
    }

    /// Notes the variables that a target declares.
    fn locals(&mut self, target: &Target) {
        match target {
            Target::Name { name, .. } => self.local(name),
            Target::Object { entries, rest, .. } => {
                entries.iter().for_each(|entry| self.locals(&entry.target));
                rest.iter().for_each(|rest| self.locals(rest));
            }
            Target::List { elements, .. } => {
                elements.iter().flatten().for_each(|(target, _)| self.locals(target));
            }
            Target::Place(_) | Target::Opaque(_) => {}
        }
    }

    fn importable(&mut self, name: &SmolStr, span: Span) {
        self.outline.importable.push((name.clone(), span));
    }

    fn mention(&mut self, name: &SmolStr, is_member: bool, span: Span) {
        self.outline.mentions.push(Mention { offset: span.start, name: name.clone(), is_member, of: Of::Free });
        self.places.push(self.current);
    }

    /// The function, from the given one outward, that declares a name.
    fn declaring(&self, name: &SmolStr, from: Option<usize>) -> Option<usize> {
        let around = |function: &usize| self.functions[*function].around;
        std::iter::successors(from, around).find(|function| self.functions[*function].names.contains_key(name))
    }

    /// Determines what each variable stands for. A function may be used before it is declared.
    fn resolve(&mut self) {
        for (name, from, index) in std::mem::take(&mut self.assigned) {
            if let Some(function) = self.declaring(&name, from) {
                self.functions[function].names.insert(name, Of::Inner(index));
                self.outline.named[index as usize].reach = Reach::Function;
            }
        }
        let mut mentions = std::mem::take(&mut self.outline.mentions);
        for (mention, place) in mentions.iter_mut().zip(&self.places).filter(|(mention, _)| !mention.is_member) {
            if let Some(function) = self.declaring(&mention.name, *place) {
                mention.of = self.functions[function].names[&mention.name];
            }
        }
        self.outline.mentions = mentions;
    }

    /// Notes the variables that a statement of the module declares.
    fn of_module(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { target: Target::Name { name, .. }, value: Some(value), .. } => {
                self.name(name, stmt.span, Reach::Module);
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
                self.locals(target);
                self.target(target);
                if let Some(value) = value {
                    self.bound(target, value);
                }
            }
            StmtKind::Function(function) => {
                if let Some(name) = &function.name {
                    self.defined(name, function.span);
                }
                self.function(function);
            }
            StmtKind::Class(class) => {
                if let Some(name) = &class.name {
                    self.defined(name, class.span);
                }
                self.class(class);
            }
            StmtKind::Extend(extension) => {
                extension.decorators.iter().for_each(|decorator| self.expr(decorator));
                // Whoever mentions the type may mean what is here.
                if let Some(name) = extension.of.identifier() {
                    self.name(name, extension.span, Reach::Module);
                    self.importable(name, extension.span);
                }
                self.expr(&extension.of);
                self.optional(extension.behaviour.as_ref());
                extension.members.iter().for_each(|member| self.member(member));
            }
            StmtKind::Return(value) | StmtKind::Give(value) | StmtKind::Throw(value) => self.optional(value.as_ref()),
            StmtKind::If { test, then, otherwise } => {
                self.expr(test);
                self.block(then);
                self.block(otherwise);
            }
            StmtKind::Switch { subject, cases } => {
                self.expr(subject);
                cases.iter().for_each(|case| self.case(case));
            }
            StmtKind::Each { scope, target, iterable, body, otherwise, .. } => {
                if *scope != Declared::Elsewhere {
                    self.locals(target);
                }
                self.target(target);
                self.expr(iterable);
                self.block(body);
                self.block(otherwise);
            }
            StmtKind::While { first, test, after, body, otherwise, .. } => {
                self.block(first);
                self.optional(test.as_ref());
                self.optional(after.as_deref());
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
        match target {
            Target::Name { name, .. } if self.is_in_class => self.keyed(Some(name), value),
            Target::Name { name, .. } if is_definition(value) => {
                let index = self.name(name, value.span, Reach::Module);
                self.assigned.push((name.clone(), self.current, index));
                self.expr(value);
            }
            Target::Place(place) => match &place.kind {
                ExprKind::Member { key, .. } => self.keyed(Some(key), value),
                _ => self.expr(value),
            },
            _ => self.expr(value),
        }
    }

    fn keyed(&mut self, name: Option<&SmolStr>, value: &Expr) {
        if let Some(name) = name.filter(|_| is_definition(value)) {
            self.name(name, value.span, Reach::Member);
        }
        self.expr(value);
    }

    fn function(&mut self, function: &Function) {
        function.decorators.iter().for_each(|decorator| self.expr(decorator));
        self.functions.push(Scope { around: self.current, names: FxHashMap::default() });
        let outer = self.current.replace(self.functions.len() - 1);
        let was_in_class = std::mem::take(&mut self.is_in_class);
        for param in &function.params {
            self.locals(&param.target);
            self.target(&param.target);
            self.optional(param.default.as_ref());
            param.decorators.iter().for_each(|decorator| self.expr(decorator));
        }
        function.locals.iter().for_each(|name| self.local(name));
        self.block(&function.body);
        (self.current, self.is_in_class) = (outer, was_in_class);
    }

    fn class(&mut self, class: &Class) {
        class.decorators.iter().for_each(|decorator| self.expr(decorator));
        self.args(&class.bases);
        match &class.body {
            ClassBody::Members(members) => members.iter().for_each(|member| self.member(member)),
            ClassBody::Block(body) => {
                let was_in_class = std::mem::replace(&mut self.is_in_class, true);
                self.block(body);
                self.is_in_class = was_in_class;
            }
        }
    }

    fn member(&mut self, member: &Member) {
        member.decorators.iter().for_each(|decorator| self.expr(decorator));
        let key = text_of(&member.key);
        match &member.kind {
            MemberKind::Method(function) | MemberKind::Getter(function) | MemberKind::Setter(function) => {
                if let Some(key) = key.or(function.name.as_ref()) {
                    self.name(key, function.span, Reach::Member);
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
            ExprKind::Spread(value)
            | ExprKind::Unary(_, value)
            | ExprKind::Await(value)
            | ExprKind::Try(value)
            | ExprKind::Lent(value)
            | ExprKind::Import(value) => self.expr(value),
            ExprKind::Body(body) => self.block(body),
            ExprKind::Matches { value, pattern } => {
                self.expr(value);
                self.pattern(pattern);
            }
            ExprKind::Later(function) => self.function(function),
            ExprKind::Function(function) => {
                if let Some(name) = &function.name {
                    self.name(name, function.span, Reach::Module);
                }
                self.function(function);
            }
            ExprKind::Class(class) => {
                if let Some(name) = &class.name {
                    self.name(name, class.span, Reach::Module);
                }
                self.class(class);
            }
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

/// Whether a value is a function or class.
fn is_definition(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Function(_) | ExprKind::Class(_))
}

/// The text of a key that is written out.
fn text_of(key: &Expr) -> Option<&SmolStr> {
    match &key.kind {
        ExprKind::Text(text) => Some(text),
        _ => None,
    }
}
