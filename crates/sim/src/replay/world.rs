//! The virtual cluster of a replay and its clock, which jumps to whatever comes next: an event, a
//! submission, or a moment the engine asked to be woken at.

use muster_engine::action::Action;
use muster_engine::command::Command;
use muster_model::{Estimate, Millis, Time};
use muster_predict::{Key, Prediction, Predictor};
use muster_trace::{Cluster, Job, Trace};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::agenda::Agenda;
use super::demand::demand;
use super::live::Live;
use super::pool::{self, Pool};
use super::promise::Promises;
use super::rough;
use super::rules::Knowledge;
use super::series::Recorder;
use super::{Options, Progress, Record, Replayed};
use crate::error::SimError;

/// The engine is woken so often without anything else happening, and then is taken to be idle: what
/// still waits fits nowhere.
const WAKES_MAX: u64 = 1_000_000;

/// Progress is told whenever so many more jobs have ended.
const TOLD_EVERY: usize = 100;

/// A cluster in the middle of a trace.
#[derive(Debug)]
pub(super) struct World<'a> {
    pub(super) options: &'a Options,
    jobs: &'a [Job],
    pub(super) pools: Vec<Pool>,
    pub(super) agenda: Agenda,
    pub(super) now: Time,
    pub(super) chance: ChaCha8Rng,
    predictor: Predictor,
    pub(super) records: Vec<Record>,
    refused: Vec<(usize, String)>,
    /// Jobs submitted so far, and jobs that are over.
    submitted: usize,
    pub(super) ended: usize,
    first: Time,
    /// When the last job ended.
    pub(super) last_end: Time,
    /// What jobs were told, where they ask.
    pub(super) promises: Option<Promises>,
    /// Follows how full the cluster is, where that is wanted.
    pub(super) recorder: Option<Box<Recorder>>,
}

/// What happens next.
enum Next {
    Event,
    Submit,
    Wake(usize),
}

