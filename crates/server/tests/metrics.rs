//! `/metrics`: what it tells is what the documents say, it names nobody, and not everyone reads it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use muster_api::session::PROTOCOL;
use muster_api::{Announce, Program, Submission};
use muster_model::{JobSpec, NodeSpec, TaskCount, TaskGroup, TaskShape};
use muster_server::access::Role;
use muster_server::config::ServerFile;
use muster_server::metrics::{MetricsSettings, OpenTo};
use muster_server::{Server, ServerSettings};
use reqwest::{Client, RequestBuilder, Response, StatusCode};

/// A server that is measured.
struct Measured {
    url: String,
    admin: String,
    viewer: String,
    agent: String,
}

impl Measured {
    async fn post(&self, token: &str, path: &str, body: &impl serde::Serialize) -> Response {
        let body = serde_json::to_vec(body).expect("it is plain data");
        let request = Client::new().post(format!("{}{path}", self.url)).bearer_auth(token);
        let request = request.header("content-type", "application/json").body(body);
        request.send().await.expect("the server answers")
    }

    fn metrics(&self) -> RequestBuilder {
        Client::new().get(format!("{}/metrics", self.url))
    }

    async fn text(&self) -> String {
        let answer = self.metrics().send().await.expect("the server answers");
        assert_eq!(answer.status(), StatusCode::OK);
        answer.text().await.expect("it is text")
    }

    /// One node with eight GPUs and a job on six of them, and one job that waits.
    async fn fill(&self) {
        let announce = Announce {
            protocol: PROTOCOL,
            spec: NodeSpec::new("secret-node", "H100", 8),
            address: "127.0.0.1".to_owned(),
            instance: "it".to_owned(),
            number: 0,
            running: Vec::new(),
            reports: Vec::new(),
            offers: Vec::new(),
        };
        let answer = self.post(&self.agent, "/v1/agent/announce", &announce).await;
        assert_eq!(answer.status(), StatusCode::OK);
        for name in ["secret-first", "secret-second"] {
            let mut spec = JobSpec::new(name, "secret-user", "default");
            let task = TaskShape { gpus: 6, ..TaskShape::default() };
            let (name, tasks) = ("task".into(), TaskCount::exactly(1));
            spec.groups = vec![TaskGroup { name, tasks, task }];
            let program = Program { command: vec!["true".to_owned()], ..Program::default() };
            let submission = Submission { spec: spec.into(), program: program.into() };
            let answer = self.post(&self.admin, "/v1/jobs", &submission).await;
            assert!(answer.status().is_success(), "{}", answer.text().await.unwrap_or_default());
        }
        // Sums are asked for at the first look and then not for a while: the accounts must know.
        while !self.usage().await.contains("\"key\"") {
            tokio::task::yield_now().await;
        }
    }

    async fn usage(&self) -> String {
        let request = Client::new().get(format!("{}/v1/usage", self.url)).bearer_auth(&self.admin);
        let answer = request.send().await.expect("the server answers");
        answer.text().await.expect("it is text")
    }
}

/// Runs a server while `work` measures it.
async fn serving(folder: &Path, open_to: OpenTo, work: impl AsyncFnOnce(Measured)) {
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let settings = ServerSettings {
        data: folder.to_owned(),
        listen: "127.0.0.1:0".parse().expect("this is an address"),
        metrics: MetricsSettings { open_to },
        ..ServerFile::default().settings()
    };
    let server = Server::start(settings).await.expect("the folder can be used");
    let token = |role| server.token("secret-user", role, None, "").expect("tokens can be made");
    let url = format!("http://{}", server.address().expect("it listens"));
    let (admin, viewer, agent) = (token(Role::Admin), token(Role::Viewer), token(Role::Agent));
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let task = tokio::spawn(server.serve(async {
        let _ = stopped.await;
    }));
    work(Measured { url, admin, viewer, agent }).await;
    stop.send(()).expect("it still serves");
    task.await.expect("it does not panic").expect("it stops cleanly");
}

/// A metric: its type and the labels it has.
type Known = BTreeMap<String, (String, BTreeSet<String>)>;

/// The metrics that a text tells, by the names that people ask for.
fn told(text: &str) -> Known {
    let mut known = Known::new();
    let mut current = (String::new(), String::new());
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').expect("a type is a name and a word");
            let end = match kind {
                "counter" => "_total",
                "info" => "_info",
                _ => "",
            };
            current = (name.to_owned(), format!("{name}{end}"));
            known.insert(current.1.clone(), (kind.to_owned(), BTreeSet::new()));
        }
        if !line.starts_with('#') {
            assert!(line.starts_with(current.0.as_str()), "{line} is not of {current:?}");
            let labels = line.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
            let labels = labels.map_or("", |(labels, _)| labels);
            let names = labels.split(',').filter_map(|label| label.split_once('='));
            let names = names.map(|(name, _)| name.to_owned()).filter(|name| name != "le");
            known.get_mut(&current.1).expect("its type came before").1.extend(names);
        }
    }
    known
}

