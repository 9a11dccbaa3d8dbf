//! Dates with a time of day. Records that name no zone are read as UTC: what matters to a
//! simulation is the order and the distance of moments.

use muster_model::Time;

use super::cell::{natural, thousandths};

/// Days from the year 0 to 1970, in the calendar that is in use today.
const DAYS_TO_1970: u64 = 719_528;

/// `2017-10-09 07:01:55`, with `T` for the space, with fractions, with a `Z` behind.
pub(super) fn moment(text: &str) -> Option<Time> {
    let (date, time) = text.split_once([' ', 'T'])?;
    let [year, month, day] = split(date, '-')?;
    let [hours, minutes, seconds] = split(time.strip_suffix('Z').unwrap_or(time), ':')?;
    let days = days(natural(year)?, natural(month)?, natural(day)?)?;
    let (hours, minutes) = (natural(hours)?, natural(minutes)?);
    let millis = thousandths(seconds)?;
    // A leap second is read as the moment after it.
    if hours > 23 || minutes > 59 || millis > 60_999 {
        return None;
    }
    let since_1970 = days.checked_sub(DAYS_TO_1970)?;
    Some(Time(((since_1970 * 24 + hours) * 60 + minutes) * 60_000 + millis))
}

fn split(text: &str, at: char) -> Option<[&str; 3]> {
    let mut parts = text.split(at);
    let found = [parts.next()?, parts.next()?, parts.next()?];
    parts.next().is_none().then_some(found)
}

/// Days since the first day of the year 0.
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    const LENGTHS: [u64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    if year > 9999 {
        return None;
    }
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let months = usize::try_from(month.checked_sub(1)?).ok()?;
    let length = LENGTHS.get(months)? + u64::from(is_leap && month == 2);
    if day == 0 || day > length {
        return None;
    }
    let before: u64 = LENGTHS[..months].iter().sum();
    let leap_days = match year.checked_sub(1) {
        Some(last) => last / 4 - last / 100 + last / 400 + 1,
        None => 0,
    };
    Some(year * 365 + leap_days + before + u64::from(is_leap && month > 2) + day - 1)
}

#[cfg(test)]
mod tests {
    use muster_model::Time;

    use super::moment;

    #[test]
    fn moments_are_counted_from_1970() {
        assert_eq!(moment("1970-01-01 00:00:00"), Some(Time(0)));
        assert_eq!(moment("1970-01-02T00:00:00.5Z"), Some(Time(86_400_500)));
        assert_eq!(moment("2000-02-29 12:00:00"), Some(Time(951_825_600_000)));
        assert_eq!(moment("2017-10-09 07:01:55"), Some(Time(1_507_532_515_000)));
        assert_eq!(moment("2100-03-01 00:00:00"), Some(Time(4_107_542_400_000)));
    }

    #[test]
    fn what_the_calendar_does_not_have_is_refused() {
        let wrong = ["2017-02-29 00:00:00", "1900-02-29 00:00:00", "2017-13-01 00:00:00"];
        let odd = ["2017-00-10 00:00:00", "2017-10-00 00:00:00", "2017-10-09", "Unknown", ""];
        let late = ["2017-10-09 24:00:00", "2017-10-09 00:60:00", "2017-10-09 00:00:61"];
        for text in wrong.into_iter().chain(odd).chain(late).chain(["1969-12-31 23:59:59"]) {
            assert_eq!(moment(text), None, "{text}");
        }
    }

    #[test]
    fn days_follow_one_another_through_four_centuries() {
        let mut last = None;
        for year in 1970..2370 {
            for month in 1..=12 {
                for day in 1..=31 {
                    let text = format!("{year}-{month:02}-{day:02} 00:00:00");
                    let Some(found) = moment(&text) else { continue };
                    if let Some(Time(last)) = last {
                        assert_eq!(found.0, last + 86_400_000, "{text}");
                    }
                    last = Some(found);
                }
            }
        }
        assert_eq!(last, moment("2369-12-31 00:00:00"));
    }
}
