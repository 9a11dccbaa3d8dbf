//! Cost against benefit of making room, in GPU-milliseconds weighed by class.

use muster_model::Millis;

use crate::explain::Cause;
use crate::fixed::{self, DOUBLING};
use crate::pause::judge::{Offer, gpu_millis};
use crate::pause::seeker::Seeker;

/// What making room costs and brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Balance {
    pub(crate) cost: u64,
    pub(crate) benefit: u64,
    /// Both as people are told them: in GPU-milliseconds of the seeker's class.
    pub(crate) told: (u64, u64),
}

impl Balance {
    /// Of room for which nobody is paused.
    pub(crate) const NOTHING: Balance = Balance { cost: 0, benefit: 0, told: (0, 0) };

    /// The balance of a room of `rate` milli-GPUs, of which `idle` were free anyway.
    ///
    /// Without the pauses the job would wait until those who give way have ended; with them it
    /// waits until the last has given up its GPUs. Who gives way is late by what the pause takes
    /// and by the time the job then runs.
    pub(crate) fn new(seeker: &Seeker, offers: &[Offer], rate: u64, idle: u64) -> Balance {
        Balance::of_several(seeker, offers, (rate, idle), 1)
    }

    /// The same where what is given up makes room for so many like the seeker, itself included.
    pub(crate) fn of_several(
        seeker: &Seeker,
        offers: &[Offer],
        room: (u64, u64),
        jobs: u64,
    ) -> Balance {
        let (cost, benefit) = sums(seeker, offers, room, jobs, seeker.size_weight);
        let told = match seeker.size_weight {
            DOUBLING => (cost, benefit),
            _ => sums(seeker, offers, room, jobs, DOUBLING),
        };
        Balance { cost, benefit, told: (told.0 / seeker.price, told.1 / seeker.price) }
    }

    /// The balance of a room of `rate` milli-GPUs that others make by moving elsewhere, and how
    /// much sooner the job starts.
    ///
    /// Who moves is not late by more than the move takes. Until the last has left, all that is
    /// held for them and for the job is idle.
    pub(crate) fn of_moves(
        seeker: &Seeker,
        offers: &[Offer],
        rate: u64,
        idle: u64,
    ) -> (Balance, Millis) {
        let release = release(offers);
        let sooner = natural(seeker, offers).saturating_sub(release);
        let waiting = gpu_millis(rate, sooner).saturating_mul(seeker.price);
        let benefit = waiting.saturating_add(gpu_millis(idle, sooner));
        let held = idle + offers.iter().map(|offer| offer.rate).sum::<u64>();
        let costs = offers.iter().map(|offer| offer.cost().saturating_mul(offer.weight));
        let cost = costs.fold(gpu_millis(held, release), u64::saturating_add);
        let told = (cost / seeker.price, benefit / seeker.price);
        (Balance { cost, benefit, told }, sooner)
    }

    /// Whether the benefit exceeds the cost by the margin. What is guaranteed or reserved is not
    /// weighed.
    pub(crate) fn is_worth(self, offers: &[Offer], margin_ppm: u32) -> bool {
        let is_owed = |offer: &Offer| matches!(offer.cause, Cause::Guarantee | Cause::Reservation);
        if offers.iter().all(is_owed) {
            return true;
        }
        self.exceeds(margin_ppm)
    }

    /// Whether the benefit exceeds the cost by a margin.
    pub(crate) fn exceeds(self, margin_ppm: u32) -> bool {
        let needed = u128::from(self.cost) * u128::from(1_000_000 + u64::from(margin_ppm));
        u128::from(self.benefit) * 1_000_000 > needed
    }
}

/// What room for so many jobs gains or loses.
pub(crate) fn surplus(seeker: &Seeker, offers: &[Offer], room: (u64, u64), jobs: u64) -> i128 {
    let (cost, benefit) = sums(seeker, offers, room, jobs, seeker.size_weight);
    i128::from(benefit) - i128::from(cost)
}

/// Cost and benefit of a room of so many milli-GPUs, some of them idle, for so many jobs, with GPUs
/// weighed.
fn sums(
    seeker: &Seeker,
    offers: &[Offer],
    (rate, idle): (u64, u64),
    jobs: u64,
    size_weight: i64,
) -> (u64, u64) {
    let release = release(offers);
    let saved = natural(seeker, offers).saturating_sub(release);
    let counted = |rate: u64| weighed(rate, size_weight);
    let each = gpu_millis(counted(rate), saved).saturating_mul(seeker.price);
    let waiting = each.saturating_mul(jobs);
    let benefit = waiting.saturating_add(gpu_millis(counted(idle), saved));
    let mut cost: u64 = 0;
    for offer in offers {
        let rate = counted(offer.rate);
        let late = gpu_millis(rate, release + seeker.length);
        let paused = gpu_millis(rate, offer.price.loses);
        let whole = paused.saturating_add(late).saturating_mul(offer.weight);
        cost = cost.saturating_add(whole);
    }
    (cost, benefit)
}

/// Milli-GPUs as the policy counts them when it ranks jobs: all of them, or their root.
fn weighed(rate: u64, size_weight: i64) -> u64 {
    if size_weight == DOUBLING || rate == 0 {
        return rate;
    }
    let log = (fixed::log2(u128::from(rate)) - fixed::log2(1000)) * size_weight / DOUBLING;
    u64::try_from(fixed::exp2(log + fixed::log2(1000))).unwrap_or(u64::MAX)
}

/// When the last of those who give way has given up its GPUs.
fn release(offers: &[Offer]) -> Millis {
    offers.iter().map(|offer| offer.price.wait).max().unwrap_or(Millis::ZERO)
}

/// How long the job waits if nobody gives way: until they have ended, or, where it is known, until
/// it starts elsewhere.
pub(crate) fn natural(seeker: &Seeker, offers: &[Offer]) -> Millis {
    let ended = offers.iter().map(|offer| offer.left).max().unwrap_or(Millis::ZERO);
    seeker.moves.map_or(ended, |waits| waits.min(ended))
}
