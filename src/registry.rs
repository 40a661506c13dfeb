//! Calls of frameworks → what a program registers.
//!
//! The registry watches a program that runs ([`crate::machine`]) and compares each call of something of another package
//! with the forms of the frameworks' rows. Values are selected when the call happens, except answers of handlers, which
//! run when the program has come to its end.

mod detail;
mod gather;
mod granted;
mod matching;
mod offer;
mod select;
pub(crate) mod trial;

use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use smol_str::SmolStr;

pub(crate) use self::detail::Details;
pub(crate) use self::gather::{Capture, CapturedArg, Content};
pub(crate) use self::granted::{Granted, Granting};
use self::matching::{Root, root};
use crate::code::Offset;
use crate::found::{Origin, Part, Place, Traced};
use crate::framework::{Form, FormId, Frameworks, Kind, On, Start};
use crate::machine::{Body, Cases, Effects, Handled, Machine, ObjectId, Outside, OutsideCall, Value};
use crate::syntax::Family;
use crate::text::FileId;

/// A tool, prompt or resource that a program registers.
#[derive(Debug, Clone)]
pub(crate) struct Offer {
    pub(crate) kind: Kind,
    pub(crate) framework: usize,
    pub(crate) name: Traced,
    /// The keys equal to the name in tables that the program looked into under it.
    pub(crate) keys: Vec<Place>,
    /// The other literals with which the program compared the name and which were equal to it.
    pub(crate) compared: Vec<Place>,
    /// The literals that the program found equal to the name of the function that it is taken from.
    pub(crate) found_by: Vec<Place>,
    /// The pairs of literals with the text of the name that the program found equal.
    pub(crate) agreeing: Vec<(Place, Place)>,
    /// The server that it is registered with; `None` if the program does not show it.
    pub(crate) server: Option<Owner>,
    /// The call that registers it, and those around it, innermost first.
    pub(crate) stack: Vec<Place>,
    /// Whether something unknown decides about it, or about the element of a list that it is.
    pub(crate) conditional: bool,
    /// Whether a loop registers it.
    pub(crate) looped: bool,
    /// Whether it is an element of a list, and whether a filter may remove it from there.
    pub(crate) listed: bool,
    pub(crate) filtered: bool,
    /// Whether it is a class that only its shape tells.
    pub(crate) is_class: bool,
    pub(crate) details: Details,
}

/// A registration without a name that can be computed.
#[derive(Debug, Clone)]
pub(crate) struct Unnamed {
    pub(crate) kind: Kind,
    pub(crate) reason: String,
    /// The known parts of the name, with `*` for the rest.
    pub(crate) partial: Option<String>,
    /// Whether the framework's row says so.
    pub(crate) is_said: bool,
    pub(crate) server: Option<Owner>,
    pub(crate) stack: Vec<Place>,
}

/// The owner of a registration: a server, or a class whose instances are servers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    Object(ObjectId),
    Class { file: FileId, name: SmolStr },
}

/// The way in which a server distinguishes the called tools.
#[derive(Debug)]
pub(crate) struct Answering {
    pub(crate) server: Option<Owner>,
    pub(crate) cases: Cases,
}

/// A server that is handed to code that cannot be followed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Escape {
    pub(crate) server: ObjectId,
    pub(crate) place: Place,
    /// The last name of what got it.
    pub(crate) name: SmolStr,
}

/// A server that a program creates.
#[derive(Debug, Clone)]
pub(crate) struct Made {
    pub(crate) framework: usize,
    pub(crate) name: Option<Value>,
    /// The call that creates the server, and the calls around it, innermost first.
    pub(crate) stack: Vec<Place>,
}

/// A server whose tools another one offers, too.
#[derive(Debug, Clone)]
pub(crate) struct Mounted {
    pub(crate) parent: Owner,
    pub(crate) child: Owner,
    /// The text before each name; `None` if names do not change.
    pub(crate) prefix: Option<Traced>,
    pub(crate) stack: Vec<Place>,
}

