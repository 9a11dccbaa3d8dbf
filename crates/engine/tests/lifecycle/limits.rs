//! Run-time limits: they count from running, warn once, stop with grace, and end as timed out.

use muster_model::Class;

use super::support::{again, moves, nodes, pair, restart, stops, wide};
use crate::support::*;

fn signals(world: &World, actions: &[Action]) -> Vec<(String, JobId, u8)> {
    let sent = actions.iter().filter_map(|action| match action {
        Action::Signal { node, job, signal, .. } => Some((world.node_name(*node), *job, *signal)),
        _ => None,
    });
    sent.collect()
}

#[test]
fn a_job_at_its_limit_is_stopped_with_grace_and_ends_as_timed_out() {
    let mut c = pair();
    let job = c.run(wide(2).limit(minutes(10)));
    c.advance_to(Time(599_999));
    assert_eq!(c.word(job), "running");
    let at_limit = c.advance(Millis(1));
    assert_eq!(moves(&at_limit, job), [JobState::Stopping]);
    assert_eq!(stops(&c, &at_limit).len(), 2);
    let graces: Vec<Millis> = at_limit
        .iter()
        .filter_map(|action| match action {
            Action::Stop { grace, .. } => Some(*grace),
            _ => None,
        })
        .collect();
    assert_eq!(graces, [seconds(30), seconds(30)]);
    c.stopped(job);
    assert_eq!(c.word(job), "timed-out");
}

#[test]
fn a_job_that_ends_well_within_its_grace_was_timed_out_all_the_same() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8).limit(minutes(10)));
    c.advance(minutes(10));
    c.end(job, Exit::Code(0));
    assert_eq!(c.word(job), "timed-out");
}

#[test]
fn a_limit_counts_from_running_and_not_from_the_launch() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8).limit(minutes(10)));
    c.advance(minutes(4));
    c.confirm(job);
    c.advance_to(Time(839_999));
    assert_eq!(c.word(job), "running");
    c.advance(Millis(1));
    assert_eq!(c.word(job), "stopping");
}

#[test]
fn a_limit_counts_anew_for_each_attempt() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8).limit(minutes(10)));
    c.advance(minutes(9));
    c.requeue(job);
    c.stopped(job);
    c.confirm(job);
    c.advance(minutes(9));
    assert_eq!(c.word(job), "running");
    c.advance(minutes(1));
    assert_eq!(c.word(job), "stopping");
}

#[test]
fn a_job_that_ends_at_its_limit_does_so_by_whichever_comes_first() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8).limit(minutes(10)));
    c.advance_to(Time(599_999));
    c.finish(job);
    assert_eq!(c.word(job), "completed");
    assert_eq!(c.advance(hours(1)), [], "a job that is over is never stopped");
}

#[test]
fn a_timed_out_job_gets_no_other_attempt() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8).limit(minutes(10)).requeue(again(true, true, 16)));
    c.advance(minutes(10));
    c.stopped(job);
    assert_eq!((c.word(job), c.attempt(job).0), ("timed-out", 1));
}

#[test]
fn the_limit_is_the_jobs_own_or_its_class_default_or_the_policy_maximum() {
    let setup = || {
        cluster().nodes("n", 1, "H100x8").spec(|spec| {
            spec.policy.limit_max = hours(10);
            let batch = spec.classes.iter_mut().find(|class| class.name.as_str() == "batch");
            batch.expect("there is a class of that name").limit_default = Some(hours(2));
        })
    };
    let cases = [
        ("its own", gang(1, 8).limit(hours(1)), hours(1)),
        ("its own before its class's", gang(1, 8).class("batch").limit(hours(3)), hours(3)),
        ("its class's", gang(1, 8).class("batch"), hours(2)),
        ("the policy's", gang(1, 8), hours(10)),
        ("its own up to the policy's", gang(1, 8).limit(hours(10)), hours(10)),
    ];
    for (whose, spec, limit) in cases {
        let mut c = setup().build();
        let job = c.run(spec);
        c.advance_to(Time(limit.0 - 1));
        assert_eq!(c.word(job), "running", "{whose}");
        c.advance(Millis(1));
        assert_eq!(c.word(job), "stopping", "{whose}");
    }
}

#[test]
fn a_limit_beyond_the_policy_maximum_is_refused() {
    let mut c = cluster().policy(|policy| policy.limit_max = hours(10)).build();
    let errors = c.try_submit(gang(1, 1).limit(hours(11))).unwrap_err();
    assert_eq!(errors[0].field, "timing.limit");
}

