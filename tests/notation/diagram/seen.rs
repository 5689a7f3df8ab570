//! Diagrams as people draw them and mailers leave them; what is none.

use parapost::notation::diagram::Diagram;

use super::{POST, assert_refused, assert_shows, found, position, post, variant};

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
    let one = "r n b q k b n r    Black's pieces in reserve:\n";
    assert_refused("unachess", one, "1:1: this diagram has 1 row instead of 8");
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
