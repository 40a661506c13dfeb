//! The packages of a workspace, and the files that belong to them.

use semver::Version;

use super::manifest::{Manifest, ManifestKind, is_same_project};
use super::{Content, Files};
use crate::client;
use crate::syntax::Family;
use crate::text::FileId;

impl Files {
    /// Every manifest: its directory, kind and content.
    pub fn manifests(&self) -> impl Iterator<Item = (&str, ManifestKind, &Manifest)> {
        self.manifests.iter().filter_map(|&id| {
            let path = self.path(id);
            let kind = ManifestKind::of_path(path)?;
            match &self.get(id)?.content {
                Content::Manifest(manifest) => Some((crate::path::directory(path), kind, manifest.as_ref())),
                _ => None,
            }
        })
    }

    /// The directory of the package that a file belongs to: the nearest one, upward, with a manifest of the file's
    /// language, or the root if there is none. An installed Python package has no manifest next to its modules, so its
    /// directory is the top-level entry in `site-packages`.
    pub fn package_root(&self, file: FileId) -> &str {
        let path = self.path(file);
        let family = self.family(file);
        if let (Some(Family::Python), Some(site)) = (family, path.find("site-packages/")) {
            let top = site + "site-packages/".len();
            return &path[..path[top..].find('/').map_or(path.len(), |end| top + end)];
        }
        let mut directory = crate::path::directory(path);
        loop {
            let found = self.manifest_in(directory).is_some_and(|(kind, _)| Some(kind.family()) == family);
            if found || directory.is_empty() {
                return directory;
            }
            directory = crate::path::directory(directory);
        }
    }

    /// The lowest version of another package that the package in the directory `root` accepts; `None` if its manifest
    /// names no version.
    pub fn needed_version(&self, root: &str, package: &str) -> Option<Version> {
        let (_, range) = self.needed_range(root, package)?;
        let mut least = range.split([',', ' ', '|']).filter(|part| !part.trim_start().starts_with(['<', '!']));
        let number = |part: &str| part.trim_start_matches(|c: char| !c.is_ascii_digit()).to_string();
        least.find_map(|part| client::version(&number(part)))
    }

    /// Whether the package in the directory `root` accepts a version of another package; `None` if its manifest does
    /// not say.
    pub fn may_have(&self, root: &str, package: &str, version: &Version) -> Option<bool> {
        let (kind, range) = self.needed_range(root, package)?;
        let alternatives = range.split("||").map(|one| {
            let parts: Vec<String> = one
                .split([',', ' '])
                .filter(|part| !part.is_empty())
                .map(|part| {
                    let is_bare = kind != ManifestKind::CargoToml && part.starts_with(|c: char| c.is_ascii_digit());
                    match part
                        .strip_prefix("~=")
                        .map(|rest| format!("^{rest}"))
                        .or_else(|| part.strip_prefix("==").map(|rest| format!("={rest}")))
                    {
                        Some(part) => part,
                        None if is_bare => format!("={part}"),
                        None => part.to_string(),
                    }
                })
                .collect();
            // Exclusions are ignored: they do not change what the other parts accept.
            let parts: Vec<String> = parts.into_iter().filter(|part| !part.starts_with('!')).collect();
            semver::VersionReq::parse(&parts.join(", ")).ok()
        });
        let ranges: Option<Vec<semver::VersionReq>> = alternatives.collect();
        Some(ranges?.iter().any(|range| range.matches(version)))
    }

    /// The version range of another package in the manifest of the directory `root`, as written, with the kind of the
    /// manifest.
    fn needed_range(&self, root: &str, package: &str) -> Option<(ManifestKind, String)> {
        let (kind, manifest) = self.manifest_in(root)?;
        Some((kind, manifest.needed_range(package)?))
    }

    /// The name and version of the package in a directory, or of the installed Python package whose modules lie there;
    /// `None` if either is missing.
    pub fn package_at(&self, root: &str) -> Option<(String, String)> {
        if let Some((_, manifest)) = self.manifest_in(root) {
            return manifest.name.clone().zip(manifest.version.clone());
        }
        let (site, top) = root.rsplit_once('/')?;
        let mut installed = self
            .manifests()
            .filter(|(info, kind, _)| *kind == ManifestKind::Metadata && crate::path::directory(info) == site);
        let own =
            installed.find(|(_, _, manifest)| manifest.name.as_deref().is_some_and(|name| is_same_project(name, top)));
        let (_, _, manifest) = own?;
        manifest.name.clone().zip(manifest.version.clone())
    }

    /// The manifest in a directory, for any language.
    pub fn manifest_in(&self, directory: &str) -> Option<(ManifestKind, &Manifest)> {
        ["package.json", "pyproject.toml", "Cargo.toml"].into_iter().find_map(|name| {
            let path = if directory.is_empty() { name.to_string() } else { format!("{directory}/{name}") };
            match &self.by_path(&path)?.content {
                Content::Manifest(manifest) => Some((ManifestKind::of_path(name)?, manifest.as_ref())),
                _ => None,
            }
        })
    }
}
