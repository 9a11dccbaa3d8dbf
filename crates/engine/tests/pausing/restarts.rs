//! An engine that is restarted at any point of a pause goes on where it was. (Every step of every
//! scenario here is taken by a restarted engine too; these look at what is rebuilt.)

use super::support::*;
use crate::support::*;

/// Starts the engine anew from its own snapshot.
fn restart(world: &mut World) {
    world.engine = world.twin();
}

/// A way to some point of a pause.
type Make = fn() -> World;

const POINTS: [(&str, Make); 10] = [
    ("freezing", || gang_being_suspended().0),
    ("half frozen", || {
        let (mut world, victim, _) = gang_being_suspended();
        world.freeze_on(victim, "n-2");
        world
    }),
    ("suspending", || {
        let (mut world, victim, _) = gang_being_suspended();
        world.freeze(victim);
        world
    }),
    ("half suspended", || {
        let (mut world, victim, _) = gang_being_suspended();
        world.freeze(victim);
        world.suspend_on(victim, "n-1");
        world
    }),
    ("paused", || taken_over().0),
    ("coming back", || coming_back().0),
    ("half back", || {
        let (mut world, victim) = coming_back();
        world.restore(victim);
        world
    }),
    ("undone", || {
        let (mut world, _, job) = gang_being_suspended();
        world.cancel(job);
        world
    }),
    ("held while paused", || {
        let (mut world, victim, _) = taken_over();
        world.hold(victim);
        world
    }),
    ("stopped while paused", || {
        let (mut world, victim, _) = taken_over();
        world.cancel(victim);
        world
    }),
];

#[test]
fn a_restart_changes_nothing_that_can_be_seen() {
    for (name, make) in POINTS {
        let mut world = make();
        let before = world.snapshot();
        let (free, wake) = (world.engine.free_counts(), world.engine.next_wake());
        let jobs: Vec<JobId> = before.jobs.iter().map(|job| job.id).collect();
        let whys: Vec<_> = jobs.iter().map(|job| world.engine.why(*job)).collect();
        restart(&mut world);
        assert_eq!(world.snapshot(), before, "{name}");
        assert_eq!(world.engine.free_counts(), free, "{name}");
        assert_eq!(world.engine.next_wake(), wake, "{name}");
        let again: Vec<_> = jobs.iter().map(|job| world.engine.why(*job)).collect();
        assert_eq!(again, whys, "{name}");
        assert_eq!(world.engine.accounts(), world.twin().accounts(), "{name}");
    }
}

#[test]
fn a_restarted_engine_brings_every_pause_to_its_end() {
    for (name, make) in POINTS {
        let mut world = make();
        restart(&mut world);
        // Everyone answers from now on; nothing is left over, and all who may come to an end.
        world.set_obedient(true);
        for job in world.snapshot().jobs {
            world.release(job.id);
            if world.word(job.id) == "stopping" {
                world.stopped(job.id);
            }
        }
        for turn in 0..40 {
            let alive = world.jobs_in(JobState::Running);
            if let Some(&job) = alive.first() {
                world.finish(job);
            }
            world.advance(minutes(1));
            assert!(turn < 39 || alive.is_empty(), "{name}: jobs never end");
        }
        nothing_is_left(&world);
        for job in world.snapshot().jobs {
            assert!(matches!(job.state, JobState::Ended(_)), "{name}: {:?}", job.state);
        }
    }
}

#[test]
fn host_memory_and_holds_are_counted_again_after_a_restart() {
    let mut world = with_host_memory(1, gib(900)).build();
    let victims = [(); 2].map(|()| world.run(trainer(1, 4).gpu_state(gib(40))));
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8));
    assert_eq!(world.victims_of(job), victims);
    world.give_way(victims[0]);
    restart(&mut world);
    assert_eq!(world.held_for(job), "n-1:4");
    let other = world.submit(gang(1, 1).class("inference").estimate(minutes(1), minutes(1)));
    assert_eq!(world.word(other), "queued");
    world.give_way(victims[1]);
    assert_eq!(world.word(job), "launching");
}

#[test]
fn storage_that_is_busy_is_busy_after_a_restart() {
    let setup = nodes(2).policy(|policy| policy.pausing.gpus_saving_max = 8);
    let mut world = setup.build();
    for _ in 0..2 {
        world.run(stubborn(1, 8).rung(Rung::Checkpoint, minutes(2), minutes(2)));
    }
    settle_in(&mut world);
    world.submit(urgent(1, 8));
    assert_eq!(world.victims().len(), 1);
    restart(&mut world);
    let second = world.submit(urgent(1, 8));
    assert_eq!(world.plan_of(second), None);
}

#[test]
fn two_plans_on_one_node_are_served_alike_before_and_after_a_restart() {
    // The second to come has the better rank and so looks first: the order in which plans were
    // made is not the order of their numbers.
    let mut world = nodes(1).build();
    let victims: Vec<JobId> = (0..2).map(|_| world.run(trainer(1, 4).cpus(64))).collect();
    let late = world.submit(urgent(1, 4).cpus(60).estimate(hours(1), hours(1)));
    let early = world.submit(urgent(1, 4).cpus(61));
    world.advance(minutes(10));
    assert_eq!((world.victims_of(late).len(), world.victims_of(early).len()), (1, 1));
    restart(&mut world);
    world.give_way(victims[0]);
    world.give_way(victims[1]);
    assert_eq!((world.word(early), world.word(late)), ("launching", "launching"));
}
