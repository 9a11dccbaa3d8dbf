//! How large an elastic job is and why it is no larger, by the functions that let jobs grow, run
//! on trial.

use muster_model::{JobId, NodeId};

use crate::action::JobState;
use crate::dense::Key;
use crate::elastic::grow::{self, Grower, Taken};
use crate::elastic::shrink::Books;
use crate::elastic::size::{self as sizes, Range};
use crate::elastic::wanted::Wanted;
use crate::explain::{Lent, NotLarger, Size, why};
use crate::plan::loan;
use crate::state::State;
use crate::state::job::Job;
use crate::transaction::Transaction;

/// The size of a job that runs and is elastic.
pub(crate) fn size(state: &mut State, id: JobId) -> Option<Size> {
    let job = state.jobs.get(id).filter(|job| job.record.state == JobState::Running)?;
    let range = sizes::range(job)?;
    let (tasks, fewest, most) = (job.size, range.min, range.max);
    let lent = lent(state, job, &range);
    Some(Size { tasks, fewest, most, lent, not_larger: not_larger(state, id, &range) })
}

/// What of a job is on GPUs that are reserved for another.
fn lent(state: &State, job: &Job, range: &Range) -> Option<Lent> {
    let mut tasks = sizes::tasks_from(job.record.run.as_ref()?, range, loan::from(job)?);
    let by = |node: &NodeId| state.capacity.nodes[*node].claimed;
    let gang = tasks.iter().find_map(|(node, _)| by(node))?;
    let reserved = state.floor.claims.get(&gang)?.reserved?;
    tasks.retain(|(node, _)| by(node) == Some(gang));
    Some(Lent {
        tasks: u32::try_from(tasks.len()).unwrap_or(u32::MAX),
        domain: why::around(state, tasks.iter().map(|(node, _)| *node)),
        by: gang,
        until: reserved.start.max(state.now),
    })
}

fn not_larger(state: &mut State, id: JobId, range: &Range) -> NotLarger {
    let job = state.jobs.known(id);
    if let Some(resize) = sizes::under_way(job) {
        return NotLarger::Changing { to: resize.to };
    }
    if job.size == range.max {
        return NotLarger::AtMost;
    }
    let run = job.record.run.as_ref().expect("a running job is placed");
    if job.unended as usize != run.nodes.len() {
        return NotLarger::Ending;
    }
    if state.catalog.policy().elastic.stay.0 == 0 {
        return NotLarger::Off;
    }
    if let Some(until) = sizes::of_run(run).grow_at {
        return NotLarger::Changed { until };
    }
    let Some(wanted) = Wanted::look(state) else { return NotLarger::ManyWait };
    let Some(mut grower) = Grower::new(state, id) else { return NotLarger::Ending };
    if let Some(by) = wanted.by_others(state, job, grower.model()) {
        return NotLarger::Wanted { by };
    }
    let Some(mut tasks) = grower.first_portion(job) else { return NotLarger::NotWorthIt };
    let books = Books { jobs: &state.jobs, shapes: &state.shapes, catalog: &state.catalog };
    let mut transaction = Transaction::new(&mut state.capacity);
    // Ends because each turn asks for half as much.
    loop {
        match grow::take(&mut transaction, books, &mut grower, tasks) {
            Taken::TooMany(fewer) => tasks = fewer,
            Taken::Limited(queue) => {
                let queue = books.catalog.spec.queues[queue.index()].name.clone();
                return NotLarger::Limit { queue };
            }
            Taken::Yes if grower.is_worth_it(job) => return NotLarger::Next,
            Taken::Yes => return NotLarger::NotWorthIt,
            Taken::No => return NotLarger::NoRoom,
        }
    }
}
