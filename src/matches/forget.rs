//! A match keeps its moves and its result when a player asks to be forgotten.
//!
//! The name, the addresses and the words of the player go from every line of the log.
//! No line is taken away, since Message-IDs count them.
//!
//! A text is compared in a folded form, in which neither case, accents, the way they are
//! composed, nor the kind and number of blanks differ. What is found is cut out of the text
//! as it was written.

use chrono::{DateTime, Utc};
use lettre::Address;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::canonical_combining_class;

use crate::Error;
use crate::matches::article::NewsStep;
use crate::matches::event::{Event, LogEntry, Who};
use crate::matches::hash::Link;
use crate::matches::mail::MailKind;
use crate::matches::r#match::{Match, MatchSettings};
use crate::matches::player::{Player, mailbox};
use crate::printable::is_unprintable;
use crate::rules::Color;

/// The domain of what stands for an address: none has this one (RFC 2606).
const NOWHERE: &str = "forgotten.invalid";

/// A player who is forgotten: the words to look for, and those that stand in their place.
#[derive(Clone, Debug)]
pub struct Stranger {
    player: Player,
    traces: Traces,
}

impl Stranger {
    /// Creates the player `Player NUMBER`.
    ///
    /// # Errors
    ///
    /// Never, for a number.
    pub fn new(number: usize) -> Result<Stranger, Error> {
        let address = format!("player-{number}@{NOWHERE}");
        let address: Address = address.parse().map_err(Error::refused)?;
        let player =
            Player::new(&format!("Player {number}"), vec![address]).map_err(Error::refused)?;
        Ok(Stranger {
            player,
            traces: Traces::default(),
        })
    }

    /// Adds the names and addresses that the player of these sides has in a match: they
    /// are looked for in all.
    pub fn know(&mut self, game: &Match, sides: &[Color]) {
        self.traces.add(game, sides);
    }

    /// Adds addresses of the player to search for in all matches.
    pub fn know_addresses(&mut self, addresses: &[Address]) {
        for address in addresses {
            self.traces.add_address(address);
        }
    }

    /// Returns the remaining player of another side: without those of these addresses that this
    /// player only claims.
    fn without_claims(&self, game: &Match, side: Color) -> Player {
        let player = game.player(side);
        let is_kept = |own: &&Address| !(self.traces.has(own) && game.is_claim(side, own));
        let kept: Vec<Address> = player.addresses().iter().filter(is_kept).cloned().collect();
        if kept.is_empty() {
            return self.player.clone();
        }
        player.at(kept)
    }

    /// Puts the new name into a text wherever one of these traces of the player stands.
    fn without(&self, traces: &Traces, text: &str) -> String {
        traces.replaced(text, self.player.name())
    }

    fn forgotten(&self) -> Event {
        Event::Forgotten(Some(self.player.name().to_owned()))
    }

    /// Returns an address as it stays.
    fn address(&self, text: String) -> String {
        let address = text.parse::<Address>();
        if address.is_ok_and(|address| self.traces.has(&address)) {
            self.player.address().to_string()
        } else {
            text
        }
    }

