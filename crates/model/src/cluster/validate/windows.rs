//! Windows: what they change exists, and may have the value they give it.

use super::pools::check_zone;
use super::queues::{beyond, check_quota};
use crate::bound::{QUEUE_WEIGHT_MAX, SPAN_MAX, TEXT_LENGTH_MAX, WINDOWS_MAX};
use crate::cluster::ClusterSpec;
use crate::error::Invalid;
use crate::field::Field;
use crate::known::{Kind, Known};
use crate::name::{Name, QueueName, quoted};
use crate::problems::Problems;
use crate::queue::QueueSpec;
use crate::unit::Millis;
use crate::window::WindowChange;

/// Everything wrong with the windows.
pub(super) fn check(cluster: &ClusterSpec, field: &Field<'_>, problems: &mut Problems) {
    let windows = &cluster.windows;
    if !problems.length(field, "windows", windows.len(), 0..=WINDOWS_MAX) {
        return;
    }
    problems.unique(field, Some("name"), windows, |window| &window.name);
    for (index, window) in windows.iter().enumerate() {
        let at = field.at(index);
        problems.name(&at.field("name"), &window.name);
        check_opens(&window.opens, &at.field("opens"), problems);
        check_zone(&window.zone, &at.field("zone"), problems);
        problems.range(&at.field("lasts"), window.lasts, Millis(1)..=SPAN_MAX);
        let changes = at.field("changes");
        if problems.length(&changes, "changes", window.changes.len(), 1..=WINDOWS_MAX) {
            for (index, change) in window.changes.iter().enumerate() {
                check_change(change, cluster, &changes.at(index), problems);
            }
        }
    }
}

/// Five to seven fields, or one of the short names; the edges, which have a calendar, read it.
fn check_opens(opens: &str, field: &Field<'_>, problems: &mut Problems) {
    let is_cron = (5..=7).contains(&opens.split_whitespace().count());
    let is_short =
        opens.starts_with('@') && opens.len() > 1 && !opens.contains(char::is_whitespace);
    let is_opening = opens.len() <= TEXT_LENGTH_MAX && (is_cron || is_short);
    let allowed = "expected a cron expression of 5 to 7 fields, such as 0 20 * * 1-5";
    problems.holds(is_opening, field, || quoted(opens), allowed);
}

fn check_change(
    change: &WindowChange,
    cluster: &ClusterSpec,
    field: &Field<'_>,
    problems: &mut Problems,
) {
    match change {
        WindowChange::ClassValue(class, _) => {
            if !cluster.class(class) {
                let names = cluster.names(Kind::Class);
                problems.unknown(field, class.as_str(), Kind::Class.plural(), names);
            }
        }
        WindowChange::QueueWeight(queue, weight) => {
            if find_queue(queue, cluster, field, problems).is_some() {
                problems.range(field, *weight, 1..=QUEUE_WEIGHT_MAX);
            }
        }
        WindowChange::QueueLimit(name, limit) => {
            if let Some(queue) = find_queue(name, cluster, field, problems) {
                check_quota(limit, cluster, field, problems);
                for (part, amount, most) in beyond(&queue.guarantee, limit) {
                    let amount = part.text(amount);
                    let allowed = format!("expected at least {amount}, the queue's guarantee");
                    let path = format!("{field}.{part}");
                    problems.add(Invalid::new(path, part.text(most), allowed));
                }
            }
        }
        WindowChange::PoolSize(pool, nodes) => check_size(pool, *nodes, cluster, field, problems),
    }
}

fn find_queue<'c>(
    name: &QueueName,
    cluster: &'c ClusterSpec,
    field: &Field<'_>,
    problems: &mut Problems,
) -> Option<&'c QueueSpec> {
    let queue = cluster.queues.iter().find(|queue| queue.name == *name);
    if queue.is_none() {
        let names = cluster.names(Kind::Queue);
        problems.unknown(field, name.as_str(), Kind::Queue.plural(), names);
    }
    queue
}

fn check_size(
    name: &Name,
    nodes: u32,
    cluster: &ClusterSpec,
    field: &Field<'_>,
    problems: &mut Problems,
) {
    match cluster.pools.iter().find(|pool| pool.name == *name) {
        Some(pool) => {
            problems.range(field, nodes, pool.min..=pool.max);
        }
        None => {
            let names = cluster.pools.iter().map(|pool| pool.name.as_str());
            problems.unknown(field, name.as_str(), "pools", names);
        }
    }
}
