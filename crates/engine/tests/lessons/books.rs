//! The books balance: nothing leaks, nothing is over-committed, numbers never restart.

use muster_engine::Engine;

use crate::support::*;

/// A way for an attempt to end, in words and in deed.
type End = (&'static str, fn(&mut World, JobId));

/// Odd ways for an attempt to end; each leaves the cluster as if it had never been.
fn odd_ends() -> Vec<End> {
    vec![
        ("refused by the first node", |c, job| {
            c.cancel_after(job, |c, job| {
                c.refuse(job, "r1-1");
            });
        }),
        ("refused by the last node after the first confirmed", |c, job| {
            c.cancel_after(job, |c, job| {
                c.confirm_on(job, "r1-1");
                c.refuse(job, "r1-2");
            });
        }),
        ("refused for its own fault", |c, job| {
            c.cancel_after(job, |c, job| {
                c.refuse_because(job, "r1-2", Refusal::Job("no-such-user".into()));
            });
        }),
        ("cancelled while it launches", |c, job| {
            c.cancel(job);
            c.stopped(job);
        }),
        ("cancelled twice", |c, job| {
            c.confirm(job);
            c.cancel(job);
            c.cancel(job);
            c.stopped(job);
        }),
        ("ended on one node before the other confirmed", |c, job| {
            c.end_on(job, "r1-1", Exit::Code(0));
            c.confirm_on(job, "r1-2");
            c.end_on(job, "r1-2", Exit::Code(0));
        }),
        ("failed on one node", |c, job| {
            c.confirm(job);
            c.end_on(job, "r1-2", Exit::Code(1));
            c.stopped(job);
        }),
        ("lost with a node", |c, job| {
            c.confirm(job);
            c.lose("r1-1", minutes(1));
            c.advance(minutes(2));
            c.find_again("r1-1", &[]);
            c.cancel(job);
            if c.is_placed(job) {
                c.stopped(job);
            }
        }),
        ("ended twice", |c, job| {
            c.finish(job);
            c.tell(Command::Ended {
                node: c.node("r1-1"),
                job,
                attempt: c.attempt(job),
                exit: Exit::Code(0),
            });
        }),
        ("never confirmed", |c, job| {
            c.advance(minutes(6));
            c.cancel(job);
            if c.is_placed(job) {
                c.stopped(job);
            }
        }),
    ]
}

impl World {
    /// Lets an attempt fail, and ends the job wherever that leaves it.
    fn cancel_after(&mut self, job: JobId, fail: impl Fn(&mut World, JobId)) {
        fail(self, job);
        self.cancel(job);
        if self.is_placed(job) {
            self.stopped(job);
        }
    }
}

#[test]
fn no_odd_end_leaks_a_gpu_a_cpu_or_quota() {
    for (name, end) in odd_ends() {
        let mut c = racks("r1: 8 8").spec(|spec| spec.queues[0].limit = quota(16)).build();
        let job = c.submit(gang(2, 8).cpus(128));
        end(&mut c, job);
        c.advance(hours(6));
        assert_eq!(c.free(), "r1-1:8 r1-2:8", "{name}");
        let next = c.submit(gang(2, 8).cpus(128));
        assert_eq!(c.word(next), "launching", "{name}");
    }
}

#[test]
fn one_pass_over_commits_nothing() {
    let mut c = cluster()
        .nodes("n", 4, "H100x8")
        .queue(queue("p").limit(quota(20)))
        .queue(queue("p/x").limit(quota(12)).user_limit(quota(7)))
        .queue(queue("p/y").limit(quota(12)))
        .queue(queue("other"))
        .build();
    let in_the_way = c.run(gang(4, 8).queue("other"));
    for number in 0..40 {
        let (queue, gpus) = [("p/x", 1), ("p/y", 2), ("p/x", 3), ("p/y", 4)][number % 4];
        c.submit(gang(1, gpus).queue(queue).user(&format!("user-{}", number % 3)));
    }
    c.finish(in_the_way);
    let used = |prefix: &str| -> u32 {
        let jobs = c.snapshot().jobs;
        let placed = jobs.iter().filter(|job| job.run.is_some());
        let of_queue = placed.filter(|job| job.spec.queue.as_str().starts_with(prefix));
        of_queue.map(|job| job.spec.groups[0].task.gpus).sum()
    };
    assert_eq!(used("p"), 20);
    assert!(used("p/x") <= 12 && used("p/y") <= 12);
}

#[test]
fn numbers_of_jobs_never_restart() {
    let mut c = racks("r1: 8").build();
    let first = c.submit(gang(1, 1));
    let array = c.submit(gang(1, 1).array([1, 2, 3]));
    assert_eq!((first, array), (JobId(1), JobId(2)));
    let written = serde_json::to_string(&c.snapshot()).unwrap();
    let mut engine = Engine::restore(serde_json::from_str(&written).unwrap(), c.tuning).unwrap();
    let actions = engine.step(Time(0), Command::Submit { spec: gang(1, 1).into() });
    assert!(matches!(actions[0], Action::Accepted { job: JobId(6), .. }), "{actions:?}");
}

#[test]
fn numbers_do_not_restart_when_all_jobs_are_forgotten() {
    let mut c = racks("r1: 8").build();
    let first = c.run(gang(1, 1));
    c.finish(first);
    c.advance(days(3));
    assert_eq!(c.snapshot().jobs, []);
    assert_eq!(c.submit(gang(1, 1)), JobId(2));
}

#[test]
fn a_node_that_went_away_keeps_its_number_and_its_place() {
    let mut c = racks("r1: 8 8").build();
    let node = c.node("r1-2");
    c.lose("r1-2", minutes(1));
    c.advance(hours(1));
    assert_eq!(c.snapshot().nodes.len(), 2, "down is not gone");
    c.join(NodeSpec::new("r1-2", "H100", 8).domains(["r1"]));
    assert_eq!(c.node("r1-2"), node);
    let a = c.run(gang(2, 8).require("rack"));
    assert_eq!(c.nodes_of(a), ["r1-1", "r1-2"]);
}

#[test]
fn a_snapshot_of_another_version_is_refused() {
    let c = racks("r1: 8").build();
    let mut snapshot = c.snapshot();
    snapshot.version += 1;
    let errors = Engine::restore(snapshot, c.tuning).unwrap_err();
    assert_eq!(errors[0].field, "version");
}
