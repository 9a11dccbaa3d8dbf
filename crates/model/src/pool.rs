//! Pools: groups of like nodes that can grow or shrink, and the regions they stand in.

use serde::{Deserialize, Serialize};

use crate::name::Name;

/// A place with its own clock, prices and latency; the widest level of the topology.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// Its name.
    pub name: Name,
    /// Its IANA time zone.
    pub zone: String,
}

/// A group of like nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Pool {
    /// Its name.
    pub name: Name,
    /// The region it stands in.
    #[serde(default)]
    pub region: Option<Name>,
    /// The fewest nodes it keeps.
    #[serde(default)]
    pub min: u32,
    /// The most nodes it may grow to.
    pub max: u32,
    /// Price of one GPU for one hour, in millionths of the accounting currency.
    #[serde(default)]
    pub price_micros: u64,
    /// Whether the provider may take its nodes back.
    #[serde(default)]
    pub spot: bool,
}
