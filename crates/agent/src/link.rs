//! The requests an agent makes of its server.

pub mod backoff;
mod lines;
mod log;

use std::time::Duration;

use muster_api::{Announce, Announced, Directive, LogOrder, Problem, Received, Reports};
use muster_client::trust::Distrust;
use reqwest::{Client, ClientBuilder, Response, StatusCode};
use tokio::sync::mpsc;

use crate::clock;
use crate::host::Output;
use crate::settings::Settings;

/// How long a server may take to answer before it is asked again.
pub(crate) const ANSWER: Duration = Duration::from_secs(10);

/// How often it is asked whether the other end of a shared connection is there, and how long that
/// may take: together no longer than [`ANSWER`].
const ALIVE: Duration = Duration::from_secs(5);

/// A stream of directives is given up when nothing has come for so many times the span in which
/// something must.
const SILENCE: u32 = 3;

/// What came of a request. The moment is when it was *sent*: leases count from there.
#[derive(Debug)]
pub enum Answer {
    /// The announcement was accepted.
    Announced {
        /// What was granted.
        announced: Announced,
        /// When it was sent.
        sent_ms: u64,
        /// How many reports it told.
        told: usize,
    },
    /// It was not.
    NotAnnounced(Failure),
    /// A directive of a session.
    Directive(u64, Directive),
    /// The stream of a session is over.
    StreamEnded(u64, Failure),
    /// The server has received reports of a session.
    Received {
        /// The session.
        session: u64,
        /// What it has.
        received: Received,
        /// When they were sent.
        sent_ms: u64,
    },
    /// It has not.
    NotReceived(u64, Failure),
}

/// Why a request came to nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The server does not know the session, or another agent has the node.
    #[error("{0}")]
    Conflict(String),
    /// The server refuses.
    #[error("{0}")]
    Refused(String),
    /// The server cannot be reached, or is busy.
    #[error("{0}")]
    Unreachable(String),
}

/// The way to the server.
#[derive(Clone, Debug)]
pub struct Link {
    client: Client,
    logs: Client,
    server: String,
    token: muster_api::Secret,
    answers: mpsc::Sender<Answer>,
}

impl Link {
    /// A way to the server, and where its answers arrive.
    pub fn new(
        settings: &Settings,
        answers: mpsc::Sender<Answer>,
    ) -> Result<Link, Box<dyn std::error::Error + Send + Sync>> {
        let client = builder(settings)?.build()?;
        // Secured requests share a connection, and output that its reader does not take would
        // fill it: no report would pass any more, and the lease would end.
        let logs = match settings.server.starts_with("https://") {
            true => builder(settings)?.http1_only().build()?,
            false => client.clone(),
        };
        let server = settings.server.trim_end_matches('/').to_owned();
        Ok(Link { client, logs, server, token: settings.token.clone(), answers })
    }

    /// Announces the node.
    pub fn announce(&self, announce: Announce) {
        let link = self.clone();
        tokio::spawn(async move {
            let sent_ms = clock::boot_ms();
            let told = announce.reports.len();
            let asked = link.post("/v1/agent/announce").timeout(ANSWER).json(&announce);
            let answer = match read(asked).await {
                Ok(announced) => Answer::Announced { announced, sent_ms, told },
                Err(failure) => Answer::NotAnnounced(failure),
            };
            link.tell(answer).await;
        });
    }

    /// Sends reports, or only renews the lease.
    pub fn report(&self, reports: Reports) {
        let link = self.clone();
        tokio::spawn(async move {
            let (sent_ms, session) = (clock::boot_ms(), reports.session);
            let asked = link.post("/v1/agent/reports").timeout(ANSWER).json(&reports);
            let answer = match read(asked).await {
                Ok(received) => Answer::Received { session, received, sent_ms },
                Err(failure) => Answer::NotReceived(session, failure),
            };
            link.tell(answer).await;
        });
    }

    /// Listens to directives after a version, until the stream ends.
    pub fn listen(&self, session: u64, after: u64, renew_ms: u64) {
        let link = self.clone();
        tokio::spawn(async move {
            let failure = link.follow(session, after, Duration::from_millis(renew_ms)).await;
            link.tell(Answer::StreamEnded(session, failure)).await;
        });
    }

