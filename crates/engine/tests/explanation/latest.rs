//! When a job will have started at the latest: the floor's promise, and to whom it is made.

use crate::support::*;

/// One node, with short limits and a floor that serves after an hour.
fn short() -> Setup {
    cluster().nodes("n", 1, "H100x8").policy(|policy| {
        policy.limit_max = minutes(9);
        policy.launch_timeout = seconds(60);
        policy.stop_grace = seconds(5);
        policy.floor.wait = hours(1);
        policy.floor.quantum = minutes(10);
    })
}

/// How long it takes at most until a node has drained: a launch, a limit and the grace, and before
/// that others were asked to give way, by three rungs and back, each for twice ten minutes and the
/// time of a launch.
const DRAIN: u64 = 60 + 540 + 5 + 6 * (1200 + 60);

fn latest(world: &mut World, job: JobId) -> Option<u64> {
    world.why(job).latest_start.map(|at| at.0 / 1000)
}

#[test]
fn the_first_in_line_is_told_its_wait_and_a_drain_or_two() {
    let mut c = short().build();
    c.run(gang(1, 8));
    let job = c.submit(gang(1, 8));
    let told = latest(&mut c, job).expect("there is a floor");
    assert!((3600 + DRAIN..=3600 + 2 * DRAIN).contains(&told), "{told}");
}

#[test]
fn every_gpu_ahead_makes_the_promise_later() {
    let mut before = 0;
    for gpus in [1, 2, 4, 8] {
        let mut c = short().build();
        c.run(gang(1, 8));
        c.submit(gang(1, gpus));
        let job = c.submit(gang(1, 8));
        let told = latest(&mut c, job).expect("there is a floor");
        assert!(told > before, "{gpus} GPUs ahead: {told} after {before}");
        before = told;
    }
}

#[test]
fn a_wider_floor_promises_more() {
    let told = |share_ppm| {
        let setup = short().nodes("m", 9, "H100x8");
        let mut c = setup.policy(|policy| policy.floor.share_ppm = share_ppm).build();
        for _ in 0..10 {
            c.run(gang(1, 8));
        }
        c.submit(gang(1, 8));
        let job = c.submit(gang(1, 8));
        latest(&mut c, job).expect("there is a floor")
    };
    assert!(told(100_000) < told(50_000), "eight GPUs against four");
}

#[test]
fn the_promise_is_kept_while_time_passes() {
    let mut c = short().build();
    c.run(gang(1, 8).limit(minutes(9)));
    let job = c.submit(gang(1, 8));
    let first = latest(&mut c, job);
    for _ in 0..4 {
        c.advance(minutes(2));
        if c.word(job) == "queued" {
            assert_eq!(latest(&mut c, job), first, "nothing broke, so nothing changes");
        }
    }
}

#[test]
fn a_starving_job_is_served_within_its_promise_though_others_would_go_first() {
    let mut c = short().obedient().build();
    c.submit_for(gang(1, 8).estimate(minutes(8), minutes(9)), minutes(8));
    let big = c.submit(gang(1, 8).estimate(minutes(9), minutes(9)));
    let promised = c.why(big).latest_start.expect("there is a floor");
    for _ in 0..200 {
        c.submit_for(gang(1, 8).estimate(minutes(1), minutes(2)), minutes(8));
    }
    c.advance_to(promised);
    assert!(c.started_at(big).is_some_and(|at| at <= promised), "{:?}", c.started_at(big));
    assert!(c.started_at(big).is_some_and(|at| at >= Time(3_600_000)), "others were shorter");
}

#[test]
fn nothing_is_promised_where_the_floor_is_off_or_cannot_help() {
    let limited = short().queue(queue("default").limit(quota(4)));
    let cases = [
        ("the floor is off", short().policy(|p| p.floor.share_ppm = 0), gang(1, 8), "gpus"),
        ("it cannot fit", short(), gang(1, 16), "impossible"),
        ("its queue is at its limit", limited, gang(1, 8), "queue-limit"),
    ];
    for (what, setup, spec, code) in cases {
        let mut c = setup.build();
        if code == "gpus" {
            c.run(gang(1, 8));
        }
        let job = c.submit(spec);
        assert_eq!(c.codes(job), [code], "{what}");
        assert_eq!(latest(&mut c, job), None, "{what}");
    }
}

#[test]
fn nothing_is_promised_to_those_who_wait_for_something_else() {
    let mut c = short().build();
    let job = c.submit(gang(1, 8).hold());
    assert_eq!(latest(&mut c, job), None);
}
