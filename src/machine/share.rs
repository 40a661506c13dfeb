//! Shares of the steps: code that leads to nothing that matters leaves most of them to the rest.

use std::rc::Rc;
use std::sync::Arc;

use super::value::{Closure, Value};
use super::{Abrupt, Machine, Run, realm};

/// The weight of a function relative to the code that calls it.
enum Weight {
    Same,
    Less,
    More,
}

impl Machine<'_> {
    /// Runs something with a share of the steps, so that others keep theirs. If they do not suffice, it is cut off.
    pub(super) fn within_share<T>(&mut self, most: u64, run: impl FnOnce(&mut Self) -> Run<T>) -> Run<T> {
        let share = self.fuel.min(most);
        let rest = self.fuel - share;
        self.fuel = share;
        let lengths =
            (self.returned.len(), self.yielded.len(), self.caught.len(), self.searched.len(), self.listed.len());
        let (doubt, depth, guards, turns) = (self.doubt, self.stack.len(), self.guards, self.turns);
        let result = run(self);
        self.turns = turns;
        if matches!(result, Err(Abrupt::Stop)) {
            self.returned.truncate(lengths.0);
            self.yielded.truncate(lengths.1);
            self.caught.truncate(lengths.2);
            self.searched.truncate(lengths.3);
            self.listed.truncate(lengths.4);
            (self.doubt, self.guards, self.decorates, self.making) = (doubt, guards, false, None);
            self.stack.truncate(depth);
            self.active.clear();
        }
        self.fuel += rest;
        result
    }

    /// Runs a function of the program with the steps that it should have.
    pub(super) fn weighed(&mut self, closure: &Rc<Closure>, run: impl FnOnce(&mut Self) -> Run<Value>) -> Run<Value> {
        /// Which part of the steps a function may take that matters less, how many at most, and how many if it did not
        /// come to its end before.
        const PART: u64 = 4;
        const MOST: u64 = 2_000_000;
        const AGAIN: u64 = 2_000;
        match self.weight(closure) {
            Weight::Same => run(self),
            Weight::More => self.back(run),
            Weight::Less => {
                let key = (Arc::as_ptr(&closure.function) as usize, Some(closure.scope));
                let share = if self.exhausted.contains(&key) { AGAIN } else { (self.fuel / PART).min(MOST) };
                let cut = self.cut.len();
                let before = self.heap.watch();
                let called = self.aside(share, run);
                let has_written = self.heap.unwatch(before);
                let Some(called) = called.transpose() else {
                    self.is_tight = true;
                    self.exhausted.insert(key);
                    // What it would have written is missing elsewhere.
                    if !has_written {
                        self.cut.truncate(cut);
                    }
                    return Ok(Value::unknown("the result of a function that takes too many steps"));
                };
                called
            }
        }
    }

    fn weight(&mut self, closure: &Rc<Closure>) -> Weight {
        /// With fewer steps, nothing is shared.
        const LEAST: u64 = 100_000;
        if realm::is_prelude(closure.site.file) || self.set_aside.is_none() && self.fuel < LEAST {
            return Weight::Same;
        }
        let key = Arc::as_ptr(&closure.function) as usize;
        let matters = match self.mattering.get(&key) {
            Some(matters) => *matters,
            None => self.matters_closure(closure),
        };
        self.mattering.insert(key, matters);
        match (matters, self.set_aside) {
            (false, None) => Weight::Less,
            (true, Some(_)) => Weight::More,
            _ => Weight::Same,
        }
    }

    /// Runs something that leads to nothing that matters with a share of the steps; `None` if they do not suffice.
    pub(super) fn aside<T>(&mut self, share: u64, run: impl FnOnce(&mut Self) -> Run<T>) -> Run<Option<T>> {
        let share = share.min(self.fuel);
        let rest = self.fuel - share;
        self.set_aside = Some(rest);
        let mut is_spent = false;
        let result = self.within_share(share, |machine| {
            let result = run(machine);
            is_spent = machine.fuel == 0;
            result
        });
        // What it called may have taken steps of the rest.
        let left = self.set_aside.take().unwrap_or_default();
        self.fuel -= rest - left;
        match result {
            Err(Abrupt::Stop) if is_spent && left > 0 => Ok(None),
            result => result.map(Some),
        }
    }

    /// Runs something that matters, called by code that does not, with the steps of the code around that.
    fn back<T>(&mut self, run: impl FnOnce(&mut Self) -> Run<T>) -> Run<T> {
        let share = std::mem::replace(&mut self.fuel, self.set_aside.take().unwrap_or_default());
        let result = run(self);
        self.set_aside = Some(std::mem::replace(&mut self.fuel, share));
        result
    }
}