    async fn follow(&self, session: u64, after: u64, renew: Duration) -> Failure {
        let path = format!("/v1/agent/directives?session={session}&after={after}");
        let asked = self.client.get(format!("{}{path}", self.server));
        let asked = asked.bearer_auth(self.token.reveal()).send();
        let asked = tokio::time::timeout(ANSWER, asked).await;
        let Ok(asked) = asked else { return unreachable_because("it does not answer") };
        let mut response = match check(asked).await {
            Ok(response) => response,
            Err(failure) => return failure,
        };
        let mut lines = lines::Lines::default();
        loop {
            let next = tokio::time::timeout(renew * SILENCE, response.chunk()).await;
            let bytes = match next {
                Ok(Ok(Some(bytes))) => bytes,
                Ok(Ok(None)) => return unreachable_because("it ended the stream of directives"),
                Ok(Err(error)) => return unreachable(&error),
                Err(_) => return unreachable_because("its stream of directives is silent"),
            };
            let Some(lines) = lines.take(&bytes) else {
                return Failure::Refused("the server sent a line without an end".to_owned());
            };
            for line in lines {
                match serde_json::from_slice(&line) {
                    Ok(directive) => self.tell(Answer::Directive(session, directive)).await,
                    Err(error) => {
                        let what = format!("cannot understand a directive: {error}");
                        return Failure::Refused(what);
                    }
                }
            }
        }
    }

    /// Sends what a task has written.
    pub fn send_log(&self, order: &LogOrder, output: Option<Output>) {
        let link = self.clone();
        let (request, from, follow) = (order.request, order.from, order.follow);
        tokio::spawn(async move {
            let parts = log::read(output, from, follow);
            let asked = link.logs.post(format!("{}/v1/agent/logs/{request}", link.server));
            let asked = asked.bearer_auth(link.token.reveal());
            let asked = asked.body(reqwest::Body::wrap_stream(parts)).send();
            if let Err(failure) = check(asked.await).await {
                tracing::debug!("log request {request} came to nothing: {failure}");
            }
        });
    }

    fn post(&self, path: &str) -> reqwest::RequestBuilder {
        self.client.post(format!("{}{path}", self.server)).bearer_auth(self.token.reveal())
    }

    async fn tell(&self, answer: Answer) {
        // An agent that has shut down does not listen.
        let _ = self.answers.send(answer).await;
    }
}

/// How the server is reached, and believed.
pub(crate) fn builder(
    settings: &Settings,
) -> Result<ClientBuilder, Box<dyn std::error::Error + Send + Sync>> {
    // Whoever was first has chosen; there is only the one provider in the program.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    // A connection that is shared is kept although requests on it fail: only this finds out that
    // the other end is gone.
    let builder = Client::builder()
        .tcp_nodelay(true)
        .no_proxy()
        .http2_keep_alive_interval(ALIVE)
        .http2_keep_alive_timeout(ALIVE)
        .http2_keep_alive_while_idle(true);
    if let Some(path) = &settings.ca {
        let text = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        return Ok(builder.tls_certs_only(reqwest::Certificate::from_pem_bundle(&text)?));
    }
    match settings.server.starts_with("http://") {
        // Without TLS there is no need to load everyone the system trusts.
        true => Ok(builder.tls_certs_only([])),
        false => Ok(builder),
    }
}

pub(crate) async fn read<T: serde::de::DeserializeOwned>(
    asked: reqwest::RequestBuilder,
) -> Result<T, Failure> {
    let response = check(asked.send().await).await?;
    response.json().await.map_err(|error| match error.is_decode() {
        true => Failure::Refused(format!("cannot understand the server: {error}")),
        false => unreachable(&error),
    })
}

/// Tells answers from refusals, with what the server says about them.
async fn check(response: Result<Response, reqwest::Error>) -> Result<Response, Failure> {
    let response = response.map_err(|error| unreachable(&error))?;
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let text = response.text().await.unwrap_or_default();
    let said = serde_json::from_str::<Problem>(&text);
    let said = said.map_or_else(|_| status.to_string(), |problem| problem.to_string());
    Err(match status {
        StatusCode::CONFLICT => Failure::Conflict(said),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => Failure::Unreachable(said),
        status if status.is_client_error() => Failure::Refused(said),
        _ => Failure::Unreachable(said),
    })
}

fn unreachable(error: &reqwest::Error) -> Failure {
    match Distrust::of(error) {
        // Clocks are set right a while after a machine has started.
        None | Some(Distrust::Time) => {}
        Some(distrust) => {
            let hint = match distrust {
                Distrust::Stranger => {
                    "join by a token of this cluster (`muster token join`), or name the \
                     certificate of its authority with --ca"
                }
                other => other.hint(),
            };
            return Failure::Refused(format!("{}\nhint: {hint}", distrust.words()));
        }
    }
    let mut said = error.to_string();
    let mut cause = std::error::Error::source(error);
    // Each cause is inside the one before.
    while let Some(inner) = cause {
        said = format!("{said}: {inner}");
        cause = inner.source();
    }
    Failure::Unreachable(said)
}

fn unreachable_because(why: &str) -> Failure {
    Failure::Unreachable(why.to_owned())
}
