//! Alerts arrive: at a webhook that fails at first and across restarts of the server, told neither
//! never nor over and over; and at a command.

mod support;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use muster_api::view::{AlertKind, AlertState, AlertView, MapView};
use muster_api::{Page, Report};
use muster_model::{JobSpec, Millis, NodeSpec, Timing};
use muster_server::ServerSettings;
use muster_server::alerts::AlertRule;
use muster_server::links::LeaseTerms;
use muster_server::prices::{Price, Prices};
use support::{Serving, announcing, folder, job, ten_minutes};
use tokio::sync::mpsc;

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

fn node(name: &str) -> NodeSpec {
    NodeSpec::new(name, "H100", 8)
}

/// A server that looks for what some alerts are about, and whose leases are short.
async fn looking(folder: &Path, alerts: &[AlertRule]) -> Serving {
    Serving::start(folder, |settings| {
        settings.leases = LeaseTerms { lease: Millis::seconds(2), renew: Millis(500) };
        settings.alerts = alerts.to_vec();
    })
    .await
}

/// Speaks for a node so often that its lease does not end.
async fn keep_up(server: &Serving, name: &str) {
    loop {
        server.announce(&announcing(node(name))).await;
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
}

async fn listed(server: &Serving) -> Vec<AlertView> {
    server.read::<Page<AlertView>>("/v1/alerts").await.items
}

fn rule() -> AlertRule {
    AlertRule { lasts: Some(Millis(0)), ..AlertRule::new(AlertKind::UnhealthyNode) }
}

#[tokio::test]
async fn webhook_is_told_until_it_has_heard_and_then_no_more_also_across_restarts() {
    let folder = folder();
    let mut hook = Hook::start().await;
    let alerts = [AlertRule { webhook: Some(hook.url.clone()), ..rule() }];

    let server = looking(folder.path(), &alerts).await;
    server.join(node("node-1"), &[]).await;
    // Nobody speaks for the node any more, so its lease ends. The webhook is not well.
    let subject = "node node-1".to_owned();
    assert_eq!(hook.next().await, (false, AlertState::Firing, subject.clone()));
    assert_eq!(hook.next().await, (false, AlertState::Firing, subject.clone()), "tried again");
    server.stop().await;

    // What was tried before it became well.
    hook.is_well.store(true, Ordering::SeqCst);
    while hook.told.try_recv().is_ok() {}
    let server = looking(folder.path(), &alerts).await;
    assert_eq!(hook.next().await, (true, AlertState::Firing, subject.clone()), "it is not lost");
    while listed(&server).await[0].told.is_none() {
        tokio::task::yield_now().await;
    }
    server.stop().await;

    let server = looking(folder.path(), &alerts).await;
    let known = listed(&server).await;
    assert_eq!((known[0].state, known[0].node.as_deref()), (AlertState::Firing, Some("node-1")));
    let next = tokio::select! {
        next = hook.next() => next,
        () = keep_up(&server, "node-1") => unreachable!("it is kept up for good"),
    };
    assert_eq!(next, (true, AlertState::Resolved, subject), "what was told is not told again");
    let known = listed(&server).await;
    assert_eq!((known.len(), known[0].state), (1, AlertState::Resolved));
    server.stop().await;
}

#[tokio::test]
async fn command_reads_the_alert_on_its_standard_input() {
    let folder = folder();
    let file = folder.path().join("told.json");
    let script = format!("cat > {0}.new && mv {0}.new {0}", file.display());
    let command = vec!["/bin/sh".to_owned(), "-c".to_owned(), script];
    let alerts = [AlertRule { command, ..rule() }];
    let server = looking(folder.path(), &alerts).await;
    server.join(node("node-1"), &[]).await;
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

/// What a rule of a kind has to say so that it is told at once.
fn at_once(kind: AlertKind, hook: &Hook) -> AlertRule {
    let (lasts, webhook) = (Some(Millis(0)), Some(hook.url.clone()));
    let mut rule = AlertRule { lasts, webhook, ..AlertRule::new(kind) };
    match kind {
        // The floor promises a start, not a soon one.
        AlertKind::FloorNear => rule.within = Some(Millis::hours(10 * 365 * 24)),
        AlertKind::Budget => {
            (rule.queue, rule.money) = (Some("default".to_owned()), Some(Price(1)));
        }
        _ => {}
    }
    rule
}

/// GPUs cost a thousandth for each of their milliseconds, so that a budget is soon spent, and
/// leases last for as long as the test.
fn priced(settings: &mut ServerSettings) {
    settings.leases = LeaseTerms { lease: Millis::hours(1), renew: Millis::seconds(10) };
    let default = Some(Price(3_600_000_000));
    settings.prices = Prices { currency: Some("EUR".to_owned()), default, ..Prices::default() };
}

#[tokio::test]
async fn every_kind_reaches_the_webhook() {
    let folder = folder();
    let mut hook = Hook::start().await;
    hook.is_well.store(true, Ordering::SeqCst);
    let kinds = [
        AlertKind::IdleAllocation,
        AlertKind::LowActivity,
        AlertKind::StuckGang,
        AlertKind::FloorNear,
        AlertKind::UnhealthyNode,
        AlertKind::Budget,
    ];
    let alerts: Vec<AlertRule> = kinds.map(|kind| at_once(kind, &hook)).into();
    let hour = |name: &str, gpus: u32| {
        let timing = Timing { limit: Some(Millis::hours(1)), ..Timing::default() };
        JobSpec { timing, ..job(name, gpus) }
    };

    // Accounts are looked at when alerts begin to look, and then not for a minute: so that they
    // have something to say by then, alerts begin with the second start.
    let server = Serving::start(folder.path(), priced).await;
    let mut agents =
        [server.join(node("node-1"), &[]).await, server.join(node("node-2"), &[]).await];
    let idle = server.submit(hour("idle", 6)).await;
    let slow = server.submit(hour("slow", 6)).await;
    let gang = server.submit(hour("gang", 4)).await;
    for (agent, of) in agents.iter_mut().zip([idle, slow]) {
        agent.tell(&server, &[Report::Started(of)], &[]).await;
    }
    loop {
        let usage: serde_json::Value = server.read("/v1/usage").await;
        if usage["total"]["allocated"].as_u64() > Some(0) {
            break;
        }
        tokio::task::yield_now().await;
    }
    server.stop().await;

    let server = Serving::start(folder.path(), |settings| {
        priced(settings);
        settings.alerts = alerts;
    })
    .await;
    let now_ms = server.read::<MapView>("/v1/map").await.at.0.0;
    for (name, of, busy_milli) in [("node-1", idle, 0), ("node-2", slow, 200)] {
        let mut agent = server.join(node(name), &[of]).await;
        agent.tell(&server, &[], &[ten_minutes(of, 6, now_ms, busy_milli)]).await;
    }
    // Too small for the gang while its only GPU is still well.
    let mut third = server.join(NodeSpec::new("node-3", "H100", 1), &[]).await;
    let broken = Report::GpuUnhealthy { gpu: 0, detail: "it fell off the bus".to_owned() };
    third.tell(&server, &[broken], &[]).await;

    let expected: BTreeSet<(AlertKind, String)> = [
        (AlertKind::IdleAllocation, format!("job {}", idle.job)),
        (AlertKind::LowActivity, format!("job {}", idle.job)),
        (AlertKind::LowActivity, format!("job {}", slow.job)),
        (AlertKind::StuckGang, format!("job {}", gang.job)),
        (AlertKind::FloorNear, format!("job {}", gang.job)),
        (AlertKind::UnhealthyNode, "node node-3".to_owned()),
        (AlertKind::Budget, "queue default".to_owned()),
    ]
    .into();
    let mut told = BTreeSet::new();
    while told != expected {
        let (_, view) = hook.told.recv().await.expect("it goes on");
        assert_eq!(view.state, AlertState::Firing, "{view:?}");
        let what = (view.kind, view.subject.clone());
        assert!(expected.contains(&what) && told.insert(what), "once, and only these: {view:?}");
    }
    assert_eq!(listed(&server).await.len(), expected.len());
    server.stop().await;
}
