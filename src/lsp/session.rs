//! The state of a session: its folders under one lock, changed in message order.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use serde_json::Value;
use tokio::sync::watch;
use tower_lsp::ls_types::*;

use super::capabilities::Negotiated;
use super::folder::{Contents, Folder};
use super::view::View;
use crate::client;
use crate::disk::{self, ConfigChoice, Options};

pub(super) struct Session {
    /// Never empty once the session has begun. What lies in none of them is opened in the first.
    folders: Mutex<Vec<Folder>>,
    /// The folders that the client has named; what lies in another one has no workspace of its own.
    roots: Mutex<Vec<PathBuf>>,
    negotiated: OnceLock<Negotiated>,
    /// What every folder is read with.
    options: OnceLock<Options>,
    /// Counts changes of state.
    revision: watch::Sender<u64>,
    shut_down: AtomicBool,
    /// Everything was read that there was to read.
    ready: watch::Sender<bool>,
    /// How many open documents are being looked at by themselves.
    glances: watch::Sender<usize>,
}

impl Default for Session {
    fn default() -> Session {
        Session {
            folders: Mutex::default(),
            roots: Mutex::default(),
            negotiated: OnceLock::new(),
            options: OnceLock::new(),
            revision: watch::Sender::new(0),
            shut_down: AtomicBool::new(false),
            ready: watch::Sender::new(false),
            glances: watch::Sender::new(0),
        }
    }
}

/// An open document is being looked at by itself, until this is dropped.
pub(super) struct Glancing(Arc<Session>);

impl Drop for Glancing {
    fn drop(&mut self) {
        self.0.glances.send_modify(|glances| *glances -= 1);
    }
}

/// What an index has come to.
#[derive(Default)]
pub(super) struct Indexed {
    /// How many files were read.
    pub(super) files: usize,
    /// Somebody did not want to wait for it.
    pub(super) is_stopped: bool,
    /// What went wrong, in words.
    pub(super) trouble: Vec<String>,
}

impl Indexed {
    /// What has come of it, for people.
    pub(super) fn said(&self) -> String {
        match (self.is_stopped, self.files) {
            (true, _) => "stopped: only open documents are known".to_string(),
            (false, 1) => "1 file read".to_string(),
            (false, count) => format!("{count} files read"),
        }
    }
}

impl Session {
    fn lock(&self) -> MutexGuard<'_, Vec<Folder>> {
        // A panic while answering one request leaves the state as it was.
        self.folders.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    pub(super) fn negotiated(&self) -> Negotiated {
        self.negotiated.get().copied().unwrap_or_default()
    }

    pub(super) fn revision(&self) -> u64 {
        *self.revision.borrow()
    }

    fn changed(&self) {
        self.revision.send_modify(|revision| *revision += 1);
    }

    /// Waits until the state is another than at a revision.
    pub(super) async fn moved_on(&self, revision: u64) {
        let mut now = self.revision.subscribe();
        let _ = now.wait_for(|now| *now != revision).await;
    }

    pub(super) fn shut_down(&self) {
        self.shut_down.store(true, Ordering::SeqCst);
    }

    pub(super) fn was_shut_down(&self) -> bool {
        self.shut_down.load(Ordering::SeqCst)
    }

    /// Waits until every folder was read for the first time.
    pub(super) async fn ready(&self) {
        let mut ready = self.ready.subscribe();
        let _ = ready.wait_for(|ready| *ready).await;
    }

    /// Whether every folder was read for the first time.
    pub(super) fn is_ready(&self) -> bool {
        *self.ready.borrow()
    }

    /// Begins to look at an open document by itself.
    pub(super) fn glancing(self: &Arc<Self>) -> Glancing {
        self.glances.send_modify(|glances| *glances += 1);
        Glancing(Arc::clone(self))
    }

    /// Waits until no open document is being looked at by itself.
    pub(super) async fn glanced(&self) {
        let mut glances = self.glances.subscribe();
        let _ = glances.wait_for(|glances| *glances == 0).await;
    }

    /// Takes what `initialize` says; reads nothing.
    pub(super) fn begin(&self, params: &InitializeParams, negotiated: Negotiated) {
        let _ = self.negotiated.set(negotiated);
        let config = config_choice(params.initialization_options.as_ref()).unwrap_or_default();
        let options = Options { config, ..Options::default() };
        let folders = params.workspace_folders.iter().flatten().map(|folder| &folder.uri);
        let mut roots: Vec<PathBuf> = folders.filter_map(|uri| Some(uri.to_file_path()?.into_owned())).collect();
        if roots.is_empty() {
            #[allow(deprecated)]
            let root = params.root_uri.as_ref().and_then(|uri| Some(uri.to_file_path()?.into_owned()));
            #[allow(deprecated)]
            let root = root.or(params.root_path.as_ref().map(PathBuf::from));
            // Without a folder there is nothing to index; documents are read as they are opened.
            roots.push(root.unwrap_or_default());
        }
        let folders = with_rootless(outermost(&roots)).into_iter();
        *self.lock() = folders.map(|root| Folder::new(root, options.clone(), negotiated)).collect();
        *self.roots.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = roots;
        let _ = self.options.set(options);
    }

