//! A job starts only when nothing it waits for is open.

use muster_checker::Promise::Waits;
use muster_engine::action::JobState::{Ended, Queued, Waiting};
use muster_engine::action::Outcome;
use muster_engine::command::{Command, Exit};
use muster_model::{Array, Dependency, DependencyKind, JobId, JobSpec, Name, NodeId, Time};

use crate::act::{job, moved, node};
use crate::stage::{Stage, Verdict, broken, kept};

fn one_node() -> (Stage, NodeId) {
    let mut stage = Stage::new();
    let node = stage.join(node("n0", "z", "r"));
    (stage, node)
}

/// Starts a job of one GPU on GPU 7.
fn try_start(stage: &mut Stage, job: JobId, node: NodeId) -> Verdict {
    let actions = stage.start_of(job, &[(node, &[(0, 1 << 7)])]);
    stage.try_tick(&actions)
}

#[test]
fn a_job_submitted_with_a_hold_does_not_start_before_it_is_released() {
    let (mut stage, node) = one_node();
    let mut spec = job(1, 1);
    spec.hold = true;
    let held = stage.submit_as(spec, Waiting);
    kept(stage.try_compare());
    stage.play(&Command::Release { job: held }, &[moved(held, 0, Queued)]);
    kept(try_start(&mut stage, held, node));
}

#[test]
fn a_held_job_that_starts_is_seen() {
    let (mut stage, node) = one_node();
    let held = stage.submit(job(1, 1));
    stage.play(&Command::Hold { job: held }, &[moved(held, 0, Waiting)]);
    broken(try_start(&mut stage, held, node), Waits, "job 1 was launched while it is held");
}

#[test]
fn an_earliest_start_is_kept() {
    for (begin, is_seen) in [(1_000, false), (1_001, true)] {
        let (mut stage, node) = one_node();
        let mut spec = job(1, 1);
        spec.timing.begin = Some(Time(begin));
        let job = stage.submit(spec);
        let verdict = try_start(&mut stage, job, node);
        match is_seen {
            true => broken(verdict, Waits, "job 1 was launched at 1000, before 1001"),
            false => kept(verdict),
        }
    }
}

/// A job depends on another that has come so far; whether it may start.
fn after(kind: DependencyKind, runs: bool, exit: Option<Exit>) -> Verdict {
    let (mut stage, node) = one_node();
    let first = stage.submit(job(1, 1));
    let mut spec = job(1, 1);
    spec.after = vec![Dependency::on(first, kind)];
    let second = stage.submit_as(spec, Waiting);
    if runs {
        stage.run(first, &[(node, &[(0, 1)])]);
    }
    if let Some(exit) = exit {
        let outcome = match exit {
            Exit::Code(0) => Outcome::Completed,
            exit => Outcome::Failed(exit),
        };
        stage.play(&stage.end(node, first, exit), &[moved(first, 1, Ended(outcome))]);
    }
    stage.play(&Command::Tick, &[moved(second, 0, Queued)]);
    try_start(&mut stage, second, node)
}

#[test]
fn a_dependency_is_met_when_the_other_job_has_come_so_far() {
    use DependencyKind::{After, AfterAny, AfterNotOk, AfterOk};
    let (good, bad) = (Some(Exit::Code(0)), Some(Exit::Code(1)));
    kept(after(After, true, None));
    kept(after(AfterOk, true, good));
    kept(after(AfterAny, true, good));
    kept(after(AfterAny, true, bad));
    kept(after(AfterNotOk, true, bad));
}

#[test]
fn a_start_before_the_other_job_has_come_so_far_is_seen() {
    use DependencyKind::{After, AfterAny, AfterNotOk, AfterOk};
    let cases = [
        (After, false, None),
        (AfterOk, true, None),
        (AfterOk, true, Some(Exit::Code(1))),
        (AfterAny, true, None),
        (AfterNotOk, true, None),
        (AfterNotOk, true, Some(Exit::Code(0))),
    ];
    for (kind, runs, exit) in cases {
        let detail = format!("job 2 was launched before {}:1 came", kind.word());
        broken(after(kind, runs, exit), Waits, &detail);
    }
}

#[test]
fn a_dependency_on_an_array_waits_for_every_element() {
    let (mut stage, node) = one_node();
    let mut spec = job(1, 1);
    spec.array = Some(Array { indexes: vec![0, 1], throttle: None });
    let array = stage.submit(spec);
    let mut spec = job(1, 1);
    spec.after = vec![Dependency::on(array, DependencyKind::AfterOk)];
    let last = stage.submit(spec);
    for (gpu, id) in [(0, JobId(2)), (1, JobId(3))] {
        let detail = "job 4 was launched before afterok:1 came";
        let (mut early, early_node) = one_node_with_array(id == JobId(3));
        broken(try_start(&mut early, last, early_node), Waits, detail);
        stage.run(id, &[(node, &[(0, 1 << gpu)])]);
        let over = [moved(id, 1, Ended(Outcome::Completed))];
        stage.play(&stage.end(node, id, Exit::Code(0)), &over);
    }
    kept(try_start(&mut stage, last, node));
}

