//! A moment as people and other programs read it: RFC 3339 in UTC, to the millisecond.

use std::fmt;

use muster_model::Time;
use muster_model::name::quoted;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A moment on the wall clock. The engine counts milliseconds; the wire shows the date.
///
/// ```
/// use muster_api::Moment;
/// use muster_model::Time;
///
/// let moment = Moment(Time(1_700_000_000_250));
/// assert_eq!(moment.to_string(), "2023-11-14T22:13:20.250Z");
/// assert_eq!("2023-11-14T22:13:20.250Z".parse::<Moment>().ok(), Some(moment));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub Time);

impl fmt::Display for Moment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = i64::try_from(self.0.0).unwrap_or(i64::MAX);
        match jiff::Timestamp::from_millisecond(millis) {
            Ok(timestamp) => write!(formatter, "{timestamp:.3}"),
            Err(_) => write!(formatter, "{}ms", self.0.0),
        }
    }
}

impl std::str::FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Moment, String> {
        let timestamp: jiff::Timestamp = text.parse().map_err(|error| {
            format!("{} is not a moment such as 2026-01-31T08:00:00Z: {error}", quoted(text))
        })?;
        let millis = u64::try_from(timestamp.as_millisecond())
            .map_err(|_| format!("{} lies before 1970", quoted(text)))?;
        Ok(Moment(Time(millis)))
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Moment, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
