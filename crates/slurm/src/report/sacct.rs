//! The lines of `sacct`: a job, its script as a step, and its other steps.

use muster_model::Time;

use super::amount;
use super::{Elements, JobFacts, Measured, StepFacts};
use crate::values::Hostlist;
use crate::words::format::Field;
use crate::words::time::{UNKNOWN, stamp};
use crate::words::{State, duration};

/// One line.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    job: &'a JobFacts,
    part: Part<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Part<'a> {
    /// The whole job.
    Job,
    /// Its script.
    Batch,
    /// A step.
    Step(&'a StepFacts),
}

/// The lines of a job; steps only where they are wanted, and there is no script before a start.
pub fn rows(job: &JobFacts, with_steps: bool) -> Vec<Row<'_>> {
    let mut rows = vec![Row { job, part: Part::Job }];
    if with_steps && job.started.is_some() && job.state != State::Pending {
        rows.extend(job.is_batch.then_some(Row { job, part: Part::Batch }));
        rows.extend(job.steps.iter().map(|step| Row { job, part: Part::Step(step) }));
    }
    rows
}

impl Row<'_> {
    /// What a field holds.
    pub fn value(&self, field: &Field, now: Time, offset_s: i32) -> String {
        let common = self.identity(field.name).or_else(|| self.when(field.name, now, offset_s));
        common.or_else(|| self.amounts(field.name, now)).unwrap_or_else(|| match self.part {
            Part::Job => whole(self.job, field.name, offset_s),
            Part::Batch | Part::Step(_) => String::new(),
        })
    }

    /// The state of this line, for those who choose by it.
    pub fn state(&self) -> State {
        // Accounting knows no more of a job than that it runs; tools take other words for an end.
        match self.own_state() {
            State::Configuring | State::Completing => State::Running,
            state => state,
        }
    }

    fn own_state(&self) -> State {
        match self.part {
            Part::Job => self.job.state,
            Part::Batch => self.batch_state(),
            Part::Step(step) => step.state,
        }
    }

    /// Whether this is the step that people mean by these words: `batch`, or a number.
    pub fn is_step(&self, name: &str) -> bool {
        match self.part {
            Part::Job => false,
            Part::Batch => name == "batch",
            Part::Step(step) => step.number.to_string() == name,
        }
    }

    /// A script that is ended from outside is told so by a signal.
    fn batch_state(&self) -> State {
        match self.job.state {
            State::Timeout => State::Cancelled,
            state => state,
        }
    }

    fn identity(&self, name: &str) -> Option<String> {
        let suffix = match self.part {
            Part::Job => String::new(),
            Part::Batch => ".batch".to_owned(),
            Part::Step(step) => format!(".{}", step.number),
        };
        let (exit, nodes) = match self.part {
            Part::Job => (self.job.exit, &self.job.nodes[..]),
            Part::Batch => (self.job.batch_exit, self.job.nodes.get(..1).unwrap_or_default()),
            Part::Step(step) => (step.exit, &step.nodes[..]),
        };
        Some(match name {
            "JobID" => format!("{}{suffix}", self.job.label()),
            "JobIDRaw" => format!("{}{suffix}", self.job.id),
            "JobName" => match self.part {
                Part::Job => self.job.name.clone(),
                Part::Batch => "batch".to_owned(),
                Part::Step(step) => step.name.clone(),
            },
            "Account" => self.job.account.clone(),
            "Cluster" => self.job.cluster.clone(),
            "State" => match (self.part, self.job.cancelled_by) {
                (Part::Job, Some(uid)) if self.job.state == State::Cancelled => {
                    format!("CANCELLED by {uid}")
                }
                _ => self.state().word().to_owned(),
            },
            "ExitCode" => exit.to_string(),
            "NodeList" if nodes.is_empty() => "None assigned".to_owned(),
            "NodeList" => Hostlist::new(nodes.iter().cloned()).to_string(),
            "NNodes" | "AllocNodes" => self.nodes().to_string(),
            _ => return None,
        })
    }

    fn nodes(&self) -> u64 {
        match self.part {
            Part::Job => u64::from(self.job.node_count()),
            Part::Batch => 1,
            Part::Step(step) => u64::try_from(step.nodes.len()).unwrap_or(0),
        }
    }

    fn times(&self) -> (Option<Time>, Option<Time>) {
        match self.part {
            Part::Step(step) => (step.started, step.ended),
            // What waits again has not started as far as accounting goes.
            _ if self.job.state == State::Pending => (None, None),
            Part::Job | Part::Batch => {
                // Who never started has the moment of its end for both.
                (self.job.started.or(self.job.ended), self.job.ended)
            }
        }
    }

    fn elapsed_s(&self, now: Time) -> u64 {
        let (started, ended) = self.times();
        let second = |time: Time| time.0 / 1000;
        started.map_or(0, |start| second(ended.unwrap_or(now)).saturating_sub(second(start)))
    }

    fn when(&self, name: &str, now: Time, offset_s: i32) -> Option<String> {
        let moment =
            |time: Option<Time>| time.map_or(UNKNOWN.to_owned(), |time| stamp(time, offset_s));
        let (started, ended) = self.times();
        let elapsed = self.elapsed_s(now);
        Some(match name {
            "Start" => moment(started),
            "End" => moment(ended),
            "Submit" | "Eligible" => match self.part {
                Part::Job if name == "Submit" => moment(Some(self.job.submitted)),
                Part::Job => moment(Some(self.job.begin.unwrap_or(self.job.submitted))),
                Part::Batch | Part::Step(_) => moment(started),
            },
            "Elapsed" => duration::long(elapsed),
            "ElapsedRaw" => elapsed.to_string(),
            "Suspended" => duration::long(0),
            "CPUTime" => duration::long(elapsed * self.cpus()),
            "CPUTimeRAW" => (elapsed * self.cpus()).to_string(),
            "TotalCPU" => processors(self.cpu_ms(|took| took.user_ms + took.system_ms)),
            "UserCPU" => processors(self.cpu_ms(|took| took.user_ms)),
            "SystemCPU" => processors(self.cpu_ms(|took| took.system_ms)),
            _ => return None,
        })
    }

    /// What was measured of this line; a job as a whole has only what can be summed up.
    fn measured(&self) -> Option<&Measured> {
        match self.part {
            Part::Job => None,
            Part::Batch => self.job.measured.as_ref(),
            Part::Step(step) => step.measured.as_ref(),
        }
    }

    fn cpu_ms(&self, of: impl Fn(&Measured) -> u64) -> u64 {
        let all = self.job.steps.iter().filter_map(|step| step.measured.as_ref());
        match self.part {
            Part::Job => all.chain(&self.job.measured).map(of).sum(),
            Part::Batch | Part::Step(_) => self.measured().map(of).unwrap_or_default(),
        }
    }

    fn cpus(&self) -> u64 {
        match self.part {
            Part::Job => self.job.wants.cpus,
            Part::Batch => self.job.wants.cpus_first,
            Part::Step(step) => step.cpus,
        }
    }

    fn amounts(&self, name: &str, now: Time) -> Option<String> {
        let wants = &self.job.wants;
        let has_started = self.job.state != State::Pending && self.job.started.is_some();
        Some(match name {
            "AllocCPUS" | "NCPUS" => self.cpus().to_string(),
            "AllocTRES" => match self.part {
                Part::Job if !has_started => String::new(),
                Part::Job => {
                    let nodes = self.nodes();
                    amount::tres_by_name(wants.cpus, wants.gpus, wants.memory_mib, nodes, true)
                }
                Part::Batch => {
                    let (gpus, memory) = (wants.gpus_first, wants.memory_first_mib);
                    amount::tres_by_name(wants.cpus_first, gpus, memory, 1, false)
                }
                Part::Step(step) => {
                    amount::tres_by_name(step.cpus, step.gpus, 0, self.nodes(), false)
                }
            },
            "MaxRSS" => amount::measured(self.measured()?.memory_max_kib),
            "MaxRSSNode" => self.measured()?.memory_max_node.clone(),
            "MaxRSSTask" => self.measured()?.memory_max_task.to_string(),
            "AveRSS" => amount::measured(self.measured()?.memory_mean_kib),
            "NTasks" => match self.part {
                Part::Job => String::new(),
                Part::Batch => "1".to_owned(),
                Part::Step(step) => step.tasks.to_string(),
            },
            "Planned" | "Reserved" => match self.part {
                Part::Job => {
                    let until = self.job.started.or(self.job.ended).unwrap_or(now);
                    let from = self.job.begin.unwrap_or(self.job.submitted);
                    duration::long((until.0 / 1000).saturating_sub(from.0 / 1000))
                }
                Part::Batch | Part::Step(_) => String::new(),
            },
            _ => return None,
        })
    }
}

