//! The capabilities of the server and of its clients. The quirks of clients are named here and nowhere else.

use tower_lsp::ls_types::*;

use crate::text::Encoding;

/// The client command that shows several places; its arguments are a document, a position in it, and the places. A
/// client that has it lists it in `experimental.commands.commands`.
pub(super) const SHOW_PLACES: &str = "toolnames.showReferences";
/// The command of lenses that are only text, which does nothing. Every lens has to have a command, and some clients run
/// it.
pub(super) const NOTHING: &str = "toolnames.nothing";

/// The features on which client and server agreed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Negotiated {
    pub(super) encoding: Encoding,
    /// Edits may have document versions. Neovim does not offer this and gets plain changes.
    pub(super) document_changes: bool,
    /// Edits may create files.
    pub(super) creates_files: bool,
    /// Edits may have annotations that say what they are for.
    pub(super) change_annotations: bool,
    /// The edits of code actions may be sent later. Older versions of eglot, and ALE, do not request them.
    pub(super) resolves_edits: bool,
    /// The client fetches diagnostics itself. Eglot and ALE do not.
    pub(super) pulls_diagnostics: bool,
    pub(super) refreshes_diagnostics: bool,
    /// The client watches files when asked to. Neovim on Linux does not.
    pub(super) watches_files: bool,
    /// The client requests all tools, and is notified when to request them again: `experimental.toolsChanged`.
    pub(super) follows_tools: bool,
    /// The client has [`SHOW_PLACES`].
    pub(super) shows_places: bool,
    /// The client supports requests to fetch hints and lenses again.
    pub(super) refreshes_hints: bool,
    pub(super) refreshes_lenses: bool,
    /// The client shows the progress of long operations.
    pub(super) shows_progress: bool,
    /// The documentation of a completion item may be sent later.
    pub(super) resolves_documentation: bool,
    /// Document versions may be sent with published diagnostics.
    pub(super) diagnostic_versions: bool,
}

