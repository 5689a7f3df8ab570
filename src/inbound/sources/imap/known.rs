//! Which messages of a mailbox concern a match, told by their headers.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use lettre::Address;

use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::match_lookup::is_subject_of_ours;
use crate::match_id::Id;
use crate::matches::r#match::Match;
use crate::matches::new_address::every_address;
use crate::matches::player::{Player, mailbox};
use crate::message_id::MessageId;
use crate::store::store::Survey;

/// The words at the foot of our mails, which an answer quotes.
const FOOT: [&str; 2] = ["half-moves made", "half-move made"];

/// What is known of the matches that mail can be about.
#[derive(Default)]
pub struct Known {
    ids: HashSet<Id>,
    /// The matches of each player's mailbox but the user's own.
    players: HashMap<(String, String), Vec<Arc<Match>>>,
    /// The referees' addresses, in small letters.
    referees: HashSet<String>,
    me: Option<Player>,
    /// True if there is a match that cannot be read, so that its players are not known.
    has_hidden: bool,
    words: Vec<String>,
}

impl Known {
    /// Learns from the matches there are. A match that cannot be read has an id.
    #[must_use]
    pub fn of(survey: &Survey, me: &Player) -> Known {
        let mut known = Known {
            me: Some(me.clone()),
            has_hidden: !survey.damaged.is_empty(),
            words: FOOT.map(ToOwned::to_owned).to_vec(),
            ..Known::default()
        };
        let own: &str = me.address().as_ref();
        if own.is_ascii() {
            // Whoever returns a mail of ours returns its header.
            known.words.push(format!("X-Loop: {own}"));
        }
        known
            .ids
            .extend(survey.damaged.iter().map(|(id, _)| id.clone()));
        for stored in &survey.matches {
            let game = &stored.game;
            known.ids.insert(game.id().clone());
            let mailboxes: HashSet<_> = every_address(game).map(mailbox).collect();
            for mailbox in mailboxes {
                let games = known.players.entry(mailbox).or_default();
                games.push(Arc::clone(game));
            }
            if let Some(referee) = &game.settings().referee {
                let referee: &str = referee.as_ref();
                known.referees.insert(referee.to_ascii_lowercase());
            }
        }
        known
    }

    /// Returns true if a message that seems to concern no match may be about one that
    /// cannot be read.
    #[must_use]
    pub fn has_hidden(&self) -> bool {
        self.has_hidden
    }

    /// Returns words of which one stands in the text of a message that returns or quotes a
    /// mail of ours.
    #[must_use]
    pub fn words(&self) -> Vec<&str> {
        self.words.iter().map(String::as_str).collect()
    }

    /// Returns true if a message with these header fields concerns a match: it answers a
    /// mail of a match, has its id in the subject, or is from a player or a referee.
    #[must_use]
    pub fn concerns(&self, fields: &[u8]) -> bool {
        match IncomingMessage::parse(fields) {
            Ok(message) => {
                message.cites.iter().any(|cited| self.is_ours(cited))
                    || is_subject_of_ours(&message.subject, |id| self.ids.contains(id))
                    || message.sender.is_some_and(|sender| self.is_player(&sender))
            }
            // Beyond a limit a message is refused, but its sender is to be told of.
            Err(_) => self.is_named_in(fields),
        }
    }

    /// Returns true if a Message-ID has the form of those of a match: `<ID.…>`.
    fn is_ours(&self, cited: &MessageId) -> bool {
        let id = cited.bare().split_once('.').map(|(id, _)| id.parse::<Id>());
        matches!(id, Some(Ok(id)) if self.ids.contains(&id))
    }

    /// Returns true if an address is that of a player other than the user, or of a
    /// referee. A mail of the user's own is about a match if it says so.
    fn is_player(&self, sender: &Address) -> bool {
        let whole: &str = sender.as_ref();
        if self.referees.contains(&whole.to_ascii_lowercase()) {
            return true;
        }
        let games = self.players.get(&mailbox(sender)).into_iter().flatten();
        games.into_iter().any(|game| {
            let own = self.me.as_ref().map_or(Vec::new(), |me| game.sides_of(me));
            game.sides(sender).any(|side| !own.contains(&side))
        })
    }

