//! What a rule for idle jobs would have reclaimed.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::moment::Moment;

/// What a rule would have reclaimed in a span of time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct IdlePreview {
    /// The beginning.
    #[schema(value_type = String)]
    pub since: Moment,
    /// The end.
    #[schema(value_type = String)]
    pub until: Moment,
    /// After how long a job counts as idle, in milliseconds.
    pub after_ms: u64,
    /// Below which part of its time that its GPUs are busy, in thousandths.
    pub below_milli: u32,
    /// How finely it was looked, in milliseconds: what is shorter is not seen.
    pub step_ms: u64,
    /// GPU-milliseconds that jobs held while they were idle by the rule.
    pub gpu_ms: u64,
    /// What those cost, in millionths of the currency; absent where a price is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub money: Option<u64>,
    /// What prices are in; absent where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// The jobs it would have been reclaimed from, most first.
    pub jobs: Vec<IdleJob>,
    /// How many jobs more there are.
    pub more: u64,
}

/// A job that a rule would have called idle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct IdleJob {
    /// Its number.
    pub job: u64,
    /// Its name.
    pub name: String,
    /// Who submitted it.
    pub user: String,
    /// The team it is accounted to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// When it would first have been called idle.
    #[schema(value_type = String)]
    pub flagged: Moment,
    /// GPU-milliseconds it held from then on until it computed again.
    pub gpu_ms: u64,
    /// What those cost, in millionths of the currency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub money: Option<u64>,
}
