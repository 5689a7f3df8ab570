//! Diagrams: written to the byte, read in every form that people and mailers
//! make of them, and refused with the place and the reason.

use parapost::rules::{Position, Setup, Variant};
use parapost::text::{Diagram, What, reader};

fn variant(game: &str) -> Variant {
    Variant::find(game, &[]).unwrap()
}

fn position(game: &str, fen: &str) -> Position {
    let variant = variant(game);
    let setup = Setup::from_fen(&variant, fen).unwrap();
    Position::from_setup(&variant, &setup).unwrap()
}

/// The diagrams of a text; of a bad one its place and message.
fn found(game: &str, text: &str) -> Vec<Result<Diagram, String>> {
    let text = reader::read(text, &variant(game));
    text.parts
        .into_iter()
        .filter_map(|part| match part.what {
            What::Diagram(drawn) => Some(Ok(drawn.diagram)),
            What::BadDiagram(error) => {
                let place = error.place();
                Some(Err(format!("{}:{}: {error}", place.line, place.column)))
            }
            _ => None,
        })
        .collect()
}

/// The text holds one diagram, of that position, with both reserves or none.
#[track_caller]
fn assert_shows(text: &str, position: &Position, reserves: bool) {
    let found = found(position.variant().game().id, text);
    match found.as_slice() {
        [Ok(diagram)] => {
            assert!(diagram.shows(position), "{text}\nis read as\n{diagram}");
            assert_eq!(diagram.reserves().is_some(), reserves, "{text}");
        }
        other => panic!("{text}\nis read as {other:?}"),
    }
}

#[track_caller]
fn assert_refused(game: &str, text: &str, error: &str) {
    let found = found(game, text);
    match found.as_slice() {
        [Err(message)] => assert!(message.starts_with(error), "{text}\n{message}"),
        other => panic!("{text}\nis read as {other:?}"),
    }
}

const POST: &str = "\
- - - - - - - -       Black's pieces in reserve:
- - - - - - - -
- - - - n - - -       rrbbn-qk
- - - - - - - -       pppppppp
- - - - - B - -
- - - - P - - -
- - - - - - - -       White's pieces in reserve:
- - - - - - - -
                      RRB-NNQK
                      PPPPPPP-
";

/// The position of the post's first diagram.
fn post() -> Position {
    let text = "8/8/4n3/8/5B2/4P3/8/8[RRBNNQKPPPPPPPrrbbnqkpppppppp] w - - 0 3";
    position("unachess", text)
}

#[test]
fn every_game_has_its_shape() {
    assert_eq!(Diagram::of(&post()).to_string(), POST);
    let start = |game: &str| Diagram::of(&variant(game).start()).to_string();
    assert_eq!(
        start("chess"),
        "\
r n b q k b n r
p p p p p p p p
- - - - - - - -
- - - - - - - -
- - - - - - - -
- - - - - - - -
P P P P P P P P
R N B Q K B N R
"
    );
    assert_eq!(
        start("newchess"),
        "\
- - - - k - - -       Black's pieces in reserve:
p p p p p p p p
- - - - - - - -       rrbbnnq
- - - - - - - -
- - - - - - - -
- - - - - - - -
P P P P P P P P       White's pieces in reserve:
- - - - K - - -
                      RRBBNNQ
"
    );
    assert_eq!(
        start("unashogi"),
        "\x20- - - - - - - - -       Gote's pieces in reserve:
 - - - - - - - - -
 - - - - - - - - -       rbggssnnllk
 - - - - - - - - -       ppppppppp
 - - - - - - - - -
 - - - - - - - - -
 - - - - - - - - -
 - - - - - - - - -       Sente's pieces in reserve:
 - - - - - - - - -
                         RBGGSSNNLLK
                         PPPPPPPPP
"
    );
}

