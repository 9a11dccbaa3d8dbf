//! `muster sim`: a trace through the engine, under one policy after the other.

use anyhow::Result;
use clap::Args;

use super::output::Output;
use super::report::{self, Report};
use super::run::Run;
use super::setup::Setup;
use super::table;

pub(super) const EXAMPLES: &str = "Examples:
  muster sim --trace jobs.csv --format venus --cluster venus --policy muster,fifo
  muster sim --mix llm --jobs 5000 --cluster 32x8:H100 --policy muster,srtf --json out.json
  muster sim --cluster 32x8:H100 --policy muster,fifo --report out.html --price 2.50";

/// Options of a replay.
#[derive(Debug, Args)]
pub(super) struct Replay {
    #[command(flatten)]
    setup: Setup,

    #[command(flatten)]
    output: Output,
}

impl Replay {
    pub(super) fn run(&self) -> Result<()> {
        self.output.check()?;
        let ground = self.setup.ground()?;
        let columns = self.setup.columns(&ground, self.output.wants_report())?;
        let runs: Vec<&Run> = columns.iter().map(|column| &column.run).collect();
        let page = || {
            let price = self.output.price();
            report::page(&Report::policies(&ground.trace, &ground.cluster, &columns, price))
        };
        self.output.write(&runs, || table::table(&runs), page)
    }
}
