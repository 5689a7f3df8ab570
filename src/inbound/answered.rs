//! The message that a letter answers: its author, and the position that it showed.
//!
//! A letter cites what its program says it answers. What it quotes was chosen by the
//! person who is quoted, so that counts only where it cites nothing of ours.
//!
//! A letter may also put an earlier one right, as those that are edited in Delta Chat do.
//!
//! The `yes` that answers a question of ours: it stands for the line that the question asks for.
//!
//! A question asks for one line: "If you mean it, send this line". Whoever reads that on a phone
//! answers `yes`. As the line may be any move and many orders, `yes` counts only alone, above all
//! that is quoted, in an answer to that very mail, by the mail's own reader, and as long as nothing
//! else has happened: `question_of_yes` tells that. Anywhere else it is a word like any other.

use std::{cmp, iter};

use lettre::Address;

use crate::inbound::closing::without_closing;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::mailing_list::lines_disclosed;
use crate::inbound::request::is_yes;
use crate::mail::message_id::MessageId;
use crate::mail::quoting::attribution;
use crate::mail::quoting::line::{Author, Line};
use crate::mail::quoting::sent::MailText;
use crate::mail::quoting::thread::{self, Answers, Thread};
use crate::matches::action::{Intent, Played, Refusal, Request};
use crate::matches::article::QueuedArticle;
use crate::matches::codes::CodeState;
use crate::matches::decide::question_of_yes;
use crate::matches::event::{LogEntry, Who};
use crate::matches::mail::{MailKind, PUZZLE_SUBJECT, QueuedMail};
use crate::matches::mail_id::{MailIds, host_of};
use crate::matches::r#match::Match;
use crate::matches::player::{Player, mailbox};
use crate::notation::header::{IdLine, quoted_foot};
use crate::notation::reader::HABITS;
use crate::rules::Color;
use crate::rules::notation::Voice;

/// The message that a letter answers directly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parent {
    /// A mail of ours to the writer, owed by this line of the log (from 1).
    OurMail(usize),
    /// A letter of the writer's own, whose first event this line of the log is (from 1).
    OwnLetter(usize),
    /// Somebody else's message, or one that nobody here knows, or none.
    Other,
}

impl Parent {
    /// Finds the parent of a message in a match, for the player of these sides.
    pub fn of(message: &IncomingMessage, game: &Match, sides: &[Color]) -> Parent {
        let parent = message.parent.as_ref();
        let found = parent.and_then(|parent| {
            let own = || letter(game, sides, parent).map(Parent::OwnLetter);
            mail(game, sides, parent).map(Parent::OurMail).or_else(own)
        });
        found.unwrap_or(Parent::Other)
    }

    /// Returns the same, or `Other` if somebody else knows the id: it may be that of their mail.
    fn if_ours_alone(self, game: &Match, sides: &[Color]) -> Parent {
        let is_disclosed = |line| {
            let mut sides = sides.iter();
            sides.any(|side| line <= lines_disclosed(game, *side))
        };
        match self {
            Parent::OurMail(line) | Parent::OwnLetter(line) if is_disclosed(line) => Parent::Other,
            Parent::OurMail(_) | Parent::OwnLetter(_) | Parent::Other => self,
        }
    }
}

/// The message that a letter answers, to tell whose words are in the letter.
pub struct AnsweredMessage<'m> {
    message: &'m IncomingMessage,
    game: &'m Match,
    /// The sides that its sender plays.
    sides: Vec<Color>,
    parent: Parent,
    /// The question which match was meant, if the letter answers that, and the match
    /// that keeps it.
    question: Option<(&'m Match, QueuedMail)>,
    /// The text of the article of ours that it follows up in a newsgroup.
    article: Option<MailText>,
    /// The mails of ours of which it may answer one whose id a relay has replaced.
    relayed: Vec<QueuedMail>,
}

/// Other names of the players of a match.
const SIDES: [&str; 4] = ["white", "black", "sente", "gote"];

