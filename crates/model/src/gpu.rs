//! GPU models: what a card is, how much memory it has, how it can be cut.

mod catalogue;

use serde::{Deserialize, Serialize};

use crate::name::Name;
use crate::unit::Mib;

/// A kind of GPU, by its name (`H100`).
///
/// ```
/// use muster_model::{GpuModel, Mib};
///
/// let known = GpuModel::known();
/// let h100 = known.iter().find(|model| model.name.as_str() == "H100").unwrap();
/// assert_eq!(h100.memory, Mib::gib(80));
/// assert_eq!(h100.mig[0].name.as_str(), "1g.10gb");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct GpuModel {
    /// The name jobs ask for.
    pub name: Name,
    /// Memory of one GPU.
    pub memory: Mib,
    /// The slices this model can be cut into; empty where MIG is not available.
    #[serde(default)]
    pub mig: Vec<MigProfile>,
}

/// One MIG slice shape (`1g.10gb`): how much of the card it takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct MigProfile {
    /// The vendor's name of the profile.
    pub name: Name,
    /// Compute slices taken, of the model's seven.
    pub slices: u8,
    /// Memory of the instance.
    pub memory: Mib,
    /// How many of these one GPU holds at most.
    pub most: u8,
}
