//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::config::Config;
use crate::diagnostic::Severity;
use crate::disk::{ConfigChoice, Options};
use crate::rename::AliasMode;
use crate::show;

/// The names of MCP tools: find them, hold them to a convention, and keep permission files in step.
#[derive(Debug, Parser)]
#[command(name = "toolnames", version, about, disable_help_subcommand = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Check names, permission files and configs
    Check(Check),
    /// Repair what has one clear repair
    Fix(Fix),
    /// Show every server with its tools, and what cannot be known of them
    List(List),
    /// Rename a tool everywhere it is named
    Rename(Rename),
    /// Judge bare names, and propose better ones
    Suggest(Suggest),
    /// Write the config that the names in use ask for
    Init(Init),
    /// Show what the registry of the project's names lacks, or write it
    Registry(Registry),
    /// Start a server, and record which tools it has
    Snapshot(Snapshot),
    /// Start a server, and hold what it reports against source and convention
    Verify(Verify),
    /// Show how a name comes about, from the literals in source to each client's string
    Why(Why),
    /// Print what a rule says and why
    Explain(Explain),
    /// Run the language server on standard input and output
    Server(Server),
}

#[derive(Debug, Args)]
pub(super) struct Check {
    #[command(flatten)]
    pub(super) workspace: Workspace,
    #[command(flatten)]
    pub(super) output: Output,
    /// The least severity that makes the exit code 1
    #[arg(long, value_name = "SEVERITY", default_value = "warning", value_parser = severity)]
    pub(super) fail_on: Severity,
}

#[derive(Debug, Args)]
pub(super) struct Fix {
    #[command(flatten)]
    pub(super) workspace: Workspace,
    #[command(flatten)]
    pub(super) output: Output,
    /// Print what would change, and change nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Also change the names that servers report, without leaving an alias
    #[arg(long = "unsafe")]
    pub(super) unsafe_too: bool,
    /// Also change the names that servers report, and keep each old name callable: listed as deprecated, or not listed
    #[arg(long, value_name = "MODE", num_args = 0..=1, require_equals = true, default_missing_value = "listed")]
    pub(super) alias: Option<Mode>,
}

#[derive(Debug, Args)]
pub(super) struct Rename {
    /// The tool's name: as its server reports it, as a client composes it, or the part in source
    #[arg(required_unless_present = "end_alias")]
    pub(super) old: Option<String>,
    /// The name it gets; the name of an alias that it has is taken back, and no alias is left
    #[arg(required_unless_present = "end_alias")]
    pub(super) new: Option<String>,
    #[command(flatten)]
    pub(super) workspace: Workspace,
    #[command(flatten)]
    pub(super) output: Output,
    /// Keep the old name callable, listed as deprecated or not listed; `listed` where nothing is said
    #[arg(long, value_name = "MODE", num_args = 0..=1, require_equals = true, default_missing_value = "listed")]
    pub(super) alias: Option<Mode>,
    /// Leave no alias: the old name is no longer answered
    #[arg(long, conflicts_with = "alias")]
    pub(super) no_alias: bool,
    /// The day or version from which on the old name is gone, for the comment at the alias
    #[arg(long, conflicts_with = "no_alias")]
    pub(super) until: Option<String>,
    /// Remove the alias of this name instead: `toolnames rename --end-alias OLD [PATH]`
    #[arg(long, value_name = "OLD", conflicts_with_all = ["alias", "no_alias", "until", "function"])]
    pub(super) end_alias: Option<String>,
    /// Leave conditions and guards in code as they are where no edit can follow them; exits with 1
    #[arg(long)]
    pub(super) force: bool,
    /// The server, where several have a tool of this name
    #[arg(long)]
    pub(super) server: Option<String>,
    /// Rename the Python function that the tool is named after, too, instead of writing the name beside it
    #[arg(long)]
    pub(super) function: bool,
    /// Print what would change, and change nothing
    #[arg(long)]
    pub(super) dry_run: bool,
}

/// How an old name goes on.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum Mode {
    Listed,
    Hidden,
}

