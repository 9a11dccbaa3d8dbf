//! `scontrol show job`: everything about a job, in lines of names and values.

use muster_model::Time;

use super::amount;
use super::{Elements, JobFacts};
use crate::values::Hostlist;
use crate::words::time::{UNKNOWN, stamp};
use crate::words::{State, duration};

/// The lines about one job; on one line where that is wanted.
pub fn job(job: &JobFacts, now: Time, offset_s: i32, is_one_line: bool) -> String {
    let mut lines = vec![head(job)];
    lines.extend(life(job, now, offset_s));
    lines.extend(place(job));
    lines.extend(program(job));
    let per_node = job.per_node();
    if !per_node.is_empty() {
        lines.push(format!("TresPerNode={per_node}"));
    }
    let gpus = &job.request.size.gpus;
    if let Some(gpus) = &gpus.per_job {
        lines.push(format!("TresPerJob=gres:{}", gpus.as_gres()));
    }
    if let Some(gpus) = &gpus.per_task {
        lines.push(format!("TresPerTask=gres:{}", gpus.as_gres()));
    }
    if is_one_line {
        return format!("{} \n", lines.join(" "));
    }
    // Slurm ends with an empty indented line.
    lines.push(String::new());
    format!("{}\n\n", lines.join("\n   "))
}

fn null(text: &str) -> &str {
    if text.is_empty() { "(null)" } else { text }
}

fn head(job: &JobFacts) -> String {
    let Some((array, elements)) = &job.array else {
        return format!("JobId={} JobName={}", job.id, job.name);
    };
    let index = match elements {
        Elements::One(index) => index.to_string(),
        several @ Elements::Several(..) => several.to_string().trim_matches(['[', ']']).to_owned(),
    };
    let throttle = job.request.when.array.as_ref().and_then(|array| array.throttle);
    let throttle = throttle.map(|most| format!(" ArrayTaskThrottle={most}")).unwrap_or_default();
    let (id, name) = (job.id, &job.name);
    format!("JobId={id} ArrayJobId={array} ArrayTaskId={index}{throttle} JobName={name}")
}

fn life(job: &JobFacts, now: Time, offset_s: i32) -> Vec<String> {
    let moment = |time: Option<Time>| time.map_or(UNKNOWN.to_owned(), |time| stamp(time, offset_s));
    let limit = job.limit_s.map_or("UNLIMITED".to_owned(), duration::long);
    let least = job.request.when.limit_min.map_or("N/A".to_owned(), |it| it.to_string());
    let deadline = job.deadline.map_or("N/A".to_owned(), |time| stamp(time, offset_s));
    let is_held = job.request.when.hold && job.state == State::Pending && job.priority == 0;
    let eligible = (!is_held).then(|| job.begin.unwrap_or(job.submitted));
    let started = match job.state {
        State::Pending => job.expected.or(job.begin),
        _ => job.started,
    };
    let dependency = job.request.when.dependency.as_ref().map(ToString::to_string);
    let dependency = dependency.filter(|_| job.state == State::Pending).unwrap_or_default();
    let (user, uid, group, gid) = (&job.user, job.uid, &job.group, job.gid);
    let evaluated = job.started.unwrap_or(job.submitted);
    vec![
        format!("UserId={user}({uid}) GroupId={group}({gid}) MCS_label=N/A"),
        format!("Priority={} Nice=0 Account={} QOS={}", job.priority, null(&job.account), job.qos),
        format!("JobState={} Reason={} Dependency={}", job.state, job.reason, null(&dependency)),
        format!(
            "Requeue={} Restarts={} BatchFlag={} Reboot=0 ExitCode={}",
            u8::from(job.requeue),
            job.restarts,
            u8::from(job.is_batch),
            job.exit
        ),
        format!("RunTime={} TimeLimit={limit} TimeMin={least}", duration::long(job.elapsed_s(now))),
        format!("SubmitTime={} EligibleTime={}", moment(Some(job.submitted)), moment(eligible)),
        format!("AccrueTime={}", moment(eligible)),
        format!("StartTime={} EndTime={} Deadline={deadline}", moment(started), moment(job.end())),
        format!(
            "SuspendTime=None SecsPreSuspend=0 LastSchedEval={} Scheduler=Main",
            moment(Some(evaluated))
        ),
    ]
}

fn place(job: &JobFacts) -> Vec<String> {
    let place = &job.request.place;
    let (reserved, excluded) = (place.nodelist.to_string(), place.exclude.to_string());
    let host = if job.host.is_empty() { "localhost" } else { &job.host };
    let mut lines = vec![
        format!("Partition={} AllocNode:Sid={host}:0", job.partition),
        format!("ReqNodeList={} ExcNodeList={}", null(&reserved), null(&excluded)),
        format!("NodeList={}", Hostlist::new(job.nodes.iter().cloned())),
    ];
    lines.extend(job.nodes.first().map(|first| format!("BatchHost={first}")));
    let size = &job.request.size;
    let wants = &job.wants;
    let nodes = u64::from(job.node_count());
    let features = place.constraint.as_ref().map(ToString::to_string).unwrap_or_default();
    let (memory_by, memory) = job.memory_asked();
    let cpus = size.cpus_per_node_min.or(size.cpus_per_task).unwrap_or(1);
    let reservation = job.request.identity.reservations.join(",");
    lines.push(format!(
        "NumNodes={} NumCPUs={} NumTasks={} CPUs/Task={} ReqB:S:C:T=0:0:*:*",
        job.node_count(),
        wants.cpus,
        wants.tasks,
        size.cpus_per_task.unwrap_or(1)
    ));
    lines.push(format!(
        "TRES={}",
        amount::tres_by_number(wants.cpus, wants.gpus, wants.memory_mib, nodes)
    ));
    lines.push(format!(
        "Socks/Node=* NtasksPerN:B:S:C={}:0:*:* CoreSpec=*",
        size.tasks_per_node.unwrap_or(0)
    ));
    lines.push(format!("MinCPUsNode={cpus} {memory_by}={memory} MinTmpDiskNode=0"));
    lines.push(format!("Features={} DelayBoot=00:00:00", null(&features)));
    if !reservation.is_empty() {
        lines.push(format!("Reservation={reservation}"));
    }
    let sharing = if size.exclusive { "NO" } else { "OK" };
    lines.push(format!("OverSubscribe={sharing} Contiguous=0 Licenses=(null) Network=(null)"));
    lines
}

fn program(job: &JobFacts) -> Vec<String> {
    let mut lines = Vec::new();
    lines.push(format!("Command={}", null(&job.command)));
    lines.push(format!("WorkDir={}", job.directory));
    lines.extend(job.note.as_ref().map(|note| format!("AdminComment={note}")));
    let comment = job.request.identity.comment.as_deref();
    lines.extend(comment.map(|comment| format!("Comment={comment}")));
    lines.push(format!("StdErr={}", job.error));
    lines.push(format!("StdIn={}", job.input));
    lines.push(format!("StdOut={}", job.output));
    lines.push("Power=".to_owned());
    lines
}
