//! What people see, for views that never change.

use insta::assert_snapshot;
use muster_api::view::{
    BookingView, ClusterView, EventView, JobState, NodeState, NodeView, Outcome, PlaceView,
    QueueView,
};
use muster_api::{Moment, TokenView};
use muster_model::{BookedPlace, Booking, Class, Leftovers, Millis, Name, QueueName};

use super::fixed::{NOW, ago, detail, element, ended, queued, running};
use super::{cluster, event, job, node};

#[test]
fn jobs_are_listed_with_their_place_or_what_keeps_them() {
    let mut failed = ended(Outcome::Failed);
    failed.exit_code = Some(3);
    let mut killed = ended(Outcome::Failed);
    killed.exit_signal = Some("SEGV".to_owned());
    let mut never = ended(Outcome::DependencyFailed);
    (never.started, never.nodes) = (None, Vec::new());
    let mut launching = running();
    (launching.state, launching.started) = (JobState::Launching, None);
    let jobs = [queued(), running(), element(), launching, failed, killed, never];
    assert_snapshot!(job::table(&jobs, NOW).text(None));
    assert_snapshot!("narrow", job::table(&jobs, NOW).text(Some(100)));
}

#[test]
fn job_is_shown_whole() {
    assert_snapshot!(super::detail::block(&detail(), NOW));
}

#[test]
fn job_that_waits_says_why() {
    let mut detail = detail();
    (detail.job, detail.attempts) = (queued(), Vec::new());
    assert_snapshot!(super::detail::block(&detail, NOW));
}

#[test]
fn share_of_a_gpu_is_told_with_its_place() {
    let mut detail = detail();
    detail.job = element();
    detail.attempts.truncate(1);
    let gpus = vec![2];
    let node = "node-1".to_owned();
    detail.attempts[0].places =
        vec![PlaceView { node, group: 0, rank: 0, gpus, share_milli: Some(250) }];
    assert_snapshot!(super::detail::block(&detail, NOW));
}

fn seen() -> NodeView {
    NodeView {
        name: "node-1".to_owned(),
        state: NodeState::Up,
        drained: false,
        gpus: 8,
        gpu_model: Some("H100".to_owned()),
        gpus_used_milli: 6250,
        unhealthy: Vec::new(),
        cpus_milli: 96_000,
        cpus_used_milli: 0,
        memory_mib: 1_572_864,
        memory_used_mib: 0,
        domains: vec!["zone-a".to_owned(), "rack-1".to_owned()],
        pool: None,
        labels: vec!["disk=fast".to_owned()],
        jobs: vec![12, 24],
        lease_ends: None,
    }
}

#[test]
fn nodes_are_listed_with_their_state() {
    let drained = NodeView { drained: true, unhealthy: vec![2, 5], ..seen() };
    let lease_ends = Some(Moment(NOW + Millis::seconds(42)));
    let lost = NodeView { state: NodeState::Unknown, lease_ends, ..seen() };
    let bare = NodeView {
        name: "cpu-1".to_owned(),
        state: NodeState::Gone,
        gpus: 0,
        gpu_model: None,
        gpus_used_milli: 0,
        domains: Vec::new(),
        labels: Vec::new(),
        jobs: Vec::new(),
        ..seen()
    };
    assert_snapshot!(node::table(&[seen(), drained, lost, bare], NOW).text(None));
}

#[test]
fn queues_are_listed_with_their_books() {
    let queue = |name: &str, guarantee_milli, limit_milli| QueueView {
        name: name.to_owned(),
        weight: 2,
        guarantee_milli,
        limit_milli,
        used_milli: 12_500,
        borrowed_milli: 0,
        lent_milli: 0,
        share_ppm: 500_000,
        usage_ppm: 250_000,
        running: 3,
        pending: 12_345,
    };
    let queues = [queue("research", Some(64_000), None), queue("default", None, Some(128_000))];
    assert_snapshot!(node::queues(&queues).text(None));
}

#[test]
fn classes_are_listed_first_on_top() {
    assert_snapshot!(cluster::classes(&Class::defaults()).text(None));
}

#[test]
fn cluster_is_shown_at_a_glance() {
    let mut view = ClusterView {
        nodes: 1250,
        nodes_unseen: 2,
        gpus: 10_000,
        gpus_used_milli: 9_123_250,
        pending: 4321,
        active: 1024,
        ended: 99_999,
        sequence: 7,
    };
    assert_snapshot!(cluster::glance(("server", "http://127.0.0.1:7070"), &view));
    (view.gpus, view.gpus_used_milli, view.nodes_unseen) = (0, 0, 0);
    assert_snapshot!("empty", cluster::glance(("server", "http://127.0.0.1:7070"), &view));
}

#[test]
fn bookings_are_listed_with_who_may_use_them() {
    let booking = |name: &str, users: &[&str], places| BookingView {
        is_open: users.is_empty(),
        booking: Booking {
            name: Name::from(name),
            users: users.iter().map(|&user| Name::from(user)).collect(),
            queues: users.iter().map(|_| QueueName::from("research")).collect(),
            places,
            start: NOW,
            end: users.first().map(|_| NOW + Millis::hours(2)),
            leftovers: Leftovers::Wait,
        },
    };
    let rack = BookedPlace::Domain(vec![Name::from("zone-a"), Name::from("rack-1")]);
    let bookings = [
        booking("demo", &["user-a"], vec![rack, BookedPlace::Node(Name::from("node-9"))]),
        booking("repair", &[], vec![BookedPlace::Domain(Vec::new())]),
    ];
    assert_snapshot!(cluster::bookings(&bookings).text(None));
}

#[test]
fn tokens_are_listed_without_their_secrets() {
    let token = |id: &str, role: &str, expires| TokenView {
        id: id.to_owned(),
        user: "user-a".to_owned(),
        role: role.to_owned(),
        created: ago(Millis::days(3)),
        expires,
        queue: None,
        revoked: None,
        note: "laptop".to_owned(),
        secret: Some("never shown".to_owned()),
    };
    let tokens = [token("a1", "admin", None), token("b2", "agent", Some(ago(Millis::days(1))))];
    assert_snapshot!(cluster::tokens(&tokens).text(None));
}

#[test]
fn events_are_lines() {
    let event = |kind: &str, job, node: Option<&str>, text: &str| EventView {
        id: 5,
        at: ago(Millis(250)),
        kind: kind.to_owned(),
        job,
        node: node.map(str::to_owned),
        text: text.to_owned(),
    };
    let lines = [
        event("job running", Some(12), None, "every node has confirmed"),
        event("node drained", None, Some("node-1"), "by user-a"),
        event("server", None, None, "started"),
    ];
    assert_snapshot!(lines.iter().map(event::line).collect::<String>());
}
