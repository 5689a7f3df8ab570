//! FEN: written and read back, and what is said of one that cannot be.

mod memory;

use parapost_rules::{Color, Ply, Position, Record, Role, Setup, Variant};

fn read(game: &str, fen: &str) -> Result<Position, String> {
    let variant = Variant::find(game, &[]).expect("a game");
    let setup = Setup::from_fen(&variant, fen).map_err(|error| error.to_string())?;
    Position::from_setup(&variant, &setup).map_err(|error| error.to_string())
}

/// A text that is no FEN of the game, or a position that cannot stand: the game, the text, what is said.
const REFUSED: &[(&str, &str, &str)] = &[
    ("chess", "", "the board has 1 row instead of 8"),
    ("chess", "8/8/8", "the board has 3 rows instead of 8"),
    (
        "chess",
        "9/9/9/9/9/9/9/9/9",
        "the board has 9 rows instead of 8",
    ),
    (
        "shogi",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "the board has 8 rows instead of 9",
    ),
    (
        "chess",
        "4k3/8/8/8/8/8/7/4K3",
        "the row '7' does not have 8 squares",
    ),
    (
        "chess",
        "4k3/8/8/8/8/8/PPPPPPPPP/4K3",
        "the row 'PPPPPPPPP' does not have 8 squares",
    ),
    (
        "chess",
        "4k3/8/8/8/8/8/44444444444/4K3",
        "the row '44444444444' does not have 8 squares",
    ),
    ("chess", "4k3/8/8/8/8/8/80/4K3", "'0' is no piece"),
    ("chess", "4k3/8/8/8/8/8/7X/4K3", "'X' is no piece"),
    ("chess", "4k3/8/8/8/8/8/7é/4K3", "'é' is no piece"),
    (
        "shogi",
        "4k4/9/9/9/9/9/9/8+/4K4",
        "the row '8+' does not have 9 squares",
    ),
    ("shogi", "4k4/9/9/9/9/9/9/8+G/4K4", "'G' is no piece"),
    ("shogi", "4k4/9/9/9/9/9/9/8++P/4K4", "'+' is no piece"),
    (
        "chess",
        "4k3/8/8/8/8/8/7G/4K3",
        "Chess has no gold, as on h2",
    ),
    (
        "shogi",
        "4k4/9/9/9/9/9/9/8Q/4K4",
        "Shogi has no queen, as on i2",
    ),
    (
        "chess",
        "4k3/8/8/8/8/8/8/4K3[Q] w",
        "'Q' can't be in reserve in this game",
    ),
    (
        "newchess",
        "4k3/8/8/8/8/8/8/8[K] w",
        "'K' can't be in reserve in this game",
    ),
    (
        "shogi",
        "4k4/9/9/9/9/9/9/9/9[K] w",
        "'K' can't be in reserve in this game",
    ),
    (
        "unachess",
        "8/8/8/8/8/8/8/8[KQ",
        "the reserves lack their ']'",
    ),
    (
        "unachess",
        "8/8/8/8/8/8/8/8[kPPPPPPPPPPPPPPPPPPP]",
        "too many 'P' in reserve",
    ),
    (
        "chess",
        "4k3/8/8/8/8/8/8/4K3 x",
        "the side to move is w or b, not 'x'",
    ),
    (
        "chess",
        "4k3/8/8/8/8/8/8/4K3 w Z",
        "'Z' is no right to castle",
    ),
    (
        "unachess2",
        "4k3/8/8/8/8/8/8/4K2R[] w K",
        "'K' is no right to castle",
    ),
    (
        "chess",
        "4k3/8/8/8/8/8/8/4K3 w K",
        "nothing on h1 can have a right to castle",
    ),
    (
        "chess",
        "4k3/8/8/8/8/8/8/3K3R w K",
        "nothing on e1 can have a right to castle",
    ),
    (
        "chess",
        "4k3/8/8/8/8/8/8/4K3 w - e9x",
        "the en passant square 'e9x' is no square",
    ),
    (
        "chess",
        "4k3/8/8/8/8/8/8/4K3 w - e6",
        "no pawn can just have passed e6",
    ),
    (
        "chess",
        "4k3/8/8/8/8/8/8/4K3 w - i9",
        "no pawn can just have passed i9",
    ),
    (
        "chess",
        "4k3/8/8/4p3/8/8/8/4K3 b - e3",
        "no pawn can just have passed e3",
    ),
    (
        "chess",
        "4k3/8/4n3/4p3/8/8/8/4K3 w - e6",
        "no pawn can just have passed e6",
    ),
    (
        "chess",
        "4k3/4n3/8/4p3/8/8/8/4K3 w - e6",
        "no pawn can just have passed e6",
    ),
    (
        "unachess2",
        "4k3/8/8/3Pp3/8/8/8/4K3[] w - e6",
        "Unachess II as played here has no capture en passant",
    ),
    (
        "shogi",
        "4k4/9/9/4p4/9/9/9/9/4K4 w - e7",
        "Shogi as played here has no capture en passant",
    ),
    (
        "chess",
        "4k3/8/8/8/8/8/8/4K3 w - - x",
        "the halfmove clock 'x' is no number",
    ),
    (
        "chess",
        "4k3/8/8/8/8/8/8/4K3 w - - -1",
        "the halfmove clock '-1' is no number",
    ),
    (
        "chess",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999",
        "the move number '99999999999999' is no number",
    ),
    (
        "chess",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 more",
        "'more' is one field too many",
    ),
    ("chess", "8/8/8/8/8/8/8/4K3 w", "Black has no king"),
    (
        "chess",
        "8/8/8/8/8/8/8/8 w",
        "White has no king; Black has no king",
    ),
    (
        "chess",
        "4k3/8/8/8/8/8/8/3KK3 w",
        "White has more than one king",
    ),
    (
        "unachess",
        "8/8/8/8/8/8/8/4K3[Kk] w",
        "White has more than one king",
    ),
    (
        "chess",
        "4k3/8/8/8/8/8/8/P3K3 w",
        "White can't have a pawn on a1",
    ),
    (
        "chess",
        "p3k3/8/8/8/8/8/8/4K3 w",
        "Black can't have a pawn on a8",
    ),
    (
        "chess",
        "P3k3/8/8/8/8/8/8/4K3 w",
        "White can't have a pawn on a8",
    ),
    (
        "shogi",
        "P3k4/9/9/9/9/9/9/9/4K4 w",
        "Sente can't have a pawn on a9",
    ),
    (
        "shogi",
        "4k4/N8/9/9/9/9/9/l8/4K4 w",
        "Sente can't have a knight on a8",
    ),
    (
        "shogi",
        "4k4/9/9/9/9/9/9/9/l3K4 w",
        "Gote can't have a lance on a1",
    ),
    (
        "shogi",
        "4k4/9/9/P8/P8/9/9/9/4K4 w",
        "Sente has two unpromoted pawns on one file",
    ),
    (
        "shogi",
        "4k4/9/9/RR7/r8/9/9/9/4K4 w",
        "there are more than 2 rooks in all",
    ),
    (
        "chess",
        "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w",
        "White has 2 queens, more than Chess can give",
    ),
    (
        "chess",
        "4k3/8/8/P7/8/8/PPPPPPPP/4K3 w",
        "White has 9 pawns, more than Chess can give",
    ),
    (
        "unachess",
        "4k3/8/8/8/8/8/PPPPPPPP/RR2K3[R] w",
        "White has 3 rooks, more than Unachess can give",
    ),
    (
        "chess",
        "4k3/8/8/8/8/8/8/4K2r b",
        "White is in check, but it is not White's turn",
    ),
    (
        "shogi",
        "4k4/4R4/9/9/9/9/9/9/4K4 w",
        "Gote is in check, but it is not Gote's turn",
    ),
    (
        "kingchess",
        "4k3/8/8/8/8/8/8/Q7[K] w",
        "White's first turn must have placed the king",
    ),
];

