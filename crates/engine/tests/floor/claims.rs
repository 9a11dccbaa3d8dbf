//! Claims: nodes are held for a starving gang until it fits, and nobody else gets what ends there.

use crate::support::*;

/// Two racks of two nodes; on each node runs a job of four GPUs, on the first rack until its limit
/// of ten hours, on the second until twenty. The floor takes any gang.
fn halves() -> (World, Vec<JobId>) {
    let mut c = racks("r1: 8 8; r2: 8 8")
        .policy(|policy| policy.floor = floor(100, hours(1), hours(1)))
        .build();
    let on = |node: &str, limit| {
        gang(1, 4).class("express").limit(limit).only_on(nodes_where(&format!("@{node}")))
    };
    let nodes = [("r1-1", 10), ("r1-2", 10), ("r2-1", 20), ("r2-2", 20)];
    let jobs = nodes.map(|(node, limit)| c.run(on(node, hours(limit))));
    (c, jobs.into())
}

fn whole_rack() -> JobSpec {
    gang(2, 8).class("batch").require("rack")
}

#[test]
fn a_starving_gang_claims_the_nodes_it_needs_and_no_more() {
    let (mut c, _) = halves();
    let wide = c.submit(whole_rack());
    c.advance(minutes(59));
    assert_eq!(c.snapshot().claims, []);
    c.advance(minutes(1));
    assert_eq!(c.claim_of(wide), ["r1-1", "r1-2"]);
}

#[test]
fn what_is_free_on_claimed_nodes_is_given_to_nobody_else() {
    let (mut c, running) = halves();
    let wide = c.submit(whole_rack());
    c.advance(hours(1));
    let small: Vec<JobId> = (0..3).map(|_| c.submit(gang(1, 4).class("express"))).collect();
    assert_eq!(c.nodes_of(small[0]), ["r2-1"]);
    assert_eq!(c.nodes_of(small[1]), ["r2-2"]);
    assert_eq!(c.reasons(small[2]), [Reason::Claimed { by: wide }]);
    c.finish(running[0]);
    assert_eq!(c.word(small[2]), "queued");
    assert_eq!(c.free_on("r1-1"), 8);
}

#[test]
fn the_gang_starts_in_the_step_in_which_its_last_node_has_drained() {
    let (mut c, running) = halves();
    let wide = c.submit(whole_rack());
    c.advance(hours(1));
    c.finish(running[0]);
    assert_eq!(c.word(wide), "queued");
    c.finish(running[1]);
    assert_eq!(c.nodes_of(wide), ["r1-1", "r1-2"]);
    assert!(c.decision(wide).order.floor);
    assert_eq!(c.snapshot().claims, []);
}

#[test]
fn the_nodes_that_drain_soonest_are_claimed() {
    let mut c = racks("r1: 8 8; r2: 8 8")
        .policy(|policy| policy.floor = floor(100, hours(1), hours(1)))
        .build();
    for (node, limit) in [("r1-1", 9), ("r1-2", 2), ("r2-1", 3), ("r2-2", 4)] {
        c.run(gang(1, 4).limit(hours(limit)).only_on(nodes_where(&format!("@{node}"))));
    }
    let rack = c.submit(gang(2, 8).require("rack"));
    c.advance(minutes(1));
    let anywhere = c.submit(gang(2, 8));
    c.advance(minutes(59));
    assert_eq!(c.claim_of(rack), ["r2-1", "r2-2"], "four hours, not nine");
    c.cancel(rack);
    c.advance(minutes(1));
    assert_eq!(c.claim_of(anywhere), ["r1-2", "r2-1"], "three hours");
}

#[test]
fn the_limit_of_a_job_that_is_still_launching_counts_too() {
    let mut c = cluster()
        .nodes("n", 2, "H100x8")
        .policy(|policy| {
            policy.launch_timeout = hours(3);
            policy.floor = floor(100, hours(1), hours(1));
        })
        .build();
    for (node, limit) in [("n-1", 9), ("n-2", 8)] {
        c.submit(gang(1, 4).limit(hours(limit)).only_on(nodes_where(&format!("@{node}"))));
    }
    let whole = c.submit(gang(1, 8));
    c.advance(hours(1));
    assert_eq!(c.claim_of(whole), ["n-2"]);
}

