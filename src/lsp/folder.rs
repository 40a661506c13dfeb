//! One folder of a session: its workspace, with what the editor has open. Only the [keeper](super::keeper) has access
//! to it, and changes it in message order.
//!
//! The state depends only on the files on disk and the texts in the editor, not on earlier events: when a config,
//! ignore file or manifest changes, the set of files to read is determined from scratch.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tower_lsp::ls_types::*;

use super::capabilities::Negotiated;
use super::convert::path_of;
use super::view::{Opened, View};
use crate::disk::{self, ConfigChoice, Disk, Layered, Options, Stamp, Texts, UNKNOWN, Walked};
use crate::path::is_installed;
use crate::text::{Edit, Text};
use crate::workspace::{Analysis, Content, FileKind, Snapshot, Stop, Workspace};

pub(super) struct Folder {
    pub(super) root: PathBuf,
    pub(super) options: Options,
    /// Whether the folder has been read at least once.
    pub(super) is_read: bool,
    /// Whether the folder has to be read, for the first time or again.
    pub(super) is_stale: bool,
    negotiated: Negotiated,
    workspace: Workspace,
    disk: Arc<Disk>,
    documents: HashMap<String, Document>,
    /// The files that are part of the workspace, with their state on disk when they were last read.
    stamps: HashMap<String, Stamp>,
    /// The result of the last walk.
    walked: Walked,
    /// The files of installed packages that the folder's packages need.
    needed: Vec<String>,
    /// Whether a config, a lock file or the files on disk have changed, so that the folder has to be laid out again.
    is_moved: bool,
    /// Whether a manifest may have changed, so that the needed installed packages have to be determined again.
    needs_others: bool,
    /// The analysis, and the addresses of the contents that refer to tools, at the last call of
    /// [`Folder::facts_changed`].
    last: Option<(Arc<Analysis>, Vec<usize>)>,
}

/// An open document.
pub(super) struct Document {
    uri: Uri,
    version: i32,
    text: Text,
    /// Edits that have not been applied to the workspace yet.
    edits: Vec<Edit>,
    /// Whether the text in the workspace is out of date.
    stale: bool,
}

impl Document {
    pub(super) fn uri(&self) -> &Uri {
        &self.uri
    }

    fn opened(&self) -> Opened {
        Opened { uri: self.uri.clone(), version: self.version, text: self.text.clone() }
    }
}

/// The result of reading a folder. The folder is read in the background while messages are handled.
pub(super) struct Contents(disk::Opened);

/// The message about a panic.
pub(super) const FAILED: &str = "an internal error: what is shown may be out of date until the server is started again";

/// Why a folder was not read.
#[derive(Debug)]
pub(super) enum Unread {
    Refused(PathBuf, std::io::Error),
    /// The thread that read it panicked.
    Failed,
}

impl std::fmt::Display for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unread::Refused(root, error) => write!(f, "cannot read {}: {error}", root.display()),
            Unread::Failed => f.write_str(FAILED),
        }
    }
}

impl Contents {
    /// Reads a folder.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn read(root: &Path, options: &Options, texts: &Texts) -> Result<Contents, Unread> {
        let opened = disk::open(root, options, texts);
        opened.map(Contents).map_err(|error| Unread::Refused(root.to_path_buf(), error))
    }

    /// The number of files that were read.
    pub(super) fn count(&self) -> usize {
        self.0.scanned
    }
}

/// A view of an open document alone, with the configs and manifests above it, in a folder that has not been read yet.
/// `None` if a config leaves the document out or cannot be read.
pub(super) fn glance(folder: &View, options: &Options, uri: &Uri) -> Option<View> {
    let (path, opened) = folder.open.iter().find(|(_, opened)| opened.uri == *uri)?;
    let text: Arc<str> = opened.text.to_string().into();
    let mut workspace = disk::open_one(&folder.root, options, path, text, &Texts::new()).ok()??;
    let open = HashMap::from([(path.clone(), opened.clone())]);
    Some(View { snapshot: workspace.snapshot(), open, found: Arc::default(), ..folder.clone() })
}

