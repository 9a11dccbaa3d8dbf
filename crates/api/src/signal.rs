//! Signals as people write them: in any case, with or without `SIG`, or as a number.

use muster_model::signal;

pub use signal::name;

/// The largest number of a signal on Linux.
const NUMBER_MAX: u8 = 64;

/// The number of a signal by its name, with or without `SIG`, or by its number.
///
/// ```
/// use muster_api::signal;
///
/// assert_eq!(signal::number("SIGUSR1"), Some(10));
/// assert_eq!(signal::number("usr1"), Some(10));
/// assert_eq!(signal::number("12"), Some(12));
/// assert_eq!(signal::number("bang"), None);
/// assert_eq!(signal::name(15), "TERM");
/// ```
pub fn number(text: &str) -> Option<u8> {
    match text.parse::<u8>() {
        Ok(number) => (1..=NUMBER_MAX).contains(&number).then_some(number),
        Err(_) => signal::number(&text.to_ascii_uppercase()),
    }
}
