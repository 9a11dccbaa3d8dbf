//! Seekers: blocked jobs that look, once, for someone to take the place of. They look when they
//! become the first of their line, and when someone who runs has become easier to pause.

use muster_model::{JobId, Millis};

use crate::dense::{QueueId, ShapeId};
use crate::elastic::yielding;
use crate::order;
use crate::pass::start;
use crate::pause::exposure::{self, ONLY_RECLAIMED};
use crate::pause::reach::Need;
use crate::pause::search::Judged;
use crate::pause::{hold, prove, rest, together};
use crate::plan::{estimate, loan};
use crate::repair::crash;
use crate::state::State;
use crate::state::booking::Terms;
use crate::state::line::OrderKey;
use crate::state::topology::ROOT;

/// At most so many searches in one step; the next step is due at once.
const SEARCHES_PER_STEP: usize = 2;

/// When someone has become easier to pause, so many of the first heads look again.
const HEADS_NOTED: usize = 4;

/// ... of so many that are asked whether it could help them.
const HEADS_ASKED: usize = 32;

/// At most so many rooms are being made at once.
pub(crate) const PLANS_MAX: usize = 4096;

/// GPUs are given up within this time, or not at all.
pub(crate) const RELEASE_MAX: Millis = Millis::minutes(10);

/// A job that looks for someone to take the place of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seeker {
    pub(crate) id: JobId,
    pub(crate) shape: ShapeId,
    pub(crate) queue: QueueId,
    /// Its alternatives that no limit forbids, as bits.
    pub(crate) allowed: u64,
    pub(crate) guaranteed: bool,
    pub(crate) class_rank: u8,
    pub(crate) rank: i64,
    /// The weight of its class in costs and benefits.
    pub(crate) price: u64,
    /// How strongly GPUs count there, in thousandths, as they do in the rank.
    pub(crate) size_weight: i64,
    /// How long it will probably run.
    pub(crate) length: Millis,
    /// What it takes must be given up within this time.
    pub(crate) within: Millis,
    /// Its reserved start was put off too often.
    pub(crate) is_late: bool,
    /// It has waited too long: rank and worth do not matter.
    pub(crate) starves: bool,
    /// Whether making room must be worth it; otherwise rank alone decides.
    pub(crate) weighs: bool,
    /// The first bucket it may take from.
    pub(crate) threshold: u16,
    /// For one that asks others to move, not to wait: how long it waits if nobody does.
    pub(crate) moves: Option<Millis>,
    /// On what terms it may be on nodes that are booked.
    pub(crate) terms: Terms,
}

impl Seeker {
    /// The seeker a queued job would be; `None` for one that takes from nobody.
    pub(crate) fn new(state: &State, id: JobId) -> Option<Seeker> {
        let policy = state.catalog.policy();
        let pauses = exposure::pauses(state).filter(|_| policy.pausing.on)?;
        let job = state.jobs.get(id)?;
        let line = state.waiting.line(job.line?);
        let shape = state.shapes.get(line.key.shape);
        let demand = &shape.demand;
        // A crashed job must not cost others theirs, and a suspended one has a place of its own.
        let is_crashing = job.record.launch_failures > 0 || crash::is_crashing(state, id);
        // What is held for a job that is to come are whole GPUs: part of one cannot be held, so a
        // job with shares makes nobody give way.
        let is_whole = demand.gpus > 0 && !demand.has_shares();
        let takes = is_whole && !is_crashing && job.pinned.is_none();
        if !takes || line.standing.allowed == 0 {
            return None;
        }
        let class_rank = state.catalog.class_rank(job.class);
        let rank = exposure::rank(state, job);
        let guaranteed = line.standing.guaranteed;
        // Whoever was put off too often may take from all of its class, if it is worth it.
        let is_late = pauses.weighs && state.floor.late.contains(&id);
        let threshold = match guaranteed {
            true => ONLY_RECLAIMED,
            false if is_late => exposure::threshold(pauses, class_rank, 0),
            false => exposure::threshold(pauses, class_rank, rank + pauses.hysteresis),
        };
        Some(Seeker {
            id,
            shape: line.key.shape,
            queue: job.queue,
            allowed: line.standing.allowed,
            guaranteed,
            class_rank,
            rank,
            price: price(state, job.class),
            size_weight: i64::from(policy.size_weight_milli),
            length: estimate::expected_left(state, job),
            is_late,
            starves: false,
            weighs: pauses.weighs,
            terms: prove::terms(&state.capacity, shape),
            within: if guaranteed { policy.pausing.reclaim } else { RELEASE_MAX },
            threshold,
            moves: None,
        })
    }

