//! Under a baseline that pauses, rank alone decides within a class, and strictly.

use muster_checker::Promise::Pause;
use muster_engine::action::JobState;
use muster_engine::command::Command;
use muster_engine::explain::Cause;
use muster_model::{ClusterSpec, Estimate, JobSpec, Mib, Millis, Order, Policy, Rung};

use crate::act::{ALL, job, moved, node};
use crate::pause::{pause, paused};
use crate::plan::plan_for;
use crate::stage::{Stage, Verdict, broken, kept};

/// What is told of a job: its estimate and how long it has run before.
#[derive(Clone, Copy)]
struct Told {
    estimate: Option<Millis>,
    served: Millis,
}

fn told(estimate: Millis, served: Millis) -> Told {
    Told { estimate: Some(estimate), served }
}

/// A job that has run for an hour on eight GPUs is paused by a cause for one of these facts.
fn verdict_of(order: Order, running: Told, comes: Told, cause: Cause, class: &str) -> Verdict {
    let las_limits = vec![Millis::hours(5), Millis::hours(50)];
    let policy = Policy { order, las_limits, ..Policy::default() };
    let mut stage = Stage::with(ClusterSpec { policy, ..ClusterSpec::default() });
    let mut spec = node("n0", "z", "r");
    spec.suspend_memory = Mib::gib(4096);
    let node = stage.join(spec);
    let victim = stage.submit(job(1, 8));
    stage.run(victim, &[(node, &[(0, ALL)])]);
    let waiting = stage.submit(JobSpec { class: class.into(), ..job(1, 8) });
    stage.wait(Millis::hours(1).0);
    let orders = [pause(victim, node, 1, Rung::Freeze), moved(victim, 1, JobState::Pausing)];
    stage.play(&Command::Tick, &orders);
    plan_for(&mut stage, waiting, &[victim], &[(node, ALL)]);
    let now = stage.now;
    for (id, told) in [(victim, running), (waiting, comes)] {
        let record = stage.job_record(id);
        record.estimate = told.estimate.map(|median| Estimate { median, p90: median });
        record.served = told.served;
    }
    stage.job_record(victim).pauses = Some(paused(1, waiting, cause, now));
    stage.wake = Some(now);
    stage.try_compare()
}

fn by_rank(order: Order, running: Told, comes: Told) -> Verdict {
    verdict_of(order, running, comes, Cause::Rank, "standard")
}

const SAYS: &str = "job 1 gives way by rank to job 2, not ranked before it";

#[test]
fn a_job_that_gives_way_to_one_with_as_much_left_is_seen() {
    let hours = Millis::hours;
    // It has run for an hour of ten, and for two before.
    let ten = told(hours(10), hours(2));
    kept(by_rank(Order::Srtf, ten, told(Millis(hours(7).0 - 1), Millis::ZERO)));
    broken(by_rank(Order::Srtf, ten, told(hours(7), Millis::ZERO)), Pause, SAYS);
    kept(by_rank(Order::Srtf, ten, told(hours(9), Millis(hours(2).0 + 1))));
    broken(by_rank(Order::Srtf, ten, told(hours(9), hours(2))), Pause, SAYS);
}

#[test]
fn without_an_estimate_the_usual_one_counts() {
    let unknown = Told { estimate: None, served: Millis::ZERO };
    let brief = told(Millis::seconds(1), Millis::ZERO);
    // An hour, all of which has been run.
    broken(by_rank(Order::Srtf, unknown, brief), Pause, SAYS);
    kept(by_rank(Order::Srtf, told(Millis::hours(3), Millis::ZERO), unknown));
    broken(by_rank(Order::Srtf, told(Millis::hours(2), Millis::ZERO), unknown), Pause, SAYS);
}

#[test]
fn a_job_that_gives_way_to_one_of_its_level_is_seen() {
    let had = |served| told(Millis::hours(1), served);
    let none = Millis::ZERO;
    // Eight GPUs for an hour are more than five GPU-hours.
    kept(by_rank(Order::Las, had(none), had(none)));
    let limit = Millis(Millis::hours(5).0 / 8);
    kept(by_rank(Order::Las, had(none), had(Millis(limit.0 - 1))));
    broken(by_rank(Order::Las, had(none), had(limit)), Pause, SAYS);
    // Sixty are more than fifty.
    kept(by_rank(Order::Las, had(Millis::hours(7)), had(limit)));
}

#[test]
fn by_class_or_guarantee_ranks_do_not_count() {
    let (short, long) =
        (told(Millis::hours(2), Millis::ZERO), told(Millis::hours(9), Millis::ZERO));
    for cause in [Cause::Class, Cause::Guarantee] {
        kept(verdict_of(Order::Srtf, short, long, cause, "express"));
    }
    kept(verdict_of(Order::Muster, short, long, Cause::Rank, "standard"));
    broken(verdict_of(Order::Srtf, long, short, Cause::Rank, "express"), Pause, SAYS);
}
