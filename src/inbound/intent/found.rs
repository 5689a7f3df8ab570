//! The moves of a letter, sorted by what they claim to be.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

use crate::inbound::intent::list::List;
use crate::inbound::intent::{Case, mover, numbered};
use crate::inbound::request;
use crate::matches::intent::Refusal;
use crate::notation::moves::{Manner, MoveEntry, Moves};
use crate::notation::reader::PartKind;
use crate::quoting::line::Author;
use crate::rules::Role;
use crate::rules::notation::{MoveText, Voice};

/// The characters after which a line counts as filled by a mail program, so
/// that the next one may go on with its sentence.
const FILLED: usize = 60;

/// What was found so far.
#[derive(Default)]
pub(super) struct Found<'a> {
    /// Moves stated as the next one.
    pub(super) stated: Vec<Stated<'a>>,
    /// Moves that stand in prose.
    pub(super) mentioned: Vec<&'a MoveEntry>,
    /// The first of them that has the next move's number before it.
    pub(super) tried: Option<&'a MoveEntry>,
    /// The sender's moves that are stated though the record has them, by
    /// half-move.
    pub(super) again: Vec<usize>,
    /// What the sender wrote that cannot be.
    pub(super) wrong: Vec<Refusal>,
    /// The same in a quotation, which only counts where nothing else does.
    pub(super) quoted_wrong: Vec<Refusal>,
    /// Lines that hold nothing but a drop badly written: `K> h1`.
    pub(super) slips: Vec<Refusal>,
    /// How many half-moves the longest list that is quoted has.
    pub(super) quoted: Option<usize>,
}

pub(super) struct Stated<'a> {
    pub(super) entry: &'a MoveEntry,
    pub(super) voice: Voice,
    /// Whether its place in the game is said too: by a number, or by the list
    /// it ends.
    pub(super) placed: bool,
}

/// Goes through all moves of a letter and sorts them.
pub(super) fn find<'a>(case: &Case<'a>) -> Found<'a> {
    let mut finder = Finder {
        case,
        found: Found::default(),
        below_record: 0..0,
        known: RefCell::default(),
    };
    finder.gather();
    finder.found
}

struct Finder<'a, 'c> {
    case: &'c Case<'a>,
    found: Found<'a>,
    /// The lines behind the last list, where that list is the record as it is:
    /// the empty ones and the next.
    below_record: Range<usize>,
    /// Which texts are what was played on which half-move.
    known: RefCell<HashMap<(usize, &'a str), bool>>,
}

impl<'a> Finder<'a, '_> {
    fn gather(&mut self) {
        let text = self.case.text;
        let mut list = List::default();
        let mut above: Option<&'a Moves> = None;
        for part in &text.parts {
            let PartKind::Moves(moves) = &part.kind else {
                // A board or a heading stands between two lists.
                self.list(&list.take());
                continue;
            };
            let above = above.replace(moves);
            let author = moves.entries[0].author;
            if request::noted(text.lines[moves.lines.start].text).is_some() {
                continue;
            }
            if moves.manner == Manner::List && author != Author::Signature {
                if list.author().is_some_and(|of_list| of_list != author) {
                    self.list(&list.take());
                }
                list.push(moves, self.first(author));
                continue;
            }
            if list.goes_on(moves, self.case) {
                list.push(moves, self.first(author));
                continue;
            }
            self.list(&list.take());
            match (moves.manner, author) {
                (Manner::Bare, Author::Own) => self.bare(moves, above),
                (Manner::Bare, Author::Quoted(0)) => self.doubtful(moves),
                (Manner::Prose | Manner::Named(_), Author::Own) => {
                    self.found.mentioned.extend(&moves.entries);
                }
                _ => {}
            }
        }
        self.list(&list.take());
        self.slips();
    }

    /// The half-move that a list without a number begins with: a sender's own
    /// words go on from the record, a quoted list is all of it.
    fn first(&self, author: Author) -> usize {
        if author == Author::Own {
            self.case.plies
        } else {
            0
        }
    }

    /// The sender's lines that hold nothing but a drop badly written.
    fn slips(&mut self) {
        for line in &self.case.text.lines {
            if line.author == Author::Own
                && is_like_drop(line.text)
                && let Err(error) = line.text.trim().parse::<MoveText>()
            {
                self.found.slips.push(Refusal {
                    lines: vec![line.text.trim().to_owned()],
                    why: format!("{error}."),
                    role: None,
                });
            }
        }
    }

    /// A line of the sender's that holds nothing but moves.
    fn bare(&mut self, moves: &'a Moves, above: Option<&Moves>) {
        if let Some(ply) = self.number_above(moves.lines.start)
            && ply != self.case.plies
        {
            // Our own sentence about the last move, wrapped before it.
            if !self.agrees(&moves.entries[0], ply) {
                self.found.mentioned.extend(&moves.entries);
            }
            return;
        }
        let is_clean = moves.entries.iter().all(|entry| !has_words(&entry.tail));
        if !is_clean || self.goes_on_above(moves.lines.start, above) {
            self.found.mentioned.extend(&moves.entries);
            return;
        }
        for entry in &moves.entries {
            self.found.stated.push(Stated {
                entry,
                voice: Voice::Lone,
                placed: false,
            });
        }
    }

