//! A game explained to its players: the beginnings, for somebody who has never seen it, and
//! the whole rules.

use std::mem::discriminant;

use serde::Serialize;

use crate::rules::game::{Captured, DropAttack};
use crate::rules::notation::Voice;
use crate::rules::{Color, Game, Ply, Position, Role, Rules, Square, Variant};

/// The beginnings of a game, for a player's first move: the aim, the pieces, and the
/// writing of moves. Each text is a paragraph. Everything follows from the tables of the
/// rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Lesson {
    /// The aim of the game, and what a turn is.
    pub aim: String,
    /// The rules of placing pieces; may be empty.
    pub placing: String,
    /// The letters of the pieces, and the names of the squares.
    pub letters: String,
    /// The ways to write a move, each a clause with an example.
    pub writing: Vec<String>,
    /// A few first moves that are legal. They show the writing and are not chosen by
    /// strength.
    pub samples: Vec<String>,
}

impl Lesson {
    /// Writes the lesson for the player of this side.
    pub fn new(position: &Position, reader: Color) -> Lesson {
        let variant = position.variant();
        let rules = variant.rules();
        let samples = samples(position, reader);
        Lesson {
            aim: aim(rules),
            placing: placing(rules, reader),
            letters: letters(variant, reader),
            writing: writing(rules, reader, &samples),
            samples,
        }
    }
}

fn aim(rules: &Rules) -> String {
    let begin = match (
        rules.has_reserve(),
        rules.start.contains(char::is_alphabetic),
    ) {
        (true, false) => " The board begins empty, and the pieces wait in reserve beside it.",
        (true, true) if rules.reserve_at_start => {
            " Some pieces stand on the board at first, the others wait in reserve beside it."
        }
        _ => "",
    };
    let turn = if rules.placement {
        " In your first turn you place as many pieces as you like, your king among them. In \
         each later turn you move a piece, or you place one or more."
    } else if rules.has_reserve() {
        " In your turn you place a piece of your reserve on an empty square, or you move one \
         that is on the board."
    } else {
        ""
    };
    let family = if rules.has_chess_pawns() {
        "chess"
    } else {
        "shogi (Japanese chess)"
    };
    let captured = match rules.captured {
        Captured::ChangesSides => ", and a piece you capture joins your reserve",
        _ => "",
    };
    format!(
        "The aim is checkmate: to attack the other king so that nothing saves it.{begin}{turn} \
         Pieces move and capture as in {family}{captured}."
    )
}

/// Names the squares where a player may place pieces.
fn placing(rules: &Rules, reader: Color) -> String {
    if !rules.reserve_at_start {
        return String::new();
    }
    let [most, pawns] = [Role::Queen, Role::Pawn].map(|role| rules.drop_ranks[role.index()]);
    let others = if most == (1, rules.width) {
        "any empty square".to_owned()
    } else {
        ranks(rules, reader, most)
    };
    let mut text = String::new();
    if rules.has_slot(Role::Pawn) && pawns != most && rules.has_chess_pawns() {
        let pawns = ranks(rules, reader, pawns);
        text = format!("You place pawns on {pawns}, other pieces on {others}");
    } else if most != (1, rules.width) {
        text = format!("You place pieces on {others}");
    }
    if let Some(goal) = rules.relocation {
        let to = ranks(rules, reader, goal);
        text = format!(
            "{text}, or on a pawn of yours, which goes in the same move to an empty square of {to}"
        );
    }
    let mut sentences = Vec::new();
    if !text.is_empty() {
        text.push('.');
        sentences.push(text.as_str());
    }
    if rules.one_pawn_a_file {
        sentences.push(
            "You may not place a pawn on a file where you have an unpromoted one, nor any piece \
             where it could never move.",
        );
    }
    if rules.bishops_differ {
        sentences.push("Your two bishops go on squares of different colours.");
    }
    sentences.extend(match rules.drop_attack {
        DropAttack::NotTheKing => {
            Some("A piece may not be placed where it attacks the other king at once.")
        }
        DropAttack::Nothing => {
            Some("A piece may not be placed where it attacks any enemy piece at once.")
        }
        _ => None,
    });
    if rules.king_before_capture && !rules.placement {
        sentences.push("You may not capture before your king is on the board.");
    }
    sentences.join(" ")
}

