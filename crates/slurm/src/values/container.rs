//! What a container sees of its node: `/data,/scratch/sets:/mnt:ro`, as pyxis reads it.

use std::fmt;
use std::str::FromStr;

use muster_model::Invalid;
use serde::{Deserialize, Serialize};

use super::refuse;

const FORMS: &str = "expected paths such as `/data`, `/data:/mnt` or `/data:/mnt:ro`, with commas \
                     between them";

/// Folders and files of the node inside a container.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Mounts(pub Vec<Mount>);

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mount {
    /// Where it is on the node.
    pub source: String,
    /// Where it is in the container.
    pub target: String,
    /// How, in the words of `mount`, with `+` between them.
    pub flags: Option<String>,
}

impl FromStr for Mounts {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Mounts, Invalid> {
        let mounts: Option<Vec<Mount>> = text.split(',').map(read).collect();
        mounts.map(Mounts).ok_or_else(|| refuse("container-mounts", text, FORMS))
    }
}

fn read(text: &str) -> Option<Mount> {
    let parts: Vec<&str> = text.split(':').collect();
    let (source, target, flags) = match parts[..] {
        [both] => (both, both, None),
        [source, target] => (source, target, None),
        [source, target, flags] => (source, target, Some(flags.to_owned())),
        _ => return None,
    };
    let is_good = !source.is_empty() && !target.is_empty() && flags.as_deref() != Some("");
    is_good.then(|| Mount { source: source.to_owned(), target: target.to_owned(), flags })
}

impl fmt::Display for Mounts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, mount) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(formatter, "{comma}{}:{}", mount.source, mount.target)?;
            if let Some(flags) = &mount.flags {
                write!(formatter, ":{flags}")?;
            }
        }
        Ok(())
    }
}
