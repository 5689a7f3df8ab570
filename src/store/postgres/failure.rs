//! Why a statement has failed, and whether anything was done.

use std::error::Error as _;

use tokio_postgres::error::{Severity, SqlState};

use crate::Error;

/// Why a statement has failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// The server says that nothing was done: another transaction was in the way.
    Again(String),
    /// The server says that nothing was done, and trying again changes nothing: its words,
    /// and the code of the error.
    Refused(String, SqlState),
    /// The server was not reached, or has no room, so nothing was done.
    NotReached(String),
    /// The connection has gone, or no answer came in time. What was asked for may be done,
    /// or be done later.
    Unknown(String),
    /// An error of this program's own, before anything was asked.
    Other(Error),
}

impl Failure {
    /// Reads the error of an attempt to connect.
    pub(super) fn to_connect(error: &tokio_postgres::Error) -> Failure {
        match error.as_db_error() {
            // A wrong password, no such database: other hosts would say the same.
            Some(reported)
                if ["28", "3D", "42"]
                    .iter()
                    .any(|class| reported.code().code().starts_with(class)) =>
            {
                let said = format!("{} ({})", reported.message(), reported.code().code());
                Failure::Refused(said, reported.code().clone())
            }
            _ => Failure::NotReached(words(error)),
        }
    }

    /// Takes what is unknown for not done, where nothing was to be done yet.
    pub(super) fn before_any_change(self) -> Failure {
        match self {
            Failure::Unknown(said) => Failure::NotReached(said),
            failure => failure,
        }
    }

    /// Returns true if it is worth while to try again, over another connection.
    pub(super) fn may_pass(&self) -> bool {
        !matches!(self, Failure::Refused(..) | Failure::Other(_))
    }

    /// Returns the error that people read.
    pub(super) fn error(self, place: &str) -> Error {
        match self {
            Failure::Refused(said, _) => Error::refused(format!("{place}: {said}")),
            Failure::Again(said) | Failure::NotReached(said) | Failure::Unknown(said) => {
                Error::later(format!("{place}: {said}"))
            }
            Failure::Other(error) => error,
        }
    }
}

impl From<tokio_postgres::Error> for Failure {
    /// Reads the error of a statement.
    fn from(error: tokio_postgres::Error) -> Failure {
        let Some(reported) = error.as_db_error() else {
            return Failure::Unknown(words(&error));
        };
        let said = format!("{} ({})", reported.message(), reported.code().code());
        // Its last word on this connection, such as that of a limit of its own.
        let is_over = matches!(
            reported.parsed_severity(),
            Some(Severity::Fatal | Severity::Panic)
        );
        match reported.code() {
            _ if is_over => Failure::Unknown(said),
            &SqlState::T_R_SERIALIZATION_FAILURE | &SqlState::T_R_DEADLOCK_DETECTED => {
                Failure::Again(said)
            }
            // The server no longer takes writes: another does.
            &SqlState::READ_ONLY_SQL_TRANSACTION => Failure::NotReached(said),
            // A cancelled wait for a standby is reported as an end of the connection or as a
            // cancelled query, with the commit already made.
            &SqlState::QUERY_CANCELED => Failure::Unknown(said),
            // Connections that have ended, a server that stops, and 40003, which says
            // itself that it is unknown.
            code if ["08", "57P", "40003"]
                .iter()
                .any(|class| code.code().starts_with(class)) =>
            {
                Failure::Unknown(said)
            }
            // Somebody else holds the row for long.
            &SqlState::LOCK_NOT_AVAILABLE => Failure::Again(said),
            // Full disks, memory, too many connections: later, and nothing was done.
            // Only after a pause: it would say the same at once.
            code if code.code().starts_with("53") => Failure::NotReached(said),
            code => Failure::Refused(said, code.clone()),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Other(error)
    }
}

/// Returns true if the server does not know what a statement asks for: its syntax, its
/// function, its setting or the value of it. One that knows it and forbids it is another
/// matter.
pub(super) fn is_not_understood(code: &SqlState) -> bool {
    let mut classes = ["0A", "22", "42"].into_iter();
    *code != SqlState::INSUFFICIENT_PRIVILEGE && classes.any(|class| code.code().starts_with(class))
}

/// Returns the text of an error with its causes.
fn words(error: &tokio_postgres::Error) -> String {
    let mut said = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let more = next.to_string();
        if !said.contains(&more) {
            said.push_str(": ");
            said.push_str(&more);
        }
        cause = next.source();
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_server_does_not_know_is_not_understood() {
        for code in [
            SqlState::UNDEFINED_OBJECT,
            SqlState::UNDEFINED_FUNCTION,
            SqlState::SYNTAX_ERROR,
            SqlState::FEATURE_NOT_SUPPORTED,
            SqlState::INVALID_PARAMETER_VALUE,
        ] {
            assert!(is_not_understood(&code), "{code:?}");
        }
        for code in [
            SqlState::INSUFFICIENT_PRIVILEGE,
            SqlState::QUERY_CANCELED,
            SqlState::OUT_OF_MEMORY,
            SqlState::ADMIN_SHUTDOWN,
            SqlState::TOO_MANY_CONNECTIONS,
        ] {
            assert!(!is_not_understood(&code), "{code:?}");
        }
    }
}