    /// Returns true if an address of a player or a mail of a match stands in fields that
    /// cannot be read.
    fn is_named_in(&self, fields: &[u8]) -> bool {
        let is_between = |byte: &u8| byte.is_ascii_whitespace() || b"<>,;:\"()[]".contains(byte);
        let words = fields.split(is_between);
        let mut words = words.filter_map(|word| std::str::from_utf8(word).ok());
        words.any(|word| {
            word.parse().is_ok_and(|address| self.is_player(&address))
                || word
                    .parse()
                    .is_ok_and(|id| word.contains('@') && self.is_ours(&id))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::r#match::MatchSettings;
    use crate::rules::Variant;
    use crate::store::store::{Revision, Stored};

    fn known() -> Known {
        let settings = MatchSettings {
            id: "k7f3qd".parse().unwrap(),
            variant: Variant::find("unachess", &[]).unwrap(),
            players: [
                "Anna <anna@example.org>",
                "Ben <ben@example.org>, <ben@work.test>",
            ]
            .map(|text| text.parse().unwrap()),
            referee: Some("ref@club.test".parse().unwrap()),
            event: None,
            time: None,
        };
        let game = Match::new(settings, "2026-11-20T03:00:00Z".parse().unwrap());
        let survey = Survey {
            matches: vec![Stored {
                game: Arc::new(game),
                revision: Revision::new(""),
            }],
            damaged: vec![("broken".parse().unwrap(), String::new())],
        };
        Known::of(&survey, &"<anna@example.org>".parse().unwrap())
    }

    #[test]
    fn a_header_tells_whether_a_message_concerns_a_match() {
        let known = known();
        for (fields, expected) in [
            ("From: Ben <ben@example.org>\r\n\r\n", true),
            ("From: ben+chess@EXAMPLE.org\r\n\r\n", true),
            ("From: ben@work.test\r\n\r\n", true),
            ("From: Ref@club.test\r\n\r\n", true),
            ("From: ref+x@club.test\r\n\r\n", false),
            (
                "From: mallory@example.org\r\nSubject: ben@example.org\r\n\r\n",
                false,
            ),
            ("From: x@y.test\r\nSubject: Re: [k7f3qd] x\r\n\r\n", true),
            (
                "From: x@y.test\r\nSubject: [K7F3QD] unsubscribe\r\n\r\n",
                true,
            ),
            ("From: x@y.test\r\nSubject: Re: [broken] x\r\n\r\n", true),
            (
                "From: x@y.test\r\nSubject: [new1] Unachess: invitation\r\n\r\n",
                true,
            ),
            (
                "From: x@y.test\r\nSubject: [debian-devel] k7f3qd\r\n\r\n",
                false,
            ),
            (
                "From: x@y.test\r\nIn-Reply-To: <k7f3qd.4.0123@a.test>\r\n\r\n",
                true,
            ),
            (
                "From: x@y.test\r\nReferences: <a@b> <broken.4.0@a.test>\r\n\r\n",
                true,
            ),
            (
                "From: x@y.test\r\nReferences: <other.4.0@a.test>\r\n\r\n",
                false,
            ),
            (
                "From: x@y.test\r\nReferences: <k7f3qd@a.test>\r\n\r\n",
                false,
            ),
            // What the user writes to himself is nobody else's concern.
            ("From: anna@example.org\r\nSubject: shopping\r\n\r\n", false),
            (
                "From: anna@example.org\r\nSubject: [k7f3qd] x\r\n\r\n",
                true,
            ),
            ("", false),
            ("\r\n", false),
        ] {
            assert_eq!(known.concerns(fields.as_bytes()), expected, "{fields:?}");
        }
    }

    #[test]
    fn fields_beyond_a_limit_are_a_players_if_they_name_one() {
        let known = known();
        let long = format!("Subject: {}\r\n", "=?".repeat(2000));
        let fields = |from: &str| format!("{long}From: {from}\r\n\r\n");
        assert!(IncomingMessage::parse(fields("ben@work.test").as_bytes()).is_err());
        assert!(known.concerns(fields("<ben@work.test>").as_bytes()));
        assert!(!known.concerns(fields("<mallory@work.test>").as_bytes()));
    }
}
