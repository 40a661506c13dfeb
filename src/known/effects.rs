//! What a tool's handler changes outside of the program, as far as calls of well-known libraries show it.

use std::sync::LazyLock;

use serde::Deserialize;
use smol_str::SmolStr;

use super::functions;
use super::handlers::Body;
use crate::found::Lookup;
use crate::lower::{Arg, Bound, Call, Expr, Imported, ItemFacts, Key, Prop, ScopeId, ScopeKind};
use crate::syntax::Family;
use crate::text::{FileId, Span};
use crate::workspace::Files;

/// The maximum depth of nested calls through which a handler is followed.
const MAX_FUNCTIONS: usize = 3;
/// The maximum number of calls that are looked at for one handler.
const MAX_CALLS: usize = 2_000;
/// The maximum number of variables through which a value is followed to what it is made from.
const MAX_STEPS: usize = 6;

/// Calls that change something outside of the program.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Effect {
    family: Family,
    /// Modules that the function, or the object whose method it is, comes from. If the list is empty, the function is
    /// one that the language has without an import.
    #[serde(default)]
    modules: Vec<SmolStr>,
    /// Names of the functions or methods.
    calls: Vec<SmolStr>,
    /// Whether a call counts only if its first argument is an argument of the tool, or a part of one.
    #[serde(default)]
    given: bool,
    /// Keyword, key of an object among the arguments, or first argument that has to be one of `words`.
    option: Option<SmolStr>,
    /// Words in upper case; their case does not matter in calls.
    #[serde(default)]
    words: Vec<SmolStr>,
}

#[derive(Deserialize)]
struct Rows {
    verbs: Vec<SmolStr>,
    effect: Vec<Effect>,
}

static ROWS: LazyLock<Rows> =
    LazyLock::new(|| toml::from_str(include_str!("effects.toml")).expect("a test reads them"));

/// Whether a verb at the start of a tool's name says that the tool changes something, in any convention.
pub(crate) fn is_mutating(verb: &str) -> bool {
    ROWS.verbs.iter().any(|own| own == verb)
}

/// A call that changes something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    /// The function as the code names it: `fs.rm`.
    pub(crate) called: String,
    pub(crate) file: FileId,
    pub(crate) span: Span,
}

/// Returns the first call that changes something in a handler, or in functions that it calls by their names.
pub(crate) fn change(files: &Files, handler: &Body) -> Option<Change> {
    let mut left = MAX_CALLS;
    let mut bodies = vec![(handler.file, handler.item, handler.scope, 0)];
    let mut at = 0;
    while let Some(&(file, item, scope, depth)) = bodies.get(at) {
        at += 1;
        let Some(code) = Code::of(files, file, item, scope) else { continue };
        for call in code.calls() {
            left = left.checked_sub(1)?;
            if code.changes(call, depth == 0) {
                let called = name_of(&call.callee)?;
                return Some(Change { called, file, span: call.span.shifted(code.start) });
            }
            let Expr::Name { name, .. } = &call.callee else { continue };
            let Some(next) = functions::named(files, file, item, name).filter(|_| depth < MAX_FUNCTIONS) else {
                continue;
            };
            if !bodies.iter().any(|body| (body.0, body.1, body.2) == (next.file, next.item, next.scope)) {
                bodies.push((next.file, next.item, next.scope, depth + 1));
            }
        }
    }
    None
}

/// The code of a function or branch.
struct Code<'f> {
    files: &'f Files,
    family: Family,
    file: FileId,
    facts: &'f ItemFacts,
    /// The byte offset of the item in its file.
    start: u32,
    scope: ScopeId,
}

impl<'f> Code<'f> {
    fn of(files: &'f Files, file: FileId, item: u32, scope: ScopeId) -> Option<Code<'f>> {
        let item = files.facts(file)?.items.get(item as usize)?;
        Some(Code { files, family: files.family(file)?, file, facts: &item.facts, start: item.start, scope })
    }

    /// The calls within the scope, in the order of the text.
    fn calls(&self) -> impl Iterator<Item = &'f Call> {
        self.facts.calls.iter().filter(|call| self.scopes_around(call.scope).any(|scope| scope == self.scope))
    }

