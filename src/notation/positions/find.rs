//! Finds the positions in the lines of a text, joins a board with its FEN, and sets the side to
//! move from words beside it.

use std::ops::Range;
use std::slice;

use crate::mail::quoting::line::Line;
use crate::notation::diagnostic::{Problem, TextPlace};
use crate::notation::header::{self, Key};
use crate::notation::positions::{Form, Found, MOST, Reader, boards, fen, words};
use crate::notation::reader::{self, PartKind, TextPart};
use crate::rules::Variant;

/// Returns true if lines that are read by the rules of a game name it.
pub fn names_game(lines: &[Line<'_>], variant: &Variant) -> bool {
    let names_game = |line: &Line<'_>| {
        header::read(line).is_some_and(|header| matches!(header.key, Key::Rules | Key::Game))
    };
    variant.game().id != header::DEFAULT.id || lines.iter().any(names_game)
}

/// Finds the positions of lines that are of one game, from the top. If `is_named` is false, the
/// width of a board and its reserves decide the game of each.
pub fn in_section(lines: &[Line<'_>], variant: &Variant, is_named: bool) -> Vec<Found> {
    let mut reader = Reader {
        lines,
        taken: reader::unread(lines),
        section: variant,
        is_named,
        unnamed: variant.clone(),
    };
    let mut found: Vec<Found> = Vec::new();
    let mut at = 0;
    while at < lines.len() && found.len() <= MOST {
        if reader.taken[at] {
            at += 1;
            continue;
        }
        if let Some((position, end)) = boards::csa(&reader, at) {
            reader.taken[at..end].fill(true);
            found.push(position);
            at = end;
            continue;
        }
        if let Some((position, end)) = words::read(&reader, at) {
            reader.taken[at..end].fill(true);
            found.push(position);
            at = end;
            continue;
        }
        let before = found.len();
        fen::read(&reader, at, &lines[at], &mut found);
        reader.taken[at] |= found.len() > before;
        for position in found[before..].iter().flatten() {
            reader.taken[position.lines.clone()].fill(true);
        }
        at += 1;
    }
    boards::diagrams(&reader, &mut found);
    if found.len() > MOST
        && let Some(line) = lines.get(at.saturating_sub(1))
    {
        let place = TextPlace::new(line.number, line.column);
        found.truncate(MOST);
        found.push(Err(Problem::error(place, TOO_MANY)));
    }
    found.sort_by_key(|one| match one {
        Ok(position) => (position.place.line, position.place.column),
        Err(problem) => (problem.place.line, problem.place.column),
    });
    let mut found = merged(found);
    tell_turns(lines, &mut found);
    found
}

/// Joins a board and the FEN below or above it, if both show one position.
fn merged(found: Vec<Found>) -> Vec<Found> {
    let mut merged: Vec<Found> = Vec::with_capacity(found.len());
    for next in found {
        if let (Some(Ok(last)), Ok(next)) = (merged.last_mut(), &next)
            && last.form != next.form
            && next.lines.start <= last.lines.end + 4
            && last.setup.board == next.setup.board
            && (!last.has_reserves
                || !next.has_reserves
                || last.setup.reserves == next.setup.reserves)
        {
            let lines = last.lines.start..next.lines.end;
            let (place, has_reserves) = (last.place, last.has_reserves);
            if next.form == Form::Fen {
                let reserves = last.setup.reserves;
                *last = next.clone();
                if has_reserves && !last.has_reserves {
                    (last.setup.reserves, last.has_reserves) = (reserves, true);
                }
            }
            (last.lines, last.place) = (lines, place);
            continue;
        }
        merged.push(next);
    }
    merged
}

/// The most lines between a position and the words that say whose turn it is.
const REACH: usize = 6;

/// Sets the side to move of each position from words beside it. Words that contradict each other
/// beside a single position do not count.
fn tell_turns(lines: &[Line<'_>], found: &mut [Found]) {
    let ranges: Vec<Range<usize>> = found
        .iter()
        .map(|one| match one {
            Ok(position) => position.lines.clone(),
            Err(problem) => {
                let at = lines.partition_point(|line| line.number < problem.place.line);
                at..at + 1
            }
        })
        .collect();
    let told = |range: Range<usize>| {
        let mut range = range;
        range.find_map(|at| words::turn(lines.get(at)?))
    };
    let first = ranges.first().map_or(0, |range| range.start);
    let last = ranges.last().map_or(0, |range| range.end);
    let end = lines.len().min(last + REACH);
    let beside = first.saturating_sub(REACH)..end;
    let mut turns = beside.filter_map(|at| words::turn(lines.get(at)?));
    if let ([_], Some(one)) = (&ranges[..], turns.next())
        && turns.any(|other| other != one)
    {
        return;
    }
    let above_first = told(first.saturating_sub(REACH)..first);
    // Words above the first position, with none below the last, are headings.
    let are_headings = above_first.is_some() && told(last..end).is_none();
    let mut has_own = false;
    for at in 0..ranges.len() {
        let range = ranges[at].clone();
        let previous = at.checked_sub(1).map_or(0, |at| ranges[at].end);
        let next = ranges.get(at + 1).map_or(lines.len(), |next| next.start);
        let above = previous.max(range.start.saturating_sub(REACH))..range.start;
        let below = range.end..next.min(range.end + REACH);
        let own = told(range);
        let turn = match (own, are_headings) {
            (Some(own), _) => Some(own),
            (None, true) => told(above),
            (None, false) => told(below).or_else(|| told(above).filter(|_| at == 0)),
        };
        has_own |= at > 0 && turn.is_some();
        if let Ok(position) = &mut found[at] {
            position.turn = position.turn.or(turn);
        }
    }
    // One heading may be for all of them.
    if !has_own && are_headings {
        for position in found.iter_mut().flatten() {
            position.turn = position.turn.or(above_first);
        }
    }
}

const TOO_MANY: &str = "there are more than 10,000 positions in this text: read it in parts";

/// Returns the parts of a text for a game, from the top, with its positions in FEN or SFEN as
/// diagrams.
pub(crate) fn parts(lines: &[Line<'_>], variant: &Variant) -> Vec<TextPart> {
    let mut parts = reader::parts(lines, variant);
    let read = parts.len();
    parts.extend(fens(lines, variant));
    if parts.len() > read {
        parts.sort_by_key(|part| part.lines.start);
    }
    parts
}

/// Returns the positions in FEN or SFEN in the words of a text, as diagrams.
fn fens(lines: &[Line<'_>], variant: &Variant) -> Vec<TextPart> {
    let taken = reader::unread(lines);
    // A board has a `/` between two ranks.
    let least = usize::from(variant.rules().width) - 1;
    let may_be = |line: &Line<'_>| {
        line.text.matches('/').count() >= least
            && header::leading_tag(line.text.trim_start()).is_none()
    };
    let own = lines.iter().enumerate();
    let own = own.filter(|(at, line)| !taken[*at] && may_be(line));
    own.flat_map(|(at, line)| {
        let found = in_section(slice::from_ref(line), variant, true);
        let found = found.into_iter().flatten();
        found.map(move |position| TextPart {
            lines: at..at + 1,
            kind: PartKind::Diagram(Box::new(position.drawn())),
        })
    })
    .collect()
}
