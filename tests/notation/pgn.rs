//! Lists as the world writes them, by a generator that keeps its own record: PGN in the habits of
//! many programs, and lists of all games wrapped, quoted, in columns, with results in words. No
//! half-move is lost, and no game becomes another.

use std::env;
use std::fmt::Write as _;

use fastrand::Rng;
use parapost::notation::diagram::Diagram;
use parapost::notation::header::DEFAULT;
use parapost::notation::judge::{self, GameChoice, Judged};
use parapost::notation::reader::pasted;
use parapost::rules::{Color, Ply, Position, Record, Role, Variant};

use crate::playing;
use crate::support::parapost;

/// How many games are made. `PARAPOST_TEST_GAMES` asks for more.
const GAMES: usize = 2_000;

pub(super) fn asked() -> usize {
    env::var("PARAPOST_TEST_GAMES").map_or(GAMES, |text| text.parse().expect("a number"))
}

pub(super) fn seed() -> u64 {
    env::var("PARAPOST_TEST_SEED").map_or(51, |text| text.parse().expect("a number"))
}

fn chess() -> Variant {
    Variant::find("chess", &[]).unwrap()
}

/// Whatever people and programs write in comments.
const WORDS: [&str; 24] = [
    "good",
    "1-0",
    "(",
    ")",
    "12. Nf3",
    "\"quoted\"",
    "[%clk 1:30:57]",
    "e4",
    "resigns",
    "draw",
    "1/2-1/2",
    "; x",
    "$5",
    "...",
    "*",
    "R>e4",
    "--",
    "#5",
    "[Event \"x\"]",
    "% percent",
    "0-1",
    "> quoted",
    "On 1 May Ben wrote:",
    "Kürbis ♞",
];

fn comment(rng: &mut Rng) -> String {
    let words = (0..rng.usize(1..6)).map(|_| *rng.choice(&WORDS).unwrap());
    words.collect::<Vec<_>>().join(" ")
}

/// A random move: back to where the piece came from, or a capture by a pawn of the b file, more often
/// than chance has it, because both were read wrong.
fn chosen(record: &Record, rng: &mut Rng) -> Option<Ply> {
    let position = record.position();
    let plies: Vec<Ply> = position.legal_plies().collect();
    let steps = record.steps();
    if let Some(Ply::Move { from, to, .. }) = steps.iter().rev().nth(1).map(|step| step.ply)
        && rng.u8(0..4) == 0
    {
        let back = Ply::Move {
            from: to,
            to: from,
            promotion: None,
        };
        if plies.contains(&back) {
            return Some(back);
        }
    }
    let is_pawns = |ply: &&Ply| match ply {
        Ply::Move { from, to, .. } => {
            from.file().index() == 1
                && from.file() != to.file()
                && position
                    .get(*from)
                    .is_some_and(|piece| piece.role == Role::Pawn)
        }
        _ => false,
    };
    let captures: Vec<&Ply> = plies.iter().filter(is_pawns).collect();
    match rng.choice(captures) {
        Some(ply) if rng.u8(0..4) > 0 => Some(*ply),
        _ => rng.choice(plies),
    }
}

fn played(start: Position, most: usize, rng: &mut Rng) -> Record {
    let mut record = Record::new(start);
    while record.steps().len() < most && record.outcome().is_none() {
        let Some(ply) = chosen(&record, rng) else {
            break;
        };
        record.play(&ply).unwrap();
    }
    record
}

/// How a program writes the moves of chess.
#[derive(Clone, Copy)]
enum Form {
    San,
    /// `Ng1-f3`, `e2-e4`
    Long,
    /// `g1f3`
    Squares,
}

fn written(position: &Position, ply: &Ply, form: Form) -> String {
    let san = position.san(ply).unwrap();
    match (form, *ply) {
        (Form::Squares, _) => position.uci(ply).unwrap(),
        (
            Form::Long,
            Ply::Move {
                from,
                to,
                promotion,
            },
        ) => {
            let role = position.get(from).unwrap().role;
            let letter = if role == Role::Pawn {
                String::new()
            } else {
                role.letter().to_string()
            };
            let sign = if position.get(to).is_some() || san.contains('x') {
                'x'
            } else {
                '-'
            };
            let into = promotion.map_or(String::new(), |role| format!("={}", role.letter()));
            format!("{letter}{from}{sign}{to}{into}")
        }
        (Form::San | Form::Long, _) => san,
    }
}

/// How a program writes PGN.
struct Habits {
    form: Form,
    /// Variations and comments of a hundred moves.
    variations: u8,
    comments: u8,
    has_clocks: bool,
    /// True if a blank stands behind `(` and before `)`.
    is_wide: bool,
    columns: usize,
}

