//! Random small clusters, jobs and mishaps, as plain data that shrinks and reads well.

use muster_model::{Isolation, MilliGpu, Share, Sharing};
use proptest::bool::weighted;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use crate::support::*;

/// A few dozen cases, since each is a whole run; `PROPTEST_CASES` asks for more.
pub(super) fn config() -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: usual.cases / 4, failure_persistence: None, ..usual }
}

/// A cluster and what happens in it.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Nodes of each rack; every other rack has another model, every other node a fast disk.
    pub(super) racks: Vec<u32>,
    pub(super) queues: u32,
    pub(super) order: Order,
    /// Hundredths of the cluster.
    pub(super) floor: u32,
    /// Whether anyone is ever paused.
    pub(super) pausing: bool,
    pub(super) events: Vec<Event>,
}

/// One thing that happens. Numbers choose among what is there, by their remainder.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    Submit(Job),
    Pass {
        minutes: u64,
    },
    Cancel {
        nth: usize,
    },
    Hold {
        nth: usize,
    },
    Release {
        nth: usize,
    },
    Requeue {
        nth: usize,
    },
    Estimated {
        nth: usize,
        minutes: u64,
    },
    Drain {
        node: usize,
    },
    Resume {
        node: usize,
    },
    Lose {
        node: usize,
        minutes: u64,
    },
    /// Two neighbours are lost as one event.
    LoseBoth {
        node: usize,
        minutes: u64,
    },
    Return {
        node: usize,
    },
    Break {
        node: usize,
        gpu: u32,
    },
    Mend {
        node: usize,
        gpu: u32,
    },
    Limit {
        queue: u32,
        gpus: u64,
    },
}

/// A job, by what matters to order and place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    pub(super) tasks: u32,
    pub(super) gpus: u32,
    pub(super) class: &'static str,
    pub(super) queue: u32,
    pub(super) user: u32,
    pub(super) estimate: u64,
    pub(super) runs: u64,
    pub(super) require: Option<&'static str>,
    pub(super) exclusive: bool,
    pub(super) deadline: Option<u64>,
    pub(super) wish: Wish,
    pub(super) pauses: Pauses,
}

/// How a job says that it can be paused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pauses {
    /// Seconds to suspend and to restore.
    pub(super) suspend: Option<u64>,
    /// Seconds to save and to restore.
    pub(super) save: Option<u64>,
    /// Seconds to start again.
    pub(super) requeue: Option<u64>,
    /// Minutes between saves.
    pub(super) every: Option<u64>,
}

/// What a job asks for besides room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Nothing,
    OneModel,
    EitherModel,
    Fast,
    RatherFast,
    RatherNotFast,
    Pairs,
    Spread,
    SecondGroup,
    Elastic,
    Part,
    Turns,
    Slice,
}

impl Plan {
    pub(super) fn setup(&self) -> Setup {
        let mut setup = cluster().levels(["rack"]).obedient().policy(|policy| {
            policy.order = self.order;
            policy.limit_max = hours(12);
            policy.usage_half_life = hours(16);
            policy.remember_ended = hours(6);
            policy.floor = floor(self.floor, hours(4), hours(1));
            policy.pausing.on = self.pausing;
        });
        for number in 0..self.queues {
            let guarantee = if self.pausing && number == 1 { quota(8) } else { Quota::default() };
            let queue = queue(&queue_name(number)).weight(number + 1);
            setup = setup.queue(queue.guarantee(guarantee));
        }
        for (rack, &nodes) in self.racks.iter().enumerate() {
            let gpus = if rack % 2 == 0 { "H100x8" } else { "A100x8" };
            for node in 0..nodes {
                let disk = if node % 2 == 0 { "fast" } else { "slow" };
                let rack = format!("r{rack}");
                setup = setup.nodes_with(&rack, 1, gpus, |node| {
                    node.label("disk", disk).sharing(Sharing::ALL).suspend_memory(gib(1500))
                });
            }
        }
        setup
    }
}

