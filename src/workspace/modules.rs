//! Resolution of TypeScript and JavaScript imports: Node's algorithm with `tsconfig` paths, package exports and
//! workspaces, over the files of a snapshot instead of a disk.
//!
//! A fresh checkout has no `node_modules` and no build output. So the view shows every package of the workspace under
//! its name in a `node_modules` at the root, and every build output where the build would put it, provided that its
//! source exists.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use oxc_resolver::{FileMetadata, FileSystem, ResolveError, ResolveOptions, ResolverGeneric, TsconfigDiscovery};
use rustc_hash::{FxHashMap, FxHashSet};

use super::paths::Paths;
use super::patterns::Patterns;
use super::{Content, File, ManifestKind};
use crate::document::{self, Node};
use crate::text::FileId;

/// The extensions of TypeScript and JavaScript files in order of preference: source before build output.
const EXTENSIONS: [&str; 8] = ["ts", "tsx", "mts", "cts", "js", "mjs", "cjs", "jsx"];
/// The directories in which compilers put their output.
const BUILT: [&str; 5] = ["dist", "build", "out", "lib", "esm"];

/// The largest number of files that a `tsconfig` may extend, directly or indirectly: the resolver recurses into each.
const MOST_BASES: usize = 64;

/// The largest number of resolvers to keep, each for a different selection of parts of the large maps.
const MOST_RESOLVERS: usize = 128;

/// A resolver over one set of files.
pub(super) struct Modules {
    resolver: ResolverGeneric<View>,
    view: View,
    /// Resolvers for other parts of the large maps than the first ones, by the indices of these parts.
    others: Mutex<FxHashMap<Vec<usize>, Arc<ResolverGeneric<View>>>>,
}

/// The files of a snapshot, as a file system whose root is that of the workspace.
#[derive(Clone, Default)]
struct View {
    inner: Arc<Inner>,
    /// The index of the part of each large map that is shown.
    parts: Arc<[usize]>,
}

#[derive(Default)]
struct Inner {
    paths: Arc<Paths>,
    files: Arc<Vec<Option<Arc<File>>>>,
    directories: FxHashSet<String>,
    /// The directory of each package of the workspace, by its name.
    packages: FxHashMap<String, String>,
    /// The large maps of patterns (`imports`, `exports`, `paths`) in manifests and `tsconfig`s, each with the file that
    /// contains it.
    patterns: Vec<(FileId, Patterns)>,
}

impl std::fmt::Debug for Modules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Modules").finish_non_exhaustive()
    }
}

impl Modules {
    pub(super) fn of(paths: &Arc<Paths>, files: &Arc<Vec<Option<Arc<File>>>>) -> Modules {
        let mut directories = FxHashSet::default();
        let mut packages = FxHashMap::default();
        let mut patterns = Vec::new();
        for file in files.iter().flatten() {
            let mut directory = crate::path::directory(&file.path);
            while !directory.is_empty() && directories.insert(directory.to_string()) {
                directory = crate::path::directory(directory);
            }
            match &file.content {
                Content::Manifest(manifest) if manifest.kind == ManifestKind::PackageJson => {
                    patterns.extend(Patterns::of_manifest(&manifest.text).into_iter().map(|map| (file.id, map)));
                    if let Some(name) = &manifest.name {
                        packages.entry(name.clone()).or_insert_with(|| crate::path::directory(&file.path).to_string());
                    }
                }
                Content::TsConfig(text) => {
                    patterns.extend(Patterns::of_tsconfig(text).into_iter().map(|map| (file.id, map)));
                }
                _ => {}
            }
        }
        let (paths, files) = (Arc::clone(paths), Arc::clone(files));
        let parts = vec![0; patterns.len()].into();
        let view = View { inner: Arc::new(Inner { paths, files, directories, packages, patterns }), parts };
        Modules { resolver: Modules::resolver(view.clone()), view, others: Mutex::default() }
    }

    fn resolver(view: View) -> ResolverGeneric<View> {
        let strings = |all: &[&str]| all.iter().map(|text| text.to_string()).collect::<Vec<String>>();
        let options = ResolveOptions {
            extensions: EXTENSIONS.iter().map(|extension| format!(".{extension}")).collect(),
            // Imports in TypeScript name the files that the compiler will make.
            extension_alias: vec![
                (".js".into(), strings(&[".ts", ".tsx", ".js", ".jsx"])),
                (".jsx".into(), strings(&[".tsx", ".jsx"])),
                (".mjs".into(), strings(&[".mts", ".mjs"])),
                (".cjs".into(), strings(&[".cts", ".cjs"])),
            ],
            condition_names: strings(&["source", "development", "import", "node", "require", "types"]),
            main_fields: strings(&["source", "module", "main"]),
            tsconfig: Some(TsconfigDiscovery::Auto),
            symlinks: false,
            ..ResolveOptions::default()
        };
        ResolverGeneric::new_with_file_system(view, options)
    }

