//! The conventions of five teams, each as a page of `tests/documents/`: a base project, and for each requirement the
//! files that differ and what the program says of them. `UPDATE_EXPECT=1` writes the output into the pages.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::cli::{run, stderr, stdout};

/// What a page does to the files of a project.
#[derive(Clone)]
enum Step {
    /// Writes a file.
    File(String, String),
    /// Adds a text to the end of a file.
    Appended(String, String),
    /// Removes a file.
    Absent(String),
}

/// A block whose output the page states.
struct Block {
    kind: Kind,
    body: Vec<String>,
    /// The first line of the body, 0-based, in the page.
    line: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// What `check` finds, at every severity, with the fixes.
    Findings,
    /// Commands after `$`, each followed by its output.
    Console,
}

/// One requirement. The first section of a page has only the base project.
#[derive(Default)]
struct Section {
    title: String,
    steps: Vec<Step>,
    blocks: Vec<Block>,
    /// Whether the section says that the requirement is not met.
    is_unmet: bool,
}

struct Page {
    path: PathBuf,
    lines: Vec<String>,
    sections: Vec<Section>,
}

impl Page {
    fn read(path: PathBuf) -> Page {
        let lines: Vec<String> = fs::read_to_string(&path).unwrap().lines().map(str::to_string).collect();
        let mut sections = vec![Section::default()];
        let mut above = "";
        let mut rest = lines.iter().enumerate();
        while let Some((_, line)) = rest.next() {
            let section = sections.last_mut().unwrap();
            if let Some(title) = line.strip_prefix("## ") {
                sections.push(Section { title: title.to_string(), ..Section::default() });
                above = "";
            } else if let Some(ticks) = fence(line) {
                let fenced: Vec<(usize, &String)> = rest.by_ref().take_while(|(_, line)| *line != ticks).collect();
                let start = fenced.first().map(|(at, _)| *at);
                let body: Vec<String> = fenced.into_iter().map(|(_, line)| line.clone()).collect();
                let kind = match &line[ticks.len()..] {
                    "findings" => Some(Kind::Findings),
                    "console" => Some(Kind::Console),
                    _ => None,
                };
                if let Some(kind) = kind {
                    let start = start.unwrap_or_else(|| panic!("{}: an empty block", path.display()));
                    section.blocks.push(Block { kind, body, line: start });
                } else if let Some(step) = file(above, &body) {
                    section.steps.push(step);
                }
                above = "";
            } else if let Some(path) = line.strip_prefix('`').and_then(|line| line.strip_suffix("` is absent.")) {
                section.steps.push(Step::Absent(path.to_string()));
            } else if !line.is_empty() {
                section.is_unmet |= line.starts_with("Not met: ");
                above = line;
            }
        }
        Page { path, lines, sections }
    }

    /// Runs every block, and returns what differs, or writes it into the page.
    fn check(&mut self) -> Vec<String> {
        let base = self.sections[0].steps.clone();
        let mut written: Vec<(usize, usize, Vec<String>)> = Vec::new();
        let mut different = Vec::new();
        for section in &self.sections[1..] {
            let folder = tempfile::tempdir().unwrap();
            for step in base.iter().chain(&section.steps) {
                step.take(folder.path());
            }
            for block in &section.blocks {
                let output = match block.kind {
                    Kind::Findings => findings(folder.path()),
                    Kind::Console => console(folder.path(), &block.body),
                };
                if output != block.body {
                    let (title, expected) = (&section.title, block.body.join("\n"));
                    different.push(format!("{title}\n--- expected\n{expected}\n--- got\n{}", output.join("\n")));
                    written.push((block.line, block.body.len(), output));
                }
            }
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            for (line, length, output) in written.into_iter().rev() {
                self.lines.splice(line..line + length, output);
            }
            fs::write(&self.path, self.lines.join("\n") + "\n").unwrap();
            return Vec::new();
        }
        different
    }
}

/// The backticks that begin a block.
fn fence(line: &str) -> Option<&str> {
    let ticks = line.len() - line.trim_start_matches('`').len();
    (ticks >= 3).then(|| &line[..ticks])
}

/// The step that a block makes, by the line above it: `` `path`: `` or `` `path`, appended: ``.
fn file(above: &str, body: &[String]) -> Option<Step> {
    let (path, rest) = above.strip_prefix('`')?.split_once('`')?;
    let (path, text) = (path.to_string(), body.join("\n") + "\n");
    match rest {
        ":" => Some(Step::File(path, text)),
        ", appended:" => Some(Step::Appended(path, text)),
        _ => None,
    }
}

