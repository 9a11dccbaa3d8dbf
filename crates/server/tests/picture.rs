//! The picture of the cluster: whole at first, then what changes; and the plan of what comes next.

use std::path::Path;

use muster_api::session::{Announced, PROTOCOL};
use muster_api::usage::UsageSpan;
use muster_api::view::{EventView, MapChange, MapView, PlanView};
use muster_api::{Announce, Page, Program, Report, Reports, Submission};
use muster_engine::command::Running;
use muster_model::{
    Attempt, IdleRule, JobId, JobSpec, Millis, NodeSpec, QueueSpec, TaskCount, TaskGroup,
    TaskShape, WhenIdle,
};
use muster_server::access::Role;
use muster_server::config::ServerFile;
use muster_server::{Server, ServerSettings};
use reqwest::{Client, Response, StatusCode};

/// A server that somebody looks at.
struct Looked {
    url: String,
    admin: String,
    agent: String,
}

impl Looked {
    async fn post(&self, token: &str, path: &str, body: &impl serde::Serialize) -> Response {
        let body = serde_json::to_vec(body).expect("it is plain data");
        let request = Client::new().post(format!("{}{path}", self.url)).bearer_auth(token);
        let request = request.header("content-type", "application/json").body(body);
        request.send().await.expect("the server answers")
    }

    async fn get(&self, path: &str) -> Response {
        let request = Client::new().get(format!("{}{path}", self.url)).bearer_auth(&self.admin);
        request.send().await.expect("the server answers")
    }

    async fn read<T: serde::de::DeserializeOwned>(&self, path: &str) -> T {
        let text = self.get(path).await.text().await.expect("it has a body");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    async fn announce(&self, name: &str) -> u64 {
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
        let answer = self.post(&self.agent, "/v1/agent/announce", &announce).await;
        assert_eq!(answer.status(), StatusCode::OK);
        let text = answer.text().await.expect("it has a body");
        serde_json::from_str::<Announced>(&text).expect("it is granted a session").session
    }

    async fn submit(&self, name: &str, gpus: u32) {
        let mut spec = JobSpec::new(name, "someone", "default");
        let task = TaskShape { gpus, ..TaskShape::default() };
        spec.groups = vec![TaskGroup { name: "task".into(), tasks: TaskCount::exactly(1), task }];
        let program = Program { command: vec!["true".to_owned()], ..Program::default() };
        let submission = Submission { spec: spec.into(), program: program.into() };
        let answer = self.post(&self.admin, "/v1/jobs", &submission).await;
        assert!(answer.status().is_success(), "{}", answer.text().await.unwrap_or_default());
    }
}

/// Runs a server while `work` looks at it.
async fn serving(folder: &Path, work: impl AsyncFnOnce(Looked)) {
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let settings = ServerSettings {
        data: folder.to_owned(),
        listen: "127.0.0.1:0".parse().expect("this is an address"),
        ..ServerFile::default().settings()
    };
    let server = Server::start(settings).await.expect("the folder can be used");
    let token = |role| server.token("someone", role, None, "").expect("tokens can be made");
    let url = format!("http://{}", server.address().expect("it listens"));
    let looked = Looked { url, admin: token(Role::Admin), agent: token(Role::Agent) };
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let task = tokio::spawn(server.serve(async {
        let _ = stopped.await;
    }));
    work(looked).await;
    stop.send(()).expect("it still serves");
    task.await.expect("it does not panic").expect("it stops cleanly");
}

/// Messages of a stream, by kind.
struct Messages {
    response: Response,
    text: String,
}

impl Messages {
    async fn next(&mut self) -> (String, String) {
        loop {
            if let Some((message, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| {
                    let lines = message.lines().filter_map(|line| line.strip_prefix(name));
                    lines.collect::<String>().trim_start().to_owned()
                };
                let found = (field("event:"), field("data:"));
                self.text = rest.to_owned();
                return found;
            }
            let chunk = self.response.chunk().await.expect("the stream is open");
            self.text += std::str::from_utf8(&chunk.expect("it goes on")).expect("it is text");
        }
    }
}

#[tokio::test]
async fn picture_shows_who_has_which_gpu_and_then_what_changes() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    serving(folder.path(), async |server| {
        server.announce("node-1").await;
        let response = server.get("/v1/map/stream").await;
        let mut stream = Messages { response, text: String::new() };
        let (kind, data) = stream.next().await;
        let whole: MapView = serde_json::from_str(&data).expect("the picture");
        assert_eq!((kind.as_str(), whole.nodes.len(), whole.jobs.len()), ("whole", 1, 0));
        let free: Vec<(&str, u64)> =
            whole.largest.iter().map(|gang| (gang.level.as_str(), gang.gpus)).collect();
        assert_eq!((free.first(), free.last()), (Some(&("cluster", 8)), Some(&("node", 8))));

        server.submit("train", 6).await;
        let (kind, data) = stream.next().await;
        let change: MapChange = serde_json::from_str(&data).expect("a change");
        assert_eq!((kind.as_str(), change.jobs.len(), change.nodes.len()), ("change", 1, 1));
        let held = &change.nodes[0].held;
        assert_eq!(held.len(), 6, "{held:?}");
        assert!(held.iter().all(|part| part.job == change.jobs[0].id && part.milli == 1000));
        assert_eq!(change.largest.last().map(|gang| gang.gpus), Some(2));

        server.announce("node-2").await;
        let (_, data) = stream.next().await;
        let change: MapChange = serde_json::from_str(&data).expect("a change");
        let names: Vec<&str> = change.nodes.iter().map(|node| node.name.as_str()).collect();
        assert_eq!(names, ["node-2"], "only what is new");
        let now: MapView = server.read("/v1/map").await;
        assert_eq!((now.nodes.len(), now.jobs.len()), (2, 1));
    })
    .await;
}

#[tokio::test]
async fn job_that_computes_nothing_is_flagged_where_a_rule_asks_for_it() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    serving(folder.path(), async |server| {
        let session = server.announce("node-1").await;
        let rule = IdleRule { after: Millis::minutes(5), below_milli: 50, then: WhenIdle::Flag };
        let queue = QueueSpec::new("default").idle(rule);
        let body = serde_json::to_vec(&queue).expect("it is plain data");
        let request = Client::new().put(format!("{}/v1/queues/default", server.url));
        let request = request.bearer_auth(&server.admin).header("content-type", "application/json");
        let set = request.body(body).send().await.expect("the server answers");
        assert_eq!(set.status(), StatusCode::OK);
        server.submit("notebook", 2).await;
        let map: MapView = server.read("/v1/map").await;
        let of = Running { job: JobId(map.jobs[0].id), attempt: Attempt(1) };
        let now_ms = map.at.0.0;
        // Ten minutes in which it held two GPUs and computed for six seconds.
        let span = UsageSpan {
            of,
            from_ms: now_ms - 600_000,
            to_ms: now_ms,
            gpus_milli: 2000,
            held_gpu_ms: 1_200_000,
            active_gpu_ms: Some(6_000),
        };
        let reports = vec![Report::Started(of)];
        let reports = Reports { session, first: 0, reports, version: 0, usage: vec![span] };
        let answer = server.post(&server.agent, "/v1/agent/reports", &reports).await;
        assert!(answer.status().is_success(), "{}", answer.text().await.unwrap_or_default());
        let response = server.get("/v1/map/stream").await;
        let mut stream = Messages { response, text: String::new() };
        let (_, data) = stream.next().await;
        let mut jobs = serde_json::from_str::<MapView>(&data).expect("the picture").jobs;
        while !jobs.iter().any(|job| job.is_idle) {
            let (_, data) = stream.next().await;
            jobs = serde_json::from_str::<MapChange>(&data).expect("a change").jobs;
        }
        let events: Page<EventView> = server.read(&format!("/v1/events?job={}", of.job)).await;
        let told = events.items.iter().find(|event| event.kind == "idle");
        let text = &told.expect("its owner is told").text;
        assert!(text.contains("busy for less than 5% of the last 5m"), "{text}");
    })
    .await;
}

