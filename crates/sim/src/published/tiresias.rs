//! Tiresias with two levels (NSDI '19), as in Lucid's simulator: once a minute, all jobs in order
//! of level and submission are selected as long as their GPUs fit by count; who runs and is not
//! selected is preempted. A job falls to the lower level for good once it has had more than 18,000
//! GPU-seconds. A selected job for which there is no place has used up its count all the same. A
//! job ends a second after its last. Durations are not known.
//!
//! Minutes before which nobody came, ended or fell and nothing changed are skipped: they would
//! find what the minute before found.

use std::collections::BTreeSet;

use super::nodes::{Nodes, Place};
use super::{Outcome, Pool, preemption_cost_s};

/// Seconds between decisions, at round times.
const INTERVAL_S: u64 = 60;

/// GPU-seconds up to which a job is on the upper level.
const UPPER_LEVEL_GPU_S: u64 = 18_000;

pub(super) fn run(pool: &Pool) -> Vec<Outcome> {
    let mut run = Run::new(pool);
    let mut next_s = pool.jobs.first().map(|job| job.submit_s.next_multiple_of(INTERVAL_S));
    // Time goes on with every turn, and all jobs end in bounded time: the first in line is always
    // selected, and a wholly free pool has room for any gang.
    while let Some(now_s) = next_s {
        next_s = run.minute(now_s);
    }
    run.outcomes
}

/// The place in line: level, submission, those who run before those who wait, the turn in which
/// a job got into its list, and the job.
type Rank = (bool, u64, bool, u64, usize);

struct Run<'p> {
    pool: &'p Pool,
    nodes: Nodes,
    line: BTreeSet<Rank>,
    /// Who runs, by the end.
    running: BTreeSet<(u64, usize)>,
    /// Who runs on the upper level, by when they fall.
    falls: BTreeSet<(u64, usize)>,
    states: Vec<State>,
    outcomes: Vec<Outcome>,
    come: usize,
    turn: u64,
}

/// How far a job is.
#[derive(Clone, Debug, Default)]
struct State {
    rank: Rank,
    place: Place,
    /// When it began to wait, or to run.
    since_s: u64,
    end_s: u64,
    /// When it falls, if it runs on till then.
    fall_s: u64,
    /// Seconds of work left when it began to wait.
    left_s: u64,
    /// GPU-seconds it had when it began to run.
    served: u64,
    /// The minute in which it was last selected.
    selected_s: u64,
}

impl Run<'_> {
    fn new(pool: &Pool) -> Run<'_> {
        Run {
            pool,
            nodes: Nodes::new(pool),
            line: BTreeSet::new(),
            running: BTreeSet::new(),
            falls: BTreeSet::new(),
            states: vec![State::default(); pool.jobs.len()],
            outcomes: vec![Outcome::default(); pool.jobs.len()],
            come: 0,
            turn: 0,
        }
    }

    /// What has happened up to a minute and what is decided in it; the next one to look at.
    fn minute(&mut self, now_s: u64) -> Option<u64> {
        self.end(now_s);
        self.arrive(now_s);
        self.fall(now_s);
        let (starts, stops) = self.select(now_s);
        let mut changed = !stops.is_empty();
        for rank in stops {
            self.preempt(rank.4, now_s);
        }
        for job in starts {
            changed |= self.start(job, now_s);
        }
        if changed {
            return Some(now_s + INTERVAL_S);
        }
        let comes = self.pool.jobs.get(self.come).map(|job| job.submit_s);
        let ends = self.running.first().map(|(end_s, _)| *end_s);
        let falls = self.falls.first().map(|(fall_s, _)| *fall_s);
        let next_s = comes.into_iter().chain(ends).chain(falls).min()?;
        Some(next_s.next_multiple_of(INTERVAL_S))
    }

    fn end(&mut self, now_s: u64) {
        while let Some(&(end_s, job)) = self.running.first()
            && end_s <= now_s
        {
            self.stop_running(job);
            self.line.remove(&self.states[job].rank);
            self.outcomes[job].jct_s = end_s - self.pool.jobs[job].submit_s;
        }
    }

    fn arrive(&mut self, now_s: u64) {
        while let Some(job) = self.pool.jobs.get(self.come)
            && job.submit_s <= now_s
        {
            self.turn += 1;
            let rank = (false, job.submit_s, true, self.turn, self.come);
            let (since_s, left_s) = (job.submit_s, job.duration_s);
            self.states[self.come] = State { rank, since_s, left_s, ..State::default() };
            self.line.insert(rank);
            self.come += 1;
        }
    }

    fn fall(&mut self, now_s: u64) {
        while let Some(&(fall_s, job)) = self.falls.first()
            && fall_s <= now_s
        {
            self.falls.pop_first();
            let rank = self.states[job].rank;
            self.line_up(job, (true, rank.1, rank.2, rank.3, rank.4));
        }
    }

    /// Who is to start and who is to stop, by count alone.
    fn select(&mut self, now_s: u64) -> (Vec<usize>, Vec<Rank>) {
        let mut starts = Vec::new();
        let mut quota = self.pool.gpus();
        for &(.., waits, _, job) in &self.line {
            let gpus = u64::from(self.pool.jobs[job].gpus);
            if gpus > quota {
                continue;
            }
            quota -= gpus;
            self.states[job].selected_s = now_s;
            if waits {
                starts.push(job);
            }
            if quota == 0 {
                break;
            }
        }
        let states = &self.states;
        let running = self.running.iter().map(|(_, job)| &states[*job]);
        let not_selected = running.filter(|state| state.selected_s != now_s);
        let mut stops: Vec<Rank> = not_selected.map(|state| state.rank).collect();
        stops.sort_unstable();
        (starts, stops)
    }

    fn start(&mut self, job: usize, now_s: u64) -> bool {
        let gpus = self.pool.jobs[job].gpus;
        let Some(place) = self.nodes.take(gpus) else { return false };
        let state = &mut self.states[job];
        self.outcomes[job].starts(now_s - state.since_s);
        (state.since_s, state.place) = (now_s, place);
        state.end_s = now_s + state.left_s + 1;
        self.running.insert((state.end_s, job));
        if state.served <= UPPER_LEVEL_GPU_S {
            let upper_s = (UPPER_LEVEL_GPU_S - state.served) / u64::from(gpus);
            state.fall_s = now_s + upper_s + 1;
            self.falls.insert((state.fall_s, job));
        }
        self.turn += 1;
        let rank = (state.rank.0, state.rank.1, false, self.turn, job);
        self.line_up(job, rank);
        true
    }

    fn preempt(&mut self, job: usize, now_s: u64) {
        self.stop_running(job);
        let gpus = self.pool.jobs[job].gpus;
        let state = &mut self.states[job];
        state.served += u64::from(gpus) * (now_s - state.since_s);
        state.left_s = state.end_s - 1 - now_s + preemption_cost_s(gpus);
        state.since_s = now_s;
        self.outcomes[job].preemptions += 1;
        self.turn += 1;
        let rank = (state.rank.0, state.rank.1, true, self.turn, job);
        self.line_up(job, rank);
    }

    fn stop_running(&mut self, job: usize) {
        let State { end_s, fall_s, place, .. } = &self.states[job];
        self.nodes.give(place);
        self.running.remove(&(*end_s, job));
        self.falls.remove(&(*fall_s, job));
    }

    fn line_up(&mut self, job: usize, rank: Rank) {
        self.line.remove(&self.states[job].rank);
        self.states[job].rank = rank;
        self.line.insert(rank);
    }
}
