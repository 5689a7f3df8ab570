//! `parapost engine`: the interface for programs with a board, as a process.

use crate::support::parapost;

#[test]
fn the_engine_answers_by_the_universal_chess_interface() {
    let commands = "uci\nisready\nsetoption name UCI_Variant value unachess\n\
                    position startpos moves K@e1 K@e8\ngo nodes 2000\n";
    let output = parapost(["engine"]).stdin(commands).any_stdout().run();
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert!(
        lines.contains(&"uciok") && lines.contains(&"readyok"),
        "{lines:?}"
    );
    let best = lines.last().and_then(|line| line.strip_prefix("bestmove "));
    assert!(best.is_some_and(|best| best.contains('@')), "{lines:?}");
}

#[test]
fn what_is_not_known_is_passed_over_and_quit_ends() {
    parapost(["engine"])
        .stdin("joho\ndebug on\nquit\nisready\n")
        .stdout("")
        .run();
}
