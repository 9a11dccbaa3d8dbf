//! Certificates: how they are made, kept, renewed while connections go on, and refused.

use std::net::IpAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio_rustls::client::TlsStream as ClientStream;
use tokio_rustls::server::TlsStream as ServerStream;
use tokio_rustls::{TlsAcceptor, TlsConnector};

use super::authority::{CERTIFICATE_LIFE, OwnAuthority};
use super::certificates::{Certificates, Source};
use super::names::Names;
use super::{TlsError, TlsMode, TlsSettings, config};

const DAY: Duration = Duration::from_secs(24 * 3600);

/// Certificates of an authority of their own, the first of them made at a time.
fn own(folder: &Path, made: SystemTime) -> Arc<Certificates> {
    let authority = Box::new(OwnAuthority::open(folder).expect("a folder of ours"));
    let names = Names { listen: IpAddr::from([127, 0, 0, 1]), more: Vec::new() };
    let first = Certificates::new(Source::Authority { authority, names }, made);
    Arc::new(first.expect("an authority makes certificates"))
}

/// Both ends of a connection whose client trusts the authority in a folder.
async fn connect(
    folder: &Path,
    certificates: &Arc<Certificates>,
) -> (ClientStream<DuplexStream>, ServerStream<DuplexStream>) {
    let mut roots = RootCertStore::empty();
    let ca = CertificateDer::from_pem_file(folder.join("ca.pem")).expect("it is kept");
    roots.add(ca).expect("it is an authority");
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let client = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider has them")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let (near, far) = tokio::io::duplex(64 * 1024);
    let name = "localhost".try_into().expect("it is a name");
    let connecting = TlsConnector::from(Arc::new(client)).connect(name, near);
    let accepting = TlsAcceptor::from(Arc::new(config(Arc::clone(certificates)))).accept(far);
    tokio::try_join!(connecting, accepting).expect("each believes the other")
}

fn shown(stream: &ClientStream<DuplexStream>) -> CertificateDer<'static> {
    let chain = stream.get_ref().1.peer_certificates().expect("a server shows one");
    chain[0].clone().into_owned()
}

#[tokio::test]
async fn new_certificate_is_shown_without_a_restart_and_old_connections_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let now = SystemTime::now();
    let certificates = own(folder.path(), now - CERTIFICATE_LIFE / 3 * 2 + DAY);
    let (mut old, mut old_server) = connect(folder.path(), &certificates).await;
    assert!(!certificates.renew(now).expect("nothing to do"), "it is good for long enough");
    assert!(certificates.renew(now + DAY).expect("it can be renewed"), "a third of it is left");
    assert!(!certificates.renew(now + DAY).expect("nothing to do"), "once is enough");
    let (new, _server) = connect(folder.path(), &certificates).await;
    assert_ne!(shown(&old), shown(&new));
    old.write_all(b"still here").await.expect("the old connection is open");
    old.flush().await.expect("the old connection is open");
    let mut heard = [0; 10];
    old_server.read_exact(&mut heard).await.expect("the old connection is open");
    assert_eq!(&heard, b"still here");
}

#[tokio::test]
async fn files_of_the_operator_are_read_again_when_they_have_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (certificate, key) = (folder.path().join("own.pem"), folder.path().join("own.key"));
    OwnAuthority::open(folder.path()).expect("a folder of ours");
    let write = || {
        let pair = rcgen::KeyPair::generate().expect("a key");
        let params = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).expect("a name");
        let issuer_key = std::fs::read_to_string(folder.path().join("ca.key")).expect("a key");
        let issuer_key = rcgen::KeyPair::from_pem(&issuer_key).expect("a key");
        let issuer = rcgen::Issuer::new(super::authority::params(SystemTime::now()), issuer_key);
        let made = params.signed_by(&pair, &issuer).expect("it signs");
        std::fs::write(&certificate, made.pem()).expect("a folder of ours");
        std::fs::write(&key, pair.serialize_pem()).expect("a folder of ours");
    };
    write();
    let source = Source::Files { certificate: certificate.clone(), key: key.clone() };
    let now = SystemTime::now();
    let certificates = Arc::new(Certificates::new(source, now).expect("they fit each other"));
    let (first, _) = connect(folder.path(), &certificates).await;
    assert!(!certificates.renew(now).expect("they can be read"), "nothing has changed");
    write();
    assert!(certificates.renew(now).expect("they can be read"), "they have changed");
    let (second, _) = connect(folder.path(), &certificates).await;
    assert_ne!(shown(&first), shown(&second));
    // A key of somebody else, as in the middle of a change, is not taken.
    std::fs::copy(folder.path().join("ca.key"), &key).expect("a folder of ours");
    assert!(matches!(certificates.renew(now), Err(TlsError::Content { .. })));
    let (third, _) = connect(folder.path(), &certificates).await;
    assert_eq!(shown(&second), shown(&third), "what was shown is still shown");
}

