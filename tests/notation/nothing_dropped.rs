//! No token of a list that looks like a move is dropped in silence: `check` counts it
//! as a half-move, or reports a problem.

use fastrand::Rng;
use parapost::notation::judge::{self, GameChoice, Judged};
use parapost::notation::reader::pasted;
use parapost::rules::{Record, Variant};

use crate::playing;

/// What people and programs glue to a move, or set beside it.
const MARKS: [&str; 64] = [
    "!",
    "?",
    "!!",
    "?!",
    "+",
    "#",
    "!+",
    "=",
    "(=)",
    "+-",
    "-+",
    "+/-",
    "-/+",
    "+/=",
    "=/+",
    "+=",
    "□",
    "■",
    "±",
    "∓",
    "⩲",
    "⩱",
    "∞",
    "=∞",
    "‼",
    "⁇",
    "⁉",
    "⁈",
    "¹",
    "²",
    "⁴²",
    "₃",
    "①",
    "†",
    "‡",
    "→",
    "↑",
    "⇆",
    "⟳",
    "⊕",
    "○",
    "⌓",
    "👍",
    "👍🏽",
    "❤️",
    "😀",
    "🏳️‍🌈",
    "…",
    "...",
    ".",
    ",",
    "\"",
    "'",
    "*",
    "_",
    "`",
    "|",
    "^",
    "$14",
    "\u{2069}",
    "\u{200d}",
    "N",
    "é",
    "馬",
];

/// The marks that stand before a move, none of which makes a number, a comment or a tag
/// of it.
const BEFORE: [&str; 18] = [
    "□", "±", "∞", "¹", "→", "👍", "❤️", "\u{2068}", "\u{200d}", "\"", "'", "*", "_", "`", "~",
    "‼", "…", "•",
];

fn pick<'a>(rng: &mut Rng, marks: &[&'a str]) -> &'a str {
    rng.choice(marks).expect("marks")
}

/// How many of the marks are words. A line without a number that has one is talk.
const WORDS: usize = 3;

/// A move with marks around it.
fn marked(text: &str, marks: &[&str], rng: &mut Rng) -> String {
    let mut token = text.to_owned();
    for _ in 0..rng.usize(0..3) {
        let mark = pick(rng, marks);
        let gap = if rng.u8(0..4) == 0 { " " } else { "" };
        token = format!("{token}{gap}{mark}");
    }
    if rng.u8(0..4) == 0 {
        token = format!("{}{token}", pick(rng, &BEFORE));
    }
    token
}

/// The list of a match in one of the ways to write it, its moves with marks.
fn list(record: &Record, layout: u8, rng: &mut Rng) -> String {
    let mut text = String::new();
    for (ply, step) in record.steps().iter().enumerate() {
        let token = if rng.u8(0..3) == 0 {
            let words = if layout == 4 { WORDS } else { 0 };
            marked(&step.text, &MARKS[..MARKS.len() - words], rng)
        } else {
            step.to_string()
        };
        let (number, is_second) = (ply / 2 + 1, ply % 2 == 1);
        let start = match (layout, is_second) {
            (0 | 1 | 3, false) => format!("{number}. "),
            (2, false) => format!("{number}."),
            (3, true) => format!("{number}... "),
            _ => String::new(),
        };
        let end = match (layout, is_second) {
            (0 | 2, false) | (1, _) => " ",
            _ => "\n",
        };
        text = text + &start + &token + end;
    }
    text
}

fn judged(text: &str, variant: &Variant) -> Vec<Judged> {
    judge::judge(&pasted(text), &GameChoice::Given(variant.clone())).expect("no header")
}

/// `check` called `2. N>c3 k>e8□` legal and counted three half-moves.
#[test]
#[ignore = "takes long"]
fn check_never_drops_a_token_that_looks_like_a_move() {
    let mut rng = Rng::with_seed(11);
    let (mut lists, mut counted) = (0, 0);
    for round in 0..15 {
        for variant in crate::variants::variants() {
            let plies = rng.usize(1..24);
            let record = playing::game(&variant, plies, &mut rng);
            let text = list(&record, round % 5, &mut rng);
            let judged = judged(&text, &variant);
            let told = judged.iter().any(|one| !one.problems.is_empty());
            let read: Vec<usize> = judged
                .iter()
                .map(|one| one.game.record().steps().len())
                .collect();
            let plies = record.steps().len();
            assert!(
                judged.is_empty() || told || read.iter().sum::<usize>() == plies,
                "{}, {read:?} of {plies} half-moves:\n{text}",
                variant.game().id,
            );
            lists += 1;
            counted += usize::from(judged.iter().all(Judged::is_legal) && read == [plies]);
        }
    }
    // Most of these marks are comments, and the list is read as it stands.
    println!("{counted} of {lists}");
    assert!(counted * 2 > lists, "only {counted} of {lists}");
}

/// Marks glued to a move were read as part of a word, and the move was lost.
#[test]
fn signs_glued_to_a_move_are_dropped() {
    let variant = Variant::find("unachess", &[]).unwrap();
    for mark in [
        "□", "±", "⩲", "∞", "‼", "⁉", "¹", "👍", "=∞", "+/-", "-+", "→",
    ] {
        for text in [
            format!("1. P>e3 n>g5\n2. N>c3 k>e8{mark}\n"),
            format!("1. P>e3 n>g5\n2. N>c3{mark} k>e8\n"),
            format!("P>e3 n>g5{mark}\nN>c3 k>e8{mark}\n"),
            format!("1. P>e3{mark}\nn>g5\n2. N>c3 k>e8{mark}{mark}\n"),
        ] {
            let judged = judged(&text, &variant);
            let [one] = judged.as_slice() else {
                panic!("{text}")
            };
            assert_eq!(one.game.record().steps().len(), 4, "{text}");
            assert!(one.problems.is_empty(), "{text}\n{:?}", one.problems);
        }
    }
}

/// What only a move can have been meant by is an error where a move is due, and told of
/// elsewhere.
#[test]
fn a_slip_is_never_silent() {
    let variant = Variant::find("unachess", &[]).unwrap();
    for text in [
        "1. P>e3 n>g5\n2. B>f4 n-e6ish\n",
        "1. P>e3 n>g5\n2. B>f4 n-e6馬\n",
        "1. P>e3 n>g5\n2. B>f4 Ne6é\n",
        "1. P>e3 n>g5\n2. B>f4 n>j3\n",
        "1. P>e3 n>g5 Nj3\n",
        "P>e3 n>g5\nB>f4 n-e6ish\n",
        "1. P>e3 n>g5 2. B>f4 or not n>h6 or n>h5\n",
        "1. P>e3 and n>j6\n",
    ] {
        assert!(!judged(text, &variant)[0].problems.is_empty(), "{text}");
    }
}

/// A program that isolates a text in another script hid the move from the reader.
#[test]
fn a_move_between_isolates_is_read() {
    let variant = Variant::find("unachess", &[]).unwrap();
    let judged = judged("\u{2068}1. P>e3\u{2069} \u{2068}n>g5\u{2069}\n", &variant);
    assert_eq!(judged[0].game.record().steps().len(), 2);
    assert!(judged[0].problems.is_empty());
}