/// The metrics that the documents list.
fn documented() -> Known {
    let text = include_str!("../../../docs/metrics.md");
    let rows = text.lines().filter(|line| line.starts_with("| `muster_"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let labels = cells[3].split(',').map(|label| label.trim().trim_matches('`').to_owned());
        let labels = labels.filter(|label| !label.is_empty()).collect();
        (cells[1].trim_matches('`').to_owned(), (cells[2].to_owned(), labels))
    })
    .collect()
}

/// The value of a line.
fn value(text: &str, line: &str) -> f64 {
    let found = text.lines().find_map(|known| known.strip_prefix(line)?.strip_prefix(' '));
    found.unwrap_or_else(|| panic!("no {line} in\n{text}")).parse().expect("it is a number")
}

#[tokio::test]
async fn documents_list_every_metric_and_none_that_is_not_told() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    serving(folder.path(), OpenTo::ThisMachine, async |server| {
        server.fill().await;
        let text = server.text().await;
        assert!(text.ends_with("# EOF\n"), "{text}");
        // A request is counted once it is answered, so the first may not see itself.
        assert_eq!(told(&server.text().await), documented());
    })
    .await;
}

#[tokio::test]
async fn figures_are_those_of_the_cluster_and_name_nobody() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    serving(folder.path(), OpenTo::ThisMachine, async |server| {
        server.fill().await;
        let text = server.text().await;
        for (line, expected) in [
            ("muster_jobs{queue=\"default\",state=\"launching\"}", 1.0),
            ("muster_jobs{queue=\"default\",state=\"queued\"}", 1.0),
            ("muster_gpus{model=\"H100\",part=\"paid\"}", 8.0),
            ("muster_gpus{model=\"H100\",part=\"usable\"}", 8.0),
            ("muster_gpus{model=\"H100\",part=\"allocated\"}", 6.0),
            ("muster_queue_gpus{queue=\"default\",part=\"used\"}", 6.0),
            ("muster_largest_gang_gpus{level=\"node\"}", 2.0),
            ("muster_nodes{state=\"up\"}", 1.0),
            ("muster_nodes{state=\"gone\"}", 0.0),
            ("muster_agents{state=\"connected\"}", 1.0),
            ("muster_leases", 1.0),
            ("muster_agent_announcements_total", 1.0),
            ("muster_http_requests_total{route=\"/v1/jobs\",method=\"POST\",status=\"2xx\"}", 2.0),
            ("muster_stalled", 0.0),
        ] {
            assert_eq!(value(&text, line), expected, "{line}");
        }
        let started = "muster_wait_seconds_count{class=\"standard\",team=\"none\"}";
        assert_eq!(value(&text, started), 1.0);
        assert!(value(&text, "muster_pass_seconds_count") >= 3.0, "{text}");
        assert!(value(&text, "muster_journal_last_sync_timestamp_seconds") > 1.0e9);
        assert!(value(&text, "muster_journal_size_bytes") > 0.0);
        assert!(value(&text, "muster_journal_entries_total") >= 4.0);
        assert!(!text.contains("secret"), "no job, user or node is a label:\n{text}");
    })
    .await;
}

#[tokio::test]
async fn who_is_not_on_this_machine_needs_a_token_that_may_look() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    serving(folder.path(), OpenTo::ThisMachine, async |server| {
        let status = async |request: RequestBuilder| {
            request.send().await.expect("the server answers").status()
        };
        let proxied = || server.metrics().header("x-forwarded-for", "192.0.2.7");
        assert_eq!(status(proxied()).await, StatusCode::UNAUTHORIZED);
        assert_eq!(status(proxied().bearer_auth(&server.agent)).await, StatusCode::FORBIDDEN);
        assert_eq!(status(proxied().bearer_auth(&server.viewer)).await, StatusCode::OK);
        let answer = server.metrics().send().await.expect("the server answers");
        let kind = answer.headers().get("content-type").and_then(|it| it.to_str().ok());
        assert!(kind.is_some_and(|kind| kind.starts_with("application/openmetrics-text")));
    })
    .await;
}

#[tokio::test]
async fn setting_closes_them_to_this_machine_too() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    serving(folder.path(), OpenTo::Nobody, async |server| {
        let answer = server.metrics().send().await.expect("the server answers");
        assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
        let answer = server.metrics().bearer_auth(&server.viewer).send().await;
        assert_eq!(answer.expect("the server answers").status(), StatusCode::OK);
    })
    .await;
}
