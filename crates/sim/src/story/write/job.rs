//! Writes a submission as a story says it.

use muster_model::quantity::GpuRequest;
use muster_model::{
    Checkpoint, Dependency, Isolation, JobSpec, Predecessor, Requeue, Scaling, ShareSize,
    TaskGroup, TaskShape, Timing, TopologyWish, signal,
};

use crate::render::moment;
use crate::story::act::START;

/// A job with everything that differs from the usual.
pub(super) fn spec(spec: &JobSpec) -> String {
    let groups = spec.groups.iter().map(group).collect::<Vec<_>>().join(" plus ");
    let mut line = format!("\"{}\" {groups}", spec.name);
    for clause in clauses(spec) {
        line.push_str(&format!(", {clause}"));
    }
    line
}

fn clauses(spec: &JobSpec) -> Vec<String> {
    let mut clauses = vec![format!("by {}", spec.user)];
    clauses.extend(spec.team.as_ref().map(|team| format!("team {team}")));
    clauses.push(format!("queue {}", spec.queue));
    clauses.push(format!("class {}", spec.class));
    if spec.weight != 0 {
        clauses.push(format!("weight {}", spec.weight));
    }
    topology(&spec.topology, &mut clauses);
    for (word, expression) in [
        ("only-on", &spec.constraint.require),
        ("rather-on", &spec.constraint.prefer),
        ("rather-not-on", &spec.constraint.avoid),
    ] {
        clauses.extend(expression.as_ref().map(|nodes| format!("{word} {}", nodes.notation())));
    }
    if let Some(array) = &spec.array {
        let indexes: Vec<String> = array.indexes.iter().map(u32::to_string).collect();
        let throttle = array.throttle.map(|most| format!(" at most {most}")).unwrap_or_default();
        clauses.push(format!("array {}{throttle}", indexes.join(",")));
    }
    clauses.extend(spec.after.iter().map(dependency));
    timing(&spec.timing, &mut clauses);
    checkpoint(&spec.checkpoint, &mut clauses);
    if spec.requeue != Requeue::default() {
        clauses.push(requeue(&spec.requeue));
    }
    clauses.extend(spec.booking.as_ref().map(|booking| format!("booking {booking}")));
    let Scaling { speeds, resize } = &spec.scaling;
    if !speeds.is_empty() {
        let points = speeds.iter().map(|point| format!("{}:{}", point.tasks, point.speed));
        clauses.push(format!("speeds {}", points.collect::<Vec<_>>().join(" ")));
    }
    if *resize != Scaling::default().resize {
        clauses.push(format!("resize {resize}"));
    }
    if spec.hold {
        clauses.push("hold".to_owned());
    }
    clauses
}

fn group(group: &TaskGroup) -> String {
    let TaskGroup { name, tasks, task } = group;
    let request =
        GpuRequest { models: task.models.clone(), gpus: task.gpus, share: task.share.clone() };
    let word = if task.models.is_empty() && task.share.is_none() { " gpus" } else { "" };
    format!("{name} {tasks} x {request}{word}{}", needs(task))
}

fn needs(task: &TaskShape) -> String {
    let usual = match &task.share {
        Some(share) => TaskShape::share(share.clone()),
        None => TaskShape::gpus(task.gpus),
    };
    let mut needs = Vec::new();
    if task.cpus != usual.cpus {
        needs.push(format!("{} cpus", task.cpus));
    }
    if task.memory != usual.memory {
        needs.push(format!("{} memory", task.memory));
    }
    if task.nvlink {
        needs.push("nvlink".to_owned());
    }
    if let Some(share) = &task.share {
        let usual = match &share.size {
            ShareSize::Mig(_) => Isolation::Hard,
            ShareSize::Fraction { .. } | ShareSize::Memory(_) => Isolation::Soft,
        };
        if share.isolation != usual {
            needs.push(format!("isolated {}", share.isolation.word()));
        }
    }
    if task.exclusive {
        needs.push("exclusive".to_owned());
    }
    if needs.is_empty() { String::new() } else { format!(" ({})", needs.join(", ")) }
}

fn topology(wish: &TopologyWish, clauses: &mut Vec<String>) {
    let patience = wish.patience.map(|span| format!(" for {span}")).unwrap_or_default();
    clauses.extend(wish.require.as_ref().map(|at| format!("require {at}{patience}")));
    clauses.extend(wish.prefer.as_ref().map(|at| format!("prefer {}", at)));
    let segment = wish.segment.as_ref();
    clauses.extend(segment.map(|block| format!("segment {} in {}", block.tasks, block.level)));
    if wish.apart {
        clauses.push("apart".to_owned());
    }
    if wish.spread {
        clauses.push("spread".to_owned());
    }
}

fn dependency(dependency: &Dependency) -> String {
    match dependency {
        Dependency::On(one) if *one == Predecessor::new(one.job, one.kind) => {
            format!("{} {}", one.kind.word(), one.job)
        }
        _ => dependency.to_string(),
    }
}

fn checkpoint(checkpoint: &Checkpoint, clauses: &mut Vec<String>) {
    for cost in &checkpoint.rungs {
        clauses.push(format!("can {} {} back {}", cost.rung, cost.save, cost.restore));
    }
    clauses.extend(checkpoint.every.map(|every| format!("saves every {every}")));
    clauses.extend(checkpoint.state.map(|state| format!("state {state}")));
}

fn timing(timing: &Timing, clauses: &mut Vec<String>) {
    clauses.extend(timing.limit.map(|limit| format!("limit {limit}")));
    clauses.extend(timing.warning.map(|warning| {
        format!("warning {} {} before", signal::name(warning.signal), warning.before)
    }));
    clauses.extend(
        timing.estimate.map(|estimate| format!("estimate {} to {}", estimate.median, estimate.p90)),
    );
    let or_never = if timing.drop_late { " or never" } else { "" };
    let deadline = |at| format!("deadline {}{or_never}", moment(START, at));
    clauses.extend(timing.deadline.map(deadline));
    clauses.extend(timing.begin.map(|at| format!("begin {}", moment(START, at))));
}

fn requeue(requeue: &Requeue) -> String {
    let when = match (requeue.when_lost, requeue.when_failed) {
        (false, false) => "never",
        (true, false) => "when lost",
        (false, true) => "when failed",
        (true, true) => "when lost or failed",
    };
    format!("requeue {when} at most {}", requeue.most)
}
