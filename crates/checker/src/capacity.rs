//! Whether a gang of one group fits: sums of what single nodes can hold. All tasks are equal, so
//! the sums decide; where they could mislead, the answer is "does not fit".

use std::collections::BTreeMap;

use muster_engine::action::SharePlace;
use muster_model::{Isolation, JobSpec, Name, TaskGroup, TaskShape};

use crate::card;
use crate::ledger::{Usage, chain};
use crate::place::{domain_of, matches};
use crate::recount::{Recount, Room};

/// Tasks by domain of the required level, and in it by domain of the segment's level.
type Capacity = BTreeMap<Vec<Name>, BTreeMap<Vec<Name>, u64>>;

/// Where the job would fit, in words, if it would.
pub(crate) fn place_for(recount: &Recount<'_>, levels: &[Name], spec: &JobSpec) -> Option<String> {
    let [group] = &spec.groups[..] else { return None };
    let has_gpus = group.task.gpus > 0 || group.task.share.is_some();
    let is_odd = !has_gpus && !group.task.models.is_empty();
    // How MIG instances fit together is a puzzle, not a sum.
    let is_hard = group.task.share.as_ref().is_some_and(|share| share.isolation == Isolation::Hard);
    if is_hard || is_odd {
        return None;
    }
    let mut by_model: BTreeMap<Option<&Name>, Capacity> = BTreeMap::new();
    for room in recount.rooms.values().filter(|room| is_usable(recount, spec, group, room)) {
        let segment = spec.topology.segment.as_ref();
        let domain = |level: Option<_>| match level {
            None => Some(Vec::new()),
            Some(level) => domain_of(levels, room.spec, level),
        };
        let Some(outer) = domain(spec.topology.require.as_ref()) else { continue };
        let Some(inner) = domain(segment.map(|segment| &segment.level)) else { continue };
        let capacity = by_model.entry(room.spec.gpu_model.as_ref()).or_default();
        let sum = capacity.entry(outer).or_default().entry(inner).or_default();
        let tasks = tasks_on(room, &group.task);
        // Where each task has a node of its own, one is all that a node can hold.
        let tasks = if spec.topology.apart { tasks.min(1) } else { tasks };
        *sum = sum.saturating_add(tasks);
    }
    let block = spec.topology.segment.as_ref().map_or(1, |segment| segment.tasks.max(1));
    for (model, capacity) in by_model {
        if !is_within_limits(recount, spec, group, model) {
            continue;
        }
        // A last block that is smaller counts as a whole one: that errs on the safe side.
        let wanted = u64::from(group.tasks.min.div_ceil(block));
        for (domain, parts) in capacity {
            let blocks = parts.values().map(|tasks| tasks / u64::from(block));
            let fit = blocks.fold(0_u64, u64::saturating_add);
            if fit >= wanted {
                let domain: Vec<&str> = domain.iter().map(Name::as_str).collect();
                let model = model.map_or("nodes without GPUs", Name::as_str);
                return Some(format!("on {model} in [{}]", domain.join("/")));
            }
        }
    }
    None
}

fn is_usable(recount: &Recount<'_>, spec: &JobSpec, group: &TaskGroup, room: &Room<'_>) -> bool {
    room.is_open && accepts(spec, group, room) && recount.admits(spec, room)
}

fn accepts(spec: &JobSpec, group: &TaskGroup, room: &Room<'_>) -> bool {
    let model = room.spec.gpu_model.as_ref();
    let wanted = &group.task.models;
    let is_model = (group.task.gpus == 0 && group.task.share.is_none())
        || wanted.is_empty()
        || model.is_some_and(|name| wanted.contains(name));
    is_model && spec.constraint.require.as_ref().is_none_or(|require| matches(require, room.spec))
}

/// How many tasks of the shape one node can hold beside what is there.
fn tasks_on(room: &Room<'_>, shape: &TaskShape) -> u64 {
    if shape.exclusive && !room.is_empty {
        return 0;
    }
    let per = |have: u64, each: u64| have.checked_div(each).unwrap_or(u64::from(u32::MAX));
    let gpus = u64::from(shape.gpus);
    let by_gpus = if shape.share.is_some() {
        shares_on(room, shape)
    } else if shape.nvlink && gpus > 0 {
        let groups = room.spec.links.nvlink.iter();
        groups.map(|linked| u64::from(linked.and(room.free).count()) / gpus).sum()
    } else {
        per(u64::from(room.free.count()), gpus)
    };
    let tasks = by_gpus.min(per(room.cpus, shape.cpus.0)).min(per(room.memory, shape.memory.0));
    if shape.exclusive { tasks.min(1) } else { tasks }
}

/// How many shares fit beside others and on GPUs that nobody holds.
fn shares_on(room: &Room<'_>, shape: &TaskShape) -> u64 {
    let (Some(model), Some(share)) = (room.model, &shape.share) else { return 0 };
    if !room.spec.sharing.allows(share.isolation) {
        return 0;
    }
    let on = |parts: &[SharePlace]| card::room(model, shape, parts).unwrap_or(0);
    let beside: u64 = room.open_cards().map(on).sum();
    beside + u64::from(room.free.count()) * on(&[])
}

/// Whether the limits of its queues and of its user leave room for the whole job.
fn is_within_limits(
    recount: &Recount<'_>,
    spec: &JobSpec,
    group: &TaskGroup,
    model: Option<&Name>,
) -> bool {
    let mut wanted = Usage::default();
    let known = recount.models.iter().find(|known| Some(&known.name) == model);
    let share = group.task.share.as_ref();
    let part = share.zip(known).and_then(|(share, known)| card::milli(known, share)).unwrap_or(0);
    for _ in 0..group.tasks.min {
        wanted.add_task(spec, 0, u64::from(group.task.gpus) * 1000 + part, model);
    }
    chain(&spec.queue).all(|name| {
        let Some(queue) = recount.queues.get(&name) else { return false };
        let mut in_queue = recount.ledger.of_queue(&name);
        let mut of_user = recount.ledger.of_user(&name, &spec.user);
        in_queue.add(&wanted);
        of_user.add(&wanted);
        in_queue.excess(&queue.limit, &wanted).is_none()
            && of_user.excess(&queue.user_limit, &wanted).is_none()
    })
}
