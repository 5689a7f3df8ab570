//! The list of what the checks find, and what several of them need: the clock of this machine
//! and a time limit.

use std::sync::mpsc;
use std::time::Duration;
use std::{fmt, thread};

use chrono::{DateTime, TimeDelta, Utc};

use crate::command::context::{Context, visible};
use crate::mail::secret::{Login, Secret};
use crate::{Error, clock};

/// The state of the thing that was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Ok,
    Note,
    Wrong,
}

/// The finding of a check. `Display` writes one line.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    verdict: Verdict,
    what: String,
    said: String,
    remedy: Option<String>,
}

impl Finding {
    /// Creates a finding that all is well.
    pub(crate) fn ok(what: impl fmt::Display, said: impl fmt::Display) -> Finding {
        Finding::new(Verdict::Ok, what, said)
    }

    /// Creates a finding that a person may want to know.
    pub(crate) fn note(what: impl fmt::Display, said: impl fmt::Display) -> Finding {
        Finding::new(Verdict::Note, what, said)
    }

    /// Creates a finding of a fault.
    pub(crate) fn wrong(what: impl fmt::Display, said: impl fmt::Display) -> Finding {
        Finding::new(Verdict::Wrong, what, said)
    }

    fn new(verdict: Verdict, what: impl fmt::Display, said: impl fmt::Display) -> Finding {
        Finding {
            verdict,
            what: what.to_string(),
            said: said.to_string(),
            remedy: None,
        }
    }

    /// Adds what to do.
    pub(crate) fn mend(self, remedy: impl fmt::Display) -> Finding {
        Finding {
            remedy: Some(remedy.to_string()),
            ..self
        }
    }

    /// Returns true if something is wrong.
    pub(crate) fn is_wrong(&self) -> bool {
        self.verdict == Verdict::Wrong
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.verdict {
            Verdict::Ok => "ok",
            Verdict::Note => "note",
            Verdict::Wrong => "wrong",
        };
        // A finding is one line, whatever a server or a file has put into it.
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        write!(f, "{word:6} {}: {}", self.what, one_line(&self.said))?;
        match &self.remedy {
            Some(remedy) => write!(f, "; {}", one_line(remedy)),
            None => Ok(()),
        }
    }
}

/// Why a check goes no further.
pub(crate) enum Stop {
    /// It has found something behind which nothing can be checked.
    Found(Finding),
    /// The program cannot go on with it.
    Failed(Error),
}

impl From<Finding> for Stop {
    fn from(finding: Finding) -> Stop {
        Stop::Found(finding)
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Failed(error)
    }
}

/// The list of findings, which is written line by line.
pub(crate) struct Report<'r, 'c> {
    pub(crate) context: &'r mut Context<'c>,
    /// The clock of this machine, whose finding is added at the end.
    pub(crate) clock: Clock,
    is_data: bool,
    /// True if nothing is wrong so far.
    pub(crate) is_sound: bool,
    /// The secrets that must not be written, should a server repeat them.
    hidden: Vec<String>,
}

impl<'r, 'c> Report<'r, 'c> {
    /// Begins a list on standard output.
    pub(crate) fn to_stdout(context: &'r mut Context<'c>) -> Report<'r, 'c> {
        Report {
            context,
            clock: Clock::read(),
            is_data: true,
            is_sound: true,
            hidden: Vec::new(),
        }
    }

    /// Begins a list on standard error.
    pub(crate) fn to_stderr(context: &'r mut Context<'c>) -> Report<'r, 'c> {
        Report {
            is_data: false,
            ..Report::to_stdout(context)
        }
    }

    /// Keeps the password or the token of a login out of the list, in every form in which
    /// it goes to a server. It must be known.
    pub(crate) fn hide(&mut self, login: &Login) {
        if let Secret::Known(value) = login.credential.secret() {
            self.hidden.extend(login.forms(value));
        }
    }

    /// Writes a finding.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(crate) fn add(&mut self, mut finding: Finding) -> Result<(), Error> {
        if finding.is_wrong() {
            self.is_sound = false;
            for hidden in &self.hidden {
                finding.said = finding.said.replace(hidden.as_str(), "…");
            }
        }
        let line = finding.to_string();
        if self.is_data {
            let line = self.context.wrapped_for_stdout(visible(&line));
            return self.context.report(format_args!("{line}\n"));
        }
        self.context.say(line);
        Ok(())
    }

    /// Writes what has ended a check, if anything has.
    ///
    /// # Errors
    ///
    /// If the list cannot be written.
    pub(crate) fn end(&mut self, check: Result<(), Stop>) -> Result<(), Error> {
        match check {
            Ok(()) => Ok(()),
            Err(Stop::Found(finding)) => self.add(finding),
            Err(Stop::Failed(error)) => Err(error),
        }
    }
}

/// The longest time that a check takes.
pub(crate) const LIMIT: Duration = Duration::from_secs(10);

/// Does some work, and returns none if it takes longer than [`LIMIT`]. It then goes on
/// behind our back until its own limits or the process end.
pub(crate) fn within<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let _ = sender.send(work());
    });
    receiver.recv_timeout(LIMIT).ok()
}

/// The difference that nobody minds: servers are not to the minute either.
const SLACK: TimeDelta = TimeDelta::minutes(5);

/// The weekdays that a date in a greeting begins with.
const WEEKDAYS: [&str; 7] = ["Mon,", "Tue,", "Wed,", "Thu,", "Fri,", "Sat,", "Sun,"];

/// The clock of this machine, and what speaks against it.
///
/// No mail server has to tell the time. What is held against our clock is the greeting of
/// the mail server, which often has a date, and what must have happened already: the
/// arrival of the newest mail and what stands in the matches.
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
    pub(crate) fn finding(&self) -> Finding {
        let remedy = "set the clock of this machine, and have it set from the network";
        match (&self.now, &self.wrong) {
            (Err(error), _) => Finding::wrong("clock", error).mend(remedy),
            (_, Some(said)) => Finding::wrong("clock", said).mend(remedy),
            (Ok(now), None) => {
                let why = if self.compared {
                    "nothing speaks against it"
                } else {
                    "as it says"
                };
                Finding::ok("clock", format!("{}, {why}", clock::write(*now)))
            }
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