#[test]
fn a_warning_goes_to_every_node_once_at_its_time() {
    let mut c = pair();
    let job = c.run(wide(2).limit(minutes(10)).warning(12, minutes(2)));
    let before = c.advance_to(Time(479_999));
    assert_eq!(signals(&c, &before), []);
    let at_time = c.advance(Millis(1));
    let both = [("n-1".to_owned(), job, 12), ("n-2".to_owned(), job, 12)];
    assert_eq!(signals(&c, &at_time), both);
    assert_eq!(c.word(job), "running");
    let after = c.advance(minutes(2));
    assert_eq!(signals(&c, &after), []);
    assert_eq!(c.word(job), "stopping");
}

#[test]
fn a_warning_spares_the_nodes_that_have_ended() {
    let mut c = pair();
    let job = c.run(wide(2).limit(minutes(10)).warning(12, minutes(2)));
    c.end_on(job, "n-1", Exit::Code(0));
    let at_time = c.advance(minutes(8));
    assert_eq!(signals(&c, &at_time), [("n-2".to_owned(), job, 12)]);
}

#[test]
fn every_attempt_is_warned_for_itself() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8).limit(minutes(10)).warning(12, minutes(2)));
    let first = c.advance(minutes(9));
    assert_eq!(signals(&c, &first).len(), 1);
    c.requeue(job);
    c.stopped(job);
    c.confirm(job);
    let early = c.advance(minutes(7));
    assert_eq!(signals(&c, &early), []);
    let second = c.advance(minutes(1));
    assert_eq!(signals(&c, &second).len(), 1);
}

#[test]
fn a_job_that_is_stopping_is_not_warned() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8).limit(minutes(10)).warning(12, minutes(2)));
    c.cancel(job);
    let later = c.advance(minutes(20));
    assert_eq!((later, c.word(job)), (vec![], "stopping"));
}

#[test]
fn a_warning_that_was_sent_is_not_sent_again_after_a_restart() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8).limit(minutes(10)).warning(12, minutes(2)));
    c.advance(minutes(8));
    restart(&mut c);
    let after = c.advance(minutes(1));
    assert_eq!((signals(&c, &after), c.word(job)), (vec![], "running"));
    c.advance(minutes(1));
    assert_eq!(c.word(job), "stopping");
}

#[test]
fn warnings_and_limits_that_are_still_to_come_survive_a_restart() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8).limit(minutes(10)).warning(12, minutes(2)));
    c.advance(minutes(3));
    restart(&mut c);
    let warned = c.advance(minutes(5));
    assert_eq!(signals(&c, &warned), [("n-1".to_owned(), job, 12)]);
    c.advance(minutes(2));
    assert_eq!(c.word(job), "stopping");
}

#[test]
fn a_warning_counts_from_a_class_default_too() {
    let class = Class { limit_default: Some(minutes(10)), ..Class::defaults()[3].clone() };
    let mut c = cluster().nodes("n", 1, "H100x8").spec(|spec| spec.classes = vec![class]).build();
    let job = c.run(gang(1, 8).warning(10, minutes(1)));
    let warned = c.advance(minutes(9));
    assert_eq!(signals(&c, &warned), [("n-1".to_owned(), job, 10)]);
}

#[test]
fn a_warning_longer_than_the_limit_comes_as_soon_as_the_job_runs() {
    let class = Class { limit_default: Some(minutes(5)), ..Class::defaults()[3].clone() };
    let mut c = cluster().nodes("n", 1, "H100x8").spec(|spec| spec.classes = vec![class]).build();
    let job = c.submit(gang(1, 8).warning(10, hours(1)));
    let confirmed = c.confirm(job);
    assert_eq!(signals(&c, &confirmed).len(), 1);
    assert_eq!(c.word(job), "running");
}

#[test]
fn limits_of_many_jobs_at_one_moment_all_hold() {
    let mut c = cluster().nodes("n", 20, "H100x8").build();
    let jobs = c.submit_all((0..160).map(|_| gang(1, 1).limit(minutes(10))));
    jobs.iter().for_each(|&job| drop(c.confirm(job)));
    c.advance(minutes(10));
    assert!(jobs.iter().all(|&job| c.word(job) == "stopping"));
}
