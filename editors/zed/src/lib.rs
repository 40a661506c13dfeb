//! toolnames in Zed: which program is the language server, and what it is told.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree, serde_json};

struct Toolnames;

impl zed::Extension for Toolnames {
    fn new() -> Self {
        Self
    }

    /// The program that the user's settings name, or the one on `PATH`.
    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let binary = LspSettings::for_worktree("toolnames", worktree).ok().and_then(|settings| settings.binary);
        let (path, arguments) = binary.map(|binary| (binary.path, binary.arguments)).unwrap_or_default();
        let command = path.or_else(|| worktree.which("toolnames")).ok_or(
            "no toolnames on PATH: install it, or set \"lsp\": { \"toolnames\": { \"binary\": { \"path\": … } } }",
        )?;
        let args = arguments.unwrap_or_else(|| vec!["server".to_string()]);
        Ok(Command { command, args, env: worktree.shell_env() })
    }

    fn language_server_initialization_options(
        &mut self,
        _: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<serde_json::Value>> {
        Ok(LspSettings::for_worktree("toolnames", worktree).ok().and_then(|settings| settings.initialization_options))
    }
}

zed::register_extension!(Toolnames);
