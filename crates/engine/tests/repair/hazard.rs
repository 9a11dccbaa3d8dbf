//! Nodes that fail often: large gangs keep off them as long as they fit elsewhere.

use super::support::restart;
use crate::support::*;

/// Twenty nodes of which `n-3` has failed twice, where gangs of four nodes are large.
fn lemon() -> World {
    let mut c =
        cluster().nodes("n", 20, "H100x8").policy(|policy| policy.failures.large_nodes = 4).build();
    fail(&mut c, "n-3");
    fail(&mut c, "n-3");
    c
}

/// A node is lost for good and comes back.
fn fail(c: &mut World, node: &str) {
    c.lose(node, Millis::ZERO);
    c.find_again(node, &[]);
}

fn names(c: &World, nodes: &[NodeId]) -> Vec<String> {
    nodes.iter().map(|node| c.node_name(*node)).collect()
}

#[test]
fn a_large_gang_keeps_off_a_node_that_fails_often() {
    let mut c = lemon();
    let job = c.run(gang(4, 8));
    assert_eq!(c.nodes_of(job), ["n-1", "n-2", "n-4", "n-5"]);
    let risk = c.decision(job).risk.unwrap();
    assert_eq!((names(&c, &risk.avoided), names(&c, &risk.used)), (vec!["n-3".to_owned()], vec![]));
}

#[test]
fn a_small_gang_does_not_care() {
    let mut c = lemon();
    let job = c.run(gang(3, 8));
    assert_eq!(c.nodes_of(job), ["n-1", "n-2", "n-3"]);
    assert_eq!(c.decision(job).risk, None);
}

#[test]
fn many_small_tasks_are_large_when_they_need_many_nodes() {
    let mut c = lemon();
    let job = c.run(gang(32, 1));
    assert!(!c.nodes_of(job).contains(&"n-3".to_owned()), "{}", c.layout(job));
    let job = c.run(gang(4, 1));
    assert_eq!(c.decision(job).risk, None, "four tasks of one GPU fit one node");
}

#[test]
fn without_other_room_a_risky_node_is_used_and_named() {
    let mut c = lemon();
    let job = c.run(gang(20, 8));
    let risk = c.decision(job).risk.unwrap();
    assert_eq!((risk.avoided, names(&c, &risk.used)), (vec![], vec!["n-3".to_owned()]));
}

#[test]
fn what_a_constraint_requires_goes_before_what_is_risky() {
    let mut c = lemon();
    let job = c.run(gang(4, 8).only_on(nodes_where("@n-2,n-3,n-4,n-5")));
    assert_eq!(c.nodes_of(job), ["n-2", "n-3", "n-4", "n-5"]);
    let other = c.run(gang(4, 8).only_on(nodes_where("@n-6,n-7,n-8,n-9")));
    let risk = c.decision(other).risk.unwrap();
    assert_eq!(names(&c, &risk.avoided), ["n-3"]);
}

#[test]
fn a_required_rack_with_a_risky_node_is_used_when_no_other_is_free() {
    let mut c = racks("r1: 8 8 8 8; r2: 8 8 8 8; r3: 8 8 8 8")
        .policy(|policy| policy.failures.large_nodes = 3)
        .build();
    fail(&mut c, "r1-1");
    fail(&mut c, "r1-1");
    let jobs: Vec<JobId> = (0..3).map(|_| c.run(gang(4, 8).require("rack"))).collect();
    assert_eq!(c.nodes_of(jobs[0])[0], "r2-1");
    assert_eq!(c.nodes_of(jobs[1])[0], "r3-1");
    assert_eq!(c.nodes_of(jobs[2])[0], "r1-1");
}

#[test]
fn failures_of_long_ago_are_forgiven() {
    let mut c = lemon();
    c.advance(days(12));
    let job = c.run(gang(4, 8));
    assert!(c.decision(job).risk.is_some(), "two failures count for twelve days");
    c.finish(job);
    c.advance(days(1));
    let job = c.run(gang(4, 8));
    assert_eq!((c.nodes_of(job)[2].as_str(), c.decision(job).risk), ("n-3", None));
}

#[test]
fn refused_launches_and_failed_gpus_count_as_failures() {
    let mut c =
        cluster().nodes("n", 20, "H100x8").policy(|policy| policy.failures.large_nodes = 4).build();
    let job = c.submit(gang(1, 8));
    c.refuse(job, "n-1");
    c.break_gpu("n-1", 4);
    assert_eq!(c.node_record("n-1").hazard.level, 2 * 65_536);
    c.break_gpu("n-1", 4);
    assert_eq!(c.node_record("n-1").hazard.level, 2 * 65_536, "that GPU was unhealthy before");
    c.mend_gpu("n-1", 4);
    c.advance(seconds(10));
    let gang = c.run(gang(4, 8));
    let risk = c.decision(gang).risk.unwrap();
    assert_eq!(names(&c, &risk.avoided), ["n-1"]);
}

#[test]
fn a_refusal_by_the_jobs_own_fault_is_not_held_against_the_node() {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    let job = c.submit(gang(1, 8));
    c.refuse_because(job, "n-1", Refusal::Job("no-such-folder".into()));
    assert_eq!(c.node_record("n-1").hazard.level, 0);
}

#[test]
fn a_node_out_of_sight_for_a_moment_has_not_failed() {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    let job = c.run(gang(1, 8));
    c.lose("n-1", minutes(5));
    c.find_again("n-1", &[job]);
    assert_eq!(c.node_record("n-1").hazard.level, 0);
    c.lose("n-1", minutes(5));
    c.find_again("n-1", &[]);
    assert_eq!(c.node_record("n-1").hazard.level, 65_536, "it came back without its job");
}

#[test]
fn silence_of_a_node_out_of_sight_counts_once_when_its_lease_ends() {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    c.submit(gang(2, 8));
    c.lose("n-1", minutes(20));
    c.advance(minutes(5));
    assert_eq!(c.node_record("n-1").hazard.level, 0, "it could not answer");
    assert_eq!(c.node_record("n-2").hazard.level, 65_536, "it could, and did not");
    c.advance(minutes(15));
    assert_eq!(c.node_record("n-1").hazard.level, 65_536);
}

#[test]
fn a_restored_engine_knows_who_fails_often() {
    let mut c = lemon();
    restart(&mut c);
    let job = c.run(gang(4, 8));
    assert_eq!(c.nodes_of(job), ["n-1", "n-2", "n-4", "n-5"]);
}

#[test]
fn a_whole_rack_that_fails_makes_no_node_stand_out() {
    let mut c =
        racks("r1: 8 8 8 8; r2: 8 8 8 8").policy(|policy| policy.failures.large_nodes = 2).build();
    for _ in 0..3 {
        c.lose_together(&["r1-1", "r1-2", "r1-3", "r1-4"], Millis::ZERO);
        for node in ["r1-1", "r1-2", "r1-3", "r1-4"] {
            c.find_again(node, &[]);
        }
    }
    let job = c.run(gang(2, 8));
    assert_eq!(c.decision(job).risk, None, "half of all nodes are only twice the mean");
}

#[test]
fn a_spare_for_a_large_gang_is_no_risky_node() {
    let mut c = lemon();
    let job = c.run(gang(18, 8));
    assert!(!c.nodes_of(job).contains(&"n-3".to_owned()));
    c.lose("n-1", Millis::ZERO);
    c.stopped(job);
    assert_eq!(c.node_of_each_task(job)[0], "n-20");
    c.confirm(job);
    c.lose("n-2", Millis::ZERO);
    c.stopped(job);
    assert_eq!(c.node_of_each_task(job)[1], "n-3", "but better than none");
}
