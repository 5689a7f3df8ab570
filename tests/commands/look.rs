//! `parapost show`, `legal`, `perft` and `rules`: looking at positions.

use serde_json::{Value, json};

use crate::support::{Sandbox, parapost};

const MOVES: &str = "1. K>h1 n>f2 !+\n2. Q>g2 k>d8 +\n";

const DIAGRAM: &str = "\
- - - k - - - -       Black's pieces in reserve:
- - - - - - - -
- - - - - - - -       rrbbn-q-
- - - - - - - -       pppppppp
- - - - - - - -
- - - - - - - -
- - - - - n Q -       White's pieces in reserve:
- - - - - - - K
                      RRBBNN--
                      PPPPPPPP
";

#[test]
fn a_position_is_shown_in_every_form() {
    parapost(["show"]).stdin(MOVES).stdout(DIAGRAM).run();
    parapost(["show", "--as", "post", "-"])
        .stdin(MOVES)
        .stdout(format!(
            "{DIAGRAM}\nWhite       Black\n\n1.  K>h1    n>f2 !+\n2.  Q>g2    k>d8 +\n\nWhite to move.\n"
        ))
        .run();
    let fen = "3k4/8/8/8/8/8/5nQ1/7K[RRBBNNPPPPPPPPrrbbnqpppppppp] w - - 0 3";
    parapost(["show", "--as", "fen"])
        .stdin(MOVES)
        .stdout(format!("{fen}\n"))
        .run();
    let output = parapost(["show", "--as", "json", "--at", "2"])
        .stdin(MOVES)
        .any_stdout()
        .run();
    let shown: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(
        shown,
        json!({
            "game": "unachess",
            "options": [],
            "ply": 2,
            "turn": "white",
            "status": "ongoing",
            "result": null,
            "ending": null,
            "board": ["--------", "--------", "--------", "--------", "--------", "--------",
                "-----n--", "-------K"],
            "reserves": {"white": "RRBBNNQPPPPPPPP", "black": "rrbbnqkpppppppp"},
            "moves": ["K>h1", "n>f2 !+"],
            "fen": "8/8/8/8/8/8/5n2/7K[RRBBNNQPPPPPPPPrrbbnqkpppppppp] w - - 0 2",
            "diagram": "- - - - - - - -       Black's pieces in reserve:\n- - - - - - - -\n\
                - - - - - - - -       rrbbn-qk\n- - - - - - - -       pppppppp\n- - - - - - - -\n\
                - - - - - - - -\n- - - - - n - -       White's pieces in reserve:\n- - - - - - - K\n\
                \x20                     RRBBNNQ-\n                      PPPPPPPP\n",
        })
    );
    parapost(["show", "--as", "halma"])
        .stdin(MOVES)
        .status(2)
        .any_stderr()
        .run();
}

#[test]
fn a_game_that_is_over_says_so() {
    let mate = "Rules: chess\n\n1. f3 e5 2. g4 Qh4#\n";
    parapost(["show", "--as", "post"])
        .stdin(mate)
        .stdout_contains("\nBlack has won by checkmate.\n")
        .run();
    let output = parapost(["show", "--as", "json"])
        .stdin(mate)
        .any_stdout()
        .run()
        .stdout;
    assert!(output.contains("\"status\":\"checkmate\""), "{output}");
    parapost(["legal"]).stdin(mate).run();
}

#[test]
fn an_earlier_position_is_shown_as_it_was() {
    parapost(["show", "--at", "0", "--as", "fen"])
        .stdin(MOVES)
        .stdout("8/8/8/8/8/8/8/8[RRBBNNQKPPPPPPPPrrbbnnqkpppppppp] w - - 0 1\n")
        .run();
    parapost(["show", "--at", "5"])
        .stdin(MOVES)
        .status(1)
        .stderr_contains("only 4 half-moves have been made, not 5")
        .run();
    parapost(["show", "--at", "5"])
        .stdin("1. K>h1\n")
        .status(1)
        .stderr_contains("only 1 half-move has been made, not 5")
        .run();
}

