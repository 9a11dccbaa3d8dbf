//! `sacct --parsable2`: cells at bars, any columns in any order. Times have no zone and are read
//! as UTC. Rows of steps are left out: each belongs to a job that has its own row.

use muster_model::Millis;

use super::state::{self, outcome};
use super::tres::{self, Resources, resources};
use super::{Parse, Parsed};
use crate::job::{Fault, Gpus, Job, Outcome};
use crate::read::cell::{clock, cpus, natural, seconds};
use crate::read::header::{Column, Header, Misfit, lacking};
use crate::read::moment::moment;
use crate::read::row::Row;
use crate::read::words::Words;
use crate::trace::LeftOut;

/// The export that has everything this reader can use.
pub(super) const COMMAND: &str = "sacct --allusers --parsable2 --format=JobID,JobName,User,Account,\
     Partition,QOS,Submit,Start,End,Elapsed,State,Timelimit,NNodes,ReqCPUS,ReqTRES,AllocTRES";

/// The columns.
pub(super) struct Sacct {
    id: Column,
    submit: Column,
    elapsed: Elapsed,
    granted: Option<Column>,
    asked: Option<Column>,
    start: Option<Column>,
    state: Option<Column>,
    limit: Option<Column>,
    limit_minutes: Option<Column>,
    nodes: Option<Column>,
    cpus: Option<Column>,
    user: Option<Column>,
    account: Option<Column>,
    partition: Option<Column>,
    quality: Option<Column>,
    name: Option<Column>,
}

/// Where the run time stands.
enum Elapsed {
    Clock(Column),
    Seconds(Column),
    /// From start to end.
    Ends(Column, Column),
}

impl Sacct {
    pub(super) fn new(header: &Header) -> Result<Sacct, Misfit> {
        let [submit] = header.all(["Submit"])?;
        let id = header.first(&["JobID", "JobIDRaw"]).ok_or_else(|| lacking(&["JobID"]))?;
        let elapsed = match (header.find("ElapsedRaw"), header.find("Elapsed")) {
            (Some(column), _) => Elapsed::Seconds(column),
            (None, Some(column)) => Elapsed::Clock(column),
            (None, None) => {
                let [start, end] =
                    header.all(["Start", "End"]).map_err(|_| lacking(&["Elapsed"]))?;
                Elapsed::Ends(start, end)
            }
        };
        let (granted, asked) = (header.first(&["AllocTRES", "TRES"]), header.find("ReqTRES"));
        if granted.is_none() && asked.is_none() {
            return Err(lacking(&["AllocTRES", "ReqTRES"]));
        }
        Ok(Sacct {
            id,
            submit,
            elapsed,
            granted,
            asked,
            start: header.find("Start"),
            state: header.find("State"),
            limit: header.find("Timelimit"),
            limit_minutes: header.find("TimelimitRaw"),
            nodes: header.first(&["NNodes", "AllocNodes", "ReqNodes"]),
            cpus: header.first(&["ReqCPUS", "NCPUS", "AllocCPUS"]),
            user: header.find("User"),
            account: header.find("Account"),
            partition: header.find("Partition"),
            quality: header.find("QOS"),
            name: header.find("JobName"),
        })
    }

    /// How long it ran; nothing where it never started.
    fn duration(&self, row: &Row) -> Result<Option<Millis>, Fault> {
        let start = self.start.as_ref().and_then(|start| known(start, row));
        let duration = match &self.elapsed {
            Elapsed::Clock(column) => column.read(row, clock, "a duration such as 1-02:03:04")?,
            Elapsed::Seconds(column) => column.read(row, seconds, "a duration in seconds")?,
            Elapsed::Ends(begin, end) => match (known(begin, row), known(end, row)) {
                (Some(_), Some(_)) => {
                    let [begin, end] = [begin, end].map(|column| column.need(row, moment, MOMENT));
                    Some(end?.since(begin?))
                }
                _ => None,
            },
        };
        let has_started = self.start.is_none() || start.is_some();
        Ok(duration.filter(|_| has_started))
    }

    /// What was granted; what was asked for where that is empty.
    fn resources(&self, row: &Row) -> Result<Resources, Fault> {
        for column in [&self.granted, &self.asked].into_iter().flatten() {
            if let Some(found) = column.read(row, resources, tres::EXPECTED)? {
                return Ok(found);
            }
        }
        Ok(Resources::default())
    }

    fn limit(&self, row: &Row) -> Result<Option<Millis>, Fault> {
        if let Some(column) = &self.limit_minutes {
            let is_none = column.text(row).is_none_or(|text| natural(text).is_none());
            let minutes = |text: &str| natural(text)?.checked_mul(60_000).map(Millis);
            return if is_none { Ok(None) } else { column.read(row, minutes, "minutes") };
        }
        match &self.limit {
            Some(column) => match column.text(row) {
                None | Some("UNLIMITED" | "Partition_Limit" | "INVALID") => Ok(None),
                Some(_) => column.read(row, clock, "a duration such as 1-00:00:00"),
            },
            None => Ok(None),
        }
    }
}

const MOMENT: &str = "a moment such as 2024-03-01T12:34:56";

/// A moment that is known: Slurm has two words for those that are not.
fn known<'r>(column: &Column, row: &'r Row) -> Option<&'r str> {
    column.text(row).filter(|text| !matches!(*text, "Unknown" | "None" | "N/A"))
}

impl Parse for Sacct {
    fn row(&mut self, row: &Row, words: &mut Words) -> Result<Parsed, Fault> {
        let id = self.id.some(row)?;
        if id.contains('.') {
            return Ok(Parsed::LeftOut(LeftOut::Step));
        }
        let submit = self.submit.need(row, moment, MOMENT)?;
        let outcome = match &self.state {
            Some(state) => state.read(row, outcome, state::EXPECTED)?.unwrap_or_default(),
            None => Outcome::Unknown,
        };
        let found = self.resources(row)?;
        let limit = self.limit(row)?;
        let Some(duration) = self.duration(row)? else {
            return Ok(Parsed::LeftOut(LeftOut::NeverStarted));
        };
        let mut job = Job::new(id, submit, duration, Gpus::Whole(found.gpus));
        let start = self.start.as_ref().filter(|start| known(start, row).is_some());
        if let Some(start) = start {
            job.waited = Some(start.need(row, moment, MOMENT)?.since(submit));
        }
        (job.outcome, job.limit) = (outcome, limit);
        (job.cpus, job.memory, job.nodes) = (found.cpus, found.memory, found.nodes);
        if let (None, Some(column)) = (job.cpus, &self.cpus) {
            job.cpus = column.read(row, cpus, "a number of CPUs")?;
        }
        if let (None, Some(column)) = (job.nodes, &self.nodes) {
            let count = column.read(row, |text| u32::try_from(natural(text)?).ok(), "a count")?;
            job.nodes = count.filter(|&nodes| nodes > 0);
        }
        job.models = found.models.iter().map(|model| words.word(model)).collect();
        let mut word = |column: &Option<Column>| words.some(column.as_ref()?.text(row));
        job.user = word(&self.user);
        job.team = word(&self.account);
        job.pool = word(&self.partition);
        job.class = word(&self.quality);
        job.name = word(&self.name);
        Ok(Parsed::Job(Box::new(job)))
    }
}
