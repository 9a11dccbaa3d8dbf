//! What the journal holds: everything that ever changed the cluster, in order.
//!
//! An entry is journaled before it takes effect. The state is what follows from the entries, so
//! an entry must hold all that matters and nothing that could differ when it is played again.

mod inside;
mod words;

use std::sync::Arc;

use muster_api::{Program, Submission};
use muster_engine::command::{Command, Running};
use muster_model::{ClusterSpec, JobSpec, NodeId, NodeSpec};
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use inside::Inside;

/// The version of the form below. Older ones are read for ever.
pub const ENTRY_VERSION: u32 = 1;

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    /// The cluster begins, or is configured anew.
    Configured {
        /// The configuration.
        cluster: Box<ClusterSpec>,
        /// Who did it.
        by: String,
    },
    /// Someone submits a job.
    Submitted {
        /// The job.
        spec: Arc<JobSpec>,
        /// What it runs.
        program: Arc<Program>,
        /// A word by which the submitter recognises a repetition.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
        /// Whether the submitter may submit in every queue, and so may its programs.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        anywhere: bool,
    },
    /// An agent announces its node.
    Announced {
        /// What the node has.
        spec: Box<NodeSpec>,
        /// Where other nodes reach it.
        address: String,
        /// What runs on it.
        running: Vec<Running>,
        /// Which agent announces it.
        #[serde(default)]
        instance: String,
        /// Which of its announcements this is; they are counted.
        #[serde(default)]
        number: u64,
    },
    /// Anything else that the engine is told.
    Told(Command),
    /// The same, with words for people that the engine has no use for.
    Explained {
        /// What the engine is told.
        command: Command,
        /// The words.
        detail: String,
    },
    /// A node that is gone is forgotten for good.
    Forgotten {
        /// The node.
        node: NodeId,
        /// Who did it.
        by: String,
    },
    /// Something inside a job, of which the engine knows nothing.
    Inside(Inside),
}

/// Why an entry cannot be read.
#[derive(Debug, Error)]
pub enum EntryError {
    /// It was written by a later release.
    #[error(
        "entry {sequence} of the journal has version {version}, this release reads up to \
         {ENTRY_VERSION}\nhint: start the release that wrote it, or a later one"
    )]
    Newer {
        /// Its number.
        sequence: u64,
        /// Its version.
        version: u32,
    },
    /// It makes no sense.
    #[error("entry {sequence} of the journal cannot be understood: {error}")]
    Unreadable {
        /// Its number.
        sequence: u64,
        /// What is wrong.
        error: serde_json::Error,
    },
}

impl Entry {
    /// A submission of somebody who may submit in every queue, or not.
    pub fn submitted(submission: Submission, key: Option<String>, anywhere: bool) -> Entry {
        Entry::Submitted { spec: submission.spec, program: submission.program, key, anywhere }
    }

    /// Whether it may change the names that things have.
    pub(crate) fn is_configuration(&self) -> bool {
        matches!(self, Entry::Configured { .. } | Entry::Told(Command::QueueSet { .. }))
    }

    /// As the journal holds it.
    pub fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("entries are made of what JSON can say")
    }

    /// The entry that a row of the journal holds.
    pub fn decode(sequence: u64, version: u32, body: &[u8]) -> Result<Entry, EntryError> {
        if version > ENTRY_VERSION {
            return Err(EntryError::Newer { sequence, version });
        }
        serde_json::from_slice(body).map_err(|error| EntryError::Unreadable { sequence, error })
    }
}
