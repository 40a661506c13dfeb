//! TypeScript, TSX and JavaScript → the small language.

mod branches;
mod expression;

use smol_str::SmolStr;
use tree_sitter::Node;

use self::branches::{falling_into, is_branch_of, is_empty_case, none_of_the_cases, subject_of_case, test};
pub(super) use self::expression::expression;
use self::expression::{key_text, string_text};
use super::builder::{Builder, MODULE, member_path, named, positions};
use super::{
    Arg, Bound, CallKind, DefinitionKind, Export, ExportTarget, Expr, Function, Imported, Key, Param, ScopeId,
    ScopeKind, UNASSIGNED, UNSET,
};
use crate::text::Span;

/// Lowers one top-level node.
pub(super) fn item(b: &mut Builder<'_>, node: Node<'_>) {
    statement(b, node, MODULE);
}

fn statements(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) {
    for child in named(node) {
        b.deeper(|b| statement(b, child, scope));
    }
}

pub(super) fn statement(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) {
    b.enters(node, scope);
    match node.kind() {
        "comment" => {}
        "import_statement" => import(b, node, scope),
        "export_statement" => export(b, node, scope),
        "lexical_declaration" | "variable_declaration" => {
            for declarator in named(node) {
                variable(b, declarator, scope);
            }
        }
        "function_declaration" | "generator_function_declaration" => {
            declared_function(b, node, scope, Vec::new());
        }
        "class_declaration" | "abstract_class_declaration" => {
            class(b, node, scope);
        }
        "enum_declaration" => enumeration(b, node, scope),
        "expression_statement" => {
            for child in named(node) {
                if matches!(child.kind(), "internal_module" | "module") {
                    statement(b, child, scope);
                } else {
                    expression(b, child, scope);
                }
            }
        }
        "internal_module" | "module" => {
            if let Some(body) = node.child_by_field_name("body") {
                let inner = b.open(scope, ScopeKind::Namespace);
                if let Some(name) = node.child_by_field_name("name") {
                    let value = Expr::Class { scope: inner, span: b.span(name) };
                    b.bind(scope, b.smol(name), b.span(name), Bound::Value(value));
                }
                statements(b, body, inner);
            }
        }
        "return_statement" => {
            let value = named(node).first().map(|&child| expression(b, child, scope));
            let value = value.unwrap_or_else(|| b.opaque("nothing", node));
            b.returned(scope, value);
        }
        "continue_statement" => b.continued(scope, node),
        "for_in_statement" => for_in(b, node, scope),
        "statement_block" => {
            let inner = b.open(scope, ScopeKind::Block);
            statements(b, node, inner);
        }
        "for_statement" => {
            let inner = b.open(scope, ScopeKind::Block);
            statements(b, node, inner);
        }
        // Types hold no values.
        "type_alias_declaration" | "interface_declaration" | "ambient_declaration" | "function_signature" => {}
        "if_statement" => {
            for child in named(node) {
                if is_branch_of(node, child) {
                    let inner = b.open(scope, ScopeKind::Branch);
                    if let Some(condition) = node.child_by_field_name("condition") {
                        test(b, condition, inner, true);
                    }
                    b.deeper(|b| statement_in(b, child, inner));
                } else {
                    b.deeper(|b| statement(b, child, scope));
                }
            }
        }
        "switch_case" => {
            let value = node.child_by_field_name("value");
            let subject = subject_of_case(node).map(|subject| expression(b, subject, scope));
            let case = value.map(|value| expression(b, value, scope));
            if let Some(case) = &case {
                b.compared(case, subject.as_ref(), scope);
            }
            let inner = b.open(scope, ScopeKind::Branch);
            let falling = if is_empty_case(node) { None } else { falling_into(node) };
            if let (Some(case), Some(subject), Some(others)) = (case, subject, falling) {
                let mut any = vec![b.equal(vec![subject.clone(), case], true, node)];
                for other in others {
                    let other = b.again(|b| expression(b, other, scope));
                    any.push(b.equal(vec![subject.clone(), other], true, node));
                }
                b.any_condition(inner, any, true);
            }
            for child in named(node).into_iter().filter(|child| Some(*child) != value) {
                b.deeper(|b| statement(b, child, inner));
            }
        }
        "switch_default" | "catch_clause" | "else_clause" => {
            let inner = b.open(scope, ScopeKind::Branch);
            match node.kind() {
                "else_clause" => {
                    let condition = node.parent().and_then(|parent| parent.child_by_field_name("condition"));
                    condition.into_iter().for_each(|condition| test(b, condition, inner, false));
                }
                "switch_default" if falling_into(node).is_some_and(|others| others.is_empty()) => {
                    none_of_the_cases(b, node, inner);
                }
                _ => {}
            }
            for child in named(node) {
                b.deeper(|b| statement_in(b, child, inner));
            }
        }
        kind if kind.ends_with("_statement") || matches!(kind, "finally_clause" | "switch_body" | "ERROR") => {
            statements(b, node, scope);
        }
        _ => {
            expression(b, node, scope);
        }
    }
}

