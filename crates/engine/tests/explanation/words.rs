//! Every reason in words: its short code, what retries it, and the sentence people read.

use muster_engine::explain::{Cause, Paused};
use muster_engine::reason::{Movable, Retry, Spared};
use muster_model::{MilliGpu, Rung};

use crate::support::*;

fn table() -> Vec<(Reason, &'static str, Retry, &'static str)> {
    let mut table = waiting();
    table.extend(limits());
    table.extend(room());
    table
}

fn waiting() -> Vec<(Reason, &'static str, Retry, &'static str)> {
    let on = |kind| Reason::Dependency { on: JobId(17), kind, others: 0 };
    vec![
        (Reason::Held, "held", Retry::Request, "held until released"),
        (on(DependencyKind::After), "dependency", Retry::OtherJob, "waits for job 17 to start"),
        (on(DependencyKind::AfterOk), "dependency", Retry::OtherJob, "waits for job 17 to succeed"),
        (on(DependencyKind::AfterAny), "dependency", Retry::OtherJob, "waits for job 17 to end"),
        (on(DependencyKind::AfterNotOk), "dependency", Retry::OtherJob, "waits for job 17 to fail"),
        (
            Reason::Dependency { on: JobId(17), kind: DependencyKind::AfterOk, others: 1 },
            "dependency",
            Retry::OtherJob,
            "waits for job 17 to succeed, or for another one",
        ),
        (
            Reason::Dependency { on: JobId(17), kind: DependencyKind::AfterOk, others: 2 },
            "dependency",
            Retry::OtherJob,
            "waits for job 17 to succeed, or for one of 2 others",
        ),
        (
            Reason::Singleton { behind: JobId(4) },
            "singleton",
            Retry::OtherJob,
            "waits for job 4 of the same user and name",
        ),
        (
            Reason::BeginTime { at: Time(60_000) },
            "begin-time",
            Retry::Time,
            "may not start before 60000",
        ),
        (
            Reason::Unopened { booking: "demo".into(), opens: Some(Time(70_000)) },
            "unopened",
            Retry::Time,
            "waits for booking demo, which opens at 70000",
        ),
        (
            Reason::Unopened { booking: "demo".into(), opens: None },
            "unopened",
            Retry::Time,
            "waits for booking demo, which is over or was taken back",
        ),
        (
            Reason::Throttle { most: 3 },
            "throttle",
            Retry::OtherJob,
            "its array runs 3 elements, as many as it may",
        ),
        (
            Reason::Pause { until: Time(20_000), failures: 2 },
            "pause",
            Retry::Time,
            "pauses until 20000 after 2 failed launches in a row",
        ),
    ]
}

fn limits() -> Vec<(Reason, &'static str, Retry, &'static str)> {
    let queue = |resource, limit, used, wanted| Reason::QueueLimit {
        queue: "research/vision".into(),
        resource,
        limit,
        used,
        wanted,
    };
    let user = Reason::UserLimit {
        user: "user-a".into(),
        queue: "research".into(),
        resource: Resource::Gpus,
        limit: 4000,
        used: 4000,
        wanted: 500,
    };
    let of_h100 = Resource::GpusOf("H100".into());
    let rows = [
        (
            queue(Resource::Gpus, 8000, 6000, 4000),
            "queue research/vision uses 6 of its 8 GPUs; 4 more are wanted",
        ),
        (
            queue(of_h100, 8000, 8000, 1000),
            "queue research/vision uses 8 of its 8 H100 GPUs; 1 more is wanted",
        ),
        (
            queue(Resource::Cpus, 64_000, 62_500, 16_000),
            "queue research/vision uses 62.500 of its 64 CPUs; 16 more are wanted",
        ),
        (
            queue(Resource::Memory, 1024, 1000, 512),
            "queue research/vision uses 1000 of its 1024 MiB of memory; 512 more are wanted",
        ),
    ];
    let mut table: Vec<_> = rows
        .into_iter()
        .map(|(reason, text)| (reason, "queue-limit", Retry::Capacity, text))
        .collect();
    let text = "user-a uses 4 of 4 GPUs allowed per user in queue research; 0.500 more are wanted";
    table.push((user, "user-limit", Retry::Capacity, text));
    table
}