impl Habits {
    fn random(rng: &mut Rng) -> Habits {
        Habits {
            form: *rng
                .choice(&[Form::San, Form::San, Form::San, Form::Long, Form::Squares])
                .unwrap(),
            variations: *rng.choice(&[0, 0, 10, 20]).unwrap(),
            comments: *rng.choice(&[0, 0, 10, 20]).unwrap(),
            has_clocks: rng.u8(0..5) == 0,
            is_wide: rng.bool(),
            columns: rng.usize(20..81),
        }
    }

    /// Writes the moves of a record from half-move `from` on, as words.
    fn moves(
        &self,
        record: &Record,
        from: usize,
        depth: usize,
        rng: &mut Rng,
        words: &mut Vec<String>,
    ) {
        let mut needs_number = true;
        for (ply, step) in record.steps().iter().enumerate().skip(from) {
            let position = record.at(ply).unwrap();
            let number = position.number();
            match position.turn() {
                Color::White => words.push(format!("{number}.")),
                Color::Black if needs_number => words.push(format!("{number}...")),
                Color::Black => {}
            }
            needs_number = false;
            let mut text = written(position, &step.ply, self.form);
            if rng.u8(0..20) == 0 {
                text += rng.choice(&["!", "?", "!?"]).unwrap();
            }
            words.push(text);
            if rng.u8(0..100) < self.comments {
                words.push(format!("${}", rng.u8(1..40)));
            }
            if self.has_clocks && depth == 0 {
                words.push(format!("{{[%clk 0:{}:30]}}", rng.u8(10..60)));
                needs_number = rng.bool();
            }
            if rng.u8(0..100) < self.comments {
                words.push(format!("{{{}}}", comment(rng)));
                needs_number = true;
            }
            if depth < 3 && rng.u8(0..100) < self.variations {
                let most = ply + rng.usize(1..6);
                let mut other = record.until(ply);
                let more = played(position.clone(), most - ply, rng);
                for step in more.steps() {
                    if other.play(&step.ply).is_err() {
                        break;
                    }
                }
                let first = words.len();
                if rng.u8(0..3) == 0 {
                    words.push(format!("{{{}}}", comment(rng)));
                }
                self.moves(&other, ply, depth + 1, rng, words);
                if words.len() > first {
                    let gap = if self.is_wide { " " } else { "" };
                    words[first] = format!("({gap}{}", words[first]);
                    let last = words.last_mut().unwrap();
                    *last = format!("{last}{gap})");
                    needs_number = true;
                }
            }
        }
    }

    fn wrapped(&self, words: &[String]) -> String {
        let mut text = String::new();
        let mut column = 0;
        for word in words.iter().flat_map(|word| word.split(' ')) {
            let width = word.chars().count();
            // A line behind `%` is for programs, and one behind `[` may be a tag.
            let may_begin = !word.starts_with(['%', '[']);
            if column > 0 && column + 1 + width > self.columns && may_begin {
                text.push('\n');
                column = 0;
            } else if column > 0 {
                text.push(' ');
                column += 1;
            }
            text += word;
            column += width;
        }
        text
    }
}

const RESULTS: [(&str, &[Option<Color>]); 4] = [
    ("1-0", &[Some(Color::White)]),
    ("0-1", &[Some(Color::Black)]),
    ("1/2-1/2", &[None]),
    ("*", &[]),
];

/// A game, and what a program states as its result.
struct Made {
    record: Record,
    result: &'static [Option<Color>],
}

/// Writes a file of PGN with some games, of which some begin alike.
fn file(rng: &mut Rng) -> (String, Vec<Made>) {
    let mut text = String::new();
    let mut games: Vec<Made> = Vec::new();
    for _ in 0..rng.usize(1..6) {
        let habits = Habits::random(rng);
        let most = *rng.choice(&[1, 2, 3, 5, 8, 20, 40, 80]).unwrap();
        let record = match games.last() {
            Some(last) if rng.u8(0..3) == 0 => {
                let plies = last.record.steps().len();
                last.record.until(rng.usize(0..=plies))
            }
            _ => played(chess().start(), most, rng),
        };
        let (score, result) = *rng.choice(&RESULTS).unwrap();
        let tags: &[&str] = match rng.u8(0..3) {
            0 => &["White", "Black"],
            _ => &["Event", "Site", "Date", "Round", "White", "Black"],
        };
        for tag in tags {
            writeln!(
                text,
                "[{tag} \"{}\"]",
                rng.choice(&["?", "A \\\"B\\\" C", "x]y"]).unwrap()
            )
            .unwrap();
        }
        writeln!(text, "[Result \"{score}\"]\n").unwrap();
        let mut words = Vec::new();
        if rng.u8(0..5) == 0 {
            words.push(format!("{{{}}}", comment(rng)));
        }
        habits.moves(&record, 0, 0, rng, &mut words);
        words.push(score.to_owned());
        text += &habits.wrapped(&words);
        text += rng.choice(&["\n", "\n\n", "\n\n\n"]).unwrap();
        games.push(Made { record, result });
    }
    (text, games)
}

