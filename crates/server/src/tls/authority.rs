//! The cluster's own certificate authority: made at the first start, kept in the data directory,
//! and used for nothing but this server's certificate.

use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use muster_api::{Authority, Fingerprint};
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair, KeyUsagePurpose,
};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

use super::TlsError;
use crate::private_file::{close, keep};

/// The name of every such authority; they are told apart by their keys.
const NAME: &str = "Muster cluster authority";

const DAY: Duration = Duration::from_secs(24 * 3600);

/// Nodes would all have to join again when it ends: it outlives the machines.
const AUTHORITY_LIFE: Duration = Duration::from_secs(20 * 365 * 24 * 3600);

/// How long a server's certificate is good. It is renewed long before.
pub(super) const CERTIFICATE_LIFE: Duration = Duration::from_secs(90 * 24 * 3600);

/// The authority, with its key.
#[derive(Debug)]
pub(crate) struct OwnAuthority {
    folder: PathBuf,
    issuer: Issuer<'static, KeyPair>,
    certificate: CertificateDer<'static>,
    pem: String,
}

/// A certificate and its key.
#[derive(Debug)]
pub(super) struct Issued {
    pub(super) chain: Vec<CertificateDer<'static>>,
    pub(super) key: PrivateKeyDer<'static>,
    pub(super) made: SystemTime,
}

impl OwnAuthority {
    /// The one that is kept in a folder, or a new one.
    pub(crate) fn open(folder: &Path) -> Result<OwnAuthority, TlsError> {
        let failed = |act, path: &Path| {
            let path = path.to_owned();
            move |cause| TlsError::File { act, path, cause }
        };
        let (path, key_path) = (folder.join("ca.pem"), folder.join("ca.key"));
        let (pem, key) = match (read(&path)?, read(&key_path)?) {
            (Some(pem), Some(key)) => {
                close(&key_path).map_err(failed("close to others", &key_path))?;
                let refuse = |error: rcgen::Error| content(&key_path, error.to_string());
                (pem, KeyPair::from_pem(&key).map_err(refuse)?)
            }
            (Some(_), None) => return Err(TlsError::NoKey { certificate: path, key: key_path }),
            // A key alone is what a start that was cut short left: nobody has seen a certificate.
            (None, _) => {
                let key = KeyPair::generate()?;
                let made = params(SystemTime::now()).self_signed(&key)?;
                let mut builder = fs::DirBuilder::new();
                let made_folder = builder.recursive(true).mode(0o700).create(folder);
                made_folder.map_err(failed("make", folder))?;
                let text = key.serialize_pem();
                keep(&key_path, text.as_bytes(), 0o600).map_err(failed("write", &key_path))?;
                keep(&path, made.pem().as_bytes(), 0o644).map_err(failed("write", &path))?;
                (made.pem(), key)
            }
        };
        let refuse = |error: rustls::pki_types::pem::Error| content(&path, error.to_string());
        let certificate = CertificateDer::from_pem_slice(pem.as_bytes()).map_err(refuse)?;
        let issuer = Issuer::new(params(SystemTime::now()), key);
        let own = OwnAuthority { folder: folder.to_owned(), issuer, certificate, pem };
        own.check()?;
        Ok(own)
    }

    /// Where its certificate is.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.join("ca.pem")
    }

    /// What everyone may see of it.
    pub(crate) fn shown(&self) -> Authority {
        let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, &self.certificate);
        let bytes = digest.as_ref().try_into().expect("a SHA-256 has 32 bytes");
        Authority { certificate: self.pem.clone(), fingerprint: Fingerprint(bytes) }
    }

    /// A certificate for a server of these names, with a key that nobody else has.
    pub(super) fn issue(&self, names: Vec<String>, now: SystemTime) -> Result<Issued, TlsError> {
        let key = KeyPair::generate()?;
        let mut params = CertificateParams::new(names)?;
        params.distinguished_name = named("Muster server");
        // Clocks of others may be behind.
        params.not_before = (now - DAY).into();
        params.not_after = (now + CERTIFICATE_LIFE).into();
        params.use_authority_key_identifier_extension = true;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let certificate = params.signed_by(&key, &self.issuer)?;
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        Ok(Issued { chain: vec![certificate.into()], key, made: now })
    }

    /// Refuses a certificate that does not belong to the key, or has ended: whoever trusts it
    /// would find out one by one.
    fn check(&self) -> Result<(), TlsError> {
        use rustls::client::danger::ServerCertVerifier;
        let refuse = |error: &dyn std::fmt::Display| {
            content(&self.path(), format!("it does not vouch for what its key signs: {error}"))
        };
        let now = SystemTime::now();
        let tried = self.issue(vec!["localhost".to_owned()], now)?;
        let mut roots = rustls::RootCertStore::empty();
        roots.add(self.certificate.clone()).map_err(|error| refuse(&error))?;
        let provider = std::sync::Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let builder = rustls::client::WebPkiServerVerifier::builder_with_provider(
            std::sync::Arc::new(roots),
            provider,
        );
        let verifier = builder.build().map_err(|error| refuse(&error))?;
        let name = "localhost".try_into().expect("it is a name");
        let time = rustls::pki_types::UnixTime::now();
        let checked = verifier.verify_server_cert(&tried.chain[0], &[], &name, &[], time);
        checked.map(drop).map_err(|error| refuse(&error))
    }
}

/// The certificate of an authority. Only its name and its key matter to what it signs.
pub(super) fn params(now: SystemTime) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = named(NAME);
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params.not_before = (now - DAY).into();
    params.not_after = (now + AUTHORITY_LIFE).into();
    params
}

fn named(name: &str) -> DistinguishedName {
    let mut full = DistinguishedName::new();
    full.push(DnType::CommonName, name);
    full
}

fn content(path: &Path, what: String) -> TlsError {
    TlsError::Content { path: path.to_owned(), what }
}

/// A file's text; nothing where there is none.
fn read(path: &Path) -> Result<Option<String>, TlsError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(TlsError::File { act: "read", path: path.to_owned(), cause }),
    }
}
