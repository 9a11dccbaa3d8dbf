//! GPU-hours, money and shares as people read them. Rounding is for the eye only: whoever counts on
//! takes the JSON.

use muster_model::quantity::separated;

/// Milliseconds in an hour.
const HOUR_MS: u64 = 3_600_000;

/// GPU-hours to a tenth: `1,234.5`.
pub(super) fn hours(gpu_ms: u64) -> String {
    let tenths = (u128::from(gpu_ms) * 10 + u128::from(HOUR_MS) / 2) / u128::from(HOUR_MS);
    format!("{}.{}", separated(tenths / 10), tenths % 10)
}

/// GPU-hours to the millionth, without separators, for other programs.
pub(super) fn hours_exact(gpu_ms: u64) -> String {
    let micros = u128::from(gpu_ms) * 1_000_000 / u128::from(HOUR_MS);
    format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000)
}

/// Money from millionths, to the hundredth: `1,234.50`.
pub(super) fn money(micros: u64) -> String {
    let cents = (u128::from(micros) + 5_000) / 10_000;
    format!("{}.{:02}", separated(cents / 100), cents % 100)
}

/// Money from millionths, all of it and without separators.
pub(super) fn money_exact(micros: u64) -> String {
    format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000)
}

/// A share in percent, to a tenth; nothing of nothing.
pub(super) fn percent(part: u64, of: u64) -> String {
    match (u128::from(part) * 1000 + u128::from(of) / 2).checked_div(u128::from(of)) {
        Some(tenths) => format!("{}.{}%", tenths / 10, tenths % 10),
        None => "-".to_owned(),
    }
}
