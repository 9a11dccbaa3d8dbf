//! Launchers with real processes: what becomes of a task, and of whatever it leaves behind.

#![allow(clippy::unwrap_used, reason = "all of it is tests, also what has no attribute")]

#[path = "support/patience.rs"]
mod patience;

mod launch {
    mod bench;
    mod ends;
    mod exits;
}
