//! What is going to happen, in order: by time, and at one time in the order it was planned.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use muster_model::{Attempt, JobId, NodeId, Rung, Time};

/// Something that happens in a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A node's part of an attempt runs.
    Up { node: NodeId, job: JobId, attempt: Attempt },
    /// A node's part of an attempt has ended as it was asked to.
    Over { node: NodeId, job: JobId, attempt: Attempt },
    /// A job has done all it had to, if it computed all the time since.
    Done { job: JobId, turn: u32 },
    /// A node has taken a rung, or undone it.
    Carried { node: NodeId, job: JobId, attempt: Attempt, order: u32, rung: Rung, down: bool },
    /// An application has saved as it was asked to.
    Asked { job: JobId, attempt: Attempt },
    /// An application saves by itself, if it computed all the time since.
    Saves { job: JobId, turn: u32 },
    /// A node breaks.
    Breaks { node: NodeId },
    /// A broken node is mended.
    Mended { node: NodeId },
}

/// Events to come.
#[derive(Debug, Default)]
pub(super) struct Agenda {
    heap: BinaryHeap<Reverse<(Time, u64, usize)>>,
    /// The events themselves, at the places the heap names.
    events: Vec<(usize, Event)>,
    vacant: Vec<usize>,
    planned: u64,
}

impl Agenda {
    pub(super) fn plan(&mut self, at: Time, pool: usize, event: Event) {
        let place = match self.vacant.pop() {
            Some(place) => {
                self.events[place] = (pool, event);
                place
            }
            None => {
                self.events.push((pool, event));
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

    pub(super) fn pop(&mut self) -> Option<(Time, usize, Event)> {
        let Reverse((at, _, place)) = self.heap.pop()?;
        self.vacant.push(place);
        let (pool, event) = self.events[place];
        Some((at, pool, event))
    }
}

#[cfg(test)]
mod tests {
    use muster_model::{NodeId, Time};

    use super::{Agenda, Event};

    #[test]
    fn events_come_by_time_and_then_in_the_order_they_were_planned() {
        let mut agenda = Agenda::default();
        let event = |node| Event::Breaks { node: NodeId(node) };
        for (at, node) in [(5, 1), (3, 2), (5, 3), (3, 4)] {
            agenda.plan(Time(at), 0, event(node));
        }
        assert_eq!(agenda.next_at(), Some(Time(3)));
        assert_eq!(agenda.pop(), Some((Time(3), 0, event(2))));
        agenda.plan(Time(4), 7, event(5));
        let rest: Vec<_> = std::iter::from_fn(|| agenda.pop()).map(|(.., event)| event).collect();
        assert_eq!(rest, [event(4), event(5), event(1), event(3)]);
    }
}
