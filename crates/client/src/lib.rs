//! The HTTP client of Muster: finds the cluster, asks, and says in words what went wrong.
//!
//! [`Client::find`] looks for the cluster, its methods ask what `/v1` offers to people, and
//! [`Error`] carries a hint. Agents have their own way of talking to the server.
//!
//! ```no_run
//! # async fn example() -> Result<(), muster_client::Error> {
//! use muster_client::{Client, Options};
//!
//! let client = Client::find(&Options::default())?;
//! println!("{} GPUs", client.cluster().await?.gpus);
//! # Ok(())
//! # }
//! ```
//!
//! Whoever uses it installs a TLS provider for the process first; without one, making a client
//! panics.

mod client;
mod cluster;
mod credentials;
mod error;
mod events;
mod find;
mod jobs;
mod logs;
mod map;
mod pages;
pub mod pinned;
mod retry;
mod slurm;
mod sse;
mod steps;
mod tokens;
pub mod trust;
mod usage;

pub use client::Client;
pub use credentials::{Credentials, Known, keep_authority};
pub use error::Error;
pub use events::{EventFilter, Events};
pub use find::{JOB_CREDENTIALS, JOB_USER, Options, Target};
pub use jobs::{JobFilter, Order};
pub use logs::{LogOptions, Logs};
pub use map::{Watched, Watching};
pub use muster_api::Secret;
pub use slurm::{Hears, SlurmFilter};
pub use usage::UsageQuestion;
