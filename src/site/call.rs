//! A call that is a statement by itself, and its arguments.

use tree_sitter::{Node, Tree};

use super::looped::{Loop, loop_of, only_statement};
use super::member::{Member, last_of};
use crate::text::Span;

/// A TypeScript or JavaScript call that makes up its whole statement, awaited or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallStatement {
    pub whole: Span,
    /// Whether only white space precedes the statement on its line.
    pub begins_line: bool,
    pub arguments: Vec<Argument>,
    /// The literal at the place passed to [`call_statement`], or the `??` expression around it. It is an argument, or
    /// the value of a member of an argument. `None` if the place is the call itself.
    pub named: Option<Span>,
    /// The loop over a list literal, if its body is just this statement.
    pub looped: Option<Loop>,
}

/// An argument of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Argument {
    pub span: Span,
    pub kind: ArgumentKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ArgumentKind {
    /// An object literal. `member` is its member with the requested key; `last` is the place to add another member,
    /// `None` if the object is empty or ends in a comment.
    Object {
        member: Option<ObjectMember>,
        last: Option<Member>,
    },
    Function,
    Other,
}

/// A member of an object literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ObjectMember {
    /// `key: value`
    Value(Span),
    /// `{ key }`
    Shorthand(Span),
}

/// The statement that consists of a call alone. `place` is the call, or a literal in it: an argument, or the value of a
/// member of an argument, alone or as the fallback after `??`. `key` is the key to look up in arguments that are
/// objects.
pub(crate) fn call_statement(tree: &Tree, text: &str, place: Span, key: &str) -> Option<CallStatement> {
    let mut node = tree.root_node().descendant_for_byte_range(place.start as usize, place.end as usize)?;
    let is_fallback = |node: Node<'_>| {
        node.parent().is_some_and(|around| around.child_by_field_name("operator").is_some_and(|it| it.kind() == "??"))
    };
    while node.kind() == "string_fragment" || is_fallback(node) {
        node = node.parent()?;
    }
    let mut named = None;
    if matches!(node.kind(), "string" | "binary_expression") {
        named = Some(span_of(node));
        let argument = match node.parent().filter(|around| around.kind() == "pair") {
            Some(pair) => pair.parent().filter(|around| around.kind() == "object")?,
            None => node,
        };
        node = argument.parent().filter(|around| around.kind() == "arguments")?.parent()?;
    }
    let call = Some(node).filter(|node| node.kind() == "call_expression")?;
    let outer = call.parent()?;
    let statement = if outer.kind() == "await_expression" { outer.parent()? } else { outer };
    let arguments = call.child_by_field_name("arguments").filter(|_| statement.kind() == "expression_statement")?;
    let mut cursor = arguments.walk();
    let listed = arguments.named_children(&mut cursor).filter(|argument| argument.kind() != "comment");
    let arguments = listed.map(|node| Argument { span: span_of(node), kind: kind_of(node, text, key) }).collect();
    let before = text[..statement.start_byte()].rsplit('\n').next().unwrap_or("");
    let above = statement.parent().filter(|above| only_statement(*above).is_none()).or(statement.parent()?.parent());
    let looped = above.and_then(|around| loop_of(around, text));
    let begins_line = before.trim().is_empty();
    Some(CallStatement { whole: span_of(statement), begins_line, arguments, named, looped })
}

fn kind_of(node: Node<'_>, text: &str, key: &str) -> ArgumentKind {
    match node.kind() {
        "arrow_function" | "function_expression" | "generator_function" => ArgumentKind::Function,
        "object" => {
            let mut cursor = node.walk();
            let member = node.named_children(&mut cursor).find_map(|member| {
                let named = |node: Node<'_>| text[node.byte_range()].trim_matches(['"', '\'']) == key;
                match member.kind() {
                    "shorthand_property_identifier" => named(member).then(|| ObjectMember::Shorthand(span_of(member))),
                    _ => {
                        member.child_by_field_name("key").filter(|key| named(*key))?;
                        Some(ObjectMember::Value(span_of(member.child_by_field_name("value")?)))
                    }
                }
            });
            ArgumentKind::Object { member, last: last_of(node, text) }
        }
        _ => ArgumentKind::Other,
    }
}

fn span_of(node: Node<'_>) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}
