//! Constraints: only on, first on and last on nodes by label and name, with and, or and not.

use crate::support::*;

/// `f-1`, `f-2` have fast disks; `s-1`, `s-2` slow ones; the second of each may be taken back.
fn labelled() -> Setup {
    let disk = |value: &'static str| move |node: NodeSpec| node.label("disk", value);
    let spot =
        |value: &'static str| move |node: NodeSpec| node.label("disk", value).label("spot", "yes");
    cluster()
        .levels(["rack"])
        .nodes_with("f", 1, "H100x8", disk("fast"))
        .nodes_with("f", 1, "H100x8", spot("fast"))
        .nodes_with("s", 1, "H100x8", disk("slow"))
        .nodes_with("s", 1, "H100x8", spot("slow"))
}

fn only(text: &str) -> JobSpec {
    gang(1, 8).only_on(nodes_where(text))
}

#[test]
fn a_required_constraint_lets_in_only_what_matches() {
    check([
        case("a value", labelled(), [job(only("disk=slow"), "s-1")]),
        case("one of several values", labelled(), [job(only("disk=none,slow"), "s-1")]),
        case("a label, whatever its value", labelled(), [job(only("spot"), "f-2")]),
        case("and", labelled(), [job(only("disk=slow & spot"), "s-2")]),
        case("or", labelled(), [job(only("disk=none | spot"), "f-2")]),
        case("not", labelled(), [job(only("!disk=fast"), "s-1")]),
        case(
            "and, or and not together",
            labelled(),
            [job(only("(disk=fast | disk=slow) & !(disk=fast & !spot) & !disk=slow"), "f-2")],
        ),
        case("a node's name", labelled(), [job(only("@s-2"), "s-2")]),
        case("one of several names", labelled(), [job(only("@s-2,s-1"), "s-1")]),
        case("all but a node's name", labelled(), [job(only("!@f-1,f-2"), "s-1")]),
        case("nothing matches", labelled(), [job(only("disk=none"), "waits: impossible")]),
        case(
            "too few match",
            labelled(),
            [job(gang(3, 8).only_on(nodes_where("disk=fast")), "waits: impossible")],
        ),
        case(
            "what matches is taken, and the rest of the cluster is no help",
            labelled().filled("s-1", 8).filled("s-2", 8),
            [job(only("disk=slow"), "waits: gpus"), job(gang(2, 8), "f-1 f-2")],
        ),
    ]);
}

#[test]
fn a_preferred_constraint_goes_first_where_it_matches() {
    check([
        case(
            "what is preferred",
            labelled(),
            [job(gang(1, 8).rather_on(nodes_where("disk=slow")), "s-1")],
        ),
        case(
            "what is preferred, though something else is tighter",
            labelled().filled("f-1", 4),
            [job(gang(1, 4).rather_on(nodes_where("disk=slow")), "s-1")],
        ),
        case(
            "anything where what is preferred has no room",
            labelled().filled("s-1", 1).filled("s-2", 1),
            [job(gang(1, 8).rather_on(nodes_where("disk=slow")), "f-1")],
        ),
        case(
            "a gang is all on what is preferred, or anywhere",
            labelled().filled("s-1", 1),
            [job(gang(2, 8).rather_on(nodes_where("disk=slow")), "f-1 f-2")],
        ),
        case(
            "only on one thing, rather on another",
            labelled(),
            [job(only("disk=slow").rather_on(nodes_where("spot")), "s-2")],
        ),
    ]);
}

#[test]
fn an_avoided_constraint_goes_last_where_it_matches() {
    let picky =
        || gang(1, 8).rather_on(nodes_where("disk=slow")).rather_not_on(nodes_where("spot"));
    check([
        case(
            "what is not avoided",
            labelled().filled("s-1", 4),
            [job(gang(1, 4).rather_not_on(nodes_where("disk=slow")), "f-1")],
        ),
        case(
            "what is avoided where nothing else has room",
            labelled().filled("f-1", 1).filled("f-2", 1),
            [job(gang(1, 8).rather_not_on(nodes_where("disk=fast")), "s-1")],
        ),
        case(
            "avoided is better than waiting",
            labelled().filled("s-1", 1).filled("s-2", 1),
            [job(gang(1, 8).rather_not_on(nodes_where("disk=fast")), "f-1")],
        ),
        case(
            "preferred and not avoided, then not avoided, then anything",
            labelled(),
            [job(picky(), "s-1"), job(picky(), "f-1"), job(picky(), "f-2")],
        ),
    ]);
}

#[test]
fn a_constraint_and_a_level_hold_together() {
    let setup = || {
        let fast = |node: NodeSpec| node.label("disk", "fast");
        cluster()
            .levels(["rack"])
            .nodes_with("r1", 1, "H100x8", fast)
            .nodes("r1", 2, "H100x8")
            .nodes_with("r2", 2, "H100x8", fast)
            .nodes("r2", 2, "H100x8")
    };
    check([
        case(
            "the rack in which enough nodes match, though the other is tighter",
            setup(),
            [job(gang(2, 8).require("rack").only_on(nodes_where("disk=fast")), "r2-1 r2-2")],
        ),
        case(
            "in no rack enough nodes match",
            setup().filled("r2-1", 1),
            [job(gang(2, 8).require("rack").only_on(nodes_where("disk=fast")), "waits: level")],
        ),
    ]);
}

#[test]
fn a_node_that_joins_with_the_label_starts_the_job_that_waits_for_it() {
    let mut c = labelled().build();
    let waiting = c.submit(only("disk=none"));
    assert_eq!(c.codes(waiting), ["impossible"]);
    c.join(NodeSpec::new("new-1", "H100", 8).domains(["n"]).label("disk", "none"));
    assert_eq!(c.nodes_of(waiting), ["new-1"]);
}

#[test]
fn a_node_that_comes_back_with_the_label_starts_the_job_that_waits_for_it() {
    let mut c = labelled().build();
    let waiting = c.submit(only("disk=none"));
    c.join(NodeSpec::new("s-2", "H100", 8).domains(["s"]).label("disk", "none"));
    assert_eq!(c.nodes_of(waiting), ["s-2"]);
}

#[test]
fn a_constraint_and_a_choice_of_models_hold_on_claimed_nodes_too() {
    let claims = |policy: &mut Policy| policy.floor = floor(100, hours(1), hours(1));
    let setup = racks("r1: 8 8").nodes("r2", 1, "A100x8").filled("r2-1", 8);
    let mut c = setup.policy(claims).build();
    for node in ["r1-1", "r1-2"] {
        let here = nodes_where(&format!("@{node}"));
        c.run(gang(1, 2).class("express").limit(hours(10)).only_on(here));
    }
    let wide = c.submit(gang(2, 8).models(["H100"]).class("batch"));
    c.advance(hours(1));
    assert_eq!(c.claim_of(wide), ["r1-1", "r1-2"]);
    let short = || gang(1, 2).limit(hours(2)).models(["A100", "H100"]);
    let bound = c.submit(short().only_on(nodes_where("@r1-2")));
    assert_eq!(c.nodes_of(bound), ["r1-2"]);
    let free = c.submit(short());
    assert_eq!(c.nodes_of(free), ["r1-2"], "where fewer GPUs are left");
}
