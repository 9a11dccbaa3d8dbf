//! What the gradient weighs: what recent demand can still do with the rest of a node, and of the
//! rack around it.

use muster_model::Placer;

use super::support::*;

fn by_gradient(setup: Setup) -> Setup {
    with(Placer::Fgd, setup)
}

fn with(placer: Placer, setup: Setup) -> Setup {
    setup.policy(|policy| policy.placer = placer)
}

fn on(node: &str, spec: JobSpec) -> JobSpec {
    spec.only_on(nodes_where(&format!("@{node}")))
}

fn tasks(count: u32, spec: JobSpec) -> JobSpec {
    let mut spec = spec;
    spec.groups[0].tasks = TaskCount::exactly(count);
    spec
}

/// So many such jobs were asked for, and wait on hold.
fn usual(world: &mut World, count: u32, spec: &JobSpec) {
    (0..count).for_each(|_| _ = world.submit(spec.clone().hold()));
}

#[test]
fn cpus_and_memory_of_all_tasks_are_weighed_and_just_enough_is_enough() {
    // What is asked for most of the time needs 8 CPUs and 8 GiB beside a GPU.
    let cases = [
        ("CPUs run short", (11, 64), (2, 1), "many-1"),
        ("CPUs are just enough", (12, 64), (2, 1), "few-1"),
        ("memory runs short", (64, 11), (1, 2), "many-1"),
        ("memory is just enough", (64, 12), (1, 2), "few-1"),
    ];
    for (what, (cpus, memory), (cpus_each, memory_each), expected) in cases {
        let few = |node: NodeSpec| node.cpus(cpus).memory(gib(memory));
        let many = |node: NodeSpec| node.cpus(64).memory(gib(64));
        let setup = cluster().nodes_with("few", 1, "H100x3", few);
        let mut c = by_gradient(setup.nodes_with("many", 1, "H100x3", many)).build();
        usual(&mut c, 8, &gang(1, 1).cpus(8).memory(gib(8)));
        let odd = milli(250).cpus(cpus_each).memory(gib(memory_each));
        let job = c.run(tasks(2, odd));
        assert_eq!(c.layout(job), format!("{expected}:2"), "{what}");
    }
}

#[test]
fn gpus_of_all_tasks_are_weighed() {
    let setup = || cluster().nodes("a", 1, "H100x4").nodes("b", 1, "H100x5");
    for (placer, expected) in [(Placer::BestFit, "a-1:3"), (Placer::Fgd, "b-1:3")] {
        let mut c = with(placer, setup()).build();
        usual(&mut c, 8, &gang(1, 2));
        let job = c.run(gang(3, 1));
        assert_eq!(c.layout(job), expected, "{placer:?}: five less three are a pair");
    }
}

#[test]
fn what_is_asked_for_more_counts_for_more() {
    let setup = || cluster().nodes("a", 1, "H100x4").nodes("b", 1, "H100x5");
    for (fours, fives, expected) in [(10, 1, "b-1"), (1, 10, "a-1")] {
        let mut c = by_gradient(setup()).build();
        usual(&mut c, fours, &gang(1, 4));
        usual(&mut c, fives, &gang(1, 5));
        let job = c.run(gang(1, 1));
        assert_eq!(c.nodes_of(job), [expected], "{fours} of four GPUs, {fives} of five");
    }
}

#[test]
fn a_node_that_cannot_share_is_used_first_for_whole_gpus() {
    let setup = || cards(1, "H100x2").nodes_with("m", 1, "H100x2", |n| n.sharing(Sharing::NEVER));
    for (placer, expected) in
        [(Placer::BestFit, "n-1"), (Placer::Muster, "m-1"), (Placer::Fgd, "m-1")]
    {
        let mut c = with(placer, setup()).build();
        usual(&mut c, 8, &milli(500));
        let job = c.run(gang(1, 1));
        assert_eq!(c.nodes_of(job), [expected], "{placer:?}");
    }
}

#[test]
fn a_piece_in_another_mode_is_of_no_use() {
    let mut c = by_gradient(cards(2, "H100x1")).build();
    let unguarded = |part| milli_in(part, Isolation::None);
    c.run(on("n-2", unguarded(500)));
    usual(&mut c, 16, &milli(500));
    let job = c.run(unguarded(250));
    assert_eq!(parts(&c, job), "n-2/0:250", "nobody else wants that GPU");
}

fn milli_in(milli: u64, isolation: Isolation) -> JobSpec {
    part(Share::fraction(MilliGpu(milli)).isolated(isolation))
}

#[test]
fn a_piece_just_large_enough_is_of_use() {
    let mut c = by_gradient(cards(2, "H100x1")).build();
    c.run(on("n-1", milli(250)));
    usual(&mut c, 16, &milli(500));
    let job = c.run(milli(250));
    assert_eq!(parts(&c, job), "n-1/0:250", "half of it is left");
}

#[test]
fn pieces_on_a_gpu_with_errors_are_not_missed() {
    let mut c = by_gradient(
        cluster().nodes_with("n", 2, "H100x2", |node| node.sharing(Sharing::ALL).cpus(12)),
    )
    .build();
    c.run(on("n-1", milli(500)));
    c.run(on("n-2", milli(500)));
    c.break_gpu("n-2", 0);
    usual(&mut c, 16, &milli(500).cpus(8));
    let job = c.run(gang(1, 1).cpus(8));
    assert_eq!(c.nodes_of(job), ["n-2"], "where CPUs run short, nothing else is lost");
}