    /// Whether this resolver is still right for the files: the same files exist, and the manifests and `tsconfig`s are
    /// the same.
    pub(super) fn fits(&self, files: &[Option<Arc<File>>]) -> bool {
        let inner = &self.view.inner;
        inner.files.len() == files.len()
            && inner.files.iter().zip(files).all(|(then, now)| match (then, now) {
                (Some(then), Some(now)) => match (&then.content, &now.content) {
                    (Content::Manifest(a), Content::Manifest(b)) => a == b,
                    (Content::TsConfig(a), Content::TsConfig(b)) => a == b,
                    _ => true,
                },
                (None, None) => true,
                _ => false,
            })
    }

    /// The file that an import of `specifier` in the file at `from` leads to.
    pub(super) fn resolve(&self, from: &str, specifier: &str) -> Option<FileId> {
        let from = Path::new("/").join(from);
        let parts = self.view.inner.parts_for(specifier);
        let other = (parts[..] != self.view.parts[..]).then(|| self.with(parts));
        let resolver = other.as_deref().unwrap_or(&self.resolver);
        // With a broken or foreign `tsconfig`, only Node's own algorithm is used.
        let found = resolver.resolve_file(&from, specifier);
        let found = found.or_else(|_| resolver.resolve(from.parent().unwrap_or(&from), specifier)).ok()?;
        self.view.file(&self.view.real(found.path())?)
    }

    /// The resolver to which the given parts of the large maps are shown.
    fn with(&self, parts: Vec<usize>) -> Arc<ResolverGeneric<View>> {
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if others.len() >= MOST_RESOLVERS && !others.contains_key(&parts) {
            others.clear();
        }
        let view = View { inner: Arc::clone(&self.view.inner), parts: parts.as_slice().into() };
        Arc::clone(others.entry(parts).or_insert_with(|| Arc::new(Modules::resolver(view))))
    }
}

impl Inner {
    /// Returns, for each large map, the part with the pattern that applies to an import. If no pattern matches, any
    /// part gives the same result as the whole map.
    fn parts_for(&self, specifier: &str) -> Vec<usize> {
        let mut parts = vec![0; self.patterns.len()];
        if parts.is_empty() {
            return parts;
        }
        // A query is not part of the path.
        let path = specifier.split_once('?').map_or(specifier, |(path, _)| path);
        let mut asked = vec![path.to_string()];
        while let Some(specifier) = asked.pop() {
            let is_first = specifier == path;
            for ((file, patterns), part) in self.patterns.iter().zip(&mut parts) {
                let manifest = self.files.get(file.0 as usize).and_then(Option::as_ref);
                let package = manifest.and_then(|file| match &file.content {
                    Content::Manifest(manifest) => manifest.name.as_deref(),
                    _ => None,
                });
                if let Some((found, instead)) = patterns.part_of(&specifier, package) {
                    *part = found;
                    // A mapping to another package is followed only once.
                    asked.extend(instead.into_iter().filter(|_| is_first));
                }
            }
        }
        parts
    }
}

impl View {
    /// Translates a path of the view to a path of the workspace, without links; `None` for an unknown package.
    fn real(&self, path: &Path) -> Option<String> {
        let path = path.to_str()?.trim_start_matches('/');
        let Some(rest) = path.strip_prefix("node_modules/") else {
            return Some(path.to_string());
        };
        let mut parts = rest.splitn(if rest.starts_with('@') { 3 } else { 2 }, '/');
        let name = match rest.starts_with('@') {
            true => format!("{}/{}", parts.next()?, parts.next()?),
            false => parts.next()?.to_string(),
        };
        let directory = self.inner.packages.get(&name)?;
        crate::path::joined(directory, parts.next().unwrap_or(""))
    }

    fn present(&self, path: &str) -> Option<FileId> {
        let id = *self.inner.paths.by_path.get(path)?;
        self.inner.files.get(id.0 as usize)?.as_ref().map(|file| file.id)
    }

    /// The source file at a path, or the source from which it would be built, or the code next to a declaration file.
    fn file(&self, path: &str) -> Option<FileId> {
        let find = |candidate: &str| self.present(candidate);
        let is_declaration = [".d.ts", ".d.mts", ".d.cts"].iter().any(|end| path.ends_with(end));
        let beside = || script(path, &find).filter(|_| is_declaration);
        self.present(path).or_else(|| source_of(path, find)).or_else(beside)
    }

