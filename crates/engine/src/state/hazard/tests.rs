//! How failures add up and fade, and whom they make stand out.

use muster_model::NodeSpec;

use super::*;
use crate::dense::{DomainId, ModelId};

const HALF_LIFE: Millis = Millis::days(30);

fn nodes(count: u32) -> Dense<NodeId, Node> {
    let mut nodes = Dense::new();
    for id in 0..count {
        let spec = NodeSpec::new("n", "H100", 8);
        nodes.push(Node::new(NodeId(id), spec, ModelId(1), DomainId(0), id));
    }
    nodes
}

fn fail(hazards: &mut Hazards, nodes: &mut Dense<NodeId, Node>, node: u32, at: Time) {
    hazards.note(&mut nodes[NodeId(node)], at, HALF_LIFE);
}

fn risky(hazards: &Hazards, nodes: &Dense<NodeId, Node>, at: Time) -> Vec<usize> {
    let risky = hazards.risky(nodes, at, HALF_LIFE);
    risky.iter().flat_map(|set| set.ones()).collect()
}

#[test]
fn a_failure_counts_half_after_the_half_life() {
    let mut hazard = HazardRecord::default();
    add(&mut hazard, Time(5), HALF_LIFE);
    assert_eq!(hazard, HazardRecord { level: FAILURE, at: Time(5) });
    assert_eq!(level(hazard, Time(5) + HALF_LIFE, HALF_LIFE), FAILURE / 2);
    add(&mut hazard, Time(5) + HALF_LIFE, HALF_LIFE);
    assert_eq!(hazard.level, FAILURE + FAILURE / 2);
    assert_eq!(level(hazard, Time(5) + Millis::days(3000), HALF_LIFE), 0);
}

#[test]
fn one_failure_is_held_against_nobody() {
    let (mut hazards, mut nodes) = (Hazards::default(), nodes(100));
    fail(&mut hazards, &mut nodes, 7, Time(1));
    assert_eq!(risky(&hazards, &nodes, Time(1)), [0; 0]);
}

#[test]
fn two_failures_of_one_node_make_it_risky_for_a_while() {
    let (mut hazards, mut nodes) = (Hazards::default(), nodes(100));
    fail(&mut hazards, &mut nodes, 7, Time(1));
    fail(&mut hazards, &mut nodes, 7, Time(1));
    assert_eq!(risky(&hazards, &nodes, Time(2)), [7]);
    // Two fade to one and a half in 0.415 half-lives, which are twelve days and a half.
    assert_eq!(risky(&hazards, &nodes, Time(1) + Millis::days(12)), [7]);
    assert_eq!(risky(&hazards, &nodes, Time(1) + Millis::days(13)), [0; 0]);
}

#[test]
fn a_node_that_is_no_worse_than_the_others_is_not_risky() {
    let (mut hazards, mut nodes) = (Hazards::default(), nodes(20));
    for node in 0..20 {
        fail(&mut hazards, &mut nodes, node, Time(1));
        fail(&mut hazards, &mut nodes, node, Time(1));
    }
    assert_eq!(risky(&hazards, &nodes, Time(2)), [0; 0]);
    for _ in 0..20 {
        fail(&mut hazards, &mut nodes, 3, Time(2));
    }
    assert_eq!(risky(&hazards, &nodes, Time(2)), [3], "22 of 60 failures are more than 5 times 3");
}

#[test]
fn five_times_the_mean_is_not_more_than_five_times_the_mean() {
    let (mut hazards, mut nodes) = (Hazards::default(), nodes(5));
    for _ in 0..9 {
        fail(&mut hazards, &mut nodes, 0, Time(1));
    }
    assert_eq!(risky(&hazards, &nodes, Time(1)), [0; 0], "all failures of five nodes");
    let mut more = super::tests::nodes(6);
    more[NodeId(0)].hazard = nodes[NodeId(0)].hazard;
    assert_eq!(risky(&hazards, &more, Time(1)), [0], "all failures of six nodes");
}

#[test]
fn what_others_do_can_clear_a_node() {
    let (mut hazards, mut nodes) = (Hazards::default(), nodes(10));
    fail(&mut hazards, &mut nodes, 0, Time(1));
    fail(&mut hazards, &mut nodes, 0, Time(1));
    assert_eq!(risky(&hazards, &nodes, Time(1)), [0]);
    for node in 1..10 {
        fail(&mut hazards, &mut nodes, node, Time(2));
    }
    assert_eq!(risky(&hazards, &nodes, Time(2)), [0; 0]);
}

#[test]
fn suspects_built_anew_are_those_that_were_there() {
    let (mut hazards, mut nodes) = (Hazards::default(), nodes(50));
    for step in 0..200u32 {
        let at = Time(u64::from(step) * Millis::days(1).0);
        fail(&mut hazards, &mut nodes, step * step % 7, at);
        let mut anew = Hazards { whole: hazards.whole, ..Hazards::default() };
        nodes.iter().for_each(|(_, node)| anew.suspect(node, HALF_LIFE));
        for later in [Millis::ZERO, Millis::days(20), Millis::days(60), Millis::days(200)] {
            let (here, there) =
                (risky(&hazards, &nodes, at + later), risky(&anew, &nodes, at + later));
            assert_eq!(here, there, "step {step}");
        }
        assert!(hazards.suspects.len() <= 7, "only nodes that failed are suspects");
    }
}
