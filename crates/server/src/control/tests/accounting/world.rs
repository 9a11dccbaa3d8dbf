//! A cluster of four nodes on which anything may happen, its history, and a naive count of what was
//! true when.

use std::collections::BTreeMap;

use muster_model::{Checkpoint, Mib, MilliGpu, Name, Rung, RungCost, Share, ShareSize, Team};
use muster_store::history::{Change, Ledger, LedgerBy, LedgerFilter, LedgerQuestion, SampleRow};
use muster_store::{History, SqliteHistory};

use super::super::*;
use super::DAY_MS;
use crate::history;

/// The cluster: the default with two teams.
pub(super) fn cluster() -> ClusterSpec {
    let team = |name: &str| Team { name: name.into(), queue: "default".into(), members: vec![] };
    ClusterSpec { teams: vec![team("team-0"), team("team-1")], ..ClusterSpec::default() }
}

/// Chance from a seed (`SplitMix64`).
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }

    pub(super) fn one_of<T: Clone>(&mut self, choices: &[T]) -> T {
        let index = usize::try_from(self.below(choices.len() as u64)).expect("it is an index");
        choices[index].clone()
    }

    fn one_in(&mut self, odds: u64) -> bool {
        self.below(odds) == 0
    }
}

/// What was true in the span between two entries.
pub(super) struct Moment {
    pub(super) from_ms: u64,
    pub(super) to_ms: u64,
    /// Thousandths of GPUs by job and node.
    pub(super) held: BTreeMap<(u64, u32), u64>,
    /// GPUs, and thousandths that nobody could get, by node.
    pub(super) nodes: BTreeMap<u32, (u64, u64)>,
    /// Thousandths of GPUs that stood free in pieces, by the job that waited and model.
    pub(super) apart: BTreeMap<(u64, String), u64>,
}

/// A cluster, its history, and what was true when.
pub(super) struct World {
    pub(super) chance: Chance,
    pub(super) scene: Scene,
    /// Where its history is, for as long as it is.
    _folder: tempfile::TempDir,
    pub(super) past: SqliteHistory,
    pub(super) moments: Vec<Moment>,
    samples: Vec<Change>,
    pub(super) teams: BTreeMap<u64, String>,
}

impl World {
    pub(super) fn new(seed: u64) -> World {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let past = SqliteHistory::open(folder.path()).expect("the history opens");
        let control = Control::new(cluster()).expect("the cluster is valid");
        let scene = Scene { control, now: Time(5 * DAY_MS), told: Vec::new() };
        let mut world = World {
            chance: Chance(seed),
            scene,
            _folder: folder,
            past,
            moments: Vec::new(),
            samples: Vec::new(),
            teams: BTreeMap::new(),
        };
        for number in 0..4 {
            world.join(number, Vec::new());
        }
        world
    }

    fn join(&mut self, number: u32, running: Vec<Running>) {
        let model = if number < 2 { "H100" } else { "A100" };
        let mut spec = NodeSpec::new(&format!("n{number}"), model, 4);
        spec.suspend_memory = Mib::gib(1000);
        spec.memory = Mib::gib(2000);
        let (address, instance) = (format!("10.0.0.{number}"), "agent".to_owned());
        self.tell(Entry::Announced { spec: Box::new(spec), address, running, instance, number: 0 });
    }

    /// Lets whole seconds pass, then tells an entry and writes down what followed.
    fn tell(&mut self, entry: Entry) -> Answer {
        let seconds = match self.chance.below(12) {
            0 => 3600 * (1 + self.chance.below(5)),
            1 | 2 => 60 * (1 + self.chance.below(20)),
            _ => 1 + self.chance.below(20),
        };
        let from_ms = self.scene.now.0;
        self.scene.now = self.scene.now + Millis::seconds(seconds);
        self.remember(from_ms, self.scene.now.0);
        let now = self.scene.now;
        let applied = self.scene.control.apply(now, &entry);
        self.scene.told.push((now, entry));
        let sequence = self.scene.told.len() as u64;
        let entry = &self.scene.told.last().expect("it was just told").1;
        let changes = history::changes(&self.scene.control, (sequence, now), entry, &applied);
        self.past.record(sequence, &changes).expect("it can be recorded");
        applied.answer
    }

