//! Policies side by side, worlds before and after, and the suite of all figures.

use std::fs;

use serde_json::Value;

use super::support::{file, path, refused, sim, stdout};

/// The worked example of the documentation.
const JOBS: &str = "job_id,arrival_s,service_sec,gpu_count\n\
                    train,0,36000,16\ntune,600,7200,8\ntest,1200,300,1\nsweep,1800,1800,8\n";

fn json(arguments: &[&str]) -> Value {
    let text = stdout(&sim(&[arguments, &["--json", "-"]].concat()));
    serde_json::from_str(&text).expect("it is JSON")
}

#[test]
fn policies_are_compared_with_the_first_and_with_the_bound() {
    let jobs = file("compare.csv", JOBS);
    let common = [
        "compare",
        "--trace",
        &jobs,
        "--cluster",
        "2x8:H100",
        "--policy",
        "fifo,srtf",
        "--seed",
        "3",
    ];
    let table = stdout(&sim(&common)).replace(&jobs, "compare.csv");
    let expected = "\
compare.csv on 2x8:H100, seed 3
policy                      fifo        srtf     of fifo
mean JCT, s               37,500      13,140       0.35×
  of the bound             3.13×       1.10×
median JCT, s             36,000       1,800       0.05×
p99 JCT, s                42,600      43,260       1.02×
mean wait, s              26,175       1,800       0.07×
p99 wait, s               35,400       7,200       0.20×
p99.9 wait, s             35,400       7,200       0.20×
longest gap, s            35,400       7,200       0.20×
makespan, s               43,200      43,260       1.00×
  of the bound             1.07×       1.07×
allocated, %                93.8        93.8       1.00×
useful, %                   93.8        93.7       1.00×
preemptions                    0           1           -
GPU-hours lost                 0         0.3           -
";
    assert_eq!(table, expected);
    let runs = json(&common);
    assert_eq!(runs[0]["of_first"]["mean_jct_s"], 1.0);
    assert_eq!(runs[1]["of_first"]["mean_jct_s"], 13_140.0 / 37_500.0);
    assert_eq!(runs[1]["of_first"].get("preemptions"), None, "nothing compares with none");
    let of_bound = 13_140.0 / runs[1]["bound_mean_jct_s"].as_f64().unwrap();
    assert_eq!(runs[1]["mean_jct_of_bound"], of_bound);
}

#[test]
fn a_comparison_of_a_made_up_workload_writes_a_report() {
    let html = path("compare.html");
    let arguments = ["compare", "--jobs", "40", "--cluster", "4x8:H100", "--policy", "muster,las"];
    stdout(&sim(&[&arguments[..], &["--report", &html]].concat()));
    let page = fs::read_to_string(&html).unwrap();
    assert!(page.contains("Side by side") && page.contains(">las<"));
}

#[test]
fn a_changed_world_is_told_before_and_after() {
    let (jobs, html) = (file("what-if.csv", JOBS), path("what-if.html"));
    let common = ["what-if", "--trace", &jobs, "--cluster", "2x8:H100", "--policy", "fifo"];
    let more = [&common[..], &["--nodes", "+2", "--report", &html]].concat();
    let table = stdout(&sim(&more)).replace(&jobs, "what-if.csv");
    let expected = "\
what-if.csv on 2x8:H100, fifo, seed 1
with 2 more nodes
                            before         after    difference         %
jobs                             4             4             0      +0.0
mean JCT, s                 37,500        11,325       -26,175     -69.8
  lower bound, s            11,993        11,325          -668      -5.6
p99 JCT, s                  42,600        36,000        -6,600     -15.5
mean wait, s                26,175             0       -26,175    -100.0
p99 wait, s                 35,400             0       -35,400    -100.0
longest gap, s              35,400             0       -35,400    -100.0
makespan, s                 43,200        36,000        -7,200     -16.7
allocated, %                  93.8          56.3         -37.5     -40.0
useful, %                     93.8          56.3         -37.5     -40.0
preemptions                      0             0             0         -
GPU-hours lost                   0             0             0         -
";
    assert_eq!(table, expected);
    let page = fs::read_to_string(&html).unwrap();
    assert!(page.contains("With 2 more nodes, a job takes 3.1 h on average"), "{page}");
    let worlds = json(&[&common[..], &["--nodes=-1"]].concat());
    assert_eq!(worlds["changes"][0], "1 fewer node");
    assert_eq!((&worlds["before"]["refused"], &worlds["after"]["refused"]), (&0.into(), &1.into()));
    assert_eq!(worlds["difference"]["jobs"], -1.0);
}

