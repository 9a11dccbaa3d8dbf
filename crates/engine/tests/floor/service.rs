//! Who is served, how many at a time, and for how long they count.

use crate::support::*;

/// One node, full of express jobs of one GPU each; the floor is a quarter of it.
fn full_node(share: u32) -> (World, Vec<JobId>) {
    let mut c = cluster()
        .nodes("n", 1, "H100x8")
        .policy(|policy| policy.floor = floor(share, hours(1), hours(2)))
        .build();
    let running = (0..8).map(|_| c.run(express())).collect();
    (c, running)
}

fn express() -> JobSpec {
    gang(1, 1).class("express")
}

fn filler() -> JobSpec {
    gang(1, 1).class("preemptible")
}

#[test]
fn a_starving_job_is_served_ahead_of_all_tiers() {
    let (mut c, running) = full_node(25);
    let low = c.submit(filler());
    c.advance(minutes(30));
    let high = c.submit(express());
    c.advance(minutes(30));
    c.finish(running[0]);
    assert_eq!((c.word(low), c.word(high)), ("launching", "queued"));
    assert!(c.decision(low).order.floor);
    c.finish(running[1]);
    assert_eq!(c.word(high), "launching");
    assert!(!c.decision(high).order.floor);
}

#[test]
fn before_it_starves_a_job_keeps_its_tier() {
    let (mut c, running) = full_node(25);
    let low = c.submit(filler());
    c.advance(minutes(30));
    let high = c.submit(express());
    c.advance(minutes(29));
    c.finish(running[0]);
    assert_eq!((c.word(low), c.word(high)), ("queued", "launching"));
}

#[test]
fn without_a_floor_nobody_gets_ahead_by_waiting() {
    let (mut c, running) = full_node(0);
    let low = c.submit(filler());
    assert_eq!(c.why(low).latest_start, None);
    for end in running {
        c.advance(days(1));
        let high = c.submit(express());
        c.finish(end);
        assert_eq!((c.word(low), c.word(high)), ("queued", "launching"));
    }
    assert_eq!(c.snapshot().claims, []);
}

#[test]
fn the_longest_waiting_is_served_first() {
    let (mut c, running) = full_node(25);
    let later_in_order = c.submit(gang(1, 1).class("batch").estimate(hours(9), hours(9)));
    c.advance(minutes(1));
    let sooner_in_order = c.submit(gang(1, 1).class("standard").estimate(minutes(1), minutes(1)));
    c.advance(hours(2));
    c.finish(running[3]);
    assert_eq!((c.word(later_in_order), c.word(sooner_in_order)), ("launching", "queued"));
}

#[test]
fn the_floor_serves_no_more_than_its_part_at_a_time() {
    let (mut c, running) = full_node(25);
    let low: Vec<JobId> = (0..4).map(|_| c.submit(filler())).collect();
    c.advance(minutes(59));
    let high: Vec<JobId> = (0..4).map(|_| c.submit(express())).collect();
    c.advance(minutes(1));
    for &end in &running[..4] {
        c.finish(end);
    }
    let words = |c: &World, jobs: &[JobId]| jobs.iter().map(|&job| c.word(job)).collect::<Vec<_>>();
    assert_eq!(words(&c, &low), ["launching", "launching", "queued", "queued"]);
    assert_eq!(words(&c, &high), ["launching", "launching", "queued", "queued"]);
}

#[test]
fn the_next_is_served_when_a_quantum_ends() {
    let (mut c, running) = full_node(25);
    let low: Vec<JobId> = (0..3).map(|_| c.submit(filler())).collect();
    c.advance(hours(1));
    c.finish(running[0]);
    c.finish(running[1]);
    c.confirm(low[0]);
    c.confirm(low[1]);
    c.advance(minutes(119));
    let high = c.submit(express());
    c.finish(running[2]);
    assert_eq!((c.word(low[2]), c.word(high)), ("queued", "launching"), "the floor is in use");
    c.advance(minutes(1));
    let another = c.submit(express());
    c.finish(running[3]);
    assert_eq!((c.word(low[2]), c.word(another)), ("launching", "queued"), "two quanta are over");
    assert_eq!(c.word(low[0]), "running", "who was served keeps what it has");
}

#[test]
fn the_next_is_served_when_one_of_those_served_ends_early() {
    let (mut c, running) = full_node(25);
    let low: Vec<JobId> = (0..3).map(|_| c.submit(filler())).collect();
    c.advance(hours(1));
    c.finish(running[0]);
    c.finish(running[1]);
    let high = c.submit(express());
    c.finish(low[0]);
    assert_eq!((c.word(low[2]), c.word(high)), ("launching", "queued"));
}

