//! The job and the program that a request means on this cluster.

use std::path::Path;
use std::sync::Arc;

use muster_api::program::Account;
use muster_api::{Program, Runs, SlurmRequest, SlurmView, Submission};
use muster_model::{Expression, JobSpec, Level, Name};
use muster_slurm::request::{Allocation, JobParts, Mapping};
use muster_slurm::values::{Clock, OpenMode};
use muster_slurm::{Reading, Request};

use super::choose::{self, Chosen};
use super::script::Script;
use super::{NAME, contract, foretell};
use crate::cli::person::Person;
use crate::slurm::allocate::{folder, variables};
use crate::slurm::{Stop, container};

/// What a request comes from, beside its options.
pub(in crate::slurm) struct Source<'a> {
    pub(in crate::slurm) script: &'a Script,
    pub(in crate::slurm) person: &'a Person,
    /// The command line.
    pub(in crate::slurm) line: String,
    pub(in crate::slurm) clock: Clock,
}

/// A job that can be submitted.
pub(in crate::slurm) struct Submitted {
    pub(in crate::slurm) submission: Submission,
    pub(in crate::slurm) allocation: Allocation,
    /// What people should hear.
    pub(in crate::slurm) warnings: Vec<String>,
}

impl Submitted {
    /// CPUs in all.
    pub(super) fn cpus(&self) -> u64 {
        let slices = self.allocation.slices.iter();
        slices.map(|slices| u64::from(slices.count) * u64::from(slices.slice.cpus)).sum()
    }

    /// The partition that it is in.
    pub(super) fn partition(&self) -> &str {
        let asked = self.submission.program.slurm.as_deref();
        asked.map_or(self.submission.spec.queue.as_str(), |asked| asked.partition.as_str())
    }
}

pub(in crate::slurm) fn prepare(
    reading: &Reading,
    slurm: &SlurmView,
    source: &Source<'_>,
) -> Result<Submitted, Stop> {
    let is_only_asked = reading.request.client.test_only;
    let worded = |stop| if is_only_asked { foretell::failure(stop) } else { stop };
    meant(reading, slurm, source).map_err(worded)
}

fn meant(reading: &Reading, slurm: &SlurmView, source: &Source<'_>) -> Result<Submitted, Stop> {
    let mut request = reading.request.clone();
    let chosen = choose::choose(slurm, &request, &source.person.name)?;
    let mut warnings: Vec<String> = reading.notes.iter().map(ToString::to_string).collect();
    if request.identity.partitions.len() > 1 {
        warnings.push(format!("of several partitions {} is used", chosen.partition.name));
    }
    fill_in(&mut request, &chosen, source);
    check_nodes(&request, slurm)?;
    check_features(&request, slurm)?;
    let level = |name: &Option<String>| name.as_deref().map(Level::from);
    let mapping =
        Mapping { clock: source.clock, switch: level(&slurm.switch), block: level(&slurm.block) };
    let parts = request.job(&mapping).map_err(|why| Stop::error(NAME, why))?;
    warnings.extend(parts.notes.iter().map(ToString::to_string));
    let allocation = parts.allocation.clone();
    for missing in &parts.missing {
        if missing.is_wrong() {
            let what = format!("Muster cannot do this yet: {missing}");
            return Err(Stop::error(NAME, what));
        }
        warnings.push(format!("not as asked for: {missing}"));
    }
    let mut spec = spec(parts, &chosen, source);
    spell_models(&mut spec, &slurm.models);
    let save = contract::put(&request, &mut spec);
    let slurm_request = SlurmRequest {
        words: kept_words(&request),
        partition: chosen.partition.name.clone(),
        account: chosen.account.clone(),
        qos: chosen.qos.name.clone(),
        host: host(),
        directory: source.person.directory.clone(),
        cluster: slurm.cluster.clone(),
        command: command(source, reading),
        line: source.line.clone(),
    };
    let program = Program {
        save,
        signals: contract::reach(&request),
        slurm: Some(Box::new(slurm_request)),
        ..program(&request, reading, source)?
    };
    let submission = Submission { spec: Arc::new(spec), program: Arc::new(program) };
    Ok(Submitted { submission, allocation, warnings })
}

/// Defaults become part of the request, so that what is kept of it says everything.
fn fill_in(request: &mut Request, chosen: &Chosen<'_>, source: &Source<'_>) {
    let identity = &mut request.identity;
    identity.job_name.get_or_insert_with(|| source.script.name.clone());
    identity.partitions = vec![chosen.partition.name.clone()];
    identity.qos = Some(chosen.qos.name.clone());
    if !chosen.account.is_empty() {
        identity.account = Some(chosen.account.clone());
    }
    request.when.limit = chosen.limit;
    request.run.directory = Some(folder(request.run.directory.as_deref(), source.person));
}

