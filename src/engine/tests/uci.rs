//! The Universal Chess Interface: whole games, orders while it thinks, and whatever else is written.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use fastrand::Rng;
use parapost_engine::uci;
use parapost_rules::{Ply, Record, Variant, games};

/// The answers to commands that are all written at once.
fn answers(commands: &str) -> Vec<String> {
    let mut output = Vec::new();
    uci::serve(commands.as_bytes(), &mut output).expect("memory takes all");
    let text = String::from_utf8(output).expect("plain text");
    text.lines().map(str::to_owned).collect()
}

fn best(answers: &[String]) -> &str {
    let last = answers.last().expect("an answer");
    last.strip_prefix("bestmove ").expect("a move comes last")
}

#[test]
fn games_of_every_kind_are_played_by_dialogue() {
    for game in games::ALL {
        let variant = Variant::new(game, &[]).expect("a game");
        let mut record = Record::new(variant.start());
        let mut moves = String::new();
        while record.outcome().is_none() && record.steps().len() < 30 {
            let answers = answers(&format!(
                "uci\nsetoption name UCI_Variant value {}\nsetoption name Hash value 1\nucinewgame\n\
                 position startpos moves{moves}\ngo nodes 400\n",
                game.id
            ));
            let text = best(&answers);
            let ply = uci::read_move(record.position(), text).expect("a legal move");
            record.play(&ply).expect("a legal ply");
            moves.push(' ');
            moves += text;
        }
        assert!(record.steps().len() > 4, "{}", game.id);
    }
}

#[test]
fn every_ply_is_read_as_it_is_written() {
    let mut rng = Rng::with_seed(3);
    let (mut relocations, mut placements) = (0, 0);
    for game in games::ALL {
        let variant = Variant::new(game, &[]).expect("a game");
        let mut position = variant.start();
        for _ in 0..12 {
            let several = position
                .placements()
                .filter(|ply| matches!(ply, Ply::Placement(_)));
            let plies: Vec<Ply> = position
                .single_plies()
                .into_iter()
                .chain(several.take(40))
                .collect();
            let mut texts: Vec<String> = Vec::new();
            for ply in &plies {
                let text = uci::move_text(&position, ply);
                assert_eq!(
                    uci::read_move(&position, &text),
                    Some(*ply),
                    "{}: {text}",
                    game.id
                );
                texts.push(text);
                relocations += usize::from(matches!(ply, Ply::Relocation { .. }));
                placements += usize::from(matches!(ply, Ply::Placement(_)));
            }
            texts.sort_unstable();
            texts.dedup();
            assert_eq!(
                texts.len(),
                plies.len(),
                "{}: two plies of one text",
                game.id
            );
            if plies.is_empty() || position.outcome().is_some() {
                break;
            }
            position = position
                .play(&plies[rng.usize(0..plies.len())])
                .expect("legal");
        }
    }
    assert!(relocations > 100 && placements > 100);
}

#[test]
fn what_it_is_told_of_itself_stands_in_its_introduction() {
    let answers = answers("uci\n");
    assert!(answers[0].starts_with("id name parapost "));
    assert_eq!(answers.last().map(String::as_str), Some("uciok"));
    let variants = answers
        .iter()
        .find(|line| line.contains("UCI_Variant"))
        .expect("the option");
    assert!(
        games::ALL
            .iter()
            .all(|game| variants.contains(&format!("var {}", game.id)))
    );
}

#[test]
fn positions_are_fens_with_reserves_and_rules_have_options() {
    let fen = "4k3/8/8/8/8/8/8/4K3[QRp] w - - 0 9";
    let found = answers(&format!(
        "setoption name UCI_Variant value unachess\nsetoption name Rules value no-castling-no-ep,no-double-step\n\
         position fen {fen} moves Q@e5 e8d7\ngo depth 2\n"
    ));
    assert!(best(&found).len() >= 4, "{found:?}");
    let rules = "setoption name Rules value no-such-rule\ngo nodes 100\n";
    let found = answers(rules);
    assert!(found[0].contains("no option 'no-such-rule'"), "{found:?}");
    assert_eq!(best(&found), "0000");
}

