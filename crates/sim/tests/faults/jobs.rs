//! Random jobs: gangs, groups, arrays, dependencies, constraints, every class.

use muster_engine::command::Exit;
use muster_model::{
    Array, Checkpoint, Constraint, Dependency, DependencyKind, Elements, Estimate, Expression,
    Isolation, JobId, JobSpec, Level, Mib, MilliCpu, MilliGpu, Millis, Name, Predecessor, Requeue,
    Rung, RungCost, Scaling, Segment, Share, ShareSize, SpeedPoint, TaskCount, TaskGroup,
    TaskShape, Timing, TopologyWish, Warning,
};
use muster_sim::Plan;
use muster_sim::story::START;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;

use crate::cluster::MODELS;
use crate::scenario::Submission;

const CLASSES: [&str; 6] = ["inference", "reserved", "express", "standard", "batch", "preemptible"];

/// Jobs to these queues, with wishes for these levels.
pub(crate) fn submissions(
    queues: Vec<String>,
    levels: Vec<Name>,
) -> impl Strategy<Value = Submission> {
    let who = (0..3u32, select(queues), select(&CLASSES[..]), 0..4u32);
    let what = (groups(), topologies(levels), constraints(), -2..=2i8);
    let when = (minutes(0..300), timings(), plans(), prop::bool::weighted(0.05));
    let links = (weighted(0.15, arrays()), dependencies(), requeues(), bookings(), scalings());
    (who, what, when, links, checkpoints()).prop_map(|(who, what, when, links, checkpoint)| {
        let (user, queue, class, name) = who;
        let (groups, topology, constraint, weight) = what;
        let (after, timing, plan, hold) = when;
        let (array, dependencies, requeue, booking, scaling) = links;
        let scaling = fitting(scaling, &groups);
        let usual = JobSpec::new(&format!("j{name}"), &format!("user-{user}"), &queue);
        let spec = JobSpec {
            groups,
            topology,
            constraint,
            array,
            after: dependencies,
            timing,
            scaling,
            checkpoint,
            weight,
            requeue,
            booking,
            hold,
            ..usual.class(class)
        };
        Submission { after, spec, plan }
    })
}

/// Now and then a booking, which may be there and may let it in.
pub(crate) fn bookings() -> impl Strategy<Value = Option<Name>> {
    weighted(0.2, select(vec!["b0", "b1", "b2"]).prop_map(Name::from))
}

fn minutes(range: std::ops::Range<u64>) -> impl Strategy<Value = Millis> {
    range.prop_map(Millis::minutes)
}

/// Mostly one group, sometimes two of different shape.
fn groups() -> impl Strategy<Value = Vec<TaskGroup>> {
    let fewest = || prop_oneof![4 => 1..3u32, 2 => 2..7u32];
    let more = || prop_oneof![3 => Just(0u32), 2 => 1..12u32];
    let one = || (fewest(), more(), shapes());
    prop_oneof![
        4 => prop::collection::vec(one(), 1),
        1 => prop::collection::vec(one(), 2),
    ]
    .prop_map(|groups| {
        let named = groups.into_iter().enumerate().map(|(index, (min, more, task))| TaskGroup {
            name: Name::from(format!("g{index}").as_str()),
            tasks: TaskCount { min, max: min + more },
            task,
        });
        named.collect()
    })
}

fn shapes() -> impl Strategy<Value = TaskShape> {
    let gpus = prop_oneof![
        1 => Just(0u32), 6 => Just(1), 3 => Just(2), 1 => Just(3), 2 => Just(4), 2 => Just(8)
    ];
    let models = prop_oneof![
        3 => Just(Vec::new()),
        2 => prop::sample::subsequence(&MODELS[..], 1..=2).prop_shuffle(),
    ];
    let (nvlink, exclusive) = (prop::bool::weighted(0.1), prop::bool::weighted(0.05));
    let whole = (gpus, models.clone(), nvlink, exclusive);
    let whole = whole.prop_map(|(gpus, models, nvlink, exclusive)| TaskShape {
        models: match gpus {
            0 => Vec::new(),
            _ => models.into_iter().map(Name::from).collect(),
        },
        nvlink: nvlink && gpus > 1,
        exclusive,
        ..TaskShape::gpus(gpus)
    });
    let shared = (parts(), models).prop_map(|(share, models)| TaskShape {
        models: match share.size {
            ShareSize::Mig(_) => vec![Name::from("H100")],
            _ => models.into_iter().map(Name::from).collect(),
        },
        cpus: MilliCpu::whole(1),
        memory: Mib::gib(2),
        ..TaskShape::share(share)
    });
    prop_oneof![3 => whole, 1 => shared]
}

