//! The arguments of the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::config::Config;
use crate::diagnostic::Severity;
use crate::disk::{ConfigChoice, Options};
use crate::rename::AliasMode;
use crate::show;

/// Finds MCP tools, checks their names against a convention, and keeps permission files in step with them.
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
    /// Apply every fix that is safe and unambiguous
    Fix(Fix),
    /// Show every server with its tools, and the names that cannot be determined
    List(List),
    /// Rename a tool and every reference to it
    Rename(Rename),
    /// Check bare names and suggest better ones
    Suggest(Suggest),
    /// Write a config that fits the names in use
    Init(Init),
    /// Show which names are missing from the project's registry, or add them
    Registry(Registry),
    /// Start a server and record its tools
    Snapshot(Snapshot),
    /// Start a server and compare its tools with the source and the convention
    Verify(Verify),
    /// Show how a name is composed, from the literals in source to each client's string
    Why(Why),
    /// Show whether each client runs a tool, asks first or denies it, and which entry decides
    Can(Can),
    /// Show what each client does with each tool, as a table
    Matrix(Matrix),
    /// Print the documentation of a rule
    Explain(Explain),
    /// Run the language server on standard input and output
    Server(Server),
}

#[derive(Debug, Args)]
pub(super) struct Check {
    #[command(flatten)]
    pub(super) workspace: Workspace,
    /// The output format
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub(super) format: CheckFormat,
    #[command(flatten)]
    pub(super) shown: Shown,
    /// Exit with code 1 if a finding is at least this severe
    #[arg(long, value_name = "SEVERITY", default_value = "warning")]
    pub(super) fail_on: Severity,
}

#[derive(Debug, Args)]
pub(super) struct Fix {
    #[command(flatten)]
    pub(super) workspace: Workspace,
    #[command(flatten)]
    pub(super) output: Output,
    /// Print what would change, without changing anything
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Also change the names that servers report, without keeping an alias
    #[arg(long = "unsafe")]
    pub(super) unsafe_too: bool,
    /// Also change the names that servers report, and keep each old name callable: listed as deprecated, or hidden
    #[arg(long, value_name = "MODE", num_args = 0..=1, require_equals = true, default_missing_value = "listed")]
    pub(super) alias: Option<Mode>,
}

#[derive(Debug, Args)]
pub(super) struct Rename {
    /// The tool's name: as its server reports it, as a client composes it, or as the source contains it
    #[arg(required_unless_present = "end_alias")]
    pub(super) old: Option<String>,
    /// The new name; if it is an alias of the tool, the earlier rename is undone, and by default no alias is kept
    #[arg(required_unless_present = "end_alias")]
    pub(super) new: Option<String>,
    #[command(flatten)]
    pub(super) workspace: Workspace,
    #[command(flatten)]
    pub(super) output: Output,
    /// Keep the old name callable, listed as deprecated or hidden; `listed` if no mode is given
    #[arg(long, value_name = "MODE", num_args = 0..=1, require_equals = true, default_missing_value = "listed")]
    pub(super) alias: Option<Mode>,
    /// Keep no alias: calls to the old name fail
    #[arg(long, conflicts_with = "alias")]
    pub(super) no_alias: bool,
    /// Date or version from which the alias counts as expired; written into the alias comment
    #[arg(long, conflicts_with = "no_alias")]
    pub(super) until: Option<String>,
    /// Remove the alias of this name instead: `toolnames rename --end-alias OLD [PATH]`
    #[arg(long, value_name = "OLD", conflicts_with_all = ["alias", "no_alias", "until", "function"])]
    pub(super) end_alias: Option<String>,
    /// Rename even if conditions and guards in code cannot be updated; exits with 1 if any are left
    #[arg(long)]
    pub(super) force: bool,
    /// The server to use, if several have a tool with this name
    #[arg(long)]
    pub(super) server: Option<String>,
    /// Also rename the Python function that the tool is named after, instead of writing the name next to it
    #[arg(long)]
    pub(super) function: bool,
    /// Print what would change, without changing anything
    #[arg(long)]
    pub(super) dry_run: bool,
}

