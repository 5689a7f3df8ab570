//! Positions in every form in which people and programs write them, for the commands.

use std::fmt::Write as _;

use fastrand::Rng;
use parapost::notation::diagram::{Diagram, DiagramStyle};
use parapost::notation::header;
use parapost::notation::judge::GameChoice;
use parapost::notation::positions::LocatedPosition;
use parapost::notation::positions::alone::alone;
use parapost::notation::reader::pasted;
use parapost::rules::{Color, Piece, Position, Role, Setup, Square, Variant};

use crate::playing;
use crate::support::parapost;

/// Reads the only position of a text; by the game that the text names, or by this one.
#[track_caller]
fn read(text: &str, game: Option<&Variant>) -> LocatedPosition {
    let all = all(text, game);
    let [one] = <[LocatedPosition; 1]>::try_from(all)
        .unwrap_or_else(|all| panic!("{} positions in:\n{text}", all.len()));
    one
}

#[track_caller]
fn all(text: &str, game: Option<&Variant>) -> Vec<LocatedPosition> {
    let choice = game.map_or(GameChoice::Named(header::DEFAULT), |game| {
        GameChoice::Given(game.clone())
    });
    let found = alone(&pasted(text), &choice).unwrap();
    found
        .into_iter()
        .map(|one| one.unwrap_or_else(|problem| panic!("{problem:?}\n{text}")))
        .collect()
}

#[test]
fn ten_thousand_positions_are_read_and_no_more() {
    let one = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n";
    assert_eq!(all(&one.repeat(10_000), None).len(), 10_000);
    let choice = GameChoice::Named(header::DEFAULT);
    let found = alone(&pasted(&one.repeat(10_001)), &choice).unwrap();
    let faults: Vec<_> = found.iter().filter_map(|one| one.as_ref().err()).collect();
    assert_eq!((found.len(), faults.len()), (10_001, 1));
    assert!(
        faults[0].message.contains("more than 10,000 positions"),
        "{faults:?}"
    );
}

/// What a form tells of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tells {
    Board,
    Reserves,
    Turn,
    All,
}

#[track_caller]
fn assert_reads(text: &str, game: Option<&Variant>, position: &Position, tells: Tells) {
    let found = read(text, game);
    let width = position.variant().rules().width;
    for square in Square::all(width) {
        assert_eq!(
            found.setup.board.get(square),
            position.get(square),
            "{square}\n{text}"
        );
    }
    if matches!(tells, Tells::Reserves | Tells::All) {
        assert!(found.has_reserves, "{text}");
        for color in Color::ALL {
            assert_eq!(
                found.setup.reserves[color.index()],
                position.reserve(color),
                "{text}"
            );
        }
    }
    let told = matches!(tells, Tells::Turn | Tells::All).then(|| position.turn());
    assert_eq!(found.turn, told, "{text}");
}

/// The position of every tenth half-move of a game of each kind.
fn positions() -> impl Iterator<Item = Position> {
    let mut rng = Rng::with_seed(1997);
    crate::variants::variants()
        .into_iter()
        .flat_map(move |variant| {
            let record = playing::game(&variant, 90, &mut rng);
            let plies = (0..=record.steps().len()).step_by(9);
            let all: Vec<Position> = plies.filter_map(|ply| record.at(ply).cloned()).collect();
            all
        })
}

fn is(position: &Position, game: &str) -> bool {
    position.variant().game().id == game
}

#[test]
fn every_position_of_every_game_reads_back_from_its_fen() {
    for position in positions() {
        let (game, fen) = (position.variant(), position.fen());
        let quoted = format!("Hello,\n> > {fen}\nwhat do you think?\n");
        let underscored = fen.replace(' ', "_");
        let escaped = fen
            .replace('/', "%2F")
            .replace(' ', "%20")
            .replace('[', "%5B");
        let escaped = escaped.replace('+', "%2B").replace(']', "%5D");
        for text in [
            fen.clone(),
            format!("   {fen}   "),
            fen.replace(' ', "   "),
            quoted,
            format!("look: [fen]{fen}[/fen], nice"),
            format!("FEN: {fen}"),
            format!("[FEN \"{fen}\"]"),
            format!("\"{fen}\", she wrote."),
            format!("position fen {fen}"),
            format!("https://lichess.org/analysis/standard/{underscored}"),
            format!("<https://example.org/board?fen={escaped}&flip=1>"),
            format!("https://example.org/editor/{underscored}#3"),
        ] {
            assert_reads(&text, Some(game), &position, Tells::All);
            assert_eq!(read(&text, Some(game)).fen(position.turn()), fen, "{text}");
        }
        let without_counters: Vec<&str> = fen.split(' ').take(4).collect();
        assert_reads(
            &without_counters.join(" "),
            Some(game),
            &position,
            Tells::All,
        );
        let board_and_side: Vec<&str> = fen.split(' ').take(2).collect();
        assert_reads(&board_and_side.join(" "), Some(game), &position, Tells::All);
        let board = fen.split([' ', '[']).next().unwrap();
        if board.contains(|c: char| c.is_ascii_alphabetic()) {
            assert_reads(board, Some(game), &position, Tells::Board);
        }
    }
}

