//! The positions of a text that has nothing else, and their judgement.

use crate::mail::quoting::line::Line;
use crate::notation::diagnostic::Problem;
use crate::notation::diagram::LocatedDiagram;
use crate::notation::header::{self, HeaderError, Heading, Section};
use crate::notation::judge::{self, GameChoice, Judged};
use crate::notation::parsed_match::{DiagramClaim, ParsedMatch};
use crate::notation::pgn;
use crate::notation::positions::find::{in_section, names_game};
use crate::notation::positions::{Found, LocatedPosition};
use crate::notation::reader::OtherFormat;
use crate::rules::Color;
use crate::rules::notation::Voice;

/// Finds the positions in a text, from the top.
///
/// # Errors
///
/// If the text names an unknown game or option.
pub fn find(lines: &[Line<'_>], choice: &GameChoice) -> Result<Vec<Found>, HeaderError> {
    let sections = match choice {
        GameChoice::Given(variant) => vec![Section {
            lines: 0..lines.len(),
            variant: variant.clone(),
            is_named: true,
        }],
        GameChoice::Named(default) => header::sections(lines, default)?,
    };
    let mut all = Vec::new();
    for Section {
        lines: range,
        variant,
        ..
    } in sections
    {
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

/// Finds the positions of a text that has no list of moves.
///
/// # Errors
///
/// If the text names an unknown game or option.
pub fn alone(lines: &[Line<'_>], choice: &GameChoice) -> Result<Vec<Found>, HeaderError> {
    // A file of PGN with moves needs no second look.
    if header::has_tags(lines) && lines.iter().any(|line| line.text.starts_with("1.")) {
        return Ok(Vec::new());
    }
    // A position above a list may be where that begins.
    let of_list = pgn::read(lines, choice)?;
    if of_list.is_some_and(|games| games.iter().any(|game| !game.game.turns.is_empty())) {
        return Ok(Vec::new());
    }
    let is_foreign = |(format, _)| format != OtherFormat::Usi;
    if OtherFormat::find(lines).is_some_and(is_foreign) {
        return Ok(Vec::new());
    }
    let found = find(lines, choice)?;
    if found.is_empty() {
        return Ok(found);
    }
    let mut rest = lines.to_vec();
    for position in found.iter().flatten() {
        for line in &mut rest[position.lines.clone()] {
            line.text = "";
        }
    }
    let judged = judge::judge(&rest, choice)?;
    Ok(if judged.iter().all(|one| one.game.turns.is_empty()) {
        found
    } else {
        Vec::new()
    })
}

/// Judges a position as a match that begins in it.
pub(crate) fn judged(located: &LocatedPosition) -> Judged {
    let turn = located.turn.unwrap_or(Color::White);
    let mut problems = located.warnings.clone();
    let position = located.position(turn).or_else(|error| {
        // Whoever is to move may decide whether a check is possible.
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
        let drawn = LocatedDiagram::new(located.diagram(), located.author, located.place);
        game.claims.push(DiagramClaim {
            drawn,
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
