//! Every legal move of random games, written in every style and read back.

use fastrand::Rng;
use parapost_rules::notation::{ReadError, Voice};
use parapost_rules::{Color, Placement, Ply, Position, Role, Side, Square};

use crate::agree::{Taste, random_game};
use crate::variants::variants;

/// Counts of forms read back.
#[derive(Default, Debug)]
struct Tally {
    texts: usize,
    refused: usize,
}

/// Reads a text of a ply; where that can be refused as ambiguous, the forms shown must be read, one of them as the ply.
fn read_back(position: &Position, ply: &Ply, text: &str, tally: &mut Tally, doubtful: bool) {
    tally.texts += 2;
    for voice in [Voice::List, Voice::Alone] {
        let place = || format!("{text} ({voice:?}) in {}", position.fen());
        match position.read_with(text, voice) {
            Ok(reading) => assert_eq!(reading.ply, *ply, "{}", place()),
            Err(ReadError::Ambiguous(forms)) if doubtful => {
                tally.refused += 1;
                let plies: Vec<Ply> = forms
                    .iter()
                    .map(|form| {
                        let reading = position.read_with(form, Voice::Alone);
                        reading
                            .unwrap_or_else(|error| panic!("{form}: {error}; {}", place()))
                            .ply
                    })
                    .collect();
                assert!(plies.contains(ply), "{forms:?}; {}", place());
                for (i, one) in plies.iter().enumerate() {
                    assert!(!plies[..i].contains(one), "{forms:?}; {}", place());
                }
            }
            Err(error) => panic!("{error}: {}", place()),
        }
    }
}

/// The small letters that can be a file as well as a piece.
fn starts_small(text: &str) -> bool {
    text.starts_with(['b', 'g'])
}

/// Some of the legal plies: every move on the board, some drops, some placements.
fn sample(position: &Position, rng: &mut Rng) -> Vec<Ply> {
    let (mut moves, mut drops): (Vec<Ply>, Vec<Ply>) = position
        .single_plies()
        .into_iter()
        .partition(|ply| matches!(ply, Ply::Move { .. } | Ply::Castle(_)));
    rng.shuffle(&mut moves);
    rng.shuffle(&mut drops);
    moves.truncate(25);
    drops.truncate(8);
    moves.extend(drops);
    moves.extend(position.placements().skip(rng.usize(0..40)).take(3));
    moves
}

/// Runs over positions of random games of every variant.
fn over_positions(mut look: impl FnMut(&Position, &Ply, &mut Tally)) -> Tally {
    let mut tally = Tally::default();
    let mut rng = Rng::with_seed(2002);
    for variant in variants() {
        for (seed, taste) in (40..).zip(Taste::ALL) {
            let record = random_game(&variant, seed, taste, 100);
            for at in (0..record.steps().len()).step_by(9) {
                let position = record.at(at).expect("a position");
                for ply in sample(position, &mut rng) {
                    look(position, &ply, &mut tally);
                }
            }
        }
    }
    println!("{tally:?}");
    tally
}

/// Canonical text, with and without its mark, is canonical in a list, and warns of nothing. Alone in a mail only a small
/// `b` or `g` can be refused.
#[test]
fn canonical_text_is_read_back() {
    let tally = over_positions(|position, ply, tally| {
        let text = position.text(ply);
        let mark = position.play(ply).expect("a legal ply").mark();
        let marked = format!("{text} {mark}");
        for written in [&text, &marked] {
            let reading = position.read(written);
            let reading = reading.unwrap_or_else(|error| panic!("{written}: {error}"));
            assert_eq!(reading.ply, *ply, "{written} in {}", position.fen());
            assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
            assert!(!reading.offers_draw);
            read_back(position, ply, written, tally, starts_small(&text));
        }
    });
    assert!(tally.refused * 100 < tally.texts, "{tally:?}");
}

