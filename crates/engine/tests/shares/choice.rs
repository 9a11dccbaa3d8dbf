//! How a place is chosen: tightest, or where it leaves the least that recent demand cannot use.

use muster_model::Placer;

use super::support::*;

fn with(placer: Placer, setup: Setup) -> Setup {
    setup.policy(|policy| policy.placer = placer)
}

const ALL: [Placer; 3] = [Placer::Muster, Placer::BestFit, Placer::Fgd];

#[test]
fn whether_something_fits_does_not_depend_on_the_placer() {
    for placer in ALL {
        let mut c = with(placer, cards(2, "H100x1")).build();
        let found = places(&mut c, [milli(600), milli(600), milli(500), milli(400), milli(400)]);
        let waits: Vec<bool> = found.iter().map(|place| place == "waits").collect();
        assert_eq!(waits, [false, false, true, false, false], "{placer:?}: {found:?}");
    }
}

#[test]
fn the_gradient_keeps_cpus_for_the_gpus_they_are_needed_for() {
    // Both nodes have two GPUs free; the first has CPUs for only one of them.
    let setup = |placer| {
        let few = cluster().nodes_with("few", 1, "H100x2", |node| node.cpus(9));
        with(placer, few.nodes_with("many", 1, "H100x2", |node| node.cpus(64)))
    };
    for (placer, expected) in [(Placer::BestFit, "few-1"), (Placer::Fgd, "many-1")] {
        let mut c = setup(placer).build();
        // What is asked for most of the time: a GPU with eight CPUs.
        let usual: Vec<JobId> = (0..4).map(|_| c.submit(gang(1, 1).cpus(8).hold())).collect();
        let odd = c.run(milli(250).cpus(2));
        assert_eq!(c.nodes_of(odd), [expected], "{placer:?}");
        usual.into_iter().for_each(|job| _ = c.step(Command::Cancel { job }));
    }
}

#[test]
fn a_piece_that_is_closed_is_better_than_one_that_is_left_useless() {
    for placer in [Placer::Muster, Placer::Fgd] {
        let mut c = with(placer, cards(3, "H100x1")).build();
        let here = |node: &str| nodes_where(&format!("@{node}"));
        c.run(milli(500).only_on(here("n-1")));
        c.run(milli(700).only_on(here("n-2")));
        let job = c.run(milli(300));
        assert_eq!(parts(&c, job), "n-2/0:300", "{placer:?}");
    }
}

#[test]
fn without_shares_the_default_places_whole_gpus_as_best_fit_does() {
    let free = "r1: 8 5 3; r2: 8 8 2; r3: 6 4 1";
    for gpus in 1..=8 {
        let mut nodes = Vec::new();
        for placer in [Placer::Muster, Placer::BestFit] {
            let mut c = with(placer, racks(free)).build();
            let job = c.run(gang(1, gpus));
            nodes.push((c.nodes_of(job), c.gpus_of(job, 0)));
        }
        assert_eq!(nodes[0], nodes[1], "{gpus} GPUs");
    }
}

#[test]
fn the_gradient_keeps_racks_whole_for_gangs_that_need_them() {
    let setup = |placer| with(placer, racks("r1: 8 8; r2: 8 0; r3: 8 8"));
    let mut c = setup(Placer::Fgd).build();
    let pair = || gang(2, 8).require("rack");
    let held: Vec<JobId> = (0..4).map(|_| c.submit(pair().hold())).collect();
    let single = c.run(gang(1, 8));
    assert_eq!(c.nodes_of(single), ["r2-1"], "two racks still hold a pair");
    assert_eq!(held.len(), 4);
}

#[test]
fn the_mix_is_kept_in_the_snapshot_and_bounded() {
    let mut c = cards(1, "H100x1").build();
    for part in 2..=40 {
        c.submit(milli(part * 20).hold());
    }
    let mix = c.snapshot().mix;
    assert_eq!(mix.len(), 32);
    assert!(mix.iter().all(|kind| kind.weight > 0));
    let before = mix.iter().map(|kind| kind.weight).sum::<u64>();
    let many = c.submit(gang(1, 1).hold().array(0..2000));
    assert!(c.snapshot().mix.iter().map(|kind| kind.weight).sum::<u64>() <= 256_000);
    assert!(before < 256_000);
    let first = c.snapshot().mix;
    c.step(Command::Cancel { job: many });
    assert_eq!(c.snapshot().mix, first, "what was asked for was asked for");
}

#[test]
fn the_mix_counts_tasks_whatever_their_size() {
    let mut c = cards(1, "H100x8").build();
    c.submit(gang(3, 8).hold());
    c.submit(milli(250).hold());
    c.submit(milli(250).hold());
    c.submit(gang(1, 0).hold());
    let kinds: Vec<(u32, u64)> =
        c.snapshot().mix.iter().map(|kind| (kind.gpus, kind.weight)).collect();
    assert_eq!(kinds, [(0, 2000), (8, 3000)], "and none without GPUs");
}

#[test]
fn kinds_differ_by_doublings_of_their_cpus() {
    let mut c = cards(1, "H100x8").build();
    for cpus in [0, 4, 7, 8, 15, 16, 17] {
        c.submit(milli(250).cpus(cpus).memory(gib(cpus + 1)).hold());
    }
    let mut kinds: Vec<(u64, u64)> =
        c.snapshot().mix.iter().map(|kind| (kind.cpus, kind.weight)).collect();
    kinds.sort_unstable();
    // Of those within a doubling, the mean with the last counting a fourth.
    assert_eq!(kinds, [(0, 1000), (4000, 1000), (7250, 2000), (15_250, 2000), (17_000, 1000)]);
}

#[test]
fn gangs_that_need_no_rack_are_kinds_by_their_tasks_alone() {
    let mut c = racks("r1: 8 8").build();
    c.submit(gang(2, 4).hold());
    c.submit(gang(7, 4).hold());
    c.submit(gang(3, 4).require("rack").hold());
    let kinds: Vec<(u32, u32)> =
        c.snapshot().mix.iter().map(|kind| (kind.gpus, kind.tasks)).collect();
    assert_eq!(kinds, [(4, 1), (4, 4)]);
}