#[test]
fn shogi_has_a_column_for_marks_and_room_for_more_than_its_slots() {
    let promoted = position("shogi", "5k3/9/9/9/4+R4/9/9/9/4K4[GGGr] w - - 0 1");
    assert_eq!(
        Diagram::of(&promoted).to_string(),
        "\x20- - - - - k - - -       Gote's pieces in reserve:
 - - - - - - - - -
 - - - - - - - - -       r---------
 - - - - - - - - -       ---------
 - - - -+R - - - -
 - - - - - - - - -
 - - - - - - - - -
 - - - - - - - - -       Sente's pieces in reserve:
 - - - - K - - - -
                         --GGG------
                         ---------
"
    );
    assert_shows(&Diagram::of(&promoted).to_string(), &promoted, true);
}

#[test]
fn every_quoting_is_read() {
    let position = post();
    for mark in [
        "> ", ">", ">> ", "> > ", "| ", ": ", "  ", "\t", "&gt; ", "AW> ", "> AW> ", ">\u{a0}",
    ] {
        let quoted: String = POST.lines().flat_map(|line| [mark, line, "\n"]).collect();
        assert_shows(&quoted, &position, true);
    }
    assert_shows(&POST.replace('\n', "\r\n"), &position, true);
    assert_shows(&POST.replace(' ', "\u{a0}"), &position, true);
    assert_shows(&POST.replace("       ", "\t"), &position, true);
    assert_shows(&format!("Hello,\n\n{POST}\nbye"), &position, true);
    assert_shows(
        &format!("After a few moves:\n{POST}1. P>e3 n>g5\n"),
        &position,
        true,
    );
    // With an empty line after each, and with remarks beside it.
    assert_shows(&POST.replace('\n', "\n\n"), &position, true);
    assert_shows(
        &POST.replace("rrbbn-qk", "rrbbn-qk   <- look"),
        &position,
        true,
    );
    // A mailer that took a blank at the start of some lines.
    let flowed = POST.replace("\n                      ", "\n                     ");
    assert_shows(&flowed, &position, true);
}

#[test]
fn squares_and_edges_as_people_draw_them() {
    let position = post();
    let board: Vec<&str> = POST.lines().take(8).map(|line| &line[..15]).collect();
    let bare = |edit: &dyn Fn(usize, &str) -> String| -> String {
        board
            .iter()
            .enumerate()
            .map(|(at, row)| edit(at, row) + "\n")
            .collect()
    };
    for empty in [".", "_", "*", "+", "·", "–"] {
        assert_shows(&bare(&|_, row| row.replace('-', empty)), &position, false);
    }
    assert_shows(&bare(&|_, row| row.replace(' ', "")), &position, false);
    assert_shows(&bare(&|_, row| row.replace(' ', "   ")), &position, false);
    assert_shows(&bare(&|_, row| format!("{row}   ")), &position, false);
    let ranked = bare(&|at, row| format!("{} {row}", 8 - at)) + "  a b c d e f g h\n";
    assert_shows(&ranked, &position, false);
    let ranked = bare(&|at, row| format!("{}| {row} |{}", 8 - at, 8 - at));
    assert_shows(
        &format!(
            "  a b c d e f g h\n +-----------------+\n{ranked} +-----------------+\n  a b c d e f g h\n"
        ),
        &position,
        false,
    );
    let boxed = bare(&|_, row| {
        format!(
            "| {} |\n+---+---+---+---+---+---+---+---+",
            row.replace(' ', " | ")
        )
    });
    assert_shows(
        &format!("+---+---+---+---+---+---+---+---+\n{boxed}"),
        &position,
        false,
    );
    // Blanks where the frame fixes the columns.
    assert_shows(
        &format!("+---+\n{}", boxed.replace("| -", "|  ")),
        &position,
        false,
    );
    let boxed = bare(&|_, row| format!("║ {} ║", row.replace('-', " ")));
    assert_shows(
        &format!("╔═════════════════╗\n{boxed}╚═════════════════╝\n"),
        &position,
        false,
    );
    let boxed = bare(&|_, row| format!("|{}|", row.replace(' ', "").replace('-', " ")));
    assert_shows(
        &format!("+--------+\n{boxed}+--------+\n"),
        &position,
        false,
    );
    let boxed = bare(&|_, row| format!("|{}|", row.replace(' ', "|").replace('-', " ")));
    assert_shows(&boxed, &position, false);
    let boxed: String = boxed.lines().flat_map(|line| ["> ", line, "\n"]).collect();
    assert_shows(&boxed, &position, false);
    assert_shows(
        &bare(&|_, row| row.replace('n', "♞").replace('B', "♗").replace('P', "♙")),
        &position,
        false,
    );
    assert_shows(&bare(&|_, row| format!("{row}\n")), &position, false);
}

