//! What mail programs, gateways and people do to a text.

use std::fmt::Write;

use fastrand::Rng;

use super::Reply;

#[derive(Clone, Copy)]
pub(crate) enum Habit {
    /// Done to what is written and to the mail before it is quoted; says
    /// whether it could be.
    Text(fn(&mut Reply, &mut Rng) -> bool),
    /// Done to the lines when all is written.
    Lines(fn(&str, &mut Rng) -> String),
    /// Done to the bytes.
    Bytes(Encoding),
}

/// The name of a transfer encoding, and a text in it.
pub(crate) type Encoding = fn(&str) -> (&'static str, String);

pub(crate) const HABITS: &[(&str, Habit)] = &[
    ("as it is", Habit::Bytes(plain)),
    ("quoted-printable", Habit::Bytes(quoted_printable)),
    ("base64", Habit::Bytes(base64)),
    (
        "trailing blanks",
        Habit::Text(|reply, _| everywhere(reply, |text| text.replace('\n', "   \n"))),
    ),
    (
        "no-break spaces",
        Habit::Text(|reply, _| everywhere(reply, |text| text.replace(' ', "\u{a0}"))),
    ),
    (
        "every other blank a no-break space",
        Habit::Text(|reply, _| everywhere(reply, |text| text.replace("  ", "\u{a0} "))),
    ),
    (
        "blanks closed up",
        Habit::Text(|reply, _| everywhere(reply, closed_up)),
    ),
    ("tabs", Habit::Text(|reply, _| everywhere(reply, tabbed))),
    (
        "typographic",
        Habit::Text(|reply, _| everywhere(reply, typographic)),
    ),
    (
        "empty lines doubled",
        Habit::Text(|reply, _| everywhere(reply, |text| text.replace("\n\n", "\n\n\n"))),
    ),
    (
        "line ends doubled",
        Habit::Text(|reply, _| everywhere(reply, |text| text.replace('\n', "\n\n"))),
    ),
    (
        "line ends doubled behind the quoting",
        Habit::Lines(|text, _| text.replace('\n', "\n\n")),
    ),
    (
        "line ends doubled in the quotation",
        Habit::Text(|reply, _| {
            reply.mail = reply.mail.replace('\n', "\n\n");
            true
        }),
    ),
    (
        "empty lines dropped",
        Habit::Lines(|text, _| text.replace("\n\n", "\n")),
    ),
    (
        "long lines wrapped with their marks",
        Habit::Text(|reply, rng| {
            reply.mail = wrapped(&reply.mail, rng.usize(40..72));
            true
        }),
    ),
    (
        "long lines wrapped",
        Habit::Lines(|text, rng| wrapped(text, rng.usize(62..78))),
    ),
    ("second moves on a line apart", Habit::Text(torn)),
    (
        "signature",
        Habit::Text(|reply, _| ends(reply, "-- \nBen\nn>f6 is my favourite move\n")),
    ),
    (
        "disclaimer",
        Habit::Text(|reply, _| {
            ends(
                reply,
                "This e-mail and any attachment to it is confidential and may be privileged. If you are not the intended recipient please delete n>f6 at once.\n",
            )
        }),
    ),
    (
        "advertisement",
        Habit::Text(|reply, _| ends(reply, "Sent from my iPhone\n")),
    ),
    (
        "list footer",
        Habit::Text(|reply, _| {
            reply.below += "\n_______________________________________________\nGames mailing list\ngames@b.test\nhttps://b.test/listinfo/games\n";
            true
        }),
    ),
];

/// Wrapped as by a telephone, or by a program in a narrow window.
pub(crate) const NARROW: (&str, Habit) = (
    "lines wrapped narrowly",
    Habit::Lines(|text, rng| wrapped(text, rng.usize(30..60))),
);

pub(crate) fn plain(text: &str) -> (&'static str, String) {
    ("8bit", text.to_owned())
}

fn quoted_printable(text: &str) -> (&'static str, String) {
    let mut out = String::new();
    for line in text.lines() {
        let mut width = 0;
        let length = line.len();
        for (at, byte) in line.bytes().enumerate() {
            let is_last = at + 1 == length;
            let piece = match byte {
                b'=' => "=3D".to_owned(),
                b' ' if !is_last => " ".to_owned(),
                33..=126 => char::from(byte).to_string(),
                byte => format!("={byte:02X}"),
            };
            if width + piece.len() > 72 {
                out += "=\n";
                width = 0;
            }
            width += piece.len();
            out += &piece;
        }
        out.push('\n');
    }
    ("quoted-printable", out)
}

fn base64(text: &str) -> (&'static str, String) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for (at, bytes) in text.as_bytes().chunks(3).enumerate() {
        let group = bytes
            .iter()
            .fold(0_u32, |group, byte| group << 8 | u32::from(*byte))
            << (8 * (3 - bytes.len()));
        for digit in 0..4 {
            let value = (group >> (18 - 6 * digit)) & 63;
            out.push(if digit <= bytes.len() {
                char::from(DIGITS[value as usize])
            } else {
                '='
            });
        }
        if at % 19 == 18 {
            out.push('\n');
        }
    }
    ("base64", out + "\n")
}

