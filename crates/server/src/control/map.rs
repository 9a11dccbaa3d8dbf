//! The state as a picture of all GPUs, and as a plan of what comes next.

use muster_api::moment::Moment;
use muster_api::view::{
    BookingView, HeldGpu, JobState, LargestGang, MapJob, MapNode, NodeState, PlanView, PlannedEnd,
    PlannedJob, PlannedStart,
};
use muster_engine::Engine;
use muster_engine::command::Command;
use muster_engine::explain::Outlook;
use muster_engine::snapshot::{FreeCount, NodeRecord};
use muster_model::{IdleRule, JobId, NodeId, Time, WhenIdle};

use super::Control;
use super::book::Job;
use crate::idle;

impl Control {
    /// The numbers of all nodes, in the order of their names.
    pub fn node_ids(&self) -> Vec<NodeId> {
        self.nodes.values().copied().collect()
    }

    /// A node with who has its GPUs; `busy` says how busy a job keeps each of them.
    pub fn map_node<'a>(
        &self,
        node: NodeId,
        busy: impl Fn(JobId) -> &'a [(u32, Option<u32>)],
    ) -> Option<MapNode> {
        let NodeRecord { spec, sight, drained, unhealthy, .. } = self.engine.node(node)?;
        let jobs = self.engine.jobs_on(node);
        let mut held = Vec::new();
        for job in jobs.iter().filter_map(|job| self.book.get(*job)) {
            let by_gpu = busy(job.id);
            for task in job.places.get(&node).into_iter().flatten() {
                let milli = task.share.map_or(1000, |share| share.milli.0);
                let part = |gpu| {
                    let busy = by_gpu.iter().find(|(of, _)| *of == gpu).and_then(|(_, busy)| *busy);
                    HeldGpu { gpu, job: job.id.0, milli, busy }
                };
                held.extend(task.gpus.iter().map(part));
            }
        }
        held.sort_unstable_by_key(|part: &HeldGpu| (part.gpu, part.job));
        Some(MapNode {
            name: spec.name.to_string(),
            domains: spec.domains.iter().map(ToString::to_string).collect(),
            state: NodeState::from(sight),
            drained,
            model: spec.gpu_model.as_ref().map(ToString::to_string),
            gpus: spec.gpus,
            unhealthy: unhealthy.iter().collect(),
            held,
        })
    }

    /// Jobs by their numbers, as the picture shows them.
    pub fn map_jobs(&self, jobs: &[u64]) -> Vec<MapJob> {
        let known = jobs.iter().filter_map(|id| self.book.get(JobId(*id)));
        let views = known.map(|job| self.job_view(job));
        views
            .map(|job| MapJob {
                id: job.id,
                name: job.name,
                user: job.user,
                team: job.team,
                queue: job.queue,
                class: job.class,
                state: job.state,
                gpus_milli: job.gpus_milli,
                is_idle: self.is_idle(JobId(job.id)),
                started: job.started,
            })
            .collect()
    }

    /// Whether any queue has a rule for jobs that compute nothing.
    pub(crate) fn has_idle_rules(&self) -> bool {
        self.cluster().queues.iter().any(|queue| queue.idle.is_some())
    }

    /// The rule that a job is under.
    pub(crate) fn idle_rule(&self, job: JobId) -> Option<IdleRule> {
        self.engine.idle_rule(job)
    }

    /// Keeps in mind who is paused for computing nothing, until somebody lets it go on.
    pub(super) fn note_idle(&mut self, command: &Command) {
        let (job, is_paused) = match *command {
            Command::Idle { job, is_idle: true, .. } => {
                let is_held = self.engine.job(job).is_some_and(|record| record.held);
                let rule = self.idle_rule(job).filter(|_| is_held);
                (job, rule.is_some_and(|rule| rule.then == WhenIdle::Pause))
            }
            Command::Release { job } => (job, false),
            _ => return,
        };
        if let Some(known) = self.book.get_mut(job) {
            known.is_idle_pause = is_paused;
        }
    }

    /// What there is to say of a job that computes nothing, or was paused for that.
    pub(super) fn idle_words(&self, job: JobId) -> Option<String> {
        let known = self.book.get(job)?;
        if self.is_idle(job) {
            return Some(idle::told(job, self.idle_rule(job)?));
        }
        (known.is_idle_pause && known.has_left()).then(|| {
            format!("it was paused for computing nothing; `muster release {job}` lets it go on")
        })
    }

    /// Whether a job has been said to be idle.
    pub(crate) fn is_idle(&self, job: JobId) -> bool {
        let run = self.engine.job(job).and_then(|job| job.run.as_ref());
        run.is_some_and(|run| run.idle.is_some())
    }

    /// Jobs that run.
    pub(crate) fn running(&self) -> impl Iterator<Item = &Job> {
        self.book.newest().filter(|job| JobState::from(job.state) == JobState::Running)
    }

    /// The largest gang that could start now within one domain of each level.
    pub fn largest_gangs(&self) -> Vec<LargestGang> {
        let levels = &self.engine.cluster().levels;
        let counts = self.engine.free_counts();
        let all = |count: &FreeCount| -> u64 {
            let nodes = (0u64..).zip(&count.nodes);
            nodes.map(|(gpus, nodes)| gpus * u64::from(*nodes)).sum()
        };
        let one = |count: &FreeCount| count.nodes.len().saturating_sub(1) as u64;
        let whole = levels.iter().map(|level| level.to_string());
        let names = ["cluster".to_owned()].into_iter().chain(whole);
        let mut largest: Vec<LargestGang> = names
            .enumerate()
            .map(|(depth, level)| {
                best(level, counts.iter().filter(|it| it.domain.len() == depth), all)
            })
            .collect();
        largest.push(best("node".to_owned(), counts.iter(), one));
        largest
    }

    /// The engine as it is now, to look into the future with while decisions go on.
    pub fn engine_copy(&self) -> Engine {
        self.engine.clone()
    }

    /// What runs next, by what the engine foresaw a moment ago.
    pub fn plan(&self, now: Time, outlook: Outlook) -> PlanView {
        let mut running: Vec<PlannedEnd> = outlook
            .ends
            .iter()
            .filter_map(|end| {
                let job = self.book.get(end.job)?;
                Some(PlannedEnd {
                    of: self.planned(job),
                    nodes: self.names(job.nodes_by_rank()),
                    started: job.started.map(Moment),
                    ends_expected: Moment(end.expected),
                    ends_latest: end.latest.map(Moment),
                    gives_way: end.gives_way,
                })
            })
            .collect();
        running.sort_by_key(|end| (end.ends_expected.0, end.of.job));
        let scene = self.scene();
        let next = outlook.next.into_iter().filter_map(|start| {
            let job = self.book.get(start.job)?;
            Some(PlannedStart {
                of: self.planned(job),
                submitted: Moment(job.submitted),
                starts_expected: start.expected.map(Moment),
                starts_latest: start.latest.map(Moment),
                runs_ms: Some(start.runs.0),
                nodes: self.names(start.nodes),
                reserved_nodes: self.names(start.held),
                is_starving: start.is_starving,
                held_since: start.held_since.map(Moment),
                passes: start.passes.map(|job| job.0),
                reason: start.reason.map(|reason| scene.reason(&reason)),
            })
        });
        let next = next.collect();
        PlanView {
            at: Moment(now),
            running,
            next,
            waiting: outlook.more as u64,
            bookings: self.bookings().into_iter().map(BookingView::from).collect(),
        }
    }

    fn names(&self, nodes: Vec<NodeId>) -> Vec<String> {
        nodes.into_iter().map(|node| self.node_name(node).to_string()).collect()
    }

    fn planned(&self, job: &Job) -> PlannedJob {
        let view = self.job_view(job);
        PlannedJob {
            job: view.id,
            name: view.name,
            user: view.user,
            team: view.team,
            queue: view.queue,
            class: view.class,
            gpus_milli: view.gpus_milli,
        }
    }
}

/// The most that one of these domains could hold; the first of equals.
fn best<'a>(
    level: String,
    counts: impl Iterator<Item = &'a FreeCount>,
    measure: impl Fn(&FreeCount) -> u64,
) -> LargestGang {
    let mut largest = LargestGang { level, domain: Vec::new(), gpus: 0, model: None };
    for count in counts {
        let gpus = measure(count);
        if gpus > largest.gpus {
            largest.gpus = gpus;
            largest.domain = count.domain.iter().map(ToString::to_string).collect();
            largest.model = count.model.as_ref().map(ToString::to_string);
        }
    }
    largest
}
