//! Left alone, the engine comes to rest.

use muster_checker::Promise::Quiescence;
use muster_engine::command::Command;
use muster_model::Time;

use crate::act::{ALL, job, node};
use crate::stage::{Stage, broken, kept};

fn waiting() -> (Stage, Vec<muster_engine::action::Action>) {
    let mut stage = Stage::new();
    let node = stage.join(node("n0", "z", "r"));
    let job = stage.submit(job(1, 8));
    let actions = stage.start_of(job, &[(node, &[(0, ALL)])]);
    (stage, actions)
}

#[test]
fn a_tick_that_was_wanted_may_act() {
    let (mut stage, actions) = waiting();
    stage.wake = Some(stage.now);
    kept(stage.try_compare());
    kept(stage.try_tick(&actions));
}

#[test]
fn a_tick_that_comes_before_its_time_and_acts_is_seen() {
    let (mut stage, actions) = waiting();
    stage.wake = Some(Time(stage.now.0 + 1));
    // That it waits beside a free node is another promise.
    let _ = stage.try_compare();
    broken(stage.try_tick(&actions), Quiescence, "nothing was due at 1000");
}

#[test]
fn a_tick_that_nobody_wants_at_all_and_acts_is_seen() {
    let (mut stage, actions) = waiting();
    let _ = stage.try_compare();
    stage.wait(1_000_000);
    broken(stage.try_tick(&actions), Quiescence, "nothing was due at 1001000");
}

#[test]
fn a_tick_at_its_time_may_act() {
    let (mut stage, actions) = waiting();
    stage.wake = Some(Time(stage.now.0 + 500));
    let _ = stage.try_compare();
    stage.wait(500);
    kept(stage.try_tick(&actions));
}

#[test]
fn an_engine_that_never_comes_to_rest_is_seen() {
    let (stage, _) = waiting();
    // One live job and one node, and some to spare.
    kept(stage.checker.check_ticks(18));
    let verdict = stage.checker.check_ticks(19);
    broken(verdict, Quiescence, "after 19 ticks at 1000 there is still something due");
}

#[test]
fn other_commands_may_always_act() {
    let (mut stage, actions) = waiting();
    let _ = stage.try_compare();
    let spec = node("n1", "z", "r");
    let accepted = muster_engine::action::Action::NodeAccepted {
        node: muster_model::NodeId(1),
        name: spec.name.clone(),
    };
    let mut all = vec![accepted];
    all.extend(actions);
    kept(stage.try_step(&Command::NodeJoined { spec, running: Vec::new() }, &all));
}
