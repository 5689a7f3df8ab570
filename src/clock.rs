//! The clock. All reading of the wall clock, and all parsing and writing of
//! times, happens here.

use chrono::{DateTime, Datelike, NaiveDate, SubsecRound, TimeDelta, Utc};

use crate::Error;

/// The environment variable that sets the clock, for tests and for replaying.
pub const VARIABLE: &str = "PARAPOST_NOW";

/// Returns the present time in whole seconds: `PARAPOST_NOW` if it is set, else
/// the wall clock.
///
/// # Errors
///
/// If `PARAPOST_NOW` is not an RFC 3339 time, or the wall clock is past the year
/// 9999.
pub fn now() -> Result<DateTime<Utc>, Error> {
    let now = match std::env::var(VARIABLE) {
        Ok(text) if !text.is_empty() => read(&text).ok_or_else(|| {
            Error::usage(format!(
                "{VARIABLE} is '{text}', which is no time of RFC 3339; write it like 2026-11-20T03:00:00Z"
            ))
        })?,
        Ok(_) | Err(std::env::VarError::NotPresent) => Utc::now(),
        Err(error) => return Err(Error::usage(format!("{VARIABLE}: {error}"))),
    };
    if !is_writable(now) {
        return Err(Error::refused(format!(
            "the clock says {}, which is not in the years 0 to 9999; set the clock",
            write(now)
        )));
    }
    Ok(now.trunc_subsecs(0))
}

/// Returns the time so many days later, at most the last that [`write()`] can
/// write: the end of the year 9999.
pub fn after_days(time: DateTime<Utc>, days: u16) -> DateTime<Utc> {
    let last = NaiveDate::from_ymd_opt(9999, 12, 31)
        .and_then(|day| day.and_hms_opt(23, 59, 59))
        .map_or(DateTime::<Utc>::MAX_UTC, |last| last.and_utc());
    let later = time.checked_add_signed(TimeDelta::days(days.into()));
    later.unwrap_or(last).min(last)
}

/// Returns true for the times that RFC 3339 has a form for.
fn is_writable(time: DateTime<Utc>) -> bool {
    (0..=9999).contains(&time.year())
}

/// Parses an RFC 3339 time. Returns `None` if [`write()`] could not write it
/// the same way: its year in UTC must be 0 to 9999.
pub fn read(text: &str) -> Option<DateTime<Utc>> {
    let time = DateTime::parse_from_rfc3339(text).ok()?.to_utc();
    is_writable(time).then_some(time)
}

/// Writes a time in RFC 3339: UTC, whole seconds.
pub fn write(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
}

/// Writes a time for people, to the minute: `Friday, 4 December 2026, 18:05 UTC`. It is
/// never later than the time itself.
pub fn for_people(time: DateTime<Utc>) -> String {
    time.format("%A, %-d %B %Y, %H:%M UTC").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `read` once accepted times before the year 0, which `write` wrote with a
    /// sign. A state file rebuilt with such a time could not be read.
    #[test]
    fn a_time_that_is_read_can_be_written() {
        for text in [
            "-0026-11-01T09:00:00Z",
            "-026-11-01T09:00:00Z",
            "0000-01-01T00:00:00+01:00",
            "9999-12-31T23:59:59-01:00",
            "12026-11-20T03:00:00Z",
            "2026-11-20",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        for text in ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z"] {
            assert_eq!(read(text).map(write).as_deref(), Some(text));
        }
        // Ten years after the last second there is a deadline to write.
        let last = read("9999-12-31T23:59:59Z").unwrap();
        assert_eq!(write(after_days(last, 3650)), "9999-12-31T23:59:59Z");
        let first = read("2026-11-20T03:00:00Z").unwrap();
        assert_eq!(write(after_days(first, 10)), "2026-11-30T03:00:00Z");
        let people = read("2026-12-04T18:05:59Z").map(for_people);
        let expected = "Friday, 4 December 2026, 18:05 UTC";
        assert_eq!(people.as_deref(), Some(expected));
        let zone = read("2026-11-20T03:00:00.25+01:00").map(write);
        assert_eq!(zone.as_deref(), Some("2026-11-20T02:00:00Z"));
    }
}
