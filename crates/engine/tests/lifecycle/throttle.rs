//! Throttles: at most so many elements of an array are queued or hold GPUs, at every step.

use super::support::{again, nodes, restart};
use crate::support::*;

/// How many elements of the array are queued or placed.
fn admitted(world: &World, array: JobId) -> usize {
    let snapshot = world.snapshot();
    let of_array = snapshot.jobs.iter().filter(|job| job.element.is_some_and(|of| of.0 == array));
    let waits = |state| matches!(state, JobState::Waiting | JobState::Ended(_));
    of_array.filter(|job| !waits(job.state)).count()
}

fn words(world: &World, array: JobId, count: u64) -> Vec<&'static str> {
    (1..=count).map(|offset| world.word(JobId(array.0 + offset))).collect()
}

#[test]
fn a_throttle_is_respected_at_every_step_and_used_in_full() {
    for throttle in [1, 2, 3, 7, 10, 12] {
        let mut c = nodes(2);
        let array = c.submit(gang(1, 1).array(0..10).throttle(throttle));
        let most = usize::try_from(throttle).unwrap().min(10);
        for ended in 0..10 {
            let left = 10 - ended;
            assert_eq!(admitted(&c, array), most.min(left), "throttle {throttle}, {ended} over");
            let next = c.snapshot().jobs.into_iter().find(|job| job.run.is_some());
            c.finish(next.expect("an element is placed").id);
        }
        assert_eq!(admitted(&c, array), 0);
    }
}

#[test]
fn elements_go_in_the_order_of_their_indexes() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 1).array(0..5).throttle(1));
    for offset in 1..=5 {
        let element = JobId(array.0 + offset);
        assert_eq!(c.word(element), "launching");
        c.finish(element);
    }
}

#[test]
fn the_next_element_starts_when_one_ends_however_it_ends() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 1).array(0..4).throttle(1));
    let element = |offset: u64| JobId(array.0 + offset);
    c.end(element(1), Exit::Code(1));
    assert_eq!(c.word(element(2)), "launching");
    c.cancel(element(2));
    assert_eq!(c.word(element(3)), "waiting", "the second still runs");
    c.stopped(element(2));
    assert_eq!(c.word(element(3)), "launching");
    c.finish(element(3));
    assert_eq!(c.word(element(4)), "launching");
}

#[test]
fn a_queued_element_that_is_held_gives_its_place_to_the_next() {
    let mut c = nodes(1);
    let blocker = c.run(gang(1, 8));
    let array = c.submit(gang(1, 1).array(0..3).throttle(1));
    assert_eq!(words(&c, array, 3), ["queued", "waiting", "waiting"]);
    c.hold(JobId(array.0 + 1));
    assert_eq!(words(&c, array, 3), ["waiting", "queued", "waiting"]);
    c.release(JobId(array.0 + 1));
    assert_eq!(words(&c, array, 3), ["waiting", "queued", "waiting"], "its place is taken");
    c.finish(blocker);
    c.finish(JobId(array.0 + 2));
    assert_eq!(words(&c, array, 3), ["launching", "completed", "waiting"]);
}

#[test]
fn a_running_element_that_is_held_keeps_its_place() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 1).array(0..2).throttle(1));
    c.hold(JobId(array.0 + 1));
    assert_eq!(words(&c, array, 2), ["launching", "waiting"]);
}

#[test]
fn a_queued_element_that_is_cancelled_gives_its_place_to_the_next() {
    let mut c = nodes(1);
    c.run(gang(1, 8));
    let array = c.submit(gang(1, 1).array(0..3).throttle(1));
    c.cancel(JobId(array.0 + 1));
    assert_eq!(words(&c, array, 3), ["cancelled", "queued", "waiting"]);
}

#[test]
fn an_element_kept_back_by_the_throttle_can_be_cancelled_and_held() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 1).array(0..4).throttle(1));
    c.cancel(JobId(array.0 + 2));
    c.hold(JobId(array.0 + 3));
    c.finish(JobId(array.0 + 1));
    assert_eq!(words(&c, array, 4), ["completed", "cancelled", "waiting", "launching"]);
    c.release(JobId(array.0 + 3));
    assert_eq!(c.codes(JobId(array.0 + 3)), ["throttle"]);
    c.finish(JobId(array.0 + 4));
    assert_eq!(c.word(JobId(array.0 + 3)), "launching");
}

#[test]
fn an_element_that_is_requeued_keeps_its_place() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 1).array(0..2).throttle(1));
    c.confirm(JobId(array.0 + 1));
    c.requeue(JobId(array.0 + 1));
    c.stopped(JobId(array.0 + 1));
    assert_eq!(words(&c, array, 2), ["launching", "waiting"]);
}

#[test]
fn an_element_that_pauses_after_a_failure_gives_its_place_away_meanwhile() {
    let mut c = nodes(1);
    let spec = gang(1, 1).array(0..2).throttle(1).requeue(again(true, true, 3));
    let array = c.submit(spec);
    c.end(JobId(array.0 + 1), Exit::Code(1));
    assert_eq!(words(&c, array, 2), ["waiting", "launching"]);
    c.advance(seconds(10));
    assert_eq!(words(&c, array, 2), ["waiting", "launching"], "the place is taken");
    c.finish(JobId(array.0 + 2));
    assert_eq!(words(&c, array, 2), ["launching", "completed"]);
}

