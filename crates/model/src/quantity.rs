//! Quantities as people write them: `80GiB`, `1-12:00:00`, `90m`, `H100x8`.
//!
//! Each unit reads with `FromStr` and prints with `Display`, and reads what it prints. What
//! cannot be read gives an error with the allowed forms and, where it can be guessed, a fix.
//!
//! ```
//! use muster_model::quantity::GpuRequest;
//! use muster_model::{Mib, MilliCpu, Millis, TaskCount};
//!
//! assert_eq!("80G".parse::<Mib>()?, Mib::gib(80));
//! assert_eq!("1-12:00:00".parse::<Millis>()?.to_string(), "1d12h");
//! assert_eq!("500m".parse::<MilliCpu>()?.to_string(), "0.5");
//! assert_eq!("2..8".parse::<TaskCount>()?, TaskCount { min: 2, max: 8 });
//! assert_eq!("H100|A100x8".parse::<GpuRequest>()?.gpus, 8);
//! # Ok::<(), muster_model::Invalid>(())
//! ```

pub(crate) mod data;
mod decimal;
mod duration;
mod gpus;
mod memory;
mod milli;
mod separated;
mod tasks;

pub use gpus::GpuRequest;
pub use separated::separated;

use crate::error::Invalid;
use crate::name::quoted;

/// What is said about text that is not a quantity of this kind; a guess is only given if it
/// reads itself, so that following a hint never leads to the next error.
fn refuse<T>(
    field: &str,
    text: &str,
    allowed: &str,
    guesses: Vec<String>,
    read: impl Fn(&str) -> Option<T>,
) -> Invalid {
    let meant = guesses.into_iter().find(|guess| guess != text && read(guess).is_some());
    Invalid::new(field, quoted(text), allowed).meant_if(meant)
}

/// The text as it would be without what people add for the eye: spaces, and a decimal comma.
fn tightened(text: &str) -> String {
    text.split_whitespace().collect::<String>().replace(',', ".")
}

#[cfg(test)]
mod tests;