/// The most mails of ours with which the quotation is compared of a letter that answers
/// none of them.
const MOST_COMPARED: usize = 3;

impl<'m> AnsweredMessage<'m> {
    /// Finds what a message answers in a match. `own` are the matches of its sender.
    pub fn of(
        message: &'m IncomingMessage,
        game: &'m Match,
        own: &[&'m Match],
    ) -> AnsweredMessage<'m> {
        let sides = sides_of(message, game);
        AnsweredMessage {
            message,
            game,
            parent: Parent::of(message, game, &sides).if_ours_alone(game, &sides),
            question: question(message, own),
            sides,
            article: None,
            relayed: Vec::new(),
        }
    }

    /// Returns the same for a message that may answer one of these mails of ours, though a relay has
    /// replaced its id and the message cites an older one.
    #[must_use]
    pub fn relayed(mut self, mails: Vec<QueuedMail>) -> AnsweredMessage<'m> {
        self.relayed = mails;
        self
    }

    /// Returns the same for an article whose parent is one of ours with this text.
    #[must_use]
    pub fn following(mut self, article: Option<MailText>) -> AnsweredMessage<'m> {
        self.article = article;
        self
    }

    /// Takes from the writer what stands below words of somebody else. `me` is the user,
    /// who has sent our mails; `text` makes the text of one again. Returns true if what the
    /// letter quotes first is a mail of ours.
    pub fn bound(
        &self,
        lines: &mut [Line<'_>],
        me: &Player,
        text: &dyn Fn(&Match, &QueuedMail) -> Option<MailText>,
    ) -> bool {
        let answers = match self.parent {
            Parent::Other if self.question.is_none() && self.article.is_some() => Answers::OurMail,
            Parent::OwnLetter(_) if self.question.is_none() => Answers::OwnLetter,
            Parent::Other if self.question.is_none() && self.message.parent.is_some() => {
                Answers::Elsewhere
            }
            Parent::Other if self.question.is_none() => Answers::Nothing,
            _ => Answers::OurMail,
        };
        let is_ours = matches!(answers, Answers::OurMail | Answers::OwnLetter);
        let (game, sides) = (self.game, &self.sides);
        let foot = quoted_foot(lines, game.id());
        let is_known =
            |id: &MessageId| mail(game, sides, id).is_some() || letter(game, sides, id).is_some();
        let thread = Thread {
            answers,
            // A relay that replaces the ids of our mails often leaves none of ours.
            may_be_rewritten: !is_ours
                && (!self.relayed.is_empty() || !self.message.cites.iter().any(is_known)),
            mails: &|| self.mails(foot.as_ref(), text),
            ours: &small(me),
            senders: &self.senders(me),
            others: &self.others(me),
            is_order: &|line| Request::parse(line).is_some(),
            habits: &HABITS,
        };
        thread::bound(lines, &thread)
    }

    /// Returns the names and the addresses under which the mail that the letter answers may have
    /// gone out, in small letters. Its id has the domain of whoever had the match then.
    fn senders(&self, me: &Player) -> Vec<String> {
        let parent = self.message.parent.as_ref();
        let is_ours = |id: &MessageId| me.addresses().iter().any(|me| is_at(id, me.domain()));
        let is_others =
            matches!(self.parent, Parent::OurMail(_)) && parent.is_some_and(|id| !is_ours(id));
        let others = Color::ALL
            .into_iter()
            .filter(|side| !self.sides.contains(side));
        let others = others
            .filter(|_| is_others)
            .map(|side| self.game.player(side));
        iter::once(me).chain(others).flat_map(small).collect()
    }

    /// Returns the names of those whom the writer may quote beside us, a word each, in small
    /// letters.
    fn others(&self, me: &Player) -> Vec<String> {
        // A player whose program sends our mails is no other.
        let is_me = |side: Color| {
            let mut addresses = self.game.player(side).addresses().iter();
            addresses.any(|address| me.addresses().contains(address))
        };
        let is_other = |side: &Color| !self.sides.contains(side) && !is_me(*side);
        let others = Color::ALL.into_iter().filter(is_other);
        let names = others.map(|side| self.game.player(side).name().to_lowercase());
        let names: Vec<String> = names.collect();
        let words = names.iter().flat_map(|name| name.split_whitespace());
        let is_name = |word: &&str| word.chars().count() > 2 && !SIDES.contains(word);
        words.filter(is_name).map(str::to_owned).collect()
    }

    /// Makes the mails of ours again that the letter may quote, with this foot.
    fn mails(
        &self,
        foot: Option<&IdLine>,
        text: &dyn Fn(&Match, &QueuedMail) -> Option<MailText>,
    ) -> Vec<MailText> {
        let mut sent = self.sides.iter().flat_map(|side| self.game.mails_to(*side));
        match (&self.question, self.parent) {
            (Some((keeper, mail)), _) => text(keeper, mail).into_iter().collect(),
            (None, Parent::OurMail(line)) => {
                let mail = sent.find(|mail| mail.line == line);
                mail.and_then(|mail| text(self.game, &mail))
                    .into_iter()
                    .collect()
            }
            (None, Parent::OwnLetter(_)) => Vec::new(),
            (None, Parent::Other) if self.article.is_some() => {
                self.article.iter().cloned().collect()
            }
            (None, Parent::Other) => {
                let last = || {
                    let sent: Vec<QueuedMail> = sent.collect();
                    let shown = foot.and_then(|foot| with_foot(self.game, &sent, foot));
                    shown.into_iter().chain(last_of(sent)).collect()
                };
                let mails = Some(self.relayed.clone()).filter(|mails| !mails.is_empty());
                let mails = mails.unwrap_or_else(last).into_iter();
                mails.filter_map(|mail| text(self.game, &mail)).collect()
            }
        }
    }
}

