//! Enums, as the objects that they are when the program runs.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use tree_sitter::Node;

use super::expression::{expression_of, key};
use crate::code::builder::{Builder, named};
use crate::code::{Binary, Declared, Expr, ExprKind, Prop, Stmt, StmtKind, Target, Unary};

/// The depth up to which initialisers are computed.
const MAX_DEPTH: u32 = 32;

pub(super) fn enumeration(b: &mut Builder<'_>, node: Node<'_>) -> Option<Stmt> {
    let (name, body) = (node.child_by_field_name("name")?, node.child_by_field_name("body")?);
    let mut known = Known { name: b.smol(name), values: FxHashMap::default() };
    // The value of the next member without an initialiser.
    let mut next = Some(0.0);
    let mut props = Vec::new();
    for member in named(body).into_iter().filter(|member| member.kind() != "ERROR") {
        let label = member.child_by_field_name("name").unwrap_or(member);
        let key = key(b, label);
        let value = if member.kind() == "enum_assignment" {
            let value = expression_of(b, member, "value");
            known.computed(value, MAX_DEPTH)
        } else {
            let kind = next.map_or(ExprKind::Opaque("an enum member after a computed one"), ExprKind::Number);
            b.expr(kind, label)
        };
        next = match &value.kind {
            ExprKind::Number(number) => Some(number + 1.0),
            _ => None,
        };
        if let (ExprKind::Text(text), true) = (&key.kind, is_constant(&value)) {
            known.values.insert(text.clone(), value.clone());
        }
        if let ExprKind::Number(number) = &value.kind {
            let number = ExprKind::Text(SmolStr::new(number.to_string()));
            let (back, named) = (Expr { kind: number, span: key.span }, key.clone());
            props.push(Prop::Pair { key, value });
            props.push(Prop::Pair { key: back, value: named });
        } else {
            props.push(Prop::Pair { key, value });
        }
    }
    let target = Target::Name { name: b.smol(name), span: b.span(name) };
    let value = Some(b.expr(ExprKind::Object(props), body));
    Some(b.stmt(StmtKind::Let { scope: Declared::Block, target, annotation: None, value }, node))
}

/// The number of pieces of a text up to which it may be part of others; otherwise it could double with every member.
const MAX_PIECES: usize = 64;

/// Whether a value is as simple as that of another member may be.
fn is_constant(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Text(_) | ExprKind::Number(_) => true,
        ExprKind::Join(parts) => {
            parts.len() <= MAX_PIECES && parts.iter().all(|part| !is_joined(part) && is_constant(part))
        }
        _ => false,
    }
}

fn is_joined(part: &Expr) -> bool {
    matches!(part.kind, ExprKind::Join(_))
}

/// The pieces of a part of a text.
fn pieces(part: Expr) -> Vec<Expr> {
    match part.kind {
        ExprKind::Join(parts) => parts,
        kind => vec![Expr { kind, span: part.span }],
    }
}

/// The constant members of an enum so far.
struct Known {
    name: SmolStr,
    values: FxHashMap<SmolStr, Expr>,
}

impl Known {
    /// An initialiser with its numbers computed and earlier members replaced by their values, down to `depth`.
    fn computed(&self, value: Expr, depth: u32) -> Expr {
        let Some(depth) = depth.checked_sub(1) else { return value };
        let span = value.span;
        let kind = match value.kind {
            ExprKind::Name(name) => match self.values.get(&name) {
                Some(known) => return known.clone(),
                None => ExprKind::Name(name),
            },
            ExprKind::Member { object, key, at, optional } => match self.values.get(&key) {
                Some(known) if self.is_self(&object) => return known.clone(),
                _ => ExprKind::Member { object, key, at, optional },
            },
            ExprKind::At { object, index, optional } => match &index.kind {
                ExprKind::Text(key) if self.is_self(&object) && self.values.contains_key(key) => {
                    return self.values[key].clone();
                }
                _ => ExprKind::At { object, index, optional },
            },
            ExprKind::Join(parts) => {
                let parts = parts.into_iter().map(|part| self.computed(part, depth));
                ExprKind::Join(parts.flat_map(pieces).collect())
            }
            ExprKind::Unary(operator, value) => {
                let value = self.computed(*value, depth);
                match (&value.kind, operator) {
                    (ExprKind::Number(number), Unary::Minus) => ExprKind::Number(-number),
                    (ExprKind::Number(number), Unary::Plus) => ExprKind::Number(*number),
                    (ExprKind::Number(number), Unary::Invert) => ExprKind::Number(f64::from(!(*number as i64 as i32))),
                    _ => ExprKind::Unary(operator, Box::new(value)),
                }
            }
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.computed(*left, depth), self.computed(*right, depth));
                match (&left.kind, &right.kind) {
                    (ExprKind::Number(a), ExprKind::Number(b)) => match applied(operator, *a, *b) {
                        Some(number) => ExprKind::Number(number),
                        None => ExprKind::Binary(operator, Box::new(left), Box::new(right)),
                    },
                    _ => ExprKind::Binary(operator, Box::new(left), Box::new(right)),
                }
            }
            other => other,
        };
        Expr { kind, span }
    }

    fn is_self(&self, object: &Expr) -> bool {
        matches!(&object.kind, ExprKind::Name(name) if *name == self.name)
    }
}

/// An operator applied to two numbers.
fn applied(operator: Binary, a: f64, b: f64) -> Option<f64> {
    // Bits are those of 32-bit integers.
    let (bits, by) = (a as i64 as i32, b as i64 as i32);
    Some(match operator {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide => a / b,
        Binary::Remainder => a % b,
        Binary::Power => a.powf(b),
        Binary::And => f64::from(bits & by),
        Binary::Or => f64::from(bits | by),
        Binary::Xor => f64::from(bits ^ by),
        Binary::ShiftLeft => f64::from(bits.wrapping_shl(by as u32)),
        Binary::ShiftRight => f64::from(bits.wrapping_shr(by as u32)),
        Binary::ShiftRightUnsigned => f64::from((bits as u32).wrapping_shr(by as u32)),
        _ => return None,
    })
}