#[test]
fn mates_are_told_in_moves() {
    let found = answers(
        "setoption name UCI_Variant value chess\nposition fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\ngo depth 4\n",
    );
    assert!(
        found.iter().any(|line| line.contains("score mate 1 ")),
        "{found:?}"
    );
    assert_eq!(best(&found), "a1a8");
    let over = "setoption name UCI_Variant value chess\n\
                position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1\ngo nodes 500\n";
    assert_eq!(best(&answers(over)), "(none)");
}

#[test]
fn the_same_nodes_give_the_same_answer_and_a_seed_another() {
    let mut others = 0;
    for game in games::ALL {
        let ask = |seed: u32| {
            let found = answers(&format!(
                "setoption name UCI_Variant value {}\nsetoption name Seed value {seed}\n\
                 position startpos\ngo nodes 3000\n",
                game.id
            ));
            best(&found).to_owned()
        };
        assert_eq!(ask(0), ask(0), "{}", game.id);
        assert_eq!(ask(7), ask(7), "{}", game.id);
        others += (1..5).filter(|&seed| ask(seed) != ask(0)).count();
    }
    assert!(others > 4, "{others}");
}

/// A talk with an engine on a thread of its own.
struct Talk {
    input: PipeWriter,
    output: BufReader<PipeReader>,
    engine: JoinHandle<()>,
}

impl Talk {
    fn begin() -> Talk {
        let (reader, input) = pipe().expect("a pipe");
        let (output, writer) = pipe().expect("a pipe");
        let engine = thread::spawn(move || {
            uci::serve(BufReader::new(reader), writer).expect("the pipes hold");
        });
        Talk {
            input,
            output: BufReader::new(output),
            engine,
        }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the engine listens");
    }

    /// Reads to a line that begins so, and returns it.
    fn hear(&mut self, begins: &str) -> String {
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("a line");
            assert!(read > 0, "the engine ended before '{begins}'");
            if line.starts_with(begins) {
                return line;
            }
        }
    }
}

#[test]
fn orders_are_heard_while_it_thinks() {
    let mut talk = Talk::begin();
    talk.say("setoption name UCI_Variant value newchess");
    for _ in 0..3 {
        talk.say("position startpos");
        talk.say("go infinite");
        talk.hear("info depth 1 ");
        talk.say("isready");
        talk.hear("readyok");
        thread::sleep(Duration::from_millis(50));
        let told = Instant::now();
        talk.say("stop");
        let best = talk.hear("bestmove ");
        assert!(
            told.elapsed() < Duration::from_secs(2),
            "at once, but for a busy machine"
        );
        assert!(best.trim().len() > "bestmove ".len());
    }
    talk.say("go infinite");
    let told = Instant::now();
    talk.say("quit");
    talk.hear("bestmove ");
    talk.engine.join().expect("an end in order");
    assert!(told.elapsed() < Duration::from_secs(2));
}

#[test]
fn a_search_without_end_tells_its_move_only_when_it_is_stopped() {
    let mut talk = Talk::begin();
    talk.say("setoption name UCI_Variant value chess");
    // One legal move: there is nothing to think about.
    talk.say("position fen 7k/8/8/8/8/8/r6r/K7 w - - 0 1");
    talk.say("go infinite");
    talk.say("isready");
    talk.hear("readyok");
    thread::sleep(Duration::from_millis(100));
    talk.say("isready");
    talk.hear("readyok");
    talk.say("stop");
    talk.hear("bestmove ");
    drop(talk.input);
    talk.engine.join().expect("an end in order");
}