/// With its origin in full, and with a capital letter, a move has one meaning whoever reads it.
#[test]
fn full_text_is_read_back() {
    over_positions(|position, ply, tally| {
        let long = position.long_text(ply);
        read_back(position, ply, &long, tally, false);
        let text = position.text(ply);
        read_back(position, ply, &capital(&text), tally, false);
        let other_drop = text.replace('>', "@");
        read_back(position, ply, &capital(&other_drop), tally, false);
        if !matches!(ply, Ply::Castle(_)) {
            let lost_case = text.to_ascii_lowercase();
            read_back(position, ply, &lost_case, tally, starts_small(&lost_case));
        }
        for (sign, other) in [('-', 'x'), ('x', '-'), ('x', ':'), ('>', '*'), ('>', '\'')] {
            if text.contains(sign) && !matches!(ply, Ply::Castle(_)) {
                let turned = capital(&text.replace(sign, &other.to_string()));
                read_back(position, ply, &turned, tally, false);
            }
        }
        for comment in ["!", "!?", " ?!", " ??"] {
            read_back(
                position,
                ply,
                &format!("{}{comment}", capital(&text)),
                tally,
                false,
            );
        }
    });
}

/// The first letter, which is that of the piece, as a capital.
fn capital(text: &str) -> String {
    let at = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(0);
    let (before, rest) = text.split_at(at);
    let (letter, rest) = rest.split_at(1);
    format!("{before}{}{rest}", letter.to_ascii_uppercase())
}

/// Forms of chess programs: SAN, long algebraic, UCI, figurines.
#[test]
fn moves_of_chess_programs_are_read() {
    over_positions(|position, ply, tally| {
        if !position.variant().rules().has_chess_pawns() {
            return;
        }
        match *ply {
            Ply::Move {
                from,
                to,
                promotion,
            } => {
                let role = position.get(from).expect("a piece").role;
                let into = promotion.map_or(' ', Role::letter);
                let uci = format!("{from}{to}{}", into.to_ascii_lowercase());
                read_back(position, ply, uci.trim(), tally, starts_small(&uci));
                let dashed = format!("{from}-{to}{into}");
                read_back(position, ply, dashed.trim(), tally, starts_small(&uci));
                for san in san(position, role, from, to, promotion) {
                    read_back(position, ply, &san, tally, starts_small(&san));
                    let check = position.play(ply).expect("legal").is_check();
                    let marked = format!("{san}{}", if check { "+" } else { "" });
                    read_back(position, ply, &marked, tally, starts_small(&san));
                    let figurine = figurine(&san, position.turn());
                    read_back(position, ply, &figurine, tally, starts_small(&san));
                }
            }
            Ply::Castle(side) => {
                let rank = if position.turn() == Color::White {
                    1
                } else {
                    8
                };
                let (king, forms) = match side {
                    Side::King => ('g', ["0-0", "o-o", "O–O"]),
                    Side::Queen => ('c', ["0-0-0", "o-o-o", "O–O–O"]),
                };
                for form in forms {
                    read_back(position, ply, form, tally, false);
                }
                for form in [
                    format!("e{rank}{king}{rank}"),
                    format!("Ke{rank}-{king}{rank}"),
                ] {
                    read_back(position, ply, &form, tally, false);
                }
            }
            Ply::Drop { role, to } => {
                for sign in ['@', '*', '\''] {
                    let text = format!("{}{sign}{to}", role.letter());
                    read_back(position, ply, &text, tally, false);
                }
            }
            Ply::Relocation { role, to, pawn } => {
                let text = format!("{}@{to}/P{pawn}", role.letter());
                read_back(position, ply, &text, tally, false);
            }
            Ply::Placement(placement) => {
                for text in set_up_style(&placement) {
                    read_back(position, ply, &text, tally, false);
                }
            }
        }
    });
}

