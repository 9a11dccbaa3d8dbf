//! Someone changes what they asked for: a job that holds nothing becomes another one, one that
//! runs is given another time.

use super::support::{nodes, restart};
use crate::support::*;

/// Changes a job, and says why not where it is refused.
fn try_amend(
    world: &mut World,
    job: JobId,
    change: impl FnOnce(&mut JobSpec),
) -> Result<(), String> {
    let mut spec = JobSpec::clone(&world.record(job).spec);
    change(&mut spec);
    let actions = world.tell(Command::Amend { job, spec: spec.into() });
    let refused = actions.iter().find_map(|action| match action {
        Action::Rejected { errors } => Some(errors[0].to_string()),
        _ => None,
    });
    refused.map_or(Ok(()), Err)
}

fn amend(world: &mut World, job: JobId, change: impl FnOnce(&mut JobSpec)) {
    try_amend(world, job, change).expect("the change is accepted");
}

/// What an engine does from now on must not depend on whether it was restarted.
fn both_ways(play: impl Fn(&mut World, &dyn Fn(&mut World))) {
    play(&mut nodes(1), &|_| {});
    play(&mut nodes(1), &|world| restart(world));
}

#[test]
fn a_queued_job_that_asks_for_less_starts() {
    both_ways(|c, restart| {
        c.run(gang(1, 6));
        let job = c.submit(gang(1, 4));
        assert_eq!(c.word(job), "queued");
        restart(c);
        amend(c, job, |spec| spec.groups = gang(1, 2).groups);
        restart(c);
        assert_eq!(c.word(job), "launching");
        assert_eq!(c.free_on("n-1"), 0);
    });
}

#[test]
fn a_queued_job_that_asks_for_more_waits_with_the_time_it_has_waited() {
    let mut c = nodes(1);
    c.run(gang(1, 8).limit(hours(1)));
    let job = c.submit(gang(1, 1));
    let since = c.record(job).ready_since;
    c.advance(minutes(7));
    amend(&mut c, job, |spec| spec.groups = gang(1, 8).groups);
    assert_eq!(c.word(job), "queued");
    assert_eq!(c.record(job).ready_since, since);
}

#[test]
fn what_a_job_waits_for_can_be_taken_away_and_put_there() {
    both_ways(|c, restart| {
        let other = c.submit(gang(1, 1).hold());
        let job = c.submit(gang(1, 1).after(other, DependencyKind::AfterOk));
        assert_eq!(c.word(job), "waiting");
        amend(c, job, |spec| spec.after.clear());
        assert_eq!(c.word(job), "launching");
        let next = c.submit(gang(1, 1).hold());
        amend(c, next, |spec| {
            *spec = spec.clone().after(other, DependencyKind::AfterAny);
        });
        c.release(next);
        restart(c);
        assert_eq!(c.word(next), "waiting");
        c.cancel(other);
        assert_eq!(c.word(next), "launching");
    });
}

#[test]
fn an_earliest_start_can_be_moved() {
    both_ways(|c, restart| {
        let job = c.submit(gang(1, 1).begin(Time(c.now().0 + 3_600_000)));
        let sooner = Time(c.now().0 + 60_000);
        amend(c, job, |spec| spec.timing.begin = Some(sooner));
        restart(c);
        c.advance(minutes(1));
        assert_eq!(c.word(job), "launching");
        let job = c.submit(gang(1, 1).begin(Time(c.now().0 + 3_600_000)));
        amend(c, job, |spec| spec.timing.begin = None);
        assert_eq!(c.word(job), "launching");
    });
}

#[test]
fn a_singleton_by_another_name_goes() {
    let mut c = nodes(1);
    let named = |name: &str| {
        let mut spec = gang(1, 1).singleton();
        spec.name = name.into();
        spec
    };
    c.run(named("etl"));
    let job = c.submit(named("etl"));
    assert_eq!(c.word(job), "waiting");
    amend(&mut c, job, |spec| spec.name = "other".into());
    assert_eq!(c.word(job), "launching");
    let other = c.submit(named("other"));
    assert_eq!(c.word(other), "waiting", "it has that name now");
}

