//! `parapost check`: verdicts, and the exact shape of what is said.

use serde_json::Value;

use crate::support::{Sandbox, parapost};

const FIRST: &str = include_str!("../data/post-1994-example-1.txt");
const SECOND: &str = include_str!("../data/post-1994-example-2.txt");

/// What follows the first line of a text.
fn behind_first_line(text: &str) -> &str {
    text.split_once("\n\n").unwrap().1.trim_start_matches('\n')
}

#[test]
fn the_first_example_of_the_post_has_a_slip_that_is_found() {
    let sandbox = Sandbox::new().file("post.txt", FIRST);
    sandbox
        .parapost(["check", "post.txt"])
        .status(1)
        .stderr(
            "\
post.txt:17:13: error: the knight on g5 reaches e4, e6, f3, f7, h3 and h7; to drop one write n>c6
   |
17 | 2.  B>f4    n-c6
   |             ^^^^
   |
   = help: write n-e6 instead: with n-e6 the list and the diagram of line 3 agree
",
        )
        .run();
}

#[test]
fn the_first_example_corrected_is_printed_to_the_byte() {
    let text = FIRST.replace("n-c6", "n-e6");
    let printed = behind_first_line(&text);
    parapost(["check"])
        .stdin(&text)
        .stdout(printed)
        .stderr("-: Unachess, 4 half-moves, White to move\n")
        .run();
    parapost(["check", "-"])
        .stdin(printed)
        .stdout(printed)
        .stderr("-: Unachess, 4 half-moves, White to move\n")
        .run();
}

#[test]
fn the_second_example_breaks_after_the_slip() {
    parapost(["check"])
        .stdin(SECOND)
        .status(1)
        .stderr(
            "\
-:16:11: error: n>g2 !+ does not fit what follows; with n>f2 the list and the diagram of line 4 agree
   |
16 | 1. K>h1   n>g2 !+
   |           ^^^^
   |
   = help: write n>f2 instead
-:17:4: note: the list breaks here, at Q>g2: g2 is not empty: Black's knight stands there
   |
17 | 2. Q>g2   k>d8  +
   |    ^^^^
",
        )
        .run();
}

#[test]
fn the_second_example_corrected_is_printed_in_canonical_form() {
    let diagram: String = SECOND
        .lines()
        .skip(3)
        .take(10)
        .flat_map(|line| [line, "\n"])
        .collect();
    parapost(["check"])
        .stdin(SECOND.replace("n>g2", "n>f2"))
        .stdout(format!(
            "{diagram}\nWhite       Black\n\n1.  K>h1    n>f2 !+\n2.  Q>g2    k>d8 +\n"
        ))
        .stderr("-: Unachess, 4 half-moves, White to move\n")
        .run();
}

#[test]
fn both_examples_in_one_text_are_two_matches() {
    let start = "\
Starting board:

- - - - - - - -       Black's pieces in reserve:
- - - - - - - -
- - - - - - - -       rrbbnnqk
- - - - - - - -       pppppppp
- - - - - - - -
- - - - - - - -
- - - - - - - -       White's pieces in reserve:
- - - - - - - -
                      RRBBNNQK
                      PPPPPPPP

";
    let legend = "\
Using a '+' as in B-e2 + represents check on the opponents king.

 1. All pieces are exactly the same as in standard chess.

";
    let text = format!("{start}{FIRST}\n{legend}{SECOND}\nthe end\n");
    parapost(["check"])
        .stdin(&text)
        .status(1)
        .stderr_contains("write n-e6 instead")
        .stderr_contains("with n>f2 the list")
        .run();
    let mended = text.replace("n-c6", "n-e6").replace("n>g2", "n>f2");
    let output = parapost(["check"])
        .stdin(mended)
        .any_stdout()
        .stderr("-: 2 games, all legal\n")
        .run()
        .stdout;
    assert!(output.contains("n-e6\n\n- - - k"), "{output}");
    assert_eq!(output.matches("White       Black").count(), 2);
}

pub(super) fn json(text: &str, status: i32) -> Value {
    let output = parapost(["check", "--json"])
        .stdin(text)
        .status(status)
        .any_stdout()
        .run();
    serde_json::from_str(&output.stdout).unwrap()
}

