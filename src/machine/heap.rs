//! The heap and the scopes, with a journal by which branches are run one after the other and joined.
//!
//! Before a branch runs whose condition is unknown, [`Heap::begin`] opens a level of the journal. The first write to a
//! place in that level keeps the old state; [`Heap::undo`] restores it and returns the new states. After all branches
//! ran on the same start, [`Heap::join`] writes what the places may hold now.

use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smol_str::SmolStr;

use super::value::{Body, Object, ObjectId, Slot, Value};
use crate::found::Unknown;

/// The identity of a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ScopeId(u32);

/// The names of a block, function, class body or module.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub(super) parent: Option<ScopeId>,
    /// The variables, in the order in which they were first bound.
    names: IndexMap<SmolStr, Value, FxBuildHasher>,
    /// Whether it is the scope of a function or module: `var` and Python's assignments declare their names there.
    pub(super) is_function: bool,
    /// Whether functions inside do not see its names: the body of a Python class.
    pub(super) is_class: bool,
    /// The scopes of the names that `global` and `nonlocal` declare.
    pub(super) elsewhere: Vec<(SmolStr, ScopeId)>,
}

/// The objects and scopes of a program.
#[derive(Default)]
pub(super) struct Heap {
    objects: Vec<Object>,
    scopes: Vec<Scope>,
    levels: Vec<Level>,
    watched: Watch,
    /// The number of elements and entries created or copied since [`super::Machine::step`] last counted them.
    pub(super) copied: u64,
}

/// The old states of the places that were written in one branch.
#[derive(Default)]
struct Level {
    /// Objects and scopes from these numbers on were made in the branch; nothing outside it knows them.
    objects: u32,
    scopes: u32,
    names: FxHashMap<(ScopeId, SmolStr), Option<Value>>,
    states: FxHashMap<ObjectId, Object>,
    /// The order in which places were first written, so that joining is deterministic.
    order: Vec<Written>,
    /// The places that the code of modules wrote first.
    by_modules: Vec<Written>,
}

#[derive(Clone)]
enum Written {
    Name(ScopeId, SmolStr),
    Object(ObjectId),
}

/// The writes of a branch.
#[derive(Default)]
pub(super) struct Changes {
    names: FxHashMap<(ScopeId, SmolStr), Option<Value>>,
    states: FxHashMap<ObjectId, Object>,
    order: Vec<Written>,
    by_modules: Vec<Written>,
}

/// A watch for writes: how many objects and scopes there were at its beginning, and whether one of them was written.
#[derive(Debug, Default)]
pub(super) struct Watch {
    objects: u32,
    scopes: u32,
    has_written: bool,
}

/// The cost, in steps, of copying elements. Lists of lists that double from line to line would fill the memory.
fn weight(elements: u64) -> u64 {
    const LARGE: u64 = 10_000;
    if elements < LARGE { elements } else { elements * 10 }
}

impl Heap {
    pub(super) fn add(&mut self, object: Object) -> ObjectId {
        let id = ObjectId(self.objects.len() as u32);
        self.copied += weight(object.size());
        self.objects.push(object);
        id
    }

    /// Begins to watch for writes to what there is now; returns what was watched before.
    pub(super) fn watch(&mut self) -> Watch {
        let now = Watch { objects: self.objects.len() as u32, scopes: self.scopes.len() as u32, has_written: false };
        std::mem::replace(&mut self.watched, now)
    }

    /// Ends a watch; returns whether something was written that is older.
    pub(super) fn unwatch(&mut self, before: Watch) -> bool {
        let has_written = self.watched.has_written;
        self.watched = Watch { has_written: before.has_written || has_written, ..before };
        has_written
    }

    pub(super) fn len(&self) -> usize {
        self.objects.len()
    }

