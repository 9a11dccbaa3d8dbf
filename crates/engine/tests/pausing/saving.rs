//! Storage that is busy: only so many GPUs below one lowest domain save at once.

use super::support::*;
use crate::support::*;

fn saver(gpus: u32) -> JobSpec {
    stubborn(1, gpus).rung(Rung::Checkpoint, minutes(2), minutes(2))
}

fn narrow(most: u32) -> Setup {
    racks_of([2, 1]).policy(|policy| policy.pausing.gpus_saving_max = most)
}

#[test]
fn when_enough_gpus_save_no_more_are_asked_to() {
    let mut world = narrow(8).build();
    let on = |rack: &str| nodes_where(&format!("@{rack}"));
    let one = world.run(saver(8).only_on(on("r1-1")));
    let two = world.run(saver(8).only_on(on("r1-2")));
    world.run(stubborn(1, 8).only_on(on("r2-1")));
    settle_in(&mut world);
    let first = world.submit(urgent(1, 8));
    let victim = world.victims_of(first)[0];
    let other = if victim == one { two } else { one };
    let second = world.submit(urgent(1, 8));
    assert_eq!(world.plan_of(second), None);
    assert_eq!(spared(&mut world, second), Some((other, Spared::Saving)));
}

#[test]
fn another_rack_has_its_own_storage() {
    let mut world = narrow(8).build();
    let on = |rack: &str| nodes_where(&format!("@{rack}"));
    world.run(saver(8).only_on(on("r1-1")));
    world.run(stubborn(1, 8).only_on(on("r1-2")));
    world.run(saver(8).only_on(on("r2-1")));
    settle_in(&mut world);
    let first = world.submit(urgent(1, 8));
    let second = world.submit(urgent(1, 8));
    assert_eq!((world.victims_of(first).len(), world.victims_of(second).len()), (1, 1));
}

#[test]
fn below_the_bound_more_may_save() {
    let mut world = narrow(9).build();
    let on = |rack: &str| nodes_where(&format!("@{rack}"));
    world.run(saver(8).only_on(on("r1-1")));
    world.run(saver(8).only_on(on("r1-2")));
    world.run(stubborn(1, 8).only_on(on("r2-1")));
    settle_in(&mut world);
    let first = world.submit(urgent(1, 8));
    let second = world.submit(urgent(1, 8));
    assert_eq!((world.victims_of(first).len(), world.victims_of(second).len()), (1, 1));
}

#[test]
fn who_has_saved_counts_no_more() {
    let mut world = narrow(8).build();
    let on = |rack: &str| nodes_where(&format!("@{rack}"));
    world.run(saver(8).only_on(on("r1-1")));
    world.run(saver(8).only_on(on("r1-2")));
    world.run(stubborn(1, 8).only_on(on("r2-1")));
    settle_in(&mut world);
    let first = world.submit(urgent(1, 8));
    let victim = world.victims_of(first)[0];
    world.give_way(victim);
    let second = world.submit(urgent(1, 8));
    assert_eq!(world.victims_of(second).len(), 1, "the storage is idle again");
}

#[test]
fn who_need_not_save_any_more_counts_no_more() {
    let mut world = narrow(8).build();
    let on = |rack: &str| nodes_where(&format!("@{rack}"));
    world.run(saver(8).only_on(on("r1-1")));
    world.run(saver(8).only_on(on("r1-2")));
    world.run(stubborn(1, 8).only_on(on("r2-1")));
    settle_in(&mut world);
    let first = world.submit(urgent(1, 8));
    let victim = world.victims_of(first)[0];
    world.cancel(first);
    assert_eq!(world.word(victim), "running");
    let second = world.submit(urgent(1, 8));
    assert_eq!(world.victims_of(second).len(), 1);
    assert_ne!(world.victims_of(second), [victim], "that one was asked lately");
}

#[test]
fn suspending_into_host_memory_needs_no_storage() {
    let mut world = narrow(1).build();
    let on = |rack: &str| nodes_where(&format!("@{rack}"));
    world.run(trainer(1, 8).only_on(on("r1-1")));
    world.run(trainer(1, 8).only_on(on("r1-2")));
    settle_in(&mut world);
    let both = [world.submit(urgent(1, 8)), world.submit(urgent(1, 8))];
    assert!(both.iter().all(|job| world.victims_of(*job).len() == 1 || world.is_placed(*job)));
}
