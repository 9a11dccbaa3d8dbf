//! What people read of the state: jobs, nodes, queues, and why.

use muster_api::moment::Moment;
use muster_api::view::{
    ClusterView, JobState, JobView, NodeState, NodeView, PlaceView, QueueView, WhyView,
};
use muster_engine::explain::{Decision, Why};
use muster_engine::reason::{Reason, Resource};
use muster_engine::snapshot::{BookingRecord, NodeRecord, Sight};
use muster_model::{GpuSet, JobId, JobSpec, NodeId, NodeSpec, ShareSize, Time};
use muster_sim::render::Scene;

use super::Control;
use super::book::Job;

/// Which jobs someone wants to see.
#[derive(Clone, Debug, Default)]
pub struct JobFilter {
    /// In one of these states; any if none is named.
    pub states: Vec<JobState>,
    /// Of this user.
    pub user: Option<String>,
    /// In this queue or below it.
    pub queue: Option<String>,
    /// Whose name begins so.
    pub name: Option<String>,
    /// Elements of this array, or this job.
    pub array: Option<u64>,
}

impl JobFilter {
    /// Whether a job is wanted.
    pub fn wants(&self, job: &JobView) -> bool {
        let below = |queue: &String| {
            job.queue == *queue
                || job.queue.strip_prefix(queue.as_str()).is_some_and(|rest| rest.starts_with('/'))
        };
        (self.states.is_empty() || self.states.contains(&job.state))
            && self.user.as_ref().is_none_or(|user| job.user == *user)
            && self.queue.as_ref().is_none_or(below)
            && self.name.as_ref().is_none_or(|name| job.name.starts_with(name))
            && self.array.is_none_or(|array| job.array == Some(array) || job.id == array)
    }
}

impl Control {
    /// Jobs in memory with numbers below `before`, the newest first.
    pub fn jobs(&self, filter: &JobFilter, before: Option<u64>, most: usize) -> Vec<JobView> {
        let older = |job: &&Job| before.is_none_or(|before| job.id.0 < before);
        let states = |job: &&Job| {
            filter.states.is_empty() || filter.states.contains(&JobState::from(job.state))
        };
        let views = self.book.newest().filter(older).filter(states).map(|job| self.job_view(job));
        views.filter(|view| filter.wants(view)).take(most).collect()
    }

    /// One job as people see it.
    pub fn job_view(&self, job: &Job) -> JobView {
        let spec = self.book.spec(job);
        let held = job.places.values().flatten();
        let is_placed = !job.places.is_empty();
        let gpus_milli = if is_placed {
            held.clone()
                .map(|task| {
                    task.share.map_or(u64::from(task.gpus.count()) * 1000, |share| share.milli.0)
                })
                .sum()
        } else {
            least_gpus_milli(spec)
        };
        let fewest = spec.groups.iter().map(|group| group.tasks.min).sum();
        let tasks = if is_placed { u32::try_from(held.count()).unwrap_or(fewest) } else { fewest };
        let models = spec.groups.iter().flat_map(|group| &group.task.models);
        let mut view = JobView {
            id: job.id.0,
            name: spec.name.to_string(),
            user: spec.user.to_string(),
            team: spec.team.as_ref().map(ToString::to_string),
            queue: spec.queue.to_string(),
            class: spec.class.to_string(),
            state: JobState::Waiting,
            outcome: None,
            exit_code: None,
            exit_signal: None,
            cancelled_by: job.cancelled_by.clone(),
            reason: None,
            array: job.index.map(|_| job.submission.0),
            index: job.index,
            tasks,
            gpus_milli,
            models: models.map(ToString::to_string).collect(),
            attempt: job.attempt.0,
            nodes: job
                .nodes_by_rank()
                .into_iter()
                .map(|node| self.node_name(node).to_string())
                .collect(),
            submitted: Moment(job.submitted),
            started: job.started.map(Moment),
            ended: job.ended.map(Moment),
        };
        view.set_state(job.state);
        view
    }

    /// Where a job's tasks are.
    pub fn places(&self, job: &Job) -> Vec<PlaceView> {
        let tasks =
            job.places.iter().flat_map(|(node, tasks)| tasks.iter().map(move |task| (*node, task)));
        tasks
            .map(|(node, task)| PlaceView {
                node: self.node_name(node).to_string(),
                group: task.group,
                rank: task.rank,
                gpus: task.gpus.iter().collect(),
                share_milli: task.share.map(|share| share.milli.0),
            })
            .collect()
    }

    /// Puts the first reason beside each job that waits.
    pub fn add_reasons(&mut self, views: &mut [JobView]) {
        for view in views.iter_mut().filter(|view| view.state.is_pending()) {
            view.reason = self.first_reason(JobId(view.id));
        }
    }

    /// What keeps a job that waits, in words.
    pub(super) fn first_reason(&mut self, job: JobId) -> Option<String> {
        let scene = self.scene();
        self.engine.reasons(job).first().map(|reason| scene.reason(reason))
    }

