//! Environments: what is known about the functions and loops around a place.

use std::rc::Rc;

use super::value::Value;
use super::{Place, ScopeKey};
use crate::lower::{Arg, CallId, Expr, ScopeId};
use crate::text::{FileId, Span};

/// The context of an expression: its scope, and what is known about the activations around it.
#[derive(Clone)]
pub(super) struct Ctx<'a> {
    pub(super) file: FileId,
    pub(super) item: u32,
    pub(super) scope: ScopeId,
    pub(super) env: Env<'a>,
}

pub(super) type Env<'a> = Option<Rc<Frame<'a>>>;

/// The arguments of one function, or the current element of one loop.
pub(super) struct Frame<'a> {
    pub(super) key: ScopeKey,
    pub(super) bound: Activation<'a>,
    pub(super) parent: Env<'a>,
}

#[derive(Clone)]
pub(super) enum Activation<'a> {
    /// The arguments and the context in which they are evaluated. `receiver` means that the first parameter is the
    /// receiver, which gets none of the arguments. An `open` activation is one of several candidates: its caller's
    /// arguments are looked up in the environment of the evaluation that uses it.
    Args {
        args: &'a [Arg],
        at: Ctx<'a>,
        receiver: bool,
        open: bool,
        /// The receiver of the method, or the instance that a constructor creates.
        this: Option<This<'a>>,
        /// The call itself, if it was found in a search for callers; its file and item are those of `at`.
        call: Option<CallId>,
    },
    Element(Value<'a>),
    /// The value of one parameter, by its index; the others are unknown.
    Given {
        index: usize,
        value: Value<'a>,
    },
}

/// The receiver of a method call.
#[derive(Clone)]
pub(super) enum This<'a> {
    Known(Rc<Value<'a>>),
    /// An expression to be evaluated at the call, in the environment of the evaluation that uses it.
    Asked(&'a Expr),
    /// The same receiver as that of the method around the call: `super.register(server)`.
    Same,
}

impl<'a> Ctx<'a> {
    pub(super) fn new(file: FileId, item: u32, scope: ScopeId) -> Ctx<'a> {
        Ctx { file, item, scope, env: None }
    }

    pub(super) fn in_scope(&self, scope: ScopeId) -> Ctx<'a> {
        Ctx { scope, ..self.clone() }
    }

    pub(super) fn place(&self, span: Span) -> Place {
        Place { file: self.file, item: self.item, span }
    }

    /// This place in the environment of `other`.
    pub(super) fn with_env_of(&self, other: &Ctx<'a>) -> Ctx<'a> {
        Ctx { env: other.env.clone(), ..self.clone() }
    }

    /// `other` with the frames of this environment added on top of its own.
    pub(super) fn on_top_of(&self, other: &Ctx<'a>) -> Ctx<'a> {
        let mut frames: Vec<&Frame<'a>> =
            std::iter::successors(self.env.as_deref(), |frame| frame.parent.as_deref()).collect();
        let mut whole = other.clone();
        while let Some(frame) = frames.pop() {
            whole = whole.with(frame.key, frame.bound.clone());
        }
        whole
    }

    /// This environment at another place.
    pub(super) fn at(&self, place: &Ctx<'a>) -> Ctx<'a> {
        Ctx { env: self.env.clone(), ..place.clone() }
    }

    /// An identifier of the environment, its address; 0 for an empty one.
    pub(super) fn env_id(&self) -> usize {
        self.env.as_ref().map_or(0, |env| Rc::as_ptr(env) as usize)
    }

    pub(super) fn key(&self, scope: ScopeId) -> ScopeKey {
        ScopeKey { file: self.file, item: self.item, scope }
    }

    pub(super) fn with(&self, key: ScopeKey, bound: Activation<'a>) -> Ctx<'a> {
        let frame = Frame { key, bound, parent: self.env.clone() };
        Ctx { env: Some(Rc::new(frame)), ..self.clone() }
    }

    /// The contexts of the calls that led here, innermost first.
    pub(super) fn callers(&self) -> impl Iterator<Item = &Ctx<'a>> {
        std::iter::successors(self.env.as_deref(), |frame| frame.parent.as_deref()).filter_map(|frame| {
            match &frame.bound {
                Activation::Args { at, .. } => Some(at),
                Activation::Element(_) | Activation::Given { .. } => None,
            }
        })
    }

    pub(super) fn frame(&self, key: ScopeKey) -> Option<&Frame<'a>> {
        let mut at = self.env.as_deref();
        while let Some(frame) = at {
            if frame.key == key {
                return Some(frame);
            }
            at = frame.parent.as_deref();
        }
        None
    }
}
