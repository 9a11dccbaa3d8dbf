//! Gangs with shares: several tasks on one GPU, several groups, levels and spreading.

use super::support::*;

fn tasks(count: u32, spec: JobSpec) -> JobSpec {
    let mut spec = spec;
    spec.groups[0].tasks = TaskCount::exactly(count);
    spec
}

fn quarter() -> Share {
    Share::fraction(MilliGpu(250))
}

#[test]
fn two_tasks_of_a_job_may_sit_on_one_gpu() {
    let mut c = cards(1, "H100x2").build();
    let job = c.run(tasks(3, milli(500)));
    assert_eq!(parts(&c, job), "n-1/0:500 n-1/0:500 n-1/1:500");
}

#[test]
fn a_gang_of_shares_starts_whole_or_not_at_all() {
    let mut c = cards(1, "H100x2").build();
    let job = c.submit(tasks(5, milli(400)));
    assert_eq!(c.word(job), "queued");
    assert_eq!(c.free_total(), 2);
    let fits = c.submit(tasks(4, milli(400)));
    assert_eq!(parts(&c, fits), "n-1/0:400 n-1/0:400 n-1/1:400 n-1/1:400");
}

#[test]
fn a_gang_fills_what_is_left_before_it_breaks_whole_gpus() {
    let mut c = cards(3, "H100x2").build();
    let here = |node: &str| nodes_where(&format!("@{node}"));
    c.run(milli(500).only_on(here("n-1")));
    c.run(milli(250).only_on(here("n-2")));
    let job = c.run(tasks(12, milli(250)));
    assert_eq!(c.layout(job), "n-1:6 n-2:6", "the third node stays whole");
}

#[test]
fn a_gang_of_shares_fits_on_pieces_alone() {
    let mut c = cards(2, "H100x1").build();
    c.run(milli(500).only_on(nodes_where("@n-1")));
    c.run(milli(500).only_on(nodes_where("@n-2")));
    let job = c.run(tasks(4, milli(250)));
    assert_eq!(c.layout(job), "n-1:2 n-2:2");
}

#[test]
fn no_gpu_of_a_node_is_broken_while_other_nodes_have_pieces() {
    let mut c = cards(4, "H100x3").build();
    for node in ["n-1", "n-1", "n-2", "n-3", "n-4"] {
        c.run(milli(600).only_on(nodes_where(&format!("@{node}"))));
    }
    c.break_gpu("n-1", 0);
    let job = c.run(tasks(13, milli(200)));
    let pieces = |node: &str| c.tasks_of(job).iter().filter(|(name, _)| name == node).count();
    let each = ["n-1", "n-2", "n-3", "n-4"].map(pieces);
    assert_eq!(each, [7, 2, 2, 2], "two beside each share, none beside one on a GPU with errors");
}

#[test]
fn pieces_too_small_for_a_share_are_no_room() {
    let setup = cluster().levels(["rack"]).nodes("r1", 2, "H100x2").nodes("r2", 2, "H100x1");
    let mut c = setup.build();
    c.run(milli(600).only_on(nodes_where("@r1-1")));
    c.run(milli(600).only_on(nodes_where("@r1-2")));
    let job = c.run(tasks(4, milli(500)));
    assert_eq!(c.layout(job), "r1-1:2 r1-2:2", "of racks that are just large enough the first");
}

#[test]
fn shares_of_a_gang_stay_in_the_rack_they_require() {
    let setup = cluster().levels(["rack"]).nodes("r1", 1, "H100x1").nodes("r2", 2, "H100x1");
    let mut c = setup.build();
    let wide = c.run(tasks(6, milli(250)).require("rack"));
    assert_eq!(c.layout(wide), "r2-1:4 r2-2:2");
    let too_wide = c.submit(tasks(5, milli(250)).require("rack"));
    assert_eq!(c.word(too_wide), "queued");
}

#[test]
fn shares_spread_over_nodes_when_asked() {
    let mut c = cards(4, "H100x2").build();
    let mut spec = tasks(4, milli(250));
    spec.topology.spread = true;
    let job = c.run(spec);
    assert_eq!(c.layout(job), "n-1:1 n-2:1 n-3:1 n-4:1");
}

#[test]
fn blocks_of_shares_share_a_node() {
    let mut c = cards(3, "H100x1").build();
    c.run(milli(500).only_on(nodes_where("@n-1")));
    let job = c.run(tasks(6, milli(250)).segment(3, Level::Node));
    assert_eq!(c.layout(job), "n-2:3 n-3:3");
}

#[test]
fn no_block_of_shares_is_begun_on_a_piece_too_small_for_it() {
    let mut c = cards(2, "H100x2").build();
    c.run(milli(500).only_on(nodes_where("@n-1")));
    let job = c.run(tasks(9, milli(250)).segment(3, Level::Node));
    assert_eq!(c.layout(job), "n-1:6 n-2:3");
}

#[test]
fn whole_gpus_and_shares_go_together_in_one_job() {
    let mut c = cards(1, "H100x4").build();
    let mut shape = TaskShape::share(quarter());
    (shape.cpus, shape.memory) = (muster_model::MilliCpu::whole(1), gib(1));
    let mixed = gang(1, 3).group("serve", TaskCount::exactly(4), shape);
    let job = c.run(mixed.clone());
    assert_eq!(parts(&c, job), "n-1/0,1,2 n-1/3:250 n-1/3:250 n-1/3:250 n-1/3:250");
    let next = c.submit(mixed);
    assert_eq!(c.word(next), "queued");
    c.finish(job);
    assert!(c.is_placed(next));
}

#[test]
fn groups_of_different_isolation_never_share_a_gpu() {
    let mut c = cards(1, "H100x2").build();
    let with = |isolation| {
        let mut shape = TaskShape::share(quarter().isolated(isolation));
        (shape.cpus, shape.memory) = (muster_model::MilliCpu::whole(1), gib(1));
        shape
    };
    let job = tasks(2, milli(250)).group("b", TaskCount::exactly(2), with(Isolation::None));
    let three = job.clone().group("c", TaskCount::exactly(1), with(Isolation::Hard));
    let impossible = c.submit(three);
    assert_eq!(c.codes(impossible), ["impossible"]);
    let job = c.run(job);
    assert_eq!(parts(&c, job), "n-1/0:250 n-1/0:250 n-1/1:250 n-1/1:250");
}

#[test]
fn an_array_of_shares_packs_as_single_jobs_do() {
    let mut c = cards(1, "H100x2").build();
    let array = c.submit(milli(250).array(0..9));
    let running = (1..=9).filter(|index| c.is_placed(JobId(array.0 + index))).count();
    assert_eq!(running, 8);
}

#[test]
fn a_lost_node_takes_its_shares_along_and_they_start_elsewhere() {
    let mut c = cards(2, "H100x1").build();
    let job = c.run(milli(500));
    assert_eq!(parts(&c, job), "n-1/0:500");
    c.lose("n-1", seconds(10));
    c.advance(seconds(11));
    assert_eq!(parts(&c, job), "n-2/0:500");
}

#[test]
fn room_for_one_share_starts_a_gang_whose_other_has_its_own() {
    let mut c = cards(2, "H100x1").build();
    c.run(milli(500).only_on(nodes_where("@n-1")));
    let large = c.run(milli(600).only_on(nodes_where("@n-2")));
    c.run(milli(400).only_on(nodes_where("@n-2")));
    let waiting = c.submit(tasks(2, milli(500)));
    assert_eq!(c.word(waiting), "queued");
    c.finish(large);
    assert_eq!(c.layout(waiting), "n-1:1 n-2:1");
}