    /// Counts everything anew.
    fn remember(&mut self, from_ms: u64, to_ms: u64) {
        let control = &self.scene.control;
        let (mut held, mut nodes) = (BTreeMap::new(), BTreeMap::new());
        for (_, node) in control.node_names() {
            let record = control.engine.node(node).expect("it is known");
            let mut free = [1000_u64; 4];
            for job in control.engine.snapshot().jobs {
                let run = job.run.iter().filter(|run| !run.is_suspended);
                for part in run.flat_map(|run| &run.nodes).filter(|part| part.node == node) {
                    for task in &part.tasks {
                        let milli = task.share.map_or(1000, |share| share.milli.0);
                        for gpu in task.gpus.iter() {
                            free[gpu as usize] -= milli;
                            *held.entry((job.id.0, node.0)).or_default() += milli;
                        }
                    }
                }
            }
            let is_open = record.sight == muster_engine::snapshot::Sight::Seen && !record.drained;
            let out = |gpu: u32| !is_open || record.unhealthy.iter().any(|ill| ill == gpu);
            let unusable = (0..).zip(free).filter(|(gpu, _)| out(*gpu)).map(|(_, free)| free);
            nodes.insert(node.0, (u64::from(record.spec.gpus), unusable.sum()));
        }
        self.measure(from_ms, to_ms, &held);
        let apart = self.count_apart(&held, &nodes);
        self.moments.push(Moment { from_ms, to_ms, held, nodes, apart });
    }

    /// What stands free in pieces, as the control plane says; all of it is free, and who it is
    /// said of waits.
    fn count_apart(
        &self,
        held: &BTreeMap<(u64, u32), u64>,
        nodes: &BTreeMap<u32, (u64, u64)>,
    ) -> BTreeMap<(u64, String), u64> {
        let control = &self.scene.control;
        let (mut apart, mut sums) = (BTreeMap::new(), BTreeMap::<String, u64>::new());
        for job in control.kept_apart() {
            let state = control.job(job).map(|known| known.state);
            assert_eq!(state, Some(JobState::Queued), "{job} waits for room");
            let all: u64 = control.apart(job).iter().map(|(_, gpus)| *gpus).sum();
            let spec = &control.submitted(control.job(job).expect("it waits")).spec;
            assert_eq!(
                all * 1000,
                crate::control::least_gpus_milli(spec),
                "{job} gets all it asks"
            );
            for (model, gpus) in control.apart(job) {
                apart.insert((job.0, model.to_string()), gpus * 1000);
                *sums.entry(model.to_string()).or_default() += gpus * 1000;
            }
        }
        for (model, sum) in sums {
            let of_model = |node: u32| (model == "H100") == (node < 2);
            let all = nodes.iter().filter(|(node, _)| of_model(**node));
            let usable: u64 = all.map(|(_, (gpus, unusable))| gpus * 1000 - unusable).sum();
            let taken = held.iter().filter(|((_, node), _)| of_model(*node));
            let free = usable - taken.map(|(_, milli)| milli).sum::<u64>();
            assert!(sum <= free, "{sum} of {free} {model} lie apart");
        }
        apart
    }

    /// Agents measure some of it, not always and not always well.
    fn measure(&mut self, from_ms: u64, to_ms: u64, held: &BTreeMap<(u64, u32), u64>) {
        for ((job_id, node), milli) in held {
            if self.chance.one_in(4) {
                continue;
            }
            let attempt = self.scene.control.job(JobId(*job_id)).map_or(0, |job| job.attempt.0);
            let skew = self.chance.below(4000);
            let is_measured = !self.chance.one_in(5);
            // Agents tell no more than a few minutes at a time.
            for begin in (from_ms..to_ms).step_by(300_000) {
                let end = to_ms.min(begin + 300_000);
                let held_gpu_ms = milli * (end - begin) / 1000 + self.chance.below(3000);
                let active = held_gpu_ms * self.chance.below(1200) / 1000;
                self.samples.push(Change::Sample(SampleRow {
                    job_id: *job_id,
                    attempt: u64::from(attempt),
                    node: format!("n{node}"),
                    from_ms: begin + skew.saturating_sub(2000),
                    to_ms: end + skew,
                    held_gpu_ms,
                    active_gpu_ms: is_measured.then_some(active.min(held_gpu_ms)),
                    gpus: Vec::new(),
                }));
            }
        }
        if self.chance.one_in(5) {
            self.flush();
        }
    }

    pub(super) fn flush(&mut self) {
        let sequence = self.scene.told.len() as u64;
        let samples = std::mem::take(&mut self.samples);
        self.past.record(sequence, &samples).expect("samples can be added");
    }

    /// Something happens.
    pub(super) fn happen(&mut self) {
        let node = NodeId(u32::try_from(self.chance.below(4)).expect("it is small"));
        match self.chance.below(20) {
            0..5 => self.submit(),
            5 => self.command(Command::NodeDrained { node }),
            6 => self.command(Command::NodeResumed { node }),
            7 => {
                let lease_ends = self.scene.now + Millis::seconds(5 + self.chance.below(300));
                self.command(Command::NodeLost { node, lease_ends });
            }
            8 | 9 => self.come_back(node),
            10 => {
                let gpu = u32::try_from(self.chance.below(4)).expect("it is small");
                match self.chance.one_in(2) {
                    true => self.command(Command::GpuUnhealthy { node, gpu }),
                    false => self.command(Command::GpuHealthy { node, gpu }),
                }
            }
            11 => {
                let job = JobId(1 + self.chance.below(self.teams.len() as u64 + 1));
                match self.chance.one_in(2) {
                    true => self.command(Command::Cancel { job }),
                    false => self.command(Command::Requeue { job }),
                }
            }
            12 => self.command(Command::Tick),
            _ => self.report(node),
        }
    }