#[test]
fn every_position_of_every_game_reads_back_from_its_diagrams() {
    for position in positions() {
        let game = position.variant();
        let tells = if game.rules().has_reserve() {
            Tells::Reserves
        } else {
            Tells::Board
        };
        for has_edges in [false, true] {
            let style = DiagramStyle {
                has_edges,
                ..DiagramStyle::default()
            };
            let text = Diagram::of(&position).draw(style);
            assert_reads(&text, Some(game), &position, tells);
            let player = game.player(position.turn());
            let found = read(&format!("{text}\n{player} to move.\n"), Some(game));
            assert_eq!(found.turn, Some(position.turn()), "{text}");
        }
    }
}

/// Prints a board as `print(board)` of python-chess does.
fn python_chess(position: &Position) -> String {
    rows(
        position,
        |piece| piece.map_or(".".into(), |piece| piece.to_string()),
        " ",
    )
}

/// Prints the ranks from the top, with this between the squares.
fn rows(position: &Position, sign: impl Fn(Option<Piece>) -> String, between: &str) -> String {
    let width = position.variant().rules().width;
    let mut text = String::new();
    for rank in (0..width).rev() {
        let signs = (0..width).map(|file| sign(position.get(Square::new(file, rank).unwrap())));
        let _ = writeln!(text, "{}", signs.collect::<Vec<_>>().join(between));
    }
    text
}

/// Prints a board as `board.unicode()` does, or with `borders=True`.
fn python_unicode(position: &Position, has_borders: bool) -> String {
    let sign = |piece: Option<Piece>| {
        let at = piece.map(|piece| {
            let role = "KQRBNP".find(piece.role.letter()).unwrap();
            role + 6 * piece.color.index()
        });
        at.map_or("⭘".into(), |at| {
            "♔♕♖♗♘♙♚♛♜♝♞♟".chars().nth(at).unwrap().to_string()
        })
    };
    if !has_borders {
        return rows(position, sign, " ");
    }
    let line = "  -----------------\n";
    let mut text = line.to_owned();
    for (row, rank) in rows(position, sign, "|").lines().zip((1..=8).rev()) {
        let _ = write!(text, "{rank} |{row}|\n{line}");
    }
    text + "   a b c d e f g h\n"
}

/// Prints a board as `d` of Stockfish does.
fn stockfish(position: &Position) -> String {
    let line = " +---+---+---+---+---+---+---+---+\n";
    let sign = |piece: Option<Piece>| piece.map_or(" ".into(), |piece| piece.to_string());
    let mut text = format!("\n{line}");
    for (row, rank) in rows(position, sign, " | ").lines().zip((1..=8).rev()) {
        let _ = write!(text, " | {row} | {rank}\n{line}");
    }
    let fen = position.fen();
    text + &format!(
        "   a   b   c   d   e   f   g   h\n\nFen: {fen}\nKey: 8F8F01D4562F59FB\nCheckers: \n"
    )
}

