//! Lists of nodes: `node[001-003,7],gpu-a[1-2]b[0-1]`, expanded and compressed in their order.

mod compress;
mod expand;

use std::fmt;
use std::str::FromStr;

use muster_model::Invalid;
use serde::{Deserialize, Serialize};

use super::refuse;

/// The most nodes of one list: beyond this the list itself would be the attack.
pub const HOSTS_MAX: usize = 65_536;

const FORMS: &str = "expected names with ranges in brackets, such as `node[001-003,7],login`, for \
                     at most 65536 nodes";

/// Nodes in the order of an allocation. Reading expands, printing compresses.
///
/// ```
/// use muster_slurm::values::Hostlist;
///
/// let list: Hostlist = "n[08-10,3],login".parse()?;
/// assert_eq!(list.hosts(), ["n08", "n09", "n10", "n3", "login"]);
/// assert_eq!(list.to_string(), "n[08-10,3],login");
/// # Ok::<(), muster_model::Invalid>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hostlist(Vec<String>);

impl Hostlist {
    /// These nodes in this order.
    pub fn new(hosts: impl IntoIterator<Item = String>) -> Hostlist {
        Hostlist(hosts.into_iter().collect())
    }

    /// The nodes, one by one.
    pub fn hosts(&self) -> &[String] {
        &self.0
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromStr for Hostlist {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Hostlist, Invalid> {
        expand::hosts(text).map(Hostlist).ok_or_else(|| refuse("nodelist", text, FORMS))
    }
}

impl fmt::Display for Hostlist {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&compress::list(&self.0))
    }
}

#[cfg(test)]
mod tests;
