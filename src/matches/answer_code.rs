//! The answer code of a mail: an answer with it is written by somebody who has the mail.
//!
//! Nothing is stored. A code is the keyed hash of the Message-ID of the mail that
//! carries it, and is right as long as that mail shows the position: it is good for one
//! half-move of one side.

use std::fmt;
use std::str::FromStr;

use hmac::Mac as _;

use crate::matches::action::Action;
use crate::matches::event::LogEntry;
use crate::matches::mail::{MailKind, QueuedMail};
use crate::matches::mail_id::MailIds;
use crate::matches::r#match::Match;
use crate::matches::state;
use crate::message_id::MessageId;
use crate::rules::Color;

/// The number of bytes of the hash that a code keeps.
const BYTES: usize = 10;

/// The signs of a code: letters and digits of which none is easily taken for another.
const SIGNS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// The bits of a sign.
const BITS: usize = 5;

/// The first part of the hash. It has a blank, as no id of a match has, with which the
/// hash of each Message-ID begins: no code is ever part of a Message-ID.
const PURPOSE: &[u8] = b"answer code";

/// The code by which an answer proves that its writer has a mail of ours: 16 letters
/// and digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AnswerCode([u8; BYTES]);

impl AnswerCode {
    /// The number of its characters.
    pub const LENGTH: usize = BYTES * 8 / BITS;

    /// Creates the code of a keyed hash.
    pub(super) fn of_mac(mac: hmac::Hmac<sha2::Sha256>) -> AnswerCode {
        let hash = mac.finalize().into_bytes();
        let mut bytes = [0; BYTES];
        bytes.copy_from_slice(&hash[..BYTES]);
        AnswerCode(bytes)
    }

    /// Returns true if it is the code of a keyed hash. The time it takes tells nothing.
    pub(super) fn is_of_mac(&self, mac: hmac::Hmac<sha2::Sha256>) -> bool {
        mac.verify_truncated_left(&self.0).is_ok()
    }
}

impl fmt::Display for AnswerCode {
    /// Writes small letters and digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for at in 0..AnswerCode::LENGTH {
            // A sign may take bits of two bytes.
            let (byte, bit) = (at * BITS / 8, at * BITS % 8);
            let next = self.0.get(byte + 1).copied().unwrap_or_default();
            let pair = u16::from_be_bytes([self.0[byte], next]);
            let sign = usize::from(pair >> (16 - BITS - bit)) & 31;
            write!(f, "{}", char::from(SIGNS[sign]))?;
        }
        Ok(())
    }
}

/// The error for a text that is no answer code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not an answer code")]
pub struct ParseAnswerCodeError;

impl FromStr for AnswerCode {
    type Err = ParseAnswerCodeError;

    /// Reads a code in small or capital letters.
    fn from_str(text: &str) -> Result<AnswerCode, ParseAnswerCodeError> {
        if text.len() != AnswerCode::LENGTH {
            return Err(ParseAnswerCodeError);
        }
        let mut bytes = [0; BYTES];
        for (at, sign) in text.bytes().enumerate() {
            let value = match sign.to_ascii_lowercase() {
                letter @ b'a'..=b'z' => letter - b'a',
                digit @ b'2'..=b'7' => digit - b'2' + 26,
                _ => return Err(ParseAnswerCodeError),
            };
            let (byte, bit) = (at * BITS / 8, at * BITS % 8);
            let [first, second] = (u16::from(value) << (16 - BITS - bit)).to_be_bytes();
            bytes[byte] |= first;
            if let Some(next) = bytes.get_mut(byte + 1) {
                *next |= second;
            }
        }
        Ok(AnswerCode(bytes))
    }
}

impl MailIds {
    /// Returns the answer code of the mail with this Message-ID.
    #[must_use]
    pub fn answer_code(&self, mail: &MessageId) -> AnswerCode {
        AnswerCode::of_mac(self.answer_mac(mail))
    }

    /// Returns true if a code is that of the mail. The time it takes tells nothing.
    #[must_use]
    pub fn is_answer_code(&self, mail: &MessageId, code: &AnswerCode) -> bool {
        code.is_of_mac(self.answer_mac(mail))
    }

    fn answer_mac(&self, mail: &MessageId) -> hmac::Hmac<sha2::Sha256> {
        self.mac_of([PURPOSE, mail.as_str().as_bytes()])
    }
}

