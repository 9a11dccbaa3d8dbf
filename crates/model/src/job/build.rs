//! Writing a job in a few lines: who and what first, then what differs from the usual.
//!
//! What concerns tasks (`models`, `cpus`, …) changes the group that was added last.

use crate::checkpoint::{Checkpoint, Rung, RungCost};
use crate::constraint::Expression;
use crate::dependency::{Dependency, DependencyKind, Predecessor};
use crate::id::JobId;
use crate::job::{Array, JobSpec, Requeue};
use crate::name::{Name, QueueName};
use crate::scaling::{Scaling, SpeedPoint};
use crate::task::{TaskCount, TaskGroup, TaskShape};
use crate::timing::{Estimate, Timing, Warning};
use crate::topology::{Level, Segment, TopologyWish};
use crate::unit::{Mib, Millis, Time};

impl JobSpec {
    /// A job of one user in one queue, of class `standard`, with no tasks yet.
    ///
    /// ```
    /// use muster_model::{JobSpec, TaskCount, TaskShape};
    ///
    /// let job = JobSpec::new("play", "user-a", "default")
    ///     .group("learner", TaskCount::exactly(1), TaskShape::gpus(8))
    ///     .group("actors", TaskCount { min: 4, max: 64 }, TaskShape::gpus(1));
    /// assert_eq!(job.groups.len(), 2);
    /// ```
    pub fn new(name: &str, user: &str, queue: &str) -> JobSpec {
        JobSpec {
            name: Name::from(name),
            user: Name::from(user),
            team: None,
            queue: QueueName::from(queue),
            class: Name::from("standard"),
            groups: Vec::new(),
            topology: TopologyWish::default(),
            constraint: Default::default(),
            array: None,
            after: Vec::new(),
            timing: Timing::default(),
            checkpoint: Checkpoint::default(),
            scaling: Scaling::default(),
            weight: 0,
            requeue: Requeue::default(),
            booking: None,
            hold: false,
        }
    }

    /// A gang of equal tasks of `user-a` in the queue `default`: the usual job of an example.
    ///
    /// ```
    /// use muster_model::{JobSpec, Millis};
    ///
    /// let job = JobSpec::gang("train", 4, 8)
    ///     .user("vision-1")
    ///     .queue("research/vision")
    ///     .models(["H100", "A100"])
    ///     .require("rack")
    ///     .limit(Millis::hours(12));
    /// assert_eq!(job.groups[0].tasks.max * job.groups[0].task.gpus, 32);
    /// ```
    pub fn gang(name: &str, tasks: u32, gpus_per_task: u32) -> JobSpec {
        JobSpec::new(name, "user-a", "default").group(
            "main",
            TaskCount::exactly(tasks),
            TaskShape::gpus(gpus_per_task),
        )
    }

    /// With one more group of tasks.
    #[must_use]
    pub fn group(mut self, name: &str, tasks: TaskCount, task: TaskShape) -> JobSpec {
        self.groups.push(TaskGroup { name: Name::from(name), tasks, task });
        self
    }

    /// Run in a booking, and only there.
    #[must_use]
    pub fn booking(mut self, booking: &str) -> JobSpec {
        self.booking = Some(Name::from(booking));
        self
    }

    /// Submitted by this user.
    #[must_use]
    pub fn user(mut self, user: &str) -> JobSpec {
        self.user = Name::from(user);
        self
    }

    /// Accounted to this team.
    #[must_use]
    pub fn team(mut self, team: &str) -> JobSpec {
        self.team = Some(Name::from(team));
        self
    }

    /// In this queue.
    #[must_use]
    pub fn queue(mut self, queue: &str) -> JobSpec {
        self.queue = QueueName::from(queue);
        self
    }

    /// Of this class.
    #[must_use]
    pub fn class(mut self, class: &str) -> JobSpec {
        self.class = Name::from(class);
        self
    }

    /// All tasks inside one domain of this level.
    #[must_use]
    pub fn require(mut self, level: impl Into<Level>) -> JobSpec {
        self.topology.require = Some(level.into());
        self
    }

    /// All tasks inside one domain of this level where possible.
    #[must_use]
    pub fn prefer(mut self, level: impl Into<Level>) -> JobSpec {
        self.topology.prefer = Some(level.into());
        self
    }

    /// Blocks of `tasks` tasks, each inside one domain of this level.
    #[must_use]
    pub fn segment(mut self, tasks: u32, level: impl Into<Level>) -> JobSpec {
        self.topology.segment = Some(Segment { tasks, level: level.into() });
        self
    }

    /// Each task on a node of its own.
    #[must_use]
    pub fn apart(mut self) -> JobSpec {
        self.topology.apart = true;
        self
    }