impl Folder {
    /// Creates a folder that has not been read. Without a root, there is nothing to read except open documents.
    pub(super) fn new(root: PathBuf, options: Options, negotiated: Negotiated) -> Folder {
        let is_rootless = root.as_os_str().is_empty();
        Folder {
            disk: Arc::new(Disk::new(&root)),
            is_read: is_rootless,
            is_stale: !is_rootless,
            // Each folder can be stopped on its own.
            options: Options { config: within(&root, &options.config), stop: Stop::default(), ..options },
            root,
            negotiated,
            workspace: Workspace::new(crate::config::Configs::default()),
            documents: HashMap::new(),
            stamps: HashMap::new(),
            walked: Walked::default(),
            needed: Vec::new(),
            is_moved: false,
            needs_others: false,
            last: None,
        }
    }

    /// Whether this is the folder for documents that lie in no other.
    pub(super) fn is_rootless(&self) -> bool {
        self.root.as_os_str().is_empty()
    }

    /// The texts of the documents that are open in the folder, by path.
    pub(super) fn texts(&self) -> Texts {
        self.documents.iter().map(|(path, document)| (path.clone(), document.text.to_string().into())).collect()
    }

    /// The path of a document relative to the root, with `/`, or its full path if it lies elsewhere.
    fn path(&self, uri: &Uri) -> Option<String> {
        let open = || self.documents.iter().find(|(_, document)| document.uri == *uri);
        path_of(&self.root, uri).or_else(|| open().map(|(path, _)| path.clone()))
    }

    /// Applies the result of reading the folder.
    pub(super) fn take(&mut self, contents: Contents, stop: &Stop) {
        let disk::Opened { mut workspace, disk, walked, stamps, .. } = contents.0;
        (self.is_read, self.is_stale) = (true, false);
        workspace.stop_by(stop.clone());
        self.workspace = workspace;
        self.disk = Arc::new(disk);
        self.walked = walked;
        let snapshot = self.workspace.snapshot();
        self.stamps = stamps;
        self.needed = disk::needed(&self.disk, &snapshot);
        for document in self.documents.values_mut() {
            document.stale = true;
            document.edits.clear();
        }
        // Documents that were opened, changed or closed in the meantime have to be taken into account.
        self.is_moved = true;
    }

    /// Marks the folder as read without applying a result.
    pub(super) fn give_up(&mut self) {
        (self.is_read, self.is_stale) = (true, false);
    }

    /// Applies the result of a walk, and reads changed files again.
    pub(super) fn rescan(&mut self, walked: Walked) {
        self.walked = walked;
        self.is_moved = true;
        self.needs_others = true;
        // Packages may have been installed, updated or removed.
        self.workspace.seek_again();
        let changed = self.stamps.iter().filter(|(path, _)| !self.documents.contains_key(*path));
        let changed = changed.filter(|(path, before)| self.disk.stamp(path) != **before);
        let changed: Vec<String> = changed.map(|(path, _)| path.clone()).collect();
        self.load(&changed);
    }