    fn text(&self, path: &Path) -> io::Result<Cow<'_, str>> {
        let missing = || io::Error::from(io::ErrorKind::NotFound);
        let id = self.real(path).and_then(|path| self.present(&path)).ok_or_else(missing)?;
        let file = self.inner.files[id.0 as usize].as_ref().ok_or_else(missing)?;
        match &file.content {
            Content::Manifest(manifest) if !is_shallow(&manifest.text) => Err(missing()),
            Content::TsConfig(text) if !is_shallow(text) => Err(missing()),
            Content::Manifest(manifest) => Ok(self.in_parts(id, &manifest.text)),
            Content::TsConfig(text) => match self.in_parts(id, text) {
                Cow::Borrowed(text) => Ok(self.without_foreign_bases(crate::path::directory(&file.path), text)),
                Cow::Owned(text) => {
                    Ok(self.without_foreign_bases(crate::path::directory(&file.path), &text).into_owned().into())
                }
            },
            _ => Err(missing()),
        }
    }

    /// The text of a document in which each large map is reduced to the part that is shown.
    fn in_parts<'t>(&self, id: FileId, text: &'t str) -> Cow<'t, str> {
        let own = self.inner.patterns.iter().zip(self.parts.iter()).filter(|((file, _), _)| *file == id);
        let mut own: Vec<(&Patterns, usize)> = own.map(|((_, patterns), part)| (patterns, *part)).collect();
        if own.is_empty() {
            return Cow::Borrowed(text);
        }
        own.sort_by_key(|(patterns, _)| patterns.span.start);
        let (mut shown, mut end) = (String::new(), 0);
        for (patterns, part) in own {
            shown.push_str(&text[end..patterns.span.start]);
            shown.push_str(&patterns.shown(part));
            end = patterns.span.end;
        }
        shown.push_str(&text[end..]);
        Cow::Owned(shown)
    }

    /// The text of a `tsconfig` without the bases that are not in the workspace, such as `@tsconfig/node22`, and
    /// without any bases if there are too many for the resolver's stack. Its own settings apply all the same.
    fn without_foreign_bases<'t>(&self, directory: &str, text: &'t str) -> Cow<'t, str> {
        let node = document::parse_json(text).root;
        let Some(extends) = node.as_ref().and_then(|node| node.get("extends")) else {
            return Cow::Borrowed(text);
        };
        let all = extended(extends);
        let is_short = self.has_few_bases(directory, all);
        let is_kept = |base: &&str| is_short && self.is_own_base(directory, base);
        let own: Vec<&str> = all.iter().filter_map(Node::as_str).filter(is_kept).collect();
        if own.len() == all.len() {
            return Cow::Borrowed(text);
        }
        let kept = serde_json::json!(own).to_string();
        let span = extends.span.range();
        Cow::Owned(format!("{}{kept}{}", &text[..span.start], &text[span.end..]))
    }

    /// Whether a `tsconfig` extends at most [`MOST_BASES`] others in total; a cycle counts as too many.
    fn has_few_bases(&self, directory: &str, bases: &[Node]) -> bool {
        let found = |directory: &str, bases: &[Node]| -> Vec<FileId> {
            bases.iter().filter_map(Node::as_str).filter_map(|base| self.base(directory, base)).collect()
        };
        let (mut open, mut count) = (found(directory, bases), 0);
        while let Some(id) = open.pop() {
            count += 1;
            if count > MOST_BASES {
                return false;
            }
            let Some(file) = self.inner.files[id.0 as usize].as_ref() else { continue };
            let Content::TsConfig(text) = &file.content else { continue };
            let root = document::parse_json(text).root;
            if let Some(extends) = root.as_ref().and_then(|root| root.get("extends")) {
                open.extend(found(crate::path::directory(&file.path), extended(extends)));
            }
        }
        true
    }

    /// The file of the workspace that a `tsconfig` in a directory extends by a relative path.
    fn base(&self, directory: &str, base: &str) -> Option<FileId> {
        let path = crate::path::joined(directory, base).filter(|_| base.starts_with('.'))?;
        [path.clone(), format!("{path}.json"), format!("{path}/tsconfig.json")]
            .iter()
            .find_map(|path| self.present(path))
    }

    fn is_own_base(&self, directory: &str, base: &str) -> bool {
        if base.starts_with('.') {
            return self.base(directory, base).is_some();
        }
        let parts = if base.starts_with('@') { 2 } else { 1 };
        let name: Vec<&str> = base.split('/').take(parts).collect();
        self.inner.packages.contains_key(&name.join("/"))
    }
}

