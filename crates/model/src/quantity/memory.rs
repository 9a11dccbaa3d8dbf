//! Memory: `80GiB`, `80G`, `512M`, `1.5T`, and bare MiB. `80GB` is 80 GiB, as on Slurm.

use std::fmt;
use std::str::FromStr;

use super::decimal::{Decimal, split_number};
use super::{refuse, tightened};
use crate::error::Invalid;
use crate::unit::Mib;

const FORMS: &str = "expected a number with K, M, G, T, P or E (`80G`, `80GB` and `80GiB` are the \
                     same), or a bare number of MiB, below 2^64 MiB";

/// Letters of the units from the mebibyte up, each 1024 of the one before.
const LETTERS: [char; 5] = ['M', 'G', 'T', 'P', 'E'];

const KIB_PER_MIB: u64 = 1024;

impl FromStr for Mib {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Mib, Invalid> {
        read(text).ok_or_else(|| refuse("memory", text, FORMS, guesses(text), read))
    }
}

impl fmt::Display for Mib {
    /// In the largest unit that leaves no fraction.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut value, mut unit) = (self.0, 0);
        while value != 0 && value.is_multiple_of(1024) && unit + 1 < LETTERS.len() {
            (value, unit) = (value / 1024, unit + 1);
        }
        write!(formatter, "{value}{}iB", LETTERS[unit])
    }
}

fn read(text: &str) -> Option<Mib> {
    let (number, unit) = split_number(text);
    let number = Decimal::read(number)?;
    if unit.is_empty() {
        return number.parts_exact(1).map(Mib);
    }
    let letter = letter(unit)?;
    if letter == 'K' {
        return number.parts_up(1).map(|kib| Mib(kib.div_ceil(KIB_PER_MIB)));
    }
    let power = LETTERS.iter().position(|&known| known == letter)?;
    number.parts_up(1 << (10 * power)).map(Mib)
}

/// The unit's letter in `G`, `g`, `GB`, `gb`, `GiB` and `gib`. `Gb` is bits to many: refused.
fn letter(unit: &str) -> Option<char> {
    let mut rest = unit.chars();
    let first = rest.next()?;
    let is_unit = match rest.as_str() {
        "" => true,
        "B" | "iB" => first.is_ascii_uppercase(),
        "b" | "ib" => first.is_ascii_lowercase(),
        _ => false,
    };
    let letter = first.to_ascii_uppercase();
    (is_unit && (letter == 'K' || LETTERS.contains(&letter))).then_some(letter)
}

/// For `80 GiB`, `80Gb`, `80gig` and `80gigabytes`.
fn guesses(text: &str) -> Vec<String> {
    let tight = tightened(text);
    let (number, unit) = split_number(&tight);
    let Some(letter) = unit.chars().next().map(|c| c.to_ascii_uppercase()) else {
        return vec![tight];
    };
    let is_decimal = unit.len() == 2 && unit.ends_with(['b', 'B']);
    let ending = if is_decimal { "B" } else { "iB" };
    vec![tight.clone(), format!("{number}{letter}{ending}")]
}
