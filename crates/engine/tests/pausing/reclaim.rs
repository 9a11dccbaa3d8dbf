//! What a queue is guaranteed and others have borrowed is back within its time.

use super::support::*;
use crate::support::*;

/// Queue `a` is guaranteed eight GPUs, `b` has none.
fn lent(count: u32) -> Setup {
    nodes(count).queue(queue("a").guarantee(quota(8))).queue(queue("b"))
}

fn owner(tasks: u32, gpus: u32) -> JobSpec {
    gang(tasks, gpus).queue("a").class("batch").estimate(hours(50), hours(60))
}

#[test]
fn a_guarantee_takes_back_what_was_lent_though_its_job_is_longer_and_lower() {
    let (mut world, victim) = one_running(lent(1), trainer(1, 8).queue("b").class("express"));
    let job = world.submit(owner(1, 8));
    assert_eq!(world.victims_of(job), [victim]);
    assert_eq!(world.word(victim), "pausing");
    world.give_way(victim);
    assert_eq!(world.word(job), "launching");
}

#[test]
fn it_does_so_at_once_even_from_who_has_just_started() {
    let mut world = lent(1).build();
    let victim = world.run(trainer(1, 8).queue("b"));
    let job = world.submit(owner(1, 8));
    assert_eq!(world.victims_of(job), [victim]);
}

#[test]
fn and_from_who_allows_nothing() {
    let mut world = lent(1).build();
    let victim = world.run(stubborn(1, 8).queue("b"));
    world.advance(hours(5));
    let job = world.submit(owner(1, 8));
    assert_eq!((world.word(victim), world.victims_of(job)), ("stopping", vec![victim]));
    world.give_way(victim);
    assert_eq!((world.word(victim), world.word(job)), ("queued", "launching"));
}

#[test]
fn but_not_from_who_may_neither_be_paused_nor_started_again() {
    let keeps = muster_model::Requeue { when_lost: false, when_failed: false, most: 0 };
    let (mut world, victim) = one_running(lent(1), stubborn(1, 8).queue("b").requeue(keeps));
    let job = world.submit(owner(1, 8));
    assert_eq!((world.word(victim), world.plan_of(job)), ("running", None));
}

#[test]
fn who_can_be_suspended_is_found_at_once_even_if_it_may_not_be_ended() {
    let keeps = muster_model::Requeue { when_lost: false, when_failed: false, most: 0 };
    let mut world = lent(1).build();
    let victim = world.run(trainer(1, 8).queue("b").requeue(keeps));
    let job = world.submit(owner(1, 8));
    assert_eq!((world.word(victim), world.victims_of(job)), ("pausing", vec![victim]));
}

#[test]
fn the_owner_learns_of_a_borrower_that_was_still_starting() {
    let mut world = lent(1).build();
    let victim = world.submit(stubborn(1, 8).queue("b"));
    let job = world.submit(owner(1, 8));
    assert_eq!((world.word(victim), world.plan_of(job)), ("launching", None));
    world.confirm(victim);
    assert_eq!(world.victims_of(job), [victim], "it runs now, and can be asked");
}

#[test]
fn only_rungs_within_the_time_of_reclaim_are_taken() {
    // Suspending takes three minutes, which is more than two; ending takes half a minute.
    let slow = || stubborn(1, 8).queue("b").rung(Rung::Suspend, minutes(3), minutes(1));
    let (mut world, victim) = one_running(lent(1), slow());
    world.submit(owner(1, 8));
    assert_eq!(world.word(victim), "stopping");
    let setup = lent(1).policy(|policy| policy.pausing.reclaim = minutes(4));
    let (mut world, victim) = one_running(setup, slow());
    world.submit(owner(1, 8));
    assert_eq!(world.word(victim), "pausing");
}