/// Prints a board as style 1 of FICS does, from White's side or from Black's.
fn fics(position: &Position, is_flipped: bool) -> String {
    let border = "       ---------------------------------\n";
    let mut text = border.to_owned();
    let order = |is_upward: bool| -> Vec<u8> {
        if is_upward {
            (0..8).collect()
        } else {
            (0..8).rev().collect()
        }
    };
    let turn = position.variant().player(position.turn());
    let beside = [
        format!("     Move # : {} ({turn})", position.number()),
        String::new(),
        "     White Moves : 'Nf3     (0:05)'".to_owned(),
        String::new(),
        "     Black Clock : 2:00".to_owned(),
        "     White Clock : 1:58".to_owned(),
        "     Black Strength : 39".to_owned(),
        "     White Strength : 39".to_owned(),
    ];
    for (rank, beside) in order(is_flipped).into_iter().zip(beside) {
        let _ = write!(text, "    {}  |", rank + 1);
        for file in order(!is_flipped) {
            let cell =
                position
                    .get(Square::new(file, rank).unwrap())
                    .map_or("   ".into(), |piece| {
                        let mark = if piece.color == Color::Black {
                            '*'
                        } else {
                            ' '
                        };
                        format!("{mark}{} ", piece.role.letter())
                    });
            // The mark stands before the letter: `*R|`, ` R |`.
            let cell = cell
                .strip_prefix('*')
                .map_or(cell.clone(), |rest| format!(" *{}", rest.trim()));
            let _ = write!(text, "{cell}|");
        }
        let _ = writeln!(text, "{beside}");
        text.push_str("       |---+---+---+---+---+---+---+---|\n");
    }
    let last = text.trim_end().rfind('\n').unwrap();
    text.truncate(last + 1);
    let files: Vec<String> = order(!is_flipped)
        .into_iter()
        .map(|file| char::from(b'a' + file).to_string())
        .collect();
    format!("{text}{border}         {}\n", files.join("   "))
}

#[test]
fn boards_of_chess_as_other_programs_print_them_read_back() {
    for position in positions().filter(|position| is(position, "chess")) {
        assert_reads(&python_chess(&position), None, &position, Tells::Board);
        assert_reads(
            &python_unicode(&position, false),
            None,
            &position,
            Tells::Board,
        );
        assert_reads(
            &python_unicode(&position, true),
            None,
            &position,
            Tells::Board,
        );
        assert_reads(&stockfish(&position), None, &position, Tells::Turn);
        assert_eq!(
            read(&stockfish(&position), None).fen(position.turn()),
            position.fen()
        );
        assert_reads(&fics(&position, false), None, &position, Tells::Turn);
        assert_reads(&fics(&position, true), None, &position, Tells::Turn);
    }
}

fn is_shogi(position: &Position) -> bool {
    is(position, "shogi")
}

/// The pieces in hand, each with its number.
fn held(position: &Position, color: Color) -> Vec<(Role, u8)> {
    let slots = position.variant().rules().slots();
    let counts = slots.map(|(role, _)| (role, position.reserve(color).count(role)));
    counts.filter(|(_, count)| *count > 0).collect()
}

fn sfen(position: &Position) -> String {
    let mut hands = String::new();
    for color in Color::ALL {
        for (role, count) in held(position, color) {
            if count > 1 {
                hands += &count.to_string();
            }
            hands.push(role.of(color).letter());
        }
    }
    if hands.is_empty() {
        hands.push('-');
    }
    let fen = position.fen();
    let board = fen.split('[').next().unwrap();
    let side = if position.turn() == Color::White {
        'b'
    } else {
        'w'
    };
    format!("{board} {side} {hands} {}", position.number())
}

/// Prints a board as `print(board)` of python-shogi does.
fn python_shogi(position: &Position) -> String {
    let sign = |piece: Option<Piece>| piece.map_or(" .".into(), |piece| format!("{piece:>2}"));
    let mut text = rows(position, sign, " ");
    let mut hands = String::new();
    for color in Color::ALL {
        for (role, count) in held(position, color) {
            let _ = write!(hands, " {}*{count}", role.of(color).letter());
        }
    }
    if !hands.is_empty() {
        text = format!("{text}\n{hands}\n");
    }
    text
}

const KANJI: [(Role, char); 14] = [
    (Role::King, '玉'),
    (Role::Rook, '飛'),
    (Role::Bishop, '角'),
    (Role::Gold, '金'),
    (Role::Silver, '銀'),
    (Role::Knight, '桂'),
    (Role::Lance, '香'),
    (Role::Pawn, '歩'),
    (Role::Dragon, '龍'),
    (Role::Horse, '馬'),
    (Role::PromotedSilver, '全'),
    (Role::PromotedKnight, '圭'),
    (Role::PromotedLance, '杏'),
    (Role::Tokin, 'と'),
];

fn kanji(role: Role) -> char {
    KANJI.iter().find(|(known, _)| *known == role).unwrap().1
}

