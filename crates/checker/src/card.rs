//! One GPU that is shared: whether the parts that were given of it can be there together.

use muster_engine::action::SharePlace;
use muster_model::{GpuModel, Isolation, MigProfile, Share, ShareSize, TaskShape};

/// A whole GPU.
pub(crate) const WHOLE: u64 = 1000;

/// A smaller part than this is not given: MPS serves 48 clients.
pub(crate) const LEAST: u64 = 25;

/// Everything wrong with parts that share one GPU of a model.
pub(crate) fn wrong(model: &GpuModel, parts: &[SharePlace]) -> Vec<String> {
    let mut wrong = Vec::new();
    if let [first, rest @ ..] = parts
        && rest.iter().any(|part| part.mode != first.mode)
    {
        let modes: Vec<&str> = parts.iter().map(|part| part.mode.word()).collect();
        wrong.push(format!("mixes isolation: {}", modes.join(", ")));
    }
    let milli: u64 = parts.iter().map(|part| part.milli.0).sum();
    if milli > WHOLE {
        wrong.push(format!("is given away to {milli} thousandths"));
    }
    let memory: u64 = parts.iter().map(|part| part.memory.0).sum();
    if memory > model.memory.0 {
        wrong.push(format!("has {} MiB and {memory} are promised", model.memory.0));
    }
    if parts.iter().any(|part| part.mode == Isolation::Hard) {
        wrong.extend(wrong_cuts(model, parts));
    }
    wrong
}

fn wrong_cuts(model: &GpuModel, parts: &[SharePlace]) -> Vec<String> {
    let mut wrong = Vec::new();
    let (mut taken, mut slices, mut counts) = ([0; 8], 0_u64, vec![0_u8; model.mig.len()]);
    for part in parts {
        let Some(mig) = part.mig else {
            wrong.push("has a hard part that is no MIG instance".to_owned());
            continue;
        };
        let Some(profile) = model.mig.get(usize::from(mig.profile)) else {
            wrong.push(format!("has no MIG profile {}", mig.profile));
            continue;
        };
        counts[usize::from(mig.profile)] += 1;
        slices += u64::from(profile.slices);
        let is_right = mig.slices == profile.slices
            && part.memory == profile.memory
            && u64::from(mig.eighths) * model.memory.0 >= profile.memory.0 * 8;
        // Instances of a size start at multiples of it, as many as the card holds of them.
        let is_start = mig.eighths > 0
            && mig.start % mig.eighths == 0
            && mig.start / mig.eighths < profile.most;
        if !is_right || !is_start {
            wrong.push(format!("cannot have {} at {} of {}", profile.name, mig.start, mig.eighths));
        }
        for eighth in mig.start..mig.start.saturating_add(mig.eighths) {
            match taken.get_mut(usize::from(eighth)) {
                Some(times) => *times += 1,
                None => wrong.push(format!("has no eighth {eighth}")),
            }
        }
    }
    if taken.iter().any(|times| *times > 1) {
        wrong.push(format!("has parts on top of each other: {taken:?}"));
    }
    // As many as the card holds of one profile, it has slices for.
    let all_of = |known: &MigProfile| u64::from(known.slices) * u64::from(known.most);
    let card = model.mig.iter().map(all_of).max().unwrap_or(0);
    if slices > card {
        wrong.push(format!("has {card} compute slices and {slices} are given"));
    }
    for (profile, count) in
        model.mig.iter().zip(counts).filter(|(known, count)| *count > known.most)
    {
        wrong.push(format!("holds {} of {} and {count} are there", profile.most, profile.name));
    }
    wrong
}

/// What is wrong with a part for what was asked, if anything is.
pub(crate) fn unlike(model: &GpuModel, asked: &Share, part: &SharePlace) -> Option<String> {
    if part.mode != asked.isolation {
        let (given, wanted) = (part.mode.word(), asked.isolation.word());
        return Some(format!("isolation {given} and asks for {wanted}"));
    }
    let profile = part.mig.and_then(|mig| model.mig.get(usize::from(mig.profile)));
    match &asked.size {
        ShareSize::Fraction { least, most } => {
            let most = most.0.max(LEAST);
            let too_much = asked.isolation != Isolation::Hard && part.milli.0 > most;
            let is_wrong = part.milli < *least || too_much;
            is_wrong.then(|| format!("{} of a GPU and asks for {least} to {most}", part.milli))
        }
        ShareSize::Memory(memory) => (part.memory < *memory)
            .then(|| format!("{} MiB and asks for {}", part.memory.0, memory.0)),
        ShareSize::Mig(name) => profile
            .is_none_or(|profile| profile.name != *name)
            .then(|| format!("another profile and asks for {name}")),
    }
}

/// How many more parts for a task fit on a GPU beside others; `None` where that is not judged.
pub(crate) fn room(model: &GpuModel, task: &TaskShape, parts: &[SharePlace]) -> Option<u64> {
    let share = task.share.as_ref()?;
    if parts.iter().any(|part| part.mode != share.isolation) {
        return Some(0);
    }
    let left = WHOLE - parts.iter().map(|part| part.milli.0).sum::<u64>().min(WHOLE);
    if share.isolation == Isolation::Hard {
        return None;
    }
    Some(left / milli(model, share)?)
}

/// Thousandths of a GPU that a share without MIG takes at least.
pub(crate) fn milli(model: &GpuModel, share: &Share) -> Option<u64> {
    match &share.size {
        ShareSize::Fraction { least, .. } => Some(least.0.max(LEAST)),
        ShareSize::Memory(memory) => {
            let part = (memory.0 * WHOLE).div_ceil(model.memory.0);
            (part <= WHOLE).then_some(part.max(LEAST))
        }
        ShareSize::Mig(_) => None,
    }
}