/// The registrations of a program.
pub(crate) struct Registry<'f> {
    frameworks: &'f Frameworks,
    family: Family,
    pub(crate) offers: Vec<Offer>,
    /// Definitions that are told by their shape.
    pub(crate) shaped: Vec<Offer>,
    pub(crate) unnamed: Vec<Unnamed>,
    pub(crate) mounts: Vec<Mounted>,
    pub(crate) answering: Vec<Answering>,
    pub(crate) escapes: Vec<Escape>,
    /// The servers that the program creates, with their names.
    pub(crate) servers: IndexMap<ObjectId, Made, FxBuildHasher>,
    /// Forms whose lists are the answers of handlers, or that handlers answer calls with; these have not run yet.
    waiting: Vec<Matched>,
    plan: Plan<'f>,
}

/// Registrations without a call.
pub(crate) struct Plan<'f> {
    pub(crate) captures: Vec<Capture>,
    /// The forms of the folders from which a framework loads a file.
    pub(crate) loads: &'f dyn Fn(FileId) -> Vec<FormId>,
    /// Whether definitions are looked for among classes, which are made for this.
    pub(crate) has_class_shapes: bool,
    /// Whether the package answers protocol messages itself, without a framework.
    pub(crate) answers_by_hand: bool,
    /// The comparisons in a file with the method by which tools are called, with that method, if the package answers
    /// messages itself.
    pub(crate) answering: &'f dyn Fn(FileId) -> Vec<(Offset, SmolStr)>,
}

impl Plan<'_> {
    /// Nothing.
    pub(crate) fn nothing() -> Plan<'static> {
        Plan {
            captures: Vec::new(),
            loads: &|_| Vec::new(),
            has_class_shapes: false,
            answers_by_hand: true,
            answering: &|_| Vec::new(),
        }
    }
}

/// A call that matches a form.
struct Matched {
    id: FormId,
    call: Rc<OutsideCall>,
    result: ObjectId,
    /// The function that the call's result is applied to.
    applied: Option<Value>,
    /// Whether it is a decorator without arguments.
    is_bare: bool,
    /// Whether the call is not written where its result is applied: a function of the program returns it.
    is_given_back: bool,
    /// The file that a framework loads, if that is what matches.
    file: Option<FileId>,
}

impl<'f> Registry<'f> {
    pub(crate) fn new(frameworks: &'f Frameworks, family: Family, plan: Plan<'f>) -> Registry<'f> {
        Registry {
            frameworks,
            family,
            offers: Vec::new(),
            shaped: Vec::new(),
            unnamed: Vec::new(),
            mounts: Vec::new(),
            answering: Vec::new(),
            escapes: Vec::new(),
            servers: IndexMap::default(),
            waiting: Vec::new(),
            plan,
        }
    }
}

