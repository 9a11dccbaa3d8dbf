//! A host and a server to play against: both keep the truth, and what is lost is lost between them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use muster_api::Runs;
use muster_api::duty::{Duty, Work};
use muster_api::report::Report;
use muster_engine::action::TaskPlace;
use muster_engine::command::{Exit, Refusal, Running};

use super::stage::{LEASE_MS, done, of, run, stop, work_in};
use crate::mind::{Found, FoundTask, Happening, Heard, Mind, Order};

/// A task as the machine has it, whatever the agent knows.
#[derive(Clone, Debug)]
pub(super) struct Truth {
    place: TaskPlace,
    together: Vec<u32>,
    is_growth: bool,
    is_held: bool,
    exit: Option<Exit>,
    has_left: bool,
}

/// Everything that is true.
#[derive(Debug)]
pub(super) struct World {
    pub(super) now_ms: u64,
    pub(super) mind: Mind,
    /// What runs or has run, by attempt and rank.
    tasks: BTreeMap<(Running, u32), Truth>,
    /// Launches that the host is at.
    launches: VecDeque<(Running, u32, Truth)>,
    /// What the host has yet to tell the mind.
    happenings: VecDeque<Happening>,
    lease_ms: u64,
    session: u64,
    version: u64,
    wanted: BTreeMap<Running, Duty>,
    /// Every line that was ever sent in this session.
    lines: Vec<(u64, Vec<Duty>)>,
    /// The newest attempt of each job.
    newest: BTreeMap<u64, u32>,
    /// Attempts that were asked for, and those whose end was heard.
    pub(super) asked: BTreeSet<Running>,
    pub(super) heard_ends: BTreeSet<Running>,
}

impl World {
    pub(super) fn new() -> World {
        let mut world = World {
            now_ms: 0,
            mind: Mind::new(0, Vec::new(), 0),
            tasks: BTreeMap::new(),
            launches: VecDeque::new(),
            happenings: VecDeque::new(),
            lease_ms: 0,
            session: 0,
            version: 0,
            wanted: BTreeMap::new(),
            lines: Vec::new(),
            newest: BTreeMap::new(),
            asked: BTreeSet::new(),
            heard_ends: BTreeSet::new(),
        };
        world.announce();
        world
    }

    /// The agent announces itself: what it says is heard, and the session is new.
    pub(super) fn announce(&mut self) {
        self.mind.session_lost();
        let said = self.mind.announcement();
        for report in &said.reports {
            self.hear(report);
        }
        // The engine stops what runs and should not, and gives up what does not and should.
        self.session += 1;
        self.lines.clear();
        self.mind.granted(self.session, self.now_ms, LEASE_MS, said.reports.len());
        self.carry_out();
    }

    /// Some reports arrive; the answer may get lost, and then the same come again.
    pub(super) fn report(&mut self, most: usize, is_answered: bool) {
        let (first, reports) = self.mind.reports(most);
        for report in &reports {
            self.hear(report);
        }
        let next = first + u64::try_from(reports.len()).unwrap();
        if is_answered {
            self.mind.acknowledged(self.session, next, self.now_ms, LEASE_MS);
            self.carry_out();
        }
    }

    fn hear(&mut self, report: &Report) {
        let of = match report {
            Report::Ended { of, .. } | Report::Refused { of, .. } => of,
            Report::Resized { of, resize } if self.is_empty(*of, *resize) => of,
            _ => return,
        };
        self.heard_ends.insert(*of);
        if self.wanted.remove(of).is_some() {
            self.version += 1;
            let line = (self.version, vec![done(*of, self.version)]);
            self.lines.push(line);
        }
    }

    /// The server wants a new attempt of a job; an older one is to end.
    pub(super) fn want(&mut self, job: u64, tasks: u32, runs: Runs) {
        let attempt = self.newest.get(&job).copied().unwrap_or(0) + 1;
        self.newest.insert(job, attempt);
        for before in 1..attempt {
            self.stop(of(job, before), 0);
        }
        let ranks: Vec<u32> = (0..tasks).collect();
        self.version += 1;
        let duty = run(of(job, attempt), self.version, work_in(runs, &ranks));
        self.asked.insert(of(job, attempt));
        self.set(of(job, attempt), duty);
    }

    /// The server wants the newest attempt of a job to end.
    pub(super) fn stop_newest(&mut self, job: u64, grace_ms: u64) {
        if let Some(attempt) = self.newest.get(&job) {
            self.stop(of(job, *attempt), grace_ms);
        }
    }