/// Changes what a mail program changes.
fn posted(text: &str, rng: &mut Rng) -> String {
    match rng.u8(0..5) {
        0 => text
            .lines()
            .fold(String::new(), |all, line| all + "> " + line + "\n"),
        1 => format!("Hello Ben,\nhere is the game.\n\n{text}\nBye\nAnna\n"),
        2 => text.replace('\n', "\r\n"),
        3 => format!("\u{feff}{text}"),
        _ => text.to_owned(),
    }
}

fn judged(text: &str) -> Vec<Judged> {
    judge::judge(&pasted(text), &GameChoice::Named(DEFAULT)).expect("no unknown game")
}

fn hold(text: &str, games: &[Made]) {
    let judged = judged(text);
    assert_eq!(judged.len(), games.len(), "{text}");
    for (at, (one, made)) in judged.iter().zip(games).enumerate() {
        let problems: Vec<_> = one
            .problems
            .iter()
            .filter(|problem| problem.is_error())
            .collect();
        assert!(problems.is_empty(), "game {}: {problems:?}\n{text}", at + 1);
        let steps =
            |record: &Record| -> Vec<Ply> { record.steps().iter().map(|step| step.ply).collect() };
        assert_eq!(
            steps(one.game.record()),
            steps(&made.record),
            "game {}\n{text}",
            at + 1
        );
        assert_eq!(one.stated, made.result, "game {}\n{text}", at + 1);
    }
}

#[test]
fn files_of_pgn_are_read_as_their_games() {
    let mut rng = Rng::with_seed(seed());
    let mut made = 0;
    while made < asked() {
        let (text, games) = file(&mut rng);
        hold(&posted(&text, &mut rng), &games);
        made += games.len();
    }
}

/// Results as people write them behind the last move.
const SPOKEN: [&str; 16] = [
    "",
    "\n",
    " 1-0",
    "\n1/2-1/2",
    " 1/2",
    " ½",
    " ½–½",
    " draw",
    " draw agreed",
    " White resigned",
    " Black resigns.",
    " resigns",
    " 1-0.",
    " 0:1",
    " 1–0",
    "\n\nBlack resigned",
];

/// Writes a list in the 1994 format, or as people write lists of these games.
fn list(record: &Record, rng: &mut Rng) -> String {
    let style = rng.u8(0..5);
    let mut words: Vec<String> = Vec::new();
    let mut lines = String::new();
    for (ply, step) in record.steps().iter().enumerate() {
        let (number, is_second) = (ply / 2 + 1, ply % 2 == 1);
        let text = match style {
            1 => step.text.replace('>', "@"),
            2 => step.to_string(),
            _ => step.text.clone(),
        };
        match (style, is_second) {
            // In columns.
            (0 | 2, false) => write!(lines, "{:<4}{text:<9} ", format!("{number}.")).unwrap(),
            (0 | 2, true) => writeln!(lines, "{text}").unwrap(),
            (_, false) => words.extend([format!("{number}."), text]),
            (_, true) => words.push(text),
        }
    }
    let result = rng.choice(&SPOKEN).unwrap();
    let body = if words.is_empty() {
        lines.trim_end().to_owned()
    } else {
        let columns = rng.usize(30..81);
        let options = textwrap::Options::new(columns)
            .break_words(false)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .word_separator(textwrap::WordSeparator::AsciiSpace);
        textwrap::fill(&words.join(" "), options)
    };
    body + result + "\n"
}

/// Each game in each style: its half-moves are counted, all of them, and one fewer if the last
/// one is taken away.
#[test]
fn no_half_move_of_a_list_is_lost() {
    let mut rng = Rng::with_seed(seed());
    let mut made = 0;
    while made < asked() {
        for variant in crate::variants::variants() {
            let plies = rng.usize(2..30);
            let record = playing::game(&variant, plies, &mut rng);
            for record in [record.until(record.steps().len().saturating_sub(1)), record] {
                let plies = record.steps().len();
                if plies == 0 {
                    continue;
                }
                let text = posted(&list(&record, &mut rng), &mut rng);
                let lines = pasted(&text);
                let given = GameChoice::Given(variant.clone());
                let judged = judge::judge(&lines, &given).unwrap();
                let [one] = judged.as_slice() else {
                    panic!("{} matches in\n{text}", judged.len());
                };
                assert!(
                    one.is_legal(),
                    "{}: {:?}\n{text}",
                    variant.game().id,
                    one.problems
                );
                let read = one.game.record().steps().len();
                assert_eq!(read, plies, "{}\n{text}", variant.game().id);
                made += 1;
            }
        }
    }
}

