//! Tokens as people ask for them and see them. The secret itself is shown once.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::moment::Moment;

/// A token to make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenRequest {
    /// Whom it stands for; whoever asks where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// `viewer`, `user`, `operator`, `admin`, or `agent` for a token that nodes join with.
    pub role: String,
    /// How long it is good for, in milliseconds; as long as the server allows where nothing is
    /// said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_ms: Option<u64>,
    /// What it is for, in the words of whoever made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A token that was made.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TokenMade {
    /// What to send; shown this once, and kept nowhere.
    pub secret: String,
    /// What is kept of it.
    pub token: TokenView,
}

/// A token as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TokenView {
    /// Its number, by which it is revoked.
    pub id: u64,
    /// Whom it stands for.
    pub user: String,
    /// What it allows.
    pub role: String,
    /// When it was made.
    #[schema(value_type = String)]
    pub created: Moment,
    /// When it ends by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub expires: Option<Moment>,
    /// When it was last used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub used: Option<Moment>,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl fmt::Debug for TokenMade {
    /// Without the secret.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("TokenMade").field("token", &self.token).finish_non_exhaustive()
    }
}
