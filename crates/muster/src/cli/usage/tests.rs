//! What people read of a report, as text, CSV and a page.

use muster_api::Moment;
use muster_api::usage::{
    Funnel, Lost, Offender, Stages, Unallocated, UsageBucket, UsageBy, UsageReport, UsageRow,
    WasteKind, WasteReport,
};
use muster_model::Time;

use super::{csv, page, table, when};

const HOUR: u64 = 3_600_000;

fn at(hour: u64) -> Moment {
    Moment(Time(1_769_817_600_000 + hour * HOUR))
}

/// A funnel whose parts are so many hours, at two a GPU-hour.
fn funnel(useful: u64, failed: u64, idle: u64, unmeasured: u64, left: Option<[u64; 2]>) -> Funnel {
    let allocated = useful + failed + idle + unmeasured;
    let stages = |unit: u64| Stages {
        paid: left.map(|left| (allocated + left.iter().sum::<u64>()) * unit),
        unallocated: left.map(|[idle, unusable]| Unallocated {
            idle: idle * unit,
            scattered: idle * unit / 4,
            unusable: unusable * unit,
        }),
        allocated: allocated * unit,
        active: (useful + failed) * unit,
        idle: idle * unit,
        unmeasured: unmeasured * unit,
        useful: useful * unit,
        lost: Lost { failed: failed * unit, ..Lost::default() },
        overhead: unit / 2,
    };
    Funnel { gpu_ms: stages(HOUR), money: Some(stages(2_000_000)) }
}

fn report() -> UsageReport {
    let row = |key: &str, label: Option<&str>, funnel| UsageRow {
        key: key.to_owned(),
        label: label.map(str::to_owned),
        funnel,
    };
    let total = funnel(1100, 40, 260, 100, Some([400, 100]));
    let bucket = |hour, funnel| UsageBucket { at: at(hour), key: None, funnel };
    UsageReport {
        since: at(0),
        until: at(20),
        by: UsageBy::Job,
        currency: Some("EUR".to_owned()),
        total: total.clone(),
        rows: vec![
            row("12", Some("=train, \"large\""), funnel(1000, 40, 60, 0, None)),
            row("", None, funnel(100, 0, 100, 100, None)),
        ],
        more: 3,
        rest: Some(funnel(0, 0, 100, 0, None)),
        buckets: Some(vec![bucket(0, total), bucket(10, funnel(10, 0, 1, 0, Some([3, 0])))]),
    }
}

fn waste() -> WasteReport {
    WasteReport {
        since: at(0),
        until: at(20),
        currency: Some("EUR".to_owned()),
        funnel: report().total,
        offenders: vec![Offender {
            kind: WasteKind::IdleJob,
            job: Some(7),
            name: Some("notebook <1>".to_owned()),
            user: Some("user-a".to_owned()),
            team: None,
            gpu_ms: 100 * HOUR,
            money: Some(200_000_000),
            text: "its GPUs computed 0% of the time that was measured".to_owned(),
        }],
    }
}

#[test]
fn the_table_shows_the_funnel_and_who_used_what() {
    insta::assert_snapshot!(table::report(&report(), None));
}

#[test]
fn the_waste_is_told_by_job() {
    insta::assert_snapshot!(table::waste(&waste(), None));
}

#[test]
fn without_prices_there_is_no_money_anywhere() {
    let mut report = report();
    report.currency = None;
    report.total.money = None;
    report.rows.iter_mut().for_each(|row| row.funnel.money = None);
    report.rest = None;
    assert!(!table::report(&report, None).contains("0.00"));
    let last = csv::text(&report).lines().last().map(str::to_owned).unwrap_or_default();
    assert!(last.ends_with(",,,,,,"), "{last}");
    let page = page::page(&report, None);
    assert!(!page.contains("EUR") && !page.contains("Cost"), "money is left out");
}

#[test]
fn csv_is_for_spreadsheets_and_no_name_is_a_formula() {
    insta::assert_snapshot!(csv::text(&report()));
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let page = page::page(&report(), Some(&waste()));
    for elsewhere in ["http://", "https://", "<script", "src=", "@import", "url("] {
        assert!(!page.contains(elsewhere), "{elsewhere}");
    }
    assert!(page.contains("notebook &lt;1&gt;") && !page.contains("<1>"));
    let body = page.split("<body>").nth(1).unwrap_or_default();
    insta::assert_snapshot!(body);
}

#[test]
fn spans_days_and_moments_are_understood() {
    let now = Time(10 * 24 * HOUR);
    let read = |text: &str| when(text, now).ok().map(|Moment(Time(time))| time / HOUR);
    assert_eq!(read("2d"), Some(8 * 24));
    assert_eq!(read("1970-01-03"), Some(2 * 24));
    assert_eq!(read("1970-01-03T05:00:00Z"), Some(2 * 24 + 5));
    assert_eq!(read("yesterday"), None);
}
