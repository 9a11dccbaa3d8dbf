//! Baselines that pause come to an end: nobody takes back at once what was taken from him, and
//! every job gets done.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::srtf::under;
use crate::support::*;

/// A job of a random crowd: GPUs, minutes to run, minutes after the one before, and how it pauses.
#[derive(Clone, Copy, Debug)]
struct Comer {
    gpus: u32,
    runs: u64,
    after: u64,
    rung: Rung,
}

fn comers() -> impl Strategy<Value = Vec<Comer>> {
    let rungs = prop_oneof![3 => Just(Rung::Suspend), 1 => Just(Rung::Requeue)];
    let one = (prop::sample::select(vec![1, 2, 4, 8]), 1..240u64, 0..40u64, rungs);
    let comer = one.prop_map(|(gpus, runs, after, rung)| Comer { gpus, runs, after, rung });
    prop::collection::vec(comer, 2..14)
}

/// Plays a crowd to its end; who was paused for whom by rank, in that order.
fn play(order: Order, crowd: &[Comer]) -> (World, Vec<(JobId, JobId)>) {
    let mut world = under(order, 2).obedient().build();
    for comer in crowd {
        world.advance(minutes(comer.after));
        let span = minutes(comer.runs);
        let spec = gang(1, comer.gpus).estimate(span, span);
        world.submit_for(spec.rung(comer.rung, seconds(1), seconds(1)), span);
    }
    world.play_out(days(30));
    let mut turns = Vec::new();
    let plans = world.log.iter().map(|(_, command, _)| command).count();
    assert!(plans < 20_000, "it never comes to rest");
    for record in world.snapshot().jobs {
        if let Some(pauses) = &record.pauses {
            turns.push((record.id, pauses.latest.by));
        }
    }
    (world, turns)
}

fn count_of_pauses(world: &World) -> BTreeMap<JobId, u32> {
    let jobs = world.snapshot().jobs;
    jobs.iter().map(|job| (job.id, job.pauses.as_ref().map_or(0, |pauses| pauses.count))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Each pause of a job needs another that came after it started or has less left; so there
    /// are no more pauses of one than others there are, and all of them end.
    #[test]
    fn under_srtf_no_two_jobs_take_turns_and_all_are_done(crowd in comers()) {
        let (world, turns) = play(Order::Srtf, &crowd);
        prop_assert_eq!(world.jobs_in(JobState::Ended(Outcome::Completed)).len(), crowd.len());
        for (victim, by) in &turns {
            let is_mutual = turns.contains(&(*by, *victim));
            prop_assert!(!is_mutual, "{victim} and {by} took turns: {turns:?}");
        }
        for (job, count) in count_of_pauses(&world) {
            let others = u32::try_from(crowd.len() - 1).expect("crowds are small");
            prop_assert!(count <= others, "{job} was paused {count} times");
        }
    }

    /// A job falls once and never rises, so each takes from another once at most.
    #[test]
    fn under_las_every_pause_is_for_another_and_all_are_done(crowd in comers()) {
        let (world, _) = play(Order::Las, &crowd);
        prop_assert_eq!(world.jobs_in(JobState::Ended(Outcome::Completed)).len(), crowd.len());
        for (job, count) in count_of_pauses(&world) {
            let others = u32::try_from(crowd.len() - 1).expect("crowds are small");
            prop_assert!(count <= others, "{job} was paused {count} times");
        }
    }
}

/// Guards the properties above: crowds in which nobody is paused would prove nothing.
#[test]
fn in_a_crowd_many_give_way() {
    let crowd: Vec<Comer> = (0..12)
        .map(|index| Comer { gpus: 8, runs: 240 / (index + 1), after: 20, rung: Rung::Suspend })
        .collect();
    for order in [Order::Srtf, Order::Las] {
        let (world, _) = play(order, &crowd);
        let pauses: u32 = count_of_pauses(&world).values().sum();
        assert!(pauses >= 4, "{order:?}: {pauses}");
    }
}
