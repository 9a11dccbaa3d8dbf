//! What is going to happen, in order: by time, and at one time in the order it was planned.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use muster_model::{Attempt, JobId, NodeId, Rung, Time};

/// Something a node or an application is going to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// Its part of an attempt runs.
    Up { node: NodeId, job: JobId, attempt: Attempt },
    /// Its part of an attempt has ended as it was asked to.
    Over { node: NodeId, job: JobId, attempt: Attempt },
    /// Its part of a job has come to its own end, if the job computed all the time since.
    Done { node: NodeId, job: JobId, turn: u32 },
    /// It has taken a rung, or undone it.
    Carried { node: NodeId, job: JobId, attempt: Attempt, order: u32, rung: Rung, down: bool },
    /// It has the tasks of a job that a resize asked for, or none any more.
    Resized { node: NodeId, job: JobId, attempt: Attempt, resize: u32, is_left: bool },
    /// An application has saved as it was asked to.
    Asked { job: JobId, attempt: Attempt },
    /// An application saves by itself, if it computed all the time since.
    Saves { job: JobId, attempt: Attempt, turn: u32 },
}

/// Events to come.
#[derive(Debug, Default)]
pub(super) struct Agenda {
    heap: BinaryHeap<Reverse<(Time, u64, usize)>>,
    /// The events themselves, at the places the heap names.
    events: Vec<Event>,
    vacant: Vec<usize>,
    planned: u64,
}

impl Agenda {
    pub(super) fn plan(&mut self, at: Time, event: Event) {
        let place = match self.vacant.pop() {
            Some(place) => {
                self.events[place] = event;
                place
            }
            None => {
                self.events.push(event);
                self.events.len() - 1
            }
        };
        self.heap.push(Reverse((at, self.planned, place)));
        self.planned += 1;
    }

    /// When the next event happens.
    pub(super) fn next_at(&self) -> Option<Time> {
        self.heap.peek().map(|Reverse((at, ..))| *at)
    }

    pub(super) fn pop(&mut self) -> Option<(Time, Event)> {
        let Reverse((at, _, place)) = self.heap.pop()?;
        self.vacant.push(place);
        Some((at, self.events[place]))
    }
}

#[cfg(test)]
mod tests {
    use muster_model::{Attempt, JobId, NodeId, Time};

    use super::{Agenda, Event};

    fn up(job: u64) -> Event {
        Event::Up { node: NodeId(0), job: JobId(job), attempt: Attempt(1) }
    }

    #[test]
    fn events_come_by_time_and_then_in_the_order_they_were_planned() {
        let mut agenda = Agenda::default();
        for (at, job) in [(5, 1), (3, 2), (5, 3), (3, 4)] {
            agenda.plan(Time(at), up(job));
        }
        assert_eq!(agenda.next_at(), Some(Time(3)));
        let order: Vec<Event> =
            std::iter::from_fn(|| agenda.pop().map(|(_, event)| event)).collect();
        assert_eq!(order, [up(2), up(4), up(1), up(3)]);
    }

    #[test]
    fn a_place_is_used_again_only_after_its_event_happened() {
        let mut agenda = Agenda::default();
        agenda.plan(Time(1), up(1));
        agenda.plan(Time(2), up(2));
        assert_eq!(agenda.pop(), Some((Time(1), up(1))));
        agenda.plan(Time(3), up(3));
        assert_eq!(agenda.pop(), Some((Time(2), up(2))));
        assert_eq!(agenda.pop(), Some((Time(3), up(3))));
        assert_eq!(agenda.pop(), None);
    }
}
