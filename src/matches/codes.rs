//! The codes that a mail carries. Nothing of them is stored.
//!
//! An answer with the answer code of a mail is written by somebody who has the mail. It is made of a
//! keyed hash of the mail's Message-ID, and is right as long as that mail shows the position:
//! it is good for one half-move of one side. Its end shows that the program made it, even if the
//! log does not have the mail.
//!
//! With the unsubscribe code a mail program unsubscribes its user. It is the keyed hash of the
//! Message-ID of the first mail that the log owes the player, so that it is the same in each
//! mail to one player of one match, and that of no other match: a match that is given an id
//! again has other Message-IDs.

use std::fmt;
use std::str::FromStr;

use hmac::{Hmac, Mac as _};
use sha2::Sha256;

use crate::mail::message_id::MessageId;
use crate::matches::action::Action;
use crate::matches::event::LogEntry;
use crate::matches::mail::QueuedMail;
use crate::matches::mail_id::{self, MailIds};
use crate::matches::r#match::Match;
use crate::matches::state;
use crate::rules::Color;

/// The number of bytes of the hash that a code keeps.
const BYTES: usize = 10;

/// The signs of a code: letters and digits of which none is easily taken for another.
const SIGNS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// The bits of a sign.
const BITS: usize = 5;

/// The first part of the hash. It has a blank, as no id of a match has, with which the
/// hash of each Message-ID begins: no code is ever part of a Message-ID.
const ANSWER_PURPOSE: &[u8] = b"answer code";

/// The first part of the hash that proves who has made an answer code.
const ORIGIN: &[u8] = b"origin of an answer code";

/// The number of bytes of an answer code that depend on the mail. The others prove its origin.
const OF_MAIL: usize = 6;

/// The code by which an answer proves that its writer has a mail of ours: 16 letters
/// and digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AnswerCode([u8; BYTES]);

impl AnswerCode {
    /// The number of its characters.
    pub const LENGTH: usize = BYTES * 8 / BITS;

    /// Creates the code of a keyed hash.
    fn of_mac(mac: hmac::Hmac<sha2::Sha256>) -> AnswerCode {
        let hash = mac.finalize().into_bytes();
        let mut bytes = [0; BYTES];
        bytes.copy_from_slice(&hash[..BYTES]);
        AnswerCode(bytes)
    }

    /// Returns true if it is the code of a keyed hash. The time it takes tells nothing.
    fn is_of_mac(&self, mac: hmac::Hmac<sha2::Sha256>) -> bool {
        mac.verify_truncated_left(&self.0).is_ok()
    }
}

impl fmt::Display for AnswerCode {
    /// Writes small letters and digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0.iter();
        let bits = bytes.fold(0_u128, |bits, byte| (bits << 8) | u128::from(*byte));
        for at in (0..AnswerCode::LENGTH).rev() {
            let sign = usize::try_from((bits >> (at * BITS)) & 31).unwrap_or_default();
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
        let mut bits = 0_u128;
        for sign in text.bytes() {
            let sign = sign.to_ascii_lowercase();
            let known = (0_u128..).zip(SIGNS).find(|(_, known)| **known == sign);
            let (value, _) = known.ok_or(ParseAnswerCodeError)?;
            bits = (bits << BITS) | value;
        }
        let mut bytes = [0; BYTES];
        bytes.copy_from_slice(&bits.to_be_bytes()[size_of::<u128>() - BYTES..]);
        Ok(AnswerCode(bytes))
    }
}

impl MailIds {
    /// Returns the answer code of the mail with this Message-ID.
    pub fn answer_code(&self, mail: &MessageId) -> AnswerCode {
        let mut code = self.earlier_answer_code(mail);
        let origin = self.code_origin(&code.0[..OF_MAIL]);
        let origin = origin.finalize().into_bytes();
        code.0[OF_MAIL..].copy_from_slice(&origin[..BYTES - OF_MAIL]);
        code
    }

    /// Returns the answer code that earlier versions gave the mail with this Message-ID.
    fn earlier_answer_code(&self, mail: &MessageId) -> AnswerCode {
        AnswerCode::of_mac(self.answer_mac(mail))
    }

    /// Returns true if a code is that of the mail. The time it takes tells nothing.
    fn is_answer_code(&self, mail: &MessageId, code: &AnswerCode) -> bool {
        let mac = self.answer_mac(mail);
        let is_of_mail = mac
            .clone()
            .verify_truncated_left(&code.0[..OF_MAIL])
            .is_ok();
        code.is_of_mac(mac) || is_of_mail && self.has_made_code(code)
    }

    /// Returns true if a program with this secret has made a code, for whichever match. It does not know
    /// those that earlier versions made. The time it takes tells nothing.
    pub(crate) fn has_made_code(&self, code: &AnswerCode) -> bool {
        let mac = self.code_origin(&code.0[..OF_MAIL]);
        mac.verify_truncated_left(&code.0[OF_MAIL..]).is_ok()
    }

