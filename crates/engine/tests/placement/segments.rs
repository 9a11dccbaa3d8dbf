//! Segments: blocks of consecutive ranks that each share a domain.

use crate::support::*;

#[test]
fn blocks_each_share_a_rack() {
    check([
        case(
            "two blocks of four in two racks of five",
            racks("r1: 8 8 8 8 8; r2: 8 8 8 8 8"),
            [job(gang(8, 8).segment(4, "rack"), "r1-1 r1-2 r1-3 r1-4 r2-1 r2-2 r2-3 r2-4")],
        ),
        case(
            "a rack that lacks one node for a block gets none of it",
            racks("r1: 8 8 8 0; r2: 8 8 8 8 8"),
            [job(gang(8, 8).segment(4, "rack"), "waits: fragments")],
        ),
        case(
            "racks too small for one block are impossible",
            racks("r1: 8 8 8; r2: 8 8 8"),
            [job(gang(4, 8).segment(4, "rack"), "waits: impossible")],
        ),
        case(
            "blocks of two leave the odd node of each rack",
            racks("r1: 8 8 8; r2: 8 8 8"),
            [job(gang(4, 8).segment(2, "rack"), "r1-1 r1-2 r2-1 r2-2")],
        ),
        case(
            "all blocks in one rack where one rack has room",
            racks("r1: 8 8; r2: 8 8 8 8"),
            [job(gang(4, 8).segment(2, "rack"), "r2-1 r2-2 r2-3 r2-4")],
        ),
        case(
            "a block may use parts of nodes",
            racks("r1: 4 4; r2: 4 4 2"),
            [job(gang(4, 4).segment(2, "rack"), "r1-1:1 r1-2:1 r2-1:1 r2-2:1")],
        ),
        case(
            "a segment as large as the gang is a required rack",
            racks("r1: 8 0; r2: 8 0"),
            [job(gang(2, 8).segment(2, "rack"), "waits: fragments")],
        ),
    ]);
}

#[test]
fn blocks_each_share_a_node() {
    check([
        case(
            "four tasks to a node, and nodes with less room are passed over",
            racks("r1: 6 8 8"),
            [job(gang(8, 2).segment(4, "node"), "r1-2:4 r1-3:4")],
        ),
        case(
            "blocks of two fit three times on a node with room for seven tasks",
            racks("r1: 7 4"),
            [job(gang(8, 1).segment(2, "node"), "r1-1:6 r1-2:2")],
        ),
        case(
            "room for all tasks, but not for whole blocks",
            racks("r1: 7 5"),
            [job(gang(12, 1).segment(4, "node"), "waits: fragments")],
        ),
        case(
            "a block larger than a node is impossible",
            racks("r1: 8 8"),
            [job(gang(3, 4).segment(3, "node"), "waits: impossible")],
        ),
    ]);
}

#[test]
fn blocks_each_share_a_block_of_racks() {
    let blocks = || {
        cluster()
            .levels(["block", "rack"])
            .nodes("b1/r1", 1, "H100x8")
            .nodes("b1/r2", 2, "H100x8")
            .nodes("b2/r3", 2, "H100x8")
            .nodes("b2/r4", 1, "H100x8")
    };
    check([
        case(
            "three tasks span the racks of one block",
            blocks(),
            [job(gang(6, 8).segment(3, "block"), "r2-1 r2-2 r1-1 r3-1 r3-2 r4-1")],
        ),
        case(
            "a block of racks with one node taken holds no segment of three",
            blocks().filled("r4-1", 1),
            [job(gang(6, 8).segment(3, "block"), "waits: gpus")],
        ),
        case(
            "segments of two inside one required block",
            blocks().filled("r3-1", 1),
            [job(gang(2, 8).segment(2, "rack").require("block"), "r2-1 r2-2")],
        ),
    ]);
}

#[test]
fn ranks_of_a_block_are_consecutive() {
    let mut c = racks("r1: 8 8 8; r2: 8 8 8; r3: 8 8 8").build();
    let a = c.run(gang(6, 8).segment(2, "rack"));
    let ranks: Vec<String> = c
        .node_of_each_task(a)
        .into_iter()
        .map(|node| node.split('-').next().expect("a node is called after its rack").to_owned())
        .collect();
    for block in ranks.chunks(2) {
        assert_eq!(block[0], block[1], "{ranks:?}");
    }
}

#[test]
fn a_segment_at_the_node_keeps_consecutive_ranks_together() {
    let mut c = racks("r1: 8 8").build();
    let a = c.run(gang(8, 2).segment(4, "node"));
    let nodes = c.node_of_each_task(a);
    assert_eq!(nodes[..4], ["r1-1"; 4]);
    assert_eq!(nodes[4..], ["r1-2"; 4]);
}

#[test]
fn an_elastic_gang_starts_with_whole_blocks() {
    check([case(
        "the fewest tasks, in blocks of two",
        racks("r1: 8 8 8; r2: 8 8"),
        [job(gang(1, 8).elastic(4, 8).segment(2, "rack"), "r1-1 r1-2 r2-1 r2-2")],
    )]);
}

#[test]
fn a_gang_that_spreads_still_keeps_its_blocks_together() {
    let mut c = racks("r1: 8 8 8; r2: 8 8 8").build();
    let a = c.run(gang(4, 2).segment(2, "rack").spread());
    let racks: Vec<String> = c
        .node_of_each_task(a)
        .into_iter()
        .map(|node| node.split('-').next().expect("a node is called after its rack").to_owned())
        .collect();
    assert_eq!(racks[0], racks[1]);
    assert_eq!(racks[2], racks[3]);
    assert_eq!(c.nodes_of(a).len(), 4);
}

#[test]
fn a_rack_without_room_for_whole_blocks_is_not_told_as_the_next_best() {
    let mut c = racks("r1: 6 6 6; r2: 8 8").build();
    let a = c.run(gang(8, 2).segment(4, "node"));
    assert_eq!(c.layout(a), "r2-1:4 r2-2:4");
    assert_eq!(c.decision(a).runner_up, None);
}
