//! Taking GPUs from running work for other work, and giving them back: the last resort, and often
//! the answer is "don't".
//!
//! A blocked job becomes a *seeker* once. It searches the index of what may be paused for the
//! cheapest set of jobs whose GPUs would start it, *proves* that on a trial, weighs cost against
//! benefit, and *commits*: what is free of its place is held, the others climb down the ladder,
//! and what they give up is held too until the job starts or the plan is given up.

pub(crate) mod balance;
pub(crate) mod crowd;
pub(crate) mod defragment;
pub(crate) mod exposure;
pub(crate) mod gang;
pub(crate) mod hold;
pub(crate) mod judge;
pub(crate) mod ladder;
pub(crate) mod moved;
pub(crate) mod mover;
pub(crate) mod one_node;
pub(crate) mod price;
pub(crate) mod prove;
pub(crate) mod reach;
pub(crate) mod rest;
pub(crate) mod resume;
pub(crate) mod search;
pub(crate) mod seeker;
pub(crate) mod starving;
pub(crate) mod suspend;
pub(crate) mod together;
