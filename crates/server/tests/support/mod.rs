//! A real server on a port of its own, requests to it, and agents that say what a test makes up.

#![allow(dead_code, reason = "each test binary uses only a part of it")]

use std::path::Path;

use muster_api::session::{Announced, PROTOCOL};
use muster_api::usage::{GpuSpan, UsageSpan};
use muster_api::view::{JobState, JobView};
use muster_api::{Accepted, Announce, JobDetail, Program, Report, Reports, Submission};
use muster_engine::command::Running;
use muster_model::{Attempt, JobId, JobSpec, NodeSpec, TaskCount, TaskGroup, TaskShape};
use muster_server::access::Role;
use muster_server::config::ServerFile;
use muster_server::{Server, ServerError, ServerSettings};
use reqwest::{Client, Method, RequestBuilder, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A server, until it is stopped.
pub(crate) struct Serving {
    pub(crate) url: String,
    pub(crate) tokens: Tokens,
    stop: oneshot::Sender<()>,
    task: JoinHandle<Result<(), ServerError>>,
}

/// What people and agents show it. All but the two users are called `someone`.
pub(crate) struct Tokens {
    pub(crate) admin: String,
    pub(crate) viewer: String,
    pub(crate) agent: String,
    pub(crate) user_a: String,
    pub(crate) user_b: String,
}

impl Serving {
    /// A server on a folder, with the usual settings but for what the test changes.
    pub(crate) async fn start(folder: &Path, change: impl FnOnce(&mut ServerSettings)) -> Serving {
        // Whichever test comes first installs it for all.
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let mut settings = ServerSettings {
            data: folder.to_owned(),
            listen: "127.0.0.1:0".parse().expect("this is an address"),
            ..ServerFile::default().settings()
        };
        change(&mut settings);
        let server = Server::start(settings).await.expect("the folder can be used");
        let token = |user, role| server.token(user, role, None, "").expect("tokens can be made");
        let tokens = Tokens {
            admin: token("someone", Role::Admin),
            viewer: token("someone", Role::Viewer),
            agent: token("someone", Role::Agent),
            user_a: token("user-a", Role::User),
            user_b: token("user-b", Role::User),
        };
        let url = format!("http://{}", server.address().expect("it listens"));
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(server.serve(async {
            let _ = stopped.await;
        }));
        Serving { url, tokens, stop, task }
    }

    pub(crate) async fn stop(self) {
        self.stop.send(()).expect("it still serves");
        self.task.await.expect("it does not panic").expect("it stops cleanly");
    }

    /// A request without a token.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        Client::new().request(method, format!("{}{path}", self.url))
    }

    pub(crate) async fn get(&self, path: &str, token: &str) -> Response {
        let request = self.request(Method::GET, path).bearer_auth(token);
        request.send().await.expect("the server answers")
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        token: &str,
        body: &impl Serialize,
    ) -> Response {
        let body = serde_json::to_vec(body).expect("it is plain data");
        let request = self.request(method, path).bearer_auth(token);
        let request = request.header("content-type", "application/json").body(body);
        request.send().await.expect("the server answers")
    }

    /// What the server says to an admin.
    pub(crate) async fn read<T: DeserializeOwned>(&self, path: &str) -> T {
        data(self.get(path, &self.tokens.admin).await).await
    }

    /// What an agent is told that announces its node.
    pub(crate) async fn announce(&self, announce: &Announce) -> Response {
        self.send(Method::POST, "/v1/agent/announce", &self.tokens.agent, announce).await
    }

    /// An agent joins with its node, on which some attempts run.
    pub(crate) async fn join(&self, spec: NodeSpec, running: &[Running]) -> Agent {
        let announce = Announce { running: running.to_vec(), ..announcing(spec) };
        let granted: Announced = data(self.announce(&announce).await).await;
        Agent { session: granted.session, told: 0 }
    }

    /// Submits a job of `someone`; its first attempt.
    pub(crate) async fn submit(&self, spec: JobSpec) -> Running {
        let program = Program { command: vec!["true".to_owned()], ..Program::default() };
        let submission = Submission { spec: spec.into(), program: program.into() };
        let answer = self.send(Method::POST, "/v1/jobs", &self.tokens.admin, &submission).await;
        let accepted: Accepted = data(answer).await;
        Running { job: JobId(accepted.id), attempt: Attempt(1) }
    }

    /// Waits until a job is in a state.
    pub(crate) async fn reaches(&self, job: JobId, state: JobState) -> JobView {
        loop {
            let view = self.read::<JobDetail>(&format!("/v1/jobs/{job}")).await.job;
            if view.state == state {
                return view;
            }
            tokio::task::yield_now().await;
        }
    }
}

/// An agent that says what a test makes up.
pub(crate) struct Agent {
    pub(crate) session: u64,
    told: u64,
}

impl Agent {
    /// Tells what happened on its node, and what was used there.
    pub(crate) async fn tell(&mut self, server: &Serving, reports: &[Report], usage: &[UsageSpan]) {
        let (first, reports) = (self.told, reports.to_vec());
        self.told += reports.len() as u64;
        let (session, usage) = (self.session, usage.to_vec());
        let reports = Reports { session, first, reports, version: 0, usage };
        let token = &server.tokens.agent;
        let answer = server.send(Method::POST, "/v1/agent/reports", token, &reports).await;
        let _: serde_json::Value = data(answer).await;
    }
}

/// The announcement of a node on which nothing runs, by an agent of its own.
pub(crate) fn announcing(spec: NodeSpec) -> Announce {
    Announce {
        protocol: PROTOCOL,
        address: "127.0.0.1".to_owned(),
        instance: spec.name.to_string(),
        spec,
        number: 0,
        running: Vec::new(),
        reports: Vec::new(),
        offers: Vec::new(),
    }
}

/// A job of `someone` with one task of so many GPUs.
pub(crate) fn job(name: &str, gpus: u32) -> JobSpec {
    let task = TaskShape { gpus, ..TaskShape::default() };
    let groups = vec![TaskGroup { name: "task".into(), tasks: TaskCount::exactly(1), task }];
    JobSpec { groups, ..JobSpec::new(name, "someone", "default") }
}

/// The last ten minutes of an attempt, in which its GPUs were busy for so many thousandths.
pub(crate) fn ten_minutes(of: Running, gpus: u32, now_ms: u64, busy_milli: u64) -> UsageSpan {
    let active_gpu_ms = Some(600 * busy_milli);
    let gpu = |gpu| GpuSpan { gpu, held_gpu_ms: 600_000, active_gpu_ms };
    let gpus = (0..gpus).map(gpu).collect();
    UsageSpan { of, from_ms: now_ms - 600_000, to_ms: now_ms, gpus }
}

/// The body of an answer that is well.
pub(crate) async fn data<T: DeserializeOwned>(answer: Response) -> T {
    let status = answer.status();
    let text = answer.text().await.expect("it has a body");
    assert!(status.is_success(), "{status}: {text}");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A folder that goes with the test.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}
