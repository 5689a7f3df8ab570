//! The games that a text fits better than the one by which it was read. A person chooses one of them:
//! nothing is read by a game that neither they nor the text have named.

use crate::command::arguments::GameArgs;
use crate::command::context::visible;
use crate::mail::quoting::line::Line;
use crate::notation::diagnostic::{Problem, TextPlace};
use crate::notation::header;
use crate::notation::judge::{self, GameChoice, Judged};
use crate::rules::{Game, Variant, games};
use crate::shell::quote;

/// The most games that a text is said to fit better.
const MOST_GAMES: usize = 3;

/// The most matches of a list of PGN that are tried: each is read again by every game.
const MOST_MATCHES: usize = 20;

/// The most bytes of a text that is tried, for the same reason: a match of a thousand moves with long
/// comments takes a tenth of them.
const MOST_BYTES: usize = 1 << 20;

/// Other games that a text fits better.
struct FittingGames {
    games: Vec<&'static Game>,
    /// True if the whole text is legal by them.
    are_whole: bool,
}

/// Names the games that a refused text fits better, if no game was chosen for it: in a note at its
/// first fault. A list of PGN that names no game, and that can be played whole in others, has no other
/// fault: the errors of its matches say that, and name `command` with each game and the text of this
/// name, `-` for standard input.
pub(super) fn name_better_games(
    judged: &mut [Judged],
    lines: &[Line<'_>],
    name: &str,
    choice: &GameArgs,
    command: &str,
) {
    if choice.game.is_some() {
        return;
    }
    if lines.iter().map(|line| line.source.len()).sum::<usize>() > MOST_BYTES {
        return;
    }
    let is_foreign = choice.options.is_empty() && header::has_tags_alone(lines);
    if judged.len() > 1 && !(is_foreign && judged.len() <= MOST_MATCHES) {
        return;
    }
    let Some(first) = judged.iter().position(|one| !one.is_legal()) else {
        return;
    };
    let Some(FittingGames { games, are_whole }) = FittingGames::of(judged, lines) else {
        return;
    };
    if !(is_foreign && are_whole) {
        let names: Vec<&str> = games.iter().map(|game| game.name).collect();
        let options = games.iter().map(|game| format!("--game {}", game.id));
        let options: Vec<String> = options.collect();
        let note = format!(
            "the moves fit {} better: {}",
            names.join(" or "),
            options.join(" or ")
        );
        let problems = &mut judged[first].problems;
        if let Some(place) = fault(problems) {
            problems.push(Problem::note(place, note));
        }
        return;
    }
    let commands = games.iter().map(|game| {
        let option = format!("--game {}", game.id);
        let advice = match name {
            "-" => format!("parapost {command} {option}"),
            // A name that is an option, or that is not shown as it is, would make another command.
            name if name.starts_with('-') || visible(name) != name => format!("add {option}"),
            name => format!("parapost {command} {option} {}", quote(name)),
        };
        format!("as {} it is: {advice}", game.name)
    });
    let commands: Vec<String> = commands.collect();
    for one in judged.iter_mut().filter(|one| !one.is_legal()) {
        let why = format!(
            "no tag names the game of this list, and as {}, by which it is then read, it is not legal; {}",
            one.variant.game().name,
            commands.join("; ")
        );
        let error = fault(&one.problems).map(|place| Problem::error(place, why));
        one.problems = error.into_iter().collect();
    }
}

/// Returns the place of the first error.
fn fault(problems: &[Problem]) -> Option<TextPlace> {
    let mut errors = problems.iter().filter(|problem| problem.is_error());
    errors.next().map(|error| error.place)
}

impl FittingGames {
    /// Tries every other game. Returns none if the text fits none better.
    fn of(judged: &[Judged], lines: &[Line<'_>]) -> Option<FittingGames> {
        let plies = |judged: &[Judged]| -> usize {
            let records = judged.iter().map(|one| one.game.record());
            records.map(|record| record.steps().len()).sum()
        };
        let read_by = judged.first()?.variant.game();
        let mut most = plies(judged) + 1;
        let mut better = FittingGames {
            games: Vec::new(),
            are_whole: false,
        };
        for game in games::ALL.iter().rev() {
            if game.id == read_by.id {
                continue;
            }
            let Ok(variant) = Variant::new(game, &[]) else {
                continue;
            };
            let Ok(other) = judge::judge(lines, &GameChoice::Given(variant)) else {
                continue;
            };
            // By its rules the list may be none, or several.
            if other.len() != judged.len() {
                continue;
            }
            let (plies, is_whole) = (plies(&other), other.iter().all(Judged::is_legal));
            if plies > most || (plies == most && is_whole && better.games.is_empty()) {
                (most, better.are_whole) = (plies, is_whole);
                better.games.clear();
            }
            if plies == most {
                better.are_whole &= is_whole;
                better.games.push(game);
            }
        }
        better.games.truncate(MOST_GAMES);
        (!better.games.is_empty()).then_some(better)
    }
}
