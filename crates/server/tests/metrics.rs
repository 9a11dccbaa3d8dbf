//! `/metrics`: what it tells is what the documents say, it names nobody, and not everyone reads it.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use muster_model::NodeSpec;
use muster_server::metrics::{MetricsSettings, OpenTo};
use reqwest::{Method, RequestBuilder, StatusCode};
use support::{Serving, folder, job};

/// A server whose metrics are open to some.
async fn measured(folder: &Path, open_to: OpenTo) -> Serving {
    Serving::start(folder, |settings| settings.metrics = MetricsSettings { open_to }).await
}

fn metrics(server: &Serving) -> RequestBuilder {
    server.request(Method::GET, "/metrics")
}

async fn text(server: &Serving) -> String {
    let answer = metrics(server).send().await.expect("the server answers");
    assert_eq!(answer.status(), StatusCode::OK);
    answer.text().await.expect("it is text")
}

/// One node with eight GPUs and a job on six of them, and one job that waits.
async fn fill(server: &Serving) {
    server.join(NodeSpec::new("secret-node", "H100", 8), &[]).await;
    for name in ["secret-first", "secret-second"] {
        server.submit(job(name, 6)).await;
    }
    // Sums are asked for at the first look and then not for a while: the accounts must know.
    while server.read::<serde_json::Value>("/v1/usage").await["rows"][0].is_null() {
        tokio::task::yield_now().await;
    }
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
    let folder = folder();
    let server = measured(folder.path(), OpenTo::ThisMachine).await;
    fill(&server).await;
    let first = text(&server).await;
    assert!(first.ends_with("# EOF\n"), "{first}");
    // A request is counted once it is answered, so the first may not see itself.
    assert_eq!(told(&text(&server).await), documented());
    server.stop().await;
}

#[tokio::test]
async fn figures_are_those_of_the_cluster_and_name_nobody() {
    let folder = folder();
    let server = measured(folder.path(), OpenTo::ThisMachine).await;
    fill(&server).await;
    let told = text(&server).await;
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
        assert_eq!(value(&told, line), expected, "{line}");
    }
    let started = "muster_wait_seconds_count{class=\"standard\",team=\"none\"}";
    assert_eq!(value(&told, started), 1.0);
    assert!(value(&told, "muster_pass_seconds_count") >= 3.0, "{told}");
    assert!(value(&told, "muster_journal_last_sync_timestamp_seconds") > 1.0e9);
    assert!(value(&told, "muster_journal_size_bytes") > 0.0);
    assert!(value(&told, "muster_journal_entries_total") >= 4.0);
    for name in ["secret", "someone"] {
        assert!(!told.contains(name), "no job, user or node is a label:\n{told}");
    }
    server.stop().await;
}

#[tokio::test]
async fn who_is_not_on_this_machine_needs_a_token_that_may_look() {
    let folder = folder();
    let server = measured(folder.path(), OpenTo::ThisMachine).await;
    let status =
        async |request: RequestBuilder| request.send().await.expect("the server answers").status();
    let proxied = || metrics(&server).header("x-forwarded-for", "192.0.2.7");
    assert_eq!(status(proxied()).await, StatusCode::UNAUTHORIZED);
    assert_eq!(status(proxied().bearer_auth(&server.tokens.agent)).await, StatusCode::FORBIDDEN);
    assert_eq!(status(proxied().bearer_auth(&server.tokens.viewer)).await, StatusCode::OK);
    let answer = metrics(&server).send().await.expect("the server answers");
    let kind = answer.headers().get("content-type").and_then(|it| it.to_str().ok());
    assert!(kind.is_some_and(|kind| kind.starts_with("application/openmetrics-text")));
    server.stop().await;
}

#[tokio::test]
async fn setting_closes_them_to_this_machine_too() {
    let folder = folder();
    let server = measured(folder.path(), OpenTo::Nobody).await;
    let answer = metrics(&server).send().await.expect("the server answers");
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    let answer = metrics(&server).bearer_auth(&server.tokens.viewer).send().await;
    assert_eq!(answer.expect("the server answers").status(), StatusCode::OK);
    server.stop().await;
}
