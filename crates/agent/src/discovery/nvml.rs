//! GPUs by the word of the NVIDIA driver. Its library is loaded at run time, so one binary runs on
//! machines with and without it.

use muster_model::Mib;
use nvml_wrapper::Nvml;
use nvml_wrapper::error::NvmlError;

/// A card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Card {
    pub(super) name: String,
    pub(super) uuid: String,
    pub(super) memory: Mib,
}

/// The cards in the driver's order, or why there are none.
pub(super) fn look() -> Result<Vec<Card>, String> {
    let nvml = Nvml::init().map_err(|error| match error {
        NvmlError::LibloadingError(_) => "the NVIDIA driver is not installed".to_owned(),
        other => format!("the NVIDIA driver does not answer: {other}"),
    })?;
    let count = nvml.device_count().map_err(|error| error.to_string())?;
    let card = |index: u32| -> Result<Card, NvmlError> {
        let device = nvml.device_by_index(index)?;
        let memory = Mib(device.memory_info()?.total >> 20);
        Ok(Card { name: device.name()?, uuid: device.uuid()?, memory })
    };
    let cards: Result<Vec<Card>, NvmlError> = (0..count).map(card).collect();
    cards.map_err(|error| format!("the NVIDIA driver does not describe its GPUs: {error}"))
}