/// Judges a text that holds one legal match, and returns that.
fn one(text: &str) -> Judged {
    let mut judged = judged(text);
    assert_eq!(judged.len(), 1, "{text}");
    let one = judged.remove(0);
    assert!(one.is_legal(), "{text}\n{:?}", one.problems);
    one
}

fn errors(text: &str) -> Vec<String> {
    let judged = judged(text);
    let problems = judged.iter().flat_map(|one| &one.problems);
    let errors = problems.filter(|problem| problem.is_error());
    errors.map(|problem| problem.message.clone()).collect()
}

/// Black's last move stood elsewhere in the game, too, and was taken for a repetition of that.
#[test]
fn a_last_move_alone_on_its_line_is_counted() {
    for end in [
        "Nf6",
        "Nf6 1/2-1/2",
        "Nf6 1/2",
        "Nf6 ½",
        "Nf6 draw",
        "Nf6 White resigned",
        "Nf6 1-0.",
        "Nf6 {time} 1-0",
        "Nf6 resigns",
    ] {
        for (above, below) in [
            ("", ""),
            ("Dear Ben,\n\n", "\n\nBye\n"),
            ("> quoted\n\n", "\n"),
        ] {
            let text = format!("{above}1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3\n{end}\n{below}");
            assert_eq!(one(&text).game.record().steps().len(), 6, "{text}");
        }
    }
}

/// The same beside a diagram, where the text is people's.
#[test]
fn a_last_move_alone_on_its_line_is_counted_beside_a_diagram() {
    let start = Variant::find("chess", &[]).unwrap().start();
    let diagram = parapost::notation::diagram::Diagram::of(&start);
    for end in ["Nf6", "Nf6 1/2", "Nf6 draw agreed", "Nf6 White resigned"] {
        let text = format!("Game: Chess\n\n{diagram}\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3\n{end}\n");
        assert_eq!(one(&text).game.record().steps().len(), 6, "{text}");
    }
}

/// On c4 both the pawn of b5 and the bishop of e6 can take.
#[test]
fn a_small_b_is_what_the_notation_of_the_list_says() {
    let last = |text: &str| one(text).game.record().steps().last().unwrap().text.clone();
    assert_eq!(last("1. a3 d6 2. h3 b5 3. h4 Be6 4. c4 bxc4"), "pxc4");
    let own = |end| format!("Game: Chess\n\n1. P-a3 p-d6 2. P-h3 p-b5 3. P-h4 b-e6 4. P-c4 {end}");
    assert_eq!(last(&own("pxc4")), "pxc4");
    assert_eq!(last(&own("bxc4")), "bxc4");
    let tags = "[White \"A\"]\n\n1. a3 d6 2. h3 b5 3. h4 Be6 4. c4 bxc4 *";
    assert_eq!(last(tags), "pxc4");
    // Both notations: the pawn takes, or the bishop.
    let both = "Game: Chess\n\n1. a3 p-d6 2. h3 b5 3. h4 b-e6 4. c4 bxc4";
    let errors = errors(both);
    assert!(
        errors[0].contains("Bxc4") && errors[0].contains("pbxc4"),
        "{errors:?}"
    );
}

#[test]
fn variations_stand_wherever_they_may() {
    for text in [
        "1. e4 e5 2. Nf3 ( 2. Nc3 ) 2... Nc6 *",
        "1. e4 e5 2. Nf3 ({but} 2. Nc3 Nf6) 2... Nc6 *",
        "1. e4 e5 2. Nf3 (\n2. Nc3 Nf6\n) 2... Nc6 *",
        "1. e4 e5 2. Nf3 (2. Nc3 Nf6 (2... Bc5\n3. Nf3 {a ( in it})\n3. f4) 2... Nc6 *",
        "1. e4 e5 2. Nf3 (2. Nc3 {or ) 1-0 \"so\" [so] 7. Nf3}) Nc6 *",
        "{above}\n1. e4 e5 2. Nf3 $1 (2. f4!? exf4 1-0) 2... Nc6 ; (end\n*",
    ] {
        for tags in ["", "[White \"A\"]\n\n"] {
            let text = format!("{tags}{text}\n");
            assert_eq!(one(&text).game.record().steps().len(), 4, "{text}");
        }
    }
    for (text, why) in [
        ("1. e4 e5 2. Nf3 (2. Nc3 Nc6 *\n", "is not closed"),
        ("1. e4 e5 2. Nf3 {2. Nc3 Nc6 *\n", "is not closed"),
        ("1. e4 e5) 2. Nf3 Nc6 *\n", "closes no variation"),
    ] {
        let errors = errors(&format!(
            "[White \"A\"]\n\n{text}\n[White \"B\"]\n\n1. d4 *\n"
        ));
        assert!(
            errors.len() == 1 && errors[0].contains(why),
            "{text}: {errors:?}"
        );
    }
}

