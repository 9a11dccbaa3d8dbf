//! Claims are granted from borrowed work, and the cluster is full again before the next.

use muster_model::Millis;

use super::Lent;
use crate::bench::layout::{Layout, Load};

fn lent(gpus: u32) -> Lent {
    Lent::new(Layout::with_load(gpus, Load::Overload), 1).unwrap()
}

#[test]
fn all_of_the_cluster_is_borrowed_before_and_after_each_claim() {
    let mut lent = lent(256);
    for round in 0..3 {
        assert_eq!(lent.world.counts().milli_busy, 256_000, "round {round}");
        lent.claims(64, 1, 1_000.0).unwrap();
    }
}

#[test]
fn a_claim_gets_its_gpus_within_the_time_that_guarantees_are_given_back_in() {
    let reclaims = lent(256).claims(128, 3, 1_000.0).unwrap();
    let promised = muster_model::Policy::default().pausing.reclaim + Millis::seconds(30);
    assert!(reclaims.pauses >= 3, "{reclaims:?}");
    assert!(reclaims.reclaim_wait_s_max * 1_000.0 <= promised.0 as f64, "{reclaims:?}");
}

#[test]
fn a_claim_is_decided_in_the_step_that_submits_it() {
    let reclaims = lent(256).claims(8, 4, 100.0).unwrap();
    assert_eq!(reclaims.steps, 4);
    let table = reclaims.table();
    assert!(table.contains("reclaim_cpu_us_p99") && table.contains("under 100"), "{table}");
}
