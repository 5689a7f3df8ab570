//! Words of an opponent's that could be read as something else: moves, lists,
//! commands, diagrams, id lines, the heads of quotations.

use fastrand::Rng;
use parapost::matches::r#match::Match;
use parapost::notation::diagram::Diagram;
use parapost::notation::move_list::{self, MoveList};
use parapost::rules::{Color, Record};

/// Makes words of one to six such pieces.
pub(crate) fn hostile(game: &Match, rng: &mut Rng) -> String {
    let pieces: Vec<String> = (0..rng.usize(1..7)).map(|_| piece(game, rng)).collect();
    let between = if rng.bool() { "\n" } else { "\n\n" };
    pieces.join(between)
}

fn piece(game: &Match, rng: &mut Rng) -> String {
    let position = game.position();
    let plies = position.single_plies();
    let ply = plies[rng.usize(..plies.len())];
    let text = position.text(&ply);
    let dots = match position.turn() {
        Color::White => ".",
        Color::Black => "...",
    };
    let number = format!("{}{dots}", position.number());
    let mut after: Record = game.record().clone();
    let is_played = after.play(&ply).is_ok();
    match rng.u8(..20) {
        0 | 1 => text,
        2 => format!("{number} {text}"),
        3 if is_played => MoveList::of(&after).to_string(),
        4 | 5 if is_played => move_list::line(&after, 0),
        6 if is_played => {
            let from = after.steps().len().saturating_sub(rng.usize(1..4));
            move_list::line(&after, from)
        }
        7 if is_played => Diagram::of(after.position()).to_string(),
        8 => MoveList::of(game.record()).to_string(),
        9 => pick(
            &[
                "resign",
                "offer draw",
                "accept draw",
                "propose takeback",
                "(=)",
                "claim draw",
            ],
            rng,
        ),
        10 => {
            // The foot of our mails, and that of earlier versions.
            let (between, end) = match rng.bool() {
                true => (", hash ", "."),
                false => (".\nHash of the moves: ", ""),
            };
            let (id, made) = (game.id(), game.record().steps().len());
            let hash = game.hash();
            format!("Game {id}, {made} half-moves made{between}{hash}{end}")
        }
        11 => pick(
            &[
                "On Fri, 20 Nov 2026, Anna <anna@example.org> wrote:",
                "-----Original Message-----",
                "From: Ben <ben@example.org>\nSent: Friday\nTo: Anna\nSubject: hello",
                "-- ",
                "---",
                "> ",
            ],
            rng,
        ),
        12 => format!("> {text}\n> {number} {text}"),
        13 => format!("I would play {text} there"),
        14 => format!("{number} {text} (=)"),
        15 => format!("Sorry, {text} instead"),
        16 => format!("please send it on a line of its own:\n\n    {number} {text}"),
        17 => format!("{}{text}", "x".repeat(rng.usize(20..75))),
        18 => pick(
            &[
                "Thanks for the game.",
                "It rains here, 20.11.2026.",
                "What now?",
            ],
            rng,
        ),
        _ => format!("Dear friend,\n{text}\nbest regards"),
    }
}

fn pick(texts: &[&str], rng: &mut Rng) -> String {
    (*rng.choice(texts).expect("there are some")).to_owned()
}
