//! `muster top`: the cluster, its jobs, queues and plan on a terminal, live and by keyboard.
//!
//! The state (`app`) and the drawing (`screen`) are pure: keys and news go in, letters come out,
//! and tests look at them. [`run`] is the thin shell that reads the terminal and the server.

mod app;
mod asking;
mod data;
mod error;
mod live;
mod look;
mod news;
#[cfg(test)]
mod scene;
mod screen;
mod table;
mod terminal;
pub mod words;

pub use app::View;
pub use error::Error;
pub use live::{Options, once, run};
pub use look::Look;
