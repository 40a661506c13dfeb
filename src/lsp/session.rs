//! The state that the message loop, the [keeper](super::keeper) and the threads that answer requests share.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, timeout_at};
use tower_lsp::ls_types::*;

use super::capabilities::Negotiated;
use super::inbox::{Inbox, Indexed, Letter};
use super::keeper::Keeper;
use super::states::{State, States};
use super::view::View;
use crate::disk::{ConfigChoice, Options};

/// How long a request for the last state waits for the newest one: most evaluations are done by then.
const SOON: Duration = Duration::from_millis(15);
/// How long such a request waits if the last state has an older text of the document: an empty answer would mean "there
/// is none".
const CAUGHT_UP: Duration = Duration::from_millis(45);
/// How long a request waits for the newest state if the editor keeps showing the previous answer meanwhile.
const PATIENT: Duration = Duration::from_millis(60);

/// The freshness that a state must have to answer a request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Freshness {
    /// The state after the last message, however long the wait.
    Newest,
    /// The last known state, if the document has not changed since.
    Last,
    /// Like `Last`, but after a longer wait for the newest state.
    Patient,
}

impl Freshness {
    /// How long to wait for the newest state; `None` for no limit.
    fn wait(self) -> Option<Duration> {
        match self {
            Freshness::Newest => None,
            Freshness::Last => Some(SOON),
            Freshness::Patient => Some(PATIENT),
        }
    }
}

/// The state from which a question about a document is answered.
pub(super) struct Seen {
    pub(super) view: Arc<View>,
    /// The revision up to which messages were applied.
    pub(super) revision: u64,
    /// Whether every message before the question was applied.
    pub(super) is_newest: bool,
}

pub(super) struct Session {
    inbox: Arc<Inbox>,
    states: watch::Receiver<Arc<States>>,
    trouble: Mutex<Option<mpsc::UnboundedReceiver<String>>>,
    negotiated: OnceLock<Negotiated>,
    shut_down: AtomicBool,
    /// The number of open documents that are being checked on their own, before their folders are read.
    glances: watch::Sender<usize>,
}

impl Default for Session {
    fn default() -> Session {
        let inbox = Arc::new(Inbox::default());
        let (sender, states) = watch::channel(Arc::default());
        let (trouble, heard) = mpsc::unbounded_channel();
        let keeper = Keeper::new(Arc::clone(&inbox), sender, trouble);
        std::thread::Builder::new().name("keeper".into()).spawn(move || keeper.run()).expect("a thread can be started");
        Session {
            inbox,
            states,
            trouble: Mutex::new(Some(heard)),
            negotiated: OnceLock::new(),
            shut_down: AtomicBool::new(false),
            glances: watch::Sender::new(0),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.inbox.close();
    }
}

/// A guard: an open document counts as being checked on its own until this is dropped.
pub(super) struct Glancing(Arc<Session>);

impl Drop for Glancing {
    fn drop(&mut self) {
        self.0.glances.send_modify(|glances| *glances -= 1);
    }
}

impl Session {
    pub(super) fn negotiated(&self) -> Negotiated {
        self.negotiated.get().copied().unwrap_or_default()
    }

    /// The number of messages so far that change the state.
    pub(super) fn revision(&self) -> u64 {
        self.inbox.revision()
    }

    pub(super) fn shut_down(&self) {
        self.shut_down.store(true, Ordering::SeqCst);
    }

    pub(super) fn was_shut_down(&self) -> bool {
        self.shut_down.load(Ordering::SeqCst)
    }

    /// The receiver of errors to show to the user; only the first caller gets it.
    pub(super) fn trouble(&self) -> Option<mpsc::UnboundedReceiver<String>> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// A receiver of the known state as it changes.
    pub(super) fn states(&self) -> watch::Receiver<Arc<States>> {
        self.states.clone()
    }

    /// The last known state of every folder.
    pub(super) fn last(&self) -> Arc<States> {
        self.states.borrow().clone()
    }

    /// Whether every folder has been read at least once.
    pub(super) fn is_ready(&self) -> bool {
        self.states.borrow().is_ready()
    }

