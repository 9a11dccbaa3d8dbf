//! The elements of an array that one line stands for.

use std::fmt;

use muster_model::Array;

use super::JobFacts;
use crate::values::array;
use crate::words::State;

/// Longer lists of indexes are cut, as on Slurm.
const TEXT_MAX: usize = 64;

/// One element, or several that wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Elements {
    /// The one with this index.
    One(u32),
    /// These, of which at most so many run at once.
    Several(Vec<u32>, Option<u32>),
}

impl fmt::Display for Elements {
    /// `3`, or `[3-5%2]`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Elements::One(index) => write!(formatter, "{index}"),
            Elements::Several(indexes, throttle) => {
                let all = Array { indexes: indexes.clone(), throttle: None };
                let mut text = array::written(&all);
                if text.len() > TEXT_MAX {
                    text.truncate(TEXT_MAX - "...".len());
                    text.push_str("...");
                }
                let most = throttle.map(|most| format!("%{most}")).unwrap_or_default();
                write!(formatter, "[{text}{most}]")
            }
        }
    }
}

/// The jobs with one line for all elements of an array that have never run and wait for the same.
/// The line stands where the first of them stood.
pub fn gathered(jobs: Vec<JobFacts>) -> Vec<JobFacts> {
    let mut lines: Vec<JobFacts> = Vec::new();
    for job in jobs {
        let waits = |job: &JobFacts| job.state == State::Pending && job.restarts == 0;
        let array = job.array.as_ref().map(|(array, _)| *array).filter(|_| waits(&job));
        let twin = lines.iter_mut().rev().find(|line| {
            let is_same = line.array.as_ref().map(|(array, _)| *array) == array;
            array.is_some() && is_same && waits(line) && line.reason == job.reason
        });
        let (Some(line), Some((_, Elements::One(index)))) = (twin, &job.array) else {
            lines.push(job);
            continue;
        };
        let throttle = job.request.when.array.as_ref().and_then(|array| array.throttle);
        if let Some((array, elements)) = &mut line.array {
            match elements {
                Elements::One(first) => {
                    *elements = Elements::Several(vec![*first, *index], throttle);
                    line.id = *array;
                }
                Elements::Several(indexes, _) => indexes.push(*index),
            }
        }
    }
    for line in &mut lines {
        let throttle = line.request.when.array.as_ref().and_then(|array| array.throttle);
        if line.state != State::Pending || line.restarts > 0 {
            continue;
        }
        match &mut line.array {
            Some((_, Elements::Several(indexes, _))) => indexes.sort_unstable(),
            // Slurm shows the last that waits in brackets too.
            Some((array, elements @ Elements::One(_))) => {
                let Elements::One(index) = *elements else { continue };
                *elements = Elements::Several(vec![index], throttle);
                line.id = *array;
            }
            None => {}
        }
    }
    lines
}
