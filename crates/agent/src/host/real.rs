//! The host that runs processes.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use muster_api::duty::RunWork;
use muster_api::{LogOrder, TaskDuty};
use muster_engine::command::{Exit, Running};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::words::Words;
use super::{Host, Output, guard, hook, keep, recover, start};
use crate::compose::account::Accounts;
use crate::compose::{Asked, Ground};
use crate::launch::cgroup::Cgroups;
use crate::launch::folder::{Ended, Entry, Folder};
use crate::launch::lease::LeaseFile;
use crate::launch::{LaunchError, Process, Refused, TaskFile};
use crate::mind::{Found, FoundTask, Happening, Order};
use crate::settings::Hooks;

/// How often it is looked whether programs have said something.
const LOOK_FOR_WORDS: Duration = Duration::from_millis(100);

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
        let mut host = RealHost { shared, happenings, ranks: BTreeMap::new(), trimmed: None };
        for attempt in &found {
            let ranks = attempt.tasks.iter().map(|task| task.rank).collect();
            host.ranks.insert(attempt.of, ranks);
            let has_launcher = |task: &&FoundTask| task.exit.is_none() && !task.is_held;
            for task in attempt.tasks.iter().filter(has_launcher) {
                host.watch(attempt.of, task.rank);
            }
        }
        Ok((host, found))
    }

    fn folder(&self, of: Running, rank: u32) -> Folder {
        Folder::of(&self.shared.tasks, of, rank)
    }

    /// The folders of all tasks of an attempt.
    fn folders(&self, of: Running) -> Vec<Folder> {
        let ranks = self.ranks.get(&of).into_iter().flatten();
        ranks.map(|rank| self.folder(of, *rank)).filter(|folder| folder.path().exists()).collect()
    }

    /// Watches a task that an earlier agent launched.
    fn watch(&self, of: Running, rank: u32) {
        let (folder, happenings) = (self.folder(of, rank), self.happenings.clone());
        tokio::spawn(attend(of, rank, folder, None, happenings));
    }

    fn launch(&mut self, of: Running, run: Arc<RunWork>, tasks: Vec<TaskDuty>, is_growth: bool) {
        let known = self.ranks.entry(of).or_default();
        known.extend(tasks.iter().map(|task| task.rank));
        known.sort_unstable();
        known.dedup();
        let (shared, happenings) = (Arc::clone(&self.shared), self.happenings.clone());
        tokio::spawn(launch_all(shared, happenings, of, run, tasks, is_growth));
    }

    fn signal(&self, of: Running, ranks: &[u32], signal: u8) {
        for rank in ranks {
            let folder = self.folder(of, *rank);
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

    /// Lets go of places that are held. That is noted, so that an agent that is started again does
    /// not take them for held.
    fn release(&self, of: Running, ranks: &[u32]) {
        for rank in ranks.iter().copied() {
            let exit = Exit::Code(0);
            note(self.folder(of, rank).write(Entry::Exit, &Ended { exit, at_ms: u64::MAX }));
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
            Order::Signal { of, ranks, signal } => self.signal(of, &ranks, signal),
            Order::Kill { of, ranks } => self.signal(of, &ranks, 9),
            Order::Release { of, ranks } => self.release(of, &ranks),
            Order::Left { of, rank } => note(self.folder(of, rank).mark(Entry::Left)),
            Order::GiveUp { of } => {
                self.folders(of).iter().for_each(|folder| note(folder.mark(Entry::GivenUp)));
            }
            Order::Remember { of, heard } => {
                let folders = self.folders(of);
                folders.iter().for_each(|folder| note(folder.write(Entry::Heard, &heard)));
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
                    tokio::spawn(attend(of, rank, folder, Some(child), happenings));
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

/// Follows a task to its end, and passes on what its program says.
async fn attend(
    of: Running,
    rank: u32,
    folder: Folder,
    child: Option<std::process::Child>,
    happenings: mpsc::Sender<Happening>,
) {
    let mut words = Words::new(of, rank, &folder.entry(Entry::Run), child.is_none());
    let ended = guard::wait(folder, child);
    tokio::pin!(ended);
    let exit = loop {
        tokio::select! {
            exit = &mut ended => break exit,
            () = tokio::time::sleep(LOOK_FOR_WORDS) => {}
        }
        for word in words.hear() {
            let _ = happenings.send(word).await;
        }
    };
    // What was said with the last breath counts, and comes before the end.
    for word in words.hear() {
        let _ = happenings.send(word).await;
    }
    let _ = happenings.send(Happening::Ended { of, rank, exit }).await;
}
