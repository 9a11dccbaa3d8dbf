//! GPUs that stand free in pieces while a job waits that needs them together, over small clusters.

use std::collections::BTreeMap;

use muster_engine::snapshot::NodeRecord;
use muster_model::Constraint;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::random::{queued, scenes, would_start};
use crate::support::*;

/// What stands free in pieces for a job that waits on a cluster.
fn apart(setup: Setup, job: JobSpec) -> Vec<(String, u64)> {
    let mut c = setup.build();
    let job = c.submit(job);
    assert_eq!(c.word(job), "queued");
    let found = c.engine.scattered();
    assert!(found.iter().all(|found| found.job == job), "{found:?}");
    let gpus = found.into_iter().flat_map(|found| found.gpus);
    gpus.map(|(model, gpus)| (model.to_string(), gpus)).collect()
}

#[test]
fn pieces_that_would_do_together_count_by_what_the_job_asks_for() {
    let four = || vec![("H100".to_owned(), 4)];
    assert_eq!(apart(racks("r1: 2 2"), gang(1, 4)), four());
    assert_eq!(apart(racks("r1: 2 2 2 2"), gang(1, 4)), four(), "more than that are free");
    // Tasks that leave a rest on each node.
    let rests = apart(racks("r1: 3 3"), gang(3, 2));
    assert_eq!(rests, [("H100".to_owned(), 6)], "two of three tasks would fit");
    let in_a_rack = racks("r1: 8 0; r2: 8 0");
    let gang = gang(2, 8).require("rack");
    assert_eq!(apart(in_a_rack, gang), [("H100".to_owned(), 16)], "apart by racks");
}

#[test]
fn pieces_of_one_model_count_also_where_another_would_do_and_is_taken() {
    let both = cluster().nodes("h", 2, "H100x8").nodes("a", 2, "A100x8");
    let both = both.filled("h-1", 6).filled("h-2", 6).filled("a-1", 8).filled("a-2", 8);
    assert_eq!(apart(both, gang(1, 4)), [("H100".to_owned(), 4)]);
}

#[test]
fn who_waits_for_another_reason_leaves_nothing_in_pieces() {
    assert_eq!(apart(racks("r1: 2 1"), gang(1, 4)), [], "too few are free");
    let other = cluster().nodes("h", 1, "H100x8").nodes("a", 1, "A100x8").filled("h-1", 6);
    assert_eq!(apart(other, gang(1, 4).models(["H100"])), [], "too few of its model");
    let on_one = gang(1, 4).only_on(Expression::Node(vec!["r1-2".into()]));
    assert_eq!(apart(racks("r1: 8 2"), on_one), [], "too few where it may be");
    let lean = cluster().nodes_with("n", 1, "H100x8", |node| node.cpus(16).memory(gib(64)));
    let mut c = lean.build();
    c.run(gang(1, 2).cpus(12).memory(gib(1)));
    c.submit(gang(1, 2).cpus(8).memory(gib(1)));
    assert_eq!(c.engine.scattered(), [], "it is CPUs that are missing");
}

#[test]
fn pieces_are_counted_for_one_job_only() {
    let mut c = racks("r1: 3 3").build();
    let first = c.submit(gang(1, 4));
    c.submit(gang(1, 5));
    let found = c.engine.scattered();
    assert_eq!(found.iter().map(|found| found.job).collect::<Vec<_>>(), [first], "{found:?}");
}

#[test]
fn pieces_are_counted_for_as_long_as_the_job_waits_for_them() {
    let mut c = racks("r1: 2 2 0").build();
    let job = c.submit(gang(1, 4));
    assert_eq!(c.engine.scattered().len(), 1);
    c.hold(job);
    assert_eq!(c.engine.scattered(), [], "it does not wait for room");
    c.release(job);
    assert_eq!(c.engine.scattered().len(), 1);
    c.drain("r1-1");
    assert_eq!(c.engine.scattered(), [], "two are not enough");
    c.resume("r1-1");
    assert_eq!(c.engine.scattered().len(), 1);
    c.break_gpu("r1-2", 7);
    let left = c.engine.scattered().len();
    let free = c.free_total();
    assert_eq!(left, usize::from(free >= 4), "{free} are free");
    c.cancel(job);
    assert_eq!(c.engine.scattered(), [], "nobody waits");
}

#[test]
fn pieces_that_come_together_start_the_job_and_count_no_longer() {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    let halves = c.submit_all((0..4).map(|_| gang(1, 4)));
    halves.iter().for_each(|&half| drop(c.confirm(half)));
    let job = c.submit(gang(1, 8));
    assert_eq!(c.engine.scattered(), [], "nothing is free");
    let on = |c: &World, node: &str| -> Vec<JobId> {
        halves.iter().copied().filter(|&half| c.nodes_of(half) == [node]).collect()
    };
    let (first, second) = (on(&c, "n-1"), on(&c, "n-2"));
    c.finish(first[0]);
    c.finish(second[0]);
    let found = c.engine.scattered();
    assert_eq!(found.iter().map(|found| found.job).collect::<Vec<_>>(), [job]);
    c.finish(first[1]);
    assert_eq!((c.word(job), c.engine.scattered()), ("launching", Vec::new()));
}