    /// Takes folders that are added, to be read, and lets go of others. What is open moves to the folder that it lies in.
    /// Clients add the folder of every package that somebody looks into: inside one that is there, it is a part of that.
    pub(super) fn change_folders(&self, event: &WorkspaceFoldersChangeEvent) {
        let root = |folder: &WorkspaceFolder| Some(folder.uri.to_file_path()?.into_owned());
        let removed: Vec<PathBuf> = event.removed.iter().filter_map(root).collect();
        let (options, negotiated) = (self.options.get().cloned().unwrap_or_default(), self.negotiated());
        let mut roots = self.roots.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        roots.retain(|root| !removed.contains(root) && !root.as_os_str().is_empty());
        roots.extend(event.added.iter().filter_map(root));
        let wanted = with_rootless(outermost(&roots));
        let mut folders = self.lock();
        let open: Vec<_> = folders.iter_mut().flat_map(Folder::close_all).collect();
        folders.retain(|folder| wanted.contains(&folder.root));
        for root in wanted {
            if folders.iter().all(|folder| folder.root != root) {
                folders.push(Folder::new(root, options.clone(), negotiated));
            }
        }
        folders.sort_by_key(Folder::is_rootless);
        for (path, document) in open {
            let index = folder_of(&folders, document.uri());
            folders[index].put(path, document);
        }
        drop(folders);
        self.changed();
    }

    /// Lets an index that is going on come to its end with nothing read.
    pub(super) fn stop_index(&self) {
        for folder in self.lock().iter().filter(|folder| !folder.is_read) {
            folder.options.stop.set();
        }
    }

    /// Reads every folder that is still to be read.
    pub(super) fn index(&self) -> Indexed {
        let mut all = Indexed::default();
        loop {
            let next =
                self.lock().iter().find(|folder| !folder.is_read).map(|it| (it.root.clone(), it.options.clone()));
            let Some((root, options)) = next else { break };
            // Messages are taken while this goes on.
            let contents = Contents::read(&root, &options);
            if let Some(folder) = self.lock().iter_mut().find(|folder| folder.root == root) {
                match contents {
                    // Of half a workspace nothing could be said that is true of all of it.
                    Ok(_) if options.stop.is_set() => {
                        folder.is_read = true;
                        all.is_stopped = true;
                    }
                    Ok(contents) => {
                        all.files += contents.count();
                        folder.take(contents);
                    }
                    Err(error) => {
                        folder.is_read = true;
                        all.trouble.push(error);
                    }
                }
            }
        }
        self.changed();
        self.ready.send_replace(true);
        all
    }

    /// Looks what changed on disk. What cannot be read is told.
    pub(super) fn rescan(&self) -> Vec<String> {
        let folders: Vec<(PathBuf, bool)> =
            self.lock().iter().map(|folder| (folder.root.clone(), folder.options.all)).collect();
        for (root, all) in folders {
            let Ok(walked) = disk::walk(&root, all) else { continue };
            if let Some(folder) = self.lock().iter_mut().find(|folder| folder.root == root) {
                folder.rescan(walked);
            }
        }
        if self.lock().iter().any(|folder| !folder.is_read) {
            return self.index().trouble;
        }
        self.changed();
        Vec::new()
    }

    /// Takes the editor's settings: the config file to use, where they say one. What cannot be read is told.
    pub(super) fn settings(&self, settings: &Value) -> Vec<String> {
        let mut again = false;
        if let Some(config) = config_choice(settings.get("toolnames").or(Some(settings))) {
            for folder in self.lock().iter_mut() {
                again |= folder.choose(&config);
            }
        }
        if again {
            return self.index().trouble;
        }
        self.rescan()
    }

    pub(super) fn open(&self, item: TextDocumentItem) {
        self.with_folder(&item.uri.clone(), |folder| folder.open(item));
    }

    pub(super) fn change(&self, params: DidChangeTextDocumentParams) {
        self.with_folder(&params.text_document.uri.clone(), |folder| folder.change(params));
    }

    pub(super) fn close(&self, uri: &Uri) {
        self.with_folder(uri, |folder| folder.close(uri));
    }

    fn with_folder(&self, uri: &Uri, change: impl FnOnce(&mut Folder)) {
        let mut folders = self.lock();
        let index = folder_of(&folders, uri);
        if let Some(folder) = folders.get_mut(index) {
            change(folder);
        }
        drop(folders);
        self.changed();
    }