#[test]
fn programs_get_one_object() {
    let report = json(FIRST, 1);
    let told = &report["matches"][0];
    assert_eq!(told["legal"], false);
    assert_eq!(told["game"], "unachess");
    assert_eq!(told["options"], serde_json::json!([]));
    assert_eq!(told["plies"], 3);
    assert_eq!(told["status"], "ongoing");
    assert_eq!(
        told["moves"][2],
        serde_json::json!({"ply": 3, "text": "B>f4", "canonical": "B>f4", "line": 17, "column": 5})
    );
    assert_eq!(
        told["problems"],
        serde_json::json!([{
            "severity": "error",
            "line": 17,
            "column": 13,
            "message": "the knight on g5 reaches e4, e6, f3, f7, h3 and h7; to drop one write n>c6",
            "suggestion": "n-e6",
        }])
    );
    let report = json(&FIRST.replace("n-c6", "n-e6"), 0);
    let told = &report["matches"][0];
    assert_eq!(told["legal"], true);
    assert_eq!(told["problems"], serde_json::json!([]));
    assert!(told["diagram"].as_str().unwrap().ends_with("PPPPPPP-\n"));
    let report = json(SECOND, 1);
    assert_eq!(report["matches"][0]["problems"][0]["suggestion"], "n>f2");
    let report = json("nothing at all", 1);
    assert_eq!(report["matches"][0]["problems"][0]["severity"], "error");
    let report = json("Rules: halma\n\n1. P>e3\n", 1);
    assert_eq!(report["matches"][0]["problems"][0]["line"], 1);
    assert_eq!(report["matches"][0]["problems"][0]["column"], 8);
}

#[test]
fn what_is_odd_is_warned_of_and_passes() {
    parapost(["check"])
        .stdin("1. P*e3 n>g5 +\n")
        .any_stdout()
        .stderr(
            "\
-:1:4: warning: 'P*e3' is read as 'P>e3'
  |
1 | 1. P*e3 n>g5 +
  |    ^^^^
-:1:9: warning: the mark '+' is wrong: the move gives no check
  |
1 | 1. P*e3 n>g5 +
  |         ^^^^
-: Unachess, 2 half-moves, White to move, 2 warnings
",
        )
        .run();
}

#[test]
fn a_fault_without_a_diagram_says_why_and_guesses_nothing() {
    parapost(["check"])
        .stdin("1. P>e3 n>g5\n2. B>f4 n-c6\n")
        .status(1)
        .stderr(
            "\
-:2:9: error: the knight on g5 reaches e4, e6, f3, f7, h3 and h7; to drop one write n>c6
  |
2 | 2. B>f4 n-c6
  |         ^^^^
",
        )
        .run();
    parapost(["check"])
        .stdin("1. P>e1 n>g5\n")
        .status(1)
        .stderr_contains("-:1:4: error: White's pawns are placed on ranks 2, 3 or 4")
        .run();
}

/// The diagram of the start.
fn start() -> String {
    let shown = parapost(["show", "--at", "0"]).stdin("1. P>e3");
    shown.any_stdout().run().stdout
}

#[test]
fn a_diagram_after_moves_shows_what_they_lead_to() {
    let diagram = |text: &str| {
        let position = parapost(["show"]).stdin(text).any_stdout().run().stdout;
        assert!(position.contains("reserve"));
        position
    };
    let half = diagram("1. P>e3 n>g5");
    let whole = diagram("1. P>e3 n>g5 2. B>f4 n-e6");
    let text = format!("1. P>e3 n>g5\n\n{half}\n2. B>f4 n-e6\n\n{whole}");
    parapost(["check"])
        .stdin(&text)
        .any_stdout()
        .stderr("-: Unachess, 4 half-moves, White to move\n")
        .run();
    // The same two the other way round.
    let text = format!("1. P>e3 n>g5\n\n{whole}\n2. B>f4 n-e6\n\n{half}");
    parapost(["check"])
        .stdin(&text)
        .status(1)
        .stderr_contains("-:5:9: error: this diagram does not show the position after Black's move 1, n>g5: it shows Black's knight on e6, where the moves put nothing")
        .stderr_contains("-:18:9: error: this diagram does not show the position after Black's move 2, n-e6: it shows nothing on e6, where the moves put Black's knight")
        .run();
    // Before a list any position of it will do, and no other.
    for diagram in [&half, &whole, &start()] {
        let text = format!("{diagram}\n1. P>e3 n>g5 2. B>f4 n-e6\n");
        parapost(["check"])
            .stdin(text)
            .any_stdout()
            .stderr("-: Unachess, 4 half-moves, White to move\n")
            .run();
    }
    let other = diagram("1. P>e3 n>g5 2. B>f4 q>a8");
    parapost(["check"])
        .stdin(format!("{other}\n1. P>e3 n>g5 2. B>f4\n"))
        .status(1)
        .stderr_contains("-:1:1: error: this diagram shows no position of its list; the nearest is that after White's move 2, B>f4: it shows Black's queen on a8, where the moves put nothing")
        .run();
}

