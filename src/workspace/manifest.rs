//! Manifests: the names and entry points in `package.json`, `pyproject.toml` and `Cargo.toml`, and in the metadata of
//! installed Python packages.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::document::{self, Node};
use crate::syntax::Family;

/// The contents of a manifest.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Manifest {
    pub kind: ManifestKind,
    /// The text as it was written.
    pub text: Arc<str>,
    pub name: Option<String>,
    pub version: Option<String>,
    /// The commands that the package installs, and what each runs: a file, or `module:function` in Python.
    pub commands: IndexMap<String, String, FxBuildHasher>,
    /// Files that are entry points in addition to the commands.
    pub entries: Vec<String>,
    /// The packages on which it depends, as imports name them.
    pub dependencies: Vec<String>,
    /// The `dependencies` that are needed only for development: they are not installed with the package.
    pub development: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ManifestKind {
    #[default]
    PackageJson,
    Pyproject,
    CargoToml,
    /// `METADATA` of an installed Python distribution.
    Metadata,
    /// `entry_points.txt` of an installed Python distribution.
    EntryPoints,
}

impl ManifestKind {
    /// The names of the manifests that people write.
    pub const WRITTEN: [&str; 3] = ["package.json", "pyproject.toml", "Cargo.toml"];

    pub fn of_path(path: &str) -> Option<ManifestKind> {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        match name {
            "package.json" => Some(ManifestKind::PackageJson),
            "pyproject.toml" => Some(ManifestKind::Pyproject),
            "Cargo.toml" => Some(ManifestKind::CargoToml),
            "METADATA" if directory.ends_with(".dist-info") => Some(ManifestKind::Metadata),
            "entry_points.txt" if directory.ends_with(".dist-info") => Some(ManifestKind::EntryPoints),
            _ => None,
        }
    }

    pub fn family(self) -> Family {
        match self {
            ManifestKind::PackageJson => Family::TypeScript,
            ManifestKind::Pyproject | ManifestKind::Metadata | ManifestKind::EntryPoints => Family::Python,
            ManifestKind::CargoToml => Family::Rust,
        }
    }
}

/// Parses a TOML manifest; `None` if it is not valid, or nested too deep to be read.
fn toml_table(text: &str) -> Option<toml::Table> {
    if document::toml_too_deep(text).is_some() {
        return None;
    }
    toml::from_str(text).ok()
}

impl Manifest {
    /// The version range of another package, as written.
    pub(super) fn needed_range(&self, package: &str) -> Option<String> {
        let text = &*self.text;
        match self.kind {
            ManifestKind::PackageJson => {
                let root = document::parse_json(text).root?;
                let tables = ["dependencies", "devDependencies", "peerDependencies"];
                tables.iter().find_map(|table| root.get(table)?.get(package)?.as_str().map(str::to_string))
            }
            ManifestKind::Pyproject => {
                let root = toml_table(text)?;
                let needed = root.get("project")?.get("dependencies")?.as_array()?;
                let mut ranges = needed.iter().filter_map(|one| {
                    let rest = one.as_str()?.strip_prefix(package)?;
                    let rest =
                        rest.strip_prefix('[').map_or(rest, |extras| extras.split_once(']').map_or("", |it| it.1));
                    let is_range = rest.trim_start().starts_with(['=', '>', '~', '<', '!']);
                    is_range.then(|| rest.split(';').next().unwrap_or(rest).to_string())
                });
                ranges.next()
            }
            ManifestKind::CargoToml => {
                let root = toml_table(text)?;
                let needed = root.get("dependencies")?.get(package)?;
                needed.as_str().or_else(|| needed.get("version")?.as_str()).map(str::to_string)
            }
            _ => None,
        }
    }

    /// Reads a manifest; what cannot be read is left out.
    pub fn read(kind: ManifestKind, text: &str) -> Manifest {
        let manifest = match kind {
            ManifestKind::PackageJson => Manifest::package_json(text).unwrap_or_default(),
            ManifestKind::Pyproject => Manifest::pyproject(text).unwrap_or_default(),
            ManifestKind::CargoToml => Manifest::cargo(text).unwrap_or_default(),
            ManifestKind::Metadata => Manifest::metadata(text),
            ManifestKind::EntryPoints => Manifest::entry_points(text),
        };
        Manifest { kind, text: text.into(), ..manifest }
    }

