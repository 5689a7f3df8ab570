//! A player's message together with its match, and the moves in it, sorted by what they claim to be.

use std::collections::HashMap;
use std::ops::Range;

use crate::inbound::answered::AnsweredPosition;
use crate::inbound::request;
use crate::mail::quoting::line::{Author, Line, Typed};
use crate::matches::action::{Refusal, Request};
use crate::matches::r#match::Match;
use crate::notation::header::{self, IdLine};
use crate::notation::move_list::{
    self, FollowedList, Follower, Relation, may_be_rest, mover, numbered,
};
use crate::notation::moves::{Manner, MoveEntry, Moves};
use crate::notation::reader::{ParsedText, PartKind};
use crate::printable::half_moves;
use crate::rules::notation::{MoveText, Voice, is_comment_sign};
use crate::rules::{Color, Position, Record, Role};

/// A player's message together with its match.
#[derive(Clone, Copy)]
pub(super) struct Reply<'a> {
    pub(super) game: &'a Match,
    pub(super) sender: Color,
    pub(super) text: &'a ParsedText<'a>,
    pub(super) id_lines: &'a [IdLine],
    /// The position that it answers, if that is known.
    pub(super) answered: Option<AnsweredPosition>,
    /// True if the message came long ago, or may have been read before.
    pub(super) is_anew: bool,
    /// True if the player's own copy of this program has made the message.
    pub(super) is_made: bool,
}

impl<'a> Reply<'a> {
    /// Returns true if lines, counted from 0, are not a piece of a sentence.
    fn stands_alone(&self, lines: Range<usize>) -> bool {
        self.is_made || request::stands_alone(&self.text.lines, lines)
    }

    /// Returns the command of a line, counted from 0, unless it is a piece of a sentence.
    pub(super) fn command(&self, at: usize) -> Option<Request> {
        let command = Request::parse(self.text.lines[at].text)?;
        (self.is_made || request::command(&self.text.lines, at).is_some()).then_some(command)
    }

    pub(super) fn record(&self) -> &'a Record {
        self.game.record()
    }

    pub(super) fn position(&self) -> &'a Position {
        self.record().position()
    }

    /// Returns the number of half-moves made.
    pub(super) fn plies(&self) -> usize {
        self.record().steps().len()
    }

    pub(super) fn is_senders_turn(&self) -> bool {
        self.position().turn() == self.sender
    }

    /// Returns true if the other player's offer or proposal stands.
    pub(super) fn has_offer(&self) -> bool {
        let other = Some(!self.sender);
        self.game.offer() == other || self.game.takeback() == other
    }

    /// Returns the number of the next move.
    pub(super) fn next_number(&self) -> String {
        move_list::number_of_ply(self.plies())
    }

    /// Returns a line of the text by its number, counted from 1.
    pub(super) fn line(&self, number: usize) -> Option<String> {
        let line = self.text.lines.get(number.checked_sub(1)?)?;
        Some(line.text.trim().to_owned())
    }

    /// Returns the line that a move stands on.
    pub(super) fn line_of(&self, entry: &MoveEntry) -> String {
        let line = self.line(entry.place.line);
        line.unwrap_or_else(|| entry.text.trim().to_owned())
    }

    /// Returns the position that a message answers: that of the foot which the sender's
    /// own program wrote, else that of the message it cites, else that of a quoted foot. Where the
    /// message it answers is unknown, the quotation tells whether the log lacks that mail.
    pub(super) fn position_answered(
        game: &Match,
        sender: Color,
        text: &ParsedText<'_>,
        id_lines: &[IdLine],
        cited: Option<AnsweredPosition>,
    ) -> Option<AnsweredPosition> {
        let foot = id_lines.first().filter(|foot| foot.id == *game.id());
        let quoted = |foot: &IdLine| {
            let made = game.record().steps().len();
            // The sender's own program has already counted the move; a mailer that quotes
            // without marks has not.
            let counts_it = foot.author == Author::Own && foot.plies == made + 1;
            let plies = foot.plies - usize::from(counts_it);
            let is_now = || foot.hash.as_ref() == Some(&game.hash());
            AnsweredPosition {
                plies,
                // The hash of another record is refused when the move is known.
                is_present: plies == made && (is_now() || !TakenBack::of(game).has(foot)),
                line: cited.and_then(|cited| cited.line),
                is_by_references: false,
                is_missing: false,
            }
        };
        let is_program_s = |foot: &&IdLine| foot.author == Author::Own && foot.hash.is_some();
        let own = foot.filter(is_program_s);
        // The sender's program has moves that the record here lacks.
        if own.is_some()
            && cited.is_some_and(|cited| cited.is_missing)
            && lists_other_moves(game, sender, text, |author| author == Author::Own)
        {
            return cited;
        }
        let own = own.map(quoted);
        let is_unknown = match cited {
            Some(cited) => cited.is_missing || cited.is_by_references,
            None => foot.is_none(),
        };
        if own.is_none() && is_unknown {
            match shows_record(game, sender, text) {
                Shown::Present => {
                    let cited = cited.filter(|cited| !cited.is_missing);
                    return cited.or_else(|| foot.map(quoted));
                }
                Shown::Other => return Some(AnsweredPosition::missing(game)),
                Shown::Nothing => {}
            }
        }
        own.or(cited).or_else(|| foot.map(quoted))
    }

    /// Returns true if the message may be about the present position: it answers that,
    /// or nobody knows which and it has just come.
    pub(super) fn is_about_now(&self) -> bool {
        self.answered
            .map_or(!self.is_anew, |answered| answered.is_present)
    }

    /// Returns true if the message answers a mail of ours that the log lacks.
    pub(super) fn is_of_missing_mail(&self) -> bool {
        self.answered.is_some_and(|answered| answered.is_missing)
    }

    /// Returns the number of half-moves in the position that the message answers, if
    /// that is known.
    pub(super) fn plies_answered(&self) -> Option<usize> {
        self.answered.map(|answered| answered.plies)
    }
}

