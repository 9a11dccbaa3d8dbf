//! Tests of the judge itself: for every promise, stories in which it is kept and stories in which
//! it is broken. A judge that finds nothing wrong with a broken story is worth nothing.

mod act;
mod record;
mod stage;

mod attempt;
mod baseline;
mod booking;
mod changed;
mod conservation;
mod elastic;
mod exclusive;
mod floor;
mod gang;
mod lent;
mod lifecycle;
mod limit;
mod moved;
mod no_lost_job;
mod outcome;
mod pause;
mod plan;
mod quiescence;
mod quota;
mod reason;
mod repair;
mod resumed;
mod shares;
mod shrink;
mod taken;
mod tier;
mod topology;
mod unknown;
mod waits;
mod work_conservation;
