//! Tokens as people ask for them and see them. The secret itself is shown once.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::moment::Moment;

/// A token to make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenRequest {
    /// Whom it stands for.
    pub user: String,
    /// `viewer`, `user`, `operator`, `admin`, or `agent` for a token that nodes join with.
    pub role: String,
    /// The only queue it is good for, with those below it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<String>,
    /// When it ends by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub expires: Option<Moment>,
    /// What it is for, in the words of whoever made it.
    #[serde(default)]
    pub note: String,
}

/// A token as its owner sees it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TokenView {
    /// What it is revoked by.
    pub id: String,
    /// Whom it stands for.
    pub user: String,
    /// What it allows.
    pub role: String,
    /// The only queue it is good for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<String>,
    /// When it was made.
    #[schema(value_type = String)]
    pub created: Moment,
    /// When it ends by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub expires: Option<Moment>,
    /// When it was revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub revoked: Option<Moment>,
    /// What it is for.
    #[serde(default)]
    pub note: String,
    /// What to send: shown once, when it is made, and kept nowhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

impl fmt::Debug for TokenView {
    /// Without the secret.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TokenView { id, user, role, .. } = self;
        let mut shown = formatter.debug_struct("TokenView");
        shown.field("id", id).field("user", user).field("role", role).finish_non_exhaustive()
    }
}
