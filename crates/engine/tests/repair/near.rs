//! A spare is as near as there is one, and never outside the required domain.

use super::support::{lose_from, repaired};
use crate::support::*;

#[test]
fn a_spare_of_the_lost_nodes_own_rack_comes_first() {
    let mut c = racks("r1: 8 8 8 8; r2: 8").build();
    let job = c.run(gang(2, 8));
    assert_eq!(c.layout(job), "r1-1:1 r1-2:1");
    // Rack r2 would be the tighter fit for one node, but it is further away.
    lose_from(&mut c, job, "r1-1");
    assert_eq!(c.layout(job), "r1-2:1 r1-3:1");
}

#[test]
fn with_none_there_the_next_domain_around_it_is_looked_at() {
    let setup = cluster().levels(["zone", "rack"]);
    let mut c = setup
        .nodes("a/r1", 2, "H100x8")
        .nodes("a/r2", 2, "H100x8")
        .nodes("b/r3", 1, "H100x8")
        .build();
    let job = c.run(gang(2, 8));
    assert_eq!(c.layout(job), "r1-1:1 r1-2:1");
    lose_from(&mut c, job, "r1-2");
    assert_eq!(c.layout(job), "r1-1:1 r2-1:1", "zone b has the tighter fit but is further away");
}

#[test]
fn a_required_rack_is_not_left() {
    let mut c = racks("r1: 8 8 8; r2: 8 8").build();
    let job = c.run(gang(3, 8).require("rack"));
    assert_eq!(c.layout(job), "r1-1:1 r1-2:1 r1-3:1");
    lose_from(&mut c, job, "r1-2");
    assert_eq!(c.word(job), "queued", "neither rack holds three");
    c.join(NodeSpec::new("r1-4", "H100", 8).domains(["r1"]));
    assert_eq!(c.layout(job), "r1-1:1 r1-3:1 r1-4:1");
}

#[test]
fn a_required_rack_with_a_spare_keeps_the_gang() {
    let mut c = racks("r1: 8 8 8; r2: 8 8 8").build();
    let job = c.run(gang(2, 8).require("rack"));
    let rack = c.nodes_of(job)[0][..2].to_owned();
    let lost = c.nodes_of(job)[0].clone();
    lose_from(&mut c, job, &lost);
    assert!(c.nodes_of(job).iter().all(|node| node.starts_with(&rack)), "{}", c.layout(job));
    assert_eq!(repaired(&c, job), Some((1, 1)));
}

#[test]
fn nodes_of_several_racks_are_each_replaced_near_home() {
    let mut c = racks("r1: 8 8 8; r2: 8 8 8").build();
    let job = c.run(gang(4, 8));
    assert_eq!(c.layout(job), "r1-1:1 r1-2:1 r1-3:1 r2-1:1");
    c.lose_together(&["r1-2", "r2-1"], Millis::ZERO);
    c.stopped(job);
    assert_eq!(c.layout(job), "r1-1:1 r1-3:1 r2-2:1 r2-3:1");
    let tasks = c.node_of_each_task(job);
    assert_eq!([tasks[0].as_str(), tasks[2].as_str()], ["r1-1", "r1-3"], "ranks stay in place");
}

#[test]
fn the_chosen_place_is_the_narrowest_domain_around_all() {
    let mut c = racks("r1: 8 8 8; r2: 8 8").build();
    let job = c.run(gang(2, 8));
    let place = |c: &World| {
        let domain = c.decision(job).chosen.domain;
        domain.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!((c.layout(job).as_str(), place(&c)), ("r2-1:1 r2-2:1", vec!["r2".to_owned()]));
    lose_from(&mut c, job, "r2-1");
    assert_eq!((c.layout(job).as_str(), place(&c)), ("r1-1:1 r2-2:1", vec![]));
    assert_eq!(c.decision(job).chosen.left, 2, "two more nodes are free around it");
}
