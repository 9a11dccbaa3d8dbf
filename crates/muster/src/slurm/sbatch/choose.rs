//! Partition, QOS and account of a request, by what the cluster has.

use muster_api::SlurmView;
use muster_api::slurm::{PartitionView, QosView};
use muster_slurm::Request;
use muster_slurm::values::TimeLimit;

use super::NAME;
use crate::slurm::Stop;

/// What was chosen.
pub(in crate::slurm) struct Chosen<'a> {
    pub(in crate::slurm) partition: &'a PartitionView,
    /// The queue that pays: that of a partition which has one of its own, else of the team.
    pub(in crate::slurm) queue: String,
    pub(in crate::slurm) qos: &'a QosView,
    /// The account, as it is shown.
    pub(in crate::slurm) account: String,
    /// Its team.
    pub(in crate::slurm) team: Option<String>,
    /// How long the job may run.
    pub(in crate::slurm) limit: Option<TimeLimit>,
}

fn failed(why: &str) -> Stop {
    Stop::error(NAME, format!("Batch job submission failed: {why}"))
}

pub(in crate::slurm) fn choose<'a>(
    slurm: &'a SlurmView,
    request: &Request,
    user: &str,
) -> Result<Chosen<'a>, Stop> {
    let account = account(slurm, request, user)?;
    let partition = partition(slurm, request, account.as_ref().map(|it| it.queue.as_str()))?;
    let named = request.identity.qos.as_deref();
    let qos = match named {
        Some(name) => slurm.qos.iter().find(|qos| qos.name == name),
        None => slurm.qos.first(),
    };
    let qos = qos.ok_or_else(|| {
        let known: Vec<&str> = slurm.qos.iter().map(|qos| qos.name.as_str()).collect();
        let hint = format!("the QOS are {}", known.join(", "));
        failed(&format!("Invalid qos specification\nhint: {hint}"))
    })?;
    let shown = request.identity.account.clone();
    let usual = slurm.partitions.iter().find(|partition| partition.is_default);
    let is_usual = usual.is_some_and(|usual| usual.queue == partition.queue);
    let team_queue = account.as_ref().filter(|_| is_usual).map(|account| account.queue.clone());
    Ok(Chosen {
        partition,
        queue: team_queue.unwrap_or_else(|| partition.queue.clone()),
        qos,
        account: shown.or_else(|| Some(account.as_ref()?.name.clone())).unwrap_or_default(),
        team: account.map(|account| account.team),
        limit: limit(partition, request)?,
    })
}

/// The account that is named, or the one that the user belongs to.
fn account(
    slurm: &SlurmView,
    request: &Request,
    user: &str,
) -> Result<Option<muster_api::slurm::AccountView>, Stop> {
    let accounts = &slurm.accounts;
    let Some(name) = &request.identity.account else {
        let is_member = |members: &[String]| members.iter().any(|member| member == user);
        return Ok(accounts.iter().find(|account| is_member(&account.members)).cloned());
    };
    // Where there are no teams, an account is a word that is kept, as without Slurm's accounting.
    if accounts.is_empty() {
        return Ok(None);
    }
    let found = accounts.iter().find(|account| account.name == *name);
    let known: Vec<&str> = accounts.iter().map(|account| account.name.as_str()).collect();
    found.cloned().map(Some).ok_or_else(|| {
        let why = "Invalid account or account/partition combination specified";
        failed(&format!("{why}\nhint: the accounts are {}", known.join(", ")))
    })
}

/// The first partition that is named and there; else that of the account's queue, or the usual one.
fn partition<'a>(
    slurm: &'a SlurmView,
    request: &Request,
    queue: Option<&str>,
) -> Result<&'a PartitionView, Stop> {
    let partitions = &slurm.partitions;
    if let Some(name) = request.identity.partitions.first() {
        let found = partitions.iter().find(|partition| partition.name == *name);
        let known: Vec<&str> = partitions.iter().map(|it| it.name.as_str()).collect();
        return found.ok_or_else(|| {
            let hint = format!("the partitions are {}", known.join(", "));
            let why = "Batch job submission failed: Invalid partition name specified";
            let all = format!("invalid partition specified: {name}\n{why}\nhint: {hint}");
            Stop::error(NAME, all)
        });
    }
    let of_queue = |partition: &&PartitionView| Some(partition.queue.as_str()) == queue;
    let found = partitions.iter().find(of_queue);
    let found = found.or_else(|| partitions.iter().find(|partition| partition.is_default));
    found.ok_or_else(|| failed("No partition specified or system default partition"))
}

fn limit(partition: &PartitionView, request: &Request) -> Result<Option<TimeLimit>, Stop> {
    let minutes = |millis: u64| u32::try_from(millis.div_ceil(60_000)).unwrap_or(u32::MAX);
    let usual = partition.time_default_ms.or(partition.time_max_ms);
    let usual = usual.map(|millis| TimeLimit::Minutes(minutes(millis)));
    let limit = request.when.limit.or(usual);
    let most = partition.time_max_ms.map(minutes);
    let is_over = match (limit, most) {
        (Some(TimeLimit::Minutes(limit)), Some(most)) => limit > most,
        (Some(TimeLimit::Unlimited), Some(_)) => true,
        _ => false,
    };
    if is_over {
        return Err(failed("Requested time limit is invalid (missing or exceeds some limit)"));
    }
    Ok(limit)
}
