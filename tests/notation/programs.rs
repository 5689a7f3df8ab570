//! Lists in PGN and KIF: those that other programs have written are read, and ours are the same.
//! `tests/data/programs/make.py` has made them, and reads ours.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use parapost::notation::header;
use parapost::notation::judge::{self, GameChoice};
use parapost::notation::reader::pasted;
use serde::Deserialize;

use crate::support::parapost;

/// The lists with this ending, each with its text.
fn lists(ending: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/programs");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect();
    files.sort();
    assert_eq!(files.len(), 3);
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        (path, text)
    };
    files.into_iter().map(read).collect()
}

fn shown(text: &str, form: &str) -> String {
    let shown = parapost(["show", "--as", form]).stdin(text).any_stdout();
    shown.run().stdout
}

/// The words of the moves of a PGN.
fn moves_of_pgn(text: &str) -> Vec<&str> {
    let lines = text.lines().filter(|line| !line.starts_with('['));
    lines.flat_map(str::split_whitespace).collect()
}

#[test]
fn a_pgn_of_another_program_is_read_and_written_alike() {
    for (path, text) in lists("pgn") {
        let fen = fs::read_to_string(path.with_extension("fen")).unwrap();
        assert_eq!(shown(&text, "fen"), fen, "{}", path.display());
        let ours = shown(&text, "pgn");
        assert_eq!(
            moves_of_pgn(&ours),
            moves_of_pgn(&text),
            "{}",
            path.display()
        );
        assert_eq!(shown(&ours, "fen"), fen, "{}", path.display());
        assert!(ours.lines().all(|line| line.len() < 80), "{ours}");
    }
}

/// The lines of the moves of a KIF, with the pieces' names of one kind, and each square by its
/// name.
fn moves_of_kif(text: &str) -> Vec<String> {
    let names = [("全", "成銀"), ("圭", "成桂"), ("杏", "成香")];
    let mut last = String::new();
    let mut moves = Vec::new();
    for line in text.lines().map(str::trim) {
        if !line.ends_with(')') && !line.ends_with('打') {
            continue;
        }
        let (number, told) = line.split_once(' ').unwrap();
        let told = told.replace("同\u{3000}", &last);
        last = told.chars().take(2).collect();
        let line = format!("{number} {told}");
        let line = names
            .iter()
            .fold(line, |line, (short, long)| line.replace(short, long));
        moves.push(line);
    }
    moves
}

#[test]
fn a_kif_of_another_program_is_read_and_written_alike() {
    for (path, text) in lists("kif") {
        let sfen = fs::read_to_string(path.with_extension("sfen")).unwrap();
        let board = sfen.split(' ').next().unwrap();
        let fen = shown(&text, "fen");
        assert!(fen.starts_with(board), "{}: {fen}", path.display());
        let ours = shown(&text, "kif");
        assert_eq!(
            moves_of_kif(&ours),
            moves_of_kif(&text),
            "{}",
            path.display()
        );
        assert_eq!(shown(&ours, "fen"), fen, "{}", path.display());
        let check = parapost(["check"]).stdin(&text).any_stdout();
        check
            .stderr("-: Shogi, 160 half-moves, 0-1 stated, Sente to move\n")
            .run();
    }
}

#[test]
fn a_fault_in_a_kif_stands_in_its_line() {
    let text = "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ７五歩(77)\n";
    parapost(["check"])
        .stdin(text)
        .status(1)
        .stderr_contains("-:4:")
        .run();
}

#[test]
fn other_games_have_no_such_lists() {
    for (form, game) in [("pgn", "Chess"), ("kif", "Shogi")] {
        parapost(["show", "--as", form])
            .stdin("1. K>e1 k>e8\n")
            .status(1)
            .stderr_contains(&format!("the form '{form}' is for {game} alone"))
            .run();
        parapost(["show", "--as", form, "--flip"])
            .stdin("1. K>e1 k>e8\n")
            .status(2)
            .any_stderr()
            .run();
    }
}

/// A file of games that another program has written.
#[derive(Deserialize)]
struct Written {
    game: String,
    text: String,
    games: Vec<WrittenGame>,
}

/// How many half-moves a game has, and its last board as FEN.
#[derive(Deserialize)]
struct WrittenGame {
    plies: usize,
    fen: String,
}

/// Games with variations, comments and clocks, which python-chess and python-shogi write, and whose
/// boards they tell.
#[test]
#[ignore = "needs python-chess"]
fn the_games_that_other_programs_write_are_read_as_theirs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (seed, count) = (super::pgn::seed(), super::pgn::asked());
    let mut program = Command::new(folder.join("target/python/bin/python"))
        .arg(folder.join("tests/data/programs/make.py"))
        .args(["--games".to_owned(), seed.to_string(), count.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut read = 0;
    for line in BufReader::new(program.stdout.take().unwrap()).lines() {
        let written: Written = serde_json::from_str(&line.unwrap()).unwrap();
        let text = &written.text;
        if let ("shogi", [game]) = (written.game.as_str(), &written.games[..]) {
            let fen = shown(text, "fen");
            assert!(fen.starts_with(&game.fen), "{fen}\n{text}");
            assert!(
                fen.ends_with(&format!(" {}\n", game.plies / 2 + 1)),
                "{fen}\n{text}"
            );
            read += 1;
            continue;
        }
        let judged = judge::judge(&pasted(text), &GameChoice::Named(header::DEFAULT)).unwrap();
        assert_eq!(judged.len(), written.games.len(), "{text}");
        for (one, expected) in judged.iter().zip(&written.games) {
            assert!(one.is_legal(), "{:?}\n{text}", one.problems);
            assert_eq!(one.variant.game().id, written.game, "{text}");
            let record = one.game.record();
            let fen = record.position().fen();
            let found = (record.steps().len(), fen.split(' ').next().unwrap());
            assert_eq!(found, (expected.plies, expected.fen.as_str()), "{text}");
        }
        read += judged.len();
    }
    assert!(program.wait().unwrap().success());
    assert!(read >= count, "{read} games of {count}");
}