/// Writes ranks as the board counts them: `ranks 5 to 7`.
fn ranks(rules: &Rules, reader: Color, (first, last): (u8, u8)) -> String {
    let (low, high) = match reader {
        Color::White => (first, last),
        Color::Black => (rules.width + 1 - last, rules.width + 1 - first),
    };
    format!("ranks {low} to {high}")
}

fn letters(variant: &Variant, reader: Color) -> String {
    let rules = variant.rules();
    let mut kinds = Role::ALL.to_vec();
    kinds.retain(|role| !role.is_promoted() && rules.kind(*role).is_some());
    let kinds = kinds.iter().map(|role| format!("{} {role}", role.letter()));
    let case = match reader {
        Color::White => "capitals",
        Color::Black => "small letters",
    };
    let last_file = char::from(b'a' + rules.width - 1);
    let first = variant.player(Color::White);
    format!(
        "The letters: {}. In the diagram yours are {case}; in a move you may write either. \
         A square is a letter and a number: the files are a to {last_file} from {first}'s left, \
         the ranks 1 to {} from {first}'s side.",
        kinds.collect::<Vec<_>>().join(", "),
        rules.width
    )
}

/// Lists how each kind of move is written, with the samples where there is one.
fn writing(rules: &Rules, reader: Color, samples: &[String]) -> Vec<String> {
    let cased = |text: &str| match reader {
        Color::White => text.to_owned(),
        Color::Black => text.to_lowercase(),
    };
    // A sample is legal now, so that whoever copies it plays it.
    let as_in = |way: &str, sample: Option<&String>, other: &str| {
        let example = sample.cloned().unwrap_or_else(|| cased(other));
        format!("to {way}, as in {example}")
    };
    let with = |sign: char| samples.iter().find(|text| text.contains(sign));
    let mut ways = Vec::new();
    if rules.has_reserve() {
        let is_drop = |text: &&String| text.contains('>') && !text.contains(['/', ',']);
        let drop = "place a piece: its letter, \">\" and the square, without blanks";
        ways.push(as_in(drop, samples.iter().find(is_drop), "N>f3"));
    }
    if rules.placement {
        let several = "place several: all in one line with commas between";
        ways.push(as_in(several, with(','), "K>g1,P>d4"));
    }
    if rules.relocation.is_some() {
        let onto = "place one on your own pawn: \"/\" and the pawn's new square behind it";
        ways.push(as_in(onto, with('/'), "B>g2/g3"));
    }
    let step = "move one: its letter, \"-\" and the square";
    ways.push(as_in(step, with('-'), "N-d5"));
    // First moves take nothing, so that no sample shows it.
    let capture = "capture: its letter, \"x\" and the square";
    ways.push(as_in(capture, None, "Nxd5"));
    ways
}

/// The number of samples.
const SAMPLES: usize = 3;

/// The piece of each sample, and the square near which it is looked for, as its player
/// counts files and ranks from 0.
const WANTED: [(Role, u8, u8); SAMPLES] =
    [(Role::Knight, 5, 2), (Role::Pawn, 3, 3), (Role::King, 6, 0)];

/// Returns a few legal moves, each of another kind or another piece. Nothing about them
/// depends on their strength. Returns none if the match is over.
fn samples(position: &Position, reader: Color) -> Vec<String> {
    let Some(position) = with_turn(position, reader) else {
        return Vec::new();
    };
    let plies = position.single_plies();
    if position.variant().rules().placement && position.king(reader).is_none() {
        return placements(&position, &plies);
    }
    let mut found: Vec<Ply> = Vec::new();
    for wanted in WANTED {
        // Castling needs no example of its own.
        let is_new = |ply: &&Ply| !found.contains(*ply) && !matches!(ply, Ply::Castle(_));
        let best = plies.iter().filter(is_new).min_by_key(|ply| {
            let role = role(&position, ply);
            // Each variant of a ply is written in a way of its own.
            let is_used = |other: &Ply| discriminant(other) == discriminant(*ply);
            (
                found.iter().any(is_used),
                role != wanted.0,
                found
                    .iter()
                    .any(|other| self::role(&position, other) == role),
                distance(ply, wanted, &position),
                position.text(ply),
            )
        });
        found.extend(best.copied());
    }
    found.iter().map(|ply| position.text(ply)).collect()
}