/// Prints a position as `kif_str` of python-shogi does, and as KIF has it above a list.
fn kif(position: &Position) -> String {
    let hand = |color: Color| {
        let pieces = held(position, color).into_iter().map(|(role, count)| {
            let numbers = [
                "", "", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二",
                "十三", "十四", "十五", "十六", "十七", "十八",
            ];
            format!("{}{}", kanji(role), numbers[usize::from(count)])
        });
        let pieces: Vec<String> = pieces.collect();
        let pieces = if pieces.is_empty() {
            "なし".to_owned()
        } else {
            pieces.join("　")
        };
        format!(
            "{}手の持駒：　{pieces}",
            if color == Color::White { "先" } else { "後" }
        )
    };
    let sign = |piece: Option<Piece>| {
        piece.map_or(" ・".into(), |piece| {
            let mark = if piece.color == Color::Black {
                'v'
            } else {
                ' '
            };
            format!("{mark}{}", kanji(piece.role))
        })
    };
    let line = "+---------------------------+";
    let mut text = format!(
        "{}\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n{line}\n",
        hand(Color::Black)
    );
    for (row, rank) in rows(position, sign, "")
        .lines()
        .zip("一二三四五六七八九".chars())
    {
        let _ = writeln!(text, "|{row}|{rank}");
    }
    format!("{text}{line}\n{}\n", hand(Color::White))
}

/// Prints a position in CSA.
fn csa(position: &Position) -> String {
    let name = |role: Role| {
        let names = [
            (Role::Pawn, "FU"),
            (Role::Lance, "KY"),
            (Role::Knight, "KE"),
            (Role::Silver, "GI"),
            (Role::Gold, "KI"),
            (Role::Bishop, "KA"),
            (Role::Rook, "HI"),
            (Role::King, "OU"),
            (Role::Tokin, "TO"),
            (Role::PromotedLance, "NY"),
            (Role::PromotedKnight, "NK"),
            (Role::PromotedSilver, "NG"),
            (Role::Horse, "UM"),
            (Role::Dragon, "RY"),
        ];
        names
            .into_iter()
            .find(|(known, _)| *known == role)
            .unwrap()
            .1
    };
    let side = |color: Color| if color == Color::White { '+' } else { '-' };
    let sign = |piece: Option<Piece>| {
        piece.map_or(" * ".into(), |piece| {
            format!("{}{}", side(piece.color), name(piece.role))
        })
    };
    let mut text = String::from("V2.2\nN+Anna\nN-Ben\n");
    for (row, rank) in rows(position, sign, "").lines().zip(1..) {
        let _ = writeln!(text, "P{rank}{row}");
    }
    for color in Color::ALL {
        let pieces: String = held(position, color)
            .into_iter()
            .flat_map(|(role, count)| (0..count).map(move |_| format!("00{}", name(role))))
            .collect();
        if !pieces.is_empty() {
            let _ = writeln!(text, "P{}{pieces}", side(color));
        }
    }
    format!("{text}{}\n", side(position.turn()))
}

#[test]
fn boards_of_shogi_as_other_programs_print_them_read_back() {
    for position in positions().filter(is_shogi) {
        assert_reads(&sfen(&position), None, &position, Tells::All);
        assert_reads(
            &format!("position sfen {}", sfen(&position)),
            None,
            &position,
            Tells::All,
        );
        assert_reads(
            &format!("sfen {} and so on", sfen(&position)),
            None,
            &position,
            Tells::All,
        );
        let has_hands = Color::ALL
            .iter()
            .any(|color| !held(&position, *color).is_empty());
        let tells = if has_hands {
            Tells::Reserves
        } else {
            Tells::Board
        };
        assert_reads(&python_shogi(&position), None, &position, tells);
        assert_reads(&kif(&position), None, &position, Tells::Reserves);
        assert_reads(&csa(&position), None, &position, Tells::All);
    }
}

/// Lists the pieces in words, as problems are printed.
fn in_words(position: &Position, is_long: bool) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        let mut pieces: Vec<String> = Vec::new();
        for role in Role::ALL {
            let squares = Square::all(8).filter(|at| position.get(*at) == Some(role.of(color)));
            let squares: Vec<String> = squares.map(|at| at.to_string()).collect();
            match (is_long, role, squares.as_slice()) {
                (_, _, []) => {}
                (true, _, _) => pieces.push(format!("{}s {}", role.name(), squares.join(", "))),
                (false, Role::Pawn, _) => pieces.push(format!("pawns {}", squares.join(", "))),
                _ => pieces.extend(squares.iter().map(|at| format!("{}{at}", role.letter()))),
            }
        }
        let _ = writeln!(
            text,
            "{}: {}",
            position.variant().player(color),
            pieces.join(", ")
        );
    }
    text
}