/// The hashes of the match as it was before each of the last take-backs by agreement, after each
/// number of half-moves. Mails from before still show the moves that were taken back.
pub(super) struct TakenBack(Vec<Vec<String>>);

impl TakenBack {
    pub(super) fn of(game: &Match) -> TakenBack {
        let before = game.before_last_takebacks();
        TakenBack(before.map(|then| then.hashes()).collect())
    }

    /// Returns true if a quoted id line is of moves of this match, be they taken back. The
    /// sender's own program says what its record is now.
    pub(super) fn has(&self, line: &IdLine) -> bool {
        let is_it =
            |then: &Vec<String>| line.hash.is_some() && line.hash.as_ref() == then.get(line.plies);
        line.author != Author::Own && self.0.iter().any(is_it)
    }
}

/// The position that a quotation shows.
enum Shown {
    /// The present position.
    Present,
    /// A record that the match never had.
    Other,
    /// An older position, or nothing that tells.
    Nothing,
}

/// Reads the position that a quotation shows from its foot, or from its lists if it has no foot.
fn shows_record(game: &Match, sender: Color, text: &ParsedText<'_>) -> Shown {
    let Some(foot) = header::quoted_foot(&text.lines, game.id()) else {
        return if lists_other_moves(game, sender, text, |author| author != Author::Own) {
            Shown::Other
        } else {
            Shown::Nothing
        };
    };
    let hash = foot.hash.as_ref();
    if hash == Some(&game.hash()) {
        Shown::Present
    } else if hash == game.hashes().get(foot.plies) || TakenBack::of(game).has(&foot) {
        Shown::Nothing
    } else {
        Shown::Other
    }
}

/// Returns true if a list by such an author has a move of the sender's opponent that the match never
/// had, be it taken back.
fn lists_other_moves(
    game: &Match,
    sender: Color,
    text: &ParsedText<'_>,
    is_by: impl Fn(Author) -> bool,
) -> bool {
    let lists: Vec<&Moves> = text
        .moves()
        .filter(|row| row.manner == Manner::List && is_by(row.entries[0].author))
        .collect();
    let has_other = |record: &Record| {
        let mut follower = Follower::new(record);
        let mut entries = lists.iter().flat_map(|row| row.of_list());
        entries.any(|entry| {
            let (ply, relation) = follower.follow(entry);
            relation != Relation::Agrees && mover(ply) != sender
        })
    };
    has_other(game.record())
        && game
            .before_last_takebacks()
            .all(|then| has_other(then.record()))
}

/// The length in characters up to which a line is too short to have been wrapped.
const SHORTEST_WRAPPED: usize = 22;

