//! What can go wrong while a cluster is simulated.

use muster_checker::{Violation, report};
use muster_model::{Invalid, Time};
use thiserror::Error;

/// Why a simulation could not go on.
#[derive(Debug, Error)]
pub enum SimError {
    /// The cluster cannot be configured like this.
    #[error("the configuration is refused\n{}", lines(.0))]
    Configure(Vec<Invalid>),
    /// The trace or the cluster cannot be replayed.
    #[error("{0}")]
    Replay(String),
    /// The engine broke a promise.
    #[error("at {}, after {command}: {}", .now.0, report(.violations))]
    Promise {
        /// When, as the engine was told.
        now: Time,
        /// The command, as JSON.
        command: String,
        /// Which promises.
        violations: Vec<Violation>,
    },
    /// What truly happens on the nodes is not what was promised.
    #[error("at {}: {what}", .now.0)]
    Truth {
        /// When, in truth.
        now: Time,
        /// What happened.
        what: String,
    },
    /// The engine or the world does not come to rest.
    #[error("no rest after {steps} steps at {}; the engine wants to be woken at {wake:?}", .now.0)]
    Restless {
        /// When, in truth.
        now: Time,
        /// Steps that were made.
        steps: u64,
        /// When the engine wants to be woken.
        wake: Option<Time>,
    },
    /// A snapshot could not be restored.
    #[error("the snapshot cannot be restored\n{}", lines(.0))]
    Restore(Vec<Invalid>),
    /// A restored engine is not the one that was saved.
    #[error("the restored engine differs from the saved one: {0}")]
    Restored(String),
    /// Played again, the same commands gave other actions.
    #[error("entry {entry} of the log gives other actions when played again\n{was}\n{is}")]
    Diverged {
        /// Which entry, counted from 0.
        entry: usize,
        /// The actions in the log, as JSON.
        was: String,
        /// The actions now.
        is: String,
    },
}

fn lines(errors: &[Invalid]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