    /// Returns a line of the log as it stays; `number` is its number, and `traces` are looked
    /// for in its match. A value that other lines or the rules refer to keeps its form.
    fn line(&self, event: &LogEntry, number: usize, sides: &[Color], traces: &Traces) -> LogEntry {
        let is_own = sides.iter().any(|side| event.who == Who::Player(*side));
        let is_mail = event.is_of_outgoing_mail();
        // The log does not tell whose program posts, whose words an article has.
        let is_article = event.news_step() == Some(NewsStep::Owed);
        let carries_words = event.owed_kind().is_some_and(MailKind::carries_words);
        let has_words = is_own || !sides.is_empty() && (carries_words || is_article);
        let name = || Some(self.player.name().to_owned());
        let is_unknown = event.is_repair() || matches!(event.event, Event::Other { .. });
        let mut new = event.clone().with_values(|key, value| match key {
            // The message was the player's, and its id has the name of a machine.
            "msg" if is_own && !is_mail => Some(format!("<{number}@{NOWHERE}>")),
            "msg" => Some(value),
            "edits" | "from" if is_own => None,
            "re" | "to" | "report" if is_own && is_mail => None,
            "from" | "to" => Some(self.address(value)),
            // The player's words, also in a mail to the opponent, and what the player
            // was written.
            "text" if has_words => name(),
            "text" if event.owed_kind() == Some(&MailKind::Question) => {
                // Those of earlier versions name other matches by their players.
                Some(self.without(&self.traces, &value))
            }
            "text" => Some(self.without(traces, &value)),
            _ if is_unknown => Some(self.without(traces, &value)),
            _ => Some(value),
        });
        match &mut new.event {
            Event::Note(Some(words)) | Event::Asked(Some(words)) if is_own => {
                self.player.name().clone_into(words);
            }
            Event::Note(Some(text))
            | Event::Asked(Some(text))
            | Event::Repaired(Some(text))
            | Event::Other {
                argument: Some(text),
                ..
            } => *text = self.without(traces, text),
            _ => {}
        }
        new
    }
}

impl Match {
    /// Returns the match without the name, the addresses and the words of the player of
    /// these sides. Mail that was owed to the player is dropped.
    ///
    /// # Errors
    ///
    /// If the match goes on: the opponent would wait in vain.
    pub fn forgetting(
        &self,
        sides: &[Color],
        stranger: &Stranger,
        now: DateTime<Utc>,
    ) -> Result<Match, Error> {
        if self.turn().is_some() {
            return Err(Error::refused(format!("{}: the match goes on", self.id())));
        }
        let mut game = self.without_traces(sides, stranger, &stranger.traces)?;
        let mails = game.state.unsent().filter(|mail| sides.contains(&mail.to));
        for mail in mails.map(|mail| mail.msg.clone()).collect::<Vec<_>>() {
            game.drop_mail(now, &mail)?;
        }
        for side in sides {
            game.push(LogEntry::new(now, stranger.forgotten(), *side))?;
        }
        Ok(game)
    }

    /// Returns the match of other players without the traces of one, if it has any. Its
    /// last line says so, since the lines above are no longer those that were written.
    ///
    /// # Errors
    ///
    /// If the log does not accept a line without them.
    pub(crate) fn cleared_of(
        &self,
        stranger: &Stranger,
        now: DateTime<Utc>,
    ) -> Result<Option<Match>, Error> {
        let traces = stranger.traces.in_match_of_others(self);
        let mut cleared = self.without_traces(&[], stranger, &traces)?;
        if cleared.log == self.log && cleared.headers == self.headers {
            return Ok(None);
        }
        let mails = cleared.state.unsent();
        let mails = mails.filter(|mail| cleared.address_of(mail).domain() == NOWHERE);
        for mail in mails.map(|mail| mail.msg.clone()).collect::<Vec<_>>() {
            cleared.drop_mail(now, &mail)?;
        }
        cleared.push(LogEntry::new(now, stranger.forgotten(), Who::Nobody))?;
        Ok(Some(cleared))
    }

    fn without_traces(
        &self,
        sides: &[Color],
        stranger: &Stranger,
        traces: &Traces,
    ) -> Result<Match, Error> {
        let mut settings = self.settings.clone();
        for side in Color::ALL {
            settings.players[side.index()] = if sides.contains(&side) {
                stranger.player.clone()
            } else {
                stranger.without_claims(self, side)
            };
        }
        settings.event = settings.event.map(|event| stranger.without(traces, &event));
        let mut game = self.written_anew(settings, |number, event| {
            stranger.line(event, number, sides, traces)
        })?;
        // A hand edit may have turned a player's words into a comment.
        game.headers
            .retain(|(_, value)| sides.is_empty() || !value.starts_with('|'));
        for (_, value) in &mut game.headers {
            *value = stranger.without(traces, value);
        }
        Ok(game)
    }

