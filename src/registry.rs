//! Calls of frameworks → what a program registers.
//!
//! The registry watches a program that runs ([`crate::machine`]) and compares each call of something of another package
//! with the forms of the frameworks' rows. Values are selected when the call happens, except answers of handlers, which
//! run when the program has come to its end.

mod select;
pub(crate) mod trial;

use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use smol_str::SmolStr;

use crate::evaluate::{Origin, Part, Place, Traced, Unknown};
use crate::framework::{CalleePattern, Form, FormId, Frameworks, Gate, Kind, On, Selector, Start, Step};
use crate::machine::{Body, Effects, Handled, Machine, ObjectId, Outside, OutsideCall, Value};
use crate::syntax::Family;

/// A tool, prompt or resource that a program registers.
#[derive(Debug, Clone)]
pub(crate) struct Offer {
    pub(crate) kind: Kind,
    pub(crate) framework: usize,
    pub(crate) name: Traced,
    /// The server that it is registered with; `None` if the program does not show it.
    pub(crate) server: Option<ObjectId>,
    /// The call that registers it, and those around it, innermost first.
    pub(crate) stack: Vec<Place>,
    /// Whether something unknown decides about it.
    pub(crate) conditional: bool,
    /// Whether nothing that the program's roots run leads to it.
    pub(crate) forced: bool,
}

/// A registration without a name that can be computed.
#[derive(Debug, Clone)]
pub(crate) struct Unnamed {
    pub(crate) kind: Kind,
    pub(crate) reason: String,
    pub(crate) server: Option<ObjectId>,
    pub(crate) stack: Vec<Place>,
}

/// A server that a program makes.
#[derive(Debug, Clone)]
pub(crate) struct Made {
    pub(crate) framework: usize,
    pub(crate) name: Option<Value>,
    /// The call that makes it, and those around it, innermost first.
    pub(crate) stack: Vec<Place>,
}

/// A server whose tools another one offers, too.
#[derive(Debug, Clone)]
pub(crate) struct Mounted {
    pub(crate) parent: ObjectId,
    pub(crate) child: ObjectId,
    /// The text before each name; `None` if names do not change.
    pub(crate) prefix: Option<Traced>,
    pub(crate) stack: Vec<Place>,
}

/// What a program registers.
pub(crate) struct Registry<'f> {
    frameworks: &'f Frameworks,
    family: Family,
    pub(crate) offers: Vec<Offer>,
    pub(crate) unnamed: Vec<Unnamed>,
    pub(crate) mounts: Vec<Mounted>,
    /// The servers that the program makes, with their names.
    pub(crate) servers: IndexMap<ObjectId, Made, FxBuildHasher>,
    /// Forms whose lists are the answers of handlers, which have not run yet.
    waiting: Vec<(FormId, Rc<OutsideCall>, ObjectId, Option<Value>)>,
}

/// The thing that a callee leads back to.
enum Root {
    /// A package, by the module that is imported from it.
    Package(SmolStr),
    /// A variable of the language's own.
    Global,
    /// An argument that nobody passed: nothing is known of it.
    Given,
    Nothing,
}

