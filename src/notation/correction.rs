//! Searches for a slip of the pen: the one token of a list that, changed, makes the
//! list and its diagrams agree.

use std::collections::BTreeMap;

use crate::notation::parsed_game::{DiagramClaim, ParsedGame};
use crate::rules::notation::Voice;
use crate::rules::{Color, Game, Piece, Ply, Position, Role, Square};

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
#[must_use]
pub fn corrections(game: &ParsedGame) -> Vec<Correction> {
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
                // The same ply, or else the same token with another meaning.
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

    /// Returns the first claim that shows a position after the change, if every claim
    /// shows one of its possible positions.
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

/// Returns every token that differs from this one in one square or letter.
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

/// Returns the moves that an invalid token may have been meant for, each with another
/// square after its letter and sign.
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
