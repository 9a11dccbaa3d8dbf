//! What would start a job now, or sooner: each change by itself, over small clusters.

use muster_engine::explain::{Alternative, Change};

use crate::support::*;

fn changes(world: &mut World, job: JobId) -> Vec<Change> {
    world.why(job).alternatives.into_iter().map(|alternative| alternative.change).collect()
}

/// The changes that start a job now, without those that wait for another's end.
fn at_once(world: &mut World, job: JobId) -> Vec<Change> {
    let mut found = changes(world, job);
    found.retain(|change| !matches!(change, Change::WhenEnds(_)));
    found
}

#[test]
fn fewer_tasks_as_many_as_fit() {
    let cases = [
        ("on one node", racks("r1: 5"), gang(8, 1), Some((5, 5))),
        ("over nodes", racks("r1: 5 3"), gang(6, 2), Some((3, 6))),
        ("in whole blocks", racks("r1: 8 8; r2: 8"), gang(4, 8).segment(2, "rack"), Some((2, 16))),
        ("in one rack", racks("r1: 8 8; r2: 8"), gang(4, 8).require("rack"), Some((2, 16))),
        ("one task cannot be fewer", racks("r1: 5"), gang(1, 8), None),
        ("no room for a single one", racks("r1: 1 1"), gang(4, 2), None),
    ];
    for (what, setup, spec, expected) in cases {
        let mut c = setup.build();
        let job = c.submit(spec);
        let found = at_once(&mut c, job).into_iter().find_map(|change| match change {
            Change::Smaller { tasks, gpus } => Some((tasks, gpus)),
            _ => None,
        });
        assert_eq!(found, expected, "{what}");
    }
}

#[test]
fn fewer_tasks_as_many_as_limits_allow() {
    let by_model = Quota::default().model("H100", 5);
    let cases = [
        ("a limit of the queue", queue("default").limit(quota(5))),
        ("a limit of a model", queue("default").limit(by_model.clone())),
        ("a limit of the user", queue("default").user_limit(quota(5))),
        ("a limit of the user and a model", queue("default").user_limit(by_model)),
        ("a limit of CPUs", queue("default").limit(Quota::default().cpus(20))),
        ("a limit of memory", queue("default").limit(Quota::default().memory(gib(80)))),
    ];
    for (what, limited) in cases {
        let mut c = cluster().queue(limited).nodes("n", 2, "H100x8").build();
        let job = c.submit(gang(8, 1));
        let found = at_once(&mut c, job);
        assert!(found.contains(&Change::Smaller { tasks: 5, gpus: 5 }), "{what}: {found:?}");
    }
}

#[test]
fn another_model_that_has_room() {
    let mixed = || {
        cluster()
            .nodes("h", 1, "H100x8")
            .nodes("a", 1, "A100x8")
            .nodes("l", 1, "L40Sx8")
            .filled("h-1", 8)
            .filled("l-1", 4)
    };
    let mut c = mixed().build();
    let job = c.submit(gang(1, 8).models(["H100"]));
    assert_eq!(at_once(&mut c, job), [Change::Model("A100".into())]);
    let small = c.submit(gang(1, 4).models(["H100"]));
    let both = [Change::Model("A100".into()), Change::Model("L40S".into())];
    let found = at_once(&mut c, small);
    assert!(both.iter().all(|change| found.contains(change)), "{found:?}");
}

#[test]
fn a_job_that_takes_any_model_is_offered_none() {
    let mut c = cluster().nodes("h", 1, "H100x8").filled("h-1", 8).build();
    let job = c.submit(gang(1, 8));
    assert_eq!(at_once(&mut c, job), []);
}

