//! One pool: an engine of its own with the nodes of the pool, and its jobs. Pools share nothing,
//! so an engine for each decides exactly what one for all would.

use std::sync::Arc;

use muster_checker::Checker;
use muster_engine::Engine;
use muster_engine::action::Action;
use muster_engine::command::Command;
use muster_model::{ClusterSpec, JobId, Mib, Millis, Name, NodeSpec, Policy, Time};
use muster_trace::{Cluster, Text, TraceError};

use super::live::Live;
use super::sharing::Neighbours;
use super::slow::{UNSLOWED, stretched};
use super::{Cost, Options};
use crate::error::SimError;

/// An engine, its nodes and its jobs.
#[derive(Debug)]
pub(super) struct Pool {
    pub(super) name: Option<Text>,
    engine: Engine,
    checker: Option<Checker>,
    /// When the engine wants to be woken.
    pub(super) wake: Option<Time>,
    /// By the number of the job, less one.
    live: Vec<Option<Box<Live>>>,
    /// GPUs of the largest node, and of all.
    pub(super) node_gpus: u32,
    pub(super) gpus: u64,
    pub(super) nodes: u32,
    /// GPUs of each node.
    pub(super) sizes: Vec<u32>,
    /// The domains of each node, widest first.
    domains: Vec<Vec<Name>>,
    /// Who computes beside whom.
    pub(super) neighbours: Neighbours,
    /// Which nodes are broken.
    pub(super) broken: Vec<bool>,
    pub(super) steps: u64,
}

/// The pools of a cluster, each with its engine; one where the cluster is one whole.
pub(super) fn pools(
    cluster: &Cluster,
    options: &Options,
    longest: Millis,
    now: Time,
) -> Result<Vec<Pool>, SimError> {
    let mut declared = cluster.declare().map_err(|error| refused(&error))?;
    if options.cost == Cost::Measured {
        // Where work is suspended there is room for it: as much as its processes had.
        let without = declared.nodes.iter_mut().filter(|node| node.suspend_memory == Mib::ZERO);
        without.for_each(|node| node.suspend_memory = node.memory);
    }
    let mut spec = ClusterSpec { policy: policy(options, longest), ..declared.spec };
    if let Some(teams) = &options.teams {
        spec.queues = teams.queues();
    }
    let mut pools = Vec::new();
    if cluster.pools.is_empty() {
        pools.push(Pool::new(None, spec, declared.nodes, options.check, now)?);
        return Ok(pools);
    }
    for pool in &cluster.pools {
        let nodes = declared.nodes.iter().filter(|node| node.pool.as_ref() == Some(&pool.name));
        let nodes: Vec<NodeSpec> = nodes.cloned().collect();
        let name = Some(Text::from(pool.name.as_str()));
        pools.push(Pool::new(name, spec.clone(), nodes, options.check, now)?);
    }
    Ok(pools)
}

fn refused(error: &TraceError) -> SimError {
    SimError::Replay(error.to_string())
}

/// The policy for a trace: no attempt is ended for being longer than a cluster would like, and what
/// is over is forgotten, for nobody asks.
fn policy(options: &Options, longest: Millis) -> Policy {
    let mut policy = options.rules.policy.clone();
    let slowest = options.slowdown.worst() * options.slowdown_shared.worst() / UNSLOWED;
    let longest = stretched(longest, slowest);
    let needed = Millis(longest.0.saturating_mul(2)) + Millis::days(1);
    policy.limit_max = policy.limit_max.max(needed).min(muster_model::bound::SPAN_MAX);
    // Nodes that are slow to launch are not given up on, or nothing would ever run.
    policy.launch_timeout = policy.launch_timeout.max(options.launch + Millis::minutes(1));
    policy.remember_ended = Millis::ZERO;
    policy
}