/// Returns the last of these mails, with which a quotation is compared, the newest first.
fn last_of(mut mails: Vec<QueuedMail>) -> Vec<QueuedMail> {
    mails.sort_by_key(|mail| cmp::Reverse(mail.line));
    mails.truncate(MOST_COMPARED);
    mails
}

/// Returns the last of these mails of a match that has this foot. It may show moves that were taken back
/// by agreement since.
fn with_foot(game: &Match, sent: &[QueuedMail], foot: &IdLine) -> Option<QueuedMail> {
    let of = |then: &Match| {
        let hashes = then.hashes();
        hashes
            .get(foot.plies)
            .filter(|hash| foot.hash.as_ref() == Some(hash))?;
        let lines = then.lines_after(foot.plies);
        let has_it = |mail: &&QueuedMail| match mail.at {
            Some(plies) => plies == foot.plies,
            None => lines.contains(&mail.line),
        };
        sent.iter().rev().find(has_it).cloned()
    };
    let before = || game.before_last_takebacks().find_map(|then| of(&then));
    of(game).or_else(before)
}

/// Returns the question which match was meant, if a message answers it directly.
fn question<'m>(message: &IncomingMessage, own: &[&'m Match]) -> Option<(&'m Match, QueuedMail)> {
    let parent = message.parent.as_ref()?;
    own.iter().find_map(|keeper| {
        let sides = sides_of(message, keeper);
        let mut mails = sides.iter().flat_map(|side| keeper.mails_to(*side));
        let mail = mails.find(|mail| mail.kind == MailKind::Question && mail.msg == *parent)?;
        Some((*keeper, mail))
    })
}

/// Returns the sides that the sender of a message plays. Somebody who plays against
/// himself may have been the other side when the message first came.
pub(crate) fn sides_of(message: &IncomingMessage, game: &Match) -> Vec<Color> {
    let sender = message.sender.as_ref();
    sender.map_or(Vec::new(), |sender| game.sides(sender).collect())
}

