//! `JobID:18,Name:.30`: names with a width, a point for the right, and what follows.

use muster_model::Invalid;
use muster_model::name::quoted;

use super::percent::width;
use super::{Column, Field, Format, Width, by_name, unknown};

/// The width of a field that names none.
const WIDTH: Width = Width::Exact(20);

/// Reads a list of names of fields.
///
/// ```
/// use muster_slurm::words::format::{Width, field_list, squeue};
///
/// let format = field_list("jobid:10,Name", squeue::FIELDS)?;
/// assert_eq!(format.columns[0].width, Width::Exact(10));
/// assert_eq!(format.columns[1].width, Width::Exact(20));
/// # Ok::<(), muster_model::Invalid>(())
/// ```
pub fn field_list(text: &str, fields: &'static [Field]) -> Result<Format, Invalid> {
    let column = |part: &str| {
        let (name, size) = match part.split_once(':') {
            Some((name, size)) => (name, Some(size)),
            None => (part, None),
        };
        let field =
            by_name(fields, name.trim()).ok_or_else(|| unknown("--Format", name, fields))?;
        let Some(size) = size else {
            return Ok(Column { field, width: WIDTH, is_right: false, suffix: String::new() });
        };
        let (is_right, size) = match size.strip_prefix('.') {
            Some(size) => (true, size),
            None => (false, size),
        };
        let end = size.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(size.len());
        let (digits, suffix) = size.split_at(end);
        let width = if digits.is_empty() { Some(WIDTH) } else { width(digits) };
        let refused = || {
            Invalid::new("--Format", quoted(part), "expected a width below 4097, as in `JobID:18`")
        };
        Ok(Column { field, width: width.ok_or_else(refused)?, is_right, suffix: suffix.to_owned() })
    };
    let columns: Result<Vec<Column>, Invalid> = text.split(',').map(column).collect();
    Ok(Format { prefix: String::new(), columns: columns? })
}