/// SAN as short as it may be, and with its origin in full.
fn san(
    position: &Position,
    role: Role,
    from: Square,
    to: Square,
    into: Option<Role>,
) -> Vec<String> {
    let captures = position.get(to).is_some() || role == Role::Pawn && from.file() != to.file();
    let sign = if captures { "x" } else { "" };
    if role == Role::Pawn {
        let file = if captures {
            format!("{}", from.file())
        } else {
            String::new()
        };
        return into.map_or_else(
            || vec![format!("{file}{sign}{to}")],
            |into| {
                let letter = into.letter();
                vec![
                    format!("{file}{sign}{to}={letter}"),
                    format!("{file}{sign}{to}{letter}"),
                    format!("{file}{sign}{to}({letter})"),
                ]
            },
        );
    }
    let letter = role.letter();
    let twins = position
        .single_plies()
        .into_iter()
        .any(|other| match other {
            Ply::Move {
                from: twin,
                to: there,
                ..
            } => twin != from && there == to && position.get(twin) == position.get(from),
            _ => false,
        });
    let mut forms = vec![format!("{letter}{from}{sign}{to}")];
    // In Kingchess `Nf3` may also be a placement.
    if !twins && !position.variant().rules().placement {
        forms.push(format!("{letter}{sign}{to}"));
    }
    forms
}

/// With a figurine for each capital letter.
fn figurine(san: &str, color: Color) -> String {
    let figurines = match color {
        Color::White => ['♔', '♕', '♖', '♗', '♘'],
        Color::Black => ['♚', '♛', '♜', '♝', '♞'],
    };
    let mut text = san.to_owned();
    for (letter, figurine) in "KQRBN".chars().zip(figurines) {
        text = text.replace(letter, &format!("{figurine}"));
    }
    // A black bishop's figurine is a bishop, not a small b.
    if text.starts_with('♝') {
        return san.to_owned();
    }
    text
}

/// As source 004 writes: pieces, then rows of pawns.
fn set_up_style(placement: &Placement) -> Vec<String> {
    let mut items = Vec::new();
    let mut pawns = Vec::new();
    for (role, to) in placement.drops() {
        if role == Role::Pawn {
            pawns.push(format!("{to}"));
        } else {
            items.push(format!("{}{to}", role.letter()));
        }
    }
    let row = format!("pp: {}", pawns.join(","));
    let mut turned = items.clone();
    turned.reverse();
    if !pawns.is_empty() {
        items.push(row.clone());
        turned.insert(0, row);
    }
    if turned.len() < 2 && pawns.len() < 2 {
        return Vec::new();
    }
    vec![items.join(","), items.join(", "), turned.join(",")]
}

/// Forms of shogi players and programs: USI, Hodges, digits.
#[test]
fn moves_of_shogi_players_are_read() {
    over_positions(|position, ply, tally| {
        if position.variant().rules().width != 9 {
            return;
        }
        let letters = |square: Square| {
            let rank = (b'a' + 8 - square.rank().index()) as char;
            format!("{}{rank}", 9 - square.file().index())
        };
        let digits =
            |square: Square| format!("{}{}", 9 - square.file().index(), 9 - square.rank().index());
        match *ply {
            Ply::Move {
                from,
                to,
                promotion,
            } => {
                let role = position.get(from).expect("a piece").role;
                let piece = format!(
                    "{}{}",
                    if role.is_promoted() { "+" } else { "" },
                    role.letter()
                );
                let captures = position.get(to).is_some();
                let sign = if captures { 'x' } else { '-' };
                let plus = if promotion.is_some() { "+" } else { "" };
                // The glued `+` may also be a true check mark of the move without promotion.
                let doubtful = promotion.is_some();
                for name in [&letters as &dyn Fn(Square) -> String, &digits] {
                    let (from, to) = (name(from), name(to));
                    let texts = [
                        format!("{from}{to}{plus}"),
                        format!("{piece}{from}{sign}{to}{plus}"),
                    ];
                    for text in texts {
                        read_back(position, ply, &text, tally, doubtful);
                    }
                    let promoted = promotion.map_or_else(
                        || format!("{piece}{from}{sign}{to}="),
                        |role| format!("{piece}{from}{sign}{to}=+{}", role.letter()),
                    );
                    read_back(position, ply, &promoted, tally, false);
                }
            }
            Ply::Drop { role, to } => {
                for to in [letters(to), digits(to)] {
                    for sign in ['*', '\'', '>'] {
                        let text = format!("{}{sign}{to}", role.letter());
                        read_back(position, ply, &text, tally, false);
                    }
                }
            }
            _ => unreachable!("shogi has moves and drops"),
        }
    });
}
