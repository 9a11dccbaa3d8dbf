//! What the server says of a job, as the facts that Slurm's reports are made of.

mod attempts;
mod steps;

pub(super) use attempts::earlier;

use muster_api::view::{JobState, JobView, Outcome};
use muster_api::{Moment, SlurmJobView, SlurmView, signal};
use muster_model::JobSpec;
use muster_slurm::report::{self, Elements, Ended, JobFacts, Life, Wants};
use muster_slurm::values::{Pattern, PatternValues};
use muster_slurm::words::{Reason, State};
use muster_slurm::{Command, Request};

use super::people::People;

/// What the agent keeps by itself has no name.
const NOWHERE: &str = "/dev/null";

/// The exit code of who has none that fits.
const CODE: u8 = 1;

/// Makes facts of jobs.
pub(super) struct Teller<'a> {
    pub(super) slurm: &'a SlurmView,
    pub(super) people: &'a People,
}

impl Teller<'_> {
    pub(super) fn job(&self, view: &SlurmJobView) -> JobFacts {
        let job = &view.job;
        let asked = view.program.as_ref().and_then(|program| program.slurm.as_deref());
        let words = asked.map(|asked| asked.words.clone()).unwrap_or_default();
        let read = Request::from_words(Command::Sbatch, words);
        let mut request = read.map(|reading| reading.request).unwrap_or_default();
        // Its throttle may be another one by now.
        if let Some(array) = view.spec.as_ref().and_then(|spec| spec.array.clone()) {
            request.when.array = Some(array);
        }
        let life = life(job);
        let state = report::state_of(life);
        let reason = report::reason_of(life, view.waits.as_deref());
        let (exit, batch_exit) = match life {
            Life::Over(ended) => ended.exits(job.started.is_some()),
            _ => Default::default(),
        };
        let (uid, gid) = self.people.numbers(&job.user);
        let time = |moment: Option<Moment>| moment.map(|Moment(time)| time);
        let spec = view.spec.as_deref();
        let timing = spec.map(|spec| &spec.timing);
        let partition = asked.map(|asked| asked.partition.clone());
        let (output, error, input) = files(view, &request);
        JobFacts {
            id: job.id,
            array: job.array.zip(job.index).map(|(array, index)| (array, Elements::One(index))),
            name: name(job, &request),
            user: job.user.clone(),
            uid,
            group: self.people.group(gid),
            gid,
            partition: partition.unwrap_or_else(|| self.partition(&job.queue)),
            account: asked
                .map(|asked| asked.account.clone())
                .or_else(|| job.team.clone())
                .unwrap_or_default(),
            qos: self.qos(asked.map(|asked| asked.qos.as_str()), &job.class),
            state,
            reason,
            exit,
            batch_exit,
            // Older journals do not say who it was; on most clusters it was the user.
            cancelled_by: (state == State::Cancelled && reason == Reason::None)
                .then(|| job.cancelled_by.as_ref().map_or(uid, |by| self.people.numbers(by).0)),
            nodes: job.nodes.clone(),
            wants: spec.map(|spec| wants(spec, &request, job)).unwrap_or_default(),
            submitted: job.submitted.0,
            started: time(job.started).filter(|_| state != State::Pending),
            ended: time(job.ended),
            expected: time(view.starts),
            begin: timing.and_then(|timing| timing.begin),
            deadline: timing.and_then(|timing| timing.deadline),
            limit_s: timing.and_then(|timing| timing.limit).map(|limit| limit.0.div_ceil(1000)),
            restarts: job.attempt.saturating_sub(1),
            requeue: spec.is_none_or(|spec| spec.requeue.when_lost),
            priority: self.priority(&job.class, reason),
            directory: view
                .program
                .as_ref()
                .and_then(|program| program.directory.clone())
                .unwrap_or_default(),
            command: asked.map(|asked| asked.command.clone()).unwrap_or_default(),
            line: asked.map(|asked| asked.line.clone()).unwrap_or_default(),
            output,
            error,
            input,
            host: asked.map(|asked| asked.host.clone()).unwrap_or_default(),
            cluster: self.slurm.cluster.clone(),
            is_batch: view
                .program
                .as_ref()
                .is_none_or(|program| program.script.is_some() || !program.command.is_empty()),
            steps: steps::facts(view, job.attempt, state),
            measured: steps::own(view, job.attempt),
            note: attempts::note(view),
            request,
        }
    }

    /// The partition of a queue.
    fn partition(&self, queue: &str) -> String {
        let found = self.slurm.partitions.iter().find(|partition| partition.queue == queue);
        found.map_or_else(|| queue.to_owned(), |partition| partition.name.clone())
    }

    /// The QOS that was asked for, unless the job has been given another class since.
    fn qos(&self, asked: Option<&str>, class: &str) -> String {
        let all = &self.slurm.qos;
        let is_other = |name: &&str| all.iter().any(|qos| qos.name == *name && qos.class != class);
        if let Some(asked) = asked.filter(|name| !is_other(name)) {
            return asked.to_owned();
        }
        let found = all.iter().find(|qos| qos.class == class);
        found.map_or_else(|| class.to_owned(), |qos| qos.name.clone())
    }

    /// The rank of the class; what is held has none.
    fn priority(&self, class: &str, reason: Reason) -> u64 {
        if reason == Reason::JobHeldUser {
            return 0;
        }
        let found = self.slurm.qos.iter().find(|qos| qos.class == class);
        found.map_or(1, |qos| u64::from(qos.priority).max(1))
    }
}