#[test]
fn pieces_in_words_read_back() {
    for position in positions().filter(|position| is(position, "chess")) {
        for is_long in [false, true] {
            let text = in_words(&position, is_long);
            assert_reads(&text, None, &position, Tells::Board);
            let text = format!(
                "{text}{} to move and win\n",
                position.variant().player(position.turn())
            );
            assert_reads(&text, None, &position, Tells::Turn);
        }
    }
}

#[test]
fn the_list_of_pieces_of_a_problem_is_a_position() {
    for text in [
        "White: Kg1, Qd1, pawns a2, b2\nBlack: Kg8, pawns a7, b7\n",
        "White: Kg1, Qd1, a2, b2.\nBlack: Kg8, a7, b7.\n",
        "White Kg1 Qd1 Pa2 Pb2\n\nBlack Kg8 Pa7 Pb7\n",
        "White: king g1, queen d1, pawns on a2 and b2; Black: king on g8, pawns a7, b7\n",
        "> White (4): Kg1, Qd1,\n> a2, b2\n> Black (3): Kg8, a7, b7\n",
        "W: Kg1 Qd1 Pa2 b2\nB: Kg8 Pa7 b7\n",
        // Went wrong: the remark ended the list, and `b2.` was White's first move.
        "White: Kg1, Qd1, pawns a2,\nb2. (Mate in two!)\nBlack: Kg8, pawns a7, b7\n",
        "White: Kg1, Qd1, pawns a2, b2. (To move!)\nBlack: Kg8, pawns a7,\nb7. (Two!)\n",
    ] {
        let found = read(text, None);
        assert_eq!(
            found.setup.board.fen(),
            "6k1/pp6/8/8/8/8/PP6/3Q2K1",
            "{text}"
        );
    }
}

/// Each was another position, without a word.
#[test]
fn a_list_of_pieces_that_breaks_off_is_refused() {
    let sides = "White to move.\n\nWhite: king on f1; rook on c4.\n\nBlack: king on a6; ";
    for (end, column) in [
        ("bishp on e3.\n", 20),
        ("bishop on e9.\n", 30),
        ("knights on a1, b 1 and c1.\n", 35),
        ("bishop on\n\nOr so.\n", 28),
        ("\n\nWho wins?\n", 19),
    ] {
        let text = format!("{sides}{end}");
        let found = alone(&pasted(&text), &GameChoice::Named(header::DEFAULT)).unwrap();
        let [Err(problem)] = found.as_slice() else {
            panic!("{found:?}\n{text}");
        };
        assert_eq!(
            (problem.place.line, problem.place.column),
            (5, column),
            "{text}"
        );
    }
    let whole = format!("{sides}bishop on\n\ne3.\n");
    assert_eq!(
        read(&whole, None).setup.board.fen(),
        "8/8/k7/8/2R5/4b3/8/5K2"
    );
}

/// Each lost a part of the reserves, without a word.
#[test]
fn a_reserve_that_is_not_read_whole_is_refused() {
    let fen = "8/8/k7/8/2R5/4b3/8/5K2[RBNPP rbn] w";
    let variant = Variant::find("unachess", &[]).unwrap();
    let setup = Setup::from_fen(&variant, fen).unwrap();
    let position = Position::from_setup(&variant, &setup).unwrap();
    let post = Diagram::of(&position).to_string();
    assert_eq!(read(&post, None).fen(Color::White), position.fen());
    let row = "R-B-N";
    assert!(post.contains(row), "{post}");
    for text in [
        format!("| {}", post.trim_end().replace('\n', " |\n| ")),
        post.replace(row, "R-B-N :)"),
        post.replace(row, "R-B-N;"),
        post.replace(row, "What do you think?\n                      R-B-N"),
    ] {
        let found = alone(&pasted(&text), &GameChoice::Named(header::DEFAULT)).unwrap();
        let same = |found: &LocatedPosition| found.fen(Color::White) == position.fen();
        assert!(
            found.iter().all(|found| found.as_ref().map_or(true, same)),
            "{found:?}\n{text}"
        );
    }
}

const KINGS: &str = "8/8/8/8/8/8/8/K1k4R";

