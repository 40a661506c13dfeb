//! Workspaces written as one text: `//- /path` begins a file, `$0` is the cursor, and a line of `^^^` states the
//! finding that is expected in the line above: `^^^ rule-id: part of the message`.

use std::collections::BTreeMap;

use toolnames::testing::config::{Config, Configs};
use toolnames::testing::diagnostic::Diagnostic;
use toolnames::testing::rules;
use toolnames::testing::text::{Encoding, FileId};
use toolnames::testing::workspace::{Above, Budget, Snapshot, Storage, Surroundings, Workspace};

/// A workspace in memory.
pub struct Fixture {
    pub files: BTreeMap<String, String>,
    /// The place of `$0`: the file and the byte offset.
    pub cursor: Option<(String, u32)>,
    expected: Vec<Expectation>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Expectation {
    file: String,
    /// 1-based.
    line: u32,
    /// 1-based columns, the end exclusive; `None` for anywhere on the line.
    columns: Option<(u32, u32)>,
    rule: String,
    message: String,
}

impl Storage for Fixture {
    fn today(&self) -> Option<chrono::NaiveDate> {
        chrono::NaiveDate::from_ymd_opt(2026, 6, 1)
    }

    fn read(&self, path: &str) -> Option<String> {
        self.files.get(path).cloned()
    }
}

impl Surroundings for Fixture {
    fn mentioning(&self, words: &[String]) -> Vec<(String, String)> {
        let holds = |text: &str| words.iter().any(|word| text.contains(word.as_str()));
        let files = self.files.iter().filter(|(_, text)| holds(text));
        files.map(|(path, text)| (path.clone(), text.clone())).collect()
    }

    fn text(&self, path: &str) -> Option<String> {
        self.files.get(path).cloned()
    }

    fn unread(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    fn above(&self) -> Vec<Above> {
        Vec::new()
    }
}

impl Fixture {
    /// Reads a fixture. Lines with expectations stay in the text, since they are comments in the language of the file.
    #[track_caller]
    pub fn parse(text: &str) -> Fixture {
        let mut files: BTreeMap<String, String> = BTreeMap::new();
        let mut current: Option<String> = None;
        for line in text.split_inclusive('\n') {
            if let Some(path) = line.trim_end().strip_prefix("//- /") {
                current = Some(path.to_string());
                files.insert(path.to_string(), String::new());
            } else if let Some(path) = &current {
                files.get_mut(path).unwrap().push_str(line);
            } else {
                assert!(line.trim().is_empty(), "text before the first `//- /path`: {line:?}");
            }
        }
        let mut fixture = Fixture { files, cursor: None, expected: Vec::new() };
        for (path, text) in &mut fixture.files {
            if let Some(at) = text.find("$0") {
                text.replace_range(at..at + 2, "");
                fixture.cursor = Some((path.clone(), at as u32));
            }
            expectations(path, text, &mut fixture.expected);
            // A comment would end a table, so in Markdown these lines are removed.
            if path.ends_with(".md") {
                *text = text.split_inclusive('\n').filter(|line| !is_expectation(line)).collect();
            }
        }
        fixture.expected.sort();
        fixture
    }

    pub fn snapshot(&self) -> Snapshot {
        self.within(Budget::default())
    }

    /// The same, with programs that may take as many steps.
    pub fn within(&self, budget: Budget) -> Snapshot {
        let configs = self
            .files
            .iter()
            .filter(|(path, _)| path.ends_with("toolnames.toml"))
            .map(|(path, text)| std::sync::Arc::new(Config::read(path, text)))
            .collect();
        let mut configs = Configs::new(configs, Config::default());
        configs.has_former_names = self.files.contains_key("toolnames.lock");
        let mut workspace = Workspace::new(configs);
        workspace.allow(budget);
        let paths: Vec<String> = self.files.keys().cloned().collect();
        workspace.load(&paths, self);
        workspace.settle(self)
    }

