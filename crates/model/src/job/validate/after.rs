//! What a job waits for: jobs by their numbers, elements where there are some.

use crate::bound::{DEPENDENCIES_MAX, SPAN_MAX};
use crate::dependency::{Dependency, Elements, Predecessor};
use crate::error::Invalid;
use crate::field::Field;
use crate::id::JobId;
use crate::job::JobSpec;
use crate::problems::Problems;
use crate::unit::Millis;

/// Everything wrong with what the job waits for.
pub(super) fn check(job: &JobSpec, field: &Field<'_>, problems: &mut Problems) {
    let named = |dependency: &Dependency| dependency.predecessors().len().max(1);
    let count = job.after.iter().map(named).sum();
    if !problems.length(field, "dependencies", count, 0..=DEPENDENCIES_MAX) {
        return;
    }
    for (index, dependency) in job.after.iter().enumerate() {
        let at = field.at(index);
        match dependency {
            Dependency::On(one) => check_one(job, one, &at, problems),
            Dependency::AnyOf(several) => {
                problems.length(&at, "jobs", several.len(), 1..=DEPENDENCIES_MAX);
                for (index, one) in several.iter().enumerate() {
                    check_one(job, one, &at.at(index), problems);
                }
            }
            Dependency::Singleton => {}
        }
    }
}

fn check_one(job: &JobSpec, one: &Predecessor, field: &Field<'_>, problems: &mut Problems) {
    if one.job == JobId(0) {
        let at = field.field("job").to_string();
        problems.add(Invalid::new(at, "0", "expected the id of a job, 1 or more"));
    }
    if one.elements == Elements::Same && job.array.is_none() {
        let allowed = "expected an array that waits: only its elements have indexes";
        problems.add(Invalid::new(field.field("elements").to_string(), "same", allowed));
    }
    problems.range(&field.field("delay"), one.delay, Millis::ZERO..=SPAN_MAX);
}
