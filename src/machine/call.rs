//! Calls: of functions, of classes, and of things of other packages.

use std::rc::Rc;
use std::sync::Arc;

use smol_str::SmolStr;

use super::express::Args;
use super::value::{Body, Closure, Passed, Slot, Steps, Table, Value};
use super::{At, Branch, MAX_CALLS, Machine, ObjectId, Run, ScopeId};
use crate::code::{Class, ClassBody, Declared, Expr, ExprKind, Function, Param, ParamKind, Target};
use crate::found::Place;
use crate::syntax::Family;

/// The reason for the arguments of a function that something unknown calls.
pub(super) const GIVEN: &str = "an argument that another package passes";

/// The maximum number of functions that are called if the callee is one of several.
const MOST_CALLEES: usize = 12;

impl Machine<'_> {
    /// The value of a function expression or declaration; `name` is what it is bound to.
    pub(super) fn closure(&mut self, function: &Arc<Function>, name: Option<&SmolStr>, at: At<'_>) -> Value {
        let this = function.is_arrow.then(|| at.frame.this.clone());
        let home = if function.is_arrow { at.frame.home } else { None };
        self.made_function(function, name, at, this, home)
    }

    /// A function that is a member of an object: `super` in it is the object's parent.
    pub(super) fn method(
        &mut self,
        function: &Arc<Function>,
        name: Option<&SmolStr>,
        home: ObjectId,
        at: At<'_>,
    ) -> Value {
        if function.is_arrow {
            return self.closure(function, name, at);
        }
        self.made_function(function, name, at, None, Some(home))
    }

    fn made_function(
        &mut self,
        function: &Arc<Function>,
        name: Option<&SmolStr>,
        at: At<'_>,
        this: Option<Value>,
        home: Option<ObjectId>,
    ) -> Value {
        let closure = Closure {
            function: Arc::clone(function),
            scope: at.scope,
            site: at.frame.site,
            this,
            home,
            defaults: Vec::new(),
        };
        let id = self.allocate(None, Body::Function(Rc::new(closure)));
        if let Some(name) = name
            && function.name.is_none()
        {
            let slot = Slot { hidden: true, ..Slot::new(Value::made(name)) };
            self.heap.change(id).props.insert(super::member::GIVEN_NAME.into(), slot);
        }
        Value::Object(id)
    }

    /// A function of Python: its defaults are evaluated and its decorators applied.
    pub(super) fn defined_function(&mut self, function: &Arc<Function>, at: At<'_>) -> Run<Value> {
        let mut decorators = Vec::new();
        for decorator in &function.decorators {
            decorators.push((self.eval(decorator, at)?, at.frame.site.place(decorator.span)));
        }
        let mut defaults = Vec::new();
        for param in &function.params {
            defaults.push(param.default.as_ref().map(|default| self.eval(default, at)).transpose()?);
        }
        let closure = Closure {
            function: Arc::clone(function),
            scope: at.scope,
            site: at.frame.site,
            this: None,
            home: at.frame.class,
            defaults,
        };
        let mut value = Value::Object(self.allocate(None, Body::Function(Rc::new(closure))));
        for (decorator, place) in decorators.into_iter().rev() {
            let args = Args { list: vec![Passed { name: None, value, place }], more: None };
            self.decorates = true;
            let made = self.call(&decorator, Value::Undefined, args, place);
            self.decorates = false;
            value = made?;
        }
        Ok(value)
    }

    /// Calls a value.
    pub(super) fn call(&mut self, callee: &Value, this: Value, args: Args, place: Place) -> Run<Value> {
        self.step()?;
        let decorates = std::mem::take(&mut self.decorates);
        let id = match callee {
            Value::Object(id) => *id,
            Value::OneOf(options) => {
                let options = Rc::clone(options);
                return self.call_one_of(&options, &this, &args, place, (false, decorates));
            }
            Value::Unknown(unknown) => {
                let unknown = Rc::clone(unknown);
                // `os.environ.get("TOOLS", "read_note")`
                if self.supposes
                    && self.calling.as_deref() == Some("get")
                    && let [_, default] = args.list.as_slice()
                {
                    return Ok(default.value.clone());
                }
                self.escaped(&this, &args, place);
                return Ok(Value::Unknown(unknown));
            }
            _ => {
                self.escaped(&this, &args, place);
                return Ok(Value::unknown("a call of something that is not known"));
            }
        };
        match &self.heap.get(id).body {
            Body::Function(closure) => {
                let closure = Rc::clone(closure);
                self.call_closure(&closure, this, args, place, None)
            }
            Body::Bound { function, this } => {
                let (function, this) = (Value::Object(*function), this.clone());
                match self.family {
                    Family::Python | Family::Rust => {
                        let mut list = vec![Passed { name: None, value: this, place }];
                        list.extend(args.list);
                        self.call(&function, Value::Undefined, Args { list, ..args }, place)
                    }
                    _ => self.call(&function, this, args, place),
                }
            }
            Body::Native(native) => {
                let native = *native;
                native.run(self, this, args, place)
            }
            Body::Class(_) if self.family != Family::TypeScript => self.construct(callee, args, place),
            // A class of the prelude that is called without `new`: `String(x)`, `Array(3)`.
            Body::Class(_) => {
                let called = self.heap.get(id).props.get("@@call").map(|slot| slot.value.clone());
                match called {
                    Some(function) => self.call(&function, callee.clone(), args, place),
                    None => self.construct(callee, args, place),
                }
            }
            Body::Outside(_) => {
                self.decorates = decorates;
                self.call_outside(id, &this, args, place, false, None)
            }
            Body::Plain if self.family == Family::Python => match self.class_member(id, "__call__") {
                Some(method) => self.call(&method, Value::Undefined, args, place),
                None => Ok(Value::unknown("a call of an object")),
            },
            _ => {
                self.escaped(&this, &args, place);
                Ok(Value::unknown("a call of an object"))
            }
        }
    }

    fn call_one_of(
        &mut self,
        options: &[Value],
        this: &Value,
        args: &Args,
        place: Place,
        (new, decorates): (bool, bool),
    ) -> Run<Value> {
        let callable: Vec<&Value> = options.iter().filter(|option| !option.is_nothing()).take(MOST_CALLEES).collect();
        let mut branches: Vec<Branch<'_, Self, Value>> = Vec::new();
        for option in callable {
            branches.push(Box::new(move |machine: &mut Self| match new {
                true => machine.construct(option, args.clone(), place),
                false => {
                    machine.decorates = decorates;
                    let made = machine.call(option, this.clone(), args.clone(), place);
                    machine.decorates = false;
                    made
                }
            }));
        }
        if branches.is_empty() {
            return Ok(Value::unknown("a call of something that is not known"));
        }
        self.fork(branches).map(Value::one_of)
    }

    /// Notes that values were handed to something unknown, which may call the functions among them.
    fn escaped(&mut self, this: &Value, args: &Args, place: Place) {
        self.unknown_calls += 1;
        if let Some(id) = this.as_object()
            && !matches!(self.heap.get(id).body, Body::Outside(_) | Body::Module(_))
        {
            self.spoil(this, "an unknown method");
        }
        for arg in &args.list {
            self.queue(&arg.value, place);
        }
        let values: Vec<&Value> = args.list.iter().map(|arg| &arg.value).collect();
        self.hand_over(&values, place);
    }

    /// Shows the effects that values get into the hands of something unknown.
    pub(super) fn hand_over(&mut self, values: &[&Value], place: Place) {
        if let Some(effects) = self.effects.take() {
            let name = self.calling.clone().unwrap_or_default();
            effects.handed(self, values, &name, place);
            self.effects = Some(effects);
        }
    }

    /// Remembers the functions in a value, which something unknown may call.
    pub(super) fn queue(&mut self, value: &Value, place: Place) {
        for option in value.options().to_vec() {
            self.wait(option, place);
        }
    }

    /// Remembers a value that something unknown may call, if it is a function.
    pub(super) fn wait(&mut self, value: Value, place: Place) {
        /// The maximum number of queued closures of a function that is unlikely to lead to a registration.
        const MOST: u32 = 4;
        let Some(closure) = self.program_closure(&value) else { return };
        let key = Arc::as_ptr(&closure.function) as usize;
        let count = self.queued.entry(key).or_default();
        *count += 1;
        if *count <= MOST || self.matters(&value) {
            self.waiting.push((value, place));
        }
    }

    /// Remembers that another package calls a function of Python with this object for its first argument.
    pub(crate) fn runs_with(&mut self, function: &Value, first: ObjectId, place: Place) {
        if self.family != Family::Python {
            return;
        }
        if let (Some(_), Some(function)) = (self.program_closure(function), function.as_object()) {
            let bound = self.allocate(None, Body::Bound { function, this: Value::Object(first) });
            self.wait(Value::Object(bound), place);
        }
    }

    /// Calls a function with unknown arguments.
    pub(super) fn call_unknown(&mut self, function: &Value, place: Place) -> Run<Value> {
        let more = Some(Value::unknown(GIVEN));
        self.call(function, Value::unknown("`this` of a callback"), Args { list: Vec::new(), more }, place)
    }

    pub(super) fn call_closure(
        &mut self,
        closure: &Rc<Closure>,
        this: Value,
        args: Args,
        place: Place,
        class: Option<ObjectId>,
    ) -> Run<Value> {
        if self.stack.len() >= MAX_CALLS {
            // Of a function that may never be called, a function that calls itself says nothing.
            if !self.is_speculative {
                self.cut.push((Some(place), "calls are nested too deeply".into()));
            }
            return Ok(Value::unknown("calls that are nested too deeply"));
        }
        let key = Arc::as_ptr(&closure.function) as usize;
        if self.repeats(key, &args) {
            return Ok(Value::unknown("the result of a function that calls itself"));
        }
        if self.goes_on_in_doubt(key) {
            if self.matters_closure(closure) {
                self.cut.push((Some(place), "a function that calls itself on an unknown condition".into()));
            }
            return Ok(Value::unknown("the result of a function that calls itself"));
        }
        self.note_receiver(closure, &args);
        self.weighed(closure, |machine| machine.go_into(closure, this, args, place, class))
    }

    /// Runs a function of the program.
    fn go_into(
        &mut self,
        closure: &Rc<Closure>,
        this: Value,
        args: Args,
        place: Place,
        class: Option<ObjectId>,
    ) -> Run<Value> {
        let key = Arc::as_ptr(&closure.function) as usize;
        let scope = self.heap.open_function(Some(closure.scope));
        if let (Some(name), Family::TypeScript) = (&closure.function.name, self.family)
            && self.heap.scope_of(closure.scope, name).is_none()
        {
            let value = Value::Object(self.allocate(None, Body::Function(Rc::clone(closure))));
            self.heap.set_name(scope, name.clone(), value);
        }
        // What a function of the program calls is looked at for itself.
        if !super::realm::is_prelude(place.file) {
            self.called.insert((place.file, place.start()));
        }
        self.stack.push(place);
        self.active.entry(key).or_default().push(self.doubt);
        let called = self.run_closure(closure, scope, this, args, class);
        self.active.get_mut(&key).map(Vec::pop);
        self.stack.pop();
        called
    }

    fn run_closure(
        &mut self,
        closure: &Rc<Closure>,
        scope: ScopeId,
        this: Value,
        args: Args,
        class: Option<ObjectId>,
    ) -> Run<Value> {
        let key = Arc::as_ptr(&closure.function) as usize;
        if !super::realm::is_prelude(closure.site.file) && !self.ran.contains_key(&key) {
            self.ran.insert(key, closure.site.place(closure.function.span));
        }
        self.bind_types(closure, scope, &args)?;
        self.bind_params(closure, scope, &this, args)?;
        if closure.function.is_generator {
            let state = Steps::Waiting { closure: Rc::clone(closure), scope, this };
            return Ok(Value::Object(self.allocate(None, Body::Generator { state, next: 0 })));
        }
        let class = class.or(if self.family == Family::Python { closure.home } else { None });
        let mut result = self.body(closure, scope, this, class);
        if self.family == Family::Rust {
            result = self.returned_error(result);
        }
        if closure.function.is_async {
            let settled = match result {
                Ok(value) => match self.body_of(&value) {
                    Some(Body::Promise(_)) => return Ok(value),
                    _ => Ok(value),
                },
                Err(super::Abrupt::Throw(thrown)) => Err(thrown),
                Err(stop) => return Err(stop),
            };
            return Ok(Value::Object(self.allocate(None, Body::Promise(settled))));
        }
        result
    }

    /// Binds the arguments of a call to the parameters.
    fn bind_params(&mut self, closure: &Rc<Closure>, scope: ScopeId, this: &Value, args: Args) -> Run<()> {
        let frame = super::Frame {
            site: closure.site,
            family: self.family,
            this: closure.this.clone().unwrap_or_else(|| this.clone()),
            home: closure.home,
            class: None,
        };
        let at = At { frame: &frame, scope };
        if closure.function.has_arguments && !closure.function.is_arrow {
            let list = args.list.iter().map(|arg| Slot::new(arg.value.clone())).collect();
            let all = self.list(list);
            if let (Some(Value::Unknown(more)), Some(id)) = (&args.more, all.as_object()) {
                self.heap.change(id).more = Some(Rc::clone(more));
            }
            self.heap.set_name(scope, "arguments".into(), all);
        }
        let (mut named, positional): (Vec<Passed>, Vec<Passed>) =
            args.list.into_iter().partition(|arg| arg.name.is_some());
        let mut next = positional.into_iter().peekable();
        for (index, param) in closure.function.params.iter().enumerate() {
            let value = match param.kind {
                ParamKind::Rest => {
                    let list: Vec<Slot> = next.by_ref().map(|arg| Slot::new(arg.value)).collect();
                    let body = if self.family == Family::Python { Body::Tuple(list) } else { Body::List(list) };
                    let id = self.allocate(None, body);
                    if let Some(Value::Unknown(more)) = &args.more {
                        self.heap.change(id).more = Some(Rc::clone(more));
                    }
                    Value::Object(id)
                }
                ParamKind::Keywords => {
                    let id = self.allocate(None, Body::Table(Table::default()));
                    for arg in std::mem::take(&mut named) {
                        let name = arg.name.clone().unwrap_or_default();
                        let start = arg.place.span.start;
                        let span = crate::text::Span { start, end: start + name.len() as u32 };
                        let place = Place { span, ..arg.place };
                        let key = match super::realm::is_prelude(place.file) {
                            true => Value::made(&name),
                            false => Value::text(crate::found::Traced::literal(name, place)),
                        };
                        self.table_set(id, &key, arg.value);
                    }
                    if let Some(Value::Unknown(more)) = &args.more {
                        self.heap.change(id).more = Some(Rc::clone(more));
                    }
                    Value::Object(id)
                }
                kind => {
                    let name = match &param.target {
                        Target::Name { name, .. } if kind != ParamKind::Positional => Some(name),
                        _ => None,
                    };
                    let by_name = name.and_then(|name| named.iter().position(|arg| arg.name.as_ref() == Some(name)));
                    let passed = match by_name {
                        Some(place) => Some(named.remove(place)),
                        None if kind == ParamKind::Keyword => None,
                        None => next.next(),
                    };
                    match (passed, &args.more) {
                        (Some(passed), _) => passed.value,
                        (None, Some(more)) if let Some(value) = self.supposed(closure, (index, param), more, at)? => {
                            value
                        }
                        (None, Some(more)) => {
                            let reason = match &param.target {
                                Target::Name { name, .. } => format!("`{name}` is a parameter of its function"),
                                _ => "a parameter of its function".to_string(),
                            };
                            match (more, &param.target) {
                                (Value::Unknown(unknown), Target::Name { name, .. }) if unknown.reason == GIVEN => {
                                    self.given(name.clone())
                                }
                                (Value::Unknown(unknown), _) if unknown.reason == GIVEN => Value::unknown(reason),
                                (more, _) => more.clone(),
                            }
                        }
                        (None, None) => match closure.defaults.get(index).cloned().flatten() {
                            Some(default) => default,
                            None => Value::Undefined,
                        },
                    }
                }
            };
            let value = match (&value, &param.default) {
                (Value::Undefined, Some(default)) if self.family != Family::Python => match &param.target {
                    Target::Name { name, .. } => self.eval_named(default, name, at)?,
                    _ => self.eval(default, at)?,
                },
                (Value::OneOf(options), Some(default))
                    if options.iter().any(|option| matches!(option, Value::Undefined)) =>
                {
                    let kept: Vec<Value> =
                        options.iter().filter(|option| !matches!(option, Value::Undefined)).cloned().collect();
                    let default = self.eval(default, at)?;
                    Value::one_of(kept.into_iter().chain([default]))
                }
                _ => value,
            };
            if param.is_field
                && let Target::Name { name, .. } = &param.target
            {
                let place = closure.site.place(closure.function.span);
                self.set_member(this, name, value.clone(), place)?;
            }
            self.bind(&param.target, value, Some(Declared::Block), at)?;
        }
        Ok(())
    }

    /// What a parameter probably gets from a caller that is not seen, if the machine may suppose so: its default, or an
    /// object of the package that its type comes from.
    fn supposed(
        &mut self,
        closure: &Closure,
        (index, param): (usize, &Param),
        more: &Value,
        at: At<'_>,
    ) -> Run<Option<Value>> {
        let is_given = matches!(more, Value::Unknown(unknown) if unknown.reason == GIVEN);
        if !self.supposes || !is_given {
            return Ok(None);
        }
        match (&param.default, &param.annotation) {
            (Some(_), _) if self.family == Family::Python => Ok(closure.defaults.get(index).cloned().flatten()),
            (Some(default), _) => self.eval(default, at).map(Some),
            (None, Some(annotation)) => self.of_type(annotation, at),
            (None, None) => Ok(None),
        }
    }

    /// An object of a package's class, by its name in an annotation: `client: OpenAI`, `client: OpenAI | None`.
    fn of_type(&mut self, annotation: &Expr, at: At<'_>) -> Run<Option<Value>> {
        let named = match &annotation.kind {
            ExprKind::Name(_) | ExprKind::Member { .. } => annotation,
            ExprKind::Binary(_, left, _) => return self.of_type(left, at),
            _ => return Ok(None),
        };
        let class = self.eval(named, at)?;
        match self.body_of(&class) {
            Some(Body::Outside(_)) => {
                let place = at.frame.site.place(annotation.span);
                self.construct(&class, Args { list: Vec::new(), more: None }, place).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// `new callee(args)`, and the call of a class of Python.
    pub(super) fn construct(&mut self, callee: &Value, args: Args, place: Place) -> Run<Value> {
        let id = match callee {
            Value::Object(id) => *id,
            Value::OneOf(options) => {
                let options = Rc::clone(options);
                return self.call_one_of(&options, &Value::Undefined, &args, place, (true, false));
            }
            // A struct whose type is not seen has the fields that are written.
            Value::Unknown(_) if self.family == Family::Rust => return self.record(None, args, place),
            _ => return self.call(callee, Value::Undefined, args, place),
        };
        match &self.heap.get(id).body {
            Body::Class(_) if self.family == Family::Python => self.instantiate(id, args, place),
            Body::Class(_) if self.family == Family::Rust => self.record(Some(id), args, place),
            Body::Class(info) => {
                let prototype = info.prototype;
                let this = Value::Object(self.allocate(prototype, Body::Plain));
                let made = self.initialise(id, &this, args, place)?;
                Ok(if made.as_object().is_some() { made } else { this })
            }
            Body::Function(closure) => {
                let closure = Rc::clone(closure);
                let prototype = self.member(callee, "prototype", place)?.as_object();
                let this = Value::Object(self.allocate(prototype, Body::Plain));
                let made = self.call_closure(&closure, this.clone(), args, place, None)?;
                Ok(if made.as_object().is_some() { made } else { this })
            }
            Body::Outside(_) => {
                let fields = if self.family == Family::Rust { args.list.clone() } else { Vec::new() };
                let made = self.call_outside(id, &Value::Undefined, args, place, true, None)?;
                if let Some(id) = made.as_object() {
                    for field in fields {
                        if let Some(name) = field.name {
                            self.heap.change(id).props.insert(name, Slot::new(field.value));
                        }
                    }
                }
                Ok(made)
            }
            Body::Bound { function, .. } => {
                let function = Value::Object(*function);
                self.construct(&function, args, place)
            }
            _ => self.call(callee, Value::Undefined, args, place),
        }
    }

    /// Runs the constructor of a class on a new instance; the class may be a base of the instance's own.
    pub(super) fn initialise(&mut self, class: ObjectId, this: &Value, args: Args, place: Place) -> Run<Value> {
        let info = match &self.heap.get(class).body {
            Body::Class(info) => Rc::clone(info),
            Body::Outside(_) => {
                return self.call_outside(class, &Value::Undefined, args, place, true, this.as_object());
            }
            Body::Function(closure) => {
                let closure = Rc::clone(closure);
                return self.call_closure(&closure, this.clone(), args, place, None);
            }
            _ => return Ok(Value::Undefined),
        };
        let base = info.bases.first().cloned();
        match &info.constructor {
            Some(constructor) => {
                if base.is_none() {
                    self.init_fields(class, this)?;
                }
                let Some(Body::Function(closure)) = self.body_of(constructor) else { return Ok(Value::Undefined) };
                let closure = Rc::clone(closure);
                self.call_closure(&closure, this.clone(), args, place, Some(class))
            }
            None => {
                let mut made = Value::Undefined;
                if let Some(base) = base {
                    made = self.construct_base(&base, this, args, place)?;
                }
                let this = if made.as_object().is_some() { &made } else { this };
                self.init_fields(class, this)?;
                Ok(made)
            }
        }
    }

    fn construct_base(&mut self, base: &Value, this: &Value, args: Args, place: Place) -> Run<Value> {
        match base {
            Value::Object(base) => self.initialise(*base, this, args, place),
            Value::OneOf(options) => {
                let options = Rc::clone(options);
                for option in options.iter() {
                    self.construct_base(option, this, args.clone(), place)?;
                }
                Ok(Value::Undefined)
            }
            other => {
                let reason = self.reason_of(other);
                if let Some(id) = this.as_object() {
                    self.heap.change(id).more.get_or_insert(reason);
                }
                Ok(Value::Undefined)
            }
        }
    }

    /// `super(args)` in a constructor.
    pub(super) fn super_call(&mut self, args: Args, place: Place, at: At<'_>) -> Run<Value> {
        let this = at.frame.this.clone();
        // In an arrow function of the constructor, the class is that of its home.
        let class = at.frame.class.or_else(|| self.class_of_home(at.frame.home));
        let Some(class) = class else { return Ok(Value::Undefined) };
        let base = match &self.heap.get(class).body {
            Body::Class(info) => info.bases.first().cloned(),
            _ => None,
        };
        if let Some(base) = base {
            self.stack.push(place);
            let made = self.construct_base(&base, &this, args, place);
            self.stack.pop();
            made?;
        }
        self.init_fields(class, &this)?;
        Ok(Value::Undefined)
    }

    fn class_of_home(&self, home: Option<ObjectId>) -> Option<ObjectId> {
        self.heap.get(home?).props.get("constructor").and_then(|slot| slot.value.as_object())
    }

    fn init_fields(&mut self, class: ObjectId, this: &Value) -> Run<()> {
        let Body::Class(info) = &self.heap.get(class).body else { return Ok(()) };
        let info = Rc::clone(info);
        let Some(id) = this.as_object() else { return Ok(()) };
        let frame = super::Frame {
            site: info.site,
            family: self.family,
            this: this.clone(),
            home: info.prototype,
            class: Some(class),
        };
        let scope = self.heap.open_function(Some(info.scope));
        let at = At { frame: &frame, scope };
        for (key, index) in &info.fields {
            let ClassBody::Members(members) = &info.class.body else { break };
            let crate::code::MemberKind::Field { value, .. } = &members[*index].kind else { continue };
            let name = SmolStr::from(key.text());
            let value = match value {
                Some(value) => self.eval_named(value, &name, at)?,
                // A field that is only declared has its value already if the base set it; one without a value in
                // JavaScript is undefined.
                None if self.heap.get(id).props.contains_key(&name) => continue,
                None => Value::Undefined,
            };
            self.define(id, &Value::Text(Rc::clone(key)), value);
        }
        Ok(())
    }

    /// Values that only the scope of a call can tell: `super()`, `locals()`, `require(…)`.
    pub(super) fn scoped_builtin(
        &mut self,
        callee: &Value,
        call: &crate::code::Call,
        at: At<'_>,
    ) -> Run<Option<Value>> {
        let Some(Body::Native(native)) = self.body_of(callee) else { return Ok(None) };
        let native = *native;
        match native.name() {
            "require" => {
                let args = self.args(call, at)?;
                let module = args.list.first().map_or(Value::Undefined, |arg| arg.value.clone());
                self.require(&module, at).map(Some)
            }
            "super" => {
                let args = self.args(call, at)?;
                self.python_super(&args, at).map(Some)
            }
            "globals" => {
                let module = self.module_object(at.frame.site.file)?;
                let realm = self.realm();
                let class = realm.class(self, "_Globals");
                let id = self.allocate(class, Body::Plain);
                self.heap.change(id).props.insert("module".into(), Slot::new(module));
                Ok(Some(Value::Object(id)))
            }
            "locals" => Ok(Some(self.scope_table(at, false))),
            _ => Ok(None),
        }
    }

    /// The entry of a member by its class, or nothing.
    pub(super) fn class_decorators(&mut self, class: &Class, value: Value, at: At<'_>) -> Run<Value> {
        let mut value = value;
        let mut decorators = Vec::new();
        for decorator in &class.decorators {
            decorators.push((self.eval(decorator, at)?, at.frame.site.place(decorator.span)));
        }
        for (decorator, place) in decorators.into_iter().rev() {
            let args = Args { list: vec![Passed { name: None, value: value.clone(), place }], more: None };
            self.decorates = true;
            let made = self.call(&decorator, Value::Undefined, args, place);
            self.decorates = false;
            let made = made?;
            // What a decorator of another package makes of a class is still that class.
            let is_known = matches!(self.body_of(&made), Some(Body::Class(_) | Body::Function(_) | Body::Plain));
            if is_known {
                value = made;
            }
        }
        Ok(value)
    }
}
