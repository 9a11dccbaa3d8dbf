//! The host that runs processes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use muster_api::duty::RunWork;
use muster_api::step::{StepDuty, StepTask};
use muster_api::{LogOrder, TaskDuty};
use muster_engine::command::{Exit, Running};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::attend::{Place, attend};
use super::last_words::LastWords;
use super::{Host, Output, hook, keep, recover, start, steps};
use crate::compose::account::Accounts;
use crate::compose::{Asked, Ground};
use crate::launch::cgroup::Cgroups;
use crate::launch::folder::{Ended, Entry, Folder};
use crate::launch::lease::LeaseFile;
use crate::launch::{LaunchError, Process, Refused, TaskFile};
use crate::mind::{Found, FoundTask, Happening, Heard, Order};
use crate::settings::Hooks;

/// Ended tasks are cleared away at most this often.
const TRIM: Duration = Duration::from_secs(60);

/// What launches share.
#[derive(Debug)]
pub struct Shared {
    /// The folder of all tasks.
    pub tasks: PathBuf,
    /// What the node adds to every task.
    pub ground: Ground,
    /// Who tasks may run as.
    pub accounts: Accounts,
    /// Limits, where the system has them.
    pub cgroups: Option<Cgroups>,
    /// The program that launches.
    pub launcher: PathBuf,
    /// The operator's programs.
    pub hooks: Hooks,
    /// The most that ended tasks may leave.
    pub kept_bytes: u64,
    /// The end of the lease.
    pub lease: LeaseFile,
}

/// The host of a machine.
#[derive(Debug)]
pub struct RealHost {
    shared: Arc<Shared>,
    happenings: mpsc::Sender<Happening>,
    /// The tasks that this agent knows to be there.
    ranks: BTreeMap<Running, Vec<u32>>,
    /// The tasks of steps, by step and rank.
    steps: BTreeMap<Running, BTreeSet<(u32, u32)>>,
    last_words: LastWords,
    trimmed: Option<Instant>,
}

impl RealHost {
    /// Takes over the machine: what runs there is found and watched.
    pub fn open(
        shared: Shared,
        happenings: mpsc::Sender<Happening>,
    ) -> Result<(RealHost, Vec<Found>), LaunchError> {
        let found = recover::find(&shared.tasks)?;
        let shared = Arc::new(shared);
        let (ranks, steps) = (BTreeMap::new(), BTreeMap::new());
        let last_words = LastWords::default();
        let mut host = RealHost { shared, happenings, ranks, steps, last_words, trimmed: None };
        for attempt in &found {
            let ranks = attempt.tasks.iter().map(|task| task.rank).collect();
            host.ranks.insert(attempt.of, ranks);
            let has_launcher = |task: &&FoundTask| task.exit.is_none() && !task.is_held;
            for task in attempt.tasks.iter().filter(has_launcher) {
                host.watch(Place { of: attempt.of, step: None, rank: task.rank });
            }
            host.find_steps(attempt);
        }
        Ok((host, found))
    }

    fn folder(&self, of: Running, rank: u32) -> Folder {
        Folder::of(&self.shared.tasks, of, rank)
    }

    fn step_folder(&self, of: Running, step: u32, rank: u32) -> Folder {
        Folder::of_step(&self.shared.tasks, of, step, rank)
    }

    fn find_steps(&mut self, attempt: &Found) {
        for found in &attempt.steps {
            let ranks = found.tasks.iter().map(|(rank, _)| (found.step, *rank));
            self.steps.entry(attempt.of).or_default().extend(ranks);
            for (rank, _) in found.tasks.iter().filter(|(_, exit)| exit.is_none()) {
                self.watch(Place { of: attempt.of, step: Some(found.step), rank: *rank });
            }
        }
    }

    /// The folders of all tasks of a step.
    fn step_folders(&self, of: Running, step: u32) -> Vec<Folder> {
        let tasks = self.steps.get(&of).into_iter().flatten().filter(|(known, _)| *known == step);
        let folders = tasks.map(|(step, rank)| self.step_folder(of, *step, *rank));
        folders.filter(|folder| folder.path().exists()).collect()
    }

    /// The folders of all tasks of an attempt.
    fn folders(&self, of: Running) -> Vec<Folder> {
        let ranks = self.ranks.get(&of).into_iter().flatten();
        let tasks = ranks.map(|rank| self.folder(of, *rank));
        let steps = self.steps.get(&of).into_iter().flatten();
        let steps = steps.map(|(step, rank)| self.step_folder(of, *step, *rank));
        tasks.chain(steps).filter(|folder| folder.path().exists()).collect()
    }

    /// Watches a task that an earlier agent launched.
    fn watch(&self, place: Place) {
        let folder = place.folder(&self.shared.tasks);
        tokio::spawn(attend(place, folder, None, self.happenings.clone()));
    }

