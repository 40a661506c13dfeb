//! The import graph of a workspace, and the files in it that may register something.
//!
//! A graph is made from the one before it: of a file that has not changed, everything is kept, and the names that lead
//! to registrations are looked for again only if some file mentions other names than before.

use std::collections::BTreeSet;
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::leading::{Leading, Names, offsets};
use super::local::{Local, Marks};
use crate::code::Offset;
use crate::machine::Entry;
use crate::path::{is_test_file, joined};
use crate::registry::Capture;
use crate::syntax::Family;
use crate::text::FileId;
use crate::workspace::Files;
use crate::workspace::modules::{Modules, source_of};

/// The files of one language.
pub(super) struct Graph {
    family: Family,
    locals: FxHashMap<FileId, Arc<Local>>,
    importers: Arc<FxHashMap<FileId, Vec<FileId>>>,
    names: Arc<Names>,
    leading: FxHashMap<FileId, Arc<Leading>>,
    /// The names of the functions and classes that other files may import to reach these calls.
    pub(super) words: BTreeSet<SmolStr>,
    pub(super) captures: Vec<Capture>,
    /// The resolver of the imports.
    modules: Arc<std::sync::OnceLock<Modules>>,
}

impl Graph {
    pub(super) fn of(files: &Files, family: Family, before: Option<&Graph>) -> Graph {
        // Without the same files, imports lead elsewhere.
        let known = |file: &FileId| before.and_then(|graph| graph.locals.get(file));
        let same_modules = before.is_some_and(|graph| Arc::ptr_eq(&graph.modules, &files.modules));
        let is_of_family = |file: &&FileId| files.family(**file) == Some(family);
        let all: Vec<FileId> = files.loaded_files().iter().filter(is_of_family).copied().collect();
        let targets: Vec<Option<Vec<FileId>>> = all
            .par_iter()
            .map(|file| {
                let facts = files.facts(*file)?;
                let has_same = |local: &&Arc<Local>| same_modules && local.imports(facts);
                if known(file).is_some_and(|local| has_same(&local)) {
                    return None;
                }
                let targets = facts.modules.iter().filter_map(|module| files.target(*file, module));
                Some(targets.filter(|target| target != file).collect())
            })
            .collect();
        let has_same_files =
            before.is_some_and(|graph| graph.locals.len() == all.len()) && all.iter().all(|file| known(file).is_some());
        let importers = match before {
            Some(graph) if has_same_files && targets.iter().all(Option::is_none) => Arc::clone(&graph.importers),
            _ => {
                let mut importers: FxHashMap<FileId, Vec<FileId>> = FxHashMap::default();
                for (file, targets) in all.iter().zip(&targets) {
                    let kept = || known(file).map_or(&[][..], |local| local.targets.as_slice());
                    for target in targets.as_deref().unwrap_or_else(kept) {
                        importers.entry(*target).or_default().push(*file);
                    }
                }
                Arc::new(importers)
            }
        };
        let using = using(files, &all, &importers);
        let locals: FxHashMap<FileId, Arc<Local>> = all
            .par_iter()
            .zip(targets)
            .filter_map(|(file, targets)| Some((*file, Local::of(files, *file, targets, &using, known(file))?)))
            .collect();
        let same_shapes = has_same_files
            && locals.iter().all(|(file, local)| known(file).is_some_and(|known| known.shape == local.shape));
        let names = match before {
            Some(graph) if same_shapes => Arc::clone(&graph.names),
            _ => {
                let locals = all.iter().filter_map(|file| Some((*file, locals.get(file)?.as_ref())));
                Arc::new(Names::of(family, &locals.collect::<Vec<_>>(), &|local| &local.marks.registering))
            }
        };
        let same_names = before.is_some_and(|graph| Arc::ptr_eq(&graph.names, &names));
        let leading: FxHashMap<FileId, Arc<Leading>> = locals
            .par_iter()
            .map(|(file, local)| {
                let kept = before.and_then(|graph| graph.leading.get(file));
                let is_same = same_names && known(file).is_some_and(|known| Arc::ptr_eq(known, local));
                match kept {
                    Some(kept) if is_same => (*file, Arc::clone(kept)),
                    _ => {
                        let made = Leading::of(*file, local, &names, is_test_file(files.path(*file)));
                        (*file, kept.filter(|kept| ***kept == made).map_or_else(|| Arc::new(made), Arc::clone))
                    }
                }
            })
            .collect();
        let words = leading.values().flat_map(|leading| &leading.words).cloned().collect();
        let captures = all.iter().filter_map(|file| locals.get(file)).flat_map(|local| &local.marks.captures).cloned();
        let captures = captures.collect();
        Graph { family, importers, names, leading, words, captures, modules: Arc::clone(&files.modules), locals }
    }

    /// The parts of a file that may register something.
    pub(super) fn marks(&self, file: FileId) -> Option<&Marks> {
        self.locals.get(&file).map(|local| &local.marks)
    }

    /// The places of a file that lead to calls which may register something, sorted.
    pub(super) fn leading(&self, file: FileId) -> &[Offset] {
        self.leading.get(&file).map_or(&[], |leading| &leading.offsets)
    }

