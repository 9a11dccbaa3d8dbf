//! Alerts arrive: at a webhook that fails at first and across restarts of the server, told neither
//! never nor over and over; and at a command.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use muster_api::session::PROTOCOL;
use muster_api::view::{AlertKind, AlertState, AlertView};
use muster_api::{Announce, Page};
use muster_model::{Millis, NodeSpec};
use muster_server::access::Role;
use muster_server::alerts::AlertRule;
use muster_server::config::ServerFile;
use muster_server::links::LeaseTerms;
use muster_server::{Server, ServerSettings};
use reqwest::Client;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// A webhook: whether it is well, and what it is told.
struct Hook {
    url: String,
    is_well: Arc<AtomicBool>,
    told: mpsc::UnboundedReceiver<(bool, AlertView)>,
}

type Told = (Arc<AtomicBool>, mpsc::UnboundedSender<(bool, AlertView)>);

async fn hear(State((is_well, told)): State<Told>, body: String) -> StatusCode {
    let view = serde_json::from_str(&body).unwrap_or_else(|error| panic!("{error}: {body}"));
    let is_well = is_well.load(Ordering::SeqCst);
    told.send((is_well, view)).expect("the test listens");
    if is_well { StatusCode::NO_CONTENT } else { StatusCode::SERVICE_UNAVAILABLE }
}

impl Hook {
    async fn start() -> Hook {
        let (sender, told) = mpsc::unbounded_channel();
        let is_well = Arc::new(AtomicBool::new(false));
        let router = Router::new().route("/", post(hear)).with_state((is_well.clone(), sender));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let url = format!("http://{}", listener.local_addr().expect("it has an address"));
        tokio::spawn(async { axum::serve(listener, router).await });
        Hook { url, is_well, told }
    }

    async fn next(&mut self) -> (bool, AlertState, String) {
        let (is_well, view) = self.told.recv().await.expect("it goes on");
        (is_well, view.state, view.subject)
    }
}

/// A server that looks for nodes that are not well.
struct Looking {
    url: String,
    admin: String,
    agent: String,
    stop: tokio::sync::oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Looking {
    async fn start(folder: &Path, alerts: &[AlertRule]) -> Looking {
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let settings = ServerSettings {
            data: folder.to_owned(),
            listen: "127.0.0.1:0".parse().expect("this is an address"),
            leases: LeaseTerms { lease: Millis::seconds(2), renew: Millis(500) },
            alerts: alerts.to_vec(),
            ..ServerFile::default().settings()
        };
        let server = Server::start(settings).await.expect("the folder can be used");
        let token = |role| server.token("someone", role, None, "").expect("tokens can be made");
        let url = format!("http://{}", server.address().expect("it listens"));
        let (admin, agent) = (token(Role::Admin), token(Role::Agent));
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let task = tokio::spawn(async {
            let stopped = async {
                let _ = stopped.await;
            };
            server.serve(stopped).await.expect("it stops cleanly");
        });
        Looking { url, admin, agent, stop, task }
    }

    async fn stop(self) {
        self.stop.send(()).expect("it still serves");
        self.task.await.expect("it does not panic");
    }

    async fn announce(&self, name: &str) {
        let announce = Announce {
            protocol: PROTOCOL,
            spec: NodeSpec::new(name, "H100", 8),
            address: "127.0.0.1".to_owned(),
            instance: name.to_owned(),
            number: 0,
            running: Vec::new(),
            reports: Vec::new(),
            offers: Vec::new(),
        };
        let body = serde_json::to_vec(&announce).expect("it is plain data");
        let request = Client::new().post(format!("{}/v1/agent/announce", self.url));
        let request = request.bearer_auth(&self.agent).header("content-type", "application/json");
        let answer = request.body(body).send().await.expect("the server answers");
        assert!(answer.status().is_success(), "{}", answer.text().await.unwrap_or_default());
    }

    /// Speaks for a node so often that its lease does not end.
    async fn keep_up(&self, name: &str) {
        loop {
            self.announce(name).await;
            tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        }
    }

    async fn alerts(&self) -> Vec<AlertView> {
        let request = Client::new().get(format!("{}/v1/alerts", self.url)).bearer_auth(&self.admin);
        let text = request.send().await.expect("the server answers").text().await;
        let text = text.expect("it has a body");
        let page: Page<AlertView> =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        page.items
    }
}

fn rule() -> AlertRule {
    AlertRule { lasts: Some(Millis(0)), ..AlertRule::new(AlertKind::UnhealthyNode) }
}

#[tokio::test]
async fn webhook_is_told_until_it_has_heard_and_then_no_more_also_across_restarts() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut hook = Hook::start().await;
    let alerts = [AlertRule { webhook: Some(hook.url.clone()), ..rule() }];

    let server = Looking::start(folder.path(), &alerts).await;
    server.announce("node-1").await;
    // Nobody speaks for the node any more, so its lease ends. The webhook is not well.
    let subject = "node node-1".to_owned();
    assert_eq!(hook.next().await, (false, AlertState::Firing, subject.clone()));
    assert_eq!(hook.next().await, (false, AlertState::Firing, subject.clone()), "tried again");
    server.stop().await;

    // What was tried before it became well.
    hook.is_well.store(true, Ordering::SeqCst);
    while hook.told.try_recv().is_ok() {}
    let server = Looking::start(folder.path(), &alerts).await;
    assert_eq!(hook.next().await, (true, AlertState::Firing, subject.clone()), "it is not lost");
    while server.alerts().await[0].told.is_none() {
        tokio::task::yield_now().await;
    }
    server.stop().await;

    let server = Looking::start(folder.path(), &alerts).await;
    let listed = server.alerts().await;
    assert_eq!((listed[0].state, listed[0].node.as_deref()), (AlertState::Firing, Some("node-1")));
    let next = tokio::select! {
        next = hook.next() => next,
        () = server.keep_up("node-1") => unreachable!("it is kept up for good"),
    };
    assert_eq!(next, (true, AlertState::Resolved, subject), "what was told is not told again");
    let listed = server.alerts().await;
    assert_eq!((listed.len(), listed[0].state), (1, AlertState::Resolved));
    server.stop().await;
}

#[tokio::test]
async fn command_reads_the_alert_on_its_standard_input() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("told.json");
    let script = format!("cat > {0}.new && mv {0}.new {0}", file.display());
    let command = vec!["/bin/sh".to_owned(), "-c".to_owned(), script];
    let alerts = [AlertRule { command, ..rule() }];
    let server = Looking::start(folder.path(), &alerts).await;
    server.announce("node-1").await;
    let text = loop {
        match std::fs::read_to_string(&file) {
            Ok(text) => break text,
            Err(_) => tokio::time::sleep(std::time::Duration::from_millis(5)).await,
        }
    };
    let view: AlertView = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!((view.state, view.subject.as_str()), (AlertState::Firing, "node node-1"));
    server.stop().await;
}