/// The moves of a message, sorted.
#[derive(Default)]
pub(super) struct ReplyMoves<'a> {
    /// Moves stated as the next one.
    pub(super) stated: Vec<StatedMove<'a>>,
    /// Moves that may be stated, in a list that need not be from our own mail. They are
    /// among the moves in prose, too, and no other move is played beside them.
    pub(super) doubtful: Vec<StatedMove<'a>>,
    /// Moves that stand in prose.
    pub(super) mentioned: Vec<&'a MoveEntry>,
    /// The first move in prose that has the number of the next move before it.
    pub(super) tried: Option<&'a MoveEntry>,
    /// The half-moves of the sender's moves that are stated although the record has
    /// them.
    pub(super) repeated: Vec<usize>,
    /// The sender's own mistakes.
    pub(super) wrong: Vec<Refusal>,
    /// Refusals that count only if nothing else does: of lines that hold only a misspelt drop,
    /// `K> h1`, and behind them of mistakes in a quotation.
    pub(super) minor: Vec<Refusal>,
    /// The number of half-moves in the longest quoted list.
    pub(super) quoted: Option<usize>,
    /// Moves in words that were carried to the sender and stand without quote marks.
    carried: Vec<&'a MoveEntry>,
}

/// A move stated as the next one.
pub(super) struct StatedMove<'a> {
    pub(super) entry: &'a MoveEntry,
    pub(super) voice: Voice,
    /// True if the message also gives the move's place in the game: by a number, or by
    /// the list that it ends.
    pub(super) placed: bool,
}

impl<'a> StatedMove<'a> {
    /// Makes a move that stands alone, without its place in the game.
    pub(super) fn lone(entry: &'a MoveEntry) -> StatedMove<'a> {
        StatedMove {
            entry,
            voice: Voice::Alone,
            placed: false,
        }
    }
}

impl<'a> ReplyMoves<'a> {
    /// Sorts all moves of a message.
    pub(super) fn of(reply: &Reply<'a>) -> ReplyMoves<'a> {
        let mut sorter = MoveSorter {
            reply,
            follower: Follower::new(reply.record()),
            found: ReplyMoves::default(),
            foot: header::first_quoted_id_line(&reply.text.lines),
            rows: Vec::new(),
        };
        sorter.sort();
        sorter.found
    }
}

struct MoveSorter<'a, 'r> {
    reply: &'r Reply<'a>,
    follower: Follower<'a>,
    found: ReplyMoves<'a>,
    /// The line with the foot of the first mail that is quoted.
    foot: Option<usize>,
    /// The rows of the list at hand, all of the same author.
    rows: Vec<&'a Moves>,
}

impl<'a> MoveSorter<'a, '_> {
    fn sort(&mut self) {
        self.bad_drops();
        let text = self.reply.text;
        let mut above: Option<&'a Moves> = None;
        for part in &text.parts {
            let PartKind::Moves(moves) = &part.kind else {
                // A board or a heading separates two lists.
                self.end_list();
                continue;
            };
            let above = above.replace(moves);
            let author = moves.entries[0].author;
            if request::is_note(&text.lines, moves.lines.start) {
                continue;
            }
            match author {
                Author::Carried | Author::Program => {
                    self.end_list();
                    if self.is_at_edge(moves) {
                        // The sender may have written what somebody else named.
                        self.found.mentioned.extend(&moves.entries);
                    } else if author == Author::Carried && text.lines[moves.lines.start].column == 1
                    {
                        self.found.carried.extend(&moves.entries);
                    }
                    continue;
                }
                Author::Unclear => {
                    self.end_list();
                    self.found.mentioned.extend(&moves.entries);
                    continue;
                }
                _ => {}
            }
            let is_row = moves.manner == Manner::List && author != Author::Signature;
            if is_row || self.goes_on(moves) {
                if self
                    .rows
                    .first()
                    .is_some_and(|row| row.entries[0].author != author)
                {
                    self.end_list();
                }
                if self.rows.is_empty() {
                    self.follower.begin(self.first(author));
                }
                self.rows.push(moves);
                for entry in moves.of_list() {
                    self.follower.pass(entry);
                }
                continue;
            }
            self.end_list();
            match (moves.manner, author) {
                (Manner::Bare, Author::Own) => self.bare(moves, above),
                // It may be quoted, so the sender is asked.
                (Manner::Bare, Author::Quoted(0))
                | (Manner::Prose | Manner::Named(_), Author::Own) => {
                    self.found.mentioned.extend(&moves.entries);
                }
                (Manner::Bare, _) if text.lines[moves.lines.start].may_be_typed() => {
                    self.found.mentioned.extend(&moves.entries);
                }
                _ => {}
            }
        }
        self.end_list();
        let mut lines = text.lines.iter().filter(|line| !line.is_blank());
        if !lines.any(|line| line.author.may_be_own()) {
            // The sender may have repeated another person's move, or quoted it.
            self.found.mentioned.append(&mut self.found.carried);
        }
    }

