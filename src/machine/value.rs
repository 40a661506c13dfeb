//! Values: what an expression is while a program runs, and the objects of the heap.

use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use smol_str::SmolStr;

use super::heap::ScopeId;
use super::items::PathTo;
use super::native::Native;
use crate::code;
use crate::found::{Origin, Part, Place, Traced, Unknown};
use crate::text::FileId;

pub(super) type Table<K> = IndexMap<K, Slot, FxBuildHasher>;

/// A value. Strings carry the origins of their characters, an unknown value its reason.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    /// `undefined`, an argument that is not passed, a member that does not exist.
    Undefined,
    /// `null`, `None`
    Null,
    Bool(bool),
    Number(f64),
    Text(Rc<Traced>),
    Object(ObjectId),
    /// One of several values, depending on something unknown.
    OneOf(Rc<[Value]>),
    Unknown(Rc<Unknown>),
}

/// The identity of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ObjectId(pub(super) u32);

/// A value in an object.
#[derive(Debug, Clone)]
pub(crate) struct Slot {
    pub(crate) value: Value,
    /// The key as a string with its origins, if it is a string.
    pub(crate) key: Option<Rc<Traced>>,
    /// Whether it may be missing, because something unknown decides.
    pub(crate) perhaps: bool,
    /// Whether a loop over the object passes over it.
    pub(crate) hidden: bool,
}

/// An object of the heap.
#[derive(Debug, Clone)]
pub(crate) struct Object {
    /// The object whose members it inherits: a prototype in JavaScript, the class in Python.
    pub(crate) parent: Option<ObjectId>,
    pub(crate) props: Table<SmolStr>,
    pub(crate) body: Body,
    /// The reason if it may have further members or elements.
    pub(crate) more: Option<Rc<Unknown>>,
    /// Whether its members can no longer change: `Object.freeze`.
    pub(crate) frozen: bool,
    /// The literal of the program that created the object, if any.
    pub(crate) literal: Option<Literal>,
}

/// A literal that creates an object, list or table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Literal {
    pub(crate) place: Place,
    /// Whether not all of its keys are written in it: some are computed, or come from another object.
    pub(crate) is_open: bool,
}

/// The kind of an object, apart from its members.
#[derive(Debug, Clone)]
pub(crate) enum Body {
    Plain,
    List(Vec<Slot>),
    Tuple(Vec<Slot>),
    /// A `Map` or dict.
    Table(Table<Key>),
    Set(Table<Key>),
    Function(Rc<Closure>),
    Class(Rc<ClassInfo>),
    /// A function with its first argument: `list.append`.
    Bound {
        function: ObjectId,
        this: Value,
    },
    Native(Native),
    /// A member that is computed when it is read or written.
    Accessor {
        getter: Option<Value>,
        setter: Option<Value>,
    },
    Pattern {
        source: SmolStr,
        flags: SmolStr,
    },
    /// The result of an async function, or what it throws.
    Promise(Result<Value, Value>),
    /// A generator: its elements, or the call that makes them; `next` is the index of the next one.
    Generator {
        state: Steps,
        next: usize,
    },
    Module(FileId),
    /// A variable of another module, read when it is used.
    Live {
        file: FileId,
        name: SmolStr,
    },
    /// A module inside a file: `mod name { … }`.
    Inline(ScopeId),
    /// The value of a constant, computed when it is first read.
    Later {
        closure: Rc<Closure>,
        value: Option<Value>,
        /// Whether it is being computed.
        runs: bool,
    },
    /// The target of a `use`.
    Path(PathTo),
    Outside(Rc<Outside>),
}

/// The elements of a generator.
#[derive(Debug, Clone)]
pub(crate) enum Steps {
    /// Not begun: the function with the scope of its parameters.
    Waiting {
        closure: Rc<Closure>,
        scope: ScopeId,
        this: Value,
    },
    Done(Vec<Slot>),
}

/// A value from another package of which only the name is known, or a value derived from one.
#[derive(Debug, Clone)]
pub(crate) enum Outside {
    /// An export of a module: `McpServer` of `@modelcontextprotocol/sdk/server/mcp.js`; the module itself if `path` is
    /// empty. A variable of the language's own that is not modelled has the module [`GLOBAL`].
    Export { module: SmolStr, path: Vec<SmolStr> },
    /// A member of such a thing, or of an instance of a class that derives from one.
    Member { of: ObjectId, key: SmolStr },
    /// The result of a call.
    Result(Rc<OutsideCall>),
    /// An argument that the program never passes; only the name of the parameter is known.
    Given { name: SmolStr },
}

/// A call of something of another package.
#[derive(Debug, Clone)]
pub(crate) struct OutsideCall {
    pub(crate) callee: ObjectId,
    pub(crate) args: Vec<Passed>,
    /// The variables and members that the arguments are, if the callee is not certainly another package's.
    pub(crate) written: Vec<Option<SmolStr>>,
    /// Whether there may be more arguments.
    pub(crate) open: bool,
    pub(crate) new: bool,
    /// Whether it is the application of a decorator.
    pub(crate) decorates: bool,
    /// The call expression, and those around it, innermost first.
    pub(crate) stack: Vec<Place>,
    /// Whether it may not run.
    pub(crate) perhaps: bool,
    /// Whether a loop runs it.
    pub(crate) looped: bool,
}

/// An argument of a call.
#[derive(Debug, Clone)]
pub(crate) struct Passed {
    pub(crate) name: Option<SmolStr>,
    pub(crate) value: Value,
    pub(crate) place: Place,
}

/// The module of the variables that the language itself provides.
pub(crate) const GLOBAL: &str = "";

