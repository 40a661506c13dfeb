//! Python → the small language.

mod branches;
mod types;

use smol_str::SmolStr;
use tree_sitter::Node;

use super::builder::{Builder, MODULE, is_sum, joined, member_path, named, positions, summands, unescape};
use super::{Arg, Bound, CallKind, DefinitionKind, Expr, Function, Imported, Key, Param, Prop, ScopeId, ScopeKind};
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

fn statement(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) {
    b.enters(node, scope);
    match node.kind() {
        "comment" => {}
        "import_statement" => {
            for part in named(node) {
                import_module(b, part, scope);
            }
        }
        "import_from_statement" => import_from(b, node, scope),
        "decorated_definition" => {
            let mut decorators = Vec::new();
            for child in named(node) {
                match child.kind() {
                    "decorator" => decorators.extend(decorator(b, child, scope)),
                    _ => {
                        let first = decorators.clone();
                        definition(b, child, scope, std::mem::take(&mut decorators));
                        apply(b, first, child, scope);
                    }
                }
            }
        }
        "function_definition" | "class_definition" => definition(b, node, scope, Vec::new()),
        "return_statement" => {
            let value = named(node).first().map(|&child| expression(b, child, scope));
            let value = value.unwrap_or_else(|| b.opaque("nothing", node));
            b.returned(scope, value);
        }
        "continue_statement" => b.continued(scope, node),
        "for_statement" => {
            let iterable = match node.child_by_field_name("right") {
                Some(right) => expression(b, right, scope),
                None => b.opaque("a loop over nothing", node),
            };
            let inner = b.open(scope, ScopeKind::Loop { iterable });
            if let Some(left) = node.child_by_field_name("left") {
                bind_element(b, left, inner);
            }
            if let Some(body) = node.child_by_field_name("body") {
                statements(b, body, inner);
            }
            if let Some(alternative) = node.child_by_field_name("alternative") {
                statements(b, alternative, scope);
            }
        }
        "if_statement" => branches::of_if(b, node, scope),
        "elif_clause" | "else_clause" | "except_clause" | "except_group_clause" | "case_clause" => {
            let inner = b.open(scope, ScopeKind::Branch);
            statements(b, node, inner);
        }
        "case_pattern" => {
            let matched = std::iter::successors(node.parent(), |node| node.parent())
                .find(|around| around.kind() == "match_statement")
                .and_then(|matched| matched.child_by_field_name("subject"));
            let subject = matched.map(|subject| expression(b, subject, scope));
            let mut open = vec![node];
            while let Some(pattern) = open.pop() {
                if pattern.kind() == "string" {
                    let value = expression(b, pattern, scope);
                    b.compared(&value, subject.as_ref(), scope);
                } else {
                    open.extend(named(pattern));
                }
            }
        }
        "block"
        | "try_statement"
        | "finally_clause"
        | "with_statement"
        | "with_clause"
        | "with_item"
        | "while_statement"
        | "match_statement"
        | "expression_statement"
        | "ERROR"
        | "module" => {
            statements(b, node, scope);
        }
        "type_alias_statement" | "global_statement" | "nonlocal_statement" | "pass_statement" => {}
        _ => {
            expression(b, node, scope);
        }
    }
}

fn import_module(b: &mut Builder<'_>, part: Node<'_>, scope: ScopeId) {
    match part.kind() {
        "dotted_name" => {
            // `import a.b` binds `a`.
            let module = b.text(part);
            let first = module.split('.').next().unwrap_or(module);
            let value = Bound::Import { module: SmolStr::new(first), name: Imported::Module };
            b.bind(b.home(scope), SmolStr::new(first), b.span(part), value);
        }
        "aliased_import" => {
            if let (Some(name), Some(alias)) = (part.child_by_field_name("name"), part.child_by_field_name("alias")) {
                let value = Bound::Import { module: b.smol(name), name: Imported::Module };
                b.bind(b.home(scope), b.smol(alias), b.span(alias), value);
            }
        }
        _ => {}
    }
}

