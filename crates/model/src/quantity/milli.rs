//! CPUs and GPUs in thousandths: `4`, `1.5`, `500m`.

use std::fmt;
use std::str::FromStr;

use super::decimal::{Decimal, digits, split_number, write_thousandths};
use super::{refuse, tightened};
use crate::error::Invalid;
use crate::unit::{MilliCpu, MilliGpu};

const CPU_FORMS: &str = "expected a number of CPUs with at most three decimals (`4`, `1.5`) or \
                         thousandths (`500m`), below 2^64 thousandths";

const GPU_FORMS: &str = "expected a number of GPUs with at most three decimals (`4`, `0.5`) or \
                         thousandths (`500m`), below 2^64 thousandths";

impl FromStr for MilliCpu {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<MilliCpu, Invalid> {
        let value = read(text);
        value.map(MilliCpu).ok_or_else(|| refuse("cpus", text, CPU_FORMS, guesses(text), read))
    }
}

impl FromStr for MilliGpu {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<MilliGpu, Invalid> {
        let value = read(text);
        value.map(MilliGpu).ok_or_else(|| refuse("gpus", text, GPU_FORMS, guesses(text), read))
    }
}

impl fmt::Display for MilliCpu {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_thousandths(self.0, formatter)
    }
}

impl fmt::Display for MilliGpu {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_thousandths(self.0, formatter)
    }
}

/// Thousandths in `4`, `1.5` and `500m`.
fn read(text: &str) -> Option<u64> {
    match text.strip_suffix('m') {
        Some(thousandths) => digits(thousandths),
        None => Decimal::read(text)?.parts_exact(1000),
    }
}

/// For `4 CPUs`, `1,5`, `.5` and `50%`.
fn guesses(text: &str) -> Vec<String> {
    let tight = tightened(text);
    let (number, unit) = split_number(&tight);
    let percent = digits(number).filter(|_| unit == "%").and_then(|value| value.checked_mul(10));
    let percent = percent.map(|thousandths| format!("{thousandths}m"));
    let alone = unit.to_ascii_lowercase().starts_with(['c', 'g']).then(|| number.to_owned());
    let leading = tight.starts_with('.').then(|| format!("0{tight}"));
    [tight.clone()].into_iter().chain(leading).chain(percent).chain(alone).collect()
}