impl Effects for Registry<'_> {
    fn called(&mut self, machine: &mut Machine<'_>, call: &Rc<OutsideCall>, result: ObjectId) -> Handled {
        // A decorator with arguments is a call whose result is applied to the function.
        let (matched, applied) = match &machine.object(call.callee).body {
            Body::Outside(outside) => match &**outside {
                Outside::Result(made) => (Rc::clone(made), call.args.first().map(|arg| arg.value.clone())),
                // `@mcp.tool` without arguments.
                _ if call.decorates && call.args.len() == 1 => {
                    let bare = OutsideCall { args: Vec::new(), ..(**call).clone() };
                    (Rc::new(bare), call.args.first().map(|arg| arg.value.clone()))
                }
                _ => (Rc::clone(call), None),
            },
            _ => (Rc::clone(call), None),
        };
        let is_bare = applied.is_some() && matched.callee == call.callee;
        let is_given_back = call.decorates && matched.stack.first() != call.stack.first();
        let Some(last) = Self::last(machine, matched.callee) else { return Handled::Run };
        let mut handled = Handled::Run;
        let candidates = self.frameworks.candidates(self.family, &last).to_vec();
        // `mcp.tool(name="x")` registers when its result is called with the function.
        let registers_later = applied.is_none()
            && candidates.iter().any(|id| {
                let form = self.frameworks.form(*id);
                matches!(form.on, On::Decorator | On::CalledDecorator)
                    || form.each.as_ref().is_some_and(|each| each.start == Start::Applied)
            })
            && !call.args.iter().any(|arg| arg.name.is_none() && machine.is_function(&arg.value));
        for id in candidates {
            let form = self.frameworks.form(id);
            let waits = form.each.as_ref().is_some_and(|each| each.start == Start::Applied);
            let fits_application = match (&applied, form.on) {
                (Some(_), On::Decorator) => call.decorates,
                (Some(_), On::CalledDecorator) => call.decorates && !is_bare,
                (Some(_), On::ClassDecorator | On::Members) => call.decorates,
                (Some(_), On::Call) => !call.decorates && (waits || uses_application(form)),
                (Some(_), _) | (None, On::Decorator | On::CalledDecorator | On::ClassDecorator | On::Members) => false,
                (None, On::Call) => !waits && (call.new || !registers_later),
                (None, _) => true,
            };
            if !fits_application {
                continue;
            }
            let is_fallback = form.fallback;
            let matched = match &applied {
                Some(_) => Rc::new(OutsideCall { decorates: call.decorates, ..(*matched).clone() }),
                None => Rc::clone(&matched),
            };
            if self.matches(machine, id, &matched, matched.callee) {
                let is_new_kind = self.frameworks.form(id).kind != Kind::Server;
                let of = |applied| Matched {
                    id,
                    call: Rc::clone(&matched),
                    result,
                    applied,
                    is_bare,
                    is_given_back,
                    file: None,
                };
                match (self.frameworks.form(id).on, &applied) {
                    (On::Members, Some(class)) => {
                        for method in Self::members_of(machine, class) {
                            self.register(machine, of(Some(method)));
                        }
                    }
                    _ => self.register(machine, of(applied.clone())),
                }
                // The functions that a server is made with run when it starts, and get it: its `lifespan`.
                if !is_new_kind {
                    for arg in &matched.args {
                        machine.runs_with(&arg.value, result, arg.place);
                    }
                }
                if is_fallback {
                    continue;
                }
                handled = Handled::Kept;
                // A server of one framework is no server of another.
                if is_new_kind && self.frameworks.form(id).each.is_none() {
                    break;
                }
            }
        }
        if handled == Handled::Run {
            self.note_escapes(machine, call);
        }
        handled
    }

    fn knows(&self, machine: &Machine<'_>, of: ObjectId, name: &str) -> bool {
        let mut forms = self.frameworks.candidates(self.family, &name.into()).iter().peekable();
        if forms.peek().is_none() {
            return false;
        }
        let Root::Package(module) = root(machine, of) else { return false };
        forms.any(|form| self.frameworks.framework(*form).owns_module(&module))
    }

    fn handed(&mut self, machine: &Machine<'_>, values: &[&Value], name: &str, place: Place) {
        for server in self.servers_in(machine, values) {
            self.escapes.push(Escape { server, place, name: name.into() });
        }
    }

    fn concluded(&mut self, machine: &mut Machine<'_>) {
        self.gather(machine);
        let agreeing = machine.agreeing();
        for offer in self.offers.iter_mut().chain(&mut self.shaped) {
            offer.compared = machine.compared_with(&offer.name);
            offer.found_by = machine.found_by(&offer.name);
            offer.agreeing = agreeing.get(offer.name.text().as_str()).cloned().unwrap_or_default();
        }
    }

    fn watches(&self, key: &str) -> bool {
        let candidates = self.frameworks.candidates(self.family, &SmolStr::new(key));
        candidates.iter().any(|id| {
            let form = self.frameworks.form(*id);
            form.on == On::Call
                && form.given_by.is_empty()
                && matches!(form.kind, Kind::Tool | Kind::Prompt | Kind::Resource)
        })
    }

    fn ended(&mut self, machine: &mut Machine<'_>) {
        self.finish(machine);
    }
}

/// Whether a form reads the function that its result is called with.
fn uses_application(form: &Form) -> bool {
    form.name.iter().any(|selector| selector.start == Start::Applied)
}

fn prefixed(prefix: &SmolStr, text: &Traced) -> Traced {
    if prefix.is_empty() {
        return text.clone();
    }
    Traced { parts: made(prefix).parts.into_iter().chain(text.parts.iter().cloned()).collect() }
}

/// A text that a framework adds.
fn made(text: &SmolStr) -> Traced {
    Traced { parts: std::iter::once(Part { text: text.clone(), origin: Origin::Framework }).collect() }
}
