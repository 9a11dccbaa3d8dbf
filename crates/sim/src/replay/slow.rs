//! How much longer a gang takes when its tasks are not near each other.

use std::fmt;
use std::str::FromStr;

use muster_model::{Millis, Name};

/// By how much a gang is slower, in thousandths: on several nodes, in several of the lowest
/// domains, and so on outwards; the last counts for all beyond. Without any, places make no
/// difference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slowdown(Vec<u64>);

/// How long work takes that would take so long on one node.
pub(super) fn stretched(work: Millis, slow_milli: u64) -> Millis {
    Millis(work.0.saturating_mul(slow_milli).div_ceil(UNSLOWED))
}

/// Of what would take so long on one node, how much is done in a time.
pub(super) fn done(time: Millis, slow_milli: u64) -> Millis {
    Millis(time.0.saturating_mul(UNSLOWED) / slow_milli)
}

/// As fast as on one node.
pub(super) const UNSLOWED: u64 = 1_000;

impl Slowdown {
    /// How slow a gang is on nodes, by the domains each is in, widest first.
    pub(super) fn of<'a>(&self, mut domains: impl Iterator<Item = &'a [Name]>) -> u64 {
        let Some(first) = domains.next().filter(|_| !self.0.is_empty()) else { return UNSLOWED };
        let apart = domains.map(|other| {
            let same = first.iter().zip(other).take_while(|(one, other)| one == other).count();
            first.len() - same
        });
        // The first way to be apart is to be on several nodes of one domain.
        let Some(levels) = apart.max() else { return UNSLOWED };
        self.0[levels.min(self.0.len() - 1)]
    }
}

impl FromStr for Slowdown {
    type Err = String;

    fn from_str(text: &str) -> Result<Slowdown, String> {
        let factor = |word: &str| {
            let factor: f64 = word.trim().parse().map_err(|_| word.to_owned())?;
            if !(1.0..=1_000.0).contains(&factor) {
                return Err(word.to_owned());
            }
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
            let milli = (factor * 1_000.0).round() as u64;
            Ok(milli)
        };
        let factors: Result<Vec<u64>, String> = text.split(',').map(factor).collect();
        factors.map(Slowdown).map_err(|word| {
            format!("`{word}` is no factor; expected numbers from 1 to 1000 such as 1.05,1.2")
        })
    }
}

impl fmt::Display for Slowdown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, milli) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(formatter, "{comma}{}", *milli as f64 / 1_000.0)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use muster_model::{Millis, Name};

    use super::{Slowdown, done, stretched};

    fn of(slowdown: &str, nodes: &[[&str; 2]]) -> u64 {
        let slowdown: Slowdown = slowdown.parse().unwrap();
        let nodes: Vec<Vec<Name>> = nodes
            .iter()
            .map(|domains| domains.iter().map(|name| Name::from(*name)).collect())
            .collect();
        slowdown.of(nodes.iter().map(Vec::as_slice))
    }

    #[test]
    fn gang_is_as_slow_as_the_widest_level_it_crosses() {
        let factors = "1.05,1.2,1.5";
        assert_eq!(of(factors, &[["b1", "r1"]]), 1_000, "one node");
        assert_eq!(of(factors, &[["b1", "r1"], ["b1", "r1"]]), 1_050);
        assert_eq!(of(factors, &[["b1", "r1"], ["b1", "r1"], ["b1", "r2"]]), 1_200);
        assert_eq!(of(factors, &[["b1", "r1"], ["b2", "r1"], ["b1", "r1"]]), 1_500);
        assert_eq!(
            of("1.05", &[["b1", "r1"], ["b2", "r1"]]),
            1_050,
            "the last counts for all beyond"
        );
    }

    #[test]
    fn work_that_is_stretched_is_done_in_that_time_and_not_before() {
        for (work, slow) in [(1, 1_000), (1_000, 1_050), (3_599_999, 1_333), (7, 2_000)] {
            let time = stretched(Millis(work), slow);
            assert!(done(time, slow) >= Millis(work), "{work} by {slow}");
            assert!(done(Millis(time.0 - 1), slow) < Millis(work), "{work} by {slow}");
        }
    }

    #[test]
    fn what_is_no_factor_is_refused_by_name() {
        for wrong in ["fast", "0.9", "1.1,", "-2", "1e9"] {
            let error = wrong.parse::<Slowdown>().unwrap_err();
            assert!(error.contains("is no factor"), "{error}");
        }
        assert_eq!("1.05,2".parse::<Slowdown>().unwrap().to_string(), "1.05,2");
    }
}
