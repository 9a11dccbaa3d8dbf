//! The key inside a tier: least expected service first, moved by the user's weight.

use crate::support::*;

/// One node, taken; jobs of one GPU or of all eight wait for it.
fn taken() -> World {
    let mut c = cluster().nodes("n", 1, "H100x8").build();
    c.run(gang(1, 8));
    c.forget_starts();
    c
}

fn whole(estimate: Millis) -> JobSpec {
    gang(1, 8).estimate(estimate, estimate + estimate)
}

#[test]
fn the_shortest_estimate_goes_first() {
    let mut c = taken();
    let jobs = [3, 1, 4, 2].map(|estimate| c.submit(whole(hours(estimate))));
    assert_eq!(c.run_dry(), [jobs[1], jobs[3], jobs[0], jobs[2]]);
}

#[test]
fn service_is_gpus_times_time() {
    let mut c = taken();
    let wide = c.submit(gang(1, 8).exclusive().estimate(hours(1), hours(2)));
    let long = c.submit(gang(1, 2).exclusive().estimate(hours(3), hours(6)));
    let longer = c.submit(gang(1, 2).exclusive().estimate(hours(5), hours(10)));
    assert_eq!(c.run_dry(), [long, wide, longer], "6, 8 and 10 GPU-hours");
}

#[test]
fn how_much_gpus_count_is_policy() {
    let mut c =
        cluster().nodes("n", 1, "H100x8").policy(|policy| policy.size_weight_milli = 0).build();
    c.run(gang(1, 8));
    c.forget_starts();
    let wide = c.submit(gang(1, 8).estimate(hours(1), hours(2)));
    let narrow = c.submit(gang(1, 1).exclusive().estimate(hours(2), hours(4)));
    assert_eq!(c.run_dry(), [wide, narrow], "time alone");
}

#[test]
fn equal_jobs_go_by_number() {
    let mut c = taken();
    let jobs: Vec<JobId> = (0..5).map(|_| c.submit(whole(hours(1)))).collect();
    assert_eq!(c.run_dry(), jobs);
}

#[test]
fn waiting_does_not_move_a_job_ahead() {
    let mut c = taken();
    let old = c.submit(whole(hours(2)));
    c.advance(hours(11));
    let young = c.submit(whole(hours(1)));
    assert_eq!(c.run_dry(), [young, old]);
}

#[test]
fn a_weight_of_one_makes_up_for_one_doubling() {
    let order_with = |weight: i8, estimate: Millis| {
        let mut c = taken();
        let plain = c.submit(whole(hours(1)));
        let weighted = c.submit(whole(estimate).weight(weight));
        let order = c.run_dry();
        assert_eq!(order.len(), 2);
        if order == [weighted, plain] { "weighted" } else { "plain" }
    };
    assert_eq!(order_with(1, minutes(115)), "weighted");
    assert_eq!(order_with(1, minutes(125)), "plain");
    assert_eq!(order_with(2, minutes(235)), "weighted");
    assert_eq!(order_with(2, minutes(245)), "plain");
    assert_eq!(order_with(-1, minutes(35)), "plain");
    assert_eq!(order_with(-1, minutes(25)), "weighted");
}

#[test]
fn a_weight_beyond_two_doublings_is_refused() {
    let mut c = taken();
    assert_eq!(c.try_submit(whole(hours(1)).weight(3)).unwrap_err()[0].field, "weight");
}

#[test]
fn an_estimate_that_comes_in_later_reorders() {
    let mut c = taken();
    let first = c.submit(whole(hours(1)));
    let second = c.submit(whole(hours(2)));
    c.estimated(second, minutes(10), minutes(20));
    assert_eq!(c.run_dry(), [second, first]);
}

#[test]
fn an_estimate_for_an_array_reorders_all_its_elements() {
    let mut c = taken();
    let plain = c.submit(whole(hours(1)));
    let array = c.submit(whole(hours(3)).array([0, 1]));
    c.estimated(array, minutes(10), minutes(20));
    assert_eq!(c.run_dry(), [JobId(array.0 + 1), JobId(array.0 + 2), plain]);
}

#[test]
fn an_estimate_that_cannot_be_is_rejected() {
    let mut c = taken();
    let job = c.submit(whole(hours(1)));
    let before = c.record(job);
    for (median, p90) in [(Millis(0), hours(1)), (hours(2), hours(1))] {
        let actions = c.estimated(job, median, p90);
        assert!(matches!(actions[..], [Action::Rejected { .. }]), "{actions:?}");
    }
    assert_eq!(c.record(job), before);
}

#[test]
fn a_job_of_which_nothing_is_known_goes_by_the_policys_estimate() {
    let run = |default: Millis| {
        let mut c = cluster()
            .nodes("n", 1, "H100x8")
            .policy(|policy| policy.estimate_default = default)
            .build();
        c.run(gang(1, 8));
        c.forget_starts();
        let known = c.submit(whole(hours(1)));
        let unknown = c.submit(gang(1, 8));
        (c.run_dry(), known, unknown)
    };
    let (order, known, unknown) = run(minutes(30));
    assert_eq!(order, [unknown, known]);
    let (order, known, unknown) = run(days(1));
    assert_eq!(order, [known, unknown]);
}

#[test]
fn a_limit_alone_does_not_move_a_job() {
    let mut c = taken();
    let first = c.submit(whole(hours(2)));
    let second = c.submit(whole(hours(2)).limit(hours(1)));
    assert_eq!(c.run_dry(), [first, second], "limits only cap: they are not predictions");
}

#[test]
fn the_terms_of_a_decision_add_up() {
    let mut c = taken();
    let job = c.submit(whole(hours(2)).weight(1).deadline(Time(hours(3).0)));
    c.finish(JobId(1));
    let order = c.decision(job).order;
    assert_eq!((order.class, order.guaranteed, order.floor), (500, false, false));
    assert_eq!(order.weight, 1000);
    assert!(order.urgency > 0);
    assert_eq!(order.key, order.rank - order.weight - order.fair_share - order.urgency);
}
