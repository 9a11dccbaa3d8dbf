//! Whom the jobs of a trace belong to, as far as it says.

use crate::job::{Job, Text};
use crate::trace::Trace;

/// What tells those apart who share a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The team or account.
    Team,
    /// The part of the cluster that jobs ran in: often that of a team.
    Pool,
    /// The user.
    User,
}

impl Owner {
    /// All of them, those who stand for most people first.
    const ALL: [Owner; 3] = [Owner::Team, Owner::Pool, Owner::User];

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Owner::Team => "team",
            Owner::Pool => "pool",
            Owner::User => "user",
        }
    }

    /// The owner of a job, where it names one.
    pub fn of(self, job: &Job) -> Option<&Text> {
        match self {
            Owner::Team => job.team.as_ref(),
            Owner::Pool => job.pool.as_ref(),
            Owner::User => job.user.as_ref(),
        }
    }
}

impl Trace {
    /// Whom jobs belong to: teams where any job names one, else pools, else users.
    pub fn owner(&self) -> Option<Owner> {
        let names = |owner: &Owner| self.jobs.iter().any(|job| owner.of(job).is_some());
        Owner::ALL.into_iter().find(names)
    }
}

#[cfg(test)]
mod tests {
    use muster_model::{Millis, Time};

    use super::Owner;
    use crate::job::{Gpus, Job};
    use crate::trace::Trace;

    #[test]
    fn jobs_belong_to_teams_before_pools_and_to_pools_before_users() {
        let job = |team: Option<&str>, pool: Option<&str>, user: Option<&str>| Job {
            team: team.map(Into::into),
            pool: pool.map(Into::into),
            user: user.map(Into::into),
            ..Job::new("1", Time(0), Millis(1), Gpus::NONE)
        };
        let of = |jobs: Vec<Job>| Trace::new("small", jobs).owner();
        let (user, pool) = (job(None, None, Some("user-a")), job(None, Some("pool-a"), None));
        assert_eq!(of(vec![job(None, None, None)]), None);
        assert_eq!(of(vec![job(None, None, None), user.clone()]), Some(Owner::User));
        assert_eq!(of(vec![user.clone(), pool.clone()]), Some(Owner::Pool));
        assert_eq!(of(vec![user, pool, job(Some("team-a"), None, None)]), Some(Owner::Team));
    }
}