/// Lowers the statements of a block in `scope` itself, or a single statement.
fn statement_in(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) {
    if node.kind() == "statement_block" { statements(b, node, scope) } else { statement(b, node, scope) }
}

fn import(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) {
    let Some(source) = node.child_by_field_name("source") else {
        // import x = require("module")
        for clause in named(node) {
            if clause.kind() == "import_require_clause" {
                let parts = named(clause);
                if let (Some(name), Some(module)) = (parts.first(), clause.child_by_field_name("source")) {
                    let module = SmolStr::new(string_text(b, module));
                    let value = Bound::Import { module, name: Imported::Module };
                    b.bind(scope, b.smol(*name), b.span(*name), value);
                }
            }
        }
        return;
    };
    let module = SmolStr::new(string_text(b, source));
    let bind = |b: &mut Builder<'_>, local: Node<'_>, name: Imported| {
        let value = Bound::Import { module: module.clone(), name };
        b.bind(scope, b.smol(local), b.span(local), value);
    };
    let mut any = false;
    for clause in named(node) {
        if clause.kind() != "import_clause" {
            continue;
        }
        for part in named(clause) {
            any = true;
            match part.kind() {
                "identifier" => bind(b, part, Imported::Default),
                "namespace_import" => {
                    if let Some(local) = named(part).first() {
                        bind(b, *local, Imported::Module);
                    }
                }
                "named_imports" => {
                    for specifier in named(part) {
                        let Some(name) = specifier.child_by_field_name("name") else {
                            continue;
                        };
                        let local = specifier.child_by_field_name("alias").unwrap_or(name);
                        bind(b, local, imported_name(b, name));
                    }
                }
                _ => {}
            }
        }
    }
    if !any {
        // An import for its side effects is a dependency on that module, too.
        b.bind(scope, SmolStr::default(), b.span(source), Bound::Import { module, name: Imported::Module });
    }
}

fn imported_name(b: &Builder<'_>, name: Node<'_>) -> Imported {
    match string_text(b, name) {
        "default" => Imported::Default,
        other => Imported::Named(SmolStr::new(other)),
    }
}

fn export(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) {
    let source = node.child_by_field_name("source").map(|source| SmolStr::new(string_text(b, source)));
    let is_default = {
        let mut cursor = node.walk();
        node.children(&mut cursor).any(|child| child.kind() == "default")
    };
    if let Some(declaration) = node.child_by_field_name("declaration") {
        let before = b.facts.scope(scope).bindings.len();
        statement(b, declaration, scope);
        let names: Vec<SmolStr> =
            b.facts.scope(scope).bindings[before..].iter().map(|binding| binding.name.clone()).collect();
        for name in names {
            let exported = if is_default { SmolStr::new_static("default") } else { name.clone() };
            b.facts.exports.push(Export { name: Some(exported), target: ExportTarget::Local(name) });
        }
        return;
    }
    if let Some(value) = node.child_by_field_name("value") {
        let value = expression(b, value, scope);
        b.facts.exports.push(Export { name: Some(SmolStr::new_static("default")), target: ExportTarget::Value(value) });
        return;
    }
    let mut any = false;
    for child in named(node) {
        match child.kind() {
            "export_clause" => {
                any = true;
                for specifier in named(child) {
                    let Some(name) = specifier.child_by_field_name("name") else {
                        continue;
                    };
                    let alias = specifier.child_by_field_name("alias").unwrap_or(name);
                    let target = match &source {
                        Some(module) => ExportTarget::From { module: module.clone(), name: imported_name(b, name) },
                        None => ExportTarget::Local(b.smol(name)),
                    };
                    b.facts.exports.push(Export { name: Some(SmolStr::new(string_text(b, alias))), target });
                }
            }
            "namespace_export" => {
                any = true;
                if let (Some(module), Some(name)) = (&source, named(child).first()) {
                    let target = ExportTarget::From { module: module.clone(), name: Imported::Module };
                    b.facts.exports.push(Export { name: Some(b.smol(*name)), target });
                }
            }
            _ => {}
        }
    }
    if let (false, Some(module)) = (any, source) {
        let target = ExportTarget::From { module, name: Imported::Module };
        b.facts.exports.push(Export { name: None, target });
    }
}