    /// The server wants the newest attempt of a job to have another size.
    pub(super) fn resize(&mut self, job: u64, tasks: u32) {
        let Some(attempt) = self.newest.get(&job) else { return };
        let of = of(job, *attempt);
        let Some(Work::Run(before)) = self.wanted.get(&of).map(|duty| duty.work.clone()) else {
            return;
        };
        let mut work = work_in(before.program.runs, &(0..tasks).collect::<Vec<u32>>());
        work.resize = Some(before.resize.unwrap_or(0) + 1);
        self.version += 1;
        let duty = run(of, self.version, work);
        self.set(of, duty);
    }

    /// Whether a resize asked for no tasks at all.
    fn is_empty(&self, of: Running, number: u32) -> bool {
        self.wanted.get(&of).is_some_and(|duty| {
            matches!(&duty.work, Work::Run(run)
                if run.tasks.is_empty() && run.resize == Some(number))
        })
    }

    fn stop(&mut self, of: Running, grace_ms: u64) {
        let is_run = |duty: &Duty| matches!(duty.work, Work::Run(_));
        if self.wanted.get(&of).is_some_and(is_run) {
            self.version += 1;
            let duty = stop(of, self.version, grace_ms);
            self.set(of, duty);
        }
    }

    fn set(&mut self, of: Running, duty: Duty) {
        self.lines.push((self.version, vec![duty.clone()]));
        self.wanted.insert(of, duty);
    }

    /// Any line of this session arrives, be it the first time or not.
    pub(super) fn deliver(&mut self, which: usize) {
        if let Some((version, duties)) = self.lines.get(which % self.lines.len().max(1)) {
            self.mind.hear(self.now_ms, self.session, *version, false, duties);
            self.carry_out();
        }
    }

    pub(super) fn deliver_all(&mut self) {
        let duties: Vec<Duty> = self.wanted.values().cloned().collect();
        self.mind.hear(self.now_ms, self.session, self.version, true, &duties);
        self.carry_out();
    }

    pub(super) fn pass(&mut self, ms: u64) {
        self.now_ms += ms;
        self.mind.tick(self.now_ms);
        self.carry_out();
        self.check();
    }

    /// The host gets on with a launch: it works, or is refused.
    pub(super) fn launch(&mut self, works: bool) {
        let Some((of, rank, truth)) = self.launches.pop_front() else { return };
        // A launcher looks at the lease by itself.
        if works && self.now_ms < self.lease_ms {
            let beside = self.tasks.iter().find(|((other, _), task)| {
                other.job == of.job && *other != of && task.exit.is_none()
            });
            assert!(beside.is_none(), "{of:?} is launched beside {beside:?}");
            let was = self.tasks.insert((of, rank), truth);
            let is_new = was.as_ref().is_none_or(|was| was.has_left);
            assert!(is_new, "task {rank} of {of:?} is launched twice: {was:?}");
            self.happenings.push_back(Happening::Launched { of, rank });
        } else {
            let refusal = Refusal::Node("disk-failed".into());
            let detail = String::new();
            self.happenings.push_back(Happening::NotLaunched { of, rank, refusal, detail });
        }
    }

    /// A task comes to its own end.
    pub(super) fn end(&mut self, which: usize, exit: Exit) {
        let has_program = |key: &(Running, u32)| !self.tasks[key].is_held;
        let alive: Vec<(Running, u32)> = self.alive().filter(has_program).collect();
        if !alive.is_empty() {
            self.end_task(alive[which % alive.len()], exit);
        }
    }

    fn end_task(&mut self, (of, rank): (Running, u32), exit: Exit) {
        if let Some(task) = self.tasks.get_mut(&(of, rank)).filter(|task| task.exit.is_none()) {
            task.exit = Some(exit);
            self.happenings.push_back(Happening::Ended { of, rank, exit });
        }
    }

    /// The mind hears the next thing that happened.
    pub(super) fn tell(&mut self) {
        if let Some(happening) = self.happenings.pop_front() {
            self.mind.happened(self.now_ms, happening);
            self.carry_out();
        }
    }

    /// The agent dies and comes back with what it finds. What the host was about to say is lost,
    /// launches it was at are done or never were.
    pub(super) fn restart(&mut self, works: bool) {
        while !self.launches.is_empty() {
            self.launch(works);
        }
        self.happenings.clear();
        let mut attempts: BTreeMap<Running, Vec<(u32, Truth)>> = BTreeMap::new();
        for ((of, rank), truth) in &self.tasks {
            attempts.entry(*of).or_default().push((*rank, truth.clone()));
        }
        let found = attempts.into_iter().map(|(of, tasks)| {
            let is_there = |rank: &u32| tasks.iter().any(|(known, _)| known == rank);
            let is_whole = tasks.iter().any(|(_, truth)| truth.is_growth)
                || tasks.iter().all(|(_, truth)| truth.together.iter().all(is_there));
            let here = tasks.iter().filter(|(_, truth)| !truth.has_left);
            let tasks = here.map(|(rank, truth)| FoundTask {
                rank: *rank,
                place: truth.place,
                is_held: truth.is_held,
                exit: truth.exit,
            });
            Found {
                of,
                tasks: tasks.collect(),
                is_whole,
                heard: Heard::default(),
                steps: Vec::new(),
            }
        });
        self.mind = Mind::new(self.now_ms, found.collect(), self.lease_ms);
        self.carry_out();
        self.announce();
    }

