//! What is missing for a queued job: the numbers behind each reason, over small clusters.

use crate::support::*;

struct Row {
    what: &'static str,
    cluster: Setup,
    job: JobSpec,
    reasons: Vec<Reason>,
}

fn row(what: &'static str, cluster: Setup, job: JobSpec, reasons: Vec<Reason>) -> Row {
    Row { what, cluster, job, reasons }
}

fn check_rows(rows: Vec<Row>) {
    for Row { what, cluster, job, reasons } in rows {
        let mut c = cluster.build();
        let job = c.submit(job);
        assert_eq!(c.word(job), "queued", "{what}");
        assert_eq!(c.reasons(job), reasons, "{what}");
    }
}

fn level(level: &str, tasks: u32, fit: u32, domain: &[&str]) -> Reason {
    let domain = domain.iter().map(|&name| Name::from(name)).collect();
    Reason::Level { level: level.into(), tasks, fit, domain }
}

#[test]
fn too_few_gpus_are_counted_over_the_nodes_that_match() {
    let mixed = cluster().nodes("h", 1, "H100x8").nodes("a", 1, "A100x8").filled("h-1", 6);
    check_rows(vec![
        row("one node", racks("r1: 2 0"), gang(1, 4), vec![Reason::Gpus { wanted: 4, free: 2 }]),
        row(
            "a gang",
            racks("r1: 8 7; r2: 8 8"),
            gang(4, 8),
            vec![Reason::Gpus { wanted: 32, free: 31 }],
        ),
        row(
            "only the model it accepts",
            mixed,
            gang(1, 4).models(["H100"]),
            vec![Reason::Gpus { wanted: 4, free: 2 }],
        ),
        row(
            "only the nodes it may use",
            racks("r1: 8 2"),
            gang(1, 4).only_on(Expression::Node(vec!["r1-2".into()])),
            vec![Reason::Gpus { wanted: 4, free: 2 }],
        ),
    ]);
}

#[test]
fn gpus_in_pieces_are_told_apart_from_too_few() {
    check_rows(vec![
        row(
            "one task over two nodes",
            racks("r1: 2 2"),
            gang(1, 4),
            vec![Reason::Fragments { tasks: 1, fit: 0, free: 4 }],
        ),
        row(
            "tasks that leave a rest on each node",
            racks("r1: 3 3"),
            gang(3, 2),
            vec![Reason::Fragments { tasks: 3, fit: 2, free: 6 }],
        ),
        row(
            "blocks that no rack has room for",
            racks("r1: 8 4; r2: 8 4"),
            gang(2, 8).segment(2, "rack"),
            vec![Reason::Fragments { tasks: 2, fit: 0, free: 24 }],
        ),
        row(
            "a node that is not empty",
            racks("r1: 7 7"),
            gang(1, 1).exclusive(),
            vec![Reason::Fragments { tasks: 1, fit: 0, free: 14 }],
        ),
    ]);
}

#[test]
fn linked_gpus_that_are_taken_one_by_one_are_pieces() {
    let pairs = cluster().nodes_with("n", 1, "A100x4", |node| node.links(NodeLinks::pairs(4)));
    let mut c = pairs.build();
    let singles = c.submit_all((0..4).map(|_| gang(1, 1)));
    singles.iter().for_each(|&job| drop(c.confirm(job)));
    c.finish(singles[0]);
    c.finish(singles[2]);
    let job = c.submit(gang(1, 2).nvlink());
    assert_eq!(c.reasons(job), [Reason::Fragments { tasks: 1, fit: 0, free: 2 }]);
}

#[test]
fn cpus_and_memory_beside_the_gpus_are_told_apart_from_gpus() {
    let lean = || cluster().nodes_with("n", 1, "H100x8", |node| node.cpus(16).memory(gib(64)));
    let cases = [
        ("CPUs", gang(1, 2).cpus(12).memory(gib(1)), gang(1, 2).cpus(8).memory(gib(1))),
        ("memory", gang(1, 2).cpus(1).memory(gib(60)), gang(1, 2).cpus(1).memory(gib(8))),
    ];
    for (what, holder, job) in cases {
        let mut c = lean().build();
        c.run(holder);
        let job = c.submit(job);
        let expected = Reason::HostResources { tasks: 1, fit: 0, fit_by_gpus: 3 };
        assert_eq!(c.reasons(job), [expected], "{what}");
    }
}

