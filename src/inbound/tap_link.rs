//! The links of our own mails: a tap on one writes a message with a move in it.
//!
//! A link is known by what it does, not by its address or by today's templates: it
//! writes a mail with a subject or a text. So the links of every version, of every
//! user's templates and of an address that has changed since are known, and those that
//! a gateway has put into a link of its own.

use crate::matches::intent::Request;

/// How often a link may be encoded: by us, and by the gateways on its way.
const ENCODINGS: usize = 4;

/// What only a message that one of our links writes has, without signs and blanks.
const OURS: [&str; 3] = ["answercode", "halfmovesmade", "halfmovemade"];

/// Returns true if following the link writes a mail that has a subject or a text. The
/// target may be in any form in which a mail program or a gateway hands it on.
pub(super) fn is_tap(target: &str) -> bool {
    let is_kept = |c: &char| !c.is_whitespace();
    let mut plain: String = target.chars().filter(is_kept).collect();
    plain.make_ascii_lowercase();
    plain = plain.replace("&amp;", "&");
    for _ in 0..ENCODINGS {
        if writes_mail(&plain) {
            return true;
        }
        if !plain.contains('%') {
            return false;
        }
        plain = decoded(&plain);
    }
    writes_mail(&plain)
}

fn writes_mail(plain: &str) -> bool {
    if let Some((_, address)) = plain.split_once("mailto:")
        && address.contains('?')
    {
        return true;
    }
    is_of_message(plain)
}

/// Returns true if a text has what only a message that one of our links writes has: the
/// id line or the answer code.
pub(super) fn is_of_message(text: &str) -> bool {
    let letters = letters(text);
    OURS.iter().any(|word| letters.contains(word))
}

/// Returns true if a text has a link that writes a mail, or a part of one.
pub(super) fn mentions_link(text: &str) -> bool {
    let letters = letters(text);
    letters.contains("mailto") || letters.contains("subject5b")
}

/// Returns the letters and digits of a text, in small letters.
pub(super) fn letters(text: &str) -> String {
    let letters = text.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

/// Returns true if the target is an address alone, without a message to it.
pub(super) fn is_address(target: &str) -> bool {
    target.trim().to_ascii_lowercase().starts_with("mailto:") && !is_tap(target)
}

/// Returns true if the text of a link to an address could be read as a move or a command.
/// A name and an address stay, because they tell who wrote what stands below.
pub(super) fn could_be_played(label: &str) -> bool {
    let has_move = || {
        let label = label.to_ascii_lowercase();
        let castlings = ["o-o", "0-0", "ooo"];
        label.contains(|c: char| c.is_ascii_digit())
            || castlings.iter().any(|castling| label.contains(castling))
    };
    !label.contains('@') && (has_move() || Request::parse(label).is_some())
}

/// Decodes `%3A` and the like once. What is encoded wrongly stays.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let digit = |at: usize| {
        let byte = bytes.get(at).copied()?;
        char::from(byte).to_digit(16)
    };
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                plain.extend(u8::try_from(high * 16 + low));
                at += 3;
            }
            (byte, ..) => {
                plain.push(byte);
                at += 1;
            }
        }
    }
    let mut plain = String::from_utf8_lossy(&plain).into_owned();
    plain.make_ascii_lowercase();
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_that_writes_a_message_is_ours_in_every_form() {
        for target in [
            "mailto:ref@example.org?subject=%5Bm%5D%20P%3Ee3&body=P%3Ee3",
            "MAILTO:ref@example.org?body=P%3Ee3",
            " mailto:ref@example.org?subject=x&amp;body=P%3Ee3",
            "mailto:ref@example.org?sub\r\n ject=x",
            "mailto:ref%40example.org%3Fbody=x",
            "https://safe.test/?url=mailto%3Aref%40example.org%3Fsubject%3Dx&data=05",
            "https://safe.test/?url=mailto%253Aref%2540example.org%253Fsubject%253Dx",
            "https://mail.test/?view=cm&to=ref@example.org&body=P%3Ee3%0D%0AAnswer+code:+abcd",
            "https://mail.test/compose?text=Game%20m%2C%206%20half-moves%20made.",
        ] {
            assert!(is_tap(target), "{target}");
        }
        for target in [
            "mailto:anna@example.org",
            "https://example.org/?a=b",
            "",
            "%",
            "%4",
            "#mailto",
        ] {
            assert!(!is_tap(target), "{target}");
        }
    }

    #[test]
    fn the_text_of_a_link_to_an_address_stays_if_it_is_a_name() {
        for label in ["P>e3", "O-O", "0-0-0", "resign", "Accept draw"] {
            assert!(could_be_played(label), "{label}");
        }
        for label in ["Anna White", "anna2@example.org", "", "P@e3"] {
            assert!(!could_be_played(label), "{label}");
        }
    }
}