fn variable(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    let value = match node.child_by_field_name("value") {
        Some(value) => expression(b, value, scope),
        // `let x;`: its values are those assigned later.
        None if name.kind() == "identifier" => Expr::Opaque { what: UNASSIGNED, span: b.span(name) },
        None => return,
    };
    if let Some(module) = required_module(b, &value) {
        return bind_require(b, name, module, scope);
    }
    bind_pattern(b, name, &mut |b, path, local| {
        let value = member_path(value.clone(), path, b.span(local));
        bind_local(b, local, Bound::Value(value), scope);
    });
}

/// The module of `require("module")` or `await import("module")`; `None` for any other value.
fn required_module(b: &Builder<'_>, value: &Expr) -> Option<SmolStr> {
    let Expr::Call(id) = value else { return None };
    let call = b.facts.call(*id);
    let Expr::Name { name, .. } = &call.callee else {
        return None;
    };
    match (name.as_str(), call.args.as_slice()) {
        ("require" | "import", [Arg { value: Expr::Text { text, .. }, .. }]) => Some(text.clone()),
        _ => None,
    }
}

fn bind_require(b: &mut Builder<'_>, pattern: Node<'_>, module: SmolStr, scope: ScopeId) {
    bind_pattern(b, pattern, &mut |b, path, local| {
        let name = match path {
            [] => Imported::Module,
            [Key::Field(name), ..] if name == "default" => Imported::Default,
            [Key::Field(name), ..] => Imported::Named(name.clone()),
            [Key::Index(_), ..] => return,
        };
        b.bind(scope, b.smol(local), b.span(local), Bound::Import { module: module.clone(), name });
    });
}

/// Binds a name of a pattern, with its default.
fn bind_local(b: &mut Builder<'_>, local: Node<'_>, value: Bound, scope: ScopeId) {
    let is_whole = matches!(&value, Bound::Param { path, .. } if path.is_empty());
    b.bind(scope, b.smol(local), b.span(local), value);
    let around = local.parent().filter(|around| around.kind().ends_with("assignment_pattern") && !is_whole);
    let default = around.filter(|around| around.child_by_field_name("left") == Some(local));
    if let Some(default) = default.and_then(|around| around.child_by_field_name("right")) {
        let default = expression(b, default, scope);
        if let Some(binding) = b.scope_mut(scope).bindings.last_mut() {
            binding.default = Some(Box::new(default));
        }
    }
}

/// Walks a binding pattern and passes every name in it to `bind`, with the path to it from the bound value.
fn bind_pattern<'n>(b: &mut Builder<'_>, pattern: Node<'n>, bind: &mut dyn FnMut(&mut Builder<'_>, &[Key], Node<'n>)) {
    fn walk<'n>(
        b: &mut Builder<'_>,
        pattern: Node<'n>,
        path: &mut Vec<Key>,
        bind: &mut dyn FnMut(&mut Builder<'_>, &[Key], Node<'n>),
    ) {
        match pattern.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => {
                let shorthand = pattern.kind() != "identifier";
                if shorthand {
                    path.push(Key::Field(b.smol(pattern)));
                }
                bind(b, path, pattern);
                if shorthand {
                    path.pop();
                }
            }
            "object_pattern" => {
                for child in named(pattern) {
                    match child.kind() {
                        "pair_pattern" => {
                            let (Some(key), Some(value)) =
                                (child.child_by_field_name("key"), child.child_by_field_name("value"))
                            else {
                                continue;
                            };
                            path.push(Key::Field(SmolStr::new(string_text(b, key))));
                            b.deeper(|b| walk(b, value, path, bind));
                            path.pop();
                        }
                        "object_assignment_pattern" => {
                            if let Some(left) = child.child_by_field_name("left") {
                                b.deeper(|b| walk(b, left, path, bind));
                            }
                        }
                        // The rest of an object is bound to the whole object, which has the remaining members.
                        "rest_pattern" => {
                            for rest in named(child) {
                                b.deeper(|b| walk(b, rest, path, bind));
                            }
                        }
                        _ => {
                            b.deeper(|b| walk(b, child, path, bind));
                        }
                    }
                }
            }
            "array_pattern" => {
                for (index, child) in positions(pattern) {
                    path.push(Key::Index(index));
                    b.deeper(|b| walk(b, child, path, bind));
                    path.pop();
                }
            }
            "assignment_pattern" => {
                if let Some(left) = pattern.child_by_field_name("left") {
                    b.deeper(|b| walk(b, left, path, bind));
                }
            }
            _ => {}
        }
    }
    walk(b, pattern, &mut Vec::new(), bind);
}

