//! The flags that describe a job, alone or on top of a job file.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use clap::{Args, ValueEnum};
use muster_api::job_file::{Format, JOB_FILE_MAX, OneOrMany, Quantity, TopologyFile};
use muster_api::{JobFile, Moment, Problem, Submission};

use super::Usage;
use super::person::Person;

/// A notation of job files.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Notation {
    Yaml,
    Toml,
    Json,
}

/// A job: a file, flags, or flags on top of a file.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Job")]
pub(crate) struct JobArguments {
    /// A job file (.yaml, .toml or .json), or `-` for standard input; flags go before what it says
    #[arg(value_name = "FILE", help_heading = "Arguments")]
    file: Option<PathBuf>,

    /// The command and its arguments, after `--`
    #[arg(last = true, value_name = "COMMAND", help_heading = "Arguments")]
    command: Vec<String>,

    /// The notation of standard input [default: yaml]
    #[arg(long, value_enum)]
    format: Option<Notation>,

    /// A name for it [default: that of the program]
    #[arg(long)]
    name: Option<String>,

    /// The queue that pays for it
    #[arg(long)]
    queue: Option<String>,

    /// The team it is accounted to
    #[arg(long)]
    team: Option<String>,

    /// Its class, such as standard or preemptible
    #[arg(long)]
    class: Option<String>,

    /// How many tasks, or MIN..MAX for an elastic job
    #[arg(long, value_name = "N")]
    tasks: Option<String>,

    /// GPUs of each task: 8, H100x8, 0.5, 20GiB, 1g.10gb
    #[arg(long)]
    gpus: Option<String>,

    /// CPUs of each task
    #[arg(long)]
    cpus: Option<String>,

    /// Memory of each task, such as 64GiB
    #[arg(long)]
    memory: Option<String>,

    /// Its run-time limit, such as 4h or 1-00:00:00
    #[arg(long)]
    time: Option<String>,

    /// How long it will probably run
    #[arg(long, value_name = "TIME")]
    estimate: Option<String>,

    /// When it should have finished, such as 2026-01-31T08:00:00Z
    #[arg(long, value_name = "MOMENT")]
    deadline: Option<Moment>,

    /// Do not start it before this moment
    #[arg(long, value_name = "MOMENT")]
    begin: Option<Moment>,

    /// A signal to send before the limit, such as USR1@2m
    #[arg(long, value_name = "SIGNAL@TIME")]
    warning: Option<String>,

    /// One element for each index: 0-9, 1,3,5, 0-99:10, 0-99%4 for at most four at once
    #[arg(long, value_name = "INDEXES")]
    array: Option<String>,

    /// What it waits for: afterok:12, afterany:12, after:12, afternotok:12, singleton;
    /// afterok:12_3 is an element, after:12+10m a delay, afterok:12?afterok:13 either of both
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    after: Vec<String>,

    /// Wait until released
    #[arg(long)]
    hold: bool,

    /// Start again after its own failure, at most N times
    #[arg(long, value_name = "N")]
    retries: Option<u32>,

    /// All tasks inside one domain of this level
    #[arg(long, value_name = "LEVEL")]
    require: Option<String>,

    /// Which nodes it may use, such as 'pool=a and not zone=b'
    #[arg(long, value_name = "LABELS")]
    nodes: Option<String>,

    /// Each task has its node to itself
    #[arg(long)]
    exclusive: bool,

    /// The GPUs of a task must reach each other over NVLink
    #[arg(long)]
    nvlink: bool,

    /// The booking to run in
    #[arg(long, value_name = "NAME")]
    booking: Option<String>,

    /// A variable of its environment; without a value, the one it has here. PATH, HOME and LANG
    /// always go along
    #[arg(long = "env", value_name = "NAME[=VALUE]")]
    variables: Vec<String>,

    /// The folder tasks start in [default: the present one]
    #[arg(long, value_name = "DIR")]
    directory: Option<String>,

    /// Where standard output goes; %j is the job, %a the index, %t the task, %x the name
    #[arg(long, value_name = "FILE")]
    output: Option<String>,

    /// Where standard error goes
    #[arg(long, value_name = "FILE")]
    error: Option<String>,

    /// Where standard input comes from
    #[arg(long, value_name = "FILE")]
    input: Option<String>,

    /// A container image
    #[arg(long)]
    image: Option<String>,
}

