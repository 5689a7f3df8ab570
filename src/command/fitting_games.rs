//! The games that a text fits better than the one by which it was read. A person chooses one of them:
//! nothing is read by a game that neither they nor the text have named.

use crate::command::arguments::GameArgs;
use crate::command::context::Context;
use crate::mail::quoting::line::Line;
use crate::notation::diagnostic::{Problem, TextPlace};
use crate::notation::judge::{self, GameChoice, Judged};
use crate::rules::{Game, Variant, games};

/// The most games that a note names.
const MOST_GAMES: usize = 3;

/// The most bytes of a text that is tried, since every game reads it again: a match of a thousand moves with long
/// comments takes a tenth of them.
const MOST_BYTES: usize = 1 << 20;

/// Names the games that a refused match fits better in a note at its first fault, if no game was
/// chosen for it.
pub(super) fn name_better_games(judged: &mut [Judged], lines: &[Line<'_>], choice: &GameArgs) {
    let is_long = || lines.iter().map(|line| line.source.len()).sum::<usize>() > MOST_BYTES;
    let [one] = &mut *judged else {
        return;
    };
    if choice.game.is_some() || one.is_legal() || is_long() {
        return;
    }
    let Some(place) = fault(&one.problems) else {
        return;
    };
    let (games, are_whole) = fitting_games(one, lines);
    if !are_whole && is_of_crazyhouse(one) {
        one.problems.push(Problem::note(place, CRAZYHOUSE));
        return;
    }
    if games.is_empty() {
        return;
    }
    let names: Vec<&str> = games.iter().map(|game| game.name).collect();
    let options = games.iter().map(|game| format!("--game {}", game.id));
    let options: Vec<String> = options.collect();
    let note = format!(
        "the moves fit {} better: {}",
        names.join(" or "),
        options.join(" or ")
    );
    one.problems.push(Problem::note(place, note));
}

const CRAZYHOUSE: &str = "the moves look like Crazyhouse, which is not among the games here";

/// Returns true if pieces are dropped behind a first move on the board, and with the sign of other
/// programs.
fn is_of_crazyhouse(judged: &Judged) -> bool {
    let moves = judged.game.turns.iter();
    let mut moves = moves.filter_map(|turn| turn.entry.parsed.as_ref().ok());
    moves.next().is_some_and(|first| !first.is_drop())
        && moves.any(|one| one.is_drop() && one.as_str().contains('@'))
}

/// Returns the place of the first error.
fn fault(problems: &[Problem]) -> Option<TextPlace> {
    let mut errors = problems.iter().filter(|problem| problem.is_error());
    errors.next().map(|error| error.place)
}

/// Tries every other game. Returns those in which more of the moves are legal, and true if all are
/// legal in one.
fn fitting_games(judged: &Judged, lines: &[Line<'_>]) -> (Vec<&'static Game>, bool) {
    let plies = |judged: &Judged| judged.game.record().steps().len();
    let (mut most, mut games, mut are_whole) = (plies(judged) + 1, Vec::new(), false);
    for game in games::ALL.iter().rev() {
        if game.id == judged.variant.game().id {
            continue;
        }
        let Ok(variant) = Variant::new(game, &[]) else {
            continue;
        };
        // By its rules the list may be none, or several.
        let Ok([other]) = judge::judge(lines, &GameChoice::Given(variant))
            .map_err(|_| ())
            .and_then(|other| <[Judged; 1]>::try_from(other).map_err(|_| ()))
        else {
            continue;
        };
        if plies(&other) > most {
            most = plies(&other);
            games.clear();
        }
        if plies(&other) == most {
            are_whole |= other.is_legal();
            games.push(*game);
        }
    }
    games.truncate(MOST_GAMES);
    (games, are_whole)
}

/// Says which game was assumed for a text that names none, and which option chooses another.
pub(super) fn say_assumed(assumed: Option<&'static Game>, name: &str, context: &mut Context<'_>) {
    if let Some(game) = assumed {
        context.say(format!(
            "{name}: nothing names the game, and the moves look like {}; '--game' chooses another",
            game.name
        ));
    }
}
