//! Limits of queues and users: pausing gives nobody more than they may have.

use super::support::*;
use crate::support::*;

#[test]
fn a_job_beyond_the_limit_of_its_queue_takes_from_nobody() {
    let setup = nodes(2).queue(queue("a").limit(quota(8))).queue(queue("b"));
    let mut world = setup.build();
    world.run(stubborn(1, 8).queue("a"));
    let victim = world.run(trainer(1, 8).queue("b"));
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8).queue("a"));
    assert_eq!((world.word(victim), world.codes(job)), ("running", vec!["queue-limit"]));
}

#[test]
fn a_job_beyond_the_limit_of_its_user_takes_from_nobody() {
    let setup = nodes(2).queue(queue("a").user_limit(quota(8)));
    let mut world = setup.build();
    world.run(stubborn(1, 8).queue("a").user("user-a"));
    let victim = world.run(trainer(1, 8).queue("a").user("user-b"));
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8).queue("a").user("user-a"));
    assert_eq!((world.word(victim), world.codes(job)), ("running", vec!["user-limit"]));
    let other = world.submit(urgent(1, 8).queue("a").user("user-c"));
    assert_eq!(world.victims_of(other), [victim]);
}

#[test]
fn the_limit_is_not_made_room_in_by_pausing_ones_own() {
    // Pausing a job of the queue would bring it below its limit, but who is at a limit does not
    // look: limits are not room.
    let setup = nodes(2).queue(queue("a").limit(quota(8)));
    let (mut world, victim) = one_running(setup, trainer(1, 8).queue("a"));
    let job = world.submit(urgent(1, 8).queue("a"));
    assert_eq!((world.word(victim), world.codes(job)), ("running", vec!["queue-limit"]));
}

#[test]
fn a_user_at_the_limit_by_a_plan_gets_no_second_one() {
    let setup = nodes(2).queue(queue("a").user_limit(quota(8)));
    let mut world = setup.build();
    for user in ["user-b", "user-c"] {
        world.run(trainer(1, 8).queue("a").user(user));
    }
    settle_in(&mut world);
    let first = world.submit(urgent(1, 8).queue("a").user("user-a"));
    let second = world.submit(urgent(1, 8).queue("a").user("user-a"));
    assert_eq!(world.victims_of(first).len(), 1);
    assert_eq!(world.codes(second), ["user-limit"]);
}

#[test]
fn a_suspended_job_is_not_charged_and_comes_back_only_within_limits() {
    let setup = nodes(2).queue(queue("a").limit(quota(8))).queue(queue("b"));
    let mut world = setup.build();
    let victim = world.run(trainer(1, 8).queue("a"));
    world.run(stubborn(1, 8).queue("b"));
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8).queue("b"));
    world.give_way(victim);
    world.confirm(job);
    let other = world.submit(gang(1, 1).queue("a"));
    assert_eq!(world.codes(other)[0], "gpus", "the limit has room now, the cluster has not");
    world.cancel(other);
    world.set_queue(queue("a").limit(quota(4)));
    world.finish(job);
    assert_eq!(world.word(victim), "paused");
    assert_eq!(world.codes(victim), ["paused", "queue-limit"]);
    world.set_queue(queue("a").limit(quota(8)));
    assert_eq!(world.word(victim), "resuming");
}

#[test]
fn a_limit_lowered_below_a_plan_does_not_take_it_back() {
    let setup = nodes(1).queue(queue("a").limit(quota(8))).queue(queue("b"));
    let (mut world, victim) = one_running(setup, trainer(1, 8).queue("b"));
    let job = world.submit(urgent(1, 8).queue("a"));
    world.set_queue(queue("a").limit(quota(4)));
    world.give_way(victim);
    assert_eq!(world.word(job), "launching", "it was charged when it was decided");
}

#[test]
fn the_books_are_even_after_all_of_it() {
    let setup = nodes(1).queue(queue("a").limit(quota(8))).queue(queue("b").limit(quota(8)));
    let (mut world, victim) = one_running(setup, trainer(1, 8).queue("b"));
    let used = |world: &World, name: &str| {
        let accounts = world.engine.accounts();
        let account = accounts.into_iter().find(|account| account.queue.to_string() == name);
        account.expect("the queue is there").used
    };
    let job = world.submit(urgent(1, 8).queue("a"));
    let whole = used(&world, "b");
    assert_eq!(used(&world, "a"), whole, "the room is charged while it is made");
    world.give_way(victim);
    world.confirm(job);
    assert_ne!(used(&world, "b"), whole);
    world.finish(job);
    assert_eq!(used(&world, "b"), whole);
    world.come_back(victim);
    world.finish(victim);
    assert_eq!(used(&world, "a"), used(&world, "b"));
    assert_ne!(used(&world, "a"), whole);
}

#[test]
fn nobody_gives_way_for_a_model_that_a_limit_forbids() {
    let setup = |limit: u64| {
        cluster()
            .doubted()
            .nodes_with("h", 1, "H100x8", |node| node.suspend_memory(gib(4096)))
            .nodes("a", 1, "A100x8")
            .queue(queue("a").limit(Quota::default().model("H100", limit)))
            .queue(queue("b"))
    };
    let outcome = |limit: u64| {
        let mut world = setup(limit).build();
        let victim = world.run(trainer(1, 8).queue("b").models(["H100"]));
        // It could be suspended if its node had host memory, so that it is worth a look.
        world.run(trainer(1, 8).queue("b").models(["A100"]));
        settle_in(&mut world);
        world.submit(urgent(1, 8).queue("a").models(["H100", "A100"]));
        world.word(victim)
    };
    assert_eq!(outcome(4), "running", "eight are wanted, four are allowed");
    assert_eq!(outcome(8), "pausing");
}