#[test]
fn words_beside_a_position_say_whose_turn_it_is() {
    for (words, turn) in [
        ("White to move", Some(Color::White)),
        ("Black to play and mate in two.", Some(Color::Black)),
        ("It is Black's turn.", Some(Color::Black)),
        ("(black to move)", Some(Color::Black)),
        ("Side to move: White", Some(Color::White)),
        ("Sente to move", Some(Color::White)),
        ("White mates in three", Some(Color::White)),
        ("White has a strong rook.", None),
        ("Anna - Ben", None),
    ] {
        for text in [
            format!("{KINGS}\n{words}\n"),
            format!("{words}\n\n{KINGS}\n"),
            format!("{KINGS} {words}"),
        ] {
            assert_eq!(read(&text, None).turn, turn, "{text}");
        }
    }
    for text in [
        format!("White to move.\n\n{KINGS}\n\nBlack to move.\n"),
        format!("{KINGS}\nBlack to move.\nWhite to move.\n"),
    ] {
        assert_eq!(read(&text, None).turn, None, "{text}");
    }
    let quiz = format!(
        "1. White to move\n{KINGS}\n2. Black to move\n{KINGS}\n3. Black to move\n{KINGS}\n"
    );
    let turns: Vec<_> = all(&quiz, None).iter().map(|one| one.turn).collect();
    assert_eq!(
        turns,
        [Some(Color::White), Some(Color::Black), Some(Color::Black)]
    );
    let below = format!("1. {KINGS}\nWhite to move\n2. {KINGS}\nBlack to move\n");
    let turns: Vec<_> = all(&below, None).iter().map(|one| one.turn).collect();
    assert_eq!(turns, [Some(Color::White), Some(Color::Black)]);
}

#[test]
fn what_is_like_a_position_is_none() {
    for text in [
        "we met on 1/2/3/4/5/6/7/8 and 2024/05/06/07/08/09/10/11",
        "8/8/8/8/8/8/8 w - - 0 1",
        "8/8/8/8/8/8/8/8/8 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNRR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/8 w KQkq - 0 1",
        "http://example.org/a/b/c/d/e/f/g/h/i?j=8/8",
        "n/b/p/r/q/k/n/b and pp/qq/rr",
        "scores 8/8/8/8/8/8/8/8 in the test",
        "Hello\n-- \nAnna\nhttps://lichess.org/analysis/8/8/8/8/8/8/8/K1k5_w_-_-_0_1\n",
        "White: Anna\nBlack: Ben\n",
        "White: Ke2\nBlack: Ke7\n",
        "White to move",
        "the position startled me",
        "P1 is a parking deck\nPI\n",
        "",
    ] {
        let choice = GameChoice::Named(header::DEFAULT);
        let found = alone(&pasted(text), &choice).unwrap();
        assert!(found.is_empty(), "{found:?}\n{text}");
    }
}

#[test]
fn a_list_of_moves_is_no_position_whatever_fen_stands_beside_it() {
    for text in [
        "1. P>e3 n>g5\n\n8/8/8/6n1/8/4P3/8/8[RRBBNNQKPPPPPPPrrbbnqkpppppppp] w - - 0 2\n",
        "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4 e5\n",
    ] {
        assert!(all(text, None).is_empty(), "{text}");
    }
}

#[test]
fn fields_that_a_board_does_not_bear_out_are_left_out_with_a_warning() {
    for (fen, left) in [
        (
            "4k3/8/8/8/8/8/8/R3K3 w KQkq - 0 1",
            "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K2R w HAha - 0 1",
            "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K3 b - e3 0 1",
            "4k3/8/8/8/8/8/8/R3K3 b - - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/8/1R2K3 w B - 0 0",
            "4k3/8/8/8/8/8/8/1R2K3 w - - 0 1",
        ),
    ] {
        let found = read(fen, None);
        let (position, warnings) = found.position(found.turn.unwrap()).unwrap();
        assert_eq!(position.fen(), left);
        assert_eq!(
            warnings.len() + found.warnings.len(),
            1,
            "{fen}: {warnings:?}"
        );
    }
}

#[test]
fn the_pockets_of_crazyhouse_are_reserves() {
    let board = "rnb1kbnr/ppp1pppp/8/3q~4/8/8/PPPP1PPP/RNBQKBNR";
    for text in [
        format!("{board}[Pp] w KQkq - 0 3"),
        format!("{board}/Pp w KQkq - 0 3"),
    ] {
        let found = read(&text, None);
        assert_eq!(
            found
                .setup
                .reserves
                .map(|reserve| reserve.count(Role::Pawn)),
            [1, 1],
            "{text}"
        );
        assert_eq!(found.variant.game().id, "unachess", "{text}");
    }
}

