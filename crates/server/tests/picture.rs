//! The picture of the cluster: whole at first, then what changes; and the plan of what comes next.

mod support;

use muster_api::view::{ClusterView, MapChange, MapView, PlanView};
use muster_model::{ClusterSpec, Isolation, JobSpec, MilliGpu, NodeSpec, Share, ShareSize};
use reqwest::{Method, Response, StatusCode};
use support::{Agent, Serving, folder, job};

async fn join(server: &Serving, name: &str) -> Agent {
    server.join(NodeSpec::new(name, "H100", 8), &[]).await
}

/// A job that has so many thousandths of a GPU.
fn shared(name: &str, milli: u64) -> JobSpec {
    let size = ShareSize::Fraction { least: MilliGpu(milli), most: MilliGpu(milli) };
    let mut spec = job(name, 0);
    spec.groups[0].task.share = Some(Share { size, isolation: Isolation::default() });
    spec
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
    let folder = folder();
    let server = Serving::start(folder.path(), |_| ()).await;
    join(&server, "node-1").await;
    let response = server.get("/v1/map/stream", &server.tokens.admin).await;
    let mut stream = Messages { response, text: String::new() };
    let (kind, data) = stream.next().await;
    let whole: MapView = serde_json::from_str(&data).expect("the picture");
    assert_eq!((kind.as_str(), whole.nodes.len(), whole.jobs.len()), ("whole", 1, 0));
    let free: Vec<(&str, u64)> =
        whole.largest.iter().map(|gang| (gang.level.as_str(), gang.gpus)).collect();
    assert_eq!((free.first(), free.last()), (Some(&("cluster", 8)), Some(&("node", 8))));

    server.submit(job("train", 6)).await;
    let (kind, data) = stream.next().await;
    let change: MapChange = serde_json::from_str(&data).expect("a change");
    assert_eq!((kind.as_str(), change.jobs.len(), change.nodes.len()), ("change", 1, 1));
    let held = &change.nodes[0].held;
    assert_eq!(held.len(), 6, "{held:?}");
    assert!(held.iter().all(|part| part.job == change.jobs[0].id && part.milli == 1000));
    assert_eq!(change.largest.last().map(|gang| gang.gpus), Some(2));

    join(&server, "node-2").await;
    let (_, data) = stream.next().await;
    let change: MapChange = serde_json::from_str(&data).expect("a change");
    let names: Vec<&str> = change.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["node-2"], "only what is new");
    let now: MapView = server.read("/v1/map").await;
    assert_eq!((now.nodes.len(), now.jobs.len()), (2, 1));
    // Pieces of GPUs count as such, and what is seen on the map is what is told at a glance.
    server.submit(shared("notebook", 250)).await;
    server.submit(shared("other", 500)).await;
    let now: MapView = server.read("/v1/map").await;
    assert_eq!((now.cluster.gpus, now.cluster.gpus_used_milli), (16, 6750));
    assert_eq!(now.cluster, server.read::<ClusterView>("/v1/cluster").await);
    server.stop().await;
}

#[tokio::test]
async fn plan_says_who_runs_and_who_is_next() {
    let folder = folder();
    let server = Serving::start(folder.path(), |_| ()).await;
    join(&server, "node-1").await;
    server.submit(job("first", 8)).await;
    server.submit(job("second", 8)).await;
    let plan: PlanView = server.read("/v1/plan").await;
    let [running] = plan.running.as_slice() else { panic!("one runs: {plan:?}") };
    let [next] = plan.next.as_slice() else { panic!("one waits: {plan:?}") };
    assert_eq!((running.of.name.as_str(), next.of.name.as_str()), ("first", "second"));
    assert_eq!(running.nodes, ["node-1"]);
    assert_eq!(next.starts_expected.map(|at| at.0), Some(running.ends_expected.0));
    assert!(next.reason.is_some(), "{next:?}");
    assert_eq!((next.nodes.as_slice(), plan.waiting), (&["node-1".to_owned()][..], 0));
    server.stop().await;
}

#[tokio::test]
async fn policy_can_be_checked_without_changing_anything() {
    let folder = folder();
    let server = Serving::start(folder.path(), |_| ()).await;
    let mut policy: ClusterSpec = server.read("/v1/policy").await;
    let before = policy.clone();
    policy.queues[0].weight = 77;
    let put = async |policy: &ClusterSpec| {
        let path = "/v1/policy?check=true";
        server.send(Method::PUT, path, &server.tokens.admin, policy).await.status()
    };
    assert_eq!(put(&policy).await, StatusCode::OK);
    policy.queues[0].weight = 0;
    assert_eq!(put(&policy).await, StatusCode::UNPROCESSABLE_ENTITY);
    let after: ClusterSpec = server.read("/v1/policy").await;
    assert_eq!(after, before);
    server.stop().await;
}