    /// Pairs paths with the state of their files on disk.
    fn stamped<'a>(&self, paths: impl Iterator<Item = String> + 'a) -> impl Iterator<Item = (String, Stamp)> + 'a {
        let disk = Arc::clone(&self.disk);
        paths.map(move |path| {
            let stamp = disk.stamp_before_reading(&path);
            (path, stamp)
        })
    }

    /// Reads files, again or for the first time. Open documents stay as the editor has them.
    fn load(&mut self, paths: &[String]) {
        let disk = Arc::clone(&self.disk);
        // Stamps are taken before the files are read, so that a change in between is noticed next time.
        let stamps = self.stamped(paths.iter().cloned());
        self.stamps.extend(stamps);
        let closed = paths.iter().filter(|path| !self.documents.contains_key(*path));
        let closed: Vec<String> = closed.cloned().collect();
        if !closed.is_empty() {
            self.workspace.reload(&closed, &*disk);
        }
    }

    /// Switches to another choice of config.
    pub(super) fn choose(&mut self, config: &ConfigChoice) {
        let config = within(&self.root, config);
        if !same_choice(&self.options.config, &config) {
            self.options = Options { config, stop: Stop::default(), ..self.options.clone() };
            self.is_stale = !self.is_rootless();
        }
    }

    pub(super) fn open(&mut self, item: TextDocumentItem) {
        let Some(path) = path_of(&self.root, &item.uri).or_else(|| untitled(&item)) else { return };
        let text = Text::new(&item.text);
        let document = Document { uri: item.uri, version: item.version, text, edits: Vec::new(), stale: true };
        self.note(&path);
        self.documents.insert(path, document);
    }

    pub(super) fn change(&mut self, params: DidChangeTextDocumentParams) {
        let DidChangeTextDocumentParams { text_document, content_changes } = params;
        let encoding = self.negotiated.encoding;
        let path = self.path(&text_document.uri);
        let Some(path) = path.filter(|path| self.documents.contains_key(path)) else { return };
        self.note(&path);
        let Some(document) = self.documents.get_mut(&path) else { return };
        document.version = text_document.version;
        for change in content_changes {
            match change.range {
                Some(range) => {
                    let position = |at: Position| crate::text::Position { line: at.line, column: at.character };
                    let (start, end) = (position(range.start), position(range.end));
                    let edit = document.text.replace(start, end, &change.text, encoding);
                    // Edits are relative to the text in the workspace; if the whole text is new, none are recorded.
                    if !document.stale || !document.edits.is_empty() {
                        document.edits.push(edit);
                    }
                }
                None => {
                    document.text = Text::new(&change.text);
                    document.edits.clear();
                }
            }
            document.stale = true;
        }
    }

    pub(super) fn close(&mut self, uri: &Uri) {
        let Some(path) = self.path(uri).filter(|path| self.documents.remove(path).is_some()) else { return };
        self.closed(&path);
    }

    /// Replaces the text of a closed document with the text on disk, or removes the document if it is not part of the
    /// workspace.
    fn closed(&mut self, path: &str) {
        self.note(path);
        match self.stamps.contains_key(path) {
            true => self.load(&[path.to_string()]),
            false => self.workspace.forget(&[path.to_string()]),
        }
    }

    /// Notes what has to be done after the text of a file has changed.
    fn note(&mut self, path: &str) {
        let configs = self.workspace.configs();
        let kind = FileKind::of(path, configs.clients());
        self.is_moved |= kind.lays_out() || configs.depends_on(path);
        self.needs_others |= matches!(kind, FileKind::Manifest { .. });
    }

    /// Closes everything that is open in the folder, and returns each document with its path.
    pub(super) fn close_all(&mut self) -> Vec<(String, Document)> {
        let open: Vec<(String, Document)> = self.documents.drain().collect();
        open.iter().for_each(|(path, _)| self.closed(path));
        open
    }

    /// Adds a document that was open in another folder. A document that is not a file keeps its path from that folder.
    pub(super) fn put(&mut self, path: String, document: Document) {
        let path = path_of(&self.root, &document.uri).unwrap_or(path);
        self.note(&path);
        self.documents.insert(path, Document { stale: true, edits: Vec::new(), ..document });
    }

    /// A view of the folder: a snapshot, and the documents as they are now.
    pub(super) fn view(&self, snapshot: Snapshot) -> View {
        let open = self.documents.iter().map(|(path, document)| (path.clone(), document.opened()));
        View {
            snapshot,
            root: self.root.clone(),
            negotiated: self.negotiated,
            open: open.collect(),
            elsewhere: HashMap::new(),
            disk: Arc::clone(&self.disk),
            found: Arc::default(),
        }
    }

    /// A view of the folder before it was read: its open documents, with an empty snapshot.
    pub(super) fn unread(&mut self) -> View {
        let snapshot = self.workspace.snapshot();
        self.view(snapshot)
    }

    /// Whether the tools, or the contents that refer to them, have changed since the last call.
    pub(super) fn facts_changed(&mut self, snapshot: &Snapshot) -> bool {
        let said = snapshot.files.all().filter_map(|file| match &file.content {
            Content::Client(facts) => Some(Arc::as_ptr(facts) as usize),
            Content::Markdown(markdown) => Some(Arc::as_ptr(markdown) as usize),
            Content::Data(data) => Some(Arc::as_ptr(data) as usize),
            Content::Config(config) => Some(Arc::as_ptr(config) as usize),
            _ => None,
        });
        let now = (Arc::clone(snapshot.analysis()), said.collect::<Vec<usize>>());
        let same = self.last.as_ref().is_some_and(|last| Arc::ptr_eq(&last.0, &now.0) && last.1 == now.1);
        self.last = Some(now);
        !same
    }

    /// Applies all changes, and loads the files that they require. `None` if the folder has to be read again instead.
    ///
    /// If the work is stopped, this unwinds with [`crate::workspace::Stopped`], and the next call continues from there.
    pub(super) fn settle(&mut self) -> Option<Snapshot> {
        if std::mem::take(&mut self.is_moved) && !self.lay_out() {
            self.is_stale = true;
        }
        for (path, document) in &mut self.documents {
            if std::mem::take(&mut document.stale) {
                let text: Arc<str> = document.text.to_string().into();
                self.workspace.open(path, text, &document.edits);
                document.edits.clear();
            }
        }
        if std::mem::take(&mut self.needs_others) {
            self.load_needed();
        }
        self.is_stale |= self.workspace.has_too_much();
        if self.is_stale {
            return None;
        }
        let disk = Arc::clone(&self.disk);
        let snapshot = self.workspace.settle(&*disk);
        // The files of installed packages are checked on disk, too; their state before they were read is unknown.
        for path in snapshot.files.read_of_installed() {
            self.stamps.entry(path).or_insert(UNKNOWN);
        }
        Some(snapshot)
    }

    /// Applies the current configs, lock files and files on disk. Returns whether that was possible without reading
    /// everything again.
    fn lay_out(&mut self) -> bool {
        if self.is_rootless() {
            return true;
        }
        let (disk, open) = (Arc::clone(&self.disk), self.texts());
        let storage = Layered { disk: &disk, open: &open };
        let Ok((configs, wanted)) = disk::layout(&storage, &self.walked, &self.options) else { return false };
        if !configs.reads_alike(self.workspace.configs()) {
            return false;
        }
        self.workspace.configure(configs);
        // A convention that applies now may change how a document is read, so all documents are read again.
        self.documents.values_mut().for_each(|document| document.stale = true);
        let kept: HashSet<&String> = wanted.iter().chain(&self.needed).collect();
        let (kept, gone): (HashMap<_, _>, HashMap<_, _>) = std::mem::take(&mut self.stamps)
            .into_iter()
            .partition(|(path, _)| kept.contains(path) || is_installed(path));
        let new: Vec<String> = wanted.iter().filter(|path| !kept.contains_key(*path)).cloned().collect();
        self.stamps = kept;
        let closed: Vec<String> = gone.into_keys().filter(|path| !self.documents.contains_key(path)).collect();
        if !closed.is_empty() {
            self.workspace.forget(&closed);
        }
        self.load(&new);
        true
    }

    /// Loads the files of installed packages that the manifests need now. If a file is no longer needed, marks the
    /// folder to be read again instead.
    fn load_needed(&mut self) {
        let needed = disk::needed(&self.disk, &self.workspace.snapshot());
        if self.needed.iter().any(|path| needed.binary_search(path).is_err()) {
            self.is_stale = true;
            return;
        }
        let new = needed.iter().filter(|path| self.needed.binary_search(path).is_err());
        let new: Vec<String> = new.filter(|path| !self.stamps.contains_key(*path)).cloned().collect();
        self.load(&new);
        self.needed = needed;
    }
}

