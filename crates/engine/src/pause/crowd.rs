//! Those who wait behind a seeker in its line. A gang that gives way to one small job makes room
//! for many: each of them looks for itself alone, and alone none would be worth the pause.

use crate::dense::LineId;
use crate::pause::balance::{self, Balance};
use crate::pause::exposure;
use crate::pause::judge::Offer;
use crate::pause::seeker::{self, Seeker};
use crate::plan::estimate;
use crate::state::State;

/// So many others are counted at most: what one more brings matters less and less.
const OTHERS_MAX: u64 = 64;

/// A line has one job more. Whenever there are twice as many, what was not worth it for its first
/// may be.
pub(crate) fn grew(state: &mut State, line: LineId) {
    if state.waiting.line(line).len().is_power_of_two() {
        seeker::note(state, state.waiting.head_of(line));
    }
}

/// The balance of a room of `rate` milli-GPUs, `idle` of them free anyway, with as many of those
/// behind the seeker as find room in what is given up beyond it and make the most of it.
pub(crate) fn balance(
    state: &State,
    seeker: &Seeker,
    offers: &[Offer],
    rate: u64,
    idle: u64,
) -> Balance {
    let given: u64 = offers.iter().map(|offer| offer.rate).sum();
    let beyond = given.saturating_sub(rate - idle.min(rate));
    let room = (beyond / rate.max(1)).min(OTHERS_MAX);
    if room == 0 || !seeker.weighs {
        return Balance::new(seeker, offers, rate, idle);
    }
    let pauses = exposure::pauses(state).expect("only a policy that pauses has seekers");
    // A lower class gives way to all of the line, whatever their rank.
    let runs = offers.iter().map(|offer| state.jobs.known(offer.job));
    let equals = runs.filter(|job| state.catalog.class_rank(job.class) <= seeker.class_rank);
    let strongest = equals.map(|job| exposure::rank(state, job)).min().unwrap_or(i64::MAX);
    let line = state.jobs.known(seeker.id).line.expect("a seeker is in line");
    let others = state.waiting.line(line).jobs().map(|(_, id)| id).filter(|id| *id != seeker.id);
    let each = (rate, idle);
    let mut best = (balance::surplus(seeker, offers, each, 1), *seeker, 1);
    let mut length = seeker.length;
    for (count, id) in (1..=room).zip(others) {
        let job = state.jobs.known(id);
        // Nobody gives way for one who would not have been let pass by itself.
        if exposure::rank(state, job).saturating_add(pauses.hysteresis) > strongest {
            break;
        }
        length = length.max(estimate::expected_left(state, job));
        let seeker = Seeker { length, ..*seeker };
        let surplus = balance::surplus(&seeker, offers, each, count + 1);
        if surplus > best.0 {
            best = (surplus, seeker, count + 1);
        }
    }
    let (_, seeker, jobs) = best;
    Balance::of_several(&seeker, offers, each, jobs)
}
