//! The commands that read a list of moves read a position, too.

use crate::support::{Sandbox, parapost};

const MATE: &str = "7k/8/6K1/8/8/8/Q7/8 w - - 0 1";

#[test]
fn the_fen_that_show_writes_is_shown() {
    let list = include_str!("../../games/unachess.txt");
    let shown = parapost(["show", "--as", "fen"])
        .stdin(list)
        .any_stdout()
        .run();
    let diagram = parapost(["show"]).stdin(list).any_stdout().run();
    parapost(["show"])
        .stdin(&shown.stdout)
        .stdout(&diagram.stdout)
        .run();
    parapost(["show", "--as", "fen"])
        .stdin(&shown.stdout)
        .stdout(&shown.stdout)
        .run();
}

#[test]
fn ten_positions_of_a_quiz_are_ten_diagrams_with_their_numbers() {
    let quiz: Vec<String> = (1..=10).map(|at| format!("{at}. {MATE}   ")).collect();
    let quiz = quiz.concat();
    let shown = parapost(["show", "--number"])
        .stdin(&quiz)
        .any_stdout()
        .run()
        .stdout;
    let parts: Vec<&str> = shown.split("\n\n").collect();
    assert_eq!(parts.len(), 10, "{shown}");
    for (at, part) in (1..).zip(parts) {
        let head = format!("{at}.\n- - - - - - - k\n");
        assert!(part.starts_with(&head), "{part}");
    }
    parapost(["show", "--as", "fen"])
        .stdin(format!("{MATE}\n{MATE}\n"))
        .stdout(format!("{MATE}\n\n{MATE}\n"))
        .run();
}

#[test]
fn several_positions_are_refused_with_their_number_where_one_is_wanted() {
    let two = format!("{MATE}\n{MATE}\n");
    for command in [
        vec!["legal"],
        vec!["analyse"],
        vec!["show", "--as", "svg"],
        vec!["show", "--as", "json"],
    ] {
        parapost(command)
            .stdin(&two)
            .status(1)
            .stderr_contains("-: this text has 2 positions, not one")
            .run();
    }
}

#[test]
fn a_form_that_needs_the_turn_names_the_option() {
    let board = "- - - - - - - k\n- - - - - - - -\n- - - - - - K -\n- - - - - - - -\n\
        - - - - - - - -\n- - - - - - - -\nQ - - - - - - -\n- - - - - - - -\n";
    parapost(["show"]).stdin(board).stdout(board).run();
    parapost(["show", "--as", "fen"])
        .stdin(board)
        .status(1)
        .stderr_contains(
            "-:1:1: error: this position does not tell who is to move: add --turn white",
        )
        .run();
    parapost(["show", "--as", "fen", "--turn", "white"])
        .stdin(board)
        .stdout(format!("{MATE}\n"))
        .run();
    parapost(["show", "--as", "fen"])
        .stdin(format!("{board}White to play and mate in one\n"))
        .stdout(format!("{MATE}\n"))
        .run();
    parapost(["legal"])
        .stdin(format!("{board}White to play and mate in one\n"))
        .any_stdout()
        .run();
}

#[test]
fn an_impossible_position_is_drawn_with_a_warning_and_has_no_moves() {
    let text = "K6K/8/8/8/8/8/8/k7 w - - 0 1\n";
    let drawn = "K - - - - - - K\n- - - - - - - -\n- - - - - - - -\n- - - - - - - -\n\
        - - - - - - - -\n- - - - - - - -\n- - - - - - - -\nk - - - - - - -\n";
    let shown = parapost(["show"]).stdin(text).stdout(drawn);
    shown
        .stderr_contains(
            "-:1:1: warning: no game can reach this position: White has more than one king",
        )
        .run();
    for command in ["legal", "analyse"] {
        parapost([command])
            .stdin(text)
            .status(1)
            .stderr_contains(
                "-:1:1: error: no game can reach this position: White has more than one king",
            )
            .run();
    }
    parapost(["check"])
        .stdin(text)
        .status(1)
        .stderr_contains(
            "-:1:1: error: no game can reach this position: White has more than one king",
        )
        .run();
}

#[test]
fn commands_to_engines_are_matches() {
    parapost(["show", "--as", "fen"])
        .stdin("position startpos moves e2e4 e7e5\n")
        .stdout("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2\n")
        .run();
    parapost(["check"])
        .stdin("position startpos moves 7g7f 3c3d 8h2b+\n")
        .any_stdout()
        .stderr("-: Shogi, 3 half-moves, Gote to move\n")
        .run();
    parapost(["check"])
        .stdin("position startpos moves e2e4 e7e6 e4e6\n")
        .status(1)
        .stderr_contains("-:1:35: error: ")
        .run();
}

#[test]
fn a_position_stands_on_the_command_line() {
    parapost(["show", "--as", "fen", "--fen", MATE])
        .stdout(format!("{MATE}\n"))
        .run();
    parapost(["check", "--fen", MATE])
        .any_stdout()
        .stderr("--fen: Chess, a position\n")
        .run();
    let legal = parapost(["legal", "--fen", MATE]).any_stdout().run().stdout;
    assert!(legal.contains("Q-a8"), "{legal}");
    parapost(["show", "--fen", "7k/8 w"])
        .status(1)
        .stderr_contains("--fen: ")
        .run();
    let sandbox = Sandbox::new().file("list.txt", "1. P>e3 n>g5\n");
    sandbox
        .parapost(["show", "--fen", MATE, "list.txt"])
        .status(2)
        .stderr_contains("cannot be used with")
        .run();
}
