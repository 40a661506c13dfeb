//! Finds installed packages in `node_modules` and `site-packages`, and the files to read in them. A package is of
//! interest if a client file starts it, or if a package of the workspace depends on it and it depends on an MCP
//! framework itself. No code of a package is run.

use std::cell::{OnceCell, RefCell};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::door::Door;
use super::walk::{files_of_package, is_interesting, relative};
use crate::client::{Launch, is_outside};
use crate::framework::Frameworks;
use crate::path::DEEPEST;
use crate::syntax::Family;
use crate::workspace::{Manifest, ManifestKind, project_key, project_of_info};

/// The maximum number of files that are read in one folder of a package; a larger folder is taken for an application
/// and left out.
const MAX_FILES: usize = 5_000;

/// Finds the installed packages of one workspace. The packages installed in a folder are read once.
pub(super) struct Installed<'a> {
    door: &'a Door,
    /// The root of the workspace. Returned paths are relative to it, with `/`; nothing above it is read.
    root: PathBuf,
    /// The packages of frameworks, with `_` in place of `-`.
    frameworks: FxHashSet<(Family, String)>,
    folders: RefCell<FxHashMap<PathBuf, Rc<Folder>>>,
}

/// The packages installed in one folder.
#[derive(Default)]
struct Folder {
    /// The names of the packages in its `node_modules`.
    npm: OnceCell<FxHashSet<String>>,
    python: OnceCell<Environment>,
}

/// The Python distributions of a folder's virtual environments.
#[derive(Default)]
struct Environment {
    /// The `.dist-info` folders of the distributions.
    infos: Vec<PathBuf>,
    /// The index of the first distribution of each project, by the project's name in PyPI's normalized form.
    projects: FxHashMap<String, usize>,
    /// For each command, the index of the first distribution that installs it. `modules` is the same for each top-level
    /// module or package.
    commands: OnceCell<FxHashMap<String, usize>>,
    modules: OnceCell<FxHashMap<OsString, usize>>,
}

/// One installed package.
struct Package {
    manifest: Manifest,
    /// The package's folders and modules, and for Python its `.dist-info` folder.
    places: Vec<PathBuf>,
}

