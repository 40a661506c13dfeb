//! Answers about all folders at once, which may take longer to compute than a request waits. The answer for each state
//! is computed only once. A request is answered in time, with the previous answer if the new one is not ready.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use tokio::time::Instant;
use tower_lsp::jsonrpc::Result;

use super::desk::Desk;
use super::states::States;

/// The answers to one question about all folders.
pub(super) struct Standing<T> {
    /// The subject of the question; requests about the same subject take turns.
    about: &'static str,
    /// The newest state that was asked about, and its answer once that is computed.
    newest: Mutex<(Weak<States>, Arc<Answer<T>>)>,
    /// The last answer that was computed.
    last: Mutex<Option<Arc<Known<T>>>>,
}

/// An answer that may still have to be computed.
type Answer<T> = OnceLock<Arc<Known<T>>>;

/// An answer, and the revision for which it is true.
pub(super) struct Known<T> {
    pub(super) answer: T,
    /// The revision up to which messages were applied.
    pub(super) revision: u64,
}

impl<T: Send + Sync + 'static> Standing<T> {
    pub(super) fn new(about: &'static str) -> Arc<Standing<T>> {
        Arc::new(Standing { about, newest: Mutex::new((Weak::new(), Arc::default())), last: Mutex::default() })
    }

    /// The answer for a state. If it is not ready by `due`, the last answer that was computed; `None` if there is none.
    /// `late` is called when an answer is ready only after `due`.
    pub(super) async fn answer(
        self: &Arc<Self>,
        desk: &Desk,
        due: Option<Instant>,
        states: Arc<States>,
        question: impl FnOnce(&States) -> T + Send + 'static,
        late: impl FnOnce() + Send + 'static,
    ) -> Result<Option<Arc<Known<T>>>> {
        let standing = Arc::clone(self);
        let work = move || {
            let known = standing.work_out(&states, question);
            if due.is_some_and(|due| due < Instant::now()) {
                late();
            }
            known
        };
        let answered = desk.answer(self.about, due, work).await?;
        Ok(answered.or_else(|| self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()))
    }

    /// Computes the answer for a state; callers that ask in the meantime wait for it.
    fn work_out(&self, states: &Arc<States>, question: impl FnOnce(&States) -> T) -> Arc<Known<T>> {
        let answer = {
            let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
            if !std::ptr::eq(newest.0.as_ptr(), Arc::as_ptr(states)) {
                *newest = (Arc::downgrade(states), Arc::default());
            }
            Arc::clone(&newest.1)
        };
        let known = answer.get_or_init(|| Arc::new(Known { answer: question(states), revision: states.revision() }));
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.as_ref().is_none_or(|last| last.revision <= known.revision) {
            *last = Some(Arc::clone(known));
        }
        Arc::clone(known)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn soon() -> Option<Instant> {
        Some(Instant::now() + Duration::from_millis(5))
    }

    #[tokio::test]
    async fn who_does_not_wait_has_the_answer_before_and_the_new_one_is_announced() {
        let (standing, desk) = (Standing::new("a test"), Desk::default());
        let (first, second): (Arc<States>, Arc<States>) = Default::default();
        let known = standing.answer(&desk, None, first, |_| "first", || ()).await.unwrap();
        assert_eq!(known.unwrap().answer, "first");

        let (go, wait) = mpsc::channel();
        let (announce, announced) = mpsc::channel();
        let slow = move |_: &States| {
            wait.recv_timeout(LONG).unwrap();
            "second"
        };
        let late = move || announce.send(()).unwrap();
        let known = standing.answer(&desk, soon(), Arc::clone(&second), slow, late).await.unwrap();
        assert_eq!(known.unwrap().answer, "first");
        go.send(()).unwrap();
        tokio::task::spawn_blocking(move || announced.recv_timeout(LONG).unwrap()).await.unwrap();

        let never = |_: &States| -> &'static str { unreachable!("it is known") };
        let known = standing.answer(&desk, None, second, never, || ()).await.unwrap();
        assert_eq!(known.unwrap().answer, "second");
    }

    #[tokio::test]
    async fn nothing_is_answered_where_nothing_was_worked_out_in_time() {
        let (go, wait) = mpsc::channel::<()>();
        let slow = move |_: &States| wait.recv_timeout(LONG).is_ok();
        let known =
            Standing::new("a test").answer(&Desk::default(), soon(), Arc::default(), slow, || ()).await.unwrap();
        assert!(known.is_none());
        go.send(()).unwrap();
    }
}
