//! The control plane: commands in, journaled, decided, carried out by agents, shown to people.
//!
//! `entry` is what the journal holds, `control` the deterministic state that follows from it,
//! `driver` the thread that journals and applies, `links` the agents' sessions and leases,
//! `replay` the past played again, `history` what is written down for later, `http` what the world
//! sees, `tls` how it is kept from listening in, `metrics` and `alerts` how it says that it is well
//! or not.

pub mod access;
mod account;
mod activity;
pub mod alerts;
pub mod clock;
pub mod config;
pub mod control;
pub mod driver;
pub mod entry;
mod foresight;
mod history;
mod http;
mod idle;
pub mod limit;
pub mod links;
pub mod metrics;
pub mod oidc;
mod picture;
pub mod prices;
mod private_file;
pub mod pulse;
pub mod replay;
pub mod server;
pub mod shared;
pub mod tls;
pub mod upkeep;

pub use control::{Answer, Applied, Control};
pub use driver::Driver;
pub use entry::{Entry, Inside};
pub use history::changes;
pub use http::openapi;
pub use server::{Server, ServerError, ServerSettings};
pub use shared::Shared;
