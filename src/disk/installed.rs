//! Installed packages, `node_modules` and `site-packages`: those that a package of the workspace needs and that need
//! an MCP framework themselves. They may register tools for whoever imports them.

use std::path::Path;

use super::walk::{is_interesting, relative};
use crate::framework::Frameworks;
use crate::syntax::Family;
use crate::workspace::Manifest;

/// How many files of one package are looked at; what is larger is an application.
const MAX_FILES: usize = 5_000;

/// The files of every such package that a package in `directory` needs. Paths count from `root`, with `/`.
pub(super) fn files_of(root: &Path, directory: &str, manifest: &Manifest, frameworks: &Frameworks) -> Vec<String> {
    let family = manifest.kind.family();
    let is_framework = |name: &String| {
        frameworks.rows.iter().any(|row| row.language == family && row.packages.iter().any(|own| own == name))
    };
    let mut files = Vec::new();
    for name in manifest.dependencies.iter().filter(|name| !is_framework(name)) {
        let mut above = Some(root.join(directory));
        while let Some(at) = above.filter(|at| at.starts_with(root)) {
            let found = match family {
                Family::TypeScript => npm(&at, name, &is_framework),
                Family::Python => python(&at, name, &is_framework),
                Family::Rust => None,
            };
            if let Some(places) = found {
                places.iter().for_each(|place| add(root, place, &mut files));
                break;
            }
            above = at.parent().map(Path::to_path_buf);
        }
    }
    files
}

/// The folder of an npm package, if it needs a framework.
fn npm(at: &Path, name: &str, is_framework: &dyn Fn(&String) -> bool) -> Option<Vec<std::path::PathBuf>> {
    let folder = at.join("node_modules").join(name);
    // A package of the workspace is linked, and read where it stands.
    let is_linked = std::fs::symlink_metadata(&folder).ok()?.is_symlink();
    let is_own = is_linked
        && !folder
            .canonicalize()
            .ok()?
            .components()
            .any(|part| part.as_os_str() == std::ffi::OsStr::new("node_modules"));
    let text = std::fs::read_to_string(folder.join("package.json")).ok()?;
    let manifest = Manifest::read(crate::workspace::ManifestKind::PackageJson, &text);
    let needs = !is_own && manifest.dependencies.iter().any(is_framework);
    Some(if needs { vec![folder] } else { Vec::new() })
}

/// The modules of a Python distribution, if it needs a framework.
fn python(at: &Path, name: &str, is_framework: &dyn Fn(&String) -> bool) -> Option<Vec<std::path::PathBuf>> {
    let environments = [".venv", "venv", "env"].map(|name| at.join(name));
    let versions = environments.iter().filter_map(|environment| std::fs::read_dir(environment.join("lib")).ok());
    let sites = versions.flatten().flatten().map(|version| version.path().join("site-packages"));
    let windows = environments.iter().map(|environment| environment.join("Lib/site-packages"));
    let bare = |text: &str| text.to_lowercase().replace(['-', '.'], "_");
    sites.chain(windows).find_map(|site| {
        let infos = std::fs::read_dir(&site).ok()?.flatten();
        let mut infos = infos.filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path())));
        let (_, info) = infos.find(|(file, _)| {
            let distribution = file.strip_suffix(".dist-info").and_then(|stem| stem.rsplit_once('-'));
            distribution.is_some_and(|(distribution, _)| bare(distribution) == bare(name))
        })?;
        let metadata = std::fs::read_to_string(info.join("METADATA")).ok()?;
        let is_end = |c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
        let needed = metadata.lines().filter_map(|line| line.strip_prefix("Requires-Dist: "));
        let mut needed = needed.map(|needed| needed.split(is_end).next().unwrap_or("").replace('-', "_"));
        if !needed.any(|name| is_framework(&name)) {
            return Some(Vec::new());
        }
        let record = std::fs::read_to_string(info.join("RECORD")).unwrap_or_default();
        let mut tops: Vec<&str> = record.lines().filter_map(|line| line.split(['/', ',']).next()).collect();
        tops.retain(|top| !top.ends_with(".dist-info") && *top != ".." && *top != "__pycache__" && !top.is_empty());
        tops.sort_unstable();
        tops.dedup();
        Some(tops.into_iter().map(|top| site.join(top)).collect())
    })
}

/// The files below a folder, or the one file, that may be of interest.
fn add(root: &Path, place: &Path, files: &mut Vec<String>) {
    let from = files.len();
    let own = place.to_path_buf();
    let entries = ignore::WalkBuilder::new(place)
        .standard_filters(false)
        .follow_links(false)
        .filter_entry(move |entry| entry.path() == own || entry.file_name() != "node_modules")
        .build();
    // A folder that is itself a link (pnpm keeps packages elsewhere) is entered through it.
    for entry in entries.flatten() {
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        let Some(path) = relative(root, entry.path()).filter(|path| is_file && is_interesting(path)) else { continue };
        if files.len() - from == MAX_FILES {
            files.truncate(from);
            return;
        }
        files.push(path);
    }
}