#[test]
fn reserves_are_compared_where_they_are_shown() {
    let bare = "\
- - - - - - - -
- - - - - - - -
- - - - - - - -
- - - - - - n -
- - - - - - - -
- - - - P - - -
- - - - - - - -
- - - - - - - -
";
    parapost(["check"])
        .stdin(format!("1. P>e3 n>g5\n\n{bare}"))
        .any_stdout()
        .stderr("-: Unachess, 2 half-moves, White to move\n")
        .run();
    let text = "1. K>e1 n>d2 2. Kxd2";
    let shown = parapost(["show"]).stdin(text).any_stdout().run().stdout;
    assert!(shown.contains("rrbbn-qk"), "{shown}");
    let other = shown.replace("rrbbn-qk", "rrbbnnqk");
    parapost(["check"])
        .stdin(format!("{text}\n\n{other}"))
        .status(1)
        .stderr_contains("-:3:1: error: this diagram does not show the position after White's move 2, Kxd2: it shows 2 of Black's knights in reserve, where the moves leave 1")
        .run();
}

#[test]
fn a_slip_in_a_list_that_can_be_played_is_found_by_its_diagram() {
    let diagram = parapost(["show"])
        .stdin("1. P>e3 n>g5 2. B>f4 q>d8 3. N>f3")
        .any_stdout()
        .run()
        .stdout;
    parapost(["check"])
        .stdin(format!("1. P>e3 n>g5\n2. B>f4 q>d7\n3. N>f3\n\n{diagram}"))
        .status(1)
        .stderr(
            "\
-:2:9: error: q>d7 does not fit the diagram; with q>d8 the list and the diagram of line 5 agree
  |
2 | 2. B>f4 q>d7
  |         ^^^^
  |
  = help: write q>d8 instead
-:5:7: note: this diagram does not show the position after White's move 3, N>f3: it shows Black's queen on d8, where the moves put nothing
  |
5 | - - - q - - - -       Black's pieces in reserve:
  |       ^
",
        )
        .run();
    // A wrong piece letter is found as well.
    parapost(["check"])
        .stdin(format!("1. P>e3 n>g5\n2. R>f4 q>d8\n3. N>f3\n\n{diagram}"))
        .status(1)
        .stderr_contains("-:2:4: error: R>f4 does not fit the diagram; with B>f4")
        .run();
    // And a token that is no move at all.
    parapost(["check"])
        .stdin(format!("1. P>e3 n>g5\n2. B>f4 q>d88\n3. N>f3\n\n{diagram}"))
        .status(1)
        .stderr_contains("-:2:9: error: 'q>d88' is not a move")
        .stderr_contains("write q>d8 instead")
        .run();
}

#[test]
fn a_suggestion_is_made_only_where_it_is_the_only_one() {
    // Either rook may be the one that was meant for a8.
    let diagram = parapost(["show"])
        .stdin("1. R>a8 n>g5 2. R>h8")
        .any_stdout()
        .run()
        .stdout;
    let text = format!("1. R>a8 n>g5\n2. R>a8\n\n{diagram}");
    parapost(["check"])
        .stdin(text)
        .status(1)
        .stderr_contains("-:2:4: error:")
        .stderr_contains("any one of these changes makes list and diagrams agree: R>h8 for R>a8 in line 1, R>h8 for R>a8 in line 2")
        .run();
    // A diagram of the start bears nothing out.
    let start = start();
    parapost(["check"])
        .stdin(format!("{start}\n1. K>h1 n>f2\n2. K-a5\n"))
        .status(1)
        .stderr(
            "\
-:13:4: error: the king on h1 reaches g1, g2 and h2
   |
13 | 2. K-a5
   |    ^^^^
",
        )
        .run();
}

