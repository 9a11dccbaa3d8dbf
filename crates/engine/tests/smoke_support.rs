//! x
mod support;
use support::*;
#[test]
fn smoke() {
    let mut c = cluster().levels(["rack"]).nodes("r1", 2, "H100x8").build();
    let a = c.run(gang(2, 8).require("rack"));
    assert_eq!(c.nodes_of(a), ["r1-1", "r1-2"]);
    let b = c.submit(gang(1, 1));
    assert_eq!(c.codes(b), ["gpus"]);
    c.finish(a);
    assert_eq!(c.word(a), "completed");
    assert_eq!(c.word(b), "launching");
    c.confirm(b);
    c.advance(hours(3));
    check([case("x", racks("r1: 8 3; r2: 8 8"), [job(gang(1, 3), "r1-2"), job(gang(2, 8), "r2-1 r2-2"), job(gang(2, 8), "waits: gpus")])]);
}