#[test]
fn without_the_level_it_requires() {
    let mut c = racks("r1: 8; r2: 8").build();
    let job = c.submit(gang(2, 8).require("rack"));
    let found = at_once(&mut c, job);
    assert!(found.contains(&Change::WithoutLevel("rack".into())), "{found:?}");
    let hopeless = c.submit(gang(3, 8).require("rack"));
    let found = at_once(&mut c, hopeless);
    assert!(!found.contains(&Change::WithoutLevel("rack".into())), "{found:?}");
}

#[test]
fn without_the_constraint_on_nodes() {
    let mut c = racks("r1: 8 0").build();
    let on_full = Expression::Node(vec!["r1-2".into()]);
    let job = c.submit(gang(1, 8).only_on(on_full.clone()));
    assert_eq!(at_once(&mut c, job), [Change::WithoutConstraint]);
    c.run(gang(1, 8));
    assert_eq!(at_once(&mut c, job), [], "now there is no room at all");
}

#[test]
fn more_quota_as_much_as_is_missing() {
    let mut c = cluster().queue(queue("default").limit(quota(6))).nodes("n", 2, "H100x8").build();
    c.run(gang(1, 4));
    let job = c.submit(gang(1, 8));
    let more = Change::MoreQuota { queue: "default".into(), gpus: 6000 };
    assert_eq!(at_once(&mut c, job), [more]);
}

#[test]
fn more_quota_is_not_offered_where_room_is_missing_too() {
    let mut c = cluster().queue(queue("default").limit(quota(4))).nodes("n", 1, "H100x8").build();
    c.run(gang(1, 4));
    let job = c.submit(gang(1, 8));
    assert!(!changes(&mut c, job).iter().any(|change| matches!(change, Change::MoreQuota { .. })));
}

#[test]
fn more_quota_in_one_queue_is_not_offered_where_another_limit_stands_behind_it() {
    let second_limits = [
        ("of the queue above", queue("team").limit(quota(6)), queue("team/a").limit(quota(4))),
        ("of a model", queue("team"), queue("team/a").limit(quota(4).model("H100", 4))),
        ("of CPUs", queue("team"), queue("team/a").limit(quota(4).cpus(16))),
        ("of the user", queue("team"), queue("team/a").limit(quota(4)).user_limit(quota(4))),
    ];
    for (what, parent, child) in second_limits {
        let mut c = cluster().queue(parent).queue(child).nodes("n", 2, "H100x8").build();
        let job = c.submit(gang(1, 8).queue("team/a"));
        let found = changes(&mut c, job);
        let offers = found.iter().any(|change| matches!(change, Change::MoreQuota { .. }));
        assert!(!offers, "the limit {what} stands in the way as well: {found:?}");
    }
}

#[test]
fn when_another_job_ends_and_that_is_expected_soonest() {
    let mut c = cluster().nodes("n", 3, "H100x8").build();
    let long = c.run(gang(1, 8).estimate(hours(2), hours(3)));
    let half = c.run(gang(1, 4).estimate(minutes(5), minutes(9)));
    let beside = c.run(gang(1, 4).estimate(hours(3), hours(4)));
    let short = c.run(gang(1, 8).estimate(minutes(40), hours(1)));
    let job = c.submit(gang(1, 8));
    let found = c.why(job).alternatives;
    let when = Alternative { change: Change::WhenEnds(short), starts: Time(2_400_000) };
    assert_eq!(found, [when], "not {half}, {beside} or {long}");
}

#[test]
fn when_a_job_of_the_same_queue_ends_where_quota_is_missing() {
    let mut c = cluster()
        .queue(queue("a").limit(quota(8)))
        .queue(queue("b"))
        .nodes("n", 3, "H100x8")
        .build();
    c.run(gang(1, 8).queue("b").estimate(minutes(1), minutes(2)));
    let own = c.run(gang(1, 8).queue("a").estimate(minutes(30), minutes(40)));
    let job = c.submit(gang(1, 8).queue("a"));
    let found = c.why(job).alternatives;
    let when = Alternative { change: Change::WhenEnds(own), starts: Time(1_800_000) };
    assert!(found.contains(&when), "{found:?}");
}

