//! Tests of the mind: single cases, and random streams of mishaps.

mod explaining;
mod holding;
mod pausing;
mod random;
mod scenarios;
mod stage;
mod stepping;
mod world;