#[test]
fn what_is_left_of_a_broken_gpu_is_of_no_use_to_whole_gpus() {
    let half = milli(500);
    let cases = [
        ("one share", (8, 1), 8, 400, 1, 250),
        ("two shares", (8, 1), 20, 100, 2, 300),
        ("two shares, and pairs of GPUs are asked for", (8, 2), 32, 100, 2, 250),
    ];
    for (what, (count, gpus), halves, taken, shares, each) in cases {
        let setup = cards(1, "H100x2").nodes("m", 1, "H100x1");
        let mut c = by_gradient(setup).build();
        c.run(on("m-1", milli(taken)));
        usual(&mut c, count, &gang(1, gpus));
        usual(&mut c, halves, &half);
        let job = c.run(tasks(shares, milli(each)));
        assert_eq!(c.nodes_of(job), ["m-1"], "{what}: though less than half is left there");
    }
}

#[test]
fn several_shares_are_weighed_on_the_gpus_they_would_get() {
    let mut c = by_gradient(cards(2, "H100x2")).build();
    c.run(on("n-1", milli(600)));
    c.run(on("n-2", milli(600)));
    c.run(on("n-2", milli(600)));
    usual(&mut c, 8, &gang(1, 1));
    let job = c.run(tasks(2, milli(300)));
    assert_eq!(parts(&c, job), "n-2/0:300 n-2/1:300", "both beside others");

    let mut c = by_gradient(cards(1, "H100x2").nodes("m", 1, "H100x1")).build();
    c.run(on("n-1", milli(300)));
    c.run(on("n-1", milli(701)));
    usual(&mut c, 40, &milli(400));
    let job = c.run(tasks(2, milli(250)));
    assert_eq!(parts(&c, job), "n-1/1:250 n-1/0:250", "450 are left of the one, for 400");
}

#[test]
fn a_whole_gpu_is_broken_where_that_leaves_more_of_use() {
    let cases =
        [(Placer::BestFit, "n-1/0:250"), (Placer::Muster, "n-2/0:250"), (Placer::Fgd, "n-2/0:250")];
    for (placer, expected) in cases {
        let mut c = with(placer, cards(2, "H100x1")).build();
        c.run(on("n-1", milli(400)));
        usual(&mut c, 16, &milli(500));
        let job = c.run(milli(250));
        assert_eq!(parts(&c, job), expected, "{placer:?}: 350 of one GPU, or 750 of another");
    }
}

#[test]
fn places_that_hardly_differ_are_equal_and_the_fuller_node_wins() {
    // Four GPUs less one are still three; three less one are not.
    for (threes, expected) in [(1, "fuller-1"), (10, "emptier-1")] {
        let setup = cluster().nodes("emptier", 1, "H100x4").nodes("fuller", 1, "H100x3");
        let mut c = by_gradient(setup).build();
        usual(&mut c, 200, &milli(500));
        usual(&mut c, threes, &gang(1, 3));
        let job = c.run(gang(1, 1));
        assert_eq!(c.nodes_of(job), [expected], "{threes} of 200 ask for three GPUs");
    }
}

#[test]
fn more_racks_are_looked_at_than_the_fullest() {
    let setup = cluster().levels(["rack"]).nodes_with("r1", 1, "H100x2", |node| node.cpus(9));
    let setup = setup.nodes_with("r2", 1, "H100x2", |node| node.cpus(64));
    let mut c = by_gradient(setup.nodes_with("r2", 1, "H100x1", |node| node.cpus(1))).build();
    usual(&mut c, 8, &gang(1, 1).cpus(8));
    let job = c.run(milli(250).cpus(2));
    assert_eq!(c.nodes_of(job), ["r2-1"], "the one node with CPUs to spare");
}

#[test]
fn best_fit_takes_the_smallest_piece_that_will_do() {
    let mut c = with(Placer::BestFit, cards(3, "H100x1").nodes("m", 1, "H100x2")).build();
    c.run(on("n-1", milli(250)));
    c.run(on("n-2", milli(500)));
    let found = places(&mut c, [milli(250), milli(500), milli(500), milli(750), milli(600)]);
    assert_eq!(found, ["n-2/0:250", "n-1/0:500", "n-3/0:500", "m-1/0:750", "m-1/1:600"]);
}

#[test]
fn racks_are_kept_for_gangs_that_need_them() {
    let pair = gang(2, 4).require("rack");
    let cases = [
        ("a rack with room for one pair is not broken", "r1: 4 4; r2: 5 8", &pair, "r2-2"),
        ("a rack that holds no pair is", "r1: 6 8 8; r2: 7 0", &pair, "r2-1"),
        ("a rack is not kept for single tasks", "r1: 4 3; r2: 5 4", &gang(1, 4), "r1-1"),
    ];
    for (what, free, asked, expected) in cases {
        let mut c = by_gradient(racks(free)).build();
        usual(&mut c, 12, asked);
        let job = c.run(gang(1, 4));
        assert_eq!(c.nodes_of(job), [expected], "{what}");
    }
}

#[test]
fn what_is_lent_on_claimed_nodes_takes_nothing_from_their_rack() {
    let claims = |policy: &mut Policy| policy.floor = floor(100, hours(1), hours(1));
    let mut c = by_gradient(racks("r1: 8 8; r2: 0 0")).policy(claims).build();
    usual(&mut c, 4, &gang(2, 4).require("rack"));
    for node in ["r1-1", "r1-2"] {
        c.run(on(node, gang(1, 2).class("express").limit(hours(10))));
    }
    let wide = c.submit(gang(2, 8).class("batch").require("rack"));
    c.advance(hours(1));
    assert_eq!(c.claim_of(wide), ["r1-1", "r1-2"]);
    let short = c.submit(gang(1, 4).limit(hours(2)));
    assert_eq!(c.nodes_of(short), ["r1-1"]);
}
