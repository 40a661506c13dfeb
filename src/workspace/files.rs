//! All files of a workspace and their relations: packages, calls, imports and base classes.

use std::sync::{Arc, OnceLock};

use chrono::NaiveDate;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::budget::Budget;
use super::file::{Content, File, Rows, text_hash};
use super::modules::Modules;
use super::paths::Paths;
use crate::client::{Client, ClientFacts, Clients, ServerEntry};
use crate::config::Configs;
use crate::found::{Lookup, Place};
use crate::framework::Frameworks;
use crate::lower::{Bound, FileFacts, Imported};
use crate::path::joined;
use crate::syntax::{Family, Language};
use crate::text::{FileId, Span};

/// All files, the policy and the frameworks: the input of the evaluation and of all features.
#[derive(Debug, Clone)]
pub struct Files {
    pub(super) paths: Arc<Paths>,
    pub(super) files: Arc<Vec<Option<Arc<File>>>>,
    pub(super) frameworks: Arc<Frameworks>,
    pub(super) configs: Arc<Configs>,
    /// The source files with facts, sorted by path.
    pub(super) loaded: Arc<Vec<FileId>>,
    /// The same files, by the directory of their package.
    pub(super) packages: Arc<FxHashMap<SmolStr, Vec<FileId>>>,
    /// The indices of the frameworks that each package imports or depends on, by its directory.
    pub(super) uses: Arc<FxHashMap<SmolStr, FxHashSet<usize>>>,
    pub(super) manifests: Arc<Vec<FileId>>,
    pub(super) locks: Arc<Vec<FileId>>,
    /// The directory of each Rust crate, by the name with which paths into it begin.
    pub(super) crates: Arc<FxHashMap<SmolStr, SmolStr>>,
    /// The `site-packages` folders of installed Python packages.
    pub(super) sites: Arc<Vec<SmolStr>>,
    pub(super) vocabulary: Arc<OnceLock<Vocabulary>>,
    /// The import resolver, kept while the same files exist.
    pub(super) modules: Arc<OnceLock<Modules>>,
    /// Today's date; `None` if it is unknown.
    pub(super) today: Option<NaiveDate>,
    pub(super) budget: Budget,
    /// Whether nothing more is loaded, as for a copy with edits to try out: programs run with what is there.
    pub(super) is_closed: bool,
    /// The words for which every file was searched.
    pub(super) words: Arc<FxHashSet<SmolStr>>,
    /// The files that imports lead to and that could not be read.
    pub(super) lost: Arc<FxHashSet<FileId>>,
    /// The texts of data files that programs read, by path; `None` for a file that cannot be read.
    pub(super) texts: Arc<FxHashMap<SmolStr, Option<Arc<str>>>>,
}

/// The files and classes that use a name, by that name.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    callers: FxHashMap<SmolStr, Vec<FileId>>,
}

impl Files {
    pub fn get(&self, id: FileId) -> Option<&Arc<File>> {
        self.files.get(id.0 as usize)?.as_ref()
    }

    pub fn by_path(&self, path: &str) -> Option<&Arc<File>> {
        self.get(*self.paths.by_path.get(path)?)
    }

    /// The text of a source file, if it is kept: that of an open document, of a file that may call the SDK of an agent, and
    /// of a file that was asked for.
    pub(super) fn text_of_source(&self, id: FileId) -> Option<Arc<str>> {
        let file = self.get(id)?;
        let asked = || self.texts.get(&*file.path)?.clone().filter(|text| text_hash(text) == file.hash);
        file.open.as_ref().map(|open| Arc::clone(&open.text)).or_else(|| file.calling.clone()).or_else(asked)
    }

    /// Whether a path is that of a file, or of a folder with files.
    pub(super) fn has(&self, path: &str) -> bool {
        let is_in = |file: &Arc<File>| file.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
        !path.is_empty() && (self.by_path(path).is_some() || self.all().any(is_in))
    }

