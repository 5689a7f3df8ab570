//! One article's way: from a newsgroup to the match that it follows.
//!
//! Whatever stands in a group, anybody may have written it in anybody's name. Where moves are
//! played by mail, an article does nothing: if it has the move of the player on turn, in that
//! player's name, the player is told by mail how to play it, once in a position. All else is a
//! comment, of which nothing enters a match's file.
//!
//! Where both players have agreed that moves count from the group, an article of the player on turn
//! plays its move, if it has the proof that the policy asks for. A code is public once it stands
//! in an article, and a sender's address always was: if another article has as good a proof and
//! another move for the same half-move before that is answered, neither counts, and that half-move
//! is played by mail.

use lettre::Address;

use crate::Error;
use crate::config::SenderPolicy;
use crate::inbound::answer_form::{self, TappedMove};
use crate::inbound::answered::{AnsweredPosition, sides_of};
use crate::inbound::incoming_message::{IncomingArticle, IncomingMessage};
use crate::inbound::intent;
use crate::inbound::known::{cites, ids_named, is_named, is_own};
use crate::inbound::match_lookup::Lookup;
use crate::mail::quoting::sent::Sent;
use crate::matches::action::{Intent, Played, Refusal};
use crate::matches::article::{Forum, Readers};
use crate::matches::codes::CodeState;
use crate::matches::decide::decide;
use crate::matches::decision::{Decision, DueMail, ENOUGH, Quota, Received};
use crate::matches::event::Disposition;
use crate::matches::following::{told_of_mail, withdrawn};
use crate::matches::mail::{MailKind, NewMail};
use crate::matches::mail_id::match_of_article;
use crate::matches::r#match::Match;
use crate::notation::header;
use crate::notation::reader::{self, classify};
use crate::referee::count::Count;
use crate::referee::handler::{Handler, MatchedMessage, SenderProof};
use crate::referee::verdict::{Effect, Verdict};
use crate::rules::Color;
use crate::store::errand::Errand;
use crate::store::store::{Store as _, Stored, update};