#[test]
fn a_claimed_job_starts_elsewhere_if_it_fits_there_sooner() {
    let (mut c, running) = halves();
    let wide = c.submit(whole_rack());
    c.advance(hours(1));
    c.finish(running[2]);
    assert_eq!(c.word(wide), "queued");
    c.finish(running[3]);
    assert_eq!(c.nodes_of(wide), ["r2-1", "r2-2"]);
    let small = c.submit(gang(1, 4));
    assert_eq!(c.nodes_of(small), ["r1-1"], "the claim is gone");
}

#[test]
fn a_claimed_job_starts_on_its_own_nodes_and_others_together() {
    let mut c = cluster()
        .nodes("n", 3, "H100x8")
        .policy(|policy| policy.floor = floor(100, hours(1), hours(1)))
        .build();
    let on = |node: &str, gpus, limit| {
        gang(1, gpus).limit(hours(limit)).only_on(nodes_where(&format!("@{node}")))
    };
    c.run(on("n-1", 4, 10));
    c.run(on("n-2", 4, 10));
    c.run(on("n-3", 4, 20));
    let ends = c.run(on("n-3", 4, 20));
    let three = c.submit(gang(3, 4));
    c.advance(hours(1));
    assert_eq!(c.claim_of(three), ["n-1", "n-2"]);
    c.finish(ends);
    assert_eq!(c.layout(three), "n-1:1 n-2:1 n-3:1");
}

#[test]
fn two_starving_gangs_claim_different_nodes() {
    let (mut c, _) = halves();
    let (one, two) = (c.submit(whole_rack()), c.submit(whole_rack()));
    let three = c.submit(whole_rack());
    c.advance(hours(1));
    assert_eq!(c.claim_of(one), ["r1-1", "r1-2"]);
    assert_eq!(c.claim_of(two), ["r2-1", "r2-2"]);
    assert_eq!(c.claim_of(three), [""; 0], "all nodes are held for others");
}

#[test]
fn who_finds_all_nodes_claimed_claims_when_one_of_them_is_let_go() {
    let (mut c, running) = halves();
    let (one, _) = (c.submit(whole_rack()), c.submit(whole_rack()));
    let three = c.submit(whole_rack());
    c.advance(hours(1));
    c.finish(running[0]);
    c.finish(running[1]);
    assert_eq!(c.nodes_of(one), ["r1-1", "r1-2"]);
    c.confirm(one);
    c.advance(hours(1));
    assert_eq!(c.claim_of(three), ["r1-1", "r1-2"], "the quantum is over");
}

#[test]
fn a_claim_that_has_drained_starts_its_job() {
    let mut c = cluster()
        .nodes_with("big", 1, "H100x8", |node| node.memory(gib(2048)))
        .nodes("small", 1, "H100x8")
        .policy(|policy| policy.floor = floor(100, hours(1), hours(1)))
        .build();
    for (node, limit) in [("big-1", 9), ("small-1", 8)] {
        c.run(gang(1, 1).limit(hours(limit)).only_on(nodes_where(&format!("@{node}"))));
    }
    let pair = c.submit(
        JobSpec::new("pair", "user-a", "default")
            .group("first", TaskCount::exactly(1), TaskShape::gpus(8))
            .group("second", TaskCount::exactly(1), TaskShape::gpus(8))
            .memory(gib(1500)),
    );
    c.advance(hours(1));
    assert_eq!(c.claim_of(pair), ["big-1", "small-1"]);
    c.finish(JobId(1));
    c.finish(JobId(2));
    assert_eq!(c.nodes_of(pair), ["small-1", "big-1"]);
}

#[test]
fn a_small_starving_job_takes_the_first_gpu_that_is_free_on_its_node() {
    let mut c = racks("r1: 0 0; r2: 0")
        .policy(|policy| policy.floor = floor(100, hours(1), hours(1)))
        .build();
    let ones: Vec<JobId> = {
        for filler in 1..=3 {
            c.finish(JobId(filler));
        }
        (0..24).map(|_| c.run(gang(1, 1).class("express"))).collect()
    };
    let low = c.submit(gang(1, 1).class("preemptible"));
    c.advance(hours(1));
    assert_eq!(c.claim_of(low).len(), 1);
    let high = c.submit(gang(1, 1).class("express"));
    let not_there = ones.iter().find(|&&job| c.nodes_of(job) != c.claim_of(low));
    c.finish(*not_there.expect("two nodes are not claimed"));
    assert_eq!((c.word(low), c.word(high)), ("launching", "queued"));
}
