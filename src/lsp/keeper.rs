//! The only owner of the state. It takes messages from the [inbox](super::inbox), evaluates, and publishes the result,
//! so that no request waits for a lock that is held during an evaluation. A newer message stops an evaluation. The
//! published state then stays until the next evaluation is done.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::{mpsc, oneshot, watch};
use tower_lsp::ls_types::*;

use super::capabilities::Negotiated;
use super::folder::{Contents, FAILED, Folder, Unread};
use super::inbox::{Inbox, Indexed, Letter};
use super::states::{State, States, folder_of, outermost, with_rootless};
use super::view::View;
use crate::disk::{self, Options};
use crate::workspace::Stopped;

/// The pause after a notice of changed files before the folders are walked: several notices cause only one walk.
const QUIET: Duration = Duration::from_millis(30);
/// The longest time to wait for that pause.
const UNQUIET: Duration = Duration::from_millis(300);

pub(super) struct Keeper {
    inbox: Arc<Inbox>,
    /// The threads that evaluate: one core is left for answering requests meanwhile.
    pool: Option<ThreadPool>,
    /// The folders; once the session has begun, there is at least one. Documents that lie in none of them are opened in
    /// the first.
    folders: Vec<Kept>,
    /// The folders that the client has named; a folder inside another one has no workspace of its own.
    roots: Vec<PathBuf>,
    options: Options,
    negotiated: Negotiated,
    states: watch::Sender<Arc<States>>,
    /// Sends error messages for the user.
    trouble: mpsc::UnboundedSender<String>,
    /// The requests that wait for the index.
    waiting: Vec<oneshot::Sender<Indexed>>,
    indexed: Indexed,
    /// The times of the first and the last notice of changed files since the last walk.
    noticed: Option<(Instant, Instant)>,
    /// The number of times that a folder was walked for changes.
    #[cfg(test)]
    walks: u64,
}

/// A folder and its published state.
struct Kept {
    folder: Folder,
    state: Arc<State>,
    is_being_read: bool,
    is_being_walked: bool,
    /// Whether something on disk has changed since the last walk.
    is_to_be_walked: bool,
}

impl Kept {
    fn new(folder: Folder) -> Kept {
        let mut folder = folder;
        let state = Arc::new(State {
            view: Arc::new(folder.unread()),
            options: folder.options.clone(),
            is_read: false,
            revision: 0,
            on_disk: 0,
            facts: 0,
        });
        Kept { folder, state, is_being_read: false, is_being_walked: false, is_to_be_walked: false }
    }
}

impl Keeper {
    pub(super) fn new(
        inbox: Arc<Inbox>,
        states: watch::Sender<Arc<States>>,
        trouble: mpsc::UnboundedSender<String>,
    ) -> Keeper {
        Keeper {
            inbox,
            pool: None,
            folders: Vec::new(),
            roots: Vec::new(),
            options: Options::default(),
            negotiated: Negotiated::default(),
            states,
            trouble,
            waiting: Vec::new(),
            indexed: Indexed::default(),
            noticed: None,
            #[cfg(test)]
            walks: 0,
        }
    }

    /// Handles messages until the inbox is closed.
    pub(super) fn run(mut self) {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        // This thread is part of the pool: most edits need no other thread, and waking one takes longer than the work
        // on them.
        self.pool = ThreadPoolBuilder::new().num_threads((cores - 1).max(1)).use_current_thread().build().ok();
        loop {
            let due = self.noticed.map(|(first, last)| (last + QUIET).min(first + UNQUIET));
            let Some(post) = self.inbox.take(due) else { return };
            for letter in post.letters {
                if catch_unwind(AssertUnwindSafe(|| self.handle(letter))).is_err() {
                    let _ = self.trouble.send(FAILED.to_string());
                }
            }
            if due.is_some_and(|due| due <= Instant::now()) {
                self.noticed = None;
                self.folders.iter_mut().for_each(|kept| kept.is_to_be_walked = !kept.folder.is_rootless());
            }
            self.start_threads();
            self.settle(post.revision);
        }
    }

