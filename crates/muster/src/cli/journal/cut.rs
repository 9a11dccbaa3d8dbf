//! `muster journal cut`: takes damaged entries out of the way, or goes back in time. Nothing is
//! destroyed: what is cut goes to the table `damaged` of the same file.

use std::path::Path;

use anyhow::{Result, bail};
use clap::Args;
use muster_store::{Cut as Done, Journal, SqliteJournal, Verification};

use super::verify;
use crate::cli::{Usage, print};
use muster_model::quantity::separated;

/// Set damaged entries aside, or all from one on, so that a server can start
#[derive(Debug, Args)]
pub(super) struct Cut {
    /// Set this entry and all after it aside, although they are whole: the cluster goes back to
    /// before it
    #[arg(long, value_name = "ENTRY")]
    at: Option<u64>,

    /// Do it; without this it is only told what would be done
    #[arg(long)]
    yes: bool,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// Take out what is damaged, from this entry on.
    Mend(u64),
    /// Forget whole entries from this one on.
    Back(u64),
}

impl Cut {
    pub(super) fn run(&self, data: &Path, journal: SqliteJournal) -> Result<()> {
        let found = journal.verify()?;
        let last = journal.last()?;
        drop(journal);
        let plan = plan(&found, self.at)?;
        if !self.yes {
            let what = match (plan, found.damage) {
                (Plan::Mend(_), Some(damage)) => verify::words(damage),
                (Plan::Mend(at) | Plan::Back(at), _) => {
                    let lost = separated((last + 1).saturating_sub(at));
                    format!("entries {at} to {last} are whole, and {lost} would be set aside")
                }
            };
            bail!(Usage::new(what).hint("nothing was changed; --yes sets them aside"));
        }
        let done = match plan {
            Plan::Mend(at) => SqliteJournal::cut(data, at)?,
            Plan::Back(from) => SqliteJournal::cut_back(data, from)?,
        };
        print::text(&report(done))
    }
}

/// What is to be done about a journal.
pub(super) fn plan(found: &Verification, at: Option<u64>) -> Result<Plan> {
    match (found.damage, at) {
        (Some(damage), None) => Ok(Plan::Mend(damage.sequence)),
        (Some(damage), Some(at)) if at == damage.sequence => Ok(Plan::Mend(at)),
        (_, Some(at)) => Ok(Plan::Back(at)),
        (None, None) => {
            let hint =
                "to go back to an earlier state, name the first entry to set aside with --at";
            bail!(Usage::new("nothing is damaged, so nothing was cut").hint(hint))
        }
    }
}

/// What was done.
pub(super) fn report(done: Done) -> String {
    let Done { covered_by, set_aside, lost, last } = done;
    let aside =
        format!("{} {}", separated(set_aside), if set_aside == 1 { "entry" } else { "entries" });
    let mut text = match covered_by {
        Some(snapshot) => {
            format!("{aside} set aside; the snapshot after entry {snapshot} stands in for them\n")
        }
        None => format!(
            "{aside} set aside, {} of them whole; the journal ends at entry {last}\n",
            separated(lost)
        ),
    };
    text.push_str("what was cut is in the table `damaged` of journal.db\n");
    if covered_by.is_none() && lost > 0 {
        text.push_str(
            "jobs that were accepted after that are forgotten, and their numbers will be given \
             again; agents end what they still run of them\n",
        );
    }
    text
}
