//! Orders of the pause ladder and signals.

use muster_api::Reach;
use muster_api::duty::{PauseOrder, RunWork, SignalOrder};
use muster_api::report::{Report, RungAnswer};
use muster_engine::command::Exit;
use muster_model::Rung;

use super::stage::{end, ended, finish, of, reports, run, running, work};
use crate::mind::{Happening, Heard, Mind, Order};

fn order(number: u32, rung: Rung, undo: bool) -> RunWork {
    let mut work = work(&[0, 1]);
    work.pause = Some(PauseOrder { order: number, rung, undo });
    work
}

fn tell(mind: &mut Mind, now_ms: u64, version: u64, work: RunWork) {
    mind.hear(now_ms, 1, version, false, &[run(of(7, 1), version, work)]);
}

fn answer(order: u32, rung: Rung) -> RungAnswer {
    RungAnswer { of: of(7, 1), order, rung }
}

#[test]
fn a_program_that_can_save_is_asked_once_and_its_word_is_passed_on() {
    let mut mind = running(&[0, 1]);
    tell(&mut mind, 0, 2, order(1, Rung::Checkpoint, false));
    let heard = Heard { pause: 1, signal: 0 };
    let asks = [
        Order::Signal { of: of(7, 1), ranks: vec![0, 1], signal: 10 },
        Order::Remember { of: of(7, 1), heard },
    ];
    assert_eq!(mind.take_orders(), asks);
    tell(&mut mind, 1, 3, order(1, Rung::Checkpoint, false));
    assert_eq!(mind.take_orders(), [], "the same order in a newer duty is the same order");
    mind.happened(500, Happening::Saved { of: of(7, 1) });
    assert_eq!(reports(&mut mind), [Report::Saved(of(7, 1))]);
    mind.tick(5_000);
    assert_eq!(reports(&mut mind), []);
}

#[test]
fn a_program_that_does_not_save_in_time_has_refused() {
    let mut mind = running(&[0, 1]);
    tell(&mut mind, 0, 2, order(1, Rung::Checkpoint, false));
    assert_eq!(mind.due_ms(), Some(1_000));
    mind.tick(999);
    assert_eq!(reports(&mut mind), []);
    mind.tick(1_000);
    assert_eq!(reports(&mut mind), [Report::PauseRefused(answer(1, Rung::Checkpoint))]);
}

#[test]
fn a_program_that_saves_and_leaves_has_saved() {
    let mut mind = running(&[0, 1]);
    tell(&mut mind, 0, 2, order(1, Rung::Checkpoint, false));
    end(&mut mind, 1, of(7, 1), 0, Exit::Code(0));
    end(&mut mind, 1, of(7, 1), 1, Exit::Code(0));
    finish(&mut mind);
    assert_eq!(reports(&mut mind), [Report::Saved(of(7, 1)), ended(of(7, 1), Exit::Code(0))]);
}

#[test]
fn a_program_that_dies_of_being_asked_has_not_saved() {
    let mut mind = running(&[0, 1]);
    tell(&mut mind, 0, 2, order(1, Rung::Checkpoint, false));
    end(&mut mind, 1, of(7, 1), 0, Exit::Signal(10));
    end(&mut mind, 1, of(7, 1), 1, Exit::Signal(10));
    finish(&mut mind);
    assert_eq!(reports(&mut mind), [ended(of(7, 1), Exit::Signal(10))]);
}

#[test]
fn rungs_that_need_the_gpus_own_means_are_refused_and_their_undoing_is_no_trouble() {
    for rung in [Rung::Freeze, Rung::Suspend] {
        let mut mind = running(&[0, 1]);
        tell(&mut mind, 0, 2, order(1, rung, false));
        assert_eq!(reports(&mut mind), [Report::PauseRefused(answer(1, rung))]);
        tell(&mut mind, 0, 3, order(2, rung, true));
        assert_eq!(reports(&mut mind), [Report::Resumed(answer(2, rung))]);
    }
}

#[test]
fn a_signal_is_sent_once_for_each_number() {
    let mut mind = running(&[0, 1]);
    let numbered = |number| {
        let mut work = work(&[0, 1]);
        work.signal = Some(SignalOrder { number, signal: 12, to: Reach::All });
        work
    };
    let sent = |orders: &[Order]| {
        orders.iter().filter(|order| matches!(order, Order::Signal { signal: 12, .. })).count()
    };
    for (version, number, times) in [(2, 1, 1), (3, 1, 0), (4, 2, 1), (5, 1, 0)] {
        tell(&mut mind, 0, version, numbered(number));
        assert_eq!(sent(&mind.take_orders()), times, "version {version}");
    }
}

#[test]
fn orders_wait_until_all_tasks_are_up() {
    let mut mind = super::stage::mind();
    tell(&mut mind, 0, 1, order(1, Rung::Checkpoint, false));
    mind.take_orders();
    mind.happened(0, Happening::Launched { of: of(7, 1), rank: 0 });
    assert_eq!(mind.take_orders(), []);
    mind.happened(0, Happening::Launched { of: of(7, 1), rank: 1 });
    assert!(matches!(mind.take_orders()[..], [Order::Signal { signal: 10, .. }, _]));
}