fn everywhere(reply: &mut Reply, change: impl Fn(&str) -> String) -> bool {
    for text in [&mut reply.above, &mut reply.mail, &mut reply.below] {
        *text = change(text);
    }
    true
}

fn closed_up(text: &str) -> String {
    let line = |line: &str| {
        line.split(' ')
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
            + "\n"
    };
    text.lines().map(line).collect()
}

/// Runs of blanks up to a multiple of eight columns become tabs.
fn tabbed(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let chars: Vec<char> = line.chars().collect();
        for (i, chunk) in chars.chunks(8).enumerate() {
            let piece: String = chunk.iter().collect();
            let kept = piece.trim_end_matches(' ');
            let is_run =
                piece.len() > kept.len() + 1 && chunk.len() == 8 && (i + 1) * 8 < chars.len();
            out += if is_run { kept } else { &piece };
            if is_run {
                out.push('\t');
            }
        }
        out.push('\n');
    }
    out
}

fn typographic(text: &str) -> String {
    text.replace("...", "…")
        .replace('-', "–")
        .replace('\'', "’")
        .replace('"', "”")
}

/// Lines broken at a width, without regard to marks.
fn wrapped(text: &str, width: usize) -> String {
    // So much may be marks and indentation.
    const MARGIN: usize = 12;
    let mut out = String::new();
    for line in text.lines() {
        let mut rest = line;
        while let Some((end, _)) = rest.char_indices().nth(width)
            && let Some(at) = rest[..end].rfind(' ').filter(|at| *at > MARGIN)
        {
            out += rest[..at].trim_end();
            out.push('\n');
            rest = rest[at..].trim_start();
        }
        out += rest;
        out.push('\n');
    }
    out
}

/// The second player's moves of the list in the mail set on lines of their
/// own.
fn torn(reply: &mut Reply, rng: &mut Rng) -> bool {
    let mut out = String::new();
    let mut is_torn = false;
    for line in reply.mail.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first().is_some_and(|word| {
            word.strip_suffix('.')
                .is_some_and(|n| n.parse::<u32>().is_ok())
        }) && let Some(at) = line.trim_end().rfind("  ")
            && line[..at].trim_end().contains(' ')
            && rng.u8(..3) > 0
        {
            is_torn = true;
            let indent = if rng.bool() { "" } else { "            " };
            let (first, second) = line.split_at(at);
            let _ = writeln!(out, "{}\n{indent}{}", first.trim_end(), second.trim());
        } else {
            out += line;
            out.push('\n');
        }
    }
    reply.mail = out;
    is_torn
}

/// Put below what the sender writes, wherever that is.
fn ends(reply: &mut Reply, end: &str) -> bool {
    let own = if reply.below.is_empty() {
        &mut reply.above
    } else {
        &mut reply.below
    };
    *own += "\n";
    *own += end;
    true
}