/// A move above a quotation without marks was not judged, though `receive` played it.
#[test]
fn a_move_above_the_original_message_answers_its_list() {
    for head in [
        "-----Original Message-----",
        "-----Original Message-----\nFrom: Anna <anna@example.org>\nSent: Friday\nTo: Ben\nSubject: [m]",
        "From: Anna <anna@example.org>\nSent: Friday\nTo: Ben\nSubject: [m]",
        "On Friday, Anna wrote:",
    ] {
        let text = format!("n>d5\n\n{head}\n\nWhite       Black\n\n1.  P>e3\n");
        let output = parapost(["check"])
            .stdin(text)
            .any_stdout()
            .stderr("-: Unachess, 2 half-moves, White to move\n")
            .run();
        assert!(
            output.stdout.ends_with("\n1.  P>e3    n>d5\n"),
            "{head}\n{}",
            output.stdout
        );
    }
}

/// Authors decide only about lone moves: a list counts whoever wrote it.
#[test]
fn lists_are_judged_whoever_wrote_them() {
    let header = "From: Anna\nSent: Friday\nTo: Ben\n\n";
    for text in [
        format!("{header}1. P>e3 n>d5\n"),
        "> 1. P>e3\n>> 1... n>d5\n".to_owned(),
        "-----Original Message-----\n1. P>e3\n-----Original Message-----\n1... n>d5\n".to_owned(),
        "----------\nOur mailing list plays:\n1. P>e3 n>d5\n".to_owned(),
        // The words of a whole message, which has its header above them.
        format!("{header}n>d5\n\n> 1. P>e3\n"),
    ] {
        let output = parapost(["check"])
            .stdin(&text)
            .any_stdout()
            .stderr("-: Unachess, 2 half-moves, White to move\n")
            .run();
        assert!(
            output.stdout.ends_with("\n1.  P>e3    n>d5\n"),
            "{text}\n{}",
            output.stdout
        );
    }
    // These moves are not the writer's.
    for text in [
        "> n>d5\n>\n> 1. P>e3\n".to_owned(),
        format!("{header}n>d5\n\n1. P>e3\n"),
        format!(
            "{}\n\n> 1. P>e3\n",
            "This message is confidential. If you are not the intended recipient of it, delete it and all copies\nn>d5"
        ),
    ] {
        let output = parapost(["check"])
            .stdin(&text)
            .any_stdout()
            .stderr_contains("is not judged")
            .run();
        assert!(
            output.stdout.ends_with("\n1.  P>e3\n"),
            "{text}\n{}",
            output.stdout
        );
    }
}

#[test]
fn no_move_comes_after_the_end() {
    let mated = "Rules: chess\n\n1. f3 e5 2. g4 Qh4#\n";
    let report = json(mated, 0);
    assert_eq!(report["matches"][0]["status"], "checkmate");
    parapost(["check"])
        .stdin(format!("{mated}3. a3\n"))
        .status(1)
        .stderr_contains("-:4:4: error: the game is over: checkmate")
        .run();
}

#[test]
fn the_text_says_by_which_game_it_is_read_unless_the_command_line_does() {
    let text = "Game: Chess\n\n1. e4 e5\n";
    parapost(["check"])
        .stdin(text)
        .any_stdout()
        .any_stderr()
        .run();
    parapost(["check", "--game", "unachess"])
        .stdin(text)
        .status(1)
        .any_stderr()
        .run();
    for text in [
        "1. e4 e5",
        "I played 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 on Friday.",
    ] {
        parapost(["check"])
            .stdin(text)
            .any_stdout()
            .stderr_contains("look like Chess; '--game' chooses another")
            .run();
    }
    for (header, column) in [
        ("Rules: halma", 8),
        ("Game: Ludo", 7),
        ("> Rules:  halma", 11),
    ] {
        parapost(["check"])
            .stdin(format!("{header}\n\n1. P>e3\n"))
            .status(1)
            .stderr_contains(&format!("-:1:{column}: error: unknown game"))
            .run();
    }
    parapost(["check"])
        .stdin("Rules: unachess\nOptions: pawn-1-4\n\n1. P>e3\n")
        .status(1)
        .stderr_contains("-:2:10: error: ")
        .stderr_contains("did you mean 'pawns-1-4'?")
        .run();
    let text = "Rules: unachess\nOptions: pawns-1-4, no-double-step\n\n1. P>e1\n";
    parapost(["check"])
        .stdin(text)
        .any_stdout()
        .stderr("-: Unachess, 1 half-move, Black to move\n")
        .run();
    parapost(["check"])
        .stdin("1. P>e1\n\nOptions: pawns-1-4\n")
        .any_stdout()
        .stderr("-: Unachess, 1 half-move, Black to move\n")
        .run();
    parapost(["check", "--option", "pawns-1-4"])
        .stdin("1. P>e1\n")
        .any_stdout()
        .stderr("-: Unachess, 1 half-move, Black to move\n")
        .run();
    let two = "Rules: chess\n\n1. e4\n\nRules: unachess\n\n1. P>e3\n";
    let output = parapost(["check"])
        .stdin(two)
        .any_stdout()
        .any_stderr()
        .run();
    assert!(output.stdout.contains("P>e3"), "{}", output.stdout);
    parapost(["check", "--game", "halma"])
        .status(2)
        .any_stderr()
        .run();
    parapost(["check", "--option", "halma"])
        .status(2)
        .any_stderr()
        .run();
}

