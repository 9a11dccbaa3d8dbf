//! What those who wait could use: nothing of it is given to jobs that only grow.

use fixedbitset::FixedBitSet;
use muster_model::JobId;

use crate::dense::{Key, ModelId, QueueId};
use crate::state::State;
use crate::state::job::Job;
use crate::state::line::Line;
use crate::state::queue;

/// With more lines than this waiting, load is heavy and nobody grows.
const LINES_MAX: usize = 64;

/// The lines that wait, each with the models it accepts.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    lines: Vec<(JobId, FixedBitSet, Keeps)>,
}

/// What keeps a line from starting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keeps {
    Room,
    /// A limit of its queue or one above it, up to this one; more usage there would be in its way.
    LimitBelow(QueueId),
}

impl Wanted {
    /// Looks at all lines; `None` if there are too many.
    pub(crate) fn look(state: &State) -> Option<Wanted> {
        let mut wanted = Wanted::default();
        if state.waiting.len() == 0 {
            return Some(wanted);
        }
        for (_, line) in state.waiting.lines() {
            if wanted.lines.len() == LINES_MAX {
                return None;
            }
            wanted.lines.extend(entry(state, line));
        }
        Some(wanted)
    }

    /// Someone who waits for a limit that a job would use up by growing.
    pub(crate) fn by_limited(&self, state: &State, job: &Job, model: ModelId) -> Option<JobId> {
        let limited = Keeps::LimitBelow(root(state, job.queue));
        let waits = |(_, models, keeps): &&(JobId, FixedBitSet, Keeps)| {
            models.contains(model.index()) && *keeps == limited
        };
        self.lines.iter().find(waits).map(|(job, ..)| *job)
    }

    /// Someone who waits and could use a GPU of this model, now or once others are free too, or
    /// whose limit a job would use up by growing.
    pub(crate) fn by_others(&self, state: &State, job: &Job, model: ModelId) -> Option<JobId> {
        let root = root(state, job.queue);
        let wants = |(_, models, keeps): &&(JobId, FixedBitSet, Keeps)| {
            models.contains(model.index())
                && (*keeps == Keeps::Room || *keeps == Keeps::LimitBelow(root))
        };
        self.lines.iter().find(wants).map(|(job, ..)| *job)
    }
}

/// A line, unless it could not start on the whole cluster.
fn entry(state: &State, line: &Line) -> Option<(JobId, FixedBitSet, Keeps)> {
    let (_, head) = line.jobs().next()?;
    let demand = &state.shapes.get(line.key.shape).demand;
    if demand.gpus * 1000 > state.capacity.installed.gpus {
        return None;
    }
    let mut models = FixedBitSet::with_capacity(state.catalog.models());
    for model in demand.alternatives.iter().flat_map(|alternative| &alternative.models) {
        models.insert(model.index());
    }
    let keeps = match line.standing.allowed {
        0 => Keeps::LimitBelow(root(state, line.key.queue)),
        _ => Keeps::Room,
    };
    Some((head, models, keeps))
}

fn root(state: &State, queue: QueueId) -> QueueId {
    let path = queue::path(&state.capacity.queues, queue);
    path.last().expect("a path starts with the queue itself").0
}
