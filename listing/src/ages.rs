//! Ages as ranges of birth dates.

use time::{Date, Month, OffsetDateTime, Time};

/// Returns the range of birth dates of people aged `from` to `to`. It excludes the first time and includes the second.
pub fn age_window(from: i64, to: i64, now: i64) -> (i64, i64) {
    let today = OffsetDateTime::from_unix_timestamp(now).unwrap_or(OffsetDateTime::UNIX_EPOCH).date();
    (midnight(years_before(today, to + 1)), midnight(years_before(today, from)))
}

/// Returns the same day `years` earlier.
pub fn years_before(day: Date, years: i64) -> Date {
    let year = day.year() - i32::try_from(years).unwrap_or(i32::MAX / 2);
    // Only 29 February may not exist in the other year. By then, people born on the 28th have had their birthday.
    day.replace_year(year).or_else(|_| Date::from_calendar_date(year, Month::February, 28)).unwrap_or(Date::MIN)
}

fn midnight(day: Date) -> i64 {
    day.with_time(Time::MIDNIGHT).assume_utc().unix_timestamp()
}
