//! Memory by GPU and by waiting job, as the kernel counts it: growth of this process's own
//! resident pages. Measured in a process that does nothing else, so that nothing freed before
//! is used again unseen.

use std::fs;
use std::process::{Command as Process, Stdio};

use anyhow::{Context, Result, bail};
use clap::Args;
use muster_engine::command::Command;
use muster_model::{Millis, NodeId};
use serde::{Deserialize, Serialize};

use super::jobs::Jobs;
use super::layout::{Layout, Load, START};

/// The engine's memory for a cluster of N GPUs, measured in this process
#[derive(Debug, Args)]
pub(crate) struct Memory {
    /// GPUs of the cluster
    #[arg(long, value_parser = clap::value_parser!(u32).range(8..=1_000_000))]
    gpus: u32,

    /// Seed of the workload
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Jobs that wait
    #[arg(long, default_value_t = super::PENDING)]
    pending: usize,

    /// Jobs and nodes as in an overloaded cluster
    #[arg(long)]
    overload: bool,
}

/// Bytes for each GPU and each waiting job.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(super) struct Bytes {
    pub(super) bytes_per_gpu: u64,
    pub(super) bytes_per_job: u64,
}

impl Memory {
    pub(crate) fn run(&self) -> Result<()> {
        let load = if self.overload { Load::Overload } else { Load::Usual };
        let layout = Layout::with_load(self.gpus, load);
        let bytes = measure(layout, self.seed, self.pending)?;
        println!("{}", serde_json::to_string(&bytes)?);
        Ok(())
    }
}

/// Measures in a process of its own.
pub(super) fn measure_apart(layout: Layout, seed: u64, pending: usize) -> Result<Bytes> {
    let own = std::env::current_exe().context("cannot find this executable to measure memory")?;
    let output = Process::new(own)
        .args(["bench", "memory", "--gpus", &layout.gpus().to_string()])
        .args(["--seed", &seed.to_string(), "--pending", &pending.to_string()])
        .args((layout.load() == Load::Overload).then_some("--overload"))
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start the process that measures memory")?;
    if !output.status.success() {
        bail!("measuring memory failed ({}); its messages are above", output.status);
    }
    serde_json::from_slice(&output.stdout).context("cannot understand the memory figures")
}

/// The cluster's part is what an engine with all its nodes takes. The jobs' part is what the
/// queue adds, specs included; the nodes are drained, so that every job waits.
fn measure(layout: Layout, seed: u64, pending: usize) -> Result<Bytes> {
    let before = resident()?;
    let mut engine = layout.engine();
    let joined = resident()?;
    for node in 0..layout.nodes() {
        engine.step(START, Command::NodeDrained { node: NodeId(node) });
    }
    let mut jobs = Jobs::new(layout, seed);
    let empty = resident()?;
    for index in 0..pending {
        let now = START + Millis(index as u64);
        let spec = jobs.next(now).0;
        engine.step(now, Command::Submit { spec: spec.into() });
    }
    if engine.queued() != pending {
        bail!("{} of {pending} jobs wait though no node takes any", engine.queued());
    }
    let full = resident()?;
    let part = |bytes: u64, count: u64| bytes.checked_div(count).unwrap_or(0);
    Ok(Bytes {
        bytes_per_gpu: part(joined.saturating_sub(before), u64::from(layout.gpus())),
        bytes_per_job: part(full.saturating_sub(empty), pending as u64),
    })
}

/// Resident bytes of this process that no file backs: heap and stack.
fn resident() -> Result<u64> {
    let path = "/proc/self/status";
    let text = fs::read_to_string(path)
        .with_context(|| format!("cannot read {path}: memory is measured on Linux only"))?;
    anonymous(&text).with_context(|| format!("{path} has no line RssAnon: the kernel is too old"))
}

fn anonymous(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::{anonymous, resident};

    #[test]
    fn only_pages_that_no_file_backs_are_counted() {
        let status = "VmRSS:\t    9000 kB\nRssAnon:\t    1200 kB\nRssFile:\t    7800 kB\n";
        assert_eq!(anonymous(status), Some(1200 * 1024));
        assert_eq!(anonymous("VmRSS:\t    9000 kB\n"), None);
        assert_eq!(anonymous("RssAnon:\t    many kB\n"), None);
    }

    #[test]
    fn memory_that_is_taken_and_written_shows() {
        let before = resident().unwrap();
        let taken = vec![1_u8; 256 << 20];
        let after = resident().unwrap();
        // Half of it, for other tests may give memory back meanwhile.
        assert!(after >= before + (128 << 20), "{before} {after} {}", taken.len());
    }
}