#[test]
fn more_than_its_guarantee_is_not_reclaimed() {
    let mut world = lent(2).build();
    world.run(owner(1, 8));
    let victim = world.run(trainer(1, 8).queue("b").class("batch"));
    settle_in(&mut world);
    let job = world.submit(owner(1, 8));
    assert_eq!((world.word(victim), world.plan_of(job)), ("running", None));
}

#[test]
fn a_lender_keeps_what_is_its_own() {
    // Both are guaranteed eight; `b` runs sixteen, in jobs of eight.
    let setup =
        nodes(2).queue(queue("a").guarantee(quota(8))).queue(queue("b").guarantee(quota(8)));
    let mut world = setup.build();
    let [one, two] = [(); 2].map(|()| world.run(trainer(1, 8).queue("b")));
    settle_in(&mut world);
    let job = world.submit(owner(1, 8));
    let victims = world.victims_of(job);
    assert_eq!(victims.len(), 1, "one of the two is borrowed");
    let kept = if victims[0] == one { two } else { one };
    let second = world.submit(owner(1, 8));
    assert_eq!((world.word(kept), world.plan_of(second)), ("running", None));
}

#[test]
fn a_job_that_reaches_into_its_own_guarantee_is_not_taken() {
    let setup =
        nodes(2).queue(queue("a").guarantee(quota(8))).queue(queue("b").guarantee(quota(4)));
    let (mut world, victim) = one_running(setup, trainer(2, 8).queue("b"));
    let job = world.submit(owner(1, 8));
    assert_eq!((world.word(victim), world.plan_of(job)), ("running", None));
    assert_eq!(spared(&mut world, job), Some((victim, Spared::Guaranteed)));
}

#[test]
fn several_are_not_taken_together_where_that_would_reach_into_a_guarantee() {
    let setup =
        nodes(2).queue(queue("a").guarantee(quota(12))).queue(queue("b").guarantee(quota(8)));
    let mut world = setup.build();
    let jobs: Vec<JobId> = (0..4).map(|_| world.run(trainer(1, 4).queue("b"))).collect();
    settle_in(&mut world);
    let job = world.submit(owner(3, 4));
    assert_eq!(world.plan_of(job), None, "each alone could go, three of four could not");
    let small = world.submit(owner(2, 4));
    assert_eq!(world.victims_of(small).len(), 2);
    let left = jobs.iter().filter(|job| world.word(**job) == "running").count();
    assert_eq!(left, 2);
}

#[test]
fn a_filler_that_goes_too_does_not_stand_for_what_is_guaranteed() {
    // With both gone the owner would take back at once what it had just given up.
    let setup = nodes(1).queue(queue("a").guarantee(quota(4))).queue(queue("b"));
    let mut world = setup.build();
    let owner = world.run(trainer(1, 4).queue("a"));
    let beside = world.run(filler(1, 4).queue("a"));
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8).queue("b"));
    assert_eq!(world.plan_of(job), None);
    assert_eq!((world.word(owner), world.word(beside)), ("running", "running"));
}

#[test]
fn a_filler_goes_first_where_it_is_cheaper() {
    let mut world = lent(2).build();
    let borrower = world.run(trainer(1, 8).queue("b"));
    let extra = world.run(filler(1, 8).queue("b").rung(Rung::Suspend, seconds(2), seconds(2)));
    settle_in(&mut world);
    let job = world.submit(owner(1, 8));
    assert_eq!(world.victims_of(job), [extra]);
    assert_eq!(world.word(borrower), "running");
}

#[test]
fn a_filler_of_ones_own_guarantee_counts_as_borrowed() {
    let setup =
        nodes(1).queue(queue("a").guarantee(quota(8))).queue(queue("b").guarantee(quota(8)));
    let (mut world, victim) = one_running(setup, filler(1, 8).queue("b"));
    let job = world.submit(owner(1, 8));
    assert_eq!(world.victims_of(job), [victim], "a filler is never guaranteed");
}