    fn handle(&mut self, letter: Letter) {
        match letter {
            Letter::Begin { roots, options, negotiated } => {
                let folders = with_rootless(outermost(&roots)).into_iter();
                self.folders = folders.map(|root| Kept::new(Folder::new(root, options.clone(), negotiated))).collect();
                (self.roots, self.options, self.negotiated) = (roots, options, negotiated);
            }
            Letter::Index(waiting) => self.waiting.push(waiting),
            Letter::StopIndex => {
                self.folders.iter().filter(|kept| !kept.folder.is_read).for_each(|kept| kept.folder.options.stop.set());
            }
            Letter::Open(item) => self.with_folder(&item.uri.clone(), |folder| folder.open(item)),
            Letter::Change(params) => {
                self.with_folder(&params.text_document.uri.clone(), |folder| folder.change(params));
            }
            Letter::Close(uri) => self.with_folder(&uri, |folder| folder.close(&uri)),
            Letter::Folders(event) => self.change_folders(&event),
            Letter::Config(config) => {
                self.options.config = config.clone();
                self.folders.iter_mut().for_each(|kept| kept.folder.choose(&config));
                self.notice();
            }
            Letter::Disk => self.notice(),
            Letter::Read { root, contents, stop } => {
                let Some(kept) = self.folders.iter_mut().find(|kept| kept.folder.root == root) else { return };
                kept.is_being_read = false;
                match contents {
                    // A partially read workspace is not used: its answers could be wrong for the whole workspace.
                    Ok(_) if stop.is_set() => {
                        kept.folder.give_up();
                        self.indexed.is_stopped = true;
                    }
                    Ok(contents) => {
                        self.indexed.files += contents.count();
                        kept.folder.take(contents, self.inbox.stop());
                    }
                    Err(error) => {
                        kept.folder.give_up();
                        let _ = self.trouble.send(error.to_string());
                    }
                }
            }
            Letter::Walked { root, walked } => {
                let Some(kept) = self.folders.iter_mut().find(|kept| kept.folder.root == root) else { return };
                kept.is_being_walked = false;
                if let Some(walked) = walked.filter(|_| kept.folder.is_read) {
                    kept.folder.rescan(walked);
                }
            }
        }
    }

    /// Notes that something on disk may have changed.
    fn notice(&mut self) {
        let now = Instant::now();
        self.noticed = Some((self.noticed.map_or(now, |(first, _)| first), now));
    }

    fn with_folder(&mut self, uri: &Uri, change: impl FnOnce(&mut Folder)) {
        let roots: Vec<&Path> = self.folders.iter().map(|kept| kept.folder.root.as_path()).collect();
        let index = folder_of(&roots, uri);
        if let Some(kept) = self.folders.get_mut(index) {
            change(&mut kept.folder);
        }
    }

    /// Adds folders, which are then read, and removes others. Open documents move to the folder in which they lie.
    /// Clients add the folder of every package that the user looks into; a folder inside an existing one becomes part
    /// of the existing one.
    fn change_folders(&mut self, event: &WorkspaceFoldersChangeEvent) {
        let root = |folder: &WorkspaceFolder| Some(folder.uri.to_file_path()?.into_owned());
        let removed: Vec<PathBuf> = event.removed.iter().filter_map(root).collect();
        self.roots.retain(|root| !removed.contains(root) && !root.as_os_str().is_empty());
        self.roots.extend(event.added.iter().filter_map(root));
        let wanted = with_rootless(outermost(&self.roots));
        let open: Vec<_> = self.folders.iter_mut().flat_map(|kept| kept.folder.close_all()).collect();
        self.folders.retain(|kept| wanted.contains(&kept.folder.root));
        for root in wanted {
            if self.folders.iter().all(|kept| kept.folder.root != root) {
                self.folders.push(Kept::new(Folder::new(root, self.options.clone(), self.negotiated)));
            }
        }
        self.folders.sort_by_key(|kept| kept.folder.is_rootless());
        let roots: Vec<PathBuf> = self.folders.iter().map(|kept| kept.folder.root.clone()).collect();
        let roots: Vec<&Path> = roots.iter().map(PathBuf::as_path).collect();
        for (path, document) in open {
            let index = folder_of(&roots, document.uri());
            self.folders[index].folder.put(path, document);
        }
    }