/// The choice of config for a folder. A relative path to a config file is resolved against the folder's root.
fn within(root: &Path, config: &ConfigChoice) -> ConfigChoice {
    match config {
        ConfigChoice::File(path) => ConfigChoice::File(root.join(path)),
        other => other.clone(),
    }
}

fn same_choice(a: &ConfigChoice, b: &ConfigChoice) -> bool {
    match (a, b) {
        (ConfigChoice::Found, ConfigChoice::Found) | (ConfigChoice::None, ConfigChoice::None) => true,
        (ConfigChoice::File(a), ConfigChoice::File(b)) => a == b,
        _ => false,
    }
}

/// The path for a document that was never saved: its name, with the extension of its language. `None` for any other
/// document, and for languages that are not supported.
fn untitled(item: &TextDocumentItem) -> Option<String> {
    const ENDINGS: [(&str, &str); 8] = [
        ("typescript", "ts"),
        ("typescriptreact", "tsx"),
        ("javascript", "js"),
        ("javascriptreact", "jsx"),
        ("python", "py"),
        ("rust", "rs"),
        ("json", "json"),
        ("jsonc", "jsonc"),
    ];
    let (_, ending) = ENDINGS.iter().find(|(language, _)| *language == item.language_id)?;
    let is_unsaved = item.uri.scheme().as_str() == "untitled";
    is_unsaved.then(|| format!("untitled:{}.{ending}", item.uri.path().as_str()))
}