    /// Returns true if unmarked moves are the first or the last words of the message.
    fn is_at_edge(&self, moves: &Moves) -> bool {
        let lines = &self.reply.text.lines;
        let is_blank = |lines: &[Line<'_>]| lines.iter().all(Line::is_blank);
        lines[moves.lines.start].column == 1
            && (is_blank(&lines[..moves.lines.start]) || is_blank(&lines[moves.lines.end..]))
    }

    /// Returns true if all rows of a quoted list are quoted from the mail that the letter
    /// answers, so that the sender has typed in what it has more than that mail.
    fn is_of_our_mail(&self, rows: &[&Moves]) -> bool {
        let lines = &self.reply.text.lines;
        let last = rows.last().map_or(0, |row| row.lines.start);
        // The foot is the last line of a mail: a row below it is of another one.
        let is_above_foot = self.foot.is_none_or(|foot| last < foot);
        let mut rows = rows.iter().flat_map(|row| &lines[row.lines.clone()]);
        is_above_foot && rows.all(|line| line.is_of_parent)
    }

    /// Returns true if moves without a number, on a line directly below, belong to the
    /// list. They do if the record has them at that place. A move to be made now
    /// belongs only if it was typed into a marked quotation, no farther down than the
    /// rows are apart. In the sender's own lines such a move stands for itself.
    fn goes_on(&mut self, row: &Moves) -> bool {
        let Some(last) = self.rows.last() else {
            return false;
        };
        // A comment may end on the line that the row continues.
        let between = |above: &Moves, row: &Moves| above.lines.end..row.lines.start;
        let lines = self
            .reply
            .text
            .lines
            .get(between(last, row))
            .unwrap_or_default();
        if !may_be_rest(row, last) || !lines.iter().all(Line::is_blank) {
            return false;
        }
        let gap = match self.rows.as_slice() {
            [.., before, last] => between(before, last).len(),
            _ => 0,
        };
        let author = row.entries[0].author;
        let is_typed_in = matches!(author, Author::Quoted(1..)) && lines.len() <= gap;
        let mut entries = (self.follower.next()..).zip(&row.entries);
        entries.all(|(ply, entry)| match self.follower.relation(entry, ply) {
            Relation::Agrees => true,
            Relation::Continues => is_typed_in,
            Relation::Differs | Relation::Skips => false,
        })
    }

    /// Returns the half-move that a list without numbers begins with: the sender's own
    /// list continues the record, a quoted list starts at its beginning.
    fn first(&self, author: Author) -> usize {
        if author == Author::Own {
            self.reply.plies()
        } else {
            0
        }
    }

    /// Collects the sender's lines that hold only a misspelt drop.
    fn bad_drops(&mut self) {
        for line in &self.reply.text.lines {
            let text = line.text.trim();
            let meant = with_drop_sign(text);
            if line.author == Author::Own
                && is_like_drop(&meant)
                && let Err(error) = text.parse::<MoveText>()
            {
                let why = match meant.parse::<MoveText>() {
                    Ok(_) => format!(
                        "A mail program has changed the drop sign '>'. If you mean {meant}, send {meant} alone on a line."
                    ),
                    Err(_) => format!("{error}."),
                };
                self.found
                    .minor
                    .push(Refusal::new(vec![text.to_owned()], why));
            }
        }
    }

    /// Sorts a line of the sender that holds only moves.
    fn bare(&mut self, moves: &'a Moves, above: Option<&Moves>) {
        if let Some(ply) = self.number_above(moves.lines.start)
            && ply != self.reply.plies()
        {
            // Skips our own sentence about the last move, wrapped before it.
            if !self.follower.has(&moves.entries[0], ply) {
                self.found.mentioned.extend(&moves.entries);
            }
            return;
        }
        let is_clean = moves.entries.iter().all(|entry| !has_words(&entry.tail));
        if !is_clean
            || self.is_glued_to_sign(&moves.entries[0])
            || self.goes_on_above(moves.lines.start, above)
            || !self.reply.stands_alone(moves.lines.clone())
        {
            self.found.mentioned.extend(&moves.entries);
            return;
        }
        let stated = moves.entries.iter().map(StatedMove::lone);
        self.found.stated.extend(stated);
    }

    /// Returns true if a sign that nobody knows touches the move on its left: it may be a
    /// quote mark.
    fn is_glued_to_sign(&self, entry: &MoveEntry) -> bool {
        let glyphs = self.line_of(entry).glyphs();
        let before = glyphs
            .iter()
            .rfind(|glyph| (glyph.column as usize) < entry.place.column);
        before.is_some_and(|glyph| is_comment_sign(glyph.char))
    }

    /// Returns the line that an entry stands in.
    fn line_of(&self, entry: &MoveEntry) -> &Line<'a> {
        &self.reply.text.lines[entry.place.line - 1]
    }

