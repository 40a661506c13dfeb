//! Programs, run abstractly: forwards, from their entry points, without effects.
//!
//! A machine runs the code of one program ([`crate::code`]). Values that only the outside could tell (arguments, the
//! environment, answers of other packages) are unknown, with a reason; a condition that is unknown runs both branches
//! and joins what they did ([`heap`]). Whenever the program calls something of another package, [`Effects`] sees the
//! call, with its arguments as they are then and the stack of calls that led to it. The machine knows how programs run,
//! and nothing of what such a call means.
//!
//! The standard library of each language is written in that language, in `prelude/`, on top of the functions in
//! [`native`].

mod ask;
mod asked;
mod assign;
mod associated;
mod attribute;
mod call;
mod class;
mod data;
mod express;
mod fits;
mod force;
mod heap;
mod items;
mod iterate;
mod member;
mod message;
mod module;
mod narrow;
mod native;
mod operate;
mod outside;
mod realm;
mod recursion;
mod run;
mod share;
mod start;
mod table;
mod text;
pub(crate) mod trial;
mod value;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use rayon::{ThreadPool, ThreadPoolBuilder};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

pub(crate) use self::asked::Cases;
use self::express::Args;
pub(crate) use self::force::contains_one;
use self::heap::{Heap, ScopeId};
use self::module::ModuleState;
use self::realm::Realm;
pub(crate) use self::realm::prelude_names;
pub(crate) use self::start::Entry;
use self::value::Closure;
pub(crate) use self::value::{Body, Object, ObjectId, Outside, OutsideCall, Passed, Site, Slot, Value};
use crate::code::{Code, Offset};
use crate::found::{Place, Traced};
use crate::regex::Regex;
use crate::syntax::Family;
use crate::text::{FileId, Span};

/// The files of a program.
pub(crate) trait World {
    /// The code of a file; `None` if there is no such file or it is not code.
    fn code(&self, file: FileId) -> Option<Arc<Code>>;
    fn family(&self, file: FileId) -> Option<Family>;
    /// The path of a file from the root of the workspace.
    fn path(&self, file: FileId) -> &str;
    /// Resolves an import of `module` in the file `from`.
    fn resolve(&self, from: FileId, module: &str) -> Resolved;
    /// The text of a file that a program reads, by its path from the root of the workspace.
    fn text(&self, path: &str) -> Option<Arc<str>>;
    /// The names in a folder of the workspace, sorted; `None` if there is no such folder.
    fn folder(&self, path: &str) -> Option<Vec<SmolStr>>;
    /// A file by its path from the root of the workspace.
    fn file(&self, path: &str) -> Option<FileId>;
    /// Whether something that the program asked for is not here yet, so that it will run again.
    fn is_waiting(&self) -> bool {
        false
    }
    /// Whether the program should stop, since its results are no longer needed.
    fn is_stopped(&self) -> bool {
        false
    }
    /// Whether the code at a place may lead to a call that matters to the effects.
    fn matters(&self, _place: Place) -> bool {
        true
    }
}

/// Runs something on threads on which machines have the stack that they need.
pub(crate) fn on_large_stacks<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    static POOL: OnceLock<ThreadPool> = OnceLock::new();
    let pool = POOL.get_or_init(|| {
        let threads = ThreadPoolBuilder::new().stack_size(STACK).num_threads(rayon::current_num_threads());
        threads.build().expect("threads start")
    });
    pool.install(run)
}

/// The target of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Resolved {
    Found(FileId),
    /// Another package, of which only the name is known.
    Outside,
    /// There is no such file.
    Absent,
}

