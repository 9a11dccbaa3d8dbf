//! A gang larger than the floor is paid for: until it has come to the floor's size on average, the
//! floor serves nobody else.

use crate::support::*;

/// Two nodes full of express jobs of one GPU each, with a floor of 4 GPUs.
fn full() -> (World, Vec<JobId>) {
    let setup = cluster().nodes("n", 2, "H100x8");
    let setup = setup.policy(|policy| policy.floor = floor(25, hours(1), hours(2)));
    let mut c = setup.without_pausing().build();
    let running = (0..16).map(|_| c.run(express())).collect();
    (c, running)
}

fn express() -> JobSpec {
    gang(1, 1).class("express")
}

/// The floor serves a gang of so many GPUs at once, and then a job of one GPU that has waited as
/// long would be the next.
fn after_a_gang_of(gpus: u32) -> (World, JobId, Vec<JobId>) {
    let (mut c, mut running) = full();
    let large = c.submit(gang(1, gpus).class("preemptible"));
    let small = c.submit(gang(1, 1).class("preemptible"));
    c.advance(hours(1));
    for job in running.drain(..8) {
        c.finish(job);
    }
    c.confirm(large);
    assert!(c.run_of(large).floor_until.is_some());
    (c, small, running)
}

/// Whether the floor serves a job when a GPU becomes free that an express job waits for too.
fn is_served(c: &mut World, job: JobId, running: &mut Vec<JobId>) -> bool {
    let rival = c.submit(express());
    c.finish(running.pop().expect("some still run"));
    assert_ne!(c.word(job) == "launching", c.word(rival) == "launching");
    c.word(job) == "launching"
}

#[test]
fn gang_of_twice_the_floor_is_followed_by_as_long_a_pause() {
    let (mut c, small, mut running) = after_a_gang_of(8);
    assert!(!is_served(&mut c, small, &mut running), "the floor is full");
    c.advance(minutes(121));
    assert!(!is_served(&mut c, small, &mut running), "four GPUs too many for two hours");
    c.advance(minutes(117));
    assert!(!is_served(&mut c, small, &mut running));
    c.advance(minutes(2));
    assert!(is_served(&mut c, small, &mut running), "it has come to four for four hours");
}

#[test]
fn gang_of_the_size_of_the_floor_is_followed_by_none() {
    let (mut c, running) = full();
    let large = c.submit(gang(1, 4).class("preemptible"));
    let small = c.submit(gang(1, 1).class("preemptible"));
    c.advance(hours(1));
    let mut running = running;
    for job in running.drain(..4) {
        c.finish(job);
    }
    c.confirm(large);
    assert!(!is_served(&mut c, small, &mut running), "the floor is full");
    c.advance(hours(2));
    assert!(is_served(&mut c, small, &mut running));
}
