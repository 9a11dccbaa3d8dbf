//! A journal to replay: random commands of every kind, many of them nonsense, against an engine
//! whose answers decide what can happen next. Only the seed decides otherwise.

use muster_engine::action::JobState;
use muster_engine::command::{Command, Exit, Refusal, Running};
use muster_engine::snapshot::{NodeReport, Sight, Snapshot};
use muster_engine::{Engine, Tuning};
use muster_model::{
    Attempt, ClusterSpec, DependencyKind, Estimate, Expression, Isolation, JobId, JobSpec, Mib,
    MilliGpu, Millis, NodeId, NodeSpec, Order, Policy, Predecessor, QueueSpec, Quota, Requeue,
    Share, ShareSize, Sharing, Time,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What an engine was told, and when.
pub(super) type Journal = Vec<(Time, Command)>;

/// A configuration to replay under.
pub(super) fn setting(order: Order) -> (ClusterSpec, Tuning) {
    let policy = Policy {
        order,
        limit_max: Millis::hours(2),
        estimate_default: Millis::minutes(10),
        remember_ended: Millis::minutes(30),
        floor: muster_model::Floor {
            share_ppm: 300_000,
            wait: Millis::minutes(20),
            quantum: Millis::minutes(15),
        },
        ..Policy::default()
    };
    let queues = [
        QueueSpec::new("team").limit(Quota::of_gpus(40)),
        QueueSpec::new("team/a").guarantee(Quota::of_gpus(8)).user_limit(Quota::of_gpus(16)),
        QueueSpec::new("team/b").weight(3),
        QueueSpec::new("other").limit(Quota::default().model("H100", 16)),
    ];
    let cluster = ClusterSpec::default().levels(["rack"]).queues(queues).policy(policy);
    (cluster, Tuning { starts_per_step: 3, ..Tuning::default() })
}

/// A journal of so many commands.
pub(super) fn journal(seed: u64, order: Order, length: usize) -> Journal {
    let (cluster, tuning) = setting(order);
    let engine = Engine::with_tuning(cluster, tuning).expect("the setting is valid");
    let random = ChaCha8Rng::seed_from_u64(seed);
    let mut writer = Writer { engine, random, now: Time(1000), journal: Vec::new() };
    for number in 0..6 {
        writer.tell(Command::NodeJoined { spec: node(number), running: vec![] });
    }
    while writer.journal.len() < length {
        writer.write();
    }
    writer.journal
}

fn node(number: u32) -> NodeSpec {
    let model = if number.is_multiple_of(3) { "A100" } else { "H100" };
    let rack = format!("r{}", number % 3);
    let sharing = if number.is_multiple_of(2) { Sharing::ALL } else { Sharing::default() };
    NodeSpec::new(&format!("n-{number}"), model, 8).domains([rack.as_str()]).sharing(sharing)
}

struct Writer {
    engine: Engine,
    random: ChaCha8Rng,
    now: Time,
    journal: Journal,
}

impl Writer {
    fn tell(&mut self, command: Command) {
        self.engine.step(self.now, command.clone());
        self.journal.push((self.now, command));
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.random.random_range(0..100) < percent
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        let index = self.random.random_range(0..from.len().max(1));
        from.get(index).cloned()
    }

    /// One thing more happens.
    fn write(&mut self) {
        let snapshot = self.engine.snapshot();
        match self.random.random_range(0..100) {
            0..22 => self.pass_time(),
            22..62 => self.report(&snapshot),
            62..80 => self.submit(&snapshot),
            80..88 => self.request(&snapshot),
            88..97 => self.trouble(&snapshot),
            _ => self.configure(),
        }
    }

    /// To the next wake, a little further, or not at all; sometimes the clock steps back.
    fn pass_time(&mut self) {
        let wake = self.engine.next_wake().unwrap_or(self.now);
        self.now = match self.random.random_range(0..4) {
            0 => wake.max(self.now),
            1 => self.now + Millis(self.random.random_range(0..60_000)),
            2 => self.now + Millis(self.random.random_range(0..900_000)),
            _ => self.now,
        };
        let honest = self.now;
        if self.chance(5) {
            self.now = Time(self.now.0 / 2);
        }
        self.tell(Command::Tick);
        self.now = honest;
    }

    /// A node says something about an attempt: mostly true, sometimes late or wrong.
    fn report(&mut self, snapshot: &Snapshot) {
        let parts: Vec<(JobId, Attempt, NodeId, NodeReport, JobState)> = snapshot
            .jobs
            .iter()
            .flat_map(|job| job.run.iter().map(move |run| (job, run)))
            .flat_map(|(job, run)| {
                let part = |part: &muster_engine::snapshot::NodeRun| {
                    (job.id, job.attempt, part.node, part.report, job.state)
                };
                run.nodes.iter().map(part).collect::<Vec<_>>()
            })
            .filter(|(.., report, _)| *report != NodeReport::Ended)
            .collect();
        let Some((job, attempt, node, said, state)) = self.pick(&parts) else {
            return self.nonsense();
        };
        if self.chance(6) {
            return self.nonsense();
        }
        let exits = [Exit::Code(0), Exit::Code(0), Exit::Code(0), Exit::Code(1), Exit::Signal(9)];
        let exit = match state {
            JobState::Stopping => Exit::Stopped,
            _ => self.pick(&exits).unwrap_or(Exit::OutOfMemory),
        };
        // Some jobs can never be launched, so that they fail for good.
        let is_broken = job.0.is_multiple_of(9);
        let is_refused = said == NodeReport::Asked && (is_broken || self.chance(8));
        let is_started = said == NodeReport::Asked && state != JobState::Stopping;
        let word = "disk-full".into();
        let by_node = !is_broken && self.chance(80);
        let refusal = if by_node { Refusal::Node(word) } else { Refusal::Job(word) };
        self.tell(if is_refused {
            Command::Refused { node, job, attempt, refusal }
        } else if is_started {
            Command::Started { node, job, attempt }
        } else {
            Command::Ended { node, job, attempt, exit }
        });
    }

    fn nonsense(&mut self) {
        let node = NodeId(self.random.random_range(0..8));
        let job = JobId(self.random.random_range(0..400));
        let attempt = Attempt(self.random.random_range(0..4));
        let refusal = Refusal::Job("no-such-user".into());
        let said = [
            Command::Started { node, job, attempt: Attempt(9) },
            Command::Ended { node: NodeId(77), job, attempt, exit: Exit::Code(3) },
            Command::Refused { node: NodeId(78), job, attempt, refusal },
            Command::Cancel { job: JobId(job.0 + 100_000) },
            Command::GpuUnhealthy { node, gpu: 40 },
        ];
        let said = self.pick(&said).expect("there is nonsense");
        self.tell(said);
    }

    fn submit(&mut self, snapshot: &Snapshot) {
        let tasks = [1, 1, 2, 3, 4, 6];
        let gpus = [1, 1, 2, 4, 8, 8];
        let tasks = self.pick(&tasks).unwrap_or(1);
        let gpus = self.pick(&gpus).unwrap_or(1);
        let minutes = self.random.random_range(1..40);
        let queue = self.pick(&["team/a", "team/b", "other"]).unwrap_or("other");
        let user = self.pick(&["user-a", "user-b", "user-c"]).unwrap_or("user-a");
        let class = self.pick(&["standard", "standard", "express", "preemptible"]);
        let mut spec = JobSpec::gang(self.pick(&["train", "etl"]).unwrap_or("etl"), tasks, gpus)
            .queue(queue)
            .user(user)
            .class(class.unwrap_or("batch"))
            .limit(Millis::minutes(3 * minutes))
            .requeue(Requeue { when_lost: self.chance(70), when_failed: self.chance(50), most: 3 });
        if self.chance(60) {
            spec = spec.estimate(Millis::minutes(minutes), Millis::minutes(2 * minutes));
        }
        spec = self.wish(spec);
        spec = self.wait(spec, snapshot);
        self.tell(Command::Submit { spec: spec.into() });
    }

    fn wish(&mut self, spec: JobSpec) -> JobSpec {
        match self.random.random_range(0..10) {
            0 => spec.require("rack"),
            1 => spec.prefer("rack").models(["H100"]),
            2 => spec.apart(),
            3 => spec.models(["A100", "H100"]),
            4 => spec.only_on(Expression::Node(vec!["n-1".into(), "n-2".into(), "n-4".into()])),
            5 => spec.weight(2).deadline(self.now + Millis::hours(2)),
            6 => spec.warning(12, Millis::minutes(1)),
            7 | 8 => {
                let share = self.share();
                let is_mig = matches!(share.size, ShareSize::Mig(_));
                let spec = if is_mig { spec.models(["H100"]) } else { spec };
                spec.share(share).cpus(1).memory(Mib::gib(2))
            }
            _ => spec,
        }
    }

    /// Part of a GPU, of every kind.
    fn share(&mut self) -> Share {
        let milli = MilliGpu(self.random.random_range(1..=10) * 100);
        let isolation = self.pick(&Isolation::ALL).unwrap_or_default();
        match self.random.random_range(0..4) {
            0 => Share::mig(self.pick(&["1g.10gb", "3g.40gb"]).unwrap_or("2g.20gb")),
            1 => Share::between(milli, MilliGpu(1000)).isolated(isolation),
            2 => Share::memory(Mib::gib(milli.0 / 20)).isolated(isolation),
            _ => Share::fraction(milli).isolated(isolation),
        }
    }

    fn wait(&mut self, spec: JobSpec, snapshot: &Snapshot) -> JobSpec {
        let others: Vec<JobId> = snapshot.jobs.iter().map(|job| job.id).collect();
        match self.random.random_range(0..10) {
            0 => spec.hold(),
            1 => spec.begin(self.now + Millis::minutes(3)),
            2 => spec.singleton(),
            3 => {
                let indexes = self.random.random_range(1..9);
                let throttle = self.random.random_range(1..5);
                spec.array(0..indexes).throttle(throttle)
            }
            4 => match self.pick(&others) {
                Some(other) => spec.after(other, DependencyKind::AfterOk),
                None => spec,
            },
            5 => match self.pick(&others) {
                Some(other) => spec.after(other, DependencyKind::AfterNotOk),
                None => spec,
            },
            6 => match (self.pick(&others), self.pick(&others)) {
                (Some(one), Some(other)) => {
                    let delay = Millis::minutes(self.random.random_range(0..3));
                    let one = Predecessor::new(one, DependencyKind::AfterOk);
                    let other = Predecessor::new(other, DependencyKind::After);
                    spec.after_any_of([one, Predecessor { delay, ..other }])
                }
                _ => spec,
            },
            _ => spec,
        }
    }

    fn request(&mut self, snapshot: &Snapshot) {
        let alive = snapshot.jobs.iter().filter(|job| !matches!(job.state, JobState::Ended(_)));
        let mut jobs: Vec<JobId> = alive.map(|job| job.id).collect();
        jobs.extend(snapshot.arrays.iter().map(|array| array.id));
        let Some(job) = self.pick(&jobs) else { return self.nonsense() };
        let median = Millis::minutes(self.random.random_range(1..30));
        let estimate = Estimate { median, p90: Millis(median.0 * 2) };
        let is_amended = self.chance(15);
        let amended = snapshot.jobs.iter().find(|record| record.id == job).map(|record| {
            let mut spec = JobSpec::clone(&record.spec);
            spec.timing.limit = Some(Millis::minutes(self.random.random_range(5..90)));
            spec.timing.warning = None;
            if self.random.random_range(0..2) == 0 {
                spec.groups = JobSpec::gang("x", 1, self.random.random_range(1..9)).groups;
            }
            Command::Amend { job, spec: spec.into() }
        });
        if let Some(amended) = amended.filter(|_| is_amended) {
            return self.tell(amended);
        }
        let requests = [
            Command::Cancel { job },
            Command::Hold { job },
            Command::Release { job },
            Command::Release { job },
            Command::Requeue { job },
            Command::Estimated { job, estimate },
        ];
        let request = self.pick(&requests).expect("there are requests");
        self.tell(request);
    }

    fn trouble(&mut self, snapshot: &Snapshot) {
        let number = self.random.random_range(0..6);
        let node = NodeId(number);
        let record = &snapshot.nodes[node.index()];
        let gpu = self.random.random_range(0..8);
        if record.sight != Sight::Seen {
            let running = self.still_running(snapshot, node);
            let command = match self.chance(50) {
                true => Command::NodeReturned { node, running },
                false => Command::NodeJoined { spec: record.spec.clone(), running },
            };
            return self.tell(command);
        }
        let lease = Millis(self.random.random_range(0..600_000));
        let troubles = [
            Command::NodeLost { node, lease_ends: self.now + lease },
            Command::NodesLost {
                nodes: vec![node, NodeId((number + 1) % 6), NodeId((number + 2) % 6)],
                lease_ends: self.now + lease,
            },
            Command::NodeDrained { node },
            Command::NodeResumed { node },
            Command::NodeResumed { node },
            Command::GpuUnhealthy { node, gpu },
            Command::GpuHealthy { node, gpu },
            Command::GpuHealthy { node, gpu: 0 },
        ];
        let trouble = self.pick(&troubles).expect("there is trouble");
        self.tell(trouble);
    }

    /// Most of what should run on a node, and sometimes what should not.
    fn still_running(&mut self, snapshot: &Snapshot, node: NodeId) -> Vec<Running> {
        let mut running = Vec::new();
        for job in &snapshot.jobs {
            let parts = job.run.iter().flat_map(|run| &run.nodes);
            let is_there = parts.into_iter().any(|part| part.node == node);
            if is_there && self.chance(75) {
                running.push(Running { job: job.id, attempt: job.attempt });
            }
        }
        if self.chance(20) {
            running.push(Running { job: JobId(3), attempt: Attempt(1) });
        }
        running
    }

    fn configure(&mut self) {
        let limit = self.random.random_range(8..48);
        let queue = match self.chance(50) {
            true => QueueSpec::new("team").limit(Quota::of_gpus(limit)),
            false => QueueSpec::new("team/b").weight(1 + u32::try_from(limit).unwrap_or(1)),
        };
        self.tell(Command::QueueSet { queue });
    }
}