impl Handler<'_> {
    /// Takes an article all the way, whatever comes of it.
    pub(crate) fn take_article(&mut self, article: &IncomingArticle<'_>) -> Verdict {
        let _errand = Errand::begin();
        let handled = self.handle_article(article);
        Verdict::of_handled(&article.message, handled)
    }

    fn handle_article(&mut self, article: &IncomingArticle<'_>) -> Result<Verdict, Error> {
        let message = &article.message;
        if let Some(verdict) = Verdict::of_machine(message) {
            return Ok(verdict);
        }
        let stored = match self.followed(article)? {
            Ok(stored) => stored,
            Err(why) => {
                return Ok(Verdict::of(message.id.clone(), Disposition::Ignored, why));
            }
        };
        let game = &*stored.game;
        self.deferrals.check(game.id())?;
        let from = message.sender.as_ref();
        let side = from.and_then(|from| game.side_of(from));
        let Some(side) = side.filter(|_| !article.acts_on_others) else {
            return Ok(comment(article, game));
        };
        let handled = if game.turn() == Some(side) {
            self.move_on_turn(article, game, side)
        } else {
            self.contradict(article, game, side)
        };
        handled.inspect_err(|_| self.deferrals.add([game.id().clone()]))
    }

    /// Plays the move of an article by the player on turn, where it counts.
    fn move_on_turn(
        &self,
        article: &IncomingArticle<'_>,
        game: &Match,
        side: Color,
    ) -> Result<Verdict, Error> {
        if !self.may_play(article, game) {
            return self.tell_of_mail(article, game, side);
        }
        let read = self.cache.read(game.id())?;
        let (decision, stored) = update(&*self.cache, read, |game| {
            let Some(intent) = self.counted_move(article, game, side) else {
                return Ok(None);
            };
            let decision = self.played(article, game, side, &intent);
            if decision.disposition != Disposition::Accepted {
                return Ok(None);
            }
            self.session.carry_out(&decision, game)?;
            Ok(Some(decision))
        })?;
        match decision {
            Some(decision) => Ok(done(&article.message, side, decision, &stored.game)),
            None => self.tell_of_mail(article, &stored.game, side),
        }
    }

    /// Returns true if moves of a match count from the group of an article, here.
    fn may_play(&self, article: &IncomingArticle<'_>, game: &Match) -> bool {
        game.counts_moves_of(article.group)
            && game.settings().referee.is_none()
            && self.session.side_or_referee(game).is_ok()
            && !game.has_lapsed(self.session.now)
    }

    /// Decides to play a move. No word of an article is kept.
    fn played(
        &self,
        article: &IncomingArticle<'_>,
        game: &Match,
        side: Color,
        intent: &Intent,
    ) -> Decision {
        let received = Received {
            id: &article.message.id,
            side,
            // Nobody may have the address of an article.
            address: None,
            words: "",
            unread: None,
            is_referee: matches!(self.session.side_or_referee(game), Ok(None)),
            quota: Quota::UNBOUNDED,
        };
        let decision = decide(game, intent, &received, self.session.now);
        decision.played_in(article.group)
    }

    /// Returns the move of an article in a position, if it has the proof that the policy asks for.
    fn counted_move(
        &self,
        article: &IncomingArticle<'_>,
        game: &Match,
        side: Color,
    ) -> Option<Intent> {
        let (Intent::Move(played), code) = self.read_article(article, game, side) else {
            return None;
        };
        let is_proven = match self.session.config.policy.identity {
            SenderPolicy::Address => true,
            SenderPolicy::Token => code == CodeState::Right,
            // No article has a signature that is checked.
            SenderPolicy::Dkim => false,
        };
        let played = Played {
            // An article moves, and does nothing else.
            offers_draw: false,
            ..played
        };
        is_proven.then_some(Intent::Move(played))
    }

    /// Takes back the last move, if it may have been made by somebody who had read the code or the
    /// address of its player in the group, and an article has another move with as good a proof.
    fn contradict(
        &self,
        article: &IncomingArticle<'_>,
        game: &Match,
        side: Color,
    ) -> Result<Verdict, Error> {
        if !self.may_play(article, game) || game.turn() != Some(!side) {
            return Ok(comment(article, game));
        }
        let read = self.cache.read(game.id())?;
        let (decision, stored) = update(&*self.cache, read, |game| {
            let Some(decision) = self.withdrawal(article, game, side) else {
                return Ok(None);
            };
            self.session.carry_out(&decision, game)?;
            Ok(Some(decision))
        })?;
        Ok(match decision {
            Some(decision) => done(&article.message, side, decision, &stored.game),
            None => comment(article, game),
        })
    }

    fn withdrawal(
        &self,
        article: &IncomingArticle<'_>,
        game: &Match,
        side: Color,
    ) -> Option<Decision> {
        let then = game.before_public_move()?;
        let last = game.record().steps().last()?;
        let Intent::Move(other) = self.counted_move(article, &then, side)? else {
            return None;
        };
        let other = then.position().text(&other.reading.ply);
        if other == last.text.as_str() || game.turn() != Some(!side) {
            return None;
        }
        let (group, name) = (article.group, game.variant().player(side));
        let reason = format!(
            "two articles have different moves for one half-move, {} and {other}: neither counts, and it is played by mail",
            last.text
        );
        let mut decision = Decision::new(Disposition::Refused, reason);
        decision
            .events
            .push(withdrawn(self.session.now, group, &article.message.id));
        let own = game.sides_of(&self.session.me.player);
        let what = format!(
            "Two articles in {group} have different moves of {name} for the same half-move, {} and {other}, and nobody can tell who has written which. So neither counts, and the match stands as it was before. This half-move is played by mail alone",
            last.text
        );
        for to in Color::ALL {
            if own.contains(&to) || !game.takes_mail(to) {
                continue;
            }
            let end = if to == side {
                ": please answer this mail with your move alone on a line."
            } else {
                "; you need not do anything."
            };
            let mail = NewMail::new(MailKind::Answer, to).automatic();
            let due = DueMail::new(mail.saying(format!("{what}{end}")), None);
            decision.mails.push(due);
        }
        Some(decision)
    }

    /// Returns the match that an article follows, or why it follows none. What it cites counts
    /// more than its subject, which a reader carries on from thread to thread.
    ///
    /// # Errors
    ///
    /// If it may be about a match that cannot be read now.
    fn followed(
        &mut self,
        article: &IncomingArticle<'_>,
    ) -> Result<Result<Stored, &'static str>, Error> {
        let message = &article.message;
        let mut named = Vec::new();
        for id in ids_named(&message.references, &message.subject) {
            match self.cache.find(&id) {
                Ok(stored) => named.extend(stored),
                Err(error) => {
                    self.deferrals.add([id]);
                    return Err(error);
                }
            }
        }
        if named.iter().any(|stored| is_own(&stored.game, &message.id)) {
            return Ok(Err("it is our own article come back"));
        }
        let mut cited = named
            .iter()
            .filter(|stored| cites(&stored.game, &message.references));
        Ok(match (cited.next(), cited.next()) {
            (Some(one), None) => Ok(one.clone()),
            (Some(_), Some(_)) => Err("it follows articles of several matches"),
            (None, _) => named
                .iter()
                .find(|stored| is_named(&stored.game, &message.subject, article.group))
                .cloned()
                .ok_or("it follows no article of a match"),
        })
    }

    /// Tells the player on turn that moves are played by mail, if an article in the player's name
    /// has one. Who reads several such articles in a position gets one mail.
    fn tell_of_mail(
        &self,
        article: &IncomingArticle<'_>,
        game: &Match,
        side: Color,
    ) -> Result<Verdict, Error> {
        let session = self.session;
        let is_ours = game.sides_of(&session.me.player).contains(&side);
        let settings = game.settings();
        // The same article may stand in the group where it counts.
        let is_elsewhere = settings.counts_news && settings.news.as_ref() != Some(article.group);
        let may_tell = !game.has_told_of_mail()
            && !is_elsewhere
            && !game.is_disputed()
            && !game.has_lapsed(session.now)
            && session.side_or_referee(game).is_ok()
            && (is_ours || settings.referee.is_none() && game.takes_mail(side));
        if !may_tell {
            return Ok(comment(article, game));
        }
        let text = match self.read_article(article, game, side).0 {
            Intent::Move(played) => Some(game.position().text(&played.reading.ply)),
            // By mail its writer would be asked. Here nobody asks, so that the writer would wait for
            // ever.
            Intent::Mention { .. }
            | Intent::Ambiguous { .. }
            | Intent::Refused(Refusal { asks: Some(_), .. }) => None,
            Intent::Again(_)
            | Intent::OutOfTurn(_)
            | Intent::Command(_)
            | Intent::Refused(_)
            | Intent::Words => return Ok(comment(article, game)),
        };
        if is_ours {
            let id = game.id();
            let (has, plays) = match &text {
                Some(text) => (text.clone(), format!("'{text}'")),
                None => ("what may be a move".to_owned(), "MOVE".to_owned()),
            };
            let hint = format!(
                "{id}: an article in your name has {has}; moves of this match are played by mail: 'parapost move {id} {plays}' plays it"
            );
            return Ok(comment(article, game).invited(hint));
        }
        let counts_news = settings.counts_news;
        let told = self.tell_once(&article.message, game, side, |_| {
            self.told_in_group(article, side, text.as_deref(), counts_news)
        })?;
        Ok(told.unwrap_or_else(|| comment(article, game)))
    }

    /// Mails a player what is decided, once in a position. Returns none if the player was told in the
    /// meantime, or the match has gone on.
    pub(super) fn tell_once(
        &self,
        message: &IncomingMessage,
        game: &Match,
        side: Color,
        told: impl Fn(&Match) -> Decision,
    ) -> Result<Option<Verdict>, Error> {
        let session = self.session;
        let address: &Address = game.player(side).address();
        let count = Count::take(session, &self.cache, Some(address), game, side)?;
        if self.quota(&count, game, side).answers == 0 {
            let why = format!("its writer is not told that moves are played by mail: {ENOUGH}");
            let verdict = Verdict::of(message.id.clone(), Disposition::Ignored, why);
            return Ok(Some(verdict.about(game.id())));
        }
        let hash = game.hash();
        let read = self.cache.read(game.id())?;
        let (decision, stored) = update(&*self.cache, read, |game| {
            if game.has_told_of_mail() || game.hash() != hash {
                return Ok(None);
            }
            let decision = told(game);
            session.carry_out(&decision, game)?;
            Ok(Some(decision))
        })?;
        Ok(decision.map(|decision| done(message, side, decision, &stored.game)))
    }

    /// Decides to tell a player how the move of an article is played; none if it cannot be read for
    /// certain. Nothing of the article but the move is repeated.
    fn told_in_group(
        &self,
        article: &IncomingArticle<'_>,
        side: Color,
        text: Option<&str>,
        counts_news: bool,
    ) -> Decision {
        let IncomingArticle { message, group, .. } = article;
        let why = match (counts_news, text) {
            (false, _) => {
                "The moves of this match are played by mail, and nothing is played by an article, which anybody can write in your name."
            }
            (true, Some(_)) => {
                "It lacks the proof that a move there needs: the lines that a link of the last mail to you writes, or a mail in place of the article."
            }
            (true, None) => {
                "A move there counts if it stands alone on a line, with its number, in a follow-up to the last article of the match."
            }
        };
        let (what, how) = match text {
            Some(text) => (
                format!("has the move {text}"),
                format!("please send this line in an answer to this mail:\n\n  {text}\n\n"),
            ),
            None => (
                "may have a move, which cannot be read there for certain".to_owned(),
                "and you want to play, please answer this mail, with your move alone on a line. "
                    .to_owned(),
            ),
        };
        let words = format!(
            "An article in {group} that bears your name {what}. {why} If it is yours, {how}If it is not, you need not do anything. This is said once in a position."
        );
        let mail = NewMail::new(MailKind::Answer, side).automatic();
        let reason = "moves of this match are played by mail, as the player is told by mail";
        let mut decision = Decision::new(Disposition::Refused, reason);
        let forum = Forum::Group((*group).clone());
        let line = told_of_mail(self.session.now, &forum, &message.id);
        decision.events.push(line);
        decision.mails.push(DueMail::new(mail.saying(words), None));
        decision
    }

    /// Reads an article of the player on turn. A move without a number counts only in an answer to
    /// the article that shows the position.
    fn read_article(
        &self,
        article: &IncomingArticle<'_>,
        game: &Match,
        side: Color,
    ) -> (Intent, CodeState) {
        let message = &article.message;
        let lines = classify(&message.text, &Sent::nothing());
        let found = MatchedMessage {
            message,
            side,
            proof: SenderProof::Usual,
            readers: Readers::Us,
            is_article: true,
            lookup: &Lookup::new(message, &lines, [game], &[]),
        };
        let (text, forms) = self.text(&found, game);
        let is_made = match_of_article(&message.id).as_ref() == Some(game.id());
        let (lines, _) = self.lines(&found, text, game, is_made);
        let text = reader::read_lines(lines, game.variant());
        let forms = answer_form::own(forms, &text.lines);
        let code = self.code_state(&forms, game, side);
        let sides = sides_of(message, game);
        let answered = AnsweredPosition::of(message, game, &sides, code, &self.session.ids);
        let parent = message.parent.as_ref();
        let answers_present = parent
            .and_then(|parent| game.as_of(game.article(parent)?.line).ok())
            .is_some_and(|then| then.hash() == game.hash());
        let is_certain = answers_present || code == CodeState::Right;
        let id_lines = header::id_lines(&text.lines);
        let intent = intent::read(game, side, &text, &id_lines, answered, !is_certain, is_made);
        let tapped = TappedMove {
            forms: &forms,
            lines: &text.lines,
            subject: "",
            is_stale: false,
            is_by_code: false,
        };
        let intent = match forms[..] {
            [] => intent,
            _ => tapped.intent(intent, game),
        };
        (intent, code)
    }
}

/// Returns the verdict on an article by what it did.
fn done(message: &IncomingMessage, side: Color, decision: Decision, game: &Match) -> Verdict {
    let id = message.id.clone();
    let verdict = Verdict::of(id, decision.disposition, decision.reason);
    let verdict = verdict.about(game.id()).owing(game.id());
    Verdict {
        effect: Some(Effect::of(side, decision.events, game)),
        ..verdict
    }
}

/// Returns the verdict on an article that changes nothing.
fn comment(article: &IncomingArticle<'_>, game: &Match) -> Verdict {
    let (group, id) = (article.group, game.id());
    let reason = format!("a comment in {group}");
    Verdict::of(article.message.id.clone(), Disposition::Ignored, reason).about(id)
}
