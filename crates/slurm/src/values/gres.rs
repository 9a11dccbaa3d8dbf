//! Generic resources: `gpu:2`, `gpu:h100:4`, lists of them, and the shorter form of `--gpus`.

use std::fmt;
use std::str::FromStr;

use muster_model::Invalid;
use serde::{Deserialize, Serialize};

use super::{digits, refuse};

const GPU_FORMS: &str = "expected a number of GPUs, with a type or without: `8`, `h100:8`, \
                         `a100:2,h100:1`";
const GRES_FORMS: &str = "expected resources such as `gpu:2` or `gpu:h100:4`, with commas between \
                          them, or none";

/// More GPUs than a job may have.
const COUNT_MAX: u64 = 1 << 20;

/// GPUs of one type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GpuCount {
    /// The type; any without one.
    pub model: Option<String>,
    /// How many, 1 or more.
    pub count: u32,
}

/// GPUs as a list of types, each once, in the order in which they were named.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Gpus(pub Vec<GpuCount>);

impl Gpus {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many, of all types.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|gpus| u64::from(gpus.count)).sum()
    }

    /// As `--gres` writes them.
    pub fn as_gres(&self) -> String {
        if self.is_empty() {
            return "none".to_owned();
        }
        let items = self.0.iter().map(|gpus| match &gpus.model {
            Some(model) => format!("gpu:{model}:{}", gpus.count),
            None => format!("gpu:{}", gpus.count),
        });
        items.collect::<Vec<_>>().join(",")
    }

    /// Adds GPUs of a type; with and without a type do not mix.
    fn add(&mut self, model: Option<&str>, count: u32) -> Option<()> {
        if count == 0 {
            return Some(());
        }
        if let Some(same) = self.0.iter_mut().find(|gpus| gpus.model.as_deref() == model) {
            same.count = same.count.checked_add(count)?;
            return Some(());
        }
        let mixes = self.0.iter().any(|gpus| gpus.model.is_none() || model.is_none());
        self.0.push(GpuCount { model: model.map(str::to_owned), count });
        (!mixes).then_some(())
    }
}

impl FromStr for Gpus {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Gpus, Invalid> {
        let mut gpus = Gpus::default();
        let refused = || {
            let refused = refuse("gpus", text, GPU_FORMS);
            let shorter = text.strip_prefix("gpu:").filter(|rest| rest.parse::<Gpus>().is_ok());
            shorter.map_or(refused.clone(), |shorter| refused.meant(shorter))
        };
        for item in text.split(',') {
            let (model, count) = match (item.split_once(':'), number(item)) {
                (_, Some(count)) => (None, count),
                (Some((model, count)), None) => (Some(model), number(count).ok_or_else(refused)?),
                (None, None) => (Some(item), 1),
            };
            let is_type = model.is_none_or(|model| is_word(model) && model != "gpu");
            is_type.then(|| gpus.add(model, count)).flatten().ok_or_else(refused)?;
        }
        Ok(gpus)
    }
}

impl fmt::Display for Gpus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return formatter.write_str("0");
        }
        for (index, gpus) in self.0.iter().enumerate() {
            formatter.write_str(if index == 0 { "" } else { "," })?;
            match &gpus.model {
                Some(model) => write!(formatter, "{model}:{}", gpus.count)?,
                None => write!(formatter, "{}", gpus.count)?,
            }
        }
        Ok(())
    }
}

/// What `--gres` asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gres {
    /// Its GPUs.
    pub gpus: Gpus,
    /// Everything else.
    pub others: Vec<OtherGres>,
}

/// A resource that is no GPU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherGres {
    /// Its name (`shard`).
    pub name: String,
    /// Type and count as they were written.
    pub rest: String,
}

impl FromStr for Gres {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Gres, Invalid> {
        let mut gres = Gres::default();
        if text.eq_ignore_ascii_case("none") {
            return Ok(gres);
        }
        for item in text.split(',') {
            gres.add(item).ok_or_else(|| refuse("gres", text, GRES_FORMS))?;
        }
        Ok(gres)
    }
}

impl Gres {
    fn add(&mut self, item: &str) -> Option<()> {
        let item = item.strip_prefix("gres:").or(item.strip_prefix("gres/")).unwrap_or(item);
        let (name, rest) = item.split_once([':', '=']).unwrap_or((item, ""));
        if !is_word(name) {
            return None;
        }
        if name != "gpu" {
            let other = OtherGres { name: name.to_owned(), rest: rest.to_owned() };
            self.others.push(other);
            return Some(());
        }
        if name.len() == item.len() {
            return self.gpus.add(None, 1);
        }
        if let Some(count) = number(rest) {
            return self.gpus.add(None, count);
        }
        let (model, count) = match rest.split_once([':', '=']) {
            Some((model, count)) => (model, number(count)?),
            None => (rest, 1),
        };
        if is_word(model) { self.gpus.add(Some(model), count) } else { None }
    }
}

/// A count, which may be in binary thousands.
fn number(text: &str) -> Option<u32> {
    let (text, unit) = match text.strip_suffix(['k', 'K']) {
        Some(number) => (number, 1 << 10),
        None => (text, 1),
    };
    let number = digits(text)?.checked_mul(unit)?;
    u32::try_from(number).ok().filter(|&count| u64::from(count) <= COUNT_MAX)
}

/// A name has a letter in it, which tells it from a number that is out of range.
fn is_word(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let is_number = number(text).is_some() || !text.bytes().any(|byte| byte.is_ascii_alphabetic());
    text.bytes().all(is_letter) && !is_number && !text.starts_with('-')
}
