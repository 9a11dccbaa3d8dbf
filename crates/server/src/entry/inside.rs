//! What happens inside a job that the engine need not know of: it decides where tasks run, and
//! sees only that they are there.

use muster_api::Reach;
use muster_engine::command::Exit;
use muster_model::JobId;
use serde::{Deserialize, Serialize};

/// One thing inside a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Inside {
    /// Its processes are sent a signal.
    Signalled {
        /// The job.
        job: JobId,
        /// The signal.
        signal: u8,
        /// Who hears it.
        to: Reach,
    },
    /// A job that only holds its places is ended by its owner.
    Ended {
        /// The job.
        job: JobId,
        /// How it is said to have ended.
        exit: Exit,
    },
}

impl Inside {
    /// What kind of thing it is, in one word.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Inside::Signalled { .. } => "signalled",
            Inside::Ended { .. } => "let-go",
        }
    }

    /// The rest of it, in one line.
    pub(super) fn line(&self) -> String {
        match self {
            Inside::Signalled { job, signal, .. } => format!("job {job}, signal {signal}"),
            Inside::Ended { job, exit } => format!("job {job}, {}", super::words::end(*exit)),
        }
    }
}
