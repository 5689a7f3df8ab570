//! What Ben writes: everything that a pass reacts to, and orders beside it.

use std::sync::LazyLock;

use fastrand::Rng;
use parapost::notation::reader::tokens;

use super::orders::Order;
use super::scene::Scene;

/// A line of Ben's, or a few that belong together.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) kind: Kind,
    pub(super) text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Chat,
    Token,
    Order,
    /// A list of the moves so far with one more.
    Row,
    /// A mail of ours.
    Copy,
    /// A tag that HTML has as it stands, and other text not at all.
    Html,
}

/// Signs of quoting that no pass looks for.
const UNKNOWN: &[&str] = &[
    "~> ",
    "#| ",
    "=> ",
    "<<<<< xyzzy >>>>>",
    "+++ end of quoted text +++",
    "[End of message]",
    "(end of forward)",
    "*** Anna answers: ***",
    "My answer:",
    "Anna:",
    "@Anna",
    "^^^^",
    "\u{2028}",
    "\u{0c}",
    "```",
    "\"\"\"",
    "EOF",
    ".",
    "%%EOF",
    "\\\\",
    "---8<---",
    "--- end ---",
    "[quote=Ben]hello[/quote]",
    "Posted by: Anna at 03:00",
    "posted by Anna",
    "On behalf of Anna",
    "---Reply above this line---",
    "## Anna ##",
    "\u{2029}hello",
    "<!-- end -->",
];

/// What is left of the HTML of a mail of ours, and what a link of one writes: it is left out where
/// it is known, and nothing else with it.
const OUR_HTML: &[&str] = &[
    "mailto:a@b.test?body=x",
    "hello <mailto:a@b.test?subject=x&body=y>",
    "[1] mailto:a@b.test?body=x",
    "[1]",
    "hello [1]",
    "1. mailto:a@b.test?subject=[m] hello&body=hello",
    "+ + +",
    "8 + + + +",
    "++ Place a pawn",
    "Place a pawn",
    "Place a pawn:",
    "Knight on c3",
    "Knight on c3:",
    "to d5",
    "takes e4",
    "Ben Black:",
    "White: king on e1, pawns on d2 and e4.",
    "King on e1, pawns on d2 and e4; in reserve: queen. Black: nothing.",
    "<br>hello<br>",
    "&lt;br&gt;",
    "hello%0D%0Ahello",
    "answer code",
    "my answer code?",
    "Answer code: m,0,abcdefgh234567ab",
    "Game m, 0 half-moves made.",
];

/// Tags of HTML that bound, hide or set off.
const TAGS: &[&str] = &[
    "</blockquote>",
    "</blockquote></blockquote></blockquote>",
    "</div></div></div></div>",
    "<blockquote type=cite>",
    "<blockquote>",
    "<div>",
    "</td></tr></table>",
    "<table><tr><td>",
    "</pre>",
    "<pre>",
    "<hr>",
    "</p>",
    "</body></html>",
    "<span style=\"color:#ffffff\">",
    "<span style=\"font-size:1px\">",
    "<span style=\"display:none\">",
    "<span style=\"opacity:0\">",
    "<span style=\"color:transparent\">",
    "<div style=\"position:absolute;left:-9999px\">",
    "</span>",
    "<div class=\"gmail_quote\">",
    "<div id=\"divRplyFwdMsg\">",
    "<style>",
    "</style>",
    "<!--",
    "-->",
];

/// The marks around a tag in a text that is quoted as HTML.
pub(super) const TAG: [char; 2] = ['\u{e000}', '\u{e001}'];

const CHAT: &[&str] = &[
    "Are you free on Friday?",
    "It rains here, and the cat sleeps all day.",
    "Dear Anna,",
    "Best wishes",
    "Ben",
    "I have read that book at last.",
    "",
    "",
];

/// Words that fill a line.
const WORDS: &[&str] = &[
    "we", "walked", "along", "the", "river", "for", "hours", "until", "it", "got", "dark", "and",
    "cold", "so", "that", "nobody", "could", "see", "a", "thing", "there",
];

static TOKENS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let known = tokens().into_iter().flat_map(|(_, tokens)| tokens);
    let others = UNKNOWN.iter().chain(OUR_HTML);
    known
        .chain(others.map(|token| (*token).to_owned()))
        .collect()
});

