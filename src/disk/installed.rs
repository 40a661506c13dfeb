//! Installed packages, `node_modules` and `site-packages`: what client files start, what a package of the workspace
//! needs that needs an MCP framework itself, and in which files to look for it. Nothing of them is run.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use smol_str::SmolStr;

use super::door::Door;
use super::walk::{is_interesting, relative};
use crate::client::{Launch, is_outside};
use crate::framework::Frameworks;
use crate::syntax::Family;
use crate::workspace::{Manifest, ManifestKind, is_info_of};

/// How many files of one package are looked at; what is larger is an application.
const MAX_FILES: usize = 5_000;

/// Looks for installed packages in one workspace.
pub(super) struct Installed<'a> {
    door: &'a Door,
    /// Paths count from here, with `/`; nothing above it is looked at.
    root: PathBuf,
    frameworks: &'a Frameworks,
}

/// One installed package.
struct Package {
    manifest: Manifest,
    /// Its folders, its modules, and what tells of it.
    places: Vec<PathBuf>,
}

impl<'a> Installed<'a> {
    pub(super) fn new(door: &'a Door, frameworks: &'a Frameworks) -> Installed<'a> {
        Installed { door, root: door.root(), frameworks }
    }

    /// The files of the packages that a package in `directory` needs, of those that need a framework themselves.
    pub(super) fn needed_by(&self, directory: &str, manifest: &Manifest) -> Vec<String> {
        let mut files = Vec::new();
        for package in self.dependencies(&self.root.join(directory), manifest) {
            if self.needs_framework(&package.manifest) {
                self.add(&package, &mut files);
            }
        }
        files
    }

    /// The files of the package that a command starts in `base`. Where it needs no framework itself, those of the
    /// packages that it needs come with it: one of them has the server.
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

    /// The installed packages, besides frameworks, that a manifest below `at` names.
    fn dependencies(&self, at: &Path, manifest: &Manifest) -> Vec<Package> {
        let family = manifest.kind.family();
        let names = manifest.dependencies.iter().filter(|name| !self.is_framework(family, name));
        let find = |name: &String| {
            self.upwards(at).find_map(|at| match family {
                Family::TypeScript => self.npm(&at.join("node_modules").join(name)),
                Family::Python => {
                    self.distributions(at).find(|info| is_project(info, name)).map(|info| self.distribution(&info))
                }
                Family::Rust => None,
            })
        };
        names.filter_map(find).collect()
    }

    /// A folder and those above it, as far as the workspace reaches.
    fn upwards<'p>(&'p self, at: &'p Path) -> impl Iterator<Item = &'p Path> {
        at.ancestors().take_while(|at| at.starts_with(&self.root))
    }

    fn needs_framework(&self, manifest: &Manifest) -> bool {
        let mut needed = manifest.dependencies.iter().filter(|name| !manifest.development.contains(name));
        needed.any(|name| self.is_framework(manifest.kind.family(), name))
    }

    fn is_framework(&self, family: Family, name: &str) -> bool {
        let is = |own: &SmolStr| own.replace('-', "_") == name.replace('-', "_");
        self.frameworks.rows.iter().any(|row| row.language == family && row.packages.iter().any(is))
    }

    /// The files of a package that may be of interest.
    fn add(&self, package: &Package, files: &mut Vec<String>) {
        // A link that leads out of the repository is not walked into.
        for place in package.places.iter().filter(|place| self.door.resolved(place).is_some()) {
            let from = files.len();
            let own = place.clone();
            // A folder that is itself a link (pnpm keeps packages elsewhere) is entered through it.
            let entries = ignore::WalkBuilder::new(place)
                .standard_filters(false)
                .follow_links(false)
                .filter_entry(move |entry| entry.path() == own || entry.file_name() != "node_modules")
                .build();
            for entry in entries.flatten() {
                let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                let path = relative(&self.root, entry.path()).filter(|path| is_file && is_interesting(path));
                let Some(path) = path else { continue };
                if files.len() - from == MAX_FILES {
                    files.truncate(from);
                    break;
                }
                files.push(path);
            }
        }
    }

    /// The package that a command starts, if the folder `at` has it installed.
    fn started_at(&self, at: &Path, launch: &Launch) -> Option<Package> {
        let script = |name: &str| {
            let has = |info: &PathBuf| self.commands(info).commands.iter().any(|(command, _)| command == name);
            self.distributions(at).find(has).map(|info| self.distribution(&info))
        };
        match launch {
            Launch::NpmPackage(name) => {
                self.npm(&at.join("node_modules").join(name)).or_else(|| self.npm_command(at, name))
            }
            Launch::PythonPackage(name) => {
                let mut infos = self.distributions(at);
                let named = infos.find(|info| is_project(info, name)).map(|info| self.distribution(&info));
                named.or_else(|| script(name))
            }
            Launch::PythonModule(module) => {
                let top = module.split('.').next().unwrap_or(module);
                self.distributions(at).map(|info| self.distribution(&info)).find(|package| {
                    let is_top = |place: &PathBuf| place.file_stem() == Some(OsStr::new(top));
                    package.places.iter().any(is_top)
                })
            }
            Launch::PythonScript { script: name, .. } => script(name),
            Launch::Program(path) | Launch::File(path) if is_outside(path) => None,
            Launch::Program(program) => {
                let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
                self.npm_command(at, name).or_else(|| script(name.strip_suffix(".exe").unwrap_or(name)))
            }
            Launch::File(path) => {
                let (above, inside) = path.rsplit_once("node_modules/")?;
                if let Some(command) = inside.strip_prefix(".bin/") {
                    return self.npm_command(&at.join(above), command);
                }
                let parts = if inside.starts_with('@') { 2 } else { 1 };
                let name: Vec<&str> = inside.split('/').take(parts).collect();
                self.npm(&at.join(above).join("node_modules").join(name.join("/")))
            }
            Launch::Cargo { .. } | Launch::Elsewhere => None,
        }
    }

    /// The npm package in a folder; none for a package of the workspace, which is linked and read in its own folder.
    fn npm(&self, folder: &Path) -> Option<Package> {
        let is_inside = |path: PathBuf| path.components().any(|part| part.as_os_str() == OsStr::new("node_modules"));
        if self.door.is_link(folder) && !is_inside(self.door.resolved(folder)?) {
            return None;
        }
        let text = self.door.text(folder.join("package.json")).ok()?;
        Some(Package { manifest: Manifest::read(ManifestKind::PackageJson, &text), places: vec![folder.to_path_buf()] })
    }

    /// The npm package that installed a command.
    fn npm_command(&self, at: &Path, name: &str) -> Option<Package> {
        let target = self.door.link(at.join("node_modules/.bin").join(name))?;
        let path = target.to_str()?.strip_prefix("../")?;
        let parts = if path.starts_with('@') { 2 } else { 1 };
        let package: PathBuf = path.split('/').take(parts).collect();
        self.npm(&at.join("node_modules").join(package))
    }

    /// The `.dist-info` folders of the virtual environments in a folder.
    fn distributions(&self, at: &Path) -> impl Iterator<Item = PathBuf> {
        let environments = [".venv", "venv", "env"].map(|name| at.join(name));
        let environments = environments.into_iter().filter(|folder| super::door::is_there(folder));
        let sites = environments.flat_map(|environment| {
            let versions = self.door.entries(environment.join("lib")).into_iter();
            versions.map(|version| version.join("site-packages")).chain([environment.join("Lib/site-packages")])
        });
        let infos = sites.flat_map(|site| self.door.entries(site));
        infos.filter(|path| path.extension() == Some(OsStr::new("dist-info")))
    }

    /// The commands that a distribution installs.
    fn commands(&self, info: &Path) -> Manifest {
        let text = self.door.text(info.join("entry_points.txt")).unwrap_or_default();
        Manifest::read(ManifestKind::EntryPoints, &text)
    }

    /// A Python distribution, from its `.dist-info` folder.
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

/// Whether a `.dist-info` folder is of a project of this name.
fn is_project(info: &Path, name: &str) -> bool {
    info.file_name().and_then(OsStr::to_str).is_some_and(|folder| is_info_of(folder, name))
}