    /// The state of every folder as the last message left it.
    pub(super) async fn newest(&self) -> Arc<States> {
        let revision = self.inbox.revision();
        let mut states = self.states.clone();
        let found = states.wait_for(|states| states.is_ready() && states.revision() >= revision).await;
        found.map_or_else(|_| Arc::default(), |states| Arc::clone(&states))
    }

    /// The state of every folder, and whether it is as the last message left it; `None` if not every folder was read.
    pub(super) async fn known(&self, freshness: Freshness) -> Option<(Arc<States>, bool)> {
        let newest = self.newest();
        let newest = match freshness.wait() {
            None => Some(newest.await),
            Some(wait) => tokio::time::timeout(wait, newest).await.ok(),
        };
        match newest {
            Some(newest) => Some((newest, true)),
            None => Some((self.last(), false)).filter(|(states, _)| states.is_ready()),
        }
    }

    /// The state of a document's folder. `None` if, after the wait, the folder has not been read, or only an older text
    /// of the document is known.
    pub(super) async fn view(&self, uri: &Uri, freshness: Freshness) -> Option<Seen> {
        let asked = Instant::now();
        let revision = self.inbox.revision();
        let changed = self.inbox.changed_at(uri).unwrap_or_default();
        let seen = match freshness.wait() {
            None => self.reached(uri, revision).await,
            Some(wait) => match timeout_at(asked + wait, self.reached(uri, revision)).await {
                Ok(seen) => seen,
                Err(_) => timeout_at(asked + wait.max(CAUGHT_UP), self.reached(uri, changed)).await.ok().flatten(),
            },
        }?;
        Some(Seen { view: Arc::clone(&seen.view), revision: seen.revision, is_newest: seen.revision >= revision })
    }

    /// The state of a document's folder after it was read and every message up to a revision was applied.
    async fn reached(&self, uri: &Uri, revision: u64) -> Option<Arc<State>> {
        let is_reached = |state: &Arc<State>| state.is_read && state.revision >= revision;
        let mut states = self.states.clone();
        let found = states.wait_for(|states| states.of(uri).is_some_and(is_reached)).await.ok()?;
        found.of(uri).cloned()
    }

    /// Waits until the revision of the state differs from the given one.
    pub(super) async fn moved_on(&self, revision: u64) {
        let mut states = self.states.clone();
        let _ = states.wait_for(|states| states.revision() != revision).await;
    }

    /// Makes the keeper stop or resume handling messages.
    #[cfg(test)]
    pub(super) fn hold(&self, is_held: bool) {
        self.inbox.hold(is_held);
    }

    /// Registers that an open document is being checked on its own.
    pub(super) fn glancing(self: &Arc<Self>) -> Glancing {
        self.glances.send_modify(|glances| *glances += 1);
        Glancing(Arc::clone(self))
    }

    /// Waits until no open document is being checked on its own.
    pub(super) async fn glanced(&self) {
        let mut glances = self.glances.subscribe();
        let _ = glances.wait_for(|glances| *glances == 0).await;
    }

    /// The state of an open document's folder before it was read, with the document as the last message left it. `None`
    /// if the folder was read, or that text is not available in time.
    pub(super) async fn unread(&self, uri: &Uri) -> Option<Arc<State>> {
        let revision = self.inbox.revision();
        let mut states = self.states.clone();
        let newest = tokio::time::timeout(PATIENT, states.wait_for(|states| states.seen >= revision));
        let state = newest.await.ok()?.ok()?.of(uri).cloned()?;
        (!state.is_read).then_some(state)
    }

    /// Applies the contents of `initialize`, without reading any file.
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
        self.inbox.post(Letter::Begin { roots, options, negotiated });
    }

    /// Reads every folder that has not been read yet.
    pub(super) async fn index(&self) -> Indexed {
        let (sender, indexed) = oneshot::channel();
        self.inbox.post(Letter::Index(sender));
        indexed.await.unwrap_or_default()
    }

    /// Adds a message that changes the state, and returns the revision after it.
    pub(super) fn post(&self, letter: Letter) -> u64 {
        self.inbox.post(letter)
    }

    /// Applies the editor's settings: switches to the config that they choose. If they choose none, only checks for
    /// changes on disk.
    pub(super) fn settings(&self, settings: &Value) {
        match config_choice(settings.get("toolnames").or(Some(settings))) {
            Some(config) => self.inbox.post(Letter::Config(config)),
            None => self.inbox.post(Letter::Disk),
        };
    }

