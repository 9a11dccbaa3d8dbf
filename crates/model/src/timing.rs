//! Time of a job: its limit, what is predicted, its deadline, its earliest start.

use serde::{Deserialize, Serialize};

use crate::unit::{Millis, Time};

/// When a job may run and for how long.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Timing {
    /// The attempt is ended when it has run this long.
    pub limit: Option<Millis>,
    /// It may be given less than its limit, down to this, where that lets it start sooner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_min: Option<Millis>,
    /// How long it will probably run.
    pub estimate: Option<Estimate>,
    /// It should have finished by then.
    pub deadline: Option<Time>,
    /// It is ended instead of started when it could no longer finish by its deadline; without, it
    /// only becomes more urgent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub drop_late: bool,
    /// It may not start before.
    pub begin: Option<Time>,
    /// A signal to send before the limit.
    pub warning: Option<Warning>,
}

/// A predicted run time, as quantiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// Half of such jobs end sooner.
    pub median: Millis,
    /// Nine of ten such jobs end sooner.
    pub p90: Millis,
}

/// A signal sent some time before the limit ends the attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Warning {
    /// The signal's number.
    pub signal: u8,
    /// How long before the limit.
    pub before: Millis,
}
