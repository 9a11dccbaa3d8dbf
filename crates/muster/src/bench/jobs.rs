//! The synthetic workload: a stream of jobs with the marginals of a shared training cluster –
//! most are small and short, a few are very large. Each comes with what it will really do. What
//! an overloaded cluster has beside that is in `jobs/`.

mod contract;
mod part;

use muster_engine::command::Exit;
use muster_model::{Expression, JobSpec, Mib, Millis, Name, Time};

use super::chance::Chance;
use super::layout::{self, GANG_GPUS, Layout, Load, NODE_GPUS, QUEUES, START};
pub(super) use contract::contract;

/// GPUs of a gang. Half of the jobs use one or two, and the few largest as many GPUs as they.
const SIZES: [(u32, u64); 11] = [
    (1, 400),
    (2, 120),
    (4, 120),
    (8, 180),
    (16, 60),
    (32, 50),
    (64, 35),
    (128, 20),
    (256, 9),
    (512, 4),
    (GANG_GPUS, 2),
];

const CLASSES: [(&str, u64); 5] =
    [("inference", 5), ("express", 10), ("standard", 55), ("batch", 20), ("preemptible", 10)];

/// The same with the class for what was booked ahead.
const ALL_CLASSES: [(&str, u64); 6] = [
    ("inference", 5),
    ("reserved", 5),
    ("express", 10),
    ("standard", 50),
    ("batch", 20),
    ("preemptible", 10),
];

/// In an overloaded cluster, those who submit most change after this time: the queues from
/// which others have borrowed want back what they are guaranteed.
const SHIFT_EVERY: Millis = Millis::hours(1);

/// ... to so many queues further on, a whole division.
const SHIFT: u64 = 20;

/// CPUs and GiB of memory for each GPU; a node has 16 and 128.
const HOST_SHARES: [((u64, u64), u64); 4] =
    [((8, 64), 50), ((4, 16), 20), ((8, 112), 15), ((14, 64), 15)];

/// Who submits.
const USERS: u64 = 400;

/// Names each user gives to jobs, again and again.
const NAMES: u64 = 12;

/// How much the typical run time differs from kind to kind of job, and one run from the next
/// (standard deviations of its logarithm).
const KIND_SIGMA: f64 = 1.2;
const RUN_SIGMA: f64 = 0.6;

/// The ninth decile of a log-normal with that deviation, in percent of its median.
const RUN_P90: u64 = 216;

/// In an overloaded cluster, some kinds of jobs can be foretold well and others hardly: the
/// deviation with its ninth decile.
const SPREADS: [((f64, u64), u64); 3] = [((0.25, 138), 30), ((0.6, 216), 50), ((1.2, 466), 20)];

/// The typical run time of the typical job.
const RUN_MEDIAN: Millis = Millis::hours(1);

/// Nothing is over sooner: starting alone takes a while. Nothing is expected to take longer, so
/// that its limit is one that a cluster allows.
const RUN_MIN: Millis = Millis::minutes(1);
const RUN_MAX: Millis = Millis::days(6);

/// The longest limit that a cluster allows unless it says otherwise.
const LIMIT_MAX: Millis = Millis::days(30);

/// In a busy cluster one job of so many is left waiting; the others were soon served.
const LEFT_OF: usize = 8;

/// What a job would do if left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) duration: Millis,
    pub(super) exit: Exit,
}

/// The stream of jobs for a cluster.
#[derive(Debug)]
pub(super) struct Jobs {
    chance: Chance,
    load: Load,
    sizes: Vec<(u32, u64)>,
    models: Vec<&'static str>,
    made: u32,
}

impl Jobs {
    pub(super) fn new(layout: Layout, seed: u64) -> Jobs {
        let most = layout.gang_gpus_max();
        Jobs {
            chance: Chance::new(seed),
            load: layout.load(),
            sizes: SIZES.into_iter().filter(|(gpus, _)| *gpus <= most).collect(),
            models: layout.models(),
            made: 0,
        }
    }

    /// The next job of the mix, submitted now.
    pub(super) fn next(&mut self, now: Time) -> (JobSpec, Plan) {
        let gpus = self.chance.pick(&self.sizes);
        let queue = self.queue(now);
        let mut spec = self.owned(gpus, queue);
        spec = self.on_models(spec);
        spec = self.near(spec, gpus);
        spec = self.constrained(spec);
        if self.load == Load::Overload {
            spec = part::part(&mut self.chance, spec);
        }
        self.timed(spec, gpus, now)
    }

    /// The queue of a job: some submit more than others.
    fn queue(&mut self, now: Time) -> u32 {
        let drawn = self.chance.skewed(u64::from(QUEUES));
        let shifted = match self.load {
            Load::Usual => 0,
            Load::Overload => now.since(START).0 / SHIFT_EVERY.0 * SHIFT,
        };
        u32::try_from((drawn + shifted) % u64::from(QUEUES)).expect("queues are few")
    }

