//! The Gregorian calendar in days since 1970, after Hinnant's algorithms for dates: years begin in
//! March there, so that the odd day of a leap year is the last one.

/// Days of 400 years, after which the calendar repeats.
const ERA_DAYS: i64 = 146_097;

/// Days from 0000-03-01 to 1970-01-01.
const EPOCH_DAYS: i64 = 719_468;

/// Days from 1970-01-01 to a date.
pub fn days_since_epoch(year: i64, month: u8, day: u8) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = (i64::from(month) + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + i64::from(day) - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * ERA_DAYS + day_of_era - EPOCH_DAYS
}

/// Year, month and day of a day since 1970-01-01.
pub fn civil_date(days: i64) -> (i64, u8, u8) {
    let days = days + EPOCH_DAYS;
    let era = days.div_euclid(ERA_DAYS);
    let day_of_era = days.rem_euclid(ERA_DAYS);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let small = |number: i64| u8::try_from(number).expect("months and days are small");
    (year, small(month), small(day))
}

/// Whether there is such a date.
pub(super) fn is_date(year: i64, month: u8, day: u8) -> bool {
    (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && civil_date(days_since_epoch(year, month, day)) == (year, month, day)
}
