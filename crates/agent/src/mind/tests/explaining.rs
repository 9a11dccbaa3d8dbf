//! Programs are told why they are ended, once, and before they are.

use muster_api::Reach;
use muster_api::duty::{Duty, RunWork, SignalOrder, StopReason, Work};

use super::stage::{of, run, running, stop, work};
use super::stepping::{signal, stepping};
use crate::mind::Order;

pub(super) fn explain(step: Option<u32>, reason: StopReason) -> Order {
    Order::Explain { of: of(7, 1), step, reason }
}

fn stop_why(version: u64, grace_ms: u64, why: StopReason) -> Duty {
    let work = Work::Stop { grace_ms, why: Some(why) };
    Duty { work, ..stop(of(7, 1), version, grace_ms) }
}

fn asked(ranks: &[u32], signal: u8) -> Order {
    Order::Signal { of: of(7, 1), ranks: ranks.to_vec(), signal }
}

#[test]
fn the_reason_comes_before_the_first_signal_and_only_once() {
    let mut mind = running(&[0, 1]);
    mind.hear(5, 1, 2, false, &[stop_why(2, 100, StopReason::TimeLimit)]);
    let orders = mind.take_orders();
    assert_eq!(orders, [explain(None, StopReason::TimeLimit), asked(&[0, 1], 15)]);
    mind.hear(6, 1, 3, false, &[stop_why(3, 100, StopReason::Cancelled)]);
    assert_eq!(mind.take_orders(), [], "the first reason stays");
    mind.tick(105);
    assert_eq!(mind.take_orders(), [Order::Kill { of: of(7, 1), ranks: vec![0, 1] }]);
}

#[test]
fn who_is_forced_at_once_is_told_as_well() {
    let mut mind = running(&[0]);
    mind.hear(5, 1, 2, false, &[stop_why(2, 0, StopReason::Preempted)]);
    let forced = Order::Kill { of: of(7, 1), ranks: vec![0] };
    assert_eq!(mind.take_orders(), [explain(None, StopReason::Preempted), forced]);
}

#[test]
fn without_the_first_task_or_a_reason_nothing_is_said() {
    let mut without_reason = running(&[0]);
    without_reason.hear(5, 1, 2, false, &[stop(of(7, 1), 2, 100)]);
    assert_eq!(without_reason.take_orders(), [asked(&[0], 15)]);
    let mut without_first = running(&[2, 3]);
    without_first.hear(5, 1, 2, false, &[stop_why(2, 100, StopReason::Cancelled)]);
    assert_eq!(without_first.take_orders(), [asked(&[2, 3], 15)]);
}

#[test]
fn a_signal_that_ends_is_told_as_an_end() {
    for (signal, to, is_told) in [
        (15, Reach::First, true),
        (9, Reach::All, true),
        (15, Reach::Steps, false),
        (10, Reach::All, false),
    ] {
        let mut mind = running(&[0]);
        let order = SignalOrder { number: 1, signal, to };
        let duty = RunWork { signal: Some(order), ..work(&[0]) };
        mind.hear(5, 1, 2, false, &[run(of(7, 1), 2, duty)]);
        let told = mind.take_orders().first() == Some(&explain(None, StopReason::Cancelled));
        assert_eq!(told, is_told, "signal {signal} to {to:?}");
    }
}

#[test]
fn steps_are_told_the_reason_of_their_job() {
    let mut mind = stepping();
    mind.hear(5, 1, 2, false, &[stop_why(2, 100, StopReason::Preempted)]);
    let orders = mind.take_orders();
    let place = |order: &Order| orders.iter().position(|it| it == order);
    let told = place(&explain(Some(0), StopReason::Preempted));
    assert!(told.is_some() && told < place(&signal(0, &[0, 1], 15)), "{orders:?}");
}