    /// The same job when it has waited too long: it may take from all of its class. Where rank
    /// alone decides, nobody does.
    pub(crate) fn starving(self, state: &State) -> Option<Seeker> {
        let pauses = exposure::pauses(state).filter(|pauses| pauses.weighs)?;
        let threshold = match self.guaranteed {
            true => self.threshold,
            false => exposure::threshold(pauses, self.class_rank, 0),
        };
        Some(Seeker { starves: true, threshold, ..self })
    }

    /// Whether there are enough GPUs anywhere, free or to be had, by one of its alternatives.
    pub(crate) fn may_find(&self, state: &State) -> bool {
        let demand = &state.shapes.get(self.shape).demand;
        let root = &state.capacity.topology.domains[ROOT];
        (demand.alternatives.iter().enumerate())
            .filter(|(index, _)| self.allowed >> index & 1 == 1)
            .any(|(_, alternative)| {
                let models = &alternative.models;
                let given = |&model| state.elastic.spare(model) + loan::gpus(state, self.id, model);
                let spare: u64 = models.iter().map(given).sum();
                models.iter().any(|&model| root.exposed.from(model, self.threshold) > 0)
                    && Need::new(state, self, spare).is_within(state, ROOT, models)
            })
    }
}

/// The weight of a class in costs and benefits.
pub(crate) fn price(state: &State, class: crate::dense::ClassId) -> u64 {
    u64::from(state.catalog.class_spec(class).value).max(1)
}

/// Notes that the first of a line has yet to look.
pub(crate) fn note(state: &mut State, head: Option<OrderKey>) {
    if let Some(head) = head {
        state.seekers.insert(head.job);
    }
}

/// Someone in a bucket has become easier to pause: the first of those it could help look again.
pub(crate) fn note_best(state: &mut State, bucket: u16) {
    // What only a guarantee can reclaim helps nobody else, and those come first.
    let others = order::tier(false, 0);
    let heads = state.waiting.heads().map(|(key, _)| key);
    let heads = heads.take_while(|key| bucket > ONLY_RECLAIMED || key.tier < others);
    let heads: Vec<JobId> = heads.map(|key| key.job).take(HEADS_ASKED).collect();
    let could = |state: &State, job: JobId| {
        Seeker::new(state, job)
            .is_some_and(|seeker| seeker.threshold <= bucket && seeker.may_find(state))
    };
    let mut noted: Vec<JobId> = Vec::new();
    for job in heads {
        if rest::may_look(state, job) && could(state, job) {
            noted.push(job);
        }
        if noted.len() == HEADS_NOTED {
            break;
        }
    }
    state.pass_due |= !noted.is_empty();
    state.seekers.extend(noted);
}

/// Lets seekers look, the best first; those left look in the next step.
pub(crate) fn look(state: &mut State) {
    if state.seekers.is_empty() {
        return;
    }
    let noted = std::mem::take(&mut state.seekers);
    let key = |id: &JobId| {
        let line = state.jobs.get(*id)?.line?;
        state.waiting.head_of(line).filter(|head| head.job == *id)
    };
    let mut heads: Vec<OrderKey> = noted.iter().filter_map(key).collect();
    heads.sort_unstable();
    let mut searches = 0;
    let mut heads = heads.into_iter();
    for head in heads.by_ref() {
        if !rest::may_look(state, head.job) {
            continue;
        }
        let Some(seeker) = Seeker::new(state, head.job) else { continue };
        if state.plans.plans.len() >= PLANS_MAX || !seeker.may_find(state) {
            continue;
        }
        searches += 1;
        // Nobody is paused for room that others can spare.
        let line = state.jobs.known(seeker.id).line.expect("a head is in line");
        if !yielding::make_room_for(state, seeker.id, line) {
            let mut judged = Judged::default();
            match together::find(state, &seeker, &mut judged) {
                Some(found) => {
                    let order = start::order_terms(state, seeker.id, false);
                    hold::commit(state, seeker.id, found, order);
                }
                None => rest::begin(state, &seeker, judged.looked),
            }
        }
        if searches == SEARCHES_PER_STEP {
            break;
        }
    }
    let left: Vec<JobId> = heads.map(|head| head.job).collect();
    state.seekers.extend(left);
    // Whoever became the first of a line when another found someone has yet to look as well.
    state.pass_due |= !state.seekers.is_empty();
}
