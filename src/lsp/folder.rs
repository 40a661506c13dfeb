//! One folder of a session: its workspace with what the editor has open, changed in message order.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tower_lsp::ls_types::*;

use super::capabilities::Negotiated;
use super::convert::path_of;
use super::view::{Opened, View};
use crate::disk::{self, ConfigChoice, Disk, Options, Stamp, Stop, Walked};
use crate::text::{Edit, Text};
use crate::workspace::{Analysis, CONFIG_FILE, Content, Snapshot, Workspace};

pub(super) struct Folder {
    pub(super) root: PathBuf,
    pub(super) options: Options,
    /// It was read once.
    pub(super) is_read: bool,
    negotiated: Negotiated,
    workspace: Workspace,
    disk: Arc<Disk>,
    documents: HashMap<String, Document>,
    /// What every file on disk looked like when it was last read.
    stamps: HashMap<String, Stamp>,
    /// The same of configs that nobody walks to: the one that was chosen, those above the folder, and what others extend or name.
    named_configs: Vec<(PathBuf, Stamp)>,
    /// Documents and data on disk, of which a convention may come to ask something.
    documents_on_disk: Vec<String>,
    /// What was known of tools, and said of them by client files, when this was last asked.
    last: Option<(Arc<Analysis>, Vec<usize>)>,
}

/// An open document.
pub(super) struct Document {
    uri: Uri,
    version: i32,
    text: Text,
    /// Edits that the workspace has not seen yet.
    edits: Vec<Edit>,
    /// The workspace has another text.
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

/// What reading a folder takes, and is done while messages are taken.
pub(super) struct Contents(disk::Opened);

impl Contents {
    /// Reads a folder.
    ///
    /// # Errors
    /// What went wrong, in words.
    pub(super) fn read(root: &Path, options: &Options) -> Result<Contents, String> {
        let opened = disk::open(root, options).map_err(|error| format!("cannot read {}: {error}", root.display()))?;
        Ok(Contents(opened))
    }

    /// How many files were read.
    pub(super) fn count(&self) -> usize {
        self.0.scanned
    }
}

/// What it takes to look at one open document before its folder was read.
pub(super) struct Glance {
    root: PathBuf,
    options: Options,
    negotiated: Negotiated,
    path: String,
    opened: Opened,
}

impl Glance {
    /// The document with what lies above it; `None` where a config leaves it out or cannot be read.
    pub(super) fn view(self) -> Option<View> {
        let Glance { root, options, negotiated, path, opened } = self;
        let mut workspace = disk::open_one(&root, &options, &path, opened.text.to_string().into()).ok()??;
        let disk = Arc::new(Disk::new(&root));
        let open = HashMap::from([(path, opened)]);
        Some(View { snapshot: workspace.snapshot(), root, negotiated, open, elsewhere: HashMap::new(), disk })
    }
}

impl Folder {
    /// A folder that nobody has read. Without a root there is nothing to read but what is opened.
    pub(super) fn new(root: PathBuf, options: Options, negotiated: Negotiated) -> Folder {
        Folder {
            disk: Arc::new(Disk::new(&root)),
            is_read: root.as_os_str().is_empty(),
            // It is told to stop by itself.
            options: Options { config: within(&root, &options.config), stop: Stop::default(), ..options },
            root,
            negotiated,
            workspace: Workspace::new(crate::config::Configs::default()),
            documents: HashMap::new(),
            stamps: HashMap::new(),
            named_configs: Vec::new(),
            documents_on_disk: Vec::new(),
            last: None,
        }
    }

    /// Whether it is the one of documents that lie in no folder.
    pub(super) fn is_rootless(&self) -> bool {
        self.root.as_os_str().is_empty()
    }

    /// What is open in it: the path and the text of each document.
    pub(super) fn texts(&self) -> impl Iterator<Item = (String, Text)> {
        self.documents.iter().map(|(path, document)| (path.clone(), document.text.clone()))
    }

    /// Whether a document lies in it.
    pub(super) fn holds(&self, uri: &Uri) -> bool {
        !self.is_rootless() && uri.to_file_path().is_some_and(|path| path.starts_with(&self.root))
    }

