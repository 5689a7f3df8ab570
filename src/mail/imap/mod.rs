//! IMAP (RFC 3501), as far as `fetch` needs it.
//!
//! What a server says is hostile data: lines, literals, lists and the time that an
//! answer takes have limits, and nothing in an answer can end the program.

pub mod connection;
pub mod folder;
pub mod response;

use std::io;

use crate::Error;
use crate::error::words;
use crate::wire::WireError;

/// Why an exchange with an IMAP server failed. `Display` writes a clause; its caller
/// names the server.
#[derive(Debug, thiserror::Error)]
pub enum ImapError {
    /// The connection failed.
    #[error("{}", words(.0))]
    Io(#[from] io::Error),
    /// The server closed the connection, perhaps with a reason.
    #[error("it has closed the connection{}", reason(.0))]
    Closed(String),
    /// An answer takes too long.
    #[error("it does not answer in time")]
    TimedOut,
    /// An answer exceeds a limit.
    #[error("it has sent {0}, which is more than is read")]
    TooLong(&'static str),
    /// An answer is not IMAP.
    #[error("it has sent what is not IMAP: {0}")]
    Malformed(&'static str),
    /// The server cannot do this, or not now.
    #[error("it has answered {0}")]
    No(StatusResponse),
    /// The connection is refused for good.
    #[error("{0}")]
    Unfit(String),
}

impl From<WireError> for ImapError {
    fn from(error: WireError) -> ImapError {
        match error {
            WireError::Io(error) => ImapError::Io(error),
            WireError::Closed => ImapError::Closed(String::new()),
            WireError::TimedOut => ImapError::TimedOut,
            WireError::LongLine => ImapError::TooLong("a longer line"),
            WireError::LongAnswer => ImapError::TooLong("more bytes in answer to one command"),
            WireError::BehindStarttls => {
                ImapError::Malformed("words behind its answer to STARTTLS")
            }
        }
    }
}

/// An answer of a server other than OK: `NO [CODE] text`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatusResponse {
    /// `NO` or `BAD`.
    pub word: &'static str,
    /// The code in brackets, if there is one, in capitals.
    pub code: Option<String>,
    /// The words for people.
    pub text: String,
}

impl std::fmt::Display for StatusResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word)?;
        if let Some(code) = &self.code {
            write!(f, " [{}]", short(code))?;
        }
        write!(f, " {}", short(&self.text))
    }
}

/// The most characters of a server's words that a message repeats.
const WORDS: usize = 300;

/// Cuts a server's words to what a message may repeat.
pub(crate) fn short(text: &str) -> String {
    text.chars().take(WORDS).collect()
}

fn reason(text: &str) -> String {
    match text {
        "" => String::new(),
        text => format!(": {}", short(text)),
    }
}

impl StatusResponse {
    /// Returns true if the server says that it has trouble of its own, which may pass.
    #[must_use]
    pub fn is_trouble(&self) -> bool {
        const CODES: [&str; 5] = ["UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG", "CONTACTADMIN"];
        self.code
            .as_deref()
            .is_some_and(|code| CODES.contains(&code))
    }
}

impl ImapError {
    /// Removes texts that the server can have been told from its words.
    pub(crate) fn without(self, forms: &[&str]) -> ImapError {
        let cut = |text: &str| {
            let forms = forms.iter().filter(|form| !form.is_empty());
            forms.fold(text.to_owned(), |text, form| text.replace(form, "…"))
        };
        match self {
            ImapError::Closed(text) => ImapError::Closed(cut(&text)),
            ImapError::No(answer) => ImapError::No(StatusResponse {
                word: answer.word,
                // A code has no use beyond being known.
                code: answer.code.filter(|code| {
                    let is_in = |form: &&str| code.contains(&form.to_ascii_uppercase());
                    !forms.iter().any(|form| !form.is_empty() && is_in(form))
                }),
                text: cut(&answer.text),
            }),
            error => error,
        }
    }

    /// Returns true if trying again changes nothing.
    fn is_final(&self) -> bool {
        match self {
            ImapError::Unfit(_) => true,
            ImapError::Io(error) => error.get_ref().is_some_and(|inner| {
                use rustls::Error as Tls;
                let tls = inner.downcast_ref();
                matches!(
                    tls,
                    Some(
                        // No certificate that is trusted, or no TLS.
                        Tls::InvalidCertificate(_)
                            | Tls::InvalidMessage(_)
                            | Tls::PeerIncompatible(_)
                    )
                )
            }),
            _ => false,
        }
    }

    /// Converts the error to one that names the server. It is final only where trying
    /// again changes nothing.
    #[must_use]
    pub fn of(self, server: &str) -> Error {
        let message = format!("the mail server {server}: {self}");
        let error = if self.is_final() {
            Error::refused(message)
        } else {
            Error::later(message)
        };
        error.with_source(self)
    }
}
