//! The clusters that came with public traces, by name. Their files are not part of Muster: they
//! are read from the folder that has the traces.

use std::path::Path;

use super::{Cluster, refuse, table};
use crate::error::TraceError;

/// A cluster with a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    word: &'static str,
    file: &'static str,
    /// Whether its pools are put together.
    is_merged: bool,
}

const ALL: [Known; 6] = [
    known("venus", "venus/vcs.csv", false),
    known("venus-merged", "venus/vcs.csv", true),
    known("alibaba-2023", "alibaba-2023/nodes.csv", false),
    known("alibaba-2023-eighth", "alibaba-2023/eighth/nodes.csv", false),
    known("lingjun", "lingjun/topology.csv", false),
    known("spot-fleet", "spot-fleet/nodes.csv", false),
];

const fn known(word: &'static str, file: &'static str, is_merged: bool) -> Known {
    Known { word, file, is_merged }
}

/// The cluster of this name.
pub(super) fn find(text: &str) -> Option<Known> {
    ALL.into_iter().find(|known| known.word == text)
}

/// All names, for messages.
pub(super) fn words() -> String {
    ALL.map(|known| known.word).join(", ")
}

impl Known {
    pub(super) fn read(self, traces: &Path) -> Result<Cluster, TraceError> {
        let path = traces.join(self.file);
        if !path.exists() {
            let reason = format!("there is no {}", path.display());
            let hint = "name the folder with the public traces, or write the cluster as a line";
            return Err(refuse(self.word, reason, hint));
        }
        let cluster = table::read(self.word, &path)?;
        Ok(if self.is_merged { cluster.merged() } else { cluster })
    }
}