    pub fn path(&self, id: FileId) -> &str {
        self.paths.by_id.get(id.0 as usize).map_or("", |path| path)
    }

    pub fn all(&self) -> impl Iterator<Item = &Arc<File>> {
        self.files.iter().flatten()
    }

    pub fn frameworks_arc(&self) -> &Arc<Frameworks> {
        &self.frameworks
    }

    pub fn configs(&self) -> &Configs {
        &self.configs
    }

    /// The known clients: the built-in ones and those that configs define.
    pub fn known_clients(&self) -> &Clients {
        self.configs.clients()
    }

    /// The descriptions and queries that determine how files are read.
    pub(crate) fn rows(&self) -> Rows<'_> {
        Rows { clients: self.known_clients(), queries: self.frameworks.queries() }
    }

    /// The current span of a place in its file, in bytes.
    pub fn span(&self, place: Place) -> Span {
        match self.facts(place.file) {
            Some(facts) => place.span.shifted(facts.item(place.item).start),
            None => place.span,
        }
    }

    /// The facts for clients that a file itself shows, without running programs.
    pub(super) fn read_facts(&self, id: FileId) -> impl Iterator<Item = &ClientFacts> {
        let file = self.get(id).filter(|file| self.is_where_it_counts(file));
        file.into_iter().flat_map(|file| file.client_facts().chain(file.granted.as_deref()))
    }

    /// Whether a file of a client lies where the client reads it: in a certain folder next to the file `inside`. `true` if
    /// the client reads it anywhere.
    fn is_where_it_counts(&self, file: &File) -> bool {
        let Some(root) = file.client_facts().next().and_then(|facts| facts.inside.as_deref()) else { return true };
        let Some(inside) = self.known_clients().of_path(&file.path).and_then(|(_, row)| row.inside.as_ref()) else {
            return true;
        };
        let own = crate::path::directory(&file.path);
        let above = own.match_indices('/').map(|(at, _)| &own[..at]);
        std::iter::once("")
            .chain(above)
            .chain(std::iter::once(own))
            .filter(|at| inside.has(file.path[at.len()..].trim_start_matches('/')))
            .any(|at| joined(at, root).is_some_and(|path| self.by_path(&path).is_some()))
    }

    /// The names under which a client knows a server: its key, or the name in a file next to the one with the entry,
    /// such as the name of a plugin. For an entry in a file at the root, both are returned, since it is unknown which
    /// of them applies.
    pub fn names_of(&self, path: &str, entry: &ServerEntry) -> Vec<String> {
        let own = entry.name().to_string();
        let given = || {
            let by = self.known_clients().of_path(path)?.1.named_by.as_ref()?;
            let beside = joined(crate::path::directory(path), &by.file)?;
            let facts = self.by_path(&beside)?.client_facts().next()?.name.clone()?;
            Some(by.form.replace("{name}", &facts).replace("{key}", &entry.key.text))
        };
        match given() {
            None => vec![own],
            Some(given) if crate::path::directory(path).is_empty() => vec![given, own],
            Some(given) => vec![given],
        }
    }

    /// The clients that matter for a file: those that its config names, or else those whose files are in the workspace.
    pub fn clients(&self, path: &str) -> Vec<&Client> {
        let all = self.known_clients();
        if let Some(ids) = &self.configs.policy(path).clients {
            return all.iter().map(Arc::as_ref).filter(|client| ids.iter().any(|id| client.id == *id)).collect();
        }
        let mut used = vec![false; all.iter().len()];
        for file in self.all() {
            let is_script = || all.of_path(&file.path).is_some_and(|(_, row)| row.script);
            for facts in file.client_facts() {
                used[facts.client.index] |= !is_script();
                facts.lists.iter().for_each(|list| used[list.client.index] = true);
            }
        }
        all.iter().map(Arc::as_ref).zip(used).filter(|(_, used)| *used).map(|(client, _)| client).collect()
    }

    /// Every comment of a file that is addressed to this program, with its span.
    pub fn directives(&self, id: FileId) -> Vec<(Span, String)> {
        self.get(id).map(|file| file.content.directives()).unwrap_or_default()
    }

    /// The byte offset of the first import in a source file before which another one may be inserted.
    pub fn first_import(&self, id: FileId) -> Option<u32> {
        let is_import = |value: &Bound| match value {
            Bound::Import { module, name } => module != "__future__" && !matches!(name, Imported::Default),
            _ => false,
        };
        let mut items = self.facts(id)?.items.iter();
        let first = items.find(|item| item.facts.scopes[0].bindings.iter().any(|binding| is_import(&binding.value)))?;
        Some(first.start)
    }

    /// The source files with facts, sorted by path.
    pub fn loaded_files(&self) -> &[FileId] {
        &self.loaded
    }

    pub(super) fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary.get_or_init(|| {
            let mut vocabulary = Vocabulary::default();
            for &file in self.loaded.iter() {
                let Some(facts) = self.facts(file) else {
                    continue;
                };
                for name in facts.calls.keys() {
                    vocabulary.callers.entry(name.clone()).or_default().push(file);
                }
            }
            vocabulary
        })
    }

    pub(super) fn index(&mut self) {
        if !self.modules.get().is_some_and(|modules| modules.fits(&self.files)) {
            self.modules = Arc::default();
        }
        self.vocabulary = Arc::default();
        let mut loaded = Vec::new();
        let mut manifests = Vec::new();
        let mut locks = Vec::new();
        let mut sites: Vec<SmolStr> = Vec::new();
        for file in self.files.iter().flatten() {
            match &file.content {
                Content::Source(_) => loaded.push(file.id),
                Content::Manifest(_) => manifests.push(file.id),
                Content::Lock(_) => locks.push(file.id),
                _ => {}
            }
            if let Some((above, _)) = file.path.split_once("/site-packages/") {
                let site = SmolStr::new(&file.path[..above.len() + "/site-packages".len()]);
                if sites.last() != Some(&site) && !sites.contains(&site) {
                    sites.push(site);
                }
            }
        }
        sites.sort();
        self.sites = Arc::new(sites);
        loaded.sort_by(|a, b| self.path(*a).cmp(self.path(*b)));
        self.loaded = Arc::new(loaded);
        self.manifests = Arc::new(manifests);
        self.locks = Arc::new(locks);
        let mut uses: FxHashMap<SmolStr, FxHashSet<usize>> = FxHashMap::default();
        let mut packages: FxHashMap<SmolStr, Vec<FileId>> = FxHashMap::default();
        for &file in self.loaded.iter() {
            let package = SmolStr::new(self.package_root(file));
            packages.entry(package.clone()).or_default().push(file);
            let (Some(facts), Some(family)) = (self.facts(file), self.family(file)) else {
                continue;
            };
            for (index, framework) in self.frameworks.rows.iter().enumerate() {
                if framework.language == family && facts.imports_any(&|module| framework.owns_module(module)) {
                    uses.entry(package.clone()).or_default().insert(index);
                }
            }
        }
        let mut crates = FxHashMap::default();
        // A package that depends on a framework may get its server from another package that imports it.
        for &id in self.manifests.iter() {
            let Some(Content::Manifest(manifest)) = self.get(id).map(|file| &file.content) else { continue };
            let family = manifest.kind.family();
            if let (Family::Rust, Some(name)) = (family, &manifest.name) {
                let directory = SmolStr::new(crate::path::directory(self.path(id)));
                crates.insert(SmolStr::new(name.replace('-', "_")), directory);
            }
            for (index, framework) in self.frameworks.rows.iter().enumerate() {
                let needs = |name: &String| framework.packages.iter().any(|package| package == name);
                if framework.language == family && manifest.dependencies.iter().any(needs) {
                    let package = SmolStr::new(crate::path::directory(self.path(id)));
                    uses.entry(package).or_default().insert(index);
                }
            }
        }
        self.packages = Arc::new(packages);
        self.crates = Arc::new(crates);
        self.uses = Arc::new(uses);
    }

    /// The source files of the package in a directory that have facts, sorted by path.
    pub(super) fn files_of_package(&self, root: &str) -> &[FileId] {
        self.packages.get(root).map_or(&[], Vec::as_slice)
    }

    /// The directories of the package at `root` and of the workspace packages that its files import, directly or
    /// indirectly.
    pub(super) fn packages_near(&self, root: &str) -> FxHashSet<&str> {
        let mut near: FxHashSet<&str> = FxHashSet::default();
        let own = self.files_of_package(root).first();
        let mut open: Vec<&str> = own.map(|own| self.package_root(*own)).into_iter().collect();
        while let Some(package) = open.pop() {
            if !near.insert(package) {
                continue;
            }
            for &file in self.files_of_package(package) {
                let modules = self.facts(file).into_iter().flat_map(|facts| &facts.modules);
                let targets = modules.filter_map(|module| self.target(file, module));
                open.extend(targets.map(|target| self.package_root(target)).filter(|other| !near.contains(other)));
            }
        }
        near
    }

    /// The directory of a Rust crate of the workspace, by the crate's name.
    pub(super) fn crate_named(&self, name: &str) -> Option<&str> {
        self.crates.get(name).map(SmolStr::as_str)
    }

    pub(super) fn modules(&self) -> &Modules {
        self.modules.get_or_init(|| Modules::of(&self.paths, &self.files))
    }

    /// Whether the file that an import leads to could not be read.
    pub(super) fn is_lost(&self, from: FileId, module: &str) -> bool {
        self.target(from, module).is_some_and(|file| self.lost.contains(&file))
    }

    /// The paths of the files that imports of a file lead to and that have not been parsed.
    pub(crate) fn unparsed_imports(&self, file: FileId) -> Vec<Arc<str>> {
        let modules = self.facts(file).into_iter().flat_map(|facts| &facts.modules);
        modules.filter_map(|module| self.unparsed_target(file, module).cloned()).collect()
    }

    /// The path of the file that an import leads to, if that file has not been parsed.
    pub(super) fn unparsed_target(&self, from: FileId, module: &str) -> Option<&Arc<str>> {
        let id = self.target(from, module)?;
        let file = self.get(id)?;
        matches!(file.content, Content::Unparsed | Content::Reserve).then_some(&file.path)
    }
}