    /// Carries out orders as a host does: at once, but for launches.
    fn carry_out(&mut self) {
        for order in self.mind.take_orders() {
            match order {
                Order::Launch { of, run, tasks, is_growth } => {
                    let together: Vec<u32> = tasks.iter().map(|task| task.rank).collect();
                    for task in tasks {
                        let together = together.clone();
                        let (place, exit, has_left) = (task.place, None, false);
                        let is_held = run.program.runs.holds(task.rank);
                        let truth = Truth { place, together, is_growth, is_held, exit, has_left };
                        self.launches.push_back((of, task.rank, truth));
                    }
                }
                // Its first task hears it and goes on.
                Order::SignalFirst { of, .. } => self.check_processes(of, &[0]),
                // Odd tasks do not care to be asked.
                Order::Signal { of, ranks, signal } => {
                    self.check_processes(of, &ranks);
                    let polite = ranks.into_iter().filter(|rank| rank % 2 == 0);
                    polite.for_each(|rank| self.end_task((of, rank), Exit::Signal(signal)));
                }
                Order::Release { of, ranks } => {
                    ranks.into_iter().for_each(|rank| self.end_task((of, rank), Exit::Code(0)));
                }
                Order::Kill { of, ranks } => {
                    self.check_processes(of, &ranks);
                    ranks.into_iter().for_each(|rank| self.end_task((of, rank), Exit::Signal(9)));
                }
                // Nobody starts steps in this world.
                Order::Explain { .. }
                | Order::LaunchStep { .. }
                | Order::SignalStep { .. }
                | Order::RememberStep { .. }
                | Order::ForgetStep { .. } => {}
                Order::Left { of, rank } => {
                    let task = self.tasks.get_mut(&(of, rank));
                    task.expect("it was there").has_left = true;
                }
                Order::Finish { of } => self.happenings.push_back(Happening::Finished { of }),
                Order::Forget { of } => {
                    assert!(self.alive().all(|(other, _)| other != of), "{of:?} still runs");
                    self.tasks.retain(|(known, _), _| *known != of);
                }
                Order::Lease { until_ms } => self.lease_ms = until_ms,
                Order::GiveUp { .. } | Order::Remember { .. } => {}
            }
        }
    }

    /// Only processes can be signalled.
    fn check_processes(&self, of: Running, ranks: &[u32]) {
        let is_held = |rank: &&u32| self.tasks.get(&(of, **rank)).is_some_and(|it| it.is_held);
        assert_eq!(ranks.iter().find(is_held), None, "a held place of {of:?} is signalled");
    }

    /// What runs.
    pub(super) fn alive(&self) -> impl Iterator<Item = (Running, u32)> {
        self.tasks.iter().filter(|(_, task)| task.exit.is_none()).map(|(key, _)| *key)
    }

    /// What must hold at any moment after the mind has looked at the clock.
    fn check(&self) {
        if self.now_ms >= self.lease_ms {
            // What came up in this very moment is forced as soon as that is heard.
            let unheard = |(of, rank): &(Running, u32)| {
                self.happenings.contains(&Happening::Launched { of: *of, rank: *rank })
            };
            let left: Vec<(Running, u32)> = self.alive().filter(|key| !unheard(key)).collect();
            assert_eq!(left, [], "tasks after the end of the lease");
        }
    }

    /// Nothing is lost any more: both sides talk until neither has anything to say.
    pub(super) fn settle(&mut self) {
        self.announce();
        for _ in 0..200 {
            self.deliver_all();
            while !(self.launches.is_empty() && self.happenings.is_empty()) {
                self.launch(true);
                self.tell();
            }
            self.report(usize::MAX, true);
            self.pass(1_000);
        }
        assert!(!self.mind.has_reports());
    }

    /// What the server wants to run, but for tasks that have done all they were meant to.
    pub(super) fn missing(&self) -> Vec<(Running, u32)> {
        let is_done = |key: &(Running, u32)| {
            self.tasks.get(key).is_some_and(|task| task.exit == Some(Exit::Code(0)))
        };
        self.wanted().into_iter().filter(|key| !is_done(key)).collect()
    }

    /// What the server wants to run.
    pub(super) fn wanted(&self) -> Vec<(Running, u32)> {
        let mut wanted = Vec::new();
        for (of, duty) in &self.wanted {
            if let Work::Run(run) = &duty.work {
                wanted.extend(run.tasks.iter().map(|task| (*of, task.rank)));
            }
        }
        wanted
    }
}
