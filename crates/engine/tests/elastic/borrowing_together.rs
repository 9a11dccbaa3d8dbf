//! Several who are lent reserved GPUs, beside those who give way: all of it comes back, and random
//! gangs start no later than they would have without.

use proptest::prelude::*;

use super::words::*;
use crate::support::*;

/// So many nodes with a job on each that lasts so many minutes, then one job more, and a gang that
/// has all but its node reserved. After ten minutes the first jobs have ended, but for the last.
fn lending(count: u32, one_more: JobSpec) -> (World, JobId, JobId, JobId) {
    let setup = cluster().nodes("n", count + 1, "H100x8").reservations(4, 16);
    let mut world = setup.doubted().build();
    let jobs: Vec<JobId> = (0..count)
        .map(|index| {
            let length = if index + 1 == count { minutes(120) } else { minutes(10) };
            world.run(gang(1, 8).estimate(length, length + minutes(1)))
        })
        .collect();
    let more = world.run(one_more);
    let gang = world.submit(gang(count, 8).estimate(hours(1), hours(2)));
    assert_eq!(world.claim_of(gang).len(), jobs.len());
    world.advance(minutes(10));
    let (last, first) = jobs.split_last().expect("there are jobs");
    first.iter().for_each(|&job| drop(world.finish(job)));
    (world, more, gang, *last)
}

/// The jobs that give tasks back in the plan for a job, and those that give way.
fn plan_of(world: &World, job: JobId) -> (Vec<JobId>, Vec<JobId>) {
    let plans = world.snapshot().plans;
    let plan = plans.into_iter().find(|plan| plan.job == job).expect("room is being made");
    (plan.givers, plan.victims)
}

#[test]
fn more_of_what_is_reserved_is_lent_as_it_becomes_free() {
    let (mut world, elastic, gang, last) = lending(3, wide(1, 4, 8));
    world.resized(elastic);
    world.advance(minutes(10));
    world.resized(elastic);
    assert_eq!(world.size(elastic), 3, "all that is free");
    let lent_from = world.record(elastic).run.and_then(|run| run.elastic?.lent_from);
    assert_eq!(lent_from, Some(1), "what came later is lent as well");
    world.finish(last);
    assert_eq!(plan_of(&world, gang), (vec![elastic], vec![]));
    world.resized(elastic);
    assert_eq!((world.word(gang), world.size(elastic)), ("launching", 1));
}

#[test]
fn two_jobs_share_what_is_lent_and_both_give_it_back() {
    let (mut world, first, gang, last) = lending(2, wide(2, 6, 2));
    world.resized(first);
    assert_eq!(world.layout(first), "n-1:4 n-3:2", "half of its own node is left");
    let second = world.run(wide(2, 6, 2));
    assert_eq!(world.layout(second), "n-3:2", "which is no part of the reservation");
    world.finish(last);
    assert_eq!(plan_of(&world, gang).0, [first]);
    world.resized(first);
    assert_eq!(world.word(gang), "launching");
    assert_eq!((world.layout(first), world.layout(second)), ("n-3:2".into(), "n-3:2".into()));
}

#[test]
fn those_who_give_way_are_called_in_beside_what_was_lent() {
    let (mut world, elastic, gang, last) = lending(3, wide(1, 2, 8));
    world.resized(elastic);
    let filler = gang_of_fillers().estimate(hours(20), hours(24));
    let filler = world.run(filler);
    assert_eq!((world.size(elastic), world.layout(filler).as_str()), (2, "n-2:1"));
    world.finish(last);
    assert_eq!(plan_of(&world, gang), (vec![elastic], vec![filler]));
    world.resized(elastic);
    world.stopped(filler);
    assert_eq!((world.word(gang), world.word(elastic)), ("launching", "running"));
}

fn gang_of_fillers() -> JobSpec {
    gang(1, 8).class("preemptible")
}

/// A job on a node of its own: how long it runs, and how long it is predicted to, in minutes.
type Load = (u64, u64);

/// When the gang starts that waits for some of these, in a cluster where idle GPUs are kept for so
/// long or, where that is nothing, nobody grows.
fn start_of_gang(loads: &[Load], tasks: u32, resizes: u32, stay: Millis) -> Option<Time> {
    let count = u32::try_from(loads.len()).expect("a few");
    let setup = cluster().nodes("n", count + 1, "H100x8").reservations(2, 16).obedient();
    let setup = setup.policy(|policy| {
        policy.floor = floor(0, hours(1), hours(1));
        policy.elastic.interval = minutes(1);
        policy.elastic.stay = stay;
    });
    let mut world = setup.build();
    for &(runs, told) in loads {
        let spec = gang(1, 8).estimate(minutes(told), minutes(told * 2));
        world.submit_for(spec, minutes(runs));
    }
    world.submit_for(wide(1, 1 + resizes, 8).resize(Millis::ZERO), days(3));
    let gang = world.submit_for(gang(tasks, 8).estimate(hours(1), hours(2)), hours(1));
    world.play_out(days(2));
    world.started_at(gang)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn gang_starts_no_later_than_if_nothing_had_been_lent(
        loads in prop::collection::vec((5..300u64, 5..300u64), 2..5),
        resizes in 1..4u32,
    ) {
        for tasks in 2..=u32::try_from(loads.len()).expect("a few") {
            let lent = start_of_gang(&loads, tasks, resizes, hours(1));
            let idle = start_of_gang(&loads, tasks, resizes, Millis::ZERO);
            prop_assert!(lent.is_some());
            // What is given back is part of any room for it, also beside nodes it has not reserved.
            prop_assert!(lent <= idle, "a gang of {}: {:?}, not {:?}", tasks, lent, idle);
        }
    }
}