/// A `go` was refused while another one was thought about, and had no answer.
#[test]
fn each_of_several_searches_has_its_answer_in_order() {
    let openings = ["", "e2e4", "e2e4 c7c5", "d2d4 d7d5 c2c4", "g1f3"];
    let search = |opening: &str| {
        let moves = if opening.is_empty() { "" } else { " moves " };
        format!("position startpos{moves}{opening}\ngo nodes 300\n")
    };
    let chess = "setoption name UCI_Variant value chess\n";
    let moves = |found: Vec<String>| -> Vec<String> {
        let best = found
            .into_iter()
            .filter(|line| line.starts_with("bestmove"));
        best.collect()
    };
    let all: String = openings.into_iter().map(search).collect();
    let alone = openings.iter().flat_map(|opening| {
        let alone = moves(answers(&(chess.to_owned() + &search(opening))));
        assert_eq!(alone.len(), 1);
        alone
    });
    let alone: Vec<String> = alone.collect();
    assert_eq!(moves(answers(&(chess.to_owned() + &all))), alone);
    // What comes with `stop` in one write is searched behind it.
    let mut talk = Talk::begin();
    talk.say(&format!("{chess}position startpos\ngo infinite"));
    talk.hear("info depth 1 ");
    talk.say(&format!("stop\nisready\n{}", search(openings[2]).trim()));
    talk.hear("readyok");
    talk.hear("bestmove");
    assert_eq!(talk.hear("bestmove").trim(), alone[2]);
    // One `stop` ends all that came before it.
    talk.say("go infinite\ngo infinite");
    talk.hear("info depth 1 ");
    talk.say("stop");
    talk.hear("bestmove");
    talk.hear("bestmove");
}

/// More searches than may wait: one without an end would hold the others up for ever.
#[test]
fn a_long_file_of_searches_comes_to_its_end() {
    let commands = "position startpos\ngo infinite\n".to_owned() + &"go depth 1\n".repeat(1_500);
    let found = answers(&commands);
    let best = found.iter().filter(|line| line.starts_with("bestmove"));
    assert_eq!(best.count(), 1_501);
}

/// After an unknown game the engine thought about a position of another one.
#[test]
fn an_unknown_game_is_told_until_another_is_set() {
    let found = answers(
        "setoption name UCI_Variant value crazyhouse\ngo nodes 10\nposition startpos\n\
         go nodes 10\nisready\nsetoption name UCI_Variant value Chess\ngo nodes 10\n",
    );
    let told = "info string there is no game 'crazyhouse'";
    let lines: Vec<&str> = found.iter().map(String::as_str).collect();
    let is_best = |at: &usize| lines[*at].starts_with("bestmove");
    let answers_at: Vec<usize> = (0..lines.len()).filter(is_best).collect();
    assert_eq!(answers_at.len(), 3, "{found:?}");
    for at in &answers_at[..2] {
        assert_eq!(lines[at - 1..=*at], [told, "bestmove 0000"]);
    }
    let count = |wanted: &str| lines.iter().filter(|line| **line == wanted).count();
    assert_eq!((count(told), count("readyok")), (4, 1), "{found:?}");
    assert!(
        best(&found).len() == 4 && best(&found) != "0000",
        "{found:?}"
    );
    // A reason waits for the answers before it.
    let found = answers("go nodes 20000\nposition startpos moves e2e5\ngo nodes 10\n");
    let best_moves: Vec<&String> = found
        .iter()
        .filter(|line| line.starts_with("bestmove"))
        .collect();
    assert!(
        best_moves.len() == 2 && best_moves[0] != "bestmove 0000",
        "{found:?}"
    );
    let found = answers("position startpos moves e2e5\ngo nodes 10\n");
    assert!(found[0].contains("'e2e5' is no legal move"), "{found:?}");
    assert_eq!(best(&found), "0000");
}