    fn launch(&mut self, of: Running, run: Arc<RunWork>, tasks: Vec<TaskDuty>, is_growth: bool) {
        let known = self.ranks.entry(of).or_default();
        known.extend(tasks.iter().map(|task| task.rank));
        known.sort_unstable();
        known.dedup();
        let (shared, happenings) = (Arc::clone(&self.shared), self.happenings.clone());
        tokio::spawn(launch_all(shared, happenings, of, run, tasks, is_growth));
    }

    fn launch_step(
        &mut self,
        of: Running,
        run: Arc<RunWork>,
        duty: Arc<StepDuty>,
        tasks: Vec<StepTask>,
    ) {
        let known = self.steps.entry(of).or_default();
        known.extend(tasks.iter().map(|task| (duty.step, task.rank)));
        let (shared, happenings) = (Arc::clone(&self.shared), self.happenings.clone());
        tokio::spawn(steps::launch(shared, happenings, of, run, duty, tasks));
    }

    fn forget_step(&mut self, of: Running, step: u32) {
        for folder in self.step_folders(of, step) {
            note(folder.mark(Entry::Done));
        }
        if let Some(known) = self.steps.get_mut(&of) {
            known.retain(|(other, _)| *other != step);
        }
        self.trim();
    }

    fn signal(&mut self, of: Running, step: Option<u32>, ranks: &[u32], signal: u8) {
        let tasks = &self.shared.tasks;
        let folder = |rank: &u32| Place { of, step, rank: *rank }.folder(tasks);
        let folders: Vec<Folder> = ranks.iter().map(folder).collect();
        self.last_words.then((of, step), move || send(&folders, signal));
    }

    /// Lets go of places that are held. That is noted, so that an agent that is started again does
    /// not take them for held.
    fn release(&self, of: Running, ranks: &[u32]) {
        for rank in ranks.iter().copied() {
            let exit = Exit::Code(0);
            let ended = Ended { exit, at_ms: u64::MAX, took: None };
            note(self.folder(of, rank).write(Entry::Exit, &ended));
            let happenings = self.happenings.clone();
            tokio::spawn(async move {
                let _ = happenings.send(Happening::Ended { of, rank, exit }).await;
            });
        }
    }

    fn forget(&mut self, of: Running) {
        for folder in self.folders(of) {
            if let Err(error) = folder.mark(Entry::Done) {
                tracing::warn!("{error}");
            }
        }
        self.ranks.remove(&of);
        self.steps.remove(&of);
        self.trim();
    }

    fn trim(&mut self) {
        if self.trimmed.is_none_or(|trimmed| trimmed.elapsed() >= TRIM) {
            self.trimmed = Some(Instant::now());
            let shared = Arc::clone(&self.shared);
            tokio::task::spawn_blocking(move || keep::trim(&shared.tasks, shared.kept_bytes));
        }
    }

    fn finish(&self, of: Running) {
        let (shared, happenings) = (Arc::clone(&self.shared), self.happenings.clone());
        let folders = self.folders(of);
        tokio::spawn(async move {
            if let Some(cgroups) = &shared.cgroups {
                cgroups.remove_whole(of);
            }
            let is_new = folders.iter().any(|folder| !folder.has(Entry::Finished));
            if is_new && shared.hooks.epilog.is_some() {
                hook::after(&shared.hooks, of).await;
                for folder in &folders {
                    note(folder.mark(Entry::Finished));
                }
            }
            let _ = happenings.send(Happening::Finished { of }).await;
        });
    }
}

impl Host for RealHost {
    fn carry_out(&mut self, order: Order) {
        match order {
            Order::Launch { of, run, tasks, is_growth } => self.launch(of, run, tasks, is_growth),
            Order::Signal { of, ranks, signal } => self.signal(of, None, &ranks, signal),
            Order::SignalFirst { of, signal } => {
                let folder = self.folder(of, 0);
                self.last_words.then((of, None), move || send_first(&folder, signal));
            }
            Order::Explain { of, step, reason } => {
                let folder = Place { of, step, rank: 0 }.folder(&self.shared.tasks);
                self.last_words.begin(&self.shared, (of, step), folder, reason);
            }
            Order::Kill { of, ranks } => self.signal(of, None, &ranks, 9),
            Order::Release { of, ranks } => self.release(of, &ranks),
            Order::LaunchStep { of, run, duty, tasks } => self.launch_step(of, run, duty, tasks),
            Order::SignalStep { of, step, ranks, signal } => {
                self.signal(of, Some(step), &ranks, signal);
            }
            Order::RememberStep { of, step, signal } => {
                let heard = Heard { signal, ..Heard::default() };
                let folders = self.step_folders(of, step);
                folders.iter().for_each(|folder| note(folder.write(Entry::Heard, &heard)));
            }
            Order::ForgetStep { of, step } => self.forget_step(of, step),
            Order::Left { of, rank } => note(self.folder(of, rank).mark(Entry::Left)),
            Order::GiveUp { of } => {
                self.folders(of).iter().for_each(|folder| note(folder.mark(Entry::GivenUp)));
            }
            Order::Remember { of, heard } => {
                // Steps count their own signals.
                let ranks = self.ranks.get(&of).into_iter().flatten();
                let folders = ranks.map(|rank| self.folder(of, *rank));
                let there = folders.filter(|folder| folder.path().exists());
                there.for_each(|folder| note(folder.write(Entry::Heard, &heard)));
            }
            Order::Finish { of } => self.finish(of),
            Order::Forget { of } => self.forget(of),
            Order::Lease { until_ms } => {
                if let Err(error) = self.shared.lease.set(until_ms) {
                    // Launchers go by what is noted: they would end their tasks too early.
                    tracing::error!("cannot note the lease: {error}");
                }
            }
        }
    }

