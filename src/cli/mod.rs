//! The command line: commands and output formats.

mod args;
mod list;
mod report;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use self::args::{Command, Workspace};
use crate::disk::{self, Opened};

/// How a command ended.
pub(crate) enum Outcome {
    Clean,
    /// Findings at or above what fails.
    Findings,
}

/// What stopped a command, for the person who typed it.
type Trouble = anyhow::Error;

/// Runs the program; the exit code is 0 for clean, 1 for findings, 2 for trouble.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match args::Arguments::try_parse_from(args) {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    match dispatch(arguments.command) {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "toolnames: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn dispatch(command: Command) -> Result<Outcome, Trouble> {
    match command {
        Command::List(command) => list::run(&command),
    }
}

/// Whoever read the output has seen enough.
fn is_closed_pipe(error: &Trouble) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

/// Opens what a command is about.
fn open(workspace: &Workspace) -> Result<Opened, Trouble> {
    let options = workspace.options()?;
    let root = workspace.root();
    disk::open(&root, &options).map_err(|error| {
        let path = root.display();
        match error.kind() {
            std::io::ErrorKind::NotFound => anyhow::anyhow!("there is no folder {path}"),
            _ => anyhow::anyhow!("cannot read {path}: {error}"),
        }
    })
}

/// Writes a command's output; the only way to standard output.
fn print(output: &str) -> Result<(), Trouble> {
    let mut out = std::io::stdout().lock();
    out.write_all(output.as_bytes())?;
    out.flush()?;
    Ok(())
}
