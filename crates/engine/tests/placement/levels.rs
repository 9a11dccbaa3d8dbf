//! Required levels: the whole gang inside one domain, at every depth, or it waits.

use crate::support::*;

/// Two zones: `b1` of racks `r1` and `r2` and `b2` of `r3` in the one, `b3` of `r4` and `r5` in
/// the other; two nodes in each rack.
fn hall() -> Setup {
    cluster()
        .levels(["zone", "block", "rack"])
        .nodes("z1/b1/r1", 2, "H100x8")
        .nodes("z1/b1/r2", 2, "H100x8")
        .nodes("z1/b2/r3", 2, "H100x8")
        .nodes("z2/b3/r4", 2, "H100x8")
        .nodes("z2/b3/r5", 2, "H100x8")
}

#[test]
fn a_required_level_holds_the_whole_gang() {
    check([
        case("one rack", racks("r1: 8; r2: 8 8"), [job(gang(2, 8).require("rack"), "r2-1 r2-2")]),
        case(
            "a gang wider than every rack is impossible where one rack is required",
            hall(),
            [job(gang(3, 8).require("rack"), "waits: impossible")],
        ),
        case(
            "one block, over its racks, in the zone with less room",
            hall(),
            [job(gang(4, 8).require("block"), "r4-1 r4-2 r5-1 r5-2")],
        ),
        case(
            "one zone, over its blocks",
            hall(),
            [job(gang(5, 8).require("zone"), "r1-1 r1-2 r2-1 r2-2 r3-1")],
        ),
        case(
            "a gang wider than every zone is impossible where one zone is required",
            hall(),
            [job(gang(7, 8).require("zone"), "waits: impossible")],
        ),
        case(
            "no level is required: the gang may span zones",
            hall(),
            [job(gang(7, 8), "r1-1 r1-2 r2-1 r2-2 r3-1 r3-2 r4-1")],
        ),
        case("one node", racks("r1: 4 4 8"), [job(gang(2, 4).require("node"), "r1-3:2")]),
        case(
            "a gang wider than every node is impossible where one node is required",
            racks("r1: 8 8"),
            [job(gang(3, 4).require("node"), "waits: impossible")],
        ),
    ]);
}

#[test]
fn a_required_level_is_never_relaxed() {
    check([
        case(
            "two nodes are free, but not in one rack",
            racks("r1: 8 0; r2: 8 0"),
            [job(gang(2, 8).require("rack"), "waits: level")],
        ),
        case(
            "room for each task, but not on one node",
            racks("r1: 4 4"),
            [job(gang(2, 4).require("node"), "waits: level")],
        ),
        case(
            "four nodes are free in the zone, but not in one block",
            hall().filled("r2-1", 8).filled("r2-2", 8).filled("r4-1", 8),
            [job(gang(4, 8).require("block"), "waits: level")],
        ),
        case(
            "the same gang starts where any block of the zone will do",
            hall().filled("r2-1", 8).filled("r2-2", 8).filled("r4-1", 8),
            [job(gang(4, 8).require("zone"), "r1-1 r1-2 r3-1 r3-2")],
        ),
    ]);
}

#[test]
fn the_reason_names_the_best_domain_and_how_much_fits_there() {
    let mut c = racks("r1: 8 0 0; r2: 8 8 0").build();
    let a = c.submit(gang(3, 8).require("rack"));
    assert_eq!(
        c.reasons(a),
        [Reason::Level { level: "rack".into(), tasks: 3, fit: 2, domain: vec!["r2".into()] }]
    );
}

#[test]
fn levels_are_whatever_the_cluster_calls_them() {
    let rows = || {
        cluster()
            .levels(["hall", "row", "pod"])
            .nodes("h1/row-1/pod-1", 1, "H100x8")
            .nodes("h1/row-1/pod-2", 1, "H100x8")
            .nodes("h1/row-2/pod-3", 2, "H100x8")
    };
    check([
        case(
            "a row is a level",
            rows().filled("pod-3-1", 1),
            [job(gang(2, 8).require("row"), "pod-1-1 pod-2-1")],
        ),
        case("a pod is a level", rows(), [job(gang(2, 8).require("pod"), "pod-3-1 pod-3-2")]),
        case(
            "a hall is a level",
            rows(),
            [job(gang(3, 8).require("hall"), "pod-1-1 pod-2-1 pod-3-1")],
        ),
    ]);
}

#[test]
fn a_cluster_without_levels_has_nodes_and_nothing_above() {
    let flat = || cluster().nodes("n", 3, "H100x8");
    check([
        case("a gang goes anywhere", flat(), [job(gang(2, 8), "n-1 n-2")]),
        case("a gang may require a node", flat(), [job(gang(4, 2).require("node"), "n-1:4")]),
        case("a gang may take all of it", flat(), [job(gang(3, 8), "n-1 n-2 n-3")]),
    ]);
    let errors = flat().build().try_submit(gang(2, 8).require("rack")).unwrap_err();
    assert_eq!(errors[0].field, "topology.require");
}

#[test]
fn domains_of_the_same_name_below_different_domains_are_different() {
    let twins = || {
        cluster().levels(["zone", "rack"]).nodes("z1/r1", 1, "H100x8").nodes("z2/r1", 1, "H100x8")
    };
    check([
        case(
            "the racks called r1 of two zones do not make one rack of two nodes",
            twins(),
            [job(gang(2, 8).require("rack"), "waits: impossible")],
        ),
        case("without a requirement the gang spans both", twins(), [job(gang(2, 8), "r1-1 r1-2")]),
    ]);
}

#[test]
fn a_gang_that_waits_for_a_rack_starts_when_its_rack_has_room() {
    let mut c = racks("r1: 8 4; r2: 4 8").build();
    let (in_r1, in_r2) = (JobId(1), JobId(2));
    let a = c.submit(gang(2, 8).require("rack"));
    assert_eq!(c.codes(a), ["level"]);
    c.finish(in_r2);
    assert_eq!(c.nodes_of(a), ["r2-1", "r2-2"]);
    assert_eq!(c.word(in_r1), "running");
}
