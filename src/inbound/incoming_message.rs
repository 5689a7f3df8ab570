//! Reads a message that comes in, with the answers that our links have begun; and an article of a
//! newsgroup: a message from there, and whether it is meant to act on other articles.

use crate::inbound::answer_form::{self, AnswerForms};
use crate::inbound::{banner, link_target, own_html, position_words};
use crate::mail::message::{ParseMessageError, ReceivedMessage};
use crate::mail::nntp::newsgroup::Newsgroup;
use crate::mail::quoting::habits::HtmlHabits;
use crate::notation::header;
use crate::render::page::{MARK as PAGE_MARK, START as PAGE_START};

/// A message, with the answers that our links have begun, in its text. The text has their
/// codes no more.
pub type IncomingMessage = ReceivedMessage<AnswerForms>;

/// What our mails and pages have as HTML.
static HABITS: HtmlHabits = HtmlHabits {
    table: Some("parapost"),
    is_link: link_target::is_tap,
    is_of_link: own_html::is_text_of_links,
    is_picture: position_words::is_position,
    is_order: own_html::could_be_played,
    foot: header::last_id_line,
    is_page,
    without: own_html::without,
};

/// Reads a message, with LF or CRLF line ends.
///
/// # Errors
///
/// If the bytes are no message, or the message exceeds a limit of [`mail::limits`]. If only
/// its text does, the result is `Ok` with [`ReceivedMessage::unread`] set, so that its sender
/// can be answered.
///
/// [`mail::limits`]: crate::mail::limits
pub fn read(bytes: &[u8]) -> Result<IncomingMessage, ParseMessageError> {
    read_without(bytes, &[])
}

/// Reads a message as [`read`] does, without these lines, which a gateway puts into each letter.
///
/// # Errors
///
/// The same as [`read`].
pub fn read_without(
    bytes: &[u8],
    banners: &[String],
) -> Result<IncomingMessage, ParseMessageError> {
    ReceivedMessage::parse(bytes, &HABITS, |text| {
        answer_form::restore(banner::without(text, banners))
    })
}

/// Returns what is left of words in the text of a letter that quotes them, once what our mails
/// have as HTML was removed: lines that stood apart may stand beside each other.
pub fn left_of(words: &str) -> String {
    own_html::without(words.to_owned())
}

/// Returns true for a page of ours, which a program may have brought back without saying
/// that it is attached: nobody writes in it.
fn is_page(source: &str) -> bool {
    source.trim_start().starts_with(PAGE_START) && source.contains(PAGE_MARK)
}

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
/// As [`read`].
pub fn read_article<'g>(
    bytes: &[u8],
    group: &'g Newsgroup,
) -> Result<IncomingArticle<'g>, ParseMessageError> {
    Ok(IncomingArticle {
        message: read(bytes)?,
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
    use crate::mail::message::html;

    /// Went wrong: the text of a link of ours was played.
    #[test]
    fn what_our_own_mails_have_is_not_the_writer_s() {
        const LINK: &str = "mailto:ref@example.org?subject=x&amp;body=n%3Eg5";
        let text = |html: &str| html::text(html, &HABITS).unwrap();
        for html in [
            "<a href='LINK'>n&gt;g5</a>",
            "<a href='https://safe.test/?url=mailto%3Aref%40b.test%3Fbody%3Dx' originalsrc=x>n&gt;g5</a>",
            "<a href='https://safe.test/1' originalsrc='LINK'>n&gt;g5</a>",
            "<a href='mailto:ref@example.org'>n&gt;g5</a> ",
            "<a href='mailto:ref@example.org'>resign</a> ",
            "<table class=x_parapost><tr><td>n&gt;g5<table><tr><td>n&gt;f6</table></table>",
            "<table summary='parapost'><tr><td>n&gt;g5</td></tr></table>",
            "<table><tr><td>n&gt;g5<td><img alt='White: king on e1. Black: king on e8.'></table>",
        ] {
            let html = html.replace("LINK", LINK);
            let beside = text(&format!("n&gt;d4{html}n&gt;d5"));
            // A line of doubt stands for a table.
            let words = beside.split_whitespace().filter(|word| *word != "\u{fdd1}");
            assert!(words.eq(["n>d4", "n>d5"]), "{html}");
        }
        let other = text("<table><tr><td>n&gt;g5<img alt='Ben'></table>");
        assert_eq!(other.trim(), "n>g5");
    }

    #[test]
    fn what_acts_on_other_articles_is_known() {
        let group = "rec.games.abstract".parse().unwrap();
        let read = |field: &str, text: &str| {
            let article = format!("From: ben@example.test\r\n{field}\r\n\r\n{text}\r\n");
            read_article(article.as_bytes(), &group)
                .unwrap()
                .acts_on_others
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
