//! What would become of a job that is not submitted: it is what becomes of it when it is.

use muster_engine::explain::Foreseen;
use muster_engine::reason::Reason;
use muster_model::DependencyKind;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::random::{jobs, scenes};
use crate::support::*;

fn foresee(world: &World, spec: JobSpec) -> Foreseen {
    world.engine.clone().foresee(world.now(), spec.into()).expect("it is a good job")
}

fn names(world: &World, foreseen: &Foreseen) -> Vec<String> {
    foreseen.nodes.iter().map(|node| world.node_name(*node)).collect()
}

#[test]
fn who_fits_starts_now_and_is_told_where() {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    c.run(gang(1, 8));
    let foreseen = foresee(&c, gang(1, 4));
    assert_eq!(foreseen.starts, Some(c.now()));
    assert_eq!(names(&c, &foreseen), ["n-2"]);
    assert_eq!(foreseen.why.state, JobState::Launching);
    assert!(foreseen.why.reasons.is_empty());
}

#[test]
fn who_does_not_fit_is_told_when_where_and_why_not_now_and_it_comes_true() {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    c.run(gang(1, 8).estimate(hours(2), hours(3)));
    let first = c.run(gang(1, 8).estimate(minutes(30), hours(1)));
    let spec = gang(1, 8).estimate(minutes(10), minutes(20));
    let foreseen = foresee(&c, spec.clone());
    assert_eq!(foreseen.starts, Some(Time(30 * 60_000)));
    assert_eq!(names(&c, &foreseen), ["n-2"]);
    assert_eq!(foreseen.why.reasons.len(), 1, "{foreseen:?}");
    assert!(!foreseen.why.alternatives.is_empty(), "smaller jobs would wait no less, others do");
    let job = c.submit(spec);
    c.advance(minutes(30));
    c.finish(first);
    assert_eq!(c.started_at(job), foreseen.starts);
    assert_eq!(c.nodes_of(job), ["n-2"]);
}

#[test]
fn who_would_take_the_place_of_another_is_told_where_and_from_whom() {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    c.run(gang(1, 8).class("inference").estimate(hours(20), hours(24)));
    let filler = gang(1, 8).class("preemptible").estimate(hours(20), hours(24));
    let other = c.run(filler.rung(Rung::Checkpoint, seconds(20), seconds(10)));
    c.advance(minutes(11));
    let foreseen = foresee(&c, gang(1, 8).class("express").estimate(minutes(10), minutes(12)));
    assert!(matches!(&foreseen.why.reasons[..], [Reason::Making { .. }]), "{foreseen:?}");
    assert_eq!(names(&c, &foreseen), ["n-2"]);
    assert_eq!(c.word(other), "running", "nobody was asked");
}

#[test]
fn who_waits_for_something_else_than_room_is_told_for_what() {
    let mut c = cluster().nodes("n", 1, "H100x8").build();
    let running = c.run(gang(1, 1).estimate(minutes(30), hours(1)));
    let held = foresee(&c, gang(1, 1).hold());
    assert_eq!((held.starts, held.nodes.len()), (None, 0));
    assert_eq!(held.why.reasons, [Reason::Held]);
    let after = foresee(&c, gang(1, 1).after(running, DependencyKind::AfterOk));
    assert!(matches!(after.why.reasons[..], [Reason::Dependency { .. }]), "{after:?}");
}

#[test]
fn of_an_array_the_first_element_is_told_of() {
    let c = cluster().nodes("n", 1, "H100x8").build();
    let foreseen = foresee(&c, gang(1, 8).array([3, 4, 5]));
    assert_eq!((foreseen.why.job, foreseen.starts), (JobId(2), Some(c.now())));
}

#[test]
fn what_is_wrong_is_told_as_on_submission() {
    let mut c = cluster().nodes("n", 1, "H100x8").build();
    let wrong = gang(1, 1).queue("nowhere");
    let told = c.engine.clone().foresee(c.now(), wrong.clone().into());
    assert_eq!(told.expect_err("there is no such queue"), c.try_submit(wrong).unwrap_err());
}

#[test]
fn a_pass_that_is_cut_short_is_gone_on_with() {
    let mut c = cluster().nodes("n", 1, "H100x8").starts_per_step(1).build();
    c.drain("n-1");
    c.submit_all((0..3).map(|_| gang(1, 2)));
    c.step(Command::NodeResumed { node: c.node("n-1") });
    // Each step starts one, and two are ahead of it.
    let foreseen = foresee(&c, gang(1, 2));
    assert_eq!(foreseen.why.state, JobState::Launching, "{foreseen:?}");
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 160,
        rng_seed: RngSeed::Fixed(5),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Whatever the cluster and the job: the job that is submitted is where it was foreseen to be,
    /// and is told the same.
    #[test]
    fn what_is_foreseen_is_what_is_told_on_submission(scene in scenes(), spec in jobs()) {
        let mut c = scene.play();
        let before = c.snapshot();
        let foreseen = c.engine.clone().foresee(c.now(), spec.clone().into());
        prop_assert_eq!(&before, &c.snapshot(), "a copy was asked");
        match (foreseen, c.try_submit(spec)) {
            (Ok(foreseen), Ok(job)) => {
                prop_assert_eq!(&foreseen.why, &c.why(job));
                if c.is_placed(job) {
                    prop_assert_eq!(foreseen.starts, Some(c.now()));
                    prop_assert_eq!(names(&c, &foreseen), c.nodes_of(job));
                } else {
                    prop_assert_eq!(foreseen.starts, foreseen.why.estimated_start);
                }
            }
            (Err(told), Err(refused)) => prop_assert_eq!(told, refused),
            (foreseen, submitted) => prop_assert!(false, "{foreseen:?} but {submitted:?}"),
        }
    }
}
