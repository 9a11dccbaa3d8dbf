//! How an elastic job scales: sizes it can have, in order, each with a speed.

use crate::bound::{SPAN_MAX, SPEEDS_MAX};
use crate::error::Invalid;
use crate::field::Field;
use crate::job::JobSpec;
use crate::problems::Problems;
use crate::unit::Millis;

/// Everything wrong with what the job says of its speed.
pub(super) fn check(job: &JobSpec, field: &Field<'_>, problems: &mut Problems) {
    let scaling = &job.scaling;
    problems.range(&field.field("resize"), scaling.resize, Millis::ZERO..=SPAN_MAX);
    let speeds = field.field("speeds");
    if !problems.length(&speeds, "speeds", scaling.speeds.len(), 0..=SPEEDS_MAX)
        || scaling.speeds.is_empty()
    {
        return;
    }
    let Some(group) = job.elastic_group().map(|index| &job.groups[index]) else {
        let value = format!("{} speeds", scaling.speeds.len());
        let allowed = "expected none: no group of GPU tasks has a range of tasks";
        problems.add(Invalid::new(speeds.to_string(), value, allowed));
        return;
    };
    for (index, point) in scaling.speeds.iter().enumerate() {
        let at = speeds.at(index);
        problems.range(&at.field("tasks"), point.tasks, group.tasks.min..=group.tasks.max);
        problems.range(&at.field("speed"), point.speed, 1..=u32::MAX);
    }
    let disorder = scaling.speeds.windows(2).position(|pair| pair[0].tasks >= pair[1].tasks);
    if let Some(position) = disorder {
        let (one, next) = (scaling.speeds[position].tasks, scaling.speeds[position + 1].tasks);
        let at = speeds.at(position + 1).field("tasks").to_string();
        let value = format!("{next} after {one}");
        problems.add(Invalid::new(at, value, "expected ascending sizes without repeats"));
    }
}