/// The visibility of an alias.
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
    /// The kind of the names
    #[arg(long, value_enum, default_value_t = Kind::Tool)]
    pub(super) kind: Kind,
    #[command(flatten)]
    pub(super) policy: Policy,
    #[command(flatten)]
    pub(super) output: Output,
    /// The names to check
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
    /// The definition of a gateway's tool: shows where it is forwarded
    Forward,
    /// The URI of a resource
    Uri,
    /// A project's slug, which determines its namespace
    Namespace,
    /// A short name, as passed to a helper that adds the prefix
    Callsite,
}

#[derive(Debug, Args)]
pub(super) struct Init {
    #[command(flatten)]
    pub(super) workspace: Workspace,
    #[command(flatten)]
    pub(super) output: Output,
    /// Print the config, without writing it
    #[arg(long)]
    pub(super) dry_run: bool,
}

#[derive(Debug, Args)]
pub(super) struct Registry {
    #[command(flatten)]
    pub(super) workspace: Workspace,
    #[command(flatten)]
    pub(super) output: Output,
    /// Write the registry; text written by hand is kept
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

/// The server to ask for its tools.
#[derive(Debug, Args)]
pub(super) struct Asked {
    /// The key of the server; by default, the one that client files start with this command
    #[arg(long, value_name = "KEY")]
    pub(super) key: Option<String>,
    /// Seconds to wait for the server's answer
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(super) timeout: u64,
    /// The command that starts the server, with its arguments, or the server's URL
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
pub(super) struct Can {
    /// The tool's name: as its server reports it, or as a client composes it
    pub(super) tool: String,
    #[command(flatten)]
    pub(super) workspace: Workspace,
    /// Only this client, by its id: `claude-code`; may be repeated
    #[arg(long = "client", value_name = "ID")]
    pub(super) clients: Vec<String>,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
pub(super) struct Matrix {
    #[command(flatten)]
    pub(super) workspace: Workspace,
    /// Only this client, by its id: `claude-code`; may be repeated
    #[arg(long = "client", value_name = "ID")]
    pub(super) clients: Vec<String>,
    /// The output format
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub(super) format: TableFormat,
    #[command(flatten)]
    pub(super) shown: Shown,
}

/// The format of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TableFormat {
    Text,
    Markdown,
    Json,
}

#[derive(Debug, Args)]
pub(super) struct Explain {
    /// The rule's id; without one, all ids are printed
    pub(super) rule: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct Server {
    /// Use standard input and output (default)
    #[arg(long)]
    stdio: bool,
}

#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    pub(super) workspace: Workspace,
    #[command(flatten)]
    pub(super) output: Output,
    /// Show the server keys of client files, and the source of their tools
    #[arg(long)]
    pub(super) known: bool,
}

/// The files that a command reads, and the policy for them.
#[derive(Debug, Args, Clone)]
pub(super) struct Workspace {
    /// A folder or a file
    #[arg(default_value = ".")]
    pub(super) path: PathBuf,
    #[command(flatten)]
    pub(super) policy: Policy,
    /// Include tests, fixtures, examples, vendored and generated code
    #[arg(long)]
    pub(super) all: bool,
}

#[derive(Debug, Args, Clone)]
pub(super) struct Policy {
    /// Use this profile everywhere
    #[arg(long, value_name = "PROFILE")]
    pub(super) profile: Option<String>,
    /// Set a key of the config; a bare key belongs to `[convention]`, and commas separate list items
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(super) settings: Vec<String>,
    /// Use this config for all files
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub(super) config: Option<PathBuf>,
    /// Use no config
    #[arg(long)]
    pub(super) no_config: bool,
}

#[derive(Debug, Args, Clone)]
pub(super) struct Output {
    /// The output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) shown: Shown,
}

#[derive(Debug, Args, Clone)]
pub(super) struct Shown {
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
pub(super) enum CheckFormat {
    Text,
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of GitHub Actions
    Github,
    /// A Code Quality report of GitLab
    Gitlab,
    /// A test report
    Junit,
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

    /// Returns the folder to read. For a file, this is the project around it: without the other files, little can be
    /// found out about it.
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

    /// Returns the path relative to the root if the command is given a file; `None` for a folder.
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
        Ok(Config::from_settings(self.profile.as_deref(), &self.settings)?)
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
    /// Whether to colour standard output.
    pub(super) fn enabled(self) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => show::allows_colours() && show::is_terminal(),
        }
    }
}
