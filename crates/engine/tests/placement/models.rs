//! GPU models: the first acceptable one that has room, and never two in one group.

use crate::support::*;

fn both() -> Setup {
    cluster().levels(["rack"]).nodes("a", 2, "A100x8").nodes("h", 2, "H100x8")
}

#[test]
fn models_are_tried_in_order_of_preference() {
    check([
        case("the first choice", both(), [job(gang(1, 8).models(["H100", "A100"]), "h-1")]),
        case("the other way round", both(), [job(gang(1, 8).models(["A100", "H100"]), "a-1")]),
        case(
            "the second choice where the first has no room",
            both().filled("h-1", 1).filled("h-2", 1),
            [job(gang(1, 8).models(["H100", "A100"]), "a-1")],
        ),
        case(
            "a model that is not acceptable is not used",
            both().filled("h-1", 1).filled("h-2", 1),
            [job(gang(1, 8).models(["H100"]), "waits: fragments")],
        ),
        case(
            "a better model far apart before a worse one close together",
            cluster()
                .levels(["rack"])
                .nodes("r1", 1, "H100x8")
                .nodes("r2", 1, "H100x8")
                .nodes("r3", 2, "A100x8"),
            [job(gang(2, 8).models(["H100", "A100"]), "r1-1 r2-1")],
        ),
        case(
            "a worse model where only it meets the required rack",
            cluster()
                .levels(["rack"])
                .nodes("r1", 1, "H100x8")
                .nodes("r2", 1, "H100x8")
                .nodes("r3", 2, "A100x8"),
            [job(gang(2, 8).models(["H100", "A100"]).require("rack"), "r3-1 r3-2")],
        ),
        case(
            "a model of which there is no node is passed over",
            both(),
            [job(gang(1, 8).models(["GB200", "A100"]), "a-1")],
        ),
        case(
            "a model of which there is no node is impossible",
            both(),
            [job(gang(1, 8).models(["GB200"]), "waits: impossible")],
        ),
    ]);
}

#[test]
fn a_group_never_mixes_models() {
    check([
        case(
            "room for three on two models each is no room for three",
            both().filled("a-1", 8).filled("h-1", 8),
            [job(gang(2, 8).models(["H100", "A100"]), "waits: gpus")],
        ),
        case(
            "any model means one model",
            both().filled("a-1", 8),
            [job(gang(2, 8), "h-1 h-2"), job(gang(1, 8), "a-2")],
        ),
    ]);
}

#[test]
fn any_model_takes_the_first_configured_one_with_room() {
    check([
        case("H100 stands before A100", both(), [job(gang(1, 1), "h-1")]),
        case(
            "A100 where H100 is taken",
            both().filled("h-1", 8).filled("h-2", 8),
            [job(gang(1, 1), "a-1")],
        ),
    ]);
}

#[test]
fn a_waiting_job_takes_whichever_of_its_models_is_free_first() {
    let mut c = both().filled("h-1", 8).filled("h-2", 8).filled("a-1", 8).filled("a-2", 8).build();
    let waiting = c.submit(gang(1, 8).models(["H100", "A100"]));
    c.finish(JobId(3));
    assert_eq!(c.nodes_of(waiting), ["a-1"]);
}

#[test]
fn a_model_that_does_not_exist_is_refused_with_what_was_meant() {
    let errors = both().build().try_submit(gang(1, 8).models(["H1000"])).unwrap_err();
    assert_eq!(errors[0].field, "groups[0].task.models[0]");
    assert_eq!(errors[0].meant.as_deref(), Some("H100"));
}
