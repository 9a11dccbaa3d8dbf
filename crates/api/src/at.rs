//! A place in the journal as people name it: the number of an entry, or a moment.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Moment;

/// When in the past: after an entry of the journal, or at a moment.
///
/// ```
/// use muster_api::At;
///
/// assert_eq!("17".parse(), Ok(At::Entry(17)));
/// let at: At = "2026-01-31T08:00:00Z".parse().expect("a moment");
/// assert_eq!(at.to_string(), "2026-01-31T08:00:00.000Z");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Right after this entry.
    Entry(u64),
    /// After the last entry that is no later than this.
    Moment(Moment),
}

impl fmt::Display for At {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::Entry(sequence) => write!(formatter, "{sequence}"),
            At::Moment(moment) => write!(formatter, "{moment}"),
        }
    }
}

impl FromStr for At {
    type Err = String;

    fn from_str(text: &str) -> Result<At, String> {
        if let Ok(sequence) = text.parse() {
            return Ok(At::Entry(sequence));
        }
        let wrong = |_| {
            let example = "2026-01-31T08:00:00Z";
            format!("`{text}` is neither the number of an entry nor a moment such as {example}")
        };
        text.parse().map(At::Moment).map_err(wrong)
    }
}

impl Serialize for At {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for At {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<At, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::At;

    #[test]
    fn what_is_neither_a_number_nor_a_moment_is_refused_with_an_example() {
        for bad in ["", "-1", "yesterday", "2026-01-31", "1.5", "99999999999999999999"] {
            let refused = bad.parse::<At>().expect_err(bad);
            assert!(refused.contains("2026-01-31T08:00:00Z"), "{refused}");
        }
    }
}