fn declared_function(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId, decorators: Vec<Expr>) -> ScopeId {
    let body = function_scope(b, node, scope, None);
    if let Some(name) = node.child_by_field_name("name") {
        let name = key_text(b, name);
        b.define(DefinitionKind::Function, name, node, scope, body, decorators);
    }
    body
}

/// The span of the first statement of a function's body, empty at the start of an empty body. `None` if the body is an
/// expression.
fn first_statement(b: &mut Builder<'_>, node: Node<'_>) -> Option<Span> {
    let body = node.child_by_field_name("body").filter(|body| body.kind() == "statement_block")?;
    let first = named(body).first().map(|first| b.span(*first));
    Some(first.unwrap_or_else(|| b.span_of(body.start_byte() + 1, body.start_byte() + 1)))
}

/// Opens the scope of a function and lowers its parameters and body.
pub(super) fn function_scope(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId, each: Option<Box<Expr>>) -> ScopeId {
    let first = first_statement(b, node);
    let function = Function { params: Vec::new(), receiver: false, each, first, span: b.span(node) };
    let inner = b.open(scope, ScopeKind::Function(function));
    let parameters = match node.child_by_field_name("parameters") {
        Some(list) => named(list),
        None => node.child_by_field_name("parameter").into_iter().collect(),
    };
    let mut params = Vec::new();
    for parameter in parameters {
        let pattern = parameter.child_by_field_name("pattern").unwrap_or(parameter);
        if pattern.kind() == "this" {
            continue;
        }
        let index = params.len() as u32;
        let default = match parameter.child_by_field_name("value") {
            Some(value) => Some(expression(b, value, inner)),
            None if pattern.kind() == "assignment_pattern" => {
                pattern.child_by_field_name("right").map(|value| expression(b, value, inner))
            }
            None => None,
        };
        let (rest, pattern) = match pattern.kind() {
            "rest_pattern" => (true, named(pattern).first().copied().unwrap_or(pattern)),
            _ => (false, pattern),
        };
        let name = if pattern.kind() == "identifier" { b.smol(pattern) } else { SmolStr::default() };
        params.push(Param { name, default, rest, span: b.span(pattern), ..Param::default() });
        bind_pattern(b, pattern, &mut |b, path, local| {
            bind_local(b, local, Bound::Param { index, path: path.to_vec() }, inner);
        });
    }
    if let ScopeKind::Function(function) = &mut b.scope_mut(inner).kind {
        function.params = params;
    }
    if let Some(body) = node.child_by_field_name("body") {
        if body.kind() == "statement_block" {
            statements(b, body, inner);
        } else {
            let value = expression(b, body, inner);
            b.returned(inner, value);
        }
    }
    inner
}

