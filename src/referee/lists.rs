//! Letters that come by the mailing list of a match, or went there, too.
//!
//! The list gets the positions and nothing else, and no letter that proves nothing else plays by
//! answering one of them. Its writer, if that is a player by the letter's own account, is told by mail
//! how to play, once in a position: whoever reads the list may have written it.

use chrono::{DateTime, Utc};

use crate::Error;
use crate::config::SenderPolicy;
use crate::inbound::answer_form::AnswerForm;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::mailing_list::{self, answers_article};
use crate::inbound::sender_authentication::{
    AuthenticationError, cites_any_own, cites_own, cites_undisclosed,
};
use crate::mail::message::automated::Automated;
use crate::mail::quoting::sent::Sent;
use crate::matches::action::Intent;
use crate::matches::article::{Forum, Readers};
use crate::matches::codes::CodeState;
use crate::matches::decision::{Decision, DueMail, Received};
use crate::matches::event::{Disposition, Event};
use crate::matches::following::told_of_mail;
use crate::matches::mail::{MailKind, NewMail};
use crate::matches::r#match::Match;
use crate::notation::reader::classify;
use crate::referee::candidates::Candidates;
use crate::referee::handler::{Handler, MatchedMessage, SenderEvidence, SenderProof};
use crate::referee::verdict::Verdict;
use crate::rules::Color;