    /// Returns the match with these names of its players and its event. Each line of the log but the
    /// first is what `changed` makes of it and its number, from 1.
    fn written_anew(
        &self,
        settings: MatchSettings,
        changed: impl Fn(usize, &LogEntry) -> LogEntry,
    ) -> Result<Match, Error> {
        let is_changed = |side: Color| settings.players[side.index()] != *self.player(side);
        let begun = self.log[0].clone().with_values(|key, value| match key {
            "white" if is_changed(Color::White) => Some(settings.players[0].to_string()),
            "black" if is_changed(Color::Black) => Some(settings.players[1].to_string()),
            "event" => settings.event.clone(),
            _ => Some(value),
        });
        let begun = match &settings.event {
            Some(event) if begun.get("event").is_none() => begun.key("event", Some(event)),
            _ => begun,
        };
        let link = Link::first(&settings.id, &begun);
        let mut game = Match {
            headers: self.headers.clone(),
            ..Match::begun(settings, begun, link)
        };
        for (number, event) in (2..).zip(&self.log[1..]) {
            game.push(changed(number, event))?;
        }
        Ok(game)
    }

    /// Returns the match with these settings, which differ in the name of a player or of the event, that
    /// was `before`. The last line of the log says so, since all lines are chained anew.
    ///
    /// # Errors
    ///
    /// If the log does not accept a line.
    pub(crate) fn renamed(
        &self,
        settings: MatchSettings,
        who: Who,
        before: &str,
        now: DateTime<Utc>,
    ) -> Result<Match, Error> {
        let mut game = self.written_anew(settings, |_, event| event.clone())?;
        let renamed = Event::Other {
            kind: RENAMED.into(),
            argument: Some(before.to_owned()),
        };
        game.push(LogEntry::new(now, renamed, who))?;
        Ok(game)
    }

    /// Returns true if the player of this side was forgotten: no mail reaches anybody there.
    pub(crate) fn is_forgotten(&self, side: Color) -> bool {
        self.player(side).address().domain() == NOWHERE
    }

    /// Returns the number in the name of a player who was forgotten in this match.
    pub fn forgotten(&self) -> Option<usize> {
        let players = self.settings.players.iter();
        let numbers = players.filter_map(|player| {
            let name = player.given_name().strip_prefix("Player ")?;
            let is_forgotten = player.address().domain() == NOWHERE;
            name.parse().ok().filter(|_| is_forgotten)
        });
        numbers.max()
    }
}

/// The event of a name that was put right. Its argument is the name before.
const RENAMED: &str = "renamed";

/// The fewest characters of a name that is looked for within words: a shorter one
/// stands in too many of them.
const SHORTEST: usize = 3;

/// The addresses and names of a player.
#[derive(Clone, Default, Debug)]
struct Traces {
    /// The name of each mailbox and its domain, in small letters.
    mailboxes: Vec<(String, String)>,
    /// The folded names.
    names: Vec<Vec<char>>,
}

impl Traces {
    /// Adds what a match knows of the player of these sides.
    fn add(&mut self, game: &Match, sides: &[Color]) {
        for side in sides {
            let player = game.player(*side);
            for address in game.proven_addresses(*side) {
                self.add_address(address);
            }
            // A name that was put right may still stand in words.
            let is_renaming = |event: &&LogEntry| {
                event.event.kind() == RENAMED && event.who == Who::Player(*side)
            };
            let renamed = game.log().iter().filter(is_renaming);
            let before = renamed.filter_map(LogEntry::argument);
            for name in std::iter::once(player.given_name())
                .chain(before)
                .map(name_of)
            {
                if !name.is_empty() && !self.names.contains(&name) {
                    self.names.push(name);
                }
            }
        }
        // The longest first: one may be a part of another.
        self.names
            .sort_by_key(|name| (std::cmp::Reverse(name.len()), name.clone()));
    }

    fn add_address(&mut self, address: &Address) {
        let mailbox = mailbox(address);
        if !self.mailboxes.contains(&mailbox) {
            self.mailboxes.push(mailbox);
        }
    }

    /// Returns the traces without the names that another player of a match has, too.
    fn in_match_of_others(&self, game: &Match) -> Traces {
        let others = Color::ALL.map(|side| name_of(game.player(side).given_name()));
        let names = self.names.iter().filter(|name| {
            name.len() >= SHORTEST && !others.iter().any(|other| contains(other, name))
        });
        Traces {
            mailboxes: self.mailboxes.clone(),
            names: names.cloned().collect(),
        }
    }