/// What a code is worth in a match, to one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeState {
    /// It is of a mail that shows the position, and it is this side's move.
    Right,
    /// It is of an earlier mail to this side, owed by this line of the log (from 1).
    Outdated(usize),
    /// It is of no mail to this side.
    Unknown,
}

impl CodeState {
    /// Returns what a code is worth in a match, to one side. Takes time linear in the
    /// log.
    #[must_use]
    pub fn of(code: &AnswerCode, game: &Match, side: Color, ids: &MailIds) -> CodeState {
        let mut has_changed = false;
        for (at, event) in game.log().iter().enumerate().rev() {
            has_changed |= changes(event);
            let is_its_mail = event.is_owed()
                && event.who == side.into()
                && event
                    .message_id("msg")
                    .is_some_and(|mail| ids.is_answer_code(&mail, code));
            if is_its_mail {
                let is_right = !has_changed
                    && state::owed(at + 1, event).is_ok_and(|mail| carries_code(game, &mail));
                return if is_right {
                    CodeState::Right
                } else {
                    CodeState::Outdated(at + 1)
                };
            }
        }
        CodeState::Unknown
    }
}

/// Returns true if the links of a mail carry an answer code: if it goes to the side to
/// move and shows the last position. `then` is the match at the time of the mail. A mail
/// to a referee's program, or about no match, has no links.
#[must_use]
pub fn carries_code(then: &Match, mail: &QueuedMail) -> bool {
    let made = then.record().steps().len();
    then.turn() == Some(mail.to)
        && then.settings().referee.is_none()
        && mail.kind != MailKind::Question
        && mail.at.is_none_or(|at| at == made)
}

/// Returns the last mail with a code that is right now, if the side to move was sent
/// one.
#[must_use]
pub fn last_mail_with_code(game: &Match) -> Option<QueuedMail> {
    let log = game.log().iter().enumerate().rev();
    let mut since = log.take_while(|(_, event)| !changes(event));
    since.find_map(|(at, event)| {
        let mail = state::owed(at + 1, event).ok()?;
        carries_code(game, &mail).then_some(mail)
    })
}

/// Returns the codes of all mails of a match. Takes time linear in the log.
#[must_use]
pub fn codes_of(log: &[LogEntry], ids: &MailIds) -> Vec<AnswerCode> {
    let owed = log.iter().filter(|event| event.is_owed());
    let mails = owed.filter_map(|event| event.message_id("msg"));
    mails.map(|mail| ids.answer_code(&mail)).collect()
}

/// Returns true if mails from before the event no longer show the position, or may not
/// be those of the log.
pub(super) fn changes(event: &LogEntry) -> bool {
    // No resignation: if the match goes on, it was taken back; if not, no code counts.
    let ends = [Action::AcceptDraw, Action::ClaimDraw];
    event.changes_position()
        || event.is_repair()
        || event.action().is_some_and(|action| ends.contains(action))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::mail_id::Secret;

    fn ids(byte: u8) -> MailIds {
        MailIds::new(Secret::from_bytes([byte; Secret::LENGTH]), "example.org")
    }

    #[test]
    fn a_code_is_sixteen_letters_and_digits_and_is_read_back() {
        for n in 0..200 {
            let mail: MessageId = format!("<m.{n}.x@y>").parse().unwrap();
            let code = ids(7).answer_code(&mail);
            let text = code.to_string();
            assert_eq!(text.len(), AnswerCode::LENGTH);
            assert!(text.bytes().all(|byte| SIGNS.contains(&byte)), "{text}");
            assert_eq!(text.parse(), Ok(code));
            assert_eq!(text.to_uppercase().parse(), Ok(code));
        }
        for text in [
            "",
            "abc",
            "abcdefghijklmno1",
            "abcdefghijklmnopq",
            "ähcdefghijklmno",
        ] {
            assert_eq!(
                text.parse::<AnswerCode>(),
                Err(ParseAnswerCodeError),
                "{text}"
            );
        }
    }

    #[test]
    fn a_code_is_of_one_mail_and_one_secret() {
        let [one, other] = ["<m.2.x@y>", "<m.3.x@y>"].map(|id| id.parse::<MessageId>().unwrap());
        let code = ids(7).answer_code(&one);
        assert!(ids(7).is_answer_code(&one, &code));
        assert!(!ids(7).is_answer_code(&other, &code));
        assert!(!ids(8).is_answer_code(&one, &code));
    }
}