    fn code_origin(&self, of_mail: &[u8]) -> Hmac<Sha256> {
        self.mac_of([ORIGIN, of_mail])
    }

    fn answer_mac(&self, mail: &MessageId) -> hmac::Hmac<sha2::Sha256> {
        self.mac_of([ANSWER_PURPOSE, mail.as_str().as_bytes()])
    }

    /// Returns the code by which a player of a match asks for no more mail, the same in
    /// each mail. It is good for nothing else. There is none before the first mail.
    pub fn unsubscribe_code(&self, game: &Match, side: Color) -> Option<AnswerCode> {
        let mut macs = self.unsubscribe_macs(game, side);
        macs.next().map(AnswerCode::of_mac)
    }

    /// Returns true if a code is that by which the player asks for no more mail, or was in
    /// mails of earlier versions. The time it takes tells nothing of the code.
    pub fn is_unsubscribe_code(&self, game: &Match, side: Color, code: &AnswerCode) -> bool {
        let mut macs = self.unsubscribe_macs(game, side);
        macs.any(|mac| code.is_of_mac(mac))
    }

    /// Returns every code by which a player of a match can ask for no more mail.
    pub(crate) fn unsubscribe_codes(&self, game: &Match) -> Vec<AnswerCode> {
        let sides = Color::ALL.into_iter();
        let macs = sides.flat_map(|side| self.unsubscribe_macs(game, side));
        macs.map(AnswerCode::of_mac).collect()
    }

    /// Begins the hashes of a player's codes, of which the last may be of earlier versions.
    fn unsubscribe_macs(&self, game: &Match, side: Color) -> impl Iterator<Item = Hmac<Sha256>> {
        let first = first_mail(game, side).and_then(|event| event.message_id("msg"));
        let now = first.map(|first| self.unsubscribe_mac(&first));
        let earlier = self.earlier_unsubscribe_mac(game, side);
        now.into_iter().chain(earlier)
    }

    fn unsubscribe_mac(&self, first: &MessageId) -> Hmac<Sha256> {
        self.mac_of([UNSUBSCRIBE_PURPOSE, first.as_str().as_bytes()])
    }

    /// Begins the hash of earlier versions, which is of the match's id and the side alone.
    /// It counts only in a match that such a version has begun to send mail of: its first
    /// mail has a Message-ID as only those made them.
    fn earlier_unsubscribe_mac(&self, game: &Match, side: Color) -> Option<Hmac<Sha256>> {
        let first = first_mail(game, side)?;
        let line = 1 + game.log().iter().position(|event| event == first)?;
        let token = mail_id::token(first.get("msg")?)?;
        let is_earlier = self.earlier_token(game, side, line, first) == token;
        let letter = side.letter().to_string();
        let parts = [EARLIER, game.id().as_str().as_bytes(), letter.as_bytes()];
        is_earlier.then(|| self.mac_of(parts))
    }

    /// Returns the TOKEN that earlier versions gave the mail of this line of the log. It
    /// does not depend on the lines before, but for a repair.
    fn earlier_token(&self, game: &Match, side: Color, line: usize, owed: &LogEntry) -> String {
        let mut before = game.log()[..line].iter();
        let repaired = before.rfind(|event| event.is_repair());
        let repaired = repaired.map(LogEntry::line);
        let (letter, line) = (side.letter().to_string(), line.to_string());
        // A Message-ID with its brackets, as the log writes it.
        let re = owed.message_id("re");
        let parts = [
            game.id().as_str(),
            owed.argument().unwrap_or_default(),
            &letter,
            &line,
            re.as_ref().map_or("", MessageId::as_str),
        ];
        let parts = parts.into_iter().chain(repaired.as_deref());
        mail_id::token_of(self.mac_of(parts.map(str::as_bytes)))
    }
}

/// The worth of a code in a match, to one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeState {
    /// It is of a mail that shows the position, and it is this side's move.
    Right,
    /// It is of an earlier mail to this side, owed by this line of the log (from 1).
    Outdated(usize),
    /// The program made it for a mail that the log lacks.
    MissingMail,
    /// It is of no mail to this side.
    Unknown,
}

impl CodeState {
    /// Returns what a code is worth in a match, to one side. Takes time linear in the
    /// log.
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
        let is_of_log = || {
            let mut mails = game
                .log()
                .iter()
                .filter_map(|event| event.message_id("msg"));
            mails.any(|mail| ids.is_answer_code(&mail, code))
        };
        if ids.has_made_code(code) && !is_of_log() {
            CodeState::MissingMail
        } else {
            CodeState::Unknown
        }
    }
}

