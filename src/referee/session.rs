//! The session of a command that plays: the user, the matches, and the parts
//! that mail is made with.

use std::path::PathBuf;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use lettre::Address;
use serde::Serialize;

use crate::config::partner::PartnerSettings;
use crate::config::{Config, User, UserRole};
use crate::engine::Level;
use crate::limits::PARTNER_INVITATION;
use crate::mail::message_id::MessageId;
use crate::match_id::Id;
use crate::matches::article::{Forum, NewsPace};
use crate::matches::decision::{Decision, DueMail, Explanation, LAST_ANSWER};
use crate::matches::event::{Event, LogEntry};
use crate::matches::mail::{MailKind, NewMail};
use crate::matches::mail_id::MailIds;
use crate::matches::r#match::{Day, Match, MatchSettings};
use crate::matches::player::Player;
use crate::outbound::templates::Templates;
use crate::referee::partner_invitation::invite;
use crate::rules::Color;
use crate::store::store::{Store, Stored, update};
use crate::{Error, clock};

/// The values of an explanation's template.
#[derive(Serialize)]
struct Told<'e> {
    /// True if its reader has had such an explanation in this position.
    again: bool,
    /// The levels at which the program plays by mail, for people, and the first of them; empty if
    /// nobody can ask for a match with it.
    partner: String,
    partner_level: String,
    /// True if its reader can ask for the puzzle of each week.
    puzzles: bool,
    #[serde(flatten)]
    explanation: &'e Explanation,
}

/// Why no article is called for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoArticle {
    /// No forum was agreed on, not everybody has agreed yet, or somebody has stopped it.
    Forum,
    /// Another program posts the moves.
    Elsewhere,
    /// No news server is configured.
    Server,
    /// By the configuration the position is not posted, or not yet.
    Pace,
    /// The forum gets no more of the match today.
    Room,
}

/// The session of a command that plays.
#[derive(Clone)]
pub(crate) struct Session {
    /// The configuration.
    pub(crate) config: Config,
    /// The user.
    pub(crate) me: User,
    /// The matches.
    pub(crate) store: Arc<dyn Store>,
    /// The folder for outgoing mail, unless the configuration names another.
    pub(crate) outbox: PathBuf,
    /// The folder with the Message-IDs of the last mails that went out.
    pub(crate) sent: Option<PathBuf>,
    /// The templates of mail.
    pub(crate) templates: Templates,
    /// The maker of Message-IDs.
    pub(crate) ids: MailIds,
    /// The present time.
    pub(crate) now: DateTime<Utc>,
}

impl Session {
    /// Returns the session for a run of many messages: the templates are read once.
    pub(crate) fn for_a_run(self) -> Session {
        Session {
            templates: self.templates.for_a_run(),
            ..self
        }
    }

    /// Returns the user with every address that what the user has sent is quoted under: articles
    /// have one of their own.
    pub(crate) fn quoted(&self, in_article: bool) -> Player {
        let news = self.config.news.iter().filter(|_| in_article);
        let more: Vec<Address> = news.map(|news| news.from.email.clone()).collect();
        self.me.player.with_addresses(&more)
    }

    /// Returns the session as it is now, for a run that lasts.
    ///
    /// # Errors
    ///
    /// If the clock cannot be read.
    pub(crate) fn at_present(&self) -> Result<Session, Error> {
        let now = clock::now()?;
        Ok(Session {
            now,
            ..self.clone()
        })
    }

    /// Returns the side the user plays; for a user who plays both, the side to
    /// move.
    ///
    /// # Errors
    ///
    /// If the user does not play in the match, or plays it against a program.
    pub(crate) fn side(&self, game: &Match) -> Result<Color, Error> {
        game.must_be_by_mail()?;
        self.own_side(game)
    }

    /// Returns the side as [`Session::side`] does, also in a match against a program.
    fn own_side(&self, game: &Match) -> Result<Color, Error> {
        let sides = game.sides_of(&self.me.player);
        match sides.as_slice() {
            [] => Err(self.stranger(game)),
            [side] => Ok(*side),
            _ => Ok(game.position().turn()),
        }
    }

    /// Returns the side the user plays, or `None` for a referee of other
    /// people's match.
    ///
    /// # Errors
    ///
    /// If the user has no part in the match.
    pub(crate) fn side_or_referee(&self, game: &Match) -> Result<Option<Color>, Error> {
        match self.own_side(game) {
            Err(_) if self.me.role == UserRole::Referee => Ok(None),
            side => side.map(Some),
        }
    }

    /// Reads a match, changes it and saves it. If others were faster, reads and
    /// changes it again. Returns the last result of `change`.
    ///
    /// # Errors
    ///
    /// As [`Store::read`] and [`update`].
    pub(crate) fn change<T>(
        &self,
        id: &Id,
        change: impl FnMut(&mut Match) -> Result<T, Error>,
    ) -> Result<(T, Stored), Error> {
        update(&*self.store, self.store.read_to_change(id)?, change)
    }