    /// A scope and those around it, innermost first.
    fn scopes_around(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> {
        std::iter::successors(Some(scope), |scope| self.facts.scope(*scope).parent)
    }

    /// Whether a call changes something; `is_handler` is whether the code gets the arguments of the tool itself.
    fn changes(&self, call: &Call, is_handler: bool) -> bool {
        let Some(name) = call.callee.last_name() else { return false };
        let mut named = ROWS.effect.iter().filter(|effect| effect.family == self.family);
        named.any(|effect| {
            let is_called =
                effect.calls.contains(name) || self.imported_as(call).is_some_and(|n| effect.calls.contains(&n));
            is_called
                && (!effect.given || is_handler && call.args.first().is_some_and(|arg| self.is_argument(&arg.value)))
                && effect.option.as_ref().is_none_or(|option| has_word(call, option, &effect.words))
                && self.comes_from(call, &effect.modules)
        })
    }

    /// The name under which a module exports the function that a call imports under another one.
    fn imported_as(&self, call: &Call) -> Option<SmolStr> {
        let Expr::Name { name, .. } = &call.callee else { return None };
        match self.bound(name, call.scope)? {
            Bound::Import { name: Imported::Named(there), .. } => Some(there.clone()),
            _ => None,
        }
    }

    /// Whether the function of a call comes from one of some modules or, without any, from no import or definition.
    fn comes_from(&self, call: &Call, modules: &[SmolStr]) -> bool {
        match (&call.callee, modules) {
            (Expr::Name { name, .. }, []) => self.bound(name, call.scope).is_none(),
            (_, []) => false,
            (callee, modules) => {
                let module = self.module(callee, call.scope, MAX_STEPS);
                module.is_some_and(|module| modules.iter().any(|own| is_below(&module, own)))
            }
        }
    }

    /// The module that an expression comes from: that of the import, object or call that it begins with.
    fn module(&self, expr: &Expr, scope: ScopeId, left: usize) -> Option<SmolStr> {
        let left = left.checked_sub(1)?;
        match expr {
            Expr::Name { name, .. } => match self.bound(name, scope) {
                None => (self.family == Family::Rust).then(|| name.clone()),
                Some(Bound::Value(value)) => self.module(value, scope, left),
                Some(Bound::Import { module, name }) => match self.files.resolve(self.file, module) {
                    Lookup::Found(target) if target != self.file => {
                        let Imported::Named(there) = name else { return None };
                        let facts = self.files.facts(target)?;
                        let &(item, index) = facts.top_level.get(there)?.last()?;
                        let code = Code::of(self.files, target, item, ScopeId(0))?;
                        match &code.facts.scopes[0].bindings.get(index as usize)?.value {
                            Bound::Value(value) => code.module(value, ScopeId(0), left),
                            _ => None,
                        }
                    }
                    // `from aiofiles import os`, `use std::fs`
                    _ => Some(match name {
                        Imported::Named(there) if self.family != Family::TypeScript => {
                            format!("{module}{}{there}", separator(self.family)).into()
                        }
                        _ => module.clone(),
                    }),
                },
                Some(_) => None,
            },
            Expr::Member { object, key: Key::Field(key), .. } => {
                let module = self.module(object, scope, left)?;
                Some(if self.family == Family::TypeScript {
                    module
                } else {
                    format!("{module}{}{key}", separator(self.family)).into()
                })
            }
            Expr::Call(id) => self.module(&self.facts.call(*id).callee, scope, left),
            _ => None,
        }
    }

    /// Whether an expression is an argument of the tool, or a part of one.
    fn is_argument(&self, expr: &Expr) -> bool {
        let mut expr = expr;
        for _ in 0..MAX_STEPS {
            match expr {
                Expr::Member { object, .. } | Expr::At { object, .. } => expr = object,
                Expr::Name { name, .. } => match self.bound_around(name, self.scope) {
                    Some((Bound::Param { .. }, scope)) => return self.function() == Some(scope),
                    Some((Bound::Value(value), _)) => expr = value,
                    _ => return false,
                },
                _ => return false,
            }
        }
        false
    }

    /// The scope of the function that the code is, or is a branch of.
    fn function(&self) -> Option<ScopeId> {
        let is_function = |scope: &ScopeId| matches!(self.facts.scope(*scope).kind, ScopeKind::Function(_));
        self.scopes_around(self.scope).find(is_function)
    }

    /// What a name means in a scope.
    fn bound(&self, name: &SmolStr, scope: ScopeId) -> Option<&'f Bound> {
        let own = self.bound_around(name, scope).map(|(bound, _)| bound);
        own.or_else(|| {
            let facts = self.files.facts(self.file)?;
            let &(item, index) = facts.top_level.get(name)?.last()?;
            Some(&facts.items.get(item as usize)?.facts.scopes[0].bindings.get(index as usize)?.value)
        })
    }

    /// What a name means in the scopes of the item around a scope, and the scope that binds it.
    fn bound_around(&self, name: &SmolStr, scope: ScopeId) -> Option<(&'f Bound, ScopeId)> {
        self.scopes_around(scope).find_map(|scope| {
            let binding = self.facts.scope(scope).bindings.iter().rfind(|binding| binding.name == *name)?;
            Some((&binding.value, scope))
        })
    }
}

/// The separator of modules in a language's paths.
fn separator(family: Family) -> &'static str {
    if family == Family::Rust { "::" } else { "." }
}

/// Whether a path is a module or something in it.
fn is_below(path: &str, module: &str) -> bool {
    path.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '.']))
}

/// Whether an option of a call is one of some words.
fn has_word(call: &Call, option: &str, words: &[SmolStr]) -> bool {
    let is_word = |value: &Expr| match value {
        Expr::Text { text, .. } => words.iter().any(|word| text.eq_ignore_ascii_case(word)),
        _ => false,
    };
    let in_object = |arg: &Arg| match &arg.value {
        Expr::Object { props, .. } => props.iter().any(|prop| match prop {
            Prop::Pair { key: Expr::Text { text, .. }, value } => text == option && is_word(value),
            _ => false,
        }),
        _ => false,
    };
    let is_first = call.args.first().is_some_and(|arg| arg.name.is_none() && is_word(&arg.value));
    is_first || call.args.iter().any(|arg| arg.name.as_deref() == Some(option) && is_word(&arg.value) || in_object(arg))
}

/// A function as the code names it: `fs.promises.rm`; `None` if a call or another expression is part of it.
fn name_of(callee: &Expr) -> Option<String> {
    match callee {
        Expr::Name { name, .. } => Some(name.to_string()),
        Expr::Member { object, key: Key::Field(key), .. } => {
            Some(name_of(object).map_or_else(|| key.to_string(), |object| format!("{object}.{key}")))
        }
        _ => None,
    }
}
