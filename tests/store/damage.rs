//! State files damaged in every way an editor, a disk or a merge can damage them: each is harmless or refused, and the
//! refusal names the place.
//!
//! Harmless means that what is read is the same match: the same id, rules, options, players, event and time for a move,
//! the same half-moves, result and offers, and, where the log is chained, the same log and so the same mail owed. In a
//! file without a chain notes and mail stand in the log alone, and nothing can tell that one of them has gone.
//!
//! Well placed is a fault that
//! - stands in the lines that were changed or the one behind them (in the last line, where the end of the file has gone),
//! - or names such a line in its text, where the two places that contradict each other are far apart,
//! - or says which header is missing, at the last header,
//! - or, in a log without a chain or chained anew by somebody who knows how, stands where the file first contradicts what
//!   the change comes to.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use parapost::matches::r#match::Match;
use parapost::store::state_file::ParseMatchError;

use crate::store::damage_samples::{files, unchained};
use crate::support::chained;

/// A file and what it tells.
pub(crate) struct Whole {
    pub(crate) text: String,
    pub(crate) game: Match,
    /// Whether a chain keeps what stands in the log alone.
    pub(crate) is_chained: bool,
}

impl Whole {
    pub(crate) fn new(text: String) -> Whole {
        let game: Match = text
            .parse()
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        Whole {
            is_chained: text.contains("\nChain: "),
            game,
            text,
        }
    }

    /// Whether what was read is the same match (see the head of this file).
    fn is(&self, read: &Match) -> bool {
        let facts = |game: &Match| {
            let settings = game.settings();
            (
                (
                    settings.id.clone(),
                    settings.variant.game().id,
                    settings.variant.options().to_vec(),
                ),
                (
                    settings.players.clone(),
                    settings.event.clone(),
                    settings.time,
                ),
                game.record().steps().to_vec(),
                (game.position().fen(), game.hash(), game.ending()),
            )
        };
        let log = |game: &Match| (game.log().to_vec(), game.owed().to_vec());
        let stands = |game: &Match| (game.offer(), game.takeback());
        facts(read) == facts(&self.game)
            && (!self.is_chained
                || log(read) == log(&self.game) && stands(read) == stands(&self.game))
    }

    /// The number of the line `Log`.
    fn log(&self) -> usize {
        1 + self.text.lines().position(|line| line == "Log").unwrap()
    }
}

/// One damage: the kind, the file it makes, and the lines of that file which it has changed, from 1.
pub(crate) struct Damage {
    pub(crate) kind: &'static str,
    pub(crate) bytes: Vec<u8>,
    pub(crate) lines: RangeInclusive<usize>,
}

/// Whether a fault is well placed (see the head of this file).
fn is_placed(whole: &Whole, damage: &Damage, error: &ParseMatchError) -> bool {
    let text = String::from_utf8_lossy(&damage.bytes);
    let count = text.lines().count().max(1);
    let (first, last) = (*damage.lines.start(), *damage.lines.end());
    let near = |line: usize| (first..=last + 1).contains(&line) || line == count.min(first);
    let said = error.to_string();
    let words: Vec<&str> = said
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let mut named = words
        .windows(2)
        .filter(|pair| pair[0] == "line")
        .filter_map(|pair| pair[1].parse().ok());
    let head = 1 + text
        .lines()
        .take_while(|line| !line.trim().is_empty())
        .count();
    near(error.line)
        || named.any(near)
        || first <= head && error.line + 1 >= head.min(count) && said.contains("there is no ")
        || !whole.is_chained
            && first > whole.log()
            && (error.line >= first || said.contains("the log comes"))
}

#[derive(Default)]
struct Count {
    harmless: usize,
    refused: usize,
}

