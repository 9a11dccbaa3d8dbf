//! Bookings as people see them.

use muster_engine::snapshot::BookingRecord;
use muster_model::Booking;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A booking that is not over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BookingView {
    /// What was asked for.
    pub booking: Booking,
    /// Whether it has started.
    pub is_open: bool,
}

impl From<BookingRecord> for BookingView {
    fn from(record: BookingRecord) -> BookingView {
        BookingView { booking: record.booking, is_open: record.is_open }
    }
}
