//! The proven addresses of a player, and those that are only claimed.
//!
//! An address is proven if the user has given it, or if a letter from there has cited a mail that
//! we sent there. Until then, an address that came by a letter is claimed: it plays in its own
//! match and counts in no other. Mail goes to proven addresses, except the mail that asks.

use chrono::{DateTime, Utc};
use lettre::Address;

use crate::limits::ADDRESS_PAUSE;
use crate::matches::decision::{Decision, Received};
use crate::matches::event::{ADDRESS, AddressStep, Disposition, Event, LogEntry};
use crate::matches::mail::{MailKind, NewMail};
use crate::matches::r#match::Match;
use crate::matches::player::{Player, mailbox, same_address};
use crate::rules::Color;

impl Match {
    /// Returns every address that speaks for a player: those of the beginning and those added
    /// since.
    pub(crate) fn addresses(&self, side: Color) -> impl Iterator<Item = &Address> {
        let own = self.player(side).addresses().iter();
        own.chain(self.state.claims.added(side))
    }

    /// Returns true if this is one of a player's addresses that nothing has proven.
    pub(super) fn is_claim(&self, side: Color, own: &Address) -> bool {
        let claims = &self.state.claims;
        let mut proven = claims.proven[side.index()].iter();
        !proven.any(|proven| mailbox(proven) == mailbox(own))
            && (claims.by_letter[side.index()] || !self.player(side).has_exactly(own))
    }

    /// Returns the proven addresses of a player.
    pub(crate) fn proven_addresses(&self, side: Color) -> impl Iterator<Item = &Address> {
        let all = self.addresses(side);
        all.filter(move |own| !self.is_claim(side, own))
    }

    /// Returns true if this address speaks for a player and is proven.
    pub(crate) fn belongs_to(&self, side: Color, address: &Address) -> bool {
        let mut proven = self.proven_addresses(side);
        self.speaks_for(side, address) && proven.any(|own| mailbox(own) == mailbox(address))
    }

    /// Returns the sides whose player this address speaks for and is proven for.
    pub(crate) fn proven_sides(&self, address: &Address) -> Vec<Color> {
        let is_theirs = |side: &Color| self.belongs_to(*side, address);
        Color::ALL.into_iter().filter(is_theirs).collect()
    }

    /// Returns the sides whose player only claims this address.
    pub(crate) fn claimed_sides(&self, address: &Address) -> Vec<Color> {
        let is_claimed =
            |side: &Color| self.speaks_for(*side, address) && !self.belongs_to(*side, address);
        Color::ALL.into_iter().filter(is_claimed).collect()
    }

    /// Returns the sides for whose player one of these addresses is proven.
    pub(crate) fn proven_sides_of_any(&self, addresses: &[Address]) -> Vec<Color> {
        let is_theirs = |side: &Color| addresses.iter().any(|own| self.belongs_to(*side, own));
        Color::ALL.into_iter().filter(is_theirs).collect()
    }

    /// Returns true if a player has an address that is only claimed.
    pub(crate) fn has_claims(&self, side: Color) -> bool {
        self.addresses(side).any(|own| self.is_claim(side, own))
    }

    /// Returns the address that a player's mail goes to: the first proven one, or the first of all
    /// if none is proven.
    pub(crate) fn home(&self, side: Color) -> &Address {
        let proven = self.proven_addresses(side).next();
        proven.unwrap_or(self.player(side).address())
    }

    /// Returns a player for another match: with the proven addresses, or with the first of all if
    /// none is proven.
    pub(crate) fn proven_player(&self, side: Color) -> Player {
        let proven: Vec<Address> = self.proven_addresses(side).cloned().collect();
        let player = self.player(side);
        if proven.is_empty() {
            return player.at(vec![player.address().clone()]);
        }
        player.at(proven)
    }

    /// Adds to a mail the address that it goes to, unless that is the player's first address. The
    /// proven addresses may change before the mail goes.
    pub(super) fn at_home(&self, mail: NewMail) -> NewMail {
        let home = self.home(mail.to);
        let is_named = mail.address.is_some() || self.settings().referee.is_some();
        if is_named || same_address(home, self.player(mail.to).address()) {
            return mail;
        }
        let home = home.clone();
        mail.at_address(home)
    }