    /// The names of functions and classes that lead to calls which name the tools of servers for agents, without these
    /// calls: their places by file, sorted.
    pub(super) fn granting(&self) -> FxHashMap<FileId, Vec<Offset>> {
        if self.locals.values().all(|local| local.marks.granting.is_empty()) {
            return FxHashMap::default();
        }
        let mut locals: Vec<(FileId, &Local)> = self.locals.iter().map(|(file, local)| (*file, &**local)).collect();
        locals.sort_unstable_by_key(|(file, _)| *file);
        let names = Names::of(self.family, &locals, &|local| &local.marks.granting);
        let of_file = |(file, local): (FileId, &Local)| (file, offsets(file, local, &names, &[]));
        locals.into_iter().map(of_file).filter(|(_, offsets)| !offsets.is_empty()).collect()
    }

    /// Whether a file contains calls that may register something.
    pub(super) fn registers(&self, file: FileId) -> bool {
        self.marks(file).is_some_and(|marks| !marks.registering.is_empty())
    }

    /// Whether a file may register something, or distinguishes protocol messages itself.
    pub(super) fn may_serve(&self, file: FileId) -> bool {
        self.registers(file) || self.marks(file).is_some_and(|marks| marks.by_hand)
    }

    pub(super) fn local(&self, file: FileId) -> Option<&Arc<Local>> {
        self.locals.get(&file)
    }

    /// The files that people start in a package: those that its manifest names, and those that lead to something that
    /// may register and that nothing leads to.
    pub(super) fn starts(&self, files: &Files, root: &str, all: &[FileId]) -> Vec<Entry> {
        let mut entries = files.named_entries(root);
        entries.retain(|entry| files.family(entry.file) == Some(self.family));
        if self.family == Family::Rust {
            entries.extend(
                all.iter().filter(|file| is_crate(files.path_in_package(**file))).map(|file| Entry::of_file(*file)),
            );
            for entry in &mut entries {
                entry.function = Some(SmolStr::new_static("main"));
            }
            let mut seen = FxHashSet::default();
            entries.retain(|entry| seen.insert(entry.file));
            return entries;
        }
        let mut seen: FxHashSet<FileId> = entries.iter().map(|entry| entry.file).collect();
        let registering = all.iter().copied().filter(|file| self.registers(*file)).collect();
        let tops = self.tops(files, registering);
        entries.extend(tops.into_iter().filter(|file| seen.insert(*file)).map(Entry::of_file));
        entries
    }

    /// The files that lead to some others, in the packages of these, and that nothing leads to; sorted by path.
    pub(super) fn tops(&self, files: &Files, mut open: Vec<FileId>) -> Vec<FileId> {
        let importers = |file: &FileId| self.importers.get(file).map_or(&[][..], Vec::as_slice);
        let mut reached = FxHashSet::default();
        while let Some(file) = open.pop() {
            if reached.insert(file) {
                let root = files.package_root(file);
                open.extend(importers(&file).iter().filter(|importer| files.package_root(**importer) == root));
            }
        }
        let is_top = |file: &FileId| !importers(file).iter().any(|importer| reached.contains(importer));
        let mut tops: Vec<FileId> = reached.iter().copied().filter(is_top).collect();
        tops.sort_by_key(|file| files.path(*file));
        tops
    }
}

/// Whether a file of a package is the root of a crate that the package builds, by its path in the package.
fn is_crate(path: &str) -> bool {
    let inner = path.strip_prefix("src/").unwrap_or(path);
    match inner.strip_prefix("bin/") {
        Some(binary) => !binary.contains('/') || binary.ends_with("/main.rs") && binary.matches('/').count() == 1,
        None => matches!(inner, "main.rs" | "lib.rs"),
    }
}

/// The files that lead to a package which uses a framework, whether their own package names that or not.
fn using(files: &Files, all: &[FileId], importers: &FxHashMap<FileId, Vec<FileId>>) -> FxHashSet<FileId> {
    let uses = |file: &&FileId| files.uses.get(files.package_root(**file)).is_some_and(|used| !used.is_empty());
    let mut open: Vec<FileId> = all.iter().filter(uses).copied().collect();
    let mut using = FxHashSet::default();
    while let Some(file) = open.pop() {
        if using.insert(file) {
            open.extend(importers.get(&file).into_iter().flatten());
        }
    }
    using
}

impl Files {
    /// The entries that the manifest in a folder names.
    fn named_entries(&self, root: &str) -> Vec<Entry> {
        let Some((kind, manifest)) = self.manifest_in(root) else { return Vec::new() };
        let mut entries: Vec<Entry> = Vec::new();
        let targets = manifest.commands.values().chain(&manifest.entries);
        for target in targets {
            let entry = match kind.family() {
                Family::Python => {
                    let (module, function) = target
                        .split_once(':')
                        .map_or((target.as_str(), None), |(module, name)| (module, Some(SmolStr::new(name))));
                    self.python_module(root, module).map(|file| Entry { file, function, is_main: false })
                }
                _ => {
                    let path = joined(root, target);
                    let find = |path: &str| self.by_path(path).map(|file| file.id);
                    path.and_then(|path| find(&path).or_else(|| source_of(&path, find))).map(Entry::of_file)
                }
            };
            entries.extend(entry.filter(|entry| !entries.contains(entry)));
        }
        entries
    }

    /// The file of a module of the package in a folder.
    fn python_module(&self, root: &str, module: &str) -> Option<FileId> {
        let inner = module.replace('.', "/");
        let source = if root.is_empty() { "src".to_string() } else { format!("{root}/src") };
        [root, &source].into_iter().find_map(|folder| crate::workspace::resolve::python_file(self, folder, &inner))
    }
}
