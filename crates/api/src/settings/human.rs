//! Numbers of milliseconds, MiB and thousandths become text with units, as people write them.

use muster_model::{Mib, MilliCpu, MilliGpu, Millis};
use toml::Value;

use super::shape::Shape;

/// Puts units on everything below a value that has one.
pub(super) fn put_units(value: &mut Value, shape: &Shape) {
    match (shape, value) {
        (Shape::Table(shape), Value::Table(table)) => {
            for setting in &shape.settings {
                if let Some(value) = table.get_mut(setting.key.as_str()) {
                    put_units(value, &setting.shape);
                }
            }
        }
        (Shape::Map(shape), Value::Table(table)) => {
            table.iter_mut().for_each(|(_, value)| put_units(value, shape));
        }
        (Shape::List(shape), Value::Array(list)) => {
            list.iter_mut().for_each(|value| put_units(value, shape));
        }
        (shape, value) => {
            let number = value.as_integer().and_then(|number| u64::try_from(number).ok());
            if let Some(text) = number.and_then(|number| with_unit(number, shape)) {
                *value = Value::String(text);
            }
        }
    }
}

/// A number as text, if it counts something that has a unit.
pub(super) fn with_unit(number: u64, shape: &Shape) -> Option<String> {
    match shape {
        Shape::Duration => Some(Millis(number).to_string()),
        Shape::Memory => Some(Mib(number).to_string()),
        Shape::Gpus => Some(MilliGpu(number).to_string()),
        Shape::Cpus => Some(MilliCpu(number).to_string()),
        _ => None,
    }
}
