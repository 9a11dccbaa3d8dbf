//! What has to be known of an issuer, and which of its groups may do what.

use std::path::PathBuf;

use muster_model::Invalid;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::keys::safe;
use crate::access::Role;

/// An OpenID Connect issuer whose tokens are accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OidcSettings {
    /// Its address, as its tokens say it.
    pub issuer: String,
    /// Whom its tokens must be meant for.
    pub audience: String,
    /// The claim that names the user; what follows an @ is left off.
    #[serde(default = "user_claim")]
    #[schema(default = user_claim)]
    pub user_claim: String,
    /// The claim that lists a user's groups.
    #[serde(default = "groups_claim")]
    #[schema(default = groups_claim)]
    pub groups_claim: String,
    /// The role of everyone with a good token; nothing to let in only those with a group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// The roles that groups give.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<GroupRole>,
    /// The certificate, in PEM, of who vouches for the issuer, where no public authority does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub ca: Option<PathBuf>,
}

impl OidcSettings {
    /// What is wrong with it.
    pub(crate) fn mistakes(&self) -> Vec<Invalid> {
        let mut wrong = Vec::new();
        if let Err(why) = safe(&self.issuer) {
            wrong.push(Invalid::new("oidc.issuer", format!("`{}`", self.issuer), why));
        }
        if self.role.is_none() && self.roles.is_empty() {
            let allowed = "expected a role for someone: nobody could get in";
            wrong.push(Invalid::new("oidc.roles", "nothing", allowed));
        }
        wrong
    }
}

/// What the members of a group may do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupRole {
    /// The group.
    pub group: String,
    /// Their role.
    pub role: Role,
    /// The queue they have it in, with those below it; everywhere where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<String>,
}

fn user_claim() -> String {
    "preferred_username".to_owned()
}

fn groups_claim() -> String {
    "groups".to_owned()
}
