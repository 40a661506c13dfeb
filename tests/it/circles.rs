//! Files of a module do not depend on each other in a cycle. What a file uses from the module around it does not count,
//! since that module re-exports the names of its files.

use std::collections::{BTreeMap, BTreeSet};

use toolnames::testing::syntax::{self, Language};
use tree_sitter::Node;

use super::house::sources;

/// A module as its path from the crate's root.
type Module = Vec<String>;

/// The names that one file defines, re-exports and uses.
#[derive(Default)]
struct Names {
    defined: BTreeSet<String>,
    /// The names that `pub use` re-exports, with the paths that they stand for.
    passed_on: BTreeMap<String, Module>,
    imported: BTreeMap<String, Module>,
    /// The paths in the code, outside of `use` declarations.
    written: Vec<Module>,
}

fn module_of(path: &str) -> Module {
    let mut parts: Module = path.trim_end_matches(".rs").split('/').map(String::from).collect();
    if ["mod", "lib"].contains(&parts.last().unwrap().as_str()) {
        parts.pop();
    }
    parts
}

/// Turns a path in a module into a path from the crate's root; `None` for other crates.
fn absolute(module: &Module, path: &[String], modules: &BTreeSet<Module>) -> Option<Module> {
    let mut base = module.clone();
    let mut rest = path;
    match rest.first()?.as_str() {
        "crate" => return Some(rest[1..].to_vec()),
        "self" => rest = &rest[1..],
        "super" => {
            while rest.first().is_some_and(|part| part == "super") {
                base.pop();
                rest = &rest[1..];
            }
        }
        first => {
            base.push(first.to_string());
            let is_child = modules.contains(&base);
            base.pop();
            if !is_child {
                return None;
            }
        }
    }
    base.extend(rest.iter().cloned());
    Some(base)
}

/// The paths that a `use` declaration imports.
fn imports(node: Node<'_>, text: &str, before: &[String], found: &mut Vec<Module>) {
    let parts = |node: Node<'_>| text[node.byte_range()].split("::").map(|part| part.trim().to_string());
    match node.kind() {
        "use_list" => {
            let mut cursor = node.walk();
            node.named_children(&mut cursor).for_each(|child| imports(child, text, before, found));
        }
        "scoped_use_list" => {
            let mut path = before.to_vec();
            path.extend(node.child_by_field_name("path").into_iter().flat_map(parts));
            imports(node.child_by_field_name("list").unwrap(), text, &path, found);
        }
        "use_as_clause" => imports(node.child_by_field_name("path").unwrap(), text, before, found),
        "identifier" | "scoped_identifier" | "self" | "crate" | "super" => {
            found.push(before.iter().cloned().chain(parts(node)).collect());
        }
        _ => {}
    }
}

impl Names {
    fn of(module: &Module, text: &str, modules: &BTreeSet<Module>) -> Names {
        let mut names = Names::default();
        let tree = syntax::parse(Language::Rust, text, None).unwrap();
        let mut open = vec![(tree.root_node(), true)];
        while let Some((node, is_top)) = open.pop() {
            match node.kind() {
                "use_declaration" => {
                    let mut paths = Vec::new();
                    imports(node.child_by_field_name("argument").unwrap(), text, &[], &mut paths);
                    let is_passed_on = text[node.byte_range()].starts_with("pub");
                    for path in paths.iter().filter_map(|path| absolute(module, path, modules)) {
                        let known = if is_passed_on { &mut names.passed_on } else { &mut names.imported };
                        known.insert(path.last().cloned().unwrap_or_default(), path);
                    }
                    continue;
                }
                "scoped_identifier" | "scoped_type_identifier" => {
                    let written = text[node.byte_range()].split("::").map(|part| part.trim().to_string()).collect();
                    names.written.push(written);
                    continue;
                }
                _ => {}
            }
            if is_top && let Some(name) = node.child_by_field_name("name") {
                names.defined.insert(text[name.byte_range()].to_string());
            }
            let mut cursor = node.walk();
            open.extend(node.children(&mut cursor).map(|child| (child, node.kind() == "source_file")));
        }
        names
    }

