//! The keys of an issuer: fetched when they are first needed, kept, and fetched again when a
//! token names one that is not known, because issuers change theirs.

use std::time::{Duration, Instant};

use jsonwebtoken::jwk::{Jwk, JwkSet};
use reqwest::{Certificate, Client, Url};
use serde::de::DeserializeOwned;
use tokio::sync::Mutex;

use super::{OidcRefusal, OidcSettings};

/// How long keys are good without asking again.
const FRESH: Duration = Duration::from_secs(3600);

/// How long to wait before asking again because of a key that is not known: who makes up names
/// of keys must not make the server ask each time.
const PAUSE: Duration = Duration::from_secs(10);

/// How long the issuer may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Larger answers are not those of an issuer.
const ANSWER_MAX: usize = 1024 * 1024;

/// The keys, as far as they are known.
#[derive(Debug)]
pub(super) struct Keys {
    issuer: String,
    client: Client,
    known: Mutex<Option<Known>>,
}

#[derive(Debug)]
struct Known {
    keys: JwkSet,
    since: Instant,
}

/// What is read of the issuer's description of itself.
#[derive(serde::Deserialize)]
struct Discovery {
    issuer: String,
    jwks_uri: String,
}

impl Keys {
    pub(super) fn new(settings: &OidcSettings) -> Result<Keys, OidcRefusal> {
        let issuer = settings.issuer.clone();
        let refused = |why: String| OidcRefusal::Keys { issuer: issuer.clone(), why };
        safe(&issuer).map_err(refused)?;
        let mut builder = Client::builder().timeout(PATIENCE);
        if let Some(path) = &settings.ca {
            let told =
                |error: &dyn std::fmt::Display| refused(format!("{}: {error}", path.display()));
            let pem = std::fs::read(path).map_err(|error| told(&error))?;
            let authorities = Certificate::from_pem_bundle(&pem).map_err(|error| told(&error))?;
            builder = builder.tls_certs_merge(authorities);
        }
        let client = builder.build().map_err(|error| refused(error.to_string()))?;
        Ok(Keys { issuer, client, known: Mutex::new(None) })
    }

    /// The key of this name; the only one where a token names none.
    pub(super) async fn find(&self, name: Option<&str>) -> Result<Option<Jwk>, OidcRefusal> {
        // Held while asking, so that many tokens at once ask once.
        let mut known = self.known.lock().await;
        let age = known.as_ref().map(|known| known.since.elapsed());
        let found = known.as_ref().and_then(|known| pick(&known.keys, name));
        let is_due = match (age, &found) {
            (None, _) => true,
            (Some(age), Some(_)) => age > FRESH,
            (Some(age), None) => age > PAUSE,
        };
        if !is_due {
            return Ok(found);
        }
        match self.fetch().await {
            Ok(keys) => {
                let found = pick(&keys, name);
                *known = Some(Known { keys, since: Instant::now() });
                Ok(found)
            }
            // An issuer that is out of reach has not changed its keys.
            Err(_) if found.is_some() => Ok(found),
            Err(why) => Err(OidcRefusal::Keys { issuer: self.issuer.clone(), why }),
        }
    }

    async fn fetch(&self) -> Result<JwkSet, String> {
        let base = self.issuer.trim_end_matches('/');
        let found: Discovery =
            self.read(&format!("{base}/.well-known/openid-configuration")).await?;
        if found.issuer != self.issuer {
            return Err(format!("it calls itself {}", found.issuer));
        }
        self.read(&found.jwks_uri).await
    }

    async fn read<T: DeserializeOwned>(&self, address: &str) -> Result<T, String> {
        safe(address)?;
        let told = |error: reqwest::Error| error.without_url().to_string();
        let response = self.client.get(address).send().await.map_err(told)?;
        let mut response = response.error_for_status().map_err(told)?;
        let mut body = Vec::new();
        while let Some(part) = response.chunk().await.map_err(told)? {
            body.extend_from_slice(&part);
            if body.len() > ANSWER_MAX {
                return Err(format!("{address} answers with more than {ANSWER_MAX} bytes"));
            }
        }
        serde_json::from_slice(&body).map_err(|error| format!("{address}: {error}"))
    }
}

fn pick(keys: &JwkSet, name: Option<&str>) -> Option<Jwk> {
    match (name, keys.keys.as_slice()) {
        (Some(name), _) => keys.find(name).cloned(),
        (None, [only]) => Some(only.clone()),
        (None, _) => None,
    }
}

/// Keys are only worth something over a connection that nobody can change.
pub(super) fn safe(address: &str) -> Result<(), String> {
    let url = Url::parse(address).map_err(|error| format!("{address} is no address: {error}"))?;
    let is_here = matches!(url.host_str(), Some("127.0.0.1" | "localhost" | "[::1]"));
    match url.scheme() {
        "https" => Ok(()),
        "http" if is_here => Ok(()),
        _ => Err(format!("{address} does not begin with https://")),
    }
}

#[cfg(test)]
mod tests {
    use super::safe;

    #[test]
    fn keys_come_over_tls_or_from_this_machine() {
        assert_eq!(safe("https://login.example/realm"), Ok(()));
        assert_eq!(safe("http://127.0.0.1:8080"), Ok(()));
        assert!(safe("http://login.example").is_err());
        assert!(safe("file:///etc/keys").is_err());
    }
}
