//! Whom to believe: the authority a cluster has of its own, got from the cluster itself and known
//! by its fingerprint; and what is wrong when a server is not believed.

use std::error::Error as StdError;
use std::io;

use muster_api::{Authority, Fingerprint};
use reqwest::redirect::Policy;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{CertificateError, InvalidMessage};

use crate::Error;
use crate::client::{ANSWER, CONNECT, address};

/// The longest answer that is read from a server that nobody vouches for.
const ANSWER_MAX: usize = 64 * 1024;

/// How a server is reached before it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// As programs of people reach others: by the proxies their environment names.
    Usual,
    /// Straight.
    Direct,
}

/// Asks a server for its cluster's authority, over a connection that nobody vouches for. The
/// answer is worth nothing until somebody has compared its fingerprint.
pub async fn offered(url: &str, route: Route) -> Result<Authority, Error> {
    let builder = match route {
        Route::Usual => reqwest::Client::builder(),
        Route::Direct => reqwest::Client::builder().no_proxy(),
    };
    let unsafe_client = builder
        .tls_danger_accept_invalid_certs(true)
        .redirect(Policy::none())
        .connect_timeout(CONNECT)
        .timeout(ANSWER)
        .build()
        .map_err(|error| Error::Address { url: url.to_owned(), what: error.to_string() })?;
    let unreachable = |cause: reqwest::Error| Error::Unreachable {
        url: url.to_owned(),
        pid: None,
        cause: cause.without_url(),
    };
    let mut asked = address(url)?;
    let mut path = asked.path_segments_mut().expect("addresses without a path were refused");
    path.pop_if_empty().extend(["v1", "ca"]);
    drop(path);
    let mut response = unsafe_client.get(asked).send().await.map_err(unreachable)?;
    let status = response.status();
    let mut body = Vec::new();
    while let Some(more) = response.chunk().await.map_err(unreachable)? {
        body.extend_from_slice(&more);
        if body.len() > ANSWER_MAX {
            return Err(answer(url, "it is too long"));
        }
    }
    if !status.is_success() {
        return Err(Error::Refused(crate::client::problem(
            status,
            &String::from_utf8_lossy(&body),
        )));
    }
    let said: Authority =
        serde_json::from_slice(&body).map_err(|error| answer(url, &error.to_string()))?;
    let fingerprint = fingerprint(&said.certificate).map_err(|what| answer(url, &what))?;
    Ok(Authority { fingerprint, ..said })
}

/// The same, for who knows the fingerprint: anything else is refused.
pub async fn expected(
    url: &str,
    route: Route,
    fingerprint: Fingerprint,
) -> Result<Authority, Error> {
    let authority = offered(url, route).await?;
    if authority.fingerprint == fingerprint {
        return Ok(authority);
    }
    let (url, offered) = (url.to_owned(), authority.fingerprint);
    Err(Error::Untrusted { url, expected: fingerprint, offered })
}

/// The fingerprint of the one certificate in a text: were there several, one could be compared and
/// another believed.
fn fingerprint(pem: &str) -> Result<Fingerprint, String> {
    let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem.as_bytes()).collect();
    let all = all.map_err(|error| error.to_string())?;
    let [certificate] = &all[..] else {
        return Err(format!("expected one certificate, got {}", all.len()));
    };
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, certificate);
    Ok(Fingerprint(digest.as_ref().try_into().expect("a SHA-256 has 32 bytes")))
}

fn answer(url: &str, what: &str) -> Error {
    Error::Answer { url: url.to_owned(), what: what.to_owned() }
}

/// Why a server was not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distrust {
    /// Nobody we trust vouches for it.
    Stranger,
    /// It has a certificate for other names.
    Name,
    /// Its certificate is not good at this time.
    Time,
    /// It does not speak TLS.
    Plain,
}

impl Distrust {
    /// What in a failure was a lack of trust, if anything.
    pub fn of(error: &(dyn StdError + 'static)) -> Option<Distrust> {
        let mut next = Some(error);
        // Chains of errors are finite: each holds its cause. Those of the system hide the one they
        // were made of from whoever asks for causes only.
        while let Some(cause) = next {
            if let Some(found) = cause.downcast_ref::<rustls::Error>() {
                return of_tls(found);
            }
            let made_of = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
            next = match made_of {
                Some(inner) => Some(inner),
                None => cause.source(),
            };
        }
        None
    }

    /// What happened.
    pub const fn words(self) -> &'static str {
        match self {
            Distrust::Stranger => "nobody that is trusted here vouches for its certificate",
            Distrust::Name => "its certificate is not for this name",
            Distrust::Time => "its certificate is not good at this time",
            Distrust::Plain => "it does not speak TLS",
        }
    }

    /// What to do.
    pub const fn hint(self) -> &'static str {
        match self {
            Distrust::Stranger => {
                "sign in with `muster login --server URL`, or name the certificate of the \
                 cluster's authority with --ca (tls/ca.pem in the server's data directory)"
            }
            Distrust::Name => {
                "use a name that the server has, or add this one to `names` under [tls] in its \
                 configuration"
            }
            Distrust::Time => "do the clocks here and on the server agree?",
            Distrust::Plain => "write http:// instead of https:// if that is meant",
        }
    }
}

fn of_tls(error: &rustls::Error) -> Option<Distrust> {
    match error {
        rustls::Error::InvalidCertificate(why) => Some(match why {
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                Distrust::Name
            }
            CertificateError::Expired
            | CertificateError::ExpiredContext { .. }
            | CertificateError::NotValidYet
            | CertificateError::NotValidYetContext { .. } => Distrust::Time,
            _ => Distrust::Stranger,
        }),
        rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType) => Some(Distrust::Plain),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_certificate_is_found_inside_other_errors() {
        let of = |why| {
            let inner = rustls::Error::InvalidCertificate(why);
            Distrust::of(&io::Error::other(io::Error::new(io::ErrorKind::InvalidData, inner)))
        };
        assert_eq!(of(CertificateError::UnknownIssuer), Some(Distrust::Stranger));
        assert_eq!(of(CertificateError::BadSignature), Some(Distrust::Stranger));
        assert_eq!(of(CertificateError::NotValidForName), Some(Distrust::Name));
        assert_eq!(of(CertificateError::Expired), Some(Distrust::Time));
        assert_eq!(Distrust::of(&io::Error::from(io::ErrorKind::ConnectionRefused)), None);
    }

    #[test]
    fn a_second_certificate_is_not_taken_along() {
        let one = "-----BEGIN CERTIFICATE-----\nAQID\n-----END CERTIFICATE-----\n";
        let known = "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81";
        assert_eq!(fingerprint(one).map(|found| found.to_string()), Ok(known.to_owned()));
        assert!(fingerprint(&one.repeat(2)).is_err());
        assert!(fingerprint("").is_err());
    }
}
