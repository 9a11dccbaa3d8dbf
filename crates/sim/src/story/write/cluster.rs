//! Writes the configuration, nodes and queues as a story says them.

use muster_model::{
    BookedPlace, Booking, Class, ClusterSpec, DefragmentationMode, GpuModel, GpuSet, IdleRule,
    Isolation, Leftovers, Mib, MilliCpu, Millis, Name, NodeLinks, NodeSpec, Order, Placer, Policy,
    QueueSpec, Quota, Sharing, WhenIdle,
};

use crate::render::moment;
use crate::story::act::START;

/// What differs from the usual configuration, one line each.
pub(super) fn lines(cluster: &ClusterSpec) -> Vec<String> {
    let mut lines = Vec::new();
    if !cluster.levels.is_empty() {
        lines.push(format!("levels {}", joined(&cluster.levels, " ")));
    }
    let known = GpuModel::known();
    for model in cluster.gpu_models.iter().filter(|model| !known.contains(model)) {
        lines.push(format!("model {} {}", model.name, model.memory));
    }
    let usual = Class::defaults();
    lines.extend(cluster.classes.iter().filter(|class| !usual.contains(class)).map(class));
    if cluster.policy != Policy::default() {
        lines.push(policy(&cluster.policy));
    }
    lines.extend(cluster.queues.iter().map(queue));
    lines
}

fn joined(names: &[Name], between: &str) -> String {
    names.iter().map(Name::as_str).collect::<Vec<_>>().join(between)
}

fn class(class: &Class) -> String {
    let mut line = format!("class {} value {}", class.name, class.value);
    if !class.guaranteed {
        line.push_str(", borrows only");
    }
    if class.filler {
        line.push_str(", filler");
    }
    if let Some(limit) = class.limit_default {
        line.push_str(&format!(", limit {limit}"));
    }
    line
}

fn policy(policy: &Policy) -> String {
    let order = match policy.order {
        Order::Muster => "muster",
        Order::Fifo => "fifo",
        Order::Sjf => "sjf",
        Order::Fair => "fair",
        Order::Srtf => "srtf",
        Order::Las => "las",
    };
    let placer = match policy.placer {
        Placer::Muster => "muster",
        Placer::BestFit => "best-fit",
        Placer::Fgd => "fgd",
    };
    format!(
        "policy order {order}, las-limits {}, placer {placer}, size-weight {}, half-life {}, \
         floor {}%, floor-wait {}, floor-quantum {}, elastic-interval {}, elastic-stay {}, \
         limit-max {}, estimate-default {}, launch-timeout {}, stop-grace {}, retry-pause {}, \
         remember-ended {}, pausing {}, run-min {}, pause-interval {}, reclaim {}, \
         reservations {}, reserve-gpus {}, crash-within {}, crashes {}, hazard-half-life {}, \
         large-nodes {}, repair-time {}, defragmentation {}, move-budget {}, move-interval {}, \
         move-loss {}",
        policy.las_limits.iter().map(Millis::to_string).collect::<Vec<_>>().join("/"),
        policy.size_weight_milli,
        policy.usage_half_life,
        policy.floor.share_ppm / 10_000,
        policy.floor.wait,
        policy.floor.quantum,
        policy.elastic.interval,
        policy.elastic.stay,
        policy.limit_max,
        policy.estimate_default,
        policy.launch_timeout,
        policy.stop_grace,
        policy.retry_pause,
        policy.remember_ended,
        if policy.pausing.on { "on" } else { "off" },
        policy.pausing.run_min,
        policy.pausing.interval,
        policy.pausing.reclaim,
        policy.reservations.most,
        policy.reservations.gpus_min,
        policy.failures.crash_within,
        policy.failures.crashes,
        policy.failures.hazard_half_life,
        policy.failures.large_nodes,
        policy.failures.repair_time,
        match policy.defragmentation.mode {
            DefragmentationMode::Off => "off",
            DefragmentationMode::Preview => "preview",
            DefragmentationMode::On => "on",
        },
        policy.defragmentation.budget_ppm,
        policy.defragmentation.interval,
        policy.defragmentation.loss_max
    )
}