    /// Every object, in order of creation.
    pub(super) fn ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.objects.len() as u32).map(ObjectId)
    }

    pub(super) fn get(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    /// An object that is about to be changed.
    pub(super) fn change(&mut self, id: ObjectId) -> &mut Object {
        self.watched.has_written |= id.0 < self.watched.objects;
        if let Some(level) = self.levels.last_mut()
            && id.0 < level.objects
            && !level.states.contains_key(&id)
        {
            let old = &self.objects[id.0 as usize];
            self.copied += weight(old.size());
            level.states.insert(id, old.clone());
            level.order.push(Written::Object(id));
        }
        &mut self.objects[id.0 as usize]
    }

    pub(super) fn open(&mut self, parent: Option<ScopeId>) -> ScopeId {
        let id = ScopeId(self.scopes.len() as u32);
        self.scopes.push(Scope { parent, ..Scope::default() });
        id
    }

    pub(super) fn open_function(&mut self, parent: Option<ScopeId>) -> ScopeId {
        let id = self.open(parent);
        self.scopes[id.0 as usize].is_function = true;
        id
    }

    pub(super) fn scope(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.0 as usize]
    }

    pub(super) fn scope_mut(&mut self, id: ScopeId) -> &mut Scope {
        &mut self.scopes[id.0 as usize]
    }

    /// The value of a name in this scope alone.
    pub(super) fn own_name(&self, scope: ScopeId, name: &str) -> Option<&Value> {
        self.scope(scope).names.get(name)
    }

    /// The names of a scope, in the order in which they were first bound.
    pub(super) fn names(&self, scope: ScopeId) -> impl Iterator<Item = (&SmolStr, &Value)> {
        self.scope(scope).names.iter()
    }

    /// The scope that binds a name, seen from another one.
    pub(super) fn scope_of(&self, from: ScopeId, name: &str) -> Option<ScopeId> {
        let mut at = Some(from);
        while let Some(id) = at {
            let scope = self.scope(id);
            if let Some((_, target)) = scope.elsewhere.iter().find(|(declared, _)| declared == name) {
                return Some(*target).filter(|target| self.own_name(*target, name).is_some());
            }
            if scope.names.contains_key(name) && (id == from || !scope.is_class) {
                return Some(id);
            }
            at = scope.parent;
        }
        None
    }

    /// The innermost function or module around a scope.
    pub(super) fn function_around(&self, from: ScopeId) -> ScopeId {
        let mut at = from;
        loop {
            let scope = self.scope(at);
            match scope.parent {
                Some(parent) if !scope.is_function && !scope.is_class => at = parent,
                _ => return at,
            }
        }
    }

    pub(super) fn set_name(&mut self, scope: ScopeId, name: SmolStr, value: Value) {
        self.watched.has_written |= scope.0 < self.watched.scopes;
        if let Some(level) = self.levels.last_mut()
            && scope.0 < level.scopes
        {
            let key = (scope, name.clone());
            if !level.names.contains_key(&key) {
                let old = self.scopes[scope.0 as usize].names.get(&name).cloned();
                level.order.push(Written::Name(scope, name.clone()));
                level.names.insert(key, old);
            }
        }
        self.scopes[scope.0 as usize].names.insert(name, value);
    }

    pub(super) fn remove_name(&mut self, scope: ScopeId, name: &SmolStr) {
        if self.own_name(scope, name).is_some() {
            self.set_name(scope, name.clone(), Value::Undefined);
            self.scopes[scope.0 as usize].names.shift_remove(name);
        }
    }

    /// Opens a level of the journal.
    pub(super) fn begin(&mut self) {
        let (objects, scopes) = (self.objects.len() as u32, self.scopes.len() as u32);
        self.levels.push(Level { objects, scopes, ..Level::default() });
    }

    /// Closes the innermost level: restores what was written in it, and returns the new states.
    pub(super) fn undo(&mut self) -> Changes {
        let Some(level) = self.levels.pop() else { return Changes::default() };
        let mut changes = Changes { order: level.order, by_modules: level.by_modules, ..Changes::default() };
        for ((scope, name), old) in level.names {
            let names = &mut self.scopes[scope.0 as usize].names;
            let new = match old {
                Some(old) => names.insert(name.clone(), old),
                None => names.shift_remove(&name),
            };
            changes.names.insert((scope, name), new);
        }
        for (id, old) in level.states {
            let new = std::mem::replace(&mut self.objects[id.0 as usize], old);
            changes.states.insert(id, new);
        }
        changes
    }

    /// The number of places written in the innermost level.
    pub(super) fn written(&self) -> usize {
        self.levels.last().map_or(0, |level| level.order.len())
    }

    /// Notes that the code of a module wrote the places of the innermost level from the given one on.
    pub(super) fn written_by_module(&mut self, from: usize) {
        if let Some(level) = self.levels.last_mut() {
            let written = level.order.get(from..).unwrap_or_default();
            level.by_modules.extend_from_slice(written);
        }
    }

    /// Gives up the changes of a branch, but for what modules did: they do not run again.
    pub(super) fn discard(&mut self, changes: Changes) {
        let order = changes.by_modules;
        if order.is_empty() {
            return;
        }
        self.redo(Changes { order: order.clone(), by_modules: Vec::new(), ..changes });
        if let Some(level) = self.levels.last_mut() {
            level.by_modules.extend(order);
        }
    }

    /// Writes what the places hold after one of these branches has run.
    pub(super) fn join(&mut self, branches: Vec<Changes>) {
        if let [_] = branches.as_slice() {
            let Some(only) = branches.into_iter().next() else { return };
            return self.redo(only);
        }
        let mut order: Vec<Written> = Vec::new();
        let mut seen = (rustc_hash::FxHashSet::default(), rustc_hash::FxHashSet::default());
        for written in branches.iter().flat_map(|branch| &branch.order) {
            let is_new = match written {
                Written::Name(scope, name) => seen.0.insert((*scope, name.clone())),
                Written::Object(id) => seen.1.insert(*id),
            };
            if is_new {
                order.push(written.clone());
            }
        }
        for written in order {
            match written {
                Written::Name(scope, name) => {
                    let key = (scope, name.clone());
                    let old = self.own_name(scope, &name).cloned();
                    let states = branches.iter().map(|branch| branch.names.get(&key).cloned().unwrap_or(old.clone()));
                    // A name that only some branches declare is seen by nobody else in block scopes, and holds what
                    // they gave it in others.
                    let value = Value::one_of(states.flatten());
                    self.set_name(scope, name, value);
                }
                Written::Object(id) => {
                    let old = self.get(id).clone();
                    self.copied += weight(old.size() * (branches.len() as u64 + 1));
                    let mut states = branches.iter().map(|branch| branch.states.get(&id).unwrap_or(&old).clone());
                    let Some(first) = states.next() else { continue };
                    let joined = states.fold(first, |a, b| join_objects(&old, a, b));
                    *self.change(id) = joined;
                }
            }
        }
    }

    fn redo(&mut self, changes: Changes) {
        let Changes { mut names, mut states, order, .. } = changes;
        for written in order {
            match written {
                Written::Name(scope, name) => match names.remove(&(scope, name.clone())) {
                    Some(Some(value)) => self.set_name(scope, name, value),
                    Some(None) => self.remove_name(scope, &name),
                    None => {}
                },
                Written::Object(id) => {
                    if let Some(state) = states.remove(&id) {
                        *self.change(id) = state;
                    }
                }
            }
        }
    }
}

