//! `muster login`: keeps a token for a server, after asking whether it is any good.

use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use muster_api::Fingerprint;
use muster_client::trust::{self, Distrust, Route};
use muster_client::{Client, Credentials, Error, Known, Secret, Target, keep_authority};

use super::Usage;
use super::connect::Connect;

/// Sign in to a server: keep a token for it, and make it the one that is asked
///
/// The token is read from --token-file, from MUSTER_TOKEN, or from standard input, never from the
/// command line, where others could see it. A server whose certificate is by its cluster's own
/// authority is known by that authority's fingerprint: give it, or compare it when you are asked.
#[derive(Debug, Args)]
#[command(after_help = "Example: muster login --server https://muster.example:7443 < token")]
pub(crate) struct Login {
    /// The SHA-256 of the certificate of the cluster's authority; the server says it at its start
    #[arg(long, value_name = "SHA256")]
    fingerprint: Option<Fingerprint>,

    /// Believe a server that is met for the first time, whoever it is
    #[arg(long)]
    yes: bool,

    #[command(flatten)]
    connect: Connect,
}

impl Login {
    pub(crate) async fn run(&self) -> Result<()> {
        let options = self.connect.options();
        let url = options.server.clone().ok_or_else(|| {
            Usage::new("there is no server to sign in to")
                .hint("name it: muster login --server https://HOST:PORT")
        })?;
        let token = match options.said_token()? {
            Some(token) => token,
            None => read_token()?,
        };
        let path = options.credentials.clone().ok_or(Error::NoHome("XDG_CONFIG_HOME"))?;
        let ca = options.ca.as_ref().map(std::path::absolute).transpose();
        let ca = ca.context("cannot tell where the certificate is")?;
        let ca = match (ca, self.fingerprint) {
            (Some(ca), _) => Some(ca),
            (None, Some(fingerprint)) => {
                let authority = trust::expected(&url, Route::Usual, fingerprint).await?;
                Some(keep_authority(&path, &authority)?)
            }
            (None, None) => Credentials::read(&path)?.of(&url).and_then(|known| known.ca.clone()),
        };
        let mut target = Target { url: url.clone(), token: Some(token.clone()), ca, pid: None };
        let identity = match Client::new(&target)?.whoami().await {
            Err(error) if target.ca.is_none() && error.distrust() == Some(Distrust::Stranger) => {
                target.ca = Some(self.meet(&url, &path).await?);
                Client::new(&target)?.whoami().await?
            }
            asked => asked?,
        };
        let mut credentials = Credentials::read(&path)?;
        credentials.remember(Known { url: url.clone(), token, ca: target.ca });
        credentials.write(&path)?;
        let grants: Vec<String> = identity.grants.iter().map(ToString::to_string).collect();
        eprintln!("signed in to {url} as {} ({})", identity.user, grants.join(", "));
        Ok(())
    }

    /// Gets to know a server that nobody vouches for here: a person compares the fingerprint.
    async fn meet(&self, url: &str, credentials: &Path) -> Result<PathBuf> {
        let authority = trust::offered(url, Route::Usual).await?;
        let fingerprint = authority.fingerprint;
        eprintln!("{url} is not known here; the fingerprint of its authority is\n  {fingerprint}");
        if !self.yes && !is_believed()? {
            let hint = "compare it with what the server said at its start, then sign in with \
                        --fingerprint; or trust whoever answers with --yes";
            return Err(Usage::new("the server is not trusted").hint(hint).into());
        }
        Ok(keep_authority(credentials, &authority)?)
    }
}

/// Asks, where there is somebody to ask.
fn is_believed() -> Result<bool> {
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        return Ok(false);
    }
    eprintln!("does the operator of the cluster say the same? [y/N]");
    let mut line = String::new();
    stdin.lock().read_line(&mut line).context("cannot read the answer")?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

fn read_token() -> Result<Secret> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        eprintln!("paste the token and press Enter:");
    }
    let mut line = String::new();
    stdin.lock().read_line(&mut line).context("cannot read the token")?;
    let token = Secret::new(&line);
    if token.reveal().is_empty() {
        return Err(Usage::new("no token was given")
            .hint("an operator makes one with `muster token create`")
            .into());
    }
    Ok(token)
}