#[test]
fn games_that_begin_alike_are_games_of_their_own() {
    let text = "[White \"A\"]\n\n1. e4 e5 1-0\n\n[White \"B\"]\n\n1. e4 e5 2. Nf3 0-1\n\n1. e4 *\n";
    let plies = judged(text);
    let plies: Vec<usize> = plies
        .iter()
        .map(|one| one.game.record().steps().len())
        .collect();
    assert_eq!(plies, [2, 3, 1]);
}

#[test]
fn chess_in_pgn_is_read_on_behind_a_draw_by_count() {
    let back = "Nf3 Nf6 Ng1 Ng8";
    let moves: Vec<&str> = [back; 5].join(" ").leak().split(' ').collect();
    let rows = moves.chunks(2).enumerate();
    let rows = rows.map(|(at, row)| format!("{}. {}", at + 1, row.join(" ")));
    let moves = rows.collect::<Vec<_>>().join(" ");
    let read = one(&format!("[White \"A\"]\n\n{moves} 1/2-1/2\n"));
    assert_eq!(read.game.record().steps().len(), 20);
    assert_eq!(read.game.record().status(), "draw-fivefold");
    let warnings: Vec<_> = read
        .problems
        .iter()
        .map(|problem| &problem.message)
        .collect();
    assert!(
        warnings.len() == 1 && warnings[0].contains("fifth occurrence"),
        "{warnings:?}"
    );
    let errors = errors(&format!("Game: Chess\n\n{moves}\n"));
    assert_eq!(errors.len(), 1, "{errors:?}");
}

#[test]
fn a_list_without_the_name_of_a_game_tells_it() {
    let game = |text: &str| one(text).variant.game().id;
    assert_eq!(game("1. e4 e5 2. Nf3"), "chess");
    assert_eq!(game("[White \"A\"]\n[Black \"B\"]\n\n1. Nf3 *\n"), "chess");
    assert_eq!(game("1. P-7f P-3d 2. B8h-2b=+"), "shogi");
    assert_eq!(game("1. P>e3 n>g5"), "unachess");
    assert_eq!(game("1. d2d4 d7d5 2. b1d2"), "chess");
    assert!(judged("1. e4 e5")[0].assumed.is_some());
    assert!(judged("Game: Chess\n\n1. e4 e5")[0].assumed.is_none());
}

#[test]
fn the_tag_fen_says_where_a_list_begins() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 7";
    let text = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n7... Kd7 8. e4 Ke6 *\n");
    let read = one(&text);
    assert_eq!(read.game.record().steps().len(), 3);
    assert_eq!(read.game.record().start().fen(), fen);
    let unachess =
        "[Variant \"Unachess\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3[PPp] w - - 0 9\"]\n\n9. P>e3 p>e6 *\n";
    assert_eq!(one(unachess).game.record().steps().len(), 2);
    // So does a FEN above a list with the number and the side of its first move, and no other.
    let above = format!("Black is better:\n{fen}\n\n7... Kd7 8. e4 Ke6\n");
    assert_eq!(one(&above).game.record().steps().len(), 3);
    // A diagram beside that list is one of its positions.
    let drawn = Diagram::of(one(&above).game.record().position()).to_string();
    assert_eq!(
        one(&format!("{above}\n{drawn}"))
            .game
            .record()
            .steps()
            .len(),
        3
    );
    let wrong = drawn.replace(" K ", " Q ");
    assert_eq!(errors(&format!("{above}\n{wrong}")).len(), 1);
    let wrong = errors("[FEN \"nothing\"]\n\n1. e4 *\n");
    assert!(wrong[0].starts_with("the tag FEN"), "{wrong:?}");
}

/// A FEN beside a list from the start is one of its positions.
#[test]
fn a_fen_beside_a_list_is_checked_against_it() {
    let list = "1. e4 e5 2. Nf3";
    let right = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    let wrong = "rnbqkbnr/pppp1ppp/8/4p3/3P4/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    for tags in ["", "[White \"A\"]\n[Black \"B\"]\n\n"] {
        for (above, below) in [
            ("The board: {fen}\n\n", ""),
            ("", "\n\nThe board:\n{fen}\n"),
        ] {
            let text = |fen| format!("{above}{tags}{list}{below}").replace("{fen}", fen);
            let read = one(&text(right));
            assert_eq!(read.game.record().steps().len(), 3, "{}", text(right));
            let errors = errors(&text(wrong));
            assert!(errors[0].contains("shows White's pawn on d4"), "{errors:?}");
        }
    }
}

