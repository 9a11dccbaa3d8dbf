//! The files of `packaging/` for Prometheus and Grafana, and the metrics they ask for.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use super::cluster::repository;

/// The alerts and recordings.
pub(crate) fn rules() -> String {
    let path = repository("packaging/prometheus/muster.rules.yml");
    fs::read_to_string(path).expect("the rules are there")
}

/// The dashboards by name.
pub(crate) fn dashboards() -> Vec<(String, Value)> {
    let folder = repository("packaging/grafana");
    let files = fs::read_dir(folder).expect("the dashboards are there");
    let files = files.map(|file| file.expect("it can be listed").path());
    files
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .map(|path| {
            let text = fs::read_to_string(&path).expect("it can be read");
            let name = path.display().to_string();
            let read = serde_json::from_str(&text);
            (name.clone(), read.unwrap_or_else(|error| panic!("{name}: {error}")))
        })
        .collect()
}

/// Every expression of a dashboard.
pub(crate) fn expressions(dashboard: &Value) -> Vec<String> {
    let panels = dashboard["panels"].as_array().expect("a dashboard has panels");
    let targets = panels.iter().flat_map(|panel| panel["targets"].as_array().into_iter().flatten());
    targets
        .map(|target| target["expr"].as_str().expect("it asks for something").to_owned())
        .collect()
}

/// The names that stand in a text and begin with `muster_`, or `muster:` for recordings.
pub(crate) fn names(text: &str) -> BTreeSet<String> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_:".contains(letter);
    let words = text.split(|letter: char| !is_part(letter));
    let ours = |word: &&str| word.starts_with("muster_") || word.starts_with("muster:");
    words.filter(ours).map(str::to_owned).collect()
}