    fn command(&mut self, command: Command) {
        self.tell(Entry::Told(command));
    }

    fn submit(&mut self) {
        let few = |chance: &mut Chance, most| u32::try_from(1 + chance.below(most)).expect("small");
        let (tasks, gpus) = (few(&mut self.chance, 3), few(&mut self.chance, 4));
        let mut spec = JobSpec::gang("train", tasks, gpus);
        spec.user = Name::from(format!("user-{}", self.chance.below(3)).as_str());
        let team = format!("team-{}", self.chance.below(2));
        spec.team = Some(Name::from(team.as_str()));
        let classes = ["standard", "preemptible", "express"];
        spec.class = Name::from(self.chance.one_of(&classes));
        match self.chance.below(4) {
            0 => spec.groups[0].tasks = TaskCount { min: 1, max: 6 },
            1 => {
                let (least, most) = (MilliGpu(250), MilliGpu(500));
                let size = ShareSize::Fraction { least, most };
                let shape = &mut spec.groups[0].task;
                shape.gpus = 0;
                shape.share = Some(Share { size, isolation: Default::default() });
            }
            _ => {}
        }
        let rungs = [Rung::Freeze, Rung::Suspend, Rung::Checkpoint, Rung::Requeue];
        let cost = |rung| RungCost { rung, save: Millis::seconds(1), restore: Millis::seconds(1) };
        spec.checkpoint = Checkpoint { rungs: rungs.map(cost).to_vec(), ..Checkpoint::default() };
        spec.requeue.when_failed = self.chance.one_in(2);
        let (spec, program) = (Arc::new(spec), Arc::new(Program::default()));
        match self.tell(Entry::Submitted { spec, program, key: None, anywhere: false }) {
            Answer::Accepted { job, .. } => drop(self.teams.insert(job.0, team)),
            other => panic!("the job should be accepted: {other:?}"),
        }
    }

    /// A node says again what runs there, or no longer does.
    fn come_back(&mut self, node: NodeId) {
        let jobs = self.scene.control.engine.jobs_on(node);
        let attempt = |job: &JobId| self.scene.control.job(*job).map(|known| known.attempt);
        let all = jobs.iter().filter_map(|job| Some(Running { job: *job, attempt: attempt(job)? }));
        let all: Vec<Running> = all.collect();
        let running = if self.chance.one_in(3) { Vec::new() } else { all };
        self.join(node.0, running);
    }

    /// A node does one of its duties, well or not.
    fn report(&mut self, node: NodeId) {
        let Directive::Duties { duties, .. } = self.scene.control.directive(node, None) else {
            return;
        };
        if duties.is_empty() {
            return self.command(Command::Tick);
        }
        let Duty { job, attempt, work, .. } = self.chance.one_of(&duties);
        let command = match work {
            Work::Run(run) => match (run.pause, run.resize, self.chance.below(8)) {
                (Some(order), _, 0..6) if order.undo => {
                    Command::Resumed { node, job, attempt, order: order.order, rung: order.rung }
                }
                (Some(order), _, 0..4) if order.rung != Rung::Checkpoint => {
                    Command::Paused { node, job, attempt, order: order.order, rung: order.rung }
                }
                (_, Some(resize), 4..6) => Command::Resized { node, job, attempt, resize },
                (_, _, 0) => Command::Ended { node, job, attempt, exit: Exit::Code(0) },
                (_, _, 1) => Command::Ended { node, job, attempt, exit: Exit::Code(1) },
                (_, _, 2) => Command::Saved { job, attempt },
                (_, _, 3) => {
                    Command::Refused { node, job, attempt, refusal: Refusal::Node("busy".into()) }
                }
                _ => Command::Started { node, job, attempt },
            },
            _ => Command::Ended { node, job, attempt, exit: Exit::Stopped },
        };
        self.command(command);
    }

    pub(super) fn ask(
        &self,
        past: &dyn History,
        by: LedgerBy,
        (from_ms, to_ms): (u64, u64),
    ) -> Ledger {
        let gone_ms = u64::MAX;
        let filter = LedgerFilter::default();
        let question = LedgerQuestion { from_ms, to_ms, by, bucket_ms: None, filter, gone_ms };
        past.reader().and_then(|reader| reader.ledger(&question)).expect("it answers")
    }
}
