//! Text that is never printed by accident.

use std::fmt;

/// A token. `Debug` does not show it; whoever needs it asks for it by name.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The secret in a text, without the line end that files and terminals add.
    pub fn new(text: &str) -> Secret {
        Secret(text.trim().to_owned())
    }

    /// The text itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("(secret)")
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn secret_is_not_shown_when_it_is_debugged() {
        let secret = Secret::new("mst_abc\n");
        assert_eq!(format!("{secret:?}"), "(secret)");
        assert_eq!(secret.reveal(), "mst_abc");
    }
}
