//! Real interpreters that run programs against SDKs which only record what is registered.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use super::core::Program;
use super::outcome::{Registration, Registrations};

/// How long one program may take.
const LIMIT: Duration = Duration::from_secs(10);

/// What the variables that programs look at are in the second run.
const ENVIRONMENT: [(&str, &str); 4] =
    [("TOOLS_EXTRA", "1"), ("TOOLS_MODE", "full"), ("TOOLS_PREFIX", "zz_"), ("TOOLS_LIST", "zz_listed")];

/// The languages of programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    JavaScript,
    Python,
}

/// An interpreter that runs many programs in one process.
pub(super) struct Runtime {
    language: Language,
    folder: tempfile::TempDir,
    process: Option<Process>,
    count: usize,
}

/// A started interpreter.
struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Runtime {
    pub(super) fn new(language: Language) -> Runtime {
        let folder = tempfile::tempdir().expect("a folder for programs can be made");
        match language {
            Language::JavaScript => write_javascript(folder.path()),
            Language::Python => write_python(folder.path()),
        }
        Runtime { language, folder, process: None, count: 0 }
    }

    fn start(&self) -> Process {
        let (program, arguments): (&str, &[&str]) = match self.language {
            Language::JavaScript => ("node", &["--no-warnings", "driver.mjs"]),
            Language::Python => ("python3", &["-B", "driver.py"]),
        };
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
        for (name, _) in ENVIRONMENT {
            command.env_remove(name);
        }
        command.env("PYTHONHASHSEED", "0").env("PYTHONDONTWRITEBYTECODE", "1").stderr(Stdio::null());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{program} does not start: {error}"));
        let input = child.stdin.take().expect("the input is a pipe");
        let output = BufReader::new(child.stdout.take().expect("the output is a pipe"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Process { child, input, lines }
    }

    /// Runs a program and returns what it registers, or its error. A program that looks at the environment runs twice.
    pub(super) fn run(&mut self, program: &Program) -> Result<Registrations, String> {
        let tools = self.run_in(program, false)?;
        let otherwise = if program.is_open { Some(self.run_in(program, true)?) } else { None };
        Ok(Registrations { tools, otherwise })
    }

    /// Runs a program once; `is_set` says whether the variables that programs look at are set.
    fn run_in(&mut self, program: &Program, is_set: bool) -> Result<Vec<Registration>, String> {
        self.count += 1;
        let folder = self.folder.path().join(format!("p{}", self.count));
        write(&folder, &program.files);
        let mut process = self.process.take().unwrap_or_else(|| self.start());
        let request = json!({
            "folder": folder,
            "entry": folder.join(&program.entry),
            "settles": program.settles,
            "environment": if is_set { json!(ENVIRONMENT.iter().copied().collect::<BTreeMap<_, _>>()) } else { json!({}) },
        });
        let sent = writeln!(process.input, "{request}").and_then(|()| process.input.flush());
        let answer = sent.map_err(|error| error.to_string()).and_then(|()| {
            process.lines.recv_timeout(LIMIT).map_err(|error| format!("the interpreter does not answer: {error}"))
        });
        let _ = std::fs::remove_dir_all(&folder);
        match answer {
            Ok(line) => {
                self.process = Some(process);
                parse(&line)
            }
            Err(error) => {
                let _ = process.child.kill();
                let _ = process.child.wait();
                Err(error)
            }
        }
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.child.kill();
            let _ = process.child.wait();
        }
    }
}

fn parse(line: &str) -> Result<Vec<Registration>, String> {
    let answer: Value = serde_json::from_str(line).map_err(|error| format!("{line}: {error}"))?;
    if let Some(error) = answer["error"].as_str() {
        return Err(error.to_string());
    }
    serde_json::from_value(answer["tools"].clone()).map_err(|error| format!("{line}: {error}"))
}

fn write_javascript(folder: &Path) {
    let sdk = "node_modules/@modelcontextprotocol/sdk";
    let exports = json!({
        "./server/mcp.js": "./sdk.js", "./server/index.js": "./sdk.js",
        "./server/stdio.js": "./sdk.js", "./types.js": "./sdk.js",
    });
    let package = json!({ "name": "@modelcontextprotocol/sdk", "version": "1.20.0", "exports": exports });
    write(
        folder,
        &[
            ("driver.mjs".to_string(), include_str!("drivers/driver.mjs").to_string()),
            (format!("{sdk}/sdk.js"), include_str!("drivers/sdk.js").to_string()),
            (format!("{sdk}/package.json"), package.to_string()),
        ],
    );
}

fn write_python(folder: &Path) {
    let file = |path: &str, text: &str| (path.to_string(), text.to_string());
    write(
        folder,
        &[
            file("driver.py", include_str!("drivers/driver.py")),
            file("mcp/__init__.py", "from mcp.types import Tool\n"),
            file("mcp/types.py", include_str!("drivers/types.py")),
            file("mcp/server/__init__.py", "from .fastmcp import FastMCP\nfrom .lowlevel import Server\n"),
            file("mcp/server/lowlevel/__init__.py", include_str!("drivers/lowlevel.py")),
            file("mcp/server/fastmcp/__init__.py", include_str!("drivers/fastmcp.py")),
        ],
    );
}

/// Writes a program's files into a folder.
fn write(folder: &Path, files: &[(String, String)]) {
    for (path, text) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder can be made");
        std::fs::write(path, text).expect("a file can be written");
    }
}
