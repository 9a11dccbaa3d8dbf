//! What a cluster says was used, from real programs to the report.

use serde_json::Value;

use super::cluster::Cluster;
use super::patience::await_some;

/// What the report says of everything, after checking that it adds up.
fn report(cluster: &Cluster, arguments: &[&str]) -> Value {
    let out = cluster.ok(&[&["usage", "--json"], arguments].concat());
    let report: Value = serde_json::from_str(&out).expect("it is JSON");
    let total = &report["total"];
    let number = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("a number in {report}"));
    let left = &total["unallocated"];
    let unallocated = number(&left["idle"]) + number(&left["unusable"]);
    assert_eq!(number(&total["paid"]), number(&total["allocated"]) + unallocated, "{report}");
    for funnel in report["rows"].as_array().expect("rows").iter().map(|row| &row["funnel"]) {
        let held = ["active", "idle", "unmeasured"].map(|part| number(&funnel[part]));
        assert_eq!(number(&funnel["allocated"]), held.iter().sum::<u64>(), "{report}");
        let lost = ["failed", "paused", "cancelled"].map(|cause| number(&funnel["lost"][cause]));
        let lost: u64 = lost.iter().sum();
        assert_eq!(number(&funnel["active"]), number(&funnel["useful"]) + lost, "{report}");
    }
    report
}

fn of<'a>(report: &'a Value, key: &str) -> Option<&'a Value> {
    let rows = report["rows"].as_array().expect("there are rows");
    rows.iter().find(|row| row["key"] == key).map(|row| &row["funnel"])
}

#[test]
fn the_cost_of_a_job_includes_the_attempt_that_failed() {
    let cluster = Cluster::start(1);
    let policy = cluster.folder().join("policy.toml");
    std::fs::write(&policy, "[policy]\nretry_pause = \"100ms\"\n").expect("the folder is ours");
    cluster.ok(&["policy", "apply", policy.to_str().expect("the path is text")]);
    let script = "sleep 0.4; [ -e again ] || { touch again; exit 3; }";
    let job = "{name: twice, gpus: 2, retries: 1, directory: DIRECTORY, command: 'SCRIPT'}";
    let directory = cluster.folder().display().to_string();
    let job = job.replace("DIRECTORY", &directory).replace("SCRIPT", script);
    let file = cluster.folder().join("twice.yaml");
    std::fs::write(&file, job).expect("the folder is ours");
    let job = cluster.submit(&[file.to_str().expect("the path is text")]);
    cluster.event(job, "job-completed");
    cluster.event(job, "(attempt 2)");
    // Both attempts held two GPUs for their time; what is told is written down a moment later.
    let key = job.to_string();
    let funnel = await_some(|| {
        let report = report(&cluster, &["--by", "job"]);
        let funnel = of(&report, &key)?;
        let attempts = funnel["allocated"].as_u64()? >= 2 * 2 * 400;
        attempts.then(|| funnel.clone())
    });
    assert!(funnel["paid"].is_null(), "a job owns no GPUs: {funnel}");
    for by in ["team", "user", "class", "queue", "model", "node"] {
        let report = report(&cluster, &["--by", by]);
        assert_eq!(report["rows"][0]["funnel"]["allocated"], funnel["allocated"], "{report}");
    }
    let csv = cluster.ok(&["usage", "--by", "team", "--csv"]);
    assert!(csv.lines().nth(1).is_some_and(|line| line.starts_with(",,")), "{csv}");
    let page = cluster.folder().join("usage.html");
    cluster.ok(&["usage", "--html", page.to_str().expect("the path is text")]);
    let page = std::fs::read_to_string(page).expect("the page was written");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("(none)"), "it is a page");
}

#[test]
fn a_drained_node_is_paid_for_and_cannot_be_had() {
    let cluster = Cluster::start(1);
    let unusable = |cluster: &Cluster| {
        let report = report(cluster, &["--by", "node"]);
        report["total"]["unallocated"]["unusable"].as_u64().unwrap_or_default()
    };
    assert_eq!(unusable(&cluster), 0);
    let node = cluster.ok(&["nodes", "--json"]);
    let nodes: Value = serde_json::from_str(&node).expect("it is JSON");
    cluster.ok(&["node", "drain", nodes[0]["name"].as_str().expect("it has a name")]);
    await_some(|| (unusable(&cluster) > 0).then_some(()));
}