#[test]
fn what_is_no_move_is_named_or_passed_over() {
    for null in ["--", "Z0", "null", "pass"] {
        let errors = errors(&format!("[White \"A\"]\n\n1. e4 {null} 2. d4 *\n"));
        assert!(
            errors.len() == 1 && errors[0].contains("null move"),
            "{errors:?}"
        );
    }
    let text = "% for programs: 1. d4\n[White \"A\"]\n\n1. e4\n%eval 1. d4 d5\n1... e5 *\n";
    assert_eq!(one(text).game.record().steps().len(), 2);
    for slip in ["Nz3", "O-O-O-O", "Ñf3"] {
        for before in ["\n", " "] {
            let tags = "[White \"A\"]\n\n";
            let text = format!("{tags}1. e4 e5 2.{before}{slip}\n");
            assert!(!errors(&text).is_empty(), "{text}");
        }
    }
    let drop = "Game: Unachess\n\n1. K>e1 k>e8 2. @e3\n@f6\n";
    assert_eq!(one(drop).game.record().steps().len(), 4);
}

/// Words behind the last moves were taken for talk, moves and all.
#[test]
fn words_behind_the_last_moves_take_none_away() {
    for (end, plies) in [
        ("Qh4, mate!", 4),
        ("Qh4 and I resigned", 4),
        ("Qh4# 0-1 Thanks!", 4),
        ("Qh4# (0-1)", 4),
        ("Qh4#\n\nNice, was it not?", 4),
    ] {
        let text = format!("1. f3 e5 2. g4\n{end}\n");
        assert_eq!(one(&text).game.record().steps().len(), plies, "{text}");
    }
    let wrapped = "1. e4 e5 2. Nf3 Nc6 3. Bb5\na6 4. Ba4 Nf6 White\nresigned\n";
    assert_eq!(one(wrapped).game.record().steps().len(), 8);
    assert_eq!(one(wrapped).stated, [Some(Color::Black)]);
}

/// A word beside the games made people's text of a file, in which games that are alike are one.
#[test]
fn games_of_a_file_stay_apart_beside_words() {
    let games =
        "[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. e4 *\n\n[White \"C\"]\n\n1. e4 e5 1-0\n";
    for text in [
        format!("{games}\n-- \nTom\n"),
        format!("{games}\nNf3 was better.\n"),
        format!("I play 1.e4 always.\n\n{games}"),
        format!("{games}\n1. A - B 1-0\n2. C - D 0-1\n"),
        games.replace("1-0\n", "1-0 https://example.org/abcd\n"),
    ] {
        let judged = judged(&text);
        assert_eq!(judged.len(), 3, "{text}");
        assert!(judged.iter().all(Judged::is_legal), "{text}");
    }
    let errors = errors("[White \"A\"]\n\n1. e4 e5 1-0 2. Nf3 Nc6\n");
    assert_eq!(errors, ["a move stands behind the result"]);
}

/// Went wrong: a move that had been made before was taken for a quotation of that.
#[test]
fn lists_without_numbers_are_read_whole() {
    let mut rng = Rng::with_seed(seed());
    for _ in 0..asked() / 4 {
        let record = played(chess().start(), rng.usize(1..40), &mut rng);
        let form = *rng.choice(&[Form::San, Form::Squares]).unwrap();
        let words = record.steps().iter().enumerate();
        let words = words.map(|(ply, step)| written(record.at(ply).unwrap(), &step.ply, form));
        let words: Vec<String> = words.collect();
        let text = match rng.u8(0..3) {
            0 => words.join(", "),
            1 => words.join("\n"),
            _ => textwrap::fill(&words.join(" "), rng.usize(20..81)),
        };
        let judged = judge::judge(&pasted(&text), &GameChoice::Given(chess())).unwrap();
        assert_eq!(judged.len(), 1, "{text}");
        assert!(judged[0].is_legal(), "{:?}\n{text}", judged[0].problems);
        let steps =
            |record: &Record| -> Vec<Ply> { record.steps().iter().map(|step| step.ply).collect() };
        assert_eq!(steps(judged[0].game.record()), steps(&record), "{text}");
    }
}