impl<'a> Installed<'a> {
    pub(super) fn new(door: &'a Door, frameworks: &Frameworks) -> Installed<'a> {
        let packages = frameworks.rows.iter().flat_map(|row| row.packages.iter().map(|name| (row.language, name)));
        let frameworks = packages.map(|(family, name)| (family, name.replace('-', "_"))).collect();
        Installed { door, root: door.root(), frameworks, folders: RefCell::default() }
    }

    /// Returns the files of those dependencies of a package in `directory` that depend on a framework themselves.
    /// `manifest` is the manifest of the package.
    pub(super) fn needed_by(&self, directory: &str, manifest: &Manifest) -> Vec<String> {
        let mut files = Vec::new();
        for package in self.dependencies(&self.root.join(directory), manifest) {
            if self.needs_framework(&package.manifest) {
                self.add(&package, &mut files);
            }
        }
        files
    }

    /// Returns the files of the package that a command starts when it is run in the folder `base`; empty if no such
    /// package is installed. If the package does not depend on a framework itself, the files of its dependencies are
    /// included: one of them contains the server.
    pub(super) fn started(&self, base: &str, launch: &Launch) -> Vec<String> {
        let at = self.root.join(base);
        let mut files = Vec::new();
        let Some(package) = self.upwards(&at).find_map(|at| self.started_at(at, launch)) else { return files };
        self.add(&package, &mut files);
        if !self.needs_framework(&package.manifest) {
            let at = package.places.first().map_or(at.as_path(), PathBuf::as_path);
            for needed in self.dependencies(at, &package.manifest) {
                self.add(&needed, &mut files);
            }
        }
        files
    }

    /// Returns the installed packages, other than frameworks, that a manifest depends on. They are looked up in the
    /// folder `at` and those above it.
    fn dependencies(&self, at: &Path, manifest: &Manifest) -> Vec<Package> {
        let family = manifest.kind.family();
        let names = manifest.dependencies.iter().filter(|name| !self.is_framework(family, name));
        let folders: Vec<(&Path, Rc<Folder>)> = self.upwards(at).map(|at| (at, self.folder(at))).collect();
        let find = |name: &String| {
            folders.iter().find_map(|(at, folder)| match family {
                Family::TypeScript => self.npm(at, folder, name),
                Family::Python => self.project(at, folder, name),
                Family::Rust => None,
            })
        };
        names.filter_map(find).collect()
    }

    /// Returns a folder and those above it, up to the root of the workspace, without those deeper than [`DEEPEST`].
    fn upwards<'p>(&'p self, at: &'p Path) -> impl Iterator<Item = &'p Path> {
        let depth = at.components().count().saturating_sub(self.root.components().count());
        at.ancestors().skip(depth.saturating_sub(DEEPEST)).take_while(|at| at.starts_with(&self.root))
    }

    fn needs_framework(&self, manifest: &Manifest) -> bool {
        let mut needed = manifest.dependencies.iter().filter(|name| !manifest.development.contains(name));
        needed.any(|name| self.is_framework(manifest.kind.family(), name))
    }

    fn is_framework(&self, family: Family, name: &str) -> bool {
        self.frameworks.contains(&(family, name.replace('-', "_")))
    }

    /// Adds the files of a package that are to be read to `files`, as paths relative to the root.
    fn add(&self, package: &Package, files: &mut Vec<String>) {
        // A link that leads out of the repository is not followed.
        for place in package.places.iter().filter(|place| self.door.resolved(place).is_some()) {
            let from = files.len();
            let paths = files_of_package(place).filter_map(|path| relative(&self.root, &path));
            for path in paths.filter(|path| is_interesting(path)) {
                if files.len() - from == MAX_FILES {
                    files.truncate(from);
                    break;
                }
                files.push(path);
            }
        }
    }

    /// Returns the package that a command starts, if it is installed in the folder `at`.
    fn started_at(&self, at: &Path, launch: &Launch) -> Option<Package> {
        let folder = self.folder(at);
        match launch {
            Launch::NpmPackage(name) => self.npm(at, &folder, name).or_else(|| self.npm_command(at, &folder, name)),
            Launch::PythonPackage(name) => self.project(at, &folder, name).or_else(|| self.script(at, &folder, name)),
            Launch::PythonModule(module) => {
                let top = module.split('.').next().unwrap_or(module);
                let environment = self.environment(at, &folder);
                let modules = environment.modules.get_or_init(|| self.modules(environment));
                Some(self.distribution(&environment.infos[*modules.get(OsStr::new(top))?]))
            }
            Launch::PythonScript { script: name, .. } => self.script(at, &folder, name),
            Launch::Program(path) | Launch::File(path) if is_outside(path) => None,
            Launch::Program(program) => {
                let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
                let script = || self.script(at, &folder, name.strip_suffix(".exe").unwrap_or(name));
                self.npm_command(at, &folder, name).or_else(script)
            }
            Launch::File(path) => {
                let (above, inside) = path.rsplit_once("node_modules/")?;
                let at = at.join(above);
                let folder = self.folder(&at);
                if let Some(command) = inside.strip_prefix(".bin/") {
                    return self.npm_command(&at, &folder, command);
                }
                let parts = if inside.starts_with('@') { 2 } else { 1 };
                let name: Vec<&str> = inside.split('/').take(parts).collect();
                self.npm(&at, &folder, &name.join("/"))
            }
            Launch::Cargo { .. } | Launch::Build(_) | Launch::Elsewhere => None,
        }
    }

    /// Returns the packages installed in a folder. The npm packages and the Python distributions are each read on first
    /// use.
    fn folder(&self, at: &Path) -> Rc<Folder> {
        Rc::clone(self.folders.borrow_mut().entry(at.to_path_buf()).or_default())
    }

    /// Returns the names of the packages in a folder's `node_modules`.
    fn packages<'f>(&self, at: &Path, folder: &'f Folder) -> &'f FxHashSet<String> {
        folder.npm.get_or_init(|| {
            let inside = at.join("node_modules");
            let entries = self.door.entries(&inside).into_iter();
            let is_scope =
                |path: &PathBuf| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"@"));
            let (scopes, mut packages): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(is_scope);
            packages.extend(scopes.iter().flat_map(|scope| self.door.entries(scope)));
            packages.iter().filter_map(|package| relative(&inside, package)).collect()
        })
    }

    /// Returns the npm package with this name that is installed in a folder; `None` if there is none. Also `None` if
    /// the name is only a link to a package of the workspace, since that package is read in its own folder.
    fn npm(&self, at: &Path, folder: &Folder, name: &str) -> Option<Package> {
        if !self.packages(at, folder).contains(name) {
            return None;
        }
        let place = at.join("node_modules").join(name);
        let is_inside = |path: PathBuf| path.components().any(|part| part.as_os_str() == OsStr::new("node_modules"));
        if self.door.is_link(&place) && !is_inside(self.door.resolved(&place)?) {
            return None;
        }
        let text = self.door.text(place.join("package.json")).ok()?;
        Some(Package { manifest: Manifest::read(ManifestKind::PackageJson, &text), places: vec![place] })
    }

    /// Returns the npm package that installed a command.
    fn npm_command(&self, at: &Path, folder: &Folder, name: &str) -> Option<Package> {
        if self.packages(at, folder).is_empty() {
            return None;
        }
        let target = self.door.link(at.join("node_modules/.bin").join(name))?;
        let path = target.to_str()?.strip_prefix("../")?;
        let parts = if path.starts_with('@') { 2 } else { 1 };
        let package: Vec<&str> = path.split('/').take(parts).collect();
        self.npm(at, folder, &package.join("/"))
    }

    /// Returns the distributions of the virtual environments in a folder.
    fn environment<'f>(&self, at: &Path, folder: &'f Folder) -> &'f Environment {
        folder.python.get_or_init(|| {
            let environments = [".venv", "venv", "env"].map(|name| at.join(name));
            let environments = environments.into_iter().filter(|folder| super::door::is_there(folder));
            let sites = environments.flat_map(|environment| {
                let versions = self.door.entries(environment.join("lib")).into_iter();
                versions.map(|version| version.join("site-packages")).chain([environment.join("Lib/site-packages")])
            });
            let infos = sites.flat_map(|site| self.door.entries(site));
            let infos: Vec<PathBuf> = infos.filter(|path| path.extension() == Some(OsStr::new("dist-info"))).collect();
            let mut projects = FxHashMap::default();
            for (index, info) in infos.iter().enumerate() {
                if let Some(project) = info.file_name().and_then(OsStr::to_str).and_then(project_of_info) {
                    projects.entry(project).or_insert(index);
                }
            }
            Environment { infos, projects, ..Environment::default() }
        })
    }

    /// Returns the distribution of a project in a folder.
    fn project(&self, at: &Path, folder: &Folder, name: &str) -> Option<Package> {
        let environment = self.environment(at, folder);
        Some(self.distribution(&environment.infos[*environment.projects.get(&project_key(name))?]))
    }

    /// Returns the distribution that installs a command in a folder.
    fn script(&self, at: &Path, folder: &Folder, name: &str) -> Option<Package> {
        let environment = self.environment(at, folder);
        let commands = environment.commands.get_or_init(|| {
            let mut commands = FxHashMap::default();
            for (index, info) in environment.infos.iter().enumerate() {
                let text = self.door.text(info.join("entry_points.txt")).unwrap_or_default();
                for (command, _) in Manifest::read(ManifestKind::EntryPoints, &text).commands {
                    commands.entry(command).or_insert(index);
                }
            }
            commands
        });
        Some(self.distribution(&environment.infos[*commands.get(name)?]))
    }

    /// Maps each top-level module or package of an environment to the index of the first distribution that contains it.
    fn modules(&self, environment: &Environment) -> FxHashMap<OsString, usize> {
        let mut modules = FxHashMap::default();
        for (index, info) in environment.infos.iter().enumerate() {
            for place in self.distribution(info).places {
                if let Some(name) = place.file_stem() {
                    modules.entry(name.to_os_string()).or_insert(index);
                }
            }
        }
        modules
    }

    /// Reads a Python distribution from its `.dist-info` folder.
    fn distribution(&self, info: &Path) -> Package {
        let text = self.door.text(info.join("METADATA")).unwrap_or_default();
        let record = self.door.text(info.join("RECORD")).unwrap_or_default();
        let mut tops: Vec<&str> = record.lines().filter_map(|line| line.split(['/', ',']).next()).collect();
        tops.retain(|top| !top.ends_with(".dist-info") && *top != ".." && *top != "__pycache__" && !top.is_empty());
        tops.sort_unstable();
        tops.dedup();
        let site = info.parent().unwrap_or(info);
        let mut places: Vec<PathBuf> = tops.into_iter().map(|top| site.join(top)).collect();
        places.push(info.to_path_buf());
        Package { manifest: Manifest::read(ManifestKind::Metadata, &text), places }
    }
}
