//! Where a server finds what to run for a tool, when nothing that is read leads there from the request: comparisons of one
//! thing with the names of its tools, and tables with these as keys. Several of them do not stand together by chance.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::Files;
use super::servers::Server;
use crate::evaluate::{Dispatch, Place, World};
use crate::lower::{Expr, Prop};
use crate::text::FileId;

/// So many names of tools in one place are meant as such, as long as they are two thirds of what stands there.
const ENOUGH: usize = 3;

/// The literals by which a server tells its tools apart, as far as they stand together; none where a handler, or what is known
/// to answer calls, leads to each of them already.
pub(super) fn likely_cases(files: &Files, server: &Server) -> Vec<Dispatch> {
    let is_lost = |tool: &super::Tool| {
        let row = files.frameworks().rows.get(tool.registration.framework);
        let is_found_by_name =
            tool.registration.listed && tool.registration.handler.is_none() && !row.is_some_and(|row| row.carries);
        is_found_by_name && !server.dispatches.iter().any(|case| case.text == tool.name)
    };
    let Some(lost) = server.tools.iter().find(|tool| is_lost(tool)).filter(|_| server.tools.len() >= ENOUGH) else {
        return Vec::new();
    };
    let home = files.package_root(lost.local_place().file);
    let is_tool = |text: &str| server.tools.iter().any(|tool| tool.name == text);
    let is_registered = |place: Place| server.tools.iter().any(|tool| tool.local_place() == place);
    let mut found = Vec::new();
    let of_package = files.loaded_files().iter().filter(|&&file| files.package_root(file) == home);
    for (&file, facts) in of_package.filter_map(|file| Some((file, files.facts(*file)?))) {
        let former: Vec<String> = files.answered(file).into_iter().map(|(_, old)| old).collect();
        let mut keep = |group: Vec<(SmolStr, Place)>| {
            let mut texts: Vec<&str> = group.iter().map(|(text, _)| text.as_str()).collect();
            texts.sort_unstable();
            texts.dedup();
            let tools = texts.iter().filter(|text| is_tool(text)).count();
            let others = texts.iter().filter(|text| !is_tool(text) && !former.iter().any(|old| old == **text)).count();
            if tools >= ENOUGH && tools >= 2 * others && !group.iter().any(|(_, place)| is_registered(*place)) {
                found.extend(group.into_iter().map(|(text, place)| Dispatch { text, place, servers: Vec::new() }));
            }
        };
        for (index, item) in facts.items.iter().enumerate() {
            let place = |span| Place { file, item: index as u32, span };
            let mut by_subject: BTreeMap<&SmolStr, Vec<(SmolStr, Place)>> = BTreeMap::new();
            for comparison in &item.facts.comparisons {
                if let Some(subject) = comparison.subject.as_ref().and_then(Expr::last_name) {
                    by_subject.entry(subject).or_default().push((comparison.text.clone(), place(comparison.span)));
                }
            }
            by_subject.into_values().for_each(&mut keep);
            item.facts.each_expression(&mut |expr| {
                let Expr::Object { props, .. } = expr else { return };
                let keys = props.iter().filter_map(|prop| match prop {
                    Prop::Pair { key: Expr::Text { text, span }, .. } => Some((text.clone(), place(*span))),
                    _ => None,
                });
                keep(keys.collect());
            });
        }
    }
    found.sort_by(|a, b| (&a.text, a.place).cmp(&(&b.text, b.place)));
    found.dedup();
    found
}

impl Server {
    /// By which literals it finds what to run, whether its handler leads to them or they stand together.
    pub fn cases(&self) -> impl Iterator<Item = &Dispatch> {
        self.dispatches.iter().chain(&self.likely_cases)
    }

    /// The files in which it tells its tools apart.
    pub(super) fn files_of_cases(&self) -> impl Iterator<Item = FileId> {
        self.cases().map(|case| case.place.file)
    }
}