#[tokio::test]
async fn plan_says_who_runs_and_who_is_next() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    serving(folder.path(), async |server| {
        server.announce("node-1").await;
        server.submit("first", 8).await;
        server.submit("second", 8).await;
        let plan: PlanView = server.read("/v1/plan").await;
        let [running] = plan.running.as_slice() else { panic!("one runs: {plan:?}") };
        let [next] = plan.next.as_slice() else { panic!("one waits: {plan:?}") };
        assert_eq!((running.of.name.as_str(), next.of.name.as_str()), ("first", "second"));
        assert_eq!(running.nodes, ["node-1"]);
        assert_eq!(next.starts_expected.map(|at| at.0), Some(running.ends_expected.0));
        assert!(next.reason.is_some(), "{next:?}");
        assert_eq!((next.nodes.as_slice(), plan.waiting), (&["node-1".to_owned()][..], 0));
    })
    .await;
}

#[tokio::test]
async fn policy_can_be_checked_without_changing_anything() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    serving(folder.path(), async |server| {
        let mut policy: muster_model::ClusterSpec = server.read("/v1/policy").await;
        let before = policy.clone();
        policy.queues[0].weight = 77;
        let put = |policy: &muster_model::ClusterSpec| {
            let body = serde_json::to_vec(policy).expect("it is plain data");
            let request = Client::new().put(format!("{}/v1/policy?check=true", server.url));
            let request = request.bearer_auth(&server.admin);
            request.header("content-type", "application/json").body(body).send()
        };
        let good = put(&policy).await.expect("the server answers");
        assert_eq!(good.status(), StatusCode::OK);
        policy.queues[0].weight = 0;
        let bad = put(&policy).await.expect("the server answers");
        assert_eq!(bad.status(), StatusCode::UNPROCESSABLE_ENTITY);
        let after: muster_model::ClusterSpec = server.read("/v1/policy").await;
        assert_eq!(after, before);
    })
    .await;
}