impl<'f> Registry<'f> {
    pub(crate) fn new(frameworks: &'f Frameworks, family: Family) -> Registry<'f> {
        Registry {
            frameworks,
            family,
            offers: Vec::new(),
            unnamed: Vec::new(),
            mounts: Vec::new(),
            servers: IndexMap::default(),
            waiting: Vec::new(),
        }
    }

    fn root(&self, machine: &Machine<'_>, id: ObjectId) -> Root {
        /// How many steps may lead back to the root.
        const MOST: usize = 64;
        let mut at = id;
        for _ in 0..MOST {
            let object = machine.object(at);
            match &object.body {
                Body::Outside(outside) => match &**outside {
                    Outside::Export { module, .. } if module.is_empty() => return Root::Global,
                    Outside::Export { module, .. } => return Root::Package(module.clone()),
                    Outside::Member { of, .. } => at = *of,
                    Outside::Result(call) => at = call.callee,
                    Outside::Given { .. } => return Root::Given,
                },
                _ => match object.parent {
                    Some(parent) => at = parent,
                    None => match machine.outside_base_of(at) {
                        Some(base) => at = base,
                        None => return Root::Nothing,
                    },
                },
            }
        }
        Root::Nothing
    }

    /// The last name of a callee.
    fn last(machine: &Machine<'_>, id: ObjectId) -> Option<SmolStr> {
        match &machine.object(id).body {
            Body::Outside(outside) => match &**outside {
                Outside::Export { path, .. } => path.last().cloned(),
                Outside::Member { key, .. } => Some(key.clone()),
                Outside::Result(_) | Outside::Given { .. } => None,
            },
            _ => None,
        }
    }

    /// The object that a method is called on.
    fn receiver(machine: &Machine<'_>, id: ObjectId) -> Option<ObjectId> {
        match &machine.object(id).body {
            Body::Outside(outside) => match &**outside {
                Outside::Member { of, .. } => Some(*of),
                _ => None,
            },
            _ => None,
        }
    }

    fn matches(&self, machine: &mut Machine<'_>, id: FormId, call: &OutsideCall, callee: ObjectId) -> bool {
        let (framework, form) = (self.frameworks.framework(id), self.frameworks.form(id));
        let is_right_kind = match form.on {
            // In Python a class is called like a function.
            On::Call => (!call.new || self.family == Family::Python) && !call.decorates,
            On::New => call.new,
            On::Decorator => call.decorates,
            On::CalledDecorator => call.decorates,
            _ => false,
        };
        if !is_right_kind || call.args.len() < form.min_args && !call.open {
            return false;
        }
        let root = self.root(machine, callee);
        let fits = match &form.path {
            Some(CalleePattern::Method(_)) => match (&root, form.gate) {
                (_, Gate::Telling) => true,
                (Root::Package(module), _) => framework.owns_module(module),
                (Root::Given, Gate::Project) => machine.imports_any(None, &|module| framework.owns_module(module)),
                (Root::Given, _) => {
                    let file = call.stack.first().map(|place| place.file);
                    machine.imports_any(file, &|module| framework.owns_module(module))
                }
                _ => false,
            },
            Some(CalleePattern::Imported(wanted)) => match &machine.object(callee).body {
                Body::Outside(outside) => match &**outside {
                    Outside::Export { module, path } => framework.owns_module(module) && path.ends_with(wanted),
                    _ => false,
                },
                _ => false,
            },
            _ => false,
        };
        fits && self.fits_first(machine, form, call) && self.is_switched_on(machine, form, call, callee)
    }

    /// Whether the first argument is one of those that the form asks for.
    fn fits_first(&self, machine: &Machine<'_>, form: &Form, call: &OutsideCall) -> bool {
        if form.first.is_empty() {
            return true;
        }
        let Some(first) = call.args.first() else { return false };
        // A bundler adds a number to a name that several modules use.
        if let Some(Some(written)) = call.written.first()
            && form.first.iter().any(|name| written.trim_end_matches(|it: char| it.is_ascii_digit()) == name.as_str())
        {
            return true;
        }
        first.value.options().iter().any(|value| {
            let name = match value {
                Value::Text(_) => value.as_text().map(SmolStr::from),
                Value::Object(id) => match &machine.object(*id).body {
                    Body::Outside(outside) => match &**outside {
                        Outside::Result(made) => Self::last(machine, made.callee),
                        _ => Self::last(machine, *id),
                    },
                    _ => None,
                },
                _ => None,
            };
            name.is_some_and(|name| form.first.contains(&name))
        })
    }

    fn is_switched_on(&self, machine: &mut Machine<'_>, form: &Form, call: &OutsideCall, callee: ObjectId) -> bool {
        let at = select::From { call, callee, each: None, applied: None };
        let off = form
            .switch
            .iter()
            .any(|selector| matches!(select::value(machine, selector, &at), Some(Value::Bool(false))));
        let elsewhere = form.unless.iter().any(|selector| select::value(machine, selector, &at).is_some());
        let given = form.given_by.is_empty()
            || Self::receiver(machine, callee).is_some_and(|receiver| match &machine.object(receiver).body {
                Body::Outside(outside) => match &**outside {
                    Outside::Result(made) => {
                        Self::last(machine, made.callee).is_some_and(|name| form.given_by.contains(&name))
                    }
                    _ => false,
                },
                _ => false,
            });
        !off && !elsewhere && given
    }

    /// Registers what a form finds in a call.
    fn register(
        &mut self,
        machine: &mut Machine<'_>,
        id: FormId,
        call: &Rc<OutsideCall>,
        result: ObjectId,
        applied: Option<Value>,
    ) {
        let form = self.frameworks.form(id).clone();
        let callee = call.callee;
        let at = select::From { call, callee, each: None, applied: applied.as_ref() };
        match form.kind {
            Kind::Server => {
                let name = form.name.iter().find_map(|selector| select::value(machine, selector, &at));
                let stack = call.stack.clone();
                self.servers.insert(result, Made { framework: id.framework, name, stack });
            }
            Kind::Tool | Kind::Prompt | Kind::Resource => match &form.each {
                Some(each) if each.steps.contains(&Step::Return) => {
                    self.waiting.push((id, Rc::clone(call), result, applied));
                }
                Some(_) => self.register_each(machine, id, call, result, applied.as_ref()),
                None => self.offer(machine, id, call, None, applied.as_ref(), None, false),
            },
            Kind::Dynamic => {
                let applies = form.each.as_ref().is_none_or(|each| select::value(machine, each, &at).is_some());
                if applies {
                    let server = self.server_of(machine, &form, &at);
                    let reason = form.reason.as_ref().map_or_else(String::new, ToString::to_string);
                    self.unnamed.push(Unnamed { kind: Kind::Dynamic, reason, server, stack: call.stack.clone() });
                }
            }
            Kind::Mount => self.mount(machine, &form, call, &at),
            Kind::Dispatch => {}
        }
    }

    fn mount(&mut self, machine: &mut Machine<'_>, form: &Form, call: &OutsideCall, at: &select::From<'_>) {
        let Some(parent) = self.server_of(machine, form, at) else { return };
        let child = form.each.as_ref().and_then(|each| select::value(machine, each, at));
        let child = child.and_then(|value| value.options().iter().find_map(Value::as_object));
        let mut known = child.filter(|child| self.servers.contains_key(child)).map(|child| (child, None));
        let first = |machine: &mut Machine<'_>, selectors: &[Selector]| {
            selectors.iter().find_map(|selector| select::value(machine, selector, at))
        };
        if let (Some((_, prefix)), Some(given)) = (&mut known, first(machine, &form.name)) {
            let separator = match first(machine, &form.separator_given) {
                Some(given) => given.as_traced().cloned(),
                None => Some(made(&form.separator)),
            };
            let is_known = |text: &Traced| text.unknown().is_none();
            match (given.as_traced().filter(|text| is_known(text)), separator.filter(is_known)) {
                (Some(text), Some(separator)) if !text.text().is_empty() => {
                    let mut whole = text.clone();
                    whole.parts.extend(separator.parts);
                    *prefix = Some(whole);
                }
                (Some(_), Some(_)) => {}
                _ => known = None,
            }
        }
        let stack = call.stack.clone();
        match known {
            Some((child, prefix)) => self.mounts.push(Mounted { parent, child, prefix, stack }),
            None => {
                let reason = "the tools of another server, under a prefix".to_string();
                self.unnamed.push(Unnamed { kind: Kind::Dynamic, reason, server: Some(parent), stack });
            }
        }
    }