#[test]
fn no_text_of_noise_is_too_much_for_the_reader() {
    let mut rng = Rng::with_seed(8);
    let signs: Vec<char> = "KQRBNPkqrbnp12345678/+~[]_%-w b \nP+⭘香*|"
        .chars()
        .collect();
    for _ in 0..3_000 {
        let length = rng.usize(..200);
        let text: String = (0..length)
            .map(|_| signs[rng.usize(..signs.len())])
            .collect();
        let _ = alone(&pasted(&text), &GameChoice::Named(header::DEFAULT));
    }
    for piece in [
        "8/",
        "1/2/",
        "%2F8",
        "8/8/8/8/8/8/8/8 ",
        "k/",
        "[8/",
        "_8/8",
        "position startpos moves e2e4 ",
    ] {
        let text = piece.repeat(1_000_000 / piece.len());
        let begun = std::time::Instant::now();
        let _ = alone(&pasted(&text), &GameChoice::Named(header::DEFAULT));
        assert!(begun.elapsed().as_secs() < 60, "{piece}");
    }
}

/// Went wrong: the moves behind a position were lost from the first on that was not of the usual
/// form, or that a mail program had wrapped.
#[test]
fn no_move_behind_a_position_is_lost() {
    for (text, moves) in [
        ("position startpos moves e2e4 e7e5 G1F3 B8C6", 4),
        ("position startpos moves e4 e5 Nf3", 3),
        ("position startpos moves e2e4 e7e5\ng1f3 b8c6", 4),
        ("> position startpos moves e2e4 e7e5\n> g1f3 b8c6", 4),
        ("position startpos moves e2e4 e7e5 e1e2 0000 e2e1", 5),
        ("position fen 8/P7/8/8/8/8/8/k1K5 w - - 0 1 moves a7a8=q", 1),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4",
            1,
        ),
        (
            "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f 3c3d",
            2,
        ),
        ("position startpos moves e2e4 and then nothing", 1),
    ] {
        assert_eq!(read(text, None).moves.len(), moves, "{text}");
    }
}

#[test]
fn commands_with_moves_show_the_position_behind_them() {
    let text = "position startpos moves e2e4\nposition startpos moves d2d4 d7d5\n";
    parapost(["show", "--as", "fen", "-"])
        .stdin(text)
        .stdout(
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n\n\
             rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq d6 0 2\n",
        )
        .run();
}

/// Went wrong: a list on the line of a FEN was lost without a word.
#[test]
fn a_list_beside_a_position_is_told() {
    let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 1. e4 e5 2. Nf3\n";
    parapost(["check"])
        .stdin(text)
        .any_stdout()
        .stderr_contains("-:1:61: warning: this move beside a position is not read")
        .run();
    let quiz = "1. 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1  2. 4k3/8/8/8/8/8/3P4/4K3 w - - 0 1\n";
    let found = all(quiz, None);
    assert!(found.iter().all(|one| one.warnings.is_empty()), "{found:?}");
}

/// Went wrong: an SFEN above a list in Japanese signs was passed over.
#[test]
fn a_list_in_japanese_signs_begins_from_the_sfen_above_it() {
    let start = "lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    parapost(["show", "--as", "fen", "-"])
        .stdin(format!("{start}\n\n▲７六歩 △３四歩\n"))
        .stdout("lnsgkgsnl/1r5b1/p1pppp1pp/1p4p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL[] w - - 0 2\n")
        .run();
}

