//! Values: the results of evaluating expressions.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::environment::Ctx;
use super::fuel::MAX_ELEMENTS;
use super::{Origin, Part, ScopeKey, ServerKey, Traced, Unknown};
use crate::lower::Expr;
use crate::text::FileId;

/// The result of evaluating an expression, as far as it was needed.
#[derive(Clone)]
pub(super) enum Value<'a> {
    Text(Traced),
    Scalar(&'a SmolStr),
    /// An object, array, function, class, comprehension or record that is not evaluated further yet.
    Expr(&'a Expr, Ctx<'a>),
    /// A computed list.
    List(Rc<Elements<'a>>),
    /// A computed object or map.
    Pairs(Rc<Pairs<'a>>),
    Server {
        key: ServerKey,
        framework: usize,
    },
    /// Something of another package.
    External {
        module: SmolStr,
        path: Vec<SmolStr>,
    },
    Module(FileId),
    /// One of several values, chosen at run time.
    Choice(Rc<Vec<Value<'a>>>),
    /// There is no such member or argument.
    Absent,
    Unknown(Unknown),
}

/// The known elements of a list, and the reason if there may be more.
#[derive(Clone, Default)]
pub(super) struct Elements<'a> {
    pub(super) known: Vec<Value<'a>>,
    pub(super) rest: Option<Unknown>,
    /// Whether they are the elements of several lists, only one of which exists at run time.
    pub(super) one_of_several: bool,
    /// Indices of the known elements that a filter may remove, ascending.
    pub(super) doubtful: Vec<usize>,
    /// Elements that a filter certainly removes, with later mappings applied to them.
    pub(super) left_out: Vec<Value<'a>>,
}

/// The known entries of an object, and the reason if there may be more.
#[derive(Clone, Default)]
pub(super) struct Pairs<'a> {
    pub(super) known: Vec<(Value<'a>, Value<'a>)>,
    pub(super) rest: Option<Unknown>,
}

impl<'a> Elements<'a> {
    /// Appends the elements of another list. A list beyond [`MAX_ELEMENTS`] does not grow any more; its creator
    /// truncates it.
    pub(super) fn append(&mut self, more: Elements<'a>) {
        if self.known.len() > MAX_ELEMENTS || self.left_out.len() > MAX_ELEMENTS {
            return;
        }
        self.doubtful.extend(more.doubtful.iter().map(|index| self.known.len() + index));
        self.known.extend(more.known);
        self.left_out.extend(more.left_out);
        self.rest = self.rest.take().or(more.rest);
    }
}

impl<'a> Value<'a> {
    /// The value `true` or `false`.
    pub(super) fn truth(holds: bool) -> Value<'a> {
        static TRUE: SmolStr = SmolStr::new_static("true");
        static FALSE: SmolStr = SmolStr::new_static("false");
        Value::Scalar(if holds { &TRUE } else { &FALSE })
    }

    pub(super) fn unknown(reason: impl Into<std::borrow::Cow<'static, str>>) -> Value<'a> {
        Value::Unknown(Unknown::because(reason))
    }

    /// Whether two values are identical, such as the same expression in the same environment. Texts are not compared.
    fn is_same(&self, other: &Value<'a>) -> bool {
        match (self, other) {
            (Value::Scalar(a), Value::Scalar(b)) => a == b,
            (Value::Expr(a, at), Value::Expr(b, there)) => std::ptr::eq(*a, *b) && at.env_id() == there.env_id(),
            (Value::List(a), Value::List(b)) => Rc::ptr_eq(a, b),
            (Value::Pairs(a), Value::Pairs(b)) => Rc::ptr_eq(a, b),
            (Value::Server { key: a, .. }, Value::Server { key: b, .. }) => a == b,
            (Value::Module(a), Value::Module(b)) => a == b,
            (Value::Absent, Value::Absent) => true,
            (Value::Unknown(a), Value::Unknown(b)) => a == b,
            _ => false,
        }
    }

    /// The function or loop of which an activation or element is needed to compute this value.
    pub(super) fn blocked(&self) -> Option<ScopeKey> {
        match self {
            Value::Unknown(unknown) => unknown.blocked,
            Value::Text(text) => text.unknown().and_then(|unknown| unknown.blocked),
            Value::Choice(options) => options.iter().find_map(Value::blocked),
            _ => None,
        }
    }
}

/// Whether two values are equal; `None` if that is unknown.
pub(super) fn is_equal(left: &Value<'_>, right: &Value<'_>) -> Option<bool> {
    match (left, right) {
        (Value::Text(a), Value::Text(b)) if a.unknown().is_none() && b.unknown().is_none() => {
            Some(a.text() == b.text())
        }
        (Value::Scalar(a), Value::Scalar(b)) => Some(a == b),
        (Value::Absent, Value::Absent) => Some(true),
        (Value::Absent, Value::Text(_) | Value::Scalar(_)) | (Value::Text(_) | Value::Scalar(_), Value::Absent) => {
            Some(false)
        }
        (Value::Text(_), Value::Scalar(_)) | (Value::Scalar(_), Value::Text(_)) => Some(false),
        _ => None,
    }
}

/// Whether a value is truthy; `None` if that is unknown.
pub(super) fn truth(value: &Value<'_>) -> Option<bool> {
    match value {
        Value::Text(text) if text.unknown().is_none() => Some(!text.text().is_empty()),
        Value::Text(text) => text.parts.iter().any(|part| part.place().is_some()).then_some(true),
        Value::Scalar(text) => match text.as_str() {
            "true" | "True" => Some(true),
            "false" | "False" | "null" | "None" | "0" => Some(false),
            _ => None,
        },
        Value::Absent => Some(false),
        Value::List(_) | Value::Pairs(_) | Value::Server { .. } | Value::Module(_) => Some(true),
        Value::Expr(Expr::Object { .. } | Expr::Array { .. } | Expr::Function { .. } | Expr::Class { .. }, _) => {
            Some(true)
        }
        _ => None,
    }
}

/// Whether a value is one that a base class uses in place of the values of its derived classes: `None`, `""`.
pub(super) fn is_placeholder(value: &Value<'_>) -> bool {
    match value {
        Value::Scalar(text) => matches!(text.as_str(), "None" | "null"),
        Value::Text(text) => text.parts.is_empty() || text.text().is_empty(),
        _ => false,
    }
}

pub(super) fn hole(unknown: Unknown) -> Part {
    Part { text: SmolStr::new_static("*"), origin: Origin::Unknown(Box::new(unknown)) }
}

/// A choice between values, without duplicates. If only one is left, that value itself.
pub(super) fn one_of<'a>(values: Vec<Value<'a>>) -> Value<'a> {
    /// A choice between more values than this is unknown. The largest choices are tables of tools.
    const MAX_OPTIONS: usize = 512;
    let mut options: Vec<Value<'a>> = Vec::with_capacity(values.len());
    let mut texts: FxHashSet<String> = FxHashSet::default();
    let mut add = |value: Value<'a>| {
        let is_new = options.len() <= MAX_OPTIONS
            && match &value {
                Value::Text(text) => text.unknown().is_some() || texts.insert(text.text()),
                value => !options.iter().any(|known| known.is_same(value)),
            };
        if is_new {
            options.push(value);
        }
    };
    for value in values {
        match value {
            Value::Choice(inner) => inner.iter().cloned().for_each(&mut add),
            value => add(value),
        }
    }
    match options.len() {
        1 => options.remove(0),
        0..=MAX_OPTIONS => Value::Choice(Rc::new(options)),
        _ => Value::unknown("one of many values, chosen at run time"),
    }
}