/// Nodes that are named must be there.
fn check_nodes(request: &Request, slurm: &SlurmView) -> Result<(), Stop> {
    let place = &request.place;
    let is_known = |host: &String| slurm.partitions.iter().any(|it| it.nodes.contains(host));
    let named = place.nodelist.hosts().iter().chain(place.exclude.hosts());
    match named.into_iter().find(|host| !is_known(host)) {
        None => Ok(()),
        Some(host) => {
            let why = "Batch job submission failed: Invalid node name specified";
            Err(Stop::error(NAME, format!("{why}\nhint: there is no node {host}")))
        }
    }
}

/// So must features, each of them, by some node.
fn check_features(request: &Request, slurm: &SlurmView) -> Result<(), Stop> {
    let asked = request.place.constraint.iter().flat_map(|features| features.0.names());
    match asked.into_iter().find(|name| !slurm.features.contains(*name)) {
        None => Ok(()),
        Some(name) => {
            let known: Vec<&str> = slurm.features.iter().map(String::as_str).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            let why = "Batch job submission failed: Invalid feature specification";
            let hint = format!("no node has {name}; the features are {known}");
            Err(Stop::error(NAME, format!("{why}\nhint: {hint}")))
        }
    }
}

fn spec(parts: JobParts, chosen: &Chosen<'_>, source: &Source<'_>) -> JobSpec {
    let mut spec = JobSpec::new("job", &source.person.name, &chosen.queue);
    spec.class = Name::from(chosen.qos.class.as_str());
    spec.team = chosen.team.as_deref().map(Name::from);
    parts.put_into(&mut spec);
    if let Some(wish) = &chosen.partition.require {
        let own = spec.constraint.require.take();
        let both = match own {
            Some(own) => Expression::And(vec![*own, wish.clone()]),
            None => wish.clone(),
        };
        spec.constraint.require = Some(Box::new(both));
    }
    spec
}

/// The models of the cluster that are meant by a type of GPU: the one of that name in any case, or
/// those that begin with it, as `a100` does.
fn spell_models(spec: &mut JobSpec, known: &[String]) {
    for models in spec.groups.iter_mut().map(|group| &mut group.task.models) {
        let Some(asked) = models.first().map(|model| model.as_str().to_ascii_lowercase()) else {
            continue;
        };
        let lower = |model: &&String| model.to_ascii_lowercase();
        let same = known.iter().filter(|model| lower(model) == asked);
        let begun = known.iter().filter(|model| lower(model).starts_with(&asked));
        let meant: Vec<Name> = match same.clone().count() {
            0 => begun.map(|model| Name::from(model.as_str())).collect(),
            _ => same.map(|model| Name::from(model.as_str())).collect(),
        };
        if !meant.is_empty() {
            *models = meant;
        }
    }
}

/// What a job is asked for later leaves out how `sbatch` itself behaved.
fn kept_words(request: &Request) -> Vec<String> {
    let mut kept = request.clone();
    kept.client = Default::default();
    kept.run.wrap = None;
    kept.to_words()
}

fn program(request: &Request, reading: &Reading, source: &Source<'_>) -> Result<Program, Stop> {
    let person = source.person;
    let script = String::from_utf8(source.script.bytes.clone())
        .map_err(|_| Stop::error(NAME, "the script is not valid UTF-8\nhint: save it as UTF-8"))?;
    let usual = if request.when.array.is_some() { "slurm-%A_%a.out" } else { "slurm-%j.out" };
    let run = &request.run;
    let text = |pattern: &Option<muster_slurm::values::Pattern>| {
        pattern.as_ref().map(|pattern| match pattern.as_str() {
            "none" => "/dev/null".to_owned(),
            path => path.to_owned(),
        })
    };
    Ok(Program {
        command: reading.rest.iter().skip(1).cloned().collect(),
        script: Some(script),
        environment: variables(run.export.as_ref(), person),
        directory: run.directory.clone(),
        output: text(&run.output).or_else(|| Some(usual.to_owned())),
        error: text(&run.error),
        append: run.open_mode == Some(OpenMode::Append),
        input: text(&run.input),
        umask: person.umask,
        account: Some(Account { name: person.name.clone() }),
        image: request.container.image.clone(),
        container: container::of(request, source.person).map_err(|why| Stop::error(NAME, why))?,
        runs: Runs::First,
        ..Program::default()
    })
}

/// The script with its arguments, as people find it again.
fn command(source: &Source<'_>, reading: &Reading) -> String {
    let Some(path) = &source.script.path else { return String::new() };
    let path = Path::new(&source.person.directory).join(path).display().to_string();
    let arguments = reading.rest.iter().skip(1).cloned();
    [path].into_iter().chain(arguments).collect::<Vec<_>>().join(" ")
}

/// The name of this machine.
fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}
