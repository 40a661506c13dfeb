//! Narrowing: the values of variables that a condition implies.

use super::value::{Body, Value};
use super::{At, Machine};
use crate::code::{Binary, Expr, ExprKind, Logic, Unary};

impl Machine<'_> {
    /// Leaves, of the values that the variables in a condition may have, those for which it may hold, or may not hold.
    /// The condition itself is unknown.
    pub(super) fn narrow(&mut self, test: &Expr, holds: bool, at: At<'_>) {
        match &test.kind {
            ExprKind::Name(_) => self.leave_of(test, at, |machine, option| machine.may_be(option, holds)),
            ExprKind::Unary(Unary::Not, inner) => self.narrow(inner, !holds, at),
            ExprKind::Logic(Logic::And, a, b) if holds => [a, b].into_iter().for_each(|one| self.narrow(one, true, at)),
            ExprKind::Logic(Logic::Or, a, b) if !holds => {
                [a, b].into_iter().for_each(|one| self.narrow(one, false, at));
            }
            ExprKind::Binary(operator, a, b) => {
                let is_same = match operator {
                    Binary::Equal | Binary::Like | Binary::Is => holds,
                    Binary::NotEqual | Binary::Unlike | Binary::IsNot => !holds,
                    _ => return,
                };
                let is_strict = !matches!(operator, Binary::Like | Binary::Unlike);
                for (variable, other) in [(a, b), (b, a)] {
                    if let Some(literal) = literal(other) {
                        let fits = |option: &Value| match equals(option, &literal, is_strict) {
                            Some(equal) => equal == is_same,
                            None => true,
                        };
                        self.leave_of(variable, at, |_, option| fits(option));
                    }
                }
            }
            _ => {}
        }
    }

    /// Leaves some of the values that a variable may have; all of them if none fits.
    fn leave_of(&mut self, variable: &Expr, at: At<'_>, fits: impl Fn(&Self, &Value) -> bool) {
        let ExprKind::Name(name) = &variable.kind else { return };
        let Some(scope) = self.heap.scope_of(at.scope, name) else { return };
        let Some(Value::OneOf(options)) = self.heap.own_name(scope, name).cloned() else { return };
        let left: Vec<Value> = options.iter().filter(|option| fits(self, option)).cloned().collect();
        if !left.is_empty() && left.len() < options.len() {
            self.heap.set_name(scope, name.clone(), Value::one_of(left));
        }
    }

    /// Whether a value may count as true, or as false.
    fn may_be(&self, value: &Value, holds: bool) -> bool {
        match value {
            Value::Undefined | Value::Null => !holds,
            Value::Bool(is) => *is == holds,
            Value::Number(number) => (*number != 0.0 && !number.is_nan()) == holds,
            Value::Text(text) if text.unknown().is_none() => text.text().is_empty() != holds,
            // Others have a say of their own.
            Value::Object(id) if matches!(self.heap.get(*id).body, Body::Function(_) | Body::Class(_)) => holds,
            _ => true,
        }
    }
}

/// The value of a literal that others are compared with.
fn literal(expr: &Expr) -> Option<Value> {
    match &expr.kind {
        ExprKind::Undefined => Some(Value::Undefined),
        ExprKind::Null => Some(Value::Null),
        ExprKind::Bool(is) => Some(Value::Bool(*is)),
        ExprKind::Text(text) => Some(Value::made(text)),
        _ => None,
    }
}

/// Whether a value equals a literal; `None` if unknown.
fn equals(value: &Value, literal: &Value, is_strict: bool) -> Option<bool> {
    match (value, literal) {
        (Value::Unknown(_) | Value::OneOf(_), _) => None,
        (Value::Text(text), _) if text.unknown().is_some() => None,
        (Value::Text(text), Value::Text(other)) => Some(text.text() == other.text()),
        (Value::Undefined, Value::Null) | (Value::Null, Value::Undefined) => Some(!is_strict),
        (value, literal) if std::mem::discriminant(value) == std::mem::discriminant(literal) => {
            Some(value.is_same(literal))
        }
        // What an object of another package equals is not known.
        (Value::Object(_), Value::Null | Value::Undefined) => None,
        _ => is_strict.then_some(false),
    }
}
