//! What pausing costs a job is a twentieth of its run time at most, by construction.

use super::support::*;
use crate::support::*;

/// How long a job had computed until the first pause and until the second.
fn until_pauses(save: Millis, restore: Millis, away: Millis) -> (Millis, Millis) {
    let mut world = nodes(1).obedient().build();
    let spec = stubborn(1, 8).rung(Rung::Suspend, save, restore);
    let victim = world.submit_for(spec, hours(200));
    world.advance(minutes(11));
    let mut served = Vec::new();
    for _ in 0..2 {
        let count = world.record(victim).pauses.map_or(0, |pauses| pauses.count);
        let job = world.submit_for(urgent(1, 8), away);
        let mut turns = 0;
        while world.record(victim).pauses.as_ref().map_or(0, |pauses| pauses.count) == count {
            world.advance(minutes(1));
            turns += 1;
            assert!(turns < 2000, "it is never paused");
        }
        served.push(world.record(victim).served);
        world.advance(away + minutes(1));
        assert_eq!((world.word(job), world.word(victim)), ("completed", "running"));
    }
    (served[0], served[1])
}

#[test]
fn before_the_next_pause_a_job_has_computed_for_twenty_times_what_those_before_cost_it() {
    let table = [
        (seconds(20), seconds(10), minutes(1)),
        (minutes(1), minutes(1), minutes(1)),
        (minutes(2), minutes(3), minutes(10)),
        // Away for hours: time in host memory is no time in which it gets on.
        (minutes(1), minutes(2), hours(3)),
        (minutes(5), minutes(5), hours(9)),
    ];
    for (save, restore, away) in table {
        let (cost, (first, second)) = (save + restore, until_pauses(save, restore, away));
        let least = Millis(20 * cost.0).max(first + minutes(28));
        assert!(second >= least, "{second} of work for a pause of {cost}, away {away}");
        assert!(second <= least + minutes(4), "{second} of work for a pause of {cost}");
    }
}

#[test]
fn a_job_is_left_alone_for_half_an_hour_after_a_cheap_pause() {
    let (first, second) = until_pauses(seconds(1), seconds(1), seconds(30));
    let ran = second.saturating_sub(first);
    assert!(ran.0 >= minutes(28).0, "{ran}");
    assert!(ran.0 <= minutes(32).0, "{ran}");
}

#[test]
fn a_dearer_rung_after_a_refusal_counts_for_what_it_costs() {
    let spec = trainer(1, 8).rung(Rung::Checkpoint, minutes(4), minutes(6));
    let (mut world, victim) = one_running(nodes(1), spec);
    world.submit(urgent(1, 8));
    world.cannot(victim, "n-1", Rung::Freeze);
    world.thaw(victim);
    assert_eq!(world.pause_of(victim).rung, Rung::Checkpoint);
    let pauses = world.pauses_of(victim);
    assert_eq!(pauses.latest.cost, 8 * minutes(10).0, "ten minutes of eight GPUs");
    assert!(pauses.spared_until + minutes(11) >= pauses.latest.at + minutes(200));
}

#[test]
fn the_part_is_policy() {
    let rest = |overhead_ppm: u32| {
        let setup = nodes(1).policy(|policy| policy.pausing.overhead_ppm = overhead_ppm);
        let spec = stubborn(1, 8).rung(Rung::Suspend, minutes(5), minutes(5));
        let (mut world, victim) = one_running(setup, spec);
        world.submit(urgent(1, 8));
        let pauses = world.pauses_of(victim);
        // What it has computed before counts.
        pauses.spared_until.since(pauses.latest.at) + minutes(11)
    };
    assert_eq!(rest(50_000), minutes(200));
    assert_eq!(rest(100_000), minutes(100));
    assert_eq!(rest(500_000), minutes(30 + 11), "never less than the interval");
}

#[test]
fn a_job_that_has_long_computed_can_be_paused_several_times_in_a_row() {
    let setup = nodes(1).obedient().policy(|policy| {
        policy.pausing.run_min = minutes(5);
        policy.pausing.interval = minutes(5);
    });
    let mut world = setup.build();
    let spec = stubborn(1, 8).rung(Rung::Suspend, seconds(30), seconds(30));
    let victim = world.submit_for(spec, hours(200));
    // An hour pays for three minutes, and the last pause is on credit.
    world.advance(hours(1));
    let mut counts = Vec::new();
    for _ in 0..12 {
        let job = world.submit_for(urgent(1, 8), minutes(1));
        world.advance(minutes(8));
        counts.push(world.record(victim).pauses.map_or(0, |pauses| pauses.count));
        world.cancel(job);
        world.advance(seconds(1));
    }
    assert_eq!(counts[..4], [1, 2, 3, 4]);
    let (count, served) = (counts[11], world.record(victim).served);
    assert!(Millis(u64::from(count - 1) * minutes(20).0) <= served, "{count} after {served}");
    assert!(count < 9, "{counts:?}");
}
