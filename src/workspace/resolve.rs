//! Resolution of imports within the workspace.

use super::{Content, Files};
use crate::found::Lookup;
use crate::path::has_too_many_parts;
use crate::syntax::Family;
use crate::text::FileId;

impl Files {
    /// Resolves the import of `module` in the file `from`.
    pub(super) fn resolved(&self, from: FileId, module: &str) -> Lookup {
        match self.target(from, module) {
            Some(id) => match self.get(id).map(|file| &file.content) {
                Some(Content::Source(_)) => Lookup::Found(id),
                Some(Content::Unparsed | Content::Reserve) => Lookup::NotLoaded,
                _ => Lookup::Absent,
            },
            None if is_local(self, from, module) => Lookup::Absent,
            None => Lookup::External,
        }
    }

    /// The file of the workspace that an import leads to.
    pub(super) fn target(&self, from: FileId, module: &str) -> Option<FileId> {
        if has_too_many_parts(module) {
            return None;
        }
        match self.family(from)? {
            Family::TypeScript => script(self, from, module),
            Family::Python => python(self, from, module),
            Family::Rust => rust(self, from, module),
        }
    }
}

/// Whether a module can only belong to the workspace.
fn is_local(files: &Files, from: FileId, module: &str) -> bool {
    match files.family(from) {
        Some(Family::TypeScript | Family::Python) => module.starts_with('.'),
        Some(Family::Rust) => ["crate", "self", "super"].contains(&module.split("::").next().unwrap_or("")),
        None => false,
    }
}

fn find(files: &Files, path: &str) -> Option<FileId> {
    files.by_path(path).map(|file| file.id)
}

fn script(files: &Files, from: FileId, module: &str) -> Option<FileId> {
    files.modules().resolve(files.path(from), module).filter(|&found| files.family(found).is_some())
}

fn python(files: &Files, from: FileId, module: &str) -> Option<FileId> {
    python_source(files, from, module).or_else(|| {
        let inner = module.replace('.', "/");
        let mut sites = files.sites.iter().filter(|_| !module.starts_with('.'));
        sites.find_map(|site| python_file(files, site, &inner))
    })
}

fn python_source(files: &Files, from: FileId, module: &str) -> Option<FileId> {
    let path = files.path(from);
    let dots = module.bytes().take_while(|&byte| byte == b'.').count();
    let inner = module[dots..].replace('.', "/");
    if dots > 0 {
        let mut directory = crate::path::directory(path);
        for _ in 1..dots {
            if directory.is_empty() {
                return None;
            }
            directory = crate::path::directory(directory);
        }
        return python_file(files, directory, &inner);
    }
    // An absolute import starts at some directory above: the project's root, or its `src`.
    let mut directory = crate::path::directory(path);
    loop {
        let source = if directory.is_empty() { "src".to_string() } else { format!("{directory}/src") };
        let found = python_file(files, directory, &inner).or_else(|| python_file(files, &source, &inner));
        if found.is_some() {
            // A module that has the name of another package means that; a package imports from itself.
            return found.filter(|&found| found != from || path.ends_with("/__init__.py"));
        }
        if directory.is_empty() {
            // If the root is itself a package, its files import each other by the name of that package, which occurs in
            // no path of the workspace.
            let inside = find(files, "__init__.py").and(inner.split_once('/'))?.1;
            return python_file(files, "", inside).filter(|&found| found != from);
        }
        directory = crate::path::directory(directory);
    }
}

/// The file of a Python module in a directory.
pub(super) fn python_file(files: &Files, directory: &str, module: &str) -> Option<FileId> {
    let base = match (directory, module) {
        ("", module) => module.to_string(),
        (directory, "") => directory.to_string(),
        (directory, module) => format!("{directory}/{module}"),
    };
    find(files, &format!("{base}.py")).or_else(|| find(files, &format!("{base}/__init__.py")))
}

/// The file to which a Rust path leads, if its segments are crates, or modules with files of their own.
fn rust(files: &Files, from: FileId, module: &str) -> Option<FileId> {
    let path = files.path(from);
    let mut parts = module.split("::").peekable();
    let is_root = |path: &str| ["lib.rs", "main.rs"].iter().any(|root| path.ends_with(root));
    // The directory in which the children of this module lie.
    let own = |path: &str| -> String {
        let directory = crate::path::directory(path);
        let stem = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".rs");
        match stem {
            "lib" | "main" | "mod" => directory.to_string(),
            stem => joined(directory, stem),
        }
    };
    let root_of = |directory: &str| {
        let root = |name: &str| find(files, &joined(directory, name));
        root("lib.rs").or_else(|| root("main.rs"))
    };
    let (mut directory, mut found) = match parts.next()? {
        // A binary of its own.
        "crate" if crate::path::directory(path).ends_with("src/bin") => {
            (crate::path::directory(path).to_string(), Some(from))
        }
        "crate" => {
            let source = joined(files.package_root(from), "src");
            let own_root = is_root(path) && crate::path::directory(path) == source;
            let root = if own_root { Some(from) } else { root_of(&source) };
            (source, root)
        }
        "self" => (own(path), Some(from)),
        "super" => {
            let mut directory = crate::path::directory(&own(path)).to_string();
            while parts.next_if_eq(&"super").is_some() {
                directory = crate::path::directory(&directory).to_string();
            }
            let module = rust_module(files, &directory).or_else(|| root_of(&directory));
            (directory, module)
        }
        name => {
            let source = joined(files.crate_named(name)?, "src");
            let root = root_of(&source);
            (source, root)
        }
    };
    for part in parts {
        directory = joined(&directory, part);
        found = rust_module(files, &directory);
    }
    found
}

/// The file of the module whose children lie in a directory.
fn rust_module(files: &Files, directory: &str) -> Option<FileId> {
    find(files, &format!("{directory}.rs")).or_else(|| find(files, &format!("{directory}/mod.rs")))
}

fn joined(directory: &str, name: &str) -> String {
    match directory {
        "" => name.to_string(),
        _ => format!("{directory}/{name}"),
    }
}
