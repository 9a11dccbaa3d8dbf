//! The engine: one deterministic state machine that decides which job runs where and when.
//!
//! `step(now, command) -> actions`, and nothing else: no clock, no randomness, no file, no
//! socket, no log. The same commands give the same bytes, always. Start reading at
//! [`Engine::step`](engine::Engine::step), then `on/` for what commands do and `pass.rs` for how
//! jobs are chosen and placed.

pub mod account;
pub mod action;
pub mod command;
mod dense;
mod elastic;
pub mod engine;
pub mod explain;
mod fairness;
mod fixed;
mod life;
mod on;
mod order;
mod pass;
mod pause;
mod place;
mod plan;
pub mod reason;
mod repair;
mod restore;
pub mod snapshot;
mod state;
mod transaction;

pub use engine::{Engine, Tuning};