    /// What keeps a job that waits, in a word that stays the same; for a limit, with what it
    /// counts.
    pub fn waits(&mut self, job: JobId) -> Option<String> {
        let reasons = self.engine.reasons(job);
        let gave_way = reasons.iter().any(|reason| matches!(reason, Reason::Paused(_)));
        let (code, resource) = match reasons.first()? {
            // It had its place and lost it: that says more than what it lacks now.
            reason if gave_way && !matches!(reason, Reason::Held) => ("paused", None),
            reason @ (Reason::QueueLimit { resource, .. } | Reason::UserLimit { resource, .. }) => {
                (reason.code(), Some(resource))
            }
            reason => (reason.code(), None),
        };
        let of = resource.map(|resource| match resource {
            Resource::Gpus | Resource::GpusOf(_) => "-gpus",
            Resource::Cpus => "-cpus",
            Resource::Memory => "-memory",
        });
        Some(format!("{code}{}", of.unwrap_or_default()))
    }

    /// Why a job had to leave its place and what that costs, if it has not run since.
    pub(crate) fn gave_way(&self, now: Time, job: JobId) -> Option<String> {
        let pauses = self.engine.job(job)?.pauses.as_ref().filter(|pauses| pauses.is_open)?;
        let why = self.scene().reason(&Reason::Paused(pauses.latest));
        let took_s = now.since(pauses.latest.at).0.div_ceil(1000);
        let free = format!("its GPUs were free after {took_s}s");
        Some(format!("preempted by job {}: {why}; {free}", pauses.latest.by))
    }

    /// When a job that waits will probably start.
    pub fn starts(&mut self, job: JobId) -> Option<Moment> {
        self.engine.why(job)?.estimated_start.map(Moment)
    }

    /// Jobs in memory that were submitted under a number, or the one that has it.
    pub fn of_submission(&self, number: JobId) -> Vec<JobView> {
        let own = self.book.get(number).into_iter();
        own.chain(self.book.of_array(number)).map(|job| self.job_view(job)).collect()
    }

    /// Whether so many jobs are all that were submitted under a number.
    pub fn is_whole(&self, number: JobId, found: usize) -> bool {
        if self.book.get(number).is_some() {
            return true;
        }
        let spec = self.book.of_array(number).next().map(|job| self.book.spec(job));
        let elements = spec.and_then(|spec| spec.array.as_ref()).map(|array| array.indexes.len());
        elements == Some(found)
    }

    /// What the nodes are made of, in the order of their names.
    pub fn node_specs(&self) -> impl Iterator<Item = &NodeSpec> + Clone {
        self.nodes.values().filter_map(|node| self.engine.node_spec(*node))
    }

    /// Whether there are nodes, in whatever state, that have what a valid job asks for.
    pub(crate) fn has_nodes_for(&self, spec: &JobSpec) -> bool {
        self.engine.has_nodes_for(spec)
    }

    /// Why a job is where it is.
    pub fn why(&mut self, job: JobId) -> Option<WhyView> {
        let why = self.engine.why(job)?;
        let decision = self.engine.decision(job);
        let value = |error: serde_json::Error| serde_json::Value::String(error.to_string());
        Some(WhyView {
            job: job.0,
            text: self.say(&why, decision.as_ref()),
            why: serde_json::to_value(&why).unwrap_or_else(value),
            decision: decision
                .map(|decision| serde_json::to_value(&decision).unwrap_or_else(value)),
        })
    }

    /// The words that stories have, with dates.
    pub(super) fn scene(&self) -> Scene {
        Scene::new(self.engine.now()).saying(|_, time| Moment(time).to_string())
    }

    /// The answer in the words that stories have, with dates.
    fn say(&self, why: &Why, decision: Option<&Decision>) -> String {
        let mut scene = self.scene();
        for (name, node) in self.node_names() {
            scene.know_node(node, name.clone());
        }
        if let Some(job) = self.book.get(why.job) {
            scene.know_job(why.job, self.book.spec(job).clone());
        }
        let placed = decision.filter(|_| JobState::from(why.state).is_active());
        let mut lines = scene.why(why);
        lines.extend(self.idle_words(why.job));
        lines.extend(placed.into_iter().flat_map(|decision| scene.decision(decision)));
        lines.join("\n")
    }

    /// All nodes.
    pub fn nodes(&self) -> Vec<NodeView> {
        self.nodes.values().filter_map(|node| self.node_view(*node)).collect()
    }

