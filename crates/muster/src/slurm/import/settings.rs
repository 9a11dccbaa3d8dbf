//! The files of a server and its agents that come nearest to what was imported.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use muster_agent::Settings;
use muster_api::settings;
use muster_api::slurm::{PartitionSettings, SlurmSettings};
use muster_model::{GpuModel, Mib, Millis, Name, QueueName, QueueSpec, Team};
use muster_server::config::ServerFile;
use muster_slurm::import::Imported;

/// The queue of who belongs to no account.
const QUEUE: &str = "default";

/// The label by which a node says that it is in a partition.
fn label(partition: &str) -> String {
    format!("partition-{}", named(partition))
}

/// A name that Muster takes.
fn named(text: &str) -> String {
    match Name::new(text) {
        Ok(name) => name.to_string(),
        Err(invalid) => invalid.meant.unwrap_or_else(|| "unnamed".to_owned()),
    }
}

/// The file of the server.
pub(super) fn server(read: &Imported, left_out: &mut Vec<String>) -> Result<String> {
    let mut file = ServerFile::default();
    let cluster = &mut file.cluster;
    cluster.levels = read.topology.levels.iter().map(|level| Name::from(level.as_str())).collect();
    let mut queues = vec![QueueSpec::new(QUEUE)];
    for (name, account) in &read.accounts.accounts {
        // Accounts below accounts share a tree there; here each has its own weight.
        let queue = QueueSpec { weight: account.weight.max(1), ..QueueSpec::new(&named(name)) };
        if queues.iter().any(|known| known.name == queue.name) {
            continue;
        }
        if let Some(parent) = &account.parent {
            left_out.push(format!("account {name}: its place below {parent}"));
        }
        cluster.teams.push(Team {
            name: Name::from(named(name).as_str()),
            queue: QueueName::from(named(name).as_str()),
            members: account.members.iter().map(|name| Name::from(named(name).as_str())).collect(),
        });
        queues.push(queue);
    }
    cluster.queues = queues;
    for model in models(read) {
        if cluster.gpu_models.iter().all(|known| known.name.as_str() != model) {
            left_out.push(format!("GPU type {model}: say what it is in [[cluster.gpu_models]]"));
        }
    }
    file.slurm = slurm(read);
    let wrong = ServerFile::read(&settings::write(&file)?).err().unwrap_or_default();
    if let Some(mistake) = wrong.first() {
        bail!("what was imported does not add up: {mistake}");
    }
    settings::write(&file).context("cannot write the settings as TOML")
}

fn slurm(read: &Imported) -> SlurmSettings {
    let usual = read.partitions.iter().find(|partition| partition.is_default);
    let minutes = |minutes: Option<u32>| minutes.map(|it| Millis::minutes(u64::from(it)));
    let partitions = read.partitions.iter().map(|partition| {
        let is_whole = read.nodes.keys().all(|name| partition.nodes.contains(name));
        let time_max = minutes(partition.time_max_minutes);
        PartitionSettings {
            name: partition.name.clone(),
            queue: Some(QUEUE.to_owned()),
            nodes: (!is_whole).then(|| label(&partition.name)),
            time_default: minutes(partition.time_default_minutes)
                .filter(|usual| time_max.is_none_or(|most| *usual <= most)),
            time_max,
        }
    });
    let lowest = read.topology.levels.last().cloned();
    let (switch, block) = match read.topology.has_blocks {
        true => (None, lowest),
        false => (lowest, None),
    };
    let mut settings = SlurmSettings {
        partition: usual.map(|partition| partition.name.clone()),
        partitions: partitions.collect(),
        switch,
        block,
        ..SlurmSettings::default()
    };
    if !read.cluster.is_empty() {
        settings.cluster.clone_from(&read.cluster);
    }
    settings
}

/// The models of all nodes, in Muster's spelling where it knows them.
fn models(read: &Imported) -> Vec<String> {
    let mut models: Vec<String> =
        read.nodes.values().filter_map(|node| Some(spelled(node.model.as_deref()?))).collect();
    models.sort_unstable();
    models.dedup();
    models
}

fn spelled(model: &str) -> String {
    let known = GpuModel::known();
    let names = known.iter().map(|known| known.name.to_string());
    let lower = model.to_ascii_lowercase();
    let mut found = names.filter(|name| name.to_ascii_lowercase().starts_with(&lower));
    found.next().unwrap_or_else(|| named(model))
}

/// The file of each node's agent.
pub(super) fn agents(read: &Imported) -> Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    for (name, node) in &read.nodes {
        let mut labels = BTreeMap::new();
        for feature in &node.features {
            labels.insert(named(feature), "yes".to_owned());
        }
        for partition in read.partitions.iter().filter(|it| it.nodes.contains(name)) {
            labels.insert(label(&partition.name), "yes".to_owned());
        }
        // What is there is found; only where nothing should be is that said.
        let gpus = if node.gpus == 0 { "none".to_owned() } else { Settings::default().gpus };
        let agent = Settings {
            name: Some(named(name)),
            gpus,
            cpus: (node.cpus > 0).then_some(node.cpus),
            memory: (node.memory_mib > 0).then_some(Mib(node.memory_mib)),
            domains: read.topology.domains.get(name).cloned().unwrap_or_default(),
            labels,
            ..Settings::default()
        };
        let text = settings::write(&agent).context("cannot write the settings as TOML")?;
        files.insert(named(name), text);
    }
    Ok(files)
}
