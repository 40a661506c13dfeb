//! The registrations of a program that a test gives as strings.

use crate::code::{Export, StmtKind};
use crate::found::Origin;
use crate::framework::{Frameworks, Kind};
use crate::machine::trial::Texts;
use crate::machine::{Entry, Machine, Resolved, Value, World, on_large_stacks};
use crate::registry::Registry;

/// The registrations of a program.
#[derive(Debug, Default)]
pub struct Registered {
    pub tools: Vec<Tool>,
    /// Whether there are certainly no other tools.
    pub complete: bool,
    /// Why there may be others.
    pub reasons: Vec<String>,
}

/// One registration of a tool.
#[derive(Debug)]
pub struct Tool {
    /// The name of its server, if it is known.
    pub server: Option<String>,
    /// The name; `None` if it is not known.
    pub name: Option<String>,
    pub conditional: bool,
    /// The parts of the name that the source contains: the path, the byte offsets of its start and end, and the text.
    pub origins: Vec<(String, usize, usize, String)>,
}

/// The files that no other file imports, and what each of them registers as a program.
pub fn registered_by_roots(files: &[(String, String)]) -> Vec<(String, Registered)> {
    let texts = Texts::of(files);
    let mut imported = std::collections::BTreeSet::new();
    for (path, _) in files {
        let Some(file) = texts.file(path) else { continue };
        let Some(code) = texts.code(file) else { continue };
        for stmt in code.items.iter().flat_map(|item| item.body.iter()) {
            let module = match &stmt.kind {
                StmtKind::Import(import) => &import.module,
                StmtKind::Export(Export::From { module, .. } | Export::All(module)) => module,
                _ => continue,
            };
            if let Resolved::Found(target) = texts.resolve(file, module)
                && target != file
            {
                imported.insert(target);
            }
        }
    }
    let is_root = |path: &str| {
        let file = texts.file(path);
        let is_code = file.is_some_and(|file| texts.family(file).is_some() && texts.code(file).is_some());
        is_code && !crate::path::is_test_file(path) && file.is_some_and(|file| !imported.contains(&file))
    };
    let roots = files.iter().map(|(path, _)| path).filter(|path| is_root(path));
    roots.map(|path| (path.clone(), registered(files, path))).collect()
}

/// The tools that a program registers, in order.
pub fn registered(files: &[(String, String)], entry: &str) -> Registered {
    let texts = Texts::of(files);
    let Some(entry) = texts.file(entry) else { return Registered::default() };
    let Some(family) = texts.family(entry) else { return Registered::default() };
    let frameworks = Frameworks::with(&[]);
    on_large_stacks(|| {
        let mut registry = Registry::new(&frameworks, family, super::Plan::nothing());
        let mut result = Registered { complete: true, ..Registered::default() };
        let mut machine = Machine::new(&texts, &mut registry, entry);
        machine.start(&Entry::of_file(entry));
        for (_, reason) in &machine.cut {
            result.complete = false;
            result.reasons.push(reason.to_string());
        }
        drop(machine);
        let named = |server: Option<&super::Owner>| {
            let Some(super::Owner::Object(server)) = server else { return None };
            match &registry.servers.get(server)?.name {
                Some(Value::Text(text)) if text.unknown().is_none() => Some(text.text()),
                _ => None,
            }
        };
        for offer in registry.offers.iter().filter(|offer| offer.kind == Kind::Tool) {
            let mut origins = Vec::new();
            for part in &offer.name.parts {
                if let Origin::Literal(place) = part.origin
                    && let Some(code) = texts.code(place.file)
                {
                    let base = code.items[place.item as usize].start as usize;
                    let (start, end) = (base + place.span.start as usize, base + place.span.end as usize);
                    origins.push((texts.path(place.file).to_string(), start, end, part.text.to_string()));
                }
            }
            result.complete &= !offer.conditional;
            result.tools.push(Tool {
                server: named(offer.server.as_ref()),
                name: Some(offer.name.text()),
                conditional: offer.conditional,
                origins,
            });
        }
        for unnamed in &registry.unnamed {
            result.complete = false;
            result.reasons.push(unnamed.reason.clone());
            if unnamed.kind == Kind::Tool {
                result.tools.push(Tool {
                    server: named(unnamed.server.as_ref()),
                    name: None,
                    conditional: true,
                    origins: Vec::new(),
                });
            }
        }
        result
    })
}
