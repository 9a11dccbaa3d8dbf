//! The judge: follows commands and actions step by step, and compares accounts.

mod acts;

use std::collections::BTreeSet;

use muster_engine::action::{Action, JobState};
use muster_engine::command::Command;
use muster_engine::explain::Why;
use muster_engine::snapshot::{FreeCount, Snapshot};
use muster_model::{ClusterSpec, JobId, Time};

use crate::drive::Course;
use crate::promise::floor::Monitor;
use crate::promise::moved::Moves;
use crate::promise::pause::Pauses;
use crate::promise::repair::Repairs;
use crate::promise::tier::Overtaking;
use crate::promise::{
    attempt, booking, conservation, elastic, exclusive, gang, lent, lifecycle, limit, no_lost_job,
    pause, plan, quiescence, quota, reason, resumed, shrink, taken, tier, unknown,
    work_conservation,
};
use crate::recount::Recount;
use crate::shadow::{Shadow, Start};
use crate::step::Step;
use crate::violation::{Findings, Violation};

/// The independent judge of an engine's promises.
#[derive(Debug)]
pub struct Checker {
    pub(crate) shadow: Shadow,
    pub(crate) course: Course,
    floor: Monitor,
    /// What the engine said of itself after the latest step, if it was asked.
    account: Option<Account>,
    /// The same of the step before.
    account_before: Option<Account>,
    overtakings: Vec<Overtaking>,
    /// Jobs that were asked to give way in the latest step.
    taken: Vec<JobId>,
    /// Those asked to give tasks back since.
    shrunk: BTreeSet<JobId>,
    /// Jobs for which room was being made when the engine was last asked.
    planned: BTreeSet<JobId>,
    /// Those who gave way to them.
    gave_way: BTreeSet<JobId>,
    /// What is remembered of the latest pause of every job.
    pauses: Pauses,
    repairs: Repairs,
    moves: Moves,
}

/// What one step leaves to the judgement of the next.
#[derive(Clone, Copy, Debug)]
struct Account {
    /// When the engine wants to be woken.
    wake: Option<Time>,
    /// Whether nodes are held for someone by the floor.
    has_claims: bool,
}

impl Checker {
    /// A judge for an engine that starts with this configuration and nothing else.
    pub fn new(cluster: &ClusterSpec) -> Checker {
        Checker {
            shadow: Shadow::new(cluster),
            course: Course::default(),
            floor: Monitor::default(),
            account: Some(Account { wake: None, has_claims: false }),
            account_before: None,
            overtakings: Vec::new(),
            taken: Vec::new(),
            shrunk: BTreeSet::new(),
            planned: BTreeSet::new(),
            gave_way: BTreeSet::new(),
            pauses: Pauses::default(),
            repairs: Repairs::default(),
            moves: Moves::default(),
        }
    }

    /// Takes in one step: what the engine was told and what it did, and says which promises
    /// that broke. Time never runs backwards here either.
    ///
    /// # Errors
    /// All violations found, in the order they were found.
    pub fn observe(
        &mut self,
        now: Time,
        command: &Command,
        actions: &[Action],
    ) -> Result<(), Vec<Violation>> {
        let mut found = Findings::default();
        let mut step = Step::new(command, actions);
        self.shadow.now = self.shadow.now.max(now);
        self.floor.before_step(&self.shadow, &mut found);
        self.told(&mut step, &mut found);
        let starts = Start::collect(actions);
        for action in actions {
            self.acted(action, &starts, &mut step, &mut found);
        }
        let shadow = &self.shadow;
        gang::after_step(shadow, &step, &mut found);
        attempt::after_step(&step, &mut found);
        unknown::after_step(shadow, &step, &mut found);
        lifecycle::after_step(shadow, &step, &mut found);
        quota::after_step(shadow, &step, |id| self.moves.is_open(id), &mut found);
        elastic::after_step(shadow, &step, &mut found);
        self.shrunk.append(&mut step.shrunk);
        self.floor.after_step(shadow);
        found.into_result()
    }

