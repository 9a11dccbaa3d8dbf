//! Asking again: what is worth it, how often, and how long to wait in between.

use std::time::Duration;

use muster_api::Problem;

use crate::Error;

/// How often something is tried in all: the waits in between add up to about three seconds,
/// which a server needs at most to start again.
const TRIES: u32 = 6;

/// The first wait; each is twice the one before.
const FIRST: Duration = Duration::from_millis(100);

/// How long to wait before the next try, `tries` having failed, the last with this error.
/// Nothing where another would not help.
pub(crate) fn pause(tries: u32, error: &Error) -> Option<Duration> {
    let passing = match error {
        Error::Unreachable { .. } => error.distrust().is_none(),
        Error::Refused(Problem { status, .. }) => matches!(status, 429 | 502 | 503 | 504),
        _ => false,
    };
    (passing && tries < TRIES).then(|| FIRST * 2_u32.pow(tries.saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusal_for_good_is_not_tried_again() {
        let refused = Error::Refused(Problem::new(422, "not acceptable", "gpus: -1"));
        assert_eq!(pause(1, &refused), None);
    }

    #[test]
    fn waits_double_and_end() {
        let busy = Error::Refused(Problem::new(503, "busy", ""));
        let waits: Vec<_> = (1..10).map_while(|tries| pause(tries, &busy)).collect();
        assert_eq!(waits.len(), 5);
        assert_eq!(waits.iter().sum::<Duration>(), FIRST * 31);
    }
}
