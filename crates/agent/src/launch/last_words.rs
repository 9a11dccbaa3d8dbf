//! The line that Slurm writes into what a job has written when it ends it, so that whoever reads it
//! later knows why it stops. A process of its own adds it, as the task's user: the file is the
//! user's to name, and the agent may be allowed to write to more than its user.

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use muster_api::duty::StopReason;
use muster_api::step::frame::{Carries, Kind, header};
use rustix::fs::OFlags;

use super::folder::{Entry, Folder};
use super::stream::connect::connect;
use super::{LaunchError, TaskFile, second};

/// More than any line that the agent writes.
const LINE_MAX: u64 = 1000;

/// The line for something that is called so, as of a moment of the machine's clock.
pub fn line(called: &str, at: &jiff::Zoned, reason: StopReason) -> String {
    let due = match reason {
        StopReason::Cancelled => "",
        StopReason::TimeLimit => " DUE TO TIME LIMIT",
        StopReason::Preempted => " DUE TO PREEMPTION",
        StopReason::Requeued => " DUE TO JOB REQUEUE",
        StopReason::NodeLost => " DUE TO NODE FAILURE",
    };
    let at = at.strftime("%Y-%m-%dT%H:%M:%S");
    format!("slurmstepd: error: *** {called} CANCELLED AT {at}{due} ***\n")
}

/// Adds what stands on standard input to what the task of a folder has written.
pub fn say(path: &Path) -> Result<(), LaunchError> {
    let folder = Folder::at(path);
    let Some(task) = folder.read::<TaskFile>(Entry::Task)? else { return Ok(()) };
    let mut line = Vec::new();
    let read = std::io::stdin().take(LINE_MAX).read_to_end(&mut line);
    read.map_err(|cause| LaunchError::System { what: "hear the agent", cause })?;
    // As the second stage has it: errors go with the output where nothing else is said.
    let named = task.error.as_ref().or(task.output.as_ref());
    if let Some(named) = named {
        let denied = |cause| LaunchError::System { what: "become the task's user", cause };
        second::drop_to_user(&task)
            .map_err(|refused| denied(std::io::Error::other(refused.detail)))?;
        return add(named, &line);
    }
    if let Some(listener) = &task.listener {
        let failed = |cause| LaunchError::System { what: "reach the listener", cause };
        let sent = connect(listener, task.rank, Carries::Output)
            .map_err(std::io::Error::other)
            .and_then(|mut output| {
                output.write_all(&header(Kind::Error, line.len()))?;
                output.write_all(&line)?;
                output.flush()
            });
        return sent.map_err(failed);
    }
    add(&folder.entry(Entry::Output), &line)
}

/// A file that is gone is not made again, and a pipe that nobody reads is not waited for.
fn add(path: &PathBuf, line: &[u8]) -> Result<(), LaunchError> {
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let flags = i32::try_from(flags.bits()).expect("flags are small");
    let opened = OpenOptions::new().append(true).custom_flags(flags).open(path);
    let added = opened.and_then(|mut file| file.write_all(line));
    added.map_err(|cause| LaunchError::File { what: "add to", path: path.clone(), cause })
}

#[cfg(test)]
mod tests {
    use muster_api::duty::StopReason;

    use super::line;

    #[test]
    fn why_a_job_ends_is_said_as_slurm_says_it() {
        let at: jiff::Zoned = "2026-11-16T14:00:00.9+00:00[UTC]".parse().unwrap();
        let said = |reason| line("JOB 7 ON node-1", &at, reason);
        let begin = "slurmstepd: error: *** JOB 7 ON node-1 CANCELLED AT 2026-11-16T14:00:00";
        assert_eq!(said(StopReason::Cancelled), format!("{begin} ***\n"));
        assert_eq!(said(StopReason::TimeLimit), format!("{begin} DUE TO TIME LIMIT ***\n"));
        assert_eq!(said(StopReason::Preempted), format!("{begin} DUE TO PREEMPTION ***\n"));
        assert_eq!(said(StopReason::Requeued), format!("{begin} DUE TO JOB REQUEUE ***\n"));
    }
}
