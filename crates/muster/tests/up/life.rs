//! What becomes of jobs on a real cluster.

use muster_store::history::{LedgerBy, LedgerQuestion};
use muster_store::{HistoryReader, SqliteHistory};

use super::cluster::Cluster;

#[test]
fn run_shows_what_the_job_says_and_exits_as_it_does() {
    let cluster = Cluster::start(1);
    let said = cluster.muster(&["run", "--gpus", "1", "--", "sh", "-c", "echo hello; exit 7"]);
    assert_eq!((said.code, said.out.as_str()), (7, "hello\n"), "{said:?}");
    let said = cluster.muster(&["run", "--", "sh", "-c", "kill -9 $$"]);
    assert_eq!(said.code, 128 + 9, "{said:?}");
}

#[test]
fn gang_meets_by_rank_and_each_task_has_its_own_gpus() {
    let cluster = Cluster::start(2);
    let script = "echo $RANK/$WORLD_SIZE $CUDA_VISIBLE_DEVICES $MASTER_ADDR:$MASTER_PORT";
    let out = cluster.ok(&["run", "--tasks", "2", "--gpus", "8", "--", "sh", "-c", script]);
    let mut lines: Vec<_> = out.lines().collect();
    lines.sort_unstable();
    let gpus = "0,1,2,3,4,5,6,7";
    let expected = [0, 1].map(|rank| format!("[{rank}] {rank}/2 {gpus} 127.0.0.1:29500"));
    assert_eq!(lines, expected);
}

#[test]
fn lone_task_gets_no_rendezvous() {
    let cluster = Cluster::start(1);
    let out = cluster.ok(&["run", "--", "sh", "-c", "echo [$RANK$MASTER_ADDR$WORLD_SIZE]"]);
    assert_eq!(out, "[]\n");
}

#[test]
fn job_that_waits_says_why_and_starts_when_there_is_room() {
    let cluster = Cluster::start(1);
    let first = cluster.submit(&["--gpus", "8", "--", "sleep", "600"]);
    let second = cluster.submit(&["--gpus", "1", "--", "true"]);
    let why = cluster.ok(&["why", &second.to_string()]);
    assert!(why.contains("needs 1 GPU; 0 are free"), "{why}");
    assert!(cluster.ok(&["jobs"]).contains("needs 1 GPU; 0 are free"));
    cluster.ok(&["cancel", &first.to_string()]);
    cluster.event(first, "job-cancelled");
    cluster.event(second, "job-completed");
}

#[test]
fn held_job_waits_until_it_is_released() {
    let cluster = Cluster::start(1);
    let job = cluster.submit(&["--hold", "--", "true"]);
    assert_eq!(cluster.job(job)["job"]["state"], "waiting");
    cluster.ok(&["release", &job.to_string()]);
    cluster.event(job, "job-completed");
}

#[test]
fn drained_node_takes_nothing_new() {
    let cluster = Cluster::start(1);
    cluster.ok(&["node", "drain", "node-1"]);
    let job = cluster.submit(&["--gpus", "1", "--", "true"]);
    assert_eq!(cluster.job(job)["job"]["state"], "queued");
    cluster.ok(&["node", "resume", "node-1"]);
    cluster.event(job, "job-completed");
}

#[test]
fn cluster_that_starts_again_goes_on() {
    let mut cluster = Cluster::start(1);
    let ended = cluster.submit(&["--", "true"]);
    cluster.event(ended, "job-completed");
    let running = cluster.submit(&["--gpus", "8", "--", "sleep", "600"]);
    let waiting = cluster.submit(&["--gpus", "8", "--", "sleep", "600"]);
    cluster.event(running, "job-running");
    cluster.down();
    assert_eq!(cluster.muster(&["jobs"]).code, 1, "there is no cluster to ask");
    cluster.up();
    cluster.event(running, "attempt 2");
    assert_eq!(cluster.job(waiting)["job"]["state"], "queued");
    assert_eq!(cluster.job(ended)["job"]["outcome"], "completed");
    let next = cluster.submit(&["--hold", "--", "true"]);
    assert!(next > waiting, "numbers go on: {next} after {waiting}");
}

#[test]
fn output_of_a_job_goes_where_it_says() {
    let cluster = Cluster::start(1);
    let output = ["run", "--output", "out-%j.txt", "--", "sh", "-c", "echo kept; echo bad >&2"];
    cluster.ok(&output);
    let kept = std::fs::read_to_string(cluster.folder().join("out-1.txt"));
    assert_eq!(kept.expect("the file was written"), "kept\nbad\n");
}

#[test]
fn who_gives_no_estimate_is_given_one_by_what_ran_before_also_after_a_restart() {
    let mut cluster = Cluster::start(1);
    let estimate = |cluster: &Cluster, id| cluster.job(id)["spec"]["timing"]["estimate"].clone();
    let first = cluster.submit(&["--name", "eval", "--", "true"]);
    assert!(estimate(&cluster, first).is_null(), "nothing is known yet");
    cluster.event(first, "job-completed");
    cluster.down();
    cluster.up();
    let second = cluster.submit(&["--name", "eval", "--hold", "--", "true"]);
    let told = estimate(&cluster, second);
    let [median, p90] = ["median", "p90"].map(|which| told[which].as_u64().unwrap_or_default());
    assert!(0 < median && median <= p90, "{told}");
}

#[test]
fn what_a_job_used_is_in_the_history() {
    let mut cluster = Cluster::start(1);
    let said = cluster.muster(&["run", "--gpus", "4", "--", "sleep", "0.2"]);
    assert_eq!(said.code, 0, "{said:?}");
    let job = cluster.submit(&["--gpus", "2", "--", "sleep", "600"]);
    cluster.event(job, "running");
    cluster.ok(&["cancel", &job.to_string()]);
    cluster.event(job, "cancelled");
    // What was written is there when the server has stopped.
    cluster.down();
    let past = SqliteHistory::open_read_only(&cluster.folder().join("data")).unwrap();
    let (to_ms, by) = (u64::MAX >> 1, LedgerBy::Job);
    let question = LedgerQuestion { to_ms, by, ..LedgerQuestion::default() };
    let used = past.ledger(&question).unwrap().rows;
    let of = |job: u64| {
        let found = used.iter().find(|used| used.key == job.to_string());
        found.unwrap_or_else(|| panic!("nothing of job {job}: {used:?}")).amounts
    };
    let first = of(job - 1);
    assert!(first.allocated >= 4 * 200, "{first:?}");
    assert!(0 < first.measured && first.measured <= first.allocated, "{first:?}");
    assert!(of(job).allocated > 0);
}