#[test]
fn no_single_end_is_named_where_none_is_enough() {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    c.run(gang(1, 8));
    c.run(gang(1, 8));
    let job = c.submit(gang(2, 8));
    assert_eq!(changes(&mut c, job), []);
}

#[test]
fn the_end_that_will_serve_someone_ahead_is_not_promised_to_those_behind() {
    let mut c = cluster().nodes("n", 1, "H100x8").build();
    let running = c.run(gang(1, 8));
    let first = c.submit(gang(1, 8).class("express"));
    let second = c.submit(gang(1, 8));
    assert_eq!(changes(&mut c, first), [Change::WhenEnds(running)]);
    assert_eq!(changes(&mut c, second), [], "the first takes what becomes free");
}

#[test]
fn nothing_smaller_helps_behind_a_blocking_head() {
    let mut c = cluster()
        .nodes("n", 1, "H100x8")
        .filled("n-1", 4)
        .policy(|policy| policy.order = Order::Fifo)
        .build();
    c.submit(gang(1, 8));
    let behind = c.submit(gang(4, 1));
    assert_eq!(c.codes(behind), ["behind"]);
    assert_eq!(at_once(&mut c, behind), []);
}

#[test]
fn a_job_that_waits_for_something_else_is_offered_nothing() {
    let mut c = racks("r1: 8; r2: 8").build();
    let job = c.submit(gang(2, 8).require("rack").hold());
    assert_eq!(changes(&mut c, job), []);
}

#[test]
fn an_impossible_job_is_told_what_would_be_possible() {
    let mut c = racks("r1: 8 8").build();
    let too_wide = c.submit(gang(3, 8));
    assert_eq!(at_once(&mut c, too_wide), [Change::Smaller { tasks: 2, gpus: 16 }]);
    let other_model = c.submit(gang(1, 8).models(["A100"]));
    assert_eq!(at_once(&mut c, other_model), [Change::Model("H100".into())]);
}

#[test]
fn more_quota_is_offered_to_whom_the_fair_shares_of_this_moment_put_first() {
    let team = |gpus| queue("team").limit(quota(gpus));
    let mut c = cluster()
        .queue(team(4))
        .queue(queue("team/a"))
        .queue(queue("team/b"))
        .nodes("n", 1, "H100x8")
        .build();
    c.run(gang(1, 1).queue("team/a"));
    let short = c.submit(gang(1, 4).queue("team/a").estimate(minutes(1), minutes(2)));
    let long = c.submit(gang(1, 4).queue("team/b").estimate(minutes(8), minutes(16)));
    // Nothing happens, but all that is used is used by one of the two.
    c.advance(minutes(1));
    let more = Change::MoreQuota { queue: "team".into(), gpus: 1000 };
    assert!(!changes(&mut c, short).contains(&more), "its queue has had more than its share");
    assert!(changes(&mut c, long).contains(&more), "its queue has had nothing");
    c.set_queue(team(5));
    assert_eq!((c.word(short), c.word(long)), ("queued", "launching"));
}

#[test]
fn the_end_of_a_job_is_promised_to_whom_the_fair_shares_of_this_moment_put_first() {
    let mut c = cluster().queue(queue("a")).queue(queue("b")).nodes("n", 1, "H100x8").build();
    let running = c.run(gang(1, 8).queue("a"));
    let short = c.submit(gang(1, 8).queue("a").estimate(minutes(1), minutes(2)));
    let long = c.submit(gang(1, 8).queue("b").estimate(minutes(8), minutes(16)));
    c.advance(minutes(1));
    assert_eq!(changes(&mut c, short), [], "its queue has had all of it");
    assert_eq!(changes(&mut c, long), [Change::WhenEnds(running)]);
    c.finish(running);
    assert_eq!((c.word(short), c.word(long)), ("queued", "launching"));
}
