//! Task groups from slices. Equal slices are one group, and one slice is one task of it.

use muster_model::{Mib, MilliCpu, Name, Share, TaskCount, TaskGroup, TaskShape};

use crate::request::{Allocation, Missing, Slice, Slices, Unit};
use crate::values::Memory;

pub(super) fn of(allocation: &Allocation, missing: &mut Vec<Missing>) -> Vec<TaskGroup> {
    let word = match allocation.unit {
        Unit::Node => "nodes",
        Unit::Task => "tasks",
    };
    let groups = allocation.slices.iter().enumerate();
    groups.map(|(index, slices)| group(word, index, slices, missing)).collect()
}

fn group(word: &str, index: usize, slices: &Slices, missing: &mut Vec<Missing>) -> TaskGroup {
    let name = if index == 0 { word.to_owned() } else { format!("{word}-{}", index + 1) };
    TaskGroup {
        name: Name::from(name.as_str()),
        tasks: TaskCount::exactly(slices.count),
        task: shape(&slices.slice, missing),
    }
}

fn shape(slice: &Slice, missing: &mut Vec<Missing>) -> TaskShape {
    let memory = match slice.memory {
        Some(Memory::Mib(mib)) => mib,
        Some(Memory::All) | None => Mib::ZERO,
    };
    let mut shape = TaskShape {
        gpus: slice.gpus,
        cpus: MilliCpu::whole(u64::from(slice.cpus)),
        memory,
        // Who has all memory of a node leaves none to others.
        exclusive: slice.exclusive || slice.memory == Some(Memory::All),
        ..TaskShape::default()
    };
    match slice.model.as_deref() {
        Some(profile) if is_profile(profile) => {
            if slice.gpus > 1 {
                missing.push(Missing::SeveralShares);
            }
            (shape.gpus, shape.share) = (0, Some(Share::mig(profile)));
        }
        Some(model) => shape.models = vec![Name::from(model)],
        None => {}
    }
    shape
}

/// Whether a type of GPU is a slice of one: `1g.10gb`, `3g.40gb+me`.
fn is_profile(model: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some((slices, memory)) = model.split_once("g.") else { return false };
    let Some((memory, _)) = memory.split_once("gb") else { return false };
    is_number(slices) && is_number(memory)
}
