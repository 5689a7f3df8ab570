//! The numbers of `tests/perft/*.perft`, whose form its README tells, counted again.

use std::fs;

use parapost_rules::{Position, Setup, Variant};

/// A position of a perft file and how many lines of play begin in it.
#[derive(Default)]
struct Entry {
    /// The number of the line it begins on.
    line: usize,
    game: String,
    options: Vec<String>,
    fen: Option<String>,
    moves: Vec<String>,
    counts: Vec<(u32, u64)>,
}

impl Entry {
    fn position(&self) -> Position {
        let options: Vec<&str> = self.options.iter().map(String::as_str).collect();
        let variant = Variant::find(&self.game, &options).expect("a game with its options");
        let start = self.fen.as_ref().map_or_else(
            || variant.start(),
            |fen| {
                let setup = Setup::from_fen(&variant, fen).expect("a FEN");
                Position::from_setup(&variant, &setup).expect("a position that can stand")
            },
        );
        self.moves.iter().fold(start, |position, text| {
            let reading = position
                .read(text)
                .unwrap_or_else(|error| panic!("{text}: {error}"));
            position.play(&reading.ply).expect("a legal move")
        })
    }
}

/// Reads a perft file.
fn entries(text: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (word, rest) = line.split_once(' ').expect("a word and what belongs to it");
        if word == "game" {
            entries.push(Entry {
                line: number,
                game: rest.to_owned(),
                ..Entry::default()
            });
            continue;
        }
        let entry = entries.last_mut().expect("a game before everything else");
        let words = rest.split_whitespace().map(str::to_owned);
        match word {
            "options" => entry.options.extend(words),
            "fen" => entry.fen = Some(rest.to_owned()),
            "moves" => entry.moves.extend(words),
            depth => entry.counts.push((
                depth.parse().expect("a depth"),
                rest.parse().expect("a count"),
            )),
        }
    }
    entries
}

#[test]
fn perft() {
    let folder = crate::of_the_package("tests/perft");
    let mut seen = Vec::new();
    for file in fs::read_dir(folder).expect("the folder of perft files") {
        let path = file.expect("a file").path();
        if path.extension().is_none_or(|ending| ending != "perft") {
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        for entry in entries(&fs::read_to_string(&path).expect("a text")) {
            let position = entry.position();
            assert!(!entry.counts.is_empty(), "{name}:{}: no count", entry.line);
            for &(depth, count) in &entry.counts {
                assert_eq!(
                    position.perft(depth),
                    count,
                    "{name}:{}: depth {depth}",
                    entry.line
                );
            }
            seen.push(format!("{} {:?}", entry.game, position.variant().options()));
        }
    }
    for variant in crate::variants::variants() {
        let name = format!("{} {:?}", variant.game().id, variant.options());
        assert!(seen.contains(&name), "no perft numbers of {name}");
    }
}
