//! Windows and what they change.

use super::{check, with};
use crate::cluster::ClusterSpec;
use crate::name::{Name, QueueName};
use crate::pool::Pool;
use crate::queue::{QueueSpec, Quota};
use crate::unit::Millis;
use crate::window::{Window, WindowChange};

fn window(change: WindowChange) -> Window {
    Window {
        name: Name::from("nights"),
        opens: "0 20 * * 1-5".to_owned(),
        zone: "Europe/Oslo".to_owned(),
        lasts: Millis::hours(10),
        changes: vec![change],
    }
}

fn weight(queue: &str, weight: u32) -> WindowChange {
    WindowChange::QueueWeight(QueueName::from(queue), weight)
}

fn windows(windows: Vec<Window>) -> ClusterSpec {
    let pool = Pool {
        name: Name::from("burst"),
        region: None,
        min: 2,
        max: 8,
        price_micros: 0,
        spot: false,
    };
    with(|cluster| {
        cluster.pools = vec![pool];
        cluster.windows = windows;
    })
    .queues([QueueSpec::new("default").guarantee(Quota::of_gpus(8))])
}

fn one(change: WindowChange) -> ClusterSpec {
    windows(vec![window(change)])
}

#[test]
fn good_windows_are_accepted() {
    for change in [
        weight("default", 5),
        WindowChange::ClassValue(Name::from("batch"), 700),
        WindowChange::QueueLimit(QueueName::from("default"), Quota::of_gpus(8)),
        WindowChange::PoolSize(Name::from("burst"), 8),
    ] {
        assert_eq!(one(change).validate(), Ok(()));
    }
    let daily = Window { opens: "@daily".to_owned(), ..window(weight("default", 5)) };
    assert_eq!(windows(vec![daily]).validate(), Ok(()));
}

#[test]
fn bad_windows_are_refused() {
    let good = || window(weight("default", 5));
    check([
        (
            windows(vec![good(), good()]),
            "windows[1].name: `nights` is not allowed; expected each only once",
        ),
        (
            windows(vec![Window { opens: "20:00".to_owned(), ..good() }]),
            "windows[0].opens: `20:00` is not allowed; expected a cron expression of 5 to 7 \
             fields, such as 0 20 * * 1-5",
        ),
        (
            windows(vec![Window { zone: String::new(), ..good() }]),
            "windows[0].zone: `` is not allowed; expected the name of a time zone, such as \
             Europe/Oslo or UTC",
        ),
        (
            windows(vec![Window { lasts: Millis(0), ..good() }]),
            "windows[0].lasts: 0s is not allowed; expected 1ms to 3650d",
        ),
        (
            windows(vec![Window { changes: Vec::new(), ..good() }]),
            "windows[0].changes: 0 changes is not allowed; expected 1 to 1024",
        ),
    ]);
}

#[test]
fn changes_of_what_does_not_exist_or_may_not_be_are_refused() {
    let limit = |queue: &str, gpus| {
        one(WindowChange::QueueLimit(QueueName::from(queue), Quota::of_gpus(gpus)))
    };
    check([
        (
            one(WindowChange::ClassValue(Name::from("bach"), 1)),
            "windows[0].changes[0]: `bach` is not allowed; expected one of inference, reserved, \
             express, standard, batch, preemptible\nhint: did you mean batch?",
        ),
        (
            one(weight("defualt", 1)),
            "windows[0].changes[0]: `defualt` is not allowed; expected one of default\n\
             hint: did you mean default?",
        ),
        (
            one(weight("default", 0)),
            "windows[0].changes[0]: 0 is not allowed; expected 1 to 1000000",
        ),
        (limit("none", 8), "windows[0].changes[0]: `none` is not allowed; expected one of default"),
        (
            limit("default", 7),
            "windows[0].changes[0].gpus: 7 is not allowed; expected at least 8, the queue's \
             guarantee",
        ),
        (
            one(WindowChange::PoolSize(Name::from("burst"), 9)),
            "windows[0].changes[0]: 9 is not allowed; expected 2 to 8",
        ),
        (
            one(WindowChange::PoolSize(Name::from("brust"), 2)),
            "windows[0].changes[0]: `brust` is not allowed; expected one of burst\n\
             hint: did you mean burst?",
        ),
    ]);
}
