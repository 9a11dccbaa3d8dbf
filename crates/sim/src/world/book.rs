//! What operators do with bookings, at odd moments.

use muster_engine::command::Command;
use muster_model::{Booking, Leftovers, Millis, Name};

use super::World;
use crate::error::SimError;

/// Bookings have one of these names, so that they are changed now and then.
const NAMES: [&str; 3] = ["b0", "b1", "b2"];

impl World {
    /// Books nodes, changes a booking or takes one back. What meets another is refused.
    pub(super) fn book(&mut self) -> Result<(), SimError> {
        let name = NAMES[self.one_of(NAMES.len())];
        let command = match self.one_of(4) {
            0 => Command::BookingRemoved { name: name.into() },
            _ => Command::BookingSet { booking: self.some_booking(name) },
        };
        self.tell(&command).map(|_| ())
    }

    /// A booking of a node, or of a domain around it, for some users, a queue or nobody.
    fn some_booking(&mut self, name: &str) -> Booking {
        let start = self.now + self.span(Millis::ZERO, Millis::hours(2));
        let mut booking = Booking::new(name, start);
        if self.one_of(6) > 0 {
            booking.end = Some(start + self.span(Millis::minutes(5), Millis::hours(2)));
        }
        let all: Vec<_> = self.nodes.values().map(|node| node.spec.clone()).collect();
        for _ in 0..=self.one_of(2) {
            let Some(spec) = all.get(self.one_of(all.len().max(1))) else { continue };
            let depth = self.one_of(spec.domains.len() + 2);
            booking.places.push(match spec.domains.get(..depth) {
                Some(path) => muster_model::BookedPlace::Domain(path.to_vec()),
                None => muster_model::BookedPlace::Node(spec.name.clone()),
            });
        }
        booking.places.sort_unstable();
        booking.places.dedup();
        match self.one_of(4) {
            0 => {}
            1 => {
                let queues = self.watch.engine().snapshot().cluster.queues;
                booking.queues.push(queues[self.one_of(queues.len())].name.clone());
            }
            users => booking
                .users
                .extend((0..users).map(|user| Name::from(format!("user-{user}").as_str()))),
        }
        if self.one_of(2) == 0 {
            booking.leftovers = Leftovers::Requeue;
        }
        booking
    }

    /// Takes back all bookings.
    pub(super) fn unbook_all(&mut self) -> Result<(), SimError> {
        for record in self.watch.engine().snapshot().bookings {
            self.tell(&Command::BookingRemoved { name: record.booking.name })?;
        }
        Ok(())
    }
}
