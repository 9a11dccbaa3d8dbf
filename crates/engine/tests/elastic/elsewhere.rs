//! Who gave way by ending and has started elsewhere gives way no longer: it can be asked for tasks
//! by another, and what it left is not given up lightly.

use super::words::*;
use crate::support::*;

/// Three nodes of 8 GPUs. Every step is also taken by an engine made from the snapshot before it.
fn nodes() -> Setup {
    cluster().nodes("n", 3, "H100x8").doubted()
}

/// A long gang of four-GPU tasks that saves within 20 seconds when it is asked to.
fn saver(spec: JobSpec) -> JobSpec {
    spec.class("batch").rung(Rung::Checkpoint, seconds(20), seconds(10))
}

/// A long gang that says nothing of how it could be paused.
fn stubborn(gpus: u32) -> JobSpec {
    gang(1, gpus).class("batch").estimate(hours(20), hours(24))
}

/// A short gang of a class that goes before `batch`.
fn urgent(tasks: u32, gpus: u32) -> JobSpec {
    gang(tasks, gpus).class("express").estimate(minutes(10), minutes(12))
}

/// An elastic job and another give way on a node each for a gang of two; the elastic one has saved
/// and runs on the third node, with both its tasks again. Those three, the gang last.
fn one_has_gone() -> (World, [JobId; 3]) {
    let mut c = nodes().build();
    let [first, beside] = [(); 2].map(|()| c.run(stubborn(4).only_on(nodes_where("@n-3"))));
    let other = c.run(saver(gang(1, 8).estimate(hours(20), hours(24))));
    let elastic = c.run_and_grow(saver(wide(1, 2, 4)));
    c.finish(first);
    c.advance(minutes(11));
    assert_eq!((c.layout(other), c.layout(elastic)), ("n-1:1".to_owned(), "n-2:2".to_owned()));
    let gang = c.submit(urgent(2, 8));
    assert_eq!(c.victims_of(gang), [other, elastic]);
    c.give_way(elastic);
    c.confirm(elastic);
    c.finish(beside);
    c.resized(elastic);
    assert_eq!((c.layout(elastic), c.word(gang)), ("n-3:2".to_owned(), "queued"));
    (c, [other, elastic, gang])
}

#[test]
fn one_that_gave_way_and_runs_elsewhere_gives_tasks_back_to_another() {
    let (mut c, [other, elastic, gang]) = one_has_gone();
    let small = c.submit(urgent(1, 4));
    let plan = c.plan_of(small).expect("room is made for it");
    assert_eq!((plan.givers, plan.victims), (vec![elastic], vec![]));
    c.resized(elastic);
    assert_eq!((c.word(small), c.nodes_of(small)), ("launching", vec!["n-3".to_owned()]));
    c.give_way(other);
    assert_eq!(c.word(gang), "launching");
}

#[test]
fn only_those_are_named_who_still_have_to_go() {
    let (mut c, [other, elastic, gang]) = one_has_gone();
    let due = c.pause_of(other).due;
    let making = Reason::Making { victims: vec![other], givers: vec![], due };
    assert_eq!(c.reasons(gang), [making]);
    assert_eq!(c.word(elastic), "running");
}

#[test]
fn one_that_runs_elsewhere_runs_on_when_what_it_left_is_not_wanted_any_more() {
    let (mut c, [other, elastic, gang]) = one_has_gone();
    c.cancel(gang);
    assert_eq!((c.word(other), c.word(elastic)), ("running", "running"));
    assert_eq!((c.layout(elastic), c.free_on("n-2")), ("n-3:2".to_owned(), 8));
}

#[test]
fn a_room_for_which_someone_has_gone_is_not_left_to_a_better_tier() {
    let mut c = nodes().build();
    c.run(stubborn(8).only_on(nodes_where("@n-3")));
    c.run(stubborn(4).only_on(nodes_where("@n-2")));
    let giver = c.run_and_grow(stretchy(1, 4).class("batch").only_on(nodes_where("@n-1")));
    let victim = c.run(saver(gang(1, 4).estimate(hours(20), hours(24))));
    assert_eq!(c.nodes_of(victim), ["n-1"]);
    c.advance(minutes(11));
    let job = c.submit(urgent(1, 7));
    let plan = c.plan_of(job).expect("room is made for it");
    assert_eq!((plan.givers, plan.victims), (vec![giver], vec![victim]));
    c.give_way(victim);
    assert_eq!((c.word(victim), c.nodes_of(victim)), ("launching", vec!["n-2".to_owned()]));
    let better = c.submit(urgent(1, 7).class("inference"));
    assert_eq!(c.word(better), "queued");
    c.resized(giver);
    assert_eq!((c.word(job), c.word(better)), ("launching", "queued"));
}
