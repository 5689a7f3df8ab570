//! A match with the partner, begun by a letter that asks for one.
//!
//! Anybody can write any address into a From field, so a letter proves little. Whatever it says, at
//! most one mail follows, to the address of its sender, and nothing more happens until somebody
//! answers who has that mail. Of a letter that is no player's nothing follows, unless the
//! configuration has the partner open to everybody.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use lettre::Address;
use sha2::{Digest as _, Sha256};

use crate::Error;
use crate::config::UserRole;
use crate::engine::Level;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::partner_wish::PartnerWish;
use crate::inbound::sender_authentication;
use crate::limits::{
    PARTNER_BEGUN, PARTNER_BEGUN_EACH, PARTNER_INVITATION, PARTNER_MATCHES, PARTNER_MATCHES_EACH,
};
use crate::match_id::Id;
use crate::matches::decide::{is_plain, without_partner};
use crate::matches::decision::Received;
use crate::matches::event::{Disposition, Event, LogEntry};
use crate::matches::r#match::{Day, Match, MatchSettings};
use crate::matches::player::{Player, address_of_partner, is_nobodys, mailbox};
use crate::referee::handler::{Handler, SenderEvidence, SenderProof, known};
use crate::referee::partner_invitation::{REST, invite};
use crate::referee::session::Session;
use crate::referee::verdict::Verdict;
use crate::rules::{Color, Variant};
use crate::store::store::{Store as _, Stored};

/// What becomes of a letter that asks for a match.
enum Asked {
    /// It begins this one.
    Begins(Id, String),
    /// This one began with the same letter.
    Known(Box<Verdict>),
    /// It begins none, for a reason in sentences.
    Refused(String),
}

/// What a match is to be.
struct Terms {
    variant: Variant,
    level: Level,
    side: Option<Color>,
    has_more: bool,
    player: Player,
    /// True if the letter proves to be of a player of a match here.
    is_known: bool,
}