impl Pool {
    fn new(
        name: Option<Text>,
        spec: ClusterSpec,
        nodes: Vec<NodeSpec>,
        check: bool,
        now: Time,
    ) -> Result<Pool, SimError> {
        let checker = check.then(|| Checker::new(&spec));
        let mut pool = Pool {
            name,
            engine: Engine::new(spec).map_err(SimError::Configure)?,
            checker,
            wake: None,
            live: Vec::new(),
            node_gpus: nodes.iter().map(|node| node.gpus).max().unwrap_or(0),
            gpus: nodes.iter().map(|node| u64::from(node.gpus)).sum(),
            nodes: u32::try_from(nodes.len()).expect("nodes are fewer than 2^32"),
            sizes: nodes.iter().map(|node| node.gpus).collect(),
            domains: nodes.iter().map(|node| node.domains.clone()).collect(),
            neighbours: Neighbours::default(),
            broken: vec![false; nodes.len()],
            steps: 0,
        };
        for spec in nodes {
            pool.step(now, Command::NodeJoined { spec, running: Vec::new() })?;
        }
        Ok(pool)
    }

    /// Tells the engine something, judged if it is to be.
    pub(super) fn step(&mut self, now: Time, command: Command) -> Result<Vec<Action>, SimError> {
        self.steps += 1;
        let Some(checker) = &mut self.checker else {
            let actions = self.engine.step(now, command);
            self.wake = self.engine.next_wake();
            return Ok(actions);
        };
        let actions = self.engine.step(now, command.clone());
        self.wake = self.engine.next_wake();
        let (snapshot, free) = (self.engine.snapshot(), self.engine.free_counts());
        let judged = checker
            .observe(now, &command, &actions)
            .and_then(|()| checker.compare(&snapshot, &free, self.wake));
        judged.map_err(|violations| {
            let command = crate::log::json(&command);
            SimError::Promise { now, command, violations }
        })?;
        Ok(actions)
    }

    /// Submits a job; its number, or what is wrong with it.
    pub(super) fn submit(
        &mut self,
        now: Time,
        spec: muster_model::JobSpec,
        live: impl FnOnce(&muster_model::JobSpec) -> Live,
    ) -> Result<Result<Vec<Action>, String>, SimError> {
        let spec = Arc::new(spec);
        let actions = self.step(now, Command::Submit { spec: Arc::clone(&spec) })?;
        match actions.first() {
            Some(Action::Accepted { job, .. }) => {
                let at = place(*job);
                if self.live.len() <= at {
                    self.live.resize_with(at + 1, || None);
                }
                self.live[at] = Some(Box::new(live(&spec)));
                Ok(Ok(actions))
            }
            Some(Action::Rejected { errors }) => {
                Ok(Err(errors.first().map_or_else(String::new, ToString::to_string)))
            }
            _ => Ok(Err("the engine did not answer".to_owned())),
        }
    }

    /// When a job that waits will have started at the latest, if nothing breaks.
    pub(super) fn latest_start(&mut self, job: JobId) -> Option<Time> {
        self.engine.why(job)?.latest_start
    }

    pub(super) fn live(&mut self, job: JobId) -> Option<&mut Live> {
        self.live.get_mut(place(job))?.as_deref_mut()
    }

    /// How slow a job is on the nodes it has, beside those who compute on its GPU.
    pub(super) fn slowness(&self, job: JobId, options: &Options) -> u64 {
        let live = self.live.get(place(job)).and_then(|live| live.as_deref());
        let Some(live) = live else { return UNSLOWED };
        let domains = live.nodes.iter().map(|node| self.domains[node.index()].as_slice());
        let beside = live
            .gpu
            .map_or(0, |gpu| self.neighbours.on(gpu).iter().filter(|other| **other != job).count());
        options.slowdown.of(domains) * options.slowdown_shared.beside(beside) / UNSLOWED
    }

    /// A job is over.
    pub(super) fn take(&mut self, job: JobId) -> Option<Live> {
        self.live.get_mut(place(job))?.take().map(|live| *live)
    }

    /// All jobs that are not over.
    pub(super) fn all_live(&mut self) -> impl Iterator<Item = &mut Live> {
        self.live.iter_mut().filter_map(|live| live.as_deref_mut())
    }
}

fn place(job: JobId) -> usize {
    usize::try_from(job.0 - 1).expect("jobs fit the memory")
}