    /// A job as they are left waiting in a busy cluster: the one with the most work of a few.
    pub(super) fn leftover(&mut self, now: Time) -> (JobSpec, Plan) {
        let work = |(spec, plan): &(JobSpec, Plan)| {
            let group = &spec.groups[0];
            u64::from(group.tasks.max * group.task.gpus) * plan.duration.0
        };
        let drawn = (0..LEFT_OF).map(|_| self.next(now));
        drawn.max_by_key(work).expect("some were drawn")
    }

    /// The next job of so many GPUs without any wish, the queues taking turns.
    pub(super) fn plain(&mut self, gpus: u32, now: Time) -> (JobSpec, Plan) {
        let queue = self.made % QUEUES;
        let spec = self.owned(gpus, queue);
        self.timed(spec, gpus, now)
    }

    /// Name, user, queue, class and tasks; more than a node's GPUs are tasks of whole nodes.
    fn owned(&mut self, gpus: u32, queue: u32) -> JobSpec {
        self.made += 1;
        let user = self.chance.skewed(USERS);
        let name = format!("train-{}", self.chance.below(NAMES));
        let each = gpus.min(NODE_GPUS);
        let (cpus, gib) = self.chance.pick(&HOST_SHARES);
        JobSpec::gang(&name, gpus / each, each)
            .user(&format!("user-{user}"))
            .queue(&layout::queue_name(queue))
            .class(match self.load {
                Load::Usual => self.chance.pick(&CLASSES),
                Load::Overload => self.chance.pick(&ALL_CLASSES),
            })
            .cpus(cpus * u64::from(each))
            .memory(Mib::gib(gib * u64::from(each)))
    }

    /// Half name the common model, a few a better one first, a few another; the rest take any.
    fn on_models(&mut self, spec: JobSpec) -> JobSpec {
        let common = self.models[0];
        let other = self.chance.one_of(&self.models);
        match self.chance.below(10) {
            0..5 => spec.models([common]),
            5 if other != common => spec.models([other, common]),
            6 if other != common => spec.models([common, other]),
            7 => spec.models([other]),
            _ => spec,
        }
    }

    /// Gangs of several nodes: two fifths require a level, as many prefer one, some of the
    /// larger come in segments.
    fn near(&mut self, spec: JobSpec, gpus: u32) -> JobSpec {
        if gpus <= NODE_GPUS {
            return spec;
        }
        let level = if gpus <= 128 { "rack" } else { "block" };
        match self.chance.below(10) {
            0..4 => spec.require(level),
            4..8 => spec.prefer(level),
            8 if gpus >= 64 => spec.require("block").segment(4, "rack"),
            _ => spec,
        }
    }

    /// One job in six looks at labels.
    fn constrained(&mut self, spec: JobSpec) -> JobSpec {
        let is =
            |label: &str, value: &str| Expression::Is(Name::from(label), vec![Name::from(value)]);
        match self.chance.below(100) {
            0..8 => spec.only_on(is("disk", "fast")),
            8..11 => spec.rather_on(is("network", "ib800")),
            11..14 => spec.rather_not_on(is("image", "new")),
            14..16 => spec.only_on(Expression::And(vec![
                is("disk", "fast"),
                Expression::Not(Box::new(is("image", "new"))),
            ])),
            _ => spec,
        }
    }

    /// Prediction, limit, deadline, and how it really goes.
    fn timed(&mut self, mut spec: JobSpec, gpus: u32, now: Time) -> (JobSpec, Plan) {
        let typical = if gpus < 64 { RUN_MEDIAN } else { Millis(RUN_MEDIAN.0 * 2) };
        let median = self.chance.log_normal(typical, KIND_SIGMA).clamp(RUN_MIN, RUN_MAX);
        let (sigma, p90_percent) = match self.load {
            Load::Usual => (RUN_SIGMA, RUN_P90),
            Load::Overload => self.chance.pick(&SPREADS),
        };
        let duration = self.chance.log_normal(median, sigma).max(RUN_MIN);
        let p90 = Millis(median.0 * p90_percent / 100);
        if !self.chance.happens(200) {
            spec = spec.estimate(median, p90);
        }
        if !self.chance.happens(100) {
            spec = spec.limit(Millis(p90.0 * 2).min(LIMIT_MAX));
        }
        if self.chance.happens(30) {
            spec = spec.deadline(now + Millis(median.0 * 4));
        }
        if self.chance.happens(50) {
            spec = spec.weight(if self.chance.happens(500) { 1 } else { -1 });
        }
        let exit = if self.chance.happens(30) { Exit::Code(1) } else { Exit::Code(0) };
        if self.load == Load::Overload {
            spec = contract(&mut self.chance, spec);
        }
        (spec, Plan { duration, exit })
    }
}

#[cfg(test)]
mod tests;
