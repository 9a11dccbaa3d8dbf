//! The certificate that is shown to whoever connects now. Another can take its place at any time;
//! connections that are there go on with what they were opened with.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;

use super::TlsError;
use super::authority::{CERTIFICATE_LIFE, Issued, OwnAuthority};
use super::names::Names;

/// Where certificates come from.
#[derive(Debug)]
pub(super) enum Source {
    /// The cluster's own authority.
    Authority { authority: Box<OwnAuthority>, names: Names },
    /// Files of the operator.
    Files { certificate: PathBuf, key: PathBuf },
}

/// The certificate of a server.
#[derive(Debug)]
pub(crate) struct Certificates {
    source: Source,
    shown: RwLock<Shown>,
}

#[derive(Clone, Debug)]
struct Shown {
    key: Arc<CertifiedKey>,
    made: SystemTime,
}

impl Certificates {
    /// The first one.
    pub(super) fn new(source: Source, now: SystemTime) -> Result<Certificates, TlsError> {
        let shown = RwLock::new(source.take(now)?);
        Ok(Certificates { source, shown })
    }

    /// Shows another one if it is time; whether it was.
    pub(super) fn renew(&self, now: SystemTime) -> Result<bool, TlsError> {
        let shown = self.shown().clone();
        // A clock that was set back may say anything; then one too many is made.
        let age = now.duration_since(shown.made).unwrap_or(CERTIFICATE_LIFE);
        let is_issued = matches!(self.source, Source::Authority { .. });
        if is_issued && age < CERTIFICATE_LIFE / 3 * 2 {
            return Ok(false);
        }
        let next = self.source.take(now)?;
        if next.key.cert == shown.key.cert {
            return Ok(false);
        }
        *self.shown.write().unwrap_or_else(PoisonError::into_inner) = next;
        Ok(true)
    }

    fn shown(&self) -> std::sync::RwLockReadGuard<'_, Shown> {
        self.shown.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.shown().key))
    }
}

impl Source {
    fn take(&self, now: SystemTime) -> Result<Shown, TlsError> {
        let (issued, path) = match self {
            Source::Authority { authority, names } => {
                (authority.issue(names.all(), now)?, authority.path())
            }
            Source::Files { certificate, key } => (read(certificate, key, now)?, key.clone()),
        };
        let Issued { chain, key, made } = issued;
        let provider = rustls::crypto::aws_lc_rs::default_provider();
        let key = CertifiedKey::from_der(chain, key, &provider)
            .map_err(|error| TlsError::Content { path, what: error.to_string() })?;
        Ok(Shown { key: Arc::new(key), made })
    }
}

/// What the operator put there.
fn read(certificate: &Path, key: &Path, now: SystemTime) -> Result<Issued, TlsError> {
    let text = |path: &Path| {
        let path = path.to_owned();
        fs::read(&path).map_err(|cause| TlsError::File { act: "read", path, cause })
    };
    let refuse = |path: &Path, what: String| TlsError::Content { path: path.to_owned(), what };
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text(certificate)?).collect();
    let chain = chain.map_err(|error| refuse(certificate, error.to_string()))?;
    if chain.is_empty() {
        return Err(refuse(certificate, "expected a certificate as PEM".to_owned()));
    }
    let read = PrivateKeyDer::from_pem_slice(&text(key)?);
    let read = read.map_err(|error| refuse(key, format!("expected a key as PEM ({error})")))?;
    Ok(Issued { chain, key: read, made: now })
}
