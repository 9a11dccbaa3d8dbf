//! Jobs whose GPUs compute nothing: flagged, lent to anyone who needs them, or paused, as the rule
//! of their queue says, and nothing where there is no rule.

use muster_engine::explain::Cause;
use muster_model::{Attempt, IdleRule, WhenIdle};

use super::support::*;
use crate::support::*;

fn rule(then: WhenIdle) -> IdleRule {
    IdleRule { after: hours(2), below_milli: 50, then }
}

/// One node, and a queue that is guaranteed all of it, with a rule or none.
fn lab(rule: Option<IdleRule>) -> Setup {
    let queue = QueueSpec { idle: rule, ..queue("lab").guarantee(quota(8)) };
    nodes(1).queue(queue).queue(QueueSpec::new("default"))
}

/// A notebook that can be suspended, of the class that goes before all others.
fn notebook(gpus: u32) -> JobSpec {
    trainer(1, gpus).class("express").queue("lab")
}

/// A job nobody is guaranteed anything for, in another queue.
fn anyone(gpus: u32) -> JobSpec {
    filler(1, gpus).queue("default")
}

impl World {
    /// The GPUs of a job's latest attempt compute nothing, or compute again.
    fn said(&mut self, job: JobId, is_idle: bool) -> Vec<Action> {
        let attempt = self.attempt(job);
        self.tell(Command::Idle { job, attempt, is_idle })
    }
}

/// A world in which a notebook is said to be idle under a rule.
fn idle_under(rule: Option<IdleRule>) -> (World, JobId) {
    let (mut world, notebook) = one_running(lab(rule), notebook(8));
    world.said(notebook, true);
    (world, notebook)
}

#[test]
fn what_follows_is_the_rule_of_the_queue() {
    let table = [
        ("no rule", None, "running", "queued"),
        ("flag", Some(WhenIdle::Flag), "running", "queued"),
        ("lend", Some(WhenIdle::Lend), "pausing", "queued"),
        ("pause", Some(WhenIdle::Pause), "stopping", "queued"),
    ];
    for (name, then, of_notebook, of_filler) in table {
        let (mut world, notebook) = idle_under(then.map(rule));
        let filler = world.submit(anyone(8));
        let words = (world.word(notebook), world.word(filler));
        assert_eq!(words, (of_notebook, of_filler), "{name}");
    }
}

#[test]
fn what_is_lent_goes_to_a_filler_and_comes_back() {
    let (mut world, notebook) = idle_under(Some(rule(WhenIdle::Lend)));
    assert_eq!(world.word(notebook), "running", "nobody needs its GPUs yet");
    let filler = world.submit(anyone(8));
    let latest = world.record(notebook).pauses.expect("it was asked to give way").latest;
    assert_eq!((latest.by, latest.cause, latest.rung), (filler, Cause::Idle, Rung::Suspend));
    assert!(latest.to_string().contains("which has use for what was idle"), "{latest}");
    world.give_way(notebook);
    world.confirm(filler);
    assert_eq!((world.word(notebook), world.word(filler)), ("paused", "running"));
    world.finish(filler);
    world.come_back(notebook);
    assert_eq!(world.word(notebook), "running");
    assert_eq!(world.run_of(notebook).idle, None, "it is given the time anew");
}

#[test]
fn a_suspended_notebook_reclaims_its_guarantee_from_the_filler() {
    let (mut world, notebook) = idle_under(Some(rule(WhenIdle::Lend)));
    let filler = world.submit(anyone(8));
    world.give_way(notebook);
    world.confirm(filler);
    world.advance(hours(1));
    assert!(
        matches!(world.word(filler), "running" | "pausing" | "stopping" | "queued"),
        "nothing of it is lost: {}",
        world.word(filler)
    );
    assert!(matches!(world.word(notebook), "paused" | "resuming"), "{}", world.word(notebook));
}

