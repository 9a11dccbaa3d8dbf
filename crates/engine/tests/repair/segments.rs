//! Blocks of a segment stay together: a block gets its missing part beside the rest, or moves.

use super::support::{lose_from, repaired};
use crate::support::*;

#[test]
fn a_block_gets_its_missing_part_in_its_own_rack() {
    let mut c = racks("r1: 8 8 8; r2: 8 8 8").build();
    let job = c.run(gang(4, 8).segment(2, "rack"));
    assert_eq!(c.node_of_each_task(job), ["r1-1", "r1-2", "r2-1", "r2-2"]);
    lose_from(&mut c, job, "r2-1");
    assert_eq!(c.node_of_each_task(job), ["r1-1", "r1-2", "r2-3", "r2-2"]);
    assert_eq!(repaired(&c, job), Some((3, 1)));
}

#[test]
fn a_block_that_cannot_be_completed_moves_as_a_whole_and_the_others_stay() {
    let mut c = racks("r1: 8 8; r2: 8 8; r3: 8 8").build();
    let job = c.run(gang(4, 8).segment(2, "rack"));
    assert_eq!(c.layout(job), "r1-1:1 r1-2:1 r2-1:1 r2-2:1");
    let before = c.node_of_each_task(job);
    lose_from(&mut c, job, "r2-1");
    assert_eq!(c.layout(job), "r1-1:1 r1-2:1 r3-1:1 r3-2:1");
    let after = c.node_of_each_task(job);
    let stays = (0..4).filter(|&rank| before[rank].starts_with("r1")).collect::<Vec<_>>();
    assert!(stays.iter().all(|&rank| before[rank] == after[rank]), "{before:?} and {after:?}");
    assert_eq!(repaired(&c, job), Some((2, 2)));
}

#[test]
fn a_whole_lost_block_is_placed_anew_in_one_rack() {
    let mut c = racks("r1: 8 8; r2: 8 8; r3: 8; r4: 8 8").build();
    let job = c.run(gang(4, 8).segment(2, "rack"));
    assert_eq!(c.layout(job), "r1-1:1 r1-2:1 r2-1:1 r2-2:1");
    c.lose_together(&["r1-1", "r1-2"], Millis::ZERO);
    c.stopped(job);
    assert_eq!(c.layout(job), "r2-1:1 r2-2:1 r4-1:1 r4-2:1", "rack r3 holds half a block");
}

#[test]
fn without_room_for_the_block_the_gang_waits_whole() {
    let mut c = racks("r1: 8 8; r2: 8 8; r3: 8; r4: 8").build();
    let job = c.run(gang(4, 8).segment(2, "rack"));
    lose_from(&mut c, job, "r1-1");
    assert_eq!((c.word(job), c.is_placed(job)), ("queued", false));
    assert_eq!(c.free_total(), 48, "nothing is held");
}

#[test]
fn blocks_of_one_node_are_replaced_by_whole_nodes() {
    let mut c = cluster().nodes("n", 4, "H100x8").build();
    c.run(gang(1, 4).only_on(nodes_where("@n-3")));
    let job = c.run(gang(8, 2).segment(4, Level::Node));
    assert_eq!(c.layout(job), "n-1:4 n-2:4");
    lose_from(&mut c, job, "n-2");
    assert_eq!(c.layout(job), "n-1:4 n-4:4", "half a node is no place for a block");
}

#[test]
fn a_block_of_one_node_with_a_failed_gpu_leaves_that_node() {
    let mut c = cluster().nodes("n", 5, "H100x8").build();
    let job = c.run(gang(12, 2).segment(4, Level::Node));
    assert_eq!(c.layout(job), "n-1:4 n-2:4 n-3:4");
    c.lose("n-1", Millis::ZERO);
    c.break_gpu("n-2", 7);
    c.stopped(job);
    assert_eq!(c.layout(job), "n-3:4 n-4:4 n-5:4");
    assert_eq!(repaired(&c, job), Some((4, 8)));
}

#[test]
fn a_block_inside_a_required_zone_does_not_leave_it() {
    let mut c = cluster()
        .levels(["zone", "rack"])
        .nodes("a/r1", 2, "H100x8")
        .nodes("a/r2", 2, "H100x8")
        .nodes("a/r3", 2, "H100x8")
        .nodes("b/r4", 2, "H100x8")
        .build();
    let job = c.run(gang(4, 8).require("zone").segment(2, "rack"));
    assert_eq!(c.layout(job), "r1-1:1 r1-2:1 r2-1:1 r2-2:1");
    lose_from(&mut c, job, "r1-1");
    assert_eq!(c.layout(job), "r2-1:1 r2-2:1 r3-1:1 r3-2:1");
}
