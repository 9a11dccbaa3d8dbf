//! The race itself: the same jobs one by one from several clients, and once as an array; from the
//! first submission to the last end.

use std::process::{Child, Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// How often it is asked whether all have ended. Each asking is a process and a request, the same
/// for both.
const ASK: Duration = Duration::from_millis(100);

/// The longest a race may take.
const RACE_MAX: Duration = Duration::from_secs(600);

/// Something that runs jobs.
pub(super) trait Runner: Sync {
    /// A command that submits one job that runs `true` in a shell.
    fn single(&self) -> Command;
    /// A command that submits so many of them at once.
    fn array(&self, jobs: u32) -> Command;
    /// How many jobs have completed since the start.
    fn completed(&self) -> Result<u32>;
}

/// Jobs a second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raced {
    pub(super) single_per_s: f64,
    pub(super) array_per_s: f64,
}

/// Runs both races, the second when everything of the first has ended.
pub(super) fn race(runner: &dyn Runner, jobs: u32, clients: u32) -> Result<Raced> {
    // Nobody pays for what happens only once.
    succeed(runner.single())?;
    wait(runner, 1)?;
    let begun = Instant::now();
    let taken = AtomicU32::new(0);
    std::thread::scope(|scope| -> Result<()> {
        let submit = || -> Result<()> {
            while taken.fetch_add(1, Ordering::Relaxed) < jobs {
                succeed(runner.single())?;
            }
            Ok(())
        };
        let clients: Vec<_> = (0..clients).map(|_| scope.spawn(submit)).collect();
        clients.into_iter().try_for_each(|client| client.join().expect("no client panics"))
    })?;
    wait(runner, jobs + 1)?;
    let single = begun.elapsed();
    let begun = Instant::now();
    succeed(runner.array(jobs))?;
    wait(runner, 2 * jobs + 1)?;
    let array = begun.elapsed();
    let rate = |time: Duration| f64::from(jobs) / time.as_secs_f64();
    Ok(Raced { single_per_s: rate(single), array_per_s: rate(array) })
}

fn wait(runner: &dyn Runner, count: u32) -> Result<()> {
    let begun = Instant::now();
    while runner.completed()? < count {
        if begun.elapsed() > RACE_MAX {
            let completed = runner.completed()?;
            bail!("{completed} of {count} jobs have completed, and time is over");
        }
        std::thread::sleep(ASK);
    }
    Ok(())
}

/// Runs a command that must work.
pub(super) fn succeed(mut command: Command) -> Result<Output> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("cannot start {name}"))?;
    if !output.status.success() {
        bail!("{name} failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(output)
}

/// Asks one of our own processes to stop, and waits until it has.
pub(super) fn end(mut child: Child) -> Result<()> {
    let mut command = Command::new("kill");
    command.args(["-TERM", &child.id().to_string()]);
    succeed(command)?;
    child.wait().context("cannot wait for a process")?;
    Ok(())
}
