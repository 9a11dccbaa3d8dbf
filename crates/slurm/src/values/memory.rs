//! Memory: a number with `K`, `M`, `G` or `T`, in MB without one; 0 is all of it.

use std::fmt;
use std::str::FromStr;

use muster_model::{Invalid, Mib};
use serde::{Deserialize, Serialize};

use super::{digits, refuse};

const FORMS: &str = "expected a whole number with K, M, G or T (`64G`), in MB without one, or 0 \
                     for all memory of a node";

/// Below the point where sums over a whole cluster could overflow.
const MIB_MAX: u64 = 1 << 50;

/// An amount of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Memory {
    /// All that a node has; written as 0.
    All,
    /// So much; kilobytes are rounded up.
    Mib(Mib),
}

impl FromStr for Memory {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Memory, Invalid> {
        match read(text) {
            Some(0) => Ok(Memory::All),
            Some(mib) => Ok(Memory::Mib(Mib(mib))),
            None => Err(match text.parse::<Mib>() {
                Ok(mib) => refuse("mem", text, FORMS).meant(Memory::Mib(mib).to_string()),
                Err(_) => refuse("mem", text, FORMS),
            }),
        }
    }
}

fn read(text: &str) -> Option<u64> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number = digits(number)?;
    let unit = unit.to_ascii_uppercase();
    let mib = match unit.as_str() {
        "K" | "KB" => number.div_ceil(1024),
        "" | "M" | "MB" => number,
        "G" | "GB" => number.checked_mul(1 << 10)?,
        "T" | "TB" => number.checked_mul(1 << 20)?,
        _ => return None,
    };
    (mib <= MIB_MAX).then_some(mib)
}

impl fmt::Display for Memory {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Memory::All => formatter.write_str("0"),
            Memory::Mib(Mib(mib)) if mib % (1 << 20) == 0 => write!(formatter, "{}T", mib >> 20),
            Memory::Mib(Mib(mib)) if mib % (1 << 10) == 0 => write!(formatter, "{}G", mib >> 10),
            Memory::Mib(Mib(mib)) => write!(formatter, "{mib}M"),
        }
    }
}
