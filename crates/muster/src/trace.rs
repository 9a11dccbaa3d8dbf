//! `muster trace`: reads, converts, sums up and makes traces. Chooses the subcommand; the work is
//! done by the crate of the same name.

mod convert;
mod make;
pub(crate) mod reading;
mod show;

use anyhow::Result;
use clap::{Args, Subcommand};

/// Read, convert and make traces of jobs
#[derive(Debug, Args)]
pub(crate) struct Trace {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Convert(convert::Convert),
    Show(show::Show),
    Make(make::Make),
}

impl Trace {
    pub(crate) fn run(&self) -> Result<()> {
        match &self.what {
            What::Convert(convert) => convert.run(),
            What::Show(show) => show.run(),
            What::Make(make) => make.run(),
        }
    }
}