    /// Returns true if an address is of one of the mailboxes, with any tag.
    fn has(&self, address: &Address) -> bool {
        self.mailboxes.contains(&mailbox(address))
    }

    /// Puts another name in the place of each trace in a text. Takes time linear in the
    /// text, for each trace.
    fn replaced(&self, text: &str, by: &str) -> String {
        let text = self.without_addresses(text, by);
        let folded = Folded::new(&text);
        let mut found: Vec<(usize, usize)> = Vec::new();
        for name in &self.names {
            folded.find(name, &mut found);
        }
        found.sort_unstable();
        let mut kept = String::with_capacity(text.len());
        let mut done = 0;
        for (start, end) in found {
            if start >= done {
                kept.push_str(&text[done..start]);
                kept.push_str(by);
                done = end;
            }
        }
        kept + &text[done..]
    }

    /// Looks at what stands around each `@`.
    fn without_addresses(&self, text: &str, by: &str) -> String {
        let is_name = |c: char| c.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(c);
        let is_domain = |c: char| c.is_alphanumeric() || c == '-' || c == '.';
        let mut kept = String::with_capacity(text.len());
        let mut done = 0;
        for (at, _) in text.match_indices('@') {
            let before = &text[done..at];
            let start = at - before.len() + before.trim_end_matches(is_name).len();
            let after = &text[at + 1..];
            let length = after.find(|c| !is_domain(c)).unwrap_or(after.len());
            let domain = after[..length].trim_end_matches(['.', '-']);
            let is_trace = self.mailboxes.iter().any(|(name, known)| {
                let user = text[start..at].to_lowercase();
                // Other signs may belong to the text: 'anna@example.org'.
                let user = user.split_once('+').map_or(user.as_str(), |(name, _)| name);
                let end = user.strip_suffix(name.to_lowercase().as_str());
                domain.to_lowercase() == known.to_lowercase()
                    && end.is_some_and(|end| !end.ends_with(char::is_alphanumeric))
            });
            if is_trace {
                kept.push_str(&text[done..start]);
                kept.push_str(by);
                done = at + 1 + domain.len();
            }
        }
        kept + &text[done..]
    }
}

/// Returns true if a text has a name in it.
fn contains(text: &[char], name: &[char]) -> bool {
    text.windows(name.len()).any(|part| part == name)
}

/// Folds a name.
fn name_of(text: &str) -> Vec<char> {
    let folded = Folded::new(text.trim()).chars;
    folded.into_iter().map(|(c, ..)| c).collect()
}

/// A text in which neither case, accents nor blanks differ, with the place of each
/// character in the text as it was written.
struct Folded {
    chars: Vec<(char, usize, usize)>,
}

impl Folded {
    fn new(text: &str) -> Folded {
        let mut chars: Vec<(char, usize, usize)> = Vec::new();
        for (at, c) in text.char_indices() {
            let end = at + c.len_utf8();
            if c.is_whitespace() {
                // A row of blanks is one.
                match chars.last_mut() {
                    Some((' ', _, last)) => *last = end,
                    _ => chars.push((' ', at, end)),
                }
                continue;
            }
            if is_unprintable(c) || matches!(c, '\u{ad}' | '\u{200c}' | '\u{200d}') {
                continue;
            }
            for part in std::iter::once(c).nfkd() {
                if canonical_combining_class(part) != 0 {
                    // An accent belongs to the letter before it.
                    if let Some((_, _, last)) = chars.last_mut() {
                        *last = end;
                    }
                } else if part.is_whitespace() {
                    chars.push((' ', at, end));
                } else {
                    let small = part.to_uppercase().flat_map(char::to_lowercase);
                    chars.extend(small.map(|c| (c, at, end)));
                }
            }
        }
        Folded { chars }
    }