    /// Returns the half-move whose number ends the line above, after other words: a
    /// program wrapped the sentence between the number and the move.
    fn number_above(&self, at: usize) -> Option<usize> {
        let above = self.reply.text.lines[..at].iter().rev();
        let line = above.take(2).find(|line| !line.is_blank())?;
        let text = line.plain();
        let (words, number) = text.trim_end().rsplit_once(' ')?;
        let digits = number.trim_end_matches('.');
        let dots = number.len() - digits.len();
        let full: usize = digits.parse().ok()?;
        // "I'll be there at 2." is too short to have been wrapped.
        let is_wrapped = text.chars().count() > SHORTEST_WRAPPED;
        let is_number = is_wrapped && dots > 0 && full > 0 && full < 10_000 && has_words(words);
        is_number.then(|| 2 * (full - 1) + usize::from(dots > 1))
    }

    /// Returns true if the line ends a sentence that the line above begins: the line
    /// above breaks off, and it speaks of moves.
    fn goes_on_above(&self, at: usize, moves_above: Option<&Moves>) -> bool {
        let Some(above) = at.checked_sub(1).map(|above| &self.reply.text.lines[above]) else {
            return false;
        };
        let text = above.text.trim_end();
        let is_open = above.author == Author::Own
            && text.ends_with(|c: char| c.is_alphanumeric() || c == ',');
        let speaks_of_moves =
            moves_above.is_some_and(|moves| moves.manner == Manner::Prose && moves.lines.end == at);
        is_open && speaks_of_moves
    }

    /// Sorts the moves of the current list, which ends here.
    fn end_list(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let entries: Vec<&'a MoveEntry> = rows.iter().flat_map(|row| &row.entries).collect();
        let Some(first) = entries.first() else { return };
        let is_own = first.author == Author::Own;
        let is_senders = is_own || self.is_of_our_mail(&rows);
        let is_alone = entries.iter().filter(|entry| !entry.is_aside).count() == 1;
        // A row that the writer typed may be the end of a sentence.
        let span = rows[0].lines.start..rows[rows.len() - 1].lines.end;
        let is_apart = self.reply.stands_alone(span);
        // For each line, the index of its last remark that holds a move.
        let last_asides: HashMap<usize, usize> = (0..)
            .zip(&entries)
            .filter(|(_, entry)| entry.is_aside)
            .map(|(i, entry)| (entry.place.line, i))
            .collect();
        self.follower.begin(self.first(first.author));
        // The last half-move up to which the list agrees with the record.
        let mut agreed: Option<usize> = None;
        let mut adds = false;
        for (i, &entry) in entries.iter().enumerate() {
            if entry.is_aside {
                if is_own {
                    self.found.mentioned.push(entry);
                }
                continue;
            }
            let (ply, relation) = self.follow(entry, is_own && is_alone);
            let is_last = i + 1 == entries.len();
            let has_aside = last_asides
                .get(&entry.place.line)
                .is_some_and(|last| *last > i);
            let is_clear = is_only_commented(entry) && !has_aside;
            let is_doubtful = self.is_doubtful(first, is_senders) || is_own && !is_apart;
            if is_doubtful && relation != Relation::Agrees {
                self.found.mentioned.push(entry);
                self.found.tried.get_or_insert(entry);
                continue;
            }
            let extends = is_own || agreed.is_some_and(|agreed| agreed + 1 == ply);
            match relation {
                Relation::Agrees => {
                    agreed = Some(ply);
                    if is_own && is_alone && is_clear && mover(ply) == self.reply.sender {
                        self.found.repeated.push(ply);
                    }
                }
                Relation::Continues if extends => {
                    // A move that the quoted mail already had was not typed in. One that
                    // goes beyond the mail may stand in somebody else's list.
                    let answered = self.reply.plies_answered().unwrap_or(ply);
                    if !is_own && answered > ply {
                        return;
                    }
                    let is_senders = is_own || is_senders && answered == ply;
                    adds = true;
                    let is_apart =
                        is_last && rows.last().is_some_and(|row| row.manner == Manner::Bare);
                    let stated = StatedMove {
                        entry,
                        voice: if is_alone || is_apart {
                            Voice::Alone
                        } else {
                            Voice::List
                        },
                        placed: true,
                    };
                    if is_clear && is_senders {
                        self.found.stated.push(stated);
                    } else {
                        if is_clear {
                            self.found.doubtful.push(stated);
                        }
                        self.found.mentioned.push(entry);
                        self.found.tried.get_or_insert(entry);
                    }
                }
                Relation::Continues | Relation::Differs | Relation::Skips => {
                    // Talk of a move, or a quotation from elsewhere, is no list of this
                    // match, but moves typed into one are.
                    let is_said = adds || is_own && (is_clear || !is_alone);
                    if is_said || !is_own && is_last && agreed.is_some() {
                        let refusal = if !is_alone && relation != Relation::Differs {
                            self.surplus(&entries[i..], ply)
                        } else {
                            self.contradiction(entry, ply, is_own && is_alone)
                        };
                        if is_said {
                            self.found.wrong.push(refusal);
                        } else {
                            self.found.minor.push(refusal);
                        }
                    }
                    return;
                }
            }
        }
        if let Some(last) = agreed {
            self.agree(first.author, is_alone, last);
        }
    }

