//! Shortest remaining time first, as in Lucid's simulator: every second, all jobs in order of the
//! time they still need, those that wait before those that run among equals, are selected as long
//! as their GPUs fit by count; who runs and is not selected is preempted. A selected job for which
//! there is no place has used up its count all the same. A job ends a second after its last.
//!
//! In a second in which nobody comes, ends, or overtakes another in that order, the selection is
//! the one of the second before, and what found no place finds none again: such seconds are
//! skipped.

use std::collections::BTreeSet;

use super::nodes::{Nodes, Place};
use super::{Outcome, Pool, preemption_cost_s};

pub(super) fn run(pool: &Pool) -> Vec<Outcome> {
    let mut run = Run::new(pool);
    // Time goes on with every turn, and all jobs end in bounded time: who needs the least is
    // always selected, and a wholly free pool has room for any gang.
    while let Some(now_s) = run.next_s {
        run.next_s = run.second(now_s);
    }
    run.outcomes
}

/// A time in seconds, the turn in which a job got into its list, and the job.
type Entry = (u64, u64, usize);

struct Run<'p> {
    pool: &'p Pool,
    nodes: Nodes,
    /// Who waits, by the time still needed.
    waiting: BTreeSet<Entry>,
    /// Who runs, by the end: a second after the time still needed.
    running: BTreeSet<Entry>,
    places: Vec<Place>,
    waits_since_s: Vec<u64>,
    outcomes: Vec<Outcome>,
    come: usize,
    turn: u64,
    next_s: Option<u64>,
}

impl Run<'_> {
    fn new(pool: &Pool) -> Run<'_> {
        Run {
            pool,
            nodes: Nodes::new(pool),
            waiting: BTreeSet::new(),
            running: BTreeSet::new(),
            places: vec![Place::new(); pool.jobs.len()],
            waits_since_s: pool.jobs.iter().map(|job| job.submit_s).collect(),
            outcomes: vec![Outcome::default(); pool.jobs.len()],
            come: 0,
            turn: 0,
            next_s: pool.jobs.first().map(|job| job.submit_s),
        }
    }

    /// What happens in a second, and the next second in which anything can.
    fn second(&mut self, now_s: u64) -> Option<u64> {
        self.end(now_s);
        self.arrive(now_s);
        let (starts, stops) = self.select(now_s);
        for &(end_s, turn, job) in &stops {
            self.running.remove(&(end_s, turn, job));
            self.preempt(job, end_s - 1 - now_s, now_s);
        }
        let mut changed = !stops.is_empty();
        for (left_s, turn, job) in starts {
            let Some(place) = self.nodes.take(self.pool.jobs[job].gpus) else { continue };
            changed = true;
            self.waiting.remove(&(left_s, turn, job));
            self.turn += 1;
            self.running.insert((now_s + left_s + 1, self.turn, job));
            self.places[job] = place;
            self.outcomes[job].starts(now_s - self.waits_since_s[job]);
        }
        if changed { Some(now_s + 1) } else { self.next_change(now_s) }
    }

    fn end(&mut self, now_s: u64) {
        while let Some(&(end_s, _, job)) = self.running.first()
            && end_s == now_s
        {
            self.running.pop_first();
            self.nodes.give(&self.places[job]);
            self.outcomes[job].jct_s = now_s - self.pool.jobs[job].submit_s;
        }
    }

    fn arrive(&mut self, now_s: u64) {
        while let Some(job) = self.pool.jobs.get(self.come)
            && job.submit_s == now_s
        {
            self.turn += 1;
            self.waiting.insert((job.duration_s, self.turn, self.come));
            self.come += 1;
        }
    }

    /// Who is to start and who is to stop, by count alone.
    fn select(&self, now_s: u64) -> (Vec<Entry>, Vec<Entry>) {
        let (mut starts, mut stops) = (Vec::new(), Vec::new());
        let mut quota = self.pool.gpus();
        let mut waiting = self.waiting.iter().peekable();
        let mut running = self.running.iter().peekable();
        while quota > 0 {
            let left_s = running.peek().map(|(end_s, ..)| end_s - 1 - now_s);
            let waits_first = match (waiting.peek(), left_s) {
                (Some((waiting_s, ..)), Some(left_s)) => *waiting_s <= left_s,
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => break,
            };
            let list = if waits_first { &mut waiting } else { &mut running };
            let entry = *list.next().expect("it was just looked at");
            let gpus = u64::from(self.pool.jobs[entry.2].gpus);
            match (gpus <= quota, waits_first) {
                (true, true) => starts.push(entry),
                (false, false) => stops.push(entry),
                _ => {}
            }
            if gpus <= quota {
                quota -= gpus;
            }
        }
        stops.extend(running);
        (starts, stops)
    }

    fn preempt(&mut self, job: usize, left_s: u64, now_s: u64) {
        self.nodes.give(&self.places[job]);
        self.outcomes[job].preemptions += 1;
        self.waits_since_s[job] = now_s;
        let left_s = left_s + preemption_cost_s(self.pool.jobs[job].gpus);
        self.turn += 1;
        self.waiting.insert((left_s, self.turn, job));
    }

    /// The next second in which someone comes, ends, or overtakes someone who waits.
    fn next_change(&self, now_s: u64) -> Option<u64> {
        let comes = self.pool.jobs.get(self.come).map(|job| job.submit_s);
        let ends = self.running.first().map(|(end_s, ..)| *end_s);
        comes.into_iter().chain(ends).chain(self.next_overtaking(now_s)).min()
    }

    fn next_overtaking(&self, now_s: u64) -> Option<u64> {
        let mut waiting = self.waiting.iter().map(|(left_s, ..)| *left_s).peekable();
        let mut ahead: Option<u64> = None;
        let mut soonest: Option<u64> = None;
        for (end_s, ..) in &self.running {
            let left_s = end_s - 1 - now_s;
            while let Some(next_s) = waiting.next_if(|next_s| *next_s <= left_s) {
                ahead = Some(next_s);
            }
            // It is before the other once it needs less, for equals are ordered the other way.
            if let Some(ahead_s) = ahead {
                let at_s = now_s + (left_s - ahead_s) + 1;
                soonest = Some(soonest.map_or(at_s, |soonest_s| soonest_s.min(at_s)));
            }
        }
        soonest
    }
}
