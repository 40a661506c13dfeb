//! The messages that change the state, in order, until the [keeper](super::keeper) takes them. The cost of handling one
//! depends only on its length: nothing here reads a file or waits for an evaluation.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::futures::Notified;
use tokio::sync::{Notify, oneshot};
use tower_lsp::ls_types::*;

use super::capabilities::Negotiated;
use super::folder::{Contents, Unread};
use crate::disk::{ConfigChoice, Options, Walked};
use crate::workspace::Stop;

/// How long newer messages may stop one evaluation after another before one is allowed to finish.
const PATIENCE: Duration = Duration::from_secs(1);

/// A message from the client, or the result of a thread that reads for the keeper.
pub(super) enum Letter {
    /// The contents of `initialize`.
    Begin {
        roots: Vec<PathBuf>,
        options: Options,
        negotiated: Negotiated,
    },
    /// Read the folders that have not been read, and notify the sender when that is done.
    Index(oneshot::Sender<Indexed>),
    /// Stop the initial reading of folders.
    StopIndex,
    Open(TextDocumentItem),
    Change(DidChangeTextDocumentParams),
    Close(Uri),
    Folders(WorkspaceFoldersChangeEvent),
    /// Use another config.
    Config(ConfigChoice),
    /// Something on disk may have changed.
    Disk,
    /// A folder was read.
    Read {
        root: PathBuf,
        contents: Result<Contents, Unread>,
        stop: Stop,
    },
    /// A folder was walked.
    Walked {
        root: PathBuf,
        walked: Option<Walked>,
    },
}

impl Letter {
    fn uri(&self) -> Option<&Uri> {
        match self {
            Letter::Open(item) => Some(&item.uri),
            Letter::Change(params) => Some(&params.text_document.uri),
            Letter::Close(uri) => Some(uri),
            _ => None,
        }
    }
}

/// The result of indexing.
#[derive(Default, Clone)]
pub(super) struct Indexed {
    /// The number of files that were read.
    pub(super) files: usize,
    /// Whether the user stopped the indexing.
    pub(super) is_stopped: bool,
}

impl Indexed {
    /// The result as a message for the user.
    pub(super) fn said(&self) -> String {
        match (self.is_stopped, self.files) {
            (true, _) => "stopped: only open documents are known".to_string(),
            (false, 1) => "1 file read".to_string(),
            (false, count) => format!("{count} files read"),
        }
    }
}

#[derive(Default)]
pub(super) struct Inbox {
    inner: Mutex<Inner>,
    bell: Condvar,
    /// The counterpart of `bell` for tasks that wait without blocking a thread.
    posted: Notify,
    /// Stops the evaluation that is running.
    stop: Stop,
}

#[derive(Default)]
struct Inner {
    /// The number of messages received.
    revision: u64,
    letters: Vec<Letter>,
    /// The revision at which each open document was last changed.
    documents: HashMap<String, u64>,
    /// The arrival time of the first message since the last evaluation finished.
    hurried: Option<Instant>,
    is_closed: bool,
    /// Whether the keeper leaves messages in the inbox, as if an evaluation never finished.
    #[cfg(test)]
    is_held: bool,
}

/// A batch of messages that the keeper handles together.
pub(super) struct Post {
    pub(super) letters: Vec<Letter>,
    /// The revision after the last of them.
    pub(super) revision: u64,
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The flag that stops an evaluation when a message arrives.
    pub(super) fn stop(&self) -> &Stop {
        &self.stop
    }

    pub(super) fn revision(&self) -> u64 {
        self.lock().revision
    }

    /// The revision at which a document was last changed; `None` if it is not open.
    pub(super) fn changed_at(&self, uri: &Uri) -> Option<u64> {
        self.lock().documents.get(uri.as_str()).copied()
    }

    /// Adds a message and returns the revision after it.
    pub(super) fn post(&self, letter: Letter) -> u64 {
        let mut inner = self.lock();
        inner.revision += 1;
        let revision = inner.revision;
        match (&letter, letter.uri()) {
            (Letter::Close(_), Some(uri)) => drop(inner.documents.remove(uri.as_str())),
            (_, Some(uri)) => drop(inner.documents.insert(uri.as_str().to_string(), revision)),
            _ => {}
        }
        inner.letters.push(letter);
        // Some evaluations must finish even while the user types without a pause.
        if inner.hurried.get_or_insert_with(Instant::now).elapsed() < PATIENCE {
            self.stop.set();
        }
        self.bell.notify_all();
        self.posted.notify_waiters();
        revision
    }

    /// Returns a future that resolves when a message is added after this call.
    pub(super) fn posted(&self) -> Notified<'_> {
        self.posted.notified()
    }

    #[cfg(test)]
    pub(super) fn hold(&self, is_held: bool) {
        self.lock().is_held = is_held;
        self.bell.notify_all();
    }

    /// Stops the keeper.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.stop.set();
        self.bell.notify_all();
    }

    /// Notes that an evaluation has finished.
    pub(super) fn done(&self) {
        let mut inner = self.lock();
        if inner.letters.is_empty() {
            inner.hurried = None;
        }
    }

    /// Waits for messages until the given time at the latest. Returns an empty batch if none arrive, and `None` if the
    /// inbox is closed.
    pub(super) fn take(&self, until: Option<Instant>) -> Option<Post> {
        let mut inner = self.lock();
        loop {
            if inner.is_closed {
                return None;
            }
            #[cfg(test)]
            if inner.is_held {
                inner = self.bell.wait(inner).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if !inner.letters.is_empty() || left == Some(Duration::ZERO) {
                self.stop.clear();
                return Some(Post { letters: std::mem::take(&mut inner.letters), revision: inner.revision });
            }
            inner = match left {
                None => self.bell.wait(inner).unwrap_or_else(PoisonError::into_inner),
                Some(left) => self.bell.wait_timeout(inner, left).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
    }
}
