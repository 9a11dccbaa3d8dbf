//! A cluster made up for tests: two racks, four nodes, jobs in every state.

use std::sync::Arc;

use muster_api::view::{MapView, PlanView, QueueView, WhyView};
use muster_api::{JobDetail, Moment};
use muster_model::Time;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::app::{App, View, Which};
use crate::data::{JobList, OneJob, Used};
use crate::news::News;

/// 2026-01-31 08:00:00 UTC.
pub(crate) const NOW: Time = Time(1_769_846_400_000);

/// Everything is known, and all is well.
pub(crate) fn app(view: View) -> App {
    let mut app = App::new("http://127.0.0.1:7070", view, NOW);
    app.hear(News::Picture(Arc::new(map())));
    app.hear(News::Jobs(Which::Alive, Ok(JobList { jobs: read(jobs()), is_more: false })));
    app.hear(News::Queues(Ok(queues())));
    app.hear(News::Plan(Ok(Box::new(plan()))));
    app.hear(News::Used(Ok(Box::new(used()))));
    app
}

pub(crate) fn read<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("what is made up is right")
}

/// So many seconds before now, as it is written.
fn ago(seconds: u64) -> String {
    Moment(Time(NOW.0 - seconds * 1000)).to_string()
}

fn ahead(seconds: u64) -> String {
    Moment(Time(NOW.0 + seconds * 1000)).to_string()
}

fn held(job: u64, gpus: std::ops::Range<u32>, busy: Option<u32>) -> Vec<Value> {
    gpus.map(|gpu| json!({"gpu": gpu, "job": job, "milli": 1000, "busy": busy})).collect()
}

pub(crate) fn map() -> MapView {
    let node = |name: &str, rack: &str, held: Vec<Value>| {
        json!({"name": name, "domains": ["b1", rack], "state": "up", "drained": false,
               "model": "H100", "gpus": 8, "held": held})
    };
    let mut nodes = vec![
        node("node-1", "r1", held(3, 0..8, Some(920))),
        node("node-2", "r1", [held(3, 0..4, Some(880)), held(9, 4..6, Some(310))].concat()),
        node("node-3", "r2", held(4, 0..2, Some(20))),
        node("node-10", "r2", Vec::new()),
    ];
    nodes[2]["held"]
        .as_array_mut()
        .expect("a list")
        .push(json!({"gpu": 2, "job": 5, "milli": 250}));
    nodes[2]["unhealthy"] = json!([7]);
    nodes[3]["drained"] = json!(true);
    nodes.sort_by_key(|node| node["name"].to_string());
    let job = |id: u64, name: &str, user: &str, queue: &str, state: &str, milli: u64, age: u64| {
        json!({"id": id, "name": name, "user": user, "queue": queue, "class": "standard",
               "state": state, "gpus_milli": milli, "started": ago(age)})
    };
    let mut idle = job(4, "finetune", "user-b", "language", "running", 2000, 300);
    idle["is_idle"] = json!(true);
    read(json!({
        "sequence": 7, "at": ago(0), "levels": ["block", "rack"], "nodes": nodes,
        "cluster": {"nodes": 4, "nodes_unseen": 0, "gpus": 32, "gpus_used_milli": 16250,
                    "pending": 3, "active": 4, "ended": 1204, "sequence": 7},
        "jobs": [job(3, "train-resnet", "user-a", "vision", "running", 12000, 4000),
                 idle,
                 job(5, "notebook", "user-a", "vision", "launching", 250, 1),
                 job(9, "evaluate", "user-c", "vision", "running", 2000, 71)],
        "largest": [{"level": "cluster", "gpus": 6, "model": "H100"},
                    {"level": "block", "domain": ["b1"], "gpus": 6, "model": "H100"},
                    {"level": "rack", "domain": ["b1", "r2"], "gpus": 4, "model": "H100"},
                    {"level": "node", "domain": ["b1", "r2", "node-3"], "gpus": 4,
                     "model": "H100"}],
    }))
}

fn jobs() -> Value {
    let job = |id: u64, name: &str, user: &str, queue: &str, state: &str, gpus: u64| {
        json!({"id": id, "name": name, "user": user, "queue": queue, "class": "standard",
               "state": state, "tasks": 1, "gpus_milli": gpus, "models": [], "attempt": 1,
               "nodes": [], "submitted": ago(5000), "started": ago(4000)})
    };
    let mut jobs = vec![
        job(12, "pretrain", "user-b", "language", "queued", 16000),
        job(11, "sweep", "user-b", "language", "waiting", 1000),
        job(10, "big-run", "user-d", "batch", "queued", 24000),
        job(9, "evaluate", "user-c", "vision", "running", 2000),
        job(5, "notebook", "user-a", "vision", "launching", 250),
        job(4, "finetune", "user-b", "language", "running", 2000),
        job(3, "train-resnet", "user-a", "vision", "running", 12000),
    ];
    let reasons = [
        "no room for the whole gang: 10 of 16 GPUs are free",
        "held by its owner",
        "24 GPUs in one rack, and none has more than 16",
    ];
    for (job, reason) in jobs.iter_mut().zip(reasons) {
        (job["reason"], job["attempt"], job["started"]) = (json!(reason), json!(0), Value::Null);
    }
    (jobs[1]["array"], jobs[1]["index"]) = (json!(8), json!(3));
    jobs[3]["nodes"] = json!(["node-2"]);
    jobs[6]["nodes"] = json!(["node-1", "node-2"]);
    Value::Array(jobs)
}