    /// The revision at which an open document was last changed; `None` if it is not open.
    pub(super) fn changed_at(&self, uri: &Uri) -> Option<u64> {
        self.inbox.changed_at(uri)
    }

    /// Waits until the revision of a document differs from the given one, whether or not the change was applied.
    pub(super) async fn changed_since(&self, uri: &Uri, revision: Option<u64>) {
        loop {
            let posted = self.inbox.posted();
            if self.changed_at(uri) != revision {
                return;
            }
            posted.await;
        }
    }
}

/// The choice of config in an editor's settings; `None` if they contain none.
fn config_choice(settings: Option<&Value>) -> Option<ConfigChoice> {
    Some(match settings?.get("config")?.as_str() {
        Some(path) if !path.is_empty() => ConfigChoice::File(PathBuf::from(path)),
        _ => ConfigChoice::Found,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SERVER: &str = "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\n\
                          const server = new McpServer({ name: 's', version: '1' });\n";

    fn write(folder: &tempfile::TempDir, tool: &str) {
        let text = format!("{SERVER}server.registerTool('{tool}', {{}}, run);");
        std::fs::write(folder.path().join("server.ts"), text).unwrap();
    }

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        write(&folder, "a");
        folder
    }

    fn session(folder: &tempfile::TempDir) -> (Session, WorkspaceFolder) {
        let session = Session::default();
        let folder = WorkspaceFolder { uri: Uri::from_file_path(folder.path()).unwrap(), name: String::new() };
        let folders = Some(vec![folder.clone()]);
        let params = InitializeParams { workspace_folders: folders, ..InitializeParams::default() };
        session.begin(&params, Negotiated::default());
        (session, folder)
    }

    #[tokio::test]
    async fn an_index_that_is_stopped_knows_open_documents_alone_and_the_next_one_all() {
        let root = folder();
        let (session, folder) = session(&root);
        session.post(Letter::StopIndex);
        let indexed = session.index().await;
        assert_eq!((indexed.is_stopped, indexed.files), (true, 0));
        assert_eq!(indexed.said(), "stopped: only open documents are known");
        assert_eq!(session.newest().await.shown()[0].snapshot.files.all().count(), 0);
        let (added, removed) = (Vec::new(), vec![folder.clone()]);
        session.post(Letter::Folders(WorkspaceFoldersChangeEvent { added, removed }));
        let (added, removed) = (vec![folder], Vec::new());
        session.post(Letter::Folders(WorkspaceFoldersChangeEvent { added, removed }));
        assert_eq!(session.index().await.said(), "1 file read");
    }

    #[tokio::test]
    async fn a_thousand_notices_of_changed_files_are_one_walk() {
        let root = folder();
        let (session, _) = session(&root);
        session.index().await;
        write(&root, "other");
        for _ in 0..1000 {
            session.post(Letter::Disk);
        }
        let states = session.newest().await;
        let tools: Vec<String> =
            states.shown()[0].snapshot.analysis().tools().map(|(_, tool)| tool.name.clone()).collect();
        assert_eq!((tools, states.walks), (vec!["other".to_string()], 1));
    }

    #[tokio::test]
    async fn a_question_about_another_document_is_answered_while_an_edit_is_taken_in() {
        let root = folder();
        let (session, folder) = session(&root);
        session.index().await;
        let uri = |path: &str| Uri::from_file_path(folder.uri.to_file_path().unwrap().join(path)).unwrap();
        let changed =
            |text: String| TextDocumentItem { uri: uri("a.ts"), language_id: "typescript".into(), version: 1, text };
        // Each message stops the evaluation that the previous one started, and no evaluation is awaited.
        for count in 0..50 {
            let calls: String =
                (0..200).map(|index| format!("server.registerTool('t{count}_{index}', {{}}, run);\n")).collect();
            session.post(Letter::Open(changed(format!("{SERVER}{calls}"))));
            assert!(session.view(&uri("server.ts"), Freshness::Last).await.is_some());
        }
        let view = session.view(&uri("a.ts"), Freshness::Newest).await.unwrap().view;
        assert!(view.snapshot.analysis().tools().any(|(_, tool)| tool.name == "t49_199"));
    }
}
