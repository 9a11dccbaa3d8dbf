//! The signal before the end of the time limit: `B:USR1@120`.

use std::fmt;
use std::str::FromStr;

use muster_model::{Invalid, signal};
use serde::{Deserialize, Serialize};

use super::{digits, refuse};

const FORMS: &str = "expected a signal with the seconds before the end, such as `USR1@120`, and \
                     `B:` before it for the script alone";

/// When no time is given.
const BEFORE_S: u16 = 60;

/// The highest signal of Linux.
const SIGNAL_MAX: u64 = 64;

/// Signals that Slurm knows by name and the model does not.
const MORE: [(&str, u8); 3] = [("TTIN", 21), ("TTOU", 22), ("XCPU", 24)];

/// A signal before the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signal {
    /// Its number.
    pub signal: u8,
    /// How many seconds before the end.
    pub before_s: u16,
    /// To the script only, not to its steps.
    pub script_only: bool,
    /// The job may be started in the face of a reservation that it would reach.
    pub before_reservation: bool,
}

impl FromStr for Signal {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Signal, Invalid> {
        read(text).ok_or_else(|| refuse("signal", text, FORMS))
    }
}

fn read(text: &str) -> Option<Signal> {
    let (flags, rest) = text.split_once(':').unwrap_or(("", text));
    let flags = flags.to_ascii_uppercase();
    let is_known = flags.is_empty() != text.contains(':') && flags.len() <= 2;
    if !is_known || !flags.bytes().all(|flag| matches!(flag, b'B' | b'R')) {
        return None;
    }
    let (name, before) = match rest.split_once('@') {
        Some((name, before)) => (name, u16::try_from(digits(before)?).ok()?),
        None => (rest, BEFORE_S),
    };
    let (script_only, before_reservation) = (flags.contains('B'), flags.contains('R'));
    Some(Signal { signal: number(name)?, before_s: before, script_only, before_reservation })
}

/// The number of a signal, by its name or as it is.
fn number(name: &str) -> Option<u8> {
    if let Some(number) = digits(name) {
        return u8::try_from(number)
            .ok()
            .filter(|number| (1..=SIGNAL_MAX).contains(&u64::from(*number)));
    }
    let name = name.to_ascii_uppercase();
    let bare = name.strip_prefix("SIG").unwrap_or(&name);
    let more = || MORE.iter().find(|(known, _)| *known == bare).map(|&(_, number)| number);
    signal::number(bare).or_else(more)
}

impl fmt::Display for Signal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flags = match (self.before_reservation, self.script_only) {
            (true, true) => "RB:",
            (true, false) => "R:",
            (false, true) => "B:",
            (false, false) => "",
        };
        let more = MORE.iter().find(|(_, number)| *number == self.signal);
        let name = more.map_or_else(|| signal::name(self.signal), |(name, _)| (*name).to_owned());
        write!(formatter, "{flags}{name}@{}", self.before_s)
    }
}
