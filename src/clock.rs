//! The one place where the wall clock is read.

use chrono::{DateTime, SubsecRound, Utc};

use crate::Error;

/// The variable that sets the clock, for tests and for replaying.
pub const VARIABLE: &str = "PARAPOST_NOW";

/// The time now, in whole seconds: `PARAPOST_NOW` if it is set, else the wall
/// clock.
///
/// # Errors
///
/// If `PARAPOST_NOW` is no time of RFC 3339.
pub fn now() -> Result<DateTime<Utc>, Error> {
    let now = match std::env::var(VARIABLE) {
        Ok(text) if !text.is_empty() => DateTime::parse_from_rfc3339(&text)
            .map_err(|error| {
                Error::usage(format!(
                    "{VARIABLE} is '{text}', which is no time of RFC 3339 ({error}); write it like 2026-11-20T03:00:00Z"
                ))
            })?
            .to_utc(),
        Ok(_) | Err(std::env::VarError::NotPresent) => Utc::now(),
        Err(error) => return Err(Error::usage(format!("{VARIABLE}: {error}"))),
    };
    Ok(now.trunc_subsecs(0))
}

/// A time as it is written everywhere: RFC 3339, UTC, whole seconds.
#[must_use]
pub fn write(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
}
