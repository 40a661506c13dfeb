//! The command line: commands and output formats.

mod args;
mod can;
mod check;
mod edit;
mod init;
mod list;
mod matrix;
mod registry;
mod report;
mod reports;
mod snapshot;
mod snippet;
mod suggest;
mod verify;
mod why;

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use clap::Parser;

use self::args::{Command, Workspace};
use crate::disk::{self, Opened};
use crate::name::nearest;
use crate::rules;
use crate::show::{self, Page};
use crate::workspace::{Content, Snapshot, Surroundings, is_config};

/// The result of a command.
pub(crate) enum Outcome {
    Clean,
    /// There are findings that make the exit code 1.
    Findings,
    /// Part of the work could not be done; standard error reports what.
    Partial,
}

/// The error that stopped a command, to be shown to the user.
type Trouble = anyhow::Error;

/// Runs the program; the exit code is 0 for success, 1 for findings, 2 for errors.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let arguments = match args::Arguments::try_parse_from(&args) {
        Ok(arguments) => arguments,
        Err(error) => {
            show_usage(&args, error.render());
            return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    match dispatch(arguments.command) {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Ok(Outcome::Partial) => ExitCode::from(2),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            show::complain(format_args!("{error:#}"));
            ExitCode::from(2)
        }
    }
}

fn dispatch(command: Command) -> Result<Outcome, Trouble> {
    match command {
        Command::Check(command) => check::run(&command),
        Command::Fix(command) => edit::fix(&command),
        Command::List(command) => list::run(&command),
        Command::Rename(command) => edit::rename(&command),
        Command::Suggest(command) => suggest::run(&command),
        Command::Init(command) => init::run(&command),
        Command::Registry(command) => registry::run(&command),
        Command::Snapshot(command) => snapshot::run(&command),
        Command::Verify(command) => verify::run(&command),
        Command::Why(command) => why::run(&command),
        Command::Can(command) => can::run(&command),
        Command::Matrix(command) => matrix::run(&command),
        Command::Explain(command) => explain(&command),
        Command::Server(_) => crate::lsp::run().map(|()| Outcome::Clean),
    }
}

/// Shows help or a usage error. The message quotes arguments, so it is rendered again from arguments in which every
/// character is visible; if these are valid, the original message is shown without colours.
fn show_usage(args: &[OsString], message: clap::builder::StyledStr) {
    let shown = |arg: &OsString| show::value(&OsStr::to_string_lossy(arg));
    match args::Arguments::try_parse_from(args.iter().map(shown)) {
        Err(error) => {
            let message = error.render();
            show::usage(&message.to_string(), &message.ansi().to_string(), error.use_stderr());
        }
        Ok(_) => show::usage(&message.to_string(), &message.to_string(), true),
    }
}

/// Whether an error means that the reader of the output has closed the pipe.
fn is_closed_pipe(error: &Trouble) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

/// Opens the workspace of a command.
fn open(workspace: &Workspace) -> Result<Opened, Trouble> {
    let options = workspace.options()?;
    let root = workspace.root();
    let opened = disk::open(&root, &options, &disk::Texts::new()).map_err(|error| {
        let path = root.display();
        match error.kind() {
            std::io::ErrorKind::NotFound if !root.exists() => anyhow::anyhow!("there is no folder {path}"),
            std::io::ErrorKind::NotFound => anyhow::anyhow!("{error}"),
            _ => anyhow::anyhow!("cannot read {path}: {error}"),
        }
    })?;
    // The overrides are checked after the configs are read, since configs can define clients, too.
    if let Some(fault) = opened.workspace.configs().faults_of_overrides().into_iter().next() {
        anyhow::bail!("`--set`: {}", fault.message);
    }
    Ok(opened)
}

/// Prints a rule's document, or every rule's id.
fn explain(command: &args::Explain) -> Result<Outcome, Trouble> {
    let Some(id) = &command.rule else {
        let mut page = Page::default();
        rules::RULES.iter().for_each(|rule| page.line(format_args!("{:26} {}", rule.id, rule.default.as_str())));
        print(&page)?;
        return Ok(Outcome::Clean);
    };
    let Some(rule) = rules::find(id) else {
        let near = nearest(id, rules::RULES.iter().map(|rule| rule.id));
        let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        anyhow::bail!("there is no rule `{id}`{hint}");
    };
    let mut page = Page::default();
    page.text(&rule.page());
    print(&page)?;
    Ok(Outcome::Clean)
}

/// Reports on standard error what could not be done; returns whether there was anything.
fn report_trouble(opened: &Opened, snapshot: &Snapshot) -> bool {
    let mut troubles = Vec::new();
    if opened.disk.is_interrupted() {
        troubles.push(edit::INTERRUPTED.to_string());
    }
    for path in &opened.walked.journals {
        let advice = "compare your files with version control, then delete it";
        let path = show::value(path);
        show::complain(format_args!("ignoring {path}, left by an earlier version or by somebody else: {advice}"));
    }
    for file in snapshot.files.all() {
        let path = &file.path;
        match &file.content {
            Content::Config(config) => {
                let base = snapshot.files.configs().missing_base(config);
                let missing = base
                    .map(|(_, base)| format!("cannot extend `{base}`: there is no such file, or it cannot be read"));
                let profile = snapshot.files.configs().faults_beside(config).into_iter().next();
                let fault = config.faults.first().cloned().or(profile).map(|fault| fault.message).or(missing);
                troubles.extend(fault.map(|fault| format!("{path}: {fault}; the rest of the file still applies")));
            }
            Content::Client(facts) => {
                if let Some((_, kind)) = facts.wrong_root {
                    troubles.push(format!(
                        "{path}: expected an object at the top level, found {kind}; its client ignores this file"
                    ));
                } else if let Some(fault) = &facts.fault {
                    let point = report::point(snapshot, file.id, fault.span.start);
                    let place = format!("{path}:{}:{}", point.line, point.column);
                    troubles.push(format!("{place}: {}; only the readable part is checked", fault.message));
                }
            }
            _ => {}
        }
    }
    let is_file =
        |path: &str| snapshot.files.by_path(path).is_some_and(|file| matches!(file.content, Content::Config(_)));
    for config in snapshot.files.configs().outside(&is_file) {
        let beside = snapshot.files.configs().faults_beside(config);
        if let Some(fault) = config.faults.iter().chain(&beside).next() {
            troubles.push(format!("{}: {}; the rest of the file still applies", config.path, fault.message));
        }
    }
    for skipped in opened.disk.skipped() {
        if is_config(&skipped.path) {
            troubles.push(format!("ignoring {}: {}", skipped.path, skipped.reason));
        }
    }
    let unread = opened.disk.unread().into_iter();
    troubles.extend(unread.map(|(path, reason)| format!("{path}: {reason}; the tool names in it were not checked")));
    troubles.sort();
    troubles.iter().for_each(show::complain);
    !troubles.is_empty()
}

/// Writes a command's output.
fn print(page: &Page) -> Result<(), Trouble> {
    Ok(show::print(page)?)
}
