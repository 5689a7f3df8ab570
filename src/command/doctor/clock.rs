//! Whether the clock of this machine is right, as far as others tell the time.
//!
//! No mail server has to tell the time. What is held against our clock is the greeting of
//! the mail server, which often has a date, and what must have happened already: the
//! arrival of the newest mail and what stands in the matches.

use chrono::{DateTime, TimeDelta, Utc};

use crate::Error;
use crate::clock;
use crate::command::doctor::finding::Finding;

/// The difference that nobody minds: servers are not to the minute either.
const SLACK: TimeDelta = TimeDelta::minutes(5);

/// The weekdays that a date in a greeting begins with.
const WEEKDAYS: [&str; 7] = ["Mon,", "Tue,", "Wed,", "Thu,", "Fri,", "Sat,", "Sun,"];

/// The clock of this machine, and what speaks against it.
pub(crate) struct Clock {
    now: Result<DateTime<Utc>, Error>,
    compared: bool,
    wrong: Option<String>,
}

impl Clock {
    /// Reads the clock.
    pub(crate) fn read() -> Clock {
        Clock {
            now: clock::now(),
            compared: false,
            wrong: None,
        }
    }

    /// Learns of a time that must have passed.
    pub(crate) fn must_be_past(&mut self, time: DateTime<Utc>, what: &str) {
        self.compared = true;
        if let Ok(now) = &self.now
            && time - now > SLACK
        {
            let (time, now) = (clock::write(time), clock::write(*now));
            let said = format!("it says {now}, but {what} is of {time}");
            self.wrong.get_or_insert(said);
        }
    }

    /// Learns of the greeting of a mail server.
    pub(crate) fn greeted(&mut self, greeting: &str, server: &str) {
        let (Ok(now), Some(time)) = (&self.now, date_in(greeting)) else {
            return;
        };
        self.compared = true;
        if (time - now).abs() > SLACK {
            let (time, now) = (clock::write(time), clock::write(*now));
            let said = format!("it says {now}, but {server} says {time}");
            self.wrong.get_or_insert(said);
        }
    }

    /// Returns what is found.
    pub(crate) fn finding(self) -> Finding {
        let remedy = "set the clock of this machine, and have it set from the network";
        match (self.now, self.wrong) {
            (Err(error), _) => Finding::wrong("clock", error).mend(remedy),
            (_, Some(said)) => Finding::wrong("clock", said).mend(remedy),
            (Ok(now), None) if self.compared => Finding::ok(
                "clock",
                format!("{}, nothing speaks against it", clock::write(now)),
            ),
            (Ok(now), None) => Finding::ok("clock", format!("{}, as it says", clock::write(now))),
        }
    }
}

/// Returns the date in a greeting: `mx.test ESMTP Exim 4.96 Sun, 22 Nov 2026 09:16:00 +0000`.
fn date_in(greeting: &str) -> Option<DateTime<Utc>> {
    let words: Vec<&str> = greeting.split_whitespace().collect();
    let starts = words.windows(6).filter(|six| WEEKDAYS.contains(&six[0]));
    let mut dates = starts.filter_map(|six| DateTime::parse_from_rfc2822(&six.join(" ")).ok());
    dates.next().map(|date| date.to_utc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_found_in_greetings() {
        for (greeting, expected) in [
            (
                "mx.test ESMTP Exim 4.96 Sun, 22 Nov 2026 09:16:00 +0100",
                Some("2026-11-22T08:16:00Z"),
            ),
            (
                "MX.test Microsoft ESMTP MAIL Service ready at Sun, 22 Nov 2026 09:16:00 +0000",
                Some("2026-11-22T09:16:00Z"),
            ),
            ("mx.test ESMTP Postfix", None),
            ("Sun, 22 Nov", None),
            ("Sun, 99 Nov 2026 09:16:00 +0000", None),
        ] {
            let found = date_in(greeting).map(clock::write);
            assert_eq!(found.as_deref(), expected, "{greeting}");
        }
    }
}