    /// Notes a list by this author that agrees with the record up to this half-move, and goes
    /// on with no other.
    fn agree(&mut self, author: Author, is_alone: bool, last: usize) {
        if author.depth() > 0 {
            self.found.quoted = self.found.quoted.max(Some(last + 1));
        }
        // A whole list from the sender's own program, or a move typed into an older
        // mail.
        let is_again = if author == Author::Own {
            !is_alone && last + 1 == self.reply.plies()
        } else {
            self.reply.plies_answered() == Some(last)
        };
        if is_again && mover(last) == self.reply.sender {
            self.found.repeated.push(last);
        }
    }

    /// Returns true if nobody knows whose the list is that begins with this entry, as one
    /// without marks.
    fn is_doubtful(&self, first: &MoveEntry, is_senders: bool) -> bool {
        let is_doubtful = match self.line_of(first).typed {
            Typed::Added => true,
            Typed::AmongMarks => !is_senders,
            Typed::No => false,
        };
        is_doubtful || first.author == Author::Quoted(0)
    }

    /// Follows an entry. Accepts a number without dots before a lone move of the second
    /// player.
    fn follow(&mut self, entry: &MoveEntry, is_lone: bool) -> (usize, Relation) {
        let (ply, relation) = self.follower.follow(entry);
        let may_be_second = is_lone
            && entry.number.is_some_and(|number| !number.is_second)
            && mover(ply + 1) == self.reply.sender
            && relation != Relation::Agrees;
        if !may_be_second {
            return (ply, relation);
        }
        match self.follower.relation(entry, ply + 1) {
            Relation::Differs | Relation::Skips => (ply, relation),
            as_second => (ply + 1, as_second),
        }
    }

    /// Explains why an entry cannot be the half-move that it claims to be.
    fn contradiction(&self, entry: &MoveEntry, ply: usize, is_alone: bool) -> Refusal {
        let why = match self.reply.record().steps().get(ply) {
            Some(step) if !is_alone => format!(
                "The record has another move there: {}.",
                numbered(ply, &step.text)
            ),
            _ => format!(
                "That is not the number of the next move, which is {} now.",
                self.reply.next_number()
            ),
        };
        Refusal::new(vec![self.reply.line_of(entry)], why)
    }

