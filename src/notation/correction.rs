//! The search for a slip of the pen: the one token of a list that, written
//! otherwise, makes the list and its diagrams agree.

use std::collections::BTreeMap;

use crate::notation::parsed_game::{DiagramClaim, ParsedGame};
use crate::rules::notation::Voice;
use crate::rules::{Color, Game, Piece, Ply, Position, Role, Square};

/// A token of a list, and what to write there instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Correction {
    /// Which turn, counted from 0.
    pub turn: usize,
    /// The canonical form of what to write, without its mark.
    pub text: String,
    /// Which diagram then agrees that did not before: its place among the
    /// claims.
    pub claim: usize,
}

/// How many moves the search may play before it gives up. Lists of a hundred
/// moves stay well below.
const EFFORT: u32 = 400_000;

/// Every single change of a token, to another square or another piece letter,
/// with which the whole list can be played and all its diagrams agree. None
/// where no diagram bears a change out, or where the list is so long that the
/// search would take too much time.
#[must_use]
pub fn corrections(game: &ParsedGame) -> Vec<Correction> {
    let plies: Vec<Ply> = game.record().steps().iter().map(|step| step.ply).collect();
    let mut behind = game.turns.iter().skip(plies.len() + 1);
    // Of two slips neither can be mended by itself.
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
    // Near the place where the list broke first.
    for turn in (0..last).rev() {
        if search.change(turn).is_err() {
            return Vec::new();
        }
    }
    search.found.into_values().collect()
}

/// The search has played more than [`EFFORT`] moves.
struct TooMuch;

struct Search<'c> {
    game: &'c ParsedGame,
    /// What was played as it stands.
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
            let Ok(reading) = position.read(&text, Voice::List) else {
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

    /// Plays the list with another ply at a turn. Gives the claim that bears
    /// it out, if all do not contradict it.
    fn try_ply(&mut self, turn: usize, ply: &Ply) -> Result<Option<usize>, TooMuch> {
        let mut line: Vec<Position> = Vec::new();
        let start = self.game.record().at(turn);
        let Some(first) = start.and_then(|start| start.play(ply).ok()) else {
            return Ok(None);
        };
        line.push(first);
        for at in turn + 1..self.game.turns.len() {
            self.spend()?;
            let position = &line[line.len() - 1];
            let next = match self.plies.get(at) {
                // The same ply, or the same words with another meaning.
                Some(ply) => position
                    .play(ply)
                    .ok()
                    .or_else(|| self.play_token(position, at)),
                None => self.play_token(position, at),
            };
            let Some(next) = next else {
                return Ok(None);
            };
            line.push(next);
        }
        let before = self.game.positions();
        let positions: Vec<&Position> =
            before.iter().take(turn + 1).copied().chain(&line).collect();
        Ok(self.borne_out(turn, &positions))
    }

    fn play_token(&self, position: &Position, at: usize) -> Option<Position> {
        let parsed = self.game.turns[at].entry.parsed.as_ref().ok()?;
        let reading = position.interpret(parsed, Voice::List).ok()?;
        position.play(&reading.ply).ok()
    }

    /// The first claim that shows a position behind the change, if every claim
    /// shows some position it may.
    fn borne_out(&self, turn: usize, positions: &[&Position]) -> Option<usize> {
        let claims: &[DiagramClaim] = &self.game.claims;
        let mut witness = None;
        for (at, claim) in claims.iter().enumerate() {
            let shown = claim.shown(positions)?;
            if shown > turn && witness.is_none() {
                witness = Some(at);
            }
        }
        witness
    }
}

/// The token with one of its squares or letters written otherwise.
fn variants(token: &str, game: &Game) -> Vec<String> {
    let mut variants = Vec::new();
    for at in 0..token.len() {
        let pair = token.get(at..at + 2).filter(|pair| is_square(pair));
        if let Some(pair) = pair {
            let behind = &token[at + 2..];
            let others = squares(game).filter(|square| square != pair);
            variants.extend(others.map(|square| format!("{}{square}{behind}", &token[..at])));
        } else if let Some(letter) = letter(token, at) {
            let behind = &token[at + 1..];
            let others = letters(letter, game).filter(|other| *other != letter);
            variants.extend(others.map(|other| format!("{}{other}{behind}", &token[..at])));
        }
    }
    variants
}

/// The moves that a token which is none may have been meant for: another
/// square behind its letter and sign.
fn mended(token: &str, game: &Game) -> Vec<String> {
    let signed = token.find(['>', '*', '@', '\'', '-', 'x', ':']);
    match signed {
        Some(at) if letter(token, 0).is_some() => squares(game)
            .map(|square| format!("{}{square}", &token[..=at]))
            .collect(),
        _ => Vec::new(),
    }
}

fn is_square(pair: &str) -> bool {
    pair.starts_with(|c: char| c.is_ascii_lowercase()) && pair.parse::<Square>().is_ok()
}

fn squares(game: &Game) -> impl Iterator<Item = String> {
    Square::all(game.rules.width).map(|square| square.to_string())
}

/// The piece letter at a place of a token: at its start, behind the sign of a
/// promotion or the comma of a placement.
fn letter(token: &str, at: usize) -> Option<char> {
    let before = token[..at].chars().next_back();
    let mut rest = token[at..].chars();
    let letter = rest.next().filter(|&c| Role::from_letter(c).is_some())?;
    let is_piece = before.is_none_or(|c| matches!(c, '=' | ',' | '+'))
        && !rest.next().is_some_and(|c| c.is_ascii_digit());
    is_piece.then_some(letter)
}

/// The letters of the game's pieces, in the case of a letter.
fn letters(like: char, game: &Game) -> impl Iterator<Item = char> {
    let color = if like.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    };
    let kinds = game.rules.kinds.iter();
    kinds
        .filter(|kind| !kind.role.is_promoted())
        .map(move |kind| {
            Piece {
                color,
                role: kind.role,
            }
            .letter()
        })
}
