//! One process writes to a store. A lock on a file beside it says so, and ends with the process,
//! however that ends; the file holds the owner's process number for whoever comes second.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::{Result, StoreError};

/// The right to write to a store, shared by all connections of this process.
#[derive(Debug)]
pub(super) struct Ownership {
    /// Locked as long as it is open.
    _lock: File,
    /// Writers of this process take turns here: SQLite would let the second one sleep and retry.
    turn: Mutex<()>,
}

impl Ownership {
    /// Takes the store at `path`, or says who has it.
    pub(super) fn take(path: &Path) -> Result<Self> {
        let lock_path = lock_path(path);
        let failed = |act| {
            let path = lock_path.clone();
            move |source| StoreError::File { act, path, source }
        };
        let mut lock = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&lock_path)
            .map_err(failed("open"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                // A holder that has not written its number yet is still a holder.
                let holder =
                    lock.read_to_string(&mut text).ok().and_then(|_| text.trim().parse().ok());
                return Err(StoreError::InUse { path: path.to_owned(), holder });
            }
            Err(TryLockError::Error(source)) => return Err(failed("lock")(source)),
        }
        lock.set_len(0).map_err(failed("write"))?;
        lock.seek(SeekFrom::Start(0)).map_err(failed("write"))?;
        writeln!(lock, "{}", std::process::id()).map_err(failed("write"))?;
        Ok(Self { _lock: lock, turn: Mutex::new(()) })
    }

    /// Waits until no other connection of this process writes.
    pub(super) fn turn(&self) -> MutexGuard<'_, ()> {
        // The lock guards no data: a writer that panicked has been rolled back by its connection.
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `journal.db` is owned through `journal.lock`.
fn lock_path(path: &Path) -> PathBuf {
    path.with_extension("lock")
}
