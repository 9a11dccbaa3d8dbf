//! One request, one answer: addresses, the token, and how answers and refusals are read.

use std::fs;
use std::path::Path;
use std::time::Duration;

use muster_api::Problem;
use reqwest::{Certificate, Method, RequestBuilder, Response, StatusCode, Url};
use serde::de::DeserializeOwned;

use crate::find::Target;
use crate::{Error, Secret};

/// How long to wait for a connection: longer only happens where nothing listens.
pub(crate) const CONNECT: Duration = Duration::from_secs(5);

/// How long an answer may take that is not a stream.
pub(crate) const ANSWER: Duration = Duration::from_secs(30);

/// The longest text of a refusal that is shown when it is not of our own making.
const FOREIGN_MAX: usize = 300;

/// A client of one cluster. Cheap to clone; clones share their connections.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    base: Url,
    token: Option<Secret>,
    pid: Option<u32>,
}

impl Client {
    /// A client of a server. Nothing is asked of it yet.
    pub fn new(target: &Target) -> Result<Client, Error> {
        let base = address(&target.url)?;
        let builder = || {
            reqwest::Client::builder()
                .connect_timeout(CONNECT)
                .user_agent(concat!("muster/", env!("CARGO_PKG_VERSION")))
        };
        let http = match &target.ca {
            Some(path) => builder().tls_certs_only(certificates(path)?).build(),
            // Without TLS there is no need to load everyone the system trusts.
            None if base.scheme() == "http" => builder().tls_certs_only([]).build(),
            // A system that trusts nobody, such as a small container, is no reason to stop here:
            // the server will be a stranger, which has words of its own.
            None => builder().build().or_else(|_| builder().tls_certs_only([]).build()),
        };
        let refuse = |error: reqwest::Error| Error::Address {
            url: target.url.clone(),
            what: error.to_string(),
        };
        let http = http.map_err(refuse)?;
        Ok(Client { http, base, token: target.token.clone(), pid: target.pid })
    }

    /// The server's address.
    pub fn url(&self) -> &str {
        self.base.as_str().trim_end_matches('/')
    }

    /// A request about `/v1` and the given path, with whatever of the query has a value.
    pub(crate) fn request(
        &self,
        method: Method,
        path: &[&str],
        query: &[(&str, Option<String>)],
    ) -> RequestBuilder {
        let mut url = self.base.clone();
        // Names become single segments, whatever they contain.
        url.path_segments_mut()
            .expect("addresses without a path were refused")
            .pop_if_empty()
            .push("v1")
            .extend(path);
        for (name, value) in query {
            if let Some(value) = value {
                url.query_pairs_mut().append_pair(name, value);
            }
        }
        let request = self.http.request(method, url);
        match &self.token {
            Some(token) => request.bearer_auth(token.reveal()),
            None => request,
        }
    }

    /// Asks and reads the answer.
    pub(crate) async fn ask<T: DeserializeOwned>(
        &self,
        request: RequestBuilder,
    ) -> Result<T, Error> {
        let response = self.send(request.timeout(ANSWER)).await?;
        self.read(response).await
    }

    /// Asks for something whose answer does not matter once it is not a refusal.
    pub(crate) async fn tell(&self, request: RequestBuilder) -> Result<(), Error> {
        self.send(request.timeout(ANSWER)).await.map(drop)
    }

    /// Sends a request; a refusal is an error.
    pub(crate) async fn send(&self, request: RequestBuilder) -> Result<Response, Error> {
        let response = request.send().await.map_err(|cause| self.unreachable(cause))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let body = response.text().await.map_err(|cause| self.unreachable(cause))?;
        Err(Error::Refused(problem(status, &body)))
    }

    /// Reads an answer.
    pub(crate) async fn read<T: DeserializeOwned>(&self, response: Response) -> Result<T, Error> {
        let bytes = response.bytes().await.map_err(|cause| self.unreachable(cause))?;
        serde_json::from_slice(&bytes).map_err(|error| self.not_understood(&error))
    }

    /// The network failed.
    pub(crate) fn unreachable(&self, cause: reqwest::Error) -> Error {
        // The address is told anyway, and the query may hold names.
        let cause = cause.without_url();
        Error::Unreachable { url: self.url().to_owned(), pid: self.pid, cause }
    }

    /// The answer has another form than expected.
    pub(crate) fn not_understood(&self, what: &dyn std::fmt::Display) -> Error {
        Error::Answer { url: self.url().to_owned(), what: what.to_string() }
    }
}

/// The address in a text, which must be one of a web server.
pub(crate) fn address(text: &str) -> Result<Url, Error> {
    let refuse = |what: &str| Error::Address { url: text.to_owned(), what: what.to_owned() };
    let url: Url = text.parse().map_err(|_| refuse("it cannot be read as one"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(refuse("it does not start with http:// or https://"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refuse("a token does not belong into it"));
    }
    Ok(url)
}

fn certificates(path: &Path) -> Result<Vec<Certificate>, Error> {
    let bytes = fs::read(path).map_err(|cause| Error::File {
        act: "read the certificate",
        path: path.to_owned(),
        cause,
    })?;
    Certificate::from_pem_bundle(&bytes).map_err(|error| Error::Content {
        path: path.to_owned(),
        what: format!("expected certificates as PEM ({error})"),
    })
}

/// The problem in the body of a refusal, or as much as can be said about one that comes from
/// something else, such as a proxy.
pub(crate) fn problem(status: StatusCode, body: &str) -> Problem {
    if let Ok(problem) = serde_json::from_str(body) {
        return problem;
    }
    let title = status.canonical_reason().unwrap_or("refused").to_lowercase();
    let shown: String = body.trim().chars().take(FOREIGN_MAX).collect();
    let detail = match shown.is_empty() || shown.starts_with('<') {
        true => format!("the server answered {} {title}", status.as_u16()),
        false => format!("the server answered {} {title}: {shown}", status.as_u16()),
    };
    Problem::new(status.as_u16(), &title, detail)
}