impl Step {
    fn take(&self, folder: &Path) {
        match self {
            Step::File(path, text) => {
                let path = folder.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Step::Appended(path, text) => {
                let before = fs::read_to_string(folder.join(path)).unwrap();
                fs::write(folder.join(path), before + text).unwrap();
            }
            Step::Absent(path) => fs::remove_file(folder.join(path)).unwrap(),
        }
    }
}

/// One line for each finding and each of its fixes, the preferred one first.
fn findings(folder: &Path) -> Vec<String> {
    let ran = run(folder, &["check", "--format", "json", "--fail-on", "hint"]);
    if ran.status.code() == Some(2) {
        return vec![format!("error: {}", stderr(&ran).trim())];
    }
    let found: Value = serde_json::from_slice(&ran.stdout).unwrap();
    let mut lines = Vec::new();
    for finding in found["diagnostics"].as_array().unwrap() {
        let word = |key: &str| finding[key].as_str().unwrap().to_string();
        let text = fs::read_to_string(folder.join(word("file"))).unwrap();
        let place = |edge: &str, key: &str| finding["range"][edge][key].as_u64().unwrap() as usize;
        let (line, column) = (place("start", "line"), place("start", "column"));
        let marked = text.split('\n').nth(line - 1).unwrap().chars().skip(column - 1);
        let marked = if place("end", "line") == line {
            marked.take(place("end", "column") - column).collect()
        } else {
            marked.chain(['…']).collect::<String>()
        };
        let (file, severity, rule, message) = (word("file"), word("severity"), word("rule"), word("message"));
        lines.push(format!("{file}:{line}:{column} {severity}[{rule}] at `{marked}`: {message}"));
        for fix in finding["fixes"].as_array().unwrap() {
            let caution = if fix["safe"] == true { "" } else { " (unsafe)" };
            lines.push(format!("  fix{caution}: {}", fix["title"].as_str().unwrap()));
        }
    }
    if lines.is_empty() { vec!["nothing".to_string()] } else { lines }
}

/// The commands of a block, each with its output and its exit status, unless that is 0.
fn console(folder: &Path, body: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    for command in body.iter().filter(|line| line.starts_with("$ ")) {
        lines.push(command.clone());
        let words = shlex(&command[2..]);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (text, status) = match words.as_slice() {
            ["toolnames", arguments @ ..] => {
                let ran = run(folder, arguments);
                (stdout(&ran) + &stderr(&ran), ran.status.code())
            }
            ["cat", path] => (fs::read_to_string(folder.join(path)).unwrap(), Some(0)),
            _ => panic!("unknown command: {command}"),
        };
        let text = text.replace(&*folder.to_string_lossy(), "WORKSPACE");
        lines.extend(text.trim_end_matches('\n').lines().map(|line| line.trim_end().to_string()));
        if let Some(status) = status.filter(|status| *status != 0) {
            lines.push(format!("exit status {status}"));
        }
    }
    lines
}

/// The words of a command; single and double quotes keep spaces.
fn shlex(command: &str) -> Vec<String> {
    let mut words = vec![];
    let (mut word, mut quote, mut is_word) = (String::new(), None, false);
    for c in command.chars() {
        match (quote, c) {
            (None, '\'' | '"') => (quote, is_word) = (Some(c), true),
            (Some(open), c) if c == open => quote = None,
            (None, ' ') => {
                if std::mem::take(&mut is_word) {
                    words.push(std::mem::take(&mut word));
                }
            }
            (_, c) => {
                word.push(c);
                is_word = true;
            }
        }
    }
    words.extend(is_word.then_some(word));
    words
}

/// Checks a page. With `--nocapture`, prints how many of its requirements are met.
#[track_caller]
fn is_as_stated(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents");
    let mut page = Page::read(folder.join(name).with_extension("md"));
    let different = page.check();
    let sections = &page.sections[1..];
    let met = sections.iter().filter(|section| !section.is_unmet).count();
    println!("{name:24} {:4} requirements, {met:4} met", sections.len());
    assert!(different.is_empty(), "# {name}: {}", different.join("\n\n"));
}

/// Makes a test of each page, and one that no page is left out.
macro_rules! pages {
    ($($test:ident: $name:literal),* $(,)?) => {
        $(
            #[test]
            fn $test() {
                is_as_stated($name);
            }
        )*

        #[test]
        fn every_page_is_checked() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents");
            let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            let mut found: Vec<String> =
                files.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
            found.sort();
            assert_eq!(found, [$($name),*]);
        }
    };
}

pages! {
    adobe: "adobe",
    browser: "browser",
    chora_documents: "chora-documents",
    chora_names: "chora-names",
    lightdash: "lightdash",
    syntropy_gateway: "syntropy-gateway",
    syntropy_permissions: "syntropy-permissions",
}