#[test]
fn limits_and_single_gpus_are_not_pieces() {
    let small = queue("small").limit(quota(3));
    let mut c = racks("r1: 2 2").queue(queue("default")).queue(small).build();
    let job = c.submit(gang(1, 4).queue("small"));
    assert_eq!(c.codes(job), ["queue-limit"]);
    assert_eq!(c.engine.scattered(), []);
    let single = c.submit(gang(4, 1));
    assert_eq!((c.word(single), c.engine.scattered()), ("launching", Vec::new()));
}

#[test]
fn several_jobs_have_their_own_pieces_as_far_as_those_go() {
    let mut c = racks("r1: 3 3 3 3 3").build();
    let jobs = c.submit_all([4, 5, 6, 7].map(|gpus| gang(1, gpus)));
    let mut found: Vec<(JobId, u64)> =
        c.engine.scattered().iter().map(|found| (found.job, found.gpus[0].1)).collect();
    found.sort_unstable();
    assert_eq!(found, [(jobs[0], 4), (jobs[1], 5), (jobs[2], 6)], "fifteen are free");
}

#[test]
fn an_elastic_job_counts_by_the_fewest_tasks_it_starts_with() {
    let mut elastic = gang(1, 3);
    elastic.groups[0].tasks = TaskCount { min: 2, max: 4 };
    assert_eq!(apart(racks("r1: 2 2 2"), elastic), [("H100".to_owned(), 6)]);
}

#[test]
fn linked_gpus_of_one_node_may_lie_apart_as_well() {
    let pairs = cluster().nodes_with("n", 1, "A100x4", |node| node.links(NodeLinks::pairs(4)));
    let mut c = pairs.build();
    let singles = c.submit_all((0..4).map(|_| gang(1, 1)));
    singles.iter().for_each(|&job| drop(c.confirm(job)));
    c.finish(singles[0]);
    c.finish(singles[2]);
    let job = c.submit(gang(1, 2).nvlink());
    let found = c.engine.scattered();
    assert_eq!((found[0].job, found[0].gpus.as_slice()), (job, &[("A100".into(), 2)][..]));
    c.finish(singles[1]);
    assert_eq!((c.word(job), c.engine.scattered()), ("launching", Vec::new()));
}

#[test]
fn blocks_of_tasks_may_lie_apart_by_racks() {
    let blocks = gang(2, 8).segment(2, "rack");
    let found = apart(racks("r1: 8 4; r2: 8 4"), blocks);
    assert_eq!(found, [("H100".to_owned(), 16)]);
}

#[test]
fn one_gpu_is_never_in_pieces() {
    let alone = gang(1, 1).exclusive();
    assert_eq!(apart(racks("r1: 7 7"), alone), [], "it waits for a node of its own");
}

/// The same GPUs of a model one by one, wherever they are.
fn loosened(spec: &JobSpec, model: &Name, gpus: u64) -> JobSpec {
    let mut spec = spec.clone().models([model.as_str()]).cpus(0).memory(gib(0));
    let group = &mut spec.groups[0];
    group.tasks = TaskCount::exactly(u32::try_from(gpus).expect("it is small"));
    group.task.gpus = 1;
    (spec.topology, spec.constraint) = (Default::default(), Constraint::default());
    spec
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 96,
        rng_seed: RngSeed::Fixed(0x5ca7),
        ..ProptestConfig::default()
    })]

    /// What is said to lie apart is free, it is all that the job asks for, and with the same GPUs
    /// one by one the job would have started. Asking leaves no trace.
    #[test]
    fn what_lies_apart_is_free_and_would_have_been_enough(scene in scenes()) {
        let mut world = scene.play();
        let before = world.snapshot();
        let found = world.engine.scattered();
        prop_assert_eq!(world.snapshot(), before.clone());
        let mut sums: BTreeMap<Name, u64> = BTreeMap::new();
        for found in &found {
            prop_assert!(queued(&world).contains(&found.job));
            let spec = &world.record(found.job).spec;
            let group = &spec.groups[0];
            let wanted = u64::from(group.tasks.min) * u64::from(group.task.gpus);
            let [(model, gpus)] = found.gpus.as_slice() else { panic!("one group, one model") };
            prop_assert_eq!(*gpus, wanted);
            *sums.entry(model.clone()).or_default() += gpus;
            prop_assert!(would_start(&world, loosened(spec, model, *gpus)), "{:?}", found);
        }
        for (model, sum) in sums {
            let is_one = |node: &&NodeRecord| node.spec.gpu_model.as_ref() == Some(&model);
            let nodes = before.nodes.iter().filter(is_one);
            let free: u32 = nodes.map(|node| world.free_on(node.spec.name.as_str())).sum();
            prop_assert!(sum <= u64::from(free), "{} of {} {}", sum, free, model);
        }
    }
}