    /// Whether a document is open in it, wherever that lies.
    pub(super) fn has_open(&self, uri: &Uri) -> bool {
        self.documents.values().any(|document| document.uri == *uri)
    }

    /// The path of a document from the root, with `/`; as it is, where it lies elsewhere.
    fn path(&self, uri: &Uri) -> Option<String> {
        let open = || self.documents.iter().find(|(_, document)| document.uri == *uri);
        path_of(&self.root, uri).or_else(|| open().map(|(path, _)| path.clone()))
    }

    /// Takes what was read of it.
    pub(super) fn take(&mut self, contents: Contents) {
        let disk::Opened { workspace, disk, walked, .. } = contents.0;
        self.is_read = true;
        self.workspace = workspace;
        self.disk = Arc::new(disk);
        let snapshot = self.workspace.snapshot();
        self.documents_on_disk.clone_from(&walked.documents);
        let files = walked.wanted(snapshot.files.configs());
        let files = files.into_iter().chain(snapshot.files.read_of_installed());
        self.stamps = files.map(|path| (path.clone(), self.disk.stamp(&path))).collect();
        let named = snapshot.files.configs().paths().filter(|path| !self.stamps.contains_key(*path));
        let chosen = match &self.options.config {
            ConfigChoice::File(path) => Some(path.clone()),
            ConfigChoice::Found | ConfigChoice::None => None,
        };
        let named = named.map(|path| self.root.join(path)).chain(chosen);
        self.named_configs = named.map(|path| (path.clone(), Disk::stamp_of(&path))).collect();
        for document in self.documents.values_mut() {
            document.stale = true;
            document.edits.clear();
        }
    }

    /// Takes what changed on disk, where this is what lies there now.
    pub(super) fn rescan(&mut self, walked: Walked) {
        // What such a config says may be said of anything: all is read again.
        if self.named_configs.iter().any(|(path, before)| Disk::stamp_of(path) != *before) {
            self.is_read = false;
            return;
        }
        self.documents_on_disk.clone_from(&walked.documents);
        let disk = Arc::clone(&self.disk);
        let configs: Vec<String> =
            walked.files.iter().chain(self.stamps.keys()).filter(|path| is_config(path)).cloned().collect();
        let is_changed = |path: &String| self.stamps.get(path) != Some(&disk.stamp(path));
        if configs.iter().any(is_changed) {
            self.workspace.reload(&configs, &*disk);
            self.reconfigure();
        }
        let mut seen = HashMap::new();
        let mut changed = Vec::new();
        // Packages may have been installed, updated and removed.
        self.workspace.seek_again();
        let snapshot = self.workspace.snapshot();
        let installed = snapshot.files.read_of_installed();
        for path in walked.wanted(snapshot.files.configs()).into_iter().chain(installed) {
            let now = self.disk.stamp(&path);
            if self.stamps.get(&path) != Some(&now) && !self.documents.contains_key(&path) {
                changed.push(path.clone());
            }
            seen.insert(path, now);
        }
        let gone = self.stamps.keys().filter(|path| !seen.contains_key(*path) && !self.documents.contains_key(*path));
        changed.extend(gone.cloned());
        self.stamps = seen;
        if !changed.is_empty() {
            self.workspace.reload(&changed, &*disk);
        }
    }

    /// Takes another choice of config; whether it has to be read again for that.
    pub(super) fn choose(&mut self, config: &ConfigChoice) -> bool {
        let config = within(&self.root, config);
        if same_choice(&self.options.config, &config) {
            return false;
        }
        self.options = Options { config, stop: Stop::default(), ..self.options.clone() };
        self.is_read = self.is_rootless();
        !self.is_read
    }

    pub(super) fn open(&mut self, item: TextDocumentItem) {
        let Some(path) = path_of(&self.root, &item.uri).or_else(|| untitled(&item)) else { return };
        let text = Text::new(&item.text);
        let document = Document { uri: item.uri, version: item.version, text, edits: Vec::new(), stale: true };
        self.documents.insert(path, document);
    }

