//! How tasks are dealt out to nodes, sockets and cores: `block:cyclic,Pack`.

use std::fmt;
use std::str::FromStr;

use muster_model::Invalid;
use serde::{Deserialize, Serialize};

use super::{count, refuse};

const FORMS: &str = "expected block, cyclic, plane=N or arbitrary, then `:` and block, cyclic or \
                     fcyclic for sockets and cores, and `,Pack` or `,NoPack`";

/// How tasks are dealt out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distribution {
    /// To nodes.
    pub nodes: Across,
    /// To the sockets of a node.
    pub sockets: Option<Within>,
    /// To the cores of a socket.
    pub cores: Option<Within>,
    /// As many as fit to each node, or as even as possible.
    pub pack: Option<bool>,
}

/// How tasks are dealt out to nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Across {
    /// As the cluster does by default.
    Default,
    /// One node after the other.
    Block,
    /// One task to each node in turn.
    Cyclic,
    /// So many to each node in turn.
    Plane(u32),
    /// As a list of nodes says.
    Arbitrary,
}

/// How tasks are dealt out within a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Within {
    /// As the cluster does by default.
    Default,
    /// One after the other.
    Block,
    /// In turn.
    Cyclic,
    /// In turn, with the CPUs of a task apart.
    Fcyclic,
}

const WITHIN: [(&str, Within); 4] = [
    ("*", Within::Default),
    ("block", Within::Block),
    ("cyclic", Within::Cyclic),
    ("fcyclic", Within::Fcyclic),
];

impl FromStr for Distribution {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Distribution, Invalid> {
        read(text).ok_or_else(|| refuse("distribution", text, FORMS))
    }
}

fn read(text: &str) -> Option<Distribution> {
    let lower = text.to_ascii_lowercase();
    let (levels, pack) = match lower.split_once(',') {
        Some((levels, "pack")) => (levels, Some(true)),
        Some((levels, "nopack")) => (levels, Some(false)),
        Some(_) => return None,
        None => (lower.as_str(), None),
    };
    let mut levels = levels.split(':');
    let nodes = match levels.next()? {
        "*" => Across::Default,
        "block" => Across::Block,
        "cyclic" => Across::Cyclic,
        "arbitrary" => Across::Arbitrary,
        plane => Across::Plane(count("distribution", plane.strip_prefix("plane=")?).ok()?),
    };
    let within = |word: &str| WITHIN.iter().find(|(known, _)| *known == word).map(|&(_, way)| way);
    let sockets = levels.next().map(|word| within(word).ok_or(())).transpose().ok()?;
    let cores = levels.next().map(|word| within(word).ok_or(())).transpose().ok()?;
    levels.next().is_none().then_some(Distribution { nodes, sockets, cores, pack })
}

impl fmt::Display for Distribution {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.nodes {
            Across::Default => formatter.write_str("*")?,
            Across::Block => formatter.write_str("block")?,
            Across::Cyclic => formatter.write_str("cyclic")?,
            Across::Plane(size) => write!(formatter, "plane={size}")?,
            Across::Arbitrary => formatter.write_str("arbitrary")?,
        }
        for way in [self.sockets, self.cores].into_iter().flatten() {
            let word = WITHIN.iter().find(|(_, known)| *known == way).map(|(word, _)| *word);
            write!(formatter, ":{}", word.expect("the table has every way"))?;
        }
        formatter.write_str(match self.pack {
            Some(true) => ",Pack",
            Some(false) => ",NoPack",
            None => "",
        })
    }
}
