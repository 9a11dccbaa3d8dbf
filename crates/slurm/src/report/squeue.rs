//! What the columns of `squeue` hold, and the order of its lines.

use muster_model::Time;

use super::{Elements, JobFacts, StepFacts};
use super::{amount, step};
use crate::values::Hostlist;
use crate::words::format::Field;
use crate::words::time::stamp;
use crate::words::{Reason, State, duration};

/// What stands for nothing.
const NULL: &str = "(null)";

/// What stands for what is not known.
const NONE: &str = "N/A";

/// What a field holds for a job.
pub fn value(job: &JobFacts, field: &Field, now: Time, offset_s: i32) -> String {
    if let Some(text) = identity(job, field.name) {
        return text;
    }
    if let Some(text) = size(job, field.name) {
        return text;
    }
    when(job, field.name, now, offset_s).unwrap_or_else(|| rest(job, field.name))
}

fn or_null(text: &str) -> String {
    if text.is_empty() { NULL.to_owned() } else { text.to_owned() }
}

fn identity(job: &JobFacts, name: &str) -> Option<String> {
    let (array, index) = match &job.array {
        Some((array, elements)) => (array.to_string(), elements.to_string()),
        None => (job.id.to_string(), NONE.to_owned()),
    };
    Some(match name {
        "Account" => or_null(&job.account),
        "ArrayJobID" => array,
        "ArrayTaskID" => index.trim_matches(['[', ']']).to_owned(),
        "JobArrayID" => job.label(),
        "JobID" => job.id.to_string(),
        "Name" => job.name.clone(),
        "UserName" => job.user.clone(),
        "UserID" => job.uid.to_string(),
        "GroupName" => job.group.clone(),
        "GroupID" => job.gid.to_string(),
        "Partition" => job.partition.clone(),
        "QOS" => job.qos.clone(),
        "State" => job.state.word().to_owned(),
        "StateCompact" => job.state.code().to_owned(),
        "Reason" => job.reason.word().to_owned(),
        "ReasonList" => reason_list(job),
        "Comment" => or_null(job.request.identity.comment.as_deref().unwrap_or_default()),
        "Cluster" => job.cluster.clone(),
        "Command" => or_null(&job.command),
        "WorkDir" => job.directory.clone(),
        "STDOUT" => job.output.clone(),
        "STDERR" => job.error.clone(),
        "STDIN" => job.input.clone(),
        _ => return None,
    })
}

/// The nodes of a job that has some, and why it waits or failed otherwise.
fn reason_list(job: &JobFacts) -> String {
    let nodes = || Hostlist::new(job.nodes.iter().cloned()).to_string();
    match job.state {
        State::Pending => format!("({})", job.reason),
        State::Failed | State::Timeout | State::NodeFail | State::OutOfMemory
            if job.reason != Reason::None =>
        {
            format!("({})", job.reason)
        }
        _ => nodes(),
    }
}

fn size(job: &JobFacts, name: &str) -> Option<String> {
    let size = &job.request.size;
    let wants = &job.wants;
    let count = |number: Option<u32>| number.map_or(NONE.to_owned(), |number| number.to_string());
    Some(match name {
        "NumNodes" => job.node_count().to_string(),
        "NumCPUs" => wants.cpus.to_string(),
        "NumTasks" => wants.tasks.to_string(),
        "MaxCPUs" | "MaxNodes" => "0".to_owned(),
        "MinCpus" => min_cpus(job).to_string(),
        "MinMemory" => job.memory_asked().1,
        "cpus-per-task" => count(size.cpus_per_task),
        "NTPerNode" => size.tasks_per_node.unwrap_or(0).to_string(),
        "tres-alloc" => {
            let nodes = u64::from(job.node_count());
            amount::tres_by_number(wants.cpus, wants.gpus, wants.memory_mib, nodes)
        }
        "tres-per-node" => match job.per_node() {
            text if text.is_empty() => NONE.to_owned(),
            text => text,
        },
        "tres-per-task" => size
            .gpus
            .per_task
            .as_ref()
            .map_or(NONE.to_owned(), |gpus| format!("gres:{}", gpus.as_gres())),
        "tres-per-job" => size
            .gpus
            .per_job
            .as_ref()
            .map_or(NONE.to_owned(), |gpus| format!("gres:{}", gpus.as_gres())),
        "OverSubscribe" => if size.exclusive { "NO" } else { "OK" }.to_owned(),
        _ => return None,
    })
}

