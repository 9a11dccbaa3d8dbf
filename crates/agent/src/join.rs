//! How a node comes in: what it was told to show, what an earlier start kept, or a join token that
//! is exchanged for the node's own. A node needs nothing but that token: it also says by which
//! authority the server is known.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use muster_api::join::{Join, JoinToken, Joined};
use muster_api::{Authority, Secret};
use muster_client::trust::{self, Route};
use serde::{Deserialize, Serialize};

use crate::launch::folder;
use crate::link::backoff::Backoff;
use crate::link::{self, Failure};
use crate::settings::Settings;
use crate::setup::AgentError;

/// What a node that has come in keeps, readable by its owner alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    /// What it shows to the server.
    token: Secret,
    /// The join token it was exchanged for, by the part that is no secret.
    join: String,
}

/// The settings with what the server is shown and whom it is believed by. Waits for a server that
/// does not answer yet.
pub(crate) async fn enter(mut settings: Settings, node: &str) -> Result<Settings, AgentError> {
    let said = settings.clone();
    let kept = Kept::read(&settings.data)?;
    let authority = authority_file(&settings.data);
    if settings.ca.is_none() && authority.exists() {
        settings.ca = Some(authority.clone());
    }
    if said.join.is_empty() {
        if settings.token.is_empty() {
            settings.token = kept.ok_or(AgentError::NoToken)?.token;
        }
        return Ok(settings);
    }
    let unusable = |why: String| AgentError::Join { server: said.server.clone(), why };
    let token: JoinToken = said.join.reveal().parse().map_err(unusable)?;
    if token.fingerprint.is_some() && !said.server.starts_with("https://") {
        let why = "its join token is of a cluster that speaks TLS\nhint: write https:// instead of \
                   http://";
        return Err(unusable(why.to_owned()));
    }
    if let Some(kept) = kept.as_ref().filter(|kept| kept.join == token.id()) {
        settings.token = kept.token.clone();
        return Ok(settings);
    }
    let exchanged = exchange(&said, &token, node, kept.is_none()).await;
    let (made, found) = match (exchanged, kept) {
        (Ok(exchanged), _) => exchanged,
        (Err(failure), Some(kept)) => {
            tracing::warn!("the node goes on with what it has; it cannot join again: {failure}");
            settings.token = kept.token;
            return Ok(settings);
        }
        (Err(failure), None) => return Err(unusable(failure.to_string())),
    };
    settings.ca = said.ca.or(found.is_some().then(|| authority.clone()));
    let kept = Kept { token: made, join: token.id().to_owned() };
    kept.write(&settings.data, found.as_ref())?;
    settings.token = kept.token;
    tracing::info!("joined {} as {node}", settings.server);
    Ok(settings)
}

impl Kept {
    fn read(data: &Path) -> Result<Option<Kept>, AgentError> {
        let path = data.join("credential.json");
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(AgentError::Folder { path, cause }),
        };
        // The parser's own message could quote the token.
        let read = serde_json::from_slice(&text);
        let cause = std::io::Error::other("it does not hold what a node keeps; remove it to join");
        read.map(Some).map_err(|_| AgentError::Folder { path, cause })
    }

    /// The authority first: a token without it is of no use.
    fn write(&self, data: &Path, authority: Option<&Authority>) -> Result<(), AgentError> {
        let keep = |path: PathBuf, text: &[u8]| {
            let kept = folder::replace(&path, text, true);
            kept.map_err(|cause| AgentError::Folder { path, cause })
        };
        fs::create_dir_all(data)
            .map_err(|cause| AgentError::Folder { path: data.to_owned(), cause })?;
        if let Some(authority) = authority {
            keep(authority_file(data), authority.certificate.as_bytes())?;
        }
        let text = serde_json::to_vec(self).expect("texts can be written as JSON");
        keep(data.join("credential.json"), &text)
    }
}

fn authority_file(data: &Path) -> PathBuf {
    data.join("ca.pem")
}

/// Exchanges a join token for the node's own, with the authority it was checked by. Tried until the
/// server answers, or once.
async fn exchange(
    settings: &Settings,
    token: &JoinToken,
    node: &str,
    until_answered: bool,
) -> Result<(Secret, Option<Authority>), Failure> {
    let mut backoff = Backoff::default();
    loop {
        match try_exchange(settings, token, node).await {
            Err(Failure::Unreachable(why)) if until_answered => {
                tracing::warn!("cannot join yet: {why}");
                tokio::time::sleep(Duration::from_millis(backoff.failed())).await;
            }
            exchanged => return exchanged,
        }
    }
}

async fn try_exchange(
    settings: &Settings,
    token: &JoinToken,
    node: &str,
) -> Result<(Secret, Option<Authority>), Failure> {
    let server = settings.server.trim_end_matches('/');
    let refused = |error: &dyn std::fmt::Display| Failure::Refused(error.to_string());
    let mut builder = link::builder(settings).map_err(|error| refused(&error))?;
    let wanted = token.fingerprint.filter(|_| settings.ca.is_none());
    let found = match wanted {
        None => None,
        Some(fingerprint) => {
            let asked = trust::expected(server, Route::Direct, fingerprint).await;
            Some(asked.map_err(|error| not_found(&error))?)
        }
    };
    if let Some(authority) = &found {
        let certificate = reqwest::Certificate::from_pem(authority.certificate.as_bytes());
        builder = builder.tls_certs_only([certificate.map_err(|error| refused(&error))?]);
    }
    let client = builder.build().map_err(|error| refused(&error))?;
    let asked = client.post(format!("{server}/v1/agent/join")).timeout(link::ANSWER);
    let asked = asked.bearer_auth(token.secret.reveal()).json(&Join { name: node.to_owned() });
    let Joined { token } = link::read(asked).await?;
    Ok((token, found))
}

/// What kept us from the server's authority.
fn not_found(error: &muster_client::Error) -> Failure {
    let hint = error.hint().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
    let said = format!("{error}{hint}");
    match error {
        muster_client::Error::Unreachable { .. } if error.distrust().is_none() => {
            Failure::Unreachable(said)
        }
        muster_client::Error::Refused(problem) if problem.status >= 500 => {
            Failure::Unreachable(said)
        }
        _ => Failure::Refused(said),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[tokio::test]
    async fn node_that_came_in_needs_its_join_token_no_more() {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = Settings { data: folder.path().to_owned(), ..Settings::default() };
        let nothing = enter(settings.clone(), "node-1").await;
        assert!(matches!(nothing, Err(AgentError::NoToken)), "{nothing:?}");
        let kept = Kept { token: Secret::new("its own"), join: "a1".to_owned() };
        let certificate = "the authority".to_owned();
        let authority = Authority { certificate, fingerprint: muster_api::Fingerprint([7; 32]) };
        kept.write(folder.path(), Some(&authority)).expect("the folder is ours");
        let again = enter(settings.clone(), "node-1").await.expect("it is in");
        assert_eq!(again.token.reveal(), "its own");
        assert_eq!(again.ca, Some(folder.path().join("ca.pem")));
        let join = Secret::new("muster_join_a1_b2");
        let same = enter(Settings { join, ..settings }, "node-1").await.expect("it is in");
        assert_eq!(same.token, again.token, "the token it came in with asks nothing of anybody");
        let mode = fs::metadata(folder.path().join("credential.json")).expect("it is kept");
        assert_eq!(mode.permissions().mode() & 0o777, 0o600);
    }
}