    /// Starts threads that read and walk the folders that need it, while the keeper handles messages.
    fn start_threads(&mut self) {
        // Until the index is requested, the documents in view come first.
        let may_read = |folder: &Folder| folder.is_read || !self.waiting.is_empty();
        for kept in &mut self.folders {
            let (root, options) = (kept.folder.root.clone(), kept.folder.options.clone());
            if kept.folder.is_stale && !kept.is_being_read && may_read(&kept.folder) {
                kept.is_being_read = true;
                let (texts, inbox) = (kept.folder.texts(), Arc::clone(&self.inbox));
                std::thread::spawn(move || {
                    let read = || Contents::read(&root, &options, &texts);
                    let contents = catch_unwind(read).unwrap_or(Err(Unread::Failed));
                    inbox.post(Letter::Read { root, contents, stop: options.stop });
                });
            } else if kept.is_to_be_walked && !kept.is_being_walked && !kept.is_being_read && kept.folder.is_read {
                (kept.is_to_be_walked, kept.is_being_walked) = (false, true);
                #[cfg(test)]
                {
                    self.walks += 1;
                }
                let inbox = Arc::clone(&self.inbox);
                std::thread::spawn(move || {
                    let walked = catch_unwind(|| disk::walk(&root, options.all).ok()).unwrap_or_default();
                    inbox.post(Letter::Walked { root, walked });
                });
            }
        }
    }

    /// Applies all changes that do not depend on another thread reading files first, and publishes the state.
    fn settle(&mut self, revision: u64) {
        let mut is_stopped = false;
        for kept in &mut self.folders {
            let folder = &mut kept.folder;
            let waits = kept.is_being_walked || kept.is_to_be_walked || self.noticed.is_some() && !folder.is_rootless();
            if !folder.is_read {
                kept.state = Arc::new(State { view: Arc::new(folder.unread()), ..(*kept.state).clone() });
                continue;
            }
            if folder.is_stale || is_stopped {
                continue;
            }
            let mut settle = || folder.settle();
            let pool = self.pool.as_ref();
            let settled = catch_unwind(AssertUnwindSafe(|| match pool {
                Some(pool) => pool.install(settle),
                None => settle(),
            }));
            let view = match settled {
                Ok(None) => continue,
                Ok(Some(snapshot)) => Arc::new(folder.view(snapshot)),
                Err(stopped) if stopped.is::<Stopped>() => {
                    is_stopped = true;
                    continue;
                }
                Err(_) => {
                    // The earlier state stays, and requests about it are answered.
                    let _ = self.trouble.send(FAILED.to_string());
                    Arc::clone(&kept.state.view)
                }
            };
            let facts = kept.state.facts + u64::from(folder.facts_changed(&view.snapshot));
            kept.state = Arc::new(State {
                view,
                options: folder.options.clone(),
                is_read: true,
                revision,
                on_disk: if waits { kept.state.on_disk } else { revision },
                facts,
            });
        }
        if !is_stopped {
            self.inbox.done();
        }
        // Settling may show that a folder has to be read again.
        self.start_threads();
        let elsewhere = self.folders.iter().filter(|kept| kept.folder.is_rootless());
        let elsewhere: std::collections::HashMap<_, _> = elsewhere
            .flat_map(|kept| kept.state.view.open.iter().map(|(path, opened)| (path.clone(), opened.text.clone())))
            .collect();
        let with_elsewhere = |kept: &Kept| {
            if elsewhere.is_empty() {
                return Arc::clone(&kept.state);
            }
            let view = View { elsewhere: elsewhere.clone(), ..(*kept.state.view).clone() };
            Arc::new(State { view: Arc::new(view), ..(*kept.state).clone() })
        };
        let folders = self.folders.iter().map(with_elsewhere).collect();
        self.states.send_replace(Arc::new(States {
            folders,
            seen: revision,
            #[cfg(test)]
            walks: self.walks,
        }));
        if self.folders.iter().all(|kept| kept.state.is_read) {
            for waiting in self.waiting.drain(..) {
                let _ = waiting.send(self.indexed.clone());
            }
            self.indexed = Indexed::default();
        }
    }
}
