//! `muster bench` from the outside: the keys and types of its figures, that they repeat, and
//! that a wrong call is refused. Never a time: those depend on the machine.

use std::process::{Command, Output};

use serde_json::Value;

/// Every figure that is a whole number, and every one that is not.
const WHOLE: [&str; 9] = [
    "gpus",
    "placements",
    "bytes_per_gpu",
    "bytes_per_job",
    "nodes",
    "queues",
    "pending",
    "seed",
    "steps",
];
const FRACTIONAL: [&str; 10] = [
    "placements_per_s",
    "cpu_us_per_placement",
    "step_cpu_us_p50",
    "step_cpu_us_p99",
    "step_cpu_us_p999",
    "step_cpu_us_max",
    "fill_placements_per_s",
    "gpus_per_placement",
    "utilization",
    "timer_overhead_us",
];
const GANG: [&str; 4] = [
    "gang_1024_cpu_us",
    "gang_1024_placed_cpu_us",
    "gang_1024_refused_cpu_us",
    "gang_1024_why_cpu_us",
];

fn muster(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_muster"));
    command.args(arguments).output().expect("the binary was built for this test")
}

fn small(more: &[&str]) -> Output {
    let arguments = ["bench", "engine", "--placements", "40", "--pending", "60"];
    muster(&[&arguments[..], more].concat())
}

fn figures(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = |line| serde_json::from_str(line).expect("each line is one JSON object");
    text.lines().map(read).collect()
}

#[test]
fn looks_are_measured_beside_the_steps_of_the_same_churn() {
    let figures = figures(&small(&["--looks", "--gpus", "256,512", "--json"]));
    assert_eq!(figures.len(), 2);
    for (figures, gpus) in figures.iter().zip([256, 512]) {
        assert_eq!((&figures["measurement"], &figures["gpus"]), (&"looks".into(), &gpus.into()));
        assert_eq!(figures["looks"], 20, "so many looks in turns with steps");
        for name in ["pending", "steps", "step_mean_us", "look_mean_us", "look_per_step"] {
            assert!(figures[name].as_f64() > Some(0.0), "{name}: {figures}");
        }
        for name in ["step_p99_ms", "look_max_ms", "plan_p50_ms", "why_p50_ms"] {
            assert!(figures[name].is_number(), "{name}: {figures}");
        }
        assert!(figures["scattered_jobs_found"].is_u64(), "{figures}");
    }
    assert!(figures[0]["holes_look_p50_ms"].is_null(), "no block could hold the gang");
    let refused = small(&["--looks", "--reclaim"]);
    assert!(!refused.status.success(), "one thing at a time");
}

#[test]
fn a_look_where_gpus_are_free_in_pieces_finds_who_waits_for_them() {
    let figures = figures(&small(&["--looks", "--gpus", "16000", "--json"]));
    assert!(figures[0]["holes_scattered_jobs_found"].as_u64() > Some(0), "{}", figures[0]);
    assert!(figures[0]["holes_look_per_step"].as_f64() > Some(0.0), "{}", figures[0]);
}

#[test]
fn each_size_is_one_json_object_on_a_line_with_every_key() {
    let figures = figures(&small(&["--gpus", "64,128", "--json"]));
    assert_eq!(figures.len(), 2);
    for (figures, gpus) in figures.iter().zip([64, 128]) {
        assert_eq!(figures["gpus"], gpus);
        assert_eq!(figures["nodes"], gpus / 8);
        assert_eq!(figures["queues"], 200);
        // Who gives way to another waits again.
        assert!(figures["pending"].as_u64() >= Some(60));
        for key in WHOLE {
            assert!(figures[key].is_u64(), "{key}: {}", figures[key]);
        }
        for key in FRACTIONAL {
            assert!(figures[key].is_f64(), "{key}: {}", figures[key]);
        }
        for key in GANG {
            assert!(figures.get(key).is_some_and(Value::is_null), "{key}: too small for it");
        }
        assert!(figures["placements"].as_u64() >= Some(40));
        assert!(figures["steps"].as_u64() > figures["placements"].as_u64());
    }
}