#[test]
fn a_world_without_preemption_and_one_with_suspends_differ_from_the_table() {
    let jobs = file("what-cost.csv", JOBS);
    let common = ["what-if", "--trace", &jobs, "--cluster", "2x8:H100", "--policy", "srtf"];
    let never = json(&[&common[..], &["--no-preemption"]].concat());
    assert_eq!(never["before"]["preemptions"], 1);
    assert_eq!(
        (&never["after"]["preemptions"], &never["after"]["preemption_cost"]),
        (&0.into(), &"never".into())
    );
    let suspend = json(&[&common[..], &["--suspend"]].concat());
    assert_eq!(suspend["after"]["preemption_cost"], "measured");
    let lost = suspend["difference"]["gpu_hours_lost"].as_f64().unwrap();
    assert!(lost < 0.0, "moving 20 GiB takes less than a minute: {lost}");
}

#[test]
fn a_world_in_which_nothing_changes_and_unknown_pools_are_refused() {
    for (arguments, said) in [
        (&["what-if", "--jobs", "5"][..], "nothing is changed"),
        (&["what-if", "--jobs", "5", "--nodes", "many"], "expected a change such as +2"),
        (&["what-if", "--jobs", "5", "--nodes", "a+1"], "there is no pool a"),
        (&["what-if", "--jobs", "5", "--suspend", "--policy", "muster,fifo"], "sim compare"),
        (&["what-if", "--jobs", "5", "--suspend", "--no-preemption"], "cannot be used with"),
        (&["compare", "--jobs", "5", "--policy", "best"], "there is no policy best"),
        (&["compare", "--trace", "no-such-file.csv"], "cannot open no-such-file.csv"),
        (&["suite", "--part", "all"], "expected one of reproduce, beat"),
        (&["suite", "--write", "no-such-folder/x.md"], "there is no folder"),
    ] {
        let error = refused(arguments);
        assert!(error.starts_with("error: ") && error.contains(said), "{error}");
    }
}

#[test]
fn the_suite_runs_without_traces_and_names_what_it_leaves_out() {
    let (nowhere, written) = (path("no-traces"), path("results.md"));
    let arguments = ["suite", "--traces", &nowhere, "--part", "made-up,reproduce,packing"];
    let output = sim(&[&arguments[..], &["--json", "--write", &written]].concat());
    let results: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let rows = results["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 4, "two mixes against two baselines");
    for row in rows {
        let (ours, bound) = (row["ours"].as_f64().unwrap(), row["bound"].as_f64().unwrap());
        assert!(ours >= bound, "{row}");
        assert!(row["met"].is_boolean() && row["aim"].is_string(), "{row}");
    }
    let left_out: Vec<&str> =
        results["left_out"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let venus = "Venus, 15 pools: there is no venus/jobs.csv in the folder of traces";
    assert!(left_out.contains(&venus), "{left_out:?}");
    let page = fs::read_to_string(&written).unwrap();
    assert!(
        page.contains("```\nmuster sim suite --million --write docs/results.md\n```"),
        "{page}"
    );
    assert!(
        page.contains("| mix llm, 6000 jobs, 32×8: mean JCT, s |") && page.contains(venus),
        "{page}"
    );
}

#[test]
fn the_suite_runs_on_a_folder_in_the_form_of_the_public_traces() {
    let folder = path("traces");
    fs::create_dir_all(format!("{folder}/itp")).unwrap();
    let head = "job_id,submission_time,deadline,model_name,batch_size,num_gpu,duration\n";
    let rows: String = (0..60)
        .map(|n| {
            format!("{n},{},{},net,32,{},{}\n", n * 60, n * 60 + 4_000, [1, 8, 16][n % 3], 600 + n)
        })
        .collect();
    fs::write(format!("{folder}/itp/cluster05.csv"), format!("{head}{rows}")).unwrap();
    let parts = "beat,deadlines,starvation,speed";
    let text = stdout(&sim(&["suite", "--traces", &folder, "--part", parts]));
    for line in [
        "-- beat",
        "ITP 05, 2×8: mean JCT, s",
        "ITP 05, 2×8: mean JCT, of SRTF's",
        "-- deadlines",
        "ITP 05, 64×8",
        "-- starvation",
        "ITP 05, 2×8: starts later than told, of ",
        "ITP 05, 2×8: longest gap, no floor, h",
        "left out: a million made-up jobs",
        "left out: Philly, 64×8: there is no philly/jobs.csv",
    ] {
        assert!(text.lines().any(|found| found.starts_with(line)), "{line} is missing in\n{text}");
    }
    assert!(text.contains("aims are met"), "{text}");
}
