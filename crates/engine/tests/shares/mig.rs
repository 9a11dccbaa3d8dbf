//! Cards that are cut: no layout is promised that the card cannot have.

use super::support::*;

/// Where instances start, in eighths, and what they are.
fn starts(world: &World, jobs: &[JobId]) -> Vec<(u8, u8)> {
    let instance = |job: &JobId| share_of(world, *job).mig.expect("an instance");
    jobs.iter().map(instance).map(|mig| (mig.start, mig.slices)).collect()
}

fn placed(profiles: &[&str]) -> Vec<bool> {
    let mut c = cards(1, "A100x1").build();
    let jobs: Vec<JobId> = profiles.iter().map(|profile| c.submit(mig(profile))).collect();
    jobs.into_iter().map(|job| c.is_placed(job)).collect()
}

#[test]
fn layouts_that_exist_are_used_to_the_full() {
    let full: [&[&str]; 6] = [
        &["1g.10gb"; 7],
        &["2g.20gb", "2g.20gb", "2g.20gb", "1g.20gb"],
        &["3g.40gb", "3g.40gb"],
        &["3g.40gb", "4g.40gb"],
        &["4g.40gb", "2g.20gb", "1g.10gb"],
        &["7g.80gb"],
    ];
    for layout in full {
        assert!(placed(layout).into_iter().all(|is_placed| is_placed), "{layout:?}");
    }
}

#[test]
fn layouts_that_cannot_be_are_not_promised() {
    let impossible: [&[&str]; 6] = [
        &["1g.10gb"; 8],
        &["2g.20gb"; 4],
        &["4g.40gb", "4g.40gb"],
        &["3g.40gb", "3g.40gb", "1g.10gb"],
        &["7g.80gb", "1g.10gb"],
        &["4g.40gb", "3g.40gb", "1g.10gb"],
    ];
    for layout in impossible {
        let (last, first) =
            placed(layout).split_last().map(|(last, rest)| (*last, rest.to_vec())).expect("some");
        assert!(!last && first.into_iter().all(|is_placed| is_placed), "{layout:?}");
    }
}

#[test]
fn small_instances_leave_room_for_large_ones() {
    let mut c = cards(1, "A100x1").build();
    let jobs = ["1g.10gb", "2g.20gb", "4g.40gb"].map(|profile| c.run(mig(profile)));
    assert_eq!(starts(&c, &jobs), [(6, 1), (4, 2), (0, 4)]);
}

#[test]
fn an_instance_has_the_memory_of_its_profile_and_is_charged_its_part_of_the_card() {
    let mut c = cards(1, "H100x1").build();
    let job = c.run(mig("3g.40gb"));
    let share = share_of(&c, job);
    assert_eq!((share.milli, share.memory), (MilliGpu(500), gib(40)));
    assert_eq!(c.engine.accounts()[0].used, MilliGpu(500));
}

#[test]
fn hard_fractions_and_memory_become_profiles() {
    let hard = |share: Share| part(share.isolated(Isolation::Hard));
    let mut c = cards(1, "H100x1").build();
    let half = c.run(hard(Share::fraction(MilliGpu(500))));
    let rest = c.run(hard(Share::memory(gib(33))));
    assert_eq!(starts(&c, &[half, rest]), [(0, 4), (4, 3)]);
}

#[test]
fn a_slice_that_is_given_back_is_given_again() {
    let mut c = cards(1, "A100x1").build();
    let jobs: Vec<JobId> = (0..7).map(|_| c.run(mig("1g.10gb"))).collect();
    let pair = c.submit(mig("2g.20gb"));
    let freed = [jobs[0], jobs[6]];
    let at = starts(&c, &freed);
    freed.iter().for_each(|&job| _ = c.finish(job));
    assert_eq!(c.is_placed(pair), at[0].0 / 2 == at[1].0 / 2, "only if they are a pair");
    jobs[1..6].iter().for_each(|&job| _ = c.finish(job));
    assert!(c.is_placed(pair));
}