/// The time of processors; without thousandths it is written as any other.
fn processors(millis: u64) -> String {
    match millis.is_multiple_of(1000) {
        true => duration::long(millis / 1000),
        false => duration::fine(millis),
    }
}

/// What only a whole job has.
fn whole(job: &JobFacts, name: &str, offset_s: i32) -> String {
    let wants = &job.wants;
    let identity = &job.request.identity;
    match name {
        "Partition" => job.partition.clone(),
        "QOS" => job.qos.clone(),
        "User" => job.user.clone(),
        "UID" => job.uid.to_string(),
        "Group" => job.group.clone(),
        "GID" => job.gid.to_string(),
        "Comment" => identity.comment.as_ref().or(job.note.as_ref()).cloned().unwrap_or_default(),
        "AdminComment" => job.note.clone().unwrap_or_default(),
        "Constraints" => {
            job.request.place.constraint.as_ref().map(ToString::to_string).unwrap_or_default()
        }
        "DerivedExitCode" => "0:0".to_owned(),
        "Flags" => "SchedMain".to_owned(),
        "Priority" => job.priority.to_string(),
        "Reason" => job.reason.word().to_owned(),
        "ReqCPUS" => wants.cpus.to_string(),
        "ReqNodes" => wants.nodes.to_string(),
        "ReqMem" if wants.memory_mib > 0 => amount::memory(wants.memory_mib),
        "ReqMem" => "0".to_owned(),
        "ReqTRES" => {
            let nodes = u64::from(wants.nodes);
            amount::tres_by_name(wants.cpus, wants.gpus, wants.memory_mib, nodes, true)
        }
        "Reservation" => identity.reservations.join(","),
        "SubmitLine" => job.line.clone(),
        "Timelimit" => job.limit_s.map_or("UNLIMITED".to_owned(), duration::long),
        "TimelimitRaw" => job.limit_s.map_or("UNLIMITED".to_owned(), |it| (it / 60).to_string()),
        "WorkDir" => job.directory.clone(),
        "Deadline" => job.deadline.map(|time| stamp(time, offset_s)).unwrap_or_default(),
        _ => String::new(),
    }
}

impl Row<'_> {
    /// The order of lines: single jobs by number, the elements of arrays behind them.
    pub fn order(job: &JobFacts) -> (u64, u32) {
        match &job.array {
            Some((array, Elements::One(index))) => (*array, *index),
            Some((array, Elements::Several(..))) => (*array, u32::MAX),
            None => (job.id, 0),
        }
    }
}
