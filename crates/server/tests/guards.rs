//! What keeps one caller from hurting all others: who gets in, and how much they may ask.

#[path = "guards/accounts.rs"]
mod accounts;
#[path = "guards/limits.rs"]
mod limits;
#[path = "guards/server.rs"]
mod server;
mod support;