    /// Explains why a list is refused whose entries from `ply` on go beyond the one
    /// move that can be made now.
    fn surplus(&self, entries: &[&MoveEntry], ply: usize) -> Refusal {
        let (mut last, mut last_ply) = (entries[0], ply);
        for &entry in entries[1..].iter().filter(|entry| !entry.is_aside) {
            (last, last_ply) = (entry, entry.ply(last_ply + 1));
        }
        let mut lines = vec![self.reply.line_of(entries[0]), self.reply.line_of(last)];
        lines.dedup();
        let here = match self.reply.record().steps().last() {
            Some(step) => format!("ends with {}", numbered(self.reply.plies() - 1, &step.text)),
            None => "has no move yet".to_owned(),
        };
        Refusal::new(
            lines,
            format!(
                "Your list goes on to {}, but the record here {here}: only one move, {}, can be made now. If a message was lost, please send the moves one after the other.",
                numbered(last_ply, &last.text),
                self.reply.next_number()
            ),
        )
    }
}

/// Refuses what a message asks for that answers a mail of ours which is missing from the log. Nothing
/// tells whether the sender means it for the position here: `meant` is the line to send if so.
pub(super) fn missing_mail(
    reply: &Reply<'_>,
    lines: Vec<String>,
    meant: Option<String>,
) -> Refusal {
    let told = move_list::follow_lists(reply.record(), reply.text, move_list::is_numbered);
    let parting = parting(reply.record(), &told).map_or(String::new(), |parting| parting + " ");
    let mut why = format!(
        "Your message answers a mail that is missing from the record here, which has {}. {parting}The record here may be an old copy, and its owner has been told.",
        half_moves(reply.plies())
    );
    if meant.is_none() && reply.is_senders_turn() {
        why += " If you mean the position here, answer this mail.";
    }
    of_missing_mail(Refusal::new(lines, why), meant)
}

/// Makes a refusal one of a letter that answers a mail which is missing from the log.
pub(super) fn of_missing_mail(refusal: Refusal, meant: Option<String>) -> Refusal {
    let send = meant.map_or_else(String::new, |line| {
        format!(
            " If you mean the position here, send \"{line}\" alone on a line in an answer to this mail."
        )
    });
    Refusal {
        is_of_missing_mail: true,
        why: refusal.why + &send,
        ..refusal
    }
}

/// Tells where a list parts from the record here.
pub(super) fn parting(here: &Record, there: &FollowedList) -> Option<String> {
    let at = there.divergence.as_ref()?;
    let own = here.steps().get(at.ply)?;
    Some(format!(
        "The two records part at {}, where yours has {}.",
        numbered(at.ply, &own.text),
        numbered(at.ply, &at.there)
    ))
}

/// Returns a line with a drop sign where a program has put something else: a character reference,
/// once more or never decoded, or a sign of arithmetic.
fn with_drop_sign(line: &str) -> String {
    let mut text = line.to_owned();
    for (written, meant) in [
        ("&amp;", "&"),
        ("&gt;", ">"),
        ("&#62;", ">"),
        ("&#x3e;", ">"),
        ("&#x3E;", ">"),
        ("\u{2265}", ">"),
        ("=3E", ">"),
    ] {
        text = text.replace(written, meant);
    }
    text
}

/// Returns true if a line is a letter, a drop sign and one to four more characters.
fn is_like_drop(line: &str) -> bool {
    let mut chars = line.chars().filter(|c| !c.is_whitespace());
    let is_piece = chars
        .next()
        .is_some_and(|letter| Role::from_letter(letter).is_some());
    let is_sign = chars.next() == Some('>');
    let rest = chars.take(5).collect::<String>();
    is_piece && is_sign && (1..5).contains(&rest.len()) && rest.is_ascii()
}

/// Returns true if a text has more than punctuation.
fn has_words(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// Returns true if only a comment follows the move: nothing at all, or text set off by
/// punctuation, a bracket or the capital of a new sentence.
fn is_only_commented(entry: &MoveEntry) -> bool {
    let tail = entry.tail.as_str();
    let mut chars = tail.chars();
    let (first, second) = (chars.next(), chars.next());
    match first {
        None => true,
        _ if !has_words(tail) => true,
        _ if entry.text.ends_with(['.', ',', ';', ':']) => true,
        Some(c) if ".,;:!?()[]{}…–—\"“„»".contains(c) => true,
        // A dash before a blank, not one inside a word.
        Some('-') => second.is_none_or(|c| c == '-' || c.is_whitespace()),
        // "I think" does not count: its single capital begins no sentence.
        Some(c) if c.is_uppercase() => {
            second.is_some_and(char::is_lowercase) && !tail.contains('?')
        }
        Some(_) => false,
    }
}
