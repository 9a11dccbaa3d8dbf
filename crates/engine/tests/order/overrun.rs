//! Jobs that outrun their prediction sink; jobs near their end are protected.

use crate::support::*;

/// Lets a job run so long, requeues it, and returns whether it goes before a fresh job of the
/// given estimate.
fn goes_first(estimate: (Millis, Millis), after: Millis, fresh: (Millis, Millis)) -> bool {
    let mut c = cluster().nodes("n", 1, "H100x8").build();
    let old = c.run(gang(1, 8).estimate(estimate.0, estimate.1));
    c.advance(after);
    let fresh = c.submit(gang(1, 8).estimate(fresh.0, fresh.1));
    c.requeue(old);
    c.stopped(old);
    assert_ne!(c.is_placed(old), c.is_placed(fresh));
    c.is_placed(old)
}

/// An hour, give or take a factor of e.
const HOUR: (Millis, Millis) = (Millis::minutes(60), Millis::minutes(216));

#[test]
fn a_job_that_has_outrun_its_prediction_goes_behind_a_fresh_one() {
    assert!(!goes_first(HOUR, hours(10), HOUR));
    assert!(!goes_first(HOUR, hours(20), (minutes(120), minutes(432))));
}

#[test]
fn a_job_near_its_predicted_end_goes_before_a_fresh_one() {
    assert!(goes_first(HOUR, minutes(45), HOUR));
    let (sure, unsure) = ((hours(8), hours(9)), (minutes(240), minutes(864)));
    assert!(!goes_first(sure, minutes(5), unsure), "eight hours to go");
    assert!(goes_first(sure, hours(7), unsure), "about one hour to go");
}

#[test]
fn a_job_that_outran_a_wide_prediction_sinks_slowly() {
    let wide = (hours(1), hours(40));
    assert!(goes_first(wide, minutes(1), HOUR), "it may be over at once");
    assert!(!goes_first(wide, hours(9), HOUR));
}

#[test]
fn waiting_again_does_not_count_as_service() {
    let mut c = cluster().nodes("n", 1, "H100x8").build();
    let old = c.run(gang(1, 8).estimate(hours(1), hours(2)));
    c.advance(minutes(30));
    let taken = c.submit(gang(1, 8).class("express"));
    c.requeue(old);
    c.stopped(old);
    c.confirm(taken);
    c.advance(hours(11));
    assert_eq!(c.record(old).served, minutes(30));
    let fresh = c.submit(gang(1, 8).estimate(hours(1), hours(2)));
    c.finish(taken);
    assert_eq!((c.word(old), c.word(fresh)), ("launching", "queued"));
}