impl Handler<'_> {
    /// Returns the verdict on what a program has mailed to the list of a match, and none on another
    /// message.
    pub(super) fn check_copy(
        message: &IncomingMessage,
        candidates: &Candidates,
    ) -> Option<Verdict> {
        let mut games = candidates.games();
        let game = games.find(|game| mailing_list::is_copy(message, game));
        let is_copy = game.is_some() || mailing_list::is_article(message);
        let reason = "it is what a program has mailed to a list";
        let verdict = Verdict::of(message.id.clone(), Disposition::Ignored, reason);
        is_copy.then(|| match game {
            Some(game) => verdict.about(game.id()),
            None => verdict,
        })
    }

    /// Returns true if a list has sent a message on, and it is that of a match which the message
    /// may be about.
    pub(super) fn comes_by_list(message: &IncomingMessage, candidates: &Candidates) -> bool {
        message.machine.as_ref().is_some_and(Automated::is_of_list)
            && candidates
                .games()
                .any(|game| mailing_list::went_to_list(message, game))
    }

    /// Returns the letter that a list has put whole into a message of its own, if it names a match of
    /// that list. As with [`Handler::restored`], under `dkim` it stays the list's.
    pub(super) fn unwrapped(&self, message: &IncomingMessage) -> Option<IncomingMessage> {
        let letter = message.wrapped.as_deref()?;
        if self.session.config.policy.identity == SenderPolicy::Dkim {
            return None;
        }
        let lines = classify(&letter.text, &Sent::nothing());
        let candidates = Candidates::named(&*self.cache, letter, &lines);
        let mut games = candidates.games();
        games.find_map(|game| mailing_list::unwrapped(message, game))
    }

    /// Returns a letter as it was before a list has put its own address into `From`, if it names a
    /// match of that list. A signature of the writer is lost then, so that under `dkim` the letter
    /// stays the list's.
    pub(super) fn restored(
        &self,
        message: &IncomingMessage,
        forms: &[&AnswerForm],
        candidates: &Candidates,
    ) -> Option<IncomingMessage> {
        if self.session.config.policy.identity == SenderPolicy::Dkim {
            return None;
        }
        candidates.games().find_map(|game| {
            let has_code = |side| self.code_state(forms, game, side) != CodeState::Unknown;
            mailing_list::restored(message, game, has_code)
        })
    }

    /// Returns true if a letter that lacks its proof answers what is on the list of a match, or a
    /// mail whose id everybody may know by now.
    pub(super) fn answers_in_public(evidence: &SenderEvidence<'_>, game: &Match) -> bool {
        let message = evidence.message;
        let side = message.sender.as_ref().and_then(|from| game.side_of(from));
        let is_spent = || side.is_some_and(|side| cites_any_own(message, game, side));
        game.settings().list.is_some() && (answers_article(message, game) || is_spent())
    }

    /// Tells the player in whose name such a letter is how to play, if it asks for anything. One
    /// that was played comes often again by the list, under another id.
    pub(super) fn unproven_in_public(
        &self,
        evidence: &SenderEvidence<'_>,
        game: &Match,
    ) -> Result<Verdict, Error> {
        let message = evidence.message;
        let verdict = |word, reason: &str| {
            let verdict = Verdict::of(message.id.clone(), word, reason);
            Ok(verdict.about(game.id()))
        };
        let no_token = AuthenticationError::NoToken.to_string();
        let sender = message.sender.as_ref();
        let side = sender.and_then(|sender| game.side_of(sender));
        let (Some(side), Some(list)) = (side, game.settings().list.clone()) else {
            return verdict(Disposition::Stranger, &no_token);
        };
        let found = MatchedMessage {
            message,
            side,
            proof: SenderProof::Usual,
            readers: Readers::List(list),
            is_article: false,
            lookup: evidence.lookup,
        };
        let read = self.read_in(&found, game)?;
        match read.map(|read| read.intent) {
            Some(Intent::Again(_)) if cites_any_own(message, game, side) => {
                verdict(Disposition::Duplicate, "")
            }
            None | Some(Intent::Again(_) | Intent::Words | Intent::Mention { .. }) => {
                verdict(Disposition::Stranger, &no_token)
            }
            Some(_) if !self.may_tell(game, side) => verdict(Disposition::Stranger, &no_token),
            Some(_) => {
                let told =
                    self.tell_once(message, game, side, |game| self.told(message, game, side));
                told?.map_or_else(|| verdict(Disposition::Stranger, &no_token), Ok)
            }
        }
    }

    /// Returns true if a player may be told how to play.
    fn may_tell(&self, game: &Match, side: Color) -> bool {
        let session = self.session;
        !game.has_told_of_mail()
            && game.turn().is_some()
            && !game.has_lapsed(session.now)
            && session.side_or_referee(game).is_ok()
            && !game.sides_of(&session.me.player).contains(&side)
            && game.settings().referee.is_none()
            && game.takes_mail(side)
    }

    /// Decides to tell a player how to play. Nothing of the letter is repeated.
    fn told(&self, message: &IncomingMessage, game: &Match, side: Color) -> Decision {
        let reason = "everybody can read what it answers, as the player is told by mail";
        let mut decision = Decision::new(Disposition::Refused, reason);
        let Some(list) = game.settings().list.clone() else {
            return decision;
        };
        let words = format!(
            "A letter in your name answers what everybody can read of this match on the mailing list {list}, or an earlier mail that you have answered there. Whoever reads the list can write such a letter, so it plays nothing. If it is yours, please answer this mail, with your move or your wish alone on a line, and send that to nobody else. If it is not, you need not do anything. This is said once in a position."
        );
        let line = told_of_mail(self.session.now, &Forum::List(list), &message.id);
        decision.events.push(line);
        let mail = NewMail::new(MailKind::Answer, side).automatic();
        decision.mails.push(DueMail::new(mail.saying(words), None));
        decision
    }

    /// Notes of a letter that others may have read that they have, so that the ids of the mails that
    /// it cites prove nothing any more, or that what answers one may answer somebody else.
    pub(super) fn noted(
        decision: Decision,
        found: &MatchedMessage<'_>,
        received: &Received<'_>,
        (game, now): (&Match, DateTime<Utc>),
    ) -> Decision {
        let (message, side) = (found.message, found.side);
        let is_new = match found.readers {
            Readers::Us => return decision,
            Readers::Others => cites_undisclosed(message, game, side),
            Readers::List(_) => cites_own(message, game, side),
        };
        let mut decision = decision;
        if is_new && decision.events.is_empty() {
            decision.events.push(received.event(now, Event::Note(None)));
        }
        decision.read_by(&found.readers, side)
    }
}
