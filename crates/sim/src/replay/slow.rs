//! How much longer a gang takes when its tasks are not near each other, and a job with part of a
//! GPU while others compute on it.

use std::fmt;
use std::str::FromStr;

use muster_model::{Millis, Name};

/// By how much a job is slower, in thousandths, step by step; the last counts for all beyond.
/// Without any, nothing makes a difference. For a gang the steps are several nodes, several of the
/// lowest domains, and so on outwards; for a share, the others on its GPU.
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

impl Slowdown {
    /// How slow a share is with so many others on its GPU.
    pub(super) fn beside(&self, others: usize) -> u64 {
        match others {
            0 => UNSLOWED,
            others => self.0.get(others - 1).or(self.0.last()).copied().unwrap_or(UNSLOWED),
        }
    }

    /// Whether anything makes a difference.
    pub fn slows(&self) -> bool {
        self.worst() > UNSLOWED
    }

    /// The slowest that a job can be.
    pub(super) fn worst(&self) -> u64 {
        self.0.iter().copied().max().unwrap_or(UNSLOWED)
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
    fn share_is_as_slow_as_the_others_on_its_gpu_are_many() {
        let slowdown: Slowdown = "1.1,1.3".parse().unwrap();
        assert_eq!(
            [0, 1, 2, 9].map(|others| slowdown.beside(others)),
            [1_000, 1_100, 1_300, 1_300]
        );
        assert_eq!((slowdown.slows(), slowdown.worst()), (true, 1_300));
        assert_eq!((Slowdown::default().beside(3), Slowdown::default().slows()), (1_000, false));
        assert!(!"1".parse::<Slowdown>().unwrap().slows());
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