/// The paths in the value of `extends`, which is one path or a list of them.
fn extended(extends: &Node) -> &[Node] {
    if extends.as_str().is_some() { std::slice::from_ref(extends) } else { extends.elements() }
}

/// Whether the resolver can handle a JSON text. Deep nesting, or a string with many slashes, would overflow its stack,
/// and with a very long list it would try targets for seconds.
fn is_shallow(text: &str) -> bool {
    const DEEPEST: usize = 128;
    const MOST_TARGETS: usize = 10_000;
    const MOST_SLASHES: usize = 1_000;
    // Each open bracket with the number of commas in it so far.
    let mut open: Vec<(u8, usize)> = Vec::new();
    let (mut string, mut bytes) = (None, text.bytes().enumerate());
    while let Some((at, byte)) = bytes.next() {
        match (byte, string) {
            (b'\\', Some(_)) => drop(bytes.next()),
            // Only slashes are counted, since descriptions contain dots.
            (b'"', Some(start)) if text[start..at].matches('/').count() > MOST_SLASHES => return false,
            (b'"', Some(_)) => string = None,
            (b'"', None) => string = Some(at + 1),
            (b'[' | b'{', None) => open.push((byte, 0)),
            (b']' | b'}', None) => drop(open.pop()),
            (b',', None) => open.iter_mut().last().into_iter().for_each(|(_, commas)| *commas += 1),
            _ => {}
        }
        let is_long = open.last().is_some_and(|&(bracket, commas)| bracket == b'[' && commas > MOST_TARGETS);
        if open.len() > DEEPEST || is_long {
            return false;
        }
    }
    true
}

impl FileSystem for View {
    fn new() -> View {
        View::default()
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.text(path).map(|text| text.into_owned().into_bytes())
    }

    fn read_to_string(&self, path: &Path) -> io::Result<String> {
        self.text(path).map(Cow::into_owned)
    }

    fn metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        let Some(real) = self.real(path) else {
            // `node_modules` itself, and the scopes in it.
            let is_above = path.starts_with("/node_modules") && path.components().count() <= 3;
            return match is_above {
                true => Ok(FileMetadata::new(false, true, false)),
                false => Err(io::ErrorKind::NotFound.into()),
            };
        };
        if real.is_empty() || real == "node_modules" || self.inner.directories.contains(&real) {
            return Ok(FileMetadata::new(false, true, false));
        }
        let is_file = match real.ends_with(".json") {
            true => self.present(&real).is_some(),
            false => self.file(&real).is_some(),
        };
        if is_file { Ok(FileMetadata::new(true, false, false)) } else { Err(io::ErrorKind::NotFound.into()) }
    }

    fn symlink_metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        self.metadata(path)
    }

    fn read_link(&self, _: &Path) -> Result<PathBuf, ResolveError> {
        Err(io::Error::from(io::ErrorKind::InvalidInput).into())
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(path.to_path_buf())
    }
}

/// Finds the source from which the file at a path would be built, for example `src/a.ts` for `dist/a.js`. `find` looks
/// up a path.
pub(super) fn source_of<T>(path: &str, find: impl Fn(&str) -> Option<T>) -> Option<T> {
    let parts: Vec<&str> = path.split('/').collect();
    for (index, part) in parts.iter().enumerate() {
        if !BUILT.contains(part) || index + 1 == parts.len() {
            continue;
        }
        let before = parts[..index].join("/");
        let after = parts[index + 1..].join("/");
        for source in ["src", ""] {
            let candidate: Vec<&str> =
                [before.as_str(), source, &after].into_iter().filter(|part| !part.is_empty()).collect();
            if let Some(found) = script(&candidate.join("/"), &find) {
                return Some(found);
            }
        }
    }
    None
}

/// Whether a path, relative to its package's root, lies in a directory of build output.
pub(super) fn is_built(path: &str) -> bool {
    path.split('/').next().is_some_and(|first| BUILT.contains(&first))
}

/// Finds the source for a path that has no extension, or the extension of its compiled form.
pub(super) fn script<T>(path: &str, find: &impl Fn(&str) -> Option<T>) -> Option<T> {
    let stem = EXTENSIONS.iter().find_map(|extension| path.strip_suffix(extension)?.strip_suffix('.'));
    let stem = stem.map(|stem| stem.strip_suffix(".d").unwrap_or(stem));
    let with = |stem: &str| EXTENSIONS.iter().find_map(|extension| find(&format!("{stem}.{extension}")));
    stem.and_then(with).or_else(|| with(path)).or_else(|| with(&format!("{path}/index")))
}