impl Job {
    pub(super) fn spec(&self, queues: u32) -> JobSpec {
        let mut spec = gang(self.tasks, self.gpus)
            .class(self.class)
            .queue(&queue_name(self.queue % queues))
            .user(&format!("user-{}", self.user))
            .estimate(minutes(self.estimate), minutes(2 * self.estimate));
        spec = self.pauses.on(spec);
        if let Some(level) = self.require {
            spec = spec.require(level);
        }
        if let Some(deadline) = self.deadline {
            spec = spec.deadline(Time(minutes(deadline).0));
        }
        let spec = if self.exclusive { spec.exclusive() } else { spec };
        let fast = || nodes_where("disk=fast");
        match self.wish {
            Wish::Nothing => spec,
            Wish::OneModel => spec.models(["H100"]),
            Wish::EitherModel => spec.models(["A100", "H100"]),
            Wish::Fast => spec.only_on(fast()),
            Wish::RatherFast => spec.rather_on(fast()),
            Wish::RatherNotFast => spec.rather_not_on(fast()),
            Wish::Pairs if self.tasks.is_multiple_of(2) && self.require.is_none() => {
                spec.segment(2, "rack")
            }
            Wish::Pairs => spec,
            Wish::Spread => spec.spread(),
            Wish::Elastic => spec.elastic(self.tasks, self.tasks + 6),
            // Nobody shares what one has alone.
            Wish::Part | Wish::Turns | Wish::Slice if self.exclusive => spec,
            Wish::Part => {
                let least = MilliGpu(125 * u64::from(self.gpus.max(1)));
                spec.share(Share::between(least, MilliGpu(1000))).cpus(1)
            }
            Wish::Turns => {
                let share = Share::memory(gib(8 + u64::from(self.gpus) * 4));
                spec.share(share.isolated(Isolation::None)).cpus(1)
            }
            Wish::Slice => spec.share(Share::mig("2g.20gb")).cpus(1),
            Wish::SecondGroup => {
                spec.group("second", TaskCount::exactly(self.tasks), TaskShape::gpus(1))
            }
        }
    }
}

impl Pauses {
    fn on(&self, mut spec: JobSpec) -> JobSpec {
        let costs = [
            (Rung::Suspend, self.suspend),
            (Rung::Checkpoint, self.save),
            (Rung::Requeue, self.requeue),
        ];
        for (rung, cost) in costs {
            if let Some(cost) = cost {
                spec = spec.rung(rung, seconds(cost), seconds(cost));
            }
        }
        match self.every {
            Some(every) => spec.saves_every(minutes(every)),
            None => spec,
        }
    }
}

pub(super) fn queue_name(number: u32) -> String {
    format!("q{number}")
}

fn job() -> impl Strategy<Value = Job> {
    let size = (1..=4u32, select(vec![0, 1, 1, 2, 4, 8, 8]));
    let who = (select(vec!["express", "standard", "standard", "batch"]), 0..3u32, 0..3u32);
    let time = (1..=300u64, 1..=300u64, option::weighted(0.2, 60..=2000u64));
    let place = (select(vec![None, None, Some("rack"), Some("node")]), weighted(0.1), wish());
    (size, who, time, place).prop_map(|(size, who, time, place)| Job {
        tasks: size.0,
        gpus: size.1,
        class: who.0,
        queue: who.1,
        user: who.2,
        estimate: time.0,
        runs: time.1,
        require: place.0,
        exclusive: place.1,
        deadline: time.2,
        wish: place.2,
        pauses: Pauses::default(),
    })
}

/// A job that can be paused, of a class that says how readily.
fn pausable_job() -> impl Strategy<Value = Job> {
    let cost = || option::weighted(0.6, 1..=60u64);
    let pauses = (cost(), cost(), cost(), option::weighted(0.4, 5..=60u64));
    let classes = select(vec!["express", "standard", "batch", "batch", "preemptible"]);
    (job(), pauses, classes, select(vec![5, 30, 300, 3000u64])).prop_map(
        |(job, (suspend, save, requeue, every), class, estimate)| Job {
            class,
            estimate,
            pauses: Pauses { suspend, save, requeue, every },
            ..job
        },
    )
}

/// Jobs that can be paused in a crowd, and everything that can happen to them.
pub(super) fn pausing_plans() -> impl Strategy<Value = Plan> {
    let one = prop_oneof![
        3 => pausable_job().prop_map(Event::Submit),
        1 => (1..=40u64).prop_map(|minutes| Event::Pass { minutes }),
        1 => event(),
    ];
    let size = (vec(1..=2u32, 1..=2), 2..=3u32);
    let orders = select(vec![Order::Muster, Order::Muster, Order::Srtf, Order::Las]);
    let policy = (orders, select(vec![0, 10]));
    (size, policy, vec(one, 10..70)).prop_map(|((racks, queues), (order, floor), events)| Plan {
        racks,
        queues,
        order,
        floor,
        pausing: true,
        events,
    })
}

