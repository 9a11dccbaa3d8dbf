//! What `muster login` keeps: a token for each server, readable by their owner alone.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use muster_api::Authority;
use serde::{Deserialize, Serialize};

use crate::{Error, Secret};

/// The servers one has signed in to, the latest last.
#[derive(Clone, Debug, Default)]
pub struct Credentials {
    known: Vec<Known>,
}

/// One server.
#[derive(Clone, Debug)]
pub struct Known {
    /// Its address.
    pub url: String,
    /// The token.
    pub token: Secret,
    /// The certificate that vouches for its own, as PEM.
    pub ca: Option<PathBuf>,
}

/// The file as it is written.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Written {
    server: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    url: String,
    token: Secret,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ca: Option<PathBuf>,
}

impl Credentials {
    /// What is in the file; nothing where there is none.
    pub fn read(path: &Path) -> Result<Credentials, Error> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(cause) => return Err(Error::File { act: "read", path: path.to_owned(), cause }),
        };
        // The parser's own message would quote the line, and with it the token.
        Credentials::parse(&text).ok_or_else(|| Error::Content {
            path: path.to_owned(),
            what: "expected tables [[server]] with url and token".to_owned(),
        })
    }

    /// What a file of this kind says, if it is one.
    pub fn parse(text: &str) -> Option<Credentials> {
        let written: Written = toml::from_str(text).ok()?;
        let known = written.server.into_iter();
        let known = known.map(|Entry { url, token, ca }| Known { url, token, ca });
        Some(Credentials { known: known.collect() })
    }

    /// What is known about a server.
    pub fn of(&self, url: &str) -> Option<&Known> {
        self.known.iter().find(|known| is_same(&known.url, url))
    }

    /// The server that was signed in to last.
    pub fn last(&self) -> Option<&Known> {
        self.known.last()
    }

    /// Remembers a server instead of what was known about it.
    pub fn remember(&mut self, known: Known) {
        self.known.retain(|old| !is_same(&old.url, &known.url));
        self.known.push(known);
    }

    /// What the file says.
    pub fn text(&self) -> String {
        let entry = |known: &Known| Entry {
            url: known.url.clone(),
            token: known.token.clone(),
            ca: known.ca.clone(),
        };
        let written = Written { server: self.known.iter().map(entry).collect() };
        toml::to_string(&written).expect("texts can be written as TOML")
    }

    /// Writes the file as a whole, for nobody but its owner to read.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        replace(path, &self.text()).map_err(|cause| Error::File {
            act: "write",
            path: path.to_owned(),
            cause,
        })
    }
}

/// Keeps the certificate of a cluster's authority beside the credentials, and returns where.
pub fn keep_authority(credentials: &Path, authority: &Authority) -> Result<PathBuf, Error> {
    let path = credentials.with_file_name(format!("ca-{}.pem", authority.fingerprint));
    let written = replace(&path, &authority.certificate);
    written.map_err(|cause| Error::File { act: "write", path: path.clone(), cause })?;
    Ok(path)
}

/// A slash at the end makes no other server.
fn is_same(one: &str, other: &str) -> bool {
    one.trim_end_matches('/') == other.trim_end_matches('/')
}

/// Puts a new file in the place of the old one, so that neither half of a write nor a moment
/// with wider permissions can be seen.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let mut options = fs::OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(0o600).open(&beside)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    let moved = written.and_then(|()| fs::rename(&beside, path));
    if moved.is_err() {
        // What failed is worth telling; that the remains could not be removed is not.
        let _ = fs::remove_file(&beside);
    }
    moved
}
