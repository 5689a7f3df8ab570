//! Judges a whole text: every match in it, by the rules that it names.
//!
//! Every move must be legal and every diagram agree. Otherwise a problem names the fault and,
//! if one change of a token makes the list and its diagrams agree, that change.

use std::collections::BTreeMap;

use crate::mail::quoting::line::Line;
use crate::notation::diagnostic::{Problem, Severity};
pub use crate::notation::header::GameChoice;
use crate::notation::header::{self, HeaderError, Heading};
use crate::notation::parsed_match::{DiagramClaim, ParsedMatch, evidence, games, in_turn};
use crate::notation::pgn::{self, PgnGame};
use crate::notation::positions::find;
use crate::notation::reader::pasted;
use crate::notation::results;
use crate::rules::notation::{MoveText, Voice, Warning};
use crate::rules::{Color, Game, Ply, Position, Record, Role, Square, Variant};

/// A match of a text with its problems.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The match.
    pub game: ParsedMatch,
    /// The game with its options.
    pub variant: Variant,
    /// All problems of the match, ordered by place.
    pub problems: Vec<Problem>,
    /// The results that the text states, each a winner or none for a draw.
    pub stated: Vec<Option<Color>>,
    /// The tags above the match.
    pub heading: Heading,
    /// The game, if nothing names it and its moves tell it.
    pub assumed: Option<&'static Game>,
}

impl Judged {
    /// Judges a game that was read by its grammar.
    fn of_pgn(read: PgnGame) -> Judged {
        let mut problems = read.problems;
        problems.extend(self::problems(&read.game, read.has_tags));
        problems.sort_by_key(|problem| problem.place);
        Judged {
            game: read.game,
            variant: read.variant,
            problems,
            stated: read.stated,
            heading: read.heading,
            assumed: read.assumed,
        }
    }

    /// Judges a match.
    pub(super) fn of(game: ParsedMatch, variant: &Variant) -> Judged {
        Judged {
            problems: problems(&game, true),
            variant: variant.clone(),
            stated: Vec::new(),
            heading: Heading::default(),
            assumed: None,
            game,
        }
    }

    /// Returns true if all moves are legal and all diagrams agree.
    pub fn is_legal(&self) -> bool {
        !self.problems.iter().any(Problem::is_error)
    }
}

