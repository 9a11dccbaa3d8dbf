//! Preferred levels: near enough stops the search for something nearer, and what is not to be had
//! near is taken wider.

use crate::support::*;

fn zones() -> Setup {
    cluster()
        .levels(["zone", "rack"])
        .nodes("z1/r1", 2, "H100x8")
        .nodes("z1/r2", 2, "H100x8")
        .nodes("z2/r3", 3, "H100x8")
}

#[test]
fn without_a_preference_nearest_is_best() {
    check([
        case("one node before two", racks("r1: 4 4; r2: 8 8"), [job(gang(2, 4), "r2-1:2")]),
        case(
            "one rack before two",
            racks("r1: 8; r2: 8; r3: 8 8 8"),
            [job(gang(2, 8), "r3-1 r3-2")],
        ),
        case("one zone before two", zones().filled("r3-1", 8), [job(gang(3, 8), "r1-1 r1-2 r2-1")]),
    ]);
}

#[test]
fn a_preferred_level_is_near_enough() {
    check([
        case(
            "a tight rack is better than a whole node of another, if a rack is near enough",
            racks("r1: 4 4; r2: 8 8"),
            [job(gang(2, 4).prefer("rack"), "r1-1:1 r1-2:1")],
        ),
        case(
            "the preferred rack is found",
            racks("r1: 8; r2: 8 8"),
            [job(gang(2, 8).prefer("rack"), "r2-1 r2-2")],
        ),
        case(
            "any nodes of a zone, if a zone is near enough",
            zones().filled("r1-1", 8).filled("r2-1", 8),
            [job(gang(2, 8).prefer("zone"), "r1-2 r2-2")],
        ),
    ]);
}

#[test]
fn a_preference_that_cannot_be_met_falls_back_wider() {
    check([
        case(
            "two racks where one has no room",
            racks("r1: 8; r2: 8"),
            [job(gang(2, 8).prefer("rack"), "r1-1 r2-1")],
        ),
        case(
            "one rack where one node has no room",
            racks("r1: 4 4; r2: 4 0"),
            [job(gang(2, 4).prefer("node"), "r1-1:1 r1-2:1")],
        ),
        case(
            "two racks where neither a node nor a rack has room",
            racks("r1: 4; r2: 4"),
            [job(gang(2, 4).prefer("node"), "r1-1:1 r2-1:1")],
        ),
        case(
            "wider than preferred, but never wider than required",
            zones().filled("r3-1", 8),
            [
                job(gang(3, 8).prefer("rack").require("zone"), "r1-1 r1-2 r2-1"),
                job(gang(3, 8).prefer("rack").require("zone"), "waits: level"),
            ],
        ),
        case(
            "a preference wider than the requirement changes nothing",
            zones(),
            [job(gang(3, 8).prefer("zone").require("rack"), "r3-1 r3-2 r3-3")],
        ),
    ]);
}

#[test]
fn a_preference_never_delays_a_start() {
    let mut c = racks("r1: 8 0; r2: 0 8").build();
    let a = c.submit(gang(2, 8).prefer("rack"));
    assert_eq!(c.word(a), "launching");
    assert_eq!(c.nodes_of(a), ["r1-1", "r2-2"]);
}

#[test]
fn room_on_a_node_it_would_rather_not_have_starts_a_job_that_waits() {
    let mut c = cluster().nodes("n", 2, "H100x8").filled("n-1", 8).filled("n-2", 8).build();
    let waiting = c.submit(gang(1, 8).rather_on(nodes_where("@n-1")));
    assert_eq!(c.word(waiting), "queued");
    c.finish(JobId(2));
    assert_eq!(c.nodes_of(waiting), ["n-2"]);
}