fn min_cpus(job: &JobFacts) -> u32 {
    let size = &job.request.size;
    size.cpus_per_node_min.or(size.cpus_per_task).unwrap_or(1)
}

fn when(job: &JobFacts, name: &str, now: Time, offset_s: i32) -> Option<String> {
    let moment = |time: Option<Time>| time.map_or(NONE.to_owned(), |time| stamp(time, offset_s));
    let span = |limit: Option<u64>| limit.map_or("UNLIMITED".to_owned(), duration::short);
    let elapsed = job.elapsed_s(now);
    let start = match job.state {
        State::Pending => job.expected.or(job.begin),
        _ => job.started,
    };
    Some(match name {
        "TimeUsed" => duration::short(elapsed),
        "TimeLimit" => span(job.limit_s),
        "TimeLeft" => span(job.limit_s.map(|limit| limit.saturating_sub(elapsed))),
        "StartTime" => moment(start),
        "EndTime" => moment(job.end()),
        "SubmitTime" => moment(Some(job.submitted)),
        "EligibleTime" | "AccrueTime" => moment(Some(job.begin.unwrap_or(job.submitted))),
        "Deadline" => moment(job.deadline),
        "PendingTime" => {
            let until = job.started.unwrap_or(now);
            ((until.0 / 1000).saturating_sub(job.submitted.0 / 1000)).to_string()
        }
        _ => return None,
    })
}

fn rest(job: &JobFacts, name: &str) -> String {
    let place = &job.request.place;
    let list = |list: &Hostlist| list.to_string();
    match name {
        "NodeList" => Hostlist::new(job.nodes.iter().cloned()).to_string(),
        "BatchHost" => job.nodes.first().cloned().unwrap_or_else(|| "n/a".to_owned()),
        "ReqNodes" => list(&place.nodelist),
        "ExcNodes" => list(&place.exclude),
        "Feature" => {
            or_null(&place.constraint.as_ref().map(ToString::to_string).unwrap_or_default())
        }
        "Prefer" => or_null(&place.prefer.as_ref().map(ToString::to_string).unwrap_or_default()),
        "Dependency" => {
            let after = job.request.when.dependency.as_ref();
            or_null(&after.map(ToString::to_string).unwrap_or_default())
        }
        "Reservation" => or_null(&job.request.identity.reservations.join(",")),
        "Priority" => normal(job.priority),
        "PriorityLong" => job.priority.to_string(),
        "exit_code" => u32::from(job.exit.code).to_string(),
        "RestartCnt" => job.restarts.to_string(),
        "Requeue" => u8::from(job.requeue).to_string(),
        "BatchFlag" => u8::from(job.is_batch).to_string(),
        "AllocNodes" => job.host.clone(),
        "ReqSwitch" => place.switches.map_or(0, |switches| switches.count).to_string(),
        "Nice" | "Contiguous" | "MinTmpDisk" | "Reboot" | "DerivedEC" | "AssocID" => "0".to_owned(),
        "SelectJobInfo" => String::new(),
        "admin_comment" => or_null(job.note.as_deref().unwrap_or_default()),
        "Sockets" | "Cores" | "Threads" | "NTPerCore" | "NTPerSocket" | "NTPerBoard"
        | "SPerBoard" => "*".to_owned(),
        "SCT" => "*:*:*".to_owned(),
        "Licenses" | "WCKey" | "Network" | "MCSLabel" | "SchedNodes" | "Container"
        | "system_comment" | "BurstBuffer" | "BurstBufferState" => NULL.to_owned(),
        _ => NONE.to_owned(),
    }
}