#[test]
fn a_job_without_gpus_is_not_told_of_countless_gpus() {
    let mut c = cluster().cpu_nodes("n", 1, 16, gib(64)).build();
    c.run(gang(1, 0).cpus(12));
    let job = c.submit(gang(2, 0).cpus(8));
    assert_eq!(c.codes(job), ["host-resources"]);
    let text = c.reason_text(job);
    assert!(!text.contains("4294967295"), "{text}");
}

#[test]
fn a_required_level_names_the_best_domain_and_what_fits_there() {
    check_rows(vec![
        row(
            "a rack",
            racks("r1: 4 4; r2: 8 4; r3: 8 0"),
            gang(2, 8).require("rack"),
            vec![level("rack", 2, 1, &["r2"])],
        ),
        row(
            "a node",
            racks("r1: 3 6; r2: 4 4"),
            gang(4, 2).require("node"),
            vec![level("node", 4, 3, &["r1", "r1-2"])],
        ),
        row(
            "too few GPUs and no rack",
            racks("r1: 8 0; r2: 4 0"),
            gang(2, 8).require("rack"),
            vec![Reason::Gpus { wanted: 16, free: 12 }, level("rack", 2, 1, &["r1"])],
        ),
    ]);
}

#[test]
fn what_could_never_fit_is_told_at_once() {
    let small = |domain| cluster().levels(["rack"]).nodes(domain, 2, "H100x8");
    check_rows(vec![
        row(
            "a model that no node has",
            racks("r1: 8 8"),
            gang(1, 1).models(["A100"]),
            vec![Reason::Impossible { tasks: 1, most: 0, nodes: 0 }],
        ),
        row(
            "a task larger than a node",
            racks("r1: 8 8"),
            gang(1, 16),
            vec![Reason::Impossible { tasks: 1, most: 0, nodes: 2 }],
        ),
        row(
            "a gang larger than the cluster",
            racks("r1: 8 8"),
            gang(3, 8),
            vec![Reason::Impossible { tasks: 3, most: 2, nodes: 2 }],
        ),
        row(
            "a gang larger than a rack",
            racks("r1: 8 8; r2: 8"),
            gang(3, 8).require("rack"),
            vec![Reason::Impossible { tasks: 3, most: 2, nodes: 3 }],
        ),
        row(
            "a label that no node has",
            racks("r1: 8 8"),
            gang(1, 1).only_on(nodes_where("disk=fast")),
            vec![Reason::Impossible { tasks: 1, most: 0, nodes: 0 }],
        ),
        row(
            "more CPUs than a node has",
            small("r1"),
            gang(1, 1).cpus(129),
            vec![Reason::Impossible { tasks: 1, most: 0, nodes: 2 }],
        ),
        row(
            "an empty cluster",
            cluster(),
            gang(1, 1),
            vec![Reason::Impossible { tasks: 1, most: 0, nodes: 0 }],
        ),
    ]);
}

#[test]
fn what_fits_on_full_nodes_once_they_are_empty_is_not_impossible() {
    let mut c = racks("r1: 0 0").build();
    let job = c.submit(gang(2, 8).require("rack"));
    assert!(!c.codes(job).contains(&"impossible"));
}

#[test]
fn drained_lost_and_broken_nodes_make_a_job_impossible_until_they_are_back() {
    let mut c = racks("r1: 8 8").build();
    c.drain("r1-1");
    let job = c.submit(gang(2, 8));
    assert_eq!(c.reasons(job), [Reason::Impossible { tasks: 2, most: 1, nodes: 1 }]);
    c.lose("r1-2", hours(1));
    assert_eq!(c.reasons(job), [Reason::Impossible { tasks: 2, most: 0, nodes: 0 }]);
    c.find_again("r1-2", &[]);
    c.break_gpu("r1-2", 0);
    assert_eq!(c.reasons(job), [Reason::Impossible { tasks: 2, most: 0, nodes: 1 }]);
    c.resume("r1-1");
    assert_eq!(c.reasons(job), [Reason::Impossible { tasks: 2, most: 1, nodes: 2 }]);
    c.mend_gpu("r1-2", 0);
    assert_eq!(c.word(job), "launching");
}