/// Parts of a GPU by fraction, range, memory and profile, isolated in every way.
fn parts() -> impl Strategy<Value = Share> {
    let milli = |range: std::ops::RangeInclusive<u64>| range.prop_map(|part| MilliGpu(part * 50));
    let sizes = prop_oneof![
        4 => milli(1..=20).prop_map(Share::fraction),
        2 => (milli(1..=8), milli(8..=16)).prop_map(|(least, most)| Share::between(least, most)),
        2 => (2..60u64).prop_map(|gib| Share::memory(Mib::gib(gib))),
    ];
    let isolations = prop_oneof![
        4 => Just(Isolation::Soft), 2 => Just(Isolation::None), 2 => Just(Isolation::Hard)
    ];
    let profiles = select(vec!["1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb"]);
    prop_oneof![
        3 => (sizes, isolations).prop_map(|(share, isolation)| share.isolated(isolation)),
        1 => profiles.prop_map(Share::mig),
    ]
}

fn topologies(levels: Vec<Name>) -> impl Strategy<Value = TopologyWish> {
    let mut all: Vec<Level> = levels.into_iter().map(Level::Named).collect();
    all.push(Level::Node);
    let require = weighted(0.25, select(all.clone()));
    let prefer = weighted(0.25, select(all.clone()));
    let segment = weighted(0.1, (1..=2u32, select(all)));
    let seldom = || prop::bool::weighted(0.1);
    let patience = weighted(0.4, minutes(1..200));
    (require, patience, prefer, segment, seldom(), seldom()).prop_map(
        |(require, patience, prefer, segment, spread, apart)| TopologyWish {
            patience: patience.filter(|_| require.is_some()),
            require,
            prefer,
            segment: segment.map(|(tasks, level)| Segment { tasks, level }),
            spread,
            apart,
        },
    )
}

fn constraints() -> impl Strategy<Value = Constraint> {
    let questions = prop_oneof![
        Just("disk=fast"),
        Just("!spot"),
        Just("disk=slow | spot"),
        Just("!@n0"),
        Just("@n1,n2"),
    ]
    .prop_map(|text| text.parse::<Expression>().expect("it is written in the model's notation"));
    let question = || weighted(0.1, questions.clone());
    (question(), question(), question()).prop_map(|(require, prefer, avoid)| Constraint {
        require: require.map(Box::new),
        prefer: prefer.map(Box::new),
        avoid: avoid.map(Box::new),
    })
}

fn timings() -> impl Strategy<Value = Timing> {
    let limit = weighted(0.5, minutes(5..240));
    let median = prop_oneof![2 => minutes(1..120), 1 => minutes(200..3000)];
    let estimate = weighted(0.7, (median, minutes(0..120)));
    let deadline = weighted(0.1, (minutes(60..600), any::<bool>()));
    let limit = (limit, weighted(0.3, minutes(1..5)));
    let begin = weighted(0.1, minutes(1..400));
    let warning = weighted(0.3, 1..4u64);
    (limit, estimate, deadline, begin, warning).prop_map(
        |((limit, limit_min), estimate, deadline, begin, warning)| Timing {
            limit,
            limit_min,
            estimate: estimate.map(|(median, more)| Estimate { median, p90: median + more }),
            deadline: deadline.map(|(span, _)| START + span),
            drop_late: deadline.is_some_and(|(_, is_dropped)| is_dropped),
            begin: begin.map(|span| START + span),
            warning: warning
                .filter(|_| limit.is_some())
                .map(|minutes| Warning { signal: 10, before: Millis::minutes(minutes) }),
        },
    )
}

