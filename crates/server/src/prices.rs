//! What a GPU costs by the hour: `[prices]` in `muster.toml`. Kept and counted in millionths, so
//! that sums are exact.

use std::collections::BTreeMap;
use std::fmt;

use muster_model::Invalid;
use serde::de;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

/// Millionths in one.
const MICROS: u64 = 1_000_000;

/// Digits after the point that a price may have.
const DIGITS: usize = 6;

/// Milliseconds in an hour.
const HOUR_MS: u64 = 3_600_000;

/// What GPUs cost. Where no price fits, money is left out of reports; it never counts as nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Prices {
    /// What prices are in, such as `EUR`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// The price of an hour of a GPU whose model is not named below, such as `"1.85"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub default: Option<Price>,
    /// The price of an hour of a GPU by its model.
    #[schema(value_type = BTreeMap<String, String>)]
    pub models: BTreeMap<String, Price>,
}

impl Prices {
    /// What is wrong with them.
    pub(crate) fn mistakes(&self) -> Vec<Invalid> {
        let has_prices = self.default.is_some() || !self.models.is_empty();
        if has_prices && self.currency.as_deref().is_none_or(|it| it.trim().is_empty()) {
            let allowed = "expected what the prices are in, such as \"EUR\"";
            return vec![Invalid::new("prices.currency", "nothing", allowed)];
        }
        Vec::new()
    }

    /// What GPU time of a model costs, in millionths, where there is a price.
    pub(crate) fn of(&self, model: &str, gpu_ms: u64) -> Option<u64> {
        let Price(micros) = self.models.get(model).or(self.default.as_ref())?;
        let cost = u128::from(*micros) * u128::from(gpu_ms) / u128::from(HOUR_MS);
        Some(u64::try_from(cost).unwrap_or(u64::MAX))
    }
}

/// A price in millionths, read from text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Price(pub u64);

impl std::str::FromStr for Price {
    type Err = String;

    fn from_str(text: &str) -> Result<Price, String> {
        let wrong =
            || format!("`{text}` is not a price such as 1.85, with up to {DIGITS} decimals");
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
        if whole.is_empty() || part.is_empty() || !is_number(whole) || !is_number(part) {
            return Err(wrong());
        }
        let part = part.trim_end_matches('0');
        if part.len() > DIGITS {
            return Err(wrong());
        }
        let part: u64 = format!("{part:0<DIGITS$}").parse().map_err(|_| wrong())?;
        let whole = whole.parse::<u64>().ok().and_then(|whole| whole.checked_mul(MICROS));
        whole.and_then(|whole| whole.checked_add(part)).map(Price).ok_or_else(wrong)
    }
}

impl fmt::Display for Price {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = format!("{:06}", self.0 % MICROS);
        match part.trim_end_matches('0') {
            "" => write!(formatter, "{}", self.0 / MICROS),
            part => write!(formatter, "{}.{part}", self.0 / MICROS),
        }
    }
}

impl Serialize for Price {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Price {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Price, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_read_to_the_millionth_and_no_further() {
        let read = |text: &str| text.parse::<Price>().ok().map(|Price(micros)| micros);
        assert_eq!(read("1.85"), Some(1_850_000));
        assert_eq!(read("0.000001"), Some(1));
        assert_eq!(read("2.5000000000"), Some(2_500_000));
        for wrong in ["", ".5", "1.", "-1", "1,5", "1e3", "0.0000001", "99999999999999"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        assert_eq!(Price(1_850_000).to_string(), "1.85");
        assert_eq!(Price(3_000_000).to_string(), "3");
    }

    #[test]
    fn what_has_no_price_costs_no_sum_at_all() {
        let mut prices = Prices::default();
        prices.models.insert("H100".to_owned(), Price(2_000_000));
        assert_eq!(prices.of("H100", 1_800_000), Some(1_000_000));
        assert_eq!(prices.of("A100", 1_800_000), None);
        prices.default = Some(Price(1_000_000));
        assert_eq!(prices.of("A100", 1_800_000), Some(500_000));
    }

    #[test]
    fn prices_without_a_currency_are_a_mistake() {
        let read = crate::config::ServerFile::read;
        assert!(read("[prices]\ndefault = \"1.85\"\n").is_err());
        let file = read("[prices]\ncurrency = \"EUR\"\ndefault = \"1.85\"\nmodels.H100 = \"3\"\n");
        let prices = file.expect("prices are texts").prices;
        assert_eq!(prices.default, Some(Price(1_850_000)));
        assert_eq!(prices.models["H100"], Price(3_000_000));
        assert!(read("[prices]\ncurrency = \"EUR\"\ndefault = \"-1\"\n").is_err());
    }
}
