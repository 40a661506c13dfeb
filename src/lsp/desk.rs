//! Who is worked for, and how long anybody waits. Questions about one document take turns, so that one that is hard to answer
//! about takes nothing from the others; who asks is answered in time, with nothing where need be. What somebody has chosen to
//! be done is worked on for as long as that takes, shown while it takes long, and ended when they wish.

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
use super::{Backend, UNANSWERED, UNNOTICED, failed};

/// How long a request waits for its answer, from when it came, unless somebody has chosen what it does.
const IN_TIME: Duration = Duration::from_millis(70);
/// How long it may take what somebody has chosen to be done.
const CHOSEN: Duration = Duration::from_secs(30);
/// How many questions about one document are worked on at once.
const TURNS: usize = 2;
/// How many wishes to end something may wait to be heard.
const WISHES: usize = 64;

pub(super) struct Desk {
    /// How long a request waits for its answer.
    in_time: Duration,
    turns: Mutex<HashMap<String, Arc<Semaphore>>>,
    /// Counts what was shown while it took long.
    shown: AtomicU64,
    /// Under which tokens something is to be ended.
    ended: broadcast::Sender<ProgressToken>,
}

impl Default for Desk {
    fn default() -> Desk {
        Desk::new(IN_TIME)
    }
}

impl Desk {
    /// One where a request waits as long as that for its answer.
    pub(super) fn new(in_time: Duration) -> Desk {
        Desk { in_time, turns: Mutex::default(), shown: AtomicU64::new(0), ended: broadcast::Sender::new(WISHES) }
    }

    /// Until when a request that comes now waits for its answer.
    pub(super) fn due(&self) -> Instant {
        Instant::now() + self.in_time
    }

    /// A turn for a question about something. Who leaves while they wait has taken none.
    async fn turn(&self, about: &str) -> Option<OwnedSemaphorePermit> {
        let turns = {
            let mut all = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
            // Where nobody works and nobody waits.
            all.retain(|_, turns| Arc::strong_count(turns) > 1);
            Arc::clone(all.entry(about.to_string()).or_insert_with(|| Arc::new(Semaphore::new(TURNS))))
        };
        turns.acquire_owned().await.ok()
    }

    /// What a question about something gives, off the message loop.
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

    /// The same until a moment, where one is given; `None` where it takes longer.
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

    /// Ends what is shown under a token.
    pub(super) fn end(&self, token: ProgressToken) {
        // Nobody may be listening: it was done meanwhile.
        let _ = self.ended.send(token);
    }
}

impl Backend {
    /// What somebody has chosen to be done with a document, of the state as the last message left it, and the revision of that.
    /// It waits for the state, and is worked on, for at most 30 seconds; the client shows it and can end it, where it can.
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
        // The place that it is about is one of the text that was asked about.
        let working = async {
            tokio::select! {
                done = working => done,
                () = self.session.changed_since(uri, asked) => Err(Error::content_modified()),
            }
        };
        let mut working = std::pin::pin!(tokio::time::timeout(CHOSEN, working));
        let done = match tokio::time::timeout(UNNOTICED, &mut working).await {
            Ok(done) => done,
            Err(_) => {
                let is_given = token.is_some();
                let token = token.unwrap_or_else(|| {
                    let count = self.desk.shown.fetch_add(1, Ordering::Relaxed);
                    ProgressToken::String(format!("toolnames/work/{count}"))
                });
                // It is shown until this is dropped.
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

    /// An edit that was found at a revision, unless a document that it changes was changed since: not every client looks at the
    /// version that it is for.
    pub(super) fn still_fits(&self, edit: &WorkspaceEdit, revision: u64) -> Result<()> {
        let is_new = |uri: &Uri| self.session.changed_at(uri).is_some_and(|changed| changed > revision);
        match documents_of(edit).any(is_new) {
            true => Err(Error::content_modified()),
            false => Ok(()),
        }
    }

    /// Shows that something takes long, under a token of the client's or, where it shows such, one of ours.
    fn show_work(&self, token: ProgressToken, is_given: bool, title: &str) -> Option<oneshot::Sender<()>> {
        if !is_given && !self.session.negotiated().shows_progress {
            return None;
        }
        let (shown, done) = oneshot::channel::<()>();
        let (client, title) = (self.client.clone(), title.to_string());
        tokio::spawn(async move {
            if !is_given {
                let asked = tokio::time::timeout(UNANSWERED, client.create_work_done_progress(token.clone())).await;
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
