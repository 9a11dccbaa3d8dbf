//! What is read and what is refused, with the exact words; and that all that is printed is read.

mod accepted;
mod refused;
mod round_trips;