    /// A line that holds nothing but moves, where nobody can tell whether it is
    /// quoted. The message quoted does not go on with the move that is to
    /// answer it: directly below a list that is the record as it is, the sender
    /// has written it. Elsewhere it is asked for.
    fn doubtful(&mut self, moves: &'a Moves) {
        if self.below_record.contains(&moves.lines.start) {
            self.bare(moves, None);
        } else {
            self.found.mentioned.extend(&moves.entries);
        }
    }

    /// The half-move whose number ends the line above, with words before it: a
    /// sentence that a program has wrapped between the number and the move.
    fn number_above(&self, at: usize) -> Option<usize> {
        let above = self.case.text.lines[..at].iter().rev();
        let text = above.take(2).find(|line| !line.is_blank())?.plain();
        let (words, number) = text.trim_end().rsplit_once(' ')?;
        let digits = number.trim_end_matches('.');
        let dots = number.len() - digits.len();
        let full: usize = digits.parse().ok()?;
        let is_number = dots > 0 && full > 0 && full < 10_000 && has_words(words);
        is_number.then(|| 2 * (full - 1) + usize::from(dots > 1))
    }

    /// Whether a line is the end of a sentence that the line above begins: it
    /// was filled as far as a mail program fills a line, or speaks of moves,
    /// and does not come to an end.
    fn goes_on_above(&self, at: usize, moves_above: Option<&Moves>) -> bool {
        let Some(above) = at.checked_sub(1).map(|above| &self.case.text.lines[above]) else {
            return false;
        };
        let text = above.text.trim_end();
        let is_open = above.author == Author::Own
            && text.ends_with(|c: char| c.is_alphanumeric() || c == ',');
        let speaks_of_moves =
            moves_above.is_some_and(|moves| moves.manner == Manner::Prose && moves.lines.end == at);
        is_open && (text.chars().count() > FILLED || speaks_of_moves)
    }