fn life(job: &JobView) -> Life {
    match job.state {
        JobState::Waiting | JobState::Queued => Life::Waits,
        JobState::Launching => Life::Starts,
        JobState::Running | JobState::Pausing => Life::Runs,
        JobState::Paused | JobState::Resuming => Life::Paused,
        JobState::Stopping => Life::Ends,
        JobState::Ended => Life::Over(ended(job)),
    }
}

/// A job's name as it was asked for, which may have letters that names lack here, unless it has
/// another since.
fn name(job: &JobView, request: &Request) -> String {
    let is_as_asked = request.job_name().is_some_and(|name| name.as_str() == job.name);
    let asked = request.identity.job_name.as_ref().filter(|_| is_as_asked);
    asked.unwrap_or(&job.name).clone()
}

fn ended(job: &JobView) -> Ended {
    match job.outcome {
        Some(Outcome::Completed) | None => Ended::Completed,
        Some(Outcome::Cancelled) => Ended::Cancelled,
        Some(Outcome::TimedOut) => Ended::TimedOut,
        Some(Outcome::NodeLost) => Ended::NodeLost,
        Some(Outcome::LaunchFailed) => Ended::LaunchFailed,
        Some(Outcome::DependencyFailed) => Ended::DependencyFailed,
        Some(Outcome::DeadlineMissed) => Ended::DeadlineMissed,
        Some(Outcome::Failed) => match (job.exit_code, job.exit_signal.as_deref()) {
            (Some(code), _) => Ended::Code(u8::try_from(code).unwrap_or(CODE)),
            (None, Some("out of memory")) => Ended::OutOfMemory,
            (None, Some(name)) => signal::number(name).map_or(Ended::Code(CODE), Ended::Signal),
            (None, None) => Ended::Code(CODE),
        },
    }
}

fn wants(spec: &JobSpec, request: &Request, job: &JobView) -> Wants {
    let allocation = request.allocation().ok();
    let mut wants = Wants::default();
    for group in &spec.groups {
        let tasks = u64::from(group.tasks.min);
        wants.cpus += tasks * group.task.cpus.0.div_ceil(1000);
        wants.memory_mib += tasks * group.task.memory.0;
    }
    wants.gpus = job.gpus_milli.div_ceil(1000);
    let slices = allocation.as_ref().and_then(|allocation| allocation.nodes());
    wants.nodes = slices.unwrap_or(1);
    wants.tasks = allocation.map_or(job.tasks, |allocation| allocation.tasks);
    let is_alone = job.nodes.len() <= 1;
    let first = spec.groups.first().filter(|_| !is_alone).map(|group| &group.task);
    wants.cpus_first = first.map_or(wants.cpus, |task| task.cpus.0.div_ceil(1000));
    wants.gpus_first = first.map_or(wants.gpus, |task| u64::from(task.gpus));
    wants.memory_first_mib = first.map_or(wants.memory_mib, |task| task.memory.0);
    wants
}

/// The files of a job with everything filled in that is known.
fn files(view: &SlurmJobView, request: &Request) -> (String, String, String) {
    let Some(program) = &view.program else { return Default::default() };
    let job = &view.job;
    let name = request.identity.job_name.as_deref().unwrap_or(&job.name);
    let values = PatternValues {
        job: job.id,
        array: job.array.zip(job.index),
        host: job.nodes.first().map_or("", String::as_str),
        user: &job.user,
        job_name: name,
        ..PatternValues::default()
    };
    let folder = program.directory.as_deref().unwrap_or_default();
    let filled = |text: Option<&String>| {
        let pattern = text?.parse::<Pattern>().ok()?;
        let path = std::path::Path::new(folder).join(pattern.expand(&values));
        Some(path.display().to_string())
    };
    let output = filled(program.output.as_ref()).unwrap_or_else(|| NOWHERE.to_owned());
    let error = filled(program.error.as_ref()).unwrap_or_else(|| output.clone());
    let input = filled(program.input.as_ref()).unwrap_or_else(|| NOWHERE.to_owned());
    (output, error, input)
}