/// Returns true if the links of a mail carry an answer code: if it goes to the side to
/// move and shows the last position. `then` is the match at the time of the mail. A mail
/// to a referee's program, or about no match, has no links.
pub(crate) fn carries_code(then: &Match, mail: &QueuedMail) -> bool {
    let made = then.record().steps().len();
    then.turn() == Some(mail.to)
        && then.settings().referee.is_none()
        && mail.kind.is_about_match()
        && mail.at.is_none_or(|at| at == made)
}

/// Returns the last mail with a code that is right now, if the side to move was sent
/// one.
pub(crate) fn last_mail_with_code(game: &Match) -> Option<QueuedMail> {
    let log = game.log().iter().enumerate().rev();
    let mut since = log.take_while(|(_, event)| !changes(event));
    since.find_map(|(at, event)| {
        let mail = state::owed(at + 1, event).ok()?;
        carries_code(game, &mail).then_some(mail)
    })
}

/// Returns the codes of all mails of a match. Takes time linear in the log.
pub(crate) fn codes_of(log: &[LogEntry], ids: &MailIds) -> Vec<AnswerCode> {
    let owed = log.iter().filter(|event| event.is_owed());
    let mails = owed.filter_map(|event| event.message_id("msg"));
    let both = |mail| [ids.answer_code(&mail), ids.earlier_answer_code(&mail)];
    mails.flat_map(both).collect()
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

/// The first part of the hash.
const UNSUBSCRIBE_PURPOSE: &[u8] = b"unsubscribe code of a match";

/// The first part of the hash in mails of earlier versions.
const EARLIER: &[u8] = b"unsubscribe code";

/// Returns the line of the first mail that the log owes a player. Nothing takes it away.
fn first_mail(game: &Match, side: Color) -> Option<&LogEntry> {
    let mut log = game.log().iter();
    log.find(|event| event.is_owed() && event.who == side.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;
    use crate::matches::event::Event;
    use crate::matches::mail::{MailKind, MailStep, NewMail};
    use crate::matches::mail_id::IdSecret;
    use crate::matches::r#match::MatchSettings;

    fn ids(byte: u8) -> MailIds {
        MailIds::new(
            IdSecret::from_bytes([byte; IdSecret::LENGTH]),
            "example.org",
        )
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

    /// A mail as an earlier version owed it in the match `demo`, and the code in it.
    const EARLIER_MAIL: &str = "<demo.2.9a7b9d7a7782824eb6a9@example.org>";
    const EARLIER_CODE: &str = "s5fzmxi673mw7qy2";

    fn game() -> Match {
        let now = clock::read("2026-11-20T03:00:00Z").unwrap();
        Match::new(MatchSettings::sample("demo"), now)
    }

    #[test]
    fn a_code_of_an_earlier_version_is_good_where_its_mail_is_in_the_log() {
        let code = EARLIER_CODE.parse().unwrap();
        let mut game = game();
        let time = game.started();
        let owed = Event::Mail(MailStep::Owed, Some(MailKind::Invitation));
        let owed = LogEntry::new(time, owed, Color::Black);
        game.push(owed.key("msg", Some(EARLIER_MAIL))).unwrap();
        assert!(ids(7).is_unsubscribe_code(&game, Color::Black, &code));
        assert!(!ids(7).is_unsubscribe_code(&game, Color::White, &code));
        // Later mails have the new one, and it is good, too.
        let new = ids(7).unsubscribe_code(&game, Color::Black).unwrap();
        assert_ne!(new, code);
        assert!(ids(7).is_unsubscribe_code(&game, Color::Black, &new));
        assert_eq!(ids(7).unsubscribe_codes(&game), [new, code]);
    }

    #[test]
    fn a_code_of_an_earlier_version_is_of_no_match_that_has_its_id_again() {
        let code = EARLIER_CODE.parse().unwrap();
        let mut game = game();
        assert!(!ids(7).is_unsubscribe_code(&game, Color::Black, &code));
        let mail = NewMail::new("invitation", Color::Black);
        let id = game.owe(game.started(), mail, &ids(7)).unwrap();
        assert_ne!(id.as_str(), EARLIER_MAIL);
        assert!(!ids(7).is_unsubscribe_code(&game, Color::Black, &code));
    }

    /// A code must not tell a token, nor a token a code.
    #[test]
    fn no_code_is_part_of_a_message_id() {
        let mut game = game();
        let mail = NewMail::new("position", Color::White);
        let id = game.owe(game.started(), mail, &ids(7)).unwrap();
        let token = mail_id::token(id.as_str()).unwrap();
        let macs = [
            ids(7).unsubscribe_mac(&id),
            ids(7).mac_of([EARLIER, b"demo", b"w"]),
        ];
        for mac in macs {
            assert_ne!(mail_id::token_of(mac), token);
        }
        let code = ids(7).answer_code(&id).to_string();
        assert_ne!(
            code,
            ids(7)
                .unsubscribe_code(&game, Color::White)
                .unwrap()
                .to_string()
        );
    }
}
