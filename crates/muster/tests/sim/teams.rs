//! Teams with queues of their own: what they are guaranteed, what more of it changes, and what is
//! said where that cannot be; and jobs that share a GPU.

use std::fs;

use serde_json::Value;

use super::support::{file, path, refused, sim, stdout};

/// Vision fills two nodes twice over; speech and somebody come a little later.
const JOBS: &str = "id,submit_ms,duration_ms,gpus,team\n\
                    v1,0,36000000,8,vision\nv2,0,36000000,8,vision\n\
                    v3,0,36000000,8,vision\nv4,0,36000000,8,vision\n\
                    s1,600000,3600000,8,speech\nx1,1200000,600000,8,\n";

/// Two nodes; half of one is guaranteed to speech.
const CLUSTER: &str = "name = \"two\"\n\
                       nodes = [{ count = 2, gpus = 8, model = \"H100\" }]\n\
                       queues = [{ team = \"vision\", guarantee = 8 }, \
                                 { team = \"speech\", guarantee = 4 }, { team = \"spare\" }]\n";

fn files(name: &str) -> (String, String) {
    (file(&format!("{name}.csv"), JOBS), file(&format!("{name}.toml"), CLUSTER))
}

fn json(arguments: &[&str]) -> Value {
    let text = stdout(&sim(&[arguments, &["--json", "-"]].concat()));
    serde_json::from_str(&text).expect("it is JSON")
}

#[test]
fn a_doubled_guarantee_is_told_for_the_team_and_for_the_others() {
    let (jobs, cluster) = files("doubled");
    let common = ["what-if", "--trace", &jobs, "--cluster", &cluster, "--policy", "fifo"];
    let html = path("doubled.html");
    let doubled = [&common[..], &["--guarantee", "speech=x2"]].concat();
    let table = stdout(&sim(&[&doubled[..], &["--report", &html]].concat()));
    let table = table.replace(&jobs, "doubled.csv");
    // When the first two are over, the next two of vision go first; after, only one of them does,
    // and the other an hour later.
    let expected = "\
doubled.csv on two, fifo, seed 1
with team speech guaranteed 8 GPUs instead of 4
                            before         after    difference         %
jobs                             6             6             0      +0.0
mean JCT, s                 60,400        55,000        -5,400      -8.9
  lower bound, s            37,947        37,947             0      +0.0
p99 JCT, s                  75,000        75,600          +600      +0.8
mean wait, s                35,700        30,300        -5,400     -15.1
p99 wait, s                 71,400        70,800          -600      -0.8
longest gap, s              71,400        70,800          -600      -0.8
makespan, s                 75,600        75,600             0      +0.0
allocated, %                  98.0          98.0           0.0      +0.0
useful, %                     98.0          98.0           0.0      +0.0
preemptions                      0             0             0         -
GPU-hours lost                   0             0             0         -
team speech
  guaranteed GPUs                4             8            +4    +100.0
  jobs                           1             1             0      +0.0
  mean wait, s              71,400        35,400       -36,000     -50.4
  mean JCT, s               75,000        39,000       -36,000     -48.0
all others
  guaranteed GPUs                8             8             0      +0.0
  jobs                           5             5             0      +0.0
  mean wait, s              28,560        29,280          +720      +2.5
  mean JCT, s               57,480        58,200          +720      +1.3
";
    assert_eq!(table, expected);
    let page = fs::read_to_string(&html).unwrap();
    let said = "Team speech, guaranteed 8 GPUs instead of 4: a job waits 9.8 h instead of 20 h";
    for words in [said, "<td>4 → 8</td>", "Each team had a queue of its own", "12 and then 16"] {
        assert!(page.contains(words), "{words} is missing in\n{page}");
    }
    let worlds = json(&doubled);
    assert_eq!(worlds["teams"][0]["who"], "team speech");
    assert_eq!(worlds["teams"][0]["after"]["mean_queue_s"], 35_400.0);
    assert_eq!(worlds["teams"][1]["before"]["jobs"], 5);
    assert_eq!(worlds["before"]["teams"]["each"][1]["guarantee_gpus"], 4.0);
    assert_eq!(worlds["after"]["teams"]["each"][1]["guarantee_gpus"], 8.0);
}