    /// On as many nodes as possible.
    #[must_use]
    pub fn spread(mut self) -> JobSpec {
        self.topology.spread = true;
        self
    }

    /// Only on nodes that match.
    #[must_use]
    pub fn only_on(mut self, nodes: Expression) -> JobSpec {
        self.constraint.require = Some(Box::new(nodes));
        self
    }

    /// First on nodes that match.
    #[must_use]
    pub fn rather_on(mut self, nodes: Expression) -> JobSpec {
        self.constraint.prefer = Some(Box::new(nodes));
        self
    }

    /// Last on nodes that match.
    #[must_use]
    pub fn rather_not_on(mut self, nodes: Expression) -> JobSpec {
        self.constraint.avoid = Some(Box::new(nodes));
        self
    }

    /// An array with these indexes.
    #[must_use]
    pub fn array(mut self, indexes: impl IntoIterator<Item = u32>) -> JobSpec {
        let throttle = self.array.and_then(|array| array.throttle);
        self.array = Some(Array { indexes: indexes.into_iter().collect(), throttle });
        self
    }

    /// With at most so many elements of its array running at once.
    #[must_use]
    pub fn throttle(mut self, most: u32) -> JobSpec {
        self.array.get_or_insert_with(|| Array { indexes: Vec::new(), throttle: None }).throttle =
            Some(most);
        self
    }

    /// Waiting for another job too.
    #[must_use]
    pub fn after(mut self, job: JobId, kind: DependencyKind) -> JobSpec {
        self.after.push(Dependency::on(job, kind));
        self
    }

    /// Waiting for the first of several jobs to reach its point.
    #[must_use]
    pub fn after_any_of(mut self, of: impl Into<Vec<Predecessor>>) -> JobSpec {
        self.after.push(Dependency::AnyOf(of.into()));
        self
    }

    /// Waiting for earlier jobs of the same user and name.
    #[must_use]
    pub fn singleton(mut self) -> JobSpec {
        self.after.push(Dependency::Singleton);
        self
    }

    /// Ended when it has run this long.
    #[must_use]
    pub fn limit(mut self, limit: Millis) -> JobSpec {
        self.timing.limit = Some(limit);
        self
    }

    /// Expected to run this long: half of such jobs, and nine of ten, end sooner.
    #[must_use]
    pub fn estimate(mut self, median: Millis, p90: Millis) -> JobSpec {
        self.timing.estimate = Some(Estimate { median, p90 });
        self
    }

    /// To be finished by then.
    #[must_use]
    pub fn deadline(mut self, deadline: Time) -> JobSpec {
        self.timing.deadline = Some(deadline);
        self
    }

    /// Not to start before.
    #[must_use]
    pub fn begin(mut self, begin: Time) -> JobSpec {
        self.timing.begin = Some(begin);
        self
    }

    /// Sent this signal so long before its limit.
    #[must_use]
    pub fn warning(mut self, signal: u8, before: Millis) -> JobSpec {
        self.timing.warning = Some(Warning { signal, before });
        self
    }

    /// Allowing one more rung of the pause ladder.
    #[must_use]
    pub fn rung(mut self, rung: Rung, save: Millis, restore: Millis) -> JobSpec {
        self.checkpoint.rungs.push(RungCost { rung, save, restore });
        self
    }

    /// This fast with so many tasks; sizes ascending.
    #[must_use]
    pub fn speeds(mut self, speeds: impl IntoIterator<Item = (u32, u32)>) -> JobSpec {
        let point = |(tasks, speed)| SpeedPoint { tasks, speed };
        self.scaling.speeds = speeds.into_iter().map(point).collect();
        self
    }

    /// Saving by itself so often.
    #[must_use]
    pub fn saves_every(mut self, every: Millis) -> JobSpec {
        self.checkpoint.every = Some(every);
        self
    }

    /// With so much GPU memory to move per GPU when it is suspended.
    #[must_use]
    pub fn gpu_state(mut self, state: Mib) -> JobSpec {
        self.checkpoint.state = Some(state);
        self
    }

    /// Standing still for so long while its size changes.
    #[must_use]
    pub fn resize(mut self, resize: Millis) -> JobSpec {
        self.scaling.resize = resize;
        self
    }

    /// Of this weight, in doublings.
    #[must_use]
    pub fn weight(mut self, weight: i8) -> JobSpec {
        self.weight = weight;
        self
    }

    /// Started again like this.
    #[must_use]
    pub fn requeue(mut self, requeue: Requeue) -> JobSpec {
        self.requeue = requeue;
        self
    }

    /// Held until released.
    #[must_use]
    pub fn hold(mut self) -> JobSpec {
        self.hold = true;
        self
    }
}
