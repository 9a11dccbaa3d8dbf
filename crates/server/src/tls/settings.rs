//! `[tls]` of the configuration: whether, and with whose certificate.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use muster_model::Invalid;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The most names a certificate is asked to have: it goes to whoever connects, as a whole.
const NAMES_MAX: usize = 100;

/// When a server speaks TLS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TlsMode {
    /// Where it can be reached from other machines, or has a certificate of its own.
    #[default]
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere: something in front of it does.
    Off,
}

/// How a server speaks TLS.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TlsSettings {
    /// `auto` for wherever it can be reached from other machines, `always`, or `off`.
    pub mode: TlsMode,
    /// A certificate with its chain, as PEM, instead of one by the cluster's own authority. The
    /// file is read again when it has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub certificate: Option<PathBuf>,
    /// Its key, as PEM.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub key: Option<PathBuf>,
    /// Names and addresses by which others reach the server, besides those that this machine
    /// knows it has. With a certificate of one's own, the first is the one this machine uses.
    pub names: Vec<String>,
}

impl TlsSettings {
    /// Whether connections to this address are to be secured.
    pub(crate) fn is_wanted(&self, listen: SocketAddr) -> bool {
        match self.mode {
            TlsMode::Auto => !listen.ip().is_loopback() || self.certificate.is_some(),
            TlsMode::Always => true,
            TlsMode::Off => false,
        }
    }

    /// The certificate and the key that the operator brought.
    pub(crate) fn own(&self) -> Option<(PathBuf, PathBuf)> {
        self.certificate.clone().zip(self.key.clone())
    }

    /// What who starts the server should read.
    pub(crate) fn warning(&self, listen: SocketAddr) -> Option<String> {
        let is_open = self.mode == TlsMode::Off && !listen.ip().is_loopback();
        is_open.then(|| {
            format!(
                "tls.mode is \"off\" and {listen} can be reached from other machines: tokens, jobs \
                 and their output travel for all to read unless a proxy in front secures them"
            )
        })
    }

    /// What makes no sense.
    pub(crate) fn mistakes(&self) -> Vec<Invalid> {
        let mut wrong = Vec::new();
        let (certificate, key) = (self.certificate.is_some(), self.key.is_some());
        if certificate != key {
            let allowed = "expected `certificate` and `key` together, or neither";
            let field = if certificate { "tls.certificate" } else { "tls.key" };
            wrong.push(Invalid::new(field, "only this", allowed));
        }
        let first = self.names.first().filter(|name| !name.starts_with('*'));
        if certificate && first.is_none() && self.mode != TlsMode::Off {
            let allowed = "expected a name that `certificate` is good for to come first: this \
                           machine uses it";
            wrong.push(Invalid::new("tls.names", format!("{:?}", self.names), allowed));
        }
        if self.names.len() > NAMES_MAX {
            let allowed = format!("expected at most {NAMES_MAX}");
            wrong.push(Invalid::new("tls.names", self.names.len().to_string(), allowed));
        }
        for (at, name) in self.names.iter().enumerate().filter(|(_, name)| !is_name(name)) {
            let allowed = "expected a host name or an address, such as muster.example or 10.0.0.5";
            wrong.push(Invalid::new(format!("tls.names[{at}]"), name.as_str(), allowed));
        }
        wrong
    }
}

/// Whether a text is an address, or a name as they are in certificates.
pub(super) fn is_name(text: &str) -> bool {
    let is_label = |label: &str| {
        let fits = (1..=63).contains(&label.len());
        let known = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        fits && known && !label.starts_with('-') && !label.ends_with('-')
    };
    let name = text.strip_prefix("*.").unwrap_or(text);
    let is_host = name.len() <= 253 && name.split('.').all(is_label);
    text.parse::<IpAddr>().is_ok() || is_host
}
