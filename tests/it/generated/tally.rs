//! The sums over many programs, and the description of one that fails.

use std::collections::BTreeMap;

use super::core::Program;
use super::outcome::{Fault, Outcome, Registrations, Verdict};

/// The sums over the programs of a run.
#[derive(Default)]
pub(super) struct Tally {
    programs: u64,
    open: u64,
    /// Programs that stopped with an error in the interpreter.
    pub(super) discarded: u64,
    /// Programs with a fault.
    pub(super) failed: u64,
    /// Failing programs that have been printed.
    pub(super) shown: u64,
    faults: BTreeMap<Fault, u64>,
    expected: usize,
    found: usize,
    wrong: usize,
    dynamic: usize,
    errors: Vec<String>,
}

impl Tally {
    pub(super) fn discard(&mut self, name: &str, error: &str) {
        self.discarded += 1;
        let start: Vec<&str> = error.lines().take(2).map(str::trim).collect();
        self.errors.push(format!("{name}: {}", start.join(" ")));
    }

    pub(super) fn add(&mut self, program: &Program, verdict: &Verdict) {
        self.programs += 1;
        self.failed += u64::from(!verdict.faults.is_empty());
        for fault in verdict.faults.keys() {
            *self.faults.entry(*fault).or_default() += 1;
        }
        if program.is_open {
            self.open += 1;
            return;
        }
        self.expected += verdict.expected;
        self.found += verdict.found;
        self.wrong += verdict.wrong;
        self.dynamic += verdict.dynamic;
    }

    /// The figures. Those of names leave out the programs that look at the environment.
    pub(super) fn report(&self) -> String {
        let percent = 100.0 * self.found as f64 / self.expected.max(1) as f64;
        let faults: Vec<String> = self.faults.iter().map(|(fault, count)| format!("{fault:?} {count}")).collect();
        let mut text = format!(
            "{} programs ({} open), {} discarded; {} of {} names found ({percent:.1} %), {} wrong, {} dynamic; \
             programs with a fault: {} ({})",
            self.programs,
            self.open,
            self.discarded,
            self.found,
            self.expected,
            self.wrong,
            self.dynamic,
            self.failed,
            faults.join(", ")
        );
        for error in &self.errors {
            text.push_str(&format!("\n  discarded: {error}"));
        }
        text
    }
}

/// The description of a failing program, in the form in which programs are kept.
pub(super) fn shown(name: &str, fault: Fault, program: &Program, expected: &Registrations, got: &Outcome) -> String {
    let mut text = format!("──── {name}: {fault:?}\n{}", super::kept::written(program));
    for (server, name) in &expected.tools {
        text.push_str(&format!("  expected {server}: {name}\n"));
    }
    for tool in &got.tools {
        let (server, dynamic) = (tool.server.as_deref().unwrap_or("?"), if tool.dynamic { " (dynamic)" } else { "" });
        text.push_str(&format!("  got      {server}: {}{dynamic}\n", tool.name));
    }
    text + if got.complete { "  complete\n" } else { "  not complete\n" }
}
