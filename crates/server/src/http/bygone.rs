//! Questions about past moments: the journal is played again on a thread that may take its time,
//! a few at once, so that nobody can fill the server's memory with questions.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use muster_api::view::WhyView;
use muster_api::{At, Problem};
use muster_model::JobId;
use muster_store::SqliteJournal;
use tokio::sync::Semaphore;

use super::answer::{Answered, Refused, broken};
use crate::replay::{PastState, ReplayError, state_at};

/// Questions that are worked on at once: each holds a whole state, and keeps a core busy.
const AT_ONCE: usize = 2;

/// How long a question waits for its turn before it is asked to come back.
const PATIENCE: Duration = Duration::from_secs(10);

/// The way to the past of a data directory.
#[derive(Debug)]
pub(crate) struct Bygone {
    data: PathBuf,
    turns: Arc<Semaphore>,
    patience: Duration,
}

impl Bygone {
    /// Of a data directory.
    pub(crate) fn new(data: PathBuf) -> Bygone {
        Bygone { data, turns: Arc::new(Semaphore::new(AT_ONCE)), patience: PATIENCE }
    }

    /// Why a job was where it was.
    pub(crate) async fn why(&self, job: u64, at: At) -> Answered<WhyView> {
        self.ask(at, move |mut past| {
            let none = ReplayError::NoJob { job: job.to_string(), sequence: past.sequence };
            past.control.why(JobId(job)).ok_or(none)
        })
        .await
    }

    async fn ask<T: Send + 'static>(
        &self,
        at: At,
        question: impl FnOnce(PastState) -> Result<T, ReplayError> + Send + 'static,
    ) -> Answered<T> {
        let turn = Arc::clone(&self.turns).acquire_owned();
        let Ok(Ok(turn)) = tokio::time::timeout(self.patience, turn).await else {
            let detail = "others are asking about the past already";
            return Err(Problem::new(503, "not now", detail).hint("try again in a moment").into());
        };
        let data = self.data.clone();
        let asked = tokio::task::spawn_blocking(move || {
            // Kept by the work, not by who asked: they may go away before it is done.
            let _turn = turn;
            let journal = SqliteJournal::open_read_only(&data)?;
            question(state_at(&journal, at)?)
        });
        asked.await.map_err(broken)?.map_err(refused)
    }
}

fn refused(error: ReplayError) -> Refused {
    let (status, title) = match &error {
        ReplayError::NotYet { .. } | ReplayError::BeforeAll { .. } => (404, "unknown"),
        ReplayError::NoJob { .. } => (404, "unknown"),
        ReplayError::Forgotten { .. } => (410, "no longer kept"),
        _ => return broken(error),
    };
    let problem = Problem::new(status, title, error.to_string());
    Refused(match error.hint() {
        Some(hint) => problem.hint(hint),
        None => problem,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_comes_while_all_turns_are_taken_is_asked_to_come_back() {
        let mut bygone = Bygone::new(PathBuf::from("nowhere"));
        bygone.patience = Duration::ZERO;
        let all = u32::try_from(AT_ONCE).expect("a small constant");
        let turns = bygone.turns.clone().acquire_many_owned(all).await.expect("none is closed");
        let Err(Refused(busy)) = bygone.why(1, At::Entry(1)).await else { panic!("all are taken") };
        assert_eq!(busy.status, 503);
        drop(turns);
        bygone.patience = PATIENCE;
        let Err(Refused(none)) = bygone.why(1, At::Entry(1)).await else { panic!("no journal") };
        assert_eq!(none.status, 500);
        assert_eq!(bygone.turns.available_permits(), AT_ONCE, "a turn is given back");
    }

    #[test]
    fn what_is_gone_is_told_apart_from_what_never_was() {
        let at = At::Entry(3);
        let Refused(gone) = refused(ReplayError::Forgotten { at, from: 20 });
        assert_eq!((gone.status, gone.hint.is_some()), (410, true));
        let Refused(never) = refused(ReplayError::NotYet { sequence: 3, last: 2 });
        assert_eq!((never.status, never.hint.is_some()), (404, true));
    }
}
