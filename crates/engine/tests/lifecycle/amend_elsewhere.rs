//! Jobs that are changed into another queue, class, booking or constraint.

use crate::support::*;

fn amend(world: &mut World, job: JobId, change: impl FnOnce(&mut JobSpec)) {
    let mut spec = JobSpec::clone(&world.record(job).spec);
    change(&mut spec);
    let actions = world.tell(Command::Amend { job, spec: spec.into() });
    let is_rejected = |action: &Action| matches!(action, Action::Rejected { .. });
    assert!(!actions.iter().any(is_rejected), "{actions:?}");
}

#[test]
fn a_job_that_its_queue_keeps_back_starts_in_another() {
    let mut c = cluster()
        .nodes("n", 1, "H100x8")
        .queue(queue("small").limit(quota(2)))
        .queue(queue("large"))
        .build();
    let job = c.submit(gang(1, 4).queue("small"));
    assert_eq!(c.word(job), "queued");
    amend(&mut c, job, |spec| spec.queue = "large".into());
    assert_eq!(c.word(job), "launching");
    let next = c.submit(gang(1, 2).queue("small"));
    assert_eq!(c.word(next), "launching", "nothing was charged to the first queue");
}

#[test]
fn a_higher_class_goes_first() {
    let mut c = cluster().nodes("n", 1, "H100x8").build();
    let running = c.run(gang(1, 8));
    let first = c.submit(gang(1, 8).class("batch"));
    let second = c.submit(gang(1, 8).class("batch"));
    amend(&mut c, second, |spec| spec.class = "express".into());
    c.finish(running);
    assert_eq!((c.word(first), c.word(second)), ("queued", "launching"));
}

#[test]
fn a_job_leaves_its_booking_and_enters_another() {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    for (name, node) in [("one", "n-1"), ("other", "n-2")] {
        let start = Time(c.now().0 + 1000);
        c.book(Booking::new(name, start).node(node).user("user-a"));
    }
    c.advance(hours(1));
    let job = c.submit(gang(1, 8).hold().booking("one"));
    amend(&mut c, job, |spec| spec.booking = Some("other".into()));
    c.release(job);
    assert_eq!(c.nodes_of(job), ["n-2"]);
}

#[test]
fn a_constraint_is_looked_at_anew() {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    c.run(gang(1, 8).only_on(nodes_where("@n-1")));
    let job = c.submit(gang(1, 8).only_on(nodes_where("@n-1")));
    assert_eq!(c.word(job), "queued");
    amend(&mut c, job, |spec| spec.constraint = JobSpec::gang("x", 1, 1).constraint);
    assert_eq!(c.nodes_of(job), ["n-2"]);
}

#[test]
fn a_queued_job_that_asks_for_something_else_is_compared_with_others_of_that() {
    let mut c = cluster().nodes("n", 1, "H100x8").build();
    c.run(gang(1, 7));
    let other = c.run(gang(1, 1));
    let higher = c.submit(gang(1, 1).class("express"));
    let lower = c.submit(gang(1, 1).class("batch"));
    amend(&mut c, higher, |spec| spec.groups = gang(1, 8).groups);
    c.finish(other);
    assert_eq!((c.word(higher), c.word(lower)), ("queued", "launching"));
}
