//! Text that is never printed by accident.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

/// A token. `Debug` does not show it; whoever needs it asks for it by name.
#[derive(Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(transparent)]
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

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Secret, D::Error> {
        String::deserialize(deserializer).map(|text| Secret::new(&text))
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
        let read: Secret = serde_json::from_str("\" mst_abc\\n\"").expect("it is a text");
        assert_eq!(read, secret);
        assert_eq!(serde_json::to_string(&read).expect("it can be written"), "\"mst_abc\"");
    }
}
