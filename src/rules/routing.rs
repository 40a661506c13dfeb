//! `routing-namespace`: the key of an entry in a routing table differs from the namespace in the entry.

use crate::convention::Routing;
use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::lower::{Arg, Bound, Expr, FileFacts, ItemFacts, Prop};
use crate::rules::{Cx, Rule, Scope};
use crate::text::Span;

pub(crate) const RULE: Rule = Rule {
    id: "routing-namespace",
    default: Severity::Warning,
    scope: Scope::Workspace,
    docs: include_str!("routing.md"),
};

pub(super) fn check(cx: &Cx<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let Some(routing) = &cx.policy.convention.routing else { return };
    let Some(facts) = cx.snapshot.files.facts(cx.file.id) else { return };
    for item in &facts.items {
        let reader = Reader { routing, file: facts, facts: &item.facts };
        let mut entries: Vec<(&str, Own<'_>)> = Vec::new();
        item.facts.each_expression(&mut |expr| {
            let table = reader.table(expr);
            let is_table = table.iter().any(|(key, own)| own.is_sure || own.text == *key);
            // If the entries of an object are not made by the call that the convention names, the object counts as a
            // routing table only if every entry has a namespace and at least one namespace equals its key: many other
            // objects contain a key with that name.
            entries.extend(table.into_iter().filter(|(_, own)| is_table || own.is_sure));
        });
        // `backends["chora"] = BackendConfig(namespace="chora")`
        for assigned in &item.facts.assigned {
            if let (Expr::Text { text, .. }, Some(own)) = (&assigned.key, reader.own_namespace(&assigned.value)) {
                entries.extend(own.is_sure.then_some((text.as_str(), own)));
            }
        }
        for (key, own) in entries {
            if own.text == key || cx.policy.allows(RULE.id, key) {
                continue;
            }
            let span = own.span.shifted(item.start);
            let message =
                format!("the entry for `{key}` has the namespace `{}`: calls to `{key}` are sent there", own.text);
            let fix = Fix::replace(format!("change to `{key}`"), cx.file.id, span, key);
            let fix = own.is_literal.then(|| fix.marked_unsafe());
            diagnostics.push(cx.diagnostic(&RULE, span, message).with_fixes(fix));
        }
    }
}

/// The namespace that an entry gives as its own.
struct Own<'f> {
    text: &'f str,
    span: Span,
    /// Whether the namespace is written as a literal here, not as the name of a constant.
    is_literal: bool,
    /// Whether the entry is made by the call that the convention names.
    is_sure: bool,
}

struct Reader<'f> {
    routing: &'f Routing,
    file: &'f FileFacts,
    facts: &'f ItemFacts,
}

impl<'f> Reader<'f> {
    /// Returns the keys of those entries of a table that have a namespace of their own, with that namespace. The table
    /// is an object or a list of pairs.
    fn table(&self, expr: &'f Expr) -> Vec<(&'f str, Own<'f>)> {
        match expr {
            Expr::Object { props, .. } => {
                let entry = |prop: &'f Prop| match prop {
                    Prop::Pair { key: Expr::Text { text, .. }, value } => {
                        Some((text.as_str(), self.own_namespace(value)?))
                    }
                    _ => None,
                };
                let found: Vec<(&str, Own<'_>)> = props.iter().filter_map(entry).collect();
                let is_all = found.len() == props.len();
                found.into_iter().filter(|(_, own)| is_all || own.is_sure).collect()
            }
            Expr::Array { elements, .. } => {
                let pair = |element: &'f Expr| match element {
                    Expr::Array { elements, .. } => match elements.as_slice() {
                        [Expr::Text { text, .. }, value] => Some((text.as_str(), self.own_namespace(value)?)),
                        _ => None,
                    },
                    _ => None,
                };
                elements.iter().filter_map(pair).filter(|(_, own)| own.is_sure).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the namespace of an entry, as in `BackendConfig(namespace="x")`, `new BackendConfig({ namespace: "x" })`
    /// or `{ namespace: "x" }`.
    fn own_namespace(&self, value: &'f Expr) -> Option<Own<'f>> {
        match value {
            Expr::Call(id) => {
                let call = self.facts.call(*id);
                let is_sure = call.callee.last_name().is_some_and(|name| *name == self.routing.entry);
                let named = call.args.iter().find(|arg| arg.name.as_deref() == Some(&self.routing.key));
                let own = match (named, call.args.first()) {
                    (Some(arg), _) => self.text(&arg.value),
                    (None, Some(Arg { name: None, value: first @ Expr::Object { .. }, .. })) => {
                        self.own_namespace(first)
                    }
                    (None, Some(Arg { name: None, value: first, .. })) if is_sure => self.text(first),
                    _ => None,
                };
                own.map(|own| Own { is_sure, ..own })
            }
            Expr::Object { props, .. } => props.iter().find_map(|prop| match prop {
                Prop::Pair { key: Expr::Text { text: key, .. }, value } if *key == self.routing.key => self.text(value),
                _ => None,
            }),
            _ => None,
        }
    }

    /// Returns the text of a literal, or of a constant of the file.
    fn text(&self, value: &'f Expr) -> Option<Own<'f>> {
        match value {
            Expr::Text { text, span } => Some(Own { text, span: *span, is_literal: true, is_sure: false }),
            Expr::Name { name, span } => {
                let &(item, index) = self.file.top_level.get(name)?.first()?;
                let bindings = &self.file.items.get(item as usize)?.facts.scopes[0].bindings;
                match &bindings.get(index as usize)?.value {
                    Bound::Value(Expr::Text { text, .. }) => {
                        Some(Own { text, span: *span, is_literal: false, is_sure: false })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
