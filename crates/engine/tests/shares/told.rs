//! What is said of shares: reasons, what would help, books, order and decisions.

use muster_engine::Engine;
use muster_engine::explain::Change;

use super::support::*;

/// Changes that would start a job now.
fn at_once(world: &mut World, job: JobId) -> Vec<Change> {
    let now = world.now();
    let found = world.why(job).alternatives.into_iter();
    found.filter(|change| change.starts == now).map(|change| change.change).collect()
}

#[test]
fn the_largest_free_piece_is_named() {
    let mut c = cards(2, "H100x1").build();
    c.run(milli(900));
    c.run(milli(750));
    let job = c.submit(milli(500));
    let text = "needs 0.5 of a GPU; the largest free piece is 0.25 on node n-2";
    assert_eq!(c.reason_text(job), text);
}

#[test]
fn a_smaller_share_that_would_start_is_offered() {
    let mut c = cards(1, "H100x1").build();
    c.run(milli(600));
    let job = c.submit(milli(500));
    assert_eq!(at_once(&mut c, job), [Change::Share(MilliGpu(375))]);
    let smaller = c.submit(milli(375));
    assert!(c.is_placed(smaller), "what is said to help helps");
}

#[test]
fn no_share_is_offered_where_none_would_start() {
    let mut c = cards(1, "H100x1").build();
    c.run(gang(1, 1));
    let job = c.submit(milli(500));
    assert_eq!(at_once(&mut c, job), []);
    let text = "needs 0.5 of a GPU; none is free that could be shared as it asks";
    assert_eq!(c.reason_text(job), text);
}

#[test]
fn fewer_tasks_are_offered_to_a_gang_of_shares() {
    let mut c = cards(1, "H100x2").build();
    let mut spec = milli(400);
    spec.groups[0].tasks = TaskCount::exactly(5);
    let job = c.submit(spec);
    assert!(c.codes(job).contains(&"impossible"), "two GPUs hold four");
    c.join(NodeSpec::new("m", "H100", 1));
    assert!(c.is_placed(job));
    let mut spec = milli(400);
    spec.groups[0].tasks = TaskCount::exactly(3);
    let next = c.submit(spec);
    let text = "parts of GPUs are free for 1 of its 3 tasks of 0.4 of a GPU each";
    assert_eq!(c.reason_text(next), text);
    let found = at_once(&mut c, next);
    assert_eq!(found, [Change::Smaller { tasks: 1, gpus: 0 }, Change::Share(MilliGpu(125))]);
}

#[test]
fn cpus_beside_a_piece_are_named_when_they_are_short() {
    let mut c = cluster().nodes_with("n", 1, "H100x1", |node| node.cpus(2)).build();
    c.run(milli(100).cpus(2));
    let job = c.submit(milli(100).cpus(1));
    assert_eq!(c.codes(job), ["host-resources"]);
}

#[test]
fn slices_in_the_wrong_place_are_told_apart_from_pieces_that_are_too_small() {
    let mut c = cards(1, "A100x1").build();
    let [first, _] = ["3g.40gb", "3g.40gb"].map(|profile| c.run(mig(profile)));
    c.finish(first);
    let half = c.submit(mig("4g.40gb"));
    let text = "needs 0.5 of a GPU; what is free of GPUs is not where its slices can be";
    assert_eq!(c.reason_text(half), text, "the upper half is free, and it starts in the lower");
    let whole = c.submit(mig("7g.80gb"));
    let text = "needs 1 of a GPU; the largest free piece is 0.5 on node n-1";
    assert_eq!(c.reason_text(whole), text);
}

#[test]
fn a_share_counts_as_its_part_in_the_books_and_against_limits() {
    let limit = Quota { gpus: Some(MilliGpu(700)), ..Quota::default() };
    let mut c = cards(1, "H100x2").queue(queue("default").limit(limit)).build();
    c.run(milli(500));
    assert_eq!(c.engine.accounts()[0].used, MilliGpu(500));
    let job = c.submit(milli(250));
    let text = "queue default uses 0.500 of its 0.700 GPUs; 0.250 more are wanted";
    assert_eq!(c.reason_text(job), text);
    let fits = c.submit(milli(200));
    assert!(c.is_placed(fits));
}

