//! The agent from the outside: the real program with real processes, and a server made up for it.

#![allow(clippy::unwrap_used, reason = "all of it is tests, also what has no attribute")]

#[path = "support/patience.rs"]
mod patience;
#[path = "support/podman.rs"]
mod podman;

mod agent {
    mod containers;
    mod holds;
    mod lives;
    mod machine;
    mod server;
    mod steps;
    mod works;
}
