//! Spans of time: `90s`, `1h30m`, `2d`, Slurm's `D-HH:MM:SS` and its kin, and bare minutes.

use std::fmt;
use std::str::FromStr;

use super::decimal::{Decimal, digits, split_number};
use super::{refuse, tightened};
use crate::error::Invalid;
use crate::unit::Millis;

const FORMS: &str = "expected a number of minutes, units as in `90s`, `1h30m`, `2d` or `500ms`, or \
                     one of MM:SS, HH:MM:SS, D-HH, D-HH:MM, D-HH:MM:SS, below 2^64 ms";

const SECOND: u64 = 1000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
const WEEK: u64 = 7 * DAY;

/// Units that are read, longest first.
const UNITS: [(&str, u64); 6] =
    [("w", WEEK), ("d", DAY), ("h", HOUR), ("m", MINUTE), ("s", SECOND), ("ms", 1)];

/// Longer words that people use for the same.
const WORDS: [(&str, &str); 6] = [
    ("weeks", "w"),
    ("days", "d"),
    ("hours", "h"),
    ("minutes", "m"),
    ("seconds", "s"),
    ("milliseconds", "ms"),
];

impl FromStr for Millis {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Millis, Invalid> {
        read(text).map(Millis).ok_or_else(|| refuse("duration", text, FORMS, guesses(text), read))
    }
}

impl fmt::Display for Millis {
    /// The short form with units (`1h30m`); weeks are written as days.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return formatter.write_str("0s");
        }
        let mut rest = self.0;
        for (unit, length) in &UNITS[1..] {
            if rest >= *length {
                write!(formatter, "{}{unit}", rest / length)?;
            }
            rest %= length;
        }
        Ok(())
    }
}

fn read(text: &str) -> Option<u64> {
    if text.contains([':', '-']) {
        return read_clock(text);
    }
    match digits(text) {
        Some(minutes) => minutes.checked_mul(MINUTE),
        None => read_units(text),
    }
}

/// `1h30m`: each unit at most once, from the longest down; the last may have a fraction.
fn read_units(text: &str) -> Option<u64> {
    let (mut rest, mut total, mut above) = (text, 0_u64, u64::MAX);
    while !rest.is_empty() {
        let (number, after) = split_number(rest);
        let end = after.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(after.len());
        let (unit, tail) = after.split_at(end);
        let (_, length) = UNITS.iter().find(|(name, _)| *name == unit)?;
        let number = Decimal::read(number)?;
        let is_in_order = *length < above && (number.is_whole() || tail.is_empty());
        if !is_in_order {
            return None;
        }
        total = total.checked_add(number.parts_up(*length)?)?;
        (rest, above) = (tail, *length);
    }
    (!text.is_empty()).then_some(total)
}

/// `D-HH[:MM[:SS]]`, `HH:MM:SS` and `MM:SS`. As on Slurm a field may exceed its usual range.
fn read_clock(text: &str) -> Option<u64> {
    let (days, clock) = match text.split_once('-') {
        Some((days, clock)) => (Some(digits(days)?), clock),
        None => (None, text),
    };
    let mut fields = [0; 3];
    let mut count = 0;
    for field in clock.split(':') {
        *fields.get_mut(count)? = digits(field)?;
        count += 1;
    }
    let lengths = match (days, count) {
        (Some(_), _) | (None, 3) => [HOUR, MINUTE, SECOND],
        (None, 2) => [MINUTE, SECOND, 0],
        _ => return None,
    };
    let mut total = days.unwrap_or(0).checked_mul(DAY)?;
    for (field, length) in fields.into_iter().zip(lengths) {
        total = total.checked_add(field.checked_mul(length)?)?;
    }
    Some(total)
}

/// For `90 m`, `2H`, `1.5`, `3 hours`, `2 hr`, `10 min` and `30 sec`.
fn guesses(text: &str) -> Vec<String> {
    let tight = tightened(text).to_ascii_lowercase();
    let with_minutes = format!("{tight}m");
    let (number, unit) = split_number(&tight);
    let word = WORDS.iter().find(|(word, short)| {
        let is_start = unit.len() > 1 && word.starts_with(unit);
        is_start || unit.starts_with(&format!("{short}rs")) || unit == format!("{short}r")
    });
    let short = word.map(|(_, short)| format!("{number}{short}"));
    [tight.clone(), with_minutes].into_iter().chain(short).collect()
}
