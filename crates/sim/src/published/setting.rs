//! A trace on a cluster as the published rules see it: pools of equal nodes that share nothing,
//! each with its own jobs.

use std::collections::BTreeMap;

use muster_trace::{Cluster, Gpus, Trace};

use super::{Job, Outcome, Pool, PublishedError, Rule};

/// Pools with their jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The pools in the order of the cluster; one where it is one whole.
    pub pools: Vec<Pool>,
    /// For each job of the trace its pool and its number there.
    homes: Vec<(usize, usize)>,
}

impl Setting {
    /// A trace on a cluster. Every job of the trace is in it: one that could never run is an
    /// error, for it would hold up the line for ever.
    pub fn new(trace: &Trace, cluster: &Cluster) -> Result<Setting, PublishedError> {
        let mut pools = pools(cluster)?;
        let names: BTreeMap<String, usize> =
            pools.iter().enumerate().map(|(index, pool)| (pool.name.clone(), index)).collect();
        let mut homes = Vec::with_capacity(trace.jobs.len());
        for job in &trace.jobs {
            let gpus = match job.gpus {
                Gpus::Whole(gpus) => gpus,
                Gpus::Share(share) => {
                    return Err(PublishedError::Share { job: job.id.to_string(), gpus: share.0 });
                }
            };
            let name = if cluster.pools.is_empty() { None } else { job.pool.as_deref() };
            let name = name.unwrap_or_default();
            let Some(&home) = names.get(name) else {
                let (job, pool) = (job.id.to_string(), name.to_owned());
                return Err(PublishedError::NoPool { job, pool });
            };
            let pool = &mut pools[home];
            if u64::from(gpus) > pool.gpus() {
                let (job, pool, most) = (job.id.to_string(), pool.title(), pool.gpus());
                return Err(PublishedError::TooLarge { job, gpus, pool, most });
            }
            homes.push((home, pool.jobs.len()));
            pool.jobs.push(Job {
                submit_s: job.submit.0 / MILLIS,
                duration_s: job.duration.0.div_ceil(MILLIS).max(1),
                gpus,
                deadline_s: job.deadline.map(|deadline| deadline.0 / MILLIS),
            });
        }
        Ok(Setting { pools, homes })
    }

    /// What becomes of each job under a rule, in the order of the trace.
    pub fn run(&self, rule: Rule) -> Vec<Outcome> {
        let by_pool: Vec<Vec<Outcome>> = self.pools.iter().map(|pool| pool.run(rule)).collect();
        self.homes.iter().map(|&(pool, job)| by_pool[pool][job]).collect()
    }

    /// The jobs in the order of the trace.
    pub fn jobs(&self) -> impl Iterator<Item = &Job> {
        self.homes.iter().map(|&(pool, job)| &self.pools[pool].jobs[job])
    }

    /// The pool of each job, in the order of the trace.
    pub fn homes(&self) -> impl Iterator<Item = usize> {
        self.homes.iter().map(|(pool, _)| *pool)
    }
}

/// Milliseconds of a second.
const MILLIS: u64 = 1000;

impl Pool {
    /// Its name for people.
    fn title(&self) -> String {
        if self.name.is_empty() { "the cluster".to_owned() } else { self.name.clone() }
    }
}

/// The pools of a cluster without jobs, in the order of their first nodes.
fn pools(cluster: &Cluster) -> Result<Vec<Pool>, PublishedError> {
    let mut pools: Vec<Pool> = Vec::new();
    for node in &cluster.nodes {
        let name = node.spec.pool.as_ref().map(ToString::to_string).unwrap_or_default();
        let name = if cluster.pools.is_empty() { String::new() } else { name };
        let gpus_per_node = node.spec.gpus;
        match pools.iter_mut().find(|pool| pool.name == name) {
            None => pools.push(Pool { name, nodes: 1, gpus_per_node, jobs: Vec::new() }),
            Some(pool) if pool.gpus_per_node == gpus_per_node => pool.nodes += 1,
            Some(pool) => {
                let (one, other) = (pool.gpus_per_node, gpus_per_node);
                return Err(PublishedError::Unequal { pool: pool.title(), one, other });
            }
        }
    }
    Ok(pools)
}
