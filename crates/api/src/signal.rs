//! Signals as people write them: in any case, with or without `SIG`, or as a number.

use muster_model::signal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use signal::name;

/// Which processes of a job a signal reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reach {
    /// The job's own program and all its steps.
    #[default]
    All,
    /// The program of the job's first place alone.
    First,
    /// The steps alone.
    Steps,
}

impl Reach {
    /// Whether it reaches everything.
    pub fn is_all(&self) -> bool {
        *self == Reach::All
    }

    /// Whether it reaches the program in the place with this rank.
    pub fn reaches(self, rank: u32) -> bool {
        self == Reach::All || (self == Reach::First && rank == 0)
    }

    /// Whether it reaches steps.
    pub fn reaches_steps(self) -> bool {
        self != Reach::First
    }
}

/// The largest number of a signal on Linux.
pub const NUMBER_MAX: u8 = 64;

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
