//! Finds the servers that the command of a server entry starts, if their source is in the workspace. The words of the
//! command line lead to a file or package, and from there to the servers that it reaches.

use rustc_hash::{FxHashMap, FxHashSet};

use super::manifest::{is_info_of, is_same_project};
use super::modules::{is_built, source_of};
use super::resolve::python_file;
use super::server::Server;
use super::{Content, Files, ManifestKind};
use crate::client::{Launch, ServerEntry, is_outside, launch};
use crate::lower::{Bound, Expr, Imported};
use crate::path::{DEEPEST, folders_above, is_installed, joined};
use crate::syntax::Family;
use crate::text::FileId;

/// The servers of a workspace by package and by file, as indices.
pub(super) struct Homes<'s> {
    servers: &'s [Server],
    by_root: FxHashMap<&'s str, Vec<usize>>,
    by_file: FxHashMap<FileId, Vec<usize>>,
}

impl<'s> Homes<'s> {
    pub(super) fn new(servers: &'s [Server]) -> Homes<'s> {
        let mut homes = Homes { servers, by_root: FxHashMap::default(), by_file: FxHashMap::default() };
        for (index, server) in servers.iter().enumerate() {
            homes.by_root.entry(&server.root).or_default().push(index);
            for file in server.home_files() {
                homes.by_file.entry(file).or_default().push(index);
            }
        }
        homes
    }

    /// The servers of the package in a directory.
    fn in_package(&self, root: &str) -> &[usize] {
        self.by_root.get(if root.is_empty() { "." } else { root }).map_or(&[], Vec::as_slice)
    }

    /// The servers of some files, sorted.
    fn in_files(&self, files: &FxHashSet<FileId>) -> Vec<usize> {
        let found = files.iter().filter_map(|file| self.by_file.get(file)).flatten().copied();
        let mut found: Vec<usize> = found.collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The indices of the servers that a launch in the folder `base` starts.
pub(super) fn started_servers(files: &Files, homes: &Homes<'_>, started: &Launch, base: &str) -> Vec<usize> {
    started_by(files, homes, (started, base), true)
}

/// Like [`started_servers`]. A file that reaches no known server stands for its package only if `is_loose`.
pub(super) fn started_by(
    files: &Files,
    homes: &Homes<'_>,
    (started, base): (&Launch, &str),
    is_loose: bool,
) -> Vec<usize> {
    let by_root = |root: &str| homes.in_package(root).to_vec();
    let by_entry = |entry: FileId| -> Vec<usize> {
        let root = files.package_root(entry);
        let root = if root.is_empty() { "." } else { root };
        let mut within = homes.in_files(&closure(files, entry));
        within.retain(|&index| homes.servers[index].root == root);
        if within.is_empty() && is_loose { by_root(root) } else { within }
    };
    let by_manifest = |wanted: &dyn Fn(ManifestKind, &super::Manifest) -> bool| -> Vec<usize> {
        let mut found = Vec::new();
        for (root, kind, manifest) in files.manifests().filter(|(root, _, _)| !is_installed(root)) {
            if wanted(kind, manifest) {
                found.extend(by_root(root));
            }
        }
        found
    };
    let module_in = |root: &str, module: &str| {
        let inner = module.replace('.', "/");
        let source = if root.is_empty() { "src".to_string() } else { format!("{root}/src") };
        [root, &source].into_iter().find_map(|directory| {
            python_file(files, &format!("{directory}/{inner}"), "__main__")
                .or_else(|| python_file(files, directory, &inner))
        })
    };
    let command = |name: &str| by_manifest(&|_, manifest| manifest.commands.contains_key(name));
    let here = match started {
        Launch::NpmPackage(name) => {
            let named = started_program(files, name).map(by_entry);
            named.unwrap_or_else(|| {
                let named = by_manifest(&|kind, manifest| {
                    kind == ManifestKind::PackageJson && manifest.name.as_ref() == Some(name)
                });
                if named.is_empty() { command(name) } else { named }
            })
        }
        Launch::PythonPackage(name) => {
            let named = by_manifest(&|kind, manifest| {
                kind == ManifestKind::Pyproject
                    && manifest.name.as_deref().is_some_and(|own| is_same_project(own, name))
            });
            if named.is_empty() { command(name) } else { named }
        }
        Launch::File(path) => match inside(base, path).and_then(|path| source_file(files, &path)) {
            Some(Started::Entry(entry)) => by_entry(entry),
            Some(Started::Package(root)) => by_root(&root),
            None => Vec::new(),
        },
        Launch::PythonModule(module) => match module_in(base, module) {
            Some(entry) => by_entry(entry),
            None => {
                let top = module.split('.').next().unwrap_or(module);
                by_manifest(&|kind, manifest| {
                    kind == ManifestKind::Pyproject
                        && manifest.name.as_deref().is_some_and(|own| is_same_project(own, top))
                })
            }
        },
        Launch::PythonScript { directory, script } => {
            // A script with the name of its project need not be declared in the manifest.
            let root = directory.as_ref().and_then(|directory| inside(base, directory));
            let named = by_manifest(&|kind, manifest| {
                kind == ManifestKind::Pyproject
                    && manifest.name.as_deref().is_some_and(|own| is_same_project(own, script))
            });
            let module =
                root.as_deref().or(directory.is_none().then_some(base)).and_then(|root| module_in(root, script));
            match (module, command(script)) {
                (Some(entry), _) if root.is_some() => by_entry(entry),
                (_, found) if !found.is_empty() => found,
                _ => named,
            }
        }
        Launch::Cargo { directory, name } => {
            let directory = directory.as_ref().map(|path| path.strip_suffix("Cargo.toml").unwrap_or(path));
            let root = directory.map_or(Some(base.to_string()), |directory| inside(base, directory));
            let is_crate =
                |root: &String| files.manifests().any(|(at, kind, _)| kind == ManifestKind::CargoToml && at == root);
            match name {
                Some(name) => {
                    let named = by_manifest(&|kind, manifest| {
                        kind == ManifestKind::CargoToml && manifest.name.as_ref() == Some(name)
                    });
                    if named.is_empty() { command(name) } else { named }
                }
                None => root.filter(is_crate).map(|root| by_root(&root)).unwrap_or_default(),
            }
        }
        Launch::Program(program) if is_outside(program) => return Vec::new(),
        Launch::Program(program) => {
            let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
            let found = command(name);
            if !found.is_empty() {
                return found;
            }
            by_manifest(&|kind, manifest| kind == ManifestKind::CargoToml && manifest.name.as_deref() == Some(name))
        }
        // Its name usually is that of the package.
        Launch::Build(name) => {
            let name = name.rsplit('/').next().unwrap_or(name);
            let is_it = |own: &str| own.rsplit('/').next().is_some_and(|own| is_same_project(own, name));
            by_manifest(&|_, manifest| manifest.name.as_deref().is_some_and(is_it))
        }
        Launch::Elsewhere => Vec::new(),
    };
    if !here.is_empty() {
        return here;
    }
    let mut reached = FxHashSet::default();
    for entry in installed_entries(files, base, started) {
        reached.extend(closure(files, entry));
    }
    homes.in_files(&reached)
}

impl Files {
    /// The launches of all entries in client files: the folder in which each is started, and its command.
    pub(super) fn launches(&self) -> Vec<(String, Launch)> {
        let mut launches = Vec::new();
        for file in self.all() {
            let entries = file.client_facts().flat_map(|facts| &facts.servers);
            launches.extend(entries.filter_map(|entry| self.launch_of(&file.path, entry)));
        }
        launches.sort();
        launches.dedup();
        launches
    }

    /// The folder in which a server entry of a client's file is started, and its command; `None` if it has no command
    /// that can be read, or is started outside the workspace.
    pub(super) fn launch_of(&self, path: &str, entry: &ServerEntry) -> Option<(String, Launch)> {
        // Client files lie in the project's root or below a hidden directory of it.
        let hidden = if path.starts_with('.') { Some(0) } else { path.find("/.") };
        // A command that contains the path of its extension is started in the folder of its client file, even if that
        // is below a hidden directory.
        let is_own = |word: &String| word.contains("${extensionPath}");
        let hidden = hidden.filter(|_| !entry.command.iter().flatten().any(is_own));
        let base = hidden.map_or(crate::path::directory(path), |at| &path[..at]);
        self.launch_in(base, entry)
    }

    /// Like [`Files::launch_of`]; an entry that names no folder is started in `base`.
    pub(super) fn launch_in(&self, base: &str, entry: &ServerEntry) -> Option<(String, Launch)> {
        let launch = launch(entry.command.as_ref()?)?;
        match &entry.cwd {
            // Paths in the command are relative to `cwd`.
            Some(cwd) => Some((inside(base, cwd)?, launch)),
            None => Some((base.to_string(), launch)),
        }
    }

    /// The paths of the files of installed packages that have been read.
    pub fn read_of_installed(&self) -> Vec<String> {
        let read = self.all().filter(|file| is_installed(&file.path) && !matches!(file.content, Content::Reserve));
        read.map(|file| file.path.to_string()).collect()
    }

    /// The paths of the unread files of the installed package that a command starts, if the files that have been read
    /// lead to them.
    pub(super) fn unread_of_started(&self, base: &str, launch: &Launch) -> Vec<String> {
        let reached = installed_entries(self, base, launch).into_iter().flat_map(|entry| closure(self, entry));
        let unread = reached.filter_map(|id| self.get(id)).filter(|file| matches!(file.content, Content::Reserve));
        unread.map(|file| file.path.to_string()).collect()
    }
}

/// The source, in the workspace, of the program that `npx` starts for the name of a package or program.
fn started_program(files: &Files, name: &str) -> Option<FileId> {
    let own = || files.manifests().filter(|(root, kind, _)| *kind == ManifestKind::PackageJson && !is_installed(root));
    let target = |(root, _, manifest): (&str, ManifestKind, &super::Manifest)| {
        let target = program_of(manifest, name)?;
        match source_file(files, &joined(root, target)?)? {
            Started::Entry(entry) => Some(entry),
            Started::Package(_) => None,
        }
    };
    let named = own().filter(|(_, _, manifest)| manifest.name.as_deref() == Some(name)).find_map(target);
    named.or_else(|| {
        own().find_map(|(root, kind, manifest)| {
            manifest.commands.contains_key(name).then(|| target((root, kind, manifest)))?
        })
    })
}

/// The file that a package runs for `name`: the file of the program with this name, of the program with this name
/// without its scope, or of the only program.
fn program_of<'m>(manifest: &'m super::Manifest, name: &str) -> Option<&'m str> {
    let bare = name.rsplit('/').next().unwrap_or(name);
    let commands = &manifest.commands;
    let only = || commands.values().next().filter(|_| commands.len() == 1);
    commands.get(name).or_else(|| commands.get(bare)).or_else(only).map(String::as_str)
}

/// The entry files of the installed package that a command starts.
fn installed_entries(files: &Files, base: &str, launch: &Launch) -> Vec<FileId> {
    let installed = || files.manifests().filter(|(directory, _, _)| is_installed(directory));
    let of_npm = |name: &str, wanted: &dyn Fn(&super::Manifest) -> bool| -> Vec<FileId> {
        let own = installed().filter(|(_, kind, manifest)| *kind == ManifestKind::PackageJson && wanted(manifest));
        let entries = own.flat_map(|(directory, _, manifest)| {
            // The program of that name or, if there is none, all entry points.
            let program = program_of(manifest, name);
            let all = manifest.commands.values().map(String::as_str);
            let all = all.chain(manifest.entries.iter().map(String::as_str)).filter(|_| program.is_none());
            let targets: Vec<&str> = program.into_iter().chain(all).collect();
            targets.into_iter().filter_map(move |target| joined(directory, target))
        });
        entries.filter_map(|path| files.by_path(&path).map(|file| file.id)).collect()
    };
    let has_command = |manifest: &super::Manifest, name: &str| manifest.commands.contains_key(name);
    let module = |site: &str, module: &str| {
        let inner = module.replace('.', "/");
        python_file(files, &format!("{site}/{inner}"), "__main__").or_else(|| python_file(files, site, &inner))
    };
    let of_python = |name: &str, wanted: &dyn Fn(&str, &super::Manifest) -> bool| -> Vec<FileId> {
        let own =
            installed().filter(|(info, kind, manifest)| *kind == ManifestKind::EntryPoints && wanted(info, manifest));
        let targets = own.flat_map(|(info, _, manifest)| {
            let site = crate::path::directory(info);
            let named = manifest.commands.get(name);
            let all = manifest.commands.values().filter(move |_| named.is_none());
            named.into_iter().chain(all).map(move |target| (site, target.split(':').next().unwrap_or(target)))
        });
        targets.filter_map(|(site, target)| module(site, target)).collect()
    };
    let either = |first: Vec<FileId>, other: &dyn Fn() -> Vec<FileId>| if first.is_empty() { other() } else { first };
    let mut entries = match launch {
        Launch::NpmPackage(name) => either(of_npm(name, &|manifest| manifest.name.as_ref() == Some(name)), &|| {
            of_npm(name, &|manifest| has_command(manifest, name))
        }),
        Launch::PythonPackage(name) => {
            either(of_python(name, &|info, _| is_info_of(info.rsplit('/').next().unwrap_or(info), name)), &|| {
                of_python(name, &|_, manifest| has_command(manifest, name))
            })
        }
        Launch::PythonScript { script, .. } => of_python(script, &|_, manifest| has_command(manifest, script)),
        Launch::PythonModule(name) => files.sites.iter().filter_map(|site| module(site, name)).collect(),
        Launch::Program(program) if is_outside(program) => Vec::new(),
        Launch::Program(program) => {
            let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
            let name = name.strip_suffix(".exe").unwrap_or(name);
            either(of_npm(name, &|manifest| has_command(manifest, name)), &|| {
                of_python(name, &|_, manifest| has_command(manifest, name))
            })
        }
        Launch::File(path) => {
            let file = inside(base, path).and_then(|path| files.by_path(&path)).filter(|file| is_installed(&file.path));
            file.map(|file| file.id).into_iter().collect()
        }
        Launch::Cargo { .. } | Launch::Build(_) | Launch::Elsewhere => Vec::new(),
    };
    entries.sort();
    entries.dedup();
    entries
}

/// The source of a file to be run.
enum Started {
    Entry(FileId),
    /// The directory of a package whose entry file is not known.
    Package(String),
}

/// Finds the source of a file that a command runs: the file itself, or what it was built from.
fn source_file(files: &Files, path: &str) -> Option<Started> {
    let is_source = |id: FileId| files.family(id).is_some();
    if let Some(file) = files.by_path(path).filter(|file| is_source(file.id)) {
        return Some(Started::Entry(file.id));
    }
    if let Some(id) = source_of(path, |path| files.by_path(path).map(|file| file.id)) {
        return Some(Started::Entry(id));
    }
    // If the file's own source is not found, the file may be the built entry file of the package around it.
    let depth = path.matches('/').count();
    let mut above = folders_above(path).skip(depth.saturating_sub(DEEPEST));
    let directory = above.find(|directory| files.manifest_in(directory).is_some())?;
    let inside = path[directory.len()..].trim_start_matches('/');
    let (_, manifest) = files.manifest_in(directory)?;
    let targets = manifest.commands.values().chain(&manifest.entries);
    let is_its = targets.filter_map(|target| joined("", target)).any(|target| target == inside);
    (is_its || is_built(inside) && is_main(inside)).then(|| Started::Package(directory.to_string()))
}

/// Whether the name of a file is that of a package's entry file.
fn is_main(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(name.split('.').next(), Some("index" | "main"))
}

/// Resolves a path in a command against the folder `base`; `None` if it leads out of the workspace.
fn inside(base: &str, path: &str) -> Option<String> {
    joined(base, path).filter(|_| !is_outside(path))
}

/// The entry and every file that it imports, directly or indirectly.
fn closure(files: &Files, entry: FileId) -> FxHashSet<FileId> {
    let mut reached = FxHashSet::from_iter([entry]);
    let mut open = vec![entry];
    while let Some(file) = open.pop() {
        let Some(facts) = files.facts(file) else {
            continue;
        };
        let scopes = facts.items.iter().flat_map(|item| &item.facts.scopes);
        for binding in scopes.flat_map(|scope| &scope.bindings) {
            let Bound::Import { module, name } = &binding.value else {
                continue;
            };
            let mut targets = vec![files.target(file, module)];
            // `from package import module`
            if let (Imported::Named(name), Some(Family::Python)) = (name, files.family(file)) {
                let dot = if module.ends_with('.') { "" } else { "." };
                targets.push(files.target(file, &format!("{module}{dot}{name}")));
            }
            open.extend(targets.into_iter().flatten().filter(|&target| reached.insert(target)));
        }
        // `await import("./server.js")`, however the result is used.
        for (item, call) in facts.calls.get("import").into_iter().flatten() {
            let call = facts.items[*item as usize].facts.call(*call);
            if let Some(Expr::Text { text, .. }) = call.args.first().map(|arg| &arg.value) {
                open.extend(files.target(file, text).filter(|&target| reached.insert(target)));
            }
        }
        for export in facts.items.iter().flat_map(|item| &item.facts.exports) {
            if let crate::lower::ExportTarget::From { module, .. } = &export.target {
                open.extend(files.target(file, module).filter(|&target| reached.insert(target)));
            }
        }
    }
    reached
}
