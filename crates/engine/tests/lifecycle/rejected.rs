//! Commands that make no sense are rejected with the field, the value and what is allowed, and
//! change nothing.

use muster_model::{Dependency, Estimate, Isolation, Share};

use super::support::{error, is_rejected, nodes, timeless};
use crate::support::*;

const NO_NODE: &str = "expected the number of a node that has joined";
const NO_JOB: &str = "expected the number of a job that is known";
const OVER: &str = "expected a job that is not over";

#[test]
fn commands_about_an_unknown_node_are_rejected() {
    let mut c = nodes(2);
    c.run(gang(1, 4));
    let node = NodeId(2);
    let commands = [
        Command::NodeLost { node, lease_ends: Time(1000) },
        Command::NodeReturned { node, running: vec![] },
        Command::NodeDrained { node },
        Command::NodeResumed { node },
        Command::GpuUnhealthy { node, gpu: 0 },
        Command::GpuHealthy { node, gpu: 0 },
    ];
    for command in commands {
        is_rejected(&mut c, &command, ("node", "2", NO_NODE));
    }
}

#[test]
fn commands_about_a_gpu_that_the_node_does_not_have_are_rejected() {
    let mut c = nodes(1);
    let node = c.node("n-1");
    let allowed = "expected a GPU of node n-1, which has 8";
    for (gpu, value) in [(8, "8"), (64, "64"), (u32::MAX, "4294967295")] {
        is_rejected(&mut c, &Command::GpuUnhealthy { node, gpu }, ("gpu", value, allowed));
        is_rejected(&mut c, &Command::GpuHealthy { node, gpu }, ("gpu", value, allowed));
    }
}

fn requests(job: JobId) -> [Command; 5] {
    let estimate = Estimate { median: minutes(1), p90: minutes(2) };
    [
        Command::Cancel { job },
        Command::Hold { job },
        Command::Release { job },
        Command::Requeue { job },
        Command::Estimated { job, estimate },
    ]
}

#[test]
fn requests_about_an_unknown_job_are_rejected() {
    let mut c = nodes(1);
    c.run(gang(1, 4));
    for job in [JobId(0), JobId(2), JobId(u64::MAX)] {
        for request in requests(job) {
            is_rejected(&mut c, &request, ("job", &job.to_string(), NO_JOB));
        }
    }
}

#[test]
fn requests_about_a_job_that_is_over_are_rejected() {
    let mut c = nodes(1);
    let completed = c.run(gang(1, 4));
    c.finish(completed);
    let cancelled = c.submit(gang(1, 4).hold());
    c.cancel(cancelled);
    for job in [completed, cancelled] {
        for request in requests(job) {
            is_rejected(&mut c, &request, ("job", &job.to_string(), OVER));
        }
    }
}

#[test]
fn requests_about_an_array_that_is_over_are_rejected() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 1).array([0, 1]));
    c.finish(JobId(2));
    c.cancel(JobId(3));
    c.stopped(JobId(3));
    for request in requests(array) {
        is_rejected(&mut c, &request, ("job", "1", OVER));
    }
}

#[test]
fn an_estimate_that_cannot_be_is_rejected() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 4).hold());
    let allowed = "expected a median of at least 1 ms and a ninth decile not below it";
    let cases = [
        (Millis(0), Millis(10), "0 ms and 10 ms"),
        (Millis(10), Millis(9), "10 ms and 9 ms"),
        (Millis(0), Millis(0), "0 ms and 0 ms"),
    ];
    for (median, p90, value) in cases {
        let estimate = Estimate { median, p90 };
        is_rejected(&mut c, &Command::Estimated { job, estimate }, ("estimate", value, allowed));
    }
}

#[test]
fn a_dependency_on_a_job_of_the_future_is_rejected() {
    let mut c = nodes(1);
    let first = c.run(gang(1, 1));
    let spec =
        gang(1, 1).after(first, DependencyKind::AfterAny).after(JobId(2), DependencyKind::AfterOk);
    let allowed = "expected the number of a job that was submitted before";
    is_rejected(&mut c, &Command::Submit { spec: spec.into() }, ("after[1]", "2", allowed));
}

#[test]
fn a_dependency_on_a_forgotten_job_is_rejected() {
    let mut c =
        cluster().nodes("n", 1, "H100x8").policy(|policy| policy.remember_ended = hours(1)).build();
    let old = c.run(gang(1, 1));
    c.finish(old);
    c.advance(hours(1));
    let spec = gang(1, 1).after(old, DependencyKind::AfterAny);
    let allowed = "that job ended so long ago that it is forgotten; drop the dependency";
    is_rejected(&mut c, &Command::Submit { spec: spec.into() }, ("after[0]", "1", allowed));
}

#[test]
fn all_bad_dependencies_of_a_job_are_named_at_once() {
    let mut c = nodes(1);
    let mut spec = gang(1, 1).singleton();
    spec.after.extend([4, 5].map(|job| Dependency::on(JobId(job), DependencyKind::AfterOk)));
    let errors = c.try_submit(spec).unwrap_err();
    let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
    assert_eq!(fields, ["after[1]", "after[2]"]);
}

#[test]
fn a_mig_profile_that_is_not_isolated_by_hardware_is_refused() {
    let mut c = nodes(1);
    let shared = gang(1, 1).share(Share::mig("1g.10gb").isolated(Isolation::Soft));
    let errors = c.try_submit(shared).unwrap_err();
    assert_eq!(
        errors[0].to_string(),
        "groups[0].task.share.isolation: soft is not allowed; expected hard: a MIG profile is \
         isolated by hardware"
    );
}

#[test]
fn a_rejected_submission_uses_up_no_number() {
    let mut c = nodes(1);
    let before = timeless(c.snapshot());
    for spec in [gang(0, 1), gang(1, 65), gang(1, 1).queue("nowhere"), gang(1, 1).class("urgent")] {
        let errors = c.try_submit(spec).unwrap_err();
        assert!(!errors.is_empty());
    }
    assert_eq!(timeless(c.snapshot()), before);
    assert_eq!(c.submit(gang(1, 1)), JobId(1));
}

#[test]
fn a_queue_with_jobs_cannot_become_a_parent() {
    let mut c = nodes(1);
    c.submit(gang(1, 1));
    let before = timeless(c.snapshot());
    let actions = c.set_queue(queue("default/child"));
    let error = error(&actions);
    assert_eq!((error.field.as_str(), error.value.as_str()), ("queue.name", "default/child"));
    assert_eq!(error.allowed, "expected a parent without jobs of its own; default has some");
    assert_eq!(timeless(c.snapshot()), before);
}

#[test]
fn a_rejected_command_still_lets_time_pass() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8).limit(minutes(5)));
    c.now = Time(300_000);
    let actions = c.step(Command::Cancel { job: JobId(9) });
    assert!(matches!(actions.last(), Some(Action::Rejected { .. })), "{actions:?}");
    assert_eq!(c.word(job), "stopping", "its time was up when the command came");
}