/// The object that is `a` or `b`; both began as `old`.
fn join_objects(old: &Object, a: Object, b: Object) -> Object {
    let more = a.more.clone().or_else(|| b.more.clone());
    let body = match (a.body, b.body) {
        (Body::List(a), Body::List(b)) => Body::List(join_lists(a, b)),
        (Body::Tuple(a), Body::Tuple(b)) => Body::Tuple(join_lists(a, b)),
        (Body::Table(a), Body::Table(b)) => Body::Table(join_tables(a, b)),
        (Body::Set(a), Body::Set(b)) => Body::Set(join_tables(a, b)),
        (Body::Generator { state, next: a }, Body::Generator { next: b, .. }) => {
            Body::Generator { state, next: a.max(b) }
        }
        (a, _) => a,
    };
    let props = join_tables(a.props, b.props);
    let parent = a.parent.or(b.parent).or(old.parent);
    Object { parent, props, body, more, frozen: a.frozen && b.frozen, literal: a.literal }
}

/// The list that is `a` or `b`: what both begin with is certain, the rest of each is not.
fn join_lists(a: Vec<Slot>, b: Vec<Slot>) -> Vec<Slot> {
    let same = a.iter().zip(&b).take_while(|(a, b)| a.value.is_same(&b.value)).count();
    let rest = |list: &[Slot]| -> Vec<Slot> {
        list[same..].iter().map(|slot| Slot { perhaps: true, ..slot.clone() }).collect()
    };
    let mut joined: Vec<Slot> =
        a[..same].iter().zip(&b).map(|(a, b)| Slot { perhaps: a.perhaps || b.perhaps, ..a.clone() }).collect();
    let (a, b) = (rest(&a), rest(&b));
    // What is in both, only at other places, is listed once.
    let only_in_b = b.into_iter().filter(|slot| !a.iter().any(|known| known.value.is_same(&slot.value)));
    let only_in_b: Vec<Slot> = only_in_b.collect();
    joined.extend(a);
    joined.extend(only_in_b);
    joined
}

fn join_tables<K: Clone + Eq + std::hash::Hash>(
    mut a: super::value::Table<K>,
    mut b: super::value::Table<K>,
) -> super::value::Table<K> {
    for (key, slot) in &mut a {
        match b.get_mut(key) {
            Some(other) => {
                slot.value = Value::one_of([slot.value.clone(), other.value.clone()]);
                slot.perhaps |= other.perhaps;
            }
            None => slot.perhaps = true,
        }
    }
    for (key, slot) in b {
        a.entry(key).or_insert(Slot { perhaps: true, ..slot });
    }
    a
}

impl Changes {
    /// Whether nothing was written.
    pub(super) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }
}

/// The first of two reasons.
pub(super) fn first_reason(a: Option<Rc<Unknown>>, b: Option<Rc<Unknown>>) -> Option<Rc<Unknown>> {
    a.or(b)
}
