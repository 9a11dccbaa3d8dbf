//! The tree of queues: parents before children, and promises that can be kept.

use std::collections::{BTreeMap, BTreeSet};

use crate::bound::{IDLE_AFTER_MAX, IDLE_AFTER_MIN, QUEUE_WEIGHT_MAX, QUEUES_MAX};
use crate::cluster::ClusterSpec;
use crate::error::Invalid;
use crate::field::Field;
use crate::known::{Kind, Known};
use crate::name::{QueueName, quoted};
use crate::problems::Problems;
use crate::queue::{QueueSpec, Quota, QuotaPart};

/// Everything wrong with the queues.
pub(super) fn check(cluster: &ClusterSpec, field: &Field<'_>, problems: &mut Problems) {
    let queues = &cluster.queues;
    if !problems.length(field, "queues", queues.len(), 1..=QUEUES_MAX) {
        return;
    }
    problems.unique(field, Some("name"), queues, |queue| &queue.name);
    let mut earlier = BTreeSet::new();
    for (index, queue) in queues.iter().enumerate() {
        let at = field.at(index);
        check_name(queue, &earlier, &at.field("name"), problems);
        earlier.insert(&queue.name);
        problems.range(&at.field("weight"), queue.weight, 1..=QUEUE_WEIGHT_MAX);
        check_quota(&queue.guarantee, cluster, &at.field("guarantee"), problems);
        check_quota(&queue.limit, cluster, &at.field("limit"), problems);
        check_quota(&queue.user_limit, cluster, &at.field("user_limit"), problems);
        check_within(queue, &at, problems);
        if let Some(rule) = &queue.idle {
            let at = at.field("idle");
            problems.range(&at.field("below_milli"), rule.below_milli, 1..=1000);
            problems.range(&at.field("after"), rule.after, IDLE_AFTER_MIN..=IDLE_AFTER_MAX);
        }
    }
    check_sums(queues, field, problems);
}

fn check_name(
    queue: &QueueSpec,
    earlier: &BTreeSet<&QueueName>,
    field: &Field<'_>,
    problems: &mut Problems,
) {
    if !queue.name.is_valid() {
        problems.add(queue.name.invalid(field.to_string()));
        return;
    }
    let missing = queue.name.parent().filter(|parent| !earlier.contains(parent));
    if let Some(parent) = missing {
        let allowed = format!("expected its parent {parent} before it");
        problems.add(Invalid::new(field.to_string(), quoted(queue.name.as_str()), allowed));
    }
}

/// Everything wrong with a quota by itself.
pub(super) fn check_quota(
    quota: &Quota,
    cluster: &ClusterSpec,
    field: &Field<'_>,
    problems: &mut Problems,
) {
    for (part, amount) in quota.parts() {
        let most = part.most();
        if amount > most {
            let allowed = format!("expected at most {}", part.text(most));
            problems.add(Invalid::new(format!("{field}.{part}"), part.text(amount), allowed));
        }
    }
    for model in quota.models.keys().filter(|model| !cluster.model(model)) {
        let names = cluster.names(Kind::Model);
        problems.unknown(&field.field("models"), model.as_str(), Kind::Model.plural(), names);
    }
}

/// A guarantee beyond the queue's own limit could never be used.
fn check_within(queue: &QueueSpec, field: &Field<'_>, problems: &mut Problems) {
    for (part, amount, most) in beyond(&queue.guarantee, &queue.limit) {
        let allowed = format!("expected at most {}, the queue's limit", part.text(most));
        let path = format!("{}.{part}", field.field("guarantee"));
        problems.add(Invalid::new(path, part.text(amount), allowed));
    }
}

/// What is guaranteed beyond a limit: the part, the guarantee and the limit.
pub(super) fn beyond<'q>(
    guarantee: &'q Quota,
    limit: &Quota,
) -> impl Iterator<Item = (QuotaPart<'q>, u64, u64)> {
    guarantee.parts().filter_map(|(part, amount)| {
        // GPUs of one model count against the limit on all of them too.
        let of_all = limit.gpus.filter(|_| part.is_model()).map(|gpus| gpus.0);
        let most = limit.get(part).into_iter().chain(of_all).min()?;
        (amount > most).then_some((part, amount, most))
    })
}

/// What the children of a queue are guaranteed together is within what the queue itself is
/// guaranteed or, where it has no guarantee, limited to.
fn check_sums(queues: &[QueueSpec], field: &Field<'_>, problems: &mut Problems) {
    // Children come after their parents, so from the end a queue's own sum is complete when it
    // is reached. A queue without a guarantee passes its children's on to its parent.
    let mut sums: BTreeMap<(QueueName, QuotaPart<'_>), u64> = BTreeMap::new();
    for queue in queues.iter().rev() {
        let Some(parent) = queue.name.parent() else { continue };
        let own = queue.guarantee.parts();
        let from_below = children(&sums, queue);
        let passed_on =
            from_below.into_iter().filter(|(part, _)| queue.guarantee.get(*part).is_none());
        for (part, amount) in own.chain(passed_on) {
            let sum = sums.entry((parent.clone(), part)).or_default();
            *sum = sum.saturating_add(amount);
        }
    }
    for (index, queue) in queues.iter().enumerate() {
        for (part, sum) in children(&sums, queue) {
            let guarantee = queue.guarantee.get(part).map(|own| ("guarantee", own));
            let limit = queue.limit.get(part).map(|own| ("limit", own));
            let Some((name, own)) = guarantee.or(limit).filter(|(_, own)| sum > *own) else {
                continue;
            };
            let path = format!("{}.{part}", field.at(index).field(name));
            let allowed = format!(
                "expected at least {}, what its children are guaranteed together",
                part.text(sum)
            );
            problems.add(Invalid::new(path, part.text(own), allowed));
        }
    }
}

/// What the children of the queue are guaranteed together, of each part.
fn children<'a>(
    sums: &BTreeMap<(QueueName, QuotaPart<'a>), u64>,
    queue: &QueueSpec,
) -> Vec<(QuotaPart<'a>, u64)> {
    sums.range((queue.name.clone(), QuotaPart::Gpus)..)
        .take_while(|((name, _), _)| *name == queue.name)
        .map(|((_, part), sum)| (*part, *sum))
        .collect()
}
