//! Which server to ask, and with which token: what was said, or what a data directory tells.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use muster_api::Endpoint;
use muster_api::answer::ENDPOINT_FILE;

use crate::credentials::Credentials;
use crate::{Client, Error, Secret};

/// The variable with the file that a program in a job was given: the same as `muster login` keeps,
/// with the cluster of the job and a token that is good while the job runs.
pub const JOB_CREDENTIALS: &str = "MUSTER_JOB_CREDENTIALS";

/// The variable with the user whose job a program is in. The account it runs under says less: in a
/// container it may have another name.
pub const JOB_USER: &str = "MUSTER_JOB_USER";

/// What a person said about the cluster, on the command line or in the environment.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The server's address.
    pub server: Option<String>,
    /// The token itself.
    pub token: Option<Secret>,
    /// A file with the token.
    pub token_file: Option<PathBuf>,
    /// The certificate that vouches for the server's, as PEM.
    pub ca: Option<PathBuf>,
    /// The data directory of a server on this machine.
    pub data: Option<PathBuf>,
    /// Where such a directory is when nobody says.
    pub data_default: Option<PathBuf>,
    /// Where `muster login` keeps what it learned.
    pub credentials: Option<PathBuf>,
    /// What a program in a job was given, which goes before what its user keeps.
    pub job_credentials: Option<PathBuf>,
}

/// A server and the token to show it.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its address.
    pub url: String,
    /// The token.
    pub token: Option<Secret>,
    /// The certificate that vouches for its own, as PEM.
    pub ca: Option<PathBuf>,
    /// The process that serves it, where a data directory told.
    pub pid: Option<u32>,
}

impl Options {
    /// The same, with what was left open filled in from the environment.
    #[must_use]
    pub fn or_environment(self, variable: impl Fn(&str) -> Option<String>) -> Options {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let home = |name: &str, below: &str| {
            let own = set(name).map(PathBuf::from);
            own.or_else(|| set("HOME").map(|home| Path::new(&home).join(below)))
        };
        let config = home("XDG_CONFIG_HOME", ".config");
        let data = home("XDG_DATA_HOME", ".local/share");
        // A server named on the command line is not one of a directory in the environment.
        let data_said = set("MUSTER_DATA").filter(|_| self.server.is_none()).map(PathBuf::from);
        let data_wins = self.data.is_some();
        Options {
            server: self.server.or_else(|| set("MUSTER_SERVER").filter(|_| !data_wins)),
            token: self.token.or_else(|| set("MUSTER_TOKEN").map(|token| Secret::new(&token))),
            token_file: self.token_file,
            ca: self.ca.or_else(|| set("MUSTER_CA").map(PathBuf::from)),
            data: self.data.or(data_said),
            data_default: self.data_default.or_else(|| data.map(|data| data.join("muster"))),
            credentials: self
                .credentials
                .or_else(|| config.map(|config| config.join("muster/credentials.toml"))),
            job_credentials: self.job_credentials.or_else(|| set(JOB_CREDENTIALS).map(Into::into)),
        }
    }

    /// The server these options lead to: the one that is named, the one of the data directory
    /// that is named, the one of the usual data directory, or the one signed in to last.
    pub fn target(&self) -> Result<Target, Error> {
        let read = |path: &Option<PathBuf>| match path {
            Some(path) => Credentials::read(path),
            None => Ok(Credentials::default()),
        };
        let (given, signed_in) = (read(&self.job_credentials)?, read(&self.credentials)?);
        if let Some(url) = &self.server {
            let known = given.of(url).or_else(|| signed_in.of(url));
            return Ok(Target {
                url: url.clone(),
                token: self.said_token()?.or_else(|| known.map(|known| known.token.clone())),
                ca: self.ca.clone().or_else(|| known.and_then(|known| known.ca.clone())),
                pid: None,
            });
        }
        if let Some(data) = &self.data {
            let looked = Some(data.join(ENDPOINT_FILE));
            return self.endpoint(data)?.ok_or(Error::NoCluster { looked });
        }
        let usual = self.data_default.as_ref().map(|data| self.endpoint(data)).transpose()?;
        if let Some(target) = usual.flatten() {
            return Ok(target);
        }
        let looked = self.data_default.as_ref().map(|data| data.join(ENDPOINT_FILE));
        let known = given.last().or_else(|| signed_in.last()).ok_or(Error::NoCluster { looked })?;
        Ok(Target {
            url: known.url.clone(),
            token: self.said_token()?.or_else(|| Some(known.token.clone())),
            ca: self.ca.clone().or_else(|| known.ca.clone()),
            pid: None,
        })
    }

    /// The token that was given, which goes before any that was kept.
    pub fn said_token(&self) -> Result<Option<Secret>, Error> {
        let Some(path) = &self.token_file else { return Ok(self.token.clone()) };
        let text = fs::read_to_string(path);
        let text = text.map_err(|cause| Error::File { act: "read", path: path.clone(), cause })?;
        Ok(Some(Secret::new(&text)))
    }

    /// What a server left in its data directory, if one is there.
    fn endpoint(&self, data: &Path) -> Result<Option<Target>, Error> {
        let path = data.join(ENDPOINT_FILE);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(Error::File { act: "read", path, cause }),
        };
        let endpoint: Endpoint = serde_json::from_str(&text)
            .map_err(|error| Error::Content { path, what: error.to_string() })?;
        let kept = Some(endpoint.token).filter(|token| !token.is_empty());
        Ok(Some(Target {
            url: endpoint.url,
            token: self.said_token()?.or(kept),
            ca: self.ca.clone().or(endpoint.ca),
            pid: Some(endpoint.pid),
        }))
    }
}

impl Client {
    /// A client for the cluster that the options lead to. Nothing is asked of it yet.
    pub fn find(options: &Options) -> Result<Client, Error> {
        Client::new(&options.target()?)
    }
}
