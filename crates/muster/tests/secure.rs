//! A server that others can reach: TLS, whom to trust, and how nodes come in. The real binary.

#[path = "secure/joining.rs"]
mod joining;
#[path = "support/patience.rs"]
mod patience;
#[path = "secure/plane.rs"]
mod plane;
#[path = "secure/starting.rs"]
mod starting;
#[path = "secure/streaming.rs"]
mod streaming;
#[path = "secure/trusting.rs"]
mod trusting;
