//! The end of the lease as a file: the agent moves it on, and every launcher looks at it by itself,
//! so that tasks end in time though the agent be gone.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::folder::replace;
use crate::clock;

/// The file with the end of the lease.
#[derive(Clone, Debug)]
pub struct LeaseFile {
    path: PathBuf,
    boot: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Noted {
    until_ms: u64,
    boot: String,
}

impl LeaseFile {
    /// The lease that is noted at a path.
    pub fn at(path: impl Into<PathBuf>) -> LeaseFile {
        LeaseFile { path: path.into(), boot: clock::boot_id() }
    }

    /// Where it is noted.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The end of the lease on the clock of this start of the machine; 0 where none is noted.
    pub fn until_ms(&self) -> u64 {
        let noted = std::fs::read(&self.path).ok();
        let noted = noted.and_then(|text| serde_json::from_slice::<Noted>(&text).ok());
        noted.filter(|noted| noted.boot == self.boot).map_or(0, |noted| noted.until_ms)
    }

    /// Moves the end.
    pub fn set(&self, until_ms: u64) -> std::io::Result<()> {
        let noted = Noted { until_ms, boot: self.boot.clone() };
        let text = serde_json::to_vec(&noted).map_err(std::io::Error::other)?;
        // A lease of an earlier start of the machine is void, so it need not survive one.
        replace(&self.path, &text, false)
    }
}
