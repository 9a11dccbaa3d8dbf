//! How few switches a job should span, and how long it waits for that: `1@10:00`.

use std::fmt;
use std::str::FromStr;

use muster_model::Invalid;
use serde::{Deserialize, Serialize};

use super::{TimeLimit, count, refuse};

const FORMS: &str = "expected a number of switches, or one with the time to wait: `1`, `1@10:00`";

/// A wish for few switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switches {
    /// At most so many.
    pub count: u32,
    /// How long to wait for it; as long as the cluster allows without one.
    pub wait: Option<TimeLimit>,
}

impl FromStr for Switches {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Switches, Invalid> {
        let refused = |_| refuse("switches", text, FORMS);
        let (number, wait) = match text.split_once('@') {
            Some((number, wait)) => (number, Some(wait.parse().map_err(refused)?)),
            None => (text, None),
        };
        Ok(Switches { count: count("switches", number).map_err(refused)?, wait })
    }
}

impl fmt::Display for Switches {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.wait {
            Some(wait) => write!(formatter, "{}@{wait}", self.count),
            None => write!(formatter, "{}", self.count),
        }
    }
}
