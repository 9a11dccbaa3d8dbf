//! Random small clusters with jobs that run and jobs that wait: something to ask "why" about.

use std::fmt;

use muster_engine::Engine;
use muster_model::{Isolation, MilliGpu, Share};
use proptest::prelude::*;

use crate::support::*;

/// A cluster and the jobs submitted to it, one after the other.
#[derive(Clone)]
pub(super) struct Scene {
    /// Free-standing choices: rack, model, GPUs of each node.
    nodes: Vec<(u8, bool, u32)>,
    limits: [Option<u64>; 3],
    user_limit: Option<u64>,
    jobs: Vec<JobSpec>,
}

impl Scene {
    /// The cluster with every job that could start running, five minutes after the first.
    pub(super) fn play(&self) -> World {
        self.play_in(|setup| setup)
    }

    /// The same in a cluster that is changed in some way.
    pub(super) fn play_in(&self, change: impl FnOnce(Setup) -> Setup) -> World {
        let mut world = change(self.setup()).build();
        for spec in &self.jobs {
            let job = world.submit(spec.clone());
            if world.word(job) == "launching" {
                world.confirm(job);
            }
            world.advance(seconds(30));
        }
        world
    }

    fn setup(&self) -> Setup {
        let mut setup = cluster().levels(["rack"]);
        for &(rack, is_h100, gpus) in &self.nodes {
            let model = if is_h100 { "H100" } else { "A100" };
            setup = setup.nodes(&format!("r{rack}"), 1, &format!("{model}x{gpus}"));
        }
        let limited =
            |name, limit: Option<u64>| queue(name).limit(limit.map(quota).unwrap_or_default());
        let [team, a, b] = self.limits;
        // A child may not be allowed more than its parent.
        let within = |limit: Option<u64>| team.map_or(limit, |team| limit.map(|own| own.min(team)));
        let per_user = self.user_limit.map(quota).unwrap_or_default();
        setup
            .queue(limited("team", team))
            .queue(limited("team/a", within(a)).user_limit(per_user))
            .queue(limited("team/b", within(b)))
    }
}

/// A scene in a few lines: what a failing property prints.
impl fmt::Debug for Scene {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Scene { nodes, limits, user_limit, jobs } = self;
        for (rack, is_h100, gpus) in nodes {
            let model = if *is_h100 { "H100" } else { "A100" };
            write!(formatter, "\n  node in r{rack}: {model}x{gpus}")?;
        }
        write!(formatter, "\n  limits of team, a, b: {limits:?}; per user in a: {user_limit:?}")?;
        for job in jobs {
            let JobSpec { user, queue, class, groups, topology, constraint, .. } = job;
            let (tasks, task) = (groups[0].tasks.min, &groups[0].task);
            write!(formatter, "\n  {user} in {queue} ({class}): {tasks} x {} GPUs", task.gpus)?;
            let models: Vec<&str> = task.models.iter().map(Name::as_str).collect();
            write!(formatter, " of {models:?}, {:?}", job.timing.estimate.map(|it| it.median.0))?;
            write!(formatter, " {topology:?} {:?}", constraint.require)?;
            write!(formatter, " {:?} {:?} hold {}", job.timing.begin, job.after, job.hold)?;
        }
        Ok(())
    }
}

/// A few nodes in up to three racks, up to a dozen jobs of all shapes in two queues.
pub(super) fn scenes() -> impl Strategy<Value = Scene> {
    let node = (1u8..=3, any::<bool>(), prop_oneof![Just(2u32), Just(4), Just(8)]);
    let limit = || prop::option::weighted(0.4, 2u64..24);
    (
        prop::collection::vec(node, 1..6),
        [limit(), limit(), limit()],
        prop::option::weighted(0.3, 2u64..12),
        prop::collection::vec(jobs(), 1..12),
    )
        .prop_map(|(nodes, limits, user_limit, jobs)| Scene {
            nodes,
            limits,
            user_limit,
            jobs,
        })
}