#[test]
fn what_is_guaranteed_is_not_weighed() {
    // Ten hours of work would be done twice for a job that runs much longer: no benefit, but a
    // right.
    let mut world = lent(1).build();
    let victim = world.run(gang(1, 8).queue("b").class("inference").estimate(hours(11), hours(11)));
    world.advance(hours(10));
    let job = world.submit(owner(1, 8));
    assert_eq!(world.victims_of(job), [victim]);
}

#[test]
fn a_guarantee_of_a_model_takes_back_that_model() {
    let setup = cluster()
        .doubted()
        .nodes("h", 1, "H100x8")
        .nodes("a", 1, "A100x8")
        .queue(queue("a").guarantee(Quota::default().model("H100", 8)))
        .queue(queue("b"));
    let mut world = setup.build();
    let of_a = world.run(stubborn(1, 8).queue("b").models(["A100"]));
    let of_h = world.run(stubborn(1, 8).queue("b").models(["H100"]));
    settle_in(&mut world);
    let job = world.submit(owner(1, 8).models(["H100"]));
    assert_eq!(world.victims_of(job), [of_h]);
    let second = world.submit(owner(1, 8).models(["A100"]));
    assert_eq!((world.word(of_a), world.plan_of(second)), ("running", None));
}

#[test]
fn a_child_takes_back_what_its_sibling_borrowed() {
    // What their parent is guaranteed is no shield of one child against the other's own.
    let setup = nodes(1)
        .queue(queue("p").guarantee(quota(8)))
        .queue(queue("p/a").guarantee(quota(8)))
        .queue(queue("p/b"));
    let (mut world, victim) = one_running(setup, trainer(1, 8).queue("p/b"));
    let job = world.submit(owner(1, 8).queue("p/a"));
    assert_eq!(world.victims_of(job), [victim]);
}

#[test]
fn children_of_one_guarantee_compete_by_class() {
    let setup =
        || nodes(1).queue(queue("p").guarantee(quota(8))).queue(queue("p/a")).queue(queue("p/b"));
    let (mut world, victim) = one_running(setup(), trainer(1, 8).queue("p/b"));
    let job = world.submit(urgent(1, 8).queue("p/a"));
    assert_eq!(world.victims_of(job), [victim], "express goes before batch");
    let (mut world, victim) = one_running(setup(), trainer(1, 8).queue("p/b"));
    let job = world.submit(owner(1, 8).queue("p/a"));
    assert_eq!((world.word(victim), world.plan_of(job)), ("running", None));
}

#[test]
fn a_guarantee_of_the_parent_is_no_right_against_a_sibling() {
    // `p` has sixteen, of which `p/b` uses eight; `p/a` may have the other eight, from others.
    let setup = nodes(2)
        .queue(queue("p").guarantee(quota(16)))
        .queue(queue("p/a"))
        .queue(queue("p/b"))
        .queue(queue("q"));
    let mut world = setup.build();
    let sibling = world.run(trainer(1, 8).queue("p/b"));
    let stranger = world.run(trainer(1, 8).queue("q"));
    settle_in(&mut world);
    let job = world.submit(owner(1, 8).queue("p/a"));
    assert_eq!(world.victims_of(job), [stranger]);
    assert_eq!(world.word(sibling), "running");
}

#[test]
fn a_whole_gang_is_reclaimed_in_time() {
    let setup = nodes(4).queue(queue("a").guarantee(quota(32))).queue(queue("b")).obedient();
    let mut world = setup.build();
    let jobs: Vec<JobId> = (0..32).map(|_| world.submit(stubborn(1, 1).queue("b"))).collect();
    world.advance(hours(1));
    let before = world.now();
    let job = world.submit(owner(4, 8));
    assert_eq!(world.word(job), "running");
    let started = world.started_at(job).expect("it runs");
    assert!(started <= before + Policy::default().pausing.reclaim);
    assert!(jobs.iter().all(|job| world.word(*job) == "queued"));
}
