//! What failures mean for a gang, told with its decision: how often to save, how many spares.

use muster_model::Rung;

use crate::support::*;

#[test]
fn a_job_that_says_what_a_save_costs_is_told_how_often_to_save() {
    let mut c = cluster().nodes("n", 4, "H100x8").build();
    let job = c.run(gang(4, 8).rung(Rung::Checkpoint, seconds(10), seconds(30)));
    let advice = c.decision(job).advice.unwrap();
    // Nothing has failed yet: a node is taken to fail every 154 days.
    assert_eq!(advice.mttf, Millis(days(154).0 / 4));
    let every = advice.save_every.unwrap();
    let square = 2 * 10_000 * advice.mttf.0;
    assert!(every.0 * every.0 <= square && square < (every.0 + 1) * (every.0 + 1), "{every}");
    assert_eq!(advice.spares, None, "four nodes are no large gang");
}

#[test]
fn a_large_gang_is_told_how_many_spares_it_would_need() {
    let mut c = cluster()
        .nodes("n", 64, "H100x8")
        .policy(|policy| policy.failures.repair_time = days(2))
        .build();
    let job = c.run(gang(64, 8));
    let advice = c.decision(job).advice.unwrap();
    // 64 nodes for two days, at one failure in 154 days: 0.83 are expected.
    assert_eq!((advice.spares, advice.save_every), (Some(4), None));
}

#[test]
fn a_small_job_without_a_contract_is_told_nothing() {
    let mut c = cluster().nodes("n", 4, "H100x8").build();
    let job = c.run(gang(4, 8));
    assert_eq!(c.decision(job).advice, None);
}

#[test]
fn failures_that_are_seen_shorten_the_interval_and_quiet_years_lengthen_it() {
    let ask = |failures: u32, quiet: Millis| {
        let mut c = cluster().nodes("n", 20, "H100x8").build();
        for _ in 0..failures {
            c.lose("n-20", Millis::ZERO);
            c.find_again("n-20", &[]);
        }
        let job = c.run(gang(16, 8).rung(Rung::Checkpoint, seconds(10), seconds(30)));
        let limit = c.record(job).run.unwrap().limit_at.unwrap();
        c.advance_to(Time(quiet.0.min(limit.0 - 1)));
        c.decision(job).advice.unwrap()
    };
    let usual = ask(0, Millis::ZERO);
    let bad = ask(3, Millis::ZERO);
    assert_eq!(bad.mttf, Millis(usual.mttf.0 / 4), "three failures and the one expected");
    assert!(bad.save_every < usual.save_every);
    let quiet = ask(0, days(29));
    assert!(quiet.mttf > usual.mttf && quiet.save_every > usual.save_every);
}

#[test]
fn advice_is_for_those_who_hold_nodes() {
    let mut c = cluster().nodes("n", 1, "H100x8").build();
    let job = c.run(gang(1, 8).rung(Rung::Checkpoint, seconds(10), seconds(30)));
    assert!(c.decision(job).advice.is_some());
    c.finish(job);
    assert_eq!(c.decision(job).advice, None);
}
