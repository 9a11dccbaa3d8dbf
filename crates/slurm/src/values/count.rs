//! Counts: of tasks and CPUs, and of nodes, which may be a range.

use std::fmt;
use std::str::FromStr;

use muster_model::Invalid;
use serde::{Deserialize, Serialize};

use super::{digits, refuse};

/// More of anything than the largest cluster has; products of two counts stay within 64 bits.
const COUNT_MAX: u64 = 1 << 24;

/// A whole number of one or more.
pub fn count(field: &str, text: &str) -> Result<u32, Invalid> {
    let in_range = digits(text).filter(|number| (1..=COUNT_MAX).contains(number));
    let number = in_range.and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| refuse(field, text, "expected a whole number, 1 to 16777216"))
}

/// How many nodes: so many, or a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeCount {
    /// The fewest.
    pub min: u32,
    /// The most.
    pub max: u32,
}

const FORMS: &str = "expected a number of nodes or a range, such as `4` or `2-4`, each 1 or more";

impl FromStr for NodeCount {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<NodeCount, Invalid> {
        let (min, max) = text.split_once('-').unwrap_or((text, text));
        let (min, max) = (nodes(min), nodes(max));
        match (min, max) {
            (Some(min), Some(max)) if min <= max => Ok(NodeCount { min, max }),
            _ => Err(refuse("nodes", text, FORMS)),
        }
    }
}

/// Nodes may be counted in binary thousands: `1k` is 1024.
fn nodes(text: &str) -> Option<u32> {
    let (number, unit) = match text.strip_suffix(['k', 'K']) {
        Some(number) => (number, 1 << 10),
        None => match text.strip_suffix(['m', 'M']) {
            Some(number) => (number, 1 << 20),
            None => (text, 1),
        },
    };
    let number = digits(number)?.checked_mul(unit)?;
    u32::try_from(number).ok().filter(|&nodes| nodes > 0 && u64::from(nodes) <= COUNT_MAX)
}

impl fmt::Display for NodeCount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.min == self.max {
            return write!(formatter, "{}", self.min);
        }
        write!(formatter, "{}-{}", self.min, self.max)
    }
}