impl Files {
    /// The facts of a source file that is loaded.
    pub(crate) fn facts(&self, file: FileId) -> Option<&FileFacts> {
        match &self.get(file)?.content {
            Content::Source(facts) => Some(facts),
            _ => None,
        }
    }

    /// The language of a file, if it is source code that can register something.
    pub(crate) fn family(&self, file: FileId) -> Option<Family> {
        Language::of_path(self.path(file))?.family()
    }

    /// The path of a file relative to the root of its package.
    pub(crate) fn path_in_package(&self, file: FileId) -> &str {
        self.path(file)[self.package_root(file).len()..].trim_start_matches('/')
    }

    /// Resolves an import of `module` in the file `from`.
    pub(crate) fn resolve(&self, from: FileId, module: &str) -> Lookup {
        self.resolved(from, module)
    }

    /// The rows of all frameworks.
    pub(crate) fn frameworks(&self) -> &Frameworks {
        &self.frameworks
    }

    /// Whether some file of the same project imports a package of this framework.
    pub(crate) fn project_uses(&self, file: FileId, framework: usize) -> bool {
        self.uses.get(self.package_root(file)).is_some_and(|used| used.contains(&framework))
    }

    /// The files in which anything of this name is called.
    pub(crate) fn files_calling(&self, name: &str) -> &[FileId] {
        self.vocabulary().callers.get(name).map_or(&[], Vec::as_slice)
    }
}
