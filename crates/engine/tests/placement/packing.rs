//! Best fit: the tightest node in the fullest rack, so that whole nodes and racks stay whole.

use crate::support::*;

#[test]
fn small_jobs_go_to_the_tightest_node() {
    check([
        case(
            "the node with exactly as much free",
            racks("r1: 8 3; r2: 4 8"),
            [job(gang(1, 3), "r1-2")],
        ),
        case(
            "the node with the least too much",
            racks("r1: 8 7; r2: 5 8"),
            [job(gang(1, 4), "r2-1")],
        ),
        case(
            "a whole node only when nothing else will do",
            racks("r1: 8 2; r2: 3 1"),
            [job(gang(1, 4), "r1-1")],
        ),
        case(
            "one node after the other is filled",
            racks("r1: 8 8; r2: 8 8"),
            [
                job(gang(1, 3), "r1-1"),
                job(gang(1, 3), "r1-1"),
                job(gang(1, 3), "r1-2"),
                job(gang(1, 2), "r1-1"),
                job(gang(1, 5), "r1-2"),
            ],
        ),
        case(
            "among equal nodes the one in the fullest rack",
            racks("r1: 4 8; r2: 4 4"),
            [job(gang(1, 4), "r2-1")],
        ),
        case(
            "among equal racks the first node",
            racks("r1: 8 8; r2: 8 8"),
            [job(gang(1, 8), "r1-1")],
        ),
    ]);
}

#[test]
fn whole_nodes_go_to_the_fullest_rack_that_has_one() {
    check([
        case("one whole node", racks("r1: 8 8 8; r2: 0 8 8; r3: 8 0 0"), [job(gang(1, 8), "r3-1")]),
        case(
            "two whole nodes from the rack that has just two",
            racks("r1: 8 8 8; r2: 0 8 8; r3: 8 0 0"),
            [job(gang(2, 8), "r2-2 r2-3")],
        ),
        case(
            "three whole nodes from the rack that has just three",
            racks("r1: 8 8 8 8; r2: 8 8 8 0; r3: 8 8 0 0"),
            [job(gang(3, 8), "r2-1 r2-2 r2-3")],
        ),
        case(
            "of two racks with as many whole nodes, the one with fewer GPUs free beside",
            racks("r1: 8 8 4; r2: 8 8 1"),
            [job(gang(2, 8), "r2-1 r2-2")],
        ),
        case(
            "of racks that are alike the first",
            racks("r1: 8 8; r2: 8 8; r3: 8 8"),
            [job(gang(2, 8), "r1-1 r1-2"), job(gang(2, 8), "r2-1 r2-2")],
        ),
        case(
            "a rack that is whole stays whole while others have room",
            racks("r1: 8 8; r2: 8 4; r3: 8 4"),
            [job(gang(1, 8), "r2-1"), job(gang(1, 8), "r3-1"), job(gang(2, 8), "r1-1 r1-2")],
        ),
    ]);
}

#[test]
fn among_racks_that_fit_as_well_the_one_in_the_fullest_block() {
    let blocks = || {
        cluster()
            .levels(["block", "rack"])
            .nodes("b1/r1", 2, "H100x8")
            .nodes("b1/r2", 2, "H100x8")
            .nodes("b2/r3", 2, "H100x8")
            .nodes("b2/r4", 2, "H100x8")
    };
    check([
        case(
            "a gang of one rack leaves the whole block whole",
            blocks().filled("r4-1", 8).filled("r4-2", 8),
            [job(gang(2, 8), "r3-1 r3-2"), job(gang(4, 8).require("block"), "r1-1 r1-2 r2-1 r2-2")],
        ),
        case(
            "the same where a rack is required",
            blocks().filled("r4-1", 4),
            [job(gang(2, 8).require("rack"), "r3-1 r3-2")],
        ),
        case(
            "a single node leaves the whole block whole too",
            blocks().filled("r4-1", 8),
            [job(gang(1, 8), "r4-2")],
        ),
    ]);
}

#[test]
fn among_racks_and_blocks_that_fit_as_well_the_rack_in_the_fullest_zone() {
    let zones = cluster()
        .levels(["zone", "block", "rack"])
        .nodes("z1/b1/r1", 2, "H100x8")
        .nodes("z1/b2/r2", 2, "H100x8")
        .nodes("z2/b3/r3", 2, "H100x8")
        .nodes("z2/b4/r4", 2, "H100x8");
    check([case(
        "a zone that is whole stays whole",
        zones.filled("r4-1", 8),
        [job(gang(2, 8), "r3-1 r3-2"), job(gang(4, 8).require("zone"), "r1-1 r1-2 r2-1 r2-2")],
    )]);
}