/// Returns those of the sides for which the sender's address is proven.
pub(crate) fn own_sides(message: &IncomingMessage, game: &Match) -> Vec<Color> {
    let sender = message.sender.as_ref();
    sender.map_or(Vec::new(), |sender| game.proven_sides(sender))
}

/// Returns true if a match has received the message before, be it only to ask which
/// match was meant.
pub(crate) fn is_known(game: &Match, message: &IncomingMessage) -> bool {
    let mut sides = sides_of(message, game).into_iter();
    sides.any(|side| game.received(side, &message.id).is_some())
}

/// Returns the question to a claimed address that a letter from there answers.
pub(crate) fn address_question(
    message: &IncomingMessage,
    game: &Match,
    side: Color,
) -> Option<QueuedMail> {
    let (from, parent) = (message.sender.as_ref()?, message.parent.as_ref()?);
    let mut mails = game.mails_to(side);
    let asked = mails.find(|mail| mail.kind == MailKind::Address && mail.msg == *parent)?;
    let is_there = |address: &Address| mailbox(address) == mailbox(from);
    let is_open = asked.address.as_ref().is_some_and(is_there) && !game.belongs_to(side, from);
    is_open.then_some(asked)
}

/// Returns true if a Message-ID is of a mail from an address at a domain.
fn is_at(id: &MessageId, domain: &str) -> bool {
    let host = id.bare().rsplit_once('@');
    host.is_some_and(|(_, host)| host.eq_ignore_ascii_case(&host_of(domain)))
}

/// Returns the name and the addresses of a player in small letters.
fn small(player: &Player) -> Vec<String> {
    let addresses = player.addresses().iter().map(ToString::to_string);
    let words = addresses.chain([player.name().to_owned()]);
    words.map(|word| word.to_lowercase()).collect()
}

/// The position that a letter answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnsweredPosition {
    /// The number of half-moves made in it.
    pub plies: usize,
    /// True if it is the present position, by its hash.
    pub is_present: bool,
    /// The line of the log (from 1) at which it was shown, if that is known.
    pub line: Option<usize>,
    /// True if only `References` names the mail with this position, and the message answers one with
    /// an unknown id.
    pub is_by_references: bool,
    /// True if it is unknown, since the mail that shows it is of ours and the log lacks it.
    pub is_missing: bool,
}

impl AnsweredPosition {
    /// Returns the present position.
    fn present(game: &Match) -> AnsweredPosition {
        AnsweredPosition {
            plies: game.record().steps().len(),
            is_present: true,
            line: None,
            is_by_references: false,
            is_missing: false,
        }
    }

    /// Returns the position of a mail that the log lacks.
    pub(super) fn missing(game: &Match) -> AnsweredPosition {
        AnsweredPosition {
            is_present: false,
            is_missing: true,
            ..AnsweredPosition::present(game)
        }
    }

    /// Returns the present position instead if only `References` names the mail with this one, and
    /// the message quotes a mail with the present one: a relay may have replaced the id of that.
    /// `quotes` tells whether the message quotes one of some mails to this side.
    #[must_use]
    pub fn or_quoted(
        self,
        game: &Match,
        side: Color,
        quotes: impl FnOnce(Vec<QueuedMail>) -> bool,
    ) -> AnsweredPosition {
        if !self.is_by_references {
            return self;
        }
        let shows_present = |mail: &QueuedMail| {
            let shown = shown_by(game, mail.line);
            shown.is_some_and(|shown| shown.is_present)
        };
        let mut mails = last_of(game.mails_to(side).collect());
        mails.retain(shows_present);
        if mails.is_empty() || !quotes(mails) {
            return self;
        }
        AnsweredPosition::present(game)
    }

