//! `muster bench accounting`: how large the history of a year gets, and how fast it answers. A
//! made-up year goes through the control state, its projection and a history in a file, with the
//! retention of a server; only time and the nodes are pretended.

mod year;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use muster_store::history::{LedgerBy, LedgerQuestion};
use muster_store::{History, HistoryReader};

use super::cluster::{Figures, Scratch};
use super::figures::Target;
use year::{Size, Year};

const DAY_MS: u64 = 86_400_000;

/// What a year of 1,000 GPUs may take, in bytes.
const BYTES: f64 = 2e9;

/// Write a made-up year of accounts, and say how large they are and how fast they answer
#[derive(Debug, Args)]
#[command(after_help = "Example: muster bench accounting --gpus 100 --json")]
pub(crate) struct BenchAccounting {
    /// GPUs, eight to a node
    #[arg(long, default_value_t = 1000, value_name = "N",
          value_parser = clap::value_parser!(u32).range(8..=100_000))]
    gpus: u32,

    /// Days that pass
    #[arg(long, default_value_t = 365, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=3650))]
    days: u32,

    /// Jobs for each GPU and year
    #[arg(long, default_value_t = 500, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    jobs: u32,

    /// What chance begins with
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// The folder under which the history is written [default: that for temporary files]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

impl BenchAccounting {
    pub(crate) fn run(&self) -> Result<()> {
        let parent = self.data.clone().unwrap_or_else(std::env::temp_dir);
        let scratch = Scratch::below(&parent)?;
        let size = Size { gpus: self.gpus, jobs: self.jobs };
        let begun = Instant::now();
        let mut year = Year::begin(scratch.path(), size, self.seed)?;
        for day in 0..self.days {
            year.day()?;
            if day % 30 == 29 {
                eprintln!("{} days, {} jobs", day + 1, year.jobs);
            }
        }
        let took = begun.elapsed().as_secs_f64();
        year.past.make_durable()?;
        let bytes = size_of(scratch.path())?;
        let whole = f64::from(self.gpus) / 1000.0 * f64::from(self.days) / 365.0;
        let mut figures = Figures::of("accounting")
            .count("gpus", self.gpus)
            .count("days", self.days)
            .count("jobs", year.jobs)
            .count("samples_told", year.samples)
            .measure("writing_s", took, None)
            .count("history_bytes", bytes)
            .measure(
                "bytes_for_1000_gpus_and_a_year",
                bytes as f64 / whole,
                Some(Target::Below(BYTES)),
            );
        let reader = year.past.reader()?;
        let now = year.now.0;
        let questions = [
            ("last_day_by_team", 1, LedgerBy::Team, None),
            ("last_week_by_job", 7, LedgerBy::Job, None),
            ("last_month_by_team_and_day", 30, LedgerBy::Team, Some(DAY_MS)),
            ("all_by_team", u64::from(self.days), LedgerBy::Team, None),
            ("all_by_model_and_day", u64::from(self.days), LedgerBy::Model, Some(DAY_MS)),
        ];
        for (name, days, by, bucket_ms) in questions {
            let from_ms = now.saturating_sub(days * DAY_MS);
            let question = LedgerQuestion {
                from_ms,
                to_ms: now,
                by,
                bucket_ms,
                gone_ms: u64::MAX,
                ..Default::default()
            };
            figures =
                figures.measure(&format!("{name}_ms"), ask(reader.as_ref(), &question)?, None);
        }
        match self.json {
            true => println!("{}", serde_json::to_string(&figures)?),
            false => print!("{}", figures.table()),
        }
        Ok(())
    }
}

/// How long an answer takes, in milliseconds.
fn ask(reader: &dyn HistoryReader, question: &LedgerQuestion) -> Result<f64> {
    let begun = Instant::now();
    let answer = reader.ledger(question)?;
    let took = begun.elapsed().as_secs_f64() * 1000.0;
    anyhow::ensure!(!answer.owned.is_empty(), "a year without nodes says nothing");
    Ok(took)
}

/// The bytes of all files of the history.
fn size_of(folder: &Path) -> Result<u64> {
    let mut sum = 0;
    for file in std::fs::read_dir(folder).context("cannot read the folder of the history")? {
        sum += file?.metadata()?.len();
    }
    Ok(sum)
}