    pub(super) fn change(&mut self, params: DidChangeTextDocumentParams) {
        let DidChangeTextDocumentParams { text_document, content_changes } = params;
        let encoding = self.negotiated.encoding;
        let path = self.path(&text_document.uri);
        let Some(document) = path.and_then(|path| self.documents.get_mut(&path)) else { return };
        document.version = text_document.version;
        for change in content_changes {
            match change.range {
                Some(range) => {
                    let position = |at: Position| crate::text::Position { line: at.line, column: at.character };
                    let (start, end) = (position(range.start), position(range.end));
                    let edit = document.text.replace(start, end, &change.text, encoding);
                    // Edits follow a text that the workspace has; a whole new text has none.
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
        let disk = Arc::clone(&self.disk);
        self.workspace.close(&path, &*disk);
        if is_config(&path) {
            self.reconfigure();
        }
    }

    /// Lets go of everything that is open in it, each with its path.
    pub(super) fn close_all(&mut self) -> Vec<(String, Document)> {
        let disk = Arc::clone(&self.disk);
        let open: Vec<(String, Document)> = self.documents.drain().collect();
        open.iter().for_each(|(path, _)| self.workspace.close(path, &*disk));
        open
    }

    /// Takes a document that was open in another folder, under the path that it had there.
    pub(super) fn put(&mut self, path: String, document: Document) {
        let path = path_of(&self.root, &document.uri).unwrap_or(path);
        self.documents.insert(path, Document { stale: true, edits: Vec::new(), ..document });
    }

    /// What it takes to look at one open document alone.
    pub(super) fn glance(&self, uri: &Uri) -> Option<Glance> {
        let path = self.path(uri)?;
        let opened = self.documents.get(&path)?.opened();
        let (root, options) = (self.root.clone(), self.options.clone());
        Some(Glance { root, options, negotiated: self.negotiated, path, opened })
    }

    /// It as it is now, with every edit taken in.
    pub(super) fn view(&mut self) -> View {
        let snapshot = self.settle();
        let open = self.documents.iter().map(|(path, document)| (path.clone(), document.opened()));
        let (root, open) = (self.root.clone(), open.collect());
        View {
            snapshot,
            root,
            negotiated: self.negotiated,
            open,
            elsewhere: HashMap::new(),
            disk: Arc::clone(&self.disk),
        }
    }

    /// Whether what is known of tools changed since this was last asked, or what is said of them.
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

    /// Takes over what the configs say now, and reads the documents of which they ask something only now.
    fn reconfigure(&mut self) {
        // Where one was chosen, or none, those that are found say nothing.
        if !matches!(self.options.config, ConfigChoice::Found) {
            return;
        }
        self.workspace.reconfigure();
        let snapshot = self.workspace.snapshot();
        let configs = snapshot.files.configs();
        let is_unread =
            |path: &String| snapshot.files.by_path(path).is_none_or(|file| matches!(file.content, Content::Other));
        let open = |path: &String| self.documents.contains_key(path);
        let unread: Vec<String> =
            self.documents_on_disk.iter().filter(|path| is_unread(path) && configs.reads(path)).cloned().collect();
        let (open, closed): (Vec<String>, Vec<String>) = unread.into_iter().partition(open);
        for path in &open {
            if let Some(document) = self.documents.get(path) {
                self.workspace.open(path, document.text.to_string().into(), &[]);
            }
        }
        if !closed.is_empty() {
            let disk = Arc::clone(&self.disk);
            self.workspace.reload(&closed, &*disk);
        }
    }

    /// Hands the workspace what was edited and loads what that takes.
    fn settle(&mut self) -> Snapshot {
        let mut configs = false;
        for (path, document) in &mut self.documents {
            if std::mem::take(&mut document.stale) {
                let text: Arc<str> = document.text.to_string().into();
                self.workspace.open(path, text, &document.edits);
                document.edits.clear();
                configs |= is_config(path);
            }
        }
        if configs {
            self.reconfigure();
        }
        self.workspace.settle(&*self.disk)
    }
}

fn is_config(path: &str) -> bool {
    path.rsplit('/').next() == Some(CONFIG_FILE)
}

/// The config that is meant in a folder: a path leads from there.
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

/// The path under which a document goes that was never saved: what it is called, with the ending of its language.
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