#[test]
fn a_gang_larger_than_the_floor_is_served_once_and_then_the_floor_is_full() {
    let mut c = cluster()
        .nodes("n", 2, "H100x8")
        .policy(|policy| policy.floor = floor(10, hours(1), hours(2)))
        .build();
    let running: Vec<JobId> = (0..4).map(|_| c.run(gang(1, 4).class("express"))).collect();
    let wide = c.submit(gang(2, 8).class("batch"));
    let small = c.submit(gang(1, 1).class("batch"));
    c.advance(hours(1));
    assert_eq!(c.claim_of(wide), ["n-1", "n-2"]);
    assert_eq!(c.claim_of(small), [""; 0], "sixteen GPUs are claimed of a floor of two");
    for end in running {
        assert_eq!(c.word(wide), "queued");
        c.finish(end);
    }
    assert_eq!(c.word(wide), "launching");
}

#[test]
fn an_impossible_starving_job_does_not_keep_others_from_being_served() {
    let (mut c, running) = full_node(25);
    let impossible = c.submit(gang(2, 8));
    let low = c.submit(filler());
    c.advance(hours(1));
    let high = c.submit(express());
    c.finish(running[0]);
    assert_eq!((c.word(low), c.word(high)), ("launching", "queued"));
    assert_eq!(c.codes(impossible), ["impossible"]);
    assert_eq!(c.why(impossible).latest_start, None);
}

#[test]
fn what_was_impossible_is_served_when_nodes_join() {
    let (mut c, _) = full_node(100);
    let wide = c.submit(gang(2, 8).class("preemptible"));
    c.advance(hours(2));
    assert_eq!(c.claim_of(wide), [""; 0]);
    c.join(NodeSpec::new("n-2", "H100", 8));
    assert_eq!(c.claim_of(wide), ["n-1", "n-2"]);
}

#[test]
fn a_job_at_its_queues_limit_is_not_served_and_keeps_nobody_back() {
    let mut c = cluster()
        .nodes("n", 1, "H100x8")
        .queue(queue("open"))
        .queue(queue("closed").limit(quota(1)))
        .policy(|policy| policy.floor = floor(25, hours(1), hours(2)))
        .build();
    let in_closed = c.run(gang(1, 1).queue("closed"));
    let running: Vec<JobId> = (0..7).map(|_| c.run(express().queue("open"))).collect();
    let at_limit = c.submit(gang(1, 1).queue("closed"));
    let low = c.submit(filler().queue("open"));
    c.advance(hours(1));
    c.finish(running[0]);
    assert_eq!((c.word(at_limit), c.word(low)), ("queued", "launching"));
    assert_eq!(c.codes(at_limit), ["queue-limit"]);
    assert_eq!(c.why(at_limit).latest_start, None);
    c.submit(express().queue("open"));
    c.finish(in_closed);
    assert_eq!(c.word(at_limit), "launching", "with room below its limit it is the oldest");
}

#[test]
fn a_job_that_runs_again_starves_anew() {
    let (mut c, running) = full_node(25);
    let low = c.submit(filler());
    c.advance(hours(1));
    c.finish(running[0]);
    c.confirm(low);
    c.requeue(low);
    c.submit(express());
    c.stopped(low);
    assert_eq!(c.word(low), "queued", "it had service: the express job goes first");
    c.advance(minutes(59));
    c.finish(running[1]);
    assert_eq!(c.word(low), "launching", "nobody else waits");
}

#[test]
fn a_starving_job_without_gpus_counts_as_one() {
    let mut c = cluster()
        .nodes("n", 1, "H100x8")
        .policy(|policy| policy.floor = floor(12, hours(1), hours(2)))
        .build();
    let running: Vec<JobId> = (0..2).map(|_| c.run(gang(1, 1).cpus(64).class("express"))).collect();
    let low: Vec<JobId> =
        (0..2).map(|_| c.submit(gang(1, 0).cpus(64).class("preemptible"))).collect();
    c.advance(hours(1));
    c.submit(gang(1, 1).cpus(64).class("express"));
    c.finish(running[0]);
    assert_eq!((c.word(low[0]), c.word(low[1])), ("launching", "queued"));
}

#[test]
fn the_floor_holds_under_every_policy() {
    for order in [Order::Muster, Order::Fifo, Order::Sjf, Order::Fair, Order::Srtf, Order::Las] {
        let mut c = cluster()
            .nodes("n", 1, "H100x8")
            .policy(|policy| policy.order = order)
            .policy(|policy| policy.floor = floor(100, hours(1), hours(1)))
            .build();
        let running: Vec<JobId> = (0..2).map(|_| c.run(gang(1, 4).class("express"))).collect();
        let low = c.submit(gang(1, 8).class("preemptible").estimate(days(2), days(2)));
        c.advance(hours(1));
        let high = c.submit(gang(1, 4).class("express").estimate(hours(1), hours(1)));
        c.finish(running[0]);
        assert_eq!(c.word(high), "queued", "{order:?}");
        c.finish(running[1]);
        assert_eq!(c.word(low), "launching", "{order:?}");
    }
}