#[test]
fn a_throttled_array_that_is_cancelled_starts_nothing_more() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 1).array(0..5).throttle(2));
    let starts = c.started().len();
    c.cancel(array);
    c.stopped(JobId(array.0 + 1));
    c.stopped(JobId(array.0 + 2));
    assert_eq!(words(&c, array, 5), ["cancelled"; 5]);
    assert_eq!(c.started().len(), starts);
}

#[test]
fn a_held_array_that_is_released_takes_as_many_places_as_there_are() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 1).array(0..5).throttle(2).hold());
    assert_eq!(admitted(&c, array), 0);
    c.release(array);
    assert_eq!(words(&c, array, 5)[..3], ["launching", "launching", "waiting"]);
    c.hold(array);
    c.finish(JobId(array.0 + 1));
    assert_eq!(words(&c, array, 5)[..3], ["completed", "launching", "waiting"]);
}

#[test]
fn an_array_that_begins_later_is_throttled_then() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 1).array(0..5).throttle(2).begin(Time(60_000)));
    assert_eq!(admitted(&c, array), 0);
    c.advance(minutes(1));
    assert_eq!(admitted(&c, array), 2);
}

#[test]
fn two_arrays_are_throttled_each_by_itself() {
    let mut c = nodes(1);
    let one = c.submit(gang(1, 1).array(0..4).throttle(1));
    let other = c.submit(gang(1, 1).array(0..4).throttle(3));
    assert_eq!((admitted(&c, one), admitted(&c, other)), (1, 3));
}

#[test]
fn a_throttle_holds_through_a_restart() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 1).array(0..6).throttle(2));
    for offset in 1..=6 {
        restart(&mut c);
        assert_eq!(admitted(&c, array), 2.min(7 - offset));
        c.finish(JobId(array.0 + u64::try_from(offset).unwrap()));
    }
    assert_eq!(words(&c, array, 6), ["completed"; 6]);
}

/// Gives an array another throttle; what is wrong with that, if anything is.
fn rethrottle(world: &mut World, target: JobId, like: JobId, most: Option<u32>) -> Option<String> {
    let mut spec = JobSpec::clone(&world.record(like).spec);
    spec.array.as_mut().expect("an array").throttle = most;
    let actions = world.tell(Command::Amend { job: target, spec: spec.into() });
    actions.iter().find_map(|action| match action {
        Action::Rejected { errors } => Some(errors[0].to_string()),
        _ => None,
    })
}

#[test]
fn a_throttle_that_is_raised_lets_more_elements_go_and_one_that_is_taken_away_all() {
    for is_restarted in [false, true] {
        let mut c = nodes(1);
        let array = c.submit(gang(1, 1).array(0..6).throttle(1));
        let first = JobId(array.0 + 1);
        assert_eq!(rethrottle(&mut c, array, first, Some(3)), None);
        assert_eq!(admitted(&c, array), 3);
        if is_restarted {
            restart(&mut c);
        }
        assert_eq!(c.record(JobId(array.0 + 6)).spec.array.as_ref().unwrap().throttle, Some(3));
        assert_eq!(rethrottle(&mut c, array, first, None), None);
        assert_eq!(words(&c, array, 6), ["launching"; 6]);
    }
}

#[test]
fn a_throttle_that_is_lowered_leaves_alone_what_runs_and_puts_back_what_is_in_line() {
    for is_restarted in [false, true] {
        let mut c = nodes(1);
        let array = c.submit(gang(1, 2).array(0..8));
        let element = |offset: u64| JobId(array.0 + offset);
        let (at_work, queued, kept) = ("launching", "queued", "waiting");
        assert_eq!(words(&c, array, 8)[3..5], [at_work, queued]);
        assert_eq!(rethrottle(&mut c, array, element(1), Some(2)), None);
        if is_restarted {
            restart(&mut c);
        }
        assert_eq!(words(&c, array, 8)[3..], [at_work, kept, kept, kept, kept]);
        for offset in 1..=3 {
            assert_eq!(c.word(element(5)), kept, "as many run as may, or more");
            assert_eq!(c.codes(element(5)), ["throttle"]);
            c.finish(element(offset));
        }
        assert_eq!(words(&c, array, 8)[3..], [at_work, at_work, kept, kept, kept]);
    }
}

#[test]
fn an_element_that_comes_back_waits_where_the_throttle_was_lowered_meanwhile() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 2).array(0..4));
    let element = |offset: u64| JobId(array.0 + offset);
    for offset in 1..=4 {
        c.confirm(element(offset));
    }
    assert_eq!(rethrottle(&mut c, array, element(1), Some(2)), None);
    c.requeue(element(1));
    c.stopped(element(1));
    assert_eq!(c.word(element(1)), "waiting", "three others run");
    c.finish(element(2));
    assert_eq!(c.word(element(1)), "waiting", "two others run");
    c.finish(element(3));
    assert_eq!(c.word(element(1)), "launching");
}

#[test]
fn one_element_cannot_be_given_another_throttle() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 8).array(0..4).throttle(2));
    let first = JobId(array.0 + 1);
    let refused = rethrottle(&mut c, first, first, Some(3)).expect("it is refused");
    assert!(refused.contains("expected it of the whole array"), "{refused}");
    assert_eq!(admitted(&c, array), 2);
}
