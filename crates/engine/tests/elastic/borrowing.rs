//! Reserved GPUs are lent to elastic jobs that can shrink out of them in time, and the gang they
//! are reserved for starts as if nothing had been lent.

use muster_engine::explain::{Lent, NotLarger};
use muster_model::Rung;

use super::words::*;
use crate::support::*;

/// Three nodes, the first with an elastic job, and a gang for which the two others are reserved.
struct Scene {
    world: World,
    elastic: JobId,
    gang: JobId,
    /// The jobs the gang waits for: one ends in about half an hour, the other in about two hours.
    soon: JobId,
    late: JobId,
}

/// The scene when the first of the two nodes has become free, after half an hour.
fn scene(elastic: JobSpec) -> Scene {
    let mut scene = full_scene(with_gangs(queue("default")), elastic);
    scene.free_the_first(minutes(30));
    scene
}

/// A queue, and one for the gang alone.
fn with_gangs(queue: QueueSpec) -> Setup {
    cluster().queue(queue).queue(QueueSpec::new("gangs"))
}

/// The scene while all nodes are taken, after twenty minutes.
fn full_scene(setup: Setup, elastic: JobSpec) -> Scene {
    let setup = setup.nodes("n", 3, "H100x8").reservations(4, 16);
    let mut world = setup.doubted().build();
    let on = |node: &str| gang(1, 8).only_on(Expression::Node(vec![node.into()]));
    let soon = world.run(on("n-2").estimate(minutes(30), minutes(31)));
    let late = world.run(on("n-3").estimate(hours(2), minutes(121)));
    let elastic = world.run(elastic);
    world.advance(minutes(20));
    let gang = world.submit(gang(2, 8).queue("gangs").estimate(hours(1), hours(2)));
    assert_eq!(world.claim_of(gang), ["n-2", "n-3"]);
    Scene { world, elastic, gang, soon, late }
}

/// A job of one or two tasks of a whole node.
fn pair() -> JobSpec {
    wide(1, 2, 8)
}

impl Scene {
    /// The first of the two nodes becomes free so long after all began.
    fn free_the_first(&mut self, after: Millis) {
        self.world.advance_to(Time(0) + after);
        self.world.finish(self.soon);
    }

    /// From which rank on the tasks of the elastic job were only lent to it.
    fn lent_from(&self) -> Option<u32> {
        self.world.record(self.elastic).run?.elastic?.lent_from
    }

    /// When the gang is expected to start.
    fn start(&self) -> Option<Time> {
        let claims = self.world.snapshot().claims;
        let claim = claims.into_iter().find(|claim| claim.job == self.gang);
        claim.and_then(|claim| claim.reserved).map(|reserved| reserved.start)
    }
}

#[test]
fn reserved_gpus_are_lent_to_an_elastic_job_that_can_shrink_out_of_them() {
    let mut s = scene(pair());
    s.world.resized(s.elastic);
    assert_eq!(s.world.node_of_each_task(s.elastic), ["n-1", "n-2"]);
    assert_eq!(s.lent_from(), Some(1));
    assert_eq!(s.world.claim_of(s.gang), ["n-2", "n-3"], "they are reserved as before");
}

#[test]
fn gang_starts_when_the_rest_is_free_and_nobody_is_paused() {
    for class in ["batch", "standard", "express"] {
        let mut s = scene(pair().class(class));
        s.world.resized(s.elastic);
        assert_eq!(s.world.size(s.elastic), 2, "{class}");
        let actions = s.world.finish(s.late);
        assert_eq!(asked(&actions, s.elastic), [(s.world.node("n-2"), 0)], "{class}");
        assert_eq!(s.world.codes(s.gang), ["making"]);
        s.world.resized(s.elastic);
        assert_eq!((s.world.word(s.gang), s.world.word(s.elastic)), ("launching", "running"));
        assert_eq!(s.world.layout(s.gang), "n-2:1 n-3:1");
        assert_eq!((s.world.size(s.elastic), s.lent_from()), (1, None), "{class}");
    }
}

#[test]
fn what_is_lent_is_given_back_and_what_was_there_before_stays() {
    let mut s = scene(wide(2, 6, 4).class("express"));
    s.world.resized(s.elastic);
    assert_eq!(s.world.layout(s.elastic), "n-1:2 n-2:2");
    s.world.finish(s.late);
    s.world.resized(s.elastic);
    assert_eq!(s.world.layout(s.elastic), "n-1:2");
    assert_eq!(s.world.word(s.gang), "launching");
}

#[test]
fn nothing_is_lent_when_the_start_is_near() {
    // A launch that hangs is given up after 5 minutes, and so long beyond two resizes of 30 seconds
    // is waited for tasks that leave.
    for (before, size) in [(minutes(12), 2), (minutes(10), 1)] {
        let mut s = full_scene(with_gangs(queue("default")), pair());
        let start = s.start().expect("nodes are reserved");
        s.free_the_first(Millis(start.0 - before.0));
        assert_eq!(s.world.size(s.elastic), size, "{before} before");
    }
}

#[test]
fn nothing_is_lent_to_who_could_not_give_it_back_at_once_or_gains_nothing() {
    let cases = [
        ("a resize takes longer than the grace", pair().resize(minutes(2))),
        ("two resizes cost more than the GPUs gain", {
            pair().resize(minutes(1)).speeds([(1, 1000), (2, 1010)])
        }),
        ("it would be suspended where it is", {
            pair().rung(Rung::Suspend, seconds(20), seconds(10))
        }),
    ];
    for (why, elastic) in cases {
        let s = scene(elastic);
        assert_eq!((s.world.size(s.elastic), s.lent_from()), (1, None), "{why}");
    }
}