/// Went wrong: nothing told what is wrong in a FEN.
#[test]
fn a_faulty_fen_is_named() {
    for (fen, why) in [
        (
            "rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "'ppppppp'",
        ),
        ("rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w", "row"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBXR w", "X"),
    ] {
        for words in [
            &["check", "--fen", fen][..],
            &["show", "--fen", fen],
            &["legal", "--fen", fen],
        ] {
            let run = parapost(words).status(1).any_stderr().run();
            let told = run.stderr.contains(why) && !run.stderr.contains("there is no move list");
            assert!(told, "{words:?}: {}", run.stderr);
        }
    }
}

/// Went wrong: where a mail program had broken a FEN, what stood on its second line was lost.
#[test]
fn a_broken_fen_keeps_its_rights() {
    let fen = "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 0 12";
    let broken = fen
        .match_indices(' ')
        .map(|(at, _)| format!("{}\n{}", &fen[..at], &fen[at + 1..]));
    for text in broken.clone().chain(broken.map(|text| {
        let quoted = text.replace('\n', "\n> ");
        format!("What now?\n> {quoted}\n> Black to play\n")
    })) {
        let found = read(&text, None);
        let turn = found.turn.unwrap_or_else(|| panic!("{text}"));
        let read = found.fen(turn);
        let is_last = text.contains("0\n12") || text.contains("0\n> 12");
        assert!(
            read == fen || is_last && read.ends_with(" 0 1"),
            "{read}\n{text}"
        );
    }
    // What stands below a FEN need not be a part of it.
    for below in ["1", "2", "w", "-", "1 0", "b) Black to play"] {
        let whole = all(&format!("{fen}\n{below}\n"), None);
        let [one] = whole.as_slice() else {
            panic!("{below}: {whole:?}");
        };
        assert_eq!(one.lines, 0..1, "{below}");
    }
    let short = "4k3/8/8/8/3pP3/8/8/4K3 b -";
    let one = read(&format!("{short}\n2\n"), None);
    assert_eq!((one.lines, one.setup.en_passant), (0..1, None));
    // A square alone is a move.
    let choice = GameChoice::Named(header::DEFAULT);
    assert!(
        alone(&pasted(&format!("{short}\ne3\n")), &choice)
            .unwrap()
            .is_empty()
    );
    let sfen = "lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b\nP 5";
    let one = read(sfen, None);
    assert_eq!(one.setup.reserves[0].count(Role::Pawn), 1);
    for text in [
        "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\nmoves e2e4 e8e7\n",
        "position fen 4k3/8/8/8/8/8/4P3/4K3 w -\n- 0 1 moves e2e4 e8e7\n",
        "position fen 4k3/8/8/8/8/8/4P3/4K3 w -\n- 0 1 moves e2e4\ne8e7\n",
        "position startpos\nmoves e2e4 e7e5\n",
        "position startpos moves\ne2e4 e7e5\n",
    ] {
        let moves = read(text, None).moves;
        assert_eq!(moves.len(), 2, "{text}");
        let line = text.lines().nth(moves[1].place.line - 1).unwrap();
        let column = moves[1].place.column - 1;
        assert_eq!(line[column..column + 4], moves[1].text, "{text}");
    }
}

/// Went wrong: a side that is not the one of a list or a FEN was passed over without a word.
#[test]
fn a_side_that_contradicts_the_text_is_told() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for command in ["show", "legal"] {
        parapost([command, "--turn", "black", "--fen", fen])
            .any_stdout()
            .stderr_contains(
                "the text says that White is to move, and --turn says Black, which counts",
            )
            .run();
        parapost([command, "--turn", "white", "--fen", fen])
            .any_stdout()
            .run();
        parapost([command, "--turn", "black", "-"])
            .stdin("1. e4 e5\n")
            .status(2)
            .any_stderr()
            .run();
        parapost([command, "--turn", "white", "-"])
            .stdin("1. e4 e5\n")
            .any_stdout()
            .any_stderr()
            .run();
    }
    parapost(["legal", "--turn", "black", "--moves", "1. P>e3 n>g5"])
        .status(2)
        .any_stderr()
        .run();
}

/// Went wrong: an empty text was a match without moves.
#[test]
fn an_empty_text_has_nothing_to_show() {
    for text in ["", "\n \n"] {
        parapost(["show", "-"])
            .stdin(text)
            .status(1)
            .stderr("parapost: -: there is nothing to show in it\n")
            .run();
    }
}

/// Went wrong: the hand above the second of two boards was that of the first, and of a wrong hand it was
/// said that rows are missing.
#[test]
fn japanese_boards_stand_below_each_other_and_their_hands_are_told() {
    let shogi: Vec<Position> = positions().filter(is_shogi).take(4).collect();
    let text: String = shogi.iter().map(kif).collect();
    let found = all(&text, None);
    assert_eq!(found.len(), shogi.len(), "{text}");
    for (found, position) in found.iter().zip(&shogi) {
        let is = position.to_setup();
        assert_eq!(found.setup.reserves, is.reserves, "{text}");
        assert_eq!(found.setup.board, is.board, "{text}");
    }
    let one = kif(&shogi[0]);
    let line = |color: &str| one.lines().find(|line| line.starts_with(color)).unwrap();
    for (hand, line, why) in [
        ("後手の持駒：歩二十", "後手", "too many pieces"),
        ("後手の持駒：X", "後手", "no piece in hand"),
        ("先手の持駒：玉", "先手", "no piece in hand"),
        ("", "先手", "and not Sente's"),
    ]
    .map(|(hand, side, why)| (hand, line(side), why))
    {
        let text = one.replace(line, hand);
        let found = alone(&pasted(&text), &GameChoice::Named(header::DEFAULT)).unwrap();
        let [Err(problem)] = found.as_slice() else {
            panic!("{text}\n{found:?}");
        };
        assert!(problem.message.contains(why), "{problem:?}\n{text}");
    }
}
