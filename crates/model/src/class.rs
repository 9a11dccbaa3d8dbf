//! Classes: the promise a job is submitted under. Higher values go first.

use serde::{Deserialize, Serialize};

use crate::name::Name;
use crate::unit::Millis;

/// A class of jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Class {
    /// Its name (`standard`).
    pub name: Name,
    /// Its rank among the classes; larger goes first.
    pub value: u32,
    /// Whether jobs of this class may count against their queue's guarantee. Fillers may not:
    /// they only ever borrow.
    #[serde(default = "yes")]
    #[cfg_attr(feature = "schema", schema(default = yes))]
    pub guaranteed: bool,
    /// Whether jobs of this class give way at once: they fill what others leave, and may be
    /// ended and started again without further ado.
    #[serde(default)]
    pub filler: bool,
    /// The run-time limit of a job that names none.
    #[serde(default)]
    pub limit_default: Option<Millis>,
}

fn yes() -> bool {
    true
}

impl Class {
    /// The classes of a cluster that configures none.
    pub fn defaults() -> Vec<Class> {
        let class = |name: &str, value, guaranteed| Class {
            name: Name::from(name),
            value,
            guaranteed,
            filler: !guaranteed,
            limit_default: None,
        };
        vec![
            class("inference", 1000, true),
            class("reserved", 900, true),
            class("express", 800, true),
            class("standard", 500, true),
            class("batch", 100, true),
            class("preemptible", 0, false),
        ]
    }
}
