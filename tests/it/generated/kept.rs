//! Programs that failed once. They are fixture files: `//- /path` begins a file, and the first file is the entry.

use std::collections::BTreeMap;
use std::path::Path;

use super::core::Program;
use super::runtime::Language;

/// The kept programs of a language and their names.
pub(super) fn all(language: Language) -> Vec<(String, Program)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/generated");
    let extension = match language {
        Language::JavaScript => "javascript",
        Language::Python => "python",
    };
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map_while(Result::ok).map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    let read = |path: &Path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).expect("a kept program can be read");
        (name, parse(&text))
    };
    paths.iter().map(|path| read(path)).collect()
}

fn parse(text: &str) -> Program {
    let mut files: Vec<(String, String)> = Vec::new();
    for line in text.split_inclusive('\n') {
        match line.trim_end().strip_prefix("//- /") {
            Some(path) => files.push((path.to_string(), String::new())),
            None => files.last_mut().expect("a kept program begins with a path").1.push_str(line),
        }
    }
    let entry = files.first().expect("a kept program has a file").0.clone();
    let is_open = files.iter().any(|(_, text)| text.contains("process.env") || text.contains("os.environ"));
    Program { files, entry, is_open, settles: true, kinds: BTreeMap::new() }
}

/// A program as it is kept.
pub(super) fn written(program: &Program) -> String {
    let mut files: Vec<&(String, String)> = program.files.iter().collect();
    files.sort_by_key(|(path, _)| *path != program.entry);
    files.iter().map(|(path, text)| format!("//- /{path}\n{text}")).collect()
}
