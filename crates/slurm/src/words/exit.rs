//! How a program ended: `code:signal`.

use std::fmt;
use std::str::FromStr;

use muster_model::Invalid;
use muster_model::name::quoted;
use serde::{Deserialize, Serialize};

/// An exit code, or the signal that ended the program.
///
/// ```
/// use muster_slurm::words::ExitCode;
///
/// assert_eq!(ExitCode { code: 0, signal: 15 }.to_string(), "0:15");
/// assert_eq!("1:0".parse::<ExitCode>()?.code, 1);
/// # Ok::<(), muster_model::Invalid>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ExitCode {
    /// What the program returned.
    pub code: u8,
    /// What ended it; 0 is nothing.
    pub signal: u8,
}

impl fmt::Display for ExitCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.code, self.signal)
    }
}

impl FromStr for ExitCode {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<ExitCode, Invalid> {
        let refused =
            || Invalid::new("exit code", quoted(text), "expected code:signal, as in `1:0`");
        let (code, signal) = text.split_once(':').ok_or_else(refused)?;
        let number = |text: &str| text.parse().map_err(|_| refused());
        Ok(ExitCode { code: number(code)?, signal: number(signal)? })
    }
}
