//! Baselines that pause come to an end: nobody takes turns without end, and every job gets done.

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

fn crowds(rungs: Vec<Rung>) -> impl Strategy<Value = Vec<Comer>> {
    let rungs = prop::sample::select(rungs);
    let one = (prop::sample::select(vec![1, 2, 4, 8]), 1..240u64, 0..40u64, rungs);
    let comer = one.prop_map(|(gpus, runs, after, rung)| Comer { gpus, runs, after, rung });
    prop::collection::vec(comer, 2..14)
}

/// Plays a crowd to its end; how often each of it was paused.
fn play(order: Order, crowd: &[Comer]) -> (World, Vec<u32>) {
    let mut world = under(order, 2).obedient().build();
    for comer in crowd {
        world.advance(minutes(comer.after));
        let span = minutes(comer.runs);
        let spec = gang(1, comer.gpus).estimate(span, span);
        world.submit_for(spec.rung(comer.rung, seconds(1), seconds(1)), span);
    }
    world.play_out(days(30));
    let pauses = world.snapshot().jobs.into_iter().map(|job| job.pauses);
    let counts = pauses.map(|pauses| pauses.map_or(0, |pauses| pauses.count)).collect();
    (world, counts)
}

fn all_done(world: &World) -> usize {
    world.jobs_in(JobState::Ended(Outcome::Completed)).len()
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    /// Who is suspended looks for nobody, so each takes from others once, before it first starts:
    /// no job is paused more often than there are others.
    #[test]
    fn a_job_is_suspended_once_for_each_other_at_most(
        crowd in crowds(vec![Rung::Suspend]),
        order in prop::sample::select(vec![Order::Srtf, Order::Las]),
    ) {
        let (world, pauses) = play(order, &crowd);
        prop_assert_eq!(all_done(&world), crowd.len());
        for count in pauses {
            let count = usize::try_from(count).expect("counts are small");
            prop_assert!(count < crowd.len(), "one of {} was paused {count} times", crowd.len());
        }
    }

    /// Who was ended waits again and may take from others in turn; that too comes to an end.
    #[test]
    fn crowds_of_jobs_that_are_ended_and_start_again_come_to_an_end(
        crowd in crowds(vec![Rung::Suspend, Rung::Requeue]),
        order in prop::sample::select(vec![Order::Srtf, Order::Las]),
    ) {
        let (world, _) = play(order, &crowd);
        prop_assert_eq!(all_done(&world), crowd.len());
    }
}

/// Guards the properties above: crowds in which nobody is paused would prove nothing.
#[test]
fn in_a_crowd_many_give_way() {
    let comer =
        |index: u64| Comer { gpus: 8, runs: 240 / (index + 1), after: 20, rung: Rung::Suspend };
    let crowd: Vec<Comer> = (0..12).map(comer).collect();
    for order in [Order::Srtf, Order::Las] {
        let (_, pauses) = play(order, &crowd);
        let all: u32 = pauses.iter().sum();
        assert!(all >= 4, "{order:?}: {pauses:?}");
    }
}
