//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::config::Config;
use crate::disk::{ConfigChoice, Options};

/// The names of MCP tools: find them, hold them to a convention, and keep permission files in step.
#[derive(Debug, Parser)]
#[command(name = "toolnames", version, about, disable_help_subcommand = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Show every server with its tools, and what cannot be known of them
    List(List),
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
        Ok(Options { overrides: self.policy.overrides()?, config: self.policy.config(), all: self.all })
    }

    /// The folder to read: that of the file, where a file is named.
    pub(super) fn root(&self) -> PathBuf {
        if self.path.is_file() {
            match self.path.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
                _ => PathBuf::from("."),
            }
        } else {
            self.path.clone()
        }
    }
}

impl Policy {
    pub(super) fn overrides(&self) -> anyhow::Result<Config> {
        Config::from_settings(self.profile.as_deref(), &self.settings).map_err(anyhow::Error::msg)
    }

    fn config(&self) -> ConfigChoice {
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
        use std::io::IsTerminal;
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) && std::io::stdout().is_terminal(),
        }
    }
}
