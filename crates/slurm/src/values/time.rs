//! Time limits: minutes, `MM:SS`, `HH:MM:SS`, `D-HH`, `D-HH:MM`, `D-HH:MM:SS`, `UNLIMITED`.

use std::fmt;
use std::str::FromStr;

use muster_model::{Invalid, Millis};
use serde::{Deserialize, Serialize};

use super::{digits, refuse};

const FORMS: &str = "expected minutes, MM:SS, HH:MM:SS, D-HH, D-HH:MM, D-HH:MM:SS or UNLIMITED";

/// Slurm keeps minutes in 32 bits and the highest numbers for itself.
const MINUTES_MAX: u64 = 0xffff_fff0;

/// How long a job may run. Slurm counts whole minutes and rounds seconds up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeLimit {
    /// So many minutes, one at least.
    Minutes(u32),
    /// No limit; also written as 0.
    Unlimited,
}

impl TimeLimit {
    /// The limit as a span of time; none without one.
    pub fn millis(self) -> Option<Millis> {
        match self {
            TimeLimit::Minutes(minutes) => Some(Millis::minutes(u64::from(minutes))),
            TimeLimit::Unlimited => None,
        }
    }
}

impl FromStr for TimeLimit {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<TimeLimit, Invalid> {
        let is_unlimited =
            ["UNLIMITED", "INFINITE", "-1"].iter().any(|word| word.eq_ignore_ascii_case(text));
        if is_unlimited {
            return Ok(TimeLimit::Unlimited);
        }
        let minutes = seconds(text).map(|seconds| seconds.div_ceil(60));
        match minutes.filter(|&minutes| minutes <= MINUTES_MAX) {
            Some(0) => Ok(TimeLimit::Unlimited),
            Some(minutes) => u32::try_from(minutes)
                .map(TimeLimit::Minutes)
                .map_err(|_| refuse("time", text, FORMS)),
            None => Err(refused(text)),
        }
    }
}

/// Spans with units are understood well enough to say how Slurm would write them.
fn refused(text: &str) -> Invalid {
    let refused = refuse("time", text, FORMS);
    match text.parse::<Millis>() {
        Ok(Millis(millis)) if text.bytes().any(|byte| byte.is_ascii_alphabetic()) => {
            refused.meant(crate::words::duration::long(millis / 1000))
        }
        _ => refused,
    }
}

fn seconds(text: &str) -> Option<u64> {
    let (days, clock) = match text.split_once('-') {
        Some((days, clock)) => (Some(digits(days)?), clock),
        None => (None, text),
    };
    let mut fields = Vec::new();
    // `1-` is one day, as on Slurm.
    if !(days.is_some() && clock.is_empty()) {
        for field in clock.split(':') {
            fields.push(digits(field)?);
        }
    }
    let [hours, minutes, seconds] = match (days, &fields[..]) {
        (Some(_), []) => [0, 0, 0],
        (None, &[minutes]) => [0, minutes, 0],
        (None, &[minutes, seconds]) => [0, minutes, seconds],
        (Some(_), &[hours]) => [hours, 0, 0],
        (Some(_), &[hours, minutes]) => [hours, minutes, 0],
        (_, &[hours, minutes, seconds]) => [hours, minutes, seconds],
        _ => return None,
    };
    let hours = days.unwrap_or(0).checked_mul(24)?.checked_add(hours)?;
    hours.checked_mul(60)?.checked_add(minutes)?.checked_mul(60)?.checked_add(seconds)
}

impl fmt::Display for TimeLimit {
    /// As Slurm writes a limit back: `1-02:00:00`, `00:05:00`, `UNLIMITED`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeLimit::Unlimited => formatter.write_str("UNLIMITED"),
            TimeLimit::Minutes(minutes) => {
                formatter.write_str(&crate::words::duration::long(u64::from(*minutes) * 60))
            }
        }
    }
}
