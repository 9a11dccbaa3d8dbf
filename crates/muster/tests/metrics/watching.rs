//! The packaged rules and dashboards against a cluster that runs.

use std::collections::BTreeSet;

use serde_json::Value;

use super::cluster::Cluster;
use super::packaged::{dashboards, expressions, names, rules};
use super::patience::await_some;
use super::prometheus::{Prometheus, get, is_here, promtool};

/// Where the server of a cluster listens.
fn address(cluster: &Cluster) -> String {
    let path = cluster.folder().join("data").join(muster_api::answer::ENDPOINT_FILE);
    let text = std::fs::read_to_string(path).expect("a cluster that is up says where it is");
    let endpoint: Value = serde_json::from_str(&text).expect("it is JSON");
    let url = endpoint["url"].as_str().expect("it has an address");
    url.trim_start_matches("http://").to_owned()
}

/// The series that `/metrics` has, by name.
fn series(address: &str) -> BTreeSet<String> {
    let text = get(address, "/metrics").expect("the server tells its figures to this machine");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| Some(line.split(['{', ' ']).next()?.to_owned())).collect()
}

#[test]
fn rules_do_what_their_tests_say() {
    if !is_here() {
        return;
    }
    for arguments in [
        &["check", "rules", "muster.rules.yml"][..],
        &["check", "config", "prometheus.yml"],
        &["test", "rules", "muster.rules.test.yml"],
    ] {
        let said = promtool(arguments);
        let told = String::from_utf8_lossy(&said.stdout).into_owned();
        assert!(said.status.success(), "promtool {}: {told}", arguments.join(" "));
    }
}

#[test]
fn every_metric_that_is_asked_for_is_told() {
    let cluster = Cluster::start(1);
    let job = cluster.submit(&["--gpus", "1", "--", "true"]);
    cluster.event(job, "job-completed");
    let told = series(&address(&cluster));
    let rules = rules();
    let recorded: BTreeSet<String> = rules
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("- record: "))
        .map(str::to_owned)
        .collect();
    let asked = |name: &String| told.contains(name) || recorded.contains(name);
    let missing: Vec<String> = names(&rules).into_iter().filter(|name| !asked(name)).collect();
    assert!(missing.is_empty(), "the rules ask for {missing:?}");
    let dashboards = dashboards();
    assert_eq!(dashboards.len(), 4);
    for (name, dashboard) in dashboards {
        let asked_for = names(&dashboard.to_string());
        // The name of a dashboard is a word of ours as well, with another mark.
        let missing: Vec<String> = asked_for.into_iter().filter(|name| !asked(name)).collect();
        assert!(missing.is_empty(), "{name} asks for {missing:?}");
    }
}

#[test]
fn prometheus_scrapes_the_cluster_evaluates_every_rule_and_raises_the_alarm() {
    if !is_here() {
        return;
    }
    let cluster = Cluster::start(2);
    let job = cluster.submit(&["--gpus", "1", "--", "true"]);
    cluster.event(job, "job-completed");
    let address = address(&cluster);
    let prometheus = Prometheus::start(&address, &rules());

    let target = await_some(|| {
        let targets = prometheus.ask("/api/v1/targets")?;
        let target = targets["activeTargets"].get(0)?.clone();
        (target["health"] != "unknown").then_some(target)
    });
    assert_eq!((&target["health"], &target["lastError"]), (&"up".into(), &"".into()), "{target}");

    let evaluated = await_some(|| {
        let rules = all_rules(&prometheus.ask("/api/v1/rules")?);
        let is_done = !rules.is_empty() && rules.iter().all(|rule| rule["health"] != "unknown");
        is_done.then_some(rules)
    });
    for rule in &evaluated {
        assert_eq!(rule["health"], "ok", "{rule}");
    }

    assert!(!firing(&prometheus).contains("MusterNodesDrained"), "nothing is drained yet");
    cluster.ok(&["node", "drain", "node-2"]);
    await_some(|| firing(&prometheus).contains("MusterNodesDrained").then_some(()));
    cluster.ok(&["node", "resume", "node-2"]);
    await_some(|| (!firing(&prometheus).contains("MusterNodesDrained")).then_some(()));

    for (name, dashboard) in dashboards() {
        for expression in expressions(&dashboard) {
            let asked = expression.replace("$instance", &address);
            let asked = asked.replace("$__rate_interval", "1m");
            let path = format!("/api/v1/query?query={}", encoded(&asked));
            assert!(prometheus.ask(&path).is_some(), "{name}: {expression} cannot be evaluated");
        }
    }
}

fn all_rules(answer: &Value) -> Vec<Value> {
    let groups = answer["groups"].as_array().into_iter().flatten();
    groups.flat_map(|group| group["rules"].as_array().into_iter().flatten()).cloned().collect()
}

/// The names of alerts that fire.
fn firing(prometheus: &Prometheus) -> BTreeSet<String> {
    let alerts = prometheus.ask("/api/v1/alerts");
    let alerts = alerts.iter().filter_map(|answer| answer["alerts"].as_array()).flatten();
    let firing = alerts.filter(|alert| alert["state"] == "firing");
    firing.filter_map(|alert| Some(alert["labels"]["alertname"].as_str()?.to_owned())).collect()
}

/// As it stands in an address.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