/// Judges each match in a text. Returns none if the text has neither a move list nor a
/// diagram.
///
/// # Errors
///
/// If the text names an unknown game or option.
pub fn judge(lines: &[Line<'_>], choice: &GameChoice) -> Result<Vec<Judged>, HeaderError> {
    match judge_file(lines, choice)? {
        Some(judged) => Ok(judged),
        None => judge_prose(lines, choice, None),
    }
}

/// Judges the games of a text that is a file of PGN. Returns none if it is people's text.
///
/// # Errors
///
/// If the text names an unknown game or option.
pub(super) fn judge_file(
    lines: &[Line<'_>],
    choice: &GameChoice,
) -> Result<Option<Vec<Judged>>, HeaderError> {
    let games = pgn::read(lines, choice)?;
    Ok(games.map(|games| games.into_iter().map(Judged::of_pgn).collect()))
}

/// Judges each match in people's text. `voice` is the notation of its moves; without it the moves
/// tell.
///
/// # Errors
///
/// If the text names an unknown game or option.
pub(super) fn judge_prose(
    lines: &[Line<'_>],
    choice: &GameChoice,
    voice: Option<Voice>,
) -> Result<Vec<Judged>, HeaderError> {
    let mut judged = Vec::new();
    for section in choice.sections(lines) {
        let lines = &lines[section.lines];
        let mut variant = section.variant?;
        let mut parts = find::parts(lines, &variant);
        let tell = evidence(&parts);
        let assumed = tell.game().filter(|_| !section.is_named);
        if let Some(game) = assumed {
            variant = header::variant(game, "").unwrap_or(variant);
            parts = find::parts(lines, &variant);
        }
        let has_tags = header::has_tags(lines);
        let voice = voice.unwrap_or_else(|| tell.voice_below(has_tags));
        let games = games(&in_turn(parts), &variant, voice).into_iter();
        judged.extend(games.map(|game| Judged {
            problems: problems(&game, has_tags),
            variant: variant.clone(),
            stated: stated(lines, &game),
            heading: Heading::default(),
            assumed,
            game,
        }));
    }
    Ok(judged)
}

fn stated(lines: &[Line<'_>], game: &ParsedMatch) -> Vec<Option<Color>> {
    let last = game.turns.last().map(|turn| turn.entry.place);
    last.map_or(Vec::new(), |last| results::stated(lines, last))
}

/// The reason why a list of moves is not one legal match.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RecordError {
    /// It names an unknown game or option.
    #[error("{0}")]
    Header(HeaderError),
    /// It has words, but no move.
    #[error("there is no move in it")]
    NoMove,
    /// It has errors; these are its problems, at least one.
    #[error("{}", lines_of(.0))]
    Illegal(Vec<Problem>),
    /// It holds this many matches.
    #[error("it holds {0} lists that begin at 1")]
    Several(usize),
}

/// Formats problems, one to a line, each with its place.
fn lines_of(problems: &[Problem]) -> String {
    let line = |Problem { place, message, .. }: &Problem| {
        format!("{}:{}: {message}", place.line, place.column)
    };
    problems.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Reads a list of moves as one match, in any accepted form, with or without numbers. A
/// blank text is a match without moves.
///
/// # Errors
///
/// If the list is not one legal match.
pub fn record(moves: &str, variant: &Variant) -> Result<Record, RecordError> {
    let choice = GameChoice::Given(variant.clone());
    let mut judged =
        judge_prose(&pasted(moves), &choice, Some(Voice::List)).map_err(RecordError::Header)?;
    match (judged.pop(), judged.len()) {
        (None, _) if moves.trim().is_empty() => Ok(Record::new(variant.start())),
        (None, _) => Err(RecordError::NoMove),
        (Some(one), 0) if one.is_legal() => Ok(one.game.record().clone()),
        (Some(mut one), 0) => {
            let is_error = |problem: &Problem| problem.severity == Severity::Error;
            one.problems.retain(is_error);
            Err(RecordError::Illegal(one.problems))
        }
        (Some(_), others) => Err(RecordError::Several(others + 1)),
    }
}

/// The most corrections that are named: more would not help.
const MOST_NAMED: usize = 12;

/// Returns all problems of a match, by place in the text. A note follows the error it
/// belongs to.
pub(super) fn problems(game: &ParsedMatch, has_tags: bool) -> Vec<Problem> {
    let (faults, sound) = faults(game);
    let single = game
        .problems
        .iter()
        .cloned()
        .chain(warnings(game, sound, has_tags));
    let mut problems: Vec<_> = single.map(|problem| vec![problem]).chain(faults).collect();
    problems.sort_by_key(|group| group[0].place);
    problems.concat()
}

/// Returns the warnings of the first `sound` turns. After a slip the marks belong to
/// another position. Foreign notation is remarked on once, however many moves are
/// written in it, and below tags of PGN not at all: it is the notation of that.
fn warnings(game: &ParsedMatch, sound: usize, has_tags: bool) -> Vec<Problem> {
    let turns = game.turns.iter().zip(game.record().steps());
    let mut warnings: Vec<Problem> = Vec::new();
    // The number of moves in foreign notation, and the warning about the first of them.
    let (mut foreign, mut first) = (0, 0);
    for (turn, step) in turns.take(sound) {
        let written = turn.entry.parsed.as_ref().map_or("", MoveText::as_str);
        let readings = turn.reading.iter().flatten();
        for warning in readings.flat_map(|reading| &reading.warnings) {
            let is_plain = matches!(
                warning,
                Warning::OtherForm {
                    is_forced: false,
                    ..
                }
            );
            if is_plain && !is_other_sign(written, &step.text) {
                foreign += 1;
                if foreign > 1 || has_tags {
                    continue;
                }
                first = warnings.len();
            }
            warnings.push(Problem::warning(turn.entry.place, warning).suggesting(step));
        }
    }
    let others = match foreign {
        _ if has_tags => return warnings,
        0 | 1 => return warnings,
        2 => "1 more move is".to_owned(),
        count => format!("{} more moves are", count - 1),
    };
    let message = &mut warnings[first].message;
    *message = format!("{message}; {others} in another notation, too");
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
fn faults(game: &ParsedMatch) -> (Vec<Vec<Problem>>, usize) {
    let positions = game.positions();
    let played = game.record().steps().len();
    let fault = game.fault();
    let mut wrong: Vec<&DiagramClaim> = game.claims.iter().collect();
    wrong.retain(|claim| {
        (claim.after.is_some() || claim.before.is_some()) && claim.shown(&positions).is_none()
    });
    if fault.is_none() && wrong.is_empty() {
        return (Vec::new(), played);
    }
    let corrections = match game.claims.as_slice() {
        [] => Vec::new(),
        _ => corrections(game),
    };
    if let [correction] = corrections.as_slice() {
        return (vec![corrected(game, correction)], correction.turn);
    }
    let choices = choices(game, &corrections);
    let mut groups = Vec::new();
    if let Some((turn, reason)) = fault {
        let mut problem = Problem::error(game.turns[turn].entry.place, reason);
        problem.help.clone_from(&choices);
        // Above it stands a position that is none of its own.
        let is_above = |claim: &&DiagramClaim| {
            claim.after.is_none() && claim.drawn.place.line < game.turns[0].entry.place.line
        };
        if problem.help.is_none() && wrong.iter().any(is_above) {
            problem.help = Some(BEGINS_BELOW.to_owned());
        }
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

const BEGINS_BELOW: &str = "this list was played from the start: it begins in a FEN above it only if that has the side and the number of its first move";

/// Makes the error at the one token that was meant otherwise, and a note where the list
/// broke.
fn corrected(game: &ParsedMatch, correction: &Correction) -> Vec<Problem> {
    let Correction { turn, text, claim } = correction;
    let entry = &game.turns[*turn].entry;
    let diagram = game.claims[*claim].drawn.place;
    let agree = format!(
        "with {text} the list and the diagram of line {} agree",
        diagram.line
    );
    let instead = format!("write {text} instead");
    let (message, help, note) = match game.fault() {
        Some((fault, reason)) if fault == *turn => {
            (reason.to_string(), format!("{instead}: {agree}"), None)
        }
        Some((fault, reason)) => {
            let broken = &game.turns[fault].entry;
            let why = format!("the list breaks here, at {}: {reason}", broken.text);
            let message = format!("{} does not fit what follows; {agree}", entry.text);
            (message, instead, Some(Problem::note(broken.place, why)))
        }
        None => {
            let message = format!("{} does not fit the diagram; {agree}", entry.text);
            let shown = disagreement(game, &game.claims[*claim]);
            let note = Problem::note(shown.place, shown.message);
            (message, instead, Some(note))
        }
    };
    let error = Problem::error(entry.place, message).suggesting(text);
    [error.helping(help)].into_iter().chain(note).collect()
}

/// Names all corrections in a sentence, unless there are none or too many.
fn choices(game: &ParsedMatch, corrections: &[Correction]) -> Option<String> {
    if corrections.is_empty() || corrections.len() > MOST_NAMED {
        return None;
    }
    let named = corrections.iter().map(|Correction { turn, text, .. }| {
        let entry = &game.turns[*turn].entry;
        format!("{text} for {} in line {}", entry.text, entry.place.line)
    });
    let named = named.collect::<Vec<_>>().join(", ");
    let told = "any one of these changes makes list and diagrams agree";
    Some(format!("{told}: {named}"))
}

/// Makes the error at a diagram that shows none of the positions it may.
fn disagreement(game: &ParsedMatch, claim: &DiagramClaim) -> Problem {
    let positions = game.positions();
    let last = positions.len() - 1;
    let diagram = &claim.drawn.diagram;
    let (at, fault) = if let Some(after) = claim.after {
        let fault = "this diagram does not show the position";
        (after.min(last), fault)
    } else {
        let reach = claim.before.unwrap_or(last).min(last);
        // Of several equally near positions the latest is the most likely.
        let latest = (0..=reach).rev();
        let nearest = latest.min_by_key(|&at| diagram.distance(positions[at]));
        let fault = "this diagram shows no position of its list; the nearest is that";
        (nearest.unwrap_or(reach), fault)
    };
    let message = format!("{fault} {}", name(game, at));
    let place = claim.drawn.place;
    match diagram.difference(positions[at]) {
        Some((difference, square)) => {
            let square = square.and_then(|square| claim.drawn.place_of(square));
            Problem::error(square.unwrap_or(place), format!("{message}: {difference}"))
        }
        None => Problem::error(place, message),
    }
}

/// Names a position: "after White's move 2", "at the start".
fn name(game: &ParsedMatch, plies: usize) -> String {
    let Some(last) = plies.checked_sub(1) else {
        return "at the start".to_owned();
    };
    let (position, step) = (game.positions()[last], &game.record().steps()[last]);
    let player = position.variant().player(position.turn());
    format!("after {player}'s move {}, {}", position.number(), step.text)
}

/// A token of a list with its replacement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Correction {
    /// The index of the turn, from 0.
    pub turn: usize,
    /// The canonical form of the replacement, without its mark.
    pub text: String,
    /// The index of the diagram claim that agrees only with the replacement.
    pub claim: usize,
}

/// The number of moves that the search may play before it gives up. Lists of a hundred
/// moves stay well below it.
const EFFORT: u32 = 400_000;

/// Returns every single change of a token, to another square or another piece letter,
/// with which the whole list can be played and all its diagrams agree. Returns none if
/// no diagram supports a change, or if the list is so long that the search would take
/// too much time.
pub fn corrections(game: &ParsedMatch) -> Vec<Correction> {
    let plies: Vec<Ply> = game.record().steps().iter().map(|step| step.ply).collect();
    let mut behind = game.turns.iter().skip(plies.len() + 1);
    // With two slips, no single change can mend the list.
    if behind.any(|turn| turn.entry.parsed.is_err()) {
        return Vec::new();
    }
    let mut search = Search {
        game,
        plies,
        effort: EFFORT,
        found: BTreeMap::new(),
    };
    let last = game.turns.len().min(search.plies.len() + 1);
    // Starts near the place where the list broke.
    match (0..last).rev().try_for_each(|turn| search.change(turn)) {
        Ok(()) => search.found.into_values().collect(),
        Err(TooMuch) => Vec::new(),
    }
}

/// The search has played more than [`EFFORT`] moves.
struct TooMuch;

struct Search<'c> {
    game: &'c ParsedMatch,
    /// The moves played as written.
    plies: Vec<Ply>,
    effort: u32,
    found: BTreeMap<(usize, Ply), Correction>,
}

impl Search<'_> {
    /// Tries every change of one token.
    fn change(&mut self, turn: usize) -> Result<(), TooMuch> {
        let Some(position) = self.game.record().at(turn) else {
            return Ok(());
        };
        let entry = &self.game.turns[turn].entry;
        let game = position.variant().game();
        let texts = match &entry.parsed {
            Ok(parsed) => variants(parsed.as_str(), game),
            Err(_) => mended(&entry.text, game),
        };
        for text in texts {
            self.spend()?;
            let Ok(reading) = position.read(&text) else {
                continue;
            };
            let ply = reading.ply;
            if self.plies.get(turn) == Some(&ply) || self.found.contains_key(&(turn, ply)) {
                continue;
            }
            if let Some(claim) = self.try_ply(turn, &ply)? {
                let text = position.text(&ply);
                let correction = Correction { turn, text, claim };
                self.found.insert((turn, ply), correction);
            }
        }
        Ok(())
    }

    fn spend(&mut self) -> Result<(), TooMuch> {
        self.effort = self.effort.checked_sub(1).ok_or(TooMuch)?;
        Ok(())
    }

    /// Plays the list with another ply at a turn. Returns the claim that supports it,
    /// if no claim contradicts it.
    fn try_ply(&mut self, turn: usize, ply: &Ply) -> Result<Option<usize>, TooMuch> {
        let start = self.game.record().at(turn);
        let Some(first) = start.and_then(|start| start.play(ply).ok()) else {
            return Ok(None);
        };
        let mut line = vec![first];
        for at in turn + 1..self.game.turns.len() {
            self.spend()?;
            let position = &line[line.len() - 1];
            // The same ply, or else the same token with another meaning.
            let same = self.plies.get(at).and_then(|ply| position.play(ply).ok());
            let Some(next) = same.or_else(|| self.play_token(position, at)) else {
                return Ok(None);
            };
            line.push(next);
        }
        let mut positions = self.game.positions();
        positions.truncate(turn + 1);
        positions.extend(&line);
        Ok(self.borne_out(turn, &positions))
    }

    fn play_token(&self, position: &Position, at: usize) -> Option<Position> {
        let parsed = self.game.turns[at].entry.parsed.as_ref().ok()?;
        let reading = position.interpret(parsed, Voice::List).ok()?;
        position.play(&reading.ply).ok()
    }

    /// Returns the first claim that shows a position after the change, if every claim
    /// shows one of its possible positions.
    fn borne_out(&self, turn: usize, positions: &[&Position]) -> Option<usize> {
        let mut witness = None;
        for (at, claim) in self.game.claims.iter().enumerate() {
            if claim.shown(positions)? > turn {
                witness.get_or_insert(at);
            }
        }
        witness
    }
}

/// Returns every token that differs from this one in one square or letter.
fn variants(token: &str, game: &Game) -> Vec<String> {
    let mut variants = Vec::new();
    for at in 0..token.len() {
        let pair = token.get(at..at + 2).filter(|pair| is_square(pair));
        let (length, mut others) = if pair.is_some() {
            (2, squares(game))
        } else if let Some(letter) = letter(token, at) {
            (1, letters(letter, game))
        } else {
            continue;
        };
        let (before, behind) = (&token[..at], &token[at + length..]);
        others.retain(|other| *other != token[at..at + length]);
        let others = others.iter();
        variants.extend(others.map(|other| format!("{before}{other}{behind}")));
    }
    variants
}

/// Returns the moves that an invalid token may have been meant for, each with another
/// square after its letter and sign.
fn mended(token: &str, game: &Game) -> Vec<String> {
    let sign = token.find(['>', '*', '@', '\'', '-', 'x', ':']);
    let Some(at) = sign.filter(|_| letter(token, 0).is_some()) else {
        return Vec::new();
    };
    let mut moves = squares(game);
    for square in &mut moves {
        square.insert_str(0, &token[..=at]);
    }
    moves
}

fn is_square(pair: &str) -> bool {
    pair.starts_with(|c: char| c.is_ascii_lowercase()) && pair.parse::<Square>().is_ok()
}

fn squares(game: &Game) -> Vec<String> {
    let squares = Square::all(game.rules.width);
    squares.map(|square| square.to_string()).collect()
}

/// Returns the piece letter at a place in the token: at its start, or after the sign of
/// a promotion or the comma of a placement.
fn letter(token: &str, at: usize) -> Option<char> {
    let before = token[..at].chars().next_back();
    let mut rest = token[at..].chars();
    let letter = rest.next().filter(|&c| Role::from_letter(c).is_some())?;
    let is_piece = before.is_none_or(|c| matches!(c, '=' | ',' | '+'))
        && !rest.next().is_some_and(|c| c.is_ascii_digit());
    is_piece.then_some(letter)
}

/// Returns the letters of the game's pieces, in the case of `like`.
fn letters(like: char, game: &Game) -> Vec<String> {
    let roles = game.rules.kinds.iter().map(|kind| kind.role);
    let letters = roles.filter(|role| !role.is_promoted());
    let letters = letters.map(|role| role.of(Color::of_letter(like)).letter().to_string());
    letters.collect()
}
