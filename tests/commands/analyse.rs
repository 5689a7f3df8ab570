//! `parapost analyse` and `check --blunders`: where a match turned.

use serde_json::Value;

use crate::support::{Sandbox, parapost};

/// The shortest mate in chess: both moves of White's king's pawns help it.
const FOOLS_MATE: &str = "1. P-f3 p-e5\n2. P-g4 q-h4 #\n";

#[test]
fn a_short_match_is_told_whole() {
    parapost(["analyse", "--game", "chess", "--nodes", "20000"])
        .stdin(FOOLS_MATE)
        .stdout_contains("Chess, 4 half-moves. Black has won by checkmate.\n")
        .stdout_contains("\n2. P-g4: lets Black mate in 1.\n    better: 2. ")
        .stdout_contains("\n1 turning point; the lead, of a pawn for two half-moves at least, did not change hands.\n")
        .run();
}

#[test]
fn programs_read_each_half_move() {
    let words = ["analyse", "--game", "chess", "--json", "--nodes", "20000"];
    let run = parapost(words).stdin(FOOLS_MATE).any_stdout().run();
    let told: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(told["game"], "chess");
    assert_eq!(told["nodes"], 20_000);
    assert_eq!(told["bound"], 1.5);
    let moves = told["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 4);
    assert_eq!(moves[2]["move"], "2. P-g4");
    assert_eq!(moves[2]["turning"], "allowed-mate");
    // Mated next, and mated.
    assert_eq!(moves[2]["value"], -10.0);
    assert_eq!(moves[3]["value"], -10.0);
    assert_eq!(moves[3]["turning"], Value::Null);
    assert!(moves[2]["better"].as_str().unwrap().starts_with("2. "));
}

#[test]
fn the_same_positions_give_the_same_answer() {
    let words = ["analyse", "--nodes", "2000"];
    let list = include_str!("../data/whole-game.txt");
    let runs = [(); 2].map(|()| parapost(words).stdin(list).any_stdout().run().stdout);
    assert_eq!(runs[0], runs[1]);
    assert!(
        runs[0].contains("White has won by checkmate"),
        "{}",
        runs[0]
    );
}

#[test]
fn each_game_is_analysed() {
    for game in [
        "unachess",
        "unachess2",
        "parachute",
        "unashogi",
        "newchess",
        "kingchess",
        "chess",
        "shogi",
    ] {
        let file = format!("{}/games/{game}.txt", env!("CARGO_MANIFEST_DIR"));
        parapost(["analyse", "--nodes", "1000", file.as_str()])
            .stdout_contains("half-moves. ")
            .run();
    }
}

#[test]
fn a_page_has_no_script_and_nothing_from_elsewhere() {
    let sandbox = Sandbox::new().file("list.txt", FOOLS_MATE);
    let words = "analyse --game chess --nodes 2000 --as html -o page.html list.txt";
    sandbox.parapost(words.split(' ')).run();
    let page = sandbox.read("page.html");
    assert!(page.contains("<h3>2. P-g4</h3>"), "{page}");
    assert!(page.contains("<p>Lets Black mate in 1.</p>"));
    for foreign in ["<script", "http://", "https://", "src="] {
        let found = page.matches(foreign).count();
        let of_svg = page.matches("http://www.w3.org/2000/svg").count();
        let own = if foreign == "http://" { of_svg } else { 0 };
        assert_eq!(found, own, "{foreign}");
    }
}

#[test]
fn a_text_says_where_it_turned() {
    parapost(["check", "--game", "chess", "--blunders"])
        .stdin(FOOLS_MATE)
        .any_stdout()
        .stderr_contains("-:2:4: note: lets Black mate in 1; better: 2. ")
        .run();
    // A list that cannot be played is not.
    parapost(["check", "--game", "chess", "--blunders"])
        .stdin("1. P-f3 p-e5\n2. P-g5\n")
        .status(1)
        .stderr_contains("-:2:4: error: ")
        .run();
}

/// An analysis would play for one of the players.
#[test]
fn a_match_that_goes_on_is_not_analysed() {
    let me = "[me]\nname = \"Anna\"\naddress = \"anna@example.org\"\n";
    let sandbox = Sandbox::new().dir("games").file("me.toml", me);
    let config = sandbox.path("me.toml");
    let sandbox = sandbox.env("PARAPOST_CONFIG", config);
    let begin = "new --print --id m --game chess --white anna@example.org --black ben@example.org";
    sandbox
        .parapost(begin.split(' '))
        .any_stdout()
        .any_stderr()
        .run();
    for (by, text) in [(Some("move m P-f3"), "P-f3"), (None, "")] {
        if let Some(by) = by {
            let words = by.split(' ').chain(["--print"]);
            let moved = sandbox.parapost(words).any_stdout().any_stderr().run();
            assert!(moved.stdout.contains(text));
            // The mail of a match that goes on.
            for words in [&["analyse"][..], &["check", "--blunders"]] {
                sandbox
                    .parapost(words)
                    .stdin(&moved.stdout)
                    .status(1)
                    .any_stdout()
                    .stderr_contains("this is a mail of match m, and it does not say")
                    .run();
            }
        }
        // Its file, as a text.
        for words in [["analyse", "games/m.txt"], ["check", "games/m.txt"]] {
            let blunders = (words[0] == "check").then_some("--blunders");
            let words = words.into_iter().chain(blunders);
            if by.is_some() {
                let run = sandbox.parapost(words).status(1).any_stdout();
                run.stderr_contains("match m goes on, and its players play it alone")
                    .run();
            }
        }
        sandbox
            .parapost(["analyse", "m"])
            .status(1)
            .stderr_contains("match m goes on, and its players play it alone")
            .run();
    }
    sandbox
        .parapost(["resign", "m", "--yes", "--print"])
        .any_stdout()
        .any_stderr()
        .run();
    sandbox
        .parapost(["analyse", "m", "--nodes", "1000"])
        .stdout_contains("Chess, 1 half-move. White resigns, Black wins.\n")
        .run();
}

#[test]
fn what_cannot_be_analysed_is_refused() {
    for (words, text, status, says) in [
        (
            &["analyse"][..],
            "Hello.\n",
            1,
            "no move list and no diagram",
        ),
        (&["analyse"], "", 1, "no move has been made"),
        (
            &["analyse", "--bound", "0.1"],
            FOOLS_MATE,
            2,
            "from 0.5 to 9",
        ),
        (
            &["analyse", "--bound", "NaN"],
            FOOLS_MATE,
            2,
            "from 0.5 to 9",
        ),
        (
            &["analyse", "--nodes", "10"],
            FOOLS_MATE,
            2,
            "1000..=100000000",
        ),
        (
            &["analyse", "--game", "chess", "m"],
            "",
            2,
            "a match has its game",
        ),
        (&["analyse", "--as", "png"], FOOLS_MATE, 2, "text, html"),
        (
            &["analyse", "--game", "chess"],
            "1. P-f5\n",
            1,
            "cannot be played so",
        ),
    ] {
        parapost(words)
            .stdin(text)
            .status(status)
            .stderr_contains(says)
            .run();
    }
    let diagram = parapost(["show", "--game", "chess", "--at", "0"])
        .stdin("1. e4")
        .any_stdout()
        .any_stderr()
        .run();
    parapost(["analyse", "--game", "chess"])
        .stdin(&diagram.stdout)
        .status(1)
        .any_stderr()
        .run();
}

#[test]
fn a_match_against_the_program_is_analysed_while_it_goes_on() {
    let sandbox = Sandbox::new().dir("games");
    sandbox
        .parapost(["play", "chess", "--id", "m", "--level", "1"])
        .stdin("P-e4\n")
        .any_stdout()
        .run();
    sandbox
        .parapost(["analyse", "m", "--nodes", "1000"])
        .stdout_contains(
            "Chess: You - parapost level 1 (program), 2 half-moves. The list ends here.\n",
        )
        .run();
}

/// A match of chess as sites export it: without a tag that names the game, and not with all seven
/// standard ones, which mean chess.
const EXPORTED: &str = "\
[Event \"Rated blitz game\"]
[White \"anna\"]
[Black \"ben\"]
[Result \"1-0\"]
[TimeControl \"300+3\"]

1. e4 { [%clk 0:05:00] } 1... e5 2. Bc4 Nc6 3. Qh5 Nf6?? 4. Qxf7# 1-0
";

#[test]
fn a_list_of_pgn_without_a_game_is_read_as_the_one_that_it_looks_like() {
    const WHY: &str =
        "nothing names the game, and the moves look like Chess; '--game' chooses another\n";
    let sandbox = Sandbox::new()
        .file("a game.pgn", EXPORTED)
        .file("slip.pgn", EXPORTED.replace("Qxf7", "Qxa7"))
        .file("named.pgn", format!("Game: Unachess\n\n{EXPORTED}"))
        .file(
            "two.pgn",
            format!("{EXPORTED}\n{}", EXPORTED.replace("1. e4", "1. e3")),
        );
    for command in ["analyse", "check", "show", "legal"] {
        let told = sandbox.parapost([command, "a game.pgn"]).any_stdout();
        let told = told.any_stderr().run().stderr;
        assert!(told.starts_with(&format!("a game.pgn: {WHY}")), "{told}");
        let read = [command, "--game", "chess", "a game.pgn"];
        let given = sandbox.parapost(read).any_stdout().any_stderr().run();
        assert!(!given.stderr.contains(WHY), "{}", given.stderr);
        let slip = sandbox.parapost([command, "slip.pgn"]).status(1);
        let slip = slip.any_stderr().run().stderr;
        assert!(slip.contains(WHY) && slip.contains(":7:"), "{slip}");
        // Whoever names a game means it.
        let named = sandbox.parapost([command, "named.pgn"]).status(1);
        assert!(!named.any_stderr().run().stderr.contains(WHY), "{command}");
    }
    sandbox
        .parapost(["check", "two.pgn"])
        .any_stdout()
        .stderr(format!("two.pgn: {WHY}two.pgn: 2 games, all legal\n"))
        .run();
    let told = sandbox.parapost(["check", "--json", "a game.pgn"]);
    let told: Value = serde_json::from_str(&told.any_stdout().run().stdout).unwrap();
    assert_eq!(told["matches"][0]["game"], "chess");
    // All seven tags mean chess.
    let seven = format!("[Site \"?\"]\n[Date \"?\"]\n[Round \"-\"]\n{EXPORTED}");
    parapost(["analyse", "--nodes", "1000"])
        .stdin(seven)
        .stdout_contains("Chess, 7 half-moves. White has won by checkmate. ")
        .run();
}

#[test]
fn a_result_that_the_text_states_is_told_and_compared() {
    const MATE: &str = "White has won by checkmate.";
    let resigned = EXPORTED.replace("4. Qxf7# 1-0", "{ Black resigns. } 1-0");
    let contradicted = EXPORTED.replace("1-0", "0-1");
    let torn = EXPORTED.replace("\"1-0\"", "\"0-1\"");
    let silent = EXPORTED.replace("\"1-0\"", "\"*\"").replace("# 1-0", "# *");
    let differs =
        format!("{MATE} The text states another result, 0-1, which these moves do not lead to.");
    for (text, says, result, stated, is_other) in [
        (
            EXPORTED,
            format!("{MATE} The text states that result, too: 1-0."),
            Some("1-0"),
            &["1-0"][..],
            false,
        ),
        (&contradicted, differs, Some("1-0"), &["0-1"], true),
        // Who resigns loses, wherever they stand.
        (
            &resigned,
            "The list ends here. The text states the result 1-0.".to_owned(),
            None,
            &["1-0"],
            false,
        ),
        (
            &torn,
            format!("{MATE} The text states several results: 0-1, 1-0."),
            Some("1-0"),
            &["0-1", "1-0"],
            true,
        ),
        (&silent, MATE.to_owned(), Some("1-0"), &[], false),
    ] {
        let words = ["analyse", "--game", "chess", "--nodes", "1000"];
        let first = format!("half-moves. {says}\n");
        parapost(words).stdin(text).stdout_contains(&first).run();
        let page = words.iter().chain(&["--as", "html"]);
        let page = parapost(page).stdin(text).any_stdout().run().stdout;
        assert!(page.contains(&format!("<p>{says} ")), "{says}");
        let told = words.iter().chain(&["--json"]);
        let told = parapost(told).stdin(text).any_stdout().run().stdout;
        let told: Value = serde_json::from_str(&told).unwrap();
        assert_eq!(told["result"].as_str(), result);
        assert_eq!(told["stated"], serde_json::json!(stated));
        assert_eq!(told["differs"], is_other);
    }
    // So does the file of a match that was given up.
    let file = format!(
        "{}/tests/data/releases/0.1.0/club/games/over.txt",
        env!("CARGO_MANIFEST_DIR")
    );
    let over = std::fs::read_to_string(&file).unwrap();
    let result = over
        .lines()
        .find_map(|line| line.strip_prefix("Result: "))
        .unwrap();
    let (score, _) = result.split_once(' ').unwrap();
    parapost(["analyse", "--nodes", "1000", file.as_str()])
        .stdout_contains(&format!(": {score}.\n"))
        .run();
}