#[test]
fn who_computes_again_is_asked_for_nothing() {
    let (mut world, notebook) = idle_under(Some(rule(WhenIdle::Lend)));
    world.said(notebook, false);
    world.submit(anyone(8));
    assert_eq!(world.word(notebook), "running");
    assert_eq!(world.run_of(notebook).idle, None);
    world.said(notebook, true);
    assert_eq!(world.word(notebook), "pausing", "and again when it stops computing");
}

#[test]
fn who_could_not_come_back_keeps_its_gpus() {
    let stubborn = stubborn(1, 8).class("express").queue("lab");
    let (mut world, job) = one_running(lab(Some(rule(WhenIdle::Lend))), stubborn);
    world.said(job, true);
    world.submit(anyone(8));
    assert_eq!(world.word(job), "running", "its contract has no rung to give way by");
}

#[test]
fn the_idle_give_way_before_those_who_compute() {
    let setup = || {
        let lab = QueueSpec { idle: Some(rule(WhenIdle::Lend)), ..queue("lab") };
        nodes(2).queue(lab).queue(queue("default"))
    };
    for idle in [0, 1] {
        let mut world = setup().build();
        let jobs: Vec<JobId> = (0..2).map(|_| world.run(trainer(1, 8).queue("lab"))).collect();
        settle_in(&mut world);
        world.said(jobs[idle], true);
        world.submit(urgent(1, 8));
        assert_eq!(world.word(jobs[idle]), "pausing");
        assert_eq!(world.word(jobs[1 - idle]), "running");
    }
}

#[test]
fn the_nearest_rule_above_a_queue_counts() {
    let lent = |own: Option<WhenIdle>| {
        let inner = QueueSpec { idle: own.map(rule), ..queue("lab/vision") };
        let outer = QueueSpec { idle: Some(rule(WhenIdle::Lend)), ..queue("lab") };
        let setup = nodes(1).queue(outer).queue(inner);
        let spec = trainer(1, 8).class("express").queue("lab/vision");
        let (mut world, job) = one_running(setup, spec);
        world.said(job, true);
        world.run_of(job).idle
    };
    assert_eq!(lent(None), Some(WhenIdle::Lend), "from the queue above");
    assert_eq!(lent(Some(WhenIdle::Flag)), Some(WhenIdle::Flag), "its own comes first");
}

#[test]
fn a_paused_notebook_waits_until_its_owner_lets_it_go_on() {
    let (mut world, notebook) = idle_under(Some(rule(WhenIdle::Pause)));
    world.stopped(notebook);
    assert_eq!(world.word(notebook), "waiting");
    assert_eq!(world.reasons(notebook), [Reason::Held]);
    let other = world.submit(anyone(8));
    assert_eq!(world.word(other), "launching", "its GPUs are anyone's");
    world.finish_to_make_way(other);
    world.stopped(other);
    world.tell(Command::Release { job: notebook });
    assert_eq!(world.word(notebook), "launching");
    assert_eq!(world.attempt(notebook), Attempt(2));
}

#[test]
fn what_is_said_of_another_attempt_or_of_one_that_does_not_run_changes_nothing() {
    let (mut world, notebook) = one_running(lab(Some(rule(WhenIdle::Lend))), notebook(8));
    let before = world.snapshot();
    for (job, attempt) in [(notebook, Attempt(2)), (JobId(99), Attempt(1))] {
        world.tell(Command::Idle { job, attempt, is_idle: true });
    }
    assert_eq!(world.snapshot(), before);
    let waiting = world.submit(anyone(8));
    world.said(waiting, true);
    assert_eq!(world.word(waiting), "queued");
    assert_eq!(world.word(notebook), "running");
}

#[test]
fn saying_it_twice_is_saying_it_once() {
    let (mut world, notebook) = idle_under(Some(rule(WhenIdle::Lend)));
    let before = world.snapshot();
    world.said(notebook, true);
    assert_eq!(world.snapshot(), before);
}