pub(super) fn jobs() -> impl Strategy<Value = JobSpec> {
    let size = (1u32..6, prop_oneof![Just(1u32), Just(2), Just(4), Just(8)]);
    let model = prop::option::weighted(0.4, any::<bool>());
    let wish = (0u8..8, 0u8..6, 0u8..20);
    let who = (any::<bool>(), any::<bool>(), 0u8..5);
    (size, model, wish, who, 1u64..90).prop_map(|((tasks, gpus), model, wish, who, minute)| {
        let mut spec = gang(tasks, gpus).estimate(minutes(minute), minutes(2 * minute));
        if let Some(is_h100) = model {
            spec = spec.models([if is_h100 { "H100" } else { "A100" }]);
        }
        spec = match wish.0 {
            0 | 1 => spec.require("rack"),
            2 => spec.require("node"),
            3 if tasks % 2 == 0 => spec.segment(2, "rack"),
            4 => spec.spread(),
            7 => spec.apart(),
            5 => spec.share(Share::fraction(MilliGpu(125 * u64::from(gpus)))).cpus(1),
            6 => {
                let share = Share::memory(gib(u64::from(gpus) * 9));
                spec.share(share.isolated(Isolation::None)).cpus(1)
            }
            _ => spec,
        };
        if wish.1 == 0 {
            spec = spec.only_on(Expression::Node(vec!["r1-1".into(), "r2-1".into()]));
        }
        spec = match wish.2 {
            0 => spec.hold(),
            1 => spec.begin(Time(u64::from(tasks) * 600_000)),
            2 => spec.singleton(),
            _ => spec,
        };
        let (in_a, is_first_user, class) = who;
        let class = ["standard", "standard", "standard", "express", "batch"][usize::from(class)];
        let user = if is_first_user { "user-a" } else { "user-b" };
        spec.queue(if in_a { "team/a" } else { "team/b" }).user(user).class(class)
    })
}

/// The jobs of a world that wait, for room or for something else.
pub(super) fn waiting(world: &World) -> Vec<JobId> {
    let waits = |state| matches!(state, JobState::Waiting | JobState::Queued);
    let jobs = world.snapshot().jobs;
    jobs.iter().filter(|job| waits(job.state)).map(|job| job.id).collect()
}

/// The jobs of a world that are queued.
pub(super) fn queued(world: &World) -> Vec<JobId> {
    let jobs = world.snapshot().jobs;
    jobs.iter().filter(|job| job.state == JobState::Queued).map(|job| job.id).collect()
}

/// A copy of the engine, to try something on.
pub(super) fn copy(world: &World) -> Engine {
    Engine::restore(world.snapshot(), world.tuning).expect("an engine's snapshot restores")
}

/// A command, and all that follows from it at the same moment.
pub(super) fn tell(engine: &mut Engine, now: Time, command: Command) -> Vec<Action> {
    let mut actions = engine.step(now, command);
    while engine.next_wake().is_some_and(|wake| wake <= now) {
        actions.extend(engine.step(now, Command::Tick));
    }
    actions
}

/// Whether a copy of a job with something changed would start if it were submitted now; a copy
/// does not wait for what the job has waited for already.
pub(super) fn would_start(world: &World, mut spec: JobSpec) -> bool {
    (spec.after, spec.timing.begin, spec.hold) = (Vec::new(), None, false);
    let mut engine = copy(world);
    let actions = tell(&mut engine, world.now(), Command::Submit { spec: spec.into() });
    let Some(Action::Accepted { job, .. }) = actions.first() else { return false };
    launched(&actions, *job)
}

pub(super) fn launched(actions: &[Action], job: JobId) -> bool {
    actions.iter().any(|action| {
        matches!(action, Action::Moved { job: moved, state: JobState::Launching, .. }
            if *moved == job)
    })
}
