//! The service floor: who has waited too long is served ahead of all tiers, by a small part of the
//! cluster, within a bound that everyone can be told.

mod support;

mod floor {
    mod bound;
    mod claims;
    mod contended;
    mod debt;
    mod losing;
    mod service;
    mod shortened;
}