impl JobArguments {
    /// The job as `person` submits it.
    pub(crate) fn submission(&self, person: &Person) -> Result<Submission> {
        let mut file = match &self.file {
            Some(path) => self.read(path)?,
            None if self.command.is_empty() => {
                let what = "there is nothing to run: neither a job file nor a command";
                return Err(Usage::new(what).hint("write `-- COMMAND` at the end").into());
            }
            None => JobFile::default(),
        };
        self.lay_over(&mut file);
        let mut environment = person.carried();
        let own = std::mem::take(&mut file.env).into_iter();
        environment.extend(own.map(|(name, value)| (name, value.text())));
        for text in &self.variables {
            environment.extend([person.variable(text)?]);
        }
        let here = Path::new(&person.directory);
        let directory = here.join(file.directory.as_deref().unwrap_or("."));
        let directory: PathBuf = directory.components().collect();
        file.directory = directory.to_str().map(str::to_owned);
        let submission =
            file.into_job(&person.name).map_err(|errors| anyhow!(Problem::invalid(errors)))?;
        let mut program = (*submission.program).clone();
        (program.environment, program.umask) = (environment, person.umask);
        Ok(Submission { program: Arc::new(program), ..submission })
    }

    fn read(&self, path: &Path) -> Result<JobFile> {
        if path == Path::new("-") {
            let mut text = String::new();
            // One byte more than is allowed is enough to be refused.
            let most = u64::try_from(JOB_FILE_MAX).unwrap_or(u64::MAX).saturating_add(1);
            let stdin = std::io::stdin().lock().take(most).read_to_string(&mut text);
            stdin.context("cannot read the job from standard input")?;
            let read = JobFile::read(&text, self.format.unwrap_or(Notation::Yaml).into());
            return read.context("the job on standard input cannot be understood");
        }
        let text = fs::read_to_string(path).map_err(|error| {
            let what = format!("cannot read the job file {}: {error}", path.display());
            Usage::new(what).hint("a command is written after `--`: muster run -- python train.py")
        })?;
        let format = Format::of(path)?;
        let said = || format!("{} cannot be understood", path.display());
        JobFile::read(&text, format).with_context(said)
    }

    /// Puts what the flags say in the place of what the file says.
    fn lay_over(&self, file: &mut JobFile) {
        fn lay<T: Clone>(flag: &Option<T>, value: &mut Option<T>) {
            if flag.is_some() {
                value.clone_from(flag);
            }
        }
        let quantity = |flag: &Option<String>, value: &mut Option<Quantity>| {
            lay(&flag.clone().map(Quantity::Text), value);
        };
        let words = |flag: &Vec<String>, value: &mut Option<OneOrMany>| {
            lay(&Some(OneOrMany::Many(flag.clone())).filter(|_| !flag.is_empty()), value);
        };
        lay(&self.name, &mut file.name);
        lay(&self.queue, &mut file.queue);
        lay(&self.team, &mut file.team);
        lay(&self.class, &mut file.class);
        words(&self.command, &mut file.command);
        quantity(&self.tasks, &mut file.tasks);
        quantity(&self.gpus, &mut file.gpus);
        quantity(&self.cpus, &mut file.cpus);
        quantity(&self.memory, &mut file.memory);
        quantity(&self.time, &mut file.time);
        quantity(&self.estimate, &mut file.estimate);
        lay(&self.deadline, &mut file.deadline);
        lay(&self.begin, &mut file.begin);
        lay(&self.warning, &mut file.warning);
        lay(&self.array, &mut file.array);
        words(&self.after, &mut file.after);
        lay(&self.retries, &mut file.retries);
        lay(&self.nodes, &mut file.nodes);
        lay(&self.booking, &mut file.booking);
        lay(&self.directory, &mut file.directory);
        lay(&self.output, &mut file.output);
        lay(&self.error, &mut file.error);
        lay(&self.input, &mut file.input);
        lay(&self.image, &mut file.image);
        file.hold |= self.hold;
        file.exclusive |= self.exclusive;
        file.nvlink |= self.nvlink;
        if self.require.is_some() {
            let topology = file.topology.get_or_insert_with(TopologyFile::default);
            lay(&self.require, &mut topology.require);
        }
    }
}

impl From<Notation> for Format {
    fn from(notation: Notation) -> Format {
        match notation {
            Notation::Yaml => Format::Yaml,
            Notation::Toml => Format::Toml,
            Notation::Json => Format::Json,
        }
    }
}