fn import_from(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) {
    let Some(module_node) = node.child_by_field_name("module_name") else {
        return;
    };
    let module = b.smol(module_node);
    let mut cursor = node.walk();
    let parts: Vec<Node<'_>> = node.children_by_field_name("name", &mut cursor).collect();
    for part in parts {
        let (name, local) = match part.kind() {
            "aliased_import" => match (part.child_by_field_name("name"), part.child_by_field_name("alias")) {
                (Some(name), Some(alias)) => (name, alias),
                _ => continue,
            },
            _ => (part, part),
        };
        let value = Bound::Import { module: module.clone(), name: Imported::Named(b.smol(name)) };
        b.bind(b.home(scope), b.smol(local), b.span(local), value);
    }
    let wildcard = named(node).into_iter().any(|child| child.kind() == "wildcard_import");
    if wildcard {
        let value = Bound::Import { module, name: Imported::Module };
        b.bind(b.home(scope), SmolStr::new_static("*"), b.span(module_node), value);
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

fn definition(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId, decorators: Vec<Expr>) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    let (kind, body) = match node.kind() {
        "function_definition" => {
            let is_method = matches!(b.facts.scope(scope).kind, ScopeKind::Class { .. });
            let is_static = decorators
                .iter()
                .any(|decorator| matches!(decorator, Expr::Name { name, .. } if name == "staticmethod"));
            (DefinitionKind::Function, function_scope(b, node, scope, is_method && !is_static))
        }
        "class_definition" => (DefinitionKind::Class, class_scope(b, node, scope)),
        _ => return statement(b, node, scope),
    };
    let name = b.name(name);
    // Reading a property calls it, so its return value is the value of the member.
    let is_property = decorators.iter().any(|decorator| {
        decorator.last_name().is_some_and(|name| matches!(name.as_str(), "property" | "cached_property"))
    });
    if let (true, [returned]) = (is_property, b.facts.scope(body).returns.as_slice()) {
        let returned = returned.clone();
        b.bind_from(scope, returned.scope, name.0, name.1, returned.value);
        return;
    }
    let has_bases = matches!(&b.facts.scope(body).kind, ScopeKind::Class { bases } if !bases.is_empty());
    let doc = (has_bases || !decorators.is_empty()).then(|| types::doc(b, node)).flatten();
    let fields = if has_bases || !decorators.is_empty() { types::fields(b, node, body) } else { Vec::new() };
    b.define(kind, name, node, scope, body, decorators);
    b.define_at_home(scope);
    b.defined().doc = doc;
    b.defined().fields = fields.into();
}

fn function_scope(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId, receiver: bool) -> ScopeId {
    let first = types::first_statement(b, node);
    let function = Function { params: Vec::new(), receiver, each: None, first, span: b.span(node) };
    let inner = b.open(scope, ScopeKind::Function(function));
    let mut params = Vec::new();
    let parameters = node.child_by_field_name("parameters").map(|list| named(list)).unwrap_or_default();
    for parameter in parameters {
        let (name, rest) = match parameter.kind() {
            "identifier" => (Some(parameter), false),
            "typed_parameter" => {
                let inner = named(parameter).first().copied();
                match inner {
                    Some(splat) if splat.kind().ends_with("splat_pattern") => (named(splat).first().copied(), true),
                    other => (other, false),
                }
            }
            "default_parameter" | "typed_default_parameter" => (parameter.child_by_field_name("name"), false),
            "list_splat_pattern" | "dictionary_splat_pattern" => (named(parameter).first().copied(), true),
            _ => continue,
        };
        let is_keywords = |node: Node<'_>| node.kind() == "dictionary_splat_pattern";
        let keywords = is_keywords(parameter) || named(parameter).first().is_some_and(|inner| is_keywords(*inner));
        let default = parameter.child_by_field_name("value").map(|value| expression(b, value, inner));
        let Some(name) = name.filter(|name| name.kind() == "identifier") else {
            continue;
        };
        let value = Bound::Param { index: params.len() as u32, path: Vec::new() };
        b.bind(inner, b.smol(name), b.span(name), value);
        let annotation = parameter.child_by_field_name("type");
        let annotation = annotation.map(|annotation| Box::new(types::annotation(b, annotation, inner)));
        let rest = rest && !keywords;
        params.push(Param { name: b.smol(name), default, rest, keywords, annotation, span: b.span(name) });
    }
    if let ScopeKind::Function(function) = &mut b.scope_mut(inner).kind {
        function.params = params;
    }
    if let Some(body) = node.child_by_field_name("body") {
        if body.kind() == "block" {
            statements(b, body, inner);
        } else {
            let value = expression(b, body, inner);
            b.returned(inner, value);
        }
    }
    inner
}

/// Records each decorator as a call with the function that was just defined.
fn apply(b: &mut Builder<'_>, decorators: Vec<Expr>, node: Node<'_>, scope: ScopeId) {
    let Some(definition) = b.facts.definitions.iter().rev().find(|definition| definition.span == b.span(node)) else {
        return;
    };
    let (body, span) = (definition.body, definition.span);
    for decorator in decorators {
        let arg = Arg { name: None, value: Expr::Function { scope: body, span }, span };
        b.call(CallKind::Applied, decorator, vec![arg], scope, node);
    }
}

fn class_scope(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> ScopeId {
    let bases = node.child_by_field_name("superclasses").map(|list| arguments(b, list, scope)).unwrap_or_default();
    // `Base[T]` is the base `Base` with a type argument.
    let bases = bases.into_iter().filter(|base| base.name.is_none()).map(|base| match base.value {
        Expr::At { object, .. } => *object,
        value => value,
    });
    let bases = bases.collect();
    let inner = b.open(scope, ScopeKind::Class { bases });
    if let Some(body) = node.child_by_field_name("body") {
        statements(b, body, inner);
    }
    inner
}

fn bind_element(b: &mut Builder<'_>, pattern: Node<'_>, scope: ScopeId) {
    for_each_target(b, pattern, &mut Vec::new(), &mut |b, path, local| {
        b.bind(scope, b.smol(local), b.span(local), Bound::Element { path: path.to_vec() });
    });
}

/// Walks an assignment target and passes every name in it to `bind`, with the path to it from the assigned value.
fn for_each_target<'n>(
    b: &mut Builder<'_>,
    target: Node<'n>,
    path: &mut Vec<Key>,
    bind: &mut dyn FnMut(&mut Builder<'_>, &[Key], Node<'n>),
) {
    match target.kind() {
        "identifier" => bind(b, path, target),
        "pattern_list" | "tuple_pattern" | "list_pattern" => {
            for (index, child) in positions(target) {
                path.push(Key::Index(index));
                b.deeper(|b| for_each_target(b, child, path, bind));
                path.pop();
            }
        }
        _ => {}
    }
}

pub(super) fn expression(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    b.expression(node, scope, shallow_expression)
}

fn shallow_expression(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    match node.kind() {
        "string" => {
            let mut parts = Vec::new();
            string_parts(b, node, scope, &mut parts);
            joined(parts, inside_quotes(b, node))
        }
        "concatenated_string" => {
            let mut parts = Vec::new();
            for piece in named(node) {
                string_parts(b, piece, scope, &mut parts);
            }
            joined(parts, b.span(node))
        }
        "identifier" => Expr::Name { name: b.smol(node), span: b.span(node) },
        "true" | "false" | "none" | "integer" | "float" => Expr::Scalar { text: b.smol(node), span: b.span(node) },
        "attribute" => {
            let (Some(object), Some(attribute)) =
                (node.child_by_field_name("object"), node.child_by_field_name("attribute"))
            else {
                return b.opaque("an incomplete attribute", node);
            };
            let object = Box::new(expression(b, object, scope));
            Expr::Member { object, key: Key::Field(b.smol(attribute)), span: b.span(attribute) }
        }
        "subscript" => {
            let (Some(value), Some(index)) = (node.child_by_field_name("value"), node.child_by_field_name("subscript"))
            else {
                return b.opaque("an incomplete subscript", node);
            };
            let object = Box::new(expression(b, value, scope));
            if index.kind() == "slice" {
                return slice(b, *object, index, node, scope);
            }
            let key = match expression(b, index, scope) {
                Expr::Text { text, .. } => Key::Field(text),
                Expr::Scalar { text, .. } => match text.parse() {
                    Ok(index) => Key::Index(index),
                    Err(_) => return b.opaque("an element chosen at run time", node),
                },
                key => {
                    let span = b.span(index);
                    return b.element(*object, key, scope, span);
                }
            };
            Expr::Member { object, key, span: b.span(index) }
        }
        "call" => {
            let Some(function) = node.child_by_field_name("function") else {
                return b.opaque("an incomplete call", node);
            };
            let callee = expression(b, function, scope);
            let args = match node.child_by_field_name("arguments") {
                Some(list) if list.kind() == "argument_list" => arguments(b, list, scope),
                Some(generator) => {
                    vec![Arg { name: None, value: expression(b, generator, scope), span: b.span(generator) }]
                }
                None => Vec::new(),
            };
            Expr::Call(b.call(CallKind::Plain, callee, args, scope, node))
        }
        "list" | "tuple" | "set" | "expression_list" => {
            let elements = named(node).into_iter().map(|element| expression(b, element, scope)).collect();
            b.array(elements, node)
        }
        "list_splat" | "dictionary_splat" => match named(node).first() {
            Some(inner) => Expr::Spread(Box::new(expression(b, *inner, scope))),
            None => b.opaque("an incomplete unpacking", node),
        },
        "dictionary" => dictionary(b, node, scope),
        "list_comprehension" | "generator_expression" | "set_comprehension" => comprehension(b, node, scope),
        // `{key: value for …}` is `dict([key, value] for …)`.
        "dictionary_comprehension" => {
            let pairs = Arg { name: None, value: comprehension(b, node, scope), span: b.span(node) };
            let callee = Expr::Name { name: SmolStr::new_static("dict"), span: b.span(node) };
            Expr::Call(b.call(CallKind::Plain, callee, vec![pairs], scope, node))
        }
        "pair" => {
            let sides = ["key", "value"].map(|side| node.child_by_field_name(side));
            let elements = sides.into_iter().flatten().map(|side| expression(b, side, scope)).collect();
            b.array(elements, node)
        }
        "lambda" => {
            let inner = function_scope(b, node, scope, false);
            Expr::Function { scope: inner, span: b.span(node) }
        }
        "parenthesized_expression" | "await" | "expression_statement" => match named(node).first() {
            Some(inner) => expression(b, *inner, scope),
            None => b.opaque("an incomplete expression", node),
        },
        "conditional_expression" => {
            let inner = b.open(scope, ScopeKind::Branch);
            let parts: Vec<Expr> = named(node).into_iter().map(|part| expression(b, part, inner)).collect();
            match <[Expr; 3]>::try_from(parts) {
                Ok([then, test, otherwise]) => {
                    Expr::If { test: Box::new(test), then: Box::new(then), otherwise: Box::new(otherwise) }
                }
                Err(_) => b.opaque("an incomplete condition", node),
            }
        }
        "boolean_operator" => {
            let options = named(node).into_iter().map(|part| expression(b, part, scope)).collect();
            match node.child_by_field_name("operator").map(|operator| operator.kind()) {
                Some("or") => Expr::Or(options),
                _ => Expr::Choice(options),
            }
        }
        "unary_operator" if node.child_by_field_name("argument").is_some_and(|of| of.kind() == "integer") => {
            Expr::Scalar { text: b.smol(node), span: b.span(node) }
        }
        "binary_operator" => binary(b, node, scope),
        "assignment" => {
            assignment(b, node, scope);
            b.opaque("an assignment", node)
        }
        "augmented_assignment" => {
            let value = b.opaque("a value changed in place", node);
            if let Some(left) = node.child_by_field_name("left").filter(|left| left.kind() == "identifier") {
                b.assign_here(scope, b.smol(left), b.span(left), value.clone());
            }
            descend(b, node, scope);
            value
        }
        "named_expression" => {
            let (Some(name), Some(value)) = (node.child_by_field_name("name"), node.child_by_field_name("value"))
            else {
                return b.opaque("an incomplete assignment", node);
            };
            let value = expression(b, value, scope);
            b.assign_here(scope, b.smol(name), b.span(name), value.clone());
            value
        }
        // `with X() as server`
        "as_pattern" => {
            let parts = named(node);
            let Some(value) = parts.first().map(|part| expression(b, *part, scope)) else {
                return b.opaque("an incomplete expression", node);
            };
            if let Some(target) = parts.get(1).and_then(|target| target.named_child(0))
                && target.kind() == "identifier"
            {
                b.assign_here(scope, b.smol(target), b.span(target), value.clone());
            }
            value
        }
        "comparison_operator" => {
            let sides: Vec<Expr> = named(node).into_iter().map(|side| expression(b, side, scope)).collect();
            b.compared_sides(&sides, scope);
            // `name in ("x", "y")`
            if let [subject, Expr::Array { elements, .. }] = sides.as_slice() {
                elements.iter().for_each(|element| b.compared(element, Some(subject), scope));
            }
            // `name in handlers`
            if let [key, table @ (Expr::Name { .. } | Expr::Member { .. })] = sides.as_slice() {
                b.looked_up(table.clone(), key.clone(), scope);
            }
            let mut cursor = node.walk();
            let operators: Vec<&str> =
                node.children_by_field_name("operators", &mut cursor).map(|op| op.kind()).collect();
            match operators.as_slice() {
                ["==" | "is"] => b.equal(sides, true, node),
                ["!=" | "is not"] => b.equal(sides, false, node),
                _ => b.opaque("a comparison", node),
            }
        }
        "comment" => b.opaque("a comment", node),
        _ => {
            descend(b, node, scope);
            b.opaque("an expression that is computed at run time", node)
        }
    }
}

/// Lowers the children of a node only to record the calls in them.
fn descend(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) {
    for child in named(node) {
        b.deeper(|b| statement(b, child, scope));
    }
}

/// Lowers an assignment. `a = b = value` binds the same value to both targets, the last one first.
fn assignment(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) {
    let mut targets = Vec::new();
    let mut right = Some(node);
    while let Some(inner) = right.filter(|node| node.kind() == "assignment") {
        targets.extend(inner.child_by_field_name("left"));
        right = inner.child_by_field_name("right");
    }
    let Some(right) = right.filter(|_| !targets.is_empty()) else { return };
    let value = expression(b, right, scope);
    while let Some(target) = targets.pop() {
        assign_to(b, target, value.clone(), scope);
    }
}

fn assign_to(b: &mut Builder<'_>, left: Node<'_>, value: Expr, scope: ScopeId) {
    match left.kind() {
        "subscript" => {
            if let (Some(table), Some(index)) =
                (left.child_by_field_name("value"), left.child_by_field_name("subscript"))
            {
                let table = expression(b, table, scope);
                let key = expression(b, index, scope);
                b.entry(table, key, value.clone(), scope);
            }
        }
        "attribute" => {
            let (Some(object), Some(attribute)) =
                (left.child_by_field_name("object"), left.child_by_field_name("attribute"))
            else {
                return;
            };
            if matches!(b.text(object), "self" | "cls")
                && let Some(class) = b.class_around(scope)
            {
                b.bind_from(class, scope, b.smol(attribute), b.span(attribute), value);
            } else {
                let key = Expr::Text { text: b.smol(attribute), span: b.span(attribute) };
                let table = expression(b, object, scope);
                b.entry(table, key, value, scope);
            }
        }
        _ => for_each_target(b, left, &mut Vec::new(), &mut |b, path, local| {
            let value = member_path(value.clone(), path, b.span(local));
            b.assign_here(scope, b.smol(local), b.span(local), value);
        }),
    }
}

/// Lowers a slice, `value[1:-1]`, to a call of a method that evaluation knows for both strings and lists.
fn slice(b: &mut Builder<'_>, object: Expr, slice: Node<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    let mut bounds: Vec<Arg> = Vec::new();
    let mut is_start = true;
    let mut cursor = slice.walk();
    for child in slice.children(&mut cursor) {
        if child.kind() == ":" {
            if is_start && bounds.is_empty() {
                let value = Expr::Scalar { text: SmolStr::new_static("0"), span: b.span(slice) };
                bounds.push(Arg { name: None, value, span: b.span(slice) });
            }
            if !is_start {
                return b.opaque("a slice with a step", node);
            }
            is_start = false;
        } else {
            bounds.push(Arg { name: None, value: expression(b, child, scope), span: b.span(child) });
        }
    }
    let callee =
        Expr::Member { object: Box::new(object), key: Key::Field(SmolStr::new_static("slice")), span: b.span(slice) };
    Expr::Call(b.call(CallKind::Plain, callee, bounds, scope, node))
}

fn binary(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    if node.child_by_field_name("operator").is_some_and(|operator| operator.kind() == "%") {
        // `"%s_x" % name` is lowered as a method call, like `"%s_x".__mod__(name)`.
        let sides = ["left", "right"].map(|side| node.child_by_field_name(side));
        if let [Some(left), Some(right)] = sides {
            let object = Box::new(expression(b, left, scope));
            let value = expression(b, right, scope);
            let callee = Expr::Member { object, key: Key::Field(SmolStr::new_static("%")), span: b.span(node) };
            let args = vec![Arg { name: None, value, span: b.span(right) }];
            return Expr::Call(b.call(CallKind::Plain, callee, args, scope, node));
        }
    }
    if !is_sum(node) {
        descend(b, node, scope);
        return b.opaque("a computed value", node);
    }
    let parts = summands(node, "binary_operator").into_iter().map(|operand| expression(b, operand, scope)).collect();
    Expr::Concat { parts, span: b.span(node) }
}

fn arguments(b: &mut Builder<'_>, list: Node<'_>, scope: ScopeId) -> Vec<Arg> {
    named(list)
        .into_iter()
        .map(|argument| match argument.kind() {
            "keyword_argument" => {
                let name = argument.child_by_field_name("name").map(|name| b.smol(name));
                let value = match argument.child_by_field_name("value") {
                    Some(value) => expression(b, value, scope),
                    None => b.opaque("an incomplete argument", argument),
                };
                Arg { name, value, span: b.span(argument) }
            }
            _ => Arg { name: None, value: expression(b, argument, scope), span: b.span(argument) },
        })
        .collect()
}

fn dictionary(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    let mut props = Vec::new();
    for child in named(node) {
        match child.kind() {
            "pair" => {
                let (Some(key), Some(value)) = (child.child_by_field_name("key"), child.child_by_field_name("value"))
                else {
                    continue;
                };
                let key = expression(b, key, scope);
                let value = expression(b, value, scope);
                props.push(Prop::Pair { key, value });
            }
            "dictionary_splat" => {
                if let Expr::Spread(inner) = expression(b, child, scope) {
                    props.push(Prop::Spread(*inner));
                }
            }
            _ => {}
        }
    }
    let span = b.span(node);
    b.object(props, scope, span)
}

fn comprehension(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    let mut inner = scope;
    let parts = named(node);
    for part in &parts {
        match part.kind() {
            "for_in_clause" => {
                let iterable = match part.child_by_field_name("right") {
                    Some(right) => expression(b, right, inner),
                    None => b.opaque("a loop over nothing", node),
                };
                inner = b.open(inner, ScopeKind::Loop { iterable });
                if let Some(left) = part.child_by_field_name("left") {
                    bind_element(b, left, inner);
                }
            }
            // An element that a condition excludes at run time is still declared in the source, so the condition does
            // not filter here.
            "if_clause" => statements(b, *part, inner),
            _ => {}
        }
    }
    let Some(body) = node.child_by_field_name("body") else {
        return b.opaque("an incomplete comprehension", node);
    };
    let element = expression(b, body, inner);
    Expr::Each { scope: inner, element: Box::new(element), span: b.span(node) }
}

fn string_parts(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId, parts: &mut Vec<Expr>) {
    let raw = node.child(0).is_some_and(|start| b.text(start).to_ascii_lowercase().contains('r'));
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        match child.kind() {
            "string_content" if raw || child.named_child_count() == 0 => {
                parts.push(Expr::Text { text: b.smol(child), span: b.span(child) });
            }
            "string_content" => {
                // Escapes are child nodes; the text between them is literal.
                let mut at = child.start_byte();
                let mut inner = child.walk();
                for escape in child.named_children(&mut inner) {
                    plain(b, at, escape.start_byte(), parts);
                    let character = match escape.kind() {
                        // `{{` in an f-string
                        "escape_interpolation" => b.text(escape).chars().next(),
                        _ => unescape(b.text(escape)),
                    };
                    if let Some(character) = character {
                        let text = SmolStr::new(character.encode_utf8(&mut [0; 4]));
                        parts.push(Expr::Text { text, span: b.span(escape) });
                    }
                    at = escape.end_byte();
                }
                plain(b, at, child.end_byte(), parts);
            }
            "interpolation" => {
                let value = match child.child_by_field_name("expression") {
                    Some(inner) if child.named_child_count() == 1 => expression(b, inner, scope),
                    _ => b.opaque("a value formatted at run time", child),
                };
                parts.push(value);
            }
            _ => {}
        }
    }
}

fn plain(b: &Builder<'_>, from: usize, to: usize, parts: &mut Vec<Expr>) {
    if from < to {
        parts.push(Expr::Text { text: SmolStr::new(&b.source[from..to]), span: b.span_of(from, to) });
    }
}

fn inside_quotes(b: &Builder<'_>, node: Node<'_>) -> Span {
    let count = node.child_count();
    let start = node.child(0).map_or(node.start_byte(), |quote| quote.end_byte());
    let end =
        count.checked_sub(1).and_then(|last| node.child(last)).map_or(node.end_byte(), |quote| quote.start_byte());
    b.span_of(start, end.max(start))
}
