//! Words that only the scenarios with bookings need.

use crate::support::*;

/// So many nodes of 8 GPUs, `n-1` and so on. Every step is also taken by an engine made from the
/// snapshot before it.
pub(super) fn nodes(count: u32) -> Setup {
    cluster().nodes("n", count, "H100x8").doubted()
}

/// A moment so many hours after the beginning.
pub(super) fn at(count: u64) -> Time {
    Time(0) + hours(count)
}

/// A maintenance from an hour to another, without nodes yet.
pub(super) fn maintenance(from: u64, to: u64) -> Booking {
    Booking::new("cooling", at(from)).until(at(to))
}

/// The same for `user-a`.
pub(super) fn reservation(from: u64, to: u64) -> Booking {
    Booking::new("demo", at(from)).until(at(to)).user("user-a")
}

/// One node by its name, for jobs that run only there.
pub(super) fn node(name: &str) -> Expression {
    Expression::Node(vec![name.into()])
}
