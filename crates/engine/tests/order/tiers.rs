//! Tiers: guarantee first, then class, whatever the key says.

use crate::support::*;

/// One node that holds one job at a time, and is taken.
fn one_at_a_time() -> (World, JobId) {
    let mut c = cluster().nodes("n", 1, "H100x8").queue(queue("q")).build();
    let taken = c.run(gang(1, 8).queue("q"));
    c.forget_starts();
    (c, taken)
}

fn whole(class: &str) -> JobSpec {
    gang(1, 8).queue("q").class(class)
}

#[test]
fn classes_go_by_their_value() {
    let (mut c, _) = one_at_a_time();
    let classes = ["preemptible", "batch", "standard", "express", "reserved", "inference"];
    let mut jobs = classes.map(|class| c.submit(whole(class)));
    jobs.reverse();
    assert_eq!(c.run_dry(), jobs);
}

#[test]
fn a_class_goes_first_however_long_its_job() {
    let (mut c, _) = one_at_a_time();
    let short = c.submit(whole("batch").estimate(minutes(1), minutes(1)).weight(2));
    let long = c.submit(whole("standard").estimate(days(20), days(29)).weight(-2));
    assert_eq!(c.run_dry(), [long, short]);
}

#[test]
fn a_class_goes_first_however_urgent_the_deadline_of_another() {
    let (mut c, _) = one_at_a_time();
    let urgent = c.submit(whole("batch").estimate(hours(1), hours(1)).deadline(Time(1)));
    let calm = c.submit(whole("standard").estimate(hours(9), hours(9)));
    assert_eq!(c.run_dry(), [calm, urgent]);
}

#[test]
fn classes_are_configuration() {
    let mut c = cluster()
        .nodes("n", 1, "H100x8")
        .spec(|spec| {
            for class in &mut spec.classes {
                class.value = 1000 - class.value;
            }
        })
        .build();
    c.run(gang(1, 8));
    c.forget_starts();
    let express = c.submit(gang(1, 8).class("express"));
    let batch = c.submit(gang(1, 8).class("batch"));
    assert_eq!(c.run_dry(), [batch, express]);
}

#[test]
fn a_guaranteed_job_of_the_lowest_class_goes_before_all_that_are_not() {
    let mut c = cluster()
        .nodes("n", 1, "H100x8")
        .queue(queue("mine").guarantee(quota(8)))
        .queue(queue("theirs"))
        .without_pausing()
        .build();
    c.run(gang(1, 8).queue("theirs"));
    c.forget_starts();
    let theirs =
        ["inference", "express"].map(|class| c.submit(gang(1, 8).queue("theirs").class(class)));
    let mine = c.submit(gang(1, 8).queue("mine").class("batch"));
    assert_eq!(c.run_dry(), [mine, theirs[0], theirs[1]]);
}

#[test]
fn a_lower_class_fills_what_a_higher_one_cannot_use() {
    let mut c = racks("r1: 8 4").build();
    let high = c.submit(gang(2, 8).class("express"));
    let low = c.submit(gang(1, 8).class("preemptible"));
    assert_eq!((c.word(high), c.word(low)), ("queued", "launching"));
}

#[test]
fn tiers_hold_under_every_policy() {
    for order in [Order::Muster, Order::Fifo, Order::Sjf, Order::Fair] {
        let mut c = cluster().nodes("n", 1, "H100x8").policy(|policy| policy.order = order).build();
        c.run(gang(1, 8));
        c.forget_starts();
        let low = c.submit(gang(1, 8).class("batch").estimate(minutes(1), minutes(1)));
        let high = c.submit(gang(1, 8).class("express").estimate(hours(9), hours(9)));
        assert_eq!(c.run_dry(), [high, low], "{order:?}");
    }
}
