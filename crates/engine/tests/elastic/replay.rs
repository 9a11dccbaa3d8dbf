//! A restart in the middle of a resize goes on as if nothing had happened.

use muster_engine::{Engine, Tuning};

use super::words::*;
use crate::support::*;

/// Plays the commands of a world again with a restart after every step; all accounts agree.
fn restart_after_every_step(c: &World, spec: &ClusterSpec) {
    for cut in 0..c.log.len() {
        let mut engine = Engine::new(spec.clone()).expect("the cluster is valid");
        for (step, (now, command, actions)) in c.log.iter().enumerate() {
            if step == cut {
                let json = serde_json::to_string(&engine.snapshot()).expect("plain data");
                let snapshot = serde_json::from_str(&json).expect("it was just written");
                engine = Engine::restore(snapshot, Tuning::default()).expect("it was valid");
            }
            let again = engine.step(*now, command.clone());
            assert_eq!(&again, actions, "restarted before step {cut}, at step {step}: {command:?}");
        }
        assert_eq!(engine.snapshot(), c.snapshot(), "restarted before step {cut}");
        assert_eq!(engine.next_wake(), c.engine.next_wake(), "restarted before step {cut}");
        assert_eq!(engine.free_counts(), c.engine.free_counts(), "restarted before step {cut}");
    }
}

#[test]
fn a_growth_goes_on_after_a_restart() {
    let setup = racks("r1: 8 8");
    let spec = setup.spec.clone();
    let mut c = setup.build();
    let a = c.run(wide(1, 3, 4));
    c.advance(minutes(1));
    c.resized_on(a, "r1-2");
    c.advance(minutes(1));
    c.resized(a);
    c.advance(minutes(20));
    c.finish(a);
    restart_after_every_step(&c, &spec);
}

#[test]
fn a_growth_that_is_refused_or_hangs_is_taken_back_after_a_restart() {
    let setup = racks("r1: 8 8 8");
    let spec = setup.spec.clone();
    let mut c = setup.build();
    let a = c.run(wide(1, 6, 4));
    c.refuse(a, "r1-3");
    c.advance(minutes(6));
    c.resized(a);
    c.advance(minutes(30));
    restart_after_every_step(&c, &spec);
}

#[test]
fn room_is_given_and_held_after_a_restart() {
    let setup = racks("r1: 8 8");
    let spec = setup.spec.clone();
    let mut c = setup.build();
    let a = c.run_and_grow(wide(1, 2, 4).require(Level::Node));
    let b = c.run_and_grow(wide(1, 2, 4).require(Level::Node));
    c.advance(hours(1));
    let d = c.submit(gang(2, 4));
    c.submit(gang(1, 1));
    c.resized(a);
    c.advance(minutes(2));
    c.resized(b);
    assert_eq!(c.word(d), "launching");
    c.confirm(d);
    c.finish(d);
    c.advance(hours(1));
    restart_after_every_step(&c, &spec);
}

#[test]
fn what_is_held_times_out_after_a_restart() {
    let setup = racks("r1: 8");
    let spec = setup.spec.clone();
    let mut c = setup.build();
    let a = c.run_and_grow(stretchy(2, 8));
    c.submit(gang(1, 6));
    c.advance(minutes(20));
    c.resized(a);
    c.progress(a, 700, Some(100_000));
    c.advance(hours(1));
    restart_after_every_step(&c, &spec);
}

#[test]
fn losses_are_dealt_with_after_a_restart() {
    let setup = racks("r1: 8 8 8");
    let spec = setup.spec.clone();
    let mut c = setup.build();
    let a = c.run(wide(1, 6, 4));
    c.lose("r1-3", minutes(1));
    c.resized_on(a, "r1-1");
    c.advance(minutes(2));
    c.resized(a);
    let b = c.submit(gang(1, 8));
    c.lose("r1-2", minutes(5));
    c.find_again("r1-2", &[a]);
    c.resized(a);
    c.find_again("r1-3", &[]);
    c.confirm(b);
    c.finish(b);
    c.advance(minutes(30));
    restart_after_every_step(&c, &spec);
}

#[test]
fn more_jobs_than_one_pass_looks_at_all_get_their_turn() {
    let mut c = cluster().nodes("n", 16, "H100x8").filled("n-1", 1).obedient().build();
    let waits = c.submit(gang(16, 8));
    let jobs: Vec<JobId> = (0..50).map(|_| c.submit(stretchy(1, 2))).collect();
    assert!(jobs.iter().all(|&job| c.size(job) == 1), "someone waits");
    let passes = c.log.len();
    c.cancel(waits);
    assert!(c.log.len() > passes + 50, "one step is not enough");
    let grown = jobs.iter().filter(|&&job| c.size(job) == 2).count();
    assert_eq!(grown, 50);
    assert_eq!(c.snapshot().grow_next, JobId(0), "everyone has been looked at");
}
