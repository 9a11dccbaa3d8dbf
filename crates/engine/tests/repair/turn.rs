//! When a gang that lost a node has its turn: before all tiers, after the floor's claims, in the
//! step in which its last node has ended it.

use super::support::{lose_from, lose_now, repaired, restart};
use crate::support::*;

/// Three full nodes, two of a gang's and a spare in use, with others waiting for any room.
fn crowded() -> (World, JobId, JobId) {
    let mut c = cluster().nodes("n", 3, "H100x8").build();
    let job = c.run(gang(2, 8).class("batch"));
    let small = c.run(gang(1, 8));
    (c, job, small)
}

#[test]
fn what_ends_while_a_lost_gang_still_stops_goes_to_the_queue() {
    let (mut c, job, small) = crowded();
    let rivals: Vec<JobId> = (0..2).map(|_| c.submit(gang(1, 8).class("inference"))).collect();
    lose_now(&mut c, "n-1");
    c.finish(small);
    assert_eq!((c.word(rivals[0]), c.word(rivals[1])), ("launching", "queued"));
    c.stopped(job);
    assert_eq!((c.word(job), c.word(rivals[1])), ("queued", "launching"), "no spare is left");
}

#[test]
fn the_step_that_learns_of_the_end_launches_the_repaired_gang_first() {
    let mut c = cluster().nodes("n", 3, "H100x8").build();
    let job = c.run(gang(2, 8).class("batch"));
    let rival = c.submit(gang(2, 8).class("inference"));
    assert_eq!(c.word(rival), "queued", "one node is free");
    lose_now(&mut c, "n-1");
    c.forget_starts();
    let attempt = c.attempt(job);
    let ended = Command::Ended { node: c.node("n-2"), job, attempt, exit: Exit::Stopped };
    let actions = c.step(ended);
    let launched: Vec<JobId> = actions
        .iter()
        .filter_map(|action| match action {
            Action::Moved { job, state: JobState::Launching, .. } => Some(*job),
            _ => None,
        })
        .collect();
    assert_eq!(launched, [job], "in the very same step, and nobody else");
    assert_eq!(c.node_of_each_task(job), ["n-3", "n-2"]);
    assert_eq!(c.word(rival), "queued");
}

#[test]
fn a_gang_that_has_no_spare_waits_its_turn_and_others_get_the_room() {
    let (mut c, job, _) = crowded();
    let rival = c.submit(gang(1, 8).class("inference"));
    lose_from(&mut c, job, "n-1");
    assert_eq!((c.word(job), c.word(rival)), ("queued", "launching"));
    assert_eq!(c.record(job).repair, None, "its old place is not kept any longer");
}

#[test]
fn nothing_is_ever_taken_for_a_repair() {
    let (mut c, job, small) = crowded();
    let filler = c.record(small).attempt;
    lose_from(&mut c, job, "n-1");
    assert_eq!((c.word(job), c.word(small)), ("queued", "running"));
    assert_eq!(c.record(small).attempt, filler);
}

#[test]
fn what_does_not_fit_its_old_place_is_placed_anew_once_before_the_others() {
    let mut c = racks("r1: 8 8; r2: 8 8").build();
    let job = c.run(gang(2, 8).require("rack").class("batch"));
    assert_eq!(c.nodes_of(job), ["r1-1", "r1-2"]);
    let rival = c.submit(gang(3, 8).class("inference"));
    lose_from(&mut c, job, "r1-1");
    assert_eq!(c.nodes_of(job), ["r2-1", "r2-2"], "rack r1 has one node left");
    assert_eq!((repaired(&c, job), c.word(rival)), (Some((0, 2)), "queued"));
}

#[test]
fn the_floors_claims_come_before_repairs() {
    let mut c = cluster()
        .nodes("n", 3, "H100x8")
        .policy(|policy| policy.floor = floor(100, hours(1), hours(1)))
        .build();
    let job = c.run(gang(2, 8).limit(hours(3)));
    c.run(gang(1, 8).limit(hours(9)));
    let starving = c.submit(gang(1, 8).class("batch"));
    c.advance(hours(1));
    assert_eq!(c.claim_of(starving), ["n-1"]);
    lose_from(&mut c, job, "n-2");
    assert_eq!(c.nodes_of(starving), ["n-1"], "the node was held for it");
    assert_eq!(c.word(job), "queued");
}

#[test]
fn a_node_held_for_a_starving_job_is_not_taken_back() {
    let mut c = cluster()
        .nodes("n", 4, "H100x8")
        .policy(|policy| policy.floor = floor(100, hours(1), hours(1)))
        .build();
    let job = c.run(gang(2, 8).limit(hours(3)));
    let other = c.run(gang(1, 8).limit(hours(4)));
    let starving = c.submit(gang(2, 8).class("batch").only_on(nodes_where("@n-1,n-3")));
    c.advance(hours(1));
    assert_eq!(c.claim_of(starving), ["n-1", "n-3"]);
    lose_now(&mut c, "n-2");
    c.stopped(job);
    assert_eq!(c.word(job), "queued", "n-4 is free, but n-1 is held");
    c.finish(other);
    assert_eq!(c.nodes_of(starving), ["n-1", "n-3"]);
}