impl<'a> World<'a> {
    pub(super) fn new(
        trace: &'a Trace,
        cluster: &Cluster,
        options: &'a Options,
    ) -> Result<World<'a>, SimError> {
        let first = trace.span().map_or(Time(0), |(first, _)| first);
        let longest = trace.jobs.iter().map(|job| job.duration).max().unwrap_or(Millis::ZERO);
        let mut world = World {
            options,
            jobs: &trace.jobs,
            pools: pool::pools(cluster, options, longest, first)?,
            agenda: Agenda::default(),
            now: first,
            chance: ChaCha8Rng::seed_from_u64(options.seed),
            predictor: Predictor::default(),
            records: Vec::with_capacity(trace.jobs.len()),
            refused: Vec::new(),
            submitted: 0,
            ended: 0,
            first,
            last_end: first,
            promises: options.promises.then(Promises::default),
            recorder: None,
        };
        if options.series {
            let pools = world.pools.iter().map(|pool| pool.sizes.as_slice());
            world.recorder = Some(Box::new(Recorder::new(first, pools)));
        }
        world.plan_breaks();
        Ok(world)
    }

    pub(super) fn run(mut self, mut progress: impl FnMut(Progress)) -> Result<Replayed, SimError> {
        let jobs = self.jobs.len();
        let (mut told, mut wakes) = (0, 0);
        let stop = self.options.until.map(|span| self.first + span);
        while let Some((at, next)) = self.next() {
            let is_over = self.submitted == jobs && self.ended == self.records.len();
            if is_over || stop.is_some_and(|stop| at > stop) || wakes > WAKES_MAX {
                break;
            }
            self.now = self.now.max(at);
            wakes = if matches!(next, Next::Wake(_)) { wakes + 1 } else { 0 };
            match next {
                Next::Event => self.happen()?,
                Next::Submit => self.submit()?,
                Next::Wake(pool) => self.tell(pool, Command::Tick)?,
            }
            if self.ended >= told + TOLD_EVERY {
                told = self.ended;
                progress(Progress { ended: self.ended, jobs });
            }
        }
        Ok(self.finish(stop))
    }

    /// Whatever comes first; at one moment what happens, then who submits, then the engine's wakes,
    /// so that it decides on all it can know.
    fn next(&self) -> Option<(Time, Next)> {
        let event = self.agenda.next_at().map(|at| (at, 0, Next::Event));
        let submit = self.jobs.get(self.submitted);
        let submit = submit.map(|job| (self.submit_time(job), 1, Next::Submit));
        let wakes = self.pools.iter().enumerate();
        let wake = wakes.filter_map(|(pool, state)| Some((state.wake?, pool))).min();
        let wake = wake.map(|(at, pool)| (at.max(self.now), 2, Next::Wake(pool)));
        let all = [event, submit, wake].into_iter().flatten();
        all.min_by_key(|(at, turn, _)| (*at, *turn)).map(|(at, _, next)| (at, next))
    }

    /// When a job is submitted, by how much faster all come than they were recorded.
    fn submit_time(&self, job: &Job) -> Time {
        let since = u128::from(job.submit.since(self.first).0) * 1_000;
        let since = since / u128::from(self.options.scale_milli.max(1));
        self.first + Millis(u64::try_from(since).unwrap_or(u64::MAX))
    }

    /// Someone submits the next job of the trace.
    fn submit(&mut self) -> Result<(), SimError> {
        let index = self.submitted;
        let job = &self.jobs[index];
        self.submitted += 1;
        let found = self.pools.iter().position(|pool| match (&pool.name, &job.pool) {
            (Some(name), Some(wanted)) => name == wanted,
            (Some(_), None) => self.pools.len() == 1,
            (None, _) => true,
        });
        let Some(pool) = found else {
            let wanted = job.pool.as_deref().unwrap_or("none");
            self.refused.push((index, format!("the cluster has no pool {wanted}")));
            return Ok(());
        };
        let target = &mut self.pools[pool];
        if job.gpus.milli().0 > target.gpus * 1_000 {
            let gpus = job.gpus.milli().0 / 1_000;
            self.refused.push((index, format!("{gpus} GPUs of {}", target.gpus)));
            return Ok(());
        }
        let mut spec = demand(job, target.node_gpus, self.options);
        let prediction = match self.options.rules.knowledge {
            Knowledge::Predicted => Some(self.predictor.predict(&key(job))),
            Knowledge::Exact | Knowledge::Rough(_) | Knowledge::Nothing => None,
        };
        let exact =
            Estimate { median: job.duration.max(Millis(1)), p90: job.duration.max(Millis(1)) };
        spec.timing.estimate = match self.options.rules.knowledge {
            Knowledge::Exact => Some(exact),
            Knowledge::Rough(sigma) => {
                Some(rough::estimate(job.duration, sigma, (self.options.seed, index)))
            }
            _ => prediction.map(|prediction: Prediction| prediction.estimate),
        };
        let (record, now) = (self.records.len(), self.now);
        let live = |spec: &muster_model::JobSpec| {
            let mut live = Live::new(index, record, spec, job.duration);
            (live.prediction, live.since) = (prediction, now);
            live
        };
        match target.submit(now, spec, live)? {
            Ok(actions) => {
                let record = new_record(job, pool, now);
                if let Some(recorder) = &mut self.recorder {
                    recorder.submitted(now, &record);
                }
                self.records.push(record);
                self.carry_out(pool, &actions);
                if let Some(Action::Accepted { job, .. }) = actions.first() {
                    self.ask(pool, *job);
                }
            }
            Err(why) => self.refused.push((index, why)),
        }
        Ok(())
    }

    /// Tells an engine something, and carries out what follows.
    pub(super) fn tell(&mut self, pool: usize, command: Command) -> Result<(), SimError> {
        let actions = self.pools[pool].step(self.now, command)?;
        self.carry_out(pool, &actions);
        Ok(())
    }

    /// A job gives up its GPUs: it is longer than what it has run.
    pub(super) fn outlasts(&mut self, pool: usize, id: muster_model::JobId) {
        if self.options.rules.knowledge != Knowledge::Predicted {
            return;
        }
        let now = self.now;
        let Some(live) = self.pools[pool].live(id) else { return };
        let job = &self.jobs[live.index];
        let attained = job.duration.saturating_sub(live.left_at(now));
        self.predictor.reach(&key(job), &mut live.counted, attained);
    }

    /// A job has ended: what it took is known from now on.
    pub(super) fn learn(&mut self, live: &Live) {
        let job = &self.jobs[live.index];
        if self.options.rules.knowledge == Knowledge::Predicted {
            let known = (live.prediction, live.counted);
            self.predictor.learn(&key(job), known, job.duration);
        }
    }

    fn finish(mut self, stop: Option<Time>) -> Replayed {
        let is_cut = self.ended < self.records.len();
        let ended = match stop.filter(|_| is_cut) {
            Some(stop) => stop.max(self.last_end),
            None if is_cut => self.now,
            None => self.last_end,
        };
        self.now = ended;
        self.count_what_goes_on();
        self.judge_who_waits();
        let series = self.recorder.map(|recorder| recorder.finish(ended, &self.records));
        Replayed {
            records: self.records,
            refused: self.refused,
            gpus: self.pools.iter().map(|pool| pool.gpus).collect(),
            first: self.first,
            ended,
            steps: self.pools.iter().map(|pool| pool.steps).sum(),
            coverage: self.predictor.coverage(),
            promises: self.promises,
            series,
        }
    }
}

fn new_record(job: &Job, pool: usize, now: Time) -> Record {
    Record {
        pool,
        submit: now,
        duration: job.duration,
        milli: job.gpus.milli().0,
        // As long after its submission as it was recorded.
        deadline: job.deadline.map(|deadline| now + deadline.since(job.submit)),
        start: None,
        end: None,
        waited: Millis::ZERO,
        gap: Millis::ZERO,
        held: Millis::ZERO,
        slowed: Millis::ZERO,
        pauses: 0,
    }
}

/// What the predictor may know of a job.
fn key(job: &Job) -> Key<'_> {
    Key {
        // Where nobody is named, those of one pool are most alike.
        user: job.user.as_deref().or(job.pool.as_deref()),
        name: job.name.as_deref(),
        gpus: u32::try_from(job.gpus.milli().0.div_ceil(1_000)).unwrap_or(u32::MAX),
    }
}
