//! Questions to the history, on threads that may wait for a disk.

use std::sync::{Mutex, PoisonError};

use muster_store::{HistoryReader, Result as StoreResult};

use super::answer::{Answered, broken};

/// Readers of the history that are not in use.
pub(crate) struct Past {
    readers: std::sync::Arc<Readers>,
}

struct Readers {
    idle: Mutex<Vec<Box<dyn HistoryReader>>>,
    open: Box<dyn Fn() -> StoreResult<Box<dyn HistoryReader>> + Send + Sync>,
}

impl std::fmt::Debug for Past {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Past")
    }
}

impl Past {
    /// Readers are opened as they are needed.
    pub(crate) fn new(
        open: impl Fn() -> StoreResult<Box<dyn HistoryReader>> + Send + Sync + 'static,
    ) -> Past {
        let readers = Readers { idle: Mutex::default(), open: Box::new(open) };
        Past { readers: std::sync::Arc::new(readers) }
    }

    /// Asks the history.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&dyn HistoryReader) -> StoreResult<T> + Send + 'static,
    ) -> Answered<T> {
        let readers = std::sync::Arc::clone(&self.readers);
        let asked = tokio::task::spawn_blocking(move || {
            let idle = readers.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let reader = match idle {
                Some(reader) => reader,
                None => (readers.open)()?,
            };
            let answer = question(reader.as_ref())?;
            readers.idle.lock().unwrap_or_else(PoisonError::into_inner).push(reader);
            Ok::<T, muster_store::StoreError>(answer)
        });
        asked.await.map_err(broken)?.map_err(broken)
    }
}