impl From<Mode> for AliasMode {
    fn from(mode: Mode) -> AliasMode {
        match mode {
            Mode::Listed => AliasMode::Listed,
            Mode::Hidden => AliasMode::Hidden,
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct Suggest {
    /// What the names are
    #[arg(long, value_enum, default_value_t = Kind::Tool)]
    pub(super) kind: Kind,
    #[command(flatten)]
    pub(super) policy: Policy,
    #[command(flatten)]
    pub(super) output: Output,
    /// The names to judge
    #[arg(required = true, value_name = "NAME", allow_hyphen_values = true)]
    pub(super) names: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Kind {
    /// A tool's name
    Tool,
    /// A permission string
    Permission,
    /// An entry of a gateway's state file
    State,
    /// A gateway's definition: where it is sent
    Forward,
    Uri,
    Namespace,
    Callsite,
}

#[derive(Debug, Args)]
pub(super) struct Init {
    #[command(flatten)]
    pub(super) workspace: Workspace,
    #[command(flatten)]
    pub(super) output: Output,
    /// Print the config, and write nothing
    #[arg(long)]
    pub(super) dry_run: bool,
}

#[derive(Debug, Args)]
pub(super) struct Registry {
    #[command(flatten)]
    pub(super) workspace: Workspace,
    #[command(flatten)]
    pub(super) output: Output,
    /// Write it; what people wrote by hand stays
    #[arg(long)]
    pub(super) write: bool,
}

#[derive(Debug, Args)]
pub(super) struct Snapshot {
    #[command(flatten)]
    pub(super) workspace: Workspace,
    #[command(flatten)]
    pub(super) output: Output,
    #[command(flatten)]
    pub(super) asked: Asked,
}

/// A server that is asked for its tools.
#[derive(Debug, Args)]
pub(super) struct Asked {
    /// The key of the server; where client files start one by this command, that one
    #[arg(long, value_name = "KEY")]
    pub(super) key: Option<String>,
    /// How many seconds the server has to answer
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(super) timeout: u64,
    /// The command that starts the server, with its arguments, or the URL at which it runs
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub(super) command: Vec<String>,
}

#[derive(Debug, Args)]
pub(super) struct Verify {
    #[command(flatten)]
    pub(super) workspace: Workspace,
    #[command(flatten)]
    pub(super) output: Output,
    #[command(flatten)]
    pub(super) asked: Asked,
}

#[derive(Debug, Args)]
pub(super) struct Why {
    /// A tool's name or a permission string
    pub(super) name: String,
    #[command(flatten)]
    pub(super) workspace: Workspace,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
pub(super) struct Explain {
    /// The rule's id; without one, all ids are printed
    pub(super) rule: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct Server {
    /// Speak over standard input and output; the only way there is
    #[arg(long)]
    stdio: bool,
}

fn severity(text: &str) -> Result<Severity, String> {
    text.parse().map_err(|()| "expected error, warning, info or hint".to_string())
}

#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    pub(super) workspace: Workspace,
    #[command(flatten)]
    pub(super) output: Output,
    /// Show the server keys of client files, and where their tools are known from
    #[arg(long)]
    pub(super) known: bool,
}

/// What a command looks at, and under which policy.
#[derive(Debug, Args, Clone)]
pub(super) struct Workspace {
    /// A folder or a file
    #[arg(default_value = ".")]
    pub(super) path: PathBuf,
    #[command(flatten)]
    pub(super) policy: Policy,
    /// Do not leave out tests, fixtures, examples, vendored and generated code
    #[arg(long)]
    pub(super) all: bool,
}

#[derive(Debug, Args, Clone)]
pub(super) struct Policy {
    /// Use this profile everywhere
    #[arg(long, value_name = "PROFILE")]
    pub(super) profile: Option<String>,
    /// Set a key of the config; a bare key is one of the convention's, commas make lists
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(super) settings: Vec<String>,
    /// Use this config for everything
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub(super) config: Option<PathBuf>,
    /// Use no config
    #[arg(long)]
    pub(super) no_config: bool,
}

#[derive(Debug, Args, Clone)]
pub(super) struct Output {
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    /// When to use colours; `NO_COLOR` is respected
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(super) color: Color,
    /// Print findings only
    #[arg(long, short)]
    pub(super) quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Text,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    Auto,
    Always,
    Never,
}

impl Workspace {
    pub(super) fn options(&self) -> anyhow::Result<Options> {
        let (overrides, config) = (self.policy.overrides()?, self.policy.config());
        Ok(Options { overrides, config, all: self.all, ..Options::default() })
    }

    /// The folder to read. For a file it is the project around it: without its neighbours little is known of it.
    pub(super) fn root(&self) -> PathBuf {
        if !self.path.is_file() {
            return self.path.clone();
        }
        const SIGNS: [&str; 4] = [".git", "toolnames.toml", ".mcp.json", ".claude"];
        let file = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        let parent = file.parent().unwrap_or(&file).to_path_buf();
        let project = parent.ancestors().find(|folder| SIGNS.iter().any(|sign| folder.join(sign).exists()));
        project.map_or(parent.clone(), PathBuf::from)
    }

    /// Where one file is named: its path from the root.
    pub(super) fn only(&self) -> Option<String> {
        if !self.path.is_file() {
            return None;
        }
        let root = self.root().canonicalize().ok()?;
        let file = self.path.canonicalize().ok()?;
        Some(file.strip_prefix(root).ok()?.to_str()?.replace('\\', "/"))
    }
}

impl Policy {
    pub(super) fn overrides(&self) -> anyhow::Result<Config> {
        Config::from_settings(self.profile.as_deref(), &self.settings).map_err(anyhow::Error::msg)
    }

    pub(super) fn config(&self) -> ConfigChoice {
        match &self.config {
            Some(path) => ConfigChoice::File(path.clone()),
            None if self.no_config => ConfigChoice::None,
            None => ConfigChoice::Found,
        }
    }
}

impl Color {
    /// Whether to colour what goes to standard output.
    pub(super) fn enabled(self) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => show::allows_colours() && show::is_terminal(),
        }
    }
}
