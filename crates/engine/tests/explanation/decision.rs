//! Why a job got its place: the domain, the next best, and the terms that put it where it was.

use muster_engine::explain::{OrderTerms, Place};

use crate::support::*;

fn domain(place: &Place) -> String {
    let names: Vec<&str> = place.domain.iter().map(Name::as_str).collect();
    names.join("/")
}

fn adds_up(terms: &OrderTerms) -> bool {
    terms.key == terms.rank - terms.weight - terms.fair_share - terms.urgency
}

#[test]
fn the_chosen_place_and_the_next_best_are_named_with_what_they_leave() {
    let cases = [
        ("the tightest node", "r1: 8 8; r2: 8 3", gang(1, 3), ("r2/r2-2", 0), Some(("r2/r2-1", 1))),
        ("the tightest rack", "r1: 8 8 8; r2: 8 8", gang(2, 8), ("r2", 0), Some(("r1", 1))),
        ("the only rack", "r1: 8 8; r2: 8 4", gang(2, 8).require("rack"), ("r1", 0), None),
        ("over racks", "r1: 8; r2: 8", gang(2, 8), ("", 0), None),
        ("one of two nodes alike", "r1: 8 8", gang(1, 8), ("r1/r1-1", 0), Some(("r1/r1-2", 0))),
        ("the only node", "r1: 5 2", gang(2, 2), ("r1/r1-1", 0), None),
    ];
    for (what, text, spec, chosen, runner_up) in cases {
        let mut c = racks(text).build();
        let job = c.submit(spec);
        let decision = c.decision(job);
        let told = |place: &Place| (domain(place), place.left);
        let expected = |(name, left): (&str, u32)| (name.to_owned(), left);
        assert_eq!(told(&decision.chosen), expected(chosen), "{what}");
        assert_eq!(decision.runner_up.as_ref().map(told), runner_up.map(expected), "{what}");
    }
}

#[test]
fn the_next_best_node_is_one_that_would_have_held_every_group() {
    let mut c = cluster().nodes("n", 3, "H100x8").build();
    c.run(gang(1, 0).cpus(100).only_on(nodes_where("@n-2")));
    let job = c.run(
        JobSpec::new("play", "user-a", "default")
            .group("actors", TaskCount::exactly(1), TaskShape::gpus(4))
            .cpus(10)
            .group("learner", TaskCount::exactly(1), TaskShape::gpus(4))
            .cpus(60),
    );
    let decision = c.decision(job);
    assert_eq!(decision.chosen.nodes, [NodeId(0)]);
    assert_eq!(decision.runner_up.map(|place| domain(&place)), Some("n-3".into()));
}

#[test]
fn the_nodes_in_use_are_named() {
    let mut c = racks("r1: 8 8").build();
    let job = c.submit(gang(2, 8));
    assert_eq!(c.decision(job).chosen.nodes, [NodeId(0), NodeId(1)]);
    c.finish(job);
    assert_eq!(c.decision(job).chosen.nodes, [], "a job that is over is nowhere");
    assert_eq!(domain(&c.decision(job).chosen), "r1", "but where it was is remembered");
}

#[test]
fn a_decision_is_of_the_latest_attempt() {
    let mut c = racks("r1: 8 8").build();
    let job = c.submit(gang(1, 8));
    let first = c.decision(job);
    assert_eq!((first.attempt.0, first.at, domain(&first.chosen)), (1, Time(0), "r1/r1-1".into()));
    c.advance(minutes(1));
    c.refuse(job, "r1-1");
    let second = c.decision(job);
    let told = (second.attempt.0, second.at, domain(&second.chosen));
    assert_eq!(told, (2, Time(60_000), "r1/r1-2".into()));
}

#[test]
fn a_job_that_was_never_placed_has_no_decision() {
    let mut c = racks("r1: 8").build();
    let job = c.submit(gang(1, 8).hold());
    assert_eq!(c.engine.decision(job), None);
}

#[test]
fn the_terms_of_the_order_add_up_to_the_key() {
    let specs = [
        gang(1, 1),
        gang(2, 4).estimate(minutes(3), minutes(10)).weight(2),
        gang(1, 8).estimate(hours(5), hours(9)).weight(-2),
        gang(1, 2).estimate(hours(1), hours(2)).deadline(Time(3 * 3_600_000)),
    ];
    for spec in specs {
        let mut c = racks("r1: 8 8").build();
        let job = c.submit(spec);
        let terms = c.decision(job).order;
        assert!(adds_up(&terms), "{terms:?}");
    }
}

