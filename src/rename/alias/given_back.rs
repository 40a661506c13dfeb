//! Functions of the project that act as a framework's decorator on a function, because they return that decorator.

use crate::found::Registration;
use crate::lower::{Bound, Expr, ItemFacts, ScopeId, ScopeKind};
use crate::workspace::Files;

/// Returns the name of the function around a registration by one of the decorators in `of`, if that function returns
/// only the decorator, or a function that returns its argument: `@write_tool("name")` for `def write_tool(name): return
/// mcp.tool(name)`. Such a function can be applied to another function twice, as the decorator itself can. `None`
/// otherwise.
pub(super) fn helper<'f>(files: &'f Files, registration: &Registration, of: &[&str]) -> Option<&'f str> {
    let (file, item, body) = registration.body;
    if (file, item) != (registration.place.file, registration.place.item) {
        return None;
    }
    let facts = &files.facts(file)?.items.get(item as usize)?.facts;
    let registers = |value: &Expr| match value {
        Expr::Call(id) => {
            let call = facts.call(*id);
            let is_decorator = call.callee.last_name().is_some_and(|name| of.contains(&name.as_str()));
            is_decorator && call.span == registration.place.span
        }
        _ => false,
    };
    let is_right = |value: &Expr| {
        let mut held = values(facts, body, value).peekable();
        held.peek().is_some() && held.all(|value| registers(value) || gives_back(facts, value))
    };
    let returns = &facts.scope(body).returns;
    let is_helper = !returns.is_empty() && returns.iter().all(|returned| is_right(&returned.value));
    facts.definition_of(body).filter(|_| is_helper).map(|definition| definition.name.as_str())
}

/// Returns the values that a name gets from its bindings in a function or in a block of that function. For any other
/// expression, returns the expression itself.
fn values<'f>(facts: &'f ItemFacts, body: ScopeId, value: &'f Expr) -> Box<dyn Iterator<Item = &'f Expr> + 'f> {
    let Expr::Name { name, .. } = value else { return Box::new(std::iter::once(value)) };
    let is_inside = move |scope: ScopeId| {
        let mut around = std::iter::successors(Some(scope), |at| {
            let scope = facts.scope(*at);
            scope.parent.filter(|_| !matches!(scope.kind, ScopeKind::Function(_)))
        });
        around.any(|at| at == body)
    };
    let inside = (0..facts.scopes.len() as u32).map(ScopeId).filter(move |scope| is_inside(*scope));
    let bindings = inside.flat_map(|scope| &facts.scope(scope).bindings).filter(move |binding| binding.name == *name);
    Box::new(bindings.map(|binding| match &binding.value {
        Bound::Value(value) => value,
        _ => value,
    }))
}

/// Whether a function returns its first argument, and nothing else.
fn gives_back(facts: &ItemFacts, function: &Expr) -> bool {
    let Expr::Function { scope, .. } = function else { return false };
    let scope = facts.scope(*scope);
    let ScopeKind::Function(function) = &scope.kind else { return false };
    let is_first = |value: &Expr| {
        let first = function.params.first().map(|param| &param.name);
        matches!(value, Expr::Name { name, .. } if Some(name) == first)
    };
    !scope.returns.is_empty() && scope.returns.iter().all(|returned| is_first(&returned.value))
}
