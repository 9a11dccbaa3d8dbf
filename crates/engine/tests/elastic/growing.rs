//! When a job grows: as soon as it runs and GPUs are idle, while nobody waits who could use them.

use super::words::*;
use crate::support::*;

#[test]
fn a_job_starts_with_its_fewest_tasks_and_grows_once_it_runs() {
    let mut c = racks("r1: 8 8").build();
    let a = c.submit(stretchy(2, 6));
    assert_eq!(c.size(a), 2);
    let actions = c.confirm(a);
    assert_eq!(c.size(a), 6, "what is added is held from the decision on");
    assert_eq!(asked(&actions, a), [(c.node("r1-1"), 6)]);
    assert_eq!(c.resize_of(a).map(|resize| (resize.from, resize.to)), Some((2, 6)));
    c.resized(a);
    assert_eq!(c.resize_of(a), None);
    assert_eq!(c.free(), "r1-1:2 r1-2:8");
}

#[test]
fn added_tasks_have_the_next_ranks_and_gpus_of_their_own() {
    let mut c = racks("r1: 3 8").build();
    let a = c.run_and_grow(stretchy(2, 7));
    let ranks: Vec<u32> = c.tasks_of(a).iter().map(|(_, task)| task.rank).collect();
    assert_eq!(ranks, [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(c.layout(a), "r1-1:3 r1-2:4");
}

#[test]
fn growing_onto_other_nodes_asks_them_and_those_that_get_more() {
    let mut c = racks("r1: 8 8 8").build();
    let a = c.submit(wide(1, 3, 4));
    let actions = c.confirm(a);
    assert_eq!(asked(&actions, a), [(c.node("r1-1"), 2), (c.node("r1-2"), 1)]);
    c.resized_on(a, "r1-2");
    assert!(c.resize_of(a).is_some(), "one of two has confirmed");
    c.resized_on(a, "r1-1");
    assert_eq!(c.resize_of(a), None);
    c.finish(a);
    assert_eq!(c.word(a), "completed");
    assert_eq!(c.free_total(), 24);
}

#[test]
fn a_launching_job_does_not_grow() {
    let mut c = racks("r1: 8 8").build();
    let a = c.submit(wide(2, 4, 4));
    c.advance(minutes(1));
    assert_eq!(c.size(a), 2);
}

#[test]
fn a_rigid_job_is_never_resized() {
    let mut c = racks("r1: 8 8").build();
    let a = c.run(gang(2, 1));
    c.advance(days(1));
    assert_eq!(c.size(a), 2);
    assert!(c.record(a).run.expect("it runs").elastic.is_none());
    assert_eq!(c.why(a).size, None);
}

#[test]
fn nobody_grows_while_someone_waits_who_could_use_the_room() {
    let mut c = racks("r1: 8 4").build();
    let waits = c.submit(gang(1, 8).only_on(nodes_where("@r1-2")));
    assert_eq!(c.word(waits), "queued");
    let a = c.run(stretchy(2, 8));
    assert_eq!(c.size(a), 2, "the 8 idle GPUs might be what the other is waiting for next");
    c.cancel(waits);
    assert_eq!(c.size(a), 8, "nobody waits any more");
}

#[test]
fn a_hold_on_the_last_that_waits_lets_others_grow() {
    let mut c = racks("r1: 8 4").build();
    let waits = c.submit(gang(2, 8));
    let a = c.run(stretchy(2, 8));
    assert_eq!(c.size(a), 2);
    c.hold(waits);
    assert_eq!(c.size(a), 8);
}

#[test]
fn who_waits_for_another_model_is_in_nobodys_way() {
    let setup = cluster().levels(["rack"]).nodes("r1", 1, "H100x8").nodes("r2", 1, "A100x8");
    let mut c = setup.build();
    c.run(gang(1, 8).models(["A100"]));
    let waits = c.submit(gang(1, 8).models(["A100"]));
    let a = c.run(stretchy(1, 8).models(["H100"]));
    assert_eq!((c.word(waits), c.size(a)), ("queued", 8));
}

#[test]
fn who_could_not_start_on_the_whole_cluster_is_in_nobodys_way() {
    let mut c = racks("r1: 8 8").build();
    c.submit(gang(3, 8));
    let a = c.run(stretchy(1, 8));
    assert_eq!(c.size(a), 8);
}

#[test]
fn what_is_freed_later_is_grown_into() {
    let mut c = racks("r1: 2").build();
    let filler = JobId(1);
    let a = c.run(stretchy(2, 8));
    assert_eq!(c.size(a), 2);
    c.finish(filler);
    assert_eq!(c.size(a), 8);
}

#[test]
fn a_node_that_joins_is_grown_into() {
    let mut c = racks("r1: 2").build();
    let a = c.run(stretchy(2, 8));
    c.join(NodeSpec::new("late", "H100", 8).domains(["r1"]));
    assert_eq!(c.layout(a), "late:6 r1-1:2");
}

#[test]
fn a_waiting_job_that_fits_goes_before_anyone_grows() {
    let mut c = racks("r1: 0").build();
    let waits = c.submit(gang(1, 4));
    let b = c.submit(stretchy(1, 8));
    c.finish(JobId(1));
    assert_eq!(c.word(waits), "launching");
    c.confirm(b);
    c.confirm(waits);
    assert_eq!(c.sizes([waits, b]), [1, 4]);
}

#[test]
fn drained_resting_and_lost_nodes_are_not_grown_into() {
    for close in [|c: &mut World| c.drain("r1-2"), |c: &mut World| c.lose("r1-2", hours(1))] {
        let mut c = racks("r1: 4 8").build();
        close(&mut c);
        let a = c.run(stretchy(2, 8));
        assert_eq!(c.layout(a), "r1-1:4");
    }
}

#[test]
fn unhealthy_gpus_are_not_grown_into() {
    let mut c = racks("r1: 8").build();
    c.break_gpu("r1-1", 5);
    let a = c.run(stretchy(1, 8));
    assert_eq!(c.size(a), 7);
}

#[test]
fn nothing_grows_where_the_policy_expects_no_idle_time() {
    let mut c = racks("r1: 8").policy(|policy| policy.elastic.stay = Millis::ZERO).build();
    let a = c.run(stretchy(1, 8));
    c.advance(days(2));
    assert_eq!(c.size(a), 1);
}

#[test]
fn every_element_of_an_array_grows_for_itself() {
    let mut c = racks("r1: 8").obedient().build();
    let array = c.submit(stretchy(1, 4).array([0, 1]));
    let elements = [JobId(array.0 + 1), JobId(array.0 + 2)];
    c.advance(minutes(30));
    assert_eq!(c.sizes(elements), [4, 4]);
}

#[test]
fn another_attempt_starts_with_the_fewest_tasks_again() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(2, 8));
    c.requeue(a);
    c.stopped(a);
    assert_eq!((c.word(a), c.size(a)), ("launching", 2));
    c.confirm(a);
    assert_eq!(c.size(a), 8, "what counts is when this attempt's size changed");
}

#[test]
fn nobody_grows_on_a_node_that_is_booked_before_the_new_tasks_would_be_gone() {
    let size_with = |booked: bool| {
        let mut c = racks("r1: 8").build();
        let waits = c.submit(gang(1, 8));
        let first = c.confirm(waits);
        assert!(!first.is_empty());
        let a = c.submit(stretchy(2, 8));
        c.finish(waits);
        let next = c.submit(gang(1, 8));
        c.confirm(a);
        if booked {
            let from = c.now() + hours(1);
            c.book(Booking::new("cooling", from).until(from + hours(1)).node("r1-1"));
        }
        c.cancel(next);
        c.size(a)
    };
    assert_eq!((size_with(false), size_with(true)), (8, 2));
}