    /// Owes the articles about what has just happened in a match, with these words for everybody, one
    /// to each forum, if both players have agreed to post it there and this program is the one to do
    /// so. Returns why none has the words, or `None`: the last forum's reason.
    ///
    /// # Errors
    ///
    /// If the log does not accept it.
    pub(crate) fn post(
        &self,
        game: &mut Match,
        words: Option<&str>,
    ) -> Result<Option<NoArticle>, Error> {
        let mut outcomes = Vec::new();
        for forum in game.forums() {
            outcomes.push(self.post_to(&forum, game, words)?);
        }
        let is_owed = outcomes.contains(&None);
        let why_not = outcomes.pop().unwrap_or(Some(NoArticle::Forum));
        Ok(why_not.filter(|_| !is_owed))
    }

    /// Owes the article to a forum about what has just happened, as [`Session::post`] does. A newsgroup
    /// needs a news server, and gets what `[news]` says.
    fn post_to(
        &self,
        forum: &Forum,
        game: &mut Match,
        words: Option<&str>,
    ) -> Result<Option<NoArticle>, Error> {
        let (is_poster, pace, host) = match (forum, &self.config.news) {
            (Forum::Group(_), Some(news)) => {
                let host = news.from.email.domain();
                (self.is_poster_of_last(game), news.pace, host)
            }
            (Forum::Group(_), None) if self.is_poster_of_last(game) => {
                return Ok(Some(NoArticle::Server));
            }
            (Forum::Group(_), None) => return Ok(Some(NoArticle::Elsewhere)),
            (Forum::List(_), _) => {
                let host = self.me.player.address().domain();
                (self.is_poster(game), NewsPace::default(), host)
            }
        };
        if !is_poster {
            return Ok(Some(NoArticle::Elsewhere));
        }
        let Some(mut due) = game.article_due(self.now, forum, pace)? else {
            return Ok(Some(NoArticle::Pace));
        };
        if !game.has_room_for_article(self.now, forum) {
            return Ok(Some(NoArticle::Room));
        }
        due.text = words.map(ToOwned::to_owned);
        if due.at.is_some() && words.is_some() {
            return Ok(Some(NoArticle::Pace));
        }
        game.owe_article(self.now, &due, &self.ids, host)?;
        Ok(None)
    }

    /// Owes the article that says what was taken back, as [`Session::post`] does, if an article
    /// shows a move that was.
    ///
    /// # Errors
    ///
    /// If the log does not accept it.
    pub(crate) fn post_take_back(&self, game: &mut Match) -> Result<(), Error> {
        for forum in game.forums() {
            if game.withdrawn_article(&forum).is_some() {
                self.post_to(&forum, game, None)?;
            }
        }
        Ok(())
    }

    /// Returns true if the program plays by mail here, at this level.
    pub(crate) fn plays_at(&self, level: Level) -> bool {
        let partner = self.config.partner.as_ref();
        partner.is_some_and(|partner| partner.levels.contains(&level))
    }

    /// Returns true if this is the program that posts the moves of a match: the referee's, else
    /// that of the player who began it. Nobody's account posts by the wish of an opponent, and
    /// what one program posts is one thread.
    pub(crate) fn is_poster(&self, game: &Match) -> bool {
        match self.side_or_referee(game) {
            Ok(None) => true,
            Ok(Some(_)) if game.settings().referee.is_some() => false,
            Ok(Some(_)) => {
                let own = game.sides_of(&self.me.player);
                game.inviter().is_none_or(|inviter| own.contains(&inviter))
            }
            Err(_) => false,
        }
    }

    /// Returns true if this program posts what has just happened. Where moves count from the
    /// group, each player's program posts that player's own, unless a referee posts all.
    fn is_poster_of_last(&self, game: &Match) -> bool {
        let is_referee = matches!(self.side_or_referee(game), Ok(None));
        if !game.settings().counts_news || is_referee || game.settings().referee.is_some() {
            return self.is_poster(game);
        }
        let own = game.sides_of(&self.me.player);
        let mut log = game.log().iter().rev();
        let actor = log.find(|event| event.action().is_some());
        actor.is_some_and(|event| own.iter().any(|side| event.who == (*side).into()))
    }

    /// Owes the mail that tells a side's opponent the position, with that side's words if it
    /// says any, unless the opponent has asked for no mail.
    ///
    /// # Errors
    ///
    /// If the log does not accept it.
    pub(crate) fn tell_opponent(
        &self,
        game: &mut Match,
        side: Color,
        words: Option<&str>,
    ) -> Result<(), Error> {
        self.mail_opponent(MailKind::Position, game, side, words)
    }