    fn package_json(text: &str) -> Option<Manifest> {
        let root = document::parse_json(text).root?;
        let name = root.get("name").and_then(Node::as_str).map(str::to_string);
        let version = root.get("version").and_then(Node::as_str).map(str::to_string);
        let mut commands = IndexMap::default();
        if let Some(bin) = root.get("bin") {
            if let (Some(target), Some(name)) = (bin.as_str(), &name) {
                let command = name.rsplit('/').next().unwrap_or(name);
                commands.insert(command.to_string(), target.to_string());
            }
            for (command, target) in bin.entries() {
                commands.extend(target.as_str().map(|target| (command.text.clone(), target.to_string())));
            }
        }
        let entries =
            ["main", "module"].into_iter().filter_map(|key| root.get(key)?.as_str()).map(str::to_string).collect();
        let needed = |keys: &[&str]| -> Vec<String> {
            let tables = keys.iter().filter_map(|key| root.get(key));
            tables.flat_map(Node::entries).map(|(name, _)| name.text.clone()).collect()
        };
        let installed = needed(&["dependencies", "peerDependencies"]);
        let mut development = needed(&["devDependencies"]);
        development.retain(|name| !installed.contains(name));
        let dependencies = installed.into_iter().chain(development.iter().cloned()).collect();
        Some(Manifest { name, version, commands, entries, dependencies, development, ..Manifest::default() })
    }

    fn pyproject(text: &str) -> Option<Manifest> {
        let table = toml_table(text)?;
        let poetry = table.get("tool").and_then(|tool| tool.get("poetry"));
        let project = table.get("project").or(poetry)?;
        let name = project.get("name").and_then(toml::Value::as_str).map(str::to_string);
        let version = project.get("version").and_then(toml::Value::as_str).map(str::to_string);
        let scripts = project.get("scripts").and_then(toml::Value::as_table);
        let commands = scripts
            .into_iter()
            .flatten()
            .filter_map(|(command, target)| Some((command.clone(), target.as_str()?.to_string())))
            .collect();
        let listed = project.get("dependencies").and_then(toml::Value::as_array);
        let dependencies = listed.into_iter().flatten().filter_map(toml::Value::as_str).map(required).collect();
        Some(Manifest { name, version, commands, dependencies, ..Manifest::default() })
    }

    /// Reads the headers of `METADATA`; the description after them is for people.
    fn metadata(text: &str) -> Manifest {
        let headers =
            || text.lines().take_while(|line| !line.trim().is_empty()).filter_map(|line| line.split_once(": "));
        let of = |wanted: &'static str| headers().filter(move |(key, _)| *key == wanted).map(|(_, value)| value.trim());
        Manifest {
            name: of("Name").next().map(str::to_string),
            version: of("Version").next().map(str::to_string),
            dependencies: of("Requires-Dist").map(required).collect(),
            ..Manifest::default()
        }
    }

    /// Reads the console scripts of `entry_points.txt`: `command = module:function` under a heading.
    fn entry_points(text: &str) -> Manifest {
        let under = text.lines().map(str::trim).skip_while(|line| *line != "[console_scripts]").skip(1);
        let scripts = under.take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once('='));
        let commands = scripts.map(|(command, target)| {
            let target = target.split(['[', ' ']).find(|part| !part.is_empty()).unwrap_or_default();
            (command.trim().to_string(), target.to_string())
        });
        Manifest { commands: commands.collect(), ..Manifest::default() }
    }

    fn cargo(text: &str) -> Option<Manifest> {
        let table = toml_table(text)?;
        let package = table.get("package")?;
        let name = package.get("name")?.as_str()?.to_string();
        let version = package.get("version").and_then(toml::Value::as_str).map(str::to_string);
        let binaries = table.get("bin").and_then(toml::Value::as_array);
        let commands = binaries
            .into_iter()
            .flatten()
            .filter_map(|binary| {
                let name = binary.get("name")?.as_str()?.to_string();
                let path = binary.get("path").and_then(toml::Value::as_str).unwrap_or("src/main.rs").to_string();
                Some((name, path))
            })
            .collect();
        let needed = table.get("dependencies").and_then(toml::Value::as_table);
        let dependencies =
            needed.into_iter().flat_map(|table| table.keys()).map(|name| name.replace('-', "_")).collect();
        let entries = vec!["src/main.rs".into()];
        Some(Manifest { name: Some(name), version, commands, entries, dependencies, ..Manifest::default() })
    }
}

/// The name of the package in a requirement such as `mcp[cli]>=1.2; python_version > "3.9"`, as imports spell it. It
/// ends at the first character that a name cannot contain.
fn required(text: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    text.split(|c| !is_name(c)).next().unwrap_or("").replace('-', "_")
}

/// The form of a PyPI project name in which names are compared.
pub(crate) fn project_key(name: &str) -> String {
    name.to_lowercase().replace(['_', '.'], "-")
}

/// Whether two names refer to the same PyPI project.
pub(super) fn is_same_project(a: &str, b: &str) -> bool {
    project_key(a) == project_key(b)
}

/// Whether a `.dist-info` folder belongs to the project with a name: `acme_notes-1.2.dist-info` belongs to
/// `acme-notes`.
pub(super) fn is_info_of(folder: &str, name: &str) -> bool {
    project_of_info(folder).is_some_and(|project| project == project_key(name))
}

/// The [key](project_key) of the project that a `.dist-info` folder belongs to; `None` for other folders.
pub(crate) fn project_of_info(folder: &str) -> Option<String> {
    let (project, _) = folder.strip_suffix(".dist-info")?.rsplit_once('-')?;
    Some(project_key(project))
}