    /// Compares the engine's own account, taken after the latest step, with what commands and
    /// actions told: `snapshot`, `free_counts` and `next_wake` as the engine gives them.
    ///
    /// # Errors
    /// All violations found, in the order they were found.
    pub fn compare(
        &mut self,
        snapshot: &Snapshot,
        free_counts: &[FreeCount],
        next_wake: Option<Time>,
    ) -> Result<(), Vec<Violation>> {
        let mut found = Findings::default();
        let recount = Recount::new(snapshot);
        let is_at_rest = next_wake.is_none_or(|wake| wake > self.shadow.now);
        if is_at_rest {
            self.shadow.has_ended_leases = false;
        }
        no_lost_job::compared(&self.shadow, snapshot, &mut found);
        conservation::compared(&self.shadow, snapshot, &mut found);
        booking::compared(&self.shadow, snapshot, &mut found);
        if is_at_rest || !is_waking(snapshot) {
            conservation::counted(&recount, free_counts, &mut found);
        }
        self.adopt(snapshot);
        self.repairs.compared(snapshot, &mut found);
        let had_no_claims = self.account_before.is_some_and(|before| !before.has_claims);
        if had_no_claims && is_at_rest && snapshot.claims.is_empty() {
            self.repairs.judge_order(&self.shadow, snapshot, &mut found);
        }
        if had_no_claims {
            tier::compared(&self.shadow, snapshot, &self.overtakings, &mut found);
        }
        if is_at_rest {
            gang::at_rest(&self.shadow, &mut found);
            booking::at_rest(&self.shadow, &mut found);
            unknown::at_rest(&self.shadow, &mut found);
            limit::at_rest(&self.shadow, &mut found);
            elastic::at_rest(&self.shadow, &mut found);
            lent::at_rest(&self.shadow, snapshot, &mut found);
            work_conservation::at_rest(snapshot, &recount, &mut found);
            plan::at_rest(&self.shadow, snapshot, &mut found);
            resumed::at_rest(snapshot, &recount, &mut found);
            self.floor.at_rest(&self.shadow, &mut found);
        }
        plan::compared(&self.shadow, snapshot, &mut found);
        self.moves.compared(&self.shadow, snapshot, &mut found);
        lent::compared(&self.shadow, snapshot, &mut found);
        shrink::compared(&self.shadow, &self.planned, snapshot, &mut found);
        pause::compared(&self.shadow, snapshot, &mut found);
        let taken = std::mem::take(&mut self.taken);
        taken::compared(&taken, &self.gave_way, snapshot, &mut found);
        elastic::compared(&std::mem::take(&mut self.shrunk), snapshot, &mut found);
        for id in taken {
            pause::begun(&self.shadow, id, snapshot, &mut self.pauses, &mut found);
        }
        self.planned = snapshot.plans.iter().map(|plan| plan.job).collect();
        self.gave_way = snapshot.plans.iter().flat_map(|plan| &plan.victims).copied().collect();
        let has_claims = !snapshot.claims.is_empty();
        self.account = Some(Account { wake: next_wake, has_claims });
        found.into_result()
    }

    /// Records that a job was told when it will have started at the latest.
    pub fn promise_latest(&mut self, job: JobId, latest: Time) {
        self.floor.tell(&self.shadow, job, latest);
    }

    /// Judges an answer to "why" that was given after the latest step.
    ///
    /// # Errors
    /// All violations found, in the order they were found.
    pub fn check_why(&self, why: &Why) -> Result<(), Vec<Violation>> {
        let mut found = Findings::default();
        reason::answered(&self.shadow, why, &mut found);
        found.into_result()
    }

    /// Judges how many ticks in a row the engine wanted without time passing: a harness that
    /// ticks while something is due calls this after each, and so comes to an end.
    ///
    /// # Errors
    /// One violation, if no engine that gets on could want so many.
    pub fn check_ticks(&self, ticks: usize) -> Result<(), Vec<Violation>> {
        let mut found = Findings::default();
        quiescence::ticked(&self.shadow, ticks, &mut found);
        found.into_result()
    }

    /// Takes in the command: first what is due by time, as the engine does, then itself.
    fn told(&mut self, step: &mut Step<'_>, found: &mut Findings) {
        self.account_before = self.account.take();
        self.moves.before_step(&self.shadow, step.command, self.account_before.is_some());
        let now = self.shadow.now;
        let is_due = |account: Account| account.wake.is_some_and(|wake| wake <= now);
        let nothing_due = self.account_before.is_some_and(|account| !is_due(account));
        self.shadow.end_leases(step);
        if nothing_due && self.shadow.is_idle_report(step.command) {
            attempt::idle_report(step, found);
        }
        if nothing_due && *step.command == Command::Tick {
            quiescence::idle_tick(step, now, found);
        }
        no_lost_job::answered(&self.shadow, step, found);
        conservation::answered(&self.shadow, step, found);
        self.shadow.apply(step);
        for action in step.actions {
            if let Action::Accepted { job, .. } = action
                && let Some(job) = self.shadow.jobs.get(job)
            {
                booking::accepted(&self.shadow, job, found);
            }
        }
        self.shadow.end_leases(step);
        self.overtakings.clear();
        self.repairs.clear();
    }

    /// Takes from the engine's account what no action tells: the first state of a job that was
    /// accepted in silence, and how long a node rests.
    fn adopt(&mut self, snapshot: &Snapshot) {
        for record in &snapshot.jobs {
            let is_new = self.shadow.jobs.get(&record.id).is_some_and(|job| job.state.is_none());
            if is_new && matches!(record.state, JobState::Waiting | JobState::Queued) {
                self.shadow.set_state(record.id, record.state);
            }
        }
        for node in &snapshot.nodes {
            exclusive::rest_told(&mut self.shadow, node.id, node.rests_until);
        }
        let is_known = |id| snapshot.jobs.binary_search_by_key(&id, |job| job.id).is_ok();
        self.shadow.forget(is_known);
    }
}

/// Whether a node's rest is over and not yet worked off: the index may then be behind.
fn is_waking(snapshot: &Snapshot) -> bool {
    let mut rests = snapshot.nodes.iter().map(|node| node.rests_until);
    rests.any(|until| until > Time(0) && until <= snapshot.now)
}