impl Handler<'_> {
    /// Begins the match with the partner that a letter asks for, or says why not. Returns none if
    /// the letter is one like any other: it does not ask for any, or its sender may not.
    ///
    /// # Errors
    ///
    /// If the message must come again. Nothing is recorded then.
    pub(super) fn asks_for_partner(
        &mut self,
        evidence: &SenderEvidence<'_>,
    ) -> Result<Option<Verdict>, Error> {
        let (session, message) = (self.session, evidence.message);
        let is_for_us = session.me.role == UserRole::Referee
            && self.anew.is_none()
            && message.machine.is_none();
        let Some(sender) = message.sender.as_ref().filter(|_| is_for_us) else {
            return Ok(None);
        };
        let Some(wish) = PartnerWish::read(evidence.lines) else {
            return Ok(None);
        };
        let keeper = self.keeper(evidence);
        let player = match keeper {
            // The mail goes where the letter came from.
            Some((game, side)) => Some(game.proven_player(side).led_by(sender)),
            None if self.may_be_asked_by(evidence, sender) => {
                Player::new("", vec![sender.clone()]).ok()
            }
            None => None,
        };
        let Some(player) = player else {
            return Ok(None);
        };
        let has_more = wish.says_more(player.name());
        let meant = has_more.then(|| self.named(evidence)).flatten();
        if let Some((game, side)) = meant {
            let why = "Your letter is about this match, too. Ask for one with the partner in a letter that says nothing else: nothing of this one was read.";
            return self.refuse_partner(message, game, side, why).map(Some);
        }
        let asked = match self.terms(wish, has_more, player, keeper.is_some()) {
            Ok(terms) => {
                let asked = self.begin_with_partner(message, sender, &terms);
                asked.inspect_err(|_| self.deferrals.add_all())?
            }
            Err(why) => Asked::Refused(why),
        };
        let verdict = match (asked, keeper) {
            (Asked::Known(verdict), _) => *verdict,
            (Asked::Begins(id, words), _) => {
                let verdict = Verdict::of(message.id.clone(), Disposition::Command, words);
                verdict.about(&id).owing(&id)
            }
            (Asked::Refused(why), None) => {
                Verdict::of(message.id.clone(), Disposition::Stranger, why)
            }
            (Asked::Refused(why), Some((game, side))) => {
                self.refuse_partner(message, game, side, &why)?
            }
        };
        Ok(Some(verdict))
    }

    /// Returns a match in which the letter proves its sender to be a player, the last one that
    /// goes on before others, and the side. Who has been invited by the partner and has not moved
    /// may be nobody.
    fn keeper<'m>(&self, evidence: &SenderEvidence<'m>) -> Option<(&'m Match, Color)> {
        let own = evidence.lookup.own().iter();
        let proven = own.filter_map(|game| match self.side(evidence, game) {
            Ok((side, SenderProof::Usual)) => Some((*game, side)),
            Ok(_) | Err(_) => None,
        });
        let from = evidence.message.sender.as_ref();
        let players = proven.filter(|(game, side)| {
            from.is_some_and(|from| game.belongs_to(*side, from))
                && !game.is_forgotten(*side)
                && (game.partner().is_none() || game.has_moved(*side))
        });
        players.max_by_key(|(game, _)| (game.turn().is_some(), game.log().last().map(|e| e.time)))
    }

    /// Returns the match under way that the letter answers or names, and its sender's side there.
    fn named<'m>(&self, evidence: &SenderEvidence<'m>) -> Option<(&'m Match, Color)> {
        let lookup = evidence.lookup;
        let game = lookup.find().ok().filter(|_| lookup.names_one())?;
        game.turn()?;
        match self.side(evidence, game) {
            Ok((side, SenderProof::Usual)) => Some((game, side)),
            Ok(_) | Err(_) => None,
        }
    }

    /// Returns true if anybody may ask, and this sender can be mailed.
    fn may_be_asked_by(&self, evidence: &SenderEvidence<'_>, sender: &Address) -> bool {
        let Session { config, me, .. } = self.session;
        let signature = || {
            let checked = sender_authentication::check_signature(&config.policy, evidence.message);
            checked.is_ok()
        };
        config.partner.as_ref().is_some_and(|partner| partner.open)
            && !evidence.is_restored
            && !is_nobodys(sender)
            && !me.player.has(sender)
            && is_plain(sender)
            && signature()
    }

    /// Returns what the match is to be, or why there is none.
    fn terms(
        &self,
        wish: PartnerWish,
        has_more: bool,
        player: Player,
        is_known: bool,
    ) -> Result<Terms, String> {
        let Some(partner) = &self.session.config.partner else {
            return Err("No program plays here as a partner.".to_owned());
        };
        let offered = partner.levels_in_words();
        if offered.is_empty() {
            return Err("The partner begins no more matches here.".to_owned());
        }
        let variant = wish.variant?;
        let level = Level::new(wish.level).filter(|level| partner.levels.contains(level));
        let level = level.ok_or_else(|| format!("Here it plays at level {offered}."))?;
        Ok(Terms {
            variant,
            level,
            side: wish.side,
            has_more,
            player,
            is_known,
        })
    }

    /// Begins the match that a letter asks for, within the bounds.
    fn begin_with_partner(
        &self,
        message: &IncomingMessage,
        sender: &Address,
        terms: &Terms,
    ) -> Result<Asked, Error> {
        // Others who count at the same time wait, as they do for letters.
        let _counts = self.cache.lock_counts().unwrap_or_default();
        let mut number = 0_u32;
        // The same letter comes to the same match, however often it comes.
        let (id, digest) = loop {
            let of_letter = format!("partner\n{}\n{sender}\n{number}", message.id);
            let digest = Sha256::digest(of_letter);
            let id = Id::of_digest(&digest);
            match self.cache.find(&id)? {
                None => break (id, digest),
                Some(stored) => {
                    let mut sides = stored.game.sides(sender);
                    let came = |side| stored.game.received(side, &message.id).is_some();
                    let partner = stored.game.partner();
                    // Of a player who is forgotten no letter begins it again.
                    if partner
                        .is_some_and(|(side, _)| stored.game.is_forgotten(!side) || sides.any(came))
                    {
                        return Ok(Asked::Known(Box::new(known(message, &stored.game))));
                    }
                }
            }
            number += 1;
        };
        if let Some(why) = self.beyond_partner_bounds(&terms.player, terms.is_known)? {
            return Ok(Asked::Refused(why));
        }
        let drawn = Color::ALL[usize::from(digest[31] & 1)];
        let side = terms.side.unwrap_or(drawn);
        let words = PartnerWish::words(&terms.variant, side, terms.level.number());
        let game = self.match_with_partner(&id, message, terms, side, &words)?;
        if !self.is_dry_run {
            self.cache.create(&game)?;
        }
        Ok(Asked::Begins(id, words))
    }

    /// Makes the match, with its first mail.
    fn match_with_partner(
        &self,
        id: &Id,
        message: &IncomingMessage,
        terms: &Terms,
        side: Color,
        words: &str,
    ) -> Result<Match, Error> {
        let now = self.session.now;
        let partner = Player::partner(terms.level);
        let players = match side {
            Color::White => [terms.player.clone(), partner],
            Color::Black => [partner, terms.player.clone()],
        };
        let settings = MatchSettings {
            id: id.clone(),
            variant: terms.variant.clone(),
            players,
            referee: None,
            event: None,
            time: None,
            until: Some(Day::of(now + PARTNER_INVITATION)),
            news: None,
            counts_news: false,
            start: None,
            list: None,
        };
        let mut game = Match::new(settings, now);
        let asked = LogEntry::new(now, Event::Asked(Some(words.to_owned())), side);
        let rest = terms.has_more.then_some("unread");
        let asked = asked.key("msg", Some(&message.id)).key(REST, rest);
        invite(&mut game, side, asked, &self.session.ids)?;
        Ok(game)
    }

    /// Returns why the match that follows one with the partner does not begin, in sentences, if a
    /// bound says so.
    ///
    /// # Errors
    ///
    /// If the store cannot tell.
    pub(super) fn beyond_rematch_bounds(
        &self,
        game: &Match,
        side: Color,
    ) -> Result<Option<String>, Error> {
        // It has begun already if the letter was handled before and that could not be saved.
        if self.cache.find(&game.rematch_id())?.is_some() {
            return Ok(None);
        }
        self.beyond_partner_bounds(&game.proven_player(side), game.has_moved(side))
    }

    /// Returns the matches with the partner of all mailboxes that speak for a player, here or in
    /// any other match.
    fn partner_matches_of(&self, player: &Player) -> Result<Vec<Stored>, Error> {
        let mut addresses = player.addresses().to_vec();
        let mut own = BTreeMap::new();
        let mut next = 0;
        while let Some(address) = addresses.get(next).cloned() {
            next += 1;
            for stored in self.cache.by_address(&address)?.matches {
                let game = &stored.game;
                let sides = game.proven_sides(&address);
                for side in &sides {
                    for other in game.proven_addresses(*side) {
                        let is_same = |known: &Address| mailbox(known) == mailbox(other);
                        // Players of whom only the name is known share an address of nobody's.
                        if !is_nobodys(other) && !addresses.iter().any(is_same) {
                            addresses.push(other.clone());
                        }
                    }
                }
                // A match that waits for an answer from this address counts, even if somebody else
                // asked for it.
                let is_asked = |(side, _): (Color, Level)| {
                    !game.has_moved(!side)
                        && mailbox(game.player(!side).address()) == mailbox(&address)
                };
                if game
                    .partner()
                    .is_some_and(|of| !sides.is_empty() || is_asked(of))
                {
                    own.insert(stored.game.id().clone(), stored);
                }
            }
        }
        Ok(own.into_values().collect())
    }

    /// Returns why a player begins no further match, in sentences, if a bound says so.
    fn beyond_partner_bounds(
        &self,
        player: &Player,
        is_known: bool,
    ) -> Result<Option<String>, Error> {
        let now = self.session.now;
        let day = TimeDelta::days(1);
        let own = self.partner_matches_of(player)?;
        let mut going_on: Vec<&Match> = own.iter().map(|stored| &*stored.game).collect();
        going_on.retain(|game| game.turn().is_some() && !game.has_lapsed(now));
        let waiting = going_on.iter().find(|game| game.is_unconfirmed());
        if let Some(game) = waiting {
            return Ok(Some(format!(
                "The match [{0}] with it waits for your first move: answer the mail that has [{0}] in its subject, or \"decline\" that match first.",
                game.id()
            )));
        }
        let is_unplayed = |game: &Match| {
            let side = game.partner().map(|(side, _)| !side);
            side.is_some_and(|side| !game.has_moved(side))
        };
        let begun_within = |game: &Match, time| now - game.started() < time;
        let is_in_vain = |game: &Match| is_unplayed(game) && begun_within(game, PARTNER_INVITATION);
        let is_asked_in_vain = own.iter().any(|stored| is_in_vain(&stored.game));
        if !is_known && (is_asked_in_vain || self.is_bothered(player.address())?) {
            let why = "An invitation that was not played on is a few days old.";
            return Ok(Some(why.to_owned()));
        }
        if going_on.len() >= PARTNER_MATCHES_EACH {
            let ids: Vec<String> = going_on
                .iter()
                .map(|game| format!("[{}]", game.id()))
                .collect();
            return Ok(Some(format!(
                "You have {} matches with it under way, {}, and no more are begun before one is over.",
                going_on.len(),
                ids.join(", ")
            )));
        }
        let today = own.iter().filter(|stored| begun_within(&stored.game, day));
        if today.count() >= PARTNER_BEGUN_EACH {
            return Ok(Some(format!(
                "{PARTNER_BEGUN_EACH} matches with it have begun within a day: please ask again tomorrow."
            )));
        }
        let address = address_of_partner();
        // Each has caused a mail, whatever became of the match.
        let is_flooded = || -> Result<bool, Error> {
            let recent = self.cache.recent(&address)?;
            let games = recent.iter().map(|stored| &*stored.game);
            let today = games.filter(|game| game.partner().is_some() && begun_within(game, day));
            Ok(today.count() >= PARTNER_BEGUN)
        };
        let is_full = self.cache.going_on_of(&address)?.len() >= PARTNER_MATCHES;
        let is_busy = is_full || !is_known && is_flooded()?;
        let why = "It has as many matches as it can play now: please ask again tomorrow.";
        Ok(is_busy.then(|| why.to_owned()))
    }

    /// Tells the player of a match whose letter asks for one with the partner why that does not
    /// begin.
    fn refuse_partner(
        &mut self,
        message: &IncomingMessage,
        game: &Match,
        side: Color,
        why: &str,
    ) -> Result<Verdict, Error> {
        let decide = |game: &Match, received: &Received<'_>| {
            without_partner(game, received, why, self.session.now)
        };
        let decision = self.ask_sender(message, game, side, decide);
        let decision = decision.inspect_err(|_| self.deferrals.add([game.id().clone()]))?;
        let verdict = Verdict::of(message.id.clone(), decision.disposition, &decision.reason);
        Ok(self.asking(verdict.about(game.id()), &decision, game.id()))
    }
}