/// Reads a damaged file, as the folder of the matches does, and holds it against what it was.
fn judge(
    whole: &Whole,
    damage: &Damage,
    count: &mut BTreeMap<&'static str, Count>,
    bad: &mut Vec<String>,
) {
    let count = count.entry(damage.kind).or_default();
    let shown = || {
        let text = String::from_utf8_lossy(&damage.bytes).into_owned();
        let lines = text.lines().enumerate();
        let around = lines.filter(|(i, _)| damage.lines.contains(&(i + 1)));
        let told: Vec<String> = around
            .take(3)
            .map(|(i, line)| format!("  {}| {line}\n", i + 1))
            .collect();
        told.concat()
    };
    match Match::read(&damage.bytes, whole.game.id()) {
        Ok(read) => {
            count.harmless += 1;
            if !whole.is(&read) {
                bad.push(format!(
                    "{}: another match was read\n{}",
                    damage.kind,
                    shown()
                ));
            }
        }
        Err(error) => {
            count.refused += 1;
            let lines = String::from_utf8_lossy(&damage.bytes).lines().count();
            let is_within = (1..=lines.max(1)).contains(&error.line);
            if !is_within || !is_placed(whole, damage, &error) {
                bad.push(format!("{}: {error}\n{}", damage.kind, shown()));
            }
        }
    }
}

/// The damages that can be told from the text alone.
pub(crate) fn damages(text: &str, is_thorough: bool) -> Vec<Damage> {
    let lines: Vec<&str> = text.lines().collect();
    let count = lines.len();
    let mut all = Vec::new();
    let mut add = |kind, lines: Vec<String>, changed: RangeInclusive<usize>| {
        all.push(Damage {
            kind,
            bytes: (lines.join("\n") + "\n").into_bytes(),
            lines: changed,
        });
    };
    let owned = || {
        lines
            .iter()
            .map(|line| (*line).to_owned())
            .collect::<Vec<String>>()
    };
    for at in 0..count {
        let number = at + 1;
        let with = |new: &[String]| {
            let mut lines = owned();
            lines.splice(at..=at, new.iter().cloned());
            lines
        };
        let line = lines[at].to_owned();
        add("a line deleted", with(&[]), number..=number);
        add(
            "a line doubled",
            with(&[line.clone(), line.clone()]),
            number..=number + 1,
        );
        add(
            "an empty line added",
            with(&[line.clone(), String::new()]),
            number + 1..=number + 1,
        );
        add(
            "blanks at a line's end",
            with(&[format!("{line} \t")]),
            number..=number,
        );
        add(
            "a line indented",
            with(&[format!("  {line}")]),
            number..=number,
        );
        add(
            "a line quoted",
            with(&[format!("> {line}")]),
            number..=number,
        );
        add(
            "a foreign line added",
            with(&[line.clone(), "Hello there".to_owned()]),
            number + 1..=number + 1,
        );
        if at + 1 < count {
            let mut swapped = owned();
            swapped.swap(at, at + 1);
            add("two lines swapped", swapped, number..=number + 1);
            let mut joined = owned();
            let next = joined.remove(at + 1);
            joined[at] = format!("{line} {next}");
            add("two lines joined", joined, number..=number);
        }
        for kind in 0..3 {
            let marks: &[&str] = match kind {
                0 => &["<<<<<<< HEAD", "=======", ">>>>>>> branch"],
                1 => &["<<<<<<< ours", "||||||| base", "=======", ">>>>>>> theirs"],
                _ => &["======="],
            };
            let mut conflict = Vec::new();
            for (i, mark) in marks.iter().enumerate() {
                conflict.push((*mark).to_owned());
                if i + 1 < marks.len() {
                    conflict.push(line.clone());
                }
            }
            let end = at + conflict.len();
            add("the marks of a merge", with(&conflict), number..=end);
        }
        words(&line, is_thorough, &mut |kind, changed: Vec<String>| {
            let end = at + changed.len();
            add(kind, with(&changed), number..=end);
        });
    }
    all
}

