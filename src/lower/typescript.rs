//! TypeScript, TSX and JavaScript → the small language.

use smol_str::SmolStr;
use tree_sitter::Node;

use super::builder::{Builder, MODULE, joined, member_path, named, unescape};
use super::{
    Arg, Bound, CallKind, Definition, DefinitionKind, Export, ExportTarget, Expr, Function, Imported, Key, Param, Prop,
    ScopeId, ScopeKind,
};
use crate::text::Span;

/// Array methods that call their argument once for each element and so make it a loop body.
const EACH_METHODS: [&str; 3] = ["forEach", "map", "flatMap"];

/// Lowers one top-level node.
pub(super) fn item(b: &mut Builder<'_>, node: Node<'_>) {
    statement(b, node, MODULE);
}

fn statements(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) {
    for child in named(b, node) {
        b.deeper(|b| statement(b, child, scope));
    }
}

fn statement(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) {
    match node.kind() {
        "comment" => b.comment(node),
        "import_statement" => import(b, node, scope),
        "export_statement" => export(b, node, scope),
        "lexical_declaration" | "variable_declaration" => {
            for declarator in named(b, node) {
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
            for child in named(b, node) {
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
            let value = named(b, node).first().map(|&child| expression(b, child, scope));
            let value = value.unwrap_or_else(|| b.opaque("nothing", node));
            b.returned(scope, value);
        }
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
            for child in named(b, node) {
                if is_branch_of(node, child) {
                    let inner = b.open(scope, ScopeKind::Branch);
                    b.deeper(|b| statement_in(b, child, inner));
                } else {
                    b.deeper(|b| statement(b, child, scope));
                }
            }
        }
        "switch_case" => {
            let value = node.child_by_field_name("value");
            if let Some(value) = value {
                let value = expression(b, value, scope);
                b.compared(&value);
            }
            let inner = b.open(scope, ScopeKind::Branch);
            for child in named(b, node).into_iter().filter(|child| Some(*child) != value) {
                b.deeper(|b| statement(b, child, inner));
            }
        }
        "switch_default" | "catch_clause" | "else_clause" => {
            let inner = b.open(scope, ScopeKind::Branch);
            for child in named(b, node) {
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

/// Lowers the statements of a block right in `scope`.
fn statement_in(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) {
    if node.kind() == "statement_block" { statements(b, node, scope) } else { statement(b, node, scope) }
}

/// Whether a child of an `if` is what it decides about, not its condition.
fn is_branch_of(node: Node<'_>, child: Node<'_>) -> bool {
    node.child_by_field_name("consequence") == Some(child)
}

fn import(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) {
    let Some(source) = node.child_by_field_name("source") else {
        // import x = require("module")
        for clause in named(b, node) {
            if clause.kind() == "import_require_clause" {
                let parts = named(b, clause);
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
    for clause in named(b, node) {
        if clause.kind() != "import_clause" {
            continue;
        }
        for part in named(b, clause) {
            any = true;
            match part.kind() {
                "identifier" => bind(b, part, Imported::Default),
                "namespace_import" => {
                    if let Some(local) = named(b, part).first() {
                        bind(b, *local, Imported::Module);
                    }
                }
                "named_imports" => {
                    for specifier in named(b, part) {
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
        // For its side effects only: still a link to that module.
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
    for child in named(b, node) {
        match child.kind() {
            "export_clause" => {
                any = true;
                for specifier in named(b, child) {
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
                if let (Some(module), Some(name)) = (&source, named(b, child).first()) {
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
        // `let x;`: whatever it is assigned later.
        None if name.kind() == "identifier" => Expr::Opaque { what: "a variable without a value", span: b.span(name) },
        None => return,
    };
    if let Some(module) = required_module(b, &value) {
        return bind_require(b, name, module, scope);
    }
    bind_pattern(b, name, scope, &mut |b, path, local| {
        let value = member_path(value.clone(), path, b.span(local));
        b.bind(scope, b.smol(local), b.span(local), Bound::Value(value));
    });
}

/// The module of `require("module")` or `await import("module")`.
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
    bind_pattern(b, pattern, scope, &mut |b, path, local| {
        let name = match path {
            [] => Imported::Module,
            [Key::Field(name), ..] if name == "default" => Imported::Default,
            [Key::Field(name), ..] => Imported::Named(name.clone()),
            [Key::Index(_), ..] => return,
        };
        b.bind(scope, b.smol(local), b.span(local), Bound::Import { module: module.clone(), name });
    });
}

/// Walks a binding pattern and hands every name in it to `bind`, with the way to it from the value bound.
fn bind_pattern<'n>(
    b: &mut Builder<'_>,
    pattern: Node<'n>,
    scope: ScopeId,
    bind: &mut dyn FnMut(&mut Builder<'_>, &[Key], Node<'n>),
) {
    fn walk<'n>(
        b: &mut Builder<'_>,
        pattern: Node<'n>,
        scope: ScopeId,
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
                for child in named(b, pattern) {
                    match child.kind() {
                        "pair_pattern" => {
                            let (Some(key), Some(value)) =
                                (child.child_by_field_name("key"), child.child_by_field_name("value"))
                            else {
                                continue;
                            };
                            path.push(Key::Field(SmolStr::new(string_text(b, key))));
                            b.deeper(|b| walk(b, value, scope, path, bind));
                            path.pop();
                        }
                        // A default makes the value uncertain only where the property is missing.
                        "object_assignment_pattern" => {
                            if let Some(left) = child.child_by_field_name("left") {
                                b.deeper(|b| walk(b, left, scope, path, bind));
                            }
                        }
                        "rest_pattern" => {}
                        _ => {
                            b.deeper(|b| walk(b, child, scope, path, bind));
                        }
                    }
                }
            }
            "array_pattern" => {
                for (index, child) in named(b, pattern).into_iter().enumerate() {
                    if child.kind() == "rest_pattern" {
                        continue;
                    }
                    path.push(Key::Index(index as u32));
                    b.deeper(|b| walk(b, child, scope, path, bind));
                    path.pop();
                }
            }
            "assignment_pattern" => {
                if let Some(left) = pattern.child_by_field_name("left") {
                    b.deeper(|b| walk(b, left, scope, path, bind));
                }
            }
            _ => {}
        }
    }
    walk(b, pattern, scope, &mut Vec::new(), bind);
}

fn declared_function(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId, decorators: Vec<Expr>) -> ScopeId {
    let body = function_scope(b, node, scope, None);
    if let Some(name) = node.child_by_field_name("name") {
        define(b, DefinitionKind::Function, node, name, scope, body, decorators);
    }
    body
}

fn define(
    b: &mut Builder<'_>,
    kind: DefinitionKind,
    node: Node<'_>,
    name: Node<'_>,
    scope: ScopeId,
    body: ScopeId,
    decorators: Vec<Expr>,
) {
    let (text, name_span) = key_text(b, name);
    let span = b.span(node);
    let value = match kind {
        DefinitionKind::Function => Expr::Function { scope: body, span },
        DefinitionKind::Class => Expr::Class { scope: body, span },
    };
    b.bind(scope, text.clone(), name_span, Bound::Value(value));
    b.facts.definitions.push(Definition { kind, name: text, name_span, scope, body, decorators, span });
}

/// Opens the scope of a function and lowers its parameters and body.
fn function_scope(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId, each: Option<Box<Expr>>) -> ScopeId {
    let function = Function { params: Vec::new(), receiver: false, each, span: b.span(node) };
    let inner = b.open(scope, ScopeKind::Function(function));
    let parameters = match node.child_by_field_name("parameters") {
        Some(list) => named(b, list),
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
            "rest_pattern" => (true, named(b, pattern).first().copied().unwrap_or(pattern)),
            _ => (false, pattern),
        };
        let name = if pattern.kind() == "identifier" { b.smol(pattern) } else { SmolStr::default() };
        params.push(Param { name, default, rest });
        bind_pattern(b, pattern, inner, &mut |b, path, local| {
            let value = Bound::Param { index, path: path.to_vec() };
            b.bind(inner, b.smol(local), b.span(local), value);
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

fn class(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> ScopeId {
    let mut bases = Vec::new();
    let mut decorators = Vec::new();
    let parts = named(b, node);
    for part in &parts {
        match part.kind() {
            "class_heritage" => {
                for clause in named(b, *part) {
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
    if let Some(name) = node.child_by_field_name("name") {
        define(b, DefinitionKind::Class, node, name, scope, inner, decorators);
    }
    let Some(body) = node.child_by_field_name("body") else {
        return inner;
    };
    let mut decorators = Vec::new();
    for member in named(b, body) {
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
                        None => b.opaque("a field without a value", member),
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
        // Reading the member is calling it.
        let (text, span) = key_text(b, name);
        if let [returned] = b.facts.scope(body).returns.as_slice() {
            let returned = returned.clone();
            b.bind_from(class, returned.scope, text, span, returned.value);
        }
        return;
    }
    define(b, DefinitionKind::Function, node, name, class, body, decorators);
    if b.text(name) == "constructor" {
        parameter_properties(b, node, class, body);
    }
}

/// `constructor(private readonly server: McpServer)` sets a field of the same name.
fn parameter_properties(b: &mut Builder<'_>, node: Node<'_>, class: ScopeId, constructor: ScopeId) {
    let Some(list) = node.child_by_field_name("parameters") else {
        return;
    };
    for parameter in named(b, list) {
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
    let inner = *named(b, node).first()?;
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
    define(b, DefinitionKind::Class, node, name, scope, inner, Vec::new());
    let Some(body) = node.child_by_field_name("body") else {
        return;
    };
    for member in named(b, body) {
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
        bind_pattern(b, left, inner, &mut |b, path, local| {
            b.bind(inner, b.smol(local), b.span(local), Bound::Element { path: path.to_vec() });
        });
    }
    if let Some(body) = node.child_by_field_name("body") {
        if body.kind() == "statement_block" {
            statements(b, body, inner);
        } else {
            statement(b, body, inner);
        }
    }
}

fn expression(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    b.deeper(|b| shallow_expression(b, node, scope))
        .unwrap_or_else(|| b.opaque("an expression nested too deeply", node))
}

fn shallow_expression(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    match node.kind() {
        "string" => {
            let mut parts = Vec::new();
            string_parts(b, node, &mut parts);
            joined(parts, inside_quotes(b, node))
        }
        "template_string" => template(b, node, scope),
        "identifier" | "shorthand_property_identifier" | "this" | "super" | "undefined" => {
            Expr::Name { name: b.smol(node), span: b.span(node) }
        }
        "true" | "false" | "number" | "null" => Expr::Scalar { text: b.smol(node), span: b.span(node) },
        "member_expression" => {
            let Some(object) = node.child_by_field_name("object") else {
                return b.opaque("an incomplete member", node);
            };
            let object = Box::new(expression(b, object, scope));
            match node.child_by_field_name("property") {
                Some(property) => Expr::Member { object, key: Key::Field(b.smol(property)), span: b.span(property) },
                None => b.opaque("an incomplete member", node),
            }
        }
        "subscript_expression" => {
            let (Some(object), Some(index)) = (node.child_by_field_name("object"), node.child_by_field_name("index"))
            else {
                return b.opaque("an incomplete member", node);
            };
            let object = Box::new(expression(b, object, scope));
            let key = match expression(b, index, scope) {
                Expr::Text { text, .. } => Key::Field(text),
                Expr::Scalar { text, .. } => match text.parse() {
                    Ok(index) => Key::Index(index),
                    Err(_) => return b.opaque("an element chosen at run time", node),
                },
                _ => return b.opaque("an element chosen at run time", node),
            };
            Expr::Member { object, key, span: b.span(index) }
        }
        "call_expression" => call(b, node, scope),
        "new_expression" => {
            let Some(callee) = node.child_by_field_name("constructor") else {
                return b.opaque("an incomplete call", node);
            };
            let callee = expression(b, callee, scope);
            let args = node.child_by_field_name("arguments").map(|list| arguments(b, list, scope, None));
            Expr::Call(b.call(CallKind::New, callee, args.unwrap_or_default(), scope, node))
        }
        "object" => object(b, node, scope),
        "array" => {
            let elements = named(b, node).into_iter().map(|element| expression(b, element, scope)).collect();
            Expr::Array { elements, span: b.span(node) }
        }
        "spread_element" => match named(b, node).first() {
            Some(inner) => Expr::Spread(Box::new(expression(b, *inner, scope))),
            None => b.opaque("an incomplete spread", node),
        },
        "arrow_function" | "function_expression" | "generator_function" => {
            let inner = function_scope(b, node, scope, None);
            Expr::Function { scope: inner, span: b.span(node) }
        }
        "class" => {
            let inner = class(b, node, scope);
            Expr::Class { scope: inner, span: b.span(node) }
        }
        // Types and brackets change no value.
        "parenthesized_expression"
        | "as_expression"
        | "satisfies_expression"
        | "non_null_expression"
        | "await_expression"
        | "type_assertion"
        | "instantiation_expression" => {
            let children = named(b, node);
            let value = if node.kind() == "type_assertion" { children.last() } else { children.first() };
            match value {
                Some(inner) => expression(b, *inner, scope),
                None => b.opaque("an incomplete expression", node),
            }
        }
        "binary_expression" => binary(b, node, scope),
        "ternary_expression" => {
            let condition = node.child_by_field_name("condition").map(|part| expression(b, part, scope));
            drop(condition);
            let options = ["consequence", "alternative"]
                .into_iter()
                .filter_map(|field| node.child_by_field_name(field))
                .map(|part| expression(b, part, scope))
                .collect();
            Expr::Choice(options)
        }
        "assignment_expression" => assignment(b, node, scope),
        "augmented_assignment_expression" => {
            let value = b.opaque("a value changed in place", node);
            if let Some(left) = node.child_by_field_name("left").filter(|left| left.kind() == "identifier") {
                b.assign(scope, b.smol(left), b.span(left), value);
            }
            descend(b, node, scope);
            b.opaque("a value changed in place", node)
        }
        "comment" => {
            b.comment(node);
            b.opaque("a comment", node)
        }
        _ => {
            descend(b, node, scope);
            b.opaque("an expression that is computed at run time", node)
        }
    }
}

/// Lowers what stands inside a node for the calls in it.
fn descend(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) {
    for child in named(b, node) {
        b.deeper(|b| statement(b, child, scope));
    }
}

fn assignment(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
        return b.opaque("an incomplete assignment", node);
    };
    let value = expression(b, right, scope);
    match left.kind() {
        "identifier" => b.assign(scope, b.smol(left), b.span(left), value.clone()),
        "member_expression" => {
            let (Some(object), Some(property)) =
                (left.child_by_field_name("object"), left.child_by_field_name("property"))
            else {
                return value;
            };
            if object.kind() == "this" {
                if let Some(class) = b.class_around(scope) {
                    // The first assignment replaces a declaration without a value.
                    let (name, span) = (b.smol(property), b.span(property));
                    b.scope_mut(class).bindings.retain(|binding| {
                        binding.name != name
                            || !matches!(
                                &binding.value,
                                Bound::Value(Expr::Opaque { what: "a field without a value", .. })
                            )
                    });
                    b.bind_from(class, scope, name, span, value.clone());
                }
            } else if matches!(b.text(left), "module.exports") {
                b.facts.exports.push(Export {
                    name: Some(SmolStr::new_static("default")),
                    target: ExportTarget::Value(value.clone()),
                });
            } else if matches!(b.text(object), "exports" | "module.exports") {
                b.facts
                    .exports
                    .push(Export { name: Some(b.smol(property)), target: ExportTarget::Value(value.clone()) });
            }
        }
        _ => {}
    }
    value
}

fn binary(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    let operator = node.child_by_field_name("operator").map_or("", |operator| operator.kind());
    match operator {
        "+" => {
            // A chain of additions leans to the left, as deep as it is long: walk it in a loop.
            let mut operands = Vec::new();
            let mut at = node;
            loop {
                operands.extend(at.child_by_field_name("right"));
                let Some(left) = at.child_by_field_name("left") else {
                    break;
                };
                let is_sum = left.kind() == "binary_expression"
                    && left.child_by_field_name("operator").is_some_and(|operator| operator.kind() == "+");
                if !is_sum {
                    operands.push(left);
                    break;
                }
                at = left;
            }
            let parts = operands.into_iter().rev().map(|operand| expression(b, operand, scope)).collect();
            Expr::Concat { parts, span: b.span(node) }
        }
        "||" | "??" => {
            let options = ["left", "right"]
                .into_iter()
                .filter_map(|field| node.child_by_field_name(field))
                .map(|part| expression(b, part, scope))
                .collect();
            Expr::Choice(options)
        }
        "==" | "===" | "!=" | "!==" => {
            for field in ["left", "right"] {
                if let Some(side) = node.child_by_field_name(field) {
                    let value = expression(b, side, scope);
                    b.compared(&value);
                }
            }
            b.opaque("a comparison", node)
        }
        _ => {
            descend(b, node, scope);
            b.opaque("a computed value", node)
        }
    }
}

fn call(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    let Some(function) = node.child_by_field_name("function") else {
        return b.opaque("an incomplete call", node);
    };
    let callee = match function.kind() {
        "import" => Expr::Name { name: SmolStr::new_static("import"), span: b.span(function) },
        _ => expression(b, function, scope),
    };
    let each = match &callee {
        Expr::Member { object, key: Key::Field(method), .. } if EACH_METHODS.contains(&method.as_str()) => {
            Some(object.clone())
        }
        _ => None,
    };
    let args = match node.child_by_field_name("arguments") {
        Some(list) if list.kind() == "arguments" => arguments(b, list, scope, each),
        Some(template) => vec![Arg { name: None, value: expression(b, template, scope), span: b.span(template) }],
        None => Vec::new(),
    };
    Expr::Call(b.call(CallKind::Plain, callee, args, scope, node))
}

fn arguments(b: &mut Builder<'_>, list: Node<'_>, scope: ScopeId, mut each: Option<Box<Expr>>) -> Vec<Arg> {
    named(b, list)
        .into_iter()
        .map(|argument| {
            let value = match argument.kind() {
                "arrow_function" | "function_expression" if each.is_some() => {
                    let each = each.take();
                    let inner = b.deeper(|b| function_scope(b, argument, scope, each));
                    match inner {
                        Some(inner) => Expr::Function { scope: inner, span: b.span(argument) },
                        None => b.opaque("an expression nested too deeply", argument),
                    }
                }
                _ => expression(b, argument, scope),
            };
            Arg { name: None, value, span: b.span(argument) }
        })
        .collect()
}

fn object(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    let mut props = Vec::new();
    for child in named(b, node) {
        match child.kind() {
            "pair" => {
                let (Some(key), Some(value)) = (child.child_by_field_name("key"), child.child_by_field_name("value"))
                else {
                    continue;
                };
                let key = property_key(b, key, scope);
                let value = expression(b, value, scope);
                props.push(Prop::Pair { key, value });
            }
            "shorthand_property_identifier" => {
                let (name, span) = (b.smol(child), b.span(child));
                let key = Expr::Text { text: name.clone(), span };
                props.push(Prop::Pair { key, value: Expr::Name { name, span } });
            }
            "spread_element" => {
                if let Expr::Spread(inner) = expression(b, child, scope) {
                    props.push(Prop::Spread(*inner));
                }
            }
            "method_definition" => {
                let Some(name) = child.child_by_field_name("name") else {
                    continue;
                };
                let (text, span) = key_text(b, name);
                if let Some(inner) = b.deeper(|b| function_scope(b, child, scope, None)) {
                    let value = Expr::Function { scope: inner, span: b.span(child) };
                    props.push(Prop::Pair { key: Expr::Text { text, span }, value });
                }
            }
            _ => {}
        }
    }
    Expr::Object { props, span: b.span(node) }
}

fn property_key(b: &mut Builder<'_>, key: Node<'_>, scope: ScopeId) -> Expr {
    match key.kind() {
        "computed_property_name" => match named(b, key).first() {
            Some(inner) => expression(b, *inner, scope),
            None => b.opaque("an incomplete key", key),
        },
        _ => {
            let (text, span) = key_text(b, key);
            Expr::Text { text, span }
        }
    }
}

/// The text and span of a property key, method name or member name, inside its quotes if it has any.
fn key_text(b: &Builder<'_>, key: Node<'_>) -> (SmolStr, Span) {
    if key.kind() == "string" {
        (SmolStr::new(string_text(b, key)), inside_quotes(b, key))
    } else {
        (b.smol(key), b.span(key))
    }
}

fn template(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    let mut parts = Vec::new();
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        match child.kind() {
            "string_fragment" => parts.push(Expr::Text { text: b.smol(child), span: b.span(child) }),
            "escape_sequence" => escaped(b, child, &mut parts),
            "template_substitution" => {
                let inner = named(b, child);
                parts.extend(inner.first().map(|inner| expression(b, *inner, scope)));
            }
            _ => {}
        }
    }
    joined(parts, inside_quotes(b, node))
}

fn string_parts(b: &mut Builder<'_>, node: Node<'_>, parts: &mut Vec<Expr>) {
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        match child.kind() {
            "string_fragment" => parts.push(Expr::Text { text: b.smol(child), span: b.span(child) }),
            "escape_sequence" => escaped(b, child, parts),
            _ => {}
        }
    }
}

fn escaped(b: &Builder<'_>, node: Node<'_>, parts: &mut Vec<Expr>) {
    let mut text = [0; 4];
    if let Some(character) = unescape(b.text(node)) {
        parts.push(Expr::Text { text: SmolStr::new(character.encode_utf8(&mut text)), span: b.span(node) });
    }
}

fn inside_quotes(b: &Builder<'_>, node: Node<'_>) -> Span {
    let (start, end) = (node.start_byte() + 1, node.end_byte().saturating_sub(1));
    b.span_of(start, end.max(start))
}

/// The text between the quotes as written; used for module names and keys, where escapes do not occur.
fn string_text<'t>(b: &Builder<'t>, node: Node<'_>) -> &'t str {
    let text = b.text(node);
    if node.kind() == "string" { text.get(1..text.len().saturating_sub(1)).unwrap_or("") } else { text }
}
