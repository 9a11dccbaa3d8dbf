//! When a claim goes: its job leaves, or one of its nodes breaks.

use crate::support::*;

/// Three nodes, four GPUs of each in use by jobs with limits of 2, 3 and 4 hours; a gang of two
/// whole nodes starves and has claimed the first two.
fn claimed() -> (World, JobId) {
    let mut c = cluster()
        .nodes("n", 3, "H100x8")
        .policy(|policy| policy.floor = floor(100, hours(1), hours(1)))
        .build();
    for (node, limit) in [("n-1", 2), ("n-2", 3), ("n-3", 4)] {
        c.run(gang(1, 4).limit(hours(limit)).only_on(nodes_where(&format!("@{node}"))));
    }
    let wide = c.submit(gang(2, 8).class("batch"));
    c.advance(hours(1));
    assert_eq!(c.claim_of(wide), ["n-1", "n-2"]);
    (c, wide)
}

/// Who would start at once if the nodes were not claimed.
fn eager() -> JobSpec {
    gang(2, 4).only_on(nodes_where("@n-1,n-2"))
}

#[test]
fn a_claim_goes_when_its_job_is_cancelled() {
    let (mut c, wide) = claimed();
    let other = c.submit(eager());
    assert_eq!(c.codes(other), ["claimed"]);
    c.cancel(wide);
    assert_eq!(c.snapshot().claims, []);
    assert_eq!(c.nodes_of(other), ["n-1", "n-2"]);
}

#[test]
fn a_claim_goes_when_its_job_is_held() {
    let (mut c, wide) = claimed();
    let other = c.submit(eager());
    c.hold(wide);
    assert_eq!(c.snapshot().claims, []);
    assert_eq!(c.nodes_of(other), ["n-1", "n-2"]);
    c.release(wide);
    c.advance(minutes(59));
    assert_eq!(c.snapshot().claims, [], "who was held has waited since its release");
}

#[test]
fn a_claim_goes_elsewhere_when_one_of_its_nodes_is_lost() {
    let (mut c, wide) = claimed();
    c.lose("n-1", minutes(10));
    assert_eq!(c.claim_of(wide), ["n-2", "n-3"]);
}

#[test]
fn a_claim_goes_elsewhere_when_one_of_its_nodes_is_drained() {
    let (mut c, wide) = claimed();
    c.drain("n-2");
    assert_eq!(c.claim_of(wide), ["n-1", "n-3"]);
}

#[test]
fn a_claim_goes_elsewhere_when_a_gpu_of_its_nodes_breaks() {
    let (mut c, wide) = claimed();
    c.break_gpu("n-2", 7);
    assert_eq!(c.claim_of(wide), ["n-1", "n-3"]);
}

#[test]
fn a_claim_goes_and_comes_back_with_the_nodes_it_needs() {
    let (mut c, wide) = claimed();
    c.drain("n-2");
    c.drain("n-3");
    assert_eq!(c.snapshot().claims, []);
    assert_eq!(c.codes(wide), ["impossible"]);
    let other = c.submit(gang(1, 4));
    assert_eq!(c.nodes_of(other), ["n-1"], "nothing is held for what cannot be");
    c.resume("n-3");
    assert_eq!(c.claim_of(wide), ["n-1", "n-3"]);
}

#[test]
fn a_node_outside_the_claim_may_break_without_harm() {
    let (mut c, wide) = claimed();
    c.lose("n-3", minutes(10));
    c.break_gpu("n-3", 0);
    assert_eq!(c.claim_of(wide), ["n-1", "n-2"]);
}

#[test]
fn a_claim_stays_when_a_queue_is_changed() {
    let (mut c, wide) = claimed();
    let other = c.submit(eager());
    c.set_queue(queue("new"));
    assert_eq!(c.claim_of(wide), ["n-1", "n-2"]);
    assert_eq!(c.codes(other), ["claimed"]);
}

#[test]
fn a_claim_stays_when_an_estimate_comes_in() {
    let (mut c, wide) = claimed();
    c.estimated(wide, days(5), days(9));
    assert_eq!(c.claim_of(wide), ["n-1", "n-2"]);
}

#[test]
fn a_claim_goes_when_its_queue_comes_to_its_limit() {
    let mut c = cluster()
        .nodes("n", 2, "H100x8")
        .queue(queue("a").limit(quota(8)))
        .queue(queue("b"))
        .policy(|policy| policy.floor = floor(100, hours(1), hours(1)))
        .build();
    let on_one = c.run(gang(1, 8).queue("b").limit(hours(3)));
    c.run(gang(1, 8).queue("b").limit(hours(9)));
    let starving = c.submit(gang(1, 8).queue("a"));
    c.advance(hours(1));
    assert_eq!(c.claim_of(starving), ["n-1"]);
    c.set_queue(queue("a").limit(quota(4)));
    assert_eq!(c.snapshot().claims, [], "its limit forbids it: nothing is held");
    let other = c.submit(gang(1, 8).queue("b"));
    c.finish(on_one);
    assert_eq!(c.nodes_of(other), ["n-1"]);
}

#[test]
fn restoring_a_snapshot_keeps_claims() {
    let (c, wide) = claimed();
    let restored =
        muster_engine::Engine::restore(c.snapshot(), c.tuning).expect("our own snapshot");
    let claims = restored.snapshot().claims;
    assert_eq!(claims.len(), 1);
    assert_eq!((claims[0].job, claims[0].nodes.len()), (wide, 2));
    assert_eq!(restored.free_counts(), c.engine.free_counts());
}