/// A queue with all it has.
pub(super) fn queue(queue: &QueueSpec) -> String {
    let mut clauses = Vec::new();
    for (word, quota) in [
        ("guarantee", &queue.guarantee),
        ("limit", &queue.limit),
        ("user limit", &queue.user_limit),
    ] {
        if *quota != Quota::default() {
            clauses.push(format!("{word} {}", amounts(quota)));
        }
    }
    if queue.weight != 1 {
        clauses.push(format!("weight {}", queue.weight));
    }
    if let Some(IdleRule { after, below_milli, then }) = &queue.idle {
        let then = match then {
            WhenIdle::Flag => "flag",
            WhenIdle::Lend => "lend",
            WhenIdle::Pause => "pause",
        };
        clauses.push(format!("idle {after} below {below_milli} {then}"));
    }
    format!("queue {} {}", queue.name, clauses.join(", ")).trim_end().to_owned()
}

fn amounts(quota: &Quota) -> String {
    let mut amounts = Vec::new();
    amounts.extend(quota.gpus.map(|gpus| gpus.to_string()));
    amounts.extend(quota.models.iter().map(|(model, gpus)| format!("{model}x{gpus}")));
    amounts.extend(quota.cpus.map(|cpus| format!("{cpus} cpus")));
    amounts.extend(quota.memory.map(|memory| format!("{memory} memory")));
    amounts.join(" and ")
}

/// A booking with all it has.
pub(super) fn booking(booking: &Booking) -> String {
    let mut line = format!("book {} from {}", booking.name, moment(START, booking.start));
    if let Some(end) = booking.end {
        line.push_str(&format!(" to {}", moment(START, end)));
    }
    for place in &booking.places {
        line.push_str(&match place {
            BookedPlace::Node(name) => format!(", nodes {name}"),
            BookedPlace::Domain(path) if path.is_empty() => ", everything".to_owned(),
            BookedPlace::Domain(path) => format!(", domains {}", joined(path, "/")),
        });
    }
    line.extend(booking.users.iter().map(|user| format!(", users {user}")));
    line.extend(booking.queues.iter().map(|queue| format!(", queues {queue}")));
    if booking.leftovers == Leftovers::Requeue {
        line.push_str(", requeue");
    }
    line
}

/// A node that joins.
pub(super) fn node(spec: &NodeSpec) -> String {
    let (hardware, usual) = match &spec.gpu_model {
        Some(model) => {
            (format!("{model}x{}", spec.gpus), NodeSpec::new("", model.as_str(), spec.gpus))
        }
        None => ("no gpus".to_owned(), NodeSpec::without_gpus("", 64, Mib::gib(256))),
    };
    let mut line = format!("node {} {hardware}", spec.name);
    if !spec.domains.is_empty() {
        line.push_str(&format!(" in {}", joined(&spec.domains, "/")));
    }
    for clause in differences(spec, usual.cpus, usual.memory, &usual.links) {
        line.push_str(&format!(", {clause}"));
    }
    line
}

fn differences(spec: &NodeSpec, cpus: MilliCpu, memory: Mib, links: &NodeLinks) -> Vec<String> {
    let mut clauses = Vec::new();
    if spec.cpus != cpus {
        clauses.push(format!("{} cpus", spec.cpus));
    }
    if spec.memory != memory {
        clauses.push(format!("{} memory", spec.memory));
    }
    if spec.suspend_memory > Mib::ZERO {
        clauses.push(format!("{} for suspended", spec.suspend_memory));
    }
    for (word, groups, usual) in [
        ("nvlink", &spec.links.nvlink, &links.nvlink),
        ("pcie", &spec.links.pcie, &links.pcie),
        ("numa", &spec.links.numa, &links.numa),
    ] {
        if groups != usual {
            clauses.push(format!("{word} {}", gpu_groups(groups)));
        }
    }
    if spec.sharing != Sharing::default() {
        clauses.push(format!("sharing {}", sharing(spec.sharing)));
    }
    if let Some(pool) = &spec.pool {
        clauses.push(format!("pool {pool}"));
    }
    clauses.extend(spec.labels.iter().map(|(label, value)| format!("{label}={value}")));
    clauses
}

fn sharing(sharing: Sharing) -> String {
    let ways = Isolation::ALL.into_iter().filter(|isolation| sharing.allows(*isolation));
    let ways: Vec<&str> = ways.map(Isolation::word).collect();
    if ways.is_empty() { "never".to_owned() } else { ways.join(" ") }
}

fn gpu_groups(groups: &[GpuSet]) -> String {
    if groups.is_empty() {
        return "none".to_owned();
    }
    let group = |set: &GpuSet| set.iter().map(|gpu| gpu.to_string()).collect::<Vec<_>>().join(",");
    groups.iter().map(group).collect::<Vec<_>>().join(" ")
}
