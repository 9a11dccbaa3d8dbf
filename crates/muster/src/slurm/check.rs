//! `muster slurm check`: what would become of scripts, before anyone switches.

mod files;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use muster_api::SlurmView;
use muster_model::Level;
use muster_slurm::request::{Mapping, Sources};
use muster_slurm::script::Script;
use muster_slurm::values::Clock;
use muster_slurm::{Command, Reading, Refused, Request};
use serde::Serialize;

use super::sbatch::choose;
use super::session;
use crate::cli::connect::Connect;
use crate::cli::{login_name, print};

/// Say what would happen to scripts for sbatch, and why some would be refused
///
/// Where a cluster can be asked, partitions, QOS and accounts are looked up too. Exits with 1 when
/// a script would be refused.
#[derive(Debug, Args)]
#[command(after_help = "Example: muster slurm check ~/jobs train.sh")]
pub(crate) struct Check {
    /// Scripts, and folders to look for scripts in
    #[arg(value_name = "SCRIPT", required = true)]
    paths: Vec<PathBuf>,

    /// Print a JSON array
    #[arg(long)]
    json: bool,

    /// Look at the scripts alone, and ask no cluster
    #[arg(long)]
    offline: bool,
}

/// What would become of one script.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Checked {
    /// The script.
    script: String,
    /// `ok`, `notes` or `refused`.
    outcome: &'static str,
    /// What to know, or what is wrong.
    lines: Vec<String>,
}

impl Check {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let slurm = if self.offline { None } else { cluster() };
        let scripts = files::scripts(&self.paths)?;
        let clock = session::clock();
        let mut all = Vec::new();
        for (path, bytes) in &scripts {
            all.push(checked(path, bytes, slurm.as_ref(), clock));
        }
        let count = |outcome: &str| all.iter().filter(|one| one.outcome == outcome).count();
        let (ok, notes, refused) = (count("ok"), count("notes"), count("refused"));
        if self.json {
            print::json(&all)?;
        } else {
            print::text(&all.iter().map(told).collect::<String>())?;
            let total = all.len();
            eprintln!("{total} scripts: {ok} ok, {notes} ok with notes, {refused} refused");
        }
        Ok(ExitCode::from(u8::from(refused > 0)))
    }
}

fn told(checked: &Checked) -> String {
    let outcome = match checked.outcome {
        "notes" => "ok, with notes",
        other => other,
    };
    let mut text = format!("{}: {outcome}\n", checked.script);
    for line in checked.lines.iter().flat_map(|line| line.lines()) {
        text.push_str(&format!("  {line}\n"));
    }
    text
}

/// The cluster's partitions, QOS and accounts, where it can be asked.
fn cluster() -> Option<SlurmView> {
    let client = Connect::default().client().ok()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
    runtime.block_on(client.slurm()).ok()
}

fn checked(path: &Path, bytes: &[u8], slurm: Option<&SlurmView>, clock: Clock) -> Checked {
    let script = path.display().to_string();
    let refused = |lines| Checked { script: script.clone(), outcome: "refused", lines };
    let words = |all: Vec<Refused>| all.iter().map(ToString::to_string).collect::<Vec<_>>();
    let read = Script::read(bytes).and_then(|script| {
        let sources = Sources { script: Some(script), ..Sources::default() };
        Request::read(Command::Sbatch, sources)
    });
    let reading = match read {
        Ok(reading) => reading,
        Err(all) => return refused(words(all)),
    };
    match judged(&reading, slurm, clock) {
        Err(lines) => refused(lines),
        Ok(lines) => {
            let outcome = if lines.is_empty() { "ok" } else { "notes" };
            Checked { script, outcome, lines }
        }
    }
}

/// What to know about a request that can be read, or why the cluster would not take it.
fn judged(
    reading: &Reading,
    slurm: Option<&SlurmView>,
    clock: Clock,
) -> Result<Vec<String>, Vec<String>> {
    // Which levels stand for switches and blocks is the cluster's to say; some do, without one.
    let level = |known: Option<&Option<String>>| match known {
        Some(known) => known.as_deref().map(Level::from),
        None => Some(Level::from("level")),
    };
    let mapping = Mapping {
        clock,
        switch: level(slurm.map(|slurm| &slurm.switch)),
        block: level(slurm.map(|slurm| &slurm.block)),
    };
    let parts = reading.request.job(&mapping).map_err(|why| vec![why.to_string()])?;
    let (wrong, near): (Vec<_>, Vec<_>) = parts.missing.iter().partition(|it| it.is_wrong());
    let mut refused: Vec<String> =
        wrong.iter().map(|missing| format!("Muster cannot do this yet: {missing}")).collect();
    if let Some(slurm) = slurm {
        let user = login_name().unwrap_or_default();
        let chosen = choose::choose(slurm, &reading.request, &user);
        refused.extend(chosen.err().map(|stop| stop.words()));
    }
    if !refused.is_empty() {
        return Err(refused);
    }
    let notes = reading.notes.iter().chain(&parts.notes).map(ToString::to_string);
    let near = near.iter().map(|missing| format!("not as asked for: {missing}"));
    Ok(notes.chain(near).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use muster_model::Time;

    fn of(text: &str) -> Checked {
        let clock = Clock { now: Time(1_000_000), offset_s: 0 };
        checked(Path::new("train.sh"), text.as_bytes(), None, clock)
    }

    #[test]
    fn scripts_are_told_apart_by_what_would_become_of_them() {
        let plain = of("#!/bin/bash\n#SBATCH --gres=gpu:8 --time=1:00:00\nsrun train\n");
        assert_eq!((plain.outcome, plain.lines.len()), ("ok", 0), "{plain:?}");
        let noted = of("#!/bin/bash\n#SBATCH --wckey=x\ntrain\n#SBATCH -N 2\n");
        assert_eq!((noted.outcome, noted.lines.len()), ("notes", 2), "{noted:?}");
        let refused = of("#!/bin/bash\n#SBATCH --tmp=10G\n#SBATCH --bogus\ntrain\n");
        assert_eq!(refused.outcome, "refused");
        assert!(refused.lines[0].starts_with("line 3: sbatch has no option"), "{refused:?}");
        let text = told(&refused);
        assert!(text.starts_with("train.sh: refused\n  line 3: "), "{text}");
    }

    #[test]
    fn text_that_is_no_script_is_refused() {
        assert_eq!(of("echo hello\n").outcome, "refused");
    }
}
