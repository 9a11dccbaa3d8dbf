//! Moments as time since a beginning: `+2h00m`.

use muster_model::{Millis, Time};

/// A moment as the time since `start`; before it, as a time that goes back.
pub fn moment(start: Time, time: Time) -> String {
    if time < start {
        return format!("-{}", clock(start.since(time)));
    }
    format!("+{}", clock(time.since(start)))
}

/// Days, hours and minutes as on a clock, seconds and thousandths where there are any.
fn clock(span: Millis) -> String {
    let parts = Parts::of(span);
    let mut text = String::new();
    if parts.days > 0 {
        text.push_str(&format!("{}d{:02}h", parts.days, parts.hours));
    } else {
        text.push_str(&format!("{}h", parts.hours));
    }
    text.push_str(&format!("{:02}m", parts.minutes));
    if parts.seconds > 0 || parts.millis > 0 {
        text.push_str(&format!("{:02}s", parts.seconds));
    }
    if parts.millis > 0 {
        text.push_str(&format!("{:03}ms", parts.millis));
    }
    text
}

struct Parts {
    days: u64,
    hours: u64,
    minutes: u64,
    seconds: u64,
    millis: u64,
}

impl Parts {
    fn of(Millis(total): Millis) -> Parts {
        let seconds = total / 1000;
        Parts {
            days: seconds / 86_400,
            hours: seconds / 3600 % 24,
            minutes: seconds / 60 % 60,
            seconds: seconds % 60,
            millis: total % 1000,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::moment;
    use muster_model::{Millis, Time};

    const START: Time = Time(1_000_000);

    #[test]
    fn moment_shows_seconds_only_where_there_are_any() {
        assert_eq!(moment(START, START), "+0h00m");
        assert_eq!(moment(START, START + Millis::minutes(125)), "+2h05m");
        assert_eq!(moment(START, START + Millis(3_661_007)), "+1h01m01s007ms");
    }

    #[test]
    fn moment_of_another_day_names_the_days() {
        assert_eq!(moment(START, START + Millis::hours(50)), "+2d02h00m");
    }

    #[test]
    fn moment_before_the_beginning_goes_back() {
        assert_eq!(moment(START, Time(START.0 - 60_000)), "-0h01m");
    }
}