    /// Owes a mail of this kind to a side's opponent, with the words of that side, if it says
    /// any. They stand in the log, too.
    ///
    /// # Errors
    ///
    /// If the log does not accept it.
    pub(crate) fn mail_opponent(
        &self,
        kind: MailKind,
        game: &mut Match,
        side: Color,
        words: Option<&str>,
    ) -> Result<(), Error> {
        if let Some(words) = words {
            game.push(LogEntry::new(self.now, Event::note(words), side))?;
        }
        if !game.takes_mail(!side) {
            return Ok(());
        }
        let mut mail = NewMail::new(kind, !side).answering(game.last_received(!side));
        if let Some(words) = words {
            mail = mail.saying(words);
        }
        game.owe(self.now, mail, &self.ids).map(|_| ())
    }

    /// Returns the sides that the user invites to a match: the opponent of a user who plays
    /// one side, both players for a referee, otherwise nobody. A program needs no invitation.
    pub(crate) fn guests(&self, game: &Match) -> Vec<Color> {
        let mut guests = match (game.sides_of(&self.me.player).as_slice(), self.me.role) {
            ([side], _) => vec![!*side],
            ([], UserRole::Referee) => Color::ALL.to_vec(),
            _ => Vec::new(),
        };
        guests.retain(|to| !game.player(*to).is_partner());
        guests
    }

    /// Creates the match that follows another one, with the invitations to it, unless it is there
    /// already. If a letter of this player asks for it, it is that player's invitation, which
    /// the other one may decline; one with the partner begins as by a letter that asks for it.
    /// Returns false if another match has its id.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(crate) fn begin_rematch(
        &self,
        store: &dyn Store,
        game: &Match,
        asked_by: Option<Color>,
    ) -> Result<bool, Error> {
        let is_of_partner = game.partner().is_some();
        let until = is_of_partner.then(|| Day::of(self.now + PARTNER_INVITATION));
        let settings = MatchSettings {
            until,
            ..game.rematch_settings()
        };
        let mut next = Match::new(settings, self.now);
        if let Some(stored) = store.find(next.id())? {
            return Ok(game.is_followed_by(&stored.game));
        }
        if let Some(color) = asked_by {
            // The sides have changed.
            let side = !color;
            if is_of_partner {
                let words = format!("rematch of {}", game.id());
                let asked = LogEntry::new(self.now, Event::Asked(Some(words)), side);
                invite(&mut next, side, asked, &self.ids)?;
                return store.create(&next).map(|()| true);
            }
            next.push(LogEntry::new(self.now, Event::Note(None), side))?;
        }
        for to in self.guests(&next) {
            let mail = NewMail::new(MailKind::Invitation, to);
            next.owe(self.now, mail, &self.ids)?;
        }
        store.create(&next).map(|()| true)
    }

    /// Adds the events and mails of a decision to a match, and renders its
    /// answers. Leaves out mail to a player who has asked for none.
    ///
    /// # Errors
    ///
    /// If a template of the user's is broken or the log does not accept an
    /// event. The caller must then discard the match.
    pub(crate) fn carry_out(&self, decision: &Decision, game: &mut Match) -> Result<(), Error> {
        let was_over = game.ending().is_some();
        for event in &decision.events {
            game.push(event.clone())?;
        }
        if decision.events.iter().any(LogEntry::is_move) || game.ending().is_some() != was_over {
            self.post(game, None)?;
        } else {
            self.post_take_back(game)?;
        }
        for due in &decision.mails {
            // A player must learn that somebody else may be playing.
            let is_alarm = matches!(due.explanation, Some(Explanation::UnknownAddress { .. }));
            let can_get = !game.is_forgotten(due.mail.to);
            if is_alarm && can_get || game.takes(&due.mail) {
                self.owe(due, game)?;
            }
        }
        Ok(())
    }

    /// Owes a mail, renders its explanation, and returns its Message-ID.
    ///
    /// # Errors
    ///
    /// If a template of the user's is broken or the log does not accept the
    /// line.
    pub(crate) fn owe(&self, due: &DueMail, game: &mut Match) -> Result<MessageId, Error> {
        let mut mail = due.mail.clone();
        if let Some(explanation) = &due.explanation {
            let partner = self.config.partner.as_ref();
            let level = partner.and_then(|partner| partner.levels.first());
            let told = Told {
                again: due.is_again,
                partner: partner.map_or_else(String::new, PartnerSettings::levels_in_words),
                partner_level: level.map_or_else(String::new, |level| level.number().to_string()),
                puzzles: matches!(self.side_or_referee(game), Ok(None)),
                explanation,
            };
            let added = mail.text.take();
            mail = mail.saying(self.templates.render(explanation.template(), told)?);
            if let Some(added) = added {
                mail.add(&added);
            }
        }
        if due.is_last {
            mail.add(LAST_ANSWER);
        }
        game.owe(self.now, mail, &self.ids)
    }

    fn stranger(&self, game: &Match) -> Error {
        let addresses: Vec<&str> = self
            .me
            .player
            .addresses()
            .iter()
            .map(AsRef::as_ref)
            .collect();
        let [white, black] = Color::ALL
            .map(|color| format!("{} is {}", game.variant().player(color), game.player(color)));
        Error::refused(format!(
            "you ({}) do not play in the match {}: {white}, {black}",
            addresses.join(", "),
            game.id()
        ))
    }
}
