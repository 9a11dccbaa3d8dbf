//! TLS: what a server shows to whoever comes from another machine.
//!
//! Unless it is told otherwise, a server that can be reached from other machines speaks TLS with a
//! certificate of the cluster's own authority, which it makes at its first start. Nodes and people
//! know that authority by its fingerprint. Which requests are allowed is left to `access`.

mod authority;
mod certificates;
mod listener;
mod names;
mod plain;
mod settings;
#[cfg(test)]
mod tests;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rustls::ServerConfig;
use thiserror::Error;

use authority::OwnAuthority;
use certificates::{Certificates, Source};
use names::Names;

pub(crate) use listener::TlsListener;
pub use settings::{TlsMode, TlsSettings};

/// How often it is looked whether the certificate is to be renewed: often enough for files that
/// some other program renews.
const LOOK: Duration = Duration::from_secs(3600);

/// Why a server cannot speak TLS.
#[derive(Debug, Error)]
pub enum TlsError {
    /// A file cannot be read or written.
    #[error("cannot {act} {}: {cause}", path.display())]
    File {
        /// What was tried.
        act: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it failed.
        cause: std::io::Error,
    },
    /// Part of the authority is gone.
    #[error(
        "{} is there but its key {} is not\nhint: put the key back from a backup; without it, \
         remove the folder for a new authority, and let every node join again",
        certificate.display(), key.display()
    )]
    NoKey {
        /// The authority's certificate.
        certificate: PathBuf,
        /// Where its key should be.
        key: PathBuf,
    },
    /// A file does not hold what it should.
    #[error("{} cannot be used: {what}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A certificate cannot be made.
    #[error("cannot make a certificate: {0}")]
    Make(#[from] rcgen::Error),
}

/// What a server that speaks TLS has at hand.
#[derive(Debug)]
pub(crate) struct Tls {
    certificates: Arc<Certificates>,
    config: Arc<ServerConfig>,
    /// The cluster's own authority, and where its certificate is; nothing where the operator
    /// brought a certificate.
    pub(crate) authority: Option<(muster_api::Authority, PathBuf)>,
}

impl Tls {
    /// What is needed to speak TLS on an address; nothing where that is not asked for.
    pub(crate) fn prepare(
        settings: &TlsSettings,
        data: &Path,
        listen: SocketAddr,
    ) -> Result<Option<Tls>, TlsError> {
        if !settings.is_wanted(listen) {
            return Ok(None);
        }
        let mut authority = None;
        let source = match settings.own() {
            Some((certificate, key)) => Source::Files { certificate, key },
            None => {
                let own = OwnAuthority::open(&data.join("tls"))?;
                authority = Some((own.shown(), own.path()));
                let names = Names { listen: listen.ip(), more: settings.names.clone() };
                Source::Authority { authority: Box::new(own), names }
            }
        };
        let certificates = Arc::new(Certificates::new(source, SystemTime::now())?);
        let config = Arc::new(config(Arc::clone(&certificates)));
        Ok(Some(Tls { certificates, config, authority }))
    }

    /// How connections are secured.
    pub(crate) fn config(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.config)
    }

    /// Renews the certificate in time, for as long as it is let.
    pub(crate) async fn keep_fresh(&self) {
        let mut looks = tokio::time::interval(LOOK);
        loop {
            looks.tick().await;
            match self.certificates.renew(SystemTime::now()) {
                Ok(true) => tracing::info!("the server has a new certificate"),
                Ok(false) => {}
                Err(error) => tracing::warn!("the certificate could not be renewed: {error}"),
            }
        }
    }
}

fn config(certificates: Arc<Certificates>) -> ServerConfig {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider has what the default versions need")
        .with_no_client_auth()
        .with_cert_resolver(certificates);
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    config
}

/// The address by which this machine reaches a server: one that listens everywhere also listens
/// on its own.
pub(crate) fn local_address(listens: SocketAddr) -> SocketAddr {
    let ip = match listens.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listens.port())
}
