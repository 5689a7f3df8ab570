//! Judges a match in a text: checks that every move is legal and every diagram agrees.
//! Otherwise tells where the fault is, and what was meant if that is certain.

use std::fmt::Display;

use crate::notation::correction::{self, Correction};
use crate::notation::diagnostic::{Problem, Severity};
use crate::notation::parsed_game::{DiagramClaim, ParsedGame};
use crate::notation::place::Place;
use crate::rules::notation::MoveText;

/// The most corrections that are named: more would not help.
const MOST_NAMED: usize = 12;

/// Returns all problems of a match, by place in the text. A note follows the error it
/// belongs to.
#[must_use]
pub fn problems(game: &ParsedGame) -> Vec<Problem> {
    let (faults, sound) = faults(game);
    let mut problems: Vec<Vec<Problem>> = Vec::new();
    problems.extend(game.problems.iter().map(|problem| vec![problem.clone()]));
    let warnings = warnings(game, sound).into_iter();
    problems.extend(warnings.map(|warning| vec![warning]));
    problems.extend(faults);
    problems.sort_by_key(|group| group[0].place);
    problems.concat()
}

/// Returns true if there is no error among the problems.
#[must_use]
pub fn is_legal(problems: &[Problem]) -> bool {
    problems
        .iter()
        .all(|problem| problem.severity != Severity::Error)
}

/// Returns the warnings of the first `sound` turns. After a slip the marks belong to
/// another position. Foreign notation is remarked on once, however many moves are
/// written in it.
fn warnings(game: &ParsedGame, sound: usize) -> Vec<Problem> {
    let turns = game.turns.iter().zip(game.record().steps());
    let mut warnings = Vec::new();
    let mut foreign = 0;
    let mut first = None;
    for (turn, step) in turns.take(sound) {
        let written = turn.entry.parsed.as_ref().map_or("", MoveText::as_str);
        let readings = turn.reading.iter().flatten();
        for warning in readings.flat_map(|reading| &reading.warnings) {
            let is_foreign = *warning == format!("'{written}' is read as '{}'", step.text)
                && !is_other_sign(written, &step.text);
            foreign += usize::from(is_foreign);
            if !is_foreign || foreign == 1 {
                if is_foreign {
                    first = Some(warnings.len());
                }
                let problem = Problem::warning(turn.entry.place, warning);
                warnings.push(problem.suggesting(step.to_string()));
            }
        }
    }
    if let Some(first) = first
        && foreign > 1
    {
        let others = match foreign - 1 {
            1 => "1 more move is".to_owned(),
            others => format!("{others} more moves are"),
        };
        let message = &mut warnings[first].message;
        *message = format!("{message}; {others} in another notation, too");
    }
    warnings
}

/// Returns true if a move is written like its canonical form but for its sign: it says
/// that a move is a capture, or that a capture is none.
fn is_other_sign(written: &str, canonical: &str) -> bool {
    let one_sign = |text: &str| text.replace(['x', ':'], "-");
    one_sign(written) == one_sign(canonical)
}

/// Returns the move that cannot be played and the diagrams that do not agree, with what
/// was meant, and the number of sound turns.
fn faults(game: &ParsedGame) -> (Vec<Vec<Problem>>, usize) {
    let positions = game.positions();
    let played = game.record().steps().len();
    let fault = game.fault();
    let wrong: Vec<&DiagramClaim> = game
        .claims
        .iter()
        .filter(|claim| claim.after.is_some() || claim.before.is_some())
        .filter(|claim| claim.shown(&positions).is_none())
        .collect();
    if fault.is_none() && wrong.is_empty() {
        return (Vec::new(), played);
    }
    let corrections = if game.claims.is_empty() {
        Vec::new()
    } else {
        correction::corrections(game)
    };
    if let [correction] = corrections.as_slice() {
        return (vec![corrected(game, correction)], correction.turn);
    }
    let choices = choices(game, &corrections);
    let mut groups = Vec::new();
    if let Some((turn, reason)) = fault {
        let mut problem = Problem::error(game.turns[turn].entry.place, reason);
        problem.help.clone_from(&choices);
        groups.push(vec![problem]);
    }
    // It is unknown where the moves after a fault would have led.
    let known = |claim: &&DiagramClaim| fault.is_none() || claim.is_within(played);
    for claim in wrong.into_iter().filter(known) {
        let mut problem = disagreement(game, claim);
        problem.help = choices.clone().filter(|_| fault.is_none());
        groups.push(vec![problem]);
    }
    (groups, played)
}