    /// Registers each element of the list that a form selects.
    fn register_each(
        &mut self,
        machine: &mut Machine<'_>,
        id: FormId,
        call: &Rc<OutsideCall>,
        result: ObjectId,
        applied: Option<&Value>,
    ) {
        let form = self.frameworks.form(id).clone();
        let at = select::From { call, callee: call.callee, each: None, applied };
        let selectors = form.each.iter().chain(&form.or_each);
        let lists: Vec<Value> = selectors.filter_map(|selector| select::value(machine, selector, &at)).collect();
        let server = if form.server.is_empty() { Some(result) } else { self.server_of(machine, &form, &at) };
        let Some(list) = lists.first() else { return };
        let (slots, more) = machine.elements(list);
        for slot in slots {
            self.offer(machine, id, call, Some(&slot.value), applied, server, slot.perhaps);
        }
        if let Some(more) = more {
            self.unnamed.push(Unnamed {
                kind: form.kind,
                reason: more.reason.to_string(),
                server,
                stack: call.stack.clone(),
            });
        }
    }

    fn server_of(&self, machine: &mut Machine<'_>, form: &Form, at: &select::From<'_>) -> Option<ObjectId> {
        let value = form.server.iter().find_map(|selector| match selector.start {
            Start::Receiver => Self::receiver(machine, at.callee).map(Value::Object),
            _ => select::value(machine, selector, at),
        })?;
        let mut id = value.options().iter().find_map(Value::as_object)?;
        // A member that stands for the same server.
        while let Body::Outside(outside) = &machine.object(id).body
            && let Outside::Member { of, key } = &**outside
            && self.frameworks.rows.iter().any(|row| row.language == self.family && row.same_server.contains(key))
        {
            id = *of;
        }
        Some(id)
    }