    /// Returns the position that a message answers, by its code or by what it cites. `ids` knows the
    /// ids of mails of ours, also of those that the log lacks.
    pub fn of(
        message: &IncomingMessage,
        game: &Match,
        sides: &[Color],
        code: CodeState,
        ids: &MailIds,
    ) -> Option<AnsweredPosition> {
        match code {
            CodeState::Right => return Some(AnsweredPosition::present(game)),
            CodeState::Outdated(line) => return shown_by(game, line),
            CodeState::MissingMail => return Some(AnsweredPosition::missing(game)),
            CodeState::Unknown => {}
        }
        // What puts an earlier letter right is about the position before that, whatever it cites.
        // No edit changes a move that is played, and a command in one is of today.
        if let Some(edited) = &message.edits {
            let mut sides_of = sides.iter();
            if sides_of.any(|side| game.played_by(*side, edited).is_some()) {
                return None;
            }
            if let Some(line) = letter(game, sides, edited) {
                return before(game, line);
            }
        }
        match Parent::of(message, game, sides) {
            Parent::OurMail(line) => shown_by(game, line),
            Parent::OwnLetter(line) => before(game, line),
            Parent::Other => {
                let parent = message.parent.as_ref();
                if let Some(article) = parent.and_then(|parent| game.article(parent)) {
                    return shown_in(game, article);
                }
                if parent
                    .is_some_and(|parent| ids.has_made(game.id(), parent) && !sent(game, parent))
                {
                    return Some(AnsweredPosition::missing(game));
                }
                let mut cited = message.references.iter().rev();
                let newest = cited.find_map(|id| mail(game, sides, id));
                let shown = shown_by(game, newest?)?;
                Some(AnsweredPosition {
                    is_by_references: parent.is_some(),
                    ..shown
                })
            }
        }
    }
}

/// Returns the event with which a letter of this player's was asked about or refused, and the mail
/// that told so, if a message answers that.
pub(crate) fn question_answered<'g>(
    message: &IncomingMessage,
    game: &'g Match,
    side: Color,
) -> Option<(&'g LogEntry, QueuedMail)> {
    let Parent::OurMail(line) = Parent::of(message, game, &[side]) else {
        return None;
    };
    let cause = game.log().get(line.checked_sub(2)?)?;
    let is_it = cause.is_refused() && cause.who == Who::Player(side);
    let mail = game.mails_to(side).find(|mail| mail.line == line)?;
    is_it.then_some((cause, mail))
}

/// Returns the line of the log that owes the mail with this id to one of these sides.
/// The question which match is meant shows no position.
fn mail(game: &Match, sides: &[Color], id: &MessageId) -> Option<usize> {
    line_of(game, |event| {
        event.is_owed() && is_of(event, sides) && event.went_out_as(id)
    })
}

/// Returns true if the log has the mail with this id, to whichever side.
fn sent(game: &Match, id: &MessageId) -> bool {
    line_of(game, |event| event.is_owed() && event.went_out_as(id)).is_some()
}

/// Returns the line of the first event that a letter of one of these sides caused.
fn letter(game: &Match, sides: &[Color], id: &MessageId) -> Option<usize> {
    line_of(game, |event| is_of(event, sides) && event.came_by(id))
}

fn is_of(event: &LogEntry, sides: &[Color]) -> bool {
    matches!(event.who, Who::Player(side) if sides.contains(&side)) && !event.is_question()
}

fn line_of(game: &Match, is_it: impl Fn(&LogEntry) -> bool) -> Option<usize> {
    game.log().iter().position(is_it).map(|at| at + 1)
}

/// Returns the position that the mail owed by this line shows.
fn shown_by(game: &Match, line: usize) -> Option<AnsweredPosition> {
    let mut mails = Color::ALL.into_iter().flat_map(|side| game.mails_to(side));
    let mail: QueuedMail = mails.find(|mail| mail.line == line)?;
    let then = game.shown_at(line).ok()?;
    let record = mail.at.map(|plies| then.record().until(plies));
    let record = record.as_ref().unwrap_or(then.record());
    Some(AnsweredPosition {
        plies: record.steps().len(),
        is_present: game.hash_of(record) == game.hash(),
        line: Some(line),
        is_by_references: false,
        is_missing: false,
    })
}

