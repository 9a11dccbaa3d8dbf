//! Usage is summed up within its span.

use muster_model::Time;

use super::fixed::{NOW, running};
use crate::report::usage::{Counted, Span, Usage};
use crate::report::{JobFacts, Wants};

fn job(user: &str, account: &str, cpus: u64, (from_s, to_s): (u64, u64)) -> JobFacts {
    JobFacts {
        user: user.to_owned(),
        account: account.to_owned(),
        wants: Wants { cpus, gpus: 1, ..Wants::default() },
        started: Some(Time(from_s * 1000)),
        ended: Some(Time(to_s * 1000)),
        ..running()
    }
}

const SPAN: Span = Span { from: Time(100_000), until: Time(200_000) };

#[test]
fn only_what_lies_in_the_span_counts() {
    let used = |from_s, to_s| {
        let job = job("user-a", "vision", 2, (from_s, to_s));
        (SPAN.used(&job, Counted::Cpus, NOW), SPAN.used(&job, Counted::Gpus, NOW))
    };
    assert_eq!(used(110, 120), (20, 10));
    assert_eq!(used(50, 110), (20, 10), "before it began");
    assert_eq!(used(190, 500), (20, 10), "after it ended");
    assert_eq!(used(0, 1000), (200, 100));
    assert_eq!(used(0, 100), (0, 0));
    assert_eq!(used(200, 300), (0, 0));
    let waiting = JobFacts { started: None, ended: None, ..running() };
    assert_eq!(SPAN.used(&waiting, Counted::Cpus, NOW), 0);
}

#[test]
fn users_accounts_and_sizes_are_summed_up() {
    let jobs = [
        job("user-a", "vision", 10, (100, 110)),
        job("user-a", "speech", 60, (100, 101)),
        job("user-b", "vision", 1000, (100, 200)),
    ];
    let usage = Usage::of(&jobs, SPAN, Counted::Cpus, NOW);
    assert_eq!(usage.all, 100_160);
    let top = usage.top(10);
    assert_eq!(top[0], ("user-b".to_owned(), "vision".to_owned(), 100_000));
    assert_eq!(top[1], ("user-a".to_owned(), "vision".to_owned(), 160));
    assert_eq!(usage.top(1).len(), 1);
    assert_eq!(usage.sizes["vision"], [100, 0, 0, 0, 100_000]);
    assert_eq!(usage.sizes["speech"], [0, 60, 0, 0, 0]);
    assert_eq!(usage.accounts()["vision"], 100_100);
}
