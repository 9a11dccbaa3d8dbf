//! Reads units from data: a number counts the unit, as programs write it; a text has its own
//! unit, as people write it. What is written is always the number.

use std::fmt;

use serde::de::{Error, Unexpected, Visitor};

use crate::error::Invalid;
use crate::name::quoted;
use crate::unit::{Mib, MilliCpu, MilliGpu, Millis};

/// Reads either form; holds the reader of text.
pub(crate) struct Amount(pub(crate) fn(&str) -> Result<u64, Invalid>);

impl Visitor<'_> for Amount {
    type Value = u64;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a whole number, or a text with a unit")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<u64, E> {
        Ok(number)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<u64, E> {
        u64::try_from(number).map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<u64, E> {
        (self.0)(text).map_err(E::custom)
    }
}

/// Spans of time as text. A bare number is minutes to a shell and milliseconds to a program, so
/// here it is neither.
pub(crate) fn duration(text: &str) -> Result<u64, Invalid> {
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let allowed = "expected a unit with it, as in `90s`, `10m`, `1h30m` or `2d`";
        return Err(Invalid::new("duration", quoted(text), allowed));
    }
    text.parse().map(|Millis(millis)| millis)
}

pub(crate) fn memory(text: &str) -> Result<u64, Invalid> {
    text.parse().map(|Mib(mib)| mib)
}

pub(crate) fn gpus(text: &str) -> Result<u64, Invalid> {
    text.parse().map(|MilliGpu(milli)| milli)
}

pub(crate) fn cpus(text: &str) -> Result<u64, Invalid> {
    text.parse().map(|MilliCpu(milli)| milli)
}