#[test]
fn what_cannot_be_is_refused_with_the_reason() {
    for (game, fen, reason) in REFUSED {
        match read(game, fen) {
            Ok(position) => panic!("{game} {fen} is read as {}", position.fen()),
            Err(said) => assert_eq!(said, *reason, "{game} {fen}"),
        }
    }
}

/// Everything that is wrong is said at once.
#[test]
fn all_faults_are_told() {
    let said = read("unachess", "8/8/8/3Gp3/8/8/8/P7[RRRKp] w - e6").expect_err("impossible");
    assert_eq!(
        said,
        "White has 3 rooks in reserve, more than Unachess can give; White can't have a pawn on a1; \
         Unachess has no gold, as on d5; Black has no king"
    );
}

/// Fields that may be left out, and the FEN in full.
#[test]
fn fields_may_be_left_out() {
    for (game, short, full) in [
        (
            "chess",
            "4k3/8/8/8/8/8/8/4K2R",
            "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
        ),
        (
            "chess",
            " 4k3/8/8/8/8/8/8/4K2R  b  K  ",
            "4k3/8/8/8/8/8/8/4K2R b K - 0 1",
        ),
        (
            "chess",
            "4k3/8/8/8/8/8/8/4K11R b K - 7",
            "4k3/8/8/8/8/8/8/4K2R b K - 7 1",
        ),
        (
            "unachess",
            "4k3/8/8/8/8/8/8/4K2R",
            "4k3/8/8/8/8/8/8/4K2R[] w - - 0 1",
        ),
        (
            "unachess",
            "8/8/8/8/8/8/8/8 [kK--np]w",
            "8/8/8/8/8/8/8/8[Knkp] w - - 0 1",
        ),
        (
            "chess",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 0",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ),
    ] {
        assert_eq!(read(game, short).expect(short).fen(), full);
    }
}

/// docs/cli.md: `KQkq` as usual; `E` `A` `H` for a king or a corner rook alone, while a drop can complete the right.
#[test]
fn castling_letters() {
    for (game, options, moves, field) in [
        ("chess", &[][..], "", "KQkq"),
        ("chess", &[], "e4 e5 Ke2", "kq"),
        ("newchess", &[], "", "Ee"),
        ("newchess", &[], "R>h1 r>a8", "KqEe"),
        ("newchess", &[], "R>h1 r>a8 R>a1 r>h8", "KQkq"),
        ("newchess", &[], "R>h1 r>a8 Ke1-d1", "qe"),
        ("newchess", &["rooks-placed"], "", "KQkq"),
        ("unachess", &[], "", "-"),
        ("unachess", &[], "K>e1", "E"),
        ("unachess", &[], "K>e1 k>d8", "E"),
        ("unachess", &[], "R>a1 r>h8", "Ah"),
        ("unachess", &[], "R>a1 r>h8 R>h1 r>a8", "AHah"),
        ("unachess", &[], "R>a1 r>h8 K>e1 k>e8", "QkEe"),
        ("unachess", &[], "R>a1 r>h8 K>d1 k>d8", "-"),
        ("unachess", &[], "R>a1 r>h8 R-a2 r-h7", "-"),
        ("unachess", &[], "K>e8 r>a1", "-"),
        ("unachess", &["no-castling-no-ep"], "R>a1 k>e8", "-"),
        ("kingchess", &[], "K>e1,R>h1 k>e8", "KEe"),
        ("kingchess", &["no-castling"], "K>e1,R>h1 k>e8", "-"),
        ("unachess2", &[], "K>e1 k>e8 R>h1", "-"),
    ] {
        let mut record = Record::new(Variant::find(game, options).expect("a game").start());
        for text in moves.split_whitespace() {
            let reading = record
                .position()
                .read(text)
                .unwrap_or_else(|error| panic!("{game} {text}: {error}"));
            record.play(&reading.ply).expect("a legal move");
        }
        let fen = record.position().fen();
        let found = fen
            .split_once(']')
            .map_or_else(|| fen.split(' ').nth(2), |(_, rest)| rest.split(' ').nth(2));
        assert_eq!(found, Some(field), "{game} {options:?} {moves}");
    }
}

/// `E` and `A` alone are read as what they are worth later.
#[test]
fn castling_letters_are_read() {
    for (fen, castles) in [
        ("4k3/8/8/8/8/8/8/4K3[R] w E -", true),
        ("4k3/8/8/8/8/8/8/4K3[R] w - -", false),
        ("8/8/8/8/8/8/8/7R[Kk] w H -", true),
        ("8/8/8/8/8/8/8/7R[Kk] w A -", false),
    ] {
        let Ok(mut position) = read("unachess", fen) else {
            assert!(fen.contains(" A "), "{fen}");
            continue;
        };
        let drops = [(Role::King, "e1"), (Role::Rook, "h1")];
        for (role, to) in drops {
            let to = to.parse().expect("a square");
            let drop = Ply::Drop { role, to };
            if position.is_legal(&drop) {
                position = position.play(&drop).expect("legal");
                // Black waits.
                let wait = position.single_plies()[0];
                position = position.play(&wait).expect("legal");
            }
        }
        let short = Ply::Castle(parapost_rules::Side::King);
        assert_eq!(position.is_legal(&short), castles, "{fen}");
    }
}

/// A setup that somebody built by hand and that no game comes to does no harm.
#[test]
fn setups_built_by_hand() {
    let chess = Variant::find("chess", &[]).expect("chess");
    let unachess = Variant::find("unachess", &[]).expect("unachess");
    let shogi = Variant::find("shogi", &[]).expect("shogi");
    let start = Setup::start(&chess);
    let shogi_start = Setup::start(&shogi);
    let error = Position::from_setup(&chess, &shogi_start).expect_err("the wrong board");
    assert_eq!(error.to_string(), "the board is 9x9 instead of 8x8");
    let error = Position::from_setup(&shogi, &start).expect_err("the wrong board");
    assert_eq!(error.to_string(), "the board is 8x8 instead of 9x9");
    let mut reserved = Setup::start(&unachess);
    reserved.number = u32::MAX;
    reserved.halfmoves = u32::MAX;
    reserved.turn = Color::Black;
    let position = Position::from_setup(&unachess, &reserved).expect("a position");
    let after = position.play(&position.single_plies()[0]).expect("legal");
    assert_eq!(after.halfmoves(), 0);
    let mut off = start.clone();
    off.unmoved.push("i9".parse().expect("a square"));
    off.en_passant = Some("i6".parse().expect("a square"));
    let error = Position::from_setup(&chess, &off).expect_err("squares off the board");
    assert_eq!(error.faults().len(), 2);
    assert_eq!(
        error.to_string(),
        "nothing on i9 can have a right to castle; no pawn can just have passed i6"
    );
    let mut king = Setup::start(&chess);
    king.board.set("e1".parse().expect("a square"), None);
    king.unmoved.clear();
    king.reserves[0].add(Role::King);
    let error = Position::from_setup(&chess, &king).expect_err("chess has no reserve");
    assert_eq!(error.to_string(), "a king can't be in reserve in Chess");
}