impl Piece {
    fn new(kind: Kind, text: impl Into<String>) -> Piece {
        Piece {
            kind,
            text: text.into(),
        }
    }
}

fn pick<'a>(of: &[&'a str], rng: &mut Rng) -> &'a str {
    of[rng.usize(..of.len())]
}

/// A token of some pass, as it is or damaged.
fn token(rng: &mut Rng) -> Piece {
    let mut token = TOKENS[rng.usize(..TOKENS.len())].clone();
    // A mark stands before words of its own, or before what comes next.
    if token.ends_with([' ', '\t']) && rng.bool() {
        token += "hello";
    }
    Piece::new(
        Kind::Token,
        if rng.u8(..5) < 2 {
            mutated(&token, rng)
        } else {
            token
        },
    )
}

/// A text with a few characters dropped, doubled or changed.
fn mutated(text: &str, rng: &mut Rng) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..rng.usize(1..4) {
        if chars.is_empty() {
            break;
        }
        let at = rng.usize(..chars.len());
        match rng.u8(..6) {
            0 => drop(chars.remove(at)),
            1 => chars.insert(at, chars[at]),
            2 => chars[at] = chars[at].to_uppercase().next().unwrap_or(chars[at]),
            3 => chars[at] = chars[at].to_lowercase().next().unwrap_or(chars[at]),
            4 => chars.insert(at, ' '),
            _ => chars.insert(0, if rng.bool() { ' ' } else { '>' }),
        }
    }
    chars.into_iter().collect()
}

fn tag(rng: &mut Rng) -> Piece {
    Piece::new(
        Kind::Html,
        format!("{}{}{}", TAG[0], pick(TAGS, rng), TAG[1]),
    )
}

fn order(scene: &Scene, rng: &mut Rng) -> Piece {
    Piece::new(Kind::Order, Order::any(scene, &scene.moves[1], rng).text)
}

/// A line that a program wraps in front of the order at its end.
fn wrapped(scene: &Scene, width: usize, rng: &mut Rng) -> Piece {
    let order = Order::any(scene, &scene.moves[1], rng).text;
    let order = order.lines().next().unwrap_or_default();
    let length = order.chars().count();
    // The mark of the program's takes two columns.
    let room = width.saturating_sub(2 + rng.usize(..=length.min(8)));
    let mut line = String::from("So");
    while line.len() + 9 < room {
        line += " ";
        line += pick(WORDS, rng);
    }
    line += " ";
    while line.len() + 1 < room {
        line += "o";
    }
    line += pick(&[".", "!", "?", ":", "", ","], rng);
    Piece::new(Kind::Order, format!("{line} {order}"))
}

fn rows(scene: &Scene, rng: &mut Rng) -> Piece {
    let text = &scene.moves[1];
    let mut rows = String::new();
    if rng.u8(..3) == 0 {
        rows += &scene.diagram_with(text);
        rows += "\n";
    }
    rows += &scene.list_with(text);
    if rng.u8(..4) == 0 {
        rows = rows.trim_end().to_owned() + " (=)\n";
    }
    if rng.u8(..3) > 0 {
        rows += "\n";
        rows += &scene.foot(rng.bool());
    }
    Piece::new(Kind::Row, rows.trim_end())
}

fn copy(scene: &Scene, rng: &mut Rng) -> Piece {
    let at = if rng.bool() {
        scene.current()
    } else {
        rng.usize(..scene.mails.len())
    };
    let text = &scene.mails[at].mail.text;
    let lines: Vec<&str> = text.lines().collect();
    let part = match rng.u8(..6) {
        0..3 => &lines[..],
        3 => &lines[..rng.usize(1..=lines.len())],
        4 => &lines[rng.usize(..lines.len())..],
        _ => &lines[lines.len() - 1..],
    };
    Piece::new(Kind::Copy, part.join("\n"))
}

/// What makes a name look like a part of our HTML, or like an answer that one of its links writes.
const DISGUISES: &[&str] = &[
    " Answer code: m,2,abcdefgh234567ab Ben",
    " Game m, 2 half-moves made. Answer code: abcdefgh234567ab",
    "<br>Ben",
    "%0ABen",
    "<br>answer code",
    " White: king:",
    " White: king on e1, pawns on d2 and e4",
    " to d5 takes e4",
];

