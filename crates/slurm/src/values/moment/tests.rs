//! Moments, as Slurm 22.05 resolves them on Monday 2026-11-16 at 06:18:00 UTC.

use muster_model::Time;
use proptest::prelude::*;

use super::{Clock, Moment, civil_date, days_since_epoch};

fn clock(offset_s: i32) -> Clock {
    Clock { now: Time(1_794_809_880_000), offset_s }
}

/// The moment in UTC as a date.
fn resolved(text: &str, offset_s: i32) -> String {
    let moment = text.parse::<Moment>().expect(text);
    crate::words::time::stamp(moment.resolve(clock(offset_s)), 0)
}

#[test]
fn moments_resolve_as_on_slurm() {
    for (text, expected) in [
        ("now", "2026-11-16T06:18:00"),
        ("NOW", "2026-11-16T06:18:00"),
        ("now+1hour", "2026-11-16T07:18:00"),
        ("now+30", "2026-11-16T06:18:30"),
        ("now +1day", "2026-11-17T06:18:00"),
        ("now+2days", "2026-11-18T06:18:00"),
        ("now+1week", "2026-11-23T06:18:00"),
        ("now-1hour", "2026-11-16T05:18:00"),
        ("now+1HOUR", "2026-11-16T07:18:00"),
        ("16:00", "2026-11-16T16:00:00"),
        ("16:00:01", "2026-11-16T16:00:01"),
        ("06:18", "2026-11-17T06:18:00"),
        ("1:00am", "2026-11-17T01:00:00"),
        ("4:00 PM", "2026-11-16T16:00:00"),
        ("12:30am", "2026-11-17T00:30:00"),
        ("12:30pm", "2026-11-16T12:30:00"),
        ("midnight", "2026-11-17T00:00:00"),
        ("noon", "2026-11-16T12:00:00"),
        ("fika", "2026-11-16T15:00:00"),
        ("teatime", "2026-11-16T16:00:00"),
        ("today", "2026-11-16T00:00:00"),
        ("tomorrow", "2026-11-17T00:00:00"),
        ("tomorrow 16:00", "2026-11-17T16:00:00"),
        ("16:00 tomorrow", "2026-11-17T16:00:00"),
        ("noon tomorrow", "2026-11-17T12:00:00"),
        ("2030-01-20", "2030-01-20T00:00:00"),
        ("2030-01-20T12:34", "2030-01-20T12:34:00"),
        ("2030-01-20T12:34:56", "2030-01-20T12:34:56"),
        ("2030-01-20T4:00PM", "2030-01-20T16:00:00"),
        ("16:00 2030-01-20", "2030-01-20T16:00:00"),
        ("01/20/30", "2030-01-20T00:00:00"),
        ("01.20.30", "2030-01-20T00:00:00"),
        ("012030", "2030-01-20T00:00:00"),
        ("0120", "2027-01-20T00:00:00"),
        ("1/20", "2027-01-20T00:00:00"),
        ("12/20", "2026-12-20T00:00:00"),
        ("2020-01-01", "2020-01-01T00:00:00"),
    ] {
        assert_eq!(resolved(text, 0), expected, "{text}");
    }
}

#[test]
fn the_time_on_the_wall_counts_for_days_and_hours() {
    // It is 22:18 of the day before, eight hours west.
    assert_eq!(resolved("midnight", -8 * 3600), "2026-11-16T08:00:00");
    assert_eq!(resolved("today", -8 * 3600), "2026-11-15T08:00:00");
    assert_eq!(resolved("22:00", -8 * 3600), "2026-11-17T06:00:00");
    assert_eq!(resolved("now+60", -8 * 3600), "2026-11-16T06:19:00");
}

#[test]
fn other_words_are_refused_with_the_forms() {
    for text in [
        "",
        "4pm",
        "elevenses",
        "now+3min",
        "now*2",
        "13:00pm",
        "24:00",
        "12:60",
        "today+1hour",
        "2030-1-2",
        "2030-13-01",
        "2030-02-30",
        "01/20/2030",
        "20300120",
        "1900000000",
        "16",
        "uptime",
        "16:00 17:00",
        "today tomorrow",
        "pm",
        "now+99999999999999999999",
        "1:2:3:4",
    ] {
        let refused = text.parse::<Moment>().expect_err(text).to_string();
        assert!(refused.contains("expected a time such as"), "{refused}");
    }
}

proptest! {
    #[test]
    fn every_day_has_one_date(days in -800_000_i64..2_000_000) {
        let (year, month, day) = civil_date(days);
        prop_assert_eq!(days_since_epoch(year, month, day), days);
        prop_assert!((1..=12).contains(&month) && (1..=31).contains(&day));
    }

    #[test]
    fn a_moment_is_read_as_it_is_written(
        text in "now[+-][0-9]{1,5}(hours|days)?|\
                 (today |tomorrow |1?[1-9]/2[0-8] |20[0-9]{2}-0[1-9]-1[0-9]T)(0[1-9]:[0-5][0-9])"
    ) {
        if let Ok(moment) = text.parse::<Moment>() {
            prop_assert_eq!(moment.to_string().parse::<Moment>(), Ok(moment));
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[0-9a-z:/.+ -]{0,16}|.{0,16}") {
        if let Ok(moment) = text.parse::<Moment>() {
            moment.resolve(clock(3600));
        }
    }
}