/// Two gangs of three nodes that lose the first and the last, so that each has its second node
/// left and both have ended in the step in which the leases of the last nodes end.
fn two_at_once(setup: Setup, spares: u32, classes: [&str; 2]) -> (World, [JobId; 2]) {
    let mut c = setup.nodes("n", 6, "H100x8").nodes("spare", spares, "H100x8").build();
    let jobs = classes.map(|class| c.run(gang(3, 8).class(class)));
    assert_eq!(c.nodes_of(jobs[1]), ["n-4", "n-5", "n-6"]);
    c.lose_together(&["n-3", "n-6"], minutes(5));
    c.lose_together(&["n-1", "n-4"], Millis::ZERO);
    c.end_on(jobs[0], "n-2", Exit::Stopped);
    c.end_on(jobs[1], "n-5", Exit::Stopped);
    assert_eq!((c.word(jobs[0]), c.word(jobs[1])), ("stopping", "stopping"));
    (c, jobs)
}

#[test]
fn of_two_gangs_the_better_ranked_gets_the_only_spares() {
    for (classes, better) in [(["batch", "standard"], 1), (["standard", "batch"], 0)] {
        let (mut c, jobs) = two_at_once(cluster(), 3, classes);
        c.advance(minutes(5));
        let (best, rest) = (jobs[better], jobs[1 - better]);
        assert_eq!((c.word(best), c.word(rest)), ("launching", "queued"), "{classes:?}");
        assert_eq!(repaired(&c, best), Some((1, 2)));
    }
}

#[test]
fn a_spare_is_not_looked_for_on_the_old_place_of_another() {
    let (mut c, jobs) = two_at_once(cluster(), 4, ["standard", "standard"]);
    c.advance(minutes(5));
    assert_eq!(c.node_of_each_task(jobs[0]), ["spare-1", "n-2", "spare-2"]);
    assert_eq!(c.node_of_each_task(jobs[1]), ["spare-3", "n-5", "spare-4"]);
}

#[test]
fn whoever_the_cap_on_starts_leaves_out_is_first_in_the_next_step() {
    for restarts in [false, true] {
        let (mut c, jobs) = two_at_once(cluster().starts_per_step(1), 4, ["batch", "batch"]);
        let rival = c.submit(gang(5, 8).class("inference"));
        c.now = c.now() + minutes(5);
        c.step(Command::Tick);
        assert_eq!((c.word(jobs[0]), c.word(jobs[1])), ("launching", "queued"));
        assert!(c.record(jobs[1]).repair.is_some(), "it is still to get its place back");
        if restarts {
            restart(&mut c);
        }
        c.settle();
        assert_eq!(c.node_of_each_task(jobs[1]), ["spare-3", "n-5", "spare-4"]);
        assert_eq!((repaired(&c, jobs[1]), c.word(rival)), (Some((1, 2)), "queued"));
    }
}

#[test]
fn a_job_held_while_the_cap_leaves_it_out_loses_its_place() {
    let (mut c, jobs) = two_at_once(cluster().starts_per_step(1), 4, ["batch", "batch"]);
    c.now = c.now() + minutes(5);
    c.step(Command::Tick);
    c.step(Command::Hold { job: jobs[1] });
    assert_eq!((c.word(jobs[1]), c.record(jobs[1]).repair), ("waiting", None));
    c.release(jobs[1]);
    assert_eq!(c.decision(jobs[1]).repair, None, "it has waited like anyone else");
}

#[test]
fn a_job_that_is_held_meanwhile_loses_its_place() {
    let (mut c, job, _) = crowded();
    lose_now(&mut c, "n-1");
    c.hold(job);
    c.stopped(job);
    assert_eq!((c.word(job), c.record(job).repair), ("waiting", None));
    let other = c.submit(gang(1, 8));
    assert_eq!(c.nodes_of(other), ["n-2"]);
}

#[test]
fn a_job_that_is_cancelled_meanwhile_is_over() {
    let (mut c, job, _) = crowded();
    lose_now(&mut c, "n-1");
    c.cancel(job);
    c.stopped(job);
    assert_eq!((c.word(job), c.record(job).repair), ("cancelled", None));
}

#[test]
fn a_job_that_may_not_be_requeued_gets_no_repair() {
    let mut c = cluster().nodes("n", 3, "H100x8").build();
    let never = muster_model::Requeue { when_lost: false, ..muster_model::Requeue::default() };
    let job = c.run(gang(2, 8).requeue(never));
    lose_from(&mut c, job, "n-1");
    assert_eq!((c.word(job), c.record(job).repair), ("node-lost", None));
}

#[test]
fn a_lowered_limit_is_kept_by_repairs_too() {
    let mut c = cluster().queue(queue("vision").limit(quota(16))).nodes("n", 3, "H100x8").build();
    let job = c.run(gang(2, 8).queue("vision"));
    lose_now(&mut c, "n-1");
    c.set_queue(queue("vision").limit(quota(8)));
    c.stopped(job);
    assert_eq!((c.word(job), c.codes(job)), ("queued", vec!["queue-limit"]));
}

#[test]
fn an_ordinary_requeue_is_no_repair() {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    let job = c.run(gang(2, 8).class("batch"));
    let rival = c.submit(gang(2, 8).class("inference"));
    c.requeue(job);
    c.stopped(job);
    assert_eq!((c.word(job), c.word(rival)), ("queued", "launching"));
    assert_eq!(c.decision(rival).repair, None);
}

#[test]
fn with_nothing_left_of_its_place_a_gang_waits_its_turn() {
    let mut c = cluster().nodes("n", 4, "H100x8").build();
    let job = c.run(gang(2, 8).class("batch"));
    let rival = c.submit(gang(3, 8).class("inference"));
    c.lose_together(&["n-1", "n-2"], Millis::ZERO);
    assert_eq!((c.word(job), c.decision(job).repair), ("launching", None), "the rest has room");
    assert_eq!(c.word(rival), "queued");
}
