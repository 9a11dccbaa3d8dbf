//! The experiments with a subcommand: published baselines, and packing.

use serde_json::Value;

use super::support::{file, refused, sim, stdout};

const JOBS: &str = "job_id,arrival_s,service_sec,gpu_count\n1,0,100,6\n2,1,10,8\n3,2,10,1\n";

#[test]
fn published_rules_run_on_a_trace() {
    let jobs = file("jobs.csv", JOBS);
    let common = ["published", "--trace", &jobs, "--cluster", "1x8:V100", "--policy", "fifo,srtf"];
    let table = stdout(&sim(&common));
    assert_eq!(table.lines().count(), 3, "{table}");
    let json = stdout(&sim(&[&common[..], &["--json"]].concat()));
    let runs: Value = serde_json::from_str(&json).expect("one JSON array");
    assert_eq!((&runs[0]["policy"], &runs[0]["mean_queue_s"]), (&"fifo".into(), &69.0.into()));
    assert_eq!((&runs[1]["policy"], &runs[1]["preemptions"]), (&"srtf".into(), &1.into()));
    assert_eq!((&runs[0]["placer"], &runs[0]["jobs"]), (&"consolidate".into(), &3.into()));
    assert!(runs[0]["bound_mean_jct_s"].as_f64() >= Some(40.0), "{json}");
}

#[test]
fn pods_are_packed() {
    let header = "name,cpu_milli,memory_mib,num_gpu,gpu_milli\n";
    let rows: String =
        (0..40).map(|n| format!("p{n},4000,4096,1,{}\n", [460, 1000][n % 2])).collect();
    let pods = file("pods.csv", &format!("{header}{rows}"));
    let nodes = file(
        "nodes.csv",
        "sn,cpu_milli,memory_mib,gpu,model\na,64000,262144,8,V100M16\nb,64000,262144,2,T4\n",
    );
    let common = ["packing", "--pods", &pods, "--nodes", &nodes, "--policy", "best-fit,muster"];
    let json = stdout(&sim(&[&common[..], &["--seeds", "2", "--json"]].concat()));
    let all: Value = serde_json::from_str(&json).expect("one JSON array");
    assert_eq!((&all[1]["policy"], &all[1]["seeds"]), (&"muster".into(), &2.into()));
    let percent = |index: usize| all[index]["allocated_percent_mean"].as_f64().unwrap();
    assert!((80.0..=100.0).contains(&percent(0)), "{json}");
    assert!((80.0..=100.0).contains(&percent(1)), "{json}");
    assert!(all[0]["fragmented_percent_mean"].is_number(), "{json}");
    assert!(all[0]["allocated_percent_std"].is_number(), "{json}");
    let table = stdout(&sim(&[&common[..], &["--seeds", "1", "--as-listed"]].concat()));
    assert!(table.starts_with("policy") && table.contains("\nmuster "), "{table}");
}

#[test]
fn what_cannot_be_simulated_is_said_with_a_way_out() {
    let jobs = file("large.csv", JOBS);
    let published = |cluster, policy| {
        refused(&["published", "--trace", &jobs, "--cluster", cluster, "--policy", policy])
    };
    let large = published("1x4:V100", "fifo");
    assert!(large.contains("asks for 6 GPUs, and the cluster has 4"), "{large}");
    assert!(large.contains("\nhint: name a larger cluster"), "{large}");
    let policy = published("1x8:V100", "lifo");
    assert!(policy.contains("expected one of fifo, sjf, srtf, tiresias, edf"), "{policy}");
}
