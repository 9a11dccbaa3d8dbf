//! Whether nodes have what a job asks for: told before it is submitted.

use proptest::prelude::*;

use super::random::scenes;
use crate::support::*;

#[test]
fn job_that_no_node_has_nodes_for_is_known_before() {
    let cases = [
        ("as many GPUs as a node has", gang(1, 8), true),
        ("more GPUs than a node has", gang(1, 9), false),
        ("more nodes than there are: some may be added", gang(4, 8), true),
        ("a model that no node has", gang(1, 1).models(["A100"]), false),
        ("a node that is named", gang(1, 8).only_on(Expression::Node(vec!["r1-2".into()])), true),
        ("too much for it", gang(1, 9).only_on(Expression::Node(vec!["r1-2".into()])), false),
        ("a label that no node has", gang(1, 1).only_on(Expression::Has("fast".into())), false),
    ];
    for (what, spec, expected) in cases {
        let c = racks("r1: 8 0; r2: 3").build();
        assert_eq!(c.engine.has_nodes_for(&spec), expected, "{what}");
    }
}

#[test]
fn node_that_is_drained_lost_or_ill_still_counts() {
    let mut c = racks("r1: 8").build();
    c.break_gpu("r1-1", 3);
    c.drain("r1-1");
    assert!(c.engine.has_nodes_for(&gang(1, 8)), "it may be well again");
    c.lose("r1-1", minutes(1));
    c.advance(minutes(2));
    assert!(c.engine.has_nodes_for(&gang(1, 8)), "it may come back");
    assert!(!c.engine.has_nodes_for(&gang(1, 9)));
}

#[test]
fn who_knows_no_node_says_nothing_against_a_job() {
    assert!(cluster().build().engine.has_nodes_for(&gang(1, 8)));
}

proptest! {
    #[test]
    fn whatever_starts_was_held_possible(scene in scenes()) {
        let world = scene.play();
        for job in world.started() {
            prop_assert!(world.engine.has_nodes_for(&world.record(job).spec), "{job} has started");
        }
    }
}