/// Went wrong: the tag of a game named the next game.
#[test]
fn a_tag_names_the_game_of_its_own_list() {
    let chess = "[Event \"x\"]\n[Site \"?\"]\n[Date \"?\"]\n[Round \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. e4 e5 *\n\n";
    let tagged = |event: &str, game: &str, list: &str| {
        format!("[Event \"{event}\"]\n[Variant \"{game}\"]\n[Result \"*\"]\n\n{list} *\n\n")
    };
    let untagged = "[Event \"y\"]\n[Result \"*\"]\n\n1. d4 d5 2. c4 *\n\n";
    let text = [
        tagged("v", "Unachess", "1. P>e3 n>g5"),
        tagged("w", "Parachute chess", "1. P>e3 n>g5 2. B>f4"),
        chess.to_owned(),
        untagged.to_owned(),
        tagged("z", "Unachess", "1. K>h1 n>f2"),
        untagged.to_owned(),
    ];
    let judged = judged(&text.concat());
    let games: Vec<&str> = judged.iter().map(|one| one.variant.game().id).collect();
    let names = [
        "unachess",
        "parachute",
        "chess",
        "chess",
        "unachess",
        "chess",
    ];
    assert_eq!(games, names);
    let legal: Vec<bool> = judged.iter().map(Judged::is_legal).collect();
    assert_eq!(legal, [true, false, true, true, true, true]);
}

/// Went wrong: the files of the rooks, by which some programs name the rights to castle, gave none.
#[test]
fn rights_to_castle_may_be_files() {
    let text = "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1\"]\n\n1. O-O O-O-O *\n";
    let judged = judge::judge(&pasted(text), &GameChoice::Given(chess())).unwrap();
    assert!(judged[0].is_legal(), "{:?}", judged[0].problems);
}

/// Went wrong: one unknown name refused a whole file.
#[test]
fn a_game_of_an_unknown_name_is_refused_alone() {
    let game = |variant: &str, moves: &str| {
        format!("[Event \"x\"]\n[Variant \"{variant}\"]\n\n{moves} *\n\n")
    };
    let games = [
        game("Chess", "1. e4 e5"),
        game("Atomic", "1. e4 d5"),
        "[Event \"y\"]\n\n1. d4 d5 *\n\n".to_owned(),
        game("Chess", "1. e4 e5 2. Ke3"),
        game("Unachess", "1. P>e3 n>g5"),
    ];
    parapost(["check"])
        .stdin(games.concat())
        .status(1)
        .stderr_contains("-:7:11: error: unknown game 'Atomic'")
        .stderr_contains("-: 3 of 5 games are legal; refused: 2, 4")
        .run();
    // Of one game, and of a line above all, the whole text is refused.
    for text in [
        games[1].clone(),
        format!("Game: Crazyhouse\n\n{}", games[2].repeat(2)),
    ] {
        let choice = GameChoice::Named(DEFAULT);
        let judged = judge::judge(&pasted(&text), &choice);
        let is_refused = match &judged {
            Ok(judged) => judged.iter().all(|one| !one.is_legal()),
            Err(_) => true,
        };
        assert!(is_refused, "{text}\n{judged:?}");
    }
}

/// Went wrong: a line like a tag cut the comment around it, and the game with it.
#[test]
fn a_comment_goes_on_to_its_brace() {
    let cut = "[Event \"x\"]\n\n1. e4 {a comment\n\n[Event \"y\"]\nthat goes on} e5 2. Nf3 *\n\n";
    let judged = judged(&cut.repeat(2));
    let plies = judged.iter().map(|one| one.game.record().steps().len());
    assert_eq!(plies.collect::<Vec<_>>(), [3, 3]);
    // Where the next game has a comment of its own, the brace is missing.
    let open = "[Event \"x\"]\n\n1. e4 {a comment e5 *\n\n[Event \"y\"]\n\n1. d4 {here} d5 *\n";
    assert_eq!(errors_of(open), [1, 0]);
    let long = cut.repeat(2_000);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.pgn");
    for (text, found) in [
        (long.clone(), "2000 games, all legal"),
        (
            open.to_owned() + "\n" + &long,
            "2001 of 2002 games are legal; refused: 1",
        ),
    ] {
        std::fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        let status = i32::from(found.contains("refused"));
        parapost(["check", path])
            .status(status)
            .any_stdout()
            .stderr_contains(found)
            .run();
    }
}

/// The number of errors of each game.
fn errors_of(text: &str) -> Vec<usize> {
    let errors = |one: &Judged| one.problems.iter().filter(|one| one.is_error()).count();
    judged(text).iter().map(errors).collect()
}