#[test]
fn a_limit_lets_a_share_in_as_soon_as_there_is_room_for_it() {
    let limit = Quota { gpus: Some(MilliGpu(700)), ..Quota::default() };
    let mut c = cards(1, "H100x2").queue(queue("default").limit(limit)).build();
    let [first, second] = [300, 400].map(|part| c.run(milli(part)));
    let job = c.submit(milli(350));
    assert_eq!(c.codes(job), ["queue-limit"]);
    c.finish(first);
    assert_eq!(c.codes(job), ["queue-limit"], "300 are not enough");
    c.finish(second);
    assert!(c.is_placed(job));
}

#[test]
fn memory_is_charged_as_its_part_of_the_model_it_is_on() {
    let limit = Quota { gpus: Some(MilliGpu(300)), ..Quota::default() };
    let setup = cluster().nodes("l", 1, "L4x1").queue(queue("default").limit(limit));
    let mut c = setup.build();
    let job = c.submit(part(Share::memory(gib(20))));
    assert_eq!(c.codes(job), ["queue-limit"], "20 of 24 GiB");
    c.join(NodeSpec::new("h", "H100", 1));
    assert_eq!(parts(&c, job), "h/0:250", "20 of 80 GiB");
    assert_eq!(c.engine.accounts()[0].used, MilliGpu(250));
    c.finish(job);
    assert_eq!(c.engine.accounts()[0].used, MilliGpu(0));
}

#[test]
fn usage_of_a_share_is_its_part_of_the_time() {
    let mut c = cards(1, "H100x1").build();
    let job = c.run(milli(250).cpus(0));
    c.advance(seconds(400));
    c.finish(job);
    assert_eq!(c.gpu_seconds_of("default"), 100);
}

#[test]
fn a_smaller_share_goes_before_a_larger_one_of_the_same_length() {
    let mut c = cards(1, "H100x1").build();
    let full = c.run(gang(1, 1));
    let same = |spec: JobSpec| spec.estimate(hours(1), hours(2));
    let large = c.submit(same(milli(800)));
    let small = c.submit(same(milli(400)));
    c.finish(full);
    assert!(c.is_placed(small) && !c.is_placed(large));
}

#[test]
fn memory_is_ranked_by_what_it_takes_of_the_gpus_there_are() {
    let mut c = cards(1, "H100x1").build();
    let full = c.run(gang(1, 1));
    let same = |spec: JobSpec| spec.estimate(hours(1), hours(2));
    let by_part = c.submit(same(milli(500)));
    let by_memory = c.submit(same(part(Share::memory(gib(20)))));
    let [large, small] = [by_part, by_memory].map(|job| c.record(job).key);
    assert_eq!(large - small, 1000, "a quarter is a doubling less than a half");
    c.finish(full);
    assert!(c.is_placed(by_part) && c.is_placed(by_memory));
    let mix = c.snapshot().mix;
    assert!(mix.iter().any(|kind| kind.share == Some((Isolation::Soft, 250))), "{mix:?}");
}

#[test]
fn a_decision_tells_what_more_the_node_could_have_held() {
    let mut c = cards(2, "H100x2").build();
    c.run(milli(250));
    let job = c.run(milli(250));
    let decision = c.decision(job);
    assert_eq!(decision.chosen.left, 6, "half a GPU and a whole one");
    assert_eq!(decision.runner_up.map(|place| place.left), Some(7));
}

#[test]
fn a_starving_share_is_served_by_the_floor() {
    let setup = cards(1, "H100x1").policy(|policy| {
        policy.floor = floor(100, hours(1), hours(1));
        policy.limit_max = hours(4);
    });
    let mut c = setup.obedient().build();
    c.submit(milli(600).limit(hours(4)));
    let starving = c.submit(milli(600).class("batch"));
    let latest = c.why(starving).latest_start.expect("there is a floor");
    c.advance(hours(2));
    assert_eq!(c.claim_of(starving), ["n-1"]);
    let late = c.submit(milli(100));
    assert!(!c.is_placed(late), "the node is held");
    c.advance(hours(3));
    assert!(c.is_placed(starving));
    assert!(c.started_at(starving).is_some_and(|at| at <= latest));
}

#[test]
fn an_engine_that_is_restored_knows_what_is_left_of_every_gpu() {
    let mut c = cards(2, "A100x2").build();
    for spec in [milli(300), mig("2g.20gb"), part(Share::memory(gib(20)).isolated(Isolation::None))]
    {
        c.run(spec);
    }
    c.engine = Engine::restore(c.snapshot(), c.tuning).expect("its own snapshot");
    let found = places(&mut c, [milli(700), mig("4g.40gb"), milli(100)]);
    assert_eq!(found, ["n-1/0:700", "n-1/1:500", "n-2/1:100"]);
}
