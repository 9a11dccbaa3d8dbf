//! Nodes that are not whole: a rack with a bad GPU, a drained or a lost node is that much narrower.

use crate::support::*;

#[test]
fn a_rack_with_an_unhealthy_node_is_narrower() {
    let mut c = racks("r1: 8 8; r2: 8 8 8").build();
    c.break_gpu("r1-1", 3);
    let a = c.run(gang(2, 8).require("rack"));
    assert_eq!(c.nodes_of(a), ["r2-1", "r2-2"]);
}

#[test]
fn a_node_with_a_bad_gpu_still_takes_what_fits_on_the_rest() {
    let mut c = racks("r1: 8; r2: 8").build();
    c.break_gpu("r2-1", 7);
    let a = c.run(gang(1, 7));
    assert_eq!(c.nodes_of(a), ["r2-1"]);
    assert_eq!(c.gpus_of(a, 0), [0, 1, 2, 3, 4, 5, 6]);
}

#[test]
fn sixteen_of_eighteen_nodes_are_enough_for_a_segment_of_sixteen() {
    let mut c = cluster().levels(["rack"]).nodes("nvl", 18, "GB200x4").build();
    c.break_gpu("nvl-3", 0);
    c.drain("nvl-9");
    let a = c.run(gang(16, 4).segment(16, "rack"));
    let nodes = c.nodes_of(a);
    assert_eq!(nodes.len(), 16);
    assert!(!nodes.contains(&"nvl-3".into()) && !nodes.contains(&"nvl-9".into()), "{nodes:?}");
    let more = c.submit(gang(1, 4));
    assert_eq!(c.codes(more), ["gpus"]);
}

#[test]
fn nothing_new_goes_on_a_drained_node() {
    let mut c = racks("r1: 8 8; r2: 8").build();
    let running = c.run(gang(1, 4));
    assert_eq!(c.nodes_of(running), ["r2-1"]);
    c.drain("r2-1");
    let a = c.run(gang(1, 4));
    assert_eq!(c.nodes_of(a), ["r1-1"]);
    assert_eq!(c.word(running), "running");
}

#[test]
fn a_gang_that_only_drained_nodes_could_hold_waits_until_they_are_resumed() {
    let mut c = racks("r1: 8 8").build();
    c.drain("r1-2");
    let a = c.submit(gang(2, 8));
    assert_eq!(c.codes(a), ["impossible"]);
    c.resume("r1-2");
    assert_eq!(c.nodes_of(a), ["r1-1", "r1-2"]);
}

#[test]
fn nothing_new_goes_on_a_lost_node() {
    let mut c = racks("r1: 8 8; r2: 8").build();
    c.lose("r2-1", minutes(5));
    let a = c.run(gang(1, 8));
    assert_eq!(c.nodes_of(a), ["r1-1"]);
    let b = c.submit(gang(2, 8));
    assert_eq!(c.codes(b), ["gpus"]);
    c.find_again("r2-1", &[]);
    assert_eq!(c.nodes_of(b), ["r1-2", "r2-1"]);
}

#[test]
fn a_mended_gpu_starts_who_waits_for_it() {
    let mut c = racks("r1: 8").build();
    c.break_gpu("r1-1", 0);
    c.break_gpu("r1-1", 1);
    let a = c.submit(gang(1, 7));
    assert_eq!(c.codes(a), ["impossible"]);
    c.mend_gpu("r1-1", 1);
    assert_eq!(c.gpus_of(a, 0), [1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn a_node_that_refused_rests_and_is_used_again_afterwards() {
    let mut c = racks("r1: 8; r2: 4").build();
    let a = c.submit(gang(1, 4));
    assert_eq!(c.nodes_of(a), ["r2-1"]);
    c.refuse(a, "r2-1");
    assert_eq!(c.nodes_of(a), ["r1-1"]);
    c.confirm(a);
    let b = c.submit(gang(2, 4));
    assert_eq!(c.codes(b), ["gpus"], "eight GPUs are free, four of them on a node that rests");
    c.advance(seconds(9));
    assert_eq!(c.word(b), "queued");
    c.advance(seconds(1));
    assert_eq!(c.nodes_of(b), ["r1-1", "r2-1"]);
}

#[test]
fn new_nodes_are_used_as_soon_as_they_join() {
    let mut c = racks("r1: 0").build();
    let a = c.submit(gang(2, 8).require("rack"));
    c.join(NodeSpec::new("r2-1", "H100", 8).domains(["r2"]));
    assert_eq!(c.word(a), "queued");
    c.join(NodeSpec::new("r2-2", "H100", 8).domains(["r2"]));
    assert_eq!(c.nodes_of(a), ["r2-1", "r2-2"]);
}
