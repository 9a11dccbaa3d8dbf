//! `muster run`: submits a job, shows what it writes, and exits as it does.

mod exit;
mod follow;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use muster_api::JobDetail;
use muster_api::view::{JobState, JobView};
use muster_client::{Client, Error, Order};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinSet;

use super::Usage;
use super::connect::Connect;
use super::job_arguments::JobArguments;
use super::person::Person;
use follow::Follow;

/// How often a job is looked at: soon at first, when most begin, and then less and less.
const LOOK_FIRST: Duration = Duration::from_millis(20);
const LOOK_MOST: Duration = Duration::from_millis(500);

/// How often the server may be away in a row before we give up watching: with half a second in
/// between and what the client tries itself, about two minutes.
const AWAY_MAX: u32 = 30;

/// Submit a job, show what it writes, and exit with its code
///
/// The lines of several tasks are told apart by their ranks. Ctrl-C cancels the job; a second one
/// stops watching. Exits with the code of the job, 128 and the number of the signal that ended it,
/// 124 at its run-time limit, 130 when it was cancelled, and 1 when it never ran.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  muster run --gpus 1 -- python train.py
  muster run --tasks 4 --gpus H100x8 -- torchrun train.py
  muster run train.yaml")]
pub(crate) struct Run {
    #[command(flatten)]
    job: JobArguments,

    /// Say nothing but what the job writes
    #[arg(long, short)]
    quiet: bool,

    #[command(flatten)]
    connect: Connect,
}

impl Run {
    pub(crate) async fn run(&self) -> Result<ExitCode> {
        let submission = self.job.submission(&Person::present()?)?;
        if submission.spec.array.is_some() {
            let what = "an array cannot be run and watched as one";
            return Err(Usage::new(what).hint("hand it in with `muster submit`").into());
        }
        let client = self.connect.client()?;
        let mut stops = Stops::new()?;
        let id = client.submit(&submission).await?.id;
        if !self.quiet {
            eprintln!("submitted job {id}");
        }
        let mut watch = Watch::new(client, id);
        let mut is_cancelled = false;
        loop {
            tokio::select! {
                ended = watch.until_ended() => {
                    let job = ended?;
                    let words = exit::words(&job).filter(|_| !self.quiet);
                    words.iter().for_each(|words| eprintln!("{words}"));
                    return Ok(ExitCode::from(exit::code(&job)));
                }
                () = stops.next() => {
                    if is_cancelled {
                        return Ok(ExitCode::from(130));
                    }
                    is_cancelled = true;
                    eprintln!("cancelling job {id}; once more to stop watching it");
                    watch.client.order(id, Order::Cancel).await?;
                }
            }
        }
    }
}

/// Signals that ask this command to stop.
struct Stops {
    interrupt: Signal,
    terminate: Signal,
}

impl Stops {
    fn new() -> Result<Stops> {
        let on = |kind| signal(kind).context("cannot listen for Ctrl-C");
        let (interrupt, terminate) = (on(SignalKind::interrupt())?, on(SignalKind::terminate())?);
        Ok(Stops { interrupt, terminate })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// A job being watched. What has been seen is kept here, so that the watching can be taken up
/// again after an interruption.
struct Watch {
    client: Client,
    id: u64,
    followed: BTreeSet<(u32, u32, bool)>,
    follows: JoinSet<Result<()>>,
    pause: Duration,
    away: u32,
}

impl Watch {
    fn new(client: Client, id: u64) -> Watch {
        let (followed, follows) = (BTreeSet::new(), JoinSet::new());
        Watch { client, id, followed, follows, pause: LOOK_FIRST, away: 0 }
    }

    /// The job once it has ended and all it wrote was shown.
    async fn until_ended(&mut self) -> Result<JobView> {
        loop {
            if let Some(detail) = self.look().await? {
                self.follow(&detail);
                if detail.job.state == JobState::Ended {
                    while let Some(done) = self.follows.join_next().await {
                        told(done)?;
                    }
                    return Ok(detail.job);
                }
            }
            tokio::select! {
                Some(done) = self.follows.join_next(), if !self.follows.is_empty() => {
                    told(done)?;
                    // A task has ended, and with it probably the job.
                    self.pause = LOOK_FIRST;
                }
                () = tokio::time::sleep(self.pause) => {
                    self.pause = (self.pause * 3 / 2).min(LOOK_MOST);
                }
            }
        }
    }

    /// The job as it is; nothing while the server is away for a moment.
    async fn look(&mut self) -> Result<Option<JobDetail>> {
        match self.client.job(self.id).await {
            Ok(detail) => {
                self.away = 0;
                Ok(Some(detail))
            }
            Err(Error::Unreachable { .. }) if self.away < AWAY_MAX => {
                self.away += 1;
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Follows every task of the present attempt that is not followed yet.
    fn follow(&mut self, detail: &JobDetail) {
        let Some(attempt) = detail.attempts.last() else { return };
        // Before every node has confirmed, some of them have nothing to show yet.
        let has_begun = attempt.started.is_some() || attempt.ended.is_some();
        if !has_begun && detail.job.state != JobState::Ended {
            return;
        }
        let tasks = u32::try_from(attempt.places.len()).unwrap_or(u32::MAX);
        let most = tasks.max(detail.job.tasks).saturating_sub(1);
        let width = most.to_string().len();
        let program = detail.program.as_ref();
        let has_error = program.is_some_and(|program| program.error.is_some());
        for task in 0..tasks {
            for error in [false, true] {
                let key = (attempt.attempt, task, error);
                if (error && !has_error) || !self.followed.insert(key) {
                    continue;
                }
                let prefix = (most > 0).then(|| format!("[{task:>width$}] "));
                let attempt = attempt.attempt;
                let follow = Follow { job: self.id, attempt, task, error, prefix };
                self.follows.spawn(follow.run(self.client.clone()));
            }
        }
    }
}

/// A log that cannot be shown is worth a word, not the job: it goes on.
fn told(done: Result<Result<()>, tokio::task::JoinError>) -> Result<()> {
    let done = done.context("cannot follow the job any more")?;
    if let Err(error) = done {
        eprintln!("warning: part of what the job writes cannot be shown: {error:#}");
    }
    Ok(())
}
