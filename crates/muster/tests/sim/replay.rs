//! Traces through the engine: a table or figures come out.

use std::fs;

use serde_json::Value;

use super::support::{FIGURES, file, path, refused, sim, stdout};

const JOBS: &str = "job_id,arrival_s,service_sec,gpu_count\n\
                    1,0,6000,8\n2,600,300,8\n3,700,60,16\n4,800,60,99\n";

/// The other keys that people build on.
const KEYS: [&str; 9] = [
    "trace",
    "cluster",
    "policy",
    "placer",
    "seed",
    "deadlines_met_share",
    "bound_mean_jct_s",
    "cpu_s",
    "peak_mb",
];

fn figures(arguments: &[&str]) -> Vec<Value> {
    let text = stdout(&sim(&[arguments, &["--json", "-"]].concat()));
    serde_json::from_str(&text).expect("an array of objects")
}

#[test]
fn each_policy_gives_an_object_with_all_keys() {
    let path = file("keys.csv", JOBS);
    let runs = figures(&["--trace", &path, "--cluster", "2x8:H100", "--policy", "srtf,fifo"]);
    assert_eq!(runs.len(), 2);
    for run in &runs {
        for key in KEYS.into_iter().chain(FIGURES) {
            assert!(run.get(key).is_some(), "{key} is missing");
        }
        assert_eq!((&run["jobs"], &run["refused"]), (&Value::from(3), &Value::from(1)));
        assert_eq!(run["bound_mean_jct_s"], 2_120.0);
    }
    assert_eq!((&runs[0]["policy"], &runs[0]["placer"]), (&"srtf".into(), &"best-fit".into()));
    // The second has the other node; the third needs both and has the least to do.
    assert_eq!(runs[0]["preemptions"], 2);
    assert_eq!(runs[1]["preemptions"], 0);
}

#[test]
fn what_cannot_run_is_said_and_the_table_has_a_column_for_each_policy() {
    let path = file("table.csv", JOBS);
    let output = sim(&["--trace", &path, "--cluster", "2x8:H100", "--policy", "fifo,muster"]);
    let (text, said) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("1 jobs cannot run there, the first is 4: 99 GPUs of 16"), "{said}");
    let line = text.lines().find(|line| line.starts_with("policy")).unwrap();
    assert_eq!(line.split_whitespace().collect::<Vec<_>>(), ["policy", "fifo", "muster"]);
    assert!(text.contains("mean JCT, s"), "{text}");
}

#[test]
fn without_a_trace_a_workload_is_made_up_and_two_runs_agree() {
    let run = || {
        let mut runs = figures(&["--jobs", "60", "--cluster", "4x8:H100", "--seed", "5"]);
        let run = runs.remove(0);
        let mut run = run.as_object().unwrap().clone();
        // What a run costs is never twice the same.
        run.remove("cpu_s");
        run.remove("peak_mb");
        run
    };
    let once = run();
    assert_eq!(once["jobs"], 60);
    assert_eq!(once, run());
}

#[test]
fn an_unknown_policy_and_a_misspelt_setting_are_refused_with_a_hint() {
    for (arguments, said) in [
        (["--policy", "best"], "expected one of muster, fifo, sjf, srtf, las, fair"),
        (["--settings", "{\"floor\":{\"part\":1}}"], "settings"),
        (["--preemption-cost", "free"], "expected one of table, measured, never"),
        (["--scale", "0"], "expected 0.001 or more"),
        (["--estimates", "guessed"], "expected predicted, exact, nothing or rough:S"),
        (["--estimates", "rough:11"], "with S from 0 to 10"),
        (["--slowdown", "0.5"], "expected numbers from 1 to 1000"),
    ] {
        let error = refused(&[&arguments[..], &["--jobs", "10", "--cluster", "2x8:H100"]].concat());
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn options_of_a_replay_do_not_mix_with_an_experiment() {
    let error = refused(&["--policy", "fifo", "published"]);
    assert!(error.contains("cannot be used with"), "{error}");
}

#[test]
fn figures_are_written_to_the_file_that_is_named() {
    let (jobs, out) = (file("written.csv", JOBS), path("written.json"));
    let output = sim(&["--trace", &jobs, "--cluster", "2x8:H100", "--json", &out]);
    assert_eq!(stdout(&output), "", "what goes to a file is not printed too");
    let runs: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    assert_eq!((&runs[0]["policy"], &runs[0]["jobs"]), (&"muster".into(), &3.into()));
    let nowhere = path("no-such-folder/out.json");
    let error = refused(&["--trace", &jobs, "--cluster", "2x8:H100", "--json", &nowhere]);
    assert!(error.contains("cannot write"), "{error}");
}

#[test]
fn a_replay_stops_when_asked_and_counts_what_goes_on() {
    let jobs = file("until.csv", JOBS);
    let common = ["--trace", &jobs, "--cluster", "2x8:H100", "--policy", "fifo"];
    let cut = &figures(&[&common[..], &["--until", "1000"]].concat())[0];
    // The second is over; the first goes on, and the third waits for it.
    assert_eq!((&cut["jobs"], &cut["unfinished"]), (&1.into(), &2.into()));
    assert_eq!((&cut["makespan_s"], &cut["mean_jct_s"]), (&1_000.0.into(), &300.0.into()));
    assert_eq!((&cut["bound_mean_jct_s"], &cut["max_gap_s"]), (&300.0.into(), &300.0.into()));
}

#[test]
fn jobs_come_as_many_times_as_fast_as_asked() {
    let jobs = file("scale.csv", JOBS);
    let common = ["--trace", &jobs, "--cluster", "2x8:H100", "--policy", "fifo"];
    let makespan = |scale: &str| {
        let runs = figures(&[&common[..], &["--scale", scale]].concat());
        (runs[0]["makespan_s"].clone(), runs[0]["mean_queue_s"].clone())
    };
    // The third waits for the first, from 700 s on as recorded, from 350 s on and from 1,400 s on.
    assert_eq!(makespan("1"), (6_060.0.into(), (5_300.0 / 3.0).into()));
    assert_eq!(makespan("2"), (6_060.0.into(), (5_650.0 / 3.0).into()));
    assert_eq!(makespan("0.5"), (6_060.0.into(), (4_600.0 / 3.0).into()));
}
