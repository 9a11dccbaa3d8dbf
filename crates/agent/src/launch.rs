//! Launching tasks: the folder of a task, the launcher that watches it, and the second stage that
//! becomes it.

pub mod cgroup;
mod clearing;
pub mod first;
pub mod folder;
pub mod last_words;
pub mod lease;
pub mod process;
pub mod second;
pub mod stream;
pub mod task_file;

use std::path::PathBuf;

use muster_engine::command::Refusal;
use muster_model::Name;
use serde::{Deserialize, Serialize};

pub use folder::Folder;
pub use process::Process;
pub use task_file::TaskFile;

/// Why a task was not launched, on its way to the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// Whose fault it is.
    pub refusal: Refusal,
    /// The whole story.
    pub detail: String,
}

/// What a launcher says on its standard output, once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Word {
    /// The program runs.
    Started,
    /// It does not, and nothing of it is left.
    Refused(Refused),
}

/// What goes wrong around a task's folder.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// A file cannot be read or written.
    #[error("cannot {what} {path}: {cause}")]
    File {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{path} is damaged: {cause}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        cause: serde_json::Error,
    },
    /// The system refuses what a launcher needs.
    #[error("cannot {what}: {cause}")]
    System {
        /// What was tried.
        what: &'static str,
        /// Why not.
        cause: std::io::Error,
    },
}

impl Refused {
    /// It is the job's own fault.
    pub fn job(name: &str, detail: impl Into<String>) -> Refused {
        Refused { refusal: Refusal::Job(Name::from(name)), detail: detail.into() }
    }

    /// The node cannot launch anything of the kind.
    pub fn node(name: &str, detail: impl Into<String>) -> Refused {
        Refused { refusal: Refusal::Node(Name::from(name)), detail: detail.into() }
    }
}

impl LaunchError {
    pub(crate) fn system(what: &'static str) -> impl FnOnce(rustix::io::Errno) -> LaunchError {
        move |errno| LaunchError::System { what, cause: errno.into() }
    }
}
