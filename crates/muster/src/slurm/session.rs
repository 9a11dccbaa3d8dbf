//! The cluster as a command of Slurm reaches it, and what time it is here.

use std::time::{SystemTime, UNIX_EPOCH};

use muster_client::{Client, Error};
use muster_model::Time;
use muster_slurm::values::Clock;

use super::Stop;
use crate::cli::connect::Connect;

/// One command against one cluster.
pub(super) struct Session {
    /// The name of the command, for what it says.
    pub(super) command: &'static str,
    pub(super) client: Client,
    pub(super) clock: Clock,
}

impl Session {
    pub(super) fn open(command: &'static str) -> Result<Session, Stop> {
        let client = Connect::default().client().map_err(|error| {
            let hint = crate::cli::hint(&error).map(|hint| format!("\nhint: {hint}"));
            Stop::error(command, format!("{error:#}{}", hint.unwrap_or_default()))
        })?;
        Ok(Session { command, client, clock: clock() })
    }

    /// What went wrong between here and the cluster.
    #[expect(clippy::needless_pass_by_value, reason = "it is given as it comes, to map_err")]
    pub(super) fn failed(&self, error: Error) -> Stop {
        let hint = error.hint().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
        Stop::error(self.command, format!("{error}{hint}"))
    }
}

/// The time here, and how far it is from UTC.
pub(super) fn clock() -> Clock {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let millis = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
    let zone = jiff::tz::TimeZone::system();
    let offset = zone.to_offset(jiff::Timestamp::now());
    Clock { now: Time(millis), offset_s: offset.seconds() }
}