fn room() -> Vec<(Reason, &'static str, Retry, &'static str)> {
    let level = |level, domain: &[&str]| Reason::Level {
        level,
        tasks: 4,
        fit: 3,
        domain: domain.iter().map(|&name| Name::from(name)).collect(),
    };
    let share = |largest, node: Option<&str>, fit| Reason::Share {
        wanted: MilliGpu(500),
        largest: MilliGpu(largest),
        node: node.map(Name::from),
        tasks: 4,
        fit,
    };
    vec![
        (
            Reason::Impossible { tasks: 4, most: 2, nodes: 5 },
            "impossible",
            Retry::Nodes,
            "the 5 matching nodes could hold 2 of its 4 tasks even if empty",
        ),
        (
            Reason::Impossible { tasks: 4, most: 0, nodes: 0 },
            "impossible",
            Retry::Nodes,
            "no node in service matches it; any that would is drained, lost or not there",
        ),
        (Reason::Gpus { wanted: 8, free: 3 }, "gpus", Retry::Capacity, "needs 8 GPUs; 3 are free"),
        (
            Reason::Fragments { tasks: 4, fit: 2, free: 12 },
            "fragments",
            Retry::Capacity,
            "12 GPUs are free but in pieces: 2 of its 4 tasks fit",
        ),
        (
            share(250, Some("n1"), 0),
            "share",
            Retry::Capacity,
            "needs 0.5 of a GPU; the largest free piece is 0.25 on node n1",
        ),
        (
            share(500, Some("n1"), 0),
            "share",
            Retry::Capacity,
            "needs 0.5 of a GPU; what is free of GPUs is not where its slices can be",
        ),
        (
            share(0, None, 0),
            "share",
            Retry::Capacity,
            "needs 0.5 of a GPU; none is free that could be shared as it asks",
        ),
        (
            share(500, Some("n1"), 3),
            "share",
            Retry::Capacity,
            "parts of GPUs are free for 3 of its 4 tasks of 0.5 of a GPU each",
        ),
        (
            Reason::HostResources { tasks: 4, fit: 1, fit_by_gpus: 4 },
            "host-resources",
            Retry::Capacity,
            "GPUs for 4 tasks are free, CPUs and memory beside them for 1 of 4",
        ),
        (
            level(Level::from("rack"), &["zone-a", "r1"]),
            "level",
            Retry::Capacity,
            "no rack has room for 4 tasks together; the best, zone-a/r1, has room for 3",
        ),
        (
            level(Level::Node, &["r1", "r1-2"]),
            "level",
            Retry::Capacity,
            "no node has room for 4 tasks together; the best, r1/r1-2, has room for 3",
        ),
        (
            Reason::Claimed { by: JobId(9) },
            "claimed",
            Retry::Capacity,
            "the room it would fit in is held for job 9",
        ),
        (
            booked(true, &["n1", "n2"], 3, (Some(1000), Some(5000))),
            "booked",
            Retry::Time,
            "nodes n1, n2 and 3 more are set aside from 1000 to 5000 for maintenance cooling; it \
             would not end in time",
        ),
        (
            booked(false, &["n1"], 0, (Some(1000), None)),
            "booked",
            Retry::Time,
            "node n1 is set aside from 1000 on for booking cooling; it would not end in time",
        ),
        (
            booked(true, &["n1"], 0, (None, Some(5000))),
            "booked",
            Retry::Time,
            "node n1 is set aside until 5000 for maintenance cooling",
        ),
        (
            booked(true, &["n1", "n2"], 0, (None, None)),
            "booked",
            Retry::Time,
            "nodes n1, n2 are set aside for maintenance cooling",
        ),
        (Reason::Behind { head: JobId(2) }, "behind", Retry::Capacity, "job 2 is ahead and blocks"),
        (
            Reason::Reserved {
                domain: vec!["zone-a".into(), "rack-7".into()],
                nodes: 4,
                start: Time(13_000),
                give_or_take: Millis::minutes(12),
            },
            "reserved",
            Retry::Capacity,
            "has 4 nodes in zone-a/rack-7 reserved from 13000 give or take 12m",
        ),
        (
            Reason::Making {
                victims: vec![JobId(3), JobId(5)],
                givers: Vec::new(),
                due: Time(9_000),
            },
            "making",
            Retry::OtherJob,
            "room is being made: jobs 3, 5 give way",
        ),
        (
            Reason::Making { victims: Vec::new(), givers: vec![JobId(4)], due: Time(9_000) },
            "making",
            Retry::OtherJob,
            "room is being made: job 4 gives tasks back",
        ),
        (
            Reason::Making { victims: Vec::new(), givers: Vec::new(), due: Time(9_000) },
            "making",
            Retry::OtherJob,
            "room is being made: others give way on its nodes",
        ),
        (
            Reason::Making {
                victims: vec![JobId(3)],
                givers: vec![JobId(4), JobId(6)],
                due: Time(9_000),
            },
            "making",
            Retry::OtherJob,
            "room is being made: jobs 4, 6 give tasks back, job 3 gives way",
        ),
        (
            Reason::Paused(Paused {
                by: JobId(81),
                cause: Cause::Class,
                rung: Rung::Suspend,
                at: Time(5_000),
                cost: 1_440_000,
                costs: 2_000_000,
                benefit: 40_320_000,
            }),
            "paused",
            Retry::Capacity,
            "paused by suspend for job 81, whose class goes first: cost 0.4 GPU-h, benefit 11.2 \
             GPU-h",
        ),
        (
            Reason::Paused(Paused {
                by: JobId(81),
                cause: Cause::Move { sooner: Millis::minutes(40) },
                rung: Rung::Checkpoint,
                at: Time(5_000),
                cost: 360_000,
                costs: 360_000,
                benefit: 40_320_000,
            }),
            "paused",
            Retry::Capacity,
            "moved for job 81: cost 0.1 GPU-h; job 81 starts 40m earlier",
        ),
        (
            Reason::Occupied { by: vec![JobId(4)] },
            "occupied",
            Retry::Capacity,
            "its own GPUs are used by job 4",
        ),
        (
            Reason::Spared {
                job: JobId(7),
                why: Spared::NearEnd { done_ppm: 900_000, left: Millis::minutes(6) },
            },
            "spared",
            Retry::Capacity,
            "job 7 is not paused: it is 90 % complete, 6m are left",
        ),
        (
            Reason::Movable(Movable { jobs: vec![JobId(7)], cost: 360_000, otherwise: Time(9) }),
            "movable",
            Retry::Request,
            "moving job 7 (cost 0.1 GPU-h) would let it start at once instead of about 9",
        ),
        (Reason::Next, "next", Retry::NextStep, "fits; starts with the next step"),
    ]
}