#[test]
fn a_cluster_with_a_large_block_has_figures_for_the_largest_gang() {
    let figures = figures(&small(&["--gpus", "2048", "--json"]));
    for key in GANG {
        assert!(figures[0][key].as_f64() > Some(0.0), "{key}: {}", figures[0][key]);
    }
}

#[test]
fn the_same_seed_decides_the_same_and_another_seed_does_not() {
    let decisions = |seed: &str| {
        let figures = figures(&small(&["--gpus", "64", "--json", "--seed", seed]));
        (figures[0]["decisions"].clone(), figures[0]["steps"].clone())
    };
    assert_eq!(decisions("5"), decisions("5"));
    assert_ne!(decisions("5").0, decisions("6").0);
}

#[test]
fn an_overload_has_every_key_of_the_usual_load_and_says_what_was_paused() {
    let usual = figures(&small(&["--gpus", "128", "--json"]));
    let arguments = ["bench", "engine", "--overload", "--placements", "100", "--gpus", "128"];
    let overload = figures(&muster(&[&arguments[..], &["--json"]].concat()));
    let keys = |figures: &Value| -> Vec<String> {
        figures.as_object().expect("figures are an object").keys().cloned().collect()
    };
    assert_eq!(keys(&usual[0]), keys(&overload[0]));
    assert!(overload[0]["gpus_waiting"].as_u64() >= Some(3 * 128), "{}", overload[0]);
    for key in ["pauses", "plans", "saves"] {
        assert!(overload[0][key].as_u64() > Some(0), "{key}: {}", overload[0]);
    }
}

#[test]
fn claims_on_borrowed_gpus_are_one_json_object_for_each_size_that_fits() {
    let arguments = ["bench", "engine", "--reclaim", "--rounds", "3", "--gpus", "256", "--json"];
    let reclaims = figures(&muster(&arguments));
    let sizes: Vec<&Value> = reclaims.iter().map(|figures| &figures["reclaim_gpus"]).collect();
    assert_eq!(sizes, [1, 64]);
    for figures in &reclaims {
        assert_eq!((&figures["gpus"], &figures["rounds"]), (&256.into(), &3.into()));
        for key in ["reclaim_cpu_us_p50", "reclaim_cpu_us_p99", "reclaim_cpu_us_limit"] {
            assert!(figures[key].as_f64() > Some(0.0), "{key}: {figures}");
        }
        assert!(figures["pauses"].as_u64() >= Some(3), "{figures}");
    }
}

#[test]
fn people_get_a_table_with_targets() {
    let output = small(&["--gpus", "64"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("64 GPUs in 8 nodes, 200 queues, "), "{text}");
    assert!(text.contains(" jobs waiting, seed 1"), "{text}");
    assert!(text.contains("at most 50") && text.contains("at least 100000"), "{text}");
}

#[test]
fn a_cluster_without_a_whole_node_is_refused() {
    let output = small(&["--gpus", "7"]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("8..=1000000"));
}

#[test]
fn every_fixed_case_runs_and_repeats() {
    for case in ["fill", "churn", "gang"] {
        let [first, second] = [muster(&["bench", "case", case]), muster(&["bench", "case", case])];
        assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stderr));
        assert_eq!(first.stdout, second.stdout, "{case}");
        assert!(String::from_utf8_lossy(&first.stdout).ends_with(" actions\n"), "{case}");
    }
}

#[test]
fn a_few_days_of_accounts_are_written_and_answer() {
    let call = ["bench", "accounting", "--gpus", "16", "--days", "4", "--json"];
    let output = muster(&call);
    assert!(output.status.success(), "{output:?}");
    let figures: Value = serde_json::from_slice(&output.stdout).expect("it prints one object");
    let count = |name: &str| figures[name].as_u64().unwrap_or_default();
    assert_eq!((count("gpus"), count("days")), (16, 4));
    assert!(count("jobs") > 20 && count("samples_told") > 1000, "{figures}");
    assert!(count("history_bytes") > 10_000, "{figures}");
    let times = ["last_day_by_team_ms", "last_week_by_job_ms", "all_by_model_and_day_ms"];
    assert!(times.iter().all(|time| figures[time].is_f64()), "{figures}");
    let again: Value = serde_json::from_slice(&muster(&call).stdout).expect("it prints one object");
    assert_eq!(again["samples_told"], figures["samples_told"], "the same seed is the same year");
}
