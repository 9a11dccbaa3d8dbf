//! How a new node comes in: a join token, what it is exchanged for, and the fingerprint by which
//! the cluster's own certificate authority is known.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use crate::moment::Moment;
use crate::secret::Secret;

/// What every join token begins with.
pub const JOIN_PREFIX: &str = "muster_join_";

/// The SHA-256 of a certificate: who knows it can tell the right one from any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(pub [u8; 32]);

/// A join token: a secret that is good for one thing, and the certificate authority to expect.
///
/// ```
/// use muster_api::join::JoinToken;
///
/// let text = format!("muster_join_0badcafe_1234_{}", "ab".repeat(32));
/// let token: JoinToken = text.parse()?;
/// assert_eq!(token.id(), "0badcafe");
/// assert_eq!(token.secret.reveal(), "muster_join_0badcafe_1234");
/// assert_eq!(token.write().reveal(), text);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinToken {
    /// What is shown to the server, once it is known to be the right one.
    pub secret: Secret,
    /// The cluster's certificate authority; nothing where the cluster has none of its own.
    pub fingerprint: Option<Fingerprint>,
}

/// A join token to make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinRequest {
    /// For how long it is good, in milliseconds; an hour where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifetime_ms: Option<u64>,
    /// How many nodes may come in with it; one where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uses: Option<u32>,
    /// What it is for, in the words of whoever made it.
    #[serde(default)]
    pub note: String,
}

/// A join token that was made. The token is shown here and nowhere else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JoinMade {
    /// What it is revoked by.
    pub id: String,
    /// The token.
    #[schema(value_type = String)]
    pub token: Secret,
    /// When it ends by itself.
    #[schema(value_type = String)]
    pub expires: Moment,
    /// How many nodes may come in with it.
    pub uses: u32,
}

/// What a new node says when it shows its join token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// The node's name.
    pub name: String,
}

/// What it gets: the token it shows from now on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Joined {
    /// The token.
    #[schema(value_type = String)]
    pub token: Secret,
}

/// The cluster's own certificate authority.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Authority {
    /// Its certificate, as PEM.
    pub certificate: String,
    /// The SHA-256 of the certificate.
    #[schema(value_type = String)]
    pub fingerprint: Fingerprint,
}

impl JoinToken {
    /// The part that finds it.
    pub fn id(&self) -> &str {
        join_id(self.secret.reveal()).unwrap_or_default()
    }

    /// The whole token as one text.
    pub fn write(&self) -> Secret {
        match self.fingerprint {
            Some(fingerprint) => Secret::new(&format!("{}_{fingerprint}", self.secret.reveal())),
            None => self.secret.clone(),
        }
    }
}

/// The part of a join token's secret that finds it.
pub fn join_id(secret: &str) -> Option<&str> {
    secret.strip_prefix(JOIN_PREFIX)?.split('_').next()
}

impl FromStr for JoinToken {
    type Err = String;

    /// The error does not repeat the text, which may be a secret all the same.
    fn from_str(text: &str) -> Result<JoinToken, String> {
        let refuse = || "this is not a join token".to_owned();
        let rest = text.trim().strip_prefix(JOIN_PREFIX).ok_or_else(refuse)?;
        let parts: Vec<&str> = rest.split('_').collect();
        let (id, secret, fingerprint) = match parts[..] {
            [id, secret] => (id, secret, None),
            [id, secret, fingerprint] => (id, secret, Some(fingerprint.parse()?)),
            _ => return Err(refuse()),
        };
        if id.is_empty() || secret.is_empty() {
            return Err(refuse());
        }
        let secret = Secret::new(&format!("{JOIN_PREFIX}{id}_{secret}"));
        Ok(JoinToken { secret, fingerprint })
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl FromStr for Fingerprint {
    type Err = String;

    /// Reads digits in either case, with or without the colons that other tools put between them.
    fn from_str(text: &str) -> Result<Fingerprint, String> {
        let refuse = || "a fingerprint is 64 hexadecimal digits (SHA-256)".to_owned();
        let digits: String = text.trim().chars().filter(|letter| *letter != ':').collect();
        if digits.len() != 64 || !digits.is_ascii() {
            return Err(refuse());
        }
        let mut bytes = [0; 32];
        for (at, byte) in bytes.iter_mut().enumerate() {
            let pair = &digits[2 * at..2 * at + 2];
            // The parser of the standard library would take a sign.
            let both = pair.bytes().all(|digit| digit.is_ascii_hexdigit());
            *byte = u8::from_str_radix(pair, 16).ok().filter(|_| both).ok_or_else(refuse)?;
        }
        Ok(Fingerprint(bytes))
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fingerprint, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprint_is_read_as_other_tools_write_it() {
        let plain = Fingerprint([0xab; 32]);
        let colons = ["AB"; 32].join(":");
        assert_eq!(colons.parse(), Ok(plain));
        assert_eq!(plain.to_string().parse(), Ok(plain));
        for bad in ["", "ab", &"+b".repeat(32), &"é".repeat(32), &"ab".repeat(33)] {
            assert!(bad.parse::<Fingerprint>().is_err(), "{bad}");
        }
    }

    #[test]
    fn join_token_without_a_fingerprint_is_one_and_other_tokens_are_not() {
        let plain: JoinToken = " muster_join_a1_b2\n".parse().expect("it is one");
        assert_eq!((plain.id(), plain.fingerprint), ("a1", None));
        assert_eq!(plain.write().reveal(), "muster_join_a1_b2");
        for bad in ["muster_a1_b2", "muster_join_a1", "muster_join__b", "muster_join_a_b_c", ""] {
            let refused = bad.parse::<JoinToken>().expect_err("it is none");
            assert!(bad.is_empty() || !refused.contains(bad), "the text is repeated: {refused}");
        }
    }
}