/// Returns the position that an article shows.
fn shown_in(game: &Match, article: &QueuedArticle) -> Option<AnsweredPosition> {
    let then = game.as_of(article.line).ok()?;
    let plies = then.plies_shown(article);
    let hash = game.hash_of(&then.record().until(plies));
    Some(AnsweredPosition {
        plies,
        is_present: hash == game.hash(),
        line: Some(article.line),
        is_by_references: false,
        is_missing: false,
    })
}

/// Returns the position before the event of this line.
fn before(game: &Match, line: usize) -> Option<AnsweredPosition> {
    let then = game.shown_at(line.checked_sub(1)?).ok()?;
    Some(AnsweredPosition {
        plies: then.record().steps().len(),
        is_present: then.hash() == game.hash(),
        line: Some(line),
        is_by_references: false,
        is_missing: false,
    })
}

/// Returns what a message asks for, if it puts an earlier one right: the same, unless a
/// move of the earlier one stands in the record. A move cannot be changed by its player
/// alone, so that the other move, which would be taken for the next one, is refused.
///
/// `sides` are the sides that its sender plays. Any other message is left alone: what it
/// puts right is of another match or of somebody else, or never came.
pub fn intent(intent: Intent, message: &IncomingMessage, game: &Match, sides: &[Color]) -> Intent {
    if answers_puzzle(message, game, sides) {
        return of_puzzle(intent);
    }
    let Some(edited) = &message.edits else {
        return intent;
    };
    let mut sides = sides.iter();
    let Some(played) = sides.find_map(|side| game.played_by(*side, edited)) else {
        return intent;
    };
    let line = match intent {
        Intent::Again(_) | Intent::Command(_) | Intent::Words => return intent,
        Intent::Move(played) => Some(played.line),
        Intent::OutOfTurn(line) | Intent::Mention { line, .. } | Intent::Ambiguous { line, .. } => {
            Some(line)
        }
        Intent::Refused(refusal) => refusal.lines.into_iter().next(),
    };
    Intent::Refused(Refusal::new(
        line.into_iter().collect(),
        format!(
            "You have edited a message whose move {played} is played, and an edited message \
             changes no move. To take the move back, send 'propose takeback' alone on a line; \
             if your opponent accepts, you can make another move."
        ),
    ))
}

/// Returns true if a message answers the mail of a puzzle: by the id of that, or, where a program
/// names none that is known here, by its subject.
fn answers_puzzle(message: &IncomingMessage, game: &Match, sides: &[Color]) -> bool {
    match Parent::of(message, game, sides) {
        Parent::OurMail(line) => {
            let mail = line.checked_sub(1).and_then(|at| game.log().get(at));
            mail.is_some_and(LogEntry::owes_puzzle)
        }
        Parent::OwnLetter(_) | Parent::Other => message.subject.contains(PUZZLE_SUBJECT),
    }
}

/// Returns what counts of an answer to a puzzle: a wish about mail, and a question. A solution may
/// be a legal move of the match that keeps the mail, and words about it are for nobody there.
fn of_puzzle(intent: Intent) -> Intent {
    let lines = match intent {
        Intent::Command(Request::Mail(_)) => return intent,
        Intent::Command(ref request) if request.is_question() => return intent,
        Intent::Command(request) => vec![request.to_string()],
        Intent::Move(played) => vec![played.line],
        Intent::OutOfTurn(line) | Intent::Mention { line, .. } | Intent::Ambiguous { line, .. } => {
            vec![line]
        }
        Intent::Refused(refusal) => refusal.lines,
        Intent::Again(_) | Intent::Words => Vec::new(),
    };
    Intent::Refused(Refusal::new(
        lines,
        "Your message answers a puzzle, so nothing of it is played or passed on in a match. The \
         solution is attached to the puzzle. To move, answer a mail of the match; \"puzzles off\" \
         ends the puzzles.",
    ))
}