#[test]
fn authority_is_found_again_with_its_key_closed_to_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = OwnAuthority::open(folder.path()).expect("a new one is made").shown();
    let key = folder.path().join("ca.key");
    let mode = |mode| std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(&key, mode(0o644)).expect("it is ours");
    let again = OwnAuthority::open(folder.path()).expect("it is there").shown();
    assert_eq!(again, first);
    let found = std::fs::metadata(&key).expect("it is there").permissions();
    assert_eq!(found.mode() & 0o777, 0o600);
}

#[test]
fn authority_without_its_own_key_is_refused() {
    let (folder, other) = (tempfile::tempdir().expect("one"), tempfile::tempdir().expect("two"));
    OwnAuthority::open(folder.path()).expect("a new one is made");
    OwnAuthority::open(other.path()).expect("a new one is made");
    std::fs::copy(other.path().join("ca.key"), folder.path().join("ca.key"))
        .expect("both are ours");
    let strange = OwnAuthority::open(folder.path()).expect_err("the key is another's");
    assert!(strange.to_string().contains("does not vouch for"), "{strange}");
    std::fs::remove_file(folder.path().join("ca.key")).expect("it is ours");
    let gone = OwnAuthority::open(folder.path()).expect_err("the key is gone");
    assert!(matches!(gone, TlsError::NoKey { .. }), "{gone}");
}

#[test]
fn start_that_was_cut_short_after_the_key_is_made_up_for() {
    let folder = tempfile::tempdir().expect("a folder");
    OwnAuthority::open(folder.path()).expect("a new one is made");
    std::fs::remove_file(folder.path().join("ca.pem")).expect("it is ours");
    OwnAuthority::open(folder.path()).expect("another is made");
}

#[test]
fn tls_is_spoken_where_others_can_listen_unless_that_is_refused_by_name() {
    let (here, there) = ("127.0.0.1:1", "10.0.0.5:1");
    let asks = |mode, certificate: Option<&str>| {
        let certificate = certificate.map(Into::into);
        let settings = TlsSettings { mode, certificate, ..TlsSettings::default() };
        [here, there].map(|address| settings.is_wanted(address.parse().expect("an address")))
    };
    assert_eq!(asks(TlsMode::Auto, None), [false, true]);
    assert_eq!(asks(TlsMode::Auto, Some("own.pem")), [true, true]);
    assert_eq!(asks(TlsMode::Always, None), [true, true]);
    assert_eq!(asks(TlsMode::Off, None), [false, false]);
}

#[test]
fn mistakes_in_the_settings_are_told_by_their_keys() {
    let read = |text: &str| crate::config::ServerFile::read(text).map(|_| ());
    for (text, words) in [
        ("[tls]\ncertificate = \"own.pem\"\nnames = [\"a\"]\n", "`certificate` and `key` together"),
        ("[tls]\ncertificate = \"a\"\nkey = \"b\"\n", "tls.names"),
        ("[tls]\nnames = [\"muster.example\", \"no name\"]\n", "tls.names[1]"),
        ("[tls]\nmode = \"maybe\"\n", "maybe"),
    ] {
        let mistakes = read(text).expect_err(text);
        let told: Vec<_> = mistakes.iter().map(ToString::to_string).collect();
        assert!(told.iter().any(|told| told.contains(words)), "{text}: {told:?}");
        assert!(mistakes.iter().all(|mistake| mistake.line.is_some()), "{text}: {told:?}");
    }
    assert_eq!(read("[tls]\nnames = [\"*.muster.example\", \"10.0.0.5\", \"::1\"]\n"), Ok(()));
}
