//! Reports that are late, repeated, out of order or about something else change nothing.

use super::support::{changes_nothing, ended, nodes, pair, refused, started, wide};
use crate::support::*;

/// A job that runs on `n-1` at its second attempt; the first was refused by `n-2`.
fn second_attempt() -> (World, JobId) {
    let mut c = pair();
    c.drain("n-1");
    let job = c.submit(gang(1, 8));
    assert_eq!(c.nodes_of(job), ["n-2"]);
    c.resume("n-1");
    c.refuse(job, "n-2");
    c.confirm(job);
    assert_eq!((c.nodes_of(job), c.attempt(job).0), (vec!["n-1".to_owned()], 2));
    (c, job)
}

#[test]
fn reports_about_another_attempt_change_nothing() {
    let (mut c, job) = second_attempt();
    for attempt in [0, 1, 3, u32::MAX] {
        for node in ["n-1", "n-2"] {
            let reports = [
                started(&c, node, job, attempt),
                refused(&c, node, job, attempt),
                ended(&c, node, job, attempt, Exit::Code(0)),
                ended(&c, node, job, attempt, Exit::Code(1)),
            ];
            for report in reports {
                changes_nothing(&mut c, &report);
            }
        }
    }
    assert_eq!(c.word(job), "running");
}

#[test]
fn reports_from_a_node_that_is_not_part_of_the_attempt_change_nothing() {
    let mut c = nodes(3);
    let launching = c.submit(wide(2));
    let reports = [
        started(&c, "n-3", launching, 1),
        refused(&c, "n-3", launching, 1),
        ended(&c, "n-3", launching, 1, Exit::Code(1)),
    ];
    for report in reports {
        changes_nothing(&mut c, &report);
    }
    assert_eq!(c.word(launching), "launching");
}

#[test]
fn reports_about_an_unknown_job_or_from_an_unknown_node_change_nothing() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 4));
    let (unknown_job, unknown_node) = (JobId(99), NodeId(7));
    let attempt = c.attempt(job);
    let reports = [
        started(&c, "n-1", unknown_job, 1),
        refused(&c, "n-1", unknown_job, 1),
        ended(&c, "n-1", unknown_job, 1, Exit::Code(0)),
        Command::Started { node: unknown_node, job, attempt },
        Command::Ended { node: unknown_node, job, attempt, exit: Exit::Code(1) },
    ];
    for report in reports {
        changes_nothing(&mut c, &report);
    }
}

#[test]
fn a_repeated_confirmation_changes_nothing() {
    let mut c = pair();
    let job = c.submit(wide(2));
    c.confirm_on(job, "n-1");
    let repeat = started(&c, "n-1", job, 1);
    changes_nothing(&mut c, &repeat);
    c.confirm_on(job, "n-2");
    changes_nothing(&mut c, &repeat);
    assert_eq!(c.word(job), "running");
}

#[test]
fn a_repeated_end_changes_nothing_while_others_still_run() {
    let mut c = pair();
    let job = c.run(wide(2));
    c.end_on(job, "n-1", Exit::Code(0));
    for exit in [Exit::Code(0), Exit::Code(9), Exit::Stopped] {
        let repeat = ended(&c, "n-1", job, 1, exit);
        changes_nothing(&mut c, &repeat);
    }
    c.end_on(job, "n-2", Exit::Code(0));
    assert_eq!(c.word(job), "completed");
}

#[test]
fn a_confirmation_after_the_end_changes_nothing() {
    let mut c = pair();
    let job = c.submit(wide(2));
    c.end_on(job, "n-1", Exit::Code(0));
    let late = started(&c, "n-1", job, 1);
    changes_nothing(&mut c, &late);
    assert_eq!(c.word(job), "launching");
}

#[test]
fn a_refusal_after_the_end_changes_nothing() {
    let mut c = pair();
    let job = c.run(wide(2));
    c.end_on(job, "n-1", Exit::Code(0));
    let late = refused(&c, "n-1", job, 1);
    changes_nothing(&mut c, &late);
    assert_eq!(c.word(job), "running");
}

#[test]
fn a_refusal_after_a_confirmation_changes_nothing() {
    let mut c = pair();
    let job = c.submit(wide(2));
    c.confirm_on(job, "n-1");
    let contradiction = refused(&c, "n-1", job, 1);
    changes_nothing(&mut c, &contradiction);
    c.confirm_on(job, "n-2");
    changes_nothing(&mut c, &contradiction);
    assert_eq!(c.word(job), "running");
}

#[test]
fn reports_about_a_job_that_is_over_change_nothing() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    c.finish(job);
    let reports = [
        started(&c, "n-1", job, 1),
        refused(&c, "n-1", job, 1),
        ended(&c, "n-1", job, 1, Exit::Code(1)),
    ];
    for report in reports {
        changes_nothing(&mut c, &report);
    }
    assert_eq!(c.word(job), "completed");
}

#[test]
fn reports_about_a_job_that_never_started_change_nothing() {
    let mut c = nodes(1);
    let held = c.submit(gang(1, 8).hold());
    c.run(gang(1, 8));
    let queued = c.submit(gang(1, 8));
    for job in [held, queued] {
        for attempt in [0, 1] {
            let reports = [
                started(&c, "n-1", job, attempt),
                refused(&c, "n-1", job, attempt),
                ended(&c, "n-1", job, attempt, Exit::Code(0)),
            ];
            for report in reports {
                changes_nothing(&mut c, &report);
            }
        }
    }
}

#[test]
fn the_end_of_a_stopped_attempt_cannot_end_the_next_one() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    c.requeue(job);
    c.stopped(job);
    assert_eq!((c.word(job), c.attempt(job).0), ("launching", 2));
    let late = ended(&c, "n-1", job, 1, Exit::Stopped);
    changes_nothing(&mut c, &late);
    c.confirm(job);
    let later = ended(&c, "n-1", job, 1, Exit::Code(0));
    changes_nothing(&mut c, &later);
    assert_eq!(c.word(job), "running");
}

#[test]
fn an_element_of_an_array_is_not_the_array() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 4).array([0, 1]));
    let about_the_array = started(&c, "n-1", array, 1);
    changes_nothing(&mut c, &about_the_array);
    assert_eq!(c.word(JobId(array.0 + 1)), "launching");
}

#[test]
fn late_reports_are_ignored_in_any_mixture() {
    let (mut c, job) = second_attempt();
    let other = c.submit(gang(1, 8));
    assert_eq!(c.word(other), "queued", "n-2 rests");
    let reports = [
        ended(&c, "n-2", job, 1, Exit::Code(0)),
        started(&c, "n-2", job, 1),
        ended(&c, "n-2", job, 2, Exit::Code(1)),
        refused(&c, "n-2", job, 1),
        started(&c, "n-1", job, 2),
        started(&c, "n-1", other, 1),
        refused(&c, "n-1", other, 1),
    ];
    let mixtures = reports.len();
    for first in 0..mixtures {
        for step in 0..mixtures {
            let report = reports[(first + step * 3) % mixtures].clone();
            changes_nothing(&mut c, &report);
        }
    }
    assert_eq!(c.word(job), "running");
}
