//! Processes by number and start time, so that a number that was given out again is not taken for
//! the process that had it before; and all that descends from one.

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;

use rustix::process::{Pid, PidfdFlags, Signal, kill_process, kill_process_group, pidfd_open};
use serde::{Deserialize, Serialize};

use crate::clock;

/// A process, wherever it is by now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Process {
    /// Its number.
    pub pid: i32,
    /// When it started, in the kernel's ticks.
    pub started: u64,
    /// Which start of the machine that was in.
    pub boot: String,
}

/// A line of the kernel's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row {
    parent: i32,
    session: i32,
    started: u64,
    is_dead: bool,
}

impl Process {
    /// The process that has this number now.
    pub fn with_number(pid: i32) -> Option<Process> {
        let row = row(pid)?;
        Some(Process { pid, started: row.started, boot: clock::boot_id() })
    }

    /// Whether it still runs.
    pub fn is_alive(&self) -> bool {
        self.row().is_some_and(|row| !row.is_dead)
    }

    /// Whether the machine was started again since.
    pub fn is_of_this_boot(&self) -> bool {
        self.boot == clock::boot_id()
    }

    /// Something that can be waited on until it ends; nothing if it has.
    pub fn handle(&self) -> Option<OwnedFd> {
        let handle = pidfd_open(Pid::from_raw(self.pid)?, PidfdFlags::empty()).ok()?;
        // It is the right one if it was still there once the handle was open.
        self.is_alive().then_some(handle)
    }

    /// Sends a signal to it alone.
    pub fn signal(&self, signal: u8) -> bool {
        self.is_alive() && send_to(self.pid, signal, false)
    }

    /// Sends a signal to its process group, if it is alive to lead one.
    pub fn signal_group(&self, signal: u8) -> bool {
        self.is_alive() && send_to(self.pid, signal, true)
    }

    fn row(&self) -> Option<Row> {
        row(self.pid).filter(|row| row.started == self.started && self.is_of_this_boot())
    }
}

fn send_to(number: i32, signal: u8, is_group: bool) -> bool {
    let Some(pid) = Pid::from_raw(number) else { return false };
    if let Some(signal) = Signal::from_named_raw(i32::from(signal)) {
        let send = if is_group { kill_process_group } else { kill_process };
        return send(pid, signal).is_ok();
    }
    // Signals without a name cannot be made safely here; the system's tool can send them.
    let mut kill = std::process::Command::new("kill");
    let kill = kill.arg(format!("-{signal}")).arg("--").arg(if is_group {
        format!("-{number}")
    } else {
        number.to_string()
    });
    kill.status().is_ok_and(|status| status.success())
}

/// Forces all that descend from a process to end; whether there were any.
pub fn kill_descendants(ancestor: i32) -> bool {
    let table = table();
    let mut found = vec![ancestor];
    let mut next = 0;
    // Each process is added once, by its one parent.
    while next < found.len() {
        let children = table.iter().filter(|(_, row)| row.parent == found[next] && !row.is_dead);
        found.extend(children.map(|(pid, _)| *pid).collect::<Vec<_>>());
        next += 1;
    }
    kill_all(&found[1..]);
    found.len() > 1
}

/// Forces to end what a launcher that is gone has left behind: whatever is still in its session,
/// and whatever carries its mark in its environment. Returns how many there were.
pub fn kill_remains(launcher: &Process, mark: &str) -> usize {
    if !launcher.is_of_this_boot() {
        return 0;
    }
    let table = table();
    // As long as a session has members the kernel gives its number to nobody else.
    let is_reused = table.get(&launcher.pid).is_some_and(|row| row.started != launcher.started);
    let is_left = |(pid, row): &(&i32, &Row)| {
        let is_in_session = row.session == launcher.pid && !is_reused;
        !row.is_dead && (is_in_session || has_mark(**pid, mark))
    };
    let left: Vec<i32> = table.iter().filter(is_left).map(|(pid, _)| *pid).collect();
    kill_all(&left);
    left.len()
}

fn kill_all(pids: &[i32]) {
    for pid in pids.iter().filter_map(|pid| Pid::from_raw(*pid)) {
        // One that is gone already is as good.
        let _ = kill_process(pid, Signal::KILL);
    }
}

fn has_mark(pid: i32, mark: &str) -> bool {
    let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
}

fn table() -> BTreeMap<i32, Row> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return BTreeMap::new() };
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter_map(|pid| Some((pid, row(pid)?))).collect()
}

fn row(pid: i32) -> Option<Row> {
    parse(&std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// The name of a program stands in parentheses and may contain anything, so what follows the last
/// one counts: state, parent, group, session, and the start as the twentieth.
fn parse(stat: &str) -> Option<Row> {
    let (_, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    Some(Row {
        parent: fields.get(1)?.parse().ok()?,
        session: fields.get(3)?.parse().ok()?,
        started: fields.get(19)?.parse().ok()?,
        is_dead: matches!(*fields.first()?, "Z" | "X"),
    })
}

#[cfg(test)]
mod tests {
    use super::{Process, Row, parse};

    #[test]
    fn a_program_may_be_named_like_the_rest_of_the_line() {
        let stat = "7 (a) S 1 2) R 5 7 3 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 4242 0";
        let row = Row { parent: 5, session: 3, started: 4242, is_dead: false };
        assert_eq!(parse(stat), Some(row));
    }

    #[test]
    fn a_number_that_started_at_another_time_is_another_process() {
        let own = i32::try_from(std::process::id()).unwrap();
        let this = Process::with_number(own).unwrap();
        assert!(this.is_alive());
        let other = Process { started: this.started + 1, ..this };
        assert!(!other.is_alive());
        assert!(other.handle().is_none());
    }
}