fn booked(
    is_for_nobody: bool,
    nodes: &[&str],
    more: u32,
    (from, until): (Option<u64>, Option<u64>),
) -> Reason {
    Reason::Booked {
        booking: "cooling".into(),
        is_for_nobody,
        nodes: nodes.iter().map(|node| Name::from(*node)).collect(),
        more,
        from: from.map(Time),
        until: until.map(Time),
    }
}

/// Fails to compile when a reason is added, so that the table is extended with it.
fn is_in_table(reason: &Reason) -> bool {
    let code = match reason {
        Reason::Held
        | Reason::Dependency { .. }
        | Reason::Singleton { .. }
        | Reason::BeginTime { .. }
        | Reason::Unopened { .. }
        | Reason::Throttle { .. }
        | Reason::Pause { .. }
        | Reason::QueueLimit { .. }
        | Reason::UserLimit { .. }
        | Reason::Impossible { .. }
        | Reason::Gpus { .. }
        | Reason::Fragments { .. }
        | Reason::Share { .. }
        | Reason::HostResources { .. }
        | Reason::Level { .. }
        | Reason::Claimed { .. }
        | Reason::Booked { .. }
        | Reason::Behind { .. }
        | Reason::Reserved { .. }
        | Reason::Making { .. }
        | Reason::Paused(_)
        | Reason::Occupied { .. }
        | Reason::Spared { .. }
        | Reason::Movable(_)
        | Reason::Next => reason.code(),
    };
    table().iter().any(|(_, known, ..)| *known == code)
}

#[test]
fn every_reason_has_a_code_a_retry_and_a_sentence() {
    for (reason, code, retry, text) in table() {
        assert_eq!((reason.code(), reason.retry()), (code, retry), "{reason:?}");
        assert_eq!(reason.to_string(), text);
        assert!(is_in_table(&reason));
    }
}

#[test]
fn every_reason_has_a_code_of_its_own() {
    let mut codes: Vec<&str> = table().into_iter().map(|(_, code, ..)| code).collect();
    codes.dedup();
    let mut sorted = codes.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!((codes.len(), sorted.len()), (25, 25));
}

#[test]
fn sentences_are_lower_case_without_a_full_stop() {
    for (reason, ..) in table() {
        let text = reason.to_string();
        let first = text.chars().next().expect("a sentence has words");
        let starts_with_unit = text.starts_with("GPUs");
        assert!(starts_with_unit || !first.is_uppercase(), "{text}");
        assert!(!text.ends_with('.'), "{text}");
    }
}

#[test]
fn reasons_survive_the_wire() {
    for (reason, ..) in table() {
        let json = serde_json::to_string(&reason).unwrap();
        assert_eq!(serde_json::from_str::<Reason>(&json).unwrap(), reason, "{json}");
    }
}