/// Returns first placements of one piece, of two and of three, the king among them.
fn placements(position: &Position, plies: &[Ply]) -> Vec<String> {
    let mut found = Vec::new();
    let mut text = String::new();
    for wanted in WANTED.into_iter().rev() {
        if text.is_empty() {
            let of_role = plies.iter().filter(|ply| role(position, ply) == wanted.0);
            let nearest = of_role.min_by_key(|ply| distance(ply, wanted, position));
            text = nearest.map_or(text, |ply| position.text(ply));
        } else {
            let letter = wanted.0.of(position.turn()).letter();
            let (file, rank) = coordinates(wanted, position);
            let file = char::from(b'a' + file);
            text = format!("{text},{letter}>{file}{}", rank + 1);
        }
        if let Ok(reading) = position.read_with(&text, Voice::Alone) {
            found.push(position.text(&reading.ply));
        }
    }
    found
}

/// Returns the position with this side to move, none if that is not possible.
fn with_turn(position: &Position, side: Color) -> Option<Position> {
    if position.outcome().is_some() {
        return None;
    }
    if position.turn() == side {
        return Some(position.clone());
    }
    let mut setup = position.to_setup();
    setup.turn = side;
    setup.en_passant = None;
    Position::from_setup(position.variant(), &setup).ok()
}

/// Returns the piece that is placed or moved.
fn role(position: &Position, ply: &Ply) -> Role {
    match ply {
        Ply::Drop { role, .. } | Ply::Relocation { role, .. } => *role,
        Ply::Move { from, .. } => position.get(*from).map_or(Role::King, |piece| piece.role),
        Ply::Castle(_) | Ply::Placement(_) => Role::King,
    }
}

/// Returns the file and the rank of a sample's square on the board, from 0.
fn coordinates((_, file, rank): (Role, u8, u8), position: &Position) -> (u8, u8) {
    match position.turn() {
        Color::White => (file, rank),
        Color::Black => (file, position.variant().rules().width - 1 - rank),
    }
}

/// Returns how far a move ends from a sample's square, and for a relocation how far the pawn
/// goes.
fn distance(ply: &Ply, wanted: (Role, u8, u8), position: &Position) -> (u8, u8) {
    let (file, rank) = coordinates(wanted, position);
    let between = |one: Square, file: u8, rank: u8| {
        let files = one.file().index().abs_diff(file);
        files.max(one.rank().index().abs_diff(rank))
    };
    let reached = match ply.target() {
        Some(target) => between(target, file, rank),
        None => u8::MAX,
    };
    let pawn = match ply {
        Ply::Relocation { to, pawn, .. } => {
            // On its own file first.
            let files = to.file().index().abs_diff(pawn.file().index());
            files * position.variant().rules().width
                + between(*pawn, to.file().index(), to.rank().index())
        }
        _ => 0,
    };
    (reached, pawn)
}

/// Marks the readings of this program.
const OURS: &str = "[R]";

/// Explains the mark.
const EXPLAINED: &str =
    "[R] marks what the source leaves open, as this program reads it, with the reason.";

/// Returns the explanation of the marks in the rules of a game, if they have any.
pub(crate) fn rules_legend(game: &Game) -> Option<&'static str> {
    game.text.contains(OURS).then_some(EXPLAINED)
}

