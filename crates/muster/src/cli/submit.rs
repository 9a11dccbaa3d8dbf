//! `muster submit`: hands a job to the cluster and prints its number.

use anyhow::{Context, Result};
use clap::Args;

use super::connect::Connect;
use super::job_arguments::JobArguments;
use super::person::Person;
use super::print;
use super::show::amount;

/// Submit a job and print its number
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  muster submit train.yaml
  muster submit train.yaml --tasks 8 --time 2h
  muster submit --gpus H100x8 --tasks 4 --time 4h -- torchrun train.py
  muster submit train.yaml --check
  muster submit --array 0-99%10 --gpus 1 -- python sweep.py
  muster submit --after afterok:12 -- python evaluate.py")]
pub(crate) struct Submit {
    #[command(flatten)]
    job: JobArguments,

    /// Say when and where it would start and what would keep it, and submit nothing
    #[arg(long, conflicts_with = "dry_run")]
    check: bool,

    /// Print the job as it would be submitted, and submit nothing
    #[arg(long)]
    dry_run: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

impl Submit {
    pub(crate) async fn run(&self) -> Result<()> {
        let submission = self.job.submission(&Person::present()?)?;
        if self.dry_run && self.json {
            return print::json(&submission);
        }
        if self.dry_run {
            let text = serde_json::to_string_pretty(&submission);
            return print::text(&format!("{}\n", text.context("cannot print the job")?));
        }
        if self.check {
            let foreseen = self.connect.client()?.foresee(&submission).await?;
            return match self.json {
                true => print::json(&foreseen),
                false => print::text(&format!("{}\n", foreseen.text)),
            };
        }
        let accepted = self.connect.client()?.submit(&submission).await?;
        if self.json {
            return print::json(&accepted);
        }
        print::text(&format!("{}\n", accepted.id))?;
        let what = match accepted.elements {
            0 => format!("submitted job {}", accepted.id),
            elements => {
                let elements = amount::several(elements.into(), "element");
                format!("submitted array {} with {elements}", accepted.id)
            }
        };
        eprintln!("{what}");
        Ok(())
    }
}
