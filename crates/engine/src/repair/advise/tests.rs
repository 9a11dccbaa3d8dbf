//! The figures against the published ones and against sums done another way.

use super::*;

#[test]
fn a_save_of_ten_seconds_and_three_hours_between_failures_make_eight_minutes() {
    let mttf = Millis(11_160_000);
    assert_eq!(save_every(Millis::seconds(10), mttf), Millis(472_440));
    assert_eq!(save_every(Millis::seconds(1), Millis::hours(1)), Millis(84_852));
}

#[test]
fn who_saves_for_nothing_may_save_all_the_time() {
    assert_eq!(save_every(Millis::ZERO, Millis::hours(3)), Millis::ZERO);
}

#[test]
fn saving_costs_four_times_as_much_and_is_done_half_as_often() {
    let mttf = Millis::days(3);
    let often = save_every(Millis::seconds(5), mttf);
    let seldom = save_every(Millis::seconds(20), mttf);
    assert!(seldom.0.abs_diff(2 * often.0) <= 1, "{often:?} and {seldom:?}");
}

#[test]
fn two_thousand_nodes_need_six_spares_for_four_hours() {
    // 6.5 failures in a thousand days of nodes.
    let of_one = Millis(Millis::days(1000).0 * 10 / 65);
    assert_eq!(spares(2048, of_one, Millis::hours(4)), 6);
}

#[test]
fn spares_are_the_fewest_that_run_out_in_one_case_of_a_hundred() {
    let day = Millis::days(1);
    for tenths in [1, 2, 5, 10, 22, 35, 50, 80, 120, 200, 400] {
        // So many tenths of a failure are expected within a day.
        let of_one = Millis(day.0 * 10_000 / tenths);
        let needed = spares(1000, of_one, day);
        let mean = tenths as f64 / 10.0;
        assert!(beyond(mean, needed) <= 0.010_001, "{needed} do not do for {mean}");
        let fewer = needed.checked_sub(1).map(|fewer| beyond(mean, fewer));
        assert!(fewer.is_none_or(|beyond| beyond > 0.009_999), "{needed} are many for {mean}");
    }
}

/// The chance of more than so many failures where so many are expected.
fn beyond(mean: f64, most: u32) -> f64 {
    let mut chance = (-mean).exp();
    let mut within = chance;
    for failures in 1..=most {
        chance *= mean / f64::from(failures);
        within += chance;
    }
    1.0 - within
}

#[test]
fn nothing_that_breaks_needs_no_spare_and_what_always_breaks_needs_one_each() {
    assert_eq!(spares(64, Millis(u64::MAX), Millis::hours(4)), 0);
    assert_eq!(spares(64, Millis(1), Millis::days(1)), 64);
    assert_eq!(spares(1, Millis::days(154), Millis::hours(4)), 0);
}

#[test]
fn spares_never_get_fewer_with_more_nodes_or_longer_repairs() {
    let of_one = Millis::days(60);
    let mut before = 0;
    for nodes in 1..400 {
        let needed = spares(nodes, of_one, Millis::hours(12));
        assert!(needed >= before, "{nodes} nodes need {needed}, one less {before}");
        before = needed;
    }
    assert!(spares(512, of_one, Millis::days(7)) > spares(512, of_one, Millis::hours(4)));
}

#[test]
fn before_anything_was_seen_the_published_rate_holds() {
    assert_eq!(mean_time(0, 0), Millis::days(154));
}

#[test]
fn what_was_seen_outweighs_what_was_expected() {
    // A thousand nodes for a thousand days, with a failure every ten days of a node.
    let time = u128::from(Millis::days(1000).0) * 1000;
    let measured = mean_time(time, 100_000 * FAILURE);
    let off = measured.0.abs_diff(Millis::days(10).0);
    assert!(off < Millis::minutes(5).0, "{measured}");
    // A fleet that has not failed in that time is better than expected.
    assert!(mean_time(time, 0) > Millis::days(154));
}