#[test]
fn reserves_wherever_they_stand() {
    let position = post();
    let board: String = POST
        .lines()
        .take(8)
        .flat_map(|line| [&line[..15], "\n"])
        .collect();
    for below in [
        "\nBlack's pieces in reserve:\nrrbbn-qk\npppppppp\n\nWhite's pieces in reserve:\nRRB-NNQK\nPPPPPPP-\n",
        "\nBlack's pieces in reserve: rrbbnqk pppppppp\nWhite's pieces in reserve: RRBNNQK PPPPPPP\n",
        "Black in hand: k q r r b b n p p p p p p p p\nWhite in hand: K Q R R B N N P P P P P P P\n",
        "RRB-NNQK\nPPPPPPP-\nrrbbn-qk\npppppppp\n",
    ] {
        assert_shows(&format!("{board}{below}"), &position, true);
    }
    // Packed rows, and the reserves beside them.
    let packed: Vec<String> = POST
        .lines()
        .map(|line| {
            let (row, beside) = line.split_at(line.len().min(15));
            row.replace(' ', "") + beside
        })
        .collect();
    assert_shows(&packed.join("\n"), &position, true);
    assert_shows(
        &POST
            .replace("rrbbn-qk", "rrbbnqk")
            .replace("PPPPPPP-", "PPPPPPP"),
        &position,
        true,
    );
    // What is left of a reserve where all are on the board.
    let placed = self::position(
        "unachess",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w - - 0 17",
    );
    let text = Diagram::of(&placed).to_string();
    assert!(text.contains("       --------\n"), "{text}");
    assert_shows(&text, &placed, true);
    assert_shows(
        &text.replace("       --------", "       none"),
        &placed,
        true,
    );
}

#[test]
fn lines_a_mailer_has_broken_or_joined() {
    let position = post();
    let headed = POST.replace("pieces in reserve:", "pieces in\nreserve:");
    assert_shows(&headed, &position, true);
    let headed = POST.replace(
        "       Black's pieces in reserve:",
        "\nBlack's pieces in reserve:",
    );
    assert_shows(&headed, &position, true);
    let headed = POST
        .replace("       rrbbn-qk", "\nrrbbn-qk")
        .replace("       pppppppp", "\npppppppp");
    assert_shows(&headed, &position, true);
    let quoted = "> - - - - - - - -       Black's pieces in\nreserve:\n";
    let text: String = POST
        .lines()
        .skip(1)
        .flat_map(|line| ["> ", line, "\n"])
        .collect();
    assert_shows(&format!("{quoted}{text}"), &position, true);
    // Rows broken into pieces.
    let board: Vec<&str> = POST.lines().take(8).map(|line| &line[..15]).collect();
    let broken: Vec<&str> = board
        .iter()
        .flat_map(|row| [&row[..9], &row[10..]])
        .collect();
    assert_shows(&broken.join("\n"), &position, false);
    // A paragraph filled anew, with the reserves and without.
    assert_shows(&textwrap::fill(&board.join(" "), 60), &position, false);
    let words: Vec<&str> = POST.split_whitespace().collect();
    assert_shows(&textwrap::fill(&words.join(" "), 72), &position, true);
}