/// The simple ways to change a line; thoroughly, also within words.
fn words(line: &str, is_thorough: bool, add: &mut dyn FnMut(&'static str, Vec<String>)) {
    let mut push = |kind, text: String| {
        if text != line {
            add(kind, vec![text]);
        }
    };
    push("a line in capitals", line.to_uppercase());
    push("a line in small letters", line.to_lowercase());
    push("blanks made tabs", line.replace("  ", "\t"));
    push(
        "blanks made one",
        line.split_whitespace().collect::<Vec<_>>().join(" "),
    );
    push("blanks that do not break", line.replace(' ', "\u{a0}"));
    push("dashes made long", line.replace('-', "\u{2013}"));
    push("quotes made round", line.replace('"', "\u{201c}"));
    let words: Vec<&str> = line.split(' ').collect();
    for at in (0..words.len()).filter(|at| !words[*at].is_empty()) {
        let mut push = |kind, new: &[&str]| {
            let mut words = words.clone();
            words.splice(at..=at, new.iter().copied());
            push(kind, words.join(" "));
        };
        let word = words[at];
        push("a word deleted", &[]);
        push("a word doubled", &[word, word]);
        push("a word added", &[word, "x"]);
        let step = if is_thorough { 5 } else { usize::MAX };
        for (place, c) in word.char_indices().step_by(step) {
            let other = match c {
                '-' => 'P',
                '0'..='8' => char::from(c as u8 + 1),
                '9' => '0',
                c if c.is_ascii_lowercase() => c.to_ascii_uppercase(),
                c if c.is_ascii_uppercase() => c.to_ascii_lowercase(),
                _ => '-',
            };
            let (before, after) = (&word[..place], &word[place + c.len_utf8()..]);
            push("a character changed", &[&format!("{before}{other}{after}")]);
            push("a character deleted", &[&format!("{before}{after}")]);
        }
    }
    // As an editor breaks lines at 72 columns.
    if let Some((at, _)) = line.char_indices().nth(72)
        && let Some(blank) = line[..at].rfind(' ')
    {
        let (first, rest) = line.split_at(blank);
        add(
            "a line wrapped",
            vec![first.to_owned(), rest.trim_start().to_owned()],
        );
    }
}

/// What happens to a file as a whole.
pub(crate) fn whole_damages(text: &str) -> Vec<Damage> {
    let count = text.lines().count();
    let mut all = Vec::new();
    for end in 0..text.len() {
        let bytes = text.as_bytes()[..end].to_vec();
        let last = String::from_utf8_lossy(&bytes).lines().count().max(1);
        all.push(Damage {
            kind: "cut off at a byte",
            bytes,
            lines: last..=last,
        });
    }
    for (kind, text) in [
        ("CRLF", text.replace('\n', "\r\n")),
        ("a byte order mark", format!("\u{feff}{text}")),
        ("blanks at every line's end", text.replace('\n', " \t\n")),
        ("empty lines at the end", format!("{text}\n\n\n")),
        ("empty lines throughout", text.replace('\n', "\n\n")),
        ("the file twice", format!("{text}{text}")),
        ("without its last line end", text.trim_end().to_owned()),
        ("old line ends", text.replace('\n', "\r")),
    ] {
        all.push(Damage {
            kind,
            bytes: text.into_bytes(),
            lines: 1..=2 * count,
        });
    }
    let latin: Vec<u8> = text
        .chars()
        .map(|c| u8::try_from(c).unwrap_or(b'?'))
        .collect();
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (kind, bytes) in [
        ("Latin-1", latin),
        ("UTF-16", [vec![0xff, 0xfe], utf16].concat()),
    ] {
        all.push(Damage {
            kind,
            bytes,
            lines: 1..=2 * count,
        });
    }
    all
}

/// The damages to the log, chained anew.
fn forgeries(whole: &Whole) -> Vec<Damage> {
    let in_log = |damage: &Damage| {
        *damage.lines.start() > whole.log() && damage.kind != "the marks of a merge"
    };
    let chain = |damage: Damage| Damage {
        kind: "in the log, chained anew",
        bytes: chained(&String::from_utf8(damage.bytes).unwrap()).into_bytes(),
        ..damage
    };
    let all = damages(&whole.text, false).into_iter();
    all.filter(in_log).map(chain).collect()
}

/// The first lines of one file, and behind them the lines of another.
fn halves(one: &str, other: &str, is_chained: bool) -> Vec<Damage> {
    let [first, second] = [one, other].map(|text| text.lines().collect::<Vec<_>>());
    let places = |lines: &[&str]| {
        let is_edge = |at: &usize| {
            lines[*at].is_empty() || lines[*at] == "Log" || lines[*at].starts_with("White  ")
        };
        (0..lines.len()).filter(is_edge).collect::<Vec<_>>()
    };
    let mut pairs: Vec<(usize, usize)> = (0..first.len().min(second.len()))
        .map(|at| (at, at))
        .collect();
    for at in places(&first) {
        pairs.extend(places(&second).into_iter().map(|to| (at, to)));
        pairs.push((at, second.len()));
    }
    // Without a chain the id stands nowhere but in its line.
    let least = if is_chained { 0 } else { 3 };
    let join = |(at, to): (usize, usize)| Damage {
        kind: "halves of two files",
        bytes: ([&first[..at], &second[to..]].concat().join("\n") + "\n").into_bytes(),
        lines: 1..=first.len() + second.len(),
    };
    pairs
        .into_iter()
        .filter(|(at, _)| *at >= least)
        .map(join)
        .collect()
}

#[test]
#[ignore = "takes long"]
fn halves_of_two_files_are_never_a_third_match() {
    let mut counts = BTreeMap::new();
    let mut bad = Vec::new();
    let files: Vec<Whole> = files()
        .into_iter()
        .map(|(_, text)| Whole::new(text))
        .collect();
    for (i, one) in files.iter().enumerate() {
        for other in files.iter().skip(i % 2).step_by(2) {
            if one.game.id() == other.game.id() && one.is_chained != other.is_chained {
                continue;
            }
            for damage in halves(&one.text, &other.text, one.is_chained && other.is_chained) {
                // Two matches of one id are told apart by what is in them.
                if Match::read(&damage.bytes, one.game.id()).is_ok_and(|read| other.is(&read)) {
                    continue;
                }
                judge(one, &damage, &mut counts, &mut bad);
            }
        }
    }
    // The same file some lines of the log ago.
    for new in &files {
        for ago in [1, 2, 5] {
            let lines = new.game.log().len();
            let old = new.game.as_of(lines.saturating_sub(ago).max(1)).unwrap();
            let mut old = old.to_string();
            if !new.is_chained {
                old = unchained(&old);
            }
            let old = Whole::new(old);
            for (one, other) in [(new, &old), (&old, new)] {
                for damage in halves(&one.text, &other.text, true) {
                    if Match::read(&damage.bytes, one.game.id()).is_ok_and(|read| other.is(&read)) {
                        continue;
                    }
                    judge(one, &damage, &mut counts, &mut bad);
                }
            }
        }
    }
    report(&counts);
    assert!(bad.is_empty(), "{}:\n{}", bad.len(), bad.concat());
    assert!(counts["halves of two files"].refused > 1000);
}

/// Prints the table that docs/reliability.md shows, and gives its last line.
fn report(counts: &BTreeMap<&'static str, Count>) -> Count {
    println!("{:28} {:>9} {:>9}", "damage", "harmless", "refused");
    let mut all = Count::default();
    for (kind, Count { harmless, refused }) in counts {
        println!("{kind:28} {harmless:9} {refused:9}");
        all.harmless += harmless;
        all.refused += refused;
    }
    println!("{:28} {:9} {:9}", "all", all.harmless, all.refused);
    all
}

#[test]
#[ignore = "takes long"]
fn every_damage_is_harmless_or_refused_with_its_place() {
    let mut counts = BTreeMap::new();
    let mut bad = Vec::new();
    for (name, text) in files() {
        let whole = Whole::new(text);
        let before = bad.len();
        // What takes long to play is not played so often.
        let is_thorough = whole.text.lines().count() < 70;
        for damage in damages(&whole.text, is_thorough)
            .iter()
            .chain(&whole_damages(&whole.text))
        {
            judge(&whole, damage, &mut counts, &mut bad);
        }
        if whole.is_chained && is_thorough {
            let forgeries = forgeries(&whole);
            let whole = Whole {
                is_chained: false,
                ..whole
            };
            for damage in &forgeries {
                judge(&whole, damage, &mut counts, &mut bad);
            }
        }
        for fault in &mut bad[before..] {
            *fault = format!("{name}: {fault}");
        }
    }
    let all = report(&counts);
    // The same fault of a hundred files is told once.
    let same = |fault: &String| fault.replace(|c: char| c.is_ascii_digit(), "");
    bad.sort_by_key(|fault| same(fault));
    bad.dedup_by_key(|fault| same(fault).lines().next().unwrap_or_default().to_owned());
    assert!(
        bad.is_empty(),
        "{} of {}:\n{}",
        bad.len(),
        all.harmless + all.refused,
        bad.iter().take(40).map(String::as_str).collect::<String>()
    );
    for kind in [
        "CRLF",
        "a byte order mark",
        "blanks at every line's end",
        "empty lines at the end",
    ] {
        assert_eq!(counts[kind].refused, 0, "{kind}");
    }
    for kind in ["the marks of a merge", "UTF-16", "old line ends"] {
        assert_eq!(counts[kind].harmless, 0, "{kind}");
    }
    assert!(all.harmless > 1000 && all.refused > 30_000);
}
