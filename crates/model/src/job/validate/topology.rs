//! What a job wishes of its places: levels that exist, and segments that divide it.

use std::cmp::Ordering;

use crate::bound::SPAN_MAX;
use crate::error::Invalid;
use crate::field::Field;
use crate::job::JobSpec;
use crate::known::{Kind, Known};
use crate::problems::Problems;
use crate::topology::{Level, NODE_LEVEL, Segment};
use crate::unit::Millis;

/// Everything wrong with the wish of the job.
pub(super) fn check(job: &JobSpec, field: &Field<'_>, known: &impl Known, problems: &mut Problems) {
    let wish = &job.topology;
    if let Some(level) = &wish.require {
        check_level(level, &field.field("require"), known, problems);
    }
    if let Some(level) = &wish.prefer {
        check_level(level, &field.field("prefer"), known, problems);
    }
    if let Some(patience) = wish.patience {
        let at = field.field("patience");
        problems.range(&at, patience, Millis::ZERO..=SPAN_MAX);
        let allowed = "expected nothing without a level that is required";
        problems.holds(wish.require.is_some(), &at, || patience.to_string(), allowed);
    }
    if wish.apart {
        check_apart(job, field, problems);
    }
    let Some(segment) = &wish.segment else { return };
    let at = field.field("segment");
    check_level(&segment.level, &at.field("level"), known, problems);
    check_tasks(job, segment, &at, problems);
    let Some(require) = &wish.require else { return };
    if narrowness(&segment.level, require, known) == Some(Ordering::Less) {
        let allowed = format!("expected {require}, which the job requires, or a narrower level");
        let value = segment.level.to_string();
        problems.add(Invalid::new(at.field("level").to_string(), value, allowed));
    }
}

/// Tasks that each have a node of their own cannot be told to share one; and how many there are
/// is fixed, for tasks that come later would have to know where the others are.
fn check_apart(job: &JobSpec, field: &Field<'_>, problems: &mut Problems) {
    let wish = &job.topology;
    let is_several = job.groups.len() > 1 || job.groups.iter().any(|group| group.tasks.max > 1);
    let segment = wish.segment.as_ref().filter(|segment| segment.tasks > 1);
    let is_one_node = wish.require == Some(Level::Node)
        || segment.is_some_and(|segment| segment.level == Level::Node);
    if is_one_node && is_several {
        let allowed = "expected false for tasks that must share a node";
        problems.add(Invalid::new(field.field("apart").to_string(), "true", allowed));
    }
    if job.groups.iter().any(|group| group.tasks.is_elastic()) {
        let allowed = "expected false for a job that grows and shrinks";
        problems.add(Invalid::new(field.field("apart").to_string(), "true", allowed));
    }
}

fn check_level(level: &Level, field: &Field<'_>, known: &impl Known, problems: &mut Problems) {
    let Level::Named(name) = level else { return };
    if known.level(name).is_some() {
        return;
    }
    if name.as_str() == NODE_LEVEL {
        let allowed = "expected the node itself, which is no named level";
        problems.add(Invalid::new(field.to_string(), "the named level `node`", allowed));
        return;
    }
    let names = known.names(Kind::Level).into_iter().chain([NODE_LEVEL]);
    problems.unknown(field, name.as_str(), Kind::Level.plural(), names);
}

/// How narrow the one level is against the other, if both exist.
fn narrowness(one: &Level, other: &Level, known: &impl Known) -> Option<Ordering> {
    let depth = |level: &Level| match level {
        Level::Named(name) => known.level(name),
        Level::Node => Some(usize::MAX),
    };
    Some(depth(one)?.cmp(&depth(other)?))
}

fn check_tasks(job: &JobSpec, segment: &Segment, field: &Field<'_>, problems: &mut Problems) {
    let tasks = field.field("tasks");
    let [group] = &job.groups[..] else {
        let value = format!("a segment with {} groups", job.groups.len());
        problems.add(Invalid::new(field.to_string(), value, "expected exactly 1 group"));
        return;
    };
    if segment.tasks == 0 {
        problems.add(Invalid::new(tasks.to_string(), "0", "expected 1 or more"));
        return;
    }
    let divides = |count: u32| count.is_multiple_of(segment.tasks);
    if !divides(group.tasks.min) || !divides(group.tasks.max) {
        let allowed = format!("expected a divisor of the job's {} tasks", group.tasks);
        problems.add(Invalid::new(tasks.to_string(), segment.tasks.to_string(), allowed));
    }
}