    /// The folder of a document as it is now, with every edit taken in.
    pub(super) fn view(&self, uri: &Uri) -> Option<View> {
        let mut folders = self.lock();
        let index = folder_of(&folders, uri);
        let elsewhere = folders.iter().filter(|folder| folder.is_rootless()).flat_map(Folder::texts).collect();
        folders.get_mut(index).map(|folder| View { elsewhere, ..folder.view() })
    }

    /// An open document by itself, while not everything was read.
    pub(super) fn glance(&self, uri: &Uri) -> Option<View> {
        let glance = {
            let folders = self.lock();
            folders.get(folder_of(&folders, uri)).filter(|_| !self.is_ready())?.glance(uri)
        };
        glance?.view()
    }

    /// Every folder as it is now, and the revision that this is. That without a root counts where something is open in it.
    pub(super) fn views(&self) -> (u64, Vec<View>) {
        let mut folders = self.lock();
        let revision = self.revision();
        let is_only = folders.len() == 1;
        let counts = |folder: &&mut Folder| is_only || !folder.is_rootless() || folder.texts().next().is_some();
        (revision, folders.iter_mut().filter(counts).map(Folder::view).collect())
    }

    /// Whether a document is not open, and lies in no folder of the session.
    pub(super) fn is_elsewhere(&self, uri: &Uri) -> bool {
        !self.lock().iter().any(|folder| folder.holds(uri) || folder.has_open(uri))
    }

    /// Whether what is known of tools changed since this was last asked, or what is said of them.
    pub(super) fn facts_changed(&self) -> bool {
        let (_, views) = self.views();
        let mut any = false;
        for view in views {
            // It may take long, and is kept beside the snapshot.
            view.snapshot.analysis();
            if let Some(folder) = self.lock().iter_mut().find(|folder| folder.root == view.root) {
                any |= folder.facts_changed(&view.snapshot);
            }
        }
        any
    }
}

/// The index of the folder that a document belongs to: the one in which it lies, or the first. Of another project's client
/// files nobody's servers are known, so they belong to none of them.
fn folder_of(folders: &[Folder], uri: &Uri) -> usize {
    let is_anothers = || {
        let path = uri.to_file_path();
        path.is_some_and(|path| client::of_path(&path.to_string_lossy()).is_some() && disk::is_in_project(&path))
    };
    let or_rootless = || folders.iter().position(Folder::is_rootless).filter(|_| is_anothers());
    folders.iter().position(|folder| folder.holds(uri)).or_else(or_rootless).unwrap_or(0)
}

/// Folders, and one without a root for what lies in none of them, the last.
fn with_rootless(mut roots: Vec<PathBuf>) -> Vec<PathBuf> {
    roots.retain(|root| !root.as_os_str().is_empty());
    roots.push(PathBuf::new());
    roots
}

/// The folders that lie in no other.
fn outermost(roots: &[PathBuf]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for root in roots {
        let is_inside = |other: &PathBuf| root.starts_with(other) && (root != other || found.contains(root));
        if !roots.iter().any(is_inside) {
            found.push(root.clone());
        }
    }
    found
}

/// The config that an editor's settings say; `None` where they say nothing of it.
fn config_choice(settings: Option<&Value>) -> Option<ConfigChoice> {
    Some(match settings?.get("config")?.as_str() {
        Some(path) if !path.is_empty() => ConfigChoice::File(PathBuf::from(path)),
        _ => ConfigChoice::Found,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_that_is_stopped_knows_open_documents_alone_and_the_next_one_all() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("server.ts"), "server.registerTool('a', {}, run)").unwrap();
        let session = Session::default();
        let root = Uri::from_file_path(folder.path()).unwrap();
        let name = String::new();
        let folders = Some(vec![WorkspaceFolder { uri: root.clone(), name: name.clone() }]);
        session.begin(
            &InitializeParams { workspace_folders: folders, ..InitializeParams::default() },
            Negotiated::default(),
        );
        session.stop_index();
        let indexed = session.index();
        assert_eq!((indexed.is_stopped, indexed.files), (true, 0));
        assert_eq!(indexed.said(), "stopped: only open documents are known");
        assert_eq!(session.views().1[0].snapshot.files.all().count(), 0);

        let gone = WorkspaceFoldersChangeEvent {
            added: Vec::new(),
            removed: vec![WorkspaceFolder { uri: root.clone(), name: name.clone() }],
        };
        session.change_folders(&gone);
        let back =
            WorkspaceFoldersChangeEvent { added: vec![WorkspaceFolder { uri: root, name }], removed: Vec::new() };
        session.change_folders(&back);
        assert_eq!(session.index().said(), "1 file read");
    }
}
