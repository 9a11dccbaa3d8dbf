//! What outlives the process: the journal of what happened, synced before it is acknowledged, and
//! the history made from it for people to query. What entries and rows mean is left to others.
//!
//! ```
//! use muster_store::{Journal, NewEntry, SqliteJournal};
//!
//! let directory = std::env::temp_dir().join(format!("muster-store-{}", std::process::id()));
//! let opened = SqliteJournal::open(&directory)?;
//! for warning in &opened.warnings {
//!     eprintln!("warning: {warning}");
//! }
//! let mut journal = opened.journal;
//! let body = br#"{"submit":{"name":"train"}}"#.to_vec();
//! assert_eq!(journal.append(&[NewEntry { time_ms: 1_000, version: 1, body }])?, 1);
//! # drop(journal);
//! # std::fs::remove_dir_all(&directory).ok();
//! # Ok::<(), muster_store::StoreError>(())
//! ```

pub mod access;
pub mod error;
pub mod history;
pub mod journal;
mod sqlite;

pub use access::{Access, AuditEntry, AuditRow, Token, TokenHash};
pub use error::{Fault, Result, StoreError};
pub use history::{History, HistoryReader};
pub use journal::{
    Cut, Damage, Entry, Journal, LatestSnapshot, MemoryJournal, NewEntry, Place, Sequence,
    Snapshot, SnapshotMark, SnapshotState, Verification, Warning,
};
pub use sqlite::{
    Checkpointer, OpenedJournal, SqliteAccess, SqliteHistory, SqliteHistoryReader, SqliteJournal,
};
