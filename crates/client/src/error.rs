//! What can go wrong between a person and the cluster, and what to do about it.

use std::io;
use std::path::PathBuf;

use muster_api::{Fingerprint, Problem};
use thiserror::Error;

use crate::trust::Distrust;

/// Why a request came to nothing. [`Error::hint`] says what to do.
#[derive(Debug, Error)]
pub enum Error {
    /// There is no server to ask.
    #[error("no cluster is running here")]
    NoCluster {
        /// Where one would have left its address.
        looked: Option<PathBuf>,
    },
    /// The server does not answer.
    #[error("cannot reach the server at {url}: {}", said(cause))]
    Unreachable {
        /// Its address.
        url: String,
        /// The process that left the address, where it was found in a data directory.
        pid: Option<u32>,
        /// What the network said.
        cause: reqwest::Error,
    },
    /// The server is another than was expected.
    #[error(
        "the server at {url} has another certificate authority than expected: {offered} instead \
         of {expected}"
    )]
    Untrusted {
        /// Its address.
        url: String,
        /// The authority that was expected.
        expected: Fingerprint,
        /// The one it has.
        offered: Fingerprint,
    },
    /// The server refused.
    #[error("{}", words(.0))]
    Refused(Problem),
    /// The answer is not what this client understands.
    #[error("the server at {url} answered with something else than expected: {what}")]
    Answer {
        /// Its address.
        url: String,
        /// What was wrong with it.
        what: String,
    },
    /// An address is not one.
    #[error("`{url}` is not the address of a server: {what}")]
    Address {
        /// What was given.
        url: String,
        /// What is wrong with it.
        what: String,
    },
    /// A file cannot be read or written.
    #[error("cannot {act} {}: {}", path.display(), plain(cause))]
    File {
        /// What was tried.
        act: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it failed.
        cause: io::Error,
    },
    /// A file does not hold what it should.
    #[error("{} cannot be understood: {what}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// There is no home to look in.
    #[error("neither HOME nor {0} is set")]
    NoHome(&'static str),
    /// An element of an array that does not exist.
    #[error("{0}")]
    NoElement(String),
}

impl Error {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        if let Some(distrust) = self.distrust() {
            return Some(distrust.hint().to_owned());
        }
        match self {
            Error::NoCluster { .. } => Some(
                "start one with `muster up`, or name one with --server or MUSTER_SERVER".to_owned(),
            ),
            Error::Untrusted { .. } => Some(
                "somebody may stand between here and the server; if the cluster was set up anew, \
                 ask its operator for a new join token or the new fingerprint"
                    .to_owned(),
            ),
            Error::Unreachable { pid: Some(pid), .. } => Some(format!(
                "process {pid}, which served it, may have ended; start it again with `muster up`"
            )),
            Error::Unreachable { .. } => {
                Some("is the address right, and does the server run?".to_owned())
            }
            Error::Refused(problem) => refused_hint(problem),
            Error::Answer { .. } => {
                Some("do `muster --version` here and the server's version agree?".to_owned())
            }
            Error::Address { .. } => {
                Some("write it as https://HOST:PORT or http://127.0.0.1:PORT".to_owned())
            }
            Error::Content { .. } => Some("mend the file, or remove it".to_owned()),
            Error::NoHome(name) => Some(format!("set {name} to a folder of yours")),
            Error::File { .. } | Error::NoElement(_) => None,
        }
    }

    /// Why the server was not believed, if that is what went wrong. It was sent nothing then.
    pub fn distrust(&self) -> Option<Distrust> {
        match self {
            Error::Unreachable { cause, .. } => Distrust::of(cause),
            _ => None,
        }
    }

    /// Whether the server says that it does not know what was asked for.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Error::Refused(Problem { status: 404, .. }))
    }
}

fn refused_hint(problem: &Problem) -> Option<String> {
    let told = problem.hint.clone();
    told.or_else(|| match problem.status {
        401 => Some("sign in with `muster login`, or give a token with --token-file".to_owned()),
        403 => Some("ask an operator for a role that allows it".to_owned()),
        _ => None,
    })
}

/// What a problem says: its detail, or at least its title.
fn words(problem: &Problem) -> &str {
    if problem.detail.is_empty() { &problem.title } else { &problem.detail }
}

/// The innermost cause in plain words: the layers in between only repeat each other.
fn said(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "no answer in time".to_owned();
    }
    if let Some(distrust) = Distrust::of(error) {
        return distrust.words().to_owned();
    }
    let mut innermost: &dyn std::error::Error = error;
    // Chains of errors are finite: each holds its cause.
    while let Some(cause) = innermost.source() {
        if let Some(cause) = cause.downcast_ref::<io::Error>() {
            return plain(cause);
        }
        innermost = cause;
    }
    innermost.to_string()
}

/// An error of the system without its number.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => error.kind().to_string(),
    }
}