    /// What is known of one file before the others are read.
    pub fn alone(&self, path: &str) -> Snapshot {
        let is_above =
            |config: &str| config.strip_suffix("toolnames.toml").is_some_and(|folder| path.starts_with(folder));
        let configs = self.files.iter().filter(|(config, _)| is_above(config));
        let configs = configs.map(|(path, text)| std::sync::Arc::new(Config::read(path, text))).collect();
        let text = self.files[path].as_str().into();
        Workspace::of_one(Configs::new(configs, Config::default()), path, text, self).snapshot()
    }

    pub fn text(&self, snapshot: &Snapshot, file: FileId) -> Option<String> {
        self.read(snapshot.files.path(file))
    }

    /// Checks that exactly the expected findings are reported, each at exactly its range.
    #[track_caller]
    pub fn check(&self) {
        let snapshot = self.snapshot();
        let found = rules::check_all(&snapshot);
        let mut open = self.expected.clone();
        let mut unexpected = Vec::new();
        for diagnostic in &found {
            let found = located(&snapshot, diagnostic);
            let matches = |expected: &Expectation| {
                expected.file == found.file
                    && expected.line == found.line
                    && expected.columns.is_none_or(|columns| Some(columns) == found.columns)
                    && expected.rule == found.rule
                    && found.message.contains(&expected.message)
            };
            match open.iter().position(matches) {
                Some(index) => drop(open.remove(index)),
                None => unexpected.push(found),
            }
        }
        assert!(
            open.is_empty() && unexpected.is_empty(),
            "expected and not found: {open:#?}\nfound and not expected: {unexpected:#?}"
        );
    }

    /// The rules that report something, each once.
    pub fn rules(&self) -> Vec<&'static str> {
        let mut rules: Vec<&str> = rules::check_all(&self.snapshot()).iter().map(|found| found.rule).collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    }
}

fn located(snapshot: &Snapshot, diagnostic: &Diagnostic) -> Expectation {
    let start = snapshot.position(diagnostic.file, diagnostic.span.start, Encoding::Utf32);
    let end = snapshot.position(diagnostic.file, diagnostic.span.end, Encoding::Utf32);
    Expectation {
        file: snapshot.files.path(diagnostic.file).to_string(),
        line: start.line + 1,
        columns: Some((start.column + 1, end.column + 1)),
        rule: diagnostic.rule.to_string(),
        message: diagnostic.message.clone(),
    }
}

/// Whether a line of Markdown states the finding that is expected in the line above.
fn is_expectation(line: &str) -> bool {
    line.strip_prefix("<!--").is_some_and(|rest| rest.trim_start().starts_with('^'))
}

fn expectations(path: &str, text: &str, expected: &mut Vec<Expectation>) {
    let mut target = 0;
    let mut taken_out = 0;
    for (index, line) in text.lines().enumerate() {
        let line_number = index as u32 + 1 - taken_out;
        taken_out += u32::from(path.ends_with(".md") && is_expectation(line));
        let marked = line.trim_start().strip_prefix("<!--").unwrap_or(line).trim_end_matches("-->");
        let body = marked.trim_start_matches(['/', '#', ' ', '\t']);
        let is_comment = ["//", "#", "<!--"].iter().any(|mark| line.trim_start().starts_with(mark));
        let carets = body.chars().take_while(|&c| c == '^').count();
        let (columns, rest) = if is_comment && carets > 0 {
            let start = line.chars().position(|c| c == '^').unwrap() as u32 + 1;
            (Some((start, start + carets as u32)), &body[carets..])
        } else if let (true, Some(rest)) = (is_comment, body.strip_prefix("<- ")) {
            (None, rest)
        } else {
            target = line_number;
            continue;
        };
        let (rule, message) = rest.trim().split_once(": ").unwrap_or((rest.trim(), ""));
        expected.push(Expectation {
            file: path.to_string(),
            line: target,
            columns,
            rule: rule.to_string(),
            message: message.to_string(),
        });
    }
}
