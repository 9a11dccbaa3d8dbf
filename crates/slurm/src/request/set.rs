//! Puts one option into a request. Each part knows its own options.

mod placement;
mod program;
mod size;
mod step;

use super::Request;
use crate::error::Refusal;
use crate::options::OptionRow;

/// Takes an understood option. Errors name the option as people write it.
pub(super) fn set(
    request: &mut Request,
    row: &'static OptionRow,
    value: Option<&str>,
) -> Result<(), Refusal> {
    let name = row.name;
    let text = value.unwrap_or_default();
    let taken = size::set(&mut request.size, name, text)
        .and_then(|taken| Ok(taken || placement::set(request, name, value)?))
        .and_then(|taken| Ok(taken || program::set(request, name, text)?))
        .and_then(|taken| Ok(taken || step::set(request, name, value)?));
    match taken {
        Ok(true) => Ok(()),
        // The table says it is understood, and no part knows it: refused rather than forgotten.
        Ok(false) => {
            let advice = "leave the option out".to_owned();
            Err(Refusal::Unsupported { option: row.written(), advice })
        }
        Err(Refusal::Value(invalid)) => Err(Refusal::Value(invalid.in_field(row.written()))),
        Err(other) => Err(other),
    }
}
