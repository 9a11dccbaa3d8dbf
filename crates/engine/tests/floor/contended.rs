//! The bound where the starving compete for a part of the cluster: one node, one model, one rack,
//! one queue's limit.

use super::bound::{Adversary, all_in_time, hourly, play};
use crate::support::*;

/// Nobody but the victims: they are each other's adversaries.
const NOBODY: Adversary = Adversary { next: |_| gang(1, 1), waiting: 0 };

#[test]
fn victims_that_all_need_the_same_node_start_in_time() {
    let c = hourly(cluster().nodes("n", 4, "H100x8"), 100).build();
    let victims = (0..24).map(|_| gang(1, 8).only_on(nodes_where("@n-1"))).collect();
    all_in_time(&play(c, victims, &NOBODY));
}

#[test]
fn small_victims_that_each_want_the_same_node_alone_start_in_time() {
    let c = hourly(cluster().nodes("n", 4, "H100x8"), 50).build();
    let victims = (0..6).map(|_| gang(1, 1).exclusive().only_on(nodes_where("@n-1"))).collect();
    all_in_time(&play(c, victims, &NOBODY));
}

#[test]
fn victims_that_all_need_the_scarce_model_start_in_time() {
    let c = hourly(cluster().nodes("a", 9, "A100x8").nodes("h", 1, "H100x8"), 50).build();
    let victims = (0..8).map(|_| gang(1, 8).models(["H100"])).collect();
    all_in_time(&play(c, victims, &NOBODY));
}

#[test]
fn victims_that_only_one_rack_can_hold_start_in_time() {
    let c = hourly(racks("r1: 8 8 8; r2: 8; r3: 8; r4: 8; r5: 8"), 100).build();
    let victims = (0..24).map(|_| gang(2, 8).require("rack")).collect();
    all_in_time(&play(c, victims, &NOBODY));
}

#[test]
fn a_victim_whose_queue_is_kept_at_its_limit_by_others_starts_in_time() {
    let setup = cluster().nodes("n", 2, "H100x8").queue(queue("q").limit(quota(8)));
    let c = hourly(setup, 50).build();
    let stream = Adversary { next: |_| gang(1, 4).queue("q").class("express"), waiting: 8 };
    all_in_time(&play(c, vec![gang(1, 4).queue("q").class("preemptible")], &stream));
}
