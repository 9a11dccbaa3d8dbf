//! How much of a GPU a share takes, and who fits beside whom.

use super::support::*;

#[test]
fn shares_go_beside_each_other_before_a_whole_gpu_is_broken() {
    let mut c = cards(1, "H100x2").build();
    let found = places(&mut c, [milli(500), milli(250), milli(250), milli(100)]);
    assert_eq!(found, ["n-1/0:500", "n-1/0:250", "n-1/0:250", "n-1/1:100"]);
}

#[test]
fn a_share_goes_to_the_gpu_with_the_least_left_that_is_enough() {
    let mut c = cards(1, "H100x4").build();
    let found = places(&mut c, [milli(600), milli(700), milli(500), milli(300), milli(400)]);
    assert_eq!(found, ["n-1/0:600", "n-1/1:700", "n-1/2:500", "n-1/1:300", "n-1/0:400"]);
}

#[test]
fn nothing_fits_that_exceeds_what_is_left_by_a_thousandth() {
    let mut c = cards(1, "H100x1").build();
    let found = places(&mut c, [milli(600), milli(401), milli(400)]);
    assert_eq!(found, ["n-1/0:600", "waits", "n-1/0:400"]);
}

#[test]
fn a_gpu_with_a_share_on_it_is_not_free_for_whole_gpu_tasks() {
    let mut c = cards(1, "H100x2").build();
    let small = c.run(milli(25));
    let both = c.submit(gang(1, 2));
    assert_eq!(c.word(both), "queued");
    let one = c.submit(gang(1, 1));
    assert_eq!(parts(&c, one), "n-1/1");
    c.finish(one);
    c.finish(small);
    assert_eq!(parts(&c, both), "n-1/0,1", "whole again with the last share gone");
}

#[test]
fn memory_counts_as_its_part_of_the_card() {
    let mut c = cards(1, "H100x1").build();
    let forty = c.run(part(Share::memory(gib(40))));
    assert_eq!(share_of(&c, forty).milli, MilliGpu(500));
    assert_eq!(share_of(&c, forty).memory, gib(40));
    let found = places(&mut c, [part(Share::memory(gib(41))), milli(500)]);
    assert_eq!(found, ["waits", "n-1/0:500"]);
}

#[test]
fn the_same_memory_is_another_part_of_another_model() {
    let mut c = cards(1, "H100x1").nodes("m", 1, "L4x1").build();
    let twenty = || part(Share::memory(gib(20)));
    let large = c.run(twenty().models(["H100"]));
    let small = c.run(twenty().models(["L4"]));
    assert_eq!(share_of(&c, large).milli, MilliGpu(250));
    assert_eq!(share_of(&c, small).milli, MilliGpu(834));
}

#[test]
fn a_model_with_too_little_memory_is_not_considered() {
    let mut c = cluster().nodes("m", 4, "T4x8").build();
    let job = c.submit(part(Share::memory(gib(20))));
    assert_eq!(c.word(job), "queued");
    assert_eq!(c.codes(job), ["impossible"]);
    c.join(NodeSpec::new("large", "L40S", 1));
    assert_eq!(parts(&c, job), "large/0:417");
}

#[test]
fn memory_is_promised_no_further_than_the_card_has_it() {
    let mut c = cards(1, "H200x1").build();
    let jobs: Vec<JobId> = (0..8).map(|_| c.submit(part(Share::memory(gib(20))))).collect();
    let given: u64 = jobs.iter().filter(|&&job| c.is_placed(job)).count() as u64 * 20;
    assert_eq!(given, 140, "seven times 20 of 141 GiB");
}

#[test]
fn a_whole_gpu_as_a_share_is_the_whole_gpu() {
    let mut c = cards(1, "H100x1").build();
    let found = places(&mut c, [milli(1000), milli(25)]);
    assert_eq!(found, ["n-1/0:1000", "waits"]);
}

#[test]
fn a_gpu_is_shared_by_forty_at_most() {
    let mut c = cards(1, "H100x1").build();
    let jobs: Vec<JobId> = (0..41).map(|_| c.submit(milli(1).cpus(0))).collect();
    assert_eq!(jobs.iter().filter(|&&job| c.is_placed(job)).count(), 40);
    assert_eq!(share_of(&c, jobs[0]).milli, MilliGpu(25));
}

#[test]
fn an_unhealthy_gpu_gets_no_more_shares_and_keeps_those_it_has() {
    let mut c = cards(1, "H100x2").build();
    let first = c.run(milli(250));
    let node = c.node("n-1");
    c.step(Command::GpuUnhealthy { node, gpu: 0 });
    let second = c.run(milli(250));
    assert_eq!(parts(&c, second), "n-1/1:250");
    assert_eq!(c.word(first), "running");
    let large = c.submit(milli(800));
    assert_eq!(c.word(large), "queued");
    c.finish(first);
    assert_eq!(c.word(large), "queued", "free, but not well");
    c.step(Command::GpuHealthy { node, gpu: 0 });
    assert_eq!(parts(&c, large), "n-1/0:800");
}

#[test]
fn a_share_needs_cpus_and_memory_too() {
    let mut c = cluster().nodes_with("n", 1, "H100x1", |node| node.cpus(3)).build();
    let found = places(&mut c, [milli(100).cpus(2), milli(100).cpus(2), milli(100).cpus(1)]);
    assert_eq!(found, ["n-1/0:100", "waits", "n-1/0:100"]);
}

#[test]
fn a_share_that_ends_lets_the_next_in() {
    let mut c = cards(1, "H100x1").build();
    let jobs = [milli(400), milli(400), milli(200)].map(|spec| c.run(spec));
    let waiting = c.submit(milli(600));
    assert_eq!(c.word(waiting), "queued");
    c.finish(jobs[2]);
    assert_eq!(c.word(waiting), "queued", "200 are free");
    c.finish(jobs[0]);
    assert_eq!(parts(&c, waiting), "n-1/0:600");
}