#[test]
fn what_is_not_exactly_a_board_is_refused_with_its_place() {
    let short = POST.replacen("- - - - n - - -", "- - - - n - -", 1);
    assert_refused(
        "unachess",
        &short,
        "3:1: this row has 7 squares instead of 8",
    );
    let long = POST.replacen("- - - - n - - -", "- - - - n - - - -", 1);
    assert_refused(
        "unachess",
        &long,
        "3:1: this row has 9 squares instead of 8",
    );
    let other = POST.replacen("- - - - n - - -", "- - - - s - - -", 1);
    assert_refused("unachess", &other, "3:9: 's' is no piece of Unachess");
    let rows: Vec<&str> = POST.lines().collect();
    let seven = format!("{}\n", rows[..7].join("\n"));
    assert_refused(
        "unachess",
        &seven,
        "1:1: this diagram has 7 rows instead of 8",
    );
    let half = format!("Hello,\n{}\n", rows[..2].join("\n"));
    assert_refused(
        "unachess",
        &half,
        "2:1: this diagram has 2 rows instead of 8",
    );
    let nine = POST.replacen("- - - - - B - -\n", "- - - - - B - -\n- - - - - - - -\n", 1);
    assert_refused(
        "unachess",
        &nine,
        "1:1: this diagram has 9 rows instead of 8",
    );
    let kings = POST.replacen("- - - - n - - -", "- - - k n - - -", 1);
    assert_refused(
        "unachess",
        &kings,
        "1:1: no game comes to this diagram: Black has 2 kings",
    );
    let pawns = POST.replace("PPPPPPP-", "PPPPPPPP");
    assert_refused(
        "unachess",
        &pawns,
        "1:1: no game comes to this diagram: White has 9 pawns",
    );
    let empty = "- - - - - - - -";
    let one = [&rows[..6], &[empty, empty]].concat().join("\n");
    assert_refused(
        "unachess",
        &one,
        "1:1: the diagram shows Black's reserve and not White's",
    );
    let strange = POST.replace("rrbbn-qk", "rrbbn-QK");
    assert_refused(
        "unachess",
        &strange,
        "3:29: Black's pieces are written in small letters",
    );
    let shogi = Diagram::of(&variant("unashogi").start()).to_string();
    assert_refused(
        "unachess",
        &shogi,
        "1:2: this row has 9 squares instead of 8",
    );
    assert_refused("unashogi", POST, "1:1: this row has 8 squares instead of 9");
}

#[test]
fn promoted_pieces_are_pawns_that_are_missing() {
    let promoted =
        "Q - - - k - - -\n".to_owned() + &"- - - - - - - -\n".repeat(6) + "- - - - K - - Q\n";
    assert_eq!(found("chess", &promoted).len(), 1);
    assert!(found("chess", &promoted)[0].is_ok());
    let crowded = Diagram::of(&variant("chess").start())
        .to_string()
        .replacen("- -", "- Q", 1);
    assert_refused(
        "chess",
        &crowded,
        "1:1: no game comes to this diagram: White has 2 queens and 8 pawns",
    );
    let many =
        "- G G G G - - - -\n".to_owned() + &"- - - - - - - - -\n".repeat(7) + "- - - - g - - - -\n";
    assert_refused(
        "shogi",
        &many,
        "1:1: no game comes to this diagram: there are 5 golds",
    );
}

#[test]
fn what_is_no_diagram_is_not_taken_for_one() {
    for text in [
        "--------\nOur game\n--------\n",
        "- one\n- two\n- three\n- four\n",
        "a b c d e f g h\n",
        "1. P>e3\n- - -\n2. B>f4\n",
        "pp\nnn\nbb\n",
        "* * *\n",
    ] {
        assert!(found("unachess", text).is_empty(), "{text}");
    }
    let signed = format!("bye\n-- \n{POST}");
    assert!(found("unachess", &signed).is_empty());
    let two = format!("{POST}\n{POST}");
    assert_eq!(found("unachess", &two).len(), 2);
    let two = format!("{POST}{POST}");
    assert_eq!(found("unachess", &two).len(), 2);
    let start = Diagram::of(&variant("chess").start()).to_string();
    assert_eq!(found("chess", &format!("{start}{start}")).len(), 2);
}

/// The start of shogi as Japanese programs write it.
const JAPANESE: &str = "\
後手の持駒：なし
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
|v香v桂v銀v金v玉v金v銀v桂v香|一
| ・v飛 ・ ・ ・ ・ ・v角 ・|二
|v歩v歩v歩v歩v歩v歩 ・v歩v歩|三
| ・ ・ ・ ・ ・ ・v歩 ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ 歩 ・ ・ ・ ・ ・ ・|六
| 歩 歩 ・ 歩 歩 歩 歩 歩 歩|七
| ・ 角 ・ ・ ・ ・ ・ 飛 ・|八
| 香 桂 銀 金 王 金 銀 桂 香|九
+---------------------------+
先手の持駒：なし
";