fn queues() -> Vec<QueueView> {
    let queue = |name: &str,
                 guarantee: Option<u64>,
                 [used, borrowed, lent]: [u64; 3],
                 [share, usage]: [u32; 2],
                 [running, pending]: [u64; 2]| {
        json!({"name": name, "weight": 1, "guarantee_milli": guarantee, "used_milli": used,
               "borrowed_milli": borrowed, "lent_milli": lent, "share_ppm": share,
               "usage_ppm": usage, "running": running, "pending": pending})
    };
    read(json!([
        queue("vision", Some(8000), [14_250, 6250, 0], [250_000, 612_000], [3, 0]),
        queue("language", Some(12_000), [2000, 0, 6000], [375_000, 201_000], [1, 2]),
        queue("language/chat", None, [0, 0, 0], [125_000, 0], [0, 0]),
        queue("batch", None, [0, 0, 0], [250_000, 187_000], [0, 1]),
    ]))
}

fn plan() -> PlanView {
    let of = |job: u64, name: &str, user: &str, milli: u64| {
        json!({"job": job, "name": name, "user": user, "queue": "language", "class": "standard",
               "gpus_milli": milli})
    };
    let with = |mut one: Value, more: Value| {
        let more = more.as_object().expect("an object").clone();
        one.as_object_mut().expect("an object").extend(more);
        one
    };
    read(json!({
        "at": ago(0), "waiting": 41,
        "running": [
            with(of(9, "evaluate", "user-c", 2000), json!({"nodes": ["node-2"],
                "started": ago(71), "ends_expected": ahead(49), "ends_latest": ahead(529)})),
            with(of(3, "train-resnet", "user-a", 12000), json!({"nodes": ["node-1", "node-2"],
                "started": ago(4000), "ends_expected": ahead(7200)})),
        ],
        "next": [
            with(of(12, "pretrain", "user-b", 16000), json!({"submitted": ago(5000),
                "starts_expected": ahead(49), "starts_latest": ahead(14400), "nodes": [],
                "reserved_nodes": ["node-2", "node-3"], "is_starving": true})),
            with(of(10, "big-run", "user-d", 24000), json!({"submitted": ago(4000), "nodes": [],
                "reserved_nodes": [], "is_starving": false,
                "reason": "24 GPUs in one rack, and none has more than 16"})),
        ],
        "bookings": [{"is_open": false, "booking": {"name": "maintenance",
            "places": [{"node": "node-10"}], "start": NOW.0 + 3_600_000,
            "end": NOW.0 + 7_200_000}}],
    }))
}

fn used() -> Used {
    let funnel = json!({"paid": 1000, "allocated": 820, "active": 610, "idle": 90,
        "unmeasured": 120, "useful": 580, "lost": {"failed": 30, "paused": 0, "cancelled": 0},
        "overhead": 4});
    let since = Moment(Time(NOW.0 - 3_600_000));
    Used { since, until: Moment(NOW), funnel: read(funnel) }
}

/// A job that runs for the second time, with the answer to why.
pub(crate) fn one_job() -> OneJob {
    let detail: JobDetail = read(json!({
        "job": {"id": 3, "name": "train-resnet", "user": "user-a", "team": "vision",
            "queue": "vision", "class": "standard", "state": "running", "tasks": 3,
            "gpus_milli": 12000, "models": ["H100"], "attempt": 2,
            "nodes": ["node-1", "node-2"], "submitted": ago(5000), "started": ago(1500)},
        "attempts": [
            {"attempt": 1, "launched": ago(4200), "started": ago(4180), "ended": ago(2500),
             "outcome": "preempted", "note": "gave way to 7", "places": []},
            {"attempt": 2, "launched": ago(1530), "started": ago(1500), "places": [
                {"node": "node-1", "group": 0, "rank": 0, "gpus": [0, 1, 2, 3]},
                {"node": "node-1", "group": 0, "rank": 1, "gpus": [4, 5, 6, 7]},
                {"node": "node-2", "group": 0, "rank": 2, "gpus": [0, 1, 2, 3]}]},
        ],
    }));
    let text = "It runs: the first place that holds the whole gang within one rack.\n  \
                rack r1 was chosen over rack r2, which has an unhealthy GPU and would have left \
                fewer whole nodes to others.\n";
    let why = WhyView { job: 3, text: text.to_owned(), why: Value::Null, decision: None };
    OneJob { detail, why: Ok(why) }
}

/// A cluster of so many blocks with eight racks of eight nodes each.
pub(crate) fn large(blocks: u32) -> MapView {
    let mut map = map();
    let pattern = map.nodes[0].clone();
    map.nodes.clear();
    for number in 0..blocks * 64 {
        let mut node = pattern.clone();
        node.name = format!("n{number:05}");
        node.domains = vec![format!("b{:03}", number / 64), format!("r{}", number / 8 % 8)];
        node.held = match number % 5 {
            0 => Vec::new(),
            1 => read(Value::Array(held(4, 0..3, Some(200)))),
            _ => read(Value::Array(held(3, 0..8, Some(900)))),
        };
        map.nodes.push(node);
    }
    map.cluster.gpus = u64::from(blocks) * 512;
    map.cluster.nodes = u64::from(blocks) * 64;
    map
}