/// Returns the rules of a game with their source and the explanation of their marks, a
/// paragraph or an item to a line.
pub(crate) fn rules_text(game: &Game) -> String {
    let mut text = format!("{} ({})\n{}.\n", game.name, game.id, game.credit);
    let mut is_open = false;
    for line in game.text.lines() {
        let begins = line.starts_with("- ") || line.starts_with("* ");
        let goes_on = is_open && !begins && !line.trim().is_empty();
        text.push(if goes_on { ' ' } else { '\n' });
        text.push_str(line.trim());
        is_open = !line.trim().is_empty();
    }
    match rules_legend(game) {
        Some(legend) => text + "\n\n" + legend,
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::printable::is_unprintable;
    use crate::rules::games;

    /// Every lesson of every game with every option, and the position of its samples.
    fn lessons() -> Vec<(Position, Lesson)> {
        let mut lessons = Vec::new();
        for game in games::ALL {
            let options = game.options.iter().map(|option| vec![option.name]);
            for options in options.chain([Vec::new()]) {
                let variant = Variant::new(game, &options).unwrap();
                for reader in Color::ALL {
                    let lesson = Lesson::new(&variant.start(), reader);
                    let position = with_turn(&variant.start(), reader).unwrap();
                    lessons.push((position, lesson));
                }
            }
        }
        lessons
    }

    #[test]
    fn each_sample_is_a_legal_first_move_of_the_reader() {
        for (position, lesson) in lessons() {
            let id = position.variant().game().id;
            assert_eq!(lesson.samples.len(), SAMPLES, "{id}");
            for sample in &lesson.samples {
                let reading = position.read_with(sample, Voice::Alone).unwrap();
                assert_eq!(position.text(&reading.ply), *sample, "{id}");
            }
            let mut samples = lesson.samples.clone();
            samples.dedup();
            assert_eq!(samples.len(), SAMPLES, "{id}: {samples:?}");
        }
    }

    #[test]
    fn whoever_copies_how_to_place_a_piece_makes_a_legal_move() {
        for (position, lesson) in lessons() {
            let rules = position.variant().rules();
            for way in lesson
                .writing
                .iter()
                .filter(|way| way.starts_with("to place"))
            {
                let (_, example) = way.rsplit_once(' ').unwrap();
                if rules.reserve_at_start {
                    assert!(position.read_with(example, Voice::Alone).is_ok(), "{way}");
                }
            }
        }
    }

    #[test]
    fn a_lesson_fits_the_rules_of_its_game() {
        let lesson = |game: &str, reader| {
            let variant = Variant::find(game, &[]).unwrap();
            Lesson::new(&variant.start(), reader)
        };
        let unachess = lesson("unachess", Color::Black);
        assert!(
            unachess.placing.contains("pawns on ranks 5 to 7"),
            "{unachess:?}"
        );
        assert!(unachess.aim.contains("The board begins empty"));
        assert!(unachess.letters.contains("yours are small letters"));
        let newchess = lesson("newchess", Color::White);
        assert!(
            newchess
                .placing
                .contains("pieces on ranks 1 to 4, or on a pawn of yours")
        );
        assert!(newchess.samples.iter().any(|text| text.contains('/')));
        assert!(lesson("kingchess", Color::Black).samples[1].contains(','));
        assert!(lesson("unashogi", Color::White).letters.contains("G gold"));
        assert_eq!(lesson("chess", Color::White).placing, "");
        for (_, lesson) in lessons() {
            let texts = [&lesson.aim, &lesson.placing, &lesson.letters];
            assert!(texts.into_iter().all(|text| !text.contains(is_unprintable)));
        }
    }

    #[test]
    fn no_word_of_the_rules_is_lost() {
        for game in games::ALL {
            let text = rules_text(game);
            let words: Vec<&str> = text.split_whitespace().collect();
            let rules: Vec<&str> = game.text.split_whitespace().collect();
            let explained = rules_legend(game).unwrap_or_default();
            let explained: Vec<&str> = explained.split_whitespace().collect();
            assert!(words.ends_with(&[rules, explained].concat()), "{text}");
            let items = |text: &str| text.lines().filter(|line| line.starts_with("- ")).count();
            assert_eq!(items(&text), items(game.text), "{text}");
        }
    }
}
