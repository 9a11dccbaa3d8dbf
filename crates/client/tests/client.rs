//! The client against a server that is made up for each test, on loopback.

#[path = "client/elements.rs"]
mod elements;
#[path = "client/errors.rs"]
mod errors;
#[path = "client/fake.rs"]
mod fake;
#[path = "client/find.rs"]
mod find;
#[path = "client/map.rs"]
mod map;
#[path = "client/pages.rs"]
mod pages;
#[path = "client/retries.rs"]
mod retries;
#[path = "client/streams.rs"]
mod streams;
