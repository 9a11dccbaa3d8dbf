//! What was lent is called in for a job that has waited too long, as for the gang it was kept for.

use super::words::*;
use crate::support::*;

/// Three nodes: an elastic job on the first that has grown onto the second while it was reserved
/// for a gang, and on the third a job that the gang waits for. The gang has waited too long, and
/// the floor holds the nodes for it. The elastic job, that other, and the gang.
fn starving(setup: Setup) -> (World, [JobId; 3]) {
    let setup = setup.nodes("n", 3, "H100x8").reservations(4, 16).doubted();
    let mut c = setup.policy(|policy| policy.floor.wait = hours(1)).build();
    let on = |node: &str| gang(1, 8).only_on(Expression::Node(vec![node.into()]));
    let soon = c.run(on("n-2").estimate(minutes(30), minutes(31)));
    let late = c.run(on("n-3").estimate(hours(2), minutes(121)));
    let elastic = c.run(wide(1, 2, 8));
    c.advance(minutes(20));
    let spec = gang(2, 8).queue("gangs").estimate(hours(1), hours(2));
    let gang = c.submit(spec.only_on(nodes_where("@n-2 | @n-3")));
    c.advance_to(Time(0) + minutes(30));
    c.finish(soon);
    c.resized(elastic);
    assert_eq!(c.layout(elastic), "n-1:1 n-2:1");
    c.advance(hours(1));
    let claims = c.snapshot().claims;
    assert!(claims.iter().any(|claim| claim.job == gang && claim.reserved.is_none()));
    (c, [elastic, late, gang])
}

fn queues() -> Setup {
    cluster().queue(queue("default")).queue(queue("gangs"))
}

#[test]
fn one_that_has_waited_too_long_does_not_wait_for_what_was_only_lent() {
    for setup in [queues(), queues().without_pausing()] {
        let (mut c, [elastic, late, gang]) = starving(setup);
        assert_eq!(c.resize_of(elastic), None, "without the third node it would not help");
        let actions = c.finish(late);
        assert_eq!(asked(&actions, elastic), [(c.node("n-2"), 0)]);
        assert_eq!(c.codes(gang), ["making"]);
        c.resized(elastic);
        assert_eq!((c.word(gang), c.layout(gang)), ("launching", "n-2:1 n-3:1".to_owned()));
        assert_eq!((c.word(elastic), c.layout(elastic)), ("running", "n-1:1".to_owned()));
    }
}

#[test]
fn what_is_called_in_for_it_is_not_left_to_a_better_tier() {
    let (mut c, [elastic, late, starving]) = starving(queues());
    c.finish(late);
    let better = c.submit(gang(2, 8).class("express").estimate(minutes(10), minutes(12)));
    c.resized(elastic);
    assert_eq!((c.word(starving), c.word(better)), ("launching", "queued"));
}