#[test]
fn wide_gangs_take_as_few_racks_as_possible() {
    check([
        case(
            "the roomiest rack first, and for the rest the tightest",
            racks("r1: 8 8 8; r2: 8 8 8; r3: 8 8"),
            [job(gang(5, 8), "r1-1 r1-2 r1-3 r3-1 r3-2")],
        ),
        case(
            "the rest goes where it leaves nothing over",
            racks("r1: 8 8 8 8; r2: 8 8 8; r3: 8"),
            [job(gang(5, 8), "r1-1 r1-2 r1-3 r1-4 r3-1")],
        ),
        case(
            "three racks where two do not suffice",
            racks("r1: 8 8; r2: 8 8; r3: 8 8"),
            [job(gang(5, 8), "r1-1 r1-2 r2-1 r2-2 r3-1")],
        ),
        case(
            "what is left for the last rack goes to its tightest node",
            racks("r1: 8 8; r2: 8 2"),
            [job(gang(18, 1), "r1-1:8 r1-2:8 r2-2:2")],
        ),
    ]);
}

#[test]
fn tasks_smaller_than_a_node_fill_nodes() {
    check([
        case(
            "as few nodes as possible, the last one the tightest that holds the rest",
            racks("r1: 8 8 4"),
            [job(gang(5, 4), "r1-1:2 r1-2:2 r1-3:1")],
        ),
        case(
            "the rest goes to a used node instead of an empty one",
            racks("r1: 8 8 5; r2: 0 0 0"),
            [job(gang(3, 4), "r1-1:2 r1-3:1")],
        ),
        case(
            "the rest goes where it leaves nothing over",
            racks("r1: 8 6 4"),
            [job(gang(3, 4), "r1-1:2 r1-3:1")],
        ),
        case(
            "so does a rest as large as what went before",
            racks("r1: 7 6 4"),
            [job(gang(2, 4), "r1-1:1 r1-3:1")],
        ),
        case(
            "one node for all where one node has room",
            racks("r1: 6 6 6; r2: 8 6 6"),
            [job(gang(8, 1), "r2-1:8")],
        ),
        case(
            "one rack for all where no node has room",
            racks("r1: 6 0 0; r2: 6 3 0"),
            [job(gang(8, 1), "r2-1:6 r2-2:2")],
        ),
    ]);
}

#[test]
fn where_the_fullest_rack_will_not_do_the_next_fullest_is_looked_at() {
    let free = || racks("r1: 4 0; r2: 4 8 8; r3: 4 8");
    check([
        case(
            "a constraint is in the way of the fullest",
            free(),
            [job(gang(1, 4).only_on(nodes_where("@r2-1,r3-1")), "r3-1")],
        ),
        case(
            "only the emptiest is left",
            free(),
            [job(gang(1, 4).only_on(nodes_where("@r2-1")).require("node"), "r2-1")],
        ),
    ]);
}

#[test]
fn a_hundred_small_jobs_leave_whole_nodes_whole() {
    let mut c = racks("r1: 8 8 8 8; r2: 8 8 8 8").build();
    for _ in 0..10 {
        c.run(gang(1, 1));
    }
    assert_eq!(c.free(), "r1-1:0 r1-2:6 r1-3:8 r1-4:8 r2-1:8 r2-2:8 r2-3:8 r2-4:8");
}

#[test]
fn freed_pieces_are_used_before_whole_nodes() {
    let mut c = racks("r1: 8 8; r2: 8 8").build();
    let jobs: Vec<JobId> = (0..8).map(|_| c.run(gang(1, 2))).collect();
    assert_eq!(c.free(), "r1-1:0 r1-2:0 r2-1:8 r2-2:8");
    c.finish(jobs[2]);
    c.finish(jobs[5]);
    assert_eq!(c.free(), "r1-1:2 r1-2:2 r2-1:8 r2-2:8");
    let (a, b) = (c.run(gang(1, 2)), c.run(gang(1, 1)));
    assert_eq!((c.nodes_of(a), c.nodes_of(b)), (vec!["r1-1".into()], vec!["r1-2".into()]));
}

#[test]
fn nodes_of_different_size_are_matched_by_what_is_free() {
    check([
        case(
            "four GPUs go to the node that has four",
            cluster().levels(["rack"]).nodes("r1", 1, "H100x8").nodes("r1", 1, "H100x4"),
            [job(gang(1, 4), "r1-2"), job(gang(1, 4), "r1-1")],
        ),
        case(
            "eight tasks over nodes of eight, four and two GPUs",
            cluster()
                .levels(["rack"])
                .nodes("r1", 1, "H100x8")
                .nodes("r1", 1, "H100x4")
                .nodes("r1", 1, "H100x2"),
            [job(gang(7, 2), "r1-1:4 r1-2:2 r1-3:1")],
        ),
    ]);
}