#[test]
fn a_match_is_shown_by_its_id_and_by_its_file() {
    let home = Sandbox::new()
        .dir("games")
        .env("PARAPOST_NOW", "2026-11-20T03:00:00Z");
    home.parapost(["new", "--game", "unachess", "--id", "g7"])
        .args([
            "--white",
            "Anna <anna@example.org>",
            "--black",
            "Ben <ben@example.org>",
        ])
        .args(["--moves", "1. K>h1 n>f2 2. Q>g2 k>d8"])
        .any_stdout()
        .any_stderr()
        .run();
    home.parapost(["show", "g7"]).stdout(DIAGRAM).run();
    home.parapost(["show", "games/g7.txt"])
        .stdout(DIAGRAM)
        .run();
    home.parapost(["show", "-o", "out.txt", "g7"]).run();
    assert_eq!(home.read("out.txt"), DIAGRAM);
    home.parapost(["check", "games/g7.txt"])
        .stdout_contains(DIAGRAM)
        .stderr("games/g7.txt: Unachess, 4 half-moves, White to move\n")
        .run();
    home.parapost(["legal", "g7"])
        .stdout("K-g1\nK-h2\nQxf2\n")
        .run();
}

#[test]
fn texts_that_tell_no_single_position_are_refused() {
    parapost(["show"])
        .stdin("1. P>e3\n\n1. P>d3\n")
        .status(1)
        .stderr_contains("tells 2 matches, not one")
        .run();
    parapost(["show"])
        .stdin("1. P>e3 p>e3\n")
        .status(1)
        .stderr_contains("-:1:9: error:")
        .run();
    parapost(["show"])
        .stdin("hello")
        .status(1)
        .stderr_contains("no move list")
        .run();
    parapost(["show", "--as", "fen"])
        .stdin(DIAGRAM)
        .status(1)
        .stderr_contains("who is to move")
        .run();
    parapost(["show"]).stdin(DIAGRAM).stdout(DIAGRAM).run();
    parapost(["show", "nosuch"]).status(1).any_stderr().run();
    parapost(["show", "./nosuch"]).status(1).any_stderr().run();
}

#[test]
fn legal_moves_are_listed_sorted_with_their_marks() {
    let output = parapost(["legal", "--game", "chess", "--moves", "e4 e5 Bc4 a6 Qh5 b6"])
        .any_stdout()
        .run()
        .stdout;
    let moves: Vec<&str> = output.lines().collect();
    assert!(moves.is_sorted(), "{output}");
    assert!(
        moves.contains(&"Qxf7 #") && moves.contains(&"Bxf7 +"),
        "{output}"
    );
    let start = parapost(["legal"]).any_stdout().run().stdout;
    assert_eq!(start.lines().count(), 344);
    let listed = parapost(["legal", "--option", "pawns-1-4"])
        .any_stdout()
        .run()
        .stdout;
    assert_eq!(listed.lines().count(), 352);
    let fen = "8/8/8/8/8/8/5n2/7K[RRBBNNQPPPPPPPPrrbbnqkpppppppp] w - - 0 2";
    let by_fen = parapost(["legal", "--fen", fen]).any_stdout().run().stdout;
    let by_moves = parapost(["legal", "--moves", "K>h1 n>f2"])
        .stdout(&by_fen)
        .run()
        .stdout;
    assert!(by_moves.contains("Q>h8\n"), "{by_moves}");
    parapost(["legal", "--moves", "K>h1 n>f2 !+ Q>f2"])
        .status(1)
        .stderr_contains("--moves: 1:14: ")
        .run();
    parapost(["legal", "--moves", "e4", "--fen", fen])
        .status(2)
        .any_stderr()
        .run();
    parapost(["legal", "--fen", "nonsense"])
        .status(1)
        .stderr_contains("--fen: ")
        .run();
}

/// The first turn of Kingchess has more than 10^15 placements.
#[test]
fn a_list_of_placements_has_an_end() {
    for json in [&[][..], &["--json"]] {
        let line = ["legal", "--game", "kingchess", "--placements"];
        let run = parapost([&line, json].concat()).any_stdout();
        let stdout = run
            .stderr_contains("more placements than the first 10000")
            .run()
            .stdout;
        assert!(stdout.matches("K>a1,").count() > 1, "{json:?}");
    }
}

