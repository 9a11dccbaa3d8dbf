//! The preemptive rules once more, second by second and list by list as they were published, with
//! nothing skipped and nothing indexed.

use crate::published::nodes::{Nodes, Place};
use crate::published::{Outcome, Pool, preemption_cost_s};

struct Run<'p> {
    pool: &'p Pool,
    nodes: Nodes,
    waiting: Vec<usize>,
    running: Vec<usize>,
    left_s: Vec<u64>,
    served: Vec<u64>,
    since_s: Vec<u64>,
    places: Vec<Place>,
    outcomes: Vec<Outcome>,
}

pub(super) fn srtf(pool: &Pool) -> Vec<Outcome> {
    run(pool, |run, _| {
        let mut line = [run.waiting.clone(), run.running.clone()].concat();
        line.sort_by_key(|&job| run.left_s[job]);
        Some(line)
    })
}

pub(super) fn tiresias(pool: &Pool) -> Vec<Outcome> {
    run(pool, |run, now_s| {
        let mut line = [run.running.clone(), run.waiting.clone()].concat();
        line.sort_by_key(|&job| (run.served[job] > 18_000, run.pool.jobs[job].submit_s));
        now_s.is_multiple_of(60).then_some(line)
    })
}

fn run(pool: &Pool, order: impl Fn(&Run<'_>, u64) -> Option<Vec<usize>>) -> Vec<Outcome> {
    let count = pool.jobs.len();
    let mut run = Run {
        pool,
        nodes: Nodes::new(pool),
        waiting: Vec::new(),
        running: Vec::new(),
        left_s: pool.jobs.iter().map(|job| job.duration_s).collect(),
        served: vec![0; count],
        since_s: pool.jobs.iter().map(|job| job.submit_s).collect(),
        places: vec![Place::new(); count],
        outcomes: vec![Outcome::default(); count],
    };
    let mut over = 0;
    for now_s in pool.jobs[0].submit_s.. {
        over += run.tick(now_s);
        run.waiting.extend((0..count).filter(|&job| pool.jobs[job].submit_s == now_s));
        if let Some(line) = order(&run, now_s) {
            run.decide(now_s, &line);
        }
        if over == count {
            break;
        }
    }
    run.outcomes
}

impl Run<'_> {
    fn tick(&mut self, now_s: u64) -> usize {
        let mut over = 0;
        for job in self.running.clone() {
            if self.left_s[job] == 0 {
                over += 1;
                self.outcomes[job].jct_s = now_s - self.pool.jobs[job].submit_s;
                self.nodes.give(&self.places[job]);
                self.running.retain(|other| *other != job);
            } else {
                self.left_s[job] -= 1;
                self.served[job] += u64::from(self.pool.jobs[job].gpus);
            }
        }
        over
    }

    fn decide(&mut self, now_s: u64, line: &[usize]) {
        let mut quota = self.pool.gpus();
        let (mut starts, mut stops) = (Vec::new(), Vec::new());
        for &job in line {
            let gpus = u64::from(self.pool.jobs[job].gpus);
            let runs = self.running.contains(&job);
            if gpus <= quota {
                quota -= gpus;
                starts.extend((!runs).then_some(job));
            } else {
                stops.extend(runs.then_some(job));
            }
        }
        for job in stops {
            self.outcomes[job].preemptions += 1;
            self.left_s[job] += preemption_cost_s(self.pool.jobs[job].gpus);
            self.since_s[job] = now_s;
            self.nodes.give(&self.places[job]);
            self.running.retain(|other| *other != job);
            self.waiting.push(job);
        }
        for job in starts {
            let Some(place) = self.nodes.take(self.pool.jobs[job].gpus) else { continue };
            self.places[job] = place;
            self.outcomes[job].starts(now_s - self.since_s[job]);
            self.waiting.retain(|other| *other != job);
            self.running.push(job);
        }
    }
}