    /// One node as people see it.
    pub fn node_view(&self, node: NodeId) -> Option<NodeView> {
        let NodeRecord { spec, sight, drained, unhealthy, .. } = self.engine.node(node)?;
        let lease_ends = match sight {
            Sight::Unknown { lease_ends } => Some(Moment(lease_ends)),
            Sight::Seen | Sight::Gone => None,
        };
        let jobs = self.engine.jobs_on(node);
        let (cpus_used_milli, memory_used_mib) = self.host_used(node, &spec, &jobs);
        let labels = spec.labels.iter().map(|(name, value)| format!("{name}={value}"));
        Some(NodeView {
            name: spec.name.to_string(),
            state: NodeState::from(sight),
            drained,
            gpus: spec.gpus,
            gpu_model: spec.gpu_model.as_ref().map(ToString::to_string),
            gpus_used_milli: self.used_milli(node, &jobs),
            unhealthy: unhealthy.iter().collect(),
            cpus_milli: spec.cpus.0,
            cpus_used_milli,
            memory_mib: spec.memory.0,
            memory_used_mib,
            domains: spec.domains.iter().map(ToString::to_string).collect(),
            pool: spec.pool.as_ref().map(ToString::to_string),
            labels: labels.collect(),
            jobs: jobs.iter().map(|job| job.0).collect(),
            lease_ends,
        })
    }

    /// Thousandths of CPUs, and MiB of memory, that these jobs hold on a node: all of them where a
    /// job has it to itself.
    fn host_used(&self, node: NodeId, spec: &NodeSpec, jobs: &[JobId]) -> (u64, u64) {
        let (mut cpus, mut memory) = (0, 0);
        for job in jobs.iter().filter_map(|job| self.book.get(*job)) {
            let groups = &self.book.spec(job).groups;
            for task in job.places.get(&node).into_iter().flatten() {
                let shape = &groups[usize::from(task.group)].task;
                if shape.exclusive {
                    return (spec.cpus.0, spec.memory.0);
                }
                cpus += shape.cpus.0;
                memory += shape.memory.0;
            }
        }
        (cpus, memory)
    }

    /// Thousandths of a node's GPUs that these jobs hold.
    fn used_milli(&self, node: NodeId, jobs: &[JobId]) -> u64 {
        let mut whole = GpuSet::default();
        let mut shares = 0;
        for tasks in jobs.iter().filter_map(|job| self.book.get(*job)?.places.get(&node)) {
            for task in tasks {
                match task.share {
                    Some(share) => shares += share.milli.0,
                    None => whole = whole.or(task.gpus),
                }
            }
        }
        u64::from(whole.count()) * 1000 + shares
    }

    /// Bookings that are not over.
    pub fn bookings(&self) -> Vec<BookingRecord> {
        self.engine.bookings()
    }

    /// All queues with their books.
    pub fn queues(&self) -> Vec<QueueView> {
        let mut views = self.queue_books();
        for job in self.book.newest() {
            let state = JobState::from(job.state);
            let queue = self.book.spec(job).queue.as_str();
            let Some(view) = views.iter_mut().find(|view| view.name == queue) else { continue };
            view.running += u64::from(state.is_active());
            view.pending += u64::from(state.is_pending());
        }
        views
    }

    /// All queues with their books, without a count of their jobs.
    pub(crate) fn queue_books(&self) -> Vec<QueueView> {
        let specs = &self.engine.cluster().queues;
        let accounts = self.engine.accounts();
        specs
            .iter()
            .zip(&accounts)
            .map(|(spec, account)| QueueView {
                name: spec.name.to_string(),
                weight: spec.weight,
                guarantee_milli: (account.guarantee.0 > 0).then_some(account.guarantee.0),
                limit_milli: account.limit.map(|limit| limit.0),
                used_milli: account.used.0,
                borrowed_milli: account.borrowed.0,
                lent_milli: account.lent.0,
                share_ppm: account.share_ppm,
                usage_ppm: account.usage_ppm,
                running: 0,
                pending: 0,
            })
            .collect()
    }

    /// The cluster at a glance.
    pub fn glance(&self, sequence: u64) -> ClusterView {
        let mut counts = ClusterView { sequence, ..self.job_counts() };
        for node in self.nodes.values().copied() {
            let Some(record) = self.engine.node(node) else { continue };
            let used_milli = self.used_milli(node, &self.engine.jobs_on(node));
            counts.add_node(record.sight.into(), record.spec.gpus, used_milli);
        }
        counts
    }

    /// Of the cluster at a glance only the jobs, for who knows the rest already.
    pub fn job_counts(&self) -> ClusterView {
        let mut counts = ClusterView { ended: self.book.ended_count, ..ClusterView::default() };
        for state in self.book.newest().map(|job| JobState::from(job.state)) {
            counts.active += u64::from(state.is_active());
            counts.pending += u64::from(state.is_pending());
        }
        counts
    }
}

/// Thousandths of GPUs that a job has at its smallest.
pub(crate) fn least_gpus_milli(spec: &JobSpec) -> u64 {
    let groups = spec.groups.iter().map(|group| {
        let share = group.task.share.as_ref().map_or(0, |share| match share.size {
            ShareSize::Fraction { least, .. } => least.0,
            ShareSize::Memory(_) | ShareSize::Mig(_) => 1000,
        });
        u64::from(group.tasks.min) * (u64::from(group.task.gpus) * 1000 + share)
    });
    groups.sum()
}
