//! Starts a control plane, for `muster server` and `muster up`: says what its operator should read,
//! keeps the tokens of its data directory, and leaves word where it can be found.

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use muster_api::answer::ENDPOINT_FILE;
use muster_api::{Endpoint, Secret};
use muster_server::access::Role;
use muster_server::{Server, ServerSettings};

/// A control plane that can be found by whoever may read its data directory.
#[derive(Debug)]
pub(crate) struct Started {
    /// The server.
    pub(crate) server: Server,
    /// Where this machine reaches it.
    pub(crate) url: String,
    /// The certificate of the cluster's own authority.
    pub(crate) ca: Option<PathBuf>,
    /// Tokens of its data directory.
    pub(crate) credentials: Credentials,
    /// Where that is written.
    pub(crate) file: EndpointFile,
}

impl Started {
    /// Starts it.
    pub(crate) async fn start(settings: ServerSettings) -> Result<Started> {
        let data = settings.data.clone();
        let server = Server::start(settings).await?;
        for warning in &server.warnings {
            eprintln!("warning: {warning}");
        }
        let url = server.url()?;
        let ca = server.authority().map(|(_, path)| std::path::absolute(path)).transpose()?;
        let credentials = Credentials::keep(&data, &server)?;
        let (pid, token) = (std::process::id(), credentials.admin.clone());
        let endpoint = Endpoint { url: url.clone(), pid, token, ca: ca.clone() };
        let file = EndpointFile(data.join(ENDPOINT_FILE));
        keep_private(&file.0, &serde_json::to_vec(&endpoint)?)?;
        Ok(Started { server, url, ca, credentials, file })
    }

    /// What to compare when somebody from another machine signs in for the first time.
    pub(crate) fn fingerprint(&self) -> Option<String> {
        let (authority, _) = self.server.authority()?;
        let fingerprint = authority.fingerprint;
        Some(format!("it is known by the SHA-256 of its authority: {fingerprint}"))
    }
}

/// The file that says where a server is, for as long as it runs.
#[derive(Debug)]
pub(crate) struct EndpointFile(PathBuf);

impl Drop for EndpointFile {
    fn drop(&mut self) {
        // A file that is left behind leads to a server that does not answer, which the CLI says.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Tokens of a data directory for who may read it: one to do everything, one for its own agents.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Credentials {
    pub(crate) admin: Secret,
    pub(crate) agent: Secret,
}

impl Credentials {
    /// Those that are there and good, or new ones.
    fn keep(data: &Path, server: &Server) -> Result<Credentials> {
        let path = data.join("credentials.json");
        let kept = std::fs::read(&path).ok().and_then(|text| serde_json::from_slice(&text).ok());
        let is_good = |kept: &Credentials| {
            [&kept.admin, &kept.agent].iter().all(|token| server.knows(token.reveal()))
        };
        if let Some(kept) = kept.filter(is_good) {
            return Ok(kept);
        }
        let user = crate::cli::login_name()?;
        let make = |user: &str, role| server.token(user, role, None, "of the data directory");
        let made = Credentials {
            admin: Secret::new(&make(&user, Role::Admin)?),
            agent: Secret::new(&make("agent", Role::Agent)?),
        };
        keep_private(&path, &serde_json::to_vec(&made)?)?;
        Ok(made)
    }
}

/// Writes a file that only its owner can read, whole or not at all.
fn keep_private(path: &Path, text: &[u8]) -> Result<()> {
    let said = || format!("cannot write {}", path.display());
    let fresh = path.with_extension("new");
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    let mut file = options.open(&fresh).with_context(said)?;
    file.write_all(text).and_then(|()| file.sync_all()).with_context(said)?;
    std::fs::rename(&fresh, path).with_context(said)
}
