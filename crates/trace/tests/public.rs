//! The public traces, where they lie beside the checkout: what was published of them is found
//! again. Where they are absent, each test says so and passes.

use std::path::{Path, PathBuf};

use muster_trace::{Cluster, Gpus, LeftOut, ReadOptions, Summary, Trace, Written};

/// The folder, or a loud word that there is none.
fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join(muster_trace::cluster::TRACES_FOLDER);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: no public traces in {}: nothing was checked", folder.display());
    None
}

fn open(folder: &Path, file: &str) -> Trace {
    let read = Trace::open(&folder.join(file), &ReadOptions::default());
    let trace = read.expect("a public trace has no bad rows");
    let tally = &trace.tally;
    assert_eq!((tally.bad, tally.left_out_in_all()), (0, 0), "{file}");
    trace
}

#[test]
fn venus_has_its_jobs_users_pools_and_mean_duration() {
    let Some(folder) = folder() else { return };
    let summary = Summary::of(&open(&folder, "venus/jobs.csv"));
    assert_eq!((summary.jobs, summary.users, summary.pools), (23_859, 118, 15));
    assert!((summary.mean_duration_s - 11_769.3).abs() < 0.1, "{}", summary.mean_duration_s);
    assert_eq!(summary.outcomes["completed"], 13_281);
}

#[test]
fn philly_has_its_jobs_pools_and_mean_duration() {
    let Some(folder) = folder() else { return };
    let trace = open(&folder, "philly/jobs.csv");
    let summary = Summary::of(&trace);
    assert_eq!((summary.jobs, summary.pools), (82_247, 15));
    assert!((summary.mean_duration_s - 13_135.9).abs() < 0.1, "{}", summary.mean_duration_s);
    assert_eq!(trace.jobs.iter().filter(|job| job.gpus == Gpus::Whole(1)).count(), 76_627);
    assert!(trace.jobs.is_sorted_by_key(|job| job.submit));
}

#[test]
fn itp_has_six_clusters_with_deadlines() {
    let Some(folder) = folder() else { return };
    let sizes = [(1, 1_595), (2, 5_778), (3, 3_011), (5, 3_629), (6, 2_396), (10, 260)];
    for (cluster, jobs) in sizes {
        let trace = open(&folder, &format!("itp/cluster{cluster:02}.csv"));
        assert_eq!(trace.jobs.len(), jobs);
        assert!(trace.jobs.iter().all(|job| job.deadline > Some(job.submit) && job.name.is_some()));
    }
}

#[test]
fn alibaba_has_its_pods_shares_and_models() {
    let Some(folder) = folder() else { return };
    let sizes = [("default", 8_152), ("gpushare40", 8_152), ("gpuspec10", 8_152)];
    for (list, pods) in sizes.into_iter().chain([("multigpu20", 8_324)]) {
        let trace = open(&folder, &format!("alibaba-2023/pods_{list}.csv"));
        assert_eq!(trace.jobs.len(), pods, "{list}");
        let without = trace.jobs.iter().filter(|job| job.gpus == Gpus::NONE).count();
        assert_eq!(without, 1_088, "{list}");
        let with_models = trace.jobs.iter().filter(|job| !job.models.is_empty()).count();
        assert_eq!(with_models > 0, list == "gpuspec10", "{list}: {with_models}");
    }
    let order = open(&folder, "alibaba-2023/eighth/arrival_order_seed42.csv");
    assert_eq!(order.jobs.len(), 1_361);
    assert_eq!((&*order.jobs[0].id, &*order.jobs[1_360].id), ("openb-pod-4463", "openb-pod-5824"));
}

#[test]
fn jobs_without_gpus_can_be_left_out_of_a_list_of_pods() {
    let Some(folder) = folder() else { return };
    let without_gpus = muster_trace::WithoutGpus::LeaveOut;
    let options = ReadOptions { without_gpus, ..ReadOptions::default() };
    let trace = Trace::open(&folder.join("alibaba-2023/pods_default.csv"), &options).unwrap();
    assert_eq!((trace.jobs.len(), trace.tally.rows), (8_152 - 1_088, 8_152));
    assert_eq!(trace.tally.left_out[&LeftOut::WithoutGpus], 1_088);
}

#[test]
fn clusters_have_their_nodes_and_gpus() {
    let Some(folder) = folder() else { return };
    let cases = [
        ("venus", 135, 1_080, 15),
        ("venus-merged", 135, 1_080, 0),
        ("alibaba-2023", 1_213, 6_212, 0),
        ("alibaba-2023-eighth", 152, 770, 0),
        ("lingjun", 847, 6_776, 0),
        ("spot-fleet", 4_278, 10_412, 0),
    ];
    for (name, nodes, gpus, pools) in cases {
        let cluster = Cluster::find(name, &folder).unwrap();
        assert_eq!((cluster.nodes.len(), cluster.gpus()), (nodes, gpus), "{name}");
        let declared = cluster.declare().unwrap();
        assert_eq!((declared.nodes.len(), declared.spec.pools.len()), (nodes, pools), "{name}");
    }
    let lingjun = Cluster::find("lingjun", &folder).unwrap();
    let mut switches: Vec<_> = lingjun.nodes.iter().map(|node| &node.spec.domains[2]).collect();
    switches.sort_unstable();
    switches.dedup();
    assert_eq!(switches.len(), 119);
}

#[test]
fn every_public_trace_converts_without_loss() {
    let Some(folder) = folder() else { return };
    let files = ["venus/jobs.csv", "itp/cluster02.csv", "alibaba-2023/pods_gpuspec10.csv"];
    for file in files {
        let mut trace = open(&folder, file);
        for written in [Written::Csv, Written::JsonLines] {
            let bytes = trace.write(Vec::new(), written).unwrap();
            let back = Trace::read("back", bytes.as_slice(), &ReadOptions::default()).unwrap();
            trace.name = "back".to_owned();
            assert_eq!(back, trace, "{file}");
        }
    }
}
