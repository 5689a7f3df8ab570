//! What a player wishes about the mail of a match.

use std::fmt;
use std::str::FromStr;

use crate::matches::event::{ASKED, Event, EventKind, Who};
use crate::matches::r#match::{Match, NewMail};
use crate::matches::quota::is_repeated;
use crate::rules::Color;

/// A wish about the mail of a match: the argument of the event `mail`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MailWish {
    /// No more mail but answers to the player's own letters.
    Off,
    /// Mail as before.
    On,
    /// Mail as text alone.
    HtmlOff,
    /// Mail with HTML, where the sender's program makes it.
    HtmlOn,
}

impl MailWish {
    const ALL: [MailWish; 4] = [
        MailWish::Off,
        MailWish::On,
        MailWish::HtmlOff,
        MailWish::HtmlOn,
    ];

    fn of(event: &Event) -> Option<MailWish> {
        let argument = event.argument.as_deref().unwrap_or_default();
        let is_wish = event.kind == EventKind::Mail;
        is_wish.then(|| argument.parse().ok()).flatten()
    }
}

impl fmt::Display for MailWish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MailWish::Off => "off",
            MailWish::On => "on",
            MailWish::HtmlOff => "html off",
            MailWish::HtmlOn => "html on",
        })
    }
}

/// Words that are no wish.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is none of off, on, html off and html on")]
pub struct ParseMailWishError(String);

impl FromStr for MailWish {
    type Err = ParseMailWishError;

    fn from_str(words: &str) -> Result<MailWish, ParseMailWishError> {
        MailWish::ALL
            .into_iter()
            .find(|wish| wish.to_string() == words)
            .ok_or_else(|| ParseMailWishError(words.to_owned()))
    }
}

impl Match {
    /// Returns true if a player gets mail. One who was forgotten never does. One who has
    /// asked for none gets it again after the next letter, unless that only repeats a
    /// move: such a letter may be an old one that comes again. Takes time linear in the
    /// log.
    #[must_use]
    pub fn takes_mail(&self, player: Color) -> bool {
        let mut letters = self.letters_of(player);
        !self.is_forgotten(player) && letters.next().and_then(MailWish::of) != Some(MailWish::Off)
    }

    /// Returns true if a player gets this mail: any, or an answer to the player's own
    /// letter.
    #[must_use]
    pub fn takes(&self, mail: &NewMail) -> bool {
        let to = mail.to();
        !self.is_forgotten(to) && (mail.is_answer() || self.takes_mail(to))
    }

    /// Returns true if a player has not asked for text alone. Takes time linear in the
    /// log.
    #[must_use]
    pub fn takes_html(&self, player: Color) -> bool {
        let wishes = self.letters_of(player).filter_map(MailWish::of);
        let mut last = wishes.filter(|wish| matches!(wish, MailWish::HtmlOff | MailWish::HtmlOn));
        last.next() != Some(MailWish::HtmlOff)
    }

    /// Returns the events that a player has caused, the last one first, without those of
    /// letters that only repeated a move.
    fn letters_of(&self, player: Color) -> impl Iterator<Item = &Event> {
        let events = self.log().iter().rev();
        // The question about an unknown address comes by a stranger's letter.
        let is_asked = |event: &Event| {
            event.kind == EventKind::Address && event.argument.as_deref() == Some(ASKED)
        };
        events.filter(move |event| {
            event.who == Who::Player(player)
                && !event.kind.is_of_outgoing_mail()
                && !is_asked(event)
                && !is_repeated(event)
        })
    }
}
