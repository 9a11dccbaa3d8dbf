//! Signing in with an organisation's own accounts: bearer tokens of an OpenID Connect issuer,
//! checked against the keys that the issuer publishes.

mod keys;
mod settings;

use std::collections::BTreeMap;
use std::fmt::Display;

use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use muster_model::Name;
use serde_json::Value;
use thiserror::Error;

use crate::access::{Caller, Grant};
use keys::Keys;
pub use settings::{GroupRole, OidcSettings};

/// How far the clocks of the issuer and the server may be apart, in seconds.
const LEEWAY: u64 = 60;

/// Signatures that are accepted: only those whose key the issuer alone has.
const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// Why a token of an issuer is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OidcRefusal {
    /// It is not what it should be.
    #[error("the token of {issuer} is not accepted: {why}")]
    Token {
        /// Who should have issued it.
        issuer: String,
        /// What is wrong.
        why: String,
    },
    /// The issuer's keys cannot be had.
    #[error("the keys of {issuer} cannot be read: {why}")]
    Keys {
        /// Whose.
        issuer: String,
        /// Why not.
        why: String,
    },
    /// It is good, but nothing says what its bearer may do.
    #[error("{user} is in no group that has a role here")]
    NoRole {
        /// Whose token it is.
        user: String,
    },
}

/// Checks the tokens of one issuer.
#[derive(Debug)]
pub(crate) struct Oidc {
    settings: OidcSettings,
    keys: Keys,
}

/// What a token says of its bearer.
type Claims = BTreeMap<String, Value>;

impl Oidc {
    pub(crate) fn new(settings: OidcSettings) -> Result<Oidc, OidcRefusal> {
        let keys = Keys::new(&settings)?;
        Ok(Oidc { settings, keys })
    }

    /// Whether this could be a token of an issuer: three parts with dots between them.
    pub(crate) fn is_like(secret: &str) -> bool {
        secret.split('.').count() == 3
    }

    /// Who the bearer of a token is.
    pub(crate) async fn caller(&self, token: &str) -> Result<Caller, OidcRefusal> {
        let header = decode_header(token).map_err(|error| self.settings.refused(&error))?;
        if !ALGORITHMS.contains(&header.alg) {
            return Err(self.settings.refused(&format!("it is signed with {:?}", header.alg)));
        }
        let key = self.keys.find(header.kid.as_deref()).await?;
        let key = key.ok_or_else(|| self.settings.refused(&"the issuer has no such key"))?;
        let claims = self.check(token, header.alg, &key)?;
        self.settings.identify(&claims)
    }

    fn check(&self, token: &str, algorithm: Algorithm, key: &Jwk) -> Result<Claims, OidcRefusal> {
        let key = DecodingKey::from_jwk(key).map_err(|error| self.settings.refused(&error))?;
        let mut validation = Validation::new(algorithm);
        validation.leeway = LEEWAY;
        validation.validate_nbf = true;
        validation.set_issuer(&[&self.settings.issuer]);
        validation.set_audience(&[&self.settings.audience]);
        validation.set_required_spec_claims(&["exp", "iss", "aud"]);
        let decoded = decode::<Claims>(token, &key, &validation).map_err(|error| {
            self.settings.refused(&match error.kind() {
                ErrorKind::ExpiredSignature => "it has expired".to_owned(),
                ErrorKind::ImmatureSignature => "it is not valid yet".to_owned(),
                ErrorKind::InvalidAudience => {
                    format!("it is not meant for `{}`", self.settings.audience)
                }
                ErrorKind::InvalidIssuer => "another has issued it".to_owned(),
                ErrorKind::InvalidSignature => "its signature is wrong".to_owned(),
                _ => error.to_string(),
            })
        })?;
        Ok(decoded.claims)
    }
}

impl OidcSettings {
    /// The user and what they may do, by the claims of a token that was checked.
    fn identify(&self, claims: &Claims) -> Result<Caller, OidcRefusal> {
        let claim = &self.user_claim;
        let said = claims.get(claim).and_then(Value::as_str);
        let said = said.ok_or_else(|| self.refused(&format!("it has no claim `{claim}`")))?;
        // An account is a login name; what comes after the @ of an address is not part of one.
        let user = said.split_once('@').map_or(said, |(user, _)| user);
        if Name::new(user).is_err() {
            return Err(
                self.refused(&format!("its claim `{claim}` is no name of a user: {said:?}"))
            );
        }
        let groups = match claims.get(&self.groups_claim) {
            Some(Value::Array(groups)) => groups.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(group)) => vec![group.as_str()],
            _ => Vec::new(),
        };
        let given = self.roles.iter().filter(|one| groups.contains(&one.group.as_str()));
        let given = given.map(|one| Grant { role: one.role, queue: one.queue.clone() });
        let always = self.role.map(|role| Grant { role, queue: None });
        let grants: Vec<Grant> = given.chain(always).collect();
        if grants.is_empty() {
            return Err(OidcRefusal::NoRole { user: user.to_owned() });
        }
        Ok(Caller { user: user.to_owned(), grants })
    }

    fn refused(&self, why: &dyn Display) -> OidcRefusal {
        OidcRefusal::Token { issuer: self.issuer.clone(), why: why.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::access::Role;

    fn settings() -> OidcSettings {
        let text = r#"
            issuer = "https://login.example"
            audience = "muster"
            role = "viewer"
            roles = [
                { group = "vision", role = "user", queue = "vision" },
                { group = "platform", role = "admin" },
            ]
        "#;
        toml::from_str(text).expect("these are settings")
    }

    fn claims(value: Value) -> Claims {
        serde_json::from_value(value).expect("claims are an object")
    }

    #[test]
    fn groups_give_their_roles_in_their_queues() {
        let said = json!({"preferred_username": "user-a", "groups": ["vision", "other"]});
        let caller = settings().identify(&claims(said)).expect("the user is known");
        let vision = Grant { role: Role::User, queue: Some("vision".to_owned()) };
        let everywhere = Grant { role: Role::Viewer, queue: None };
        assert_eq!(caller.grants, [vision, everywhere]);
    }

    #[test]
    fn address_is_cut_to_the_login_name() {
        let said = json!({"preferred_username": "user-a@lab.example", "groups": "platform"});
        let caller = settings().identify(&claims(said)).expect("the user is known");
        assert_eq!(caller.user, "user-a");
        assert!(caller.grants.contains(&Grant { role: Role::Admin, queue: None }));
    }

    #[test]
    fn name_that_is_none_is_refused() {
        for name in ["", "../root", "a b", "@lab.example"] {
            let refused = settings().identify(&claims(json!({"preferred_username": name})));
            assert!(matches!(refused, Err(OidcRefusal::Token { .. })), "{name}: {refused:?}");
        }
    }

    #[test]
    fn without_a_group_or_a_role_for_all_nobody_gets_in() {
        let mut settings = settings();
        settings.role = None;
        let refused = settings.identify(&claims(json!({"preferred_username": "user-a"})));
        assert_eq!(refused, Err(OidcRefusal::NoRole { user: "user-a".to_owned() }));
    }
}
