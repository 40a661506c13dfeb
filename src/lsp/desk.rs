//! Scheduling of requests, and how long they may wait. Requests about one document take turns, so that slow ones do not
//! delay requests about other documents; each is answered in time, if necessary without a result. An operation that the
//! user has chosen may take longer, up to [`CHOSEN`]: it is shown as progress, and cancelled if the user wishes.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, broadcast, oneshot};
use tokio::time::Instant;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::*;

use super::session::Freshness;
use super::view::View;
use super::{ANSWER_TIMEOUT, Backend, PROGRESS_DELAY, failed};

/// How long a request waits for its answer, from its arrival, unless the user has chosen the operation.
const IN_TIME: Duration = Duration::from_millis(70);
/// How long an operation that the user has chosen may take.
const CHOSEN: Duration = Duration::from_secs(30);
/// The number of requests about one document that are worked on at once.
const TURNS: usize = 2;
/// The number of cancellations that may wait to be received.
const WISHES: usize = 64;

pub(super) struct Desk {
    /// How long a request waits for its answer.
    in_time: Duration,
    turns: Mutex<HashMap<String, Arc<Semaphore>>>,
    /// Counts the operations that were shown as progress, to give each a token.
    shown: AtomicU64,
    /// Sends the tokens of operations that are to be cancelled.
    ended: broadcast::Sender<ProgressToken>,
}

impl Default for Desk {
    fn default() -> Desk {
        Desk::new(IN_TIME)
    }
}

impl Desk {
    /// Creates a desk whose requests wait for their answers for at most `in_time`.
    pub(super) fn new(in_time: Duration) -> Desk {
        Desk { in_time, turns: Mutex::default(), shown: AtomicU64::new(0), ended: broadcast::Sender::new(WISHES) }
    }

    /// The deadline for the answer to a request that arrives now.
    pub(super) fn due(&self) -> Instant {
        Instant::now() + self.in_time
    }

    /// Waits for a turn to work on a subject. If the future is dropped while it waits, no turn is taken.
    async fn turn(&self, about: &str) -> Option<OwnedSemaphorePermit> {
        let turns = {
            let mut all = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
            // Remove entries that no task uses or waits for.
            all.retain(|_, turns| Arc::strong_count(turns) > 1);
            Arc::clone(all.entry(about.to_string()).or_insert_with(|| Arc::new(Semaphore::new(TURNS))))
        };
        turns.acquire_owned().await.ok()
    }

    /// Answers a question about a subject off the message loop, when it is the question's turn.
    pub(super) async fn work<T: Send + 'static>(
        &self,
        about: &str,
        question: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let turn = self.turn(about).await;
        let working = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            question()
        });
        working.await.map_err(|_| Error::internal_error())
    }

    /// Like [`Desk::work`], but stops waiting at `due`, if it is given, and then returns `None`.
    pub(super) async fn answer<T: Send + 'static>(
        &self,
        about: &str,
        due: Option<Instant>,
        question: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Option<T>> {
        let working = self.work(about, question);
        match due {
            Some(due) => tokio::time::timeout_at(due, working).await.ok().transpose(),
            None => working.await.map(Some),
        }
    }

    /// Cancels the operation that is shown under a token.
    pub(super) fn end(&self, token: ProgressToken) {
        // The send fails if nothing is listening: the operation may already be done.
        let _ = self.ended.send(token);
    }
}

impl Backend {
    /// Performs an operation that the user has chosen on a document, with the state as the last message left it;
    /// returns the result and the revision of that state. Waiting for the state and the work itself take at most 30
    /// seconds in total; a client that supports it shows the progress and can cancel the operation.
    pub(super) async fn chosen<T: Send + 'static>(
        &self,
        uri: &Uri,
        title: &str,
        token: Option<ProgressToken>,
        question: impl FnOnce(&View) -> Result<T> + Send + 'static,
    ) -> Result<(T, u64)> {
        let mut ended = self.desk.ended.subscribe();
        let asked = self.session.changed_at(uri);
        let working = async {
            let seen = self.session.view(uri, Freshness::Newest).await.ok_or_else(Error::invalid_request)?;
            let (view, about) = (seen.view, format!("chosen for {}", uri.as_str()));
            Ok((self.desk.work(&about, move || question(&view)).await??, seen.revision))
        };
        // The position in the request refers to the text at the time of the request. If the document changes later, the
        // request fails.
        let working = async {
            tokio::select! {
                done = working => done,
                () = self.session.changed_since(uri, asked) => Err(Error::content_modified()),
            }
        };
        let mut working = std::pin::pin!(tokio::time::timeout(CHOSEN, working));
        let done = match tokio::time::timeout(PROGRESS_DELAY, &mut working).await {
            Ok(done) => done,
            Err(_) => {
                let is_given = token.is_some();
                let token = token.unwrap_or_else(|| {
                    let count = self.desk.shown.fetch_add(1, Ordering::Relaxed);
                    ProgressToken::String(format!("toolnames/work/{count}"))
                });
                // The progress is shown until this is dropped.
                let _shown = self.show_work(token.clone(), is_given, title);
                let ended = async { while ended.recv().await.is_ok_and(|ended| ended != token) {} };
                tokio::select! {
                    done = &mut working => done,
                    () = ended => return Err(Error::request_cancelled()),
                }
            }
        };
        if self.session.changed_at(uri) != asked {
            return Err(Error::content_modified());
        }
        done.map_err(|_| failed(format!("it takes longer than {} seconds", CHOSEN.as_secs())))?
    }

    /// Checks that none of the documents in an edit has changed since the revision for which the edit was computed. Not
    /// every client checks the versions in an edit.
    pub(super) fn still_fits(&self, edit: &WorkspaceEdit, revision: u64) -> Result<()> {
        let is_new = |uri: &Uri| self.session.changed_at(uri).is_some_and(|changed| changed > revision);
        match documents_of(edit).any(is_new) {
            true => Err(Error::content_modified()),
            false => Ok(()),
        }
    }

    /// Shows the progress of an operation until the returned sender is dropped. The token comes from the client if
    /// `is_given`. Otherwise it is one of this server's, and nothing is shown if the client does not support that.
    fn show_work(&self, token: ProgressToken, is_given: bool, title: &str) -> Option<oneshot::Sender<()>> {
        if !is_given && !self.session.negotiated().shows_progress {
            return None;
        }
        let (shown, done) = oneshot::channel::<()>();
        let (client, title) = (self.client.clone(), title.to_string());
        tokio::spawn(async move {
            if !is_given {
                let asked = tokio::time::timeout(ANSWER_TIMEOUT, client.create_work_done_progress(token.clone())).await;
                if !matches!(asked, Ok(Ok(()))) {
                    return;
                }
            }
            let progress = client.progress(token, title).with_cancel_button().begin().await;
            let _ = done.await;
            progress.finish().await;
        });
        Some(shown)
    }
}

/// The documents that an edit changes.
fn documents_of(edit: &WorkspaceEdit) -> impl Iterator<Item = &Uri> {
    let plain = edit.changes.iter().flat_map(|changes| changes.keys());
    let edits: Vec<&Uri> = match &edit.document_changes {
        None => Vec::new(),
        Some(DocumentChanges::Edits(edits)) => edits.iter().map(|edit| &edit.text_document.uri).collect(),
        Some(DocumentChanges::Operations(operations)) => operations
            .iter()
            .filter_map(|operation| match operation {
                DocumentChangeOperation::Edit(edit) => Some(&edit.text_document.uri),
                DocumentChangeOperation::Op(_) => None,
            })
            .collect(),
    };
    plain.chain(edits)
}