#[test]
fn teams_have_queues_only_where_that_is_asked_for() {
    let (jobs, cluster) = files("asked");
    let common = ["--trace", &jobs, "--cluster", &cluster, "--policy", "fifo"];
    let html = path("asked.html");
    let one_queue = &json(&[&common[..], &["--report", &html]].concat())[0];
    assert_eq!(one_queue.get("teams"), None);
    let page = fs::read_to_string(&html).unwrap();
    assert!(page.contains("All jobs were in one queue") && page.contains("one for all jobs"));
    assert!(!page.contains("guaranteed GPUs"), "{page}");

    let teams = &json(&[&common[..], &["--teams"]].concat())[0]["teams"];
    assert_eq!(
        (&teams["by"], &teams["guarantees"]),
        (&"team".into(), &"what the cluster says".into())
    );
    let each = teams["each"].as_array().unwrap();
    let names: Vec<Option<&str>> = each.iter().map(|team| team["team"].as_str()).collect();
    assert_eq!(names, [Some("spare"), Some("speech"), Some("vision"), None]);
    let table = stdout(&sim(&[&common[..], &["--teams"]].concat()));
    let expected = "
guarantees are what the cluster says
team                  guaranteed      jobs     fifo: wait / JCT, s
vision                         8         4         18,000 / 54,000
speech                         4         1         71,400 / 75,000
nobody                         0         1         70,800 / 71,400
spare                          0         0                   0 / 0
";
    assert!(table.ends_with(expected), "{table}");
}

#[test]
fn a_cluster_without_queues_guarantees_half_of_it_by_gpu_time() {
    let jobs = file("half.csv", JOBS);
    let common = ["--trace", &jobs, "--cluster", "4x8:H100", "--teams"];
    let teams = &json(&common)[0]["teams"];
    let words = "half of the cluster, by parts of the GPU time of the trace";
    assert_eq!(teams["guarantees"], words);
    let gpus: Vec<f64> = teams["each"]
        .as_array()
        .unwrap()
        .iter()
        .map(|team| team["guarantee_gpus"].as_f64().unwrap())
        .collect();
    // 16 GPUs by 40 and 1 of 41 parts; the job of nobody has none.
    assert_eq!(gpus, [0.0, 15.0, 0.0]);
}

#[test]
fn what_teams_cannot_have_is_said_with_a_way_out() {
    let (jobs, cluster) = files("refused");
    let plain = file("plain.csv", "job_id,arrival_s,service_sec,gpu_count\n1,0,60,1\n");
    let common = ["what-if", "--trace", &jobs, "--cluster"];
    for (arguments, said) in [
        (&[&cluster, "--guarantee", "sound=8"][..], "expected one of spare, speech, vision"),
        (&[&cluster, "--guarantee", "speech=9"], "--guarantee others=x0.875"),
        (&[&cluster, "--guarantee", "speech"], "TEAM=x2, TEAM=64"),
        (&[&cluster, "--teams"], "nothing is changed"),
        (&["1x8:H100/pool=a", "--guarantee", "speech=8"], "has pools, which share nothing"),
        (
            &[&cluster, "--teams", "--nodes=-1"],
            "12 GPUs are guaranteed in all, and the cluster has 8",
        ),
    ] {
        let error = refused(&[&common[..], arguments].concat());
        assert!(error.contains(said), "{error}");
    }
    let error = refused(&["--trace", &plain, "--cluster", "1x8:H100", "--teams"]);
    assert!(error.starts_with("error: the trace has no teams"), "{error}");
}

#[test]
fn jobs_that_share_a_gpu_take_longer_where_that_is_asked_for() {
    let jobs = file(
        "shares.csv",
        "id,submit_ms,duration_ms,gpu_milli\n1,0,3600000,500\n2,1200000,1440000,500\n",
    );
    let common = ["--trace", &jobs, "--cluster", "1x1:H100", "--policy", "fifo"];
    let alone = &json(&common)[0];
    assert_eq!((&alone["mean_jct_s"], &alone["gpu_hours_lost"]), (&2_520.0.into(), &0.0.into()));
    let html = path("shares.html");
    let slow = [&common[..], &["--slowdown-shared", "1.25", "--report", &html]].concat();
    let both = &json(&slow)[0];
    // Both compute for half an hour, in which each does 24 minutes.
    assert_eq!((&both["mean_jct_s"], &both["makespan_s"]), (&2_880.0.into(), &3_960.0.into()));
    let share = both["useful_share"].as_f64().unwrap();
    assert!((share - 2_520.0 / 3_960.0).abs() < 1e-9, "{share}");
    let page = fs::read_to_string(&html).unwrap();
    assert!(page.contains("times 1.25 for a part of a GPU"), "{page}");
    let error = refused(&[&common[..], &["--slowdown-shared", "0.5"]].concat());
    assert!(error.contains("expected numbers from 1 to 1000"), "{error}");
}
