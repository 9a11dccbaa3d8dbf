//! `muster journal state`: the cluster as it was after an entry.

use anyhow::Result;
use clap::Args;
use muster_api::view::{ClusterView, JobState, JobView, NodeView, QueueView};
use muster_api::{At, Moment};
use muster_server::control::JobFilter;
use muster_server::replay::{PastState, state_at};
use muster_store::{Journal, SqliteJournal};
use serde::Serialize;

use crate::cli::print;
use crate::cli::show::{cluster, job, node, table};

/// Show the cluster at a past moment: queues, nodes and jobs
#[derive(Debug, Args)]
pub(super) struct State {
    /// After this entry, or at a moment such as 2026-01-31T08:00:00Z [default: the last entry]
    #[arg(long, value_name = "ENTRY|MOMENT")]
    at: Option<At>,

    /// Also jobs that had ended
    #[arg(long, short)]
    all: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// All that is shown.
#[derive(Debug, Serialize)]
pub(super) struct Shown {
    sequence: u64,
    at: Moment,
    cluster: ClusterView,
    queues: Vec<QueueView>,
    nodes: Vec<NodeView>,
    jobs: Vec<JobView>,
}

impl State {
    pub(super) fn run(&self, journal: &SqliteJournal) -> Result<()> {
        let at = self.at.unwrap_or(At::Entry(journal.last()?));
        let shown = Shown::of(state_at(journal, at)?, self.all);
        if self.json { print::json(&shown) } else { print::text(&shown.text(table::width())) }
    }
}

impl Shown {
    pub(super) fn of(mut past: PastState, with_ended: bool) -> Shown {
        let control = &mut past.control;
        let mut jobs = control.jobs(&JobFilter::default(), None, usize::MAX);
        jobs.retain(|job| with_ended || job.state != JobState::Ended);
        control.add_reasons(&mut jobs);
        Shown {
            sequence: past.sequence,
            at: Moment(control.now()),
            cluster: control.glance(past.sequence),
            queues: control.queues(),
            nodes: control.nodes(),
            jobs,
        }
    }

    pub(super) fn text(&self, width: Option<usize>) -> String {
        let now = self.at.0;
        let when = format!("after entry {}, {}", self.sequence, self.at);
        let mut text = cluster::glance(("moment", &when), &self.cluster);
        let tables = [
            (self.queues.is_empty(), node::queues(&self.queues)),
            (self.nodes.is_empty(), node::table(&self.nodes, now)),
            (self.jobs.is_empty(), job::table(&self.jobs, now)),
        ];
        for (_, table) in tables.into_iter().filter(|(is_empty, _)| !is_empty) {
            text.push('\n');
            text.push_str(&table.text(width));
        }
        text
    }
}
