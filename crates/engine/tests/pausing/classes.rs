//! Classes: who may take from whom, and fillers, who give way to all.

use super::support::*;
use crate::support::*;

const CLASSES: [&str; 5] = ["inference", "reserved", "express", "standard", "batch"];

/// Whether a short job of one class takes the place of a long one of another.
fn takes(newcomer: &str, victim: &str) -> bool {
    let (mut world, running) = one_running(nodes(1), trainer(1, 8).class(victim));
    world.submit(urgent(1, 8).class(newcomer));
    world.word(running) != "running"
}

#[test]
fn a_class_takes_from_itself_and_those_below_and_from_none_above() {
    for (rank, newcomer) in CLASSES.iter().enumerate() {
        for (other, victim) in CLASSES.iter().enumerate() {
            assert_eq!(takes(newcomer, victim), rank <= other, "{newcomer} from {victim}");
        }
    }
}

#[test]
fn a_filler_takes_from_nobody() {
    for victim in CLASSES {
        assert!(!takes("preemptible", victim), "from {victim}");
    }
}

#[test]
fn a_filler_gives_way_to_every_class_at_once() {
    for class in CLASSES {
        let mut world = nodes(1).build();
        let victim = world.run(filler(1, 8));
        let job = world.submit(gang(1, 8).class(class).estimate(hours(1), hours(2)));
        assert_eq!((world.word(victim), world.victims_of(job)), ("stopping", vec![victim]));
        world.give_way(victim);
        assert_eq!((world.word(victim), world.word(job)), ("queued", "launching"), "{class}");
    }
}

#[test]
fn a_filler_with_a_cheaper_rung_is_paused_by_it() {
    let mut world = nodes(1).build();
    let victim = world.run(filler(1, 8).rung(Rung::Suspend, seconds(2), seconds(1)));
    world.advance(minutes(30));
    world.submit(urgent(1, 8));
    assert_eq!(world.word(victim), "pausing");
}

#[test]
fn a_filler_is_paused_again_without_rest() {
    let mut world = nodes(1).build();
    let victim = world.run(filler(1, 8).rung(Rung::Suspend, seconds(2), seconds(1)));
    world.advance(minutes(30));
    for count in 1..=3 {
        let job = world.submit(urgent(1, 8));
        assert_eq!((world.word(victim), world.pauses_of(victim).count), ("pausing", count));
        world.give_way(victim);
        world.finish(job);
        world.come_back(victim);
    }
}

#[test]
fn a_filler_that_may_not_start_again_is_not_ended() {
    let keeps = muster_model::Requeue { when_lost: false, when_failed: false, most: 0 };
    let (mut world, victim) = one_running(nodes(1), filler(1, 8).requeue(keeps));
    world.submit(urgent(1, 8));
    assert_eq!(world.word(victim), "running");
}

#[test]
fn fillers_give_way_before_others_do() {
    let mut world = nodes(2).build();
    let other = world.run(trainer(1, 8));
    let extra = world.run(filler(1, 8));
    settle_in(&mut world);
    let job = world.submit(gang(1, 8).class("inference").estimate(minutes(5), minutes(5)));
    let victims = world.victims_of(job);
    assert_eq!(victims.len(), 1);
    // Ending a filler costs it eleven minutes of eight GPUs weighed by nothing at all.
    assert_eq!(victims, [extra]);
    assert_eq!(world.word(other), "running");
}

#[test]
fn between_fillers_only_rank_decides() {
    let (mut world, victim) = one_running(nodes(1), filler(1, 8));
    let job = world.submit(filler(1, 8));
    assert_eq!((world.word(victim), world.plan_of(job)), ("running", None));
    let short = gang(1, 8).class("preemptible").estimate(minutes(1), minutes(1));
    let job = world.submit(short);
    assert_eq!(world.victims_of(job), [victim]);
}

#[test]
fn a_lower_class_is_taken_from_before_a_higher_one() {
    let mut world = nodes(2).build();
    let high = world.run(trainer(1, 8).class("express"));
    let low = world.run(trainer(1, 8).class("batch"));
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8).class("inference"));
    assert_eq!(world.victims_of(job), [low]);
    assert_eq!(world.word(high), "running");
}

#[test]
fn the_cause_says_by_which_right() {
    use muster_engine::explain::Cause;
    let cause = |setup: Setup, victim: JobSpec, newcomer: JobSpec| {
        let (mut world, running) = one_running(setup, victim);
        world.submit(newcomer);
        world.pauses_of(running).latest.cause
    };
    let short = gang(1, 8).class("batch").estimate(minutes(10), minutes(12));
    assert_eq!(cause(nodes(1), trainer(1, 8), urgent(1, 8)), Cause::Class);
    assert_eq!(cause(nodes(1), trainer(1, 8), short), Cause::Rank);
    let lent = nodes(1).queue(queue("a").guarantee(quota(8))).queue(queue("b"));
    assert_eq!(cause(lent, trainer(1, 8).queue("b"), urgent(1, 8).queue("a")), Cause::Guarantee);
}
