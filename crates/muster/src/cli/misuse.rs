//! A mistake in how a command was called: exits with 2, as for flags that do not exist.

use std::fmt;

/// What is wrong with the command line, and what to write instead.
#[derive(Debug)]
pub(crate) struct Usage {
    message: String,
    /// What to do.
    pub(crate) hint: Option<String>,
}

impl Usage {
    pub(crate) fn new(message: impl Into<String>) -> Usage {
        Usage { message: message.into(), hint: None }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Usage {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Usage {}