#[test]
fn a_text_with_nothing_in_it_is_refused() {
    for text in ["", "\n", "Dear Anna,\n\nhello.\n", "n>"] {
        parapost(["check"])
            .stdin(text)
            .status(1)
            .stderr_contains("-:1:1: error: there is no move list and no diagram in this text; a list looks like '1. P>e3 n>g5'\n")
            .run();
        if !text.trim().is_empty() {
            parapost(["show"])
                .stdin(text)
                .status(1)
                .stderr("parapost: -: there is no move list and no diagram in this text; a list looks like '1. P>e3 n>g5'\n")
                .run();
        }
    }
    parapost(["check", "missing.txt"])
        .status(1)
        .stderr_contains("missing.txt")
        .run();
    parapost(["check", "."]).status(1).any_stderr().run();
}

#[test]
fn a_diagram_alone_is_read_and_printed() {
    let diagram = parapost(["show"])
        .stdin("1. P>e3 n>g5")
        .any_stdout()
        .run()
        .stdout;
    parapost(["check"])
        .stdin(&diagram)
        .stdout(&diagram)
        .stderr("-: Unachess, a position\n")
        .run();
    let half: String = diagram
        .lines()
        .take(5)
        .flat_map(|line| [line, "\n"])
        .collect();
    parapost(["check"])
        .stdin(half)
        .status(1)
        .stderr_contains("-:1:1: error: this diagram has 5 rows instead of 8")
        .run();
    let crowded = diagram.replace("rrbbn-qk", "rrbbnnqk");
    parapost(["check"])
        .stdin(crowded)
        .status(1)
        .stderr_contains(
            "-:1:1: error: no game can reach this position: Black has 3 knights, more than Unachess can give",
        )
        .run();
}

#[test]
fn what_could_steer_a_terminal_is_made_harmless() {
    let output = parapost(["check"])
        .stdin("1. P>e3 n>\u{1b}[31mg5 \u{202e}x\u{7}\n2. P>e3\n")
        .status(1)
        .any_stderr()
        .run();
    let steers = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
    assert!(!output.stderr.contains(steers), "{:?}", output.stderr);
    parapost(["check"])
        .stdin(b"1. P>e3 \xff\xfe\x00n>g5\n")
        .any_stdout()
        .any_stderr()
        .run();
}

/// A word where a move must stand was passed over, and the numbered move behind it with it: the list came out shorter
/// than it was written, and legal.
#[test]
fn a_numbered_move_behind_a_word_in_a_list_is_not_dropped() {
    parapost(["check"])
        .stdin("1. P>e3 banana 2. K>e3\n")
        .status(1)
        .stderr(
            "\
-:1:16: error: Black's move 1 is missing before this one
  |
1 | 1. P>e3 banana 2. K>e3
  |                ^^
  |
  = help: the next move of the list is Black's move 1
",
        )
        .run();
}

/// Went wrong: words that a mail of ours carried were read as its list.
#[test]
fn a_mail_of_ours_is_read_by_its_own_list_alone() {
    let mail = "Ben writes:\n\n> 1. P>e3 n>g5\n> 2. K>a1 k>h8\n\nIt is your move, White.\n\n1.  P>e3    n>g5\n\nGame m, 2 half-moves made.\nHash of the moves: 0123456789abcdef\n";
    for mark in ["", "> "] {
        let text: String = each(mail, |line| format!("{mark}{line}\n"));
        let output = parapost(["check"])
            .stdin(text)
            .any_stdout()
            .stderr("-: Unachess, 2 half-moves, White to move\n")
            .run();
        assert!(!output.stdout.contains("K>a1"), "{}", output.stdout);
        assert!(
            output.stdout.ends_with("1.  P>e3    n>g5\n"),
            "{}",
            output.stdout
        );
    }
}

