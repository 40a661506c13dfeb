//! Dispatch by comparison: one value is compared with the names of all tools of a server. This is looked for only if
//! the handlers of a server cannot be traced from a request.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::Files;
use super::server::Server;
use crate::found::{Dispatch, Place};
use crate::lower::{Expr, SUBJECTS};
use crate::text::FileId;

/// The minimum number of tools of such a server: comparisons with so many names in one place are no coincidence.
const ENOUGH: usize = 3;

/// The literals by which a server probably selects the tool to run, if no dispatch by a tool's name is known: a value
/// with a common name for a tool's name ([`SUBJECTS`]) is compared with the names of all its tools.
///
/// Tables with such keys are ignored, since they may be anything, such as prices or labels. `others` returns whether
/// other servers of the workspace register tools in a file; comparisons there belong to them.
pub(super) fn likely_cases(files: &Files, server: &Server, others: &dyn Fn(FileId) -> bool) -> Vec<Dispatch> {
    if wanted(files, server).is_none() {
        return Vec::new();
    }
    let home = files.package_root(server.tools[0].local_place().file);
    let mut found = Vec::new();
    let of_package = files.files_of_package(home).iter().filter(|&&file| !others(file));
    for (&file, facts) in of_package.filter_map(|file| Some((file, files.facts(*file)?))) {
        for (index, item) in facts.items.iter().enumerate() {
            let mut by_subject: BTreeMap<&SmolStr, Vec<(SmolStr, Place)>> = BTreeMap::new();
            for comparison in &item.facts.comparisons {
                let subject = comparison.subject.as_ref().and_then(Expr::last_name);
                if let Some(subject) = subject.filter(|subject| SUBJECTS.contains(&subject.as_str())) {
                    let place = Place { file, item: index as u32, span: comparison.span };
                    by_subject.entry(subject).or_default().push((comparison.text.clone(), place));
                }
            }
            for group in by_subject.into_values() {
                let compared: FxHashSet<&str> = group.iter().map(|(text, _)| text.as_str()).collect();
                if server.tools.iter().all(|tool| compared.contains(tool.name.as_str())) {
                    found.extend(group.into_iter().map(|(text, place)| Dispatch {
                        text,
                        place,
                        decides: true,
                        servers: Arc::default(),
                    }));
                }
            }
        }
    }
    found.sort_by(|a, b| (&a.text, a.place).cmp(&(&b.text, b.place)));
    found.dedup();
    found
}

/// Returns the name of one tool of a server whose dispatch is still to be found. Code that compares tool names contains
/// it, so that files with this word can be searched. `None` if the server has too few tools, or finds its handlers in
/// another way.
pub(super) fn wanted<'a>(files: &Files, server: &'a Server) -> Option<&'a str> {
    let names: FxHashSet<&str> = server.tools.iter().map(|tool| tool.name.as_str()).collect();
    let is_answered = server.dispatches.iter().any(|case| names.contains(case.text.as_str()));
    let mut tools = server.tools.iter();
    let is_lost = tools.len() >= ENOUGH && !is_answered && tools.all(|tool| tool.is_found_by_name(files.frameworks()));
    server.tools.first().filter(|_| is_lost).map(|tool| tool.name.as_str())
}

impl Server {
    /// The literals by which the server finds a handler: those traced from a request, and the likely ones.
    pub fn cases(&self) -> impl Iterator<Item = &Dispatch> {
        self.dispatches.iter().chain(&self.likely_cases)
    }

    /// The files in which the server selects the tool to run.
    pub(super) fn files_of_cases(&self) -> impl Iterator<Item = FileId> {
        self.cases().map(|case| case.place.file)
    }
}
