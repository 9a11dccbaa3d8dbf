//! Apart: each task of a gang on a node of its own, beside whoever is there.

use crate::support::*;

#[test]
fn tasks_that_are_apart_share_no_node_of_their_gang() {
    check([
        case(
            "two tasks on two nodes, though one would hold both",
            racks("r1: 8 8 8"),
            [job(gang(2, 2).apart(), "r1-1:1 r1-2:1")],
        ),
        case(
            "in one rack where one has enough nodes",
            racks("r1: 8 8; r2: 8 8 8"),
            [job(gang(3, 2).apart(), "r2-1:1 r2-2:1 r2-3:1")],
        ),
        case(
            "over racks where none has enough",
            racks("r1: 8 8; r2: 8"),
            [job(gang(3, 2).apart(), "r1-1:1 r1-2:1 r2-1:1")],
        ),
        case(
            "too few nodes are too few, however many GPUs they have",
            racks("r1: 8 8"),
            [job(gang(3, 1).apart(), "waits: impossible")],
        ),
        case("a task alone is apart anyway", racks("r1: 8 4"), [job(gang(1, 4).apart(), "r1-2:1")]),
        case(
            "other gangs may be on the same nodes",
            racks("r1: 8 8"),
            [job(gang(2, 2).apart(), "r1-1:1 r1-2:1"), job(gang(2, 6).apart(), "r1-1:1 r1-2:1")],
        ),
        case(
            "spreading asks for no more than that",
            racks("r1: 2 8; r2: 4 6"),
            [job(gang(2, 2).apart().spread(), "r1-1:1 r1-2:1")],
        ),
        case(
            "segments of tasks that are apart",
            racks("r1: 8 8 8; r2: 8 8"),
            [job(gang(4, 2).apart().segment(2, "rack"), "r1-1:1 r1-2:1 r2-1:1 r2-2:1")],
        ),
        case("without GPUs", racks("r1: 8 8"), [job(gang(2, 0).cpus(2).apart(), "r1-1:1 r1-2:1")]),
    ]);
}

#[test]
fn groups_of_one_gang_are_apart_too() {
    let two = || {
        JobSpec::new("mixed", "user-a", "default")
            .group("first", TaskCount::exactly(1), TaskShape::gpus(4))
            .group("rest", TaskCount::exactly(2), TaskShape::gpus(2))
            .apart()
    };
    check([
        case(
            "three nodes for one and two",
            racks("r1: 8 8 8"),
            [job(two(), "r1-1:1 r1-2:1 r1-3:1")],
        ),
        case("not on two", racks("r1: 8 8"), [job(two(), "waits: impossible")]),
    ]);
}
