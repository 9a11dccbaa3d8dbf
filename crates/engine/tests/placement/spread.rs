//! Spread and pack: as many nodes as possible, or as few.

use crate::support::*;

#[test]
fn packing_is_the_default() {
    check([case("four tasks on one node", racks("r1: 8 8 8 8"), [job(gang(4, 2), "r1-1:4")])]);
}

#[test]
fn a_spread_gang_takes_as_many_nodes_as_it_has_tasks() {
    check([
        case(
            "one task on each of four nodes",
            racks("r1: 8 8; r2: 8 8"),
            [job(gang(4, 2).spread(), "r1-1:1 r1-2:1 r2-1:1 r2-2:1")],
        ),
        case(
            "the roomiest nodes first",
            racks("r1: 2 8; r2: 4 6"),
            [job(gang(2, 2).spread(), "r1-2:1 r2-2:1")],
        ),
        case(
            "round after round where there are more tasks than nodes",
            racks("r1: 8 8; r2: 8 8"),
            [job(gang(6, 1).spread(), "r1-1:2 r1-2:2 r2-1:1 r2-2:1")],
        ),
        case(
            "more on those with more room where some are full",
            racks("r1: 8 1; r2: 2"),
            [job(gang(6, 1).spread(), "r1-1:3 r1-2:1 r2-1:2")],
        ),
        case(
            "spreading does not make room",
            racks("r1: 1 1; r2: 1"),
            [job(gang(4, 1).spread(), "waits: gpus")],
        ),
        case(
            "a single task goes to the roomiest node",
            racks("r1: 4 8; r2: 6"),
            [job(gang(1, 1).spread(), "r1-2")],
        ),
    ]);
}

#[test]
fn a_spread_gang_stays_inside_its_required_level() {
    check([
        case(
            "over the nodes of one rack",
            racks("r1: 8 8; r2: 8 8 8"),
            [job(gang(3, 2).spread().require("rack"), "r1-1:2 r1-2:1")],
        ),
        case(
            "one required node leaves nothing to spread over",
            racks("r1: 8 8"),
            [job(gang(3, 2).spread().require("node"), "r1-1:3")],
        ),
    ]);
}

#[test]
fn blocks_of_a_spread_gang_stay_on_one_node() {
    check([case(
        "two tasks to a node, on as many nodes as there are blocks",
        racks("r1: 8 8; r2: 8 8"),
        [job(gang(6, 1).segment(2, "node").spread(), "r1-1:2 r1-2:2 r2-1:2")],
    )]);
}

#[test]
fn a_spread_gang_uses_one_model() {
    check([case(
        "not one task on each model",
        cluster().nodes("h", 1, "H100x8").nodes("a", 2, "A100x8"),
        [job(gang(2, 4).models(["H100", "A100"]).spread(), "h-1:2")],
    )]);
}

#[test]
fn a_spread_gang_passes_over_nodes_that_take_no_work() {
    let mut c = racks("r1: 8 8; r2: 8").build();
    c.drain("r1-1");
    let a = c.run(gang(3, 2).spread());
    assert_eq!(c.layout(a), "r1-2:2 r2-1:1");
}

#[test]
fn blocks_of_a_spread_gang_go_to_as_many_racks_as_there_are_blocks() {
    check([
        case(
            "the roomiest rack first",
            racks("r1: 8 8; r2: 8 8; r3: 8 8 8"),
            [job(gang(4, 4).segment(2, "rack").spread(), "r1-1:1 r1-2:1 r3-1:1 r3-2:1")],
        ),
        case(
            "round after round where there are more blocks than racks",
            racks("r1: 8 8; r2: 8 8"),
            [job(gang(6, 4).segment(2, "rack").spread(), "r1-1:2 r1-2:2 r2-1:1 r2-2:1")],
        ),
    ]);
}
