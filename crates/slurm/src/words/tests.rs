//! States, reasons and times in Slurm's words.

use muster_model::Time;

use super::{ExitCode, NodeState, Reason, State, duration, time};

#[test]
fn states_have_a_word_and_a_code() {
    for state in State::all() {
        assert_eq!(state.word().parse(), Ok(state));
        assert_eq!(state.code().to_lowercase().parse(), Ok(state));
        assert!(state.code().len() <= 3, "{state}");
    }
    assert_eq!((State::OutOfMemory.word(), State::OutOfMemory.code()), ("OUT_OF_MEMORY", "OOM"));
    assert_eq!(State::Running.to_string(), "RUNNING");
    let refused = "RUNING".parse::<State>().expect_err("a slip");
    assert_eq!(refused.meant.as_deref(), Some("RUNNING"));
}

#[test]
fn some_states_are_the_last() {
    let over = |state: State| state.is_over();
    assert!([State::Completed, State::Timeout, State::Preempted].into_iter().all(over));
    assert!(![State::Pending, State::Completing, State::Requeued].into_iter().any(over));
}

#[test]
fn nodes_that_do_not_answer_have_a_star() {
    assert_eq!(NodeState::Mixed.long(false), "mixed");
    assert_eq!(NodeState::Draining.short(true), "drng*");
    assert_eq!(NodeState::Idle.to_string(), "IDLE");
}

#[test]
fn reasons_are_written_as_on_slurm() {
    assert_eq!(Reason::default().word(), "None");
    for (reason, word) in [
        (Reason::Priority, "Priority"),
        (Reason::ReqNodeNotAvail, "ReqNodeNotAvail"),
        (Reason::QOSMaxGRESPerUser, "QOSMaxGRESPerUser"),
        (Reason::DependencyNeverSatisfied, "DependencyNeverSatisfied"),
    ] {
        assert_eq!(reason.to_string(), word);
        assert!(Reason::ALL.contains(&reason));
    }
}

#[test]
fn spans_are_short_in_lists_and_long_in_accounts() {
    for (seconds, short, long) in [
        (0, "0:00", "00:00:00"),
        (59, "0:59", "00:00:59"),
        (125, "2:05", "00:02:05"),
        (3600, "1:00:00", "01:00:00"),
        (86_400, "1-00:00:00", "1-00:00:00"),
        (93_784, "1-02:03:04", "1-02:03:04"),
        (864_000, "10-00:00:00", "10-00:00:00"),
    ] {
        assert_eq!(
            (duration::short(seconds).as_str(), duration::long(seconds).as_str()),
            (short, long)
        );
    }
    assert_eq!(duration::fine(999), "00:00.999");
    assert_eq!(duration::fine(90_061_000), "1-01:01:01");
}

#[test]
fn moments_are_printed_by_the_clock_on_the_wall() {
    assert_eq!(time::stamp(Time(1_794_809_880_000), 0), "2026-11-16T06:18:00");
    assert_eq!(time::stamp(Time(1_794_809_880_000), -7 * 3600), "2026-11-15T23:18:00");
}

#[test]
fn exit_codes_have_a_code_and_a_signal() {
    assert_eq!("0:9".parse(), Ok(ExitCode { code: 0, signal: 9 }));
    for text in ["", "1", "1:", ":1", "256:0", "a:b"] {
        assert!(text.parse::<ExitCode>().is_err(), "{text}");
    }
}