/// Jobs that can be paused by rungs whose times scale, and nothing that goes wrong. Fillers are
/// looked at anew after a minute, and saves are waited for at most ten: those times are fixed.
pub(super) fn calm_pausing_plans() -> impl Strategy<Value = Plan> {
    let scales = |mut job: Job| {
        job.pauses.every = None;
        if job.class == "preemptible" {
            job.class = "batch";
        }
        Event::Submit(job)
    };
    let one = prop_oneof![
        3 => pausable_job().prop_map(scales),
        1 => (1..=40u64).prop_map(|minutes| Event::Pass { minutes }),
    ];
    (vec(1..=2u32, 1..=2), vec(one, 10..50)).prop_map(|(racks, mut events)| {
        events.retain(is_simple);
        Plan { racks, queues: 1, order: Order::Muster, floor: 0, pausing: true, events }
    })
}

fn wish() -> impl Strategy<Value = Wish> {
    use Wish::*;
    prop_oneof![
        2 => Just(Nothing),
        3 => select(vec![OneModel, EitherModel, Fast, RatherFast, RatherNotFast, Pairs, Spread]),
        3 => select(vec![Part, Turns, Slice]),
        1 => Just(SecondGroup),
        1 => Just(Elastic),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let any = 0..64usize;
    prop_oneof![
        12 => job().prop_map(Event::Submit),
        6 => (1..=90u64).prop_map(|minutes| Event::Pass { minutes }),
        1 => any.clone().prop_map(|nth| Event::Cancel { nth }),
        1 => any.clone().prop_map(|nth| Event::Hold { nth }),
        1 => any.clone().prop_map(|nth| Event::Release { nth }),
        1 => any.clone().prop_map(|nth| Event::Requeue { nth }),
        1 => (any.clone(), 1..=300u64).prop_map(|(nth, minutes)| Event::Estimated { nth, minutes }),
        1 => any.clone().prop_map(|node| Event::Drain { node }),
        1 => any.clone().prop_map(|node| Event::Resume { node }),
        1 => (any.clone(), 1..=90u64).prop_map(|(node, minutes)| Event::Lose { node, minutes }),
        1 => (any.clone(), 0..=90u64).prop_map(|(node, minutes)| Event::LoseBoth { node, minutes }),
        1 => any.clone().prop_map(|node| Event::Return { node }),
        1 => (any.clone(), 0..8u32).prop_map(|(node, gpu)| Event::Break { node, gpu }),
        1 => (any, 0..8u32).prop_map(|(node, gpu)| Event::Mend { node, gpu }),
        1 => (0..3u32, 0..40u64).prop_map(|(queue, gpus)| Event::Limit { queue, gpus }),
    ]
}

/// Jobs come and time passes; nothing breaks and nobody interferes.
pub(super) fn calm_events(most: usize) -> impl Strategy<Value = Vec<Event>> {
    let calm = prop_oneof![
        3 => job().prop_map(Event::Submit),
        1 => (1..=90u64).prop_map(|minutes| Event::Pass { minutes }),
    ];
    vec(calm, 1..most)
}

/// Whether several groups fit is a puzzle that the engine does not always solve, so nothing is
/// promised of them when the pieces change. What is idle makes elastic jobs move.
pub(super) fn is_simple(event: &Event) -> bool {
    !matches!(event, Event::Submit(Job { wish: Wish::SecondGroup | Wish::Elastic, .. }))
}

pub(super) fn orders() -> impl Strategy<Value = Order> {
    use Order::*;
    select(vec![Muster, Muster, Muster, Fifo, Sjf, Fair, Srtf, Las])
}

/// Anything at all.
pub(super) fn plans() -> impl Strategy<Value = Plan> {
    let size = (vec(1..=3u32, 1..=3), 1..=3u32);
    let policy = (orders(), select(vec![0, 10, 50]));
    (size, policy, vec(event(), 1..60)).prop_map(|(size, policy, events)| Plan {
        racks: size.0,
        queues: size.1,
        order: policy.0,
        floor: policy.1,
        pausing: false,
        events,
    })
}

/// One queue, so that nothing but tier and key decides; nothing breaks; no floor.
pub(super) fn plain_plans() -> impl Strategy<Value = Plan> {
    (vec(1..=3u32, 1..=3), calm_events(40)).prop_map(|(racks, mut events)| {
        events.retain(is_simple);
        Plan { racks, queues: 1, order: Order::Muster, floor: 0, pausing: false, events }
    })
}
