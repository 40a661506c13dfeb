//! The product as a program, as an engine under test.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::outcome::{Origin, Outcome, Tool};

/// Runs `toolnames list --format json` on a folder with the program.
pub(super) fn run(files: &[(String, String)], _: &str) -> Outcome {
    let folder = tempfile::tempdir().expect("a folder for a program can be made");
    write(folder.path(), files);
    let output = Command::new(program()).args(["list", "--format", "json"]).arg(folder.path()).output();
    let output = output.expect("the program under test starts");
    let Ok(answer) = serde_json::from_slice::<Value>(&output.stdout) else {
        return Outcome::default();
    };
    outcome(files, &answer)
}

/// Writes a program's files into a folder.
pub(super) fn write(folder: &Path, files: &[(String, String)]) {
    for (path, text) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder can be made");
        std::fs::write(path, text).expect("a file can be written");
    }
}

/// The path of the program under test: `TOOLNAMES_PROGRAM`, or the one that Cargo has built.
fn program() -> PathBuf {
    let built = option_env!("CARGO_BIN_EXE_toolnames").unwrap_or("toolnames");
    std::env::var_os("TOOLNAMES_PROGRAM").map_or_else(|| PathBuf::from(built), PathBuf::from)
}

fn outcome(files: &[(String, String)], answer: &Value) -> Outcome {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut outcome = Outcome { tools: Vec::new(), complete: true };
    for server in list(&answer["servers"]) {
        outcome.complete &= server["complete"] == true;
        let name = server["name"].as_str().map(String::from);
        for tool in list(&server["tools"]) {
            let text = |key: &str| tool[key].as_str().unwrap_or_default().to_string();
            let origins = list(&tool["segments"]).iter().filter_map(|segment| origin(files, segment)).collect();
            outcome.tools.push(Tool { server: name.clone(), name: text("name"), dynamic: false, origins });
        }
        for dynamic in list(&server["dynamic"]) {
            outcome.tools.push(unknown(name.clone(), &dynamic));
        }
    }
    for dynamic in list(&answer["dynamic"]) {
        outcome.complete = false;
        outcome.tools.push(unknown(None, &dynamic));
    }
    outcome
}

fn unknown(server: Option<String>, dynamic: &Value) -> Tool {
    let name = dynamic["partial"].as_str().unwrap_or_default().to_string();
    Tool { server, name, dynamic: true, origins: Vec::new() }
}

/// An origin, whose place is given as lines and columns, both from 1, columns in characters.
fn origin(files: &[(String, String)], segment: &Value) -> Option<Origin> {
    let path = segment["file"].as_str()?.to_string();
    let (_, text) = files.iter().find(|(name, _)| *name == path)?;
    let offset = |place: &Value| {
        let (line, column) = (place["line"].as_u64()? as usize, place["column"].as_u64()? as usize);
        let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
        let within = text[start..].char_indices().nth(column - 1).map_or(text.len() - start, |(at, _)| at);
        Some(start + within)
    };
    let (start, end) = (offset(&segment["range"]["start"])?, offset(&segment["range"]["end"])?);
    Some(Origin { path, start, end, text: segment["text"].as_str()?.to_string() })
}