/// What jobs say of how they can be paused: some nothing, some everything.
fn checkpoints() -> impl Strategy<Value = Checkpoint> {
    let cost = || (1..120_000u64, 1..60_000u64);
    let rung = |rung: Rung, often: f64| {
        weighted(often, cost()).prop_map(move |cost| {
            cost.map(|(save, restore)| RungCost {
                rung,
                save: Millis(save),
                restore: Millis(restore),
            })
        })
    };
    let rungs = (
        rung(Rung::Freeze, 0.3),
        rung(Rung::Suspend, 0.7),
        rung(Rung::Checkpoint, 0.4),
        rung(Rung::Requeue, 0.4),
    );
    let every = weighted(0.5, minutes(2..40));
    let state = weighted(0.7, (1..40u64).prop_map(Mib::gib));
    (rungs, every, state).prop_map(|((freeze, suspend, save, requeue), every, state)| Checkpoint {
        rungs: [freeze, suspend, save, requeue].into_iter().flatten().collect(),
        every,
        state,
    })
}

fn plans() -> impl Strategy<Value = Plan> {
    let exit = prop_oneof![
        6 => Just(Exit::Code(0)), 1 => Just(Exit::Code(3)), 1 => Just(Exit::Signal(11))
    ];
    let duration = prop_oneof![1 => 1..60_000u64, 3 => 60_000..9_000_000u64].prop_map(Millis);
    (duration, exit).prop_map(|(duration, exit)| Plan { duration, exit })
}

fn arrays() -> impl Strategy<Value = Array> {
    (2..=5u32, weighted(0.6, 1..3u32))
        .prop_map(|(elements, throttle)| Array { indexes: (0..elements).collect(), throttle })
}

fn dependencies() -> impl Strategy<Value = Vec<Dependency>> {
    let kinds = select(vec![
        DependencyKind::After,
        DependencyKind::AfterOk,
        DependencyKind::AfterAny,
        DependencyKind::AfterNotOk,
    ]);
    // An index that the other lacks is refused, and so are indexes of one that is no array.
    let elements = prop_oneof![
        4 => Just(Elements::All),
        1 => (0..4u32).prop_map(Elements::Index),
        1 => Just(Elements::Same),
    ];
    let delay = prop_oneof![3 => Just(Millis::ZERO), 1 => (1..600u64).prop_map(Millis::seconds)];
    let on = (1..20u64, kinds, elements, delay).prop_map(|(job, kind, elements, delay)| {
        Predecessor { job: JobId(job), kind, elements, delay }
    });
    let one = prop_oneof![
        4 => on.clone().prop_map(Dependency::On),
        2 => prop::collection::vec(on, 1..=3).prop_map(Dependency::AnyOf),
        1 => Just(Dependency::Singleton),
    ];
    prop_oneof![
        4 => Just(Vec::new()),
        1 => prop::collection::vec(one, 1..=2),
    ]
}

/// How fast a job gets with more tasks, in hundredths for each, and what a resize costs it.
fn scalings() -> impl Strategy<Value = (Option<u32>, Millis)> {
    (weighted(0.4, 0..110u32), (0..90u64).prop_map(Millis::seconds))
}

/// Speeds for the sizes that the first elastic group can have.
fn fitting((each, resize): (Option<u32>, Millis), groups: &[TaskGroup]) -> Scaling {
    let group = groups.iter().find(|group| group.tasks.is_elastic() && group.task.gpus > 0);
    let speeds = group.zip(each).map(|(group, each)| {
        let TaskCount { min, max } = group.tasks;
        let point = |tasks| SpeedPoint { tasks, speed: 100 + (tasks - min) * each };
        [min, max].map(point).to_vec()
    });
    Scaling { speeds: speeds.unwrap_or_default(), resize }
}

fn requeues() -> impl Strategy<Value = Requeue> {
    (prop::bool::weighted(0.8), prop::bool::weighted(0.2), 0..4u32)
        .prop_map(|(when_lost, when_failed, most)| Requeue { when_lost, when_failed, most })
}