#[test]
fn nothing_is_lent_that_would_use_up_a_limit_others_wait_for() {
    for (gpus, size) in [(28, 1), (32, 2)] {
        let mut s = full_scene(with_gangs(queue("default").limit(quota(gpus))), pair());
        let limited = s.world.submit(gang(2, 8));
        s.free_the_first(minutes(30));
        assert_eq!(s.world.word(limited), "queued");
        assert_eq!(s.world.size(s.elastic), size, "a limit of {gpus}");
    }
}

#[test]
fn nothing_that_the_floor_holds_is_lent_to_jobs_that_only_grow() {
    let setup = cluster().nodes("n", 3, "H100x8").policy(|policy| {
        policy.floor = floor(100, minutes(1), hours(1));
    });
    let mut world = setup.doubted().build();
    let [soon, _] = [0, 1].map(|_| world.run(gang(1, 8).limit(hours(9))));
    let elastic = world.run(pair());
    let gang = world.submit(gang(2, 8));
    world.advance(minutes(2));
    assert_eq!(world.claim_of(gang), ["n-1", "n-2"]);
    world.finish(soon);
    assert_eq!((world.size(elastic), world.free_on("n-1")), (1, 8));
}

#[test]
fn jobs_that_are_gone_in_time_come_before_those_that_only_grow() {
    let mut s = full_scene(with_gangs(queue("default")), pair());
    let short = s.world.submit(gang(1, 8).estimate(minutes(5), minutes(6)));
    s.free_the_first(minutes(30));
    assert_eq!((s.world.word(short), s.world.size(s.elastic)), ("launching", 1));
    s.world.confirm(short);
    s.world.advance(minutes(5));
    s.world.finish(short);
    assert_eq!(s.world.size(s.elastic), 2, "now nobody is left who could use it");
}

#[test]
fn what_is_lent_is_not_given_back_to_who_could_not_have_it() {
    let mut s = scene(pair());
    s.world.resized(s.elastic);
    let other = s.world.submit(gang(1, 8).estimate(hours(20), hours(30)));
    assert_eq!((s.world.word(other), s.world.size(s.elastic)), ("queued", 2));
    assert_eq!(s.world.resize_of(s.elastic), None, "the nodes are reserved for another");
}

#[test]
fn who_grows_just_when_the_rest_becomes_free_gives_back_as_soon_as_it_has_grown() {
    let mut s = scene(pair());
    assert_eq!(s.world.resize_of(s.elastic).map(|resize| resize.to), Some(2));
    s.world.finish(s.late);
    assert_eq!(s.world.word(s.gang), "queued");
    s.world.resized_on(s.elastic, "n-2");
    assert_eq!(s.world.resize_of(s.elastic).map(|resize| resize.to), Some(1));
    s.world.resized(s.elastic);
    assert_eq!(s.world.word(s.gang), "launching");
}

#[test]
fn start_is_put_off_by_whom_it_waits_for_and_not_by_what_was_lent() {
    let mut lent = scene(pair());
    lent.world.resized(lent.elastic);
    let all = with_gangs(queue("default"));
    let nothing_grows = all.policy(|policy| policy.elastic.stay = Millis(0));
    let mut idle = full_scene(nothing_grows, pair());
    idle.free_the_first(minutes(30));
    assert_eq!((lent.world.size(lent.elastic), idle.world.size(idle.elastic)), (2, 1));
    assert_eq!(lent.start(), idle.start());
    for _ in 0..2 {
        let before = lent.start();
        let until = before.expect("nodes are reserved") + seconds(1);
        lent.world.advance_to(until);
        idle.world.advance_to(until);
        assert_eq!(lent.start(), idle.start(), "the last job overruns");
        assert!(lent.start() > before, "{before:?}");
    }
    lent.world.finish(lent.late);
    lent.world.resized(lent.elastic);
    assert_eq!(lent.world.word(lent.gang), "launching");
}

#[test]
fn what_was_lent_is_its_own_when_nothing_is_reserved_any_more() {
    let mut s = scene(pair());
    s.world.resized(s.elastic);
    s.world.cancel(s.gang);
    assert_eq!(s.world.size(s.elastic), 2);
    let other = s.world.submit(gang(1, 8).estimate(hours(20), hours(30)));
    s.world.resized(s.elastic);
    assert_eq!(s.world.word(other), "launching", "it is given back like all that was grown into");
}

#[test]
fn loan_ends_with_the_job_that_has_it() {
    let mut s = scene(pair());
    s.world.resized(s.elastic);
    s.world.finish(s.elastic);
    assert_eq!(s.world.claim_of(s.gang), ["n-2", "n-3"]);
    s.world.finish(s.late);
    assert_eq!(s.world.word(s.gang), "launching");
}

#[test]
fn a_node_that_cannot_add_what_was_lent_leaves_no_loan() {
    let mut s = scene(pair());
    s.world.refuse(s.elastic, "n-2");
    s.world.resized(s.elastic);
    assert_eq!((s.world.size(s.elastic), s.lent_from()), (1, None));
}

#[test]
fn elastic_job_says_what_it_was_lent_and_until_when() {
    let mut s = scene(pair());
    s.world.resized(s.elastic);
    let until = s.start().expect("nodes are reserved");
    let size = s.world.why(s.elastic).size.expect("it is elastic and runs");
    let lent = Lent { tasks: 1, domain: Vec::new(), by: s.gang, until };
    assert_eq!((size.lent, size.not_larger), (Some(lent), NotLarger::AtMost));
    s.world.cancel(s.gang);
    assert_eq!(s.world.why(s.elastic).size.and_then(|size| size.lent), None);
}
