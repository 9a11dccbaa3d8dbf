//! The bound where the starving compete for a part of the cluster: one node, one model, one rack,
//! one queue's limit.

use super::bound::{Adversary, all_in_time, hourly, play};
use crate::support::*;

/// Nobody but the victims: they are each other's adversaries.
const NOBODY: Adversary = Adversary { next: |_| gang(1, 1), waiting: 0 };

#[test]
fn victims_that_all_need_the_same_node_start_in_time() {
    let c = hourly(cluster().nodes("n", 4, "H100x8"), 100).build();
    let victims = (0..24).map(|_| gang(1, 8).only_on(nodes_where("@n-1"))).collect();
    all_in_time(&play(c, victims, &NOBODY));
}

#[test]
fn small_victims_that_each_want_the_same_node_alone_start_in_time() {
    let c = hourly(cluster().nodes("n", 4, "H100x8"), 50).build();
    let victims = (0..6).map(|_| gang(1, 1).exclusive().only_on(nodes_where("@n-1"))).collect();
    all_in_time(&play(c, victims, &NOBODY));
}

#[test]
fn victims_that_all_need_the_scarce_model_start_in_time() {
    let c = hourly(cluster().nodes("a", 9, "A100x8").nodes("h", 1, "H100x8"), 50).build();
    let victims = (0..8).map(|_| gang(1, 8).models(["H100"])).collect();
    all_in_time(&play(c, victims, &NOBODY));
}

#[test]
fn victims_that_only_one_rack_can_hold_start_in_time() {
    let c = hourly(racks("r1: 8 8 8; r2: 8; r3: 8; r4: 8; r5: 8"), 100).build();
    let victims = (0..24).map(|_| gang(2, 8).require("rack")).collect();
    all_in_time(&play(c, victims, &NOBODY));
}

/// The floor holds nodes for a starving job, not quota: where a limit may keep a job however long
/// it has waited, nothing is promised.
#[test]
fn no_bound_is_told_where_a_limit_of_the_queue_may_keep_a_job() {
    let setup = cluster()
        .nodes("n", 1, "H100x8")
        .queue(queue("q").limit(quota(8)))
        .queue(queue("users").user_limit(quota(8)))
        .queue(queue("free"));
    let mut c = hourly(setup, 50).build();
    c.submit_for(gang(1, 8).queue("free"), minutes(30));
    for (name, is_told) in [("q", false), ("users", false), ("free", true)] {
        let job = c.submit_for(gang(1, 8).queue(name), minutes(30));
        assert_eq!(c.why(job).latest_start.is_some(), is_told, "a job of {name}");
    }
}

#[test]
fn a_starving_job_is_served_when_the_limit_of_its_queue_lets_it_start() {
    let setup = cluster().nodes("n", 2, "H100x8").queue(queue("q").limit(quota(8)));
    let mut c = hourly(setup, 50).build();
    let stream = |c: &mut World| {
        while c.engine.queued() < 4 {
            c.submit_for(gang(1, 4).queue("q").class("express"), minutes(50));
        }
    };
    stream(&mut c);
    let victim = c.submit_for(gang(1, 4).queue("q").class("preemptible"), minutes(30));
    while c.started_at(victim).is_none() {
        assert!(c.now() < Time(hours(4).0), "it starves after two hours and is first then");
        c.advance(minutes(10));
        stream(&mut c);
    }
    assert!(c.started_at(victim).is_some_and(|at| at >= Time(hours(2).0)), "not before it starves");
}