    /// The paths, from the crate's root, of everything that the file uses.
    fn used(&self, module: &Module, modules: &BTreeSet<Module>) -> Vec<Module> {
        let written = self.written.iter().filter_map(|path| {
            let through = self.imported.get(&path[0]).filter(|imported| modules.contains(*imported));
            match through {
                Some(imported) => Some(imported.iter().chain(&path[1..]).cloned().collect()),
                None => absolute(module, path, modules),
            }
        });
        written.chain(self.imported.values().cloned()).collect()
    }
}

/// The module that defines what a path names; re-exports and imports are followed for at most `steps` steps.
fn home(path: &Module, all: &BTreeMap<Module, Names>, steps: usize) -> Option<Module> {
    let length = (0..=path.len()).rev().find(|length| all.contains_key(&path[..*length]))?;
    let (module, rest) = (path[..length].to_vec(), &path[length..]);
    let names = &all[&module];
    match rest.first() {
        Some(name) if !names.defined.contains(name) && steps > 0 => {
            match names.passed_on.get(name).or(names.imported.get(name)) {
                Some(target) => home(&target.iter().chain(&rest[1..]).cloned().collect(), all, steps - 1),
                None => Some(module),
            }
        }
        _ => Some(module),
    }
}

/// The groups of modules that depend on each other in a cycle.
fn circles(files: &[(String, String)]) -> Vec<BTreeSet<Module>> {
    let modules: BTreeSet<Module> = files.iter().map(|(path, _)| module_of(path)).collect();
    let all: BTreeMap<Module, Names> =
        files.iter().map(|(path, text)| (module_of(path), Names::of(&module_of(path), text, &modules))).collect();
    let mut uses: BTreeMap<&Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, names) in &all {
        let used = names.used(module, &modules);
        let targets = used.iter().filter(|path| !modules.contains(*path)).filter_map(|path| home(path, &all, 10));
        uses.insert(module, targets.filter(|target| target != module && !module.starts_with(target)).collect());
    }
    let reached = |from: &Module| -> BTreeSet<Module> {
        let mut found = BTreeSet::new();
        let mut open: Vec<&Module> = uses[from].iter().collect();
        while let Some(next) = open.pop() {
            if found.insert(next.clone()) {
                open.extend(&uses[next]);
            }
        }
        found
    };
    let reach: BTreeMap<&Module, BTreeSet<Module>> = all.keys().map(|module| (module, reached(module))).collect();
    let mut groups: Vec<BTreeSet<Module>> = Vec::new();
    for module in all.keys().filter(|module| reach[module].contains(*module)) {
        if !groups.iter().any(|group| group.contains(module)) {
            groups.push(
                all.keys()
                    .filter(|other| reach[module].contains(*other) && reach[other].contains(module))
                    .cloned()
                    .collect(),
            );
        }
    }
    groups
}

#[test]
fn a_circle_is_found_through_what_a_module_passes_on() {
    let file = |path: &str, text: &str| (path.to_string(), text.to_string());
    let files = [
        file("lib.rs", "mod a;"),
        file("a/mod.rs", "mod b; mod c; mod d; pub use self::b::B; pub struct Door;"),
        file("a/b.rs", "use super::c; pub struct B(c::C);"),
        file("a/c.rs", "use crate::a::B; pub struct C(Box<B>);"),
        file("a/d.rs", "use super::{Door, c::C}; pub struct D(Door, C);"),
    ];
    let group: BTreeSet<Module> = ["b", "c"].map(|name| vec!["a".to_string(), name.to_string()]).into();
    assert_eq!(circles(&files), [group]);
}

/// Lowering, evaluation and the machine are left out: statements contain expressions and expressions contain functions,
/// so each is one mechanism spread over several files.
#[test]
fn files_use_each_other_in_no_circle() {
    let found = circles(sources());
    let others: Vec<_> = found
        .iter()
        .filter(|group| {
            !group.iter().all(|module| ["code", "evaluate", "lower", "machine"].contains(&module[0].as_str()))
        })
        .collect();
    assert!(others.is_empty(), "{others:#?}");
}
