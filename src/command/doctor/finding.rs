//! What a check finds, and the list of it.

use std::fmt;

use crate::Error;
use crate::command::context::{Context, visible};
use crate::mail::secret::{Login, Secret};

/// How it stands with what was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Ok,
    Note,
    Wrong,
}

/// What a check finds. `Display` writes one line.
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

/// The list of findings, which is written line by line.
pub(crate) struct Report {
    is_data: bool,
    wrong: usize,
    /// What must not be written, should a server repeat it.
    hidden: Vec<String>,
}

impl Report {
    /// Begins a list on standard output.
    pub(crate) fn to_stdout() -> Report {
        Report {
            is_data: true,
            wrong: 0,
            hidden: Vec::new(),
        }
    }

    /// Begins a list on standard error.
    pub(crate) fn to_stderr() -> Report {
        Report {
            is_data: false,
            ..Report::to_stdout()
        }
    }

    /// Returns true if nothing is wrong so far.
    pub(crate) fn is_sound(&self) -> bool {
        self.wrong == 0
    }

    /// Keeps the password or the token of a login out of the list, in every form in which
    /// it goes to a server. It must be known.
    pub(crate) fn hide(&mut self, login: &Login) {
        let Secret::Known(value) = login.credential.secret() else {
            return;
        };
        self.hidden.extend(login.forms(value));
    }

    /// Writes a finding.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(crate) fn add(
        &mut self,
        mut finding: Finding,
        context: &mut Context<'_>,
    ) -> Result<(), Error> {
        if finding.is_wrong() {
            self.wrong += 1;
            for hidden in &self.hidden {
                finding.said = finding.said.replace(hidden.as_str(), "…");
            }
        }
        let line = finding.to_string();
        if self.is_data {
            let line = context.wrapped_for_stdout(visible(&line));
            return context.report(format_args!("{line}\n"));
        }
        context.say(line);
        Ok(())
    }
}