fn japanese() -> Position {
    position(
        "shogi",
        "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL[] w - - 0 2",
    )
}

/// The lines of a board turned by half.
fn turned(board: &[&str]) -> Vec<String> {
    board
        .iter()
        .rev()
        .map(|row| row.split(' ').rev().collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn edges_and_headings_tell_which_way_a_board_is_turned() {
    let position = post();
    let board: Vec<&str> = POST.lines().take(8).map(|line| &line[..15]).collect();
    let flipped = turned(&board);
    let rows = |edit: &dyn Fn(usize, &str) -> String| -> String {
        let rows = flipped.iter().enumerate();
        rows.map(|(at, row)| edit(at, row) + "\n").collect()
    };
    let plain = rows(&|_, row| row.to_owned());
    let ranked = rows(&|at, row| format!("{} {row}", at + 1));
    let closed = rows(&|at, row| format!("{row}   {}", at + 1));
    for text in [
        format!("{plain}h g f e d c b a\n"),
        format!("H G F E D C B A\n{plain}"),
        format!("  hgfedcba\n\n{ranked}"),
        format!("{ranked}  h g f e d c b a\n"),
        format!("h g f e d c b a\n{closed}h g f e d c b a\n"),
        format!("Seen from Black's side:\n\n{plain}"),
        format!("(Black's point of view)\n+---------------+\n{ranked}+---------------+\n"),
        rows(&|at, row| format!("| {} | {} |", at + 1, row.replace(' ', " | ")))
            + "|   | h | g | f | e | d | c | b | a |\n",
        format!(
            "+-----------------+\n{}+-----------------+\n   h g f e d c b a\n",
            rows(&|at, row| format!("{}| {row} |", at + 1))
        ),
    ] {
        assert_shows(&text, &position, false);
    }
    // Nothing at the edges, and White's side by name.
    for text in [
        "",
        "seen from White's side:\n",
        "Black's side looks lost:\n",
    ] {
        let text = format!("{text}{}\n", board.join("\n"));
        assert_shows(&text, &position, false);
    }
    for (text, why) in [
        (ranked.clone(), "the edges do not tell from which side"),
        (closed, "the edges do not tell from which side"),
        (
            format!("{ranked}  a b c d e f g h\n"),
            "what stands at the edges of this board contradicts",
        ),
        (
            format!("Seen from White's side:\n{plain}h g f e d c b a\n"),
            "what stands at the edges of this board contradicts",
        ),
        (
            rows(&|at, row| format!("{} {row}", [1, 2, 3, 4, 5, 6, 8, 7][at])),
            "what stands at the edges of this board contradicts",
        ),
    ] {
        let found = found("unachess", &text);
        let [Err(message)] = found.as_slice() else {
            panic!("{text}\nis read as {found:?}");
        };
        assert!(message.contains(why), "{text}\n{message}");
    }
    // A second board is not turned by what stands below the first.
    let two = format!("{plain}h g f e d c b a\n\n{}\n", board.join("\n"));
    let found = found("unachess", &two);
    assert_eq!(found.len(), 2);
    assert!(
        found
            .iter()
            .all(|one| one.as_ref().is_ok_and(|one| one.shows(&position)))
    );
}

#[test]
fn shogi_boards_as_players_of_shogi_draw_them() {
    let position = japanese();
    assert_shows(JAPANESE, &position, false);
    for (from, to) in [
        (" ・", " □"),
        (" ・", " 　"),
        ("王", "玉"),
        ("v", "ｖ"),
        ("|", "│"),
        ("|", " "),
    ] {
        assert_shows(&JAPANESE.replace(from, to), &position, false);
    }
    let rows: Vec<String> = JAPANESE
        .lines()
        .skip(3)
        .take(9)
        .map(|row| {
            let row: Vec<char> = row.chars().skip(1).take(18).collect();
            let squares = row
                .chunks(2)
                .map(|square| square.iter().collect::<String>());
            squares
                .map(|square| square.trim().to_owned())
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    let board: Vec<&str> = rows.iter().map(String::as_str).collect();
    let labelled = |board: &[&str], label: &dyn Fn(usize) -> String| -> String {
        let rows = board.iter().enumerate();
        rows.map(|(at, row)| format!("{row}   {}", label(at)) + "\n")
            .collect()
    };
    let letter = |at: usize| char::from(b'a' + u8::try_from(at).unwrap()).to_string();
    let numeral = |at: usize| "一二三四五六七八九".chars().nth(at).unwrap().to_string();
    // Hodges, Japanese, and this program's own way, from both sides.
    for text in [
        labelled(&board, &letter),
        labelled(&board, &numeral),
        labelled(&board, &|at| (9 - at).to_string()),
        format!("9 8 7 6 5 4 3 2 1\n{}", labelled(&board, &letter)),
        format!(
            "9 8 7 6 5 4 3 2 1\n{}",
            labelled(&board, &|at| (at + 1).to_string())
        ),
        format!(
            "a b c d e f g h i\n{}",
            labelled(&board, &|at| (9 - at).to_string())
        ),
    ] {
        assert_shows(&text, &position, false);
    }
    let flipped = turned(&board);
    let flipped: Vec<&str> = flipped.iter().map(String::as_str).collect();
    for text in [
        labelled(&flipped, &|at| letter(8 - at)),
        labelled(&flipped, &|at| numeral(8 - at)),
        format!(
            "1 2 3 4 5 6 7 8 9\n{}",
            labelled(&flipped, &|at| letter(8 - at))
        ),
        format!(
            "i h g f e d c b a\n{}",
            labelled(&flipped, &|at| (at + 1).to_string())
        ),
        format!("Seen by Gote:\n{}", flipped.join("\n")),
    ] {
        assert_shows(&text, &position, false);
    }
    // From Gote's side in the Japanese way, or counted from the left: both
    // have these numbers.
    for text in [
        format!(
            "1 2 3 4 5 6 7 8 9\n{}",
            labelled(&flipped, &|at| (9 - at).to_string())
        ),
        format!("1 2 3 4 5 6 7 8 9\n{}", flipped.join("\n")),
        labelled(&flipped, &|at| (at + 1).to_string()),
    ] {
        let found = found("shogi", &text);
        assert!(
            matches!(found.as_slice(), [Err(why)] if why.contains("from which side")),
            "{text}{found:?}"
        );
    }
}

#[test]
fn marks_and_reserves_of_shogi() {
    let position = position("shogi", "4k4/9/4+r4/9/4+P4/9/9/9/4K4[GGSrb] w - - 0 1");
    let board = "\
・ ・ ・ ・ v玉 ・ ・ ・ ・
・ ・ ・ ・ ・ ・ ・ ・ ・
・ ・ ・ ・ v竜 ・ ・ ・ ・
・ ・ ・ ・ ・ ・ ・ ・ ・
・ ・ ・ ・ と ・ ・ ・ ・
・ ・ ・ ・ ・ ・ ・ ・ ・
・ ・ ・ ・ ・ ・ ・ ・ ・
・ ・ ・ ・ ・ ・ ・ ・ ・
・ ・ ・ ・ 玉 ・ ・ ・ ・
";
    for below in [
        "Gote's pieces in reserve: 飛角\nSente's pieces in reserve: 金 金 銀\n",
        "Gote's pieces in reserve: v飛v角\nSente's pieces in reserve: 金金銀\n",
        "Gote's pieces in reserve: rb\nSente's pieces in reserve: GG・S\n",
        "Gote's pieces in reserve: vrvb\nSente's pieces in reserve: GGS\n",
    ] {
        assert_shows(&format!("{board}{below}"), &position, true);
    }
    let wrong = "Gote's pieces in reserve: 飛角\nSente's pieces in reserve: v金\n";
    assert_refused(
        "shogi",
        &format!("{board}{wrong}"),
        "11:28: Sente's pieces are written",
    );
    // A mark on a capital contradicts itself.
    let marked = POST.replace(" n ", " vn ");
    assert_shows(&marked, &post(), true);
    assert_refused("unachess", &marked.replace("vn", "vN"), "3:1: ");
}
