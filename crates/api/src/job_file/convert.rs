//! Turns a job file into a job of the model and its program, collecting every mistake.

use std::str::FromStr;
use std::sync::Arc;

use muster_model::name::quoted;
use muster_model::{
    Estimate, Expression, GpuRequest, Invalid, Isolation, JobSpec, Level, Mib, MilliCpu, Millis,
    Name, QueueName, Rung, RungCost, TaskCount, TaskGroup, TaskShape, Warning,
};

use super::{CheckpointFile, GroupFile, JobFile, OneOrMany, Quantity, read_indexes};
use crate::moment::Moment;
use crate::program::{Account, Program, Save};
use crate::request::Submission;
use crate::signal;

/// The queue of who belongs to no team and names none.
const QUEUE: &str = "default";

/// The class of who names none.
const CLASS: &str = "standard";

/// The CPUs of a task that asks for nothing at all.
const CPUS: MilliCpu = MilliCpu::whole(1);

/// How long a save may take, as a multiple of what its owner expects, and at least.
const SAVE_SLACK: u64 = 3;
const SAVE_LEAST_MS: u64 = 30_000;

impl JobFile {
    /// The job this file describes, submitted by `user`; every mistake otherwise.
    pub fn into_job(self, user: &str) -> Result<Submission, Vec<Invalid>> {
        let mut seen = Mistakes::default();
        let program = self.program(user, &mut seen);
        seen.0.extend(program.validate().err().unwrap_or_default());
        let mut spec = JobSpec::new("job", user, self.queue.as_deref().unwrap_or(QUEUE));
        spec.name = Name::from(self.job_name(&program).as_str());
        spec.class = Name::from(self.class.as_deref().unwrap_or(CLASS));
        spec.team = self.team.as_deref().map(Name::from);
        spec.groups = self.task_groups(&mut seen);
        self.timing(&mut spec, &mut seen);
        self.place(&mut spec, &mut seen);
        if let Some(array) = &self.array {
            spec.array = seen.note(read_indexes(array));
        }
        for word in self.after.iter().flat_map(OneOrMany::words) {
            spec.after.extend(seen.note(word.parse()));
        }
        if let Some(checkpoint) = &self.checkpoint {
            checkpoint.set(&mut spec, &mut seen);
        }
        spec.weight = self.weight;
        spec.booking = self.booking.as_deref().map(Name::from);
        spec.hold = self.hold;
        spec.requeue.when_lost = !self.never_again;
        spec.requeue.when_failed = self.retries.is_some();
        spec.requeue.most = self.retries.unwrap_or(spec.requeue.most);
        debug_assert!(QueueName::from(QUEUE).is_valid(), "the default queue has a valid name");
        seen.done(Submission { spec: Arc::new(spec), program: Arc::new(program) })
    }

    /// The name given, or that of the program without its folder.
    fn job_name(&self, program: &Program) -> String {
        if let Some(name) = &self.name {
            return name.clone();
        }
        let word = program.command.first().map_or("script", String::as_str);
        let last = word.rsplit('/').next().unwrap_or(word);
        if Name::from(last).is_valid() { last.to_owned() } else { "job".to_owned() }
    }

    fn program(&self, user: &str, seen: &mut Mistakes) -> Program {
        let command = match &self.command {
            None => Vec::new(),
            Some(OneOrMany::Many(words)) => words.clone(),
            Some(OneOrMany::One(line)) => {
                vec!["/bin/sh".to_owned(), "-c".to_owned(), line.clone()]
            }
        };
        if command.is_empty() && self.script.is_none() {
            seen.0.push(Invalid::new("command", "nothing", "expected a command or a script"));
        }
        let environment =
            self.env.iter().map(|(name, value)| (name.clone(), value.text())).collect();
        Program {
            command,
            script: self.script.clone(),
            environment,
            directory: self.directory.clone(),
            output: self.output.clone(),
            error: self.error.clone(),
            input: self.input.clone(),
            account: Some(Account { name: user.to_owned() }),
            image: self.image.clone(),
            save: self.checkpoint.as_ref().and_then(|checkpoint| checkpoint.save(seen)),
            ..Program::default()
        }
    }

    fn task_groups(&self, seen: &mut Mistakes) -> Vec<TaskGroup> {
        let alone = GroupFile {
            name: Some("tasks".to_owned()),
            tasks: self.tasks.clone(),
            gpus: self.gpus.clone(),
            isolation: self.isolation.clone(),
            cpus: self.cpus.clone(),
            memory: self.memory.clone(),
            nvlink: self.nvlink,
            exclusive: self.exclusive,
        };
        if self.groups.is_empty() {
            return vec![alone.group("", 0, seen)];
        }
        if alone != (GroupFile { name: alone.name.clone(), ..GroupFile::default() }) {
            let allowed = "expected either groups, or tasks, gpus, cpus and memory of the job";
            seen.0.push(Invalid::new("groups", format!("{}", self.groups.len()), allowed));
        }
        let groups = self.groups.iter().enumerate();
        groups
            .map(|(index, group)| group.group(&format!("groups[{index}]."), index, seen))
            .collect()
    }

    fn timing(&self, spec: &mut JobSpec, seen: &mut Mistakes) {
        spec.timing.limit = seen.read("time", self.time.as_ref());
        let estimate: Option<Millis> = seen.read("estimate", self.estimate.as_ref());
        spec.timing.estimate =
            estimate.map(|median| Estimate { median, p90: Millis(median.0.saturating_mul(2)) });
        spec.timing.deadline = self.deadline.map(|Moment(time)| time);
        spec.timing.begin = self.begin.map(|Moment(time)| time);
        spec.timing.warning = self.warning.as_deref().and_then(|text| seen.note(warning(text)));
    }

