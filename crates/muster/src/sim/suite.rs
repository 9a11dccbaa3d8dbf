//! `muster sim suite`: every figure that Muster is measured by, beside what others published, what
//! no schedule can beat, and what is aimed at. A miss is shown as one.

mod cases;
mod lab;
mod packed;
mod page;
mod parts;
mod row;

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use muster_trace::cluster::TRACES_FOLDER;
use serde::Serialize;

use super::output;
use lab::Lab;
use row::Row;

/// Run every figure that Muster is measured by and print one table
///
/// Published figures, ours, the bound and whether the aim is met. What needs a public trace that is
/// not there is left out and named.
#[derive(Debug, Args)]
#[command(after_help = "Example: muster sim suite --write docs/results.md")]
pub(crate) struct Suite {
    /// The folder with the public traces
    #[arg(long, value_name = "FOLDER", default_value = TRACES_FOLDER)]
    traces: PathBuf,

    /// Parts to run: reproduce, beat, made-up, packing, deadlines, starvation, speed
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_values = parts::NAMES)]
    part: Vec<parts::Part>,

    /// Seeds of every packing experiment
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,

    /// Also replay a million made-up jobs on 100,000 GPUs, which takes minutes
    #[arg(long)]
    million: bool,

    /// Print the rows as JSON
    #[arg(long)]
    json: bool,

    /// Write the table as Markdown to this file too
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// All rows, and what could not be run.
#[derive(Debug, Default, Serialize)]
struct Results {
    rows: Vec<Row>,
    left_out: Vec<String>,
}

impl Suite {
    pub(crate) fn run(&self) -> Result<()> {
        if let Some(path) = &self.write {
            output::check(path)?;
        }
        let mut lab = Lab::new(&self.traces, self.seeds, self.million);
        let mut results = Results::default();
        for part in &self.part {
            eprintln!("{}…", part.word());
            results.rows.extend(part.run(&mut lab)?);
        }
        results.left_out = lab.left_out();
        if let Some(path) = &self.write {
            output::write(path, &page::markdown(&results))?;
        }
        if self.json {
            println!("{}", serde_json::to_string_pretty(&results)?);
        } else {
            print!("{}", page::text(&results));
        }
        Ok(())
    }
}
