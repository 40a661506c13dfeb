//! Statements.

use smol_str::SmolStr;

use super::value::Value;
use super::{Abrupt, At, Branch, Flow, Machine, Run};
use crate::code::{Case, Declared, Expr, ExprKind, Handler, Stmt, StmtKind, Target};
use crate::syntax::Family;

/// The maximum number of iterations of an endless loop that an unknown condition may have ended.
const MOST_DOUBTFUL_TURNS: u32 = 3;
/// The maximum number of iterations of a loop with a known condition.
const MAX_TURNS: u32 = 20_000;

/// The parts of a loop with a condition.
struct Loop<'c> {
    test: Option<&'c Expr>,
    after: Option<&'c Expr>,
    body: &'c [Stmt],
    test_last: bool,
    otherwise: &'c [Stmt],
}

impl Machine<'_> {
    /// Runs statements in a scope of their own.
    pub(super) fn block(&mut self, body: &[Stmt], at: At<'_>) -> Run<Flow> {
        if at.frame.family == Family::Python {
            return self.statements(body, at);
        }
        let scope = self.heap.open(Some(at.scope));
        self.statements(body, at.within(scope))
    }

    /// Runs statements in the current scope.
    pub(super) fn statements(&mut self, body: &[Stmt], at: At<'_>) -> Run<Flow> {
        self.hoist(body, at);
        for (index, stmt) in body.iter().enumerate() {
            match self.statement(stmt, at)? {
                Flow::Next => {}
                flow => {
                    self.pass_over(&body[index + 1..], at);
                    return Ok(flow);
                }
            }
        }
        Ok(Flow::Next)
    }

    /// Notes that statements do not run, since what is known decides so.
    fn pass_over(&mut self, body: &[Stmt], at: At<'_>) {
        if let [first, .., last] | [first @ last] = body
            && !super::realm::is_prelude(at.frame.site.file)
        {
            let span = crate::text::Span { start: first.span.start, end: last.span.end };
            self.passed.insert(at.frame.site.place(span));
        }
    }

    /// Binds the declared functions of a block before it runs, as JavaScript does, or the items, as Rust does.
    pub(super) fn hoist(&mut self, body: &[Stmt], at: At<'_>) {
        if at.frame.family == Family::Rust {
            return self.hoist_items(body, at);
        }
        if at.frame.family != Family::TypeScript {
            return;
        }
        for stmt in body {
            let stmt = match &stmt.kind {
                StmtKind::Export(crate::code::Export::Declared(stmt)) => stmt,
                _ => stmt,
            };
            if let StmtKind::Function(function) = &stmt.kind
                && let Some(name) = &function.name
            {
                let value = self.closure(function, None, at);
                self.heap.set_name(at.scope, name.clone(), value);
            }
        }
    }

    pub(super) fn statement(&mut self, stmt: &Stmt, at: At<'_>) -> Run<Flow> {
        let ran = match self.directed(stmt, at) {
            Err(Abrupt::Leave(flow)) => Ok(*flow),
            ran => ran,
        };
        let is_plain = matches!(stmt.kind, StmtKind::Run(_) | StmtKind::Let { .. } | StmtKind::Return(_));
        if is_plain && matches!(ran, Err(Abrupt::Throw(_))) {
            self.note_thrown(stmt, at);
        }
        ran
    }

    /// Reports a statement that throws, unless something unknown decides whether it does.
    fn note_thrown(&mut self, stmt: &Stmt, at: At<'_>) {
        if let Some(effects) = self.effects.as_mut().filter(|_| self.doubt == 0) {
            effects.thrown(at.frame.site.place(stmt.span));
        }
    }

    fn directed(&mut self, stmt: &Stmt, at: At<'_>) -> Run<Flow> {
        self.step()?;
        if at.frame.family == Family::Rust
            && let Some(declared) = self.declaration(stmt, at)
        {
            return declared.map(|()| Flow::Next);
        }
        match &stmt.kind {
            StmtKind::Run(value) => drop(self.eval(value, at)?),
            StmtKind::Let { scope, target, value, .. } => {
                let flow = self.declare(*scope, target, value.as_ref(), at)?;
                if self.asking.is_some() {
                    self.note_variable(target, stmt, at);
                }
                return Ok(flow);
            }
            StmtKind::Function(function) => {
                // JavaScript's are bound already.
                if at.frame.family != Family::TypeScript {
                    let value = self.defined_function(function, at)?;
                    if let Some(name) = &function.name {
                        self.bind_name(Declared::Function, name, value, at);
                    }
                }
            }
            StmtKind::Class(class) => {
                let value = self.class(class, None, at)?;
                if let Some(name) = &class.name {
                    let scope = if at.frame.family == Family::Python { Declared::Function } else { Declared::Block };
                    self.bind_name(scope, name, value, at);
                }
            }
            StmtKind::Return(value) => {
                let value = value.as_ref().map(|value| self.eval(value, at)).transpose()?;
                return Ok(Flow::Return(value.unwrap_or_else(|| self.nothing(at))));
            }
            StmtKind::Give(value) => {
                let value = value.as_ref().map(|value| self.eval(value, at)).transpose()?;
                return Ok(Flow::Give(value.unwrap_or(Value::Undefined)));
            }
            StmtKind::Extend(extension) => self.extend(extension, at)?,
            StmtKind::Throw(value) => {
                let value = match value {
                    Some(value) => {
                        let value = self.eval(value, at)?;
                        // `raise ValueError`
                        match self.body_of(&value) {
                            Some(super::Body::Class(_)) if at.frame.family == Family::Python => {
                                let place = at.frame.site.place(stmt.span);
                                self.construct(&value, super::Args::default(), place)?
                            }
                            _ => value,
                        }
                    }
                    None => self.caught.last().cloned().unwrap_or_else(|| Value::unknown("an exception")),
                };
                self.note_thrown(stmt, at);
                return Err(Abrupt::Throw(value));
            }
            StmtKind::Break(label) => return Ok(Flow::Break(label.clone())),
            StmtKind::Continue(label) => return Ok(Flow::Continue(label.clone())),
            StmtKind::If { test, then, otherwise } => return self.branch(test, then, otherwise, at),
            StmtKind::Switch { subject, cases } => return self.switch(subject, cases, at),
            StmtKind::Each { scope, target, iterable, keys, body, otherwise } => {
                return self.each(*scope, target, iterable, *keys, (body, otherwise), None, at);
            }
            StmtKind::While { first, test, after, body, test_last, otherwise } => {
                let turns =
                    Loop { test: test.as_ref(), after: after.as_deref(), body, test_last: *test_last, otherwise };
                return self.counted(first, &turns, None, at);
            }
            StmtKind::Try { body, handlers, otherwise, finally } => {
                return self.guarded(body, handlers, otherwise, finally, at);
            }
            StmtKind::With { items, body } => return self.with(items, body, at),
            StmtKind::Block(body) => return self.block(body, at),
            StmtKind::Label { name, body } => return self.labelled(name, body, at),
            StmtKind::Delete(place) => self.delete(place, at)?,
            StmtKind::Outer { names, global } => self.declare_outer(names, *global, at),
            StmtKind::Namespace { name, body } => self.namespace(name, body, at)?,
            StmtKind::Import(import) => self.import(import, at)?,
            StmtKind::Export(export) => self.export(export, at)?,
            StmtKind::Opaque(_) => {}
        }
        Ok(Flow::Next)
    }

    /// The value of a function without a `return`.
    pub(super) fn nothing(&self, at: At<'_>) -> Value {
        if at.frame.family == Family::Python { Value::Null } else { Value::Undefined }
    }

    fn declare(&mut self, scope: Declared, target: &Target, value: Option<&Expr>, at: At<'_>) -> Run<Flow> {
        let Some(value) = value else {
            // A declaration without a value: `var x` keeps what the variable holds, `x: int` binds nothing.
            if let Target::Name { name, .. } = target
                && at.frame.family == Family::TypeScript
                && (scope == Declared::Block || self.heap.scope_of(at.scope, name).is_none())
            {
                self.bind_name(scope, name, Value::Undefined, at);
            }
            return Ok(Flow::Next);
        };
        let value = match target {
            Target::Name { name, .. } => self.eval_named(value, name, at)?,
            _ => self.eval(value, at)?,
        };
        self.bind(target, value, Some(scope), at)?;
        Ok(Flow::Next)
    }

    fn declare_outer(&mut self, names: &[SmolStr], global: bool, at: At<'_>) {
        let own = self.heap.function_around(at.scope);
        let module = self.module_scope(at.frame.site.file);
        for name in names {
            let target = match global {
                true => module,
                false => {
                    let parent = self.heap.scope(own).parent;
                    parent.and_then(|parent| self.heap.scope_of(parent, name)).or(module)
                }
            };
            if let Some(target) = target {
                self.heap.scope_mut(own).elsewhere.push((name.clone(), target));
            }
        }
    }

    fn branch(&mut self, test: &Expr, then: &[Stmt], otherwise: &[Stmt], at: At<'_>) -> Run<Flow> {
        let is_answered = self.knows_called(test, at) && self.is_answer(None, then, at);
        let value = self.eval(test, at)?;
        match self.truth(&value)? {
            // Only what comes next tells other names apart.
            None if is_answered => self.block(otherwise, at),
            Some(holds) => {
                let (runs, passed) = if holds { (then, otherwise) } else { (otherwise, then) };
                self.pass_over(passed, at);
                self.block(runs, at)
            }
            None => {
                let flows = self.fork(vec![
                    Box::new(|machine: &mut Self| {
                        machine.narrow(test, true, at);
                        machine.block(then, at)
                    }),
                    Box::new(|machine: &mut Self| {
                        machine.narrow(test, false, at);
                        machine.block(otherwise, at)
                    }),
                ])?;
                Ok(self.joined(flows))
            }
        }
    }

    /// Where it goes on after branches that lead to these places. What comes after a branch that may have left is
    /// doubtful.
    pub(super) fn joined(&mut self, flows: Vec<Flow>) -> Flow {
        let all_return = flows.iter().all(|flow| matches!(flow, Flow::Return(_)));
        let mut returned = Vec::new();
        let mut given = Vec::new();
        let (mut next, mut again, mut out) = (false, None, None);
        for flow in flows {
            match flow {
                Flow::Next => next = true,
                Flow::Return(value) => returned.push(value),
                Flow::Give(value) => given.push(value),
                Flow::Continue(label) => again = Some(label),
                Flow::Break(label) => out = Some(label),
            }
        }
        if all_return {
            return Flow::Return(Value::one_of(returned));
        }
        let leaves = !returned.is_empty() || again.is_some() as u8 + out.is_some() as u8 + next as u8 > 1;
        if let Some(known) = self.returned.last_mut() {
            known.extend(returned);
        }
        if leaves {
            self.doubt += 1;
        }
        if !given.is_empty() {
            return Flow::Give(Value::one_of(given));
        }
        match (next, again, out) {
            (true, _, _) => Flow::Next,
            (false, Some(label), _) => Flow::Continue(label),
            (false, None, Some(label)) => Flow::Break(label),
            (false, None, None) => Flow::Next,
        }
    }

    fn switch(&mut self, subject: &Expr, cases: &[Case], at: At<'_>) -> Run<Flow> {
        let subject = self.eval(subject, at)?;
        let scope = match at.frame.family {
            Family::Python => at.scope,
            _ => self.heap.open(Some(at.scope)),
        };
        let at = at.within(scope);
        // The first case that matches for certain, and those before it that may match.
        let mut possible: Vec<usize> = Vec::new();
        let mut certain = None;
        for (index, case) in cases.iter().enumerate() {
            if case.patterns.is_empty() {
                continue;
            }
            match self.matches_case(case, &subject, at)? {
                Some(true) => {
                    certain = Some(index);
                    break;
                }
                Some(false) => {}
                None => possible.push(index),
            }
        }
        let certain = certain.or_else(|| cases.iter().position(|case| case.patterns.is_empty()));
        // Only the other cases tell other names apart.
        possible.retain(|index| !self.is_answered_by(&cases[*index..], &subject, at));
        if possible.is_empty() {
            return match certain {
                Some(index) => self.cases_from(index, cases, &subject, at),
                None => Ok(Flow::Next),
            };
        }
        let mut branches: Vec<Branch<'_, Self, Flow>> = Vec::new();
        let subject = &subject;
        for index in possible.into_iter().chain(certain) {
            branches.push(Box::new(move |machine: &mut Self| machine.cases_from(index, cases, subject, at)));
        }
        if certain.is_none() {
            branches.push(Box::new(|_: &mut Self| Ok(Flow::Next)));
        }
        let flows = self.fork(branches)?;
        Ok(self.joined(flows))
    }

    fn matches_case(&mut self, case: &Case, subject: &Value, at: At<'_>) -> Run<Option<bool>> {
        let mut answer = Some(false);
        for pattern in &case.patterns {
            match self.matches(pattern, subject, at)? {
                Some(true) => {
                    answer = Some(true);
                    break;
                }
                None => answer = None,
                Some(false) => {}
            }
        }
        match (&case.guard, answer) {
            (Some(_), Some(false)) | (None, _) => Ok(answer),
            (Some(guard), answer) => {
                let value = self.eval(guard, at)?;
                let holds = self.truth(&value)?;
                Ok(match (answer, holds) {
                    (Some(true), holds) => holds,
                    (_, Some(false)) => Some(false),
                    _ => None,
                })
            }
        }
    }

    /// Whether the first case, with those that it falls into, only answers for the names that it knows.
    fn is_answered_by(&self, cases: &[Case], subject: &Value, at: At<'_>) -> bool {
        let last = cases.iter().position(|case| !case.falls).unwrap_or(cases.len() - 1);
        let mut bodies = cases[..=last].iter().map(|case| &case.body).filter(|body| !body.is_empty()).peekable();
        bodies.peek().is_some() && bodies.all(|body| self.is_answer(Some(subject), body, at))
    }

    /// Runs a case and those that it falls into.
    fn cases_from(&mut self, index: usize, cases: &[Case], subject: &Value, at: At<'_>) -> Run<Flow> {
        if at.frame.family == Family::Rust {
            // The names of its pattern are its own.
            let at = at.within(self.heap.open(Some(at.scope)));
            self.matches_case(&cases[index], subject, at)?;
            return self.statements(&cases[index].body, at);
        }
        for case in &cases[index..] {
            match self.statements(&case.body, at)? {
                Flow::Next if case.falls => {}
                Flow::Break(None) if at.frame.family == Family::TypeScript => return Ok(Flow::Next),
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn labelled(&mut self, name: &SmolStr, body: &Stmt, at: At<'_>) -> Run<Flow> {
        let doubt = self.doubt;
        let flow = match &body.kind {
            StmtKind::Each { scope, target, iterable, keys, body, otherwise } => {
                self.each(*scope, target, iterable, *keys, (body, otherwise), Some(name), at)?
            }
            StmtKind::While { first, test, after, body, test_last, otherwise } => {
                let turns =
                    Loop { test: test.as_ref(), after: after.as_deref(), body, test_last: *test_last, otherwise };
                self.counted(first, &turns, Some(name), at)?
            }
            _ => self.statement(body, at)?,
        };
        self.doubt = doubt;
        Ok(match flow {
            Flow::Break(Some(label)) if label == *name => Flow::Next,
            flow => flow,
        })
    }

    /// A loop over the elements of a value. `blocks` are its body and what runs if it ends without `break`.
    #[allow(clippy::too_many_arguments)]
    fn each(
        &mut self,
        scope: Declared,
        target: &Target,
        iterable: &Expr,
        keys: bool,
        blocks: (&[Stmt], &[Stmt]),
        label: Option<&SmolStr>,
        at: At<'_>,
    ) -> Run<Flow> {
        let value = self.eval(iterable, at)?;
        let place = at.frame.site.place(iterable.span);
        let doubt = self.doubt;
        // A list that grows while the loop runs is read as it grows.
        let mut turn = 0;
        let mut source = self.elements_of(&value, keys, place)?;
        let mut left = false;
        loop {
            if turn >= source.known.len() {
                source = match self.regrown(&value, keys, &source)? {
                    Some(grown) => grown,
                    None => break,
                };
            }
            self.step()?;
            let slot = source.known[turn].clone();
            turn += 1;
            let flow = match slot.perhaps {
                false => self.turn(scope, target, slot.value, blocks.0, at)?,
                true => {
                    let flows = self.fork(vec![
                        Box::new(|machine: &mut Self| machine.turn(scope, target, slot.value, blocks.0, at)),
                        Box::new(|_: &mut Self| Ok(Flow::Next)),
                    ])?;
                    self.joined(flows)
                }
            };
            match self.after_turn(flow, label) {
                After::Again => {}
                After::Out => {
                    left = true;
                    break;
                }
                After::Flow(flow) => {
                    return Ok(flow);
                }
            }
        }
        if let (Some(more), false) = (source.more, left) {
            let unknown = Value::Unknown(more);
            let flows = self.fork(vec![
                Box::new(|machine: &mut Self| machine.turn(scope, target, unknown, blocks.0, at)),
                Box::new(|_: &mut Self| Ok(Flow::Next)),
            ])?;
            if let Flow::Return(value) = self.joined(flows) {
                return Ok(Flow::Return(value));
            }
        }
        let flow = if left { Flow::Next } else { self.block(blocks.1, at)? };
        self.doubt = doubt + u32::from(self.may_have_returned());
        Ok(flow)
    }

    /// Whether the running function may have returned already.
    pub(super) fn may_have_returned(&self) -> bool {
        self.returned.last().is_some_and(|returned| !returned.is_empty())
    }

    fn turn(&mut self, scope: Declared, target: &Target, value: Value, body: &[Stmt], at: At<'_>) -> Run<Flow> {
        let at = match at.frame.family {
            Family::Python => at,
            _ => at.within(self.heap.open(Some(at.scope))),
        };
        let declared = (scope != Declared::Elsewhere).then_some(scope);
        self.bind(target, value, declared, at)?;
        self.turned(|machine| machine.statements(body, at))
    }

    /// Runs a turn of a loop.
    pub(super) fn turned<T>(&mut self, run: impl FnOnce(&mut Self) -> Run<T>) -> Run<T> {
        self.turns += 1;
        let ran = run(self);
        self.turns -= 1;
        ran
    }

    fn after_turn(&mut self, flow: Flow, label: Option<&SmolStr>) -> After {
        match flow {
            Flow::Next | Flow::Continue(None) => After::Again,
            Flow::Break(None) => After::Out,
            Flow::Continue(Some(name)) if Some(&name) == label => After::Again,
            Flow::Break(Some(name)) if Some(&name) == label => After::Out,
            flow => After::Flow(flow),
        }
    }

    fn counted(&mut self, first: &[Stmt], turns: &Loop<'_>, label: Option<&SmolStr>, at: At<'_>) -> Run<Flow> {
        let doubt = self.doubt;
        let is_python = at.frame.family == Family::Python;
        let mut scope = if is_python { at.scope } else { self.heap.open(Some(at.scope)) };
        self.statements(first, at.within(scope))?;
        let (mut count, mut doubtful) = (0, 0);
        let mut left = false;
        loop {
            let unknown = self.unknown_calls;
            self.step()?;
            let at = at.within(scope);
            let holds = match turns.test {
                Some(test) if count > 0 || !turns.test_last => {
                    let value = self.eval(test, at)?;
                    self.truth(&value)?
                }
                _ => Some(true),
            };
            if holds == Some(false) {
                break;
            }
            count += 1;
            if count > MAX_TURNS {
                let place = turns.test.map(|test| at.frame.site.place(test.span));
                self.cut.push((place, "a loop has too many iterations".into()));
                break;
            }
            let flow = match holds {
                Some(_) => self.turned(|machine| machine.block(turns.body, at))?,
                // Once, if at all.
                None => {
                    let flows = self.fork(vec![
                        Box::new(|machine: &mut Self| machine.turned(|machine| machine.block(turns.body, at))),
                        Box::new(|_: &mut Self| Ok(Flow::Next)),
                    ])?;
                    self.joined(flows)
                }
            };
            match self.after_turn(flow, label) {
                After::Again => {}
                After::Out => {
                    left = true;
                    break;
                }
                After::Flow(flow) => return Ok(flow),
            }
            let is_endless =
                turns.test.is_none_or(|test| matches!(test.kind, ExprKind::Bool(true) | ExprKind::Number(_)));
            // A loop of Rust without a condition ends with an error of something unknown, if nothing else ends it.
            let may_fail = turns.test.is_none() && self.unknown_calls > unknown && self.family == Family::Rust;
            doubtful += u32::from(self.doubt > doubt || may_fail);
            // Something unknown may have ended it in each of these turns.
            if holds.is_none() || is_endless && doubtful > MOST_DOUBTFUL_TURNS {
                break;
            }
            if !is_python && !first.is_empty() {
                scope = self.next_turn(scope);
            }
            if let Some(after) = turns.after {
                self.eval(after, at.within(scope))?;
            }
        }
        let flow = if left { Flow::Next } else { self.block(turns.otherwise, at.within(scope))? };
        self.doubt = doubt + u32::from(self.may_have_returned());
        Ok(flow)
    }

    /// The scope of a loop's variables for the next turn: functions made in this one keep theirs.
    fn next_turn(&mut self, scope: super::ScopeId) -> super::ScopeId {
        let parent = self.heap.scope(scope).parent;
        let names: Vec<(SmolStr, Value)> =
            self.heap.names(scope).map(|(name, value)| (name.clone(), value.clone())).collect();
        let next = self.heap.open(parent);
        for (name, value) in names {
            self.heap.set_name(next, name, value);
        }
        next
    }

    fn guarded(
        &mut self,
        body: &[Stmt],
        handlers: &[Handler],
        otherwise: &[Stmt],
        finally: &[Stmt],
        at: At<'_>,
    ) -> Run<Flow> {
        let unknown = self.unknown_calls;
        self.guards += u32::from(!handlers.is_empty());
        let mut result = self.block(body, at);
        self.guards -= u32::from(!handlers.is_empty());
        match result {
            Err(abrupt @ (Abrupt::Stop | Abrupt::Leave(_))) => return Err(abrupt),
            Err(Abrupt::Throw(thrown)) => result = self.handle(thrown, handlers, at),
            Ok(flow) => {
                let flow = match flow {
                    Flow::Next => self.block(otherwise, at),
                    flow => Ok(flow),
                };
                result = flow;
                // Something unknown may have thrown.
                let is_own = super::realm::is_prelude(at.frame.site.file);
                if self.unknown_calls > unknown && !handlers.is_empty() && !is_own {
                    let thrown = Value::unknown("an exception thrown by unknown code");
                    let before = result;
                    let flows = self.fork(vec![
                        Box::new(|_: &mut Self| before),
                        Box::new(|machine: &mut Self| machine.handle(thrown, handlers, at)),
                    ]);
                    result = flows.map(|flows| self.joined_handlers(flows));
                }
            }
        }
        match self.block(finally, at)? {
            Flow::Next => result,
            flow => Ok(flow),
        }
    }

    /// Where it goes on after a body that may have thrown: as after the body, if its handler does not leave.
    fn joined_handlers(&mut self, flows: Vec<Flow>) -> Flow {
        let doubt = self.doubt;
        let flow = self.joined(flows);
        // That something unknown throws is no reason to doubt what comes afterwards.
        self.doubt = doubt;
        flow
    }

    fn handle(&mut self, thrown: Value, handlers: &[Handler], at: At<'_>) -> Run<Flow> {
        for handler in handlers {
            let catches = match &handler.class {
                Some(class) => {
                    let class = self.eval(class, at)?;
                    self.is_instance(&thrown, &class)?
                }
                None => Some(true),
            };
            if catches == Some(false) {
                continue;
            }
            let at = match at.frame.family {
                Family::Python => at,
                _ => at.within(self.heap.open(Some(at.scope))),
            };
            if let Some(target) = &handler.target {
                let scope = if at.frame.family == Family::Python { Declared::Function } else { Declared::Block };
                self.bind(target, thrown.clone(), Some(scope), at)?;
            }
            self.caught.push(thrown);
            let flow = self.statements(&handler.body, at);
            self.caught.pop();
            return flow;
        }
        Err(Abrupt::Throw(thrown))
    }

    fn with(&mut self, items: &[(Expr, Option<Target>)], body: &[Stmt], at: At<'_>) -> Run<Flow> {
        let mut managers = Vec::new();
        for (value, target) in items {
            let manager = self.eval(value, at)?;
            let place = at.frame.site.place(value.span);
            let entered = self.enter(&manager, place)?;
            if let Some(target) = target {
                self.bind(target, entered, Some(Declared::Function), at)?;
            }
            managers.push((manager, place));
        }
        let mut flow = self.block(body, at);
        for (manager, place) in managers.into_iter().rev() {
            let thrown = match &flow {
                Err(Abrupt::Throw(value)) => Some(value.clone()),
                Err(Abrupt::Stop | Abrupt::Leave(_)) => return flow,
                Ok(_) => None,
            };
            if self.leave(&manager, thrown.as_ref(), place)? && thrown.is_some() {
                flow = Ok(Flow::Next);
            }
        }
        flow
    }
}

/// The continuation after a loop iteration.
enum After {
    Again,
    Out,
    Flow(Flow),
}
