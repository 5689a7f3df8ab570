//! The code by which a mail program unsubscribes its user.
//!
//! Nothing is stored. A code is the keyed hash of the Message-ID of the first mail that
//! the log owes the player, so that it is the same in each mail to one player of one
//! match, and that of no other match: a match that is given an id again has other
//! Message-IDs.

use hmac::Hmac;
use sha2::Sha256;

use crate::matches::answer_code::AnswerCode;
use crate::matches::event::LogEntry;
use crate::matches::mail_id::{self, MailIds};
use crate::matches::r#match::Match;
use crate::message_id::MessageId;
use crate::rules::Color;

/// The first part of the hash.
const PURPOSE: &[u8] = b"unsubscribe code of a match";

/// The first part of the hash in mails of earlier versions.
const EARLIER: &[u8] = b"unsubscribe code";

impl MailIds {
    /// Returns the code by which a player of a match asks for no more mail, the same in
    /// each mail. It is good for nothing else. There is none before the first mail.
    #[must_use]
    pub fn unsubscribe_code(&self, game: &Match, side: Color) -> Option<AnswerCode> {
        let first = first_mail(game, side)?.message_id("msg")?;
        Some(AnswerCode::of_mac(self.unsubscribe_mac(&first)))
    }

    /// Returns true if a code is that by which the player asks for no more mail, or was in
    /// mails of earlier versions. The time it takes tells nothing of the code.
    #[must_use]
    pub fn is_unsubscribe_code(&self, game: &Match, side: Color, code: &AnswerCode) -> bool {
        let first = first_mail(game, side).and_then(|event| event.message_id("msg"));
        first.is_some_and(|first| code.is_of_mac(self.unsubscribe_mac(&first)))
            || self
                .earlier_unsubscribe_mac(game, side)
                .is_some_and(|mac| code.is_of_mac(mac))
    }

    /// Returns every code by which a player of a match can ask for no more mail.
    #[must_use]
    pub fn unsubscribe_codes(&self, game: &Match) -> Vec<AnswerCode> {
        let codes = Color::ALL.into_iter().flat_map(|side| {
            let earlier = self.earlier_unsubscribe_mac(game, side);
            let earlier = earlier.map(AnswerCode::of_mac);
            self.unsubscribe_code(game, side).into_iter().chain(earlier)
        });
        codes.collect()
    }

    fn unsubscribe_mac(&self, first: &MessageId) -> Hmac<Sha256> {
        self.mac_of([PURPOSE, first.as_str().as_bytes()])
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
    use crate::matches::mail_id::Secret;
    use crate::matches::r#match::MatchSettings;

    fn ids() -> MailIds {
        MailIds::new(Secret::from_bytes([7; Secret::LENGTH]), "example.org")
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
        assert!(ids().is_unsubscribe_code(&game, Color::Black, &code));
        assert!(!ids().is_unsubscribe_code(&game, Color::White, &code));
        // Later mails have the new one, and it is good, too.
        let new = ids().unsubscribe_code(&game, Color::Black).unwrap();
        assert_ne!(new, code);
        assert!(ids().is_unsubscribe_code(&game, Color::Black, &new));
        assert_eq!(ids().unsubscribe_codes(&game), [new, code]);
    }

    #[test]
    fn a_code_of_an_earlier_version_is_of_no_match_that_has_its_id_again() {
        let code = EARLIER_CODE.parse().unwrap();
        let mut game = game();
        assert!(!ids().is_unsubscribe_code(&game, Color::Black, &code));
        let mail = NewMail::new("invitation", Color::Black);
        let id = game.owe(game.started(), mail, &ids()).unwrap();
        assert_ne!(id.as_str(), EARLIER_MAIL);
        assert!(!ids().is_unsubscribe_code(&game, Color::Black, &code));
    }

    /// A code must not tell a token, nor a token a code.
    #[test]
    fn no_code_is_part_of_a_message_id() {
        let mut game = game();
        let mail = NewMail::new("position", Color::White);
        let id = game.owe(game.started(), mail, &ids()).unwrap();
        let token = mail_id::token(id.as_str()).unwrap();
        let macs = [
            ids().unsubscribe_mac(&id),
            ids().mac_of([EARLIER, b"demo", b"w"]),
        ];
        for mac in macs {
            assert_ne!(mail_id::token_of(mac), token);
        }
        let code = ids().answer_code(&id).to_string();
        assert_ne!(
            code,
            ids()
                .unsubscribe_code(&game, Color::White)
                .unwrap()
                .to_string()
        );
    }
}