/// Makes the error at the one token that was meant otherwise, and a note where the list
/// broke.
fn corrected(game: &ParsedGame, correction: &Correction) -> Vec<Problem> {
    let Correction { turn, text, claim } = correction;
    let entry = &game.turns[*turn].entry;
    let diagram = game.claims[*claim].drawn.place();
    let agree = format!(
        "with {text} the list and the diagram of line {} agree",
        diagram.line
    );
    let error = |message: &dyn Display| Problem::error(entry.place, message).suggesting(text);
    let instead = format!("write {text} instead");
    match game.fault() {
        Some((fault, reason)) if fault == *turn => {
            vec![error(reason).helping(format!("{instead}: {agree}"))]
        }
        Some((fault, reason)) => {
            let broken = &game.turns[fault].entry;
            let why = format!("the list breaks here, at {}: {reason}", broken.text);
            let message = format!("{} does not fit what follows; {agree}", entry.text);
            vec![
                error(&message).helping(instead),
                Problem::note(broken.place, why),
            ]
        }
        None => {
            let message = format!("{} does not fit the diagram; {agree}", entry.text);
            let shown = disagreement(game, &game.claims[*claim]);
            let note = Problem::note(shown.place, shown.message);
            vec![error(&message).helping(instead), note]
        }
    }
}

/// Names all corrections in a sentence, unless there are none or too many.
fn choices(game: &ParsedGame, corrections: &[Correction]) -> Option<String> {
    if corrections.is_empty() || corrections.len() > MOST_NAMED {
        return None;
    }
    let named: Vec<String> = corrections
        .iter()
        .map(|correction| {
            let entry = &game.turns[correction.turn].entry;
            let Place { line, .. } = entry.place;
            format!("{} for {} in line {line}", correction.text, entry.text)
        })
        .collect();
    Some(format!(
        "any one of these changes makes list and diagrams agree: {}",
        named.join(", ")
    ))
}

/// Makes the error at a diagram that shows none of the positions it may.
fn disagreement(game: &ParsedGame, claim: &DiagramClaim) -> Problem {
    let positions = game.positions();
    let last = positions.len() - 1;
    let diagram = &claim.drawn.diagram;
    let (at, message) = match (claim.after, claim.before) {
        (Some(after), _) => {
            let at = after.min(last);
            (
                at,
                format!("this diagram does not show the position {}", name(game, at)),
            )
        }
        (None, before) => {
            let reach = before.unwrap_or(last).min(last);
            // Of several equally near positions the latest is the most likely.
            let nearest = (0..=reach)
                .rev()
                .min_by_key(|&at| diagram.distance(positions[at]))
                .unwrap_or(reach);
            let message = format!(
                "this diagram shows no position of its list; the nearest is that {}",
                name(game, nearest)
            );
            (nearest, message)
        }
    };
    match diagram.difference(positions[at]) {
        Some((difference, square)) => {
            let place = square.and_then(|square| claim.drawn.place_of(square));
            let place = place.unwrap_or(claim.drawn.place());
            Problem::error(place, format!("{message}: {difference}"))
        }
        None => Problem::error(claim.drawn.place(), message),
    }
}

/// Names a position: "after White's move 2", "at the start".
fn name(game: &ParsedGame, plies: usize) -> String {
    let Some(last) = plies.checked_sub(1) else {
        return "at the start".to_owned();
    };
    let position = game.record().at(last);
    let step = game.record().steps().get(last);
    match (position, step) {
        (Some(position), Some(step)) => {
            let player = position.variant().player(position.turn());
            format!("after {player}'s move {}, {}", position.number(), step.text)
        }
        _ => "at the end".to_owned(),
    }
}
