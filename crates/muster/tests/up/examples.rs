//! Every example runs to its end, as its page says.

use super::cluster::{Cluster, repository, said};
use super::patience::until;

#[test]
fn every_example_runs() {
    let cluster = Cluster::start(2);
    let folder = std::fs::read_dir(repository("examples")).expect("there are examples");
    let mut ran = 0;
    for entry in folder {
        let path = entry.expect("the folder can be read").path();
        let name = path.display().to_string();
        let ended = match path.extension().and_then(|extension| extension.to_str()) {
            // An array is handed in, for it cannot be watched as one.
            Some("yaml") if name.ends_with("sweep.yaml") => cluster.muster(&["submit", &name]),
            Some("yaml" | "toml") => cluster.muster(&["run", &name]),
            Some("sh") => {
                let binary = std::path::Path::new(env!("CARGO_BIN_EXE_muster"));
                let folder = binary.parent().expect("it lies in a folder");
                let old = std::env::var("PATH").unwrap_or_default();
                let found = format!("{}:{old}", folder.display());
                let mut shell = std::process::Command::new("sh");
                let like = cluster.command(&[]);
                let variables = like.get_envs().filter_map(|(name, value)| Some((name, value?)));
                shell.arg(&path).envs(variables).env("PATH", found);
                said(shell.current_dir(cluster.folder()).output().expect("a shell starts"))
            }
            _ => continue,
        };
        assert_eq!(ended.code, 0, "{name}: {ended:?}");
        ran += 1;
    }
    assert!(ran >= 6, "only {ran} examples ran");
    let ended = until(|| (cluster.ok(&["jobs", "--json"]) == "[]\n").then_some(()));
    assert!(ended.is_some(), "all of it ends: {}", cluster.ok(&["jobs"]));
    let all = cluster.ok(&["jobs", "--all", "--json"]);
    let all: Vec<serde_json::Value> = serde_json::from_str(&all).expect("it is JSON");
    let failed: Vec<_> = all.iter().filter(|job| job["outcome"] != "completed").collect();
    assert!(failed.is_empty(), "{failed:?}");
}