    /// The rows of a list, all of the same origin.
    fn list(&mut self, rows: &[&'a Moves]) {
        let entries: Vec<&'a MoveEntry> = rows.iter().flat_map(|row| &row.entries).collect();
        let Some(first) = entries.first() else { return };
        let is_own = first.author == Author::Own;
        let is_alone = entries.iter().filter(|entry| !entry.is_aside).count() == 1;
        // Where on each line the last remark with a move in it stands.
        let last_asides: HashMap<usize, usize> = (0..)
            .zip(&entries)
            .filter(|(_, entry)| entry.is_aside)
            .map(|(i, entry)| (entry.place.line, i))
            .collect();
        let mut next = self.first(first.author);
        // The last half-move up to which it agrees with the record.
        let mut agreed: Option<usize> = None;
        let mut adds = false;
        for (i, &entry) in entries.iter().enumerate() {
            if entry.is_aside {
                if is_own {
                    self.found.mentioned.push(entry);
                }
                continue;
            }
            let ply = self.ply(entry, next, is_own && is_alone);
            next = ply + 1;
            let is_last = i + 1 == entries.len();
            let has_aside = last_asides
                .get(&entry.place.line)
                .is_some_and(|last| *last > i);
            let is_clear = is_only_commented(entry) && !has_aside;
            if self.agrees(entry, ply) {
                agreed = Some(ply);
                if is_own && is_alone && is_clear && mover(ply) == self.case.sender {
                    self.found.again.push(ply);
                }
            } else if ply == self.case.plies
                && (is_own || agreed.is_some_and(|agreed| agreed + 1 == ply))
            {
                // What the quoted mail said already was not typed in.
                if !is_own
                    && self
                        .case
                        .id_line()
                        .is_some_and(|then| then != self.case.plies)
                {
                    return;
                }
                adds = true;
                if is_clear {
                    let is_apart = rows
                        .last()
                        .is_some_and(|row| is_last && row.manner == Manner::Bare);
                    let voice = if is_alone || is_apart {
                        Voice::Lone
                    } else {
                        Voice::List
                    };
                    self.found.stated.push(Stated {
                        entry,
                        voice,
                        placed: true,
                    });
                } else {
                    self.found.mentioned.push(entry);
                    self.found.tried = self.found.tried.or(Some(entry));
                }
            } else {
                // Talk of a move, or a quotation from elsewhere, is no list of
                // this match; what was typed into one is.
                let is_said = adds || is_own && (is_clear || !is_alone);
                if is_said || !is_own && is_last && agreed.is_some() {
                    let refusal = if !is_alone && ply >= self.case.plies {
                        self.surplus(&entries[i..], ply)
                    } else {
                        self.contradiction(entry, ply, is_own && is_alone)
                    };
                    if is_said {
                        self.found.wrong.push(refusal);
                    } else {
                        self.found.quoted_wrong.push(refusal);
                    }
                }
                return;
            }
        }
        let Some(last) = agreed else { return };
        if !adds && last + 1 == self.case.plies {
            let end = rows.last().map_or(0, |row| row.lines.end);
            let blanks = self.case.text.lines[end..]
                .iter()
                .take_while(|line| line.is_blank());
            self.below_record = end..end + blanks.count() + 1;
        }
        if !is_own {
            let length = self.found.quoted.unwrap_or_default().max(last + 1);
            self.found.quoted = Some(length);
        }
        // Whole, from the sender's own program; or typed into an older mail.
        let is_again = if is_own {
            !is_alone && last + 1 == self.case.plies
        } else {
            self.case.id_line() == Some(last)
        };
        if is_again && mover(last) == self.case.sender {
            self.found.again.push(last);
        }
    }

    /// Whether an entry is what was played on that half-move. The same list may
    /// be quoted a thousand times.
    fn agrees(&self, entry: &'a MoveEntry, ply: usize) -> bool {
        let mut known = self.known.borrow_mut();
        let told = known.entry((ply, &entry.text));
        *told.or_insert_with(|| self.case.agrees(entry, ply))
    }

    /// Which half-move an entry is said to be. A number without dots before a
    /// lone move of the second player's is let pass.
    fn ply(&self, entry: &'a MoveEntry, next: usize, is_lone: bool) -> usize {
        let ply = entry.ply(next);
        let has_dots = entry.number.is_none_or(|number| number.is_second);
        let is_second = is_lone
            && !has_dots
            && mover(ply + 1) == self.case.sender
            && !self.agrees(entry, ply)
            && (ply + 1 == self.case.plies || self.agrees(entry, ply + 1));
        ply + usize::from(is_second)
    }

    /// Why an entry that says it is that half-move can't be.
    fn contradiction(&self, entry: &MoveEntry, ply: usize, is_alone: bool) -> Refusal {
        let why = match self.case.record.steps().get(ply) {
            Some(step) if !is_alone => format!(
                "The record has another move there: {}.",
                numbered(ply, &step.text)
            ),
            _ => format!(
                "That is not the number of the next move, which is {} now.",
                self.case.numbered("").trim_end()
            ),
        };
        Refusal {
            lines: vec![self.case.line(entry)],
            why,
            role: None,
        }
    }

    /// Why a list cannot be taken whose entries from that half-move on go
    /// farther than the one move that can be made now.
    fn surplus(&self, entries: &[&MoveEntry], ply: usize) -> Refusal {
        let (mut last, mut last_ply) = (entries[0], ply);
        for &entry in entries[1..].iter().filter(|entry| !entry.is_aside) {
            (last, last_ply) = (entry, entry.ply(last_ply + 1));
        }
        let mut lines = vec![self.case.line(entries[0]), self.case.line(last)];
        lines.dedup();
        let here = match self.case.record.steps().last() {
            Some(step) => format!("ends with {}", numbered(self.case.plies - 1, &step.text)),
            None => "has no move yet".to_owned(),
        };
        Refusal {
            lines,
            why: format!(
                "Your list goes on to {}, but the record here {here}: only one move, {}, can be made now. If a message was lost, please send the moves one after the other.",
                numbered(last_ply, &last.text),
                self.case.numbered("").trim_end()
            ),
            role: None,
        }
    }
}

/// Whether a line is a letter, a drop sign and not much more.
fn is_like_drop(line: &str) -> bool {
    let mut chars = line.chars().filter(|c| !c.is_whitespace());
    let is_piece = chars
        .next()
        .is_some_and(|letter| Role::from_letter(letter).is_some());
    let is_sign = chars.next() == Some('>');
    let rest = chars.take(5).collect::<String>();
    is_piece && is_sign && (1..5).contains(&rest.len()) && rest.is_ascii()
}

/// Whether there is more than punctuation in a text.
fn has_words(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// Whether what follows a move is only a comment: nothing at all, or something
/// set off by punctuation, a bracket or the capital of a new sentence.
fn is_only_commented(entry: &MoveEntry) -> bool {
    let tail = entry.tail.as_str();
    let mut chars = tail.chars();
    let (first, second) = (chars.next(), chars.next());
    match first {
        None => true,
        _ if !has_words(tail) => true,
        _ if entry.text.ends_with(['.', ',', ';', ':']) => true,
        Some(c) if ".,;:!?()[]{}…–—\"“„»".contains(c) => true,
        // A dash between blanks, not part of a word.
        Some('-') => second.is_none_or(|c| c == '-' || c.is_whitespace()),
        // "I think" begins no sentence by its capital.
        Some(c) if c.is_uppercase() => {
            second.is_some_and(char::is_lowercase) && !tail.contains('?')
        }
        Some(_) => false,
    }
}
