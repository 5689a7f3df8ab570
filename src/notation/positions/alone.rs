//! The positions of a text that has nothing else, and their judgement.

use std::collections::HashMap;
use std::ops::Range;
use std::slice;

use crate::mail::quoting::line::Line;
use crate::notation::diagnostic::Problem;
use crate::notation::header::{HeaderError, Heading, Section};
use crate::notation::judge::{self, GameChoice, Judged};
use crate::notation::moves::Manner;
use crate::notation::parsed_match::{DiagramClaim, ParsedMatch};
use crate::notation::positions::find::{in_section, names_game};
use crate::notation::positions::{Found, LocatedPosition};
use crate::notation::reader::{self, OtherFormat, TextPart};
use crate::rules::Color;
use crate::rules::notation::Voice;

/// Finds the positions in a text, from the top.
///
/// # Errors
///
/// If the text names an unknown game or option.
pub fn find(lines: &[Line<'_>], choice: &GameChoice) -> Result<Vec<Found>, HeaderError> {
    let mut all = Vec::new();
    for Section {
        lines: range,
        variant,
        ..
    } in choice.sections(lines)
    {
        let variant = variant?;
        let own = &lines[range.clone()];
        let is_named = matches!(choice, GameChoice::Given(_)) || names_game(own, &variant);
        let mut found = in_section(own, &variant, is_named);
        for position in found.iter_mut().flatten() {
            position.lines = position.lines.start + range.start..position.lines.end + range.start;
        }
        all.extend(found);
    }
    Ok(all)
}

/// The content of a text.
pub(crate) enum Content {
    /// Positions, and no list of moves.
    Positions(Vec<Found>),
    /// Matches, perhaps none.
    Matches(Vec<Judged>),
}

/// Returns the content of a text. A position above a list of moves may be where that begins.
///
/// # Errors
///
/// If the text names an unknown game or option.
pub(crate) fn content(lines: &[Line<'_>], choice: &GameChoice) -> Result<Content, HeaderError> {
    let of_file = judge::judge_file(lines, choice)?;
    let mut games = of_file.iter().flatten();
    if games.all(|one| one.game.turns.is_empty()) {
        let found = alone(lines, choice)?;
        if !found.is_empty() {
            return Ok(Content::Positions(found));
        }
    }
    Ok(Content::Matches(match of_file {
        Some(judged) => judged,
        None => judge::judge_prose(lines, choice, None)?,
    }))
}

/// Finds the positions of a text that has no list of moves.
///
/// # Errors
///
/// If the text names an unknown game or option.
pub fn alone(lines: &[Line<'_>], choice: &GameChoice) -> Result<Vec<Found>, HeaderError> {
    let is_foreign = |(format, _)| format != OtherFormat::Usi;
    if OtherFormat::find(lines).is_some_and(is_foreign) {
        return Ok(Vec::new());
    }
    let mut found = find(lines, choice)?;
    if found.is_empty() {
        return Ok(found);
    }
    warn_of_moves(lines, &mut found);
    let mut rest = lines.to_vec();
    for position in found.iter().flatten() {
        for line in &mut rest[position.lines.clone()] {
            line.text = "";
        }
    }
    let judged = judge::judge(&rest, choice)?;
    // What is wrong in a board is told of it here.
    let has_fault = found.iter().any(Result::is_err);
    let has_no_move = |one: &Judged| one.game.turns.is_empty() && (has_fault || one.is_legal());
    Ok(if judged.iter().all(has_no_move) {
        found
    } else {
        Vec::new()
    })
}

/// Warns of the moves that stand on a line beside a position, with a number or with no words.
fn warn_of_moves(lines: &[Line<'_>], found: &mut [Found]) {
    let mut spans: HashMap<usize, Vec<Range<usize>>> = HashMap::new();
    for position in found.iter().flatten().filter(|one| one.lines.len() == 1) {
        let at = position.lines.start;
        let start = position.place.column - lines[at].column;
        let spans = spans.entry(at).or_default();
        spans.push(start..start + position.place.width);
    }
    for position in found
        .iter_mut()
        .flatten()
        .filter(|one| one.lines.len() == 1)
    {
        let at = position.lines.start;
        let Some(spans) = spans.remove(&at) else {
            continue;
        };
        let mut spans = spans.into_iter().peekable();
        let is_beside = |(at, c): (usize, char)| {
            while spans.next_if(|span| span.end <= at).is_some() {}
            let is_inside = spans.peek().is_some_and(|span| span.contains(&at));
            if is_inside { ' ' } else { c }
        };
        let rest: String = lines[at].text.chars().enumerate().map(is_beside).collect();
        let line = Line {
            text: &rest,
            ..lines[at].clone()
        };
        let parts = reader::parts(slice::from_ref(&line), &position.variant);
        let mut moves = parts.iter().filter_map(TextPart::moves);
        let first = moves.find_map(|moves| {
            let is_list = moves.manner != Manner::Prose;
            let mut entries = moves.entries.iter();
            entries.find(|entry| is_list || entry.number.is_some())
        });
        if let Some(entry) = first {
            position
                .warnings
                .push(Problem::warning(entry.place, BESIDE));
        }
    }
}

const BESIDE: &str =
    "this move beside a position is not read: write the list on the lines below the position";

/// Judges a position as a match that begins in it.
pub(crate) fn judged(located: &LocatedPosition) -> Judged {
    let turn = located.turn.unwrap_or(Color::White);
    let mut problems = located.warnings.clone();
    let position = located.position(turn).or_else(|error| {
        // A check may be possible with the other side to move.
        let other = if located.turn.is_none() { !turn } else { turn };
        located.position(other).map_err(|_| error)
    });
    let start = match position {
        Ok((position, left_out)) => {
            problems.extend(left_out);
            position
        }
        Err(error) => {
            let error = format!("no game can reach this position: {error}");
            problems.push(Problem::error(located.place, error));
            located.variant.start()
        }
    };
    let mut game = ParsedMatch::starting(start, Voice::Program);
    for entry in &located.moves {
        game.push_listed(entry.clone());
    }
    if located.moves.is_empty() {
        game.claims.push(DiagramClaim {
            drawn: located.drawn(),
            after: None,
            before: None,
        });
    } else {
        // The writing of its moves is that of the form.
        problems.extend(judge::problems(&game, true));
    }
    Judged {
        variant: located.variant.clone(),
        game,
        problems,
        stated: Vec::new(),
        heading: Heading::default(),
        assumed: None,
    }
}
