//! Few for many: a small job must not cost many others theirs, and only those who are needed are
//! asked.

use super::support::*;
use crate::support::*;

#[test]
fn two_jobs_of_one_gpu_cost_two_others_and_not_eleven() {
    // Eleven jobs of one node and eleven GPUs: a scheduler that empties nodes would end them all.
    let mut world = nodes(2).build();
    let many: Vec<JobId> = (0..16).map(|_| world.run(trainer(1, 1))).collect();
    settle_in(&mut world);
    let first = world.submit(urgent(1, 1));
    let second = world.submit(urgent(1, 1));
    assert_eq!(world.victims_of(first).len(), 1);
    assert_eq!(world.victims_of(second).len(), 1);
    let asked = many.iter().filter(|job| world.word(**job) != "running").count();
    assert_eq!(asked, 2, "two give way, fourteen run on");
}

#[test]
fn a_gang_of_two_tasks_costs_the_one_job_whose_gpus_it_needs() {
    let mut world = nodes(2).build();
    let wide = world.run(trainer(1, 8));
    let narrow: Vec<JobId> = (0..8).map(|_| world.run(trainer(1, 1))).collect();
    settle_in(&mut world);
    let job = world.submit(urgent(2, 1));
    let victims = world.victims_of(job);
    assert_eq!(victims.len(), 2, "two of one GPU and not one of eight: {victims:?}");
    assert!(victims.iter().all(|victim| narrow.contains(victim)));
    assert_eq!(world.word(wide), "running");
}

#[test]
fn what_is_free_is_used_before_anyone_is_asked() {
    let mut world = nodes(1).build();
    let jobs: Vec<JobId> = [4, 1, 1].map(|gpus| world.run(trainer(1, gpus))).into();
    settle_in(&mut world);
    let job = world.submit(urgent(1, 3));
    let victims = world.victims_of(job);
    assert_eq!(victims.len(), 1, "two GPUs are free, so one more is enough");
    assert!(jobs[1..].contains(&victims[0]));
    assert_eq!(world.held_for(job), "n-1:2");
}

#[test]
fn the_node_where_the_least_is_lost_is_chosen() {
    let setup = |slow: &str| {
        let costly = move |node: &str| if node == slow { minutes(4) } else { seconds(5) };
        let mut world = nodes(2).build();
        let here = |node: &str| muster_model::Expression::Node(vec![node.into()]);
        let jobs = ["n-1", "n-2"].map(|node| {
            let spec = stubborn(1, 8).only_on(here(node));
            world.run(spec.rung(Rung::Suspend, costly(node), seconds(10)))
        });
        settle_in(&mut world);
        let job = world.submit(urgent(1, 8));
        let victims = world.victims_of(job);
        assert_eq!(victims.len(), 1);
        jobs.iter().position(|other| *other == victims[0]).expect("one of the two")
    };
    assert_eq!(setup("n-1"), 1);
    assert_eq!(setup("n-2"), 0);
}

#[test]
fn of_two_on_one_node_the_cheaper_for_each_gpu_is_asked() {
    let mut world = nodes(1).build();
    let stop = |save| stubborn(1, 4).rung(Rung::Suspend, save, seconds(10));
    let dear = world.run(stop(minutes(3)));
    let cheap = world.run(stop(seconds(10)));
    settle_in(&mut world);
    let job = world.submit(urgent(1, 4));
    assert_eq!(world.victims_of(job), [cheap]);
    assert_eq!(world.word(dear), "running");
}

#[test]
fn those_who_turn_out_not_to_be_needed_are_left_alone() {
    // By cost per GPU the small ones come first, and with the large one none of them is needed.
    let mut world = nodes(1).build();
    let small: Vec<JobId> = (0..2)
        .map(|_| world.run(stubborn(1, 1).rung(Rung::Suspend, seconds(5), seconds(5))))
        .collect();
    let large = world.run(stubborn(1, 6).rung(Rung::Suspend, seconds(20), seconds(5)));
    settle_in(&mut world);
    let job = world.submit(urgent(1, 6));
    assert_eq!(world.victims_of(job), [large]);
    assert!(small.iter().all(|job| world.word(*job) == "running"));
}

#[test]
fn a_job_on_many_nodes_is_charged_once_and_gives_way_everywhere() {
    let (mut world, wide) = one_running(nodes(4), trainer(4, 8));
    let job = world.submit(urgent(4, 8));
    assert_eq!(world.victims_of(job), [wide]);
    let cost = world.pauses_of(wide).latest.cost;
    assert_eq!(cost, 32 * seconds(30).0, "30 seconds of 32 GPUs, once");
    world.give_way(wide);
    assert_eq!((world.word(wide), world.word(job)), ("paused", "launching"));
}

#[test]
fn rather_one_wide_job_than_several_that_cost_more_together() {
    let mut world = nodes(4).build();
    let wide = world.run(trainer(2, 8));
    let narrow: Vec<JobId> = (0..2)
        .map(|_| world.run(stubborn(1, 8).rung(Rung::Suspend, minutes(4), minutes(4))))
        .collect();
    settle_in(&mut world);
    let job = world.submit(urgent(2, 8));
    assert_eq!(world.victims_of(job), [wide]);
    assert!(narrow.iter().all(|job| world.word(*job) == "running"));
}

#[test]
fn a_wide_job_is_not_stopped_for_the_one_node_a_small_one_needs() {
    let mut world = nodes(5).build();
    let wide = world.run(trainer(4, 8));
    let narrow = world.run(trainer(1, 8));
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8));
    assert_eq!(world.victims_of(job), [narrow], "32 GPUs would stand still for 8");
    assert_eq!(world.word(wide), "running");
}

#[test]
fn nobody_is_asked_where_all_of_them_together_would_not_be_enough() {
    let mut world = nodes(2).build();
    let victim = world.run(trainer(1, 8));
    world.run(stubborn(1, 8));
    settle_in(&mut world);
    let job = world.submit(urgent(2, 8));
    assert_eq!((world.word(victim), world.plan_of(job)), ("running", None));
}

#[test]
fn gpus_that_make_no_whole_task_are_not_counted_as_given() {
    // For each GPU the six are the cheapest, but only four of them are of use.
    let mut world = nodes(3).build();
    let here = |node: &str| muster_model::Expression::Node(vec![node.into()]);
    let stops = |gpus, save| stubborn(1, gpus).rung(Rung::Suspend, save, seconds(10));
    let six = world.run(stops(6, seconds(20)).only_on(here("n-1")));
    world.run(stubborn(1, 2).only_on(here("n-1")));
    let fours = ["n-2", "n-3"].map(|node| {
        world.run(stubborn(1, 4).only_on(here(node)));
        world.run(stops(4, seconds(25)).only_on(here(node)))
    });
    settle_in(&mut world);
    let job = world.submit(urgent(2, 4));
    assert_eq!(world.victims_of(job), fours);
    assert_eq!(world.word(six), "running");
}
