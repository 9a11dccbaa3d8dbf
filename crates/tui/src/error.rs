//! Why there is no screen.

use std::io;

use thiserror::Error;

/// Why a screen could not be shown. [`Error::hint`] says what to do.
#[derive(Debug, Error)]
pub enum Error {
    /// Input or output is not a terminal.
    #[error("`muster top` needs a terminal, and this is none")]
    NotATerminal,
    /// The terminal cannot be drawn on.
    #[error("`muster top` cannot draw on this terminal: TERM is {0}")]
    Dumb(String),
    /// The terminal failed.
    #[error("cannot use the terminal: {0}")]
    Terminal(#[from] io::Error),
    /// The server did not answer, or refused.
    #[error(transparent)]
    Server(#[from] muster_client::Error),
}

impl Error {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Error::NotATerminal | Error::Dumb(_) => Some(
                "`muster top --once` prints one screen as text; `muster jobs` and `muster nodes` \
                 list the same, also as JSON"
                    .to_owned(),
            ),
            Error::Server(error) => error.hint(),
            Error::Terminal(_) => None,
        }
    }
}
