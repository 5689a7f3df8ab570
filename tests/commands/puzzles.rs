//! `parapost puzzles` and `play --puzzle`: forced mates from finished matches.

mod weekly;

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write as _;

use parapost::matches::action::Action;
use parapost::matches::event::LogEntry;
use parapost::matches::r#match::{Match, MatchSettings};
use parapost::rules::{Color, Position, Variant, games};
use serde_json::Value;
use unicode_width::UnicodeWidthStr as _;

use crate::slow_mates::{Proof, loses, prove};
use crate::support::Sandbox;
use crate::support::terminal::in_turns;

const NOW: &str = "2026-11-20T03:00:00Z";

/// Positions that the slow prover may look at.
const BUDGET: u64 = 100_000_000;

fn home() -> Sandbox {
    Sandbox::new()
        .dir("games")
        .env("PARAPOST_GAMES", "games")
        .env("PARAPOST_NOW", NOW)
}

/// A sample match of the repository.
fn sample(game: &str) -> Match {
    let file = format!("{}/games/{game}.txt", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(file).unwrap().parse().unwrap()
}

/// The match of Unachess II between these players, without its last move: it goes on, or one resigns.
fn cut(id: &str, players: [&str; 2], resigns: bool) -> String {
    let sample = sample("unachess2");
    let settings = MatchSettings {
        id: id.parse().unwrap(),
        players: players.map(|who| who.parse().unwrap()),
        event: None,
        ..sample.settings().clone()
    };
    let time = NOW.parse().unwrap();
    let mut game = Match::new(settings, time);
    let steps = sample.record().steps();
    for step in &steps[..steps.len() - 1] {
        let side = game.position().turn();
        game.push(LogEntry::new(time, Action::play(&step.text), side))
            .unwrap();
    }
    if resigns {
        game.push(LogEntry::new(time, Action::Resign, Color::Black))
            .unwrap();
    }
    game.to_string()
}

const PLAYERS: [&str; 2] = ["Anna <anna@secret.test>", "Ben <ben@secret.test>"];

fn json(home: &Sandbox, more: &[&str]) -> Value {
    let words = [&["puzzles", "--json"], more].concat();
    let run = home.parapost(words).any_stdout().any_stderr().run();
    serde_json::from_str(&run.stdout).unwrap()
}

/// The files of the folder, by their paths.
fn folder(home: &Sandbox) -> BTreeMap<String, String> {
    let files = home.contents().into_iter();
    let files = files.filter_map(|(path, bytes)| {
        let path = path.strip_prefix("out").ok()?.to_str()?.to_owned();
        Some((path, String::from_utf8(bytes).unwrap()))
    });
    files.collect()
}

fn write_folder(home: &Sandbox, said: &str) -> BTreeMap<String, String> {
    home.parapost(["puzzles", "out"])
        .stderr(format!("{said}\n"))
        .run();
    folder(home)
}

/// The prover knows the rules alone, and tries everything.
#[test]
fn each_puzzle_of_played_matches_has_one_solution() {
    let home = home();
    for game in games::ALL {
        home.write(
            format!("games/{}.txt", game.id),
            sample(game.id).to_string(),
        );
    }
    let told = json(&home, &[]);
    let puzzles = told["puzzles"].as_array().unwrap();
    assert!(puzzles.len() >= 7, "{told}");
    assert_eq!(told["matches"], 8);
    for puzzle in puzzles {
        let text = |key: &str| puzzle[key].as_str().unwrap();
        let variant = Variant::find(text("game"), &[]).unwrap();
        let position = Position::from_fen(&variant, text("fen")).unwrap();
        let plies = 2 * u32::try_from(puzzle["mate_in"].as_u64().unwrap()).unwrap() - 1;
        assert_eq!(
            prove(&position, plies, BUDGET),
            Proof::Mate(plies),
            "{puzzle}"
        );
        let mut left = BUDGET;
        let solutions = position.legal_plies().filter(|ply| {
            let after = position.play(ply).unwrap();
            match after.outcome() {
                Some(end) => end.winner == Some(position.turn()),
                None => plies > 1 && loses(&after, plies - 1, &mut left).unwrap(),
            }
        });
        let solutions: Vec<String> = solutions.map(|ply| position.text(&ply)).collect();
        let told = puzzle["solution"][0].as_str().unwrap();
        assert_eq!(solutions, [told.split(' ').next().unwrap()], "{puzzle}");
    }
}

#[test]
fn a_match_that_goes_on_has_no_puzzle() {
    let home = home();
    home.write("games/m.txt", cut("m", PLAYERS, false));
    assert!(json(&home, &[])["puzzles"].as_array().unwrap().is_empty());
    let nothing = write_folder(&home, "0 puzzles from 0 matches, 0 searched now");
    assert!(
        !nothing.values().any(|text| text.contains("mate in")),
        "{nothing:?}"
    );
    // And is in nothing once it is over, or before.
    home.write("games/m.txt", cut("m", PLAYERS, true));
    let told = json(&home, &[]);
    assert_eq!(told["puzzles"][0]["fen"], FEN);
    assert_eq!(told["puzzles"][0]["solution"][0], "Rxb4 +");
    let some = write_folder(&home, "1 puzzle from 1 match, 1 searched now");
    assert_eq!(some.len(), 5, "{:?}", some.keys());
    // It went on after all.
    home.write("games/m.txt", cut("m", PLAYERS, false));
    let none = write_folder(&home, "0 puzzles from 0 matches, 0 searched now");
    assert_eq!(
        none.keys().collect::<Vec<_>>(),
        ["index.html", "searched.jsonl"]
    );
    assert_eq!(none["searched.jsonl"], "");
}

/// The puzzle of the match.
const FEN: &str = "8/2R5/7b/1kNNB1r1/Rb6/8/5Kn1/8[PPPPPPPPnqpppppppp] w - - 0 1";

#[test]
fn a_folder_has_posts_and_pages_and_the_solution_on_a_page_of_its_own() {
    let home = home();
    home.write("games/m.txt", cut("m", PLAYERS, true));
    let files = write_folder(&home, "1 puzzle from 1 match, 1 searched now");
    for (path, text) in &files {
        let is_solution = path.starts_with("solutions/") || path == "searched.jsonl";
        assert_eq!(text.contains("Rxb4"), is_solution, "{path}: {text}");
        assert!(
            !path.contains("xb4") && !text.contains("secret.test"),
            "{path}: {text}"
        );
        for foreign in ["<script", "https://", "src="] {
            assert!(!text.contains(foreign), "{path}");
        }
    }
    let page = files
        .iter()
        .find(|(path, _)| path.starts_with("puzzles/") && path.ends_with("html"));
    let (path, page) = page.unwrap();
    assert!(
        page.contains("<h1>Unachess II: White to move, mate in three</h1>"),
        "{page}"
    );
    assert!(page.contains("<bdi>Anna - Ben</bdi>"), "{page}");
    assert!(page.contains("role=\"img\" aria-label=\"White: "), "{page}");
    let solution = &files[&path.replace("puzzles/", "solutions/")];
    assert!(
        solution.contains("1. Rxb4 + k-a5 2. N-b3 + k-a6 3. R-b6 #"),
        "{solution}"
    );
    assert!(
        solution.contains("In the match White found it."),
        "{solution}"
    );
    // A post is what standard output has, too, and the checker reads it.
    let post = &files[&path.replace(".html", ".txt")];
    let said = home.parapost(["puzzles"]).any_stdout().any_stderr().run();
    assert_eq!(said.stdout, format!("{post}\n"));
    assert!(
        post.contains("\nWhite to move, mate in three.\nAnna - Ben\n\nFEN: "),
        "{post}"
    );
    home.parapost(["check"])
        .stdin(post)
        .any_stdout()
        .any_stderr()
        .run();
    let said = home.parapost(["puzzles", "--solution"]);
    said.stdout_contains("\nSolution: 1. Rxb4 + k-a5 2. N-b3 + k-a6 3. R-b6 #\n")
        .any_stderr()
        .run();
}

#[test]
fn a_later_run_searches_what_is_new_alone() {
    let home = home();
    home.write("games/m.txt", cut("m", PLAYERS, true));
    let first = write_folder(&home, "1 puzzle from 1 match, 1 searched now");
    let again = write_folder(&home, "1 puzzle from 1 match, 0 searched now");
    assert_eq!(first, again);
    // The same position is one puzzle.
    home.write(
        "games/n.txt",
        cut("n", ["Cid <c@secret.test>", PLAYERS[0]], true),
    );
    let more = write_folder(&home, "1 puzzle from 2 matches, 1 searched now");
    assert_eq!(more.len(), first.len());
    // A run that was broken off in the middle of a line, and a line that nobody wrote.
    let memory = home.path("out/searched.jsonl");
    let text = home.read(&memory);
    std::fs::write(&memory, &text[..text.len() - 20]).unwrap();
    let mended = write_folder(&home, "1 puzzle from 2 matches, 1 searched now");
    assert_eq!(mended, more);
    let mut file = OpenOptions::new().append(true).open(&memory).unwrap();
    file.write_all(b"\xff\x1b[31m not JSON\n{\"way\":1}\n")
        .unwrap();
    assert_eq!(
        write_folder(&home, "1 puzzle from 2 matches, 0 searched now"),
        more
    );
    // What the file says is believed only where it is a mate in this match.
    let lie = text.replace("\"Rxb4\"", "\"R-c6\"");
    std::fs::write(&memory, lie).unwrap();
    assert_eq!(
        write_folder(&home, "1 puzzle from 2 matches, 2 searched now"),
        more
    );
}

#[test]
fn names_are_shown_as_in_the_archive() {
    let home = home();
    let players = ["Evelyn & co <eve@secret.test>", "mallory@secret.test"];
    home.write("games/m.txt", cut("m", players, true));
    let files = write_folder(&home, "1 puzzle from 1 match, 1 searched now");
    for (path, text) in &files {
        assert!(
            !text.contains("secret.test") && !text.contains("mallory"),
            "{path}: {text}"
        );
    }
    assert!(
        files["index.html"].contains("<bdi>Evelyn &amp; co - Black</bdi>"),
        "{}",
        files["index.html"]
    );
    // Whoever is forgotten is so here with the next run, which searches nothing.
    let words = ["forget", "eve@secret.test", "--yes"];
    home.parapost(words).any_stdout().any_stderr().run();
    let files = write_folder(&home, "1 puzzle from 1 match, 0 searched now");
    assert!(files.values().all(|text| !text.contains("Evelyn")));
}

#[test]
fn a_folder_with_something_else_is_left_alone() {
    let home = home().file("out/mine.txt", "mine\n");
    home.parapost(["puzzles", "out"])
        .status(1)
        .stderr_contains("this folder holds something else than puzzles")
        .run();
    assert_eq!(folder(&home).len(), 1);
}

#[test]
fn a_puzzle_is_solved_at_the_prompt() {
    let home = home().file("post.txt", POST);
    let lines = "hint\nQ-e8\nrxd7\nQxc7\nboard\nQxb7\nQxb7\nnext\n";
    home.parapost(["play", "--puzzle", "post.txt"])
        .stdin(lines)
        .stdout_contains("post.txt. Kingchess: White to move, mate in two.\n")
        .stdout_contains("\nA move by the queen.\n")
        .stdout_contains("\nNot so: 1. Q-e8 leads to ")
        .stdout_contains(", and there is no mate in one. There is still a mate in two.\n")
        .stdout_contains("\n1. Qxc7 + k-a7  Right.\n")
        .stdout_contains("\nWhite to move, mate in one.\n")
        .stdout_contains("\n2. Qxb7 #  Right.\n")
        .stdout_contains("\nSolved: mate. That was the last puzzle.\n")
        // The third line is Black's move, and the seventh comes too late.
        .stderr_contains("line 3: 'rxd7': ")
        .stderr_contains("line 7: ")
        .status(1)
        .run();
    home.parapost(["play", "--puzzle", "post.txt"])
        .stdin("solution\n")
        .stdout_contains("\n1. Qxc7 + k-a7 2. Qxb7 #\n")
        .run();
}

const POST: &str =
    "Game: Kingchess\n\nFEN: 1knQ4/1bpR4/rp2r1p1/p1p2q2/N1R5/1PP5/1BP2b2/1K6[] w - - 0 1\n";

#[test]
fn puzzles_come_from_the_program_from_a_post_and_from_a_folder() {
    let home = home();
    home.parapost(["play", "--puzzle"])
        .stdin("next\nnext\nquit\n")
        .stdout_contains("Puzzle 1 of 48. Unachess: ")
        .stdout_contains("Puzzle 3 of 48. Unachess: ")
        .run();
    home.parapost(["play", "newchess", "--puzzle", "6"])
        .stdin("solution\nnext\n")
        .stdout_contains("Puzzle 6 of 6. New Chess: ")
        .stdout_contains("That was the last puzzle.")
        .run();
    home.write("games/m.txt", cut("m", PLAYERS, true));
    write_folder(&home, "1 puzzle from 1 match, 1 searched now");
    home.parapost(["play", "--puzzle", "out"])
        .stdin("Rxb4\nN-b3\nR-b6\n")
        .stdout_contains("Solved: mate.")
        .run();
}

#[test]
fn what_is_no_puzzle_is_refused() {
    // Two rooks mate, each alone.
    let two = "Game: Chess\nFEN: 6k1/5ppp/8/8/8/8/5PPP/RR4K1 w - - 0 1\n";
    let home = home()
        .dir("empty")
        .file("two.txt", two)
        .file(
            "none.txt",
            "Game: Chess\nFEN: 6k1/8/8/8/8/8/5PPP/R5K1 w - - 0 1\n",
        )
        .file("bad.txt", "FEN: \u{1b}[31mhello\n")
        .file("words.txt", "Hello.\n");
    for (words, status, says) in [
        (
            &["two.txt"][..],
            1,
            "two.txt: this position is no puzzle: it has more than one solution",
        ),
        (&["none.txt"], 1, "no mate in at most three moves"),
        (&["bad.txt"], 1, "bad.txt: "),
        (
            &["words.txt"],
            1,
            "a line 'FEN: …' with the position is needed",
        ),
        (&["empty"], 1, "there is no puzzle in this folder"),
        (
            &["unachess"],
            1,
            "unachess: No such file or directory; 'parapost play --puzzle' poses",
        ),
        (&["missing.txt"], 1, "missing.txt: No such file"),
        (&["49"], 1, "there are 48 puzzles, and none is number 49"),
        (&["0"], 2, "puzzles are counted from 1"),
        (&["1", "--level", "3"], 2, "cannot be used with"),
    ] {
        let line = [&["play", "--puzzle"], words].concat();
        let run = home
            .parapost(line)
            .status(status)
            .stderr_contains(says)
            .run();
        assert!(!run.stderr.contains('\u{1b}'), "{}", run.stderr);
    }
    let run = home.parapost(["play", "xyz", "--puzzle"]).status(2);
    run.stderr_contains("not of a match that was begun").run();
}

#[test]
fn sixty_columns_are_enough_for_a_puzzle_of_every_game() {
    let home = home();
    for game in games::ALL {
        let words = ["legal", "help", "hint", "Q-a1x", "solution", "quit"];
        let lines = words.map(|word| format!("{word}\n"));
        let turns = lines.each_ref().map(|line| (".", line.as_str()));
        let line = ["play", game.id, "--puzzle", "3", "--board", "unicode"];
        let screen = in_turns(&home.parapost(line).env("TERM", "dumb"), 60, &turns);
        assert_eq!(screen.status, 0, "{}", screen.text());
        let text = screen.text();
        // What is typed is not echoed here, so the prompt stands before what is said.
        let lines = text
            .lines()
            .map(|line| line.trim_start_matches(['1', '.']).trim_start());
        let long = lines.filter(|line| line.width() > 60);
        assert_eq!(long.collect::<Vec<_>>(), [""; 0], "{}", game.id);
        assert!(text.contains("#\n"), "{text}");
    }
}
