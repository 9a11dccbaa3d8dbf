//! `muster login`: keeps a token for a server, after asking whether it is any good.

use std::io::{BufRead, IsTerminal};

use anyhow::{Context, Result};
use clap::Args;
use muster_client::{Client, Credentials, Error, Known, Secret, Target};

use super::Usage;
use super::connect::Connect;

/// Sign in to a server: keep a token for it, and make it the one that is asked
///
/// The token is read from --token-file, from MUSTER_TOKEN, or from standard input, never from the
/// command line, where others could see it.
#[derive(Debug, Args)]
#[command(after_help = "Example: muster login --server https://muster.example:7443 < token")]
pub(crate) struct Login {
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
        let ca = options.ca.as_ref().map(std::path::absolute).transpose();
        let ca = ca.context("cannot tell where the certificate is")?;
        let target = Target { url: url.clone(), token: Some(token.clone()), ca, pid: None };
        let identity = Client::new(&target)?.whoami().await?;
        let path = options.credentials.ok_or(Error::NoHome("XDG_CONFIG_HOME"))?;
        let mut credentials = Credentials::read(&path)?;
        credentials.remember(Known { url: url.clone(), token, ca: target.ca });
        credentials.write(&path)?;
        let grants: Vec<String> = identity.grants.iter().map(ToString::to_string).collect();
        eprintln!("signed in to {url} as {} ({})", identity.user, grants.join(", "));
        Ok(())
    }
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