#[test]
fn placements_are_listed_sorted_and_once() {
    let fen = "7k/6pp/8/8/8/8/8/K7[RN] w - - 0 9";
    let legal = |flags: &[&str]| {
        let line = ["legal", "--game", "kingchess", "--fen", fen];
        parapost([&line, flags].concat()).any_stdout().run().stdout
    };
    let (single, all) = (legal(&[]), legal(&["--placements"]));
    let moves: Vec<&str> = all.lines().collect();
    // Three moves of the king, 31 squares for either piece, and both pieces in 31 * 30 ways.
    assert_eq!(moves.len(), 3 + 2 * 31 + 31 * 30);
    assert!(moves.is_sorted_by(|one, next| one < next), "{all}");
    assert!(
        moves.contains(&"R>e1,N>b1") && moves.contains(&"K-b1"),
        "{all}"
    );
    assert!(single.lines().all(|line| moves.contains(&line)));
    assert_eq!(single.lines().count(), 3 + 2 * 31);
    // The same turns, counted.
    let counted = parapost(["perft", "--game", "kingchess", "--fen", fen])
        .args(["--divide", "1"])
        .any_stdout()
        .run()
        .stdout;
    let lines: Vec<&str> = counted.lines().collect();
    assert_eq!(lines.len(), moves.len() + 1);
    assert_eq!(lines[lines.len() - 1], moves.len().to_string());
}

#[test]
fn lines_of_play_are_counted() {
    parapost(["perft", "--game", "chess", "0"])
        .stdout("1\n")
        .run();
    parapost(["perft", "--game", "chess", "3"])
        .stdout("8902\n")
        .run();
    parapost(["perft", "--game", "unachess", "--option", "pawns-1-4", "2"])
        .stdout("121564\n")
        .run();
    parapost(["perft", "--game", "chess", "--moves", "1. f3 e5 2. g4", "1"])
        .stdout("30\n")
        .run();
    let output = parapost(["perft", "--game", "chess", "--divide", "2"])
        .any_stdout()
        .run()
        .stdout;
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), 21);
    assert_eq!((lines[0], lines[20]), ("N-a3: 20", "400"));
    assert!(lines[..20].is_sorted(), "{output}");
    parapost(["perft", "--game", "chess", "-1"])
        .status(2)
        .any_stderr()
        .run();
}

#[test]
fn the_rules_name_inventor_year_and_rights() {
    parapost(["rules", "unachess"])
        .stdout_contains("Jeff Miller")
        .stdout_contains("1994")
        .stdout_contains("all rights reserved by Jeff Miller")
        .stdout_contains("- pawns-1-4: ")
        .run();
    parapost(["rules", "unashogi"])
        .stdout_contains("completely untested")
        .stdout_contains("Not together with promote-enemy-king, promote-both-kings.")
        .run();
    parapost(["rules", "newchess"])
        .stdout_contains("M. Winther 2006")
        .run();
    let all = parapost(["rules"]).any_stdout().run().stdout;
    assert_eq!(all.lines().count(), parapost::rules::games::ALL.len());
    parapost(["rules", "halma"])
        .status(2)
        .stderr_contains("unachess")
        .run();
}

/// A deadline past the year 9999 was written with a sign, and a leap second at its end broke the mail off.
#[test]
fn the_last_time_is_the_end_of_the_year_9999() {
    let house = crate::commands::play::house();
    let new = [crate::commands::play::DEMO, &["--time", "3650d", "--send"]].concat();
    house
        .parapost(crate::commands::play::of("anna", &new))
        .now("9999-12-31T23:59:60Z")
        .stdout("demo\n")
        .stderr_contains("demo: Ben is invited; the mail lies in games/outbox/demo.")
        .run();
    house
        .parapost(["list"])
        .now("9999-12-31T23:59:59Z")
        .stdout_contains("White to move by 9999-12-31T23:59:59Z, a mail unsent in a folder\n")
        .run();
    house
        .parapost(["list"])
        .now("10000-01-01T00:00:00Z")
        .status(2)
        .stderr_contains("no time of RFC 3339")
        .run();
}
