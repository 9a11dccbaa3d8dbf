//! Who may read `/metrics`: `[metrics]` in `muster.toml`.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What `/metrics` tells, and whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MetricsSettings {
    /// Who may read `/metrics` without a token: those on this machine that did not come through a
    /// proxy, everyone who reaches the server, or nobody. All others need a token that may look.
    pub open_to: OpenTo,
}

/// Who needs no token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OpenTo {
    /// Programs on the same machine.
    #[default]
    ThisMachine,
    /// Everyone.
    Everyone,
    /// Nobody.
    Nobody,
}