/// Changes each line of a text.
fn each(text: &str, change: impl Fn(&str) -> String) -> String {
    text.lines().map(change).collect()
}

/// The style of a heading, `<h2 …>`, was read as a move to h2.
#[test]
fn the_text_of_a_mail_with_html_is_checked_on_its_lines() {
    let mail = |text: &str| {
        format!(
            "From: anna@example.org\nMIME-Version: 1.0\nContent-Type: multipart/alternative;\n boundary=b\n\n--b\nContent-Type: text/plain\n\n{text}\n--b\nContent-Type: text/html\n\n<h2 style=\"margin: 0\">h2 h3</h2>\n--b--\n"
        )
    };
    let list = "1.  P>e3    n>g5\n";
    for ends in ["\n", "\r\n"] {
        let legal = mail(list).replace('\n', ends);
        parapost(["check"])
            .stdin(legal)
            .stdout_contains(list)
            .stderr("-: Unachess, 2 half-moves, White to move\n")
            .run();
        let illegal = mail("1.  P>e3    n>g5\n2.  P>e3\n").replace('\n', ends);
        parapost(["check"])
            .stdin(illegal)
            .status(1)
            .stderr_contains("-:10:5: error: e3 ")
            .run();
    }
}

/// A move in a sentence directly below a list may be its next one.
#[test]
fn a_move_in_a_sentence_below_a_list_is_told() {
    for text in [
        "1. e4 e5 2. Nf3 Nc6\nBlack plays Qh4\n",
        "1. P>e3 n>g5\nWhite plays Q>h4.\n",
    ] {
        let told = Sandbox::new().parapost(["check", "-"]).stdin(text);
        let told = told.any_stdout().any_stderr().run().stderr;
        let why = "-:2:13: warning: this move stands among other words and is not judged";
        assert!(told.contains(why), "{told}");
    }
}

/// Moves behind a position whose number they have not were shown as no list at all.
#[test]
fn a_list_that_begins_elsewhere_is_refused_beside_positions() {
    let board =
        "- - - - k - - -\n".to_owned() + &"- - - - - - - -\n".repeat(6) + "- - - - K - - -\n";
    let text = format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 7\n\n23. Kd2 Kd7\n\n{board}");
    let told = Sandbox::new()
        .parapost(["check", "-"])
        .stdin(text)
        .status(1);
    let told = told.any_stdout().any_stderr().run().stderr;
    assert!(
        told.contains("the list begins here, with White's move 23"),
        "{told}"
    );
}

/// A file of PGN so long that it is read game by game says and prints what the games say one by one.
#[test]
fn a_long_file_of_pgn_is_judged_as_its_games_are() {
    let moves = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5";
    let game = |at: usize| {
        let moves = if at.is_multiple_of(700) {
            moves.replace("5. e4", "5. e5")
        } else {
            moves.to_owned()
        };
        format!("[White \"W{at}\"]\n[Black \"B\"]\n\n{moves} *\n\n")
    };
    let all: String = (1..=2_000).map(game).collect();
    let legal: String = (1..=2_000).filter(|at| at % 700 > 0).map(game).collect();
    assert!(all.len() > 1 << 17);
    let one = game(1);
    let folder = Sandbox::new()
        .file("all.pgn", all)
        .file("legal.pgn", legal)
        .file("one.pgn", one);
    let assumed =
        "nothing names the game, and the moves look like Chess; '--game' chooses another\n";
    let refused = folder.parapost(["check", "all.pgn"]).status(1);
    let refused = refused.any_stderr().run().stderr;
    for line in [
        "all.pgn:3499:48: error: ",
        "all.pgn:6999:48: error: ",
        "all.pgn: 1998 of 2000 games are legal; refused: 700, 1400\n",
    ] {
        assert!(refused.contains(line), "{line}: {refused}");
    }
    assert!(
        refused.contains(&format!("all.pgn: {assumed}")),
        "{refused}"
    );
    let one = folder.parapost(["check", "one.pgn"]).any_stdout();
    let one = one.any_stderr().run().stdout;
    let each = vec![one; 1_998].join("\n");
    folder
        .parapost(["check", "legal.pgn"])
        .stdout(each)
        .stderr(format!(
            "legal.pgn: {assumed}legal.pgn: 1998 games, all legal\n"
        ))
        .run();
}