    #[allow(clippy::too_many_arguments)]
    fn offer(
        &mut self,
        machine: &mut Machine<'_>,
        id: FormId,
        call: &Rc<OutsideCall>,
        each: Option<&Value>,
        applied: Option<&Value>,
        server: Option<ObjectId>,
        perhaps: bool,
    ) {
        let form = self.frameworks.form(id).clone();
        let at = select::From { call, callee: call.callee, each, applied };
        let server = server.or_else(|| self.server_of(machine, &form, &at));
        // An empty name counts as none, unless there is no other; so does an object: the next selector leads into it.
        let all: Vec<Value> = form.name.iter().filter_map(|selector| select::value(machine, selector, &at)).collect();
        let is_empty = |value: &Value| value.as_text().is_some_and(|text| text.is_empty());
        let found = all.iter().find(|value| !is_empty(value) && !is_made(machine, value)).or(all.first()).cloned();
        let value = found.unwrap_or_else(|| Value::Unknown(Rc::new(Unknown::because("no name was found"))));
        let several = value.options().len() > 1;
        for option in value.options() {
            match &machine.plain_text(option.clone()) {
                Value::Text(text) if text.unknown().is_none() => self.offers.push(Offer {
                    kind: form.kind,
                    framework: id.framework,
                    name: prefixed(&form.prefix, text),
                    server,
                    stack: call.stack.clone(),
                    conditional: call.perhaps || perhaps || several,
                    forced: call.forced,
                }),
                other => {
                    let reason = machine.reason_of(other).reason.to_string();
                    self.unnamed.push(Unnamed { kind: form.kind, reason, server, stack: call.stack.clone() });
                }
            }
        }
    }

    /// Runs the handlers whose answers are lists of tools, prompts or resources.
    fn finish(&mut self, machine: &mut Machine<'_>) {
        for (id, call, result, applied) in std::mem::take(&mut self.waiting) {
            self.register_each(machine, id, &call, result, applied.as_ref());
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
                (Some(_), On::Call) => !call.decorates && (waits || uses_application(form)),
                (Some(_), _) | (None, On::Decorator | On::CalledDecorator) => false,
                (None, On::Call) => !waits && (call.new || !registers_later),
                (None, _) => true,
            };
            if !fits_application || form.fallback {
                continue;
            }
            let matched = match &applied {
                Some(_) => Rc::new(OutsideCall { decorates: call.decorates, ..(*matched).clone() }),
                None => Rc::clone(&matched),
            };
            if self.matches(machine, id, &matched, matched.callee) {
                handled = Handled::Kept;
                let is_new_kind = self.frameworks.form(id).kind != Kind::Server;
                self.register(machine, id, &matched, result, applied.clone());
                // A server of one framework is no server of another.
                if is_new_kind && self.frameworks.form(id).each.is_none() {
                    break;
                }
            }
        }
        handled
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

/// Whether a value is an instance of a class of another package.
fn is_made(machine: &Machine<'_>, value: &Value) -> bool {
    value.as_object().is_some_and(|id| match &machine.object(id).body {
        Body::Outside(outside) => matches!(&**outside, Outside::Result(call) if call.new),
        _ => false,
    })
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