#[test]
fn each_term_is_in_thousandths_of_a_doubling() {
    let mut c = racks("r1: 8 8 8").build();
    let terms = |c: &mut World, spec| {
        let job = c.submit(spec);
        c.decision(job).order
    };
    let short = gang(1, 1).estimate(minutes(1), minutes(2));
    let plain = terms(&mut c, short.clone());
    assert_eq!((plain.weight, plain.fair_share, plain.urgency), (0, 0, 0));
    let wide = terms(&mut c, gang(8, 1).estimate(minutes(1), minutes(2)));
    assert_eq!(wide.rank - plain.rank, 3000, "eight times the GPUs are three doublings");
    let weighty = terms(&mut c, short.weight(2));
    assert_eq!((weighty.weight, weighty.key - plain.key), (2000, -2000));
}

#[test]
fn a_queue_that_has_used_more_than_its_share_is_behind() {
    let mut c =
        cluster().queue(queue("a")).queue(queue("b")).nodes("n", 2, "H100x8").obedient().build();
    c.submit_for(gang(1, 8).queue("a"), hours(4));
    c.advance(hours(5));
    let over = c.submit(gang(1, 1).queue("a"));
    let under = c.submit(gang(1, 1).queue("b"));
    let (over, under) = (c.decision(over).order, c.decision(under).order);
    assert!(over.fair_share < 0 && under.fair_share > 0, "{over:?} {under:?}");
    assert!(over.key > under.key);
    assert!(adds_up(&over) && adds_up(&under));
}

#[test]
fn the_terms_still_add_up_when_a_deadline_has_drawn_nearer_since_the_job_was_queued() {
    let mut c = racks("r1: 8").build();
    let running = c.run(gang(1, 8));
    let spec = gang(1, 8).estimate(hours(1), hours(2)).deadline(Time(10 * 3_600_000));
    let job = c.submit(spec);
    c.advance(hours(3));
    c.finish(running);
    let terms = c.decision(job).order;
    assert!(terms.urgency > 0);
    assert!(adds_up(&terms), "{terms:?}");
}

#[test]
fn a_start_by_the_floor_is_told() {
    let mut c = cluster()
        .nodes("n", 1, "H100x8")
        .policy(|policy| {
            policy.floor.wait = hours(1);
            policy.limit_max = hours(3);
        })
        .build();
    let running = c.run(gang(1, 8));
    assert!(!c.decision(running).order.floor);
    let starving = c.submit(gang(1, 8));
    c.advance(hours(1));
    assert_eq!(c.claim_of(starving), ["n-1"]);
    c.finish(running);
    assert!(c.decision(starving).order.floor);
}

#[test]
fn class_and_guarantee_are_told() {
    let mut c = cluster()
        .queue(queue("a").guarantee(quota(4)))
        .queue(queue("b"))
        .nodes("n", 2, "H100x8")
        .build();
    let cases = [
        ("within", gang(1, 4).queue("a"), true, 500),
        ("beyond", gang(1, 1).queue("a"), false, 500),
        ("without one", gang(1, 1).queue("b").class("inference"), false, 1000),
        ("a filler", gang(1, 1).queue("b").class("preemptible"), false, 0),
    ];
    for (what, spec, guaranteed, class) in cases {
        let job = c.submit(spec);
        let terms = c.decision(job).order;
        assert_eq!((terms.guaranteed, terms.class), (guaranteed, class), "{what}");
    }
}

#[test]
fn a_filler_is_never_within_a_guarantee() {
    let mut c = cluster().queue(queue("a").guarantee(quota(8))).nodes("n", 1, "H100x8").build();
    let job = c.submit(gang(1, 1).queue("a").class("preemptible"));
    assert!(!c.decision(job).order.guaranteed);
}

#[test]
fn under_a_baseline_policy_the_key_is_what_that_policy_orders_by() {
    let cases = [
        (Order::Fifo, 0),
        (Order::Sjf, 60_000),
        (Order::Fair, 0),
        (Order::Srtf, 60_000),
        (Order::Las, 0),
    ];
    for (order, key) in cases {
        let mut c = cluster().nodes("n", 1, "H100x8").policy(|policy| policy.order = order).build();
        let job = c.submit(gang(1, 1).estimate(minutes(1), minutes(2)).weight(2));
        assert_eq!(c.decision(job).order.key, key, "{order:?}");
    }
}
