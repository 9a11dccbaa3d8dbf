//! Bookings in a snapshot.

use muster_model::{Booking, Time};
use serde::{Deserialize, Serialize};

/// A booking that is not over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookingRecord {
    /// Its number, in the order bookings were made or changed.
    pub id: u32,
    /// What was asked for.
    pub booking: Booking,
    /// When it was made or last changed.
    pub made: Time,
    /// Whether those who have to go before it starts were told.
    pub is_noticed: bool,
    /// Whether it has started.
    pub is_open: bool,
}

impl BookingRecord {
    /// Whether nothing at all may run on its nodes now.
    pub fn is_closed(&self) -> bool {
        self.is_open && self.booking.is_for_nobody()
    }
}