/// A function with the scope in which it was created.
#[derive(Debug)]
pub(crate) struct Closure {
    pub(crate) function: Arc<code::Function>,
    pub(super) scope: ScopeId,
    pub(crate) site: Site,
    /// `this` of an arrow function.
    pub(super) this: Option<Value>,
    /// The object whose parent `super` is.
    pub(super) home: Option<ObjectId>,
    /// The values of the defaults, if they are evaluated with the definition (Python).
    pub(super) defaults: Vec<Option<Value>>,
}

/// The item that code is in; its spans are relative to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Site {
    pub(crate) file: FileId,
    pub(crate) item: u32,
}

/// The parts of a class.
#[derive(Debug, Clone)]
pub(crate) struct ClassInfo {
    pub(crate) class: Arc<code::Class>,
    pub(super) scope: ScopeId,
    pub(crate) site: Site,
    /// The bases; a class of JavaScript has at most one.
    pub(crate) bases: Vec<Value>,
    pub(super) constructor: Option<Value>,
    /// The fields of each instance, with their keys.
    pub(super) fields: Vec<(Rc<Traced>, usize)>,
    pub(crate) prototype: Option<ObjectId>,
    /// The class and its bases in the order in which members are looked up (Python).
    pub(super) order: Vec<ObjectId>,
}

/// A key of a table, by which equal keys are found.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Undefined,
    Null,
    Bool(bool),
    /// The bits of a number.
    Number(u64),
    Text(SmolStr),
    Object(ObjectId),
    Tuple(Vec<Key>),
}

impl Site {
    pub(crate) fn place(self, span: crate::text::Span) -> Place {
        Place { file: self.file, item: self.item, span }
    }
}

impl Slot {
    pub(super) fn new(value: Value) -> Slot {
        Slot { value, key: None, perhaps: false, hidden: false }
    }

    pub(super) fn keyed(key: Rc<Traced>, value: Value) -> Slot {
        Slot { value, key: Some(key), perhaps: false, hidden: false }
    }
}

impl Object {
    /// The number of elements and entries.
    pub(super) fn size(&self) -> u64 {
        let inside = match &self.body {
            Body::List(slots) | Body::Tuple(slots) => slots.len(),
            Body::Table(table) | Body::Set(table) => table.len(),
            _ => 0,
        };
        (inside + self.props.len()) as u64
    }

    pub(super) fn new(parent: Option<ObjectId>, body: Body) -> Object {
        Object { parent, props: Table::default(), body, more: None, frozen: false, literal: None }
    }
}

impl Value {
    pub(crate) fn unknown(reason: impl Into<std::borrow::Cow<'static, str>>) -> Value {
        Value::Unknown(Rc::new(Unknown::because(reason)))
    }

    /// A string that no literal contains.
    pub(super) fn made(text: &str) -> Value {
        let origin = Origin::Framework;
        let parts = (!text.is_empty()).then(|| Part { text: text.into(), origin }).into_iter().collect();
        Value::Text(Rc::new(Traced { parts }))
    }

    pub(super) fn text(traced: Traced) -> Value {
        Value::Text(Rc::new(traced))
    }

    pub(crate) fn as_object(&self) -> Option<ObjectId> {
        match self {
            Value::Object(id) => Some(*id),
            _ => None,
        }
    }

    /// The string with its origins, if the value is a string.
    pub(crate) fn as_traced(&self) -> Option<&Traced> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The whole string, if the value is a string and every part of it is known.
    pub(crate) fn as_text(&self) -> Option<String> {
        match self {
            Value::Text(text) if text.unknown().is_none() => Some(text.text()),
            _ => None,
        }
    }

    pub(super) fn as_number(&self) -> Option<f64> {
        match self {
            Value::Number(number) => Some(*number),
            Value::Bool(holds) => Some(f64::from(u8::from(*holds))),
            _ => None,
        }
    }

    /// Whether it is `undefined`, `null` or `None`.
    pub(super) fn is_nothing(&self) -> bool {
        matches!(self, Value::Undefined | Value::Null)
    }

    /// Whether two values are the same thing, with the same origins.
    pub(super) fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Undefined, Value::Undefined) | (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Number(a), Value::Number(b)) => a == b || a.is_nan() && b.is_nan(),
            (Value::Text(a), Value::Text(b)) => Rc::ptr_eq(a, b) || a == b,
            (Value::Object(a), Value::Object(b)) => a == b,
            (Value::OneOf(a), Value::OneOf(b)) => {
                Rc::ptr_eq(a, b) || a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.is_same(b))
            }
            (Value::Unknown(a), Value::Unknown(b)) => Rc::ptr_eq(a, b) || a.reason == b.reason,
            _ => false,
        }
    }

    /// The values that it may be.
    pub(crate) fn options(&self) -> &[Value] {
        match self {
            Value::OneOf(options) => options,
            value => std::slice::from_ref(value),
        }
    }

    /// One of these values; the only one if they are all the same.
    pub(crate) fn one_of(values: impl IntoIterator<Item = Value>) -> Value {
        /// The maximum number of values of a choice.
        const MOST: usize = 24;
        let mut all: Vec<Value> = Vec::new();
        for value in values {
            for option in value.options() {
                if all.iter().any(|known| known.is_same(option)) {
                    continue;
                }
                if all.len() == MOST {
                    return Value::unknown("one of too many values");
                }
                all.push(option.clone());
            }
        }
        match all.len() {
            0 => Value::Undefined,
            1 => all.remove(0),
            _ => Value::OneOf(all.into()),
        }
    }
}