    /// Returns true if a letter from this address cites a mail that went to the first address of a
    /// player while none was proven. Such a mail comes after the line `from` of the log (from 0).
    pub(crate) fn is_first_contact(
        &self,
        side: Color,
        address: &Address,
        from: usize,
        cites: impl Fn(&LogEntry) -> bool,
    ) -> bool {
        let first = self.player(side).address();
        let is_there = |to: &str| {
            let to = to.parse::<Address>();
            to.is_ok_and(|to| mailbox(&to) == mailbox(first))
        };
        let goes_there = |event: &LogEntry| event.get("to").is_none_or(is_there);
        let log = self.log();
        let mails = log[from.min(log.len())..].iter();
        let mut mails = mails.filter(|event| event.is_owed() && event.who == side.into());
        // In a match with the partner, the player's addresses were proven in another match.
        let is_of_player = self.partner().is_some() && self.player(side).has(address);
        (is_of_player || mailbox(address) == mailbox(first))
            && self.proven_addresses(side).next().is_none()
            && mails.any(|mail| {
                let id = mail.bare_message();
                let mut steps = log.iter().filter(|event| event.bare_message() == id);
                mail.owed_kind() != Some(&MailKind::Address)
                    && cites(mail)
                    && steps.all(|event| !event.is_of_outgoing_mail() || goes_there(event))
            })
    }

    /// Returns true if a mail to a player who only claims this mailbox went there within the pause.
    /// Mails that somebody called for by hand do not count.
    pub(crate) fn has_bothered(&self, address: &Address, now: DateTime<Utc>) -> bool {
        let is_same = |other: &Address| mailbox(other) == mailbox(address);
        self.claimed_sides(address).into_iter().any(|side| {
            let first = self.player(side).address();
            let went_there = |event: &LogEntry| match event.get("to") {
                Some(to) => to.parse().is_ok_and(|to| is_same(&to)),
                None => is_same(first),
            };
            let is_of_letter = |event: &LogEntry| {
                event.get("auto") == Some("yes")
                    || event.owed_kind() == Some(&MailKind::Invitation) && self.partner().is_some()
            };
            self.log().iter().any(|event| {
                event.is_owed()
                    && event.who == side.into()
                    && is_of_letter(event)
                    && went_there(event)
                    && (now - event.time).abs() < ADDRESS_PAUSE
            })
        })
    }
}

/// The mail that asks at an address whether it is the player's. It says nothing about the match,
/// since its reader may be somebody else.
pub(crate) fn question_at(address: &Address, side: Color) -> NewMail {
    let text = format!(
        "Somebody who plays by mail here says that {address} is their address, too. If that was you, answer this mail with the word \"yes\" alone, at any time. Until then you can play from here, and our answers go to your other address.\n\nIf it was not you, you need not do anything: nothing changes for you. You get such a mail once in {} days at most, whoever names your address.",
        ADDRESS_PAUSE.num_days()
    );
    NewMail::new(MailKind::Address, side)
        .at_address(address.clone())
        .automatic()
        .saying(text)
}

/// Why an answer to that mail says nothing.
pub(crate) const NO_YES: &str = "We asked whether this address is yours, and your answer has no \"yes\" alone on a line above the quotation. So the address is not confirmed, and nothing in your message was played or passed on. To confirm it, answer with the word \"yes\" alone.";

/// Decides about a letter from a claimed address that answers the question there with yes.
pub(crate) fn confirmed(
    game: &Match,
    received: &Received<'_>,
    asked: &NewMail,
    now: DateTime<Utc>,
) -> Decision {
    let address = asked.address.as_ref().unwrap_or(game.home(asked.to));
    if received.is_known_to(game, |_| true) {
        return Decision::new(Disposition::Duplicate, "");
    }
    let event = received.event(now, Event::Address(Some(AddressStep::Proven)));
    let text = format!(
        "You have confirmed {address} in this match. You can play from there, and our answers go there, too."
    );
    let answer = NewMail::new(MailKind::Answer, received.side)
        .answering(Some(received.id.clone()))
        .at_address(address.clone())
        .automatic()
        .saying(text);
    Decision::new(Disposition::Command, "it confirms its address")
        .event(event.key(ADDRESS, Some(address)))
        .mail(answer)
}
