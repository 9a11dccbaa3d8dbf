//! The parts of a job of the model that follow from a request alone.
//!
//! Queue, class and team follow from partition, QOS and account by the cluster's configuration, and
//! the program from the script; both are for whoever submits.

mod after;
mod groups;
mod place;

use muster_model::{
    Array, Constraint, Dependency, JobSpec, Level, Name, Requeue, TaskGroup, Timing, TopologyWish,
    Warning,
};

use super::{Allocation, Missing, Note, Request};
use crate::error::Refusal;
use crate::values::{Clock, TimeLimit};

/// What has to be known of the cluster and the moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// What time it is where the request was written.
    pub clock: Clock,
    /// The level of the topology that a switch is; a wish for few switches is left out without.
    pub switch: Option<Level>,
    /// The level that a block of segments is.
    pub block: Option<Level>,
}

/// The parts of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobParts {
    /// What the job is given, from which the groups were made.
    pub allocation: Allocation,
    /// Its name, where one was given.
    pub name: Option<Name>,
    /// Its groups: one slice is one task.
    pub groups: Vec<TaskGroup>,
    /// Where they sit relative to each other.
    pub topology: TopologyWish,
    /// On which nodes.
    pub constraint: Constraint,
    /// One element for each index.
    pub array: Option<Array>,
    /// What it waits for.
    pub after: Vec<Dependency>,
    /// When and for how long.
    pub timing: Timing,
    /// Whether it is started again when it is lost.
    pub requeue: Requeue,
    /// In which booking.
    pub booking: Option<Name>,
    /// Not before it is released.
    pub hold: bool,
    /// What the model cannot say.
    pub missing: Vec<Missing>,
    /// What was settled.
    pub notes: Vec<Note>,
}

impl Request {
    /// The parts of a job that this request means.
    pub fn job(&self, mapping: &Mapping) -> Result<JobParts, Refusal> {
        let allocation = self.allocation()?;
        let mut missing = Vec::new();
        let mut notes = allocation.notes.clone();
        let groups = groups::of(&allocation, &mut missing);
        let topology = self.topology(&allocation, mapping, &mut missing)?;
        let constraint = self.constraint(&allocation, &mut missing);
        let after = self.after(&mut missing);
        let timing = self.timing(mapping);
        if self.size.nodes.is_some_and(|nodes| nodes.min < nodes.max) {
            missing.push(Missing::NodeRange);
        }
        if self.identity.reservations.len() > 1 {
            missing.push(Missing::SeveralReservations);
        }
        let booking = self.identity.reservations.first().map(|name| Name::from(name.as_str()));
        let requeue = Requeue::default();
        let when_lost = self.run.requeue.unwrap_or(requeue.when_lost);
        Ok(JobParts {
            name: self.name(&mut notes),
            groups,
            topology,
            constraint,
            array: self.when.array.clone(),
            after,
            timing,
            requeue: Requeue { when_lost, ..requeue },
            booking,
            hold: self.when.hold,
            missing,
            notes,
            allocation,
        })
    }

    fn timing(&self, mapping: &Mapping) -> Timing {
        let when = &self.when;
        let resolve = |moment: crate::values::Moment| moment.resolve(mapping.clock);
        Timing {
            limit: when.limit.and_then(TimeLimit::millis),
            limit_min: when.limit_min.and_then(TimeLimit::millis),
            estimate: None,
            deadline: when.deadline.map(resolve),
            drop_late: when.deadline.is_some(),
            begin: when.begin.map(resolve),
            warning: self.run.signal.map(|signal| Warning {
                signal: signal.signal,
                before: muster_model::Millis::seconds(u64::from(signal.before_s)),
            }),
        }
    }

    /// The name that its job has at first.
    pub fn job_name(&self) -> Option<Name> {
        self.name(&mut Vec::new())
    }

    /// Slurm takes any name; what a name may not have here becomes a dash.
    fn name(&self, notes: &mut Vec<Note>) -> Option<Name> {
        let given = self.identity.job_name.as_deref()?;
        match Name::new(given) {
            Ok(name) => Some(name),
            Err(refused) => {
                let used = refused.meant.unwrap_or_else(|| "job".to_owned());
                let name = Name::from(used.as_str());
                notes.push(Note::NameChanged { given: given.to_owned(), used });
                Some(name)
            }
        }
    }
}

impl JobParts {
    /// Whether the model can say everything that matters.
    pub fn is_whole(&self) -> bool {
        !self.missing.iter().any(Missing::is_wrong)
    }

    /// Puts the parts into a job.
    pub fn put_into(self, spec: &mut JobSpec) {
        if let Some(name) = self.name {
            spec.name = name;
        }
        spec.groups = self.groups;
        spec.topology = self.topology;
        spec.constraint = self.constraint;
        spec.array = self.array;
        spec.after = self.after;
        spec.timing = self.timing;
        spec.requeue = self.requeue;
        spec.booking = self.booking;
        spec.hold = self.hold;
    }
}
