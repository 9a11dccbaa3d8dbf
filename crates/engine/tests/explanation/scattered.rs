//! GPUs that stand free in pieces while a job waits that needs them together, over small clusters.

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
