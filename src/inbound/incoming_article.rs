//! Reads an article of a newsgroup: a message from there, and whether it is meant to act on other
//! articles.

use crate::inbound::incoming_message::{self, IncomingMessage};
use crate::mail::message::ParseMessageError;
use crate::mail::nntp::newsgroup::Newsgroup;

/// The fields of an article that acts on others: it cancels them or takes their place.
const ACTING: [&[u8]; 3] = [b"control:", b"also-control:", b"supersedes:"];

/// An article that comes in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IncomingArticle<'g> {
    /// The message. Anybody may have written it.
    pub message: IncomingMessage,
    /// The group that it was read in.
    pub group: &'g Newsgroup,
    /// True if it is meant to cancel another article, or to take its place. No such article is
    /// ever a move.
    pub acts_on_others: bool,
}

/// Reads an article of a group, with LF or CRLF line ends.
///
/// # Errors
///
/// As [`incoming_message::read`].
pub fn read<'g>(
    bytes: &[u8],
    group: &'g Newsgroup,
) -> Result<IncomingArticle<'g>, ParseMessageError> {
    Ok(IncomingArticle {
        message: incoming_message::read(bytes)?,
        group,
        acts_on_others: acts_on_others(bytes),
    })
}

fn acts_on_others(bytes: &[u8]) -> bool {
    let lines = bytes.split(|byte| *byte == b'\n');
    let mut header = lines.take_while(|line| !matches!(line, [] | [b'\r']));
    header.any(|line| {
        let begins = |name: &&[u8]| {
            let start = line.get(..name.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(name))
        };
        ACTING.iter().any(begins)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_on_other_articles_is_known() {
        let group = "rec.games.abstract".parse().unwrap();
        let read = |field: &str, text: &str| {
            let article = format!("From: ben@example.test\r\n{field}\r\n\r\n{text}\r\n");
            read(article.as_bytes(), &group).unwrap().acts_on_others
        };
        for field in [
            "Control: cancel <a@b>",
            "control:cancel <a@b>",
            "Also-Control: cancel <a@b>",
            "SUPERSEDES: <a@b>",
        ] {
            assert!(read(field, "n>g5"), "{field}");
        }
        assert!(!read("Subject: Control: cancel", "Control: cancel <a@b>"));
        assert!(!read("X-Control: none", "Supersedes: <a@b>"));
    }
}
