//! The lists in the order in which they are shown, and the row that is selected in them.

use muster_api::view::{JobState, JobView, MapJob};
use muster_client::Order;

use super::{App, Question, Sort, View, Which};

/// A row of the plan.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Planned<'a> {
    Start(&'a muster_api::view::PlannedStart),
    End(&'a muster_api::view::PlannedEnd),
}

impl App {
    /// Jobs that hold GPUs, those with most of them first.
    pub(crate) fn holders(&self) -> Vec<&MapJob> {
        let jobs = self.data.map.iter().flat_map(|map| &map.jobs);
        let mut jobs: Vec<&MapJob> = jobs.collect();
        jobs.sort_by_key(|job| (std::cmp::Reverse(job.gpus_milli), job.id));
        jobs
    }

    /// The jobs of the list that go through the filter, sorted.
    pub(crate) fn listed(&self) -> Vec<&JobView> {
        let list = self.data.jobs.value.as_ref().filter(|(which, _)| *which == self.which);
        let jobs = list.into_iter().flat_map(|(_, list)| &list.jobs);
        let mut jobs: Vec<&JobView> = jobs.filter(|job| self.passes(job)).collect();
        let newest = |job: &JobView| std::cmp::Reverse(job.id);
        match self.sort {
            Sort::Newest => jobs.sort_by_key(|job| newest(job)),
            // Those that have run or waited longest first.
            Sort::Time => jobs.sort_by_key(|job| match job.state.is_pending() {
                true => (job.submitted, job.id),
                false => (job.started.unwrap_or(job.submitted), job.id),
            }),
            Sort::Gpus => {
                jobs.sort_by_key(|job| (std::cmp::Reverse(job.gpus_milli), newest(job)));
            }
            Sort::User => jobs.sort_by_key(|job| (&job.user, newest(job))),
            Sort::Name => jobs.sort_by_key(|job| (&job.name, newest(job))),
            Sort::State => jobs.sort_by_key(|job| (standing(job), newest(job))),
        }
        if self.is_reversed {
            jobs.reverse();
        }
        jobs
    }

    /// Whether every word of the filter is somewhere in the job's row.
    fn passes(&self, job: &JobView) -> bool {
        let id = job.id.to_string();
        let state = job.outcome.map_or_else(|| job.state.to_string(), |how| how.to_string());
        let team = job.team.as_deref().unwrap_or_default();
        let nodes = job.nodes.join(" ");
        let row = [&id, &job.name, &job.user, team, &job.queue, &job.class, &state, &nodes];
        let row = row.map(str::to_lowercase);
        let filter = self.filter.to_lowercase();
        filter.split_whitespace().all(|word| row.iter().any(|cell| cell.contains(word)))
    }

    /// What is to start, then what is to end.
    pub(crate) fn planned(&self) -> Vec<Planned<'_>> {
        let Some(plan) = &self.data.plan.value else { return Vec::new() };
        let starts = plan.next.iter().map(Planned::Start);
        starts.chain(plan.running.iter().map(Planned::End)).collect()
    }

    /// The jobs of the list on the screen.
    fn ids(&self) -> Vec<u64> {
        match self.view {
            View::Cluster => self.holders().iter().map(|job| job.id).collect(),
            View::Jobs => self.listed().iter().map(|job| job.id).collect(),
            View::Plan => self.planned().iter().map(Planned::job).collect(),
            View::Queues => Vec::new(),
        }
    }

    /// The place of the selected job in a list.
    pub(crate) fn place_of(&self, ids: impl IntoIterator<Item = u64>) -> Option<usize> {
        let chosen = self.chosen_job?;
        ids.into_iter().position(|id| id == chosen)
    }

    /// Moves the selection by so many rows; to the first where nothing was selected.
    pub(super) fn step(&mut self, by: isize) {
        if self.view == View::Queues {
            let queues = self.data.queues.value.iter().flatten();
            let names: Vec<&String> = queues.map(|queue| &queue.name).collect();
            let at = self.chosen_queue.as_ref();
            let at = at.and_then(|chosen| names.iter().position(|name| *name == chosen));
            self.chosen_queue = moved(at, by, names.len()).map(|place| names[place].clone());
            return;
        }
        let ids = self.ids();
        let at = self.place_of(ids.iter().copied());
        self.chosen_job = moved(at, by, ids.len()).map(|place| ids[place]);
    }

    /// The job that keys are about: the open one, or the selected one if it is on the screen.
    pub(super) fn subject(&self) -> Option<u64> {
        let chosen = || self.chosen_job.filter(|chosen| self.ids().contains(chosen));
        self.open.or_else(chosen)
    }

    /// Whether nothing can be asked of a job any more, as far as it is known.
    pub(super) fn has_ended(&self, job: u64) -> bool {
        let open = self.data.job.value.iter().map(|(_, known)| &known.detail.job);
        let listed = self.data.jobs.value.iter().flat_map(|(_, list)| &list.jobs);
        open.chain(listed).any(|known| known.id == job && known.state == JobState::Ended)
    }

    /// The question to ask before something is asked of a job.
    pub(super) fn question_about(&self, job: u64, order: Order) -> Question {
        let listed = || {
            let (_, list) = self.data.jobs.value.as_ref()?;
            list.jobs.iter().find(|known| known.id == job).map(|known| known.name.clone())
        };
        let held = || {
            let map = self.data.map.as_ref()?;
            map.jobs.iter().find(|known| known.id == job).map(|known| known.name.clone())
        };
        let planned = || {
            let plan = self.planned();
            let found = plan.iter().find(|known| known.job() == job)?;
            Some(found.of().name.clone())
        };
        let open = || {
            let (_, known) = self.data.job.value.as_ref().filter(|(id, _)| *id == job)?;
            Some(known.detail.job.name.clone())
        };
        let name = open().or_else(held).or_else(listed).or_else(planned).unwrap_or_default();
        Question { job, name, order }
    }

    /// How many jobs the server has for the list, as far as it is known.
    pub(crate) fn is_cut(&self) -> bool {
        let list = self.data.jobs.value.as_ref();
        list.is_some_and(|(which, list)| *which == self.which && list.is_more)
    }

    /// The same list with those of one queue only.
    pub(super) fn open_queue(&mut self, queue: String) {
        (self.view, self.which) = (View::Jobs, Which::Alive);
        (self.filter, self.chosen_job) = (queue, None);
    }
}

impl Planned<'_> {
    pub(crate) fn of(&self) -> &muster_api::view::PlannedJob {
        match self {
            Planned::Start(start) => &start.of,
            Planned::End(end) => &end.of,
        }
    }

    pub(crate) fn job(&self) -> u64 {
        self.of().job
    }
}

/// A place some rows away, within a list.
fn moved(at: Option<usize>, by: isize, count: usize) -> Option<usize> {
    let last = count.checked_sub(1)?;
    Some(match at {
        Some(at) => at.saturating_add_signed(by).min(last),
        None if by > isize::MAX / 2 => last,
        None => 0,
    })
}

/// What changes before what is settled, what runs before what waits.
fn standing(job: &JobView) -> u8 {
    match job.state {
        JobState::Launching | JobState::Resuming => 0,
        JobState::Pausing | JobState::Stopping => 1,
        JobState::Running => 2,
        JobState::Paused => 3,
        JobState::Queued => 4,
        JobState::Waiting => 5,
        JobState::Ended => 6,
    }
}