/// An array of two of which the first element has completed or not, and a job after it.
fn one_node_with_array(first_is_over: bool) -> (Stage, NodeId) {
    let (mut stage, node) = one_node();
    let mut spec = job(1, 1);
    spec.array = Some(Array { indexes: vec![0, 1], throttle: None });
    let array = stage.submit(spec);
    let mut spec = job(1, 1);
    spec.after = vec![Dependency::on(array, DependencyKind::AfterOk)];
    stage.submit(spec);
    if first_is_over {
        stage.run(JobId(2), &[(node, &[(0, 1)])]);
        let over = [moved(JobId(2), 1, Ended(Outcome::Completed))];
        stage.play(&stage.end(node, JobId(2), Exit::Code(0)), &over);
    }
    (stage, node)
}

/// Two jobs of which the first runs since the beginning, and an array of two elements of which
/// the first has completed; whether a job that waits so may start a minute later.
fn after_some(text: &str) -> Verdict {
    let (mut stage, node) = one_node();
    let first = stage.submit(job(1, 1));
    stage.submit(job(1, 1));
    let mut spec = job(1, 1);
    spec.array = Some(Array { indexes: vec![0, 5], throttle: None });
    stage.submit(spec);
    stage.run(first, &[(node, &[(0, 1)])]);
    stage.run(JobId(4), &[(node, &[(0, 2)])]);
    let over = [moved(JobId(4), 1, Ended(Outcome::Completed))];
    stage.play(&stage.end(node, JobId(4), Exit::Code(0)), &over);
    let mut spec = job(1, 1);
    spec.after = vec![text.parse().expect("a dependency")];
    let last = stage.submit_as(spec, Waiting);
    stage.wait(60_000);
    stage.play(&Command::Tick, &[moved(last, 0, Queued)]);
    try_start(&mut stage, last, node)
}

#[test]
fn elements_delays_and_choices_are_judged() {
    for kept_by in ["afterok:3_0", "after:1+1m", "afterok:2?after:1", "afterok:3_5?afterok:3_0"] {
        kept(after_some(kept_by));
    }
    for broken_by in ["afterok:3_5", "after:1+2m", "afterok:2?afterany:1"] {
        let detail = format!("job 6 was launched before {broken_by} came");
        broken(after_some(broken_by), Waits, &detail);
    }
}

fn singleton(name: &str, user: &str) -> JobSpec {
    let mut spec = job(1, 1);
    spec.name = Name::from(name);
    spec.user = Name::from(user);
    spec.after = vec![Dependency::Singleton];
    spec
}

#[test]
fn a_singleton_behind_a_namesake_that_is_open_is_seen() {
    let (mut stage, node) = one_node();
    stage.submit(singleton("nightly", "user-a"));
    let second = stage.submit(singleton("nightly", "user-a"));
    let verdict = try_start(&mut stage, second, node);
    broken(verdict, Waits, "singleton job 2 was launched while job 1 is open");
}

#[test]
fn a_singleton_waits_for_nobody_elses_jobs_and_no_later_ones() {
    let (mut stage, node) = one_node();
    stage.submit(singleton("nightly", "user-b"));
    stage.submit(singleton("weekly", "user-a"));
    let own = stage.submit(singleton("nightly", "user-a"));
    stage.submit(singleton("nightly", "user-a"));
    kept(try_start(&mut stage, own, node));
}

#[test]
fn a_singleton_starts_when_its_namesake_is_over() {
    let (mut stage, node) = one_node();
    let first = stage.submit(singleton("nightly", "user-a"));
    let second = stage.submit(singleton("nightly", "user-a"));
    stage.play(&Command::Cancel { job: first }, &[moved(first, 0, Ended(Outcome::Cancelled))]);
    kept(try_start(&mut stage, second, node));
}

#[test]
fn an_array_that_runs_more_elements_than_it_may_is_seen() {
    let (mut stage, node) = one_node();
    let mut spec = job(1, 1);
    spec.array = Some(Array { indexes: vec![0, 1, 2], throttle: Some(2) });
    stage.submit(spec);
    stage.run(JobId(2), &[(node, &[(0, 1)])]);
    stage.run(JobId(3), &[(node, &[(0, 2)])]);
    let verdict = try_start(&mut stage, JobId(4), node);
    broken(verdict, Waits, "array 1 runs 3 elements and may run 2");
}

#[test]
fn an_array_starts_the_next_element_when_one_is_over() {
    let (mut stage, node) = one_node();
    let mut spec = job(1, 1);
    spec.array = Some(Array { indexes: vec![0, 1], throttle: Some(1) });
    stage.submit(spec);
    stage.run(JobId(2), &[(node, &[(0, 1)])]);
    let over = [moved(JobId(2), 1, Ended(Outcome::Completed))];
    stage.play(&stage.end(node, JobId(2), Exit::Code(0)), &over);
    kept(try_start(&mut stage, JobId(3), node));
}
