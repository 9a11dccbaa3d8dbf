//! Who submits: a few users submit most jobs, and most of what they submit they have submitted
//! before, under the same name and for about as long.

use muster_model::Millis;
use rustc_hash::FxHashMap;

use super::chance::Chance;
use super::mix::Kind;
use crate::job::Text;

/// Jobs for each user, on average; the busiest has many times as many.
const JOBS_PER_USER: u64 = 200;

/// The most users, as in the largest public traces.
const USERS_MAX: u64 = 2_000;

/// Users of one team.
const USERS_PER_TEAM: usize = 8;

/// Submissions of a thousand that repeat one before.
const RECURRING: u64 = 700;

/// The most templates that a user keeps of a kind; older ones are forgotten.
const TEMPLATES_MAX: usize = 8;

/// Limits that people choose.
const LIMITS: [Millis; 8] = [
    Millis::hours(1),
    Millis::hours(4),
    Millis::hours(12),
    Millis::days(1),
    Millis::days(3),
    Millis::days(7),
    Millis::days(14),
    Millis::days(30),
];

/// A user.
#[derive(Debug)]
pub(super) struct User {
    pub(super) name: Text,
    team: Text,
}

impl User {
    pub(super) fn team(&self) -> Option<Text> {
        Some(self.team.clone())
    }
}

/// What is submitted again and again.
#[derive(Clone, Debug)]
pub(super) struct Template {
    pub(super) name: Text,
    pub(super) gpus: u32,
    pub(super) median: Millis,
    pub(super) limit: Millis,
}

/// All users with their templates.
#[derive(Debug)]
pub(super) struct People {
    users: Vec<User>,
    /// Sums of the users' weights: the k-th has one k-th of the first one's.
    sums: Vec<u64>,
    /// By user and kind; never iterated.
    templates: FxHashMap<(usize, &'static str), Vec<Template>>,
    made: u64,
}

impl People {
    pub(super) fn new(jobs: u64, chance: &mut Chance) -> People {
        let count = (jobs / JOBS_PER_USER).clamp(8, USERS_MAX);
        let teams = usize::try_from(count).unwrap_or(usize::MAX).div_ceil(USERS_PER_TEAM);
        let (mut users, mut sums, mut sum) = (Vec::new(), Vec::new(), 0);
        for number in 1..=count {
            let team = chance.index(teams) + 1;
            users.push(User {
                name: Text::from(format!("user-{number:04}")),
                team: Text::from(format!("team-{team:03}")),
            });
            sum += 1_000_000_000 / number;
            sums.push(sum);
        }
        People { users, sums, templates: FxHashMap::default(), made: 0 }
    }

    /// Who submits next, and what.
    pub(super) fn next(
        &mut self,
        kind: &'static Kind,
        gpus_most: u32,
        chance: &mut Chance,
    ) -> (&User, &Template) {
        let total = self.sums.last().copied().expect("there are at least eight users");
        let drawn = chance.below(total);
        let index = self.sums.partition_point(|&sum| sum <= drawn);
        let templates = self.templates.entry((index, kind.word)).or_default();
        let recurs = !templates.is_empty() && chance.happens(RECURRING);
        let place = if recurs {
            chance.index(templates.len())
        } else {
            if templates.len() == TEMPLATES_MAX {
                templates.remove(0);
            }
            self.made += 1;
            templates.push(Template::new(kind, self.made, gpus_most, chance));
            templates.len() - 1
        };
        (&self.users[index], &templates[place])
    }
}

impl Template {
    fn new(kind: &Kind, number: u64, gpus_most: u32, chance: &mut Chance) -> Template {
        let (gpus, _) = *chance.pick(kind.sizes, |(_, weight)| *weight);
        let median = chance.log_normal(kind.median, kind.spread_between);
        // People ask for a few times what they need, rounded to what is usual.
        let wanted = Millis(median.0.saturating_mul(4));
        let longest = LIMITS[LIMITS.len() - 1];
        let limit = LIMITS.into_iter().find(|&limit| limit >= wanted).unwrap_or(longest);
        Template {
            name: Text::from(format!("{}-{number}", kind.word)),
            gpus: within(gpus, gpus_most),
            median: median.min(longest),
            limit,
        }
    }
}

/// The size, or the largest usual one that the cluster allows.
fn within(gpus: u32, most: u32) -> u32 {
    let most = most.max(1);
    if gpus <= most { gpus } else { 1 << most.ilog2() }
}
