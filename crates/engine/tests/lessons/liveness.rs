//! Nobody waits on an idle cluster, nobody waits without a reason, and a reason is computed.

use crate::support::*;

#[test]
fn on_an_idle_cluster_nobody_waits_for_priority() {
    check([
        case(
            "what fits starts",
            racks("r1: 8 8"),
            [job(gang(2, 8).class("preemptible"), "r1-1 r1-2")],
        ),
        case(
            "what cannot ever fit is told so",
            racks("r1: 8 8"),
            [job(gang(2, 9), "waits: impossible")],
        ),
        case(
            "what a limit forbids is told the limit",
            racks("r1: 8 8").queue(queue("default").limit(quota(8))),
            [job(gang(2, 8), "waits: queue-limit")],
        ),
        case("what is held is told so", racks("r1: 8 8"), [job(gang(1, 1).hold(), "waits: held")]),
        case(
            "what begins later is told so",
            racks("r1: 8 8"),
            [job(gang(1, 1).begin(Time(1000)), "waits: begin-time")],
        ),
    ]);
}

#[test]
fn the_reason_follows_what_happens() {
    let mut c = racks("r1: 8 8").queue(queue("default").limit(quota(16))).build();
    let a = c.run(gang(1, 8));
    let waiting = c.submit(gang(2, 8));
    assert_eq!(c.codes(waiting), ["queue-limit"]);
    c.set_queue(queue("default"));
    assert_eq!(c.codes(waiting), ["gpus"]);
    c.hold(waiting);
    assert_eq!(c.codes(waiting), ["held"]);
    c.release(waiting);
    c.drain("r1-2");
    assert_eq!(c.codes(waiting), ["impossible"]);
    c.resume("r1-2");
    assert_eq!(c.codes(waiting), ["gpus"]);
    c.finish(a);
    assert_eq!(c.word(waiting), "launching");
    assert_eq!(c.codes(waiting), [""; 0]);
}

#[test]
fn the_numbers_of_a_reason_are_the_numbers_of_the_cluster() {
    let mut c = racks("r1: 8 3; r2: 5 0").build();
    let wide = c.submit(gang(3, 8));
    assert_eq!(c.reasons(wide), [Reason::Gpus { wanted: 24, free: 16 }]);
    let pieces = c.submit(gang(2, 8));
    assert_eq!(c.reasons(pieces), [Reason::Fragments { tasks: 2, fit: 1, free: 16 }]);
    let never = c.submit(gang(5, 8));
    assert_eq!(c.reasons(never), [Reason::Impossible { tasks: 5, most: 4, nodes: 4 }]);
}

#[test]
fn every_job_of_a_crowd_has_a_reason() {
    let mut c = racks("r1: 4 2; r2: 8")
        .queue(queue("default").limit(quota(20)))
        .queue(queue("small").limit(quota(1)))
        .build();
    let mut jobs = Vec::new();
    for number in 0..60u32 {
        let mut spec = gang(1 + number % 4, 1 + number % 9);
        if number % 3 == 0 {
            spec = spec.require(if number % 2 == 0 { "rack" } else { "node" });
        }
        if number % 5 == 0 {
            spec = spec.queue("small");
        }
        if number % 7 == 0 {
            spec = spec.models(["A100"]);
        }
        jobs.push(c.submit(spec));
    }
    for job in jobs {
        let waits = matches!(c.word(job), "queued" | "waiting");
        assert_eq!(waits, !c.codes(job).is_empty(), "job {job} is {}", c.word(job));
    }
}

#[test]
fn the_engine_always_says_when_it_wants_to_be_woken() {
    let mut c = racks("r1: 8").obedient().build();
    let timed = c.submit(gang(1, 8).limit(hours(1)));
    let later = c.submit(gang(1, 8).begin(Time(hours(3).0)));
    for _ in 0..2 {
        let wake = c.engine.next_wake().expect("there is always something to come");
        assert!(wake >= c.now());
        c.advance_to(wake);
    }
    assert_eq!(c.word(timed), "timed-out");
    assert_eq!((c.word(later), c.now()), ("running", Time(hours(3).0)));
}

#[test]
fn a_hundred_pending_jobs_start_when_nodes_come_back() {
    let mut c = racks("r1: 8 8 8; r2: 8 8 8").build();
    for node in ["r1-1", "r1-2", "r1-3", "r2-1", "r2-2", "r2-3"] {
        c.lose(node, minutes(1));
    }
    c.advance(hours(1));
    let jobs: Vec<JobId> = (0..100).map(|_| c.submit(gang(1, 1))).collect();
    assert_eq!(c.codes(jobs[0]), ["impossible"]);
    for node in ["r1-1", "r1-2", "r1-3", "r2-1", "r2-2", "r2-3"] {
        c.find_again(node, &[]);
    }
    assert_eq!(jobs.iter().filter(|&&job| c.is_placed(job)).count(), 48);
    assert_eq!(c.codes(jobs[99]), ["gpus"]);
}

#[test]
fn a_job_no_pass_looks_at_starts_when_it_fits() {
    // The shape failed before; only where room is made is it tried again.
    let mut c = racks("r1: 4 4; r2: 4 4").build();
    let a = c.submit(gang(1, 8));
    let b = c.submit(gang(2, 8).require("rack"));
    for _ in 0..5 {
        c.submit(gang(1, 8));
    }
    c.finish(JobId(2));
    assert_eq!(c.nodes_of(a), ["r1-2"]);
    c.finish(JobId(3));
    c.finish(JobId(4));
    assert_eq!(c.word(b), "queued", "smaller jobs of the same class took the nodes");
    let placed = c.snapshot().jobs.iter().filter(|job| job.run.is_some()).count();
    assert_eq!(placed, 4);
}