#[test]
fn a_limit_of_a_running_job_ends_it_sooner_or_later() {
    for (limit, ends) in [(minutes(20), 20), (hours(2), 120), (minutes(3), 10)] {
        both_ways(|c, restart| {
            let job = c.run(gang(1, 8).limit(hours(1)));
            let next = c.submit(gang(1, 8));
            c.advance(minutes(10));
            amend(c, job, |spec| spec.timing.limit = Some(limit));
            restart(c);
            if ends > 10 {
                c.advance_to(Time(c.record(job).submitted.0 + ends * 60_000 - 1));
                assert_eq!(c.word(job), "running", "{limit}");
            }
            c.advance(Millis(1));
            assert_eq!(c.word(job), "stopping", "{limit}");
            c.stopped(job);
            assert_eq!(c.word(job), "timed-out", "{limit}");
            assert_eq!(c.word(next), "launching");
        });
    }
}

#[test]
fn a_warning_moves_with_the_limit() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 1).limit(hours(1)).warning(10, minutes(5)));
    amend(&mut c, job, |spec| spec.timing.limit = Some(minutes(30)));
    let warned = |actions: &[Action]| {
        actions.iter().any(|action| matches!(action, Action::Signal { signal: 10, .. }))
    };
    let actions = c.advance(minutes(24));
    assert!(!warned(&actions));
    let actions = c.advance(minutes(1));
    assert!(warned(&actions), "{actions:?}");
}

#[test]
fn a_launch_that_is_not_confirmed_is_still_taken_back_after_a_change() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 1).limit(hours(1)));
    amend(&mut c, job, |spec| spec.timing.limit = Some(hours(2)));
    c.advance(hours(1));
    assert_eq!(c.word(job), "stopping");
}

#[test]
fn the_elements_of_an_array_change_together_or_one_by_one() {
    let mut c = nodes(1);
    let filler = c.run(gang(1, 8));
    let array = c.submit(gang(1, 8).array([0, 1]));
    let one = JobId(array.0 + 2);
    amend(&mut c, one, |spec| spec.groups = gang(1, 3).groups);
    let mut spec = JobSpec::clone(&c.record(JobId(array.0 + 1)).spec);
    spec.timing.limit = Some(minutes(5));
    c.tell(Command::Amend { job: array, spec: spec.into() });
    for element in [1, 2] {
        let spec = &c.record(JobId(array.0 + element)).spec;
        assert_eq!((spec.groups[0].task.gpus, spec.timing.limit), (8, Some(minutes(5))));
    }
    c.finish(filler);
    assert_eq!(c.word(JobId(array.0 + 1)), "launching");
}

#[test]
fn changes_that_make_no_sense_change_nothing() {
    let mut c = nodes(1);
    let running = c.run(gang(1, 1));
    let over = c.run(gang(1, 1));
    c.finish(over);
    let waiting = c.submit(gang(1, 8));
    let array = c.submit(gang(1, 8).array([0, 1]));
    type Change = fn(&mut JobSpec);
    let cases: [(JobId, Change, &str); 8] = [
        (running, |spec| spec.groups = gang(1, 2).groups, "it has started, so that only"),
        (running, |spec| spec.queue = "nonesuch".into(), "queue: `nonesuch` is not allowed"),
        (over, |spec| spec.timing.limit = None, "expected a job that is not over"),
        (waiting, |spec| spec.user = "user-b".into(), "expected the user who submitted"),
        (
            waiting,
            |spec| spec.array = gang(1, 1).array([1]).array,
            "expected the array that there is",
        ),
        (waiting, |spec| spec.class = "nonesuch".into(), "class: `nonesuch`"),
        (
            waiting,
            |spec| spec.after = gang(1, 1).after(JobId(3), DependencyKind::AfterOk).after,
            "expected jobs that were submitted before it",
        ),
        (
            JobId(array.0 + 1),
            |spec| spec.after = gang(1, 1).after(JobId(4), DependencyKind::AfterOk).after,
            "expected jobs that were submitted before it",
        ),
    ];
    for (job, change, said) in cases {
        let before = c.snapshot();
        let refused = try_amend(&mut c, job, change).expect_err(said);
        assert!(refused.contains(said), "{refused}");
        assert_eq!(c.snapshot(), before);
    }
}

#[test]
fn a_job_that_is_stopped_out_of_time_ends_so_whatever_limit_it_is_given_then() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 1).limit(minutes(5)));
    c.advance(minutes(5));
    assert_eq!(c.word(job), "stopping");
    amend(&mut c, job, |spec| spec.timing.limit = Some(hours(2)));
    c.stopped(job);
    assert_eq!(c.state(job), JobState::Ended(Outcome::TimedOut));
}