    fn place(&self, spec: &mut JobSpec, seen: &mut Mistakes) {
        if let Some(topology) = &self.topology {
            spec.topology.require = topology.require.as_deref().map(Level::from);
            spec.topology.prefer = topology.prefer.as_deref().map(Level::from);
            spec.topology.spread = topology.spread;
            spec.topology.apart = topology.apart;
        }
        let mut nodes = |field: &str, text: Option<&String>| {
            let parsed = text?.parse::<Expression>().map_err(|error| error.in_field(field));
            seen.note(parsed).map(Box::new)
        };
        spec.constraint.require = nodes("nodes", self.nodes.as_ref());
        spec.constraint.prefer = nodes("prefer_nodes", self.prefer_nodes.as_ref());
        spec.constraint.avoid = nodes("avoid_nodes", self.avoid_nodes.as_ref());
    }
}

impl GroupFile {
    fn group(&self, at: &str, index: usize, seen: &mut Mistakes) -> TaskGroup {
        let name = self.name.clone().unwrap_or_else(|| format!("group-{index}"));
        let tasks = seen.read(&format!("{at}tasks"), self.tasks.as_ref());
        let gpus: GpuRequest =
            seen.read(&format!("{at}gpus"), self.gpus.as_ref()).unwrap_or_default();
        let mut share = gpus.share;
        if let Some(word) = &self.isolation {
            let known = Isolation::ALL.into_iter().find(|isolation| isolation.word() == word);
            let refuse = || {
                Invalid::new(format!("{at}isolation"), word.clone(), "expected hard, soft or none")
            };
            if let (Some(share), Some(isolation)) =
                (share.as_mut(), seen.note(known.ok_or_else(refuse)))
            {
                share.isolation = isolation;
            }
        }
        let cpus: Option<MilliCpu> = seen.read(&format!("{at}cpus"), self.cpus.as_ref());
        let memory: Option<Mib> = seen.read(&format!("{at}memory"), self.memory.as_ref());
        // A program needs something to run on, even where nobody thinks of it.
        let asks = gpus.gpus > 0 || share.is_some() || memory.is_some() || self.exclusive;
        let cpus = cpus.or((!asks).then_some(CPUS)).unwrap_or_default();
        TaskGroup {
            name: Name::from(name.as_str()),
            tasks: tasks.unwrap_or(TaskCount::exactly(1)),
            task: TaskShape {
                gpus: gpus.gpus,
                share,
                models: gpus.models,
                cpus,
                memory: memory.unwrap_or_default(),
                nvlink: self.nvlink,
                exclusive: self.exclusive,
            },
        }
    }
}

impl CheckpointFile {
    fn set(&self, spec: &mut JobSpec, seen: &mut Mistakes) {
        let save: Millis = seen.read("checkpoint.save", self.save.as_ref()).unwrap_or_default();
        let restore = seen.read("checkpoint.restore", self.restore.as_ref()).unwrap_or(save);
        spec.checkpoint.rungs = vec![RungCost { rung: Rung::Checkpoint, save, restore }];
        spec.checkpoint.every = seen.read("checkpoint.every", self.every.as_ref());
    }

    fn save(&self, seen: &mut Mistakes) -> Option<Save> {
        let word = self.signal.as_deref().unwrap_or("TERM");
        let refuse = || Invalid::new("checkpoint.signal", word, "expected a signal such as USR1");
        let signal = seen.note(signal::number(word).ok_or_else(refuse))?;
        let expected: Option<Millis> = self.save.as_ref().and_then(|save| save.text().parse().ok());
        let slack = expected.unwrap_or_default().0.saturating_mul(SAVE_SLACK);
        Some(Save { signal, within_ms: slack.max(SAVE_LEAST_MS) })
    }
}

impl Quantity {
    /// As it would be written.
    pub fn text(&self) -> String {
        match self {
            Quantity::Whole(number) => number.to_string(),
            Quantity::Fraction(number) => number.to_string(),
            Quantity::Text(text) => text.clone(),
        }
    }
}

impl OneOrMany {
    /// The words; one text may hold several with commas between them.
    fn words(&self) -> Vec<String> {
        match self {
            OneOrMany::One(text) => text.split(',').map(|word| word.trim().to_owned()).collect(),
            OneOrMany::Many(words) => words.clone(),
        }
    }
}

/// `USR1@2m`.
fn warning(text: &str) -> Result<Warning, Invalid> {
    let refuse =
        || Invalid::new("warning", quoted(text), "expected a signal and a time such as USR1@2m");
    let (name, before) = text.split_once('@').ok_or_else(refuse)?;
    let signal = signal::number(name).ok_or_else(refuse)?;
    Ok(Warning { signal, before: before.parse().map_err(|_| refuse())? })
}

/// Mistakes found so far: people want to hear of all of them at once.
#[derive(Debug, Default)]
struct Mistakes(Vec<Invalid>);

impl Mistakes {
    fn note<T>(&mut self, result: Result<T, Invalid>) -> Option<T> {
        result.map_err(|invalid| self.0.push(invalid)).ok()
    }

    fn read<T: FromStr<Err = Invalid>>(
        &mut self,
        field: &str,
        value: Option<&Quantity>,
    ) -> Option<T> {
        self.note(value?.text().parse::<T>().map_err(|invalid| invalid.in_field(field)))
    }

    fn done<T>(self, value: T) -> Result<T, Vec<Invalid>> {
        if self.0.is_empty() { Ok(value) } else { Err(self.0) }
    }
}