/// A letter that says yes to a question.
pub struct Consent {
    /// The question.
    pub(crate) question: QueuedMail,
    /// What the line that it asks for would do.
    pub(crate) intent: Intent,
}

impl Consent {
    /// Reads the consent of a letter from the player of this side that says nothing but these
    /// words of its own, and neither moves nor orders. Its sender must have been proved as the
    /// policy asks. `quotes` tells whether the letter quotes a mail: where a relay has given our
    /// mail another id, that shows which one it answers.
    ///
    /// # Errors
    ///
    /// If it answers a mail that nobody here knows, and may mean a question: the line that this
    /// asks for.
    pub fn of(
        message: &IncomingMessage,
        lines: &[Line<'_>],
        words: &str,
        (game, side): (&Match, Color),
        quotes: impl Fn(&QueuedMail) -> bool,
    ) -> Result<Option<Consent>, String> {
        if message.edits.is_some() || !says_yes(lines, words, game.player(side).name()) {
            return Ok(None);
        }
        let parent = Parent::of(message, game, &[side]);
        let question = match parent.if_ours_alone(game, &[side]) {
            Parent::OurMail(line) => question_of_yes(game, side, line),
            Parent::Other if parent == Parent::Other && message.parent.is_some() => {
                let open = last_question(game, side);
                match open {
                    Some(open) if !quotes(&open) => {
                        return Err(open.asks.clone().unwrap_or_default());
                    }
                    open => open,
                }
            }
            Parent::OwnLetter(_) | Parent::Other => None,
        };
        Ok(question.and_then(|question| {
            let intent = intent_of(question.asks.as_deref()?, game, side)?;
            Some(Consent { question, intent })
        }))
    }
}

/// Returns the question that `yes` would answer in a letter of this side's to the last mail.
fn last_question(game: &Match, side: Color) -> Option<QueuedMail> {
    let last = game.mails_to(side).max_by_key(|mail| mail.line)?;
    question_of_yes(game, side, last.line)
}

/// Returns true if these words of a letter, whose writer has this name, are `yes` and nothing else.
pub(crate) fn says_yes(lines: &[Line<'_>], words: &str, name: &str) -> bool {
    is_yes(without_closing(words, name)) && begins_with_yes(lines)
}

/// Returns true if the first line of a letter, or the first one below a quotation of our mail in
/// marks, is a plain `yes` of its writer's.
fn begins_with_yes(lines: &[Line<'_>]) -> bool {
    let words = lines.iter().filter(|line| !line.is_blank());
    let words: Vec<Line<'_>> = words.cloned().collect();
    let quotation = words.iter().position(|line| line.column > 1).unwrap_or(0);
    let is_ours = |line: &&Line<'_>| line.column > 1 && line.is_of_parent;
    let is_attributed = attribution::lines_at_end(&words[..quotation]) == quotation;
    let quoted = words[quotation..].iter().take_while(is_ours).count();
    let first = if is_attributed && quoted > 0 {
        words.get(quotation + quoted)
    } else {
        words.first()
    };
    first.is_some_and(|line| {
        line.author == Author::Own && line.column == 1 && !line.is_doubtful && is_yes(line.text)
    })
}

/// Returns what a line does that a question asked for: a command, or a move with its number.
fn intent_of(line: &str, game: &Match, side: Color) -> Option<Intent> {
    if let Some(request) = Request::parse(line) {
        let is_action = matches!(request, Request::Act(_));
        return is_action.then_some(Intent::Command(request));
    }
    let (_, text) = line.rsplit_once(' ')?;
    if game.turn() != Some(side) {
        return None;
    }
    let reading = game.position().read_with(text, Voice::Alone).ok()?;
    Some(Intent::Move(Played {
        line: line.to_owned(),
        reading,
        offers_draw: false,
    }))
}