    fn output(&self, order: &LogOrder) -> Option<Output> {
        let of = Running { job: order.job, attempt: order.attempt };
        let folder = self.folder(of, order.rank);
        let task: TaskFile = folder.read(Entry::Task).ok().flatten()?;
        let owner = task.user.as_ref().map(|user| user.uid);
        let named = task.error.filter(|_| order.error).or(task.output);
        let kept = || (folder.entry(Entry::Output), None);
        let (path, owner) = named.map_or_else(kept, |path| (path, owner));
        Some(Output { path, owner, exit: folder.entry(Entry::Exit) })
    }
}

/// Sends a signal to the tasks of folders.
fn send(folders: &[Folder], signal: u8) {
    for folder in folders {
        let child: Option<Process> = folder.read(Entry::Child).ok().flatten();
        match child {
            // One that is gone already needs no signal.
            Some(child) => {
                let _ = child.signal_group(signal);
            }
            None if signal == 9 => {
                // It has no first process yet, and shall not get one.
                let launcher: Option<Process> = folder.read(Entry::Launcher).ok().flatten();
                let _ = launcher.is_some_and(|launcher| launcher.signal_group(9));
            }
            None => {}
        }
    }
}

/// Sends a signal to the first process of a folder's task alone.
fn send_first(folder: &Folder, signal: u8) {
    let first: Option<Process> = folder.read(Entry::Child).ok().flatten();
    // One that is gone already needs no signal.
    let _ = first.is_some_and(|first| first.signal(signal));
}

fn note(done: Result<(), LaunchError>) {
    if let Err(error) = done {
        tracing::warn!("{error}");
    }
}

/// Launches tasks of one attempt, one after the other so that a refusal costs the fewest starts.
async fn launch_all(
    shared: Arc<Shared>,
    happenings: mpsc::Sender<Happening>,
    of: Running,
    run: Arc<RunWork>,
    tasks: Vec<TaskDuty>,
    is_growth: bool,
) {
    let account = run.program.account.as_ref().map(|account| account.name.clone());
    let mut refused = match is_growth {
        true => None,
        false => hook::before(&shared.hooks, of, account.as_deref().unwrap_or("")).await.err(),
    };
    let together: Arc<[u32]> = tasks.iter().map(|task| task.rank).collect();
    for duty in tasks {
        let rank = duty.rank;
        let folder = Folder::of(&shared.tasks, of, rank);
        let launched = match refused.clone() {
            Some(refused) => Err(refused),
            None => {
                let (shared, run) = (Arc::clone(&shared), Arc::clone(&run));
                let (together, folder) = (Arc::clone(&together), folder.clone());
                let account = account.clone();
                let launch = move || {
                    let person = shared.accounts.find(account.as_deref())?;
                    let own = folder.entry(Entry::Run);
                    let asked = Asked {
                        of,
                        run: &run,
                        duty: &duty,
                        together: &together,
                        is_growth,
                        folder: &own,
                        person: &person,
                    };
                    match run.program.runs.holds(duty.rank) {
                        true => start::hold(&shared, &folder, asked).map(|()| None),
                        false => start::start(&shared, &folder, asked).map(Some),
                    }
                };
                let launched = tokio::task::spawn_blocking(launch).await;
                launched.unwrap_or_else(|error| {
                    Err(Refused::node("launch-failed", format!("the agent failed: {error}")))
                })
            }
        };
        let happening = match launched {
            Ok(child) => {
                // The word that it runs must come before the word that it has ended.
                let _ = happenings.send(Happening::Launched { of, rank }).await;
                if let Some(child) = child {
                    let (folder, happenings) = (folder, happenings.clone());
                    let place = Place { of, step: None, rank };
                    tokio::spawn(attend(place, folder, Some(child), happenings));
                }
                continue;
            }
            Err(refusal) => {
                refused = Some(refusal.clone());
                let Refused { refusal, detail } = refusal;
                Happening::NotLaunched { of, rank, refusal, detail }
            }
        };
        let _ = happenings.send(happening).await;
    }
}
