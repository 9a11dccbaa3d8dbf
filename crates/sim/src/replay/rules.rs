//! The policies by name: the engine's settings for each, and what it is told of run times.

use muster_model::{Millis, Order, Placer, Policy};

/// What the engine is told of a job's run time when it is submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knowledge {
    /// What history predicts.
    Predicted,
    /// The truth, which only a baseline may know.
    Exact,
    /// The truth times or by a factor that is drawn for each job, as users guess: the standard
    /// deviation of its natural logarithm, in thousandths.
    Rough(u32),
    /// Nothing.
    Nothing,
}

/// A policy with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// As it is called.
    pub name: String,
    /// The engine's settings.
    pub policy: Policy,
    /// What it knows of run times.
    pub knowledge: Knowledge,
}

/// The names there are, with what they know.
const NAMES: [(&str, Order, Knowledge); 6] = [
    ("muster", Order::Muster, Knowledge::Predicted),
    ("fifo", Order::Fifo, Knowledge::Nothing),
    ("sjf", Order::Sjf, Knowledge::Exact),
    ("srtf", Order::Srtf, Knowledge::Exact),
    ("las", Order::Las, Knowledge::Nothing),
    ("fair", Order::Fair, Knowledge::Nothing),
];

impl Rules {
    /// The default policy, which knows no true duration.
    pub fn muster() -> Rules {
        Rules {
            name: "muster".to_owned(),
            policy: Policy::default(),
            knowledge: Knowledge::Predicted,
        }
    }

    /// The rules of this name.
    pub fn named(name: &str) -> Option<Rules> {
        let &(_, order, knowledge) = NAMES.iter().find(|(word, ..)| *word == name)?;
        if order == Order::Muster {
            return Some(Rules::muster());
        }
        Some(Rules { name: name.to_owned(), policy: baseline(order), knowledge })
    }

    /// All names, for messages.
    pub fn names() -> String {
        NAMES.map(|(word, ..)| word).join(", ")
    }

    /// The word of its placer.
    pub fn placer(&self) -> &'static str {
        match self.policy.placer {
            Placer::Muster => "muster",
            Placer::BestFit => "best-fit",
            Placer::Fgd => "fgd",
        }
    }
}

/// A baseline is its order and nothing else: no floor, no reservations, and where it pauses, nobody
/// is spared.
fn baseline(order: Order) -> Policy {
    let mut policy = Policy { order, placer: Placer::BestFit, ..Policy::default() };
    policy.floor.share_ppm = 0;
    policy.reservations.most = 0;
    policy.pausing.run_min = Millis::ZERO;
    policy.pausing.interval = Millis::ZERO;
    policy.pausing.overhead_ppm = 1_000_000;
    policy.pausing.rest = Millis::ZERO;
    policy
}