/// The variable that gives an anonymous class its name: `const Registry = class { … }`.
fn variable_of_class(class: Node<'_>) -> Option<Node<'_>> {
    let declarator = class.parent().filter(|parent| parent.kind() == "variable_declarator")?;
    declarator.child_by_field_name("name").filter(|name| name.kind() == "identifier")
}

pub(super) fn class(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> ScopeId {
    let mut bases = Vec::new();
    let mut decorators = Vec::new();
    let parts = named(node);
    for part in &parts {
        match part.kind() {
            "class_heritage" => {
                for clause in named(*part) {
                    match clause.kind() {
                        "extends_clause" => {
                            bases.extend(clause.child_by_field_name("value").map(|base| expression(b, base, scope)));
                        }
                        "implements_clause" => {}
                        _ => bases.push(expression(b, clause, scope)),
                    }
                }
            }
            "decorator" => decorators.extend(decorator(b, *part, scope)),
            _ => {}
        }
    }
    let inner = b.open(scope, ScopeKind::Class { bases });
    match (node.child_by_field_name("name"), variable_of_class(node)) {
        (Some(name), _) => b.define(DefinitionKind::Class, key_text(b, name), node, scope, inner, decorators),
        (None, Some(variable)) => {
            b.keep_definition(DefinitionKind::Class, b.name(variable), node, scope, inner, decorators);
        }
        // The name of an anonymous class is the empty string at run time, too; code cannot refer to it.
        (None, None) => {
            let start = b.span(node).start;
            b.define(
                DefinitionKind::Class,
                (SmolStr::default(), Span::at(start as usize)),
                node,
                scope,
                inner,
                decorators,
            );
        }
    }
    let Some(body) = node.child_by_field_name("body") else {
        return inner;
    };
    let mut decorators = Vec::new();
    for member in named(body) {
        match member.kind() {
            "decorator" => decorators.extend(decorator(b, member, inner)),
            "method_definition" => {
                b.deeper(|b| method(b, member, inner, std::mem::take(&mut decorators)));
            }
            "public_field_definition" | "field_definition" => {
                let name = member.child_by_field_name("name").or_else(|| member.child_by_field_name("property"));
                if let Some(name) = name {
                    let (text, span) = key_text(b, name);
                    let value = match member.child_by_field_name("value") {
                        Some(value) => expression(b, value, inner),
                        None => b.opaque(UNSET, member),
                    };
                    b.bind(inner, text, span, Bound::Value(value));
                }
                decorators.clear();
            }
            "class_static_block" => {
                b.deeper(|b| statements(b, member, inner));
            }
            _ => decorators.clear(),
        }
    }
    inner
}

fn method(b: &mut Builder<'_>, node: Node<'_>, class: ScopeId, decorators: Vec<Expr>) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    let body = function_scope(b, node, class, None);
    let getter = {
        let mut cursor = node.walk();
        node.children(&mut cursor).any(|child| child.kind() == "get")
    };
    if getter {
        // Reading a getter calls it, so its return value is the value of the member.
        let (text, span) = key_text(b, name);
        if let [returned] = b.facts.scope(body).returns.as_slice() {
            let returned = returned.clone();
            b.bind_from(class, returned.scope, text, span, returned.value);
        }
        return;
    }
    let is_constructor = b.text(name) == "constructor";
    let name = key_text(b, name);
    b.define(DefinitionKind::Function, name, node, class, body, decorators);
    if is_constructor {
        parameter_properties(b, node, class, body);
    }
}

/// `constructor(private readonly server: McpServer)` sets a field of the same name.
fn parameter_properties(b: &mut Builder<'_>, node: Node<'_>, class: ScopeId, constructor: ScopeId) {
    let Some(list) = node.child_by_field_name("parameters") else {
        return;
    };
    for parameter in named(list) {
        let mut cursor = parameter.walk();
        let is_property = parameter
            .children(&mut cursor)
            .any(|child| matches!(child.kind(), "accessibility_modifier" | "readonly" | "override_modifier"));
        let Some(pattern) = parameter.child_by_field_name("pattern") else {
            continue;
        };
        if is_property && pattern.kind() == "identifier" {
            let (name, span) = (b.smol(pattern), b.span(pattern));
            let value = Expr::Name { name: name.clone(), span };
            b.bind_from(class, constructor, name, span, value);
        }
    }
}

fn decorator(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Option<Expr> {
    let inner = *named(node).first()?;
    let value = expression(b, inner, scope);
    if let Expr::Call(id) = value {
        b.facts.calls[id.0 as usize].kind = CallKind::Decorator;
    }
    Some(value)
}

fn enumeration(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) {
    let inner = b.open(scope, ScopeKind::Class { bases: Vec::new() });
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    let name = key_text(b, name);
    b.define(DefinitionKind::Class, name, node, scope, inner, Vec::new());
    let Some(body) = node.child_by_field_name("body") else {
        return;
    };
    for member in named(body) {
        if member.kind() == "enum_assignment" {
            let (Some(name), Some(value)) = (member.child_by_field_name("name"), member.child_by_field_name("value"))
            else {
                continue;
            };
            let value = expression(b, value, inner);
            let (text, span) = key_text(b, name);
            b.bind(inner, text, span, Bound::Value(value));
        }
    }
}

fn for_in(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) {
    let iterable = match node.child_by_field_name("right") {
        Some(right) => expression(b, right, scope),
        None => b.opaque("a loop over nothing", node),
    };
    let keys = node.child_by_field_name("operator").is_some_and(|operator| operator.kind() == "in");
    let iterable = if keys { Expr::Opaque { what: "the keys of an object", span: b.span(node) } } else { iterable };
    let inner = b.open(scope, ScopeKind::Loop { iterable });
    if let Some(left) = node.child_by_field_name("left") {
        bind_pattern(b, left, &mut |b, path, local| {
            bind_local(b, local, Bound::Element { path: path.to_vec() }, inner);
        });
    }
    if let Some(body) = node.child_by_field_name("body") {
        b.deeper(|b| statement_in(b, body, inner));
    }
}