/// An observer of calls into other packages.
pub(crate) trait Effects {
    /// Called for each such call, before the program goes on. The answer says whether the functions among its arguments
    /// are handlers, which do not run now.
    fn called(&mut self, machine: &mut Machine<'_>, call: &Rc<OutsideCall>, result: ObjectId) -> Handled;

    /// Whether calls of methods of this name are of interest, whatever they are called on.
    fn watches(&self, _key: &str) -> bool {
        false
    }

    /// Whether the package that a value comes from has a known member called `name`.
    fn knows(&self, _machine: &Machine<'_>, _of: ObjectId, _name: &str) -> bool {
        false
    }

    /// Called when values get into the hands of something unknown; `name` is what it is called in the program.
    fn handed(&mut self, _machine: &Machine<'_>, _values: &[&Value], _name: &str, _place: Place) {}

    /// Called when a comparison asks whether two values are equal, at the place of its expression.
    fn compared(&mut self, _machine: &mut Machine<'_>, _a: &Value, _b: &Value, _place: Place) {}

    /// Called when a comparison asks whether a list, table or text contains a value, at the place of its expression.
    fn searched(&mut self, _value: &Value, _place: Place) {}

    /// Called when a statement throws, and nothing unknown decides whether it does.
    fn thrown(&mut self, _place: Place) {}

    /// The functions that a framework calls with the rows of a table, each with the arguments of these calls. They are
    /// taken, and run when the program is over.
    fn tabled(&mut self) -> Vec<(Value, Vec<Vec<Passed>>)> {
        Vec::new()
    }

    /// Called once, when the program is over.
    fn concluded(&mut self, _machine: &mut Machine<'_>) {}

    /// Called when everything ran that runs without being asked for.
    fn ended(&mut self, _machine: &mut Machine<'_>) {}
}

/// Regular expressions by their text and flags.
type Patterns = FxHashMap<(SmolStr, SmolStr), Option<Rc<Regex>>>;

/// What a callee does with the functions among its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Handled {
    /// They run only when the server handles a request.
    Kept,
    /// They may run at any time.
    Run,
    /// They run immediately, before the program continues, and whatever happens to them later.
    Now,
}

/// The maximum number of steps of a program, unless [`Machine::allow`] sets another.
const STEPS: u64 = 6_000_000;
/// The maximum number of steps of a function that runs only on request.
const SHARE: u64 = 2_000_000;
/// The same for a function that does not seem to matter, and for all of these.
const SMALL_SHARE: u64 = 1_000;
const SMALL_SHARES: u64 = 50_000;
/// The number of steps between two checks whether the program is still needed, and the number of such checks that it
/// may pass while it waits for files.
const STEPS_BETWEEN_LOOKS: u64 = 4_096;
const PATIENCE: u32 = 50;
/// The size of the stack that a program needs, in bytes.
const STACK: usize = 512 << 20;
/// The maximum depth of nested calls.
const MAX_CALLS: usize = 180;

/// A program that is running.
pub(crate) struct Machine<'w> {
    pub(crate) world: &'w dyn World,
    /// The language of the program.
    family: Family,
    /// The start of the program.
    entry: Place,
    effects: Option<&'w mut dyn Effects>,
    heap: Heap,
    realms: FxHashMap<Family, Rc<Realm>>,
    modules: FxHashMap<FileId, ModuleState>,
    /// The number of steps left.
    fuel: u64,
    /// The number of steps taken.
    steps: u64,
    /// How many more looks the program may take while it waits for files before it is stopped.
    patience: u32,
    /// Whether the program was ended from outside.
    is_over: bool,
    /// If the running code has a share of the steps of its own, since it leads to nothing that matters: how many steps
    /// the code around it has left.
    set_aside: Option<u64>,
    /// Whether functions of the program matter, by their address.
    mattering: FxHashMap<usize, bool>,
    /// Whether a function did not come to its end with its share of these steps, and which did not: by their address,
    /// those that code of less weight called also by their scope, since a wrapper may run anything.
    is_tight: bool,
    exhausted: FxHashSet<(usize, Option<ScopeId>)>,
    /// The places of the calls that are running, outermost first.
    stack: Vec<Place>,
    /// The number of unknown conditions that the running code depends on.
    doubt: u32,
    /// The number of nested loop iterations that are running.
    turns: u32,
    /// Whether the call that runs is the application of a decorator.
    decorates: bool,
    /// For each running function, by its address, how many unknown conditions each of its calls depends on.
    active: FxHashMap<usize, Vec<u32>>,
    /// The functions of the program that ran, by their address.
    ran: FxHashMap<usize, Place>,
    /// The places of the calls of other packages' functions that ran.
    called: BTreeSet<(FileId, Offset)>,
    /// Whether the running code belongs to a function that another package may call.
    is_speculative: bool,
    /// Whether parameters of functions that nothing calls have their defaults, and objects of the types that are written.
    supposes: bool,
    /// The values that the running functions may have returned already, depending on an unknown condition.
    returned: Vec<Vec<Value>>,
    /// The values that the running generators have yielded.
    yielded: Vec<Vec<Slot>>,
    /// The exceptions that are being handled.
    caught: Vec<Value>,
    /// Functions that were passed to other packages, which may call them.
    waiting: Vec<(Value, Place)>,
    /// The number of closures of each function that were queued, by the address of the function.
    queued: FxHashMap<usize, u32>,
    /// Functions that run after everything that runs now: timers.
    later: Vec<(Value, Place)>,
    /// The number of calls of unknown values, each of which may have thrown.
    unknown_calls: u64,
    /// Members of things of other packages that were read, so that each has one identity.
    members: FxHashMap<(ObjectId, SmolStr), ObjectId>,
    /// The same for exports of other packages.
    exports: FxHashMap<(SmolStr, String), ObjectId>,
    /// The functions that the preludes are written with.
    intrinsic: Option<ObjectId>,
    /// The exports that are being looked for in modules that pass on those of others.
    searched: Vec<(FileId, SmolStr)>,
    /// The modules whose exports are being listed.
    listed: Vec<FileId>,
    /// The names of `use` that are being looked up, and the modules whose items are.
    followed_paths: Vec<ObjectId>,
    searched_scopes: Vec<ScopeId>,
    /// The number of nested `try` statements that are running.
    guards: u32,
    /// The places where the program was cut off, with the reasons.
    pub(crate) cut: Vec<(Option<Place>, Cow<'static, str>)>,
    symbols: u32,
    /// The handler that is being run to see how it tells tools apart.
    asking: Option<asked::Asking>,
    /// The texts that tables were looked into with, with the place of the key that was found.
    lookups: Vec<(Rc<Traced>, Place)>,
    /// Literals that are equal to the name of a function or by which it was found in its module, each with the place
    /// of that name.
    named: Vec<(Place, Place)>,
    /// The places of pairs of literals that were compared and are equal, in both orders.
    equals: BTreeMap<(Place, Place), SmolStr>,
    /// The regular expressions that were matched, by their text and flags; those that are not valid are `None`.
    patterns: RefCell<Patterns>,
    /// Code that did not run, since what is known decided so.
    passed: FxHashSet<Place>,
    /// The values that expressions at certain places had, each with whether it may not have run.
    probes: FxHashMap<Place, Vec<(Value, bool)>>,
    /// The last name of the callee that was evaluated last.
    calling: Option<SmolStr>,
    /// The place of the comparison that is being made.
    comparing: Option<Place>,
    /// The class that a metaclass is creating.
    making: Option<ObjectId>,
    /// Whether the chain of members that was evaluated last ended at a `?.`.
    is_short: bool,
}

/// Why code does not run on.
#[derive(Debug, Clone)]
pub(crate) enum Abrupt {
    Throw(Value),
    /// An expression leads out of the statement that it is in: `x.unwrap_or_else(|| return y)`, `match x { _ => continue }`.
    Leave(Box<Flow>),
    /// The program is over: it ended itself, or no fuel is left.
    Stop,
}

pub(crate) type Run<T> = Result<T, Abrupt>;

/// One of several ways in which a program may continue.
type Branch<'b, M, T> = Box<dyn FnOnce(&mut M) -> Run<T> + 'b>;

/// The control flow after a statement.
#[derive(Debug, Clone)]
pub(crate) enum Flow {
    Next,
    Return(Value),
    /// The value of the expression that the statement is in.
    Give(Value),
    Break(Option<SmolStr>),
    Continue(Option<SmolStr>),
}

/// The function or module that code belongs to.
#[derive(Debug, Clone)]
struct Frame {
    site: Site,
    family: Family,
    this: Value,
    /// The object whose parent `super` is.
    home: Option<ObjectId>,
    /// The class whose constructor runs.
    class: Option<ObjectId>,
}

/// The context in which code runs: its frame and its innermost scope.
#[derive(Clone, Copy)]
struct At<'f> {
    frame: &'f Frame,
    scope: ScopeId,
}

impl At<'_> {
    fn within(self, scope: ScopeId) -> Self {
        At { scope, ..self }
    }
}

impl<'w> Machine<'w> {
    /// A machine for the program that begins with a file.
    pub(crate) fn new(world: &'w dyn World, effects: &'w mut dyn Effects, entry: FileId) -> Machine<'w> {
        Machine {
            world,
            family: world.family(entry).unwrap_or(Family::TypeScript),
            entry: Place { file: entry, item: 0, span: Span::default() },
            effects: Some(effects),
            heap: Heap::default(),
            realms: FxHashMap::default(),
            modules: FxHashMap::default(),
            fuel: STEPS,
            steps: 0,
            patience: PATIENCE,
            is_over: false,
            set_aside: None,
            is_tight: false,
            exhausted: FxHashSet::default(),
            mattering: FxHashMap::default(),
            stack: Vec::new(),
            doubt: 0,
            turns: 0,
            decorates: false,
            active: FxHashMap::default(),
            ran: FxHashMap::default(),
            called: BTreeSet::new(),
            is_speculative: false,
            supposes: false,
            returned: Vec::new(),
            yielded: Vec::new(),
            caught: Vec::new(),
            waiting: Vec::new(),
            queued: FxHashMap::default(),
            later: Vec::new(),
            unknown_calls: 0,
            members: FxHashMap::default(),
            exports: FxHashMap::default(),
            intrinsic: None,
            searched: Vec::new(),
            listed: Vec::new(),
            followed_paths: Vec::new(),
            searched_scopes: Vec::new(),
            guards: 0,
            cut: Vec::new(),
            symbols: 0,
            asking: None,
            lookups: Vec::new(),
            named: Vec::new(),
            equals: BTreeMap::new(),
            patterns: RefCell::default(),
            passed: FxHashSet::default(),
            probes: FxHashMap::default(),
            calling: None,
            comparing: None,
            making: None,
            is_short: false,
        }
    }

    /// Lets parameters of functions that nothing calls have their defaults, and objects of the types that are written.
    pub(crate) fn suppose(&mut self) {
        self.supposes = true;
    }

    /// Sets how many steps the program may take.
    pub(crate) fn allow(&mut self, steps: u64) {
        self.fuel = steps;
    }

    /// The number of allowed steps that were taken; all of them if more steps would have changed the result.
    pub(crate) fn spent(&self, allowed: u64) -> u64 {
        if self.is_tight { allowed } else { allowed.saturating_sub(self.fuel) }
    }

    /// Tells the effects that the program is over.
    pub(crate) fn conclude(&mut self) {
        if let Some(effects) = self.effects.take() {
            effects.concluded(self);
            self.effects = Some(effects);
        }
    }

    /// Tells the effects that everything ran.
    fn ended(&mut self) {
        if let Some(effects) = self.effects.take() {
            effects.ended(self);
            self.effects = Some(effects);
        }
    }

    /// Runs the functions that were passed to other packages, which may call them at any time.
    fn finish(&mut self) {
        /// The maximum number of functions that are run.
        const MOST: usize = 2_000;
        let (mut ran, mut small) = (0, SMALL_SHARES);
        while ran < MOST && !self.later.is_empty() {
            ran += 1;
            let (function, place) = self.later.remove(0);
            let _ = self.call(&function, Value::Undefined, Args::default(), place);
        }
        self.ended();
        while ran < MOST
            && let Some((function, place)) = self.take_waiting()
        {
            ran += 1;
            // What it does is not seen by the others: nobody knows whether and when it runs.
            self.heap.begin();
            self.is_speculative = true;
            let key = self.program_closure(&function).map(|closure| Arc::as_ptr(&closure.function) as usize);
            let matters = self.matters(&function) && key.is_none_or(|key| !self.exhausted.contains(&(key, None)));
            let (share, cut, before) = (SHARE.max(self.fuel / 2), self.cut.len(), self.fuel);
            let _ = self.within_share(share, |machine| match matters {
                true => machine.call_unknown(&function, place).and_then(|made| machine.begun(made)).map(Some),
                false => machine.aside(small.min(SMALL_SHARE), |machine| machine.call_unknown(&function, place)),
            });
            if matters && before - self.fuel >= share {
                self.exhausted.extend(key.map(|key| (key, None)));
            }
            if !matters {
                self.cut.truncate(cut);
                small = small.saturating_sub((before - self.fuel).min(SMALL_SHARE));
            }
            self.is_speculative = false;
            self.ended();
            let changes = self.heap.undo();
            self.heap.discard(changes);
        }
    }

    /// The function of the program that a value is.
    pub(super) fn program_closure(&self, function: &Value) -> Option<&Rc<Closure>> {
        match self.body_of(function)? {
            Body::Function(closure) => Some(closure),
            Body::Bound { function, .. } => match &self.heap.get(*function).body {
                Body::Function(closure) => Some(closure),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a function may lead to a call that matters.
    pub(super) fn matters(&self, function: &Value) -> bool {
        self.program_closure(function).is_none_or(|closure| self.matters_closure(closure))
    }

    /// The same for a function of the program.
    pub(super) fn matters_closure(&self, closure: &Closure) -> bool {
        !realm::is_prelude(closure.site.file) && self.world.matters(closure.site.place(closure.function.span))
    }

    fn take_waiting(&mut self) -> Option<(Value, Place)> {
        (!self.waiting.is_empty()).then(|| self.waiting.remove(0))
    }

    /// Ends the program if its results are no longer needed. While it waits for files, it may continue for a limited
    /// number of looks, to request other files that it needs.
    fn look_up(&mut self) {
        if self.world.is_waiting() {
            self.patience = self.patience.saturating_sub(1);
        }
        self.is_over |= self.patience == 0 || self.world.is_stopped();
    }

    /// Spends one step, and those for what was copied since the last one.
    fn step(&mut self) -> Run<()> {
        /// The number of elements that are copied in one step.
        const COPIED_A_STEP: u64 = 10;
        if self.heap.copied >= COPIED_A_STEP {
            let steps = std::mem::take(&mut self.heap.copied) / COPIED_A_STEP;
            self.fuel -= steps.min(self.fuel.saturating_sub(1));
        }
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_BETWEEN_LOOKS) {
            self.look_up();
        }
        match self.fuel {
            _ if self.is_over => Err(Abrupt::Stop),
            0 => Err(Abrupt::Stop),
            1 => {
                self.fuel = 0;
                let place = self.stack.last().copied().unwrap_or(self.entry);
                self.cut.push((Some(place), "the program takes too many steps".into()));
                Err(Abrupt::Stop)
            }
            _ => {
                self.fuel -= 1;
                Ok(())
            }
        }
    }

    pub(crate) fn object(&self, id: ObjectId) -> &Object {
        self.heap.get(id)
    }

    fn allocate(&mut self, parent: Option<ObjectId>, body: Body) -> ObjectId {
        self.heap.add(Object::new(parent, body))
    }

    fn list(&mut self, elements: Vec<Slot>) -> Value {
        Value::Object(self.allocate(None, Body::List(elements)))
    }

    /// Whether the running code may not run.
    fn is_doubtful(&self) -> bool {
        self.doubt > 0
    }

    /// Runs each branch on the same state and joins what they did. A branch that throws does not take part, unless all
    /// do. Nothing is left of what a single branch did but its effects if it is the only one that does not throw.
    fn fork<T>(&mut self, branches: Vec<Branch<'_, Self, T>>) -> Run<Vec<T>> {
        let mut changes = Vec::new();
        let mut results = Vec::new();
        let mut thrown = Vec::new();
        let mut left = Vec::new();
        for branch in branches {
            self.heap.begin();
            let doubt = self.doubt;
            self.doubt += 1;
            let result = branch(self);
            self.doubt = doubt;
            let changed = self.heap.undo();
            match result {
                Ok(value) => {
                    changes.push(changed);
                    results.push(value);
                }
                Err(Abrupt::Throw(value)) => {
                    self.heap.discard(changed);
                    thrown.push(value);
                }
                Err(Abrupt::Leave(flow)) => {
                    changes.push(changed);
                    left.push(*flow);
                }
                // The program ends itself in this branch.
                Err(Abrupt::Stop) if self.fuel > 0 => self.heap.discard(changed),
                Err(Abrupt::Stop) => return Err(Abrupt::Stop),
            }
        }
        if results.is_empty() && !left.is_empty() {
            self.heap.join(changes);
            return Err(Abrupt::Leave(Box::new(self.joined(left))));
        }
        // What comes after a branch that may have left is doubtful.
        self.doubt += u32::from(!left.is_empty());
        // Of a branch that leaves, only what it returns is of interest.
        let returned = left.into_iter().filter_map(|flow| match flow {
            Flow::Return(value) => Some(value),
            _ => None,
        });
        if let Some(known) = self.returned.last_mut() {
            known.extend(returned);
        }
        if results.is_empty() {
            return Err(if thrown.is_empty() { Abrupt::Stop } else { Abrupt::Throw(Value::one_of(thrown)) });
        }
        if changes.iter().any(|changed| !changed.is_empty()) {
            self.heap.join(changes);
        }
        Ok(results)
    }
}
