//! Submissions that are repeated: a client that got no answer sends the same key again.

use std::collections::{BTreeMap, VecDeque};

use muster_model::{JobId, Millis, Time};
use serde::{Deserialize, Serialize};

/// How long a key is remembered: longer than any client goes on trying.
const KEPT: Millis = Millis::hours(24);

/// The most keys that are remembered; older ones go first.
const KEYS_MAX: usize = 100_000;

/// Keys that were used, and what they led to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Keys {
    /// In order of use: when, whose, which, and the job with its elements.
    used: VecDeque<(Time, String, JobId, u32)>,
    #[serde(skip)]
    by_key: BTreeMap<String, (JobId, u32)>,
}

impl Keys {
    /// The job that a user's key led to.
    pub(crate) fn find(&self, user: &str, key: Option<&str>) -> Option<(JobId, u32)> {
        self.by_key.get(&named(user, key?)).copied()
    }

    /// A key has led to a job.
    pub(crate) fn remember(
        &mut self,
        now: Time,
        user: &str,
        key: Option<&str>,
        (job, elements): (JobId, u32),
    ) {
        let Some(key) = key else { return };
        while self.used.front().is_some_and(|(at, ..)| *at + KEPT < now)
            || self.used.len() >= KEYS_MAX
        {
            let Some((_, old, ..)) = self.used.pop_front() else { break };
            self.by_key.remove(&old);
        }
        let name = named(user, key);
        self.by_key.insert(name.clone(), (job, elements));
        self.used.push_back((now, name, job, elements));
    }

    /// Without the index, as a snapshot has it.
    pub(crate) fn plain(&self) -> Keys {
        Keys { used: self.used.clone(), by_key: BTreeMap::new() }
    }

    /// Builds the index of what was read from a snapshot.
    pub(crate) fn rebuild(&mut self) {
        self.by_key = self
            .used
            .iter()
            .map(|(_, name, job, elements)| (name.clone(), (*job, *elements)))
            .collect();
    }
}

/// Keys of different users are different.
fn named(user: &str, key: &str) -> String {
    format!("{user}\n{key}")
}