#[test]
fn a_resting_node_is_not_free_but_possible() {
    let mut c = racks("r1: 8").build();
    let job = c.submit(gang(1, 8));
    c.refuse(job, "r1-1");
    assert_eq!(c.reasons(job), [Reason::Gpus { wanted: 8, free: 0 }]);
}

#[test]
fn of_several_models_the_one_that_comes_closest_is_explained() {
    let mixed =
        cluster().nodes("h", 1, "H100x8").nodes("a", 1, "A100x8").filled("h-1", 7).filled("a-1", 5);
    let mut c = mixed.build();
    let job = c.submit(gang(2, 2).models(["H100", "A100"]));
    assert_eq!(c.reasons(job), [Reason::Gpus { wanted: 4, free: 3 }]);
}

#[test]
fn groups_that_fit_alone_but_not_together_are_pieces() {
    let mut c = racks("r1: 8").build();
    let spec = JobSpec::new("play", "user-a", "default")
        .group("learner", TaskCount::exactly(1), TaskShape::gpus(4))
        .group("actors", TaskCount::exactly(6), TaskShape::gpus(1));
    let job = c.submit(spec);
    assert_eq!(c.word(job), "queued");
    assert_eq!(c.codes(job).len(), 1);
}

#[test]
fn room_held_for_a_starving_job_is_named_with_that_job() {
    let mut c = cluster()
        .nodes("n", 2, "H100x8")
        .filled("n-1", 4)
        .filled("n-2", 4)
        .policy(|policy| policy.floor.wait = hours(1))
        .build();
    let big = c.submit(gang(2, 8));
    c.advance(hours(1));
    assert_eq!(c.claim_of(big), ["n-1", "n-2"]);
    let small = c.submit(gang(1, 4));
    assert_eq!(c.reasons(small), [Reason::Claimed { by: big }]);
    assert_eq!(c.codes(big), ["gpus"]);
}

#[test]
fn whoever_is_behind_a_blocking_head_is_told_whom_he_is_behind() {
    for order in [Order::Fifo, Order::Sjf] {
        let mut c = cluster()
            .nodes("n", 1, "H100x8")
            .filled("n-1", 4)
            .policy(|policy| policy.order = order)
            .build();
        let head = c.submit(gang(1, 8).estimate(minutes(1), minutes(2)));
        let behind = c.submit(gang(1, 4).estimate(minutes(5), minutes(9)));
        assert_eq!(c.reasons(behind), [Reason::Behind { head }], "{order:?}");
        assert_eq!(c.codes(head), ["gpus"], "{order:?}");
    }
}

#[test]
fn a_job_cut_off_by_the_end_of_a_step_is_next() {
    let mut c = cluster().nodes("n", 1, "H100x8").starts_per_step(1).build();
    let array = c.submit(gang(1, 1).array(0..3).hold());
    c.step(Command::Release { job: array });
    let last = JobId(array.0 + 3);
    let why = c.why(last);
    assert_eq!((why.state, why.reasons), (JobState::Queued, vec![Reason::Next]));
    assert_eq!(why.estimated_start, Some(Time(0)));
    c.settle();
    assert_eq!(c.word(last), "launching");
}

#[test]
fn where_nothing_fits_no_place_is_called_the_best() {
    let full = || cluster().nodes("n", 2, "H100x8").filled("n-1", 8).filled("n-2", 8);
    let words = |mut c: World, spec: JobSpec| {
        let job = c.submit(spec);
        let level = c.reasons(job).into_iter().find(|reason| reason.code() == "level");
        level.expect("its level is too small").to_string()
    };
    let one = words(full().build(), gang(1, 4).require(Level::Node));
    assert_eq!(one, "no node has room for its task");
    let several = words(full().build(), gang(4, 1).require(Level::Node));
    assert_eq!(several, "no node has room for 4 tasks together, nor for one of them");
    let in_racks = words(racks("r1: 0 0; r2: 0").build(), gang(2, 1).require("rack"));
    assert_eq!(in_racks, "no rack has room for 2 tasks together, nor for one of them");
    let partly = cluster().nodes("n", 2, "H100x8").filled("n-1", 6).filled("n-2", 4).build();
    let partly = words(partly, gang(4, 2).require(Level::Node));
    assert_eq!(partly, "no node has room for 4 tasks together; the best, n-2, has room for 2");
}