/// Went wrong: a list that counts from 0 lost its first move, or was refused for its second.
#[test]
fn a_list_is_counted_from_one() {
    for text in [
        "0. e4 e5 1. Nf3\n",
        "[Event \"x\"]\n\n0. e4 e5 1. Nf3 *\n",
        "0. P>e3 n>g5\n1. B>f4 n-e6\n",
    ] {
        assert_eq!(
            errors(text),
            ["the moves of a list are counted from 1"],
            "{text}"
        );
    }
    assert_eq!(
        errors("[Event \"x\"]\n\n1. e4 {0.3} e5 +0.3 0.25 2. Nf3 *\n"),
        [""; 0]
    );
}

/// Went wrong: of several FENs with their lists none but the first was where its list begins.
#[test]
fn each_list_of_a_quiz_begins_in_the_fen_above_it() {
    let first = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    let second = "r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1";
    for text in [
        format!("{first}\n1. Ra8#\n\n{second}\n1... Ra1#\n"),
        format!("{first}\n1. Ra8#\n\n{second}\n1. ... Ra1#\n\n{first}\n1. Ra8#\n"),
        format!("1)\n{first}\n1. Ra8#\n\n2)\n{second}\n1... Ra1#\n"),
        format!("1.\n{first}\n1. Ra8#\n\n2.\n{second}\n1... Ra1#\n"),
        format!(
            "White mates:\n{first}\n\n1. Ra8# 1-0\n\nBlack mates:\n{second}\n\n1... Ra1# 0-1\n"
        ),
        format!("> {first}\n> 1. Ra8#\n>\n> {second}\n> 1... Ra1#\n"),
    ] {
        let judged = judged(&text);
        assert_eq!(judged.len(), text.matches("/5ppp/").count() + 1, "{text}");
        for one in &judged {
            assert!(one.is_legal(), "{text}\n{:?}", one.problems);
            assert_eq!(one.game.record().status(), "checkmate", "{text}");
        }
        let shown = parapost(["show", "--as", "fen", "-"])
            .stdin(text.clone())
            .any_stdout()
            .stderr_contains("the lists beside the positions are not shown")
            .run();
        let positions: Vec<&str> = shown
            .stdout
            .lines()
            .filter(|line| !line.is_empty())
            .collect();
        assert_eq!(positions[..2], [first, second], "{text}");
    }
    // A FEN within one list is a position of it.
    let middle =
        "1. e4 e5\nrnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n2. Nf3 Nc6\n";
    let one = one(middle);
    assert_eq!(one.game.record().steps().len(), 4, "{:?}", one.problems);
    // A wrong solution is refused by its number; another number of the first move by its reason.
    let wrong = format!("{first}\n1. Ra8#\n\n{second}\n1... Rb1#\n");
    assert_eq!(errors_of(&wrong), [0, 1]);
    let other = format!(
        "{}\n1. Ra8#\n\n{second}\n1... Ra1#\n",
        first.replace("0 1", "0 27")
    );
    let told = judged(&other)
        .iter()
        .flat_map(|one| one.problems.clone())
        .collect::<Vec<_>>();
    let is_told = |text: &str| text.contains("the number of its first move");
    assert!(
        told.iter()
            .any(|one| one.help.as_deref().is_some_and(is_told)),
        "{told:?}"
    );
}

/// Went wrong: a tag that a mail program had broken was none.
#[test]
fn a_broken_tag_is_read_whole() {
    let text = "[Event \"x\"]\n[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq\n- 0 1\"]\n[White \"Anna\nof Berlin\"]\n\n1. O-O O-O-O *\n";
    let one = one(text);
    assert!(one.is_legal(), "{:?}", one.problems);
    assert_eq!(one.game.record().steps().len(), 2);
    assert_eq!(one.heading.players[0].as_deref(), Some("Anna of Berlin"));
}

/// The solutions of a quiz in words are no lists from the start of a game.
#[test]
fn the_positions_of_a_quiz_are_shown_whatever_its_solutions_are() {
    let first = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    let second = "r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1";
    for text in [
        format!(
            "1. White mates:\n{first}\nSolution: 1. Ra8#\n\n2. Black mates:\n{second}\nSolution: 1... Ra1#\n"
        ),
        format!("{first}\nRa8#\n\n{second}\nRa1#\n"),
    ] {
        parapost(["show", "--as", "fen", "-"])
            .stdin(text.clone())
            .stdout(format!("{first}\n\n{second}\n"))
            .stderr_contains("the lists beside the positions are not shown")
            .run();
        parapost(["check"])
            .stdin(text)
            .status(1)
            .stderr_contains("it begins in a FEN above it only if")
            .run();
    }
    parapost(["check"])
        .stdin(format!("{first} Ra8#\n"))
        .any_stdout()
        .stderr_contains("this move beside a position is not read")
        .run();
}
