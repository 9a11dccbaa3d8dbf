//! How many GPUs count for: when a job may take the place of others, their sizes weigh in the
//! balance as they do in the order.

use super::support::*;
use crate::support::*;

/// A policy under which twice the GPUs count for 2^(so many thousandths) as much.
fn weighing(size_weight_milli: u32) -> Setup {
    nodes(1).policy(|policy| policy.size_weight_milli = size_weight_milli)
}

/// Whether a newcomer of five hours takes the place of jobs with twenty hours to go. Its class
/// gives it the right to, and counts for hardly more than theirs: what is judged is the worth.
fn is_worth(size_weight_milli: u32, running: (u32, u32), gpus: u32) -> bool {
    let mut world = weighing(size_weight_milli).build();
    let exact = |gpus: u32, span: Millis| gang(1, gpus).estimate(span, span);
    let (count, each) = running;
    let long =
        exact(each, hours(20)).class("express").rung(Rung::Suspend, seconds(20), seconds(10));
    let running: Vec<JobId> = (0..count).map(|_| world.run(long.clone())).collect();
    settle_in(&mut world);
    world.submit(exact(gpus, hours(5)).class("reserved"));
    running.iter().any(|job| world.word(*job) == "pausing")
}

#[test]
fn sizes_weigh_in_the_balance_as_they_do_in_the_order() {
    const EACH_GPU: u32 = 1000;
    const THE_ROOT: u32 = 500;
    const EACH_JOB: u32 = 0;
    let (eight_small, a_large) = ((8, 1), (1, 8));
    let table = [
        ("a large one instead of eight small", eight_small, 8, [true, true, false]),
        ("a small one instead of a large", a_large, 1, [false, true, true]),
        ("a large one instead of a large", a_large, 8, [true, true, true]),
        ("a small one instead of a small", eight_small, 1, [true, true, true]),
    ];
    for (name, running, gpus, expected) in table {
        let outcome = |weight| is_worth(weight, running, gpus);
        assert_eq!([EACH_GPU, THE_ROOT, EACH_JOB].map(outcome), expected, "{name}");
    }
}