/// A name with an order in it, and an address, which a program may break into lines.
pub(super) fn name(scene: &Scene, rng: &mut Rng) -> String {
    let order = Order::any(scene, &scene.moves[1], rng).text;
    let mut name = String::new();
    if rng.bool() {
        while name.len() < 66 {
            name += pick(WORDS, rng);
            name += " ";
        }
        let length = rng.usize(40..66);
        name = name[..length].trim_end().to_owned() + " ";
    }
    name += order.lines().next().unwrap_or_default();
    if rng.u8(..4) == 0 {
        name += pick(DISGUISES, rng);
    }
    if rng.u8(..3) == 0 {
        name.push(' ');
        name += &"o".repeat(rng.usize(40..80));
    }
    let first = "benedict.".repeat(rng.usize(1..9));
    format!("{name} <{first}@black.test>")
}

/// Words that no mail of ours has.
pub(super) fn chat() -> Piece {
    Piece::new(Kind::Chat, CHAT[0])
}

/// A mail of Ben's. At least half of them have an order directly beside a token. `width`
/// is where Anna's program wraps it.
pub(super) fn mail(
    scene: &Scene,
    width: Option<usize>,
    is_html: bool,
    rng: &mut Rng,
) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let pair = |pieces: &mut Vec<Piece>, rng: &mut Rng| {
        let mut pair = vec![order(scene, rng)];
        let sign = match rng.u8(..8) {
            0 => copy(scene, rng),
            1..4 if is_html => tag(rng),
            _ => token(rng),
        };
        pair.insert(usize::from(rng.u8(..4) == 0), sign);
        pieces.extend(pair);
    };
    if rng.u8(..3) > 0 {
        pieces.push(Piece::new(Kind::Chat, pick(CHAT, rng)));
    }
    for _ in 0..rng.usize(1..5) {
        match rng.u8(..12) {
            0..6 => pair(&mut pieces, rng),
            6 => pieces.push(order(scene, rng)),
            7 => pieces.push(token(rng)),
            8 => pieces.push(rows(scene, rng)),
            9 => pieces.push(copy(scene, rng)),
            _ if width.is_some() => pieces.push(wrapped(scene, width.unwrap_or_default(), rng)),
            _ => pieces.push(Piece::new(Kind::Chat, pick(CHAT, rng))),
        }
    }
    if rng.u8(..3) == 0 {
        pieces.push(Piece::new(Kind::Chat, pick(CHAT, rng)));
    }
    pieces
}

/// The words of a note, one of three what PGP puts around a text.
pub(super) fn note(rng: &mut Rng) -> String {
    let first = match rng.u8(..3) {
        0 => "-----BEGIN PGP MESSAGE-----".to_owned(),
        _ => token(rng).text,
    };
    let more = match rng.u8(..6) {
        0 => " resign",
        1 => " n>f6 offer draw",
        _ => "",
    };
    if rng.u8(..4) == 0 {
        return beside_taps(rng);
    }
    let has_word = first.contains(char::is_alphanumeric);
    // A note is one line, and has a letter in it.
    format!(
        "{}{}{more}",
        if has_word { "" } else { "x " },
        first.trim_start()
    )
    .replace('\n', " ")
}

/// A note with an order among lines that look like the links of our mails, or behind blanks that
/// no program keeps.
fn beside_taps(rng: &mut Rng) -> String {
    let order = *rng
        .choice(&["resign", "offer draw", "2. K>a1", "3. N>c3", "mail off"])
        .expect("one");
    let taps = [
        "Knight on c3",
        "to d5",
        "takes e4",
        "drop a queen",
        "place",
        "Place a pawn",
        "8 + + +",
        "+",
        "a b c d e f g h",
    ];
    let tap = |rng: &mut Rng| *rng.choice(&taps).expect("one");
    let mut lines = vec!["1. P>e3 n>g5".to_owned()];
    lines.extend((0..rng.usize(..4)).map(|_| tap(rng).to_owned()));
    let before = if rng.bool() { rng.usize(1..80) } else { 0 };
    let blanks = " ".repeat(before);
    let i = if before > 0 { "I" } else { "" };
    lines.push(format!("note {i}{blanks}{order}"));
    lines.extend((0..rng.usize(..3)).map(|_| tap(rng).to_owned()));
    // A question of the writer's own parts what would be known for a link.
    let between = if rng.bool() { "\nshow\n" } else { "\n" };
    lines.join(between)
}
