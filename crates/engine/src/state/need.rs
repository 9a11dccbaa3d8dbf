//! What one task's share comes to on a GPU model: milli-GPUs, memory, and for MIG the slices.
//!
//! Compute and memory of a share go together: half a GPU is half of both. So one number, in
//! milli-GPU, decides whether a share fits beside others, and memory follows from it.

use muster_model::{GpuModel, Isolation, Mib, MigProfile, MilliGpu, Share, ShareSize};

use crate::action::{MigPlace, SharePlace};

/// A whole GPU in milli-GPU.
pub(crate) const WHOLE: u32 = 1000;

/// An eighth of a GPU: what memory is cut into by MIG, and the step of the index of free pieces.
pub(crate) const EIGHTH: u32 = WHOLE / 8;

/// The least a share takes, whatever it asks for: MPS serves 48 clients of one GPU, so 40 shares
/// are as many as any GPU is given.
const LEAST: u32 = 25;

/// What a share needs of one GPU of one model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Need {
    pub(crate) mode: Isolation,
    /// Milli-GPUs it cannot do without.
    pub(crate) milli: u32,
    /// Milli-GPUs it can use; more than `milli` only where a range was asked for.
    pub(crate) most: u32,
    /// Memory where it was asked for by name, in MiB.
    memory: Option<u64>,
    /// Memory of a whole GPU, in MiB.
    card: u64,
    pub(crate) cut: Option<Cut>,
}

/// A MIG instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// Its profile's place in the model's list.
    profile: u8,
    /// Compute slices it takes, and how many the card has.
    pub(crate) slices: u8,
    pub(crate) slices_of_card: u8,
    /// Eighths of the card's memory it takes.
    pub(crate) eighths: u8,
    /// How many the card holds; instance `i` may start at eighth `i * eighths` and nowhere else.
    most: u8,
    memory: u64,
}

impl Need {
    /// What a share comes to on a model; `None` where the model cannot give it.
    pub(crate) fn new(share: &Share, model: &GpuModel) -> Option<Need> {
        let card = model.memory.0;
        let (least, most, memory) = match &share.size {
            ShareSize::Fraction { least, most } => (milli(*least), milli(*most), None),
            ShareSize::Memory(memory) => {
                let part = (memory.0 * u64::from(WHOLE)).div_ceil(card);
                let part = u32::try_from(part).ok().filter(|part| *part <= WHOLE)?;
                (part, part, Some(memory.0))
            }
            ShareSize::Mig(_) => (0, 0, None),
        };
        let mut need = Need {
            mode: share.isolation,
            milli: least.max(LEAST),
            most: most.max(LEAST),
            memory,
            card,
            cut: None,
        };
        if share.isolation == Isolation::Hard {
            let cut = need.profile(share, model)?;
            need.milli = u32::from(cut.eighths) * EIGHTH;
            need.most = need.milli;
            need.cut = Some(cut);
        }
        Some(need)
    }

    /// The profile that gives a share: the one it names, or the smallest that is enough. By
    /// fraction both compute and memory must be; by memory, compute is as near to its proportion
    /// as profiles go.
    fn profile(&self, share: &Share, model: &GpuModel) -> Option<Cut> {
        // A configuration need not name the profile that takes all of the card.
        let all_of = |profile: &MigProfile| profile.slices.saturating_mul(profile.most);
        let slices_of_card = model.mig.iter().map(all_of).max()?;
        let cuts = (0_u8..).zip(&model.mig).map(|(index, profile)| Cut {
            profile: index,
            slices: profile.slices,
            slices_of_card,
            eighths: eighths(profile.memory, self.card),
            most: profile.most,
            memory: profile.memory.0,
        });
        let compute = |cut: &Cut| u32::from(cut.slices) * WHOLE / u32::from(slices_of_card);
        let off = |cut: &Cut| {
            let (slices, eighths) = (u32::from(cut.slices), u32::from(cut.eighths));
            (slices * 8).abs_diff(u32::from(slices_of_card) * eighths)
        };
        let smallest = |cut: &Cut| (cut.eighths, off(cut), cut.slices);
        match &share.size {
            ShareSize::Mig(name) => (cuts.zip(&model.mig))
                .find(|(_, profile)| profile.name == *name)
                .map(|(cut, _)| cut),
            ShareSize::Memory(memory) => {
                cuts.filter(|cut| cut.memory >= memory.0).min_by_key(smallest)
            }
            ShareSize::Fraction { .. } => cuts
                .filter(|cut| u32::from(cut.eighths) * EIGHTH >= self.milli)
                .filter(|cut| compute(cut) >= self.milli)
                .min_by_key(|cut| (cut.eighths, cut.slices)),
        }
    }

    /// How many one empty GPU holds.
    pub(crate) fn per_gpu(&self) -> u32 {
        match &self.cut {
            None => WHOLE / self.milli,
            Some(cut) => cut.room(0, 0),
        }
    }

    /// What a task is given: so many milli-GPUs, and for MIG from which eighth on.
    pub(crate) fn place(&self, milli: u32, start: u8) -> SharePlace {
        let part = self.card * u64::from(milli) / u64::from(WHOLE);
        let memory = match &self.cut {
            Some(cut) => cut.memory,
            None => self.memory.unwrap_or(part),
        };
        let mig = self.cut.map(|cut| MigPlace {
            profile: cut.profile,
            slices: cut.slices,
            start,
            eighths: cut.eighths,
        });
        SharePlace { mode: self.mode, milli: MilliGpu(milli.into()), memory: Mib(memory), mig }
    }
}

impl Cut {
    /// Where an instance may start on a card with these eighths taken.
    pub(crate) fn starts(&self, taken: u8) -> impl Iterator<Item = u8> {
        let eighths = self.eighths;
        (0..self.most)
            .map(move |index| index.saturating_mul(eighths))
            .filter(move |start| start.saturating_add(eighths) <= 8)
            .filter(move |&start| mask(start, eighths) & taken == 0)
    }

    /// How many fit beside what takes these eighths and so many slices.
    pub(crate) fn room(&self, taken: u8, slices: u8) -> u32 {
        let by_slices = self.slices_of_card.saturating_sub(slices) / self.slices.max(1);
        let by_memory = self.starts(taken).count();
        u32::from(by_slices).min(u32::try_from(by_memory).expect("at most eight starts"))
    }
}

/// The eighths from a start on, as bits.
pub(crate) fn mask(start: u8, eighths: u8) -> u8 {
    let whole = u16::from(u8::MAX);
    let bits = (((1_u16 << eighths) - 1) << start) & whole;
    u8::try_from(bits).expect("eight bits are a byte")
}

/// Eighths of a card that an instance takes; never fewer than hold its memory.
fn eighths(memory: Mib, card: u64) -> u8 {
    let eighths = (memory.0 * 8).div_ceil(card.max(1)).clamp(1, 8);
    u8::try_from(eighths).expect("at most eight")
}

fn milli(part: MilliGpu) -> u32 {
    u32::try_from(part.0).unwrap_or(WHOLE).min(WHOLE)
}

#[cfg(test)]
mod tests;
