//! Promise: what is reserved is lent to elastic jobs only as far as they can shrink out of it.
//!
//! Tasks that a job adds on nodes reserved for a gang are there on loan: the engine's account says
//! from which rank on, a resize of the job fits into the grace, and there is time for two of them
//! before the reserved start. Nodes that are held for a starving job are not lent this way. When
//! nothing but what was lent is left on the nodes of a gang, it is asked for at once, whatever the
//! classes. That is judged where no limit, no booking and no lost or unhealthy node may keep the
//! gang, and where those who have the loans run whole and are not changing their size.

use std::collections::BTreeMap;

use muster_engine::action::JobState;
use muster_engine::snapshot::{ClaimRecord, Snapshot};
use muster_model::{JobId, NodeId};

use crate::ledger::chain;
use crate::shadow::{Job, Part, Report, Shadow};
use crate::violation::{Findings, Promise};

/// Judges those who grow at this moment onto nodes that were held before.
pub(crate) fn compared(shadow: &Shadow, snapshot: &Snapshot, found: &mut Findings) {
    let held: BTreeMap<NodeId, &ClaimRecord> = (snapshot.claims.iter())
        .filter(|claim| claim.since < shadow.now)
        .flat_map(|claim| claim.nodes.iter().map(move |node| (*node, claim)))
        .collect();
    if held.is_empty() {
        return;
    }
    for job in shadow.jobs.values() {
        let run = job.run.as_ref().filter(|run| run.resized == Some(shadow.now));
        let parts = run.into_iter().flat_map(|run| &run.parts);
        for (node, part) in parts {
            let added = part.asked.iter().flat_map(|asked| &asked.added);
            let lowest = added.map(|task| task.rank).min();
            if let (Some(claim), Some(rank)) = (held.get(node), lowest) {
                judge(shadow, snapshot, (job, rank), claim, found);
            }
        }
    }
}

fn judge(
    shadow: &Shadow,
    snapshot: &Snapshot,
    (job, rank): (&Job, u32),
    claim: &ClaimRecord,
    found: &mut Findings,
) {
    let (id, gang) = (job.id, claim.job);
    let Some(reserved) = claim.reserved else {
        let detail =
            format!("job {id} grows onto nodes that are held for job {gang}, which starves");
        found.add(Promise::Elastic, detail);
        return;
    };
    let resize = job.spec.scaling.resize;
    let is_quick = resize <= shadow.cluster.policy.reservations.grace;
    if !is_quick || shadow.now + resize + resize > reserved.start {
        let detail = format!("job {id} grows onto nodes of job {gang} and cannot leave in time");
        found.add(Promise::Elastic, detail);
    }
    if lent_from(snapshot, id).is_none_or(|from| from > rank) {
        let detail = format!("job {id} grows onto nodes of job {gang}, and nothing says on loan");
        found.add(Promise::Elastic, detail);
    }
}

/// Judges the gangs that still wait when the engine has nothing left to do at this moment.
pub(crate) fn at_rest(shadow: &Shadow, snapshot: &Snapshot, found: &mut Findings) {
    for claim in snapshot.claims.iter().filter(|claim| claim.reserved.is_some()) {
        let Some(gang) = shadow.jobs.get(&claim.job) else { continue };
        if may_be_kept(shadow, snapshot, gang) {
            continue;
        }
        let mut is_lent = false;
        let waits_for_another = claim.nodes.iter().any(|id| {
            let Some(node) = shadow.nodes.get(id) else { return true };
            is_lent |= !node.tasks.is_empty();
            let lent = |(job, group, rank)| is_lent_and_ready(shadow, snapshot, job, (group, rank));
            node.closed(shadow.now).is_some()
                || !node.unhealthy.is_empty()
                || !node.tasks.keys().all(|key| lent(*key))
        });
        if is_lent && !waits_for_another {
            let detail = format!("job {} waits for nothing but what was lent", claim.job);
            found.add(Promise::Elastic, detail);
        }
    }
}

/// Whether something else may keep a gang.
fn may_be_kept(shadow: &Shadow, snapshot: &Snapshot, gang: &Job) -> bool {
    let is_limited = chain(&gang.spec.queue).any(|name| {
        let queue = shadow.queues.get(&name);
        queue.is_some_and(|queue| {
            queue.limit != Default::default() || queue.user_limit != Default::default()
        })
    });
    is_limited || !snapshot.bookings.is_empty()
}

/// Whether a task was only lent to its job, which could be asked for it now.
fn is_lent_and_ready(
    shadow: &Shadow,
    snapshot: &Snapshot,
    id: JobId,
    (group, rank): (u16, u32),
) -> bool {
    let Some(job) = shadow.jobs.get(&id) else { return false };
    let run = job.run.as_ref().filter(|_| job.state == Some(JobState::Running));
    let is_whole = |part: &Part| part.report == Report::Started && part.asked.is_none();
    run.is_some_and(|run| run.parts.values().all(is_whole))
        && job.spec.elastic_group() == Some(usize::from(group))
        && lent_from(snapshot, id).is_some_and(|from| rank >= from)
}

/// From which rank on the tasks of a job were only lent to it, as the engine says.
fn lent_from(snapshot: &Snapshot, id: JobId) -> Option<u32> {
    let at = snapshot.jobs.binary_search_by_key(&id, |job| job.id).ok()?;
    snapshot.jobs[at].run.as_ref()?.elastic.as_ref()?.lent_from
}
