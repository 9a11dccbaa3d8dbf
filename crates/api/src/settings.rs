//! Settings files: read with every mistake told, written as people write them, and described.
//!
//! All three follow from the type of the settings by its schema, so that what is documented is
//! what is read. The files are TOML; times and sizes have units, such as `90s` and `64GiB`.

mod check;
mod human;
mod place;
mod reference;
mod shape;
#[cfg(test)]
mod tests;

use std::fmt;

use muster_model::Invalid;
use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::de::DeTable;
use utoipa::ToSchema;

use place::Place;
pub use reference::reference;
use shape::Shape;

/// The largest settings file that is read: a cluster of ten thousand queues is smaller.
pub const SETTINGS_FILE_MAX: usize = 16 * 1024 * 1024;

/// A mistake in a settings file, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The line, from 1, where it is known.
    pub line: Option<usize>,
    /// What is wrong, with the key.
    pub what: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(formatter, "line {line}: ")?;
        }
        write!(formatter, "{}", self.what)
    }
}

/// Reads settings, or says everything that is wrong with them. `check` looks at what each value
/// is once all of them are of the right kind.
pub fn read<T: DeserializeOwned + ToSchema>(
    text: &str,
    check: impl FnOnce(&T) -> Vec<Invalid>,
) -> Result<T, Vec<Mistake>> {
    if text.len() > SETTINGS_FILE_MAX {
        let what =
            format!("the file has {} bytes; at most {SETTINGS_FILE_MAX} are read", text.len());
        return Err(vec![Mistake { line: None, what }]);
    }
    let (table, broken) = DeTable::parse_recoverable(text);
    let place = Place::new(text, &table);
    let mut mistakes: Vec<Mistake> =
        broken.iter().map(|error| place.mistake(error.span(), error.message())).collect();
    let found = check::table(&Shape::of::<T>(), &place);
    // What stands on a line that cannot be read was only guessed.
    let is_new = |line| mistakes.iter().all(|mistake| mistake.line != line);
    let found: Vec<Mistake> = found.into_iter().filter(|one| is_new(one.line)).collect();
    mistakes.extend(found);
    if !mistakes.is_empty() {
        mistakes.sort_by_key(|mistake| mistake.line);
        return Err(mistakes);
    }
    let settings: T = toml::from_str(text)
        .map_err(|error| vec![place.keyed_mistake(error.span(), error.message())])?;
    let wrong = check(&settings);
    if wrong.is_empty() {
        return Ok(settings);
    }
    let told = |invalid: &Invalid| Mistake {
        line: place.line_of(&invalid.field),
        what: invalid.to_string(),
    };
    Err(wrong.iter().map(told).collect())
}

/// Writes settings as TOML, with units on times and sizes. [`read`] reads what this writes.
pub fn write<T: Serialize + ToSchema>(settings: &T) -> Result<String, toml::ser::Error> {
    toml::to_string_pretty(&value(settings)?)
}

/// Settings as a value, with units on times and sizes.
pub fn value<T: Serialize + ToSchema>(settings: &T) -> Result<toml::Value, toml::ser::Error> {
    let mut value = toml::Value::try_from(settings)?;
    human::put_units(&mut value, &Shape::of::<T>());
    Ok(value)
}