/// Slurm's priority is of 32 bits, and a part of one in its old column.
fn normal(priority: u64) -> String {
    const MOST: u128 = 4_294_967_295;
    const DIGITS: u128 = 100_000_000_000_000;
    let parts = u128::from(priority).min(MOST) * DIGITS / MOST;
    format!("{}.{:014}", parts / DIGITS, parts % DIGITS)
}

/// What a field of `squeue --steps` holds; the script of a job is a step without a number.
pub fn step_value(
    job: &JobFacts,
    step: Option<&StepFacts>,
    field: &Field,
    now: Time,
    offset_s: i32,
) -> String {
    let started = step.map_or(job.started, |step| step.started);
    match field.name {
        "StepID" => step::label(job, step),
        "StepName" => step.map_or("batch".to_owned(), |step| step.name.clone()),
        "NumTasks" => step.map_or(1, |step| step.tasks).to_string(),
        "Nodes" => match step {
            Some(step) => Hostlist::new(step.nodes.iter().cloned()).to_string(),
            None => job.nodes.first().cloned().unwrap_or_default(),
        },
        "TimeLimit" => "UNLIMITED".to_owned(),
        "TimeUsed" => duration::short(step::elapsed_s(job, step, now)),
        "StartTime" => started.map_or(NONE.to_owned(), |time| stamp(time, offset_s)),
        "StepState" => step.map_or(job.state, |step| step.state).word().to_owned(),
        _ => value(job, field, now, offset_s),
    }
}

/// The order of lines, by the letters of their columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sorting(Vec<(char, bool)>);

impl Default for Sorting {
    /// By partition, state and priority.
    fn default() -> Self {
        Sorting::read("P,t,-p")
    }
}

impl Sorting {
    /// By when a job will start.
    pub fn by_start() -> Sorting {
        Sorting::read("S")
    }

    /// Reads letters with a sign each; what is no letter of a column is passed over.
    pub fn read(text: &str) -> Sorting {
        let one = |word: &str| {
            let word = word.trim();
            let letter = word.trim_start_matches(['-', '+']).chars().next()?;
            Some((letter, word.starts_with('-')))
        };
        Sorting(text.split(',').filter_map(one).collect())
    }

    /// Puts jobs in order; equals by their numbers.
    pub fn sort(&self, jobs: &mut [JobFacts], now: Time) {
        jobs.sort_by(|one, other| {
            let mut order = std::cmp::Ordering::Equal;
            for &(letter, is_down) in &self.0 {
                let next = compare(letter, one, other, now);
                order = order.then(if is_down { next.reverse() } else { next });
            }
            order.then(number(one).cmp(&number(other)))
        });
    }
}

fn number(job: &JobFacts) -> (u64, u32) {
    match &job.array {
        Some((_, Elements::One(index))) => (job.id, *index),
        _ => (job.id, 0),
    }
}

fn compare(letter: char, one: &JobFacts, other: &JobFacts, now: Time) -> std::cmp::Ordering {
    let start = |job: &JobFacts| match job.state {
        State::Pending => job.expected.or(job.begin).unwrap_or(Time(u64::MAX)),
        _ => job.started.unwrap_or(Time(u64::MAX)),
    };
    match letter {
        'P' => one.partition.cmp(&other.partition),
        't' | 'T' => one.state.cmp(&other.state),
        'p' | 'Q' => one.priority.cmp(&other.priority),
        'i' | 'A' => one.id.cmp(&other.id),
        'j' => one.name.cmp(&other.name),
        'u' | 'U' => one.user.cmp(&other.user),
        'a' => one.account.cmp(&other.account),
        'q' => one.qos.cmp(&other.qos),
        'M' => one.elapsed_s(now).cmp(&other.elapsed_s(now)),
        'l' => one.limit_s.cmp(&other.limit_s),
        'D' => one.node_count().cmp(&other.node_count()),
        'C' => one.wants.cpus.cmp(&other.wants.cpus),
        'S' => start(one).cmp(&start(other)),
        'e' => one.end().cmp(&other.end()),
        'V' => one.submitted.cmp(&other.submitted),
        'N' => one.nodes.cmp(&other.nodes),
        _ => std::cmp::Ordering::Equal,
    }
}