/// Reads the capabilities of the client, and returns those of the server.
pub(super) fn negotiate(params: &InitializeParams) -> (ServerCapabilities, Negotiated) {
    let client = &params.capabilities;
    let workspace = client.workspace.as_ref();
    let document = client.text_document.as_ref();
    // The first supported encoding in the client's list, which is in order of preference.
    let offered = client.general.as_ref().and_then(|general| general.position_encodings.as_deref()).unwrap_or_default();
    let known = |kind: &PositionEncodingKind| {
        [
            (PositionEncodingKind::UTF8, Encoding::Utf8),
            (PositionEncodingKind::UTF16, Encoding::Utf16),
            (PositionEncodingKind::UTF32, Encoding::Utf32),
        ]
        .into_iter()
        .find(|(known, _)| known == kind)
    };
    let chosen = offered.iter().find_map(known);
    let resolves = document
        .and_then(|document| document.code_action.as_ref())
        .and_then(|action| action.resolve_support.as_ref())
        .is_some_and(|support| support.properties.iter().any(|property| property == "edit"));
    let negotiated = Negotiated {
        encoding: chosen.as_ref().map(|(_, encoding)| *encoding).unwrap_or_default(),
        change_annotations: workspace
            .and_then(|workspace| workspace.workspace_edit.as_ref())
            .is_some_and(|edit| edit.change_annotation_support.is_some()),
        document_changes: workspace
            .and_then(|workspace| workspace.workspace_edit.as_ref())
            .and_then(|edit| edit.document_changes)
            .unwrap_or(false),
        creates_files: workspace
            .and_then(|workspace| workspace.workspace_edit.as_ref())
            .filter(|edit| edit.document_changes == Some(true))
            .and_then(|edit| edit.resource_operations.as_ref())
            .is_some_and(|operations| operations.contains(&ResourceOperationKind::Create)),
        resolves_edits: resolves,
        pulls_diagnostics: document.is_some_and(|document| document.diagnostic.is_some()),
        refreshes_diagnostics: workspace
            .and_then(|workspace| workspace.diagnostics.as_ref())
            .and_then(|diagnostics| diagnostics.refresh_support)
            .unwrap_or(false),
        watches_files: workspace
            .and_then(|workspace| workspace.did_change_watched_files.as_ref())
            .and_then(|watch| watch.dynamic_registration)
            .unwrap_or(false),
        follows_tools: client
            .experimental
            .as_ref()
            .and_then(|experimental| experimental.get("toolsChanged")?.as_bool())
            .unwrap_or(false),
        shows_places: client
            .experimental
            .as_ref()
            .and_then(|experimental| experimental.pointer("/commands/commands")?.as_array())
            .is_some_and(|commands| commands.iter().any(|command| command == SHOW_PLACES)),
        refreshes_hints: workspace
            .and_then(|workspace| workspace.inlay_hint.as_ref())
            .and_then(|hint| hint.refresh_support)
            .unwrap_or(false),
        refreshes_lenses: workspace
            .and_then(|workspace| workspace.code_lens.as_ref())
            .and_then(|lens| lens.refresh_support)
            .unwrap_or(false),
        shows_progress: client.window.as_ref().and_then(|window| window.work_done_progress).unwrap_or(false),
        resolves_documentation: document
            .and_then(|document| document.completion.as_ref()?.completion_item.as_ref()?.resolve_support.as_ref())
            .is_some_and(|support| support.properties.iter().any(|property| property == "documentation")),
        diagnostic_versions: document
            .and_then(|document| document.publish_diagnostics.as_ref())
            .and_then(|publish| publish.version_support)
            .unwrap_or(false),
    };
    // When notified that findings changed, Neovim 0.12 fetches those of the workspace if it can, and leaves open
    // documents as they were. Findings in open documents must be current, so workspace diagnostics are not offered to
    // Neovim.
    let client_name = params.client_info.as_ref().map(|client| client.name.as_str());
    let offers_workspace = client_name != Some("Neovim");
    let kinds = vec![
        CodeActionKind::QUICKFIX,
        CodeActionKind::REFACTOR_REWRITE,
        CodeActionKind::from("source.fixAll.toolnames"),
    ];
    let capabilities = ServerCapabilities {
        position_encoding: chosen.map(|(kind, _)| kind),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::Supported(true)),
            ..TextDocumentSyncOptions::default()
        })),
        diagnostic_provider: Some(DiagnosticServerCapabilities::Options(DiagnosticOptions {
            identifier: Some("toolnames".into()),
            inter_file_dependencies: true,
            workspace_diagnostics: offers_workspace,
            work_done_progress_options: WorkDoneProgressOptions { work_done_progress: Some(true) },
        })),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(kinds),
            resolve_provider: Some(resolves),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        inlay_hint_provider: Some(OneOf::Left(true)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            ..WorkspaceServerCapabilities::default()
        }),
        execute_command_provider: (!negotiated.shows_places)
            .then(|| ExecuteCommandOptions { commands: vec![NOTHING.to_string()], ..ExecuteCommandOptions::default() }),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        completion_provider: Some(CompletionOptions {
            // The characters that occur in names or separate their parts, in any client, and those that begin a table
            // or a value in a config.
            trigger_characters: Some(["\"", "_", "@", "/", ":", "(", "-", "[", "="].map(String::from).to_vec()),
            resolve_provider: Some(true),
            ..CompletionOptions::default()
        }),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions { work_done_progress: Some(true) },
        })),
        ..ServerCapabilities::default()
    };
    (capabilities, negotiated)
}

/// The files that the client is asked to watch.
pub(super) fn watchers() -> Registration {
    const GLOBS: [&str; 6] = [
        "**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,py,rs}",
        "**/{package.json,pyproject.toml,Cargo.toml,toolnames.toml,toolnames.lock}",
        "**/.mcp.json",
        "**/.claude/settings*.json",
        // Documents and data files that a convention may check.
        "**/*.{md,json,jsonc,toml,yml,yaml,sh,bash}",
        "**/.toolnames/snapshots/*.json",
    ];
    let watchers = GLOBS
        .into_iter()
        .map(|glob| FileSystemWatcher { glob_pattern: GlobPattern::String(glob.into()), kind: None })
        .collect();
    let options = DidChangeWatchedFilesRegistrationOptions { watchers };
    Registration {
        id: "toolnames-files".into(),
        method: "workspace/didChangeWatchedFiles".into(),
        register_options: serde_json::to_value(options).ok(),
    }
}
