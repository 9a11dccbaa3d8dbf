//! What a task asks of GPUs in one word: which models, best first, and how many or how much.
//!
//! `8`, `H100x8`, `H100:8`, `A100` (one of it), `H100|A100x8`, `0.5` and `0.25..0.5` of one,
//! `20GiB` of one, and `1g.10gb` by its MIG profile.

use std::fmt;
use std::str::FromStr;

use super::decimal::{Decimal, digits};
use super::{refuse, tightened};
use crate::error::Invalid;
use crate::name::Name;
use crate::share::{Isolation, Share, ShareSize};
use crate::unit::{Mib, MilliGpu};

const FORMS: &str = "expected a number of GPUs (`8`), models with one (`H100x8`, `H100|A100x8`), \
                     or part of one GPU (`0.5`, `0.25..0.5`, `20GiB`, `1g.10gb`)";

const WHOLE: u64 = 1000;

/// What a task asks of GPUs.
///
/// ```
/// use muster_model::quantity::GpuRequest;
/// use muster_model::{MilliGpu, Share};
///
/// let request: GpuRequest = "H100|A100x0.25..0.5".parse()?;
/// assert_eq!(request.models.len(), 2);
/// assert_eq!(request.share, Some(Share::between(MilliGpu(250), MilliGpu(500))));
/// assert_eq!("H100:8".parse::<GpuRequest>()?.to_string(), "H100x8");
/// # Ok::<(), muster_model::Invalid>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GpuRequest {
    /// Acceptable models, best first; empty means any.
    pub models: Vec<Name>,
    /// Whole GPUs; 0 with a share.
    pub gpus: u32,
    /// Part of one GPU instead of whole ones.
    pub share: Option<Share>,
}

/// Longer text is no amount. Looking at all ends of a long one would take the square of its length.
const AMOUNT_MAX: usize = 100;

impl FromStr for GpuRequest {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<GpuRequest, Invalid> {
        read(text).ok_or_else(|| refuse("gpus", text, FORMS, guesses(text), read))
    }
}

impl fmt::Display for GpuRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, model) in self.models.iter().enumerate() {
            write!(formatter, "{}{model}", if index == 0 { "" } else { "|" })?;
        }
        if !self.models.is_empty() {
            formatter.write_str("x")?;
        }
        match self.share.as_ref().map(|share| &share.size) {
            None => write!(formatter, "{}", self.gpus),
            // Without its decimal it would be a whole GPU, not a share as large as one.
            Some(ShareSize::Fraction { least: MilliGpu(WHOLE), .. }) => formatter.write_str("1.0"),
            Some(ShareSize::Fraction { least, most }) if least == most => least.fmt(formatter),
            Some(ShareSize::Fraction { least, most }) => write!(formatter, "{least}..{most}"),
            Some(ShareSize::Memory(memory)) => memory.fmt(formatter),
            Some(ShareSize::Mig(profile)) => profile.fmt(formatter),
        }
    }
}

fn read(text: &str) -> Option<GpuRequest> {
    if let Some(amount) = read_amount(text) {
        return Some(amount);
    }
    // Models may contain an `x` themselves, so the last one that an amount follows separates.
    let mut ends =
        text.rmatch_indices(['x', ':']).take_while(|(at, _)| text.len() - at < AMOUNT_MAX);
    let with_amount = ends.find_map(|(at, _)| {
        let amount = read_amount(&text[at + 1..])?;
        Some(GpuRequest { models: read_models(&text[..at])?, ..amount })
    });
    with_amount.or_else(|| {
        let models = read_models(text).filter(|_| !text.split('|').any(is_amount_gone_wrong))?;
        Some(GpuRequest { models, gpus: 1, share: None })
    })
}

/// Text that has the form of a name but that nobody calls a model: `1..8`, `20G`, `8xH100`.
fn is_amount_gone_wrong(text: &str) -> bool {
    let is_reversed = text.split_once('x').is_some_and(|(count, _)| digits(count).is_some());
    is_reversed || text.parse::<Mib>().is_ok() || !text.contains(|c: char| c.is_ascii_alphabetic())
}

fn read_models(text: &str) -> Option<Vec<Name>> {
    text.split('|').map(|model| Name::new(model).ok()).collect()
}

fn read_amount(text: &str) -> Option<GpuRequest> {
    if let Some(gpus) = digits(text) {
        return Some(GpuRequest { gpus: u32::try_from(gpus).ok()?, ..GpuRequest::default() });
    }
    let share = read_fraction(text).or_else(|| read_memory(text)).or_else(|| read_mig(text))?;
    Some(GpuRequest { share: Some(share), ..GpuRequest::default() })
}

/// `0.5` or `0.25..0.5`; one whole GPU is the most there is to share.
fn read_fraction(text: &str) -> Option<Share> {
    let part = |text: &str| Decimal::read(text)?.parts_exact(WHOLE);
    let (least, most) = match text.split_once("..") {
        Some((least, most)) => (part(least)?, part(most)?),
        None => (part(text)?, part(text)?),
    };
    let is_share = 1 <= least && least <= most && most <= WHOLE;
    is_share.then(|| Share::between(MilliGpu(least), MilliGpu(most)))
}

/// Only with its unit written out: `20G` is too near to `20g` and `2g.20gb`.
fn read_memory(text: &str) -> Option<Share> {
    let memory = text.strip_suffix('B').and_then(|_| text.parse::<Mib>().ok())?;
    Some(Share { size: ShareSize::Memory(memory), isolation: Isolation::Soft })
}

/// `1g.10gb`, as the vendor writes it.
fn read_mig(text: &str) -> Option<Share> {
    let (slices, memory) = text.split_once("g.")?;
    digits(slices)?;
    digits(memory.strip_suffix("gb")?)?;
    Some(Share::mig(text))
}

/// For `H100 x 8`, `8xH100`, `8:H100`, `8 H100`, `H100*8`, `H100,A100x8` and `20G`.
fn guesses(text: &str) -> Vec<String> {
    let words = text.split(|c: char| c.is_whitespace() || "x:*×".contains(c));
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    let in_order = match words[..] {
        [count, model] if digits(count).is_some() => Some(format!("{model}x{count}")),
        [model, count] => Some(format!("{model}x{count}")),
        _ => None,
    };
    let tight: String = text.split_whitespace().collect();
    let either = tight.replace([',', '/'], "|");
    let amount = Some(tightened(text)).filter(|text| read_amount(text).is_some());
    let memory = text.parse::<Mib>().ok().filter(|_| digits(text).is_none());
    let memory = memory.map(|memory| memory.to_string());
    amount.into_iter().chain(memory).chain(in_order).chain([either]).collect()
}
