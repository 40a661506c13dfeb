//! Packages: what `package.json`, `pyproject.toml` and `Cargo.toml` say of names and entry points.

use std::sync::Arc;

use super::{Content, Files};
use crate::document::{self, Node};
use crate::evaluate::World;
use crate::syntax::{self, Family, Language};
use crate::text::FileId;

/// What a manifest says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Manifest {
    pub kind: ManifestKind,
    /// As it was written.
    pub text: Arc<str>,
    pub name: Option<String>,
    pub version: Option<String>,
    /// Commands it installs, and what each runs: a file, or `module:function` in Python.
    pub commands: Vec<(String, String)>,
    /// Files that are its entry points besides.
    pub entries: Vec<String>,
    /// The packages it needs, as imports name them.
    pub dependencies: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ManifestKind {
    #[default]
    PackageJson,
    Pyproject,
    CargoToml,
}

impl ManifestKind {
    pub fn of_file(name: &str) -> Option<ManifestKind> {
        match name {
            "package.json" => Some(ManifestKind::PackageJson),
            "pyproject.toml" => Some(ManifestKind::Pyproject),
            "Cargo.toml" => Some(ManifestKind::CargoToml),
            _ => None,
        }
    }

    pub fn family(self) -> Family {
        match self {
            ManifestKind::PackageJson => Family::TypeScript,
            ManifestKind::Pyproject => Family::Python,
            ManifestKind::CargoToml => Family::Rust,
        }
    }
}

impl Manifest {
    /// Reads a manifest; what cannot be read is left out.
    pub fn read(kind: ManifestKind, text: &str) -> Manifest {
        let manifest = match kind {
            ManifestKind::PackageJson => Manifest::package_json(text).unwrap_or_default(),
            ManifestKind::Pyproject => Manifest::pyproject(text).unwrap_or_default(),
            ManifestKind::CargoToml => Manifest::cargo(text).unwrap_or_default(),
        };
        Manifest { kind, text: text.into(), ..manifest }
    }

    fn package_json(text: &str) -> Option<Manifest> {
        let tree = syntax::parse(Language::Json, text, None)?;
        let root = document::parse_json(&tree, text).0?;
        let name = root.get("name").and_then(Node::as_str).map(str::to_string);
        let version = root.get("version").and_then(Node::as_str).map(str::to_string);
        let mut commands = Vec::new();
        if let Some(bin) = root.get("bin") {
            if let (Some(target), Some(name)) = (bin.as_str(), &name) {
                let command = name.rsplit('/').next().unwrap_or(name);
                commands.push((command.to_string(), target.to_string()));
            }
            for (command, target) in bin.entries() {
                commands.extend(target.as_str().map(|target| (command.text.clone(), target.to_string())));
            }
        }
        let entries =
            ["main", "module"].into_iter().filter_map(|key| root.get(key)?.as_str()).map(str::to_string).collect();
        let tables =
            ["dependencies", "devDependencies", "peerDependencies"].into_iter().filter_map(|key| root.get(key));
        let dependencies = tables.flat_map(Node::entries).map(|(name, _)| name.text.clone()).collect();
        Some(Manifest { name, version, commands, entries, dependencies, ..Manifest::default() })
    }

    fn pyproject(text: &str) -> Option<Manifest> {
        let table: toml::Table = toml::from_str(text).ok()?;
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
        // `mcp[cli]>=1.2; python_version > "3.9"`: the name goes as far as a name can.
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        let bare = |text: &str| text.split(|c| !is_name(c)).next().unwrap_or("").replace('-', "_");
        let dependencies = listed.into_iter().flatten().filter_map(toml::Value::as_str).map(bare).collect();
        Some(Manifest { name, version, commands, dependencies, ..Manifest::default() })
    }

    fn cargo(text: &str) -> Option<Manifest> {
        let table: toml::Table = toml::from_str(text).ok()?;
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

impl Files {
    /// Every manifest: its directory, kind and content.
    pub fn manifests(&self) -> impl Iterator<Item = (&str, ManifestKind, &Manifest)> {
        self.manifests.iter().filter_map(|&id| {
            let path = self.path(id);
            let kind = ManifestKind::of_file(path.rsplit('/').next()?)?;
            match &self.get(id)?.content {
                Content::Manifest(manifest) => Some((Files::directory(path), kind, manifest.as_ref())),
                _ => None,
            }
        })
    }

    /// The directory of the package that a file belongs to: the nearest one upward with a manifest of the
    /// file's language; the root where there is none.
    pub fn package_root(&self, file: FileId) -> &str {
        let path = self.path(file);
        let family = self.family(file);
        let mut directory = Files::directory(path);
        loop {
            let found = self.manifest_in(directory).is_some_and(|(kind, _)| Some(kind.family()) == family);
            if found || directory.is_empty() {
                return directory;
            }
            directory = Files::directory(directory);
        }
    }

    /// The manifest of a directory, of whichever language.
    pub fn manifest_in(&self, directory: &str) -> Option<(ManifestKind, &Manifest)> {
        ["package.json", "pyproject.toml", "Cargo.toml"].into_iter().find_map(|name| {
            let path = if directory.is_empty() { name.to_string() } else { format!("{directory}/{name}") };
            match &self.by_path(&path)?.content {
                Content::Manifest(manifest) => Some((ManifestKind::of_file(name)?, manifest.as_ref())),
                _ => None,
            }
        })
    }
}