    /// Finds a folded name: a short one only where it is a word of its own.
    fn find(&self, name: &[char], found: &mut Vec<(usize, usize)>) {
        if name.is_empty() {
            return;
        }
        let is_letter = |at: Option<usize>| {
            let c = at.and_then(|at| self.chars.get(at));
            c.is_some_and(|(c, ..)| c.is_alphanumeric())
        };
        for (at, part) in self.chars.windows(name.len()).enumerate() {
            let is_name = part.iter().map(|(c, ..)| c).eq(name);
            let is_word = || !is_letter(at.checked_sub(1)) && !is_letter(Some(at + name.len()));
            if is_name && (name.len() >= SHORTEST || is_word()) {
                found.push((part[0].1, part[name.len() - 1].2));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;
    use crate::matches::action::Action;
    use crate::matches::article::{Forum, NewArticle};
    use crate::matches::event::AddressStep;
    use crate::matches::mail::NewMail;
    use crate::matches::mail_id::{IdSecret, MailIds};
    use crate::matches::r#match::MatchSettings;

    fn now() -> DateTime<Utc> {
        clock::read("2026-11-20T03:00:00Z").unwrap()
    }

    fn game(id: &str, players: [&str; 2]) -> Match {
        let settings = MatchSettings {
            players: players.map(|player| player.parse().unwrap()),
            ..MatchSettings::sample(id)
        };
        Match::new(settings, now())
    }

    fn text(game: &Match) -> String {
        let lines = game.log().iter().map(LogEntry::line);
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Such a question was kept in another match, and mailed from there.
    #[test]
    fn a_question_of_an_earlier_version_in_another_match_is_searched_and_stays_owed() {
        let ids = MailIds::new(IdSecret::from_bytes([7; IdSecret::LENGTH]), "example.org");
        let of_al = game("one", ["Al <al@example.org>", "Ben <ben@example.org>"]);
        let mut stranger = Stranger::new(3).unwrap();
        stranger.know(&of_al, &[Color::White]);
        let mut other = game(
            "two",
            ["Ben <ben@example.org>", "Albert <albert@example.org>"],
        );
        let question = "Your games:\n\n  [one] Unachess: Al - Ben, over\n";
        let mail = NewMail::new(MailKind::Question, Color::White).saying(question);
        other.owe(now(), mail, &ids).unwrap();
        let asked = Event::Address(Some(AddressStep::Asked));
        let asked =
            LogEntry::new(now(), asked, Color::White).key("from", Some("al+chess@example.org"));
        other.push(asked).unwrap();
        let note = Event::note("Albert, AL+x@Example.org says hello");
        other
            .push(LogEntry::new(now(), note, Color::White))
            .unwrap();
        let cleared = other.cleared_of(&stranger, now()).unwrap().unwrap();
        let expected = text(&other)
            .replace("Al - Ben", "Player 3 - Ben")
            .replace("al+chess@example.org", "player-3@forgotten.invalid")
            .replace("AL+x@Example.org", "Player 3");
        let last = "\n2026-11-20T03:00:00Z forgotten - \"Player 3\"";
        assert_eq!(text(&cleared), expected + last);
        assert_eq!(cleared.owed()[0].msg, other.owed()[0].msg);
        assert!(cleared.cleared_of(&stranger, now()).unwrap().is_none());
    }

    #[test]
    fn words_for_everybody_are_forgotten_too() {
        let ids = MailIds::new(IdSecret::from_bytes([7; IdSecret::LENGTH]), "example.org");
        let mut game = game("one", ["Al <al@example.org>", "Ben <ben@example.org>"]);
        let called_for = NewArticle {
            text: Some("I live in Ely".to_owned()),
            ..NewArticle::to(&Forum::Group("rec.games.abstract".parse().unwrap()))
        };
        let id = game.owe_article(now(), &called_for, &ids, "example.invalid");
        game.article_posted(now(), &id.unwrap()).unwrap();
        let resigned = LogEntry::new(now(), Action::Resign, Color::White);
        game.push(resigned).unwrap();
        let mut stranger = Stranger::new(3).unwrap();
        stranger.know(&game, &[Color::White]);
        let forgetting = game.forgetting(&[Color::White], &stranger, now()).unwrap();
        assert!(!text(&forgetting).contains("Ely"), "{}", text(&forgetting));
        assert_eq!(forgetting.posted_articles().len(), 1);
    }

    /// The report has the name of the player's machine in its id, and the address in its words.
    #[test]
    fn nothing_stays_of_a_report_about_a_mail_to_the_player() {
        let ids = MailIds::new(IdSecret::from_bytes([7; IdSecret::LENGTH]), "example.org");
        let mut game = game("one", ["Al <al@home.test>", "Ben <ben@example.org>"]);
        game.push(LogEntry::new(now(), Action::Resign, Color::White))
            .unwrap();
        let msg = game
            .owe(now(), NewMail::new("position", Color::White), &ids)
            .unwrap();
        game.sent(now(), &msg, "smtp").unwrap();
        let report = "<report.7@pc.home.test>".parse().unwrap();
        let address: Address = "al@home.test".parse().unwrap();
        let failed = [(
            vec![address],
            "550 no mailbox of Al's at home.test".to_owned(),
        )];
        game.mail_reported(now(), &report, &msg, &failed).unwrap();
        assert!(text(&game).contains(" bounced White position ") && game.has_report(&report));
        let mut stranger = Stranger::new(1).unwrap();
        stranger.know(&game, &[Color::White]);
        let game = game.forgetting(&[Color::White], &stranger, now()).unwrap();
        let text = text(&game);
        assert!(text.contains(" bounced White position "), "{text}");
        assert!(
            !text.contains("home.test") && !text.contains(" report="),
            "{text}"
        );
    }

    /// The letter that another one put right has the name of the player's machine, too.
    #[test]
    fn nothing_stays_of_a_letter_that_was_put_right() {
        let mut game = game("one", ["Al <al@home.test>", "Ben <ben@example.org>"]);
        for (side, host) in [
            (Color::White, "pc.home.test"),
            (Color::Black, "pc.example.org"),
        ] {
            let note = LogEntry::new(now(), Event::note("hello"), side);
            let note = note.key("msg", Some(format!("<second@{host}>")));
            game.push(note.edits(&format!("<first@{host}>").parse().unwrap()))
                .unwrap();
        }
        game.push(LogEntry::new(now(), Action::Resign, Color::White))
            .unwrap();
        let mut stranger = Stranger::new(1).unwrap();
        stranger.know(&game, &[Color::White]);
        let game = game.forgetting(&[Color::White], &stranger, now()).unwrap();
        let text = text(&game);
        assert!(!text.contains("home.test"), "{text}");
        let edits: Vec<Option<&str>> = game.log().iter().map(|event| event.get("edits")).collect();
        assert_eq!(
            edits[1..3],
            [None, Some("<first@pc.example.org>")],
            "{text}"
        );
    }

    /// It would be owed again by `mail retry`.
    #[test]
    fn mail_to_the_player_that_was_refused_is_dropped() {
        let ids = MailIds::new(IdSecret::from_bytes([7; IdSecret::LENGTH]), "example.org");
        let mut game = game("one", ["Al <al@home.test>", "Ben <ben@example.org>"]);
        game.push(LogEntry::new(now(), Action::Resign, Color::White))
            .unwrap();
        for side in Color::ALL {
            let mail = NewMail::new("position", side);
            let msg = game.owe(now(), mail, &ids).unwrap();
            game.mail_failed(now(), &msg, "smtp", "550 no", false)
                .unwrap();
        }
        assert_eq!(game.undelivered().len(), 2);
        let mut stranger = Stranger::new(1).unwrap();
        stranger.know(&game, &[Color::White]);
        let game = game.forgetting(&[Color::White], &stranger, now()).unwrap();
        let left = game.undelivered().iter().map(|refused| refused.mail.to);
        assert_eq!(left.collect::<Vec<_>>(), [Color::Black]);
    }

    /// A name that another player has is that player's in a match of others.
    #[test]
    fn a_namesake_keeps_the_name() {
        let anna = game("one", ["Anna <anna@example.org>", "Ben <ben@example.org>"]);
        let mut stranger = Stranger::new(1).unwrap();
        stranger.know(&anna, &[Color::White]);
        let mut other = game(
            "two",
            ["Ben <ben@example.org>", "Anna Alt <alt@example.org>"],
        );
        let note = LogEntry::new(now(), Event::note("Well played, Anna!"), Color::White);
        other.push(note).unwrap();
        assert!(other.cleared_of(&stranger, now()).unwrap().is_none());
        let mut third = game(
            "three",
            ["Ben <ben@example.org>", "Carl <carl@example.org>"],
        );
        let note = LogEntry::new(now(), Event::note("I lost to ANNA."), Color::White);
        third.push(note).unwrap();
        let cleared = third.cleared_of(&stranger, now()).unwrap().unwrap();
        assert!(
            text(&cleared).contains("I lost to Player 1."),
            "{}",
            text(&cleared)
        );
    }

    #[test]
    fn nobody_owes_mail_to_a_player_who_was_forgotten() {
        let mut game = game("one", ["Anna <anna@example.org>", "Ben <ben@example.org>"]);
        game.push(LogEntry::new(now(), Action::Resign, Color::White))
            .unwrap();
        let mut stranger = Stranger::new(1).unwrap();
        stranger.know(&game, &[Color::White]);
        let game = game.forgetting(&[Color::White], &stranger, now()).unwrap();
        assert!(game.is_forgotten(Color::White) && !game.is_forgotten(Color::Black));
        let to = |side| NewMail::new("note", side);
        assert!(!game.takes(&to(Color::White)) && game.takes(&to(Color::Black)));
        let answer = to(Color::White).at_address("anna@example.org".parse().unwrap());
        assert!(!game.takes(&answer));
    }

    fn traces(name: &str) -> Traces {
        let mut traces = Traces::default();
        traces.add_address(&"Anna.A+chess@Example.org".parse().unwrap());
        traces.names.push(name_of(name));
        traces
    }

    #[test]
    fn a_name_is_found_in_each_case_form_and_spacing() {
        for (name, text) in [
            ("Jürgen Groß", "JÜRGEN  GROSS"),
            ("Jürgen Groß", "Ju\u{308}rgen\u{a0}Groß"),
            ("Ju\u{308}rgen Groß", "jürgen\ngroß"),
            ("Jürgen Groß", "Jür\u{ad}gen Gro\u{200b}ß"),
            ("Søren Åby", "SØREN A\u{30a}BY"),
            ("Ελένης", "ΕΛΈΝΗΣ"),
            ("李 明", "李\u{3000}明"),
            ("Bo", "Bo"),
            ("Bo", "BO"),
        ] {
            let text = format!("Dear {text}, hello!");
            let expected = "Dear Player 1, hello!";
            assert_eq!(traces(name).replaced(&text, "Player 1"), expected, "{name}");
        }
        // Too short to be looked for within words.
        let kept = "A bow, a robot and a hobo.";
        assert_eq!(traces("Bo").replaced(kept, "Player 1"), kept);
    }

    #[test]
    fn a_mailbox_is_found_with_any_tag_and_no_other_is() {
        for text in [
            "anna.a@example.org",
            "ANNA.A+other@EXAMPLE.ORG",
            "anna.a+chess@example.org",
            "Anna.A+x+y@Example.org",
        ] {
            for (before, after) in [
                ("<", ">"),
                ("'", "'"),
                ("", "."),
                ("mailto:", "?subject=x"),
                ("/", "/"),
            ] {
                let text = format!("at {before}{text}{after} and");
                let expected = format!("at {before}Player 1{after} and");
                let replaced = traces("x y z").replaced(&text, "Player 1");
                let plain = replaced.replace("at Player 1", &format!("at {before}Player 1"));
                assert!(
                    replaced == expected || plain == expected,
                    "{text}: {replaced}"
                );
            }
        }
        for text in [
            "joanna.a@example.org",
            "anna.a@example.org.test",
            "anna.b@example.org",
            "@",
            "a@@b",
        ] {
            assert_eq!(traces("x y z").replaced(text, "Player 1"), text);
        }
    }
}
