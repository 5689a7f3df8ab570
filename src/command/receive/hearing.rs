//! What becomes of a letter in its match: the events it leaves in the log, the
//! answers it is owed, and the word for it.

use serde::Serialize;

use crate::Error;
use crate::command::receive::Disposition;
use crate::command::receive::explanation::{Choice, OutOfTurn, Refused, number, shown};
use crate::command::receive::quota::Quota;
use crate::command::receive::ruling::Ruling;
use crate::command::session::Session;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::intent::{Intent, Played, Refusal};
use crate::inbound::request::Request;
use crate::matches::event::{Event, EventKind};
use crate::matches::mail_id::looks_made_for;
use crate::matches::r#match::{Match, NewMail};
use crate::rules::Color;

/// A letter of a player's that is heard in its match.
pub(super) struct Hearing<'a> {
    pub(super) session: &'a Session,
    pub(super) letter: &'a IncomingMessage,
    /// Whose letter it is.
    pub(super) side: Color,
    /// What it says besides moves and commands, for the other player.
    pub(super) words: String,
    pub(super) quota: Quota,
}

impl Hearing<'_> {
    /// Decides, and notes the decision with all that it calls for in the
    /// match.
    ///
    /// # Errors
    ///
    /// If the log does not take it, or a template of the user's is broken; the
    /// match must then be forgotten.
    pub(super) fn rule(&self, game: &mut Match, said: Intent) -> Result<Ruling, Error> {
        let changes = !matches!(
            said,
            Intent::Again(_)
                | Intent::Talk
                | Intent::Command(Request::Show(_) | Request::Help | Request::Note)
        );
        if game.turn().is_none() && changes {
            return self.refuse(game, Disposition::Over, "the match is over", &());
        }
        match said {
            Intent::Move(played) => self.play(game, &played),
            Intent::Again(_) => Ok(Ruling::new(
                Disposition::Duplicate,
                "the move is played already",
            )),
            Intent::OutOfTurn(line) => {
                let values = OutOfTurn::new(&line, game.player(!self.side));
                let why = "it is the other player's move";
                self.refuse(game, Disposition::NotYourTurn, why, &values)
            }
            Intent::Command(request) => self.command(game, request),
            Intent::Mention { line, moves } => self.choice(
                game,
                Disposition::Confirm,
                "the move stands in prose",
                &line,
                moves,
            ),
            Intent::Ambiguous { line, forms } => self.choice(
                game,
                Disposition::Ambiguous,
                "it can be read in several ways",
                &line,
                forms,
            ),
            Intent::Refused(refusal) => self.refused(game, &refusal),
            Intent::Talk => self.talk(game),
        }
    }

    /// An event of the sender's that this letter has brought.
    fn event(&self, what: EventKind) -> Event {
        Event::new(self.session.now, what, self.side).key("msg", Some(&self.letter.id))
    }

    fn play(&self, game: &mut Match, played: &Played) -> Result<Ruling, Error> {
        let position = game.position();
        let text = position.text(&played.reading.ply);
        let number = number(position);
        game.push(self.event(EventKind::Move).argument(text))?;
        if played.offers_draw && game.turn().is_some() && game.offer() != Some(self.side) {
            game.push(self.event(EventKind::Offer))?;
        }
        self.keep_words(game)?;
        let warnings = played.reading.warnings.join("; ");
        self.tell(game, &warnings)?;
        let reason = if warnings.is_empty() {
            String::new()
        } else {
            format!(
                "warning: '{}' after {number} {warnings}",
                shown(&played.line)
            )
        };
        Ok(Ruling::new(Disposition::Accepted, reason))
    }

    fn command(&self, game: &mut Match, request: Request) -> Result<Ruling, Error> {
        let event = match request {
            Request::Resign => self.event(EventKind::Resign),
            Request::OfferDraw => self.event(EventKind::Offer),
            Request::AcceptDraw => self.event(EventKind::Accept),
            Request::DeclineDraw => self.event(EventKind::Decline),
            Request::ClaimDraw => {
                let claim = game.record().claim();
                let event = self.event(EventKind::Claim);
                claim.map_or(event.clone(), |claim| event.argument(claim.to_string()))
            }
            Request::Takeback(action) => game
                .take_back(self.session.now, self.side, action)
                .key("msg", Some(&self.letter.id)),
            Request::Note => return self.note(game),
            Request::Show(plies) => return self.show(game, plies),
            Request::Help => {
                let text = self.session.templates.render("help", ())?;
                return self.inform(game, request, self.answer(text));
            }
        };
        if let Err(error) = game.push(event) {
            let why = format!("That can't be done: {error}.");
            return self.refused(
                game,
                &Refusal {
                    lines: vec![request.to_string()],
                    why,
                    role: None,
                },
            );
        }
        self.keep_words(game)?;
        self.tell(game, "")?;
        // A player's program is not written to by ours.
        if !self.is_referee(game)? && !looks_made_for(game.id(), &self.letter.id) {
            self.owe(game, self.to_sender("receipt"))?;
        }
        Ok(Ruling::new(Disposition::Command, request.to_string()))
    }

    /// Passes words on that are said to be nothing else.
    fn note(&self, game: &mut Match) -> Result<Ruling, Error> {
        self.pass_on(game)?;
        let text = "Your note is kept in the record of the match.".to_owned();
        self.explain(game, self.answer(text))?;
        Ok(Ruling::new(Disposition::Command, Request::Note.to_string()))
    }

    /// Keeps the letter's words, and passes them on where that is the
    /// referee's to do.
    fn pass_on(&self, game: &mut Match) -> Result<(), Error> {
        self.keep_words(game)?;
        if self.is_referee(game)? && self.quota.notes {
            let mail = NewMail::new("note", !self.side)
                .answering(game.last_received(!self.side))
                .saying(&self.words)
                .automatic();
            self.owe(game, mail)?;
        }
        Ok(())
    }

    fn show(&self, game: &mut Match, plies: Option<usize>) -> Result<Ruling, Error> {
        let made = game.record().steps().len();
        let at = plies.unwrap_or(made);
        if at > made {
            let why = match made {
                1 => "Only 1 half-move has been made.".to_owned(),
                _ => format!("Only {made} half-moves have been made."),
            };
            return self.refused(
                game,
                &Refusal {
                    lines: vec![Request::Show(plies).to_string()],
                    why,
                    role: None,
                },
            );
        }
        let mail = self.answer("You asked for the position.".to_owned());
        let mail = if at < made { mail.showing(at) } else { mail };
        self.inform(game, Request::Show(plies), mail)
    }

    /// Answers a question, which changes nothing.
    fn inform(&self, game: &mut Match, request: Request, mail: NewMail) -> Result<Ruling, Error> {
        game.push(self.event(EventKind::Asked).argument(request.to_string()))?;
        self.explain(game, mail)?;
        Ok(Ruling::new(Disposition::Command, request.to_string()))
    }

    fn talk(&self, game: &mut Match) -> Result<Ruling, Error> {
        if let Some(excess) = self.letter.unread {
            return self.refused(
                game,
                &Refusal {
                    lines: Vec::new(),
                    why: format!("Your message has not been read: {excess}. Please send what you have to say alone, as plain text."),
                    role: None,
                },
            );
        }
        if !self.words.is_empty() {
            self.pass_on(game)?;
            return Ok(Ruling::new(Disposition::Note, ""));
        }
        // What the other player's own program sends without anything new in it,
        // an invitation above all, asks for nothing: it is only kept in mind.
        if looks_made_for(game.id(), &self.letter.id) {
            game.push(self.event(EventKind::Note))?;
            return Ok(Ruling::new(Disposition::Note, ""));
        }
        if game.turn() == Some(self.side) {
            return self.refused(
                game,
                &Refusal {
                    lines: Vec::new(),
                    why: "There is no move in your message.".to_owned(),
                    role: None,
                },
            );
        }
        Ok(Ruling::new(Disposition::Ignored, "it says nothing"))
    }

    fn refused(&self, game: &mut Match, refusal: &Refusal) -> Result<Ruling, Error> {
        let is_turn = game.turn() == Some(self.side);
        let values = Refused::new(refusal, game.position(), is_turn);
        let reason = values.reason();
        self.refuse(game, Disposition::Refused, &reason, &values)
    }

    fn choice(
        &self,
        game: &mut Match,
        word: Disposition,
        why: &str,
        line: &str,
        forms: Vec<String>,
    ) -> Result<Ruling, Error> {
        let values = Choice::new(line, game.position(), forms);
        let reason = values.reason(why);
        self.refuse(game, word, &reason, &values)
    }

    /// Notes that the letter has changed nothing, and answers it by the
    /// template of that word.
    fn refuse(
        &self,
        game: &mut Match,
        word: Disposition,
        reason: &str,
        values: &impl Serialize,
    ) -> Result<Ruling, Error> {
        let text = self.session.templates.render(word.as_str(), values)?;
        game.push(self.event(EventKind::Refused).argument(word.as_str()))?;
        self.explain(game, self.answer(text))?;
        Ok(Ruling::new(word, reason))
    }

    /// Keeps the letter's words in the log.
    fn keep_words(&self, game: &mut Match) -> Result<(), Error> {
        if self.words.is_empty() {
            return Ok(());
        }
        game.push(self.event(EventKind::Note).argument(&self.words))
    }

    /// Tells both players of what the sender has done, where that is the
    /// referee's to tell. A player answers by a move of his own.
    fn tell(&self, game: &mut Match, warnings: &str) -> Result<(), Error> {
        if !self.is_referee(game)? {
            return Ok(());
        }
        let mut position = NewMail::new("position", !self.side)
            .answering(game.last_received(!self.side))
            .automatic();
        if !self.words.is_empty() {
            position = position.saying(&self.words);
        }
        self.owe(game, position)?;
        let mut receipt = self.to_sender("receipt");
        if !warnings.is_empty() {
            receipt = receipt.saying(warnings);
        }
        self.owe(game, receipt)
    }

    fn is_referee(&self, game: &Match) -> Result<bool, Error> {
        let role = self.session.side_or_referee(game)?;
        Ok(role.is_none())
    }

    /// Owes the sender an explanation, if there were not too many.
    fn explain(&self, game: &mut Match, mail: NewMail) -> Result<(), Error> {
        if self.quota.answers {
            self.owe(game, mail)?;
        }
        Ok(())
    }

    fn answer(&self, text: String) -> NewMail {
        self.to_sender("answer").saying(text)
    }

    fn to_sender(&self, kind: &'static str) -> NewMail {
        let mail = NewMail::new(kind, self.side)
            .answering(Some(self.letter.id.clone()))
            .automatic();
        match &self.letter.sender {
            Some(address) => mail.at_address(address.clone()),
            None => mail,
        }
    }

    fn owe(&self, game: &mut Match, mail: NewMail) -> Result<(), Error> {
        game.owe(self.session.now, mail, &self.session.ids)
            .map(|_| ())
    }
}