#[test]
fn a_search_is_of_the_moves_that_are_named() {
    let chess = "setoption name UCI_Variant value chess\nposition startpos\n";
    for only in ["a2a3", "h2h3 a2a3"] {
        let found = answers(&format!("{chess}go nodes 500 searchmoves {only}\n"));
        assert!(only.contains(best(&found)), "{only}: {found:?}");
        let found = answers(&format!("{chess}go searchmoves {only} depth 2\n"));
        assert!(only.contains(best(&found)), "{only}: {found:?}");
    }
    for wrong in ["searchmoves e2e5 nodes 10", "searchmoves nodes 10"] {
        let found = answers(&format!("{chess}go {wrong}\n"));
        assert_eq!(best(&found), "0000", "{wrong}");
    }
    // One of the many placements that the engine does not try by itself.
    let placement = "K@b1,N@h1,P@b2";
    let found = answers(&format!(
        "setoption name UCI_Variant value kingchess\ngo nodes 200 searchmoves {placement}\n"
    ));
    assert_eq!(best(&found), placement);
}

#[test]
fn a_search_for_a_mate_ends_with_it_or_at_its_depth() {
    for (fen, moves, score) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1, "mate 1"),
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2, "mate 2"),
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 5, "mate 2"),
        ("7k/8/8/8/8/8/7P/6K1 w - - 0 1", 2, "cp "),
    ] {
        let found = answers(&format!(
            "setoption name UCI_Variant value chess\nposition fen {fen}\ngo mate {moves}\n"
        ));
        let last = found
            .iter()
            .rev()
            .find(|line| line.starts_with("info depth"));
        assert!(
            last.is_some_and(|line| line.contains(score)),
            "{fen}: {found:?}"
        );
        assert_eq!(best(&found).len(), 4, "{fen}");
    }
}

#[test]
fn time_ends_the_thinking() {
    for go in [
        "movetime 60",
        "wtime 2000 btime 10 winc 0",
        "wtime 1 btime 1",
        "wtime -5",
        "movetime 0",
    ] {
        let told = Instant::now();
        let found = answers(&format!(
            "setoption name UCI_Variant value unachess\nposition startpos\ngo {go}\n"
        ));
        assert!(best(&found).len() > 3, "{go}");
        assert!(told.elapsed() < Duration::from_secs(3), "{go}");
    }
}

#[test]
fn whatever_is_written_it_goes_on() {
    let words = [
        "uci",
        "isready",
        "setoption",
        "name",
        "value",
        "UCI_Variant",
        "Hash",
        "Level",
        "Seed",
        "Rules",
        "chess",
        "unashogi",
        "kingchess",
        "ucinewgame",
        "position",
        "startpos",
        "fen",
        "moves",
        "e2e4",
        "Q@b2",
        "K@b1,P@b2",
        "K@b1,,P@",
        "R@e2/e3",
        "@",
        ",",
        "go",
        "nodes",
        "50",
        "depth",
        "2",
        "-1",
        "99999999999999999999",
        "movetime",
        "wtime",
        "movestogo",
        "0",
        "stop",
        "ponderhit",
        "debug",
        "on",
        "joho",
        "\u{1b}[2J",
        "é@e4",
        "ééééé",
        "4k3/8/8/8/8/8/8/4K3[Q]",
        "w",
        "b",
        "-",
        "[]",
        "9/9/9/9/9/9/9/9/9",
    ];
    let mut rng = Rng::with_seed(8);
    for _ in 0..150 {
        let mut text = String::new();
        for _ in 0..rng.usize(1..12) {
            for _ in 0..rng.usize(0..8) {
                text += words[rng.usize(0..words.len())];
                text.push(' ');
            }
            text.push('\n');
        }
        // Nothing of it may think without end.
        text += "stop\nisready\n";
        let found = answers(&text);
        assert!(found.iter().any(|line| line == "readyok"), "{text}");
        assert!(
            found.iter().all(|line| !line.chars().any(char::is_control)),
            "{found:?}"
        );
    }
    let mut output = Vec::new();
    let bytes: Vec<u8> = (0..20_000).map(|_| rng.u8(..)).collect();
    uci::serve(&bytes[..], &mut output).expect("memory takes all");
    // Words that it does not know are passed over, and what stands behind them counts.
    assert_eq!(answers("joho debug isready\n"), ["readyok"]);
}
