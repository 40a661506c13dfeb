//! Matches calls against the forms of frameworks.

use smol_str::SmolStr;

use super::Registry;
use super::select::{self, From};
use crate::framework::{CalleePattern, Form, FormId, Gate, On};
use crate::machine::{Body, Machine, ObjectId, Outside, OutsideCall, Value};
use crate::syntax::Family;

/// The thing that a callee leads back to.
pub(super) enum Root {
    /// A package, by the module that is imported from it.
    Package(SmolStr),
    /// A global variable of the language.
    Global,
    /// An argument that is never passed, so that its value is unknown.
    Given,
    Nothing,
}

impl Registry<'_> {
    /// The name of a package, if it is one.
    pub(super) fn package(machine: &Machine<'_>, id: ObjectId) -> Option<SmolStr> {
        match &machine.object(id).body {
            Body::Outside(outside) => match &**outside {
                Outside::Export { module, path } if path.is_empty() => Some(module.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The last name of a callee.
    pub(super) fn last(machine: &Machine<'_>, id: ObjectId) -> Option<SmolStr> {
        match &machine.object(id).body {
            Body::Outside(outside) => match &**outside {
                Outside::Export { path, .. } => path.last().cloned(),
                Outside::Member { key, .. } => Some(key.clone()),
                Outside::Result(_) | Outside::Given { .. } => None,
            },
            _ => None,
        }
    }

    /// Whether something is exported by a module of another package, and not a member of what is exported.
    fn is_function(machine: &Machine<'_>, id: ObjectId) -> bool {
        match &machine.object(id).body {
            Body::Outside(outside) => matches!(&**outside, Outside::Export { path, .. } if path.len() == 1),
            _ => false,
        }
    }

    /// The object that a method is called on.
    pub(super) fn receiver(machine: &Machine<'_>, id: ObjectId) -> Option<ObjectId> {
        match &machine.object(id).body {
            Body::Outside(outside) => match &**outside {
                Outside::Member { of, .. } => Some(*of),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn matches(&self, machine: &mut Machine<'_>, id: FormId, call: &OutsideCall, callee: ObjectId) -> bool {
        let (framework, form) = (self.frameworks.framework(id), self.frameworks.form(id));
        let is_right_kind = match form.on {
            // In Python a class is called like a function.
            On::Call => (!call.new || self.family == Family::Python) && !call.decorates,
            On::New | On::Struct => call.new,
            On::Decorator => call.decorates,
            On::CalledDecorator | On::ClassDecorator | On::Members => call.decorates,
            _ => false,
        };
        if !is_right_kind || call.args.len() < form.min_args && !call.open {
            return false;
        }
        let root = root(machine, callee);
        let fits = match &form.path {
            // A function of a module is no method.
            Some(CalleePattern::Method(_)) if Self::is_function(machine, callee) => false,
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
        fits && self.fits_first(machine, form, call, callee) && self.is_switched_on(machine, form, call, callee)
    }

    /// Whether the first argument is one of those that the form asks for, or leads to a text that is.
    fn fits_first(&self, machine: &mut Machine<'_>, form: &Form, call: &OutsideCall, callee: ObjectId) -> bool {
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
        let is_it = first.value.options().iter().any(|value| {
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
        });
        if is_it {
            return true;
        }
        let at = From { call, callee, each: None, applied: None, is_bare: false, is_given_back: false, file: None };
        let text = form
            .or_first
            .as_ref()
            .and_then(|selector| select::value(machine, selector, &at)?.as_text().map(SmolStr::from));
        text.is_some_and(|text| form.first.contains(&text))
    }

    fn is_switched_on(&self, machine: &mut Machine<'_>, form: &Form, call: &OutsideCall, callee: ObjectId) -> bool {
        let at = From { call, callee, each: None, applied: None, is_bare: false, is_given_back: false, file: None };
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
                    Outside::Member { key, .. } => form.given_by.contains(key),
                    _ => false,
                },
                _ => false,
            });
        !off && !elsewhere && given
    }
}

/// Follows members, calls and instances back to where they come from.
pub(super) fn root(machine: &Machine<'_>, id: ObjectId) -> Root {
    /// The maximum number of steps back to the root.
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

/// The module that a callee comes from; `None` if it is no other package's.
pub(super) fn package_of(machine: &Machine<'_>, id: ObjectId) -> Option<SmolStr> {
    match root(machine, id) {
        Root::Package(module) => Some(module),
        Root::Global | Root::Given | Root::Nothing => None,
    }
}
